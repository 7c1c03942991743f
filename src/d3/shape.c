/* shape.c - making convex shapes, and what there is to know of any shape but its mass.
** Floor: d3. See shape.h for threads. */
#include "d3/shape.h"

#include "d3/shape_parts.h"

#include <assert.h>

static const float unbounded = 1e18f;
static const struct d3_transform_d in_place = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };

struct d3_shape *d3_shape_new(struct memory *memory, enum d3_shape_type type)
{
	struct d3_shape *shape = memory_zeroed(memory, sizeof *shape);
	if (shape == NULL)
		return NULL;
	shape->memory = memory;
	shape->references = 1;
	shape->type = type;
	shape->frame = in_place;
	return shape;
}

static struct d3_transform_d frame_of(struct d3_vec center, struct d3_quat rotation)
{
	return (struct d3_transform_d){ d3_widen(center), d3_exact_rot(rotation) };
}

static struct d3_transform_d pose_frame(const struct d3_pose *pose)
{
	return (struct d3_transform_d){ { pose->x, pose->y, pose->z }, d3_exact_rot(pose->q) };
}

/* --- Making ------------------------------------------------------------------------------------------------------------ */

/* A core of one to three points; the centroid is their mean. */
static struct d3_shape *create_points(struct memory *memory, enum d3_shape_type type, const struct d3_vec *points, uint32_t count, float radius)
{
	struct d3_shape *shape = d3_shape_new(memory, type);
	if (shape == NULL)
		return NULL;
	struct d3_vec_d sum = { 0, 0, 0 };
	for (uint32_t i = 0; i < count; i++) {
		shape->core[i] = points[i];
		sum = d3_add_d(sum, d3_widen(points[i]));
	}
	shape->points = shape->core;
	shape->count = count;
	shape->radius = radius;
	shape->inner = radius;
	shape->centroid = d3_narrow((struct d3_vec_d){ sum.x / count, sum.y / count, sum.z / count });
	return shape;
}

struct d3_shape *d3_sphere_create(struct memory *memory, struct d3_vec center, float radius)
{
	return create_points(memory, D3_SPHERE, &center, 1, radius);
}

struct d3_shape *d3_capsule_create(struct memory *memory, struct d3_vec a, struct d3_vec b, float radius)
{
	if (a.x == b.x && a.y == b.y && a.z == b.z)
		return d3_sphere_create(memory, a, radius);
	return create_points(memory, D3_CAPSULE, (struct d3_vec[]){ a, b }, 2, radius);
}

struct d3_shape *d3_segment_create(struct memory *memory, struct d3_vec a, struct d3_vec b)
{
	return create_points(memory, D3_SEGMENT, (struct d3_vec[]){ a, b }, 2, 0);
}

struct d3_shape *d3_triangle_create(struct memory *memory, struct d3_vec a, struct d3_vec b, struct d3_vec c)
{
	return create_points(memory, D3_TRIANGLE, (struct d3_vec[]){ a, b, c }, 3, 0);
}

/* A shape with a frame and half sizes of its own. */
static struct d3_shape *create_framed(struct memory *memory, enum d3_shape_type type, struct d3_vec half, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = d3_shape_new(memory, type);
	if (shape == NULL)
		return NULL;
	shape->frame = *frame;
	shape->half = half;
	shape->centroid = d3_narrow(frame->p);
	return shape;
}

static struct d3_shape *create_box(struct memory *memory, struct d3_vec half, float radius, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_BOX, half, frame);
	if (shape == NULL)
		return NULL;
	shape->hull = d3_hull_of_box(memory, frame, half);
	if (shape->hull == NULL) {
		d3_shape_release(shape);
		return NULL;
	}
	shape->points = shape->hull->points;
	shape->count = shape->hull->point_count;
	shape->radius = radius;
	shape->inner = min_f(min_f(half.x, half.y), half.z) + radius;
	return shape;
}

