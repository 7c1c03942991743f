/* ccd.c - continuous collision: a body that moved far in one step is taken back to where it first touches something. From there the obstacle carries
** it along, or, if that stands still, it goes the rest of its way along the surface. It keeps its velocity, so that the contact of the next step can
** stop or reflect it. Against static and kinematic bodies always, against dynamic ones for bullets.
** Source: Catto, "Continuous Collision", GDC 2013.
** Floor: d3. Any thread, but for bullets and worlds with a filter: these serially, in id order. */
#include "core/ccd.h"
#include "core/pairs.h"
#include "d3/manifold.h"
#include "d3/toi.h"
#include "d3/wing.h"

/* Of the smallest extent, and a slop at least: Box3D's B3_CORE_FRACTION. */
#define CORE 0.25f

struct sweep_query {
	struct world *world;
	uint32_t proxy; /* that moves */
	bool bullet;
	bool jointed; /* only its core is stopped, see make_core */
	struct d3_pose start, end; /* of the sweep */
	uint32_t carrier; /* the body that it is carried along by, or NONE: then it looks at nothing dynamic that moves, either */
	float from; /* when in the step it begins to be: the obstacles' part of the step before that is over */
	struct d3_sweep sweep;
	struct d3_sweep obstacle; /* the motion of what it hit first */
	uint32_t obstacle_body;
	struct d3_vec_d normal; /* of the obstacle there, towards the body, in the world */
	struct box box; /* around the whole way of the proxy, see way_box */
	bool boxed;
	float target, tolerance; /* gap to keep, and how exactly [length] */
	float extent, bulge; /* of the body; and how far a point of it is from its straight way at most, where it turns [length] */
	float core; /* how near the middle of what touches already may come at once [length] */
	float t; /* free way so far: a fraction of the step */
	float middle_t; /* the same for the middle of what touches already */
	bool middle_turns; /* it is not the centre of mass, so that a turn alone may carry it through */
	void (*against)(struct sweep_query *query, uint32_t other_id); /* what is asked of each proxy near the way */
	float near_obstacle, near; /* answers of near_against: the least distance from the obstacle, and from all that stands still [length] */
	struct d3_vec_d obstacle_normal; /* its normal where that distance is least, in the world */
};

/* The centre of mass of the shape, at the start or the end of the sweep, from the frame's origin. */
static struct d3_vec_d place_in(const struct d3_pose *frame, const struct d3_sweep *sweep, float t, struct d3_vec point)
{
	struct d3_pose pose = d3_sweep_pose(sweep, t);
	struct d3_rot_d q = d3_exact_rot(pose.q);
	return d3_add_d((struct d3_vec_d){pose.x - frame->x, pose.y - frame->y, pose.z - frame->z}, d3_turn_d(&q, d3_widen(point)));
}

/* Keeps what ends the free way first. */
static void hit_note(struct sweep_query *query, const struct d3_sweep *obstacle, uint32_t body, const struct d3_vec_d *normal)
{
	query->obstacle = *obstacle;
	query->obstacle_body = body;
	query->normal = *normal;
}

/* The shape touches already, which the contact deals with; but its middle must not get through: it may come nearer by half of
** what is left in one step, and no nearer than a slop. Closer, a rounding error could put it on the other side of what is thin,
** and the contact would push it out there. */
static void sweep_middle(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body,
	const struct d3_vec *centroid)
{
	struct d3_proxy middle = {.type = D3_PROXY_POINTS, .count = 1, .points = centroid, .reach = d3_length(*centroid)};
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f), start = d3_sweep_pose(&query->sweep, 0.0f);
	struct d3_pose end_pose = d3_sweep_pose(obstacle, 1.0f);
	struct d3_vec_d normal;
	double distance = d3_poses_gap(a, &pose, &middle, &start, &normal);
	struct d3_vec_d way = d3_sub_d(place_in(&end_pose, &query->sweep, 1.0f, *centroid), place_in(&pose, &query->sweep, 0.0f, *centroid));
	if (distance <= 0.0 || d3_dot_d(way, normal) >= 0.0)
		return; /* inside already: the contact pushes it out; or on its way out */
	struct d3_toi toi = {D3_TOI_HIT, 0.0f, normal};
	if (distance > (double)query->target) {
		float target = max_f(query->target, min_f(query->core, 0.5f * (float)distance));
		toi = d3_time_of_impact(a, obstacle, &middle, &query->sweep, target, 0.25f * target, query->middle_t);
	}
	if (toi.state == D3_TOI_SEPARATED || toi.t >= query->middle_t)
		return;
	query->middle_t = toi.t;
	query->middle_turns = d3_length(d3_sub(*centroid, query->sweep.local_center)) > query->target;
	hit_note(query, obstacle, body, &toi.normal);
}

