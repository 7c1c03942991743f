/* voxel_links.c - the neighbours of the triangles of voxels. Serial. */
#include "d3/shape/shape_parts.h"
#include "d3/shape/voxels_parts.h"

#include <math.h>
#include <string.h>

enum { UNIT = D3_VOXEL_UNIT };

static struct d3_vec_d local_point(const int16_t p[3])
{
	return (struct d3_vec_d){p[0], p[1], p[2]};
}

/* The triangle's edge k has these ends, moved by the offset between the cells. */
static bool edge_is(const struct voxel_triangle *triangle, int k, const int16_t a[3], const int16_t b[3], const int offset[3])
{
	const int16_t *p = triangle->local[k], *q = triangle->local[k < 2 ? k + 1 : 0];
	for (int axis = 0; axis < 3; ++axis)
		if (p[axis] + offset[axis] != a[axis] || q[axis] + offset[axis] != b[axis])
			return false;
	return true;
}

/* An edge of a triangle, and the best of the triangles found across it. */
struct search {
	const struct voxel_triangle *of;
	int edge;
	uint32_t best;
	double least; /* the angle by which the best is turned about the edge from the front of the triangle */
	struct d3_vec_d third; /* its corner that is not on the edge */
	struct d3_vec_d normal;
};

/* Tests the triangles of a cell. Of several the first one met by turning about the edge from the front is the neighbour: where
 * solids meet in an edge, it bounds the same free space. */
static void cell_search(
	const struct d3_voxels *voxels, const struct voxel_cell *cell, const int offset[3], struct search *search)
{
	const int16_t *a = search->of->local[search->edge], *b = search->of->local[search->edge < 2 ? search->edge + 1 : 0];
	for (uint32_t i = cell->first; i < cell->first + cell->count; ++i)
		for (int k = 0; k < 3; ++k) {
			const struct voxel_triangle *other = &voxels->triangles.data[i];
			if (other == search->of || !edge_is(other, k, b, a, offset))
				continue;
			const int16_t *p = other->local[k > 0 ? k - 1 : 2];
			struct d3_vec_d third = {p[0] + offset[0], p[1] + offset[1], p[2] + offset[2]};
			struct d3_vec_d from = local_point(a), path = d3_sub_d(local_point(b), from), delta = d3_sub_d(third, from);
			double up = d3_dot_d(delta, search->normal) * d3_length_d(path);
			double angle = scalar_atan2_d(up, d3_dot_d(delta, d3_cross_d(search->normal, path)));
			angle = angle < 0 ? angle + 2 * SCALAR_PI : angle;
			if (angle < search->least) {
				search->least = angle;
				search->best = i;
				search->third = third;
			}
		}
}

/* Visits the cells that share the sides with this one, itself among them, with their offsets. */
#define EACH_CELL_AT(sides, part) for (uint32_t part = (sides);; part = (part - 1) & (sides))

static void sides_offset(uint32_t sides, int offset[3])
{
	for (uint32_t axis = 0; axis < 3; ++axis)
		offset[axis] = (int)(sides >> (2 * axis + 1) & 1) - (int)(sides >> 2 * axis & 1);
}

/* A cell and those around it, which are found when the first edge asks for them. */
struct around {
	const struct d3_voxels *voxels;
	const struct voxel_cell *cells[64]; /* by the sides that they share with the cell; NULL: a place without triangles */
	uint64_t known;
};

static const struct voxel_cell *cell_across(struct around *around, uint32_t sides)
{
	if (around->known >> sides & 1)
		return around->cells[sides];
	int offset[3];
	uint32_t at[3];
	sides_offset(sides, offset);
	for (int axis = 0; axis < 3; ++axis)
		at[axis] = around->cells[0]->at[axis] + (uint32_t)offset[axis];
	voxel_link link = voxel_find_near(around->voxels, around->cells[0], at);
	around->cells[sides] = (link & VOXEL_TAG) == VOXEL_CELL ? &around->voxels->cells.data[link & VOXEL_INDEX] : NULL;
	around->known |= UINT64_C(1) << sides;
	return around->cells[sides];
}

