/* shape.c - making convex shapes, and what there is to know of any shape but its mass.
 * See shape.h for threads. */
#include "d3/shape/shape.h"

#include "d3/query/gjk_parts.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>

static const float unbounded = 1e18f;
static const struct d3_transform_d in_place = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

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

static struct d3_transform_d frame_of(struct d3_vec center, struct d3_quat rotation)
{
	return (struct d3_transform_d){d3_widen(center), d3_exact_rot(rotation)};
}

static double convex_reach(const struct d3_shape *shape, struct d3_vec_d center);

/* The last thing to know of a convex shape: the ball around the middle of its box. */
static void set_ball(struct d3_shape *shape)
{
	struct d3_vec_d low = {INFINITY, INFINITY, INFINITY}, high = d3_neg_d(low);
	for (uint32_t i = 0; i < shape->count; ++i) {
		struct d3_vec_d p = d3_widen(shape->points[i]);
		low = (struct d3_vec_d){min_d(low.x, p.x), min_d(low.y, p.y), min_d(low.z, p.z)};
		high = (struct d3_vec_d){max_d(high.x, p.x), max_d(high.y, p.y), max_d(high.z, p.z)};
	}
	shape->middle = shape->count > 0 ? d3_scale_d(0.5, d3_add_d(low, high)) : shape->frame.p;
	if (shape->type == D3_TAPERED_CAPSULE)
		shape->middle = d3_mul_add_d(shape->frame.p, -0.5 * shape->half.x, shape->frame.q.y);
	shape->reach = convex_reach(shape, shape->middle) * (1 + 1e-12);
	shape->extent = (d3_length_d(shape->middle) + shape->reach) * (1 + 1e-12);
}

/* --- Making --------------------------------------------------------------------------------------------------------------- */

/* A core of one to three points; the centroid is their mean. */
static struct d3_shape *create_points(
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
	return create_points(memory, D3_SPHERE, &center, 1, radius);
}

struct d3_shape *d3_capsule_create(struct memory *memory, struct d3_vec a, struct d3_vec b, float radius)
{
	if (a.x == b.x && a.y == b.y && a.z == b.z)
		return d3_sphere_create(memory, a, radius);
	return create_points(memory, D3_CAPSULE, (struct d3_vec[]){a, b}, 2, radius);
}

struct d3_shape *d3_segment_create(struct memory *memory, struct d3_vec a, struct d3_vec b)
{
	return create_points(memory, D3_SEGMENT, (struct d3_vec[]){a, b}, 2, 0);
}

struct d3_shape *d3_triangle_create(struct memory *memory, struct d3_vec a, struct d3_vec b, struct d3_vec c)
{
	return create_points(memory, D3_TRIANGLE, (struct d3_vec[]){a, b, c}, 3, 0);
}

/* A shape with a frame and half sizes of its own. */
static struct d3_shape *create_framed(
	struct memory *memory, enum d3_shape_type type, struct d3_vec half, const struct d3_transform_d *frame)
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
	set_ball(shape);
	return shape;
}

struct d3_shape *d3_box_create(
	struct memory *memory, struct d3_vec size, struct d3_vec center, struct d3_quat rotation, float radius)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_box(
		memory, (struct d3_vec){0.5f * size.x - radius, 0.5f * size.y - radius, 0.5f * size.z - radius}, radius, &frame);
}

static struct d3_shape *create_cylinder(struct memory *memory, struct d3_vec half, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_CYLINDER, half, frame);
	if (shape == NULL)
		return NULL;
	shape->inner = min_f(half.x, half.y);
	set_ball(shape);
	return shape;
}

struct d3_shape *d3_cylinder_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_cylinder(memory, (struct d3_vec){radius, 0.5f * height, radius}, &frame);
}

/* The centroid is a quarter of the height above the base; the mantle's distance from there is 3/4 h sin(half the apex's
 * angle). */
static struct d3_shape *create_cone(struct memory *memory, struct d3_vec half, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_CONE, half, frame);
	if (shape == NULL)
		return NULL;
	double radius = half.x, height = 2 * (double)half.y;
	shape->centroid = d3_narrow(d3_mul_add_d(frame->p, -0.25 * height, frame->q.y));
	shape->inner = (float)min_d(0.25 * height, 0.75 * height * radius / sqrt(radius * radius + height * height));
	set_ball(shape);
	return shape;
}

