/* ccd_query.c - the first impact of a swept body on its path: see core/sweep.h. */
#include "d2/dynamics/ccd_parts.h"
#include "d2/shape/chain.h"
#include "d2/shape/hull.h"
#include "d2/manifold/manifold.h"
#include "d2/query/time_of_impact.h"
#include "core/sweep_query_wing.h"

/* The shape's centroid at time t, in the frame of the obstacle. */
static struct d2_vec middle_at(const struct probe *probe, float t)
{
	struct d2_pose frame = d2_sweep_pose(&probe->obstacle, t), pose = d2_sweep_pose(probe->seen, t);
	return d2_transform_point(d2_pose_relative(&frame, &pose), probe->shape->centroid);
}

/* Upper bound on the deviation of the path of the shape's centroid, in the obstacle's frame, from a straight line [length]. It
 * bends if the obstacle rotates, or if the body rotates about a centre of mass that is not the centroid. */
static float middle_arc(const struct sweep_query *query)
{
	const struct probe *probe = query->probe;
	float turn = probe->seen->angle;
	return (float)query->arc + 0.125f * turn * turn * d2_length(d2_sub(probe->shape->centroid, probe->seen->local_center));
}

/* Whether a chain's corner at `joint` is convex (a ridge), seen from the front, and `point` is in front of the second segment,
 * which runs between `joint` and `far`. first_normal, second_normal: of the two segments. */
static bool front_at_ridge(
	struct d2_vec joint, struct d2_vec far, struct d2_vec first_normal, struct d2_vec second_normal, struct d2_vec point)
{
	return d2_dot(first_normal, d2_sub(far, joint)) < 0.0f && d2_dot(second_normal, d2_sub(point, joint)) > 0.0f;
}

/* The normal of the segment; or of its neighbour, if both form a ridge and `point` is behind the segment and in front of the
 * neighbour: a rotating obstacle may push the segment against a body there. */
static struct d2_vec chain_front(const struct d2_shape *chain, uint32_t child, struct d2_vec point)
{
	const struct d2_vec *ends = d2_segment(chain, child), *normals = chain->normals, n = normals[child];
	uint32_t after = d2_chain_after(chain, child), before = d2_chain_before(chain, child);
	if (d2_dot(n, d2_sub(point, ends[0])) > 0.0f)
		return n;
	if (after != NONE && front_at_ridge(ends[1], d2_segment(chain, after)[1], n, normals[after], point))
		return normals[after];
	if (before != NONE && front_at_ridge(ends[0], d2_segment(chain, before)[0], n, normals[before], point))
		return normals[before];
	return n;
}

/* Whether a chain's segment stops the shape: only if the centroid starts in front of it (for a two-sided chain the front is
 * where the centroid starts), or on a bent path may come through from the front, and moves so far towards it that the contact
 * might miss the shape. Sliding bodies and those pressed against the chain are not held back. Source: Box2D's
 * b2ContinuousQueryCallback (Catto, 2025). */
static bool chain_stops(struct sweep_query *query, const struct d2_shape *chain, uint32_t child)
{
	const struct probe *probe = query->probe;
	struct d2_vec start = middle_at(probe, 0.0f), end = middle_at(probe, query->t);
	float from = d2_dot(chain->normals[child], d2_sub(start, d2_segment(chain, child)[0]));
	float to = d2_dot(chain->normals[child], d2_sub(end, d2_segment(chain, child)[0]));
	float arc = middle_arc(query), core = max_f(query->target, CORE_FRACTION * query->inner);
	if (!chain->one_sided) {
		float side = from < 0.0f ? -1.0f : 1.0f;
		from *= side;
		to *= side;
		return (arc > 0.0f || to < from) && (from - to >= core || min_f(from, to) - arc <= core);
	}
	query->behind = from <= 0.0f;
	query->front = d2_ccd_vec3(d2_widen(chain_front(chain, child, start)));
	if (arc > 0.0f)
		return comes_through((double)from, (double)to, (double)arc, (double)core) &&
			(from - to >= core || min_f(from, to) - arc <= core);
	return from > 0.0f && to < from && (from - to >= core || to <= core);
}

