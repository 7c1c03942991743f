/* impact.h - impacts that the sweep solves at once: a body bounces off an obstacle that no impulse moves, and goes on for the rest of the step.
** Floor: core. */
#pragma once
#include "core/core.h"

/* Such an impact. */
struct impact {
	uint32_t proxies[2]; /* of the body, and of what it hit */
	double place[PLACE_NUMBERS]; /* where, and the normal, towards the body */
	float speed; /* of approach [length/s] */
};

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

/* Whether the body hit the same thing faster at another one of its impacts of this step, or first: an impact is told once. */
bool impact_repeats(const struct world *world, const struct impact *impacts, int count, int which);

/* Tells of a hit; and that both began to touch and ended, if they are `apart` again and no contact of theirs touches. Serial. Where there is no memory it is not told,
** and world->untold is set. */
void impact_tell(struct world *world, const struct impact *impact, bool apart);
