/* proxy.c - see proxy.h. */
#include "core/proxy.h"
#include "core/speculative.h"
#include "core/touched.h"

#include <math.h>

uint32_t collider_proxies_needed(const struct world *world, uint32_t collider)
{
	return world->wing->shape_children(world->colliders.data[collider].shape);
}

bool proxies_reserve(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	uint32_t end = world->proxy_ids.end + more, bounded = ids_count(&world->proxy_ids) + more;
	uint32_t fixed = world->trees[HOME_STATIC].leaf_count; /* the proxies that moved_statics may hold; moved_proxies the rest */
	return ids_reserve(memory, &world->proxy_ids, end) && array_reserve(memory, &world->proxies, end) &&
		array_reserve(memory, &world->moved_proxies, bounded - fixed) &&
		array_reserve(memory, &world->moved_statics, fixed + more) &&
		array_reserve(memory, &world->unbounded, world->unbounded.count + more) &&
		bits_reserve(memory, &world->enlarged_proxies, end) && bits_reserve(memory, &world->drifting, end) &&
		bits_reserve(memory, &world->stale, end) && bits_reserve(memory, &world->touched[TOUCHED_PROXIES], end) &&
		array_reserve(memory, &world->enclosures, end / 64 + 1) && bits_reserve(memory, &world->enclosed_words, end / 64 + 1) &&
		tree_room_reserve(&world->leaves, bounded);
}

/* --- Moved proxies -------------------------------------------------------------------------------------------------------- */

static void moved_add(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	record_touch(world, TOUCHED_PROXIES, id);
	if (proxy_has_moved(world, id))
		return;
	if (proxy->home == HOME_STATIC) { /* room for all: proxies_reserve */
		proxy->moved_index = world->moved_statics.count;
		array_push(&world->moved_statics, id);
	} else {
		proxy->moved_index = world->moved_proxies.count;
		array_push(&world->moved_proxies, id);
		bits_clear(&world->enclosed_words, id / 64);
	}
}

void proxy_moved(struct world *world, uint32_t id)
{
	record_touch(world, TOUCHED_PROXIES, id);
	world->proxies.data[id].searched = nowhere;
	moved_add(world, id);
}

static void proxy_forget_move(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	if (proxy_has_moved(world, id)) {
		bool fixed = proxy->home == HOME_STATIC;
		uint32_t *list = fixed ? world->moved_statics.data : world->moved_proxies.data;
		uint32_t last = list[--*(fixed ? &world->moved_statics.count : &world->moved_proxies.count)];
		record_touch(world, TOUCHED_PROXIES, last);
		list[proxy->moved_index] = last;
		world->proxies.data[last].moved_index = proxy->moved_index;
	}
	record_touch(world, TOUCHED_PROXIES, id);
	proxy->moved_index = NONE;
}

/* --- Leaves --------------------------------------------------------------------------------------------------------------- */

/* If more than one in BUILD_PART leaves is stale, building the tree anew is faster than moving them. */
enum { BUILD_PART = 4 };

static const struct box *box_of_proxy(const void *context, uint32_t proxy)
{
	const struct world *world = context;
	return &world->proxies.data[proxy].box;
}

static void drifting_build(struct world *world)
{
	uint32_t count = 0;
	for (uint32_t id = bits_next(&world->drifting, 0); id != NONE; id = bits_next(&world->drifting, id + 1))
		if (world->proxies.data[id].leaf != NONE) /* bullets may not have one yet */
			world->tree_entries.data[count++].leaf = world->proxies.data[id].leaf;
	tree_build(&world->trees[HOME_DRIFTING], world->tree_entries.data, box_of_proxy, world);
}

