/* round.c - spheres, capsules and half-spaces, in closed form.
 * Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.5 and 5.1.9.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

void d3_collide_points(struct d3_vec core_a, float radius_a, struct d3_vec core_b, float radius_b, struct d3_vec fallback,
	float speculative, struct d3_local_manifold *out)
{
	struct d3_vec delta = d3_sub(core_b, core_a);
	float distance = d3_length(delta);
	/* The direction between points that coincide to within rounding error is noise. */
	bool clear = distance > 1e-6f * (radius_a + radius_b) && distance > 1e-18f;
	struct d3_vec n = clear ? d3_scale(1 / distance, delta) : fallback;
	d3_single_point(
		n, d3_mul_add(core_a, 0.5f * (distance + radius_a - radius_b), n), distance - radius_a - radius_b, speculative, out);
}

/* --- Spheres -------------------------------------------------------------------------------------------------------------- */

static void collide_spheres(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a,
	float speculative, struct d3_local_manifold *out)
{
	const struct d3_vec up = {0, 1, 0};
	d3_collide_points(a->points[0], a->radius, d3_transform_point(*b_in_a, b->points[0]), b->radius, up, speculative, out);
}

static void collide_capsule_sphere(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a,
	float speculative, struct d3_local_manifold *out)
{
	struct d3_vec center = d3_transform_point(*b_in_a, b->points[0]), p = a->points[0], delta = d3_sub(a->points[1], p);
	float part = clamp_f(d3_dot(delta, d3_sub(center, p)) / d3_dot(delta, delta), 0, 1);
	d3_collide_points(d3_mul_add(p, part, delta), a->radius, center, b->radius, d3_across(delta), speculative, out);
}

/* Collides in the box's own frame. A centre inside the box is pushed out through the nearest face. */
static void collide_box_sphere(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a,
	float speculative, struct d3_local_manifold *out)
{
	struct d3_frame frame = d3_frame_narrow(&a->frame);
	struct d3_vec center = d3_transform_point(*b_in_a, b->points[0]), h = a->half;
	struct d3_vec c = d3_inv_turn(&frame.q, d3_sub(center, frame.p));
	struct d3_vec beyond = {abs_f(c.x) - h.x, abs_f(c.y) - h.y, abs_f(c.z) - h.z};
	float most = max_f(beyond.x, max_f(beyond.y, beyond.z));
	if (most - a->radius - b->radius > speculative) {
		out->clearance = most - a->radius - b->radius - speculative;
		return;
	}
	struct d3_vec face = most == beyond.x ? (struct d3_vec){c.x < 0 ? -1 : 1, 0, 0}
		: most == beyond.y                ? (struct d3_vec){0, c.y < 0 ? -1 : 1, 0}
										  : (struct d3_vec){0, 0, c.z < 0 ? -1 : 1};
	struct d3_vec nearest = {clamp_f(c.x, -h.x, h.x), clamp_f(c.y, -h.y, h.y), clamp_f(c.z, -h.z, h.z)};
	int outside = (beyond.x > 0) + (beyond.y > 0) + (beyond.z > 0);
	if (outside > 1) {
		d3_collide_points(nearest, a->radius, c, b->radius, face, speculative, out);
	} else {
		float back = 0.5f * (most - a->radius + b->radius);
		d3_single_point(face, d3_mul_add(c, -back, face), most - a->radius - b->radius, speculative, out);
	}
	if (out->count == 0)
		return;
	out->normal = d3_turn(&frame.q, out->normal);
	out->points[0].point = d3_frame_point(&frame, out->points[0].point);
}

/* Whether p, seen along the face's normal n, is within the face. */
static bool over_face(const struct d3_polytope *solid, uint32_t face, struct d3_vec n, struct d3_vec p)
{
	uint32_t start = solid->face_edges[face], edge = start, steps = 0;
	do {
		uint32_t next = solid->edges[edge].next;
		struct d3_vec from = solid->points[solid->edges[edge].origin], to = solid->points[solid->edges[next].origin];
		if (d3_dot(d3_cross(d3_sub(to, from), n), d3_sub(p, from)) > 0)
			return false;
		edge = next;
	} while (edge != start && ++steps < D3_HULL_MAX);
	return true;
}

/* Collides a hull with a sphere. False: the centre is outside the core, but not over the face above which it is highest, so an
 * edge or a corner is closest. */
