/* edit.c - see edit.h. */
#include "core/edit.h"
#include "core/history.h"
#include "core/collider.h"
#include "core/contact.h"
#include "core/filter.h"
#include "core/link.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/touched.h"
#include "core/travel.h"

bool edit_reserve(struct world *world, uint32_t touched)
{
	histories_clear(world); /* which cannot undo edits of shapes */
	return proxies_reserve(world, touched) && array_reserve(world->memory, &world->edited, world->edited.count + touched);
}

struct search {
	const struct world *world;
	uint32_t collider, child, found;
};

static bool search_visit(void *context, uint32_t id)
{
	struct search *search = context;
	const struct proxy *proxy = &search->world->proxies.data[id];
	if (proxy->collider != search->collider || proxy->child != search->child || proxy->edit == EDIT_REMOVED)
		return true;
	search->found = id;
	return false;
}

uint32_t edit_proxy(const struct world *world, uint32_t collider, uint32_t child, const struct box *box)
{
	uint32_t first = world->colliders.data[collider].proxies;
	struct search search = {world, collider, child, NONE};
	if (first != NONE) /* all are in one tree, as their body is static or kinematic */
		tree_query(&world->trees[world->proxies.data[first].home], box, search_visit, &search);
	return search.found;
}

static void edit_mark(struct world *world, uint32_t id, enum proxy_edit edit)
{
	struct proxy *proxy = &world->proxies.data[id];
	if (proxy->edit == EDIT_NONE)
		array_push(&world->edited, id);
	proxy->edit = (uint8_t)edit;
}

void edit_remove(struct world *world, uint32_t proxy)
{
	edit_mark(world, proxy, EDIT_REMOVED);
}

void edit_renumber(struct world *world, uint32_t proxy, uint32_t child)
{
	world->proxies.data[proxy].child = child;
}

void edit_change(struct world *world, uint32_t proxy)
{
	edit_mark(world, proxy, EDIT_CHANGED);
}

void edit_add(struct world *world, uint32_t collider, uint32_t child)
{
	collider_add_proxy(world, collider, child);
}

void edit_end(struct world *world, uint32_t collider)
{
	if (world->edited.count > 0)
		contacts_follow_edit(world, world->colliders.data[collider].body);
	for (uint32_t i = 0; i < world->edited.count; ++i) {
		uint32_t id = world->edited.data[i];
		bool removed = world->proxies.data[id].edit == EDIT_REMOVED;
		world->proxies.data[id].edit = EDIT_NONE;
		if (removed)
			proxy_destroy(world, id);
	}
	array_empty(world->memory, &world->edited);
}

struct region {
	struct world *world;
	uint32_t collider;
};

static bool region_visit(void *context, uint32_t id)
{
	const struct region *region = context;
	struct world *world = region->world;
	const struct collider *own = &world->colliders.data[region->collider],
						  *other = &world->colliders.data[world->proxies.data[id].collider];
	if (other->body == own->body || !filter_allows(world, own, other))
		return true;
	for (uint32_t key = world->bodies.data[other->body].links[LINK_CONTACT]; key != NONE;
		 key = link_next(world, LINK_CONTACT, key)) {
		uint32_t contact = key / 2;
		if (world->contacts.data[contact].colliders[~key & 1] != region->collider)
			continue;
		travel_forbid(world, contact);
		record_touch(world, TOUCHED_MANIFOLDS, contact);
		world->wing->contact_forget(world, contact);
	}
	if (world->bodies.data[other->body].set == SET_ASLEEP)
		body_wake(world, other->body);
	return true;
}

void edit_region(struct world *world, uint32_t collider, const struct box *box)
{
	uint32_t proxy = world->colliders.data[collider].proxies, body = world->colliders.data[collider].body;
	struct box whole;
	record_touch(world, TOUCHED_BODIES, body);
	world->wing->body_extend(world, body, collider);
	world->travels.data[body].slack = 0.0f;
	if (proxy == NONE)
		return;
	world->wing->proxy_box(world, proxy, &whole);
	if (!box_contains(&world->proxies.data[proxy].box, &whole))
		proxy_update(world, proxy);
	proxies_rest(world, true); /* then the leaves of all sleeping bodies rest, and no leaf is stale */
	proxies_settle(world);
	struct region region = {world, collider};
	tree_query(&world->trees[HOME_RESTING], box, region_visit, &region);
	tree_query(&world->trees[HOME_DRIFTING], box, region_visit, &region);
}

int edit_group(
	const struct world *world, uint32_t collider, bool (*joined)(const void *, const void *), uint32_t out[CELL_GROUPS])
{
	const struct collider *own = &world->colliders.data[collider];
	int count = 0;
	out[count++] = collider;
	for (uint32_t c = world->bodies.data[own->body].colliders; c != NONE; c = world->colliders.data[c].next)
		if (c != collider && count < CELL_GROUPS && joined(own->shape, world->colliders.data[c].shape))
			out[count++] = c;
	return count;
}
