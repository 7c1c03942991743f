/* shape.h - 3D collision shapes: the geometry of a collider in its body's frame.
 * A shape is immutable, so that bodies and worlds can share it; it is reference-counted.
 * A sphere, capsule, segment, triangle, box or hull is the hull of its points (the core) expanded by its radius, so that one
 * routine serves sharp and rounded shapes. A cylinder, cone, ellipsoid or tapered capsule has a frame of its own, given in the
 * body's frame, and a support function. A half-space is a plane with all that is below it. A mesh, a height field, voxels or a
 * compound have convex children under a tree of AABBs.
 * Threads: a shape may be retained, released and scaled by one thread at a time; all other functions only read shapes, and may
 * be called from any thread. */
#pragma once
#include "base/inverse.h"
#include "base/materials.h"
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
	D3_VOXELS,
	D3_COMPOUND,
	D3_SHAPE_TYPES
};

struct d3_mesh;
struct d3_height_field;
struct d3_compound;
struct d3_voxels;

/* A symmetric matrix. */
struct d3_spread {
	double xx, yy, zz, xy, xz, yz;
};

/* Moments of a solid: volume [length^3], and the integrals of p [length^4] and p p^T [length^5] over it; p is relative to
 * `origin`. */
struct d3_moments {
	struct d3_vec_d origin; /* in the body's frame [length] */
	double volume;
	struct d3_vec_d first;
	struct d3_spread second;
};

struct d3_shape {
	struct memory *memory; /* allocator of the shape and of all that it owns */
	uint32_t references;
	enum d3_shape_type type;
	/* points of the core: 1 sphere, 2 capsule and segment, 3 triangle, 8 box, 4..256 hull; 0 for all others */
	uint32_t count;
	float radius; /* rounding around the core [length]; ellipsoid, tapered capsule: see `frame` */
	/* Centroid of the volume. Without volume: the mean of the points, of a compound the mean of its children's centroids.
	 * Half-space: the point of its plane nearest the origin. */
	struct d3_vec centroid;
	/* A bounding ball: every point of the shape is within `reach` of `middle`, and within `extent` of the body's origin
	 * [length]. Half-spaces and shapes with children have none: `reach` and `extent` are INFINITY. */
	struct d3_vec_d middle;
	double reach, extent;
	/* smallest distance from the centroid to the boundary; 0 for shapes without volume, 1e18 for half-spaces; for a compound,
	 * the minimum over its children [length] */
	float inner;
	/* Box, cylinder, cone, ellipsoid, tapered capsule: the shape's frame in the body's frame, and half sizes along its axes.
	 * The origin is in the middle: of a cone at half its height, of a tapered capsule between the centres of its ends.
	 *   box              `half`: half sizes of the core
	 *   cylinder, cone   `half`: (radius, half height, radius); the axis is y, with a cone's apex at +y
	 *   ellipsoid        `half`: half axes, a the greatest and c the least. The core is the ellipsoid offset inwards by
	 *       `radius` =
	 *                    0.9 c^2 / a. As c^2 / a is the smallest radius of curvature, the core is smooth and convex. A ball's
	 *                    core is a point
	 *   tapered capsule  the hull of a ball of radius half.x about y = -half.y and of the point at y = half.y, expanded by
	 *                    `radius`, the radius of the smaller end */
	struct d3_transform_d frame;
	struct d3_vec half;
	struct d3_vec_d normal; /* half-space: unit normal; solid where normal . p <= offset */
	double offset; /* half-space: see `normal` [length] */
	bool one_sided; /* mesh, height field and voxels: contacts, rays and casts act on the front of triangles only */
	const struct d3_vec *points; /* the core's `count` points, in the body's frame */
	const struct d3_hull *hull; /* box and hull: the core with its faces; `points` are its points */
	const struct d3_mesh *mesh;
	const struct d3_height_field *height_field;
	const struct d3_compound *compound;
	struct d3_voxels *voxels; /* see voxels.h */
	struct d3_vec core[3]; /* storage of `points` for up to three points */
	struct d3_moments moments; /* hull; computing them takes 10 us */
};

/* Kind of a triangle's edge, seen from one side of the surface. A body that slides along that side can catch on an edge only
 * where the surface bends away from the side (convex) or ends. Flat: bent by at most 5e-4 rad. */
