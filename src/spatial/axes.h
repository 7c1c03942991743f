/* axes.h - geometry for 2 or 3 axes: sweeps of balls and AABBs, planes, oriented boxes, closest points, and sliding along
 * obstacles.
 * A point is an array of `axes` doubles. Code that differs between 2D and 3D is in the wings.
 * Conventions: directions from A to B are unit vectors; a plane is the set of p with normal . p = offset, so that the signed
 * distance is normal . p - offset; touching counts as overlap; times are fractions of the motion.
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

/* Writes a / |a|; out may be a. False, and nothing is written, if no |component| is above 1e-300. */
bool axes_normalize(int axes, const double *a, double *out);

/* The real roots of a x^2 + b x + c, ascending; a double root counts twice. Returns their number: with a = 0 at most one, with
 * a = b = 0 none. There is no cancellation for b^2 near 4ac or for small 4ac. A root beyond the range of doubles is left out;
 * with a = 0 it is infinite.
 * Source: Kahan, "On the Cost of Floating-Point Computation Without Extra-Precise Arithmetic", 2004. */
int axes_quadratic(double a, double b, double c, double roots[2]);

/* --- Sweeps --------------------------------------------------------------------------------------------------------------- */

struct axes_sweep {
	double first; /* fraction of the motion at the first contact, 0 .. 1; 0 if they overlap at the start */
	double last; /* fraction at the last contact, >= first, may exceed 1; infinite if they never separate */
	double normal[AXES_MAX]; /* unit, from A to B at the first contact */
};

/* Sweeps two balls, with centres from a0 to a1 and from b0 to b1. If they are concentric at the start, the normal is +x. False:
 * no contact, *out untouched. */
bool axes_sphere_sweep(int axes, const double *a0, const double *a1, double radius_a, const double *b0, const double *b1,
	double radius_b, struct axes_sweep *out);

/* Sweeps two AABBs, given by centres and half sizes. The normal is along the axis on which they begin to overlap last; if they
 * overlap at the start, along that of the least overlap. Of equal axes the first counts. False: no contact, *out untouched. */
bool axes_box_sweep(int axes, const double *a0, const double *a1, const double *half_a, const double *b0, const double *b1,
	const double *half_b, struct axes_sweep *out);

struct axes_plane_hit {
	double fraction; /* of the motion at the hit; 0 if they overlap at the start */
	double normal[AXES_MAX]; /* unit, from the ball to the plane */
	double center[AXES_MAX]; /* of the ball at the hit */
};

/* Sweeps a ball against a plane, from either side, or against the solid half-space normal . p <= offset. False: no hit. */
bool axes_plane_sweep(int axes, const double *c0, const double *c1, double radius, const double *normal, double offset,
	bool half_space, struct axes_plane_hit *out);

/* --- Times of impact ------------------------------------------------------------------------------------------------------ */

/* Result of a search for the first time at which the distance of two moving shapes is down to a target. */
enum axes_impact {
	AXES_IMPACT_SEPARATED, /* the distance stays above the target; t is the end of the search */
	AXES_IMPACT_HIT, /* at t the distance is within the tolerance of the target, and was above the target before */
	AXES_IMPACT_OVERLAPPING, /* at the start, t = 0, they overlap or are no farther apart than the target */
	/* the iterations ran out before the distance came within the tolerance, for which no example is known; no hit up to t */
	AXES_IMPACT_FAILED
};

/* Whether a, the result of a pair of children, replaces b, the best result of the pairs before. An overlap replaces all others.
 * A hit or failure replaces a separation, and also a hit or failure at a later time. */
bool axes_impact_before(enum axes_impact a, double t_a, enum axes_impact b, double t_b);

struct axes_bisection {
	bool hit;
	double t; /* the latest time tested without an overlap before the hit; 1 without a hit; 0 if they overlap at the start */
	int iterations;
};

/* Whether a shape overlaps another anywhere along the first part of its displacement, the fraction t. */
typedef bool axes_overlaps_until(void *context, double t);

/* Bisects the displacement, `length` long, for the first overlap, until the part that contains it is at most `tolerance` long
 * [length]. */
struct axes_bisection axes_bisect(double length, double tolerance, axes_overlaps_until *overlaps, void *context);

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

