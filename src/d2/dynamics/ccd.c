/* ccd.c - continuous collision: a body that moved far in one step is taken back to its first contact. From there a moving
 * obstacle carries it along; along an obstacle at rest it slides for the rest of its displacement. It keeps its velocity, so
 * that the contact of the next step can stop or reflect it. Static and kinematic obstacles stop all bodies, dynamic ones only
 * bullets.
 * Source: Catto, "Continuous Collision", GDC 2013.
 * Any thread, but for bullets and worlds with a filter: these serially, in id order. */
#include "core/ccd.h"
#include "core/impact.h"
#include "core/pairs.h"
#include "d2/query/time_of_impact.h"
#include "d2/shape/hull.h"
#include "d2/manifold/manifold.h"
#include "d2/query/sweep_separation.h"
#include "d2/dynamics/rebound.h"
#include "d2/dynamics/wing.h"

#include <string.h>

/* Size of the core that must not pass through: as a fraction of the smallest extent (a slop at least) against chains; of the
 * shape against kinematic obstacles, and where the shapes overlap. Box2D's B2_CORE_FRACTION. */
#define CORE 0.25f

/* After IMPACTS impacts in a step the rest of the body's displacement is lost, and dynamic bodies do not stop it any more.
 * LAST_IMPACT is the last one: see way_end. */
enum { IMPACTS = 7, LAST_IMPACT = 8 };

/* Maximum number of parts of the path after the last impact: an arc has up to 16. */
enum { PARTS = 24 };

/* A surface that the swept body has hit in this step, and stays in front of. */
struct met {
	uint32_t body; /* the obstacle */
	uint32_t proxies[2]; /* of the body, and of the obstacle */
	/* in the obstacle's frame, at the impact: its normal towards the body, and the body's centre of mass */
	struct d2_vec_d normal, place;
	bool bounced; /* the body bounced off it within the sweep */
};

struct sweep_query {
	struct world *world;
	uint32_t id; /* the swept body */
	const struct body *body;
	uint32_t proxy; /* the body's proxy under test */
	uint32_t other; /* the obstacle's proxy under test */
	bool bullet;
	bool jointed; /* the body is on joints: only its core is stopped, see make_core */
	bool shared; /* see world->shared */
	bool later; /* bullets may have been moved since body_look tested this path */
	bool again; /* only those bullets are tested */
	bool crowded; /* too many impacts, or jammed by a dynamic body: dynamic bodies do not stop the body any more */
	struct d2_sweep sweep; /* the part of the body's path under test */
	float from, until; /* start and end of this part, as fractions of the step */
	uint32_t carrier; /* the obstacle that carries the body along, or NONE */
	struct d2_sweep relative; /* the same part, with the carrier fixed at its pose at `from` */
	uint32_t ignored; /* an obstacle that does not stop the body, or NONE */
	bool bent; /* `sweep` deviates from `relative` by more than a slop: the carrier is tested like other obstacles */
	const struct d2_sweep *seen; /* &sweep or &relative: the motion tested against the current obstacle */
	float arc; /* deviation of `seen` from a straight path in the obstacle's frame [length] */
	struct d2_motions motions; /* of the obstacle, and `seen` */
	bool posed; /* start, end and bulge are known */
	struct d2_pose start, end; /* poses of the sweep */
	struct box box; /* AABB of the proxy's path */
	bool boxed; /* `box` is valid */
	float extent, bulge; /* max_extent; greatest distance of the body's points from straight paths [length] */
	float turn_before; /* rotation in the parts before [rad] */
	float core; /* threshold for chains: see chain_in_the_way [length] */
	float target, tolerance; /* separation to keep, and its tolerance [length] */
	float t; /* free fraction of the part under test */
	struct met first; /* the impact at t */
	double lift; /* added along the normal to the position that `first` records [length] */
	bool turns; /* the centre of mass hits, so that the body may rotate on */
	bool deep; /* the core or the middle hits; the surface overlaps already */
	bool behind; /* the body starts behind a one-sided obstacle, which stops it only from the front */
	struct d2_vec front; /* the obstacle's front direction, in its frame */
	struct met met[LAST_IMPACT];
	int impacts;
	struct impact bounces[LAST_IMPACT]; /* the impacts where it bounced */
	int bounce_count;
	void (*against)(struct sweep_query *query, uint32_t other_id); /* called for each obstacle's proxy near the path */
	float near; /* result of near_against: least distance from the obstacle [length] */
	struct d2_vec_d near_normal; /* the obstacle's normal there, in the world */
};

/* A point of the body at time t, in the frame of `frame`. */
static struct d2_vec place_in(const struct d2_pose *frame, const struct d2_sweep *sweep, float t, struct d2_vec point)
{
	struct d2_pose pose = d2_sweep_pose(sweep, t);
	return d2_transform_point(d2_pose_relative(frame, &pose), point);
}

/* Deviation of the path of a shape's middle (its centroid) from a straight line [length]: the obstacle rotates, or the body
 * rotates and the middle is not its centre of mass. */
static float middle_arc(const struct sweep_query *query, struct d2_vec centroid)
{
	return query->arc +
		0.125f * query->seen->angle * query->seen->angle * d2_length(d2_sub(centroid, query->seen->local_center));
}

/* Whether two segments of a chain, the second from `joint` to `far`, form a ridge, and `place` is in front of the second. */
static bool front_at_ridge(
	struct d2_vec joint, struct d2_vec far, struct d2_vec first_normal, struct d2_vec second_normal, struct d2_vec place)
{
	return d2_dot(first_normal, d2_sub(far, joint)) < 0.0f && d2_dot(second_normal, d2_sub(place, joint)) > 0.0f;
}

/* The normal of the segment; or of its neighbour, if both form a ridge and `place` is behind the segment and in front of the
 * neighbour: a rotating obstacle may push the segment against a body there. */
