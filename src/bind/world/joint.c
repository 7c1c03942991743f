/* joint.c - joints: creation from options, completely or not at all (see create.c for the order), and methods for 2D and 3D.
 * Methods that not all types have are in joint_settings.c, those for 3D only in d3_joint.c. */
#include "bind/world/joint.h"
#include "core/gear.h"
#include "core/link.h"

static const struct joint *joint_at(const struct world_object *object, uint32_t joint)
{
	return &object->world->joints.data[joint];
}

/* Raises if the joint is breakable, but has no threshold. */
static void check_breakable(lua_State *L, const char *function, const float thresholds[2], bool breakable)
{
	if (breakable && !(thresholds[0] < INFINITY || thresholds[1] < INFINITY))
		raise_error(L, "%s: a breakable joint needs a forceThreshold or a torqueThreshold", function);
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

/* The body's id; raises unless it is a live body of this world. */
static uint32_t check_joined(lua_State *L, const struct joint_kind *kind, const struct world_object *object,
	const struct reference *reference, const char *name)
{
	if (reference == NULL)
		raise_error(L, "%s: %s is missing", kind->function, name);
	const struct world_object *owner = body_find(reference);
	if (owner == NULL)
		raise_error(L, "%s: %s is destroyed", kind->function, name);
	if (owner != object)
		raise_error(L, "%s: %s must be a body of this world", kind->function, name);
	return reference->handle.index;
}

/* Sets the gear's joints; raises unless these are two live joints of this world with coordinates. */
static void check_geared(
	lua_State *L, const struct joint_kind *kind, const struct world_object *object, struct joint_input *input)
{
	static const char *const names[] = {"jointA", "jointB"};
	uint32_t *joints = input->settings.gear.joints;
	for (int side = 0; side < 2; ++side) {
		if (input->joints[side] == NULL)
			raise_error(L, "%s: %s is missing", kind->function, names[side]);
		const struct world_object *owner = reference_find(input->joints[side]);
		if (owner == NULL)
			raise_error(L, "%s: %s is destroyed", kind->function, names[side]);
		if (owner != object)
			raise_error(L, "%s: %s must be a joint of this world", kind->function, names[side]);
		joints[side] = input->joints[side]->handle.index;
		const char *type = joint_kind(object, joints[side])->name;
		if (gear_coordinate((enum joint_type)joint_at(object, joints[side])->link.solver) < 0)
			raise_error(L, "%s: %s must be a revolute, prismatic%s or wheel joint, got a %s joint", kind->function, names[side],
				object->dimension->axes == 3 ? ", cylindrical" : "", type);
	}
	if (joints[0] == joints[1])
		raise_error(L, "%s: jointA and jointB must be two joints", kind->function);
}

static void check_bodies(lua_State *L, const struct joint_kind *kind, const struct world_object *object,
	struct joint_input *input, uint32_t bodies[2])
{
	if (kind->type == JOINT_GEAR) {
		check_geared(L, kind, object, input);
		gear_bodies(object->world, input->settings.gear.joints, bodies);
		return;
	}
	bodies[0] = input->bodies[0] ? check_joined(L, kind, object, input->bodies[0], "bodyA") : NONE;
	bodies[1] = check_joined(L, kind, object, input->bodies[1], kind->type == JOINT_MOUSE ? "body" : "bodyB");
	if (bodies[0] == bodies[1])
		raise_error(L, "%s: bodyA and bodyB must be two bodies", kind->function);
}

/* Checks again after a call that may have run a finalizer, and reserves the slot of the joint's handle. */
static void check_again(
	lua_State *L, const struct joint_kind *kind, struct world_object *object, struct joint_input *input, uint32_t bodies[2])
{
	check_world_again(L, object, kind->function);
	check_bodies(L, kind, object, input, bodies);
	reference_reserve(L, object, JOINT_AT_ENVIRONMENT, JOINT_AT_JOINT, 0);
}

/* Allocates the joint's handle, and keeps its name and data. */
static struct reference *handle_create(
	lua_State *L, const struct joint_kind *kind, struct world_object *object, struct joint_input *input, uint32_t bodies[2])
{
	struct reference *reference = reference_create(L, object, object->dimension->joint, JOINT_AT_ENVIRONMENT);
	check_again(L, kind, object, input, bodies);
	if (lua_isnil(L, JOINT_AT_NAME) && lua_isnil(L, JOINT_AT_DATA))
		return reference;
	value_keep(L, JOINT_AT_ENVIRONMENT, ENV_NAMES, JOINT_AT_JOINT, JOINT_AT_NAME);
	data_keep(L, JOINT_AT_ENVIRONMENT, JOINT_AT_JOINT, JOINT_AT_DATA);
	check_again(L, kind, object, input, bodies);
	return reference;
}

/* Creates the joint, and its mount if it holds body B to the world. NONE: no memory, nothing changed. */
static uint32_t create(const struct dimension *dimension, const struct joint_kind *kind, struct world *world,
	struct joint_input *input, const uint32_t bodies[2])
{
	uint32_t ends[2] = {bodies[0], bodies[1]};
	bool watched = input->thresholds[0] < INFINITY || input->thresholds[1] < INFINITY;
	if ((watched || kind->type == JOINT_GEAR) && !joint_events_reserve(world))
		return NONE;
	if (input->path_points != NULL) {
		input->settings.path.curve =
			curve_create(world->memory, input->path_points, input->path_count, dimension->axes, input->path_loop);
		if (input->settings.path.curve == NULL)
			return NONE;
	}
	if (bodies[0] == NONE)
		ends[0] = dimension->mount_create(world, input->position);
	uint32_t id = ends[0] == NONE ? NONE : dimension->joint_create(world, kind->type, input, ends);
	if (id == NONE && bodies[0] == NONE && ends[0] != NONE)
		mount_destroy(world, ends[0]);
	if (id == NONE) {
		curve_destroy(world->memory, input->settings.path.curve);
		return NONE;
	}
	joint_set_enabled(world, id, input->enabled);
	if (!isnan(input->softness[0]) || !isnan(input->softness[1]))
		joint_set_soft(world, id, input->softness[0], input->softness[1]);
	if (watched)
		joint_watch(world, id, input->thresholds, input->breakable);
	return id;
}

/* The world's frame has its origin at the anchor. */
static void set_mount(struct joint_input *input)
{
	if (input->given_points[0])
		memcpy(input->position, input->points[0], sizeof input->position);
	if (!input->given_anchors[0])
		return;
	memcpy(input->position, input->anchors[0], sizeof input->position);
	memset(input->anchors[0], 0, sizeof input->anchors[0]);
}

_Static_assert(JOINT_AT_ENVIRONMENT == JOINT_AT_OPTIONS + 1, "the environment is pushed after the arguments");

int joint_new(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	struct world_object *object = check_world_of(L, method->name, upvalue_address(L, 2));
	const struct joint_kind *kind = object->dimension->joint_kinds[method->number];
	struct joint_input input;
	uint32_t bodies[2];
	check_unlocked(L, object, kind->function);
	lua_settop(L, JOINT_AT_OPTIONS);
	luaL_checkstack(L, 40, kind->function);
	attached_get(L, JOINT_AT_SELF);
	lua_settop(L, JOINT_AT_JOINT - 1);
	joint_parse(L, kind, object, &input);
	check_breakable(L, kind->function, input.thresholds, input.breakable);
	check_bodies(L, kind, object, &input, bodies);
	if (bodies[0] == NONE)
		set_mount(&input);
	object->dimension->joint_frames(L, kind, object->world, &input, bodies);
	struct reference *reference = handle_create(L, kind, object, &input, bodies);
	uint32_t id = create(object->dimension, kind, object->world, &input, bodies);
	if (id == NONE) {
		value_drop(L, JOINT_AT_ENVIRONMENT, ENV_NAMES, JOINT_AT_JOINT);
		value_drop(L, JOINT_AT_ENVIRONMENT, ENV_DATA, JOINT_AT_JOINT);
		raise_memory(L, kind->function);
	}
	reference_commit(reference, object, id);
	return 1; /* JOINT_AT_JOINT is the top of the stack */
}

/* --- Gears on a joint ----------------------------------------------------------------------------------------------------- */

static uint32_t first_of(const struct world_object *object, uint32_t joint, int side)
{
	return object->world->bodies.data[joint_bodies(object->world, joint)[side]].links[LINK_JOINT];
}

/* A finalizer may change the list being traversed; the traversal then starts again, which is harmless. */
bool gears_keep(lua_State *L, struct world_object *object, int environment, const struct reference *reference, uint32_t joint)
{
	const struct handle own = {joint, joint_at(object, joint)->generation};
	for (int side = 0; side < 2 && joint_at(object, joint)->gears > 0; ++side)
		for (uint32_t key = first_of(object, joint, side); key != NONE;) {
			const struct handle gear = {key / 2, joint_at(object, key / 2)->generation};
			if (gear_couples(object->world, gear.index, joint)) {
				const struct reference *made = push_made(L, environment, &class_joint, gear);
				if (made && joint_keeps(object, made))
					dead_keep(L, object, environment, made);
				lua_pop(L, 1);
				if (reference_find(reference) == NULL)
					return false;
				if (!handle_valid_joint(object->world, own))
					return true;
			}
			key = handle_valid_joint(object->world, gear) ? link_next(object->world, LINK_JOINT, key)
														  : first_of(object, joint, side);
		}
	return true;
}

void gears_retire(lua_State *L, const struct world_object *object, int environment, uint32_t joint)
{
	for (int side = 0; side < 2 && joint_at(object, joint)->gears > 0; ++side)
		for (uint32_t key = first_of(object, joint, side); key != NONE; key = link_next(object->world, LINK_JOINT, key))
			if (gear_couples(object->world, key / 2, joint))
				reference_retire(L, object, environment, &class_joint, key / 2);
}

/* --- Lifetime ------------------------------------------------------------------------------------------------------------- */

static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_joint, &reference);
	if (object == NULL)
		return 0;
	if (joint_keeps(object, reference)) {
		environment_open(L);
		lua_pushvalue(L, 1);
		dead_keep(L, object, 2, reference);
		if (reference_find(reference) == NULL)
			return 0;
	}
	if (joint_at(object, reference->handle.index)->gears > 0) {
		environment_open(L);
		if (!gears_keep(L, object, 2, reference, reference->handle.index))
			return 0;
		gears_retire(L, object, 2, reference->handle.index);
	}
	reference->destroyed = true;
	joint_destroy(object->world, reference->handle.index);
	return 0;
}

