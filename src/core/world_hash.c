/* world_hash.c - see world_hash.h. */
#include "core/world_hash.h"
#include "base/trigonometry.h"
#include "core/body.h"
#include "core/controller.h"
#include "core/controller_hash.h"
#include "core/field_hash.h"

#include <string.h>

/* --- Hashes --------------------------------------------------------------------------------------------------------------- */

/* Copies the single-precision numbers of a body of that dimension; returns their count. */
static int singles_list(const struct body_numbers *numbers, int dimensions, float singles[12])
{
	int rotations = dimensions == 2 ? 2 : 4, turns = dimensions == 2 ? 1 : 3;
	memcpy(singles, numbers->rotation, (size_t)rotations * sizeof *singles);
	memcpy(singles + rotations, numbers->velocity, (size_t)dimensions * sizeof *singles);
	memcpy(singles + rotations + dimensions, numbers->angular_velocity, (size_t)turns * sizeof *singles);
	return rotations + dimensions + turns;
}

static uint64_t body_hash(const struct world *world, uint32_t id, uint64_t hash)
{
	struct body_numbers numbers;
	float singles[12] = {0};
	world->wing->body_numbers(world, id, &numbers);
	int count = singles_list(&numbers, world->wing->dimensions, singles);
	hash = body_hash_word(hash, id);
	for (int k = 0; k < world->wing->dimensions; ++k)
		hash = body_hash_word(hash, scalar_bits_d(numbers.position[k]));
	for (int i = 0; i < count; i += 2)
		hash = body_hash_pair(hash, singles[i], singles[i + 1]);
	return hash;
}

/* Adds the state of the random numbers, unless it is that of a new world with the seed 0. */
static uint64_t random_hash(const struct world *world, uint64_t hash)
{
	struct random fresh = random_make(0);
	if (memcmp(&world->random, &fresh, sizeof fresh) == 0)
		return hash;
	for (int i = 0; i < 4; ++i)
		hash = body_hash_word(hash, world->random.state[i]);
	return hash;
}

#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t world_hash(const struct world *world)
{
	uint64_t hash = HASH_START;
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		if (world->bodies.data[id].valid)
			hash = body_hash(world, id, hash);
	for (uint32_t id = 0; id < world->controllers.all.count; ++id)
		hash = controller_hash(world, id, hash);
	return random_hash(world, field_hash(world, hash));
}

/* Of a body's controllers. */
static uint64_t mover_hash(const struct world *world, uint32_t body, uint64_t hash)
{
	for (uint32_t id = 0; world->bodies.data[body].controlled && id < world->controllers.all.count; ++id)
		if (controller_at(world, id)->valid && controller_at(world, id)->body == body)
			hash = controller_hash(world, id, hash);
	return hash;
}

uint64_t world_hash_body(const struct world *world, uint32_t body)
{
	return mover_hash(world, body, body_hash(world, body, HASH_START));
}

/* --- Differences ---------------------------------------------------------------------------------------------------------- */

/* Set the difference's field and values; return whether these differ. */
static bool words_differ(struct difference *difference, const char *field, const char *a, const char *b)
{
	difference->field = field;
	difference->count = 0;
	difference->words[0] = a;
	difference->words[1] = b;
	return a != b;
}

static bool flags_differ(struct difference *difference, const char *field, bool a, bool b)
{
	static const char *const words[] = {"false", "true"};
	return words_differ(difference, field, words[a], words[b]);
}

static bool hashes_differ(struct difference *difference, const char *field, uint64_t a, uint64_t b)
{
	words_differ(difference, field, NULL, NULL);
	return a != b;
}

static bool doubles_differ(struct difference *difference, const char *field, const double *a, const double *b, int count)
{
	difference->field = field;
	difference->count = count;
	memcpy(difference->numbers[0], a, (size_t)count * sizeof *a);
	memcpy(difference->numbers[1], b, (size_t)count * sizeof *b);
	return memcmp(a, b, (size_t)count * sizeof *a) != 0;
}

static bool floats_differ(struct difference *difference, const char *field, const float *a, const float *b, int count)
{
	double numbers[2][4];
	for (int i = 0; i < count; ++i) {
		numbers[0][i] = (double)a[i];
		numbers[1][i] = (double)b[i];
	}
	return doubles_differ(difference, field, numbers[0], numbers[1], count);
}

