/* manifold_parts.h - shared by the files of the manifold.
 * Every routine takes its first shape as A: the result's normal points from A to B, in A's frame.
 * Pure, any thread. Included by the files of this directory only. */
#pragma once
#include "base/float4.h"
#include "d3/query/gjk.h"
#include "d3/manifold/manifold.h"

/* The tolerance within which lengths count as equal when features are chosen, so that a contact does not flicker at rest
 * [length]: 0.5 mm at the usual margin of 20 mm. */
static inline float d3_indifference(float speculative)
{
	return 0.025f * speculative;
}

/* The penetration of resting contacts, and the bound on how far curved surfaces may bend apart at a contact point [length]. */
static inline float d3_slop(float speculative)
{
	return 0.25f * speculative;
}

/* --- Features ------------------------------------------------------------------------------------------------------------- */

/* A feature: two bits for the kind, 14 for the index. The id of a contact point is the pair of its two features, A's first. Id
 * 0 is reserved for contacts of a single point, which keep their impulse when the features change. */
enum d3_feature_kind { D3_OF_FACE = 0, D3_OF_EDGE = 1 << 14, D3_OF_POINT = 2 << 14 };

static inline uint32_t d3_feature_pair(uint32_t of_a, uint32_t of_b)
{
	return of_a | of_b << 16;
}

/* --- Polytopes ------------------------------------------------------------------------------------------------------------ */

/* A box, hull or triangle, in the arrays of hull.h. */
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

/* A rigid transform with the rotation as a matrix. */
struct d3_frame {
	struct d3_vec p;
	struct d3_rot q;
};

static const struct d3_frame d3_frame_identity = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static inline struct d3_vec d3_frame_point(const struct d3_frame *frame, struct d3_vec a)
{
	return d3_add(d3_turn(&frame->q, a), frame->p);
}

/* The composition a b: b is applied first. */
static inline struct d3_frame d3_frame_mul(const struct d3_frame *a, const struct d3_frame *b)
{
	return (struct d3_frame){d3_frame_point(a, b->p), d3_mul_rot(&a->q, &b->q)};
}

static inline struct d3_frame d3_frame_of(const struct d3_transform *t)
{
	return (struct d3_frame){t->p, d3_quat_rot(t->q)};
}

static inline struct d3_frame d3_frame_narrow(const struct d3_transform_d *t)
{
	return (struct d3_frame){d3_narrow(t->p), {d3_narrow(t->q.x), d3_narrow(t->q.y), d3_narrow(t->q.z)}};
}

/* Sine and cosine of 6 degrees. Lines and faces closer to parallel may have several contact points. Between axes closer than
 * that, the choice has hysteresis, so that the normal does not change at rest. */
#define D3_LINE_SINE 0.1f
#define D3_SAME_COSINE 0.995f

/* --- Contact faces -------------------------------------------------------------------------------------------------------- */

enum { D3_CONTACT_FACE_MAX = D3_HULL_MAX };

/* The face, line or point of a core that is farthest along a direction: a point (count 1), a line (2), or a face (3 or more)
 * with its corners counter-clockwise from outside. `points` and `edges` include the kind of feature. */
struct d3_contact_face {
	uint32_t count, face;
	struct d3_vec normal; /* of a face, outward */
	/* of a line: lower bound on the radius of curvature of the core's surface across the line, at each end [length]; 0 for an
	 * edge */
	float bend[2];
	struct d3_vec p[D3_CONTACT_FACE_MAX];
	uint16_t points[D3_CONTACT_FACE_MAX]; /* features of the corners, and of the edges that start there */
	uint16_t edges[D3_CONTACT_FACE_MAX];
};

enum { D3_CONTACT_FACE_SPARE = 4, D3_CONTACT_FACE_LANES = D3_CONTACT_FACE_MAX + D3_CONTACT_FACE_SPARE };

/* The corners of a contact face by coordinate. Copies of the first one follow the last one, so that four corners can be read
 * from any index i, and their successors from i + 1. */
struct d3_contact_face_lanes {
	float x[D3_CONTACT_FACE_LANES], y[D3_CONTACT_FACE_LANES], z[D3_CONTACT_FACE_LANES];
};

void d3_contact_face_lanes_set(const struct d3_contact_face *patch, struct d3_contact_face_lanes *out);

/* Sets *out to face `face` of a polytope, transformed by `frame`; NULL: untransformed. */
void d3_polytope_face(
	const struct d3_polytope *solid, const struct d3_frame *frame, uint32_t face, struct d3_contact_face *out);
