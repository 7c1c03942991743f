/* shape.h - the shapes of space: what a collider looks like in its body's frame.
 * A shape never changes after it was made, so that bodies, worlds and snapshots can share it; it is counted.
 * A sphere, capsule, segment, triangle, box or hull is the hull of its points (the core) widened by its radius, which lets one
 * routine serve sharp and rounded alike; cylinder, cone, ellipsoid and tapered capsule have a frame of their own in the body's
 * and a support function. Mesh, height field and compound have children, each of them convex, under a tree of boxes. Retain and
 * release from one thread at a time; everything else is read-only, any thread. */
#pragma once
#include "base/inverse.h"
#include "base/memory.h"
#include "spatial/box.h"
#include "d3/shape/hull.h"
#include "d3/math.h"

#include <stdbool.h>
#include <stdint.h>

enum d3_shape_type {
	D3_SPHERE,
	D3_CAPSULE,
	D3_SEGMENT,
	D3_TRIANGLE,
	D3_BOX,
	D3_HULL,
	D3_CYLINDER,
	D3_CONE,
	D3_ELLIPSOID,
	D3_TAPERED_CAPSULE,
	D3_HALF_SPACE,
	D3_MESH,
	D3_HEIGHT_FIELD,
	D3_COMPOUND,
	D3_SHAPE_TYPES
};

struct d3_mesh;
struct d3_height_field;
struct d3_compound;

struct d3_shape {
	struct memory *memory; /* where the shape came from and goes back to */
	uint32_t references;
	enum d3_shape_type type;
	/* of points of the core: 1 sphere, 2 capsule and segment, 3 triangle, 8 box, 4..256 hull; 0 for all others */
	uint32_t count;
	float radius; /* rounding around the core [length]; ellipsoid: see below */
	struct d3_vec centroid; /* of the volume; of the points where there is no volume */
	/* Every point of the shape is within `reach` of `middle`, and within `extent` of the body's origin [length]. Half-spaces
	 * and what has children: INFINITY. */
	struct d3_vec_d middle;
	double reach, extent;
	/* smallest distance from the centroid to the boundary; 0 for what has no inside; of a compound, its children's least
	 * [length] */
	float inner;
	/* Box, cylinder, cone, ellipsoid, tapered capsule: the frame in the body's frame, and half sizes along its axes: of the
	 * box's core; (radius, half height, radius) of cylinder and cone, which stand along y, a cone's apex at +y; the half axes
	 * of the ellipsoid. The frame's origin is the centre of these sizes: of a cone, half way up. An ellipsoid's `radius` is
	 * that of a ball which, rolled around inside, leaves a smooth convex core: 0.9 of the smallest radius of curvature, least^2
	 * / greatest half axis, or all of it for a ball. A tapered capsule is the hull of a ball of radius half.x about y = -half.y
	 * and of the point at y = half.y, widened by `radius`, that of its smaller end. */
	struct d3_transform_d frame;
	struct d3_vec half;
	struct d3_vec_d normal; /* half-space: unit normal; solid where normal . p <= offset */
	double offset; /* half-space [length] */
	bool one_sided; /* mesh and height field: felt, and hit by rays and casts, from the front of triangles alone */
	const struct d3_vec *points; /* `count` of them */
	const struct d3_hull *hull; /* box and hull: of the core, with its faces; points are its points */
	const struct d3_mesh *mesh;
	const struct d3_height_field *height_field; /* height field */
	const struct d3_compound *compound;
	struct d3_vec core[3]; /* room for few points */
};

/* What is special about the surface of a triangle; what it does not say is that of the collider. */
enum {
	D3_HAS_FRICTION = 1,
	D3_HAS_RESTITUTION = 2,
	D3_HAS_ROLLING_RESISTANCE = 4,
	D3_HAS_TANGENT_VELOCITY = 8,
};

