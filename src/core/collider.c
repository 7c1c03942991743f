/* collider.c - see collider.h. */
#include "core/collider.h"
#include "core/body.h"
#include "core/contact.h"
#include "core/pairs.h"

/* --- Proxies -------------------------------------------------------------------------------------------------------------- */

uint32_t collider_proxies_needed(const struct world *world, uint32_t collider)
{
	return world->wing->shape_children(world->colliders.data[collider].shape);
}

bool proxies_reserve(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	uint32_t end = world->proxy_ids.end + more, bounded = ids_count(&world->proxy_ids) + more;
	return ids_reserve(memory, &world->proxy_ids, end) && array_reserve(memory, &world->proxies, end) &&
		array_reserve(memory, &world->moved_proxies, end) && array_reserve(memory, &world->unbounded, end) &&
		bits_reserve(memory, &world->enlarged_proxies, end) && bits_reserve(memory, &world->drifting, end) &&
		bits_reserve(memory, &world->stale, end) && tree_room_reserve(&world->leaves, bounded);
}

struct stir {
	struct world *world;
	uint32_t proxy;
};

static bool stir_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct stir *stir = context;
	struct world *world = stir->world;
	const struct proxy *proxy = &world->proxies.data[stir->proxy], *other = &world->proxies.data[value];
	const struct collider *a = &world->colliders.data[proxy->collider], *b = &world->colliders.data[other->collider];
	if (!b->sensor && world->bodies.data[b->body].set == SET_ASLEEP && pair_allowed(world, a, b) &&
		(!proxy->unbounded || world->wing->proxy_meets_box(world, stir->proxy, &other->box)))
		body_wake(world, b->body);
	return true;
}

/* What does not move by itself is put there: sleepers that it may overlap must be pushed out. They are in the first tree. */
static void proxy_stirs(struct world *world, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[world->proxies.data[id].collider];
	if (!collider->sensor && world->bodies.data[collider->body].type != BODY_DYNAMIC)
		tree_query(&world->trees[0], &world->proxies.data[id].box, stir_visit, &(struct stir){world, id});
}

static bool body_drifts(const struct body *body)
{
	return body->type == BODY_DYNAMIC && body->set == SET_AWAKE;
}

/* What drifts gets its leaf when somebody asks: many a body is gone, or asleep, before that. */
static void leaf_insert(struct world *world, uint32_t id, bool drifting)
{
	struct proxy *proxy = &world->proxies.data[id];
	proxy->drifting = drifting;
	if (drifting) {
		bits_set(&world->drifting, id);
		bits_set(&world->stale, id);
	} else {
		proxy->leaf = tree_insert(&world->trees[0], &proxy->box, id);
	}
}

static void leaf_remove(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	if (proxy->leaf != NONE)
		tree_remove(&world->trees[proxy->drifting], proxy->leaf);
	proxy->leaf = NONE;
	bits_clear(&world->drifting, id);
	bits_clear(&world->stale, id);
}

void collider_rehome_proxies(struct world *world, uint32_t collider)
{
	bool drifting = body_drifts(&world->bodies.data[world->colliders.data[collider].body]);
	for (uint32_t id = world->colliders.data[collider].proxies; id != NONE; id = world->proxies.data[id].next) {
		const struct proxy *proxy = &world->proxies.data[id];
		if (proxy->unbounded || proxy->drifting == drifting)
			continue;
		leaf_remove(world, id);
		leaf_insert(world, id, drifting);
	}
}

static void proxy_fit(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	const struct collider *collider = &world->colliders.data[proxy->collider];
	struct box box;
	world->wing->proxy_box(world, id, &box);
	world->bodies.data[collider->body].slack = 0.0f;
	proxy->box = world->bodies.data[collider->body].type == BODY_STATIC
		? box
		: box_widened(&box, collider->margin, world->wing->dimensions);
}

static void proxy_create(struct world *world, uint32_t collider_id, uint32_t child)
{
	struct collider *collider = &world->colliders.data[collider_id];
	const struct body *body = &world->bodies.data[collider->body];
	uint32_t id = ids_take(&world->proxy_ids);
	if (id == world->proxies.count)
		++world->proxies.count;
	struct proxy *proxy = &world->proxies.data[id];
	*proxy = (struct proxy){
		.collider = collider_id,
		.child = child,
		.next = collider->proxies,
		.leaf = NONE,
		.moved_index = NONE,
		.unbounded = world->wing->shape_unbounded(collider->shape),
	};
	collider->proxies = id;
	proxy_fit(world, id);
	if (proxy->unbounded)
		array_push(&world->unbounded, id);
	else
		leaf_insert(world, id, body_drifts(body));
	proxy_moved(world, id);
	proxy_stirs(world, id);
}

void collider_add_proxies(struct world *world, uint32_t collider)
{
	for (uint32_t child = collider_proxies_needed(world, collider); child-- > 0;)
		proxy_create(world, collider, child);
}

