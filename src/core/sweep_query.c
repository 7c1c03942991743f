/* sweep_query.c - the first impact of a swept body on its path. See sweep.c. */
#include "core/sweep.h"
#include "core/filter.h"
#include "core/pairs.h"
#include "core/pre_solve.h"
#include "core/proxy.h"

#include <math.h>
#include <string.h>

/* --- Hits ----------------------------------------------------------------------------------------------------------------- */

/* Upper bound on the deviation of the swept body's centre of mass from a straight path in the frame of a rotating obstacle
 * [length]: 1/8 of its greatest acceleration there, which is the centrifugal |w|^2 |p| plus the Coriolis 2 |w| |v|, in units of
 * the part's duration. */
static double arc_of(const struct sweep *seen, const struct sweep *obstacle)
{
	double w = (double)sweep_angle(obstacle);
	if (w == 0.0)
		return 0.0;
	struct vec3 start = vec3_sub(seen->from, obstacle->from), end = vec3_sub(seen->to, obstacle->to);
	double far = max_d(vec3_length(start), vec3_length(end));
	return 0.125 * (w * w * far + 2.0 * w * vec3_length(vec3_sub(end, start)));
}

/* Reduces the path to its part between two times. */
static void path_cut(const struct sweep_wing *wing, struct sweep *path, float from, float until)
{
	struct center_pose start = wing->center_pose(path, from);
	struct vec3 begin = sweep_center(path, from), end = sweep_center(path, until);
	path->from = begin;
	path->to = end;
	memcpy(path->q0, start.turn, sizeof path->q0);
	for (int i = 0; i < 3; ++i)
		path->turn[i] *= until - from;
}

void sweep_see(struct sweep_query *query)
{
	bool carries = query->obstacle == query->carrier && !query->bent;
	float until = carries ? query->from : query->until;
	query->seen = carries ? &query->relative : &query->sweep;
	query->path = query->wing->path(query->world, query->obstacle);
	query->path_moves = sweep_moves(&query->path);
	if (query->path_moves && (query->from > 0.0f || until < 1.0f))
		path_cut(query->wing, &query->path, query->from, until);
	query->arc = arc_of(query->seen, &query->path);
	query->behind = false;
}

/* Whether the body does not approach the obstacle along this normal: neither of them rotates, and the body moves along the
 * surface or away from it. */
static bool goes_along(const struct sweep_query *query, struct vec3 normal)
{
	const struct sweep *seen = query->seen, *path = &query->path;
	struct vec3 moves = vec3_sub(vec3_sub(seen->to, seen->from), vec3_sub(path->to, path->from));
	return sweep_angle(seen) == 0.0f && sweep_angle(path) == 0.0f &&
		vec3_dot(moves, normal) >= -PATH_ROUNDING * (double)query->target;
}

bool sweep_from_front(const struct sweep_query *query, float t, struct vec3 normal)
{
	if (!query->behind)
		return true;
	struct frame3 frame = query->wing->frame(&query->path, t);
	return vec3_dot(normal, frame3_out(&frame, query->front)) > 0.0;
}

/* Whether the hit stops the body, by one_way.h and the user. The point is where the line from the centre of mass along the
 * normal leaves the body's shape. */
static bool hit_stops(const struct sweep_query *query, float t, struct vec3 normal)
{
	struct world *world = query->world;
	if (!pre_solve_decides(world))
		return true;
	float towards[3];
	vec3_narrow(vec3_scale(-1.0, normal), towards);
	float reach = world->wing->proxy_reach(world, query->proxy, towards);
	struct vec3 center = sweep_center(query->seen, t);
	struct vec3 point = vec3_mul_add(center, reach < INFINITY ? -(double)reach : 0.0, normal);
	return pre_solve_stops(world, (const uint32_t[]){query->proxy, query->other}, point, normal);
}

