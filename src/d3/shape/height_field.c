/* height_field.c - height fields as shapes.
 * The tree over the cells is not stored. Node n has the children 2 n + 1 and 2 n + 2, as in a heap. Each level halves the cells
 * along the longer side until both sides have the same number of halvings left, then by rows and columns in turn, so that the
 * steps down to a cell, read as bits, are its Morton code. If the cell counts are not powers of two, empty halves are left out.
 * A node's block of cells is computed from its number. Height ranges are stored for blocks of four cells and more; for smaller
 * blocks the heights are read. See shape.h for threads. */
#include "d3/shape/shape_parts.h"

#include <assert.h>

/* Block of cells of a node: its position among the equal blocks of its level, and the halvings left in it by columns and
 * rows. */
struct block {
	uint32_t column, row; /* in blocks */
	uint32_t column_bits, row_bits;
};

/* Number of halvings, rounding up, that reduce the cells to one. */
static uint32_t halvings(uint32_t cells)
{
	return cells > 1 ? 32 - (uint32_t)__builtin_clz(cells - 1) : 0;
}

/* Splits the halvings left into columns and rows. The last halving is by columns; backwards from the last, columns and rows
 * alternate, until the shorter side has no more. */
static void share(const struct d3_height_field *terrain, uint32_t left, uint32_t *column_bits, uint32_t *row_bits)
{
	uint32_t columns = halvings(terrain->columns - 1);
	uint32_t rows = halvings(terrain->rows - 1);
	uint32_t least = columns < rows ? columns : rows;
	*column_bits = (left + 1) / 2;
	*row_bits = left / 2;
	if (left > 2 * least) {
		*column_bits = columns > rows ? left - least : least;
		*row_bits = columns > rows ? least : left - least;
	}
}

/* Gathers every other bit of x, from the lowest on. */
static uint32_t every_other(uint32_t x)
{
	x &= 0x55555555;
	x = (x | x >> 1) & 0x33333333;
	x = (x | x >> 2) & 0x0f0f0f0f;
	x = (x | x >> 4) & 0x00ff00ff;
	return (x | x >> 8) & 0x0000ffff;
}

static struct block block_of(const struct d3_height_field *terrain, uint32_t node)
{
	uint32_t depth = 31 - (uint32_t)__builtin_clz(node + 1), left = terrain->levels - depth;
	uint64_t code = (uint64_t)(node + 1 - (1u << depth)) << left; /* Morton code of the first cell */
	uint32_t columns = halvings(terrain->columns - 1);
	uint32_t rows = halvings(terrain->rows - 1);
	uint32_t least = columns < rows ? columns : rows;
	uint32_t low = (uint32_t)(code & (((uint64_t)1 << 2 * least) - 1)), high = (uint32_t)(code >> 2 * least) << least;
	uint32_t column = every_other(low) | (columns > rows ? high : 0), row = every_other(low >> 1) | (columns > rows ? 0 : high);
	struct block block;
	share(terrain, left, &block.column_bits, &block.row_bits);
	block.column = column >> block.column_bits;
	block.row = row >> block.row_bits;
	return block;
}

/* Number of blocks of a level along one axis. */
static uint32_t blocks_along(uint32_t cells, uint32_t bits)
{
	return (uint32_t)(((uint64_t)cells + ((uint64_t)1 << bits) - 1) >> bits);
}

static uint32_t least_of(uint64_t a, uint32_t b)
{
	return a < b ? (uint32_t)a : b;
}

static bool hole_cell(const struct d3_height_field *terrain, uint32_t column, uint32_t row)
{
	return terrain->materials.of != NULL && terrain->materials.of[(size_t)row * (terrain->columns - 1) + column] == D3_HOLE;
}

bool d3_height_field_hole(const struct d3_height_field *terrain, uint32_t child)
{
	return terrain->materials.of != NULL && terrain->materials.of[child / 2] == D3_HOLE;
}

/* Height range of the block's cells; least > most if all are holes. */
static struct d3_range height_range(const struct d3_height_field *terrain, const struct block *block)
{
	uint32_t first_column = block->column << block->column_bits, first_row = block->row << block->row_bits;
	uint32_t last_column = least_of((uint64_t)first_column + (1u << block->column_bits), terrain->columns - 1);
	uint32_t last_row = least_of((uint64_t)first_row + (1u << block->row_bits), terrain->rows - 1);
	struct d3_range range = {INFINITY, -INFINITY};
	for (uint32_t k = first_row; k < last_row; ++k) {
		const float *row = terrain->heights + (size_t)k * terrain->columns, *next = row + terrain->columns;
		for (uint32_t i = first_column; i < last_column; ++i) {
			if (hole_cell(terrain, i, k))
				continue;
			range.least = min_f(range.least, min_f(min_f(row[i], row[i + 1]), min_f(next[i], next[i + 1])));
			range.most = max_f(range.most, max_f(max_f(row[i], row[i + 1]), max_f(next[i], next[i + 1])));
		}
	}
	return range;
}

