/* create.c - creates bodies and colliders from options, completely or not at all.
 * This order leaves the world unchanged after any failure: check all options; allocate handles and table slots (which may run
 * script code, so check the world again); call the engine, and undo its changes if memory runs out; store into slots that
 * exist. */
#include "bind/world/create.h"
#include "core/body.h"
#include "core/collider.h"
#include "core/event.h"
#include "core/sleep.h"

#include <assert.h>

/* --- A body's options ----------------------------------------------------------------------------------------------------- */

static void option_vector(
	lua_State *L, const struct world_object *object, const struct path *path, const struct range *range, double out[3])
{
	value_vector(L, lua_gettop(L), *path, range, object->dimension->axes, out);
}

static void position_option(
	lua_State *L, const struct world_object *object, struct body_input *input, int option, const struct path *path)
{
	if (option == BODY_POSITION) {
		option_vector(L, object, path, &range_position, input->position);
		input->given_position = true;
	} else {
		input->position[option == BODY_X ? 0 : option == BODY_Y ? 1 : 2] = value_number(L, -1, path, &range_position);
		input->given_x = true;
	}
	if (input->given_x && input->given_position)
		raise_error(L,
			object->dimension->axes == 2 ? "newBody: position and x, y must not both be given"
										 : "newBody: position and x, y, z must not both be given");
}

/* Reads the list `positions` at AT_POSITIONS into object->bulk, for use before anything else can run. Returns the number of
 * positions. */
static uint32_t positions_read(lua_State *L, struct world_object *object)
{
	uint32_t axes = (uint32_t)object->dimension->axes;
	struct path path = {"newBodies", NULL, 0, "positions", 0};
	uint32_t numbers = value_list(L, AT_POSITIONS, &path);
	if (numbers % axes != 0)
		raise_got(L, &path, axes == 2 ? "have two numbers for each body" : "have three numbers for each body",
			lua_pushfstring(L, "%d", (int)numbers));
	if (!array_reserve(&object->memory, &object->bulk, numbers))
		raise_memory(L, "newBodies");
	for (uint32_t i = 0; i < numbers; ++i) {
		path.element = (int)i + 1;
		lua_rawgeti(L, AT_POSITIONS, (int)i + 1);
		object->bulk.data[i] = value_number(L, -1, &path, &range_position);
		lua_pop(L, 1);
	}
	return numbers / axes;
}

static void positions_option(lua_State *L, struct world_object *object, struct body_input *input)
{
	value_copy(L, -1, AT_POSITIONS);
	input->count = positions_read(L, object);
	input->given_position = true;
}

static void body_option(
	lua_State *L, struct world_object *object, struct body_input *input, int option, const struct path *path)
{
	switch (option) {
	case BODY_TYPE: input->type = check_body_type(L, -1, path); break;
	case BODY_X:
	case BODY_Y:
	case BODY_POSITION: position_option(L, object, input, option, path); break;
	case BODY_POSITIONS: positions_option(L, object, input); break;
	case BODY_LINEAR_VELOCITY: option_vector(L, object, path, &range_velocity, input->velocity); break;
	case BODY_LINEAR_DAMPING: input->linear_damping = (float)value_number(L, -1, path, &range_coefficient); break;
	case BODY_ANGULAR_DAMPING: input->angular_damping = (float)value_number(L, -1, path, &range_coefficient); break;
	case BODY_GRAVITY_SCALE: input->gravity_scale = (float)value_number(L, -1, path, &range_signed); break;
	case BODY_SLEEP_THRESHOLD: input->sleep_threshold = (float)value_number(L, -1, path, &range_speed); break;
	case BODY_SLEEPING_ALLOWED: input->sleeping_allowed = value_boolean(L, -1, path); break;
	case BODY_AWAKE: input->awake = value_boolean(L, -1, path); break;
	case BODY_ENABLED: input->enabled = value_boolean(L, -1, path); break;
	case BODY_BULLET: input->bullet = value_boolean(L, -1, path); break;
	case BODY_MASS:
		input->mass = (float)value_number(L, -1, path, &range_mass);
		input->given_mass = true;
		break;
	case BODY_CENTER:
		option_vector(L, object, path, &range_local, input->center);
		input->given_center = true;
		break;
	case BODY_NAME:
		value_name(L, lua_gettop(L), path);
		value_copy(L, -1, AT_NAME);
		break;
	case BODY_COLOR:
		value_color(L, lua_gettop(L), path);
		value_copy(L, -1, AT_COLOR);
		break;
	case BODY_SHAPES:
		input->shapes = value_list(L, lua_gettop(L), path);
		input->given_shapes = true;
		value_copy(L, -1, AT_SHAPES);
		break;
	default:
		if (object->dimension->axes == 3 && option == BODY_Z)
			position_option(L, object, input, option, path);
		else
			object->dimension->body_option(L, input, option, path);
	}
}