static bool collide_hull_sphere(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a,
	float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	struct d3_polytope solid = d3_polytope_of_hull(a->hull, a->centroid);
	struct d3_vec center = d3_transform_point(*b_in_a, b->points[0]);
	float height;
	uint32_t face = d3_polytope_highest(&solid, center, &height);
	struct d3_vec n = d3_polytope_normal(&solid, face);
	if (height - a->radius - b->radius > speculative) {
		d3_cache_apart(cache, n);
		out->clearance = height - a->radius - b->radius - speculative;
		return true;
	}
	if (height > 0 && !over_face(&solid, face, n, center))
		return false;
	d3_single_point(
		n, d3_mul_add(center, -0.5f * (height - a->radius + b->radius), n), height - a->radius - b->radius, speculative, out);
	return true;
}

/* --- Two capsules --------------------------------------------------------------------------------------------------------- */

struct rod {
	struct d3_vec p, delta;
	float square, radius;
};

static struct rod make_capsule_core(struct d3_vec from, struct d3_vec to, float radius)
{
	struct d3_vec delta = d3_sub(to, from);
	return (struct rod){from, delta, d3_dot(delta, delta), radius};
}

/* Finds the contact of two capsules whose segments cross, at the segments' closest points, along their common perpendicular. It
 * is exact even where the segments intersect. False: a closest point is outside its segment. */
static bool cross_rods(const struct rod *a, const struct rod *b, struct d3_vec from, struct d3_vec perpendicular, float sine,
	float speculative, struct d3_local_manifold *out)
{
	float along_a = d3_dot(a->delta, from), along_b = d3_dot(b->delta, from), both = d3_dot(a->delta, b->delta);
	float s = (along_a * b->square - along_b * both) / sine, t = (along_a * both - along_b * a->square) / sine;
	if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1))
		return false;
	struct d3_vec n = d3_scale(1 / sqrtf(sine), perpendicular);
	float distance = d3_dot(n, from);
	if (distance < 0) {
		n = d3_neg(n);
		distance = -distance;
	}
	struct d3_vec p = d3_mul_add(a->p, s, a->delta);
	d3_single_point(
		n, d3_mul_add(p, 0.5f * (distance + a->radius - b->radius), n), distance - a->radius - b->radius, speculative, out);
	return true;
}

/* The closest pair of points of which one is an end of a segment: squared distance, and fractions along a and b. */
struct end_distance {
	float square, s, t;
};

static void consider_end(
	const struct rod *a, const struct rod *b, struct d3_vec from, float s, float t, struct end_distance *best)
{
	struct d3_vec between = d3_sub(d3_mul_add(from, t, b->delta), d3_scale(s, a->delta));
	float square = d3_dot(between, between);
	if (square < best->square)
		*best = (struct end_distance){square, s, t};
}

static struct end_distance nearest_ends(const struct rod *a, const struct rod *b, struct d3_vec from)
{
	float along_a = d3_dot(a->delta, from), along_b = d3_dot(b->delta, from), both = d3_dot(a->delta, b->delta);
	struct end_distance best = {INFINITY, 0, 0};
	consider_end(a, b, from, 0, clamp_f(-along_b / b->square, 0, 1), &best);
	consider_end(a, b, from, 1, clamp_f((both - along_b) / b->square, 0, 1), &best);
	consider_end(a, b, from, clamp_f(along_a / a->square, 0, 1), 0, &best);
	consider_end(a, b, from, clamp_f((along_a + both) / a->square, 0, 1), 1, &best);
	return best;
}

/* Removes the component along a segment if the closest point is inside the segment: that component is rounding error, and would
 * turn a short separation vector. */
static struct d3_vec across_rod(struct d3_vec between, const struct rod *rod, float part)
{
	return part > 0 && part < 1 ? d3_mul_add(between, -d3_dot(between, rod->delta) / rod->square, rod->delta) : between;
}

/* Replaces the point of nearly parallel capsules by both ends of their common part, if the lower separation there is `least` to
 * within the indifference. A sideways offset x of the axes changes a separation by at most x^2 / (2 (r + s)), r and s the
 * radii. */
