/* state_values.c - the values of scripts in a snapshot: names, colours and data. Data is written breadth first: a table as its
 * number, and its content when all tables found before it have been written. So neither cycles nor depth matter. */
#include "bind/world/state.h"
#include "base/scalar.h"

enum tag { TAG_NIL, TAG_FALSE, TAG_TRUE, TAG_INTEGER, TAG_NUMBER, TAG_STRING, TAG_TABLE, TAG_OBJECT, TAG_WORLD, TAGS };

/* --- Objects -------------------------------------------------------------------------------------------------------------- */

const struct class *kind_class(const struct world_object *object, int kind)
{
	static const struct class *const plane[] = {&class_body, &class_collider, &class_joint, &class_field, &class_mover};
	return object->dimension->axes == 2 ? plane[kind] : plane[kind]->space;
}

uint32_t kind_end(const struct world *world, int kind)
{
	const struct ids *ids[] = {
		&world->body_ids, &world->collider_ids, &world->joint_ids, &world->fields.ids, &world->controllers.ids};
	return ids[kind]->end;
}

bool kind_handle(const struct world *world, int kind, uint32_t id, struct handle *handle)
{
	*handle = (struct handle){id, 0};
	if (id >= kind_end(world, kind))
		return false;
	switch (kind + ENV_BODIES) {
	case ENV_BODIES: handle->generation = world->bodies.data[id].generation; return world->bodies.data[id].valid;
	case ENV_COLLIDERS: handle->generation = world->colliders.data[id].generation; return world->colliders.data[id].valid;
	case ENV_JOINTS: handle->generation = world->joints.data[id].generation; return world->joints.data[id].link.valid;
	case ENV_FIELDS: handle->generation = field_at(world, id)->generation; return field_at(world, id)->valid;
	default: handle->generation = controller_at(world, id)->generation; return controller_at(world, id)->valid;
	}
}

/* --- Writing -------------------------------------------------------------------------------------------------------------- */

static void number_write(struct archive *archive, uint32_t number)
{
	pass_u32(archive, &number);
}

static void tag_write(struct archive *archive, enum tag tag)
{
	pass_kind(archive, tag, TAGS);
}

void text_write(lua_State *L, struct archive *archive, int index)
{
	size_t length;
	const char *text = lua_tolstring(L, index, &length);
	number_write(archive, (uint32_t)length);
	pass_bytes(archive, (void *)(uintptr_t)text, length);
}

struct writing {
	struct archive *archive;
	struct world_object *object;
	int environment;
	int numbers, tables, owners; /* Lua's tables: number by table; by number, the table, and in whose data it was found */
	uint32_t count;
	/* the owner of the data that is being written, for messages; kind OBJECT_KINDS: the world */
	int kind;
	uint32_t id;
};

static _Noreturn void raise_not_plain(lua_State *L, const struct writing *writing, int index, const char *must)
{
	char text[VALUE_TEXT];
	if (writing->kind == OBJECT_KINDS)
		raise_error(L, "save: data of the world must %s, got %s", must, value_text(L, index, text));
	raise_error(L, "save: data of %s %d must %s, got %s", kind_class(writing->object, writing->kind)->name, (int)writing->id,
		must, value_text(L, index, text));
}

/* Whole numbers are written as integers where Lua has no integers of its own, too. */
static void numeral_write(lua_State *L, struct archive *archive, int index)
{
	double number = lua_tonumber(L, index);
#if LUA_VERSION_NUM >= 503
	bool exact = lua_isinteger(L, index);
	int64_t whole = exact ? (int64_t)lua_tointeger(L, index) : 0;
#else
	int64_t whole = abs_d(number) < 9e15 ? (int64_t)number : 0;
	bool exact = scalar_bits_d((double)whole) == scalar_bits_d(number);
#endif
	tag_write(archive, exact ? TAG_INTEGER : TAG_NUMBER);
	if (exact)
		pass_bytes(archive, &whole, sizeof whole);
	else
		pass_f64(archive, &number);
}

static void table_write(lua_State *L, struct writing *writing, int index)
{
	if (lua_getmetatable(L, index))
		raise_not_plain(L, writing, index, "have no metatables");
	lua_pushvalue(L, index);
	lua_rawget(L, writing->numbers);
	uint32_t number = (uint32_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	if (number == 0) {
		number = ++writing->count;
		lua_pushvalue(L, index);
		lua_pushinteger(L, (lua_Integer)number);
		lua_rawset(L, writing->numbers);
		lua_pushvalue(L, index);
		lua_rawseti(L, writing->tables, (int)number);
		lua_pushnumber(L, (lua_Number)writing->id * (OBJECT_KINDS + 1) + (lua_Number)writing->kind);
		lua_rawseti(L, writing->owners, (int)number);
	}
	tag_write(writing->archive, TAG_TABLE);
	number_write(writing->archive, number);
}

static void object_write(lua_State *L, struct writing *writing, int index)
{
	if (lua_touserdata(L, index) == writing->object) {
		tag_write(writing->archive, TAG_WORLD);
		return;
	}
	for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
		const struct reference *reference = object_test(L, index, kind_class(writing->object, kind), sizeof *reference);
		if (reference == NULL)
			continue;
		if (reference_find(reference) != writing->object)
			raise_not_plain(L, writing, index, "name live objects of this world");
		tag_write(writing->archive, TAG_OBJECT);
		pass_kind(writing->archive, (uint32_t)kind, OBJECT_KINDS);
		number_write(writing->archive, reference->handle.index);
		return;
	}
	raise_not_plain(L, writing, index, "be plain: numbers, strings, booleans, tables, objects of this world");
}

