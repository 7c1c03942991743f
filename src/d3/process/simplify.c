/* simplify.c - see simplify.h.
 * Edges are collapsed: a vertex moves onto a neighbour, that of the least quadric error first. The quadric only sets the order.
 * Either of two bounds allows a collapse:
 * - The triangles around the vertex and their replacements lie over the same polygon in some plane. The map between them
 *   along that plane's normal moves no point farther than it moves the vertex, or a point where an old edge crosses a new
 *   one: between such points the displacement is linear. Each triangle keeps a bound on the sum of its points' moves. This
 *   bound serves flat surfaces, and is exact for them.
 * - All new triangles are measured against the given surface. All given triangles that relied on the old triangles are
 *   measured against the new ones and those around them. A given triangle relies on a triangle that was shown to be near
 *   it; each triangle lists those that rely on it.
 * The distance to a triangle is a convex function, so no point of a triangle is farther from another than its farthest corner
 * is. Where that is too far, the triangle is cut in four. So both bounds hold for all points.
 * Sources: Garland and Heckbert, "Surface Simplification Using Quadric Error Metrics", 1997 (the order); Cohen, Manocha, Olano,
 * "Simplifying Polygonal Models Using Successive Mappings", 1997 (the map); Dey, Edelsbrunner, Guha, Nekhayev, "Topology
 * Preserving Edge Contraction", 1998 (which edges may go). */
#include "d3/process/simplify_parts.h"

#include <stdlib.h>
#include <string.h>

/* --- Triangles and vertices ----------------------------------------------------------------------------------------------- */

static uint32_t next_corner(uint32_t h)
{
	return h % 3 == 2 ? h - 2 : h + 1;
}

static uint32_t corner_after(const struct work *w, uint32_t h)
{
	return w->halves[next_corner(h)].corner;
}

static uint32_t corner_before(const struct work *w, uint32_t h)
{
	return w->halves[next_corner(next_corner(h))].corner;
}

uint32_t d3_simplify_first_of(struct work *w, uint32_t *link)
{
	while (*link != NONE && w->halves[*link].corner == NONE)
		*link = w->halves[*link].next;
	return *link;
}

static bool joins(struct work *w, uint32_t a, uint32_t b)
{
	for
		EACH_HALF(w, a, h)
	if (corner_after(w, h) == b || corner_before(w, h) == b)
		return true;
	return false;
}

void d3_simplify_corners_of(const struct work *w, uint32_t t, struct d3_vec_d c[3])
{
	for (uint32_t i = 0; i < 3; ++i)
		c[i] = w->p[w->halves[3 * (size_t)t + i].corner];
}

/* Sets the star to the triangles around the vertex, in order. False: they are none, more than RING, or not a disc with the
 * vertex inside or on its border. */
static bool star_gather(struct work *w, uint32_t vertex, struct star *star)
{
	uint32_t halves[RING], n = 0, first = 0;
	for
		EACH_HALF(w, vertex, h)
		{
			if (n == RING)
				return false;
			halves[n++] = h;
		}
	if (n == 0)
		return false;
	/* An open star starts at the triangle that has none before it. */
	for (uint32_t i = 0; i < n; ++i) {
		bool found = false;
		for (uint32_t k = 0; k < n && !found; ++k)
			found = corner_before(w, halves[k]) == corner_after(w, halves[i]);
		if (!found)
			first = i;
	}
	star->vertex = vertex;
	star->count = n;
	star->ring[0] = corner_after(w, halves[first]);
	for (uint32_t i = 0; i < n; ++i) {
		uint32_t k = i;
		while (k < n && corner_after(w, halves[k]) != star->ring[i])
			++k;
		if (k == n)
			return false;
		uint32_t h = halves[k];
		halves[k] = halves[i];
		halves[i] = h;
		star->triangles[i] = h / 3;
		star->ring[i + 1] = corner_before(w, h);
	}
	star->closed = star->ring[n] == star->ring[0];
	for (uint32_t i = 0; i < n; ++i)
		for (uint32_t k = i + 1; k <= n - star->closed; ++k)
			if (star->ring[i] == star->ring[k])
				return false;
	return true;
}

/* Whether the surface stays a manifold: vertex and target have no common neighbours but the third corners of their edge's
 * triangles, no triangle of the fan exists already, and the fan is not empty. Sets the fan. */
