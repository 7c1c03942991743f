/* ccd.c - continuous collision: a body that moved far in one step is taken back to where it first touches something. From there the obstacle carries
** it along, or, if that stands still, it goes the rest of its way along the surface. It keeps its velocity, so that the contact of the next step can
** stop or reflect it. Against static and kinematic bodies always, against dynamic ones for bullets.
** Source: Catto, "Continuous Collision", GDC 2013.
** Floor: d3. Any thread, but for bullets and worlds with a filter: these serially, in id order. */
#include "core/ccd.h"
#include "core/pairs.h"
#include "core/travel.h"
#include "d3/advance.h"
#include "d3/manifold.h"
#include "d3/wing.h"

/* Of the smallest extent, and a slop at least; of a shape that overlaps: Box3D's B3_CORE_FRACTION. */
#define CORE 0.25f

/* In a step, at most: of a bullet on dynamic bodies, and of all on what is not dynamic. After the last one the rest of the step is lost. */
enum { IMPACTS = 7, LAST_IMPACT = 8 };

/* A surface that the body has met in this step, in front of which it stays. */
struct met {
	uint32_t body; /* the obstacle */
	struct d3_vec_d normal, place; /* of the obstacle, towards the body; and where the body's centre of mass was: in the obstacle's frame */
};

struct sweep_query {
	struct world *world;
	uint32_t body; /* that is swept, and */
	uint32_t proxy; /* of it */
	const struct d3_shape *shape; /* of that, and */
	const struct d3_proxy *whole; /* all of it */
	bool bullet;
	bool jointed; /* only its core is stopped, see make_core */
	bool overtaken; /* by what is kinematic and fast, however slow it is itself */
	bool crowded; /* it has met too many dynamic bodies, or is between one and something else: they do not stop it any more */
	struct d3_sweep sweep; /* a part of its way, */
	float from, until; /* which begins and ends then: fractions of the step */
	struct d3_pose start, end; /* of that */
	uint32_t carrier; /* the body that carries it along, or NONE; */
	struct d3_sweep relative; /* that part of its way as the carrier sees it, from where that is then */
	const struct d3_sweep *seen; /* one of both: its way against what is looked at, */
	double arc; /* by so much that is off a straight way there, where both ends are [length]; */
	struct d3_motion motion; /* and those two motions */
	struct box box; /* around the whole way of the proxy, see way_box */
	bool boxed;
	float target, tolerance; /* gap to keep, and how exactly [length] */
	float extent, bulge; /* of the body; and how far a point of it is from its straight way at most, where it turns [length] */
	float t; /* free part of the way; then it meets */
	struct met first; /* this; */
	bool turns; /* with its centre of mass, so that it may turn on; */
	bool deep; /* not with its surface, which overlaps already */
	bool behind; /* it starts behind the plane of a one-sided obstacle, which stops it only where it comes from the front, */
	struct d3_vec_d front; /* in this direction, in its frame */
	struct met met[LAST_IMPACT];
	int impacts;
	void (*against)(struct sweep_query *query, uint32_t other_id); /* what is asked of each proxy near the way */
	float near_obstacle, near; /* answers of near_against: the least distance from the obstacle, and from all that stands still [length] */
	struct d3_vec_d obstacle_normal, normal; /* their normals where those distances are least, in the world */
};

/* The centre of mass of the shape, at the start or the end of the sweep, in the frame. */
static struct d3_vec_d place_in(const struct d3_pose *frame, const struct d3_sweep *sweep, float t, struct d3_vec point)
{
	struct d3_pose pose = d3_sweep_pose(sweep, t);
	struct d3_rot_d q = d3_exact_rot(pose.q), home = d3_exact_rot(frame->q);
	struct d3_vec_d at = d3_add_d((struct d3_vec_d){pose.x - frame->x, pose.y - frame->y, pose.z - frame->z}, d3_turn_d(&q, d3_widen(point)));
	return d3_inv_turn_d(&home, at);
}

static struct d3_vec_d sweep_center(const struct d3_sweep *way, float t)
{
	return d3_mul_add_d(way->from, (double)t, d3_sub_d(way->to, way->from));
}

/* Whether a body may have turned by more than half a turn in this step. */
static bool turns_far(const struct world *world, uint32_t body)
{
	return d3_length(d3_state(world, body)->w) * world->step.dt > 0.5f * SCALAR_PI_F;
}

/* The turn of a body in this step: by its velocity perhaps more than half a turn. */
static struct d3_vec body_turned(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	struct d3_vec turn = d3_turn_between(row->q0, row->q);
	double angle = (double)d3_length(turn);
	if (!turns_far(world, body) || !(angle > 1e-3))
		return turn;
	double expected = (double)(d3_dot(d3_state(world, body)->w, turn) * world->step.dt) / angle;
	double whole = angle + 2.0 * SCALAR_PI * floor((expected - angle) / (2.0 * SCALAR_PI) + 0.5);
	return d3_scale((float)(whole / angle), turn);
}

