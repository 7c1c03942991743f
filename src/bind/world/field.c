/* field.c - force fields, for 2D and 3D: newField and the methods of fields.
 * As in create.c: check all options; allocate the handle and table slots, and check the world again; call the engine. */
#include "bind/world/field.h"

static const struct range range_priority = {-1e6, 1e6, NULL};

/* --- Options -------------------------------------------------------------------------------------------------------------- */

struct options_input {
	double position[3], angle, quaternion[4];
	uint32_t priority;
	bool replace, enabled;
	int slots[FIELD_AT_FIELD]; /* each slot's own number */
};

/* In 2D without those from `z` on. */
static const struct option_member option_keys[] = {
	OPTION_NUMBER("x", struct options_input, position[0], &range_position),
	OPTION_NUMBER("y", struct options_input, position[1], &range_position),
	OPTION_NUMBER("angle", struct options_input, angle, &range_angle),
	OPTION_SLOT("position", struct options_input, FIELD_AT_POSITION),
	OPTION_SLOT("shape", struct options_input, FIELD_AT_SHAPE),
	OPTION_SLOT("body", struct options_input, FIELD_AT_BODY),
	OPTION_SLOT("layers", struct options_input, FIELD_AT_LAYERS),
	{"priority", FIELD_INTEGER, offsetof(struct options_input, priority), &range_priority},
	{"replace", FIELD_BOOLEAN, offsetof(struct options_input, replace), NULL},
	{"enabled", FIELD_BOOLEAN, offsetof(struct options_input, enabled), NULL},
	OPTION_SLOT("gravity", struct options_input, FIELD_AT_EFFECTS),
	OPTION_SLOT("attraction", struct options_input, FIELD_AT_EFFECTS + 1),
	OPTION_SLOT("vortex", struct options_input, FIELD_AT_EFFECTS + 2),
	OPTION_SLOT("wind", struct options_input, FIELD_AT_EFFECTS + 3),
	OPTION_SLOT("fluid", struct options_input, FIELD_AT_EFFECTS + 4),
	OPTION_SLOT("name", struct options_input, FIELD_AT_NAME),
	OPTION_SLOT("data", struct options_input, FIELD_AT_DATA),
	OPTION_NUMBER("z", struct options_input, position[2], &range_position),
	OPTION_SLOT("rotation", struct options_input, FIELD_AT_ROTATION),
	OPTION_SLOT("axis", struct options_input, FIELD_AT_AXIS),
	OPTION_NUMBER("qx", struct options_input, quaternion[0], &range_any),
	OPTION_NUMBER("qy", struct options_input, quaternion[1], &range_any),
	OPTION_NUMBER("qz", struct options_input, quaternion[2], &range_any),
	OPTION_NUMBER("qw", struct options_input, quaternion[3], &range_any),
};

enum { KEY_X = 1, KEY_Y = 2, KEY_ANGLE = 4, KEY_Z = 1 << 17, KEYS_2D = 17, KEY_QX = 20 /* shift */ };

static struct vec3 core_vec(struct d3_vec_d a)
{
	return (struct vec3){a.x, a.y, a.z};
}

static struct mat3 axes_of(struct d3_quat q)
{
	struct d3_rot_d rotation = d3_exact_rot(q);
	return (struct mat3){core_vec(rotation.x), core_vec(rotation.y), core_vec(rotation.z)};
}

static struct mat3 axes_at(double angle)
{
	struct cos_sin_d turn = scalar_cos_sin_d(angle);
	return (struct mat3){{turn.cosine, turn.sine, 0.0}, {-turn.sine, turn.cosine, 0.0}, {0.0, 0.0, 1.0}};
}

static struct mat3 rotation_read(lua_State *L, const struct options_input *input, uint32_t given)
{
	struct rotation_input turn = {.angle = input->angle};
	memcpy(turn.numbers, input->quaternion, sizeof turn.numbers);
	turn.given = (given >> KEY_QX & 15) << ROTATION_QX | (uint32_t)((given & KEY_ANGLE) != 0) << ROTATION_ANGLE;
	if (!lua_isnil(L, FIELD_AT_ROTATION))
		d3_rotation_option(L, FIELD_AT_ROTATION, PATH("newField", "rotation"), ROTATION_LIST, &turn);
	if (!lua_isnil(L, FIELD_AT_AXIS))
		d3_rotation_option(L, FIELD_AT_AXIS, PATH("newField", "axis"), ROTATION_AXIS, &turn);
	return axes_of(d3_rotation_of(L, "newField", &turn));
}

void field_position_read(lua_State *L, int index, const char *function, bool given_x, int axes, double position[3])
{
	if (lua_isnil(L, index))
		return;
	if (given_x)
		raise_error(L, "%s: position and %s must not both be given", function, axes == 2 ? "x, y" : "x, y, z");
	value_vector(L, index, (struct path){function, NULL, 0, "position", 0}, &range_position, axes, position);
}

