/* controller_move.c - a move of a controlled body. See controller.h.
 * The body keeps one skin from obstacles. It is stopped only at `least`, a quarter of a skin nearer: so the edges and corners
 * in a floor of many pieces, which it passes at one skin, are not felt. A move is a sequence of straight ways. Each leads to
 * the point nearest to the wanted one that is in front of the planes of the obstacles met so far, as far as it is free. Planes
 * that are ground push only upwards: so the body climbs and descends slopes at its own speed, and its weight does not make it
 * slide. Steeper planes also act as vertical walls: it may slide down them, but not up. Source: Nettle, "Generic Collision
 * Detection for Games Using Ellipsoids", 2000, for ways and planes; Rouwe, "CharacterVirtual", Jolt Physics, 2022, for walls in
 * place of slopes and for steps. */
#include "core/contact.h"
#include "core/controller_push.h"
#include "core/controller_slide.h"
#include "core/filter.h"
#include "core/path.h"
#include "core/query.h"
#include "core/travel.h"

#include <string.h>

/* A steep edge lifts the body by at most the inverse of this multiple of the distance. */
static const double least_rise = 0.25;

/* Parts of the length of a move that jumps off: it rises by more than the first, and from a surface by more than the second. */
static const double leap_part = 0.1, leave_part = 0.1;

/* A move rises by up to this multiple of the displacement: on slopes of up to 84 degrees it keeps its speed. */
static const double most_rise = 10.0;

enum { CLIMBS = 8 };

static bool rises(const struct move *move)
{
	return vec3_dot(move->wanted, move->controller->up) > leap_part * vec3_length(move->wanted);
}

/* Whether the wanted displacement leads upwards, and away from a surface with the normal. */
static bool leaves(const struct move *move, struct vec3 normal)
{
	return rises(move) && vec3_dot(move->wanted, normal) > leave_part * vec3_length(move->wanted);
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
	if (!(vec3_dot(obstacle->normal, up) > NORMAL_ROUNDING) || !(across > NORMAL_ROUNDING))
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
 * that it jumps off, of an edge the surface beside it, nor that it touches in the air on its way up. */
static bool carries(const struct move *move, const struct obstacle *obstacle)
{
	struct vec3 normal = obstacle->normal;
	if (!is_low(move, obstacle, move->floor) || !(is_ground(move, normal) || is_ledge(move, obstacle)))
		return false;
	if (rises(move))
		(void)surface_beside(move, obstacle, &normal);
	return !leaves(move, normal) && !(move->airborne && rises(move));
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
	controller->ground = move_contact(move, obstacle);
	controller->ground_body = (struct handle){body, move->world->bodies.data[body].generation};
	controller->surface =
		move->world->wing->obstacles->surface(move->world, obstacle->collider, obstacle->child, controller->ground.normal);
}

/* Whether a comes before b as the ground: the flatter one, of equal ones the one with the lower id. */
static bool ground_before(const struct move *move, const struct obstacle *a, const struct obstacle *b)
{
	double rise_a = vec3_dot(a->normal, move->controller->up), rise_b = vec3_dot(b->normal, move->controller->up);
	if (abs_d(rise_a - rise_b) > NORMAL_ROUNDING)
		return rise_a > rise_b;
	return a->collider != b->collider ? a->collider < b->collider : a->child < b->child;
}

/* Whether the steep obstacles touched keep the body from sliding down, as in a gully. */
static bool wedged(const struct move *move)
{
	double drop = 0.1 * move->controller->skin;
	struct vec3 end, down = vec3_mul_add(move->at, -drop, move->controller->up);
	return !move_solve(move, down, &end) || vec3_dot(vec3_sub(end, move->at), move->controller->up) > -0.1 * drop;
}

/* Finds what the body touches: the ground, and whether it is inside something hard. */
static void ground_find(struct move *move)
{
	const struct controllers *controllers = &move->world->controllers;
	const struct obstacle *best = NULL;
	double touch = TOUCH_PART * move->controller->skin;
	bool carried = false;
	move->active_count = 0;
	move->controller->crushed = false;
	move->controller->state = CONTROLLER_AIR;
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i) {
		struct obstacle *obstacle = &controllers->obstacles.data[i];
		if (obstacle_bound(obstacle, move->at) >= touch || obstacle_measure(&move->search, obstacle, move->at) >= touch)
			continue;
		move->controller->crushed |= obstacle->rank >= OBSTACLE_KINEMATIC && obstacle->distance < 0.0;
		if (!(vec3_dot(obstacle->normal, move->controller->up) > NORMAL_ROUNDING))
			continue;
		bool also = carries(move, obstacle);
		if (!also && (leaves(move, obstacle->normal) || (move->airborne && rises(move))))
			continue;
		if (best == NULL || (also && !carried) || (also == carried && ground_before(move, obstacle, best)))
			best = obstacle;
		carried |= also;
		move_add_active(move, i);
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
		.least = LEAST_PART * controller->skin,
		.tolerance = TOLERANCE_PART * controller->skin,
		.floor = INFINITY,
	};
	struct obstacle_search *search = &move->search;
	search->world = world;
	search->collider = controller->collider;
	search->shape = shape;
	search->admits = admits;
	search->context = move;
	search->margin = 2.0 * controller->skin;
	search->passing = controller->passing;
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

static void room_widen(struct move *move, double by)
{
	for (int k = 0; k < move->world->wing->dimensions; ++k) {
		move->search.room.lower[k] -= by;
		move->search.room.upper[k] += by;
	}
}

/* How far kinematic obstacles have moved into the body; at most its own length. */
static double depth_entered(struct move *move)
{
	const struct controllers *controllers = &move->world->controllers;
	double deepest = 0.0, longest = 0.0;
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i) {
		struct obstacle *obstacle = &controllers->obstacles.data[i];
		if (obstacle->rank == OBSTACLE_KINEMATIC && obstacle_bound(obstacle, move->at) < -deepest)
			deepest = max_d(deepest, -obstacle_measure(&move->search, obstacle, move->at));
	}
	for (int k = 0; k < move->world->wing->dimensions; ++k)
		longest = max_d(longest, move->search.box.upper[k] - move->search.box.lower[k]);
	return min_d(deepest, longest);
}