/* Returns the face at the support point along n (in the polytope's own frame) whose normal is nearest to n. If none is within 6
 * degrees, but an edge there is nearly perpendicular to n, only the edge's two faces count. *alignment: cosine between the
 * face's normal and n; *reach: n . p of the support point. */
uint32_t d3_polytope_facing(const struct d3_polytope *solid, struct d3_vec n, float *alignment, float *reach);
/* As d3_polytope_facing, for the support point `from` along n. */
uint32_t d3_polytope_facing_at(const struct d3_polytope *solid, uint32_t from, struct d3_vec n, float *alignment);
/* Returns the face above whose plane p is highest. *height: that signed distance [length]. */
uint32_t d3_polytope_highest(const struct d3_polytope *solid, struct d3_vec p, float *height);
/* Returns the support point along n, in the polytope's own frame; the first of equal ones. *reach: n . p. */
uint32_t d3_polytope_support(const struct d3_polytope *solid, struct d3_vec n, float *reach);

/* Sets *out to the face of the core turned most towards n, a unit vector in A's frame, or to the line or point there if no face
 * is. `frame`: the shape's transform into A's frame. Not for half-spaces. Returns the cosine between n and the face's normal; 0
 * without a face. */
float d3_proxy_face(const struct d3_proxy *proxy, const struct d3_frame *frame, struct d3_vec n, struct d3_contact_face *out);
/* Sets *out to the line at the support point along n that is closest to perpendicular to n. False: none is within 6 degrees. */
bool d3_proxy_line(const struct d3_proxy *proxy, const struct d3_frame *frame, struct d3_vec n, struct d3_contact_face *out);

/* --- Clipping ------------------------------------------------------------------------------------------------------------- */

/* Two contact faces to clip, in A's frame. */
struct d3_clip {
	const struct d3_contact_face *reference, *incident;
	float radius_reference, radius_incident;
	bool flipped; /* the reference is B's: the result's normal is negated and its features are exchanged */
	float speculative;
};

/* The clip of A's face and B's; of_b: B's is the reference. */
static inline struct d3_clip d3_clip_of(const struct d3_contact_face *face_a, const struct d3_contact_face *face_b,
	float radius_a, float radius_b, bool of_b, float speculative)
{
	return of_b ? (struct d3_clip){face_b, face_a, radius_b, radius_a, true, speculative}
				: (struct d3_clip){face_a, face_b, radius_a, radius_b, false, speculative};
}

/* A candidate for a contact point. height: over the reference's core, along its normal; in d3_reduce_points the separation
 * [length]. */
struct d3_candidate_point {
	struct d3_vec p;
	float height;
	uint32_t id;
};

enum { D3_CANDIDATES_MAX = 2 * D3_CONTACT_FACE_MAX + 2 };

/* Clips the incident face, line or point against the reference, a face. *out has at most four points, with separations along
 * the reference's normal. The reference is widened by the tolerance d3_indifference, so that incident corners just outside it
 * are kept, with their ids, instead of becoming crossings of edges. */
void d3_clip_face(const struct d3_clip *clip, struct d3_local_manifold *out);
/* Clips as d3_clip_face does. False: the deepest point's separation is not `separation`, to within the indifference. */
bool d3_clip_at(const struct d3_clip *clip, float separation, struct d3_local_manifold *out);
/* Finds the candidates of d3_clip_face, before the reduction to four points. Returns their number. */
uint32_t d3_clip_points(const struct d3_clip *clip, struct d3_candidate_point *points);
/* Finds the candidates of `face`, rounded by `radius`, over a triangle with the unit normal n; paths[k] runs along edge k, from
 * corner k to the next. Omits points at the edges in the bits `inner_edges`, and at corners between two of these. If the
 * deepest omitted point is deeper than *inner, it replaces *inner. An *inner beyond the margin gets the height INFINITY.
 * `inner` NULL: not wanted. Returns the number of candidates. */
uint32_t d3_clip_tile(const struct d3_vec corners[3], const struct d3_vec paths[3], struct d3_vec n,
	const struct d3_contact_face *face, const struct d3_contact_face_lanes *lanes, float radius, float speculative,
	uint32_t inner_edges, struct d3_candidate_point *inner, struct d3_candidate_point *points);
/* Finds the contact of two lines that are perpendicular to n, which points from the reference to the incident line. The points
 * are the ends of the lines' common part, which is also cut where the surfaces have bent apart by a slop. There are none if the
 * lines are not nearly parallel or have no common part. */
