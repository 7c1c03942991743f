/* axes_impact.c - times of impact by bisection, and which of two results replaces the other. See axes.h. */
#include "spatial/axes.h"

bool axes_impact_before(enum axes_impact a, double t_a, enum axes_impact b, double t_b)
{
	if (a == AXES_IMPACT_OVERLAPPING)
		return b != AXES_IMPACT_OVERLAPPING;
	return a != AXES_IMPACT_SEPARATED && (b == AXES_IMPACT_SEPARATED || t_a < t_b);
}

struct axes_bisection axes_bisect(double length, double tolerance, axes_overlaps_until *overlaps, void *context)
{
	if (overlaps(context, 0))
		return (struct axes_bisection){true, 0, 1};
	if (!overlaps(context, 1))
		return (struct axes_bisection){false, 1, 2};
	double free = 0, hit = 1;
	int iterations = 2;
	while ((hit - free) * length > tolerance) {
		double middle = 0.5 * (free + hit);
		if (middle <= free || middle >= hit)
			break;
		++iterations;
		*(overlaps(context, middle) ? &hit : &free) = middle;
	}
	return (struct axes_bisection){true, free, iterations};
}