static struct d3_sweep body_way(const struct d3_body *row)
{
	return (struct d3_sweep){row->local_center, {row->x0, row->y0, row->z0}, {row->x, row->y, row->z}, row->q0, d3_turn_between(row->q0, row->q)};
}

/* The height of an arc over its chord: r (1 - cos(angle/2)). */
static float arc_bulge(float radius, struct d3_quat from, struct d3_quat to)
{
	float cosine = from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w;
	return radius * max_f(0.0f, 1.0f - abs_f(cosine));
}

float d3_body_bulge(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	return arc_bulge(row->max_extent, row->q0, row->q);
}

static struct d3_sweep obstacle_way(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	if (world->bodies.data[body].set == SET_AWAKE)
		return body_way(row);
	struct d3_pose pose = d3_row_pose(row);
	return d3_sweep_fixed(&pose);
}

static bool way_leads_on(const struct d3_sweep *way)
{
	return way->from.x != way->to.x || way->from.y != way->to.y || way->from.z != way->to.z || way->turn.x != 0.0f || way->turn.y != 0.0f ||
		   way->turn.z != 0.0f;
}

/* What is left of it then. */
static struct d3_sweep way_from(struct d3_sweep way, float t)
{
	if (t > 0.0f) {
		way.q0 = d3_sweep_pose(&way, t).q;
		way.from = d3_mul_add_d(way.from, (double)t, d3_sub_d(way.to, way.from));
		way.turn = d3_scale(1.0f - t, way.turn);
	}
	return way;
}

/* What is round may sink in by a slop before it is stopped, like what lies there: a gap to keep would hold back whatever slides along, and tear at
** its joints. */
static void sink(struct d3_proxy *proxy, double depth)
{
	if (proxy->type == D3_PROXY_POINTS)
		proxy->radius -= min_d(proxy->radius, depth);
}

enum { CORE_POINTS = 14 };

/* A shape drawn together about its middle by half, more where it is thin, so that nothing of a body that lies on a surface is near that. Round shapes, and
** those of many corners, keep some of their points.
** Of a body on joints only the core is stopped, unless it is a bullet: where the whole of a wheel is taken back to where it touches the ground, the car goes
** on, and the joint is torn open by what is left of the way (35 mm at 30 Hz, where a car lands at 2 m/s; 13 mm with this). The contact of the next step finds
** it deeper in the ground instead, and both are held by the same solve. */
static void make_core(const struct sweep_query *query, const struct d3_shape *shape, const struct d3_proxy *moving, struct d3_vec points[CORE_POINTS],
	struct d3_proxy *core)
{
	float part = shape->inner > 0.0f ? clamp_f(1.0f - 2.5f * query->target / shape->inner, 0.0f, 0.5f) : 0.0f;
	*core = (struct d3_proxy){.type = D3_PROXY_POINTS, .count = CORE_POINTS, .points = points};
	for (int i = 0; i < CORE_POINTS; ++i) {
		struct d3_vec_d way = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
		if (i >= 8)
			way = (struct d3_vec_d){i / 2 == 4 ? way.x : 0.0, i / 2 == 5 ? way.x : 0.0, i / 2 == 6 ? way.x : 0.0};
		struct d3_vec point = d3_narrow(d3_core_support(moving, way));
		points[i] = d3_mul_add(shape->centroid, part, d3_sub(point, shape->centroid));
		core->reach = max_d(core->reach, (double)d3_length(points[i]));
	}
	if (query->jointed && moving->type == D3_PROXY_POINTS)
		core->radius = 0.5 * moving->radius;
}