static void value_write(lua_State *L, struct writing *writing, int index)
{
	switch (lua_type(L, index)) {
	case LUA_TNIL: tag_write(writing->archive, TAG_NIL); break;
	case LUA_TBOOLEAN: tag_write(writing->archive, lua_toboolean(L, index) ? TAG_TRUE : TAG_FALSE); break;
	case LUA_TNUMBER: numeral_write(L, writing->archive, index); break;
	case LUA_TSTRING:
		tag_write(writing->archive, TAG_STRING);
		text_write(L, writing->archive, index);
		break;
	case LUA_TTABLE: table_write(L, writing, index); break;
	case LUA_TUSERDATA: object_write(L, writing, index); break;
	default: raise_not_plain(L, writing, index, "be plain: numbers, strings, booleans, tables, objects of this world");
	}
}

/* Writes the contents of the tables found so far, and of those found meanwhile. */
static void tables_write(lua_State *L, struct writing *writing)
{
	for (uint32_t i = 1; i <= writing->count; ++i) {
		lua_rawgeti(L, writing->owners, (int)i);
		uint64_t owner = (uint64_t)lua_tonumber(L, -1);
		lua_pop(L, 1);
		writing->kind = (int)(owner % (OBJECT_KINDS + 1));
		writing->id = (uint32_t)(owner / (OBJECT_KINDS + 1));
		lua_rawgeti(L, writing->tables, (int)i);
		int table = lua_gettop(L);
		for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
			value_write(L, writing, table + 1);
			value_write(L, writing, table + 2);
		}
		tag_write(writing->archive, TAG_NIL);
		lua_settop(L, table - 1);
	}
}

/* Writes environment[key][handle] of the handle on top of the stack, as a value. */
static void slot_write(lua_State *L, struct writing *writing, int key)
{
	int handle = lua_gettop(L);
	lua_rawgeti(L, writing->environment, key);
	if (lua_istable(L, -1)) {
		lua_pushvalue(L, handle);
		lua_rawget(L, -2);
	}
	value_write(L, writing, lua_gettop(L));
	lua_settop(L, handle);
}

void values_write(lua_State *L, struct archive *archive, struct world_object *object, int environment, bool data)
{
	int top = lua_gettop(L);
	struct writing writing = {archive, object, environment, top + 1, top + 2, top + 3, 0, OBJECT_KINDS, 0};
	for (int i = 0; i < 3; ++i)
		lua_newtable(L);
	pass_bool(archive, &data);
	lua_pushnil(L);
	if (data)
		lua_rawgeti(L, environment, ENV_WORLD_DATA);
	value_write(L, &writing, lua_gettop(L));
	lua_settop(L, top + 3);
	for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
		writing.kind = kind;
		for (uint32_t id = 0; object->world && id < kind_end(object->world, kind); ++id) {
			struct handle handle;
			if (!kind_handle(object->world, kind, id, &handle))
				continue;
			const struct reference *reference = push_made(L, environment, kind_class(object, kind), handle);
			if (reference != NULL && reference->noted) {
				writing.id = id;
				number_write(archive, id);
				slot_write(L, &writing, ENV_NAMES);
				slot_write(L, &writing, ENV_COLORS);
				if (data)
					slot_write(L, &writing, ENV_DATA);
			}
			lua_settop(L, top + 3);
		}
		number_write(archive, NONE);
	}
	tables_write(L, &writing);
	lua_settop(L, top);
}

/* --- Reading -------------------------------------------------------------------------------------------------------------- */

struct reading {
	struct archive *archive;
	struct world_object *object;
	const struct world *world;
	int environment, handles, tables; /* tables: that of tables by number */
	uint32_t count; /* of tables */
};

static uint32_t number_read(struct archive *archive)
{
	uint32_t number = 0;
	pass_u32(archive, &number);
	return number;
}

void text_read(lua_State *L, struct archive *archive)
{
	uint32_t length = pass_count(archive, 0, 1);
	lua_pushlstring(L, length > 0 ? (const char *)archive->bytes + archive->at : "", length);
	archive->at += length;
}

