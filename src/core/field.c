/* field.c - see field.h. */
#include "core/field.h"
#include "core/kept.h"
#include "base/scalar.h"
#include "core/path.h"
#include "core/sleep.h"

#include <string.h>

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

/* The field's AABB, rounded outwards. False: it has none. */
static bool field_box(const struct world *world, const struct field *field, struct box *box)
{
	static const struct vec3 units[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
	const double origin[] = {field->frame.origin.x, field->frame.origin.y, field->frame.origin.z};
	*box = (struct box){{0}, {0}};
	if (field->shape == NULL)
		return false;
	for (int k = 0; k < world->wing->dimensions; ++k) {
		struct vec3 along = frame3_in(&field->frame, units[k]);
		double upper = origin[k] + world->wing->shape_top(field->shape, along);
		double lower = origin[k] - world->wing->shape_top(field->shape, vec3_scale(-1.0, along));
		if (!is_finite_d(upper) || !is_finite_d(lower))
			return false;
		box->lower[k] = round_down_f(lower);
		box->upper[k] = round_up_f(upper);
	}
	return true;
}

/* Whether a point of the body may be in the box. */
static bool body_near(const struct world *world, uint32_t body, const struct box *box)
{
	const double *center = body_row(world, body);
	float extent = body_extent(world, body);
	for (int k = 0; k < world->wing->dimensions; ++k)
		if (center[k] + (double)extent < (double)box->lower[k] || center[k] - (double)extent > (double)box->upper[k])
			return false;
	return true;
}

/* --- Waking --------------------------------------------------------------------------------------------------------------- */

static bool wake_visit(void *context, uint32_t proxy)
{
	struct world *world = context;
	uint32_t body = proxy_body(world, proxy);
	if (world->bodies.data[body].set == SET_ASLEEP && world->bodies.data[body].type == BODY_DYNAMIC)
		body_wake(world, body);
	return true;
}

static void wake_all(struct world *world)
{
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		if (world->bodies.data[id].valid && world->bodies.data[id].set == SET_ASLEEP &&
			world->bodies.data[id].type == BODY_DYNAMIC)
			body_wake(world, id);
}

/* Proxies of sleeping bodies rest, but for those of bodies that have just fallen asleep. */
static void wake_in_box(struct world *world, const struct box *box)
{
	tree_query(&world->trees[HOME_RESTING], box, wake_visit, world);
	for (uint32_t id = bits_next(&world->lulled_bodies, 0); id != NONE; id = bits_next(&world->lulled_bodies, id + 1))
		if (body_near(world, id, box))
			body_wake(world, id);
}

static void field_wake(struct world *world, const struct field *field)
{
	struct box box;
	if (!field->enabled)
		return;
	if (field_box(world, field, &box))
		wake_in_box(world, &box);
	else
		wake_all(world);
}

/* --- Order and tree ------------------------------------------------------------------------------------------------------- */

/* Gives the field a leaf if it is enabled and has an AABB; capacity is reserved. */
static void field_enter(struct world *world, uint32_t id)
{
	struct fields *fields = &world->fields;
	struct field *field = &fields->all.data[id];
	struct box box;
	bool bounded = field->enabled && field_box(world, field, &box);
	if (bounded && field->leaf != NONE)
		tree_move(&fields->tree, field->leaf, &box);
	else if (bounded)
		field->leaf = tree_insert(&fields->tree, &box, id);
	else if (field->leaf != NONE)
		tree_remove(&fields->tree, field->leaf);
	field->leaf = bounded ? field->leaf : NONE;
	fields->ordered = false;
}

struct frame3 field_frame(const struct world *world, const struct field *field)
{
	if (field->body == NONE)
		return field->local;
	const struct mat3 *local = &field->local.axes;
	struct frame3 body = world->wing->body_frame(world, field->body), frame;
	frame.origin = frame3_point(&body, field->local.origin);
	frame.axes = (struct mat3){frame3_out(&body, local->x), frame3_out(&body, local->y), frame3_out(&body, local->z)};
	return frame;
}

static void field_place(const struct world *world, struct field *field)
{
	field->frame = field_frame(world, field);
	field->velocity = (struct vec3){0.0, 0.0, 0.0};
	if (field->body == NONE || world->bodies.data[field->body].row == NONE)
		return;
	struct vec3 v, w;
	body_velocities(world, field->body, &v, &w);
	field->velocity = vec3_add(v, vec3_cross(w, vec3_sub(field->frame.origin, body_center(world, field->body))));
}

/* --- Life ----------------------------------------------------------------------------------------------------------------- */

bool fields_reserve(struct world *world, uint32_t end)
{
	struct fields *fields = &world->fields;
	struct memory *memory = world->memory;
	return ids_reserve(memory, &fields->ids, end) && array_reserve(memory, &fields->all, end) &&
		array_reserve(memory, &fields->order, end) && array_reserve(memory, &fields->unbounded, end) &&
		array_reserve(memory, &fields->ranks, end) && array_reserve(memory, &fields->keys, 2 * end) &&
		tree_room_reserve(&fields->room, end);
}

uint32_t field_create(struct world *world, const struct field_input *input)
{
	struct fields *fields = &world->fields;
	assert(!world->locked);
	if (!fields_reserve(world, fields->ids.end + 1) || !kept_room(world, 1))
		return NONE;
	uint32_t id = ids_take(&fields->ids);
	fields->all.count = fields->ranks.count = fields->ids.end;
	fields->all.data[id] = (struct field){
		.generation = ++world->serial,
		.valid = true,
		.enabled = input->enabled,
		.replaces = input->replaces,
		.priority = input->priority,
		.layers = input->layers,
		.shape = input->shape,
		.body = input->body,
		.local = input->local,
		.leaf = NONE,
		.settings = input->settings,
	};
	if (input->shape != NULL)
		world->wing->shape_retain(input->shape);
	fields->attached += input->body != NONE;
	field_place(world, field_at(world, id));
	field_enter(world, id);
	field_wake(world, field_at(world, id));
	return id;
}

void field_destroy(struct world *world, uint32_t id)
{
	struct field *field = field_at(world, id);
	assert(!world->locked);
	field_set_enabled(world, id, false);
	if (field->shape != NULL)
		shape_let_go(world, field->shape);
	world->fields.attached -= field->body != NONE;
	field->valid = false;
	++world->ended;
	ids_give(&world->fields.ids, id);
}

void fields_destroy_of_body(struct world *world, uint32_t body)
{
	for (uint32_t id = 0; world->fields.attached > 0 && id < world->fields.all.count; ++id)
		if (field_at(world, id)->valid && field_at(world, id)->body == body)
			field_destroy(world, id);
}

void fields_wake_of_body(struct world *world, uint32_t body)
{
	for (uint32_t id = 0; world->fields.attached > 0 && id < world->fields.all.count; ++id)
		if (field_at(world, id)->valid && field_at(world, id)->body == body)
			field_wake(world, field_at(world, id));
}

void fields_free(struct world *world)
{
	struct fields *fields = &world->fields;
	struct memory *memory = world->memory;
	for (uint32_t id = 0; id < fields->all.count; ++id)
		if (fields->all.data[id].valid && fields->all.data[id].shape != NULL)
			world->wing->shape_release(fields->all.data[id].shape);
	ids_free(memory, &fields->ids);
	array_free(memory, &fields->all);
	array_free(memory, &fields->order);
	array_free(memory, &fields->unbounded);
	array_free(memory, &fields->ranks);
	array_free(memory, &fields->keys);
	array_free(memory, &fields->reaches);
	array_free(memory, &fields->found);
	memory_resize(memory, fields->base_rows, fields->base_row_capacity * world->wing->step_size, 0);
	tree_room_free(&fields->room);
}

/* --- Changes -------------------------------------------------------------------------------------------------------------- */

void field_set_enabled(struct world *world, uint32_t id, bool enabled)
{
	struct field *field = field_at(world, id);
	if (field->enabled == enabled)
		return;
	field_wake(world, field);
	field->enabled = enabled;
	field_place(world, field);
	field_enter(world, id);
	field_wake(world, field);
}

void field_set_priority(struct world *world, uint32_t id, int32_t priority)
{
	field_at(world, id)->priority = priority;
	world->fields.ordered = false;
	field_wake(world, field_at(world, id));
}

void field_set_replaces(struct world *world, uint32_t id, bool replaces)
{
	field_at(world, id)->replaces = replaces;
	field_wake(world, field_at(world, id));
}

void field_set_layers(struct world *world, uint32_t id, uint64_t layers)
{
	field_at(world, id)->layers = layers;
	field_wake(world, field_at(world, id));
}

/* Moves the field to where its body or its own frame is, and wakes the bodies that it leaves and reaches. */
static void field_move(struct world *world, uint32_t id)
{
	struct field *field = field_at(world, id);
	field_wake(world, field);
	field_place(world, field);
	field_enter(world, id);
	field_wake(world, field);
}

void field_set_local(struct world *world, uint32_t id, const struct frame3 *local)
{
	field_at(world, id)->local = *local;
	field_move(world, id);
}

void field_set_settings(struct world *world, uint32_t id, const struct field_settings *settings)
{
	field_at(world, id)->settings = *settings;
	field_wake(world, field_at(world, id));
}

void fields_follow(struct world *world)
{
	for (uint32_t id = 0; world->fields.attached > 0 && id < world->fields.all.count; ++id) {
		struct field *field = field_at(world, id);
		if (!field->valid || field->body == NONE || !field_acts(world, field))
			continue;
		struct field moved = *field;
		field_place(world, &moved);
		if (memcmp(&moved.frame, &field->frame, sizeof moved.frame) != 0)
			field_move(world, id);
		else
			field->velocity = moved.velocity;
	}
}