void sweep_hit(struct sweep_query *query, float t, struct vec3 normal, bool deep, bool turns)
{
	if (t >= query->t || goes_along(query, normal) || !sweep_from_front(query, t, normal) || !hit_stops(query, t, normal))
		return;
	struct frame3 frame = query->wing->frame(&query->path, t);
	struct vec3 center = vec3_mul_add(vec3_sub(sweep_center(query->seen, t), frame.origin), query->lift, normal);
	query->t = t;
	query->first = (struct surface_hit){
		query->obstacle, {query->proxy, query->other}, frame3_in(&frame, normal), frame3_in(&frame, center), false};
	query->turns = turns;
	query->deep = deep;
}

/* --- Bounding balls ------------------------------------------------------------------------------------------------------- */

/* Position and displacement of the swept body's centre of mass relative to a dynamic body's. */
struct approach {
	struct vec3 p, v;
};

/* The approach from query->from to `until`, while the swept body moves from `here` to `there`. */
static struct approach approach_of(
	const struct sweep_query *query, const struct body_line *line, struct vec3 here, struct vec3 there, float until)
{
	struct vec3 p = vec3_sub(here, vec3_mul_add(line->from, (double)query->from, line->delta));
	return (struct approach){p, vec3_sub(vec3_sub(there, here), vec3_scale((double)(until - query->from), line->delta))};
}

static double square_of(struct vec3 a)
{
	return vec3_dot(a, a);
}

/* The distance by which a body may move relative to a dynamic one without passing through it [length]: half of `inner`, the
 * smaller of both bodies' inner radii, as for slow bodies; only STAYS slops for an overtaken or sunk body. */
static double free_path(const struct world *world, uint32_t id, double inner)
{
	double least = (double)(STAYS * LINEAR_SLOP * world->settings.length_scale);
	return bits_has(&world->overtaken_bodies, id) ? least : max_d(least, 0.5 * inner);
}

/* Whether the swept body, relative to a dynamic body, stays so near to its position when the step began that the two cannot
 * pass through each other. */
static bool moves_little(
	const struct sweep_query *query, uint32_t body, const struct body_line *line, const struct approach *approach)
{
	double most = free_path(query->world, query->id, (double)min_f(query->inner, line->inner));
	double square = square_of(approach->v), turn = query->wing->turn_bound(query->world, body) * (double)line->outer;
	double own = query->posed ? (double)sweep_angle(&query->sweep) : query->wing->turn_bound(query->world, query->id);
	if (square > most * most || sqrt(square) + own * (double)query->extent + turn > most)
		return false;
	struct vec3 begin = vec3_sub(query->wing->line(query->world, query->id).from, line->from);
	return vec3_length(vec3_sub(approach->p, begin)) <= most &&
		vec3_length(vec3_sub(vec3_add(approach->p, approach->v), begin)) <= most;
}

/* Whether the swept body cannot hit `body`. It cannot hit its carrier if it moves too little relative to it. It cannot hit a
 * dynamic body if their bounding balls stay apart while both centres of mass move straight, or if the two move too little. */
static bool balls_pass(const struct sweep_query *query, uint32_t body)
{
	if (body == query->carrier)
		return vec3_length(vec3_sub(query->relative.to, query->relative.from)) <= (double)(STAYS * query->target);
	if (query->world->bodies.data[body].type != BODY_DYNAMIC)
		return false;
	struct body_line line = query->wing->line(query->world, body);
	struct approach approach = approach_of(query, &line, query->sweep.from, query->sweep.to, query->until);
	double reach = (double)(query->extent + line.outer + 2.0f * query->target);
	return square_of(vec3_nearest(approach.p, approach.v)) > reach * reach || moves_little(query, body, &line, &approach);
}

/* The rest of the path of a body that its carrier takes along an arc. */
struct arc {
	const struct sweep_query *query;
	struct vec3 here, there;
	double reach; /* a body farther from the straight path cannot be hit [length] */
	bool clear;
};

