/* passage.c - see passage.h. */
#include "core/passage.h"
#include "core/contact.h"
#include "core/event.h"
#include "core/filter.h"
#include "core/link.h"
#include "core/proxy.h"

#include <stdlib.h>

/* Up to so many fast bodies are compared with all drifting proxies; for more, the leaves of these are updated. */
enum { MANY = 16 };

struct passage_search {
	struct world *world;
	uint32_t body;
	uint32_t proxy; /* of the body */
	struct box box; /* its path's AABB */
	bool sensor; /* its collider is one */
};

static void pair_add(struct world *world, uint32_t a, uint32_t b)
{
	if (!array_reserve(world->memory, &world->passages, world->passages.count + 1)) {
		world->events_lost = true;
		return;
	}
	array_push(&world->passages, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
}

/* Two fast bodies find each other in bodies_meet. */
static bool search_visit(void *context, uint32_t other)
{
	const struct passage_search *search = context;
	struct world *world = search->world;
	const struct proxy *proxy = &world->proxies.data[other];
	const struct collider *collider = &world->colliders.data[proxy->collider];
	if ((search->sensor || collider->sensor) && !bits_has(&world->passing_bodies, collider->body) &&
		box_overlaps(&search->box, &proxy->box))
		pair_add(world, world->proxies.data[search->proxy].collider, proxy->collider);
	return true;
}

/* Searches what a proxy of a fast body may have met. `drifting`: see sensors_drift. `settled`: the tree of drifting proxies is
 * up to date. */
static void proxy_search(struct passage_search *search, bool drifting, bool settled)
{
	struct world *world = search->world;
	anchored_query(world, &search->box, search_visit, search);
	if (!drifting)
		return;
	if (settled) {
		tree_query(&world->trees[HOME_DRIFTING], &search->box, search_visit, search);
		return;
	}
	for (uint32_t p = bits_next(&world->drifting, 0); p != NONE; p = bits_next(&world->drifting, p + 1))
		search_visit(search, p);
}

/* Lists the fast body, and the AABB of its path. */
static void body_list(struct world *world, uint32_t id, bool drifting, bool settled)
{
	struct passing_body passing = {.body = id};
	bool any = false;
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next) {
		passing.sensor |= world->colliders.data[c].sensor;
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			struct passage_search search = {world, id, p, .sensor = world->colliders.data[c].sensor};
			if (proxy_unbounded(&world->proxies.data[p]))
				continue;
			world->wing->proxy_path(world, p, &search.box);
			search.box = box_widened(&search.box, world->wing->body_bulge(world, id), world->wing->dimensions);
			proxy_search(&search, drifting, settled);
			passing.box = any ? box_union(&passing.box, &search.box) : search.box;
			any = true;
		}
	}
	if (any)
		array_push(&world->passing, passing);
}

static void bodies_meet(struct world *world, const struct passing_body *a, const struct passing_body *b)
{
	for (uint32_t c = world->bodies.data[a->body].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t d = world->bodies.data[b->body].colliders; d != NONE; d = world->colliders.data[d].next)
			if (world->colliders.data[c].sensor || world->colliders.data[d].sensor)
				pair_add(world, c, d);
}

/* Whether a dynamic or fast body has a sensor. Without one, drifting proxies meet no sensors but anchored ones. */
static bool sensors_drift(const struct world *world)
{
	for (uint32_t c = bits_next(&world->sensors, 0); c != NONE; c = bits_next(&world->sensors, c + 1)) {
		uint32_t body = world->colliders.data[c].body;
		if (world->bodies.data[body].type == BODY_DYNAMIC || bits_has(&world->passing_bodies, body))
			return true;
	}
	return false;
}

/* Finds the pairs of colliders that may have met. */
static void pairs_find(struct world *world)
{
	bool drifting = sensors_drift(world), settled = drifting && bits_count(&world->passing_bodies) > MANY;
	if (settled)
		proxies_settle(world);
	for (uint32_t id = bits_next(&world->passing_bodies, 0); id != NONE; id = bits_next(&world->passing_bodies, id + 1))
		body_list(world, id, drifting, settled);
	const struct passing_body *passing = world->passing.data;
	for (uint32_t i = 0; i < world->passing.count; ++i)
		for (uint32_t k = 0; passing[i].sensor && k < world->passing.count; ++k)
			if ((k > i || !passing[k].sensor) && box_overlaps(&passing[i].box, &passing[k].box))
				bodies_meet(world, &passing[i], &passing[k]);
}

/* Contacts tell of overlaps at the start of this step, and will of those at the start of the next one. */
static bool pair_passes(const struct world *world, const uint32_t colliders[2])
{
	if (!filter_allows(world, &world->colliders.data[colliders[0]], &world->colliders.data[colliders[1]]))
		return false;
	uint32_t contact = contact_between(world, colliders);
	if (contact != NONE && (world->contacts.data[contact].link.flags & CONTACT_TOUCHING))
		return false;
	return world->wing->colliders_pass(world, colliders) &&
		(contact != NONE || world->filter == NULL || world->filter(world->filter_context, colliders[0], colliders[1]));
}

static int keys_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

void passages_report(struct world *world)
{
	uint32_t count = bits_next(&world->passing_bodies, 0) == NONE ? 0 : bits_count(&world->passing_bodies);
	if (count == 0)
		return;
	array_empty(world->memory, &world->passing);
	array_empty(world->memory, &world->passages);
	if (array_reserve(world->memory, &world->passing, count))
		pairs_find(world);
	else
		world->events_lost = true;
	bits_clear_all(&world->passing_bodies);
	const uint64_t *keys = world->passages.data;
	if (world->passages.count > 1)
		qsort(world->passages.data, world->passages.count, sizeof *keys, keys_compare);
	for (uint32_t i = 0; i < world->passages.count; ++i) {
		const uint32_t colliders[2] = {(uint32_t)(keys[i] >> 32), (uint32_t)keys[i]};
		if ((i == 0 || keys[i] != keys[i - 1]) && pair_passes(world, colliders) &&
			!event_passage(world, colliders[0], colliders[1]))
			world->events_lost = true;
	}
}
