/* decompose_hulls.c - the hulls of parts: their creation, reduction to few corners, measurement and cuts. See decompose.c. */
#include "d3/process/decompose_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Distance from a cell's corner at which cell_corners tests for the solid, relative to the solid's size. */
static const double nudge_tolerance = 1e-7;

/* No cut may leave a hull thinner than this fraction of its extent; d3.hull refuses hulls below 1e-5. */
static const double thin_tolerance = 1e-4;

/* --- Hulls ---------------------------------------------------------------------------------------------------------------- */

static void measure_volume(struct convex *c)
{
	struct d3_vec_d o = c->points.data[0], sum = {0, 0, 0};
	c->volume = c->area = 0;
	for (uint32_t i = 0; i < c->triangles.count; i += 3) {
		const uint32_t *t = c->triangles.data + i;
		struct d3_vec_d u = d3_sub_d(c->points.data[t[0]], o), v = d3_sub_d(c->points.data[t[1]], o);
		struct d3_vec_d x = d3_sub_d(c->points.data[t[2]], o);
		double part = d3_dot_d(u, d3_cross_d(v, x)) / 6;
		c->volume += part;
		c->area += d3_length_d(d3_cross_d(d3_sub_d(v, u), d3_sub_d(x, u))) / 2;
		sum = d3_mul_add_d(sum, part / 4, d3_add_d(d3_add_d(u, v), x));
	}
	if (c->volume > 0)
		c->centre = d3_mul_add_d(o, 1 / c->volume, sum);
}

bool d3_decompose_hull_of_cloud(struct work *w, struct convex *out)
{
	out->points.count = 0;
	if (!d3_hull_corners(w->memory, w->cloud.data, w->cloud.count, &w->lists) ||
		!array_reserve(w->memory, &out->points, w->lists.corners.count) ||
		!array_reserve(w->memory, &out->triangles, w->lists.triangles.count))
		return false;
	for (uint32_t i = 0; i < w->lists.corners.count; ++i)
		array_push(&out->points, w->cloud.data[w->lists.corners.data[i]]);
	out->triangles.count = w->lists.triangles.count;
	if (out->triangles.count > 0)
		memcpy(out->triangles.data, w->lists.triangles.data, out->triangles.count * sizeof *out->triangles.data);
	measure_volume(out);
	return true;
}

bool d3_decompose_join(
	struct work *w, const struct d3_vec_d *a, uint32_t count_a, const struct d3_vec_d *b, uint32_t count_b, struct convex *out)
{
	if (!array_reserve(w->memory, &w->cloud, count_a + count_b))
		return false;
	w->cloud.count = count_a + count_b;
	memcpy(w->cloud.data, a, count_a * sizeof *a);
	if (count_b > 0)
		memcpy(w->cloud.data + count_a, b, count_b * sizeof *b);
	return d3_decompose_hull_of_cloud(w, out);
}

bool d3_decompose_hull_of_part(struct work *w, struct part *p)
{
	return d3_decompose_join(w, p->points.data, p->points.count, p->corners.data, p->corners.count, &p->hull);
}

double d3_decompose_bounds(const struct convex *c, struct d3_vec_d *lower, struct d3_vec_d *upper)
{
	return d3_points_box(&(struct d3_points){.wide = c->points.data, .count = c->points.count}, lower, upper);
}

bool d3_decompose_is_thin(const struct convex *c)
{
	struct d3_vec_d low, high;
	return c->triangles.count == 0 || !(3 * c->volume > thin_tolerance * d3_decompose_bounds(c, &low, &high) * c->area);
}

/* The corners of the triangle whose first index is `first`. */
static void triangle_of(const struct convex *c, uint32_t first, struct d3_vec_d corners[3])
{
	for (uint32_t k = 0; k < 3; ++k)
		corners[k] = c->points.data[c->triangles.data[first + k]];
}

/* Allocates the planes of the hull's triangles, in their order; the caller frees them. The normal and offset of a triangle
 * without area are 0. NULL: no memory, or no triangles. */
static struct plane *face_planes(struct work *w, const struct convex *c)
{
	struct plane *planes = memory_resize(w->memory, NULL, 0, c->triangles.count / 3 * sizeof *planes);
	for (uint32_t i = 0; planes && i < c->triangles.count; i += 3) {
		struct d3_vec_d t[3];
		triangle_of(c, i, t);
		struct d3_vec_d n = d3_cross_d(d3_sub_d(t[1], t[0]), d3_sub_d(t[2], t[0]));
		double length = d3_length_d(n);
		n = length > 0 ? d3_scale_d(1 / length, n) : (struct d3_vec_d){0, 0, 0};
		planes[i / 3] = (struct plane){n, d3_dot_d(n, t[0])};
	}
	return planes;
}

