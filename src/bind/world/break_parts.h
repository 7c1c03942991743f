/* break_parts.h - declarations for break.c and break_cut.c. */
#pragma once
#include "bind/world/break.h"

/* Stack slots, besides those of create.h: AT_SHAPES holds the fragments' shapes, AT_POSITIONS the userdata of the points, and
 * AT_COLLIDERS a table of the handles of fragments whose colliders have data, or nil. */
enum {
	AT_PARTS = AT_END, /* userdata: struct part */
	AT_FRAGMENTS, /* userdata: struct fragment */
	AT_POLYTOPES, /* userdata: POLYTOPES polytopes, and NUMBERS numbers for each cell */
	AT_SOURCES, /* list: the shapes of the parts' colliders */
	AT_PIECE_DATA, /* list: the data of the parts' colliders */
	AT_DESTROY, /* the method */
	AT_ON_PIECE,
	AT_TOP
};

enum { POLYTOPES = 3, NUMBERS = 3 /* the squared distance, two keys for sorting */ };

struct part {
	struct handle collider;
	uint32_t child; /* of the collider's shape */
	const void *shape, *source; /* of the part; of the collider */
	double volume, left; /* left: that of its fragments */
	uint32_t first; /* its first fragment */
};

struct fragment {
	uint32_t cell, part;
	uint32_t place; /* in AT_SHAPES, from 0 */
	uint32_t root; /* of its piece: the place of the piece's first fragment */
	uint32_t piece;
	const void *shape;
};

struct breakage {
	const char *function;
	struct world_object *object;
	const struct breaking *breaking;
	uint32_t body;
	uint32_t cells;
	const double *points; /* of the cells; NULL: two cells, below and above the plane */
	double plane[4]; /* as all below, in the body's frame */
	uint32_t part_count, fragment_count, capacity, piece_count;
	struct part *parts;
	struct fragment *fragments;
	double factor; /* on densities: the mass set by hand over that of the parts */
	double density; /* if > 0, of all parts instead of their own */
};

static inline struct world *world_of(const struct breakage *b)
{
	return b->object->world;
}

static inline const struct body *parent_of(const struct breakage *b)
{
	return &world_of(b)->bodies.data[b->body];
}

uint32_t parts_count(const struct breakage *b);
/* Lists the parts of the body, the oldest collider first. */
void parts_read(lua_State *L, struct breakage *b);
/* Cuts the parts into fragments. */
void parts_cut(lua_State *L, struct breakage *b);
/* Groups the fragments into pieces and sorts them by piece. False: all of the body is in one cell. */
bool pieces_find(struct breakage *b);
