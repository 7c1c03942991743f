/* ray_cast.h - ray casts against shapes, and point containment.
 * World positions are double and are made relative to the shape first, so precision is the same everywhere.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

struct d3_ray_hit_d {
	double fraction; /* of the ray's translation, 0 .. 1 */
	struct d3_vec_d normal; /* unit, outward, in the world; zero for a ray of no length that starts inside */
	struct d3_vec_d p; /* in the world [length] */
	uint32_t child;
};

/* Finds the first point where the ray enters the shape. A ray that starts inside a solid hits at fraction 0, with the normal
 * opposite to its direction. Triangles have no inside. They are hit from both sides, those of a one-sided shape only from the
 * front. A segment has no width and is never hit. False, and *out untouched: a miss. */
bool d3_shape_ray_d(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d origin,
	struct d3_vec_d translation, struct d3_ray_hit_d *out);

/* Whether the world point is in or on the shape. False for segment, triangle, mesh and height field, which have no inside. */
bool d3_shape_contains(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d point);

/* --- For the other queries ------------------------------------------------------------------------------------------------ */

/* Whether a point that moves from m by delta surely misses the ball of this radius about 0. An infinite ball is never missed. m
 * and delta may be of any size: false where squares overflow or rounding errors decide. With c the line's closest point to 0,
 * |c|^2 |delta|^2 = |m|^2 |delta|^2 - (m.delta)^2. */
static inline bool d3_ball_missed(struct d3_vec_d m, struct d3_vec_d delta, double radius)
{
	double mm = d3_dot_d(m, m), ww = d3_dot_d(delta, delta), mw = d3_dot_d(m, delta);
	double most = radius * radius * (1 + 1e-6) + 1e-14 * mm;
	if (!(mm > most))
		return false;
	return mw >= 0 || mm * ww - mw * mw > most * ww || (mw + ww <= 0 && mm + 2 * mw + ww > most + 1e-14 * ww);
}

/* The ray o + s u for 0 <= s <= reach [length], u a unit vector, in any frame. A hit sets `normal` and shortens the reach. */
struct d3_ray {
	struct d3_vec_d o, u;
	double reach;
	struct d3_vec_d normal;
	uint32_t child;
	uint32_t face; /* 1 + the face of a widened hull that was hit, else 0 */
	bool hit;
	bool apart; /* widened shapes: the ray surely starts outside, by more than rounding */
};

/* The length of delta without overflow; 0 below 1e-150. */
double d3_path_length(struct d3_vec_d delta);

/* Casts the ray against the hull or, without one, the hull of 1 to 3 points, widened by radius > 0. Sets ray->apart, always to
 * false for triangles. Hits are valid only for rays that start outside. */
void d3_ray_widened(struct d3_ray *ray, const struct d3_vec *points, uint32_t count, const struct d3_hull *hull, double radius);
void d3_ray_capsule(struct d3_ray *ray, struct d3_vec_d p, struct d3_vec_d q, double radius);

/* Whether a corner of the face is below its plane by more than the tolerance. */
bool d3_face_uneven(const struct d3_hull *hull, uint32_t face, double tolerance);
/* Whether another shape cannot hit a one-sided child, as it moves away from the child's front or parallel to it. delta: the
 * other shape's displacement in this shape's frame, exact to within `doubt` [length]. False for delta 0 and for two-sided
 * shapes. */
bool d3_child_left(const struct d3_shape *shape, uint32_t child, struct d3_vec_d delta, double doubt);
/* Whether d3_child_left holds for a child of A, which moves by delta in A's frame, or for a child of B. Neither rotates. */
static inline bool d3_children_left(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform_d *b_in_a, struct d3_vec_d delta)
{
	return (a->one_sided && d3_child_left(a, child_a, d3_neg_d(delta), 0)) ||
		(b->one_sided && d3_child_left(b, child_b, d3_inv_turn_d(&b_in_a->q, delta), 0));
}
