/* hull_simplify.c - a round of the simplification of a hull: see hull.c. */
#include "d3/shape/hull_parts.h"

#include <assert.h>
#include <stdlib.h>

enum { GIVE_UP = 16 * D3_HULL_MAX }; /* more corners than this after a round: D3_HULL_TOO_MANY */

/* --- Simplifying ---------------------------------------------------------------------------------------------------------- */

int d3_hull_compare_candidates(const void *a, const void *b)
{
	const struct d3_vec *p = &((const struct candidate *)a)->p, *q = &((const struct candidate *)b)->p;
	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	return (p->z > q->z) - (p->z < q->z);
}

struct ranked {
	double size;
	uint32_t face;
};

/* Orders triangles by descending size, then by number. */
static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;
	if (p->size != q->size)
		return p->size > q->size ? -1 : 1;
	return (p->face > q->face) - (p->face < q->face);
}

/* The plane of a face's largest triangle. */
struct seed_plane {
	struct d3_vec_d normal, base;
	double tolerance;
};

/* Whether the triangle across the edge has all corners within the tolerance of the plane, and its normal within 90 degrees of
 * the plane's. */
static bool flat_across(const struct d3_quickhull *hull, d3_quickhull_edge edge, const void *context)
{
	const struct seed_plane *plane = context;
	const struct d3_quickhull_face *beyond = d3_quickhull_owner(hull, d3_quickhull_twin(hull, edge));
	bool flat = d3_dot_d(plane->normal, beyond->normal) > 0;
	for (int k = 0; flat && k < 3; ++k)
		flat = fabs(d3_dot_d(plane->normal, d3_sub_d(hull->points[beyond->corner[k]], plane->base))) <= plane->tolerance;
	return flat;
}

/* Makes a face of the seed triangle and all triangles connected with it that lie in its plane within the tolerance. The plane
 * remains the seed's, so that it does not drift. */
static bool grow_region(struct round *round, uint32_t seed)
{
	const struct d3_quickhull_face *face = &round->hull.faces.data[seed];
	struct seed_plane plane = {d3_scale_d(face->scale, face->normal), round->hull.points[face->corner[0]], round->tolerance};
	return d3_quickhull_spread(&round->hull, seed, flat_across, &plane);
}

/* Groups all triangles into faces. Seeds are taken from the largest triangle to the smallest. False: no memory. */
static bool mark_faces(struct round *round)
{
	struct d3_quickhull *hull = &round->hull;
	size_t size = hull->live_count * sizeof(struct ranked);
	struct ranked *ranked = memory_resize(round->memory, NULL, 0, size);
	bool done = ranked != NULL;
	uint32_t count = 0;
	for (uint32_t i = 0; done && i < hull->faces.count; ++i) {
		struct d3_quickhull_face *face = &hull->faces.data[i];
		face->region = D3_QUICKHULL_NONE;
		if (face->live)
			ranked[count++] = (struct ranked){d3_dot_d(face->normal, face->normal), i};
	}
	if (done)
		qsort(ranked, count, sizeof *ranked, compare_ranked);
	for (uint32_t i = 0; done && i < count; ++i)
		if (hull->faces.data[ranked[i].face].region == D3_QUICKHULL_NONE)
			done = grow_region(round, ranked[i].face);
	memory_free(round->memory, ranked, size);
	return done;
}

/* State of a corner, in `next` of its point. MAY_GO: it is redundant. GOES: it is dropped. */
enum { STAYS, MAY_GO, GOES };

static void may_go(struct d3_quickhull *hull, uint32_t point)
{
	if (hull->next[point] == STAYS)
		hull->next[point] = MAY_GO;
}

/* Whether the other corners of the face's boundary surround the edge's origin, seen along the normal. */
static bool surrounded(const struct d3_quickhull *hull, d3_quickhull_edge edge, struct d3_vec_d normal)
{
	struct d3_vec_d center = hull->points[d3_quickhull_origin(hull, edge)], right = {0, 0, 0}, left = {0, 0, 0};
	d3_quickhull_edge first = d3_quickhull_follow(hull, edge);
	for (d3_quickhull_edge at = first; at != edge; at = d3_quickhull_follow(hull, at)) {
		struct d3_vec_d delta = d3_sub_d(hull->points[d3_quickhull_origin(hull, at)], center);
		if (at == first)
			right = left = delta;
		bool after_right = d3_dot_d(normal, d3_cross_d(right, delta)) >= 0;
		bool before_left = d3_dot_d(normal, d3_cross_d(delta, left)) >= 0;
		if (!after_right && !before_left)
			return true;
		if (!before_left)
			left = delta;
		else if (!after_right)
			right = delta;
	}
	return false;
}

