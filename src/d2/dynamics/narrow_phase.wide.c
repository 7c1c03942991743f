/* narrow_phase.wide.c - finds the contacts of a step that must be collided again, LANES at a time; see lanes.h. Most contacts
 * keep their manifolds: their bodies have hardly moved relative to each other. A lane decides as d2_contact_collide does, to
 * the bit.
 * Any thread, disjoint ranges. */
#include "d2/dynamics/lanes.h"

INLINE struct lane_vec center_turned(const struct lane_body *body)
{
	return (struct lane_vec){
		body->c * body->center.x - body->s * body->center.y, body->s * body->center.x + body->c * body->center.y};
}

_Static_assert(offsetof(struct d2_contact_row, b_in_a) == 96 && offsetof(struct d2_contact_row, collided) == 124 &&
		offsetof(struct d2_contact_row, count) == 126,
	"eight numbers, of which the last holds three bytes");

/* Whether row_room of LANES contacts, *room, is > 0. *touches: whether the manifold has points. */
INLINE masks contacts_hold(const struct world *world, const struct lane_rows *bodies_a, const struct lane_rows *bodies_b,
	const struct lane_rows *rows, masks *touches, lanes *room)
{
	struct lane_body a, b;
	struct lane_vec between;
	columns_load_at(bodies_a->at, offsetof(struct d2_body, q), (lanes *)&a);
	columns_load_at(bodies_b->at, offsetof(struct d2_body, q), (lanes *)&b);
	lanes row[8]; /* b_in_a.p, b_in_a.q, clearance; row[7]: the bytes `collided`, `face` and `count` */
	columns_load_at(rows->at, offsetof(struct d2_contact_row, b_in_a), row);
	struct lane_vec center_a = center_turned(&a), center_b = center_turned(&b);
	origins_between(bodies_a, bodies_b, (lanes *)&center_a, (lanes *)&center_b, 2, (lanes *)&between);
	lanes x = a.c * between.x + a.s * between.y - row[0], y = a.c * between.y - a.s * between.x - row[1];
	lanes c = a.c * b.c + a.s * b.s, s = a.c * b.s - a.s * b.c;
	lanes turn_c = row[2] * c + row[3] * s, turn_s = row[2] * s - row[3] * c;
	lanes extent = numbers_load(bodies_b, offsetof(struct d2_body, max_extent));
	masks unbounded = (masks)numbers_load(bodies_b, offsetof(struct d2_body, locks)) & 0x100;
	extent = choose(unbounded != 0, splat(INFINITY), extent + sqrt_lanes(b.center.x * b.center.x + b.center.y * b.center.y));
	lanes slop = splat(LINEAR_SLOP * world->settings.length_scale), least = splat(0.25f) * slop;
	masks points = (masks)row[7] & 0xff0000;
	*touches = points != 0;
	lanes tolerance = choose(points == 0x20000, max_lanes(min_lanes(splat(0.02f) * extent, splat(3.0f) * slop), least), least);
	tolerance = choose(*touches, tolerance, max_lanes(row[4], least));
	*room = tolerance - (abs_lanes(x) + abs_lanes(y) + abs_lanes(turn_s) * (splat(1.42f) - splat(0.42f) * turn_c) * extent);
	return (((masks)row[7] & 0xff) != 0) & (turn_c > (lanes){0}) & (*room > (lanes){0});
}

#include "core/narrow_phase.h"
