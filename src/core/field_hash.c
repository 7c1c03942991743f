/* field_hash.c - see field_hash.h. */
#include "core/field_hash.h"
#include "core/body.h"
#include "core/field.h"

static uint64_t hash_numbers(uint64_t hash, const double *numbers, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		hash = body_hash_word(hash, scalar_bits_d(numbers[i]));
	return hash;
}

static uint64_t hash_pull(uint64_t hash, const struct field_pull *pull)
{
	hash = hash_numbers(hash, (const double[]){pull->strength, pull->minimum_distance}, 2);
	return body_hash_word(hash, (uint64_t)pull->half_powers);
}

static uint64_t hash_settings(uint64_t hash, const struct field_settings *settings)
{
	hash = body_hash_word(hash, settings->effects);
	hash = body_hash_vec(hash, settings->gravity);
	hash = hash_pull(hash_pull(hash, &settings->attraction), &settings->vortex);
	hash = body_hash_vec(body_hash_vec(body_hash_vec(hash, settings->axis), settings->wind), settings->current);
	return hash_numbers(hash,
		(const double[]){
			settings->wind_drag, settings->wind_lift, settings->fluid_density, settings->linear_drag, settings->angular_drag},
		5);
}

uint64_t field_hash(const struct world *world, uint64_t hash)
{
	for (uint32_t id = 0; id < world->fields.all.count; ++id) {
		const struct field *field = field_at(world, id);
		if (!field->valid)
			continue;
		hash = body_hash_word(hash, (uint64_t)id << 2 | (uint64_t)field->enabled << 1 | (uint64_t)field->replaces);
		hash = body_hash_word(hash, (uint64_t)(uint32_t)field->priority << 32 | field->body);
		hash = body_hash_word(hash, field->layers);
		hash = body_hash_vec(hash, field->local.origin);
		for (int k = 0; k < 3; ++k)
			hash = body_hash_vec(hash, (&field->local.axes.x)[k]);
		hash = hash_settings(hash, &field->settings);
	}
	return hash;
}
