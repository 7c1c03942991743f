/* field_force.c - see field_force.h.
 * A field acts where the body's centre of mass is in its shape. A fluid acts on the part of each shape that is below its
 * surface, if the centroid of that part is in the field. All effects of fields add up, but a field that replaces keeps those of
 * lower priority from acting, effect by effect: gravity and attraction, with the world's gravity, count as one.
 * In double, and in the order of priorities and ids: the same bits for any number of workers. */
#include "core/field_force.h"
#include "base/scalar.h"
#include "base/sort.h"
#include "core/body.h"
#include "core/field.h"

#include <assert.h>
#include <string.h>

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

static struct field *by_rank(const struct world *world, uint32_t rank)
{
	return field_at(world, world->fields.order.data[rank]);
}

/* Orders the enabled fields by falling priority, then by id. */
static void order_update(struct world *world)
{
	struct fields *fields = &world->fields;
	if (fields->ordered)
		return;
	fields->order.count = fields->unbounded.count = 0;
	uint32_t count = 0;
	uint64_t *keys = fields->keys.data;
	for (uint32_t id = 0; id < fields->all.count; ++id)
		if (fields->all.data[id].valid && fields->all.data[id].enabled)
			keys[count++] = (uint64_t)((uint32_t)INT32_MAX - (uint32_t)fields->all.data[id].priority) << 32 | id;
	const uint64_t *sorted = sort_keys(keys, keys + count, count);
	for (uint32_t rank = 0; rank < count; ++rank)
		array_push(&fields->order, (uint32_t)sorted[rank]);
	const uint32_t *ids = fields->order.data;
	for (uint32_t rank = 0; rank < count; ++rank) {
		fields->ranks.data[ids[rank]] = rank;
		if (fields->all.data[ids[rank]].leaf == NONE)
			array_push(&fields->unbounded, ids[rank]);
	}
	fields->ordered = true;
}

struct gather {
	const struct world *world;
	uint32_t body;
	uint64_t layers; /* of the body's colliders; all, if it has none */
	struct field_reach reach;
	uint32_t *found; /* NULL: only counted */
};

static bool gather_visit(void *context, uint32_t id)
{
	struct gather *gather = context;
	const struct field *field = field_at(gather->world, id);
	if (!field_acts(gather->world, field) || field->body == gather->body || (field->layers & gather->layers) == 0)
		return true;
	uint32_t rank = gather->world->fields.ranks.data[id], at = gather->reach.count++;
	if (gather->found == NULL)
		return true;
	for (; at > 0 && gather->found[at - 1] > rank; --at)
		gather->found[at] = gather->found[at - 1];
	gather->found[at] = rank;
	return true;
}

static uint64_t body_layers(const struct world *world, uint32_t body)
{
	uint64_t layers = 0;
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next)
		if (!world->colliders.data[c].sensor)
			layers |= UINT64_C(1) << world->colliders.data[c].layer;
	return layers != 0 ? layers : UINT64_MAX;
}

static bool body_affected(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].type == BODY_DYNAMIC && body_weight(world, body) > 0.0f;
}

/* Finds the fields whose AABBs overlap the box of the body's points and its path in this step. */
static void body_gather(const struct world *world, uint32_t row, struct gather *gather)
{
	const struct fields *fields = &world->fields;
	uint32_t body = world->awake.data[row];
	*gather = (struct gather){world, body, 0, fields->reaches.data[row], gather->found};
	gather->reach.count = 0;
	if (!body_affected(world, body))
		return;
	gather->layers = body_layers(world, body);
	const double *center = body_row(world, body);
	float v[3];
	struct box box = {{0}, {0}};
	body_linear_velocity(world, body, v);
	double extent = (double)body_extent(world, body);
	int dimensions = world->wing->dimensions;
	assert(dimensions <= 3);
	for (int k = 0; k < dimensions; ++k) {
		double reach = extent + 2.0 * (double)world->step.dt * (double)abs_f(v[k]);
		box.lower[k] = round_down_f(center[k] - reach);
		box.upper[k] = round_up_f(center[k] + reach);
	}
	for (uint32_t i = 0; i < fields->unbounded.count; ++i)
		gather_visit(gather, fields->unbounded.data[i]);
	if (fields->tree.leaf_count > 0)
		tree_query(&fields->tree, &box, gather_visit, gather);
}

