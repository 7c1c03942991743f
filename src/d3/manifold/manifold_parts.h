/* manifold_parts.h - what the files of the manifold share among themselves.
 * Every routine takes its first shape as A: the result's normal goes from it to the other, in its frame.
 * Pure, any thread. Included by manifold*.c only. */
#pragma once
#include "base/float4.h"
#include "d3/query/gjk.h"
#include "d3/manifold/manifold.h"

/* Distances below this part of the speculative margin do not change the treatment of a contact, so that it does not flicker
 * between two treatments while it rests: 0.5 mm at the usual margin of 20 mm. */
static inline float d3_indifference(float speculative)
{
	return 0.025f * speculative;
}

/* The penetration at which contacts rest [length]. What two lines are off by less than that counts as parallel. */
static inline float d3_slop(float speculative)
{
	return 0.25f * speculative;
}

/* --- Features ------------------------------------------------------------------------------------------------------------- */

/* Two bits say what of, 14 which one. The id of a point is that of the two features that meet there, A's first; 0 is left for
 * what touches in one point only, which keeps its impulse whatever features carry it. */
enum d3_feature_kind { D3_OF_FACE = 0, D3_OF_EDGE = 1 << 14, D3_OF_POINT = 2 << 14 };

static inline uint32_t d3_feature_pair(uint32_t of_a, uint32_t of_b)
{
	return of_a | of_b << 16;
}

/* --- Solids: what has corners, edges and faces ---------------------------------------------------------------------------- */

/* A box, hull or triangle, by the arrays of hull.h. */
struct d3_polytope {
	const struct d3_vec *points;
	const struct d3_hull_lanes *lanes;
	const struct d3_hull_plane_lanes *planes;
	const struct d3_hull_edge *edges;
	const uint16_t *face_edges, *point_edges;
	uint32_t point_count, face_count, edge_count;
	struct d3_vec centroid;
};

static inline struct d3_polytope d3_polytope_of_hull(const struct d3_hull *hull, struct d3_vec centroid)
{
	return (struct d3_polytope){hull->points, hull->lanes, hull->plane_lanes, hull->edges, hull->face_edges, hull->point_edges,
		hull->point_count, hull->face_count, hull->edge_count, centroid};
}

static inline struct d3_vec d3_polytope_normal(const struct d3_polytope *solid, uint32_t face)
{
	const struct d3_hull_plane_lanes *lanes = &solid->planes[face / 4];
	return (struct d3_vec){lanes->x[face % 4], lanes->y[face % 4], lanes->z[face % 4]};
}

static inline float d3_polytope_offset(const struct d3_polytope *solid, uint32_t face)
{
	return solid->planes[face / 4].offset[face % 4];
}

/* Where something stands in A's frame. */
struct d3_place {
	struct d3_vec p;
	struct d3_rot q;
};

static inline struct d3_vec d3_place_point(const struct d3_place *place, struct d3_vec a)
{
	return d3_add(d3_turn(&place->q, a), place->p);
}

static inline struct d3_place d3_place_of(const struct d3_transform *t)
{
	return (struct d3_place){t->p, d3_quat_rot(t->q)};
}

/* Of a box: its axes in the body's frame. */
static inline struct d3_place d3_box_frame(const struct d3_shape *box)
{
	const struct d3_transform_d *frame = &box->frame;
	return (struct d3_place){d3_narrow(frame->p), {d3_narrow(frame->q.x), d3_narrow(frame->q.y), d3_narrow(frame->q.z)}};
}

/* Lines and faces within 6 degrees of each other touch in more than one point: the sine and the cosine of that angle. Which of
 * their normals is taken must not change while they rest. */
#define D3_LINE_SINE 0.1f
#define D3_SAME_COSINE 0.995f

/* --- Patches: what of a core lies farthest along a direction -------------------------------------------------------------- */

enum { D3_CONTACT_FACE_MAX = D3_HULL_MAX };

