/* ccd.c - continuous collision: a body that moved far in one step is taken back to its first impact. From there a moving
 * obstacle carries the body along; on an obstacle at rest it moves on along the surface. The body keeps its velocity, so that
 * the contact of the next step can stop or reflect it. Against static and kinematic bodies always, against dynamic ones for
 * bullets.
 * Source: Catto, "Continuous Collision", GDC 2013.
 * Any thread, except for bullets and worlds with a filter: these serially, in id order. */
#include "d3/dynamics/ccd_parts.h"

#include <string.h>

/* Maximum parts into which path_end divides the rest of the path; an arc has 16. */
enum { PARTS = 24 };

/* --- After an impact ------------------------------------------------------------------------------------------------------ */

/* Sets the pose. A body that is not round keeps its angular velocity in its own frame, and so its energy: a thin rod rotated
 * out of its spin axis would have a thousandfold of it. */
static void row_place(struct world *world, uint32_t id, const struct d3_pose *pose)
{
	struct d3_body *row = d3_row(world, id);
	if (row->tumbles) {
		struct d3_state *state = d3_state(world, id);
		state->w = d3_rotate(pose->q, d3_inv_rotate(row->q, state->w));
	}
	travel_leap(world, id);
	struct d3_vec r = d3_rotate(pose->q, row->local_center);
	row->x = pose->x + (double)r.x;
	row->y = pose->y + (double)r.y;
	row->z = pose->z + (double)r.z;
	row->q = pose->q;
	d3_row_turned(row);
}

/* A body stopped on its way down to (x, y, z) loses the speed of the rest of the fall: otherwise a body that hits the ground
 * fast would gain height.
 *   v_g' = sqrt(v_g^2 - 2 g d), v_g along g, the acceleration by gravity and forces, d how much lower it would be [length] */
static void fall_forget(const struct world *world, uint32_t id, double x, double y, double z)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_state *state = d3_state(world, id);
	struct d3_vec gravity = d3_scale(world->step.inv_h, d3_step_rows(world)[world->bodies.data[id].row].add);
	struct d3_vec_d g = d3_widen(gravity), rest = {x - row->x, y - row->y, z - row->z};
	double work = d3_dot_d(g, rest), square = d3_dot_d(g, g), along = d3_dot_d(g, d3_widen(state->v));
	if (work > 0.0 && along > 0.0) {
		double left = sqrt(max_d(0.0, along * along - 2.0 * work * square));
		state->v = d3_mul_add(state->v, (float)((left - along) / square), gravity);
	}
}

/* A point given in the pose's frame, in the world. */
static struct d3_vec_d point_at(const struct d3_pose *pose, struct d3_vec_d local)
{
	return d3_add_d(d3_ccd_place_of(pose), d3_ccd_turned_out(pose->q, local));
}

static struct d3_vec_d carried(const struct d3_pose *from, const struct d3_pose *to, struct d3_vec_d point)
{
	return point_at(to, d3_ccd_turned_home(from->q, d3_sub_d(point, d3_ccd_place_of(from))));
}

static struct d3_vec_d row_center(const struct d3_body *row)
{
	return (struct d3_vec_d){row->x, row->y, row->z};
}

static void center_place(struct world *world, uint32_t id, struct d3_vec_d center, struct d3_quat q)
{
	struct d3_body *row = d3_row(world, id);
	struct d3_pose pose = d3_row_pose(row);
	pose.q = q;
	row_place(world, id, &pose);
	row->x = center.x;
	row->y = center.y;
	row->z = center.z;
}

/* Whether the body must stay in front of this surface: of a surface off which it has not bounced; if `crowded`, of a
 * non-dynamic one. */
static bool still_met(const struct sweep_query *query, const struct met *met)
{
	return query->crowded ? query->world->bodies.data[met->body].type != BODY_DYNAMIC : !met->bounced;
}

/* Moves *place, a position of the centre of mass, as little as possible to be in front of all surfaces that the body has hit,
 * at that time. False: they leave no such position. */