static struct d2_vec chain_front(const struct d2_shape *chain, uint32_t child, struct d2_vec place)
{
	const struct d2_vec *points = chain->points, *normals = chain->normals, n = normals[child];
	uint32_t links = chain->loop ? chain->count : chain->count - 1;
	uint32_t after = (child + 1) % links;
	uint32_t before = (child + links - 1) % links;
	if (d2_dot(n, d2_sub(place, points[child])) > 0.0f)
		return n;
	if ((chain->loop || after > child) && front_at_ridge(points[after], points[after + 1], n, normals[after], place))
		return normals[after];
	if ((chain->loop || before < child) && front_at_ridge(points[child], points[before], n, normals[before], place))
		return normals[before];
	return n;
}

/* A chain stops only bodies that start in front of it and move towards it, so far that the contact might miss them. Bodies that
 * slide on it or are pressed against it are not held back. Source: Box2D's b2ContinuousQueryCallback (Catto, 2025). */
static bool chain_in_the_way(struct sweep_query *query, const struct d2_shape *chain, uint32_t child,
	const struct d2_sweep *obstacle, struct d2_vec centroid)
{
	struct d2_pose first = d2_sweep_pose(obstacle, 0.0f), last = d2_sweep_pose(obstacle, query->t);
	struct d2_vec start = place_in(&first, query->seen, 0.0f, centroid), end = place_in(&last, query->seen, query->t, centroid);
	float from = d2_dot(chain->normals[child], d2_sub(start, chain->points[child]));
	float to = d2_dot(chain->normals[child], d2_sub(end, chain->points[child]));
	float arc = middle_arc(query, centroid);
	query->behind = from <= 0.0f;
	query->front = chain_front(chain, child, start);
	if (arc > 0.0f)
		return comes_through((double)from, (double)to, (double)arc, (double)query->core) &&
			(from - to >= query->core || min_f(from, to) - arc <= query->core);
	return from > 0.0f && to < from && (from - to >= query->core || to <= query->core);
}

/* Whether a body rotated by more than a quarter turn in this step, so that its poses may not tell by how much. False for bodies
 * of a linkage that was taken back, whose state->turn is not valid. */
static bool turns_far(const struct world *world, uint32_t body)
{
	return !bits_has(&world->taken_bodies, body) && abs_f(d2_state(world, body)->turn) > 0.5f * SCALAR_PI_F;
}

/* The angle by which a body rotated in this step, which may exceed half a turn. */
static float body_turned(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	double angle = (double)d2_rot_angle(d2_inv_mul_rot(row->q0, row->q)), about = (double)d2_state(world, body)->turn;
	if (!turns_far(world, body))
		return (float)angle;
	return (float)(angle + 2.0 * SCALAR_PI * floor((about - angle) / (2.0 * SCALAR_PI) + 0.5));
}

static struct d2_sweep obstacle_way(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	if (world->bodies.data[body].set == SET_AWAKE)
		return (struct d2_sweep){row->local_center, row->x0, row->y0, row->x, row->y, row->q0, body_turned(world, body)};
	struct d2_pose pose = d2_row_pose(row);
	return d2_sweep_fixed(&pose);
}

static struct d2_vec_d sweep_center(const struct d2_sweep *delta, float t)
{
	return (struct d2_vec_d){delta->x0 + (double)t * (delta->x1 - delta->x0), delta->y0 + (double)t * (delta->y1 - delta->y0)};
}

static struct d2_pose pose_at(const struct world *world, uint32_t body, float time)
{
	struct d2_sweep delta = obstacle_way(world, body);
	return d2_sweep_pose(&delta, time);
}

/* Whether the hit is from the front of the obstacle, if that is one-sided. */
static bool comes_from_front(
	const struct sweep_query *query, const struct d2_sweep *obstacle, double t, const struct d2_vec_d *normal)
{
	return !query->behind || d2_dot_d(*normal, d2_rotate_d(d2_sweep_pose(obstacle, (float)t).q, d2_widen(query->front))) > 0.0;
}

/* Whether the body does not approach the obstacle along this normal: neither rotates, and the body moves along the surface or
 * away from it. */
static bool goes_along(const struct sweep_query *query, const struct d2_sweep *obstacle, const struct d2_vec_d *normal)
{
	const struct d2_sweep *delta = query->seen;
	struct d2_vec_d moves = d2_sub_d(d2_sub_d(sweep_center(delta, 1.0f), sweep_center(delta, 0.0f)),
		d2_sub_d(sweep_center(obstacle, 1.0f), sweep_center(obstacle, 0.0f)));
	return delta->angle == 0.0f && obstacle->angle == 0.0f &&
		d2_dot_d(moves, *normal) >= -PATH_ROUNDING * (double)query->target;
}

/* Records a hit at time t of `seen` if it is the first, from the front, and the body approaches. */
static void hit_note(struct sweep_query *query, const struct d2_sweep *obstacle, uint32_t body, float t,
	const struct d2_vec_d *normal, bool deep, bool turns)
{
	if (t >= query->t || goes_along(query, obstacle, normal))
		return;
	const struct d2_sweep *delta = query->seen;
	struct d2_pose pose = d2_sweep_pose(obstacle, t);
	if (!comes_from_front(query, obstacle, t, normal))
		return;
	struct d2_vec_d off =
		d2_mul_add_d(d2_sub_d(sweep_center(delta, t), (struct d2_vec_d){pose.x, pose.y}), query->lift, *normal);
	query->t = t;
	query->first =
		(struct met){body, {query->proxy, query->other}, d2_inv_rotate_d(pose.q, *normal), d2_inv_rotate_d(pose.q, off), false};
	query->turns = turns;
	query->deep = deep;
}

/* Whether the shape's middle moves against the obstacle's normal up to time t. */
static bool middle_nears(const struct sweep_query *query, const struct d2_sweep *obstacle, const struct d2_vec *centroid,
	struct d2_vec normal, float t)
{
	struct d2_pose pose = d2_sweep_pose(obstacle, 0.0f), then = d2_sweep_pose(obstacle, t);
	return d2_dot(d2_sub(place_in(&then, query->seen, t, *centroid), place_in(&pose, query->seen, 0.0f, *centroid)), normal) <
		0.0f;
}

