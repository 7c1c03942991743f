/* toolbox_wing.h - functions on shapes alone whose source is the same in 2D and 3D. d2_toolbox.c and d3_toolbox.c include it
 * after they have defined the differences: the macros from POINT to FEATURE; is_convex; SUPPORT_POINTS; names of a point's
 * components; the type of the Minkowski functions; and functions that rotate vectors, make proxies, and convert EPA's polytopes
 * and SAT's axes.
 * Functions that return numbers create no garbage. */
#pragma once
#include "bind/geometry/wing.h"

/* --- Arguments ------------------------------------------------------------------------------------------------------------ */

struct operand {
	const struct WING(shape) * shape;
	struct WING(pose) pose;
};

static struct operand check_operand(lua_State *L, int index, const char *function, const char *shape, const char *pose)
{
	const struct WING(shape) *found = WING(check_shape)(L, index, function, shape);
	return (struct operand){found, WING(check_pose)(L, index + 1, function, pose)};
}

/* Reads the arguments a, poseA, b, poseB. */
static void check_operands(lua_State *L, const char *function, struct operand *a, struct operand *b)
{
	*a = check_operand(L, 1, function, "a", "poseA");
	*b = check_operand(L, 3, function, "b", "poseB");
}

/* Reads the arguments a, poseA, dx, dy (, dz), b, poseB. */
static struct WING(vec_d) check_moving_operands(lua_State *L, const char *function, struct operand *a, struct operand *b)
{
	*a = check_operand(L, 1, function, "a", "poseA");
	struct WING(vec_d) delta = check_vector(L, 3, function, delta_names);
	*b = check_operand(L, 3 + AXES, function, "b", "poseB");
	return delta;
}

static void check_bounded(lua_State *L, int index, const char *function, const char *name, const struct WING(shape) * shape)
{
	if (shape->type == HALF_TYPE)
		raise_value(L, index, PATH(function, name), "be a shape with an end, not a " HALF_NAME);
}

/* --- Distance ------------------------------------------------------------------------------------------------------------- */

static int distance(lua_State *L)
{
	struct operand a, b;
	struct WING(distance) measure;
	check_operands(L, "distance", &a, &b);
	WING(distance)(a.shape, &a.pose, b.shape, &b.pose, &measure);
	lua_pushnumber(L, measure.distance);
	push_vector(L, measure.normal);
	push_vector(L, measure.a);
	push_vector(L, measure.b);
	lua_pushinteger(L, FEATURE(measure.feature_a));
	lua_pushinteger(L, FEATURE(measure.feature_b));
	return 3 + 3 * AXES;
}

static void push_manifold(lua_State *L, const struct WING(world_manifold) * contact)
{
	lua_createtable(L, contact->count, AXES);
	set_vector(L, normal_names, contact->normal);
	for (int i = 0; i < contact->count; ++i) {
		const struct WING(world_point) *point = &contact->points[i];
		lua_createtable(L, 0, AXES + 2);
		set_vector(L, point_names, point->p);
		set_number(L, "separation", point->separation);
		set_integer(L, "id", (lua_Integer)point->id);
		lua_rawseti(L, -2, i + 1);
	}
}

static int manifold(lua_State *L)
{
	struct operand a, b;
	struct WING(world_manifold) contacts[MANIFOLDS];
	check_operands(L, "manifold", &a, &b);
	int count = WING(world_manifolds)(a.shape, &a.pose, b.shape, &b.pose, contacts);
	for (int i = 0; i < count; ++i)
		push_manifold(L, &contacts[i]);
	if (count == 0)
		lua_pushnil(L);
	return count > 0 ? count : 1;
}

static int overlaps(lua_State *L)
{
	struct operand a, b;
	check_operands(L, "overlaps", &a, &b);
	lua_pushboolean(L, WING(overlaps)(a.shape, &a.pose, b.shape, &b.pose));
	return 1;
}

static int closest_point(lua_State *L)
{
	struct operand a = check_operand(L, 1, "closestPoint", "shape", "pose");
	struct WING(vec_d) point = check_vector(L, 3, "closestPoint", point_names);
	struct WING(distance) measure;
	WING(distance_to_point)(a.shape, &a.pose, POINT(point), &measure);
	push_vector(L, measure.a);
	lua_pushnumber(L, measure.distance);
	push_vector(L, measure.normal);
	return 1 + 2 * AXES;
}

static int contains_point(lua_State *L)
{
	struct operand a = check_operand(L, 1, "containsPoint", "shape", "pose");
	struct WING(vec_d) point = check_vector(L, 3, "containsPoint", point_names);
	lua_pushboolean(L, WING(shape_contains)(a.shape, &a.pose, POINT(point)));
	return 1;
}

