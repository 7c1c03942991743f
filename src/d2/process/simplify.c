/* simplify.c - simplification of lines and loops of points: see decompose.h.
 * A run, the points between two kept ones, is cut at its point farthest from the segment between these two. Linear search for
 * that point is cheap where runs are cut near their middles, but takes n^2 / 2 tests where each cut is near an end. For such
 * input the hulls of 64, 128, 256 ... points are built: some log n hulls and a few points at the ends make up a run, and the
 * point of a hull that is farthest across a segment is found in log n steps.
 * Invariant: a run is left out only when each of its points is within the tolerance of its segment.
 * Sources: Ramer, "An iterative procedure for the polygonal approximation of plane curves", 1972; Douglas and Peucker,
 * "Algorithms for the reduction of the number of points required to represent a digitized line", 1973; Andrew, "Another
 * efficient algorithm for convex hulls in two dimensions", 1979; Hershberger and Snoeyink, "Speeding up the Douglas-Peucker
 * line-simplification algorithm", 1992 (that the farthest point is on a hull).
 * Pure, any thread. */
#include "spatial/axes.h"
#include "base/memory.h"
#include "base/turn.h"
#include "d2/process/decompose.h"

enum {
	BLOCK_BITS = 6,
	BLOCK = 1 << BLOCK_BITS, /* points of the smallest hulls */
	LEVELS = 32 - BLOCK_BITS,
	/* Tests per point before the hulls are built: about 20 are usual for a million points that all stay. */
	SCANS = 64,
	/* Tests per point after which hulls' corners are no longer tested one by one: see node_search. */
	SCANS_MOST = 256
};

/* --- Hulls ---------------------------------------------------------------------------------------------------------------- */

/* Hulls of blocks of points, stored as words. Node j of a level is the hull of the points j m to j m + m - 1, m = BLOCK
 * 2^level: the counts of its upper and its lower side, then the indices of the upper side's points, then of the lower side's.
 * Each side is sorted by x, then by y, and has the first and the last point. */
struct hulls {
	uint32_t *words;
	size_t size; /* of words [bytes] */
	size_t start[LEVELS]; /* where each level's nodes begin in `words` */
	int levels;
};

static size_t node_words(int level)
{
	return ((size_t)BLOCK << level) + 4;
}

static uint32_t *node_at(const struct hulls *hulls, int level, uint32_t j)
{
	return hulls->words + hulls->start[level] + j * node_words(level);
}

/* Whether point i comes before point k along a side: by x, then by y, then by index. */
static bool is_before(const double *points, uint32_t i, uint32_t k)
{
	const double *a = points + 2 * (size_t)i, *b = points + 2 * (size_t)k;
	return a[0] < b[0] || (a[0] == b[0] && (a[1] < b[1] || (a[1] == b[1] && i < k)));
}

/* Adds the next point to a side of `count`; returns its new count. sign: 1: the upper side, -1: the lower. */
static uint32_t side_push(const double *points, uint32_t *side, uint32_t count, uint32_t next, int sign)
{
	const double *p = points + 2 * (size_t)next;
	if (count > 0 && points[2 * (size_t)side[count - 1]] == p[0] && points[2 * (size_t)side[count - 1] + 1] == p[1])
		return count;
	while (count >= 2 && sign * turn_exact(points + 2 * (size_t)side[count - 2], points + 2 * (size_t)side[count - 1], p) >= 0)
		--count;
	side[count] = next;
	return count + 1;
}

static void block_build(const double *points, uint32_t first, uint32_t *node)
{
	uint32_t sorted[BLOCK];
	for (uint32_t i = 0; i < BLOCK; ++i) {
		uint32_t k = i;
		for (; k > 0 && is_before(points, first + i, sorted[k - 1]); --k)
			sorted[k] = sorted[k - 1];
		sorted[k] = first + i;
	}
	uint32_t *side = node + 2;
	for (int s = 0; s < 2; ++s) {
		node[s] = 0;
		for (uint32_t i = 0; i < BLOCK; ++i)
			node[s] = side_push(points, side, node[s], sorted[i], 1 - 2 * s);
		side += node[s];
	}
}

