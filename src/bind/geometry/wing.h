/* wing.h - names for sources that 2D and 3D share. A file that includes such a source defines AXES before, as 2 or 3. */
#pragma once
#include "bind/geometry/toolbox.h"

#if AXES == 2
#define WING(name) d2_##name
#define CONSTANT(name) D2_##name
#define CLASS(name) class_##name
#define OTHER_CLASS(name) class_d3_##name
#define A_SELF "a "
#define DIMENSION "2D"
#define HALF_TYPE D2_HALF_PLANE
#define HALF_NAME "half-plane"
#define FLAT "on a line"
#else
#define WING(name) d3_##name
#define CONSTANT(name) D3_##name
#define CLASS(name) class_d3_##name
#define OTHER_CLASS(name) class_##name
#define A_SELF "a 3D "
#define DIMENSION "3D"
#define HALF_TYPE D3_HALF_SPACE
#define HALF_NAME "half-space"
#define FLAT "in a plane"
#endif

static inline struct WING(vec_d) check_vector(lua_State *L, int index, const char *function, const char *const *names)
{
	struct WING(vec_d) v;
	arg_numbers(L, index, function, names, AXES, &range_position, &v.x);
	return v;
}

/* Adding 0 turns -0 into 0, here and in set_vector. */
static inline void push_vector(lua_State *L, struct WING(vec_d) v)
{
	for (int i = 0; i < AXES; ++i)
		lua_pushnumber(L, (&v.x)[i] + 0.0);
}

static inline void set_vector(lua_State *L, const char *const *names, struct WING(vec_d) v)
{
	for (int i = 0; i < AXES; ++i)
		set_number(L, names[i], (&v.x)[i] + 0.0);
}
