/* voxels_read.c - creation of voxels; their cells and triangles, and the tree over them. See voxels.h. */
#include "d3/shape/shape_parts.h"
#include "d3/shape/voxels_parts.h"

#include <math.h>
#include <string.h>

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

struct d3_shape *d3_voxels_create(struct memory *memory, const struct d3_voxels_input *input)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_VOXELS);
	if (shape == NULL)
		return NULL;
	struct d3_voxels *voxels = memory_zeroed(memory, sizeof *voxels);
	size_t kinds = (input->kind_count + (size_t)1) * sizeof *voxels->kinds;
	struct d3_voxel_kind *list = voxels ? memory_resize(memory, NULL, 0, kinds) : NULL;
	if (list == NULL) {
		memory_free(memory, voxels, sizeof *voxels);
		d3_shape_release(shape);
		return NULL;
	}
	memcpy(list, input->kinds, input->kind_count * sizeof *list);
	voxels->cell_size = input->cell_size;
	voxels->group = input->group;
	voxels->kind_count = input->kind_count;
	voxels->kinds = list;
	voxels->free_block = voxels->free_cell = NONE;
	memset(voxels->free_runs, 0xff, sizeof voxels->free_runs);
	shape->one_sided = input->group != CELLS_SENSORS;
	shape->voxels = voxels;
	return shape;
}

void d3_voxels_join(struct d3_shape *const shapes[CELL_GROUPS])
{
	for (int i = 0; i < CELL_GROUPS; ++i)
		for (int k = 0; k < CELL_GROUPS; ++k)
			if (shapes[i])
				shapes[i]->voxels->joined[k] = shapes[k];
}

bool d3_voxels_joined(const struct d3_shape *a, const struct d3_shape *b)
{
	const struct d3_voxels *one = a->voxels, *two = b->voxels;
	return one && two && one->joined[one->group] == a && one->joined[two->group] == b && two->joined[one->group] == a &&
		two->joined[two->group] == b;
}

size_t d3_voxels_bytes(const struct d3_shape *shape)
{
	const struct d3_voxels *voxels = shape->voxels;
	return sizeof *voxels + (voxels->kind_count + (size_t)1) * sizeof *voxels->kinds +
		voxels->blocks.capacity * sizeof *voxels->blocks.data + voxels->cells.capacity * sizeof *voxels->cells.data +
		voxels->triangles.capacity * sizeof *voxels->triangles.data + voxels->changes.capacity * sizeof *voxels->changes.data;
}

void d3_voxels_free(struct d3_shape *shape)
{
	struct d3_voxels *voxels = shape->voxels;
	struct memory *memory = shape->memory;
	array_free(memory, &voxels->blocks);
	array_free(memory, &voxels->cells);
	array_free(memory, &voxels->triangles);
	array_free(memory, &voxels->changes);
	memory_free(memory, voxels->kinds, (voxels->kind_count + (size_t)1) * sizeof *voxels->kinds);
	memory_free(memory, voxels, sizeof *voxels);
}

/* --- Cells and triangles -------------------------------------------------------------------------------------------------- */

uint32_t d3_voxels_kind_count(const struct d3_shape *shape)
{
	return shape->voxels->kind_count;
}

uint16_t d3_voxels_kind_name(const struct d3_shape *shape, uint32_t kind)
{
	return kind > 0 ? shape->voxels->kinds[kind - 1].common.name : 0;
}

float d3_voxels_cell_size(const struct d3_shape *shape)
{
	return shape->voxels->cell_size;
}

static void place_of(struct d3_voxel cell, uint32_t at[3])
{
	at[0] = (uint32_t)(cell.i + D3_VOXEL_MOST);
	at[1] = (uint32_t)(cell.j + D3_VOXEL_MOST);
	at[2] = (uint32_t)(cell.k + D3_VOXEL_MOST);
}

static struct d3_voxel cell_at_place(const uint32_t at[3])
{
	return (struct d3_voxel){(int32_t)at[0] - D3_VOXEL_MOST, (int32_t)at[1] - D3_VOXEL_MOST, (int32_t)at[2] - D3_VOXEL_MOST};
}

uint16_t d3_voxels_value(const struct d3_shape *shape, struct d3_voxel cell)
{
	uint32_t at[3];
	place_of(cell, at);
	return voxel_link_value(shape->voxels, voxel_find(shape->voxels, at));
}

