/* mesh_adjacency.c - welding of equal vertices, neighbours of triangles, and kinds of edges. See shape.h for threads. */
#include "d3/shape/shape_parts.h"

#include <assert.h>

/* --- Equal vertices ------------------------------------------------------------------------------------------------------- */

/* A vertex and its cell in a regular grid, whose cells are as wide as the tolerance. If the tolerance is 0, the cell consists
 * of the bits of the vertex's coordinates, so that only equal vertices share one. */
struct cell_entry {
	int64_t cell[3];
	uint32_t vertex;
};

static int compare_cells(const struct cell_entry *a, const struct cell_entry *b)
{
	for (int i = 0; i < 3; ++i)
		if (a->cell[i] != b->cell[i])
			return a->cell[i] < b->cell[i] ? -1 : 1;
	return 0;
}

static int64_t cell_of(double x, double tolerance)
{
	return tolerance > 0 ? (int64_t)floor(x / tolerance) : (int64_t)scalar_bits_d(x + 0.0); /* -0 is 0 */
}

static struct cell_entry entry_of(const struct d3_points *points, uint32_t vertex, double tolerance)
{
	struct d3_vec_d p = d3_points_at(points, vertex);
	return (struct cell_entry){{cell_of(p.x, tolerance), cell_of(p.y, tolerance), cell_of(p.z, tolerance)}, vertex};
}

/* Sorts the entries by cell: a stable merge sort, bottom up. Returns the one of `items` and `other` that has the result. */
static struct cell_entry *sort_entries(struct cell_entry *items, struct cell_entry *other, size_t count)
{
	for (size_t width = 1; width < count; width *= 2) {
		for (size_t from = 0; from < count; from += 2 * width) {
			size_t middle = from + width < count ? from + width : count, end = middle + width < count ? middle + width : count;
			size_t a = from, b = middle;
			for (size_t to = from; to < end; ++to)
				other[to] = b == end || (a < middle && compare_cells(&items[a], &items[b]) <= 0) ? items[a++] : items[b++];
		}
		struct cell_entry *swap = items;
		items = other;
		other = swap;
	}
	return items;
}

/* Index in `sorted` of the cell's first entry; `count` if the cell is empty. */
static size_t find_cell(const struct cell_entry *sorted, size_t count, const struct cell_entry *cell)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t half = low + (high - low) / 2;
		if (compare_cells(&sorted[half], cell) < 0)
			low = half + 1;
		else
			high = half;
	}
	return low < count && compare_cells(&sorted[low], cell) == 0 ? low : count;
}

/* Lists, by cell, of the vertices found so far that represent themselves. They are farther apart than the tolerance, so each
 * list is short. */
struct grid {
	const struct d3_points *points;
	double tolerance;
	const struct cell_entry *sorted;
	uint32_t *heads; /* head of each cell's list, at the cell's first index in `sorted` */
	uint32_t *nexts; /* by vertex: the next one in its cell's list */
};

static uint32_t nearby(const struct grid *grid, uint32_t vertex)
{
	struct d3_vec_d p = d3_points_at(grid->points, vertex);
	struct cell_entry own = entry_of(grid->points, vertex, grid->tolerance);
	uint32_t best = vertex, count = grid->points->count;
	for (int i = 0; i < 27; ++i) {
		struct cell_entry cell = {{own.cell[0] + i % 3 - 1, own.cell[1] + i / 3 % 3 - 1, own.cell[2] + i / 9 - 1}, 0};
		size_t at = find_cell(grid->sorted, count, &cell);
		for (uint32_t other = at < count ? grid->heads[at] : UINT32_MAX; other != UINT32_MAX; other = grid->nexts[other])
			if (other < best && d3_length_d(d3_sub_d(p, d3_points_at(grid->points, other))) <= grid->tolerance)
				best = other;
	}
	return best;
}

static void weld_nearby(struct grid *grid, uint32_t *representatives)
{
	uint32_t count = grid->points->count;
	memset(grid->heads, 0xff, count * sizeof *grid->heads);
	for (uint32_t i = 0; i < count; ++i) {
		representatives[i] = nearby(grid, i);
		if (representatives[i] != i)
			continue;
		struct cell_entry cell = entry_of(grid->points, i, grid->tolerance);
		size_t at = find_cell(grid->sorted, count, &cell);
		grid->nexts[i] = grid->heads[at];
		grid->heads[at] = i;
	}
}

static void weld_equal(const struct cell_entry *sorted, size_t count, uint32_t *representatives)
{
	for (size_t i = 0; i < count; ++i) {
		bool same = i > 0 && compare_cells(&sorted[i - 1], &sorted[i]) == 0;
		representatives[sorted[i].vertex] = same ? representatives[sorted[i - 1].vertex] : sorted[i].vertex;
	}
}

