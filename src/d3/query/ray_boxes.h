/* ray_boxes.h - a ray against four boxes of a mesh's tree, in floats that err to yes.
 * With o and u the ray, m a margin, and sides l and h of a box along an axis, the ray is between the two for s from (l - m -
 * o)/u to (h + m - o)/u, or the other way round, where u < 0: both are (l - (o + m))/u and (h - (o - m))/u. o is where the ray
 * enters the root, so that all lengths are of the mesh's size z; rounding moves a side by less than 5/2^23 z, and the margin is
 * z/2^20 at least. A direction that is nearly along a side, by less than 1e-9, is turned away from it: within the mesh that is
 * 4e-9 z.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape_parts.h"

struct d3_ray_lanes {
	four below[3], above[3], inverse[3]; /* o + m, o - m, 1/u by axis */
};

/* o and u: the ray, u a unit vector; start: where it enters the root; margin: as above, and no less than what rounding of
 * doubles takes from o. */
static inline void d3_ray_lanes_make(
	struct d3_ray_lanes *lanes, struct d3_vec_d o, struct d3_vec_d u, double start, double margin)
{
	const double from[3] = {o.x + start * u.x, o.y + start * u.y, o.z + start * u.z}, way[3] = {u.x, u.y, u.z};
	for (int axis = 0; axis < 3; ++axis) {
		double along = abs_d(way[axis]) > 1e-9 ? way[axis] : way[axis] < 0 ? -1e-9 : 1e-9;
		lanes->below[axis] = four_of((float)(from[axis] + margin));
		lanes->above[axis] = four_of((float)(from[axis] - margin));
		lanes->inverse[axis] = four_of((float)(1 / along));
	}
}

/* A bit for each node that the ray enters between its start and `limit`; *enter: where. */
static inline uint32_t d3_ray_enter_four(
	const struct d3_mesh *mesh, const struct d3_node_four *nodes, const struct d3_ray_lanes *lanes, float limit, four *enter)
{
	four lower[3], upper[3], least[3], most[3];
	four_masks links;
	d3_mesh_read_four(mesh, nodes, lower, upper);
	for (int axis = 0; axis < 3; ++axis) {
		four a = (lower[axis] - lanes->below[axis]) * lanes->inverse[axis];
		four b = (upper[axis] - lanes->above[axis]) * lanes->inverse[axis];
		least[axis] = four_least(a, b);
		most[axis] = four_most(a, b);
	}
	memcpy(&links, nodes->links, sizeof links);
	four leave = four_least(four_least(most[0], most[1]), most[2]);
	*enter = four_most(four_most(least[0], least[1]), four_most(least[2], four_of(0)));
	return four_bits((*enter <= leave) & (*enter <= four_of(limit)) & (links != 0));
}
