/* controller.c - creating, destroying and following controllers. See controller.h; the move itself: controller_move.c. */
#include "core/controller.h"
#include "core/obstacle.h"
#include "core/path.h"
#include "core/touched.h"

/* --- Life ----------------------------------------------------------------------------------------------------------------- */

uint32_t controller_create(struct world *world, const struct controller_input *input)
{
	struct controllers *controllers = &world->controllers;
	uint32_t end = controllers->ids.end + 1;
	if (!ids_reserve(world->memory, &controllers->ids, end) || !array_reserve(world->memory, &controllers->all, end))
		return NONE;
	uint32_t id = ids_take(&controllers->ids);
	controllers->all.count = controllers->ids.end;
	controllers->all.data[id] = (struct controller){
		.generation = ++world->serial,
		.valid = true,
		.state = CONTROLLER_AIR,
		.body = input->body,
		.collider = input->collider,
		.up = input->up,
		.turned_up = input->up,
		.step_height = input->step_height,
		.snap_distance = input->snap_distance,
		.skin = input->skin,
		.mass = input->mass,
		.max_force = input->max_force,
		.pushed = world->tick,
	};
	record_touch(world, TOUCHED_BODIES, input->body);
	world->bodies.data[input->body].controlled = true;
	controller_set_slope(world, id, input->slope_angle);
	struct controller *controller = &controllers->all.data[id];
	controller->from = controller->to = controller->shown = controller_position(world, id);
	return id;
}

void controller_destroy(struct world *world, uint32_t id)
{
	struct controller *controller = controller_at(world, id);
	record_touch(world, TOUCHED_BODIES, controller->body);
	world->bodies.data[controller->body].controlled = false;
	controller->valid = false;
	++world->ended;
	ids_give(&world->controllers.ids, id);
}

/* The controller of the body; NONE: it has none. */
static uint32_t controller_of(const struct world *world, uint32_t body)
{
	for (uint32_t id = 0; world->bodies.data[body].controlled && id < world->controllers.all.count; ++id)
		if (controller_at(world, id)->valid && controller_at(world, id)->body == body)
			return id;
	return NONE;
}

void controllers_destroy_of_body(struct world *world, uint32_t body)
{
	uint32_t id = controller_of(world, body);
	if (id != NONE)
		controller_destroy(world, id);
}

void controllers_destroy_of_collider(struct world *world, uint32_t collider)
{
	uint32_t id = controller_of(world, world->colliders.data[collider].body);
	if (id != NONE && controller_at(world, id)->collider == collider)
		controller_destroy(world, id);
}

void controllers_free(struct world *world)
{
	ids_free(world->memory, &world->controllers.ids);
	array_free(world->memory, &world->controllers.all);
	array_free(world->memory, &world->controllers.obstacles);
	array_free(world->memory, &world->controllers.shoves);
}

/* --- State ---------------------------------------------------------------------------------------------------------------- */

struct vec3 controller_position(const struct world *world, uint32_t id)
{
	return world->wing->body_frame(world, controller_at(world, id)->body).origin;
}

/* The body is where it is by no move. */
static void controller_forget(struct world *world, uint32_t id)
{
	struct controller *controller = controller_at(world, id);
	controller->from = controller->to = controller->shown = controller_position(world, id);
	controller->carried = controller->push = (struct vec3){0.0, 0.0, 0.0};
	controller->state = CONTROLLER_AIR;
	controller->passing = false;
}

void controller_find(struct world *world, uint32_t id)
{
	if (!vec3_equal(controller_position(world, id), controller_at(world, id)->to))
		controller_forget(world, id);
}

void controller_set_slope(struct world *world, uint32_t id, double angle)
{
	controller_at(world, id)->slope_angle = angle;
	controller_at(world, id)->slope_cosine = scalar_cos_sin_d(angle).cosine;
}

/* The part of a turn of the ground that `up`, which has changed by `set` meanwhile, has followed: all of it if `up` is along
 * the ground's normal. Where the body walks against the turn, `set` alone would not tell. */
static double part_followed(const struct controller *controller, struct vec3 turn, struct vec3 set)
{
	double square = vec3_dot(turn, turn);
	struct vec3 aside = vec3_sub(controller->up, vec3_add(controller->ground.normal, turn));
	if (!(square > 0.0))
		return 0.0;
	return vec3_dot(aside, aside) < 0.25 * square ? 1.0 : clamp_d(vec3_dot(set, turn) / square, 0.0, 1.0);
}

