/* convex.c - any two convex cores, by their signed distance, which is exact for every shape.
 * Normal and depth are those of the signed distance. A face nearly perpendicular to that normal becomes the reference, and the
 * other core's contact face towards it is clipped against its sides. Two nearly parallel lines have a contact point at both
 * ends of their common part. All other contacts have one point. The distance is found in double precision: GJK in floats would
 * be too inaccurate for thin, rounded and smooth shapes.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

#include "d3/query/gjk.h"

#include <string.h>

/* If the squared sine between a face's normal and that of the signed distance is below this, the face is the reference, and its
 * normal that of the contact. The depth changes by less than 5e-4 times the size. */
static const float flat_square = 2.5e-7f;

struct core_pair {
	const struct d3_proxy *a, *b;
	struct d3_transform_d b_in_a;
	struct d3_separation separation;
	float speculative;
};

/* The corners of the last simplex, packed to fit into a cache. */
struct cached_corners {
	int8_t count;
	uint8_t a[3], b[3];
};

static void read_corners(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_manifold_cache *cache, struct d3_corner_simplex *out)
{
	struct cached_corners from;
	out->count = 0;
	if (d3_cache_kind(cache) != D3_CACHED_CORNERS)
		return;
	memcpy(&from, &cache->axis, sizeof from);
	out->count = from.count < 0 ? D3_CORES_OVERLAP : from.count <= 3 ? from.count : 0;
	for (int i = 0; i < out->count; ++i) {
		out->a[i] = from.a[i];
		out->b[i] = from.b[i];
		if (from.a[i] >= a->count || from.b[i] >= b->count)
			out->count = 0;
	}
}

static void write_corners(const struct d3_corner_simplex *simplex, struct d3_manifold_cache *cache)
{
	struct cached_corners to = {(int8_t)simplex->count, {0}, {0}};
	for (int i = 0; i < simplex->count; ++i) {
		to.a[i] = (uint8_t)simplex->a[i];
		to.b[i] = (uint8_t)simplex->b[i];
	}
	*cache = (struct d3_manifold_cache){.features = D3_CACHED_CORNERS};
	memcpy(&cache->axis, &to, sizeof to);
}

/* Lower bound on the separation along the cached axis, less the speculative margin. <= 0: that axis does not separate the
 * shapes by more than the margin, or none is cached. */
static double room_along_axis(const struct core_pair *cores, const struct d3_manifold_cache *cache)
{
	if (d3_cache_kind(cache) != D3_CACHED_APART)
		return 0;
	struct d3_vec_d n = d3_widen(cache->axis), back = d3_inv_turn_d(&cores->b_in_a.q, d3_neg_d(n));
	double reach = d3_core_reach(cores->a, &n) + d3_core_reach(cores->b, &back);
	double radii = cores->a->radius + cores->b->radius;
	/* The axis is a unit vector only to within rounding. */
	double slack = 1e-6 * (reach + radii);
	return d3_dot_d(n, cores->b_in_a.p) - reach - radii - slack - cores->speculative;
}

static void touch_in_a_point(const struct core_pair *cores, struct d3_local_manifold *out)
{
	struct d3_vec_d middle = d3_scale_d(0.5, d3_add_d(cores->separation.point_a, cores->separation.point_b));
	d3_single_point(
		d3_narrow(cores->separation.normal), d3_narrow(middle), (float)cores->separation.distance, cores->speculative, out);
}

/* Whether the deepest point's separation is the signed distance, to within the indifference plus `more`. It is not if the
 * contact is beside the reference face. */
static bool carries_separation(const struct d3_local_manifold *out, const struct core_pair *cores, float more)
{
	float least = d3_manifold_separation(out), slack = d3_indifference(cores->speculative) + more;
	return least <= (float)cores->separation.distance + slack && least >= (float)cores->separation.distance - slack;
}

static bool is_flat(const struct d3_contact_face *face, struct d3_vec n)
{
	struct d3_vec sine = d3_cross(face->normal, n);
	return d3_dot(sine, sine) < flat_square;
}

/* Lower bound on the radius of curvature of the surface across a line, along all of it; 0 for points and faces. */
static float bend_of(const struct d3_contact_face *patch)
{
	return patch->count == 2 ? min_f(patch->bend[0], patch->bend[1]) : 0;
}

