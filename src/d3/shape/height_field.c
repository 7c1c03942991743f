/* height_field.c - height fields as shapes.
 * The tree over the cells is not stored. Node n has the children 2 n + 1 and 2 n + 2, as in a heap, and its block of cells is
 * computed from its number. From the root down, the side with more halvings left is halved until both have the same number,
 * then rows and columns in turn. So the last steps down to a cell, read as bits, are the Morton code of its place. If the cell
 * counts are not powers of two, halves without cells are left out. Height ranges are stored for blocks of four cells and more
 * (from level 2 on); for smaller blocks the heights are read. See shape.h for threads. */
#include "d3/shape/shape_parts.h"

#include <assert.h>

/* How often the cells must be halved, rounding up, until one is left. */
static uint32_t halvings(uint32_t cells)
{
	return cells > 1 ? 32 - (uint32_t)__builtin_clz(cells - 1) : 0;
}

static uint32_t row_bits(const struct d3_height_field *field, uint32_t level)
{
	return level - field->column_bits[level];
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

static struct d3_height_field_block block_of(const struct d3_height_field *field, uint32_t node)
{
	uint32_t depth = 31 - (uint32_t)__builtin_clz(node + 1), level = field->levels - depth;
	uint64_t code = (uint64_t)(node + 1 - (1u << depth)) << level; /* Morton code of the first cell */
	uint32_t columns = field->column_bits[field->levels], rows = row_bits(field, field->levels);
	uint32_t least = columns < rows ? columns : rows;
	uint32_t low = (uint32_t)(code & (((uint64_t)1 << 2 * least) - 1)), high = (uint32_t)(code >> 2 * least) << least;
	return (struct d3_height_field_block){
		every_other(low) | (columns > rows ? high : 0), every_other(low >> 1) | (columns > rows ? 0 : high), level};
}

/* Number of blocks along one axis, along which each has 2^bits cells. */
static uint32_t blocks_along(uint32_t cells, uint32_t bits)
{
	return (uint32_t)(((uint64_t)cells + ((uint64_t)1 << bits) - 1) >> bits);
}

/* The end, along one axis, of a block that starts at cell `first`. */
static uint32_t end_along(uint32_t cells, uint32_t bits, uint32_t first)
{
	uint64_t end = (uint64_t)first + (1u << bits);
	return end < cells ? (uint32_t)end : cells;
}

static bool hole_cell(const struct d3_height_field *field, uint32_t column, uint32_t row)
{
	return field->materials.of != NULL && field->materials.of[(size_t)row * (field->columns - 1) + column] == MATERIALS_HOLE;
}

bool d3_height_field_hole(const struct d3_height_field *field, uint32_t child)
{
	return field->materials.of != NULL && field->materials.of[child / 2] == MATERIALS_HOLE;
}

/* Height range of the block's cells; least > most if all are holes. */
static struct d3_range height_range(const struct d3_height_field *field, const struct d3_height_field_block *block)
{
	uint32_t last_column = end_along(field->columns - 1, field->column_bits[block->level], block->column);
	uint32_t last_row = end_along(field->rows - 1, row_bits(field, block->level), block->row);
	struct d3_range range = {INFINITY, -INFINITY};
	for (uint32_t k = block->row; k < last_row; ++k) {
		const float *row = field->heights + (size_t)k * field->columns, *next = row + field->columns;
		for (uint32_t i = block->column; i < last_column; ++i) {
			if (hole_cell(field, i, k))
				continue;
			range.least = min_f(range.least, min_f(min_f(row[i], row[i + 1]), min_f(next[i], next[i + 1])));
			range.most = max_f(range.most, max_f(max_f(row[i], row[i + 1]), max_f(next[i], next[i + 1])));
		}
	}
	return range;
}

static struct d3_range block_range(const struct d3_height_field *field, const struct d3_height_field_block *block)
{
	uint32_t level = block->level, across = blocks_along(field->columns - 1, field->column_bits[level]);
	if (level < 2)
		return height_range(field, block);
	size_t row = block->row >> row_bits(field, level), column = block->column >> field->column_bits[level];
	return field->ranges[field->starts[level] + row * across + column];
}

bool d3_height_field_box(
	const struct d3_height_field *field, const struct d3_height_field_block *block, struct d3_vec *lower, struct d3_vec *upper)
{
	struct d3_range range = block_range(field, block);
	uint32_t last_column = end_along(field->columns - 1, field->column_bits[block->level], block->column);
	uint32_t last_row = end_along(field->rows - 1, row_bits(field, block->level), block->row);
	double x = field->x + block->column * field->cell_width, last_x = field->x + last_column * field->cell_width;
	double z = field->z + block->row * field->cell_depth, last_z = field->z + last_row * field->cell_depth;
	float y = range.least * field->rise, last_y = range.most * field->rise;
	*lower = (struct d3_vec){round_down_f(min_d(x, last_x)), min_f(y, last_y), round_down_f(min_d(z, last_z))};
	*upper = (struct d3_vec){round_up_f(max_d(x, last_x)), max_f(y, last_y), round_up_f(max_d(z, last_z))};
	return range.least <= range.most;
}

uint32_t d3_height_field_halves(
	const struct d3_height_field *field, const struct d3_height_field_block *block, struct d3_height_field_block halves[2])
{
	uint32_t level = block->level - 1, column_bits = field->column_bits[level];
	halves[0] = halves[1] = (struct d3_height_field_block){block->column, block->row, level};
	if (column_bits < field->column_bits[block->level]) {
		halves[1].column += 1u << column_bits;
		return halves[1].column < field->columns - 1 ? 2 : 1;
	}
	halves[1].row += 1u << (level - column_bits);
	return halves[1].row < field->rows - 1 ? 2 : 1;
}

void d3_height_field_node(const struct d3_height_field *field, uint32_t node, struct d3_node *out)
{
	struct d3_height_field_block block = block_of(field, node), halves[2];
	bool solid = d3_height_field_box(field, &block, &out->lower, &out->upper), cell = block.level == 0;
	out->leaf = cell || !solid;
	out->first = cell ? 2 * (block.row * (field->columns - 1) + block.column) : 2 * node + 1;
	out->count = cell ? 2 : (uint16_t)d3_height_field_halves(field, &block, halves);
	if (!solid) {
		out->lower.y = out->upper.y = 0;
		out->count = 0;
	}
}

/* --- Making --------------------------------------------------------------------------------------------------------------- */

static size_t height_count(const struct d3_height_field *field)
{
	return (size_t)field->columns * field->rows;
}

static size_t cell_count(const struct d3_height_field *field)
{
	return (size_t)(field->columns - 1) * (field->rows - 1);
}

/* Sets `levels`, `column_bits`, `starts` and `range_count`. The last halving, from level 1 to 0, is by columns, the one before
 * it by rows, and so on in turn until the shorter side has no halvings left; all earlier ones divide the longer side. */
static void lay_levels(struct d3_height_field *field)
{
	uint32_t columns = halvings(field->columns - 1), rows = halvings(field->rows - 1);
	uint32_t least = columns < rows ? columns : rows;
	field->levels = columns + rows;
	assert(field->levels <= 30);
	for (uint32_t level = 0; level <= field->levels; ++level) {
		uint32_t longer = columns > rows ? level - least : least;
		field->column_bits[level] = (uint8_t)(level > 2 * least ? longer : (level + 1) / 2);
		if (level < 2)
			continue;
		field->starts[level] = field->range_count;
		field->range_count +=
			blocks_along(field->columns - 1, field->column_bits[level]) * blocks_along(field->rows - 1, row_bits(field, level));
	}
}

void d3_height_field_free(struct memory *memory, struct d3_height_field *field)
{
	struct d3_height_field *owner = field->owner;
	if (field != owner)
		memory_free(memory, field, sizeof *field);
	if (--owner->references > 0)
		return;
	memory_free(memory, owner->heights, height_count(owner) * sizeof *owner->heights);
	memory_free(memory, owner->ranges, owner->range_count * sizeof *owner->ranges);
	materials_free(memory, &owner->materials, cell_count(owner));
	memory_free(memory, owner, sizeof *owner);
}

size_t d3_height_field_bytes(const struct d3_height_field *field)
{
	return sizeof *field + height_count(field) * sizeof *field->heights + field->range_count * sizeof *field->ranges +
		materials_bytes(&field->materials, cell_count(field));
}

struct d3_height_field *d3_height_field_share(struct memory *memory, const struct d3_height_field *field, struct d3_vec_d scale)
{
	struct d3_height_field *shared = memory_resize(memory, NULL, 0, sizeof *shared);
	if (shared == NULL)
		return NULL;
	*shared = *field;
	shared->x *= scale.x;
	shared->cell_width *= scale.x;
	shared->z *= scale.z;
	shared->cell_depth *= scale.z;
	shared->rise = (float)(shared->rise * scale.y);
	shared->mirrored ^= (scale.x < 0) ^ (scale.y < 0) ^ (scale.z < 0);
	++shared->owner->references;
	return shared;
}

/* The range of a block of level 2 or more, from those of its halves. */
static struct d3_range range_of_halves(const struct d3_height_field *field, const struct d3_height_field_block *block)
{
	struct d3_height_field_block halves[2];
	bool both = d3_height_field_halves(field, block, halves) == 2;
	struct d3_range a = block_range(field, &halves[0]), b = both ? block_range(field, &halves[1]) : a;
	return (struct d3_range){min_f(a.least, b.least), max_f(a.most, b.most)};
}

/* Sets the ranges of the blocks with cells from one column and row to another. */
static void set_ranges(
	struct d3_height_field *field, uint32_t first_column, uint32_t first_row, uint32_t last_column, uint32_t last_row)
{
	for (uint32_t level = 2; level <= field->levels; ++level) {
		uint32_t columns = field->column_bits[level], rows = row_bits(field, level);
		uint32_t across = blocks_along(field->columns - 1, columns);
		for (uint32_t row = first_row >> rows; row <= last_row >> rows; ++row)
			for (uint32_t column = first_column >> columns; column <= last_column >> columns; ++column) {
				struct d3_height_field_block block = {column << columns, row << rows, level};
				field->ranges[field->starts[level] + (size_t)row * across + column] = range_of_halves(field, &block);
			}
	}
}

static struct d3_height_field *new_height_field(struct memory *memory, const struct d3_height_field *given)
{
	struct d3_height_field *field = memory_zeroed(memory, sizeof *field);
	if (field == NULL)
		return NULL;
	*field = (struct d3_height_field){.x = given->x,
		.z = given->z,
		.cell_width = given->cell_width,
		.cell_depth = given->cell_depth,
		.columns = given->columns,
		.rows = given->rows,
		.rise = 1,
		.owner = field,
		.references = 1};
	lay_levels(field);
	field->heights = memory_resize(memory, NULL, 0, height_count(field) * sizeof *field->heights);
	field->ranges = memory_resize(memory, NULL, 0, field->range_count * sizeof *field->ranges);
	bool materials = materials_copy(memory, &field->materials, &given->materials, cell_count(field));
	if (field->heights == NULL || (field->range_count > 0 && field->ranges == NULL) || !materials) {
		d3_height_field_free(memory, field);
		return NULL;
	}
	memcpy(field->heights, given->heights, height_count(field) * sizeof *field->heights);
	set_ranges(field, 0, 0, field->columns - 2, field->rows - 2);
	return field;
}

struct d3_shape *d3_height_field_create(struct memory *memory, const struct d3_height_field *field, bool one_sided)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_HEIGHT_FIELD);
	if (shape == NULL)
		return NULL;
	shape->one_sided = one_sided;
	shape->height_field = new_height_field(memory, field);
	if (shape->height_field == NULL) {
		d3_shape_release(shape);
		return NULL;
	}
	double sum = 0;
	for (size_t i = 0; i < height_count(field); ++i)
		sum += field->heights[i];
	shape->centroid = d3_narrow((struct d3_vec_d){field->x + 0.5 * (field->columns - 1) * field->cell_width,
		sum / (double)height_count(field), field->z + 0.5 * (field->rows - 1) * field->cell_depth});
	return shape;
}

