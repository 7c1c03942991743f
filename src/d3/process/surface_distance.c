/* surface_distance.c - see surface_distance.h. */
#include "d3/process/surface_distance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_TRIANGLES = 4 };

static void triangle_of(const struct d3_surface *s, uint32_t t, struct d3_vec_d corners[3])
{
	for (int i = 0; i < 3; ++i)
		corners[i] = s->vertices[s->indices[3 * (size_t)t + (size_t)i]];
}

/* --- Vertices and edges --------------------------------------------------------------------------------------------------- */

struct keyed {
	uint64_t key;
	uint32_t value;
};

static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* Sets the twins. Sorts half edges by their two vertices, so that an edge's half edges follow each other. With `closed`,
 * returns an error for an edge without twins. */
static enum d3_surface_result pair_edges(struct d3_surface *s, bool closed, uint32_t where[3])
{
	enum d3_surface_result result = D3_SURFACE_OK;
	uint32_t count = 3 * s->triangle_count;
	struct keyed *halves = memory_resize(s->memory, NULL, 0, count * sizeof *halves);
	if (!halves)
		return D3_SURFACE_OUT_OF_MEMORY;
	for (uint32_t h = 0; h < count; ++h) {
		uint64_t a = s->indices[h], b = s->indices[h % 3 == 2 ? h - 2 : h + 1];
		halves[h] = (struct keyed){a < b ? a << 32 | b : b << 32 | a, h};
		s->twins[h] = D3_SURFACE_NONE;
	}
	qsort(halves, count, sizeof *halves, compare_keyed);
	for (uint32_t i = 0, end; i < count && result == D3_SURFACE_OK; i = end) {
		for (end = i + 1; end < count && halves[end].key == halves[i].key;)
			++end;
		uint32_t a = halves[i].value, b = halves[end - 1].value;
		if (end - i == 2 && s->indices[a] != s->indices[b]) {
			s->twins[a] = b;
			s->twins[b] = a;
		} else if (closed) {
			result = end - i == 1 ? D3_SURFACE_OPEN : end - i > 2 ? D3_SURFACE_CROWDED : D3_SURFACE_TWISTED;
			where[0] = (uint32_t)(halves[i].key >> 32);
			where[1] = (uint32_t)halves[i].key;
			where[2] = a / 3;
		}
	}
	memory_free(s->memory, halves, count * sizeof *halves);
	return result;
}

/* --- Normals -------------------------------------------------------------------------------------------------------------- */

/* A triangle whose height is below this fraction of its longest side has a normal of mere rounding error. */
static const double flat_tolerance = 1e-10;

static enum d3_surface_result face_normals(struct d3_surface *s, uint32_t where[3])
{
	for (uint32_t t = 0; t < s->triangle_count; ++t) {
		struct d3_vec_d c[3];
		triangle_of(s, t, c);
		struct d3_vec_d u = d3_sub_d(c[1], c[0]), v = d3_sub_d(c[2], c[0]), w = d3_sub_d(c[2], c[1]), n = d3_cross_d(u, v);
		double length = d3_length_d(n), longest = max_d(max_d(d3_dot_d(u, u), d3_dot_d(v, v)), d3_dot_d(w, w));
		if (!(length > flat_tolerance * longest)) {
			where[0] = t;
			return D3_SURFACE_FLAT;
		}
		s->normals[t] = d3_scale_d(1 / length, n);
	}
	return D3_SURFACE_OK;
}

static double corner_angle(const struct d3_surface *s, uint32_t h)
{
	uint32_t t = h / 3, i = h % 3;
	struct d3_vec_d c[3];
	triangle_of(s, t, c);
	struct d3_vec_d u = d3_sub_d(c[(i + 1) % 3], c[i]), v = d3_sub_d(c[(i + 2) % 3], c[i]);
	return scalar_atan2_d(d3_length_d(d3_cross_d(u, v)), d3_dot_d(u, v));
}

/* Sets the corner normals, by going around each corner along the twins: where several fans share a vertex, each has its own
 * normal. */
