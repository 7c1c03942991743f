/* ccd.c - continuous collision: a body that moved far in one step is taken back to its first contact. From there a moving
 * obstacle carries it along; along an obstacle at rest it slides for the rest of its displacement. It keeps its velocity, so
 * that the contact of the next step can stop or reflect it. Static and kinematic obstacles stop all bodies, dynamic ones only
 * bullets.
 * Source: Catto, "Continuous Collision", GDC 2013.
 * Any thread, but for bullets and worlds with a filter: these serially, in id order. */
#include "d2/dynamics/ccd_parts.h"

#include <string.h>

/* Maximum number of parts of the path after the last impact: an arc has up to 16. */
enum { PARTS = 24 };

/* --- After an impact ------------------------------------------------------------------------------------------------------ */

static void row_place(struct d2_body *row, const struct d2_pose *pose)
{
	struct d2_vec r = d2_rotate(pose->q, row->local_center);
	row->x = pose->x + (double)r.x;
	row->y = pose->y + (double)r.y;
	row->q = pose->q;
}

/* A body that is stopped while falling loses the speed that it gained by the rest of the fall. With that speed, a body that
 * hits the ground fast would gain height.
 *   v_g' = sqrt(v_g^2 - 2 g d), v_g along g, the acceleration by gravity and forces, d its drop to (x, y) [length] */
static void fall_forget(const struct world *world, uint32_t id, double x, double y)
{
	const struct d2_body *row = d2_row(world, id);
	struct d2_state *state = d2_state(world, id);
	struct d2_vec gravity = d2_scale(world->step.inv_h, d2_step_rows(world)[world->bodies.data[id].row].add);
	double gx = (double)gravity.x, gy = (double)gravity.y;
	double work = gx * (x - row->x) + gy * (y - row->y);
	double square = gx * gx + gy * gy;
	double along = gx * (double)state->v.x + gy * (double)state->v.y;
	if (work > 0.0 && along > 0.0) {
		double left = sqrt(max_d(0.0, along * along - 2.0 * work * square));
		state->v = d2_mul_add(state->v, (float)((left - along) / square), gravity);
	}
}

/* A point in the world, given in the frame of the pose. */
static struct d2_vec_d point_at(const struct d2_pose *pose, struct d2_vec_d local)
{
	return d2_add_d((struct d2_vec_d){pose->x, pose->y}, d2_rotate_d(pose->q, local));
}

/* Whether the body must stay in front of the surface: if crowded, the obstacle is not dynamic; else the body did not bounce off
 * it. */
static bool still_met(const struct sweep_query *query, const struct met *met)
{
	return query->crowded ? query->world->bodies.data[met->body].type != BODY_DYNAMIC : !met->bounced;
}

/* Moves *place, the body's centre of mass at `time`, as little as possible to the front of all surfaces that it has hit. False:
 * the surfaces leave no room. */
static bool place_find(const struct sweep_query *query, float time, struct d2_vec_d *place)
{
	struct path_plane planes[LAST_IMPACT];
	int count = 0;
	for (int i = 0; i < query->impacts; ++i) {
		const struct met *met = &query->met[i];
		if (!still_met(query, met))
			continue;
		struct d2_pose pose = d2_ccd_pose_at(query->world, met->body, time);
		struct d2_vec_d n = d2_rotate_d(pose.q, met->normal);
		planes[count++] = (struct path_plane){{n.x, n.y, 0.0}, d2_dot_d(n, d2_sub_d(point_at(&pose, met->place), *place))};
	}
	double delta[3] = {0.0, 0.0, 0.0};
	bool found = path_keep(planes, count, 0.1 * (double)query->target, delta);
	*place = (struct d2_vec_d){place->x + delta[0], place->y + delta[1]};
	return found;
}

static struct d2_vec_d carried(const struct d2_pose *from, const struct d2_pose *to, struct d2_vec_d point)
{
	return point_at(to, d2_inv_rotate_d(from->q, d2_sub_d(point, (struct d2_vec_d){from->x, from->y})));
}

