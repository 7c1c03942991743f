/* any_shape.c - creating shapes, their mass and their bounds.
 * See shape.h for threads. */
#include "d2/shape/shape_parts.h"

#include "d2/shape/chain.h"
#include "d2/shape/tiles.h"

#include <assert.h>

/* AABBs are clamped to +-world_end [length], far beyond any scene, so that sums of their coordinates, and products of these
 * with unit normals, are finite floats. */
static const double world_end = 1e30;
static const float unbounded = 1e18f;

/* Number of points in `data`, including the copy of the first point at the end. */
/* The first point is stored again at the end. Four points at least, since manifold/polygon.c reads four at a time: behind those
 * of a segment are its normals and edges, but a circle has none. */
static uint32_t stored_points(const struct d2_shape *shape)
{
	return shape->count > 1 ? shape->count + 1 : 4 * shape->count;
}

static uint32_t stored_normals(const struct d2_shape *shape)
{
	return shape->count > 1 ? shape->count : 0;
}

static uint32_t stored_edges(const struct d2_shape *shape)
{
	return shape->type == D2_CHAIN ? 0 : stored_normals(shape);
}

/* Bytes of the struct with its `data`. */
static size_t own_bytes(const struct d2_shape *shape)
{
	size_t boxes = shape->type == D2_CHAIN ? d2_chain_node_count(d2_shape_child_count(shape)) : 0;
	return sizeof(struct d2_shape) + stored_edges(shape) * sizeof(struct d2_edge) +
		((size_t)stored_points(shape) + stored_normals(shape) + 2 * boxes) * sizeof(struct d2_vec);
}

size_t d2_shape_bytes(const struct d2_shape *shape)
{
	if (shape->tiles)
		return sizeof *shape + d2_tiles_bytes(shape);
	return own_bytes(shape) + materials_bytes(&shape->materials, d2_shape_child_count(shape));
}

/* The edge from a to b, with its normal on the right. Computed in double, as edges may be short. */
static struct d2_edge make_edge(struct d2_vec a, struct d2_vec b)
{
	struct d2_vec_d delta = d2_sub_d(d2_widen(b), d2_widen(a));
	double length = d2_length_d(delta);
	if (!(length > 0))
		return (struct d2_edge){{0, 1}, 0};
	return (struct d2_edge){{delta.y / length, -delta.x / length}, length};
}

static struct d2_shape *create(
	struct memory *memory, enum d2_shape_type type, const struct d2_vec *points, uint32_t count, float radius, bool loop)
{
	struct d2_shape header = {.memory = memory, .references = 1, .type = type, .count = count, .loop = loop, .radius = radius};
	struct d2_shape *shape = memory_zeroed(memory, own_bytes(&header));
	if (shape == NULL)
		return NULL;
	*shape = header;
	for (uint32_t i = 0; i < count; ++i)
		shape->data[i] = points[i];
	if (count > 0)
		shape->data[count] = points[0];
	struct d2_vec *normals = shape->data + stored_points(shape), *rest = normals + stored_normals(shape);
	struct d2_edge *edges = type == D2_CHAIN ? NULL : (struct d2_edge *)(void *)rest;
	shape->points = shape->data;
	shape->normals = normals;
	shape->edges = edges;
	shape->boxes = type == D2_CHAIN ? rest : NULL;
	for (uint32_t i = 0; i < stored_normals(shape); ++i) {
		struct d2_edge edge = make_edge(shape->points[i], shape->points[i + 1]);
		normals[i] = d2_narrow(edge.normal);
		if (edges)
			edges[i] = edge;
	}
	return shape;
}

/* Sets centroid, outer and reach. An ellipse's axes must be set before. */
static void set_centroid(struct d2_shape *shape, struct d2_vec centroid)
{
	double square = 0;
	for (uint32_t i = 0; i < shape->count; ++i) {
		struct d2_vec_d arm = d2_sub_d(d2_widen(shape->points[i]), d2_widen(centroid));
		square = max_d(square, d2_dot_d(arm, arm));
	}
	shape->centroid = centroid;
	shape->outer = round_up_f(
		sqrt(square) * (1 + 1e-15) + (shape->type == D2_ELLIPSE ? max_f(shape->axes.x, shape->axes.y) : shape->radius));
	shape->reach = (double)abs_f(centroid.x) + abs_f(centroid.y) + shape->outer;
}

