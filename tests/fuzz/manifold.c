/* manifold.c - the manifolds of space against exact distances: manifold [ROUNDS a couple].
 * Couples of all kinds of shapes stand and move about each other at random. The least gap of a manifold must be the distance,
 * and the gap of the whole shapes along its normal must be, too, which no other direction can better; its points must lie on
 * both surfaces; with what was cached on the way it must be as good as without. The closed forms of round solids must agree
 * with GJK and EPA. Tolerances: what counts as indifferent (see manifold_parts.h), floats, and what the normal of a face may
 * differ from that of the distance.
 * A program of its own, linked with the module's objects: what it asks has no Lua function. */
#include "d3/query/gjk.h"
#include "d3/manifold/manifold.h"
#include "d3/query/distance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPES = 15, STEPS = 60 };

static const float speculative = 0.02f;
static const double indifference = 0.025 * 0.02, slop = 0.25 * 0.02, rounding = 3e-5, leaning = 5e-4;

static struct memory memory;
static struct d3_shape *shapes[SHAPES];
static const char *names[SHAPES];
static int failures;

static void *allocate(void *context, void *block, size_t old_size, size_t new_size)
{
	(void)context;
	(void)old_size;
	if (new_size > 0)
		return realloc(block, new_size);
	free(block);
	return NULL;
}

static double number(double low, double high)
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static struct d3_vec_d direction(void)
{
	for (;;) {
		struct d3_vec_d v = {number(-1, 1), number(-1, 1), number(-1, 1)};
		double length = d3_length_d(v);
		if (length > 0.1 && length < 1)
			return d3_scale_d(1 / length, v);
	}
}

/* Now and then straight, or a quarter turned: faces and edges then lie on each other. */
static struct d3_quat rotation(void)
{
	double angle = number(-3.14159, 3.14159);
	struct d3_vec_d axis = direction();
	if (number(0, 1) < 0.4) {
		static const double quarters[4] = {0, 1.5707963267948966, 3.14159265358979, 0.78539816339744831};
		axis = number(0, 1) < 0.5 ? (struct d3_vec_d){0, 1, 0} : (struct d3_vec_d){0, 0, 1};
		angle = quarters[(int)number(0, 4)];
	}
	double c = cos(angle / 2), s = sin(angle / 2);
	return (struct d3_quat){(float)(s * axis.x), (float)(s * axis.y), (float)(s * axis.z), (float)c};
}

static struct d3_shape *random_hull(uint32_t count, float radius)
{
	struct d3_vec points[200];
	struct d3_shape *hull = NULL;
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_vec_d v = direction();
		points[i] = (struct d3_vec){(float)(0.6 * v.x), (float)(0.45 * v.y), (float)(0.5 * v.z)};
	}
	d3_hull_create(&memory, points, count, radius, &hull);
	return hull;
}

static void add(int i, const char *name, struct d3_shape *shape)
{
	if (shape == NULL)
		exit(1);
	names[i] = name;
	shapes[i] = shape;
}

