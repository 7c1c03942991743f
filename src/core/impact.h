/* impact.h - impacts that the sweep solves at once: a body bounces off an obstacle that no impulse moves, and goes on for the
 * rest of the step. */
#pragma once
#include "core/core.h"

/* Where a body touches the obstacle. */
struct impact_point {
	double arm[3]; /* from its centre of mass */
	double other[3]; /* velocity of the obstacle */
	double speed; /* of both along the normal, before the impact */
	double push, friction[3]; /* impulses */
};

enum { IMPACT_POINTS = 4 };

/* An impact of a swept body, where it stands. */
struct rebound {
	uint32_t body, proxies[2]; /* and proxies of the body and the obstacle */
	struct contact_material material;
	double normal[3], place[3]; /* towards the body; the fastest point, from the body's centre of mass */
	double v[3], w[3]; /* of the body, now */
	double inv_mass, inv_inertia[3][3]; /* as it stands */
	double gravity[3]; /* and forces: acceleration */
	struct impact_point points[IMPACT_POINTS];
	int count;
	double early, left; /* it touched so long ago, or before the time that is left of the step [s] */
	double approach; /* of the fastest point along the normal [length/s] */
};

/* Makes *out the impact of these two proxies at that time of the step, without its motion and points. False: they do not
 * bounce, for their material or since a surface moves by itself. */
bool rebound_make(const struct world *world, const uint32_t proxies[2], float time, struct rebound *out);

/* Adds a point, once the motion and the normal are known. */
void rebound_point_add(struct rebound *rebound, const double arm[3], const double other[3]);

/* Whether the body bounces, at a gap of its deepest point: it comes so fast, within the step, and the normal is that which the
 * sweep has met, or near it. */
bool rebound_ready(const struct world *world, struct rebound *rebound, double gap, const double met[3]);

/* Changes the velocities by the impulses of a contact: those that stop the body with Coulomb's friction, then those that give
 * back its restitution times the speed of approach at each point, where that is above the threshold. They are those of the end
 * of the step then; `way` and `turn` lead there, in free fall.
 * Source: sequential impulses (Catto, "Iterative Dynamics with Temporal Coherence", 2005). */
void rebound_solve(const struct world *world, struct rebound *rebound, double delta[3], double turn[3]);

/* Whether such a pair of one dynamic body and something else bounces: so fast that the body is swept, by its own way along the
 * normal, which points from the first to the second. A contact that is made before they touch would stop the body for the rest
 * of the step. `extent`: the body's largest. */
bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover,
	const float normal[3], float extent);

/* Keeps impacts of one body for impacts_tell. Any thread. False: there is no room, until the body is swept alone. */
bool impacts_keep(struct world *world, const struct impact *impacts, int count);

/* Tells of the hits of this step, once for a pair of colliders; and that both began to touch and ended, if they are apart again
 * and no contact of theirs touches. Serial. Where there is no memory it is not told, and world->untold is set. */
void impacts_tell(struct world *world);
