/* passage.h - overlaps of sensors that begin and end within a step: of fast bodies with sensors on their way, and of fast
 * sensors with all that they meet. A body that is not fast, see body_fast, is found where it is at the start of a step; it may
 * be missed only where it merely grazes a sensor. Serial. */
#pragma once
#include "core/core.h"

struct passing_body {
	uint32_t body;
	bool sensor; /* a collider of it is a sensor */
	struct box box; /* AABB of its bounded proxies along their paths */
};

/* Reports the overlaps that the fast bodies of this step began and ended on their way, from where they were to where they are
 * after the sweep. Needs refitted AABBs. Without memory sets world->events_lost. */
void passages_report(struct world *world);