static void make_shapes(void)
{
	const struct d3_vec zero = {0, 0, 0}, aside = {0.3f, -0.2f, 0.1f};
	const struct d3_quat straight = {0, 0, 0, 1}, turned = {0.18257419f, 0.36514837f, 0.54772256f, 0.73029674f};
	add(0, "sphere", d3_sphere_create(&memory, aside, 0.4f));
	add(1, "capsule", d3_capsule_create(&memory, (struct d3_vec){-0.5f, 0, 0}, (struct d3_vec){0.5f, 0, 0}, 0.2f));
	add(2, "segment", d3_segment_create(&memory, (struct d3_vec){-0.5f, 0.1f, 0}, (struct d3_vec){0.6f, 0, 0}));
	add(3, "triangle",
		d3_triangle_create(
			&memory, (struct d3_vec){-0.5f, 0.1f, 0}, (struct d3_vec){0.6f, 0, 0}, (struct d3_vec){0, 0.2f, 0.7f}));
	add(4, "box", d3_box_create(&memory, (struct d3_vec){1, 0.6f, 0.8f}, zero, straight, 0));
	add(5, "turned box", d3_box_create(&memory, (struct d3_vec){1, 0.6f, 0.8f}, aside, turned, 0));
	add(6, "rounded box", d3_box_create(&memory, (struct d3_vec){1, 0.6f, 0.8f}, zero, straight, 0.1f));
	add(7, "hull of 12", random_hull(12, 0));
	add(8, "hull of 150", random_hull(150, 0));
	add(9, "rounded hull", random_hull(20, 0.15f));
	add(10, "cylinder", d3_cylinder_create(&memory, 0.4f, 0.9f, zero, straight));
	add(11, "cone", d3_cone_create(&memory, 0.5f, 0.8f, zero, straight));
	add(12, "ellipsoid", d3_ellipsoid_create(&memory, (struct d3_vec){0.6f, 0.35f, 0.4f}, zero, straight));
	add(14, "tapered capsule",
		d3_tapered_capsule_create(&memory, (struct d3_vec){-0.4f, 0, 0}, 0.3f, (struct d3_vec){0.4f, 0.1f, 0}, 0.15f));
	add(13, "half-space", d3_half_space_create(&memory, (struct d3_vec){0.3f, 1, 0.2f}, 0.1f));
}

struct situation {
	const char *a, *b;
	struct d3_transform place;
	bool warm;
};

static void fail(const struct situation *s, const char *what, double is, double should)
{
	if (failures++ > 60)
		return;
	printf("%s, %s%s: %s is %.9g, should be %.9g; at %.9g %.9g %.9g, turned by %.9g %.9g %.9g %.9g\n", s->a, s->b,
		s->warm ? ", warm" : "", what, is, should, (double)s->place.p.x, (double)s->place.p.y, (double)s->place.p.z,
		(double)s->place.q.x, (double)s->place.q.y, (double)s->place.q.z, (double)s->place.q.w);
}

static double reach(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec delta)
{
	struct d3_vec_d n = d3_widen(delta), points[D3_SUPPORT_POINTS];
	if (shape->type == D3_HALF_SPACE) {
		struct d3_rot_d q = d3_exact_rot(pose->q);
		struct d3_vec_d outward = d3_turn_d(&q, shape->normal), p = {pose->x, pose->y, pose->z};
		return d3_dot_d(outward, n) > 0.99999 ? shape->offset + d3_dot_d(outward, p) : INFINITY;
	}
	d3_support_points(shape, pose, n, points);
	return d3_dot_d(n, points[0]);
}

static const struct d3_pose origin = {0, 0, 0, {0, 0, 0, 1}};

static void check_points(const struct situation *s, const struct d3_shape *a, const struct d3_shape *b,
	const struct d3_pose *pose_b, const struct d3_local_manifold *m, double distance)
{
	double least = INFINITY;
	for (int i = 0; i < m->count; ++i) {
		double separation = m->points[i].separation;
		struct d3_vec_d p = d3_widen(m->points[i].point), n = d3_widen(m->normal);
		least = min_d(least, separation);
		/* What leans by less than 6 degrees has all its points as soon as it has one. */
		double length =
			2 * min_d(a->type == D3_HALF_SPACE ? INFINITY : a->reach, b->type == D3_HALF_SPACE ? INFINITY : b->reach);
		if (!(separation <= max_d(speculative, distance + 0.1 * length)) || !is_finite_d(p.x + p.y + p.z))
			fail(s, "a gap", separation, distance);
		for (int k = 0; k < i; ++k)
			if (m->points[k].id == m->points[i].id)
				fail(s, "an id", m->points[i].id, -1);
		struct d3_vec_d on_a = d3_mul_add_d(p, -0.5 * separation, n), on_b = d3_mul_add_d(p, 0.5 * separation, n);
		struct d3_distance from_a, from_b;
		d3_distance_to_point(a, &origin, on_a, &from_a);
		d3_distance_to_point(b, pose_b, on_b, &from_b);
		/* Of overlapping shapes the surface straight across may be that of another side. Inside of what is round a point that
		 * is not the deepest is as far below the surface as its side leans. Lines that cross have bent away from each other by
		 * a slop at most. */
		double slack = slop + leaning, deep = max_d(0, -separation) + slack;
		if (!(from_a.distance <= slack && from_a.distance >= -deep - (double)a->radius))
			fail(s, "how far a point is from A", from_a.distance, 0);
		if (!(from_b.distance <= slack && from_b.distance >= -deep - (double)b->radius))
			fail(s, "how far a point is from B", from_b.distance, 0);
	}
	/* Of a line of radius r that leans by 6 degrees on a face it is another by r (1 - cosine) along the face's normal; none is
	 * rounder than 0.4. */
	if (!(fabs(least - distance) <= indifference + rounding + 0.005 * 0.4))
		fail(s, "the least gap", least, distance);
}

