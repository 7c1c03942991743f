/* collider.c - methods of colliders, for 2D and 3D. */
#include "bind/geometry/materials.h"
#include "bind/lua/property.h"
#include "bind/world/dimension.h"
#include "core/pre_solve.h"

#include <stddef.h>
#include <string.h>

static struct collider *collider_at(const struct world_object *object, uint32_t collider)
{
	return &object->world->colliders.data[collider];
}

/* --- Lifetime ------------------------------------------------------------------------------------------------------------- */

static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_collider, &reference);
	if (object == NULL)
		return 0;
	uint32_t collider = reference->handle.index;
	environment_open(L);
	collider_keep(L, object, 2, collider);
	if (reference_find(reference) == NULL)
		return 0;
	reference->destroyed = true;
	lua_rawgeti(L, 2, ENV_SHAPES);
	lua_pushboolean(L, 0);
	lua_rawseti(L, -2, (int)collider + 1);
	collider_destroy(object->world, collider);
	return 0;
}

/* Raises for tiles and the like, which cannot be replaced, and whose kinds say what is a sensor, and for edited height fields.
 */
static void check_shared(lua_State *L, const struct world_object *object, uint32_t collider, const char *function)
{
	const void *shape = collider_at(object, collider)->shape;
	const char *name = object->dimension->static_shape_name(shape);
	if (object->dimension->shape_is_own(shape))
		raise_error(L, "%s: a collider of %s has only %s to change it", function, name,
			strcmp(name, "heightField") == 0 ? "setHeights" : "setCell and fillCells");
}

static int get_body(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference(L, "getBody", &collider);
	attached_get(L, 1);
	push_live(L, object, lua_gettop(L), &class_body, collider_at(object, collider)->body);
	return 1;
}

/* Pushes a new object for the shape of a collider that has none, as those of snapshots and of pieces, and stores it for all
 * colliders with this shape in the table below the top of the stack. */
static void shape_show(lua_State *L, const struct world_object *object, uint32_t collider, const char *function)
{
	int shapes = lua_gettop(L) - 1;
	struct handle handle = {collider, collider_at(object, collider)->generation};
	bool shared = object->dimension->show_shape(L, object, handle, function);
	const void *shape = collider_at(object, collider)->shape;
	lua_pushvalue(L, -1);
	lua_rawseti(L, shapes, (int)collider + 1);
	for (uint32_t id = 0; shared && id < object->world->colliders.count; ++id) {
		if (!collider_at(object, id)->valid || collider_at(object, id)->shape != shape)
			continue;
		lua_pushvalue(L, -1);
		lua_rawseti(L, shapes, (int)id + 1);
	}
}

void shape_push(lua_State *L, const struct world_object *object, int environment, uint32_t collider, const char *function)
{
	lua_rawgeti(L, environment, ENV_SHAPES);
	lua_rawgeti(L, -1, (int)collider + 1);
	if (!lua_toboolean(L, -1))
		shape_show(L, object, collider, function);
}

static int get_shape(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_reference(L, "getShape", &collider);
	if (object->dimension->shape_is_own(collider_at(object, collider)->shape))
		return 0;
	attached_get(L, 1);
	shape_push(L, object, lua_gettop(L), collider, "getShape");
	return 1;
}

static int set_shape(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setShape", &collider);
	check_shared(L, object, collider, "setShape");
	const void *shape = object->dimension->check_shape(L, 2, PATH("setShape", "shape"));
	if (object->world->bodies.data[collider_at(object, collider)->body].type == BODY_DYNAMIC)
		check_solid(L, object, shape, collider_at(object, collider)->sensor, PATH("setShape", "shape"));
	if (!collider_set_shape(object->world, collider, shape))
		raise_memory(L, "setShape");
	attached_get(L, 1);
	lua_rawgeti(L, -1, ENV_SHAPES);
	lua_pushvalue(L, 2);
	lua_rawseti(L, -2, (int)collider + 1);
	return 0;
}

/* --- Material ------------------------------------------------------------------------------------------------------------- */

static int set_density(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setDensity", &collider);
	collider_set_density(object->world, collider, arg_float(L, 2, "setDensity", "density", &range_collider_density));
	return 0;
}

static int get_material_name(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_reference(L, "getMaterialName", &collider);
	materials_push_name(L, collider_at(object, collider)->material.name);
	return 1;
}

static int set_material_name(lua_State *L)
{
	uint32_t collider;
	check_reference_change(L, "setMaterialName", &collider);
	uint16_t name = lua_isnil(L, 2) ? 0 : materials_name(L, 2, PATH("setMaterialName", "name"), false);
	collider_at(check_reference_change(L, "setMaterialName", &collider), collider)->material.name = name;
	return 0;
}

/* --- Filtering ------------------------------------------------------------------------------------------------------------ */

static int get_layer(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_reference(L, "getLayer", &collider);
	attached_get(L, 1);
	push_layer(L, lua_gettop(L), collider_at(object, collider)->layer);
	return 1;
}

static int set_layer(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setLayer", &collider);
	attached_get(L, 1);
	uint32_t layer = check_layer(L, 2, lua_gettop(L), object, PATH("setLayer", "layer"));
	collider_set_layer(object->world, collider, (uint8_t)layer);
	return 0;
}

/* Returns a new list, or nil. */
static int get_collides_with(lua_State *L)
{
	uint32_t collider, count = 0;
	struct world_object *object = check_reference(L, "getCollidesWith", &collider);
	const struct collider *found = collider_at(object, collider);
	uint64_t layers = found->own_layers;
	if (!found->has_own_layers)
		return 0;
	lua_settop(L, 1);
	lua_createtable(L, (int)__builtin_popcountll(layers), 0);
	attached_get(L, 1);
	for (uint32_t layer = 0; layer < LAYERS; ++layer)
		if (layers >> layer & 1) {
			push_layer(L, 3, layer);
			lua_rawseti(L, 2, (int)++count);
			lua_settop(L, 3);
		}
	lua_settop(L, 2);
	return 1;
}

