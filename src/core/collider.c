/* collider.c - see collider.h. */
#include "core/collider.h"
#include "base/scalar.h"
#include "core/contact.h"
#include "core/controller.h"
#include "core/filter.h"
#include "core/kept.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/touched.h"

/* --- Proxies -------------------------------------------------------------------------------------------------------------- */

struct stir {
	struct world *world;
	uint32_t proxy;
};

static bool stir_visit(void *context, uint32_t value)
{
	struct stir *stir = context;
	struct world *world = stir->world;
	const struct proxy *proxy = &world->proxies.data[stir->proxy], *other = &world->proxies.data[value];
	const struct collider *a = &world->colliders.data[proxy->collider], *b = &world->colliders.data[other->collider];
	if (!b->sensor && world->bodies.data[b->body].set == SET_ASLEEP && filter_allows(world, a, b) &&
		(!proxy_unbounded(proxy) || world->wing->proxy_overlaps_box(world, stir->proxy, &other->box)))
		body_wake(world, b->body);
	return true;
}

/* Wakes the sleeping bodies that a new or moved proxy may overlap, if it is solid and its body is not dynamic, so that they are
 * pushed out. */
static void proxy_stirs(struct world *world, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[world->proxies.data[id].collider];
	if (collider->sensor || world->bodies.data[collider->body].type == BODY_DYNAMIC)
		return;
	proxies_rest(world, true); /* then the leaves of all sleeping bodies rest */
	tree_query(&world->trees[HOME_RESTING], &world->proxies.data[id].box, stir_visit, &(struct stir){world, id});
}

void collider_add_proxy(struct world *world, uint32_t collider, uint32_t child)
{
	proxy_stirs(world, proxy_create(world, collider, child));
}

void collider_add_proxies(struct world *world, uint32_t collider)
{
	for (uint32_t child = collider_proxies_needed(world, collider); child-- > 0;)
		collider_add_proxy(world, collider, child);
}

void collider_update_proxies(struct world *world, uint32_t collider_id)
{
	for (uint32_t id = world->colliders.data[collider_id].proxies; id != NONE; id = world->proxies.data[id].next) {
		proxy_update(world, id);
		proxy_stirs(world, id);
	}
}

/* --- Colliders ------------------------------------------------------------------------------------------------------------ */

static bool body_enabled(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].set != SET_DISABLED;
}

/* The margin by which fat AABBs exceed the shape [length]: an eighth of the longest side of its children's AABBs, at most 5 cm
 * times length_scale, as Box2D's B2_MAX_AABB_MARGIN. With it slow bodies need no pair search in each step, and do not pair with
 * bodies that only pass by. It is at least 1.5 slops, more than the separation that continuous collision keeps: a body that it
 * stops must be paired, or it stays there without a contact. */
static float shape_margin(const struct world *world, const void *shape)
{
	const struct wing *wing = world->wing;
	float largest = 0.05f * world->settings.length_scale, size = 0.0f;
	if (wing->shape_unbounded(shape))
		return largest;
	for (uint32_t i = 0; i < wing->shape_children(shape); ++i) {
		struct box box;
		wing->shape_box(shape, i, wing->origin, &box);
		for (int k = 0; k < wing->dimensions; ++k)
			size = max_f(size, box.upper[k] - box.lower[k]);
	}
	return max_f(min_f(largest, 0.125f * size), 1.5f * LINEAR_SLOP * world->settings.length_scale);
}

static void sensor_mark(struct world *world, uint32_t id, bool sensor)
{
	world->sensor_count += sensor;
	world->sensor_count -= bits_has(&world->sensors, id);
	if (sensor)
		bits_set(&world->sensors, id);
	else
		bits_clear(&world->sensors, id);
}

bool one_way_reserve(struct world *world)
{
	uint32_t count = ids_count(&world->one_way_ids) + 1;
	return ids_reserve(world->memory, &world->one_way_ids, count) &&
		array_reserve(world->memory, &world->one_way_normals, count);
}

uint32_t one_way_make(struct world *world, const float normal[3])
{
	uint32_t id = ids_take(&world->one_way_ids);
	memcpy(world->one_way_normals.data[id].normal, normal, sizeof world->one_way_normals.data[id].normal);
	return id;
}

