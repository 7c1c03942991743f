/* immersion.h - solid shapes for fields: their extent in a direction, the part below a line, and facets of their outlines. See
 * spatial/immersion.h. Vectors are in the shape's frame; `up` and `direction` are unit vectors.
 * Pure, any thread. */
#pragma once
#include "d2/shape/shape.h"
#include "spatial/immersion.h"

/* The greatest coordinate of a point along the direction; INFINITY: there is none. */
double d2_shape_top(const struct d2_shape *shape, struct vec3 direction);
/* As d2_shape_top: the level of a fluid in the shape. Of a half-plane that of its boundary, whose normal becomes *up. */
double d2_shape_level(const struct d2_shape *shape, struct vec3 *up);
/* The part where up . p <= level, in closed form. Shapes without area have none. */
struct immersion d2_shape_immersed(const struct d2_shape *shape, struct vec3 up, double level);
/* See wing.shape_facets. Shapes without area have two facets for each segment; half-planes have none. */
void d2_shape_facets(const struct d2_shape *shape, struct fineness fineness, facet_visit *visit, void *context);