/* Finds the obstacles in the room, which it widens if a kinematic one has entered the body: that pushes it out at once. False:
 * no memory. */
static bool room_search(struct move *move)
{
	if (!obstacles_find(&move->search))
		return false;
	double depth = depth_entered(move);
	if (!(depth > 0.0))
		return true;
	room_widen(move, 2.0 * depth); /* between two surfaces the way out is longer */
	return obstacles_find(&move->search);
}

/* Whether the obstacle is of the body; NONE: of any dynamic or controlled one. */
static bool obstacle_of(const struct move *move, const struct obstacle *obstacle, uint32_t body)
{
	return body == NONE ? obstacle->rank <= OBSTACLE_CONTROLLED : move->world->colliders.data[obstacle->collider].body == body;
}

/* Slides to the target while the obstacles of the body, or of all dynamic and controlled ones (NONE), are none. */
static void slide_without(struct move *move, uint32_t body, struct vec3 target)
{
	const struct controllers *controllers = &move->world->controllers;
	for (int ignored = 1; ignored >= 0; --ignored) {
		for (uint32_t i = 0; i < controllers->obstacles.count; ++i)
			if (obstacle_of(move, &controllers->obstacles.data[i], body))
				controllers->obstacles.data[i].ignored = ignored;
		if (ignored)
			move_slide(move, target);
	}
}

/* Moves the body with the ground that it stands on. Bodies on its head do not keep it from rising with kinematic ground: the
 * step, or their own ground, which it is, will take them up. */
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
	controller_stand(world, id);
	for (uint32_t i = 0; i < controller->contact_count; ++i)
		controller_push(world, controller, &controller->contacts[i], move->dt);
	if (!move->loaded)
		controller_load(world, controller);
}

/* The wanted displacement without what is against the push: the force of the body has not held that. */
static struct vec3 unopposed(struct vec3 wanted, struct vec3 push)
{
	double square = vec3_dot(push, push);
	return square > 0.0 ? vec3_mul_add(wanted, -min_d(vec3_dot(wanted, push), 0.0) / square, push) : wanted;
}

/* The part of the push by bodies that the body has yielded to: none on hard ground under what lies on its head. */
static double part_moved(const struct move *move, struct vec3 push)
{
	double square = vec3_dot(push, push) * move->dt;
	struct vec3 moved = vec3_sub(vec3_sub(move->at, move->start), unopposed(move->wanted, push));
	return square > 0.0 ? clamp_d(vec3_dot(moved, push) / square, 0.0, 1.0) : 0.0;
}

/* Moves the body out of the one that pushes it, at up to the speed of the push: that one follows as fast, and contacts do not
 * part them. */
static void pusher_leave(struct move *move, struct vec3 push)
{
	struct controllers *controllers = &move->world->controllers;
	double speed = vec3_length(push), overlap = 0.0;
	uint32_t pusher = move->controller->pusher.index;
	for (uint32_t i = 0; speed > 0.0 && i < controllers->obstacles.count; ++i)
		if (obstacle_of(move, &controllers->obstacles.data[i], pusher))
			overlap = max_d(overlap, -obstacle_measure(&move->search, &controllers->obstacles.data[i], move->at));
	if (overlap > 0.0)
		slide_without(move, pusher, vec3_mul_add(move->at, min_d(overlap / speed, move->dt), push));
}

static void push_end(struct move *move, struct vec3 push)
{
	struct controller *controller = move->controller;
	double part = part_moved(move, push);
	controller_shove_back(move->world, part);
	if (controller->pushed != move->world->tick)
		controller->push = vec3_scale(part, push);
	controller->pushed = move->world->tick;
}

