/* ray_boxes.h - a ray against four boxes of a mesh's tree, in floats, conservatively.
 * With o and u the ray, m a margin, and l and h the sides of a box along an axis, the ray is between them for s from (l - m -
 * o)/u to (h + m - o)/u, or in reverse where u < 0: the bounds are (l - (o + m))/u and (h - (o - m))/u. o is where the ray
 * enters the root, so all lengths are of the order of the mesh's size z. Rounding moves a side by less than 5/2^23 z; the
 * margin is at least z/2^20. A direction component below 1e-9 is replaced by 1e-9, which displaces the ray by 4e-9 z within the
 * mesh.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape_parts.h"

struct d3_ray_lanes {
	float4 below[3], above[3], inverse[3]; /* o + m, o - m, 1/u by axis */
};

/* o and u: the ray, u a unit vector; start: parameter at which it enters the root; margin: as above, and at least the rounding
 * error of o in doubles. */
static inline void d3_ray_lanes_make(
	struct d3_ray_lanes *lanes, struct d3_vec_d o, struct d3_vec_d u, double start, double margin)
{
	const double from[3] = {o.x + start * u.x, o.y + start * u.y, o.z + start * u.z}, delta[3] = {u.x, u.y, u.z};
	for (int axis = 0; axis < 3; ++axis) {
		double along = abs_d(delta[axis]) > 1e-9 ? delta[axis] : delta[axis] < 0 ? -1e-9 : 1e-9;
		lanes->below[axis] = float4_of((float)(from[axis] + margin));
		lanes->above[axis] = float4_of((float)(from[axis] - margin));
		lanes->inverse[axis] = float4_of((float)(1 / along));
	}
}

/* A bit for each node that the ray enters between its start and `limit`; *enter: parameters of entry. */
static inline uint32_t d3_ray_enter_four(
	const struct d3_mesh *mesh, const struct d3_node4 *nodes, const struct d3_ray_lanes *lanes, float limit, float4 *enter)
{
	float4 lower[3], upper[3], least[3], most[3];
	int4 links;
	d3_mesh_read_four(mesh, nodes, lower, upper);
	for (int axis = 0; axis < 3; ++axis) {
		float4 a = (lower[axis] - lanes->below[axis]) * lanes->inverse[axis];
		float4 b = (upper[axis] - lanes->above[axis]) * lanes->inverse[axis];
		least[axis] = float4_least(a, b);
		most[axis] = float4_most(a, b);
	}
	memcpy(&links, nodes->links, sizeof links);
	float4 leave = float4_least(float4_least(most[0], most[1]), most[2]);
	*enter = float4_most(float4_most(least[0], least[1]), float4_most(least[2], float4_of(0)));
	return float4_bits((*enter <= leave) & (*enter <= float4_of(limit)) & (links != 0));
}