enum d3_edge {
	D3_EDGE_FLAT,
	D3_EDGE_CONCAVE,
	D3_EDGE_CONVEX,
	D3_EDGE_BOUNDARY,
};

enum { D3_NO_TRIANGLE = UINT32_MAX };

/* The corners and neighbors of a triangle, each as a byte relative to its block. */
struct d3_mesh_record {
	uint8_t corners[3]; /* in the block's list of vertices */
	/* across edge k: i < D3_MESH_BLOCK is triangle i of the same block, else entry i - D3_MESH_BLOCK of the block's others */
	uint8_t neighbors[3];
	uint16_t edges; /* see struct d3_mesh_triangle */
};

/* number of triangles in a block; their vertices and outside neighbors are at most 192 each, so that an index fits a byte */
enum { D3_MESH_BLOCK = 64 };

struct d3_mesh_block {
	uint32_t vertices, others; /* start of the block in `lists` and `others` */
};

/* Triangles, in the order of the tree's leaves. Vertices at the same position have the index of the first of them. A scaled
 * mesh shares all lists with its owner, the unscaled mesh, and owns only this struct: its vertices are scale times the owner's,
 * rounded to floats. A mirroring scale turns triangles inside out; swapping corners 1 and 2 undoes that. */
struct d3_mesh {
	uint32_t vertex_count, triangle_count, node_count; /* node_count: number of `nodes`, blocks of up to four */
	uint32_t face_count; /* triangles given, including those left out */
	struct d3_vec scale; /* 1 for an owner */
	/* mirrored: odd number of negative factors; uneven: the factors differ in size */
	bool mirrored, uneven;
	struct d3_vec *vertices; /* vertex_count + 1 entries, so that SIMD can read four floats at each vertex */
	struct d3_mesh_record *records; /* one per triangle */
	struct d3_mesh_block *blocks; /* one per D3_MESH_BLOCK consecutive triangles */
	uint32_t *lists; /* vertex indices, block by block */
	uint32_t *others; /* neighbors in other blocks, or D3_NO_TRIANGLE; block by block */
	struct d3_node4 *nodes;
	uint32_t *numbers; /* the face (a triangle as given) of each triangle; then the faces that were left out */
	struct inverse child_indices; /* the triangle of each face: inverse of `numbers` */
	struct materials materials;
	uint32_t list_count, other_count;
	struct d3_mesh *owner;
	uint32_t references; /* of an owner: itself and the meshes that share its lists */
};

/* A triangle of a mesh or height field with its neighborhood. Edge k runs from corner k to the next one. Seen from the front,
 * the corners run counter-clockwise. */
struct d3_mesh_triangle {
	struct d3_vec corners[3];
	uint32_t points[3]; /* vertex indices of the corners; neighbors share the indices of common corners */
	/* the child across edge k; D3_NO_TRIANGLE if there is none or it is ambiguous */
	uint32_t neighbors[3];
	uint16_t edges; /* see d3_triangle_edge and d3_triangle_gentle */
};

/* Edges bent by no more than this angle are gentle: about the angle between neighboring sides of a 32-sided prism [rad]. */
#define D3_GENTLE 0.2

/* Kind of edge k, seen from the front or the back. */
static inline enum d3_edge d3_triangle_edge(const struct d3_mesh_triangle *triangle, int k, bool back)
{
	return (enum d3_edge)(triangle->edges >> (2 * k + (back ? 6 : 0)) & 3);
}

/* Whether a single triangle continues the surface across edge k, bent there by no more than D3_GENTLE. */
static inline bool d3_triangle_gentle(const struct d3_mesh_triangle *triangle, int k)
{
	return triangle->edges >> (12 + k) & 1;
}

/* Writes the triangle `child` of a mesh or height field, which must not be in a hole. The edges of height fields and of
 * unevenly scaled meshes are classified anew on each call. */
void d3_shape_neighborhood(const struct d3_shape *shape, uint32_t child, struct d3_mesh_triangle *out);
/* Writes the corners of a D3_TRIANGLE, or of the triangle `child` of a mesh or height field. */
void d3_shape_triangle(const struct d3_shape *shape, uint32_t child, struct d3_vec out[3]);
/* The material of a child of a mesh, height field or compound; NULL: the collider's material applies. */
const struct material *d3_shape_material(const struct d3_shape *shape, uint32_t child);
/* Whether some children have materials of their own. */
bool d3_shape_has_materials(const struct d3_shape *shape);