/* A body thinner than the penetration that contacts allow rests with its middle inside the obstacle. If the middle is less than
 * a slop below a face, it may get no deeper: that is a hit at once. */
static void sweep_sunk(struct sweep_query *query, const struct d2_proxy *a, const struct d2_sweep *obstacle, uint32_t body,
	const struct d2_vec *centroid)
{
	struct d2_pose pose = d2_sweep_pose(obstacle, 0.0f);
	struct d2_vec p = place_in(&pose, query->seen, 0.0f, *centroid), n = {0.0f, 0.0f};
	float height = -query->target;
	for (uint32_t i = 0; a->count > 1 && a->normals != NULL && i < a->count; ++i) { /* a point has no valid normals */
		float above = d2_dot(a->normals[i], d2_sub(p, a->points[i])) - a->radius;
		n = above > height ? a->normals[i] : n;
		height = max_f(height, above);
	}
	struct d2_vec_d normal = d2_widen(d2_rotate(pose.q, n));
	if (middle_nears(query, obstacle, centroid, n, 1.0f))
		hit_note(query, obstacle, body, 0.0f, &normal, true,
			d2_length(d2_sub(*centroid, query->sweep.local_center)) <= query->target);
}

/* If even the core overlaps, the contact pushes the shapes apart; but the shape's middle must not pass through. In one step the
 * middle's distance may fall to half, or to 4 slops if that is less, but not below a slop. Closer, a rounding error could put
 * the middle on the far side of a thin obstacle, where the contact would push it out. */
static void sweep_middle(struct sweep_query *query, const struct d2_proxy *a, const struct d2_sweep *obstacle, uint32_t body,
	const struct d2_vec *centroid)
{
	struct d2_proxy middle = {.type = D2_PROXY_POINTS, .count = 1, .points = centroid};
	struct d2_pose pose = d2_sweep_pose(obstacle, 0.0f), start = d2_sweep_pose(query->seen, 0.0f);
	struct d2_transform b_in_a = d2_pose_relative(&pose, &start);
	struct d2_gjk_result near;
	d2_gjk_distance(a, &middle, &b_in_a, &near);
	if (near.distance <= 0.0f) {
		sweep_sunk(query, a, obstacle, body, centroid);
		return;
	}
	/* on a bent path the middle may come nearer and end farther away */
	bool bent = middle_arc(query, *centroid) > 0.25f * near.distance;
	bool nears = middle_nears(query, obstacle, centroid, near.normal, bent ? 1.0f / 16.0f : 1.0f);
	if (!nears && !bent)
		return; /* the middle moves away */
	struct d2_impact_result impact = {.state = D2_IMPACT_HIT, .normal = d2_widen(d2_rotate(pose.q, near.normal))};
	float stop = near.distance;
	if (near.distance > query->target || !nears) {
		float half = 0.5f * near.distance;
		stop = nears ? max_f(query->target, min_f(4.0f * query->target, half)) : half;
		d2_time_of_impact(a, &middle, &query->motions, (double)stop, 0.25 * (double)stop, (double)query->t, &impact);
	}
	query->lift = max_d(0.0, (double)(query->target - stop));
	if (impact.state != D2_IMPACT_SEPARATED)
		hit_note(query, obstacle, body, (float)impact.t, &impact.normal, true,
			d2_length(d2_sub(*centroid, query->sweep.local_center)) <= query->target);
}

/* The height of an arc over its chord: r (1 - cos(angle/2)), at most r. */
static float arc_bulge(float radius, float angle)
{
	return abs_f(angle) < SCALAR_PI_F ? radius * max_f(0.0f, 1.0f - scalar_cos_sin(0.5 * (double)angle).cosine) : radius;
}

float d2_body_bulge(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	if (turns_far(world, id))
		return arc_bulge(row->max_extent, body_turned(world, id));
	float cosine = row->q0.c * row->q.c + row->q0.s * row->q.s;
	return row->max_extent * max_f(0.0f, 1.0f - sqrtf(max_f(0.0f, 0.5f + 0.5f * cosine)));
}

static struct d2_sweep way_part(const struct d2_sweep *delta, float from, float until)
{
	if (from <= 0.0f && until >= 1.0f)
		return *delta;
	struct d2_vec_d start = sweep_center(delta, from), end = sweep_center(delta, until);
	return (struct d2_sweep){
		delta->local_center, start.x, start.y, end.x, end.y, d2_sweep_pose(delta, from).q, (until - from) * delta->angle};
}

/* Reduces the radius, so that a round shape sinks in by a slop before it is stopped, as deep as it rests. To keep a separation
 * would hold back sliding bodies, and tear their joints. */
static void sink(struct d2_proxy *proxy, float depth)
{
	proxy->radius -= min_f(proxy->radius, depth);
}

/* make_core shrinks a shape about its middle. Kinematic obstacles stop only the shape of a quarter of the size, unless the body
 * is a bullet: a stop costs the rest of the step, and the contact handles a body that is not through. (In a drum at 30 Hz with
 * springs of 15 Hz, 0.25 bodies lose half a step; with half the size 0.75; Box2D does not sweep against kinematic bodies.) For
 * a jointed body the size is half, since a stop moves the other bodies, too: the contact of the next step finds a wheel deeper
 * in the ground instead, and the solver stops it together with its car. */
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
	if (whole->edges == NULL || whole->count < 2) /* a point has no valid edges */
		return proxy;
	proxy.edges = core->edges;
	for (uint32_t i = 0; i < whole->count; ++i)
		core->edges[i] = (struct d2_edge){whole->edges[i].normal, (double)part * whole->edges[i].length};
	return proxy;
}

static bool way_leads_on(const struct d2_sweep *delta)
{
	return delta->x0 != delta->x1 || delta->y0 != delta->y1 || delta->angle != 0.0f;
}

