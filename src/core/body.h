/* body.h - creating, changing and destroying bodies, without their geometry.
 * Serial. Functions that return bool (or an id) return false (NONE) when out of memory, with nothing changed, unless they say
 * otherwise. */
#pragma once
#include "base/scalar.h"
#include "core/core.h"

/* Reserves capacity for `more` bodies without colliders, which are then created without growing arrays. */
bool bodies_reserve(struct world *world, enum body_type type, uint32_t more);

/* Creates a body without colliders, awake unless static. Its wing record is zero; the wing's own creation fills it. */
uint32_t body_create(struct world *world, enum body_type type);
void body_destroy(struct world *world, uint32_t body); /* with its colliders, contacts and joints */

/* Before a property in the wing's mover record is set: gives the body a record of its own if it shares that of static bodies.
 */
bool body_own_mover(struct world *world, uint32_t body);

bool body_set_type(struct world *world, uint32_t body, enum body_type type);
bool body_set_enabled(struct world *world, uint32_t body, bool enabled);

/* Called before a velocity set by the user is stored. If it is not 0 (`moves`), wakes the body and, if that is kinematic, the
 * bodies that touch it or are jointed to it. False: the body sleeps on, and its velocity is 0 already. */
bool body_velocity_changes(struct world *world, uint32_t body, bool moves);
/* Called before a force or impulse is applied: wakes the body, if that is dynamic and enabled. False: it is not, and forces do
 * not act on it. */
bool body_pushed(struct world *world, uint32_t body);

/* Called after the user has set the pose: refits AABBs, has pairs searched, and wakes the body and those that touch it or are
 * jointed to it. */
void body_teleported(struct world *world, uint32_t body);

/* Called after the pose has changed by a rounding error, as when the centre of mass moves within the body: refits the AABBs of
 * each collider of which a proxy has left its fat AABB. */
void body_nudged(struct world *world, uint32_t body);

/* Returns to - from, a kinematic body's displacement to a target along an axis [length]; 0 if that is within the rounding error
 * of a position as stored or read. */
static inline double body_displacement_to(double from, double to)
{
	double delta = to - from;
	return abs_d(delta) > 0x1p-51 * (abs_d(from) + abs_d(to)) ? delta : 0.0;
}

/* Smaller rotations to a target pose count as 0: rounding errors of a pose's floats, or of angles read from it [rad]. */
#define BODY_LEAST_TURN 0x1p-22f

/* Expected dt of the next step: that of the last one, or 1/60 s [s]. */
static inline double body_step_time(const struct world *world)
{
	return world->last_dt > 0.0f ? (double)world->last_dt : 1.0 / 60.0;
}

/* Returns the hash with a word added: FNV-1a (Fowler, Noll, Vo, 1991) by words instead of bytes, with its prime for 64 bits,
 * and a final shift that mixes high bits into low ones. */
static inline uint64_t body_hash_word(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 29;
}

static inline uint64_t body_hash_pair(uint64_t hash, float a, float b)
{
	return body_hash_word(hash, (uint64_t)scalar_bits_f(a) << 32 | scalar_bits_f(b));
}

static inline uint64_t body_hash_vec(uint64_t hash, struct vec3 a)
{
	hash = body_hash_word(body_hash_word(hash, scalar_bits_d(a.x)), scalar_bits_d(a.y));
	return body_hash_word(hash, scalar_bits_d(a.z));
}

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

/* The inverse of a mass or inertia. 0, so that impulses do not move the body, for a mass of 0 and where the inverse
 * overflows. */
static inline float mass_inverse(float mass)
{
	float inverted = mass > 0.0f ? 1.0f / mass : 0.0f;
	return is_finite_f(inverted) ? inverted : 0.0f;
}

/* Discards the mass that the user has set, computes it from the shapes, and wakes the body. */
void body_reset_mass(struct world *world, uint32_t body);