static void sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body,
	const struct d3_proxy *b, const struct d3_vec *centroid)
{
	struct d3_proxy sunk_a = *a, sunk_b = *b;
	sink(&sunk_b, 2.0 * (double)query->target);
	sink(&sunk_a, 2.0 * (double)query->target - (b->radius - sunk_b.radius));
	struct d3_toi toi = d3_time_of_impact(&sunk_a, obstacle, &sunk_b, &query->sweep, query->target, query->tolerance, query->t);
	if (toi.state == D3_TOI_OVERLAPPED) {
		sweep_middle(query, a, obstacle, body, centroid);
	} else if (toi.state != D3_TOI_SEPARATED && toi.t > 0.0f && toi.t < query->t) {
		query->t = toi.t; /* when the search failed, the way up to t is free all the same */
		if (toi.t < query->middle_t)
			hit_note(query, obstacle, body, &toi.normal);
	}
}

/* --- Meshes and height fields -------------------------------------------------------------------------------------------- */

struct surface_query {
	struct sweep_query *query;
	const struct d3_shape *surface;
	const struct d3_sweep *obstacle;
	uint32_t body;
	const struct d3_proxy *moving;
	const struct d3_vec *centroid;
	double lower[3], upper[3]; /* around the way, in the surface's frame */
	struct d3_vec_d from, to; /* the middle of the shape at the start and the end, there */
	double core; /* the middle may come nearer by so much unchecked, but not so near [length] */
	double turned; /* how far turning takes a point of the core */
	bool any; /* all triangles count, not only those that stop it */
	float near; /* the least distance of a triangle that was looked at, and */
	float enough; /* at which no nearer one is sought [length] */
	struct d3_vec_d normal; /* of that, towards the body */
};

static bool node_near(const struct surface_query *query, const struct d3_node *node)
{
	return (double)node->lower.x <= query->upper[0] && (double)node->upper.x >= query->lower[0] && (double)node->lower.y <= query->upper[1] &&
		   (double)node->upper.y >= query->lower[1] && (double)node->lower.z <= query->upper[2] && (double)node->upper.z >= query->lower[2];
}

/* Who starts behind a one-sided triangle comes out through it. What lies on one and slides along, or is pressed against it, the contact holds.
** Source: Catto's rule for chains, b2ContinuousQueryCallback in Box2D, 2025. */
static bool triangle_stops(const struct surface_query *query, const struct d3_proxy *triangle)
{
	struct d3_vec_d a = d3_widen(triangle->own[0]), b = d3_widen(triangle->own[1]), c = d3_widen(triangle->own[2]);
	struct d3_vec_d normal = d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a));
	double from = d3_dot_d(normal, d3_sub_d(query->from, a)), to = d3_dot_d(normal, d3_sub_d(query->to, a));
	if (query->surface->one_sided && from <= 0.0)
		return false;
	double core = query->core * d3_length_d(normal), side = from < 0.0 ? -1.0 : 1.0;
	return query->turned >= query->core || side * (from - to) >= core || side * to <= core;
}

static void for_near_triangles(struct surface_query *query, void (*visit)(struct surface_query *query, const struct d3_proxy *triangle))
{
	uint32_t stack[D3_NODE_STACK], depth = 0;
	stack[depth++] = 0;
	while (depth > 0) {
		struct d3_node node;
		d3_shape_node(query->surface, stack[--depth], &node);
		for (uint32_t i = node_near(query, &node) ? node.count : 0; i-- > 0;) {
			struct d3_proxy triangle;
			if (!node.leaf) {
				stack[depth++] = node.first + i;
				continue;
			}
			d3_make_proxy(query->surface, node.first + i, &triangle);
			if (query->any || triangle_stops(query, &triangle))
				visit(query, &triangle);
		}
	}
}

static void triangle_near(struct surface_query *query, const struct d3_proxy *triangle)
{
	if (query->near <= query->enough)
		return;
	struct d3_pose pose = d3_sweep_pose(query->obstacle, 0.0f), start = d3_sweep_pose(&query->query->sweep, 0.0f);
	struct d3_vec_d normal;
	float distance = (float)d3_poses_gap(triangle, &pose, query->moving, &start, &normal);
	if (distance < query->near) {
		query->near = distance;
		query->normal = normal;
	}
}

static void triangle_sweep(struct surface_query *query, const struct d3_proxy *triangle)
{
	sweep_convex(query->query, triangle, query->obstacle, query->body, query->moving, query->centroid);
}

/* Where the free way ends so far. */
static struct d3_pose way_end(const struct sweep_query *query)
{
	return query->t < 1.0f ? d3_sweep_pose(&query->sweep, query->t) : query->end;
}