/* Whether no rotation moves the body's outline by more than a slop, or CORE times its min_extent. */
static bool is_round(const struct d2_body *row, const struct sweep_query *query)
{
	return row->max_extent <= row->min_extent + min_f(query->target, CORE * row->min_extent);
}

/* Whether the body stops on its path relative to the carrier. Its straight path in the world deviates from that by half a slop,
 * and may bring its middle nearer to a kinematic carrier into which it has sunk. If the straight path hits another non-dynamic
 * obstacle, the body stops on the straight path, as it may have sunk into that obstacle as well. Likewise behind a static
 * obstacle: see is_behind. */
static bool stops_as_seen(const struct sweep_query *query)
{
	const struct body *bodies = query->world->bodies.data;
	if (query->carrier == NONE || query->bent || bodies[query->carrier].type != BODY_KINEMATIC)
		return false;
	return query->t >= 1.0f || query->first.body == query->carrier || bodies[query->first.body].type == BODY_DYNAMIC;
}

/* Whether `place` is behind a static surface that the body has hit, and farther behind than `other`. */
static bool is_behind(const struct sweep_query *query, struct d2_vec_d place, struct d2_vec_d other)
{
	for (int i = 0; i < query->impacts; ++i) {
		const struct met *met = &query->met[i];
		if (query->world->bodies.data[met->body].type != BODY_STATIC)
			continue;
		struct d2_pose pose = d2_ccd_pose_at(query->world, met->body, 0.0f);
		struct d2_vec_d n = d2_rotate_d(pose.q, met->normal);
		if (d2_dot_d(n, d2_sub_d(place, point_at(&pose, met->place))) < 0.0 && d2_dot_d(n, d2_sub_d(place, other)) < 0.0)
			return true;
	}
	return false;
}

/* Moves the body to the end of its free path. A round body completes its rotation. */
static void stop_at(struct d2_body *row, struct sweep_query *query)
{
	float time = query->from + (query->until - query->from) * query->t;
	struct d2_vec_d place = d2_ccd_sweep_center(&query->sweep, query->t);
	if (stops_as_seen(query)) {
		struct d2_pose from = d2_ccd_pose_at(query->world, query->carrier, query->from);
		struct d2_pose to = d2_ccd_pose_at(query->world, query->carrier, time);
		struct d2_vec_d seen = carried(&from, &to, d2_ccd_sweep_center(&query->relative, query->t));
		place = is_behind(query, seen, place) ? place : seen;
	}
	row->x = place.x;
	row->y = place.y;
	float part = is_round(row, query) ? 1.0f : query->t;
	row->q = d2_sweep_pose(&query->sweep, part).q;
	query->turn_before += part * query->sweep.angle;
	query->from = time;
}

/* The obstacle that carries the body along: of the moving obstacles that it has hit and not bounced off the last kinematic one,
 * else the last. NONE: none moves. */
static uint32_t find_carrier(const struct sweep_query *query)
{
	uint32_t carrier = NONE;
	for (int i = 0; i < query->impacts; ++i) {
		uint32_t body = query->met[i].body;
		struct d2_sweep delta = d2_ccd_obstacle_path(query->world, body);
		bool dynamic = query->world->bodies.data[body].type == BODY_DYNAMIC;
		if (d2_ccd_path_leads_on(&delta) && still_met(query, &query->met[i]) && !query->met[i].bounced &&
			(carrier == NONE || !dynamic || query->world->bodies.data[carrier].type == BODY_DYNAMIC))
			carrier = body;
	}
	return carrier;
}

/* Sets the next part of the body's path up to query->until: to `there`, or near it in front of all surfaces. `from`, `to`:
 * poses of the carrier, if any. False: the surfaces leave no room. */
