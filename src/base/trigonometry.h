/* trigonometry.h - sine, cosine and arc tangent of doubles, nearly as exact as doubles can be, for the numbers of scripts. The
 * engine's own, in scalar.h, take less time and are exact enough for floats.
 * Invariant: every function returns the same bits with every compiler, at every -O level and on every processor, because each
 * is a fixed sequence of IEEE operations.
 * Pure functions; any thread. */
#pragma once

/* Angles [rad], finite. Up to |angle| = 1e15 the error is less than 2e-16. Beyond that, where doubles are an eighth of a radian
 * apart, whole turns are taken as 2 pi rounded to a double. */
double trigonometry_sin(double angle);
double trigonometry_cos(double angle);

/* The angle [rad] of the point (x, y), in [-pi, pi], with an error of less than 3e-16 times the angle. A zero y keeps its sign;
 * (0, 0) of any signs gives 0. Both finite. */
double trigonometry_atan2(double y, double x);
