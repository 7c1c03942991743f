/* sweep.c - continuous collision: a body that moved far in one step is taken back to its first impact. From there, for the rest
 * of the step, it bounces, a moving obstacle carries it along, or it slides along an obstacle at rest. Unless it bounces it
 * keeps its velocity, so that the contact of the next step can stop or reflect it. Static and kinematic obstacles stop all
 * bodies, dynamic ones only bullets.
 * Source: Catto, "Continuous Collision", GDC 2013. */
#include "core/sweep.h"
#include "core/link.h"

#include <string.h>

/* Maximum number of parts of the path after LAST_IMPACT impacts: an arc has up to 16. */
enum { PARTS = 24 };

static const struct vec3 none = {0.0, 0.0, 0.0};
static const float no_turn[3];

/* --- Surfaces that the body has hit --------------------------------------------------------------------------------------- */

static struct frame3 frame_at(const struct world *world, uint32_t body, float time)
{
	struct sweep path = world->wing->sweep->path(world, body);
	return world->wing->sweep->frame(&path, time);
}

static uint8_t type_of(const struct sweep_query *query, uint32_t body)
{
	return query->world->bodies.data[body].type;
}

/* Whether the body must stay in front of the hit surface. If crowded, it must for each non-dynamic obstacle; else for each that
 * it did not bounce off. */
static bool hit_holds(const struct sweep_query *query, const struct surface_hit *hit)
{
	return query->crowded ? type_of(query, hit->body) != BODY_DYNAMIC : !hit->bounced;
}

/* Moves *center, the body's centre of mass at `time`, as little as possible to the front of all hit surfaces that hit_holds
 * keeps. False: the surfaces leave no room. */
static bool center_keep(const struct sweep_query *query, float time, struct vec3 *center)
{
	struct path_plane planes[LAST_IMPACT];
	int count = 0;
	for (const struct surface_hit *hit = query->hits; hit < query->hits + query->hit_count; ++hit) {
		if (!hit_holds(query, hit))
			continue;
		struct frame3 frame = frame_at(query->world, hit->body, time);
		struct vec3 n = frame3_out(&frame, hit->normal);
		planes[count++] = (struct path_plane){n, vec3_dot(n, vec3_sub(frame3_point(&frame, hit->center), *center))};
	}
	struct vec3 delta = none;
	bool found = path_keep(planes, count, 0.1 * (double)query->target, &delta);
	*center = vec3_add(*center, delta);
	return found;
}

/* Whether `center` is behind a static surface that the body has hit, and farther behind than `other`. */
static bool is_behind(const struct sweep_query *query, struct vec3 center, struct vec3 other)
{
	for (const struct surface_hit *hit = query->hits; hit < query->hits + query->hit_count; ++hit) {
		if (type_of(query, hit->body) != BODY_STATIC)
			continue;
		struct frame3 frame = frame_at(query->world, hit->body, 0.0f);
		struct vec3 n = frame3_out(&frame, hit->normal);
		if (vec3_dot(n, vec3_sub(center, frame3_point(&frame, hit->center))) < 0.0 &&
			vec3_dot(n, vec3_sub(center, other)) < 0.0)
			return true;
	}
	return false;
}

static bool hits_static(const struct sweep_query *query)
{
	bool any = false;
	for (int i = 0; i < query->hit_count; ++i)
		any = any || type_of(query, query->hits[i].body) == BODY_STATIC;
	return any;
}

/* Drops the oldest hit surface, and appends query->first. */
static void hits_shift(struct sweep_query *query)
{
	memmove(query->hits, query->hits + 1, (LAST_IMPACT - 1) * sizeof *query->hits);
	query->hits[LAST_IMPACT - 1] = query->first;
}

/* --- Carriers ------------------------------------------------------------------------------------------------------------- */

static bool carrier_kinematic(const struct sweep_query *query)
{
	return query->carrier != NONE && type_of(query, query->carrier) == BODY_KINEMATIC;
}

