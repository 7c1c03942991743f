/* segment_box.h - a straight way through a box, decided exactly.
 * Pure functions; any thread. */
#pragma once
#include "spatial/box.h"

/* Whether the segment from `from` to `to` shares a point with the box; touching counts, and there is no rounding in it. */
bool segment_overlaps_box(const double from[3], const double to[3], const struct box_d *box);

/* The part of the way from `from` to `to`, 0 to 1, at which a segment that meets the box enters it; 0 when it starts inside. */
double segment_entry(const double from[3], const double to[3], const struct box_d *box);