static struct d3_range block_range(const struct d3_height_field *terrain, const struct block *block)
{
	uint32_t level = block->column_bits + block->row_bits;
	if (level < 2)
		return height_range(terrain, block);
	uint32_t across = blocks_along(terrain->columns - 1, block->column_bits);
	return terrain->ranges[terrain->starts[level] + (size_t)block->row * across + block->column];
}

/* AABB of a block. False: all its cells are holes. */
static bool block_box(
	const struct d3_height_field *terrain, const struct block *block, struct d3_vec *lower, struct d3_vec *upper)
{
	struct d3_range range = block_range(terrain, block);
	uint32_t column = block->column << block->column_bits, row = block->row << block->row_bits;
	uint32_t last_column = least_of((uint64_t)column + (1u << block->column_bits), terrain->columns - 1);
	uint32_t last_row = least_of((uint64_t)row + (1u << block->row_bits), terrain->rows - 1);
	double x = terrain->x + column * terrain->cell_width, last_x = terrain->x + last_column * terrain->cell_width;
	double z = terrain->z + row * terrain->cell_depth, last_z = terrain->z + last_row * terrain->cell_depth;
	float y = range.least * terrain->rise, last_y = range.most * terrain->rise;
	*lower = (struct d3_vec){round_down_f(min_d(x, last_x)), min_f(y, last_y), round_down_f(min_d(z, last_z))};
	*upper = (struct d3_vec){round_up_f(max_d(x, last_x)), max_f(y, last_y), round_up_f(max_d(z, last_z))};
	return range.least <= range.most;
}

bool d3_height_field_box(const struct d3_height_field *terrain, const struct d3_height_field_block *block, struct d3_vec *lower,
	struct d3_vec *upper)
{
	uint32_t column_bits = terrain->column_bits[block->level], row_bits = block->level - column_bits;
	struct block own = {block->column >> column_bits, block->row >> row_bits, column_bits, row_bits};
	return block_box(terrain, &own, lower, upper);
}

uint32_t d3_height_field_halves(
	const struct d3_height_field *terrain, const struct d3_height_field_block *block, struct d3_height_field_block halves[2])
{
	uint32_t level = block->level - 1, column_bits = terrain->column_bits[level];
	halves[0] = halves[1] = (struct d3_height_field_block){block->column, block->row, level};
	if (column_bits < terrain->column_bits[block->level]) {
		halves[1].column += 1u << column_bits;
		return halves[1].column < terrain->columns - 1 ? 2 : 1;
	}
	halves[1].row += 1u << (level - column_bits);
	return halves[1].row < terrain->rows - 1 ? 2 : 1;
}

void d3_height_field_node(const struct d3_height_field *terrain, uint32_t node, struct d3_node *out)
{
	struct block block = block_of(terrain, node);
	uint32_t columns = terrain->columns - 1, rows = terrain->rows - 1, level = block.column_bits + block.row_bits;
	uint32_t column = block.column << block.column_bits, row = block.row << block.row_bits;
	bool solid = block_box(terrain, &block, &out->lower, &out->upper);
	out->leaf = level == 0;
	out->first = out->leaf ? 2 * (row * columns + column) : 2 * node + 1;
	out->count = 2;
	if (!solid) {
		out->lower.y = out->upper.y = 0;
		out->leaf = true;
		out->count = 0;
	}
	if (out->leaf)
		return;
	uint32_t column_bits, row_bits;
	share(terrain, level - 1, &column_bits, &row_bits);
	bool by_columns = column_bits < block.column_bits;
	uint64_t second = by_columns ? column + ((uint64_t)1 << column_bits) : row + ((uint64_t)1 << row_bits);
	if (second >= (by_columns ? columns : rows))
		out->count = 1;
}

/* --- Making --------------------------------------------------------------------------------------------------------------- */

static size_t height_count(const struct d3_height_field *terrain)
{
	return (size_t)terrain->columns * terrain->rows;
}

static size_t cell_count(const struct d3_height_field *terrain)
{
	return (size_t)(terrain->columns - 1) * (terrain->rows - 1);
}