static bool stays_a_surface(struct work *w, struct star *star)
{
	uint32_t common = 0, ends = star->count - star->closed, at = NONE;
	for (uint32_t i = 0; i <= ends; ++i) {
		if (star->ring[i] == star->target)
			at = i;
		else
			common += joins(w, star->ring[i], star->target);
	}
	if (at == NONE || (!star->closed && at != 0 && at != ends) || common != (star->closed ? 2 : 1))
		return false;
	star->fan_count = 0;
	for (uint32_t i = 0; i < star->count; ++i)
		if (star->ring[i] != star->target && star->ring[i + 1] != star->target)
			star->fan[star->fan_count++] = i;
	for (uint32_t i = 0; i < star->fan_count; ++i) {
		uint32_t a = star->ring[star->fan[i]], b = star->ring[star->fan[i] + 1];
		for
			EACH_HALF(w, star->target, h)
		if ((corner_after(w, h) == a && corner_before(w, h) == b) || (corner_after(w, h) == b && corner_before(w, h) == a))
			return false;
	}
	return star->fan_count > 0;
}

/* --- Collapse ------------------------------------------------------------------------------------------------------------- */

/* Whether a point of triangle a may be within the distance of triangle b, judged by a's bounding sphere. */
static bool is_near(const struct d3_vec_d a[3], const struct d3_vec_d b[3], double distance)
{
	struct d3_vec_d middle = d3_scale_d(1.0 / 3, d3_add_d(d3_add_d(a[0], a[1]), a[2]));
	double radius = 0;
	for (int i = 0; i < 3; ++i)
		radius = max_d(radius, d3_dot_d(d3_sub_d(a[i], middle), d3_sub_d(a[i], middle)));
	distance += sqrt(radius);
	return d3_surface_triangle_nearest(b, middle).square <= distance * distance;
}

/* Makes the given triangles that relied on the old triangles rely on those new ones that may be within `moved` of them. False:
 * no memory. */
static bool hand_on(struct work *w, struct star *star, double moved)
{
	for (uint32_t i = 0; i < star->fan_count; ++i) {
		uint32_t t = star->triangles[star->fan[i]];
		struct d3_vec_d c[3];
		d3_simplify_fan_corners(w, star, i, c);
		w->triangles[t].relying.count = 0;
		if (!array_reserve(w->memory, &w->triangles[t].relying, w->gathered.count))
			return false;
		for (uint32_t k = 0; k < w->gathered.count; ++k) {
			struct d3_vec_d given[3];
			d3_simplify_given_corners(w, w->gathered.data[k], given);
			if (is_near(given, c, moved + w->slack))
				array_push(&w->triangles[t].relying, w->gathered.data[k]);
		}
	}
	return true;
}

static void relink(struct work *w, struct star *star)
{
	uint32_t last = NONE;
	for (uint32_t i = 0; i < star->count; ++i) {
		uint32_t h = 3 * star->triangles[i];
		bool stays = star->ring[i] != star->target && star->ring[i + 1] != star->target;
		for (uint32_t k = 0; k < 3; ++k) {
			if (!stays)
				w->halves[h + k].corner = NONE;
			else if (w->halves[h + k].corner == star->vertex)
				w->halves[h + k].corner = star->target;
		}
	}
	for (uint32_t h = w->vertices[star->vertex].head; h != NONE; h = w->halves[h].next)
		last = h;
	w->halves[last].next = w->vertices[star->target].head;
	w->vertices[star->target].head = w->vertices[star->vertex].head;
	w->vertices[star->vertex].head = NONE;
	for (int i = 0; i < 10; ++i)
		w->vertices[star->target].quadric.a[i] += w->vertices[star->vertex].quadric.a[i];
}