/* The body's pose at time t of the motion `seen`. */
static struct d2_pose seen_pose(const struct sweep_query *query, float t)
{
	if (query->seen == &query->sweep && (t == 0.0f || t == 1.0f))
		return t == 0.0f ? query->start : query->end;
	return d2_sweep_pose(query->seen, t);
}

/* How much lower a point of the shape may get between the start, middle and end of the motion than at these [length]: the path
 * of its middle is bent, and rotation by w in each half of the motion adds w^2 r / 8. */
static float dip_between(const struct sweep_query *query, const struct d2_sweep *obstacle, const struct d2_shape *b)
{
	float far = d2_length(d2_sub(b->centroid, query->seen->local_center)) + b->outer - b->radius;
	float turn = query->seen->angle - obstacle->angle;
	return 0.25f * query->arc + 0.03125f * turn * turn * far;
}

/* Whether the shape stays above a face of the obstacle, or at most 1.5 slops below it: one, and half a slop for bodies that
 * rest deeper. Then the obstacle does not stop it: its other faces are seams to its neighbours. */
static bool slides_over(const struct sweep_query *query, const struct d2_shape *a, uint32_t child,
	const struct d2_sweep *obstacle, const struct d2_shape *b)
{
	static const float times[3] = {0.0f, 1.0f, 0.5f};
	struct d2_transform places[3];
	struct d2_pose frame = d2_sweep_pose(obstacle, 0.0f);
	float depth =
		min_f(1.5f * query->target, 0.5f * b->inner) - max_f(0.0f, dip_between(query, obstacle, b) - 0.5f * query->target);
	for (uint32_t i = 0; i < 3; ++i) {
		float t = times[i] * query->t;
		if (i > 0 && way_leads_on(obstacle))
			frame = d2_sweep_pose(obstacle, t);
		struct d2_pose pose = seen_pose(query, t);
		places[i] = d2_pose_relative(&frame, &pose);
		if (i > 0 && !d2_stays_above(a, child, b, places, i + 1, depth))
			return false;
	}
	return true;
}

/* Whether the proxy can stop the body. */
static bool sweep_meets(const struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	const struct body *other = &world->bodies.data[body];
	return body != query->ignored && (other->type != BODY_DYNAMIC || (query->bullet && !query->crowded)) &&
		sweep_allowed(world, query->proxy, other_id);
}

/* Greatest deviation of the body's centre of mass from a straight path, relative to a rotating obstacle: 1/8 of the greatest
 * second derivative, the centrifugal and the Coriolis part of which are |w|^2 |p| + 2 |w| |v|. */
static float arc_of(const struct d2_sweep *delta, const struct d2_sweep *obstacle)
{
	if (obstacle->angle == 0.0f)
		return 0.0f;
	struct d2_vec_d start = d2_sub_d(sweep_center(delta, 0.0f), sweep_center(obstacle, 0.0f));
	struct d2_vec_d end = d2_sub_d(sweep_center(delta, 1.0f), sweep_center(obstacle, 1.0f));
	double w = (double)abs_f(obstacle->angle), far = max_d(d2_length_d(start), d2_length_d(end));
	return (float)(0.125 * (w * w * far + 2.0 * w * d2_length_d(d2_sub_d(end, start))));
}

/* Sets the body's motion `seen`, and returns the obstacle's. If the obstacle is the carrier, both are relative to it. */
static struct d2_sweep see(struct sweep_query *query, uint32_t body)
{
	struct d2_sweep delta = obstacle_way(query->world, body);
	bool carries = body == query->carrier && !query->bent;
	query->seen = carries ? &query->relative : &query->sweep;
	struct d2_sweep part = way_part(&delta, query->from, carries ? query->from : query->until);
	query->arc = arc_of(query->seen, &part);
	return part;
}

/* Finds the hit of the whole shape if that is separated at the start, else of its core, else of its middle. */
static void sweep_convex(struct sweep_query *query, const struct d2_proxy *a, const struct d2_sweep *obstacle, uint32_t body,
	const struct d2_proxy *b, const struct d2_vec *centroid)
{
	struct d2_proxy sunk_a = *a, sunk_b = *b;
	sink(&sunk_b, 2.0f * query->target);
	sink(&sunk_a, 2.0f * query->target - (b->radius - sunk_b.radius));
	query->lift = 0.0;
	struct d2_impact_result impact;
	d2_make_motions(obstacle, query->seen, &query->motions);
	d2_time_of_impact(
		&sunk_a, &sunk_b, &query->motions, (double)query->target, (double)query->tolerance, (double)query->t, &impact);
	/* A shape that has sunk in may hit a ridge from behind. */
	bool below = impact.state == D2_IMPACT_HIT && !comes_from_front(query, obstacle, impact.t, &impact.normal);
	bool deep = below || impact.state == D2_IMPACT_OVERLAPPING;
	if (deep) {
		struct core core;
		if (query->shared)
			bullet_ask(query->world, query->id, body);
		sunk_b = make_core(b, *centroid, &core, CORE);
		d2_time_of_impact(a, &sunk_b, &query->motions, 0.0, (double)query->tolerance, (double)query->t, &impact);
	}
	if (impact.state == D2_IMPACT_OVERLAPPING)
		sweep_middle(query, a, obstacle, body, centroid);
	else if (impact.state != D2_IMPACT_SEPARATED) /* if the search failed, the path up to t is free nevertheless */
		hit_note(query, obstacle, body, (float)impact.t, &impact.normal, deep, false);
}

/* Upper bound on the angle by which the body rotated in this step. */
static double turn_bound(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	if (world->bodies.data[body].set != SET_AWAKE)
		return 0.0;
	if (turns_far(world, body))
		return (double)abs_f(d2_state(world, body)->turn);
	double c = (double)(row->q0.c - row->q.c), s = (double)(row->q0.s - row->q.s);
	return 0.5 * SCALAR_PI * sqrt(c * c + s * s); /* >= 2 asin(d/2) */
}

