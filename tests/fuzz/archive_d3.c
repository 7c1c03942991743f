/* archive_d3.c - random shapes of 3D, and what can be asked of them. See archive.c. */
#include "d3/manifold/world_manifold.h"
#include "d3/query/box_overlap.h"
#include "d3/query/distance.h"
#include "d3/query/ray_cast.h"
#include "d3/shape/archive.h"
#include "d3/shape/immersion.h"
#include "d3/shape/mesh_tree.h"
#include "archive.h" /* last: parameters have the names of its variables */

static struct d3_vec d3_random_point(double size)
{
	return (struct d3_vec){real(-size, size), real(-size, size), real(-size, size)};
}

static struct d3_quat random_turn(void)
{
	return d3_normalize_quat((struct d3_quat){real(-1, 1), real(-1, 1), real(-1, 1), real(0.1, 1)});
}

static struct d3_shape *random_hull(void)
{
	struct d3_vec points[60];
	struct d3_shape *shape = NULL;
	uint32_t count = 4 + below(57);
	for (uint32_t i = 0; i < count; ++i)
		points[i] = d3_random_point(1);
	return d3_hull_create(&memory, points, count, below(2) ? 0 : real(0, 0.3), &shape) == D3_HULL_OK ? shape : NULL;
}

/* A floor, often flat, of cells with vertices of their own: so many are equal, but for the signs of zeros. Some triangles are
 * left out. */
static struct d3_shape *random_mesh(void)
{
	enum { SIDE = 8 };
	float heights[(SIDE + 1) * (SIDE + 1)];
	struct d3_vec vertices[4 * SIDE * SIDE];
	uint32_t indices[6 * SIDE * SIDE], cells = 0, side = 1 + below(SIDE), steep = below(2);
	struct materials materials = {0};
	for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i)
		heights[i] = below(3) && steep ? real(-1, 1) : 0;
	for (uint32_t cell = 0; cell < side * side; ++cell, ++cells) {
		for (uint32_t k = 0; k < 4; ++k) {
			uint32_t i = cell % side + k % 2, j = cell / side + k / 2;
			struct d3_vec p = {(float)i - 2, heights[j * (SIDE + 1) + i], ((float)j - 3) * 0.7f};
			vertices[4 * cell + k] =
				(struct d3_vec){p.x == 0 && below(2) ? -0.0f : p.x, p.y == 0 && below(2) ? -0.0f : p.y, p.z};
		}
		uint32_t p = 4 * cell, corners[6] = {p, p + 2, p + 3, p, p + 3, below(9) ? p + 1 : p};
		memcpy(indices + 6 * cell, corners, sizeof corners);
	}
	if (below(2))
		random_materials(&materials, 2 * cells, false);
	return d3_mesh_create(&memory, vertices, 4 * cells, indices, 2 * cells, below(2), &materials);
}

static struct d3_shape *random_field(void)
{
	float heights[400];
	struct d3_height_field field = {.x = -1,
		.z = 2,
		.cell_width = number(0.1, 1),
		.cell_depth = number(0.1, 1),
		.columns = 2 + below(18),
		.rows = 2 + below(18),
		.heights = heights};
	for (uint32_t i = 0; i < field.columns * field.rows; ++i)
		heights[i] = real(-1, 1);
	if (below(2))
		random_materials(&field.materials, (field.columns - 1) * (field.rows - 1), true);
	return d3_height_field_create(&memory, &field, below(2));
}

enum { D3_CONVEX = 10, D3_NESTED = 14 };

static struct d3_shape *d3_random(int kind);

