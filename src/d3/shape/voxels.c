/* voxels.c - see voxels.h: the octree of cells, and its edits. */
#include "d3/shape/shape_parts.h"
#include "d3/shape/voxels_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	LEVELS = 17, /* the lattice is a cube of 2^LEVELS cells a side */
	TILE = 8 /* cells a side of the cubes in which an edit makes new faces */
};

/* --- Pools ---------------------------------------------------------------------------------------------------------------- */

/* Makes a block with links that are all the same. */
static uint32_t block_take(
	struct d3_voxels *voxels, const uint32_t at[3], uint32_t level, uint32_t parent, uint32_t slot, voxel_link links)
{
	uint32_t id = voxels->free_block;
	if (id != NONE) {
		voxels->free_block = voxels->blocks.data[id].parent;
	} else {
		id = voxels->blocks.count;
		array_push(&voxels->blocks, (struct voxel_block){.level = 0});
	}
	struct voxel_block *block = &voxels->blocks.data[id];
	*block = (struct voxel_block){.level = level, .parent = parent, .slot = slot, .lower = {1, 1, 1}, .upper = {-1, -1, -1}};
	for (int a = 0; a < 3; ++a)
		block->at[a] = at[a] >> level << level;
	for (int i = 0; i < 8; ++i)
		block->links[i] = links;
	return id;
}

static void block_give(struct d3_voxels *voxels, uint32_t id)
{
	voxels->blocks.data[id].parent = voxels->free_block;
	voxels->free_block = id;
}

static uint32_t cell_take(struct d3_voxels *voxels)
{
	uint32_t id = voxels->free_cell;
	if (id != NONE) {
		voxels->free_cell = voxels->cells.data[id].block;
	} else {
		id = voxels->cells.count;
		array_push(&voxels->cells, (struct voxel_cell){.count = 0});
	}
	return id;
}

/* Runs of up to 12 triangles have an even size, longer ones a power of two. */
uint32_t d3_voxel_run_class(uint32_t count)
{
	return count <= 12 ? (count + 1) / 2 - 1 : 34 - (uint32_t)__builtin_clz(count - 1);
}

uint32_t d3_voxel_run_size(uint32_t class)
{
	return class < 6 ? 2 * (class + 1) : 1u << (class - 2);
}

/* Takes room for `count` triangles in a row; NONE: no memory. */
static uint32_t run_take(struct memory *memory, struct d3_voxels *voxels, uint32_t count)
{
	uint32_t class = d3_voxel_run_class(count), size = d3_voxel_run_size(class), first = voxels->free_runs[class];
	if (first != NONE) {
		voxels->free_runs[class] = voxels->triangles.data[first].neighbors[0];
		return first;
	}
	first = voxels->triangles.count;
	if (first >= (uint32_t)VOXEL_INDEX - size || !array_reserve(memory, &voxels->triangles, first + size))
		return NONE;
	for (uint32_t i = 0; i < size; ++i)
		array_push(&voxels->triangles, (struct voxel_triangle){.cell = NONE});
	return first;
}

static void run_give(struct d3_voxels *voxels, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; ++i)
		voxels->triangles.data[i].cell = NONE;
	voxels->triangles.data[first].neighbors[0] = voxels->free_runs[d3_voxel_run_class(count)];
	voxels->free_runs[d3_voxel_run_class(count)] = first;
}

/* Lets the neighbours of the cell's triangles look for others, and gives up the triangles. */
static void cell_bare(struct d3_voxels *voxels, const struct voxel_cell *cell)
{
	for (uint32_t i = cell->first; i < cell->first + cell->count; ++i)
		for (int k = 0; k < 3; ++k) {
			uint32_t neighbor = voxels->triangles.data[i].neighbors[k];
			for (int n = 0; neighbor < VOXEL_STALE && n < 3; ++n)
				if (voxels->triangles.data[neighbor].neighbors[n] == i)
					voxels->triangles.data[neighbor].neighbors[n] = VOXEL_STALE;
		}
	run_give(voxels, cell->first, cell->count);
}

static void cell_give(struct d3_voxels *voxels, uint32_t id)
{
	voxels->cells.data[id].block = voxels->free_cell;
	voxels->free_cell = id;
}

