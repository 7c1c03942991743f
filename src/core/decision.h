/* decision.h - materials of contacts, and the user's decisions on contacts. Included by core.h. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The materials of a contact's two sides, mixed by materials_mix. A side's material is its collider's, overridden by that of
 * its part of the shape: of a mesh or height field, of the deepest triangle. tangent_speed: the sum of both; in 3D it only
 * tells whether a surface moves. */
struct contact_material {
	float friction, restitution, rolling_resistance, tangent_speed;
};

/* A contact whose surface velocity the user's function has set for this step: see pre_solve.h. */
struct contact_surface {
	uint32_t contact;
	float velocity[3];
};

/* The normal of a collider's solid side, a unit vector in the body's frame. */
struct one_way {
	float normal[3];
};

/* A body that drops through one-way colliders: see one_way.h. */
struct drop {
	uint32_t body, generation;
	uint32_t ticks; /* steps to go */
	float time; /* after these, time to go at most without getting deeper [s] */
	float depth; /* greatest overlap with a collider that it drops through [length] */
};

/* The decision of the user's function on a pair that a sweep hits. */
struct verdict {
	uint32_t proxies[2]; /* [0]: of the swept body */
	uint32_t body; /* the swept body */
	uint32_t next; /* index of another decision on this body's pairs, or NONE */
	bool enabled, mixed;
	struct contact_material material; /* if `mixed` */
};
