/* break_parts.h - declarations for break.c and break_cut.c. */
#pragma once
#include "bind/world/break.h"

/* Stack slots, besides those of create.h: AT_POSITIONS holds the userdata of the points, and AT_COLLIDERS a table of the
 * handles of fragments whose colliders have data, or nil. */
enum {
	AT_PARTS = AT_END, /* userdata: struct part */
	AT_FRAGMENTS, /* the object: struct fragments */
	AT_POLYTOPES, /* userdata: POLYTOPES polytopes, NUMBERS numbers for each cell, and the lists of point_grid */
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
	uint32_t place; /* in the order of cutting, from 0 */
	uint32_t root; /* of its piece: the place of the piece's first fragment */
	uint32_t piece;
	const void *shape; /* with one reference. Lua gets an object for it when a script asks for the collider's shape */
};

/* An object, so that an error releases the shapes. */
struct fragments {
	const struct class *class;
	const struct breaking *breaking;
	uint32_t count, capacity;
	struct fragment data[];
};

/* The points of shatter in a regular grid of at least as many cells, over their box. */
struct point_grid {
	double low[3], scale[3]; /* scale: cells by length */
	double size; /* the largest side of a cell [length] */
	uint32_t side; /* cells along each axis */
	uint32_t *begins; /* by cell, and an end: its first point in `order` */
	uint32_t *order; /* the points, cell by cell, and those of one cell as given */
};

struct breakage {
	const char *function;
	struct world_object *object;
	const struct breaking *breaking;
	uint32_t body;
	uint32_t cells;
	const double *points; /* of the cells; NULL: two cells, below and above the plane */
	struct point_grid grid; /* of the points */
	double plane[4]; /* as all below, in the body's frame */
	uint32_t part_count, piece_count;
	struct part *parts;
	struct fragments *fragments; /* at AT_FRAGMENTS */
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
/* Creates what parts_cut needs: the objects at AT_POLYTOPES and AT_FRAGMENTS, and the grid of the points, if any. */
void cutting_prepare(lua_State *L, struct breakage *b);
/* Cuts the parts into fragments. */
void parts_cut(lua_State *L, struct breakage *b);
/* Releases the shapes of the fragments from the index on. */
void fragments_drop(struct fragments *fragments, uint32_t from);
/* Groups the fragments into pieces and sorts them by piece. False: all of the body is in one cell. */
bool pieces_find(struct breakage *b);
