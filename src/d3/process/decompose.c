/* decompose.c - see decompose.h.
 * A part is the intersection of the solid with half-spaces. It needs no surface of its own where it was cut: its hull is that
 * of the clipped triangles and of the corners of the planes' cell that are inside the solid, because a corner of the part is
 * either on the solid's surface, or where three planes intersect. How far a hull sticks out is measured against the whole
 * solid's surface, which never changes. So nothing is capped, and there are no polygons with holes.
 *
 * Candidate cuts are planes through concave edges (both faces' planes and the bisecting one) and along the axes. The best
 * leaves the smallest sum of the hulls' volumes, which equals the part's volume exactly when both are convex. Sources of
 * cutting for the least concavity: Mamou and Ghorbel, "A simple and efficient approach for 3D mesh approximate convex
 * decomposition", 2009; Wei, Liu, Ling, Su, "Approximate Convex Decomposition for 3D Meshes with Collision-Aware Concavity and
 * Tree Search", 2022, which also has the condition on the inside. Both measure on samples; here the measure is a bound.
 * Pure, any thread. */
#include "d3/process/decompose.h"

#include "base/array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* normal . p >= offset is kept. */
struct plane {
	struct d3_vec_d normal; /* unit */
	double offset;
};

struct convex {
	ARRAY(struct d3_vec_d) points;
	ARRAY(uint32_t) triangles; /* 3 points each, counter-clockwise from outside; none: flat */
	struct d3_vec_d centre; /* inside */
	double volume, area;
	double lower, upper; /* bounds of how far it sticks out; upper is infinite where that is more than allowed */
	struct d3_vec_d at; /* a point that sticks out by `lower` */
};

struct part {
	ARRAY(struct d3_vec_d) points; /* of the polygons */
	/* polygons: points, the start of each in `loops`, and the triangle that it is a part of */
	ARRAY(uint32_t) loops, starts, sources;
	ARRAY(struct plane) planes;
	ARRAY(struct d3_vec_d) corners; /* of the planes' cell, inside the solid */
	struct convex hull;
	bool settled; /* near enough, or cannot be cut */
};

struct candidate {
	struct plane plane;
	double handicap; /* of its score */
};

struct reflex {
	double weight;
	uint32_t half; /* edge */
};

struct work {
	struct memory *memory;
	const struct d3_surface *surface;
	double error;
	double snap; /* points closer to a plane lie on it; covers only rounding errors [length] */
	ARRAY(struct d3_vec_d) cloud;
	ARRAY(uint32_t) map;
	ARRAY(struct reflex) reflexes;
	ARRAY(struct candidate) candidates;
};

/* Relative to the solid's size. Crossings of edges with planes are off by some 1e-16 of it. */
static const double snap_tolerance = 1e-10;
/* How far from a corner of the cell the part's presence is tested, relative to the solid's size. */
static const double nudge_tolerance = 1e-7;
/* A hull thinner than this fraction of its extent is not cut off; d3.hull would refuse one below 1e-5. */
static const double thin_tolerance = 1e-4;

/* Of equally good cuts, one along a concave edge's face is preferred, as it makes progress: the others may halve something for
 * ever. Of two such cuts, the one into more equal halves is. */
static const double balance_weight = 1e-3, mitre_handicap = 2e-3, axis_handicap = 3e-3;

static double coordinate(const struct d3_vec_d *p, int axis)
{
	return axis == 0 ? p->x : axis == 1 ? p->y : p->z;
}

static double height(const struct plane *plane, struct d3_vec_d p)
{
	return d3_dot_d(plane->normal, p) - plane->offset;
}

static void convex_free(struct work *w, struct convex *c)
{
	array_free(w->memory, &c->points);
	array_free(w->memory, &c->triangles);
}

static void part_free(struct work *w, struct part *p)
{
	array_free(w->memory, &p->points);
	array_free(w->memory, &p->loops);
	array_free(w->memory, &p->starts);
	array_free(w->memory, &p->sources);
	array_free(w->memory, &p->planes);
	array_free(w->memory, &p->corners);
	convex_free(w, &p->hull);
}

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