static void edge_link(struct d3_voxels *voxels, struct around *around, uint32_t triangle, int k)
{
	struct voxel_triangle *of = &voxels->triangles.data[triangle];
	const int16_t *a = of->local[k], *b = of->local[k < 2 ? k + 1 : 0], *c = of->local[k > 0 ? k - 1 : 2];
	struct d3_vec_d from = local_point(a), to = local_point(b);
	struct search search = {
		of, k, D3_NO_TRIANGLE, INFINITY, {0, 0, 0}, d3_cross_d(d3_sub_d(to, from), d3_sub_d(local_point(c), from))};
	uint32_t sides = d3_voxel_edge_sides(a, b);
	EACH_CELL_AT(sides, part)
	{
		int offset[3];
		const struct voxel_cell *other = cell_across(around, part);
		sides_offset(part, offset);
		for (int axis = 0; axis < 3; ++axis)
			offset[axis] *= UNIT;
		if (other)
			cell_search(voxels, other, offset, &search);
		if (part == 0)
			break;
	}
	enum d3_edge kind = D3_EDGE_BOUNDARY;
	bool gentle = false;
	if (search.best != D3_NO_TRIANGLE)
		kind = d3_edge_kind(search.normal, from, to, search.third, &gentle);
	of->neighbors[k] = search.best;
	of->edges = (uint16_t)((of->edges & ~(3u << 2 * k | 3u << (2 * k + 6) | 1u << (12 + k))) | d3_edge_bits(kind, gentle, k));
}

/* Whether the neighbour across the edge is gone, or may be another: a cell there has changed. */
static bool edge_open(struct around *around, const struct voxel_triangle *triangle, int k)
{
	if (triangle->neighbors[k] >= VOXEL_STALE)
		return true;
	uint32_t sides = d3_voxel_edge_sides(triangle->local[k], triangle->local[k < 2 ? k + 1 : 0]);
	EACH_CELL_AT(sides, part)
	{
		const struct voxel_cell *other = cell_across(around, part);
		if (other && other->changed)
			return true;
		if (part == 0)
			return false;
	}
}

static void cell_link(struct d3_voxels *voxels, const struct voxel_cell *cell)
{
	struct around around = {.voxels = voxels, .known = 1};
	around.cells[0] = cell;
	for (uint32_t i = cell->first; i < cell->first + cell->count; ++i)
		for (int k = 0; k < 3; ++k)
			if (cell->changed || edge_open(&around, &voxels->triangles.data[i], k))
				edge_link(voxels, &around, i, k);
}

void d3_voxels_link(struct d3_voxels *voxels, const uint32_t low[3], const uint32_t high[3])
{
	voxel_link stack[D3_NODE_STACK] = {voxels->root};
	uint32_t depth = 1;
	while (depth > 0) {
		voxel_link link = stack[--depth];
		const uint32_t *at, tag = link & VOXEL_TAG;
		uint32_t size = 0;
		if (tag == VOXEL_BLOCK) {
			at = voxels->blocks.data[link & VOXEL_INDEX].at;
			size = (1u << voxels->blocks.data[link & VOXEL_INDEX].level) - 1;
		} else if (tag == VOXEL_CELL) {
			at = voxels->cells.data[link & VOXEL_INDEX].at;
		} else {
			continue;
		}
		bool apart = false;
		for (int axis = 0; axis < 3; ++axis)
			apart |= at[axis] > high[axis] || at[axis] + size < low[axis];
		if (apart)
			continue;
		if (tag == VOXEL_CELL)
			cell_link(voxels, &voxels->cells.data[link & VOXEL_INDEX]);
		for (uint32_t i = 0; tag == VOXEL_BLOCK && i < 8; ++i)
			stack[depth++] = voxels->blocks.data[link & VOXEL_INDEX].links[i];
	}
}
