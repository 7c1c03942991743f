/* controller_move.c - a move of a controlled body. See controller.h.
 * The body keeps one skin from obstacles. It is stopped only at `least`, a quarter of a skin nearer: so the edges and corners
 * in a floor of many pieces, which it passes at one skin, are not felt. A move is a sequence of straight ways. Each leads to
 * the point nearest to the wanted one that is in front of the planes of the obstacles met so far, as far as it is free. Planes
 * that are ground push only upwards: so the body climbs and descends slopes at its own speed, and its weight does not make it
 * slide. Steeper planes also act as vertical walls: it may slide down them, but not up. Source: Nettle, "Generic Collision
 * Detection for Games Using Ellipsoids", 2000, for ways and planes; Rouwe, "CharacterVirtual", Jolt Physics, 2022, for walls in
 * place of slopes and for steps. */
#include "base/scalar.h"
#include "core/contact.h"
#include "core/controller.h"
#include "core/controller_push.h"
#include "core/filter.h"
#include "core/obstacle.h"
#include "core/path.h"
#include "core/planes.h"
#include "core/query.h"
#include "core/travel.h"

#include <string.h>

/* Fractions of a skin: the distance at which obstacles stop the body, the tolerance of that, and the distance up to which they
 * count as touched. */
static const double least_part = 0.75, tolerance_part = 1.0 / 32.0, touch_part = 1.25;

/* Part of a skin by which obstacles may be nearer without pushing the body away. */
static const double rest_part = 1e-4;

/* A steep edge lifts the body by at most the inverse of this multiple of the distance. */
static const double least_rise = 0.25;

/* Parts of the length of a move that jumps off: it rises by more than the first, and from a surface by more than the second. */
static const double leap_part = 0.1, leave_part = 1e-3;

/* Rounding error of a normal's components. */
static const double normal_rounding = 1e-6;

/* A move rises by up to this multiple of the displacement: on slopes of up to 84 degrees it keeps its speed. */
static const double most_rise = 10.0;

enum { WAYS = 32, CLIMBS = 8, MOST_ACTIVE = 16 };

struct move {
	struct world *world;
	struct controller *controller;
	struct obstacle_search search;
	struct vec3 at; /* the displacement so far */
	struct vec3 start; /* the part of it by the motion of the ground */
	struct vec3 wanted; /* by the user [length] */
	double dt;
	double least, tolerance; /* [length] */
	bool grounded; /* the body stood on the ground before, and does not jump off */
	bool loaded; /* its ground bears its weight in the next step, by an earlier move */
	double floor; /* height of the ground from which the body climbs, along `up`; INFINITY: it does not climb [length] */
	bool blocked; /* by something that is not ground, in the last slide */
	uint32_t active_count, active[MOST_ACTIVE]; /* obstacles that limit the next way */
};

static struct obstacle *obstacle_at(const struct move *move, uint32_t index)
{
	return &move->world->controllers.obstacles.data[index];
}

static struct vec3 lateral(const struct move *move, struct vec3 a)
{
	return vec3_mul_add(a, -vec3_dot(a, move->controller->up), move->controller->up);
}

static bool is_ground(const struct move *move, struct vec3 normal)
{
	double rise = vec3_dot(normal, move->controller->up);
	return rise > 0.0 && rise >= move->controller->slope_cosine - normal_rounding;
}

static bool rises(const struct move *move)
{
	return vec3_dot(move->wanted, move->controller->up) > leap_part * vec3_length(move->wanted);
}

/* Whether the wanted displacement leads upwards, and away from a surface with the normal. */
static bool leaves(const struct move *move, struct vec3 normal)
{
	return rises(move) && vec3_dot(move->wanted, normal) > leave_part * vec3_length(move->wanted);
}

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
 * vertical wall at the same distance, measured sideways. keeps: the
 * obstacle only does not let the body come nearer. */
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
	if (across < normal_rounding || !(rise > 0.0 || (rise < 0.0 && move->grounded)))
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

/* Finds the end of the next way: the displacement nearest to the target that is a skin in front of all active obstacles. Where
 * there is none, the softest do not push the body off, and only let it come no nearer. Dynamic bodies never push it off: their
 * contacts and shove do. False: rounding errors leave no room. */
static bool solve(const struct move *move, struct vec3 target, struct vec3 *out)
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

static void active_add(struct move *move, uint32_t index)
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
		if (obstacle_measure(&move->search, obstacle, move->at) < touch_part * move->controller->skin)
			move->active[kept++] = move->active[i];
	}
	move->active_count = kept;
}

