/* impact.h - impacts that the sweep solves at once: a body bounces off an obstacle that no impulse moves, and goes on for the rest of the step.
** Floor: core. */
#pragma once
#include "core/core.h"

/* A body that bounces. */
struct impact_body {
	double v[3], w[3];
	double inv_mass, inv_inertia[3][3]; /* as it stands */
};

/* Where it touches the obstacle. */
struct impact_point {
	double arm[3]; /* from its centre of mass */
	double other[3]; /* velocity of the obstacle */
	double speed; /* of both along the normal, before the impact */
	double push, friction[3]; /* impulses */
};

enum { IMPACT_POINTS = 4 };

/* Changes the velocities by the impulses of a contact: those that stop the body with Coulomb's friction, then those that give back its restitution times the speed of
** approach at each point, where that is above the threshold. `normal` points to the body. The points' impulses are 0 before.
** Source: sequential impulses (Catto, "Iterative Dynamics with Temporal Coherence", 2005). */
void impact_solve(struct impact_body *body, struct impact_point *points, int count, const double normal[3], const struct contact_material *material, double threshold);

/* Friction and the like of both colliders, by the world's mixing rules. */
struct contact_material impact_material(const struct world *world, const uint32_t proxies[2]);

/* Whether such a pair of one dynamic body and something else bounces: so fast that the body is swept, by its own way along the normal, which points from the first to
** the second. A contact that is made before they touch would stop the body for the rest of the step. `extent`: the body's largest. */
bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover, const float normal[3], float extent);

/* Keeps impacts of one body for impacts_tell. Any thread. False: there is no room, until the body is swept alone. */
bool impacts_keep(struct world *world, const struct impact *impacts, int count);

/* Tells of the hits of this step, once for a pair of colliders; and that both began to touch and ended, if they are apart again and no contact of theirs touches. Serial.
** Where there is no memory it is not told, and world->untold is set. */
void impacts_tell(struct world *world);