/* --- Fewer corners -------------------------------------------------------------------------------------------------------- */

static bool intersection(const struct plane *a, const struct plane *b, const struct plane *c, struct d3_vec_d *out)
{
	struct d3_vec_d u = d3_cross_d(b->normal, c->normal);
	struct d3_vec_d v = d3_cross_d(c->normal, a->normal);
	struct d3_vec_d x = d3_cross_d(a->normal, b->normal);
	double det = d3_dot_d(a->normal, u);
	if (!(fabs(det) > 1e-9))
		return false;
	*out =
		d3_scale_d(1 / det, d3_add_d(d3_add_d(d3_scale_d(a->offset, u), d3_scale_d(b->offset, v)), d3_scale_d(c->offset, x)));
	return true;
}

/* Puts the corners of the polytope below all planes into the cloud. They are dual to the faces of the hull of the points n /
 * offset, where offsets are distances from `centre`, a point below all planes. `dual` is scratch for that hull. False: no
 * memory. */
static bool corners_below(
	struct work *w, const struct plane *planes, uint32_t count, struct d3_vec_d centre, struct convex *dual)
{
	if (!array_reserve(w->memory, &w->cloud, count))
		return false;
	w->cloud.count = 0;
	for (uint32_t i = 0; i < count; ++i)
		array_push(&w->cloud, d3_scale_d(-1 / d3_decompose_height(&planes[i], centre), planes[i].normal));
	if (!d3_decompose_hull_of_cloud(w, dual) || !array_reserve(w->memory, &w->cloud, dual->triangles.count / 3))
		return false;
	w->cloud.count = 0;
	for (uint32_t i = 0; i < dual->triangles.count; i += 3) {
		struct plane face[3];
		struct d3_vec_d p;
		for (int k = 0; k < 3; ++k) {
			struct d3_vec_d d = dual->points.data[dual->triangles.data[i + (uint32_t)k]];
			double length = d3_length_d(d);
			face[k] = (struct plane){d3_scale_d(1 / length, d), 1 / length};
		}
		if (intersection(&face[0], &face[1], &face[2], &p))
			array_push(&w->cloud, d3_add_d(p, centre));
	}
	return true;
}

/* Adds to `planes` up to 8 face planes of the hull, to cut off those corners of the polytope (in the cloud) that are farthest
 * outside the hull. Each corner proposes the plane that it is farthest above. A heuristic: while a plane is in the list, only
 * the first corner that proposed it counts. Returns the greatest height of a corner above a plane. */
static double add_planes(
	const struct work *w, const struct plane *faces, uint32_t face_count, struct plane *planes, uint32_t *count)
{
	enum { AT_ONCE = 8 };
	double worst = 0, most[AT_ONCE] = {0};
	uint32_t which[AT_ONCE] = {0}, found = 0;
	for (uint32_t i = 0; i < w->cloud.count; ++i) {
		double out = 0;
		uint32_t face = 0;
		for (uint32_t k = 0; k < face_count; ++k) {
			double h = d3_decompose_height(&faces[k], w->cloud.data[i]);
			if (h > out) {
				out = h;
				face = k;
			}
		}
		worst = max_d(worst, out);
		uint32_t at = found;
		for (uint32_t k = 0; k < found; ++k)
			if (which[k] == face)
				out = 0;
		while (at > 0 && most[at - 1] < out)
			--at;
		if (!(out > 0) || at == AT_ONCE)
			continue;
		found += found < AT_ONCE;
		memmove(most + at + 1, most + at, (found - at - 1) * sizeof *most);
		memmove(which + at + 1, which + at, (found - at - 1) * sizeof *which);
		most[at] = out;
		which[at] = face;
	}
	for (uint32_t i = 0; i < found; ++i)
		planes[(*count)++] = faces[which[i]];
	return worst;
}

