/* manifold_parts.h - what the files of the manifold share among themselves.
 * Every routine here takes its first shape as A: the result's normal goes from it to the other, in its frame.
 * Pure, any thread. Included by manifold*.c only. */
#pragma once
#include "d2/manifold/manifold.h"

/* Box, polygon, capsule or segment: a counter-clockwise outline with at least two edges, widened by a radius. */
struct d2_outline {
	const struct d2_vec *points; /* count + 1: the first again at the end */
	const struct d2_vec *normals;
	uint32_t count;
	float radius;
	float inner; /* distance from the centroid to the boundary */
};

static inline struct d2_outline d2_outline_of(const struct d2_shape *shape)
{
	return (struct d2_outline){shape->points, shape->normals, shape->count, shape->radius, shape->inner};
}

/* Vertices have 8 bits each. The two points of a manifold differ in both. */
static inline uint32_t d2_feature_id(uint32_t vertex_a, uint32_t vertex_b)
{
	return vertex_a | vertex_b << 8;
}

/* Distances below this part of the speculative margin do not change the treatment of a contact, so that it does not flicker
 * between two treatments while it rests: 0.5 mm at the usual margin of 20 mm. */
static inline float d2_indifference(float speculative)
{
	return 0.025f * speculative;
}

/* How deep one shape may be behind a second face of the other and still touch it at the border of the first. The margin: a side
 * that leans by 45 degrees over a corner is so far beside it when they come near. Most of the inner extents for what has sunk
 * in deep when it lands, but less than what rests on all of a face has. */
static inline float d2_border(float inner_a, float inner_b, float speculative)
{
	return max_f(speculative, 0.75f * min_f(inner_a, inner_b));
}

/* The edge of a reference outline (from v1 to v2, counter-clockwise, outward normal n) against the edge u1 to u2 that faces it,
 * all in one frame. */
struct d2_edges {
	struct d2_vec normal;
	struct d2_vec v1, v2, u1, u2;
	uint32_t iv1, iv2, iu1, iu2; /* vertex numbers, for ids */
	float radius_v, radius_u;
	float border; /* so near to its end a face is touched at its border [length] */
	bool flipped; /* the reference is B: the normal is turned round and the ids exchanged in the result */
};

enum d2_clip_mode {
	D2_CLIP_CLOSEST, /* corners that miss each other sideways or are well apart meet along their true distance */
	D2_CLIP_FACE /* always along the normal of the reference; nothing when the edges miss each other sideways */
};

/* Up to two points where the facing edge comes within the speculative distance of the reference edge. A face contact has both
 * points once one of them is that near: a body that lands on one corner must find the other before it has swung into it within
 * the step. The reference edge counts as longer by `sideways` at both ends: a corner that is a hair beside it must not be
 * replaced by the point, perhaps far up a steep edge, where that edge is above the end. True when the contact is one of corner
 * against corner. */
bool d2_clip_edges(
	const struct d2_edges *edges, enum d2_clip_mode mode, float speculative, float sideways, struct d2_local_manifold *out);

/* The edge of the outline that starts or ends at vertex `deepest` and faces n, in the outline's own frame, best. */
uint32_t d2_facing_edge(const struct d2_outline *outline, uint32_t deepest, struct d2_vec n);

/* The number of the vertex with the least n . p. */
uint32_t d2_deepest_vertex(const struct d2_outline *outline, struct d2_vec n);

void d2_collide_outlines(const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out);
void d2_collide_boxes(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a, float speculative,
	struct d2_local_manifold *out);
/* a is the ellipse; b is convex, not a half-plane. */
void d2_collide_ellipse(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out);
void d2_collide_chain(const struct d2_shape *chain, uint32_t child, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out);
