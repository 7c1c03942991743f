/* state.h - shared by state.c and state_values.c: what a snapshot has besides the engine's world. */
#pragma once
#include "bind/world/dimension.h"
#include "core/snapshot.h"

/* The kinds of objects with handles, in the order of ENV_BODIES to ENV_MOVERS. */
enum { OBJECT_KINDS = ENV_MOVERS - ENV_BODIES + 1 };
const struct class *kind_class(const struct world_object *object, int kind);
/* The ids of the kind; the handle of the object that has the id, and whether there is one. */
uint32_t kind_end(const struct world *world, int kind);
bool kind_handle(const struct world *world, int kind, uint32_t id, struct handle *handle);

/* Passes the string at stack index `index` to the archive that writes. */
void text_write(lua_State *L, struct archive *archive, int index);
/* Pushes a string that is read; an empty one after a fault. */
void text_read(lua_State *L, struct archive *archive);

/* Write names, colours and, if `data`, data of the world and its objects. environment: a stack index. Raise for data that is
 * not plain. */
void values_write(lua_State *L, struct archive *archive, struct world_object *object, int environment, bool data);
/* Reads them into tables for ENV_DATA, ENV_NAMES, ENV_COLORS, by handle, and for ENV_WORLD_DATA a value, at the stack indices
 * `tables` to `tables` + 3; `handles`: of the first of OBJECT_KINDS tables of handles of `world`, by id + 1, where handles are
 * made on demand. Returns whether there is data. */
bool values_read(lua_State *L, struct archive *archive, struct world_object *object, const struct world *world, int environment,
	int handles, int tables);
