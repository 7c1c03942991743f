/* graph.h - the coloured graphs of contacts and of joints: no two contacts of one colour share a dynamic body, and no two
 * joints. Greedy first fit; an awake contact keeps its colour while it touches. Links to non-dynamic bodies take the last
 * colours first, so that they are solved last and yield least.
 * Source: Catto, "SIMD Matters", 2024 (graph colouring for contacts). Serial. */
#pragma once
#include "core/core.h"

/* Removes a link from its island and from the graph. */
void link_untie(struct world *world, enum link_kind kind, uint32_t id);
/* Adds the contact to the awake contacts and the graph, or removes it, as its flags and the state of its bodies demand; call
 * after one of these has changed. */
void contact_refresh(struct world *world, uint32_t contact);
/* Adds the joint to the graph, or removes it, as the state of its bodies demands. */
void joint_refresh(struct world *world, uint32_t joint);
