/* lanes.h - functions that the *.wide.c files of 2D and 3D share. A record has LANES links or bodies side by side. Included
 * after the macro WING, which makes the name of a type or function of the wing: WING(state) is d2_state or d3_state. Any
 * thread. */
#pragma once
#include "base/cache.h"
#include "base/lanes.h"
#include "core/depenetration.h"
#include "core/joint.h"
#include "core/link.h"

#include <float.h>

/* Alignment of records: whole cache lines, and whole vectors. */
#define RECORD_ALIGNED __attribute__((aligned(4 * LANES < CACHE_LINE ? CACHE_LINE : 4 * LANES)))

/* Up to LANES awake bodies: those with the awake indices `first` to `last`. Lanes beyond the last body repeat it, so that all
 * lanes load and store without a test. */
struct group {
	uint32_t first, last;
};

/* Runs `call` for each group of the bodies [begin, end). */
#define FOR_GROUPS(call)                                                             \
	for (uint32_t i = begin; i < end; i += LANES) {                                  \
		const struct group group = {i, end - i < LANES ? end - 1 : i + (LANES - 1)}; \
		call;                                                                        \
	}

/* The lanes whose states are READ_ONLY. */
INLINE masks read_only(const uint32_t states[LANES])
{
	masks rows;
	memcpy(&rows, states, sizeof rows);
	return rows < 0; /* READ_ONLY */
}

/* Replaces infinities and NaN by 0. */
INLINE lanes finite_lanes(lanes a)
{
	return choose(abs_lanes(a) <= splat(FLT_MAX), a, (lanes){0});
}

/* --- Records -------------------------------------------------------------------------------------------------------------- */

/* The addresses of LANES records. */
struct lane_rows {
	const void *at[LANES];
};

/* The addresses of the records, of `size` bytes each, of `count` links. Lanes without a link get `none`. */
INLINE struct lane_rows link_rows(
	const unsigned char *records, size_t size, const struct batch_link *links, uint32_t count, const void *none)
{
#define ROW(i) (i) < count ? records + links[i].id *size : none
	return (struct lane_rows){{EACH_LANE(ROW)}};
#undef ROW
}

/* Loads four floats of each row, from byte `offset` on, into four columns. */
INLINE void group_load(const void *const rows[LANES], size_t offset, lanes columns[4])
{
#define AT(i) (const char *)rows[i] + offset
	const void *const at[LANES] = {EACH_LANE(AT)};
#undef AT
	float4_columns_load(at, columns);
}

/* Stores four columns as four floats of each link's record, from byte `offset` on. */
INLINE void links_store(
	unsigned char *records, size_t size, size_t offset, const struct batch_link *links, uint32_t count, const lanes columns[4])
{
	float4_columns_store((void *const *)link_rows(records + offset, size, links, count, NULL).at, columns);
}

/* Stores four impulses in the joints' records, from byte `offset` on. An impulse that overflowed becomes 0: warm starting would
 * carry it through all later steps. */
INLINE void impulses_store(
	struct world *world, size_t offset, const struct batch_link *links, uint32_t count, lanes a, lanes b, lanes c, lanes d)
{
	const lanes finite[4] = {finite_lanes(a), finite_lanes(b), finite_lanes(c), finite_lanes(d)};
	links_store(world->joint_rows, world->wing->joint_size, offset, links, count, finite);
}

/* The addresses of the records of the links' bodies on one side; states: their state indices. Lanes without a link get `none`
 * and READ_ONLY. */
INLINE struct lane_rows body_rows(const struct world *world, size_t size, const struct batch_link *links, uint32_t count,
	const void *none, int side, uint32_t states[LANES])
{
#define ROW(i) (i) < count ? world->body_rows + links[i].bodies[side] * size : none
	const struct lane_rows rows = {{EACH_LANE(ROW)}};
#undef ROW
	for (uint32_t i = 0; i < LANES; ++i)
		states[i] = i < count ? links[i].states[side] : READ_ONLY;
	return rows;
}

/* The addresses of the float with index `at` in each state. The offset is a product of 32 bits, in which READ_ONLY, the highest
 * bit of a factor, is lost: see states_reserve. */
