/* cast.h - rays against shapes, and whether shapes contain a point.
** Positions in the world are double and are made relative to the shape first, so that precision does not depend on where the
** scene is.
** Floor: d3. Pure, any thread. */
#pragma once
#include "d3/shape.h"

struct d3_ray_hit_d {
	double fraction; /* of the ray's translation, 0 .. 1 */
	struct d3_vec_d normal; /* unit, outward, in the world; zero for a ray of no length that starts inside */
	struct d3_vec_d p; /* in the world [length] */
	uint32_t child;
};

/* The first point where the ray enters the shape. A ray that starts inside a solid hits at fraction 0 with the normal opposite to its
** direction. Triangles are hit from both sides and have no inside; a segment is never hit, having no width. False, and *out untouched,
** when it misses. */
bool d3_shape_ray_d(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d origin, struct d3_vec_d translation,
	struct d3_ray_hit_d *out);

/* Whether the point of the world is in or on the shape. Always false for what has no inside: segment, triangle, mesh, height field. */
bool d3_shape_contains(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d point);