/* --- The octree ----------------------------------------------------------------------------------------------------------- */

static voxel_link *link_of(struct d3_voxels *voxels, uint32_t block, uint32_t slot)
{
	return block == NONE ? &voxels->root : &voxels->blocks.data[block].links[slot];
}

/* The level of the least cube with both cells. */
static uint32_t common_level(const uint32_t a[3], const uint32_t b[3])
{
	uint32_t bits = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]);
	return bits > 0 ? 32 - (uint32_t)__builtin_clz(bits) : 0;
}

/* Puts a block of the level around what is in the slot, a block. Returns the new one. */
static uint32_t block_wrap(struct d3_voxels *voxels, uint32_t parent, uint32_t slot, uint32_t level)
{
	voxel_link *link = link_of(voxels, parent, slot);
	uint32_t inner = *link & VOXEL_INDEX,
			 id = block_take(voxels, voxels->blocks.data[inner].at, level, parent, slot, VOXEL_EMPTY);
	struct voxel_block *block = &voxels->blocks.data[id], *within = &voxels->blocks.data[inner];
	uint32_t own = voxel_slot(block, within->at);
	block->links[own] = *link;
	block->lower = within->lower;
	block->upper = within->upper;
	within->parent = id;
	within->slot = own;
	*link = VOXEL_BLOCK | id;
	return id;
}

static void include(struct d3_vec *lower, struct d3_vec *upper, const struct d3_vec *low, const struct d3_vec *high)
{
	bool first = lower->x > upper->x;
	if (low->x > high->x)
		return;
	*lower = first ? *low : d3_min(*lower, *low);
	*upper = first ? *high : d3_max(*upper, *high);
}

/* Renews the AABB of the block. False: it is as it was. */
static bool block_fit(struct d3_voxels *voxels, struct voxel_block *block)
{
	struct d3_vec lower = {1, 1, 1}, upper = {-1, -1, -1};
	for (int i = 0; i < 8; ++i) {
		uint32_t index = block->links[i] & VOXEL_INDEX, tag = block->links[i] & VOXEL_TAG;
		if (tag == VOXEL_BLOCK)
			include(&lower, &upper, &voxels->blocks.data[index].lower, &voxels->blocks.data[index].upper);
		else if (tag == VOXEL_CELL)
			include(&lower, &upper, &voxels->cells.data[index].lower, &voxels->cells.data[index].upper);
	}
	bool changed = memcmp(&lower, &block->lower, sizeof lower) != 0 || memcmp(&upper, &block->upper, sizeof upper) != 0;
	block->lower = lower;
	block->upper = upper;
	return changed;
}

/* Replaces a block of nothing, of one value or with one block inside by that. False: nothing has changed. */
static bool block_tidy(struct d3_voxels *voxels, uint32_t id)
{
	struct voxel_block *block = &voxels->blocks.data[id];
	voxel_link *link = link_of(voxels, block->parent, block->slot), last = VOXEL_EMPTY;
	uint32_t count = 0, level = block->parent == NONE ? LEVELS : voxels->blocks.data[block->parent].level - 1;
	bool same = true;
	for (int i = 0; i < 8; ++i) {
		same &= block->links[i] == block->links[0];
		count += block->links[i] != VOXEL_EMPTY;
		last = block->links[i] != VOXEL_EMPTY ? block->links[i] : last;
	}
	bool uniform = same && (last & VOXEL_TAG) == VOXEL_VALUE && block->level == level;
	if (count > 0 && !uniform && (count > 1 || (last & VOXEL_TAG) != VOXEL_BLOCK))
		return block_fit(voxels, block);
	if (!uniform && count == 1) {
		voxels->blocks.data[last & VOXEL_INDEX].parent = block->parent;
		voxels->blocks.data[last & VOXEL_INDEX].slot = block->slot;
	}
	*link = last;
	block_give(voxels, id);
	return true;
}

/* After a change in the block. */
static void blocks_tidy(struct d3_voxels *voxels, uint32_t id)
{
	while (id != NONE) {
		uint32_t parent = voxels->blocks.data[id].parent;
		if (!block_tidy(voxels, id))
			return;
		id = parent;
	}
}

