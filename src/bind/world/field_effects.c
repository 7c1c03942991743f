/* field_effects.c - the effects of force fields: their options, getters and setters. */
#include "bind/world/field.h"

#include <assert.h>

static const struct range range_strength = {-1e18, 1e18, NULL};
static const struct range range_wind = {-1e6, 1e6, NULL}; /* squares times areas stay within floats [length/s] */

/* --- Options -------------------------------------------------------------------------------------------------------------- */

int field_half_powers(lua_State *L, int index, const struct path *path)
{
	double falloff = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : -1.0;
	if (!(falloff >= 0.0 && falloff <= 8.0 && 2.0 * falloff == (double)(int)(2.0 * falloff)))
		raise_value(L, index, path, "be a multiple of 0.5 between 0 and 8");
	return (int)(2.0 * falloff);
}

static const double pull_distance = 0.1; /* default minimum distance [m] */

struct field_settings field_effects_default(const struct world_object *object)
{
	double distance = pull_distance * (double)object->world->settings.length_scale;
	return (struct field_settings){
		.attraction = {0.0, distance, 4},
		.vortex = {0.0, distance, 2},
		.axis = object->dimension->axes == 3 ? (struct vec3){0.0, 1.0, 0.0} : (struct vec3){0.0, 0.0, 1.0},
		.fluid_density = 1.0,
	};
}

/* The keys of an option such as `wind`. Vectors and the falloff are values at stack slots. */
struct effect_input {
	double numbers[3];
	int slots[2];
};

enum { EFFECT_KEYS = 4, EFFECT_AT = FIELD_AT_FIELD + 1 /* of the first slot */ };

static void pull_read(
	lua_State *L, const struct effect_input *input, uint32_t given, const char *function, struct field_pull *pull)
{
	if ((given & 1) == 0)
		raise_error(L, "%s: strength is missing", function);
	pull->strength = input->numbers[0];
	if (given & 2)
		pull->minimum_distance = input->numbers[1];
	if (!lua_isnil(L, input->slots[0]))
		pull->half_powers = field_half_powers(L, input->slots[0], PATH(function, "falloff"));
}

static void vector_read(
	lua_State *L, int index, const char *function, const char *name, int axes, const struct range *range, struct vec3 *out)
{
	double numbers[3] = {0};
	if (lua_isnil(L, index))
		return;
	value_vector(L, index, (struct path){function, NULL, 0, name, 0}, range, axes, numbers);
	*out = vec3_of(numbers);
}

static const struct option_member attraction_keys[] = {
	OPTION_NUMBER("strength", struct effect_input, numbers[0], &range_strength),
	OPTION_NUMBER("minDistance", struct effect_input, numbers[1], &range_length),
	OPTION_SLOT("falloff", struct effect_input, 0)};
static const struct option_member vortex_keys[] = {OPTION_NUMBER("strength", struct effect_input, numbers[0], &range_strength),
	OPTION_NUMBER("minDistance", struct effect_input, numbers[1], &range_length),
	OPTION_SLOT("falloff", struct effect_input, 0), OPTION_SLOT("axis", struct effect_input, 1)};
static const struct option_member wind_keys[] = {OPTION_NUMBER("drag", struct effect_input, numbers[0], &range_coefficient),
	OPTION_NUMBER("lift", struct effect_input, numbers[1], &range_coefficient),
	OPTION_SLOT("velocity", struct effect_input, 0)};
static const struct option_member fluid_keys[] = {OPTION_NUMBER("density", struct effect_input, numbers[0], &range_density),
	OPTION_NUMBER("linearDrag", struct effect_input, numbers[1], &range_coefficient),
	OPTION_NUMBER("angularDrag", struct effect_input, numbers[2], &range_coefficient),
	OPTION_SLOT("velocity", struct effect_input, 0)};

static void attraction_read(
	lua_State *L, const struct effect_input *input, uint32_t given, int axes, struct field_settings *settings)
{
	(void)axes;
	pull_read(L, input, given, "newField: attraction", &settings->attraction);
}