bool d3_voxels_cell_at(const struct d3_shape *shape, struct d3_vec_d point, struct d3_voxel *out)
{
	double size = (double)shape->voxels->cell_size;
	const double p[3] = {floor(point.x / size), floor(point.y / size), floor(point.z / size)};
	for (int a = 0; a < 3; ++a)
		if (!(p[a] >= -D3_VOXEL_MOST && p[a] < D3_VOXEL_MOST))
			return false;
	*out = (struct d3_voxel){(int32_t)p[0], (int32_t)p[1], (int32_t)p[2]};
	return true;
}

/* Height of a point, in the cell in units of UNIT, over a face of the solid: as long as its normal. */
static double face_height(const struct d3_voxel_solid *solid, uint32_t face, const double p[3])
{
	const int16_t *a = solid->points[solid->faces[face][0]], *b = solid->points[solid->faces[face][1]],
				  *c = solid->points[solid->faces[face][2]];
	struct d3_vec_d n = d3_cross_d(
		(struct d3_vec_d){b[0] - a[0], b[1] - a[1], b[2] - a[2]}, (struct d3_vec_d){c[0] - a[0], c[1] - a[1], c[2] - a[2]});
	return d3_dot_d(n, (struct d3_vec_d){p[0] - a[0], p[1] - a[1], p[2] - a[2]});
}

bool d3_voxels_contain(const struct d3_shape *shape, struct d3_vec_d point)
{
	struct d3_voxel cell;
	if (!d3_voxels_cell_at(shape, point, &cell))
		return false;
	const struct d3_voxel_solid *solid = voxel_solid(shape->voxels, d3_voxels_value(shape, cell));
	if (solid == NULL)
		return false;
	double size = (double)shape->voxels->cell_size;
	const double p[3] = {(point.x / size - cell.i) * D3_VOXEL_UNIT, (point.y / size - cell.j) * D3_VOXEL_UNIT,
		(point.z / size - cell.k) * D3_VOXEL_UNIT};
	for (uint32_t f = 0; f < solid->face_count; ++f)
		if (face_height(solid, f, p) > 0)
			return false;
	return true;
}

static const struct voxel_cell *cell_of(const struct d3_shape *shape, uint32_t child)
{
	const struct d3_voxels *voxels = shape->voxels;
	uint32_t cell = child < voxels->triangles.count ? voxels->triangles.data[child].cell : NONE;
	return cell != NONE ? &voxels->cells.data[cell] : NULL;
}

bool d3_voxels_cell_of(const struct d3_shape *shape, uint32_t child, struct d3_voxel *out)
{
	const struct voxel_cell *cell = cell_of(shape, child);
	if (cell)
		*out = cell_at_place(cell->at);
	return cell != NULL;
}

uint64_t d3_voxel_number(struct d3_voxel cell)
{
	uint32_t at[3];
	place_of(cell, at);
	return (uint64_t)at[0] | (uint64_t)at[1] << 17 | (uint64_t)at[2] << 34;
}

struct d3_voxel d3_voxel_numbered(uint64_t number)
{
	const uint32_t mask = (1u << 17) - 1, at[3] = {number & mask, number >> 17 & mask, number >> 34 & mask};
	return cell_at_place(at);
}

bool d3_voxels_push(const struct d3_shape *shape, uint32_t child, struct d3_vec center)
{
	const struct voxel_cell *cell = cell_of(shape, child);
	struct d3_voxel at, own;
	if (cell == NULL || !d3_voxels_cell_at(shape, d3_widen(center), &at) || !d3_voxels_cell_of(shape, child, &own) ||
		at.i != own.i || at.j != own.j || at.k != own.k)
		return false;
	float least = INFINITY;
	uint32_t nearest = NONE;
	for (uint32_t i = cell->first; i < cell->first + cell->count; ++i) {
		const struct d3_vec *c = shape->voxels->triangles.data[i].corners;
		struct d3_vec n = d3_normalize(d3_cross(d3_sub(c[1], c[0]), d3_sub(c[2], c[0])));
		float depth = -d3_dot(n, d3_sub(center, c[0]));
		if (depth < least - 1e-3f * shape->voxels->cell_size) {
			least = depth;
			nearest = i;
		}
	}
	if (nearest == NONE)
		return false;
	/* The other triangles of the nearest face push as well. */
	const struct d3_vec *c = shape->voxels->triangles.data[nearest].corners, *o = shape->voxels->triangles.data[child].corners;
	struct d3_vec n = d3_normalize(d3_cross(d3_sub(c[1], c[0]), d3_sub(c[2], c[0])));
	struct d3_vec m = d3_normalize(d3_cross(d3_sub(o[1], o[0]), d3_sub(o[2], o[0])));
	return d3_dot(n, m) > 0.999f;
}

uint32_t d3_voxels_child_count(const struct d3_shape *shape)
{
	return shape->voxels->triangles.count;
}

