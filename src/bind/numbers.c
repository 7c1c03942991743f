/* numbers.c - numbers that are the same on every machine: trigonometry, and random numbers of a world or of a generator. */
#include "base/random.h"
#include "base/trigonometry.h"
#include "bind/lua/bind.h"
#include "bind/lua/args.h"

#include <stdio.h>

/* --- Trigonometry --------------------------------------------------------------------------------------------------------- */

static int sine(lua_State *L)
{
	lua_pushnumber(L, trigonometry_sin(arg_number(L, 1, "sin", "angle", &range_any)));
	return 1;
}

static int cosine(lua_State *L)
{
	lua_pushnumber(L, trigonometry_cos(arg_number(L, 1, "cos", "angle", &range_any)));
	return 1;
}

static int angle_of(lua_State *L)
{
	double y = arg_number(L, 1, "atan2", "y", &range_any);
	lua_pushnumber(L, trigonometry_atan2(y, arg_number(L, 2, "atan2", "x", &range_any)));
	return 1;
}

/* --- Random numbers ------------------------------------------------------------------------------------------------------- */

const struct class class_generator = {"generator", SHARED_GENERATOR, false, 0, NULL};

struct generator {
	const struct class *class;
	struct random random;
};

/* All whole numbers up to this, and no neighbour of theirs, are exact in doubles. */
#define WHOLE_MAX 9007199254740991

uint64_t value_seed(lua_State *L, int index, const struct path *path)
{
	return (uint64_t)value_integer(L, index, path, -WHOLE_MAX, WHOLE_MAX);
}

/* Pushes the next number, as math.random does: with no arguments from 2 on in [0, 1), with one from 1 to m, with two from m
 * to n. */
static int random_push(lua_State *L, struct random *random)
{
	int64_t low = 1, high;
	int top = lua_gettop(L);
	if (top == 1) {
		lua_pushnumber(L, random_fraction(random));
		return 1;
	}
	if (top > 3)
		raise_error(L, "random: takes at most two numbers, got %d", top - 1);
	if (top == 3) {
		low = value_integer(L, 2, PATH("random", "m"), -WHOLE_MAX, WHOLE_MAX);
		high = value_integer(L, 3, PATH("random", "n"), low, WHOLE_MAX);
	} else {
		high = value_integer(L, 2, PATH("random", "m"), 1, WHOLE_MAX);
	}
	int64_t number = low + (int64_t)random_below(random, (uint64_t)(high - low) + 1);
	lua_pushinteger(L, (lua_Integer)number);
	return 1;
}

int world_random(lua_State *L)
{
	return random_push(L, &check_world_change(L, "random")->world->random);
}

static struct generator *check_generator(lua_State *L, const char *function)
{
	struct generator *generator = object_test(L, 1, &class_generator, sizeof *generator);
	if (generator == NULL)
		raise_self(L, function, "a generator");
	return generator;
}

static int make_random(lua_State *L)
{
	uint64_t seed = value_seed(L, 1, PATH("newRandom", "seed"));
	struct generator *generator = object_create(L, sizeof *generator, &class_generator);
	generator->random = random_make(seed);
	return 1;
}

static int generator_random(lua_State *L)
{
	return random_push(L, &check_generator(L, "random")->random);
}

enum { WORD_DIGITS = 16, STATE_DIGITS = 4 * WORD_DIGITS };

static int get_state(lua_State *L)
{
	const struct generator *generator = check_generator(L, "getState");
	char text[STATE_DIGITS + 1];
	for (int i = 0; i < 4; ++i)
		snprintf(text + WORD_DIGITS * i, WORD_DIGITS + 1, "%016llx", (unsigned long long)generator->random.state[i]);
	lua_pushlstring(L, text, STATE_DIGITS);
	return 1;
}

/* False: not a state that getState returns. */
static bool state_read(const char *text, size_t length, struct random *random)
{
	uint64_t any = 0;
	*random = (struct random){0};
	if (length != STATE_DIGITS)
		return false;
	for (int i = 0; i < STATE_DIGITS; ++i) {
		const char *digits = "0123456789abcdef", *digit = memchr(digits, text[i], 16);
		if (digit == NULL)
			return false;
		random->state[i / WORD_DIGITS] = random->state[i / WORD_DIGITS] << 4 | (uint64_t)(digit - digits);
		any |= (uint64_t)(digit - digits);
	}
	return any != 0;
}

static int set_state(lua_State *L)
{
	struct generator *generator = check_generator(L, "setState");
	struct random random;
	size_t length = 0;
	const char *text = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : "";
	if (!state_read(text, length, &random))
		raise_value(L, 2, PATH("setState", "state"), "be a string that getState returned");
	generator->random = random;
	return 0;
}

static int generator_tostring(lua_State *L)
{
	check_generator(L, "tostring");
	lua_pushstring(L, "generator");
	return 1;
}

const luaL_Reg number_functions[] = {
	{"sin", sine},
	{"cos", cosine},
	{"atan2", angle_of},
	{"newRandom", make_random},
	{NULL, NULL},
};

const luaL_Reg generator_methods[] = {
	{"random", generator_random},
	{"getState", get_state},
	{"setState", set_state},
	{NULL, NULL},
};

const luaL_Reg generator_metamethods[] = {
	{"__tostring", generator_tostring},
	{NULL, NULL},
};