static void vortex_read(
	lua_State *L, const struct effect_input *input, uint32_t given, int axes, struct field_settings *settings)
{
	pull_read(L, input, given, "newField: vortex", &settings->vortex);
	if (axes == 3 && !lua_isnil(L, input->slots[1])) {
		struct d3_vec_d axis = value_axis(L, input->slots[1], PATH("newField: vortex", "axis"), 3);
		settings->axis = (struct vec3){axis.x, axis.y, axis.z};
	}
}

static void wind_read(lua_State *L, const struct effect_input *input, uint32_t given, int axes, struct field_settings *settings)
{
	(void)given;
	settings->wind_drag = input->numbers[0];
	settings->wind_lift = input->numbers[1];
	vector_read(L, input->slots[0], "newField: wind", "velocity", axes, &range_wind, &settings->wind);
}

static void fluid_read(
	lua_State *L, const struct effect_input *input, uint32_t given, int axes, struct field_settings *settings)
{
	if (given & 1)
		settings->fluid_density = input->numbers[0];
	settings->linear_drag = input->numbers[1];
	settings->angular_drag = input->numbers[2];
	vector_read(L, input->slots[0], "newField: fluid", "velocity", axes, &range_wind, &settings->current);
}

void field_effects_read(lua_State *L, int axes, struct field_settings *settings)
{
	static const struct {
		const char *function;
		uint32_t effect;
		const struct option_member *keys;
		size_t count;
		void (*read)(lua_State *, const struct effect_input *, uint32_t given, int axes, struct field_settings *);
	} rows[] = {
		{"newField: attraction", FIELD_ATTRACTION, attraction_keys, LENGTH(attraction_keys), attraction_read},
		{"newField: vortex", FIELD_VORTEX, vortex_keys, LENGTH(vortex_keys), vortex_read},
		{"newField: wind", FIELD_WIND, wind_keys, LENGTH(wind_keys), wind_read},
		{"newField: fluid", FIELD_FLUID, fluid_keys, LENGTH(fluid_keys), fluid_read},
	};
	if (!lua_isnil(L, FIELD_AT_EFFECTS))
		settings->effects |= FIELD_GRAVITY;
	vector_read(L, FIELD_AT_EFFECTS, "newField", "gravity", axes, &range_velocity, &settings->gravity);
	for (size_t i = 0; i < LENGTH(rows); ++i) {
		struct effect_input input = {.slots = {EFFECT_AT, EFFECT_AT + 1}};
		int index = FIELD_AT_EFFECTS + 1 + (int)i;
		if (lua_isnil(L, index))
			continue;
		lua_settop(L, EFFECT_AT - 1);
		lua_settop(L, EFFECT_AT + 1);
		bool space_only = rows[i].effect == FIELD_VORTEX && axes == 2; /* without `axis`, the last key */
		uint32_t given =
			fields_read(L, index, PATH(rows[i].function, "options"), rows[i].keys, rows[i].count - space_only, &input);
		rows[i].read(L, &input, given, axes, settings);
		settings->effects |= rows[i].effect;
	}
	lua_settop(L, FIELD_AT_FIELD - 1);
}

/* --- Getters and setters ---------------------------------------------------------------------------------------------------
 */

static const char *const axis_names[] = {"x", "y", "z"};

static int push_vector(lua_State *L, int axes, struct vec3 a)
{
	return push_numbers(L, axes, &a.x);
}

/* The arguments of a setter: those left out keep their values. Without any, the effect ends. */
struct arguments {
	lua_State *L;
	const char *function;
	int index; /* of the next argument */
};

static void number_argument(struct arguments *arguments, const char *name, const struct range *range, double *out)
{
	int index = arguments->index++;
	if (!lua_isnoneornil(arguments->L, index))
		*out = arg_number(arguments->L, index, arguments->function, name, range);
}

static void vector_arguments(struct arguments *arguments, int axes, const struct range *range, struct vec3 *out)
{
	double *numbers[3] = {&out->x, &out->y, &out->z};
	assert(axes <= 3);
	for (int i = 0; i < axes; ++i)
		number_argument(arguments, axis_names[i], range, numbers[i]);
}

