/* ray_cast_parts.h - internals shared by ray_cast.c, ray_hull.c and ray_round.c. */
#pragma once
#include "d3/query/ray_cast.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>

/* No edge, as a half edge's index. */
enum { NO_EDGE = UINT32_MAX };

struct crossing {
	double enter, leave;
	uint32_t face; /* through which the ray enters */
	bool outside; /* the ray starts outside */
	double height; /* greatest height of the ray's start above a plane; 0: above none */
};

struct d3_vec_d d3_ray_at(const struct d3_ray *ray, double s);

/* Shortens the ray to a hit at s, unless s is negative or beyond its end. Returns whether it did. */
bool d3_ray_take(struct d3_ray *ray, double s, struct d3_vec_d normal);

/* As d3_ray_take, for a round surface of this size [length]. The ray is known to start outside, so an entry behind its start by
 * no more than rounding counts as at the start. */
bool d3_ray_take_round(struct d3_ray *ray, double s, struct d3_vec_d normal, double size);

/* Casts the ray against a ball. With m = o - c, it enters at
 *   s = -m.u - sqrt(r^2 - |m x u|^2)
 * The cross product keeps its digits for a far origin, where the usual m.m - r^2 loses them. */
void d3_ray_ball(struct d3_ray *ray, struct d3_vec_d center, double radius);

/* Casts the ray against the round side of the tube around the segment from p to q. With the axis' unit vector a, the ray's
 * speed perpendicular to the axis is |u - (u.a) a|, and the ray passes the axis at the distance a.(m x u) over that speed, m =
 * o - p. The tube's ends are open: a ray that enters through an end hits the ball or other surface there. */
void d3_ray_tube(struct d3_ray *ray, struct d3_vec_d p, struct d3_vec_d q, double radius);

/* Returns the face's edge that x, projected onto the face's plane, is outside of and that spans the greatest triangle with x;
 * NO_EDGE: x projects into the face. */
uint32_t d3_ray_outer_edge(const struct d3_hull *hull, uint32_t face, struct d3_vec_d x);

void d3_ray_hull(struct d3_ray *ray, const struct d3_shape *shape);

void d3_ray_half_space(struct d3_ray *ray, const struct d3_shape *shape);

static inline double round_offset(double x, double z)
{
	return sqrt(x * x + z * z);
}

/* Casts the ray against a cylinder: intersects the ray's interval between the end planes with that inside the infinite tube. */
void d3_ray_cylinder(struct d3_ray *ray, const struct d3_shape *shape);

void d3_ray_cone(struct d3_ray *ray, const struct d3_shape *shape);

/* Casts the ray against an ellipsoid: a unit ball in coordinates scaled by 1/a, 1/b and 1/c, with its normal along (x/a^2,
 * y/b^2, z/c^2). */
void d3_ray_ellipsoid(struct d3_ray *ray, const struct d3_shape *shape);

void d3_ray_tapered(struct d3_ray *ray, const struct d3_shape *shape);

bool d3_ray_tapered_contains(const struct d3_shape *shape, struct d3_vec_d p);

bool d3_ray_contains(const struct d3_shape *shape, struct d3_vec_d x);
