/* simplify_bounds.c - the bounds of simplification: the map from old to new triangles, and measured distances. See
 * simplify.c. */
#include "d3/process/simplify_parts.h"

#include <stdlib.h>
#include <string.h>

/* --- The map -------------------------------------------------------------------------------------------------------------- */

/* A triangle whose height, seen along the normal, is below this fraction of its longest side is degenerate. */
static const double thin_tolerance = 1e-7;

struct d3_vec_d d3_simplify_area_normal(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c)
{
	return d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a));
}

static bool faces(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, struct d3_vec_d normal)
{
	struct d3_vec_d u = d3_sub_d(b, a), v = d3_sub_d(c, a), x = d3_sub_d(c, b);
	double longest = max_d(max_d(d3_dot_d(u, u), d3_dot_d(v, v)), d3_dot_d(x, x));
	return d3_dot_d(d3_cross_d(u, v), normal) > thin_tolerance * longest;
}

bool d3_simplify_faces_agree(const struct work *w, struct star *star)
{
	struct d3_vec_d u = w->p[star->vertex], sum = {0, 0, 0};
	for (uint32_t i = 0; i < star->count; ++i)
		sum = d3_add_d(sum, d3_simplify_area_normal(u, w->p[star->ring[i]], w->p[star->ring[i + 1]]));
	double length = d3_length_d(sum);
	if (!(length > 0))
		return false;
	star->normal = d3_scale_d(1 / length, sum);
	for (uint32_t i = 0; i < star->count; ++i)
		if (!faces(u, w->p[star->ring[i]], w->p[star->ring[i + 1]], star->normal))
			return false;
	for (uint32_t i = 0; i < star->fan_count; ++i) {
		struct d3_vec_d c[3];
		d3_simplify_fan_corners(w, star, i, c);
		if (!faces(c[0], c[1], c[2], star->normal) ||
			!(d3_dot_d(d3_simplify_area_normal(u, c[1], c[2]), d3_simplify_area_normal(c[0], c[1], c[2])) > 0))
			return false;
	}
	struct d3_vec_d n = star->normal, side = fabs(n.x) < 0.6 ? (struct d3_vec_d){1, 0, 0} : (struct d3_vec_d){0, 1, 0};
	side = d3_cross_d(n, side);
	star->u = d3_scale_d(1 / d3_length_d(side), side);
	star->v = d3_cross_d(n, star->u);
	return true;
}

/* Coordinates of p in the map's plane (x, y), and height above it (z), relative to `origin`. */
static struct d3_vec_d seen(const struct star *star, struct d3_vec_d origin, struct d3_vec_d p)
{
	struct d3_vec_d d = d3_sub_d(p, origin);
	return (struct d3_vec_d){d3_dot_d(star->u, d), d3_dot_d(star->v, d), d3_dot_d(star->normal, d)};
}

/* The distance along the normal from the removed vertex, here the origin, to the new triangles; INFINITY: none is there. */
static double vertex_moves(const struct work *w, const struct star *star, struct d3_vec_d origin)
{
	double moves = INFINITY;
	for (uint32_t i = 0; i < star->fan_count; ++i) {
		struct d3_vec_d c[3];
		double weights[3], sum = 0, height = 0, least = 0;
		d3_simplify_fan_corners(w, star, i, c);
		for (int k = 0; k < 3; ++k)
			c[k] = seen(star, origin, c[k]);
		for (int k = 0; k < 3; ++k) {
			weights[k] = c[(k + 1) % 3].x * c[(k + 2) % 3].y - c[(k + 1) % 3].y * c[(k + 2) % 3].x;
			sum += weights[k];
			height += weights[k] * c[k].z;
			least = min_d(least, weights[k]);
		}
		if (sum > 0 && least >= -1e-9 * sum)
			moves = min_d(moves, fabs(height / sum));
	}
	return moves;
}

/* The difference in height where an old edge, from the origin to a, and a new one, from b to c, cross in the plane; 0: they do
 * not. */
