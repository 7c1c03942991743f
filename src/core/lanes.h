/* lanes.h - shared by the link solvers (*.wide.c) of 2D and 3D: LANES links side by side in a record.
 * Any thread. */
#pragma once
#include "base/cache.h"
#include "base/lanes.h"
#include "core/depenetration.h"
#include "core/link.h"

#include <float.h>

/* Alignment of records: whole cache lines, and whole vectors. */
#define RECORD_ALIGNED __attribute__((aligned(4 * LANES < CACHE_LINE ? CACHE_LINE : 4 * LANES)))

/* Up to LANES bodies. */
struct group {
	uint32_t first, count;
};

/* The call for each group from `begin` to `end`. Full groups have a constant count, so that compilers drop the tests of
 * lanes. */
#define FOR_GROUPS(call)                             \
	for (uint32_t i = begin; i < end; i += LANES)    \
		if (end - i >= LANES) {                      \
			const struct group group = {i, LANES};   \
			call;                                    \
		} else {                                     \
			const struct group group = {i, end - i}; \
			call;                                    \
		}

struct lane_soft {
	lanes bias_rate, mass_scale, impulse_scale;
};

/* Soft constraints of contacts: stiffer where one of both bodies is fixed. */
INLINE struct lane_soft soft_of(const struct world *world, const uint32_t states_a[LANES], const uint32_t states_b[LANES])
{
	masks a, b;
	memcpy(&a, states_a, sizeof a);
	memcpy(&b, states_b, sizeof b);
	masks fixed = (a | b) < 0; /* READ_ONLY */
	const struct soft *moving = &world->step.contact_soft, *still = &world->step.static_soft;
	return (struct lane_soft){
		choose(fixed, splat(still->bias_rate), splat(moving->bias_rate)),
		choose(fixed, splat(still->mass_scale), splat(moving->mass_scale)),
		choose(fixed, splat(still->impulse_scale), splat(moving->impulse_scale)),
	};
}

/* Greatest speed at which contacts push out overlap [length/s]: 0 where their bodies are moved apart by depenetration. */
INLINE lanes push_speeds(const struct world *world, const struct batch_link *links, uint32_t count)
{
	lanes speeds = splat(world->settings.contact_speed);
	for (uint32_t i = 0; i < LANES && i < count && world->depenetration.shifts.count > 0; ++i)
		if (bits_has(&world->parted_contacts, links[i].id))
			speeds[i] = 0.0f;
	return speeds;
}

/* Fraction of the last step's impulses for warm starting. 0 for contacts whose push speed is 0: they have no springs, but the
 * impulses of their old springs would push. */
INLINE lanes carry_of(const struct world *world, lanes push_speeds)
{
	return choose(push_speeds > (lanes){0}, splat(world->step.carry), (lanes){0});
}

/* Contacts of burdened bodies push out only the overlap beyond the one that they keep: see burden.c. `separation`: of the
 * deepest point [length]. */
INLINE lanes push_beyond(const struct world *world, const struct batch_link *links, uint32_t count, lanes push_speeds,
	lanes separation, lanes bias_rate)
{
	for (uint32_t i = 0; i < LANES && i < count; ++i) {
		const struct burden *a = &world->burdens.data[links[i].bodies[0]], *b = &world->burdens.data[links[i].bodies[1]];
		float kept = max_f(a->times > 1.0f ? a->kept : -1.0f, b->times > 1.0f ? b->kept : -1.0f);
		if (kept >= 0.0f)
			push_speeds[i] = min_f(push_speeds[i], max_f(0.0f, bias_rate[i] * (-separation[i] - kept)));
	}
	return push_speeds;
}

/* The speed at which a point bounces that approached at `speed` < 0 when the step began: Newton's law of impact, v' = -e v, at
 * the moment of contact. `before`: separation when the step began, from which forces have accelerated the point; `now`: present
 * separation, from which it rises to the surface first if negative. A point too deep to have come from the surface at its speed
 * leaves at e times that speed. `fall`: the speed towards the contact that forces give in a sub-step. By e times `speed` alone
 * a ball with e = 1 rose by 0.96 to 1.02 of its fall at 30 Hz, with this by 0.985. Positions are half a sub-step ahead of
 * velocities, hence half of `fall`: with the other half on leaving, a ball would rise as high as it fell, but gain energy by
 * its velocity and height. */
INLINE lanes bounce_speed(const struct world *world, lanes restitution, lanes speed, lanes before, lanes now, lanes fall)
{
	lanes zero = {0}, twice = splat(2.0f * world->step.inv_h) * fall, square = speed * speed + twice * before;
	lanes met = restitution * max_lanes(sqrt_lanes(max_lanes(square, zero)) + splat(0.5f) * fall, zero);
	lanes leaves = sqrt_lanes(max_lanes(met * met - twice * min_lanes(now, zero), zero));
	return choose(((fall > zero) | (fall < zero)) & (square > zero), leaves, -(restitution * speed));
}

/* --- Scatter -------------------------------------------------------------------------------------------------------------- */

#if LANES == 1

