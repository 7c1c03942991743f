/* scaled.c - scaled copies of shapes. A copy that would leave the range of shapes is refused before it is created. */
#include "bind/lua/args.h"

static const char *const names[] = {"sx", "sy", "sz"};

/* Reads the scale; sx alone applies to all axes. */
static void check_scale(lua_State *L, int axes, double scale[3])
{
	bool each = !lua_isnoneornil(L, 3) || !lua_isnoneornil(L, 4);
	scale[2] = 1;
	for (int i = 0; i < axes; ++i) {
		int index = each ? 2 + i : 2;
		scale[i] = arg_number(L, index, "scaled", names[each ? i : 0], &range_signed);
		if (!(abs_d(scale[i]) >= 1e-6))
			raise_value(L, index, PATH("scaled", names[each ? i : 0]), "not be 0, nor nearer to it than 1e-6");
	}
}

/* bounds: of the unscaled shape; solid: it has an interior, whose size is checked. */
static void check_bounds(lua_State *L, int axes, const double *scale, const double *bounds, bool solid)
{
	for (int i = 0; i < axes; ++i) {
		double most = max_d(abs_d(bounds[i]), abs_d(bounds[axes + i])) * abs_d(scale[i]);
		double size = (bounds[axes + i] - bounds[i]) * abs_d(scale[i]);
		if (most > range_local.high)
			raise(L, "scaled: the shape must stay within %f of the origin, but %s = %f makes it reach to %f",
				(lua_Number)range_local.high, names[i], (lua_Number)scale[i], (lua_Number)most);
		if (solid && size < range_length.low)
			raise(L, "scaled: the shape must be at least %f in size, but %s = %f makes it %f", (lua_Number)range_length.low,
				names[i], (lua_Number)scale[i], (lua_Number)size);
	}
}

/* --- 2D ------------------------------------------------------------------------------------------------------------------- */

static void check_fits(lua_State *L, const struct d2_shape *shape, const double scale[3])
{
	struct box box;
	if (shape->type == D2_HALF_PLANE) {
		double offset[4] = {-abs_d(shape->offset), -abs_d(shape->offset), abs_d(shape->offset), abs_d(shape->offset)};
		check_bounds(L, 2, scale, offset, false);
		return;
	}
	for (uint32_t i = 0; i < d2_shape_child_count(shape); ++i) {
		box = d2_shape_box(shape, i, &(struct d2_pose){0, 0, {1, 0}}, 0);
		double bounds[4] = {box.lower[0], box.lower[1], box.upper[0], box.upper[1]};
		check_bounds(L, 2, scale, bounds, shape->type != D2_SEGMENT && shape->type != D2_CHAIN);
	}
}

static void check_copy(lua_State *L, const struct d2_shape *shape)
{
	if (shape->type == D2_SEGMENT || shape->type == D2_CHAIN)
		chain_check(L, "scaled", shape->points, shape->count, shape->loop);
}

int d2_push_shape_scaled(lua_State *L, const struct d2_shape *shape)
{
	double scale[3];
	check_scale(L, 2, scale);
	check_fits(L, shape, scale);
	struct d2_shape *copy = NULL;
	struct memory *memory = d2_push_shape(L);
	const char *type = d2_shape_type_name(shape);
	switch (d2_shape_scaled(memory, shape, (struct d2_vec_d){scale[0], scale[1]}, &copy)) {
	case D2_SCALED_OK: break;
	case D2_SCALED_OUT_OF_MEMORY: raise_memory(L, "scaled");
	case D2_SCALED_UNEVEN:
		raise(L, "scaled: sx and sy must be the same, but for their signs, for a %s with a radius, got %f and %f", type,
			(lua_Number)scale[0], (lua_Number)scale[1]);
	case D2_SCALED_SHEARED:
		raise(L, "scaled: sx and sy must keep the axes of the %s at right angles, got %f and %f", type, (lua_Number)scale[0],
			(lua_Number)scale[1]);
	case D2_SCALED_FLAT:
		raise(L, "scaled: sx and sy leave the %s too flat, got %f and %f", type, (lua_Number)scale[0], (lua_Number)scale[1]);
	}
	d2_give_shape(L, copy, "scaled");
	check_copy(L, copy);
	return 1;
}