static bool place_find(const struct sweep_query *query, float time, struct d3_vec_d *place)
{
	struct path_plane planes[LAST_IMPACT];
	int count = 0;
	for (int i = 0; i < query->impacts; ++i) {
		const struct met *met = &query->met[i];
		if (!still_met(query, met))
			continue;
		struct d3_pose pose = d3_ccd_pose_at(query->world, met->body, time);
		struct d3_vec_d n = d3_ccd_turned_out(pose.q, met->normal);
		planes[count++] = (struct path_plane){{n.x, n.y, n.z}, d3_dot_d(n, d3_sub_d(point_at(&pose, met->place), *place))};
	}
	double delta[3] = {0.0, 0.0, 0.0};
	bool found = path_keep(planes, count, 0.1 * (double)query->target, delta);
	*place = (struct d3_vec_d){place->x + delta[0], place->y + delta[1], place->z + delta[2]};
	return found;
}

/* Whether rotation moves the body's surface by a slop at most, and by no more than the size of its core. */
static bool is_round(const struct sweep_query *query)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	return row->max_extent <= row->min_extent + min_f(query->target, CORE * row->min_extent);
}

/* Whether the body stops at its position relative to its kinematic carrier, not on its straight path in the world. These differ
 * by half a slop; the middle of a body sunk into the carrier may be nearer to its surface. The body stops on the straight path
 * where that hits another non-dynamic obstacle, into which it may have sunk as well, or where it would get behind a static one:
 * see is_behind. */
static bool stops_as_seen(const struct sweep_query *query)
{
	const struct body *bodies = query->world->bodies.data;
	if (query->carrier == NONE || query->bent || bodies[query->carrier].type != BODY_KINEMATIC)
		return false;
	return query->t >= 1.0f || query->first.body == query->carrier || bodies[query->first.body].type == BODY_DYNAMIC;
}

/* Whether `place` is behind a static surface that the body has hit, and farther behind than `other`. */
static bool is_behind(const struct sweep_query *query, struct d3_vec_d place, struct d3_vec_d other)
{
	for (int i = 0; i < query->impacts; ++i) {
		const struct met *met = &query->met[i];
		if (query->world->bodies.data[met->body].type != BODY_STATIC)
			continue;
		struct d3_pose pose = d3_ccd_pose_at(query->world, met->body, 0.0f);
		struct d3_vec_d n = d3_ccd_turned_out(pose.q, met->normal);
		if (d3_dot_d(n, d3_sub_d(place, point_at(&pose, met->place))) < 0.0 && d3_dot_d(n, d3_sub_d(place, other)) < 0.0)
			return true;
	}
	return false;
}

/* Moves the body to the end of its free path. A round body makes the whole rotation of the part. */
static void stop_at(struct sweep_query *query)
{
	float part = is_round(query) ? 1.0f : query->t, time = query->from + (query->until - query->from) * query->t;
	struct d3_vec_d place = d3_ccd_sweep_center(&query->sweep, query->t);
	if (stops_as_seen(query)) {
		struct d3_pose from = d3_ccd_pose_at(query->world, query->carrier, query->from);
		struct d3_pose to = d3_ccd_pose_at(query->world, query->carrier, time);
		struct d3_vec_d seen = carried(&from, &to, d3_ccd_sweep_center(&query->relative, query->t));
		place = is_behind(query, seen, place) ? place : seen;
	}
	center_place(query->world, query->body, place, d3_sweep_pose(&query->sweep, part).q);
	query->turn_before = d3_mul_add(query->turn_before, part, query->sweep.turn);
	query->from = time;
}

/* The obstacle that carries the body along: the last moving one that it has hit and not bounced off, a kinematic one if there
 * is one. NONE: all are at rest. */
static uint32_t find_carrier(const struct sweep_query *query)
{
	uint32_t carrier = NONE;
	for (int i = 0; i < query->impacts; ++i) {
		uint32_t body = query->met[i].body;
		struct d3_sweep delta = d3_ccd_obstacle_path(query->world, body);
		bool dynamic = query->world->bodies.data[body].type == BODY_DYNAMIC;
		if (d3_ccd_path_leads_on(&delta) && still_met(query, &query->met[i]) && !query->met[i].bounced &&
			(carrier == NONE || !dynamic || query->world->bodies.data[carrier].type == BODY_DYNAMIC))
			carrier = body;
	}
	return carrier;
}

