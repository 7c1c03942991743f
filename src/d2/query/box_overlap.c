/* box_overlap.c - see box_overlap.h. */
#include "d2/query/box_overlap.h"

#include "d2/query/gjk.h"

/* Whether the box's corner deepest in the half-plane is in it: n . (corner - p) <= offset, with p the position of the pose. */
static bool half_plane_overlaps(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box)
{
	struct d2_vec_d n = d2_rotate_d(pose->q, d2_widen(shape->normal));
	double x = (n.x > 0 ? box->lower[0] : box->upper[0]) - pose->x;
	double y = (n.y > 0 ? box->lower[1] : box->upper[1]) - pose->y;
	return n.x * x + n.y * y <= (double)shape->offset;
}

/* Tests only the part of the box within the child's AABB, so that its coordinates round no more coarsely than the child's. */
static bool child_overlaps(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, const struct box_d *box)
{
	const struct d2_pose here = {0, 0, pose->q};
	struct box bounds = d2_shape_box(shape, child, &here, 0);
	const double from[2] = {pose->x, pose->y};
	float lower[2], upper[2];
	for (int i = 0; i < 2; ++i) {
		double low = max_d(box->lower[i] - from[i], (double)bounds.lower[i]);
		double high = min_d(box->upper[i] - from[i], (double)bounds.upper[i]);
		if (low > high)
			return false;
		lower[i] = (float)low;
		upper[i] = (float)high;
	}
	/* Coincident corners are merged. */
	struct d2_vec corners[4] = {{lower[0], lower[1]}};
	struct d2_proxy rest = {.type = D2_PROXY_POINTS, .points = corners, .count = 1};
	if (lower[0] < upper[0])
		corners[rest.count++] = (struct d2_vec){upper[0], lower[1]};
	if (lower[1] < upper[1]) {
		corners[rest.count++] = (struct d2_vec){upper[0], upper[1]};
		if (lower[0] < upper[0])
			corners[rest.count++] = (struct d2_vec){lower[0], upper[1]};
	}
	struct d2_proxy own = d2_make_proxy(shape, child);
	struct d2_transform box_in_shape = {{0, 0}, {pose->q.c, -pose->q.s}};
	struct d2_gjk_result result;
	d2_gjk_distance(&own, &rest, &box_in_shape, &result);
	return result.distance <= 0;
}

bool d2_shape_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box)
{
	if (d2_shape_unbounded(shape))
		return half_plane_overlaps(shape, pose, box);
	for (uint32_t child = 0; child < d2_shape_child_count(shape); ++child)
		if (child_overlaps(shape, child, pose, box))
			return true;
	return false;
}

struct box_d d2_shape_reach(const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct box box = d2_shape_box(shape, 0, pose, 0);
	for (uint32_t child = 1; child < d2_shape_child_count(shape); ++child) {
		struct box next = d2_shape_box(shape, child, pose, 0);
		box = box_union(&box, &next);
	}
	return (struct box_d){{box.lower[0], box.lower[1], 0}, {box.upper[0], box.upper[1], 0}};
}
