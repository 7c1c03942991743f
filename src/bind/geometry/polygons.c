/* polygons.c - polygons and points as lists of numbers: convex decomposition, simplification, area, fits. Work memory is a
 * userdata, or engine memory that is freed before Lua is called again, so that nothing leaks when Lua runs out of memory. */
#include "bind/geometry/toolbox.h"
#include "d2/process/decompose.h"
#include "d2/process/fitted_box.h"
#include "d2/process/is_convex.h"
#include "d2/process/outlines.h"

#include <stddef.h>
#include <string.h>

/* Reads the flat list at stack index 1 as doubles into a userdata, and pushes this. */
static const double *outline_push(lua_State *L, const char *function, uint32_t least, uint32_t most, uint32_t *count)
{
	*count = points_count(L, 1, function, "points", 2, least, most);
	double *points = userdata_create(L, (2 * (size_t)*count + 1) * sizeof *points);
	points_read(L, 1, function, "points", &range_local, 2 * *count, points);
	return points;
}

/* Pushes the coordinates of the points with the numbers in `index` as a flat list. */
static void push_corners(lua_State *L, const double *points, const uint32_t *index, uint32_t count)
{
	lua_createtable(L, (int)count * 2, 0);
	for (uint32_t i = 0; i < count; ++i)
		list_set(L, 2, i, &points[2 * (size_t)index[i]]);
}

static void refuse(lua_State *L, enum d2_decompose_result result, const struct d2_pieces *pieces)
{
	int first = (int)pieces->where[0] + 1, second = (int)pieces->where[1] + 1;
	switch (result) {
	case D2_DECOMPOSE_OK: return;
	case D2_DECOMPOSE_TINY:
		raise_error(L, "decompose: coordinates must be 0 or at least 1e-140 in size, but those of point %d are not", first);
	case D2_DECOMPOSE_TOO_FEW: raise_error(L, "decompose: points must contain at least three different ones");
	case D2_DECOMPOSE_FLAT: raise_error(L, "decompose: points must not lie on a line");
	case D2_DECOMPOSE_SPIKE: raise_error(L, "decompose: the outline must not go back on itself, as it does at point %d", first);
	case D2_DECOMPOSE_CROSSING:
		raise_error(L, "decompose: edges must not cross or touch, but those from points %d and %d do", first, second);
	}
}

static int decompose(lua_State *L)
{
	uint32_t count;
	struct d2_pieces pieces = {.count = 0};
	if (!lua_isnoneornil(L, 2) && value_list(L, 2, PATH("decompose", "holes")) > 0)
		raise_error(
			L, "decompose: holes are not supported: cut the polygon in two through each hole, and decompose both parts");
	const double *points = outline_push(L, "decompose", 3, D2_DECOMPOSE_MAX, &count);
	void *space = userdata_create(L, d2_decompose_space(count));
	refuse(L, d2_decompose(points, count, space, &pieces), &pieces);
	lua_createtable(L, (int)pieces.count, 0);
	for (uint32_t i = 0; i < pieces.count; ++i) {
		push_corners(L, points, pieces.index + pieces.start[i], pieces.start[i + 1] - pieces.start[i]);
		lua_rawseti(L, -2, (int)i + 1);
	}
	return 1;
}

/* 2 A = sum of (p_i - p_0) x (p_i+1 - p_0), so that no precision is lost far from the origin. */
static int signed_area(lua_State *L)
{
	uint32_t count;
	const double *p = outline_push(L, "signedArea", 3, 1 << 24, &count);
	double twice = 0;
	for (uint32_t i = 1; i + 1 < count; ++i)
		twice += (p[2 * i] - p[0]) * (p[2 * i + 3] - p[1]) - (p[2 * i + 1] - p[1]) * (p[2 * i + 2] - p[0]);
	lua_pushnumber(L, 0.5 * twice);
	return 1;
}

/* Pushes the points that d2_simplify keeps, as a flat list. space: 2 count words. */
static void push_simplified(
	lua_State *L, const double *points, uint32_t count, double tolerance, bool loop, uint32_t *space, bool *keep)
{
	uint32_t kept = 0;
	d2_simplify(&shared_state(L)->memory, points, count, tolerance, loop, space, keep);
	for (uint32_t i = 0; i < count; ++i)
		if (keep[i])
			space[kept++] = i;
	push_corners(L, points, space, kept);
}

static int simplify(lua_State *L)
{
	enum { SIMPLIFY_MAXIMUM = 1 << 20 };
	uint32_t count;
	double tolerance = arg_number(L, 2, "simplify", "tolerance", &range_radius);
	bool loop = !lua_isnoneornil(L, 3) && arg_boolean(L, 3, "simplify", "loop");
	const double *points = outline_push(L, "simplify", loop ? 3 : 2, SIMPLIFY_MAXIMUM, &count);
	uint32_t *space = userdata_create(L, 2 * count * sizeof *space);
	bool *keep = userdata_create(L, count);
	push_simplified(L, points, count, tolerance, loop, space, keep);
	return 1;
}

