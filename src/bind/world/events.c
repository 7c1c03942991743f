/* events.c - loops over the events of a step and over the current contacts: `for a, b in world:beginContacts() do`. A loop
 * creates no garbage: one function is the iterator of all loops, and a cursor from a small pool per world has the loop's state.
 * The first value of each iteration is Lua's control variable, which Lua passes back. By it and by the number of steps, the
 * iterator detects that the cursor was given to another loop. Objects may be destroyed during a loop: events refer to them by
 * id and generation, and their handles are kept until after the next step. */
#include "bind/geometry/materials.h"
#include "bind/world/dimension.h"
#include "core/contact.h"
#include "core/event.h"
#include "core/link.h"
#include "core/slide.h"

const struct class class_cursor = {"loop", SHARED_CURSOR, false, 0, NULL};

enum event_kind {
	BEGIN_CONTACTS,
	END_CONTACTS,
	HITS,
	BEGIN_OVERLAPS,
	END_OVERLAPS,
	MOVED,
	INTERPOLATED,
	CONTACTS,
	SLIDES,
	OWN_CONTACTS,
	JOINT_EVENTS,
	WOKE_BODIES,
	SLEPT_BODIES,
	OVERLAPS,
	MOVER_CONTACTS
};

/* --- Cursors -------------------------------------------------------------------------------------------------------------- */

static struct cursor *cursor_create(lua_State *L, const struct world_object *object, int environment)
{
	struct cursor *cursor = userdata_create(L, sizeof *cursor);
	*cursor = (struct cursor){.class = &class_cursor, .slot = object->slot, .slot_generation = object->slot_generation};
	shared_push(L, SHARED_CURSOR);
	lua_setmetatable(L, -2);
	lua_pushvalue(L, environment);
	attached_set(L, -2);
	return cursor;
}

/* Pushes a cursor that no loop of this step uses. A loop left by `break` returns its cursor at once if Lua has to-be-closed
 * variables (5.4), else when the next step begins. */
static struct cursor *cursor_take(lua_State *L, struct world_object *object, int environment)
{
	int i = 0;
	while (i < CURSORS && object->cursors[i] && object->cursors[i]->busy && object->cursors[i]->epoch == object->epoch)
		++i;
	if (i < CURSORS && object->cursors[i]) {
		lua_rawgeti(L, environment, ENV_CURSORS);
		lua_rawgeti(L, -1, i + 1);
		return object->cursors[i];
	}
	struct cursor *cursor = cursor_create(L, object, environment);
	if (i < CURSORS && object->cursors[i] == NULL) {
		lua_rawgeti(L, environment, ENV_CURSORS);
		lua_pushvalue(L, -2);
		lua_rawseti(L, -2, i + 1);
		lua_pop(L, 1);
		object->cursors[i] = cursor;
	}
	return cursor;
}

/* Begins a loop over the events of the world `object` from `position` on. The first argument is attached to its
 * environment. */
static int loop_open(
	lua_State *L, struct world_object *object, const struct method *method, struct handle owner, uint32_t position)
{
	lua_settop(L, 1);
	attached_get(L, 1);
	struct cursor *cursor = cursor_take(L, object, 2);
	cursor->kind = (uint32_t)method->number;
	cursor->position = position;
	cursor->point = 0;
	cursor->owner = owner;
	cursor->end = 0;
	cursor->epoch = object->epoch;
	cursor->last = NULL;
	cursor->busy = true;
	int at = lua_gettop(L);
	shared_push(L, SHARED_ITERATOR);
	lua_pushvalue(L, at);
	lua_pushnil(L);
#if LUA_VERSION_NUM >= 504
	lua_pushvalue(L, at); /* closed when the loop is left */
	return 4;
#else
	return 3;
#endif
}

static int loop_begin(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	struct world_object *object = check_world(L, method->name);
	if (object->world->locked)
		check_unlocked(L, object, method->name);
	return loop_open(L, object, method, (struct handle){NONE, 0}, 0);
}