/* Marks the corner at the end of the edge as MAY_GO if the face's boundary is straight there within the tolerance, or reflex
 * and surrounded. Any other reflex corner sets `broken`. */
static void check_outline(struct round *round, d3_quickhull_edge edge)
{
	struct d3_quickhull *hull = &round->hull;
	const struct d3_quickhull_face *seed = &hull->faces.data[d3_quickhull_owner(hull, edge)->region];
	d3_quickhull_edge next = d3_quickhull_follow(hull, edge), last = d3_quickhull_follow(hull, next);
	uint32_t corner = d3_quickhull_origin(hull, next);
	struct d3_vec_d a = hull->points[d3_quickhull_origin(hull, edge)], b = hull->points[corner];
	struct d3_vec_d c = hull->points[d3_quickhull_origin(hull, last)];
	bool left = d3_dot_d(seed->normal, d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, b))) > 0;
	if (d3_segment_distance_d(b, a, c) <= round->tolerance || (!left && surrounded(hull, next, seed->normal)))
		may_go(hull, corner);
	else if (!left)
		round->broken = true;
}

static void find_leavers(struct round *round)
{
	struct d3_quickhull *hull = &round->hull;
	for (uint32_t i = 0; i < 4 * hull->faces.count; ++i) {
		if (!d3_quickhull_is_edge(hull, i))
			continue;
		uint32_t from = d3_quickhull_origin(hull, i), to = d3_quickhull_origin(hull, d3_quickhull_next(i));
		if (!d3_quickhull_is_corner(hull, i) ||
			(from < to && d3_length_d(d3_sub_d(hull->points[to], hull->points[from])) < round->weld))
			may_go(hull, from);
		if (d3_quickhull_outline(hull, i))
			check_outline(round, i);
	}
}

/* Makes some redundant corners GOES, no two of them adjacent, and the others STAYS: without its neighbor a corner may no longer
 * be redundant. Returns how many are dropped. */
static uint32_t choose_leavers(struct d3_quickhull *hull)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < 4 * hull->faces.count; ++i) {
		if (!d3_quickhull_is_edge(hull, i) || hull->next[d3_quickhull_origin(hull, i)] != MAY_GO)
			continue;
		bool alone = true;
		d3_quickhull_edge at = i;
		do {
			alone &= hull->next[d3_quickhull_origin(hull, d3_quickhull_next(at))] != GOES;
			at = d3_quickhull_next(d3_quickhull_twin(hull, at));
		} while (at != i);
		hull->next[d3_quickhull_origin(hull, i)] = alone ? GOES : STAYS;
		count += alone;
	}
	return count;
}

/* Keeps the corners whose `next` equals `mark`. */
static void keep_marked(struct round *round, uint32_t mark)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < round->count; ++i)
		if (round->hull.next[i] == mark)
			round->index[kept++] = round->index[i];
	round->count = kept;
}

/* Sets `next` of each point to 1 if the surface uses the point, else to 0. Returns the number of points used. */
static uint32_t mark_used(struct d3_quickhull *hull)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < hull->count; ++i)
		hull->next[i] = 0;
	for (uint32_t i = 0; i < hull->faces.count; ++i) {
		for (int k = 0; hull->faces.data[i].live && k < 3; ++k) {
			uint32_t *mark = &hull->next[hull->faces.data[i].corner[k]];
			count += *mark == 0;
			*mark = 1;
		}
	}
	return count;
}

enum d3_hull_result d3_hull_clean(struct round *round, double extent, double tolerance, bool *changed)
{
	struct d3_quickhull *hull = &round->hull;
	*changed = true;
	if (!d3_quickhull_build(hull, round->memory,
			&(struct d3_points){.narrow = round->points, .index = round->index, .count = round->count}, tolerance))
		return D3_HULL_OUT_OF_MEMORY;
	if (hull->dimension < 3)
		return D3_HULL_DEGENERATE;
	round->tolerance = hull->tolerance;
	round->weld = weld * extent * hull->factor;
	round->broken = false;
	if (mark_used(hull) < round->count) {
		keep_marked(round, 1);
		return round->count > GIVE_UP ? D3_HULL_TOO_MANY : D3_HULL_OK;
	}
	if (!mark_faces(round))
		return D3_HULL_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < hull->count; ++i)
		hull->next[i] = STAYS;
	find_leavers(round);
	*changed = choose_leavers(hull) > 0;
	if (*changed)
		keep_marked(round, STAYS);
	return D3_HULL_OK;
}
