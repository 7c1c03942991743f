/* impact.h - impacts solved within the sweep: a body bounces off a static or kinematic obstacle and moves on for the rest of
 * the step. */
#pragma once
#include "core/core.h"

/* A contact point of the body and the obstacle. */
struct impact_point {
	double arm[3]; /* from the body's centre of mass */
	double other[3]; /* velocity of the obstacle there */
	double speed; /* relative, along the normal, before the impact */
	double push, friction[3]; /* normal impulse, friction impulse */
};

enum { IMPACT_POINTS = 4 };

/* An impact of a swept body, in its pose at that time. */
struct rebound {
	uint32_t body, proxies[2]; /* proxies: of the body and of the obstacle */
	struct contact_material material;
	double normal[3], place[3]; /* towards the body; the point that approaches fastest, relative to the body's centre of mass */
	double v[3], w[3]; /* of the body */
	double inv_mass, inv_inertia[3][3]; /* in the world's frame */
	double gravity[3]; /* acceleration by gravity and forces */
	struct impact_point points[IMPACT_POINTS];
	int count;
	double early, left; /* time since the surfaces touched, negative before they do; time left of the step [s] */
	double approach; /* approach speed of the fastest point [length/s] */
};

/* Initialises *out for an impact of the two proxies at the fraction `time` of the step, without motion and points. False: they
 * do not bounce, because of their restitution or a tangent speed. */
bool rebound_make(const struct world *world, const uint32_t proxies[2], float time, struct rebound *out);

/* Adds a point, once the motion and the normal are known. */
void rebound_point_add(struct rebound *rebound, const double arm[3], const double other[3]);

/* Whether the body bounces; `separation` is that of its deepest point. It must approach faster than the restitution threshold,
 * touch within the step, and its normal must be near `met`, the normal found by the sweep. */
bool rebound_ready(const struct world *world, struct rebound *rebound, double separation, const double met[3]);

/* Applies the contact impulses to the velocities: first those that stop the body, with Coulomb friction, then those that give
 * each point restitution times its speed of approach, where that is above the threshold. Afterwards the velocities are those at
 * the end of the step; `delta` and `turn` are the motion until then, in free fall.
 * Source: sequential impulses (Catto, "Iterative Dynamics with Temporal Coherence", 2005). */
void rebound_solve(const struct world *world, struct rebound *rebound, double delta[3], double turn[3]);

/* Whether the contact of a dynamic body (side `mover`) and a static or kinematic one is left to the sweep to bounce: the
 * approach is above the restitution threshold, and the body itself moves by more than its largest extent along the normal (from
 * the first to the second body). A speculative contact would stop it for the rest of the step. */
bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover,
	const float normal[3], float extent);

/* Stores a body's impacts for impacts_tell. Any thread. False: no room; the body must be swept again alone. */
bool impacts_keep(struct world *world, const struct impact *impacts, int count);

/* Reports the hits of this step, one per pair of colliders. Pairs that are apart again and have no touching contact also get a
 * begin and an end event. Serial. Events for which there is no memory are lost, and world->untold is set. */
void impacts_tell(struct world *world);