/* The link of a cell, made if needed, in the block *out. */
static voxel_link *cell_link(struct d3_voxels *voxels, const uint32_t at[3], uint32_t *out)
{
	uint32_t parent = NONE, slot = 0, level = LEVELS;
	while (level > 0) {
		voxel_link *link = link_of(voxels, parent, slot);
		uint32_t tag = *link & VOXEL_TAG;
		if (tag == VOXEL_EMPTY)
			*link = VOXEL_BLOCK | block_take(voxels, at, 1, parent, slot, VOXEL_EMPTY);
		else if (tag == VOXEL_VALUE)
			*link = VOXEL_BLOCK | block_take(voxels, at, level, parent, slot, *link);
		else if (!voxel_block_has(&voxels->blocks.data[*link & VOXEL_INDEX], at))
			block_wrap(voxels, parent, slot, common_level(voxels->blocks.data[*link & VOXEL_INDEX].at, at));
		parent = *link & VOXEL_INDEX;
		slot = voxel_slot(&voxels->blocks.data[parent], at);
		level = voxels->blocks.data[parent].level - 1;
	}
	*out = parent;
	return link_of(voxels, parent, slot);
}

/* Gives up all that is in the link. */
static void link_clear(struct d3_voxels *voxels, voxel_link link)
{
	uint32_t index = link & VOXEL_INDEX;
	if ((link & VOXEL_TAG) == VOXEL_CELL) {
		cell_bare(voxels, &voxels->cells.data[index]);
		cell_give(voxels, index);
	} else if ((link & VOXEL_TAG) == VOXEL_BLOCK) {
		for (int i = 0; i < 8; ++i)
			link_clear(voxels, voxels->blocks.data[index].links[i]);
		block_give(voxels, index);
	}
}

/* --- Setting a box of cells ----------------------------------------------------------------------------------------------- */

struct fill {
	uint32_t low[3], high[3];
	voxel_link value;
};

/* The cells of the box in a cube; false: none. */
static bool fill_clip(const struct fill *fill, const uint32_t at[3], uint32_t level, uint32_t low[3], uint32_t high[3])
{
	for (int a = 0; a < 3; ++a) {
		uint32_t end = at[a] + (1u << level) - 1;
		low[a] = fill->low[a] > at[a] ? fill->low[a] : at[a];
		high[a] = fill->high[a] < end ? fill->high[a] : end;
		if (low[a] > high[a])
			return false;
	}
	return true;
}

/* Whether the cells are all of a cube of this level. */
static bool is_cube(const uint32_t low[3], const uint32_t high[3], uint32_t level)
{
	for (int a = 0; a < 3; ++a)
		if (low[a] != low[a] >> level << level || high[a] - low[a] != (1u << level) - 1)
			return false;
	return true;
}

/* The block, made if needed, in the slot for a cube, in which the cells from low to high of the cube are to be set; NONE:
 * nothing is to be done. */
static uint32_t fill_block(struct d3_voxels *voxels, const struct fill *fill, uint32_t parent, uint32_t slot, uint32_t level,
	const uint32_t low[3], const uint32_t high[3])
{
	voxel_link *link = link_of(voxels, parent, slot);
	uint32_t tag = *link & VOXEL_TAG, inner = *link & VOXEL_INDEX;
	if (*link == fill->value)
		return NONE;
	if (tag == VOXEL_BLOCK) {
		const struct voxel_block *block = &voxels->blocks.data[inner];
		uint32_t in_low[3], in_high[3];
		bool meets = fill_clip(fill, block->at, block->level, in_low, in_high);
		if (fill->value == VOXEL_EMPTY)
			return meets ? inner : NONE;
		if (!meets || !is_cube(in_low, in_high, block->level)) {
			if (voxel_block_has(block, low) && voxel_block_has(block, high))
				return inner;
			uint32_t a = common_level(block->at, low), b = common_level(block->at, high);
			return block_wrap(voxels, parent, slot, a > b ? a : b);
		}
		link_clear(voxels, *link); /* all of it is overwritten, and more */
		*link = VOXEL_EMPTY;
		tag = VOXEL_EMPTY;
	}
	uint32_t least = level;
	if (tag == VOXEL_EMPTY) {
		least = common_level(low, high);
		least += is_cube(low, high, least);
	}
	uint32_t id = block_take(voxels, low, least, parent, slot, *link);
	*link_of(voxels, parent, slot) = VOXEL_BLOCK | id;
	return id;
}