INLINE struct lane_rows state_rows(const struct world *world, const uint32_t states[LANES], int at)
{
	_Static_assert(sizeof(struct WING(state)) % 2 == 0 && READ_ONLY * 2 == 0, "READ_ONLY is lost");
#define ROW(i) (const float *)(world->states + states[i] * (uint32_t)sizeof(struct WING(state))) + at
	return (struct lane_rows){{EACH_LANE(ROW)}};
#undef ROW
}

/* The addresses of the float with index `at` in each of the group's records, of `size` bytes each. */
INLINE struct lane_rows group_rows(const unsigned char *records, size_t size, struct group group, int at)
{
#define ROW(i) (const float *)(records + (group.first + (i) < group.last ? group.first + (i) : group.last) * size) + at
	return (struct lane_rows){{EACH_LANE(ROW)}};
#undef ROW
}

/* Loads the float at byte `offset` of each record. */
INLINE lanes numbers_load(const struct lane_rows *rows, size_t offset)
{
#define NUMBER(i) *(const float *)((const char *)rows->at[i] + offset)
	return (lanes){EACH_LANE(NUMBER)};
#undef NUMBER
}

/* Sets between: the vectors, of `axes` coordinates, from the origin of each body of `from` to that of the body of `to` in the
 * same lane [length]. `a`, `b`: from origins to centres of mass. Records of bodies begin with the centre of mass, in double. */
INLINE void origins_between(
	const struct lane_rows *from, const struct lane_rows *to, const lanes *a, const lanes *b, int axes, lanes *between)
{
	float offsets_a[3][LANES], offsets_b[3][LANES], paths[3][LANES];
	memcpy(offsets_a, a, (size_t)axes * sizeof *a);
	memcpy(offsets_b, b, (size_t)axes * sizeof *b);
	for (int i = 0; i < LANES; ++i)
		for (int k = 0; k < axes; ++k) {
			double start = ((const double *)from->at[i])[k] - (double)offsets_a[k][i];
			paths[k][i] = (float)((((const double *)to->at[i])[k] - (double)offsets_b[k][i]) - start);
		}
	memcpy(between, paths, (size_t)axes * sizeof *between);
}

/* Load eight floats, from that with index `at` on, of the states or of the step records of the group. */
INLINE void states_load(const struct world *world, struct group group, int at, void *columns)
{
	size_t size = sizeof(struct WING(state));
	columns_load(group_rows(world->states + size, size, group, at).at, columns);
}

INLINE void steps_load(const struct world *world, struct group group, int at, void *columns)
{
	columns_load(group_rows(world->step_rows, sizeof(struct WING(step_row)), group, at).at, columns);
}

/* Load or store four floats, from that with index `at` on. */
INLINE void steps_load_four(const struct world *world, struct group group, int at, lanes columns[4])
{
	float4_columns_load(group_rows(world->step_rows, sizeof(struct WING(step_row)), group, at).at, columns);
}

INLINE void states_store(struct world *world, struct group group, int at, const lanes columns[4])
{
	size_t size = sizeof(struct WING(state));
	float4_columns_store((void *const *)group_rows(world->states + size, size, group, at).at, columns);
}

INLINE void steps_store(struct world *world, struct group group, int at, const lanes columns[4])
{
	float4_columns_store((void *const *)group_rows(world->step_rows, sizeof(struct WING(step_row)), group, at).at, columns);
}

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

struct lane_soft {
	lanes bias_rate, mass_scale, impulse_scale;
};

/* Soft constraint coefficients of the contacts, stiffer where a body is not dynamic. */
INLINE struct lane_soft soft_of(const struct world *world, const uint32_t states_a[LANES], const uint32_t states_b[LANES])
{
	masks fixed = read_only(states_a) | read_only(states_b);
	const struct soft *moving = &world->step.contact_soft, *still = &world->step.static_soft;
	return (struct lane_soft){
		choose(fixed, splat(still->bias_rate), splat(moving->bias_rate)),
		choose(fixed, splat(still->mass_scale), splat(moving->mass_scale)),
		choose(fixed, splat(still->impulse_scale), splat(moving->impulse_scale)),
	};
}

