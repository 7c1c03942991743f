/* shape_parts.h - internals shared by the files that create shapes. See shape.h for threads. */
#pragma once
#include "d3/shape/mesh_tree.h"
#include "d3/shape/shape.h"

/* Size that stands for unbounded, in floats. */
#define D3_UNBOUNDED 1e18f

/* Makes a shape with one reference, an identity frame and infinite reach and extent. All else but memory and type is zero.
 * NULL: no memory. */
struct d3_shape *d3_shape_new(struct memory *memory, enum d3_shape_type type);

/* Makes a half-space; normal: a unit vector. */
struct d3_shape *d3_half_space_make(struct memory *memory, struct d3_vec_d normal, double offset);
/* Makes a shape whose core is one to three points. The centroid is their mean. */
struct d3_shape *d3_points_make(
	struct memory *memory, enum d3_shape_type type, const struct d3_vec *points, uint32_t count, float radius);
/* Distance of the farthest point of a convex shape, but not a half-space, from `center`, in the body's frame. */
double d3_convex_reach(const struct d3_shape *shape, struct d3_vec_d center);
/* Moments of a rounded hull, about a point near it. */
struct d3_moments d3_hull_moments(const struct d3_shape *shape);

/* Makes a box, cylinder, cone, ellipsoid or tapered capsule from the fields of struct d3_shape. The radius of an ellipsoid is
 * computed: the argument is ignored. */
struct d3_shape *d3_framed_create(
	struct memory *memory, enum d3_shape_type type, struct d3_vec half, float radius, const struct d3_transform_d *frame);

/* --- Corners of triangles ------------------------------------------------------------------------------------------------- */

/* Corners of four triangles, one per SIMD lane. */
struct d3_corner_lanes {
	float x[3][4], y[3][4], z[3][4];
};

static inline void d3_lanes_set_corner(struct d3_corner_lanes *lanes, size_t lane, int k, struct d3_vec p)
{
	lanes->x[k][lane] = p.x;
	lanes->y[k][lane] = p.y;
	lanes->z[k][lane] = p.z;
}

static inline struct d3_vec d3_scaled_point(struct d3_vec scale, struct d3_vec p)
{
	return (struct d3_vec){p.x * scale.x, p.y * scale.y, p.z * scale.z};
}

static inline struct d3_vec d3_mesh_point(const struct d3_mesh *mesh, uint32_t vertex)
{
	return d3_scaled_point(mesh->scale, mesh->vertices[vertex]);
}

/* The vertex indices of a triangle's corners, counter-clockwise from the front. */
static inline void d3_mesh_corners(const struct d3_mesh *mesh, uint32_t child, uint32_t corners[3])
{
	const uint32_t *list = mesh->lists + mesh->blocks[child / D3_MESH_BLOCK].vertices;
	const struct d3_mesh_record *record = &mesh->records[child];
	corners[0] = list[record->corners[0]];
	corners[1] = list[record->corners[mesh->mirrored ? 2 : 1]];
	corners[2] = list[record->corners[mesh->mirrored ? 1 : 2]];
}

static inline void d3_mesh_triangle(const struct d3_mesh *mesh, uint32_t child, struct d3_vec out[3])
{
	uint32_t corners[3];
	d3_mesh_corners(mesh, child, corners);
	for (int k = 0; k < 3; ++k)
		out[k] = d3_mesh_point(mesh, corners[k]);
}

/* AABBs of four nodes, at the mesh's scale. */
static inline void d3_mesh_read_four(const struct d3_mesh *mesh, const struct d3_node4 *nodes, float4 lower[3], float4 upper[3])
{
	d3_node_four_read(nodes, lower, upper);
	if (mesh->owner == mesh)
		return;
	const float scale[3] = {mesh->scale.x, mesh->scale.y, mesh->scale.z};
	for (int axis = 0; axis < 3; ++axis) {
		float4 a = lower[axis] * scale[axis], b = upper[axis] * scale[axis];
		lower[axis] = float4_least(a, b);
		upper[axis] = float4_most(a, b);
	}
}

static inline struct d3_vec d3_height_field_at(const struct d3_height_field *field, uint32_t column, uint32_t row)
{
	return (struct d3_vec){(float)(field->x + column * field->cell_width),
		field->heights[(size_t)row * field->columns + column] * field->rise, (float)(field->z + row * field->cell_depth)};
}

static inline void d3_height_field_corners(const struct d3_height_field *field, uint32_t child, struct d3_vec out[3])
{
	uint32_t cells = field->columns - 1, i = child / 2 % cells, k = child / 2 / cells, across = child % 2 == 0 ? 1 : 2;
	across = field->mirrored ? 3 - across : across;
	out[0] = d3_height_field_at(field, i, k);
	out[across] = d3_height_field_at(field, i + 1, k + 1);
	out[3 - across] = child % 2 == 0 ? d3_height_field_at(field, i + 1, k) : d3_height_field_at(field, i, k + 1);
}