/* --- 3D ------------------------------------------------------------------------------------------------------------------- */

static bool is_solid(const struct d3_shape *shape)
{
	return d3_shape_convex(shape) && shape->type != D3_SEGMENT && shape->type != D3_TRIANGLE;
}

static void check_fits_space(lua_State *L, const struct d3_shape *shape, const double scale[3])
{
	double bounds[6];
	if (shape->type == D3_HALF_SPACE) {
		for (int i = 0; i < 6; ++i)
			bounds[i] = i < 3 ? -abs_d(shape->offset) : abs_d(shape->offset);
		check_bounds(L, 3, scale, bounds, false);
		return;
	}
	for (uint32_t i = 0; shape->compound && i < shape->compound->count; ++i)
		check_fits_space(L, shape->compound->children[i].shape, scale);
	d3_bounds(shape, &(struct d3_pose){.q = {0, 0, 0, 1}}, bounds);
	check_bounds(L, 3, scale, bounds, is_solid(shape));
}

static void check_ratio(lua_State *L, const struct d3_shape *shape)
{
	double least = min_f(shape->half.x, min_f(shape->half.y, shape->half.z));
	double most = max_f(shape->half.x, max_f(shape->half.y, shape->half.z));
	double flattest = shape->type == D3_ELLIPSOID ? D3_FLATTEST_ELLIPSOID : D3_FLATTEST_ROUND;
	if ((shape->type == D3_CYLINDER || shape->type == D3_CONE || shape->type == D3_ELLIPSOID) && most > flattest * least)
		raise(L, "scaled: sizes of a %s must stay within a factor of %f, but would be %f and %f", d3_shape_type_name(shape),
			(lua_Number)flattest, (lua_Number)least, (lua_Number)most);
}

static void check_copy_space(lua_State *L, const struct d3_shape *shape)
{
	const struct d3_height_field *terrain = shape->height_field;
	d3_shape_check_sizes(L, "scaled", shape);
	for (uint32_t i = 0; i < d3_shape_part_count(shape); ++i)
		check_ratio(L, d3_shape_part(shape, i));
	if (terrain && !(min_d(abs_d(terrain->cell_width), abs_d(terrain->cell_depth)) >= range_length.low))
		raise(L, "scaled: cells must be at least %f wide and deep, but would be %f and %f", range_length.low,
			(lua_Number)abs_d(terrain->cell_width), (lua_Number)abs_d(terrain->cell_depth));
}

int d3_push_shape_scaled(lua_State *L, const struct d3_shape *shape)
{
	double s[3];
	check_scale(L, 3, s);
	check_fits_space(L, shape, s);
	struct d3_shape *copy = NULL;
	struct memory *memory = d3_push_shape(L);
	const char *type = d3_shape_type_name(shape);
	switch (d3_shape_scaled(memory, shape, (struct d3_vec_d){s[0], s[1], s[2]}, &copy)) {
	case D3_SCALED_OK: break;
	case D3_SCALED_OUT_OF_MEMORY: raise_memory(L, "scaled");
	case D3_SCALED_UNEVEN:
		raise(L, "scaled: sx, sy and sz must be the same, but for their signs, for a %s with a radius, got %f, %f and %f", type,
			(lua_Number)s[0], (lua_Number)s[1], (lua_Number)s[2]);
	case D3_SCALED_SHEARED:
		raise(L, "scaled: sx, sy and sz must keep the axes of the %s at right angles and its ends round, got %f, %f and %f",
			type, (lua_Number)s[0], (lua_Number)s[1], (lua_Number)s[2]);
	case D3_SCALED_FLAT:
		raise(L, "scaled: sx, sy and sz leave the %s too flat, got %f, %f and %f", type, (lua_Number)s[0], (lua_Number)s[1],
			(lua_Number)s[2]);
	}
	d3_give_shape(L, copy, "scaled");
	check_copy_space(L, copy);
	return 1;
}
