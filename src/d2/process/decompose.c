/* decompose.c - convex decomposition: drop superfluous points, reject polygons that are not simple, triangulate by cutting
 * ears, flip diagonals towards the Delaunay triangulation, and remove diagonals while the pieces stay convex.
 * Sources: Meisters, "Polygons have ears", 1975; Bentley, "Multidimensional binary search trees used for associative
 * searching", 1975; Lawson, "Software for C1 surface interpolation", 1977; Hertel and Mehlhorn, "Fast triangulation of simple
 * polygons", 1983; Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997.
 * Invariant: decisions on which the result's validity depends use turn_exact; rounding error only selects among valid results.
 * Pure, any thread. */
#include "d2/process/decompose.h"

#include "base/bits.h"
#include "base/turn.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { NONE = -1 };

/* --- Work space ----------------------------------------------------------------------------------------------------------- */

/* A half-edge: from the corner `from`, with its face on the left. */
struct half {
	int from, next, before, twin; /* twin: the same edge from the other side; NONE for an edge of the polygon */
};

struct edge {
	double left[2], right[2]; /* ends */
};

struct extent {
	double lower[2], upper[2];
};

/* The reflex corners, in a k-d tree of boxes that shrink as corners are removed. The boxes are numbered as a heap: node 1 is
 * the root, 2 k and 2 k + 1 are the children of node k, and the nodes from `leaves` on are the leaves, which hold the
 * corners. */
struct reflex {
	int *corner; /* leaf after leaf; leaf i begins at index count i / leaves */
	int *held; /* by leaf: number of corners left */
	int *leaf; /* by corner of the polygon: its leaf, or NONE */
	struct extent *box; /* by node; an empty one overlaps nothing */
	int count, leaves; /* number of corners at the start; number of leaves, a power of two */
};

struct work {
	const double *points;
	int count; /* corners of the cleaned polygon */
	int *corner; /* [count], indices of points, counter-clockwise */
	int *order; /* edges, in order of their left ends; later diagonals, longest first */
	int *scratch; /* to sort with */
	int *next, *before; /* by corner: its neighbours in the polygon that remains while ears are cut */
	/* by corner i: the twin of the edge from i to next[i], a half-edge of a cut ear; NONE for an edge of the polygon */
	int *outer;
	struct edge *edge; /* in the order of `order` */
	struct reflex reflex;
	struct bits ears; /* corners that can be cut off */
	struct half *halves; /* three for each triangle */
	int *group; /* by triangle: union-find of triangles joined to faces; half-edge h is of triangle h / 3 */
	int *size; /* corners of a face, by group */
	uint32_t *start, *index; /* the result */
	double *key; /* to sort by */
};

/* Takes the next block of the work space; if space is NULL, only counts its bytes. */
static void *carve(char *space, size_t *used, size_t count, size_t size)
{
	void *block = space ? space + *used : NULL;
	*used += (count * size + 15) & ~(size_t)15;
	return block;
}

/* Lays out the work space and returns its bytes. A polygon of n corners has n - 2 triangles. */
static size_t work_create(struct work *work, const double *points, uint32_t count, char *space)
{
	size_t used = 0, triple = 3 * (size_t)count;
	uint32_t words = count / 64 + 1;
	*work = (struct work){.points = points};
	int **const lists[] = {&work->corner, &work->order, &work->scratch, &work->next, &work->before, &work->outer,
		&work->reflex.corner, &work->reflex.held, &work->reflex.leaf, &work->group, &work->size};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
		*lists[i] = carve(space, &used, count, sizeof(int));
	work->edge = carve(space, &used, count, sizeof *work->edge);
	work->reflex.box = carve(space, &used, count + 1, sizeof *work->reflex.box);
	void *ears = carve(space, &used, 1, bits_block_size(words));
	if (ears != NULL)
		work->ears = bits_in_block(ears, words);
	work->halves = carve(space, &used, triple, sizeof *work->halves);
	work->start = carve(space, &used, count, sizeof *work->start);
	work->index = carve(space, &used, triple, sizeof *work->index);
	work->key = carve(space, &used, triple, sizeof *work->key);
	return used;
}

