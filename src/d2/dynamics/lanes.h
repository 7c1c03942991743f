/* lanes.h - shared by the *.wide.c files of the 2D wing: states and geometry of LANES bodies, transposed. A record holds LANES
 * links side by side. Each lane computes what a single lane would, to the bit. */
#pragma once
#include "core/lanes.h"
#include "d2/dynamics/wing.h"

/* LANES states, transposed. */
struct lane_state {
	lanes vx, vy, w, turn, dx, dy, c, s;
};

/* --- Gather and scatter --------------------------------------------------------------------------------------------------- */

INLINE const struct d2_state *state_at(const struct world *world, uint32_t index)
{
	return (const struct d2_state *)world->states + (index & ~READ_ONLY);
}

INLINE struct lane_state gather(const struct world *world, const uint32_t *index)
{
#define STATE(i) state_at(world, index[i])
	const void *const rows[LANES] = {EACH_LANE(STATE)};
#undef STATE
	struct lane_state state;
	columns_load(rows, (lanes *)&state);
	return state;
}

INLINE void scatter(struct world *world, const uint32_t *index, const struct lane_state *state)
{
	states_scatter(world->states, sizeof(struct d2_state), index, (const lanes *)state, false);
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

INLINE void body_prefetch(const struct world *world, uint32_t body)
{
	d2_body_prefetch(world, body);
}

struct lane_vec {
	lanes x, y;
};

struct lane_mass {
	lanes x, y, turn; /* inverse mass per axis [1/mass], inverse inertia [1/(mass length^2)] */
};

/* Rotation, mass and extent of LANES bodies, in the order of struct d2_body. */
struct lane_body {
	lanes c, s; /* of their rotation */
	struct lane_vec center; /* of mass, in the bodies' frames */
	struct lane_mass mass;
	lanes min_extent;
};

_Static_assert(offsetof(struct d2_body, min_extent) - offsetof(struct d2_body, q) == 28, "eight numbers");

/* Loads the bodies of `count` links, and the vector from a's centre of mass to b's. Lanes without a link get zeros. */
INLINE void links_load(const struct world *world, const struct batch_link *edges, uint32_t count, uint32_t states_a[LANES],
	uint32_t states_b[LANES], struct lane_body *a, struct lane_body *b, struct lane_vec *between)
{
	static const struct d2_body no_body;
#define BODY_A(i) (i) < count ? d2_row(world, edges[i].bodies[0]) : &no_body
#define BODY_B(i) (i) < count ? d2_row(world, edges[i].bodies[1]) : &no_body
#define CENTER_A(i) &bodies_a[i]->x
#define CENTER_B(i) &bodies_b[i]->x
	const struct d2_body *const bodies_a[LANES] = {EACH_LANE(BODY_A)}, *const bodies_b[LANES] = {EACH_LANE(BODY_B)};
	const double *const centers_a[LANES] = {EACH_LANE(CENTER_A)}, *const centers_b[LANES] = {EACH_LANE(CENTER_B)};
#undef BODY_A
#undef BODY_B
#undef CENTER_A
#undef CENTER_B
	columns_load_at((const void *const *)bodies_a, offsetof(struct d2_body, q), (lanes *)a);
	columns_load_at((const void *const *)bodies_b, offsetof(struct d2_body, q), (lanes *)b);
	differences(centers_a, centers_b, &between->x, &between->y);
	for (uint32_t i = 0; i < LANES; ++i) {
		states_a[i] = i < count ? edges[i].states[0] : READ_ONLY;
		states_b[i] = i < count ? edges[i].states[1] : READ_ONLY;
	}
}

/* The vector in the world from a body's centre of mass to a point given in its frame. */
INLINE struct lane_vec place_turned(const struct lane_body *body, lanes x, lanes y)
{
	x -= body->center.x;
	y -= body->center.y;
	return (struct lane_vec){body->c * x - body->s * y, body->s * x + body->c * y};
}
