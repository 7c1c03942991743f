/* impact.h - impacts solved within the sweep: a body bounces off a static or kinematic obstacle, and moves on for the rest of
 * the step. */
#pragma once
#include "core/core.h"

/* A contact point of the body and the obstacle. */
struct impact_point {
	struct vec3 arm; /* from the body's centre of mass to the point [length] */
	struct vec3 other; /* velocity of the obstacle there [length/s] */
	double speed; /* relative normal velocity before the impact, negative on approach [length/s] */
	double push; /* normal impulse [mass length/s] */
	struct vec3 friction; /* friction impulse [mass length/s] */
};

enum { IMPACT_POINTS = 4 };

/* Contact points of a body and an obstacle, in the world. */
struct impact_manifold {
	struct vec3 normal; /* towards the body */
	int count;
	struct vec3 points[IMPACT_POINTS]; /* midway between the surfaces */
	float separations[IMPACT_POINTS];
};

/* The impact of a swept body on an obstacle. The body is in its pose at the impact. */
struct rebound {
	uint32_t body, proxies[2]; /* proxies: of the body and of the obstacle */
	struct contact_material material;
	struct vec3 normal; /* towards the body */
	struct vec3 fastest; /* from the body's centre of mass to the point that approaches fastest [length] */
	struct vec3 v, w; /* of the body at the impact; rebound_solve changes them [length/s], [rad/s] */
	double inv_mass;
	struct mat3 inv_inertia; /* in the world's frame */
	struct vec3 gravity; /* acceleration by gravity and forces */
	struct impact_point points[IMPACT_POINTS];
	int count;
	/* early: time since the surfaces touched, negative before they do [s]; left: rest of the step after the impact [s] */
	double early, left;
	double approach; /* approach speed of the fastest point [length/s] */
	double energy; /* of the approach at the mean of the points: see hit_energy [mass length^2/s^2] */
};

/* Velocity of the obstacle's point that is at the world point `point` at `time`, a fraction of the step [length/s]. Computed
 * from the obstacle's centre of mass at that time, and its v and w at the end of the step. Zero unless the obstacle is
 * awake. */
struct vec3 obstacle_velocity(const struct world *world, uint32_t obstacle, float time, struct vec3 point);

/* Removes the speed that the body gained by falling from its current position to `end`, its position before it was taken back.
 * With that speed, a body that hits the ground fast would gain height. */
void body_fell(struct world *world, uint32_t body, struct vec3 end);

/* Whether the body is locked along an axis: its inverse mass there is 0. */
bool body_held(const struct world *world, uint32_t body);

/* Whether the body, at its current pose, bounces off the obstacle that its sweep hit along `normal` at the fraction `time` of
 * the step. If so, *rebound is the impact. `proxies`: of the body, and of the obstacle. `normal`: towards the body. It does not
 * bounce if the restitution is 0, the surfaces have a tangent speed, the wing finds no contact points, or the body is locked
 * along an axis. It must approach faster than the restitution threshold, touch within the step, and the contact's normal must
 * be near `normal`. */
bool rebound_find(
	const struct world *world, const uint32_t proxies[2], float time, struct vec3 normal, struct rebound *rebound);

/* Gives the body its velocities after the bounce: first impulses that stop the contact points, with Coulomb friction, then
 * those that give each point restitution times its speed of approach, where that is above the threshold. Returns its
 * displacement in the rest of the step, in free fall; `turn`: its rotation [rad].
 * Source: sequential impulses (Catto, "Iterative Dynamics with Temporal Coherence", 2005). */
struct vec3 rebound_solve(struct world *world, struct rebound *rebound, float turn[3]);

/* Whether the bounce of a dynamic body (side `mover`) off a static or kinematic one is left to the sweep, since the contact
 * would stop the body for the rest of the step. The body must approach faster than the restitution threshold. In the step it
 * must move towards the obstacle by more than `extent`, the greatest distance of its points from its centre of mass [length].
 * `normal`: from the first to the second body. False without restitution or continuous collision, for bodies on joints, and for
 * surfaces with a tangent speed. */
bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover,
	const float normal[3], float extent);

/* Stores a body's impacts for impacts_report. Any thread. False: no room; the body must be swept again while world->alone is
 * set. With that set, impacts that find no memory are lost, and the result is true. */
bool impacts_keep(struct world *world, const struct impact *impacts, int count);

/* Reports the step's impacts above hit_speed as hits. Of a body's impacts with the same two colliders only the fastest counts.
 * Colliders that are apart again and do not touch elsewhere also get a begin and an end event. Serial. Events without memory
 * are lost, and world->events_lost is set. */
void impacts_report(struct world *world);
