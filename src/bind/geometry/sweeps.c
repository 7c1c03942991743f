/* sweeps.c - geometry on plain numbers, without shapes: sweeps, boxes, planes, closest points, sliding. One source for 2D and
 * 3D: upvalue 2 of each function is the number of axes, 2 or 3.
 * Nothing here creates garbage. */
#include "bind/geometry/toolbox.h"
#include "d2/query/obb.h"
#include "d3/query/closest_tetrahedron.h"
#include "d3/query/obb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Arguments, read in order --------------------------------------------------------------------------------------------- */

struct reader {
	lua_State *L;
	const char *function;
	int axes;
	int index; /* of the next argument */
};

static struct reader reader_begin(lua_State *L, const char *d2_name, const char *d3_name)
{
	int axes = lua_tointeger(L, lua_upvalueindex(2)) == 2 ? 2 : 3;
	return (struct reader){L, axes == 2 ? d2_name : d3_name, axes, 1};
}

/* Reads the next argument. Composes its name only for an error: "ax0" from "a", "x" and "0". */
static double read_part(
	struct reader *reader, const char *before, const char *name, const char *after, const struct range *range)
{
	int index = reader->index++;
	if (lua_type(reader->L, index) == LUA_TNUMBER) {
		double value = lua_tonumber(reader->L, index);
		if (value >= range->low && value <= range->high)
			return value;
	}
	char text[32];
	snprintf(text, sizeof text, "%s%s%s", before, name, after);
	return number_slow(reader->L, index, PATH(reader->function, text), range);
}

static double read_number(struct reader *reader, const char *name, const struct range *range)
{
	return read_part(reader, "", name, "", range);
}

static void read_point(struct reader *reader, const char *before, const char *after, double *out)
{
	for (int i = 0; i < reader->axes && i < AXES_MAX; ++i)
		out[i] = read_part(reader, before, point_names[i], after, &range_position);
}

/* Reads full sizes, and halves them. 0 is allowed: boxes may be flat. */
static void read_sizes(struct reader *reader, const char *before, double *half)
{
	static const char *const long_names[] = {"width", "height", "depth"}, *const short_names[] = {"w", "h", "d"};
	for (int i = 0; i < reader->axes && i < AXES_MAX; ++i)
		half[i] = read_part(reader, before, before[0] ? short_names[i] : long_names[i], "", &range_radius) / 2;
}

/* Reads a normal of any nonzero length, and makes it a unit vector. */
static void read_normal(struct reader *reader, double *out)
{
	double normal[AXES_MAX] = {0};
	read_point(reader, "n", "", normal);
	if (!axes_normalize(reader->axes, normal, out))
		raise_error(
			reader->L, "%s: the normal %s must not be zero", reader->function, reader->axes == 2 ? "nx, ny" : "nx, ny, nz");
}

static void d2_read_transform(struct reader *reader, const char *before, struct obb *box)
{
	struct d2_pose pose;
	char text[32];
	if (lua_type(reader->L, reader->index) == LUA_TNUMBER) {
		pose.x = read_part(reader, before, "x", "", &range_position);
		pose.y = read_part(reader, before, "y", "", &range_position);
		double angle = 0;
		if (lua_isnoneornil(reader->L, reader->index))
			++reader->index;
		else
			angle = read_part(reader, before, "angle", "", &range_angle);
		pose.q = rotation_from(angle);
	} else {
		snprintf(text, sizeof text, "%s%s", before, "pose");
		pose = d2_check_pose(reader->L, reader->index++, reader->function, text);
	}
	d2_obb_set_pose(box, &pose);
}

