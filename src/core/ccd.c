/* ccd.c - see ccd.h. */
#include "core/ccd.h"
#include "base/jobs.h"
#include "core/linkage.h"
#include "core/pairs.h"
#include "core/pre_solve.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/speculative.h"
#include "core/sweep.h"

#include <math.h>

/* With at most MANY awake bodies per bullet, sort and sweep of all awake bodies is faster than updating their leaves in the
 * tree. Up to MANY fast kinematic bodies are compared with all drifting proxies. */
enum { MANY = 16 };

/* Bodies per block of a parallel loop. A body of many shapes takes some 2 us; most bullets have no obstacle near them. */
enum { SWEEP_GRAIN = 4, HIT_GRAIN = 16 };

/* A kinematic body's AABBs are enlarged to its whole path, on which it may hit bodies at rest. A dynamic body's AABBs are
 * refitted by its sweep, and not read before. */
void body_went_far(struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	if (world->sensor_count > 0)
		bits_set_shared(&world->passing_bodies, id);
	if (body->type != BODY_DYNAMIC)
		body_cover_path(world, id);
	bits_set_shared(body->type != BODY_DYNAMIC ? &world->fast_obstacles
			: body->bullet                     ? &world->fast_bullets
											   : &world->fast_bodies,
		id);
}

/* The workers of the sweeps: none if they may call functions of the user, which run on one thread. */
static struct jobs *sweep_jobs(const struct world *world)
{
	return world->filter == NULL && !pre_solve_asks(world) ? world->jobs : NULL;
}

struct overtaking {
	struct world *world;
	uint32_t obstacle;
};

static bool overtaken_visit(void *context, uint32_t value)
{
	const struct overtaking *overtaking = context;
	struct world *world = overtaking->world;
	uint32_t id = proxy_body(world, value);
	if (world->bodies.data[id].type == BODY_DYNAMIC && world->wing->body_overtaken(world, id, overtaking->obstacle))
		bits_set(&world->overtaken_bodies, id);
	return true;
}

/* AABB of an obstacle's whole path. False: it has no solid collider. */
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

/* Marks the dynamic bodies on the path of each fast kinematic body: they are swept, however slow they are, since it may have
 * passed through them. Where such obstacles are few, drifting proxies are tested one by one, which costs less than updating
 * their leaves in the tree. */
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
		anchored_query(world, &box, overtaken_visit, &overtaking);
		if (!few)
			tree_query(&world->trees[HOME_DRIFTING], &box, overtaken_visit, &overtaking);
		for (uint32_t p = few ? bits_next(drifting, 0) : NONE; p != NONE; p = bits_next(drifting, p + 1))
			if (box_overlaps(&box, &world->proxies.data[p].box))
				overtaken_visit(&overtaking, p);
	}
	bits_clear_all(&world->fast_obstacles);
}

/* Marks the dynamic bodies of sunk contacts as overtaken, even sleeping ones if the obstacle is awake. */
static void sunk_overtake(struct world *world)
{
	const struct bits *sunk = &world->sunk_contacts;
	const struct body *bodies = world->bodies.data;
	for (uint32_t id = bits_next(sunk, 0); id != NONE; id = bits_next(sunk, id + 1)) {
		const uint32_t *pair = world->contacts.data[id].link.bodies;
		bool awake = bodies[pair[0]].set == SET_AWAKE || bodies[pair[1]].set == SET_AWAKE;
		for (int side = 0; side < 2 && awake && !bits_has(&world->barred_contacts, id); ++side)
			if (bodies[pair[side]].type == BODY_DYNAMIC)
				bits_set(&world->overtaken_bodies, pair[side]);
	}
}

/* Marks the overtaken bodies for continuous collision. A sleeping one is marked and woken only if it would be hit, and stays
 * awake for the contact of the next step. */
static void overtaken_add(struct world *world)
{
	const struct bits *overtaken = &world->overtaken_bodies;
	for (uint32_t id = bits_next(overtaken, 0); id != NONE; id = bits_next(overtaken, id + 1)) {
		struct path_hit hit = {.t = 0.0f};
		const struct body *body = &world->bodies.data[id];
		if (body->set == SET_ASLEEP)
			body_first_hit(world, id, &hit);
		if (hit.t >= 1.0f)
			continue;
		if (body->set == SET_ASLEEP)
			bits_set(&world->restless_islands, body->island.id);
		body_wake(world, id);
		if (!bits_has(&world->fast_bullets, id) && !bits_has(&world->fast_bodies, id))
			body_went_far(world, id);
	}
}