/* Whether the contact is with something met before: the same collider, along the same normal. */
static bool contact_known(const struct controller *controller, struct handle collider, struct vec3 normal)
{
	for (uint32_t i = 0; i < controller->contact_count; ++i)
		if (controller->contacts[i].collider.index == collider.index &&
			vec3_dot(controller->contacts[i].normal, normal) > 1.0 - normal_rounding)
			return true;
	return false;
}

static struct controller_contact contact_of(const struct move *move, const struct obstacle *obstacle)
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
	struct controller_contact contact = contact_of(move, obstacle);
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
			active_add(move, surface_of(move, i));
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

/* Moves towards the target, along what is in the way. After each stop, the body first goes back to one skin from what has
 * stopped it. */
static void slide(struct move *move, struct vec3 target)
{
	double nothing = 1e-6 * move->controller->skin;
	active_begin(move);
	for (int ways = 0; ways < WAYS; ++ways) {
		struct vec3 end, before = move->at;
		active_update(move);
		if (!solve(move, before, &end))
			return;
		bool back = square_between(end, before) > nothing * nothing;
		if (!back) {
			stops_note(move, target);
			if (!solve(move, target, &end) || square_between(end, before) <= nothing * nothing)
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
		active_add(move, active_has(move, surface) ? blocker : surface);
	}
}

/* Ends all slides: takes the body back to one skin from what it has come nearer to. */
static void settle(struct move *move)
{
	struct vec3 end;
	active_begin(move);
	if (move->active_count > 0 && solve(move, move->at, &end))
		go(move, end);
}

/* --- Ground --------------------------------------------------------------------------------------------------------------- */

/* Height of the ground on which the body stands with its lowest point. */
static double floor_height(const struct move *move)
{
	struct vec3 up = move->controller->up;
	return vec3_dot(move->at, up) - obstacle_reach(&move->search, vec3_scale(-1.0, up)) - move->controller->skin;
}

/* Whether the point where the body touches the obstacle is at most a step above the height. */
static bool is_low(const struct move *move, const struct obstacle *obstacle, double height)
{
	const struct controller *controller = move->controller;
	return vec3_dot(obstacle->point, controller->up) - height <= controller->step_height + move->tolerance;
}

/* Finds the normal of the obstacle's surface beside and below the point that the body touches, ahead of it. False: the obstacle
 * is level or overhangs there, or has no surface. */
static bool surface_beside(const struct move *move, const struct obstacle *obstacle, struct vec3 *normal)
{
	const struct controller *controller = move->controller;
	struct vec3 up = controller->up, side = lateral(move, obstacle->normal);
	double across = vec3_length(side);
	if (!(vec3_dot(obstacle->normal, up) > normal_rounding) || !(across > normal_rounding))
		return false;
	struct vec3 edge = vec3_add(move->search.origin, obstacle->point);
	struct vec3 from = vec3_mul_add(vec3_mul_add(edge, -0.5 * controller->skin / across, side), 2.0 * controller->skin, up);
	double start[3] = {from.x, from.y, from.z}, way[3];
	for (int k = 0; k < 3; ++k)
		way[k] = -4.0 * controller->skin * (&up.x)[k];
	struct query_hit hit;
	if (!move->world->wing->part_ray(move->world, (struct query_part){obstacle->collider, NONE}, start, way, 1.0f, &hit))
		return false;
	*normal = vec3_widen(hit.normal);
	return true;
}

/* Whether the obstacle, which the body touches at a steep edge, is ground beside that edge, at most a step above the ground
 * where it stands. */
static bool is_ledge(const struct move *move, const struct obstacle *obstacle)
{
	struct vec3 normal;
	return is_low(move, obstacle, min_d(move->floor, floor_height(move))) && surface_beside(move, obstacle, &normal) &&
		is_ground(move, normal);
}

/* Whether the obstacle, which the body touches, is ground for it; while it climbs, only up to the height of a step. Nothing is
 * that it jumps off, or passes on its way up: of an edge counts the surface beside it. */
static bool carries(const struct move *move, const struct obstacle *obstacle)
{
	struct vec3 normal = obstacle->normal;
	if (!is_low(move, obstacle, move->floor) || !(is_ground(move, normal) || is_ledge(move, obstacle)))
		return false;
	if (rises(move))
		(void)surface_beside(move, obstacle, &normal);
	return !leaves(move, normal);
}

/* Lifts the body, which is `least` above the obstacle, to one skin above it, or less at a steep edge. */
static void lift_off(struct move *move, struct obstacle *obstacle)
{
	double missing = move->controller->skin - obstacle_measure(&move->search, obstacle, move->at);
	double rise = vec3_dot(obstacle->normal, move->controller->up);
	move->at = vec3_mul_add(move->at, missing / max_d(rise, least_rise), move->controller->up);
}

/* Puts the body down by up to `depth`. False: there is no ground, and the body has not moved. */
static bool put_down(struct move *move, double depth)
{
	uint32_t blocker;
	struct vec3 before = move->at, end = vec3_mul_add(before, -depth, move->controller->up);
	double t = obstacles_travel(&move->search, before, end, move->least, move->tolerance, &blocker);
	if (blocker == NONE)
		return false;
	move->at = vec3_mul_add(before, t, vec3_sub(end, before));
	if (carries(move, obstacle_at(move, blocker))) {
		lift_off(move, obstacle_at(move, blocker));
		return true;
	}
	move->at = before;
	return false;
}

static void ground_set(struct move *move, const struct obstacle *obstacle, enum controller_state state)
{
	struct controller *controller = move->controller;
	uint32_t body = move->world->colliders.data[obstacle->collider].body;
	controller->state = (uint8_t)state;
	controller->ground = contact_of(move, obstacle);
	controller->ground_body = (struct handle){body, move->world->bodies.data[body].generation};
}

/* Whether a comes before b as the ground: the flatter one, of equal ones the one with the lower id. */
static bool ground_before(const struct move *move, const struct obstacle *a, const struct obstacle *b)
{
	double rise_a = vec3_dot(a->normal, move->controller->up), rise_b = vec3_dot(b->normal, move->controller->up);
	if (abs_d(rise_a - rise_b) > normal_rounding)
		return rise_a > rise_b;
	return a->collider != b->collider ? a->collider < b->collider : a->child < b->child;
}

/* Whether the steep obstacles touched keep the body from sliding down, as in a gully. */
static bool wedged(const struct move *move)
{
	double drop = 0.1 * move->controller->skin;
	struct vec3 end, down = vec3_mul_add(move->at, -drop, move->controller->up);
	return !solve(move, down, &end) || vec3_dot(vec3_sub(end, move->at), move->controller->up) > -0.1 * drop;
}

/* Finds what the body touches: the ground, and whether it is inside something hard. */
static void ground_find(struct move *move)
{
	const struct controllers *controllers = &move->world->controllers;
	const struct obstacle *best = NULL;
	double touch = touch_part * move->controller->skin;
	bool carried = false;
	move->active_count = 0;
	move->controller->crushed = false;
	move->controller->state = CONTROLLER_AIR;
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i) {
		struct obstacle *obstacle = &controllers->obstacles.data[i];
		if (obstacle_bound(obstacle, move->at) >= touch || obstacle_measure(&move->search, obstacle, move->at) >= touch)
			continue;
		move->controller->crushed |= obstacle->rank >= OBSTACLE_KINEMATIC && obstacle->distance < 0.0;
		if (!(vec3_dot(obstacle->normal, move->controller->up) > normal_rounding))
			continue;
		bool also = carries(move, obstacle);
		if (!also && leaves(move, obstacle->normal))
			continue;
		if (best == NULL || (also && !carried) || (also == carried && ground_before(move, obstacle, best)))
			best = obstacle;
		carried |= also;
		active_add(move, i);
	}
	if (best != NULL)
		ground_set(move, best, carried || (wedged(move) && !rises(move)) ? CONTROLLER_GROUND : CONTROLLER_STEEP);
}