/* Around where the shape starts and ends, as the surface sees it. */
static void way_bounds(struct surface_query *query, const struct d3_shape *shape)
{
	for (int end = 0; end < 2; ++end) {
		float t = end ? query->query->t : 0.0f;
		struct d3_pose frame = d3_sweep_pose(query->obstacle, t), pose = end ? way_end(query->query) : query->query->start;
		struct d3_rot_d q = d3_exact_rot(frame.q);
		struct d3_vec_d p = d3_inv_turn_d(&q, (struct d3_vec_d){pose.x - frame.x, pose.y - frame.y, pose.z - frame.z});
		struct d3_pose relative = {p.x, p.y, p.z, d3_inv_mul_quat(frame.q, pose.q)};
		struct box box = d3_shape_box(shape, &relative, 2.0f * query->query->target + query->query->bulge);
		struct d3_rot_d turn = d3_exact_rot(relative.q);
		*(end ? &query->to : &query->from) = d3_add_d(p, d3_turn_d(&turn, d3_widen(shape->centroid)));
		for (int k = 0; k < 3; ++k) {
			query->lower[k] = end ? min_d(query->lower[k], (double)box.lower[k]) : (double)box.lower[k];
			query->upper[k] = end ? max_d(query->upper[k], (double)box.upper[k]) : (double)box.upper[k];
		}
	}
}

/* What touches some of the triangles already slides over the others, too: all that is kept from getting through is its core. */
static void sweep_surface(struct sweep_query *query, const struct d3_shape *surface, const struct d3_sweep *obstacle, uint32_t body,
	const struct d3_shape *shape, const struct d3_proxy *moving)
{
	struct surface_query of = {.query = query, .surface = surface, .obstacle = obstacle, .body = body, .moving = moving, .centroid = &shape->centroid,
		.near = INFINITY, .enough = query->target, .core = (double)max_f(query->target, CORE * shape->inner)};
	struct d3_vec points[CORE_POINTS];
	struct d3_proxy core;
	way_bounds(&of, shape);
	for_near_triangles(&of, triangle_near);
	if (of.near <= query->target || query->jointed) {
		make_core(query, shape, moving, points, &core);
		of.moving = &core;
		of.turned = core.reach * (double)d3_length(query->sweep.turn);
	}
	for_near_triangles(&of, triangle_sweep);
}

/* --- Bodies -------------------------------------------------------------------------------------------------------------- */

/* Whether it goes along a face of the obstacle, at most a slop below it and half a one for what rests on it: then the obstacle's other
** faces are seams between it and what lies beside it. */
static bool slides_over(const struct sweep_query *query, const struct d3_shape *a, const struct d3_sweep *obstacle, const struct d3_shape *b)
{
	struct d3_transform places[3];
	for (int i = 0; i < 3; ++i) {
		float t = 0.5f * (float)i * query->t;
		struct d3_pose frame = d3_sweep_pose(obstacle, t), pose = d3_sweep_pose(&query->sweep, t);
		places[i] = d3_pose_relative(&frame, &pose);
	}
	return d3_stays_above(a, b, places, 3, min_f(1.5f * query->target, 0.5f * b->inner));
}

/* Whether the other one can stop it. */
static bool sweep_meets(const struct sweep_query *query, uint32_t other_id)
{
	struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	return (query->bullet || world->bodies.data[body].type != BODY_DYNAMIC) && sweep_allowed(world, query->proxy, other_id);
}

static void sweep_against(struct sweep_query *query, uint32_t other_id)
{
	struct world *world = query->world;
	uint32_t other_body_id = world->colliders.data[world->proxies.data[other_id].collider].body;
	const struct body *other_body = &world->bodies.data[other_body_id];
	if (query->carrier != NONE && (other_body_id == query->carrier || (other_body->set == SET_AWAKE && other_body->type == BODY_DYNAMIC)))
		return;
	if (!sweep_meets(query, other_id))
		return;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id), *part_b = d3_proxy_part(world, query->proxy);
	struct d3_sweep obstacle = way_from(obstacle_way(world, other_body_id), query->from);
	struct d3_proxy proxy_a, proxy_b;
	d3_make_proxy(part_b, 0, &proxy_b);
	query->core = max_f(4.0f * query->target, CORE * part_b->inner);
	if (d3_shape_surface(part_a)) {
		sweep_surface(query, part_a, &obstacle, other_body_id, part_b, &proxy_b);
	} else if (!slides_over(query, part_a, &obstacle, part_b)) {
		struct d3_vec points[CORE_POINTS];
		struct d3_proxy core;
		d3_make_proxy(part_a, 0, &proxy_a);
		if (query->jointed)
			make_core(query, part_b, &proxy_b, points, &core);
		sweep_convex(query, &proxy_a, &obstacle, other_body_id, query->jointed ? &core : &proxy_b, &part_b->centroid);
	}
}

