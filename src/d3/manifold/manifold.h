/* manifold.h - where and along which normal two shapes touch.
 * Invariant: every number in a manifold is finite and its normal is a unit vector, whatever the configuration. The result
 * depends on the arguments and on what the cache holds only; what the cache holds may cost or save time, and decides between
 * normals that are as good.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

enum { D3_MANIFOLD_POINTS = 4, D3_MANIFOLDS = 4 };

struct d3_manifold_point {
	struct d3_vec point; /* in A's frame, midway between the surfaces [length] */
	float separation; /* gap along the normal, negative when they overlap [length] */
	uint32_t id; /* which features meet: the same from step to step, different within a manifold */
};

struct d3_local_manifold {
	struct d3_vec normal; /* from A to B, in A's frame; set when count > 0 */
	int count; /* 0..4 */
	struct d3_manifold_point points[D3_MANIFOLD_POINTS];
	uint32_t triangle; /* of a mesh or height field: the child that carries the deepest point; else 0 */
	/* of two convex shapes with count 0: how far points of B can move at least before there are points; 0: not known
	 * [length] */
	float clearance;
};

/* Of the deepest point; INFINITY where there is none. */
static inline float d3_manifold_separation(const struct d3_local_manifold *manifold)
{
	float least = INFINITY;
	for (int i = 0; i < manifold->count; ++i)
		least = min_f(least, manifold->points[i].separation);
	return least;
}

/* What is kept of a pair from step to step, all zero at first: the axis along which it was apart, or the features whose axis
 * was that of the contact; only the routines of the two shapes' kinds know how. It belongs to these two shapes, in this
 * order. */
struct d3_manifold_cache {
	struct d3_vec axis;
	uint32_t features;
};

/* Collides child_a of a with child_b of b, which stands at b_in_a in the frame of a; no meshes or height fields. Points farther
 * than `speculative` >= 0 are left out. A pair that cannot collide gives count 0. */
void d3_collide(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_a, float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold *out);

/* The same of a mesh or height field with a convex child of b that is no half-space. Points whose normals agree are gathered in
 * one manifold; of more manifolds than there is room for those are left out that press least. Returns how many there are; they
 * are in an order that motion seldom changes. *clearance >= 0: where there are none, how far points of b can move at least
 * before there are any. The cache spares looks at what is as far away as the last time, and changes no answer. */
int d3_collide_mesh(const struct d3_shape *mesh, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_mesh, float speculative, struct d3_manifold_cache *cache, float *clearance,
	struct d3_local_manifold out[D3_MANIFOLDS]);

/* The same of two shapes in any order, of which one is a mesh or height field; its child does not count. */
int d3_collide_surface(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_a, float speculative, struct d3_manifold_cache *cache, float *clearance,
	struct d3_local_manifold out[D3_MANIFOLDS]);

/* A contact found in B's frame, from B to A, becomes one from A to B in A's. */
void d3_manifold_turn(struct d3_local_manifold *manifold, const struct d3_transform *b_in_a);

#define D3_FRICTION_RADIUS_UNKNOWN (-1.0f)

/* How far from the middle of its points a contact presses, on average over the area that touches: the lever arm of what resists
 * turning about the normal [length]. D3_FRICTION_RADIUS_UNKNOWN: by the four points alone. */
float d3_friction_radius(const struct d3_local_manifold *manifold, const struct d3_shape *a, const struct d3_shape *b,
	const struct d3_transform *b_in_a);

/* --- Seams ---------------------------------------------------------------------------------------------------------------- */

/* A face of something else, in the frame of y. */
struct d3_plane {
	struct d3_vec normal;
	float offset;
	float depth; /* what is deeper in does not touch it there [length] */
};

/* Whether x, which touches the convex shape y along n, outward from y and in its frame, also is all but above another face of
 * y: then a third shape may continue that one. flat: by a face. */
bool d3_at_border(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, struct d3_vec n,
	bool flat, float speculative);
/* Whether n, outward from the shape and in its frame, is the normal of a face of it where it is farthest along n; of a mesh or
 * height field, that of this child. */
bool d3_is_face(const struct d3_shape *shape, uint32_t child, struct d3_vec n);
/* Where x touches y along n, which is of no face, at the border of one: the normal nearest to n of those faces of y that x lies
 * on, to within `step` of their planes. All of x is in front of such a plane, so that it touches nothing else of what continues
 * the face. False: there is none. */
bool d3_face_touched(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, struct d3_vec n,
	float step, float speculative, struct d3_vec *normal);

/* The convex shape x may touch the plane. Where y has a face that continues it, at most one `step` higher where x is lowest,
 * *out is the contact with that face only, from y to x in y's frame; it has no points where x is not over it, but the normal.
 * False: y does not continue the plane. */
bool d3_collide_seam(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y,
	const struct d3_plane *plane, float step, float speculative, struct d3_local_manifold *out);

/* Whether x is nowhere deeper than `depth` below one and the same face of y, at `count` places in y's frame. */
bool d3_stays_above(
	const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *places, uint32_t count, float depth);