/* Sets the next part of the path, up to query->until: to the position `there`, or the nearest one in front of all surfaces.
 * `from`, `to`: the carrier's poses, if any. False: the surfaces leave no room. */
static bool path_set(
	struct sweep_query *query, struct d3_vec_d there, struct d3_vec turn, const struct d3_pose *from, const struct d3_pose *to)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_vec_d here = row_center(row), wanted = there, off = {0.0, 0.0, 0.0};
	bool found = place_find(query, query->until, &there);
	if (query->carrier != NONE)
		off = d3_ccd_turned_out(from->q, d3_ccd_turned_home(to->q, d3_sub_d(there, wanted)));
	query->sweep = (struct d3_sweep){row->local_center, here, there, row->q, turn};
	query->relative = (struct d3_sweep){row->local_center, here, d3_add_d(here, off), row->q, {0.0f, 0.0f, 0.0f}};
	return found;
}

/* The same for a body that moves as if fixed to its carrier. */
static bool path_carry(struct sweep_query *query, const struct d3_sweep *carrier)
{
	struct d3_pose from = d3_sweep_pose(carrier, query->from), to = d3_sweep_pose(carrier, query->until);
	struct d3_vec_d there = carried(&from, &to, row_center(d3_row(query->world, query->body)));
	return path_set(query, there, d3_scale(query->until - query->from, carrier->turn), &from, &to);
}

/* Deviation of the path's middle from its chord, in the frame of the rotating carrier along which the body moves by s: w s / 4,
 * by Coriolis force [length]. */
static double path_bend(const struct sweep_query *query, const struct d3_sweep *carrier)
{
	double turned = (double)((query->until - query->from) * d3_length(carrier->turn));
	return 0.25 * turned * d3_length_d(d3_sub_d(query->relative.to, query->relative.from));
}

/* Chooses the next part of the path: fixed to the carrier if there is one, else by `rest` along the surfaces that the body has
 * hit. Relative to a rotating carrier, the path of a body that another one pushes along it is curved: the part ends where it
 * would deviate by more than half a slop. False: the surfaces leave no room. */
static bool path_choose(struct sweep_query *query, struct d3_vec_d rest, struct d3_vec turn)
{
	struct d3_vec_d here = row_center(d3_row(query->world, query->body));
	query->carrier = find_carrier(query);
	query->until = 1.0f;
	query->bent = false;
	if (query->carrier == NONE)
		return path_set(query, d3_add_d(here, rest), turn, NULL, NULL);
	struct d3_sweep carrier = d3_ccd_obstacle_path(query->world, query->carrier);
	/* along a straight path the body arrives at the same position on a dynamic carrier */
	if (query->world->bodies.data[query->carrier].type != BODY_DYNAMIC)
		query->until = arc_end(query->from, (double)d3_length(carrier.turn),
			d3_length_d(d3_sub_d(here, d3_ccd_sweep_center(&carrier, query->from))), (double)query->target);
	bool found = path_carry(query, &carrier);
	double most = 0.5 * (double)query->target, bend = path_bend(query, &carrier);
	if (bend > most) {
		query->until = part_end(query->from, query->until, most / bend);
		found = path_carry(query, &carrier);
		query->bent = path_bend(query, &carrier) > (double)query->target;
	}
	return found;
}

/* A body sunk into an obstacle may spin so that its surface moves out while its centre goes on: then no contact stops it, and
 * each step would sweep it into the obstacle. It gets the obstacle's velocity along the normal. */
static void sunk_stop(const struct sweep_query *query, struct d3_vec_d normal)
{
	const struct body *obstacle = &query->world->bodies.data[query->first.body];
	if (!query->deep || query->jointed || obstacle->type == BODY_DYNAMIC)
		return;
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_state *state = d3_state(query->world, query->body);
	if (row->inv_mass.x == 0.0f || row->inv_mass.y == 0.0f || row->inv_mass.z == 0.0f)
		return;
	struct d3_sweep delta = d3_ccd_obstacle_path(query->world, query->first.body);
	struct d3_vec n = d3_narrow(normal);
	struct d3_vec u = d3_narrow(
		d3_obstacle_velocity(query->world, query->first.body, d3_ccd_sweep_center(&delta, query->from), row_center(row)));
	state->v = d3_mul_add(state->v, max_f(0.0f, d3_dot(n, d3_sub(u, state->v))), n);
}