static void parse_body(
	lua_State *L, struct world_object *object, bool many, struct body_input *input, struct collider_input *single)
{
	const char *function = many ? "newBodies" : "newBody";
	struct options options = {.path = {function, NULL, 0, "options", 0},
		.set = many ? object->dimension->bodies_options : object->dimension->body_options};
	bool collider_keys = false;
	*input = (struct body_input){.function = function,
		.many = many,
		.count = 1,
		.type = BODY_DYNAMIC,
		.gravity_scale = 1,
		.sleep_threshold = 0.05f * object->world->settings.length_scale,
		.sleeping_allowed = true,
		.awake = true,
		.enabled = true};
	*single = collider_defaults;
	options_begin(L, object->shared, &options, AT_OPTIONS);
	for (int option; (option = options_next(L, &options)) != 0;) {
		if (option == COLLIDER_DATA) {
			value_copy(L, -1, AT_DATA);
		} else if (option < COLLIDER_END) {
			collider_option(L, object, single, option, &options.path);
			collider_keys |= option != COLLIDER_SHAPE;
		} else {
			body_option(L, object, input, option, &options.path);
		}
	}
	collider_finish(single);
	object->dimension->body_check(L, input);
	if (input->type == BODY_DYNAMIC && single->shape != NULL)
		check_solid(L, object, single->shape, single->options.sensor, PATH(function, "shape"));
	if (input->given_shapes && single->shape)
		raise_error(L, "%s: shape and shapes must not both be given", function);
	if (collider_keys && single->shape == NULL)
		raise_error(L,
			input->given_shapes ? "%s: density, friction and the like belong into the entries of shapes"
								: "%s: shape is missing, but its density, friction or the like is given",
			function);
	if (many && !input->given_position)
		raise_error(L, "newBodies: positions is missing");
	for (uint32_t i = 0; i < input->shapes; ++i) {
		struct collider_input entry;
		entry_parse(L, object, input, i, false, &entry);
	}
}

/* --- Allocating ----------------------------------------------------------------------------------------------------------- */

/* Pushes the data of entry i of the list `shapes`. */
static void push_entry_data(lua_State *L, uint32_t i)
{
	lua_rawgeti(L, AT_SHAPES, (int)i + 1);
	lua_pushliteral(L, "data");
	if (lua_istable(L, -2)) {
		lua_rawget(L, -2);
	} else {
		lua_pop(L, 1); /* a finalizer has changed the list: check_again will raise */
		lua_pushnil(L);
	}
	lua_remove(L, -2);
}

/* Makes the body of this index, from 0, the one that the functions below serve, with its handle at AT_HANDLE. False: it is past
 * the last. */
static bool body_select(lua_State *L, struct body_input *input, uint32_t index)
{
	if (index == input->count)
		return false;
	input->index = index;
	if (input->many) {
		lua_rawgeti(L, AT_LIST, (int)index + 1);
		lua_replace(L, AT_HANDLE);
	}
	return true;
}

/* The place of entry i of the body's list `shapes` in the table at AT_COLLIDERS, from 0. */
static uint32_t entry_at(const struct body_input *input, uint32_t i)
{
	return input->index * input->shapes + i;
}

/* Creates the body's handle, and those of the colliders that have data; other colliders get theirs when a script asks for
 * it. */
