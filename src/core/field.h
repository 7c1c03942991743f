/* field.h - creating, changing and destroying force fields. What they do to bodies: field_force.h.
 * Changes wake the sleeping bodies in the field, before and after. Serial, and between steps, but for fields_follow. */
#pragma once
#include "core/core.h"

struct field_input {
	bool enabled, replaces;
	int32_t priority;
	uint64_t layers;
	const void *shape; /* see struct field */
	uint32_t body;
	struct frame3 local;
	struct field_settings settings;
};

/* Reserves room for all fields with ids below `end`. False: no memory. */
bool fields_reserve(struct world *world, uint32_t end);
/* NONE: no memory. */
uint32_t field_create(struct world *world, const struct field_input *input);
void field_destroy(struct world *world, uint32_t field);
void fields_destroy_of_body(struct world *world, uint32_t body);
void fields_free(struct world *world);
/* Wakes the sleeping bodies in fields on a body that has been enabled or disabled. */
void fields_wake_of_body(struct world *world, uint32_t body);

void field_set_enabled(struct world *world, uint32_t field, bool enabled);
void field_set_priority(struct world *world, uint32_t field, int32_t priority);
void field_set_replaces(struct world *world, uint32_t field, bool replaces);
void field_set_layers(struct world *world, uint32_t field, uint64_t layers);
void field_set_local(struct world *world, uint32_t field, const struct frame3 *local);
void field_set_settings(struct world *world, uint32_t field, const struct field_settings *settings);

/* Where the field is now. field->frame is where it was when the last step began. */
struct frame3 field_frame(const struct world *world, const struct field *field);

/* Begins a step: moves the fields whose bodies have moved, and wakes sleeping bodies in these. */
void fields_follow(struct world *world);

/* Velocities of an awake body; in 2D along z, as a vector, the angular one. */
static inline void body_velocities(const struct world *world, uint32_t body, struct vec3 *v, struct vec3 *w)
{
	const float *state = body_state(world, body);
	if (world->wing->dimensions == 3) {
		*v = vec3_widen(state);
		*w = vec3_widen(state + 3);
	} else {
		*v = (struct vec3){(double)state[0], (double)state[1], 0.0};
		*w = (struct vec3){0.0, 0.0, (double)state[2]};
	}
}

static inline struct field *field_at(const struct world *world, uint32_t field)
{
	return &world->fields.all.data[field];
}

/* Whether the field is enabled, and so is its body. */
static inline bool field_acts(const struct world *world, const struct field *field)
{
	return field->enabled && (field->body == NONE || world->bodies.data[field->body].set != SET_DISABLED);
}

static inline bool handle_valid_field(const struct world *world, struct handle handle)
{
	return handle.index < world->fields.all.count && field_at(world, handle.index)->valid &&
		field_at(world, handle.index)->generation == handle.generation;
}