/* Whether the body bounces where it was stopped. If not, the contact of the next step acts on it. */
static bool rebound_find(const struct sweep_query *query, struct d3_vec_d normal, struct rebound *rebound)
{
	if (query->deep || query->turns || query->jointed || query->world->bodies.data[query->first.body].type == BODY_DYNAMIC)
		return false;
	struct d3_sweep obstacle = d3_ccd_obstacle_path(query->world, query->first.body);
	return d3_rebound_find(query->world, query->first.proxies, &obstacle, query->from, normal, rebound);
}

/* Bounces the body. *rest, *turn: its new motion in the rest of the step. */
static void bounce(struct sweep_query *query, struct rebound *rebound, struct d3_vec_d *rest, struct d3_vec *turn)
{
	*rest = d3_rebound(query->world, rebound, turn);
	query->first.bounced = true;
	const struct d3_body *row = d3_row(query->world, query->body);
	struct impact *impact = &query->bounces[query->bounce_count];
	*impact = (struct impact){query->body, {query->first.proxies[0], query->first.proxies[1]}, query->bounce_count++,
		{row->x + rebound->place[0], row->y + rebound->place[1], row->z + rebound->place[2], rebound->normal[0],
			rebound->normal[1], rebound->normal[2]},
		(float)rebound->approach, false};
}

/* Stores all bounces for hit events, with the body at the end of its sweep. False: there is no room for them now. */
static bool bounces_keep(struct sweep_query *query)
{
	struct world *world = query->world;
	const struct d3_body *row = d3_row(world, query->body);
	float margin = 2.0f * speculative_margin(world);
	for (int i = 0; i < query->bounce_count; ++i) {
		struct impact *impact = &query->bounces[i];
		struct d3_sweep obstacle =
			d3_ccd_obstacle_path(world, world->colliders.data[world->proxies.data[impact->proxies[1]].collider].body);
		struct d3_vec_d off = {row->x - impact->place[0], row->y - impact->place[1], row->z - impact->place[2]};
		struct d3_vec_d normal = {impact->place[3], impact->place[4], impact->place[5]};
		struct d3_local_manifold near = {.count = 0};
		if (d3_dot_d(off, normal) < (double)(row->max_extent + margin))
			d3_rebound_touch(world, impact->proxies, &obstacle, 1.0f, margin, normal, &near);
		impact->apart = near.count == 0;
	}
	return query->bounce_count == 0 || impacts_keep(world, query->bounces, query->bounce_count);
}

/* Chooses the rest of the path. A bullet squeezed between a dynamic body and another obstacle stays where it is. */
static void path_go_on(struct sweep_query *query, struct d3_vec_d rest, struct d3_vec turn)
{
	struct d3_vec_d none = {0.0, 0.0, 0.0};
	bool before = query->crowded;
	query->crowded = before || query->impacts >= IMPACTS;
	if (!path_choose(query, query->crowded ? none : rest, turn) && query->bullet) {
		query->crowded = true;
		path_choose(query, none, turn);
	}
	if (query->crowded && !before)
		path_lose(query->world, 1.0f - query->from);
}

/* Drops the oldest of the surfaces that the body has hit, and appends the last. */
static void met_replace(struct sweep_query *query)
{
	memmove(query->met, query->met + 1, (LAST_IMPACT - 1) * sizeof *query->met);
	query->met[LAST_IMPACT - 1] = query->first;
}

/* Leaves the body at rest until a kinematic obstacle hits it, which becomes its carrier. */
static void path_wait(struct sweep_query *query, const struct body *body)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	query->carrier = NONE;
	query->sweep = (struct d3_sweep){row->local_center, row_center(row), row_center(row), row->q, {0.0f, 0.0f, 0.0f}};
	query->until = query->t = 1.0f;
	d3_ccd_colliders_sweep(query, body);
	if (query->t >= 1.0f)
		return;
	stop_at(query);
	query->carrier = query->first.body;
	met_replace(query);
}

static bool carrier_kinematic(const struct sweep_query *query)
{
	return query->carrier != NONE && query->world->bodies.data[query->carrier].type == BODY_KINEMATIC;
}

