/* body.c - methods of bodies, for 2D and 3D. */
#include "bind/lua/property.h"
#include "bind/world/break.h"
#include "bind/world/joint.h"
#include "core/link.h"
#include "core/one_way.h"
#include "core/sleep.h"

#include <stdlib.h>

static const char *const type_names[] = {"static", "kinematic", "dynamic", NULL};

_Static_assert(BODY_STATIC == 0 && BODY_KINEMATIC == 1 && BODY_DYNAMIC == 2, "names of the types in order");

enum body_type check_body_type(lua_State *L, int index, const struct path *path)
{
	return (enum body_type)value_choice(L, index, path, type_names, "be \"static\", \"kinematic\" or \"dynamic\"");
}

static struct body *body_at(const struct world_object *object, uint32_t body)
{
	return &object->world->bodies.data[body];
}

static const struct body *check_self(lua_State *L, const char *function)
{
	uint32_t body;
	const struct world_object *object = check_body(L, function, &body);
	return body_at(object, body);
}

static int drop_through(lua_State *L)
{
	uint32_t body;
	struct world_object *object = check_body_change(L, "dropThrough", &body);
	lua_settop(L, 2);
	int64_t ticks = lua_isnil(L, 2) ? 1 : value_integer(L, 2, PATH("dropThrough", "ticks"), 1, INT32_MAX);
	if (!body_drop_through(object->world, body, (uint32_t)ticks))
		raise_memory(L, "dropThrough");
	return 0;
}

uint32_t value_body(lua_State *L, const struct world_object *object, int index, const struct path *path)
{
	static const char must[] = "be a body of this world";
	const struct reference *reference = object_test(L, index, object->dimension->body, sizeof *reference);
	if (reference == NULL)
		raise_value(L, index, path, must);
	const struct world_object *found = reference_find(reference);
	if (found != object)
		raise_got(L, path, must, found != NULL ? "a body of another world" : "a destroyed body");
	return reference->handle.index;
}

/* --- Lifetime ------------------------------------------------------------------------------------------------------------- */

static bool events_pending(const struct world *world)
{
	const struct events *events = &world->events;
	return events->begins.count || events->hits.count || events->overlap_begins.count || events->ends.all.count ||
		events->overlap_ends.all.count;
}

/* Whether an event may refer to the collider: its body has contacts, or any events are pending. */
static bool events_may_name(const struct world *world, uint32_t collider)
{
	return world->bodies.data[world->colliders.data[collider].body].link_counts[LINK_CONTACT] > 0 || events_pending(world);
}

void collider_keep(lua_State *L, struct world_object *object, int environment, uint32_t collider)
{
	bool named = events_may_name(object->world, collider);
	if (!named && !object->colliders_noted)
		return;
	struct handle handle = {collider, object->world->colliders.data[collider].generation};
	const struct reference *reference = push_made(L, environment, &class_collider, handle);
	if (reference && (named || reference->noted))
		dead_keep(L, object, environment, reference);
	lua_pop(L, 1);
}

static bool field_of_body(const struct world *world, uint32_t id, uint32_t body)
{
	return field_at(world, id)->valid && field_at(world, id)->body == body;
}

/* Calls dead_keep for the fields on the body that have a name or data. False: a finalizer has destroyed the body. */
static bool fields_keep(lua_State *L, struct world_object *object, int environment, const struct reference *reference)
{
	uint32_t body = reference->handle.index;
	for (uint32_t id = 0; object->world->fields.attached > 0 && id < object->world->fields.all.count; ++id) {
		if (!field_of_body(object->world, id, body))
			continue;
		struct handle field = {id, field_at(object->world, id)->generation};
		const struct reference *made = push_made(L, environment, &class_field, field);
		if (made && made->noted)
			dead_keep(L, object, environment, made);
		lua_pop(L, 1);
		if (reference_find(reference) == NULL)
			return false;
	}
	return true;
}

/* The mover whose body it is; NONE: it has none. */
static uint32_t mover_of_body(const struct world *world, uint32_t body)
{
	for (uint32_t id = 0; world->bodies.data[body].controlled && id < world->controllers.all.count; ++id)
		if (controller_at(world, id)->valid && controller_at(world, id)->body == body)
			return id;
	return NONE;
}

