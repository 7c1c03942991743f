/* query_options.c - the options of queries, and their begin and end. A filter function of the script runs protected: see
 * callback.c. */
#include "bind/world/query.h"

#include <stdlib.h>

/* --- Excluded bodies and colliders ---------------------------------------------------------------------------------------- */

enum excluded { EXCLUDED, NO_REFERENCE, DESTROYED, ELSEWHERE };

/* Sets the key of the body or collider at stack index `index`. Raises nothing. */
static enum excluded excluded_key(lua_State *L, int index, const struct world_object *object, uint32_t *key)
{
	const struct reference *reference = object_test_any(L, index, &class_body, sizeof *reference);
	bool collider = reference == NULL;
	if (collider)
		reference = object_test_any(L, index, &class_collider, sizeof *reference);
	if (reference == NULL)
		return NO_REFERENCE;
	const struct world_object *owner = reference_find(reference);
	*key = query_key(collider, reference->handle.index);
	return owner == NULL ? DESTROYED : owner == object ? EXCLUDED : ELSEWHERE;
}

/* Checks the value on top of the stack. */
static void excluded_check(lua_State *L, const struct world_object *object, const struct path *path)
{
	static const char must[] = "be a body or collider of this world";
	uint32_t key;
	switch (excluded_key(L, -1, object, &key)) {
	case EXCLUDED: break;
	case NO_REFERENCE:
		raise_value(L, -1, path, path->element ? must : "be a body or collider of this world, or a list of them");
	case DESTROYED: raise_got(L, path, must, "a destroyed one");
	case ELSEWHERE: raise_got(L, path, must, "one of another world");
	}
}

static void option_exclude(lua_State *L, const struct query *query, struct path path)
{
	int list = lua_gettop(L);
	if (lua_type(L, list) != LUA_TTABLE) {
		excluded_check(L, query->object, &path);
		return;
	}
	uint32_t count = value_list(L, list, &path);
	for (uint32_t i = 0; i < count; ++i) {
		path.element = (int)i + 1;
		lua_rawgeti(L, list, path.element);
		excluded_check(L, query->object, &path);
		lua_pop(L, 1);
	}
}