static void touch_beside(
	const struct rod *a, const struct rod *b, struct d3_vec n, float least, float speculative, struct d3_local_manifold *out)
{
	struct d3_contact_face line_a = {
		.count = 2, .p = {a->p, d3_add(a->p, a->delta)}, .points = {D3_OF_POINT, D3_OF_POINT | 1}, .edges = {D3_OF_EDGE}};
	struct d3_contact_face line_b = {
		.count = 2, .p = {b->p, d3_add(b->p, b->delta)}, .points = {D3_OF_POINT, D3_OF_POINT | 1}, .edges = {D3_OF_EDGE}};
	struct d3_clip clip = {&line_a, &line_b, a->radius, b->radius, false, speculative};
	struct d3_local_manifold pair = {.count = 0, .triangle = out->triangle};
	d3_clip_lines(&clip, n, &pair);
	float lower = min_f(pair.points[0].separation, pair.points[1].separation);
	if (pair.count == 2 && abs_f(lower - least) <= d3_indifference(speculative))
		*out = pair;
}

static void collide_capsules(const struct rod *a, const struct rod *b, float speculative, struct d3_local_manifold *out)
{
	struct d3_vec from = d3_sub(b->p, a->p), perpendicular = d3_cross(a->delta, b->delta);
	float sine = d3_dot(perpendicular, perpendicular), scale = a->square * b->square;
	bool parallel = !(sine > D3_LINE_SINE * D3_LINE_SINE * scale);
	if (!(sine > 1e-6f * scale && sine > 1e-30f && cross_rods(a, b, from, perpendicular, sine, speculative, out))) {
		struct end_distance near = nearest_ends(a, b, from);
		struct d3_vec p = d3_mul_add(a->p, near.s, a->delta);
		struct d3_vec between = d3_sub(d3_mul_add(from, near.t, b->delta), d3_scale(near.s, a->delta));
		between = across_rod(across_rod(between, a, near.s), b, near.t);
		struct d3_vec fallback = sine > 1e-30f ? d3_normalize(perpendicular) : d3_across(a->delta);
		d3_collide_points(p, a->radius, d3_add(p, between), b->radius, fallback, speculative, out);
	}
	if (parallel && out->count == 1)
		touch_beside(a, b, out->normal, out->points[0].separation, speculative, out);
}

/* --- Half-spaces ---------------------------------------------------------------------------------------------------------- */

static void collide_half_space(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a,
	float speculative, struct d3_local_manifold *out)
{
	struct d3_frame frame = d3_frame_of(b_in_a);
	struct d3_vec n = d3_narrow(a->normal);
	struct d3_proxy proxy;
	struct d3_contact_face patch;
	struct d3_candidate_point points[D3_CONTACT_FACE_MAX];
	uint32_t count = 0;
	d3_make_proxy(b, 0, &proxy);
	d3_proxy_face(&proxy, &frame, d3_neg(n), &patch);
	float radius = (float)proxy.radius;
	for (uint32_t i = 0; i < patch.count; ++i) {
		float separation = (float)(d3_dot_d(a->normal, d3_widen(patch.p[i])) - a->offset) - radius;
		if (separation <= speculative)
			points[count++] = (struct d3_candidate_point){patch.p[i], separation, d3_feature_pair(0, patch.points[i])};
	}
	count = d3_reduce_points(points, count, n, d3_indifference(speculative));
	out->normal = n;
	out->count = (int)count;
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_vec middle = d3_mul_add(points[i].p, -0.5f * points[i].height - radius, n);
		out->points[i] = (struct d3_manifold_point){middle, points[i].height, points[i].id};
	}
}

/* --- Dispatch ------------------------------------------------------------------------------------------------------------- */

static bool is_capsule(const struct d3_shape *shape)
{
	return shape->type == D3_CAPSULE || shape->type == D3_SEGMENT;
}

bool d3_collide_round(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	if (a->type == D3_HALF_SPACE) {
		collide_half_space(a, b, b_in_a, speculative, out);
		return true;
	}
	if (b->type == D3_SPHERE) {
		if (a->type == D3_SPHERE)
			collide_spheres(a, b, b_in_a, speculative, out);
		else if (is_capsule(a))
			collide_capsule_sphere(a, b, b_in_a, speculative, out);
		else if (a->type == D3_BOX)
			collide_box_sphere(a, b, b_in_a, speculative, out);
		else
			return a->type == D3_HULL && collide_hull_sphere(a, b, b_in_a, speculative, cache, out);
		return true;
	}
	if (is_capsule(a) && is_capsule(b)) {
		struct rod rod_a = make_capsule_core(a->points[0], a->points[1], a->radius);
		struct rod rod_b =
			make_capsule_core(d3_transform_point(*b_in_a, b->points[0]), d3_transform_point(*b_in_a, b->points[1]), b->radius);
		collide_capsules(&rod_a, &rod_b, speculative, out);
		return true;
	}
	return false;
}
