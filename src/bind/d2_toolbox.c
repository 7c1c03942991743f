/* d2_toolbox.c - geometry alone: functions of shapes and poses of the plane that need no world, and the methods by name.
** Those that return numbers make no garbage.
** Floor: bind. */
#include "bind/toolbox.h"
#include "d2/advance.h"
#include "d2/cast.h"
#include "d2/hull.h"
#include "d2/minkowski.h"
#include "d2/sat.h"

/* --- Arguments --------------------------------------------------------------------------------------------------------- */

struct operand {
	const struct d2_shape *shape;
	struct d2_pose pose;
};

static struct operand check_operand(lua_State *L, int index, const char *function, const char *shape, const char *pose)
{
	const struct shape_object *object = check_shape(L, index, function, shape);
	return (struct operand){ object->shape, check_pose(L, index + 1, function, pose) };
}

/* a, poseA, b, poseB */
static void check_operands(lua_State *L, const char *function, struct operand *a, struct operand *b)
{
	*a = check_operand(L, 1, function, "a", "poseA");
	*b = check_operand(L, 3, function, "b", "poseB");
}

/* a, poseA, dx, dy, b, poseB */
static struct d2_vec_d check_moving_operands(lua_State *L, const char *function, struct operand *a, struct operand *b)
{
	*a = check_operand(L, 1, function, "a", "poseA");
	double dx = arg_number(L, 3, function, "dx", &range_position), dy = arg_number(L, 4, function, "dy", &range_position);
	*b = check_operand(L, 5, function, "b", "poseB");
	return (struct d2_vec_d){ dx, dy };
}

static void check_bounded(lua_State *L, int index, const char *function, const char *name, const struct d2_shape *shape)
{
	if (shape->type == D2_HALF_PLANE)
		raise_value(L, index, PATH(function, name), "be a shape with an end, not a half-plane");
}

/* What has a support function. */
static struct d2_proxy check_convex(lua_State *L, int index, const char *function, const char *name, const struct d2_shape *shape)
{
	check_bounded(L, index, function, name, shape);
	if (shape->type == D2_CHAIN)
		raise_value(L, index, PATH(function, name), "be convex, not a chain");
	return d2_make_proxy(shape, 0);
}

/* What has corners, or is round. */
static struct d2_proxy check_outline(lua_State *L, int index, const char *function, const char *name, const struct d2_shape *shape)
{
	struct d2_proxy proxy = check_convex(L, index, function, name, shape);
	if (proxy.type != D2_PROXY_POINTS)
		raise_value(L, index, PATH(function, name), "have points, not be an ellipse");
	return proxy;
}

/* --- Results ----------------------------------------------------------------------------------------------------------- */

/* Adding 0 makes 0 of -0. */
static void push_vector(lua_State *L, struct d2_vec_d v)
{
	lua_pushnumber(L, v.x + 0.0);
	lua_pushnumber(L, v.y + 0.0);
}

static void set_vector(lua_State *L, const char *x, const char *y, struct d2_vec_d v)
{
	set_number(L, x, v.x);
	set_number(L, y, v.y);
}

/* Points are counted from 1; edges are negative; 0 is neither. */
static int feature_number(int32_t feature)
{
	return feature == D2_SMOOTH ? 0 : feature < 0 ? -(~feature + 1) : feature + 1;
}

/* --- Distance ---------------------------------------------------------------------------------------------------------- */

static int overlaps(lua_State *L)
{
	struct operand a, b;
	struct d2_measure measure;
	check_operands(L, "overlaps", &a, &b);
	d2_measure(a.shape, &a.pose, b.shape, &b.pose, &measure);
	lua_pushboolean(L, measure.distance <= 0);
	return 1;
}

static int distance(lua_State *L)
{
	struct operand a, b;
	struct d2_measure measure;
	check_operands(L, "distance", &a, &b);
	d2_measure(a.shape, &a.pose, b.shape, &b.pose, &measure);
	lua_pushnumber(L, measure.distance);
	push_vector(L, measure.normal);
	push_vector(L, measure.a);
	push_vector(L, measure.b);
	lua_pushinteger(L, feature_number(measure.feature_a));
	lua_pushinteger(L, feature_number(measure.feature_b));
	return 9;
}

