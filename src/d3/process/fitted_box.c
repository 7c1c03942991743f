/* fitted_box.c - a box of small volume around points. Given the direction of one axis, the least box follows from the least
 * rectangle around the projection along it. The axes tried are the normals of the hull's triangles, and the normals of pairs of
 * its edges: a least box has two adjacent sides that each contain an edge. Of a hull with many corners, the extreme points
 * along 13 lines stand for all of them in this search. The best boxes are then improved, an axis at a time, for all corners.
 * Sources: O'Rourke, "Finding Minimal Enclosing Boxes", 1985; Larsson, Kallberg, "Fast Computation of Tight-Fitting Oriented
 * Bounding Boxes", 2011. */
#include "d3/process/fitted_box.h"
#include "d3/shape/hull.h"
#include "spatial/outline.h"

enum { LINES = 13, FEW = 2 * LINES, BOXES = 6, FINALISTS = 2, ROUNDS = 12 };

/* Points to fit boxes to, and work space. */
struct cloud {
	const struct d3_vec_d *points;
	uint32_t count;
	double (*flat)[2], (*outline)[2]; /* count and count + 1 entries */
};

struct candidate {
	struct d3_rot_d frame;
	double volume;
};

/* Unit vectors across the axis: x and y of a frame whose z is the axis. */
static struct d3_rot_d frame_along(struct d3_vec_d axis)
{
	struct d3_vec_d x = d3_across_d(axis);
	return (struct d3_rot_d){x, d3_cross_d(axis, x), axis};
}

/* The least box with one axis along the unit vector. */
static struct candidate box_along(const struct cloud *cloud, struct d3_vec_d axis)
{
	struct d3_rot_d frame = frame_along(axis);
	double low = INFINITY, high = -INFINITY, side[2];
	for (uint32_t i = 0; i < cloud->count; ++i) {
		struct d3_vec_d p = d3_inv_turn_d(&frame, cloud->points[i]);
		cloud->flat[i][0] = p.x;
		cloud->flat[i][1] = p.y;
		low = min_d(low, p.z);
		high = max_d(high, p.z);
	}
	uint32_t corners = outline_hull(cloud->flat, cloud->count, cloud->outline);
	double area = outline_rectangle((const double(*)[2])cloud->outline, corners, side);
	struct d3_vec_d x = d3_add_d(d3_scale_d(side[0], frame.x), d3_scale_d(side[1], frame.y));
	return (struct candidate){{x, d3_cross_d(axis, x), axis}, area * (high - low)};
}

/* Adds the least box along the direction to the best ones, in order of volume, unless it is as large as one of them. */
static void try_along(const struct cloud *cloud, struct d3_vec_d direction, struct candidate best[BOXES])
{
	double length = d3_length_d(direction);
	if (!(length > 0))
		return;
	struct candidate found = box_along(cloud, d3_scale_d(1 / length, direction));
	int at = BOXES;
	while (at > 0 && found.volume < best[at - 1].volume)
		--at;
	if (at == BOXES || (at > 0 && found.volume < best[at - 1].volume * (1 + 1e-9)))
		return;
	for (int i = BOXES - 1; i > at; --i)
		best[i] = best[i - 1];
	best[at] = found;
}

/* Fits the box along each of its own axes in turn, as long as it becomes smaller. */
static struct candidate improve(const struct cloud *cloud, struct d3_rot_d frame)
{
	struct candidate best = box_along(cloud, frame.z);
	for (int round = 0; round < ROUNDS; ++round) {
		double before = best.volume;
		for (int axis = 0; axis < 2; ++axis) {
			struct candidate found = box_along(cloud, axis == 0 ? best.frame.x : best.frame.y);
			best = found.volume < best.volume ? found : best;
		}
		if (!(best.volume < before * (1 - 1e-5)))
			break;
	}
	return best;
}

/* Writes the points farthest along both directions of each line, each once. Returns their number. */
static uint32_t extremes(const struct d3_vec_d *points, uint32_t count, struct d3_vec_d out[FEW])
{
	uint32_t found = 0, taken[FEW];
	for (int i = 0; i < FEW; ++i) {
		int line = i < LINES ? i : 26 - (i - LINES); /* the opposite cells of a 3 x 3 x 3 cube, without its middle */
		int x = line % 3 - 1, y = line / 3 % 3 - 1, z = line / 9 - 1;
		struct d3_vec_d direction = {x, y, z};
		uint32_t farthest = 0;
		for (uint32_t k = 1; k < count; ++k)
			farthest = d3_dot_d(direction, points[k]) > d3_dot_d(direction, points[farthest]) ? k : farthest;
		bool known = false;
		for (uint32_t k = 0; k < found; ++k)
			known |= taken[k] == farthest;
		if (known)
			continue;
		taken[found] = farthest;
		out[found++] = points[farthest];
	}
	return found;
}

/* Finds the best boxes of few points that are not coplanar. lists: their hull. */
static void search(const struct cloud *few, const struct d3_hull_lists *lists, struct candidate best[BOXES])
{
	struct d3_vec_d edges[3 * FEW];
	uint32_t edge_count = 0;
	const uint32_t *index = lists->triangles.data, *of = lists->corners.data;
	for (uint32_t i = 0; i < lists->triangles.count; i += 3) {
		struct d3_vec_d corners[3];
		for (uint32_t k = 0; k < 3; ++k)
			corners[k] = few->points[of[index[i + k]]];
		for (uint32_t k = 0; k < 3; ++k)
			if (index[i + k] < index[i + (k + 1) % 3])
				edges[edge_count++] = d3_sub_d(corners[(k + 1) % 3], corners[k]);
		try_along(few, d3_cross_d(d3_sub_d(corners[1], corners[0]), d3_sub_d(corners[2], corners[0])), best);
	}
	for (uint32_t i = 0; i < edge_count; ++i)
		for (uint32_t k = 0; k < i; ++k)
			try_along(few, d3_cross_d(edges[i], edges[k]), best);
}