/* A point (count 1), a line (2), or a face, counter-clockwise from outside. Features are whole, with their kind. */
struct d3_contact_face {
	uint32_t count, face;
	struct d3_vec normal; /* of a face, outward */
	float bend[2]; /* of a line: radius of the core's surface across it, at either end [length]; 0 for an edge */
	struct d3_vec p[D3_CONTACT_FACE_MAX];
	uint16_t points[D3_CONTACT_FACE_MAX]; /* features of the corners, and of the edges that start there */
	uint16_t edges[D3_CONTACT_FACE_MAX];
};

enum { D3_CONTACT_FACE_SPARE = 4, D3_CONTACT_FACE_LANES = D3_CONTACT_FACE_MAX + D3_CONTACT_FACE_SPARE };

/* The corners of a patch, coordinate by coordinate; then the first one again, so that four can be read from any of them on, and
 * four next ones. */
struct d3_contact_face_lanes {
	float x[D3_CONTACT_FACE_LANES], y[D3_CONTACT_FACE_LANES], z[D3_CONTACT_FACE_LANES];
};

void d3_contact_face_lanes_set(const struct d3_contact_face *patch, struct d3_contact_face_lanes *out);

/* Face `face` of a solid, moved to its place; NULL: as it is. */
void d3_polytope_face(
	const struct d3_polytope *solid, const struct d3_place *place, uint32_t face, struct d3_contact_face *out);
/* Of the faces at the point farthest along n, in the solid's own frame, the one whose normal is nearest to it. *alignment: the
 * cosine between them; *reach: n . p of that point. */
uint32_t d3_polytope_facing(const struct d3_polytope *solid, struct d3_vec n, float *alignment, float *reach);
/* The face whose plane p is highest above, or least below. */
uint32_t d3_polytope_highest(const struct d3_polytope *solid, struct d3_vec p, float *height);
/* The point farthest along n, in the solid's own frame, the first of several. *reach: n . p. */
uint32_t d3_polytope_support(const struct d3_polytope *solid, struct d3_vec n, float *reach);

/* The face of any core but a half-space that is turned towards n, a unit vector in A's frame, or the line or the point where it
 * has no face there. Returns the cosine between n and the face's normal; 0 where there is no face. */
float d3_proxy_face(const struct d3_proxy *proxy, const struct d3_place *place, struct d3_vec n, struct d3_contact_face *out);
/* The line that lies best across n at the farthest point along it. False: there is none within D3_LINE_SINE of it. */
bool d3_proxy_line(const struct d3_proxy *proxy, const struct d3_place *place, struct d3_vec n, struct d3_contact_face *out);

/* --- Clipping ------------------------------------------------------------------------------------------------------------- */

/* Two patches that lie on each other, in A's frame. */
struct d3_meeting {
	const struct d3_contact_face *reference, *incident;
	float radius_reference, radius_incident;
	bool flipped; /* the reference is B's: the normal is turned round and the features are exchanged in the result */
	float speculative;
};

/* A point that might become one of the manifold's; height is over the reference's core, along the normal. */
struct d3_candidate_point {
	struct d3_vec p;
	float height;
	uint32_t id;
};

enum { D3_CANDIDATES_MAX = 2 * D3_CONTACT_FACE_MAX + 2 };

/* The points of the incident patch over the reference, which is a face, four at most, gaps along its normal. The reference
 * counts as wider by the indifference, so that corners a hair beside it stay corners. */
void d3_clip_face(const struct d3_meeting *meeting, struct d3_local_manifold *out);
/* The same before four are chosen: how many there are. */
uint32_t d3_clip_points(const struct d3_meeting *meeting, struct d3_candidate_point *points);
/* The same of a face, whose core is widened by the radius, over a triangle with the edges `ways`, edge k from corner k, and the
 * unit normal n. Of the points at the triangle's edges of which a bit stands in `inner_edges`, and at corners between two such,
 * only the deepest is told, in *inner, if it is deeper than what stands there; NULL: none. */
uint32_t d3_clip_tile(const struct d3_vec corners[3], const struct d3_vec paths[3], struct d3_vec n,
	const struct d3_contact_face *face, const struct d3_contact_face_lanes *lanes, float radius, float speculative,
	uint32_t inner_edges, struct d3_candidate_point *inner, struct d3_candidate_point *points);