static int get_body(lua_State *L)
{
	const struct method *side = upvalue_address(L, 3);
	uint32_t joint;
	struct world_object *object = check_reference(L, side->name, &joint);
	attached_get(L, 1);
	push_live(L, object, lua_gettop(L), &class_body, joint_at(object, joint)->link.bodies[side->number]);
	return 1;
}

static int get_anchor(lua_State *L)
{
	const struct method *side = upvalue_address(L, 3);
	uint32_t joint;
	double points[2][3];
	const struct world_object *object = check_own(L, side->name, &joint);
	object->dimension->joint_anchors(object->world, joint, points);
	return push_numbers(L, object->dimension->axes, points[side->number]);
}

static bool in_space(const struct world_object *object)
{
	return object->dimension->axes == 3;
}

static int get_axis(lua_State *L)
{
	const struct method *side = upvalue_address(L, 3);
	uint32_t joint;
	double axes[3][3];
	const struct world_object *object = check_own(L, side->name, &joint);
	object->dimension->joint_basis(object->world, joint, side->number, axes);
	return push_numbers(L, object->dimension->axes, axes[in_space(object) ? 2 : 0]);
}

static int set_frames(lua_State *L)
{
	uint32_t joint;
	struct joint_input input;
	struct world_object *object = check_reference_change(L, "setFrames", &joint);
	const struct dimension *dimension = object->dimension;
	struct joint_kind kind = *joint_kind(object, joint);
	const uint32_t *bodies = joint_bodies(object->world, joint);
	uint32_t ends[2] = {bodies[0], bodies[1]};
	if (kind.frame == NULL || kind.type == JOINT_MOUSE)
		raise_error(L, "setFrames: a %s joint has no frames to set", kind.name);
	kind.function = "setFrames";
	lua_settop(L, JOINT_AT_OPTIONS);
	luaL_checkstack(L, 40, kind.function);
	lua_settop(L, JOINT_AT_JOINT - 1);
	joint_parse_frames(L, &kind, object, &input);
	bool moves = object->world->bodies.data[ends[0]].mount &&
		(input.given_position[0] || input.given_points[0] || input.given_anchors[0]);
	dimension->joint_frames_keep(object->world, joint, &input);
	if (moves) {
		ends[0] = NONE;
		set_mount(&input);
	}
	dimension->joint_frames(L, &kind, object->world, &input, ends);
	if (moves)
		dimension->mount_move(object->world, bodies[0], input.position);
	dimension->joint_set_frames(object->world, joint, &input);
	return 0;
}

