/* index.c - trees, sweeps and grids of any Lua values, outside of worlds; see spatial/index.h.
 * The userdata of an index has attached tables, from ids to items and back. The engine knows only the ids.
 * Queries leave their hits in the index's own buffer. Lists are filled from it under lua_pcall, so that the hits are removed in
 * any case. Finalizers that run meanwhile may append to the buffer; items that they remove from the index are not listed. */
#include "bind/geometry/toolbox.h"

#include <math.h>
#include <stddef.h>

const struct class class_index = {"index", SHARED_INDEX, false, 0, NULL};

struct index_object {
	const struct class *class;
	struct index index;
	uint32_t slots; /* size of INDEX_ITEMS */
	bool alive; /* from creation to collection */
};

/* Keys of the attached table. */
enum {
	INDEX_ITEMS = 1, /* [id + 1] = item; values at unused ids have no meaning */
	INDEX_IDS, /* [item] = id; 0 while the item is being inserted */
	INDEX_IDS_WHOLE /* [item + 0.5] = id, if WHOLE_APART: instead of INDEX_IDS, for whole numbers of magnitude below 2^51 */
};

/* When a Lua before 5.4 (also LuaJIT 2.1) runs out of memory while it moves whole-number keys from the hash part of a table to
 * its array part, it loses them. Keys with a fraction never move. */
enum { WHOLE_APART = LUA_VERSION_NUM < 504 };

static const char *const kind_names[INDEX_KINDS] = {"tree", "sweep", "grid"};
static const struct range range_cell = {1e-6, 1e15, "> 0"}, range_margin = {0, 1e15, ">= 0"};

/* --- Arguments ------------------------------------------------------------------------------------------------------------ */

static struct index_object *check_index(lua_State *L, const char *function)
{
	struct index_object *object = object_test(L, 1, &class_index, sizeof *object);
	if (object == NULL)
		raise_self(L, function, "an index");
	if (!object->alive)
		raise_error(L, "%s: index is destroyed", function);
	return object;
}

/* Pushes the attached tables INDEX_ITEMS, INDEX_IDS and INDEX_IDS_WHOLE, in this order; returns the stack index of the
 * first. */
static int push_tables(lua_State *L)
{
	attached_get(L, 1);
	int items = lua_gettop(L);
	lua_rawgeti(L, items, INDEX_IDS);
	lua_rawgeti(L, items, INDEX_IDS_WHOLE);
	lua_rawgeti(L, items, INDEX_ITEMS);
	lua_replace(L, items);
	return items;
}

/* Pushes the key of the item at stack index `item`; returns the stack index of the key's table, INDEX_IDS or
 * INDEX_IDS_WHOLE. */
static int push_key(lua_State *L, int items, int item)
{
	if (WHOLE_APART && lua_type(L, item) == LUA_TNUMBER) {
		double value = lua_tonumber(L, item);
		if (value == floor(value) && abs_d(value) < 0x1p51) {
			lua_pushnumber(L, value + 0.5);
			return items + 2;
		}
	}
	lua_pushvalue(L, item);
	return items + 1;
}

static void check_item(lua_State *L, const char *function)
{
	bool nan = lua_type(L, 2) == LUA_TNUMBER && lua_tonumber(L, 2) != lua_tonumber(L, 2);
	if (lua_isnoneornil(L, 2) || nan)
		raise_value(L, 2, PATH(function, "item"), "be a value other than nil and nan");
}

/* The id of the item at stack index 2, or NONE. */
static uint32_t item_id(lua_State *L, int items)
{
	int ids = push_key(L, items, 2);
	lua_rawget(L, ids);
	uint32_t id = lua_type(L, -1) == LUA_TNUMBER ? (uint32_t)lua_tonumber(L, -1) : NONE;
	lua_pop(L, 1);
	return id;
}

static uint32_t check_id(lua_State *L, const char *function, int items)
{
	char text[VALUE_TEXT];
	uint32_t id = item_id(L, items);
	if (id == NONE)
		raise_error(L, "%s: item is not in the index, got %s", function, value_text(L, 2, text));
	return id;
}