bool d3_decompose_widen(struct work *w, struct convex *hull)
{
	enum { PLANES = D3_HULL_MAX / 2 + 16 };
	struct plane planes[PLANES];
	uint32_t count = 0, face_count = hull->triangles.count / 3;
	struct convex dual = {.volume = 0}, next = {.volume = 0}, best = {.volume = 0};
	struct plane *faces = face_planes(w, hull);
	bool ok = faces != NULL;
	for (int axis = 0; ok && axis < 6; ++axis) {
		struct plane p = {{axis / 2 == 0, axis / 2 == 1, axis / 2 == 2}, -INFINITY};
		p.normal = d3_scale_d(axis % 2 ? -1 : 1, p.normal);
		for (uint32_t i = 0; i < hull->points.count; ++i)
			p.offset = max_d(p.offset, d3_dot_d(p.normal, hull->points.data[i]));
		planes[count++] = p;
	}
	while (ok && count + 8 <= PLANES) {
		ok = corners_below(w, planes, count, hull->centre, &dual);
		double worst = ok ? add_planes(w, faces, face_count, planes, &count) : 0;
		ok = ok && d3_decompose_hull_of_cloud(w, &next);
		if (!ok || next.points.count > D3_HULL_MAX)
			break;
		struct convex swap = best;
		best = next;
		next = swap;
		if (worst <= w->error / 32)
			break;
	}
	memory_free(w->memory, faces, face_count * sizeof *faces);
	d3_decompose_convex_free(w, &dual);
	d3_decompose_convex_free(w, &next);
	if (ok && best.triangles.count > 0) {
		d3_decompose_convex_free(w, hull);
		*hull = best;
	} else {
		d3_decompose_convex_free(w, &best);
	}
	return ok;
}

/* --- How far a hull sticks out -------------------------------------------------------------------------------------------- */

/* Depth of p in the hull: the least depth below a face's plane. Stops early at a depth below `stop`. */
static double depth_of(const struct plane *faces, uint32_t face_count, struct d3_vec_d p, double stop)
{
	double depth = INFINITY;
	for (uint32_t i = 0; i < face_count && depth >= stop; ++i)
		depth = min_d(depth, -d3_decompose_height(&faces[i], p));
	return depth;
}

/* Whether triangle t may have a point deeper than `depth` in the hull. It has none if, for one face, all its corners are at
 * most `depth` below that face's plane. */
static bool reaches(const struct work *w, const struct plane *faces, uint32_t face_count, uint32_t t, double depth)
{
	for (uint32_t i = 0; i < face_count; ++i) {
		bool above = true;
		for (uint32_t k = 0; k < 3 && above; ++k)
			above = -d3_decompose_height(&faces[i], w->surface->vertices[w->surface->indices[3 * (size_t)t + k]]) <= depth;
		if (above)
			return false;
	}
	return true;
}

/* Whether every point deeper than `error` in the hull is inside the solid or at most 2 `error` outside. (Shallower points are
 * near the hull's surface, which is near the solid.) If no triangle of the solid reaches that deep, the deep region is all
 * inside the solid, or all outside. Otherwise cubes are tested and cut in eight: within a cube the distance differs from that
 * of its centre by at most the cube's radius. False also if there are too many cubes. */
static bool is_filled(const struct work *w, const struct convex *hull, const struct plane *faces, double error)
{
	enum { CUBES = 4000, LEVELS = 24 };
	uint32_t face_count = hull->triangles.count / 3, depth = 0, left = CUBES;
	bool reached = false;
	struct d3_vec_d low, high;
	struct {
		struct d3_vec_d centre;
		double half;
		int level;
	} stack[7 * LEVELS + 8];
	double extent = d3_decompose_bounds(hull, &low, &high);
	for (uint32_t t = 0; t < w->surface->triangle_count && !reached; ++t)
		reached = reaches(w, faces, face_count, t, error);
	if (!reached && depth_of(faces, face_count, hull->centre, error) > error)
		return d3_surface_distance(w->surface, hull->centre) < 0;
	/* Coarse cubes are tested first: they find wide hollows. */
	for (int deepest = 2; deepest <= LEVELS; deepest += deepest == 2 ? 3 : LEVELS - 5) {
		stack[depth].centre = hull->centre;
		stack[depth].level = 0;
		stack[depth++].half = extent;
		while (depth > 0) {
			--depth;
			struct d3_vec_d c = stack[depth].centre;
			int level = stack[depth].level;
			double half = stack[depth].half, radius = half * 1.7320508075688774;
			if (depth_of(faces, face_count, c, error - radius) <= error - radius)
				continue;
			double out = d3_surface_distance(w->surface, c);
			if (out + radius <= 2 * error)
				continue;
			if (left-- == 0 || level == LEVELS || (out > 2 * error && depth_of(faces, face_count, c, error) > error))
				return false;
			for (int i = 0; i < 8 && level < deepest; ++i) {
				stack[depth].centre = (struct d3_vec_d){
					c.x + (i & 1 ? half : -half) / 2, c.y + (i & 2 ? half : -half) / 2, c.z + (i & 4 ? half : -half) / 2};
				stack[depth].level = level + 1;
				stack[depth++].half = half / 2;
			}
		}
	}
	return true;
}