/* Sets the cells of the box in the cube of a slot. */
static void fill_cube(
	struct d3_voxels *voxels, const struct fill *fill, uint32_t parent, uint32_t slot, const uint32_t at[3], uint32_t level)
{
	uint32_t low[3], high[3];
	if (!fill_clip(fill, at, level, low, high))
		return;
	if (is_cube(low, high, level)) {
		voxel_link *link = link_of(voxels, parent, slot);
		link_clear(voxels, *link);
		*link = fill->value;
		return;
	}
	uint32_t id = fill_block(voxels, fill, parent, slot, level, low, high);
	if (id == NONE)
		return;
	for (uint32_t i = 0; i < 8; ++i) {
		const struct voxel_block *block = &voxels->blocks.data[id];
		uint32_t half = block->level - 1;
		const uint32_t corner[3] = {
			block->at[0] + ((i & 1) << half), block->at[1] + ((i >> 1 & 1) << half), block->at[2] + ((i >> 2 & 1) << half)};
		fill_cube(voxels, fill, id, i, corner, half);
	}
	block_tidy(voxels, id);
}

/* --- New faces ------------------------------------------------------------------------------------------------------------ */

/* A cube of cells and those around it, as they will be after the edit. */
struct tile {
	uint32_t at[3], size[3]; /* without those around it */
	voxel_link links[TILE + 2][TILE + 2][TILE + 2]; /* as they are now; last axis first */
	uint16_t values[TILE + 2][TILE + 2][TILE + 2];
	const struct d3_voxel_solid *solids[TILE + 2][TILE + 2][TILE + 2];
};

static void edit_places(const struct d3_voxels_edit *edit, uint32_t low[3], uint32_t high[3])
{
	const struct d3_voxel *a = &edit->cells.low, *b = &edit->cells.high;
	const int32_t from[3] = {a->i, a->j, a->k}, to[3] = {b->i, b->j, b->k};
	for (int axis = 0; axis < 3; ++axis) {
		low[axis] = (uint32_t)(from[axis] + D3_VOXEL_MOST);
		high[axis] = (uint32_t)(to[axis] + D3_VOXEL_MOST);
	}
}

/* Widens the box by some cells, within the lattice. */
static void places_widen(uint32_t low[3], uint32_t high[3], uint32_t by)
{
	for (int a = 0; a < 3; ++a) {
		low[a] = low[a] > by ? low[a] - by : 0;
		high[a] = high[a] + by < 1u << LEVELS ? high[a] + by : (1u << LEVELS) - 1;
	}
}

static bool place_within(const uint32_t at[3], const uint32_t low[3], const uint32_t high[3])
{
	return at[0] >= low[0] && at[0] <= high[0] && at[1] >= low[1] && at[1] <= high[1] && at[2] >= low[2] && at[2] <= high[2];
}

static void tile_read(const struct d3_voxels *voxels, const struct fill *fill, uint16_t value, struct tile *tile)
{
	for (uint32_t z = 0; z < tile->size[2] + 2; ++z)
		for (uint32_t y = 0; y < tile->size[1] + 2; ++y)
			for (uint32_t x = 0; x < tile->size[0] + 2; ++x) {
				const uint32_t at[3] = {tile->at[0] + x - 1, tile->at[1] + y - 1, tile->at[2] + z - 1};
				voxel_link link = voxel_find(voxels, at);
				uint16_t now = place_within(at, fill->low, fill->high) ? value : voxel_link_value(voxels, link);
				tile->links[z][y][x] = link;
				tile->values[z][y][x] = now;
				tile->solids[z][y][x] = voxel_solid(voxels, now);
			}
}