/* Builds the node whose points are those of two nodes of the level below. */
static void node_build(const double *points, const uint32_t *one, const uint32_t *other, uint32_t *node)
{
	const uint32_t *a = one + 2, *b = other + 2;
	uint32_t *side = node + 2;
	for (int s = 0; s < 2; ++s) {
		const uint32_t *a_end = a + one[s], *b_end = b + other[s];
		node[s] = 0;
		while (a < a_end || b < b_end) {
			uint32_t next = b == b_end || (a < a_end && is_before(points, *a, *b)) ? *a++ : *b++;
			node[s] = side_push(points, side, node[s], next, 1 - 2 * s);
		}
		side += node[s];
	}
}

/* Builds the hulls of all levels. Without memory, words stays NULL. */
static void hulls_create(struct hulls *hulls, struct memory *memory, const double *points, uint32_t count)
{
	size_t words = 0;
	for (int level = 0; count >> (BLOCK_BITS + level) > 0; ++level) {
		hulls->start[hulls->levels++] = words;
		words += (count >> (BLOCK_BITS + level)) * node_words(level);
	}
	hulls->size = words * sizeof *hulls->words;
	hulls->words = memory_resize(memory, NULL, 0, hulls->size);
	for (int level = 0; hulls->words && level < hulls->levels; ++level)
		for (uint32_t j = 0; j < count >> (BLOCK_BITS + level); ++j) {
			if (level == 0)
				block_build(points, j << BLOCK_BITS, node_at(hulls, 0, j));
			else
				node_build(
					points, node_at(hulls, level - 1, 2 * j), node_at(hulls, level - 1, 2 * j + 1), node_at(hulls, level, j));
		}
}

/* The support point of a node's hull along `delta`, by bisection: along a side, projections onto `delta` first rise and then
 * fall. */
static uint32_t node_extreme(const double *points, const uint32_t *node, const double delta[2])
{
	bool lower = delta[1] < 0 || (delta[1] == 0 && delta[0] > 0);
	const uint32_t *side = node + 2 + (lower ? node[0] : 0);
	uint32_t low = 0, high = node[lower] - 1;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		const double *p = points + 2 * (size_t)side[middle], *q = points + 2 * (size_t)side[middle + 1];
		if ((q[0] - p[0]) * delta[0] + (q[1] - p[1]) * delta[1] > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return side[low];
}

/* --- The farthest point --------------------------------------------------------------------------------------------------- */

struct outline {
	struct memory *memory;
	const double *points;
	uint32_t count;
	double near; /* the square of the tolerance [length^2] */
	uint32_t *stack;
	bool *keep;
	uint64_t scans; /* points tested one by one so far */
	struct hulls hulls; /* words is NULL before they are built */
	bool hulls_tried;
};

/* The points between `from` and `to`, cyclically, and the tested point farthest from their segment; of equals the first. */
struct run {
	uint32_t from, to;
	uint32_t best; /* `from` for none */
	double square; /* of best's distance; -1 without a best [length^2] */
	double reach; /* upper bound of the squared distance of points left untested, see node_search; -1: none [length^2] */
};

static const double *point_at(const struct outline *outline, uint32_t i)
{
	return outline->points + 2 * (size_t)i;
}

/* Squared distance of p to the segment a b, not to its line: a point beyond an end may be near the line but far from the
 * segment. */
static double distance_squared(const double *p, const double *a, const double *b)
{
	double at[2], weights[2];
	return axes_closest_on_segment(2, p, a, b, at, weights);
}

static void run_test(const struct outline *outline, struct run *run, uint32_t i)
{
	double square = distance_squared(point_at(outline, i), point_at(outline, run->from), point_at(outline, run->to));
	if (square < run->square)
		return;
	/* Positions of i and best along the run, counted from `from`; unsigned numbers wrap. */
	uint32_t wrap = run->from < run->to ? 0 : outline->count;
	uint32_t position = i - run->from + (i < run->from ? wrap : 0);
	uint32_t best = run->best - run->from + (run->best < run->from ? wrap : 0);
	if (square > run->square || position < best) {
		run->square = square;
		run->best = i;
	}
}

static void run_scan(struct outline *outline, struct run *run, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; ++i)
		run_test(outline, run, i);
	outline->scans += end - first;
}

