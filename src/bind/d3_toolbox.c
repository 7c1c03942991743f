/* d3_toolbox.c - geometry alone: functions of shapes and poses of space that need no world, and the methods by name.
** Those that return numbers make no garbage. What the engine hands over in blocks of its own is copied into userdata that were made
** before, so that nothing is lost when Lua runs out of memory.
** Floor: bind. */
#include "base/axes.h"
#include "bind/toolbox.h"
#include "d3/advance.h"
#include "d3/cast.h"
#include "d3/hull.h"
#include "d3/minkowski.h"
#include "d3/sat.h"
#include "d3/shape_cast.h"
#include "d3/touch.h"

#include <string.h>

/* --- Arguments --------------------------------------------------------------------------------------------------------- */

struct operand {
	const struct d3_shape *shape;
	struct d3_pose pose;
};

static struct operand check_operand(lua_State *L, int index, const char *function, const char *shape, const char *pose)
{
	const struct d3_shape_object *object = check_d3_shape(L, index, function, shape);
	return (struct operand){ object->shape, check_d3_pose(L, index + 1, function, pose) };
}

/* a, poseA, b, poseB */
static void check_operands(lua_State *L, const char *function, struct operand *a, struct operand *b)
{
	*a = check_operand(L, 1, function, "a", "poseA");
	*b = check_operand(L, 3, function, "b", "poseB");
}

static struct d3_vec_d check_vector(lua_State *L, int index, const char *function, const char *x, const char *y, const char *z)
{
	double vx = arg_number(L, index, function, x, &range_position), vy = arg_number(L, index + 1, function, y, &range_position);
	double vz = arg_number(L, index + 2, function, z, &range_position);
	return (struct d3_vec_d){ vx, vy, vz };
}

/* a, poseA, dx, dy, dz, b, poseB */
static struct d3_vec_d check_moving_operands(lua_State *L, const char *function, struct operand *a, struct operand *b)
{
	*a = check_operand(L, 1, function, "a", "poseA");
	struct d3_vec_d way = check_vector(L, 3, function, "dx", "dy", "dz");
	*b = check_operand(L, 6, function, "b", "poseB");
	return way;
}

static void check_bounded(lua_State *L, int index, const char *function, const char *name, const struct d3_shape *shape)
{
	if (shape->type == D3_HALF_SPACE)
		raise_value(L, index, PATH(function, name), "be a shape with an end, not a half-space");
}

/* What has a support function. */
static void check_convex(lua_State *L, int index, const char *function, const char *name, const struct d3_shape *shape,
	struct d3_proxy *out)
{
	check_bounded(L, index, function, name, shape);
	if (!d3_shape_convex(shape))
		raise_value(L, index, PATH(function, name), "be convex, not a mesh, height field or compound");
	d3_make_proxy(shape, 0, out);
}

/* What has corners, or is a sphere or capsule. */
static void check_corners(lua_State *L, int index, const char *function, const char *name, const struct d3_shape *shape,
	struct d3_proxy *out)
{
	check_convex(L, index, function, name, shape, out);
	if (out->type != D3_PROXY_POINTS)
		raise_value(L, index, PATH(function, name), "have points, not be a cylinder, cone or ellipsoid");
}

/* --- Results ----------------------------------------------------------------------------------------------------------- */

/* Adding 0 makes 0 of -0. */
static void push_vector(lua_State *L, struct d3_vec_d v)
{
	lua_pushnumber(L, v.x + 0.0);
	lua_pushnumber(L, v.y + 0.0);
	lua_pushnumber(L, v.z + 0.0);
}

static void set_vector(lua_State *L, const char *x, const char *y, const char *z, struct d3_vec_d v)
{
	set_number(L, x, v.x);
	set_number(L, y, v.y);
	set_number(L, z, v.z);
}

/* Between A's frame and the world. */
static struct d3_transform_d frame_of(const struct d3_pose *pose)
{
	return (struct d3_transform_d){ { pose->x, pose->y, pose->z }, d3_exact_rot(pose->q) };
}