/* How near the shape, where it is, is to what stands still, and to the obstacle. */
static void near_against(struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	if (!sweep_meets(query, other_id))
		return;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id), *part_b = d3_proxy_part(world, query->proxy);
	struct d3_sweep obstacle = obstacle_way(world, body);
	if (way_leads_on(&obstacle))
		return;
	struct d3_proxy proxy_a, proxy_b;
	d3_make_proxy(part_b, 0, &proxy_b);
	float distance;
	struct d3_vec_d normal;
	if (d3_shape_surface(part_a)) {
		struct surface_query of = {.query = query, .surface = part_a, .obstacle = &obstacle, .body = body, .moving = &proxy_b,
			.centroid = &part_b->centroid, .any = true, .near = INFINITY, .enough = -INFINITY};
		way_bounds(&of, part_b);
		for_near_triangles(&of, triangle_near);
		distance = of.near;
		normal = of.normal;
	} else {
		d3_make_proxy(part_a, 0, &proxy_a);
		struct d3_pose frame = d3_sweep_pose(&obstacle, 1.0f);
		distance = (float)d3_poses_gap(&proxy_a, &frame, &proxy_b, &query->end, &normal);
	}
	if (body == query->obstacle_body && distance < query->near_obstacle) {
		query->near_obstacle = distance;
		query->obstacle_normal = normal;
	}
	if (distance < query->near) {
		query->near = distance;
		query->normal = normal;
	}
}

/* How a body goes: from its frame's origin to that at the end, and how it stands then and there. */
struct course {
	struct d3_vec_d way;
	struct d3_rot_d start, end;
};

static struct course course_of(const struct sweep_query *query)
{
	const struct d3_pose *start = &query->start, *end = &query->end;
	return (struct course){{end->x - start->x, end->y - start->y, end->z - start->z}, d3_exact_rot(start->q), d3_exact_rot(end->q)};
}

/* How the middle of a part of it does, from the same origin. */
struct passage {
	struct d3_vec_d from, to;
};

static struct passage passage_of(const struct course *course, const struct d3_shape *part)
{
	return (struct passage){d3_turn_d(&course->start, part->middle), d3_add_d(course->way, d3_turn_d(&course->end, part->middle))};
}

/* Of a body of several shapes each that moves by less than half the radius of what fits into it passes through nothing, however far the others move. */
static bool part_fast(const struct sweep_query *query, const struct passage *passage, const struct d3_shape *part)
{
	double moved = d3_length_d(d3_sub_d(passage->to, passage->from)) + (double)d3_length(query->sweep.turn) * part->reach;
	return moved > 0.5 * (double)part->inner && moved > (double)query->target;
}

/* Around where it starts and ends, however it is turned. */
static struct box passage_box(const struct sweep_query *query, const struct passage *passage, const struct d3_shape *part)
{
	const struct d3_pose *start = &query->start;
	struct d3_vec_d from = passage->from, to = passage->to;
	double r = part->reach + (double)(query->target + query->bulge);
	struct box_d box = {
		{start->x + min_d(from.x, to.x), start->y + min_d(from.y, to.y), start->z + min_d(from.z, to.z)},
		{start->x + max_d(from.x, to.x), start->y + max_d(from.y, to.y), start->z + max_d(from.z, to.z)},
	};
	return box_around_d(&box, r, 3);
}

