/* quickhull.c - see quickhull.h. */
#include "d3/shape/quickhull.h"

#include "base/turn.h"
#include "d3/shape/predicates.h"

#include <assert.h>

/* Unit roundoff of doubles. */
static const double rounding = 0x1p-53;

/* --- Points --------------------------------------------------------------------------------------------------------------- */

/* Scales a coordinate. Results below 2^-247 become 0, so that all results are multiples of 2^-300, as predicates.h requires. */
static double keep(double x, double factor)
{
	double kept = x * factor;
	return fabs(kept) < 0x1p-247 ? 0 : kept;
}

static bool load_points(struct d3_quickhull *hull, const struct d3_points *points)
{
	uint32_t count = points->count;
	hull->points = memory_resize(hull->memory, NULL, 0, count * sizeof *hull->points);
	hull->next = memory_resize(hull->memory, NULL, 0, count * sizeof *hull->next);
	hull->count = count;
	if (hull->points == NULL || hull->next == NULL)
		return false;
	double most = 0;
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_vec_d p = d3_points_at(points, i);
		most = max_d(most, max_d(fabs(p.x), max_d(fabs(p.y), fabs(p.z))));
	}
	int exponent;
	frexp(most, &exponent);
	hull->factor = ldexp(1, exponent < -1000 ? 1000 : -exponent);
	struct d3_vec_d low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_vec_d p = d3_points_at(points, i);
		p = (struct d3_vec_d){keep(p.x, hull->factor), keep(p.y, hull->factor), keep(p.z, hull->factor)};
		low = d3_min_d(low, p);
		high = d3_max_d(high, p);
		hull->points[i] = p;
	}
	hull->size = d3_sub_d(high, low);
	return true;
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

/* Sets the normal, `scale` and `unsure`: a bound on the rounding error of (b - a) x (c - a) . (p - a) for any p in the points'
 * AABB. The error is at most 7 roundings of the sum of the products' magnitudes (Shewchuk, first stage of orient3d); 8 are
 * taken. */
static void measure_face(const struct d3_quickhull *hull, struct d3_quickhull_face *face)
{
	struct d3_vec_d a = hull->points[face->corner[0]];
	struct d3_vec_d u = d3_sub_d(hull->points[face->corner[1]], a), v = d3_sub_d(hull->points[face->corner[2]], a);
	face->normal = d3_cross_d(u, v);
	double x = fabs(u.y * v.z) + fabs(u.z * v.y), y = fabs(u.z * v.x) + fabs(u.x * v.z), z = fabs(u.x * v.y) + fabs(u.y * v.x);
	face->unsure = 8 * rounding * (x * hull->size.x + y * hull->size.y + z * hull->size.z);
	double length = d3_length_d(face->normal);
	face->scale = length > 0 ? 1 / length : 0;
	if (!is_finite_d(face->scale))
		face->scale = 0;
}

static inline double height_above(const struct d3_quickhull *hull, const struct d3_quickhull_face *face, uint32_t point)
{
	return d3_dot_d(face->normal, d3_sub_d(hull->points[point], hull->points[face->corner[0]]));
}

static int exact_side(const struct d3_quickhull *hull, const struct d3_quickhull_face *face, uint32_t point)
{
	const struct d3_vec_d *p = hull->points;
	return d3_orient(p[face->corner[0]], p[face->corner[1]], p[face->corner[2]], p[point]);
}

/* Whether the point is strictly outside of the triangle's plane, exactly. *height: signed distance to the plane, times
 * |normal|, with rounding errors: if the result is true, it is positive or nearly so. */
static inline bool sees(const struct d3_quickhull *hull, const struct d3_quickhull_face *face, uint32_t point, double *height)
{
	*height = height_above(hull, face, point);
	if (fabs(*height) > face->unsure)
		return *height > 0;
	return exact_side(hull, face, point) > 0;
}

/* Adds a triangle, for which there must be room. */
static uint32_t new_face(struct d3_quickhull *hull, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t number = hull->free_face;
	if (number != D3_QUICKHULL_NONE) {
		hull->free_face = hull->faces.data[number].region;
	} else {
		assert(hull->faces.count < hull->faces.capacity);
		number = hull->faces.count++;
	}
	struct d3_quickhull_face *face = &hull->faces.data[number];
	*face = (struct d3_quickhull_face){.corner = {a, b, c},
		.first = D3_QUICKHULL_NONE,
		.farthest = D3_QUICKHULL_NONE,
		.before = number,
		.after = number,
		.region = D3_QUICKHULL_NONE,
		.live = true};
	measure_face(hull, face);
	++hull->live_count;
	return number;
}