/* Whether the cell has these triangles. */
static bool cell_has(
	const struct d3_voxels *voxels, const struct voxel_cell *cell, const struct voxel_draft *drafts, uint32_t count)
{
	for (uint32_t i = 0; cell->count == count && i < count; ++i)
		if (memcmp(voxels->triangles.data[cell->first + i].local, drafts[i].p, sizeof drafts[i].p) != 0)
			return false;
	return cell->count == count;
}

/* Writes the triangles of a cell, which are not in use before d3_voxels_apply, and adds them to the changes. */
static void change_add(struct d3_voxels *voxels, const struct voxel_change *change, const struct voxel_draft *drafts)
{
	for (uint32_t i = 0; i < change->count; ++i) {
		struct voxel_triangle *triangle = &voxels->triangles.data[change->first + i];
		*triangle = (struct voxel_triangle){.neighbors = {VOXEL_STALE, VOXEL_STALE, VOXEL_STALE}, .cell = NONE};
		memcpy(triangle->local, drafts[i].p, sizeof triangle->local);
		for (int k = 0; k < 3; ++k)
			triangle->corners[k] = voxel_point(voxels, change->at, drafts[i].p[k]);
	}
	array_push(&voxels->changes, *change);
}

/* Makes the triangles of a cell. False: no memory. */
static bool change_make(struct memory *memory, struct d3_voxels *voxels, const uint32_t at[3], uint16_t value,
	const struct voxel_draft *drafts, uint32_t count)
{
	struct voxel_change change = {{at[0], at[1], at[2]}, NONE, (uint16_t)count, value};
	if (!array_reserve(memory, &voxels->changes, voxels->changes.count + 1))
		return false;
	if (count > 0 && (change.first = run_take(memory, voxels, count)) == NONE)
		return false;
	change_add(voxels, &change, drafts);
	return true;
}

/* Makes the faces of the tile's cells that change. */
static bool tile_prepare(struct memory *memory, struct d3_voxels *voxels, const struct fill *fill, const struct tile *tile)
{
	struct voxel_draft drafts[VOXEL_DRAFTS];
	for (uint32_t z = 1; z <= tile->size[2]; ++z)
		for (uint32_t y = 1; y <= tile->size[1]; ++y)
			for (uint32_t x = 1; x <= tile->size[0]; ++x) {
				const uint32_t at[3] = {tile->at[0] + x - 1, tile->at[1] + y - 1, tile->at[2] + z - 1};
				const struct d3_voxel_solid *around[27];
				voxel_link link = tile->links[z][y][x];
				bool faced = (link & VOXEL_TAG) == VOXEL_CELL, inside = place_within(at, fill->low, fill->high);
				uint32_t count = 0;
				if (tile->solids[z][y][x] != NULL) {
					for (uint32_t i = 0; i < 9; ++i)
						memcpy(around + 3 * i, &tile->solids[z - 1 + i / 3][y - 1 + i % 3][x - 1], 3 * sizeof *around);
					count = d3_voxel_faces(around, drafts);
				}
				if (inside      ? count == 0
						: faced ? cell_has(voxels, &voxels->cells.data[link & VOXEL_INDEX], drafts, count)
								: count == 0)
					continue;
				if (!change_make(memory, voxels, at, tile->values[z][y][x], drafts, count))
					return false;
			}
	return true;
}

/* Upper bound on the blocks that the edit of a box makes: the cubes of all levels that meet the box, less those within `inner`,
 * where all is of one value. */
static uint64_t blocks_needed(
	const uint32_t low[3], const uint32_t high[3], const uint32_t inner_low[3], const uint32_t inner_high[3])
{
	uint64_t sum = 0;
	for (uint32_t level = 1; level <= LEVELS; ++level) {
		uint64_t all = 1, inner = 1;
		for (int a = 0; a < 3; ++a) {
			uint32_t from = (inner_low[a] + (1u << level) - 1) >> level, to = (inner_high[a] + 1) >> level;
			all *= (high[a] >> level) - (low[a] >> level) + 1;
			inner *= to > from ? to - from : 0;
		}
		sum += all - inner;
	}
	return sum;
}

