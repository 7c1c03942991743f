/* state.c - world:save, world:restore and collide.load.
 * A snapshot is a string: a header, the values of scripts (see state_values.c), the engine's world, the names of its materials
 * and layers. Its bytes, and a world that is read from them, are not Lua's: so all that may raise meanwhile runs under
 * lua_pcall. A restored world is built beside the old one, with new tables for its handles; only then, where nothing can fail
 * any more, it takes the old one's place. So whatever fails loses nothing.
 *
 * Handles: generations are serial numbers that no two objects of a world share, see world->serial. A handle works again when an
 * object with its serial number is restored. ENV_GHOSTS keeps, weakly, the handles that are no longer in the tables by id. */
#include "bind/world/state.h"
#include "base/clock.h"
#include "base/scalar.h"
#include "bind/geometry/materials.h"
#include "core/history.h"

static const char magic[8] = {'c', 'o', 'l', 'l', 'i', 'd', 'e', 1};
/* The header: `magic`, a hash of all that follows it, the world's identity, the number of dimensions. */
enum {
	AT_IDENTITY = sizeof magic + sizeof(uint64_t),
	HEADER = AT_IDENTITY + sizeof(uint64_t) + 1,
	AT_BLOCKS = HEADER + 2 * sizeof(uint64_t) /* after the sizes of the values and the world */
};

/* What must not be lost while Lua runs. */
struct transfer {
	const char *function;
	struct world_object *object;
	const struct dimension *dimension;
	struct archive archive;
	struct world *world; /* that is read; NULL once its object has it */
	uint64_t identity; /* of the world that was saved */
	uint16_t *names; /* save: the archive's, of `names_known` materials and 1 more */
	size_t names_known; /* number of materials with names in this process when they were written or read */
	bool data; /* save: with data */
	int workers;
};