static void join(struct d3_quickhull *hull, d3_quickhull_edge a, d3_quickhull_edge b)
{
	hull->faces.data[a >> 2].twin[a & 3] = b;
	hull->faces.data[b >> 2].twin[b & 3] = a;
}

/* --- The queue of triangles with points to add ---------------------------------------------------------------------------- */

static void enqueue(struct d3_quickhull *hull, uint32_t number)
{
	struct d3_quickhull_face *face = &hull->faces.data[number];
	face->before = hull->queue_last;
	face->after = D3_QUICKHULL_NONE;
	if (hull->queue_last == D3_QUICKHULL_NONE)
		hull->queue_first = number;
	else
		hull->faces.data[hull->queue_last].after = number;
	hull->queue_last = number;
}

static void dequeue(struct d3_quickhull *hull, uint32_t number)
{
	struct d3_quickhull_face *face = &hull->faces.data[number];
	if (face->before == number)
		return;
	if (face->before == D3_QUICKHULL_NONE)
		hull->queue_first = face->after;
	else
		hull->faces.data[face->before].after = face->after;
	if (face->after == D3_QUICKHULL_NONE)
		hull->queue_last = face->before;
	else
		hull->faces.data[face->after].before = face->before;
	face->before = face->after = number;
}

static bool stands_out(const struct d3_quickhull *hull, const struct d3_quickhull_face *face)
{
	return face->first != D3_QUICKHULL_NONE && (hull->tolerance == 0 || face->distance * face->scale > hull->tolerance);
}

/* Adds the point to the triangle's outside set. distance: from the plane, times |normal|. Of equally distant points the first
 * one given counts as the farthest. */
static void wait_at(struct d3_quickhull *hull, struct d3_quickhull_face *face, uint32_t point, double distance)
{
	if (face->first == D3_QUICKHULL_NONE || distance > face->distance ||
		(distance == face->distance && point < face->farthest)) {
		face->farthest = point;
		face->distance = distance;
	}
	hull->next[point] = face->first;
	face->first = point;
}

/* --- Adding a point ------------------------------------------------------------------------------------------------------- */

static bool push_visible(struct d3_quickhull *hull, uint32_t number)
{
	if (!array_reserve(hull->memory, &hull->visible, hull->visible.count + 1))
		return false;
	hull->faces.data[number].mark = hull->visit;
	array_push(&hull->visible, number);
	return true;
}

/* Adds the edge's triangle to the visible ones; the search crosses its next `left` edges, from this one on. Its `farthest`
 * becomes the index in `horizon` where hand_over starts to search for its points. */
static bool enter(struct d3_quickhull *hull, d3_quickhull_edge edge, uint32_t left)
{
	if (!push_visible(hull, edge >> 2) || !array_reserve(hull->memory, &hull->steps, hull->steps.count + 1))
		return false;
	hull->faces.data[edge >> 2].farthest = hull->horizon.count;
	array_push(&hull->steps, (struct d3_quickhull_step){edge, left});
	return true;
}

/* Finds the triangles that the point sees, a connected set, from one of them (`number`), and the set's boundary, `horizon`. The
 * search is depth first and goes around each triangle in the same sense, so that the horizon edges come in order. Marks:
 * `visit` is visible, visit + 1 is not. */
static bool find_horizon(struct d3_quickhull *hull, uint32_t number, uint32_t point)
{
	hull->visit += 2;
	hull->visible.count = hull->horizon.count = hull->steps.count = 0;
	if (!enter(hull, 4 * number, 3))
		return false;
	while (hull->steps.count > 0) {
		struct d3_quickhull_step *step = &hull->steps.data[hull->steps.count - 1];
		if (step->left == 0) {
			--hull->steps.count;
			continue;
		}
		d3_quickhull_edge edge = step->edge, twin = d3_quickhull_twin(hull, edge);
		step->edge = d3_quickhull_next(edge);
		--step->left;
		struct d3_quickhull_face *beyond = &hull->faces.data[twin >> 2];
		double height;
		if (beyond->mark == hull->visit)
			continue;
		if (beyond->mark != hull->visit + 1 && sees(hull, beyond, point, &height)) {
			if (!enter(hull, d3_quickhull_next(twin), 2))
				return false;
		} else {
			beyond->mark = hull->visit + 1;
			if (!array_reserve(hull->memory, &hull->horizon, hull->horizon.count + 1))
				return false;
			array_push(&hull->horizon, edge);
		}
	}
	return true;
}