/* Collapses the vertex onto the target, if that is allowed. NO: nothing changed. */
static enum verdict collapse(struct work *w, struct star *star)
{
	if (!stays_a_surface(w, star) || !d3_simplify_faces_agree(w, star) ||
		(!star->closed && !d3_simplify_keeps_boundary(w, star)))
		return NO;
	d3_simplify_find_map(w, star);
	double moved = 0;
	for (uint32_t i = 0; i < star->count; ++i)
		moved = max_d(moved, w->triangles[star->triangles[i]].moved);
	moved += star->moves;
	if (moved <= w->limit) {
		if (w->lists && (!d3_simplify_gather(w, star) || !hand_on(w, star, moved)))
			return NO_MEMORY;
		for (uint32_t i = 0; i < star->fan_count; ++i)
			w->triangles[star->triangles[star->fan[i]]].moved = moved;
		relink(w, star);
		return YES;
	}
	if (!w->lists)
		return NO;
	enum verdict verdict = d3_simplify_measure(w, star);
	if (verdict != YES)
		return verdict;
	for (uint32_t i = 0; i < star->count; ++i)
		w->triangles[star->triangles[i]].relying.count = 0;
	for (uint32_t i = 0; i < w->gathered.count; ++i) {
		struct d3_vec_d c[3];
		d3_simplify_given_corners(w, w->gathered.data[i], c);
		if (d3_simplify_certify(w, star, c, w->gathered.data[i], 0, true) == NO_MEMORY)
			return NO_MEMORY;
	}
	for (uint32_t i = 0; i < star->fan_count; ++i)
		w->triangles[star->triangles[star->fan[i]]].moved = star->bounds[i];
	relink(w, star);
	return YES;
}

/* --- The order ------------------------------------------------------------------------------------------------------------ */

static void quadric_add(struct quadric *q, struct d3_vec_d n, double offset, double weight)
{
	const double v[4] = {n.x, n.y, n.z, offset};
	for (int i = 0, k = 0; i < 4; ++i)
		for (int j = i; j < 4; ++j)
			q->a[k++] += weight * v[i] * v[j];
}

static double quadric_at(const struct quadric *q, struct d3_vec_d p)
{
	const double v[4] = {p.x, p.y, p.z, 1};
	double sum = 0;
	for (int i = 0, k = 0; i < 4; ++i)
		for (int j = i; j < 4; ++j)
			sum += (i == j ? 1 : 2) * q->a[k++] * v[i] * v[j];
	return max_d(sum, 0);
}

/* The sum of the weights in a quadric: areas and, at borders, squared lengths of edges, in units of the size. */
static double weight_of(const struct quadric *q)
{
	return q->a[0] + q->a[4] + q->a[7];
}

/* The cost of moving a vertex onto another. Positions are relative to the first vertex, in units of the size. Of equal quadric
 * errors, short edges and vertices that have absorbed few others cost less: this spreads the removals over the surface and
 * leaves better triangles. */
static double cost_of(const struct work *w, uint32_t from, uint32_t to)
{
	const struct quadric *a = &w->vertices[from].quadric, *b = &w->vertices[to].quadric;
	double scale = 1 / w->surface->size;
	struct d3_vec_d p = d3_scale_d(scale, d3_sub_d(w->p[to], w->p[0]));
	struct d3_vec_d edge = d3_scale_d(scale, d3_sub_d(w->p[to], w->p[from]));
	return quadric_at(a, p) + quadric_at(b, p) + 1e-9 * (d3_dot_d(edge, edge) + weight_of(a) + weight_of(b));
}

static void quadrics_fill(struct work *w)
{
	const struct d3_surface *s = w->surface;
	double scale = 1 / s->size;
	for (uint32_t t = 0; t < w->triangle_count; ++t) {
		struct d3_vec_d c[3], n = s->normals[t];
		d3_simplify_corners_of(w, t, c);
		for (int i = 0; i < 3; ++i)
			c[i] = d3_scale_d(scale, d3_sub_d(c[i], w->p[0]));
		double area = d3_length_d(d3_simplify_area_normal(c[0], c[1], c[2])) / 2;
		for (uint32_t i = 0; i < 3; ++i) {
			uint32_t a = w->halves[3 * t + i].corner, b = w->halves[3 * t + (i + 1) % 3].corner;
			quadric_add(&w->vertices[a].quadric, n, -d3_dot_d(n, c[i]), area);
			if (s->twins[3 * t + i] != D3_SURFACE_NONE)
				continue;
			/* The quadric of a plane through the border, perpendicular to the surface, penalises moves of the border. */
			struct d3_vec_d edge = d3_sub_d(c[(i + 1) % 3], c[i]), side = d3_cross_d(edge, n);
			double length = d3_length_d(side);
			if (!(length > 0))
				continue;
			side = d3_scale_d(1 / length, side);
			quadric_add(&w->vertices[a].quadric, side, -d3_dot_d(side, c[i]), length * length);
			quadric_add(&w->vertices[b].quadric, side, -d3_dot_d(side, c[i]), length * length);
		}
	}
}