/* turn_bound of the swept body, for the part of its path under test. */
static double own_turn_bound(const struct sweep_query *query)
{
	return query->posed ? (double)abs_f(query->sweep.angle) : turn_bound(query->world, query->id);
}

/* *p, *v: position and displacement of the swept body's centre of mass relative to a dynamic body's, in the part of the step
 * that takes it from `here` to `there`. */
static void ways_between(const struct sweep_query *query, uint32_t body, struct d2_vec_d here, struct d2_vec_d there,
	float until, struct d2_vec_d *p, struct d2_vec_d *v)
{
	const struct d2_body *row = d2_row(query->world, body);
	struct d2_vec_d last = {row->x, row->y}, first = last;
	if (query->world->bodies.data[body].set == SET_AWAKE)
		first = (struct d2_vec_d){row->x0, row->y0};
	struct d2_vec_d whole = d2_sub_d(last, first);
	*p = d2_sub_d(here, d2_mul_add_d(first, (double)query->from, whole));
	*v = d2_sub_d(d2_sub_d(there, here), d2_scale_d((double)(until - query->from), whole));
}

/* The body's centre of mass relative to a dynamic body's, when the step began. */
static struct d2_vec_d way_begin(const struct world *world, uint32_t id, uint32_t other)
{
	const struct d2_body *a = d2_row(world, other), *b = d2_row(world, id);
	bool awake = world->bodies.data[other].set == SET_AWAKE;
	return (struct d2_vec_d){b->x0 - (awake ? a->x0 : a->x), b->y0 - (awake ? a->y0 : a->y)};
}

/* Whether the swept body, which moves by v from p relative to a dynamic body, stays so near to its first relative position that
 * the two cannot pass through each other. */
static bool moves_little(const struct sweep_query *query, uint32_t body, struct d2_vec_d p, struct d2_vec_d v)
{
	const struct d2_body *row = d2_row(query->world, body);
	double most =
		free_path(query->world, query->id, (double)min_f(d2_row(query->world, query->id)->min_extent, row->min_extent));
	double square = d2_dot_d(v, v);
	double turn = turn_bound(query->world, body) * (double)row->max_extent;
	if (square > most * most || sqrt(square) + own_turn_bound(query) * (double)query->extent + turn > most)
		return false;
	struct d2_vec_d begin = way_begin(query->world, query->id, body);
	struct d2_vec_d before = d2_sub_d(p, begin);
	struct d2_vec_d after = d2_sub_d(d2_add_d(p, v), begin);
	return d2_length_d(before) <= most && d2_length_d(after) <= most;
}

/* Whether discs around the swept body and a dynamic one stay apart while both centres move straight, or the body moves too
 * little relative to the dynamic body, or to its carrier, to hit it. */
static bool discs_pass(const struct sweep_query *query, uint32_t body)
{
	if (body == query->carrier)
		return d2_length_d(d2_sub_d(sweep_center(&query->relative, 1.0f), sweep_center(&query->relative, 0.0f))) <=
			(double)(STAYS * query->target);
	if (query->world->bodies.data[body].type != BODY_DYNAMIC)
		return false;
	struct d2_vec_d p, v;
	ways_between(query, body, sweep_center(&query->sweep, 0.0f), sweep_center(&query->sweep, 1.0f), query->until, &p, &v);
	struct d2_vec_d nearest = d2_path_nearest(p, v);
	double reach = (double)(query->extent + d2_row(query->world, body)->max_extent + 2.0f * query->target);
	return d2_dot_d(nearest, nearest) > reach * reach || moves_little(query, body, p, v);
}

/* Whether a quick test proves that shape b misses shape a, of an obstacle that is dynamic or at rest. */
static bool passes(const struct sweep_query *query, uint32_t body, const struct d2_shape *a, const struct d2_shape *b)
{
	const struct d2_body *row = d2_row(query->world, body);
	bool awake = query->world->bodies.data[body].set == SET_AWAKE;
	if (query->impacts > 0 || d2_shape_terrain(a) || d2_shape_terrain(b) ||
		(awake && query->world->bodies.data[body].type != BODY_DYNAMIC))
		return false;
	struct d2_path of_a = {{row->x, row->y}, {row->x, row->y}, row->q, row->q, row->local_center, 0.0};
	struct d2_path of_b = {sweep_center(&query->sweep, 0.0f), sweep_center(&query->sweep, 1.0f), query->start.q, query->end.q,
		query->sweep.local_center, (double)query->bulge};
	if (awake) {
		of_a.from = (struct d2_vec_d){row->x0, row->y0};
		of_a.q0 = row->q0;
		of_a.bulge = (double)d2_body_bulge(query->world, body);
	}
	return d2_sweeps_separated(a, &of_a, b, &of_b, (double)(query->target + query->tolerance));
}

static void sweep_against(struct sweep_query *query, uint32_t other_id)
{
	struct world *world = query->world;
	const struct proxy *proxy = &world->proxies.data[query->proxy], *other = &world->proxies.data[other_id];
	const struct collider *a = &world->colliders.data[other->collider], *b = &world->colliders.data[proxy->collider];
	const struct d2_shape *shape_a = (const struct d2_shape *)a->shape, *shape_b = (const struct d2_shape *)b->shape;
	if ((query->impacts > 0 && discs_pass(query, a->body)) || !sweep_meets(query, other_id) ||
		passes(query, a->body, shape_a, shape_b))
		return;
	struct d2_sweep obstacle = see(query, a->body);
	query->other = other_id;
	query->behind = false;
	if (shape_a->type == D2_CHAIN && !chain_in_the_way(query, shape_a, other->child, &obstacle, shape_b->centroid))
		return;
	if (slides_over(query, shape_a, other->child, &obstacle, shape_b))
		return;
	struct d2_proxy proxy_a = d2_make_proxy(shape_a, other->child), proxy_b = d2_make_proxy(shape_b, proxy->child);
	struct core core;
	if (query->jointed || (world->bodies.data[a->body].type == BODY_KINEMATIC && !query->bullet))
		proxy_b = make_core(&proxy_b, shape_b->centroid, &core, query->jointed ? JOINTED_CORE : CORE);
	sweep_convex(query, &proxy_a, &obstacle, a->body, &proxy_b, &shape_b->centroid);
}