static bool path_set(struct sweep_query *query, const struct d2_body *row, struct d2_vec_d there, float turn,
	const struct d2_pose *from, const struct d2_pose *to)
{
	struct d2_vec_d here = {row->x, row->y}, wanted = there, off = {0.0, 0.0};
	bool found = place_find(query, query->until, &there);
	if (query->carrier != NONE)
		off = d2_rotate_d(from->q, d2_inv_rotate_d(to->q, d2_sub_d(there, wanted)));
	query->sweep = (struct d2_sweep){row->local_center, here.x, here.y, there.x, there.y, row->q, turn};
	query->relative = (struct d2_sweep){row->local_center, here.x, here.y, here.x + off.x, here.y + off.y, row->q, 0.0f};
	return found;
}

/* path_set, as if the body were fixed to its carrier. */
static bool path_carry(struct sweep_query *query, const struct d2_body *row, const struct d2_sweep *carrier)
{
	struct d2_pose from = d2_sweep_pose(carrier, query->from), to = d2_sweep_pose(carrier, query->until);
	return path_set(query, row, carried(&from, &to, (struct d2_vec_d){row->x, row->y}),
		(query->until - query->from) * carrier->angle, &from, &to);
}

/* Deviation of the part's midpoint from a straight path relative to the carrier, which turns by w as the body moves along it by
 * s: w s / 4, due to the Coriolis force [length]. */
static double path_bend(const struct sweep_query *query, const struct d2_sweep *carrier)
{
	double along =
		d2_length_d(d2_sub_d(d2_ccd_sweep_center(&query->relative, 1.0f), d2_ccd_sweep_center(&query->relative, 0.0f)));
	return 0.25 * (double)((query->until - query->from) * abs_f(carrier->angle)) * along;
}

/* Chooses the next part of the body's path from its position. The body moves as if fixed to its carrier, or else by `rest`
 * along the surfaces that it has hit. If another body pushes it along a rotating carrier, its path relative to the carrier is
 * bent: the part ends before the bend exceeds half a slop. */
static bool path_choose(struct sweep_query *query, const struct d2_body *row, struct d2_vec_d rest, float turn)
{
	struct d2_vec_d here = {row->x, row->y};
	query->carrier = find_carrier(query);
	query->until = 1.0f;
	query->bent = false;
	if (query->carrier == NONE)
		return path_set(query, row, d2_add_d(here, rest), turn, NULL, NULL);
	struct d2_sweep carrier = d2_ccd_obstacle_path(query->world, query->carrier);
	/* on a dynamic carrier a straight path will do, as it ends at the same position */
	if (query->world->bodies.data[query->carrier].type != BODY_DYNAMIC)
		query->until = arc_end(query->from, (double)carrier.angle,
			d2_length_d(d2_sub_d(here, d2_ccd_sweep_center(&carrier, query->from))), (double)query->target);
	bool found = path_carry(query, row, &carrier);
	double most = 0.5 * (double)query->target, bend = path_bend(query, &carrier);
	if (bend > most) {
		query->until = part_end(query->from, query->until, most / bend);
		found = path_carry(query, row, &carrier);
		query->bent = path_bend(query, &carrier) > (double)query->target;
	}
	return found;
}

/* A sunk body may spin so that its surface leaves the obstacle while its centre moves on. Then no contact stops it, and it
 * would be swept into the obstacle in each step. It gets at least the obstacle's velocity along the normal. */
static void sunk_stop(const struct sweep_query *query, const struct d2_body *row, struct d2_vec_d normal)
{
	const struct body *obstacle = &query->world->bodies.data[query->first.body];
	if (!query->deep || query->jointed || obstacle->type == BODY_DYNAMIC || row->inv_mass.x == 0.0f || row->inv_mass.y == 0.0f)
		return;
	struct d2_state *state = d2_state(query->world, query->id);
	struct d2_sweep delta = d2_ccd_obstacle_path(query->world, query->first.body);
	struct d2_vec n = d2_narrow(normal);
	struct d2_vec u = d2_narrow(d2_obstacle_velocity(
		query->world, query->first.body, d2_ccd_sweep_center(&delta, query->from), (struct d2_vec_d){row->x, row->y}));
	state->v = d2_mul_add(state->v, max_f(0.0f, d2_dot(n, d2_sub(u, state->v))), n);
}