/* The hull of w->cloud. */
static bool hull_of_cloud(struct work *w, struct convex *out)
{
	uint32_t *corners, corner_count, *triangles, triangle_count;
	out->points.count = out->triangles.count = 0;
	if (!array_reserve(w->memory, &w->map, w->cloud.count) ||
		!d3_hull_corners(w->memory, w->cloud.data, w->cloud.count, &corners, &corner_count, &triangles, &triangle_count))
		return false;
	bool ok =
		array_reserve(w->memory, &out->points, corner_count) && array_reserve(w->memory, &out->triangles, 3 * triangle_count);
	for (uint32_t i = 0; ok && i < corner_count; ++i) {
		w->map.data[corners[i]] = i;
		array_push(&out->points, w->cloud.data[corners[i]]);
	}
	for (uint32_t i = 0; ok && i < 3 * triangle_count; ++i)
		array_push(&out->triangles, w->map.data[triangles[i]]);
	memory_resize(w->memory, corners, corner_count * sizeof *corners, 0);
	memory_resize(w->memory, triangles, 3 * triangle_count * sizeof *triangles, 0);
	if (ok)
		measure_volume(out);
	return ok;
}

static bool hull_of_part(struct work *w, struct part *p)
{
	if (!array_reserve(w->memory, &w->cloud, p->points.count + p->corners.count))
		return false;
	w->cloud.count = 0;
	for (uint32_t i = 0; i < p->points.count; ++i)
		array_push(&w->cloud, p->points.data[i]);
	for (uint32_t i = 0; i < p->corners.count; ++i)
		array_push(&w->cloud, p->corners.data[i]);
	return hull_of_cloud(w, &p->hull);
}

static double extent_of(const struct convex *c)
{
	double extent = 0;
	for (int axis = 0; axis < 3; ++axis) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = 0; i < c->points.count; ++i) {
			low = min_d(low, coordinate(&c->points.data[i], axis));
			high = max_d(high, coordinate(&c->points.data[i], axis));
		}
		extent = max_d(extent, high - low);
	}
	return extent;
}

/* The largest ball in a convex body has a radius of at most 3 volume / area, and at least a third of that. */
static bool is_thin(const struct convex *c)
{
	return c->triangles.count == 0 || !(3 * c->volume > thin_tolerance * extent_of(c) * c->area);
}

static struct plane face_plane(const struct convex *c, uint32_t triangle)
{
	const uint32_t *t = c->triangles.data + 3 * (size_t)triangle;
	struct d3_vec_d a = c->points.data[t[0]];
	struct d3_vec_d n = d3_cross_d(d3_sub_d(c->points.data[t[1]], a), d3_sub_d(c->points.data[t[2]], a));
	double length = d3_length_d(n);
	n = length > 0 ? d3_scale_d(1 / length, n) : (struct d3_vec_d){0, 0, 0};
	return (struct plane){n, d3_dot_d(n, a)};
}

/* --- Fewer corners -------------------------------------------------------------------------------------------------------- */

static bool meeting_point(const struct plane *a, const struct plane *b, const struct plane *c, struct d3_vec_d *out)
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

/* Puts the corners of the polytope below all planes into the cloud. They are the faces of the hull of the dual points n /
 * offset, relative to the centre, which is below all planes. */
static bool corners_below(
	struct work *w, const struct plane *planes, uint32_t count, struct d3_vec_d centre, struct convex *dual)
{
	if (!array_reserve(w->memory, &w->cloud, count))
		return false;
	w->cloud.count = 0;
	for (uint32_t i = 0; i < count; ++i)
		array_push(&w->cloud, d3_scale_d(-1 / height(&planes[i], centre), planes[i].normal));
	if (!hull_of_cloud(w, dual) || !array_reserve(w->memory, &w->cloud, dual->triangles.count / 3))
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
		if (meeting_point(&face[0], &face[1], &face[2], &p))
			array_push(&w->cloud, d3_add_d(p, centre));
	}
	return true;
}

/* For each of the polytope's corners in the cloud, finds the hull plane that cuts off most, and adds the worst few of these.
 * Returns how far the corners stick out. */
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
			double h = height(&faces[k], w->cloud.data[i]);
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

/* A polytope around the hull, of D3_HULL_MAX corners at most. Starts with the six planes along the axes, then repeatedly adds
 * those of the hull's faces that cut off most of its corners. */