/* --- Distance ---------------------------------------------------------------------------------------------------------- */

static int overlaps(lua_State *L)
{
	struct operand a, b;
	check_operands(L, "overlaps", &a, &b);
	lua_pushboolean(L, d3_overlaps(a.shape, &a.pose, b.shape, &b.pose));
	return 1;
}

static int distance(lua_State *L)
{
	struct operand a, b;
	struct d3_measure measure;
	check_operands(L, "distance", &a, &b);
	d3_measure(a.shape, &a.pose, b.shape, &b.pose, &measure);
	lua_pushnumber(L, measure.distance);
	push_vector(L, measure.normal);
	push_vector(L, measure.a);
	push_vector(L, measure.b);
	lua_pushinteger(L, (lua_Integer)measure.feature_a);
	lua_pushinteger(L, (lua_Integer)measure.feature_b);
	return 12;
}

static int manifold(lua_State *L)
{
	struct operand a, b;
	struct d3_touch touch;
	check_operands(L, "manifold", &a, &b);
	d3_touch(a.shape, &a.pose, b.shape, &b.pose, &touch);
	if (touch.count == 0) {
		lua_pushnil(L);
		return 1;
	}
	lua_createtable(L, touch.count, 3);
	set_vector(L, "nx", "ny", "nz", touch.normal);
	for (int i = 0; i < touch.count; ++i) {
		const struct d3_touch_point *point = &touch.points[i];
		lua_createtable(L, 0, 5);
		set_vector(L, "x", "y", "z", point->p);
		set_number(L, "separation", point->separation);
		set_integer(L, "id", (int64_t)point->id);
		lua_rawseti(L, -2, i + 1);
	}
	return 1;
}

static int closest_point(lua_State *L)
{
	struct operand a = check_operand(L, 1, "closestPoint", "shape", "pose");
	struct d3_measure measure;
	d3_measure_point(a.shape, &a.pose, check_vector(L, 3, "closestPoint", "x", "y", "z"), &measure);
	push_vector(L, measure.a);
	lua_pushnumber(L, measure.distance);
	push_vector(L, measure.normal);
	return 7;
}

static int contains_point(lua_State *L)
{
	struct operand a = check_operand(L, 1, "containsPoint", "shape", "pose");
	lua_pushboolean(L, d3_shape_contains(a.shape, &a.pose, check_vector(L, 3, "containsPoint", "x", "y", "z")));
	return 1;
}

/* --- Casts ------------------------------------------------------------------------------------------------------------- */

static int raycast(lua_State *L)
{
	struct operand a = check_operand(L, 1, "raycast", "shape", "pose");
	struct d3_vec_d from = check_vector(L, 3, "raycast", "x1", "y1", "z1"), to = check_vector(L, 6, "raycast", "x2", "y2", "z2");
	struct d3_ray_hit_d hit;
	if (!d3_shape_ray_d(a.shape, &a.pose, from, d3_sub_d(to, from), &hit)) {
		lua_pushnil(L);
		return 1;
	}
	lua_pushnumber(L, hit.fraction);
	push_vector(L, hit.p);
	push_vector(L, hit.normal);
	return 7;
}

/* hit, t, and where it is hit nx, ny, nz, px, py, pz, else nil six times */
static void push_hit(lua_State *L, const struct d3_cast_result *result)
{
	lua_pushboolean(L, result->hit);
	lua_pushnumber(L, result->t);
	if (!result->hit) {
		push_nils(L, 6);
		return;
	}
	push_vector(L, result->normal);
	push_vector(L, result->p);
}

static int cast(lua_State *L)
{
	struct operand a, b;
	struct d3_vec_d way = check_moving_operands(L, "cast", &a, &b);
	struct d3_cast_result result;
	d3_cast(a.shape, &a.pose, way, b.shape, &b.pose, D3_CAST_EXACT, &result);
	push_hit(L, &result);
	if (result.left)
		lua_pushnumber(L, result.leave);
	else
		lua_pushnil(L);
	return 9;
}

