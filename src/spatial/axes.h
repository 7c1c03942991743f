/* axes.h - geometry that reads the same whatever the number of axes: sweeps of balls and boxes, planes, rotated boxes, closest
 * points, and sliding along what is in the way.
 * Points are `axes` doubles, 2 or 3. What needs a cross product, and so differs, stands in the wings.
 * Conventions: directions from A to B are unit; a plane is the set of p with normal . p = offset, so that the signed distance
 * is normal . p - offset; touching counts as overlap; times are fractions of the motion.
 * Invariant: no result is NaN for finite arguments of up to 1e15.
 * Sources: Gomez, "Simple Intersection Tests for Games", 1999, and Firth, "Collision Detection for Dummies", 2011, both with
 * corrections that the functions name; Ericson, "Real-Time Collision Detection", 2005, chapter 5.
 * Pure functions; any thread. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { AXES_MAX = 3 };

/* --- Small things --------------------------------------------------------------------------------------------------------- */

double axes_dot(int axes, const double *a, const double *b);
double axes_length(int axes, const double *a);

/* a / |a|; false, and nothing written, where a has no direction. May be in place. */
bool axes_normalize(int axes, const double *a, double *out);

/* The real roots of a x^2 + b x + c, ascending; a double root counts twice. With a = 0 there is at most one; with a = b = 0
 * none. Returns their number. Neither b^2 near 4ac nor 4ac near 0 costs digits; a root beyond doubles is infinite.
 * Source: Kahan, "On the Cost of Floating-Point Computation Without Extra-Precise Arithmetic", 2004. */
int axes_quadratic(double a, double b, double c, double roots[2]);

/* --- Sweeps --------------------------------------------------------------------------------------------------------------- */

struct axes_sweep {
	double first; /* contact, 0 .. 1; 0 when they overlap at the start */
	double last; /* contact, >= first and not cut at 1; infinite when they never part */
	double normal[AXES_MAX]; /* from A to B at the first contact */
};

/* Balls that move from a0 to a1 and from b0 to b1. Concentric ones have the normal +x. False: *out untouched. */
bool axes_sphere_sweep(int axes, const double *a0, const double *a1, double radius_a, const double *b0, const double *b1,
	double radius_b, struct axes_sweep *out);

/* The same for boxes along the axes, by half sizes. The normal is that of the axis on which they meet last, or, when they
 * overlap at the start, overlap least; the first such axis. */
bool axes_box_sweep(int axes, const double *a0, const double *a1, const double *half_a, const double *b0, const double *b1,
	const double *half_b, struct axes_sweep *out);

struct axes_plane_hit {
	double fraction; /* 0 when they overlap at the start */
	double normal[AXES_MAX]; /* from the ball to the plane */
	double center[AXES_MAX]; /* of the ball then */
};

/* A ball against a plane from either side, or against all that is on the plane's inner side. */
bool axes_plane_sweep(int axes, const double *c0, const double *c1, double radius, const double *normal, double offset,
	bool half_space, struct axes_plane_hit *out);

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

/* A box of any orientation. axis[i] is unit; the rows form a rotation. */
struct obb {
	double center[AXES_MAX];
	double axis[AXES_MAX][AXES_MAX];
	double half[AXES_MAX];
};

/* The point, or the direction, in the box's own frame. */
void obb_local_point(int axes, const struct obb *box, const double *point, double *out);

/* Half the length of the box's shadow on the direction, which need not be unit, times the direction's length. */
double obb_radius(int axes, const struct obb *box, const double *direction);

/* Half sizes of the bounds. */
void obb_bounds(int axes, const struct obb *box, double *half);

/* The squared distance of the point from the solid box, and the box's point next to it: the point itself inside. */
double obb_distance_squared(int axes, const struct obb *box, const double *point, double *closest);

/* The distance of the point from the box's surface, negative inside; the surface's point next to it, and the outward normal
 * there. Inside, the first of the nearest faces. */
double obb_signed_distance(int axes, const struct obb *box, const double *point, double *closest, double *normal);

/* The first direction among a's axes (1 .. axes) and then b's (axes + 1 .. 2 axes) on which the shadows have a gap; 0: none. */
int obb_separating_face(int axes, const struct obb *a, const struct obb *b);

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

/* The bounds of all that a box can touch while its centre moves by `motion` and it turns about it by no more than `angle`
 * [rad], whichever way. radius: of the farthest point from the centre; infinite: that of a corner.
 * No point moves farther by turning than its arc, angle times radius, and none is ever farther than radius from the centre. */
void obb_swept_bounds(
	int axes, const struct obb *box, const double *motion, double angle, double radius, double *lower, double *upper);

/* --- Closest points ------------------------------------------------------------------------------------------------------- */

/* The point of the segment or triangle next to p, and its weights: out = sum of weight times corner, weights >= 0, their sum 1.
 * Corners may coincide or lie on a line. Both return the squared distance. */
double axes_closest_on_segment(int axes, const double *p, const double *a, const double *b, double *out, double weights[2]);
double axes_closest_on_triangle(
	int axes, const double *p, const double *a, const double *b, const double *c, double *out, double weights[3]);

/* --- Sliding -------------------------------------------------------------------------------------------------------------- */

enum { AXES_SLIDE_PLANES = 16 };

/* What is first in the way from `from` along `motion`: at which fraction of it, and the unit normal there, from the mover to
 * the obstacle. Returns 1, 0 for nothing, -1 to end the slide. */
typedef int axes_slide_cast(void *context, const double *from, const double *motion, double *fraction, double *normal);

struct axes_slide {
	double position[AXES_MAX]; /* in: the start; out: the end */
	uint32_t iterations; /* parts of the way looked at */
	uint32_t planes; /* that the mover was led along or stopped by */
};

/* What is nearest to the mover at `at`: its distance, negative where they overlap, and the unit normal from the mover to it.
 * What is a skin or more away may count as infinitely far. */
typedef double axes_slide_gap(void *context, const double *at, double *normal);

/* Takes a mover that overlaps something, or is nearer to it than half of the skin, off it to a skin's distance: along the
 * normal of what is overlapped deepest, again and again. Where there is no such room it ends where the greatest overlap that
 * was seen is least. */
void axes_slide_free(int axes, double *position, double skin, axes_slide_gap *gap, void *context);

/* Moves by `motion`, and where something is in the way along it: each plane met takes away the part of the motion that leads
 * into it. Of two planes remains the line in which they meet (in the plane: nothing), of three nothing. `skin` > 0 is the
 * distance kept from everything. No part of the way is taken that was not found free, so the mover penetrates nothing that the
 * cast knows; and none leads back against `motion`, so it does not tremble in corners. A mover that starts in touch is first
 * taken off by `skin`, where there is room; one that starts deeper inside stays there. */
void axes_slide_move(int axes, struct axes_slide *slide, const double *motion, double skin, uint32_t iterations,
	axes_slide_cast *cast, void *context);
