/* warn.c - tells the script what does not fit in a world: see core/misfit.h. */
#include "bind/lua/args.h"
#include "core/misfit.h"

#include <stdio.h>

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

/* Calls the module's `warn` with the text, unless it is nil or false. Raises if it is no function. */
static void warn(lua_State *L, const char *text)
{
	shared_push(L, SHARED_MODULE);
	lua_pushliteral(L, "warn");
	lua_rawget(L, -2);
	if (lua_toboolean(L, -1)) {
		char got[VALUE_TEXT];
		if (!lua_isfunction(L, -1))
			raise_error(L, "collide.warn must be a function, nil or false, got %s", value_text(L, -1, got));
		lua_pushstring(L, text);
		lua_call(L, 1, 0);
	}
}

/* Finalizers, a __tostring that a script has set, and the warning may destroy the world. */
void misfits_tell(lua_State *L)
{
	struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	struct misfit misfit;
	while (object->world != NULL && world_misfit(object->world, &misfit)) {
		char text[480];
		const char *body = "";
		lua_settop(L, 1);
		if (misfit.body != NONE) {
			attached_get(L, 1);
			push_live(L, object, 2, &class_body, misfit.body);
			body = luaL_callmeta(L, -1, "__tostring") ? lua_tostring(L, -1) : NULL;
			body = body ? body : "a body";
			if (object->world == NULL)
				return;
		}
		misfit_text(object->world, &misfit, body, text, sizeof text);
		warn(L, text);
	}
}

/* The default: writes a line to the standard error stream. */
int warn_default(lua_State *L)
{
	fprintf(stderr, "collide: %s\n", luaL_checkstring(L, 1));
	return 0;
}