static bool widen(struct work *w, struct convex *hull)
{
	enum { PLANES = D3_HULL_MAX / 2 + 16 };
	struct plane planes[PLANES];
	uint32_t count = 0, face_count = hull->triangles.count / 3;
	struct convex dual = {.volume = 0}, next = {.volume = 0}, best = {.volume = 0};
	struct plane *faces = memory_resize(w->memory, NULL, 0, face_count * sizeof *faces);
	bool ok = faces != NULL;
	for (uint32_t i = 0; ok && i < face_count; ++i)
		faces[i] = face_plane(hull, i);
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
		ok = ok && hull_of_cloud(w, &next);
		if (!ok || next.points.count > D3_HULL_MAX)
			break;
		struct convex swap = best;
		best = next;
		next = swap;
		if (worst <= w->error / 32)
			break;
	}
	memory_resize(w->memory, faces, faces ? face_count * sizeof *faces : 0, 0);
	convex_free(w, &dual);
	convex_free(w, &next);
	if (ok && best.triangles.count > 0) {
		convex_free(w, hull);
		*hull = best;
	} else {
		convex_free(w, &best);
	}
	return ok;
}

/* --- How far a hull sticks out -------------------------------------------------------------------------------------------- */

/* The least depth below any of the faces. Ends early below `stop`. */
static double depth_of(const struct plane *faces, uint32_t face_count, struct d3_vec_d p, double stop)
{
	double depth = INFINITY;
	for (uint32_t i = 0; i < face_count && depth >= stop; ++i)
		depth = min_d(depth, -height(&faces[i], p));
	return depth;
}

/* Whether triangle t may have a point deeper than `depth` in the hull. It has none if all its corners are above that depth
 * below one face. */
static bool reaches(const struct work *w, const struct plane *faces, uint32_t face_count, uint32_t t, double depth)
{
	for (uint32_t i = 0; i < face_count; ++i) {
		bool above = true;
		for (uint32_t k = 0; k < 3 && above; ++k)
			above = -height(&faces[i], w->surface->vertices[w->surface->indices[3 * (size_t)t + k]]) <= depth;
		if (above)
			return false;
	}
	return true;
}

/* Whether every point deeper than `error` in the hull is at most twice that outside the solid. Shallower points are near the
 * hull's surface, which is near the solid. If no triangle reaches that deep, the deep region is all inside the solid, or all
 * outside. Otherwise cubes are tested and cut in eight: the distance changes no faster than the position. */