size_t d2_decompose_space(uint32_t count)
{
	struct work work;
	return work_create(&work, NULL, count, NULL);
}

/* The point at a corner of the cleaned polygon. */
static const double *point_of(const struct work *work, int corner)
{
	return work->points + 2 * (size_t)work->corner[corner];
}

static int turn_of(const struct work *work, int a, int b, int c)
{
	return turn_exact(point_of(work, a), point_of(work, b), point_of(work, c));
}

/* Merge sort of `order` by key: stable, so that the result does not depend on the library. scratch: `count` ints. */
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

/* --- Cleaning up ---------------------------------------------------------------------------------------------------------- */

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

/* Drops points on the segment between their neighbours; this keeps the turns at those neighbours. Returns D2_DECOMPOSE_SPIKE if
 * the polygon turns back on itself. */
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
	assert(n >= 3); /* the polygon is closed, and not on a line */
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

/* Whether c, on the line through a and b, is between them or equal to one. */
static bool between(const double *a, const double *b, const double *c)
{
	int axis = a[0] != b[0] ? 0 : 1;
	return min_d(a[axis], b[axis]) <= c[axis] && c[axis] <= max_d(a[axis], b[axis]);
}

/* Whether the closed segments a b and c d have a point in common. */
static bool segments_touch(const double *a, const double *b, const double *c, const double *d)
{
	int abc = turn_exact(a, b, c), abd = turn_exact(a, b, d);
	if (abc * abd > 0)
		return false; /* all of c d is on one side of the line through a and b */
	int cda = turn_exact(c, d, a), cdb = turn_exact(c, d, b);
	if (abc * abd < 0 && cda * cdb < 0)
		return true;
	return (abc == 0 && between(a, b, c)) || (abd == 0 && between(a, b, d)) || (cda == 0 && between(c, d, a)) ||
		(cdb == 0 && between(c, d, b));
}

/* Returns D2_DECOMPOSE_CROSSING if two edges that are not neighbours cross or touch. Sweeps over the edges in the order of
 * their left ends: each is compared only with later edges that begin, in x, before it ends. Edges are stored in that order for
 * speed: n long edges take n^2 / 2 comparisons, 0.1 to 0.3 s for the maximal n. */
static enum d2_decompose_result check_simple(struct work *work, struct d2_pieces *out)
{
	int count = work->count;
	for (int i = 0; i < count; ++i) {
		work->order[i] = i;
		work->key[i] = min_d(point_of(work, i)[0], point_of(work, (i + 1) % count)[0]);
	}
	sort_by_key(work->key, work->order, work->scratch, count);
	for (int m = 0; m < count; ++m) {
		const double *a = point_of(work, work->order[m]), *b = point_of(work, (work->order[m] + 1) % count);
		const double *left = a[0] <= b[0] ? a : b, *right = a[0] <= b[0] ? b : a;
		work->edge[m] = (struct edge){{left[0], left[1]}, {right[0], right[1]}};
	}
	for (int m = 0; m < count; ++m) {
		struct edge one = work->edge[m];
		double low = min_d(one.left[1], one.right[1]), high = max_d(one.left[1], one.right[1]);
		for (int n = m + 1; n < count && work->edge[n].left[0] <= one.right[0]; ++n) {
			const struct edge *other = &work->edge[n];
			if (min_d(other->left[1], other->right[1]) > high || max_d(other->left[1], other->right[1]) < low ||
				!segments_touch(one.left, one.right, other->left, other->right))
				continue;
			int i = work->order[m], k = work->order[n];
			if (k == (i + 1) % count || i == (k + 1) % count)
				continue; /* drop_flat has checked their common corner */
			out->where[0] = (uint32_t)work->corner[i < k ? i : k];
			out->where[1] = (uint32_t)work->corner[i < k ? k : i];
			return D2_DECOMPOSE_CROSSING;
		}
	}
	return D2_DECOMPOSE_OK;
}