static void handles_create(lua_State *L, struct world_object *object, const struct body_input *input)
{
	reference_create(L, object, object->dimension->body, AT_ENVIRONMENT);
	for (uint32_t i = 0; i < input->shapes; ++i) {
		push_entry_data(L, i);
		if (!lua_isnil(L, -1)) {
			if (lua_isnil(L, AT_COLLIDERS)) {
				lua_newtable(L);
				lua_replace(L, AT_COLLIDERS);
			}
			reference_create(L, object, object->dimension->collider, AT_ENVIRONMENT);
			lua_rawseti(L, AT_COLLIDERS, (int)entry_at(input, i) + 1);
		}
		lua_settop(L, AT_END - 1);
	}
}

/* Pushes the handle of the collider of entry i of the list `shapes`; if there is none, pushes nothing and returns false. */
static bool push_entry_handle(lua_State *L, const struct body_input *input, uint32_t i)
{
	if (lua_isnil(L, AT_COLLIDERS))
		return false;
	lua_rawgeti(L, AT_COLLIDERS, (int)entry_at(input, i) + 1);
	bool there = !lua_isnil(L, -1);
	if (!there)
		lua_pop(L, 1);
	return there;
}

static void slots_reserve(lua_State *L, struct world_object *object, const struct body_input *input)
{
	shapes_reserve(L, object, AT_ENVIRONMENT, input->count * (input->shapes + 1));
	reference_reserve(L, object, AT_ENVIRONMENT, AT_HANDLE, input->index);
	for (uint32_t i = 0; i < input->shapes; ++i)
		if (push_entry_handle(L, input, i)) {
			reference_reserve(L, object, AT_ENVIRONMENT, AT_END, entry_at(input, i));
			lua_pop(L, 1);
		}
}

static void values_keep(lua_State *L, const struct body_input *input)
{
	value_keep(L, AT_ENVIRONMENT, ENV_NAMES, AT_HANDLE, AT_NAME);
	value_keep(L, AT_ENVIRONMENT, ENV_COLORS, AT_HANDLE, AT_COLOR);
	data_keep(L, AT_ENVIRONMENT, AT_HANDLE, AT_DATA);
	for (uint32_t i = 0; i < input->shapes; ++i)
		if (push_entry_handle(L, input, i)) {
			push_entry_data(L, i);
			data_keep(L, AT_ENVIRONMENT, AT_END, lua_gettop(L));
			lua_settop(L, AT_END - 1);
		}
}

static void values_drop(lua_State *L, const struct body_input *input)
{
	value_drop(L, AT_ENVIRONMENT, ENV_NAMES, AT_HANDLE);
	value_drop(L, AT_ENVIRONMENT, ENV_COLORS, AT_HANDLE);
	value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_HANDLE);
	for (uint32_t i = 0; i < input->shapes; ++i)
		if (push_entry_handle(L, input, i)) {
			value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_END);
			lua_settop(L, AT_END - 1);
		}
}

/* --- The engine ----------------------------------------------------------------------------------------------------------- */

void shape_keep(lua_State *L, int index, uint32_t collider)
{
	lua_rawgeti(L, AT_ENVIRONMENT, ENV_SHAPES);
	lua_pushvalue(L, index);
	lua_rawseti(L, -2, (int)collider + 1);
	lua_pop(L, 1);
}

/* Creates a collider of the new body, whose mass is computed after its last one, with the shape at AT_SHAPE. */
static uint32_t collider_build(lua_State *L, struct world_object *object, uint32_t body, const struct collider_input *input)
{
	uint32_t id = collider_attach(object->world, body, input->shape, &input->options);
	if (id != NONE)
		shape_keep(L, AT_SHAPE, id);
	return id;
}

static bool colliders_build(lua_State *L, struct world_object *object, uint32_t body, const struct body_input *input,
	const struct collider_input *single)
{
	if (single->shape && collider_build(L, object, body, single) == NONE)
		return false;
	for (uint32_t i = 0; i < input->shapes; ++i) {
		struct collider_input entry;
		entry_parse(L, object, input, i, true, &entry);
		uint32_t id = collider_build(L, object, body, &entry);
		if (id != NONE && push_entry_handle(L, input, i))
			reference_commit(lua_touserdata(L, -1), object, id);
		lua_settop(L, AT_END - 1);
		if (id == NONE)
			return false;
	}
	if (single->shape || input->shapes)
		object->world->wing->body_mass(object->world, body);
	return true;
}

