/* outline.c - see outline.h. */
#include "spatial/outline.h"
#include "base/turn.h"

#include <stdlib.h>
#include <string.h>

static uint32_t chain_add(double (*out)[2], uint32_t n, uint32_t least, const double point[2])
{
	while (n >= least && turn_exact(out[n - 2], out[n - 1], point) <= 0)
		--n;
	memcpy(out[n], point, sizeof out[n]);
	return n + 1;
}

uint32_t outline_chain(const double (*sorted)[2], uint32_t count, double (*out)[2])
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < count; ++i)
		n = chain_add(out, n, 2, sorted[i]);
	uint32_t lower = n + 1;
	for (uint32_t i = count - 1; i-- > 0;)
		n = chain_add(out, n, lower, sorted[i]);
	return n - 1;
}

static int compare_points(const void *a, const void *b)
{
	const double *p = a, *q = b;
	if (p[0] != q[0])
		return p[0] < q[0] ? -1 : 1;
	return (p[1] > q[1]) - (p[1] < q[1]);
}

uint32_t outline_hull(double (*points)[2], uint32_t count, double (*out)[2])
{
	qsort(points, count, sizeof *points, compare_points);
	uint32_t n = 1;
	for (uint32_t i = 1; i < count; ++i)
		if (compare_points(points[i], points[n - 1]) != 0)
			memcpy(points[n++], points[i], sizeof *points);
	memcpy(out[0], points[0], sizeof *out);
	return n == 1 ? 1 : outline_chain((const double(*)[2])points, n, out);
}

/* How far corner b is beyond corner a along the direction. */
static double beyond(const double direction[2], const double a[2], const double b[2])
{
	return direction[0] * (b[0] - a[0]) + direction[1] * (b[1] - a[1]);
}

/* The first corner from `from` on, counter-clockwise, after which none is farther along the direction. */
static uint32_t farthest(const double (*corners)[2], uint32_t count, uint32_t from, const double direction[2])
{
	for (uint32_t tried = 0; tried < count; ++tried) {
		uint32_t next = from + 1 < count ? from + 1 : 0;
		if (!(beyond(direction, corners[from], corners[next]) > 0))
			break;
		from = next;
	}
	return from;
}

/* The least rectangle has a side along an edge of the outline. */
double outline_rectangle(const double (*corners)[2], uint32_t count, double direction[2])
{
	double least = INFINITY, x = 1, y = 0;
	uint32_t right = 0, top = 0, left = 0;
	for (uint32_t i = 0; i < count && count > 1; ++i) {
		const double *p = corners[i], *q = corners[i + 1 < count ? i + 1 : 0];
		double most = max_d(abs_d(q[0] - p[0]), abs_d(q[1] - p[1])), dx = (q[0] - p[0]) / most, dy = (q[1] - p[1]) / most;
		double length = sqrt(dx * dx + dy * dy);
		const double along[2] = {dx / length, dy / length}, across[2] = {-along[1], along[0]}, back[2] = {-along[0], -along[1]};
		right = farthest(corners, count, i == 0 ? 0 : right, along);
		top = farthest(corners, count, i == 0 ? right : top, across);
		left = farthest(corners, count, i == 0 ? top : left, back);
		double area = beyond(along, corners[left], corners[right]) * beyond(across, p, corners[top]);
		if (area < least) {
			least = area;
			x = along[0];
			y = along[1];
		}
	}
	while (!(x >= abs_d(y))) { /* a quarter turn clockwise */
		double turned = y;
		y = -x;
		x = turned;
	}
	direction[0] = x;
	direction[1] = y;
	return count > 1 ? least : 0;
}
