/* archive_d2.c - random shapes of 2D, and what can be asked of them. See archive.c. */
#include "d2/manifold/world_manifold.h"
#include "d2/query/distance.h"
#include "d2/query/ray_cast.h"
#include "d2/shape/archive.h"
#include "d2/shape/immersion.h"
#include "d2/shape/tiles.h"
#include "archive.h" /* last: parameters have the names of its variables */

static struct d2_vec d2_random_point(double size)
{
	return (struct d2_vec){real(-size, size), real(-size, size)};
}

static struct d2_shape *random_polygon(void)
{
	struct d2_vec points[20];
	struct d2_shape *shape = NULL;
	uint32_t count = 3 + below(18);
	for (uint32_t i = 0; i < count; ++i)
		points[i] = d2_random_point(1);
	return d2_polygon_create(&memory, points, count, below(2) ? 0 : real(0, 0.3), &shape) == D2_HULL_OK ? shape : NULL;
}

static struct d2_shape *random_chain(bool loop, bool one_sided)
{
	struct d2_vec points[40];
	struct materials materials = {0};
	uint32_t count = 3 + below(38);
	for (uint32_t i = 0; i < count; ++i) {
		double angle = 6.28 * i / count;
		points[i] = (struct d2_vec){(float)cos(angle), (float)(sin(angle) * number(0.8, 1))};
	}
	if (below(2))
		random_materials(&materials, count - !loop, false);
	struct d2_shape *shape = d2_chain_create(&memory, points, count, loop, one_sided, &materials);
	for (int end = 0; end < 2 && !loop && one_sided; ++end)
		if (below(2))
			d2_chain_set_ghost(shape, end, (struct d2_vec){real(2, 3), real(-1, 1)});
	return shape;
}

static void tiles_edit(struct d2_shape *shape, uint32_t times)
{
	uint32_t columns = d2_tiles_columns(shape), rows = d2_tiles_rows(shape), touched;
	for (; times > 0; --times) {
		uint32_t i = below(columns), j = below(rows), kind = below(d2_tiles_kind_count(shape) + 1);
		struct d2_tiles_edit edit = {{i, j, i + below(columns - i), j + below(rows - j)}, NULL, (uint16_t)kind};
		if (kind > 0)
			edit.value |= (uint16_t)(below(8) << D2_TILE_TURN_SHIFT);
		if (d2_tiles_reserve(shape, &edit, &touched))
			d2_tiles_apply(shape, &edit, NULL);
	}
}

static struct d2_shape *random_tiles(enum cell_group group)
{
	struct d2_tile_kind kinds[4] = {{.common = {.name = 0}}};
	for (int i = 0; i < 4; ++i) {
		struct d2_vec points[5];
		uint32_t count = i < 2 ? 0 : 3 + below(3);
		for (uint32_t k = 0; k < count; ++k)
			points[k] = below(2) ? (struct d2_vec){real(0, 1), real(0, 1)} : (struct d2_vec){(float)below(2), (float)below(2)};
		if (d2_tile_kind_set(&kinds[i], points, count) != D2_HULL_OK)
			d2_tile_kind_set(&kinds[i], NULL, 0);
		kinds[i].common.material = random_material();
		kinds[i].common.group = (uint8_t)(i == 1 ? below(3) : (uint32_t)group);
	}
	struct d2_tiles_input input = {1 + below(18), 1 + below(10), 0.7f, {-1, -2}, 4, kinds, group};
	struct d2_shape *shape = d2_tiles_create(&memory, &input);
	tiles_edit(shape, below(30));
	return shape;
}

static const char *const d2_names[] = {"circle", "capsule", "segment", "box", "polygon", "ellipse", "half-plane", "chain",
	"loop", "two-sided chain", "tiles", "sensors", "one-way tiles"};

