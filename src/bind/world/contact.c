/* contact.c - the contact that a world's preSolve function gets, in 2D and 3D. A world has one such object, which stands for
 * the contact to be decided on at the moment, so that calls create no garbage. Outside preSolve its methods raise. */
#include "bind/world/dimension.h"
#include "core/pre_solve.h"

const struct class class_contact = {"contact", SHARED_CONTACT, false, 0, &class_d3_contact};
const struct class class_d3_contact = {"contact", SHARED_D3_CONTACT, false, 0, NULL};

struct contact_object {
	const struct class *class;
	uint32_t slot, slot_generation; /* of its world */
};

void contact_object_create(lua_State *L, const struct world_object *object, int environment)
{
	lua_rawgeti(L, environment, ENV_CONTACT);
	if (lua_isnil(L, -1)) {
		struct contact_object *contact =
			object_create(L, sizeof *contact, object->dimension->axes == 2 ? &class_contact : &class_d3_contact);
		contact->slot = object->slot;
		contact->slot_generation = object->slot_generation;
		lua_pushvalue(L, environment);
		attached_set(L, -2);
		lua_rawseti(L, environment, ENV_CONTACT);
	}
	lua_pop(L, 1);
}

/* The world whose preSolve runs; raises if the first argument is no contact, or none does. */
static struct world_object *check_contact(lua_State *L, const char *function)
{
	const struct contact_object *contact = object_test_any(L, 1, &class_contact, sizeof *contact);
	if (contact == NULL)
		raise_self(L, function, "a contact");
	struct world_object *object = slot_find(contact->slot, contact->slot_generation);
	if (object == NULL || object->contact == NULL)
		raise_error(L, "%s: a contact is valid in preSolve only", function);
	return object;
}

/* Sets the number of the contact's material at byte `offset` to the argument. */
static int set_number(lua_State *L, const char *function, const char *argument, const struct range *range, size_t offset)
{
	struct pre_solve *contact = check_contact(L, function)->contact;
	float number = arg_float(L, 2, function, argument, range);
	contact->mixed = true;
	*(float *)(void *)((char *)&contact->material + offset) = number;
	return 0;
}

static int get_colliders(lua_State *L)
{
	struct world_object *object = check_contact(L, "getColliders");
	const uint32_t colliders[2] = {object->contact->colliders[0], object->contact->colliders[1]};
	attached_get(L, 1);
	int environment = lua_gettop(L);
	push_live(L, object, environment, &class_collider, colliders[0]);
	push_live(L, object, environment, &class_collider, colliders[1]);
	return 2;
}

static int get_normal(lua_State *L)
{
	const struct world_object *object = check_contact(L, "getNormal");
	return push_numbers(L, object->dimension->axes, &object->contact->normal.x);
}

static int get_points(lua_State *L)
{
	const struct world_object *object = check_contact(L, "getPoints");
	luaL_checkstack(L, 12, "getPoints");
	for (int i = 0; i < object->contact->count; ++i)
		push_numbers(L, object->dimension->axes, &object->contact->points[i].x);
	return object->contact->count * object->dimension->axes;
}

static int get_speed(lua_State *L)
{
	lua_pushnumber(L, (double)check_contact(L, "getSpeed")->contact->speed);
	return 1;
}

static int is_enabled(lua_State *L)
{
	lua_pushboolean(L, check_contact(L, "isEnabled")->contact->enabled);
	return 1;
}

static int set_enabled(lua_State *L)
{
	struct world_object *object = check_contact(L, "setEnabled");
	object->contact->enabled = arg_boolean(L, 2, "setEnabled", "enabled");
	return 0;
}

static int set_friction(lua_State *L)
{
	return set_number(L, "setFriction", "friction", &range_coefficient, offsetof(struct contact_material, friction));
}

static int set_restitution(lua_State *L)
{
	return set_number(L, "setRestitution", "restitution", &range_coefficient, offsetof(struct contact_material, restitution));
}

static int set_tangent_speed(lua_State *L)
{
	return set_number(L, "setTangentSpeed", "speed", &range_velocity, offsetof(struct contact_material, tangent_speed));
}

/* The speed only tells the solver whether the surfaces move. */
static int set_tangent_velocity(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	double v[3];
	struct pre_solve *contact = check_contact(L, "setTangentVelocity")->contact;
	arg_numbers(L, 2, "setTangentVelocity", names, 3, &range_velocity, v);
	for (int i = 0; i < 3; ++i)
		contact->surface[i] = (float)v[i];
	contact->moves = contact->mixed = true;
	contact->material.tangent_speed = sqrtf(dot(contact->surface, contact->surface));
	return 0;
}

static int contact_tostring(lua_State *L)
{
	lua_pushstring(L, "contact");
	return 1;
}

const luaL_Reg contact_object_methods[] = {
	{"getColliders", get_colliders},
	{"getNormal", get_normal},
	{"getPoints", get_points},
	{"getSpeed", get_speed},
	{"isEnabled", is_enabled},
	{"setEnabled", set_enabled},
	{"setFriction", set_friction},
	{"setRestitution", set_restitution},
	{NULL, NULL},
};

const luaL_Reg d2_contact_methods[] = {
	{"setTangentSpeed", set_tangent_speed},
	{NULL, NULL},
};

const luaL_Reg d3_contact_methods[] = {
	{"setTangentVelocity", set_tangent_velocity},
	{NULL, NULL},
};

const luaL_Reg contact_metamethods[] = {
	{"__tostring", contact_tostring},
	{NULL, NULL},
};
