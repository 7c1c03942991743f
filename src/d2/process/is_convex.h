/* is_convex.h - whether an outline is convex.
 * Pure, any thread. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Whether the outline of one or more points, in either winding, is that of a convex region: it never turns both left and right,
 * and winds around once. It may have straight angles and repeated points; on a line, it must lead there and back. Exact, see
 * turn_exact. */
bool d2_is_convex(const double (*points)[2], uint32_t count);