void d3_clip_lines(const struct d3_clip *clip, struct d3_vec n, struct d3_local_manifold *out);

/* Keeps the points whose height less both radii is at most the limit, in their order. If there is such a point and the faces
 * are nearly parallel, keeps all: a landing body would turn about a single point before the next is found. Returns how many are
 * left. */
uint32_t d3_near_points(struct d3_candidate_point *points, uint32_t count, const float radii[2], float limit, bool parallel);

/* Reduces contact points to at most four; their heights are separations. A point is low if it overlaps or is at most four
 * indifferences higher than the deepest. Four or more low points: drops all others, and keeps four that include one of the
 * deepest and span nearly the largest area. Fewer: keeps them, and adds others that span nearly the largest area. Low points on
 * a line, or on one side of one, are special cases: see reduce.c. Returns how many are left. */
uint32_t d3_reduce_points(struct d3_candidate_point *points, uint32_t count, struct d3_vec normal, float indifference);

/* Adds one point to *out, which has none, at the middle of the closest or deepest points. If `separation`, a lower bound on the
 * distance, is above the margin, sets only the clearance. */
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

/* The kind of data in the cache, in the low bits of `features`. For two boxes the rest of the cache is not used. */
enum d3_cached {
	D3_CACHED_NOTHING,
	D3_CACHED_APART, /* axis: a separating axis */
	D3_CACHED_FACE_A, /* the face's number from bit 3 on, as for FACE_B */
	D3_CACHED_FACE_B,
	D3_CACHED_EDGES, /* half-edge of A from bit 3 on, of B from bit 17 on */
	D3_CACHED_CORNERS /* the corners of GJK's last simplex, in place of the axis */
};

static inline enum d3_cached d3_cache_kind(const struct d3_manifold_cache *cache)
{
	return (enum d3_cached)(cache->features & 7);
}

static inline void d3_cache_apart(struct d3_manifold_cache *cache, struct d3_vec axis)
{
	*cache = (struct d3_manifold_cache){.axis = axis, .features = D3_CACHED_APART};
}

/* The axis of least penetration or greatest separation of two polytopes. */
struct d3_axis {
	float separation; /* of the cores along it [length] */
	struct d3_vec normal; /* from A to B, in A's frame */
	enum d3_cached kind; /* the features that define it */
	uint32_t i, j; /* i: the face, j: the other polytope's corner deepest below it; or i, j: the half-edges of A and B */
};

struct d3_polytopes {
	const struct d3_polytope *a, *b;
	struct d3_frame b_in_a, a_in_b;
	float radius_a, radius_b;
	float speculative;
};

/* Finds the axis. False: the cores are separated by more than radii and speculative margin; out->separation is a lower bound on
 * their distance, and the separating axis is in the cache. */
bool d3_polytopes_axis(const struct d3_polytopes *solids, struct d3_manifold_cache *cache, struct d3_axis *out);
/* Finds the contact points along that axis. False: features other than those of the axis are closest, as corners and edges of
 * separated or rounded polytopes may be, or the polytopes are too flat to tell. */
bool d3_polytopes_touch(const struct d3_polytopes *solids, const struct d3_axis *axis, struct d3_local_manifold *out);
/* For an axis of two crossing edges: finds a contact of faces instead, if a face beside them is nearly perpendicular to the
 * axis. It has the same separation, but two points or more. False: there is none. */
bool d3_polytopes_lie(const struct d3_polytopes *solids, const struct d3_axis *edges, struct d3_local_manifold *out);

/* Collides any two convex shapes but half-spaces, by their exact signed distance and the contact faces along its normal. */
void d3_collide_convex(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);

/* Collides two spheres. `fallback` is the normal if their centres coincide. */
void d3_collide_points(struct d3_vec core_a, float radius_a, struct d3_vec core_b, float radius_b, struct d3_vec fallback,
	float speculative, struct d3_local_manifold *out);
/* Collides spheres, capsules and segments with each other, spheres with boxes and hulls, half-spaces with any convex shape. The
 * kind of a must not be below that of b: see dispatch.c. False: no closed form exists, or a sphere is closest to an edge or
 * corner of a hull. out->count must be 0 before. */
bool d3_collide_round(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);
/* Collides boxes and hulls. False: no result, as for d3_polytopes_touch. */
bool d3_collide_hulls(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);
/* d3_collide_hulls for two boxes. */
bool d3_collide_boxes(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);
