/* depenetration.h - separates deeply overlapping bodies by moving them, without giving them velocity.
 * Contact springs push overlaps out by velocities, which the relax pass removes again. With many deep contacts, as of bodies
 * created at one position, relaxing removes only a part of the velocities: 50 balls flew apart at 37 m/s. So contacts that
 * begin deep do not push. After the sub-steps their bodies are moved apart, at no more than the world's contact speed, and gain
 * no velocity. Contacts that are deep because of a load, or of an impact detected too late, do push. If contacts of two bodies
 * oppose each other, as those of nested compounds, one displacement replaces them all: the shortest escape.
 * Bodies pressed into a wedge or between others are jammed by friction: the springs of their deep contacts press against each
 * other and separate nothing. So an island's contacts deeper than ten slops are separated as well, each once, before the island
 * sleeps. If the overlaps of an island do not decrease for half a second there is no room: its contacts get their springs back,
 * and its bodies may sleep. Jointed bodies are pushed by their contacts instead: moved alone they would tear the joints.
 * Sources: Jakobsen, "Advanced Character Physics", 2001, for projection; Mueller et al., "Position Based Dynamics", 2007.
 * Serial, but for the functions that say otherwise. */
#pragma once
#include "base/scalar.h"
#include "core/filter.h"

/* An overlap above this is deep [m, times length_scale]; contacts may rest at up to ten slops. */
#define DEEP_OVERLAP (6.0f * LINEAR_SLOP)

static inline bool is_deep(const struct world *world, float separation)
{
	return separation < -DEEP_OVERLAP * world->settings.length_scale;
}

/* Whether a contact of two dynamic bodies is too deep for a seam: height differences of adjacent faces are far smaller. */
static inline bool contact_sunk(const struct world *world, uint32_t id, float separation)
{
	const uint32_t *bodies = world->contacts.data[id].link.bodies;
	return is_deep(world, separation) && world->bodies.data[bodies[0]].type == BODY_DYNAMIC &&
		world->bodies.data[bodies[1]].type == BODY_DYNAMIC;
}

/* Lists the bodies to be moved apart, and their overlaps. Call before the sub-steps. False: no memory. */
bool depenetration_prepare(struct world *world);
/* Moves the bodies apart. Call after the sub-steps. */
void depenetration_run(struct world *world);
/* Whether the island has contacts that are too deep to sleep. If so, marks them for separation, each once while it touches, and
 * keeps the island awake. */
bool depenetration_wants(struct world *world, uint32_t island);
/* The speed at which depenetration moved the body in this step [length/s]. Any thread. */
float depenetration_speed(const struct world *world, uint32_t body);

/* Called by collide, on any thread, for a contact that is deep by its new manifold. Adds it to world->plunged_contacts if it
 * begins deeper than its bodies' last motion explains, as after placement, or if it has become deep mostly by depenetration's
 * motion. Adds it to world->deep_contacts if it is plunged, or if its bodies may have other contacts. `separation`: of the
 * deepest point of the new manifold; `before`: of that of the last one, INFINITY if the contact begins [length]. */
static inline void contact_sounded(struct world *world, uint32_t id, float separation, float before)
{
	const uint32_t *bodies = world->contacts.data[id].link.bodies;
	bool begins = before == INFINITY;
	bool sinks = !is_deep(world, before) && (world->contacts.data[id].link.flags & CONTACT_SETTLED) == 0 &&
		world->depenetration.shifts.count > 0 && contact_sunk(world, id, separation);
	float moved = begins || sinks ? world->wing->bodies_moved(world, bodies[0], bodies[1]) : 0.0f;
	if ((begins && -separation > moved) ||
		(sinks &&
			(depenetration_speed(world, bodies[0]) + depenetration_speed(world, bodies[1])) * world->step.dt > 0.5f * moved))
		bits_set_shared(&world->plunged_contacts, id);
	if (bits_has(&world->plunged_contacts, id) || contact_has_others(world, id))
		bits_set_shared(&world->deep_contacts, id);
}