/* Reads x, y (, z) from stack index `first`. suffix: of the names in messages, "", "1" or "2". */
static void check_point(
	lua_State *L, const struct index_object *object, int first, const char *function, const char *suffix, double out[3])
{
	char name[3] = {'x', suffix[0], 0};
	out[2] = 0;
	for (int i = 0; i < object->index.dimensions; ++i, ++name[0])
		out[i] = arg_number(L, first + i, function, name, &range_position);
}

static struct box_d check_box(lua_State *L, const struct index_object *object, int first, const char *function)
{
	struct box_d box;
	int dimensions = object->index.dimensions;
	check_point(L, object, first, function, "1", box.lower);
	check_point(L, object, first + dimensions, function, "2", box.upper);
	for (int i = 0; i < dimensions; ++i) {
		char text[VALUE_TEXT];
		if (box.lower[i] > box.upper[i])
			raise_error(L, "%s: %c2 must be >= %c1, got %s < %f", function, 'x' + i, 'x' + i,
				value_text(L, first + dimensions + i, text), (lua_Number)box.lower[i]);
	}
	return box;
}

/* Reads an item's box. More numbers than the dimension needs are refused: they would be misread. */
static struct box_d check_item_box(lua_State *L, const struct index_object *object, const char *function)
{
	int dimensions = object->index.dimensions;
	check_item(L, function);
	struct box_d box = check_box(L, object, 3, function);
	if (!lua_isnoneornil(L, 3 + 2 * dimensions))
		raise_error(L, "%s: an index of %d dimensions takes %d numbers, got more", function, dimensions, 2 * dimensions);
	return box;
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

struct index_input {
	int dimensions; /* stack index of the value */
	double size, margin;
};

static int check_dimensions(lua_State *L, int index, const char *function)
{
	double value = lua_isnil(L, index) ? 2 : lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : 0;
	if (value != 2 && value != 3)
		raise_value(L, index, PATH(function, "dimensions"), "be 2 or 3");
	return (int)value;
}

static int make_index(lua_State *L, enum index_kind kind, const char *function)
{
	/* A sweep takes only the first of these. */
	static const struct option_member tree_fields[] = {
		{"dimensions", FIELD_VALUE, offsetof(struct index_input, dimensions), NULL},
		{"margin", FIELD_NUMBER, offsetof(struct index_input, margin), &range_margin},
	};
	static const struct option_member grid_fields[] = {
		{"dimensions", FIELD_VALUE, offsetof(struct index_input, dimensions), NULL},
		{"cellSize", FIELD_NUMBER, offsetof(struct index_input, size), &range_cell},
	};
	struct index_input input = {.dimensions = 2};
	lua_settop(L, 1);
	lua_pushnil(L);
	fields_read(
		L, 1, PATH(function, "options"), kind == INDEX_GRID ? grid_fields : tree_fields, kind == INDEX_SWEEP ? 1 : 2, &input);
	int dimensions = check_dimensions(L, input.dimensions, function);
	if (kind == INDEX_GRID && input.size == 0)
		raise_error(L, "%s: cellSize is missing: about the size of the things in the grid", function);
	struct shared *shared = shared_state(L);
	shared_collect(L, shared);
	struct index_object *object = object_create(L, sizeof *object, &class_index);
	lua_createtable(L, 3, 0);
	for (int key = INDEX_ITEMS; key <= INDEX_IDS_WHOLE; ++key) {
		lua_newtable(L);
		lua_rawseti(L, -2, key);
	}
	attached_set(L, -2);
	index_init(&object->index, &shared->memory, kind, dimensions, input.size, input.margin);
	object->alive = true;
	return 1;
}

static int make_tree(lua_State *L)
{
	return make_index(L, INDEX_TREE, "newTree");
}

static int make_sweep(lua_State *L)
{
	return make_index(L, INDEX_SWEEP, "newSweep");
}

static int make_grid(lua_State *L)
{
	return make_index(L, INDEX_GRID, "newGrid");
}

static int index_collect(lua_State *L)
{
	struct index_object *object = object_test(L, 1, &class_index, sizeof *object);
	if (object && object->alive) {
		object->alive = false;
		index_free(&object->index);
	}
	return 0;
}

/* --- Changes -------------------------------------------------------------------------------------------------------------- */

/* Adds slots for all ids that may exist after one more insertion. Finalizers that run meanwhile may insert, too. */
static void items_extend(lua_State *L, struct index_object *object, int items)
{
	while (object->slots < object->index.ids.end + 1) {
		int slot = (int)++object->slots;
		lua_pushboolean(L, 0);
		lua_rawseti(L, items, slot);
	}
}

/* Stores the id of the item at stack index 2, or, if not `present`, removes it. */
static void id_set(lua_State *L, int items, double id, bool present)
{
	int ids = push_key(L, items, 2);
	if (present)
		lua_pushnumber(L, id);
	else
		lua_pushnil(L);
	lua_rawset(L, ids);
}

/* Adding the key is the last Lua allocation. No finalizer runs in it: a raw set never runs the collector. */
static int insert(lua_State *L)
{
	struct index_object *object = check_index(L, "insert");
	struct box_d box = check_item_box(L, object, "insert");
	char text[VALUE_TEXT];
	lua_settop(L, 2);
	luaL_checkstack(L, 8, "insert");
	int items = push_tables(L);
	items_extend(L, object, items);
	if (item_id(L, items) != NONE)
		raise_error(L, "insert: item is in the index already, got %s", value_text(L, 2, text));
	id_set(L, items, 0, true);
	if (!index_reserve(&object->index, &box)) {
		id_set(L, items, 0, false);
		raise_memory(L, "insert");
	}
	uint32_t id = index_insert(&object->index, &box);
	id_set(L, items, id, true);
	lua_pushvalue(L, 2);
	lua_rawseti(L, items, (int)id + 1);
	return 0;
}

static int move(lua_State *L)
{
	struct index_object *object = check_index(L, "move");
	struct box_d box = check_item_box(L, object, "move");
	uint32_t id = check_id(L, "move", push_tables(L));
	/* A grid may need room for more cells. */
	if (object->index.kind == INDEX_GRID && !index_reserve(&object->index, &box))
		raise_memory(L, "move");
	index_move(&object->index, id, &box);
	return 0;
}

static int remove_item(lua_State *L)
{
	struct index_object *object = check_index(L, "remove");
	check_item(L, "remove");
	int items = push_tables(L);
	uint32_t id = item_id(L, items);
	if (id != NONE) {
		id_set(L, items, 0, false);
		lua_pushboolean(L, 0);
		lua_rawseti(L, items, (int)id + 1);
		index_remove(&object->index, id);
	}
	lua_pushboolean(L, id != NONE);
	return 1;
}

static int clear(lua_State *L)
{
	struct index_object *object = check_index(L, "clear");
	int items = push_tables(L);
	for (uint32_t id = 0; id < object->index.items.count; ++id) {
		if (object->index.items.data[id].position == NONE)
			continue;
		lua_rawgeti(L, items, (int)id + 1);
		int ids = push_key(L, items, items + 3);
		lua_pushnil(L);
		lua_rawset(L, ids);
		lua_settop(L, items + 2);
		lua_pushboolean(L, 0);
		lua_rawseti(L, items, (int)id + 1);
	}
	index_clear(&object->index);
	return 0;
}

/* --- Contents ------------------------------------------------------------------------------------------------------------- */

static int contains(lua_State *L)
{
	check_index(L, "contains");
	check_item(L, "contains");
	lua_pushboolean(L, item_id(L, push_tables(L)) != NONE);
	return 1;
}

static int get_box(lua_State *L)
{
	const struct index_object *object = check_index(L, "getBox");
	check_item(L, "getBox");
	uint32_t id = check_id(L, "getBox", push_tables(L));
	const struct box_d *box = &object->index.items.data[id].box;
	push_numbers(L, object->index.dimensions, box->lower);
	push_numbers(L, object->index.dimensions, box->upper);
	return 2 * object->index.dimensions;
}

static int get_count(lua_State *L)
{
	lua_pushinteger(L, index_count(&check_index(L, "getCount")->index));
	return 1;
}

static int get_type(lua_State *L)
{
	lua_pushstring(L, kind_names[check_index(L, "getType")->index.kind]);
	return 1;
}

static int index_tostring(lua_State *L)
{
	const struct index_object *object = check_index(L, "tostring");
	lua_pushfstring(L, "index (%s, %d items)", kind_names[object->index.kind], (int)index_count(&object->index));
	return 1;
}

/* Sets a field of the table at stack index 2, without metamethods. */
static void set_count(lua_State *L, const char *key, uint64_t value)
{
	lua_pushstring(L, key);
	lua_pushinteger(L, (lua_Integer)value);
	lua_rawset(L, 2);
}

static int get_statistics(lua_State *L)
{
	static const char *const axes[3] = {"x", "y", "z"};
	struct index *index = &check_index(L, "getStatistics")->index;
	uint64_t comparisons;
	lua_settop(L, 2);
	if (lua_isnil(L, 2)) {
		lua_createtable(L, 0, 3);
		lua_replace(L, 2);
	} else if (!lua_istable(L, 2)) {
		raise_value(L, 2, PATH("getStatistics", "into"), "be a table or nil");
	}
	switch (index->kind) {
	case INDEX_TREE:
		set_count(L, "height", index->tree.height);
		set_count(L, "replaced", index->replaced);
		lua_pushstring(L, "cost");
		lua_pushnumber(L, tree_cost(&index->tree));
		lua_rawset(L, 2);
		break;
	case INDEX_SWEEP:
		lua_pushstring(L, "axis");
		lua_pushstring(L, axes[sweep_measure(&index->sweep, &comparisons)]);
		lua_rawset(L, 2);
		set_count(L, "comparisons", comparisons);
		break;
	default:
		/* entries: the number of cells that an item is in, summed over the items that are not large. */
		set_count(L, "entries", index->grid.links.count - index->grid.free_count);
		set_count(L, "large", index->grid.large.count);
	}
	return 1;
}

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

enum list_form { LIST_ITEMS, LIST_FRACTIONS, LIST_DISTANCES, LIST_PAIRS };

/* Pushes the item with the id. serial: the number of insertions into the index before the query. False: nothing pushed, as the
 * item was removed after the query; its id may be that of an item inserted later. */
static bool push_item(lua_State *L, const struct index *index, uint32_t id, double serial)
{
	if (id >= index->items.count || index->items.data[id].position == NONE || (double)index->items.data[id].serial >= serial)
		return false;
	lua_rawgeti(L, 2, (int)id + 1);
	return true;
}

/* Returns a list of the query's hits. Called with the index, its table of items, the list to fill or nil for a new one, the
 * position of the first hit in the buffer, the number of insertions before the query, and the form of the list. */
int index_list_build(lua_State *L)
{
	const struct index *index = &((const struct index_object *)lua_touserdata(L, 1))->index;
	uint32_t start = (uint32_t)lua_tonumber(L, 4);
	double serial = lua_tonumber(L, 5);
	enum list_form form = (enum list_form)lua_tointeger(L, 6);
	int count = 0, width = form == LIST_ITEMS ? 1 : 2;
	int before = list_open(L, 3, (int)(index->hits.count - start) * width);
	for (uint32_t i = start; i < index->hits.count; ++i) {
		struct index_hit hit = index->hits.data[i];
		if (!push_item(L, index, hit.id, serial))
			continue;
		if (form == LIST_PAIRS && !push_item(L, index, hit.other, serial)) {
			lua_pop(L, 1);
			continue;
		}
		if (form == LIST_FRACTIONS)
			lua_pushnumber(L, index_hit_value(&hit));
		else if (form == LIST_DISTANCES)
			lua_pushnumber(L, sqrt(index_hit_value(&hit)));
		for (int k = width; k > 0; --k)
			lua_rawseti(L, 3, count + k);
		count += width;
	}
	list_cut(L, 3, count, before);
	return 1;
}

struct query {
	struct index_object *object;
	const char *function;
	int into; /* stack index of the list to fill, or nil */
	uint32_t start; /* position of its first hit in the index's buffer */
};

static struct query query_begin(lua_State *L, struct index_object *object, const char *function, int into)
{
	check_into(L, into, function);
	return (struct query){object, function, into, object->index.hits.count};
}

/* Converts the hits to a list, and removes them. done: there was enough memory. */
static int query_end(lua_State *L, const struct query *query, bool done, enum list_form form)
{
	struct index *index = &query->object->index;
	if (!done)
		raise_memory(L, query->function);
	shared_push(L, SHARED_INDEX_LIST);
	lua_pushvalue(L, 1);
	attached_get(L, 1);
	lua_rawgeti(L, -1, INDEX_ITEMS);
	lua_replace(L, -2);
	lua_pushvalue(L, query->into);
	lua_pushnumber(L, query->start);
	lua_pushnumber(L, (lua_Number)index->serial);
	lua_pushinteger(L, form);
	int failed = lua_pcall(L, 6, 1, 0);
	if (index->hits.count > query->start)
		index->hits.count = query->start;
	if (failed)
		lua_error(L);
	return 1;
}

/* --- Queries -------------------------------------------------------------------------------------------------------------- */

static int box_query(lua_State *L)
{
	struct index_object *object = check_index(L, "queryBox");
	struct box_d box = check_box(L, object, 2, "queryBox");
	struct query query = query_begin(L, object, "queryBox", 2 + 2 * object->index.dimensions);
	return query_end(L, &query, index_query_box(&object->index, &box, NULL, NULL), LIST_ITEMS);
}

static int point_query(lua_State *L)
{
	struct index_object *object = check_index(L, "queryPoint");
	struct box_d box;
	check_point(L, object, 2, "queryPoint", "", box.lower);
	memcpy(box.upper, box.lower, sizeof box.upper);
	struct query query = query_begin(L, object, "queryPoint", 2 + object->index.dimensions);
	return query_end(L, &query, index_query_box(&object->index, &box, NULL, NULL), LIST_ITEMS);
}

static int ray_query(lua_State *L)
{
	struct index_object *object = check_index(L, "queryRay");
	int dimensions = object->index.dimensions;
	double from[3], to[3];
	check_point(L, object, 2, "queryRay", "1", from);
	check_point(L, object, 2 + dimensions, "queryRay", "2", to);
	struct query query = query_begin(L, object, "queryRay", 2 + 2 * dimensions);
	return query_end(L, &query, index_query_ray(&object->index, from, to), LIST_FRACTIONS);
}

static int shape_query(lua_State *L)
{
	struct index_object *object = check_index(L, "queryShape");
	struct query query = {object, "queryShape", 4, object->index.hits.count};
	bool done = object->index.dimensions == 2 ? d2_index_query(L, &object->index) : d3_index_query(L, &object->index);
	return query_end(L, &query, done, LIST_ITEMS);
}

static int nearest(lua_State *L)
{
	struct index_object *object = check_index(L, "nearest");
	int after = 2 + object->index.dimensions;
	double point[3];
	check_point(L, object, 2, "nearest", "", point);
	int64_t count = lua_isnoneornil(L, after) ? 1 : value_integer(L, after, PATH("nearest", "count"), 1, INT32_MAX);
	struct query query = query_begin(L, object, "nearest", after + 1);
	return query_end(L, &query, index_nearest(&object->index, point, (uint32_t)count), LIST_DISTANCES);
}

static int pairs(lua_State *L)
{
	struct index_object *object = check_index(L, "pairs");
	struct query query = query_begin(L, object, "pairs", 2);
	return query_end(L, &query, index_pairs(&object->index), LIST_PAIRS);
}

/* For tests: raises when an invariant of the structure does not hold. */
static int validate(lua_State *L)
{
	struct index_object *object = check_index(L, "validate");
	const char *why = index_validate(&object->index);
	if (why != NULL)
		raise_error(L, "validate: %s", why);
	return 0;
}

const luaL_Reg index_functions[] = {
	{"newTree", make_tree},
	{"newSweep", make_sweep},
	{"newGrid", make_grid},
	{NULL, NULL},
};

const luaL_Reg index_methods[] = {
	{"insert", insert},
	{"move", move},
	{"remove", remove_item},
	{"clear", clear},
	{"contains", contains},
	{"getBox", get_box},
	{"getCount", get_count},
	{"getType", get_type},
	{"getStatistics", get_statistics},
	{"queryBox", box_query},
	{"queryPoint", point_query},
	{"queryRay", ray_query},
	{"queryShape", shape_query},
	{"nearest", nearest},
	{"pairs", pairs},
	{"validate", validate},
	{NULL, NULL},
};

const luaL_Reg index_metamethods[] = {
	{"__gc", index_collect},
	{"__tostring", index_tostring},
	{NULL, NULL},
};