static bool arc_visit(void *context, uint32_t value)
{
	struct arc *arc = context;
	const struct world *world = arc->query->world;
	uint32_t body = proxy_body(world, value);
	if (body == arc->query->id || body == arc->query->carrier || bullets_ignore(world, arc->query->id, body))
		return true;
	struct body_line line = world->wing->sweep->line(world, body);
	struct approach approach = approach_of(arc->query, &line, arc->here, arc->there, 1.0f);
	double reach = arc->reach + (double)line.outer;
	arc->clear =
		world->bodies.data[body].type == BODY_DYNAMIC && square_of(vec3_nearest(approach.p, approach.v)) > reach * reach;
	return arc->clear;
}

bool arc_clear(const struct sweep_query *query, struct vec3 here, struct vec3 there, double angle, double distance)
{
	struct world *world = query->world;
	double part = min_d(0.5 * (1.0 - (double)query->from) * abs_d(angle), SCALAR_PI);
	/* the arc's height over its chord; the diameter for a whole turn */
	double height = distance * (1.0 - (double)scalar_cos_sin(part).cosine);
	struct arc arc = {query, here, there, height + (double)(query->extent + 2.0f * query->target), true};
	struct box_d box = {
		{min_d(here.x, there.x), min_d(here.y, there.y), min_d(here.z, there.z)},
		{max_d(here.x, there.x), max_d(here.y, there.y), max_d(here.z, there.z)},
	};
	struct box around = box_around_d(&box, arc.reach, world->wing->dimensions);
	anchored_query(world, &around, arc_visit, &arc);
	for (uint32_t i = 0; i < world->unbounded.count && arc.clear; ++i)
		arc.clear = !world->wing->proxy_overlaps_box(world, world->unbounded.data[i], &around);
	if (arc.clear && query->bullet)
		bullet_query(world, &around, arc_visit, &arc);
	return arc.clear;
}

/* --- Pairs of proxies ----------------------------------------------------------------------------------------------------- */

/* Whether `other` is no sensor and the two colliders may collide by filter_allows, the user's filter, which has accepted pairs
 * with a contact already, and the decision in this step. */
static bool sweep_allowed(const struct world *world, uint32_t proxy, uint32_t other)
{
	uint32_t a = world->proxies.data[other].collider, b = world->proxies.data[proxy].collider;
	if (world->colliders.data[a].sensor || !filter_allows(world, &world->colliders.data[a], &world->colliders.data[b]))
		return false;
	if (world->filter != NULL && !pairset_has(&world->pairs, proxy, other) && !world->filter(world->filter_context, a, b))
		return false;
	return !pre_solve_decides(world) || !pre_solve_bars(world, (const uint32_t[]){proxy, other});
}

/* Whether `other`, a proxy of `body`, can stop the swept body: dynamic bodies stop only bullets that are not crowded. */
static bool can_stop(const struct sweep_query *query, uint32_t other, uint32_t body)
{
	return body != query->ignored && !bullets_ignore(query->world, query->id, body) &&
		(query->world->bodies.data[body].type != BODY_DYNAMIC || (query->bullet && !query->crowded)) &&
		sweep_allowed(query->world, query->proxy, other);
}

/* Lowers query->near_obstacle and query->near to the distance from the obstacle, if it is at rest. */
static void pair_measure(struct sweep_query *query)
{
	bool first = query->obstacle == query->first.body;
	if ((!first && !query->wing->slides_by_nearest) || !can_stop(query, query->other, query->obstacle))
		return;
	query->path = query->wing->path(query->world, query->obstacle);
	query->path_moves = sweep_moves(&query->path);
	if (query->path_moves)
		return;
	query->seen = &query->sweep;
	query->arc = 0.0;
	struct vec3 normal;
	float distance = query->wing->distance(query, &normal);
	if (first && distance < query->near_obstacle) {
		query->near_obstacle = distance;
		query->obstacle_normal = normal;
	}
	if (query->wing->slides_by_nearest && distance < query->near) {
		query->near = distance;
		query->near_normal = normal;
	}
}