/* The closed forms, of a round solid and corners or of two tapered capsules, agree with GJK and EPA to the rounding error of
 * these. Where the cores of a round solid and corners overlap, they agree for depths up to a hundredth of a size. */
static void check_closed_form(const struct situation *s, const struct d3_shape *a, const struct d3_shape *b)
{
	struct d3_transform_d place = {d3_widen(s->place.p), d3_exact_rot(s->place.q)};
	struct d3_proxy proxy_a, proxy_b;
	struct d3_separation closed, found;
	d3_make_proxy(a, 0, &proxy_a);
	d3_make_proxy(b, 0, &proxy_b);
	bool tapered = d3_tapered_separation(&proxy_a, &proxy_b, &place, &closed);
	if (!tapered && !d3_round_separation(&proxy_a, &proxy_b, &place, INFINITY, &closed))
		return;
	d3_gjk(&proxy_a, &proxy_b, &place, &found, NULL, NULL);
	if (!tapered && closed.distance < -0.01)
		return;
	if (!(fabs(closed.distance - found.distance) <= 1e-7))
		fail(s, "the gap in closed form", closed.distance, found.distance);
	struct d3_vec_d between = d3_sub_d(closed.point_b, closed.point_a);
	if (!(d3_length_d(d3_sub_d(between, d3_scale_d(closed.distance, closed.normal))) <= 1e-7))
		fail(s, "what is between its points", d3_length_d(between), closed.distance);
}

static void check(struct situation *s, const struct d3_shape *a, const struct d3_shape *b, struct d3_manifold_cache *cache)
{
	struct d3_pose pose_b = {s->place.p.x, s->place.p.y, s->place.p.z, s->place.q};
	struct d3_distance measure;
	struct d3_local_manifold m, again;
	struct d3_manifold_cache copy = *cache;
	memset(&m, 0, sizeof m);
	memset(&again, 0, sizeof again);
	check_closed_form(s, a, b);
	d3_collide(a, 0, b, 0, &s->place, speculative, cache, &m);
	d3_collide(a, 0, b, 0, &s->place, speculative, &copy, &again);
	if (memcmp(&m, &again, sizeof m) != 0 || memcmp(cache, &copy, sizeof copy) != 0)
		fail(s, "the same question's answer", 0, 1);
	d3_distance(a, &origin, b, &pose_b, &measure);
	if (m.count == 0) {
		if (measure.distance < (double)speculative - indifference - rounding)
			fail(s, "the number of points", 0, measure.distance);
		if (!(m.clearance >= 0 && m.clearance <= measure.distance - (double)speculative + rounding))
			fail(s, "the clearance", m.clearance, measure.distance - (double)speculative);
		return;
	}
	double length = d3_length_d(d3_widen(m.normal));
	if (!(fabs(length - 1) < 1e-5))
		fail(s, "the length of the normal", length, 1);
	/* Taken along the normal by their gap they just touch. The normal may be that of faces beside the edges that are nearest: 6
	 * degrees, half a percent. */
	struct d3_distance moved;
	struct d3_pose pose_moved = {pose_b.x - measure.distance * (double)m.normal.x,
		pose_b.y - measure.distance * (double)m.normal.y, pose_b.z - measure.distance * (double)m.normal.z, pose_b.q};
	d3_distance(a, &origin, b, &pose_moved, &moved);
	if (!(fabs(moved.distance) <= indifference + rounding + 0.006 * fabs(measure.distance)))
		fail(s, "the gap after that along the normal", moved.distance, 0);
	check_points(s, a, b, &pose_b, &m, measure.distance);
}