/* The obstacle that carries the body along. Of the moving obstacles that it has hit and not bounced off, it is the last
 * kinematic one, else the last. NONE: none moves. */
static uint32_t find_carrier(const struct sweep_query *query)
{
	uint32_t carrier = NONE;
	for (const struct surface_hit *hit = query->hits; hit < query->hits + query->hit_count; ++hit) {
		if (body_moves(query->world, hit->body) && hit_holds(query, hit) && !hit->bounced &&
			(carrier == NONE || type_of(query, hit->body) != BODY_DYNAMIC || type_of(query, carrier) == BODY_DYNAMIC))
			carrier = hit->body;
	}
	return carrier;
}

/* The position of a point fixed to a carrier, after its frame has moved. */
static struct vec3 carried(const struct frame3 *from, const struct frame3 *to, struct vec3 point)
{
	return frame3_point(to, frame3_in(from, vec3_sub(point, from->origin)));
}

/* Moves the body with its carrier to the end of the step, through all other obstacles. */
static void path_yield(struct sweep_query *query)
{
	struct sweep carrier = query->wing->path(query->world, query->carrier);
	struct frame3 from = query->wing->frame(&carrier, query->from), to = query->wing->frame(&carrier, 1.0f);
	struct center_pose pose;
	float turn[3];
	query->world->wing->body_center_pose(query->world, query->id, &pose);
	center_pose_move(&pose, carried(&from, &to, vec3_of(pose.center)));
	query->wing->carry(&carrier, query->from, pose.turn, turn);
	query->world->wing->body_set_center_pose(query->world, query->id, &pose);
	for (int i = 0; i < 3; ++i)
		query->turn_before[i] += (1.0f - query->from) * carrier.turn[i];
}

/* Whether a dynamic carrier takes the body to the end of the step with no other body near. If so, sets this path, which then
 * needs no tests and no division into nearly straight parts. */
static bool carried_free(struct sweep_query *query)
{
	double least = (double)(STAYS * query->target);
	if (query->carrier == NONE || type_of(query, query->carrier) != BODY_DYNAMIC ||
		vec3_length(vec3_sub(query->relative.to, query->relative.from)) > least)
		return false;
	struct sweep carrier = query->wing->path(query->world, query->carrier);
	struct frame3 from = query->wing->frame(&carrier, query->from), to = query->wing->frame(&carrier, 1.0f);
	struct vec3 here = query->sweep.from, there = carried(&from, &to, here), kept = there;
	if (!center_keep(query, 1.0f, &kept) || vec3_length(vec3_sub(kept, there)) > least ||
		!arc_clear(query, here, there, (double)sweep_angle(&carrier),
			vec3_length(vec3_sub(here, sweep_center(&carrier, query->from)))))
		return false;
	float q[4] = {query->sweep.q0[0], query->sweep.q0[1], query->sweep.q0[2], query->sweep.q0[3]};
	query->sweep.to = there;
	query->wing->carry(&carrier, query->from, q, query->sweep.turn);
	query->until = 1.0f;
	return true;
}

/* --- The next part of the path -------------------------------------------------------------------------------------------- */

/* Sets a path that stays at the body's current pose. */
static void path_stay(struct sweep_query *query)
{
	struct center_pose pose;
	query->world->wing->body_center_pose(query->world, query->id, &pose);
	query->sweep.from = query->sweep.to = vec3_of(pose.center);
	memcpy(query->sweep.q0, pose.turn, sizeof pose.turn);
	memset(query->sweep.turn, 0, sizeof query->sweep.turn);
	query->t = 1.0f;
}

/* Sets the body's path up to query->until: its centre of mass moves to `there`, or as near to that as the hit surfaces allow,
 * and it rotates by `share` of `turn`. `from`, `to`: the carrier's frames, if there is one. False: the surfaces leave no
 * room. */