static void corner_normals(struct d3_surface *s)
{
	for (uint32_t start = 0; start < 3 * s->triangle_count; ++start) {
		struct d3_vec_d sum = {0, 0, 0};
		uint32_t h = start;
		do {
			sum = d3_mul_add_d(sum, corner_angle(s, h), s->normals[h / 3]);
			h = s->twins[h % 3 == 0 ? h + 2 : h - 1];
		} while (h != start);
		s->corner_normals[start] = sum;
	}
}

static double volume(const struct d3_surface *s)
{
	double sum = 0;
	for (uint32_t t = 0; t < s->triangle_count; ++t) {
		struct d3_vec_d c[3];
		triangle_of(s, t, c);
		for (int i = 0; i < 3; ++i)
			c[i] = d3_sub_d(c[i], s->vertices[s->indices[0]]);
		sum += d3_dot_d(c[0], d3_cross_d(c[1], c[2])) / 6;
	}
	return sum;
}

/* --- The tree ------------------------------------------------------------------------------------------------------------- */

static uint64_t spread(double x)
{
	uint64_t v = (uint64_t)clamp_d(x * 1048576, 0, 1048575), bits = 0;
	for (int i = 0; i < 20; ++i)
		bits |= (v >> i & 1) << 3 * i;
	return bits;
}

static bool sort_along_curve(struct d3_surface *s, struct d3_vec_d lower)
{
	struct keyed *keys = memory_resize(s->memory, NULL, 0, s->triangle_count * sizeof *keys);
	if (!keys)
		return false;
	for (uint32_t t = 0; t < s->triangle_count; ++t) {
		struct d3_vec_d c[3];
		triangle_of(s, t, c);
		keys[t] = (struct keyed){0, t};
		struct d3_vec_d sum = d3_add_d(d3_add_d(c[0], c[1]), c[2]);
		for (int i = 0; i < 3; ++i)
			keys[t].key |= spread((d3_coordinate_d(sum, i) / 3 - d3_coordinate_d(lower, i)) / s->size) << i;
	}
	qsort(keys, s->triangle_count, sizeof *keys, compare_keyed);
	for (uint32_t i = 0; i < s->triangle_count; ++i)
		s->order[i] = keys[i].value;
	memory_free(s->memory, keys, s->triangle_count * sizeof *keys);
	return true;
}

/* Builds the node of `count` triangles along the curve, and its children, by halving. So the depth is logarithmic. */
static uint32_t build(struct d3_surface *s, uint32_t first, uint32_t count)
{
	uint32_t index = s->node_count++;
	struct d3_surface_node *node = &s->nodes[index];
	if (count <= LEAF_TRIANGLES) {
		node->first = first;
		node->count = count;
		node->lower = (struct d3_vec_d){INFINITY, INFINITY, INFINITY};
		node->upper = d3_neg_d(node->lower);
		for (uint32_t k = 0; k < 3 * count; ++k) {
			struct d3_vec_d p = s->vertices[s->indices[3 * (size_t)s->order[first + k / 3] + k % 3]];
			node->lower = d3_min_d(node->lower, p);
			node->upper = d3_max_d(node->upper, p);
		}
		return index;
	}
	node->count = 0;
	build(s, first, count / 2);
	node->first = build(s, first + count / 2, count - count / 2);
	const struct d3_surface_node *a = node + 1, *b = &s->nodes[node->first];
	node->lower = d3_min_d(a->lower, b->lower);
	node->upper = d3_max_d(a->upper, b->upper);
	return index;
}

/* A surface that encloses less than this fraction of its size cubed counts as empty. */
static const double empty_tolerance = 1e-14;