static struct frame3 frame_read(lua_State *L, struct options_input *input, uint32_t given, int axes)
{
	bool given_x = (given & (KEY_X | KEY_Y | KEY_Z)) != 0;
	field_position_read(L, FIELD_AT_POSITION, "newField", given_x, axes, input->position);
	return (struct frame3){vec3_of(input->position), axes == 2 ? axes_at(input->angle) : rotation_read(L, input, given)};
}

uint64_t field_layers_read(lua_State *L, int index, int environment, const struct world_object *object, const char *function)
{
	return lua_isnil(L, index) ? UINT64_MAX : check_layers(L, index, environment, object, PATH(function, "layers"));
}

/* Checks that a field may have the shape: a solid one, half-planes and half-spaces included. */
static const void *shape_read(lua_State *L, const struct world_object *object)
{
	const struct path *path = PATH("newField", "shape");
	if (lua_isnil(L, FIELD_AT_SHAPE))
		return NULL;
	const void *shape = object->dimension->check_shape(L, FIELD_AT_SHAPE, path);
	const char *name = object->dimension->static_shape_name(shape);
	if (name != NULL && !object->world->wing->shape_unbounded(shape))
		raise_got(L, path, "be solid", lua_pushfstring(L, "a %s", name));
	return shape;
}

/* Checks the body at its slot: NONE if there is none. */
static uint32_t body_read(lua_State *L, const struct world_object *object)
{
	const struct class *class = object->dimension->body;
	if (lua_isnil(L, FIELD_AT_BODY))
		return NONE;
	const struct reference *reference = object_test(L, FIELD_AT_BODY, class, sizeof *reference);
	if (reference == NULL)
		raise_value(L, FIELD_AT_BODY, PATH("newField", "body"),
			object_test_any(L, FIELD_AT_BODY, &class_body, sizeof *reference) ? "be a body of the same dimension"
																			  : "be a body");
	const struct world_object *owner = reference_find(reference);
	if (owner == NULL)
		raise_error(L, "newField: body is destroyed");
	if (owner != object)
		raise_error(L, "newField: body must be a body of this world");
	return reference->handle.index;
}

static void parse(lua_State *L, const struct world_object *object, struct field_input *field)
{
	struct options_input input = {.enabled = true};
	int axes = object->dimension->axes;
	for (int i = 0; i < FIELD_AT_FIELD; ++i)
		input.slots[i] = i;
	if (lua_isnil(L, FIELD_AT_OPTIONS))
		raise_value(L, FIELD_AT_OPTIONS, PATH("newField", "options"), "be a table");
	uint32_t given = fields_read(
		L, FIELD_AT_OPTIONS, PATH("newField", "options"), option_keys, axes == 2 ? KEYS_2D : LENGTH(option_keys), &input);
	value_name(L, FIELD_AT_NAME, PATH("newField", "name"));
	*field = (struct field_input){.enabled = input.enabled,
		.replaces = input.replace,
		.priority = (int32_t)input.priority,
		.layers = field_layers_read(L, FIELD_AT_LAYERS, FIELD_AT_ENVIRONMENT, object, "newField"),
		.shape = shape_read(L, object),
		.body = body_read(L, object),
		.local = frame_read(L, &input, given, axes),
		.settings = field_effects_default(object)};
	field_effects_read(L, axes, &field->settings);
}

/* Checks again after a call that may have run a finalizer, and reserves the slot of the handle. */
static void check_again(lua_State *L, const struct world_object *object)
{
	check_world_again(L, object, "newField");
	body_read(L, object);
	reference_reserve(L, object, FIELD_AT_ENVIRONMENT, FIELD_AT_FIELD, 0);
}

int field_new(lua_State *L)
{
	struct world_object *object = check_world_change(L, "newField");
	struct field_input input;
	lua_settop(L, FIELD_AT_OPTIONS);
	luaL_checkstack(L, 40, "newField");
	attached_get(L, FIELD_AT_SELF);
	lua_settop(L, FIELD_AT_FIELD - 1);
	parse(L, object, &input);
	struct reference *reference = reference_create(L, object, object->dimension->field, FIELD_AT_ENVIRONMENT);
	check_again(L, object);
	value_keep(L, FIELD_AT_ENVIRONMENT, ENV_NAMES, FIELD_AT_FIELD, FIELD_AT_NAME);
	data_keep(L, FIELD_AT_ENVIRONMENT, FIELD_AT_FIELD, FIELD_AT_DATA);
	check_again(L, object);
	uint32_t id = field_create(object->world, &input);
	if (id == NONE) {
		value_drop(L, FIELD_AT_ENVIRONMENT, ENV_NAMES, FIELD_AT_FIELD);
		value_drop(L, FIELD_AT_ENVIRONMENT, ENV_DATA, FIELD_AT_FIELD);
		raise_memory(L, "newField");
	}
	reference_commit(reference, object, id);
	return 1;
}

/* --- Lifetime ------------------------------------------------------------------------------------------------------------- */

static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_field, &reference);
	if (object == NULL)
		return 0;
	if (reference->noted) {
		environment_open(L);
		lua_pushvalue(L, 1);
		dead_keep(L, object, 2, reference);
		if (reference_find(reference) == NULL)
			return 0;
	}
	reference->destroyed = true;
	field_destroy(object->world, reference->handle.index);
	return 0;
}

