/* minkowski.c - see minkowski.h. Computes the hull of all sums, and drops vertices that stand out only by rounding errors:
 * where edges or faces of A and B are parallel, many sums lie on an edge or in a face up to the last digit. */
#include "d3/query/minkowski.h"

/* Tolerance relative to the coordinates, well above the rounding error of a sum. */
static const double rounding_tolerance = 1e-14;
/* Number of passes that drop corners. A pass may expose corners that the next one drops; two usually suffice. */
enum { PASSES = 8 };

/* Points, and the index of the sum that each comes from. Flat sets are first mapped into the plane z = 0. */
struct cloud {
	uint32_t count;
	struct d3_vec_d *points;
	uint32_t *sources;
	double tolerance; /* [length] */
};

/* The sums b + sign a of corners of B and A, in A's frame. */
struct sums {
	const struct d3_proxy *a, *b;
	const struct d3_transform_d *b_in_a;
	double sign;
};

static struct d3_vec_d sum_at(const struct sums *sums, uint32_t i)
{
	uint32_t count = sums->a->count;
	struct d3_vec_d q = d3_widen(d3_proxy_points(sums->b)[i / count]);
	return d3_mul_add_d(d3_transform_point_d(sums->b_in_a, q), sums->sign, d3_widen(d3_proxy_points(sums->a)[i % count]));
}

static double greatest_length(const struct d3_proxy *proxy, double least)
{
	for (uint32_t i = 0; i < proxy->count; ++i)
		least = max_d(least, d3_length_d(d3_widen(d3_proxy_points(proxy)[i])));
	return least;
}

static void fill_cloud(const struct sums *sums, struct cloud *out)
{
	out->count = sums->a->count * sums->b->count;
	for (uint32_t i = 0; i < out->count; ++i) {
		out->points[i] = sum_at(sums, i);
		out->sources[i] = i;
	}
	double size = greatest_length(sums->b, greatest_length(sums->a, d3_length_d(sums->b_in_a->p)));
	out->tolerance = rounding_tolerance * size;
}

/* --- Flat sets ------------------------------------------------------------------------------------------------------------ */

/* The component of p perpendicular to u and v, which are perpendicular to each other, each a unit vector or 0. */
static struct d3_vec_d across(struct d3_vec_d p, struct d3_vec_d u, struct d3_vec_d v)
{
	p = d3_mul_add_d(p, -d3_dot_d(p, u), u);
	return d3_mul_add_d(p, -d3_dot_d(p, v), v);
}

/* Finds the point farthest from the plane, line or point that u and v span at the first point. Writes the unit vector from
 * there to it. False: no point is farther than the tolerance. */
static bool farthest(const struct cloud *cloud, struct d3_vec_d u, struct d3_vec_d v, struct d3_vec_d *out)
{
	double best = 0;
	for (uint32_t i = 0; i < cloud->count; ++i) {
		struct d3_vec_d delta = across(d3_sub_d(cloud->points[i], cloud->points[0]), u, v);
		double length = d3_length_d(delta);
		if (length > best) {
			best = length;
			*out = d3_scale_d(1 / length, delta);
		}
	}
	return best > cloud->tolerance;
}

static void keep(struct cloud *cloud, uint32_t from, uint32_t to)
{
	cloud->points[to] = cloud->points[from];
	cloud->sources[to] = cloud->sources[from];
}

static void keep_ends(struct cloud *cloud, struct d3_vec_d u)
{
	uint32_t low = 0, high = 0;
	for (uint32_t i = 1; i < cloud->count; ++i) {
		low = d3_dot_d(cloud->points[i], u) < d3_dot_d(cloud->points[low], u) ? i : low;
		high = d3_dot_d(cloud->points[i], u) > d3_dot_d(cloud->points[high], u) ? i : high;
	}
	uint32_t first = low < high ? low : high, last = low < high ? high : low;
	keep(cloud, first, 0);
	keep(cloud, last, 1);
	cloud->count = 2;
}

