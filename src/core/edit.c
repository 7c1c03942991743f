/* edit.c - see edit.h. */
#include "core/edit.h"
#include "core/collider.h"
#include "core/contact.h"
#include "core/proxy.h"

bool edit_reserve(struct world *world, uint32_t touched)
{
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