static struct d3_shape *random_compound(bool nested)
{
	struct d3_shape *parts[6], *shape = NULL;
	struct d3_pose poses[6];
	struct material materials[6];
	uint32_t count = 0, wanted = 1 + below(6);
	while (count < wanted) {
		parts[count] = nested && below(2) ? random_compound(false) : d3_random((int)below(D3_CONVEX));
		if (parts[count] == NULL)
			continue;
		poses[count] = (struct d3_pose){number(-2, 2), number(-2, 2), number(-2, 2), random_turn()};
		materials[count++] = random_material();
	}
	if (d3_compound_create(&memory, (const struct d3_shape *const *)parts, poses, below(2) ? materials : NULL, count, &shape) !=
		D3_HULL_OK)
		shape = NULL;
	for (uint32_t i = 0; i < count; ++i)
		d3_shape_release(parts[i]);
	return shape;
}

static const char *const d3_names[] = {"sphere", "capsule", "segment", "triangle", "box", "hull", "cylinder", "cone",
	"ellipsoid", "tapered capsule", "half-space", "mesh", "height field", "compound", "nested compound"};

static struct d3_shape *d3_random(int kind)
{
	struct d3_vec p = d3_random_point(1), q = d3_random_point(1), size = {real(0.5, 2), real(0.5, 2), real(0.5, 2)};
	struct d3_quat turn = random_turn();
	switch (kind) {
	case 0: return d3_sphere_create(&memory, p, real(0.1, 1));
	case 1: return d3_capsule_create(&memory, p, q, real(0.1, 1));
	case 2: return d3_segment_create(&memory, p, q);
	case 3: return d3_triangle_create(&memory, p, q, d3_random_point(1));
	case 4: return d3_box_create(&memory, size, p, turn, below(2) ? 0 : real(0, 0.24));
	case 5: return random_hull();
	case 6: return d3_cylinder_create(&memory, real(0.1, 1), real(0.1, 2), p, turn);
	case 7: return d3_cone_create(&memory, real(0.1, 1), real(0.1, 2), p, turn);
	case 8: return d3_ellipsoid_create(&memory, size, p, turn);
	case 9: return d3_tapered_capsule_create(&memory, p, real(0.1, 1), q, real(0.1, 1));
	case 10: return d3_half_space_create(&memory, d3_random_point(3), p.x);
	case 11: return random_mesh();
	case 12: return random_field();
	default: return random_compound(kind == D3_NESTED);
	}
}

static void *d3_make(int kind)
{
	struct d3_shape *shape = d3_random(kind), *copy = NULL;
	if (shape == NULL)
		return NULL;
	bool even = below(2);
	double factor = even ? pow(10, number(-5, 5)) : number(0.1, 10);
	struct d3_vec_d scale = {factor * (below(2) ? -1 : 1), even ? factor : number(0.1, 10), even ? factor : number(0.1, 10)};
	struct d3_pose pose = {number(-9, 9), number(-9, 9), number(-9, 9), random_turn()};
	if (below(2) && d3_shape_moved(&memory, shape, &pose, &copy) == D3_HULL_OK) {
		d3_shape_release(shape);
		shape = copy;
	}
	if (below(2) && d3_shape_scaled(&memory, shape, scale, &copy) == D3_SCALED_OK) {
		d3_shape_release(shape);
		shape = copy;
	}
	return shape;
}

static void d3_add_local(struct digest *digest, const struct d3_local_manifold *local, int count)
{
	for (int m = 0; m < count; ++m)
		for (int k = 0; k < local[m].count; ++k)
			add_numbers(digest, 5, (double)local[m].normal.x, (double)local[m].normal.y, (double)local[m].points[k].point.x,
				(double)local[m].points[k].separation, (double)local[m].points[k].id);
}