bool d3_mesh_weld(
	struct memory *memory, const struct d3_points *points, double tolerance, uint32_t *indices, size_t index_count)
{
	size_t size = points->count * sizeof(struct cell_entry), list_size = points->count * sizeof(uint32_t);
	struct cell_entry *items = memory_resize(memory, NULL, 0, size), *other = memory_resize(memory, NULL, 0, size);
	uint32_t *representatives = memory_resize(memory, NULL, 0, list_size);
	struct grid grid = {.points = points, .tolerance = tolerance};
	bool near = tolerance > 0;
	grid.heads = near ? memory_resize(memory, NULL, 0, list_size) : NULL;
	grid.nexts = near ? memory_resize(memory, NULL, 0, list_size) : NULL;
	bool done = items && other && representatives && (!near || (grid.heads && grid.nexts));
	for (uint32_t i = 0; done && i < points->count; ++i)
		items[i] = entry_of(points, i, tolerance);
	if (done) {
		grid.sorted = sort_entries(items, other, points->count);
		if (near)
			weld_nearby(&grid, representatives);
		else
			weld_equal(grid.sorted, points->count, representatives);
	}
	for (size_t i = 0; done && i < index_count; ++i)
		indices[i] = representatives[indices[i]];
	memory_free(memory, items, size);
	memory_free(memory, other, size);
	memory_free(memory, representatives, list_size);
	memory_free(memory, grid.heads, list_size);
	memory_free(memory, grid.nexts, list_size);
	return done;
}

/* --- Edges ---------------------------------------------------------------------------------------------------------------- */

enum { EDGE_MOST = 16 }; /* maximum number of triangles at one edge; if there are more, it counts as a boundary of each */

/* of flat edges, coincident triangles, ties [rad] */
static const double flat_angle = 5e-4, same_angle = 1e-6, equal_angle = 1e-9;

/* Half edge h = 3 triangle + k runs from vertex *a to *b. */
static void ends_of(const struct d3_mesh_draft *mesh, uint32_t h, uint32_t *a, uint32_t *b)
{
	*a = mesh->indices[h];
	*b = mesh->indices[h % 3 == 2 ? h - 2 : h + 1];
}

/* Sort key of a half edge: the smaller, or the greater, of its vertices. */
static uint32_t key_of(const struct d3_mesh_draft *mesh, uint32_t h, bool greater)
{
	uint32_t a, b;
	ends_of(mesh, h, &a, &b);
	return (a > b) == greater ? a : b;
}

/* A pass of a radix sort of half edges by key_of, the index of a vertex; `starts` has room for vertex_count + 1. */
static void sort_pass(const struct d3_mesh_draft *mesh, const uint32_t *from, uint32_t *to, uint32_t *starts, bool greater)
{
	size_t count = 3 * (size_t)mesh->triangle_count;
	memset(starts, 0, (mesh->vertex_count + (size_t)1) * sizeof *starts);
	for (size_t i = 0; i < count; ++i)
		starts[key_of(mesh, from[i], greater) + 1]++;
	for (uint32_t v = 0; v < mesh->vertex_count; ++v)
		starts[v + 1] += starts[v];
	for (size_t i = 0; i < count; ++i)
		to[starts[key_of(mesh, from[i], greater)]++] = from[i];
}

/* The half edges of one edge. angles: by which each one's triangle is turned about the edge from the first one's [rad]. along:
 * the half edge has the direction of the first one. */
struct fan {
	uint32_t count;
	uint32_t halves[EDGE_MOST];
	double angles[EDGE_MOST];
	bool along[EDGE_MOST];
};

static void measure_fan(const struct d3_mesh_draft *mesh, struct fan *fan)
{
	uint32_t from, to;
	ends_of(mesh, fan->halves[0], &from, &to);
	struct d3_vec_d origin = d3_widen(mesh->vertices[from]), edge = d3_sub_d(d3_widen(mesh->vertices[to]), origin), across[2];
	for (uint32_t i = 0; i < fan->count; ++i) {
		uint32_t h = fan->halves[i];
		struct d3_vec_d delta = d3_sub_d(d3_widen(mesh->vertices[mesh->indices[h % 3 == 0 ? h + 2 : h - 1]]), origin);
		fan->along[i] = mesh->indices[h] == from;
		fan->angles[i] = 0;
		if (i == 0) {
			struct d3_vec_d normal = d3_cross_d(edge, delta), inside = d3_cross_d(normal, edge);
			across[0] = d3_scale_d(1 / d3_length_d(inside), inside);
			across[1] = d3_scale_d(1 / d3_length_d(normal), normal);
		} else {
			fan->angles[i] = scalar_atan2_d(d3_dot_d(delta, across[1]), d3_dot_d(delta, across[0]));
		}
	}
}