void proxies_settle(struct world *world)
{
	if (bits_next(&world->stale, 0) == NONE)
		return;
	uint32_t drifting = bits_count(&world->drifting);
	bool build =
		bits_count(&world->stale) > drifting / BUILD_PART && array_reserve(world->memory, &world->tree_entries, drifting);
	struct tree *tree = &world->trees[HOME_DRIFTING];
	for (uint32_t id = bits_next(&world->stale, 0); id != NONE; id = bits_next(&world->stale, id + 1)) {
		struct proxy *proxy = &world->proxies.data[id];
		record_touch(world, TOUCHED_PROXIES, id);
		if (proxy->leaf == NONE)
			proxy->leaf = build ? tree_insert_loose(tree, id) : tree_insert(tree, &proxy->box, id);
		else if (!build)
			tree_move(tree, proxy->leaf, &proxy->box);
	}
	bits_clear_all(&world->stale);
	if (build)
		drifting_build(world);
}

static enum proxy_home home_of(const struct world *world, const struct proxy *proxy)
{
	const struct body *body = &world->bodies.data[world->colliders.data[proxy->collider].body];
	if (body->type == BODY_STATIC)
		return HOME_STATIC;
	return body->type == BODY_DYNAMIC && body->set == SET_AWAKE ? HOME_DRIFTING : HOME_RESTING;
}

/* A drifting proxy gets its leaf only at the next query: many bodies are destroyed or sleep before that. */
static void leaf_insert(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	record_touch(world, TOUCHED_PROXIES, id);
	if (proxy->home == HOME_DRIFTING) {
		bits_set(&world->drifting, id);
		bits_set(&world->stale, id);
		bits_clear(&world->enclosed_words, id / 64);
	} else {
		proxy->leaf = tree_insert(&world->trees[proxy->home], &proxy->box, id);
	}
}

static void leaf_remove(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	if (proxy->leaf != NONE)
		tree_remove(&world->trees[proxy->home], proxy->leaf);
	record_touch(world, TOUCHED_PROXIES, id);
	proxy->leaf = NONE;
	bits_clear(&world->drifting, id);
	bits_clear(&world->stale, id);
}

static bool at_home(const struct world *world, const struct proxy *proxy)
{
	return proxy_unbounded(proxy) || proxy->home == home_of(world, proxy);
}

static void proxy_rehome(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	leaf_remove(world, id);
	proxy->home = (uint8_t)home_of(world, proxy);
	leaf_insert(world, id);
}

/* After the proxy's AABB has changed: moves its leaf, or marks it as stale if it drifts. One that rested until its body woke
 * drifts from now on. */
static void leaf_move(struct world *world, uint32_t id)
{
	const struct proxy *proxy = &world->proxies.data[id];
	if (proxy->home == HOME_DRIFTING)
		bits_set(&world->stale, id);
	else if (!at_home(world, proxy))
		proxy_rehome(world, id);
	else if (!proxy_unbounded(proxy))
		tree_move(&world->trees[proxy->home], proxy->leaf, &proxy->box);
}

void proxies_refit(struct world *world)
{
	const struct bits *enlarged = &world->enlarged_proxies;
	for (uint32_t id = bits_next(enlarged, 0); id != NONE; id = bits_next(enlarged, id + 1)) {
		record_touch(world, TOUCHED_BODIES, proxy_body(world, id)); /* its slack */
		leaf_move(world, id);
		moved_add(world, id);
	}
	bits_clear_all(&world->enlarged_proxies);
}

/* Moves up to *most of the body's proxies to the trees where they belong, and reduces *most. False: there are more. */
static bool body_rehome(struct world *world, uint32_t id, uint32_t *most)
{
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			if (at_home(world, &world->proxies.data[p]))
				continue;
			if (*most == 0)
				return false;
			--*most;
			proxy_rehome(world, p);
		}
	return true;
}

/* Proxies that may go to rest in a step: LEAST_REST, and one in REST_PART of those that drift. */
enum { LEAST_REST = 16, REST_PART = 16 };

void proxies_rest(struct world *world, bool all)
{
	const struct bits *lulled = &world->lulled_bodies;
	if (bits_next(lulled, 0) == NONE)
		return;
	uint32_t most = all ? UINT32_MAX : LEAST_REST + bits_count(&world->drifting) / REST_PART;
	for (uint32_t id = bits_next(lulled, 0); id != NONE; id = bits_next(lulled, id + 1)) {
		if (!body_rehome(world, id, &most))
			return;
		bits_clear(&world->lulled_bodies, id);
	}
}

