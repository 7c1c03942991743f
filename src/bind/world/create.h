/* create.h - the stack of newBody, newBodies and newCollider, and the options of their colliders. */
#pragma once
#include "bind/world/dimension.h"

/* Stack slots of newBody, newBodies and newCollider, from the bottom. */
enum {
	AT_SELF = 1, /* the world or the body */
	AT_OPTIONS, /* newBody, newBodies: the options; newCollider: the shape */
	AT_MORE, /* newCollider: the options */
	AT_LIST = AT_MORE, /* newBodies: the handles of the bodies */
	AT_ENVIRONMENT,
	AT_NAME,
	AT_COLOR,
	AT_DATA,
	AT_SHAPE, /* anchors the shape, as scripts may change the table that it came from */
	AT_COLLIDER_DATA,
	AT_SHAPES, /* the list `shapes` */
	AT_POSITIONS, /* newBodies: the list `positions` */
	AT_COLLIDERS, /* nil, or a table of the handles of the entries of `shapes` that have data, of one body after the other */
	AT_HANDLE, /* of the body or collider that is created */
	AT_END
};

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
