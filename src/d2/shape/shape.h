/* shape.h - the 2D shapes: the geometry of a collider in its body's frame.
 * A shape never changes after it was made, so that bodies and worlds can share it; it is reference-counted. Only tiles change:
 * they belong to one collider. The points of solid
 * shapes run counter-clockwise. A circle, capsule, segment, box or polygon is the hull of its points (the core) widened by its
 * radius, which lets one routine serve sharp and rounded shapes.
 * Threads: a shape may be retained and released by one thread at a time. The other functions may run on any thread; those that
 * return new shapes allocate from the given memory. */
#pragma once
#include "base/materials.h"
#include "base/memory.h"
#include "spatial/box.h"
#include "d2/shape/hull.h"
#include "d2/math.h"

#include <stdbool.h>
#include <stdint.h>

enum d2_shape_type {
	D2_CIRCLE,
	D2_CAPSULE,
	D2_SEGMENT,
	D2_BOX,
	D2_POLYGON,
	D2_ELLIPSE,
	D2_CHAIN, /* also tiles, see tiles.h */
	D2_HALF_PLANE,
	D2_SHAPE_TYPES
};

/* The edge from point i to point i + 1, exact but for the rounding of doubles. */
struct d2_edge {
	struct d2_vec_d normal; /* unit, outward; (0, 1) if the length is 0 */
	double length;
};

struct d2_shape {
	struct memory *memory; /* the allocator of this shape */
	uint32_t references;
	enum d2_shape_type type;
	uint32_t count; /* of points: 1 circle, 2 capsule and segment, 4 box, 3..64 polygon, 2.. chain, 1 ellipse, 0 half-plane */
	bool loop; /* chain: the last point is joined to the first */
	bool one_sided; /* chain: contacts, continuous collision and rays act on the right of the segments' direction only */
	float radius; /* rounding around the core [length]; circle: its radius; ellipse: see `axes` */
	/* centroid of the area; of a shape without area, the mean of its points; half-plane: the point of its line closest to the
	 * origin */
	struct d2_vec centroid;
	float inner; /* smallest distance from the centroid to the boundary; 0 without an interior; half-plane: 1e18 [length] */
	/* upper bound of the greatest distance from the centroid to the boundary; INFINITY for a half-plane [length] */
	float outer;
	/* upper bound of the distance of the shape's points from the body's origin; half-plane: INFINITY [length] */
	double reach;
	struct d2_vec half; /* box: half sizes of the core [length] */
	struct d2_rot rotation; /* box and ellipse: of its axes in the body's frame */
	/* ellipse: its half axes [length]; its only point is its centre. Its core, which gjk.h needs, is the set of points at least
	 * `radius` inside the boundary. The core is convex and smooth, since radius is 0.9 of the smallest radius of curvature,
	 * b^2/a for half axes a >= b; with equal axes the core is a point and radius the circle's. */
	struct d2_vec axes;
	struct d2_vec normal; /* half-plane: unit normal; solid where normal . p <= offset */
	float offset; /* half-plane [length] */
	const struct d2_vec *points; /* `count` points, then the first again, so that i + 1 needs no wrapping; in `data` */
	/* outward unit normal of the edge from point i to i+1; none with count < 2; in `data`, too. Capsule and segment have two
	 * edges, a to b and b to a. Chain: one per segment, on the right of its direction. */
	const struct d2_vec *normals;
	const struct d2_edge *edges; /* capsule, segment, box and polygon: one per normal; in `data`, too */
	const struct d2_vec *boxes; /* chain: lower and upper corner of each node of its tree, see chain.h; in `data`, too */
	struct materials materials; /* chain: of its segments */
	struct d2_tiles *tiles; /* of tiles, whose points and normals these are; NULL: the segments are fixed */
	uint32_t stride; /* chain: number of points from one segment's first to the next one's: see d2_segment */
	/* open one-sided chain: the points before its first and after its last one, where has_ghosts. Bodies collide with its ends
	 * as if it went on to there, but not with segments that lead there */
	struct d2_vec ghosts[2];
	bool has_ghosts[2];
	_Alignas(double) struct d2_vec data[];
};

/* The two points of a chain's segment. */
static inline const struct d2_vec *d2_segment(const struct d2_shape *chain, uint32_t child)
{
	return chain->points + (size_t)chain->stride * child;
}

/* Number of points of a chain's part: 2; more if the parts are areas of tiles, see tiles.h, of which some are the first again.
 */
static inline uint32_t d2_segment_points(const struct d2_shape *chain)
{
	return chain->stride > 2 ? chain->stride : 2;
}

/* The functions that return a pointer give NULL without memory, else a shape with one reference. Sizes must be > 0 and all
 * numbers finite. */
struct d2_shape *d2_circle_create(struct memory *memory, struct d2_vec center, float radius);
struct d2_shape *d2_capsule_create(struct memory *memory, struct d2_vec a, struct d2_vec b, float radius); /* a = b: a circle */
struct d2_shape *d2_segment_create(struct memory *memory, struct d2_vec a, struct d2_vec b); /* hit from both sides; a != b */
/* width, height: full sizes, which include the radius, 0 <= radius < min(width, height)/2. Centre and rotation in the body's
 * frame. */