void body_drift(struct world *world, uint32_t id)
{
	uint32_t most = UINT32_MAX;
	if (!bits_has(&world->roused_bodies, id))
		return;
	body_rehome(world, id, &most);
	bits_clear(&world->roused_bodies, id);
}

static void proxy_fit(struct world *world, uint32_t id)
{
	struct proxy *proxy = &world->proxies.data[id];
	const struct collider *collider = &world->colliders.data[proxy->collider];
	struct box box;
	world->wing->proxy_box(world, id, &box);
	record_touch(world, TOUCHED_BODIES, collider->body);
	record_touch(world, TOUCHED_PROXIES, id);
	world->travels.data[collider->body].slack = 0.0f;
	proxy->box = world->bodies.data[collider->body].type == BODY_STATIC
		? box
		: box_widened(&box, collider->margin, world->wing->dimensions);
}

uint32_t proxy_create(struct world *world, uint32_t collider_id, uint32_t child)
{
	struct collider *collider = &world->colliders.data[collider_id];
	uint32_t id = ids_take(&world->proxy_ids);
	world->proxies.count = world->proxy_ids.end;
	struct proxy *proxy = &world->proxies.data[id];
	*proxy = (struct proxy){
		.collider = collider_id,
		.child = child,
		.next = collider->proxies,
		.previous = NONE,
		.leaf = NONE,
		.moved_index = NONE,
	};
	record_touch(world, TOUCHED_COLLIDERS, collider_id);
	if (collider->proxies != NONE) {
		record_touch(world, TOUCHED_PROXIES, collider->proxies);
		world->proxies.data[collider->proxies].previous = id;
	}
	proxy->home = world->wing->shape_unbounded(collider->shape) ? HOME_UNBOUNDED : (uint8_t)home_of(world, proxy);
	collider->proxies = id;
	proxy_fit(world, id);
	if (proxy_unbounded(proxy))
		array_push(&world->unbounded, id);
	else
		leaf_insert(world, id);
	proxy_moved(world, id);
	return id;
}

static void list_remove(uint32_t *list, uint32_t *count, uint32_t value)
{
	for (uint32_t i = 0; i < *count; ++i)
		if (list[i] == value) {
			list[i] = list[--*count];
			return;
		}
}

/* Removes the proxy from all but its collider's list. */
static void proxy_leave(struct world *world, uint32_t id)
{
	if (proxy_unbounded(&world->proxies.data[id]))
		list_remove(world->unbounded.data, &world->unbounded.count, id);
	else
		leaf_remove(world, id);
	proxy_forget_move(world, id);
	bits_clear(&world->enlarged_proxies, id);
	ids_give(&world->proxy_ids, id);
}

void proxy_destroy(struct world *world, uint32_t id)
{
	const struct proxy *proxy = &world->proxies.data[id];
	record_touch(world, TOUCHED_COLLIDERS, proxy->collider);
	if (proxy->previous != NONE)
		record_touch(world, TOUCHED_PROXIES, proxy->previous);
	if (proxy->next != NONE)
		record_touch(world, TOUCHED_PROXIES, proxy->next);
	if (proxy->previous != NONE)
		world->proxies.data[proxy->previous].next = proxy->next;
	else
		world->colliders.data[proxy->collider].proxies = proxy->next;
	if (proxy->next != NONE)
		world->proxies.data[proxy->next].previous = proxy->previous;
	proxy_leave(world, id);
}

void collider_remove_proxies(struct world *world, uint32_t collider_id)
{
	struct collider *collider = &world->colliders.data[collider_id];
	record_touch(world, TOUCHED_COLLIDERS, collider_id);
	for (uint32_t id = collider->proxies, next; id != NONE; id = next) {
		next = world->proxies.data[id].next;
		proxy_leave(world, id);
	}
	collider->proxies = NONE;
}

void proxy_update(struct world *world, uint32_t id)
{
	proxy_fit(world, id);
	leaf_move(world, id);
	proxy_moved(world, id);
}

