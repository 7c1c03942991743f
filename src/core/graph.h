/* graph.h - graph colouring: contacts of one colour share no dynamic body, and joints of one colour share none. Colours are
 * assigned greedily, first fit; links that fit in none go to the overflow. An awake contact keeps its colour while it touches.
 * Links to non-dynamic bodies try the last colours first, so that they are solved last and yield least.
 * Source: Catto, "SIMD Matters", 2024 (graph colouring for contacts). Serial. */
#pragma once
#include "core/core.h"

/* Removes a link from its island and from the graph. */
void link_untie(struct world *world, enum link_kind kind, uint32_t id);
/* Adds the contact to the awake contacts and to the graph, or removes it from them, as its flags and the state of its bodies
 * demand. Call it after one of these has changed. Ends the contact's travel allowance. */
void contact_refresh(struct world *world, uint32_t contact);
/* Make the next step collide a sensor's contact, or all of a body, even if both bodies sleep. */
void contact_collide_once(struct world *world, uint32_t contact);
void sensors_collide_once(struct world *world, uint32_t body);
/* Adds the joint to the graph, or removes it, as the state of its bodies demands. */
void joint_refresh(struct world *world, uint32_t joint);
/* Refreshes the body's contacts and joints after it has fallen asleep or woken, with its whole island. */
void body_refresh_links(struct world *world, uint32_t body);

/* Whether the body is dynamic and has a solved contact with a static or kinematic body. */
static inline bool body_touches_fixed(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].taken_colours[LINK_CONTACT] >> MOVING_COLOURS != 0;
}