struct d2_shape *d2_circle_create(struct memory *memory, struct d2_vec center, float radius)
{
	struct d2_shape *shape = create(memory, D2_CIRCLE, &center, 1, radius, false);
	if (shape == NULL)
		return NULL;
	set_centroid(shape, center);
	shape->inner = radius;
	return shape;
}

static struct d2_shape *create_edge(
	struct memory *memory, enum d2_shape_type type, struct d2_vec a, struct d2_vec b, float radius)
{
	struct d2_shape *shape = create(memory, type, (struct d2_vec[]){a, b}, 2, radius, false);
	if (shape == NULL)
		return NULL;
	shape->data[stored_points(shape) + 1] = d2_neg(shape->normals[0]);
	set_centroid(shape, (struct d2_vec){0.5f * a.x + 0.5f * b.x, 0.5f * a.y + 0.5f * b.y});
	shape->inner = radius;
	return shape;
}

struct d2_shape *d2_capsule_create(struct memory *memory, struct d2_vec a, struct d2_vec b, float radius)
{
	return create_edge(memory, D2_CAPSULE, a, b, radius);
}

struct d2_shape *d2_segment_create(struct memory *memory, struct d2_vec a, struct d2_vec b)
{
	return create_edge(memory, D2_SEGMENT, a, b, 0);
}

struct d2_shape *d2_box_make(
	struct memory *memory, struct d2_vec half, struct d2_vec center, struct d2_rot rotation, float radius)
{
	struct d2_transform frame = {center, rotation};
	struct d2_vec corners[4] = {
		d2_transform_point(frame, (struct d2_vec){-half.x, -half.y}),
		d2_transform_point(frame, (struct d2_vec){half.x, -half.y}),
		d2_transform_point(frame, (struct d2_vec){half.x, half.y}),
		d2_transform_point(frame, (struct d2_vec){-half.x, half.y}),
	};
	struct d2_shape *shape = create(memory, D2_BOX, corners, 4, radius, false);
	if (shape == NULL)
		return NULL;
	struct d2_vec *normals = shape->data + stored_points(shape);
	normals[0] = (struct d2_vec){frame.q.s, -frame.q.c};
	normals[1] = (struct d2_vec){frame.q.c, frame.q.s};
	normals[2] = d2_neg(normals[0]);
	normals[3] = d2_neg(normals[1]);
	set_centroid(shape, center);
	shape->half = half;
	shape->rotation = frame.q;
	shape->inner = min_f(half.x, half.y) + radius;
	return shape;
}

struct d2_shape *d2_box_create(
	struct memory *memory, float width, float height, struct d2_vec center, struct d2_rot rotation, float radius)
{
	struct d2_vec half = {0.5f * width - radius, 0.5f * height - radius};
	return d2_box_make(memory, half, center, d2_normalize_rot(rotation), radius);
}

struct d2_shape *d2_ellipse_make(struct memory *memory, struct d2_vec axes, struct d2_vec center, struct d2_rot rotation)
{
	float least = min_f(axes.x, axes.y), greatest = max_f(axes.x, axes.y);
	float radius = least == greatest ? least : 0.9f * least * (least / greatest);
	struct d2_shape *shape = create(memory, D2_ELLIPSE, &center, 1, radius, false);
	if (shape == NULL)
		return NULL;
	shape->rotation = rotation;
	shape->axes = axes;
	set_centroid(shape, center);
	shape->inner = least;
	return shape;
}

struct d2_shape *d2_ellipse_create(struct memory *memory, float rx, float ry, struct d2_vec center, struct d2_rot rotation)
{
	return d2_ellipse_make(memory, (struct d2_vec){rx, ry}, center, d2_normalize_rot(rotation));
}

struct d2_shape *d2_chain_create(struct memory *memory, const struct d2_vec *points, uint32_t count, bool loop, bool one_sided,
	const struct materials *materials)
{
	assert(count >= (loop ? 3u : 2u));
	struct d2_shape *shape = create(memory, D2_CHAIN, points, count, 0, loop);
	if (shape == NULL)
		return NULL;
	if (!materials_copy(memory, &shape->materials, materials, d2_shape_child_count(shape))) {
		d2_shape_release(shape);
		return NULL;
	}
	shape->one_sided = one_sided;
	shape->stride = 1;
	d2_chain_plant(shape);
	struct d2_vec_d sum = {0, 0};
	for (uint32_t i = 0; i < count; ++i)
		sum = d2_add_d(sum, d2_widen(points[i]));
	set_centroid(shape, d2_narrow(d2_scale_d(1.0 / count, sum)));
	return shape;
}