static bool counts_differ(struct difference *difference, const char *field, double a, double b)
{
	return doubles_differ(difference, field, &a, &b, 1);
}

static bool rotations_differ(struct difference *difference, const float *a, const float *b, int dimensions)
{
	if (dimensions == 3)
		return floats_differ(difference, "rotation", a, b, 4);
	double from = trigonometry_atan2((double)a[1], (double)a[0]), to = trigonometry_atan2((double)b[1], (double)b[0]);
	counts_differ(difference, "angle", from, to);
	return memcmp(a, b, 2 * sizeof *a) != 0;
}

static bool motions_differ(const struct world *a, const struct world *b, uint32_t id, struct difference *difference)
{
	int dimensions = a->wing->dimensions, turns = dimensions == 2 ? 1 : 3;
	struct body_numbers m, n;
	a->wing->body_numbers(a, id, &m);
	b->wing->body_numbers(b, id, &n);
	return floats_differ(difference, "linearDamping", &m.linear_damping, &n.linear_damping, 1) ||
		floats_differ(difference, "angularDamping", &m.angular_damping, &n.angular_damping, 1) ||
		floats_differ(difference, "gravityScale", &m.gravity_scale, &n.gravity_scale, 1) ||
		doubles_differ(difference, "position", m.position, n.position, dimensions) ||
		rotations_differ(difference, m.rotation, n.rotation, dimensions) ||
		floats_differ(difference, "linearVelocity", m.velocity, n.velocity, dimensions) ||
		floats_differ(difference, "angularVelocity", m.angular_velocity, n.angular_velocity, turns);
}

static bool body_listed(const struct world *world, uint32_t id)
{
	return id < world->bodies.count && world->bodies.data[id].valid;
}

/* First what the user sets, from which the rest may follow. */
static bool bodies_differ(const struct world *a, const struct world *b, uint32_t id, struct difference *difference)
{
	static const char *const types[] = {"static", "kinematic", "dynamic"};
	if (flags_differ(difference, "valid", body_listed(a, id), body_listed(b, id)))
		return true;
	if (!body_listed(a, id))
		return false;
	const struct body *m = &a->bodies.data[id], *n = &b->bodies.data[id];
	return words_differ(difference, "type", types[m->type], types[n->type]) ||
		flags_differ(difference, "enabled", m->set != SET_DISABLED, n->set != SET_DISABLED) ||
		counts_differ(difference, "colliders", m->collider_count, n->collider_count) ||
		counts_differ(difference, "mass", (double)body_weight(a, id), (double)body_weight(b, id)) ||
		motions_differ(a, b, id, difference) || flags_differ(difference, "awake", m->set == SET_AWAKE, n->set == SET_AWAKE) ||
		floats_differ(difference, "restTime", &a->travels.data[id].rest_time, &b->travels.data[id].rest_time, 1) ||
		hashes_differ(difference, "mover", mover_hash(a, id, 0), mover_hash(b, id, 0));
}

bool worlds_differ(const struct world *a, const struct world *b, struct difference *difference)
{
	uint32_t count = a->bodies.count > b->bodies.count ? a->bodies.count : b->bodies.count;
	*difference = (struct difference){.body = 0};
	for (; difference->body < count; ++difference->body)
		if (bodies_differ(a, b, difference->body, difference))
			return true;
	difference->body = NONE;
	return floats_differ(difference, "gravity", a->gravity, b->gravity, a->wing->dimensions) ||
		counts_differ(difference, "contacts", ids_count(&a->contact_ids), ids_count(&b->contact_ids)) ||
		counts_differ(difference, "touching", a->touching_count, b->touching_count) ||
		counts_differ(difference, "joints", world_joint_count(a), world_joint_count(b)) ||
		hashes_differ(difference, "fields", field_hash(a, 0), field_hash(b, 0)) ||
		hashes_differ(difference, "random", random_hash(a, 0), random_hash(b, 0)) ||
		counts_differ(difference, "tick", (double)a->tick, (double)b->tick);
}