static enum d3_edge kind_of(double angle)
{
	if (abs_d(angle - SCALAR_PI) <= flat_angle)
		return D3_EDGE_FLAT;
	return angle < SCALAR_PI ? D3_EDGE_CONCAVE : D3_EDGE_CONVEX;
}

/* Classifies the edge of half edge i for both sides of its triangle: for the front, by the first other triangle met by turning
 * about the edge from the front; for the back likewise. Skips coincident triangles and, on a one-sided surface, triangles of
 * the opposite winding. */
static void judge_half(struct d3_mesh_draft *mesh, const struct fan *fan, uint32_t i, bool one_sided)
{
	double least = INFINITY, most = -INFINITY;
	uint32_t h = fan->halves[i], triangle = h / 3, k = h % 3, front = 0, back = 0;
	for (uint32_t j = 0; j < fan->count; ++j) {
		double angle = (fan->along[i] ? 1 : -1) * (fan->angles[j] - fan->angles[i]);
		angle += angle < 0 ? 2 * SCALAR_PI : 0;
		if (j == i || angle < same_angle || angle > 2 * SCALAR_PI - same_angle || (one_sided && fan->along[i] == fan->along[j]))
			continue;
		if (angle < least - equal_angle) {
			least = angle;
			front = fan->halves[j];
		}
		if (angle > most + equal_angle) {
			most = angle;
			back = fan->halves[j];
		}
	}
	bool any = most > 0;
	enum d3_edge kinds[2] = {any ? kind_of(least) : D3_EDGE_BOUNDARY, any ? kind_of(2 * SCALAR_PI - most) : D3_EDGE_BOUNDARY};
	uint32_t gentle = any && front == back && abs_d(least - SCALAR_PI) <= D3_GENTLE;
	mesh->edges[triangle] |= (uint16_t)((uint32_t)kinds[0] << 2 * k | (uint32_t)kinds[1] << (2 * k + 6) | gentle << (k + 12));
	mesh->neighbors[h] = any && front == back ? front / 3 : D3_NO_TRIANGLE;
}

static void judge_edge(struct d3_mesh_draft *mesh, const uint32_t *halves, size_t count, bool one_sided)
{
	struct fan fan = {.count = count <= EDGE_MOST ? (uint32_t)count : 1};
	if (count <= EDGE_MOST) {
		memcpy(fan.halves, halves, count * sizeof *halves);
		measure_fan(mesh, &fan);
		for (uint32_t i = 0; i < fan.count; ++i)
			judge_half(mesh, &fan, i, one_sided);
		return;
	}
	for (size_t i = 0; i < count; ++i) {
		fan.halves[0] = halves[i];
		judge_half(mesh, &fan, 0, one_sided);
	}
}

static void judge_edges(struct d3_mesh_draft *mesh, const uint32_t *sorted, bool one_sided)
{
	size_t count = 3 * (size_t)mesh->triangle_count;
	memset(mesh->edges, 0, mesh->triangle_count * sizeof *mesh->edges);
	for (size_t from = 0, end; from < count; from = end) {
		uint32_t low = key_of(mesh, sorted[from], false), high = key_of(mesh, sorted[from], true);
		for (end = from + 1; end < count && key_of(mesh, sorted[end], false) == low && key_of(mesh, sorted[end], true) == high;)
			++end;
		judge_edge(mesh, sorted + from, end - from, one_sided);
	}
}

bool d3_mesh_join(struct memory *memory, struct d3_mesh_draft *mesh, bool one_sided)
{
	size_t count = 3 * (size_t)mesh->triangle_count, size = count * sizeof(uint32_t);
	size_t start_size = (mesh->vertex_count + (size_t)1) * sizeof(uint32_t);
	uint32_t *halves = memory_resize(memory, NULL, 0, size), *other = memory_resize(memory, NULL, 0, size);
	uint32_t *starts = memory_resize(memory, NULL, 0, start_size);
	bool done = halves != NULL && other != NULL && starts != NULL;
	if (done) {
		for (size_t i = 0; i < count; ++i)
			halves[i] = (uint32_t)i;
		sort_pass(mesh, halves, other, starts, true);
		sort_pass(mesh, other, halves, starts, false);
		judge_edges(mesh, halves, one_sided);
	}
	memory_free(memory, halves, size);
	memory_free(memory, other, size);
	memory_free(memory, starts, start_size);
	return done;
}

/* --- Edges of scaled meshes ----------------------------------------------------------------------------------------------- */

