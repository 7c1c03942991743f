/* create.h - the stack of newBody, newBodies, newCollider and newTiles, and the options of their colliders. */
#pragma once
#include "base/cells.h"
#include "bind/world/dimension.h"

/* The colliders that a method creates at once: one, and where their shapes are not NULL a sensor and one-way colliders. */
enum { COLLIDERS_AT_ONCE = CELL_GROUPS };

/* Stack slots of newBody, newBodies and the methods that create colliders, from the bottom. */
enum {
	AT_SELF = 1, /* the world or the body */
	AT_OPTIONS, /* newBody, newBodies: the options; newCollider: the shape */
	AT_MORE, /* of new colliders: the options */
	AT_LIST = AT_MORE, /* newBodies: the handles of the bodies */
	AT_ENVIRONMENT,
	AT_NAME, /* newTiles: the list `kinds` */
	AT_COLOR, /* newTiles: the list `cells` */
	AT_DATA,
	AT_SHAPE, /* anchors the shape, as scripts may change the table that it came from */
	AT_COLLIDER_DATA,
	AT_SHAPES, /* the list `shapes` */
	AT_POSITIONS, /* newBodies: the list `positions` */
	AT_COLLIDERS, /* nil, or a table of the handles of the entries of `shapes` that have data, of one body after the other */
	AT_HANDLE, /* of the body or collider that is created */
	AT_END,
	AT_OTHERS = AT_END, /* shapes and handles of colliders that are created at once, but for the first */
	AT_OTHERS_END = AT_OTHERS + 2 * (COLLIDERS_AT_ONCE - 1)
};

/* Stack slots of the colliders that are created at once. */
static inline int shape_slot(int collider)
{
	return collider > 0 ? AT_OTHERS + 2 * (collider - 1) : AT_SHAPE;
}

static inline int handle_slot(int collider)
{
	return collider > 0 ? AT_OTHERS + 2 * (collider - 1) + 1 : AT_HANDLE;
}

extern const struct collider_input collider_defaults;

/* Reads an option of a collider, whose value is on top of the stack, into the input. The shape goes to AT_SHAPE, and data to
 * AT_COLLIDER_DATA. */
void collider_option(
	lua_State *L, const struct world_object *object, struct collider_input *input, int option, const struct path *path);
/* After all options are read: gives the collider the properties of the option `material`, except those that are given as
 * options of their own. */
void collider_finish(struct collider_input *input);
/* Reads entry i of the list `shapes` of the body. names_known: the names of materials are stored already, so that nothing is
 * allocated. */
void entry_parse(lua_State *L, const struct world_object *object, const struct body_input *body, uint32_t i, bool names_known,
	struct collider_input *input);

/* A method that creates colliders. Its functions get the struct `own`. */
struct collider_source {
	const char *function;
	enum option_set set;
	const char *body_must; /* why a dynamic body cannot have it; NULL: it can */
	void (*open)(lua_State *L, void *own); /* puts the options at AT_MORE */
	void (*option)(lua_State *L, int option, const struct path *path, void *own); /* reads an option from COLLIDER_END on */
	/* sets the first collider's shape, and the others, of which all but NULL shapes is to be set; puts what anchors the shapes
	 * at their slots. The stack has AT_OTHERS_END slots */
	void (*shapes)(lua_State *L, const struct world_object *object, void *own, struct collider_input inputs[COLLIDERS_AT_ONCE]);
};

int collider_new(lua_State *L, const struct collider_source *source, void *own);

/* The engine's part, for break.c, too. The stack is as above. */
/* Stores the shape at the stack index in the slot of the new collider. */
void shape_keep(lua_State *L, int index, uint32_t collider);
/* Retires the handles of the colliders created so far, and destroys the body. */
void body_undo(lua_State *L, struct world_object *object, uint32_t body);
