/* materials.h - surface materials of colliders and of parts of shapes, and their names. */
#pragma once
#include "bind/geometry/toolbox.h"
#include "bind/lua/property.h"

/* The number of the name at stack index `index`, which is stored if it is new. known: it must be stored already, so that
 * nothing is allocated. */
uint16_t materials_name(lua_State *L, int index, const struct path *path, bool known);
/* Pushes the name, nil for 0. Allocates nothing. */
void materials_push_name(lua_State *L, uint16_t name);

/* Reads the material on top of the stack, a table. table: its path. known: its name must be stored already, so that nothing is
 * allocated. */
struct material materials_read_one(lua_State *L, const struct path *table, int axes, bool known);
/* Reads the surface velocity on top of the stack: a speed in 2D, a vector in 3D. */
void materials_tangent(lua_State *L, const struct path *path, int axes, struct material *material);
void materials_set_velocity(struct material *material, const double velocity[3]);

/* Reads the list `materials` at stack index `list`, and at `of` a list with the number of a material, or 0, for each of `count`
 * segments, triangles or cells. Both or neither may be nil. Pushes the userdata that hold the result, unless nil. `name`: of
 * the second list. */
void materials_read(
	lua_State *L, const char *function, int axes, int list, const char *name, int of, uint32_t count, struct materials *out);

/* Pushes the properties that the material of a part has, nil for others: friction, restitution, rolling resistance, surface
 * speed or velocity, name, mixing rules. Returns their number. */
int materials_push(lua_State *L, int axes, const struct material *material);