/* Whether the body bounces where it has been stopped. If not, the contact of the next step handles it. */
static bool rebound_find(const struct sweep_query *query, struct d2_vec_d normal, struct rebound *rebound)
{
	if (query->deep || query->turns || query->jointed || query->world->bodies.data[query->first.body].type == BODY_DYNAMIC)
		return false;
	struct d2_sweep obstacle = d2_ccd_obstacle_path(query->world, query->first.body);
	return d2_rebound_find(query->world, query->first.proxies, &obstacle, query->from, normal, rebound);
}

/* Bounces the body. `rest` and `turn` become its motion in the rest of the step. */
static void bounce(struct sweep_query *query, struct rebound *rebound, struct d2_vec_d *rest, float *turn)
{
	*rest = d2_rebound(query->world, rebound, turn);
	query->first.bounced = true;
	const struct d2_body *row = d2_row(query->world, query->id);
	struct impact *impact = &query->bounces[query->bounce_count];
	*impact = (struct impact){query->id, {query->first.proxies[0], query->first.proxies[1]}, query->bounce_count++,
		{row->x + rebound->place[0], row->y + rebound->place[1], rebound->normal[0], rebound->normal[1]},
		(float)rebound->approach, false};
}

/* Stores all bounces for events, with whether the body is apart from the obstacle after its sweep. False: no room in
 * world->impacts. */
static bool bounces_keep(struct sweep_query *query)
{
	struct world *world = query->world;
	const struct d2_body *row = d2_row(world, query->id);
	float margin = 2.0f * speculative_margin(world);
	for (int i = 0; i < query->bounce_count; ++i) {
		struct impact *impact = &query->bounces[i];
		struct d2_sweep obstacle =
			d2_ccd_obstacle_path(world, world->colliders.data[world->proxies.data[impact->proxies[1]].collider].body);
		struct d2_local_manifold near = {.count = 0};
		if ((row->x - impact->place[0]) * impact->place[2] + (row->y - impact->place[1]) * impact->place[3] <
			(double)(row->max_extent + margin))
			d2_rebound_touch(world, impact->proxies, &obstacle, 1.0f, margin, &near);
		impact->apart = near.count == 0;
	}
	return query->bounce_count == 0 || impacts_keep(world, query->bounces, query->bounce_count);
}

static void path_go_on(struct sweep_query *query, const struct d2_body *row, struct d2_vec_d rest, float turn)
{
	struct d2_vec_d none = {0.0, 0.0};
	bool before = query->crowded;
	query->crowded = before || query->impacts >= IMPACTS;
	if (!path_choose(query, row, query->crowded ? none : rest, turn) && query->bullet) {
		query->crowded = true;
		path_choose(query, row, none, turn);
	}
	if (query->crowded && !before)
		path_lose(query->world, 1.0f - query->from);
}

/* Drops the oldest of the hit surfaces, and adds the latest. */
static void met_replace(struct sweep_query *query)
{
	memmove(query->met, query->met + 1, (LAST_IMPACT - 1) * sizeof *query->met);
	query->met[LAST_IMPACT - 1] = query->first;
}

/* Leaves the body where it is until a kinematic obstacle hits it, which carries it then. */
static void path_wait(struct d2_body *row, struct sweep_query *query, const struct body *body)
{
	query->carrier = NONE;
	query->sweep = (struct d2_sweep){row->local_center, row->x, row->y, row->x, row->y, row->q, 0.0f};
	query->until = query->t = 1.0f;
	d2_ccd_colliders_sweep(query, body);
	if (query->t >= 1.0f)
		return;
	stop_at(row, query);
	query->carrier = query->first.body;
	met_replace(query);
}