static enum d3_surface_result fill(struct d3_surface *s, bool closed, uint32_t where[3])
{
	struct d3_vec_d lower, upper;
	enum d3_surface_result result = face_normals(s, where);
	if (result == D3_SURFACE_OK)
		result = pair_edges(s, closed, where);
	if (result != D3_SURFACE_OK)
		return result;
	s->size = d3_points_box(
		&(struct d3_points){.wide = s->vertices, .index = s->indices, .count = 3 * s->triangle_count}, &lower, &upper);
	if (!sort_along_curve(s, lower))
		return D3_SURFACE_OUT_OF_MEMORY;
	build(s, 0, s->triangle_count);
	if (!closed)
		return D3_SURFACE_OK;
	double inside = volume(s), least = empty_tolerance * s->size * s->size * s->size;
	if (!(inside > least))
		return inside < -least ? D3_SURFACE_INVERTED : D3_SURFACE_EMPTY;
	corner_normals(s);
	return D3_SURFACE_OK;
}

enum d3_surface_result d3_surface_create(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, int options, struct d3_surface *out, uint32_t where[3])
{
	assert(triangle_count > 0);
	size_t n = triangle_count;
	bool closed = options & D3_SURFACE_CLOSED, weld = options & D3_SURFACE_WELD;
	*out = (struct d3_surface){.memory = memory,
		.vertex_count = vertex_count,
		.triangle_count = triangle_count,
		.vertices = vertices,
		.indices = indices};
	out->twins = memory_resize(memory, NULL, 0, 3 * n * sizeof *out->twins);
	out->normals = memory_resize(memory, NULL, 0, n * sizeof *out->normals);
	out->corner_normals = closed ? memory_resize(memory, NULL, 0, 3 * n * sizeof *out->corner_normals) : NULL;
	out->order = memory_resize(memory, NULL, 0, n * sizeof *out->order);
	out->nodes = memory_resize(memory, NULL, 0, 2 * n * sizeof *out->nodes);
	out->welded = weld ? memory_resize(memory, NULL, 0, 3 * n * sizeof *out->welded) : NULL;
	bool made =
		out->twins && out->normals && (out->corner_normals || !closed) && out->order && out->nodes && (out->welded || !weld);
	if (made && weld) {
		struct d3_points points = {.wide = vertices, .count = vertex_count};
		out->indices = memcpy(out->welded, indices, 3 * n * sizeof *indices);
		made = d3_mesh_weld(memory, &points, 0, out->welded, 3 * n);
	}
	enum d3_surface_result result = made ? fill(out, closed, where) : D3_SURFACE_OUT_OF_MEMORY;
	if (result != D3_SURFACE_OK)
		d3_surface_free(out);
	return result;
}

void d3_surface_free(struct d3_surface *s)
{
	size_t n = s->triangle_count;
	memory_free(s->memory, s->twins, 3 * n * sizeof *s->twins);
	memory_free(s->memory, s->normals, n * sizeof *s->normals);
	memory_free(s->memory, s->corner_normals, 3 * n * sizeof *s->corner_normals);
	memory_free(s->memory, s->order, n * sizeof *s->order);
	memory_free(s->memory, s->nodes, 2 * n * sizeof *s->nodes);
	memory_free(s->memory, s->welded, 3 * n * sizeof *s->welded);
}

/* --- Distances ------------------------------------------------------------------------------------------------------------ */

static double squared(struct d3_vec_d a)
{
	return d3_dot_d(a, a);
}

/* The result for p if corner k of the triangle is nearest to it. */
static struct d3_surface_point at_corner(const struct d3_vec_d c[3], int k, struct d3_vec_d p)
{
	return (struct d3_surface_point){.square = squared(d3_sub_d(p, c[k])), .at = c[k], .feature = 4 + k};
}

/* The result for p if a + t ab, on the feature, is nearest to it. */
static struct d3_surface_point at_edge(struct d3_vec_d a, struct d3_vec_d ab, double t, int feature, struct d3_vec_d p)
{
	struct d3_vec_d at = d3_mul_add_d(a, t, ab);
	return (struct d3_surface_point){.square = squared(d3_sub_d(p, at)), .at = at, .feature = feature};
}