static bool path_set(struct sweep_query *query, struct vec3 there, float share, const float turn[3], const struct frame3 *from,
	const struct frame3 *to)
{
	struct vec3 wanted = there, off = none;
	bool found = center_keep(query, query->until, &there);
	if (query->carrier != NONE)
		off = frame3_out(from, frame3_in(to, vec3_sub(there, wanted)));
	path_stay(query);
	query->relative = query->sweep;
	query->relative.to = vec3_add(query->relative.to, off);
	query->sweep.to = there;
	for (int i = 0; i < 3; ++i)
		query->sweep.turn[i] = share * turn[i];
	return found;
}

/* Sets the path as if the body were fixed to its carrier: see path_set. */
static bool path_carry(struct sweep_query *query, const struct sweep *carrier)
{
	struct frame3 from = query->wing->frame(carrier, query->from), to = query->wing->frame(carrier, query->until);
	struct vec3 there = carried(&from, &to, body_center(query->world, query->id));
	return path_set(query, there, query->until - query->from, carrier->turn, &from, &to);
}

/* How far the midpoint of the part's path deviates from a straight path relative to the carrier [length]: w s / 4, by the
 * Coriolis acceleration. w: the carrier's rotation in the part; s: the body's displacement relative to it. */
static double path_bend(const struct sweep_query *query, const struct sweep *carrier)
{
	double turned = (double)((query->until - query->from) * sweep_angle(carrier));
	return 0.25 * turned * vec3_length(vec3_sub(query->relative.to, query->relative.from));
}

/* Chooses the next part of the body's path. The body moves as if fixed to its carrier; without one, by `rest`, along the hit
 * surfaces. If another body pushes it along a rotating carrier, its path relative to the carrier is bent: the part ends before
 * the bend exceeds half a slop. False: the surfaces leave no room. */
static bool path_choose(struct sweep_query *query, struct vec3 rest, const float turn[3])
{
	struct vec3 here = body_center(query->world, query->id);
	query->carrier = find_carrier(query);
	query->until = 1.0f;
	query->bent = false;
	if (query->carrier == NONE)
		return path_set(query, vec3_add(here, rest), 1.0f, turn, NULL, NULL);
	struct sweep carrier = query->wing->path(query->world, query->carrier);
	/* with a dynamic carrier a straight path suffices, since its end is the same */
	if (type_of(query, query->carrier) != BODY_DYNAMIC)
		query->until = arc_end(query->from, (double)sweep_angle(&carrier),
			vec3_length(vec3_sub(here, sweep_center(&carrier, query->from))), (double)query->target);
	bool found = path_carry(query, &carrier);
	double most = 0.5 * (double)query->target, bend = path_bend(query, &carrier);
	if (bend > most) {
		query->until = part_end(query->from, query->until, most / bend);
		found = path_carry(query, &carrier);
		query->bent = path_bend(query, &carrier) > (double)query->target;
	}
	return found;
}

/* Chooses the next part of the path, after an impact. After IMPACTS impacts the body becomes crowded: it loses the rest of its
 * displacement. So does a bullet for which the hit surfaces leave no room, as between a dynamic body and a wall. */
static void path_go_on(struct sweep_query *query, struct vec3 rest, const float turn[3])
{
	bool before = query->crowded;
	query->crowded = before || query->hit_count >= IMPACTS;
	if (!path_choose(query, query->crowded ? none : rest, turn) && query->bullet) {
		query->crowded = true;
		path_choose(query, none, turn);
	}
	if (query->crowded && !before)
		path_lose(query->world, 1.0f - query->from);
}

/* --- After an impact ------------------------------------------------------------------------------------------------------ */

/* Searches for the first impact in the part of the path under test. */
static void path_test(struct sweep_query *query)
{
	query->wing->probe(query);
}

/* Whether no rotation moves the body's surface by more than a slop, or by more than its core's radius if that is smaller. */
static bool is_round(const struct sweep_query *query)
{
	return query->extent <= query->inner + min_f(query->target, CORE_FRACTION * query->inner);
}

