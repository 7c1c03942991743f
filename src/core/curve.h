/* curve.h - smooth curves through points, with a frame along them: the paths of joints, in 2D and 3D. In 2D the third numbers
 * are 0. Functions without a struct memory are pure; any thread. */
#pragma once
#include "base/archive.h"

#include <stdbool.h>
#include <stdint.h>

struct archive;

/* A place along a curve. */
struct curve_knot {
	float s; /* arc length from the start [length] */
	float p[3]; /* [length] */
	float t[3], n[3]; /* unit vectors: the tangent, and a normal of the frame, whose third axis is t x n */
};

/* Between two knots it is the cubic with their places and unit tangents. */
struct curve {
	float length;
	float twist; /* rotation of the frame about the tangent [rad/length]: a loop's frame ends as it began */
	bool loop;
	uint32_t count;
	struct curve_knot knots[]; /* the last one of a loop is the first, at s = length */
};

struct curve_place {
	float p[3], t[3], n[3];
	float turn[3]; /* rotation of the frame along the curve [rad/length] */
};

/* A curve through the points, `axes` numbers each, no two neighbours equal: in a loop the last and the first point are
 * neighbours, too. A centripetal Catmull-Rom spline, which has no cusps between points, with the frame that rotates least.
 * NULL: out of memory.
 * Sources: Yuksel, Schaefer, Keyser, "Parameterization and Applications of Catmull-Rom Curves", 2011; Wang, Juttler, Zheng,
 * Liu, "Computation of Rotation Minimizing Frames", 2008. */
struct curve *curve_create(struct memory *memory, const double *points, uint32_t count, int axes, bool loop);
void curve_destroy(struct memory *memory, struct curve *curve); /* NULL: does nothing */
/* Passes a curve. Reading: *curve becomes a new one, of archive->memory; NULL: see archive_good. */
void curve_pass(struct archive *archive, struct curve **curve);

/* The place at arc length s. Laps are left out of a loop's; an open curve goes on straight beyond its ends. */
void curve_at(const struct curve *curve, float s, struct curve_place *place);
/* The arc length of the point of the curve that is nearest to q, going downhill from `near`. In a loop it counts laps, as
 * `near` does. */
float curve_project(const struct curve *curve, const float q[3], float near);
/* The arc length of the point nearest to q. */
float curve_nearest(const struct curve *curve, const float q[3]);
