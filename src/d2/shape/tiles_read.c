/* tiles_read.c - the cells and faces of tiles, and the tree over them. See tiles.h. Any thread. */
#include "d2/shape/tiles_parts.h"

#include <math.h>

enum { TREE_DEPTH = 32 /* more than the tree of D2_TILE_SIDE by D2_TILE_SIDE cells has levels */ };

/* --- Cells and faces ------------------------------------------------------------------------------------------------------ */

uint32_t d2_tiles_kind_count(const struct d2_shape *shape)
{
	return shape->tiles->kind_count;
}

uint16_t d2_tiles_kind_name(const struct d2_shape *shape, uint32_t kind)
{
	return kind > 0 ? shape->tiles->kinds[kind - 1].common.name : 0;
}

uint32_t d2_tiles_area_at(const struct d2_shape *shape, struct d2_vec_d point)
{
	uint32_t i, j;
	if (!shape->tiles->areas || !d2_tiles_cell_at(shape, point, &i, &j))
		return NONE;
	return d2_tiles_face_in_cell(shape->tiles, *d2_tiles_head_of(shape->tiles, i, j), j * shape->tiles->columns + i);
}

uint32_t d2_tiles_columns(const struct d2_shape *shape)
{
	return shape->tiles->columns;
}

uint32_t d2_tiles_rows(const struct d2_shape *shape)
{
	return shape->tiles->rows;
}

uint16_t d2_tiles_value(const struct d2_shape *shape, uint32_t i, uint32_t j)
{
	return shape->tiles->cells[(size_t)j * shape->tiles->columns + i];
}

uint32_t d2_tiles_cell_of(const struct d2_shape *shape, uint32_t face)
{
	return shape->tiles->faces.data[face].cell;
}

bool d2_tiles_cell_at(const struct d2_shape *shape, struct d2_vec_d point, uint32_t *i, uint32_t *j)
{
	const struct d2_tiles *tiles = shape->tiles;
	double x = floor((point.x - (double)tiles->corner.x) / (double)tiles->cell_size);
	double y = floor((point.y - (double)tiles->corner.y) / (double)tiles->cell_size);
	if (!(x >= 0 && y >= 0 && x < tiles->columns && y < tiles->rows))
		return false;
	*i = (uint32_t)x;
	*j = (uint32_t)y;
	return true;
}

const struct material *d2_tiles_material(const struct d2_shape *shape, uint32_t face)
{
	const struct d2_tiles *tiles = shape->tiles;
	uint32_t kind = d2_tile_kind(tiles->cells[tiles->faces.data[face].cell]);
	return kind > 0 && tiles->kinds[kind - 1].common.material.has ? &tiles->kinds[kind - 1].common.material : NULL;
}

bool d2_tiles_has_materials(const struct d2_shape *shape)
{
	for (uint32_t i = 0; i < shape->tiles->kind_count; ++i)
		if (shape->tiles->kinds[i].common.material.has)
			return true;
	return false;
}

uint32_t d2_tiles_before(const struct d2_shape *shape, uint32_t face)
{
	return shape->tiles->faces.data[face].before;
}

uint32_t d2_tiles_after(const struct d2_shape *shape, uint32_t face)
{
	return shape->tiles->faces.data[face].after;
}

void d2_tiles_cell_corners(const struct d2_shape *shape, uint32_t part, struct d2_vec corners[4])
{
	static const int16_t square[4][2] = {{0, 0}, {D2_TILE_UNIT, 0}, {D2_TILE_UNIT, D2_TILE_UNIT}, {0, D2_TILE_UNIT}};
	for (int i = 0; i < 4; ++i)
		corners[i] = d2_tiles_point_at(shape->tiles, shape->tiles->faces.data[part].cell, square[i]);
}