enum d3_edge d3_edge_kind(struct d3_vec_d normal, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d p, bool *gentle)
{
	struct d3_vec_d edge = d3_sub_d(b, a), delta = d3_sub_d(p, a), out = d3_cross_d(edge, normal);
	double scale = d3_length_d(edge), up = d3_dot_d(delta, normal) * scale, along = d3_dot_d(delta, out);
	*gentle = along > 0 && abs_d(up) <= D3_GENTLE * along;
	if (along > 0 && abs_d(up) <= flat_angle * along)
		return D3_EDGE_FLAT;
	return up > 0 ? D3_EDGE_CONCAVE : D3_EDGE_CONVEX;
}

uint16_t d3_edge_bits(enum d3_edge kind, bool gentle, int k)
{
	static const enum d3_edge inverse[] = {D3_EDGE_FLAT, D3_EDGE_CONVEX, D3_EDGE_CONCAVE, D3_EDGE_BOUNDARY};
	return (uint16_t)((uint32_t)kind << 2 * k | (uint32_t)inverse[kind] << (2 * k + 6) | (uint32_t)gentle << (k + 12));
}

/* Bits of edge `from`, moved to edge k. */
static uint16_t moved_bits(uint32_t edges, int from, int k)
{
	return (uint16_t)((edges >> 2 * from & 3) << 2 * k | (edges >> (2 * from + 6) & 3) << (2 * k + 6) |
		(edges >> (12 + from) & 1) << (12 + k));
}

/* Returns the bits of edge k at the mesh's scale. If both sides have the same neighbor, the kind follows from the angle between
 * the two triangles. Otherwise it stays as at scale 1: a scale does not change which of several triangles comes first around an
 * edge. */
static uint16_t scaled_edge(const struct d3_mesh *mesh, const struct d3_mesh_triangle *t, struct d3_vec_d normal, int k)
{
	uint32_t corners[3], a = t->points[k], b = t->points[(k + 1) % 3], third = a;
	if (t->neighbors[k] == D3_NO_TRIANGLE)
		return moved_bits(t->edges, k, k);
	d3_mesh_corners(mesh, t->neighbors[k], corners);
	for (int i = 0; i < 3; ++i)
		third = corners[i] != a && corners[i] != b ? corners[i] : third;
	bool gentle;
	enum d3_edge kind = d3_edge_kind(
		normal, d3_widen(t->corners[k]), d3_widen(t->corners[(k + 1) % 3]), d3_widen(d3_mesh_point(mesh, third)), &gentle);
	return d3_edge_bits(kind, gentle, k);
}

/* Swaps corners 1 and 2, and with them edges 0 and 2. */
static void mirror(struct d3_mesh_triangle *t)
{
	struct d3_vec corner = t->corners[1];
	uint32_t point = t->points[1], neighbor = t->neighbors[0];
	t->corners[1] = t->corners[2];
	t->corners[2] = corner;
	t->points[1] = t->points[2];
	t->points[2] = point;
	t->neighbors[0] = t->neighbors[2];
	t->neighbors[2] = neighbor;
	t->edges = moved_bits(t->edges, 0, 2) | moved_bits(t->edges, 1, 1) | moved_bits(t->edges, 2, 0);
}

static void scale_edges(const struct d3_mesh *mesh, struct d3_mesh_triangle *t)
{
	struct d3_vec_d p[3] = {d3_widen(t->corners[0]), d3_widen(t->corners[1]), d3_widen(t->corners[2])};
	struct d3_vec_d normal = d3_cross_d(d3_sub_d(p[1], p[0]), d3_sub_d(p[2], p[0]));
	uint16_t edges = 0;
	for (int k = 0; k < 3; ++k)
		edges |= scaled_edge(mesh, t, normal, k);
	t->edges = edges;
}

void d3_mesh_neighborhood(const struct d3_mesh *mesh, uint32_t child, struct d3_mesh_triangle *out)
{
	struct d3_mesh_record record = mesh->records[child];
	struct d3_mesh_block block = mesh->blocks[child / D3_MESH_BLOCK];
	const uint32_t *list = mesh->lists + block.vertices, *others = mesh->others + block.others;
	uint32_t first = child / D3_MESH_BLOCK * D3_MESH_BLOCK;
	struct d3_vec scale = mesh->scale;
	for (int k = 0; k < 3; ++k) {
		uint32_t neighbor = record.neighbors[k], point = list[record.corners[k]];
		out->points[k] = point;
		out->corners[k] = d3_scaled_point(scale, mesh->vertices[point]);
		out->neighbors[k] = neighbor < D3_MESH_BLOCK ? first + neighbor : others[neighbor - D3_MESH_BLOCK];
	}
	out->edges = record.edges;
	if (mesh->mirrored)
		mirror(out);
	if (mesh->uneven)
		scale_edges(mesh, out);
}