struct obstruction {
	const struct world *world;
	const struct body_line *line; /* the path of a bullet, which most dynamic bodies stop, too; else NULL */
	bool found;
};

/* Whether a dynamic body may stop the bullet, by their bounding balls. */
static inline bool line_obstructed(const struct obstruction *obstruction, uint32_t body)
{
	const struct world *world = obstruction->world;
	if (obstruction->line == NULL || world->bodies.data[body].bullet)
		return false;
	struct body_line line = world->wing->sweep->line(world, body);
	return !lines_separated(world, obstruction->line, &line);
}

static bool obstruction_visit(void *context, uint32_t value)
{
	struct obstruction *obstruction = context;
	const struct world *world = obstruction->world;
	const struct collider *collider = &world->colliders.data[world->proxies.data[value].collider];
	const struct body *body = &world->bodies.data[collider->body];
	obstruction->found = !collider->sensor && (body->type != BODY_DYNAMIC || line_obstructed(obstruction, collider->body));
	return !obstruction->found;
}

/* Whether the path's AABB `delta` overlaps an unbounded proxy, or the fat AABB of a solid proxy of a body that may stop the
 * swept one: of a non-dynamic body, and, if that is a bullet, of a dynamic body. `line`: the path of a bullet, else NULL. */
static inline bool path_obstructed(const struct world *world, const struct box *delta, const struct body_line *line)
{
	struct obstruction obstruction = {world, line, false};
	anchored_query(world, delta, obstruction_visit, &obstruction);
	if (line != NULL && !obstruction.found)
		tree_query(&world->trees[HOME_DRIFTING], delta, obstruction_visit, &obstruction);
	for (uint32_t i = 0; i < world->unbounded.count && !obstruction.found; ++i)
		obstruction.found = world->wing->proxy_overlaps_box(world, world->unbounded.data[i], delta);
	return obstruction.found;
}

/* How the AABBs of a fast body's path are enlarged. */
struct leap {
	/* margin of a path's AABB: the bulge of its arc, and two slops for the separation kept and rounding [length] */
	float wide;
	float ahead[3]; /* displacement expected in the next step, if the body looks ahead: see speculative.h [length] */
	bool looks_ahead;
};

static inline struct leap leap_of(const struct world *world, uint32_t id)
{
	struct leap leap = {.wide = world->wing->body_bulge(world, id) + 2.0f * LINEAR_SLOP * world->settings.length_scale};
	leap.looks_ahead = body_path_ahead(world, id, leap.ahead);
	return leap;
}

/* Refits the proxy's AABB to its new pose. Returns an AABB that also covers its path. */
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

struct sweep_task {
	struct world *world;
	uint32_t begin; /* index in world->fast of the first body */
	bool bullets; /* the bodies are bullets, and stop at dynamic bodies, too */
	bool cover; /* the AABBs must cover the paths, since bullets may hit these bodies */
};

/* Refits the AABBs of the body's proxies to its new pose; with task->cover they also cover its path. Returns whether no
 * obstacle is near the path, which is usual. */
static bool path_clear(const struct sweep_task *task, uint32_t id)
{
	struct world *world = task->world;
	bool obstructed = false;
	struct leap leap = leap_of(world, id);
	struct body_line line, *bullet = NULL;
	if (task->bullets) {
		line = world->wing->sweep->line(world, id);
		bullet = &line;
	}
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			struct box delta = proxy_leap(world, p, &leap);
			obstructed = obstructed || path_obstructed(world, &delta, bullet);
			if (task->cover)
				world->proxies.data[p].box = delta;
		}
	world->travels.data[id].slack = 0.0f;
	return !obstructed;
}

/* Marks the body, which is on joints, if it would pass through an obstacle: its linkage is swept then. */
static void linked_body_test(struct world *world, uint32_t id)
{
	struct path_hit hit;
	body_first_hit(world, id, &hit);
	if (hit.t < 1.0f)
		bits_set_shared(&world->caught_bodies, id);
}

/* Sweeps bodies. No sweep reads what another body's sweep writes. */
static void sweep_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct sweep_task *task = context;
	struct world *world = task->world;
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->fast.data[task->begin + i];
		if (path_clear(task, id))
			continue;
		if (body_linked(world, id))
			linked_body_test(world, id);
		else if (body_sweep(world, id) && !task->cover)
			body_fit_boxes(world, id);
	}
}

/* Sweeps the bodies of world->fast from task->begin on, in parallel. Bodies that bounce and find no room for that are swept
 * again, alone. */