/* Whether the body stops on its path relative to the carrier, instead of on its straight path in the world. The straight path
 * deviates from it by up to half a slop, and may bring the centroid nearer to a kinematic carrier into which the body has sunk.
 * But the body stops on the straight path if that hits another non-dynamic obstacle, into which it may have sunk as well; in
 * stop_at also if it would get behind a static obstacle on the relative path: see is_behind. */
static bool stops_as_seen(const struct sweep_query *query)
{
	if (!carrier_kinematic(query) || query->bent)
		return false;
	return query->t >= 1.0f || query->first.body == query->carrier || type_of(query, query->first.body) == BODY_DYNAMIC;
}

/* Moves the body to the first impact in the tested part of its path (query->t), or to the part's end. A round body gets the
 * whole rotation of the part, which cannot make it hit anything. */
static void stop_at(struct sweep_query *query)
{
	float time = query->from + (query->until - query->from) * query->t, part = is_round(query) ? 1.0f : query->t;
	struct center_pose pose = query->wing->center_pose(&query->sweep, part);
	struct vec3 center = sweep_center(&query->sweep, query->t);
	if (stops_as_seen(query)) {
		struct frame3 from = frame_at(query->world, query->carrier, query->from);
		struct frame3 to = frame_at(query->world, query->carrier, time);
		struct vec3 seen = carried(&from, &to, sweep_center(&query->relative, query->t));
		center = is_behind(query, seen, center) ? center : seen;
	}
	center_pose_move(&pose, center);
	query->world->wing->body_set_center_pose(query->world, query->id, &pose);
	for (int i = 0; i < 3; ++i)
		query->turn_before[i] += part * query->sweep.turn[i];
	query->from = time;
}

/* Leaves the body at its pose until the end of the step, or until a kinematic obstacle hits it and becomes its carrier. */
static void path_wait(struct sweep_query *query)
{
	query->carrier = NONE;
	query->until = 1.0f;
	path_stay(query);
	path_test(query);
	if (query->t >= 1.0f)
		return;
	stop_at(query);
	query->carrier = query->first.body;
	hits_shift(query);
}

/* Tests the next part of the path of a body with too many impacts, except against the obstacle `ignored`. */
static void end_test(struct sweep_query *query, uint32_t ignored)
{
	query->ignored = ignored;
	query->t = 1.0f;
	path_test(query);
}

/* After too many impacts the rest of the body's displacement is lost. The body stays where it is, or moves with a kinematic
 * carrier along the last surfaces that it has hit. If these leave no room, the carrier passes through the body if a hit
 * obstacle is static, else takes it through the other obstacles. */
static void path_end(struct sweep_query *query)
{
	if (!carrier_kinematic(query))
		path_wait(query);
	for (int part = 0; part < PARTS && carrier_kinematic(query) && query->from < 1.0f; ++part) {
		path_choose(query, none, no_turn);
		end_test(query, NONE);
		if (query->t <= 0.0f && query->first.body == query->carrier) /* the body has sunk into the carrier */
			end_test(query, query->carrier);
		stop_at(query);
		if (query->t < 1.0f)
			hits_shift(query);
	}
	if (carrier_kinematic(query) && query->from < 1.0f && !hits_static(query))
		path_yield(query);
}

/* Gives a sunk body at least the obstacle's velocity along the normal. Such a body may spin so that its surface leaves the
 * obstacle while its centre moves on: then no contact would stop it, and it would sink deeper in each step. */
static void sunk_stop(const struct sweep_query *query, struct vec3 normal)
{
	struct world *world = query->world;
	uint32_t obstacle = query->first.body;
	if (!query->deep || query->jointed || type_of(query, obstacle) == BODY_DYNAMIC || body_held(world, query->id))
		return;
	struct body_motion motion;
	float n[3], u[3];
	world->wing->sweep->motion(world, query->id, &motion);
	vec3_narrow(normal, n);
	vec3_narrow(obstacle_velocity(world, obstacle, query->from, body_center(world, query->id)), u);
	for (int i = 0; i < 3; ++i)
		u[i] -= motion.v[i];
	float push = max_f(0.0f, dot(n, u));
	for (int i = 0; i < 3; ++i)
		motion.v[i] += push * n[i];
	world->wing->sweep->motion_set(world, query->id, &motion);
}

