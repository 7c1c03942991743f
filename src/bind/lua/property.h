/* property.h - properties of worlds, bodies and colliders as rows of a table. Each row gives a class a getter, and a setter if
 * the property can be set. */
#pragma once
#include "bind/lua/args.h"

/* The C type of a property's value, and the Lua value that scripts see. */
enum property_type {
	PROPERTY_FLOAT,
	PROPERTY_DOUBLE,
	PROPERTY_BOOLEAN,
	PROPERTY_INTEGER, /* int */
	PROPERTY_CHOICE, /* an enum of the size of int; scripts see the value's name */
	PROPERTY_CHOICE_OR_NIL, /* uint8_t: 0 for nil, else 1 + an enum's value */
	PROPERTY_UINT32,
	PROPERTY_UINT64,
	PROPERTY_IDS /* struct ids; scripts see the number of ids in use */
};

/* The names of an enum's values. */
struct choices {
	const char *const *names; /* NULL at the end */
	const char *must; /* lists them, for the message */
};

/* For a PROPERTY_CHOICE_OR_NIL: pushes the name of a value, and reads a name at stack index `index`. */
void property_push_choice(lua_State *L, const struct choices *choices, uint8_t number);
uint8_t property_choice(lua_State *L, int index, const struct path *path, const struct choices *choices);

struct property {
	const char *get, *set, *argument; /* names of the methods and of the setter's argument; set may be NULL */
	enum property_type type;
	/* stores the first argument's id and returns its world; raises unless it is a live object of the class */
	struct world_object *(*check)(lua_State *L, const char *function, uint32_t *id);
	void *(*at)(const struct world_object *object, uint32_t id, size_t offset); /* the value's address */
	size_t offset;
	/* called before the value is set: reserves memory for it, false: there is none; may be NULL */
	bool (*reserve)(struct world_object *object, uint32_t id);
	const struct range *range; /* of a float or integer that can be set */
	const struct choices *choices;
	void (*changed)(struct world_object *object, uint32_t id); /* called after the value was set; may be NULL */
	const struct class *only; /* NULL: for both dimensions */
};

/* Initializes the names of a row's setter and of the setter's argument. */
#define PROPERTY_SET(name, name_of_argument) .set = name, .argument = name_of_argument

/* Registers the rows' methods for the class, in the table on top of the stack. The last row has no name. shared: a stack
 * index. */
void properties_register(lua_State *L, int shared, const struct class *class, const struct property *properties);

extern const struct choices mixing_choices, joint_solver_choices;
extern const struct property world_properties[], body_properties[], collider_properties[];