static void d3_read_transform(struct reader *reader, const char *before, struct obb *box)
{
	static const char *const names[] = {"qx", "qy", "qz", "qw"};
	double position[3] = {0}, quaternion[4] = {0, 0, 0, 1};
	if (lua_type(reader->L, reader->index) != LUA_TNUMBER) {
		char text[32];
		snprintf(text, sizeof text, "%s%s", before, "pose");
		struct d3_pose pose = d3_check_pose(reader->L, reader->index++, reader->function, text);
		memcpy(position, (double[3]){pose.x, pose.y, pose.z}, sizeof position);
		memcpy(quaternion, (double[4]){pose.q.x, pose.q.y, pose.q.z, pose.q.w}, sizeof quaternion);
	} else {
		read_point(reader, before, "", position);
		bool turned = !lua_isnoneornil(reader->L, reader->index);
		for (int i = 0; i < 4 && turned; ++i)
			quaternion[i] = read_part(reader, before, names[i], "", &range_position);
		if (!turned)
			reader->index += 4;
	}
	if (!d3_obb_set_pose(box, position, quaternion))
		raise_error(reader->L, "%s: the quaternion %sqx, %sqy, %sqz, %sqw must not be zero", reader->function, before, before,
			before, before);
}

/* Reads sizes and a transform: a pose, or in 2D x, y and an angle, in 3D x, y, z and a quaternion. A pose nil is the identity;
 * an angle or quaternion nil is no rotation. */
static void read_box(struct reader *reader, const char *before, struct obb *box)
{
	read_sizes(reader, before, box->half);
	if (reader->axes == 2)
		d2_read_transform(reader, before, box);
	else
		d3_read_transform(reader, before, box);
}

static int push_miss(lua_State *L)
{
	lua_pushboolean(L, 0);
	return 1;
}

static int push_points(const struct reader *reader, const double *a, const double *b)
{
	push_numbers(reader->L, reader->axes, a);
	push_numbers(reader->L, reader->axes, b);
	return 2 * reader->axes;
}

/* --- Sweeps --------------------------------------------------------------------------------------------------------------- */

static int push_sweep(const struct reader *reader, const struct axes_sweep *sweep)
{
	lua_pushboolean(reader->L, 1);
	lua_pushnumber(reader->L, sweep->first);
	lua_pushnumber(reader->L, sweep->last);
	return 3 + push_numbers(reader->L, reader->axes, sweep->normal);
}

static int sphere_sphere_sweep(lua_State *L)
{
	struct reader reader = reader_begin(L, "circleCircleSweep", "sphereSphereSweep");
	double a0[3] = {0}, a1[3] = {0}, b0[3] = {0}, b1[3] = {0};
	struct axes_sweep sweep;
	read_point(&reader, "a", "0", a0);
	read_point(&reader, "a", "1", a1);
	double radius_a = read_number(&reader, "ra", &range_radius);
	read_point(&reader, "b", "0", b0);
	read_point(&reader, "b", "1", b1);
	double radius_b = read_number(&reader, "rb", &range_radius);
	if (!axes_sphere_sweep(reader.axes, a0, a1, radius_a, b0, b1, radius_b, &sweep))
		return push_miss(L);
	return push_sweep(&reader, &sweep);
}

static int box_box_sweep(lua_State *L)
{
	struct reader reader = reader_begin(L, "boxBoxSweep", "boxBoxSweep");
	double a0[3] = {0}, a1[3] = {0}, half_a[3] = {0}, b0[3] = {0}, b1[3] = {0}, half_b[3] = {0};
	struct axes_sweep sweep;
	read_point(&reader, "a", "0", a0);
	read_point(&reader, "a", "1", a1);
	read_sizes(&reader, "a", half_a);
	read_point(&reader, "b", "0", b0);
	read_point(&reader, "b", "1", b1);
	read_sizes(&reader, "b", half_b);
	if (!axes_box_sweep(reader.axes, a0, a1, half_a, b0, b1, half_b, &sweep))
		return push_miss(L);
	return push_sweep(&reader, &sweep);
}

