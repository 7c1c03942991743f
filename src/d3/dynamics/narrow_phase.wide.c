/* narrow_phase.wide.c - which contacts of a step must be collided again, LANES at a time: compiled once for each number of
 * lanes; see lanes.h. Most contacts keep their manifolds, as their bodies have hardly moved relative to each other. A lane
 * gives the result of d3_contact_collide, to the bit.
 * Any thread, disjoint ranges. */
#include "d3/dynamics/lanes.h"

/* Upper bound on the distance of the bodies' points from their frames' origins; INFINITY for half-spaces. */
INLINE lanes reach_of(const struct lane_rows *bodies, const struct lane_body *body)
{
	lanes extents = numbers_load(bodies, offsetof(struct d3_body, max_extent));
	masks unbounded = (masks)numbers_load(bodies, offsetof(struct d3_body, locks)) & 0x100;
	return choose(unbounded != 0, splat(INFINITY), extents + lane_length(body->center));
}

/* Returns the lanes whose last result still holds. *touches: lanes with points; *room: see convex_room. */
INLINE masks contacts_hold(const struct world *world, const struct lane_rows *bodies_a, const struct lane_rows *bodies_b,
	const struct lane_rows *rows, masks *touches, lanes *room)
{
	struct lane_body a, b;
	struct lane_vec between;
	columns_load_at(bodies_a->at, offsetof(struct d3_body, q), (lanes *)&a);
	columns_load_at(bodies_b->at, offsetof(struct d3_body, q), (lanes *)&b);
	struct {
		struct lane_vec n;
		lanes clearance;
		struct lane_vec p;
		lanes radius_b;
		struct lane_quat q;
	} row;
	group_load(rows->at, offsetof(struct d3_contact_row, local_normal), (lanes *)&row);
	columns_load_at(rows->at, offsetof(struct d3_contact_row, p), (lanes *)&row + 4);
	*touches = (row.n.x != (lanes){0}) | (row.n.y != (lanes){0}) | (row.n.z != (lanes){0});
	struct lane_vec center_a = lane_rotate(a.q, a.center), center_b = lane_rotate(b.q, b.center);
	origins_between(bodies_a, bodies_b, (lanes *)&center_a, (lanes *)&center_b, 3, (lanes *)&between);
	struct lane_vec p = lane_inv_rotate(a.q, between);
	struct lane_quat turn = lane_mul_quat(lane_mul_quat(lane_conjugate(a.q), b.q), lane_conjugate(row.q));
	lanes extent_a = reach_of(bodies_a, &a), extent = reach_of(bodies_b, &b);
	masks smaller = extent_a < extent;
	struct lane_vec moved = lane_sub(p, lane_choose(smaller, lane_rotate(turn, row.p), row.p)), axis = {turn.x, turn.y, turn.z};
	extent = choose(smaller, extent_a, extent);
	lanes slop = splat(LINEAR_SLOP * world->settings.length_scale), least = splat(0.25f) * slop;
	masks flat =
		numbers_load(rows, offsetof(struct d3_contact_row, points[D3_FLAT - 1].separation)) < splat(0.5f * D3_NO_POINT);
	lanes tolerance = choose(flat, max_lanes(min_lanes(splat(0.02f) * extent, splat(3.0f) * slop), least), least);
	tolerance = choose(*touches, tolerance, max_lanes(row.clearance, least));
	lanes delta = abs_lanes(moved.x) + abs_lanes(moved.y) + abs_lanes(moved.z) + splat(2.0f) * lane_length(axis) * extent;
	*room = tolerance - delta;
	return (turn.w > splat(0.5f)) & (*room > (lanes){0});
}

#include "core/narrow_phase.h"