/* Searches a hull for a point that is farther from the run's segment a b than the best so far. For a point at a distance w from
 * the segment's line, and beyond an end of the segment by v:
 *   distance^2 = v^2 + w^2 beyond an end, else distance = w
 * First tests the hull's extreme points along and across the segment. They suffice unless the hull extends beyond an end, and
 * its greatest v and w together exceed the best distance: then tests all its corners. After SCANS_MOST tests per point, raises
 * run->reach to that bound instead: contrived input would have large hulls tested repeatedly. */
static void node_search(struct outline *outline, struct run *run, const uint32_t *node)
{
	const double *a = point_at(outline, run->from), *b = point_at(outline, run->to);
	double v[2] = {b[0] - a[0], b[1] - a[1]}, length = v[0] * v[0] + v[1] * v[1], beyond = 0, across = 0;
	if (!(length > 0)) {
		v[0] = length = 1;
		v[1] = 0;
	}
	const double paths[4][2] = {{-v[0], -v[1]}, {v[0], v[1]}, {-v[1], v[0]}, {v[1], -v[0]}};
	for (int k = 0; k < 4; ++k) {
		uint32_t i = node_extreme(outline->points, node, paths[k]);
		const double *p = point_at(outline, i), *end = k == 1 ? b : a;
		double *most = k < 2 ? &beyond : &across;
		*most = max_d(*most, (p[0] - end[0]) * paths[k][0] + (p[1] - end[1]) * paths[k][1]);
		run_test(outline, run, i);
	}
	double reach = (beyond * beyond + across * across) / length;
	if (!(beyond > 0) || reach <= run->square)
		return;
	if (outline->scans > (uint64_t)outline->count * SCANS_MOST) {
		run->reach = max_d(run->reach, reach);
		return;
	}
	for (uint32_t i = 0; i < node[0] + node[1]; ++i)
		run_test(outline, run, node[2 + i]);
	outline->scans += node[0] + node[1];
}

/* Searches the points first .. end - 1: those of the largest hulls that fit in hull by hull, the others at both ends one by
 * one. */
static void run_search(struct outline *outline, struct run *run, uint32_t first, uint32_t end)
{
	uint32_t j = (first + BLOCK - 1) >> BLOCK_BITS, j_end = end >> BLOCK_BITS;
	if (j >= j_end) {
		run_scan(outline, run, first, end);
		return;
	}
	run_scan(outline, run, first, j << BLOCK_BITS);
	run_scan(outline, run, j_end << BLOCK_BITS, end);
	for (int level = 0; j < j_end; ++level, j >>= 1, j_end >>= 1) {
		if (j & 1)
			node_search(outline, run, node_at(&outline->hulls, level, j++));
		if (j_end & 1)
			node_search(outline, run, node_at(&outline->hulls, level, --j_end));
	}
}

typedef void run_part(struct outline *outline, struct run *run, uint32_t first, uint32_t end);

static struct run run_over(struct outline *outline, uint32_t from, uint32_t to, run_part *part)
{
	struct run run = {from, to, from, -1, -1};
	if (from < to) {
		part(outline, &run, from + 1, to);
	} else {
		part(outline, &run, from + 1, outline->count);
		part(outline, &run, 0, to);
	}
	return run;
}