static int plane_sweep(struct reader reader, bool half_space)
{
	double c0[3] = {0}, c1[3] = {0}, normal[3] = {0};
	struct axes_plane_hit hit;
	read_point(&reader, "", "0", c0);
	read_point(&reader, "", "1", c1);
	double radius = read_number(&reader, "radius", &range_radius);
	read_normal(&reader, normal);
	double offset = read_number(&reader, "offset", &range_position);
	if (!axes_plane_sweep(reader.axes, c0, c1, radius, normal, offset, half_space, &hit))
		return push_miss(reader.L);
	lua_pushboolean(reader.L, 1);
	lua_pushnumber(reader.L, hit.fraction);
	return 2 + push_points(&reader, hit.normal, hit.center);
}

static int sphere_plane_sweep(lua_State *L)
{
	return plane_sweep(reader_begin(L, "circlePlaneSweep", "spherePlaneSweep"), false);
}

static int sphere_half_space_sweep(lua_State *L)
{
	return plane_sweep(reader_begin(L, "circleHalfPlaneSweep", "sphereHalfSpaceSweep"), true);
}

static int quadratic(lua_State *L)
{
	double roots[2];
	double a = arg_number(L, 1, "quadratic", "a", &range_any), b = arg_number(L, 2, "quadratic", "b", &range_any);
	return push_numbers(L, axes_quadratic(a, b, arg_number(L, 3, "quadratic", "c", &range_any), roots), roots);
}

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

static int sphere_box_overlap(lua_State *L)
{
	struct reader reader = reader_begin(L, "circleBoxOverlap", "sphereBoxOverlap");
	double center[3] = {0}, closest[3] = {0};
	struct obb box;
	read_point(&reader, "c", "", center);
	double radius = read_number(&reader, "radius", &range_radius);
	read_box(&reader, "", &box);
	double distance_squared = obb_distance_squared(reader.axes, &box, center, closest);
	lua_pushboolean(L, distance_squared <= radius * radius);
	lua_pushnumber(L, distance_squared);
	return 2 + push_numbers(L, reader.axes, closest);
}

static int box_signed_distance(lua_State *L)
{
	struct reader reader = reader_begin(L, "boxSignedDistance", "boxSignedDistance");
	double point[3] = {0}, closest[3] = {0}, normal[3] = {0};
	struct obb box;
	read_point(&reader, "p", "", point);
	read_box(&reader, "", &box);
	lua_pushnumber(L, obb_signed_distance(reader.axes, &box, point, closest, normal));
	return 1 + push_points(&reader, normal, closest);
}

static int push_overlap(lua_State *L, int axis)
{
	lua_pushboolean(L, axis == 0);
	if (axis == 0)
		return 1;
	lua_pushinteger(L, axis);
	return 2;
}

static int box_box_overlap(lua_State *L)
{
	struct reader reader = reader_begin(L, "boxBoxOverlap", "boxBoxOverlap");
	struct obb a, b;
	read_box(&reader, "a", &a);
	read_box(&reader, "b", &b);
	return push_overlap(L, reader.axes == 2 ? obb_separating_face(2, &a, &b) : d3_obb_separating_axis(&a, &b));
}

static int box_segment_overlap(lua_State *L)
{
	struct reader reader = reader_begin(L, "boxSegmentOverlap", "boxSegmentOverlap");
	struct obb box;
	double from[3] = {0}, to[3] = {0};
	read_box(&reader, "", &box);
	read_point(&reader, "", "1", from);
	read_point(&reader, "", "2", to);
	return push_overlap(L, reader.axes == 2 ? d2_obb_segment_axis(&box, from, to) : d3_obb_segment_axis(&box, from, to));
}

static int box_plane(lua_State *L)
{
	struct reader reader = reader_begin(L, "boxPlane", "boxPlane");
	struct obb box;
	double normal[3] = {0};
	read_box(&reader, "", &box);
	read_normal(&reader, normal);
	double distance = axes_dot(reader.axes, normal, box.center) - read_number(&reader, "offset", &range_position);
	double radius = obb_radius(reader.axes, &box, normal);
	lua_pushboolean(L, abs_d(distance) <= radius);
	lua_pushnumber(L, distance);
	lua_pushnumber(L, radius);
	return 3;
}