static void fill_of(const struct d3_voxels_edit *edit, struct fill *out)
{
	edit_places(edit, out->low, out->high);
	out->value = edit->value > 0 ? VOXEL_VALUE | edit->value : VOXEL_EMPTY;
}

bool d3_voxels_prepare(struct d3_shape *shape, const struct d3_voxels_edit *edit)
{
	struct d3_voxels *voxels = shape->voxels;
	struct memory *memory = shape->memory;
	const struct d3_voxel_solid *solid = voxel_solid(voxels, edit->value);
	struct fill fill;
	struct tile tile;
	uint32_t low[3], high[3], inner_low[3], inner_high[3];
	fill_of(edit, &fill);
	memcpy(low, fill.low, sizeof low);
	memcpy(high, fill.high, sizeof high);
	places_widen(low, high, 1);
	for (int a = 0; a < 3; ++a) { /* cells that are like all around them; of slopes each has faces */
		inner_low[a] = fill.low[a] + 1;
		inner_high[a] = (solid && !solid->full) || fill.high[a] == 0 ? 0 : fill.high[a] - 1;
	}
	array_empty(memory, &voxels->changes);
	bool done = true;
	for (tile.at[2] = low[2]; done && tile.at[2] <= high[2]; tile.at[2] += TILE)
		for (tile.at[1] = low[1]; done && tile.at[1] <= high[1]; tile.at[1] += TILE)
			for (tile.at[0] = low[0]; done && tile.at[0] <= high[0]; tile.at[0] += TILE) {
				uint32_t last[3];
				for (int a = 0; a < 3; ++a) {
					last[a] = tile.at[a] + TILE - 1 < high[a] ? tile.at[a] + TILE - 1 : high[a];
					tile.size[a] = last[a] - tile.at[a] + 1;
				}
				if (place_within(tile.at, inner_low, inner_high) && place_within(last, inner_low, inner_high))
					continue;
				tile_read(voxels, &fill, edit->value, &tile);
				done = tile_prepare(memory, voxels, &fill, &tile);
			}
	uint64_t blocks = voxels->blocks.count + blocks_needed(low, high, inner_low, inner_high);
	uint64_t cells = (uint64_t)voxels->cells.count + voxels->changes.count;
	done = done && blocks < VOXEL_INDEX && cells < VOXEL_INDEX && array_reserve(memory, &voxels->blocks, (uint32_t)blocks) &&
		array_reserve(memory, &voxels->cells, (uint32_t)cells);
	if (!done)
		d3_voxels_abandon(shape);
	return done;
}

void d3_voxels_abandon(struct d3_shape *shape)
{
	struct d3_voxels *voxels = shape->voxels;
	for (uint32_t i = 0; i < voxels->changes.count; ++i)
		if (voxels->changes.data[i].count > 0)
			run_give(voxels, voxels->changes.data[i].first, voxels->changes.data[i].count);
	array_empty(shape->memory, &voxels->changes);
}

/* The AABB is that of the cell, so that shapes inside it find its faces. */
static void cell_fit(const struct d3_voxels *voxels, struct voxel_cell *cell)
{
	static const int16_t low[3] = {0, 0, 0}, high[3] = {D3_VOXEL_UNIT, D3_VOXEL_UNIT, D3_VOXEL_UNIT};
	cell->lower = voxel_point(voxels, cell->at, low);
	cell->upper = voxel_point(voxels, cell->at, high);
}

static void change_apply(struct d3_voxels *voxels, const struct voxel_change *change)
{
	uint32_t block, id;
	voxel_link *link = cell_link(voxels, change->at, &block);
	bool faced = (*link & VOXEL_TAG) == VOXEL_CELL;
	id = faced ? *link & VOXEL_INDEX : NONE;
	if (faced)
		cell_bare(voxels, &voxels->cells.data[id]);
	if (change->count == 0) {
		cell_give(voxels, id);
		*link = VOXEL_VALUE | change->value;
	} else {
		id = faced ? id : cell_take(voxels);
		struct voxel_cell *cell = &voxels->cells.data[id];
		*cell = (struct voxel_cell){{change->at[0], change->at[1], change->at[2]}, block, 0, change->first, change->count,
			change->value, true, {0, 0, 0}, {0, 0, 0}};
		for (uint32_t i = 0; i < cell->count; ++i)
			voxels->triangles.data[cell->first + i].cell = id;
		cell_fit(voxels, cell);
		*link = VOXEL_CELL | id;
	}
	blocks_tidy(voxels, block);
}