/* Whether the body bounces where it has been stopped; if so, sets *rebound. If not, the contact of the next step handles it. */
static bool bounce_find(const struct sweep_query *query, struct vec3 normal, struct rebound *rebound)
{
	return !query->deep && !query->turns && !query->jointed && type_of(query, query->first.body) != BODY_DYNAMIC &&
		rebound_find(query->world, query->first.proxies, query->from, normal, rebound);
}

/* Bounces the body and records the impact. Returns its displacement in the rest of the step; `turn`: its rotation. */
static struct vec3 bounce(struct sweep_query *query, struct rebound *rebound, float turn[3])
{
	struct vec3 rest = rebound_solve(query->world, rebound, turn);
	query->first.bounced = true;
	query->bounces[query->bounce_count] = (struct impact){query->id, {query->first.proxies[0], query->first.proxies[1]},
		query->bounce_count, vec3_add(body_center(query->world, query->id), rebound->fastest), rebound->normal,
		(float)rebound->approach, (float)rebound->energy, false};
	++query->bounce_count;
	return rest;
}

/* Stores all bounces for events, and whether the body is apart from each obstacle after its sweep. False: no room in
 * world->impacts. */
static bool bounces_keep(struct sweep_query *query)
{
	struct world *world = query->world;
	float margin = 2.0f * speculative_margin(world);
	for (struct impact *impact = query->bounces; impact < query->bounces + query->bounce_count; ++impact) {
		struct impact_manifold near = {.count = 0};
		if (vec3_dot(vec3_sub(body_center(world, query->id), impact->point), impact->normal) < (double)(query->extent + margin))
			world->wing->sweep->touch(world, impact->proxies, 1.0f, margin, impact->normal, &near);
		impact->apart = near.count == 0;
	}
	return query->bounce_count == 0 || impacts_keep(world, query->bounces, query->bounce_count);
}

/* Tests the next part of the path, unless carried_free sets it. */
static void part_test(struct sweep_query *query)
{
	query->t = 1.0f;
	if (!carried_free(query))
		path_test(query);
}

/* Continues from the first impact until the rest of the path is free. `first`: the bounce there; NULL: to be searched for. */
static void sweep_on(struct sweep_query *query, struct rebound *first)
{
	struct rebound rebound;
	while (query->t < 1.0f || query->until < 1.0f) {
		float left = 1.0f - query->t, turn[3];
		/* 3D rounds the share of the path that is left to a float, 2D does not: another rounding would change last digits */
		double share = query->world->wing->dimensions == 2 ? 1.0 - (double)query->t : (double)left;
		struct vec3 rest = vec3_scale(share, vec3_sub(query->sweep.to, query->sweep.from));
		for (int i = 0; i < 3; ++i)
			turn[i] = left * query->sweep.turn[i];
		stop_at(query);
		if (query->t < 1.0f) {
			struct frame3 frame = frame_at(query->world, query->first.body, query->from);
			struct vec3 n = frame3_out(&frame, query->first.normal);
			struct rebound *found = first != NULL ? first : bounce_find(query, n, &rebound) ? &rebound : NULL;
			first = NULL;
			if (found != NULL) {
				rest = bounce(query, found, turn);
			} else {
				sunk_stop(query, n);
				if (!query->turns) {
					/* the body slides on along the surface, without rotation: that would press it into the obstacle */
					rest = vec3_mul_add(rest, -vec3_dot(n, rest), n);
					memset(turn, 0, sizeof turn);
				}
			}
			query->hits[query->hit_count++] = query->first;
		}
		path_go_on(query, rest, turn);
		if (query->hit_count == LAST_IMPACT) {
			path_end(query);
			return;
		}
		part_test(query);
	}
	struct center_pose pose = query->wing->center_pose(&query->sweep, 1.0f);
	query->world->wing->body_set_center_pose(query->world, query->id, &pose);
	for (int i = 0; i < 3; ++i)
		query->turn_before[i] += query->sweep.turn[i];
}