static int compare_keys(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void exclude(lua_State *L, struct query *query, int index)
{
	struct world_object *object = query->object;
	uint32_t key;
	if (excluded_key(L, index, object, &key) == EXCLUDED)
		array_push(&object->excluded, key);
}

/* Stores the keys of `exclude`, checked before, in the world's buffer. Leaves out objects destroyed since then. Raises
 * nothing. */
static void excluded_store(lua_State *L, struct query *query)
{
	struct world_object *object = query->object;
	int value = query->environment + 2;
	uint32_t count = lua_isnil(L, value) ? 0 : lua_istable(L, value) ? (uint32_t)lua_rawlen(L, value) : 1;
	query->excluded_start = object->excluded.count;
	if (count == 0)
		return;
	if (!array_reserve(&object->memory, &object->excluded, object->excluded.count + count)) {
		query->out_of_memory = true;
		return;
	}
	if (!lua_istable(L, value))
		exclude(L, query, value);
	for (uint32_t i = 0; lua_istable(L, value) && i < count; ++i) {
		lua_rawgeti(L, value, (int)i + 1);
		exclude(L, query, -1);
		lua_pop(L, 1);
	}
	query->filter.excluded = &object->excluded.data;
	query->filter.excluded_start = query->excluded_start;
	query->filter.excluded_count = object->excluded.count - query->excluded_start;
	if (query->filter.excluded_count > 1)
		qsort(object->excluded.data + query->excluded_start, query->filter.excluded_count, sizeof(uint32_t), compare_keys);
}

/* --- Options -------------------------------------------------------------------------------------------------------------- */

/* Moves a copy of the value on top of the stack to the stack index. */
static void option_keep(lua_State *L, int index)
{
	lua_pushvalue(L, -1);
	lua_replace(L, index);
}

static void option_read(lua_State *L, struct query *query, int option, const struct path *path)
{
	static const struct range range_most = {0, 1e15, ">= 0"};
	switch (option) {
	case QUERY_LAYERS: query->filter.layers = check_layers(L, lua_gettop(L), query->environment, query->object, path); break;
	case QUERY_SENSORS: query->filter.sensors = value_boolean(L, -1, path); break;
	case QUERY_FILTER:
		if (!lua_isfunction(L, -1))
			raise_value(L, -1, path, "be a function");
		option_keep(L, query->environment + 1);
		break;
	case QUERY_EXCLUDE:
		option_exclude(L, query, *path);
		option_keep(L, query->environment + 2);
		break;
	case QUERY_LIMIT: query->limit = (uint32_t)value_integer(L, -1, path, 1, INT32_MAX); break;
	case QUERY_MAX_DISTANCE: query->most = value_number(L, -1, path, &range_most); break;
	case QUERY_START_INSIDE: query->filter.late = !value_boolean(L, -1, path); break;
	}
}

/* Reads the options at stack index `index`. The two stack indices after the query's environment take the filter function and
 * what is excluded, or nil. */
static void options_read(lua_State *L, struct query *query, int index, uint32_t takes)
{
	struct options options = {.path = {query->function, NULL, 0, "options", 0}, .set = OPTIONS_QUERY};
	luaL_checkstack(L, 40, query->function);
	lua_settop(L, query->environment + 2);
	options_begin(L, query->object->shared, &options, index);
	for (int option; (option = options_next(L, &options)) != 0;) {
		if ((takes & QUERY_TAKES(option)) == 0)
			raise_error(L, "%s: the option '%s' has no meaning here", query->function, options.path.name);
		option_read(L, query, option, &options.path);
	}
	lua_settop(L, query->environment + 2);
	query->filtered = !lua_isnil(L, query->environment + 1);
}

void query_open(lua_State *L, struct query *query, const char *function)
{
	const struct class *class = upvalue_address(L, 2);
	*query = (struct query){.function = function, .filter = {.layers = UINT64_MAX}, .limit = UINT32_MAX, .most = INFINITY};
	if (class->handles == 0) {
		query->object = check_world(L, function);
		return;
	}
	query->filter.scope = class->handles == ENV_BODIES ? SCOPE_BODY : SCOPE_COLLIDER;
	query->object = check_reference(L, function, &query->filter.id);
}

void query_begin(lua_State *L, struct query *query, int index, uint32_t takes)
{
	static const uint32_t chooses =
		QUERY_TAKES(QUERY_LAYERS) | QUERY_TAKES(QUERY_FILTER) | QUERY_TAKES(QUERY_SENSORS) | QUERY_TAKES(QUERY_EXCLUDE);
	lua_settop(L, index + 1);
	query->into = index + 1;
	query->environment = index + 2;
	attached_get(L, 1);
	lua_settop(L, query->environment + 2);
	if (!lua_isnil(L, index))
		options_read(L, query, index, takes | (query->filter.scope == SCOPE_COLLIDER ? 0 : chooses));
}

/* --- Begin and end -------------------------------------------------------------------------------------------------------- */

void query_enter(lua_State *L, struct query *query)
{
	if (query->filtered)
		hook_begin(L, &query->hook, query->object, query->environment, SHARED_ACCEPT, query->environment + 1);
	query->start = query->object->hits.count;
	++query->object->queries;
	excluded_store(L, query);
}

void query_accept(struct query *query)
{
	if (!query->filtered)
		return;
	query->filter.accept = hook_accept;
	query->filter.context = &query->hook;
}

void query_leave(lua_State *L, struct query *query)
{
	--query->object->queries;
	query->object->excluded.count = query->excluded_start;
	if (query->filtered)
		hook_end(&query->hook);
	if (query->hook.failed || query->out_of_memory)
		query->object->hits.count = query->start;
	hook_raise(&query->hook);
	if (query->out_of_memory)
		raise_memory(L, query->function);
}
