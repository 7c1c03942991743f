/* immersion.h - solid shapes for fields: their extent in a direction, and the part below a plane. See spatial/immersion.h.
 * Vectors are in the shape's frame; `up` and `direction` are unit vectors.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"
#include "spatial/immersion.h"

/* The greatest coordinate of a point along the direction; INFINITY: there is none, or the shape is a mesh or height field. */
double d3_shape_top(const struct d3_shape *shape, struct vec3 direction);
/* As d3_shape_top: the level of a fluid in the shape. Of a half-space that of its boundary, whose normal becomes *up. */
double d3_shape_level(const struct d3_shape *shape, struct vec3 *up);
/* The part where up . p <= level: in closed form for balls, ellipsoids, sharp boxes and hulls; else with an error below 1e-3 of
 * the volume. Children of compounds count each for itself. Shapes without volume have none. */
struct immersion d3_shape_immersed(const struct d3_shape *shape, struct vec3 up, double level);
/* See wing.shape_facets. A triangle has facets on both sides; segments, half-spaces, meshes and height fields have none. */
void d3_shape_facets(const struct d3_shape *shape, struct fineness fineness, facet_visit *visit, void *context);

/* Visits triangles that cover the surface of a box or hull, counter-clockwise from outside. Rounded edges and corners (`round`)
 * are taken as flat in parts of about a quarter of their angle. */
typedef void d3_triangle_visit(void *context, const struct d3_vec_d corners[3], bool round);
void d3_hull_triangles(const struct d3_shape *shape, d3_triangle_visit *visit, void *context);