/* Two lines that run along each other across n, from the reference to the incident: the ends of their common part, or where it
 * leaves the width within which their surfaces have bent away from each other by less than a slop. None where no part is
 * left. */
void d3_clip_lines(const struct d3_meeting *meeting, struct d3_vec n, struct d3_local_manifold *out);

/* Of points whose heights are gaps leaves four, in the order in which they stand around. Those that overlap or are hardly
 * higher than the deepest: are they three at least, no others; else with them those that span most. Of too many, one of the
 * deepest and those that span most; of equal ones the first. Returns how many are left. */
uint32_t d3_reduce_points(struct d3_candidate_point *points, uint32_t count, struct d3_vec normal, float indifference);

/* The one point of two surfaces whose nearest or deepest points are known. `separation` is no more than their distance. */
static inline void d3_single_point(
	struct d3_vec normal, struct d3_vec middle, float separation, float speculative, struct d3_local_manifold *out)
{
	if (!(separation <= speculative)) {
		out->clearance = separation - speculative;
		return;
	}
	out->normal = normal;
	out->count = 1;
	out->points[0] = (struct d3_manifold_point){middle, separation, 0};
}

/* --- Routines ------------------------------------------------------------------------------------------------------------- */

/* What the cache says it holds, in the low bits of `features`. */
enum d3_cached {
	D3_CACHED_NOTHING,
	D3_CACHED_APART, /* axis: one along which the two were apart */
	D3_CACHED_FACE_A, /* the face's number above, as for the next two */
	D3_CACHED_FACE_B,
	D3_CACHED_EDGES, /* half edge of A's from bit 3 on, of B's from bit 17 on */
	D3_CACHED_CORNERS /* in place of the axis, the corners of the last simplex */
};

static inline enum d3_cached d3_cache_kind(const struct d3_manifold_cache *cache)
{
	return (enum d3_cached)(cache->features & 7);
}

static inline void d3_cache_apart(struct d3_manifold_cache *cache, struct d3_vec axis)
{
	cache->axis = axis;
	cache->features = D3_CACHED_APART;
}

/* The axis along which two solids overlap least, or are apart the most. */
struct d3_axis {
	float separation; /* of the cores along it [length] */
	struct d3_vec normal; /* from A to B, in A's frame */
	enum d3_cached kind; /* of whose features it is */
	uint32_t i, j; /* the face; the half edges of A and B */
};

/* Two solids as they stand. */
struct d3_polytopes {
	const struct d3_polytope *a, *b;
	struct d3_place b_in_a, a_in_b;
	float radius_a, radius_b;
	float speculative;
};

/* False: they are farther from each other than they may be: out->separation is no more than the distance of their cores, and
 * the cache says along which axis. */
bool d3_polytopes_axis(const struct d3_polytopes *solids, struct d3_manifold_cache *cache, struct d3_axis *out);
/* The points along that axis. False: it is corners or edges that are nearest, apart or rounded, or all is too flat to tell. */
bool d3_polytopes_touch(const struct d3_polytopes *solids, const struct d3_axis *axis, struct d3_local_manifold *out);
/* Where that axis is of two edges that cross: faces that lie on each other hold the solids as high, and in more than that
 * point. False: they do not. */
bool d3_polytopes_lie(const struct d3_polytopes *solids, const struct d3_axis *edges, struct d3_manifold_cache *cache,
	struct d3_local_manifold *out);

/* Any two convex cores by their exact gap, and what of them lies along its normal. B may not be a half-space. */
void d3_collide_convex(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);

/* Two points widened by their radii. `fallback` is the normal where they coincide. */
void d3_collide_points(struct d3_vec core_a, float radius_a, struct d3_vec core_b, float radius_b, struct d3_vec fallback,
	float speculative, struct d3_local_manifold *out);
/* Spheres, capsules and segments among each other, spheres with boxes and hulls, half-spaces with anything convex. False: not
 * told so easily. *out has count 0 before. */
bool d3_collide_round(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);
/* Boxes and hulls. False: nothing is told: it is corners or edges that are nearest, apart or rounded. */
bool d3_collide_hulls(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);
/* The same of two boxes. */
bool d3_collide_boxes(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);