/* Begins a loop over the contacts of a body, or of a collider: those of its body that the cursor's owner is part of. */
static int contacts_begin(lua_State *L)
{
	uint32_t id;
	const struct method *method = upvalue_address(L, 3);
	struct world_object *object = check_reference(L, method->name, &id);
	if (object->world->locked)
		check_unlocked(L, object, method->name);
	bool whole = ((const struct class *)upvalue_address(L, 2))->handles == ENV_BODIES;
	uint32_t body = whole ? id : object->world->colliders.data[id].body;
	struct handle owner = {NONE, 0};
	if (!whole)
		owner = (struct handle){id, object->world->colliders.data[id].generation};
	return loop_open(L, object, method, owner, object->world->bodies.data[body].links[LINK_CONTACT]);
}

/* Begins a loop over what a mover has met in its last move. */
static int mover_contacts_begin(lua_State *L)
{
	uint32_t id;
	const struct method *method = upvalue_address(L, 3);
	struct world_object *object = check_reference(L, method->name, &id);
	if (object->world->locked)
		check_unlocked(L, object, method->name);
	return loop_open(L, object, method, (struct handle){id, controller_at(object->world, id)->generation}, 0);
}

/* Adds the visitors of the sensor to object->visitors. False: no memory, none is added. */
static bool visitors_list(struct world_object *object, uint32_t sensor)
{
	const struct world *world = object->world;
	uint32_t before = object->visitors.count, body = world->colliders.data[sensor].body;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		const struct contact *contact = &world->contacts.data[key / 2];
		if (contact->colliders[key & 1] != sensor || (contact->link.flags & CONTACT_TOUCHING) == 0 ||
			!contact_leads(world, key / 2))
			continue;
		if (!array_reserve(&object->memory, &object->visitors, object->visitors.count + 1)) {
			object->visitors.count = before;
			return false;
		}
		array_push(&object->visitors, collider_handle(world, contact->colliders[~key & 1]));
	}
	return true;
}

/* The visitors are listed when the loop begins, since it may destroy some of them. The lists of all loops are in one buffer,
 * which is emptied when no such loop runs. */
static int overlaps_begin(lua_State *L)
{
	uint32_t sensor;
	struct world_object *object = check_reference(L, "overlaps", &sensor);
	if (object->world->locked)
		check_unlocked(L, object, "overlaps");
	int count = loop_open(L, object, &(const struct method){"overlaps", NULL, OVERLAPS}, (struct handle){NONE, 0}, 0);
	struct cursor *cursor = lua_touserdata(L, 1 - count);
	object = check_reference(L, "overlaps", &sensor);
	if (object->visitor_epoch != object->epoch || object->visitor_loops == 0) {
		array_empty(&object->memory, &object->visitors);
		object->visitor_loops = 0;
	}
	object->visitor_epoch = object->epoch;
	cursor->position = object->visitors.count;
	if (object->world->colliders.data[sensor].sensor && !visitors_list(object, sensor))
		raise_memory(L, "overlaps");
	cursor->end = object->visitors.count;
	++object->visitor_loops;
	return count;
}

static void cursor_give(struct cursor *cursor)
{
	struct world_object *object = slot_find(cursor->slot, cursor->slot_generation);
	if (cursor->busy && cursor->kind == OVERLAPS && object && object->visitor_epoch == cursor->epoch &&
		object->visitor_loops > 0)
		--object->visitor_loops;
	cursor->busy = false;
	cursor->last = NULL;
}

static int cursor_close(lua_State *L)
{
	struct cursor *cursor = object_test(L, 1, &class_cursor, sizeof *cursor);
	if (cursor)
		cursor_give(cursor);
	return 0;
}

/* --- Rows ----------------------------------------------------------------------------------------------------------------- */

/* Stack slots of the iterator. The functions below push values above them. */
enum { AT_CURSOR = 1, AT_LAST, AT_ENVIRONMENT, AT_HANDLES };

/* Pushes the handle of an object of the kind that AT_HANDLES is for. It may be destroyed. */
static void push_known(lua_State *L, struct world_object *object, const struct class *class, struct handle handle)
{
	lua_rawgeti(L, AT_HANDLES, (int)handle.index + 1);
	const struct reference *reference = lua_touserdata(L, -1);
	if (reference && reference->handle.index == handle.index && reference->handle.generation == handle.generation)
		return;
	lua_pop(L, 1);
	push_handle(L, object, AT_ENVIRONMENT, class, handle);
}

