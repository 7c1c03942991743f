/* ray_cast.h - rays against shapes, and whether shapes contain a point.
 * Positions in the world are double and are made relative to the shape first, so that precision does not depend on where the
 * scene is.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

struct d3_ray_hit_d {
	double fraction; /* of the ray's translation, 0 .. 1 */
	struct d3_vec_d normal; /* unit, outward, in the world; zero for a ray of no length that starts inside */
	struct d3_vec_d p; /* in the world [length] */
	uint32_t child;
};

/* The first point where the ray enters the shape. A ray that starts inside a solid hits at fraction 0 with the normal opposite
 * to its direction. Triangles are hit from both sides, those of a one-sided shape from the front, and have no inside; a segment
 * is never hit, having no width. False, and *out untouched, when it misses. */
bool d3_shape_ray_d(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d origin,
	struct d3_vec_d translation, struct d3_ray_hit_d *out);

/* Whether the point of the world is in or on the shape. Always false for what has no inside: segment, triangle, mesh, height
 * field. */
bool d3_shape_contains(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d point);

/* --- For the other methods ------------------------------------------------------------------------------------------------ */

/* Whether what goes by `way` from m surely stays out of the ball of this radius about 0; an infinite one is never missed. m and
 * way may be of any size: where squares or their rounding are too much to tell, it is not sure. With c the nearest m comes to 0
 * along the line, |c|^2 |way|^2 = |m|^2 |way|^2 - (m.way)^2. */
static inline bool d3_ball_missed(struct d3_vec_d m, struct d3_vec_d delta, double radius)
{
	double mm = d3_dot_d(m, m);
	double ww = d3_dot_d(delta, delta);
	double mw = d3_dot_d(m, delta);
	double most = radius * radius * (1 + 1e-6) + 1e-14 * mm;
	if (!(mm > most))
		return false;
	return mw >= 0 || mm * ww - mw * mw > most * ww || (mw + ww <= 0 && mm + 2 * mw + ww > most + 1e-14 * ww);
}

/* In some frame: o + s u for 0 <= s <= reach [length], u a unit vector. What it hits sets `normal` and makes the reach end
 * there. */
struct d3_ray {
	struct d3_vec_d o, u;
	double reach;
	struct d3_vec_d normal;
	uint32_t child;
	uint32_t face; /* of a widened hull, + 1: it is hit there; else 0 */
	bool hit;
	bool apart; /* what is widened: it surely starts outside, by more than rounding */
};

/* The length, safe for all doubles that are not nearly 0; for those 0. */
double d3_way_length(struct d3_vec_d delta);

/* The ray against the hull of the points, widened by radius > 0. Without a hull the points are 1, 2 or 3. Sets `apart`, of a
 * triangle never; what is hit counts for rays that start outside. */
void d3_ray_widened(struct d3_ray *ray, const struct d3_vec *points, uint32_t count, const struct d3_hull *hull, double radius);
void d3_ray_capsule(struct d3_ray *ray, struct d3_vec_d p, struct d3_vec_d q, double radius);

/* Where a hull's surface is nearest to a point. */
struct d3_foot {
	double distance; /* < 0: the point is inside */
	struct d3_vec_d normal, p;
};

/* Whether some corners of the face are below its plane. */
bool d3_face_uneven(const struct d3_hull *hull, uint32_t face, double tolerance);
/* Whether all of what goes by `way` in the shape's frame, give or take `doubt`, leaves the front of a one-sided child or goes
 * along it: it is not hit then. What stays where it is leaves nothing. */
bool d3_child_left(const struct d3_shape *shape, uint32_t child, struct d3_vec_d delta, double doubt);
/* The same of a child of A, which goes by `way` in its frame, and of one of B; neither turns. */
static inline bool d3_children_left(const struct d3_shape *a, uint32_t child_a, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform_d *b_in_a, struct d3_vec_d delta)
{
	return (a->one_sided && d3_child_left(a, child_a, d3_neg_d(delta), 0)) ||
		(b->one_sided && d3_child_left(b, child_b, d3_inv_turn_d(&b_in_a->q, delta), 0));
}