/* The height of an arc over its chord: r (1 - cos(angle/2)), and never more than r. */
static float arc_bulge(float radius, struct d3_vec turn)
{
	float angle = d3_length(turn);
	return angle < SCALAR_PI_F ? radius * max_f(0.0f, 1.0f - scalar_cos_sin(0.5 * (double)angle).cosine) : radius;
}

float d3_body_bulge(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	if (turns_far(world, id))
		return arc_bulge(row->max_extent, body_turned(world, id));
	float cosine = row->q0.x * row->q.x + row->q0.y * row->q.y + row->q0.z * row->q.z + row->q0.w * row->q.w; /* of half the angle */
	return row->max_extent * max_f(0.0f, 1.0f - abs_f(cosine));
}

/* The motion of an obstacle. A dynamic one may have been stopped on its way: its velocity says nothing of its turn. */
static struct d3_sweep obstacle_way(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	if (world->bodies.data[body].set == SET_AWAKE) {
		struct d3_vec turn = world->bodies.data[body].type == BODY_DYNAMIC ? d3_turn_between(row->q0, row->q) : body_turned(world, body);
		return (struct d3_sweep){row->local_center, {row->x0, row->y0, row->z0}, {row->x, row->y, row->z}, row->q0, turn};
	}
	struct d3_pose pose = d3_row_pose(row);
	return d3_sweep_fixed(&pose);
}

static bool way_leads_on(const struct d3_sweep *way)
{
	return way->from.x != way->to.x || way->from.y != way->to.y || way->from.z != way->to.z || way->turn.x != 0.0f || way->turn.y != 0.0f ||
		   way->turn.z != 0.0f;
}

static struct d3_sweep way_part(const struct d3_sweep *way, float from, float until)
{
	if (from <= 0.0f && until >= 1.0f)
		return *way;
	return (struct d3_sweep){way->local_center, sweep_center(way, from), sweep_center(way, until), d3_sweep_pose(way, from).q, d3_scale(until - from, way->turn)};
}

/* Where the body stands at a time of the step. */
static struct d3_pose pose_at(const struct world *world, uint32_t body, float time)
{
	struct d3_sweep way = obstacle_way(world, body);
	return d3_sweep_pose(&way, time);
}

static struct d3_vec_d place_of(const struct d3_pose *pose)
{
	return (struct d3_vec_d){pose->x, pose->y, pose->z};
}

static struct d3_vec_d turned_home(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_inv_turn_d(&rot, v);
}

static struct d3_vec_d turned_out(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_turn_d(&rot, v);
}

/* The obstacle is met at a part of the way that it was seen to go. */
static void hit_note(struct sweep_query *query, const struct d3_sweep *obstacle, uint32_t body, float t, const struct d3_vec_d *normal, bool deep, bool turns)
{
	if (t >= query->t)
		return;
	struct d3_pose pose = d3_sweep_pose(obstacle, t);
	if (query->behind && d3_dot_d(*normal, turned_out(pose.q, query->front)) <= 0.0)
		return;
	query->t = t;
	query->first = (struct met){body, turned_home(pose.q, *normal), turned_home(pose.q, d3_sub_d(sweep_center(query->seen, t), place_of(&pose)))};
	query->turns = turns;
	query->deep = deep;
}

/* By how much the way of the shape's middle is off a straight one, where the obstacle turns, or the body and the middle is not its centre of mass [length]. */
static double middle_arc(const struct sweep_query *query)
{
	double turn = (double)d3_length(query->seen->turn);
	return query->arc + 0.125 * turn * turn * (double)d3_length(d3_sub(query->shape->centroid, query->seen->local_center));
}

/* Whether the middle of the shape goes against the normal of the obstacle, in its frame, up to a part of its way. */
static bool middle_nears(const struct sweep_query *query, const struct d3_sweep *obstacle, struct d3_vec_d normal, float t)
{
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f), then = d3_sweep_pose(obstacle, t);
	struct d3_vec middle = query->shape->centroid;
	return d3_dot_d(d3_sub_d(place_in(&then, query->seen, t, middle), place_in(&pose, query->seen, 0.0f, middle)), normal) < 0.0;
}