/* B comes to where it is `gap` from A, in some direction. */
static void place_at(const struct d3_shape *a, const struct d3_shape *b, double gap, struct d3_transform *place)
{
	struct d3_vec_d delta = direction();
	if (a->type == D3_HALF_SPACE)
		delta = d3_normalize(d3_narrow(a->normal)).y > 0 ? a->normal : delta;
	if (number(0, 1) < 0.3)
		delta = (struct d3_vec_d){0, 1, 0};
	double low = 0, high = 4;
	for (int i = 0; i < 40; ++i) {
		struct d3_distance measure;
		double middle = 0.5 * (low + high);
		struct d3_pose pose = {middle * delta.x, middle * delta.y, middle * delta.z, place->q};
		d3_distance(a, &origin, b, &pose, &measure);
		*(measure.distance < gap ? &low : &high) = middle;
	}
	place->p = d3_narrow(d3_scale_d(low, delta));
}

/* A little on: some steps slide, some roll. */
static void move(struct d3_transform *place, struct d3_vec_d velocity, struct d3_vec_d spin)
{
	place->p = d3_add(place->p, d3_narrow(d3_scale_d(1.0 / 60, velocity)));
	struct d3_quat turn = {(float)(spin.x / 120), (float)(spin.y / 120), (float)(spin.z / 120), 1};
	place->q = d3_normalize_quat(d3_mul_quat(d3_normalize_quat(turn), place->q));
}

static void try_pair(int i, int k, int rounds)
{
	const struct d3_shape *a = shapes[i], *b = shapes[k];
	static const double gaps[6] = {-0.001, -0.05, 0.005, 0.018, 0.03, -0.2};
	struct situation s = {names[i], names[k], {{0, 0, 0}, {0, 0, 0, 1}}, false};
	for (int round = 0; round < rounds; ++round) {
		struct d3_manifold_cache cache = {0};
		s.place.q = rotation();
		s.warm = false;
		place_at(a, b, gaps[round % 6], &s.place);
		check(&s, a, b, &cache);
		if (round % 10 != 0)
			continue;
		struct d3_vec_d velocity = d3_scale_d(0.5, direction()), spin = direction();
		s.warm = true;
		for (int step = 0; step < STEPS; ++step) {
			move(&s.place, velocity, spin);
			cache.most += (float)((d3_length_d(velocity) + d3_length_d(spin) * b->reach) / 60);
			check(&s, a, b, &cache);
		}
	}
}

/* Tapered capsules of all slopes, and capsules; axes that are parallel, or cross. */
static struct d3_shape *random_tapered(bool straight)
{
	struct d3_vec_d delta = d3_scale_d(number(0.05, 1), direction());
	struct d3_vec p = {(float)number(-0.5, 0.5), (float)number(-0.5, 0.5), (float)number(-0.5, 0.5)};
	if (number(0, 1) < 0.4)
		delta = (struct d3_vec_d){number(0.05, 1), 0, 0};
	double radius = number(0.05, 0.6), growth = straight ? 0 : number(-0.99, 0) * min_d(d3_length_d(delta), 0.9 * radius);
	return d3_tapered_capsule_create(&memory, p, (float)radius, d3_add(p, d3_narrow(delta)), (float)(radius + growth));
}

static void tapered_pairs(int rounds)
{
	for (int round = 0; round < rounds; ++round) {
		struct d3_shape *a = random_tapered(false), *b = random_tapered(round % 4 == 0);
		struct situation s = {"tapered", "tapered", {{0, 0, 0}, rotation()}, false};
		s.place.p = d3_narrow(d3_scale_d(number(0, 2), direction()));
		check_closed_form(&s, a, b);
		check_closed_form(&s, b, a);
		d3_shape_release(a);
		d3_shape_release(b);
	}
}