static struct d2_shape *d2_random(int kind)
{
	struct d2_vec p = d2_random_point(1), q = d2_random_point(1);
	struct d2_rot turn = d2_make_rot(number(-3, 3));
	switch (kind) {
	case 0: return d2_circle_create(&memory, p, real(0.1, 1));
	case 1: return d2_capsule_create(&memory, p, below(4) ? q : p, real(0.1, 1));
	case 2: return d2_segment_create(&memory, p, q);
	case 3: return d2_box_create(&memory, real(0.5, 2), real(0.5, 2), p, turn, below(2) ? 0 : real(0, 0.24));
	case 4: return random_polygon();
	case 5: return d2_ellipse_create(&memory, real(0.1, 2), real(0.1, 2), p, turn);
	case 6: return d2_half_plane_create(&memory, d2_random_point(3), p.x);
	case 7: return random_chain(false, true);
	case 8: return random_chain(true, true);
	case 9: return random_chain(below(2), false);
	default: return random_tiles((enum cell_group)(kind - 10));
	}
}

static void *d2_make(int kind)
{
	struct d2_shape *shape = d2_random(kind), *copy = NULL;
	if (shape == NULL)
		return NULL;
	bool even = below(2);
	double factor = even ? pow(10, number(-5, 5)) : number(0.1, 10);
	struct d2_vec_d scale = {factor * (below(2) ? -1 : 1), even ? factor : number(0.1, 10)};
	struct d2_pose pose = {number(-9, 9), number(-9, 9), d2_make_rot(number(-3, 3))};
	if (shape->tiles == NULL && below(2) && d2_shape_moved(&memory, shape, &pose, &copy) == D2_HULL_OK) {
		d2_shape_release(shape);
		shape = copy;
	}
	if (shape->tiles == NULL && below(2) && d2_shape_scaled(&memory, shape, scale, &copy) == D2_SCALED_OK) {
		d2_shape_release(shape);
		shape = copy;
	}
	return shape;
}

static void d2_add_pair(struct digest *digest, const struct d2_shape *shape, const struct d2_shape *other, double size)
{
	struct d2_pose origin = {0, 0, {1, 0}};
	struct d2_pose pose = {
		shape->centroid.x + number(-size, size), shape->centroid.y + number(-size, size), d2_make_rot(number(-3, 3))};
	struct d2_world_manifold manifold;
	struct d2_local_manifold local;
	struct d2_transform place = {{(float)pose.x, (float)pose.y}, pose.q};
	add_numbers(digest, 1, (double)d2_overlaps(shape, &origin, other, &pose));
	if (shape->tiles && !shape->one_sided) /* sensors have no manifolds */
		return;
	if (d2_world_manifolds(shape, &origin, other, &pose, &manifold))
		for (int i = 0; i < manifold.count; ++i)
			add_numbers(digest, 5, manifold.normal.x, manifold.normal.y, manifold.points[i].p.x, manifold.points[i].p.y,
				manifold.points[i].separation);
	for (uint32_t i = 0; i < d2_shape_child_count(shape) && i < 32; ++i) {
		local.count = 0;
		d2_collide(shape, i, other, 0, &place, (float)(0.1 * size), &local);
		for (int k = 0; k < local.count; ++k)
			add_numbers(digest, 4, (double)local.normal.x, (double)local.points[k].point.x, (double)local.points[k].separation,
				(double)local.points[k].id);
	}
}

static void d2_add_pairs(struct digest *digest, const struct d2_shape *shape, double size)
{
	float s = (float)size;
	struct d2_vec corners[5] = {{-s, 0}, {s, 0}, {0, s}, {0.7f * s, 0.8f * s}, {-0.5f * s, 0.6f * s}}, zero = {0, 0};
	struct d2_shape *others[] = {d2_circle_create(&memory, zero, 0.5f * s), d2_capsule_create(&memory, zero, corners[3], s),
		d2_box_create(&memory, s, 2 * s, zero, (struct d2_rot){1, 0}, 0.1f * s),
		d2_ellipse_create(&memory, s, 0.4f * s, zero, (struct d2_rot){1, 0}), NULL};
	d2_polygon_create(&memory, corners, 5, 0, &others[4]);
	for (int i = 0; i < 5; ++i) {
		if (others[i] == NULL)
			continue;
		d2_add_pair(digest, shape, others[i], size);
		d2_shape_release(others[i]);
	}
}

