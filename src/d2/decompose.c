/* decompose.c - convex pieces: clean up, refuse what is not simple, cut into triangles, turn diagonals towards Delaunay's, and take
** out diagonals while the pieces stay convex.
** Sources: Meisters, "Polygons have ears", 1975; Lawson, "Software for C1 surface interpolation", 1977; Hertel and Mehlhorn, "Fast
** triangulation of simple polygons", 1983; Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
** predicates", 1997.
** Invariant: whatever decides about the result's validity asks d2_turn_exact; rounding decides only which of several valid
** results it is.
** Floor: d2. Pure, any thread. */
#include "d2/decompose.h"

#include <assert.h>
#include <string.h>

enum { NONE = -1 };

/* --- The exact sign ---------------------------------------------------------------------------------------------------- */

/* Adds x to a sum kept as `count` doubles that do not overlap, the largest last; its sign is that of the last one but zeros. */
static int sum_grow(double *sum, int count, double x)
{
	int n = 0;
	for (int i = 0; i < count; ++i) {
		double total = x + sum[i], part = total - x;
		double rest = (x - (total - part)) + (sum[i] - part);
		x = total;
		if (rest != 0)
			sum[n++] = rest;
	}
	sum[n++] = x;
	return n;
}

static int turn_slow(const double *a, const double *b, const double *c)
{
	/* a x b + b x c + c x a: six products, each with its rounding error, which fma tells. */
	const double factors[6][2] = { { a[0], b[1] }, { -a[1], b[0] }, { b[0], c[1] }, { -b[1], c[0] }, { c[0], a[1] }, { -c[1], a[0] } };
	double sum[12];
	int count = 0;
	for (int i = 0; i < 6; ++i) {
		double product = factors[i][0] * factors[i][1];
		count = sum_grow(sum, count, fma(factors[i][0], factors[i][1], -product));
		count = sum_grow(sum, count, product);
	}
	double largest = sum[count - 1];
	return (largest > 0) - (largest < 0);
}

int d2_turn_exact(const double *a, const double *b, const double *c)
{
	double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
	double area = left - right, bound = 4e-16 * (abs_d(left) + abs_d(right)); /* Shewchuk's: (3 + 16 eps) eps, eps = 2^-53 */
	if (area > bound)
		return 1;
	if (area < -bound)
		return -1;
	return turn_slow(a, b, c);
}

/* --- Work space -------------------------------------------------------------------------------------------------------- */

/* Half an edge: from the corner `from`, with its face on the left. */
struct half {
	int from, next, before, twin; /* twin: the same edge from the other side; NONE on the outline */
};

struct work {
	const double *points;
	int count; /* corners of the cleaned outline */
	int *corner; /* [count], indices of points, counter-clockwise */
	int *order; /* edges by their left ends; then diagonals by their lengths */
	int *next, *before; /* the outline as what is left of it while ears are cut */
	int *outer; /* the half edge outside of the edge from corner i to the next */
	struct half *halves; /* three for each triangle */
	int *group; /* of half edges: faces joined, by union and find; the face of a half edge is its first triangle's */
	int *size; /* corners of a face, by group */
	uint32_t *start, *index; /* what comes out */
	double *key; /* to sort by */
};

static size_t aligned(size_t bytes)
{
	return (bytes + 15) & ~(size_t)15;
}

static void *carve(char **space, size_t bytes)
{
	void *block = *space;
	*space += aligned(bytes);
	return block;
}

size_t d2_decompose_space(uint32_t count)
{
	return 11 * aligned(count * 3 * sizeof(int)) + aligned(count * 3 * sizeof(struct half)) + aligned(count * 3 * sizeof(double));
}

static struct work work_create(const double *points, uint32_t count, void *space)
{
	char *at = space;
	size_t words = count * 3 * sizeof(int);
	return (struct work){ points, 0, carve(&at, words), carve(&at, words), carve(&at, words), carve(&at, words), carve(&at, words),
		carve(&at, count * 3 * sizeof(struct half)), carve(&at, words), carve(&at, words), carve(&at, words), carve(&at, words),
		carve(&at, count * 3 * sizeof(double)) };
}

/* Of a corner of the cleaned outline. */
static const double *point_of(const struct work *work, int corner)
{
	return work->points + 2 * (size_t)work->corner[corner];
}

static int turn_of(const struct work *work, int a, int b, int c)
{
	return d2_turn_exact(point_of(work, a), point_of(work, b), point_of(work, c));
}