/* A block of a height field's cells: its first cell, and the number of halvings until one cell is left. The whole field is { 0,
 * 0, levels }. */
struct d3_height_field_block {
	uint32_t column, row, level;
};

/* AABB of a block, in the shape's frame. False: all its cells are holes, and y is meaningless. */
bool d3_height_field_box(
	const struct d3_height_field *field, const struct d3_height_field_block *block, struct d3_vec *lower, struct d3_vec *upper);
/* Splits a block of level > 0 into halves and returns their number: 1 if the second one is beyond the border, else 2. */
uint32_t d3_height_field_halves(
	const struct d3_height_field *field, const struct d3_height_field_block *block, struct d3_height_field_block halves[2]);

/* --- Shapes with children ------------------------------------------------------------------------------------------------- */

/* Turns the surface velocity. */
void d3_material_turn(struct material *material, const struct d3_rot_d *rotation);

/* A mesh before it is packed: its triangles, in the order of the leaves. */
struct d3_mesh_draft {
	uint32_t vertex_count, triangle_count;
	const struct d3_vec *vertices;
	uint32_t *indices, *neighbors; /* 3 for each triangle */
	uint16_t *edges;
};

/* Sets the draft's neighbors and edges, lists that the caller has allocated. Vertices at the same position must have one index.
 * False: no memory. */
bool d3_mesh_join(struct memory *memory, struct d3_mesh_draft *draft, bool one_sided);
/* Writes the triangle `child` with its neighbors; the kinds of its edges are those at the mesh's scale. */
void d3_mesh_neighborhood(const struct d3_mesh *mesh, uint32_t child, struct d3_mesh_triangle *out);
/* Kind, seen from the front, of the edge from a to b of a triangle with this normal, which may have any length. p is the third
 * corner of the triangle across the edge. *gentle: see d3_triangle_gentle. */
enum d3_edge d3_edge_kind(struct d3_vec_d normal, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d p, bool *gentle);
/* Bits of edge k in d3_mesh_triangle.edges if its kind seen from the front is `kind`, and front and back have the same neighbor
 * there, or none: seen from the back, convex and concave are exchanged. */
uint16_t d3_edge_bits(enum d3_edge kind, bool gentle, int k);

/* Index of the face's triangle; >= triangle_count if the face was left out. */
static inline uint32_t d3_mesh_child_index(const struct d3_mesh *mesh, uint32_t face)
{
	return inverse_at(&mesh->child_indices, mesh->numbers, face);
}

void d3_mesh_free(struct memory *memory, struct d3_mesh *mesh);
/* Makes a mesh that shares the owner's lists and keeps the owner alive. scale: relative to the owner. NULL: no memory. */
struct d3_mesh *d3_mesh_share(struct memory *memory, const struct d3_mesh *mesh, struct d3_vec scale);
size_t d3_mesh_bytes(const struct d3_mesh *mesh);

/* Unpacks a node, at the mesh's scale. */
void d3_mesh_node(const struct d3_mesh *mesh, uint32_t node, struct d3_node *out);

void d3_height_field_free(struct memory *memory, struct d3_height_field *field);
/* As d3_mesh_share, but the scale is relative to `field`. */
struct d3_height_field *d3_height_field_share(
	struct memory *memory, const struct d3_height_field *field, struct d3_vec_d scale);
size_t d3_height_field_bytes(const struct d3_height_field *field);
/* Whether the height ranges contain the heights. */
bool d3_height_field_valid(const struct d3_height_field *field);
bool d3_height_field_hole(const struct d3_height_field *field, uint32_t child);
/* Writes the child's triangle with its neighbors and edges; the child must not be in a hole. */
void d3_height_field_join(const struct d3_height_field *field, uint32_t child, struct d3_mesh_triangle *out);
void d3_height_field_node(const struct d3_height_field *field, uint32_t node, struct d3_node *out);
uint32_t d3_height_field_child_count(const struct d3_height_field *field);
/* Writes the corners of a child, counter-clockwise from the front, as point numbers. */
void d3_height_field_triangle(const struct d3_height_field *field, uint32_t child, uint32_t corners[3]);
struct d3_vec d3_height_field_point(const struct d3_height_field *field, uint32_t point);

/* A compound of `count` >= 1 convex shapes, made in three steps: all shapes must be added, in the order given, with their
 * materials, before the last one. d3_compound_add takes the shape's reference. d3_compound_finish: false, if there is no
 * memory; then the compound can only be released. */
struct d3_shape *d3_compound_new(struct memory *memory, uint32_t count);
void d3_compound_add(struct d3_shape *compound, uint32_t number, struct d3_shape *shape, const struct material *material);
bool d3_compound_finish(struct d3_shape *compound);
void d3_compound_free(struct memory *memory, struct d3_compound *compound);
size_t d3_compound_bytes(const struct d3_compound *compound);
/* Finds the child that has point *index of the compound or, with `face`, its face *index. *index becomes the number within the
 * child. */
const struct d3_compound_child *d3_compound_find(const struct d3_compound *compound, bool face, uint32_t *index);