/* Whether the displacement of the shape's centroid up to time t is against the obstacle's normal. */
static bool middle_nears(const struct probe *probe, struct d2_vec normal, float t)
{
	return d2_dot(d2_sub(middle_at(probe, t), middle_at(probe, 0.0f)), normal) < 0.0f;
}

/* Tests a centroid that starts inside the obstacle, as that of a resting body thinner than the penetration that contacts allow.
 * Records a hit at t = 0 if it is less than a slop below a face and its displacement is into that face. */
static void sweep_sunk(struct sweep_query *query, const struct d2_proxy *a)
{
	const struct probe *probe = query->probe;
	struct d2_vec p = middle_at(probe, 0.0f), n = {0.0f, 0.0f};
	float height = -query->target;
	for (uint32_t i = 0; a->count > 1 && a->normals != NULL && i < a->count; ++i) { /* a point has no valid normals */
		float above = d2_dot(a->normals[i], d2_sub(p, a->points[i])) - a->radius;
		n = above > height ? a->normals[i] : n;
		height = max_f(height, above);
	}
	if (middle_nears(probe, n, 1.0f))
		middle_hit(query, 0.0f, d2_widen(d2_rotate(probe->obstacle.q0, n)));
}

/* Stops the shape's centroid at the obstacle. If even the core overlaps, the contact pushes the shapes apart, but the centroid
 * must not pass through. In one step its distance may fall to half, or to 4 slops if that is less, but not below a slop: if it
 * did, a rounding error could put it on the far side of a thin obstacle, where the contact would push it out. */
static void sweep_middle(struct sweep_query *query, const struct d2_proxy *a)
{
	const struct probe *probe = query->probe;
	struct d2_proxy middle = {.type = D2_PROXY_POINTS, .count = 1, .points = &probe->shape->centroid};
	struct d2_pose pose = d2_sweep_pose(&probe->obstacle, 0.0f), start = d2_sweep_pose(probe->seen, 0.0f);
	struct d2_transform b_in_a = d2_pose_relative(&pose, &start);
	struct d2_gjk_result near;
	d2_gjk_distance(a, &middle, &b_in_a, &near);
	if (near.distance <= 0.0f) {
		sweep_sunk(query, a);
		return;
	}
	/* on a bent path the centroid may come nearer and end farther away */
	bool bent = middle_arc(query) > 0.25f * near.distance;
	bool nears = middle_nears(probe, near.normal, bent ? 1.0f / 16.0f : 1.0f);
	if (!nears && !bent)
		return; /* the centroid moves away */
	struct d2_impact_result impact = {.state = AXES_IMPACT_HIT, .normal = d2_widen(d2_rotate(pose.q, near.normal))};
	float stop = near.distance;
	if (near.distance > query->target || !nears) {
		float half = 0.5f * near.distance;
		stop = nears ? max_f(query->target, min_f(4.0f * query->target, half)) : half;
		d2_time_of_impact(a, &middle, &probe->motions, (double)stop, 0.25 * (double)stop, (double)query->t, &impact);
	}
	query->lift = max_d(0.0, (double)(query->target - stop));
	if (impact.state != AXES_IMPACT_SEPARATED)
		middle_hit(query, (float)impact.t, impact.normal);
}

/* Reduces a rounded shape's radius by at most `depth`. Two shapes that together lose two slops, and are stopped one slop apart,
 * penetrate by a slop, as at rest. Keeping a separation would hold back sliding bodies and pull at their joints. */
static void sink(struct d2_proxy *proxy, float depth)
{
	proxy->radius -= min_f(proxy->radius, depth);
}

/* Size of the core relative to the shape for a jointed body, of which only the core is swept, since a stop moves the other
 * bodies, too. Then the next step's contact finds a wheel deeper in the ground, and the solver stops it with its car. Likewise
 * kinematic obstacles stop only a core of CORE_FRACTION, unless the body is a bullet: a stop costs the rest of the step, and
 * the contact handles a body that has not passed through. (In random drum scenes at 30 Hz with springs of 15 Hz, on average
 * 0.25 bodies per scene lose half a step; with half the size, 0.75. Box2D does not sweep against kinematic bodies.) */
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