/* --- Steps ---------------------------------------------------------------------------------------------------------------- */

/* Climbs a step in the way to the target: up, on towards the target, and down on the step. False: there is none, and the body
 * has not moved. */
static bool climb(struct move *move, struct vec3 target)
{
	const struct controller *controller = move->controller;
	struct vec3 before = move->at, up = controller->up, rest = lateral(move, vec3_sub(target, before));
	uint32_t blocker;
	if (!move->blocked || !move->grounded || !(controller->step_height > 0.0) || vec3_length(rest) < 1e-3 * controller->skin)
		return false;
	struct vec3 end = vec3_mul_add(before, controller->step_height, up);
	double t = obstacles_travel(&move->search, before, end, move->least, move->tolerance, &blocker);
	double height = t * controller->step_height;
	struct vec3 top = vec3_mul_add(before, height, up);
	t = obstacles_travel(&move->search, top, vec3_add(top, rest), move->least, move->tolerance, &blocker);
	move->floor = floor_height(move);
	move->at = vec3_mul_add(top, t, rest);
	bool climbed = t * vec3_length(rest) > 1e-3 * controller->skin && put_down(move, height + controller->skin);
	move->floor = INFINITY;
	if (!climbed)
		move->at = before;
	return climbed;
}

/* --- The move ------------------------------------------------------------------------------------------------------------- */