static bool is_filled(const struct work *w, const struct convex *hull, const struct plane *faces, double error)
{
	enum { CUBES = 4000, LEVELS = 24 };
	uint32_t face_count = hull->triangles.count / 3, triangle, depth = 0, left = CUBES;
	bool reached = false;
	struct d3_vec_d at;
	struct {
		struct d3_vec_d centre;
		double half;
		int level;
	} stack[7 * LEVELS + 8];
	double extent = extent_of(hull);
	for (uint32_t t = 0; t < w->surface->triangle_count && !reached; ++t)
		reached = reaches(w, faces, face_count, t, error);
	if (!reached && depth_of(faces, face_count, hull->centre, error) > error)
		return d3_surface_distance(w->surface, hull->centre, &triangle, &at) < 0;
	/* First only coarse cubes, which find wide openings. */
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
			double out = d3_surface_distance(w->surface, c, &triangle, &at);
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

/* Sets lower and upper, upper only where it is at most `goal`. */
static void measure(const struct work *w, struct convex *hull, double goal)
{
	struct d3_deviation deviation = {.budget = 100000, .at = hull->centre};
	double precision = min_d(goal, max_d(w->error, hull->lower)) / 8;
	hull->upper = INFINITY;
	for (uint32_t i = 0; i < hull->triangles.count; i += 3) {
		struct d3_vec_d c[3];
		for (uint32_t k = 0; k < 3; ++k)
			c[k] = hull->points.data[hull->triangles.data[i + k]];
		bool near = d3_surface_deviation(w->surface, c, &hull->centre, goal, precision, &deviation);
		hull->lower = deviation.lower;
		hull->at = deviation.at;
		if (!near)
			return;
	}
	hull->upper = deviation.upper;
}

/* Finds the sampled point of the faces that sticks out most: enough to reject a hull, and to tell where. Small hulls have large
 * faces, so these get more samples. */
static void glance(const struct work *w, struct convex *hull)
{
	uint32_t side = hull->triangles.count <= 3 * 48 ? 5 : 1;
	hull->lower = 0;
	hull->upper = INFINITY;
	hull->at = hull->centre;
	for (uint32_t i = 0; i < hull->triangles.count; i += 3) {
		struct d3_vec_d c[3], at;
		uint32_t triangle;
		for (uint32_t k = 0; k < 3; ++k)
			c[k] = hull->points.data[hull->triangles.data[i + k]];
		for (uint32_t k = 0; k < side * side; ++k) {
			uint32_t row = k / side, column = k % side;
			double u = (row + 1.0 / 3) / side, v = (column + 1.0 / 3) / side;
			if (u + v >= 1)
				continue;
			struct d3_vec_d p = d3_mul_add_d(d3_mul_add_d(c[0], u, d3_sub_d(c[1], c[0])), v, d3_sub_d(c[2], c[0]));
			double out = d3_surface_distance(w->surface, p, &triangle, &at);
			if (out > hull->lower) {
				hull->lower = out;
				hull->at = p;
			}
		}
	}
}

/* is_filled. False: out of memory. */
static bool look_inside(struct work *w, const struct convex *hull, double error, bool *filled)
{
	uint32_t face_count = hull->triangles.count / 3;
	struct plane *faces = memory_resize(w->memory, NULL, 0, face_count * sizeof *faces);
	if (!faces)
		return false;
	for (uint32_t i = 0; i < face_count; ++i)
		faces[i] = face_plane(hull, i);
	*filled = is_filled(w, hull, faces, error);
	memory_resize(w->memory, faces, face_count * sizeof *faces, 0);
	return true;
}

/* Makes a piece of the hull. *fits: it sticks out by at most the error and has few enough corners. False: out of memory. */
static bool judge(struct work *w, struct convex *hull, bool *fits)
{
	*fits = false;
	glance(w, hull);
	if (hull->lower > w->error || hull->triangles.count == 0)
		return true;
	if (hull->points.count > D3_HULL_MAX) {
		if (!widen(w, hull))
			return false;
		glance(w, hull);
		if (hull->lower > w->error)
			return true;
	}
	if (!look_inside(w, hull, w->error, fits))
		return false;
	if (*fits)
		measure(w, hull, w->error);
	*fits = hull->upper <= w->error;
	return true;
}

/* --- Cuts ----------------------------------------------------------------------------------------------------------------- */

/* Adds the corners of the new plane with two old ones. Whether the part exists there is tested slightly towards its middle:
 * where the solid's surface passes through a corner, the polygons contain it already. */
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
			struct d3_vec_d c, at;
			uint32_t triangle;
			bool inside = meeting_point(plane, &p->planes.data[i], &p->planes.data[j], &c);
			for (uint32_t k = 0; k < p->planes.count && inside; ++k)
				inside = height(&p->planes.data[k], c) >= -w->snap;
			double distance = inside ? d3_length_d(d3_sub_d(middle, c)) : 0;
			if (!(distance > nudge))
				continue;
			if (!(d3_surface_distance(w->surface, d3_mul_add_d(c, nudge / distance, d3_sub_d(middle, c)), &triangle, &at) < 0))
				continue;
			if (!array_reserve(w->memory, &out->corners, out->corners.count + 1))
				return false;
			array_push(&out->corners, c);
		}
	}
	return true;
}

/* Gives both polygons at an edge the same bits. */
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

