/* manifold.h - contact manifolds of two shapes.
 * Invariant: every number in a manifold is finite and its normal is a unit vector, for any configuration. The result depends
 * only on the arguments and the cache. The cache affects speed, and decides between nearly equally good normals.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

enum { D3_MANIFOLD_POINTS = 4, D3_MANIFOLDS = 4 };

struct d3_manifold_point {
	struct d3_vec point; /* in A's frame, midway between the surfaces [length] */
	float separation; /* along the normal; negative = penetration [length] */
	uint32_t id; /* identifies the two features from step to step; unique in a manifold of convex shapes */
};

struct d3_local_manifold {
	struct d3_vec normal; /* from A to B, in A's frame; set when count > 0 */
	int count; /* 0..4 */
	struct d3_manifold_point points[D3_MANIFOLD_POINTS];
	uint32_t triangle; /* of a mesh or height field: index of the triangle with the deepest point; else 0 */
	/* of convex shapes without points: lower bound on how far b's points must move before the first appears [length]; 0:
	 * unknown */
	float clearance;
};

/* Separation of the deepest point; INFINITY: no points. */
static inline float d3_manifold_separation(const struct d3_local_manifold *manifold)
{
	float least = INFINITY;
	for (int i = 0; i < manifold->count; ++i)
		least = min_f(least, manifold->points[i].separation);
	return least;
}

/* Data of a pair kept from step to step, initially all zero: the last separating axis or contact normal, the features that gave
 * it, or the corners of GJK's last simplex. It is valid only for these two shapes in this order. */
struct d3_manifold_cache {
	struct d3_vec axis;
	uint32_t features;
	/* Of two overlapping hulls: no axis separates by more, but for the tolerance between nearly equally good normals. The
	 * caller adds by how far b's points have moved relative to a, or a's relative to b, since the last call [length]. */
	float most;
};

/* Collides child_a of a with child_b of b, whose transform in the frame of a is b_in_a. Omits points with a separation above
 * `speculative` >= 0, but keeps all if the contact faces are nearly parallel and one point is within `speculative`. Finds no
 * points for a mesh or height field, or two half-spaces. */
void d3_collide(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_a, float speculative, struct d3_manifold_cache *cache, struct d3_local_manifold *out);

/* Collides a mesh or height field with a convex child of b other than a half-space, as d3_collide does. Points with similar
 * normals share a manifold. If there are too many manifolds, the deepest are kept. Returns their number; their order seldom
 * changes from step to step. *clearance >= 0: without manifolds, a lower bound on the displacement of b's points that gives one
 * [length]. The cache saves tests of triangles that are still separated; it changes no manifold. */
int d3_collide_mesh(const struct d3_shape *mesh, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_mesh, float speculative, struct d3_manifold_cache *cache, float *clearance,
	struct d3_local_manifold out[D3_MANIFOLDS]);

/* d3_collide_mesh for two shapes in any order, one of which is a mesh or height field; the child index of that one is
 * ignored. */
int d3_collide_surface(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_a, float speculative, struct d3_manifold_cache *cache, float *clearance,
	struct d3_local_manifold out[D3_MANIFOLDS]);

/* Converts a contact from B to A, in B's frame, to one from A to B in A's. */
void d3_manifold_turn(struct d3_local_manifold *manifold, const struct d3_transform *b_in_a);

#define D3_FRICTION_RADIUS_UNKNOWN (-1.0f)

/* Returns the mean distance of the contact area's points from the centroid of its corners: the lever arm of friction about the
 * normal [length]. D3_FRICTION_RADIUS_UNKNOWN: the solver computes it from the four points. */
float d3_friction_radius(const struct d3_local_manifold *manifold, const struct d3_shape *a, const struct d3_shape *b,
	const struct d3_transform *b_in_a);

/* --- Seams ---------------------------------------------------------------------------------------------------------------- */

/* The plane of a face on which x rests, of another shape than y, in y's frame; for d3_collide_seam. */
struct d3_plane {
	struct d3_vec normal;
	float offset;
	float depth; /* x has no contact with the face if it is deeper below the plane than this [length] */
};

/* Whether x, in contact with y along n (outward from y, in y's frame), is also above the plane of another face of y, or below
 * it by at most the larger of the speculative margin and 3/4 of the smaller `inner` of both. Then a third shape may continue
 * that face. A face counts as another if its normal differs from n by at least 14 mrad, or 0.1 mrad if the contact is not on a
 * face (not `flat`). False if y is not a box or hull. */
bool d3_at_border(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, struct d3_vec n,
	bool flat, float speculative);
/* Whether n, outward from the shape and in its frame, is the normal of a face: of a box or hull, one at the support point along
 * n; of a mesh or height field, triangle `child`, on either side. Always true for a half-space, false for all other shapes. */
bool d3_is_face(const struct d3_shape *shape, uint32_t child, struct d3_vec n);
/* Serves a contact of x with an edge or corner of y along n. Of the faces of y that x touches with its lowest point within
 * `step` of the face's plane, finds the one whose normal is closest to n. As x's lowest point is at that plane, x can touch a
 * shape that continues the face on the continued face only. False: there is no such face. */
bool d3_face_touched(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, struct d3_vec n,
	float step, float speculative, struct d3_vec *normal);

/* Collides x, a convex shape that may rest on the plane, with the face of y that continues the plane, if at x's lowest point
 * that face is at most one `step` higher than the plane. *out is the contact with that face only, from y to x in y's frame. It
 * has a normal but no points if x is not over the face. False: y does not continue the plane, or x is too deep below it. */
bool d3_collide_seam(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y,
	const struct d3_plane *plane, float step, float speculative, struct d3_local_manifold *out);

/* Whether at each of `count` transforms x is above the plane of one face of y, always the same, or at most `depth` below it. */
bool d3_stays_above(
	const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, uint32_t count, float depth);