struct d3_material {
	uint8_t has; /* D3_HAS_FRICTION and so on */
	float friction, restitution, rolling_resistance; /* as in struct material */
	struct d3_vec tangent_velocity; /* of the surface, in the shape's frame [length/s] */
};

/* The materials of a mesh or height field, and one byte for each triangle of the mesh, as it stands here, or cell of the field:
 * 0 where it has the collider's, i for list[i - 1], or D3_HOLE, of cells only. `of` is NULL where all would be 0. */
enum { D3_MATERIALS_MAXIMUM = 254, D3_HOLE = 255 };

struct d3_materials {
	uint32_t count; /* <= D3_MATERIALS_MAXIMUM */
	struct d3_material *list;
	uint8_t *of;
};

/* What a triangle's edge is, as somebody feels who slides over it: who comes along a side of the surface gets caught at an edge
 * only where the surface bends away from that side, or ends. Flat: by less than 5e-4 rad. */
enum d3_edge {
	D3_EDGE_FLAT,
	D3_EDGE_CONCAVE,
	D3_EDGE_CONVEX,
	D3_EDGE_BOUNDARY,
};

enum { D3_NO_TRIANGLE = UINT32_MAX };

/* Corners and neighbors of a triangle, as places in the lists of its block. */
struct d3_mesh_record {
	uint8_t corners[3]; /* in the block's list of vertices */
	/* beyond edge k: below D3_MESH_BLOCK a triangle of the block itself, else its list of others from there on */
	uint8_t neighbors[3];
	uint16_t edges; /* see struct d3_mesh_triangle */
};

enum { D3_MESH_BLOCK = 64 }; /* triangles: they have at most 192 vertices and 192 neighbors, which bytes can count */

struct d3_mesh_block {
	uint32_t vertices, others; /* where its lists begin */
};

/* Triangles, in the order of the tree's leaves. Equal vertices are one: the first of them stands for all. Meshes of other
 * scales share all lists with the one that they were made from, the owner, and have only this struct for themselves: the
 * vertices stand at scale times their places here, rounded to floats. A mirror turns triangles inside out, which are turned
 * back: their corners 1 and 2 change places. */
struct d3_mesh {
	uint32_t vertex_count, triangle_count, node_count; /* of nodes, the number of fours */
	uint32_t face_count; /* triangles given, among them those that were left out */
	struct d3_vec scale; /* 1 of an owner */
	/* the scale: has an odd number of negative factors; is not the same along all axes, but for its sign */
	bool mirrored, uneven;
	struct d3_vec *vertices; /* one more than there are, so that four floats can be read at each */
	struct d3_mesh_record *records; /* of each triangle */
	struct d3_mesh_block *blocks; /* of every D3_MESH_BLOCK triangles in a row */
	uint32_t *lists; /* of vertices */
	uint32_t *others; /* neighbors outside the block, or D3_NO_TRIANGLE */
	struct d3_node4 *nodes;
	uint32_t *numbers; /* of each triangle, in the order in which they were given; then those of the faces that were left out */
	struct inverse places; /* of the numbers */
	struct d3_materials materials;
	uint32_t list_count, other_count;
	struct d3_mesh *owner;
	uint32_t references; /* of an owner, by itself and those that share its lists */
};

/* A triangle of a mesh or height field with what is around it. Edge k runs from corner k to the next; seen from the front, the
 * corners run counter-clockwise. */
struct d3_mesh_triangle {
	struct d3_vec corners[3];
	uint32_t points[3]; /* their numbers: the same number is the same corner */
	/* the child on the other side of edge k; D3_NO_TRIANGLE where there is none, or more than one that it could be */
	uint32_t neighbors[3];
	uint16_t edges; /* see d3_triangle_edge and d3_triangle_gentle */
};

/* Bends at an edge by less than this are gentle: those of a ring of 32 [rad]. */
#define D3_GENTLE 0.2

