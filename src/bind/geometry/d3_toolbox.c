/* d3_toolbox.c - functions on 3D shapes and poses that need no world, and collision algorithms by name. Functions that return
 * numbers create no garbage. Blocks that the engine allocates are copied into userdata created before, so that nothing leaks
 * when Lua runs out of memory. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "d3/query/time_of_impact.h"
#include "d3/query/box_overlap.h"
#include "d3/query/distance.h"
#include "d3/query/ray_cast.h"
#include "d3/shape/hull.h"
#include "d3/query/minkowski.h"
#include "d3/query/sat.h"
#include "d3/query/shape_cast.h"
#include "d3/manifold/world_manifold.h"

#include <string.h>

/* --- Differences between 2D and 3D ---------------------------------------------------------------------------------------- */

/* A world point as function arguments. */
#define POINT(v) (v)
#define POINT_OF(result) ((result)->p)
#define HAVE_CORNERS "have points, not be a cylinder, cone, ellipsoid or tapered capsule"
#define MANIFOLDS D3_MANIFOLDS
#define SLIDE_CAST D3_CAST_ENTRY
#define is_convex d3_shape_convex
#define FEATURE(feature) ((lua_Integer)(feature))

enum { SUPPORT_POINTS = D3_SUPPORT_POINTS };

static const char *const a_names[] = {"ax", "ay", "az"}, *const b_names[] = {"bx", "by", "bz"};

/* Makes the proxy of a bounded shape; raises if it is not convex. */
static void check_convex(
	lua_State *L, int index, const char *function, const char *name, const struct d3_shape *shape, struct d3_proxy *out)
{
	if (!d3_shape_convex(shape))
		raise_value(L, index, PATH(function, name), "be convex, not a mesh, height field or compound");
	d3_make_proxy(shape, 0, out);
}

static struct d3_transform_d frame_of(const struct d3_pose *pose)
{
	return (struct d3_transform_d){{pose->x, pose->y, pose->z}, d3_exact_rot(pose->q)};
}

static struct d3_vec_d turn(const struct d3_transform_d *frame, struct d3_vec_d v)
{
	return d3_turn_d(&frame->q, v);
}

static void simplex_weights(const struct d3_simplex *s, double weights[4])
{
	memcpy(weights, s->weights, sizeof s->weights);
}

/* --- The polytopes of EPA ------------------------------------------------------------------------------------------------- */

static bool lives(const struct d3_epa_trace *trace, int face, int round)
{
	return trace->faces[face].born <= round && round < trace->faces[face].died;
}

/* Numbers the vertices of the polytope after the round (0: of the initial one) from 1 on, and returns their count. numbers[i] =
 * 0: point i is not a vertex of it. */
static int number_vertices(const struct d3_epa_trace *trace, int round, int numbers[D3_EPA_POINTS])
{
	int count = 0;
	memset(numbers, 0, D3_EPA_POINTS * sizeof *numbers);
	for (int face = 0; face < trace->face_count; ++face)
		for (int k = 0; k < 3 && lives(trace, face, round); ++k)
			numbers[trace->faces[face].v[k]] = 1;
	for (int i = 0; i < trace->count; ++i)
		if (numbers[i])
			numbers[i] = ++count;
	return count;
}

/* Pushes the polytope after the round as { vertices =, triangles = }. sign -1 reflects the triangles, which reverses their
 * winding, so the winding is restored. */
static void push_polytope(
	lua_State *L, const struct d3_epa_trace *trace, int round, const struct d3_transform_d *in_world, double sign)
{
	int numbers[D3_EPA_POINTS], count = number_vertices(trace, round, numbers);
	lua_createtable(L, 0, 2);
	lua_createtable(L, 3 * count, 0);
	for (int i = 0; i < trace->count; ++i) {
		if (!numbers[i])
			continue;
		struct d3_vec_d w = d3_scale_d(sign, turn(in_world, trace->vertices[i].w));
		list_set(L, 3, (uint32_t)numbers[i] - 1, &w.x);
	}
	lua_setfield(L, -2, "vertices");
	lua_newtable(L);
	for (int face = 0, index = 0; face < trace->face_count; ++face)
		for (int k = 0; k < 3 && lives(trace, face, round); ++k) {
			lua_pushinteger(L, numbers[trace->faces[face].v[sign < 0 ? 2 - k : k]]);
			lua_rawseti(L, -2, ++index);
		}
	lua_setfield(L, -2, "triangles");
}

