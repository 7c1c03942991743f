/* narrow_phase.wide.c - which contacts of a step must be collided again, LANES at a time: compiled once for each number of
 * lanes; see lanes.h. Most contacts hold: their bodies have hardly moved relative to each other. A lane gives the result of
 * d3_contact_collide, to the bit.
 * Any thread, disjoint ranges. */
#include "core/speculative.h"
#include "core/travel.h"
#include "d3/dynamics/lanes.h"

INLINE struct lane_body bodies_load(const struct d3_body *const bodies[LANES])
{
	struct lane_body body;
	columns_load_at((const void *const *)bodies, offsetof(struct d3_body, q), (lanes *)&body);
	return body;
}

/* From the origin of a's frame to b's; `a`, `b`: the centres of mass relative to these, in the world. */
INLINE struct lane_vec origins_between(const struct d3_body *const bodies_a[LANES], const struct d3_body *const bodies_b[LANES],
	struct lane_vec a, struct lane_vec b)
{
	float paths[3][LANES], centers_a[3][LANES], centers_b[3][LANES];
	struct lane_vec between;
	memcpy(centers_a, &a, sizeof centers_a);
	memcpy(centers_b, &b, sizeof centers_b);
	for (int i = 0; i < LANES; ++i) {
		paths[0][i] = (float)((bodies_b[i]->x - (double)centers_b[0][i]) - (bodies_a[i]->x - (double)centers_a[0][i]));
		paths[1][i] = (float)((bodies_b[i]->y - (double)centers_b[1][i]) - (bodies_a[i]->y - (double)centers_a[1][i]));
		paths[2][i] = (float)((bodies_b[i]->z - (double)centers_b[2][i]) - (bodies_a[i]->z - (double)centers_a[2][i]));
	}
	memcpy(&between, paths, sizeof between);
	return between;
}

/* Largest distance of the bodies' points from their frames' origins. */
INLINE lanes reach_of(const struct d3_body *const bodies[LANES], const struct lane_body *body)
{
#define EXTENT(i) bodies[i]->max_extent
	const lanes extents = {EACH_LANE(EXTENT)};
#undef EXTENT
	return choose(extents > (lanes){0}, extents + lane_length(body->center), splat(INFINITY));
}

/* Which contacts hold. *room: see convex_room. */
INLINE masks contacts_hold(const struct world *world, const uint32_t ids[LANES], masks *touches, lanes *room)
{
#define BODY_A(i) d3_row(world, world->contacts.data[ids[i]].link.bodies[0])
#define BODY_B(i) d3_row(world, world->contacts.data[ids[i]].link.bodies[1])
#define ROW(i) d3_contact_row(world, ids[i])
#define LAST(i) rows[i]->places[D3_FLAT - 1].separation
	const struct d3_body *const bodies_a[LANES] = {EACH_LANE(BODY_A)}, *const bodies_b[LANES] = {EACH_LANE(BODY_B)};
	const struct d3_contact_row *const rows[LANES] = {EACH_LANE(ROW)};
	const lanes last = {EACH_LANE(LAST)};
#undef BODY_A
#undef BODY_B
#undef ROW
#undef LAST
	struct lane_body a = bodies_load(bodies_a), b = bodies_load(bodies_b);
	struct {
		struct lane_vec n;
		lanes clearance;
		struct lane_vec p;
		lanes radius_b;
		struct lane_quat q;
	} row;
	group_load((const void *const *)rows, offsetof(struct d3_contact_row, local_normal), (lanes *)&row);
	columns_load_at((const void *const *)rows, offsetof(struct d3_contact_row, p), (lanes *)&row + 4);
	*touches = (row.n.x != (lanes){0}) | (row.n.y != (lanes){0}) | (row.n.z != (lanes){0});
	struct lane_vec between = origins_between(bodies_a, bodies_b, lane_rotate(a.q, a.center), lane_rotate(b.q, b.center));
	struct lane_vec p = lane_inv_rotate(a.q, between);
	struct lane_quat turn = lane_mul_quat(lane_mul_quat(lane_conjugate(a.q), b.q), lane_conjugate(row.q));
	lanes extent_a = reach_of(bodies_a, &a), extent = reach_of(bodies_b, &b);
	masks smaller = extent_a < extent;
	struct lane_vec moved = lane_sub(p, lane_choose(smaller, lane_rotate(turn, row.p), row.p)), axis = {turn.x, turn.y, turn.z};
	extent = choose(smaller, extent_a, extent);
	lanes slop = splat(LINEAR_SLOP * world->settings.length_scale), least = splat(0.25f) * slop;
	masks flat = last < splat(0.5f * D3_NO_PLACE);
	lanes tolerance = choose(flat, max_lanes(min_lanes(splat(0.02f) * extent, splat(3.0f) * slop), least), least);
	tolerance = choose(*touches, tolerance, max_lanes(row.clearance, least));
	lanes delta = abs_lanes(moved.x) + abs_lanes(moved.y) + abs_lanes(moved.z) + splat(2.0f) * lane_length(axis) * extent;
	*room = tolerance - delta;
	return (turn.w > splat(0.5f)) & (*room > (lanes){0});
}

static bool contact_skipped(const struct world *world, uint32_t id)
{
	return travel_left(world, id) && !bodies_ahead(world, world->travel_limits.data[id].bodies);
}

static bool contact_looks_ahead(const struct world *world, uint32_t id)
{
	return d3_contact_looks_ahead(world, id);
}

static void contact_collide(struct world *world, uint32_t id)
{
	d3_contact_collide(world, id);
}

static void contact_renew(struct world *world, uint32_t id)
{
	d3_contact_renew(world, id);
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d3_contact_row(world, id), 2 * CACHE_LINE);
}

/* Prefetches poses, and AABBs where they will be tested: not of contacts with a colour, which touch. */
static void places_prefetch(const struct world *world, const struct contact *contact)
{
	for (int side = 0; side < 2; ++side)
		d3_body_prefetch(world, contact->link.bodies[side]);
	for (int side = 0; side < 2 && contact->link.colour == NO_COLOUR; ++side)
		cache_prefetch(&world->proxies.data[contact->proxies[side]].box, sizeof(struct box));
}

#include "core/narrow_phase.h"

void NAME(d3_contacts_collide)(struct world *world, uint32_t begin, uint32_t end)
{
	NAME(contacts_collide)(world, begin, end);
}
