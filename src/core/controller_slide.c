/* controller_slide.c - see controller_slide.h, and controller_move.c. */
#include "core/controller_slide.h"
#include "core/planes.h"

/* Part of a skin by which obstacles may be nearer without pushing the body away. */
static const double rest_part = 1e-4;

enum { WAYS = 32 };

/* --- The next way --------------------------------------------------------------------------------------------------------- */

/* The half-spaces of a solve: of ground, and of all else. */
struct constraints {
	struct half_space ground[MOST_PLANES], other[MOST_PLANES];
	uint32_t ground_count, other_count;
};

static void other_add(struct constraints *constraints, struct vec3 normal, double offset)
{
	if (constraints->other_count < MOST_PLANES)
		constraints->other[constraints->other_count++] = (struct half_space){normal, offset};
}

/* Adds the half-spaces of an obstacle: its own and, where the body must not be lifted or pressed down along it, that of a
 * vertical wall at the same distance, measured sideways. keeps: the obstacle only does not let the body come nearer. */
static void constraint_add(
	const struct move *move, const struct obstacle *obstacle, bool keeps, struct constraints *constraints)
{
	struct vec3 n = obstacle->normal;
	double distance = obstacle_bound(obstacle, move->at), wanted = move->controller->skin;
	double rise = vec3_dot(n, move->controller->up);
	wanted = keeps ? min_d(wanted, distance) : wanted;
	double offset = wanted - obstacle->offset;
	if (is_ground(move, n)) {
		constraints->ground[constraints->ground_count++] = (struct half_space){n, offset};
		return;
	}
	struct vec3 side = lateral(move, n);
	double across = vec3_length(side);
	other_add(constraints, n, offset);
	if (across < NORMAL_ROUNDING || !(rise > 0.0 || (rise < 0.0 && move->grounded)))
		return;
	side = vec3_scale(1.0 / across, side);
	other_add(constraints, side, vec3_dot(side, move->at) + (wanted - distance) / across);
}

static double height_missing(const struct half_space *half, struct vec3 at)
{
	return half->offset - vec3_dot(half->normal, at);
}

/* Solves for all planes as they are. */
static bool solve_all(const struct move *move, const struct constraints *constraints, struct vec3 target, struct vec3 *out)
{
	struct half_space all[MOST_PLANES];
	uint32_t count = 0;
	for (uint32_t i = 0; i < constraints->ground_count; ++i)
		all[count++] = constraints->ground[i];
	for (uint32_t i = 0; i < constraints->other_count && count < MOST_PLANES; ++i)
		all[count++] = constraints->other[i];
	return planes_nearest(all, count, move->world->wing->dimensions, target, 1e-9 * move->controller->skin, out);
}

/* Solves with ground that pushes upwards only; if that leads into other planes, with all planes as they are. */
static bool solve_constraints(
	const struct move *move, const struct constraints *constraints, struct vec3 target, struct vec3 *out)
{
	double rounding = 1e-9 * move->controller->skin, lift = 0.0;
	struct vec3 up = move->controller->up, x;
	if (!planes_nearest(constraints->other, constraints->other_count, move->world->wing->dimensions, target, rounding, &x))
		return false;
	for (uint32_t i = 0; i < constraints->ground_count; ++i) {
		const struct half_space *ground = &constraints->ground[i];
		lift = max_d(lift, height_missing(ground, x) / vec3_dot(ground->normal, up));
	}
	*out = vec3_mul_add(x, lift, up);
	for (uint32_t i = 0; lift > 0.0 && i < constraints->other_count; ++i)
		if (height_missing(&constraints->other[i], *out) > 2.0 * rounding)
			return solve_all(move, constraints, target, out);
	return true;
}

static bool active_has_rank(const struct move *move, int rank)
{
	for (uint32_t i = 0; i < move->active_count; ++i)
		if (obstacle_at(move, move->active[i])->rank == rank)
			return true;
	return false;
}

bool move_solve(const struct move *move, struct vec3 target, struct vec3 *out)
{
	*out = target;
	if (move->active_count == 0)
		return true;
	for (int keeps = OBSTACLE_DYNAMIC; keeps <= OBSTACLE_STATIC; ++keeps) {
		if (keeps > OBSTACLE_DYNAMIC && !active_has_rank(move, keeps))
			continue; /* as before */
		struct constraints constraints;
		constraints.ground_count = constraints.other_count = 0;
		for (int rank = OBSTACLE_STATIC; rank >= OBSTACLE_DYNAMIC; --rank)
			for (uint32_t i = 0; i < move->active_count; ++i)
				if (obstacle_at(move, move->active[i])->rank == rank)
					constraint_add(move, obstacle_at(move, move->active[i]), rank <= keeps, &constraints);
		if (solve_constraints(move, &constraints, target, out))
			return true;
	}
	return false;
}

/* --- Sliding -------------------------------------------------------------------------------------------------------------- */

static bool active_has(const struct move *move, uint32_t index)
{
	for (uint32_t i = 0; i < move->active_count; ++i)
		if (move->active[i] == index)
			return true;
	return false;
}

void move_add_active(struct move *move, uint32_t index)
{
	if (!active_has(move, index) && move->active_count < MOST_ACTIVE)
		move->active[move->active_count++] = index;
}

/* Measures the active obstacles where the body is, and drops those that it has left. */
static void active_update(struct move *move)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < move->active_count; ++i) {
		struct obstacle *obstacle = obstacle_at(move, move->active[i]);
		if (obstacle_measure(&move->search, obstacle, move->at) < TOUCH_PART * move->controller->skin)
			move->active[kept++] = move->active[i];
	}
	move->active_count = kept;
}

