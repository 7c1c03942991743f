/* manifold.h - the contact manifold of two shapes.
 * Invariant: every number in a manifold is finite, and the normal of a manifold with points is a unit vector, whatever the
 * configuration. The result depends on the arguments only.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"

struct d2_manifold_point {
	struct d2_vec point; /* in A's frame, midway between the surfaces [length] */
	float separation; /* along the normal, negative = penetration [length] */
	uint32_t id; /* of the features in contact: stable from step to step, unique in a manifold */
};

struct d2_local_manifold {
	struct d2_vec normal; /* from A to B, in A's frame; set when count > 0 */
	int count; /* 0, 1 or 2 */
	bool face; /* the normal is that of a face of one of the shapes */
	bool border; /* the contact is at the end of a face, which another shape may continue: see d2_collide_seam */
	/* without points: lower bound on how far b's points must move before the first appears [length]; 0: unknown */
	float clearance;
	struct d2_manifold_point points[2];
};

/* Separation of the deepest point; INFINITY without points. */
static inline float d2_manifold_separation(const struct d2_local_manifold *manifold)
{
	float least = INFINITY;
	for (int i = 0; i < manifold->count; ++i)
		least = min_f(least, manifold->points[i].separation);
	return least;
}

/* Collides child_a of a with child_b of b; b_in_a: transform from b's frame to a's. Count 0: the shapes are farther apart than
 * `speculative` >= 0; or each is a chain or half-plane; or a chain leaves the contact out (from behind, or left to a
 * neighbouring segment). */
void d2_collide(const struct d2_shape *a, uint32_t child_a, const struct d2_shape *b, uint32_t child_b,
	const struct d2_transform *b_in_a, float speculative, struct d2_local_manifold *out);

/* Converts a manifold in B's frame, with the normal from B to A, to A's frame, with the normal from A to B. */
void d2_manifold_turn(struct d2_local_manifold *manifold, const struct d2_transform *b_in_a);

/* A half-plane: solid where normal . p <= offset, normal a unit vector. */
struct d2_plane {
	struct d2_vec normal;
	float offset;
	float depth; /* a shape deeper below the plane is not in contact with it [length] */
};

/* Collides x with the face of y that continues the face `plane` of another shape, with which x is in contact. `plane` is in y's
 * frame. A face continues it if their normals are at most 11 degrees apart and, at x, the face is at most `step` higher than
 * the plane. *out: the contact with that face only, from y to x in y's frame; if x is not over the face, it has the normal but
 * no points. x_is_first: the ids are those of d2_collide with x as A. False: y has no such face, or x is deeper below the plane
 * than plane->depth. */
bool d2_collide_seam(const struct d2_shape *y, uint32_t child, const struct d2_shape *x, const struct d2_transform *x_in_y,
	const struct d2_plane *plane, float step, bool x_is_first, float speculative, struct d2_local_manifold *out);

/* Whether y has a face such that x is at most `depth` [length] below the face's line in all `count` transforms from x's frame
 * to y's. */
bool d2_stays_above(const struct d2_shape *y, uint32_t child, const struct d2_shape *x, const struct d2_transform *transforms,
	uint32_t count, float depth);