/* Sorts work->order by key, by merging: stable, so that the result does not depend on the library. scratch: as long. */
static void sort_by_key(const double *key, int *order, int *scratch, int count)
{
	for (int width = 1; width < count; width *= 2) {
		for (int low = 0; low < count; low += 2 * width) {
			int middle = low + width < count ? low + width : count, high = low + 2 * width < count ? low + 2 * width : count;
			for (int i = low, k = middle, n = low; n < high; ++n)
				scratch[n] = k == high || (i < middle && key[order[i]] <= key[order[k]]) ? order[i++] : order[k++];
		}
		memcpy(order, scratch, (size_t)count * sizeof *order);
	}
}

/* --- Cleaning up ------------------------------------------------------------------------------------------------------- */

static bool same(const double *a, const double *b)
{
	return a[0] == b[0] && a[1] == b[1];
}

/* For points on one line: whether c is on the other side of b than a. */
static bool goes_on(const double *a, const double *b, const double *c)
{
	int axis = a[0] != b[0] ? 0 : 1;
	return (a[axis] < b[axis]) == (b[axis] < c[axis]);
}

static void drop_doubles(struct work *work, int count)
{
	int n = 0;
	for (int i = 0; i < count; ++i)
		if (n == 0 || !same(work->points + 2 * i, work->points + 2 * work->corner[n - 1]))
			work->corner[n++] = i;
	while (n > 1 && same(point_of(work, n - 1), point_of(work, 0)))
		--n;
	work->count = n;
}

/* Passes over points on the straight way between their neighbours. Their neighbours' own turns do not change by that. */
static enum d2_decompose_result drop_flat(struct work *work, struct d2_pieces *out)
{
	int n = 0, count = work->count;
	int *kept = work->order;
	for (int i = 0; i < count; ++i) {
		int a = (i + count - 1) % count, c = (i + 1) % count;
		if (turn_of(work, a, i, c) != 0) {
			kept[n++] = work->corner[i];
		} else if (!goes_on(point_of(work, a), point_of(work, i), point_of(work, c))) {
			out->where[0] = (uint32_t)work->corner[i];
			return D2_DECOMPOSE_SPIKE;
		}
	}
	memcpy(work->corner, kept, (size_t)n * sizeof *kept);
	work->count = n;
	return D2_DECOMPOSE_OK;
}

static bool all_on_a_line(const struct work *work)
{
	for (int i = 2; i < work->count; ++i)
		if (turn_of(work, 0, 1, i) != 0)
			return false;
	return true;
}

/* Whether c, on the line through a and b, is between them or one of them. */
static bool between(const double *a, const double *b, const double *c)
{
	int axis = a[0] != b[0] ? 0 : 1;
	return min_d(a[axis], b[axis]) <= c[axis] && c[axis] <= max_d(a[axis], b[axis]);
}

/* Whether the closed segments a b and c d have a point in common. */
static bool segments_meet(const double *a, const double *b, const double *c, const double *d)
{
	int abc = d2_turn_exact(a, b, c), abd = d2_turn_exact(a, b, d), cda = d2_turn_exact(c, d, a), cdb = d2_turn_exact(c, d, b);
	if (abc * abd < 0 && cda * cdb < 0)
		return true;
	return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) || (cda == 0 && between(c, d, a)) ||
		(cdb == 0 && between(c, d, b));
}

/* Edges in the order of their left ends: each meets only those that begin before it ends. */
static enum d2_decompose_result check_simple(struct work *work, struct d2_pieces *out)
{
	int count = work->count;
	for (int i = 0; i < count; ++i) {
		work->order[i] = i;
		work->key[i] = min_d(point_of(work, i)[0], point_of(work, (i + 1) % count)[0]);
	}
	sort_by_key(work->key, work->order, work->next, count);
	for (int m = 0; m < count; ++m) {
		int i = work->order[m];
		const double *a = point_of(work, i), *b = point_of(work, (i + 1) % count);
		double right = max_d(a[0], b[0]), low = min_d(a[1], b[1]), high = max_d(a[1], b[1]);
		for (int n = m + 1; n < count && work->key[work->order[n]] <= right; ++n) {
			int k = work->order[n];
			const double *c = point_of(work, k), *d = point_of(work, (k + 1) % count);
			if (k == (i + 1) % count || i == (k + 1) % count || min_d(c[1], d[1]) > high || max_d(c[1], d[1]) < low)
				continue;
			if (segments_meet(a, b, c, d)) {
				out->where[0] = (uint32_t)work->corner[i < k ? i : k];
				out->where[1] = (uint32_t)work->corner[i < k ? k : i];
				return D2_DECOMPOSE_CROSSING;
			}
		}
	}
	return D2_DECOMPOSE_OK;
}