/* Whether a static body needs a mover record of its own for the options. */
static bool options_need_mover(const struct body_input *input)
{
	return input->linear_damping != 0 || input->angular_damping != 0 || input->gravity_scale != 1 || input->given_mass ||
		input->given_inertia || input->given_center;
}

static void body_apply(struct world_object *object, uint32_t id, const struct body_input *input)
{
	const struct dimension *dimension = object->dimension;
	struct body *body = &object->world->bodies.data[id];
	if (body->mover != 0) {
		*mover_number(object, id, dimension->linear_damping) = input->linear_damping;
		*mover_number(object, id, dimension->angular_damping) = input->angular_damping;
		*mover_number(object, id, dimension->gravity_scale) = input->gravity_scale;
	}
	body->sleep_threshold = input->sleep_threshold;
	body->sleeping_allowed = input->sleeping_allowed;
	body->bullet = input->bullet;
	dimension->body_apply(object->world, id, input);
	if (!input->awake)
		body_sleep(object->world, id);
	events_forget_sleep(object->world, id); /* it was not awake before */
}

void body_undo(lua_State *L, struct world_object *object, uint32_t body)
{
	for (uint32_t c = object->world->bodies.data[body].colliders; c != NONE; c = object->world->colliders.data[c].next)
		reference_retire(L, object, AT_ENVIRONMENT, &class_collider, c);
	shapes_empty(L, object, AT_ENVIRONMENT, object->world->bodies.data[body].colliders);
	body_destroy(object->world, body);
}

static uint32_t body_build(
	lua_State *L, struct world_object *object, const struct body_input *input, const struct collider_input *single)
{
	uint32_t body = object->dimension->body_create(object->world, input);
	if (body == NONE)
		return NONE;
	/* Cannot fail: disabling needs no memory. */
	if (!input->enabled)
		body_set_enabled(object->world, body, false);
	if ((options_need_mover(input) && !body_own_mover(object->world, body)) ||
		!colliders_build(L, object, body, input, single)) {
		body_undo(L, object, body);
		return NONE;
	}
	body_apply(object, body, input);
	return body;
}

/* Makes the stack that of newBody, newBodies or newCollider, without the handle. */
static void stack_open(lua_State *L, const char *function)
{
	lua_settop(L, AT_MORE);
	luaL_checkstack(L, 40, function);
	attached_get(L, AT_SELF);
	lua_settop(L, AT_HANDLE - 1);
}

_Static_assert(AT_ENVIRONMENT == AT_MORE + 1, "the environment is pushed after the arguments");

/* Repeats the checks after all allocations, since a finalizer may have changed the world or the lists. The entries of `shapes`
 * are then read once more to create the colliders; nothing in between allocates. */
static void check_again(lua_State *L, struct world_object *object, const struct body_input *input)
{
	check_world_again(L, object, input->function);
	for (uint32_t i = 0; i < input->shapes; ++i) {
		struct collider_input entry;
		entry_parse(L, object, input, i, true, &entry);
	}
	if (input->many && positions_read(L, object) != input->count)
		raise_error(L, "newBodies: positions has changed meanwhile");
}

static void all_slots_reserve(lua_State *L, struct world_object *object, struct body_input *input)
{
	check_world_again(L, object, input->function);
	for (uint32_t i = 0; body_select(L, input, i); ++i)
		slots_reserve(L, object, input);
}

static void all_values_keep(lua_State *L, struct body_input *input)
{
	for (uint32_t i = 0; body_select(L, input, i); ++i)
		values_keep(L, input);
}

/* Grows the arrays once for all bodies; children of compound shapes in `shapes` may still have to grow them. */
static bool all_reserve(struct world_object *object, const struct body_input *input, const struct collider_input *single)
{
	struct world *world = object->world;
	uint64_t count = input->count, colliders = count * (single->shape ? 1 : input->shapes);
	uint64_t proxies = single->shape ? count * world->wing->shape_children(single->shape) : colliders;
	return colliders <= INT32_MAX && proxies <= INT32_MAX && array_reserve(&object->memory, &object->bulk_ids, input->count) &&
		bodies_reserve(world, input->type, input->count) &&
		colliders_reserve(world, (uint32_t)colliders, input->enabled ? (uint32_t)proxies : 0);
}

