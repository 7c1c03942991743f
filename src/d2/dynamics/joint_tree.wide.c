/* joint_tree.wide.c - solving trees of 2D joints: see core/joint_tree_entry.h. */
#include "d2/dynamics/joint.h"
#include "d2/dynamics/lanes.h"
#include "core/lock_lanes.h"

#define VELOCITY struct lane_state
enum { LOCKS_MOST = 3 };

INLINE void masses_mul(const lanes masses[MASSES], const lanes row[DOFS], lanes to[DOFS])
{
	for (int i = 0; i < DOFS; ++i)
		to[i] = masses[i] * row[i];
}

INLINE void masses_scale(lanes masses[MASSES], lanes by)
{
	masses[2] *= by;
}

INLINE void response_fill(const lanes masses[MASSES], lanes *response)
{
	const lanes zero = {0};
	response[0] = masses[0];
	response[1] = zero;
	response[2] = masses[1];
	response[3] = response[4] = zero;
	response[5] = masses[2];
}

/* Moves the bodies by a small displacement and angle. */
INLINE void state_move(struct lane_state *state, const lanes by[DOFS])
{
	lanes one = splat(1.0f), angle = max_lanes(-one, min_lanes(by[2], one)), z = angle * angle;
	lanes c = SMALL_COSINE(z), s = SMALL_SINE(angle, z), turned_c = c * state->c - s * state->s,
		  turned_s = s * state->c + c * state->s;
	lanes scale = splat(1.5f) - splat(0.5f) * (turned_c * turned_c + turned_s * turned_s);
	state->c = scale * turned_c;
	state->s = scale * turned_s;
	state->dx += by[0];
	state->dy += by[1];
	state->turn += angle;
}

INLINE void scatter_all(struct world *world, const uint32_t states[LANES], const struct lane_state *state)
{
	states_scatter(world->states, sizeof(struct d2_state), states, (const lanes *)state, true);
}

#include "core/joint_tree_entry.h"

const struct link_solver NAME(d2_tree_solver) = TREE_SOLVER;
