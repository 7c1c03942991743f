/* axes.h - geometry independent of the number of axes: sweeps of balls and boxes, planes, rotated boxes, closest points, and
 * sliding along obstacles.
 * Points are `axes` doubles, 2 or 3. Code that needs a cross product, and so differs, is in the wings.
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

/* a / |a|; false, and nothing written, if a has no direction. May be in place. */
bool axes_normalize(int axes, const double *a, double *out);

/* The real roots of a x^2 + b x + c, ascending; a double root counts twice. With a = 0 there is at most one; with a = b = 0
 * none. Returns their number. No cancellation where b^2 is near 4ac or 4ac near 0; a root beyond the range of doubles is
 * infinite.
 * Source: Kahan, "On the Cost of Floating-Point Computation Without Extra-Precise Arithmetic", 2004. */
int axes_quadratic(double a, double b, double c, double roots[2]);

/* --- Sweeps --------------------------------------------------------------------------------------------------------------- */

struct axes_sweep {
	double first; /* first contact, 0 .. 1; 0 if they overlap at the start */
	double last; /* last contact, >= first, may exceed 1; infinite if they never separate */
	double normal[AXES_MAX]; /* from A to B at the first contact */
};

/* Balls that move from a0 to a1 and from b0 to b1. Concentric ones have the normal +x. False: no contact, *out untouched. */
bool axes_sphere_sweep(int axes, const double *a0, const double *a1, double radius_a, const double *b0, const double *b1,
	double radius_b, struct axes_sweep *out);

/* The same for axis-aligned boxes, by half sizes. The normal is along the axis on which they begin to overlap last, or, if they
 * overlap at the start, overlap least; the first such axis. */
bool axes_box_sweep(int axes, const double *a0, const double *a1, const double *half_a, const double *b0, const double *b1,
	const double *half_b, struct axes_sweep *out);

struct axes_plane_hit {
	double fraction; /* 0 if they overlap at the start */
	double normal[AXES_MAX]; /* from the ball to the plane */
	double center[AXES_MAX]; /* of the ball at that time */
};

/* A ball against a plane from either side, or against the half-space on the plane's inner side. False: no hit. */
bool axes_plane_sweep(int axes, const double *c0, const double *c1, double radius, const double *normal, double offset,
	bool half_space, struct axes_plane_hit *out);

/* --- Times of impact ------------------------------------------------------------------------------------------------------ */

/* What a search for the first time at which two moving shapes come as near as a target has found. */
enum axes_impact {
	AXES_IMPACT_SEPARATED, /* they do not come so near; t is the end of the search */
	AXES_IMPACT_HIT, /* at t the distance is within the tolerance of the target, and was above the target before */
	AXES_IMPACT_OVERLAPPING, /* at the start, t = 0, they overlap or are no farther apart than the target */
	/* out of iterations farther apart than the tolerance, for which no example is known; up to t there is no hit */
	AXES_IMPACT_FAILED
};

/* Whether the result a of a pair of children replaces b, that of the pairs before: its time is earlier or its state more
 * definite. */
bool axes_impact_before(enum axes_impact a, double t_a, enum axes_impact b, double t_b);

struct axes_bisection {
	bool hit;
	double t; /* the last time without overlap; 1 when not hit; 0 when they overlap at the start */
	int iterations;
};

/* Whether a shape that moves along the first `t` of its displacement overlaps another anywhere on its path. */
typedef bool axes_overlaps_until(void *context, double t);

/* Bisects the time of the first overlap, down to the tolerance; length: of the displacement. */
struct axes_bisection axes_bisect(double length, double tolerance, axes_overlaps_until *overlaps, void *context);

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

/* A box of any orientation. axis[i] is a unit vector; the rows form a rotation. */
struct obb {
	double center[AXES_MAX];
	double axis[AXES_MAX][AXES_MAX];
	double half[AXES_MAX];
};

/* The point in the box's own frame. */
void obb_local_point(int axes, const struct obb *box, const double *point, double *out);

/* Half the length of the box's projection on the direction, which need not be a unit vector, times the direction's length. */
double obb_radius(int axes, const struct obb *box, const double *direction);

/* Half sizes of the box's AABB. */
void obb_bounds(int axes, const struct obb *box, double *half);

/* The squared distance of the point from the solid box, and the closest point of the box: the point itself if inside. */
double obb_distance_squared(int axes, const struct obb *box, const double *point, double *closest);

/* The signed distance of the point from the box's surface, negative inside; the closest point of the surface, and the outward
 * normal there. For a point inside, those of the first of the nearest faces. */
double obb_signed_distance(int axes, const struct obb *box, const double *point, double *closest, double *normal);

/* The first separating axis among a's axes (1 .. axes) and then b's (axes + 1 .. 2 axes); 0: none. */
int obb_separating_face(int axes, const struct obb *a, const struct obb *b);

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

/* The AABB of the volume swept by a box while its centre moves by `motion` and it turns about the centre by at most `angle`
 * [rad] about any axis. radius: of the farthest point from the centre; infinite: that of a corner. No point moves farther by
 * turning than its arc, angle times radius, and none is ever farther than radius from the centre. */
void obb_swept_bounds(
	int axes, const struct obb *box, const double *motion, double angle, double radius, double *lower, double *upper);

/* --- Closest points ------------------------------------------------------------------------------------------------------- */

/* The closest point of the segment or triangle to p, and its weights: out = sum of weight times corner, weights >= 0, their sum
 * 1. Corners may coincide or lie on a line. Both return the squared distance. */
double axes_closest_on_segment(int axes, const double *p, const double *a, const double *b, double *out, double weights[2]);
double axes_closest_on_triangle(
	int axes, const double *p, const double *a, const double *b, const double *c, double *out, double weights[3]);

/* --- Sliding -------------------------------------------------------------------------------------------------------------- */

enum { AXES_SLIDE_PLANES = 16 };

/* The first obstacle from `from` along `motion`: the fraction of the motion, and the unit normal there, from the mover to the
 * obstacle. Returns 1, 0 for none, -1 to end the slide. */
typedef int axes_slide_cast(void *context, const double *from, const double *motion, double *fraction, double *normal);

struct axes_slide {
	double position[AXES_MAX]; /* in: the start; out: the end */
	uint32_t iterations; /* path segments tried */
	uint32_t planes; /* number of planes that the mover slid along or was stopped by */
};

/* The obstacle nearest to the mover at `at`: its signed distance, and the unit normal from the mover to it. Obstacles a skin or
 * more away may count as infinitely far. */
typedef double axes_slide_distance(void *context, const double *at, double *normal);

/* Moves a mover that overlaps an obstacle, or is nearer than half of the skin, away to a skin's distance: repeatedly along the
 * normal of the deepest overlap. Where there is no room it ends at the position with the least maximum overlap found. */
void axes_slide_free(int axes, double *position, double skin, axes_slide_distance *distance_of, void *context);

/* Moves by `motion` and slides along obstacles: each plane hit removes the component of the motion that leads into it. Two
 * planes leave their intersection line (in 2D: nothing), three leave nothing. `skin` > 0 is the distance kept from all
 * obstacles. Only motion that a cast found free is taken, so the mover penetrates nothing that the cast knows; and none leads
 * back against `motion`, so it does not jitter in corners. A mover that starts in contact is first moved away by `skin`, if
 * there is room; one that starts deeper inside stays there. */
void axes_slide_move(int axes, struct axes_slide *slide, const double *motion, double skin, uint32_t iterations,
	axes_slide_cast *cast, void *context);
