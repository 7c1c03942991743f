/* property.h - properties of worlds, bodies and colliders as rows of a table. Each row gives a class a getter, and a setter if
 * the property can be set. */
#pragma once
#include "bind/lua/args.h"

enum property_type { PROPERTY_FLOAT, PROPERTY_BOOLEAN, PROPERTY_INTEGER /* int */, PROPERTY_COUNT /* see count */ };

struct property {
	const char *get, *set, *argument; /* names of the methods and of the setter's argument; set may be NULL */
	enum property_type type;
	/* Raise unless the first argument is a live object of the class; check_change also unless the object may be changed. */
	struct world_object *(*check)(lua_State *L, const char *function, uint32_t *id);
	struct world_object *(*check_change)(lua_State *L, const char *function, uint32_t *id);
	void *(*at)(const struct world_object *object, uint32_t id, size_t offset); /* the value's address */
	size_t offset;
	const struct range *range; /* of a float or integer */
	void (*changed)(struct world_object *object, uint32_t id); /* called after the value was set; may be NULL */
	uint64_t (*count)(const struct world_object *object); /* PROPERTY_COUNT: the value itself, of a world */
};

/* Registers the methods of the rows, up to one without a name, in the table on top of the stack. shared: a stack index. */
void properties_register(lua_State *L, int shared, const struct property *properties);

extern const struct property world_properties[], body_properties[], collider_properties[];