void field_count(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t row = begin; row < end; ++row) {
		struct gather gather = {.found = NULL};
		body_gather(world, row, &gather);
		world->fields.reaches.data[row] = gather.reach;
	}
}

void field_fill(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t row = begin; row < end; ++row) {
		struct gather gather = {.found = world->fields.found.data + world->fields.reaches.data[row].first};
		if (world->fields.reaches.data[row].count > 0)
			body_gather(world, row, &gather);
	}
}

bool field_open(struct world *world)
{
	struct fields *fields = &world->fields;
	struct memory *memory = world->memory;
	uint32_t count = world->awake.count;
	fields->active = false;
	if (ids_count(&fields->ids) == 0)
		return true;
	order_update(world);
	if (fields->order.count == 0)
		return true;
	if (!array_reserve(memory, &fields->reaches, count) ||
		!array_grow(memory, (void **)&fields->base_rows, &fields->base_row_capacity, world->wing->step_size, count))
		return false;
	memset(fields->reaches.data, 0, count * sizeof *fields->reaches.data);
	fields->active = true;
	return true;
}

bool field_number(struct world *world)
{
	struct fields *fields = &world->fields;
	uint32_t total = 0;
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		fields->reaches.data[row].first = total;
		total += fields->reaches.data[row].count;
	}
	fields->active = total > 0 && array_reserve(world->memory, &fields->found, total);
	return fields->active || total == 0;
}

/* --- Accelerations -------------------------------------------------------------------------------------------------------- */

/* A body in a sub-step. */
struct subject {
	const struct world *world;
	uint32_t id;
	double mass, h; /* h: of the sub-step [s] */
	struct vec3 center, v, w; /* of mass, in the world */
	struct frame3 frame; /* of the body */
	struct field_push push;
};

/* The factor strength / d^falloff / d on the vector to the origin or axis, of length d. */
static double pull_factor(const struct field_pull *pull, double d)
{
	double m = max_d(d, pull->minimum_distance);
	return pull->strength / half_powers_times(m, m, pull->half_powers);
}

/* Where the field's origin is halfway through the step: a field on a moving body moves evenly, on average. */
static struct vec3 field_origin(const struct world *world, const struct field *field)
{
	return vec3_mul_add(field->frame.origin, 0.5 * (double)world->step.dt, field->velocity);
}

static bool field_contains(const struct world *world, const struct field *field, struct vec3 point)
{
	return field->shape == NULL ||
		world->wing->shape_contains(field->shape, frame3_in(&field->frame, vec3_sub(point, field_origin(world, field))));
}

static void gravity_act(const struct field *field, struct subject *body)
{
	struct vec3 away = vec3_sub(body->center, field_origin(body->world, field));
	if (field->settings.effects & FIELD_GRAVITY)
		body->push.gravity = vec3_add(body->push.gravity, frame3_out(&field->frame, field->settings.gravity));
	if (field->settings.effects & FIELD_ATTRACTION) {
		double factor = pull_factor(&field->settings.attraction, vec3_length(away));
		body->push.gravity = vec3_mul_add(body->push.gravity, -factor, away);
	}
}

static void vortex_act(const struct field *field, struct subject *body)
{
	struct vec3 away = vec3_sub(body->center, field_origin(body->world, field));
	struct vec3 around = vec3_cross(frame3_out(&field->frame, field->settings.axis), away);
	double factor = pull_factor(&field->settings.vortex, vec3_length(around));
	body->push.acceleration = vec3_mul_add(body->push.acceleration, factor, around);
}

/* --- Wind ----------------------------------------------------------------------------------------------------------------- */

struct gust {
	struct subject *body;
	struct vec3 wind; /* [length/s] */
	double drag, lift;
};

/* Adds the force on a facet that faces the wind. With u the wind relative to the facet, n its normal and P = A (-n . u)/|u| the
 * area that it shows to the wind:
 *   F = drag P |u| u + lift P |u|^2 (the part of -n across u)
 * Source: the drag and lift of a flat plate, as in Box2D's b2Shape_ApplyWind (Catto, 2025), there without the lift's direction
 * from the normal. F falls with the velocity, at a rate of at least drag P |u| + lift P |u|: half of its derivative, which
 * keeps a sub-step from overshooting. */
