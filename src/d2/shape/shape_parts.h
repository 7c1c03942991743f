/* shape_parts.h - internals shared by the files that create shapes: from the members of a shape, so that the copy has the same
 * bits. NULL: no memory. See shape.h for threads. */
#pragma once
#include "d2/shape/shape.h"

/* rotation: normalised, as shape->rotation is. half: without the radius. */
struct d2_shape *d2_box_make(
	struct memory *memory, struct d2_vec half, struct d2_vec center, struct d2_rot rotation, float radius);
struct d2_shape *d2_ellipse_make(struct memory *memory, struct d2_vec axes, struct d2_vec center, struct d2_rot rotation);
/* points: a hull, see d2_hull_is. */
struct d2_shape *d2_polygon_make(struct memory *memory, const struct d2_vec *points, uint32_t count, float radius);
/* normal: a unit vector. */
struct d2_shape *d2_half_plane_make(struct memory *memory, struct d2_vec normal, float offset);