static void changes_apply(struct d3_shape *shape, const uint32_t low[3], const uint32_t high[3])
{
	struct d3_voxels *voxels = shape->voxels;
	for (uint32_t i = 0; i < voxels->changes.count; ++i)
		change_apply(voxels, &voxels->changes.data[i]);
	d3_voxels_link(voxels, low, high);
	for (uint32_t i = 0; i < voxels->changes.count; ++i) {
		voxel_link link = voxel_find(voxels, voxels->changes.data[i].at);
		if ((link & VOXEL_TAG) == VOXEL_CELL)
			voxels->cells.data[link & VOXEL_INDEX].changed = false;
	}
	array_empty(shape->memory, &voxels->changes);
}

static const uint32_t lattice_low[3] = {0, 0, 0},
					  lattice_high[3] = {(1u << LEVELS) - 1, (1u << LEVELS) - 1, (1u << LEVELS) - 1};

void d3_voxels_apply(struct d3_shape *shape, const struct d3_voxels_edit *edit)
{
	struct fill fill;
	fill_of(edit, &fill);
	fill_cube(shape->voxels, &fill, NONE, 0, lattice_low, LEVELS);
	places_widen(fill.low, fill.high, 2);
	changes_apply(shape, fill.low, fill.high);
}

/* --- Reading archives ----------------------------------------------------------------------------------------------------- */

bool d3_voxels_place(struct d3_shape *shape, const uint32_t at[3], uint32_t level, uint16_t value)
{
	struct fill fill = {.value = VOXEL_VALUE | value};
	for (int a = 0; a < 3; ++a) {
		fill.low[a] = at[a];
		fill.high[a] = at[a] + (1u << level) - 1;
	}
	if (!array_reserve(shape->memory, &shape->voxels->blocks, shape->voxels->blocks.count + 2 * LEVELS))
		return false;
	fill_cube(shape->voxels, &fill, NONE, 0, lattice_low, LEVELS);
	return true;
}

bool d3_voxels_face(struct d3_shape *shape, const uint32_t at[3], uint32_t first, bool *fits)
{
	struct d3_voxels *voxels = shape->voxels;
	struct voxel_draft drafts[VOXEL_DRAFTS];
	const struct d3_voxel_solid *around[27];
	for (uint32_t i = 0; i < 27; ++i) {
		const uint32_t next[3] = {at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1};
		around[i] = voxel_solid(voxels, voxel_link_value(voxels, voxel_find(voxels, next)));
	}
	uint32_t count = d3_voxel_faces(around, drafts);
	struct voxel_change change = {
		{at[0], at[1], at[2]}, first, (uint16_t)count, voxel_link_value(voxels, voxel_find(voxels, at))};
	*fits = count > 0 && first + (uint64_t)d3_voxel_run_size(d3_voxel_run_class(count)) <= voxels->triangles.count;
	for (uint32_t i = 0; *fits && i < d3_voxel_run_size(d3_voxel_run_class(count)); ++i) {
		*fits &= voxels->triangles.data[first + i].edges == 0; /* marks used ones until all are linked */
		voxels->triangles.data[first + i].edges = 1;
	}
	if (!*fits)
		return true;
	uint32_t blocks = voxels->blocks.count + (voxels->changes.count + 1) * LEVELS;
	if (!array_reserve(shape->memory, &voxels->changes, voxels->changes.count + 1) ||
		!array_reserve(shape->memory, &voxels->cells, voxels->changes.count + 1) ||
		!array_reserve(shape->memory, &voxels->blocks, blocks))
		return false;
	change_add(voxels, &change, drafts);
	for (uint32_t i = 0; i < count; ++i)
		voxels->triangles.data[first + i].edges = 1;
	return true;
}

void d3_voxels_finish(struct d3_shape *shape)
{
	changes_apply(shape, lattice_low, lattice_high);
}
