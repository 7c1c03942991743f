/* explode.c - world:explode, for 2D and 3D. */
#include "bind/world/field.h"
#include "core/explosion.h"

static const struct range range_impulse = {-1e9, 1e9, NULL};

enum { AT_OPTIONS = 2, AT_ENVIRONMENT, AT_POSITION, AT_FALLOFF, AT_LAYERS, AT_END };

struct explode_input {
	double position[3], radius, impulse;
	bool occlusion;
	int slots[AT_END]; /* each slot's own number */
};

/* In 2D without the last one. */
static const struct option_member option_keys[] = {
	OPTION_NUMBER("x", struct explode_input, position[0], &range_position),
	OPTION_NUMBER("y", struct explode_input, position[1], &range_position),
	OPTION_NUMBER("radius", struct explode_input, radius, &range_length),
	OPTION_NUMBER("impulse", struct explode_input, impulse, &range_impulse),
	{"occlusion", FIELD_BOOLEAN, offsetof(struct explode_input, occlusion), NULL},
	OPTION_SLOT("position", struct explode_input, AT_POSITION),
	OPTION_SLOT("falloff", struct explode_input, AT_FALLOFF),
	OPTION_SLOT("layers", struct explode_input, AT_LAYERS),
	OPTION_NUMBER("z", struct explode_input, position[2], &range_position),
};

enum { KEY_X = 1, KEY_Y = 2, KEY_RADIUS = 4, KEY_IMPULSE = 8, KEY_Z = 1 << 8, KEYS_2D = 8 };

int world_explode(lua_State *L)
{
	struct world_object *object = check_world_change(L, "explode");
	struct explode_input input = {.occlusion = false};
	int axes = object->dimension->axes;
	lua_settop(L, AT_OPTIONS);
	luaL_checkstack(L, 40, "explode");
	attached_get(L, 1);
	lua_settop(L, AT_END - 1);
	for (int i = 0; i < AT_END; ++i)
		input.slots[i] = i;
	if (lua_isnil(L, AT_OPTIONS))
		raise_value(L, AT_OPTIONS, PATH("explode", "options"), "be a table");
	uint32_t given =
		fields_read(L, AT_OPTIONS, PATH("explode", "options"), option_keys, axes == 2 ? KEYS_2D : LENGTH(option_keys), &input);
	if ((given & KEY_RADIUS) == 0 || (given & KEY_IMPULSE) == 0)
		raise_error(L, "explode: %s is missing", (given & KEY_RADIUS) == 0 ? "radius" : "impulse");
	field_position_read(L, AT_POSITION, "explode", (given & (KEY_X | KEY_Y | KEY_Z)) != 0, axes, input.position);
	struct explosion explosion = {.center = vec3_of(input.position),
		.radius = input.radius,
		.impulse = input.impulse,
		.layers = field_layers_read(L, AT_LAYERS, AT_ENVIRONMENT, object, "explode"),
		.occluded = input.occlusion};
	if (!lua_isnil(L, AT_FALLOFF))
		explosion.half_powers = field_half_powers(L, AT_FALLOFF, PATH("explode", "falloff"));
	uint32_t hit = explosion_run(object->world, &explosion);
	if (hit == NONE)
		raise_memory(L, "explode");
	lua_pushinteger(L, hit);
	return 1;
}
