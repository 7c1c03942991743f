/* field_force.h - what force fields do to awake bodies in a step.
 * Before the sub-steps, each body gets the list of the fields whose AABBs it is in. In each sub-step these are evaluated at the
 * body's position, and change the velocity by way of its step record. */
#pragma once
#include "core/core.h"

/* Find the fields of each awake body, after the partition has ordered these. In this order, field_count and field_fill on all
 * awake bodies, by any threads in disjoint ranges. Without fields to find, field_open leaves world->fields.active false, and
 * the others must not be called; nor those below if field_number does. False: no memory, nothing changed. */
bool field_open(struct world *world);
void field_count(struct world *world, uint32_t begin, uint32_t end);
bool field_number(struct world *world);
void field_fill(struct world *world, uint32_t begin, uint32_t end);
/* Of the awake bodies [begin, end): keep the step records that bodies_prepare has made; add the fields to these for the next
 * sub-step. Any thread, disjoint ranges. */
void field_begin(struct world *world, uint32_t begin, uint32_t end);
void field_apply(struct world *world, uint32_t begin, uint32_t end);
