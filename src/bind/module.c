/* module.c - loads `collide`, `collide.d2` and `collide.d3` for `require`.
 * The only state is one table per Lua state, in its registry, and the slots of worlds in handle.c. */
#include "bind/lua/callback.h"
#include "bind/lua/property.h"
#include "bind/lua/words.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define VERSION "0.1.0"

/* The address of this is the shared table's key in the registry. */
static const char shared_key = 0;

/* --- Memory --------------------------------------------------------------------------------------------------------------- */

/* Allocates engine memory by the Lua state's own allocator, so that a limit on its memory covers both. */
static void *shared_allocate(void *context, void *block, size_t old_size, size_t new_size)
{
	struct shared *shared = context;
	void *result = shared->allocate(shared->allocate_context, block, old_size, new_size);
	if (result || new_size == 0)
		shared->bytes += new_size - old_size;
	return result;
}

void shared_memory(struct shared *shared, struct memory *memory)
{
	memory_init(memory, shared_allocate, shared);
}

struct shared *shared_state(lua_State *L)
{
	shared_push(L, SHARED_STATE);
	struct shared *shared = lua_touserdata(L, -1);
	lua_pop(L, 1);
	return shared;
}

/* Runs a full collection if engine memory has doubled since the last one and is at least 32 MB; not while the script has
 * stopped the collector. Lua's collector does not count engine memory: to it a world is a few hundred bytes. Called where
 * worlds, shapes and indexes are created. */
void shared_collect(lua_State *L, struct shared *shared)
{
	enum { COLLECT_LEAST = 32 << 20 };
	if (shared->bytes < shared->collect_at || !collector_runs(L))
		return;
	lua_gc(L, LUA_GCCOLLECT, 0);
	shared->collect_at = shared->bytes * 2 > COLLECT_LEAST ? shared->bytes * 2 : COLLECT_LEAST;
}

static struct shared *shared_create(lua_State *L, int table)
{
	struct shared *shared = userdata_create(L, sizeof *shared);
	*shared = (struct shared){.collect_at = 32 << 20};
	shared->allocate = lua_getallocf(L, &shared->allocate_context);
	shared_memory(shared, &shared->memory);
	lua_rawseti(L, table, SHARED_STATE);
	return shared;
}

/* --- Loading -------------------------------------------------------------------------------------------------------------- */

static const struct {
	const struct class *class;
	struct class_content content;
} classes[] = {
	{&class_world,
		{{world_methods, world_explain_methods, step_methods, bulk_functions, query_methods, draw_methods, state_methods,
			 history_functions},
			{event_methods, bulk_methods, cast_methods, d2_joint_constructors}, world_properties, world_metamethods}},
	{&class_body,
		{{body_methods, body_explain_methods, d2_body_methods, body_query_methods, move_methods, d2_tiles_body_methods},
			{own_cast_methods, contact_methods}, body_properties, reference_metamethods}},
	{&class_collider,
		{{collider_methods, overlap_methods, d2_collider_methods, collider_query_methods, d2_tiles_methods},
			{own_cast_methods, contact_methods}, collider_properties, reference_metamethods}},
	{&class_joint, {{joint_methods}, {joint_getters, joint_settings}, NULL, reference_metamethods}},
	{&class_field, {{field_methods, d2_field_methods}, {field_effects}, NULL, reference_metamethods}},
	{&class_mover, {{mover_methods}, {mover_getters, mover_loops}, NULL, reference_metamethods}},
	{&class_d3_world,
		{{world_methods, world_explain_methods, step_methods, bulk_functions, query_methods, draw_methods, state_methods,
			 history_functions},
			{event_methods, bulk_methods, cast_methods, d3_joint_constructors}, world_properties, world_metamethods}},
	{&class_d3_body,
		{{body_methods, body_explain_methods, d3_body_methods, d3_spin_methods, body_query_methods, move_methods,
			 d3_voxels_body_methods},
			{own_cast_methods, contact_methods}, body_properties, reference_metamethods}},
	{&class_d3_collider,
		{{collider_methods, overlap_methods, d3_collider_methods, d3_surface_methods, collider_query_methods,
			 d3_heights_methods, d3_voxels_methods},
			{own_cast_methods, contact_methods}, collider_properties, reference_metamethods}},
	{&class_d3_joint,
		{{joint_methods, d3_joint_methods}, {joint_getters, joint_settings, d3_joint_settings}, NULL, reference_metamethods}},
	{&class_d3_field, {{field_methods, d3_field_methods}, {field_effects}, NULL, reference_metamethods}},
	{&class_d3_mover, {{mover_methods}, {mover_getters, mover_loops}, NULL, reference_metamethods}},
	{&class_shape, {{d2_shape_methods}, {NULL}, NULL, d2_shape_metamethods}},
	{&class_pose, {{d2_pose_methods}, {NULL}, NULL, d2_pose_metamethods}},
	{&class_d3_shape, {{d3_shape_methods}, {NULL}, NULL, d3_shape_metamethods}},
	{&class_d3_pose, {{d3_pose_methods}, {NULL}, NULL, d3_pose_metamethods}},
	{&class_cursor, {{NULL}, {NULL}, NULL, cursor_metamethods}},
	{&class_contact, {{contact_object_methods, d2_contact_methods}, {NULL}, NULL, contact_metamethods}},
	{&class_d3_contact, {{contact_object_methods, d3_contact_methods}, {NULL}, NULL, contact_metamethods}},
	{&class_index, {{index_methods}, {NULL}, NULL, index_metamethods}},
	{&class_heightmap, {{heightmap_methods}, {NULL}, NULL, heightmap_metamethods}},
	{&class_generator, {{generator_methods}, {NULL}, NULL, generator_metamethods}},
	{&class_history, {{history_methods}, {NULL}, NULL, history_metamethods}},
	{&class_fragments, {{NULL}, {NULL}, NULL, fragments_metamethods}},
};