/* --- Sliding -------------------------------------------------------------------------------------------------------------- */

/* Returns a query with the distances of the body, at its current pose, from the obstacles at rest within two slops. */
static struct sweep_query nearness_of(const struct sweep_query *query)
{
	struct sweep_query near = *query;
	near.sweep = query->wing->still(query->world, query->id);
	near.t = 1.0f;
	near.target = 2.0f * query->target;
	near.near = near.near_obstacle = INFINITY;
	near.near_normal = near.obstacle_normal = none;
	near.measures = true;
	near.bullet = false;
	path_test(&near);
	return near;
}

/* Cosine of the largest angle between the obstacle's normals before and after a slide: 8 degrees. */
#define SAME_NORMAL 0.99

/* After an impact with an obstacle at rest, from which the body does not bounce, it covers the rest of its displacement without
 * the component along the normal, which is left to the next step's contact. If wing->slides_by_nearest the normal is that of
 * the nearest surface. The first impact may be on the edge of a tile beside it, whose normal is off by sqrt(2 slop/r) [rad],
 * and a long path perpendicular to that leads deep into the wall (a ball of 0.19 m at 65 m/s by 10 cm, where the contacts gave
 * it a quarter more energy). The body stays at the impact if that slide would lose the contact or change its normal: if the
 * path ends apart from the obstacle, off the edge of a platform or past a peg; if it ends deeper in an obstacle; or if the
 * obstacle has another normal there. */