/* Even the core overlaps, and the contact pushes both apart; but the shape's middle must not get through: it may come nearer by half of what is left in one step,
** and no nearer than a slop. Closer, a rounding error could put it on the other side of what is thin, and the contact would push it out there. */
static void sweep_middle(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body)
{
	const struct d3_vec *centroid = &query->shape->centroid;
	struct d3_proxy middle = {.type = D3_PROXY_POINTS, .count = 1, .points = centroid, .reach = d3_length(*centroid)};
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f), start = d3_sweep_pose(query->seen, 0.0f);
	struct d3_vec_d normal;
	double distance = d3_poses_gap(a, &pose, &middle, &start, &normal);
	bool bent = middle_arc(query) > 0.25 * distance; /* then it may come nearer on its way and be farther at its end */
	bool nears = middle_nears(query, obstacle, turned_home(pose.q, normal), bent ? 1.0f / 16.0f : 1.0f);
	if (distance <= 0.0 || (!nears && !bent))
		return; /* inside already: the contact pushes it out; or on its way out */
	struct d3_advance_result impact = {.state = D3_ADVANCE_HIT, .normal = normal};
	if (distance > (double)query->target || !nears) {
		float half = 0.5f * (float)distance, target = nears ? max_f(query->target, min_f(4.0f * query->target, half)) : half;
		d3_time_of_impact(a, &middle, &query->motion, (double)target, 0.25 * (double)target, (double)query->t, &impact);
		impact.normal = d3_turn_d(&query->motion.frame, impact.normal);
	}
	if (impact.state != D3_ADVANCE_SEPARATED)
		hit_note(query, obstacle, body, (float)impact.t, &impact.normal, true, d3_length(d3_sub(*centroid, query->sweep.local_center)) <= query->target);
}

/* What is round may sink in by a slop before it is stopped, like what lies there: a gap to keep would hold back whatever slides along, and tear at
** its joints. */
static void sink(struct d3_proxy *proxy, double depth)
{
	if (proxy->type == D3_PROXY_POINTS)
		proxy->radius -= min_d(proxy->radius, depth);
}

struct core {
	struct d3_vec points[14];
	struct d3_proxy proxy;
};

/* A part of a shape about its middle, by 14 of its points: round shapes, and those of many corners, keep some. */
static void make_core(const struct sweep_query *query, float part, double radius, struct core *core)
{
	core->proxy = (struct d3_proxy){.type = D3_PROXY_POINTS, .count = 14, .points = core->points, .radius = radius};
	for (int i = 0; i < 14; ++i) {
		struct d3_vec_d way = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
		if (i >= 8)
			way = (struct d3_vec_d){i / 2 == 4 ? way.x : 0.0, i / 2 == 5 ? way.x : 0.0, i / 2 == 6 ? way.x : 0.0};
		struct d3_vec point = d3_narrow(d3_core_support(query->whole, way));
		core->points[i] = d3_mul_add(query->shape->centroid, part, d3_sub(point, query->shape->centroid));
		core->proxy.reach = max_d(core->proxy.reach, (double)d3_length(core->points[i]));
	}
}

/* A shape drawn together about its middle by half, more where it is thin, so that nothing of a body that lies on a surface is near that.
** Of a body on joints only this is stopped, unless it is a bullet: where the whole of a wheel is taken back to where it touches the ground, the car goes
** on, and the joint is torn open by what is left of the way (35 mm at 30 Hz, where a car lands at 2 m/s; 13 mm with this). The contact of the next step finds
** it deeper in the ground instead, and both are held by the same solve. */
static void make_half(const struct sweep_query *query, struct core *core)
{
	float inner = query->shape->inner, part = inner > 0.0f ? clamp_f(1.0f - 2.5f * query->target / inner, 0.0f, 0.5f) : 0.0f;
	make_core(query, part, query->jointed && query->whole->type == D3_PROXY_POINTS ? 0.5 * query->whole->radius : 0.0, core);
}

/* A shape is stopped where it is apart at the start, else its core, else its middle. */
static void sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body, const struct d3_proxy *b)
{
	struct d3_proxy sunk_a = *a, sunk_b = *b;
	sink(&sunk_b, 2.0 * (double)query->target);
	sink(&sunk_a, 2.0 * (double)query->target - (b->radius - sunk_b.radius));
	struct d3_advance_result impact;
	d3_time_of_impact(&sunk_a, &sunk_b, &query->motion, (double)query->target, (double)query->tolerance, (double)query->t, &impact);
	bool deep = impact.state == D3_ADVANCE_OVERLAPPING;
	if (deep) {
		struct core core;
		make_core(query, CORE, query->whole->type == D3_PROXY_POINTS ? (double)CORE * query->whole->radius : 0.0, &core);
		d3_time_of_impact(a, &core.proxy, &query->motion, 0.0, (double)query->tolerance, (double)query->t, &impact);
	}
	if (impact.state == D3_ADVANCE_OVERLAPPING) {
		sweep_middle(query, a, obstacle, body);
	} else if (impact.state != D3_ADVANCE_SEPARATED) { /* when the search failed, the way up to t is free all the same */
		struct d3_vec_d normal = d3_turn_d(&query->motion.frame, impact.normal);
		hit_note(query, obstacle, body, (float)impact.t, &normal, deep, false);
	}
}