/* Whether to cut the run between `from` and `to`, at *at, its farthest point found: that is beyond the tolerance, or an
 * untested point may be. */
static bool run_cut(struct outline *outline, uint32_t from, uint32_t to, uint32_t *at)
{
	if (outline->scans > (uint64_t)outline->count * SCANS && !outline->hulls_tried) {
		outline->hulls_tried = true; /* without memory the search stays linear */
		hulls_create(&outline->hulls, outline->memory, outline->points, outline->count);
	}
	bool searched = outline->hulls.words != NULL;
	struct run run = run_over(outline, from, to, searched ? run_search : run_scan);
	/* Before the run is left out, each of its points is tested: rarely, rounding error hides one that is too far. */
	if (searched && run.square <= outline->near && run.reach <= outline->near)
		run = run_over(outline, from, to, run_scan);
	*at = run.best;
	return run.square > outline->near || run.reach > outline->near;
}

/* --- Cutting -------------------------------------------------------------------------------------------------------------- */

/* Cuts the run, and its parts in turn, at their farthest points until all are within tolerance. Returns the number of cuts. */
static uint32_t refine(struct outline *outline, uint32_t from, uint32_t to)
{
	uint32_t depth = 0, kept = 0, *stack = outline->stack;
	stack[depth++] = from;
	stack[depth++] = to;
	while (depth > 0) {
		uint32_t at;
		to = stack[--depth];
		from = stack[--depth];
		if (!run_cut(outline, from, to, &at))
			continue;
		outline->keep[at] = true;
		++kept;
		stack[depth++] = from;
		stack[depth++] = at;
		stack[depth++] = at;
		stack[depth++] = to;
	}
	return kept;
}

/* Gives a loop that has shrunk to two points the point farthest from their segment, unless all lie on it. The runs on both
 * sides of that point are then refined against their new segments. Returns the number of points added. */
static uint32_t widen(struct outline *outline, uint32_t a, uint32_t b)
{
	struct run one = run_over(outline, a, b, run_scan), other = run_over(outline, b, a, run_scan);
	struct run *run = other.square > one.square ? &other : &one;
	if (!(run->square > 0))
		return 0;
	outline->keep[run->best] = true;
	return 1 + refine(outline, run->from, run->best) + refine(outline, run->best, run->to);
}

/* The two points of a loop that are kept in any case: the leftmost, and the one farthest from that. */
static void loop_ends(const double *points, uint32_t count, uint32_t *a, uint32_t *b)
{
	*a = 0;
	for (uint32_t i = 1; i < count; ++i)
		if (points[2 * i] < points[2 * *a] || (points[2 * i] == points[2 * *a] && points[2 * i + 1] < points[2 * *a + 1]))
			*a = i;
	double most = -1;
	for (uint32_t i = 0; i < count; ++i) {
		double d = distance_squared(points + 2 * i, points + 2 * *a, points + 2 * *a);
		if (i != *a && d > most) {
			most = d;
			*b = i;
		}
	}
}

uint32_t d2_simplify(
	struct memory *memory, const double *points, uint32_t count, double tolerance, bool loop, uint32_t *space, bool *keep)
{
	for (uint32_t i = 0; i < count; ++i)
		keep[i] = count < 3;
	if (count < 3)
		return count;
	struct outline outline = {
		.memory = memory, .points = points, .count = count, .near = tolerance * tolerance, .stack = space, .keep = keep};
	uint32_t a = 0, b = count - 1;
	if (loop)
		loop_ends(points, count, &a, &b);
	keep[a] = keep[b] = true;
	uint32_t kept = 2 + refine(&outline, a, b);
	if (loop)
		kept += refine(&outline, b, a);
	if (loop && kept == 2)
		kept += widen(&outline, a, b);
	memory_resize(memory, outline.hulls.words, outline.hulls.words ? outline.hulls.size : 0, 0);
	return kept;
}