/* Lowers query->near to the distance of the proxy, at its current pose, from the obstacle. */
static void near_against(struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	const struct proxy *proxy = &world->proxies.data[query->proxy], *other = &world->proxies.data[other_id];
	const struct collider *a = &world->colliders.data[other->collider], *b = &world->colliders.data[proxy->collider];
	if (a->body != query->first.body || !sweep_allowed(world, query->proxy, other_id))
		return;
	struct d2_proxy proxy_a = d2_make_proxy((const struct d2_shape *)a->shape, other->child);
	struct d2_proxy proxy_b = d2_make_proxy((const struct d2_shape *)b->shape, proxy->child);
	struct d2_pose frame = d2_row_pose(d2_row(world, a->body));
	struct d2_transform b_in_a = d2_pose_relative(&frame, &query->end);
	struct d2_gjk_result near;
	d2_gjk_distance(&proxy_a, &proxy_b, &b_in_a, &near);
	if (near.distance < query->near) {
		query->near = near.distance;
		query->near_normal = d2_widen(d2_rotate(frame.q, near.normal));
	}
}

/* Computes the poses at both ends. Most bullets do not need them, as nothing is near. */
static void query_pose(struct sweep_query *query)
{
	if (query->posed)
		return;
	query->posed = true;
	if (query->impacts == 0 && query->against == sweep_against && query->body->set == SET_AWAKE)
		query->sweep.angle = body_turned(query->world, query->id);
	query->start = d2_sweep_pose(&query->sweep, 0.0f);
	query->end = way_leads_on(&query->sweep) ? d2_sweep_pose(&query->sweep, 1.0f) : query->start;
	query->bulge = arc_bulge(query->extent, query->sweep.angle);
}

static const struct box *way_box(struct sweep_query *query)
{
	if (query->boxed)
		return &query->box;
	query_pose(query);
	const struct world *world = query->world;
	const struct d2_shape *shape = d2_collider_shape(world, world->proxies.data[query->proxy].collider);
	uint32_t child = world->proxies.data[query->proxy].child;
	struct d2_pose end = query->t < 1.0f ? d2_sweep_pose(&query->sweep, query->t) : query->end;
	float margin = query->target + query->bulge;
	struct box box_start = d2_shape_box(shape, child, &query->start, margin);
	struct box box_end = d2_shape_box(shape, child, &end, margin);
	query->box = box_union(&box_start, &box_end);
	query->boxed = true;
	return &query->box;
}

static bool sweep_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
	if (box_overlaps(way_box(query), &query->world->proxies.data[value].box))
		query->against(query, value);
	return true;
}

/* For bullet_query: the AABBs are known to overlap. */
static bool near_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
	query->against(query, value);
	return true;
}

/* Tests a bullet's whole path. Computes its poses only if it may hit the obstacle. */
static bool bullet_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
	uint32_t body = query->world->colliders.data[query->world->proxies.data[value].collider].body;
	if (discs_pass(query, body) || (query->later && !bullet_stands_in(query->world, body, query->id, query->again)))
		return true;
	query_pose(query);
	query->against(query, value);
	return true;
}

/* Tests the proxy against non-dynamic and sleeping bodies. */
static void sweep_standing(struct sweep_query *query, const struct box *around)
{
	const struct world *world = query->world;
	tree_query(&world->trees[0], around, sweep_visit, query);
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		uint32_t other = world->unbounded.data[i];
		if (world->wing->proxy_overlaps_box(world, other, around) &&
			world->wing->proxy_overlaps_box(world, other, way_box(query)))
			query->against(query, other);
	}
}

static void sweep_proxy(struct sweep_query *query, uint32_t proxy)
{
	/* jointed bodies may have moved since their paths' AABBs were made */
	bool whole = query->bullet && query->impacts == 0 && !query->jointed;
	query->proxy = proxy;
	query->boxed = false;
	if (!whole || !query->again)
		sweep_standing(query, whole ? bullet_path(query->world, proxy) : way_box(query));
	if (whole)
		bullet_pairs(query->world, proxy, query->shared, bullet_visit, query);
	else if (query->bullet)
		bullet_query(query->world, way_box(query), near_visit, query);
}

static void colliders_sweep(struct sweep_query *query, const struct body *body)
{
	const struct world *world = query->world;
	query->posed = false;
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		for (uint32_t p = collider->proxies; p != NONE && !collider->sensor; p = world->proxies.data[p].next)
			if (!world->proxies.data[p].unbounded)
				sweep_proxy(query, p);
	}
}

/* The rest of the path of a body carried along an arc. */
struct arc {
	const struct sweep_query *query;
	struct d2_vec_d here, there;
	double reach; /* a body farther from the straight path cannot be hit [length] */
	bool clear;
};

static bool arc_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct arc *arc = context;
	const struct world *world = arc->query->world;
	uint32_t body = world->colliders.data[world->proxies.data[value].collider].body;
	if (body == arc->query->id || body == arc->query->carrier)
		return true;
	struct d2_vec_d p, v;
	ways_between(arc->query, body, arc->here, arc->there, 1.0f, &p, &v);
	struct d2_vec_d nearest = d2_path_nearest(p, v);
	double reach = arc->reach + (double)d2_row(world, body)->max_extent;
	arc->clear = world->bodies.data[body].type == BODY_DYNAMIC && d2_dot_d(nearest, nearest) > reach * reach;
	return arc->clear;
}

/* Whether no other body is near the rest of the path of a body carried from `here` to `there`. `angle`: the carrier's rotation
 * in the whole step, `distance`: from its centre of mass. */