static int gjk_cast(lua_State *L)
{
	struct operand a, b;
	struct d3_vec_d way = check_moving_operands(L, "gjkCast", &a, &b);
	struct d3_cast_result result;
	d3_cast(a.shape, &a.pose, way, b.shape, &b.pose, D3_CAST_GJK, &result);
	push_hit(L, &result);
	lua_pushinteger(L, result.iterations);
	return 9;
}

/* state, t, nx, ny, nz, px, py, pz */
static int push_advance(lua_State *L, const struct d3_advance_result *result)
{
	push_advance_state(L, (int)result->state);
	lua_pushnumber(L, result->t);
	push_vector(L, result->normal);
	push_vector(L, result->p);
	return 8;
}

struct journey {
	const struct d3_shape *shape;
	struct d3_pose from, to;
};

static struct journey check_journey(lua_State *L, int index, const char *function, const char *shape, const char *from, const char *to)
{
	const struct d3_shape_object *object = check_d3_shape(L, index, function, shape);
	struct d3_pose pose0 = check_d3_pose(L, index + 1, function, from), pose1 = check_d3_pose(L, index + 2, function, to);
	return (struct journey){ object->shape, pose0, pose1 };
}

static int time_of_impact(lua_State *L)
{
	struct journey a = check_journey(L, 1, "timeOfImpact", "a", "poseA0", "poseA1");
	struct journey b = check_journey(L, 4, "timeOfImpact", "b", "poseB0", "poseB1");
	struct d3_advance_result result;
	d3_advance(a.shape, &a.from, &a.to, b.shape, &b.from, &b.to, &result, NULL, NULL);
	return push_advance(L, &result);
}

static int conservative_advancement(lua_State *L)
{
	struct journey a = check_journey(L, 1, "conservativeAdvancement", "a", "poseA0", "poseA1");
	struct journey b = check_journey(L, 4, "conservativeAdvancement", "b", "poseB0", "poseB1");
	struct d3_advance_result result;
	struct d3_advance_step *steps = NULL;
	int count = 0;
	if (check_steps(L, 7, "conservativeAdvancement"))
		steps = userdata_create(L, D3_ADVANCE_ITERATIONS * sizeof *steps);
	d3_advance(a.shape, &a.from, &a.to, b.shape, &b.from, &b.to, &result, steps, &count);
	push_advance(L, &result);
	lua_pushinteger(L, result.iterations);
	if (!steps)
		return 9;
	lua_createtable(L, count, 0);
	for (int i = 0; i < count; ++i) {
		lua_createtable(L, 0, 5);
		set_number(L, "t", steps[i].t);
		set_number(L, "distance", steps[i].distance);
		set_vector(L, "nx", "ny", "nz", steps[i].normal);
		lua_rawseti(L, -2, i + 1);
	}
	return 10;
}

static int bisection(lua_State *L)
{
	struct operand a, b;
	struct d3_vec_d way = check_moving_operands(L, "bisection", &a, &b);
	check_bounded(L, 1, "bisection", "a", a.shape);
	check_bounded(L, 6, "bisection", "b", b.shape);
	double tolerance = lua_isnoneornil(L, 8) ? 1e-6 : arg_number(L, 8, "bisection", "tolerance", &range_tolerance);
	struct d3_bisection_result result;
	d3_bisect(a.shape, &a.pose, way, b.shape, &b.pose, tolerance, &result);
	lua_pushboolean(L, result.hit);
	lua_pushnumber(L, result.t);
	lua_pushinteger(L, result.iterations);
	return 3;
}

/* --- Surfaces ---------------------------------------------------------------------------------------------------------- */

/* Corners and triangles over them, in a userdata with room for all that so many points can make. */
struct surface {
	uint32_t corner_count, triangle_count;
	struct d3_vec_d *corners;
	uint32_t *triangles; /* 3 numbers for each, from 0 */
};