/* --- Meshes and height fields -------------------------------------------------------------------------------------------- */

struct surface_query {
	struct sweep_query *query;
	const struct d3_shape *surface;
	const struct d3_sweep *obstacle;
	uint32_t body;
	const struct d3_proxy *moving;
	double lower[3], upper[3]; /* around the way, in the surface's frame */
	struct d3_vec_d from, to; /* the middle of the shape at the start and the end, there; in between */
	double arc; /* it is off a straight way by so much at most [length] */
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

/* As long as twice its area. */
static struct d3_vec_d triangle_normal(const struct d3_proxy *triangle)
{
	struct d3_vec_d a = d3_widen(triangle->own[0]), b = d3_widen(triangle->own[1]), c = d3_widen(triangle->own[2]);
	return d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a));
}

/* Who starts behind a one-sided triangle comes out through it. What lies on one and slides along, or is pressed against it, the contact holds.
** Source: Catto's rule for chains, b2ContinuousQueryCallback in Box2D, 2025. */
static bool triangle_stops(const struct surface_query *query, const struct d3_proxy *triangle)
{
	struct d3_vec_d a = d3_widen(triangle->own[0]), normal = triangle_normal(triangle);
	double from = d3_dot_d(normal, d3_sub_d(query->from, a)), to = d3_dot_d(normal, d3_sub_d(query->to, a));
	double core = query->core * d3_length_d(normal), side = from < 0.0 ? -1.0 : 1.0;
	double arc = query->arc * d3_length_d(normal);
	if (query->surface->one_sided && from <= -arc)
		return false;
	return query->turned >= query->core || side * (from - to) >= core || side * to <= core || (arc > 0.0 && min_d(side * from, side * to) - arc <= core);
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
	struct d3_pose pose = d3_sweep_pose(query->obstacle, 0.0f), start = d3_sweep_pose(query->query->seen, 0.0f);
	struct d3_vec_d normal;
	float distance = (float)d3_poses_gap(triangle, &pose, query->moving, &start, &normal);
	if (distance < query->near) {
		query->near = distance;
		query->normal = normal;
	}
}

static void triangle_sweep(struct surface_query *query, const struct d3_proxy *triangle)
{
	query->query->front = triangle_normal(triangle);
	query->query->behind = query->surface->one_sided && d3_dot_d(query->query->front, d3_sub_d(query->from, d3_widen(triangle->own[0]))) <= 0.0;
	sweep_convex(query->query, triangle, query->obstacle, query->body, query->moving);
}

/* Around where the shape starts and ends, as the surface sees it. */
static void way_bounds(struct surface_query *query)
{
	const struct sweep_query *sweep = query->query;
	const struct d3_shape *shape = sweep->shape;
	for (int end = 0; end < 2; ++end) {
		float t = end ? sweep->t : 0.0f;
		struct d3_pose frame = d3_sweep_pose(query->obstacle, t), pose = d3_sweep_pose(sweep->seen, t);
		struct d3_vec_d p = turned_home(frame.q, d3_sub_d(place_of(&pose), place_of(&frame)));
		struct d3_pose relative = {p.x, p.y, p.z, d3_inv_mul_quat(frame.q, pose.q)};
		struct box box = d3_shape_box(shape, &relative, 2.0f * sweep->target + sweep->bulge + (float)sweep->arc);
		*(end ? &query->to : &query->from) = d3_add_d(p, turned_out(relative.q, d3_widen(shape->centroid)));
		for (int k = 0; k < 3; ++k) {
			query->lower[k] = end ? min_d(query->lower[k], (double)box.lower[k]) : (double)box.lower[k];
			query->upper[k] = end ? max_d(query->upper[k], (double)box.upper[k]) : (double)box.upper[k];
		}
	}
	query->arc = middle_arc(sweep);
}

/* What touches some of the triangles already slides over the others, too: all that is kept from getting through is its core. */
static void sweep_surface(struct sweep_query *query, const struct d3_shape *surface, const struct d3_sweep *obstacle, uint32_t body)
{
	struct surface_query of = {.query = query, .surface = surface, .obstacle = obstacle, .body = body, .moving = query->whole,
		.near = INFINITY, .enough = query->target, .core = (double)max_f(query->target, CORE * query->shape->inner)};
	struct core core;
	way_bounds(&of);
	for_near_triangles(&of, triangle_near);
	if (of.near <= query->target || query->jointed) {
		make_half(query, &core);
		of.moving = &core.proxy;
		of.turned = core.proxy.reach * (double)d3_length(query->seen->turn);
	}
	for_near_triangles(&of, triangle_sweep);
}

/* --- Bodies -------------------------------------------------------------------------------------------------------------- */