/* Moves the body, which turns about its origin with its ground, so that it stays over its foot: by the part that the ground
 * has turned it. Else it would slip on a planet that turns. */
static void turn_with_ground(struct world *world, uint32_t id, struct vec3 before)
{
	struct controller *controller = controller_at(world, id);
	struct vec3 turn = vec3_sub(controller->turned_up, before), set = vec3_sub(controller->up, before);
	double part = part_followed(controller, turn, set);
	double height = vec3_dot(vec3_sub(controller->ground.point, controller->to), before);
	controller->turned_up = controller->up;
	if (!(part > 0.0) || controller->state != CONTROLLER_GROUND || !vec3_equal(controller_position(world, id), controller->to))
		return;
	struct vec3 to = vec3_mul_add(controller->to, -height * part, turn);
	world->wing->obstacles->place(world, controller->body, to, controller->from);
	controller->to = controller_position(world, id);
	controller_stand(world, id);
}

void controller_set_up(struct world *world, uint32_t id, struct vec3 up)
{
	struct controller *controller = controller_at(world, id);
	struct vec3 before = controller->up;
	if (before.x == up.x && before.y == up.y && before.z == up.z)
		return;
	controller->up = up;
	if (vec3_length(before) > 0.0)
		world->wing->obstacles->turn(world, controller->body, before, up);
	turn_with_ground(world, id, before);
}

struct vec3 controller_ground_velocity(const struct world *world, uint32_t id)
{
	const struct controller *controller = controller_at(world, id);
	struct vec3 w, v = body_velocity(world, controller->ground_body.index, &w);
	struct vec3 arm = vec3_sub(controller->ground.point, body_center(world, controller->ground_body.index));
	return vec3_add(vec3_add(v, vec3_cross(w, arm)), controller->surface);
}

/* Whether the body stood on, or slid down, something that may move, after its last move. */
static bool on_moving_ground(const struct world *world, const struct controller *controller)
{
	return controller->state != CONTROLLER_AIR && handle_valid_body(world, controller->ground_body) &&
		world->bodies.data[controller->ground_body.index].type != BODY_STATIC;
}

struct vec3 controller_ground_motion(const struct world *world, uint32_t id)
{
	const struct controller *controller = controller_at(world, id);
	struct vec3 none = {0.0, 0.0, 0.0};
	if (controller->state != CONTROLLER_GROUND || !on_moving_ground(world, controller))
		return none;
	struct frame3 frame = world->wing->body_frame(world, controller->ground_body.index);
	struct vec3 motion = vec3_sub(frame3_point(&frame, controller->anchor), controller->foot);
	return vec3_length(motion) > 1e-7 * controller->skin ? motion : none;
}

void controller_turn(struct world *world, uint32_t id)
{
	struct controller *controller = controller_at(world, id);
	if (controller->state != CONTROLLER_GROUND || !on_moving_ground(world, controller))
		return;
	struct frame3 frame = world->wing->body_frame(world, controller->ground_body.index);
	struct vec3 turned = frame3_out(&frame, controller->anchor_up);
	double length = vec3_length(turned);
	controller->turned_up = length > 0.0 ? vec3_scale(1.0 / length, turned) : controller->up;
}

void controller_stand(struct world *world, uint32_t id)
{
	struct controller *controller = controller_at(world, id);
	controller->foot = controller->anchor = controller->anchor_up = (struct vec3){0.0, 0.0, 0.0};
	if (!on_moving_ground(world, controller)) {
		controller->turned_up = controller->up;
		return;
	}
	struct frame3 frame = world->wing->body_frame(world, controller->ground_body.index);
	double height = vec3_dot(vec3_sub(controller->ground.point, controller->to), controller->up);
	controller->foot = vec3_mul_add(controller->to, height, controller->up);
	controller->anchor = frame3_in(&frame, vec3_sub(controller->foot, frame.origin));
	controller->anchor_up = frame3_in(&frame, controller->turned_up);
}

/* --- Steps ---------------------------------------------------------------------------------------------------------------- */

/* Whether the controller moves its body: the user may have made it dynamic, or disabled it. */
static bool is_active(const struct world *world, const struct controller *controller)
{
	const struct body *body = &world->bodies.data[controller->body];
	return controller->valid && body->type == BODY_KINEMATIC && body->set != SET_DISABLED;
}

