/* narrow_phase_parts.h - internals shared by narrow_phase.c, narrow_phase_borders.c and narrow_phase_results.c. Any thread,
 * disjoint contacts. */
#pragma once
#include "core/ccd.h"
#include "core/contact.h"
#include "core/impact.h"
#include "core/depenetration.h"
#include "core/speculative.h"
#include "core/touched.h"
#include "core/travel.h"
#include "d3/query/gjk.h"
#include "d3/query/distance.h"
#include "d3/dynamics/wing.h"

/* Whether the contact has points. Reads the normal, which is in the record's first cache line. */
bool d3_narrow_row_touches(const struct d3_contact_row *row);

bool d3_narrow_row_holds(const struct world *world, const struct contact *contact, const struct d3_contact_row *row,
	const struct d3_transform *b_in_a, const struct d3_body *a, const struct d3_body *b);

void d3_narrow_row_store(
	struct world *world, uint32_t id, const struct d3_local_manifold *manifold, const struct d3_transform *b_in_a);

/* Collides the contact of two convex shapes, without regard to others. Returns whether it may be at a seam. */
bool d3_narrow_pair_collide(struct world *world, uint32_t id, const struct d3_transform *b_in_a, struct d3_local_manifold *out);

/* Skips a separated pair until it could have used up its clearance. A pair that has just separated is not skipped: if this step
 * runs out of memory, the next one must find the end of the contact again. */
void d3_narrow_separated_skip(struct world *world, uint32_t id);

/* Whether the shape at side `other` may continue a face of a neighbour on which the contact's other body, a dynamic one, rests.
 * Only shapes of non-dynamic bodies, or of one body, can: they do not move relative to each other. On others a body would lose
 * a contact, sink in, find it again, and so on. */
bool d3_narrow_may_be_seam(const struct world *world, const struct contact *contact, int other);
