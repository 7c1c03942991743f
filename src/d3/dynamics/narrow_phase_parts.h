/* narrow_phase_parts.h - internals shared by narrow_phase.c, narrow_phase_borders.c and narrow_phase_results.c. Any thread,
 * disjoint contacts. */
#pragma once
#include "core/ccd.h"
#include "core/contact.h"
#include "core/impact.h"
#include "core/depenetration.h"
#include "core/speculative.h"
#include "core/travel.h"
#include "d3/query/gjk.h"
#include "d3/query/distance.h"
#include "d3/dynamics/wing.h"

/* Stores a new manifold in the record. A new point takes over the impulse of an old one with the same id, or else of the
 * nearest within `reach` [length]. */
void d3_narrow_row_renew(
	struct d3_contact_row *row, const struct d3_local_manifold *manifold, const struct d3_transform *b_in_a, float reach);

/* Whether the contact has points. Reads the normal, which is in the record's first cache line. */
bool d3_narrow_row_touches(const struct d3_contact_row *row);

bool d3_narrow_row_holds(const struct world *world, const struct contact *contact, const struct d3_contact_row *row,
	const struct d3_transform *b_in_a, const struct d3_body *a, const struct d3_body *b);

void d3_narrow_row_store(
	struct world *world, uint32_t id, const struct d3_local_manifold *manifold, const struct d3_transform *b_in_a);

/* Collides two convex shapes. */
void d3_narrow_shapes_collide(const struct world *world, const struct contact *contact, const struct d3_transform *b_in_a,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out);

/* Whether the shape at side `other` may continue a face of a neighbour on which the contact's other body, a dynamic one, rests.
 * Only shapes of non-dynamic bodies, or of one body, can: they do not move relative to each other. On others a body would lose
 * a contact, sink in, find it again, and so on. */
bool d3_narrow_may_be_seam(const struct world *world, const struct contact *contact, int other);