/* Calls dead_keep for the body's mover if it has a name or data. False: a finalizer has destroyed the body. */
static bool mover_keep(lua_State *L, struct world_object *object, int environment, const struct reference *reference)
{
	uint32_t id = mover_of_body(object->world, reference->handle.index);
	if (id == NONE)
		return true;
	const struct reference *made =
		push_made(L, environment, &class_mover, (struct handle){id, controller_at(object->world, id)->generation});
	if (made && made->noted)
		dead_keep(L, object, environment, made);
	lua_pop(L, 1);
	return reference_find(reference) != NULL;
}

/* Calls dead_keep for the body at stack index 1, its joints, mover, fields and colliders, where events may refer to them or
 * they have a name or data. Each call may run a finalizer that changes the list being traversed; the traversal then starts
 * again, which is harmless. False: the body is destroyed. */
static bool body_keep(lua_State *L, struct world_object *object, int environment, const struct reference *reference)
{
	uint32_t body = reference->handle.index;
	if (reference->noted) {
		lua_pushvalue(L, 1);
		dead_keep(L, object, environment, reference);
		lua_pop(L, 1);
		if (reference_find(reference) == NULL)
			return false;
	}
	for (uint32_t key = body_at(object, body)->links[LINK_JOINT]; key != NONE;) {
		struct handle joint = {key / 2, object->world->joints.data[key / 2].generation};
		const struct reference *made = push_made(L, environment, &class_joint, joint);
		if (made && joint_keeps(object, made))
			dead_keep(L, object, environment, made);
		lua_pop(L, 1);
		if (reference_find(reference) == NULL ||
			(handle_valid_joint(object->world, joint) && !gears_keep(L, object, environment, reference, joint.index)))
			return false;
		key = handle_valid_joint(object->world, joint) ? link_next(object->world, LINK_JOINT, key)
													   : body_at(object, body)->links[LINK_JOINT];
	}
	if (!fields_keep(L, object, environment, reference) || !mover_keep(L, object, environment, reference))
		return false;
	for (uint32_t c = body_at(object, body)->colliders; c != NONE;) {
		struct handle collider = {c, object->world->colliders.data[c].generation};
		collider_keep(L, object, environment, c);
		if (reference_find(reference) == NULL)
			return false;
		bool there = handle_valid_collider(object->world, collider) && object->world->colliders.data[c].body == body;
		c = there ? object->world->colliders.data[c].next : body_at(object, body)->colliders;
	}
	return true;
}

void body_remove(lua_State *L, struct world_object *object, int environment, struct reference *reference)
{
	uint32_t body = reference->handle.index;
	uint32_t first = object->colliders_made ? body_at(object, body)->colliders : NONE;
	for (uint32_t c = first; c != NONE; c = object->world->colliders.data[c].next)
		reference_retire(L, object, environment, &class_collider, c);
	for (uint32_t key = body_at(object, body)->links[LINK_JOINT]; key != NONE;
		 key = link_next(object->world, LINK_JOINT, key)) {
		gears_retire(L, object, environment, key / 2);
		reference_retire(L, object, environment, &class_joint, key / 2);
	}
	for (uint32_t id = 0; object->world->fields.attached > 0 && id < object->world->fields.all.count; ++id)
		if (field_of_body(object->world, id, body))
			reference_retire(L, object, environment, &class_field, id);
	uint32_t mover = mover_of_body(object->world, body);
	if (mover != NONE)
		reference_retire(L, object, environment, &class_mover, mover);
	reference->destroyed = true;
	shapes_empty(L, object, environment, body_at(object, body)->colliders);
	body_destroy(object->world, body);
}

static int destroy(lua_State *L)
{
	struct reference *reference;
	struct world_object *object = reference_doom(L, &class_body, &reference);
	if (object == NULL)
		return 0;
	environment_open(L);
	uint32_t body = reference->handle.index;
	bool others = object->colliders_made || body_at(object, body)->links[LINK_JOINT] != NONE ||
		object->world->fields.attached > 0 || body_at(object, body)->controlled;
	if ((reference->noted || others) && !body_keep(L, object, 2, reference))
		return 0;
	body_remove(L, object, 2, reference);
	return 0;
}