static bool arc_clear(
	const struct sweep_query *query, struct d2_vec_d here, struct d2_vec_d there, double angle, double distance)
{
	struct world *world = query->world;
	double part = min_d(0.5 * (1.0 - (double)query->from) * abs_d(angle), SCALAR_PI);
	double height = distance * (1.0 - (double)scalar_cos_sin(part).cosine); /* over the chord; the diameter for a whole turn */
	struct arc arc = {query, here, there, height + (double)(query->extent + 2.0f * query->target), true};
	struct box_d box = {{min_d(here.x, there.x), min_d(here.y, there.y)}, {max_d(here.x, there.x), max_d(here.y, there.y)}};
	struct box around = box_around_d(&box, arc.reach, 2);
	tree_query(&world->trees[0], &around, arc_visit, &arc);
	for (uint32_t i = 0; i < world->unbounded.count && arc.clear; ++i)
		arc.clear = !world->wing->proxy_overlaps_box(world, world->unbounded.data[i], &around);
	if (arc.clear && query->bullet)
		bullet_query(world, &around, arc_visit, &arc);
	return arc.clear;
}

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
		struct d2_pose pose = pose_at(query->world, met->body, time);
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
		struct d2_pose pose = pose_at(query->world, met->body, 0.0f);
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
	struct d2_vec_d place = sweep_center(&query->sweep, query->t);
	if (stops_as_seen(query)) {
		struct d2_pose from = pose_at(query->world, query->carrier, query->from);
		struct d2_pose to = pose_at(query->world, query->carrier, time);
		struct d2_vec_d seen = carried(&from, &to, sweep_center(&query->relative, query->t));
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
		struct d2_sweep delta = obstacle_way(query->world, body);
		bool dynamic = query->world->bodies.data[body].type == BODY_DYNAMIC;
		if (way_leads_on(&delta) && still_met(query, &query->met[i]) && !query->met[i].bounced &&
			(carrier == NONE || !dynamic || query->world->bodies.data[carrier].type == BODY_DYNAMIC))
			carrier = body;
	}
	return carrier;
}

/* Sets the next part of the body's path up to query->until: to `there`, or near it in front of all surfaces. `from`, `to`:
 * poses of the carrier, if any. False: the surfaces leave no room. */