void proxy_cover(struct world *world, uint32_t id, const struct box *box)
{
	struct proxy *proxy = &world->proxies.data[id];
	record_touch(world, TOUCHED_PROXIES, id);
	proxy->box = box_widened(box, world->colliders.data[proxy->collider].margin, world->wing->dimensions);
	leaf_move(world, id);
	moved_add(world, id);
}

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

enum renewal { RENEW_LEFT /* AABBs that do not contain their shapes */, RENEW_ALL, RENEW_WITH_OLD /* united with the old */ };

/* The slack of a body whose AABBs cover a path. */
static const float covers_path = -1.0f;

/* Refits the fat AABBs of the body's proxies to its pose, in the manner of `renewal`, and sets the body's slack. ahead: the
 * displacement that they shall cover, too; NULL: none. */
static void boxes_renew(struct world *world, uint32_t id, enum renewal renewal, const float *ahead)
{
	float least = INFINITY, bulge = renewal == RENEW_WITH_OLD ? world->wing->body_bulge(world, id) : 0.0f;
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			struct proxy *proxy = &world->proxies.data[p];
			struct box box;
			world->wing->proxy_box(world, p, &box);
			if (ahead != NULL)
				box = box_along(&box, ahead, world->wing->dimensions);
			float slack = proxy_unbounded(proxy) ? -1.0f : box_slack(&proxy->box, &box, world->wing->dimensions);
			if (renewal != RENEW_LEFT || slack < 0.0f) {
				struct box fat = box_widened(&box, world->colliders.data[c].margin, world->wing->dimensions);
				if (renewal == RENEW_WITH_OLD) {
					fat = box_union(&proxy->box, &fat);
					fat = box_widened(&fat, bulge, world->wing->dimensions);
				}
				slack = proxy_unbounded(proxy) ? 0.0f : box_slack(&fat, &box, world->wing->dimensions);
				proxy->box = fat;
				bits_set_shared(&world->enlarged_proxies, p);
			}
			least = min_f(least, slack);
		}
	world->travels.data[id].slack = renewal == RENEW_WITH_OLD ? covers_path : max_f(least, 0.0f);
}

/* Each call reduces the slack by a millionth or more, so that rounding loses no displacement. A body that may look ahead waits
 * for bodies_look_ahead: whether it does depends on other bodies, which change meanwhile. */
void body_update_boxes(struct world *world, uint32_t id, float delta)
{
	float *slack = &world->travels.data[id].slack;
	*slack = *slack * (1.0f - 1e-6f) - delta;
	if (!(*slack > 0.0f))
		*slack = 0.0f;
	if (body_hangs(world, id) && body_strides(world, id))
		bits_set_shared(&world->stirred_bodies, id);
	else if (*slack == 0.0f)
		boxes_renew(world, id, RENEW_LEFT, NULL);
}

void bodies_look_ahead(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t id = bits_next_before(&world->stirred_bodies, 64 * begin, end); id != NONE;
		 id = bits_next_before(&world->stirred_bodies, id + 1, end)) {
		if (!world->bodies.data[id].valid || !body_hangs(world, id))
			continue; /* the slack of static bodies is always 0 */
		float delta[3];
		bool ahead = body_path_ahead(world, id, delta);
		if (ahead || world->travels.data[id].slack == 0.0f)
			boxes_renew(world, id, RENEW_LEFT, ahead ? delta : NULL);
	}
}

void body_end_path(struct world *world, uint32_t id)
{
	if (world->travels.data[id].slack == covers_path)
		boxes_renew(world, id, RENEW_ALL, NULL);
}

void body_cover_path(struct world *world, uint32_t id)
{
	float ahead[3];
	boxes_renew(world, id, RENEW_WITH_OLD, body_path_ahead(world, id, ahead) ? ahead : NULL);
}

void body_fit_boxes(struct world *world, uint32_t id)
{
	float ahead[3];
	boxes_renew(world, id, RENEW_ALL, body_path_ahead(world, id, ahead) ? ahead : NULL);
}