/* --- Outlines of bitmaps -------------------------------------------------------------------------------------------------- */

enum { SAMPLES_MAXIMUM = 1 << 24 };

struct outlines_input {
	struct d2_samples samples;
	double tolerance;
};

static const struct option_member outlines_fields[] = {
	{"cellSize", FIELD_NUMBER, offsetof(struct outlines_input, samples.size), &range_length},
	{"x", FIELD_NUMBER, offsetof(struct outlines_input, samples.x), &range_local},
	{"y", FIELD_NUMBER, offsetof(struct outlines_input, samples.y), &range_local},
	{"threshold", FIELD_NUMBER, offsetof(struct outlines_input, samples.threshold), &range_local},
	{"tolerance", FIELD_NUMBER, offsetof(struct outlines_input, tolerance), &range_radius},
};

/* Reads the list of numbers and booleans at stack index 1 into a userdata, and pushes this. */
static const double *samples_push(lua_State *L, uint32_t count)
{
	struct path path = {"outlines", NULL, 0, "values", 0};
	double *values = userdata_create(L, count * sizeof *values + 1);
	for (uint32_t i = 0; i < count; ++i) {
		path.element = (int)i + 1;
		lua_rawgeti(L, 1, path.element);
		values[i] = lua_isboolean(L, -1) ? lua_toboolean(L, -1) : value_number(L, -1, &path, &range_local);
		lua_pop(L, 1);
	}
	return values;
}

static void outlines_parse(lua_State *L, struct outlines_input *input)
{
	*input = (struct outlines_input){.samples = {.threshold = 0.5, .size = 1}};
	lua_settop(L, 3);
	uint32_t count = value_list(L, 1, PATH("outlines", "values"));
	uint32_t columns = (uint32_t)value_integer(L, 2, PATH("outlines", "columns"), 1, SAMPLES_MAXIMUM);
	fields_read(L, 3, PATH("outlines", "options"), outlines_fields, LENGTH(outlines_fields), input);
	if (count > SAMPLES_MAXIMUM || count % columns != 0)
		raise_error(
			L, "outlines: there must be columns values for each row, at most %d, got %d", (int)SAMPLES_MAXIMUM, (int)count);
	input->samples.columns = columns;
	input->samples.rows = count / columns;
	input->samples.values = samples_push(L, count);
}

static int outlines(lua_State *L)
{
	struct outlines_input input;
	outlines_parse(L, &input);
	const struct d2_samples *samples = &input.samples;
	uint32_t most = d2_outline_points(samples), loops = 0;
	size_t squares = ((size_t)samples->columns + 1) * ((size_t)samples->rows + 1);
	struct d2_outlines search = {.samples = *samples, .marks = memset(userdata_create(L, squares), 0, squares)};
	struct d2_vec_d *points = userdata_create(L, most * sizeof *points + 1);
	uint32_t *space = userdata_create(L, 2 * (size_t)most * sizeof *space + 1);
	bool *keep = userdata_create(L, (size_t)most + 1);
	lua_newtable(L);
	for (uint32_t count; (count = d2_outline_next(&search, points)) > 0;) {
		push_simplified(L, &points->x, count, input.tolerance, true, space, keep);
		lua_rawseti(L, -2, (int)++loops);
	}
	return 1;
}

static int is_convex(lua_State *L)
{
	uint32_t count;
	const double *points = outline_push(L, "isConvex", 1, 1 << 24, &count);
	lua_pushboolean(L, d2_is_convex((const double(*)[2])points, count));
	return 1;
}

static int smallest_circle(lua_State *L)
{
	return push_smallest_ball(L, "smallestCircle", 2);
}

static int fitted_box(lua_State *L)
{
	uint32_t count;
	struct d2_vec_d *points = (void *)point_list_push(L, "fittedBox", 2, &count);
	double scale = 1 / points_enlarge(2, count, &points->x);
	struct d2_fitted_box box = d2_fit_box(points, count, points + count);
	box.size = d2_scale_d(scale, box.size);
	box.pose = (struct d2_pose){scale * box.pose.x, scale * box.pose.y, box.pose.q};
	push_numbers(L, 2, &box.size.x);
	return 2 + d2_push_pose(L, box.pose);
}

const luaL_Reg polygon_functions[] = {
	{"isConvex", is_convex},
	{"smallestCircle", smallest_circle},
	{"fittedBox", fitted_box},
	{"decompose", decompose},
	{"simplify", simplify},
	{"outlines", outlines},
	{"signedArea", signed_area},
	{NULL, NULL},
};