static bool way_set(struct sweep_query *query, const struct d2_body *row, struct d2_vec_d there, float turn,
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

/* way_set, as if the body were fixed to its carrier. */
static bool way_carry(struct sweep_query *query, const struct d2_body *row, const struct d2_sweep *carrier)
{
	struct d2_pose from = d2_sweep_pose(carrier, query->from), to = d2_sweep_pose(carrier, query->until);
	return way_set(query, row, carried(&from, &to, (struct d2_vec_d){row->x, row->y}),
		(query->until - query->from) * carrier->angle, &from, &to);
}

/* Deviation of the part's midpoint from a straight path relative to the carrier, which turns by w as the body moves along it by
 * s: w s / 4, due to the Coriolis force [length]. */
static double way_bend(const struct sweep_query *query, const struct d2_sweep *carrier)
{
	double along = d2_length_d(d2_sub_d(sweep_center(&query->relative, 1.0f), sweep_center(&query->relative, 0.0f)));
	return 0.25 * (double)((query->until - query->from) * abs_f(carrier->angle)) * along;
}

/* Chooses the next part of the body's path from its position. The body moves as if fixed to its carrier, or else by `rest`
 * along the surfaces that it has hit. If another body pushes it along a rotating carrier, its path relative to the carrier is
 * bent: the part ends before the bend exceeds half a slop. */
static bool way_choose(struct sweep_query *query, const struct d2_body *row, struct d2_vec_d rest, float turn)
{
	struct d2_vec_d here = {row->x, row->y};
	query->carrier = find_carrier(query);
	query->until = 1.0f;
	query->bent = false;
	if (query->carrier == NONE)
		return way_set(query, row, d2_add_d(here, rest), turn, NULL, NULL);
	struct d2_sweep carrier = obstacle_way(query->world, query->carrier);
	/* on a dynamic carrier a straight path will do, as it ends at the same position */
	if (query->world->bodies.data[query->carrier].type != BODY_DYNAMIC)
		query->until = arc_end(query->from, (double)carrier.angle,
			d2_length_d(d2_sub_d(here, sweep_center(&carrier, query->from))), (double)query->target);
	bool found = way_carry(query, row, &carrier);
	double most = 0.5 * (double)query->target, bend = way_bend(query, &carrier);
	if (bend > most) {
		query->until = part_end(query->from, query->until, most / bend);
		found = way_carry(query, row, &carrier);
		query->bent = way_bend(query, &carrier) > (double)query->target;
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
	struct d2_sweep delta = obstacle_way(query->world, query->first.body);
	struct d2_vec n = d2_narrow(normal);
	struct d2_vec u = d2_narrow(d2_obstacle_velocity(
		query->world, query->first.body, sweep_center(&delta, query->from), (struct d2_vec_d){row->x, row->y}));
	state->v = d2_mul_add(state->v, max_f(0.0f, d2_dot(n, d2_sub(u, state->v))), n);
}

/* Whether the body bounces where it has been stopped. If not, the contact of the next step handles it. */
static bool rebound_find(const struct sweep_query *query, struct d2_vec_d normal, struct rebound *rebound)
{
	if (query->deep || query->turns || query->jointed || query->world->bodies.data[query->first.body].type == BODY_DYNAMIC)
		return false;
	struct d2_sweep obstacle = obstacle_way(query->world, query->first.body);
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
	float margin = 2.0f * D2_SPECULATIVE * world->settings.length_scale;
	for (int i = 0; i < query->bounce_count; ++i) {
		struct impact *impact = &query->bounces[i];
		struct d2_sweep obstacle =
			obstacle_way(world, world->colliders.data[world->proxies.data[impact->proxies[1]].collider].body);
		struct d2_local_manifold near = {.count = 0};
		if ((row->x - impact->place[0]) * impact->place[2] + (row->y - impact->place[1]) * impact->place[3] <
			(double)(row->max_extent + margin))
			d2_rebound_touch(world, impact->proxies, &obstacle, 1.0f, margin, &near);
		impact->apart = near.count == 0;
	}
	return query->bounce_count == 0 || impacts_keep(world, query->bounces, query->bounce_count);
}

static void way_go_on(struct sweep_query *query, const struct d2_body *row, struct d2_vec_d rest, float turn)
{
	struct d2_vec_d none = {0.0, 0.0};
	bool before = query->crowded;
	query->crowded = before || query->impacts >= IMPACTS;
	if (!way_choose(query, row, query->crowded ? none : rest, turn) && query->bullet) {
		query->crowded = true;
		way_choose(query, row, none, turn);
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
static void way_wait(struct d2_body *row, struct sweep_query *query, const struct body *body)
{
	query->carrier = NONE;
	query->sweep = (struct d2_sweep){row->local_center, row->x, row->y, row->x, row->y, row->q, 0.0f};
	query->until = query->t = 1.0f;
	colliders_sweep(query, body);
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
static void way_yield(struct d2_body *row, struct sweep_query *query)
{
	struct d2_sweep carrier = obstacle_way(query->world, query->carrier);
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
	colliders_sweep(query, body);
}

/* After too many impacts the rest of the body's displacement is lost. It stays where it is, or moves with a kinematic carrier
 * along the last surfaces that it has hit. If these leave no room, the carrier passes through the body if a hit obstacle is
 * static, and else takes the body through the others. */
static void way_end(struct d2_body *row, struct sweep_query *query, const struct body *body)
{
	struct d2_vec_d none = {0.0, 0.0};
	if (!carrier_kinematic(query))
		way_wait(row, query, body);
	for (int part = 0; part < PARTS && carrier_kinematic(query) && query->from < 1.0f; ++part) {
		way_choose(query, row, none, 0.0f);
		end_sweep(query, body, NONE);
		if (query->t <= 0.0f && query->first.body == query->carrier) /* the body has sunk into the carrier */
			end_sweep(query, body, query->carrier);
		stop_at(row, query);
		if (query->t < 1.0f)
			met_replace(query);
	}
	if (carrier_kinematic(query) && query->from < 1.0f && !met_static(query))
		way_yield(row, query);
}

/* Whether a dynamic carrier takes the body to the end of the step, with nothing else near its path. Such a path need not be cut
 * into parts that are almost straight, nor tested. */
static bool carried_free(struct sweep_query *query)
{
	struct d2_vec_d here = sweep_center(&query->sweep, 0.0f);
	struct d2_vec_d off = d2_sub_d(sweep_center(&query->relative, 1.0f), sweep_center(&query->relative, 0.0f));
	if (query->carrier == NONE || query->world->bodies.data[query->carrier].type != BODY_DYNAMIC ||
		d2_length_d(off) > (double)(STAYS * query->target))
		return false;
	struct d2_sweep carrier = obstacle_way(query->world, query->carrier);
	struct d2_pose from = d2_sweep_pose(&carrier, query->from), to = d2_sweep_pose(&carrier, 1.0f);
	struct d2_vec_d there = carried(&from, &to, here), place = there;
	if (!place_find(query, 1.0f, &place) || d2_length_d(d2_sub_d(place, there)) > (double)(STAYS * query->target) ||
		!arc_clear(query, here, there, (double)carrier.angle, d2_length_d(d2_sub_d(here, sweep_center(&carrier, query->from)))))
		return false;
	query->sweep.x1 = there.x;
	query->sweep.y1 = there.y;
	query->sweep.angle = d2_rot_angle(d2_inv_mul_rot(from.q, to.q));
	query->until = 1.0f;
	query->posed = false;
	query_pose(query);
	return true;
}

static void part_sweep(struct sweep_query *query, const struct body *body)
{
	query->t = 1.0f;
	if (!carried_free(query))
		colliders_sweep(query, body);
}

/* Continues from the first impact until the rest of the path is free. `first`: the bounce there, if known. */
static void sweep_on(struct d2_body *row, const struct body *body, struct sweep_query *query, struct rebound *first)
{
	struct rebound rebound;
	while (query->t < 1.0f || query->until < 1.0f) {
		struct d2_vec_d whole = d2_sub_d(sweep_center(&query->sweep, 1.0f), sweep_center(&query->sweep, 0.0f));
		struct d2_vec_d rest = d2_scale_d(1.0 - (double)query->t, whole);
		float turn = (1.0f - query->t) * query->sweep.angle;
		stop_at(row, query);
		if (query->t < 1.0f) {
			struct d2_vec_d n = d2_rotate_d(pose_at(query->world, query->first.body, query->from).q, query->first.normal);
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
		way_go_on(query, row, rest, turn);
		if (query->impacts == LAST_IMPACT) {
			way_end(row, query, body);
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
	near.against = near_against;
	near.bullet = false;
	colliders_sweep(&near, body);
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
	if (rebound_find(&at, d2_rotate_d(pose_at(query->world, query->first.body, 0.0f).q, query->first.normal), &rebound)) {
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
	colliders_sweep(&at, body);
	sweep_on(row, body, &at, NULL);
	*query = at;
}

/* Starts a query of the body's whole path. Its rotation is computed on demand, see query_pose. */
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
	query->against = sweep_against;
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
	double turned = turn_bound(world, obstacle) + turn_bound(world, id);
	return turns_far(world, obstacle) || moved + turned * (double)row->max_extent > 0.5 * (double)row->min_extent;
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
	colliders_sweep(&query, query.body);
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
		colliders_sweep(query, query->body);
	query_pose(query);
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
		colliders_sweep(&query, body);
	if (query.t >= 1.0f)
		return false;
	struct d2_body whole = *row;
	struct d2_state motion = *d2_state(world, id);
	struct d2_sweep obstacle = obstacle_way(world, query.first.body);
	bool middle = query.turns, moves = way_leads_on(&obstacle) || world->bodies.data[query.first.body].type == BODY_DYNAMIC;
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
	struct d2_pose pose = pose_at(world, hit.body, 1.0f);
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