/* Whether one of the surfaces that the body has hit is static. */
static bool met_static(const struct sweep_query *query)
{
	bool any = false;
	for (int i = 0; i < query->impacts; ++i)
		any = any || query->world->bodies.data[query->met[i].body].type == BODY_STATIC;
	return any;
}

/* Moves the body with its carrier to the end of the step, through all else. */
static void path_yield(struct sweep_query *query)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_sweep carrier = d3_ccd_obstacle_path(query->world, query->carrier);
	struct d3_pose from = d3_sweep_pose(&carrier, query->from), to = d3_sweep_pose(&carrier, 1.0f);
	struct d3_quat q = d3_normalize_quat(d3_mul_quat(to.q, d3_inv_mul_quat(from.q, row->q)));
	center_place(query->world, query->body, carried(&from, &to, row_center(row)), q);
	query->turn_before = d3_mul_add(query->turn_before, 1.0f - query->from, carrier.turn);
}

/* Sweeps the next part of the path of a body with too many impacts. */
static void end_sweep(struct sweep_query *query, const struct body *body, uint32_t ignored)
{
	query->ignored = ignored;
	query->t = 1.0f;
	d3_ccd_colliders_sweep(query, body);
}

/* After too many impacts the rest of the body's path is lost. The body stays where it is, or moves with a kinematic carrier
 * along the last surfaces that it has hit. Where these leave no room, the carrier passes through the body if one of the
 * surfaces is static, and else takes the body through the others. */
static void path_end(struct sweep_query *query, const struct body *body)
{
	struct d3_vec_d none = {0.0, 0.0, 0.0};
	if (!carrier_kinematic(query))
		path_wait(query, body);
	for (int part = 0; part < PARTS && carrier_kinematic(query) && query->from < 1.0f; ++part) {
		path_choose(query, none, (struct d3_vec){0.0f, 0.0f, 0.0f});
		end_sweep(query, body, NONE);
		if (query->t <= 0.0f && query->first.body == query->carrier) /* the body has sunk into the carrier */
			end_sweep(query, body, query->carrier);
		stop_at(query);
		if (query->t < 1.0f)
			met_replace(query);
	}
	if (carrier_kinematic(query) && query->from < 1.0f && !met_static(query))
		path_yield(query);
}

/* Whether a dynamic carrier takes the body to the end of the step with nothing else near its path. If so, sets this path, which
 * is neither divided into almost straight parts nor swept. */
static bool carried_free(struct sweep_query *query)
{
	if (query->carrier == NONE || query->world->bodies.data[query->carrier].type != BODY_DYNAMIC ||
		d3_length_d(d3_sub_d(query->relative.to, query->relative.from)) > (double)(STAYS * query->target))
		return false;
	struct d3_sweep carrier = d3_ccd_obstacle_path(query->world, query->carrier);
	struct d3_pose from = d3_sweep_pose(&carrier, query->from), to = d3_sweep_pose(&carrier, 1.0f);
	struct d3_vec_d here = query->sweep.from, there = carried(&from, &to, here), place = there;
	if (!place_find(query, 1.0f, &place) || d3_length_d(d3_sub_d(place, there)) > (double)(STAYS * query->target) ||
		!d3_ccd_arc_clear(query, here, there, (double)d3_length(carrier.turn),
			d3_length_d(d3_sub_d(here, d3_ccd_sweep_center(&carrier, query->from)))))
		return false;
	query->sweep.to = there;
	query->sweep.turn = d3_scale(1.0f - query->from, carrier.turn);
	query->until = 1.0f;
	query->posed = false;
	d3_ccd_query_pose(query);
	return true;
}

/* Sweeps the next part of the path. */
static void part_sweep(struct sweep_query *query, const struct body *body)
{
	query->t = 1.0f;
	if (!carried_free(query))
		d3_ccd_colliders_sweep(query, body);
}