/* Flattens a set that only rounding has made thick: to a point, the ends of a line, or points in the plane z = 0. */
static void flatten(struct cloud *cloud)
{
	const struct d3_vec_d none = {0, 0, 0};
	struct d3_vec_d u, v, n;
	if (!farthest(cloud, none, none, &u)) {
		cloud->count = 1;
	} else if (!farthest(cloud, u, none, &v)) {
		keep_ends(cloud, u);
	} else if (!farthest(cloud, u, v, &n)) {
		struct d3_vec_d origin = cloud->points[0];
		for (uint32_t i = 0; i < cloud->count; ++i) {
			struct d3_vec_d delta = d3_sub_d(cloud->points[i], origin);
			cloud->points[i] = (struct d3_vec_d){d3_dot_d(delta, u), d3_dot_d(delta, v), 0};
		}
	}
}

/* --- Corners that are rounding errors ------------------------------------------------------------------------------------- */

/* Of two adjacent corners that coincide within the tolerance, marks the one with the greater index. Returns whether it marked
 * any. */
static bool drop_equal(const struct cloud *cloud, const struct d3_hull_lists *hull, bool *dropped)
{
	bool any = false, flat = hull->triangles.count == 0;
	const uint32_t *corners = hull->corners.data, *loops = hull->triangles.data;
	uint32_t count = flat ? hull->corners.count : hull->triangles.count;
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t next = flat ? (i + 1) % count : i % 3 < 2 ? i + 1 : i - 2;
		uint32_t p = corners[flat ? i : loops[i]], q = corners[flat ? next : loops[next]];
		if (p == q || dropped[p] || dropped[q] ||
			!(d3_length_d(d3_sub_d(cloud->points[p], cloud->points[q])) <= cloud->tolerance))
			continue;
		dropped[p > q ? p : q] = true;
		any = true;
	}
	return any;
}

static bool drop_from_outline(const struct cloud *cloud, const struct d3_hull_lists *hull, bool *dropped)
{
	bool any = false;
	for (uint32_t i = 0; hull->corners.count > 2 && i < hull->corners.count; ++i) {
		const struct d3_vec_d *points = cloud->points;
		uint32_t before = hull->corners.data[i > 0 ? i - 1 : hull->corners.count - 1], at = hull->corners.data[i];
		struct d3_vec_d from = points[before];
		struct d3_vec_d delta = d3_sub_d(points[hull->corners.data[(i + 1) % hull->corners.count]], from);
		struct d3_vec_d to = d3_sub_d(points[at], from);
		if (!dropped[before] && d3_length_d(d3_cross_d(delta, to)) <= cloud->tolerance * d3_length_d(delta))
			any = dropped[at] = true;
	}
	return any;
}

/* Marks corners that rise above their highest neighbour, along their area-weighted normal, by no more than the tolerance.
 * Returns whether it marked any. normals: scratch, one for each point. */
static bool drop_from_surface(
	const struct cloud *cloud, const struct d3_hull_lists *hull, struct d3_vec_d *normals, bool *dropped)
{
	const struct d3_vec_d *points = cloud->points;
	const uint32_t *corners = hull->corners.data, *triangles = hull->triangles.data;
	for (uint32_t i = 0; i < cloud->count; ++i)
		normals[i] = (struct d3_vec_d){0, 0, 0};
	for (uint32_t i = 0; i < hull->triangles.count; i += 3) {
		const uint32_t v[3] = {corners[triangles[i]], corners[triangles[i + 1]], corners[triangles[i + 2]]};
		struct d3_vec_d n = d3_cross_d(d3_sub_d(points[v[1]], points[v[0]]), d3_sub_d(points[v[2]], points[v[0]]));
		for (int k = 0; k < 3; ++k)
			normals[v[k]] = d3_add_d(normals[v[k]], n);
	}
	bool any = false;
	for (uint32_t i = 0; i < hull->triangles.count; ++i) {
		uint32_t p = corners[triangles[i]], q = corners[triangles[i % 3 < 2 ? i + 1 : i - 2]];
		if (d3_dot_d(normals[p], d3_sub_d(points[p], points[q])) <= cloud->tolerance * d3_length_d(normals[p]))
			any = dropped[p] = true;
	}
	return any;
}

