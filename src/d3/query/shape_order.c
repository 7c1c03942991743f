/* shape_order.c - a canonical order of shapes by their contents, never by addresses. See distance.h. */
#include "d3/query/distance.h"
#include "d3/shape/shape_parts.h"

#include <string.h>

static int compare_doubles(const double *a, const double *b, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		if (a[i] != b[i])
			return a[i] > b[i] ? 1 : -1;
	return 0;
}

static int compare_floats(const float *a, const float *b, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		if (a[i] != b[i])
			return a[i] > b[i] ? 1 : -1;
	return 0;
}

static int compare_words(const uint32_t *a, const uint32_t *b, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		if (a[i] != b[i])
			return a[i] > b[i] ? 1 : -1;
	return 0;
}

/* Equal bits are a fast path for shapes that were created alike. */
static int compare_points(const struct d3_vec *a, const struct d3_vec *b, size_t count)
{
	return count == 0 || memcmp(a, b, count * sizeof *a) == 0 ? 0 : compare_floats(&a->x, &b->x, 3 * count);
}

static int compare_triangles(const struct d3_mesh *a, const struct d3_mesh *b)
{
	int order = 0;
	for (uint32_t i = 0; order == 0 && i < a->triangle_count; ++i) {
		uint32_t first[3], second[3];
		d3_mesh_corners(a, i, first);
		d3_mesh_corners(b, i, second);
		order = compare_words(first, second, 3);
	}
	return order;
}

static int compare_meshes(const struct d3_mesh *a, const struct d3_mesh *b)
{
	const double first[5] = {a->vertex_count, a->triangle_count, a->scale.x, a->scale.y, a->scale.z};
	const double second[5] = {b->vertex_count, b->triangle_count, b->scale.x, b->scale.y, b->scale.z};
	int order = compare_doubles(first, second, 5);
	if (order != 0 || a->owner == b->owner)
		return order;
	order = compare_points(a->vertices, b->vertices, a->vertex_count);
	if (order == 0)
		order = compare_triangles(a, b);
	return order != 0 ? order : compare_words(a->numbers, b->numbers, a->triangle_count);
}

static bool has_hole(const struct d3_height_field *field, size_t cell)
{
	return field->materials.of != NULL && field->materials.of[cell] == MATERIALS_HOLE;
}

static int compare_holes(const struct d3_height_field *a, const struct d3_height_field *b)
{
	size_t cells = (size_t)(a->columns - 1) * (a->rows - 1);
	for (size_t cell = 0; cell < cells; ++cell)
		if (has_hole(a, cell) != has_hole(b, cell))
			return has_hole(a, cell) ? 1 : -1;
	return 0;
}

static int compare_height_fields(const struct d3_height_field *a, const struct d3_height_field *b)
{
	const double first[7] = {a->columns, a->rows, a->x, a->z, a->cell_width, a->cell_depth, a->rise};
	const double second[7] = {b->columns, b->rows, b->x, b->z, b->cell_width, b->cell_depth, b->rise};
	int order = compare_doubles(first, second, 7);
	if (order != 0 || a->owner == b->owner)
		return order;
	order = compare_floats(a->heights, b->heights, (size_t)a->columns * a->rows);
	return order != 0 ? order : compare_holes(a, b);
}

static int compare_convex(const struct d3_shape *a, const struct d3_shape *b)
{
	if (a->type != b->type)
		return a->type > b->type ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? 1 : -1;
	if (a->radius != b->radius)
		return a->radius > b->radius ? 1 : -1;
	/* A box's points follow from its other fields. The other types with points have no more fields to compare. */
	if (a->count > 0 && a->type != D3_BOX)
		return compare_points(a->points, b->points, a->count);
	int order = compare_points(&a->half, &b->half, 1);
	if (order == 0)
		order = compare_doubles(&a->normal.x, &b->normal.x, 3);
	if (order == 0)
		order = compare_doubles(&a->offset, &b->offset, 1);
	return order != 0 ? order : compare_doubles(&a->frame.p.x, &b->frame.p.x, sizeof a->frame / sizeof(double));
}

static int compare_compounds(const struct d3_compound *a, const struct d3_compound *b)
{
	int order = compare_words(&a->count, &b->count, 1);
	for (uint32_t i = 0; order == 0 && i < a->count; ++i) {
		const struct d3_compound_child *p = &a->children[i], *q = &b->children[i];
		order = compare_words(&p->number, &q->number, 1);
		if (order == 0)
			order = compare_convex(p->shape, q->shape);
	}
	return order;
}

static int compare_shapes(const struct d3_shape *a, const struct d3_shape *b)
{
	if (a == b)
		return 0;
	int order = compare_convex(a, b);
	if (order != 0)
		return order;
	if (a->one_sided != b->one_sided)
		return a->one_sided ? 1 : -1;
	if (a->type == D3_MESH)
		return compare_meshes(a->mesh, b->mesh);
	if (a->type == D3_HEIGHT_FIELD)
		return compare_height_fields(a->height_field, b->height_field);
	return a->type == D3_COMPOUND ? compare_compounds(a->compound, b->compound) : 0;
}

bool d3_shapes_equal(const struct d3_shape *a, const struct d3_shape *b)
{
	return a->type == b->type && compare_shapes(a, b) == 0;
}

bool d3_pair_swapped(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b)
{
	int order = compare_shapes(a, b);
	if (order == 0)
		order = compare_doubles(&pose_a->x, &pose_b->x, 3);
	return (order != 0 ? order : compare_floats(&pose_a->q.x, &pose_b->q.x, 4)) > 0;
}