/* Creates the bodies, with their ids in object->bulk_ids; if memory runs out, none. */
static bool all_build(lua_State *L, struct world_object *object, struct body_input *input, const struct collider_input *single)
{
	uint32_t axes = (uint32_t)object->dimension->axes;
	for (uint32_t i = 0; body_select(L, input, i); ++i) {
		for (uint32_t k = 0; input->many && k < axes; ++k)
			input->position[k] = object->bulk.data[i * axes + k];
		uint32_t body = body_build(L, object, input, single);
		if (body == NONE) {
			while (i-- > 0)
				body_undo(L, object, object->bulk_ids.data[i]);
			return false;
		}
		object->bulk_ids.data[i] = body;
	}
	return true;
}

/* Creates the bodies of newBody or newBodies. Leaves the handle of the last one on top of the stack. */
static void bodies_new(lua_State *L, bool many)
{
	struct world_object *object = check_world_change(L, many ? "newBodies" : "newBody");
	struct body_input input;
	struct collider_input single;
	stack_open(L, many ? "newBodies" : "newBody");
	parse_body(L, object, many, &input, &single);
	if (many) {
		lua_createtable(L, (int)input.count, 0);
		lua_replace(L, AT_LIST);
	}
	for (; input.index < input.count; ++input.index) {
		handles_create(L, object, &input);
		if (many)
			lua_rawseti(L, AT_LIST, (int)input.index + 1);
	}
	lua_settop(L, AT_HANDLE);
	all_slots_reserve(L, object, &input);
	if (!lua_isnil(L, AT_NAME) || !lua_isnil(L, AT_COLOR) || !lua_isnil(L, AT_DATA) || !lua_isnil(L, AT_COLLIDERS)) {
		all_values_keep(L, &input);
		all_slots_reserve(L, object, &input);
	}
	check_again(L, object, &input);
	if (!all_reserve(object, &input, &single) || !all_build(L, object, &input, &single)) {
		for (uint32_t i = 0; body_select(L, &input, i); ++i)
			values_drop(L, &input);
		raise_memory(L, input.function);
	}
	object->colored |= !lua_isnil(L, AT_COLOR);
	for (uint32_t i = 0; body_select(L, &input, i); ++i)
		reference_commit(lua_touserdata(L, AT_HANDLE), object, object->bulk_ids.data[i]);
}

int world_new_body(lua_State *L)
{
	bodies_new(L, false);
	return 1;
}

int world_new_bodies(lua_State *L)
{
	bodies_new(L, true);
	lua_pushvalue(L, AT_LIST);
	return 1;
}

/* --- newCollider ---------------------------------------------------------------------------------------------------------- */

/* Checks that the body may have the shapes; a finalizer may have changed its type meanwhile. */
static void check_collider_body(lua_State *L, struct world_object *object, uint32_t *body, const struct collider_source *source,
	const struct collider_input inputs[COLLIDERS_AT_ONCE])
{
	check_reference_change(L, source->function, body);
	bool dynamic = object->world->bodies.data[*body].type == BODY_DYNAMIC;
	if (dynamic && source->body_must)
		raise_error(L, "%s: %s", source->function, source->body_must);
	if (dynamic)
		check_solid(L, object, inputs[0].shape, inputs[0].options.sensor, PATH(source->function, "shape"));
}

static void parse_collider(lua_State *L, const struct world_object *object, const struct collider_source *source,
	struct collider_input *input, void *own)
{
	struct options options = {.path = {source->function, NULL, 0, "options", 0}, .set = source->set};
	*input = collider_defaults;
	if (!lua_isnil(L, AT_MORE)) {
		options_begin(L, object->shared, &options, AT_MORE);
		for (int option; (option = options_next(L, &options)) != 0;) {
			if (option == COLLIDER_SHAPE)
				raise_error(L, "newCollider: shape is the first argument, not an option");
			assert(option < COLLIDER_END || source->option != NULL);
			if (option < COLLIDER_END)
				collider_option(L, object, input, option, &options.path);
			else
				source->option(L, option, &options.path, own);
		}
	}
	collider_finish(input);
}

