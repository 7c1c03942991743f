/* any_shape.c - transforms, features, materials, bounds and extents of shapes of any type. See shape.h for threads. */
#include "d3/shape/shape.h"

#include "d3/shape/shape_parts.h"
#include "d3/shape/voxels.h"

#include <assert.h>

void d3_shape_retain(struct d3_shape *shape)
{
	assert(shape->references > 0);
	++shape->references;
}

void d3_shape_release(struct d3_shape *shape)
{
	assert(shape->references > 0);
	if (--shape->references > 0)
		return;
	struct memory *memory = shape->memory;
	if (shape->hull)
		d3_hull_free(memory, (struct d3_hull *)shape->hull);
	if (shape->mesh)
		d3_mesh_free(memory, (struct d3_mesh *)shape->mesh);
	if (shape->height_field)
		d3_height_field_free(memory, (struct d3_height_field *)shape->height_field);
	if (shape->compound)
		d3_compound_free(memory, (struct d3_compound *)shape->compound);
	if (shape->voxels)
		d3_voxels_free(shape);
	memory_free(memory, shape, sizeof *shape);
}

/* --- Moving --------------------------------------------------------------------------------------------------------------- */

static struct d3_transform_d moved_frame(const struct d3_transform_d *transform, const struct d3_transform_d *frame)
{
	return (struct d3_transform_d){d3_transform_point_d(transform, frame->p), d3_mul_rot_d(&transform->q, &frame->q)};
}

static const struct materials *materials_of(const struct d3_shape *shape)
{
	return shape->mesh ? &shape->mesh->materials : shape->height_field ? &shape->height_field->materials : NULL;
}

/* The entry of materials.of for a child of a mesh or height field; 0 without such a list. */
static uint8_t material_number(const struct d3_shape *shape, uint32_t child)
{
	const uint8_t *of = materials_of(shape)->of;
	return of != NULL ? of[shape->mesh ? child : child / 2] : 0;
}

void d3_material_turn(struct material *material, const struct d3_rot_d *rotation)
{
	float *v = material->tangent_velocity;
	struct d3_vec turned = d3_narrow(d3_turn_d(rotation, (struct d3_vec_d){v[0], v[1], v[2]}));
	v[0] = turned.x;
	v[1] = turned.y;
	v[2] = turned.z;
}

/* Writes the transformed points, and the point numbers and material number of each face. Faces that were left out or are in
 * holes keep the zeros that are there: d3_mesh_create leaves them out for their equal indices. */
static void list_surface(const struct d3_shape *shape, const struct d3_transform_d *transform, struct d3_vec *vertices,
	uint32_t *indices, uint8_t *materials)
{
	for (uint32_t i = 0; i < d3_shape_point_count(shape); ++i)
		vertices[i] = d3_moved_point(transform, d3_shape_point(shape, i));
	for (uint32_t i = 0; i < d3_shape_face_count(shape); ++i) {
		uint32_t child;
		if (!d3_shape_face_child(shape, i, &child))
			continue;
		d3_shape_face(shape, i, indices + 3 * (size_t)i);
		materials[i] = material_number(shape, child);
	}
}

/* Makes a mesh from a transformed mesh or height field, with the same points and faces in the same order. */
static struct d3_shape *surface_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *transform)
{
	uint32_t points = d3_shape_point_count(shape), faces = d3_shape_face_count(shape);
	size_t vertex_size = points * sizeof(struct d3_vec), index_size = 3 * (size_t)faces * sizeof(uint32_t);
	struct materials materials = *materials_of(shape);
	struct d3_vec *vertices = memory_resize(memory, NULL, 0, vertex_size);
	uint32_t *indices = memory_zeroed(memory, index_size);
	uint8_t *of = memory_zeroed(memory, faces);
	struct d3_shape *moved = NULL;
	if (vertices != NULL && indices != NULL && of != NULL) {
		list_surface(shape, transform, vertices, indices, of);
		materials.of = materials.of ? of : NULL;
		moved = d3_mesh_create(memory, vertices, points, indices, faces, shape->one_sided, &materials);
	}
	for (uint32_t i = 0; moved != NULL && i < moved->mesh->materials.count; ++i)
		d3_material_turn(&moved->mesh->materials.list[i], &transform->q);
	memory_free(memory, vertices, vertex_size);
	memory_free(memory, indices, index_size);
	memory_free(memory, of, faces);
	return moved;
}

