/* pre_solve.h - decisions on contacts before they are solved: by one_way.h, then by the user, for colliders that ask for it.
 * The user's function may disable a contact for the step, or change its material for it. It is called by the stepping thread
 * alone: between narrow phase and solver for contacts with points, in id order, and during continuous collision, in the order
 * of the sweeps, for pairs that would stop a body and have no such contact. In a world with such a function all sweeps run on
 * one thread. A disabled contact does not touch: it has no events, ties no island, and stops no sweep. */
#pragma once
#include "core/core.h"

/* A contact as the user's function sees it, and its decision. */
struct pre_solve {
	uint32_t colliders[2];
	int count; /* of points */
	struct vec3 points[4], normal; /* in the world; normal from a to b */
	float speed; /* greatest approach speed of a point; < 0: they separate [length/s] */
	bool enabled;
	bool mixed; /* the function has changed the material or the velocity of the surfaces */
	struct contact_material material;
	bool moves; /* `surface` is set */
	float surface[3]; /* 3D: surface velocity of a minus that of b, in the world [length/s] */
};

/* Whether the function is called at all. */
static inline bool pre_solve_asks(const struct world *world)
{
	return world->pre_solve != NULL && world->pre_solve_colliders > 0;
}

/* Whether contacts are decided on at all, by the function or by one_way.h. */
static inline bool pre_solve_decides(const struct world *world)
{
	return ids_count(&world->one_way_ids) > 0 || pre_solve_asks(world);
}

/* These wake the collider's body, and those that touch it. normal: a unit vector in the body's frame; NULL: solid from all
 * sides. False: no memory. */
void collider_set_pre_solve(struct world *world, uint32_t collider, bool asks);
bool collider_set_one_way(struct world *world, uint32_t collider, const float *normal);

/* Forgets the decisions of the last step. Serial, before the narrow phase. */
void pre_solve_forget(struct world *world);
/* Forgets those of its sweeps only. */
void verdicts_clear(struct world *world);
/* Decides on all awake contacts that have points. False: no memory, none was decided on. */
bool pre_solve_contacts(struct world *world);

/* The surface velocity that the function has given to the contact in this step; NULL: none. Any thread. */
const float *pre_solve_surface(const struct world *world, uint32_t contact);

/* --- Sweeps; only where pre_solve_decides --------------------------------------------------------------------------------- */

/* Whether the contact of two proxies is disabled in this step. */
bool pre_solve_bars(const struct world *world, const uint32_t proxies[2]);
/* Decides on a pair that a sweep hits. False: it does not stop the body. proxies[0]: of the swept
 * body. `normal`: towards that. If memory is short, world->events_lost is set, and the function may be asked again. */
bool pre_solve_stops(struct world *world, const uint32_t proxies[2], struct vec3 point, struct vec3 normal);
/* The material that the function has given to the pair in this step; NULL: none. */
const struct contact_material *pre_solve_material(const struct world *world, const uint32_t proxies[2]);