/* --- State ---------------------------------------------------------------------------------------------------------------- */

static int get_type(lua_State *L)
{
	lua_pushstring(L, type_names[check_self(L, "getType")->type]);
	return 1;
}

/* Called before a body becomes dynamic. Raises if it has a chain, mesh, height field, half-plane or half-space that is not a
 * sensor. */
static void check_may_be_dynamic(lua_State *L, const struct world_object *object, uint32_t body)
{
	const struct world *world = object->world;
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next) {
		const char *name = object->dimension->static_shape_name(world->colliders.data[c].shape);
		if (name != NULL && !world->colliders.data[c].sensor)
			raise_error(L, "setType: type must be \"static\" or \"kinematic\" for a body with a %s, got \"dynamic\"", name);
	}
}

static int set_type(lua_State *L)
{
	uint32_t body;
	struct world_object *object = check_body_change(L, "setType", &body);
	enum body_type type = check_body_type(L, 2, PATH("setType", "type"));
	if (type == BODY_DYNAMIC)
		check_may_be_dynamic(L, object, body);
	if (!body_set_type(object->world, body, type))
		raise_memory(L, "setType");
	return 0;
}

static int is_enabled(lua_State *L)
{
	lua_pushboolean(L, check_self(L, "isEnabled")->set != SET_DISABLED);
	return 1;
}

static int set_enabled(lua_State *L)
{
	uint32_t body;
	struct world_object *object = check_body_change(L, "setEnabled", &body);
	if (!body_set_enabled(object->world, body, arg_boolean(L, 2, "setEnabled", "enabled")))
		raise_memory(L, "setEnabled");
	return 0;
}

static int is_awake(lua_State *L)
{
	lua_pushboolean(L, check_self(L, "isAwake")->set == SET_AWAKE);
	return 1;
}

static int set_awake(lua_State *L)
{
	uint32_t body;
	struct world_object *object = check_body_change(L, "setAwake", &body);
	if (arg_boolean(L, 2, "setAwake", "awake"))
		body_wake(object->world, body);
	else
		body_sleep(object->world, body);
	return 0;
}

static int get_id(lua_State *L)
{
	uint32_t body;
	check_body(L, "getId", &body);
	lua_pushinteger(L, body);
	return 1;
}

static int get_color(lua_State *L)
{
	check_body(L, "getColor", &(uint32_t){0});
	return reference_get_text(L, ENV_COLORS);
}

static int set_color(lua_State *L)
{
	struct world_object *object = check_body(L, "setColor", &(uint32_t){0});
	value_color(L, 2, PATH("setColor", "color"));
	object->colored = true;
	return reference_set_text(L, ENV_COLORS);
}

static int reset_mass_data(lua_State *L)
{
	uint32_t body;
	struct world_object *object = check_body_change(L, "resetMassData", &body);
	body_reset_mass(object->world, body);
	return 0;
}

static int get_kinetic_energy(lua_State *L)
{
	uint32_t body;
	const struct world_object *object = check_body(L, "getKineticEnergy", &body);
	lua_pushnumber(L, object->dimension->body_kinetic_energy(object->world, body));
	return 1;
}

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

int body_list(lua_State *L, const char *function, const struct class *class,
	uint32_t (*gather)(const struct world *world, uint32_t body, struct handle *handles))
{
	struct world_object *object = check_body(L, function, &(uint32_t){0});
	struct handle *handles;
	uint32_t body, room;
	lua_settop(L, 1);
	attached_get(L, 1);
	do { /* repeats if a finalizer has added objects */
		lua_settop(L, 2);
		check_body(L, function, &body);
		room = gather(object->world, body, NULL);
		lua_createtable(L, (int)room, 0);
		handles = userdata_create(L, room * sizeof *handles + 1);
		check_body(L, function, &body);
	} while (gather(object->world, body, NULL) > room);
	uint32_t count = gather(object->world, body, handles);
	for (uint32_t i = 0; i < count; ++i) {
		push_handle(L, object, 2, class, handles[i]);
		lua_rawseti(L, 3, (int)i + 1);
	}
	lua_settop(L, 3);
	return 1;
}

