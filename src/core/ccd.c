/* ccd.c - see ccd.h. */
#include "core/ccd.h"
#include "core/filter.h"
#include "core/impact.h"
#include "base/jobs.h"
#include "core/linkage.h"
#include "core/pairs.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/speculative.h"

#include <math.h>

/* Where so many awake bodies come on a bullet or fewer, it is quicker to sort all of them than to give each its place in the
 * tree; and so many obstacles at most are compared with all. */
enum { MANY = 16 };

/* Bodies; those of many shapes take some 2 us each. Most bullets have nothing near their ways. */
enum { SWEEP_GRAIN = 4, LOOK_GRAIN = 16 };

/* Whatever stands still finds a kinematic body wherever it was; of the others nobody asks for their boxes before they are
 * swept. */
void body_went_far(struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	if (body->type != BODY_DYNAMIC)
		body_cover_path(world, id);
	bits_set_shared(body->type != BODY_DYNAMIC ? &world->fast_obstacles
			: body->bullet                     ? &world->fast_bullets
											   : &world->fast_bodies,
		id);
}

struct overtaking {
	struct world *world;
	uint32_t obstacle;
};

static bool overtaken_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	const struct overtaking *overtaking = context;
	struct world *world = overtaking->world;
	uint32_t id = world->colliders.data[world->proxies.data[value].collider].body;
	if (world->bodies.data[id].type == BODY_DYNAMIC && world->wing->body_overtaken(world, id, overtaking->obstacle))
		bits_set(&world->overtaken_bodies, id);
	return true;
}

/* Around the whole way of an obstacle. False: it has nothing to meet. */
static bool obstacle_box(const struct world *world, uint32_t id, struct box *box)
{
	bool any = false;
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE && !world->colliders.data[c].sensor;
			 p = world->proxies.data[p].next) {
			*box = any ? box_union(box, &world->proxies.data[p].box) : world->proxies.data[p].box;
			any = true;
		}
	return any;
}

/* Bodies on the way of a kinematic one are swept, however slow they are: they may stand behind it by now. Those that drift are
 * looked at one by one where the obstacles are few: it costs less than to give each its place in the tree. */
static void obstacles_overtake(struct world *world)
{
	const struct bits *obstacles = &world->fast_obstacles, *drifting = &world->drifting;
	bool few = bits_count(obstacles) <= MANY;
	if (bits_next(obstacles, 0) == NONE)
		return;
	if (!few)
		proxies_settle(world);
	for (uint32_t id = bits_next(obstacles, 0); id != NONE; id = bits_next(obstacles, id + 1)) {
		struct overtaking overtaking = {world, id};
		struct box box;
		if (!obstacle_box(world, id, &box))
			continue;
		tree_query(&world->trees[0], &box, overtaken_visit, &overtaking);
		if (!few)
			tree_query(&world->trees[1], &box, overtaken_visit, &overtaking);
		for (uint32_t p = few ? bits_next(drifting, 0) : NONE; p != NONE; p = bits_next(drifting, p + 1))
			if (box_overlaps(&box, &world->proxies.data[p].box))
				overtaken_visit(&overtaking, NONE, p);
	}
	bits_clear_all(&world->fast_obstacles);
}

/* Sunk bodies are swept, too, also those that sleep while the obstacle moves. */
static void sunk_overtake(struct world *world)
{
	const struct bits *sunk = &world->sunk_contacts;
	const struct body *bodies = world->bodies.data;
	for (uint32_t id = bits_next(sunk, 0); id != NONE; id = bits_next(sunk, id + 1)) {
		const uint32_t *pair = world->contacts.data[id].link.bodies;
		bool awake = bodies[pair[0]].set == SET_AWAKE || bodies[pair[1]].set == SET_AWAKE;
		for (int side = 0; side < 2 && awake; ++side)
			if (bodies[pair[side]].type == BODY_DYNAMIC)
				bits_set(&world->overtaken_bodies, pair[side]);
	}
}