bool d3_voxels_has_materials(const struct d3_shape *shape)
{
	for (uint32_t i = 0; i < shape->voxels->kind_count; ++i)
		if (shape->voxels->kinds[i].common.material.has)
			return true;
	return false;
}

const struct material *d3_voxels_material(const struct d3_shape *shape, uint32_t child)
{
	const struct voxel_cell *cell = cell_of(shape, child);
	uint32_t kind = cell ? d3_voxel_kind(cell->value) : 0;
	return kind > 0 && shape->voxels->kinds[kind - 1].common.material.has ? &shape->voxels->kinds[kind - 1].common.material
																		  : NULL;
}

void d3_voxels_triangle(const struct d3_shape *shape, uint32_t child, struct d3_vec out[3])
{
	memcpy(out, shape->voxels->triangles.data[child].corners, sizeof shape->voxels->triangles.data[child].corners);
}

uint32_t d3_voxels_point(const struct d3_shape *shape, uint32_t child, int corner)
{
	const struct voxel_triangle *triangle = &shape->voxels->triangles.data[child];
	const struct voxel_cell *cell = &shape->voxels->cells.data[triangle->cell];
	uint64_t mixed = 0;
	for (int a = 0; a < 3; ++a)
		mixed = (mixed ^ ((uint64_t)cell->at[a] * D3_VOXEL_UNIT + (uint64_t)triangle->local[corner][a])) * 0x9e3779b97f4a7c15;
	return (uint32_t)(mixed >> 32);
}

uint16_t d3_voxels_edges(const struct d3_shape *shape, uint32_t child)
{
	return shape->voxels->triangles.data[child].edges;
}

void d3_voxels_neighborhood(const struct d3_shape *shape, uint32_t child, struct d3_mesh_triangle *out)
{
	const struct voxel_triangle *triangle = &shape->voxels->triangles.data[child];
	memcpy(out->corners, triangle->corners, sizeof out->corners);
	memcpy(out->neighbors, triangle->neighbors, sizeof out->neighbors);
	for (int k = 0; k < 3; ++k)
		out->points[k] = d3_voxels_point(shape, child, k);
	out->edges = triangle->edges;
}

static bool edge_valid(const struct d3_voxels *voxels, uint32_t triangle, int k)
{
	uint32_t next = voxels->triangles.data[triangle].neighbors[k];
	if (next >= voxels->triangles.count || voxels->triangles.data[next].cell == NONE)
		return false;
	const uint32_t *back = voxels->triangles.data[next].neighbors;
	return back[0] == triangle || back[1] == triangle || back[2] == triangle;
}

bool d3_voxels_valid(const struct d3_shape *shape)
{
	const struct d3_voxels *voxels = shape->voxels;
	for (uint32_t i = 0; i < voxels->triangles.count; ++i)
		for (int k = 0; voxels->triangles.data[i].cell != NONE && k < 3; ++k)
			if (!edge_valid(voxels, i, k))
				return false;
	return true;
}

/* --- The tree ------------------------------------------------------------------------------------------------------------- */

/* Node 0 is the root, node 8 b + s + 1 what is in slot s of block b. */
void d3_voxels_node(const struct d3_shape *shape, uint32_t node, struct d3_node *out)
{
	const struct d3_voxels *voxels = shape->voxels;
	voxel_link link = node == 0 ? voxels->root : voxels->blocks.data[(node - 1) / 8].links[(node - 1) % 8];
	uint32_t index = link & VOXEL_INDEX, tag = link & VOXEL_TAG;
	*out = (struct d3_node){.leaf = true};
	if (tag == VOXEL_CELL) {
		const struct voxel_cell *cell = &voxels->cells.data[index];
		*out = (struct d3_node){cell->lower, cell->upper, cell->first, cell->count, true};
	} else if (tag == VOXEL_BLOCK && voxels->blocks.data[index].lower.x <= voxels->blocks.data[index].upper.x) {
		const struct voxel_block *block = &voxels->blocks.data[index];
		*out = (struct d3_node){block->lower, block->upper, 8 * index + 1, 8, false};
	} else if (node > 0) { /* a point of the cube around it: no search is led astray */
		const struct voxel_block *block = &voxels->blocks.data[(node - 1) / 8];
		out->lower = out->upper = block->lower.x <= block->upper.x ? block->lower : (struct d3_vec){0, 0, 0};
	}
}

bool d3_voxels_bounds(const struct d3_shape *shape, struct d3_vec *lower, struct d3_vec *upper)
{
	struct d3_node node;
	d3_voxels_node(shape, 0, &node);
	*lower = node.lower;
	*upper = node.upper;
	return node.count > 0;
}