static int set_collides_with(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setCollidesWith", &collider);
	lua_settop(L, 2);
	attached_get(L, 1);
	bool has = !lua_isnil(L, 2);
	uint64_t layers = has ? check_layers(L, 2, 3, object, PATH("setCollidesWith", "layers")) : 0;
	collider_set_own_layers(object->world, collider, has, layers);
	return 0;
}

static int set_group(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setGroup", &collider);
	int32_t group = (int32_t)value_integer(L, 2, PATH("setGroup", "group"), INT32_MIN, INT32_MAX);
	collider_set_group(object->world, collider, group);
	return 0;
}

static int set_pre_solve(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setPreSolve", &collider);
	collider_set_pre_solve(object->world, collider, arg_boolean(L, 2, "setPreSolve", "preSolve"));
	return 0;
}

static int get_one_way(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_reference(L, "getOneWay", &collider);
	uint32_t normal = collider_at(object, collider)->one_way;
	if (normal == NONE) {
		lua_pushnil(L);
		return 1;
	}
	for (int i = 0; i < object->dimension->axes; ++i)
		lua_pushnumber(L, (lua_Number)object->world->one_way_normals.data[normal].normal[i]);
	return object->dimension->axes;
}

static int set_one_way(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setOneWay", &collider);
	static const char *const names[] = {"nx", "ny", "nz"};
	double given[3] = {0, 0, 0};
	float normal[3] = {0.0f};
	bool one_way = !lua_isnoneornil(L, 2);
	if (one_way) {
		for (int i = 0; i < object->dimension->axes; ++i)
			given[i] = value_number(L, 2 + i, PATH("setOneWay", names[i]), &range_local);
		one_way_normal(L, PATH("setOneWay", "the normal"), given, normal);
	}
	if (!collider_set_one_way(object->world, collider, one_way ? normal : NULL))
		raise_memory(L, "setOneWay");
	return 0;
}

/* A dynamic body may have terrain only as a sensor. */
static int set_sensor(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_reference_change(L, "setSensor", &collider);
	bool sensor = arg_boolean(L, 2, "setSensor", "sensor");
	check_shared(L, object, collider, "setSensor");
	const struct collider *found = collider_at(object, collider);
	const char *name = object->dimension->static_shape_name(found->shape);
	if (name != NULL && !sensor && object->world->bodies.data[found->body].type == BODY_DYNAMIC)
		raise_error(L, "setSensor: sensor must be true for a %s on a dynamic body, got false", name);
	collider_set_sensor(object->world, collider, sensor);
	return 0;
}

/* --- Properties ----------------------------------------------------------------------------------------------------------- */

static void *member_at(const struct world_object *object, uint32_t collider, size_t offset)
{
	return (char *)collider_at(object, collider) + offset;
}

static void material_changed(struct world_object *object, uint32_t collider)
{
	struct material material = collider_at(object, collider)->material;
	collider_set_material(object->world, collider, &material);
}

#define FIELD(name, value, field) .get = name, .type = value, .at = member_at, .offset = offsetof(struct collider, field)
#define MIXING(get, set, field)                                                               \
	{                                                                                         \
		FIELD(get, PROPERTY_CHOICE_OR_NIL, material.field), PROPERTY_SET(set, "mixing"),      \
			.check = check_reference, .choices = &mixing_choices, .changed = material_changed \
	}
#define COEFFICIENT(get, set, argument, field)                                                 \
	{                                                                                          \
		FIELD(get, PROPERTY_FLOAT, material.field), PROPERTY_SET(set, argument),               \
			.check = check_reference, .range = &range_coefficient, .changed = material_changed \
	}

const struct property collider_properties[] = {
	{FIELD("getDensity", PROPERTY_FLOAT, density), .check = check_reference},
	COEFFICIENT("getFriction", "setFriction", "friction", friction),
	COEFFICIENT("getRestitution", "setRestitution", "restitution", restitution),
	COEFFICIENT("getRollingResistance", "setRollingResistance", "rollingResistance", rolling_resistance),
	{FIELD("getTangentSpeed", PROPERTY_FLOAT, material.tangent_speed), .check = check_own,
		PROPERTY_SET("setTangentSpeed", "speed"), .range = &range_velocity, .changed = material_changed,
		.only = &class_collider},
	MIXING("getFrictionMixing", "setFrictionMixing", friction_mixing),
	MIXING("getRestitutionMixing", "setRestitutionMixing", restitution_mixing),
	{FIELD("isSensor", PROPERTY_BOOLEAN, sensor), .check = check_reference},
	{FIELD("isPreSolve", PROPERTY_BOOLEAN, pre_solve), .check = check_reference},
	{FIELD("getGroup", PROPERTY_INTEGER, group), .check = check_reference},
	{.get = NULL},
};

const luaL_Reg collider_methods[] = {
	{"destroy", destroy},
	{"isValid", reference_is_valid},
	{"getBody", get_body},
	{"getShape", get_shape},
	{"setShape", set_shape},
	{"setDensity", set_density},
	{"getMaterialName", get_material_name},
	{"setMaterialName", set_material_name},
	{"getLayer", get_layer},
	{"setLayer", set_layer},
	{"setGroup", set_group},
	{"setPreSolve", set_pre_solve},
	{"getCollidesWith", get_collides_with},
	{"setCollidesWith", set_collides_with},
	{"setSensor", set_sensor},
	{"getOneWay", get_one_way},
	{"setOneWay", set_one_way},
	{NULL, NULL},
};