static void bodies_sweep_all(struct sweep_task *task)
{
	struct world *world = task->world;
	uint32_t count = world->fast.count - task->begin;
	world->alone = false;
	(void)array_reserve(
		world->memory, &world->impacts, atomic_load_explicit(&world->impact_count, memory_order_relaxed) + count);
	jobs_for(sweep_jobs(world), count, SWEEP_GRAIN, sweep_run, task);
	world->alone = true;
	for (uint32_t id = bits_next(&world->bouncing_bodies, 0); id != NONE; id = bits_next(&world->bouncing_bodies, id + 1))
		if (body_sweep(world, id) && !task->cover)
			body_fit_boxes(world, id);
	bits_clear_all(&world->bouncing_bodies);
}

static void fit_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	struct world *world = context;
	for (uint32_t i = begin; i < end; ++i)
		body_fit_boxes(world, world->fast.data[i]);
}

/* Sweeps the linkages of caught bodies. `cover`: see struct sweep_task. */
static void linkages_take(struct world *world, bool cover)
{
	linkages_sweep(world);
	for (uint32_t id = bits_next(&world->taken_bodies, 0); id != NONE && cover; id = bits_next(&world->taken_bodies, id + 1))
		body_cover_path(world, id);
}

/* Sets the paths of the bullets' proxies, and refits the proxies' AABBs to the new poses. */
static void leap_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct sweep_task *task = context;
	struct world *world = task->world;
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->fast.data[task->begin + i];
		struct leap leap = leap_of(world, id);
		struct bullet_path delta = {.line = world->wing->sweep->line(world, id), .body = id};
		for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
			for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
				delta.box = proxy_leap(world, p, &leap);
				world->paths.data[p] = delta;
			}
		world->travels.data[id].slack = 0.0f;
	}
}

static bool anything_visit(void *context, uint32_t value)
{
	(void)value;
	*(bool *)context = true;
	return false;
}

/* Whether no proxy that the bullet has to test is near its path: then it hits nothing. */
static bool bullet_alone(struct world *world, uint32_t id)
{
	bool obstructed = false;
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE && !obstructed; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE && !obstructed; p = world->proxies.data[p].next) {
			const struct box *delta = bullet_path(world, p);
			bullet_pairs(world, p, true, anything_visit, &obstructed);
			if (!obstructed)
				anchored_query(world, delta, anything_visit, &obstructed);
			for (uint32_t i = 0; i < world->unbounded.count && !obstructed; ++i)
				obstructed = world->wing->proxy_overlaps_box(world, world->unbounded.data[i], delta);
		}
	return !obstructed;
}

/* Finds the bullets' first impacts, before any of them is moved: those of all bullets if world->shared, else those of
 * world->asked_bullets again. */
static void first_hits_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct sweep_task *task = context;
	struct world *world = task->world;
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t id = world->fast.data[task->begin + i];
		struct path_hit *hit = &world->hits.data[world->bodies.data[id].row];
		if (world->shared && bullet_alone(world, id))
			*hit = (struct path_hit){.t = 1.0f, .carrier = NONE};
		else if (world->shared || bits_has(&world->asked_bullets, id))
			body_first_hit(world, id, hit);
	}
}

/* Marks the bullets on joints that would hit an obstacle. */
static void linked_bodies_run(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct sweep_task *task = context;
	for (uint32_t i = begin; i < end; ++i)
		linked_body_test(task->world, task->world->fast.data[task->begin + i]);
}

/* Finds all bullets' first impacts in parallel; with few bullets or no memory, world->bullets_paired stays false instead. */
static void bullets_find_hits(struct world *world, uint32_t begin)
{
	uint32_t count = world->fast.count - begin;
	struct sweep_task task = {.world = world, .begin = begin};
	if (count * MANY < world->awake.count || !array_reserve(world->memory, &world->hits, world->awake.count) ||
		!array_reserve(world->memory, &world->paths, world->proxies.count))
		return;
	jobs_for(world->jobs, count, SWEEP_GRAIN, leap_run, &task);
	proxies_refit(world);
	world->bullets_paired = world->shared = bullets_pair(world);
	if (!world->bullets_paired)
		return;
	struct jobs *jobs = sweep_jobs(world);
	jobs_for(jobs, count, HIT_GRAIN, first_hits_run, &task);
	world->shared = false;
	if (bits_next(&world->asked_bullets, 0) != NONE)
		jobs_for(jobs, count, HIT_GRAIN, first_hits_run, &task);
	bits_clear_all(&world->asked_bullets);
}