/* Finds the contact with the reference face, if it is nearly perpendicular to the normal: `flat` is the cosine. The closest
 * point of a face and a nearly parallel edge jumps between the ends of the edge from step to step, so a face or line within 6
 * degrees of the reference gets contact points along all of it. For a line of radius r, the separation along the face's normal
 * may differ from the distance by r (1 - cosine), but at most by a slop. False: nothing is that parallel to the face, or the
 * contact is elsewhere. */
static bool touch_nearly_flat(const struct core_pair *cores, const struct d3_proxy *other, const struct d3_frame *frame,
	float flat, float flat_other, const struct d3_clip *clip, struct d3_contact_face *incident, struct d3_local_manifold *out)
{
	if (!(flat > D3_SAME_COSINE))
		return false;
	/* Takes the line turned towards the face, not the one at the closest point: a round shape that only rolls against an edge
	 * of the face stays off the face. */
	if (!(flat_other > 0) && !d3_proxy_line(other, frame, d3_neg(clip->reference->normal), incident))
		return false;
	float radius = clip->radius_reference + clip->radius_incident + bend_of(incident);
	d3_clip_face(clip, out);
	return out->count > 1 && carries_separation(out, cores, min_f(radius * (1 - flat), d3_slop(cores->speculative)));
}

static bool has_faces(const struct d3_proxy *proxy)
{
	return proxy->type == D3_PROXY_POINTS ? proxy->count > 2 : proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE;
}

static void touch_along(const struct core_pair *cores, struct d3_local_manifold *out)
{
	struct d3_frame frame = d3_frame_narrow(&cores->b_in_a);
	struct d3_vec n = d3_narrow(cores->separation.normal), back = d3_neg(n);
	struct d3_contact_face patch_a, patch_b, line_a, line_b;
	float radius_a = (float)cores->a->radius, radius_b = (float)cores->b->radius;
	struct d3_clip to_a = d3_clip_of(&patch_a, &patch_b, radius_a, radius_b, false, cores->speculative);
	struct d3_clip to_b = d3_clip_of(&patch_a, &patch_b, radius_a, radius_b, true, cores->speculative);
	bool faces = has_faces(cores->a) || has_faces(cores->b);
	float flat_a = faces ? d3_proxy_face(cores->a, &d3_frame_identity, n, &patch_a) : 0;
	float flat_b = faces ? d3_proxy_face(cores->b, &frame, back, &patch_b) : 0;
	if (flat_a > 0 && is_flat(&patch_a, n)) {
		d3_clip_face(&to_a, out);
	} else if (flat_b > 0 && is_flat(&patch_b, n)) {
		d3_clip_face(&to_b, out);
	} else if (d3_proxy_line(cores->a, &d3_frame_identity, n, &line_a) && d3_proxy_line(cores->b, &frame, back, &line_b)) {
		struct d3_clip lines = {&line_a, &line_b, radius_a, radius_b, false, cores->speculative};
		d3_clip_lines(&lines, n, out);
	}
	if (out->count > 0 && carries_separation(out, cores, 0))
		return;
	out->count = 0;
	if (faces &&
		(flat_b > flat_a ? touch_nearly_flat(cores, cores->a, &d3_frame_identity, flat_b, flat_a, &to_b, &patch_a, out)
						 : touch_nearly_flat(cores, cores->b, &frame, flat_a, flat_b, &to_a, &patch_b, out)))
		return;
	out->count = 0;
	touch_in_a_point(cores, out);
}

void d3_collide_convex(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	struct core_pair cores = {
		.a = a, .b = b, .b_in_a = {d3_widen(b_in_a->p), d3_exact_rot(b_in_a->q)}, .speculative = speculative};
	struct d3_corner_simplex simplex;
	out->count = 0;
	double room = room_along_axis(&cores, cache);
	if (room > 0) {
		out->clearance = (float)room;
		return;
	}
	read_corners(a, b, cache, &simplex);
	d3_separation_and_corners(a, b, &cores.b_in_a, speculative, &simplex, &cores.separation);
	if (cores.separation.distance > speculative) {
		d3_cache_apart(cache, d3_narrow(cores.separation.normal));
		out->clearance = (float)cores.separation.distance - speculative;
		return;
	}
	write_corners(&simplex, cache);
	touch_along(&cores, out);
}