struct d3_shape *d3_height_field_copy(struct memory *memory, const struct d3_shape *shape)
{
	const struct d3_height_field *given = shape->height_field;
	struct d3_shape *copy = d3_shape_new(memory, D3_HEIGHT_FIELD);
	struct d3_height_field *field = copy ? new_height_field(memory, given->owner) : NULL;
	if (field != NULL && given != given->owner) { /* the scale stays beside the heights */
		struct d3_height_field *scaled = d3_height_field_share(memory, field, (struct d3_vec_d){1, 1, 1});
		d3_height_field_free(memory, field);
		field = scaled;
		if (scaled != NULL) {
			scaled->x = given->x;
			scaled->z = given->z;
			scaled->cell_width = given->cell_width;
			scaled->cell_depth = given->cell_depth;
			scaled->rise = given->rise;
			scaled->mirrored = given->mirrored;
		}
	}
	if (field == NULL) {
		if (copy)
			d3_shape_release(copy);
		return NULL;
	}
	field->own = true;
	copy->one_sided = shape->one_sided;
	copy->centroid = shape->centroid;
	copy->height_field = field;
	return copy;
}

void d3_height_field_edit(struct d3_shape *shape, const struct d3_heights_edit *edit)
{
	struct d3_height_field *field = (struct d3_height_field *)(uintptr_t)shape->height_field;
	uint32_t last_column = edit->column + edit->columns - 1, last_row = edit->row + edit->rows - 1;
	assert(field->own && last_column < field->columns && last_row < field->rows);
	for (uint32_t k = 0; k < edit->rows; ++k)
		for (uint32_t i = 0; i < edit->columns; ++i)
			field->heights[(size_t)(edit->row + k) * field->columns + edit->column + i] =
				edit->heights[(size_t)k * edit->columns + i] / field->rise;
	set_ranges(field, edit->column > 0 ? edit->column - 1 : 0, edit->row > 0 ? edit->row - 1 : 0,
		last_column < field->columns - 1 ? last_column : last_column - 1, last_row < field->rows - 1 ? last_row : last_row - 1);
}