static bool admits(void *context, uint32_t id)
{
	const struct move *move = context;
	const struct world *world = move->world;
	const struct collider *own = &world->colliders.data[move->controller->collider], *other = &world->colliders.data[id];
	if (other->sensor || other->body == own->body || !filter_meets(world, own, other))
		return false;
	return world->filter == NULL || world->filter(world->filter_context, move->controller->collider, id);
}

/* Sets the search for the body with the shape, at the position. */
static void move_begin(struct world *world, uint32_t id, const void *shape, struct vec3 position, struct move *move)
{
	struct controller *controller = controller_at(world, id);
	*move = (struct move){
		.world = world,
		.controller = controller,
		.least = least_part * controller->skin,
		.tolerance = tolerance_part * controller->skin,
		.floor = INFINITY,
	};
	struct obstacle_search *search = &move->search;
	search->world = world;
	search->collider = controller->collider;
	search->shape = shape;
	search->admits = admits;
	search->context = move;
	search->margin = 2.0 * controller->skin;
	world->wing->obstacles->pose(world, controller->body, position, &search->pose);
	obstacles_begin(search);
}

/* Displacements that the move may need: along the motion of the ground, the push and the wanted one, and along slopes, steps
 * and snaps. */
static void room_set(struct move *move, struct vec3 carried, struct vec3 pushed, struct vec3 wanted)
{
	const struct controller *controller = move->controller;
	double around = vec3_length(wanted) + vec3_length(carried) + vec3_length(pushed) + 4.0 * controller->skin;
	double cosine = controller->slope_cosine;
	double steepest = min_d(most_rise, sqrt(1.0 - cosine * cosine) / cosine) * vec3_length(wanted);
	for (int k = 0; k < move->world->wing->dimensions; ++k) {
		double up = (&controller->up.x)[k], rise = up * (controller->step_height + steepest);
		double drop = -up * (controller->snap_distance + steepest);
		move->search.room.lower[k] = min_d(0.0, min_d(rise, drop)) - around;
		move->search.room.upper[k] = max_d(0.0, max_d(rise, drop)) + around;
	}
}

/* Whether the obstacle is of the body; NONE: of any dynamic one. */
static bool obstacle_of(const struct move *move, const struct obstacle *obstacle, uint32_t body)
{
	return body == NONE ? obstacle->rank == OBSTACLE_DYNAMIC : move->world->colliders.data[obstacle->collider].body == body;
}

/* Slides to the target while the obstacles of the body, or of all dynamic ones (NONE), are none. */
static void slide_without(struct move *move, uint32_t body, struct vec3 target)
{
	const struct controllers *controllers = &move->world->controllers;
	for (int ignored = 1; ignored >= 0; --ignored) {
		for (uint32_t i = 0; i < controllers->obstacles.count; ++i)
			if (obstacle_of(move, &controllers->obstacles.data[i], body))
				controllers->obstacles.data[i].ignored = ignored;
		if (ignored)
			slide(move, target);
	}
}

/* Moves the body with the ground that it stands on. Bodies on its head do not keep it from rising with kinematic ground: the
 * step will push them up. */
static void carry(struct move *move, struct vec3 motion)
{
	uint32_t ground = move->controller->ground_body.index;
	if (motion.x == 0.0 && motion.y == 0.0 && motion.z == 0.0)
		return;
	slide_without(move, ground, motion);
	double missing = vec3_dot(vec3_sub(motion, move->at), move->controller->up);
	if (missing > move->tolerance && move->world->bodies.data[ground].type == BODY_KINEMATIC)
		slide_without(move, NONE, vec3_mul_add(move->at, missing, move->controller->up));
}

