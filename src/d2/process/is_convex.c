/* is_convex.c - see is_convex.h. */
#include "d2/process/is_convex.h"
#include "base/turn.h"

static bool same(const double p[2], const double q[2])
{
	return p[0] == q[0] && p[1] == q[1];
}

/* Whether the step from p to q leads on: to the right, or straight up. */
static bool leads_on(const double p[2], const double q[2])
{
	return q[0] != p[0] ? q[0] > p[0] : q[1] > p[1];
}

/* An outline that turns only one way winds around once exactly if it leads on once, and back once. */
bool d2_is_convex(const double (*points)[2], uint32_t count)
{
	uint32_t end = count - 1;
	while (end > 0 && same(points[end - 1], points[count - 1]))
		--end;
	if (end == 0)
		return true;
	const double *before = points[end - 1], *last = points[end];
	bool onwards = leads_on(before, last);
	int side = 0, reversals = 0;
	for (uint32_t i = 0; i < count; ++i) {
		if (same(points[i], last))
			continue;
		int turn = turn_exact(before, last, points[i]);
		if (turn * side < 0)
			return false;
		side = turn != 0 ? turn : side;
		reversals += leads_on(last, points[i]) != onwards;
		onwards = leads_on(last, points[i]);
		before = last;
		last = points[i];
	}
	return reversals <= 2;
}
