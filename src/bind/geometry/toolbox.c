/* toolbox.c - see toolbox.h. */
#include "bind/geometry/toolbox.h"

#include "d2/query/time_of_impact.h"
#include "d3/query/time_of_impact.h"
#include "spatial/smallest_ball.h"

const char *const point_names[] = {"x", "y", "z"}, *const from_names[] = {"x1", "y1", "z1"},
				  *const to_names[] = {"x2", "y2", "z2"}, *const normal_names[] = {"nx", "ny", "nz"},
				  *const delta_names[] = {"dx", "dy", "dz"};

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

uint32_t points_count(lua_State *L, int index, const char *function, const char *name, int axes, uint32_t least, uint32_t most)
{
	uint32_t numbers = value_list(L, index, PATH(function, name)), count = numbers / (uint32_t)axes;
	const char *form = axes == 2 ? "{x1, y1, x2, y2, ...}" : "{x1, y1, z1, x2, y2, z2, ...}";
	lua_rawgeti(L, index, 1);
	if (lua_istable(L, -1))
		raise_error(L, "%s: %s must be a flat list %s, got a list of tables", function, name, form);
	lua_pop(L, 1);
	if (numbers % (uint32_t)axes)
		raise_error(L, "%s: %s must be a flat list %s, got %d numbers", function, name, form, (int)numbers);
	if (count < least || count > most)
		raise_error(L, "%s: there must be %d to %d %s, got %d", function, (int)least, (int)most, name, (int)count);
	return count;
}

/* Element i of the list, counted from 0; NAN unless it is a number. It stays on the stack: elements are popped in groups, down
 * to `top`, since each call into Lua counts. */
static inline double element_read(lua_State *L, int index, uint32_t i, int top)
{
	enum { GROUP = 4 };
	if (i % GROUP == 0)
		lua_settop(L, top);
	return element_push(L, index, (int)i + 1) == LUA_TNUMBER ? lua_tonumber(L, -1) : NAN;
}

static inline double element_in_range(
	lua_State *L, int index, const char *function, const char *name, const struct range *range, uint32_t i, int top)
{
	double value = element_read(L, index, i, top);
	if (value >= range->low && value <= range->high)
		return value;
	struct path path = {function, NULL, 0, name, (int)i + 1};
	return number_slow(L, -1, &path, range);
}

void points_read_floats(lua_State *L, int index, const char *function, const char *name, uint32_t count, float *out)
{
	int top = lua_gettop(L);
	for (uint32_t i = 0; i < count; ++i)
		out[i] = (float)element_in_range(L, index, function, name, &range_local, i, top);
	lua_settop(L, top);
}

void points_read(
	lua_State *L, int index, const char *function, const char *name, const struct range *range, uint32_t count, double *out)
{
	int top = lua_gettop(L);
	for (uint32_t i = 0; i < count; ++i)
		out[i] = element_in_range(L, index, function, name, range, i, top);
	lua_settop(L, top);
}

void indices_read(lua_State *L, int index, const char *function, const char *name, uint32_t most, uint32_t count, uint32_t *out)
{
	int top = lua_gettop(L);
	for (uint32_t i = 0; i < count; ++i) {
		struct path path = {function, NULL, 0, name, (int)i + 1};
		double value = element_read(L, index, i, top);
		bool valid = value >= 1 && value <= most && value == (uint32_t)value;
		out[i] = valid ? (uint32_t)value - 1 : (uint32_t)value_integer(L, -1, &path, 1, most) - 1;
	}
	lua_settop(L, top);
}

double *point_list_push(lua_State *L, const char *function, int axes, uint32_t *count)
{
	*count = points_count(L, 1, function, "points", axes, 1, 1 << 24);
	lua_settop(L, 1);
	double *points = userdata_create(L, (2 * (size_t)*count + 1) * (size_t)axes * sizeof *points);
	points_read(L, 1, function, "points", &range_position, (uint32_t)axes * *count, points);
	return points;
}