/* V corners have at most 2 V - 4 triangles. */
static struct surface surface_push(lua_State *L, uint32_t count)
{
	size_t corners = count * sizeof(struct d3_vec_d);
	struct d3_vec_d *block = userdata_create(L, corners + 6 * (size_t)count * sizeof(uint32_t));
	return (struct surface){ 0, 0, block, (uint32_t *)(block + count) };
}

static void push_triangles(lua_State *L, uint32_t count, const uint32_t *corners)
{
	lua_createtable(L, (int)count * 3, 0);
	for (uint32_t i = 0; i < 3 * count; ++i) {
		lua_pushinteger(L, (lua_Integer)corners[i] + 1);
		lua_rawseti(L, -2, (int)i + 1);
	}
}

typedef bool minkowski_function(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out);

static int push_minkowski(lua_State *L, const char *function, minkowski_function *combine, double origins)
{
	struct operand a, b;
	struct d3_proxy proxy_a, proxy_b;
	struct d3_minkowski m;
	check_operands(L, function, &a, &b);
	check_corners(L, 1, function, "a", a.shape, &proxy_a);
	check_corners(L, 3, function, "b", b.shape, &proxy_b);
	struct d3_transform_d b_in_a = d3_couple_relative(&a.pose, &b.pose), in_world = frame_of(&a.pose);
	in_world.p = d3_scale_d(origins, in_world.p);
	struct memory *memory = &shared_state(L)->memory;
	struct surface surface = surface_push(L, proxy_a.count * proxy_b.count);
	if (!combine(memory, &proxy_a, &proxy_b, &b_in_a, &m))
		raise_memory(L, function);
	for (uint32_t i = 0; i < m.vertex_count; ++i)
		surface.corners[i] = d3_transform_point_d(&in_world, m.vertices[i]);
	surface.corner_count = m.vertex_count;
	surface.triangle_count = m.triangle_count;
	if (m.triangle_count)
		memcpy(surface.triangles, m.triangles, 3 * m.triangle_count * sizeof *m.triangles);
	d3_minkowski_free(memory, &m);
	points_push(L, 3 * surface.corner_count, &surface.corners->x);
	lua_pushnumber(L, proxy_a.radius + proxy_b.radius);
	push_triangles(L, surface.triangle_count, surface.triangles);
	return 3;
}

static int minkowski_difference(lua_State *L)
{
	return push_minkowski(L, "minkowskiDifference", d3_minkowski_difference, 0);
}

static int minkowski_sum(lua_State *L)
{
	return push_minkowski(L, "minkowskiSum", d3_minkowski_sum, 2);
}

/* Copies the corners and triangles of the points; false: no memory. `numbers` has room for one of each point. */
static bool hull_find(struct memory *memory, const struct d3_vec_d *points, uint32_t count, uint32_t *numbers, struct surface *out)
{
	uint32_t *corners, *triangles;
	if (!d3_hull_corners(memory, points, count, &corners, &out->corner_count, &triangles, &out->triangle_count))
		return false;
	for (uint32_t i = 0; i < out->corner_count; ++i) {
		out->corners[i] = points[corners[i]];
		numbers[corners[i]] = i;
	}
	for (uint32_t i = 0; i < 3 * out->triangle_count; ++i)
		out->triangles[i] = numbers[triangles[i]];
	memory_resize(memory, corners, out->corner_count * sizeof *corners, 0);
	memory_resize(memory, triangles, 3 * (size_t)out->triangle_count * sizeof *triangles, 0);
	return true;
}

static int convex_hull(lua_State *L)
{
	enum { HULL_MAXIMUM = 1 << 24 };
	lua_settop(L, 1);
	uint32_t count = points_count(L, 1, "convexHull", "points", 3, 1, HULL_MAXIMUM);
	struct d3_vec_d *points = userdata_create(L, count * sizeof *points);
	points_read(L, 1, "convexHull", "points", &range_position, 3 * count, &points->x);
	uint32_t *numbers = userdata_create(L, count * sizeof *numbers);
	struct surface surface = surface_push(L, count);
	if (!hull_find(&shared_state(L)->memory, points, count, numbers, &surface))
		raise_memory(L, "convexHull");
	points_push(L, 3 * surface.corner_count, &surface.corners->x);
	push_triangles(L, surface.triangle_count, surface.triangles);
	return 2;
}