struct d3_shape *d3_cone_create(
	struct memory *memory, float radius, float height, struct d3_vec center, struct d3_quat rotation)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_cone(memory, (struct d3_vec){radius, 0.5f * height, radius}, &frame);
}

static struct d3_shape *create_ellipsoid(struct memory *memory, struct d3_vec half, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_ELLIPSOID, half, frame);
	if (shape == NULL)
		return NULL;
	float least = min_f(min_f(half.x, half.y), half.z), greatest = max_f(max_f(half.x, half.y), half.z);
	shape->inner = least;
	shape->radius = least == greatest ? least : 0.9f * least * (least / greatest);
	set_ball(shape);
	return shape;
}

struct d3_shape *d3_ellipsoid_create(
	struct memory *memory, struct d3_vec half_axes, struct d3_vec center, struct d3_quat rotation)
{
	struct d3_transform_d frame = frame_of(center, rotation);
	return create_ellipsoid(memory, half_axes, &frame);
}

struct d3_shape *d3_framed_create(
	struct memory *memory, enum d3_shape_type type, struct d3_vec half, float radius, const struct d3_transform_d *frame)
{
	switch (type) {
	case D3_BOX: return create_box(memory, half, radius, frame);
	case D3_CYLINDER: return create_cylinder(memory, half, frame);
	case D3_CONE: return create_cone(memory, half, frame);
	default: assert(type == D3_ELLIPSOID); return create_ellipsoid(memory, half, frame);
	}
}

/* A point of the axis, t from the middle of the larger end, is R - t (R - r)/length deep. */
static struct d3_shape *create_tapered(
	struct memory *memory, struct d3_vec half, float radius, const struct d3_transform_d *frame)
{
	struct d3_shape *shape = create_framed(memory, D3_TAPERED_CAPSULE, half, frame);
	if (shape == NULL)
		return NULL;
	struct d3_mass mass;
	shape->radius = radius;
	d3_shape_mass(shape, 1, &mass);
	shape->centroid = mass.center;
	double t = d3_dot_d(d3_sub_d(d3_widen(mass.center), frame->p), frame->q.y) + half.y;
	shape->inner = (float)((double)radius + half.x - max_d(t, 0) * half.x / (2 * (double)half.y));
	set_ball(shape);
	return shape;
}

struct d3_shape *d3_tapered_capsule_create(
	struct memory *memory, struct d3_vec a, float radius_a, struct d3_vec b, float radius_b)
{
	if (radius_a < radius_b)
		return d3_tapered_capsule_create(memory, b, radius_b, a, radius_a);
	struct d3_vec_d from = d3_widen(a), to = d3_widen(b), way = d3_sub_d(to, from);
	double length = d3_length_d(way);
	struct d3_vec half = {radius_a - radius_b, (float)(0.5 * length), radius_a - radius_b};
	if (radius_a == radius_b)
		return d3_capsule_create(memory, a, b, radius_a);
	if (!(2 * half.y > half.x))
		return d3_sphere_create(memory, a, radius_a);
	struct d3_transform_d frame = {.p = d3_scale_d(0.5, d3_add_d(from, to))};
	frame.q.y = d3_scale_d(1 / length, way);
	frame.q.x = d3_across(frame.q.y);
	frame.q.z = d3_cross_d(frame.q.x, frame.q.y);
	return create_tapered(memory, half, radius_b, &frame);
}

void d3_tapered_ends(const struct d3_shape *shape, struct d3_vec_d centers[2], double radii[2])
{
	assert(shape->type == D3_TAPERED_CAPSULE);
	centers[0] = d3_mul_add_d(shape->frame.p, -(double)shape->half.y, shape->frame.q.y);
	centers[1] = d3_mul_add_d(shape->frame.p, shape->half.y, shape->frame.q.y);
	radii[0] = (double)shape->radius + shape->half.x;
	radii[1] = shape->radius;
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
	return create_half_space(memory, (struct d3_vec_d){n.x / length, n.y / length, n.z / length}, offset);
}