static void push_pair(lua_State *L, struct world_object *object, struct handle a, struct handle b)
{
	push_known(L, object, &class_collider, a);
	push_known(L, object, &class_collider, b);
}

static int push_end(lua_State *L, struct world_object *object, struct cursor *cursor, const struct end_events *ends)
{
	if (cursor->position >= ends->delivered)
		return 0;
	struct end_event event = ends->all.data[cursor->position++];
	push_pair(L, object, event.a, event.b);
	return 2;
}

/* Pushes a row of beginContacts (a, b, normal, point), hits (a, b, point, normal, speed, energy, materials) or beginOverlaps
 * (a, b). */
static int push_begin(
	lua_State *L, struct world_object *object, struct cursor *cursor, const struct contact_event *events, uint32_t count)
{
	int axes = object->dimension->axes;
	bool hit = cursor->kind == HITS;
	if (cursor->position >= count)
		return 0;
	struct contact_event event = events[cursor->position++];
	push_pair(L, object, event.a, event.b);
	if (cursor->kind == BEGIN_OVERLAPS)
		return 2;
	push_numbers(L, axes, event.point_normal + (hit ? 0 : axes));
	push_numbers(L, axes, event.point_normal + (hit ? axes : 0));
	if (!hit)
		return 2 + 2 * axes;
	push_numbers(L, 2, (const double[]){(double)event.speed, (double)event.energy});
	for (int side = 0; side < 2; ++side)
		materials_push_name(L, event.materials[side]);
	return 6 + 2 * axes;
}

/* Rows of moved and interpolated. Skips bodies destroyed since the step: they have no transform. */
static int push_moved(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	while (object->world && cursor->position < object->world->events.moves.count) {
		struct move_event event = object->world->events.moves.data[cursor->position++];
		if (!handle_valid_body(object->world, event.body))
			continue;
		push_known(L, object, &class_body, event.body);
		if (object->world == NULL || !handle_valid_body(object->world, event.body)) {
			lua_pop(L, 1); /* a finalizer has destroyed it */
			continue;
		}
		if (cursor->kind == INTERPOLATED)
			return 1 + object->dimension->push_render_transform(L, object->world, event.body.index);
		int numbers = object->dimension->push_transform(L, object->world, event.body.index);
		lua_pushboolean(L, event.fell_asleep);
		return 2 + numbers;
	}
	return 0;
}