static bool carrier_kinematic(const struct sweep_query *query)
{
	return query->carrier != NONE && query->world->bodies.data[query->carrier].type == BODY_KINEMATIC;
}

static bool met_static(const struct sweep_query *query)
{
	bool any = false;
	for (int i = 0; i < query->impacts; ++i)
		any = any || query->world->bodies.data[query->met[i].body].type == BODY_STATIC;
	return any;
}

/* Moves the body with its carrier, through all other obstacles. */
static void path_yield(struct d2_body *row, struct sweep_query *query)
{
	struct d2_sweep carrier = d2_ccd_obstacle_path(query->world, query->carrier);
	struct d2_pose from = d2_sweep_pose(&carrier, query->from), to = d2_sweep_pose(&carrier, 1.0f);
	struct d2_vec_d there = carried(&from, &to, (struct d2_vec_d){row->x, row->y});
	row->x = there.x;
	row->y = there.y;
	row->q = d2_normalize_rot(d2_mul_rot(d2_inv_mul_rot(from.q, to.q), row->q));
	query->turn_before += (1.0f - query->from) * carrier.angle;
}

/* part_sweep after too many impacts. */
static void end_sweep(struct sweep_query *query, const struct body *body, uint32_t ignored)
{
	query->ignored = ignored;
	query->t = 1.0f;
	d2_ccd_colliders_sweep(query, body);
}

/* After too many impacts the rest of the body's displacement is lost. It stays where it is, or moves with a kinematic carrier
 * along the last surfaces that it has hit. If these leave no room, the carrier passes through the body if a hit obstacle is
 * static, and else takes the body through the others. */
static void path_end(struct d2_body *row, struct sweep_query *query, const struct body *body)
{
	struct d2_vec_d none = {0.0, 0.0};
	if (!carrier_kinematic(query))
		path_wait(row, query, body);
	for (int part = 0; part < PARTS && carrier_kinematic(query) && query->from < 1.0f; ++part) {
		path_choose(query, row, none, 0.0f);
		end_sweep(query, body, NONE);
		if (query->t <= 0.0f && query->first.body == query->carrier) /* the body has sunk into the carrier */
			end_sweep(query, body, query->carrier);
		stop_at(row, query);
		if (query->t < 1.0f)
			met_replace(query);
	}
	if (carrier_kinematic(query) && query->from < 1.0f && !met_static(query))
		path_yield(row, query);
}

/* Whether a dynamic carrier takes the body to the end of the step, with nothing else near its path. Such a path need not be cut
 * into parts that are almost straight, nor tested. */
static bool carried_free(struct sweep_query *query)
{
	struct d2_vec_d here = d2_ccd_sweep_center(&query->sweep, 0.0f);
	struct d2_vec_d off = d2_sub_d(d2_ccd_sweep_center(&query->relative, 1.0f), d2_ccd_sweep_center(&query->relative, 0.0f));
	if (query->carrier == NONE || query->world->bodies.data[query->carrier].type != BODY_DYNAMIC ||
		d2_length_d(off) > (double)(STAYS * query->target))
		return false;
	struct d2_sweep carrier = d2_ccd_obstacle_path(query->world, query->carrier);
	struct d2_pose from = d2_sweep_pose(&carrier, query->from), to = d2_sweep_pose(&carrier, 1.0f);
	struct d2_vec_d there = carried(&from, &to, here), place = there;
	if (!place_find(query, 1.0f, &place) || d2_length_d(d2_sub_d(place, there)) > (double)(STAYS * query->target) ||
		!d2_ccd_arc_clear(
			query, here, there, (double)carrier.angle, d2_length_d(d2_sub_d(here, d2_ccd_sweep_center(&carrier, query->from)))))
		return false;
	query->sweep.x1 = there.x;
	query->sweep.y1 = there.y;
	query->sweep.angle = d2_rot_angle(d2_inv_mul_rot(from.q, to.q));
	query->until = 1.0f;
	query->posed = false;
	d2_ccd_query_pose(query);
	return true;
}