/* --- One shape --------------------------------------------------------------------------------------------------------- */

static int push_support(lua_State *L, const char *function, int most)
{
	struct operand a = check_operand(L, 1, function, "shape", "pose");
	check_bounded(L, 1, function, "shape", a.shape);
	struct d3_vec_d points[D3_SUPPORT_POINTS], way;
	check_direction(L, 3, function, 3, &way.x);
	int count = d3_support_points(a.shape, &a.pose, way, points);
	count = count < most ? count : most;
	luaL_checkstack(L, 3 * count, function);
	for (int i = 0; i < count; ++i)
		push_vector(L, points[i]);
	return 3 * count;
}

static int support(lua_State *L)
{
	return push_support(L, "support", 1);
}

static int support_vertices(lua_State *L)
{
	return push_support(L, "supportVertices", D3_SUPPORT_POINTS);
}

static int mass(lua_State *L)
{
	return push_d3_shape_mass(L, check_d3_shape(L, 1, "mass", "shape")->shape, "mass");
}

static int aabb(lua_State *L)
{
	struct operand a = check_operand(L, 1, "aabb", "shape", "pose");
	return push_d3_shape_box(L, a.shape, &a.pose);
}

/* The result must be a shape that could have been made by its own function. */
static int transform(lua_State *L)
{
	struct operand a = check_operand(L, 1, "transform", "shape", "pose");
	d3_shape_check_reach(L, "transform", a.shape, &a.pose);
	struct d3_shape_object *object = d3_shape_push(L);
	enum d3_hull_result result = d3_shape_moved(&shared_state(L)->memory, a.shape, &a.pose, &object->shape);
	if (result == D3_HULL_OUT_OF_MEMORY)
		raise_memory(L, "transform");
	if (result != D3_HULL_OK)
		raise(L, "transform: the points are so far out that they lie in a plane");
	d3_shape_check_sizes(L, "transform", object->shape);
	return 1;
}

/* --- Methods ----------------------------------------------------------------------------------------------------------- */

/* a, poseA, b, poseB, both convex, and B in A's frame */
struct couple {
	struct operand a, b;
	struct d3_proxy proxy_a, proxy_b;
	struct d3_transform_d b_in_a, in_world; /* in_world: A's frame */
};

static void check_couple(lua_State *L, const char *function, struct couple *out)
{
	check_operands(L, function, &out->a, &out->b);
	check_convex(L, 1, function, "a", out->a.shape, &out->proxy_a);
	check_convex(L, 3, function, "b", out->b.shape, &out->proxy_b);
	out->b_in_a = d3_couple_relative(&out->a.pose, &out->b.pose);
	out->in_world = frame_of(&out->a.pose);
}

/* A simplex as a list of its vertices, from A's frame into the world. */
static void push_simplex(lua_State *L, const struct d3_simplex *s, const struct d3_transform_d *in_world)
{
	lua_createtable(L, s->count, 0);
	for (int i = 0; i < s->count; ++i) {
		lua_createtable(L, 0, 10);
		set_vector(L, "ax", "ay", "az", d3_transform_point_d(in_world, s->v[i].a));
		set_vector(L, "bx", "by", "bz", d3_transform_point_d(in_world, s->v[i].b));
		set_vector(L, "x", "y", "z", d3_turn_d(&in_world->q, s->v[i].w));
		set_number(L, "weight", s->weights[i]);
		lua_rawseti(L, -2, i + 1);
	}
}

static void set_gap(lua_State *L, const struct d3_gap *gap, const struct d3_transform_d *in_world)
{
	set_vector(L, "nx", "ny", "nz", d3_turn_d(&in_world->q, gap->normal));
	set_vector(L, "ax", "ay", "az", d3_transform_point_d(in_world, gap->point_a));
	set_vector(L, "bx", "by", "bz", d3_transform_point_d(in_world, gap->point_b));
	set_integer(L, "iterations", gap->iterations);
}