/* Whether it goes along a face of the obstacle, at most a slop below it and half a one for what rests on it: then the obstacle's other
** faces are seams between it and what lies beside it. */
static bool slides_over(const struct sweep_query *query, const struct d3_shape *a, const struct d3_sweep *obstacle, const struct d3_shape *b)
{
	struct d3_transform places[3];
	if (0.25 * query->arc > 0.5 * (double)query->target)
		return false;
	for (int i = 0; i < 3; ++i) {
		float t = 0.5f * (float)i * query->t;
		struct d3_pose frame = d3_sweep_pose(obstacle, t), pose = d3_sweep_pose(query->seen, t);
		places[i] = d3_pose_relative(&frame, &pose);
	}
	return d3_stays_above(a, b, places, 3, min_f(1.5f * query->target, 0.5f * b->inner));
}

/* Whether it can stop the body. */
static bool sweep_meets(const struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	const struct body *other = &world->bodies.data[world->colliders.data[world->proxies.data[other_id].collider].body];
	return (other->type != BODY_DYNAMIC || (query->bullet && !query->crowded)) && sweep_allowed(world, query->proxy, other_id);
}

/* By how much the way of the body's centre of mass is off a straight one, seen from an obstacle that turns: 1/8 of its greatest second derivative, the
** centrifugal and the Coriolis part of which are  |w|^2 |p| + 2 |w| |v|. */
static double arc_of(const struct d3_sweep *way, const struct d3_sweep *obstacle)
{
	double w = (double)d3_length(obstacle->turn);
	if (w == 0.0)
		return 0.0;
	struct d3_vec_d start = d3_sub_d(way->from, obstacle->from), end = d3_sub_d(way->to, obstacle->to);
	return 0.125 * (w * w * max_d(d3_length_d(start), d3_length_d(end)) + 2.0 * w * d3_length_d(d3_sub_d(end, start)));
}

/* How the body goes, and how the obstacle: as the body's carrier sees it, if that is the obstacle. */
static struct d3_sweep see(struct sweep_query *query, uint32_t body)
{
	struct d3_sweep way = obstacle_way(query->world, body);
	bool carries = body == query->carrier;
	query->seen = carries ? &query->relative : &query->sweep;
	struct d3_sweep part = way_part(&way, query->from, carries ? query->from : query->until);
	query->arc = arc_of(query->seen, &part);
	d3_make_motion(&part, query->seen, &query->motion);
	return part;
}

/* Whether balls around the body and a dynamic one stay apart: both middles go straight. */
static bool balls_pass(const struct sweep_query *query, uint32_t body)
{
	const struct d3_body *row = d3_row(query->world, body);
	if (query->world->bodies.data[body].type != BODY_DYNAMIC || body == query->carrier)
		return false;
	struct d3_vec_d last = {row->x, row->y, row->z}, first = last;
	if (query->world->bodies.data[body].set == SET_AWAKE)
		first = (struct d3_vec_d){row->x0, row->y0, row->z0};
	struct d3_vec_d whole = d3_sub_d(last, first), from = d3_mul_add_d(first, (double)query->from, whole);
	struct d3_vec_d p = d3_sub_d(query->sweep.from, from), way = d3_scale_d((double)(query->until - query->from), whole);
	struct d3_vec_d v = d3_sub_d(d3_sub_d(query->sweep.to, query->sweep.from), way);
	double square = d3_dot_d(v, v), along = -d3_dot_d(p, v), t = along <= 0.0 ? 0.0 : along < square ? along / square : 1.0;
	struct d3_vec_d nearest = d3_mul_add_d(p, t, v);
	double reach = (double)(query->extent + row->max_extent + 2.0f * query->target);
	return d3_dot_d(nearest, nearest) > reach * reach;
}

static void sweep_against(struct sweep_query *query, uint32_t other_id)
{
	struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	if (balls_pass(query, body) || !sweep_meets(query, other_id))
		return;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id);
	struct d3_proxy proxy_a, proxy_b;
	query->shape = d3_proxy_part(world, query->proxy);
	query->whole = &proxy_b;
	d3_make_proxy(query->shape, 0, &proxy_b);
	struct d3_sweep obstacle = see(query, body);
	query->behind = false;
	if (d3_shape_surface(part_a)) {
		sweep_surface(query, part_a, &obstacle, body);
	} else if (!slides_over(query, part_a, &obstacle, query->shape)) {
		struct core core;
		d3_make_proxy(part_a, 0, &proxy_a);
		if (query->jointed)
			make_half(query, &core);
		sweep_convex(query, &proxy_a, &obstacle, body, query->jointed ? &core.proxy : &proxy_b);
	}
}