/* Of the rounded volume, which need not be that of the core. */
static void find_centroid(struct d3_shape *shape)
{
	struct d3_mass mass;
	d3_shape_mass(shape, 1, &mass);
	shape->centroid = mass.center;
	double least = INFINITY;
	for (uint32_t i = 0; i < shape->hull->face_count; ++i) {
		const struct d3_hull_plane *plane = &shape->hull->planes[i];
		least = min_d(least, plane->offset - d3_dot_d(plane->normal, d3_widen(mass.center)));
	}
	shape->inner = (float)max_d(least, 0) + shape->radius;
}

enum d3_hull_result d3_hull_create(
	struct memory *memory, const struct d3_vec *points, uint32_t count, float radius, struct d3_shape **out)
{
	struct d3_hull *hull;
	enum d3_hull_result result = d3_hull_compute(memory, points, count, &hull);
	if (result != D3_HULL_OK)
		return result;
	struct d3_shape *shape = d3_shape_new(memory, D3_HULL);
	if (shape == NULL) {
		d3_hull_free(memory, hull);
		return D3_HULL_OUT_OF_MEMORY;
	}
	shape->hull = hull;
	shape->points = hull->points;
	shape->count = hull->point_count;
	shape->radius = radius;
	find_centroid(shape);
	set_ball(shape);
	*out = shape;
	return D3_HULL_OK;
}

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
	if (shape->terrain)
		d3_terrain_free(memory, (struct d3_terrain *)shape->terrain);
	if (shape->compound)
		d3_compound_free(memory, (struct d3_compound *)shape->compound);
	memory_resize(memory, shape, sizeof *shape, 0);
}

/* --- Moving --------------------------------------------------------------------------------------------------------------- */

static struct d3_transform_d moved_frame(const struct d3_transform_d *place, const struct d3_transform_d *frame)
{
	return (struct d3_transform_d){d3_transform_point_d(place, frame->p), d3_mul_rot_d(&place->q, &frame->q)};
}

/* Its distance along the normal grows by that of the new origin. */
static struct d3_shape *half_space_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *place)
{
	struct d3_vec_d n = d3_turn_d(&place->q, shape->normal);
	return create_half_space(memory, n, shape->offset + d3_dot_d(n, place->p));
}

static enum d3_hull_result compound_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_pose *pose, struct d3_shape **out)
{
	return d3_compound_create(memory, &shape, pose, 1, out);
}

static enum d3_hull_result hull_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *place, struct d3_shape **out)
{
	struct d3_vec points[D3_HULL_MAX];
	for (uint32_t i = 0; i < shape->count; ++i)
		points[i] = d3_moved_point(place, shape->points[i]);
	return d3_hull_create(memory, points, shape->count, shape->radius, out);
}

/* All that can only fail for want of memory. */
static struct d3_shape *shape_moved(struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *place)
{
	struct d3_transform_d frame = moved_frame(place, &shape->frame);
	struct d3_vec points[3];
	for (uint32_t i = 0; i < shape->count && i < 3; ++i)
		points[i] = d3_moved_point(place, shape->points[i]);
	switch (shape->type) {
	case D3_BOX:
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID: return d3_framed_create(memory, shape->type, shape->half, shape->radius, &frame);
	case D3_TAPERED_CAPSULE: return create_tapered(memory, shape->half, shape->radius, &frame);
	case D3_HALF_SPACE: return half_space_moved(memory, shape, place);
	case D3_MESH: return d3_mesh_moved(memory, shape, place);
	case D3_HEIGHT_FIELD: return d3_terrain_moved(memory, shape, place);
	default: return create_points(memory, shape->type, points, shape->count, shape->radius);
	}
}

enum d3_hull_result d3_shape_moved(
	struct memory *memory, const struct d3_shape *shape, const struct d3_pose *pose, struct d3_shape **out)
{
	struct d3_transform_d place = d3_pose_frame(pose);
	if (shape->type == D3_COMPOUND)
		return compound_moved(memory, shape, pose, out);
	if (shape->type == D3_HULL)
		return hull_moved(memory, shape, &place, out);
	struct d3_shape *moved = shape_moved(memory, shape, &place);
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
	case D3_HEIGHT_FIELD: return d3_terrain_child_count(shape->terrain);
	case D3_COMPOUND: return shape->compound->count;
	default: return 1;
	}
}