void d3_decompose_measure(const struct work *w, struct convex *hull, double goal)
{
	struct d3_deviation deviation = {.budget = 100000, .at = hull->centre};
	double precision = min_d(goal, max_d(w->error, hull->lower)) / 8;
	hull->upper = INFINITY;
	for (uint32_t i = 0; i < hull->triangles.count; i += 3) {
		struct d3_vec_d c[3];
		triangle_of(hull, i, c);
		bool near = d3_surface_deviation(w->surface, c, &hull->centre, goal, precision, &deviation);
		hull->lower = deviation.lower;
		hull->at = deviation.at;
		if (!near)
			return;
	}
	hull->upper = deviation.upper;
}

void d3_decompose_sample(const struct work *w, struct convex *hull)
{
	uint32_t side = hull->triangles.count <= 3 * 48 ? 5 : 1;
	hull->lower = 0;
	hull->upper = INFINITY;
	hull->at = hull->centre;
	for (uint32_t i = 0; i < hull->triangles.count; i += 3) {
		struct d3_vec_d c[3];
		triangle_of(hull, i, c);
		for (uint32_t k = 0; k < side * side; ++k) {
			uint32_t row = k / side, column = k % side;
			double u = (row + 1.0 / 3) / side, v = (column + 1.0 / 3) / side;
			if (u + v >= 1)
				continue;
			struct d3_vec_d p = d3_mul_add_d(d3_mul_add_d(c[0], u, d3_sub_d(c[1], c[0])), v, d3_sub_d(c[2], c[0]));
			double out = d3_surface_distance(w->surface, p);
			if (out > hull->lower) {
				hull->lower = out;
				hull->at = p;
			}
		}
	}
}

bool d3_decompose_find_filled(struct work *w, const struct convex *hull, double error, bool *filled)
{
	struct plane *faces = face_planes(w, hull);
	if (!faces)
		return false;
	*filled = is_filled(w, hull, faces, error);
	memory_free(w->memory, faces, hull->triangles.count / 3 * sizeof *faces);
	return true;
}

bool d3_decompose_judge(struct work *w, struct convex *hull, bool *fits)
{
	*fits = false;
	d3_decompose_sample(w, hull);
	if (hull->lower > w->error || hull->triangles.count == 0)
		return true;
	if (hull->points.count > D3_HULL_MAX) {
		if (!d3_decompose_widen(w, hull))
			return false;
		d3_decompose_sample(w, hull);
		if (hull->lower > w->error)
			return true;
	}
	if (!d3_decompose_find_filled(w, hull, w->error, fits))
		return false;
	if (*fits)
		d3_decompose_measure(w, hull, w->error);
	*fits = hull->upper <= w->error;
	return true;
}

/* --- Cuts ----------------------------------------------------------------------------------------------------------------- */

/* Adds to out->corners the points inside the solid where the new plane intersects two old ones, in the cell. The point tested
 * is moved slightly towards the part's middle: if the solid's surface passes through a corner, the polygons have it already. */
static bool cell_corners(const struct work *w, const struct part *p, const struct plane *plane, struct part *out)
{
	struct d3_vec_d middle = {0, 0, 0};
	double nudge = nudge_tolerance * w->surface->size;
	if (out->points.count == 0)
		return true;
	for (uint32_t i = 0; i < out->points.count; ++i)
		middle = d3_mul_add_d(middle, 1.0 / out->points.count, out->points.data[i]);
	for (uint32_t i = 0; i < p->planes.count; ++i) {
		for (uint32_t j = i + 1; j < p->planes.count; ++j) {
			struct d3_vec_d c;
			bool inside = intersection(plane, &p->planes.data[i], &p->planes.data[j], &c);
			for (uint32_t k = 0; k < p->planes.count && inside; ++k)
				inside = d3_decompose_height(&p->planes.data[k], c) >= -w->snap;
			double distance = inside ? d3_length_d(d3_sub_d(middle, c)) : 0;
			if (!(distance > nudge))
				continue;
			if (!(d3_surface_distance(w->surface, d3_mul_add_d(c, nudge / distance, d3_sub_d(middle, c))) < 0))
				continue;
			if (!array_reserve(w->memory, &out->corners, out->corners.count + 1))
				return false;
			array_push(&out->corners, c);
		}
	}
	return true;
}