static void list_remove(uint32_t *list, uint32_t *count, uint32_t value)
{
	for (uint32_t i = 0; i < *count; ++i)
		if (list[i] == value) {
			list[i] = list[--*count];
			return;
		}
}

void collider_remove_proxies(struct world *world, uint32_t collider_id)
{
	struct collider *collider = &world->colliders.data[collider_id];
	for (uint32_t id = collider->proxies, next; id != NONE; id = next) {
		struct proxy *proxy = &world->proxies.data[id];
		next = proxy->next;
		if (proxy->unbounded)
			list_remove(world->unbounded.data, &world->unbounded.count, id);
		else
			leaf_remove(world, id);
		proxy_forget_move(world, id);
		ids_give(&world->proxy_ids, id);
	}
	collider->proxies = NONE;
}

void collider_update_proxies(struct world *world, uint32_t collider_id)
{
	for (uint32_t id = world->colliders.data[collider_id].proxies; id != NONE; id = world->proxies.data[id].next) {
		struct proxy *proxy = &world->proxies.data[id];
		proxy_fit(world, id);
		if (proxy->drifting)
			bits_set(&world->stale, id);
		else if (!proxy->unbounded)
			tree_move(&world->trees[0], proxy->leaf, &proxy->box);
		proxy_moved(world, id);
		proxy_stirs(world, id);
	}
}

/* --- Colliders ------------------------------------------------------------------------------------------------------------ */

static bool body_enabled(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].set != SET_DISABLED;
}

uint32_t collider_attach(struct world *world, uint32_t body_id, const void *shape, const struct collider_options *options)
{
	assert(!world->locked);
	struct body *body = &world->bodies.data[body_id];
	uint32_t end = world->collider_ids.end + 1;
	bool enabled = body_enabled(world, body_id);
	if (!ids_reserve(world->memory, &world->collider_ids, end) || !array_reserve(world->memory, &world->colliders, end) ||
		(enabled && !proxies_reserve(world, world->wing->shape_children(shape))))
		return NONE;
	uint32_t id = ids_take(&world->collider_ids);
	uint32_t generation = 0;
	if (id == world->colliders.count)
		++world->colliders.count;
	else
		generation = world->colliders.data[id].generation;
	world->colliders.data[id] = (struct collider){
		.generation = generation,
		.body = body_id,
		.previous = NONE,
		.next = body->colliders,
		.proxies = NONE,
		.shape = shape,
		.material = options->material,
		.margin = world->wing->shape_margin(world, shape),
		.group = options->group,
		.layer = options->layer,
		.sensor = options->sensor,
		.valid = true,
	};
	world->wing->shape_retain(shape);
	if (body->colliders != NONE)
		world->colliders.data[body->colliders].previous = id;
	body->colliders = id;
	++body->collider_count;
	if (enabled)
		collider_add_proxies(world, id);
	return id;
}

/* A body may have thousands of colliders: nothing goes through all of them for one that comes. */
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
	contacts_destroy_of_collider(world, id, true);
	collider_remove_proxies(world, id);
	if (collider->previous != NONE)
		world->colliders.data[collider->previous].next = collider->next;
	else
		body->colliders = collider->next;
	if (collider->next != NONE)
		world->colliders.data[collider->next].previous = collider->previous;
	--body->collider_count;
	collider->valid = false;
	++collider->generation;
	world->wing->shape_release(collider->shape);
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
	if (enabled && !proxies_reserve(world, world->wing->shape_children(shape)))
		return false;
	contacts_destroy_of_collider(world, id, true);
	collider_remove_proxies(world, id);
	world->wing->shape_retain(shape);
	world->wing->shape_release(collider->shape);
	collider->shape = shape;
	collider->margin = world->wing->shape_margin(world, shape);
	if (enabled)
		collider_add_proxies(world, id);
	world->wing->body_mass(world, collider->body);
	body_wake(world, collider->body);
	return true;
}

void collider_set_material(struct world *world, uint32_t id, const struct material *material)
{
	struct collider *collider = &world->colliders.data[id];
	bool heavier = material->density != collider->material.density;
	collider->material = *material;
	for (uint32_t key = world->bodies.data[collider->body].edges[EDGE_CONTACT]; key != NONE;
		 key = edge_next(world, EDGE_CONTACT, key))
		if (world->contacts.data[key / 2].colliders[key & 1] == id)
			contact_mix(world, key / 2);
	if (heavier)
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

void collider_set_layer(struct world *world, uint32_t id, uint8_t layer)
{
	if (world->colliders.data[id].layer == layer)
		return;
	world->colliders.data[id].layer = layer;
	collider_refilter(world, id);
}

void collider_set_group(struct world *world, uint32_t id, int32_t group)
{
	if (world->colliders.data[id].group == group)
		return;
	world->colliders.data[id].group = group;
	collider_refilter(world, id);
}
