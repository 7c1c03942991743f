/* d2_toolbox.c - functions on 2D shapes and poses that need no world, and collision algorithms by name. Functions that return
 * numbers create no garbage. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "d2/query/time_of_impact.h"
#include "d2/manifold/world_manifold.h"
#include "d2/query/distance.h"
#include "d2/query/ray_cast.h"
#include "d2/shape/hull.h"
#include "d2/query/minkowski.h"
#include "d2/query/sat.h"

/* --- Differences between 2D and 3D ---------------------------------------------------------------------------------------- */

/* A world point as function arguments. */
#define POINT(v) (v).x, (v).y
#define POINT_OF(result) ((struct d2_vec_d){(result)->x, (result)->y})
#define HAVE_CORNERS "have points, not be an ellipse"
#define MANIFOLDS D2_WORLD_MANIFOLDS
#define SLIDE_CAST D2_CAST_EXACT
#define FEATURE(feature) feature_number(feature)

enum { SUPPORT_POINTS = 2 };

static const char *const a_names[] = {"ax", "ay", "az"}, *const b_names[] = {"bx", "by", "bz"};

static bool is_convex(const struct d2_shape *shape)
{
	return shape->type != D2_CHAIN;
}

/* Makes the proxy of a bounded shape; raises if it is not convex. */
static void check_convex(
	lua_State *L, int index, const char *function, const char *name, const struct d2_shape *shape, struct d2_proxy *out)
{
	if (!is_convex(shape))
		raise_value(L, index, PATH(function, name), "be convex, not a chain");
	*out = d2_make_proxy(shape, 0);
}

static struct d2_transform_d frame_of(const struct d2_pose *pose)
{
	return (struct d2_transform_d){{pose->x, pose->y}, d2_exact_rot(pose->q)};
}

static struct d2_vec_d turn(const struct d2_transform_d *frame, struct d2_vec_d v)
{
	return d2_turn_d(frame->q, v);
}

/* The number of a feature in Lua: of a point 1, 2, ..., of an edge -1, -2, ..., of a smooth boundary 0. */
static int feature_number(int32_t feature)
{
	return feature == D2_SMOOTH ? 0 : feature < 0 ? -(~feature + 1) : feature + 1;
}

static void simplex_weights(const struct d2_simplex *s, double weights[3])
{
	weights[0] = 1;
	if (s->count == 2) {
		weights[0] = 1 - s->part;
		weights[1] = s->part;
	} else if (s->count == 3) {
		double c0 = d2_cross_d(s->v[1].w, s->v[2].w);
		double c1 = d2_cross_d(s->v[2].w, s->v[0].w);
		double c2 = d2_cross_d(s->v[0].w, s->v[1].w);
		weights[0] = c0 / (c0 + c1 + c2);
		weights[1] = c1 / (c0 + c1 + c2);
		weights[2] = c2 / (c0 + c1 + c2);
	}
}

/* Pushes a list of EPA's polygons, the initial one and that after each round, each as a flat list; one empty list if EPA was
 * not needed. */
static void push_polytopes(lua_State *L, const struct d2_epa_trace *trace, const struct d2_transform_d *in_world, double sign)
{
	struct d2_vec_d polygon[4 + D2_EPA_STEPS];
	int count = trace->start_count;
	for (int i = 0; i < count; ++i)
		polygon[i] = d2_scale_d(sign, turn(in_world, trace->start[i].w));
	lua_createtable(L, trace->count + 1, 0);
	for (int step = 0;; ++step) {
		points_push(L, 2 * (uint32_t)count, &polygon->x);
		lua_rawseti(L, -2, step + 1);
		if (step == trace->count)
			return;
		int after = trace->steps[step].after;
		for (int k = count++; k > after + 1; --k)
			polygon[k] = polygon[k - 1];
		polygon[after + 1] = d2_scale_d(sign, turn(in_world, trace->steps[step].fresh.w));
	}
}

static const char *const owner_names[] = {"a", "b", "corners", NULL};

