/* narrow_phase.wide.c - finds the contacts of a step that must be collided again, LANES at a time; see lanes.h. Most contacts
 * keep their manifolds: their bodies have hardly moved relative to each other. A lane decides as d2_contact_collide does, to
 * the bit.
 * Any thread, disjoint ranges. */
#include "d2/dynamics/lanes.h"

INLINE struct lane_body bodies_load(const struct d2_body *const bodies[LANES])
{
	struct lane_body body;
	columns_load_at((const void *const *)bodies, offsetof(struct d2_body, q), (lanes *)&body);
	return body;
}

INLINE struct lane_vec center_turned(const struct lane_body *body)
{
	return (struct lane_vec){
		body->c * body->center.x - body->s * body->center.y, body->s * body->center.x + body->c * body->center.y};
}

/* The vector from a's origin to b's. `a`, `b`: from each origin to the centre of mass, in the world. */
INLINE struct lane_vec origins_between(const struct d2_body *const bodies_a[LANES], const struct d2_body *const bodies_b[LANES],
	struct lane_vec a, struct lane_vec b)
{
	float paths[2][LANES], centers_a[2][LANES], centers_b[2][LANES];
	struct lane_vec between;
	memcpy(centers_a, &a, sizeof centers_a);
	memcpy(centers_b, &b, sizeof centers_b);
	for (int i = 0; i < LANES; ++i) {
		paths[0][i] = (float)((bodies_b[i]->x - (double)centers_b[0][i]) - (bodies_a[i]->x - (double)centers_a[0][i]));
		paths[1][i] = (float)((bodies_b[i]->y - (double)centers_b[1][i]) - (bodies_a[i]->y - (double)centers_a[1][i]));
	}
	memcpy(&between, paths, sizeof between);
	return between;
}

_Static_assert(offsetof(struct d2_contact_row, b_in_a) == 96 && offsetof(struct d2_contact_row, collided) == 124 &&
		offsetof(struct d2_contact_row, count) == 126,
	"eight numbers, of which the last holds three bytes");

/* row_holds of LANES contacts. *touches: the manifold has points. */
INLINE masks contacts_hold(const struct world *world, const uint32_t ids[LANES], masks *touches, lanes *room)
{
#define BODY_A(i) d2_row(world, world->contacts.data[ids[i]].link.bodies[0])
#define BODY_B(i) d2_row(world, world->contacts.data[ids[i]].link.bodies[1])
#define ROW(i) d2_contact_row(world, ids[i])
#define EXTENT(i) bodies_b[i]->max_extent
	const struct d2_body *const bodies_a[LANES] = {EACH_LANE(BODY_A)}, *const bodies_b[LANES] = {EACH_LANE(BODY_B)};
	const struct d2_contact_row *const rows[LANES] = {EACH_LANE(ROW)};
	const lanes extents = {EACH_LANE(EXTENT)};
#undef BODY_A
#undef BODY_B
#undef ROW
#undef EXTENT
	struct lane_body a = bodies_load(bodies_a), b = bodies_load(bodies_b);
	lanes row[8]; /* b_in_a.p, b_in_a.q; row[7]: the bytes `collided`, `face` and `count` */
	columns_load_at((const void *const *)rows, offsetof(struct d2_contact_row, b_in_a), row);
	struct lane_vec between = origins_between(bodies_a, bodies_b, center_turned(&a), center_turned(&b));
	lanes x = a.c * between.x + a.s * between.y - row[0], y = a.c * between.y - a.s * between.x - row[1];
	lanes c = a.c * b.c + a.s * b.s;
	lanes s = a.c * b.s - a.s * b.c;
	lanes turn_c = row[2] * c + row[3] * s;
	lanes turn_s = row[2] * s - row[3] * c;
	lanes extent = extents + sqrt_lanes(b.center.x * b.center.x + b.center.y * b.center.y);
	lanes tolerance = splat(0.25f * LINEAR_SLOP * world->settings.length_scale);
	*touches = ((masks)row[7] & 0xff0000) != 0;
	*room = (lanes){0};
	return (((masks)row[7] & 0xff) != 0) & (turn_c > (lanes){0}) &
		(abs_lanes(x) + abs_lanes(y) + abs_lanes(turn_s) * extent < tolerance);
}

static bool contact_skipped(const struct world *world, uint32_t id)
{
	(void)world;
	(void)id;
	return false;
}

static bool contact_looks_ahead(const struct world *world, uint32_t id)
{
	return d2_contact_looks_ahead(world, id);
}

static void contact_collide(struct world *world, uint32_t id)
{
	d2_contact_collide(world, id);
}

static void contact_renew(struct world *world, uint32_t id)
{
	d2_contact_renew(world, id);
}

static void row_prefetch(const struct world *world, uint32_t id)
{
	cache_prefetch(d2_contact_row(world, id), sizeof(struct d2_contact_row));
}

/* Prefetches poses, and AABBs if these will be tested. */
static void places_prefetch(const struct world *world, const struct contact *contact)
{
	for (int side = 0; side < 2; ++side)
		d2_body_prefetch(world, contact->link.bodies[side]);
	for (int side = 0; side < 2 && (contact->link.flags & CONTACT_TOUCHING) == 0; ++side)
		cache_prefetch(&world->proxies.data[contact->proxies[side]].box, sizeof(struct box));
}

#include "core/narrow_phase.h"

void NAME(d2_contacts_collide)(struct world *world, uint32_t begin, uint32_t end)
{
	NAME(contacts_collide)(world, begin, end);
}