/* Heights on a regular grid, row by row: the point of column i and row k is at x + i cell_width, z + k cell_depth, and its
 * height is y. Each cell is two triangles, on either side of the diagonal from its first corner to the opposite one. The cell
 * of column i and row k has children 2 (k (columns - 1) + i), with the corner at column i + 1, row k, and the next number, with
 * the corner at column i, row k + 1. Children in holes have numbers, but no leaf contains them. */
struct d3_height_field {
	double x, z; /* [length] */
	double cell_width, cell_depth;
	uint32_t columns, rows; /* numbers of heights along x and z, >= 2 */
	float *heights;
	struct materials materials; /* `of` has one byte per cell, which can be MATERIALS_HOLE */
	struct d3_range {
		float least, most;
	} * ranges; /* height ranges of blocks of cells: see height_field.c */
	uint32_t range_count;
	uint32_t levels; /* halvings of the cells, by columns or rows, until one is left */
	uint8_t column_bits[33]; /* by level, the number of halvings left: how many of these are by columns */
	/* start in `ranges` of each level's blocks; levels 0 and 1 have none */
	uint32_t starts[33];
	/* A scaled field shares all lists with its owner, the unscaled field. x, z and the cell sizes above include the scale: a
	 * mirroring one makes cell sizes negative. Heights and ranges do not: multiply them by `rise`. For `mirrored` see struct
	 * d3_mesh. */
	float rise; /* 1 for an owner */
	bool mirrored;
	struct d3_height_field *owner;
	uint32_t references; /* of an owner: itself and the fields that share its lists */
	bool own; /* a collider's alone, which may be edited */
};

/* Heights of the points from column `column` and row `row` on, row by row. */
struct d3_heights_edit {
	uint32_t column, row, columns, rows;
	const float *heights;
};

/* Convex shapes, already transformed into the compound's frame, under a tree. */
struct d3_compound {
	uint32_t count, node_count; /* see struct d3_mesh */
	uint32_t point_count, face_count; /* totals over all children */
	bool has_materials; /* some child has a material */
	/* in the order of the tree's leaves */
	struct d3_compound_child {
		struct d3_shape *shape; /* the compound holds a reference to it */
		uint32_t number; /* place in the order given */
		uint32_t first_point, first_face; /* points and faces (see d3_shape_point_count) of the children given before it */
		struct material material;
	} * children;
	uint32_t *child_indices; /* the index in `children` of each child, in the order given */
	struct d3_node4 *nodes;
};

/* Functions that return a shape return NULL if memory runs out. The new shape has one reference. The caller has checked that
 * sizes are > 0 and everything is finite. */
struct d3_shape *d3_sphere_create(struct memory *memory, struct d3_vec center, float radius);
struct d3_shape *d3_capsule_create(struct memory *memory, struct d3_vec a, struct d3_vec b, float radius); /* a = b: a sphere */
/* Makes the hull of two balls. If one ball contains the other, the shape is a sphere, the larger ball; if the radii are equal,
 * a capsule. */
struct d3_shape *d3_tapered_capsule_create(
	struct memory *memory, struct d3_vec a, float radius_a, struct d3_vec b, float radius_b);
struct d3_shape *d3_segment_create(struct memory *memory, struct d3_vec a, struct d3_vec b); /* a != b */
/* Makes a two-sided triangle; its area must not be 0. */
struct d3_shape *d3_triangle_create(struct memory *memory, struct d3_vec a, struct d3_vec b, struct d3_vec c);
/* size: full sizes, which include the radius: 0 <= radius < least size / 2. center and rotation are in the body's frame. */
struct d3_shape *d3_box_create(
	struct memory *memory, struct d3_vec size, struct d3_vec center, struct d3_quat rotation, float radius);
/* `height` is the full height, centred, along the y axis of the frame that `center` and `rotation` give. */
struct d3_shape *d3_cylinder_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation);
struct d3_shape *d3_cone_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation);
struct d3_shape *d3_ellipsoid_create(
	struct memory *memory, struct d3_vec half_axes, struct d3_vec center, struct d3_quat rotation);