static void collider_slots_reserve(
	lua_State *L, struct world_object *object, const struct collider_input inputs[COLLIDERS_AT_ONCE])
{
	uint32_t ahead = 0;
	shapes_reserve(L, object, AT_ENVIRONMENT, COLLIDERS_AT_ONCE);
	for (int i = 0; i < COLLIDERS_AT_ONCE; ++i)
		if (inputs[i].shape)
			reference_reserve(L, object, AT_ENVIRONMENT, handle_slot(i), ahead++);
}

/* Creates the colliders, whose slots are reserved; false: no memory, and there are none. */
static bool colliders_create(
	struct world *world, uint32_t body, const struct collider_input inputs[COLLIDERS_AT_ONCE], uint32_t ids[COLLIDERS_AT_ONCE])
{
	for (int i = 0; i < COLLIDERS_AT_ONCE; ++i) {
		ids[i] = inputs[i].shape ? collider_create(world, body, inputs[i].shape, &inputs[i].options) : NONE;
		if (ids[i] != NONE || inputs[i].shape == NULL)
			continue;
		while (i-- > 0)
			if (ids[i] != NONE)
				collider_destroy(world, ids[i]);
		return false;
	}
	return true;
}

/* Returns the handles of the colliders, in their order. */
int collider_new(lua_State *L, const struct collider_source *source, void *own)
{
	uint32_t body, ids[COLLIDERS_AT_ONCE];
	struct world_object *object = check_reference_change(L, source->function, &body);
	struct collider_input inputs[COLLIDERS_AT_ONCE];
	stack_open(L, source->function);
	source->open(L, own);
	parse_collider(L, object, source, &inputs[0], own);
	for (int i = 1; i < COLLIDERS_AT_ONCE; ++i)
		inputs[i].shape = NULL;
	lua_settop(L, AT_OTHERS_END - 1);
	source->shapes(L, object, own, inputs);
	check_collider_body(L, object, &body, source, inputs);
	lua_settop(L, AT_OTHERS_END - 1);
	for (int i = COLLIDERS_AT_ONCE - 1; i >= 0; --i)
		if (inputs[i].shape) {
			reference_create(L, object, object->dimension->collider, AT_ENVIRONMENT);
			lua_replace(L, handle_slot(i));
		}
	check_collider_body(L, object, &body, source, inputs);
	collider_slots_reserve(L, object, inputs);
	if (!lua_isnil(L, AT_COLLIDER_DATA)) {
		data_keep(L, AT_ENVIRONMENT, AT_HANDLE, AT_COLLIDER_DATA);
		check_collider_body(L, object, &body, source, inputs);
		collider_slots_reserve(L, object, inputs);
	}
	if (!colliders_create(object->world, body, inputs, ids)) {
		value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_HANDLE);
		raise_memory(L, source->function);
	}
	for (int i = 0; i < COLLIDERS_AT_ONCE; ++i)
		if (inputs[i].shape) {
			reference_commit(lua_touserdata(L, handle_slot(i)), object, ids[i]);
			shape_keep(L, shape_slot(i), ids[i]);
			lua_pushvalue(L, handle_slot(i));
		}
	return lua_gettop(L) - (AT_OTHERS_END - 1);
}

static void no_open(lua_State *L, void *own)
{
	(void)L;
	(void)own;
}

static void argument_shape(
	lua_State *L, const struct world_object *object, void *own, struct collider_input inputs[COLLIDERS_AT_ONCE])
{
	(void)own;
	inputs[0].shape = object->dimension->check_shape(L, AT_OPTIONS, PATH("newCollider", "shape"));
	value_copy(L, AT_OPTIONS, AT_SHAPE);
}

int body_new_collider(lua_State *L)
{
	uint32_t body;
	const struct world_object *object = check_reference(L, "newCollider", &body);
	const struct collider_source source = {
		.function = "newCollider", .set = object->dimension->collider_options, .open = no_open, .shapes = argument_shape};
	return collider_new(L, &source, NULL);
}