/* Makes a transformed half-space: its offset grows by the translation along the new normal. */
static struct d3_shape *half_space_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *transform)
{
	struct d3_vec_d n = d3_turn_d(&transform->q, shape->normal);
	return d3_half_space_make(memory, n, shape->offset + d3_dot_d(n, transform->p));
}

static enum d3_hull_result hull_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *transform, struct d3_shape **out)
{
	struct d3_vec points[D3_HULL_MAX];
	for (uint32_t i = 0; i < shape->count; ++i)
		points[i] = d3_moved_point(transform, shape->points[i]);
	return d3_hull_create(memory, points, shape->count, shape->radius, out);
}

/* Transforms a shape of any type but hull and compound. NULL: no memory. */
static struct d3_shape *shape_moved(struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *transform)
{
	struct d3_transform_d frame = moved_frame(transform, &shape->frame);
	struct d3_vec points[3];
	for (uint32_t i = 0; i < shape->count && i < 3; ++i)
		points[i] = d3_moved_point(transform, shape->points[i]);
	switch (shape->type) {
	case D3_BOX:
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID:
	case D3_TAPERED_CAPSULE: return d3_framed_create(memory, shape->type, shape->half, shape->radius, &frame);
	case D3_HALF_SPACE: return half_space_moved(memory, shape, transform);
	case D3_MESH:
	case D3_HEIGHT_FIELD: return surface_moved(memory, shape, transform);
	default: return d3_points_make(memory, shape->type, points, shape->count, shape->radius);
	}
}