/* Uses the regions of Ericson, "Real-Time Collision Detection", 2005, section 5.1.5. */
struct d3_surface_point d3_surface_triangle_nearest(const struct d3_vec_d c[3], struct d3_vec_d p)
{
	struct d3_vec_d ab = d3_sub_d(c[1], c[0]), ac = d3_sub_d(c[2], c[0]), ap = d3_sub_d(p, c[0]);
	double d1 = d3_dot_d(ab, ap), d2 = d3_dot_d(ac, ap);
	if (d1 <= 0 && d2 <= 0)
		return at_corner(c, 0, p);
	struct d3_vec_d bp = d3_sub_d(p, c[1]);
	double d3 = d3_dot_d(ab, bp), d4 = d3_dot_d(ac, bp);
	if (d3 >= 0 && d4 <= d3)
		return at_corner(c, 1, p);
	double vc = d1 * d4 - d3 * d2;
	if (vc <= 0 && d1 >= 0 && d3 <= 0)
		return at_edge(c[0], ab, d1 > 0 ? d1 / (d1 - d3) : 0, 1, p);
	struct d3_vec_d cp = d3_sub_d(p, c[2]);
	double d5 = d3_dot_d(ab, cp), d6 = d3_dot_d(ac, cp);
	if (d6 >= 0 && d5 <= d6)
		return at_corner(c, 2, p);
	double vb = d5 * d2 - d1 * d6;
	if (vb <= 0 && d2 >= 0 && d6 <= 0)
		return at_edge(c[0], ac, d2 > 0 ? d2 / (d2 - d6) : 0, 3, p);
	double va = d3 * d6 - d5 * d4, u = d4 - d3, v = d5 - d6;
	if (va <= 0 && u >= 0 && v >= 0)
		return at_edge(c[1], d3_sub_d(c[2], c[1]), u + v > 0 ? u / (u + v) : 0, 2, p);
	double all = va + vb + vc;
	return at_edge(d3_mul_add_d(c[0], vb / all, ab), ac, vc / all, 0, p);
}

static double box_distance(const struct d3_surface_node *node, struct d3_vec_d p)
{
	const struct d3_vec_d inside = {0, 0, 0};
	return squared(d3_max_d(d3_max_d(d3_sub_d(node->lower, p), d3_sub_d(p, node->upper)), inside));
}

struct d3_surface_point d3_surface_nearest(const struct d3_surface *s, struct d3_vec_d p)
{
	struct d3_surface_point best = {.square = INFINITY, .at = p};
	struct {
		uint32_t node;
		double distance;
	} stack[64] = {{0, 0}};
	uint32_t depth = 1;
	while (depth > 0) {
		--depth;
		uint32_t index = stack[depth].node;
		const struct d3_surface_node *node = &s->nodes[index];
		if (!(stack[depth].distance < best.square))
			continue;
		for (uint32_t i = node->first; i < node->first + node->count; ++i) {
			struct d3_vec_d c[3];
			triangle_of(s, s->order[i], c);
			struct d3_surface_point point = d3_surface_triangle_nearest(c, p);
			point.triangle = s->order[i];
			if (point.square < best.square || (point.square == best.square && point.triangle < best.triangle))
				best = point;
		}
		if (node->count)
			continue;
		uint32_t children[2] = {node->first, index + 1}; /* the farther one is pushed first */
		double distances[2] = {box_distance(&s->nodes[children[0]], p), box_distance(&s->nodes[children[1]], p)};
		assert(depth + 2 <= 64);
		for (int i = 0, swap = distances[0] < distances[1]; i < 2; ++i) {
			stack[depth].node = children[i ^ swap];
			stack[depth++].distance = distances[i ^ swap];
		}
	}
	return best;
}

/* The signed distance of p, whose nearest point on the surface is `nearest`. */
static double signed_distance(const struct d3_surface *s, struct d3_vec_d p, const struct d3_surface_point *nearest)
{
	size_t first = 3 * (size_t)nearest->triangle;
	struct d3_vec_d n = s->normals[nearest->triangle];
	if (nearest->feature >= 4)
		n = s->corner_normals[first + (size_t)nearest->feature - 4];
	else if (nearest->feature > 0)
		n = d3_add_d(n, s->normals[s->twins[first + (size_t)nearest->feature - 1] / 3]);
	double distance = sqrt(nearest->square);
	return d3_dot_d(n, d3_sub_d(p, nearest->at)) < 0 ? -distance : distance;
}