static int gjk(lua_State *L)
{
	struct couple couple;
	check_couple(L, "gjk", &couple);
	bool steps = check_steps(L, 5, "gjk");
	struct d3_gjk_trace trace;
	struct d3_simplex simplex;
	struct d3_gap gap;
	trace.count = 0;
	d3_gjk(&couple.proxy_a, &couple.proxy_b, &couple.b_in_a, &gap, &simplex, &trace);
	gap.iterations = trace.count; /* without those of EPA */
	lua_createtable(L, 0, 14);
	set_number(L, "distance", gap.distance);
	set_boolean(L, "overlaps", gap.distance <= 0);
	set_gap(L, &gap, &couple.in_world);
	push_simplex(L, &simplex, &couple.in_world);
	lua_setfield(L, -2, "simplex");
	if (!steps)
		return 1;
	lua_createtable(L, trace.count, 0);
	for (int i = 0; i < trace.count; ++i) {
		push_simplex(L, &trace.steps[i], &couple.in_world);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "steps");
	return 1;
}

static int gjk_overlaps(lua_State *L)
{
	struct couple couple;
	int iterations;
	check_couple(L, "gjkOverlaps", &couple);
	lua_pushboolean(L, d3_gjk_overlaps(&couple.proxy_a, &couple.proxy_b, &couple.b_in_a, (struct d3_vec_d){ 0, 0, 0 }, &iterations));
	lua_pushinteger(L, iterations);
	return 2;
}

/* The polytope after a round: { vertices =, triangles = }, with the vertices alone that its triangles have. */
static void push_polytope(lua_State *L, const struct d3_epa_trace *trace, int round, const struct d3_rot_d *q)
{
	int numbers[D3_EPA_POINTS] = { 0 }, triangles = 0, vertices = 0;
	for (int i = 0; i < trace->face_count; ++i) {
		if (trace->faces[i].born > round || trace->faces[i].died <= round)
			continue;
		++triangles;
		for (int k = 0; k < 3; ++k)
			numbers[trace->faces[i].v[k]] = 1;
	}
	for (int i = 0; i < trace->count; ++i)
		if (numbers[i])
			numbers[i] = ++vertices;
	lua_createtable(L, 0, 2);
	lua_createtable(L, 3 * vertices, 0);
	for (int i = 0; i < trace->count; ++i) {
		if (!numbers[i])
			continue;
		struct d3_vec_d w = d3_turn_d(q, trace->vertices[i].w);
		const double parts[] = { w.x, w.y, w.z };
		for (int k = 0; k < 3; ++k) {
			lua_pushnumber(L, parts[k]);
			lua_rawseti(L, -2, 3 * numbers[i] + k - 2);
		}
	}
	lua_setfield(L, -2, "vertices");
	lua_createtable(L, 3 * triangles, 0);
	for (int i = 0, count = 0; i < trace->face_count; ++i) {
		if (trace->faces[i].born > round || trace->faces[i].died <= round)
			continue;
		for (int k = 0; k < 3; ++k) {
			lua_pushinteger(L, numbers[trace->faces[i].v[k]]);
			lua_rawseti(L, -2, ++count);
		}
	}
	lua_setfield(L, -2, "triangles");
}

/* Overlapping cores need EPA; where only the rounding overlaps, the cores' distance by GJK gives the depth. */
static int epa(lua_State *L)
{
	struct couple couple;
	check_couple(L, "epa", &couple);
	struct d3_epa_trace *trace = NULL;
	struct d3_gap gap;
	if (check_steps(L, 5, "epa")) {
		trace = userdata_create(L, sizeof *trace);
		trace->start_count = trace->count = trace->face_count = 0;
	}
	bool apart = d3_gjk(&couple.proxy_a, &couple.proxy_b, &couple.b_in_a, &gap, NULL, NULL);
	if (gap.distance > 0) {
		lua_pushnil(L);
		return 1;
	}
	gap.iterations = 0;
	if (!apart)
		d3_epa(&couple.proxy_a, &couple.proxy_b, &couple.b_in_a, &gap, trace);
	lua_createtable(L, 0, 12);
	set_number(L, "depth", -gap.distance);
	set_gap(L, &gap, &couple.in_world);
	if (!trace)
		return 1;
	lua_newtable(L);
	for (int round = 0; trace->count > 0 && round <= trace->count - trace->start_count; ++round) {
		push_polytope(L, trace, round, &couple.in_world.q);
		lua_rawseti(L, -2, round + 1);
	}
	lua_setfield(L, -2, "steps");
	return 1;
}