/* Makes the half-space normal . p <= offset. Normalises the normal first, so that the offset is a distance [length]. */
struct d3_shape *d3_half_space_create(struct memory *memory, struct d3_vec normal, float offset);
/* Makes a mesh from 3 indices (from 0, < vertex_count) for each triangle. Triangles with two equal indices are left out. The
 * caller ensures that at least one triangle remains, and that none of the remaining ones has zero area. All lists are copied.
 * materials->of has a byte for each triangle given, those left out too; `materials` NULL: none. */
struct d3_shape *d3_mesh_create(struct memory *memory, const struct d3_vec *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, bool one_sided, const struct materials *materials);
/* Replaces each of the indices by that of its point's representative: the first point that represents itself and is at most the
 * tolerance (>= 0) away. False: no memory. */
bool d3_mesh_weld(
	struct memory *memory, const struct d3_points *points, double tolerance, uint32_t *indices, size_t index_count);
/* Makes a height field from copies of the field's heights and materials; levels and ranges are computed. At least one cell must
 * not be a hole. */
struct d3_shape *d3_height_field_create(struct memory *memory, const struct d3_height_field *field, bool one_sided);
/* Makes a copy of the height field, to be edited. NULL: no memory. */
struct d3_shape *d3_height_field_copy(struct memory *memory, const struct d3_shape *shape);
/* Sets heights of a shape made by d3_height_field_copy. Its time does not depend on the size of the field. The centroid stays.
 */
void d3_height_field_edit(struct d3_shape *shape, const struct d3_heights_edit *edit);
/* Makes a compound of copies of count >= 1 shapes, each transformed by its pose: convex shapes except half-spaces, or
 * compounds, whose children become children of this one and keep the properties that their materials have. materials: of the
 * shapes, in the compound's frame; NULL: none. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_compound_create(struct memory *memory, const struct d3_shape *const *shapes, const struct d3_pose *poses,
	const struct material *materials, uint32_t count, struct d3_shape **out);
/* Makes the hull of the points, see hull.h, expanded by radius >= 0. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_hull_create(
	struct memory *memory, const struct d3_vec *points, uint32_t count, float radius, struct d3_shape **out);
/* Makes the sharp hull of a polyhedron, see d3_hull_of_faces. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_hull_create_of_faces(struct memory *memory, const struct d3_faces *faces, struct d3_shape **out);

/* Makes a copy of the shape, transformed by the pose. Points are moved and rounded to floats; frames stay double. A height
 * field becomes a mesh with the same face and point numbers. Only D3_HULL_OK sets *out. */
enum d3_hull_result d3_shape_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_pose *pose, struct d3_shape **out);

enum d3_scaled_result {
	D3_SCALED_OK,
	D3_SCALED_OUT_OF_MEMORY,
	D3_SCALED_UNEVEN, /* the scale factors differ in size, and the shape is rounded and no ellipsoid */
	D3_SCALED_SHEARED, /* the image would not be a cylinder, cone or ellipsoid */
	D3_SCALED_FLAT /* the scaled points have no valid hull: see enum d3_hull_result */
};

/* Makes a copy of the shape with each point p at (scale.x p.x, scale.y p.y, scale.z p.z). No factor may be 0. A negative factor
 * mirrors the shape, but fronts of triangles stay fronts. A copy of a mesh or height field shares its lists. A sheared box
 * becomes a hull. Surface velocities do not scale. Only D3_SCALED_OK sets *out. */
enum d3_scaled_result d3_shape_scaled(
	struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale, struct d3_shape **out);
/* Memory of the shape, including lists that it shares [bytes]. */
size_t d3_shape_bytes(const struct d3_shape *shape);

/* Writes centre, in the body's frame, and radius of a tapered capsule's larger end, then of its smaller one. */
void d3_tapered_ends(const struct d3_shape *shape, struct d3_vec_d centers[2], double radii[2]);

void d3_shape_retain(struct d3_shape *shape);
void d3_shape_release(struct d3_shape *shape); /* the last release frees the shape */

/* Number of a mesh's or height field's triangles, or of a compound's children; 1 for convex shapes; of voxels the numbers that
 * a triangle may have. A `child` argument must be below this number. */
uint32_t d3_shape_child_count(const struct d3_shape *shape);
/* Index in the order given: the face of a mesh's or height field's triangle, the shape of a compound's child; else 0. */
uint32_t d3_shape_child_number(const struct d3_shape *shape, uint32_t child);
bool d3_shape_convex(const struct d3_shape *shape); /* all but mesh, height field, voxels and compound */
/* Whether the shape is a mesh, height field, voxels or half-space. Two such shapes have no contacts: a dynamic body with one
 * would fall through the others. */