/* A sleeping body wakes where the obstacle would hit it, and stays awake for the contact of the next step. */
static void overtaken_add(struct world *world)
{
	const struct bits *overtaken = &world->overtaken_bodies;
	for (uint32_t id = bits_next(overtaken, 0); id != NONE; id = bits_next(overtaken, id + 1)) {
		struct path_hit hit = {.t = 0.0f};
		const struct body *body = &world->bodies.data[id];
		if (body->set == SET_ASLEEP)
			world->wing->body_look(world, id, &hit);
		if (hit.t >= 1.0f)
			continue;
		if (body->set == SET_ASLEEP)
			bits_set(&world->restless_islands, body->island);
		body_wake(world, id);
		if (!bits_has(&world->fast_bullets, id) && !bits_has(&world->fast_bodies, id))
			body_went_far(world, id);
	}
}

struct obstruction {
	const struct world *world;
	bool found;
};

static bool obstruction_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct obstruction *obstruction = context;
	const struct world *world = obstruction->world;
	const struct collider *collider = &world->colliders.data[world->proxies.data[value].collider];
	obstruction->found = !collider->sensor && world->bodies.data[collider->body].type != BODY_DYNAMIC;
	return !obstruction->found;
}

/* Whether anything that stops a body which is no bullet stands near the box around its way. */
static inline bool path_obstructed(const struct world *world, const struct box *delta)
{
	struct obstruction obstruction = {world, false};
	tree_query(&world->trees[0], delta, obstruction_visit, &obstruction);
	for (uint32_t i = 0; i < world->unbounded.count && !obstruction.found; ++i)
		obstruction.found = world->wing->proxy_overlaps_box(world, world->unbounded.data[i], delta);
	return obstruction.found;
}

/* A fast body's way, as far as its boxes depend on it. */
struct leap {
	/* what is added on all sides to one around its way: two slops hold the gap that it keeps, and all rounding [length] */
	float wide;
	float ahead[3];
	bool looks_ahead;
};

static inline struct leap leap_of(const struct world *world, uint32_t id)
{
	struct leap leap = {.wide = world->wing->body_bulge(world, id) + 2.0f * LINEAR_SLOP * world->settings.length_scale};
	leap.looks_ahead = body_path_ahead(world, id, leap.ahead);
	return leap;
}

/* Gives the proxy a box where it stands now. Returns one that also covers its way there. */
static inline struct box proxy_leap(struct world *world, uint32_t p, const struct leap *leap)
{
	struct proxy *proxy = &world->proxies.data[p];
	struct box box;
	world->wing->proxy_box(world, p, &box);
	box = box_widened(&box, world->colliders.data[proxy->collider].margin, world->wing->dimensions);
	if (leap->looks_ahead)
		box = box_along(&box, leap->ahead, world->wing->dimensions);
	struct box delta = box_union(&proxy->box, &box);
	proxy->box = box;
	bits_set_shared(&world->enlarged_proxies, p);
	return box_widened(&delta, leap->wide, world->wing->dimensions);
}

/* Gives the body's proxies boxes where it stands now, which also cover its way there if `cover`. Returns whether nothing is
 * near that way, as nearly everywhere. */
static bool way_clear(struct world *world, uint32_t id, bool cover)
{
	bool obstructed = false;
	struct leap leap = leap_of(world, id);
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			struct box delta = proxy_leap(world, p, &leap);
			obstructed = obstructed || path_obstructed(world, &delta);
			if (cover)
				world->proxies.data[p].box = delta;
		}
	world->bodies.data[id].slack = 0.0f;
	return !obstructed;
}

/* Whether a body on joints would pass through something: then its linkage is swept. */
static void link_look(struct world *world, uint32_t id)
{
	struct path_hit hit;
	world->wing->body_look(world, id, &hit);
	if (hit.t < 1.0f)
		bits_set_shared(&world->caught_bodies, id);
}

struct sweep_task {
	struct world *world;
	bool cover; /* for bullets that may meet them on their ways */
};

/* They look at nothing that another one's sweep would move. */
static void sweep_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct sweep_task *task = context;
	struct world *world = task->world;
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->fast.data[i];
		if (way_clear(world, id, task->cover))
			continue;
		if (body_linked(world, id))
			link_look(world, id);
		else if (world->wing->body_sweep(world, id) && !task->cover)
			body_fit_boxes(world, id);
	}
}

