/* depenetration.h - moves bodies that overlap deeply apart, without making them fast.
** Contacts push overlaps out by velocities, which the relaxing pass takes back. Of many deep ones, as of bodies made at one place, it takes back a part:
** 50 balls flew apart at 37 m/s. So contacts that begin deep do not push. After the sub-steps their bodies are moved apart, by at most the world's
** contact speed, and get no velocity from that. Impacts that a step sees too late do push, and so does what sinks in under a load.
** Of two bodies whose contacts oppose each other, as of nested compounds, all deep contacts are parted so, along one direction: the shortest way out.
** Bodies on joints are pushed by their contacts: moved alone they would tear the joints.
** Source: Jakobsen, "Advanced Character Physics", 2001, for projection; Mueller et al., "Position Based Dynamics", 2007.
** Floor: core. Serial, but for the functions that say otherwise. */
#pragma once
#include "core/core.h"

/* An overlap that counts as deep [m, times length_scale]: what rests is never as deep as ten slops. */
#define DEEP_OVERLAP (6.0f * LINEAR_SLOP)

/* Two moving bodies that overlap so deeply meet at no seam: a step from face to face is far lower. */
static inline bool contact_sunk(const struct world *world, uint32_t id, float separation)
{
	const uint32_t *bodies = world->contacts.data[id].edge.bodies;
	return separation < -DEEP_OVERLAP * world->settings.length_scale && world->bodies.data[bodies[0]].type == BODY_DYNAMIC &&
		   world->bodies.data[bodies[1]].type == BODY_DYNAMIC;
}

/* Lists the deep contacts, and all others of their bodies. False: no memory. */
bool depenetration_prepare(struct world *world);
/* Moves the bodies apart, after the sub-steps. */
void depenetration_run(struct world *world);
/* How fast the body was moved apart from others in this step [length/s]. Any thread. */
float depenetration_speed(const struct world *world, uint32_t body);

/* For collide, any thread: a contact has new points, of which the deepest has this separation; `begins`: it had none before. What begins deeper than
** the last motion of its bodies explains was made or put there; and so was what gets deep mostly by being moved apart from others. */
static inline void contact_sounded(struct world *world, uint32_t id, float separation, bool begins)
{
	if (separation >= -DEEP_OVERLAP * world->settings.length_scale)
		return;
	const uint32_t *bodies = world->contacts.data[id].edge.bodies;
	float moved = world->wing->bodies_moved(world, bodies[0], bodies[1]);
	bool put = begins && -separation > moved;
	if (!put && contact_sunk(world, id, separation) && !bits_has(&world->deep_contacts, id))
		put = (depenetration_speed(world, bodies[0]) + depenetration_speed(world, bodies[1])) * world->step.dt > 0.5f * moved;
	bits_set_shared(&world->deep_contacts, id);
	if (put)
		bits_set_shared(&world->plunged_contacts, id);
}