/* Pushes a list of EPA's polytopes, the initial one and that after each round; it is empty if EPA was not needed. */
static void push_polytopes(lua_State *L, const struct d3_epa_trace *trace, const struct d3_transform_d *in_world, double sign)
{
	lua_newtable(L);
	for (int round = 0; trace->count > 0 && round <= trace->count - trace->start_count; ++round) {
		push_polytope(L, trace, round, in_world, sign);
		lua_rawseti(L, -2, round + 1);
	}
}

/* --- The axes of SAT ------------------------------------------------------------------------------------------------------ */

static const char *const owner_names[] = {"a", "b", "edges", "corners", NULL};

static void push_cache(lua_State *L, int index, int count, const char *const *names);

static struct d3_sat_axis check_cache(lua_State *L, int index)
{
	static const char *const keys[] = {"owner", "index", "other", "dx", "dy", "dz"};
	static const char *const names[] = {"cache.dx", "cache.dy", "cache.dz"};
	enum { MOST = 6 * D3_HULL_MAX }; /* half edges: fewer than six per corner */
	struct d3_sat_axis axis = {D3_SAT_FACE_A, 0, 0, {0, 0, 0}};
	push_cache(L, index, 6, keys);
	axis.owner = (enum d3_sat_owner)value_choice(
		L, index + 1, PATH("sat", "cache.owner"), owner_names, "be \"a\", \"b\", \"edges\" or \"corners\"");
	if (axis.owner == D3_SAT_CORNERS) {
		double direction[3];
		for (int i = 0; i < 3; ++i)
			direction[i] = arg_number(L, index + 4 + i, "sat", names[i], &range_position);
		if (!axes_normalize(3, direction, direction))
			raise_error(L, "sat: the direction cache.dx, cache.dy, cache.dz must not be 0");
		axis.direction = (struct d3_vec_d){direction[0], direction[1], direction[2]};
		return axis;
	}
	axis.index = (uint32_t)value_integer(L, index + 2, PATH("sat", "cache.index"), 1, MOST) - 1;
	if (axis.owner == D3_SAT_EDGES)
		axis.other = (uint32_t)value_integer(L, index + 3, PATH("sat", "cache.other"), 1, MOST) - 1;
	return axis;
}

/* Converts the axis between the script's order of the operands, (A, B), and a pair's, (B, A); directions are in the frame of
 * the first of the two. to_first: to the pair's order; else back. */
static void swap_axis(struct d3_sat_axis *axis, const struct d3_transform_d *second_in_first, bool to_first)
{
	uint32_t index = axis->index;
	switch (axis->owner) {
	case D3_SAT_FACE_A: axis->owner = D3_SAT_FACE_B; break;
	case D3_SAT_FACE_B: axis->owner = D3_SAT_FACE_A; break;
	case D3_SAT_EDGES:
		axis->index = axis->other;
		axis->other = index;
		break;
	case D3_SAT_CORNERS:
		axis->direction =
			to_first ? d3_turn_d(&second_in_first->q, axis->direction) : d3_inv_turn_d(&second_in_first->q, axis->direction);
		axis->direction = d3_neg_d(axis->direction);
	}
}

static void set_axis(lua_State *L, const struct d3_sat_axis *axis)
{
	lua_pushstring(L, owner_names[axis->owner]);
	lua_setfield(L, -2, "owner");
	if (axis->owner == D3_SAT_CORNERS)
		set_vector(L, delta_names, axis->direction);
	else
		set_integer(L, "index", (int64_t)axis->index + 1);
	if (axis->owner == D3_SAT_EDGES)
		set_integer(L, "other", (int64_t)axis->other + 1);
}