/* Closes the hole that the visible triangles leave, by a triangle from each horizon edge to the point. The edges in `horizon`
 * are replaced by the numbers of these triangles. */
static void close_hole(struct d3_quickhull *hull, uint32_t point)
{
	uint32_t count = hull->horizon.count;
	for (uint32_t i = 0; i < count; ++i) {
		d3_quickhull_edge edge = hull->horizon.data[i], twin = d3_quickhull_twin(hull, edge);
		uint32_t number =
			new_face(hull, d3_quickhull_origin(hull, edge), d3_quickhull_origin(hull, d3_quickhull_next(edge)), point);
		join(hull, 4 * number, twin);
		hull->horizon.data[i] = number;
	}
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t number = hull->horizon.data[i], after = hull->horizon.data[i + 1 < count ? i + 1 : 0];
		assert(hull->faces.data[number].corner[1] == hull->faces.data[after].corner[0]);
		join(hull, 4 * number + 1, 4 * after + 2);
	}
}

/* Moves each point of a removed triangle's outside set, except `taken`, to the first new triangle that it sees. A point that
 * sees none is inside. */
static void hand_over(struct d3_quickhull *hull, const struct d3_quickhull_face *old, uint32_t taken)
{
	uint32_t count = hull->horizon.count, start = old->farthest < count ? old->farthest : 0;
	for (uint32_t point = old->first, next; point != D3_QUICKHULL_NONE; point = next) {
		next = hull->next[point];
		if (point == taken)
			continue;
		for (uint32_t i = 0, k = start; i < count; ++i, k = k + 1 < count ? k + 1 : 0) {
			struct d3_quickhull_face *face = &hull->faces.data[hull->horizon.data[k]];
			double height;
			if (sees(hull, face, point, &height)) {
				wait_at(hull, face, point, height);
				break;
			}
		}
	}
}

static bool take_in(struct d3_quickhull *hull, uint32_t number)
{
	uint32_t point = hull->faces.data[number].farthest;
	if (!find_horizon(hull, number, point) ||
		!array_reserve(hull->memory, &hull->faces, hull->faces.count + hull->horizon.count))
		return false;
	close_hole(hull, point);
	for (uint32_t i = 0; i < hull->visible.count; ++i) {
		struct d3_quickhull_face *old = &hull->faces.data[hull->visible.data[i]];
		hand_over(hull, old, point);
		dequeue(hull, hull->visible.data[i]);
		old->live = false;
		old->region = hull->free_face;
		hull->free_face = hull->visible.data[i];
	}
	hull->live_count -= hull->visible.count;
	for (uint32_t i = 0; i < hull->horizon.count; ++i)
		if (stands_out(hull, &hull->faces.data[hull->horizon.data[i]]))
			enqueue(hull, hull->horizon.data[i]);
	return true;
}

/* --- Points that may be corners ------------------------------------------------------------------------------------------- */

/* A box inside the hull: points strictly within are no corners. Of the points farthest along the eight diagonals, each is
 * beyond one of the box's corners in all three axes: four of them bound each of its sides. */
struct inner_box {
	struct d3_vec_d low, high;
};

/* Below this number of points the box is not worth its cost: it is empty. */
enum { MANY_POINTS = 1000 };

