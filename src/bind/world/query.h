/* query.h - shared by query.c, query_options.c and query_list.c: a query of a world, a body or a collider. */
#pragma once
#include "bind/lua/callback.h"
#include "bind/world/dimension.h"
#include "core/query.h"

struct query {
	const char *function;
	struct world_object *object;
	int into, environment; /* stack indices */
	struct query_filter filter;
	struct hook hook;
	/* indices of the query's first hit and excluded key in the world's buffers, which nested queries of filter functions share
	 */
	uint32_t start, excluded_start;
	uint32_t limit; /* greatest number of results */
	double most; /* greatest distance [length] */
	bool filtered, found, out_of_memory;
};

/* Finds the world, body or collider that is asked: the first argument. */
void query_open(lua_State *L, struct query *query, const char *function);
/* Reads the options at stack index `index`, or nil. The argument after them is the list to fill, if the query returns one.
 * takes: the options beyond layers, filter, sensors and exclude that the query has, see QUERY_TAKES. */
void query_begin(lua_State *L, struct query *query, int index, uint32_t takes);
#define QUERY_TAKES(option) (1u << (option))

/* Engine functions run only between these two calls. query_leave: if the filter function raised an error or memory ran out,
 * removes the query's hits and raises that error. Else the hits stay in the buffer. */
void query_enter(lua_State *L, struct query *query);
void query_leave(lua_State *L, struct query *query);
/* Lets the engine ask the filter function for each part of a collider. */
void query_accept(struct query *query);

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* The engine's hit, as the binding keeps it. Raises nothing. */
struct hit hit_keep(const struct query *query, const struct query_hit *found);
/* Adds a hit to the world's buffer; false: no memory. Raises nothing. */
bool hit_add(struct query *query, const struct query_hit *found);
/* Keeps the nearest hit of each collider that the filter function accepts, in the order of the colliders' ids. Nested queries
 * of that function append to the buffer, and remove their hits. */
void hits_merge(struct query *query);
/* Moves the query's hits from the buffer to a list of colliders in the order of their ids or, with `tables`, of hits in the
 * order of their fractions, up to the limit. Returns 1. */
int push_list(lua_State *L, struct query *query, bool tables);
/* As push_list, for contact planes: a list of tables with the distances, which are in hit.fraction. */
int push_planes(lua_State *L, struct query *query);
/* Moves the rays from index `start` on from the world's buffer to a list of rows, with the numbers of the parts. Returns 1. */
int push_rays(lua_State *L, struct query *query, uint32_t start);

int raycasts(lua_State *L); /* a method */
