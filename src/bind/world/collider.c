/* collider.c - what colliders can do. */
#include "bind/world/dimension.h"

#include <stddef.h>
#include <string.h>

static struct collider *collider_at(const struct world_object *object, uint32_t collider)
{
	return &object->world->colliders.data[collider];
}

/* --- Life ----------------------------------------------------------------------------------------------------------------- */

static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_collider, &reference);
	if (object == NULL)
		return 0;
	uint32_t collider = reference->handle.index;
	collider_keep(L, object, 2, collider);
	if (reference_find(reference) == NULL)
		return 0;
	reference->destroyed = true;
	slots_empty(L, 2, &class_collider, collider);
	collider_destroy(object->world, collider);
	return 0;
}

static int is_valid(lua_State *L)
{
	return reference_is_valid(L, &class_collider);
}

static int get_body(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_collider(L, "getBody", &collider);
	attached_get(L, 1);
	push_live(L, lua_gettop(L), &class_body, collider_at(object, collider)->body);
	return 1;
}

static int get_shape(lua_State *L)
{
	uint32_t collider;
	check_collider(L, "getShape", &collider);
	attached_get(L, 1);
	lua_rawgeti(L, -1, ENV_SHAPES);
	lua_rawgeti(L, -1, (int)collider + 1);
	return 1;
}

static int set_shape(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_collider_change(L, "setShape", &collider);
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

/* Pushes the float of the collider's material that lies at `offset`. */
static int material_get(lua_State *L, const char *method, size_t offset)
{
	uint32_t collider;
	const struct world_object *object = check_collider(L, method, &collider);
	float value;
	memcpy(&value, (const char *)&collider_at(object, collider)->material + offset, sizeof value);
	lua_pushnumber(L, value);
	return 1;
}

static int material_set(lua_State *L, const char *method, const char *name, size_t offset, const struct range *range)
{
	uint32_t collider;
	struct world_object *object = check_collider_change(L, method, &collider);
	struct material material = collider_at(object, collider)->material;
	float value = arg_float(L, 2, method, name, range);
	memcpy((char *)&material + offset, &value, sizeof value);
	collider_set_material(object->world, collider, &material);
	return 0;
}

static int get_density(lua_State *L)
{
	return material_get(L, "getDensity", offsetof(struct material, density));
}

static int set_density(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_collider_change(L, "setDensity", &collider);
	struct material material = collider_at(object, collider)->material;
	material.density = check_density(L, 2, PATH("setDensity", "density"));
	collider_set_material(object->world, collider, &material);
	return 0;
}

static int get_friction(lua_State *L)
{
	return material_get(L, "getFriction", offsetof(struct material, friction));
}

static int set_friction(lua_State *L)
{
	return material_set(L, "setFriction", "friction", offsetof(struct material, friction), &range_coefficient);
}

static int get_restitution(lua_State *L)
{
	return material_get(L, "getRestitution", offsetof(struct material, restitution));
}

static int set_restitution(lua_State *L)
{
	return material_set(L, "setRestitution", "restitution", offsetof(struct material, restitution), &range_coefficient);
}

static int get_rolling_resistance(lua_State *L)
{
	return material_get(L, "getRollingResistance", offsetof(struct material, rolling_resistance));
}

static int set_rolling_resistance(lua_State *L)
{
	return material_set(
		L, "setRollingResistance", "rollingResistance", offsetof(struct material, rolling_resistance), &range_coefficient);
}

/* --- Whom it meets -------------------------------------------------------------------------------------------------------- */

static int get_layer(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_collider(L, "getLayer", &collider);
	attached_get(L, 1);
	push_layer(L, lua_gettop(L), collider_at(object, collider)->layer);
	return 1;
}

static int set_layer(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_collider_change(L, "setLayer", &collider);
	attached_get(L, 1);
	uint32_t layer = check_layer(L, 2, lua_gettop(L), object, PATH("setLayer", "layer"));
	collider_set_layer(object->world, collider, (uint8_t)layer);
	return 0;
}

static int get_group(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_collider(L, "getGroup", &collider);
	lua_pushinteger(L, collider_at(object, collider)->group);
	return 1;
}

static int set_group(lua_State *L)
{
	uint32_t collider;
	struct world_object *object = check_collider_change(L, "setGroup", &collider);
	int32_t group = (int32_t)value_integer(L, 2, PATH("setGroup", "group"), INT32_MIN, INT32_MAX);
	collider_set_group(object->world, collider, group);
	return 0;
}

static int is_sensor(lua_State *L)
{
	uint32_t collider;
	const struct world_object *object = check_collider(L, "isSensor", &collider);
	lua_pushboolean(L, collider_at(object, collider)->sensor);
	return 1;
}

const luaL_Reg collider_methods[] = {
	{"destroy", destroy},
	{"isValid", is_valid},
	{"getBody", get_body},
	{"getShape", get_shape},
	{"setShape", set_shape},
	{"getDensity", get_density},
	{"setDensity", set_density},
	{"getFriction", get_friction},
	{"setFriction", set_friction},
	{"getRestitution", get_restitution},
	{"setRestitution", set_restitution},
	{"getRollingResistance", get_rolling_resistance},
	{"setRollingResistance", set_rolling_resistance},
	{"getLayer", get_layer},
	{"setLayer", set_layer},
	{"getGroup", get_group},
	{"setGroup", set_group},
	{"isSensor", is_sensor},
	{NULL, NULL},
};