double d3_surface_distance(const struct d3_surface *s, struct d3_vec_d p)
{
	struct d3_surface_point nearest = d3_surface_nearest(s, p);
	return signed_distance(s, p, &nearest);
}

/* --- Triangle overlap ----------------------------------------------------------------------------------------------------- */

/* Whether the projections of two triangles onto the axis are disjoint. */
static bool apart(const struct d3_vec_d a[3], const struct d3_vec_d b[3], struct d3_vec_d axis)
{
	double a0 = d3_dot_d(axis, a[0]), a1 = d3_dot_d(axis, a[1]), a2 = d3_dot_d(axis, a[2]);
	double b0 = d3_dot_d(axis, b[0]), b1 = d3_dot_d(axis, b[1]), b2 = d3_dot_d(axis, b[2]);
	return max_d(max_d(a0, a1), a2) < min_d(min_d(b0, b1), b2) || max_d(max_d(b0, b1), b2) < min_d(min_d(a0, a1), a2);
}

/* Whether two triangles overlap. Only a separating axis proves that they do not, so unsure cases count as overlap. */
static bool overlap(const struct d3_vec_d a[3], const struct d3_vec_d b[3])
{
	struct d3_vec_d o = a[0], p[3], q[3], u[3], v[3];
	for (int i = 0; i < 3; ++i) {
		p[i] = d3_sub_d(a[i], o);
		q[i] = d3_sub_d(b[i], o);
		u[i] = d3_sub_d(a[(i + 1) % 3], a[i]);
		v[i] = d3_sub_d(b[(i + 1) % 3], b[i]);
	}
	struct d3_vec_d m = d3_cross_d(u[0], u[1]), n = d3_cross_d(v[0], v[1]);
	if (apart(p, q, m) || apart(p, q, n))
		return false;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			if (apart(p, q, d3_cross_d(u[i], v[j])))
				return false;
	for (int i = 0; i < 3; ++i)
		if (apart(p, q, d3_cross_d(m, u[i])) || apart(p, q, d3_cross_d(n, v[i])))
			return false;
	return true;
}

static bool crosses(const struct d3_surface *s, const struct d3_vec_d c[3])
{
	uint32_t stack[64], depth = 0;
	struct d3_vec_d lower = d3_min_d(d3_min_d(c[0], c[1]), c[2]), upper = d3_max_d(d3_max_d(c[0], c[1]), c[2]);
	stack[depth++] = 0;
	while (depth > 0) {
		uint32_t index = stack[--depth];
		const struct d3_surface_node *node = &s->nodes[index];
		bool away = false;
		for (int i = 0; i < 3; ++i)
			away = away || d3_coordinate_d(node->lower, i) > d3_coordinate_d(upper, i) ||
				d3_coordinate_d(node->upper, i) < d3_coordinate_d(lower, i);
		if (away)
			continue;
		for (uint32_t i = node->first; i < node->first + node->count; ++i) {
			struct d3_vec_d other[3];
			triangle_of(s, s->order[i], other);
			if (overlap(c, other))
				return true;
		}
		if (node->count)
			continue;
		assert(depth + 2 <= 64);
		stack[depth++] = node->first;
		stack[depth++] = index + 1;
	}
	return false;
}

/* --- Deviation ------------------------------------------------------------------------------------------------------------ */

void d3_surface_quarter(const struct d3_vec_d c[3], struct d3_vec_d parts[4][3])
{
	for (int i = 0; i < 3; ++i) {
		parts[3][i] = d3_scale_d(0.5, d3_add_d(c[i], c[(i + 1) % 3]));
		parts[i][0] = c[i];
	}
	for (int i = 0; i < 3; ++i) {
		parts[i][1] = parts[3][i];
		parts[i][2] = parts[3][(i + 2) % 3];
	}
}