/* Scatters the first four columns, or with `more` eight, to state rows of `size` bytes, except READ_ONLY ones. */
INLINE void states_scatter(void *states, size_t size, const uint32_t index[LANES], const lanes *columns, bool more)
{
	if ((index[0] & READ_ONLY) == 0)
		memcpy((char *)states + index[0] * size, columns, (more ? 8 : 4) * sizeof *columns);
}

#else

INLINE void state_scatter(char *states, size_t size, uint32_t index, bool all, float4 first, float4 second, bool more)
{
	if (!all && (index & READ_ONLY) != 0)
		return;
	char *row = states + index * size;
	memcpy(row, &first, sizeof first);
	if (more)
		memcpy(row + sizeof first, &second, sizeof second);
}

INLINE void states_scatter_some(
	void *states, size_t size, const uint32_t index[LANES], bool all, const lanes first[4], const lanes second[4], bool more)
{
#define PART(rows, k, at) __builtin_shufflevector(rows[k], rows[k], at, (at) + 1, (at) + 2, (at) + 3)
#define STORE(i) \
	state_scatter(states, size, index[i], all, PART(first, (i) % 4, (i) / 4 * 4), PART(second, (i) % 4, (i) / 4 * 4), more)
	EACH_LANE(STORE);
#undef STORE
#undef PART
}

/* As for one lane. Usually no row is READ_ONLY: then none is tested. */
INLINE void states_scatter(void *states, size_t size, const uint32_t index[LANES], const lanes *columns, bool more)
{
	lanes first[4], second[4] = {{0}};
	masks rows;
	memcpy(&rows, index, sizeof rows);
	transpose(columns[0], columns[1], columns[2], columns[3], first);
	if (more)
		transpose(columns[4], columns[5], columns[6], columns[7], second);
	if (any(rows < 0))
		states_scatter_some(states, size, index, false, first, second, more);
	else
		states_scatter_some(states, size, index, true, first, second, more);
}

#endif

/* State rows to scatter to: lanes outside `some` become READ_ONLY. Writing unchanged lanes could change the sign of a zero,
 * depending on the other lanes. */
INLINE void states_where(masks some, const uint32_t states[LANES], uint32_t to[LANES])
{
	masks rows;
	memcpy(&rows, states, sizeof rows);
	rows |= ~some & (int32_t)READ_ONLY;
	memcpy(to, &rows, sizeof rows);
}

/* 1/k, or 0 if k <= 0: for bodies that cannot be moved. */
static inline float invert(float k)
{
	return k > 0.0f ? 1.0f / k : 0.0f;
}

INLINE lanes invert_lanes(lanes k)
{
	masks some = k > (lanes){0};
	return choose(some, splat(1.0f) / choose(some, k, splat(1.0f)), (lanes){0});
}

/* Factor that shortens a vector of that squared length to the limit; 1 where it is not longer. */
INLINE lanes shortening(lanes squares, lanes limit)
{
	masks over = squares > limit * limit;
	lanes one = splat(1.0f);
	return any(over) ? choose(over, limit / sqrt_lanes(choose(over, squares, one)), one) : one;
}

/* For impulses to be stored: overflowed ones become 0, since they would stay in all steps to come. */
INLINE lanes finite_lanes(lanes a)
{
	return choose(abs_lanes(a) <= splat(FLT_MAX), a, (lanes){0});
}

/* --- Matrices ------------------------------------------------------------------------------------------------------------- */

/* A body that is locked on an axis, or has no mass, may be unable to go where the joint demands, and would have to be faster
 * the nearer it comes. There this fraction of the trace is added to the joint's matrix before inversion, so that the body
 * creeps. A matrix of rank one, invertible by rounding error only, then pushes in no direction more than 1 / GIVE as hard as in
 * its own. */
#define GIVE 0.01f

/* Relative tolerance of pivots: smaller ones are rounding error, of directions in which nothing can move. */
#define LEAST_PIVOT 1e-6f

INLINE lanes pivot_invert(lanes pivot, lanes whole)
{
	masks some = pivot > splat(LEAST_PIVOT) * whole;
	return choose(some, splat(1.0f) / choose(some, pivot, splat(1.0f)), (lanes){0});
}

/* Symmetric, 2 x 2. */
struct lane_pair {
	lanes xx, xy, yy;
};

/* Inverse of a positive semidefinite matrix by its factors L D L^T; 0 along directions in which nothing can move, since bodies
 * are locked. */
INLINE struct lane_pair lane_pair_invert(struct lane_pair k)
{
	lanes dx = pivot_invert(k.xx, k.xx), l = k.xy * dx, dy = pivot_invert(k.yy - l * k.xy, k.yy);
	return (struct lane_pair){dx + l * l * dy, -(l * dy), dy};
}

/* --- Joints --------------------------------------------------------------------------------------------------------------- */

/* Stiffness of rigid joints, limited to a quarter of the sub-steps' rate, which they can follow. The values of other engines,
 * for which their scenes are tuned. */
#define JOINT_HERTZ 60.0f
#define JOINT_DAMPING_RATIO 2.0f

