/* bulk.c - poses, velocities and forces of many bodies in one call, as flat lists of numbers.
 * Numbers pass through a buffer of the world, on LuaJIT through one of copy.c where they are read. All elements are checked
 * before the first body is changed. While the world's buffer is in use nothing allocates but for the growth of a list, which
 * runs no finalizer, so calls do not nest. */
#include "base/cache.h"
#include "bind/world/dimension.h"

#include <stdio.h>
#include <string.h>

enum { BULK_GRAIN = 1024 /* bodies, some 10 us of work */ };

/* --- Reading -------------------------------------------------------------------------------------------------------------- */

static bool reference_lives(const struct world_object *object, const struct reference *reference)
{
	return reference->slot == object->slot && reference->slot_generation == object->slot_generation && !reference->destroyed &&
		handle_valid_body(object->world, reference->handle);
}

/* Raises if element i of the list at stack index 2 is not a body of the world. */
static void check_body_at(lua_State *L, const struct world_object *object, const char *function, int i)
{
	const struct path path = {function, NULL, 0, "bodies", i};
	lua_rawgeti(L, 2, i);
	(void)value_body(L, object, lua_gettop(L), &path);
	lua_pop(L, 1);
}

/* Prefetches what bodies_read will read of the elements from `begin` on, if they are those of the last call, as in each frame.
 */
static void bodies_prefetch(const struct world_object *object, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end && i < object->bulk_handles.count; ++i) {
		cache_prefetch_line(object->bulk_handles.data[i]);
		cache_prefetch_line(object->world->bodies.data + object->bulk_ids.data[i]);
	}
}

/* Reads the list of bodies at stack index 2 into object->bulk_ids, some elements at a time, as few calls of Lua as possible.
 * Returns its length. */
static uint32_t bodies_read(lua_State *L, struct world_object *object, const char *function)
{
	enum { AT_ONCE = 16, AHEAD = 2 * AT_ONCE };
	const struct class *class = object->dimension->body;
	if (!lua_istable(L, 2))
		raise_value(L, 2, PATH(function, "bodies"), "be a list of bodies");
	uint32_t count = (uint32_t)lua_rawlen(L, 2);
	if (!array_reserve(&object->memory, &object->bulk_ids, count) ||
		!array_reserve(&object->memory, &object->bulk_handles, count))
		raise_memory(L, function);
	luaL_checkstack(L, AT_ONCE + 8, function);
	int top = lua_gettop(L);
	bodies_prefetch(object, 0, AHEAD);
	for (uint32_t begin = 0; begin < count; begin += AT_ONCE) {
		int end = count - begin < AT_ONCE ? (int)(count - begin) : AT_ONCE;
		bodies_prefetch(object, begin + AHEAD, begin + AHEAD + AT_ONCE);
		for (int i = 0; i < end; ++i)
			lua_rawgeti(L, 2, (int)begin + i + 1);
		for (int i = 0; i < end; ++i) {
			uint32_t at = begin + (uint32_t)i;
			const struct reference *reference = object_test(L, top + 1 + i, class, sizeof *reference);
			if (reference == NULL || !reference_lives(object, reference))
				check_body_at(L, object, function, (int)at + 1);
			object->bulk_handles.data[at] = reference;
			object->bulk_ids.data[at] = reference->handle.index;
		}
		lua_settop(L, top);
	}
	object->bulk_handles.count = count;
	return count;
}

static double *numbers_reserve(lua_State *L, struct world_object *object, const char *function, uint32_t count, int width)
{
	if (count > UINT32_MAX / (uint32_t)width || !array_reserve(&object->memory, &object->bulk, count * (uint32_t)width))
		raise_memory(L, function);
	return object->bulk.data;
}

struct rows_task {
	const struct world_object *object;
	const struct rows *rows;
	double *numbers;
};

static void rows_read(void *context, uint32_t begin, uint32_t end, int worker)
{
	const struct rows_task *task = context;
	double *first = task->numbers + (size_t)begin * (size_t)task->rows->width;
	(void)worker;
	task->rows->read(task->object->world, task->object->bulk_ids.data + begin, end - begin, first);
}

/* Fills `numbers` with the rows of the bodies in object->bulk_ids, by all workers. */
static void rows_fill(const struct world_object *object, const struct rows *rows, uint32_t count, double *numbers)
{
	struct rows_task task = {object, rows, numbers};
	jobs_for(object->world->jobs, count, BULK_GRAIN, rows_read, &task);
}

static int get_rows(lua_State *L)
{
	enum { INTO = 3, LENT };
	const struct method *method = upvalue_address(L, 3);
	const struct rows *rows = &check_world(L, method->name)->dimension->rows[method->number];
	check_into(L, INTO, method->name);
	int room = lua_istable(L, 2) ? rows->width * (int)lua_rawlen(L, 2) : 0;
	int before = list_open(L, INTO, room);
	double *lent = copy_lend(L, room);
	struct world_object *object = check_world(L, method->name); /* finalizers may have run */
	uint32_t count = bodies_read(L, object, method->name);
	int length = (int)count * rows->width;
	if (lent && length <= room) {
		rows_fill(object, rows, count, lent);
		copy_store(L, INTO, LENT, length);
	} else {
		double *numbers = numbers_reserve(L, object, method->name, count, rows->width);
		rows_fill(object, rows, count, numbers);
		for (int i = 0; i < length; ++i) {
			lua_pushnumber(L, numbers[i]);
			lua_rawseti(L, INTO, i + 1);
		}
	}
	list_cut(L, INTO, length, before);
	return 1;
}