static struct field *check_field(lua_State *L, const char *function)
{
	uint32_t id;
	const struct world_object *object = check_reference(L, function, &id);
	return field_at(object->world, id);
}

static int is_enabled(lua_State *L)
{
	lua_pushboolean(L, check_field(L, "isEnabled")->enabled);
	return 1;
}

static int set_enabled(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setEnabled", &id);
	field_set_enabled(object->world, id, arg_boolean(L, 2, "setEnabled", "enabled"));
	return 0;
}

/* --- Where it acts -------------------------------------------------------------------------------------------------------- */

static int get_body(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference(L, "getBody", &id);
	uint32_t body = field_at(object->world, id)->body;
	attached_get(L, 1);
	if (body == NONE)
		lua_pushnil(L);
	else
		push_live(L, object, lua_gettop(L), &class_body, body);
	return 1;
}

static int get_priority(lua_State *L)
{
	lua_pushinteger(L, check_field(L, "getPriority")->priority);
	return 1;
}

static int set_priority(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setPriority", &id);
	const struct path *path = PATH("setPriority", "priority");
	int64_t priority = value_integer(L, 2, path, (int64_t)range_priority.low, (int64_t)range_priority.high);
	field_set_priority(object->world, id, (int32_t)priority);
	return 0;
}

static int is_replace(lua_State *L)
{
	lua_pushboolean(L, check_field(L, "isReplace")->replaces);
	return 1;
}

static int set_replace(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setReplace", &id);
	field_set_replaces(object->world, id, arg_boolean(L, 2, "setReplace", "replace"));
	return 0;
}

static int set_layers(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setLayers", &id);
	lua_settop(L, 2);
	attached_get(L, 1);
	field_set_layers(object->world, id, field_layers_read(L, 2, 3, object, "setLayers"));
	return 0;
}

static const char *const axis_names[] = {"x", "y", "z"};

static int get_position(lua_State *L)
{
	uint32_t id;
	const struct world_object *object = check_reference(L, "getPosition", &id);
	return push_numbers(L, object->dimension->axes, &field_at(object->world, id)->local.origin.x);
}

static int set_position(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setPosition", &id);
	struct frame3 local = field_at(object->world, id)->local;
	double numbers[3] = {0};
	arg_numbers(L, 2, "setPosition", axis_names, object->dimension->axes, &range_position, numbers);
	local.origin = vec3_of(numbers);
	field_set_local(object->world, id, &local);
	return 0;
}

static int get_angle(lua_State *L)
{
	const struct mat3 *axes = &check_field(L, "getAngle")->local.axes;
	lua_pushnumber(L, scalar_atan2_d(axes->x.y, axes->x.x));
	return 1;
}

static void axes_set(struct world_object *object, uint32_t id, struct mat3 axes)
{
	struct frame3 local = field_at(object->world, id)->local;
	local.axes = axes;
	field_set_local(object->world, id, &local);
}

static int set_angle(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setAngle", &id);
	axes_set(object, id, axes_at(arg_number(L, 2, "setAngle", "angle", &range_angle)));
	return 0;
}

static int get_rotation(lua_State *L)
{
	const struct mat3 *axes = &check_field(L, "getRotation")->local.axes;
	const struct d3_rot_d rotation = {
		{axes->x.x, axes->x.y, axes->x.z}, {axes->y.x, axes->y.y, axes->y.z}, {axes->z.x, axes->z.y, axes->z.z}};
	struct d3_quat_d q = d3_rot_quat_d(&rotation);
	return push_numbers(L, 4, (const double[]){q.x, q.y, q.z, q.w});
}

static int set_rotation(lua_State *L)
{
	static const char *const names[] = {"qx", "qy", "qz", "qw"};
	uint32_t id;
	struct world_object *object = check_reference_change(L, "setRotation", &id);
	double numbers[4];
	arg_numbers(L, 2, "setRotation", names, 4, &range_any, numbers);
	axes_set(object, id, axes_of(quaternion_from(L, "setRotation", numbers)));
	return 0;
}

/* --- Lists of methods ----------------------------------------------------------------------------------------------------- */

const luaL_Reg field_methods[] = {
	{"destroy", destroy},
	{"isValid", reference_is_valid},
	{"getWorld", reference_get_world},
	{"isEnabled", is_enabled},
	{"setEnabled", set_enabled},
	{"getName", reference_get_name},
	{"setName", reference_set_name},
	{"getBody", get_body},
	{"getPriority", get_priority},
	{"setPriority", set_priority},
	{"isReplace", is_replace},
	{"setReplace", set_replace},
	{"setLayers", set_layers},
	{"getPosition", get_position},
	{"setPosition", set_position},
	{NULL, NULL},
};

const luaL_Reg d2_field_methods[] = {
	{"getAngle", get_angle},
	{"setAngle", set_angle},
	{NULL, NULL},
};

const luaL_Reg d3_field_methods[] = {
	{"getRotation", get_rotation},
	{"setRotation", set_rotation},
	{NULL, NULL},
};