static struct d3_rot_d best_frame(const struct cloud *cloud, const struct cloud *few, const struct d3_hull_lists *lists)
{
	const struct candidate none = {.volume = INFINITY};
	struct candidate best[BOXES], finals[BOXES], final;
	for (int i = 0; i < BOXES; ++i)
		best[i] = finals[i] = none;
	search(few, lists, best);
	for (int i = 0; i < BOXES && best[i].volume < INFINITY; ++i)
		try_along(few, improve(few, best[i].frame).frame.z, finals);
	final = improve(cloud, (struct d3_rot_d){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
	for (int i = 0; i < FINALISTS && finals[i].volume < INFINITY; ++i) {
		struct candidate found = improve(cloud, finals[i].frame);
		final = found.volume < final.volume ? found : final;
	}
	return final.frame;
}

/* The frame of a box around coplanar points, the corners of their hull in order. */
static struct d3_rot_d flat_frame(const struct cloud *cloud)
{
	struct d3_vec_d normal = {0, 0, 0}, first = cloud->points[0];
	if (cloud->count == 1)
		return (struct d3_rot_d){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	struct d3_vec_d along = d3_sub_d(cloud->points[1], first);
	if (cloud->count == 2)
		return frame_along(d3_scale_d(1 / d3_length_d(along), along));
	for (uint32_t i = 1; i + 1 < cloud->count; ++i)
		normal = d3_add_d(normal, d3_cross_d(d3_sub_d(cloud->points[i], first), d3_sub_d(cloud->points[i + 1], first)));
	return box_along(cloud, d3_scale_d(1 / d3_length_d(normal), normal)).frame;
}

/* The same box's frame with axes in the order and directions that make it the smallest rotation. */
static struct d3_quat nearest_quat(const struct d3_rot_d *frame)
{
	const struct d3_vec_d axes[3] = {frame->x, frame->y, frame->z};
	struct d3_rot_d best = *frame;
	double most = -INFINITY;
	for (int i = 0; i < 36; ++i) {
		int a = i % 3, b = i / 3 % 3;
		if (a == b)
			continue;
		struct d3_rot_d turned = {d3_scale_d(i / 9 & 1 ? -1 : 1, axes[a]), d3_scale_d(i / 18 ? -1 : 1, axes[b]), {0, 0, 0}};
		turned.z = d3_cross_d(turned.x, turned.y);
		double trace = turned.x.x + turned.y.y + turned.z.z;
		if (trace > most + 1e-9) {
			most = trace;
			best = turned;
		}
	}
	struct d3_quat_d q = d3_rot_quat_d(&best);
	return (struct d3_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

/* The box in the rotation, around points relative to `origin`. */
static struct d3_fitted_box box_in(const struct cloud *cloud, struct d3_vec_d origin, struct d3_quat q)
{
	struct d3_rot_d exact = d3_exact_rot(q);
	struct d3_vec_d low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (uint32_t i = 0; i < cloud->count; ++i) {
		struct d3_vec_d p = d3_inv_turn_d(&exact, cloud->points[i]);
		low = d3_min_d(low, p);
		high = d3_max_d(high, p);
	}
	struct d3_vec_d p = d3_add_d(origin, d3_turn_d(&exact, d3_scale_d(0.5, d3_add_d(low, high))));
	return (struct d3_fitted_box){d3_sub_d(high, low), {p.x, p.y, p.z, q}};
}

/* Fits a box to the corners of the hull, which are relative to `origin`. False: no memory. */
static bool fit(struct memory *memory, struct cloud *cloud, const struct d3_hull_lists *lists, struct d3_vec_d origin,
	struct d3_fitted_box *out)
{
	struct d3_vec_d extreme[FEW];
	struct d3_hull_lists small = {0};
	struct cloud few = *cloud;
	struct d3_rot_d frame;
	bool done = true;
	if (lists->triangles.count == 0) {
		frame = flat_frame(cloud);
	} else {
		if (cloud->count > FEW) {
			few.points = extreme;
			few.count = extremes(cloud->points, cloud->count, extreme);
		}
		done = d3_hull_corners(memory, few.points, few.count, &small);
		if (done)
			frame = best_frame(cloud, &few, &small);
		d3_hull_lists_free(memory, &small);
	}
	if (done)
		*out = box_in(cloud, origin, nearest_quat(&frame));
	return done;
}

bool d3_fit_box(struct memory *memory, const struct d3_vec_d *points, uint32_t count, struct d3_fitted_box *out)
{
	struct d3_hull_lists lists = {0};
	if (!d3_hull_corners(memory, points, count, &lists)) {
		d3_hull_lists_free(memory, &lists);
		return false;
	}
	uint32_t n = lists.corners.count;
	size_t bytes = n * sizeof(struct d3_vec_d) + (2 * (size_t)n + 1) * sizeof(double[2]);
	struct d3_vec_d *corners = memory_resize(memory, NULL, 0, bytes), origin = points[lists.corners.data[0]];
	bool done = corners != NULL;
	if (done) {
		for (uint32_t i = 0; i < n; ++i)
			corners[i] = d3_sub_d(points[lists.corners.data[i]], origin);
		double(*flat)[2] = (void *)(corners + n);
		struct cloud cloud = {corners, n, flat, flat + n};
		done = fit(memory, &cloud, &lists, origin, out);
		memory_free(memory, corners, bytes);
	}
	d3_hull_lists_free(memory, &lists);
	return done;
}