struct d2_shape *d2_box_create(
	struct memory *memory, float width, float height, struct d2_vec center, struct d2_rot rotation, float radius);
/* rx, ry: half axes. Centre and rotation in the body's frame. */
struct d2_shape *d2_ellipse_create(struct memory *memory, float rx, float ry, struct d2_vec center, struct d2_rot rotation);
/* Creates a chain of segments from point to point. count >= 2, or >= 3 for a loop; no two neighbouring points are equal. A
 * one-sided chain is solid on the left of the segments' direction and hit from the right only; the first and last segment of an
 * open one behave as if they went on straight. A two-sided one is hit from both sides and at its ends. materials: copied. */
struct d2_shape *d2_chain_create(struct memory *memory, const struct d2_vec *points, uint32_t count, bool loop, bool one_sided,
	const struct materials *materials);
/* Sets the ghost before the first point (end 0) or after the last one (end 1) of a new open one-sided chain. */
void d2_chain_set_ghost(struct d2_shape *chain, int end, struct d2_vec point);
/* The material of a segment of a chain; NULL: the collider's material applies. */
const struct material *d2_shape_material(const struct d2_shape *shape, uint32_t child);
/* Whether some segments have materials of their own. */
bool d2_shape_has_materials(const struct d2_shape *shape);
/* Creates a half-plane, solid where normal . p <= offset. The normal is normalised first; the offset, a distance, is not scaled
 * with it. */
struct d2_shape *d2_half_plane_create(struct memory *memory, struct d2_vec normal, float offset);

/* Creates the hull of the points, see hull.h, widened by radius >= 0. Only D2_HULL_OK sets *out. count <= D2_HULL_MAX. */
enum d2_hull_result d2_polygon_create(
	struct memory *memory, const struct d2_vec *points, uint32_t count, float radius, struct d2_shape **out);

/* The frame of an ellipse's axes in the body's frame. */
static inline struct d2_transform d2_ellipse_frame(const struct d2_shape *ellipse)
{
	return (struct d2_transform){ellipse->points[0], ellipse->rotation};
}

/* A copy of the shape transformed by the pose: its points moved and rounded to floats again. *out is valid only with
 * D2_HULL_OK. */
enum d2_hull_result d2_shape_moved(
	struct memory *memory, const struct d2_shape *shape, const struct d2_pose *pose, struct d2_shape **out);

enum d2_scaled_result {
	D2_SCALED_OK,
	D2_SCALED_OUT_OF_MEMORY,
	D2_SCALED_UNEVEN, /* circle or rounded shape: the factors differ by more than their sign */
	D2_SCALED_SHEARED, /* an ellipse's axes would not stay perpendicular */
	D2_SCALED_FLAT /* the scaled points have no hull: see enum d2_hull_result */
};

/* A copy of the shape, whose points p move to (scale.x p.x, scale.y p.y). No factor is 0. If the factors mirror, the points of
 * a chain are reversed, so that the same side stays solid. A box that is sheared becomes a polygon. *out is valid only with
 * D2_SCALED_OK. */
enum d2_scaled_result d2_shape_scaled(
	struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale, struct d2_shape **out);
size_t d2_shape_bytes(const struct d2_shape *shape);

void d2_shape_retain(struct d2_shape *shape);
void d2_shape_release(struct d2_shape *shape); /* frees the shape with its last reference */

#define D2_ALL UINT32_MAX /* as a child: all children of the shape */

/* A chain's number of segments; 1 for everything else. Functions require a `child` below this number. */
uint32_t d2_shape_child_count(const struct d2_shape *shape);

struct d2_mass {
	float mass; /* [mass] */
	struct d2_vec center; /* centre of mass in the body's frame [length] */
	float inertia; /* about the centre of mass [mass length^2] */
};

/* Computes mass, centre and inertia in closed form, in double. For segment, chain and half-plane mass and inertia are 0, and
 * the centre is the centroid. density in [mass/length^2]. */
void d2_shape_mass(const struct d2_shape *shape, float density, struct d2_mass *out);

/* The AABB of a child in the world, widened by margin >= 0 [length] and rounded outwards; never NaN or infinite. Half-plane:
 * +-1e18. */
struct box d2_shape_box(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, float margin);

/* Whether the shape is a half-plane: its AABB, which is finite, does not contain it. */
bool d2_shape_unbounded(const struct d2_shape *shape);

/* Whether the half-plane at `pose` overlaps the box. */
bool d2_shape_box_overlap(const struct d2_shape *shape, const struct d2_pose *pose, const struct box *box);

/* Two lengths for continuous collision and sleep. min_extent: smallest distance from the shape's centroid to its boundary, 0
 * for segment and chain. max_extent: distance of the farthest point from `center` (in the body's frame), for an ellipse an
 * upper bound. A half-plane has min_extent 1e18 and max_extent 0, and so constrains neither. */
void d2_shape_extents(const struct d2_shape *shape, struct d2_vec center, float *min_extent, float *max_extent);

/* Whether the shape is a chain or half-plane. Two such shapes have no manifold: a dynamic body with one would fall through the
 * other. */
bool d2_shape_must_be_static(const struct d2_shape *shape);