static bool has_joints(const struct world *world, const struct controller *controller)
{
	return world->bodies.data[controller->body].link_counts[LINK_JOINT] > 0;
}

/* A body that has moved since the last step is where it has ended its move, and goes on with its ground. Its own motion pushes
 * nothing: the move has done that, by the force that the body has. But a body with joints takes along the bodies on them, and
 * makes all of its motion in the step. */
static void body_begin_step(struct world *world, uint32_t id, double dt)
{
	struct controller *controller = controller_at(world, id);
	const struct obstacle_wing *wing = world->wing->obstacles;
	controller_find(world, id);
	struct vec3 v = vec3_scale(1.0 / dt, vec3_sub(controller->to, controller->from));
	if (vec3_equal(controller->from, controller->to))
		return;
	wing->set_velocity(world, controller->body, v); /* wakes it and what it touches */
	if (has_joints(world, controller))
		wing->place(world, controller->body, controller->from, controller->to);
	else
		wing->set_velocity(world, controller->body, controller->carried);
}

void controllers_begin_step(struct world *world, double dt)
{
	for (uint32_t id = 0; dt > 0.0 && id < world->controllers.all.count; ++id) {
		if (is_active(world, controller_at(world, id)))
			body_begin_step(world, id, dt);
		else if (controller_at(world, id)->valid)
			controller_forget(world, id);
	}
}

/* Puts the body where its moves have led, makes the path of this step that of the moves, and marks a fast body for sensors that
 * it may have passed. */
static void body_end_sweep(struct world *world, const struct controller *controller)
{
	world->wing->obstacles->place(world, controller->body, controller->to, controller->from);
	world->wing->obstacles->start(world, controller->body, controller->from);
	struct body_line line = world->wing->sweep->line(world, controller->body);
	if (world->sensor_count > 0 && vec3_length(line.delta) > 0.5 * (double)line.inner)
		bits_set(&world->passing_bodies, controller->body);
}

void controllers_end_sweep(struct world *world)
{
	for (uint32_t id = 0; id < world->controllers.all.count; ++id) {
		const struct controller *controller = controller_at(world, id);
		if (is_active(world, controller) && !vec3_equal(controller->from, controller->to))
			body_end_sweep(world, controller);
	}
}

static void body_end_step(struct world *world, struct controller *controller)
{
	static const struct vec3 still = {0.0, 0.0, 0.0};
	if (vec3_equal(controller->from, controller->to))
		return;
	world->wing->obstacles->place(world, controller->body, controller->to, controller->from); /* steps may end early */
	world->wing->obstacles->set_velocity(world, controller->body, still);
	controller->from = controller->to;
	controller->carried = still;
}

enum { TOWER = 64 };

/* Carries the body with its ground; if that is another controlled body, after that one: in towers of up to `depth`. Two that
 * stand on each other stay. */
static void body_carry(struct world *world, uint32_t id, double dt, int depth)
{
	struct controller *controller = controller_at(world, id);
	if (!is_active(world, controller) || has_joints(world, controller) || controller->carried_in == world->tick)
		return;
	controller->carried_in = world->tick;
	uint32_t ground = on_moving_ground(world, controller) ? controller_of(world, controller->ground_body.index) : NONE;
	if (ground != NONE && depth > 0)
		body_carry(world, ground, dt, depth - 1);
	if (ground == NONE || controller_at(world, ground)->state == CONTROLLER_AIR ||
		controller_at(world, ground)->ground_body.index != controller->body)
		controller_carry(world, id, dt);
}

void controllers_end_step(struct world *world, double dt)
{
	if (!(dt > 0.0))
		return;
	for (uint32_t id = 0; id < world->controllers.all.count; ++id)
		if (is_active(world, controller_at(world, id)))
			body_end_step(world, controller_at(world, id));
	for (uint32_t id = 0; id < world->controllers.all.count; ++id)
		body_carry(world, id, dt, TOWER);
	for (uint32_t id = 0; id < world->controllers.all.count; ++id) {
		struct controller *controller = controller_at(world, id);
		if (is_active(world, controller) && !vec3_equal(controller->shown, controller->to))
			world->wing->obstacles->start(world, controller->body, controller->shown);
		controller->shown = controller->to;
	}
}