uint32_t d3_shape_child_number(const struct d3_shape *shape, uint32_t child)
{
	assert(child < d3_shape_child_count(shape));
	switch (shape->type) {
	case D3_MESH: return shape->mesh->numbers[child];
	case D3_HEIGHT_FIELD: return child;
	case D3_COMPOUND: return shape->compound->numbers[child];
	default: return 0;
	}
}

bool d3_shape_convex(const struct d3_shape *shape)
{
	return shape->type < D3_MESH;
}

bool d3_shape_terrain(const struct d3_shape *shape)
{
	return shape->type == D3_MESH || shape->type == D3_HEIGHT_FIELD || shape->type == D3_HALF_SPACE;
}

uint32_t d3_shape_point_count(const struct d3_shape *shape)
{
	switch (shape->type) {
	case D3_MESH: return shape->mesh->vertex_count;
	case D3_HEIGHT_FIELD: return shape->terrain->columns * shape->terrain->rows;
	case D3_COMPOUND: return d3_compound_point_count(shape->compound);
	default: return shape->count;
	}
}

struct d3_vec d3_shape_point(const struct d3_shape *shape, uint32_t point)
{
	assert(point < d3_shape_point_count(shape));
	switch (shape->type) {
	case D3_MESH: return d3_mesh_point(shape->mesh, point);
	case D3_HEIGHT_FIELD: return d3_terrain_point(shape->terrain, point);
	case D3_COMPOUND: {
		uint32_t place = d3_compound_find(shape->compound, shape->compound->first_points, &point);
		return shape->compound->children[place]->points[point];
	}
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
	case D3_HEIGHT_FIELD: return d3_terrain_child_count(shape->terrain);
	case D3_COMPOUND: return d3_compound_face_count(shape->compound);
	default: return 0;
	}
}

static uint32_t hull_face(const struct d3_hull *hull, uint32_t face, uint32_t *points)
{
	uint32_t count = 0, first = hull->face_edges[face], edge = first;
	do {
		points[count++] = hull->edges[edge].origin;
		edge = hull->edges[edge].next;
	} while (edge != first);
	return count;
}

static uint32_t convex_face(const struct d3_shape *shape, uint32_t face, uint32_t *points)
{
	if (shape->hull)
		return hull_face(shape->hull, face, points);
	for (uint32_t i = 0; i < 3; ++i)
		points[i] = i;
	return 3;
}

static uint32_t compound_face(const struct d3_compound *compound, uint32_t face, uint32_t *points)
{
	uint32_t place = d3_compound_find(compound, compound->first_faces, &face);
	uint32_t count = convex_face(compound->children[place], face, points);
	for (uint32_t i = 0; i < count; ++i)
		points[i] += compound->first_points[place];
	return count;
}

static uint32_t mesh_face(const struct d3_mesh *mesh, uint32_t face, uint32_t *points)
{
	uint32_t place = d3_mesh_place(mesh, face);
	if (place >= mesh->triangle_count)
		return 0;
	d3_mesh_corners(mesh, place, points);
	return 3;
}

uint32_t d3_shape_face(const struct d3_shape *shape, uint32_t face, uint32_t *points)
{
	assert(face < d3_shape_face_count(shape));
	switch (shape->type) {
	case D3_MESH: return mesh_face(shape->mesh, face, points);
	case D3_HEIGHT_FIELD:
		d3_terrain_triangle(shape->terrain, face, points);
		return d3_terrain_hole(shape->terrain, face) ? 0 : 3;
	case D3_COMPOUND: return compound_face(shape->compound, face, points);
	default: return convex_face(shape, face, points);
	}
}