static void slide_along(struct sweep_query *query)
{
	struct world *world = query->world;
	struct sweep_query at = *query;
	struct frame3 frame = frame_at(world, query->first.body, 0.0f);
	struct rebound rebound;
	stop_at(&at);
	if (bounce_find(&at, frame3_out(&frame, query->first.normal), &rebound)) {
		sweep_on(query, &rebound);
		return;
	}
	struct center_pose start;
	world->wing->body_center_pose(world, query->id, &start);
	struct sweep_query before = nearness_of(&at);
	bool deep = before.near < -2.0f * query->target; /* so deep that distances from triangles do not measure it */
	if (world->wing->sweep->slides_by_nearest && !deep)
		query->first.normal = frame3_in(&frame, before.near_normal);
	at.first = query->first;
	at.hits[at.hit_count++] = at.first;
	sweep_on(query, NULL);
	if (query->carrier != NONE || query->bounce_count > 0)
		return;
	struct sweep_query after = nearness_of(&at);
	bool turned = !deep && vec3_dot(before.obstacle_normal, after.obstacle_normal) < SAME_NORMAL;
	if (!turned && after.near_obstacle <= 2.0f * query->target &&
		(deep || after.near >= min_f(before.near, 0.0f) - 2.0f * query->target))
		return;
	world->wing->body_set_center_pose(world, query->id, &start);
	path_stay(&at);
	path_lose(world, 1.0f - at.from);
	path_test(&at);
	sweep_on(&at, NULL);
	*query = at;
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

/* Starts a query of the body's whole path. Its rotation is computed on demand. */
static void query_init(const struct world *world, uint32_t id, struct sweep_query *query)
{
	struct body_line line = world->wing->sweep->line(world, id);
	query->world = (struct world *)world;
	query->wing = world->wing->sweep;
	query->id = id;
	query->bullet = bits_has(&world->fast_bullets, id);
	query->jointed = body_jointed(world, id);
	/* a wall overtakes a linkage that it carried, once the linkage is taken back */
	query->overtaken = bits_has(&world->overtaken_bodies, id) || bits_has(&world->taken_bodies, id);
	query->shared = query->bullet && world->shared;
	query->later = query->again = query->crowded = query->measures = query->turns = query->deep = query->bent = false;
	query->carrier = query->ignored = query->first.body = NONE;
	query->extent = line.outer;
	query->inner = line.inner;
	query->target = LINEAR_SLOP * world->settings.length_scale;
	query->tolerance = 0.25f * query->target;
	query->sweep = world->wing->sweep->begin(world, id);
	query->from = 0.0f;
	query->until = query->t = 1.0f;
	memset(query->turn_before, 0, sizeof query->turn_before);
	query->hit_count = query->bounce_count = 0;
}

void body_first_hit(const struct world *world, uint32_t id, struct path_hit *hit)
{
	struct sweep_query query;
	query_init(world, id, &query);
	path_test(&query);
	*hit = (struct path_hit){.t = query.t, .carrier = NONE};
	if (query.t < 1.0f)
		*hit = (struct path_hit){query.first, query.t, query.turns, query.deep, .carrier = NONE};
}

/* Starts from the bullet's hit of body_first_hit, and tests the bullets that have been moved since. If the obstacle is one of
 * these, starts without a hit, and tests all obstacles. */
static void known_hit_take(struct sweep_query *query)
{
	const struct path_hit *hit = &query->world->hits.data[query->world->bodies.data[query->id].row];
	query->later = true;
	query->again = !hit->stale;
	if (query->again) {
		query->first = hit->surface;
		query->t = hit->t;
		query->turns = hit->turns;
		query->deep = hit->deep;
	}
	if (hit->touched)
		path_test(query);
	query->sweep = query->wing->path(query->world, query->id);
}

/* Records the rotation of the step, and the carrier on which a bullet ends its path. */
static void sweep_note(const struct sweep_query *query)
{
	struct world *world = query->world;
	struct body_motion motion;
	world->wing->sweep->motion(world, query->id, &motion);
	memcpy(motion.turn, query->turn_before, sizeof motion.turn);
	world->wing->sweep->motion_set(world, query->id, &motion);
	if (world->bullets_paired)
		world->hits.data[world->bodies.data[query->id].row].carrier =
			query->hit_count < LAST_IMPACT && !query->crowded ? query->carrier : NONE;
}

bool body_sweep(struct world *world, uint32_t id)
{
	struct sweep_query query;
	query_init(world, id, &query);
	if (world->bullets_paired)
		known_hit_take(&query);
	else
		path_test(&query);
	if (query.t >= 1.0f)
		return false;
	struct center_pose end;
	struct body_motion motion;
	world->wing->body_center_pose(world, id, &end);
	world->wing->sweep->motion(world, id, &motion);
	bool middle = query.turns;
	if (!body_moves(world, query.first.body) && type_of(&query, query.first.body) != BODY_DYNAMIC && !middle)
		slide_along(&query);
	else
		sweep_on(&query, NULL);
	if (!bounces_keep(&query)) {
		world->wing->body_set_center_pose(world, id, &end);
		world->wing->sweep->motion_set(world, id, &motion);
		bits_set_shared(&world->bouncing_bodies, id);
		return false;
	}
	sweep_note(&query);
	if (!middle && query.bounce_count == 0)
		body_fell(world, id, vec3_of(end.center));
	return true;
}

bool body_impact(const struct world *world, uint32_t id, struct path_impact *impact)
{
	struct path_hit hit;
	body_first_hit(world, id, &hit);
	if (hit.t >= 1.0f)
		return false;
	struct frame3 frame = frame_at(world, hit.surface.body, 1.0f);
	struct vec3 n = frame3_out(&frame, hit.surface.normal), center = frame3_point(&frame, hit.surface.center);
	*impact =
		(struct path_impact){hit.t, hit.surface.body, hit.deep, {n, vec3_dot(n, vec3_sub(center, body_center(world, id)))}};
	return true;
}