/* A box of any orientation. axis[i] is a unit vector; the rows form a rotation. */
struct obb {
	double center[AXES_MAX];
	double axis[AXES_MAX][AXES_MAX];
	double half[AXES_MAX];
};

/* The point's coordinates in the box's frame. */
void obb_local_point(int axes, const struct obb *box, const double *point, double *out);

/* Half the length of the box's projection onto the direction, times the length of the direction, which need not be a unit
 * vector. */
double obb_radius(int axes, const struct obb *box, const double *direction);

/* Half sizes of the box's AABB. */
void obb_bounds(int axes, const struct obb *box, double *half);

/* Returns the squared distance of the point from the solid box, and writes the closest point of the box: the point itself if
 * inside. */
double obb_distance_squared(int axes, const struct obb *box, const double *point, double *closest);

/* Returns the signed distance of the point from the box's surface, negative inside. Writes the closest point of the surface and
 * the unit normal there, outward: for a point inside, those of the first of the nearest faces. */
double obb_signed_distance(int axes, const struct obb *box, const double *point, double *closest, double *normal);

/* The first separating axis among a's axes (1 .. axes) and then b's (axes + 1 .. 2 axes); 0: none of these. In 3D such boxes
 * may still be disjoint: cross products of edges are not tested. */
int obb_separating_face(int axes, const struct obb *a, const struct obb *b);

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

/* Computes a conservative AABB of the motion of a shape within a box. The box's centre moves by `motion`, and the box turns
 * about its centre by at most `angle` [rad], about any axis. radius: upper bound of the distance of the shape's points from the
 * centre; if infinite, the corners' is used. Turning moves no point by more than angle times radius, and none farther than
 * radius from the centre. */
void obb_swept_bounds(
	int axes, const struct obb *box, const double *motion, double angle, double radius, double *lower, double *upper);

/* --- Closest points ------------------------------------------------------------------------------------------------------- */

/* Write the point of the segment or triangle closest to p, and its weights: out = sum of weight times corner, weights >= 0,
 * their sum 1. Corners may coincide or lie on a line. Both return the squared distance. */
double axes_closest_on_segment(int axes, const double *p, const double *a, const double *b, double *out, double weights[2]);
double axes_closest_on_triangle(
	int axes, const double *p, const double *a, const double *b, const double *c, double *out, double weights[3]);

/* --- Sliding -------------------------------------------------------------------------------------------------------------- */

enum { AXES_SLIDE_PLANES = 16 };

/* Finds the first obstacle for the mover from `from` along `motion`. Returns 1 and the fraction of the motion and the unit
 * normal at the hit, from the mover to the obstacle; 0: no hit; -1: ends the slide. */
typedef int axes_slide_cast(void *context, const double *from, const double *motion, double *fraction, double *normal);

struct axes_slide {
	double position[AXES_MAX]; /* of the mover; in: the start; out: the end */
	uint32_t iterations; /* path segments tried */
	uint32_t planes; /* number of planes that the mover slid along or was stopped by */
};

/* Returns the signed distance of the obstacle nearest to the mover at `at`, and the unit normal from the mover to the obstacle.
 * Obstacles a skin or more away may count as infinitely far. */
typedef double axes_slide_distance(void *context, const double *at, double *normal);

/* Moves a mover until no obstacle is nearer than half a skin. Each of at most 64 rounds moves it to one skin's distance from
 * the nearest obstacle, along the normal. Without room it ends at the position with the greatest signed distance found. */
void axes_slide_free(int axes, double *position, double skin, axes_slide_distance *distance_of, void *context);

/* Moves a mover by `motion`, in at most `iterations` straight segments, and slides it along obstacles: after each hit it
 * follows the motion nearest to `motion` that leads into none of the planes hit. That motion is along one plane, along the
 * intersection line of two (in 3D), or zero. `skin` > 0 is the distance kept from all obstacles. The mover moves only where a
 * cast was free, so it penetrates nothing that the cast knows; it never moves back against `motion`, so it does not jitter in
 * corners. If it starts in contact, and moves away from the obstacle or along it, it is first moved out by `skin`. If there is
 * no room for that, or if it starts deeper inside, it stays there. */
void axes_slide_move(int axes, struct axes_slide *slide, const double *motion, double skin, uint32_t iterations,
	axes_slide_cast *cast, void *context);
