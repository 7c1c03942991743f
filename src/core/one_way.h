/* one_way.h - colliders that are solid from one side only, as platforms that bodies jump through.
 * A one-way collider has a normal, in its body's frame, that points away from its solid side. Its contacts are decided on in
 * each step, after the narrow phase: one that touched in the last step stays solid while its normal is on the solid side;
 * another one is solid if its normal is within 60 degrees of the collider's and the shapes overlap by at most two slops, or if
 * they have just met, by what they approached in a step. So all that comes from the solid side stops, all else passes, and what
 * is halfway through is not pushed out. Surfaces that are level, as in a row of planks, are
 * as one: what touches one does not fall between them, and what is halfway through one passes the others. Sweeps decide by the
 * normal of the surface that they hit. */
#pragma once
#include "core/core.h"

struct contact_view;

/* Lets the body pass one-way colliders for the next `ticks` steps, and longer until it is halfway through those that it
 * touched. Wakes the body. False: no memory. */
bool body_drop_through(struct world *world, uint32_t body, uint32_t ticks);

/* A body that drops through a collider overlaps it by so much, and is not yet halfway through: the drop goes on, as long as it
 * gets deeper [length]. Serial. */
void drop_continue(struct world *world, uint32_t body, float overlap);

/* Ends the drops that are over. Serial, before the narrow phase. */
void one_way_begin(struct world *world, float dt);
/* one_way_look, for all contacts, then one_way_passes: whether a contact with these points passes in this step. Serial. */
void one_way_look(struct world *world, uint32_t contact, const struct contact_view *view);
bool one_way_passes(struct world *world, uint32_t contact, const struct contact_view *view);
/* Whether a sweep passes what it hits. normal: of the surface, from colliders[0] to colliders[1]. Any thread. */
bool one_way_lets_pass(const struct world *world, const uint32_t colliders[2], struct vec3 normal);
/* The same in a step, for a body that may be halfway through one-way colliders; point: of the surface. */
bool one_way_sweep_passes(const struct world *world, const uint32_t colliders[2], struct vec3 point, struct vec3 normal);