/* What edge k is from the front, or from the back. */
static inline enum d3_edge d3_triangle_edge(const struct d3_mesh_triangle *triangle, int k, bool back)
{
	return (enum d3_edge)(triangle->edges >> (2 * k + (back ? 6 : 0)) & 3);
}

/* Whether the surface goes on beyond edge k, in one triangle, and bends there by no more than D3_GENTLE. */
static inline bool d3_triangle_gentle(const struct d3_mesh_triangle *triangle, int k)
{
	return triangle->edges >> (12 + k) & 1;
}

/* `child` of a mesh or height field, not in a hole. A height field's edges are reckoned anew each time, from the heights
 * around. */
void d3_shape_neighborhood(const struct d3_shape *shape, uint32_t child, struct d3_mesh_triangle *out);
/* The corners of `child` of a triangle, mesh or height field. */
void d3_shape_triangle(const struct d3_shape *shape, uint32_t child, struct d3_vec out[3]);
/* The material of a mesh's or height field's child; NULL: the collider's. */
const struct d3_material *d3_shape_material(const struct d3_shape *shape, uint32_t child);
/* Whether any of them has. */
bool d3_shape_has_materials(const struct d3_shape *shape);

/* Heights on an even grid, row by row: the height y of column i and row k stands at x + i cell_width, z + k cell_depth. Each
 * cell is two triangles, on either side of the diagonal from its first corner to the opposite one. Children: 2 (k (columns - 1)
 * + i) and the next one: first the triangle with the corner at column i + 1, row k, then the one with that at column i, row k +
 * 1. Children in holes are counted, but no leaf has them. */
struct d3_height_field {
	double x, z; /* [length] */
	double cell_width, cell_depth;
	uint32_t columns, rows; /* of heights, >= 2 */
	float *heights;
	struct d3_materials materials; /* holes, too */
	struct d3_range {
		float least, most;
	} * ranges; /* of blocks of cells: see height_field.c */
	uint32_t levels; /* times that the cells are halved, by columns or rows, until one is left */
	uint8_t column_bits[33]; /* how many of a level's halvings are by columns */
	uint32_t starts[33]; /* of each level's blocks in `ranges`, by the halvings that are left to do; levels 0 and 1 have none */
	/* Fields of other scales share all lists with the one that they were made from, the owner. The scale along x and z is in
	 * the places and sizes above, which are negative where it mirrors; heights and ranges are to be multiplied by `rise`. See
	 * struct d3_mesh for `mirrored`. */
	float rise; /* 1 of an owner */
	bool mirrored;
	struct d3_height_field *owner;
	uint32_t references; /* of an owner, by itself and those that share its lists */
};

/* Convex shapes, already moved to their places, under a tree. */
struct d3_compound {
	uint32_t count, node_count; /* see struct d3_mesh */
	struct d3_shape **children; /* each holds a reference; in the order of the tree's leaves */
	uint32_t *numbers; /* of each child, in the order in which they were given */
	uint32_t *places; /* of each in that order: where it stands here */
	/* Of each child, as it stands here: how many points and faces (see d3_shape_point_count) those given before it have. */
	uint32_t *first_points, *first_faces;
	struct d3_node4 *nodes;
};

/* Each returns NULL when there is no memory. The new shape has one reference. Sizes are > 0 and everything is finite: the
 * caller has checked. */
struct d3_shape *d3_sphere_create(struct memory *memory, struct d3_vec center, float radius);
struct d3_shape *d3_capsule_create(struct memory *memory, struct d3_vec a, struct d3_vec b, float radius); /* a = b: a sphere */
/* The hull of two balls. Where one contains the other it is that sphere; where their radii are equal, a capsule. */
struct d3_shape *d3_tapered_capsule_create(
	struct memory *memory, struct d3_vec a, float radius_a, struct d3_vec b, float radius_b);