/* By how many shares each body is split, see hub.h; 1: it is no share of a hub. */
INLINE lanes shares_of(const struct world *world, const uint32_t states[LANES])
{
	masks rows;
	memcpy(&rows, states, sizeof rows);
	lanes shares = splat(1.0f);
	if (any(rows > (int32_t)world->awake.count))
		for (uint32_t i = 0; i < LANES; ++i)
			if ((int32_t)states[i] > (int32_t)world->awake.count)
				shares[i] = world->partition.shares.data[states[i] - world->awake.count - 1];
	return shares;
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

/* Factor on the last step's impulses for warm starting. It is 0 for contacts whose push speed is 0: they have no springs now,
 * and the impulses of their earlier springs would push. */
INLINE lanes carry_of(const struct world *world, lanes push_speeds)
{
	return choose(push_speeds > (lanes){0}, splat(world->step.carry), (lanes){0});
}

/* Returns the push speeds. Those of contacts of burdened bodies are reduced, so that such a contact pushes out only the overlap
 * beyond burden.kept: see burden.c. `separation`: of the deepest point [length]. */
INLINE lanes push_beyond(const struct world *world, const struct batch_link *links, uint32_t count, lanes push_speeds,
	lanes separation, lanes bias_rate)
{
	for (uint32_t i = 0; i < LANES && i < count; ++i) {
		const struct burden *a = burden_of(world, links[i].bodies[0]), *b = burden_of(world, links[i].bodies[1]);
		float kept = max_f(a->times > 1.0f ? a->kept : -1.0f, b->times > 1.0f ? b->kept : -1.0f);
		if (kept >= 0.0f)
			push_speeds[i] = min_f(push_speeds[i], max_f(0.0f, bias_rate[i] * (-separation[i] - kept)));
	}
	return push_speeds;
}

/* Returns the speed at which a point leaves after a bounce, by Newton's law of impact, v' = -e v at the moment of contact
 * [length/s]. `speed` < 0: normal speed when the step began. `before`: separation when the step began; gravity and forces
 * accelerate the point over that distance. `now`: present separation; a negative one adds the speed that the point loses on its
 * way up to the surface. `fall`: speed towards the contact gained from forces in a sub-step. Without forces, or if the point
 * began too deep to have come from the surface at `speed`, the result is e |speed|. With e |speed| for all points, a ball with
 * e = 1 rose to 0.96 to 1.02 times its height at 30 Hz; with this function, to 0.985. Positions are half a sub-step ahead of
 * velocities, so half of `fall` is added to the impact speed. If the other half were added on leaving, a ball would rise as
 * high as it fell, but the energy computed from its velocity and height would grow. */
INLINE lanes bounce_speed(const struct world *world, lanes restitution, lanes speed, lanes before, lanes now, lanes fall)
{
	lanes zero = {0}, twice = splat(2.0f * world->step.inv_h) * fall, square = speed * speed + twice * before;
	lanes impact = restitution * max_lanes(sqrt_lanes(max_lanes(square, zero)) + splat(0.5f) * fall, zero);
	lanes leaves = sqrt_lanes(max_lanes(impact * impact - twice * min_lanes(now, zero), zero));
	return choose(((fall > zero) | (fall < zero)) & (square > zero), leaves, -(restitution * speed));
}

/* The approach speed along the normal that gravity and forces give the bodies of each contact in a sub-step [length/s].
 * `normal`: `axes` coordinates. A step record begins with a body's change of velocity by these. */
static inline lanes falls(
	const struct world *world, const uint32_t a[LANES], const uint32_t b[LANES], const lanes *normal, int axes)
{
	static const struct WING(step_row) none;
	lanes falls = {0};
	for (int lane = 0; lane < LANES; ++lane) {
		const struct WING(step_row) *rows = (const struct WING(step_row) *)world->step_rows;
		const float *add_a = (const float *)(a[lane] & READ_ONLY ? &none : &rows[a[lane] - 1]);
		const float *add_b = (const float *)(b[lane] & READ_ONLY ? &none : &rows[b[lane] - 1]);
		for (int k = 0; k < axes; ++k)
			falls[lane] += (add_a[k] - add_b[k]) * normal[k][lane];
	}
	return falls;
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

/* As above, for several lanes. Usually no row is READ_ONLY; then none is tested. */
INLINE void states_scatter(void *states, size_t size, const uint32_t index[LANES], const lanes *columns, bool more)
{
	lanes first[4], second[4] = {{0}};
	transpose(columns[0], columns[1], columns[2], columns[3], first);
	if (more)
		transpose(columns[4], columns[5], columns[6], columns[7], second);
	if (any(read_only(index)))
		states_scatter_some(states, size, index, false, first, second, more);
	else
		states_scatter_some(states, size, index, true, first, second, more);
}

#endif

/* Sets `to` to `states`, with READ_ONLY in lanes outside `some`, so that these are not scattered: writing unchanged lanes could
 * change the sign of a zero, depending on the other lanes. */
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

/* Factors that shorten vectors of these squared lengths to the limit; 1 where a vector is not longer. */
INLINE lanes shortening(lanes squares, lanes limit)
{
	masks over = squares > limit * limit;
	lanes one = splat(1.0f);
	return any(over) ? choose(over, limit / sqrt_lanes(choose(over, squares, one)), one) : one;
}

/* --- Matrices ------------------------------------------------------------------------------------------------------------- */

/* Bodies locked on an axis may make a joint's matrix J M^-1 J^T nearly singular: its inverse, the effective mass, then demands
 * huge impulses in directions in which they hardly move. So before the inversion this fraction of the trace is added to the
 * diagonal of such a matrix; the bodies then creep in these directions. A matrix of rank one, invertible only by rounding
 * error, so pushes at most about 1 / GIVE times as hard in other directions as in its own. */
#define GIVE 0.01f

/* Relative tolerance of pivots: smaller ones are rounding errors, in directions in which no body can move. */
#define LEAST_PIVOT 1e-6f

INLINE lanes pivot_invert(lanes pivot, lanes whole)
{
	masks some = pivot > splat(LEAST_PIVOT) * whole;
	return choose(some, splat(1.0f) / choose(some, pivot, splat(1.0f)), (lanes){0});
}

/* Symmetric 2 x 2 matrices. */
struct lane_pair {
	lanes xx, xy, yy;
};

/* Inverse of a positive semidefinite matrix by its factors L D L^T; 0 along directions in which locked bodies cannot move. */
INLINE struct lane_pair lane_pair_invert(struct lane_pair k)
{
	lanes dx = pivot_invert(k.xx, k.xx), l = k.xy * dx, dy = pivot_invert(k.yy - l * k.xy, k.yy);
	return (struct lane_pair){dx + l * l * dy, -(l * dy), dy};
}

/* --- Joints --------------------------------------------------------------------------------------------------------------- */

/* The softness of joints that have none of their own. */
INLINE struct lane_soft common_soft(const struct world *world)
{
	const struct soft *soft = &world->step.joint_soft;
	return (struct lane_soft){splat(soft->bias_rate), splat(soft->mass_scale), splat(soft->impulse_scale)};
}

/* Sets the softness of each joint, if any joint of the world has its own. */
INLINE void softs_load(const struct world *world, const struct batch_link *links, uint32_t count, struct lane_soft *softs)
{
	if (world->soft_joints == 0)
		return;
	*softs = common_soft(world);
	for (uint32_t i = 0; i < LANES && i < count; ++i) {
		struct soft soft = joint_soft(world, links[i].id);
		softs->bias_rate[i] = soft.bias_rate;
		softs->mass_scale[i] = soft.mass_scale;
		softs->impulse_scale[i] = soft.impulse_scale;
	}
}

/* Greatest speed at which a joint closes its error [m/s, times length_scale; rad/s]. At higher speeds bodies rotate so far
 * within a sub-step that the velocities that close the error change their direction and persist. Contradictory joints then
 * supply energy without end: a cube pinned twice, to points 1.5 m apart, got 2,400 J, and six cubes on ten random joints 1e5 J;
 * with this limit nothing and 5,000 J. The limit also bounds a joint's strength, since soft impulses leak: in sub-steps of
 * 1/120 s the force is at most 1,050/s times this speed times the effective mass. With half of this speed a chain under 300
 * times the weight of a link gives way. */
#define JOINT_SPEED 16.0f

/* Greatest extension of an arm beyond its anchor [radii of gyration of its body]. */
#define ARM_EXTENSION 1.4f

/* The square of the factor that shortens an arm's extension to the greatest one, 1 if it is shorter or the body has no mass.
 * `mass`, `turn`: traces of the inverse mass and the inverse inertia. */
INLINE lanes extension_left(lanes mass, lanes turn, lanes square)
{
	lanes over = splat(1.0f / (ARM_EXTENSION * ARM_EXTENSION)) * turn * square;
	masks far = (over > mass) & (mass > (lanes){0});
	return any(far) ? choose(far, mass / choose(far, over, splat(1.0f)), splat(1.0f)) : splat(1.0f);
}

/* A joint's impulse acts at one point between both anchors, so that angular momentum is conserved. Otherwise contradictory
 * joints spin their bodies for ever: two boxes of 1 m, welded twice at anchors 0.5 m apart, kept 23 J despite damping. Sets the
 * shares: the point's distances from a's and b's anchor, as fractions of the anchors' distance. The point is nearer to the
 * anchor of the lighter body. Impulses on arms much longer than the body make it unstable: six cubes on ten welds with anchors
 * up to 5 m apart got 1e5 J. So both shares are scaled down in proportion if they extend an arm by more than ARM_EXTENSION.
 * `mass_a`, `turn_a`: traces of a's inverse mass and inertia; `square`: the squared distance of the anchors. */
INLINE void joint_shares(lanes mass_a, lanes mass_b, lanes turn_a, lanes turn_b, lanes square, lanes *share_a, lanes *share_b)
{
	lanes inverse = invert_lanes(mass_a + mass_b), a = mass_b * inverse, b = mass_a * inverse;
	lanes left = min_lanes(extension_left(mass_a, turn_a, a * a * square), extension_left(mass_b, turn_b, b * b * square));
	lanes part = sqrt_lanes(left);
	*share_a = part * a;
	*share_b = part * b;
}

/* Returns the factor <= 1 on a body's inverse inertia in a joint under load. `stiffness`: h^2 F |r| / I, with the last step's
 * impulse h F, and the anchor at r from the centre of mass. A force F on the anchor causes the torque F |r| sin(angle) about
 * the centre, as a spring does: the geometric stiffness, which the joint's matrix leaves out. Semi-implicit Euler is stable
 * while h^2 F |r| / I < 4. Beyond it bodies whirl, as the links of a chain under 300 times their weight do in sub-steps of
 * 1/120 s. So I is increased until h^2 F |r| / I <= 1; with another joint as strong, the sum is half of what is stable. Less
 * heavily loaded bodies keep their inertia, to the bit.
 * Sources: Tournier, Nesme, Gilles, Faure, "Stable Constrained Dynamics", 2015; Andrews, Teichmann, Kry, "Geometric Stiffness
 * for Real-time Constrained Multibody Dynamics", 2017. */
INLINE lanes inertia_left(lanes stiffness)
{
	lanes one = splat(1.0f);
	return one / max_lanes(stiffness, one);
}

/* Solves the lower or the upper limit of a joint, and returns the change of *impulse, which is lambda. c: distance to the
 * limit, negative beyond it; `rate`: its rate of change; `soft`: NULL when relaxing, as with mass_scale = 1 and bias_rate =
 * impulse_scale = 0.
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

/* Speeds [length/s, rad/s] and impulses [mass length/s] up to these have no effect. A disturbance that dies out along many
 * contacts or joints would make them and their squares subnormal, and a processor takes a hundred times as long for subnormal
 * numbers. To the lightest body that a script can make, of mass 1e-15, this impulse gives a tenth of this speed. */
#define NEGLIGIBLE_SPEED 1e-14f
#define NEGLIGIBLE_IMPULSE 1e-30f

INLINE lanes without_negligible(lanes x, float negligible)
{
	return choose(abs_lanes(x) > splat(negligible), x, (lanes){0});
}

/* Adds to world->loaded_bodies the lighter body of each contact with a mass ratio above LOAD_RATIO whose impulse `push` exceeds
 * an eighth of that under which the contact gives way by one slop. A load exceeds it in its first step already. `a`, `b`:
 * inverse masses. */
INLINE void loads_mark(struct world *world, const struct batch_link *contacts, uint32_t count, lanes push, lanes a, lanes b)
{
	lanes light = max_lanes(a, b), heavy = min_lanes(a, b);
	masks loads =
		(push * light > splat(0.125f * world->step.load_speed)) & (heavy > (lanes){0}) & (light > splat(LOAD_RATIO) * heavy);
	if (!any(loads))
		return;
	masks first = a > b;
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
