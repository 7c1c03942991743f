/* ccd.c - continuous collision: a body that moved far in one step is taken back to where it first touches something. From there the obstacle carries
** it along, or, if that stands still, it goes the rest of its way along the surface. It keeps its velocity, so that the contact of the next step can
** stop or reflect it. Against static and kinematic bodies always, against dynamic ones for bullets.
** Source: Catto, "Continuous Collision", GDC 2013.
** Floor: d2. Any thread, but for bullets and worlds with a filter: these serially, in id order. */
#include "core/ccd.h"
#include "core/pairs.h"
#include "d2/hull.h"
#include "d2/manifold.h"
#include "d2/toi.h"
#include "d2/wing.h"

/* Of the smallest extent, and a slop at least, against chains; of the shape against what is kinematic: Box2D's B2_CORE_FRACTION. */
#define CORE 0.25f

struct sweep_query {
	struct world *world;
	uint32_t proxy; /* that moves */
	bool bullet;
	bool jointed; /* only its core is stopped, see make_core */
	uint32_t carrier; /* the body that it is carried along by, or NONE: then it looks at nothing dynamic that moves, either */
	float from; /* when in the step it begins to be: the obstacles' part of the step before that is over */
	struct d2_sweep sweep;
	struct d2_sweep obstacle; /* the motion of what it hit first */
	uint32_t obstacle_body;
	struct d2_vec normal; /* of the obstacle there, towards the body, in the world */
	struct box box; /* around the whole way */
	float extent, bulge; /* of the body; and how far a point of it is from its straight way at most, where it turns [length] */
	float core; /* as deep as its middle may get into a chain unchecked [length] */
	float target, tolerance; /* gap to keep, and how exactly [length] */
	float t; /* free way so far: a fraction of the step */
	float middle_t; /* the same for the middle of what touches already */
	bool middle_turns; /* it is not the centre of mass, so that a turn alone may carry it through */
	void (*against)(struct sweep_query *query, uint32_t other_id); /* what is asked of each proxy near the way */
	float near; /* answers of near_against: the least distance from the obstacle [length], and */
	struct d2_vec_d near_normal; /* its normal there, in the world */
};

/* The centre of mass of the shape's outline, at the start or the end of the sweep. */
static struct d2_vec place_in(const struct d2_pose *frame, const struct d2_sweep *sweep, float t, struct d2_vec point)
{
	struct d2_pose pose = d2_sweep_pose(sweep, t);
	return d2_transform_point(d2_pose_relative(frame, &pose), point);
}

/* A chain stops only what starts in front of it and moves further in, so far that the contact might miss it: what lies on it and slides, or is pressed
** against it, is not held back. Source: Box2D's b2ContinuousQueryCallback (Catto, 2025). */
static bool chain_in_the_way(const struct sweep_query *query, const struct d2_shape *chain, uint32_t child,
	const struct d2_sweep *obstacle, struct d2_vec centroid)
{
	struct d2_pose first = d2_sweep_pose(obstacle, 0.0f), last = d2_sweep_pose(obstacle, query->t);
	struct d2_vec start = place_in(&first, &query->sweep, 0.0f, centroid), end = place_in(&last, &query->sweep, query->t, centroid);
	float from = d2_dot(chain->normals[child], d2_sub(start, chain->points[child]));
	float to = d2_dot(chain->normals[child], d2_sub(end, chain->points[child]));
	return from > 0.0f && to < from && (from - to >= query->core || to <= query->core);
}

/* Keeps what ends the free way first. */
static void hit_note(struct sweep_query *query, const struct d2_sweep *obstacle, uint32_t obstacle_body, const struct d2_toi *toi)
{
	query->obstacle = *obstacle;
	query->obstacle_body = obstacle_body;
	query->normal = d2_rotate(d2_sweep_pose(obstacle, toi->t).q, toi->normal);
}