void d2_chain_set_ghost(struct d2_shape *chain, int end, struct d2_vec point)
{
	assert(chain->type == D2_CHAIN && !chain->loop && chain->one_sided);
	chain->ghosts[end] = point;
	chain->has_ghosts[end] = true;
}

struct d2_shape *d2_half_plane_make(struct memory *memory, struct d2_vec normal, float offset)
{
	struct d2_shape *shape = create(memory, D2_HALF_PLANE, NULL, 0, 0, false);
	if (shape == NULL)
		return NULL;
	shape->normal = normal;
	shape->offset = offset;
	shape->centroid = d2_scale(offset, shape->normal);
	shape->outer = INFINITY;
	shape->reach = INFINITY;
	shape->inner = unbounded;
	return shape;
}

struct d2_shape *d2_half_plane_create(struct memory *memory, struct d2_vec normal, float offset)
{
	double length = d2_length_d(d2_widen(normal));
	assert(length > 0);
	return d2_half_plane_make(memory, (struct d2_vec){(float)(normal.x / length), (float)(normal.y / length)}, offset);
}

/* The least distance from the centroid to an edge's line, plus the radius. */
static float polygon_inner(const struct d2_shape *shape)
{
	float least = INFINITY;
	for (uint32_t i = 0; i < shape->count; ++i)
		least = min_f(least, d2_dot(shape->normals[i], d2_sub(shape->points[i], shape->centroid)));
	return max_f(least, 0) + shape->radius;
}

struct d2_shape *d2_polygon_make(struct memory *memory, const struct d2_vec *points, uint32_t count, float radius)
{
	struct d2_shape *shape = create(memory, D2_POLYGON, points, count, radius, false);
	if (shape == NULL)
		return NULL;
	struct d2_mass mass;
	d2_shape_mass(shape, 1, &mass);
	set_centroid(shape, mass.center);
	shape->inner = polygon_inner(shape);
	return shape;
}

enum d2_hull_result d2_polygon_create(
	struct memory *memory, const struct d2_vec *points, uint32_t count, float radius, struct d2_shape **out)
{
	struct d2_vec hull[D2_HULL_MAX];
	uint32_t hull_count;
	enum d2_hull_result result = d2_hull_compute(points, count, hull, &hull_count);
	if (result != D2_HULL_OK)
		return result;
	struct d2_shape *shape = d2_polygon_make(memory, hull, hull_count, radius);
	if (shape == NULL)
		return D2_HULL_OUT_OF_MEMORY;
	*out = shape;
	return D2_HULL_OK;
}

void d2_shape_retain(struct d2_shape *shape)
{
	assert(shape->references > 0);
	++shape->references;
}

void d2_shape_release(struct d2_shape *shape)
{
	assert(shape->references > 0);
	if (--shape->references > 0)
		return;
	if (shape->tiles) {
		d2_tiles_free(shape);
		memory_free(shape->memory, shape, sizeof *shape);
		return;
	}
	materials_free(shape->memory, &shape->materials, d2_shape_child_count(shape));
	memory_free(shape->memory, shape, own_bytes(shape));
}

const struct material *d2_shape_material(const struct d2_shape *shape, uint32_t child)
{
	return shape->tiles ? d2_tiles_material(shape, child) : materials_find(&shape->materials, child);
}

bool d2_shape_has_materials(const struct d2_shape *shape)
{
	return shape->tiles ? d2_tiles_has_materials(shape) : shape->materials.count > 0;
}

uint32_t d2_shape_child_count(const struct d2_shape *shape)
{
	if (shape->type != D2_CHAIN)
		return 1;
	return shape->tiles || shape->loop ? shape->count : shape->count - 1;
}

/* Area [length^2], its first moment [length^3] and its polar second moment [length^4], all about one common point. */
struct moments {
	double area;
	struct d2_vec_d first;
	double second;
};

static void moments_add(struct moments *sum, double area, struct d2_vec_d first, double second)
{
	sum->area += area;
	sum->first = d2_add_d(sum->first, first);
	sum->second += second;
}

/* Adds the triangle (0, p, q); its area A counts as negative if it runs clockwise.
 *   A = p x q / 2,  first = A (p + q)/3,  second = A (p.p + p.q + q.q)/6 */