/* Around the way of the proxy. Near most ways is nothing: only where something is, they are looked at closely. */
static const struct box *way_box(struct sweep_query *query)
{
	if (query->boxed)
		return &query->box;
	struct d3_pose end = way_end(query);
	const struct d3_shape *part = d3_proxy_part(query->world, query->proxy);
	float margin = query->target + query->bulge;
	struct box box_start = d3_shape_box(part, &query->start, margin), box_end = d3_shape_box(part, &end, margin);
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

static void sweep_proxy(struct sweep_query *query, uint32_t proxy, const struct box *around)
{
	struct world *world = query->world;
	query->proxy = proxy;
	query->boxed = false;
	tree_query(&world->trees[0], around, sweep_visit, query);
	if (query->bullet)
		tree_query(&world->trees[1], around, sweep_visit, query);
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		if (world->wing->proxy_meets_box(world, world->unbounded.data[i], way_box(query)))
			query->against(query, world->unbounded.data[i]);
}

static void colliders_sweep(struct sweep_query *query, const struct body *body)
{
	const struct world *world = query->world;
	query->start = d3_sweep_pose(&query->sweep, 0.0f);
	query->end = d3_sweep_pose(&query->sweep, 1.0f);
	query->bulge = arc_bulge(query->extent, query->start.q, query->end.q);
	struct course course = course_of(query);
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		for (uint32_t p = collider->proxies; p != NONE && !collider->sensor; p = world->proxies.data[p].next) {
			const struct d3_shape *part = d3_proxy_part(world, p);
			if (world->proxies.data[p].unbounded || d3_shape_surface(part))
				continue;
			struct passage passage = passage_of(&course, part);
			if (query->against == near_against || part_fast(query, &passage, part)) {
				struct box around = passage_box(query, &passage, part);
				sweep_proxy(query, p, &around);
			}
		}
	}
}

/* What is not round takes its angular velocity along, and with it its energy: a thin rod that is turned out of its spin has a thousandfold of it. */
static void row_place(struct world *world, uint32_t id, const struct d3_pose *pose)
{
	struct d3_body *row = d3_row(world, id);
	if (row->tumbles) {
		struct d3_state *state = d3_state(world, id);
		state->w = d3_rotate(pose->q, d3_inv_rotate(row->q, state->w));
	}
	struct d3_vec r = d3_rotate(pose->q, row->local_center);
	row->x = pose->x + (double)r.x;
	row->y = pose->y + (double)r.y;
	row->z = pose->z + (double)r.z;
	row->q = pose->q;
	d3_row_turned(row);
}

/* What is stopped on its way down has not fallen the rest of it, and has no right to the speed of that fall: with it, what meets the ground fast
** would win height.
**   v_g' = sqrt(v_g^2 - 2 g d), v_g along g, what gravity and forces accelerate it by, d how much lower it would be [length] */
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

/* Puts the body, which stands at the end of the sweep, where the free way ends. A middle that is the centre of mass cuts the way and not the turn: a body
** that rocks on a corner goes on rocking. A ball turns in itself. */
static void stop_at(uint32_t id, const struct sweep_query *query)
{
	struct d3_body *row = d3_row(query->world, id);
	const struct d3_sweep *way = &query->sweep;
	float t = min_f(query->t, query->middle_t), turned = query->middle_t < query->t && query->middle_turns ? t : query->t;
	if (turned < 1.0f && row->max_extent > row->min_extent + query->target) {
		struct d3_pose pose = d3_sweep_pose(way, turned);
		row_place(query->world, id, &pose);
	}
	struct d3_vec_d at = d3_mul_add_d(way->from, (double)t, d3_sub_d(way->to, way->from));
	row->x = at.x;
	row->y = at.y;
	row->z = at.z;
}

/* The second part of the way, from where the first was cut to `end`. */
static void sweep_rest(uint32_t id, const struct sweep_query *query, const struct d3_pose *end, uint32_t carrier)
{
	struct d3_body *row = d3_row(query->world, id);
	struct sweep_query rest = *query;
	rest.sweep = (struct d3_sweep){row->local_center, {row->x, row->y, row->z}, {0.0, 0.0, 0.0}, row->q, d3_turn_between(row->q, end->q)};
	row_place(query->world, id, end);
	rest.sweep.to = (struct d3_vec_d){row->x, row->y, row->z};
	rest.carrier = carrier;
	rest.from = min_f(query->t, query->middle_t);
	rest.t = rest.middle_t = 1.0f;
	colliders_sweep(&rest, &query->world->bodies.data[id]);
	if (rest.t < 1.0f || rest.middle_t < 1.0f)
		stop_at(id, &rest);
}