INLINE struct lane_soft joint_soft(const struct world *world)
{
	struct soft soft = soft_make(min_f(JOINT_HERTZ, 0.25f * world->step.inv_h), JOINT_DAMPING_RATIO, world->step.h);
	return (struct lane_soft){splat(soft.bias_rate), splat(soft.mass_scale), splat(soft.impulse_scale)};
}

/* Greatest speed at which a joint closes its error [m/s, times length_scale; rad/s]. At higher speeds bodies swing so far
 * within a sub-step that the velocities meant to close the error point elsewhere and stay: contradictory joints then gain
 * energy for ever (a cube pinned twice to points 1.5 m apart 2,400 J, ten random joints of six cubes 1e5 J; with this limit
 * nothing and 5,000 J). It limits strength, too, since soft impulses leak: at 30 Hz and 4 sub-steps the force is at most
 * 1,050/s times this speed times the effective mass. With half of this speed a chain under 300 times the weight of a link gives
 * way. */
#define JOINT_SPEED 16.0f

/* A joint's impulse acts at one point between both anchors, which keeps the angular momentum. The shares are its distances from
 * a's and b's anchor, as fractions of the anchors' distance; the point is nearer to the lighter body's. A joint that is open by
 * more than it can close in a sub-step, as between contradictory anchors, would so spin its bodies for ever: there both shares
 * are scaled down in proportion. `mass_a`, `mass_b`: inverse masses; `square`: the squared distance of the anchors. */
INLINE void joint_shares(const struct world *world, lanes mass_a, lanes mass_b, lanes square, lanes *share_a, lanes *share_b)
{
	lanes part = shortening(square, splat(JOINT_SPEED * world->settings.length_scale * world->step.h));
	*share_a = part * mass_b * invert_lanes(mass_a + mass_b);
	*share_b = part * mass_a * invert_lanes(mass_a + mass_b);
}

/* An anchor at r from a centre of mass, pulled by a force F, is a spring about that centre, F |r| sin(angle): the geometric
 * stiffness, which the joint's matrix leaves out. Semi-implicit Euler is stable while h^2 stiffness / I < 4; beyond it bodies
 * whirl, as the links of a chain under 300 times their weight do in sub-steps of 1/120 s. So a joint increases the inertia
 * until h^2 F |r| / I <= 1; with another joint as strong that is half of what is stable. Less heavily loaded bodies keep their
 * inertia, to the bit. `stiffness`: h^2 F |r| / I, of the last step's impulse h F. Returns the factor on the inverse inertia.
 * Sources: Tournier, Nesme, Gilles, Faure, "Stable Constrained Dynamics", 2015; Andrews, Teichmann, Kry, "Geometric Stiffness
 * for Real-time Constrained Multibody Dynamics", 2017. */
INLINE lanes inertia_left(lanes stiffness)
{
	lanes one = splat(1.0f);
	return one / max_lanes(stiffness, one);
}

/* One side of a joint's limits: c its separation, rate that of c; `soft` NULL: relaxing. Returns the impulse's change.
 *   c > 0: lambda' = max(0, lambda - mass (rate + c/h))                     speculative
 *   else:  lambda' = max(0, lambda - mass mass_scale (rate + bias_rate c) - impulse_scale lambda) */
INLINE lanes limit_solve(lanes mass, lanes c, lanes rate, lanes *impulse, const struct lane_soft *soft, lanes inv_h)
{
	lanes zero = {0}, one = splat(1.0f), bias = zero, mass_scale = one, impulse_scale = zero;
	masks apart = c > zero;
	if (soft != NULL) {
		bias = soft->bias_rate * c;
		mass_scale = choose(apart, one, soft->mass_scale);
		impulse_scale = choose(apart, zero, soft->impulse_scale);
	}
	bias = choose(apart, c * inv_h, bias);
	lanes before = *impulse;
	*impulse = max_lanes(before - mass * mass_scale * (rate + bias) - impulse_scale * before, zero);
	return *impulse - before;
}

/* Lanes whose lighter body gets so large an impulse that it may be crushed. The threshold is an eighth of that of burdens: so
 * much already acts in the first step of a load. `a`, `b`: inverse masses. */
INLINE masks loads_find(const struct world *world, lanes push, lanes a, lanes b)
{
	lanes light = max_lanes(a, b), heavy = min_lanes(a, b);
	return (push * light > splat(0.125f * world->step.load_speed)) & (heavy > (lanes){0}) & (light > splat(LOAD_RATIO) * heavy);
}

static inline void loads_mark(struct world *world, const struct batch_link *contacts, uint32_t count, masks loads, masks first)
{
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		if (loads[i])
			bits_set_shared(&world->loaded_bodies, contacts[i].bodies[first[i] ? 0 : 1]);
}

static inline void hits_mark(struct world *world, const struct batch_link *contacts, uint32_t count, masks hits)
{
	for (uint32_t i = 0; i < LANES && i < count; ++i)
		if (hits[i])
			bits_set_shared(&world->hit_contacts, contacts[i].id);
}