struct d3_shape *d3_segment_create(struct memory *memory, struct d3_vec a, struct d3_vec b); /* a != b */
/* has an area; two-sided */
struct d3_shape *d3_triangle_create(struct memory *memory, struct d3_vec a, struct d3_vec b, struct d3_vec c);
/* Full sizes, which include the radius: 0 <= radius < least size / 2. Centre and rotation in the body's frame. */
struct d3_shape *d3_box_create(
	struct memory *memory, struct d3_vec size, struct d3_vec center, struct d3_quat rotation, float radius);
/* Full height; centred on the place, along its y. */
struct d3_shape *d3_cylinder_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation);
struct d3_shape *d3_cone_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation);
struct d3_shape *d3_ellipsoid_create(
	struct memory *memory, struct d3_vec half_axes, struct d3_vec center, struct d3_quat rotation);
/* Solid where normal . p <= offset. The normal need not be a unit vector; it is normalised (the offset is a distance). */
struct d3_shape *d3_half_space_create(struct memory *memory, struct d3_vec normal, float offset);
/* 3 indices (from 0, < vertex_count) for each triangle, which has an area, or two equal ones where it is to be left out; one at
 * least is not. All lists are copied. `materials` has a byte for each triangle given; NULL: none. */
struct d3_shape *d3_mesh_create(struct memory *memory, const struct d3_vec *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, bool one_sided, const struct d3_materials *materials);
/* Each vertex gets the number of the first one that stands for itself and is no farther from it than the tolerance, >= 0, or
 * its own. False: no memory. */
bool d3_mesh_weld(
	struct memory *memory, const struct d3_vec *vertices, uint32_t vertex_count, double tolerance, uint32_t *representatives);
/* The heights and materials are copied; levels and ranges are made. One cell at least is no hole. */
struct d3_shape *d3_height_field_create(struct memory *memory, const struct d3_height_field *terrain, bool one_sided);
/* count >= 1 shapes, each at its pose, convex and no half-space, or compounds, whose children become this one's. */
enum d3_hull_result d3_compound_create(struct memory *memory, const struct d3_shape *const *shapes, const struct d3_pose *poses,
	uint32_t count, struct d3_shape **out);
/* The hull of the points, see hull.h, widened by radius >= 0. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_hull_create(
	struct memory *memory, const struct d3_vec *points, uint32_t count, float radius, struct d3_shape **out);

/* The shape as it stands at the place: its points moved, rounded to floats again; frames stay double. A height field becomes a
 * mesh, whose faces and points have the same numbers. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_shape_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_pose *pose, struct d3_shape **out);

enum d3_scaled_result {
	D3_SCALED_OK,
	D3_SCALED_OUT_OF_MEMORY,
	D3_SCALED_UNEVEN, /* the shape has a radius, and the scale is not the same along all axes, but for its sign */
	D3_SCALED_SHEARED, /* the image of a cylinder, cone or ellipsoid would be none */
	D3_SCALED_FLAT /* the hull of the scaled points is none: see enum d3_hull_result */
};

/* The image of the shape, point p at (scale.x p.x, scale.y p.y, scale.z p.z). No factor is 0; a negative one mirrors, and what
 * was the front or the outside stays it. Meshes and height fields share their lists with the shape. A box that is sheared
 * becomes a hull. The velocities of surfaces stay as they are. Only D3_SCALED_OK sets *out. */
enum d3_scaled_result d3_shape_scaled(
	struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale, struct d3_shape **out);
/* All that the shape holds, what it shares among it [bytes]. */
size_t d3_shape_bytes(const struct d3_shape *shape);

/* A tapered capsule's larger end, then its smaller one. */
void d3_tapered_ends(const struct d3_shape *shape, struct d3_vec_d centers[2], double radii[2]);

void d3_shape_retain(struct d3_shape *shape);
void d3_shape_release(struct d3_shape *shape); /* the last one frees it */

