/* shape_parts.h - what the files that make shapes share.
** Floor: d3. See shape.h for threads. */
#pragma once
#include "d3/shape.h"

/* One reference, type and memory set, the rest zero; NULL: no memory. */
struct d3_shape *d3_shape_new(struct memory *memory, enum d3_shape_type type);

/* The hull of a box: point i stands at the upper end of axis k of the frame where bit k of i is set. Faces: lower and upper along x, y, z.
** NULL: no memory. */
struct d3_hull *d3_hull_of_box(struct memory *memory, const struct d3_transform_d *frame, struct d3_vec half);