/* Puts the ids of the bodies before their rows, which begin after the first `count` numbers. */
static void ids_insert(const uint32_t *ids, uint32_t count, size_t width, double *numbers)
{
	for (size_t i = 0; i < count; ++i) {
		double *row = numbers + i * (width + 1);
		memmove(row + 1, numbers + count + i * width, width * sizeof *row);
		*row = ids[i];
	}
}

static uint32_t moved_count(const struct world_object *object)
{
	return object->told ? object->world->events.moves.count : 0;
}

/* Collects the bodies that the last step moved in object->bulk_ids, but for those destroyed since, and returns their count. */
static uint32_t moved_read(lua_State *L, struct world_object *object)
{
	const struct world *world = object->world;
	uint32_t listed = moved_count(object), count = 0;
	if (!array_reserve(&object->memory, &object->bulk_ids, listed))
		raise_memory(L, "getMoved");
	for (uint32_t i = 0; i < listed; ++i)
		if (handle_valid_body(world, world->events.moves.data[i].body))
			object->bulk_ids.data[count++] = world->events.moves.data[i].body.index;
	return count;
}

static int get_moved(lua_State *L)
{
	enum { INTO = 2, LENT };
	struct world_object *object = check_world(L, "getMoved");
	check_unlocked(L, object, "getMoved");
	lua_settop(L, INTO);
	if (!lua_istable(L, INTO))
		raise_value(L, INTO, PATH("getMoved", "into"), "be a table");
	const struct rows *rows = &object->dimension->rows[ROWS_TRANSFORMS];
	int row = rows->width + 1, room = row * (int)moved_count(object);
	double *lent = copy_lend(L, room);
	object = check_world(L, "getMoved"); /* finalizers may have run */
	uint32_t count = moved_read(L, object);
	int before = (int)lua_rawlen(L, INTO), length = row * (int)count;
	if (lent && length <= room) {
		rows_fill(object, rows, count, lent + count);
		ids_insert(object->bulk_ids.data, count, (size_t)rows->width, lent);
		copy_store(L, INTO, LENT, length);
	} else {
		const double *numbers = numbers_reserve(L, object, "getMoved", count, rows->width);
		rows_fill(object, rows, count, object->bulk.data);
		for (int at = 0; at < length;) {
			lua_pushinteger(L, object->bulk_ids.data[at / row]);
			lua_rawseti(L, INTO, ++at);
			for (int k = 0; k < rows->width; ++k) {
				lua_pushnumber(L, *numbers++);
				lua_rawseti(L, INTO, ++at);
			}
		}
	}
	list_cut(L, INTO, length, before);
	lua_pushinteger(L, count);
	return 1;
}

/* --- Writing -------------------------------------------------------------------------------------------------------------- */

/* Raises unless the list of numbers at stack index 3 has `width` for each body. */
static void check_length(lua_State *L, const char *function, uint32_t count, int width)
{
	char must[64], got[32];
	if (!lua_istable(L, 3))
		raise_value(L, 3, PATH(function, "flat"), "be a list of numbers");
	size_t length = lua_rawlen(L, 3);
	if (length == (size_t)count * (size_t)width)
		return;
	snprintf(must, sizeof must, "have %d numbers for each of the %u bodies", width, (unsigned)count);
	snprintf(got, sizeof got, "%zu", length);
	raise_got(L, PATH(function, "flat"), must, got);
}

/* Reads the numbers of a row from the list at stack index 3. */
static void row_read(lua_State *L, const char *function, const struct rows *rows, int axes, uint32_t row, double *out)
{
	for (int k = 0; k < rows->width; ++k) {
		const struct range *range = k < axes ? rows->range : rows->turn_range;
		int i = (int)row * rows->width + k + 1;
		lua_rawgeti(L, 3, i);
		out[k] = value_number(L, -1, &(struct path){function, NULL, 0, "flat", i}, range);
		lua_pop(L, 1);
	}
}

static int set_rows(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	const char *function = method->name;
	struct world_object *object = check_world_change(L, function);
	const struct rows *rows = &object->dimension->rows[method->number];
	lua_settop(L, 3);
	uint32_t count = bodies_read(L, object, function);
	check_length(L, function, count, rows->width);
	double *numbers = numbers_reserve(L, object, function, count, rows->width);
	const uint32_t *ids = object->bulk_ids.data;
	for (uint32_t i = 0; i < count; ++i) {
		double *row = numbers + (size_t)i * (size_t)rows->width;
		row_read(L, function, rows, object->dimension->axes, i, row);
		const char *wrong = rows->check ? rows->check(object->world, ids[i], row) : NULL;
		if (wrong)
			raise_error(L, "%s: flat[%d]: %s", function, (int)i * rows->width + 1, wrong);
	}
	for (uint32_t i = 0; i < count; ++i) {
		record_touch(object->world, TOUCHED_BODIES, ids[i]);
		rows->write(object->world, ids[i], numbers + (size_t)i * (size_t)rows->width);
	}
	return 0;
}

const luaL_Reg bulk_functions[] = {
	{"getMoved", get_moved},
	{NULL, NULL},
};

const struct method bulk_methods[] = {
	{"getTransforms", get_rows, ROWS_TRANSFORMS},
	{"setTransforms", set_rows, ROWS_TRANSFORMS},
	{"getVelocities", get_rows, ROWS_VELOCITIES},
	{"setVelocities", set_rows, ROWS_VELOCITIES},
	{"applyForces", set_rows, ROWS_FORCES},
	{NULL, NULL, 0},
};
