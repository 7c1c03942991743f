/* convex.c - creation of convex shapes. See shape.h for threads. */
#include "d3/shape/shape.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>
#include <math.h>

static const struct d3_transform_d in_place = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* --- Extents -------------------------------------------------------------------------------------------------------------- */

/* The distance of an ellipsoid's farthest point from c, in its frame: an upper bound to within rounding. With half axes a, that
 * point p maximises |p - c|^2 where sum (p/a)^2 = 1. For any s above the greatest a^2
 *   |p - c|^2 <= s + sum c^2 s/(s - a^2),
 * and the least of these bounds, where 1 = sum c^2 a^2/(s - a^2)^2, is the maximum itself (S-lemma). Its s is found by
 * bisection between the greatest a^2 and that plus the greatest a times |c|. */
static double ellipsoid_reach(struct d3_vec_d half, struct d3_vec_d c)
{
	double squares[3] = {half.x * half.x, half.y * half.y, half.z * half.z}, offsets[3] = {c.x * c.x, c.y * c.y, c.z * c.z};
	double most = max_d(max_d(squares[0], squares[1]), squares[2]);
	double low = most;
	double high = most + sqrt(most) * d3_length_d(c);
	double least = INFINITY;
	for (int i = 0; i < 64; ++i) {
		double s = 0.5 * (low + high), slope = 1, bound = s;
		for (int k = 0; k < 3; ++k) {
			double excess = s - squares[k];
			if (!(excess > 0) || offsets[k] == 0)
				continue;
			slope -= offsets[k] * squares[k] / (excess * excess);
			bound += offsets[k] * (s / excess);
		}
		least = min_d(least, bound);
		if (slope < 0)
			low = s;
		else
			high = s;
	}
	return sqrt(least);
}

static double points_reach(const struct d3_shape *shape, struct d3_vec_d center)
{
	double most = 0;
	for (uint32_t i = 0; i < shape->count; ++i)
		most = max_d(most, d3_length_d(d3_sub_d(d3_widen(shape->points[i]), center)));
	return most + shape->radius;
}

/* The farthest point of a cylinder is on one of its rims, that of a cone on its rim or at the apex; a rim's is on the side away
 * from `center`. */
double d3_convex_reach(const struct d3_shape *shape, struct d3_vec_d center)
{
	struct d3_vec_d c = d3_inv_transform_point_d(&shape->frame, center), half = d3_widen(shape->half);
	double rim = half.x + sqrt(c.x * c.x + c.z * c.z), base = half.y + c.y, top = half.y - c.y;
	switch (shape->type) {
	case D3_CYLINDER: return sqrt(rim * rim + max_d(base * base, top * top));
	case D3_CONE: return max_d(sqrt(rim * rim + base * base), sqrt(c.x * c.x + c.z * c.z + top * top));
	case D3_ELLIPSOID: return ellipsoid_reach(half, c);
	case D3_TAPERED_CAPSULE: {
		double square_across = c.x * c.x + c.z * c.z;
		return max_d(sqrt(square_across + top * top), sqrt(square_across + base * base) + half.x) + shape->radius;
	}
	default: return points_reach(shape, center);
	}
}

struct d3_shape *d3_shape_new(struct memory *memory, enum d3_shape_type type)
{
	struct d3_shape *shape = memory_zeroed(memory, sizeof *shape);
	if (shape == NULL)
		return NULL;
	shape->memory = memory;
	shape->references = 1;
	shape->type = type;
	shape->frame = in_place;
	shape->reach = shape->extent = INFINITY;
	return shape;
}

/* Sets the bounding ball `middle`, `reach` and `extent` from all other fields. Its centre is that of the points' AABB, else the
 * frame's origin; of a tapered capsule, half way between its tips. */
static void set_ball(struct d3_shape *shape)
{
	struct d3_vec_d low, high;
	d3_points_box(&(struct d3_points){.narrow = shape->points, .count = shape->count}, &low, &high);
	shape->middle = shape->count > 0 ? d3_scale_d(0.5, d3_add_d(low, high)) : shape->frame.p;
	if (shape->type == D3_TAPERED_CAPSULE)
		shape->middle = d3_mul_add_d(shape->frame.p, -0.5 * shape->half.x, shape->frame.q.y);
	shape->reach = d3_convex_reach(shape, shape->middle) * (1 + 1e-12);
	shape->extent = (d3_length_d(shape->middle) + shape->reach) * (1 + 1e-12);
}

/* --- Making --------------------------------------------------------------------------------------------------------------- */