static void fit_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	struct world *world = context;
	for (uint32_t i = begin; i < end; ++i)
		body_fit_boxes(world, world->fast.data[i]);
}

/* Sweeps the linkages that were caught, if any. `cover`: bullets may meet them on their ways. */
static void linkages_take(struct world *world, bool cover)
{
	linkages_sweep(world);
	for (uint32_t id = bits_next(&world->taken_bodies, 0); id != NONE && cover; id = bits_next(&world->taken_bodies, id + 1))
		body_cover_path(world, id);
}

struct bullets_task {
	struct world *world;
	uint32_t begin; /* of the bullets in the list */
};

/* The ways of bullets. */
static void leap_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct bullets_task *task = context;
	struct world *world = task->world;
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->fast.data[task->begin + i];
		struct leap leap = leap_of(world, id);
		struct bullet_path delta;
		world->wing->body_goes(world, id, &delta);
		for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
			for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
				delta.box = proxy_leap(world, p, &leap);
				world->paths.data[p] = delta;
			}
		world->bodies.data[id].slack = 0.0f;
	}
}

static bool anything_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	(void)value;
	*(bool *)context = true;
	return false;
}

/* Whether nothing is near the whole way of a bullet: it needs no look then. */
static bool bullet_alone(struct world *world, uint32_t id)
{
	bool met = false;
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE && !met; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE && !met; p = world->proxies.data[p].next) {
			const struct box *delta = bullet_path(world, p);
			bullet_pairs(world, p, true, anything_visit, &met);
			if (!met)
				tree_query(&world->trees[0], delta, anything_visit, &met);
			for (uint32_t i = 0; i < world->unbounded.count && !met; ++i)
				met = world->wing->proxy_overlaps_box(world, world->unbounded.data[i], delta);
		}
	return !met;
}

/* Looks at the bullets' ways, while all others go as they did before the first bullet was moved: at all of them, then again at
 * those that are asked. */
static void look_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct bullets_task *task = context;
	struct world *world = task->world;
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->fast.data[task->begin + i];
		struct path_hit *hit = &world->hits.data[world->bodies.data[id].row];
		if (world->shared && bullet_alone(world, id))
			*hit = (struct path_hit){.t = 1.0f, .carrier = NONE};
		else if (world->shared || bits_has(&world->asked_bullets, id))
			world->wing->body_look(world, id, hit);
	}
}

/* Those on joints. */
static void links_look_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct bullets_task *task = context;
	for (uint32_t i = begin; i < end; ++i)
		link_look(task->world, task->world->fast.data[task->begin + i]);
}

/* Looks at the ways of all bullets, where it pays and there is memory. */
static void bullets_look(struct world *world, uint32_t begin)
{
	uint32_t count = world->fast.count - begin;
	struct bullets_task task = {world, begin};
	if (count * MANY < world->awake.count || !array_reserve(world->memory, &world->hits, world->awake.count) ||
		!array_reserve(world->memory, &world->paths, world->proxies.count))
		return;
	jobs_for(world->jobs, count, SWEEP_GRAIN, leap_run, &task);
	proxies_refit(world);
	world->looked = world->shared = bullets_pair(world);
	if (!world->looked)
		return;
	struct jobs *jobs = world->filter == NULL ? world->jobs : NULL;
	jobs_for(jobs, count, LOOK_GRAIN, look_run, &task);
	world->shared = false;
	if (bits_next(&world->asked_bullets, 0) != NONE)
		jobs_for(jobs, count, LOOK_GRAIN, look_run, &task);
	bits_clear_all(&world->asked_bullets);
}