bool colliders_reserve(struct world *world, uint32_t more, uint32_t proxies)
{
	uint32_t end = world->collider_ids.end + more;
	return ids_reserve(world->memory, &world->collider_ids, end) && array_reserve(world->memory, &world->colliders, end) &&
		bits_reserve(world->memory, &world->sensors, end) &&
		bits_reserve(world->memory, &world->touched[TOUCHED_COLLIDERS], end) && kept_room(world, more) &&
		(proxies == 0 || proxies_reserve(world, proxies));
}

uint32_t collider_attach(struct world *world, uint32_t body_id, const void *shape, const struct collider_options *options)
{
	assert(!world->locked);
	struct body *body = &world->bodies.data[body_id];
	bool enabled = body_enabled(world, body_id);
	if (!colliders_reserve(world, 1, enabled ? world->wing->shape_children(shape) : 0) ||
		(options->one_way && !one_way_reserve(world)))
		return NONE;
	uint32_t id = ids_take(&world->collider_ids);
	world->colliders.count = world->collider_ids.end;
	world->colliders.data[id] = (struct collider){
		.generation = ++world->serial,
		.body = body_id,
		.previous = NONE,
		.next = body->colliders,
		.proxies = NONE,
		.shape = shape,
		.material = options->material,
		.density = options->density,
		.margin = shape_margin(world, shape),
		.group = options->group,
		.layer = options->layer,
		.own_layers = options->own_layers,
		.has_own_layers = options->has_own_layers,
		.sensor = options->sensor,
		.part_materials = world->wing->shape_has_materials(shape),
		.one_way = options->one_way ? one_way_make(world, options->normal) : NONE,
		.pre_solve = options->pre_solve,
		.valid = true,
	};
	record_touch(world, TOUCHED_COLLIDERS, id);
	record_touch(world, TOUCHED_BODIES, body_id);
	world->pre_solve_colliders += options->pre_solve;
	sensor_mark(world, id, options->sensor);
	world->wing->shape_retain(shape);
	if (body->colliders != NONE) {
		record_touch(world, TOUCHED_COLLIDERS, body->colliders);
		world->colliders.data[body->colliders].previous = id;
	}
	body->colliders = id;
	++body->collider_count;
	if (enabled)
		collider_add_proxies(world, id);
	return id;
}

/* Lists a dynamic body that has got a collider, for bodies_weigh to compute its mass and extents: many new colliders so cost
 * one pass. Without memory, computes them at once. */
static void body_weigh_later(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	if (body->unweighed)
		return;
	if (!array_reserve(world->memory, &world->unweighed, world->unweighed.count + 1)) {
		world->wing->body_mass(world, id);
		return;
	}
	array_push(&world->unweighed, id);
	record_touch(world, TOUCHED_BODIES, id);
	body->unweighed = true;
}

/* A listed body that was destroyed meanwhile is skipped, even if its id is in use again: `unweighed` is false then. */
void bodies_weigh(struct world *world)
{
	for (uint32_t i = 0; i < world->unweighed.count; ++i) {
		uint32_t id = world->unweighed.data[i];
		struct body *body = &world->bodies.data[id];
		if (!body->valid || !body->unweighed)
			continue;
		record_touch(world, TOUCHED_BODIES, id);
		body->unweighed = false;
		world->wing->body_mass(world, id);
	}
	world->unweighed.count = 0;
}

/* A body may have thousands of colliders: adding one never iterates over all of them. */
uint32_t collider_create(struct world *world, uint32_t body, const void *shape, const struct collider_options *options)
{
	uint32_t id = collider_attach(world, body, shape, options);
	if (id == NONE)
		return NONE;
	if (world->bodies.data[body].type != BODY_DYNAMIC)
		world->wing->body_extend(world, body, id);
	else
		body_weigh_later(world, body);
	body_wake(world, body);
	return id;
}