/* A polygon in the plane belongs to the side on which the solid is. */
static bool is_kept(const struct work *w, const struct part *p, const struct plane *plane, uint32_t polygon)
{
	bool flat = true;
	for (uint32_t i = p->starts.data[polygon]; i < p->starts.data[polygon + 1]; ++i) {
		double h = snapped(w, height(plane, p->points.data[p->loops.data[i]]));
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
		double ha = snapped(w, height(plane, p->points.data[a])), hb = snapped(w, height(plane, p->points.data[b]));
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

/* The part above the plane; *out is empty or reused. A convex polygon gains at most one corner, and two new points. */
static bool cut(struct work *w, const struct part *p, const struct plane *plane, struct part *out)
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
		if (height(plane, p->corners.data[i]) >= -w->snap)
			array_push(&out->corners, p->corners.data[i]);
	for (uint32_t i = 0; i < p->planes.count; ++i)
		array_push(&out->planes, p->planes.data[i]);
	array_push(&out->planes, *plane);
	return cell_corners(w, p, plane, out) && (out->points.count == 0 || hull_of_part(w, out));
}

static struct plane opposite(const struct plane *plane)
{
	return (struct plane){d3_neg_d(plane->normal), -plane->offset};
}

/* --- Candidates ----------------------------------------------------------------------------------------------------------- */

/* The length of the edge strictly inside the part's cell. */
static double length_within(const struct work *w, const struct part *p, struct d3_vec_d a, struct d3_vec_d b)
{
	double from = 0, to = 1, within = 16 * w->snap;
	for (uint32_t i = 0; i < p->planes.count; ++i) {
		double ha = height(&p->planes.data[i], a) - within, hb = height(&p->planes.data[i], b) - within;
		if (ha <= 0 && hb <= 0)
			return 0;
		if (ha < 0)
			from = max_d(from, ha / (ha - hb));
		if (hb < 0)
			to = min_d(to, ha / (ha - hb));
	}
	return to > from ? (to - from) * d3_length_d(d3_sub_d(b, a)) : 0;
}

static int compare_reflexes(const void *a, const void *b)
{
	const struct reflex *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return (x->half > y->half) - (x->half < y->half);
}

/* Concave edges of the part, longest and sharpest first. */
static bool find_reflexes(struct work *w, const struct part *p)
{
	const struct d3_surface *s = w->surface;
	w->reflexes.count = 0;
	if (!array_reserve(w->memory, &w->reflexes, 3 * p->sources.count))
		return false;
	for (uint32_t i = 0; i < p->sources.count; ++i) {
		uint32_t t = p->sources.data[i];
		for (uint32_t half = 3 * t; half < 3 * t + 3; ++half) {
			uint32_t twin = s->twins[half], other = twin % 3 == 0 ? twin + 2 : twin - 1;
			if (twin < half)
				continue;
			struct d3_vec_d a = s->vertices[s->indices[half]], b = s->vertices[s->indices[twin]];
			double sharp = 1 - d3_dot_d(s->normals[t], s->normals[twin / 3]);
			if (d3_dot_d(s->normals[t], d3_sub_d(s->vertices[s->indices[other]], a)) <= w->snap || !(sharp > 1e-12))
				continue;
			double length = length_within(w, p, a, b);
			if (length > w->snap)
				array_push(&w->reflexes, (struct reflex){length * sqrt(sharp), half});
		}
	}
	qsort(w->reflexes.data, w->reflexes.count, sizeof *w->reflexes.data, compare_reflexes);
	return true;
}

enum { EDGE_CANDIDATES = 24, CANDIDATES = EDGE_CANDIDATES + 16 };

/* Unless there is a nearly equal one. */
static void add_candidate(struct work *w, struct d3_vec_d normal, struct d3_vec_d through, double extent, double handicap)
{
	double length = d3_length_d(normal);
	if (!(length > 0) || w->candidates.count == CANDIDATES)
		return;
	normal = d3_scale_d(1 / length, normal);
	for (uint32_t i = 0; i < w->candidates.count; ++i) {
		const struct plane *other = &w->candidates.data[i].plane;
		if (fabs(d3_dot_d(normal, other->normal)) > 0.9995 && fabs(height(other, through)) < 0.01 * extent)
			return;
	}
	array_push(&w->candidates, (struct candidate){{normal, d3_dot_d(normal, through)}, handicap});
}

static bool find_candidates(struct work *w, const struct part *p)
{
	static const struct d3_vec_d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	const struct d3_surface *s = w->surface;
	double extent = extent_of(&p->hull);
	w->candidates.count = 0;
	if (!find_reflexes(w, p) || !array_reserve(w->memory, &w->candidates, CANDIDATES))
		return false;
	for (uint32_t i = 0; i < w->reflexes.count && w->candidates.count < EDGE_CANDIDATES - 2; ++i) {
		uint32_t half = w->reflexes.data[i].half, twin = s->twins[half];
		struct d3_vec_d a = s->vertices[s->indices[half]], m = s->normals[half / 3], n = s->normals[twin / 3];
		add_candidate(w, m, a, extent, 0);
		add_candidate(w, n, a, extent, 0);
		add_candidate(w, d3_sub_d(m, n), a, extent, mitre_handicap);
	}
	struct d3_vec_d near;
	uint32_t triangle;
	d3_surface_nearest(s, p->hull.at, &triangle, &near);
	for (int axis = 0; axis < 3; ++axis) {
		double low = INFINITY, high = -INFINITY;
		for (uint32_t i = 0; i < p->hull.points.count; ++i) {
			low = min_d(low, coordinate(&p->hull.points.data[i], axis));
			high = max_d(high, coordinate(&p->hull.points.data[i], axis));
		}
		for (int i = 2; i <= 6; i += 2)
			add_candidate(w, axes[axis],
				d3_scale_d(low +
						(high - low) *
							(i == 2          ? 4
									: i == 4 ? 2
											 : 6) /
							8,
					axes[axis]),
				extent, axis_handicap);
		add_candidate(w, axes[axis], near, extent, axis_handicap);
	}
	return true;
}

/* Cuts at the candidate with the best score. *found: there is one. */
static bool best_cut(struct work *w, const struct part *p, struct part *above, struct part *below, bool *found)
{
	double best = INFINITY;
	struct plane chosen = {{0, 0, 0}, 0};
	*found = false;
	if (!find_candidates(w, p))
		return false;
	for (uint32_t i = 0; i < w->candidates.count; ++i) {
		struct plane plane = w->candidates.data[i].plane, other = opposite(&plane);
		if (!cut(w, p, &plane, above))
			return false;
		if (above->points.count == 0 || is_thin(&above->hull))
			continue;
		if (!cut(w, p, &other, below))
			return false;
		if (below->points.count == 0 || is_thin(&below->hull))
			continue;
		double sum = above->hull.volume + below->hull.volume;
		double score =
			sum * (1 + w->candidates.data[i].handicap) + balance_weight * fabs(above->hull.volume - below->hull.volume);
		if (score < best * (1 - 1e-9)) {
			best = score;
			chosen = plane;
			*found = true;
		}
	}
	if (!*found)
		return true;
	struct plane other = opposite(&chosen);
	return cut(w, p, &chosen, above) && cut(w, p, &other, below);
}

/* --- Parts ---------------------------------------------------------------------------------------------------------------- */

static bool whole(struct work *w, struct part *out)
{
	const struct d3_surface *s = w->surface;
	uint32_t n = s->triangle_count;
	if (!array_reserve(w->memory, &out->points, s->vertex_count) || !array_reserve(w->memory, &out->loops, 3 * n) ||
		!array_reserve(w->memory, &out->starts, n + 1) || !array_reserve(w->memory, &out->sources, n) ||
		!array_reserve(w->memory, &w->map, s->vertex_count))
		return false;
	for (uint32_t i = 0; i < s->vertex_count; ++i)
		w->map.data[i] = UINT32_MAX;
	for (uint32_t i = 0; i < 3 * n; ++i) {
		uint32_t v = s->indices[i];
		assert(v < s->vertex_count);
		if (i % 3 == 0)
			array_push(&out->starts, i);
		if (i % 3 == 0)
			array_push(&out->sources, i / 3);
		if (w->map.data[v] == UINT32_MAX) {
			w->map.data[v] = out->points.count;
			array_push(&out->points, s->vertices[v]);
		}
		array_push(&out->loops, w->map.data[v]);
	}
	array_push(&out->starts, 3 * n);
	return hull_of_part(w, out);
}

/* Cuts the part that sticks out most, until none sticks out too far, or there are `most`. */
static bool cut_all(struct work *w, struct part *parts, uint32_t *count, uint32_t most)
{
	while (*count < most) {
		uint32_t worst = *count;
		for (uint32_t i = 0; i < *count; ++i)
			if (!parts[i].settled && (worst == *count || parts[i].hull.lower > parts[worst].hull.lower))
				worst = i;
		if (worst == *count)
			return true;
		bool found;
		struct part above = {.settled = false}, below = {.settled = false};
		bool ok = best_cut(w, &parts[worst], &above, &below, &found);
		if (ok && found)
			ok = judge(w, &above.hull, &above.settled) && judge(w, &below.hull, &below.settled);
		if (!ok || !found) {
			part_free(w, &above);
			part_free(w, &below);
			parts[worst].settled = true;
			if (!ok)
				return false;
			continue;
		}
		part_free(w, &parts[worst]);
		parts[worst] = above;
		parts[(*count)++] = below;
	}
	return true;
}

/* Measures a piece that is not good enough. If the inside cannot be proved: no point of it is farther from the hull's surface
 * than the radius of the largest ball that a convex body of that volume and area can hold, and the inside counts half. */
static bool finish(struct work *w, struct convex *hull)
{
	bool filled;
	if (hull->upper <= w->error)
		return true;
	if (hull->points.count > D3_HULL_MAX && !widen(w, hull))
		return false;
	measure(w, hull, INFINITY);
	hull->upper = max_d(hull->upper, w->error);
	if (!look_inside(w, hull, hull->upper, &filled))
		return false;
	if (!filled)
		hull->upper = max_d(hull->upper, (hull->upper + 3 * hull->volume / hull->area) / 2);
	return true;
}

/* --- Joining -------------------------------------------------------------------------------------------------------------- */

static bool is_near(const struct convex *a, const struct convex *b, double distance)
{
	for (int axis = 0; axis < 3; ++axis) {
		double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
		for (int k = 0; k < 2; ++k) {
			const struct convex *c = k ? b : a;
			for (uint32_t i = 0; i < c->points.count; ++i) {
				low[k] = min_d(low[k], coordinate(&c->points.data[i], axis));
				high[k] = max_d(high[k], coordinate(&c->points.data[i], axis));
			}
		}
		if (low[0] > high[1] + distance || low[1] > high[0] + distance)
			return false;
	}
	return true;
}

static bool joined(struct work *w, const struct convex *a, const struct convex *b, struct convex *out)
{
	if (!array_reserve(w->memory, &w->cloud, a->points.count + b->points.count))
		return false;
	w->cloud.count = 0;
	for (uint32_t i = 0; i < a->points.count; ++i)
		array_push(&w->cloud, a->points.data[i]);
	for (uint32_t i = 0; i < b->points.count; ++i)
		array_push(&w->cloud, b->points.data[i]);
	return hull_of_cloud(w, out);
}

/* Whether the common hull may fit, from points that are surely in it, without building it. */
static bool may_join(const struct work *w, const struct convex *a, const struct convex *b)
{
	enum { TRIES = 24 };
	for (uint32_t i = 0; i < TRIES; ++i) {
		struct d3_vec_d p = a->points.data[i * 7 % a->points.count], q = b->points.data[i * 5 % b->points.count], at;
		uint32_t triangle;
		p = i == 0 ? a->centre : p;
		q = i == 0 ? b->centre : q;
		if (d3_surface_distance(w->surface, d3_scale_d(0.5, d3_add_d(p, q)), &triangle, &at) > 2 * w->error)
			return false;
	}
	return true;
}

/* costs[i n + j], i < j: the volume of the common hull beyond both of theirs; infinite: not to be joined. */
static bool find_cost(
	struct work *w, const struct convex *a, const struct convex *b, bool near, struct convex *scratch, float *cost)
{
	*cost = INFINITY;
	if ((near && !is_near(a, b, w->error)) || !may_join(w, a, b))
		return true;
	if (!joined(w, a, b, scratch))
		return false;
	glance(w, scratch);
	if (scratch->lower <= w->error)
		*cost = (float)(scratch->volume - a->volume - b->volume);
	return true;
}

/* Joins pairs, cheapest first, while their common hull sticks out by at most the error; opposite arms of a cross, too, unless
 * there are many pieces. Pieces that were merged into others are left empty. */
static bool join_all(struct work *w, struct convex *pieces, uint32_t n, float *costs, struct convex *scratch)
{
	enum { FEW = 64 };
	bool ok = true;
	for (uint32_t i = 0; ok && i < n; ++i)
		for (uint32_t j = i + 1; ok && j < n; ++j)
			ok = find_cost(w, &pieces[i], &pieces[j], n > FEW, scratch, &costs[i * (size_t)n + j]);
	while (ok) {
		uint32_t a = 0, b = 0;
		float best = INFINITY;
		for (uint32_t i = 0; i < n; ++i)
			for (uint32_t j = i + 1; j < n; ++j)
				if (pieces[i].points.count && pieces[j].points.count && costs[i * (size_t)n + j] < best) {
					best = costs[i * (size_t)n + j];
					a = i;
					b = j;
				}
		if (best == INFINITY)
			break;
		bool fits;
		if (!joined(w, &pieces[a], &pieces[b], scratch) || !judge(w, scratch, &fits))
			return false;
		costs[a * (size_t)n + b] = INFINITY;
		if (!fits)
			continue;
		struct convex swap = pieces[a];
		pieces[a] = *scratch;
		*scratch = swap;
		convex_free(w, &pieces[b]);
		for (uint32_t i = 0; ok && i < n; ++i)
			if (i != a && pieces[i].points.count)
				ok = find_cost(
					w, &pieces[a], &pieces[i], n > FEW, scratch, &costs[i < a ? i * (size_t)n + a : a * (size_t)n + i]);
	}
	return ok;
}

/* --- The whole decomposition ---------------------------------------------------------------------------------------------- */

static bool join_parts(struct work *w, struct part *parts, uint32_t count)
{
	struct convex scratch = {.volume = 0};
	struct convex *pieces = memory_resize(w->memory, NULL, 0, count * sizeof *pieces);
	float *costs = memory_resize(w->memory, NULL, 0, (size_t)count * count * sizeof *costs);
	bool ok = pieces && costs;
	for (uint32_t i = 0; ok && i < count; ++i)
		pieces[i] = parts[i].hull;
	bool moved = ok;
	ok = ok && join_all(w, pieces, count, costs, &scratch);
	for (uint32_t i = 0; moved && i < count; ++i)
		parts[i].hull = pieces[i];
	memory_resize(w->memory, pieces, pieces ? count * sizeof *pieces : 0, 0);
	memory_resize(w->memory, costs, costs ? (size_t)count * count * sizeof *costs : 0, 0);
	convex_free(w, &scratch);
	return ok;
}

/* False: out of memory, with nothing left allocated in *out. */
static bool hand_over(struct work *w, struct part *parts, uint32_t count, struct d3_pieces *out)
{
	uint32_t points = 0, pieces = 0;
	double error = 0;
	for (uint32_t i = 0; i < count; ++i) {
		if (parts[i].hull.points.count == 0)
			continue;
		if (!finish(w, &parts[i].hull))
			return false;
		points += parts[i].hull.points.count;
		error = max_d(error, parts[i].hull.upper);
		++pieces;
	}
	*out = (struct d3_pieces){.memory = w->memory, .count = pieces, .point_count = points, .error = error};
	out->start = memory_resize(w->memory, NULL, 0, (pieces + (size_t)1) * sizeof *out->start);
	out->points = memory_resize(w->memory, NULL, 0, points * sizeof *out->points);
	if (!out->start || !out->points) {
		d3_pieces_free(out);
		return false;
	}
	pieces = points = 0;
	for (uint32_t i = 0; i < count; ++i) {
		const struct convex *hull = &parts[i].hull;
		if (hull->points.count == 0)
			continue;
		out->start[pieces++] = points;
		memcpy(out->points + points, hull->points.data, hull->points.count * sizeof *out->points);
		points += hull->points.count;
	}
	out->start[pieces] = points;
	return true;
}

static bool run(struct work *w, uint32_t most, struct d3_pieces *out)
{
	uint32_t count = 1;
	struct part *parts = memory_zeroed(w->memory, most * sizeof *parts);
	bool ok = parts && whole(w, parts) && judge(w, &parts[0].hull, &parts[0].settled) && cut_all(w, parts, &count, most) &&
		join_parts(w, parts, count) && hand_over(w, parts, count, out);
	for (uint32_t i = 0; parts && i < count; ++i)
		part_free(w, &parts[i]);
	memory_resize(w->memory, parts, parts ? most * sizeof *parts : 0, 0);
	array_free(w->memory, &w->cloud);
	array_free(w->memory, &w->map);
	array_free(w->memory, &w->reflexes);
	array_free(w->memory, &w->candidates);
	return ok;
}

enum d3_surface_result d3_decompose(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, double error, uint32_t most, struct d3_pieces *out)
{
	struct d3_surface surface;
	size_t count = 3 * (size_t)triangle_count, bytes = vertex_count * sizeof(uint32_t);
	uint32_t *welded = NULL, *same = NULL;
	*out = (struct d3_pieces){.memory = memory};
	enum d3_surface_result result =
		d3_surface_create(memory, vertices, vertex_count, indices, triangle_count, true, &surface, out->where);
	if (result == D3_SURFACE_OPEN || result == D3_SURFACE_CROWDED || result == D3_SURFACE_TWISTED) {
		/* Render meshes repeat a vertex for each of its normals. */
		welded = memory_resize(memory, NULL, 0, count * sizeof *welded);
		same = memory_resize(memory, NULL, 0, bytes);
		if (welded && same && d3_surface_weld(memory, vertices, vertex_count, same)) {
			for (size_t i = 0; i < count; ++i)
				welded[i] = same[indices[i]];
			result = d3_surface_create(memory, vertices, vertex_count, welded, triangle_count, true, &surface, out->where);
		} else {
			result = D3_SURFACE_OUT_OF_MEMORY;
		}
	}
	if (result == D3_SURFACE_OK) {
		struct work work = {.memory = memory,
			.surface = &surface,
			.error = max_d(error, 1e-8 * surface.size),
			.snap = snap_tolerance * surface.size};
		if (!run(&work, most, out))
			result = D3_SURFACE_OUT_OF_MEMORY;
		d3_surface_free(&surface);
	}
	memory_resize(memory, same, same ? bytes : 0, 0);
	memory_resize(memory, welded, welded ? count * sizeof *welded : 0, 0);
	return result;
}

void d3_pieces_free(struct d3_pieces *pieces)
{
	memory_resize(pieces->memory, pieces->start, pieces->start ? (pieces->count + (size_t)1) * sizeof *pieces->start : 0, 0);
	memory_resize(pieces->memory, pieces->points, pieces->points ? pieces->point_count * sizeof *pieces->points : 0, 0);
}
