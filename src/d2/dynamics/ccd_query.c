/* ccd_query.c - the first impact of a swept body on its path. See ccd.c. */
#include "d2/dynamics/ccd_parts.h"

#include <string.h>

/* --- First impact --------------------------------------------------------------------------------------------------------- */

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

bool d2_ccd_turns_far(const struct world *world, uint32_t body)
{
	return !bits_has(&world->taken_bodies, body) && abs_f(d2_state(world, body)->turn) > 0.5f * SCALAR_PI_F;
}

/* The angle by which a body rotated in this step, which may exceed half a turn. */
static float body_turned(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	double angle = (double)d2_rot_angle(d2_inv_mul_rot(row->q0, row->q)), about = (double)d2_state(world, body)->turn;
	if (!d2_ccd_turns_far(world, body))
		return (float)angle;
	return (float)(angle + 2.0 * SCALAR_PI * floor((about - angle) / (2.0 * SCALAR_PI) + 0.5));
}

struct d2_sweep d2_ccd_obstacle_path(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	if (world->bodies.data[body].set == SET_AWAKE)
		return (struct d2_sweep){row->local_center, row->x0, row->y0, row->x, row->y, row->q0, body_turned(world, body)};
	struct d2_pose pose = d2_row_pose(row);
	return d2_sweep_fixed(&pose);
}

struct d2_vec_d d2_ccd_sweep_center(const struct d2_sweep *delta, float t)
{
	return (struct d2_vec_d){delta->x0 + (double)t * (delta->x1 - delta->x0), delta->y0 + (double)t * (delta->y1 - delta->y0)};
}

struct d2_pose d2_ccd_pose_at(const struct world *world, uint32_t body, float time)
{
	struct d2_sweep delta = d2_ccd_obstacle_path(world, body);
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
	struct d2_vec_d moves = d2_sub_d(d2_sub_d(d2_ccd_sweep_center(delta, 1.0f), d2_ccd_sweep_center(delta, 0.0f)),
		d2_sub_d(d2_ccd_sweep_center(obstacle, 1.0f), d2_ccd_sweep_center(obstacle, 0.0f)));
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
		d2_mul_add_d(d2_sub_d(d2_ccd_sweep_center(delta, t), (struct d2_vec_d){pose.x, pose.y}), query->lift, *normal);
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
	struct d2_impact_result impact = {.state = AXES_IMPACT_HIT, .normal = d2_widen(d2_rotate(pose.q, near.normal))};
	float stop = near.distance;
	if (near.distance > query->target || !nears) {
		float half = 0.5f * near.distance;
		stop = nears ? max_f(query->target, min_f(4.0f * query->target, half)) : half;
		d2_time_of_impact(a, &middle, &query->motions, (double)stop, 0.25 * (double)stop, (double)query->t, &impact);
	}
	query->lift = max_d(0.0, (double)(query->target - stop));
	if (impact.state != AXES_IMPACT_SEPARATED)
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
	if (d2_ccd_turns_far(world, id))
		return arc_bulge(row->max_extent, body_turned(world, id));
	float cosine = row->q0.c * row->q.c + row->q0.s * row->q.s;
	return row->max_extent * max_f(0.0f, 1.0f - sqrtf(max_f(0.0f, 0.5f + 0.5f * cosine)));
}

static struct d2_sweep path_part(const struct d2_sweep *delta, float from, float until)
{
	if (from <= 0.0f && until >= 1.0f)
		return *delta;
	struct d2_vec_d start = d2_ccd_sweep_center(delta, from), end = d2_ccd_sweep_center(delta, until);
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

bool d2_ccd_path_leads_on(const struct d2_sweep *delta)
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
		if (i > 0 && d2_ccd_path_leads_on(obstacle))
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
	struct d2_vec_d start = d2_sub_d(d2_ccd_sweep_center(delta, 0.0f), d2_ccd_sweep_center(obstacle, 0.0f));
	struct d2_vec_d end = d2_sub_d(d2_ccd_sweep_center(delta, 1.0f), d2_ccd_sweep_center(obstacle, 1.0f));
	double w = (double)abs_f(obstacle->angle), far = max_d(d2_length_d(start), d2_length_d(end));
	return (float)(0.125 * (w * w * far + 2.0 * w * d2_length_d(d2_sub_d(end, start))));
}

/* Sets the body's motion `seen`, and returns the obstacle's. If the obstacle is the carrier, both are relative to it. */
static struct d2_sweep see(struct sweep_query *query, uint32_t body)
{
	struct d2_sweep delta = d2_ccd_obstacle_path(query->world, body);
	bool carries = body == query->carrier && !query->bent;
	query->seen = carries ? &query->relative : &query->sweep;
	struct d2_sweep part = path_part(&delta, query->from, carries ? query->from : query->until);
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
	bool below = impact.state == AXES_IMPACT_HIT && !comes_from_front(query, obstacle, impact.t, &impact.normal);
	bool deep = below || impact.state == AXES_IMPACT_OVERLAPPING;
	if (deep) {
		struct core core;
		if (query->shared)
			bullet_ask(query->world, query->id, body);
		sunk_b = make_core(b, *centroid, &core, CORE);
		d2_time_of_impact(a, &sunk_b, &query->motions, 0.0, (double)query->tolerance, (double)query->t, &impact);
	}
	if (impact.state == AXES_IMPACT_OVERLAPPING)
		sweep_middle(query, a, obstacle, body, centroid);
	else if (impact.state != AXES_IMPACT_SEPARATED) /* if the search failed, the path up to t is free nevertheless */
		hit_note(query, obstacle, body, (float)impact.t, &impact.normal, deep, false);
}