static void d3_add_pair(struct digest *digest, const struct d3_shape *shape, const struct d3_shape *other, double size)
{
	struct d3_pose origin = {0, 0, 0, {0, 0, 0, 1}};
	struct d3_pose pose = {shape->centroid.x + number(-size, size), shape->centroid.y + number(-size, size),
		shape->centroid.z + number(-size, size), random_turn()};
	struct d3_world_manifold manifolds[D3_MANIFOLDS];
	struct d3_local_manifold local[D3_MANIFOLDS];
	struct d3_transform place = {{(float)pose.x, (float)pose.y, (float)pose.z}, pose.q};
	struct d3_manifold_cache cache = {.features = 0};
	float clearance;
	add_numbers(digest, 1, (double)d3_overlaps(shape, &origin, other, &pose));
	int count = d3_world_manifolds(shape, &origin, other, &pose, manifolds);
	for (int m = 0; m < count; ++m)
		for (int i = 0; i < manifolds[m].count; ++i)
			add_numbers(digest, 4, manifolds[m].normal.x, manifolds[m].normal.y, manifolds[m].points[i].p.x,
				manifolds[m].points[i].separation);
	memset(local, 0, sizeof local);
	if (d3_shape_surface(shape))
		d3_add_local(digest, local, d3_collide_mesh(shape, other, 0, &place, (float)(0.1 * size), &cache, &clearance, local));
	for (uint32_t i = 0; !d3_shape_surface(shape) && i < d3_shape_part_count(shape) && i < 8; ++i) {
		cache = (struct d3_manifold_cache){.features = 0};
		memset(local, 0, sizeof local);
		d3_collide(shape, i, other, 0, &place, (float)(0.1 * size), &cache, local);
		d3_add_local(digest, local, 1);
	}
}

static void d3_add_pairs(struct digest *digest, const struct d3_shape *shape, double size)
{
	float s = (float)size;
	struct d3_vec corners[5] = {{-s, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0.3f * s, s}, {0.5f * s, 0.6f * s, -s}}, zero = {0, 0, 0};
	struct d3_quat none = {0, 0, 0, 1};
	struct d3_shape *others[] = {d3_sphere_create(&memory, zero, 0.5f * s), d3_capsule_create(&memory, zero, corners[3], s),
		d3_box_create(&memory, (struct d3_vec){s, 2 * s, s}, zero, none, 0.1f * s),
		d3_cylinder_create(&memory, s, 0.7f * s, zero, none), NULL};
	d3_hull_create(&memory, corners, 5, 0, &others[4]);
	for (int i = 0; i < 5; ++i) {
		if (others[i] == NULL)
			continue;
		d3_add_pair(digest, shape, others[i], size);
		d3_shape_release(others[i]);
	}
}

static void d3_add_children(struct digest *digest, const struct d3_shape *shape)
{
	uint32_t points[D3_HULL_MAX];
	for (uint32_t i = 0; i < d3_shape_point_count(shape); ++i) {
		struct d3_vec p = d3_shape_point(shape, i);
		add_numbers(digest, 3, (double)p.x, (double)p.y, (double)p.z);
	}
	for (uint32_t i = 0; i < d3_shape_face_count(shape); ++i)
		add(digest, points, d3_shape_face(shape, i, points) * sizeof *points);
	for (uint32_t i = 0; d3_shape_has_materials(shape) && i < d3_shape_child_count(shape); ++i)
		add_material(digest, d3_shape_material(shape, i));
	for (uint32_t i = 0; d3_shape_surface(shape) && i < d3_shape_face_count(shape); ++i) {
		struct d3_mesh_triangle triangle;
		uint32_t child;
		if (!d3_shape_face_child(shape, i, &child))
			continue;
		memset(&triangle, 0, sizeof triangle);
		d3_shape_neighborhood(shape, child, &triangle);
		add(digest, &triangle, offsetof(struct d3_mesh_triangle, edges) + sizeof triangle.edges);
		add_numbers(digest, 1, (double)child);
	}
}