void d2_tiles_corners(const struct d2_shape *shape, struct d2_vec corners[4])
{
	const struct d2_tiles *tiles = shape->tiles;
	double width = (double)tiles->columns * (double)tiles->cell_size, height = (double)tiles->rows * (double)tiles->cell_size;
	struct d2_vec low = tiles->corner, high = {(float)((double)low.x + width), (float)((double)low.y + height)};
	corners[0] = low;
	corners[1] = (struct d2_vec){high.x, low.y};
	corners[2] = high;
	corners[3] = (struct d2_vec){low.x, high.y};
}

bool d2_tiles_pushes(const struct d2_shape *shape, uint32_t face, struct d2_vec center)
{
	const struct d2_tiles *tiles = shape->tiles;
	uint32_t i, j, cell = tiles->faces.data[face].cell, nearest = NONE;
	float least = INFINITY;
	if (!d2_tiles_cell_at(shape, d2_widen(center), &i, &j) || j * tiles->columns + i != cell)
		return false;
	for (uint32_t k = d2_tiles_face_in_cell(tiles, *d2_tiles_head_of(tiles, i, j), cell); k != NONE;
		 k = d2_tiles_face_in_cell(tiles, tiles->faces.data[k].next, cell)) {
		float height = d2_dot(shape->normals[k], d2_sub(center, d2_segment(shape, k)[0]));
		if (-height < least || (-height == least && k < nearest)) {
			least = -height;
			nearest = k;
		}
	}
	return nearest == face;
}

bool d2_tiles_valid(const struct d2_shape *shape)
{
	const struct d2_tiles *tiles = shape->tiles;
	for (uint32_t i = 0; !tiles->areas && i < tiles->faces.count; ++i)
		if (tiles->faces.data[i].after >= tiles->faces.count || tiles->faces.data[tiles->faces.data[i].after].before != i)
			return false;
	return true;
}

/* --- The tree ------------------------------------------------------------------------------------------------------------- */

/* A node's chunks: columns [i1, i2), rows [j1, j2). The root is node 0, the children of n are 2 n + 1 and 2 n + 2. */
static void node_chunks(const struct d2_tiles *tiles, uint32_t node, struct d2_cells *out)
{
	uint64_t path[TREE_DEPTH], number = (uint64_t)node + 1;
	int depth = 0;
	for (; number > 1; number /= 2)
		path[depth++] = number & 1;
	*out = (struct d2_cells){0, 0, tiles->chunk_columns, tiles->chunk_rows};
	while (depth-- > 0) {
		bool wide = out->i2 - out->i1 >= out->j2 - out->j1;
		uint32_t *low = wide ? &out->i1 : &out->j1, *high = wide ? &out->i2 : &out->j2, middle = *low + (*high - *low) / 2;
		*(path[depth] ? low : high) = middle;
	}
}

void d2_tiles_node(const struct d2_shape *shape, uint32_t node, struct d2_node *out)
{
	const struct d2_tiles *tiles = shape->tiles;
	struct d2_cells c;
	node_chunks(tiles, node, &c);
	double size = (double)tiles->cell_size * D2_TILE_CHUNK, slack = 0x1p-20 * shape->reach;
	double width = size * (c.i2 - c.i1), height = size * (c.j2 - c.j1);
	*out = (struct d2_node){.first = 2 * node + 1, .count = 2};
	out->box.middle = (struct d2_vec_d){
		(double)tiles->corner.x + size * c.i1 + 0.5 * width, (double)tiles->corner.y + size * c.j1 + 0.5 * height};
	out->box.half = (struct d2_vec_d){0.5 * width + slack, 0.5 * height + slack};
	if (c.i2 - c.i1 > 1 || c.j2 - c.j1 > 1)
		return;
	out->leaf = true;
	out->first = tiles->heads[c.j1 * tiles->chunk_columns + c.i1];
	out->count = 0;
	for (uint32_t k = out->first; k != NONE; k = tiles->faces.data[k].next)
		++out->count;
}

uint32_t d2_tiles_next(const struct d2_shape *shape, uint32_t face)
{
	return shape->tiles->faces.data[face].next;
}