/* Keeps the corners that were not dropped, in order. False: too few for a hull of this dimension. */
static bool keep_corners(struct cloud *cloud, const struct d3_hull_lists *hull, const bool *dropped, bool *used)
{
	uint32_t left = 0, count = 0;
	for (uint32_t i = 0; i < cloud->count; ++i)
		used[i] = false;
	for (uint32_t i = 0; i < hull->corners.count; ++i) {
		used[hull->corners.data[i]] = !dropped[hull->corners.data[i]];
		left += !dropped[hull->corners.data[i]];
	}
	if (left < (hull->triangles.count > 0 ? 4 : 1))
		return false;
	for (uint32_t i = 0; i < cloud->count; ++i) {
		if (used[i])
			keep(cloud, i, count++);
	}
	cloud->count = count;
	return true;
}

/* Computes the hull without corners that are rounding errors. normals, dropped and used: scratch, one entry per point. False:
 * no memory. */
static bool find_hull(
	struct memory *memory, struct cloud *cloud, struct d3_vec_d *normals, bool *dropped, bool *used, struct d3_hull_lists *hull)
{
	for (int pass = 0;; ++pass) {
		if (!d3_hull_corners(memory, cloud->points, cloud->count, hull))
			return false;
		for (uint32_t i = 0; i < cloud->count; ++i)
			dropped[i] = false;
		bool again = pass < PASSES && drop_equal(cloud, hull, dropped);
		if (pass < PASSES && !again)
			again = hull->triangles.count > 0 ? drop_from_surface(cloud, hull, normals, dropped)
											  : drop_from_outline(cloud, hull, dropped);
		if (!again || !keep_corners(cloud, hull, dropped, used))
			return true;
	}
}

/* --- Sums and differences ------------------------------------------------------------------------------------------------- */

/* Writes the hull, with its vertices recomputed as sums, in the order of its corners. False: no memory. */
static bool take_hull(struct memory *memory, const struct sums *sums, const struct cloud *cloud,
	const struct d3_hull_lists *hull, struct d3_minkowski *out)
{
	*out = (struct d3_minkowski){.vertex_count = hull->corners.count, .triangle_count = hull->triangles.count / 3};
	out->vertices = memory_resize(memory, NULL, 0, out->vertex_count * sizeof *out->vertices);
	out->triangles = memory_resize(memory, NULL, 0, 3 * (size_t)out->triangle_count * sizeof *out->triangles);
	if (!out->vertices || (!out->triangles && out->triangle_count > 0)) {
		d3_minkowski_free(memory, out);
		return false;
	}
	for (uint32_t i = 0; i < out->vertex_count; ++i)
		out->vertices[i] = sum_at(sums, cloud->sources[hull->corners.data[i]]);
	if (out->triangles)
		memcpy(out->triangles, hull->triangles.data, hull->triangles.count * sizeof *out->triangles);
	return true;
}

static bool combine(struct memory *memory, const struct sums *sums, struct d3_minkowski *out)
{
	struct cloud cloud;
	struct d3_hull_lists hull = {0};
	size_t room = (size_t)sums->a->count * sums->b->count;
	size_t bytes = room * (2 * sizeof(struct d3_vec_d) + sizeof(uint32_t) + 2 * sizeof(bool));
	struct d3_vec_d *block = memory_resize(memory, NULL, 0, bytes), *normals = block + room;
	if (!block)
		return false;
	cloud.points = block;
	cloud.sources = (uint32_t *)(normals + room);
	bool *dropped = (bool *)(cloud.sources + room), *used = dropped + room;
	fill_cloud(sums, &cloud);
	flatten(&cloud);
	bool done = find_hull(memory, &cloud, normals, dropped, used, &hull) && take_hull(memory, sums, &cloud, &hull, out);
	d3_hull_lists_free(memory, &hull);
	memory_free(memory, block, bytes);
	return done;
}

bool d3_minkowski_difference(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out)
{
	return combine(memory, &(struct sums){a, b, b_in_a, -1}, out);
}

bool d3_minkowski_sum(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out)
{
	return combine(memory, &(struct sums){a, b, b_in_a, 1}, out);
}

void d3_minkowski_free(struct memory *memory, struct d3_minkowski *minkowski)
{
	memory_free(memory, minkowski->vertices, minkowski->vertex_count * sizeof *minkowski->vertices);
	memory_free(memory, minkowski->triangles, 3 * (size_t)minkowski->triangle_count * sizeof *minkowski->triangles);
	*minkowski = (struct d3_minkowski){.vertices = NULL, .triangles = NULL};
}
