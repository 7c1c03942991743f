/* decompose.c - see decompose.h.
 * A part is the intersection of the solid with half-spaces. A part needs no surface of its own where it was cut: its hull is
 * the hull of the clipped triangles and of the corners of the planes' cell that are inside the solid, because a corner of the
 * part is either on the solid's surface, or where three planes intersect. How far a hull sticks out is measured against the
 * whole solid's surface, which never changes. So cuts need no caps, which could be polygons with holes.
 *
 * Candidate cuts are planes through concave edges (both faces' planes and the bisecting one) and planes perpendicular to the
 * axes. The best leaves the smallest sum of the hulls' volumes, which equals the part's volume exactly when both are convex.
 * Sources of cutting for the least concavity: Mamou and Ghorbel, "A simple and efficient approach for 3D mesh approximate
 * convex decomposition", 2009; Wei, Liu, Ling, Su, "Approximate Convex Decomposition for 3D Meshes with Collision-Aware
 * Concavity and Tree Search", 2022, which also has the condition on the inside. Both measure on samples; here the measure is a
 * bound. */
#include "d3/process/decompose_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Points closer to a plane than this count as on it, relative to the solid's size. Crossings of edges with planes are off by
 * some 1e-16 of the size. */
static const double snap_tolerance = 1e-10;

/* Terms of a cut's score, relative to volumes, which decide between equally good cuts. The balance prefers more equal volumes.
 * The handicaps prefer a cut along a face at a concave edge to a bisecting one, and that to one perpendicular to an axis: the
 * first always makes progress, others may halve parts for ever. */
static const double balance_weight = 1e-3, mitre_handicap = 2e-3, axis_handicap = 3e-3;

double d3_decompose_height(const struct plane *plane, struct d3_vec_d p)
{
	return d3_dot_d(plane->normal, p) - plane->offset;
}

void d3_decompose_convex_free(struct work *w, struct convex *c)
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
	d3_decompose_convex_free(w, &p->hull);
}

/* --- Candidates ----------------------------------------------------------------------------------------------------------- */

/* The length of the part of the edge from a to b that is strictly inside the part's cell, the intersection of its planes'
 * half-spaces. */