/* The shape touches already, which the contact deals with; but its middle must not get through: it may come nearer by half of
** what is left in one step, and no nearer than a slop. Closer, a rounding error could put it on the other side of what is thin,
** and the contact would push it out there. */
static void sweep_middle(struct sweep_query *query, const struct d2_proxy *a, const struct d2_sweep *obstacle, uint32_t obstacle_body,
	const struct d2_vec *centroid)
{
	struct d2_proxy middle = {.type = D2_PROXY_POINTS, .count = 1, .points = centroid};
	struct d2_pose pose = d2_sweep_pose(obstacle, 0.0f), start = d2_sweep_pose(&query->sweep, 0.0f);
	struct d2_pose end_pose = d2_sweep_pose(obstacle, 1.0f);
	struct d2_transform b_in_a = d2_pose_relative(&pose, &start);
	struct d2_distance_result near;
	d2_distance(a, &middle, &b_in_a, &near);
	struct d2_vec way = d2_sub(place_in(&end_pose, &query->sweep, 1.0f, *centroid), place_in(&pose, &query->sweep, 0.0f, *centroid));
	if (near.distance <= 0.0f || d2_dot(way, near.normal) >= 0.0f)
		return; /* inside already: the contact pushes it out; or on its way out */
	struct d2_toi toi = {D2_TOI_HIT, 0.0f, near.normal};
	if (near.distance > query->target) {
		float target = max_f(query->target, min_f(4.0f * query->target, 0.5f * near.distance));
		toi = d2_time_of_impact(a, obstacle, &middle, &query->sweep, target, 0.25f * target, query->middle_t);
	}
	if (toi.state == D2_TOI_SEPARATED || toi.t >= query->middle_t)
		return;
	query->middle_t = toi.t;
	query->middle_turns = d2_length(d2_sub(*centroid, query->sweep.local_center)) > query->target;
	hit_note(query, obstacle, obstacle_body, &toi);
}

static struct d2_sweep body_way(const struct d2_body *row)
{
	return (struct d2_sweep){row->local_center, row->x0, row->y0, row->x, row->y, row->q0, d2_rot_angle(d2_inv_mul_rot(row->q0, row->q))};
}

/* The height of an arc over its chord: r (1 - cos(angle/2)). */
static float arc_bulge(float radius, struct d2_rot from, struct d2_rot to)
{
	float cosine = from.c * to.c + from.s * to.s;
	return radius * max_f(0.0f, 1.0f - sqrtf(max_f(0.0f, 0.5f + 0.5f * cosine)));
}

float d2_body_bulge(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	return arc_bulge(row->max_extent, row->q0, row->q);
}

static struct d2_sweep obstacle_way(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	if (world->bodies.data[body].set == SET_AWAKE)
		return body_way(row);
	struct d2_pose pose = d2_row_pose(row);
	return d2_sweep_fixed(&pose);
}

/* What is left of it then. */
static struct d2_sweep way_from(struct d2_sweep way, float t)
{
	if (t > 0.0f) {
		way.q0 = d2_sweep_pose(&way, t).q;
		way.x0 += (double)t * (way.x1 - way.x0);
		way.y0 += (double)t * (way.y1 - way.y0);
		way.angle *= 1.0f - t;
	}
	return way;
}

/* What is round may sink in by a slop before it is stopped, like what lies there: a gap to keep would hold back whatever slides along, and tear at
** its joints. */
static void sink(struct d2_proxy *proxy, float depth)
{
	proxy->radius -= min_f(proxy->radius, depth);
}

/* A shape drawn together about its middle. Unless the body is a bullet, only a quarter of it is stopped by kinematic obstacles, since a stop costs the rest
** of the step and the contact handles what is not through (a drum at 30 Hz with springs of 15 Hz: 0.25 bodies lose half a step, 0.75 with a half of the shape;
** Box2D does not sweep against them at all); and only a half of the shape of a body on joints: where the whole of a wheel is taken back
** to where it touches the ground, the car goes on, and the joint is torn open by what is left of the way (120 mm at 30 Hz, where a car drives over bumps at
** 9 m/s; 16 mm with this). The contact of the next step finds it deeper in the ground instead, and both are held by the same solve. */
#define JOINTED_CORE 0.5f

struct core {
	struct d2_vec points[D2_HULL_MAX + 1];
	struct d2_edge edges[D2_HULL_MAX];
};

static struct d2_proxy make_core(const struct d2_proxy *whole, struct d2_vec middle, struct core *core, float part)
{
	struct d2_proxy proxy = *whole;
	proxy.points = core->points;
	proxy.axes = d2_scale(part, whole->axes);
	proxy.radius = part * whole->radius;
	for (uint32_t i = 0; i < whole->count; ++i)
		core->points[i] = d2_mul_add(middle, part, d2_sub(whole->points[i], middle));
	core->points[whole->count] = core->points[0];
	if (whole->edges == NULL || whole->count < 2) /* a point has no edges at its address */
		return proxy;
	proxy.edges = core->edges;
	for (uint32_t i = 0; i < whole->count; ++i)
		core->edges[i] = (struct d2_edge){whole->edges[i].normal, (double)part * whole->edges[i].length};
	return proxy;
}