static void push_cache(lua_State *L, int index, int count, const char *const *names);

static struct d2_sat_axis check_cache(lua_State *L, int index)
{
	static const char *const names[] = {"owner", "index", "other"};
	push_cache(L, index, 3, names);
	int owner = value_choice(L, index + 1, PATH("sat", "cache.owner"), owner_names, "be \"a\", \"b\" or \"corners\"");
	int64_t first = value_integer(L, index + 2, PATH("sat", "cache.index"), 1, D2_HULL_MAX), second = 1;
	if (owner == D2_SAT_CORNERS)
		second = value_integer(L, index + 3, PATH("sat", "cache.other"), 1, D2_HULL_MAX);
	return (struct d2_sat_axis){(enum d2_sat_owner)owner, (uint32_t)first - 1, (uint32_t)second - 1};
}

/* Converts the axis between the orders (A, B) and (B, A) of the operands. */
static void swap_axis(struct d2_sat_axis *axis, const struct d2_transform_d *second_in_first, bool to_first)
{
	(void)second_in_first;
	(void)to_first;
	uint32_t index = axis->index;
	switch (axis->owner) {
	case D2_SAT_EDGE_A: axis->owner = D2_SAT_EDGE_B; break;
	case D2_SAT_EDGE_B: axis->owner = D2_SAT_EDGE_A; break;
	case D2_SAT_CORNERS: axis->index = axis->other; axis->other = index;
	}
}

static void set_axis(lua_State *L, const struct d2_sat_axis *axis)
{
	lua_pushstring(L, owner_names[axis->owner]);
	lua_setfield(L, -2, "owner");
	set_integer(L, "index", (int64_t)axis->index + 1);
	if (axis->owner == D2_SAT_CORNERS)
		set_integer(L, "other", (int64_t)axis->other + 1);
}

typedef void minkowski_function(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_minkowski *out);

/* For a chain, pushes the number of the segment hit. Returns the number of results. */
static int push_part(lua_State *L, const struct d2_shape *shape, const struct d2_ray_hit_d *hit)
{
	if (shape->type != D2_CHAIN)
		return 0;
	lua_pushinteger(L, (lua_Integer)hit->child + 1);
	return 1;
}

#include "bind/geometry/toolbox_wing.h"

#include "bind/geometry/slide_wing.h"

/* --- Minkowski ------------------------------------------------------------------------------------------------------------ */

static int push_minkowski(lua_State *L, const char *function, minkowski_function *combine, double origins)
{
	struct pair pair;
	check_pair(L, function, check_corners, &pair);
	struct d2_minkowski m;
	combine(&pair.first, &pair.second, &pair.second_in_first, &m);
	lua_createtable(L, (int)m.count * 2, 0);
	for (uint32_t i = 0; i < m.count; ++i) {
		struct d2_vec_d w = turn(&pair.in_world, m.v[i].w);
		list_set(L, 2, i, (double[2]){w.x + origins * pair.in_world.p.x, w.y + origins * pair.in_world.p.y});
	}
	lua_pushnumber(L, (double)pair.first.radius + pair.second.radius);
	return 2;
}

/* --- One shape ------------------------------------------------------------------------------------------------------------ */

static int push_hull(lua_State *L, const char *function)
{
	uint32_t count;
	struct d2_vec_d *points = (void *)point_list_push(L, function, 2, &count);
	const struct d2_vec_d *corners = points + count;
	uint32_t n = d2_hull_corners(points, count, points + count);
	points_push(L, 2 * n, &corners->x);
	return 1;
}

static int hull(lua_State *L)
{
	return push_hull(L, "hull");
}

/* The same as `hull`, under the name that the function has in 3D, where `hull` creates a shape. */
static int convex_hull(lua_State *L)
{
	return push_hull(L, "convexHull");
}

const luaL_Reg d2_toolbox_functions[] = {
	TOOLBOX_FUNCTIONS,
	{"hull", hull},
	{"convexHull", convex_hull},
	{NULL, NULL},
};
