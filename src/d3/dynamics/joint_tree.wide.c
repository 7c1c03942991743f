/* joint_tree.wide.c - solving trees of 3D joints: see core/joint_tree_entry.h. */
#include "d3/dynamics/joint.h"
#include "d3/dynamics/lanes.h"
#include "core/lock_lanes.h"

#define VELOCITY struct lane_velocity
enum { LOCKS_MOST = 6 };

/* masses: inverse mass per axis, then the inverse inertia in the order of struct lane_symmetric. */
INLINE void masses_mul(const lanes m[MASSES], const lanes row[DOFS], lanes to[DOFS])
{
	for (int i = 0; i < 3; ++i)
		to[i] = m[i] * row[i];
	to[3] = m[3] * row[3] + m[6] * row[4] + m[7] * row[5];
	to[4] = m[6] * row[3] + m[4] * row[4] + m[8] * row[5];
	to[5] = m[7] * row[3] + m[8] * row[4] + m[5] * row[5];
}

INLINE void masses_scale(lanes m[MASSES], lanes by)
{
	for (int i = 3; i < MASSES; ++i)
		m[i] *= by;
}

INLINE void response_fill(const lanes m[MASSES], lanes *response)
{
	const lanes zero = {0};
	const lanes rows[RESPONSE] = {m[0], zero, m[1], zero, zero, m[2], zero, zero, zero, m[3], zero, zero, zero, m[6], m[4],
		zero, zero, zero, m[7], m[8], m[5]};
	lanes_copy(response, rows, RESPONSE);
}

/* Moves the bodies by a small displacement and rotation vector. */
INLINE void state_move(struct lane_state *state, const lanes by[DOFS])
{
	lanes half = splat(0.5f), one = splat(1.0f);
	struct lane_vec turn = {by[3], by[4], by[5]};
	struct lane_quat q = lane_mul_quat((struct lane_quat){half * turn.x, half * turn.y, half * turn.z, one}, state->dq);
	lanes scale = one / sqrt_lanes(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	state->dq = (struct lane_quat){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
	state->dp = lane_add(state->dp, (struct lane_vec){by[0], by[1], by[2]});
	state->turn = lane_add(state->turn, turn);
}

INLINE void scatter_all(struct world *world, const uint32_t states[LANES], const struct lane_state *state)
{
	states_scatter(world->states, sizeof(struct d3_state), states, (const lanes *)state, true);
	states_scatter(
		world->states + STATE_POSE * sizeof(float), sizeof(struct d3_state), states, (const lanes *)state + STATE_POSE, true);
}

#include "core/joint_tree_entry.h"

const struct link_solver NAME(d3_tree_solver) = TREE_SOLVER;