/* 1, or the number of triangles or children. Functions with a `child` want it below this number. */
uint32_t d3_shape_child_count(const struct d3_shape *shape);
/* Of a triangle of a mesh or height field its face's, of a compound's shape its place in the order given; else 0. */
uint32_t d3_shape_child_number(const struct d3_shape *shape, uint32_t child);
bool d3_shape_convex(const struct d3_shape *shape); /* not mesh, height field and compound */
/* mesh, height field, half-space: ground for others. Two of them have no manifold */
bool d3_shape_terrain(const struct d3_shape *shape);
/* How features are counted: points of the core, of hull, box, mesh and height field, over all children of a compound; none for
 * cylinder, cone, ellipsoid, tapered capsule and half-space. Faces: of hull and box (as in hull.h), triangles. Those of mesh
 * and compound are counted in the order in which they were given, not in that of the children here: see `numbers`,
 * `first_points` and `first_faces`. */
uint32_t d3_shape_point_count(const struct d3_shape *shape);
struct d3_vec d3_shape_point(const struct d3_shape *shape, uint32_t point);
uint32_t d3_shape_face_count(const struct d3_shape *shape);
/* The points of a face, counter-clockwise from outside; their number, at most D3_HULL_MAX, all of which `points` has room for.
 * None where a triangle was left out, and in holes. */
uint32_t d3_shape_face(const struct d3_shape *shape, uint32_t face, uint32_t *points);
/* The child of a mesh or height field that is the face. False: it was left out, or is in a hole. */
bool d3_shape_face_child(const struct d3_shape *shape, uint32_t face, uint32_t *child);

/* --- The tree over the children ------------------------------------------------------------------------------------------- */

/* lower and upper are rounded outwards. A leaf's children are first .. first + count - 1; an inner node's nodes likewise. */
struct d3_node {
	struct d3_vec lower, upper; /* in the shape's frame */
	uint32_t first;
	uint8_t count; /* 1..8; a leaf in a hole: 0 */
	bool leaf;
};

/* Node 0 is the root. A convex shape has one leaf; a half-space's is +-1e18 each way. A height field's nodes are reckoned from
 * its levels. */
void d3_shape_node(const struct d3_shape *shape, uint32_t node, struct d3_node *out);

enum { D3_NODE_STACK = 256 }; /* is enough for any walk, depth first, through any tree */

/* --- What there is to know of a shape ------------------------------------------------------------------------------------- */

struct d3_mass {
	float mass; /* [kg] */
	struct d3_vec center; /* centre of mass in the body's frame [length] */
	/* inertia about the centre of mass, along the body's axes [kg length^2]; products are those of the tensor: -sum m x y */
	float xx, yy, zz, xy, xz, yz;
};

/* Exact; of rounded boxes and hulls that of their rounding too. All zero for segment, triangle, mesh, height field and
 * half-space (the centre is then the centroid). A compound is the sum of its children, even where they overlap. density in
 * [kg/length^3]. */
void d3_shape_mass(const struct d3_shape *shape, float density, struct d3_mass *out);

/* lower x, y, z, upper x, y, z in the world, of the whole shape, as exact as doubles are. A half-space reaches to 1e18. */
void d3_bounds(const struct d3_shape *shape, const struct d3_pose *pose, double bounds[6]);

/* Two lengths for continuous collision and sleep. min_extent: smallest distance from the shape's centroid to its boundary, 0
 * for what has no inside; of a compound, the least of its children's. max_extent: distance of the farthest point from `center`
 * (in the body's frame). A half-space constrains neither: it gives min_extent 1e18 and max_extent 0. */
void d3_shape_extents(const struct d3_shape *shape, struct d3_vec center, float *min_extent, float *max_extent);

/* Has triangles: what touches it may do so in several places, with a contact each. */
static inline bool d3_shape_surface(const struct d3_shape *shape)
{
	return shape->type == D3_MESH || shape->type == D3_HEIGHT_FIELD;
}
