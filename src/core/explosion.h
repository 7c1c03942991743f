/* explosion.h - impulses on all surfaces that face a point. Serial, and between steps. */
#pragma once
#include "core/core.h"

/* Each part of a surface within `radius` gets the impulse e impulse (1 - d/radius)^falloff (-n . e) A, with d its distance from
 * the center, e the unit vector from there, n its normal and A its area, in 2D its length, if -n . e > 0. */
struct explosion {
	struct vec3 center;
	double radius; /* [length] */
	double impulse; /* [mass length/s / length^(dimensions - 1)]; < 0: towards the center */
	int half_powers; /* twice the falloff */
	uint64_t layers; /* mask of the colliders' layers on which it acts */
	bool occluded; /* not on surfaces that the center does not see: other bodies' colliders, except sensors, hide them */
};

/* Applies the impulses to the dynamic bodies, which wakes them. Returns the number of bodies hit; NONE: no memory, nothing
 * changed. */
uint32_t explosion_run(struct world *world, const struct explosion *explosion);