struct d3_shape *d3_points_make(
	struct memory *memory, enum d3_shape_type type, const struct d3_vec *points, uint32_t count, float radius)
{
	struct d3_shape *shape = d3_shape_new(memory, type);
	if (shape == NULL)
		return NULL;
	struct d3_vec_d sum = {0, 0, 0};
	for (uint32_t i = 0; i < count; ++i) {
		shape->core[i] = points[i];
		sum = d3_add_d(sum, d3_widen(points[i]));
	}
	shape->points = shape->core;
	shape->count = count;
	shape->radius = radius;
	shape->inner = radius;
	shape->centroid = d3_narrow((struct d3_vec_d){sum.x / count, sum.y / count, sum.z / count});
	set_ball(shape);
	return shape;
}

struct d3_shape *d3_sphere_create(struct memory *memory, struct d3_vec center, float radius)
{
	return d3_points_make(memory, D3_SPHERE, &center, 1, radius);
}

struct d3_shape *d3_capsule_create(struct memory *memory, struct d3_vec a, struct d3_vec b, float radius)
{
	if (a.x == b.x && a.y == b.y && a.z == b.z)
		return d3_sphere_create(memory, a, radius);
	return d3_points_make(memory, D3_CAPSULE, (struct d3_vec[]){a, b}, 2, radius);
}

struct d3_shape *d3_segment_create(struct memory *memory, struct d3_vec a, struct d3_vec b)
{
	return d3_points_make(memory, D3_SEGMENT, (struct d3_vec[]){a, b}, 2, 0);
}

struct d3_shape *d3_triangle_create(struct memory *memory, struct d3_vec a, struct d3_vec b, struct d3_vec c)
{
	return d3_points_make(memory, D3_TRIANGLE, (struct d3_vec[]){a, b, c}, 3, 0);
}

/* Makes the hull the shape's core. False: it is NULL. */
static bool set_hull(struct d3_shape *shape, const struct d3_hull *hull)
{
	if (hull == NULL)
		return false;
	shape->hull = hull;
	shape->points = hull->points;
	shape->count = hull->point_count;
	return true;
}

/* Sets the centroid, at a quarter of the height h above the base, and `inner`. The centroid's distance from the base is h/4,
 * that from the lateral surface 3/4 h sin(half the apex angle). */
static void measure_cone(struct d3_shape *shape)
{
	double radius = shape->half.x, height = 2 * (double)shape->half.y;
	shape->centroid = d3_narrow(d3_mul_add_d(shape->frame.p, -0.25 * height, shape->frame.q.y));
	shape->inner = (float)min_d(0.25 * height, 0.75 * height * radius / sqrt(radius * radius + height * height));
}

/* Sets the centroid and `inner`. A point of the axis, at t from the centre of the larger end towards the other one, is R - t (R
 * - r)/L from the surface; R and r are the radii of the ends, L the distance of their centres. */
static void measure_tapered(struct d3_shape *shape)
{
	struct d3_vec_d half = d3_widen(shape->half);
	struct d3_mass mass;
	d3_shape_mass(shape, 1, &mass);
	shape->centroid = mass.center;
	double t = d3_dot_d(d3_sub_d(d3_widen(mass.center), shape->frame.p), shape->frame.q.y) + half.y;
	shape->inner = (float)(shape->radius + half.x - max_d(t, 0) * half.x / (2 * half.y));
}

struct d3_shape *d3_framed_create(
	struct memory *memory, enum d3_shape_type type, struct d3_vec half, float radius, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = d3_shape_new(memory, type);
	if (shape == NULL)
		return NULL;
	float least = min_f(min_f(half.x, half.y), half.z), greatest = max_f(max_f(half.x, half.y), half.z);
	shape->frame = *frame;
	shape->half = half;
	shape->radius = radius;
	shape->centroid = d3_narrow(frame->p);
	shape->inner = least;
	switch (type) {
	case D3_BOX:
		if (!set_hull(shape, d3_hull_of_box(memory, frame, half))) {
			d3_shape_release(shape);
			return NULL;
		}
		shape->inner = least + radius;
		break;
	case D3_CYLINDER: break;
	case D3_CONE: measure_cone(shape); break;
	case D3_TAPERED_CAPSULE: measure_tapered(shape); break;
	default: assert(type == D3_ELLIPSOID); shape->radius = least == greatest ? least : 0.9f * least * (least / greatest);
	}
	set_ball(shape);
	return shape;
}

static struct d3_shape *create_at(struct memory *memory, enum d3_shape_type type, struct d3_vec half, float radius,
	struct d3_vec center, struct d3_quat rotation)
{
	return d3_framed_create(memory, type, half, radius, &(struct d3_transform_d){d3_widen(center), d3_exact_rot(rotation)});
}

struct d3_shape *d3_box_create(
	struct memory *memory, struct d3_vec size, struct d3_vec center, struct d3_quat rotation, float radius)
{
	struct d3_vec half = {0.5f * size.x - radius, 0.5f * size.y - radius, 0.5f * size.z - radius};
	return create_at(memory, D3_BOX, half, radius, center, rotation);
}