struct d3_shape *d3_box_create(struct memory *memory, struct d3_vec size, struct d3_vec center, struct d3_quat rotation, float radius)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_box(memory, (struct d3_vec){ 0.5f * size.x - radius, 0.5f * size.y - radius, 0.5f * size.z - radius }, radius, &frame);
}

static struct d3_shape *create_cylinder(struct memory *memory, struct d3_vec half, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_CYLINDER, half, frame);
	if (shape != NULL)
		shape->inner = min_f(half.x, half.y);
	return shape;
}

struct d3_shape *d3_cylinder_create(struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_cylinder(memory, (struct d3_vec){ radius, 0.5f * height, radius }, &frame);
}

/* The centroid is a quarter of the height above the base; the mantle's distance from there is 3/4 h sin(half the apex's angle). */
static struct d3_shape *create_cone(struct memory *memory, struct d3_vec half, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_CONE, half, frame);
	if (shape == NULL)
		return NULL;
	double radius = half.x, height = 2 * (double)half.y;
	shape->centroid = d3_narrow(d3_mul_add_d(frame->p, -0.25 * height, frame->q.y));
	shape->inner = (float)min_d(0.25 * height, 0.75 * height * radius / sqrt(radius * radius + height * height));
	return shape;
}

struct d3_shape *d3_cone_create(struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_cone(memory, (struct d3_vec){ radius, 0.5f * height, radius }, &frame);
}

static struct d3_shape *create_ellipsoid(struct memory *memory, struct d3_vec half, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_ELLIPSOID, half, frame);
	if (shape == NULL)
		return NULL;
	float least = min_f(min_f(half.x, half.y), half.z), greatest = max_f(max_f(half.x, half.y), half.z);
	shape->inner = least;
	shape->radius = least == greatest ? least : 0.9f * least * (least / greatest);
	return shape;
}

struct d3_shape *d3_ellipsoid_create(struct memory *memory, struct d3_vec half_axes, struct d3_vec center, struct d3_quat rotation)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_ellipsoid(memory, half_axes, &frame);
}

static struct d3_shape *create_half_space(struct memory *memory, struct d3_vec_d normal, double offset)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_HALF_SPACE);
	if (shape == NULL)
		return NULL;
	shape->normal = normal;
	shape->offset = offset;
	shape->centroid = d3_narrow(d3_scale_d(offset, normal));
	shape->inner = unbounded;
	return shape;
}

struct d3_shape *d3_half_space_create(struct memory *memory, struct d3_vec normal, float offset)
{
	struct d3_vec_d n = d3_widen(normal);
	double length = d3_length_d(n);
	assert(length > 0);
	return create_half_space(memory, (struct d3_vec_d){ n.x / length, n.y / length, n.z / length }, offset);
}

void d3_shape_retain(struct d3_shape *shape)
{
	assert(shape->references > 0);
	shape->references++;
}

void d3_shape_release(struct d3_shape *shape)
{
	assert(shape->references > 0);
	if (--shape->references > 0)
		return;
	if (shape->hull)
		d3_hull_free(shape->memory, (struct d3_hull *)shape->hull);
	memory_resize(shape->memory, shape, sizeof *shape, 0);
}

/* --- Counting ---------------------------------------------------------------------------------------------------------- */

uint32_t d3_shape_child_count(const struct d3_shape *shape)
{
	(void)shape;
	return 1;
}

bool d3_shape_convex(const struct d3_shape *shape)
{
	return shape->type < D3_MESH;
}

uint32_t d3_shape_point_count(const struct d3_shape *shape)
{
	return shape->count;
}

struct d3_vec d3_shape_point(const struct d3_shape *shape, uint32_t point)
{
	assert(point < d3_shape_point_count(shape));
	return shape->points[point];
}

uint32_t d3_shape_face_count(const struct d3_shape *shape)
{
	return shape->hull ? shape->hull->face_count : shape->type == D3_TRIANGLE;
}