static void part_sweep(struct sweep_query *query, const struct body *body)
{
	query->t = 1.0f;
	if (!carried_free(query))
		d2_ccd_colliders_sweep(query, body);
}

/* Continues from the first impact until the rest of the path is free. `first`: the bounce there, if known. */
static void sweep_on(struct d2_body *row, const struct body *body, struct sweep_query *query, struct rebound *first)
{
	struct rebound rebound;
	while (query->t < 1.0f || query->until < 1.0f) {
		struct d2_vec_d whole = d2_sub_d(d2_ccd_sweep_center(&query->sweep, 1.0f), d2_ccd_sweep_center(&query->sweep, 0.0f));
		struct d2_vec_d rest = d2_scale_d(1.0 - (double)query->t, whole);
		float turn = (1.0f - query->t) * query->sweep.angle;
		stop_at(row, query);
		if (query->t < 1.0f) {
			struct d2_vec_d n =
				d2_rotate_d(d2_ccd_pose_at(query->world, query->first.body, query->from).q, query->first.normal);
			struct rebound *found = first != NULL ? first : rebound_find(query, n, &rebound) ? &rebound : NULL;
			first = NULL;
			if (found != NULL) {
				bounce(query, found, &rest, &turn);
			} else {
				sunk_stop(query, row, n);
				turn = query->turns ? turn : 0.0f;
				/* no displacement along n is left: only rotation, now stopped, moves the centre off the surface */
				rest = query->turns ? rest : d2_mul_add_d(rest, -d2_dot_d(n, rest), n);
			}
			query->met[query->impacts++] = query->first;
		}
		path_go_on(query, row, rest, turn);
		if (query->impacts == LAST_IMPACT) {
			path_end(row, query, body);
			return;
		}
		part_sweep(query, body);
	}
	struct d2_pose last = d2_sweep_pose(&query->sweep, 1.0f);
	row_place(row, &last);
	query->turn_before += query->sweep.angle;
}

/* The result's `near`: distance of the body, at its current pose, from the obstacle. Covers the range of a contact in the next
 * step. */
static struct sweep_query nearness(struct d2_body *row, const struct body *body, const struct sweep_query *query)
{
	struct d2_pose pose = d2_row_pose(row);
	struct sweep_query near = *query;
	near.sweep = d2_sweep_fixed(&pose);
	near.t = 1.0f;
	near.target = 2.0f * query->target;
	near.near = INFINITY;
	near.near_normal = (struct d2_vec_d){0.0, 0.0};
	near.against = d2_ccd_near_against;
	near.bullet = false;
	d2_ccd_colliders_sweep(&near, body);
	return near;
}

/* Cosine of the angle by which the normal of an impact may change while the body slides on, 8 degrees. */
#define SAME_WAY 0.99

/* From the impact with an obstacle at rest, the body covers the rest of its displacement without the component along the
 * normal, which the next step's contact is to change. It does not slide off the edge of a platform or past a peg, where there
 * is no contact and the impact would be lost; nor to where the obstacle has another normal, which the impact would take. */