static float dip_between(const struct sweep_query *query)
{
	const struct probe *probe = query->probe;
	const struct d2_shape *b = probe->shape;
	float far = d2_length(d2_sub(b->centroid, probe->seen->local_center)) + b->outer - b->radius;
	float turn = probe->seen->angle - probe->obstacle.angle;
	return 0.25f * (float)query->arc + 0.03125f * turn * turn * far;
}

static bool stays_above(
	const struct sweep_query *query, const struct d2_shape *a, const struct d2_transform *poses, uint32_t count, float depth)
{
	const struct probe *probe = query->probe;
	return d2_stays_above(a, query->world->proxies.data[query->other].child, probe->shape, poses, count, depth);
}

/* Finds the hit of the whole shape. If that overlaps at the start, or hits a one-sided obstacle from behind, finds that of its
 * core; if the core overlaps at the start, that of its centroid. */
static void sweep_convex(struct sweep_query *query, const struct d2_proxy *a, const struct d2_proxy *b)
{
	struct probe *probe = query->probe;
	struct d2_proxy sunk_a = *a, sunk_b = *b;
	sink(&sunk_b, 2.0f * query->target);
	sink(&sunk_a, 2.0f * query->target - (b->radius - sunk_b.radius));
	query->lift = 0.0;
	struct d2_impact_result impact;
	d2_make_motions(&probe->obstacle, probe->seen, &probe->motions);
	d2_time_of_impact(
		&sunk_a, &sunk_b, &probe->motions, (double)query->target, (double)query->tolerance, (double)query->t, &impact);
	/* A shape that has sunk in may hit a ridge from behind. */
	bool below = impact.state == AXES_IMPACT_HIT && !sweep_from_front(query, (float)impact.t, d2_ccd_vec3(impact.normal));
	bool deep = below || impact.state == AXES_IMPACT_OVERLAPPING;
	if (deep) {
		struct core core;
		if (query->shared)
			bullet_ask(query->world, query->id, query->obstacle);
		sunk_b = make_core(b, probe->shape->centroid, &core, CORE_FRACTION);
		d2_time_of_impact(a, &sunk_b, &probe->motions, 0.0, (double)query->tolerance, (double)query->t, &impact);
	}
	if (impact.state == AXES_IMPACT_OVERLAPPING)
		sweep_middle(query, a);
	else if (impact.state != AXES_IMPACT_SEPARATED) /* if the search failed, the path up to t is free nevertheless */
		sweep_hit(query, (float)impact.t, d2_ccd_vec3(impact.normal), deep, false);
}

/* Whether a quick test proves that shape b misses shape a, of an obstacle that is dynamic or at rest. */
static bool passes(const struct sweep_query *query, const struct d2_shape *a, const struct d2_shape *b)
{
	const struct probe *probe = query->probe;
	const struct d2_body *row = d2_row(query->world, query->obstacle);
	const struct body *body = &query->world->bodies.data[query->obstacle];
	if (query->hit_count > 0 || d2_shape_must_be_static(a) || d2_shape_must_be_static(b) ||
		(body->set == SET_AWAKE && body->type != BODY_DYNAMIC))
		return false;
	const struct d2_sweep *own = &probe->sweep;
	struct d2_path of_a = {{row->x, row->y}, {row->x, row->y}, row->q, row->q, row->local_center, 0.0};
	struct d2_path of_b = {
		{own->x0, own->y0}, {own->x1, own->y1}, probe->start.q, probe->end.q, own->local_center, (double)probe->bulge};
	if (body->set == SET_AWAKE) {
		const struct d2_start *start = &d2_mover(query->world, query->obstacle)->start;
		of_a.from = (struct d2_vec_d){start->x, start->y};
		of_a.q0 = start->q;
		of_a.bulge = (double)d2_body_bulge(query->world, query->obstacle);
	}
	return d2_sweeps_separated(a, &of_a, b, &of_b, (double)(query->target + query->tolerance));
}

