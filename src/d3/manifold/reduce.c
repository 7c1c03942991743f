/* reduce.c - reduces contact points to four that span nearly the largest area. A body whose centre of mass is not over its
 * points would tip, find the missing points, lose others for them, and rock for ever.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

static const uint32_t NONE = UINT32_MAX;

/* A point must be better than the current one by this factor to replace it, so that rounding error does not choose. */
static const float better = 1.01f;

static float least_height(const struct d3_candidate_point *points, uint32_t count)
{
	float least = points[0].height;
	for (uint32_t i = 1; i < count; ++i)
		least = min_f(least, points[i].height);
	return least;
}

/* Moves the points that overlap, or are at most four indifferences higher than the deepest, to the front, in their order.
 * Returns their number. A body that wobbles on a rim comes down beside its deepest point and needs a point there: else it sinks
 * in, is pushed out, and wobbles on. */
static uint32_t gather_low(struct d3_candidate_point *points, uint32_t count, float indifference)
{
	float enough = max_f(0, least_height(points, count) + 4 * indifference);
	uint32_t low = 0;
	for (uint32_t i = 0; i < count; ++i) {
		if (points[i].height <= enough) {
			struct d3_candidate_point swap = points[low];
			points[low++] = points[i];
			points[i] = swap;
		}
	}
	return low;
}

/* Points seen along the normal, ordered around their centre. */
struct corner_ring {
	uint32_t count;
	uint32_t which[D3_CANDIDATES_MAX]; /* indices of the points, in order around the centre */
	float x[D3_CANDIDATES_MAX], y[D3_CANDIDATES_MAX]; /* of the points, from the centre */
	float ears[D3_CANDIDATES_MAX]; /* by position in `which`: twice the area of that corner's triangle with its neighbours */
};

/* A sort key that increases with the angle over the whole circle, without trigonometry. */
static float angle_order(float x, float y)
{
	float sum = abs_f(x) + abs_f(y), part = sum > 0 ? x / sum : 0;
	return y < 0 ? part - 1 : 1 - part;
}

/* Twice the area of the ear at corner k if point `own` were that corner. */
static float ear_area(const struct corner_ring *ring, uint32_t k, uint32_t own)
{
	uint32_t before = ring->which[k > 0 ? k - 1 : ring->count - 1], after = ring->which[k + 1 < ring->count ? k + 1 : 0];
	float ax = ring->x[own] - ring->x[before], ay = ring->y[own] - ring->y[before];
	float bx = ring->x[after] - ring->x[before], by = ring->y[after] - ring->y[before];
	return ax * by - ay * bx;
}

static void ear_measure(struct corner_ring *ring, uint32_t k)
{
	ring->ears[k] = ear_area(ring, k, ring->which[k]);
}

static void set_ring(const struct d3_candidate_point *points, uint32_t count, struct d3_vec normal, struct corner_ring *ring)
{
	struct d3_vec other = abs_f(normal.x) < 0.6f ? (struct d3_vec){1, 0, 0} : (struct d3_vec){0, 1, 0};
	struct d3_vec u = d3_normalize(d3_cross(other, normal)), v = d3_cross(normal, u), middle = {0, 0, 0};
	float order[D3_CANDIDATES_MAX];
	for (uint32_t i = 0; i < count; ++i)
		middle = d3_mul_add(middle, 1 / (float)count, points[i].p);
	ring->count = count;
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_vec from = d3_sub(points[i].p, middle);
		ring->x[i] = d3_dot(from, u);
		ring->y[i] = d3_dot(from, v);
		order[i] = angle_order(ring->x[i], ring->y[i]);
		uint32_t k = i;
		for (; k > 0 && order[ring->which[k - 1]] > order[i]; --k)
			ring->which[k] = ring->which[k - 1];
		ring->which[k] = i;
	}
	for (uint32_t k = 0; k < count; ++k)
		ear_measure(ring, k);
}

/* Returns the corner with the smallest ear, of the points from `first` on that are not kept. Rounding error must not choose
 * among nearly equal ears. Without a `cut` (NONE), the point with the highest index is taken. Otherwise it is the first corner
 * from `cut` on, the place of the last cut, so that every other corner of a regular ring goes. */
