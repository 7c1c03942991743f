/* mesh_adjacency.c - welding of equal vertices, neighbours of triangles, and kinds of edges. See shape.h for threads. */
#include "base/sort.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>

/* --- Equal vertices ------------------------------------------------------------------------------------------------------- */

/* A regular grid, whose cells are as wide as the tolerance, with the vertices found so far that represent themselves. If the
 * tolerance is 0, a cell is that of the bits of the coordinates, and only equal vertices share it. Cells are hashed: those with
 * the same hash share a list. */
struct grid {
	const struct d3_points *points;
	double tolerance;
	uint32_t *heads; /* heads of the lists; UINT32_MAX: empty */
	uint32_t *nexts; /* by vertex: the next one in its list */
	int shift; /* there are 1 << (64 - shift) lists */
	uint64_t seed; /* of the hash: see seed_of */
};

static uint64_t cell_of(double x, double tolerance)
{
	return tolerance > 0 ? (uint64_t)(int64_t)floor(x / tolerance) : scalar_bits_d(x + 0.0); /* -0 is 0 */
}

static const uint64_t odd = 0x9e3779b97f4a7c15; /* 2^64 divided by the golden ratio */

/* A hash of all points, so that nobody can choose points that all have the same hash, and take quadratic time. The result of
 * d3_mesh_weld does not depend on it. */
static uint64_t seed_of(const struct d3_points *points)
{
	uint64_t seed = 0;
	for (uint32_t i = 0; i < points->count; ++i) {
		struct d3_vec_d p = d3_points_at(points, i);
		seed = (((seed ^ scalar_bits_d(p.x)) * odd ^ scalar_bits_d(p.y)) * odd ^ scalar_bits_d(p.z)) * odd;
		seed ^= seed >> 29;
	}
	return seed;
}

static uint32_t list_of(const struct grid *grid, uint64_t x, uint64_t y, uint64_t z)
{
	uint64_t mixed = ((x ^ grid->seed) * odd ^ y) * odd;
	mixed = ((mixed ^ mixed >> 32) * odd ^ z) * odd;
	return (uint32_t)((mixed ^ mixed >> 32) * odd >> grid->shift);
}

/* The lowest of the vertex and of those in the list that are within the tolerance of it. */
static uint32_t lowest_near(const struct grid *grid, uint32_t list, uint32_t vertex)
{
	struct d3_vec_d p = d3_points_at(grid->points, vertex);
	uint32_t best = vertex;
	for (uint32_t other = grid->heads[list]; other != UINT32_MAX; other = grid->nexts[other]) {
		struct d3_vec_d delta = d3_sub_d(p, d3_points_at(grid->points, other));
		bool equal = delta.x == 0 && delta.y == 0 && delta.z == 0;
		if (other < best && (equal || (grid->tolerance > 0 && d3_length_d(delta) <= grid->tolerance)))
			best = other;
	}
	return best;
}

/* The vertex that represents this one, which is added to the grid if it represents itself. */
static uint32_t represent(struct grid *grid, uint32_t vertex)
{
	struct d3_vec_d p = d3_points_at(grid->points, vertex);
	uint64_t x = cell_of(p.x, grid->tolerance), y = cell_of(p.y, grid->tolerance), z = cell_of(p.z, grid->tolerance);
	uint32_t own = list_of(grid, x, y, z), best = lowest_near(grid, own, vertex);
	for (uint64_t i = 0; i < 27 && grid->tolerance > 0; ++i) {
		uint32_t list = list_of(grid, x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1);
		uint32_t near = list == own ? best : lowest_near(grid, list, vertex);
		best = near < best ? near : best;
	}
	if (best == vertex) {
		grid->nexts[vertex] = grid->heads[own];
		grid->heads[own] = vertex;
	}
	return best;
}