bool controller_move(struct world *world, uint32_t id, struct vec3 delta, double dt)
{
	struct controller *controller = controller_at(world, id);
	struct move move;
	controller_find(world, id);
	move_begin(world, id, world->colliders.data[controller->collider].shape, controller->to, &move);
	move.dt = dt;
	struct vec3 carried = controller_ground_motion(world, id), push;
	double rise = vec3_dot(delta, controller->up);
	move.wanted = delta;
	move.loaded = controller->state == CONTROLLER_GROUND && controller->pushed == world->tick;
	move.airborne = controller->state == CONTROLLER_AIR;
	move.grounded = controller->state == CONTROLLER_GROUND && rise <= NORMAL_ROUNDING * vec3_length(delta);
	if (!controller_shove(world, controller, vec3_scale(1.0 / dt, delta), &push))
		return false;
	room_set(&move, carried, vec3_scale(2.0 * dt, push), delta);
	if (!room_search(&move))
		return false;
	controller->contact_count = 0;
	carry(&move, carried);
	controller->carried = vec3_mul_add(controller->carried, 1.0 / dt, move.at);
	pusher_leave(&move, push);
	move.start = move.at;
	struct vec3 target = vec3_mul_add(vec3_add(move.start, unopposed(delta, push)), dt, push);
	move_slide(&move, target);
	for (int climbs = 0; climbs < CLIMBS && climb(&move, target); ++climbs) {
		target = vec3_mul_add(target, vec3_dot(vec3_sub(move.at, target), controller->up), controller->up);
		move_slide(&move, target);
	}
	move_settle(&move);
	ground_find(&move);
	if (move.grounded && controller->state != CONTROLLER_GROUND &&
		put_down(&move, max_d(controller->snap_distance, controller->skin)))
		ground_find(&move);
	push_end(&move, push);
	controller->passing = move.search.passes;
	move_end(&move, id);
	return true;
}

/* Settles after the ground has carried the body, away from the ground, too, even if that is dynamic. */
static void carry_end(struct move *move)
{
	const struct controllers *controllers = &move->world->controllers;
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i)
		if (obstacle_of(move, &controllers->obstacles.data[i], move->controller->ground_body.index))
			controllers->obstacles.data[i].rank = OBSTACLE_KINEMATIC;
	move_settle(move);
}

/* A velocity of the body that does not press it into its ground: the point that carries it is not the one that it touches. */
static struct vec3 velocity_along_ground(const struct world *world, uint32_t id, struct vec3 v)
{
	const struct controller *controller = controller_at(world, id);
	double inwards = vec3_dot(controller->ground.normal, vec3_sub(controller_ground_velocity(world, id), v));
	return vec3_mul_add(v, max_d(inwards, 0.0), controller->ground.normal);
}

void controller_carry(struct world *world, uint32_t id, double dt)
{
	static const struct vec3 none = {0.0, 0.0, 0.0};
	struct controller *controller = controller_at(world, id);
	const void *shape = world->colliders.data[controller->collider].shape;
	struct vec3 motion = controller_ground_motion(world, id);
	bool on_belt =
		controller->state == CONTROLLER_GROUND && controller->pushed + 1 >= world->tick; /* found by a move just now */
	struct vec3 belt = on_belt ? vec3_scale(dt, controller->surface) : none;
	struct move move;
	if ((vec3_equal(motion, none) && vec3_equal(belt, none)) || !world->wing->obstacles->is_convex(shape) ||
		!vec3_equal(controller_position(world, id), controller->to))
		return;
	move_begin(world, id, shape, controller->to, &move);
	move.dt = dt;
	room_set(&move, motion, belt, none);
	if (!obstacles_find(&move.search))
		return;
	carry(&move, motion);
	move_slide(&move, vec3_add(move.at, belt));
	controller->carried = velocity_along_ground(world, id, vec3_scale(1.0 / dt, move.at));
	carry_end(&move);
	controller->passing = move.search.passes;
	world->wing->obstacles->place(world, controller->body, vec3_add(move.search.origin, move.at), controller->from);
	controller->to = controller_position(world, id);
	controller->ground.point = vec3_add(controller->ground.point, move.at);
	controller_turn(world, id);
	controller_stand(world, id);
}

/* Of a collider that overlaps the shape. */
static bool hinders(void *context, uint32_t collider)
{
	const struct move *move = context;
	return !obstacle_one_way(&move->search, collider) && admits(context, collider);
}

static bool overlap_end(void *context, uint32_t collider)
{
	bool *fits = context;
	(void)collider;
	return *fits = false;
}

bool controller_fits(struct world *world, uint32_t id, const void *shape, struct vec3 position, bool *fits)
{
	struct move move;
	const struct query_filter filter = {.layers = UINT64_MAX, .accept = hinders, .context = &move};
	move_begin(world, id, shape, position, &move);
	*fits = true;
	/* one-sided surfaces, too, which the search lets a shape pass that is halfway through them */
	query_overlap(world, shape, &move.search.pose, &filter, overlap_end, fits);
	if (!*fits)
		return true;
	if (!obstacles_find(&move.search))
		return false;
	for (uint32_t i = 0; i < world->controllers.obstacles.count && *fits; ++i) {
		struct obstacle *obstacle = &world->controllers.obstacles.data[i];
		*fits = obstacle_bound(obstacle, move.at) > 0.0 || obstacle_measure(&move.search, obstacle, move.at) > 0.0;
	}
	return true;
}