enum { FORCE, TORQUE };

static int get_reaction(lua_State *L)
{
	const struct method *reaction = upvalue_address(L, 3);
	uint32_t joint;
	struct vec3 reactions[2];
	const struct world_object *object = check_own(L, reaction->name, &joint);
	object->world->wing->joint_reactions(object->world, joint, reactions);
	int count = reaction->number == TORQUE && !in_space(object) ? 1 : object->dimension->axes;
	return push_numbers(L, count, &reactions[reaction->number].x);
}

/* --- Thresholds ----------------------------------------------------------------------------------------------------------- */

static int get_threshold(lua_State *L)
{
	const struct method *reaction = upvalue_address(L, 3);
	uint32_t joint;
	const struct world_object *object = check_reference(L, reaction->name, &joint);
	float threshold = joint_at(object, joint)->thresholds[reaction->number];
	if (threshold < INFINITY)
		lua_pushnumber(L, threshold);
	else
		lua_pushnil(L);
	return 1;
}

static void watch(
	lua_State *L, struct world_object *object, const char *function, uint32_t joint, const float thresholds[2], bool breakable)
{
	check_breakable(L, function, thresholds, breakable);
	if (!joint_events_reserve(object->world))
		raise_memory(L, function);
	joint_watch(object->world, joint, thresholds, breakable);
}

