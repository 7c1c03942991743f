/* graph.h - the graph of contacts, and that of joints, coloured: no two links of one colour share a dynamic body. Greedy first
 * fit, kept from step to step: a contact keeps its colour while it touches. Edges to what does not move take the last colours,
 * so that they are solved last and give the least.
 * Source: Catto, "SIMD Matters", 2024 (graph colouring for contacts).
 * Serial. */
#pragma once
#include "core/core.h"

void graph_remove(struct world *world, enum link_kind kind, uint32_t id);
/* One of its bodies has fallen asleep or woken: in or out of the awake contacts, and of the graph. */
void contact_refresh(struct world *world, uint32_t contact);
/* One of its bodies has fallen asleep or woken: in or out of the graph. */
void joint_refresh(struct world *world, uint32_t joint);