static void add_triangle(struct moments *sum, struct d2_vec_d p, struct d2_vec_d q)
{
	double area = 0.5 * d2_cross_d(p, q);
	moments_add(sum, area, d2_scale_d(area / 3, d2_add_d(p, q)), area / 6 * (d2_dot_d(p, p) + d2_dot_d(p, q) + d2_dot_d(q, q)));
}

/* Adds the strip of width r outside the edge p q with normal n: a rectangle with centre m, second = A ((L^2 + r^2)/12 +
 * m.m). */
static void add_strip(struct moments *sum, struct d2_vec_d p, struct d2_vec_d q, struct d2_vec_d n, double r)
{
	double length = d2_length_d(d2_sub_d(q, p)), area = length * r;
	struct d2_vec_d middle = d2_mul_add_d(d2_scale_d(0.5, d2_add_d(p, q)), 0.5 * r, n);
	moments_add(sum, area, d2_scale_d(area, middle), area * ((length * length + r * r) / 12 + d2_dot_d(middle, middle)));
}

/* Adds the sector of radius r at the corner p, counter-clockwise from normal n to normal m, theta apart. About its apex
 *   A = r^2 theta/2,  S = integral of r' u(phi) = r^3/3 (R m - R n),  second = r^4 theta/4
 * where R turns by -90 degrees, since u = d(R u)/d phi. About the origin: first = S + A p, second + 2 p.S + A p.p. */
static void add_sector(struct moments *sum, struct d2_vec_d p, struct d2_vec n, struct d2_vec m, double r)
{
	double theta = abs_d(scalar_atan2(d2_cross(n, m), d2_dot(n, m)));
	double area = 0.5 * r * r * theta;
	struct d2_vec_d own = d2_scale_d(r * r * r / 3, d2_widen(d2_right_perp(d2_sub(m, n))));
	double second = 0.5 * r * r * area + 2 * d2_dot_d(p, own) + area * d2_dot_d(p, p);
	moments_add(sum, area, d2_mul_add_d(own, area, p), second);
}

/* Computes the mass of a capsule, box or polygon, sharp or rounded: the sum of its core, a strip along each edge and a sector
 * at each corner. Moments are taken about the first point, to keep the precision of a shape far from its body's origin. */
static void outline_mass(const struct d2_shape *shape, double density, struct d2_mass *out)
{
	struct moments sum = {0};
	struct d2_vec_d origin = d2_widen(shape->points[0]);
	for (uint32_t i = 0; i < shape->count; ++i) {
		struct d2_vec_d p = d2_sub_d(d2_widen(shape->points[i]), origin), q = d2_sub_d(d2_widen(shape->points[i + 1]), origin);
		add_triangle(&sum, p, q);
		if (shape->radius <= 0)
			continue;
		add_strip(&sum, p, q, d2_widen(shape->normals[i]), shape->radius);
		add_sector(&sum, q, shape->normals[i], shape->normals[i + 1 < shape->count ? i + 1 : 0], shape->radius);
	}
	struct d2_vec_d center = sum.area > 0 ? d2_scale_d(1 / sum.area, sum.first) : sum.first;
	out->mass = (float)(density * sum.area);
	out->center = d2_narrow(d2_add_d(origin, center));
	out->inertia = (float)(density * (sum.second - sum.area * d2_dot_d(center, center)));
}

/* Sets mass and inertia of an ellipse with half axes a and b: the area A is pi a b, the polar second moment A (a^2 + b^2)/4. */
static void ellipse_mass(double a, double b, double density, struct d2_mass *out)
{
	double mass = density * SCALAR_PI * a * b;
	out->mass = (float)mass;
	out->inertia = (float)(0.25 * mass * (a * a + b * b));
}

void d2_shape_mass(const struct d2_shape *shape, float density, struct d2_mass *out)
{
	*out = (struct d2_mass){0, shape->centroid, 0};
	switch (shape->type) {
	case D2_CIRCLE: ellipse_mass(shape->radius, shape->radius, density, out); break;
	case D2_ELLIPSE: ellipse_mass(shape->axes.x, shape->axes.y, density, out); break;
	case D2_CAPSULE:
	case D2_BOX:
	case D2_POLYGON: outline_mass(shape, density, out); break;
	default: break;
	}
}

