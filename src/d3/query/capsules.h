/* capsules.h - signed distance of two spheres, capsules or segments, or of one and a triangle, in the well-conditioned case:
 * cores neither almost parallel nor almost in contact. A header, so that calls are inlined.
 * Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.9.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

/* A segment from p to p + delta with a radius; delta may be 0. */
struct d3_capsule_core {
	struct d3_vec_d p, delta;
	double square; /* |delta|^2 */
	double radius;
};

/* Makes a core from 1 or 2 points. */
static inline struct d3_capsule_core d3_capsule_core_make(const struct d3_vec *points, uint32_t count, double radius)
{
	struct d3_vec_d p = d3_widen(points[0]), delta = {0, 0, 0};
	if (count > 1)
		delta = d3_sub_d(d3_widen(points[1]), p);
	return (struct d3_capsule_core){p, delta, d3_dot_d(delta, delta), radius};
}

/* Finds s and t in 0..1 for which a.p + s a.delta and b.p + t b.delta are the cores' closest points. from: b.p - a.p. False:
 * the cores are so nearly parallel (squared sine <= 1e-4) that s and t would be inexact. */
static inline bool d3_capsule_parts(
	const struct d3_capsule_core *a, const struct d3_capsule_core *b, struct d3_vec_d from, double *s, double *t)
{
	double along_a = d3_dot_d(a->delta, from), along_b = d3_dot_d(b->delta, from);
	*s = *t = 0;
	if (a->square > 0 && b->square > 0) {
		double both = d3_dot_d(a->delta, b->delta), sine = a->square * b->square - both * both;
		if (!(sine > 1e-4 * a->square * b->square))
			return false;
		*s = clamp_d((along_a * b->square - along_b * both) / sine, 0, 1);
		*t = (*s * both - along_b) / b->square;
		if (!(*t >= 0 && *t <= 1)) {
			*t = *t > 1 ? 1 : 0;
			*s = clamp_d((along_a + *t * both) / a->square, 0, 1);
		}
	} else if (a->square > 0) {
		*s = clamp_d(along_a / a->square, 0, 1);
	} else if (b->square > 0) {
		*t = clamp_d(-along_b / b->square, 0, 1);
	}
	return true;
}

/* Removes the component of `between` along the capsule's axis. At an inner point of the axis (0 < part < 1) it is a rounding
 * error, which would tilt a short vector. */
static inline struct d3_vec_d d3_across_capsule(struct d3_vec_d between, const struct d3_capsule_core *capsule, double part)
{
	return part > 0 && part < 1 ? d3_mul_add_d(between, -d3_dot_d(between, capsule->delta) / capsule->square, capsule->delta)
								: between;
}

/* Computes the separation of two capsules given in one frame, and s and t as d3_capsule_parts does. False, with *out unset:
 * d3_capsule_parts failed, or the cores' distance is below 1e-9 of the coordinates or outside 1e-100..1e100. */
static inline bool d3_capsules_apart(
	const struct d3_capsule_core *a, const struct d3_capsule_core *b, double *s, double *t, struct d3_separation *out)
{
	struct d3_vec_d from = d3_sub_d(b->p, a->p);
	if (!d3_capsule_parts(a, b, from, s, t))
		return false;
	struct d3_vec_d between = d3_sub_d(d3_mul_add_d(from, *t, b->delta), d3_scale_d(*s, a->delta));
	if (*s > 0 && *s < 1 && *t > 0 && *t < 1) {
		struct d3_vec_d n = d3_cross_d(a->delta, b->delta);
		between = d3_scale_d(d3_dot_d(n, from) / d3_dot_d(n, n), n);
	} else {
		between = d3_across_capsule(d3_across_capsule(between, a, *s), b, *t);
	}
	double square = d3_dot_d(between, between), scale = d3_dot_d(a->p, a->p) + d3_dot_d(b->p, b->p) + a->square + b->square;
	if (!(square > 1e-18 * scale && square > 1e-200 && square < 1e200))
		return false;
	double length = sqrt(square), distance = length - a->radius - b->radius;
	struct d3_vec_d n = d3_scale_d(1 / length, between);
	struct d3_vec_d point_a = d3_mul_add_d(d3_mul_add_d(a->p, *s, a->delta), a->radius, n);
	*out = (struct d3_separation){distance, n, point_a, d3_mul_add_d(point_a, distance, n), 0};
	return true;
}

/* Whether the projection of p on the triangle's plane is within the triangle. */
static inline bool d3_over_triangle(const struct d3_vec_d corners[3], struct d3_vec_d normal, struct d3_vec_d p)
{
	bool over = true;
	for (int i = 0; i < 3; ++i) {
		struct d3_vec_d edge = d3_sub_d(corners[(i + 1) % 3], corners[i]);
		over = over && d3_dot_d(normal, d3_cross_d(edge, d3_sub_d(p, corners[i]))) >= 0;
	}
	return over;
}

/* Computes the separation of a sphere or capsule and a triangle, in one frame. A face is met by the lower end of the core, or
 * by none; else the closest points are an edge's. False, with *out unset: the core crosses the triangle, d3_capsules_apart
 * failed for an edge, or the distance is below 1e-9 of the coordinates. */
static inline bool d3_capsule_triangle_apart(
	const struct d3_capsule_core *capsule, const struct d3_vec_d corners[3], struct d3_separation *out)
{
	struct d3_vec_d n = d3_cross_d(d3_sub_d(corners[1], corners[0]), d3_sub_d(corners[2], corners[0]));
	struct d3_vec_d from = d3_sub_d(capsule->p, corners[0]), low = capsule->p;
	double square = d3_dot_d(n, n), height = d3_dot_d(n, from), far = height + d3_dot_d(n, capsule->delta);
	if (height * far <= 0)
		return false; /* on both sides of the plane */
	if (abs_d(far) < abs_d(height)) {
		height = far;
		low = d3_add_d(low, capsule->delta);
	}
	double scale = d3_dot_d(from, from) + d3_dot_d(corners[0], corners[0]);
	if (!(height * height > 1e-18 * scale * square && square > 1e-100 && square < 1e100))
		return false;
	if (d3_over_triangle(corners, n, low)) {
		double length = sqrt(square), distance = abs_d(height) / length - capsule->radius;
		struct d3_vec_d normal = d3_scale_d(height > 0 ? -1 / length : 1 / length, n);
		struct d3_vec_d point = d3_mul_add_d(low, capsule->radius, normal);
		*out = (struct d3_separation){distance, normal, point, d3_mul_add_d(point, distance, normal), 0};
		return true;
	}
	struct d3_separation nearest = {.distance = INFINITY};
	for (int i = 0; i < 3; ++i) {
		struct d3_vec_d delta = d3_sub_d(corners[(i + 1) % 3], corners[i]);
		struct d3_capsule_core edge = {corners[i], delta, d3_dot_d(delta, delta), 0};
		struct d3_separation found;
		double s, t;
		if (!d3_capsules_apart(capsule, &edge, &s, &t, &found))
			return false;
		if (found.distance < nearest.distance)
			nearest = found;
	}
	*out = nearest;
	return true;
}