static uint32_t least_ear(const struct corner_ring *ring, uint32_t first, const bool *kept, uint32_t cut)
{
	float least = INFINITY;
	uint32_t best = NONE;
	for (uint32_t k = 0; k < ring->count; ++k)
		if (ring->which[k] >= first && !kept[ring->which[k]])
			least = min_f(least, ring->ears[k]);
	for (uint32_t i = 0; i < ring->count; ++i) {
		uint32_t k = cut == NONE ? i : cut + i < ring->count ? cut + i : cut + i - ring->count;
		bool least_of_all = ring->which[k] >= first && !kept[ring->which[k]] && ring->ears[k] <= least + 0.01f * abs_f(least);
		if (least_of_all && (best == NONE || (cut == NONE && ring->which[k] > ring->which[best])))
			best = k;
	}
	return best != NONE ? best : 0;
}

static void cut_ear(struct corner_ring *ring, uint32_t k)
{
	--ring->count;
	for (uint32_t i = k; i < ring->count; ++i) {
		ring->which[i] = ring->which[i + 1];
		ring->ears[i] = ring->ears[i + 1];
	}
	ear_measure(ring, k > 0 ? k - 1 : ring->count - 1);
	ear_measure(ring, k < ring->count ? k : 0);
}

/* Marks a point as kept if it is the only one of the ring no higher than `deep`. */
static void keep_deepest(const struct d3_candidate_point *points, float deep, const struct corner_ring *ring, bool *kept)
{
	uint32_t left = 0, last = 0;
	for (uint32_t k = 0; k < ring->count; ++k) {
		if (points[ring->which[k]].height <= deep) {
			last = ring->which[k];
			++left;
		}
	}
	kept[last] = left == 1;
}

/* Replaces each corner that is not kept, of the points from `first` on, by the one of these points that spans the largest area
 * with its neighbours, as the greedy cutting may end below the maximum. False: no point was better by the factor `better`. */
static bool improve_ring(struct corner_ring *ring, uint32_t count, uint32_t first, const bool *kept)
{
	bool moved = false;
	for (uint32_t k = 0; k < ring->count; ++k) {
		uint32_t own = ring->which[k], best = own;
		if (own < first || kept[own])
			continue;
		float most = better * ear_area(ring, k, own);
		for (uint32_t i = first; i < count; ++i) {
			float area = ear_area(ring, k, i);
			if (area > most) {
				most = better * area;
				best = i;
			}
		}
		ring->which[k] = best;
		moved |= best != own;
	}
	return moved;
}

/* Finds approximately the two points farthest apart: the farthest from the first, then the farthest from that. */
static void find_ends(const struct d3_candidate_point *points, uint32_t count, uint32_t ends[2])
{
	ends[0] = ends[1] = 0;
	for (uint32_t pass = 0; pass < 2; ++pass) {
		struct d3_vec from = points[ends[1 - pass]].p;
		float most = 0;
		for (uint32_t i = 0; i < count; ++i) {
			struct d3_vec delta = d3_sub(points[i].p, from);
			if (d3_dot(delta, delta) > most) {
				most = d3_dot(delta, delta);
				ends[pass] = i;
			}
		}
	}
}

/* Finds the points farthest to the left and right of the line through the ends, seen along the normal, and their distances. */
static void find_sides(const struct d3_candidate_point *points, uint32_t count, struct d3_vec normal, const uint32_t ends[2],
	uint32_t sides[2], float widths[2])
{
	struct d3_vec out = d3_normalize(d3_cross(normal, d3_sub(points[ends[1]].p, points[ends[0]].p)));
	widths[0] = widths[1] = 0;
	sides[0] = ends[0];
	sides[1] = ends[1];
	for (uint32_t i = 0; i < count; ++i) {
		float aside = d3_dot(out, d3_sub(points[i].p, points[ends[0]].p));
		for (int k = 0; k < 2; ++k) {
			if ((k ? -aside : aside) > widths[k]) {
				widths[k] = k ? -aside : aside;
				sides[k] = i;
			}
		}
	}
}

/* Replaces the first `low` points, which are on one line, as of a ridge, by its ends. Returns the number of ends. */
static uint32_t keep_ends(struct d3_candidate_point *points, uint32_t *count, uint32_t low, const uint32_t ends[2])
{
	struct d3_candidate_point first = points[ends[0]], second = points[ends[1]];
	uint32_t left = ends[0] == ends[1] ? 1 : 2;
	points[0] = first;
	points[1] = second;
	memmove(&points[left], &points[low], (*count - low) * sizeof *points);
	*count -= low - left;
	return left;
}

/* The first `low` = 2 points are the ends of a line that supports the body. Reduces the points behind them to one on either
 * side of the line: without these the body tips over the line until it has sunk in there. If all points are on the line, keeps
 * the ends of all, too. False: there is no point on one side. */