/* --- Casts ---------------------------------------------------------------------------------------------------------------- */

/* Casts A against B. Pushes hit, t, and the normal and point of a hit, else nils. */
static struct WING(cast_result) push_cast(lua_State *L, const char *function, enum WING(cast_method) method)
{
	struct operand a, b;
	struct WING(vec_d) delta = check_moving_operands(L, function, &a, &b);
	struct WING(cast_result) result;
	WING(cast)(a.shape, &a.pose, delta, b.shape, &b.pose, method, &result);
	lua_pushboolean(L, result.hit);
	lua_pushnumber(L, result.t);
	if (result.hit) {
		push_vector(L, result.normal);
		push_vector(L, POINT_OF(&result));
	} else {
		push_nils(L, 2 * AXES);
	}
	return result;
}

static int raycast(lua_State *L)
{
	struct operand a = check_operand(L, 1, "raycast", "shape", "pose");
	struct WING(vec_d) from = check_vector(L, 3, "raycast", from_names), to = check_vector(L, 3 + AXES, "raycast", to_names);
	struct WING(vec_d) delta = WING(sub_d)(to, from);
	struct WING(ray_hit_d) hit;
	if (!WING(shape_ray_d)(a.shape, &a.pose, POINT(from), POINT(delta), &hit)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushnumber(L, hit.fraction);
	push_vector(L, POINT_OF(&hit));
	push_vector(L, hit.normal);
	return 1 + 2 * AXES + push_part(L, a.shape, &hit);
}

static int cast(lua_State *L)
{
	struct WING(cast_result) result = push_cast(L, "cast", CONSTANT(CAST_EXACT));
	if (result.left)
		lua_pushnumber(L, result.leave);
	else
		lua_pushnil(L);
	return 3 + 2 * AXES;
}

static int gjk_cast(lua_State *L)
{
	lua_pushinteger(L, push_cast(L, "gjkCast", CONSTANT(CAST_GJK)).iterations);
	return 3 + 2 * AXES;
}

struct journey {
	const struct WING(shape) * shape;
	struct WING(pose) from, to;
};

static struct journey check_journey(
	lua_State *L, int index, const char *function, const char *shape, const char *from, const char *to)
{
	const struct WING(shape) *found = WING(check_shape)(L, index, function, shape);
	struct WING(pose) pose0 = WING(check_pose)(L, index + 1, function, from),
					  pose1 = WING(check_pose)(L, index + 2, function, to);
	return (struct journey){found, pose0, pose1};
}

/* Computes the time of impact. Pushes state, t, normal, point. steps: room for the iterations, or NULL. */
static struct WING(impact_result) push_impact(lua_State *L, const char *function, struct WING(impact_step) * steps, int *count)
{
	struct journey a = check_journey(L, 1, function, "a", "poseA0", "poseA1");
	struct journey b = check_journey(L, 4, function, "b", "poseB0", "poseB1");
	struct WING(impact_result) result;
	WING(shapes_time_of_impact)(a.shape, &a.from, &a.to, b.shape, &b.from, &b.to, &result, steps, count);
	push_impact_state(L, (int)result.state);
	lua_pushnumber(L, result.t);
	push_vector(L, result.normal);
	push_vector(L, POINT_OF(&result));
	return result;
}

static int time_of_impact(lua_State *L)
{
	push_impact(L, "timeOfImpact", NULL, NULL);
	return 2 + 2 * AXES;
}

static int conservative_advancement(lua_State *L)
{
	struct WING(impact_step) *steps = NULL;
	int count = 0;
	if (check_steps(L, 7, "conservativeAdvancement"))
		steps = userdata_create(L, CONSTANT(IMPACT_ITERATIONS) * sizeof *steps);
	lua_pushinteger(L, push_impact(L, "conservativeAdvancement", steps, &count).iterations);
	if (!steps)
		return 3 + 2 * AXES;
	lua_createtable(L, count, 0);
	for (int i = 0; i < count; ++i) {
		lua_createtable(L, 0, AXES + 2);
		set_number(L, "t", steps[i].t);
		set_number(L, "distance", steps[i].distance);
		set_vector(L, normal_names, steps[i].normal);
		lua_rawseti(L, -2, i + 1);
	}
	return 4 + 2 * AXES;
}

static int bisection(lua_State *L)
{
	static const struct range range_tolerance = {1e-12, 1e7, "> 0"};
	enum { TOLERANCE = 5 + AXES };
	struct operand a, b;
	struct WING(vec_d) delta = check_moving_operands(L, "bisection", &a, &b);
	check_bounded(L, 1, "bisection", "a", a.shape);
	check_bounded(L, 3 + AXES, "bisection", "b", b.shape);
	double tolerance =
		lua_isnoneornil(L, TOLERANCE) ? 1e-6 : arg_number(L, TOLERANCE, "bisection", "tolerance", &range_tolerance);
	struct axes_bisection result;
	WING(bisect)(a.shape, &a.pose, delta, b.shape, &b.pose, tolerance, &result);
	lua_pushboolean(L, result.hit);
	lua_pushnumber(L, result.t);
	lua_pushinteger(L, result.iterations);
	return 3;
}

/* --- One shape ------------------------------------------------------------------------------------------------------------ */

static int push_support(lua_State *L, const char *function, int most)
{
	struct operand a = check_operand(L, 1, function, "shape", "pose");
	check_bounded(L, 1, function, "shape", a.shape);
	struct WING(vec_d) points[SUPPORT_POINTS], delta;
	check_direction(L, 3, function, AXES, &delta.x);
	int count = WING(support_points)(a.shape, &a.pose, delta, points);
	count = count < most ? count : most;
	luaL_checkstack(L, AXES * count, function);
	for (int i = 0; i < count; ++i)
		push_vector(L, points[i]);
	return AXES * count;
}

static int support(lua_State *L)
{
	return push_support(L, "support", 1);
}

static int support_vertices(lua_State *L)
{
	return push_support(L, "supportVertices", SUPPORT_POINTS);
}

static int aabb(lua_State *L)
{
	struct operand a = check_operand(L, 1, "aabb", "shape", "pose");
	double bounds[2 * AXES];
	WING(bounds)(a.shape, &a.pose, bounds);
	return push_numbers(L, 2 * AXES, bounds);
}

/* Pushes the shape's greatest distance from a centre of rotation, by default the origin. */
static int bounding_radius(lua_State *L)
{
	const struct WING(shape) *shape = WING(check_shape)(L, 1, "boundingRadius", "shape");
	struct WING(vec_d) center = {0};
	float least, most;
	check_bounded(L, 1, "boundingRadius", "shape", shape);
	if (!lua_isnoneornil(L, 2))
		center = check_vector(L, 2, "boundingRadius", point_names);
	WING(shape_extents)(shape, WING(narrow)(center), &least, &most);
	lua_pushnumber(L, most);
	return 1;
}

static int mass(lua_State *L)
{
	return WING(push_shape_mass)(L, WING(check_shape)(L, 1, "mass", "shape"), "mass");
}

/* Pushes a copy of the shape, moved by the pose. Raises unless the copy is a shape that its own constructor would accept. */
static int transform(lua_State *L)
{
	struct operand a = check_operand(L, 1, "transform", "shape", "pose");
	struct WING(shape) *shape = NULL;
	WING(check_reach)(L, "transform", a.shape, &a.pose);
	struct memory *memory = WING(push_shape)(L);
	enum WING(hull_result) result = WING(shape_moved)(memory, a.shape, &a.pose, &shape);
	if (result != CONSTANT(HULL_OK) && result != CONSTANT(HULL_OUT_OF_MEMORY))
		raise_error(L, "transform: the points are so far out that they lie " FLAT);
	WING(give_shape)(L, shape, "transform");
	WING(check_sizes)(L, "transform", shape);
	return 1;
}

static bool operand_overlaps_box(void *context, const struct box_d *box)
{
	const struct operand *a = context;
	return WING(shape_overlaps_box)(a->shape, &a->pose, box);
}

bool WING(index_query)(lua_State *L, struct index *index)
{
	struct operand a = check_operand(L, 2, "queryShape", "shape", "pose");
	check_into(L, 4, "queryShape");
	struct box_d reach = WING(shape_reach)(a.shape, &a.pose);
	return index_query_box(index, &reach, operand_overlaps_box, &a);
}

/* --- Algorithms ----------------------------------------------------------------------------------------------------------- */

/* Two convex operands and their proxies. check_ordered puts the proxies in an order that does not depend on which operand is A:
 * so exchanging A and B exchanges the results bit by bit. */
struct pair {
	struct operand a, b;
	struct WING(proxy) first, second;
	struct WING(transform_d) second_in_first;
	struct WING(transform_d) in_world; /* the first proxy's frame */
	double sign; /* 1, or -1 if B is first: a direction from first to second, times this, is from A to B */
};

typedef void check_function(lua_State *L, int index, const char *function, const char *name, const struct WING(shape) * shape,
	struct WING(proxy) * out);

/* As check_convex, but also raises unless the shape is the hull of points, widened by its radius. */
static void check_corners(
	lua_State *L, int index, const char *function, const char *name, const struct WING(shape) * shape, struct WING(proxy) * out)
{
	check_convex(L, index, function, name, shape, out);
	if (out->type != CONSTANT(PROXY_POINTS))
		raise_value(L, index, PATH(function, name), HAVE_CORNERS);
}

/* Reads the arguments a, poseA, b, poseB. A becomes the pair's first proxy, B the second; check_ordered may exchange them. */
static void check_pair(lua_State *L, const char *function, check_function *check, struct pair *out)
{
	check_operands(L, function, &out->a, &out->b);
	check_bounded(L, 1, function, "a", out->a.shape);
	check(L, 1, function, "a", out->a.shape, &out->first);
	check_bounded(L, 3, function, "b", out->b.shape);
	check(L, 3, function, "b", out->b.shape, &out->second);
	out->second_in_first = WING(pair_relative)(&out->a.pose, &out->b.pose);
	out->in_world = frame_of(&out->a.pose);
	out->sign = 1;
}

static void check_ordered(lua_State *L, const char *function, check_function *check, struct pair *out)
{
	check_pair(L, function, check, out);
	struct WING(pair) order = WING(pair_order)(out->a.shape, &out->a.pose, out->b.shape, &out->b.pose);
	if (!order.swapped)
		return;
	struct WING(proxy) first = out->first;
	out->first = out->second;
	out->second = first;
	out->second_in_first = WING(pair_relative)(order.pose_a, order.pose_b);
	out->in_world = frame_of(order.pose_a);
	out->sign = -1;
}

static struct WING(vec_d) pair_direction(const struct pair *pair, struct WING(vec_d) v)
{
	return WING(scale_d)(pair->sign, turn(&pair->in_world, v));
}

/* Sets the fields of a point of A and one of B, in the world. The arguments are points of the first and the second proxy, in
 * the first one's frame. */
static void set_points(lua_State *L, const struct pair *pair, struct WING(vec_d) first, struct WING(vec_d) second)
{
	bool swapped = pair->sign < 0;
	set_vector(L, a_names, WING(transform_point_d)(&pair->in_world, swapped ? second : first));
	set_vector(L, b_names, WING(transform_point_d)(&pair->in_world, swapped ? first : second));
}

/* Pushes a simplex as a list of its vertices. */
static void push_simplex(lua_State *L, const struct WING(simplex) * s, const struct pair *pair)
{
	double weights[AXES + 1];
	simplex_weights(s, weights);
	lua_createtable(L, s->count, 0);
	for (int i = 0; i < s->count; ++i) {
		lua_createtable(L, 0, 3 * AXES + 1);
		set_points(L, pair, s->v[i].a, s->v[i].b);
		set_vector(L, point_names, pair_direction(pair, s->v[i].w));
		set_number(L, "weight", weights[i]);
		lua_rawseti(L, -2, i + 1);
	}
}

static void set_separation(lua_State *L, const struct WING(separation) * separation, const struct pair *pair)
{
	set_vector(L, normal_names, pair_direction(pair, separation->normal));
	set_points(L, pair, separation->point_a, separation->point_b);
	set_integer(L, "iterations", separation->iterations);
}

static int gjk(lua_State *L)
{
	struct pair pair;
	check_ordered(L, "gjk", check_convex, &pair);
	bool steps = check_steps(L, 5, "gjk");
	struct WING(gjk_trace) trace;
	struct WING(simplex) simplex;
	struct WING(separation) separation;
	trace.count = 0;
	WING(gjk)(&pair.first, &pair.second, &pair.second_in_first, &separation, &simplex, &trace);
	separation.iterations = trace.count; /* without EPA's iterations */
	lua_createtable(L, 0, 3 * AXES + 5);
	set_number(L, "distance", separation.distance);
	set_boolean(L, "overlaps", separation.distance <= 0);
	set_separation(L, &separation, &pair);
	push_simplex(L, &simplex, &pair);
	lua_setfield(L, -2, "simplex");
	if (!steps)
		return 1;
	lua_createtable(L, trace.count, 0);
	for (int i = 0; i < trace.count; ++i) {
		push_simplex(L, &trace.steps[i], &pair);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "steps");
	return 1;
}

static int gjk_overlaps(lua_State *L)
{
	struct pair pair;
	int iterations;
	check_ordered(L, "gjkOverlaps", check_convex, &pair);
	lua_pushboolean(
		L, WING(gjk_overlaps)(&pair.first, &pair.second, &pair.second_in_first, (struct WING(vec_d)){0}, &iterations));
	lua_pushinteger(L, iterations);
	return 2;
}

/* If only the radii overlap, the distance of the cores by GJK gives the depth. Overlapping cores need EPA. */
static int epa(lua_State *L)
{
	struct pair pair;
	check_ordered(L, "epa", check_convex, &pair);
	struct WING(epa_trace) *trace = NULL;
	struct WING(separation) separation;
	if (check_steps(L, 5, "epa")) {
		trace = userdata_create(L, sizeof *trace);
		trace->start_count = trace->count = 0;
	}
	bool apart = WING(gjk)(&pair.first, &pair.second, &pair.second_in_first, &separation, NULL, NULL);
	if (separation.distance > 0) {
		lua_pushnil(L);
		return 1;
	}
	separation.iterations = 0;
	if (!apart)
		WING(epa)(&pair.first, &pair.second, &pair.second_in_first, &separation, trace);
	lua_createtable(L, 0, 3 * AXES + 3);
	set_number(L, "depth", -separation.distance);
	set_separation(L, &separation, &pair);
	if (trace) {
		push_polytopes(L, trace, &pair.in_world, pair.sign);
		lua_setfield(L, -2, "steps");
	}
	return 1;
}

/* Raises unless the argument `cache`, an earlier result of sat, is a table. Pushes its fields of these names. */
static void push_cache(lua_State *L, int index, int count, const char *const *names)
{
	if (lua_type(L, index) != LUA_TTABLE)
		raise_value(L, index, PATH("sat", "cache"), "be an earlier result of sat, or nil");
	lua_settop(L, index);
	for (int i = 0; i < count; ++i) {
		lua_pushstring(L, names[i]);
		lua_rawget(L, index);
	}
}

static int sat(lua_State *L)
{
	struct pair pair;
	struct WING(sat_axis) cache = {0};
	struct WING(sat_result) result;
	check_ordered(L, "sat", check_corners, &pair);
	bool has_cache = !lua_isnoneornil(L, 5);
	if (has_cache)
		cache = check_cache(L, 5);
	if (pair.sign < 0)
		swap_axis(&cache, &pair.second_in_first, true);
	WING(sat)(&pair.first, &pair.second, &pair.second_in_first, has_cache ? &cache : NULL, &result);
	if (pair.sign < 0)
		swap_axis(&result.axis, &pair.second_in_first, false);
	lua_createtable(L, 0, 2 * AXES + 6);
	set_boolean(L, "overlaps", result.separation <= 0);
	set_number(L, result.separation > 0 ? "distance" : "depth", abs_d(result.separation));
	set_vector(L, normal_names, pair_direction(&pair, result.normal));
	set_axis(L, &result.axis);
	set_integer(L, "checks", result.checks);
	return 1;
}

/* Pushes the corners that `combine` computes, their radius, and in 3D the triangles. `combine` computes in A's frame. origins:
 * how many times a corner contains A's position, 0 in a difference and 2 in a sum. */
static int push_minkowski(lua_State *L, const char *function, minkowski_function *combine, double origins);

static int minkowski_difference(lua_State *L)
{
	return push_minkowski(L, "minkowskiDifference", WING(minkowski_difference), 0);
}

static int minkowski_sum(lua_State *L)
{
	return push_minkowski(L, "minkowskiSum", WING(minkowski_sum), 2);
}

/* The Lua functions that both dimensions have; slideShape is in slide_wing.h. */
#define TOOLBOX_FUNCTIONS                                                                                                     \
	{"distance", distance}, {"overlaps", overlaps}, {"closestPoint", closest_point}, {"containsPoint", contains_point},       \
		{"manifold", manifold}, {"raycast", raycast}, {"cast", cast}, {"timeOfImpact", time_of_impact}, {"support", support}, \
		{"supportVertices", support_vertices}, {"aabb", aabb}, {"boundingRadius", bounding_radius}, {"gjk", gjk},             \
		{"gjkOverlaps", gjk_overlaps}, {"gjkCast", gjk_cast}, {"epa", epa}, {"sat", sat},                                     \
		{"minkowskiDifference", minkowski_difference}, {"minkowskiSum", minkowski_sum},                                       \
		{"conservativeAdvancement", conservative_advancement}, {"mass", mass}, {"transform", transform},                      \
		{"slideShape", slide_shape},                                                                                          \
	{                                                                                                                         \
		"bisection", bisection                                                                                                \
	}
