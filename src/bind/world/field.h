/* field.h - force fields of the binding: what field.c, which creates them, needs of field_effects.c, and the stack. */
#pragma once
#include "bind/world/dimension.h"

#include <stddef.h>

/* Rows of a table of options, for a struct with the members named, `slots` being stack indices. */
#define OPTION_NUMBER(name, input, member, range)          \
	{                                                      \
		name, FIELD_NUMBER, offsetof(input, member), range \
	}
#define OPTION_SLOT(name, input, slot)                                         \
	{                                                                          \
		name, FIELD_VALUE, offsetof(input, slots) + (slot) * sizeof(int), NULL \
	}

/* Stack slots of newField, from the bottom. */
enum field_slot {
	FIELD_AT_SELF = 1,
	FIELD_AT_OPTIONS,
	FIELD_AT_ENVIRONMENT,
	FIELD_AT_SHAPE,
	FIELD_AT_BODY,
	FIELD_AT_POSITION,
	FIELD_AT_ROTATION,
	FIELD_AT_AXIS,
	FIELD_AT_LAYERS,
	FIELD_AT_EFFECTS, /* gravity, attraction, vortex, wind and fluid */
	FIELD_AT_NAME = FIELD_AT_EFFECTS + 5,
	FIELD_AT_DATA,
	FIELD_AT_FIELD
};

struct field_settings field_effects_default(const struct world_object *object);
/* Reads the effects at their stack slots into settings that have the defaults. */
void field_effects_read(lua_State *L, int axes, struct field_settings *settings);

/* For explode, too. Read, at a stack index: a falloff, of which the result is twice; the option `layers`, all for nil; the
 * option `position`, which leaves `position` as it is for nil, and raises if x, y or z was given. */
int field_half_powers(lua_State *L, int index, const struct path *path);
uint64_t field_layers_read(lua_State *L, int index, int environment, const struct world_object *object, const char *function);
void field_position_read(lua_State *L, int index, const char *function, bool given_x, int axes, double position[3]);