/* Reverses a clockwise polygon. The lowest of the leftmost corners is convex, so its turn has the sign of the winding. */
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

/* --- Reflex corners ------------------------------------------------------------------------------------------------------- */

enum { LEAF = 8 }; /* corners of a leaf, at most */

static int leaf_first(const struct reflex *reflex, int leaf)
{
	return (int)((int64_t)reflex->count * leaf / reflex->leaves);
}

/* Recomputes the boxes of a leaf and of all nodes above it. */
static void leaf_refit(struct work *work, int leaf)
{
	struct reflex *reflex = &work->reflex;
	const int *corner = reflex->corner + leaf_first(reflex, leaf);
	struct extent box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
	for (int i = 0; i < reflex->held[leaf]; ++i)
		for (int axis = 0; axis < 2; ++axis) {
			box.lower[axis] = min_d(box.lower[axis], point_of(work, corner[i])[axis]);
			box.upper[axis] = max_d(box.upper[axis], point_of(work, corner[i])[axis]);
		}
	reflex->box[reflex->leaves + leaf] = box;
	for (int node = (reflex->leaves + leaf) / 2; node > 0; node /= 2) {
		const struct extent *a = &reflex->box[2 * node], *b = a + 1;
		for (int axis = 0; axis < 2; ++axis) {
			reflex->box[node].lower[axis] = min_d(a->lower[axis], b->lower[axis]);
			reflex->box[node].upper[axis] = max_d(a->upper[axis], b->upper[axis]);
		}
	}
}