bool d3_mesh_weld(
	struct memory *memory, const struct d3_points *points, double tolerance, uint32_t *indices, size_t index_count)
{
	struct grid grid = {.points = points, .tolerance = tolerance, .shift = 63, .seed = seed_of(points)};
	while (grid.shift > 32 && (uint64_t)1 << (64 - grid.shift) < points->count)
		--grid.shift;
	size_t head_size = sizeof(uint32_t) << (64 - grid.shift), list_size = points->count * sizeof(uint32_t);
	uint32_t *representatives = memory_resize(memory, NULL, 0, list_size);
	grid.heads = memory_resize(memory, NULL, 0, head_size);
	grid.nexts = memory_resize(memory, NULL, 0, list_size);
	bool done = representatives != NULL && grid.heads != NULL && grid.nexts != NULL;
	if (done) {
		memset(grid.heads, 0xff, head_size);
		for (uint32_t i = 0; i < points->count; ++i)
			representatives[i] = represent(&grid, i);
		for (size_t i = 0; i < index_count; ++i)
			indices[i] = representatives[indices[i]];
	}
	memory_free(memory, representatives, list_size);
	memory_free(memory, grid.heads, head_size);
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

/* The third corner of the half edge's triangle. */
static struct d3_vec_d apex_of(const struct d3_mesh_draft *mesh, uint32_t h)
{
	return d3_widen(mesh->vertices[mesh->indices[h % 3 == 0 ? h + 2 : h - 1]]);
}

/* The direction to p from the edge from a to b of a triangle with this normal, which may have any length: along the triangle's
 * plane, away from it, and up along the normal, on the same scale. */
struct bend {
	double along, up;
};

static struct bend bend_to(struct d3_vec_d normal, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d p)
{
	struct d3_vec_d edge = d3_sub_d(b, a), delta = d3_sub_d(p, a);
	return (struct bend){d3_dot_d(delta, d3_cross_d(edge, normal)), d3_dot_d(delta, normal) * d3_length_d(edge)};
}

static enum d3_edge kind_of_bend(struct bend bend, bool *gentle)
{
	*gentle = bend.along > 0 && abs_d(bend.up) <= D3_GENTLE * bend.along;
	if (bend.along > 0 && abs_d(bend.up) <= flat_angle * bend.along)
		return D3_EDGE_FLAT;
	return bend.up > 0 ? D3_EDGE_CONCAVE : D3_EDGE_CONVEX;
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
		struct d3_vec_d delta = d3_sub_d(apex_of(mesh, h), origin);
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

/* The kind of an edge seen from the back, if it is `kind` from the front. */
static enum d3_edge reversed(enum d3_edge kind)
{
	static const enum d3_edge kinds[] = {D3_EDGE_FLAT, D3_EDGE_CONVEX, D3_EDGE_CONCAVE, D3_EDGE_BOUNDARY};
	return kinds[kind];
}

/* As judge_half for both half edges of an edge, without angles. */
static void judge_pair(struct d3_mesh_draft *mesh, uint32_t h, uint32_t other, bool one_sided)
{
	uint32_t from, to;
	ends_of(mesh, h, &from, &to);
	struct d3_vec_d a = d3_widen(mesh->vertices[from]), b = d3_widen(mesh->vertices[to]);
	struct d3_vec_d normal = d3_cross_d(d3_sub_d(b, a), d3_sub_d(apex_of(mesh, h), a));
	struct bend bend = bend_to(normal, a, b, apex_of(mesh, other));
	bool along = mesh->indices[other] == from, coincident = abs_d(bend.up) <= same_angle * -bend.along, gentle = false;
	enum d3_edge kind = D3_EDGE_BOUNDARY, reverse = D3_EDGE_BOUNDARY;
	mesh->neighbors[h] = mesh->neighbors[other] = D3_NO_TRIANGLE;
	if (!coincident && !(one_sided && along)) {
		kind = kind_of_bend(bend, &gentle);
		reverse = along ? reversed(kind) : kind;
		mesh->neighbors[h] = other / 3;
		mesh->neighbors[other] = h / 3;
	}
	mesh->edges[h / 3] |= d3_edge_bits(kind, gentle, (int)(h % 3));
	mesh->edges[other / 3] |= d3_edge_bits(reverse, gentle, (int)(other % 3));
}

/* keys: of the edge's half edges, in the lower halves. */
static void judge_edge(struct d3_mesh_draft *mesh, const uint64_t *keys, size_t count, bool one_sided)
{
	struct fan fan = {.count = count <= EDGE_MOST ? (uint32_t)count : 1};
	if (count == 2) {
		judge_pair(mesh, (uint32_t)keys[0], (uint32_t)keys[1], one_sided);
		return;
	}
	if (count <= EDGE_MOST) {
		for (size_t i = 0; i < count; ++i)
			fan.halves[i] = (uint32_t)keys[i];
		measure_fan(mesh, &fan);
		for (uint32_t i = 0; i < fan.count; ++i)
			judge_half(mesh, &fan, i, one_sided);
		return;
	}
	for (size_t i = 0; i < count; ++i) {
		fan.halves[0] = (uint32_t)keys[i];
		judge_half(mesh, &fan, 0, one_sided);
	}
}

/* keys: of the half edges with the same lower vertex: the higher vertex << 32 | the half edge. */
static void judge_edges(struct d3_mesh_draft *mesh, uint64_t *keys, uint64_t *other, uint32_t count, bool one_sided)
{
	keys = sort_keys(keys, other, count);
	for (uint32_t from = 0, end; from < count; from = end) {
		for (end = from + 1; end < count && keys[end] >> 32 == keys[from] >> 32;)
			++end;
		judge_edge(mesh, keys + from, end - from, one_sided);
	}
}

/* Writes the keys of all half edges, see judge_edges, grouped by their lower vertices. ends: receives the end of each vertex's
 * group. Returns the size of the largest. */
static uint32_t group_halves(const struct d3_mesh_draft *mesh, uint64_t *keys, uint32_t *ends)
{
	uint32_t count = 3 * mesh->triangle_count, a, b, start = 0, most = 0;
	memset(ends, 0, mesh->vertex_count * sizeof *ends);
	for (uint32_t h = 0; h < count; ++h) {
		ends_of(mesh, h, &a, &b);
		++ends[a < b ? a : b];
	}
	for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
		uint32_t size = ends[v];
		most = size > most ? size : most;
		ends[v] = start;
		start += size;
	}
	for (uint32_t h = 0; h < count; ++h) {
		ends_of(mesh, h, &a, &b);
		keys[ends[a < b ? a : b]++] = (uint64_t)(a < b ? b : a) << 32 | h;
	}
	return most;
}

bool d3_mesh_join(struct memory *memory, struct d3_mesh_draft *mesh, bool one_sided)
{
	size_t size = 3 * (size_t)mesh->triangle_count * sizeof(uint64_t), end_size = mesh->vertex_count * sizeof(uint32_t);
	uint64_t *keys = memory_resize(memory, NULL, 0, size), *other = NULL;
	uint32_t *ends = memory_resize(memory, NULL, 0, end_size), most = 0;
	if (keys != NULL && ends != NULL) {
		most = group_halves(mesh, keys, ends);
		other = memory_resize(memory, NULL, 0, most * sizeof *other);
	}
	if (other != NULL) {
		memset(mesh->edges, 0, mesh->triangle_count * sizeof *mesh->edges);
		for (uint32_t v = 0, begin = 0; v < mesh->vertex_count; begin = ends[v++])
			judge_edges(mesh, keys + begin, other, ends[v] - begin, one_sided);
	}
	bool done = other != NULL;
	memory_free(memory, keys, size);
	memory_free(memory, ends, end_size);
	memory_free(memory, other, most * sizeof *other);
	return done;
}

/* --- Edges of scaled meshes ----------------------------------------------------------------------------------------------- */

enum d3_edge d3_edge_kind(struct d3_vec_d normal, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d p, bool *gentle)
{
	return kind_of_bend(bend_to(normal, a, b, p), gentle);
}

uint16_t d3_edge_bits(enum d3_edge kind, bool gentle, int k)
{
	return (uint16_t)((uint32_t)kind << 2 * k | (uint32_t)reversed(kind) << (2 * k + 6) | (uint32_t)gentle << (k + 12));
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