static int manifold(lua_State *L)
{
	struct operand a, b;
	struct d2_touch touch;
	check_operands(L, "manifold", &a, &b);
	d2_touch(a.shape, &a.pose, b.shape, &b.pose, &touch);
	if (touch.count == 0) {
		lua_pushnil(L);
		return 1;
	}
	lua_createtable(L, touch.count, 2);
	set_vector(L, "nx", "ny", touch.normal);
	for (int i = 0; i < touch.count; ++i) {
		const struct d2_touch_point *point = &touch.points[i];
		lua_createtable(L, 0, 4);
		set_vector(L, "x", "y", (struct d2_vec_d){ point->x, point->y });
		set_number(L, "separation", point->separation);
		/* A chain has up to 2^24 points. */
		set_integer(L, "id", (int64_t)point->feature_a << 24 | point->feature_b);
		lua_rawseti(L, -2, i + 1);
	}
	return 1;
}

static int closest_point(lua_State *L)
{
	struct operand a = check_operand(L, 1, "closestPoint", "shape", "pose");
	double x = arg_number(L, 3, "closestPoint", "x", &range_position), y = arg_number(L, 4, "closestPoint", "y", &range_position);
	struct d2_measure measure;
	d2_measure_point(a.shape, &a.pose, x, y, &measure);
	push_vector(L, measure.a);
	lua_pushnumber(L, measure.distance);
	push_vector(L, measure.normal);
	return 5;
}

static int contains_point(lua_State *L)
{
	struct operand a = check_operand(L, 1, "containsPoint", "shape", "pose");
	double x = arg_number(L, 3, "containsPoint", "x", &range_position), y = arg_number(L, 4, "containsPoint", "y", &range_position);
	lua_pushboolean(L, d2_shape_contains(a.shape, &a.pose, x, y));
	return 1;
}

/* --- Casts ------------------------------------------------------------------------------------------------------------- */

