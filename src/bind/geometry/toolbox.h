/* toolbox.h - shared by the functions on shapes in 2D and 3D: lists of points, directions, options, results. `axes`: the number
 * of coordinates of a point, 2 or 3. */
#pragma once
#include "bind/lua/args.h"
#include "spatial/axes.h"
#include "spatial/index.h"

/* Names of the coordinates of points, directions and displacements, for messages and as keys. */
extern const char *const point_names[], *const from_names[], *const to_names[], *const normal_names[], *const delta_names[];

/* Checks that the list at stack index `index` is flat, with `least` to `most` points, and returns their number. Does not check
 * the numbers. */
uint32_t points_count(lua_State *L, int index, const char *function, const char *name, int axes, uint32_t least, uint32_t most);
/* Read the first `count` numbers of the list. Raise for one out of `range`, or in points_read_floats out of range_local, that
 * of coordinates in a body's frame. Allocate no Lua memory, except for an error message. */
void points_read_floats(lua_State *L, int index, const char *function, const char *name, uint32_t count, float *out);
void points_read(
	lua_State *L, int index, const char *function, const char *name, const struct range *range, uint32_t count, double *out);
/* Reads a flat list of `count` numbers from 1 to `most`, and stores them less 1. */
void indices_read(
	lua_State *L, int index, const char *function, const char *name, uint32_t most, uint32_t count, uint32_t *out);
/* Reads the flat list of points at stack index 1, of 1 to 2^24 points within range_position, into a userdata with room for
 * twice as many and one more, and pushes this. */
double *point_list_push(lua_State *L, const char *function, int axes, uint32_t *count);
/* Enlarges points that are so close together that powers of their distances would underflow. Returns the factor, a power of
 * two. */
double points_enlarge(int axes, uint32_t count, double *points);
/* Pushes the centre and the radius of the smallest ball around the points in the list at stack index 1. */
int push_smallest_ball(lua_State *L, const char *function, int axes);
/* Pushes a flat list of `count` numbers. */
void points_push(lua_State *L, uint32_t count, const double *numbers);
/* Pushes a flat list of `count` indices, each increased by 1. */
void indices_push(lua_State *L, uint32_t count, const uint32_t *indices);
/* Writes point i, from 0, of the flat list on top of the stack. */
void list_set(lua_State *L, int axes, uint32_t i, const double *point);

/* Reads a direction of any nonzero length, and scales its largest component to 1. */
void check_direction(lua_State *L, int index, const char *function, int axes, double *out);
/* Reads the options { steps = boolean }, or nil. Returns `steps`, by default false. */
bool check_steps(lua_State *L, int index, const char *function);

/* Append the items whose boxes overlap the shape at stack index 2, at the pose after it, to the index's hits. False: no
 * memory. */
bool d2_index_query(lua_State *L, struct index *index);
bool d3_index_query(lua_State *L, struct index *index);

/* Reads the factors from stack index 2 on; sx alone applies to all axes. */
void check_scale(lua_State *L, int axes, double *scale);
/* Raises when the bounds, scaled, are out of range_local. solid: the shape has an interior; raises also when it becomes thinner
 * than range_length.low along an axis. */
void check_scaled_bounds(lua_State *L, int axes, const double *scale, const double *bounds, bool solid);
/* Raises the error for a failure of d2_shape_scaled or d3_shape_scaled, with its `result`. */
_Noreturn void raise_scaled(lua_State *L, int axes, int result, const char *type, const double *scale);

/* Set fields of the table on top of the stack. */
void set_number(lua_State *L, const char *key, double value);
void set_integer(lua_State *L, const char *key, int64_t value);
void set_boolean(lua_State *L, const char *key, bool value);

/* Pushes nil `count` times. */
void push_nils(lua_State *L, int count);
/* Pushes the name of `state`, an enum axes_impact. */
void push_impact_state(lua_State *L, int state);

/* Raise when the shape at the pose is not within range_local, that of coordinates in a body's frame. */
void d2_check_reach(lua_State *L, const char *function, const struct d2_shape *shape, const struct d2_pose *pose);
void d3_check_reach(lua_State *L, const char *function, const struct d3_shape *shape, const struct d3_pose *pose);
/* Raise when a segment of the shape, also of a chain, is too short, or a triangle too flat, see d3_too_near and d3_too_flat. */
void d2_check_sizes(lua_State *L, const char *function, const struct d2_shape *shape);
void d3_check_sizes(lua_State *L, const char *function, const struct d3_shape *shape);
/* d3_too_near: whether the segment is shorter than range_length.low. d3_too_flat: the same for the triangle's longest side, or
 * whether the triangle's height above that side is at most a millionth of the side's length. Rounding errors could dominate the
 * direction of such a segment and the normal of such a triangle. */
bool d3_too_near(struct d3_vec a, struct d3_vec b);
bool d3_too_flat(struct d3_vec a, struct d3_vec b, struct d3_vec c);

int d3_make_mesh(lua_State *L);
int d3_make_height_field(lua_State *L);
int d3_make_compound(lua_State *L);

struct slide_options {
	double skin; /* [length] */
	uint32_t iterations;
};

/* Reads the options of slide and slideShape at `index`, the top of the stack; nil is allowed. */
struct slide_options check_slide_options(lua_State *L, int index, const char *function);
/* Pushes the results of slide and slideShape. */
int push_slide(lua_State *L, int axes, const struct axes_slide *slide);

/* The options of a height map or height field. */
struct heights_input {
	double x, z, cell_width, cell_depth;
	uint32_t columns, rows; /* rows: 1 in 2D */
	int list; /* stack index of the heights */
	/* For a height field: stack indices of lists, or of nil. */
	int holes, materials, cell_materials;
	bool one_sided;
};

/* Numbers of the options, from the first on, that 2D height maps, 3D height maps and height fields take. */
enum { D2_HEIGHTMAP_FIELDS = 4, D3_HEIGHTMAP_FIELDS = 7, HEIGHT_FIELD_FIELDS = 11 };

/* Reads the options at stack index 1, the only argument, and leaves the lists above it. Returns the number of heights. */
uint32_t heights_parse(lua_State *L, const char *function, size_t fields, struct heights_input *input);