struct d3_shape *d3_cylinder_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation)
{
	return create_at(memory, D3_CYLINDER, (struct d3_vec){radius, 0.5f * height, radius}, 0, center, rotation);
}

struct d3_shape *d3_cone_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation)
{
	return create_at(memory, D3_CONE, (struct d3_vec){radius, 0.5f * height, radius}, 0, center, rotation);
}

struct d3_shape *d3_ellipsoid_create(
	struct memory *memory, struct d3_vec half_axes, struct d3_vec center, struct d3_quat rotation)
{
	return create_at(memory, D3_ELLIPSOID, half_axes, 0, center, rotation);
}

struct d3_shape *d3_tapered_capsule_create(
	struct memory *memory, struct d3_vec a, float radius_a, struct d3_vec b, float radius_b)
{
	if (radius_a < radius_b)
		return d3_tapered_capsule_create(memory, b, radius_b, a, radius_a);
	struct d3_vec_d from = d3_widen(a), to = d3_widen(b), delta = d3_sub_d(to, from);
	double length = d3_length_d(delta);
	struct d3_vec half = {radius_a - radius_b, (float)(0.5 * length), radius_a - radius_b};
	if (radius_a == radius_b)
		return d3_capsule_create(memory, a, b, radius_a);
	if (!(2 * half.y > half.x))
		return d3_sphere_create(memory, a, radius_a);
	struct d3_transform_d frame = {.p = d3_scale_d(0.5, d3_add_d(from, to))};
	frame.q.y = d3_scale_d(1 / length, delta);
	frame.q.x = d3_across_d(frame.q.y);
	frame.q.z = d3_cross_d(frame.q.x, frame.q.y);
	return d3_framed_create(memory, D3_TAPERED_CAPSULE, half, radius_b, &frame);
}

void d3_tapered_ends(const struct d3_shape *shape, struct d3_vec_d centers[2], double radii[2])
{
	assert(shape->type == D3_TAPERED_CAPSULE);
	centers[0] = d3_mul_add_d(shape->frame.p, -(double)shape->half.y, shape->frame.q.y);
	centers[1] = d3_mul_add_d(shape->frame.p, shape->half.y, shape->frame.q.y);
	radii[0] = (double)shape->radius + shape->half.x;
	radii[1] = shape->radius;
}

struct d3_shape *d3_half_space_make(struct memory *memory, struct d3_vec_d normal, double offset)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_HALF_SPACE);
	if (shape == NULL)
		return NULL;
	shape->normal = normal;
	shape->offset = offset;
	shape->centroid = d3_narrow(d3_scale_d(offset, normal));
	shape->inner = D3_UNBOUNDED;
	return shape;
}

struct d3_shape *d3_half_space_create(struct memory *memory, struct d3_vec normal, float offset)
{
	struct d3_vec_d n = d3_widen(normal);
	double length = d3_length_d(n);
	assert(length > 0);
	return d3_half_space_make(memory, (struct d3_vec_d){n.x / length, n.y / length, n.z / length}, offset);
}

/* Sets `moments`, `inner`, and the centroid of the rounded volume, which can differ from that of the core. */
static void find_centroid(struct d3_shape *shape)
{
	struct d3_mass mass;
	shape->moments = d3_hull_moments(shape);
	d3_shape_mass(shape, 1, &mass);
	shape->centroid = mass.center;
	double least = INFINITY;
	for (uint32_t i = 0; i < shape->hull->face_count; ++i) {
		const struct d3_hull_plane *plane = &shape->hull->planes[i];
		least = min_d(least, plane->offset - d3_dot_d(plane->normal, d3_widen(mass.center)));
	}
	shape->inner = (float)max_d(least, 0) + shape->radius;
}

static enum d3_hull_result hull_shape(struct memory *memory, struct d3_hull *hull, float radius, struct d3_shape **out)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_HULL);
	if (shape == NULL) {
		d3_hull_free(memory, hull);
		return D3_HULL_OUT_OF_MEMORY;
	}
	set_hull(shape, hull);
	shape->radius = radius;
	find_centroid(shape);
	set_ball(shape);
	*out = shape;
	return D3_HULL_OK;
}

enum d3_hull_result d3_hull_create(
	struct memory *memory, const struct d3_vec *points, uint32_t count, float radius, struct d3_shape **out)
{
	struct d3_hull *hull;
	enum d3_hull_result result = d3_hull_compute(memory, points, count, &hull);
	return result == D3_HULL_OK ? hull_shape(memory, hull, radius, out) : result;
}

enum d3_hull_result d3_hull_create_of_faces(struct memory *memory, const struct d3_faces *faces, struct d3_shape **out)
{
	struct d3_hull *hull;
	enum d3_hull_result result = d3_hull_of_faces(memory, faces, &hull);
	return result == D3_HULL_OK ? hull_shape(memory, hull, 0, out) : result;
}