double points_enlarge(int axes, uint32_t count, double *points)
{
	double most = 0;
	int exponent;
	for (uint32_t i = 0; i < (uint32_t)axes * count; ++i)
		most = max_d(most, abs_d(points[i] - points[i % (uint32_t)axes]));
	(void)frexp(most, &exponent);
	if (most == 0 || exponent > -200)
		return 1;
	double factor = ldexp(1, exponent < -900 ? 900 : -exponent);
	for (uint32_t i = 0; i < (uint32_t)axes * count; ++i)
		points[i] *= factor;
	return factor;
}

int push_smallest_ball(lua_State *L, const char *function, int axes)
{
	uint32_t count;
	double ball[AXES_MAX + 1];
	double *points = point_list_push(L, function, axes, &count), factor = points_enlarge(axes, count, points);
	ball[axes] = smallest_ball(axes, points, count, ball);
	for (int i = 0; i <= axes; ++i)
		ball[i] /= factor;
	push_numbers(L, axes + 1, ball);
	return axes + 1;
}

void points_push(lua_State *L, uint32_t count, const double *numbers)
{
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count; ++i) {
		lua_pushnumber(L, numbers[i]);
		lua_rawseti(L, -2, (int)i + 1);
	}
}

void indices_push(lua_State *L, uint32_t count, const uint32_t *indices)
{
	lua_createtable(L, (int)count, 0);
	for (uint32_t i = 0; i < count; ++i) {
		lua_pushinteger(L, (lua_Integer)indices[i] + 1);
		lua_rawseti(L, -2, (int)i + 1);
	}
}

void list_set(lua_State *L, int axes, uint32_t i, const double *point)
{
	for (int k = 0; k < axes; ++k) {
		lua_pushnumber(L, point[k]);
		lua_rawseti(L, -2, (int)i * axes + k + 1);
	}
}

/* --- Arguments ------------------------------------------------------------------------------------------------------------ */

void check_direction(lua_State *L, int index, const char *function, int axes, double *out)
{
	double most = 0;
	for (int i = 0; i < axes && i < AXES_MAX; ++i) {
		out[i] = arg_number(L, index + i, function, delta_names[i], &range_any);
		most = max_d(most, abs_d(out[i]));
	}
	if (most == 0)
		raise_error(L, "%s: the direction %s must not be 0", function, axes == 2 ? "dx, dy" : "dx, dy, dz");
	for (int i = 0; i < axes; ++i)
		out[i] /= most;
}

bool check_steps(lua_State *L, int index, const char *function)
{
	static const struct option_member fields[] = {{"steps", FIELD_BOOLEAN, 0, NULL}};
	bool steps = false;
	fields_read(L, index, PATH(function, "options"), fields, LENGTH(fields), &steps);
	return steps;
}

/* --- Results -------------------------------------------------------------------------------------------------------------- */

void set_number(lua_State *L, const char *key, double value)
{
	lua_pushnumber(L, value);
	lua_setfield(L, -2, key);
}

void set_integer(lua_State *L, const char *key, int64_t value)
{
	lua_pushinteger(L, (lua_Integer)value);
	lua_setfield(L, -2, key);
}

void set_boolean(lua_State *L, const char *key, bool value)
{
	lua_pushboolean(L, value);
	lua_setfield(L, -2, key);
}

void push_nils(lua_State *L, int count)
{
	for (int i = 0; i < count; ++i)
		lua_pushnil(L);
}

void push_impact_state(lua_State *L, int state)
{
	static const char *const names[] = {
		[AXES_IMPACT_SEPARATED] = "separated",
		[AXES_IMPACT_HIT] = "hit",
		[AXES_IMPACT_OVERLAPPING] = "overlapping",
		[AXES_IMPACT_FAILED] = "failed",
	};
	lua_pushstring(L, names[state]);
}