enum d3_hull_result d3_shape_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_pose *pose, struct d3_shape **out)
{
	struct d3_transform_d transform = d3_pose_frame(pose);
	if (shape->type == D3_COMPOUND)
		return d3_compound_create(memory, &shape, pose, NULL, 1, out);
	if (shape->type == D3_HULL)
		return hull_moved(memory, shape, &transform, out);
	struct d3_shape *moved = shape_moved(memory, shape, &transform);
	if (moved == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	*out = moved;
	return D3_HULL_OK;
}

/* --- Counting ------------------------------------------------------------------------------------------------------------- */

uint32_t d3_shape_child_count(const struct d3_shape *shape)
{
	switch (shape->type) {
	case D3_MESH: return shape->mesh->triangle_count;
	case D3_HEIGHT_FIELD: return d3_height_field_child_count(shape->height_field);
	case D3_VOXELS: return d3_voxels_child_count(shape);
	case D3_COMPOUND: return shape->compound->count;
	default: return 1;
	}
}

uint32_t d3_shape_child_number(const struct d3_shape *shape, uint32_t child)
{
	assert(child < d3_shape_child_count(shape));
	switch (shape->type) {
	case D3_MESH: return shape->mesh->numbers[child];
	case D3_HEIGHT_FIELD:
	case D3_VOXELS: return child;
	case D3_COMPOUND: return shape->compound->children[child].number;
	default: return 0;
	}
}

bool d3_shape_convex(const struct d3_shape *shape)
{
	return shape->type < D3_MESH;
}

bool d3_shape_must_be_static(const struct d3_shape *shape)
{
	return d3_shape_surface(shape) || shape->type == D3_HALF_SPACE;
}

uint32_t d3_shape_point_count(const struct d3_shape *shape)
{
	switch (shape->type) {
	case D3_MESH: return shape->mesh->vertex_count;
	case D3_HEIGHT_FIELD: return shape->height_field->columns * shape->height_field->rows;
	case D3_COMPOUND: return shape->compound->point_count;
	default: return shape->count;
	}
}

struct d3_vec d3_shape_point(const struct d3_shape *shape, uint32_t point)
{
	assert(point < d3_shape_point_count(shape));
	switch (shape->type) {
	case D3_MESH: return d3_mesh_point(shape->mesh, point);
	case D3_HEIGHT_FIELD: return d3_height_field_point(shape->height_field, point);
	case D3_COMPOUND: return d3_compound_find(shape->compound, false, &point)->shape->points[point];
	default: return shape->points[point];
	}
}

uint32_t d3_shape_face_count(const struct d3_shape *shape)
{
	switch (shape->type) {
	case D3_TRIANGLE: return 1;
	case D3_BOX:
	case D3_HULL: return shape->hull->face_count;
	case D3_MESH: return shape->mesh->face_count;
	case D3_HEIGHT_FIELD: return d3_height_field_child_count(shape->height_field);
	case D3_COMPOUND: return shape->compound->face_count;
	default: return 0;
	}
}

static uint32_t convex_face(const struct d3_shape *shape, uint32_t face, uint32_t *points)
{
	if (shape->hull)
		return d3_hull_face(shape->hull, face, points);
	for (uint32_t i = 0; i < 3; ++i)
		points[i] = i;
	return 3;
}

static uint32_t compound_face(const struct d3_compound *compound, uint32_t face, uint32_t *points)
{
	const struct d3_compound_child *child = d3_compound_find(compound, true, &face);
	uint32_t count = convex_face(child->shape, face, points);
	for (uint32_t i = 0; i < count; ++i)
		points[i] += child->first_point;
	return count;
}

static uint32_t mesh_face(const struct d3_mesh *mesh, uint32_t face, uint32_t *points)
{
	uint32_t child = d3_mesh_child_index(mesh, face);
	if (child >= mesh->triangle_count)
		return 0;
	d3_mesh_corners(mesh, child, points);
	return 3;
}

uint32_t d3_shape_face(const struct d3_shape *shape, uint32_t face, uint32_t *points)
{
	assert(face < d3_shape_face_count(shape));
	switch (shape->type) {
	case D3_MESH: return mesh_face(shape->mesh, face, points);
	case D3_HEIGHT_FIELD:
		d3_height_field_triangle(shape->height_field, face, points);
		return d3_height_field_hole(shape->height_field, face) ? 0 : 3;
	case D3_COMPOUND: return compound_face(shape->compound, face, points);
	default: return convex_face(shape, face, points);
	}
}

bool d3_shape_face_child(const struct d3_shape *shape, uint32_t face, uint32_t *child)
{
	assert(shape->mesh != NULL || shape->height_field != NULL);
	*child = shape->mesh ? d3_mesh_child_index(shape->mesh, face) : face;
	return shape->mesh ? *child < shape->mesh->triangle_count : !d3_height_field_hole(shape->height_field, face);
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

void d3_shape_neighborhood(const struct d3_shape *shape, uint32_t child, struct d3_mesh_triangle *out)
{
	if (shape->mesh)
		d3_mesh_neighborhood(shape->mesh, child, out);
	else if (shape->voxels)
		d3_voxels_neighborhood(shape, child, out);
	else
		d3_height_field_join(shape->height_field, child, out);
}

void d3_shape_triangle(const struct d3_shape *shape, uint32_t child, struct d3_vec out[3])
{
	if (shape->mesh)
		d3_mesh_triangle(shape->mesh, child, out);
	else if (shape->height_field)
		d3_height_field_corners(shape->height_field, child, out);
	else if (shape->voxels)
		d3_voxels_triangle(shape, child, out);
	else
		memcpy(out, shape->points, 3 * sizeof *out);
}

bool d3_shape_has_materials(const struct d3_shape *shape)
{
	const struct materials *materials = materials_of(shape);
	if (shape->voxels)
		return d3_voxels_has_materials(shape);
	return shape->compound ? shape->compound->has_materials : materials != NULL && materials->count > 0;
}

const struct material *d3_shape_material(const struct d3_shape *shape, uint32_t child)
{
	const struct materials *materials = materials_of(shape);
	if (shape->voxels)
		return d3_voxels_material(shape, child);
	if (shape->compound)
		return &shape->compound->children[child].material;
	return materials != NULL ? materials_find(materials, shape->mesh ? child : child / 2) : NULL;
}

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

static double square(double x)
{
	return x * x;
}

/* Support value of a cylinder, cone, tapered capsule or ellipsoid: the greatest d . p for a unit vector d, both in the shape's
 * frame. */
static double framed_reach(const struct d3_shape *shape, struct d3_vec_d d)
{
	struct d3_vec_d half = d3_widen(shape->half);
	switch (shape->type) {
	case D3_CYLINDER: return half.x * sqrt(d.x * d.x + d.z * d.z) + half.y * abs_d(d.y);
	case D3_CONE: return max_d(half.y * d.y, half.x * sqrt(d.x * d.x + d.z * d.z) - half.y * d.y);
	case D3_TAPERED_CAPSULE: return max_d(half.y * d.y, half.x - half.y * d.y) + shape->radius;
	default: return sqrt(square(half.x * d.x) + square(half.y * d.y) + square(half.z * d.z));
	}
}

/* Extends bounds along an axis by the interval from least to most. */
static void include(double bounds[6], int axis, double least, double most)
{
	bounds[axis] = min_d(bounds[axis], least);
	bounds[3 + axis] = max_d(bounds[3 + axis], most);
}

static void framed_bounds(const struct d3_shape *shape, const struct d3_rot_d *turn, double bounds[6])
{
	struct d3_vec_d p = d3_turn_d(turn, shape->frame.p);
	struct d3_rot_d q = d3_mul_rot_d(turn, &shape->frame.q);
	struct d3_vec_d rows[3] = {{q.x.x, q.y.x, q.z.x}, {q.x.y, q.y.y, q.z.y}, {q.x.z, q.y.z, q.z.z}};
	for (int i = 0; i < 3; ++i) {
		double center = d3_coordinate_d(p, i);
		include(bounds, i, center - framed_reach(shape, d3_neg_d(rows[i])), center + framed_reach(shape, rows[i]));
	}
}

static void points_bounds(const struct d3_shape *shape, const struct d3_rot_d *q, double bounds[6])
{
	struct d3_vec_d low = {INFINITY, INFINITY, INFINITY}, high = d3_neg_d(low);
	for (uint32_t k = 0; k < shape->count; ++k) {
		struct d3_vec_d p = d3_turn_d(q, d3_widen(shape->points[k]));
		low = d3_min_d(low, p);
		high = d3_max_d(high, p);
	}
	double radius = shape->radius;
	for (int i = 0; i < 3; ++i)
		include(bounds, i, d3_coordinate_d(low, i) - radius, d3_coordinate_d(high, i) + radius);
}

/* --- Points of meshes and height fields, through their trees -------------------------------------------------------------- */

/* A search for the farthest point: with the greatest v . p or, if from_center, with the greatest squared distance from v. */
struct quest {
	bool from_center;
	struct d3_vec_d v;
};

static double reach_of_point(const struct quest *quest, struct d3_vec_d p)
{
	struct d3_vec_d delta = d3_sub_d(p, quest->v);
	return quest->from_center ? d3_dot_d(delta, delta) : d3_dot_d(quest->v, p);
}

/* Upper bound of reach_of_point over the node's AABB. */
static double reach_of_node(const struct quest *quest, const struct d3_node *node)
{
	struct d3_vec_d low = d3_widen(node->lower), high = d3_widen(node->upper), v = quest->v, corner;
	if (quest->from_center)
		corner = (struct d3_vec_d){v.x > 0.5 * (low.x + high.x) ? low.x : high.x, v.y > 0.5 * (low.y + high.y) ? low.y : high.y,
			v.z > 0.5 * (low.z + high.z) ? low.z : high.z};
	else
		corner = (struct d3_vec_d){v.x < 0 ? low.x : high.x, v.y < 0 ? low.y : high.y, v.z < 0 ? low.z : high.z};
	return reach_of_point(quest, corner);
}

static double reach_of_leaf(const struct d3_shape *shape, const struct quest *quest, const struct d3_node *node)
{
	double most = -INFINITY;
	for (uint32_t i = node->first; i < node->first + node->count; ++i) {
		struct d3_vec corners[3];
		d3_shape_triangle(shape, i, corners);
		for (int k = 0; k < 3; ++k)
			most = max_d(most, reach_of_point(quest, d3_widen(corners[k])));
	}
	return most;
}

/* The greatest reach_of_point over the corners of all triangles. Visits nodes depth first, of siblings that with the greatest
 * bound first, and skips nodes whose bound does not exceed the result so far. */
static double farthest_reach(const struct d3_shape *shape, const struct quest *quest)
{
	struct {
		uint32_t node;
		double reach;
	} stack[D3_NODE_STACK] = {{0, INFINITY}};
	uint32_t depth = 1;
	double most = -INFINITY;
	while (depth > 0) {
		struct d3_node node, sister;
		if (!(stack[--depth].reach > most))
			continue;
		d3_shape_node(shape, stack[depth].node, &node);
		if (node.leaf) {
			most = max_d(most, reach_of_leaf(shape, quest, &node));
			continue;
		}
		uint32_t base = depth;
		for (uint32_t i = 0; i < node.count; ++i) {
			d3_shape_node(shape, node.first + i, &sister);
			double reach = reach_of_node(quest, &sister);
			uint32_t slot = depth++;
			for (; slot > base && stack[slot - 1].reach > reach; --slot)
				stack[slot] = stack[slot - 1];
			stack[slot].node = node.first + i;
			stack[slot].reach = reach;
		}
	}
	return most;
}

static void tree_bounds(const struct d3_shape *shape, const struct d3_rot_d *q, double bounds[6])
{
	struct d3_vec_d rows[3] = {{q->x.x, q->y.x, q->z.x}, {q->x.y, q->y.y, q->z.y}, {q->x.z, q->y.z, q->z.z}};
	for (int i = 0; i < 3; ++i) {
		bounds[i] = -farthest_reach(shape, &(struct quest){false, d3_neg_d(rows[i])});
		bounds[3 + i] = farthest_reach(shape, &(struct quest){false, rows[i]});
	}
}

/* The corners of the AABB of all faces: its time does not depend on their number. */
static void voxels_bounds(const struct d3_shape *shape, const struct d3_rot_d *q, double bounds[6])
{
	struct d3_vec ends[2];
	d3_voxels_bounds(shape, &ends[0], &ends[1]);
	for (int i = 0; i < 8; ++i) {
		struct d3_vec_d p = d3_turn_d(q, (struct d3_vec_d){ends[i & 1].x, ends[i >> 1 & 1].y, ends[i >> 2].z});
		for (int k = 0; k < 3; ++k)
			include(bounds, k, d3_coordinate_d(p, k), d3_coordinate_d(p, k));
	}
}

/* --- Bounds of whole shapes ----------------------------------------------------------------------------------------------- */

/* Extends bounds by a shape, rotated by q about the origin of the body's frame. The bounds of a mesh or height field replace
 * them. Not for compounds and half-spaces. */
static void part_bounds(const struct d3_shape *shape, const struct d3_rot_d *q, double bounds[6])
{
	switch (shape->type) {
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID:
	case D3_TAPERED_CAPSULE: framed_bounds(shape, q, bounds); return;
	case D3_MESH:
	case D3_HEIGHT_FIELD: tree_bounds(shape, q, bounds); return;
	case D3_VOXELS: voxels_bounds(shape, q, bounds); return;
	default: points_bounds(shape, q, bounds);
	}
}

void d3_bounds(const struct d3_shape *shape, const struct d3_pose *pose, double bounds[6])
{
	struct d3_rot_d q = d3_exact_rot(pose->q);
	double at[3] = {pose->x, pose->y, pose->z};
	double empty = shape->type == D3_HALF_SPACE ? -(double)D3_UNBOUNDED : INFINITY;
	for (int i = 0; i < 6; ++i)
		bounds[i] = i < 3 ? empty : -empty;
	if (shape->type == D3_HALF_SPACE)
		return;
	for (uint32_t i = 0; i < d3_shape_part_count(shape); ++i)
		part_bounds(d3_shape_part(shape, i), &q, bounds);
	for (int i = 0; i < 6; ++i)
		bounds[i] += at[i % 3];
}

void d3_shape_node(const struct d3_shape *shape, uint32_t node, struct d3_node *out)
{
	switch (shape->type) {
	case D3_MESH: d3_mesh_node(shape->mesh, node, out); return;
	case D3_COMPOUND: d3_stored_node(shape->compound->nodes, node, out); return;
	case D3_HEIGHT_FIELD: d3_height_field_node(shape->height_field, node, out); return;
	case D3_VOXELS: d3_voxels_node(shape, node, out); return;
	default: break;
	}
	double b[6];
	d3_bounds(shape, &(struct d3_pose){.q = {0, 0, 0, 1}}, b);
	*out = (struct d3_node){{round_down_f(b[0]), round_down_f(b[1]), round_down_f(b[2])},
		{round_up_f(b[3]), round_up_f(b[4]), round_up_f(b[5])}, .first = 0, .count = 1, .leaf = true};
}

/* Upper bound on the distance of the faces from the point. */
static double voxels_reach(const struct d3_shape *shape, struct d3_vec_d c)
{
	struct d3_vec lower, upper;
	d3_voxels_bounds(shape, &lower, &upper);
	struct d3_vec_d low = d3_sub_d(d3_widen(lower), c), high = d3_sub_d(d3_widen(upper), c);
	return d3_length_d((struct d3_vec_d){
		max_d(abs_d(low.x), abs_d(high.x)), max_d(abs_d(low.y), abs_d(high.y)), max_d(abs_d(low.z), abs_d(high.z))});
}

void d3_shape_extents(const struct d3_shape *shape, struct d3_vec center, float *min_extent, float *max_extent)
{
	struct d3_vec_d c = d3_widen(center);
	double most = 0;
	switch (shape->type) {
	case D3_HALF_SPACE: break;
	case D3_MESH:
	case D3_HEIGHT_FIELD: most = sqrt(farthest_reach(shape, &(struct quest){true, c})); break;
	case D3_VOXELS: most = voxels_reach(shape, c); break;
	default:
		for (uint32_t i = 0; i < d3_shape_part_count(shape); ++i)
			most = max_d(most, d3_convex_reach(d3_shape_part(shape, i), c));
	}
	*min_extent = shape->inner;
	*max_extent = (float)most;
}