static bool comes_first(const struct entry *a, const struct entry *b)
{
	return a->cost != b->cost ? a->cost < b->cost : a->vertex < b->vertex;
}

static bool heap_push(struct work *w, struct entry entry)
{
	if (!array_reserve(w->memory, &w->heap, w->heap.count + 1))
		return false;
	array_push(&w->heap, entry);
	uint32_t i = w->heap.count - 1;
	for (; i > 0 && comes_first(&entry, &w->heap.data[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap.data[i] = w->heap.data[(i - 1) / 2];
	w->heap.data[i] = entry;
	return true;
}

static struct entry heap_pop(struct work *w)
{
	struct entry top = w->heap.data[0], last = w->heap.data[--w->heap.count];
	uint32_t i = 0, n = w->heap.count;
	for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && comes_first(&w->heap.data[child + 1], &w->heap.data[child]))
			++child;
		if (!comes_first(&w->heap.data[child], &last))
			break;
		w->heap.data[i] = w->heap.data[child];
	}
	if (n > 0)
		w->heap.data[i] = last;
	return top;
}

static bool enqueue(struct work *w, uint32_t vertex)
{
	double least = INFINITY;
	++w->vertices[vertex].stamp;
	if (w->vertices[vertex].fixed)
		return true;
	for
		EACH_HALF(w, vertex, h)
	least = min_d(least, min_d(cost_of(w, vertex, corner_after(w, h)), cost_of(w, vertex, corner_before(w, h))));
	return least == INFINITY || heap_push(w, (struct entry){least, vertex, w->vertices[vertex].stamp});
}

/* Collapses the vertex onto a neighbour: the cheapest one for which that is allowed. */
static enum verdict remove_vertex(struct work *w, uint32_t vertex, struct star *star)
{
	double costs[RING + 1], last = -1;
	uint32_t last_i = 0;
	if (!star_gather(w, vertex, star))
		return NO;
	uint32_t n = star->count + !star->closed;
	for (uint32_t i = 0; i < n; ++i)
		costs[i] = cost_of(w, vertex, star->ring[i]);
	for (uint32_t tries = 0; tries < n; ++tries) {
		uint32_t best = NONE;
		for (uint32_t i = 0; i < n; ++i)
			if ((costs[i] > last || (costs[i] == last && i > last_i && tries > 0)) && (best == NONE || costs[i] < costs[best]))
				best = i;
		if (best == NONE)
			return NO;
		last = costs[best];
		last_i = best;
		star->target = star->ring[best];
		enum verdict verdict = collapse(w, star);
		if (verdict != NO)
			return verdict;
	}
	return NO;
}

static bool remove_all(struct work *w)
{
	struct star star;
	for (uint32_t i = 0; i < w->vertex_count; ++i)
		if (!enqueue(w, i))
			return false;
	while (w->heap.count > 0) {
		struct entry entry = heap_pop(w);
		if (entry.stamp != w->vertices[entry.vertex].stamp)
			continue;
		enum verdict verdict = remove_vertex(w, entry.vertex, &star);
		if (verdict == NO_MEMORY)
			return false;
		if (verdict == NO)
			continue;
		for (uint32_t i = 0; i <= star.count - star.closed; ++i)
			if (!enqueue(w, star.ring[i]))
				return false;
	}
	return true;
}

/* --- The whole simplification --------------------------------------------------------------------------------------------- */

/* Sets `boundary` of all vertices. Fixes vertices with an edge of more than two triangles, or of two with opposite
 * orientations, and vertices where two borders meet. */
static void boundary_fill(struct work *w)
{
	const struct d3_surface *s = w->surface;
	for (uint32_t i = 0; i < w->vertex_count; ++i)
		w->vertices[i].boundary = NONE;
	for (uint32_t h = 0; h < 3 * w->triangle_count; ++h) {
		uint32_t a = w->halves[h].corner, b = corner_after(w, h);
		if (s->twins[h] != D3_SURFACE_NONE)
			continue;
		bool alone = w->vertices[a].boundary == NONE;
		w->vertices[a].boundary = b;
		uint32_t sharing = 0;
		for
			EACH_HALF(w, a, k)
		sharing += (corner_after(w, k) == b) + (corner_before(w, k) == b);
		if (!alone)
			w->vertices[a].fixed = true;
		if (sharing > 1)
			w->vertices[a].fixed = w->vertices[b].fixed = true;
	}
}

static void work_free(struct work *w)
{
	for (uint32_t i = 0; w->triangles && i < w->triangle_count; ++i)
		array_free(w->memory, &w->triangles[i].relying);
	memory_free(w->memory, w->halves, 3 * (size_t)w->triangle_count * sizeof *w->halves);
	memory_free(w->memory, w->vertices, w->vertex_count * sizeof *w->vertices);
	memory_free(w->memory, w->triangles, w->triangle_count * sizeof *w->triangles);
	array_free(w->memory, &w->gathered);
	array_free(w->memory, &w->heap);
}

static bool prepare(struct work *w)
{
	w->halves = memory_resize(w->memory, NULL, 0, 3 * (size_t)w->triangle_count * sizeof *w->halves);
	w->vertices = memory_zeroed(w->memory, w->vertex_count * sizeof *w->vertices);
	w->triangles = memory_zeroed(w->memory, w->triangle_count * sizeof *w->triangles);
	if (!w->halves || !w->vertices || !w->triangles)
		return false;
	for (uint32_t i = 0; i < w->vertex_count; ++i)
		w->vertices[i].head = NONE;
	for (uint32_t h = 3 * w->triangle_count; h-- > 0;) {
		w->halves[h].corner = w->surface->indices[h];
		w->halves[h].next = w->vertices[w->halves[h].corner].head;
		w->vertices[w->halves[h].corner].head = h;
	}
	boundary_fill(w);
	quadrics_fill(w);
	for (uint32_t t = 0; w->lists && t < w->triangle_count; ++t)
		if (!d3_simplify_rely(w, t, t))
			return false;
	return true;
}

static bool hand_over(struct work *w, struct d3_simplified *out)
{
	uint32_t vertices = 0, halves = 0;
	for (uint32_t i = 0; i < w->vertex_count; ++i)
		if (d3_simplify_first_of(w, &w->vertices[i].head) != NONE)
			w->vertices[i].stamp = vertices++;
	for (uint32_t h = 0; h < 3 * w->triangle_count; ++h)
		halves += w->halves[h].corner != NONE;
	out->vertex_count = vertices;
	out->triangle_count = halves / 3;
	out->vertices = memory_resize(w->memory, NULL, 0, vertices * sizeof *out->vertices);
	out->indices = memory_resize(w->memory, NULL, 0, halves * sizeof *out->indices);
	if (!out->vertices || !out->indices) {
		d3_simplified_free(out);
		return false;
	}
	for (uint32_t i = 0; i < w->vertex_count; ++i)
		if (w->vertices[i].head != NONE)
			out->vertices[w->vertices[i].stamp] = i;
	halves = 0;
	for (uint32_t h = 0; h < 3 * w->triangle_count; ++h)
		if (w->halves[h].corner != NONE)
			out->indices[halves++] = w->vertices[w->halves[h].corner].stamp;
	return true;
}

enum d3_surface_result d3_simplify(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, double error, struct d3_simplified *out)
{
	struct d3_surface surface;
	*out = (struct d3_simplified){.memory = memory};
	enum d3_surface_result result =
		d3_surface_create(memory, vertices, vertex_count, indices, triangle_count, D3_SURFACE_WELD, &surface, out->where);
	if (result == D3_SURFACE_OK) {
		struct work work = {.memory = memory,
			.surface = &surface,
			.p = vertices,
			.vertex_count = vertex_count,
			.triangle_count = triangle_count,
			.slack = 1e-9 * surface.size};
		work.limit = max_d(error, work.slack);
		work.lists = work.limit > 100 * work.slack;
		if (!prepare(&work) || !remove_all(&work) || !hand_over(&work, out))
			result = D3_SURFACE_OUT_OF_MEMORY;
		work_free(&work);
		d3_surface_free(&surface);
	}
	return result;
}

void d3_simplified_free(struct d3_simplified *s)
{
	memory_free(s->memory, s->vertices, s->vertex_count * sizeof *s->vertices);
	memory_free(s->memory, s->indices, 3 * (size_t)s->triangle_count * sizeof *s->indices);
}