/* What is derived of the shape's members. */
static void d3_add_derived(struct digest *digest, const struct d3_shape *shape)
{
	const struct d3_mesh *mesh = shape->mesh;
	const struct d3_compound *compound = shape->compound;
	add(digest, &shape->reach, sizeof shape->reach);
	add(digest, &shape->extent, sizeof shape->extent);
	add(digest, &shape->inner, sizeof shape->inner);
	add(digest, &shape->moments, sizeof shape->moments);
	add(digest, &shape->centroid, sizeof shape->centroid);
	if (shape->hull)
		add(digest, shape->hull + 1, d3_hull_bytes(shape->hull) - sizeof *shape->hull);
	if (mesh) {
		add(digest, mesh->nodes, mesh->node_count * sizeof *mesh->nodes);
		add(digest, mesh->records, mesh->triangle_count * sizeof *mesh->records);
		add(digest, mesh->lists, mesh->list_count * sizeof *mesh->lists);
		add(digest, mesh->others, (mesh->other_count - 1) * sizeof *mesh->others);
		add(digest, mesh->numbers, mesh->face_count * sizeof *mesh->numbers);
		add(digest, &mesh->scale, sizeof mesh->scale);
	}
	if (shape->height_field) {
		const struct d3_height_field *field = shape->height_field;
		add(digest, field->ranges, field->range_count * sizeof *field->ranges);
		add(digest, &field->rise, sizeof field->rise);
	}
	if (compound) {
		add(digest, compound->nodes, compound->node_count * sizeof *compound->nodes);
		add(digest, compound->child_indices, compound->count * sizeof *compound->child_indices);
		for (uint32_t i = 0; i < compound->count; ++i)
			d3_add_derived(digest, compound->children[i].shape);
	}
}

static struct digest d3_probe(void *given)
{
	const struct d3_shape *shape = given;
	struct digest digest = {1, true};
	struct d3_pose origin = {0, 0, 0, {0, 0, 0, 1}};
	struct d3_mass mass;
	float least, greatest;
	double bounds[6], x = shape->centroid.x, y = shape->centroid.y, z = shape->centroid.z;
	state = 7;
	d3_shape_mass(shape, 1, &mass);
	d3_shape_extents(shape, mass.center, &least, &greatest);
	d3_bounds(shape, &origin, bounds);
	double size = shape->type == D3_HALF_SPACE || !(greatest > 0) ? 1 : (double)greatest;
	add_numbers(
		&digest, 5, (double)mass.center.x, (double)mass.center.y, (double)mass.center.z, (double)least, (double)greatest);
	add(&digest, &mass, sizeof mass);
	add(&digest, bounds, sizeof bounds);
	add(&digest, &shape->one_sided, sizeof shape->one_sided);
	d3_add_children(&digest, shape);
	d3_add_derived(&digest, shape);
	for (int i = 0; i < 12; ++i) {
		struct d3_ray_hit_d hit;
		struct d3_distance distance;
		struct d3_vec_d o = {x + size * number(-2, 2), y + size * number(-2, 2), z + size * number(-2, 2)};
		struct box_d box = {{o.x - 0.5 * size, o.y - 0.5 * size, o.z - size}, {o.x + size, o.y + 0.5 * size, o.z + size}};
		if (d3_shape_ray_d(shape, &origin, o, (struct d3_vec_d){2 * (x - o.x), 2 * (y - o.y), 2 * (z - o.z)}, &hit))
			add_numbers(&digest, 4, hit.fraction, hit.normal.x, hit.normal.y, (double)hit.child);
		add_numbers(
			&digest, 2, (double)d3_shape_contains(shape, &origin, o), (double)d3_shape_overlaps_box(shape, &origin, &box));
		d3_distance_to_point(shape, &origin, o, &distance);
		add_numbers(&digest, 2, distance.distance, distance.normal.x);
		struct immersion part = d3_shape_immersed(shape, (struct vec3){0, 1, 0}, y + size * number(-1, 1));
		add(&digest, &part.volume, sizeof part.volume);
	}
	d3_add_pairs(&digest, shape, size);
	return digest;
}

static void d3_pass(struct archive *archive, void **given)
{
	struct d3_shape *shape = *given;
	d3_shape_pass(archive, &shape);
	*given = shape;
}

static void d3_release(void *given)
{
	d3_shape_release(given);
}

const struct family d3_family = {
	d3_names, sizeof d3_names / sizeof *d3_names, d3_make, d3_probe, d3_pass, d3_release, edit_none};
