/* warn.c - tells the script what does not fit in a world: see core/misfit.h. */
#include "bind/lua/args.h"
#include "core/misfit.h"

#include <math.h>
#include <stdio.h>

#define UNITS_MANY 8.0f /* to the metre: from this lengthScale on */
#define EARTH_LEAST 9.7f /* gravity of the earth [m/s^2] */
#define EARTH_MOST 10.1f

/* Writes the text for a misfit. body: as tostring shows it, of which a long name is cut. */
static void misfit_text(const struct world *world, const struct misfit *misfit, const char *body, char *text, size_t size)
{
	double value = (double)misfit->value, limit = (double)misfit->limit, top = (double)world->settings.maximum_speed;
	char what[240], scale[200];
	snprintf(scale, sizeof scale,
		"; lengths are metres times lengthScale, here %g: for a world in pixels, lengthScale says how many make a metre",
		(double)world->settings.length_scale);
	switch (misfit->kind) {
	case MISFIT_MASS:
		snprintf(text, size,
			"%.80s is dynamic but has no mass, so nothing moves it: give it a density and a solid shape (segments and "
			"meshes are not), or a mass, or another type",
			body);
		return;
	case MISFIT_SMALL:
		snprintf(what, sizeof what, "%.80s is only %g long, less than the %g at which contacts begin", body, value, limit);
		break;
	case MISFIT_LARGE:
		snprintf(what, sizeof what, "%.80s is %g long, more than the %g that it moves in %g s at the greatest speed", body,
			value, limit, (double)MISFIT_CROSSING);
		break;
	case MISFIT_GRAVITY:
		snprintf(what, sizeof what, "with a gravity of %g, bodies reach the maximumSpeed of %g in %.2g s and fall no faster",
			value, top, top / value);
		break;
	default:
		snprintf(what, sizeof what, "a body has reached the maximumSpeed of %g and gets no faster (setMaximumSpeed changes it)",
			value);
	}
	snprintf(text, size, "%s%s", what, scale);
}

/* The default: writes a line to the standard error stream. */
int warn_default(lua_State *L)
{
	fprintf(stderr, "collide: %s\n", luaL_checkstring(L, 1));
	return 0;
}

int warn_push(lua_State *L)
{
	shared_push(L, SHARED_MODULE);
	lua_pushliteral(L, "warn");
	lua_rawget(L, -2);
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_pushcfunction(L, warn_default);
		lua_pushliteral(L, "warn");
		lua_pushvalue(L, -2);
		lua_rawset(L, -4);
	}
	return 1;
}

/* Calls the module's `warn` with the text, unless it is false. Raises if it is no function. */
static void warn(lua_State *L, const char *text)
{
	warn_push(L);
	if (lua_toboolean(L, -1)) {
		char got[VALUE_TEXT];
		if (!lua_isfunction(L, -1))
			raise_error(
				L, "collide.warn must be a function, false (no warnings) or nil (the default), got %s", value_text(L, -1, got));
		lua_pushstring(L, text);
		lua_call(L, 1, 0);
	}
}

/* Whether the gravity is the earth's in metres, though a metre is many units: bodies fall as if in slow motion. Told in place
 * of other misfits of the scale. */
static bool gravity_unscaled(struct world *world, char *text, size_t size)
{
	const float *g = world->gravity, scale = world->settings.length_scale;
	float gravity = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
	if (world->scale_told || scale < UNITS_MANY || gravity < EARTH_LEAST || gravity > EARTH_MOST)
		return false;
	snprintf(text, size,
		"with a gravity of %g and a lengthScale of %g, bodies fall with %.2g m/s^2; gravity is in units of length, as all "
		"numbers: here %g would be that of the earth",
		(double)gravity, (double)scale, (double)(gravity / scale), (double)(gravity * scale));
	world->scale_told = true;
	return true;
}

/* Finalizers, a __tostring that a script has set, and the warning may destroy the world. */
void misfits_tell(lua_State *L, float dt)
{
	struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	struct misfit misfit;
	char first[480];
	int top = lua_gettop(L);
	if (gravity_unscaled(object->world, first, sizeof first))
		warn(L, first);
	if (dt >= LONG_STEP && !object->long_step_told) {
		object->long_step_told = true;
		snprintf(first, sizeof first, "a step of %g s was made: dt is in seconds, such as 1 / 60", (double)dt);
		warn(L, first);
	}
	while (object->world != NULL && world_misfit(object->world, &misfit)) {
		char text[480];
		const char *body = "";
		lua_settop(L, top);
		if (misfit.body != NONE) {
			attached_get(L, 1);
			push_live(L, object, top + 1, &class_body, misfit.body);
			body = luaL_callmeta(L, -1, "__tostring") ? lua_tostring(L, -1) : NULL;
			body = body ? body : "a body";
			if (object->world == NULL)
				return;
		}
		misfit_text(object->world, &misfit, body, text, sizeof text);
		warn(L, text);
	}
}
