/* tiles.h - a grid of cells whose outline is a one-sided chain that changes with the cells.
 * A shape of type D2_CHAIN with `tiles`: each segment (a face) is a side, or a part of a side, of a cell, where the cell is
 * solid and the next one is not. A face knows the faces before and after it on the outline, which are its ghosts, so that no
 * inner side and no corner between two cells is ever felt. Coordinates in a cell are integers, D2_TILE_UNIT a side: faces of
 * neighbours meet exactly. Faces are numbered without gaps: when one is removed, the last one takes its number. Invariant: the
 * faces of a cell are those that follow from the cells; before and after of a face are the neighbours with which it bounds the
 * same free space. Only the functions that say so change a shape; serial. The others: any thread. */
#pragma once
#include "base/cells.h"
#include "d2/shape/node.h"

enum {
	D2_TILE_UNIT = 1 << 14,
	D2_TILE_POINTS = 8, /* of a kind's polygon, at most */
	D2_TILE_KINDS = (1 << 13) - 1,
	D2_TILE_SIDE = 1 << 16, /* columns, rows: at most */
	D2_TILE_CELLS = 1 << 28 /* columns * rows: at most */
};

/* A cell's value: 0, or the number of its kind, from 1, and its orientation in the upper bits: the polygon is first mirrored
 * (x to 1 - x), if D2_TILE_MIRRORED, and then turned by quarter turns, counter-clockwise. */
enum { D2_TILE_TURN_SHIFT = 13, D2_TILE_MIRRORED = 1 << 15 };

static inline uint32_t d2_tile_kind(uint16_t value)
{
	return value & D2_TILE_KINDS;
}

/* The rectangle of cells from column i1 to i2 and row j1 to j2, counted from 0, both included. */
struct d2_cells {
	uint32_t i1, j1, i2, j2;
};

/* A convex polygon in a cell, counter-clockwise. */
struct d2_tile_outline {
	uint32_t count;
	int16_t points[D2_TILE_POINTS][2];
	int16_t cover[4][2]; /* the part of the bottom, right, top and left side that it covers, along x or y; empty: {0, 0} */
};

struct d2_tile_kind {
	struct cell_kind common;
	struct d2_tile_outline outlines[8]; /* by orientation */
};

struct d2_tiles_input {
	uint32_t columns, rows;
	float cell_size; /* [length] */
	struct d2_vec corner; /* the grid's lower corner in the body's frame [length] */
	uint32_t kind_count;
	const struct d2_tile_kind *kinds; /* copied */
	/* Only the kinds of this group count. The parts of a shape of sensors are not faces, but the polygons of their cells */
	enum cell_group group;
};

/* Sets the outlines of a kind from a polygon, in units of the cell, or from none: the whole cell. D2_HULL_TOO_FEW also stands
 * for too many points. */
enum d2_hull_result d2_tile_kind_set(struct d2_tile_kind *kind, const struct d2_vec *points, uint32_t count);

/* A shape with empty cells; NULL: no memory. */
struct d2_shape *d2_tiles_create(struct memory *memory, const struct d2_tiles_input *input);

/* Lets the shapes, one for each group or NULL, be edited together. */
void d2_tiles_join(struct d2_shape *const shapes[CELL_GROUPS]);
bool d2_tiles_joined(const struct d2_shape *a, const struct d2_shape *b);

/* The steps of d2_tiles_apply, face by face. `removing`: before the face disappears; `moving`: before its number changes;
 * `added`; `changed`: it has another neighbour. */
struct d2_tiles_watch {
	void (*removing)(void *context, uint32_t face);
	void (*moving)(void *context, uint32_t from, uint32_t to);
	void (*added)(void *context, uint32_t face);
	void (*changed)(void *context, uint32_t face);
	void *context;
};

/* Values for a rectangle of cells: one for each, row by row, or the same for all if `values` is NULL. */
struct d2_tiles_edit {
	struct d2_cells cells;
	const uint16_t *values;
	uint16_t value;
};

/* Reserves memory for the edit; false: none, and nothing has changed. *touched: an upper bound of the faces that will be
 * removed, changed or added. */
bool d2_tiles_reserve(struct d2_shape *shape, const struct d2_tiles_edit *edit, uint32_t *touched);
/* Sets the cells, and renews the faces. d2_tiles_reserve must have succeeded for the same edit. */
void d2_tiles_apply(struct d2_shape *shape, const struct d2_tiles_edit *edit, const struct d2_tiles_watch *watch);

/* Makes *out the polygon of a part of areas; it shares the shape's memory. */
void d2_tiles_area(const struct d2_shape *shape, uint32_t child, struct d2_shape *out);

/* The part at a point in the body's frame, of areas; NONE: none. */
uint32_t d2_tiles_area_at(const struct d2_shape *shape, struct d2_vec_d point);

uint32_t d2_tiles_kind_count(const struct d2_shape *shape);
uint16_t d2_tiles_kind_name(const struct d2_shape *shape, uint32_t kind);
uint32_t d2_tiles_columns(const struct d2_shape *shape);
uint32_t d2_tiles_rows(const struct d2_shape *shape);
uint16_t d2_tiles_value(const struct d2_shape *shape, uint32_t i, uint32_t j);
/* The cell of a face: its row times the number of columns, plus its column. */
uint32_t d2_tiles_cell_of(const struct d2_shape *shape, uint32_t face);
/* The cell at a point in the body's frame; false: outside the grid. */
bool d2_tiles_cell_at(const struct d2_shape *shape, struct d2_vec_d point, uint32_t *i, uint32_t *j);
bool d2_tiles_has_materials(const struct d2_shape *shape);
const struct material *d2_tiles_material(const struct d2_shape *shape, uint32_t face);
uint32_t d2_tiles_before(const struct d2_shape *shape, uint32_t face);
uint32_t d2_tiles_after(const struct d2_shape *shape, uint32_t face);
/* Whether a shape with this centre, behind the face, is to be pushed out at it: the centre is in the face's cell, of whose
 * faces none is nearer. */
bool d2_tiles_pushes(const struct d2_shape *shape, uint32_t face, struct d2_vec center);
/* The corners of the cell of a part. They are in its AABB, so that shapes inside the cell find its faces. */
void d2_tiles_cell_corners(const struct d2_shape *shape, uint32_t part, struct d2_vec corners[4]);
/* The corners of the whole grid. */
void d2_tiles_corners(const struct d2_shape *shape, struct d2_vec corners[4]);
/* Whether each face and the next one name each other. */
bool d2_tiles_valid(const struct d2_shape *shape);
size_t d2_tiles_bytes(const struct d2_shape *shape);
void d2_tiles_free(struct d2_shape *shape); /* all but the struct d2_shape */

/* The tree of the faces: the grid of chunks, halved again and again. See d2_shape_node. */
void d2_tiles_node(const struct d2_shape *shape, uint32_t node, struct d2_node *out);
/* The next face of the leaf's list. */
uint32_t d2_tiles_next(const struct d2_shape *shape, uint32_t face);