static int set_threshold(lua_State *L)
{
	static const char *const names[] = {"forceThreshold", "torqueThreshold"};
	const struct method *reaction = upvalue_address(L, 3);
	uint32_t joint;
	struct world_object *object = check_reference_change(L, reaction->name, &joint);
	float thresholds[2];
	memcpy(thresholds, joint_at(object, joint)->thresholds, sizeof thresholds);
	thresholds[reaction->number] = INFINITY;
	if (!lua_isnoneornil(L, 2))
		thresholds[reaction->number] = arg_float(L, 2, reaction->name, names[reaction->number], &range_threshold);
	watch(L, object, reaction->name, joint, thresholds, joint_at(object, joint)->breakable);
	return 0;
}

static int is_breakable(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_reference(L, "isBreakable", &joint);
	lua_pushboolean(L, joint_at(object, joint)->breakable);
	return 1;
}

static int set_breakable(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_reference_change(L, "setBreakable", &joint);
	watch(
		L, object, "setBreakable", joint, joint_at(object, joint)->thresholds, arg_boolean(L, 2, "setBreakable", "breakable"));
	return 0;
}

/* --- Lists of methods ----------------------------------------------------------------------------------------------------- */

const struct method joint_getters[] = {
	{"getBodyA", get_body, 0},
	{"getBodyB", get_body, 1},
	{"getAnchorA", get_anchor, 0},
	{"getAnchorB", get_anchor, 1},
	{"getAxisA", get_axis, 0},
	{"getAxisB", get_axis, 1},
	{"getReactionForce", get_reaction, FORCE},
	{"getReactionTorque", get_reaction, TORQUE},
	{"getForceThreshold", get_threshold, FORCE},
	{"setForceThreshold", set_threshold, FORCE},
	{"getTorqueThreshold", get_threshold, TORQUE},
	{"setTorqueThreshold", set_threshold, TORQUE},
	{NULL, NULL, 0},
};

static int is_collide_connected(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_reference(L, "isCollideConnected", &joint);
	lua_pushboolean(L, joint_at(object, joint)->collides);
	return 1;
}

static int set_collide_connected(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_reference_change(L, "setCollideConnected", &joint);
	joint_set_collides(object->world, joint, arg_boolean(L, 2, "setCollideConnected", "collide"));
	return 0;
}

static int is_enabled(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_reference(L, "isEnabled", &joint);
	lua_pushboolean(L, joint_at(object, joint)->enabled);
	return 1;
}

static int set_enabled(lua_State *L)
{
	uint32_t joint;
	struct world_object *object = check_reference_change(L, "setEnabled", &joint);
	joint_set_enabled(object->world, joint, arg_boolean(L, 2, "setEnabled", "enabled"));
	return 0;
}

static int get_type(lua_State *L)
{
	uint32_t joint;
	const struct world_object *object = check_own(L, "getType", &joint);
	lua_pushstring(L, joint_kind(object, joint)->name);
	return 1;
}

const luaL_Reg joint_methods[] = {
	{"destroy", destroy},
	{"isValid", reference_is_valid},
	{"getWorld", reference_get_world},
	{"getType", get_type},
	{"setFrames", set_frames},
	{"isCollideConnected", is_collide_connected},
	{"setCollideConnected", set_collide_connected},
	{"isEnabled", is_enabled},
	{"setEnabled", set_enabled},
	{"isBreakable", is_breakable},
	{"setBreakable", set_breakable},
	{"getName", reference_get_name},
	{"setName", reference_set_name},
	{NULL, NULL},
};

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* From the oldest to the newest: the body's list starts with the newest. */
static uint32_t gather_joints(const struct world *world, uint32_t body, struct handle *handles)
{
	uint32_t count = world->bodies.data[body].link_counts[LINK_JOINT], i = count;
	for (uint32_t key = world->bodies.data[body].links[LINK_JOINT]; handles && key != NONE;
		 key = link_next(world, LINK_JOINT, key))
		handles[--i] = (struct handle){key / 2, world->joints.data[key / 2].generation};
	return count;
}

int body_get_joints(lua_State *L)
{
	return body_list(L, "getJoints", &class_joint, gather_joints);
}