/* The AABB with centre (x, y) in the world and half sizes reach_x, reach_y, clamped and rounded outwards. */
static struct box box_around(double x, double y, double reach_x, double reach_y)
{
	struct box box = {{0}, {0}};
	box.lower[0] = round_down_f(clamp_d(x - reach_x, -world_end, world_end));
	box.lower[1] = round_down_f(clamp_d(y - reach_y, -world_end, world_end));
	box.upper[0] = round_up_f(clamp_d(x + reach_x, -world_end, world_end));
	box.upper[1] = round_up_f(clamp_d(y + reach_y, -world_end, world_end));
	return box;
}

static struct box points_box(const struct d2_vec *points, uint32_t count, const struct d2_pose *pose, double margin)
{
	struct d2_vec_d p = d2_rotate_d(pose->q, d2_widen(points[0]));
	double left = p.x, right = p.x, low = p.y, high = p.y;
	for (uint32_t i = 1; i < count; ++i) {
		p = d2_rotate_d(pose->q, d2_widen(points[i]));
		left = min_d(left, p.x);
		right = max_d(right, p.x);
		low = min_d(low, p.y);
		high = max_d(high, p.y);
	}
	return box_around(pose->x + 0.5 * (left + right), pose->y + 0.5 * (low + high), 0.5 * (right - left) + margin,
		0.5 * (high - low) + margin);
}

/* The AABB of an ellipse. Its support along a unit direction u of its frame is sqrt(a^2 ux^2 + b^2 uy^2). */
static struct box ellipse_box(const struct d2_shape *shape, const struct d2_pose *pose, double margin)
{
	struct d2_rot_d q = d2_mul_rot_d(d2_widen_rot(pose->q), d2_widen_rot(shape->rotation));
	struct d2_vec_d center = d2_rotate_d(pose->q, d2_widen(shape->points[0]));
	double ac = (double)shape->axes.x * q.c, as = (double)shape->axes.x * q.s;
	double bc = (double)shape->axes.y * q.c, bs = (double)shape->axes.y * q.s;
	return box_around(
		pose->x + center.x, pose->y + center.y, sqrt(ac * ac + bs * bs) + margin, sqrt(as * as + bc * bc) + margin);
}

/* The AABB of a chain's segment, widened by `margin` and as much as ray casts extend the segment: see joint_tolerance in
 * ray_cast.c; of tiles, that of the cell. */
static struct box chain_box(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, float margin)
{
	struct d2_vec corners[4];
	const struct d2_vec *ends = shape->tiles ? corners : d2_segment(shape, child);
	if (shape->tiles)
		d2_tiles_cell_corners(shape, child, corners);
	return points_box(ends, shape->tiles ? 4 : 2, pose, margin + 0x1p-22 * (double)d2_length(d2_sub(ends[1], ends[0])));
}

struct box d2_shape_box(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, float margin)
{
	assert(child < d2_shape_child_count(shape));
	switch (shape->type) {
	case D2_HALF_PLANE: return box_around(0, 0, unbounded, unbounded);
	case D2_ELLIPSE: return ellipse_box(shape, pose, margin);
	case D2_CHAIN: return chain_box(shape, child, pose, margin);
	default: return points_box(shape->points, shape->count, pose, (double)shape->radius + margin);
	}
}

bool d2_shape_unbounded(const struct d2_shape *shape)
{
	return shape->type == D2_HALF_PLANE;
}

bool d2_shape_box_overlap(const struct d2_shape *shape, const struct d2_pose *pose, const struct box *box)
{
	assert(d2_shape_unbounded(shape));
	struct d2_vec n = d2_rotate(pose->q, shape->normal);
	double x = (n.x > 0 ? box->lower[0] : box->upper[0]) - pose->x;
	double y = (n.y > 0 ? box->lower[1] : box->upper[1]) - pose->y;
	return n.x * x + n.y * y <= shape->offset;
}

void d2_shape_extents(const struct d2_shape *shape, struct d2_vec center, float *min_extent, float *max_extent)
{
	*min_extent = shape->inner;
	*max_extent = 0;
	if (shape->tiles)
		*max_extent = shape->outer + d2_length(d2_sub(shape->centroid, center));
	for (uint32_t i = 0; !shape->tiles && i < shape->count; ++i)
		*max_extent = max_f(*max_extent, d2_length(d2_sub(shape->points[i], center)));
	if (shape->type == D2_ELLIPSE)
		*max_extent += max_f(shape->axes.x, shape->axes.y);
	else if (shape->type != D2_HALF_PLANE)
		*max_extent += shape->radius;
}

bool d2_shape_must_be_static(const struct d2_shape *shape)
{
	return shape->type == D2_CHAIN || shape->type == D2_HALF_PLANE;
}