/* The point where the edge from a to b crosses the plane, with the same bits for both polygons at the edge. */
static struct d3_vec_d crossing(const struct part *p, uint32_t a, uint32_t b, double height_a, double height_b)
{
	if (a > b)
		return crossing(p, b, a, height_b, height_a);
	struct d3_vec_d from = p->points.data[a], to = p->points.data[b];
	return d3_mul_add_d(from, height_a / (height_a - height_b), d3_sub_d(to, from));
}

static double snapped(const struct work *w, double h)
{
	return fabs(h) <= w->snap ? 0 : h;
}

/* Whether the polygon has points above the plane. A polygon in the plane belongs to the side on which the solid is. */
static bool is_kept(const struct work *w, const struct part *p, const struct plane *plane, uint32_t polygon)
{
	bool flat = true;
	for (uint32_t i = p->starts.data[polygon]; i < p->starts.data[polygon + 1]; ++i) {
		double h = snapped(w, d3_decompose_height(plane, p->points.data[p->loops.data[i]]));
		if (h > 0)
			return true;
		flat = flat && h == 0;
	}
	return flat && d3_dot_d(w->surface->normals[p->sources.data[polygon]], plane->normal) < 0;
}

static void keep_polygon(
	const struct work *w, const struct part *p, const struct plane *plane, uint32_t polygon, struct part *out)
{
	uint32_t first = p->starts.data[polygon], count = p->starts.data[polygon + 1] - first;
	array_push(&out->sources, p->sources.data[polygon]);
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t a = p->loops.data[first + i], b = p->loops.data[first + (i + 1) % count];
		double ha = snapped(w, d3_decompose_height(plane, p->points.data[a]));
		double hb = snapped(w, d3_decompose_height(plane, p->points.data[b]));
		if (ha >= 0) {
			if (w->map.data[a] == UINT32_MAX) {
				w->map.data[a] = out->points.count;
				array_push(&out->points, p->points.data[a]);
			}
			array_push(&out->loops, w->map.data[a]);
		}
		if ((ha > 0 && hb < 0) || (ha < 0 && hb > 0)) {
			array_push(&out->loops, out->points.count);
			array_push(&out->points, crossing(p, a, b, ha, hb));
		}
	}
	array_push(&out->starts, out->loops.count);
}

bool d3_decompose_cut(struct work *w, const struct part *p, const struct plane *plane, struct part *out)
{
	uint32_t polygons = p->sources.count;
	out->points.count = out->loops.count = out->starts.count = out->sources.count = out->planes.count = out->corners.count = 0;
	if (!array_reserve(w->memory, &w->map, p->points.count) ||
		!array_reserve(w->memory, &out->points, p->points.count + 2 * polygons) ||
		!array_reserve(w->memory, &out->loops, p->loops.count + 2 * polygons) ||
		!array_reserve(w->memory, &out->starts, polygons + 1) || !array_reserve(w->memory, &out->sources, polygons) ||
		!array_reserve(w->memory, &out->planes, p->planes.count + 1) ||
		!array_reserve(w->memory, &out->corners, p->corners.count))
		return false;
	for (uint32_t i = 0; i < p->points.count; ++i)
		w->map.data[i] = UINT32_MAX;
	array_push(&out->starts, 0);
	for (uint32_t i = 0; i < polygons; ++i)
		if (is_kept(w, p, plane, i))
			keep_polygon(w, p, plane, i, out);
	for (uint32_t i = 0; i < p->corners.count; ++i)
		if (d3_decompose_height(plane, p->corners.data[i]) >= -w->snap)
			array_push(&out->corners, p->corners.data[i]);
	for (uint32_t i = 0; i < p->planes.count; ++i)
		array_push(&out->planes, p->planes.data[i]);
	array_push(&out->planes, *plane);
	return cell_corners(w, p, plane, out) && (out->points.count == 0 || d3_decompose_hull_of_part(w, out));
}

struct plane d3_decompose_opposite(const struct plane *plane)
{
	return (struct plane){d3_neg_d(plane->normal), -plane->offset};
}