/* Builds the tree level by level: sorts each node's corners by x or by y in turns, and gives half of them to each child. */
static void reflex_create(struct work *work)
{
	struct reflex *reflex = &work->reflex;
	int count = work->count;
	reflex->count = 0;
	for (int i = 0; i < count; ++i) {
		reflex->leaf[i] = NONE;
		if (turn_of(work, (i + count - 1) % count, i, (i + 1) % count) <= 0)
			reflex->corner[reflex->count++] = i;
	}
	int axis = 0;
	for (reflex->leaves = 1; reflex->count > LEAF * reflex->leaves; reflex->leaves *= 2, axis ^= 1) {
		for (int i = 0; i < count; ++i)
			work->key[i] = point_of(work, i)[axis];
		for (int i = 0; i < reflex->leaves; ++i) {
			int first = leaf_first(reflex, i);
			sort_by_key(work->key, reflex->corner + first, work->scratch, leaf_first(reflex, i + 1) - first);
		}
	}
	for (int node = 0; node < 2 * reflex->leaves; ++node)
		reflex->box[node] = (struct extent){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
	for (int leaf = 0; leaf < reflex->leaves; ++leaf) {
		int first = leaf_first(reflex, leaf);
		reflex->held[leaf] = leaf_first(reflex, leaf + 1) - first;
		for (int i = 0; i < reflex->held[leaf]; ++i)
			reflex->leaf[reflex->corner[first + i]] = leaf;
		leaf_refit(work, leaf);
	}
}

/* Removes a corner that has become convex. */
static void reflex_remove(struct work *work, int corner)
{
	struct reflex *reflex = &work->reflex;
	int leaf = reflex->leaf[corner], *at = reflex->corner + leaf_first(reflex, leaf), last = --reflex->held[leaf];
	for (int i = 0; i < last; ++i)
		if (at[i] == corner)
			at[i] = at[last];
	reflex->leaf[corner] = NONE;
	leaf_refit(work, leaf);
}

/* Whether all of the box is to the right of the line from a to b: tests its corner farthest to the left. */
static bool box_right_of(const struct extent *box, const double *a, const double *b)
{
	double corner[2] = {b[1] > a[1] ? box->lower[0] : box->upper[0], b[0] > a[0] ? box->upper[1] : box->lower[1]};
	return turn_exact(a, b, corner) < 0;
}

/* Whether a reflex corner other than a and c is in or on the triangle a b c. */
static bool reflex_within(const struct work *work, int a, int b, int c)
{
	const struct reflex *reflex = &work->reflex;
	const double *pa = point_of(work, a), *pb = point_of(work, b), *pc = point_of(work, c);
	double left = min_d(pa[0], min_d(pb[0], pc[0])), right = max_d(pa[0], max_d(pb[0], pc[0]));
	double low = min_d(pa[1], min_d(pb[1], pc[1])), high = max_d(pa[1], max_d(pb[1], pc[1]));
	int stack[32], depth = 0;
	stack[depth++] = 1;
	while (depth > 0) {
		int node = stack[--depth], leaf = node - reflex->leaves;
		const struct extent *box = &reflex->box[node];
		if (box->lower[0] > right || box->upper[0] < left || box->lower[1] > high || box->upper[1] < low ||
			box_right_of(box, pa, pb) || box_right_of(box, pb, pc) || box_right_of(box, pc, pa))
			continue;
		if (leaf < 0) {
			stack[depth++] = 2 * node + 1;
			stack[depth++] = 2 * node;
			continue;
		}
		const int *corner = reflex->corner + leaf_first(reflex, leaf);
		for (int i = 0; i < reflex->held[leaf]; ++i)
			if (corner[i] != a && corner[i] != c && turn_of(work, a, b, corner[i]) >= 0 &&
				turn_of(work, b, c, corner[i]) >= 0 && turn_of(work, c, a, corner[i]) >= 0)
				return true;
	}
	return false;
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

/* Whether b is an ear: it is convex, and no other corner of the remaining polygon is in or on its triangle a b c. Testing
 * reflex corners suffices: of the corners in the triangle, the one farthest from the line a c is reflex, since the part of the
 * triangle beyond it, towards b, is inside the polygon. */
static bool is_ear(const struct work *work, int b)
{
	int a = work->before[b], c = work->next[b];
	return turn_of(work, a, b, c) > 0 && !reflex_within(work, a, b, c);
}

/* Updates whether the corner is reflex, and whether it is an ear, after a neighbour of it was cut off. Its angle has become
 * smaller, so a convex corner stays convex. */
static void corner_update(struct work *work, int b)
{
	if (work->reflex.leaf[b] != NONE && turn_of(work, work->before[b], b, work->next[b]) > 0)
		reflex_remove(work, b);
	if (is_ear(work, b))
		bits_set(&work->ears, (uint32_t)b);
	else
		bits_clear(&work->ears, (uint32_t)b);
}

/* Sets a triangle's half-edge from corner `from`; `outer` is its twin or NONE. */
static void half_set(struct work *work, int half, int from, int outer)
{
	int first = half - half % 3;
	work->halves[half] = (struct half){from, first + (half + 1) % 3, first + (half + 2) % 3, outer};
	if (outer != NONE)
		work->halves[outer].twin = half;
}

/* The next ear by index, from corner b on and around, or NONE. */
static int ear_find(const struct work *work, int b)
{
	uint32_t at = bits_next(&work->ears, (uint32_t)b);
	if (at == UINT32_MAX)
		at = bits_next(&work->ears, 0);
	return at == UINT32_MAX ? NONE : (int)at;
}

/* Triangulates the polygon by cutting off ears; returns the number of half-edges. While there are more than three corners, some
 * are ears (Meisters). A cut changes only whether the ear's two neighbours are ears: the ear is convex, and only reflex corners
 * keep others from being ears. */
static int cut_ears(struct work *work)
{
	int count = work->count, left = count, halves = 0;
	for (int i = 0; i < count; ++i) {
		work->next[i] = (i + 1) % count;
		work->before[i] = (i + count - 1) % count;
		work->outer[i] = NONE;
	}
	reflex_create(work);
	for (int i = 0; i < count; ++i)
		corner_update(work, i);
	for (int b = ear_find(work, 0); left >= 3 && b != NONE;) {
		int a = work->before[b], c = work->next[b];
		half_set(work, halves, a, work->outer[a]);
		half_set(work, halves + 1, b, work->outer[b]);
		half_set(work, halves + 2, c, left == 3 ? work->outer[c] : NONE);
		work->outer[a] = halves + 2;
		work->next[a] = c;
		work->before[c] = a;
		halves += 3;
		--left;
		bits_clear(&work->ears, (uint32_t)b);
		corner_update(work, a);
		corner_update(work, c);
		b = ear_find(work, c);
	}
	assert(left == 2);
	return halves;
}

/* Whether d lies in the circle through a, b, c (counter-clockwise) by more than rounding error: by the determinant of their
 * differences from d. */
static bool in_circle(const double *a, const double *b, const double *c, const double *d)
{
	double ax = a[0] - d[0], ay = a[1] - d[1], bx = b[0] - d[0], by = b[1] - d[1], cx = c[0] - d[0], cy = c[1] - d[1];
	double aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
	double one = aa * (bx * cy - cx * by), two = bb * (cx * ay - ax * cy), three = cc * (ax * by - bx * ay);
	double size = aa * (abs_d(bx * cy) + abs_d(cx * by)) + bb * (abs_d(cx * ay) + abs_d(ax * cy)) +
		cc * (abs_d(ax * by) + abs_d(bx * ay));
	return one + two + three > 1e-12 * size;
}

/* Flips the half-edge h, the diagonal a c of the quadrilateral a b c d, if the quadrilateral is strictly convex and b is in the
 * circle through a, c, d: this enlarges the smallest angle of the two triangles. Returns whether it did. */
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

/* Flips diagonals until none needs it, in at most 64 rounds. Each flip enlarges the smallest angle of two triangles, so only
 * rounding error could make it go on for ever. */
static void improve(struct work *work, int halves)
{
	bool changed = true;
	for (int round = 0; changed && round < 64; ++round) {
		changed = false;
		for (int h = 0; h < halves; ++h)
			changed |= flip(work, h);
	}
}

/* --- Pieces --------------------------------------------------------------------------------------------------------------- */

static int find(int *group, int i)
{
	while (group[i] != i)
		i = group[i] = group[group[i]];
	return i;
}

/* Removes the diagonal h if the corners at both of its ends stay convex and the piece has at most D2_HULL_MAX corners. */
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
	halves[h].next = halves[g].next = NONE; /* removed */
	work->group[other] = one;
	work->size[one] += work->size[other] - 2;
}

/* Removes diagonals where allowed, longest first: rounder pieces remain. */
static void join_all(struct work *work, int halves)
{
	int diagonals = 0;
	for (int h = 0; h < halves; ++h) {
		int g = work->halves[h].twin;
		if (g < h)
			continue; /* an edge of the polygon, or the diagonal's other half-edge */
		const double *a = point_of(work, work->halves[h].from), *b = point_of(work, work->halves[g].from);
		work->order[diagonals++] = h;
		work->key[h] = -((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
	}
	sort_by_key(work->key, work->order, work->scratch, diagonals);
	for (int i = 0; i < halves / 3; ++i) {
		work->group[i] = i;
		work->size[i] = 3;
	}
	for (int i = 0; i < diagonals; ++i)
		join(work, work->order[i]);
}

/* Writes a piece for each face, without corners that have become flat. Sets `next` of visited half-edges to NONE. */
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

static bool is_tiny(double x)
{
	return x != 0 && abs_d(x) < D2_DECOMPOSE_LEAST;
}

enum d2_decompose_result d2_decompose(const double *points, uint32_t count, void *space, struct d2_pieces *out)
{
	assert(count >= 3 && count <= D2_DECOMPOSE_MAX);
	struct work work;
	for (uint32_t i = 0; i < count; ++i) {
		out->where[0] = i;
		if (is_tiny(points[2 * (size_t)i]) || is_tiny(points[2 * (size_t)i + 1]))
			return D2_DECOMPOSE_TINY;
	}
	work_create(&work, points, count, space);
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