/* --- Meshes --------------------------------------------------------------------------------------------------------------- */

enum { CELLS = 24 };

/* A floor of triangles of many sizes and directions, a mesh or a height field, at y = 0, from -6 to 6. */
static struct d3_shape *make_floor(bool field, bool one_sided)
{
	static struct d3_vec vertices[(CELLS + 1) * (CELLS + 1)];
	static uint32_t indices[6 * CELLS * CELLS];
	static float heights[(CELLS + 1) * (CELLS + 1)];
	if (field) {
		struct d3_height_field terrain = {.x = -6,
			.z = -6,
			.cell_width = 12.0 / CELLS,
			.cell_depth = 12.0 / CELLS,
			.columns = CELLS + 1,
			.rows = CELLS + 1,
			.heights = heights};
		return d3_height_field_create(&memory, &terrain, one_sided);
	}
	uint32_t count = 0;
	for (int k = 0; k <= CELLS; ++k)
		for (int i = 0; i <= CELLS; ++i) {
			bool inner = i > 0 && i < CELLS && k > 0 && k < CELLS;
			double dx = inner ? number(-0.08, 0.08) : 0, dz = inner ? number(-0.08, 0.08) : 0;
			vertices[k * (CELLS + 1) + i] =
				(struct d3_vec){(float)(12.0 * i / CELLS - 6 + dx), 0, (float)(12.0 * k / CELLS - 6 + dz)};
		}
	for (uint32_t k = 0; k < CELLS; ++k)
		for (uint32_t i = 0; i < CELLS; ++i) {
			uint32_t p = k * (CELLS + 1) + i, q = p + CELLS + 1;
			bool turned = number(0, 1) < 0.5;
			uint32_t corners[6] = {p, q, q + 1, p, q + 1, p + 1}, other[6] = {p, q, p + 1, p + 1, q, q + 1};
			memcpy(indices + count, turned ? other : corners, sizeof corners);
			count += 6;
		}
	return d3_mesh_create(&memory, vertices, (CELLS + 1) * (CELLS + 1), indices, count / 3, one_sided, NULL);
}

/* What the cache knows from the last time, of whatever place, changes nothing. */
static int collide_mesh(struct situation *s, const struct d3_shape *mesh, const struct d3_shape *b, float *clearance,
	struct d3_local_manifold m[D3_MANIFOLDS])
{
	static struct d3_manifold_cache cache;
	struct d3_manifold_cache none = {.features = 0};
	struct d3_local_manifold cold[D3_MANIFOLDS], warm[D3_MANIFOLDS];
	float room;
	memset(cold, 0, sizeof cold);
	memset(warm, 0, sizeof warm);
	int count = d3_collide_mesh(mesh, b, 0, &s->place, speculative, &none, clearance, cold);
	if (d3_collide_mesh(mesh, b, 0, &s->place, speculative, &cache, &room, warm) != count ||
		memcmp(cold, warm, sizeof cold) != 0)
		fail(s, "manifolds by the cache", 1, 0);
	*clearance = fmaxf(*clearance, room);
	memcpy(m, cold, sizeof cold);
	return count;
}

/* What touches nothing touches nothing either after it has moved, slid or turned, by less than its clearance. */
static void check_clearance(struct situation *s, const struct d3_shape *mesh, const struct d3_shape *b)
{
	struct d3_local_manifold m[D3_MANIFOLDS];
	struct d3_transform start = s->place;
	float clearance, after;
	if (collide_mesh(s, mesh, b, &clearance, m) > 0 || clearance == 0)
		return;
	for (int i = 0; i < 6; ++i) {
		double turned = number(0, 1) < 0.5 ? 0 : number(0, 1), slide = 0.999 * (1 - turned) * clearance;
		double sine = min_d(0.5 * 0.999 * turned * clearance / b->extent, 0.5);
		struct d3_vec_d delta = direction(), axis = direction();
		if (i < 2)
			delta = (struct d3_vec_d){0, i == 0 ? -1 : 1, 0};
		if (i == 2)
			delta = d3_scale_d(-1 / max_d(d3_length_d(d3_widen(start.p)), 1e-6), d3_widen(start.p));
		struct d3_quat turn = {
			(float)(sine * axis.x), (float)(sine * axis.y), (float)(sine * axis.z), (float)sqrt(1 - sine * sine)};
		s->place.p = d3_add(start.p, d3_narrow(d3_scale_d(slide, delta)));
		s->place.q = d3_normalize_quat(d3_mul_quat(turn, start.q));
		int count = collide_mesh(s, mesh, b, &after, m);
		if (count > 0)
			fail(s, "manifolds within the clearance", count, 0);
	}
	s->place = start;
}