static bool contact_shown(const struct world *world, uint32_t id)
{
	const struct link *link = &world->contacts.data[id].link;
	return link->valid && (link->flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
}

/* The number of the part that touches on one side of the contact, as `part` of queries; 0: the shape has no parts. */
static uint64_t part_number(const struct world_object *object, uint32_t id, int side)
{
	const char *kind;
	const struct world *world = object->world;
	const void *shape = world->colliders.data[world->contacts.data[id].colliders[side]].shape;
	uint64_t part = object->dimension->part(shape, object->dimension->contact_part(world, id, side), &kind);
	return kind != NULL ? part : 0;
}

/* The row of the contact's point cursor->point, or NULL if there is no such point. The rows of all points are computed with the
 * first one; a loop inside the loop makes that necessary again. */
static const double *point_row(struct world_object *object, const struct cursor *cursor, uint32_t id, int first)
{
	struct shown_contact *shown = &object->shown;
	if (cursor->point == 0 || shown->cursor != cursor || shown->contact != id) {
		shown->count = object->dimension->contact_rows(object->world, id, first, shown->rows);
		shown->cursor = cursor;
		shown->contact = id;
	}
	return cursor->point < shown->count ? shown->rows[cursor->point] : NULL;
}

/* Pushes the row of the contact's point cursor->point, with its collider `first` as a, and steps to the next point. Returns 0
 * if the contact has no such point. */
static int push_point(lua_State *L, struct world_object *object, struct cursor *cursor, uint32_t id, int first)
{
	const struct world *world = object->world;
	const double *row = point_row(object, cursor, id, first);
	const uint32_t *colliders = world->contacts.data[id].colliders;
	if (row == NULL)
		return 0;
	++cursor->point;
	uint64_t parts[2];
	for (int side = 0; side < 2; ++side)
		parts[side] = part_number(object, id, side == 0 ? first : !first);
	double numbers[CONTACT_ROW]; /* push_pair may run a finalizer, and that a loop */
	memcpy(numbers, row, sizeof numbers);
	push_pair(L, object, collider_handle(world, colliders[first]), collider_handle(world, colliders[!first]));
	int count = push_numbers(L, 2 * object->dimension->axes + 3, numbers);
	for (int side = 0; side < 2; ++side)
		if (parts[side] > 0)
			lua_pushinteger(L, parts[side]);
		else
			lua_pushnil(L);
	return 4 + count;
}

/* One row per manifold point: cursor->position is the contact. */
static int push_contact(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	for (; cursor->position < object->world->contacts.count; ++cursor->position, cursor->point = 0) {
		bool shown = contact_shown(object->world, cursor->position);
		int count = shown ? push_point(L, object, cursor, cursor->position, 0) : 0;
		if (count > 0)
			return count;
	}
	return 0;
}

/* As push_contact: cursor->position is the contact's key in its body's list. A contact that ends during the loop keeps its
 * place in that list, as far as its own neighbours go, since contacts begin only in steps. */
static int push_own_contact(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	const struct world *world = object->world;
	for (uint32_t *key = &cursor->position; *key != NONE; *key = link_next(world, LINK_CONTACT, *key), cursor->point = 0) {
		int first = (int)(*key & 1);
		uint32_t collider = world->contacts.data[*key / 2].colliders[first];
		if ((cursor->owner.index != NONE && cursor->owner.index != collider) || !contact_shown(world, *key / 2))
			continue;
		int count = push_point(L, object, cursor, *key / 2, first);
		if (count > 0)
			return count;
	}
	return 0;
}

static int push_slide_row(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	struct slide slide;
	int axes = object->dimension->axes;
	uint32_t id = slide_next(object->world, cursor->position, &slide);
	cursor->position = id == NONE ? NONE : id + 1;
	if (id == NONE)
		return 0;
	push_pair(
		L, object, collider_handle(object->world, slide.colliders[0]), collider_handle(object->world, slide.colliders[1]));
	push_numbers(L, axes, &slide.point.x);
	push_numbers(L, axes, &slide.normal.x);
	return 2 + 2 * axes + push_numbers(L, 3, (const double[]){slide.slip, slide.roll, slide.force});
}

static int push_joint_event(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	if (cursor->position >= object->world->events.joints.count)
		return 0;
	struct joint_event event = object->world->events.joints.data[cursor->position++];
	push_known(L, object, &class_joint, event.joint);
	lua_pushnumber(L, event.force);
	lua_pushnumber(L, event.torque);
	lua_pushboolean(L, event.broken);
	return 4;
}

/* A row of wokeBodies or sleptBodies; cursor->position is a body. */
static int push_body(lua_State *L, struct world_object *object, struct cursor *cursor, const struct bits *bodies)
{
	uint32_t id = bits_next(bodies, cursor->position);
	if (id == NONE)
		return 0;
	cursor->position = id + 1;
	push_known(L, object, &class_body, (struct handle){id, object->world->bodies.data[id].generation});
	return 1;
}

/* Skips visitors destroyed since the loop began. */
static int push_visitor(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	while (cursor->position < cursor->end) {
		struct handle visitor = object->visitors.data[cursor->position++];
		if (!handle_valid_collider(object->world, visitor))
			continue;
		push_known(L, object, &class_collider, visitor);
		return 1;
	}
	return 0;
}

/* Skips colliders destroyed since the move. */
static int push_mover_contact(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	int axes = object->dimension->axes;
	while (handle_valid_controller(object->world, cursor->owner)) {
		const struct controller *mover = controller_at(object->world, cursor->owner.index);
		if (cursor->position >= mover->contact_count)
			break;
		struct controller_contact contact = mover->contacts[cursor->position++];
		if (!handle_valid_collider(object->world, contact.collider))
			continue;
		push_known(L, object, &class_collider, contact.collider);
		push_numbers(L, axes, &contact.point.x);
		push_numbers(L, axes, &contact.normal.x);
		lua_pushnumber(L, contact.fraction);
		return 2 + 2 * axes;
	}
	return 0;
}

static int push_row(lua_State *L, struct world_object *object, struct cursor *cursor)
{
	const struct events *events = &object->world->events;
	bool present =
		cursor->kind == CONTACTS || cursor->kind == OWN_CONTACTS || cursor->kind == SLIDES || cursor->kind == MOVER_CONTACTS;
	if (!object->told && !present && cursor->kind != INTERPOLATED)
		return 0;
	switch ((enum event_kind)cursor->kind) {
	case BEGIN_CONTACTS: return push_begin(L, object, cursor, events->begins.data, events->begins.count);
	case END_CONTACTS: return push_end(L, object, cursor, &events->ends);
	case HITS: return push_begin(L, object, cursor, events->hits.data, events->hits.count);
	case BEGIN_OVERLAPS: return push_begin(L, object, cursor, events->overlap_begins.data, events->overlap_begins.count);
	case END_OVERLAPS: return push_end(L, object, cursor, &events->overlap_ends);
	case MOVED:
	case INTERPOLATED: return push_moved(L, object, cursor);
	case CONTACTS: return push_contact(L, object, cursor);
	case SLIDES: return push_slide_row(L, object, cursor);
	case OWN_CONTACTS: return push_own_contact(L, object, cursor);
	case JOINT_EVENTS: return push_joint_event(L, object, cursor);
	case WOKE_BODIES: return push_body(L, object, cursor, &events->woke);
	case SLEPT_BODIES: return push_body(L, object, cursor, &events->slept);
	case OVERLAPS: return push_visitor(L, object, cursor);
	case MOVER_CONTACTS: return push_mover_contact(L, object, cursor);
	}
	return 0;
}

/* The key of the handles that the rows begin with. */
static int handles_of(enum event_kind kind)
{
	switch (kind) {
	case MOVED:
	case INTERPOLATED:
	case WOKE_BODIES:
	case SLEPT_BODIES: return ENV_BODIES;
	case JOINT_EVENTS: return ENV_JOINTS;
	default: return ENV_COLLIDERS;
	}
}

int cursor_next(lua_State *L)
{
	struct cursor *cursor = object_test(L, 1, &class_cursor, sizeof *cursor);
	if (cursor == NULL)
		raise_error(L, "loop: expected the cursor of a loop over events");
	struct world_object *object = slot_find(cursor->slot, cursor->slot_generation);
	if (object == NULL)
		raise_error(L, "loop: world is destroyed");
	if (!cursor->busy && lua_isnoneornil(L, 2)) {
		lua_pushnil(L);
		return 1;
	}
	if (!cursor->busy || cursor->epoch != object->epoch || cursor->last != lua_touserdata(L, 2))
		raise_error(L, "loop: the world was stepped during a loop over its events");
	lua_settop(L, AT_LAST);
	attached_get(L, AT_CURSOR);
	lua_rawgeti(L, AT_ENVIRONMENT, handles_of((enum event_kind)cursor->kind));
	int count = push_row(L, object, cursor);
	if (count == 0) {
		cursor_give(cursor);
		lua_pushnil(L);
		return 1;
	}
	cursor->last = lua_touserdata(L, -count);
	return count;
}

const struct method event_methods[] = {
	{"beginContacts", loop_begin, BEGIN_CONTACTS},
	{"endContacts", loop_begin, END_CONTACTS},
	{"hits", loop_begin, HITS},
	{"beginOverlaps", loop_begin, BEGIN_OVERLAPS},
	{"endOverlaps", loop_begin, END_OVERLAPS},
	{"moved", loop_begin, MOVED},
	{"interpolated", loop_begin, INTERPOLATED},
	{"contacts", loop_begin, CONTACTS},
	{"slides", loop_begin, SLIDES},
	{"jointEvents", loop_begin, JOINT_EVENTS},
	{"wokeBodies", loop_begin, WOKE_BODIES},
	{"sleptBodies", loop_begin, SLEPT_BODIES},
	{NULL, NULL, 0},
};

const struct method contact_methods[] = {
	{"contacts", contacts_begin, OWN_CONTACTS},
	{NULL, NULL, 0},
};

const struct method mover_loops[] = {
	{"contacts", mover_contacts_begin, MOVER_CONTACTS},
	{NULL, NULL, 0},
};

const luaL_Reg overlap_methods[] = {
	{"overlaps", overlaps_begin},
	{NULL, NULL},
};

const luaL_Reg cursor_metamethods[] = {
	{"__close", cursor_close},
	{NULL, NULL},
};