static int box_bounds(lua_State *L)
{
	struct reader reader = reader_begin(L, "boxBounds", "boxBounds");
	struct obb box;
	double half[3] = {0}, lower[3], upper[3];
	read_box(&reader, "", &box);
	obb_bounds(reader.axes, &box, half);
	for (int i = 0; i < reader.axes; ++i) {
		lower[i] = box.center[i] - half[i];
		upper[i] = box.center[i] + half[i];
	}
	return push_points(&reader, lower, upper);
}

static int projection_radius(lua_State *L)
{
	struct reader reader = reader_begin(L, "projectionRadius", "projectionRadius");
	struct obb box;
	double direction[3] = {0};
	read_box(&reader, "", &box);
	read_point(&reader, "l", "", direction);
	lua_pushnumber(L, obb_radius(reader.axes, &box, direction));
	return 1;
}

static int swept_bounds(lua_State *L)
{
	struct reader reader = reader_begin(L, "sweptBounds", "sweptBounds");
	struct obb box;
	double motion[3] = {0}, lower[3] = {0}, upper[3] = {0};
	read_box(&reader, "", &box);
	read_point(&reader, "d", "", motion);
	double angle = lua_isnoneornil(L, reader.index) ? (++reader.index, 0) : read_number(&reader, "turn", &range_angle);
	double radius = lua_isnoneornil(L, reader.index) ? INFINITY : read_number(&reader, "radius", &range_radius);
	obb_swept_bounds(reader.axes, &box, motion, angle, radius, lower, upper);
	return push_points(&reader, lower, upper);
}

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

static int build_aabb(lua_State *L)
{
	struct reader reader = reader_begin(L, "buildAabb", "buildAabb");
	double lower[3] = {0}, upper[3] = {0};
	uint32_t count = value_list(L, 1, PATH("buildAabb", "points"));
	if (count == 0 || count % (uint32_t)reader.axes)
		raise_error(L, "buildAabb: points must be a flat list %s of at least one point, got %d numbers",
			reader.axes == 2 ? "{x1, y1, ...}" : "{x1, y1, z1, ...}", (int)count);
	for (int i = 0; i < reader.axes; ++i) {
		lower[i] = INFINITY;
		upper[i] = -INFINITY;
	}
	for (uint32_t n = 0; n < count; ++n) {
		struct path path = {"buildAabb", NULL, 0, "points", (int)n + 1};
		lua_rawgeti(L, 1, (int)n + 1);
		double value = value_number(L, -1, &path, &range_position);
		lua_pop(L, 1);
		lower[n % (uint32_t)reader.axes] = min_d(lower[n % (uint32_t)reader.axes], value);
		upper[n % (uint32_t)reader.axes] = max_d(upper[n % (uint32_t)reader.axes], value);
	}
	return push_points(&reader, lower, upper);
}

static void read_aabb(struct reader *reader, const char *before, double *lower, double *upper)
{
	read_point(reader, before, "1", lower);
	read_point(reader, before, "2", upper);
	for (int i = 0; i < reader->axes; ++i)
		if (lower[i] > upper[i])
			raise_error(reader->L, "%s: %s%s2 must be >= %s%s1, got %f and %f", reader->function, before, point_names[i],
				before, point_names[i], upper[i], lower[i]);
}

static int combine_aabbs(lua_State *L)
{
	struct reader reader = reader_begin(L, "combineAabbs", "combineAabbs");
	double lower[3] = {0}, upper[3] = {0}, other_lower[3] = {0}, other_upper[3] = {0};
	read_aabb(&reader, "a", lower, upper);
	read_aabb(&reader, "b", other_lower, other_upper);
	for (int i = 0; i < reader.axes; ++i) {
		lower[i] = min_d(lower[i], other_lower[i]);
		upper[i] = max_d(upper[i], other_upper[i]);
	}
	return push_points(&reader, lower, upper);
}

/* --- Points and planes ---------------------------------------------------------------------------------------------------- */