/* Moves the body on from an impact until the rest of the path is free. `first`: the bounce there; NULL: unknown. */
static void sweep_on(struct sweep_query *query, struct rebound *first)
{
	struct rebound rebound;
	const struct body *body = &query->world->bodies.data[query->body];
	while (query->t < 1.0f || query->until < 1.0f) {
		float left = 1.0f - query->t;
		struct d3_vec_d rest = d3_scale_d((double)left, d3_sub_d(query->sweep.to, query->sweep.from));
		struct d3_vec turn = d3_scale(left, query->sweep.turn);
		stop_at(query);
		if (query->t < 1.0f) {
			struct d3_vec_d n =
				d3_ccd_turned_out(d3_ccd_pose_at(query->world, query->first.body, query->from).q, query->first.normal);
			struct rebound *found = first != NULL ? first : rebound_find(query, n, &rebound) ? &rebound : NULL;
			first = NULL;
			if (found != NULL) {
				bounce(query, found, &rest, &turn);
			} else {
				sunk_stop(query, n);
				turn = query->turns ? turn : (struct d3_vec){0.0f, 0.0f, 0.0f};
				/* the centre moves away by rotation only, which has ended */
				rest = query->turns ? rest : d3_mul_add_d(rest, -d3_dot_d(n, rest), n);
			}
			query->met[query->impacts++] = query->first;
		}
		path_go_on(query, rest, turn);
		if (query->impacts == LAST_IMPACT) {
			path_end(query, body);
			return;
		}
		part_sweep(query, body);
	}
	center_place(query->world, query->body, query->sweep.to, query->end.q);
	query->turn_before = d3_add(query->turn_before, query->sweep.turn);
}

/* Distances of the body at its current pose from obstacles at rest, near enough for contacts in the next step. */
static struct sweep_query nearness(const struct sweep_query *query)
{
	struct d3_pose pose = d3_row_pose(d3_row(query->world, query->body));
	struct sweep_query near = *query;
	near.sweep = d3_sweep_fixed(&pose);
	near.t = 1.0f;
	near.target = 2.0f * query->target;
	near.near = near.near_obstacle = INFINITY;
	near.normal = near.obstacle_normal = (struct d3_vec_d){0.0, 0.0, 0.0};
	near.against = d3_ccd_near_against;
	near.bullet = false;
	d3_ccd_colliders_sweep(&near, &query->world->bodies.data[query->body]);
	return near;
}

/* Cosine of the largest change of the impact's normal while the body goes on along the surface, 8 degrees. */
#define SAME_WAY 0.99

/* Moves on from an impact on an obstacle at rest, without the component of the path along the normal, which is left to the
 * contact. The normal is that of the nearest surface: the first impact may be on the edge of a tile beside it, whose normal
 * leans by sqrt(2 slop/r), and a long path along that leads as far into the wall (a ball of 0.19 m at 65 m/s by 10 cm, where
 * the contacts gave it a quarter more energy). The body stays at the impact if the path leads to where there is no contact, off
 * the edge of a platform or past a peg, since the impact would be lost; or deeper; or to where the obstacle has another normal,
 * which would turn the impact. */
static void slide_along(struct sweep_query *query)
{
	struct d3_body *row = d3_row(query->world, query->body);
	struct sweep_query at = *query;
	stop_at(&at);
	struct rebound rebound;
	if (rebound_find(
			&at, d3_ccd_turned_out(d3_ccd_pose_at(query->world, query->first.body, 0.0f).q, query->first.normal), &rebound)) {
		sweep_on(query, &rebound);
		return;
	}
	struct d3_vec_d start = row_center(row);
	struct d3_quat q = row->q;
	struct sweep_query before = nearness(&at);
	bool deep = before.near < -2.0f * query->target; /* so deep that distances from triangles do not measure it */
	if (!deep)
		query->first.normal = d3_ccd_turned_home(d3_ccd_pose_at(query->world, query->first.body, 0.0f).q, before.normal);
	at.first = query->first;
	at.met[at.impacts++] = at.first;
	sweep_on(query, NULL);
	if (query->carrier != NONE || query->bounce_count > 0)
		return;
	struct sweep_query after = nearness(&at);
	bool turned = !deep && d3_dot_d(before.obstacle_normal, after.obstacle_normal) < SAME_WAY;
	if (!turned && after.near_obstacle <= 2.0f * query->target &&
		(deep || after.near >= min_f(before.near, 0.0f) - 2.0f * query->target))
		return;
	center_place(query->world, query->body, start, q);
	at.sweep = (struct d3_sweep){row->local_center, start, start, q, {0.0f, 0.0f, 0.0f}};
	at.t = 1.0f;
	path_lose(query->world, 1.0f - at.from);
	d3_ccd_colliders_sweep(&at, &query->world->bodies.data[query->body]);
	sweep_on(&at, NULL);
	*query = at;
}