/* Pushes the handle of an object of the world that is read. */
static bool handle_push(lua_State *L, const struct reading *reading, int kind, uint32_t id)
{
	struct handle handle;
	if (!archive_check(reading->archive, kind_handle(reading->world, kind, id, &handle), "a value is of no object"))
		return false;
	lua_rawgeti(L, reading->handles + kind, (int)id + 1);
	if (!lua_isnil(L, -1))
		return true;
	lua_pop(L, 1);
	struct reference *reference = reference_create(L, reading->object, kind_class(reading->object, kind), reading->environment);
	reference->handle = handle;
	lua_pushvalue(L, -1);
	lua_rawseti(L, reading->handles + kind, (int)id + 1);
	return true;
}

static void table_read(lua_State *L, struct reading *reading)
{
	uint32_t number = number_read(reading->archive);
	if (!archive_check(reading->archive, number > 0 && number <= reading->count + 1, "a table is out of order")) {
		lua_pushnil(L);
		return;
	}
	if (number > reading->count) {
		lua_newtable(L);
		lua_rawseti(L, reading->tables, (int)number);
		reading->count = number;
	}
	lua_rawgeti(L, reading->tables, (int)number);
}

/* Pushes one value, nil after a fault. */
static void value_read(lua_State *L, struct reading *reading)
{
	struct archive *archive = reading->archive;
	int top = lua_gettop(L);
	int64_t whole = 0;
	double number = 0.0;
	switch (pass_kind(archive, 0, TAGS)) {
	case TAG_FALSE: lua_pushboolean(L, 0); break;
	case TAG_TRUE: lua_pushboolean(L, 1); break;
	case TAG_INTEGER:
		pass_bytes(archive, &whole, sizeof whole);
		if (INTEGERS_EXACT)
			lua_pushinteger(L, (lua_Integer)whole);
		else
			lua_pushnumber(L, (lua_Number)whole);
		break;
	case TAG_NUMBER:
		pass_f64(archive, &number);
		lua_pushnumber(L, number);
		break;
	case TAG_STRING: text_read(L, archive); break;
	case TAG_TABLE: table_read(L, reading); break;
	case TAG_OBJECT: {
		int kind = (int)pass_kind(archive, 0, OBJECT_KINDS);
		if (!handle_push(L, reading, kind, number_read(archive)))
			lua_pushnil(L);
		break;
	}
	case TAG_WORLD: lua_rawgeti(L, reading->environment, ENV_WORLD); break;
	default: break;
	}
	if (lua_gettop(L) == top)
		lua_pushnil(L);
}

static void tables_read(lua_State *L, struct reading *reading)
{
	int top = lua_gettop(L);
	for (uint32_t i = 1; i <= reading->count && archive_good(reading->archive); ++i) {
		lua_rawgeti(L, reading->tables, (int)i);
		for (;;) {
			value_read(L, reading);
			if (lua_isnil(L, -1))
				break;
			value_read(L, reading);
			bool nan = lua_type(L, -2) == LUA_TNUMBER && lua_tonumber(L, -2) != lua_tonumber(L, -2);
			if (!archive_check(reading->archive, !nan && !lua_isnil(L, -1), "a table is not plain"))
				break;
			lua_rawset(L, -3);
		}
		lua_settop(L, top);
	}
}

/* Reads a value into table[handle], for the handle on top of the stack, which stays. must: a string, or nothing. */
static void slot_read(lua_State *L, struct reading *reading, int table, bool text)
{
	int handle = lua_gettop(L);
	value_read(L, reading);
	archive_check(reading->archive, !text || lua_isnil(L, -1) || lua_type(L, -1) == LUA_TSTRING, "a name is no string");
	if (!lua_isnil(L, -1) && archive_good(reading->archive)) {
		lua_pushvalue(L, handle);
		lua_insert(L, -2);
		lua_rawset(L, table);
	}
	lua_settop(L, handle);
}

bool values_read(lua_State *L, struct archive *archive, struct world_object *object, const struct world *world, int environment,
	int handles, int tables)
{
	int top = lua_gettop(L);
	struct reading reading = {archive, object, world, environment, handles, top + 1, 0};
	bool data = false;
	pass_bool(archive, &data);
	lua_newtable(L);
	value_read(L, &reading);
	lua_replace(L, tables + ENV_WORLD_DATA - ENV_DATA);
	for (int kind = 0; kind < OBJECT_KINDS && archive_good(archive); ++kind)
		for (uint32_t id = number_read(archive); id != NONE && archive_good(archive); id = number_read(archive)) {
			if (!handle_push(L, &reading, kind, id))
				break;
			((struct reference *)lua_touserdata(L, -1))->noted = true;
			slot_read(L, &reading, tables + ENV_NAMES - ENV_DATA, true);
			slot_read(L, &reading, tables + ENV_COLORS - ENV_DATA, true);
			if (data)
				slot_read(L, &reading, tables, false);
			lua_settop(L, top + 1);
		}
	tables_read(L, &reading);
	archive_check(archive, archive->at == archive->size, "it goes on behind its end");
	lua_settop(L, top);
	return data;
}