/* From where it touches a moving obstacle as if it stuck to it, but through nothing that stands still or is kinematic. In double: they
** may be far apart, and their bodies' origins always are where one of them is a long floor. */
static void carry_along(uint32_t id, const struct sweep_query *query)
{
	const struct d3_sweep *way = &query->obstacle;
	struct d3_pose start = d3_row_pose(d3_row(query->world, id));
	struct d3_pose then = d3_sweep_pose(way, min_f(query->t, query->middle_t)), end = d3_sweep_pose(way, 1.0f);
	struct d3_rot_d from = d3_exact_rot(then.q), to = d3_exact_rot(end.q);
	struct d3_vec_d arm = d3_turn_d(&to, d3_inv_turn_d(&from, (struct d3_vec_d){start.x - then.x, start.y - then.y, start.z - then.z}));
	struct d3_pose pose = {end.x + arm.x, end.y + arm.y, end.z + arm.z, d3_normalize_quat(d3_mul_quat(end.q, d3_inv_mul_quat(then.q, start.q)))};
	sweep_rest(id, query, &pose, query->obstacle_body);
}

/* How near the body, where it is, is to what stands still and was in its way, no farther than a contact in the next step may be. */
static struct sweep_query nearness(uint32_t id, const struct sweep_query *query)
{
	struct d3_pose pose = d3_row_pose(d3_row(query->world, id));
	struct sweep_query near = *query;
	near.sweep = d3_sweep_fixed(&pose);
	near.t = 1.0f;
	near.target = 2.0f * query->target;
	near.near = near.near_obstacle = INFINITY;
	near.against = near_against;
	near.bullet = false;
	colliders_sweep(&near, &query->world->bodies.data[id]);
	return near;
}

/* Cosine of the angle by which the normal of an impact may turn while the body goes on along the surface, 8 degrees. */
#define SAME_WAY 0.99

/* From where it touches an obstacle that stands still: the rest of its way without the part along the normal, which is for the contact to change. The normal
** of the nearest surface: what was hit first may be the edge of a tile beside it, whose normal leans by sqrt(2 slop/r), and a long way along that leads as far
** into the wall (a ball of 0.19 m at 65 m/s by 10 cm, where the contacts gave it a quarter more energy). Not to where there is no contact, off the edge of a
** platform or past a peg: there the impact would be lost; nor deeper, nor to where the obstacle has another
** normal, which the impact would take. */
static void slide_along(uint32_t id, const struct sweep_query *query)
{
	struct d3_pose start = d3_row_pose(d3_row(query->world, id)), end = start;
	struct sweep_query before = nearness(id, query);
	double left = 1.0 - (double)min_f(query->t, query->middle_t);
	struct d3_vec_d way = d3_scale_d(left, d3_sub_d(query->sweep.to, query->sweep.from));
	bool deep = before.near < -2.0f * query->target; /* the way out of a triangle is no measure then */
	struct d3_vec_d normal = deep ? query->normal : before.normal;
	way = d3_mul_add_d(way, -d3_dot_d(way, normal), normal);
	end.x += way.x;
	end.y += way.y;
	end.z += way.z;
	sweep_rest(id, query, &end, NONE);
	struct sweep_query after = nearness(id, query);
	bool turned = !deep && d3_dot_d(before.obstacle_normal, after.obstacle_normal) < SAME_WAY;
	if (turned || after.near_obstacle > 2.0f * query->target || (!deep && after.near < min_f(before.near, 0.0f) - 2.0f * query->target))
		row_place(query->world, id, &start);
}

bool d3_body_sweep(struct world *world, uint32_t id)
{
	struct d3_body *row = d3_row(world, id);
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
		.target = slop,
		.tolerance = 0.25f * slop,
		.t = 1.0f,
		.middle_t = 1.0f,
	};
	colliders_sweep(&query, body);
	if (query.t >= 1.0f && query.middle_t >= 1.0f)
		return false;
	double x = row->x, y = row->y, z = row->z;
	stop_at(id, &query);
	if (way_leads_on(&query.obstacle))
		carry_along(id, &query);
	else if (query.middle_t >= query.t && world->bodies.data[query.obstacle_body].type != BODY_DYNAMIC)
		slide_along(id, &query);
	if (query.middle_t >= query.t)
		fall_forget(world, id, x, y, z);
	return true;
}