/* Whether it goes along a face of the obstacle, at most a slop below it and half a one for what rests on it: then the obstacle's other
** faces are seams between it and what lies beside it. */
static bool slides_over(const struct sweep_query *query, const struct d2_shape *a, uint32_t child, const struct d2_sweep *obstacle,
	const struct d2_shape *b)
{
	struct d2_transform places[3];
	for (int i = 0; i < 3; ++i) {
		float t = 0.5f * (float)i * query->t;
		struct d2_pose frame = d2_sweep_pose(obstacle, t), pose = d2_sweep_pose(&query->sweep, t);
		places[i] = d2_pose_relative(&frame, &pose);
	}
	return d2_stays_above(a, child, b, places, 3, min_f(1.5f * query->target, 0.5f * b->inner));
}

static void sweep_against(struct sweep_query *query, uint32_t other_id)
{
	struct world *world = query->world;
	const struct proxy *proxy = &world->proxies.data[query->proxy], *other = &world->proxies.data[other_id];
	const struct collider *a = &world->colliders.data[other->collider], *b = &world->colliders.data[proxy->collider];
	const struct body *other_body = &world->bodies.data[a->body];
	if (!query->bullet && other_body->type == BODY_DYNAMIC)
		return;
	if (query->carrier != NONE && (a->body == query->carrier || (other_body->set == SET_AWAKE && other_body->type == BODY_DYNAMIC)))
		return;
	if (!sweep_allowed(world, query->proxy, other_id))
		return;
	const struct d2_shape *shape_a = (const struct d2_shape *)a->shape, *shape_b = (const struct d2_shape *)b->shape;
	struct d2_sweep obstacle = way_from(obstacle_way(world, a->body), query->from);
	if (shape_a->type == D2_CHAIN && !chain_in_the_way(query, shape_a, other->child, &obstacle, shape_b->centroid))
		return;
	if (slides_over(query, shape_a, other->child, &obstacle, shape_b))
		return;
	struct d2_proxy proxy_a = d2_make_proxy(shape_a, other->child), proxy_b = d2_make_proxy(shape_b, proxy->child);
	struct core core;
	if (query->jointed || (other_body->type == BODY_KINEMATIC && !query->bullet))
		proxy_b = make_core(&proxy_b, shape_b->centroid, &core, query->jointed ? JOINTED_CORE : CORE);
	struct d2_proxy sunk_a = proxy_a, sunk_b = proxy_b;
	sink(&sunk_b, 2.0f * query->target);
	sink(&sunk_a, 2.0f * query->target - (proxy_b.radius - sunk_b.radius));
	struct d2_toi toi = d2_time_of_impact(&sunk_a, &obstacle, &sunk_b, &query->sweep, query->target, query->tolerance, query->t);
	if (toi.state == D2_TOI_OVERLAPPED) {
		sweep_middle(query, &proxy_a, &obstacle, a->body, &shape_b->centroid);
	} else if (toi.state != D2_TOI_SEPARATED && toi.t > 0.0f && toi.t < query->t) {
		query->t = toi.t; /* when the search failed, the way up to t is free all the same */
		if (toi.t < query->middle_t)
			hit_note(query, &obstacle, a->body, &toi);
	}
}

/* How near the shape, where it is, is to the obstacle. */
static void near_against(struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	const struct proxy *proxy = &world->proxies.data[query->proxy], *other = &world->proxies.data[other_id];
	const struct collider *a = &world->colliders.data[other->collider], *b = &world->colliders.data[proxy->collider];
	if (a->body != query->obstacle_body || !sweep_allowed(world, query->proxy, other_id))
		return;
	struct d2_proxy proxy_a = d2_make_proxy((const struct d2_shape *)a->shape, other->child);
	struct d2_proxy proxy_b = d2_make_proxy((const struct d2_shape *)b->shape, proxy->child);
	struct d2_sweep obstacle = obstacle_way(world, a->body);
	struct d2_pose frame = d2_sweep_pose(&obstacle, 1.0f), pose = d2_sweep_pose(&query->sweep, 1.0f);
	struct d2_transform b_in_a = d2_pose_relative(&frame, &pose);
	struct d2_distance_result near;
	d2_distance(&proxy_a, &proxy_b, &b_in_a, &near);
	if (near.distance < query->near) {
		query->near = near.distance;
		query->near_normal = d2_widen(d2_rotate(frame.q, near.normal));
	}
}