/* Puts the body where the move has led, and remembers the ground. */
static void move_end(struct move *move, uint32_t id)
{
	struct controller *controller = move->controller;
	struct world *world = move->world;
	controller->velocity = vec3_scale(1.0 / move->dt, vec3_sub(move->at, move->start));
	if (move->at.x != 0.0 || move->at.y != 0.0 || move->at.z != 0.0)
		world->wing->obstacles->place(world, controller->body, vec3_add(move->search.origin, move->at), controller->from);
	controller->to = controller_position(world, id);
	controller->carried = vec3_add(controller->carried, move->start);
	controller_stand(world, id);
	for (uint32_t i = 0; i < controller->contact_count; ++i)
		controller_push(world, controller, &controller->contacts[i], move->dt);
	if (!move->loaded)
		controller_load(world, controller);
}

/* The part of the push by bodies that the body has yielded to: none on hard ground under what lies on its head. */
static double part_moved(const struct move *move, struct vec3 pushed)
{
	double square = vec3_dot(pushed, pushed);
	struct vec3 moved = vec3_sub(vec3_sub(move->at, move->start), move->wanted);
	return square > 0.0 ? clamp_d(vec3_dot(moved, pushed) / square, 0.0, 1.0) : 0.0;
}

bool controller_move(struct world *world, uint32_t id, struct vec3 delta, double dt)
{
	struct controller *controller = controller_at(world, id);
	struct move move;
	controller_find(world, id);
	move_begin(world, id, world->colliders.data[controller->collider].shape, controller->to, &move);
	move.dt = dt;
	struct vec3 carried = controller_ground_motion(world, id), pushed;
	double rise = vec3_dot(delta, controller->up);
	move.wanted = delta;
	move.loaded = controller->state == CONTROLLER_GROUND && controller->pushed == world->tick;
	move.grounded = controller->state == CONTROLLER_GROUND && rise <= normal_rounding * vec3_length(delta);
	if (!controller_shove(world, controller, dt, &pushed))
		return false;
	room_set(&move, carried, pushed, delta);
	if (!obstacles_find(&move.search))
		return false;
	controller->contact_count = 0;
	controller->pushed = world->tick;
	carry(&move, carried);
	move.start = move.at;
	struct vec3 target = vec3_add(vec3_add(move.start, delta), pushed);
	slide(&move, target);
	for (int climbs = 0; climbs < CLIMBS && climb(&move, target); ++climbs) {
		target = vec3_mul_add(target, vec3_dot(vec3_sub(move.at, target), controller->up), controller->up);
		slide(&move, target);
	}
	settle(&move);
	ground_find(&move);
	if (move.grounded && controller->state != CONTROLLER_GROUND &&
		put_down(&move, max_d(controller->snap_distance, controller->skin)))
		ground_find(&move);
	controller_shove_back(world, part_moved(&move, pushed));
	move_end(&move, id);
	return true;
}

void controller_carry(struct world *world, uint32_t id, double dt)
{
	static const struct vec3 none = {0.0, 0.0, 0.0};
	struct controller *controller = controller_at(world, id);
	const struct body *body = &world->bodies.data[controller->body];
	const void *shape = world->colliders.data[controller->collider].shape;
	struct vec3 motion = controller_ground_motion(world, id);
	struct move move;
	if (vec3_equal(motion, none) || body->type != BODY_KINEMATIC || body->set == SET_DISABLED ||
		!world->wing->obstacles->is_convex(shape) || !vec3_equal(controller_position(world, id), controller->to))
		return;
	move_begin(world, id, shape, controller->to, &move);
	move.dt = dt;
	room_set(&move, motion, none, none);
	if (!obstacles_find(&move.search))
		return;
	carry(&move, motion);
	world->wing->obstacles->place(world, controller->body, vec3_add(move.search.origin, move.at), controller->from);
	controller->to = controller_position(world, id);
	controller->carried = move.at;
	controller->ground.point = vec3_add(controller->ground.point, move.at);
	controller_stand(world, id);
}

bool controller_fits(struct world *world, uint32_t id, const void *shape, struct vec3 position, bool *fits)
{
	struct move move;
	move_begin(world, id, shape, position, &move);
	if (!obstacles_find(&move.search))
		return false;
	*fits = true;
	for (uint32_t i = 0; i < world->controllers.obstacles.count && *fits; ++i) {
		struct obstacle *obstacle = &world->controllers.obstacles.data[i];
		*fits = obstacle_bound(obstacle, move.at) > 0.0 || obstacle_measure(&move.search, obstacle, move.at) > 0.0;
	}
	return true;
}