static double crossing_moves(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c)
{
	double dx = c.x - b.x, dy = c.y - b.y, det = a.x * dy - a.y * dx;
	if (!(fabs(det) > 0))
		return 0;
	double s = (b.x * dy - b.y * dx) / det, t = (b.x * a.y - b.y * a.x) / det;
	if (!(s > 0 && s < 1 && t > 0 && t < 1))
		return 0;
	return fabs(s * a.z - (b.z + t * (c.z - b.z)));
}

void d3_simplify_find_map(const struct work *w, struct star *star)
{
	struct d3_vec_d origin = w->p[star->vertex], target = seen(star, origin, w->p[star->target]);
	star->moves = INFINITY;
	if (!star->closed && !(d3_segment_distance_d(origin, w->p[star->ring[0]], w->p[star->ring[star->count]]) <= w->slack))
		return;
	double moves = vertex_moves(w, star, origin);
	for (uint32_t i = 0; i <= star->count - star->closed; ++i) {
		struct d3_vec_d a = seen(star, origin, w->p[star->ring[i]]);
		for (uint32_t k = 0; k + 1 < star->fan_count; ++k)
			if (star->fan[k] + 1 == star->fan[k + 1] && star->ring[star->fan[k + 1]] != star->ring[i] &&
				star->ring[i] != star->target)
				moves = max_d(moves, crossing_moves(a, target, seen(star, origin, w->p[star->ring[star->fan[k + 1]]])));
		/* The fan of a closed ring continues across the ring's start. */
		if (star->closed && star->fan_count > 1 && star->fan[0] == 0 && star->fan[star->fan_count - 1] + 1 == star->count &&
			i != 0 && star->ring[i] != star->target)
			moves = max_d(moves, crossing_moves(a, target, seen(star, origin, w->p[star->ring[0]])));
	}
	star->moves = moves;
}

/* --- Measuring ------------------------------------------------------------------------------------------------------------ */

bool d3_simplify_keeps_boundary(const struct work *w, const struct star *star)
{
	uint32_t from = star->ring[star->count], to = star->ring[0], left = w->vertex_count;
	for (uint32_t i = w->vertices[from].boundary; i != to; i = w->vertices[i].boundary)
		if (i == NONE || left-- == 0 || d3_segment_distance_d(w->p[i], w->p[from], w->p[to]) > w->limit)
			return false;
	return true;
}

void d3_simplify_fan_corners(const struct work *w, const struct star *star, uint32_t i, struct d3_vec_d c[3])
{
	c[0] = w->p[star->target];
	c[1] = w->p[star->ring[star->fan[i]]];
	c[2] = w->p[star->ring[star->fan[i] + 1]];
}

/* Corners of triangle i of the fan or, from fan_count on, of triangle i - fan_count of star->around. */
static void corners_of(const struct work *w, const struct star *star, uint32_t i, struct d3_vec_d c[3])
{
	if (i < star->fan_count)
		d3_simplify_fan_corners(w, star, i, c);
	else
		d3_simplify_corners_of(w, star->around[i - star->fan_count], c);
}

/* Finds the triangle of the fan or of star->around nearest to the point, numbered as in corners_of. Returns the squared
 * distance. */
static double nearest_of(const struct work *w, const struct star *star, struct d3_vec_d p, uint32_t *which)
{
	double best = INFINITY;
	for (uint32_t i = 0; i < star->fan_count + star->around_count; ++i) {
		struct d3_vec_d c[3];
		corners_of(w, star, i, c);
		double d = d3_surface_triangle_nearest(c, p).square;
		if (d < best) {
			best = d;
			*which = i;
		}
	}
	return best;
}

static double farthest_corner(const struct work *w, const struct star *star, const struct d3_vec_d c[3], uint32_t which)
{
	double most = 0;
	struct d3_vec_d k[3];
	corners_of(w, star, which, k);
	for (int i = 0; i < 3; ++i)
		most = max_d(most, d3_surface_triangle_nearest(k, c[i]).square);
	return sqrt(most);
}

bool d3_simplify_rely(struct work *w, uint32_t triangle, uint32_t given)
{
	list *l = &w->triangles[triangle].relying;
	for (uint32_t i = l->count; i-- > 0 && l->count - i < 8;)
		if (l->data[i] == given)
			return true;
	if (!array_reserve(w->memory, l, l->count + 1))
		return false;
	array_push(l, given);
	return true;
}