/* How near the shape, where it is, is to what stands still, and to the obstacle. */
static void near_against(struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	if (!sweep_meets(query, other_id))
		return;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id);
	struct d3_sweep obstacle = obstacle_way(world, body);
	if (way_leads_on(&obstacle))
		return;
	struct d3_proxy proxy_a, proxy_b;
	query->shape = d3_proxy_part(world, query->proxy);
	query->seen = &query->sweep;
	d3_make_proxy(query->shape, 0, &proxy_b);
	float distance;
	struct d3_vec_d normal;
	if (d3_shape_surface(part_a)) {
		struct surface_query of = {.query = query, .surface = part_a, .obstacle = &obstacle, .body = body, .moving = &proxy_b, .any = true, .near = INFINITY,
			.enough = -INFINITY};
		way_bounds(&of);
		for_near_triangles(&of, triangle_near);
		distance = of.near;
		normal = of.normal;
	} else {
		d3_make_proxy(part_a, 0, &proxy_a);
		struct d3_pose frame = d3_sweep_pose(&obstacle, 1.0f);
		distance = (float)d3_poses_gap(&proxy_a, &frame, &proxy_b, &query->end, &normal);
	}
	if (body == query->first.body && distance < query->near_obstacle) {
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
	return moved > 0.5 * (double)part->inner && moved > 0.1 * (double)query->target;
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
	struct d3_pose end = query->t < 1.0f ? d3_sweep_pose(&query->sweep, query->t) : query->end;
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

/* Of a bullet's whole way it is known already that the boxes overlap. */
static bool bullet_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
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
		bullet_query(world, proxy, query->impacts == 0 ? around : way_box(query), query->impacts == 0, query->impacts == 0 ? bullet_visit : sweep_visit, query);
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		if (world->wing->proxy_meets_box(world, world->unbounded.data[i], way_box(query)))
			query->against(query, world->unbounded.data[i]);
}