/* Bullets on joints, before all others, which meet what these leave. */
static void linked_bullets_sweep(struct world *world)
{
	uint32_t begin = world->fast.count;
	for (uint32_t id = bits_next(&world->fast_bullets, 0); id != NONE; id = bits_next(&world->fast_bullets, id + 1))
		if (body_linked(world, id)) {
			body_cover_path(world, id);
			array_push(&world->fast, id);
		}
	if (world->fast.count == begin)
		return;
	proxies_refit(world);
	proxies_settle(world);
	struct bullets_task task = {world, begin};
	jobs_for(world->filter == NULL ? world->jobs : NULL, world->fast.count - begin, LOOK_GRAIN, links_look_run, &task);
	linkages_take(world, true);
	for (uint32_t i = begin; i < world->fast.count; ++i)
		bits_clear(&world->fast_bullets, world->fast.data[i]);
}

/* Bullets, in the order of their ids: each stops at what it would hit, wherever that has been stopped itself. Only they look
 * for what drifts. */
static void bullets_sweep(struct world *world)
{
	const struct bits *bullets = &world->fast_bullets;
	linked_bullets_sweep(world);
	uint32_t begin = world->fast.count, *list = world->fast.data;
	for (uint32_t id = bits_next(bullets, 0); id != NONE; id = bits_next(bullets, id + 1))
		array_push(&world->fast, id);
	bullets_look(world, begin);
	for (uint32_t i = begin; i < world->fast.count && !world->looked; ++i)
		body_cover_path(world, list[i]);
	proxies_refit(world);
	uint32_t moved = begin;
	for (uint32_t i = begin; i < world->fast.count; ++i) {
		const struct path_hit *hit = world->looked ? &world->hits.data[world->bodies.data[list[i]].row] : NULL;
		bool goes = hit != NULL && hit->t >= 1.0f && !hit->touched;
		if (!goes && world->wing->body_sweep(world, list[i]) && world->looked)
			bullet_moved(world, list[i]);
		if ((hit == NULL || hit->moved) && !bits_has(&world->fast_bodies, list[i]))
			list[moved++] = list[i];
	}
	world->fast.count = moved; /* all whose boxes are to be found again */
	world->looked = false;
	bits_clear_all(&world->fast_bullets);
}

/* A filter is not to be called by several threads. */
void bodies_sweep(struct world *world)
{
	struct bits *fast = &world->fast_bodies;
	if (world->settings.continuous) {
		obstacles_overtake(world);
		sunk_overtake(world);
		overtaken_add(world);
	}
	bool bullets = bits_next(&world->fast_bullets, 0) != NONE;
	world->alone = world->untold = false;
	world->fast.count = 0;
	for (uint32_t id = bits_next(fast, 0); id != NONE; id = bits_next(fast, id + 1))
		array_push(&world->fast, id);
	(void)array_reserve(world->memory, &world->impacts, world->fast.count); /* without room they are swept again, alone */
	jobs_for(world->filter == NULL ? world->jobs : NULL, world->fast.count, SWEEP_GRAIN, sweep_run,
		&(struct sweep_task){world, bullets});
	world->alone = true;
	for (uint32_t id = bits_next(&world->bouncing_bodies, 0); id != NONE; id = bits_next(&world->bouncing_bodies, id + 1))
		if (world->wing->body_sweep(world, id) && !bullets)
			body_fit_boxes(world, id);
	bits_clear_all(&world->bouncing_bodies);
	linkages_take(world, bullets);
	if (bullets) {
		bullets_sweep(world);
		jobs_for(world->jobs, world->fast.count, SWEEP_GRAIN, fit_run, world);
	}
	for (uint32_t id = bits_next(&world->taken_bodies, 0); id != NONE; id = bits_next(&world->taken_bodies, id + 1))
		body_fit_boxes(world, id);
	bits_clear_all(&world->taken_bodies);
	bits_clear_all(fast);
	bits_clear_all(&world->overtaken_bodies);
	impacts_tell(world);
}

bool sweep_allowed(const struct world *world, uint32_t proxy, uint32_t other)
{
	uint32_t a = world->proxies.data[other].collider, b = world->proxies.data[proxy].collider;
	if (world->colliders.data[a].sensor || !filter_allows(world, &world->colliders.data[a], &world->colliders.data[b]))
		return false;
	return world->filter == NULL || pairset_has(&world->pairs, proxy, other) || world->filter(world->filter_context, a, b);
}