bool d3_height_field_valid(const struct d3_height_field *field)
{
	for (uint32_t level = 2; field->own && level <= field->levels; ++level) {
		struct d3_height_field_block block = {.level = level};
		for (block.row = 0; block.row < field->rows - 1; block.row += 1u << row_bits(field, level))
			for (block.column = 0; block.column < field->columns - 1; block.column += 1u << field->column_bits[level]) {
				struct d3_range stored = block_range(field, &block), range = range_of_halves(field, &block);
				if (stored.least != range.least || stored.most != range.most)
					return false;
			}
	}
	return true;
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

uint32_t d3_height_field_child_count(const struct d3_height_field *field)
{
	return 2 * (field->columns - 1) * (field->rows - 1);
}

struct d3_vec d3_height_field_point(const struct d3_height_field *field, uint32_t point)
{
	return d3_height_field_at(field, point % field->columns, point / field->columns);
}

void d3_height_field_triangle(const struct d3_height_field *field, uint32_t child, uint32_t corners[3])
{
	uint32_t cell = child / 2, cells = field->columns - 1, point = cell / cells * field->columns + cell % cells;
	uint32_t across = child % 2 == 0 ? 1 : 2;
	across = field->mirrored ? 3 - across : across;
	corners[0] = point;
	corners[across] = point + field->columns + 1;
	corners[3 - across] = child % 2 == 0 ? point + 1 : point + field->columns;
}

/* Steps by columns and rows from a cell's first corner. */
struct steps {
	int8_t columns, rows;
};

/* Steps to the cell across each edge k, which contains the neighbor (cell_steps), and to the neighbor's third corner
 * (third_steps); of the even and of the odd child, unmirrored. */
static const struct steps cell_steps[2][3] = {{{0, 0}, {1, 0}, {0, -1}}, {{-1, 0}, {0, 1}, {0, 0}}};
static const struct steps third_steps[2][3] = {{{0, 1}, {2, 1}, {0, -1}}, {{-1, 0}, {1, 2}, {1, 0}}};

void d3_height_field_join(const struct d3_height_field *field, uint32_t child, struct d3_mesh_triangle *out)
{
	uint32_t columns = field->columns - 1, rows = field->rows - 1, column = child / 2 % columns, row = child / 2 / columns;
	assert(row < rows);
	d3_height_field_triangle(field, child, out->points);
	d3_height_field_corners(field, child, out->corners);
	struct d3_vec_d corners[3] = {d3_widen(out->corners[0]), d3_widen(out->corners[1]), d3_widen(out->corners[2])};
	struct d3_vec_d normal = d3_cross_d(d3_sub_d(corners[1], corners[0]), d3_sub_d(corners[2], corners[0]));
	out->edges = 0;
	for (int k = 0; k < 3; ++k) {
		int edge = field->mirrored ? 2 - k : k;
		uint32_t there = column + (uint32_t)cell_steps[child & 1][edge].columns;
		uint32_t down = row + (uint32_t)cell_steps[child & 1][edge].rows;
		enum d3_edge kind = D3_EDGE_BOUNDARY;
		bool gentle = false;
		out->neighbors[k] = D3_NO_TRIANGLE;
		if (there < columns && down < rows && !hole_cell(field, there, down)) {
			struct steps third = third_steps[child & 1][edge];
			struct d3_vec p = d3_height_field_at(field, column + (uint32_t)third.columns, row + (uint32_t)third.rows);
			kind = d3_edge_kind(normal, corners[k], corners[(k + 1) % 3], d3_widen(p), &gentle);
			out->neighbors[k] = 2 * (down * columns + there) + !(child & 1);
		}
		out->edges |= d3_edge_bits(kind, gentle, k);
	}
}