/* Starts with the whole path of the body. Its rotation is computed on demand, see d3_ccd_query_pose. */
static void query_init(const struct world *world, uint32_t id, struct sweep_query *query)
{
	const struct d3_body *row = d3_row(world, id);
	const struct body *body = &world->bodies.data[id];
	float slop = LINEAR_SLOP * world->settings.length_scale;
	query->world = (struct world *)world;
	query->body = id;
	query->bullet = bits_has(&world->fast_bullets, id);
	/* a wall overtakes a linkage that it carried, once the linkage is taken back */
	query->overtaken = bits_has(&world->overtaken_bodies, id) || bits_has(&world->taken_bodies, id);
	query->jointed = body->links[LINK_JOINT] != NONE;
	query->shared = query->bullet && world->shared;
	query->later = query->again = query->crowded = query->turns = query->deep = query->posed = false;
	query->against = d3_ccd_sweep_against;
	query->carrier = query->ignored = NONE;
	query->bent = false;
	query->extent = row->max_extent;
	query->sweep = (struct d3_sweep){row->local_center, row_center(row), row_center(row), row->q, {0.0f, 0.0f, 0.0f}};
	if (body->set == SET_AWAKE) {
		query->sweep.from = (struct d3_vec_d){row->x0, row->y0, row->z0};
		query->sweep.q0 = row->q0;
	}
	query->from = 0.0f;
	query->turn_before = (struct d3_vec){0.0f, 0.0f, 0.0f};
	query->until = query->t = 1.0f;
	query->target = slop;
	query->tolerance = 0.25f * slop;
	query->impacts = query->bounce_count = 0;
}

/* The same test as in body_fast, for the body's motion in the obstacle's frame: there its centre moves at most `arc` off the
 * chord. */
bool d3_body_overtaken(const struct world *world, uint32_t id, uint32_t obstacle)
{
	const double rounding = 1e-6; /* error of a rotation in floats, at a distance of 1 */
	const struct d3_body *row = d3_row(world, id), *other = d3_row(world, obstacle);
	struct d3_vec_d last = row_center(row), first = last;
	if (world->bodies.data[id].set == SET_AWAKE)
		first = (struct d3_vec_d){row->x0, row->y0, row->z0};
	struct d3_vec_d before = d3_sub_d(first, (struct d3_vec_d){other->x0, other->y0, other->z0});
	struct d3_vec_d after = d3_sub_d(last, row_center(other));
	double distance = sqrt(max_d(d3_dot_d(before, before), d3_dot_d(after, after)));
	struct d3_quat turn = d3_mul_quat(other->q, (struct d3_quat){-other->q0.x, -other->q0.y, -other->q0.z, other->q0.w});
	struct d3_vec_d axis = {(double)turn.x, (double)turn.y, (double)turn.z};
	struct d3_vec_d rides =
		d3_mul_add_d(before, 2.0, d3_cross_d(axis, d3_mul_add_d(d3_cross_d(axis, before), (double)turn.w, before)));
	double arc = distance * (max_d(0.0, 1.0 - (double)abs_f(turn.w)) + rounding);
	double moved = d3_length_d(d3_sub_d(after, rides)) + arc;
	double turned = d3_ccd_turn_bound(world, obstacle) + d3_ccd_turn_bound(world, id);
	return d3_ccd_turns_far(world, obstacle) || moved + turned * (double)row->max_extent > 0.5 * (double)row->min_extent;
}

void d3_body_goes(const struct world *world, uint32_t id, struct bullet_path *delta)
{
	const struct d3_body *row = d3_row(world, id);
	*delta = (struct bullet_path){.from = {row->x0, row->y0, row->z0},
		.delta = {row->x - row->x0, row->y - row->y0, row->z - row->z0},
		.reach = (double)row->max_extent,
		.body = id};
}