static void facet_act(void *context, const struct facet *facet)
{
	const struct gust *gust = context;
	struct subject *body = gust->body;
	struct vec3 arm = vec3_sub(frame3_point(&body->frame, facet->point), body->center);
	struct vec3 u = vec3_sub(gust->wind, vec3_add(body->v, vec3_cross(body->w, arm)));
	struct vec3 n = frame3_out(&body->frame, facet->normal);
	double speed = vec3_length(u), against = facet->round ? speed : -vec3_dot(n, u);
	if (!(against > 0.0))
		return;
	double rate = facet->area * against;
	struct vec3 across = {0.0, 0.0, 0.0};
	if (!facet->round)
		across = vec3_sub(vec3_scale(-1.0, n), vec3_scale(against / (speed * speed), u));
	struct vec3 force = vec3_add(vec3_scale(gust->drag * rate, u), vec3_scale(gust->lift * rate * speed, across));
	double stiffness = (gust->drag + gust->lift) * rate;
	body->push.force = vec3_add(body->push.force, force);
	body->push.torque = vec3_add(body->push.torque, vec3_cross(arm, force));
	body->push.drag += stiffness;
	body->push.carried = vec3_mul_add(body->push.carried, stiffness, body->v);
	body->push.turn_stiffness += stiffness * vec3_dot(arm, arm);
}

static bool collider_affected(const struct collider *collider, const struct field *field)
{
	return !collider->sensor && (field->layers >> collider->layer & 1) != 0;
}

static void wind_act(const struct field *field, struct subject *body)
{
	const struct field_settings *settings = &field->settings;
	struct gust gust = {body, frame3_out(&field->frame, settings->wind), settings->wind_drag, settings->wind_lift};
	const struct world *world = body->world;
	for (uint32_t c = world->bodies.data[body->id].colliders; c != NONE; c = world->colliders.data[c].next)
		if (collider_affected(&world->colliders.data[c], field))
			world->wing->shape_facets(world->colliders.data[c].shape, (struct fineness){1, 0}, facet_act, &gust);
}

/* --- Fluids --------------------------------------------------------------------------------------------------------------- */

/* The part of the body in the fluid, with its centroid relative to the centre of mass. `up`: against gravity; in a half-plane
 * or half-space its normal. */
static struct immersion body_immersed(const struct subject *body, const struct field *field, struct vec3 up)
{
	const struct world *world = body->world;
	struct immersion sum = {0};
	double level = INFINITY;
	if (field->shape != NULL) {
		struct vec3 local = frame3_in(&field->frame, up);
		level = world->wing->shape_level(field->shape, &local);
		up = frame3_out(&field->frame, local);
		level += vec3_dot(up, vec3_sub(field_origin(world, field), body->frame.origin));
	}
	up = frame3_in(&body->frame, up);
	for (uint32_t c = world->bodies.data[body->id].colliders; c != NONE; c = world->colliders.data[c].next) {
		if (!collider_affected(&world->colliders.data[c], field))
			continue;
		struct immersion part = world->wing->shape_immersed(world->colliders.data[c].shape, up, level);
		struct vec3 point = frame3_point(&body->frame, part.center);
		if (!(part.volume > 0.0) || !field_contains(world, field, point))
			continue;
		sum.volume += part.volume;
		sum.center = vec3_mul_add(sum.center, part.volume, vec3_sub(point, body->center));
	}
	if (sum.volume > 0.0)
		sum.center = vec3_scale(1.0 / sum.volume, sum.center);
	return sum;
}

/* Bounds the frequency w at which a light body bobs, w^2 <= density g A/m with A the greatest area that it can show to the
 * surface: where h w > 1 the body counts as heavier, by (h w)^2, as if it took fluid along. So it stays stable, and floats as
 * deep. */
static void bobbing_limit(const struct field *field, double gravity, struct subject *body)
{
	double width = 2.0 * (double)body_extent(body->world, body->id), h = body->h;
	double area = body->world->wing->dimensions == 3 ? width * width : width;
	double hold = (h * h * field->settings.fluid_density * gravity * area / body->mass - 1.0) / h;
	if (!(hold > 0.0))
		return;
	body->push.drag += body->mass * hold;
	body->push.carried = vec3_mul_add(body->push.carried, body->mass * hold, body->v);
	body->push.turn_hold += hold;
}

