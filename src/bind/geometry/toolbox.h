/* toolbox.h - what the functions of shapes share in both dimensions: lists of points, directions, options, results. `axes`: the
 * numbers of a point, 2 or 3. */
#pragma once
#include "bind/lua/args.h"

/* Checks the flat list at stack index `index`, and returns the number of its points. The numbers are not looked at. */
uint32_t points_count(lua_State *L, int index, const char *function, const char *name, int axes, uint32_t least, uint32_t most);
/* Reads the first `count` numbers of the list; floats are positions within a body. Calls nothing of Lua's that allocates. */
void points_read_floats(lua_State *L, int index, const char *function, const char *name, uint32_t count, float *out);
void points_read(
	lua_State *L, int index, const char *function, const char *name, const struct range *range, uint32_t count, double *out);
/* Pushes a flat list of so many numbers. */
void points_push(lua_State *L, uint32_t count, const double *numbers);

/* A direction of any length but 0, brought to a greatest component of 1. */
void check_direction(lua_State *L, int index, const char *function, int axes, double *out);
/* capsule(radius, height): half of what lies between the centres of its ends. */
float check_upright_capsule(lua_State *L, float *radius);
/* { steps = true } */
bool check_steps(lua_State *L, int index, const char *function);

/* Fields of the table on top of the stack. */
void set_number(lua_State *L, const char *key, double value);
void set_integer(lua_State *L, const char *key, int64_t value);
void set_boolean(lua_State *L, const char *key, bool value);

/* nil, so many times */
void push_nils(lua_State *L, int count);
/* The name of a state of d2/query/time_of_impact.h, which has the numbers of d3/query/time_of_impact.h. */
void push_impact_state(lua_State *L, int state);

/* The options of a heightmap and of a height field. */
struct heights_input {
	double x, z, cell_width, cell_depth;
	int64_t columns, rows; /* rows: 1 in the plane */
	int list; /* stack index of the heights */
	/* Of a height field: stack indices of lists, or of nil. */
	int holes, materials, cell_materials;
	bool one_sided;
};

/* Reads the options at stack index 1, the only argument, and leaves the lists above. Returns the number of heights. */
uint32_t heights_parse(lua_State *L, const char *function, enum option_set set, struct heights_input *input);
/* The list `materials` at one stack index and, at the other, one that has a number of it, or 0, for each of `count` triangles
 * or cells; either may be nil. What it reads lies in userdata that are pushed. `name`: of the second. */
void materials_read(
	lua_State *L, const char *function, int list, const char *name, int of, uint32_t count, struct d3_materials *out);
