/* lanes.h - shared by the *.wide.c files of the 2D wing: states and geometry of LANES bodies, transposed. A record holds LANES
 * links side by side. Each lane gives the same bits as a single lane would. */
#pragma once
#include "d2/dynamics/wing.h"
#include "core/lanes.h"

/* LANES states, transposed. */
struct lane_state {
	lanes vx, vy, w, turn, dx, dy, c, s;
};

/* Numbers of a velocity, the first ones of a state, and of struct lane_mass. */
enum { DOFS = 3, MASSES = 3 };

/* --- Gather and scatter --------------------------------------------------------------------------------------------------- */

INLINE struct lane_state gather(const struct world *world, const uint32_t *index)
{
	struct lane_state state;
	columns_load(state_rows(world, index, 0).at, (lanes *)&state);
	return state;
}

/* As in 3D, where `gather` leaves out the poses. */
INLINE struct lane_state gather_all(const struct world *world, const uint32_t *index)
{
	return gather(world, index);
}

INLINE void scatter(struct world *world, const uint32_t *index, const struct lane_state *state)
{
	states_scatter(world->states, sizeof(struct d2_state), index, (const lanes *)state, false);
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

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

_Static_assert(offsetof(struct d2_body, min_extent) - offsetof(struct d2_body, q) == 28 && sizeof(struct d2_body) == 64 &&
		sizeof(struct d2_mover) == 64,
	"eight numbers");

/* Loads the bodies of `count` links and their state indices, and the vector from a's centre of mass to b's. Lanes without a
 * link get zeros, and READ_ONLY as index. */
INLINE void links_load(const struct world *world, const struct batch_link *links, uint32_t count, uint32_t states_a[LANES],
	uint32_t states_b[LANES], struct lane_body *a, struct lane_body *b, struct lane_vec *between)
{
	static const struct d2_body no_body;
	const struct lane_rows rows_a = body_rows(world, sizeof no_body, links, count, &no_body, 0, states_a);
	const struct lane_rows rows_b = body_rows(world, sizeof no_body, links, count, &no_body, 1, states_b);
	columns_load_at(rows_a.at, offsetof(struct d2_body, q), (lanes *)a);
	columns_load_at(rows_b.at, offsetof(struct d2_body, q), (lanes *)b);
	differences(rows_a.at, rows_b.at, 0, &between->x, &between->y);
}

/* The angles from a to b, next to `near`; c, s: cosines and sines of the angles that count as 0 [rad]. */
INLINE lanes angle_of(const struct lane_body *a, const struct lane_body *b, lanes c, lanes s, lanes near)
{
	lanes ac = a->c * c - a->s * s, as = a->s * c + a->c * s;
	return angles_near(full_angle_lanes(ac * b->s - as * b->c, ac * b->c + as * b->s), near);
}

/* The vector in the world from a body's centre of mass to a point given in its frame. */
INLINE struct lane_vec arm_of(const struct lane_body *body, lanes x, lanes y)
{
	x -= body->center.x;
	y -= body->center.y;
	return (struct lane_vec){body->c * x - body->s * y, body->s * x + body->c * y};
}
