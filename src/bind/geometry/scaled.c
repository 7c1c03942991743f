/* scaled.c - argument checks and errors of the method `scaled` of shapes. A copy out of the range of coordinates is refused
 * before it is created. */
#include "bind/geometry/toolbox.h"

#include <assert.h>

static const char *const names[] = {"sx", "sy", "sz"};

void check_scale(lua_State *L, int axes, double *scale)
{
	assert(axes == 2 || axes == 3);
	bool each = !lua_isnoneornil(L, 3) || !lua_isnoneornil(L, 4);
	for (int i = 0; i < axes; ++i) {
		int index = each ? 2 + i : 2;
		scale[i] = arg_number(L, index, "scaled", names[each ? i : 0], &range_signed);
		if (!(abs_d(scale[i]) >= 1e-6))
			raise_value(L, index, PATH("scaled", names[each ? i : 0]), "not be 0, nor nearer to it than 1e-6");
	}
}

void check_scaled_bounds(lua_State *L, int axes, const double *scale, const double *bounds, bool solid)
{
	assert(axes == 2 || axes == 3);
	for (int i = 0; i < axes; ++i) {
		double most = max_d(abs_d(bounds[i]), abs_d(bounds[axes + i])) * abs_d(scale[i]);
		double size = (bounds[axes + i] - bounds[i]) * abs_d(scale[i]);
		if (most > range_local.high)
			raise_error(L, "scaled: the shape must stay within %f of the origin, but %s = %f makes it reach to %f",
				(lua_Number)range_local.high, names[i], (lua_Number)scale[i], (lua_Number)most);
		if (solid && size < range_length.low)
			raise_error(L, "scaled: the shape must be at least %f in size, but %s = %f makes it %f",
				(lua_Number)range_length.low, names[i], (lua_Number)scale[i], (lua_Number)size);
	}
}

_Noreturn void raise_scaled(lua_State *L, int axes, int result, const char *type, const double *scale)
{
	const char *factors = axes == 2 ? "sx and sy" : "sx, sy and sz";
	const char *got = axes == 2 ? lua_pushfstring(L, "%f and %f", scale[0], scale[1])
								: lua_pushfstring(L, "%f, %f and %f", scale[0], scale[1], scale[2]);
	switch (result) {
	case D2_SCALED_UNEVEN:
		raise_error(L, "scaled: %s must be the same, but for their signs, for a %s with a radius, got %s", factors, type, got);
	case D2_SCALED_SHEARED:
		raise_error(L, "scaled: %s must keep the axes of the %s at right angles%s, got %s", factors, type,
			axes == 2 ? "" : " and its ends round", got);
	case D2_SCALED_FLAT: raise_error(L, "scaled: %s leave the %s too flat, got %s", factors, type, got);
	default: raise_memory(L, "scaled");
	}
}

_Static_assert((int)D2_SCALED_UNEVEN == (int)D3_SCALED_UNEVEN && (int)D2_SCALED_SHEARED == (int)D3_SCALED_SHEARED &&
		(int)D2_SCALED_FLAT == (int)D3_SCALED_FLAT,
	"the same results in both");
