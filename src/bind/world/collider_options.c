/* collider_options.c - the options of colliders: of newCollider, of the entries of newBody's `shapes`, and of newBody. */
#include "bind/geometry/materials.h"
#include "bind/world/create.h"

#include <stdio.h>

const struct collider_input collider_defaults = {
	.options = {.material = {.friction = 0.6f}, .density = 1},
};

void check_solid(lua_State *L, const struct world_object *object, const void *shape, bool sensor, const struct path *path)
{
	const char *name = sensor ? NULL : object->dimension->static_shape_name(shape);
	if (name != NULL)
		raise_got(L, path, "be solid, or a sensor's, on a dynamic body", lua_pushfstring(L, "a %s", name));
}

void one_way_normal(lua_State *L, const struct path *path, const double given[3], float normal[3])
{
	double length = sqrt(given[0] * given[0] + given[1] * given[1] + given[2] * given[2]);
	if (length == 0)
		raise_got(L, path, "not be zero", "0");
	for (int i = 0; i < 3; ++i)
		normal[i] = (float)(given[i] / length);
}

static const void *option_shape(lua_State *L, const struct world_object *object, const struct path *path)
{
	const void *shape = object->dimension->check_shape(L, -1, path);
	value_copy(L, -1, AT_SHAPE);
	return shape;
}

static void one_way_option(
	lua_State *L, const struct world_object *object, struct collider_input *input, const struct path *path)
{
	double given[3] = {0, 0, 0};
	value_vector(L, lua_gettop(L), *path, &range_local, object->dimension->axes, given);
	one_way_normal(L, path, given, input->options.normal);
	input->options.one_way = true;
}

/* Reads the option `material`. path: of the option. */
static void material_option(
	lua_State *L, const struct world_object *object, struct collider_input *input, const struct path *path)
{
	char function[48];
	if (lua_type(L, -1) != LUA_TTABLE)
		raise_value(L, lua_gettop(L), path, "be a table");
	if (path->list)
		snprintf(function, sizeof function, "%s: %s[%d].material", path->function, path->list, path->entry);
	else
		snprintf(function, sizeof function, "%s: material", path->function);
	input->material =
		materials_read_one(L, &(struct path){function, NULL, 0, "", 0}, object->dimension->axes, input->names_known);
}

void collider_finish(struct collider_input *input)
{
	input->material.has &= (uint8_t)~input->loose;
	materials_override(&input->options.material, &input->material);
}

void collider_option(
	lua_State *L, const struct world_object *object, struct collider_input *input, int option, const struct path *path)
{
	struct material *material = &input->options.material;
	input->given |= option != COLLIDER_SHAPE;
	switch (option) {
	case COLLIDER_SHAPE: input->shape = option_shape(L, object, path); break;
	case COLLIDER_DENSITY: input->options.density = (float)value_number(L, -1, path, &range_collider_density); break;
	case COLLIDER_FRICTION:
		material->friction = (float)value_number(L, -1, path, &range_coefficient);
		input->loose |= MATERIAL_FRICTION;
		break;
	case COLLIDER_RESTITUTION:
		material->restitution = (float)value_number(L, -1, path, &range_coefficient);
		input->loose |= MATERIAL_RESTITUTION;
		break;
	case COLLIDER_ROLLING_RESISTANCE:
		material->rolling_resistance = (float)value_number(L, -1, path, &range_coefficient);
		input->loose |= MATERIAL_ROLLING_RESISTANCE;
		break;
	case COLLIDER_TANGENT:
		materials_tangent(L, path, object->dimension->axes, material);
		input->loose |= MATERIAL_TANGENT;
		break;
	case COLLIDER_MATERIAL: material_option(L, object, input, path); break;
	case COLLIDER_LAYER: input->options.layer = (uint8_t)check_layer(L, -1, AT_ENVIRONMENT, object, path); break;
	case COLLIDER_COLLIDES_WITH:
		input->options.own_layers = check_layers(L, lua_gettop(L), AT_ENVIRONMENT, object, path);
		input->options.has_own_layers = true;
		break;
	case COLLIDER_GROUP: input->options.group = (int32_t)value_integer(L, -1, path, INT32_MIN, INT32_MAX); break;
	case COLLIDER_SENSOR: input->options.sensor = value_boolean(L, -1, path); break;
	case COLLIDER_PRE_SOLVE: input->options.pre_solve = value_boolean(L, -1, path); break;
	case COLLIDER_ONE_WAY: one_way_option(L, object, input, path); break;
	case COLLIDER_DATA: value_copy(L, -1, AT_COLLIDER_DATA); break;
	}
}

void entry_parse(lua_State *L, const struct world_object *object, const struct body_input *body, uint32_t i, bool names_known,
	struct collider_input *input)
{
	struct options options = {
		.path = {body->function, "shapes", (int)i + 1, "", 0}, .set = object->dimension->collider_options};
	*input = collider_defaults;
	input->names_known = names_known;
	lua_pushnil(L);
	lua_replace(L, AT_COLLIDER_DATA);
	lua_rawgeti(L, AT_SHAPES, (int)i + 1);
	int table = lua_gettop(L);
	options_begin(L, object->shared, &options, table);
	for (int option; (option = options_next(L, &options)) != 0;)
		collider_option(L, object, input, option, &options.path);
	collider_finish(input);
	lua_settop(L, table - 1);
	if (input->shape == NULL)
		raise_error(L, "%s: shapes[%d].shape is missing", body->function, (int)i + 1);
	if (body->type == BODY_DYNAMIC)
		check_solid(
			L, object, input->shape, input->options.sensor, &(struct path){body->function, "shapes", (int)i + 1, "shape", 0});
}