static void functions_keep(lua_State *L, int shared)
{
	static const struct {
		int key;
		lua_CFunction function;
	} functions[] = {
		{SHARED_FILTER, filter_trampoline},
		{SHARED_ACCEPT, accept_trampoline},
		{SHARED_PRE_SOLVE, pre_solve_trampoline},
		{SHARED_LIST, list_build},
		{SHARED_TRACEBACK, traceback_handler},
		{SHARED_ITERATOR, cursor_next},
		{SHARED_DRAW, draw_run},
		{SHARED_INDEX_LIST, index_list_build},
		{SHARED_MESH_LIST, mesh_list_build},
		{SHARED_PREDICTION, prediction_run},
	};
	for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
		lua_pushvalue(L, shared);
		lua_pushcclosure(L, functions[i].function, 1);
		lua_rawseti(L, shared, functions[i].key);
	}
}

static void tables_keep(lua_State *L, int shared)
{
	lua_createtable(L, 0, 1);
	lua_pushliteral(L, "v");
	lua_setfield(L, -2, "__mode");
	lua_rawseti(L, shared, SHARED_WEAK);
	lua_newtable(L);
	lua_rawseti(L, shared, SHARED_MATERIALS);
	lua_newtable(L);
	lua_rawseti(L, shared, SHARED_RESPONSES);
}

static void module_create(lua_State *L, int shared)
{
	lua_newtable(L);
	lua_pushliteral(L, VERSION);
	lua_setfield(L, -2, "version");
	functions_register(L, shared, index_functions);
	functions_register(L, shared, number_functions);
	functions_register(L, shared, compare_functions);
	functions_register(L, shared, response_functions);
	functions_register(L, shared, state_functions);
	lua_pushcfunction(L, warn_default);
	lua_setfield(L, -2, "warn");
	lua_newtable(L);
	functions_register(L, shared, d2_shape_functions);
	functions_register(L, shared, d2_toolbox_functions);
	functions_register(L, shared, d2_plane_functions);
	functions_register(L, shared, d2_world_functions);
	functions_register(L, shared, polygon_functions);
	sweeps_register(L, shared, 2);
	words_guard(L, shared, &module_d2);
	lua_setfield(L, -2, "d2");
	lua_newtable(L);
	functions_register(L, shared, d3_shape_functions);
	functions_register(L, shared, d3_world_functions);
	functions_register(L, shared, d3_toolbox_functions);
	functions_register(L, shared, d3_plane_functions);
	functions_register(L, shared, d3_rotation_functions);
	functions_register(L, shared, mesh_functions);
	sweeps_register(L, shared, 3);
	words_guard(L, shared, &module_d3);
	lua_setfield(L, -2, "d3");
	words_guard(L, shared, &module_collide);
	lua_rawseti(L, shared, SHARED_MODULE);
}

/* Keeps the module loaded until the process ends: LuaJIT closes its libraries before it runs the last finalizers, which are
 * ours. Elsewhere than on Windows a flag of the linker does it. */
static void stay_loaded(void)
{
#ifdef _WIN32
	HMODULE module;
	GetModuleHandleExA(
		GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, (const char *)&shared_key, &module);
#endif
}

/* Pushes the shared table and the module, both created at the first call in a Lua state. */
static void push_module(lua_State *L)
{
	stay_loaded();
	lua_pushlightuserdata(L, (void *)(uintptr_t)&shared_key);
	lua_rawget(L, LUA_REGISTRYINDEX);
	if (!lua_istable(L, -1)) {
		lua_createtable(L, SHARED_END, 0);
		int shared = lua_gettop(L);
		options_register(L, shared_create(L, shared), shared);
		draw_strings_register(L, shared);
		for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
			class_create(L, shared, classes[i].class, &classes[i].content);
		functions_keep(L, shared);
		tables_keep(L, shared);
		copy_register(L, shared);
		module_create(L, shared);
		lua_pushlightuserdata(L, (void *)(uintptr_t)&shared_key);
		lua_pushvalue(L, shared);
		lua_rawset(L, LUA_REGISTRYINDEX);
	}
	lua_rawgeti(L, -1, SHARED_MODULE);
}

EXPORT int luaopen_collide(lua_State *L);
EXPORT int luaopen_collide_d2(lua_State *L);
EXPORT int luaopen_collide_d3(lua_State *L);

int luaopen_collide(lua_State *L)
{
	push_module(L);
	return 1;
}

int luaopen_collide_d2(lua_State *L)
{
	push_module(L);
	lua_getfield(L, -1, "d2");
	return 1;
}

int luaopen_collide_d3(lua_State *L)
{
	push_module(L);
	lua_getfield(L, -1, "d3");
	return 1;
}