void d2_ccd_against(struct sweep_query *query)
{
	const struct world *world = query->world;
	struct probe *probe = query->probe;
	const struct proxy *proxy = &world->proxies.data[query->proxy], *other = &world->proxies.data[query->other];
	const struct d2_shape *a = d2_collider_shape(world, other->collider), *b = probe->shape;
	if (passes(query, a, b))
		return;
	probe_see(query);
	if ((a->type == D2_CHAIN && !chain_stops(query, a, other->child)) || slides_over(query, a))
		return;
	struct d2_proxy proxy_a = d2_make_proxy(a, other->child), proxy_b = d2_make_proxy(b, proxy->child);
	struct core core;
	if (query->jointed || (world->bodies.data[query->obstacle].type == BODY_KINEMATIC && !query->bullet))
		proxy_b = make_core(&proxy_b, b->centroid, &core, query->jointed ? JOINTED_CORE : CORE_FRACTION);
	sweep_convex(query, &proxy_a, &proxy_b);
}

float d2_ccd_distance(struct sweep_query *query, struct vec3 *normal)
{
	const struct world *world = query->world;
	const struct probe *probe = query->probe;
	const struct proxy *a = &world->proxies.data[query->other], *b = &world->proxies.data[query->proxy];
	struct d2_proxy proxy_a = d2_make_proxy(d2_collider_shape(world, a->collider), a->child);
	struct d2_proxy proxy_b = d2_make_proxy(d2_collider_shape(world, b->collider), b->child);
	struct d2_pose frame = d2_row_pose(d2_row(world, query->obstacle));
	struct d2_transform b_in_a = d2_pose_relative(&frame, &probe->end);
	struct d2_gjk_result near;
	d2_gjk_distance(&proxy_a, &proxy_b, &b_in_a, &near);
	*normal = d2_ccd_vec3(d2_widen(d2_rotate(frame.q, near.normal)));
	return near.distance;
}

/* --- The body's path ------------------------------------------------------------------------------------------------------ */

bool d2_ccd_proxy_swept(const struct world *world, uint32_t proxy)
{
	(void)world;
	(void)proxy;
	return true;
}

/* Computes the sweep and the poses at its ends. Most bullets do not need them, as nothing is near. */
static void pose_find(struct sweep_query *query)
{
	struct probe *probe = query->probe;
	query->posed = true;
	if (query->hit_count == 0 && !query->measures && query->world->bodies.data[query->id].set == SET_AWAKE)
		query->sweep.turn[2] = d2_ccd_turned(query->world, query->id);
	probe->sweep = d2_ccd_sweep(&query->sweep);
	probe->start = d2_sweep_pose(&probe->sweep, 0.0f);
	probe->end = sweep_moves(&query->sweep) ? d2_sweep_pose(&probe->sweep, 1.0f) : probe->start;
	probe->bulge = arc_bulge(query->extent, probe->sweep.angle);
}

void d2_ccd_prepare(struct sweep_query *query)
{
	struct probe *probe = query->probe;
	probe->shape = d2_collider_shape(query->world, query->world->proxies.data[query->proxy].collider);
	probe->boxed = false;
	if (!query->posed)
		pose_find(query);
}

const struct box *d2_ccd_box(struct sweep_query *query)
{
	struct probe *probe = query->probe;
	if (probe->boxed)
		return &probe->box;
	const struct proxy *proxy = &query->world->proxies.data[query->proxy];
	struct d2_pose end = query->t < 1.0f ? d2_sweep_pose(&probe->sweep, query->t) : probe->end;
	float margin = query->target + probe->bulge;
	struct box box_start = d2_shape_box(probe->shape, proxy->child, &probe->start, margin);
	struct box box_end = d2_shape_box(probe->shape, proxy->child, &end, margin);
	probe->box = box_union(&box_start, &box_end);
	probe->boxed = true;
	return &probe->box;
}

const struct box *d2_ccd_around(struct sweep_query *query)
{
	return d2_ccd_box(query);
}

bool d2_ccd_near(struct sweep_query *query, uint32_t other)
{
	return box_overlaps(d2_ccd_box(query), &query->world->proxies.data[other].box);
}