static int plane_from_points(lua_State *L)
{
	struct reader reader = reader_begin(L, "planeFromPoints", "planeFromPoints");
	double points[3][3] = {0}, normal[3] = {0}, offset;
	static const char *const numbers[] = {"1", "2", "3"};
	for (int i = 0; i < reader.axes; ++i)
		read_point(&reader, "", numbers[i], points[i]);
	bool found = reader.axes == 2 ? d2_plane_from_points(points[0], points[1], normal, &offset)
								  : d3_plane_from_points(points[0], points[1], points[2], normal, &offset);
	if (!found)
		raise_error(L, "planeFromPoints: the points must not %s", reader.axes == 2 ? "be the same" : "lie on a line");
	push_numbers(L, reader.axes, normal);
	lua_pushnumber(L, offset);
	return reader.axes + 1;
}

/* Reads the point p, then the first `count` of the corners a, b, c, d. */
static void read_corners(struct reader *reader, double *p, int count, double corners[][3])
{
	static const char *const names[] = {"a", "b", "c", "d"};
	read_point(reader, "p", "", p);
	for (int i = 0; i < count; ++i)
		read_point(reader, names[i], "", corners[i]);
}

static int push_closest(const struct reader *reader, const double *closest, int count, const double *weights)
{
	push_numbers(reader->L, reader->axes, closest);
	return reader->axes + push_numbers(reader->L, count, weights);
}

static int closest_point_on_segment(lua_State *L)
{
	struct reader reader = reader_begin(L, "closestPointOnSegment", "closestPointOnSegment");
	double p[3] = {0}, corners[2][3], closest[3] = {0}, weights[2];
	read_corners(&reader, p, 2, corners);
	axes_closest_on_segment(reader.axes, p, corners[0], corners[1], closest, weights);
	return push_closest(&reader, closest, 2, weights);
}

static int closest_point_on_triangle(lua_State *L)
{
	struct reader reader = reader_begin(L, "closestPointOnTriangle", "closestPointOnTriangle");
	double p[3] = {0}, corners[3][3] = {0}, closest[3] = {0}, weights[3] = {0};
	read_corners(&reader, p, 3, corners);
	axes_closest_on_triangle(reader.axes, p, corners[0], corners[1], corners[2], closest, weights);
	return push_closest(&reader, closest, 3, weights);
}

static int closest_point_on_tetrahedron(lua_State *L)
{
	struct reader reader = reader_begin(L, "closestPointOnTetrahedron", "closestPointOnTetrahedron");
	double p[3] = {0}, corners[4][3], closest[3] = {0}, weights[4];
	read_corners(&reader, p, 4, corners);
	const double *const pointers[4] = {corners[0], corners[1], corners[2], corners[3]};
	d3_closest_on_tetrahedron(p, pointers, closest, weights);
	return push_closest(&reader, closest, 4, weights);
}

/* --- Sliding -------------------------------------------------------------------------------------------------------------- */

struct slide_call {
	lua_State *L;
	int axes;
	int function; /* stack index of the script's function `cast` */
};

/* The axes_slide_cast of `slide`: calls the script's cast(x, y, [z,] dx, dy, [dz]) -> hit, t, nx, ny [, nz]. Errors of the
 * script are not caught: no resource is held. */
static int slide_cast(void *context, const double *from, const double *motion, double *fraction, double *normal)
{
	static const struct range range_fraction = {0, 1, ">= 0"};
	static const char *const names[] = {"nx of what cast returns", "ny of what cast returns", "nz of what cast returns"};
	const struct slide_call *call = context;
	lua_State *L = call->L;
	int top = lua_gettop(L);
	lua_pushvalue(L, call->function);
	push_numbers(L, call->axes, from);
	push_numbers(L, call->axes, motion);
	lua_call(L, 2 * call->axes, 2 + call->axes);
	int hit = lua_toboolean(L, top + 1);
	if (hit) {
		*fraction = arg_number(L, top + 2, "slide", "t of what cast returns", &range_fraction);
		arg_numbers(L, top + 3, "slide", names, call->axes, &range_position, normal);
		if (!axes_normalize(call->axes, normal, normal))
			raise_error(L, "slide: the normal that cast returns must not be zero");
	}
	lua_settop(L, top);
	return hit;
}