static void check_floor(struct situation *s, const struct d3_shape *floor, const struct d3_shape *b)
{
	struct d3_local_manifold m[D3_MANIFOLDS];
	float clearance;
	const struct d3_vec up = {0, 1, 0};
	struct d3_pose pose = {s->place.p.x, s->place.p.y, s->place.p.z, s->place.q};
	memset(m, 0, sizeof m);
	double height = -reach(b, &pose, d3_neg(up)), least = INFINITY;
	int count = collide_mesh(s, floor, b, &clearance, m);
	if (count > 1)
		fail(s, "the number of manifolds", count, 1);
	for (int i = 0; i < count; ++i) {
		if (!(fabs(m[i].normal.x) < 1e-6f && fabs(m[i].normal.y - 1) < 1e-6f && fabs(m[i].normal.z) < 1e-6f))
			fail(s, "the normal's y", m[i].normal.y, 1);
		for (int k = 0; k < m[i].count; ++k) {
			least = min_d(least, m[i].points[k].separation);
			if (!(fabs(m[i].points[k].point.y - 0.5f * m[i].points[k].separation) < 1e-3f))
				fail(s, "the height of a point", m[i].points[k].point.y, 0.5 * m[i].points[k].separation);
			for (int l = 0; l < k; ++l)
				if (m[i].points[l].id == m[i].points[k].id)
					fail(s, "an id", m[i].points[k].id, -1);
		}
	}
	if (b->inner == 0 && count > 0 && least > height) /* what is so thin may have sunk below where it is deepest */
		return;
	if (count > 0 ? !(fabs(least - height) <= indifference + rounding) : height < (double)speculative - indifference)
		fail(s, "the least gap over the floor", least, height);
}

/* Whatever slides over a flat floor feels nothing but the floor. */
static void slide(const char *name, const struct d3_shape *floor, int k, int rounds)
{
	struct situation s = {name, names[k], {{0, 0, 0}, {0, 0, 0, 1}}, false};
	for (int round = 0; round < rounds; ++round) {
		static const double gaps[4] = {-0.005, 0.001, 0.018, -0.05};
		struct d3_pose pose = {0, 0, 0, rotation()};
		struct d3_vec_d velocity = {number(-10, 10), 0, number(-10, 10)};
		s.place.q = pose.q;
		s.place.p = (struct d3_vec){(float)number(-2, 2),
			(float)(gaps[round % 4] + reach(shapes[k], &pose, (struct d3_vec){0, -1, 0})), (float)number(-2, 2)};
		for (int step = 0; step < 20; ++step) {
			/* what has sunk below its middle comes out on the other side */
			if (d3_transform_point(s.place, shapes[k]->centroid).y > 0)
				check_floor(&s, floor, shapes[k]);
			move(&s.place, velocity, (struct d3_vec_d){0, number(0, 1), 0});
		}
		s.place.p = (struct d3_vec){(float)number(-7, 7), (float)number(-1, 1), (float)number(-7, 7)};
		check_clearance(&s, floor, shapes[k]);
	}
}

/* The surface of a convex shape, its faces cut into triangles. */
static struct d3_shape *make_surface(const struct d3_shape *solid, bool one_sided)
{
	static uint32_t indices[3 * 4 * D3_HULL_MAX];
	uint32_t count = 0;
	for (uint32_t face = 0; face < d3_shape_face_count(solid); ++face) {
		uint32_t points[D3_HULL_MAX], corners = d3_shape_face(solid, face, points);
		for (uint32_t i = 2; i < corners; ++i) {
			uint32_t corner[3] = {points[0], points[i - 1], points[i]};
			memcpy(indices + count, corner, sizeof corner);
			count += 3;
		}
	}
	return d3_mesh_create(&memory, solid->points, solid->count, indices, count / 3, one_sided, NULL);
}