/* Lays out the levels and returns the number of ranges. */
static size_t lay_levels(struct d3_height_field *terrain)
{
	size_t count = 0;
	terrain->levels = halvings(terrain->columns - 1) + halvings(terrain->rows - 1);
	assert(terrain->levels <= 30);
	for (uint32_t level = 0; level <= terrain->levels; ++level) {
		uint32_t column_bits, row_bits;
		share(terrain, level, &column_bits, &row_bits);
		terrain->column_bits[level] = (uint8_t)column_bits;
		if (level < 2)
			continue;
		terrain->starts[level] = (uint32_t)count;
		count += (size_t)blocks_along(terrain->columns - 1, column_bits) * blocks_along(terrain->rows - 1, row_bits);
	}
	return count;
}

void d3_height_field_free(struct memory *memory, struct d3_height_field *terrain)
{
	struct d3_height_field *owner = terrain->owner;
	if (terrain != owner)
		memory_free(memory, terrain, sizeof *terrain);
	if (--owner->references > 0)
		return;
	size_t ranges = lay_levels(owner);
	memory_free(memory, owner->heights, height_count(owner) * sizeof *owner->heights);
	memory_free(memory, owner->ranges, ranges * sizeof *owner->ranges);
	d3_materials_free(memory, &owner->materials, cell_count(owner));
	memory_free(memory, owner, sizeof *owner);
}

size_t d3_height_field_bytes(const struct d3_height_field *terrain)
{
	struct d3_height_field levels = *terrain;
	return sizeof *terrain + height_count(terrain) * sizeof *terrain->heights + lay_levels(&levels) * sizeof *terrain->ranges +
		d3_materials_bytes(&terrain->materials, cell_count(terrain));
}

struct d3_height_field *d3_height_field_share(
	struct memory *memory, const struct d3_height_field *terrain, struct d3_vec_d scale)
{
	struct d3_height_field *shared = memory_resize(memory, NULL, 0, sizeof *shared);
	if (shared == NULL)
		return NULL;
	*shared = *terrain;
	shared->x *= scale.x;
	shared->cell_width *= scale.x;
	shared->z *= scale.z;
	shared->cell_depth *= scale.z;
	shared->rise = (float)(shared->rise * scale.y);
	shared->mirrored ^= (scale.x < 0) ^ (scale.y < 0) ^ (scale.z < 0);
	++shared->owner->references;
	return shared;
}

/* Height range of a block from the ranges of its halves. */
static struct d3_range joined_range(const struct d3_height_field *terrain, const struct block *block)
{
	struct block half = *block;
	share(terrain, block->column_bits + block->row_bits - 1, &half.column_bits, &half.row_bits);
	bool by_columns = half.column_bits < block->column_bits;
	uint32_t *place = by_columns ? &half.column : &half.row;
	uint32_t blocks =
		by_columns ? blocks_along(terrain->columns - 1, half.column_bits) : blocks_along(terrain->rows - 1, half.row_bits);
	*place *= 2;
	struct d3_range range = block_range(terrain, &half);
	if (++*place < blocks) {
		struct d3_range other = block_range(terrain, &half);
		range = (struct d3_range){min_f(range.least, other.least), max_f(range.most, other.most)};
	}
	return range;
}

static void fill_ranges(struct d3_height_field *terrain)
{
	for (uint32_t level = 2; level <= terrain->levels; ++level) {
		struct block block;
		share(terrain, level, &block.column_bits, &block.row_bits);
		uint32_t across = blocks_along(terrain->columns - 1, block.column_bits);
		uint32_t down = blocks_along(terrain->rows - 1, block.row_bits);
		struct d3_range *out = terrain->ranges + terrain->starts[level];
		for (block.row = 0; block.row < down; ++block.row)
			for (block.column = 0; block.column < across; ++block.column)
				*out++ = joined_range(terrain, &block);
	}
}

static struct d3_height_field *new_height_field(struct memory *memory, const struct d3_height_field *given)
{
	struct d3_height_field *terrain = memory_zeroed(memory, sizeof *terrain);
	if (terrain == NULL)
		return NULL;
	*terrain = (struct d3_height_field){.x = given->x,
		.z = given->z,
		.cell_width = given->cell_width,
		.cell_depth = given->cell_depth,
		.columns = given->columns,
		.rows = given->rows,
		.rise = 1,
		.owner = terrain,
		.references = 1};
	size_t ranges = lay_levels(terrain);
	terrain->heights = memory_resize(memory, NULL, 0, height_count(terrain) * sizeof *terrain->heights);
	terrain->ranges = ranges ? memory_resize(memory, NULL, 0, ranges * sizeof *terrain->ranges) : NULL;
	bool materials = d3_materials_copy(memory, &terrain->materials, &given->materials, cell_count(terrain));
	if (terrain->heights == NULL || (ranges && terrain->ranges == NULL) || !materials) {
		d3_height_field_free(memory, terrain);
		return NULL;
	}
	memcpy(terrain->heights, given->heights, height_count(terrain) * sizeof *terrain->heights);
	if (terrain->ranges)
		fill_ranges(terrain);
	return terrain;
}