static struct inner_box find_inner_box(const struct d3_quickhull *hull)
{
	struct inner_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	double most[8];
	uint32_t far[8] = {0};
	if (hull->count < MANY_POINTS)
		return box;
	for (int k = 0; k < 8; ++k)
		most[k] = -INFINITY;
	for (uint32_t i = 0; i < hull->count; ++i) {
		struct d3_vec_d p = hull->points[i];
		double sum = p.x + p.y, difference = p.x - p.y;
		/* along +x +y, +x -y, each with +z and -z; the opposite diagonals are 4 to 7 */
		const double along[4] = {sum + p.z, sum - p.z, difference + p.z, difference - p.z};
		for (int k = 0; k < 4; ++k) {
			if (along[k] > most[k]) {
				most[k] = along[k];
				far[k] = i;
			}
			if (-along[k] > most[4 + k]) {
				most[4 + k] = -along[k];
				far[4 + k] = i;
			}
		}
	}
	static const int8_t signs[8][3] = {
		{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}, {-1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}};
	box = (struct inner_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
	for (int k = 0; k < 8; ++k) {
		struct d3_vec_d p = hull->points[far[k]];
		*(signs[k][0] > 0 ? &box.high.x : &box.low.x) = signs[k][0] > 0 ? min_d(box.high.x, p.x) : max_d(box.low.x, p.x);
		*(signs[k][1] > 0 ? &box.high.y : &box.low.y) = signs[k][1] > 0 ? min_d(box.high.y, p.y) : max_d(box.low.y, p.y);
		*(signs[k][2] > 0 ? &box.high.z : &box.low.z) = signs[k][2] > 0 ? min_d(box.high.z, p.z) : max_d(box.low.z, p.z);
	}
	return box;
}

static inline bool is_within(const struct inner_box *box, struct d3_vec_d p)
{
	return (p.x > box->low.x) & (p.x < box->high.x) & (p.y > box->low.y) & (p.y < box->high.y) & (p.z > box->low.z) &
		(p.z < box->high.z);
}

/* Lists the points that are not strictly within the inner box in `next`. Returns their number. */
static uint32_t list_outer(struct d3_quickhull *hull)
{
	struct inner_box inner = find_inner_box(hull);
	uint32_t outer = 0;
	for (uint32_t i = 0; i < hull->count; ++i) {
		hull->next[outer] = i;
		outer += !is_within(&inner, hull->points[i]);
	}
	return outer;
}

/* --- The first tetrahedron ------------------------------------------------------------------------------------------------ */

/* Exact collinearity test, by projection onto the three coordinate planes. */
static bool on_line(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c)
{
	const double ends[3][4] = {{a.x, a.y, a.z, a.x}, {b.x, b.y, b.z, b.x}, {c.x, c.y, c.z, c.x}};
	return turn_exact(&ends[0][0], &ends[1][0], &ends[2][0]) == 0 && turn_exact(&ends[0][1], &ends[1][1], &ends[2][1]) == 0 &&
		turn_exact(&ends[0][2], &ends[1][2], &ends[2][2]) == 0;
}

/* Sets span[0] and span[1] to the extreme points along the longest side of the AABB. outer: length of the list of points that
 * may be corners. False: all points coincide. */
static bool find_ends(struct d3_quickhull *hull, uint32_t outer)
{
	const struct d3_vec_d *p = hull->points;
	int axis = hull->size.x >= hull->size.y && hull->size.x >= hull->size.z ? 0 : hull->size.y >= hull->size.z ? 1 : 2;
	uint32_t low = hull->next[0], high = low;
	for (uint32_t k = 1; k < outer; ++k) {
		uint32_t i = hull->next[k];
		if (d3_coordinate_d(p[i], axis) < d3_coordinate_d(p[low], axis))
			low = i;
		if (d3_coordinate_d(p[i], axis) > d3_coordinate_d(p[high], axis))
			high = i;
	}
	hull->span[0] = low;
	hull->span[1] = high;
	return d3_coordinate_d(p[low], axis) < d3_coordinate_d(p[high], axis);
}

/* Sets span[2] to the point farthest from the line through span[0] and span[1]. If rounding made that a point exactly on the
 * line, takes any point that is not. False: all points are collinear. */
static bool find_third(struct d3_quickhull *hull, uint32_t outer)
{
	const struct d3_vec_d *p = hull->points;
	struct d3_vec_d a = p[hull->span[0]], b = p[hull->span[1]], delta = d3_sub_d(b, a);
	double most = -1;
	for (uint32_t k = 0; k < outer; ++k) {
		struct d3_vec_d across = d3_cross_d(delta, d3_sub_d(p[hull->next[k]], a));
		double square = d3_dot_d(across, across);
		if (square > most) {
			most = square;
			hull->span[2] = hull->next[k];
		}
	}
	for (uint32_t i = 0; on_line(a, b, p[hull->span[2]]); ++i) {
		if (i == hull->count)
			return false;
		hull->span[2] = i;
	}
	return true;
}

static bool find_fourth(struct d3_quickhull *hull, uint32_t outer)
{
	struct d3_quickhull_face face = {.corner = {hull->span[0], hull->span[1], hull->span[2]}};
	measure_face(hull, &face);
	double most = -1;
	for (uint32_t k = 0; k < outer; ++k) {
		double height = fabs(height_above(hull, &face, hull->next[k]));
		if (height > most) {
			most = height;
			hull->span[3] = hull->next[k];
		}
	}
	for (uint32_t i = 0; exact_side(hull, &face, hull->span[3]) == 0; ++i) {
		if (i == hull->count)
			return false;
		hull->span[3] = i;
	}
	return true;
}

static bool start(struct d3_quickhull *hull, uint32_t outer)
{
	uint32_t *s = hull->span;
	if (!array_reserve(hull->memory, &hull->faces, 4))
		return false;
	const struct d3_vec_d *p = hull->points;
	bool above = d3_orient(p[s[0]], p[s[1]], p[s[2]], p[s[3]]) > 0;
	uint32_t a = s[0], b = above ? s[2] : s[1], c = above ? s[1] : s[2], d = s[3];
	uint32_t base = new_face(hull, a, b, c);
	uint32_t ab = new_face(hull, b, a, d);
	uint32_t bc = new_face(hull, c, b, d);
	uint32_t ca = new_face(hull, a, c, d);
	join(hull, 4 * base, 4 * ab);
	join(hull, 4 * base + 1, 4 * bc);
	join(hull, 4 * base + 2, 4 * ca);
	join(hull, 4 * ab + 2, 4 * bc + 1);
	join(hull, 4 * bc + 2, 4 * ca + 1);
	join(hull, 4 * ca + 2, 4 * ab + 1);
	/* from the last to the first, as the links of the outside sets overwrite the list: entry n is point n or a later one */
	for (uint32_t n = outer; n-- > 0;) {
		uint32_t point = hull->next[n];
		for (uint32_t k = 0; k < 4; ++k) {
			double height;
			if (sees(hull, &hull->faces.data[k], point, &height)) {
				wait_at(hull, &hull->faces.data[k], point, height);
				break;
			}
		}
	}
	for (uint32_t k = 0; k < 4; ++k)
		if (stands_out(hull, &hull->faces.data[k]))
			enqueue(hull, k);
	return true;
}

/* --- Points that stand out of another triangle ---------------------------------------------------------------------------- */

/* Finds the triangle whose plane the point is farthest outside of, among all that it sees: a connected set, which contains
 * `number`, whose outside set has the point. False: no memory. */
static bool find_highest(struct d3_quickhull *hull, uint32_t number, uint32_t point, uint32_t *highest, double *distance)
{
	hull->visit += 2;
	hull->visible.count = hull->horizon.count = 0;
	*distance = -1;
	bool pushed = push_visible(hull, number);
	for (uint32_t i = 0; pushed && i < hull->visible.count; ++i) {
		struct d3_quickhull_face *face = &hull->faces.data[hull->visible.data[i]];
		double height = height_above(hull, face, point);
		if (height * face->scale > *distance) {
			*distance = height * face->scale;
			*highest = hull->visible.data[i];
		}
		for (int k = 0; pushed && k < 3; ++k) {
			uint32_t beyond = hull->faces.data[hull->visible.data[i]].twin[k] >> 2;
			if (hull->faces.data[beyond].mark != hull->visit && sees(hull, &hull->faces.data[beyond], point, &height))
				pushed = push_visible(hull, beyond);
		}
	}
	return pushed;
}

/* Moves each outside point to the triangle whose plane it is farthest outside of (see find_highest), if that is another one and
 * the distance exceeds the tolerance, and queues that triangle: a point can be near its own triangle's plane and far from
 * another's. False: no memory. */
static bool points_reassign(struct d3_quickhull *hull)
{
	for (uint32_t number = 0; number < hull->faces.count; ++number) {
		if (!hull->faces.data[number].live)
			continue;
		uint32_t before = D3_QUICKHULL_NONE, next;
		for (uint32_t point = hull->faces.data[number].first; point != D3_QUICKHULL_NONE; point = next) {
			next = hull->next[point];
			uint32_t highest = number;
			double distance;
			if (!find_highest(hull, number, point, &highest, &distance))
				return false;
			if (distance <= hull->tolerance || highest == number) {
				before = point;
				continue;
			}
			*(before == D3_QUICKHULL_NONE ? &hull->faces.data[number].first : &hull->next[before]) = next;
			struct d3_quickhull_face *face = &hull->faces.data[highest];
			wait_at(hull, face, point, height_above(hull, face, point));
			if (face->before == highest)
				enqueue(hull, highest);
		}
	}
	return true;
}

/* --- The whole ------------------------------------------------------------------------------------------------------------ */

bool d3_quickhull_build(struct d3_quickhull *hull, struct memory *memory, const struct d3_points *points, double tolerance)
{
	*hull = (struct d3_quickhull){
		.memory = memory, .free_face = D3_QUICKHULL_NONE, .queue_first = D3_QUICKHULL_NONE, .queue_last = D3_QUICKHULL_NONE};
	assert(points->count > 0);
	if (!load_points(hull, points))
		return false;
	hull->tolerance = tolerance * hull->factor;
	uint32_t outer = list_outer(hull);
	if (!find_ends(hull, outer))
		return true;
	hull->dimension = 1;
	if (!find_third(hull, outer))
		return true;
	hull->dimension = 2;
	if (!find_fourth(hull, outer))
		return true;
	hull->dimension = 3;
	if (!start(hull, outer))
		return false;
	do {
		while (hull->queue_first != D3_QUICKHULL_NONE)
			if (!take_in(hull, hull->queue_first))
				return false;
		if (hull->tolerance > 0 && !points_reassign(hull))
			return false;
	} while (hull->queue_first != D3_QUICKHULL_NONE);
	return true;
}

void d3_quickhull_free(struct d3_quickhull *hull)
{
	struct memory *memory = hull->memory;
	memory_free(memory, hull->points, hull->count * sizeof *hull->points);
	memory_free(memory, hull->next, hull->count * sizeof *hull->next);
	array_free(memory, &hull->faces);
	array_free(memory, &hull->steps);
	array_free(memory, &hull->horizon);
	array_free(memory, &hull->visible);
}

/* --- Planes --------------------------------------------------------------------------------------------------------------- */

bool d3_quickhull_spread(struct d3_quickhull *hull, uint32_t seed, d3_quickhull_joins *joins, const void *context)
{
	hull->visible.count = 0;
	hull->faces.data[seed].region = seed;
	if (!push_visible(hull, seed))
		return false;
	for (uint32_t n = 0; n < hull->visible.count; ++n) {
		for (d3_quickhull_edge edge = 4 * hull->visible.data[n], end = edge + 3; edge < end; ++edge) {
			uint32_t beyond = d3_quickhull_twin(hull, edge) >> 2;
			if (hull->faces.data[beyond].region != D3_QUICKHULL_NONE || !joins(hull, edge, context))
				continue;
			hull->faces.data[beyond].region = seed;
			if (!push_visible(hull, beyond))
				return false;
		}
	}
	return true;
}

/* Whether the triangle across the edge is exactly coplanar with the edge's own. */
static bool flat_across(const struct d3_quickhull *hull, d3_quickhull_edge edge, const void *context)
{
	(void)context;
	const struct d3_quickhull_face *face = d3_quickhull_owner(hull, edge);
	d3_quickhull_edge twin = d3_quickhull_twin(hull, edge);
	uint32_t apex = d3_quickhull_origin(hull, d3_quickhull_next(d3_quickhull_next(twin)));
	return fabs(height_above(hull, face, apex)) <= face->unsure && exact_side(hull, face, apex) == 0;
}

bool d3_quickhull_mark_planes(struct d3_quickhull *hull)
{
	for (uint32_t i = 0; i < hull->faces.count; ++i)
		hull->faces.data[i].region = D3_QUICKHULL_NONE;
	for (uint32_t i = 0; i < hull->faces.count; ++i)
		if (hull->faces.data[i].live && hull->faces.data[i].region == D3_QUICKHULL_NONE &&
			!d3_quickhull_spread(hull, i, flat_across, NULL))
			return false;
	return true;
}

bool d3_quickhull_is_corner(const struct d3_quickhull *hull, d3_quickhull_edge edge)
{
	uint32_t outlines = 0;
	d3_quickhull_edge at = edge;
	do {
		outlines += d3_quickhull_outline(hull, at);
		at = d3_quickhull_next(d3_quickhull_twin(hull, at));
	} while (at != edge && outlines < 3);
	return outlines >= 3;
}