static void pull_arguments(struct arguments *arguments, struct field_pull *pull)
{
	number_argument(arguments, "strength", &range_strength, &pull->strength);
	int index = arguments->index++;
	if (!lua_isnoneornil(arguments->L, index))
		pull->half_powers = field_half_powers(arguments->L, index, PATH(arguments->function, "falloff"));
	number_argument(arguments, "minDistance", &range_length, &pull->minimum_distance);
}

static int set_effect(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t id;
	struct world_object *object = check_reference_change(L, method->name, &id);
	struct field_settings settings = field_at(object->world, id)->settings;
	struct arguments arguments = {L, method->name, 2};
	int axes = object->dimension->axes;
	settings.effects |= (uint32_t)method->number;
	if (lua_isnoneornil(L, 2))
		settings.effects &= ~(uint32_t)method->number;
	switch ((enum field_effect)method->number) {
	case FIELD_GRAVITY: vector_arguments(&arguments, axes, &range_velocity, &settings.gravity); break;
	case FIELD_ATTRACTION: pull_arguments(&arguments, &settings.attraction); break;
	case FIELD_VORTEX: pull_arguments(&arguments, &settings.vortex); break;
	case FIELD_WIND:
		vector_arguments(&arguments, axes, &range_wind, &settings.wind);
		number_argument(&arguments, "drag", &range_coefficient, &settings.wind_drag);
		number_argument(&arguments, "lift", &range_coefficient, &settings.wind_lift);
		break;
	default:
		number_argument(&arguments, "density", &range_density, &settings.fluid_density);
		number_argument(&arguments, "linearDrag", &range_coefficient, &settings.linear_drag);
		number_argument(&arguments, "angularDrag", &range_coefficient, &settings.angular_drag);
		vector_arguments(&arguments, axes, &range_wind, &settings.current);
		break;
	}
	field_set_settings(object->world, id, &settings);
	return 0;
}

static int push_pull(lua_State *L, const struct field_pull *pull)
{
	return push_numbers(L, 3, (const double[]){pull->strength, 0.5 * pull->half_powers, pull->minimum_distance});
}

static int get_effect(lua_State *L)
{
	const struct method *method = upvalue_address(L, 3);
	uint32_t id;
	const struct world_object *object = check_reference(L, method->name, &id);
	const struct field_settings *settings = &field_at(object->world, id)->settings;
	int axes = object->dimension->axes;
	if ((settings->effects & (uint32_t)method->number) == 0) {
		lua_pushnil(L);
		return 1;
	}
	switch ((enum field_effect)method->number) {
	case FIELD_GRAVITY: return push_vector(L, axes, settings->gravity);
	case FIELD_ATTRACTION: return push_pull(L, &settings->attraction);
	case FIELD_VORTEX: return push_pull(L, &settings->vortex);
	case FIELD_WIND:
		return push_vector(L, axes, settings->wind) +
			push_numbers(L, 2, (const double[]){settings->wind_drag, settings->wind_lift});
	default:
		return push_numbers(L, 3, (const double[]){settings->fluid_density, settings->linear_drag, settings->angular_drag}) +
			push_vector(L, axes, settings->current);
	}
}

const struct method field_effects[] = {
	{"getGravity", get_effect, FIELD_GRAVITY},
	{"setGravity", set_effect, FIELD_GRAVITY},
	{"getAttraction", get_effect, FIELD_ATTRACTION},
	{"setAttraction", set_effect, FIELD_ATTRACTION},
	{"getVortex", get_effect, FIELD_VORTEX},
	{"setVortex", set_effect, FIELD_VORTEX},
	{"getWind", get_effect, FIELD_WIND},
	{"setWind", set_effect, FIELD_WIND},
	{"getFluid", get_effect, FIELD_FLUID},
	{"setFluid", set_effect, FIELD_FLUID},
	{NULL, NULL, 0},
};