/* Buoyancy -m g, of the displaced mass m, at the centroid of the displaced volume; there, too, a drag force m linear_drag (u -
 * v), with u the velocity of the fluid and v that of the centre of mass, and a decay of the angular velocity at the rate
 * angular_drag m / M. So a body of the fluid's density loses its velocities, relative to the fluid, at these rates. False: the
 * body is not in the fluid. */
static bool fluid_act(const struct field *field, struct vec3 gravity, struct subject *body)
{
	const struct field_settings *settings = &field->settings;
	double g = vec3_length(gravity);
	struct vec3 up = g > 0.0 ? vec3_scale(-1.0 / g, gravity) : field->frame.axes.y;
	struct immersion part = body_immersed(body, field, up);
	if (!(part.volume > 0.0))
		return false;
	double displaced = settings->fluid_density * part.volume, drag = displaced * settings->linear_drag;
	struct vec3 current = frame3_out(&field->frame, settings->current), buoyancy = vec3_scale(-displaced, gravity);
	struct vec3 slip = vec3_scale(drag / (1.0 + body->h * drag / body->mass), vec3_sub(current, body->v));
	body->push.force = vec3_add(body->push.force, buoyancy);
	body->push.torque = vec3_add(body->push.torque, vec3_cross(part.center, vec3_add(buoyancy, slip)));
	body->push.drag += drag;
	body->push.carried = vec3_mul_add(body->push.carried, drag, current);
	body->push.turn_drag += displaced * settings->angular_drag / body->mass;
	bobbing_limit(field, g, body);
	return true;
}

/* --- Sub-steps ------------------------------------------------------------------------------------------------------------ */

enum kind { PULLS, VORTICES, WINDS, FLUIDS, KINDS };

static void fields_act(struct subject *body, struct field_reach *reach)
{
	static const uint32_t effects[KINDS] = {FIELD_PULLS, FIELD_VORTEX, FIELD_WIND, FIELD_FLUID};
	static void (*const acts[FLUIDS])(const struct field *, struct subject *) = {gravity_act, vortex_act, wind_act};
	const struct world *world = body->world;
	struct vec3 gravity = {0.0, 0.0, 0.0};
	for (int kind = 0; kind < KINDS; ++kind) {
		int32_t least = INT32_MIN; /* priority */
		for (uint32_t i = 0; i < reach->count; ++i) {
			const struct field *field = by_rank(world, world->fields.found.data[reach->first + i]);
			if ((field->settings.effects & effects[kind]) == 0 || field->priority < least)
				continue;
			if (kind == FLUIDS) {
				if (!fluid_act(field, gravity, body))
					continue;
				reach->afloat = true;
			} else {
				if (!field_contains(world, field, body->center))
					continue;
				acts[kind](field, body);
			}
			if (field->replaces)
				least = field->priority;
			body->push.weightless |= field->replaces && kind == PULLS;
		}
		if (kind == PULLS)
			gravity =
				vec3_add(body->push.gravity, body->push.weightless ? (struct vec3){0.0, 0.0, 0.0} : vec3_widen(world->gravity));
	}
}

void field_begin(struct world *world, uint32_t begin, uint32_t end)
{
	size_t size = world->wing->step_size;
	memcpy(world->fields.base_rows + begin * size, world->step_rows + begin * size, (end - begin) * size);
}

void field_apply(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t row = begin; row < end; ++row) {
		struct field_reach *reach = &world->fields.reaches.data[row];
		if (reach->count == 0)
			continue;
		uint32_t id = world->awake.data[row];
		const double *center = body_row(world, id);
		const float *moved = body_displacement(world, id);
		struct subject body = {.world = world, .id = id, .mass = (double)body_weight(world, id), .h = (double)world->step.h};
		body.center = (struct vec3){center[0] + (double)moved[0], center[1] + (double)moved[1], 0.0};
		if (world->wing->dimensions == 3)
			body.center.z = center[2] + (double)moved[2];
		body.frame = world->wing->body_frame(world, id);
		body_velocities(world, id, &body.v, &body.w);
		fields_act(&body, reach);
		world->wing->step_push(world, row, world->fields.base_rows + row * world->wing->step_size, &body.push);
	}
}