enum verdict d3_simplify_certify(
	struct work *w, struct star *star, const struct d3_vec_d c[3], uint32_t given, int level, bool note)
{
	enum { LEVELS = 5 };
	uint32_t which = 0;
	struct d3_vec_d middle = d3_scale_d(1.0 / 3, d3_add_d(d3_add_d(c[0], c[1]), c[2]));
	double distance = sqrt(nearest_of(w, star, middle, &which));
	if (distance > w->limit)
		return NO;
	double bound = farthest_corner(w, star, c, which);
	if (bound <= w->limit) {
		if (!note)
			return YES;
		uint32_t t = which < star->fan_count ? star->triangles[star->fan[which]] : star->around[which - star->fan_count];
		if (which < star->fan_count)
			star->bounds[which] = max_d(star->bounds[which], bound);
		else
			w->triangles[t].moved = max_d(w->triangles[t].moved, bound);
		return d3_simplify_rely(w, t, given) ? YES : NO_MEMORY;
	}
	if (level == LEVELS)
		return NO;
	struct d3_vec_d parts[4][3];
	d3_surface_quarter(c, parts);
	for (int i = 0; i < 4; ++i) {
		enum verdict verdict = d3_simplify_certify(w, star, parts[i], given, level + 1, note);
		if (verdict != YES)
			return verdict;
	}
	return YES;
}

bool d3_simplify_gather(struct work *w, const struct star *star)
{
	++w->mark;
	w->gathered.count = 0;
	for (uint32_t i = 0; i < star->count; ++i) {
		const list *l = &w->triangles[star->triangles[i]].relying;
		if (!array_reserve(w->memory, &w->gathered, w->gathered.count + l->count))
			return false;
		for (uint32_t k = 0; k < l->count; ++k) {
			if (w->triangles[l->data[k]].mark == w->mark)
				continue;
			w->triangles[l->data[k]].mark = w->mark;
			array_push(&w->gathered, l->data[k]);
		}
	}
	return true;
}

void d3_simplify_given_corners(const struct work *w, uint32_t given, struct d3_vec_d c[3])
{
	for (uint32_t i = 0; i < 3; ++i)
		c[i] = w->p[w->surface->indices[3 * (size_t)given + i]];
}

/* Sets star->around to the triangles at the ring's vertices that are not in the star, at most AROUND. */
static void find_around(struct work *w, struct star *star)
{
	star->around_count = 0;
	for (uint32_t i = 0; i <= star->count - star->closed; ++i) {
		for
			EACH_HALF(w, star->ring[i], h)
			{
				bool known = star->around_count == AROUND;
				for (uint32_t k = 0; k < star->count && !known; ++k)
					known = star->triangles[k] == h / 3;
				for (uint32_t k = 0; k < star->around_count && !known; ++k)
					known = star->around[k] == h / 3;
				if (!known)
					star->around[star->around_count++] = h / 3;
			}
	}
}

enum verdict d3_simplify_measure(struct work *w, struct star *star)
{
	uint32_t which = 0;
	find_around(w, star);
	if (nearest_of(w, star, w->p[star->vertex], &which) > w->limit * w->limit)
		return NO;
	for (uint32_t i = 0; i < star->fan_count; ++i) {
		struct d3_vec_d c[3];
		struct d3_deviation deviation = {.budget = 1000};
		d3_simplify_fan_corners(w, star, i, c);
		if (!d3_surface_deviation(w->surface, c, NULL, w->limit, w->limit, &deviation))
			return NO;
		star->bounds[i] = deviation.upper;
	}
	if (!d3_simplify_gather(w, star))
		return NO_MEMORY;
	for (uint32_t i = 0; i < w->gathered.count; ++i) {
		struct d3_vec_d c[3];
		d3_simplify_given_corners(w, w->gathered.data[i], c);
		if (d3_simplify_certify(w, star, c, w->gathered.data[i], 0, false) == NO)
			return NO;
	}
	return YES;
}