/* Each step is a bijection: so bytes that differ in one word have different hashes. */
static uint64_t bytes_hash(const unsigned char *bytes, size_t size)
{
	uint64_t hash = size;
	for (size_t at = 0; at < size; at += sizeof hash) {
		uint64_t word = 0;
		memcpy(&word, bytes + at, size - at < sizeof word ? size - at : sizeof word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* A number that no other world has. It decides nothing. */
static uint64_t identity_make(const struct world_object *object)
{
	static _Atomic uint64_t made;
	uint64_t count = atomic_fetch_add(&made, 1);
	return scramble(clock_nanoseconds() ^ scramble((uint64_t)(uintptr_t)object)) ^ scramble(count);
}

/* Runs the function with the transfer as the argument after those on the stack, which it takes, and frees what is left in the
 * transfer. Returns the number of results. */
static int transfer_run(lua_State *L, lua_CFunction run, struct transfer *transfer)
{
	lua_pushlightuserdata(L, transfer);
	lua_pushvalue(L, UPVALUE_SHARED);
	lua_pushcclosure(L, run, 1);
	lua_insert(L, 1);
	int status = lua_pcall(L, lua_gettop(L) - 1, 1, 0);
	if (transfer->names != NULL)
		memory_free(transfer->archive.memory, transfer->names, (transfer->names_known + 1) * sizeof *transfer->names);
	archive_free(&transfer->archive);
	if (transfer->world != NULL)
		world_destroy(transfer->world);
	if (status != 0)
		lua_error(L);
	return 1;
}

static _Noreturn void raise_fault(lua_State *L, const struct transfer *transfer)
{
	if (transfer->archive.no_memory)
		raise_memory(L, transfer->function);
	raise_error(L, "%s: the snapshot is damaged: %s", transfer->function, transfer->archive.fault);
}

/* --- Saving --------------------------------------------------------------------------------------------------------------- */

/* Lets the archive number the names that the world uses. */
static void names_start(lua_State *L, struct transfer *transfer)
{
	shared_push(L, SHARED_MATERIALS);
	transfer->names_known = lua_rawlen(L, -1);
	lua_pop(L, 1);
	transfer->names = archive_zeroed(&transfer->archive, (transfer->names_known + 1) * sizeof *transfer->names);
	transfer->archive.names = transfer->names;
}

/* Writes the names that the archive has numbered, in that order. */
static void names_write(lua_State *L, struct transfer *transfer)
{
	struct archive *archive = &transfer->archive;
	uint32_t count = pass_count(archive, archive->name_count, 4);
	uint16_t *order = archive_zeroed(archive, (count + 1) * sizeof *order);
	if (order == NULL)
		return;
	for (size_t name = 1; name <= transfer->names_known; ++name)
		order[transfer->names[name]] = (uint16_t)name;
	shared_push(L, SHARED_MATERIALS);
	int names = lua_gettop(L);
	for (uint32_t i = 1; i <= count; ++i) {
		lua_rawgeti(L, names, order[i]);
		text_write(L, archive, names + 1);
		lua_pop(L, 1);
	}
	lua_settop(L, names - 1);
	memory_free(archive->memory, order, (count + 1) * sizeof *order);
}

static void layers_write(lua_State *L, struct archive *archive, const struct world_object *object, int environment)
{
	uint32_t count = pass_kind(archive, object->layer_count, LAYERS + 1);
	lua_rawgeti(L, environment, ENV_LAYER_NAMES);
	for (uint32_t i = 1; i <= count; ++i) {
		lua_rawgeti(L, -1, (int)i);
		text_write(L, archive, lua_gettop(L));
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

/* Arguments: the world, the transfer. */
static int save_run(lua_State *L)
{
	struct transfer *transfer = lua_touserdata(L, 2);
	struct world_object *object = transfer->object;
	struct archive *archive = &transfer->archive;
	uint64_t hash = 0, sizes[2] = {0};
	object->world->identity = object->world->identity != 0 ? object->world->identity : identity_make(object);
	attached_get(L, 1);
	pass_bytes(archive, (void *)(uintptr_t)magic, sizeof magic);
	pass_u64(archive, &hash); /* to be set */
	pass_u64(archive, &object->world->identity);
	pass_kind(archive, (uint32_t)object->dimension->axes, 4);
	pass_bytes(archive, sizes, sizeof sizes); /* to be set */
	/* Nothing that follows the values may run a finalizer, which could change the world. */
	values_write(L, archive, object, 3, transfer->data);
	check_world_again(L, object, "save");
	sizes[0] = archive->at - AT_BLOCKS;
	names_start(L, transfer);
	object_weighed(object);
	world_pass(archive, object->world);
	sizes[1] = archive->at - AT_BLOCKS - sizes[0];
	names_write(L, transfer);
	layers_write(L, archive, object, 3);
	if (archive->no_memory)
		raise_memory(L, "save");
	size_t end = archive->at;
	archive->at = HEADER;
	for (int i = 0; i < 2; ++i)
		pass_u64(archive, &sizes[i]);
	archive->at = end;
	hash = bytes_hash(archive->bytes + AT_IDENTITY, archive->at - AT_IDENTITY);
	memcpy(archive->bytes + sizeof magic, &hash, sizeof hash);
	object->snapshots = true;
	lua_pushlstring(L, (const char *)archive->bytes, archive->at);
	return 1;
}

static int save(lua_State *L)
{
	struct world_object *object = check_world_change(L, "save");
	static const struct option_member options[] = {{"data", FIELD_BOOLEAN, offsetof(struct transfer, data), NULL}};
	struct transfer transfer = {.function = "save", .object = object, .archive = archive_writer(&object->memory)};
	lua_settop(L, 2);
	fields_read(L, 2, PATH("save", "options"), options, LENGTH(options), &transfer);
	lua_settop(L, 1);
	return transfer_run(L, save_run, &transfer);
}

/* --- Reading -------------------------------------------------------------------------------------------------------------- */

/* Checks the header of the string at stack index `index`, and starts reading behind it. */
static void header_read(lua_State *L, int index, struct transfer *transfer)
{
	size_t size;
	if (lua_type(L, index) != LUA_TSTRING)
		raise_value(L, index, PATH(transfer->function, "snapshot"), "be a string");
	const char *bytes = lua_tolstring(L, index, &size);
	if (size < sizeof magic || memcmp(bytes, magic, sizeof magic - 1) != 0)
		raise_error(L, "%s: the string is not a snapshot", transfer->function);
	if (bytes[sizeof magic - 1] != magic[sizeof magic - 1])
		raise_error(L, "%s: the snapshot is of format %d, this version of collide reads format %d", transfer->function,
			(int)(unsigned char)bytes[sizeof magic - 1], (int)magic[sizeof magic - 1]);
	transfer->archive = archive_reader(transfer->archive.memory, bytes, size);
	struct archive *archive = &transfer->archive;
	uint64_t hash = 0;
	archive->at = sizeof magic;
	pass_u64(archive, &hash);
	if (size < AT_BLOCKS || hash != bytes_hash((const unsigned char *)bytes + AT_IDENTITY, size - AT_IDENTITY))
		raise_error(L, "%s: the snapshot is truncated or damaged", transfer->function);
	pass_u64(archive, &transfer->identity);
	uint32_t axes = pass_kind(archive, 0, 4);
	archive_check(archive, axes == 2 || axes == 3, "it is of no dimension");
	transfer->dimension = axes == 2 ? &d2_dimension : &d3_dimension;
	if (!archive_good(archive))
		raise_fault(L, transfer);
	archive->at = AT_BLOCKS;
}

/* Reads the names of materials, and pushes a userdata with the numbers here that they have or will have, which the archive of
 * the world uses. The table at stack index `new` gets those without a number, in order, and their numbers. Only names_take
 * stores them: a snapshot that is refused leaves none. */
static void names_read(lua_State *L, struct transfer *transfer, struct archive *world, int new)
{
	struct archive *archive = &transfer->archive;
	uint32_t count = pass_count(archive, 0, sizeof(uint32_t));
	archive_check(archive, count <= UINT16_MAX, "there are too many names of materials");
	count = archive_good(archive) ? count : 0;
	uint16_t *numbers = userdata_create(L, (count + 1) * sizeof *numbers);
	int top = lua_gettop(L);
	shared_push(L, SHARED_MATERIALS);
	transfer->names_known = lua_rawlen(L, top + 1);
	size_t next = transfer->names_known;
	for (uint32_t i = 0; i < count && archive_good(archive); ++i) {
		text_read(L, archive);
		value_name(L, top + 2, PATH(transfer->function, "name"));
		for (int table = new; lua_gettop(L) < top + 4; table = top + 1) {
			lua_pushvalue(L, top + 2);
			lua_rawget(L, table);
		}
		archive_check(archive, lua_isnil(L, top + 3), "a name is there twice");
		lua_Integer number = lua_tointeger(L, top + 4);
		if (number == 0) {
			number = (lua_Integer)++next;
			lua_pushvalue(L, top + 2);
			lua_pushinteger(L, number);
			lua_rawset(L, new);
			lua_pushvalue(L, top + 2);
			lua_rawseti(L, new, (int)(next - transfer->names_known));
		}
		archive_check(archive, number <= UINT16_MAX, "there are too many names of materials");
		numbers[i] = (uint16_t)number;
		lua_settop(L, top + 1);
	}
	lua_settop(L, top);
	world->names = numbers;
	world->name_count = count;
}

/* Stores the new names of names_read, at stack index `new`. Runs no finalizer. */
static void names_take(lua_State *L, const struct transfer *transfer, int new)
{
	int top = lua_gettop(L);
	shared_push(L, SHARED_MATERIALS);
	if (lua_rawlen(L, top + 1) != transfer->names_known)
		raise_error(L, "%s: a finalizer has named a material", transfer->function);
	for (int i = 1, count = (int)lua_rawlen(L, new); i <= count; ++i) {
		lua_rawgeti(L, new, i);
		(void)materials_name(L, top + 2, PATH(transfer->function, "name"), false);
		lua_pop(L, 1);
	}
	lua_settop(L, top);
}

/* Reads the names of layers into the tables at the stack indices `numbers` and `numbers` + 1, as in ENV_LAYERS and
 * ENV_LAYER_NAMES. Returns how many there are. */
static uint32_t layers_read(lua_State *L, struct archive *archive, int numbers)
{
	uint32_t count = pass_kind(archive, 0, LAYERS + 1);
	for (uint32_t i = 1; i <= count && archive_good(archive); ++i) {
		text_read(L, archive);
		lua_pushvalue(L, -1);
		lua_pushinteger(L, (lua_Integer)i);
		lua_rawset(L, numbers);
		lua_rawseti(L, numbers + 1, (int)i);
	}
	archive_check(archive, count > 0, "it has no layers");
	return count;
}

/* Where world_read leaves what it has read. */
enum {
	READ_HANDLES = 5, /* OBJECT_KINDS tables */
	READ_VALUES = READ_HANDLES + OBJECT_KINDS, /* data, names, colours, the world's data */
	READ_LAYERS = READ_VALUES + 4, /* numbers by name, names by number */
	READ_NAMES = READ_LAYERS + 2, /* of materials: see names_read */
	READ_END
};

/* Fills the tables of handles: with those of the objects that the world will have, if there are any. `ghosts`: the stack index
 * of the table of handles by serial number. */
static void handles_find(lua_State *L, const struct transfer *transfer, int environment, int ghosts)
{
	for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
		lua_rawgeti(L, environment, ENV_BODIES + kind);
		int known = lua_gettop(L);
		for (uint32_t id = 0; id < kind_end(transfer->world, kind); ++id) {
			struct handle handle;
			if (!kind_handle(transfer->world, kind, id, &handle))
				continue;
			lua_rawgeti(L, known, (int)id + 1);
			const struct reference *reference = lua_touserdata(L, -1);
			if (reference == NULL || reference->handle.generation != handle.generation) {
				lua_pop(L, 1);
				lua_pushnumber(L, handle.generation);
				lua_rawget(L, ghosts);
				reference = lua_touserdata(L, -1);
			}
			if (reference != NULL && reference->class == kind_class(transfer->object, kind) && reference->handle.index == id)
				lua_rawseti(L, READ_HANDLES + kind, (int)id + 1);
			else
				lua_pop(L, 1);
		}
		lua_settop(L, known - 1);
	}
}

/* Keeps the present handles among the ghosts: objects that will no longer exist may be restored later. */
static void handles_keep(lua_State *L, int environment, int ghosts)
{
	for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
		lua_rawgeti(L, environment, ENV_BODIES + kind);
		int known = lua_gettop(L);
		for (lua_pushnil(L); lua_next(L, known); lua_pop(L, 1)) {
			const struct reference *reference = lua_touserdata(L, -1);
			lua_pushnumber(L, reference->handle.generation);
			lua_pushvalue(L, -2);
			lua_rawset(L, ghosts);
		}
		lua_settop(L, known - 1);
	}
}

/* Skips the next block of the archive, whose size is at `at`, and returns a reader of it. */
static struct archive block_read(struct transfer *transfer, size_t at)
{
	struct archive *archive = &transfer->archive, sizes = archive_reader(archive->memory, archive->bytes, archive->size);
	uint64_t size = 0;
	sizes.at = at;
	pass_u64(&sizes, &size);
	if (!archive_check(archive, size <= archive->size - archive->at, "it is truncated"))
		size = 0;
	struct archive block = archive_reader(archive->memory, archive->bytes + archive->at, (size_t)size);
	archive->at += (size_t)size;
	return block;
}

/* Reads all of a snapshot behind its header. Stack: the world's userdata, the string, the transfer, the environment. Returns
 * whether there is data. */
static bool world_read(lua_State *L, struct transfer *transfer)
{
	struct archive *archive = &transfer->archive;
	for (int i = READ_HANDLES; i < READ_END; ++i) {
		lua_newtable(L);
		if (i < READ_VALUES) {
			shared_push(L, SHARED_WEAK);
			lua_setmetatable(L, -2);
		}
	}
	struct archive values = block_read(transfer, HEADER), world = block_read(transfer, HEADER + sizeof(uint64_t));
	names_read(L, transfer, &world, READ_NAMES);
	uint32_t layers = layers_read(L, archive, READ_LAYERS);
	archive_check(archive, archive->at == archive->size, "it goes on behind its end");
	if (!archive_good(archive))
		raise_fault(L, transfer);
	struct settings settings = settings_default(1.0f);
	transfer->world = world_create(&transfer->object->memory, transfer->dimension->wing, &settings, (const float[3]){0}, 1);
	if (transfer->world == NULL)
		raise_memory(L, transfer->function);
	world.shape_memory = &transfer->object->shared->memory;
	world_pass(&world, transfer->world);
	archive_check(&world, world.at == world.size, "the world goes on behind its end");
	for (uint32_t id = 0; id < transfer->world->colliders.count; ++id)
		archive_check(&world, !transfer->world->colliders.data[id].valid || transfer->world->colliders.data[id].layer < layers,
			"a collider is in no layer");
	archive->fault = world.fault;
	archive->no_memory = world.no_memory;
	if (!archive_good(archive))
		raise_fault(L, transfer);
	lua_settop(L, READ_END - 1);
	const struct world *before = transfer->object->world;
	if (before != NULL) {
		if (transfer->identity != before->identity)
			world_renumber(transfer->world, before->serial);
		transfer->world->identity = before->identity;
		transfer->world->serial = before->serial > transfer->world->serial ? before->serial : transfer->world->serial;
		lua_rawgeti(L, 4, ENV_GHOSTS);
		handles_keep(L, 4, READ_END);
		handles_find(L, transfer, 4, READ_END);
		lua_settop(L, READ_END - 1);
	}
	bool data = values_read(L, &values, transfer->object, transfer->world, 4, READ_HANDLES, READ_VALUES);
	transfer->archive.fault = values.fault;
	if (!archive_good(&transfer->archive))
		raise_fault(L, transfer);
	names_take(L, transfer, READ_NAMES);
	return data;
}

/* A table of `end` empty places for the shapes of colliders: see get_shape in collider.c. Pushes it. */
static void shapes_table_push(lua_State *L, uint32_t end)
{
	lua_createtable(L, (int)end, 0);
	for (uint32_t id = 0; id < end; ++id) {
		lua_pushboolean(L, 0);
		lua_rawseti(L, -2, (int)id + 1);
	}
}

/* --- Taking the place of a world ------------------------------------------------------------------------------------------ */

/* Nothing below allocates memory of Lua's, or can fail. The stack is that of world_read, with the new table of shapes at
 * READ_END. */

static void handles_retire(lua_State *L, int kind)
{
	lua_rawgeti(L, 4, ENV_BODIES + kind);
	int known = lua_gettop(L);
	for (lua_pushnil(L); lua_next(L, known); lua_pop(L, 1))
		((struct reference *)lua_touserdata(L, -1))->destroyed = true;
	lua_settop(L, known - 1);
}

static void handles_revive(lua_State *L, const struct world *world, int kind)
{
	for (uint32_t id = 0; id < kind_end(world, kind); ++id) {
		lua_rawgeti(L, READ_HANDLES + kind, (int)id + 1);
		struct reference *reference = lua_touserdata(L, -1);
		if (reference != NULL) {
			kind_handle(world, kind, id, &reference->handle);
			reference->destroyed = false;
		}
		lua_pop(L, 1);
	}
	lua_pushvalue(L, READ_HANDLES + kind);
	lua_rawseti(L, 4, ENV_BODIES + kind);
}

/* Sets the metatables of all handles in the table of data on top of the stack, which it pops. */
static void data_mark(lua_State *L, bool data)
{
	int table = lua_gettop(L);
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
		class_set_data(L, table + 1, ((const struct reference *)lua_touserdata(L, table + 1))->class, data);
	lua_settop(L, table - 1);
}

/* Drops the data of objects that are destroyed. */
static void data_prune(lua_State *L)
{
	lua_rawgeti(L, 4, ENV_DATA);
	int table = lua_gettop(L);
	for (lua_pushnil(L); lua_next(L, table);) {
		lua_pop(L, 1);
		if (!((const struct reference *)lua_touserdata(L, -1))->destroyed)
			continue;
		lua_pushvalue(L, -1);
		lua_pushnil(L);
		lua_rawset(L, table);
	}
	lua_settop(L, table - 1);
}

static void values_take(lua_State *L, const struct world_object *object, bool data)
{
	for (int key = ENV_NAMES; key <= ENV_COLORS; ++key) {
		lua_pushvalue(L, READ_VALUES + key - ENV_DATA);
		lua_rawseti(L, 4, key);
	}
	if (!data) {
		data_prune(L);
		return;
	}
	lua_rawgeti(L, 4, ENV_DATA);
	data_mark(L, false);
	lua_pushvalue(L, READ_VALUES);
	data_mark(L, true);
	lua_pushvalue(L, READ_VALUES);
	lua_rawseti(L, 4, ENV_DATA);
	lua_pushvalue(L, READ_VALUES + ENV_WORLD_DATA - ENV_DATA);
	lua_rawseti(L, 4, ENV_WORLD_DATA);
	lua_rawgeti(L, 4, ENV_WORLD);
	class_set_data(L, lua_gettop(L), object->class, !lua_isnil(L, READ_VALUES + ENV_WORLD_DATA - ENV_DATA));
	lua_pop(L, 1);
}

static void world_take(lua_State *L, struct transfer *transfer, bool data)
{
	struct world_object *object = transfer->object;
	struct world *old = object->world, *new = transfer->world;
	for (int kind = 0; kind < OBJECT_KINDS; ++kind) {
		handles_retire(L, kind);
		handles_revive(L, new, kind);
	}
	values_take(L, object, data);
	for (int i = 0; i < 2; ++i) {
		lua_pushvalue(L, READ_LAYERS + i);
		lua_rawseti(L, 4, ENV_LAYERS + i);
	}
	object->layer_count = (uint32_t)lua_rawlen(L, READ_LAYERS + 1);
	lua_pushvalue(L, READ_END);
	lua_rawseti(L, 4, ENV_SHAPES);
	object->shape_slots = new->collider_ids.end;
	object->colliders_made = object->colliders_noted = object->colored = object->snapshots = true;
	object->told = false;
	object->shown.cursor = NULL;
	++object->epoch;
	object->world = new;
	transfer->world = NULL;
	if (old != NULL) {
		world_take_workers(new, old);
		histories_move(new, old);
		world_destroy(old);
	}
}

/* Arguments: the world, the string, the transfer. */
static int restore_run(lua_State *L)
{
	struct transfer *transfer = lua_touserdata(L, 3);
	struct world_object *object = transfer->object;
	attached_get(L, 1);
	header_read(L, 2, transfer);
	if (transfer->dimension != object->dimension)
		raise_error(
			L, "restore: the snapshot is of a %dD world, this one is %dD", transfer->dimension->axes, object->dimension->axes);
	bool data = world_read(L, transfer);
	shapes_table_push(L, transfer->world->collider_ids.end);
	check_world_again(L, object, "restore");
	if (object->world->histories != NULL && !kept_reserve(transfer->world, 0))
		raise_memory(L, "restore");
	world_take(L, transfer, data);
	return 0;
}

static int restore(lua_State *L)
{
	struct world_object *object = check_world_change(L, "restore");
	struct transfer transfer = {.function = "restore", .object = object, .archive = {.memory = &object->memory}};
	lua_settop(L, 2);
	(void)transfer_run(L, restore_run, &transfer);
	return 0;
}

/* --- Loading -------------------------------------------------------------------------------------------------------------- */

/* Arguments: the options, the string, the transfer. */
static int load_run(lua_State *L)
{
	struct transfer *transfer = lua_touserdata(L, 3);
	struct memory counted;
	shared_memory(shared_state(L), &counted);
	transfer->archive.memory = &counted;
	header_read(L, 2, transfer);
	transfer->object = world_object_push(L, transfer->dimension); /* the environment, and the userdata */
	struct world_object *object = transfer->object;
	lua_replace(L, 1);
	object->filtered = object->pre_solved = false;
	transfer->archive.memory = &object->memory;
	bool data = world_read(L, transfer);
	shapes_table_push(L, transfer->world->collider_ids.end);
	if (transfer->workers > 1 && !world_set_workers(transfer->world, transfer->workers))
		raise_memory(L, "load");
	world_slot_take(L, object, "load");
	for (int kind = 0; kind < OBJECT_KINDS; ++kind)
		for (uint32_t id = 0; id < kind_end(transfer->world, kind); ++id) {
			lua_rawgeti(L, READ_HANDLES + kind, (int)id + 1);
			struct reference *reference = lua_touserdata(L, -1);
			if (reference != NULL) {
				reference->slot = object->slot;
				reference->slot_generation = object->slot_generation;
			}
			lua_pop(L, 1);
		}
	world_take(L, transfer, data);
	lua_settop(L, 1);
	return 1;
}

static int load(lua_State *L)
{
	struct transfer transfer = {.function = "load", .workers = 1};
	static const struct range range_workers = {1, 64, NULL};
	static const struct option_member options[] = {
		{"workers", FIELD_INTEGER, offsetof(struct transfer, workers), &range_workers}};
	lua_settop(L, 2);
	fields_read(L, 2, PATH("load", "options"), options, LENGTH(options), &transfer);
	lua_insert(L, 1);
	return transfer_run(L, load_run, &transfer);
}

const luaL_Reg state_methods[] = {
	{"save", save},
	{"restore", restore},
	{NULL, NULL},
};

const luaL_Reg state_functions[] = {
	{"load", load},
	{NULL, NULL},
};
