/* voxels.h - sparse cells on an integer lattice, whose outline is a one-sided surface of triangles that changes with the cells.
 * A shape of type D3_VOXELS: each triangle is a part of a face of a cell that no other cell covers. A triangle knows its
 * neighbours, so that no inner face and no edge between two cells is ever felt. Coordinates in a cell are integers,
 * D3_VOXEL_UNIT a side, and neighbours divide a common edge at the same points: their triangles meet exactly.
 * An octree holds the cells: a cube without faces of cells with one value is a single link, and blocks with one block inside
 * are left out. Invariant: the triangles of a cell are those that follow from it and the 26 cells around it. Only the functions
 * that say so change a shape; serial. The others: any thread. */
#pragma once
#include "base/cells.h"
#include "d3/shape/shape.h"

enum {
	D3_VOXEL_UNIT = 1 << 14,
	D3_VOXEL_POINTS = 8, /* of a kind's hull, at most */
	D3_VOXEL_FACES = 12,
	D3_VOXEL_KINDS = (1 << 10) - 1,
	D3_VOXEL_TURNS = 48,
	D3_VOXEL_MOST = 1 << 16 /* -D3_VOXEL_MOST <= i, j, k < D3_VOXEL_MOST */
};

/* A cell's value: 0, or the number of its kind, from 1, and its orientation in the upper bits. Orientation 8 p + s permutes the
 * axes, by permutation p of d3_voxel_permutations, and then mirrors the axes whose bits are set in s. */
enum { D3_VOXEL_TURN_SHIFT = 10 };

extern const uint8_t d3_voxel_permutations[6][3];

static inline uint32_t d3_voxel_kind(uint16_t value)
{
	return value & D3_VOXEL_KINDS;
}

struct d3_voxel {
	int32_t i, j, k;
};

/* The cells from low to high, both included. */
struct d3_voxel_box {
	struct d3_voxel low, high;
};

/* A convex polyhedron in a cell. Side 2 a is the lower side along axis a, 2 a + 1 the upper one; 6: inside the cell. */
struct d3_voxel_solid {
	bool full; /* it fills the cell */
	uint8_t point_count, face_count;
	uint8_t face_counts[D3_VOXEL_FACES], face_sides[D3_VOXEL_FACES];
	uint8_t faces[D3_VOXEL_FACES][D3_VOXEL_POINTS]; /* corners, counter-clockwise from outside */
	/* The corners on each side, counter-clockwise in the frame of the two axes after its own: a polygon, an edge or a point. */
	uint8_t side_counts[6], sides[6][D3_VOXEL_POINTS];
	int16_t points[D3_VOXEL_POINTS][3];
};

struct d3_voxel_kind {
	struct cell_kind common;
	struct d3_voxel_solid solids[D3_VOXEL_TURNS]; /* by orientation */
};

/* Sets the solids of a kind from a hull, in units of the cell; NULL: the whole cell. False: the hull has too many corners or
 * faces, or is too thin. */
/* Sets the solids for all orientations from solids[0], whose points and faces are set. False: these are not those of a closed
 * surface. */
bool d3_voxel_kind_turn(struct d3_voxel_kind *kind);
bool d3_voxel_kind_set(struct d3_voxel_kind *kind, const struct d3_hull *hull, float cell_size);

struct d3_voxels_input {
	float cell_size; /* [length] */
	uint32_t kind_count;
	const struct d3_voxel_kind *kinds; /* copied */
	enum cell_group group; /* only the kinds of this group have faces */
};

/* A shape with empty cells; NULL: no memory. */
struct d3_shape *d3_voxels_create(struct memory *memory, const struct d3_voxels_input *input);
/* Lets the shapes, one for each group or NULL, be edited together. */
void d3_voxels_join(struct d3_shape *const shapes[CELL_GROUPS]);
bool d3_voxels_joined(const struct d3_shape *a, const struct d3_shape *b);
size_t d3_voxels_bytes(const struct d3_shape *shape);
void d3_voxels_free(struct d3_shape *shape); /* all but the struct d3_shape */

/* Values for a box of cells: the same for all. */
struct d3_voxels_edit {
	struct d3_voxel_box cells;
	uint16_t value;
};

/* Prepares the edit: makes the new faces and reserves memory. False: no memory. Either d3_voxels_apply or d3_voxels_abandon
 * must follow. */
bool d3_voxels_prepare(struct d3_shape *shape, const struct d3_voxels_edit *edit);
void d3_voxels_apply(struct d3_shape *shape, const struct d3_voxels_edit *edit);
void d3_voxels_abandon(struct d3_shape *shape);

/* --- Reading: voxels_read.c ----------------------------------------------------------------------------------------------- */

uint32_t d3_voxels_kind_count(const struct d3_shape *shape);
uint16_t d3_voxels_kind_name(const struct d3_shape *shape, uint32_t kind);
uint16_t d3_voxels_value(const struct d3_shape *shape, struct d3_voxel cell);
float d3_voxels_cell_size(const struct d3_shape *shape);
/* The cell at a point in the body's frame; false: outside the lattice. */
bool d3_voxels_cell_at(const struct d3_shape *shape, struct d3_vec_d point, struct d3_voxel *out);
/* Whether the point is in a cell of the shape's group. */
bool d3_voxels_contain(const struct d3_shape *shape, struct d3_vec_d point);
/* The cell of a triangle; false: the triangle is gone. */
bool d3_voxels_cell_of(const struct d3_shape *shape, uint32_t child, struct d3_voxel *out);
/* A number for each cell, from 0, less than 2^51, and its inverse. */
uint64_t d3_voxel_number(struct d3_voxel cell);
struct d3_voxel d3_voxel_numbered(uint64_t number);
/* Whether a shape with this centre, behind the triangle, is to be pushed out at it: the centre is in the triangle's cell, of
 * whose faces none is nearer. */
bool d3_voxels_push(const struct d3_shape *shape, uint32_t child, struct d3_vec center);
uint32_t d3_voxels_child_count(const struct d3_shape *shape); /* of numbers that a triangle may have */
bool d3_voxels_has_materials(const struct d3_shape *shape);
const struct material *d3_voxels_material(const struct d3_shape *shape, uint32_t child);
void d3_voxels_triangle(const struct d3_shape *shape, uint32_t child, struct d3_vec out[3]);
uint32_t d3_voxels_point(const struct d3_shape *shape, uint32_t child, int corner); /* a number that neighbours share */
void d3_voxels_neighborhood(const struct d3_shape *shape, uint32_t child, struct d3_mesh_triangle *out);
uint16_t d3_voxels_edges(const struct d3_shape *shape, uint32_t child);
void d3_voxels_node(const struct d3_shape *shape, uint32_t node, struct d3_node *out);
/* Whether each triangle has a neighbour across each edge that has it, too. */
bool d3_voxels_valid(const struct d3_shape *shape);
/* The AABB of all cells with faces, in the body's frame; false: there is none. */
bool d3_voxels_bounds(const struct d3_shape *shape, struct d3_vec *lower, struct d3_vec *upper);