/* Whether the contact is with something met before: the same collider, along the same normal. */
static bool contact_known(const struct controller *controller, struct handle collider, struct vec3 normal)
{
	for (uint32_t i = 0; i < controller->contact_count; ++i)
		if (controller->contacts[i].collider.index == collider.index &&
			vec3_dot(controller->contacts[i].normal, normal) > 1.0 - NORMAL_ROUNDING)
			return true;
	return false;
}

struct controller_contact move_contact(const struct move *move, const struct obstacle *obstacle)
{
	double square = vec3_dot(move->wanted, move->wanted), along = vec3_dot(vec3_sub(move->at, move->start), move->wanted);
	return (struct controller_contact){
		.collider = {obstacle->collider, move->world->colliders.data[obstacle->collider].generation},
		.point = vec3_add(move->search.origin, obstacle->point),
		.normal = obstacle->normal,
		.fraction = square > 0.0 ? clamp_d(along / square, 0.0, 1.0) : 0.0,
		.approach = max_d(0.0, -vec3_dot(obstacle->normal, move->wanted) / move->dt),
	};
}

static void contact_note(struct move *move, const struct obstacle *obstacle)
{
	struct controller *controller = move->controller;
	struct controller_contact contact = move_contact(move, obstacle);
	if (controller->contact_count < CONTROLLER_CONTACTS && !contact_known(controller, contact.collider, contact.normal))
		controller->contacts[controller->contact_count++] = contact;
}

static double square_between(struct vec3 a, struct vec3 b)
{
	struct vec3 delta = vec3_sub(a, b);
	return vec3_dot(delta, delta);
}

/* Of an obstacle that the body touches at an edge or corner within the surface of a nearer one, returns that one; else the
 * obstacle itself. */
static uint32_t surface_of(struct move *move, uint32_t index)
{
	const struct controllers *controllers = &move->world->controllers;
	const struct obstacle *edge = obstacle_at(move, index);
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i) {
		struct obstacle *obstacle = &controllers->obstacles.data[i];
		if (i == index || obstacle->ignored || obstacle_bound(obstacle, move->at) > edge->distance)
			continue;
		obstacle_measure(&move->search, obstacle, move->at);
		if (obstacle_seam(obstacle, edge, move->tolerance))
			return i;
	}
	return index;
}

/* Begins a slide: the obstacles that are nearer than a skin push the body away. */
static void active_begin(struct move *move)
{
	const struct controllers *controllers = &move->world->controllers;
	double near = (1.0 - rest_part) * move->controller->skin;
	move->active_count = 0;
	move->blocked = false;
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i) {
		struct obstacle *obstacle = &controllers->obstacles.data[i];
		if (!obstacle->ignored && obstacle_bound(obstacle, move->at) < near &&
			obstacle_measure(&move->search, obstacle, move->at) < near)
			move_add_active(move, surface_of(move, i));
	}
}

/* Goes straight to a displacement, as far as it is free. Returns what ends the way; NONE: nothing does. */
static uint32_t go(struct move *move, struct vec3 end)
{
	uint32_t blocker;
	double t = obstacles_travel(&move->search, move->at, end, move->least, move->tolerance, &blocker);
	move->at = vec3_mul_add(move->at, t, vec3_sub(end, move->at));
	return blocker;
}

static void stop_note(struct move *move, const struct obstacle *obstacle)
{
	contact_note(move, obstacle);
	move->blocked |= !is_ground(move, obstacle->normal);
}

/* Notes the active obstacles that keep the body from the target. */
static void stops_note(struct move *move, struct vec3 target)
{
	for (uint32_t i = 0; i < move->active_count; ++i) {
		const struct obstacle *obstacle = obstacle_at(move, move->active[i]);
		if (obstacle_bound(obstacle, target) < move->controller->skin - move->tolerance)
			stop_note(move, obstacle);
	}
}

/* Whether an active obstacle pushes the body off: dynamic ones do not. */
static bool is_pushed_off(const struct move *move)
{
	for (uint32_t i = 0; i < move->active_count; ++i) {
		const struct obstacle *obstacle = obstacle_at(move, move->active[i]);
		if (obstacle->rank != OBSTACLE_DYNAMIC &&
			obstacle_bound(obstacle, move->at) < (1.0 - rest_part) * move->controller->skin)
			return true;
	}
	return false;
}

void move_slide(struct move *move, struct vec3 target)
{
	double nothing = 1e-6 * move->controller->skin;
	active_begin(move);
	for (int ways = 0; ways < WAYS; ++ways) {
		struct vec3 end, before = move->at;
		active_update(move);
		bool back = is_pushed_off(move);
		if (back && !move_solve(move, before, &end))
			return;
		back = back && square_between(end, before) > nothing * nothing;
		if (!back) {
			stops_note(move, target);
			if (!move_solve(move, target, &end) || square_between(end, before) <= nothing * nothing)
				return;
		}
		uint32_t blocker = go(move, end);
		if (blocker == NONE && !back)
			return;
		if (blocker == NONE)
			continue;
		stop_note(move, obstacle_at(move, blocker));
		if (square_between(before, move->at) == 0.0 && active_has(move, blocker))
			return;
		uint32_t surface = surface_of(move, blocker);
		move_add_active(move, active_has(move, surface) ? blocker : surface);
	}
}

void move_settle(struct move *move)
{
	struct vec3 end;
	active_begin(move);
	if (is_pushed_off(move) && move_solve(move, move->at, &end))
		go(move, end);
}