static bool sweep_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
	query->against(query, value);
	return true;
}

static void sweep_proxy(struct sweep_query *query, uint32_t proxy)
{
	struct world *world = query->world;
	struct d2_pose start = d2_sweep_pose(&query->sweep, 0.0f), end = d2_sweep_pose(&query->sweep, query->t);
	const struct d2_shape *shape = d2_collider_shape(world, world->proxies.data[proxy].collider);
	uint32_t child = world->proxies.data[proxy].child;
	float margin = query->target + query->bulge;
	struct box box_start = d2_shape_box(shape, child, &start, margin), box_end = d2_shape_box(shape, child, &end, margin);
	query->proxy = proxy;
	query->box = box_union(&box_start, &box_end);
	tree_query(&world->trees[0], &query->box, sweep_visit, query);
	if (query->bullet)
		tree_query(&world->trees[1], &query->box, sweep_visit, query);
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		if (world->wing->proxy_meets_box(world, world->unbounded.data[i], &query->box))
			query->against(query, world->unbounded.data[i]);
}

static void colliders_sweep(struct sweep_query *query, const struct body *body)
{
	const struct world *world = query->world;
	query->bulge = arc_bulge(query->extent, query->sweep.q0, d2_sweep_pose(&query->sweep, 1.0f).q);
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		for (uint32_t p = collider->proxies; p != NONE && !collider->sensor; p = world->proxies.data[p].next)
			if (!world->proxies.data[p].unbounded)
				sweep_proxy(query, p);
	}
}

static void row_place(struct d2_body *row, const struct d2_pose *pose)
{
	struct d2_vec r = d2_rotate(pose->q, row->local_center);
	row->x = pose->x + (double)r.x;
	row->y = pose->y + (double)r.y;
	row->q = pose->q;
}

/* What is stopped on its way down has not fallen the rest of it, and has no right to the speed of that fall: with it, what meets the ground fast
** would win height.
**   v_g' = sqrt(v_g^2 - 2 g d), v_g along g, what gravity and forces accelerate it by, d how much lower it would be [length] */
static void fall_forget(const struct world *world, uint32_t id, double x, double y)
{
	const struct d2_body *row = d2_row(world, id);
	struct d2_state *state = d2_state(world, id);
	struct d2_vec gravity = d2_scale(world->step.inv_h, d2_step_rows(world)[world->bodies.data[id].row].add);
	double gx = (double)gravity.x, gy = (double)gravity.y;
	double work = gx * (x - row->x) + gy * (y - row->y), square = gx * gx + gy * gy, along = gx * (double)state->v.x + gy * (double)state->v.y;
	if (work > 0.0 && along > 0.0) {
		double left = sqrt(max_d(0.0, along * along - 2.0 * work * square));
		state->v = d2_mul_add(state->v, (float)((left - along) / square), gravity);
	}
}

/* Puts the body, which stands at the end of the sweep, where the free way ends. A middle that is the centre of mass cuts the way and not the turn: a body
** that rocks on a corner goes on rocking. A disc turns in itself. */
static void stop_at(struct d2_body *row, const struct sweep_query *query)
{
	const struct d2_sweep *way = &query->sweep;
	float t = min_f(query->t, query->middle_t);
	struct d2_rot q = row->q;
	if (row->max_extent > row->min_extent + query->target)
		q = d2_sweep_pose(way, query->middle_t < query->t && query->middle_turns ? t : query->t).q;
	row->x = way->x0 + (double)t * (way->x1 - way->x0);
	row->y = way->y0 + (double)t * (way->y1 - way->y0);
	row->q = q;
}

static bool way_leads_on(const struct d2_sweep *way)
{
	return way->x0 != way->x1 || way->y0 != way->y1 || way->angle != 0.0f;
}

/* The second part of the way, from where the first was cut to where the body stands now. */
static void sweep_rest(struct d2_body *row, const struct body *body, const struct sweep_query *query, const struct d2_pose *start, uint32_t carrier)
{
	struct sweep_query rest = *query;
	double x = row->x, y = row->y;
	struct d2_rot q = row->q;
	row_place(row, start);
	rest.sweep = (struct d2_sweep){row->local_center, row->x, row->y, x, y, row->q, d2_rot_angle(d2_inv_mul_rot(row->q, q))};
	row->x = x;
	row->y = y;
	row->q = q;
	rest.carrier = carrier;
	rest.from = min_f(query->t, query->middle_t);
	rest.t = rest.middle_t = 1.0f;
	colliders_sweep(&rest, body);
	if (rest.t < 1.0f || rest.middle_t < 1.0f)
		stop_at(row, &rest);
}