static double length_within(const struct work *w, const struct part *p, struct d3_vec_d a, struct d3_vec_d b)
{
	double from = 0, to = 1, within = 16 * w->snap;
	for (uint32_t i = 0; i < p->planes.count; ++i) {
		double ha = d3_decompose_height(&p->planes.data[i], a) - within;
		double hb = d3_decompose_height(&p->planes.data[i], b) - within;
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

/* Lists the concave edges in the part, long and sharp ones first. False: no memory. */
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

/* Adds a candidate plane unless there is a nearly equal one. */
static void add_candidate(struct work *w, struct d3_vec_d normal, struct d3_vec_d through, double extent, double handicap)
{
	double length = d3_length_d(normal);
	if (!(length > 0) || w->candidates.count == CANDIDATES)
		return;
	normal = d3_scale_d(1 / length, normal);
	for (uint32_t i = 0; i < w->candidates.count; ++i) {
		const struct plane *other = &w->candidates.data[i].plane;
		if (fabs(d3_dot_d(normal, other->normal)) > 0.9995 && fabs(d3_decompose_height(other, through)) < 0.01 * extent)
			return;
	}
	array_push(&w->candidates, (struct candidate){{normal, d3_dot_d(normal, through)}, handicap});
}

static bool find_candidates(struct work *w, const struct part *p)
{
	static const struct d3_vec_d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	const struct d3_surface *s = w->surface;
	struct d3_vec_d low, high, near = d3_surface_nearest(s, p->hull.at).at;
	double extent = d3_decompose_bounds(&p->hull, &low, &high);
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
	for (int axis = 0; axis < 3; ++axis) {
		static const double parts[] = {0.5, 0.25, 0.75};
		double least = d3_coordinate_d(low, axis), side = d3_coordinate_d(high, axis) - least;
		for (int i = 0; i < 3; ++i)
			add_candidate(w, axes[axis], d3_scale_d(least + side * parts[i], axes[axis]), extent, axis_handicap);
		add_candidate(w, axes[axis], near, extent, axis_handicap);
	}
	return true;
}

/* Cuts at the candidate with the lowest score. *found: there is one. False: no memory. */
static bool best_cut(struct work *w, const struct part *p, struct part *above, struct part *below, bool *found)
{
	double best = INFINITY;
	struct plane chosen = {{0, 0, 0}, 0};
	*found = false;
	if (!find_candidates(w, p))
		return false;
	for (uint32_t i = 0; i < w->candidates.count; ++i) {
		struct plane plane = w->candidates.data[i].plane, other = d3_decompose_opposite(&plane);
		if (!d3_decompose_cut(w, p, &plane, above))
			return false;
		if (above->points.count == 0 || d3_decompose_is_thin(&above->hull))
			continue;
		if (!d3_decompose_cut(w, p, &other, below))
			return false;
		if (below->points.count == 0 || d3_decompose_is_thin(&below->hull))
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
	struct plane other = d3_decompose_opposite(&chosen);
	return d3_decompose_cut(w, p, &chosen, above) && d3_decompose_cut(w, p, &other, below);
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
	return d3_decompose_hull_of_part(w, out);
}

/* Cuts the unsettled part whose hull sticks out most, until all parts are settled or there are `most`. False: no memory. */
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
			ok = d3_decompose_judge(w, &above.hull, &above.settled) && d3_decompose_judge(w, &below.hull, &below.settled);
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

/* Measures a hull that may stick out too far, and widens it first if it has too many corners. If it is not filled, raises
 * `upper` so that 2 `upper` bounds the distance of its inner points from the solid, too: no point is deeper in the hull than 3
 * volume / area, which bounds the radius of a ball in it. False: no memory. */
static bool finish(struct work *w, struct convex *hull)
{
	bool filled;
	if (hull->upper <= w->error)
		return true;
	if (hull->points.count > D3_HULL_MAX && !d3_decompose_widen(w, hull))
		return false;
	d3_decompose_measure(w, hull, INFINITY);
	hull->upper = max_d(hull->upper, w->error);
	if (!d3_decompose_find_filled(w, hull, hull->upper, &filled))
		return false;
	if (!filled)
		hull->upper = max_d(hull->upper, (hull->upper + 3 * hull->volume / hull->area) / 2);
	return true;
}

/* --- Joining -------------------------------------------------------------------------------------------------------------- */

static bool is_near(const struct convex *a, const struct convex *b, double distance)
{
	struct d3_vec_d low[2], high[2];
	d3_decompose_bounds(a, &low[0], &high[0]);
	d3_decompose_bounds(b, &low[1], &high[1]);
	for (int axis = 0; axis < 3; ++axis)
		if (d3_coordinate_d(low[0], axis) > d3_coordinate_d(high[1], axis) + distance ||
			d3_coordinate_d(low[1], axis) > d3_coordinate_d(high[0], axis) + distance)
			return false;
	return true;
}

static bool joined(struct work *w, const struct convex *a, const struct convex *b, struct convex *out)
{
	return d3_decompose_join(w, a->points.data, a->points.count, b->points.data, b->points.count, out);
}

/* Whether the common hull of a and b may fit. False: a sampled midpoint between them sticks out by more than twice the
 * error. */
static bool may_join(const struct work *w, const struct convex *a, const struct convex *b)
{
	enum { TRIES = 24 };
	for (uint32_t i = 0; i < TRIES; ++i) {
		struct d3_vec_d p = a->points.data[i * 7 % a->points.count], q = b->points.data[i * 5 % b->points.count];
		p = i == 0 ? a->centre : p;
		q = i == 0 ? b->centre : q;
		if (d3_surface_distance(w->surface, d3_scale_d(0.5, d3_add_d(p, q))) > 2 * w->error)
			return false;
	}
	return true;
}

/* Sets *cost to the volume of the common hull minus the volumes of a and b; infinite: not to be joined. near: only hulls whose
 * AABBs are within the error of each other may be joined. False: no memory. */
static bool find_cost(
	struct work *w, const struct convex *a, const struct convex *b, bool near, struct convex *scratch, float *cost)
{
	*cost = INFINITY;
	if ((near && !is_near(a, b, w->error)) || !may_join(w, a, b))
		return true;
	if (!joined(w, a, b, scratch))
		return false;
	d3_decompose_sample(w, scratch);
	if (scratch->lower <= w->error)
		*cost = (float)(scratch->volume - a->volume - b->volume);
	return true;
}

/* Joins pairs whose common hull can be a piece, cheapest first. With at most 64 pieces, distant ones are joined, too, as
 * opposite arms of a cross. costs[i n + j] with i < j is that of a pair. Pieces that were merged into others are left empty.
 * False: no memory. */
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
		if (!joined(w, &pieces[a], &pieces[b], scratch) || !d3_decompose_judge(w, scratch, &fits))
			return false;
		costs[a * (size_t)n + b] = INFINITY;
		if (!fits)
			continue;
		struct convex swap = pieces[a];
		pieces[a] = *scratch;
		*scratch = swap;
		d3_decompose_convex_free(w, &pieces[b]);
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
	memory_free(w->memory, pieces, count * sizeof *pieces);
	memory_free(w->memory, costs, (size_t)count * count * sizeof *costs);
	d3_decompose_convex_free(w, &scratch);
	return ok;
}

/* Finishes the hulls and copies them to *out. False: out of memory, with nothing left allocated in *out. */
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
	bool ok = parts && whole(w, parts) && d3_decompose_judge(w, &parts[0].hull, &parts[0].settled) &&
		cut_all(w, parts, &count, most) && join_parts(w, parts, count) && hand_over(w, parts, count, out);
	for (uint32_t i = 0; parts && i < count; ++i)
		part_free(w, &parts[i]);
	memory_free(w->memory, parts, most * sizeof *parts);
	array_free(w->memory, &w->cloud);
	d3_hull_lists_free(w->memory, &w->lists);
	array_free(w->memory, &w->map);
	array_free(w->memory, &w->reflexes);
	array_free(w->memory, &w->candidates);
	return ok;
}

enum d3_surface_result d3_decompose(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, double error, uint32_t most, struct d3_pieces *out)
{
	struct d3_surface surface;
	*out = (struct d3_pieces){.memory = memory};
	enum d3_surface_result result =
		d3_surface_create(memory, vertices, vertex_count, indices, triangle_count, D3_SURFACE_CLOSED, &surface, out->where);
	/* Render meshes repeat a vertex for each of its normals, which leaves edges open until they are welded. */
	if (result == D3_SURFACE_OPEN || result == D3_SURFACE_CROWDED || result == D3_SURFACE_TWISTED)
		result = d3_surface_create(
			memory, vertices, vertex_count, indices, triangle_count, D3_SURFACE_CLOSED | D3_SURFACE_WELD, &surface, out->where);
	if (result == D3_SURFACE_OK) {
		struct work work = {.memory = memory,
			.surface = &surface,
			.error = max_d(error, 1e-8 * surface.size),
			.snap = snap_tolerance * surface.size};
		if (!run(&work, most, out))
			result = D3_SURFACE_OUT_OF_MEMORY;
		d3_surface_free(&surface);
	}
	return result;
}

void d3_pieces_free(struct d3_pieces *pieces)
{
	memory_free(pieces->memory, pieces->start, (pieces->count + (size_t)1) * sizeof *pieces->start);
	memory_free(pieces->memory, pieces->points, pieces->point_count * sizeof *pieces->points);
}