void d3_body_look(const struct world *world, uint32_t id, struct path_hit *hit)
{
	struct sweep_query query;
	query_init(world, id, &query);
	d3_ccd_colliders_sweep(&query, &world->bodies.data[id]);
	*hit = (struct path_hit){.t = query.t, .carrier = NONE};
	if (query.t >= 1.0f)
		return;
	const struct met *first = &query.first;
	*hit =
		(struct path_hit){{first->normal.x, first->normal.y, first->normal.z}, {first->place.x, first->place.y, first->place.z},
			first->body, {first->proxies[0], first->proxies[1]}, query.t, query.turns, query.deep, .carrier = NONE};
}

/* Takes over the known impact of a bullet, and tests the bullets that have been moved since. */
static void look_again(struct sweep_query *query)
{
	const struct path_hit *hit = &query->world->hits.data[query->world->bodies.data[query->body].row];
	const double *n = hit->normal, *p = hit->place;
	query->later = true;
	query->again = !hit->stale;
	if (query->again) {
		query->first =
			(struct met){hit->body, {hit->proxies[0], hit->proxies[1]}, {n[0], n[1], n[2]}, {p[0], p[1], p[2]}, false};
		query->t = hit->t;
		query->turns = hit->turns;
		query->deep = hit->deep;
	}
	if (hit->touched)
		d3_ccd_colliders_sweep(query, &query->world->bodies.data[query->body]);
	d3_ccd_query_pose(query);
}

/* Records the body's carrier at the end of its path. */
static void ride_note(const struct sweep_query *query)
{
	query->world->hits.data[query->world->bodies.data[query->body].row].carrier =
		query->impacts < LAST_IMPACT && !query->crowded ? query->carrier : NONE;
}

bool d3_body_sweep(struct world *world, uint32_t id)
{
	struct d3_body *row = d3_row(world, id);
	struct sweep_query query;
	query_init(world, id, &query);
	if (world->looked)
		look_again(&query);
	else
		d3_ccd_colliders_sweep(&query, &world->bodies.data[id]);
	if (query.t >= 1.0f)
		return false;
	struct d3_body whole = *row;
	struct d3_state motion = *d3_state(world, id);
	struct d3_sweep obstacle = d3_ccd_obstacle_path(world, query.first.body);
	bool middle = query.turns;
	bool moves = d3_ccd_path_leads_on(&obstacle) || world->bodies.data[query.first.body].type == BODY_DYNAMIC;
	if (!moves && !middle)
		slide_along(&query);
	else
		sweep_on(&query, NULL);
	if (!bounces_keep(&query)) {
		*row = whole;
		*d3_state(world, id) = motion;
		bits_set_shared(&world->bouncing_bodies, id);
		return false;
	}
	if (world->looked)
		ride_note(&query);
	d3_state(world, id)->turn = query.turn_before;
	if (!middle && query.bounce_count == 0)
		fall_forget(world, id, whole.x, whole.y, whole.z);
	return true;
}

bool d3_body_impact(const struct world *world, uint32_t id, struct path_impact *impact)
{
	struct path_hit hit;
	d3_body_look(world, id, &hit);
	if (hit.t >= 1.0f)
		return false;
	struct d3_pose pose = d3_ccd_pose_at(world, hit.body, 1.0f);
	struct d3_vec_d n = d3_ccd_turned_out(pose.q, (struct d3_vec_d){hit.normal[0], hit.normal[1], hit.normal[2]});
	struct d3_vec_d place = point_at(&pose, (struct d3_vec_d){hit.place[0], hit.place[1], hit.place[2]});
	*impact = (struct path_impact){
		hit.t, hit.body, hit.deep, {{n.x, n.y, n.z}, d3_dot_d(n, d3_sub_d(place, row_center(d3_row(world, id))))}};
	return true;
}

void d3_body_fell(struct world *world, uint32_t id, const struct body_place *end)
{
	fall_forget(world, id, end->center[0], end->center[1], end->center[2]);
}

void d3_body_put(struct world *world, uint32_t id, const struct body_place *place)
{
	const float *q = place->turn;
	center_place(world, id, (struct d3_vec_d){place->center[0], place->center[1], place->center[2]},
		(struct d3_quat){q[0], q[1], q[2], q[3]});
}
