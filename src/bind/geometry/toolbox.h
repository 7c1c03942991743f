/* toolbox.h - shared by the functions on shapes in 2D and 3D: lists of points, directions, options, results. `axes`: the
 * numbers of a point, 2 or 3. */
#pragma once
#include "bind/lua/args.h"

/* Checks the flat list at stack index `index`, and returns the number of its points. Does not check the numbers. */
uint32_t points_count(lua_State *L, int index, const char *function, const char *name, int axes, uint32_t least, uint32_t most);
/* Reads the first `count` numbers of the list; floats are positions in a body's frame. Calls no Lua function that allocates. */
void points_read_floats(lua_State *L, int index, const char *function, const char *name, uint32_t count, float *out);
void points_read(
	lua_State *L, int index, const char *function, const char *name, const struct range *range, uint32_t count, double *out);
/* Pushes a flat list of `count` numbers. */
void points_push(lua_State *L, uint32_t count, const double *numbers);

/* Reads a direction of any nonzero length, and scales its largest component to 1. */
void check_direction(lua_State *L, int index, const char *function, int axes, double *out);
/* Reads capsule(radius, height), and returns half the distance between the centres of its ends. */
float check_upright_capsule(lua_State *L, float *radius);
/* Reads the options, { steps = boolean } or nil. Whether steps are wanted. */
bool check_steps(lua_State *L, int index, const char *function);

/* Set fields of the table on top of the stack. */
void set_number(lua_State *L, const char *key, double value);
void set_integer(lua_State *L, const char *key, int64_t value);
void set_boolean(lua_State *L, const char *key, bool value);

/* Pushes nil `count` times. */
void push_nils(lua_State *L, int count);
/* Pushes the name of a state of d2/query/time_of_impact.h; d3/query/time_of_impact.h has the same numbers. */
void push_impact_state(lua_State *L, int state);

/* The options of a height map or height field. */
struct heights_input {
	double x, z, cell_width, cell_depth;
	uint32_t columns, rows; /* rows: 1 in 2D */
	int list; /* stack index of the heights */
	/* For a height field: stack indices of lists, or of nil. */
	int holes, materials, cell_materials;
	bool one_sided;
};

/* How many of the options height maps in 2D and 3D take, and height fields. */
enum { D2_HEIGHTMAP_FIELDS = 4, D3_HEIGHTMAP_FIELDS = 7, HEIGHT_FIELD_FIELDS = 11 };

/* Reads the options at stack index 1, the only argument, and leaves the lists above it. Returns the number of heights. */
uint32_t heights_parse(lua_State *L, const char *function, size_t fields, struct heights_input *input);
/* Reads the list `materials` at stack index `list`, and at `of` a list with the number of a material, or 0, for each of `count`
 * triangles or cells; either may be nil. Pushes the userdata that hold the result. `name`: of the second list. */
void materials_read(
	lua_State *L, const char *function, int list, const char *name, int of, uint32_t count, struct d3_materials *out);