/* Sweeps the bullets on joints first, so that the other bullets are tested against the final paths of these. */
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
	struct sweep_task task = {.world = world, .begin = begin};
	jobs_for(sweep_jobs(world), world->fast.count - begin, HIT_GRAIN, linked_bodies_run, &task);
	linkages_take(world, true);
	for (uint32_t i = begin; i < world->fast.count; ++i)
		bits_clear(&world->fast_bullets, world->fast.data[i]);
}

/* Whether some of the bullets in world->fast, from index `begin` on, may hit each other: if the world's setting says so, or if
 * one is no bullet but for this step, see linkages_sweep. */
static bool bullets_meet(const struct world *world, uint32_t begin)
{
	bool all = true;
	for (uint32_t i = begin; i < world->fast.count; ++i)
		all = all && world->bodies.data[world->fast.data[i]].bullet;
	return world->settings.bullets_hit_bullets || !all;
}

/* Sweeps bullets that ignore each other, in parallel. Their leaves are not brought up to date: no bullet searches for them, and
 * the sweep refits their AABBs. */
static void bullets_sweep_apart(struct world *world, uint32_t begin)
{
	proxies_refit(world);
	for (uint32_t i = begin; i < world->fast.count; ++i) {
		uint32_t id = world->fast.data[i];
		body_drift(world, id); /* its sweep changes its AABBs; others read those of resting proxies meanwhile */
		for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
			for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next)
				bits_clear(&world->stale, p);
	}
	proxies_settle(world);
	bodies_sweep_all(&(struct sweep_task){.world = world, .begin = begin, .bullets = true});
	world->fast.count = begin;
}

/* Sweeps bullets in id order: each is tested against the final paths of earlier ones. Only bullets are tested against drifting
 * bodies. */
static void bullets_sweep_in_turn(struct world *world, uint32_t begin)
{
	uint32_t *list = world->fast.data;
	world->bullets_meet = true;
	bullets_find_hits(world, begin);
	for (uint32_t i = begin; i < world->fast.count && !world->bullets_paired; ++i)
		body_cover_path(world, list[i]);
	proxies_refit(world);
	uint32_t moved = begin;
	for (uint32_t i = begin; i < world->fast.count; ++i) {
		const struct path_hit *hit = world->bullets_paired ? &world->hits.data[world->bodies.data[list[i]].row] : NULL;
		bool goes = hit != NULL && hit->t >= 1.0f && !hit->touched;
		if (!goes && body_sweep(world, list[i]) && world->bullets_paired)
			bullet_moved(world, list[i]);
		if ((hit == NULL || hit->moved) && !bits_has(&world->fast_bodies, list[i]))
			list[moved++] = list[i];
	}
	world->fast.count = moved; /* bullets whose AABBs have to be refitted */
	world->bullets_meet = world->bullets_paired = false;
}

static void bullets_sweep(struct world *world)
{
	const struct bits *bullets = &world->fast_bullets;
	linked_bullets_sweep(world);
	uint32_t begin = world->fast.count;
	for (uint32_t id = bits_next(bullets, 0); id != NONE; id = bits_next(bullets, id + 1))
		array_push(&world->fast, id);
	if (bullets_meet(world, begin))
		bullets_sweep_in_turn(world, begin);
	else
		bullets_sweep_apart(world, begin);
	bits_clear_all(&world->fast_bullets);
}

bool bodies_to_sweep(const struct world *world)
{
	return bits_next(&world->fast_bodies, 0) != NONE || bits_next(&world->fast_bullets, 0) != NONE ||
		bits_next(&world->fast_obstacles, 0) != NONE || bits_next(&world->sunk_contacts, 0) != NONE;
}

void bodies_sweep(struct world *world)
{
	struct bits *fast = &world->fast_bodies;
	if (world->settings.continuous) {
		obstacles_overtake(world);
		sunk_overtake(world);
		overtaken_add(world);
	}
	bool bullets = bits_next(&world->fast_bullets, 0) != NONE;
	world->fast.count = 0;
	for (uint32_t id = bits_next(fast, 0); id != NONE; id = bits_next(fast, id + 1)) {
		body_drift(world, id); /* its sweep changes its AABBs; others read those of resting proxies meanwhile */
		array_push(&world->fast, id);
	}
	bodies_sweep_all(&(struct sweep_task){.world = world, .cover = bullets});
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
	impacts_report(world);
}