bool d3_shape_must_be_static(const struct d3_shape *shape);
/* Features are numbered from 0. Points are those of the core (types D3_SPHERE to D3_HULL), of a mesh or height field, or of all
 * children of a compound; all other types have none. Faces are those of a hull or box (as in hull.h), or triangles. Meshes and
 * compounds number theirs in the order given, not in the order of the children: see `numbers`, `first_point` and
 * `first_face`. */
uint32_t d3_shape_point_count(const struct d3_shape *shape);
struct d3_vec d3_shape_point(const struct d3_shape *shape, uint32_t point);
uint32_t d3_shape_face_count(const struct d3_shape *shape);
/* Writes the point numbers of a face, counter-clockwise from outside, and returns how many: 0 for a triangle that was left out
 * or is in a hole. `points` has room for D3_HULL_MAX. */
uint32_t d3_shape_face(const struct d3_shape *shape, uint32_t face, uint32_t *points);
/* The child of a mesh or height field for a face. False: the face was left out or is in a hole. */
bool d3_shape_face_child(const struct d3_shape *shape, uint32_t face, uint32_t *child);

/* --- The tree over the children ------------------------------------------------------------------------------------------- */

/* A node. lower and upper are rounded outwards. A leaf holds the children first .. first + count - 1 of the shape; an inner
 * node has the child nodes first .. first + count - 1. */
struct d3_node {
	struct d3_vec lower, upper; /* in the shape's frame */
	uint32_t first;
	uint16_t count; /* 1..4; of voxels more; 0 for a leaf of holes only */
	bool leaf;
};

/* Reads a node. Node 0 is the root. A convex shape has one node, a leaf; that of a half-space extends to +-1e18. A height
 * field's nodes are computed from its levels. */
void d3_shape_node(const struct d3_shape *shape, uint32_t node, struct d3_node *out);

enum { D3_NODE_STACK = 256 }; /* enough for any depth-first traversal of any tree */

/* --- Mass, bounds and extents --------------------------------------------------------------------------------------------- */

struct d3_mass {
	float mass; /* [kg] */
	struct d3_vec center; /* centre of mass in the body's frame [length] */
	/* inertia about the centre of mass, along the body's axes [kg length^2]; xy, xz, yz are entries of the tensor: -sum m x
	 * y */
	float xx, yy, zz, xy, xz, yz;
};

/* Computes the mass at this density [kg/length^3], by closed forms, also for rounded boxes and hulls. All is zero for segment,
 * triangle, mesh, height field and half-space; the centre is then the centroid. A compound is the sum of its children, even if
 * they overlap. */
void d3_shape_mass(const struct d3_shape *shape, float density, struct d3_mass *out);

/* AABB of the whole shape in the world: lower x, y, z, upper x, y, z, exact to double precision. A half-space extends to
 * +-1e18. */
void d3_bounds(const struct d3_shape *shape, const struct d3_pose *pose, double bounds[6]);

/* Computes two lengths for continuous collision and sleep. min_extent: smallest distance from the shape's centroid to its
 * boundary, 0 for shapes without volume; for a compound, the minimum over its children. max_extent: distance of the shape's
 * farthest point from `center` (in the body's frame). A half-space constrains neither: it gives min_extent 1e18 and max_extent
 * 0. */
void d3_shape_extents(const struct d3_shape *shape, struct d3_vec center, float *min_extent, float *max_extent);

/* The parts of a shape: the children of a compound, or the shape itself. */
static inline uint32_t d3_shape_part_count(const struct d3_shape *shape)
{
	return shape->type == D3_COMPOUND ? shape->compound->count : 1;
}

static inline const struct d3_shape *d3_shape_part(const struct d3_shape *shape, uint32_t child)
{
	return shape->type == D3_COMPOUND ? shape->compound->children[child].shape : shape;
}

/* Whether the shape is a surface of triangles. Another shape can have several contacts with such a surface, gathered by
 * normals. */
static inline bool d3_shape_surface(const struct d3_shape *shape)
{
	return shape->type == D3_MESH || shape->type == D3_HEIGHT_FIELD || shape->type == D3_VOXELS;
}