/* Tests the path against a proxy near it. */
static void pair_test(struct sweep_query *query, uint32_t other)
{
	query->other = other;
	query->obstacle = proxy_body(query->world, other);
	if (query->measures)
		pair_measure(query);
	else if ((query->hit_count == 0 || !balls_pass(query, query->obstacle)) && can_stop(query, other, query->obstacle))
		query->wing->against(query);
}

/* --- Search of the trees -------------------------------------------------------------------------------------------------- */

/* Prepares the proxy if that is still to be done. False: the proxy is slow. */
static bool path_prepare(struct sweep_query *query)
{
	if (!query->prepared)
		query->wing->prepare(query);
	query->prepared = true;
	return !query->slow;
}

static bool standing_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	if (!path_prepare(query))
		return false;
	if (query->wing->near(query, value))
		pair_test(query, value);
	return true;
}

/* For bullets: bullet_query has tested the AABBs. Jointed bodies may have moved since their paths' AABBs were made. */
static bool near_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	uint32_t body = proxy_body(query->world, value);
	if (bullets_ignore(query->world, query->id, body))
		return true;
	if (query->hit_count > 0 || query->jointed || !balls_pass(query, body))
		pair_test(query, value);
	return true;
}

/* Whether bullet `body` must be tested against the body `other` once more after bullets have been moved. Against a moved bullet
 * it must, unless `body` carries that bullet until the end of the step; against any other body, unless `again`. */
static bool bullet_stands_in(const struct world *world, uint32_t other, uint32_t body, bool again)
{
	const struct path_hit *hit =
		bits_has(&world->fast_bullets, other) ? &world->hits.data[world->bodies.data[other].row] : NULL;
	return hit != NULL && hit->moved ? hit->carrier != body : !again;
}

/* For proxies near a bullet's whole path. */
static bool bullet_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	uint32_t body = proxy_body(query->world, value);
	if (balls_pass(query, body) || (query->later && !bullet_stands_in(query->world, body, query->id, query->again)))
		return true;
	if (path_prepare(query))
		pair_test(query, value);
	return true;
}

/* Asks the other bullet to test the pair. */
static bool ask_visit(void *context, uint32_t value)
{
	const struct sweep_query *query = context;
	bullet_ask(query->world, query->id, proxy_body(query->world, value));
	return true;
}

/* Tests the proxy against the static and resting proxies near its path, and unbounded ones. */
static void standing_test(struct sweep_query *query, const struct box *around)
{
	const struct wing *wing = query->world->wing;
	const struct world *world = query->world;
	anchored_query(world, around, standing_visit, query);
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		uint32_t other = world->unbounded.data[i];
		if (wing->proxy_overlaps_box(world, other, around) && path_prepare(query) &&
			wing->proxy_overlaps_box(world, other, query->wing->box(query)))
			pair_test(query, other);
	}
}

static void proxy_sweep(struct sweep_query *query, uint32_t proxy)
{
	/* jointed bodies may have moved since their paths' AABBs were made */
	bool whole = query->world->bullets_meet && query->bullet && query->hit_count == 0 && !query->jointed;
	query->proxy = proxy;
	query->prepared = query->slow = false;
	if (!whole && !path_prepare(query))
		return;
	if (!whole || !query->again)
		standing_test(query, whole ? bullet_path(query->world, proxy) : query->wing->around(query));
	if (whole)
		bullet_pairs(query->world, proxy, query->shared, bullet_visit, query);
	else if (query->bullet)
		bullet_query(query->world, query->wing->box(query), near_visit, query);
	if (query->shared && query->slow)
		bullet_pairs(query->world, proxy, true, ask_visit, query);
}

void colliders_sweep(struct sweep_query *query)
{
	const struct world *world = query->world;
	query->posed = false;
	for (uint32_t c = world->bodies.data[query->id].colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		for (uint32_t p = collider->proxies; p != NONE && !collider->sensor; p = world->proxies.data[p].next)
			if (!proxy_unbounded(&world->proxies.data[p]) && world->wing->sweep->proxy_swept(world, p))
				proxy_sweep(query, p);
			else if (query->shared)
				bullet_pairs(query->world, p, true, ask_visit, query);
	}
}