static void slide_along(struct d2_body *row, const struct body *body, struct sweep_query *query)
{
	struct sweep_query at = *query;
	struct d2_body whole = *row;
	stop_at(row, &at);
	struct rebound rebound;
	if (rebound_find(
			&at, d2_rotate_d(d2_ccd_pose_at(query->world, query->first.body, 0.0f).q, query->first.normal), &rebound)) {
		*row = whole;
		sweep_on(row, body, query, &rebound);
		return;
	}
	at.met[at.impacts++] = at.first;
	struct d2_pose start = d2_row_pose(row);
	struct sweep_query before = nearness(row, body, query);
	*row = whole;
	sweep_on(row, body, query, NULL);
	if (query->carrier != NONE || query->bounce_count > 0)
		return;
	struct sweep_query after = nearness(row, body, &at);
	double same = before.near_normal.x * after.near_normal.x + before.near_normal.y * after.near_normal.y;
	if (after.near <= 2.0f * query->target && same >= SAME_WAY)
		return;
	row_place(row, &start);
	at.sweep = (struct d2_sweep){row->local_center, row->x, row->y, row->x, row->y, row->q, 0.0f};
	at.t = 1.0f;
	path_lose(query->world, 1.0f - at.from);
	d2_ccd_colliders_sweep(&at, body);
	sweep_on(row, body, &at, NULL);
	*query = at;
}

/* Starts a query of the body's whole path. Its rotation is computed on demand, see d2_ccd_query_pose. */
static void query_init(const struct world *world, uint32_t id, struct sweep_query *query)
{
	const struct body *body = &world->bodies.data[id];
	const struct d2_body *row = d2_row(world, id);
	float slop = LINEAR_SLOP * world->settings.length_scale;
	query->world = (struct world *)world;
	query->id = id;
	query->body = body;
	query->bullet = bits_has(&world->fast_bullets, id);
	query->jointed = body->links[LINK_JOINT] != NONE;
	query->shared = query->bullet && world->shared;
	query->later = query->again = query->crowded = query->turns = query->deep = query->posed = false;
	query->against = d2_ccd_sweep_against;
	query->carrier = query->ignored = NONE;
	query->bent = false;
	query->extent = row->max_extent;
	query->sweep = (struct d2_sweep){row->local_center, row->x, row->y, row->x, row->y, row->q, 0.0f};
	if (body->set == SET_AWAKE)
		query->sweep = (struct d2_sweep){row->local_center, row->x0, row->y0, row->x, row->y, row->q0, 0.0f};
	query->from = query->turn_before = 0.0f;
	query->until = query->t = 1.0f;
	query->core = max_f(slop, CORE * row->min_extent);
	query->target = slop;
	query->tolerance = 0.25f * slop;
	query->impacts = query->bounce_count = 0;
}

/* Like body_fast, in the obstacle's frame: the centre moves between two positions there, at most `arc` off a straight path. */
bool d2_body_overtaken(const struct world *world, uint32_t id, uint32_t obstacle)
{
	const struct d2_body *row = d2_row(world, id), *other = d2_row(world, obstacle);
	struct d2_vec_d last = {row->x, row->y}, first = last;
	if (world->bodies.data[id].set == SET_AWAKE)
		first = (struct d2_vec_d){row->x0, row->y0};
	struct d2_vec_d before = d2_sub_d(first, (struct d2_vec_d){other->x0, other->y0});
	struct d2_vec_d after = d2_sub_d(last, (struct d2_vec_d){other->x, other->y});
	float cosine = other->q0.c * other->q.c + other->q0.s * other->q.s;
	double distance = max_d(d2_length_d(before), d2_length_d(after));
	double arc = distance * (1.0 - sqrt(max_d(0.0, 0.5 + 0.5 * (double)cosine)));
	double moved = d2_length_d(d2_sub_d(d2_inv_rotate_d(other->q, after), d2_inv_rotate_d(other->q0, before))) + arc;
	double turned = d2_ccd_turn_bound(world, obstacle) + d2_ccd_turn_bound(world, id);
	return d2_ccd_turns_far(world, obstacle) || moved + turned * (double)row->max_extent > 0.5 * (double)row->min_extent;
}

void d2_body_goes(const struct world *world, uint32_t id, struct bullet_path *delta)
{
	const struct d2_body *row = d2_row(world, id);
	*delta = (struct bullet_path){.from = {row->x0, row->y0},
		.delta = {row->x - row->x0, row->y - row->y0},
		.reach = (double)row->max_extent,
		.body = id};
}