typedef bool minkowski_function(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out);

/* For a shape with children, pushes the number of the child hit, counted in the order in which the script gave the children.
 * Returns the number of results. */
static int push_part(lua_State *L, const struct d3_shape *shape, const struct d3_ray_hit_d *hit)
{
	if (d3_shape_convex(shape))
		return 0;
	lua_pushinteger(L, (lua_Integer)d3_shape_child_number(shape, hit->child) + 1);
	return 1;
}

#include "bind/geometry/toolbox_wing.h"

#include "bind/geometry/slide_wing.h"

/* --- Surfaces ------------------------------------------------------------------------------------------------------------- */

/* Corners of a hull and its triangles, in one userdata with room for the hull of the given number of points. */
struct surface {
	uint32_t corner_count, triangle_count;
	struct d3_vec_d *corners;
	uint32_t *triangles; /* 3 indices each, from 0 */
};

/* Pushes the userdata. V corners have at most 2 V - 4 triangles. */
static struct surface surface_push(lua_State *L, uint32_t count)
{
	size_t corners = count * sizeof(struct d3_vec_d);
	struct d3_vec_d *block = userdata_create(L, corners + 6 * (size_t)count * sizeof(uint32_t));
	return (struct surface){0, 0, block, (uint32_t *)(block + count)};
}

static int push_minkowski(lua_State *L, const char *function, minkowski_function *combine, double origins)
{
	struct pair pair;
	struct d3_minkowski m;
	check_pair(L, function, check_corners, &pair);
	pair.in_world.p = d3_scale_d(origins, pair.in_world.p);
	struct memory *memory = &shared_state(L)->memory;
	struct surface surface = surface_push(L, pair.first.count * pair.second.count);
	if (!combine(memory, &pair.first, &pair.second, &pair.second_in_first, &m))
		raise_memory(L, function);
	for (uint32_t i = 0; i < m.vertex_count; ++i)
		surface.corners[i] = d3_transform_point_d(&pair.in_world, m.vertices[i]);
	surface.corner_count = m.vertex_count;
	surface.triangle_count = m.triangle_count;
	if (m.triangle_count)
		memcpy(surface.triangles, m.triangles, 3 * m.triangle_count * sizeof *m.triangles);
	d3_minkowski_free(memory, &m);
	points_push(L, 3 * surface.corner_count, &surface.corners->x);
	lua_pushnumber(L, pair.first.radius + pair.second.radius);
	indices_push(L, 3 * surface.triangle_count, surface.triangles);
	return 3;
}

/* Computes the hull of the points, and copies its corners and triangles to *out. False: no memory. */
static bool hull_find(struct memory *memory, const struct d3_vec_d *points, uint32_t count, struct surface *out)
{
	struct d3_hull_lists lists = {0};
	bool done = d3_hull_corners(memory, points, count, &lists);
	if (done) {
		out->corner_count = lists.corners.count;
		out->triangle_count = lists.triangles.count / 3;
		for (uint32_t i = 0; i < lists.corners.count; ++i)
			out->corners[i] = points[lists.corners.data[i]];
		for (uint32_t i = 0; i < lists.triangles.count; ++i)
			out->triangles[i] = lists.triangles.data[i];
	}
	d3_hull_lists_free(memory, &lists);
	return done;
}

static int convex_hull(lua_State *L)
{
	uint32_t count;
	const struct d3_vec_d *points = (void *)point_list_push(L, "convexHull", 3, &count);
	struct surface surface = surface_push(L, count);
	if (!hull_find(&shared_state(L)->memory, points, count, &surface))
		raise_memory(L, "convexHull");
	points_push(L, 3 * surface.corner_count, &surface.corners->x);
	indices_push(L, 3 * surface.triangle_count, surface.triangles);
	return 2;
}

const luaL_Reg d3_toolbox_functions[] = {
	TOOLBOX_FUNCTIONS,
	{"convexHull", convex_hull},
	{NULL, NULL},
};