double d2_ccd_turn_bound(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	if (world->bodies.data[body].set != SET_AWAKE)
		return 0.0;
	if (d2_ccd_turns_far(world, body))
		return (double)abs_f(d2_state(world, body)->turn);
	double c = (double)(row->q0.c - row->q.c), s = (double)(row->q0.s - row->q.s);
	return 0.5 * SCALAR_PI * sqrt(c * c + s * s); /* >= 2 asin(d/2) */
}

/* d2_ccd_turn_bound of the swept body, for the part of its path under test. */
static double own_turn_bound(const struct sweep_query *query)
{
	return query->posed ? (double)abs_f(query->sweep.angle) : d2_ccd_turn_bound(query->world, query->id);
}

/* *p, *v: position and displacement of the swept body's centre of mass relative to a dynamic body's, in the part of the step
 * that takes it from `here` to `there`. */
static void paths_between(const struct sweep_query *query, uint32_t body, struct d2_vec_d here, struct d2_vec_d there,
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
static struct d2_vec_d path_begin(const struct world *world, uint32_t id, uint32_t other)
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
	double turn = d2_ccd_turn_bound(query->world, body) * (double)row->max_extent;
	if (square > most * most || sqrt(square) + own_turn_bound(query) * (double)query->extent + turn > most)
		return false;
	struct d2_vec_d begin = path_begin(query->world, query->id, body);
	struct d2_vec_d before = d2_sub_d(p, begin);
	struct d2_vec_d after = d2_sub_d(d2_add_d(p, v), begin);
	return d2_length_d(before) <= most && d2_length_d(after) <= most;
}

/* Whether discs around the swept body and a dynamic one stay apart while both centres move straight, or the body moves too
 * little relative to the dynamic body, or to its carrier, to hit it. */
static bool discs_pass(const struct sweep_query *query, uint32_t body)
{
	if (body == query->carrier)
		return d2_length_d(d2_sub_d(d2_ccd_sweep_center(&query->relative, 1.0f),
				   d2_ccd_sweep_center(&query->relative, 0.0f))) <= (double)(STAYS * query->target);
	if (query->world->bodies.data[body].type != BODY_DYNAMIC)
		return false;
	struct d2_vec_d p, v;
	paths_between(
		query, body, d2_ccd_sweep_center(&query->sweep, 0.0f), d2_ccd_sweep_center(&query->sweep, 1.0f), query->until, &p, &v);
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
	struct d2_path of_b = {d2_ccd_sweep_center(&query->sweep, 0.0f), d2_ccd_sweep_center(&query->sweep, 1.0f), query->start.q,
		query->end.q, query->sweep.local_center, (double)query->bulge};
	if (awake) {
		of_a.from = (struct d2_vec_d){row->x0, row->y0};
		of_a.q0 = row->q0;
		of_a.bulge = (double)d2_body_bulge(query->world, body);
	}
	return d2_sweeps_separated(a, &of_a, b, &of_b, (double)(query->target + query->tolerance));
}

void d2_ccd_sweep_against(struct sweep_query *query, uint32_t other_id)
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

void d2_ccd_near_against(struct sweep_query *query, uint32_t other_id)
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

void d2_ccd_query_pose(struct sweep_query *query)
{
	if (query->posed)
		return;
	query->posed = true;
	if (query->impacts == 0 && query->against == d2_ccd_sweep_against && query->body->set == SET_AWAKE)
		query->sweep.angle = body_turned(query->world, query->id);
	query->start = d2_sweep_pose(&query->sweep, 0.0f);
	query->end = d2_ccd_path_leads_on(&query->sweep) ? d2_sweep_pose(&query->sweep, 1.0f) : query->start;
	query->bulge = arc_bulge(query->extent, query->sweep.angle);
}

static const struct box *path_box(struct sweep_query *query)
{
	if (query->boxed)
		return &query->box;
	d2_ccd_query_pose(query);
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

static bool sweep_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	if (box_overlaps(path_box(query), &query->world->proxies.data[value].box))
		query->against(query, value);
	return true;
}

/* For bullet_query: the AABBs are known to overlap. */
static bool near_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	query->against(query, value);
	return true;
}

/* Tests a bullet's whole path. Computes its poses only if it may hit the obstacle. */
static bool bullet_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	uint32_t body = query->world->colliders.data[query->world->proxies.data[value].collider].body;
	if (discs_pass(query, body) || (query->later && !bullet_stands_in(query->world, body, query->id, query->again)))
		return true;
	d2_ccd_query_pose(query);
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
			world->wing->proxy_overlaps_box(world, other, path_box(query)))
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
		sweep_standing(query, whole ? bullet_path(query->world, proxy) : path_box(query));
	if (whole)
		bullet_pairs(query->world, proxy, query->shared, bullet_visit, query);
	else if (query->bullet)
		bullet_query(query->world, path_box(query), near_visit, query);
}

void d2_ccd_colliders_sweep(struct sweep_query *query, const struct body *body)
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

static bool arc_visit(void *context, uint32_t value)
{
	struct arc *arc = context;
	const struct world *world = arc->query->world;
	uint32_t body = world->colliders.data[world->proxies.data[value].collider].body;
	if (body == arc->query->id || body == arc->query->carrier)
		return true;
	struct d2_vec_d p, v;
	paths_between(arc->query, body, arc->here, arc->there, 1.0f, &p, &v);
	struct d2_vec_d nearest = d2_path_nearest(p, v);
	double reach = arc->reach + (double)d2_row(world, body)->max_extent;
	arc->clear = world->bodies.data[body].type == BODY_DYNAMIC && d2_dot_d(nearest, nearest) > reach * reach;
	return arc->clear;
}

bool d2_ccd_arc_clear(
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
