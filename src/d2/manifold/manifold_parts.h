/* manifold_parts.h - shared by the files of manifold.
 * Every routine here takes the first of two shapes as A: the result's normal points from A to the other shape, in A's frame.
 * Pure, any thread. Included by those files only. */
#pragma once
#include "d2/manifold/manifold.h"

/* A box, polygon, capsule or segment as a counter-clockwise polygon of at least two edges, widened by a radius. */
struct d2_outline {
	/* count + 1: the first again at the end. Memory is readable up to a multiple of 4, as for normals */
	const struct d2_vec *points;
	const struct d2_vec *normals;
	uint32_t count;
	float radius;
	float inner; /* smallest distance from the centroid to the boundary */
};

static inline struct d2_outline d2_outline_of(const struct d2_shape *shape)
{
	return (struct d2_outline){shape->points, shape->normals, shape->count, shape->radius, shape->inner};
}

/* Sets the normal and the only point. */
static inline void d2_manifold_set_point(
	struct d2_local_manifold *out, struct d2_vec normal, struct d2_vec point, float separation, uint32_t id)
{
	out->normal = normal;
	out->count = 1;
	out->points[0] = (struct d2_manifold_point){point, separation, id};
}

/* The ellipse's support point along -n, both in the frame of its axes: -(a^2 nx, b^2 ny)/sqrt(a^2 nx^2 + b^2 ny^2). */
static inline struct d2_vec d2_ellipse_lowest(const struct d2_shape *ellipse, struct d2_vec n)
{
	struct d2_vec axes = ellipse->axes, stretched = {axes.x * n.x, axes.y * n.y};
	float scale = -1 / d2_length(stretched);
	return (struct d2_vec){scale * axes.x * stretched.x, scale * axes.y * stretched.y};
}

/* Differences of distances below this [length], a fraction of the speculative margin, do not change how a contact is treated,
 * so that a resting contact does not alternate between two treatments: 0.5 mm at the usual margin of 20 mm. */
static inline float d2_indifference(float speculative)
{
	return 0.025f * speculative;
}

/* Greatest depth of one shape behind a second face of the other [length] at which their contact counts as at the border of the
 * first face. It is at least the speculative margin: a side that leans by 45 degrees and is one margin over a corner, from
 * where contacts exist, is also one margin beside it. It is at least 3/4 of the smaller inner extent, for shapes that land
 * deep, but not more: shapes that rest on a whole face are not at its border. */
static inline float d2_border(float inner_a, float inner_b, float speculative)
{
	return max_f(speculative, 0.75f * min_f(inner_a, inner_b));
}

/* The reference edge (from v1 to v2, counter-clockwise, outward normal) and the incident edge u1 to u2, in one frame. */
struct d2_edges {
	struct d2_vec normal;
	struct d2_vec v1, v2, u1, u2;
	uint32_t iv1, iv2, iu1, iu2; /* vertex numbers, for ids */
	float radius_v, radius_u;
	float border; /* d2_border of the shapes; 0 where the result's `border` is not used [length] */
	bool flipped; /* the reference is B: in the result the normal is negated and the ids are exchanged */
};

enum d2_clip_mode {
	/* edges that do not overlap sideways (along the reference edge), or that meet corner to corner, get one point, on the line
	 * between the closest points */
	D2_CLIP_CLOSEST,
	D2_CLIP_FACE /* always along the reference normal; no contact if the edges do not overlap sideways */
};

/* Clips the incident edge to the reference edge. A face contact has two points if either is within the speculative margin: if a
 * body lands on one corner, the other needs its point before it swings into the face. The reference edge counts as longer by
 * `sideways` at both ends. Otherwise a corner just beside it would be replaced by the incident edge's point above the end,
 * which is far higher if that edge is steep. True: the special case of D2_CLIP_CLOSEST, with one point, or none beyond the
 * margin. */
bool d2_clip_edges(
	const struct d2_edges *edges, enum d2_clip_mode mode, float speculative, float sideways, struct d2_local_manifold *out);

/* Index of the incident edge: of the two edges at vertex `deepest`, the one whose normal is most opposed to n, in the polygon's
 * own frame. */
uint32_t d2_facing_edge(const struct d2_outline *outline, uint32_t deepest, struct d2_vec n);

/* Index of the support vertex along -n. */
uint32_t d2_deepest_vertex(const struct d2_outline *outline, struct d2_vec n);

void d2_collide_outlines(const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out);
void d2_collide_boxes(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a, float speculative,
	struct d2_local_manifold *out);
/* Collides the ellipse a with the convex shape b, which is not a half-plane. */
void d2_collide_ellipse(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out);
void d2_collide_chain(const struct d2_shape *chain, uint32_t child, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out);