struct d3_shape *d3_height_field_create(struct memory *memory, const struct d3_height_field *terrain, bool one_sided)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_HEIGHT_FIELD);
	if (shape == NULL)
		return NULL;
	shape->one_sided = one_sided;
	shape->height_field = new_height_field(memory, terrain);
	if (shape->height_field == NULL) {
		d3_shape_release(shape);
		return NULL;
	}
	double sum = 0;
	for (size_t i = 0; i < height_count(terrain); ++i)
		sum += terrain->heights[i];
	shape->centroid = d3_narrow((struct d3_vec_d){terrain->x + 0.5 * (terrain->columns - 1) * terrain->cell_width,
		sum / (double)height_count(terrain), terrain->z + 0.5 * (terrain->rows - 1) * terrain->cell_depth});
	return shape;
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

uint32_t d3_height_field_child_count(const struct d3_height_field *terrain)
{
	return 2 * (terrain->columns - 1) * (terrain->rows - 1);
}

struct d3_vec d3_height_field_point(const struct d3_height_field *terrain, uint32_t point)
{
	return d3_height_field_at(terrain, point % terrain->columns, point / terrain->columns);
}

void d3_height_field_triangle(const struct d3_height_field *terrain, uint32_t child, uint32_t corners[3])
{
	uint32_t cell = child / 2, cells = terrain->columns - 1, point = cell / cells * terrain->columns + cell % cells;
	uint32_t across = child % 2 == 0 ? 1 : 2;
	across = terrain->mirrored ? 3 - across : across;
	corners[0] = point;
	corners[across] = point + terrain->columns + 1;
	corners[3 - across] = child % 2 == 0 ? point + 1 : point + terrain->columns;
}

/* Steps by columns and rows from a cell's first corner. */
struct steps {
	int8_t columns, rows;
};

/* For the even and the odd child, unmirrored: its corners; for each edge k the cell across it, which contains the neighbor, and
 * the neighbor's third corner. */
static const struct steps corner_steps[2][3] = {{{0, 0}, {1, 1}, {1, 0}}, {{0, 0}, {0, 1}, {1, 1}}};
static const struct steps cell_steps[2][3] = {{{0, 0}, {1, 0}, {0, -1}}, {{-1, 0}, {0, 1}, {0, 0}}};
static const struct steps third_steps[2][3] = {{{0, 1}, {2, 1}, {0, -1}}, {{-1, 0}, {1, 2}, {1, 0}}};

void d3_height_field_join(const struct d3_height_field *terrain, uint32_t child, struct d3_mesh_triangle *out)
{
	uint32_t columns = terrain->columns - 1, rows = terrain->rows - 1, column = child / 2 % columns, row = child / 2 / columns;
	struct d3_vec_d corners[3];
	assert(row < rows);
	for (int k = 0; k < 3; ++k) {
		struct steps steps = corner_steps[child & 1][terrain->mirrored && k > 0 ? 3 - k : k];
		uint32_t i = column + (uint32_t)steps.columns, j = row + (uint32_t)steps.rows;
		out->points[k] = j * terrain->columns + i;
		out->corners[k] = d3_height_field_at(terrain, i, j);
		corners[k] = d3_widen(out->corners[k]);
	}
	struct d3_vec_d normal = d3_cross_d(d3_sub_d(corners[1], corners[0]), d3_sub_d(corners[2], corners[0]));
	out->edges = 0;
	for (int k = 0; k < 3; ++k) {
		int edge = terrain->mirrored ? 2 - k : k;
		uint32_t there = column + (uint32_t)cell_steps[child & 1][edge].columns;
		uint32_t down = row + (uint32_t)cell_steps[child & 1][edge].rows;
		enum d3_edge kind = D3_EDGE_BOUNDARY;
		bool gentle = false;
		out->neighbors[k] = D3_NO_TRIANGLE;
		if (there < columns && down < rows && !hole_cell(terrain, there, down)) {
			struct steps third = third_steps[child & 1][edge];
			struct d3_vec p = d3_height_field_at(terrain, column + (uint32_t)third.columns, row + (uint32_t)third.rows);
			kind = d3_edge_kind(normal, corners[k], corners[(k + 1) % 3], d3_widen(p), &gentle);
			out->neighbors[k] = 2 * (down * columns + there) + !(child & 1);
		}
		out->edges |= d3_edge_bits(kind, gentle, k);
	}
}