/* From where it touches a moving obstacle as if it stuck to it, but through nothing that stands still or is kinematic. In double: they
** may be far apart, and their bodies' origins always are where one of them is a long floor. */
static void carry_along(struct d2_body *row, const struct body *body, const struct sweep_query *query)
{
	const struct d2_sweep *way = &query->obstacle;
	struct d2_pose start = d2_row_pose(row), pose = start;
	struct d2_pose then = d2_sweep_pose(way, min_f(query->t, query->middle_t)), end = d2_sweep_pose(way, 1.0f);
	struct d2_rot turn = d2_inv_mul_rot(then.q, end.q);
	double dx = pose.x - then.x, dy = pose.y - then.y;
	pose.x = end.x + ((double)turn.c * dx - (double)turn.s * dy);
	pose.y = end.y + ((double)turn.s * dx + (double)turn.c * dy);
	pose.q = d2_normalize_rot(d2_mul_rot(turn, pose.q));
	row_place(row, &pose);
	sweep_rest(row, body, query, &start, query->obstacle_body);
}

/* How near the body, where it is, is to the obstacle, no farther than a contact in the next step may be. */
static struct sweep_query nearness(struct d2_body *row, const struct body *body, const struct sweep_query *query)
{
	struct d2_pose pose = d2_row_pose(row);
	struct sweep_query near = *query;
	near.sweep = d2_sweep_fixed(&pose);
	near.t = 1.0f;
	near.target = 2.0f * query->target;
	near.near = INFINITY;
	near.against = near_against;
	near.bullet = false;
	colliders_sweep(&near, body);
	return near;
}

/* Cosine of the angle by which the normal of an impact may turn while the body goes on along the surface, 8 degrees. */
#define SAME_WAY 0.99

/* From where it touches an obstacle that stands still: the rest of its way without the part along the normal, which is for the contact to change. Not to
** where there is no contact, off the edge of a platform or past a peg: there the impact would be lost; nor to where the obstacle has
** another normal, which the impact would take. */
static void slide_along(struct d2_body *row, const struct body *body, const struct sweep_query *query)
{
	struct d2_pose start = d2_row_pose(row);
	struct sweep_query before = nearness(row, body, query);
	struct d2_vec_d n = d2_widen(query->normal);
	double left = 1.0 - (double)min_f(query->t, query->middle_t);
	double dx = left * (query->sweep.x1 - query->sweep.x0), dy = left * (query->sweep.y1 - query->sweep.y0);
	double normal = n.x * dx + n.y * dy;
	row->x += dx - normal * n.x;
	row->y += dy - normal * n.y;
	sweep_rest(row, body, query, &start, NONE);
	struct sweep_query after = nearness(row, body, query);
	double same = before.near_normal.x * after.near_normal.x + before.near_normal.y * after.near_normal.y;
	if (after.near > 2.0f * query->target || same < SAME_WAY)
		row_place(row, &start);
}

bool d2_body_sweep(struct world *world, uint32_t id)
{
	struct d2_body *row = d2_row(world, id);
	const struct body *body = &world->bodies.data[id];
	float slop = LINEAR_SLOP * world->settings.length_scale;
	struct sweep_query query = {
		.world = world,
		.bullet = body->bullet,
		.jointed = !body->bullet && body->edges[EDGE_JOINT] != NONE,
		.against = sweep_against,
		.obstacle_body = NONE,
		.carrier = NONE,
		.extent = row->max_extent,
		.sweep = body_way(row),
		.core = max_f(slop, CORE * row->min_extent),
		.target = slop,
		.tolerance = 0.25f * slop,
		.t = 1.0f,
		.middle_t = 1.0f,
	};
	colliders_sweep(&query, body);
	if (query.t >= 1.0f && query.middle_t >= 1.0f)
		return false;
	double x = row->x, y = row->y;
	stop_at(row, &query);
	if (way_leads_on(&query.obstacle))
		carry_along(row, body, &query);
	else if (query.middle_t >= query.t && world->bodies.data[query.obstacle_body].type != BODY_DYNAMIC)
		slide_along(row, body, &query);
	if (query.middle_t >= query.t)
		fall_forget(world, id, x, y);
	return true;
}
