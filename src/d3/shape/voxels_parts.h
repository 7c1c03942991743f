/* voxels_parts.h - the record of voxels, for voxels*.c. */
#pragma once
#include "base/array.h"
#include "base/ids.h"
#include "d3/shape/voxels.h"

/* What is in a cube: nothing, cells of one value without faces, a block, or a cell with faces. */
typedef uint32_t voxel_link;
enum { VOXEL_EMPTY = 0, VOXEL_INDEX = (1 << 30) - 1 };
static const uint32_t VOXEL_VALUE = 1u << 30, VOXEL_BLOCK = 2u << 30, VOXEL_CELL = 3u << 30, VOXEL_TAG = 3u << 30;

/* A cube of 2^level cells a side, in eighths. Its coordinates are those of its lower corner plus D3_VOXEL_MOST. */
struct voxel_block {
	uint32_t at[3];
	uint32_t level, parent, slot; /* parent NONE: the root */
	voxel_link links[8]; /* bit a of the number: the upper half along axis a */
	struct d3_vec lower, upper; /* of the cells with faces; lower.x > upper.x: there are none [length] */
};

/* A cell with faces. */
struct voxel_cell {
	uint32_t at[3];
	uint32_t block, slot;
	uint32_t first; /* triangle */
	uint16_t count, value;
	bool changed; /* by the edit under way */
	struct d3_vec lower, upper; /* its own */
};

struct voxel_triangle {
	struct d3_vec corners[3];
	uint32_t neighbors[3];
	uint32_t cell; /* NONE: free */
	int16_t local[3][3]; /* the corners in the cell */
	uint16_t edges; /* see struct d3_mesh_triangle */
};

/* A triangle of a cell in units of the cell. */
struct voxel_draft {
	int16_t p[3][3];
};

/* A cell whose faces change in the edit under way. */
struct voxel_change {
	uint32_t at[3];
	uint32_t first;
	uint16_t count, value;
};

enum { VOXEL_DRAFTS = 1024 /* triangles of a cell, at most */, VOXEL_RUNS = 13 /* sizes of runs */ };

struct d3_voxels {
	float cell_size;
	enum cell_group group;
	uint32_t kind_count;
	struct d3_voxel_kind *kinds;
	const struct d3_shape *joined[CELL_GROUPS]; /* edited together; not followed: they may be freed */
	voxel_link root;
	ARRAY(struct voxel_block) blocks;
	ARRAY(struct voxel_cell) cells;
	ARRAY(struct voxel_triangle) triangles; /* in runs of one cell each */
	ARRAY(struct voxel_change) changes;
	uint32_t free_block, free_cell, free_runs[VOXEL_RUNS]; /* heads of lists; NONE */
};

/* The solid that a value has in this shape, NULL: none. */
static inline const struct d3_voxel_solid *voxel_solid(const struct d3_voxels *voxels, uint16_t value)
{
	uint32_t kind = d3_voxel_kind(value);
	if (kind == 0 || voxels->kinds[kind - 1].common.group != voxels->group)
		return NULL;
	return &voxels->kinds[kind - 1].solids[value >> D3_VOXEL_TURN_SHIFT];
}

static inline uint32_t voxel_slot(const struct voxel_block *block, const uint32_t at[3])
{
	uint32_t shift = block->level - 1;
	return (at[0] >> shift & 1) | (at[1] >> shift & 1) << 1 | (at[2] >> shift & 1) << 2;
}

static inline bool voxel_block_has(const struct voxel_block *block, const uint32_t at[3])
{
	return (((at[0] ^ block->at[0]) | (at[1] ^ block->at[1]) | (at[2] ^ block->at[2])) >> block->level) == 0;
}

/* What is at a cell, in or below the link: VOXEL_EMPTY, or a value or cell. */
static inline voxel_link voxel_find_below(const struct d3_voxels *voxels, voxel_link link, const uint32_t at[3])
{
	while ((link & VOXEL_TAG) == VOXEL_BLOCK) {
		const struct voxel_block *block = &voxels->blocks.data[link & VOXEL_INDEX];
		if (!voxel_block_has(block, at))
			return VOXEL_EMPTY;
		link = block->links[voxel_slot(block, at)];
	}
	return link;
}

static inline voxel_link voxel_find(const struct d3_voxels *voxels, const uint32_t at[3])
{
	return voxel_find_below(voxels, voxels->root, at);
}

/* The same for a place near the cell: on average a block or two are met. */
static inline voxel_link voxel_find_near(const struct d3_voxels *voxels, const struct voxel_cell *cell, const uint32_t at[3])
{
	uint32_t block = cell->block;
	while (block != NONE && !voxel_block_has(&voxels->blocks.data[block], at))
		block = voxels->blocks.data[block].parent;
	return voxel_find_below(voxels, block == NONE ? voxels->root : VOXEL_BLOCK | block, at);
}

static inline uint16_t voxel_link_value(const struct d3_voxels *voxels, voxel_link link)
{
	if ((link & VOXEL_TAG) == VOXEL_CELL)
		return voxels->cells.data[link & VOXEL_INDEX].value;
	return (uint16_t)(link & VOXEL_INDEX);
}

static inline struct d3_vec voxel_point(const struct d3_voxels *voxels, const uint32_t at[3], const int16_t p[3])
{
	float out[3];
	for (int a = 0; a < 3; ++a)
		out[a] = (float)(((double)((int64_t)at[a] - D3_VOXEL_MOST) + p[a] / (double)D3_VOXEL_UNIT) * (double)voxels->cell_size);
	return (struct d3_vec){out[0], out[1], out[2]};
}

/* The triangles of the middle one of 27 cells (NULL: empty), the lowest first, those along the first axis next to each other.
 * Returns their number: voxel_faces.c. */
uint32_t d3_voxel_faces(const struct d3_voxel_solid *const around[27], struct voxel_draft out[VOXEL_DRAFTS]);

/* For reading archives: sets the cells of an aligned cube, without faces; makes the triangles of a cell, from `first` on, which
 * must be free; and links all, once all cells and faces are there. False: no memory; the faces of the cell do not fit. */
bool d3_voxels_place(struct d3_shape *shape, const uint32_t at[3], uint32_t level, uint16_t value);
bool d3_voxels_face(struct d3_shape *shape, const uint32_t at[3], uint32_t first, bool *fits);
void d3_voxels_finish(struct d3_shape *shape);
uint32_t d3_voxel_run_size(uint32_t class);
uint32_t d3_voxel_run_class(uint32_t count);

/* A bit for each side on which both points of a cell lie. */
uint32_t d3_voxel_edge_sides(const int16_t a[3], const int16_t b[3]);

/* A neighbour that has to be found again: voxel_links.c. */
static const uint32_t VOXEL_STALE = UINT32_MAX - 1;

/* Finds the neighbours, and the kinds of the edges, of the triangles of changed cells and of those at their borders, within the
 * box of cells. */
void d3_voxels_link(struct d3_voxels *voxels, const uint32_t low[3], const uint32_t high[3]);