static void d2_add_children(struct digest *digest, const struct d2_shape *shape)
{
	uint32_t count = d2_shape_child_count(shape);
	size_t points = shape->tiles ? (size_t)shape->stride * count : shape->count;
	add(digest, shape->points, points * sizeof *shape->points);
	struct d2_pose pose = {1, 2, d2_make_rot(number(-3, 3))};
	for (uint32_t i = 0; i < count; ++i) {
		struct box box = d2_shape_box(shape, i, &pose, 0.1f);
		add(digest, box.lower, sizeof box.lower);
		add(digest, box.upper, sizeof box.upper);
		add_material(digest, d2_shape_material(shape, i));
	}
	for (uint32_t i = 0; shape->tiles && i < count; ++i)
		add_numbers(
			digest, 3, (double)d2_tiles_before(shape, i), (double)d2_tiles_after(shape, i), (double)d2_tiles_cell_of(shape, i));
}

static struct digest d2_probe(void *given)
{
	const struct d2_shape *shape = given;
	struct digest digest = {1, true};
	struct d2_pose origin = {0, 0, {1, 0}};
	struct d2_mass mass;
	float least, greatest;
	double size = is_finite_f(shape->outer) && shape->outer > 0 ? (double)shape->outer : 1, x = shape->centroid.x,
		   y = shape->centroid.y;
	state = 7;
	d2_shape_mass(shape, 1, &mass);
	d2_shape_extents(shape, mass.center, &least, &greatest);
	add_numbers(&digest, 3, (double)mass.center.x, (double)mass.center.y, (double)least);
	add(&digest, &mass.mass, sizeof mass.mass);
	add(&digest, &mass.inertia, sizeof mass.inertia);
	add(&digest, &shape->one_sided, sizeof shape->one_sided);
	add(&digest, shape->ghosts, sizeof shape->ghosts);
	d2_add_children(&digest, shape);
	for (int i = 0; i < 12; ++i) {
		struct d2_ray_hit_d hit;
		struct d2_distance distance;
		double ox = x + size * number(-2, 2), oy = y + size * number(-2, 2);
		if (d2_shape_ray_d(shape, &origin, ox, oy, 2 * (x - ox), 2 * (y - oy), &hit))
			add_numbers(&digest, 4, hit.fraction, hit.normal.x, hit.normal.y, (double)hit.child);
		add_numbers(&digest, 1, (double)d2_shape_contains(shape, &origin, ox, oy));
		if (d2_shape_child_count(shape) > 0) {
			d2_distance_to_point(shape, &origin, ox, oy, &distance);
			add_numbers(&digest, 3, distance.distance, distance.normal.x, (double)distance.feature_a);
		}
		struct immersion part = d2_shape_immersed(shape, (struct vec3){0, 1, 0}, y + size * number(-1, 1));
		add(&digest, &part.volume, sizeof part.volume);
	}
	if (d2_shape_child_count(shape) > 0)
		d2_add_pairs(&digest, shape, size);
	return digest;
}

static void d2_edit(void *given)
{
	if (((struct d2_shape *)given)->tiles)
		tiles_edit(given, 5);
}

static void d2_pass(struct archive *archive, void **given)
{
	struct d2_shape *shape = *given;
	d2_shape_pass(archive, &shape);
	*given = shape;
}

static void d2_release(void *given)
{
	d2_shape_release(given);
}

const struct family d2_family = {d2_names, sizeof d2_names / sizeof *d2_names, d2_make, d2_probe, d2_pass, d2_release, d2_edit};