static int compare_ids(const void *a, const void *b)
{
	const struct handle *x = a, *y = b;
	return (x->index > y->index) - (x->index < y->index);
}

/* By id. */
static uint32_t gather_colliders(const struct world *world, uint32_t body, struct handle *handles)
{
	uint32_t count = world->bodies.data[body].collider_count, i = 0;
	if (handles == NULL)
		return count;
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next)
		handles[i++] = (struct handle){c, world->colliders.data[c].generation};
	qsort(handles, count, sizeof *handles, compare_ids);
	return count;
}

static int get_colliders(lua_State *L)
{
	return body_list(L, "getColliders", &class_collider, gather_colliders);
}

/* --- Properties ----------------------------------------------------------------------------------------------------------- */

static void *own_at(const struct world_object *object, uint32_t body, size_t offset)
{
	return (char *)body_at(object, body) + offset;
}

static void *mass_at(const struct world_object *object, uint32_t body, size_t offset)
{
	(void)offset;
	return (char *)body_row(object->world, body) + object->world->wing->body_mass_at;
}

/* Address of a float in the wing's mover record of the body. offset: that of the member of struct dimension which has the
 * float's offset. */
static void *mover_at(const struct world_object *object, uint32_t body, size_t offset)
{
	return mover_number(object, body, *(const size_t *)((const char *)object->dimension + offset));
}

static bool mover_reserve(struct world_object *object, uint32_t body)
{
	return body_own_mover(object->world, body);
}

static void sleeping_changed(struct world_object *object, uint32_t body)
{
	if (!body_at(object, body)->sleeping_allowed)
		body_wake(object->world, body);
}

static void gravity_changed(struct world_object *object, uint32_t body)
{
	body_wake(object->world, body);
}

#define FIELD(name, value, field) \
	.get = name, .type = value, .check = check_body, .at = own_at, .offset = offsetof(struct body, field)
#define MOVER(name, field)                                                                                                 \
	.get = name, .type = PROPERTY_FLOAT, .check = check_body, .at = mover_at, .offset = offsetof(struct dimension, field), \
	.reserve = mover_reserve

const struct property body_properties[] = {
	{FIELD("isSleepingAllowed", PROPERTY_BOOLEAN, sleeping_allowed), PROPERTY_SET("setSleepingAllowed", "allowed"),
		.changed = sleeping_changed},
	{FIELD("getSleepThreshold", PROPERTY_FLOAT, sleep_threshold), PROPERTY_SET("setSleepThreshold", "speed"),
		.range = &range_speed},
	{FIELD("isBullet", PROPERTY_BOOLEAN, bullet), PROPERTY_SET("setBullet", "bullet")},
	{.get = "getMass", .type = PROPERTY_FLOAT, .check = check_body, .at = mass_at},
	{MOVER("getLinearDamping", linear_damping), PROPERTY_SET("setLinearDamping", "damping"), .range = &range_coefficient},
	{MOVER("getAngularDamping", angular_damping), PROPERTY_SET("setAngularDamping", "damping"), .range = &range_coefficient},
	{MOVER("getGravityScale", gravity_scale), PROPERTY_SET("setGravityScale", "scale"), .range = &range_signed,
		.changed = gravity_changed},
	{.get = NULL},
};

const luaL_Reg body_methods[] = {
	{"destroy", destroy},
	{"isValid", reference_is_valid},
	{"getWorld", reference_get_world},
	{"getId", get_id},
	{"getType", get_type},
	{"setType", set_type},
	{"isEnabled", is_enabled},
	{"setEnabled", set_enabled},
	{"isAwake", is_awake},
	{"setAwake", set_awake},
	{"getName", reference_get_name},
	{"setName", reference_set_name},
	{"getColor", get_color},
	{"setColor", set_color},
	{"slice", body_slice},
	{"shatter", body_shatter},
	{"resetMassData", reset_mass_data},
	{"getKineticEnergy", get_kinetic_energy},
	{"newCollider", body_new_collider},
	{"dropThrough", drop_through},
	{"getColliders", get_colliders},
	{"getJoints", body_get_joints},
	{NULL, NULL},
};