static int raycast(lua_State *L)
{
	struct operand a = check_operand(L, 1, "raycast", "shape", "pose");
	double x1 = arg_number(L, 3, "raycast", "x1", &range_position), y1 = arg_number(L, 4, "raycast", "y1", &range_position);
	double x2 = arg_number(L, 5, "raycast", "x2", &range_position), y2 = arg_number(L, 6, "raycast", "y2", &range_position);
	struct d2_ray_hit_d hit;
	if (!d2_shape_ray_d(a.shape, &a.pose, x1, y1, x2 - x1, y2 - y1, &hit)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushnumber(L, hit.fraction);
	lua_pushnumber(L, hit.x);
	lua_pushnumber(L, hit.y);
	push_vector(L, hit.normal);
	return 5;
}

/* hit, t, and where it is hit nx, ny, px, py, else nil four times */
static void push_hit(lua_State *L, const struct d2_cast_result *result)
{
	lua_pushboolean(L, result->hit);
	lua_pushnumber(L, result->t);
	if (!result->hit) {
		push_nils(L, 4);
		return;
	}
	push_vector(L, result->normal);
	lua_pushnumber(L, result->x);
	lua_pushnumber(L, result->y);
}

static int cast(lua_State *L)
{
	struct operand a, b;
	struct d2_vec_d way = check_moving_operands(L, "cast", &a, &b);
	struct d2_cast_result result;
	d2_cast(a.shape, &a.pose, way, b.shape, &b.pose, D2_CAST_EXACT, &result);
	push_hit(L, &result);
	if (result.left)
		lua_pushnumber(L, result.leave);
	else
		lua_pushnil(L);
	return 7;
}

static int gjk_cast(lua_State *L)
{
	struct operand a, b;
	struct d2_vec_d way = check_moving_operands(L, "gjkCast", &a, &b);
	struct d2_cast_result result;
	d2_cast(a.shape, &a.pose, way, b.shape, &b.pose, D2_CAST_GJK, &result);
	push_hit(L, &result);
	lua_pushinteger(L, result.iterations);
	return 7;
}

/* state, t, nx, ny, px, py */
static int push_advance(lua_State *L, const struct d2_advance_result *result)
{
	push_advance_state(L, (int)result->state);
	lua_pushnumber(L, result->t);
	push_vector(L, result->normal);
	lua_pushnumber(L, result->x);
	lua_pushnumber(L, result->y);
	return 6;
}

struct journey {
	const struct d2_shape *shape;
	struct d2_pose from, to;
};

static struct journey check_journey(lua_State *L, int index, const char *function, const char *shape, const char *from, const char *to)
{
	const struct shape_object *object = check_shape(L, index, function, shape);
	struct d2_pose pose0 = check_pose(L, index + 1, function, from), pose1 = check_pose(L, index + 2, function, to);
	return (struct journey){ object->shape, pose0, pose1 };
}

static int time_of_impact(lua_State *L)
{
	struct journey a = check_journey(L, 1, "timeOfImpact", "a", "poseA0", "poseA1");
	struct journey b = check_journey(L, 4, "timeOfImpact", "b", "poseB0", "poseB1");
	struct d2_advance_result result;
	d2_advance(a.shape, &a.from, &a.to, b.shape, &b.from, &b.to, &result, NULL, NULL);
	return push_advance(L, &result);
}

static int conservative_advancement(lua_State *L)
{
	struct journey a = check_journey(L, 1, "conservativeAdvancement", "a", "poseA0", "poseA1");
	struct journey b = check_journey(L, 4, "conservativeAdvancement", "b", "poseB0", "poseB1");
	struct d2_advance_result result;
	struct d2_advance_step *steps = NULL;
	int count = 0;
	if (check_steps(L, 7, "conservativeAdvancement"))
		steps = userdata_create(L, D2_ADVANCE_ITERATIONS * sizeof *steps);
	d2_advance(a.shape, &a.from, &a.to, b.shape, &b.from, &b.to, &result, steps, &count);
	push_advance(L, &result);
	lua_pushinteger(L, result.iterations);
	if (!steps)
		return 7;
	lua_createtable(L, count, 0);
	for (int i = 0; i < count; ++i) {
		lua_createtable(L, 0, 4);
		set_number(L, "t", steps[i].t);
		set_number(L, "distance", steps[i].distance);
		set_vector(L, "nx", "ny", steps[i].normal);
		lua_rawseti(L, -2, i + 1);
	}
	return 8;
}

static int bisection(lua_State *L)
{
	struct operand a, b;
	struct d2_vec_d way = check_moving_operands(L, "bisection", &a, &b);
	check_bounded(L, 1, "bisection", "a", a.shape);
	check_bounded(L, 5, "bisection", "b", b.shape);
	double tolerance = lua_isnoneornil(L, 7) ? 1e-6 : arg_number(L, 7, "bisection", "tolerance", &range_tolerance);
	struct d2_bisection_result result;
	d2_bisect(a.shape, &a.pose, way, b.shape, &b.pose, tolerance, &result);
	lua_pushboolean(L, result.hit);
	lua_pushnumber(L, result.t);
	lua_pushinteger(L, result.iterations);
	return 3;
}

/* --- Minkowski --------------------------------------------------------------------------------------------------------- */

typedef void minkowski_function(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_minkowski *out);

static int push_minkowski(lua_State *L, const char *function, minkowski_function *combine, double origins)
{
	struct operand a, b;
	check_operands(L, function, &a, &b);
	struct d2_proxy proxy_a = check_outline(L, 1, function, "a", a.shape), proxy_b = check_outline(L, 3, function, "b", b.shape);
	struct d2_transform_d b_in_a = d2_couple_relative(&a.pose, &b.pose);
	struct d2_rot_d q = d2_exact_rot(a.pose.q);
	struct d2_minkowski m;
	combine(&proxy_a, &proxy_b, &b_in_a, &m);
	lua_createtable(L, (int)m.count * 2, 0);
	for (uint32_t i = 0; i < m.count; ++i) {
		struct d2_vec_d w = d2_turn_d(q, m.v[i].w);
		lua_pushnumber(L, w.x + origins * a.pose.x);
		lua_rawseti(L, -2, (int)i * 2 + 1);
		lua_pushnumber(L, w.y + origins * a.pose.y);
		lua_rawseti(L, -2, (int)i * 2 + 2);
	}
	lua_pushnumber(L, (double)proxy_a.radius + proxy_b.radius);
	return 2;
}

static int minkowski_difference(lua_State *L)
{
	return push_minkowski(L, "minkowskiDifference", d2_minkowski_difference, 0);
}

static int minkowski_sum(lua_State *L)
{
	return push_minkowski(L, "minkowskiSum", d2_minkowski_sum, 2);
}

/* --- One shape --------------------------------------------------------------------------------------------------------- */

static int push_support(lua_State *L, const char *function, int most)
{
	struct operand a = check_operand(L, 1, function, "shape", "pose");
	check_bounded(L, 1, function, "shape", a.shape);
	struct d2_vec_d points[2], way;
	check_direction(L, 3, function, 2, &way.x);
	int count = d2_support_points(a.shape, &a.pose, way, points);
	count = count < most ? count : most;
	for (int i = 0; i < count; ++i)
		push_vector(L, points[i]);
	return 2 * count;
}

static int support(lua_State *L)
{
	return push_support(L, "support", 1);
}

static int support_vertices(lua_State *L)
{
	return push_support(L, "supportVertices", 2);
}

static int push_hull(lua_State *L, const char *function)
{
	enum { HULL_MAXIMUM = 1 << 24 };
	uint32_t count = points_count(L, 1, function, "points", 2, 1, HULL_MAXIMUM);
	struct d2_vec_d *points = userdata_create(L, (2 * (size_t)count + 1) * sizeof *points);
	points_read(L, 1, function, "points", &range_position, 2 * count, &points->x);
	const struct d2_vec_d *corners = points + count;
	uint32_t n = d2_hull_corners(points, count, points + count);
	points_push(L, 2 * n, &corners->x);
	return 1;
}

static int hull(lua_State *L)
{
	return push_hull(L, "hull");
}

/* In space `hull` is a shape. */
static int convex_hull(lua_State *L)
{
	return push_hull(L, "convexHull");
}

static int mass(lua_State *L)
{
	return push_shape_mass(L, check_shape(L, 1, "mass", "shape")->shape, "mass");
}

static int aabb(lua_State *L)
{
	struct operand a = check_operand(L, 1, "aabb", "shape", "pose");
	double bounds[4];
	d2_bounds(a.shape, &a.pose, bounds);
	for (int i = 0; i < 4; ++i)
		lua_pushnumber(L, bounds[i]);
	return 4;
}

/* The result must be a shape that could have been made by its own function. */
static void check_movable(lua_State *L, const struct operand *a)
{
	double bounds[4], most = 0;
	d2_bounds(a->shape, &a->pose, bounds);
	for (int i = 0; i < 4; ++i)
		most = max_d(most, abs_d(bounds[i]));
	if (a->shape->type == D2_HALF_PLANE)
		most = abs_d(a->shape->offset) + abs_d(a->pose.x) + abs_d(a->pose.y);
	if (most > range_local.high)
		raise(L, "transform: the shape must stay within %f of the origin", (lua_Number)range_local.high);
}

static int transform(lua_State *L)
{
	struct operand a = check_operand(L, 1, "transform", "shape", "pose");
	check_movable(L, &a);
	struct shape_object *object = shape_push(L);
	enum d2_hull_result result = d2_shape_moved(&shared_state(L)->memory, a.shape, &a.pose, &object->shape);
	if (result == D2_HULL_OUT_OF_MEMORY)
		raise_memory(L, "transform");
	if (result != D2_HULL_OK)
		raise(L, "transform: the points are so far out that they lie on a line");
	const struct d2_shape *shape = object->shape;
	if (shape->type == D2_SEGMENT || shape->type == D2_CHAIN)
		chain_check(L, "transform", shape->points, shape->count, shape->loop);
	return 1;
}

/* --- Methods ----------------------------------------------------------------------------------------------------------- */

/* A simplex as a list of its vertices, from A's frame into the world. */
static void push_simplex(lua_State *L, const struct d2_simplex *s, const struct d2_pose *pose)
{
	struct d2_rot_d q = d2_exact_rot(pose->q);
	struct d2_vec_d origin = { pose->x, pose->y };
	double weights[3] = { 1, 0, 0 };
	if (s->count == 2) {
		weights[0] = 1 - s->part;
		weights[1] = s->part;
	} else if (s->count == 3) {
		double c0 = d2_cross_d(s->v[1].w, s->v[2].w), c1 = d2_cross_d(s->v[2].w, s->v[0].w), c2 = d2_cross_d(s->v[0].w, s->v[1].w);
		weights[0] = c0 / (c0 + c1 + c2);
		weights[1] = c1 / (c0 + c1 + c2);
		weights[2] = c2 / (c0 + c1 + c2);
	}
	lua_createtable(L, s->count, 0);
	for (int i = 0; i < s->count; ++i) {
		lua_createtable(L, 0, 7);
		set_vector(L, "ax", "ay", d2_add_d(origin, d2_turn_d(q, s->v[i].a)));
		set_vector(L, "bx", "by", d2_add_d(origin, d2_turn_d(q, s->v[i].b)));
		set_vector(L, "x", "y", d2_turn_d(q, s->v[i].w));
		set_number(L, "weight", weights[i]);
		lua_rawseti(L, -2, i + 1);
	}
}

static void set_gap(lua_State *L, const struct d2_gap *gap, const struct d2_pose *pose)
{
	struct d2_rot_d q = d2_exact_rot(pose->q);
	struct d2_vec_d origin = { pose->x, pose->y };
	set_vector(L, "nx", "ny", d2_turn_d(q, gap->normal));
	set_vector(L, "ax", "ay", d2_add_d(origin, d2_turn_d(q, gap->point_a)));
	set_vector(L, "bx", "by", d2_add_d(origin, d2_turn_d(q, gap->point_b)));
	set_integer(L, "iterations", gap->iterations);
}

static int gjk(lua_State *L)
{
	struct operand a, b;
	check_operands(L, "gjk", &a, &b);
	struct d2_proxy proxy_a = check_convex(L, 1, "gjk", "a", a.shape), proxy_b = check_convex(L, 3, "gjk", "b", b.shape);
	bool steps = check_steps(L, 5, "gjk");
	struct d2_transform_d b_in_a = d2_couple_relative(&a.pose, &b.pose);
	struct d2_gjk_trace trace;
	struct d2_simplex simplex;
	struct d2_gap gap;
	trace.count = 0;
	d2_gjk(&proxy_a, &proxy_b, &b_in_a, &gap, &simplex, &trace);
	gap.iterations = trace.count; /* without those of EPA */
	lua_createtable(L, 0, 10);
	set_number(L, "distance", gap.distance);
	set_boolean(L, "overlaps", gap.distance <= 0);
	set_gap(L, &gap, &a.pose);
	push_simplex(L, &simplex, &a.pose);
	lua_setfield(L, -2, "simplex");
	if (!steps)
		return 1;
	lua_createtable(L, trace.count, 0);
	for (int i = 0; i < trace.count; ++i) {
		push_simplex(L, &trace.steps[i], &a.pose);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "steps");
	return 1;
}

static int gjk_overlaps(lua_State *L)
{
	struct operand a, b;
	check_operands(L, "gjkOverlaps", &a, &b);
	struct d2_proxy proxy_a = check_convex(L, 1, "gjkOverlaps", "a", a.shape);
	struct d2_proxy proxy_b = check_convex(L, 3, "gjkOverlaps", "b", b.shape);
	struct d2_transform_d b_in_a = d2_couple_relative(&a.pose, &b.pose);
	int iterations;
	lua_pushboolean(L, d2_gjk_overlaps(&proxy_a, &proxy_b, &b_in_a, (struct d2_vec_d){ 0, 0 }, &iterations));
	lua_pushinteger(L, iterations);
	return 2;
}

/* The polygon after each of EPA's rounds, as flat lists. */
static void push_polytopes(lua_State *L, const struct d2_epa_trace *trace, const struct d2_pose *pose)
{
	struct d2_vec_d polygon[4 + D2_EPA_STEPS];
	struct d2_rot_d q = d2_exact_rot(pose->q);
	int count = trace->start_count;
	for (int i = 0; i < count; ++i)
		polygon[i] = d2_turn_d(q, trace->start[i].w);
	lua_createtable(L, trace->count + 1, 0);
	for (int step = 0;; ++step) {
		lua_createtable(L, 2 * count, 0);
		for (int i = 0; i < count; ++i) {
			lua_pushnumber(L, polygon[i].x);
			lua_rawseti(L, -2, 2 * i + 1);
			lua_pushnumber(L, polygon[i].y);
			lua_rawseti(L, -2, 2 * i + 2);
		}
		lua_rawseti(L, -2, step + 1);
		if (step == trace->count)
			return;
		int after = trace->steps[step].after;
		for (int k = count++; k > after + 1; --k)
			polygon[k] = polygon[k - 1];
		polygon[after + 1] = d2_turn_d(q, trace->steps[step].fresh.w);
	}
}

/* Overlapping cores need EPA; where only the rounding overlaps, the cores' distance by GJK gives the depth. */
static int epa(lua_State *L)
{
	struct operand a, b;
	check_operands(L, "epa", &a, &b);
	struct d2_proxy proxy_a = check_convex(L, 1, "epa", "a", a.shape), proxy_b = check_convex(L, 3, "epa", "b", b.shape);
	bool steps = check_steps(L, 5, "epa");
	struct d2_transform_d b_in_a = d2_couple_relative(&a.pose, &b.pose);
	struct d2_epa_trace trace;
	struct d2_gap gap;
	trace.start_count = trace.count = 0;
	bool apart = d2_gjk(&proxy_a, &proxy_b, &b_in_a, &gap, NULL, NULL);
	if (gap.distance > 0) {
		lua_pushnil(L);
		return 1;
	}
	gap.iterations = 0;
	if (!apart)
		d2_epa(&proxy_a, &proxy_b, &b_in_a, &gap, &trace);
	lua_createtable(L, 0, 9);
	set_number(L, "depth", -gap.distance);
	set_gap(L, &gap, &a.pose);
	if (steps) {
		push_polytopes(L, &trace, &a.pose);
		lua_setfield(L, -2, "steps");
	}
	return 1;
}

static const char *const owner_names[] = { "a", "b", "corners", NULL };

/* An earlier result of sat. */
static struct d2_sat_axis check_cache(lua_State *L, int index)
{
	if (lua_type(L, index) != LUA_TTABLE)
		raise_value(L, index, PATH("sat", "cache"), "be an earlier result of sat, or nil");
	lua_settop(L, index);
	lua_pushliteral(L, "owner");
	lua_rawget(L, index);
	lua_pushliteral(L, "index");
	lua_rawget(L, index);
	lua_pushliteral(L, "other");
	lua_rawget(L, index);
	int owner = value_choice(L, index + 1, PATH("sat", "cache.owner"), owner_names, "be \"a\", \"b\" or \"corners\"");
	int64_t first = value_integer(L, index + 2, PATH("sat", "cache.index"), 1, D2_HULL_MAX), second = 1;
	if (owner == D2_SAT_CORNERS)
		second = value_integer(L, index + 3, PATH("sat", "cache.other"), 1, D2_HULL_MAX);
	return (struct d2_sat_axis){ (enum d2_sat_owner)owner, (uint32_t)first - 1, (uint32_t)second - 1 };
}

static int sat(lua_State *L)
{
	struct operand a, b;
	check_operands(L, "sat", &a, &b);
	struct d2_proxy proxy_a = check_outline(L, 1, "sat", "a", a.shape), proxy_b = check_outline(L, 3, "sat", "b", b.shape);
	struct d2_transform_d b_in_a = d2_couple_relative(&a.pose, &b.pose);
	bool has_cache = !lua_isnoneornil(L, 5);
	struct d2_sat_axis cache = { D2_SAT_EDGE_A, 0, 0 };
	if (has_cache)
		cache = check_cache(L, 5);
	struct d2_sat_result result;
	d2_sat(&proxy_a, &proxy_b, &b_in_a, has_cache ? &cache : NULL, &result);
	lua_createtable(L, 0, 8);
	set_boolean(L, "overlaps", result.separation <= 0);
	set_number(L, result.separation > 0 ? "distance" : "depth", abs_d(result.separation));
	set_vector(L, "nx", "ny", d2_turn_d(d2_exact_rot(a.pose.q), result.normal));
	lua_pushstring(L, owner_names[result.axis.owner]);
	lua_setfield(L, -2, "owner");
	set_integer(L, "index", result.axis.index + 1);
	if (result.axis.owner == D2_SAT_CORNERS)
		set_integer(L, "other", result.axis.other + 1);
	set_integer(L, "checks", result.checks);
	return 1;
}

const luaL_Reg toolbox_functions[] = {
	{ "overlaps", overlaps },
	{ "distance", distance },
	{ "manifold", manifold },
	{ "raycast", raycast },
	{ "cast", cast },
	{ "timeOfImpact", time_of_impact },
	{ "minkowskiDifference", minkowski_difference },
	{ "minkowskiSum", minkowski_sum },
	{ "support", support },
	{ "supportVertices", support_vertices },
	{ "closestPoint", closest_point },
	{ "containsPoint", contains_point },
	{ "hull", hull },
	{ "convexHull", convex_hull },
	{ "mass", mass },
	{ "aabb", aabb },
	{ "transform", transform },
	{ "gjk", gjk },
	{ "gjkOverlaps", gjk_overlaps },
	{ "gjkCast", gjk_cast },
	{ "epa", epa },
	{ "sat", sat },
	{ "conservativeAdvancement", conservative_advancement },
	{ "bisection", bisection },
	{ NULL, NULL },
};