/* The turn at the lowest of the leftmost corners, which is convex, is the outline's own. */
static void make_counter_clockwise(struct work *work)
{
	int count = work->count, least = 0;
	for (int i = 1; i < count; ++i) {
		const double *p = point_of(work, i), *q = point_of(work, least);
		if (p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]))
			least = i;
	}
	if (turn_of(work, (least + count - 1) % count, least, (least + 1) % count) > 0)
		return;
	for (int i = 0, k = count - 1; i < k; ++i, --k) {
		int swapped = work->corner[i];
		work->corner[i] = work->corner[k];
		work->corner[k] = swapped;
	}
}

/* --- Triangles --------------------------------------------------------------------------------------------------------- */

/* Whether the corner at b can be cut off: it is convex, and no other corner of what is left is in or on the triangle. A convex
** corner is there only together with one that is not (or is flat), which is found for itself. */
static bool is_ear(const struct work *work, int b)
{
	int a = work->before[b], c = work->next[b];
	if (turn_of(work, a, b, c) <= 0)
		return false;
	const double *pa = point_of(work, a), *pb = point_of(work, b), *pc = point_of(work, c);
	double left = min_d(pa[0], min_d(pb[0], pc[0])), right = max_d(pa[0], max_d(pb[0], pc[0]));
	double low = min_d(pa[1], min_d(pb[1], pc[1])), high = max_d(pa[1], max_d(pb[1], pc[1]));
	for (int i = work->next[c]; i != a; i = work->next[i]) {
		const double *p = point_of(work, i);
		if (p[0] < left || p[0] > right || p[1] < low || p[1] > high)
			continue;
		if (turn_of(work, a, b, i) >= 0 && turn_of(work, b, c, i) >= 0 && turn_of(work, c, a, i) >= 0)
			return false;
	}
	return true;
}

/* A triangle's half edge from corner `from`; `outer` is its twin, if there is one. */
static void half_set(struct work *work, int half, int from, int outer)
{
	int first = half - half % 3;
	work->halves[half] = (struct half){ from, first + (half + 1) % 3, first + (half + 2) % 3, outer };
	if (outer != NONE)
		work->halves[outer].twin = half;
}

/* There is an ear as long as there are more than three corners (Meisters); `tried` only ends the loop. */
static int cut_ears(struct work *work)
{
	int count = work->count, left = count, halves = 0;
	for (int i = 0; i < count; ++i) {
		work->next[i] = (i + 1) % count;
		work->before[i] = (i + count - 1) % count;
		work->outer[i] = NONE;
	}
	for (int b = 0, tried = 0; left >= 3 && tried <= left; ++tried, b = work->next[b]) {
		if (!is_ear(work, b))
			continue;
		int a = work->before[b], c = work->next[b];
		half_set(work, halves, a, work->outer[a]);
		half_set(work, halves + 1, b, work->outer[b]);
		half_set(work, halves + 2, c, left == 3 ? work->outer[c] : NONE);
		work->outer[a] = halves + 2;
		work->next[a] = c;
		work->before[c] = a;
		halves += 3;
		--left;
		tried = 0;
	}
	assert(left == 2);
	return halves;
}

/* Whether d lies in the circle through a, b, c by more than rounding: the determinant of their differences from d. */
static bool in_circle(const double *a, const double *b, const double *c, const double *d)
{
	double ax = a[0] - d[0], ay = a[1] - d[1], bx = b[0] - d[0], by = b[1] - d[1], cx = c[0] - d[0], cy = c[1] - d[1];
	double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
	double one = aa * (bx * cy - cx * by), two = bb * (cx * ay - ax * cy), three = cc * (ax * by - bx * ay);
	double size = aa * (abs_d(bx * cy) + abs_d(cx * by)) + bb * (abs_d(cx * ay) + abs_d(ax * cy)) +
		cc * (abs_d(ax * by) + abs_d(bx * ay));
	return one + two + three > 1e-12 * size;
}

/* Turns the diagonal a c of the quadrilateral a b c d where that makes the smaller angles larger. */
static bool flip(struct work *work, int h)
{
	struct half *halves = work->halves;
	int g = halves[h].twin;
	if (g == NONE)
		return false;
	int h1 = halves[h].next, h2 = halves[h].before, g1 = halves[g].next, g2 = halves[g].before;
	int a = halves[h].from, c = halves[g].from, b = halves[g2].from, d = halves[h2].from; /* h: a c d, g: c a b */
	if (turn_of(work, b, c, d) <= 0 || turn_of(work, d, a, b) <= 0 ||
		!in_circle(point_of(work, a), point_of(work, c), point_of(work, d), point_of(work, b)))
		return false;
	int outer_da = halves[h2].twin, outer_bc = halves[g2].twin, outer_cd = halves[h1].twin, outer_ab = halves[g1].twin;
	int first_h = h - h % 3, first_g = g - g % 3; /* h becomes b d a, g becomes d b c */
	half_set(work, first_h, b, NONE);
	half_set(work, first_g, d, first_h);
	half_set(work, first_h + 1, d, outer_da);
	half_set(work, first_h + 2, a, outer_ab);
	half_set(work, first_g + 1, b, outer_bc);
	half_set(work, first_g + 2, c, outer_cd);
	return true;
}