struct slide_options check_slide_options(lua_State *L, int index, const char *function)
{
	static const struct range range_iterations = {1, 64, NULL};
	static const struct option_member fields[] = {
		{"skin", FIELD_NUMBER, offsetof(struct slide_options, skin), &range_length},
		{"iterations", FIELD_INTEGER, offsetof(struct slide_options, iterations), &range_iterations},
	};
	struct slide_options out = {0.01, 8};
	fields_read(L, index, PATH(function, "options"), fields, LENGTH(fields), &out);
	return out;
}

int push_slide(lua_State *L, int axes, const struct axes_slide *slide)
{
	push_numbers(L, axes, slide->position);
	lua_pushinteger(L, (lua_Integer)slide->iterations);
	lua_pushinteger(L, (lua_Integer)slide->planes);
	return axes + 2;
}

static int slide(lua_State *L)
{
	struct reader reader = reader_begin(L, "slide", "slide");
	struct axes_slide result;
	double motion[3] = {0};
	read_point(&reader, "p", "", result.position);
	read_point(&reader, "d", "", motion);
	int function = reader.index;
	lua_settop(L, function + 1);
	if (!lua_isfunction(L, function))
		raise_value(L, function, PATH("slide", "cast"), "be a function");
	struct slide_options options = check_slide_options(L, function + 1, "slide");
	luaL_checkstack(L, 16, "slide");
	struct slide_call call = {L, reader.axes, function};
	axes_slide_move(reader.axes, &result, motion, options.skin, options.iterations, slide_cast, &call);
	return push_slide(L, reader.axes, &result);
}

/* --- Registration --------------------------------------------------------------------------------------------------------- */

/* The names of each function in 2D and in 3D; NULL: that dimension does not have it. */
static const struct {
	const char *d2_name, *d3_name;
	lua_CFunction function;
} functions[] = {
	{"boxBoxSweep", "boxBoxSweep", box_box_sweep},
	{"circleCircleSweep", "sphereSphereSweep", sphere_sphere_sweep},
	{"circlePlaneSweep", "spherePlaneSweep", sphere_plane_sweep},
	{"circleHalfPlaneSweep", "sphereHalfSpaceSweep", sphere_half_space_sweep},
	{"quadratic", "quadratic", quadratic},
	{"circleBoxOverlap", "sphereBoxOverlap", sphere_box_overlap},
	{"boxSignedDistance", "boxSignedDistance", box_signed_distance},
	{"boxBoxOverlap", "boxBoxOverlap", box_box_overlap},
	{"boxSegmentOverlap", "boxSegmentOverlap", box_segment_overlap},
	{"boxPlane", "boxPlane", box_plane},
	{"boxBounds", "boxBounds", box_bounds},
	{"projectionRadius", "projectionRadius", projection_radius},
	{"sweptBounds", "sweptBounds", swept_bounds},
	{"buildAabb", "buildAabb", build_aabb},
	{"combineAabbs", "combineAabbs", combine_aabbs},
	{"planeFromPoints", "planeFromPoints", plane_from_points},
	{"closestPointOnSegment", "closestPointOnSegment", closest_point_on_segment},
	{"closestPointOnTriangle", "closestPointOnTriangle", closest_point_on_triangle},
	{NULL, "closestPointOnTetrahedron", closest_point_on_tetrahedron},
	{"slide", "slide", slide},
	{"heightmap", "heightmap", make_heightmap},
};

void sweeps_register(lua_State *L, int shared, int axes)
{
	for (size_t i = 0; i < LENGTH(functions); ++i) {
		const char *name = axes == 2 ? functions[i].d2_name : functions[i].d3_name;
		if (name == NULL)
			continue;
		lua_pushvalue(L, shared);
		lua_pushinteger(L, axes);
		lua_pushcclosure(L, functions[i].function, 2);
		lua_setfield(L, -2, name);
	}
}