static const char *const owner_names[] = { "a", "b", "edges", "corners", NULL };

/* An earlier result of sat. */
static struct d3_sat_axis check_cache(lua_State *L, int index)
{
	static const char *const names[] = { "cache.dx", "cache.dy", "cache.dz" };
	enum { MOST = 6 * D3_HULL_MAX }; /* half edges: fewer than six for each corner */
	double direction[3] = { 0 };
	int64_t first = 1, second = 1;
	if (lua_type(L, index) != LUA_TTABLE)
		raise_value(L, index, PATH("sat", "cache"), "be an earlier result of sat, or nil");
	lua_settop(L, index);
	static const char *const keys[] = { "owner", "index", "other", "dx", "dy", "dz" };
	for (int i = 0; i < 6; ++i) {
		lua_pushstring(L, keys[i]);
		lua_rawget(L, index);
	}
	int owner = value_choice(L, index + 1, PATH("sat", "cache.owner"), owner_names, "be \"a\", \"b\", \"edges\" or \"corners\"");
	if (owner != D3_SAT_CORNERS)
		first = value_integer(L, index + 2, PATH("sat", "cache.index"), 1, MOST);
	if (owner == D3_SAT_EDGES)
		second = value_integer(L, index + 3, PATH("sat", "cache.other"), 1, MOST);
	for (int i = 0; i < 3 && owner == D3_SAT_CORNERS; ++i)
		direction[i] = arg_number(L, index + 4 + i, "sat", names[i], &range_position);
	if (owner == D3_SAT_CORNERS && !axes_normalize(3, direction, direction))
		raise(L, "sat: the direction cache.dx, cache.dy, cache.dz must not be 0");
	return (struct d3_sat_axis){ (enum d3_sat_owner)owner, (uint32_t)first - 1, (uint32_t)second - 1,
		{ direction[0], direction[1], direction[2] } };
}

static int sat(lua_State *L)
{
	struct couple couple;
	struct d3_sat_axis cache;
	struct d3_sat_result result;
	check_couple(L, "sat", &couple);
	check_corners(L, 1, "sat", "a", couple.a.shape, &couple.proxy_a);
	check_corners(L, 3, "sat", "b", couple.b.shape, &couple.proxy_b);
	bool has_cache = !lua_isnoneornil(L, 5);
	if (has_cache)
		cache = check_cache(L, 5);
	d3_sat(&couple.proxy_a, &couple.proxy_b, &couple.b_in_a, has_cache ? &cache : NULL, &result);
	lua_createtable(L, 0, 12);
	set_boolean(L, "overlaps", result.separation <= 0);
	set_number(L, result.separation > 0 ? "distance" : "depth", abs_d(result.separation));
	set_vector(L, "nx", "ny", "nz", d3_turn_d(&couple.in_world.q, result.normal));
	lua_pushstring(L, owner_names[result.axis.owner]);
	lua_setfield(L, -2, "owner");
	if (result.axis.owner == D3_SAT_CORNERS)
		set_vector(L, "dx", "dy", "dz", result.axis.direction);
	else
		set_integer(L, "index", (int64_t)result.axis.index + 1);
	if (result.axis.owner == D3_SAT_EDGES)
		set_integer(L, "other", (int64_t)result.axis.other + 1);
	set_integer(L, "checks", result.checks);
	return 1;
}

const luaL_Reg d3_toolbox_functions[] = {
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