bool d3_shape_face_child(const struct d3_shape *shape, uint32_t face, uint32_t *child)
{
	assert(shape->mesh != NULL || shape->terrain != NULL);
	*child = shape->mesh ? d3_mesh_place(shape->mesh, face) : face;
	return shape->mesh ? *child < shape->mesh->triangle_count : !d3_terrain_hole(shape->terrain, face);
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

void d3_shape_neighborhood(const struct d3_shape *shape, uint32_t child, struct d3_mesh_triangle *out)
{
	if (shape->mesh)
		d3_mesh_neighborhood(shape->mesh, child, out);
	else
		d3_terrain_join(shape->terrain, child, out);
}

void d3_shape_triangle(const struct d3_shape *shape, uint32_t child, struct d3_vec out[3])
{
	if (shape->mesh)
		d3_mesh_triangle(shape->mesh, child, out);
	else if (shape->terrain)
		d3_terrain_corners(shape->terrain, child, out);
	else
		memcpy(out, shape->points, 3 * sizeof *out);
}

static const struct d3_materials *materials_of(const struct d3_shape *shape)
{
	return shape->mesh ? &shape->mesh->materials : shape->terrain ? &shape->terrain->materials : NULL;
}

bool d3_shape_has_materials(const struct d3_shape *shape)
{
	const struct d3_materials *materials = materials_of(shape);
	return materials != NULL && materials->count > 0;
}

const struct d3_material *d3_shape_material(const struct d3_shape *shape, uint32_t child)
{
	const struct d3_materials *materials = materials_of(shape);
	if (materials == NULL || materials->of == NULL)
		return NULL;
	uint8_t index = materials->of[shape->mesh ? child : child / 2];
	return index > 0 && index <= materials->count ? &materials->list[index - 1] : NULL;
}

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

static double square(double x)
{
	return x * x;
}

/* How far the shape with a frame reaches from its frame's origin along the unit vector d of that frame. */
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

static void framed_bounds(const struct d3_shape *shape, const struct d3_rot_d *turn, double bounds[6])
{
	struct d3_vec_d p = d3_turn_d(turn, shape->frame.p);
	struct d3_rot_d q = d3_mul_rot_d(turn, &shape->frame.q);
	struct d3_vec_d rows[3] = {{q.x.x, q.y.x, q.z.x}, {q.x.y, q.y.y, q.z.y}, {q.x.z, q.y.z, q.z.z}};
	double center[3] = {p.x, p.y, p.z};
	for (int i = 0; i < 3; ++i) {
		bounds[i] = center[i] - framed_reach(shape, d3_neg_d(rows[i]));
		bounds[3 + i] = center[i] + framed_reach(shape, rows[i]);
	}
}

static void points_bounds(
	const struct d3_vec *points, uint32_t count, const struct d3_rot_d *q, double radius, double bounds[6])
{
	for (int i = 0; i < 3; ++i)
		bounds[i] = INFINITY, bounds[3 + i] = -INFINITY;
	for (uint32_t k = 0; k < count; ++k) {
		struct d3_vec_d p = d3_turn_d(q, d3_widen(points[k]));
		double at[3] = {p.x, p.y, p.z};
		for (int i = 0; i < 3; ++i) {
			bounds[i] = min_d(bounds[i], at[i]);
			bounds[3 + i] = max_d(bounds[3 + i], at[i]);
		}
	}
	for (int i = 0; i < 3; ++i) {
		bounds[i] -= radius;
		bounds[3 + i] += radius;
	}
}

/* --- Points of meshes and height fields, through their trees -------------------------------------------------------------- */

/* What the farthest point is sought of: along a way, or from a center (then the square of the distance). */
struct quest {
	bool from_center;
	struct d3_vec_d v;
};

static double reach_of_point(const struct quest *quest, struct d3_vec_d p)
{
	struct d3_vec_d way = d3_sub_d(p, quest->v);
	return quest->from_center ? d3_dot_d(way, way) : d3_dot_d(quest->v, p);
}

/* No point of the node reaches farther. */
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

/* Depth first, what reaches farther first, and only what reaches farther than what was found. */
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
			uint32_t place = depth++;
			for (; place > base && stack[place - 1].reach > reach; --place)
				stack[place] = stack[place - 1];
			stack[place].node = node.first + i;
			stack[place].reach = reach;
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

/* --- Bounds and extents of all -------------------------------------------------------------------------------------------- */

/* As it stands turned at the origin. */
static void local_bounds(const struct d3_shape *shape, const struct d3_rot_d *q, double bounds[6])
{
	switch (shape->type) {
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID:
	case D3_TAPERED_CAPSULE: framed_bounds(shape, q, bounds); return;
	case D3_MESH:
	case D3_HEIGHT_FIELD: tree_bounds(shape, q, bounds); return;
	default: points_bounds(shape->points, shape->count, q, shape->radius, bounds);
	}
}

static void compound_bounds(const struct d3_compound *compound, const struct d3_rot_d *q, double bounds[6])
{
	double own[6];
	local_bounds(compound->children[0], q, bounds);
	for (uint32_t k = 1; k < compound->count; ++k) {
		local_bounds(compound->children[k], q, own);
		for (int i = 0; i < 3; ++i) {
			bounds[i] = min_d(bounds[i], own[i]);
			bounds[3 + i] = max_d(bounds[3 + i], own[3 + i]);
		}
	}
}

void d3_bounds(const struct d3_shape *shape, const struct d3_pose *pose, double bounds[6])
{
	struct d3_rot_d q = d3_exact_rot(pose->q);
	double at[3] = {pose->x, pose->y, pose->z};
	if (shape->type == D3_HALF_SPACE) {
		for (int i = 0; i < 3; ++i)
			bounds[i] = -(double)unbounded, bounds[3 + i] = unbounded;
		return;
	}
	if (shape->type == D3_COMPOUND)
		compound_bounds(shape->compound, &q, bounds);
	else
		local_bounds(shape, &q, bounds);
	for (int i = 0; i < 6; ++i)
		bounds[i] += at[i % 3];
}

void d3_shape_node(const struct d3_shape *shape, uint32_t node, struct d3_node *out)
{
	switch (shape->type) {
	case D3_MESH: d3_mesh_node(shape->mesh, node, out); return;
	case D3_COMPOUND: d3_stored_node(shape->compound->nodes, node, out); return;
	case D3_HEIGHT_FIELD: d3_terrain_node(shape->terrain, node, out); return;
	default: break;
	}
	double b[6];
	d3_bounds(shape, &(struct d3_pose){.q = {0, 0, 0, 1}}, b);
	*out = (struct d3_node){{round_down_f(b[0]), round_down_f(b[1]), round_down_f(b[2])},
		{round_up_f(b[3]), round_up_f(b[4]), round_up_f(b[5])}, .first = 0, .count = 1, .leaf = true};
}

/* The farthest point p of an ellipsoid with half axes a from c maximises |p - c|^2 where sum (p/a)^2 = 1. For any s above the
 * greatest a^2
 *   |p - c|^2 <= s + sum c^2 s/(s - a^2),
 * and the least of these bounds, where 1 = sum c^2 a^2/(s - a^2)^2, is the maximum itself (S-lemma). Its s lies between the
 * greatest a^2 and that plus the greatest a |c|. */
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
			double gap = s - squares[k];
			if (!(gap > 0) || offsets[k] == 0)
				continue;
			slope -= offsets[k] * squares[k] / (gap * gap);
			bound += offsets[k] * (s / gap);
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

/* Of cylinder and cone the farthest point is on a rim, across from the centre, or the apex. */
static double convex_reach(const struct d3_shape *shape, struct d3_vec_d center)
{
	struct d3_vec_d c = d3_inv_transform_point_d(&shape->frame, center), half = d3_widen(shape->half);
	double rim = half.x + sqrt(c.x * c.x + c.z * c.z), base = half.y + c.y, top = half.y - c.y;
	switch (shape->type) {
	case D3_CYLINDER: return sqrt(rim * rim + square(max_d(base, top)));
	case D3_CONE: return max_d(sqrt(rim * rim + base * base), sqrt(c.x * c.x + c.z * c.z + top * top));
	case D3_ELLIPSOID: return ellipsoid_reach(half, c);
	case D3_TAPERED_CAPSULE: {
		double square_across = c.x * c.x + c.z * c.z;
		return max_d(sqrt(square_across + top * top), sqrt(square_across + base * base) + half.x) + shape->radius;
	}
	default: return points_reach(shape, center);
	}
}

void d3_shape_extents(const struct d3_shape *shape, struct d3_vec center, float *min_extent, float *max_extent)
{
	struct d3_vec_d c = d3_widen(center);
	double most = 0;
	switch (shape->type) {
	case D3_HALF_SPACE: break;
	case D3_MESH:
	case D3_HEIGHT_FIELD: most = sqrt(farthest_reach(shape, &(struct quest){true, c})); break;
	case D3_COMPOUND:
		for (uint32_t i = 0; i < shape->compound->count; ++i)
			most = max_d(most, convex_reach(shape->compound->children[i], c));
		break;
	default: most = convex_reach(shape, c);
	}
	*min_extent = shape->inner;
	*max_extent = (float)most;
}
