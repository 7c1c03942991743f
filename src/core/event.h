/* event.h - the events of the last step or steps: begins, ends and hits of contacts; begins and ends of sensor overlaps; wakes
 * and sleeps. Serial. */
#pragma once
#include "core/core.h"

/* Report that the contact begins or ceases to touch, unless its colliders touch by another contact. Capacity is reserved. */
void event_begin(struct world *world, uint32_t contact);
void event_end(struct world *world, uint32_t contact);
/* Whether no contact with a smaller id makes the two colliders of this touching one touch. */
bool contact_leads(const struct world *world, uint32_t contact);
/* Reports the begin and the end of an overlap of two colliders, one of them a sensor, that met only within the step. False: no
 * memory. */
bool event_passage(struct world *world, uint32_t collider_a, uint32_t collider_b);

/* The body has fallen asleep or woken. An event tells of the difference between the ends of two steps, so doing one undoes the
 * other. */
void event_slept(struct world *world, uint32_t body, bool slept);
/* Adds the wakes and sleeps since the last step to the events. */
void events_report_sleep(struct world *world);
/* Removes such events of a body that is destroyed, disabled or changes its type. */
void events_forget_sleep(struct world *world, uint32_t body);

/* Reports world->hit_contacts as hits, of those between two colliders only the fastest. False: no memory, none reported. */
bool events_report_hits(struct world *world);
/* Energy of an approach at `speed`: m v^2 / 2 with 1/m = `mobility`, which is the sum of both bodies' point_mobility. An
 * impulse p along the normal changes the approach speed by p/m, so m v stops it, and its work is m v^2 / 2: what a plastic
 * impact without friction dissipates. If the normal passes through both centres of mass, m is the reduced mass, m_a m_b / (m_a
 * + m_b). Both immovable: 0. [mass length^2/s^2] */
float hit_energy(double mobility, double speed);
/* Change of a point's velocity along the unit vector `axis` per impulse along it: n.M^-1 n + (r x n).I^-1 (r x n). `arm`: from
 * the body's centre of mass to the point. [1/mass] */
double point_mobility(const struct world *world, uint32_t body, struct vec3 arm, struct vec3 axis);

/* The last term of that. */
static inline double turn_mobility(const struct mat3 *inv_inertia, struct vec3 arm, struct vec3 axis)
{
	struct vec3 lever = vec3_cross(arm, axis);
	return vec3_dot(lever, mat3_mul(inv_inertia, lever));
}

/* Keys of the other contacts between the contact's two colliders: the first, and the one after `key`; NONE: no more. */
uint32_t other_part_first(const struct world *world, uint32_t contact);
uint32_t other_part_next(const struct world *world, uint32_t contact, uint32_t key);
/* Called when a step begins. Removes the events unless `keep`. End events raised since the last step belong to the new one. */
void events_begin(struct world *world, bool keep);
/* The collider's handle, as used in events. */
static inline struct handle collider_handle(const struct world *world, uint32_t collider)
{
	return (struct handle){collider, world->colliders.data[collider].generation};
}