/* Rounds until nothing is turned any more. Each turn makes the angles better, so it ends; the limit is for rounding's sake. */
static void improve(struct work *work, int halves)
{
	bool changed = true;
	for (int round = 0; changed && round < 64; ++round) {
		changed = false;
		for (int h = 0; h < halves; ++h)
			changed |= flip(work, h);
	}
}

/* --- Pieces ------------------------------------------------------------------------------------------------------------ */

static int find(int *group, int i)
{
	while (group[i] != i)
		i = group[i] = group[group[i]];
	return i;
}

/* Takes the diagonal h out where the corners at both of its ends stay convex and the piece is not too large. */
static void join(struct work *work, int h)
{
	struct half *halves = work->halves;
	int g = halves[h].twin, one = find(work->group, h / 3), other = find(work->group, g / 3);
	if (work->size[one] + work->size[other] - 2 > D2_HULL_MAX)
		return;
	int h1 = halves[h].next, h2 = halves[h].before, g1 = halves[g].next, g2 = halves[g].before;
	int a = halves[h].from, c = halves[g].from;
	if (turn_of(work, halves[h2].from, a, halves[halves[g1].next].from) < 0 ||
		turn_of(work, halves[g2].from, c, halves[halves[h1].next].from) < 0)
		return;
	halves[h2].next = g1;
	halves[g1].before = h2;
	halves[g2].next = h1;
	halves[h1].before = g2;
	halves[h].next = halves[g].next = NONE; /* gone */
	work->group[other] = one;
	work->size[one] += work->size[other] - 2;
}

/* Longest diagonals first: what remains is rounder. */
static void join_all(struct work *work, int halves)
{
	int diagonals = 0;
	for (int h = 0; h < halves; ++h) {
		int g = work->halves[h].twin;
		if (g < h)
			continue; /* the outline, or seen from the other side */
		const double *a = point_of(work, work->halves[h].from), *b = point_of(work, work->halves[g].from);
		work->order[diagonals++] = h;
		work->key[h] = -((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
	}
	sort_by_key(work->key, work->order, work->next, diagonals);
	for (int i = 0; i < halves / 3; ++i) {
		work->group[i] = i;
		work->size[i] = 3;
	}
	for (int i = 0; i < diagonals; ++i)
		join(work, work->order[i]);
}

/* One piece for each face, without corners that have become flat. Marks the half edges that it has gone along. */
static void collect(struct work *work, int halves, struct d2_pieces *out)
{
	uint32_t n = 0;
	out->count = 0;
	for (int first = 0; first < halves; ++first) {
		if (work->halves[first].next == NONE)
			continue;
		work->start[out->count++] = n;
		for (int h = first, next; work->halves[h].next != NONE; h = next) {
			next = work->halves[h].next;
			int before = work->halves[work->halves[h].before].from, from = work->halves[h].from;
			if (turn_of(work, before, from, work->halves[next].from) > 0)
				work->index[n++] = (uint32_t)work->corner[from];
			work->halves[h].next = NONE;
		}
	}
	work->start[out->count] = n;
	out->start = work->start;
	out->index = work->index;
}

enum d2_decompose_result d2_decompose(const double *points, uint32_t count, void *space, struct d2_pieces *out)
{
	assert(count >= 3 && count <= D2_DECOMPOSE_MAX);
	struct work work = work_create(points, count, space);
	drop_doubles(&work, (int)count);
	if (work.count < 3)
		return D2_DECOMPOSE_TOO_FEW;
	if (all_on_a_line(&work))
		return D2_DECOMPOSE_FLAT;
	enum d2_decompose_result result = drop_flat(&work, out);
	if (result == D2_DECOMPOSE_OK)
		result = check_simple(&work, out);
	if (result != D2_DECOMPOSE_OK)
		return result;
	make_counter_clockwise(&work);
	int halves = cut_ears(&work);
	improve(&work, halves);
	join_all(&work, halves);
	collect(&work, halves, out);
	return D2_DECOMPOSE_OK;
}