/* Whether the triangle, its points moved towards the centre by at most `length`, is inside the surface and does not cross
 * it. */
static bool shrinks_inside(const struct d3_surface *s, const struct d3_vec_d c[3], struct d3_vec_d centre, double length)
{
	double reach = 0;
	struct d3_vec_d small[3], sum = {0, 0, 0};
	for (int i = 0; i < 3; ++i)
		reach = max_d(reach, d3_length_d(d3_sub_d(c[i], centre)));
	if (!(reach > length))
		return false;
	for (int i = 0; i < 3; ++i) {
		small[i] = d3_mul_add_d(c[i], length / reach, d3_sub_d(centre, c[i]));
		sum = d3_mul_add_d(sum, 1.0 / 3, small[i]);
	}
	return d3_surface_distance(s, sum) < 0 && !crosses(s, small);
}

/* Returns an upper bound of the greatest distance of the triangle's points; raises deviation->lower to the centroid's. Once it
 * is no more than the bounds so far, it is not tightened further. */
static double bound(const struct d3_surface *s, const struct d3_vec_d c[3], const struct d3_vec_d *centre, double goal,
	double precision, struct d3_deviation *deviation)
{
	struct d3_vec_d middle = d3_scale_d(1.0 / 3, d3_add_d(d3_add_d(c[0], c[1]), c[2])), near[3];
	struct d3_surface_point nearest = d3_surface_nearest(s, middle);
	double distance = centre ? signed_distance(s, middle, &nearest) : sqrt(nearest.square);
	double radius = 0, corner = 0;
	triangle_of(s, nearest.triangle, near);
	for (int i = 0; i < 3; ++i) {
		radius = max_d(radius, squared(d3_sub_d(c[i], middle)));
		corner = max_d(corner, d3_surface_triangle_nearest(near, c[i]).square);
	}
	double upper = min_d(sqrt(corner), max_d(0, distance + sqrt(radius)));
	if (distance > deviation->lower) {
		deviation->lower = distance;
		deviation->at = middle;
	}
	double wanted = max_d(deviation->lower, deviation->upper), shrink[4] = {1e-9 * s->size, precision, goal / 2, goal * 0.999};
	for (int i = 0; i < 4 && centre && distance < shrink[i]; ++i)
		if (upper > wanted && shrink[i] < upper && (i == 0 || shrink[i] > shrink[i - 1]) &&
			shrinks_inside(s, c, *centre, shrink[i]))
			upper = shrink[i];
	return upper;
}

bool d3_surface_deviation(const struct d3_surface *s, const struct d3_vec_d corners[3], const struct d3_vec_d *centre,
	double goal, double precision, struct d3_deviation *deviation)
{
	enum { DEPTH = 16 };
	struct {
		struct d3_vec_d c[3];
		int level;
	} stack[3 * DEPTH + 4];
	int depth = 1;
	memcpy(stack[0].c, corners, sizeof stack[0].c);
	stack[0].level = 0;
	while (depth > 0) {
		struct d3_vec_d c[3];
		int level = stack[--depth].level;
		memcpy(c, stack[depth].c, sizeof c);
		double upper = bound(s, c, centre, goal, precision, deviation);
		if (deviation->lower > goal)
			return false;
		if (upper <= deviation->upper)
			continue;
		bool fine = upper <= goal && upper <= deviation->lower + precision, last = level == DEPTH || deviation->budget == 0;
		if (fine || last)
			deviation->upper = upper;
		if (last && upper > goal)
			return false;
		if (fine || last)
			continue;
		--deviation->budget;
		struct d3_vec_d parts[4][3];
		d3_surface_quarter(c, parts);
		for (int i = 0; i < 4; ++i) {
			memcpy(stack[depth].c, parts[i], sizeof parts[i]);
			stack[depth++].level = level + 1;
		}
	}
	return true;
}