void collider_drop(struct world *world, uint32_t id)
{
	assert(!world->locked);
	struct collider *collider = &world->colliders.data[id];
	struct body *body = &world->bodies.data[collider->body];
	record_touch(world, TOUCHED_COLLIDERS, id);
	record_touch(world, TOUCHED_BODIES, collider->body);
	if (collider->previous != NONE)
		record_touch(world, TOUCHED_COLLIDERS, collider->previous);
	if (collider->next != NONE)
		record_touch(world, TOUCHED_COLLIDERS, collider->next);
	contacts_destroy_of_collider(world, id, true);
	controllers_destroy_of_collider(world, id);
	collider_remove_proxies(world, id);
	if (collider->previous != NONE)
		world->colliders.data[collider->previous].next = collider->next;
	else
		body->colliders = collider->next;
	if (collider->next != NONE)
		world->colliders.data[collider->next].previous = collider->previous;
	--body->collider_count;
	sensor_mark(world, id, false);
	collider->valid = false;
	world->pre_solve_colliders -= collider->pre_solve;
	if (collider->one_way != NONE)
		ids_give(&world->one_way_ids, collider->one_way);
	++world->ended;
	shape_let_go(world, collider->shape);
	ids_give(&world->collider_ids, id);
}

void collider_destroy(struct world *world, uint32_t id)
{
	uint32_t body = world->colliders.data[id].body;
	collider_drop(world, id);
	if (world->bodies.data[body].type != BODY_STATIC)
		world->wing->body_mass(world, body);
	body_wake(world, body);
}

bool collider_set_shape(struct world *world, uint32_t id, const void *shape)
{
	assert(!world->locked);
	struct collider *collider = &world->colliders.data[id];
	bool enabled = body_enabled(world, collider->body);
	if (!kept_room(world, 1) || (enabled && !proxies_reserve(world, world->wing->shape_children(shape))))
		return false;
	record_touch(world, TOUCHED_COLLIDERS, id);
	record_touch(world, TOUCHED_BODIES, collider->body);
	contacts_destroy_of_collider(world, id, true);
	collider_remove_proxies(world, id);
	world->wing->shape_retain(shape);
	++world->ended;
	shape_let_go(world, collider->shape);
	collider->shape = shape;
	collider->part_materials = world->wing->shape_has_materials(shape);
	collider->margin = shape_margin(world, shape);
	if (enabled)
		collider_add_proxies(world, id);
	world->wing->body_mass(world, collider->body);
	body_wake(world, collider->body);
	return true;
}

void collider_set_material(struct world *world, uint32_t id, const struct material *material)
{
	struct collider *collider = &world->colliders.data[id];
	collider->material = *material;
	for (uint32_t key = world->bodies.data[collider->body].links[LINK_CONTACT]; key != NONE;
		 key = link_next(world, LINK_CONTACT, key))
		if (world->contacts.data[key / 2].colliders[key & 1] == id)
			contact_mix(world, key / 2);
	body_wake(world, collider->body);
	body_wake_touching(world, collider->body);
}

void collider_set_density(struct world *world, uint32_t id, float density)
{
	struct collider *collider = &world->colliders.data[id];
	bool changed = density != collider->density;
	collider->density = density;
	if (changed)
		world->wing->body_mass(world, collider->body);
	body_wake(world, collider->body);
	body_wake_touching(world, collider->body);
}

void collider_refilter(struct world *world, uint32_t id)
{
	assert(!world->locked);
	contacts_destroy_of_collider(world, id, true);
	for (uint32_t p = world->colliders.data[id].proxies; p != NONE; p = world->proxies.data[p].next)
		proxy_moved(world, p);
	body_wake(world, world->colliders.data[id].body);
}

void collider_set_sensor(struct world *world, uint32_t id, bool sensor)
{
	if (world->colliders.data[id].sensor == sensor)
		return;
	collider_refilter(world, id); /* first, as the events of ending contacts depend on what they were */
	world->colliders.data[id].sensor = sensor;
	sensor_mark(world, id, sensor);
	for (uint32_t p = world->colliders.data[id].proxies; p != NONE; p = world->proxies.data[p].next)
		proxy_stirs(world, p);
}

void collider_set_layer(struct world *world, uint32_t id, uint8_t layer)
{
	if (world->colliders.data[id].layer == layer)
		return;
	world->colliders.data[id].layer = layer;
	collider_refilter(world, id);
}

void collider_set_own_layers(struct world *world, uint32_t id, bool has, uint64_t layers)
{
	struct collider *collider = &world->colliders.data[id];
	if (collider->has_own_layers == has && (!has || collider->own_layers == layers))
		return;
	collider->has_own_layers = has;
	collider->own_layers = has ? layers : 0;
	collider_refilter(world, id);
}

void collider_set_group(struct world *world, uint32_t id, int32_t group)
{
	if (world->colliders.data[id].group == group)
		return;
	world->colliders.data[id].group = group;
	collider_refilter(world, id);
}
