/* graph.h - the contact graph, coloured: no two contacts of one colour share a dynamic body.
** Greedy first fit, kept from step to step: a contact keeps its colour while it touches. Contacts against what does not move
** take the last colours, so that they are solved last and give the least.
** Source: Catto, "SIMD Matters", 2024 (graph colouring for contacts).
** Floor: core. Serial. */
#pragma once
#include "core/core.h"

void graph_add(struct world *world, uint32_t contact); /* awake, touching, without a colour; cannot fail */
void graph_remove(struct world *world, uint32_t contact);