static bool reduce_line(struct d3_candidate_point *points, uint32_t *count, uint32_t low, struct d3_vec normal, float slop)
{
	const uint32_t ends[2] = {0, low - 1};
	uint32_t sides[2];
	float widths[2];
	find_sides(points, *count, normal, ends, sides, widths);
	if (widths[0] + widths[1] <= slop)
		find_ends(points, *count, sides);
	else if (widths[0] <= slop || widths[1] <= slop)
		return false;
	struct d3_candidate_point chosen[2];
	uint32_t left = 0;
	for (int k = 0; k < 2; ++k)
		if (sides[k] >= low && (k == 0 || sides[1] != sides[0]))
			chosen[left++] = points[sides[k]];
	memcpy(&points[low], chosen, left * sizeof *points);
	*count = low + left;
	return true;
}

/* Reduces points whose low ones are on one side of a line only, as on half of the rim on which a leaning cylinder stands: the
 * cylinder would tip to the other side, sink in there, and be pushed back, for ever. Keeps the low points farthest apart, the
 * ends of that line; the deepest low point; and the farthest of all points on the other side. low_widths: distances of the low
 * points to both sides of the line. False: there are low points on both sides, or no points at all on one. */
static bool reduce_half(struct d3_candidate_point *points, uint32_t count, uint32_t low, struct d3_vec normal,
	const uint32_t ends[2], const float low_widths[2], float slop)
{
	uint32_t sides[2];
	float widths[2];
	find_sides(points, count, normal, ends, sides, widths);
	if ((low_widths[0] > slop && low_widths[1] > slop) || widths[0] <= slop || widths[1] <= slop)
		return false;
	uint32_t deepest = 0;
	for (uint32_t i = 1; i < low; ++i)
		deepest = points[i].height < points[deepest].height ? i : deepest;
	if (deepest != ends[0] && deepest != ends[1])
		sides[low_widths[0] > low_widths[1] ? 0 : 1] = deepest;
	const struct d3_candidate_point chosen[D3_MANIFOLD_POINTS] = {
		points[ends[0]], points[ends[1]], points[sides[0]], points[sides[1]]};
	memcpy(points, chosen, sizeof chosen);
	return true;
}

uint32_t d3_reduce_points(struct d3_candidate_point *points, uint32_t count, struct d3_vec normal, float indifference)
{
	static const uint8_t across[D3_MANIFOLD_POINTS] = {0, 2, 1, 3};
	struct corner_ring ring;
	struct d3_candidate_point chosen[D3_MANIFOLD_POINTS];
	bool kept[D3_CANDIDATES_MAX] = {false};
	uint32_t ends[2], sides[2];
	float widths[2], slop = 10 * indifference;
	if (count <= D3_MANIFOLD_POINTS)
		return count;
	uint32_t low = gather_low(points, count, indifference);
	find_ends(points, low, ends);
	find_sides(points, low, normal, ends, sides, widths);
	if (low >= 2 && widths[0] + widths[1] <= slop) {
		low = keep_ends(points, &count, low, ends);
		if (low == 2 && reduce_line(points, &count, low, normal, slop))
			return count;
	}
	bool enough = low >= D3_MANIFOLD_POINTS;
	if (enough && low < count && reduce_half(points, count, low, normal, ends, widths, slop))
		return D3_MANIFOLD_POINTS;
	count = enough ? low : count;
	if (count <= D3_MANIFOLD_POINTS)
		return count;
	float deep = least_height(points, count) + indifference;
	set_ring(points, count, normal, &ring);
	keep_deepest(points, deep, &ring, kept);
	for (uint32_t cut = NONE; ring.count > D3_MANIFOLD_POINTS;) {
		cut = least_ear(&ring, enough ? 0 : low, kept, cut);
		bool was_deep = points[ring.which[cut]].height <= deep;
		cut_ear(&ring, cut);
		if (was_deep)
			keep_deepest(points, deep, &ring, kept);
	}
	for (int pass = 0; pass < 4 && improve_ring(&ring, count, enough ? 0 : low, kept); ++pass)
		keep_deepest(points, deep, &ring, kept);
	for (uint32_t k = 0; k < D3_MANIFOLD_POINTS; ++k)
		chosen[k] = points[ring.which[across[k]]];
	memcpy(points, chosen, sizeof chosen);
	return D3_MANIFOLD_POINTS;
}
