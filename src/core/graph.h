/* graph.h - the coloured graphs of contacts and of joints: no two links of one colour share a dynamic body. Greedy first fit,
 * kept from step to step: a contact keeps its colour while it touches. Links to non-dynamic bodies take the last colours, so
 * that they are solved last and yield least.
 * Source: Catto, "SIMD Matters", 2024 (graph colouring for contacts).
 * Serial. */
#pragma once
#include "core/core.h"

/* Removes a link from its island and from the graph. */
void link_untie(struct world *world, enum link_kind kind, uint32_t id);
/* For a contact one of whose bodies has gone to sleep or woken: adds it to the awake contacts and the graph, or removes it. */
void contact_refresh(struct world *world, uint32_t contact);
/* The same for a joint, which is only in the graph. */
void joint_refresh(struct world *world, uint32_t joint);