void d2_body_look(const struct world *world, uint32_t id, struct path_hit *hit)
{
	struct sweep_query query;
	query_init(world, id, &query);
	d2_ccd_colliders_sweep(&query, query.body);
	*hit = (struct path_hit){.t = query.t, .carrier = NONE};
	if (query.t >= 1.0f)
		return;
	const struct met *first = &query.first;
	*hit = (struct path_hit){{first->normal.x, first->normal.y}, {first->place.x, first->place.y}, first->body,
		{first->proxies[0], first->proxies[1]}, query.t, query.turns, query.deep, .carrier = NONE};
}

/* Takes over the known hit of a bullet, and tests bodies again that have been moved since. */
static void look_again(struct sweep_query *query)
{
	const struct path_hit *hit = &query->world->hits.data[query->body->row];
	const double *n = hit->normal, *p = hit->place;
	query->later = true;
	query->again = !hit->stale;
	if (query->again) {
		query->first = (struct met){hit->body, {hit->proxies[0], hit->proxies[1]}, {n[0], n[1]}, {p[0], p[1]}, false};
		query->t = hit->t;
		query->turns = hit->turns;
		query->deep = hit->deep;
	}
	if (hit->touched)
		d2_ccd_colliders_sweep(query, query->body);
	d2_ccd_query_pose(query);
}

/* Records the carrier on which the bullet ends its path. */
static void ride_note(const struct sweep_query *query)
{
	query->world->hits.data[query->body->row].carrier = query->impacts < LAST_IMPACT && !query->crowded ? query->carrier : NONE;
}

bool d2_body_sweep(struct world *world, uint32_t id)
{
	struct d2_body *row = d2_row(world, id);
	struct sweep_query query;
	query_init(world, id, &query);
	const struct body *body = query.body;
	if (world->looked)
		look_again(&query);
	else
		d2_ccd_colliders_sweep(&query, body);
	if (query.t >= 1.0f)
		return false;
	struct d2_body whole = *row;
	struct d2_state motion = *d2_state(world, id);
	struct d2_sweep obstacle = d2_ccd_obstacle_path(world, query.first.body);
	bool middle = query.turns;
	bool moves = d2_ccd_path_leads_on(&obstacle) || world->bodies.data[query.first.body].type == BODY_DYNAMIC;
	if (!moves && !middle)
		slide_along(row, body, &query);
	else
		sweep_on(row, body, &query, NULL);
	if (!bounces_keep(&query)) {
		*row = whole;
		*d2_state(world, id) = motion;
		bits_set_shared(&world->bouncing_bodies, id);
		return false;
	}
	if (world->looked)
		ride_note(&query);
	d2_state(world, id)->turn = query.turn_before;
	if (!middle && query.bounce_count == 0)
		fall_forget(world, id, whole.x, whole.y);
	return true;
}

bool d2_body_impact(const struct world *world, uint32_t id, struct path_impact *impact)
{
	const struct d2_body *row = d2_row(world, id);
	struct path_hit hit;
	d2_body_look(world, id, &hit);
	if (hit.t >= 1.0f)
		return false;
	struct d2_pose pose = d2_ccd_pose_at(world, hit.body, 1.0f);
	struct d2_vec_d n = d2_rotate_d(pose.q, (struct d2_vec_d){hit.normal[0], hit.normal[1]});
	struct d2_vec_d place = point_at(&pose, (struct d2_vec_d){hit.place[0], hit.place[1]});
	*impact = (struct path_impact){
		hit.t, hit.body, hit.deep, {{n.x, n.y, 0.0}, d2_dot_d(n, d2_sub_d(place, (struct d2_vec_d){row->x, row->y}))}};
	return true;
}

void d2_body_fell(struct world *world, uint32_t id, const struct body_place *end)
{
	fall_forget(world, id, end->center[0], end->center[1]);
}