uint32_t d3_shape_face(const struct d3_shape *shape, uint32_t face, uint32_t *points)
{
	assert(face < d3_shape_face_count(shape));
	if (shape->hull == NULL) {
		for (uint32_t i = 0; i < 3; i++)
			points[i] = i;
		return 3;
	}
	const struct d3_hull *hull = shape->hull;
	uint32_t count = 0, first = hull->face_edges[face], edge = first;
	do {
		points[count++] = hull->edges[edge].origin;
		edge = hull->edges[edge].next;
	} while (edge != first);
	return count;
}

/* --- Bounds ------------------------------------------------------------------------------------------------------------ */

static double square(double x)
{
	return x * x;
}

/* How far the shape with a frame reaches from its frame's origin along the unit vector d of that frame. */
static double framed_reach(const struct d3_shape *shape, struct d3_vec_d d)
{
	struct d3_vec_d half = d3_widen(shape->half);
	switch (shape->type) {
	case D3_CYLINDER:
		return half.x * sqrt(d.x * d.x + d.z * d.z) + half.y * abs_d(d.y);
	case D3_CONE:
		return max_d(half.y * d.y, half.x * sqrt(d.x * d.x + d.z * d.z) - half.y * d.y);
	default:
		return sqrt(square(half.x * d.x) + square(half.y * d.y) + square(half.z * d.z));
	}
}

static void framed_bounds(const struct d3_shape *shape, const struct d3_transform_d *place, double bounds[6])
{
	struct d3_vec_d p = d3_turn_d(&place->q, shape->frame.p);
	struct d3_rot_d q = d3_mul_rot_d(&place->q, &shape->frame.q);
	struct d3_vec_d rows[3] = { { q.x.x, q.y.x, q.z.x }, { q.x.y, q.y.y, q.z.y }, { q.x.z, q.y.z, q.z.z } };
	double center[3] = { p.x, p.y, p.z };
	for (int i = 0; i < 3; i++) {
		bounds[i] = center[i] - framed_reach(shape, d3_neg_d(rows[i]));
		bounds[3 + i] = center[i] + framed_reach(shape, rows[i]);
	}
}

static void points_bounds(const struct d3_vec *points, uint32_t count, const struct d3_rot_d *q, double bounds[6])
{
	for (int i = 0; i < 3; i++)
		bounds[i] = INFINITY, bounds[3 + i] = -INFINITY;
	for (uint32_t k = 0; k < count; k++) {
		struct d3_vec_d p = d3_turn_d(q, d3_widen(points[k]));
		double at[3] = { p.x, p.y, p.z };
		for (int i = 0; i < 3; i++) {
			bounds[i] = min_d(bounds[i], at[i]);
			bounds[3 + i] = max_d(bounds[3 + i], at[i]);
		}
	}
}

void d3_bounds(const struct d3_shape *shape, const struct d3_pose *pose, double bounds[6])
{
	struct d3_transform_d place = pose_frame(pose);
	double at[3] = { pose->x, pose->y, pose->z }, radius = 0;
	switch (shape->type) {
	case D3_HALF_SPACE:
		for (int i = 0; i < 3; i++)
			bounds[i] = -(double)unbounded, bounds[3 + i] = unbounded;
		return;
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID:
		framed_bounds(shape, &place, bounds);
		break;
	default:
		points_bounds(shape->points, shape->count, &place.q, bounds);
		radius = shape->radius;
	}
	for (int i = 0; i < 3; i++) {
		bounds[i] = at[i] + (bounds[i] - radius);
		bounds[3 + i] = at[i] + (bounds[3 + i] + radius);
	}
}

void d3_shape_node(const struct d3_shape *shape, uint32_t node, struct d3_node *out)
{
	(void)node;
	double b[6];
	d3_bounds(shape, &(struct d3_pose){ .q = { 0, 0, 0, 1 } }, b);
	*out = (struct d3_node){ { round_down_f(b[0]), round_down_f(b[1]), round_down_f(b[2]) },
		{ round_up_f(b[3]), round_up_f(b[4]), round_up_f(b[5]) }, .first = 0, .count = 1, .leaf = true };
}
