/* segment_box.h - an exact overlap test of a segment and a box.
 * Pure functions; any thread. */
#pragma once
#include "spatial/box.h"

/* Whether the segment from `from` to `to` shares a point with the box; touching counts. Exact, without rounding. */
bool segment_overlaps_box(const double from[3], const double to[3], const struct box_d *box);

/* The fraction, 0 to 1, at which a segment from `from` to `to` that overlaps the box enters it; 0 if it starts inside. */
double segment_entry(const double from[3], const double to[3], const struct box_d *box);