static void colliders_sweep(struct sweep_query *query, const struct body *body)
{
	const struct world *world = query->world;
	query->start = d3_sweep_pose(&query->sweep, 0.0f);
	query->end = d3_sweep_pose(&query->sweep, 1.0f);
	query->bulge = arc_bulge(query->extent, query->sweep.turn);
	struct course course = course_of(query);
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		for (uint32_t p = collider->proxies; p != NONE && !collider->sensor; p = world->proxies.data[p].next) {
			const struct d3_shape *part = d3_proxy_part(world, p);
			if (world->proxies.data[p].unbounded || d3_shape_surface(part))
				continue;
			struct passage passage = passage_of(&course, part);
			if (query->against == near_against || query->overtaken || query->impacts > 0 || part_fast(query, &passage, part)) {
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
	travel_leap(world, id);
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

/* Where a point is in the world that has this place in a frame. */
static struct d3_vec_d point_at(const struct d3_pose *pose, struct d3_vec_d local)
{
	return d3_add_d(place_of(pose), turned_out(pose->q, local));
}

static struct d3_vec_d carried(const struct d3_pose *from, const struct d3_pose *to, struct d3_vec_d point)
{
	return point_at(to, turned_home(from->q, d3_sub_d(point, place_of(from))));
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

/* Whether the obstacle counts. */
static bool still_met(const struct sweep_query *query, uint32_t obstacle)
{
	return !query->crowded || query->world->bodies.data[obstacle].type != BODY_DYNAMIC;
}

/* Whether the body can be at a place at that time, or near it, and in front of all surfaces that it has met: changes the place of its centre of mass as little as
** possible. */
static bool place_find(const struct sweep_query *query, float time, struct d3_vec_d *place)
{
	struct way_plane planes[LAST_IMPACT];
	int count = 0;
	for (int i = 0; i < query->impacts; ++i) {
		const struct met *met = &query->met[i];
		if (!still_met(query, met->body))
			continue;
		struct d3_pose pose = pose_at(query->world, met->body, time);
		struct d3_vec_d n = turned_out(pose.q, met->normal);
		planes[count++] = (struct way_plane){{n.x, n.y, n.z}, d3_dot_d(n, d3_sub_d(point_at(&pose, met->place), *place))};
	}
	double way[3] = {0.0, 0.0, 0.0};
	bool found = way_keep(planes, count, 0.1 * (double)query->target, way);
	*place = (struct d3_vec_d){place->x + way[0], place->y + way[1], place->z + way[2]};
	return found;
}

/* Puts the body where its free way ends. A ball turns in itself. */
static void stop_at(struct sweep_query *query)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	bool round = row->max_extent <= row->min_extent + query->target;
	center_place(query->world, query->body, sweep_center(&query->sweep, query->t), d3_sweep_pose(&query->sweep, round ? 1.0f : query->t).q);
	query->from += (query->until - query->from) * query->t;
}

/* The obstacle that carries the body along: of those that it has met the last one that moves, a kinematic one if there is one. NONE: all stand still. */
static uint32_t find_carrier(const struct sweep_query *query)
{
	uint32_t carrier = NONE;
	for (int i = 0; i < query->impacts; ++i) {
		uint32_t body = query->met[i].body;
		struct d3_sweep way = obstacle_way(query->world, body);
		bool dynamic = query->world->bodies.data[body].type == BODY_DYNAMIC;
		if (way_leads_on(&way) && still_met(query, body) && (carrier == NONE || !dynamic || query->world->bodies.data[carrier].type == BODY_DYNAMIC))
			carrier = body;
	}
	return carrier;
}

/* The next part of the body's way from where it is, `rest` if nothing were there: as if it stuck to its carrier, or else along the surfaces that it has met. */
static bool way_choose(struct sweep_query *query, struct d3_vec_d rest, struct d3_vec turn)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_vec_d here = row_center(row), there = d3_add_d(here, rest), off = {0.0, 0.0, 0.0};
	struct d3_pose from = {.q = {0.0f, 0.0f, 0.0f, 1.0f}}, to = from;
	query->carrier = find_carrier(query);
	query->until = 1.0f;
	if (!query->turns)
		turn = (struct d3_vec){0.0f, 0.0f, 0.0f};
	if (query->carrier != NONE) {
		struct d3_sweep carrier = obstacle_way(query->world, query->carrier);
		query->until = arc_end(query->from, (double)d3_length(carrier.turn), d3_length_d(d3_sub_d(here, sweep_center(&carrier, query->from))), (double)query->target);
		from = d3_sweep_pose(&carrier, query->from);
		to = d3_sweep_pose(&carrier, query->until);
		there = carried(&from, &to, here);
		turn = d3_scale(query->until - query->from, carrier.turn);
	}
	struct d3_vec_d wanted = there;
	bool found = place_find(query, query->until, &there);
	if (query->carrier != NONE)
		off = turned_out(from.q, turned_home(to.q, d3_sub_d(there, wanted)));
	query->sweep = (struct d3_sweep){row->local_center, here, there, row->q, turn};
	query->relative = (struct d3_sweep){row->local_center, here, d3_add_d(here, off), row->q, {0.0f, 0.0f, 0.0f}};
	return found;
}

/* What has sunk into an obstacle may spin so that its surface leaves it while its centre goes on: then no contact stops it, and it would be swept into the obstacle
** in each step. It gets the obstacle's velocity along the normal. */
static void sunk_stop(const struct sweep_query *query, struct d3_vec_d normal)
{
	const struct body *obstacle = &query->world->bodies.data[query->first.body];
	if (!query->deep || query->jointed || obstacle->type == BODY_DYNAMIC)
		return;
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_state *state = d3_state(query->world, query->body);
	if (row->inv_mass.x == 0.0f || row->inv_mass.y == 0.0f || row->inv_mass.z == 0.0f)
		return;
	struct d3_vec n = d3_narrow(normal), u = {0.0f, 0.0f, 0.0f};
	if (obstacle->set == SET_AWAKE) {
		const struct d3_body *other = d3_row(query->world, query->first.body);
		const struct d3_state *motion = d3_state(query->world, query->first.body);
		u = d3_add(motion->v, d3_cross(motion->w, d3_narrow(d3_sub_d(row_center(row), row_center(other)))));
	}
	state->v = d3_mul_add(state->v, max_f(0.0f, d3_dot(n, d3_sub(u, state->v))), n);
}

/* The rest of the way. Between a dynamic body and something else a bullet stays where it is. */
static void way_go_on(struct sweep_query *query, struct d3_vec_d rest, struct d3_vec turn)
{
	struct d3_vec_d none = {0.0, 0.0, 0.0};
	query->crowded = query->crowded || query->impacts >= IMPACTS;
	if (!way_choose(query, query->crowded ? none : rest, turn) && query->bullet) {
		query->crowded = true;
		way_choose(query, none, turn);
	}
}

/* After too many impacts the rest of the body's way is lost; it stays where it is, or where its carrier is, if that is kinematic. */
static void way_end(const struct sweep_query *query)
{
	if (query->carrier == NONE || query->world->bodies.data[query->carrier].type != BODY_KINEMATIC)
		return;
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_pose from = pose_at(query->world, query->carrier, query->from), to = pose_at(query->world, query->carrier, 1.0f);
	struct d3_quat q = d3_normalize_quat(d3_mul_quat(to.q, d3_inv_mul_quat(from.q, row->q)));
	center_place(query->world, query->body, carried(&from, &to, row_center(row)), q);
}

/* Goes on from where the body has met an obstacle, until nothing is in its way. */
static void sweep_on(struct sweep_query *query)
{
	const struct body *body = &query->world->bodies.data[query->body];
	while (query->t < 1.0f || query->until < 1.0f) {
		float left = 1.0f - query->t;
		struct d3_vec_d rest = d3_scale_d((double)left, d3_sub_d(query->sweep.to, query->sweep.from));
		struct d3_vec turn = d3_scale(left, query->sweep.turn);
		stop_at(query);
		if (query->t < 1.0f) {
			query->met[query->impacts++] = query->first;
			struct d3_vec_d n = turned_out(pose_at(query->world, query->first.body, query->from).q, query->first.normal);
			sunk_stop(query, n);
			rest = query->turns ? rest : d3_mul_add_d(rest, -d3_dot_d(n, rest), n); /* a centre that rises does so by its turn, which is over */
		}
		way_go_on(query, rest, turn);
		if (query->impacts == LAST_IMPACT) {
			way_end(query);
			return;
		}
		query->t = 1.0f;
		colliders_sweep(query, body);
	}
	center_place(query->world, query->body, query->sweep.to, query->end.q);
}

/* How near the body, where it is, is to what stands still and was in its way, no farther than a contact in the next step may be. */
static struct sweep_query nearness(const struct sweep_query *query)
{
	struct d3_pose pose = d3_row_pose(d3_row(query->world, query->body));
	struct sweep_query near = *query;
	near.sweep = d3_sweep_fixed(&pose);
	near.t = 1.0f;
	near.target = 2.0f * query->target;
	near.near = near.near_obstacle = INFINITY;
	near.against = near_against;
	near.bullet = false;
	colliders_sweep(&near, &query->world->bodies.data[query->body]);
	return near;
}

/* Cosine of the angle by which the normal of an impact may turn while the body goes on along the surface, 8 degrees. */
#define SAME_WAY 0.99

/* From where it has met an obstacle that stands still: the rest of its way without the part along the normal, which is for the contact to change. The normal
** of the nearest surface: what was hit first may be the edge of a tile beside it, whose normal leans by sqrt(2 slop/r), and a long way along that leads as far
** into the wall (a ball of 0.19 m at 65 m/s by 10 cm, where the contacts gave it a quarter more energy). Not to where there is no contact, off the edge of a
** platform or past a peg: there the impact would be lost; nor deeper, nor to where the obstacle has another
** normal, which the impact would take. */
static void slide_along(struct sweep_query *query)
{
	struct d3_body *row = d3_row(query->world, query->body);
	struct sweep_query at = *query;
	stop_at(&at);
	struct d3_vec_d start = row_center(row);
	struct d3_quat q = row->q;
	struct sweep_query before = nearness(&at);
	bool deep = before.near < -2.0f * query->target; /* the way out of a triangle is no measure then */
	if (!deep)
		query->first.normal = turned_home(pose_at(query->world, query->first.body, 0.0f).q, before.normal);
	at.first = query->first;
	at.met[at.impacts++] = at.first;
	sweep_on(query);
	if (query->carrier != NONE)
		return;
	struct sweep_query after = nearness(&at);
	bool turned = !deep && d3_dot_d(before.obstacle_normal, after.obstacle_normal) < SAME_WAY;
	if (!turned && after.near_obstacle <= 2.0f * query->target && (deep || after.near >= min_f(before.near, 0.0f) - 2.0f * query->target))
		return;
	center_place(query->world, query->body, start, q);
	at.sweep = (struct d3_sweep){row->local_center, start, start, q, {0.0f, 0.0f, 0.0f}};
	at.t = 1.0f;
	colliders_sweep(&at, &query->world->bodies.data[query->body]);
	sweep_on(&at);
}

bool d3_body_sweep(struct world *world, uint32_t id, bool move)
{
	struct d3_body *row = d3_row(world, id);
	const struct body *body = &world->bodies.data[id];
	float slop = LINEAR_SLOP * world->settings.length_scale;
	struct sweep_query query = {
		.world = world,
		.body = id,
		.bullet = body->bullet,
		.overtaken = bits_has(&world->overtaken_bodies, id),
		.jointed = !body->bullet && body->edges[EDGE_JOINT] != NONE,
		.against = sweep_against,
		.carrier = NONE,
		.extent = row->max_extent,
		.sweep = obstacle_way(world, id),
		.until = 1.0f,
		.target = slop,
		.tolerance = 0.25f * slop,
		.t = 1.0f,
	};
	if (body->set == SET_AWAKE && turns_far(world, id))
		query.sweep.turn = body_turned(world, id);
	colliders_sweep(&query, body);
	if (query.t >= 1.0f)
		return false;
	if (!move)
		return true;
	double x = row->x, y = row->y, z = row->z;
	struct d3_sweep obstacle = obstacle_way(world, query.first.body);
	bool middle = query.turns;
	if (!way_leads_on(&obstacle) && !middle && world->bodies.data[query.first.body].type != BODY_DYNAMIC)
		slide_along(&query);
	else
		sweep_on(&query);
	if (!middle)
		fall_forget(world, id, x, y, z);
	return true;
}