/* What barely touches the surface of a convex shape from outside touches it as it does the shape. */
static void touch_surface(const struct d3_shape *solid, int k, bool one_sided, int rounds)
{
	static const double gaps[4] = {-0.002, 0.001, 0.018, -0.0005};
	struct d3_shape *mesh = make_surface(solid, one_sided);
	struct situation s = {one_sided ? "one-sided surface" : "surface", names[k], {{0, 0, 0}, {0, 0, 0, 1}}, false};
	for (int round = 0; round < rounds; ++round) {
		struct d3_local_manifold m[D3_MANIFOLDS];
		float clearance;
		struct d3_distance measure;
		double least = INFINITY;
		s.place.q = rotation();
		place_at(solid, shapes[k], gaps[round % 4], &s.place);
		struct d3_pose pose = {s.place.p.x, s.place.p.y, s.place.p.z, s.place.q};
		d3_distance(solid, &origin, shapes[k], &pose, &measure);
		int count = collide_mesh(&s, mesh, shapes[k], &clearance, m);
		for (int i = 0; i < count; ++i) {
			double length = d3_length_d(d3_widen(m[i].normal)), width = -INFINITY, own = INFINITY;
			if (!(fabs(length - 1) < 1e-5))
				fail(&s, "the length of the normal", length, 1);
			for (int j = 0; j < m[i].count; ++j)
				own = min_d(own, m[i].points[j].separation);
			width = -reach(shapes[k], &pose, d3_neg(m[i].normal)) - reach(solid, &origin, m[i].normal);
			if (!(width <= own + indifference + rounding))
				fail(&s, "a gap less than that along its normal", own, width);
			least = min_d(least, own);
		}
		if (!(fabs(least - measure.distance) <= 2 * indifference + rounding) && !(count == 0 && measure.distance > 0.0199))
			fail(&s, "the least gap", least, measure.distance);
		place_at(solid, shapes[k], number(0.01, 0.5), &s.place);
		check_clearance(&s, mesh, shapes[k]);
		s.place.p = (struct d3_vec){(float)number(-1.5, 1.5), (float)number(-1.5, 1.5), (float)number(-1.5, 1.5)};
		check_clearance(&s, mesh, shapes[k]);
	}
	d3_shape_release(mesh);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 20;
	memory_init(&memory, allocate, NULL);
	make_shapes();
	for (int i = 0; i < SHAPES; ++i)
		for (int k = 0; k < SHAPES; ++k)
			/* two segments have no depth */
			if (!(d3_shape_must_be_static(shapes[i]) && d3_shape_must_be_static(shapes[k])) && (i != 2 || k != 2))
				try_pair(i, k, rounds);
	static const char *const floor_names[4] = {"mesh", "one-sided mesh", "height field", "one-sided height field"};
	for (int i = 0; i < 4; ++i) {
		struct d3_shape *floor = make_floor(i > 1, i & 1);
		for (int k = 0; k < SHAPES; ++k)
			if (!d3_shape_must_be_static(shapes[k]))
				slide(floor_names[i], floor, k, rounds);
		d3_shape_release(floor);
	}
	for (int k = 0; k < SHAPES; ++k) {
		if (k == 13 || k == 2 || k == 3) /* what is thin may be inside, as far as a surface can tell */
			continue;
		touch_surface(shapes[4], k, true, rounds);
		touch_surface(shapes[8], k, false, rounds);
		touch_surface(shapes[7], k, true, rounds);
	}
	tapered_pairs(100 * rounds);
	for (int i = 0; i < SHAPES; ++i)
		d3_shape_release(shapes[i]);
	printf("manifolds: %d couples, %d failures\n", SHAPES * SHAPES - 1, failures);
	return failures > 0;
}
