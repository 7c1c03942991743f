/* ccd_query.c - the first impact of a swept body on its path. See ccd.c. */
#include "d3/dynamics/ccd_parts.h"

#include <string.h>

/* --- First impact --------------------------------------------------------------------------------------------------------- */

/* A point of the body at time t of the sweep, in the given frame. */
static struct d3_vec_d place_in(const struct d3_pose *frame, const struct d3_sweep *sweep, float t, struct d3_vec point)
{
	struct d3_pose pose = d3_sweep_pose(sweep, t);
	struct d3_rot_d q = d3_exact_rot(pose.q), home = d3_exact_rot(frame->q);
	struct d3_vec_d at =
		d3_add_d((struct d3_vec_d){pose.x - frame->x, pose.y - frame->y, pose.z - frame->z}, d3_turn_d(&q, d3_widen(point)));
	return d3_inv_turn_d(&home, at);
}

struct d3_vec_d d3_ccd_sweep_center(const struct d3_sweep *delta, float t)
{
	return d3_mul_add_d(delta->from, (double)t, d3_sub_d(delta->to, delta->from));
}

bool d3_ccd_turns_far(const struct world *world, uint32_t body)
{
	return !bits_has(&world->taken_bodies, body) && d3_length(d3_state(world, body)->turn) > 0.5f * SCALAR_PI_F;
}

/* Rotation vector of a body in this step, perhaps of more than half a turn [rad]. */
static struct d3_vec body_turned(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	struct d3_vec turn = d3_turn_between(row->q0, row->q);
	double angle = (double)d3_length(turn);
	if (!d3_ccd_turns_far(world, body) || !(angle > 1e-3))
		return turn;
	double about = (double)d3_dot(d3_state(world, body)->turn, turn) / angle;
	double whole = angle + 2.0 * SCALAR_PI * floor((about - angle) / (2.0 * SCALAR_PI) + 0.5);
	return d3_scale((float)(whole / angle), turn);
}

/* Height of an arc over its chord: r (1 - cos(angle/2)), at most r. */
static float arc_bulge(float radius, struct d3_vec turn)
{
	float angle = d3_length(turn);
	return angle < SCALAR_PI_F ? radius * max_f(0.0f, 1.0f - scalar_cos_sin(0.5 * (double)angle).cosine) : radius;
}

float d3_body_bulge(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	if (d3_ccd_turns_far(world, id))
		return arc_bulge(row->max_extent, body_turned(world, id));
	/* of half the angle */
	float cosine = row->q0.x * row->q.x + row->q0.y * row->q.y + row->q0.z * row->q.z + row->q0.w * row->q.w;
	return row->max_extent * max_f(0.0f, 1.0f - abs_f(cosine));
}

struct d3_sweep d3_ccd_obstacle_path(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	if (world->bodies.data[body].set == SET_AWAKE)
		return (struct d3_sweep){
			row->local_center, {row->x0, row->y0, row->z0}, {row->x, row->y, row->z}, row->q0, body_turned(world, body)};
	struct d3_pose pose = d3_row_pose(row);
	return d3_sweep_fixed(&pose);
}

bool d3_ccd_path_leads_on(const struct d3_sweep *delta)
{
	return delta->from.x != delta->to.x || delta->from.y != delta->to.y || delta->from.z != delta->to.z ||
		delta->turn.x != 0.0f || delta->turn.y != 0.0f || delta->turn.z != 0.0f;
}

static struct d3_sweep path_part(const struct d3_sweep *delta, float from, float until)
{
	if (from <= 0.0f && until >= 1.0f)
		return *delta;
	return (struct d3_sweep){delta->local_center, d3_ccd_sweep_center(delta, from), d3_ccd_sweep_center(delta, until),
		d3_sweep_pose(delta, from).q, d3_scale(until - from, delta->turn)};
}

struct d3_pose d3_ccd_pose_at(const struct world *world, uint32_t body, float time)
{
	struct d3_sweep delta = d3_ccd_obstacle_path(world, body);
	return d3_sweep_pose(&delta, time);
}

struct d3_vec_d d3_ccd_place_of(const struct d3_pose *pose)
{
	return (struct d3_vec_d){pose->x, pose->y, pose->z};
}

struct d3_vec_d d3_ccd_turned_home(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_inv_turn_d(&rot, v);
}

struct d3_vec_d d3_ccd_turned_out(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_turn_d(&rot, v);
}

struct d3_pose d3_ccd_seen_pose(const struct sweep_query *query, float t)
{
	if (query->seen == &query->sweep && (t == 0.0f || t == 1.0f))
		return t == 0.0f ? query->start : query->end;
	return d3_sweep_pose(query->seen, t);
}

/* Whether the body does not approach the obstacle along this normal: neither of them turns, and the body moves along the
 * surface or away from it. */
static bool goes_along(const struct sweep_query *query, const struct d3_sweep *obstacle, const struct d3_vec_d *normal)
{
	const struct d3_sweep *delta = query->seen;
	struct d3_vec_d moves = d3_sub_d(d3_sub_d(delta->to, delta->from), d3_sub_d(obstacle->to, obstacle->from));
	return d3_length(delta->turn) == 0.0f && d3_length(obstacle->turn) == 0.0f &&
		d3_dot_d(moves, *normal) >= -PATH_ROUNDING * (double)query->target;
}

/* Records an impact at time t of `seen`, if none is earlier. */
static void hit_note(struct sweep_query *query, const struct d3_sweep *obstacle, uint32_t body, float t,
	const struct d3_vec_d *normal, bool deep, bool turns)
{
	if (t >= query->t || goes_along(query, obstacle, normal))
		return;
	struct d3_pose pose = d3_sweep_pose(obstacle, t);
	if (query->behind && d3_dot_d(*normal, d3_ccd_turned_out(pose.q, query->front)) <= 0.0)
		return;
	query->t = t;
	query->first = (struct met){body, {query->proxy, query->other}, d3_ccd_turned_home(pose.q, *normal),
		d3_ccd_turned_home(
			pose.q, d3_mul_add_d(d3_sub_d(d3_ccd_sweep_center(query->seen, t), d3_ccd_place_of(&pose)), query->lift, *normal)),
		false};
	query->turns = turns;
	query->deep = deep;
}

double d3_ccd_middle_arc(const struct sweep_query *query)
{
	double turn = (double)d3_length(query->seen->turn);
	return query->arc + 0.125 * turn * turn * (double)d3_length(d3_sub(query->shape->centroid, query->seen->local_center));
}

/* Whether the shape's middle approaches along the normal, given in the obstacle's frame, from time 0 to t. */
static bool middle_nears(const struct sweep_query *query, const struct d3_sweep *obstacle, struct d3_vec_d normal, float t)
{
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f), then = d3_sweep_pose(obstacle, t);
	struct d3_vec middle = query->shape->centroid;
	return d3_dot_d(d3_sub_d(place_in(&then, query->seen, t, middle), place_in(&pose, query->seen, 0.0f, middle)), normal) <
		0.0;
}

/* A body thinner than the overlap of resting contacts rests with its middle inside the obstacle. With its middle less than a
 * slop below a plane face, it is stopped from going deeper. */
static void sweep_sunk(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body)
{
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f);
	struct d3_vec_d p = place_in(&pose, query->seen, 0.0f, query->shape->centroid), n = {0.0, 0.0, 0.0};
	double height = -(double)query->target;
	for (uint32_t i = 0; a->hull != NULL && i < a->hull->face_count; ++i) {
		double above = d3_dot_d(a->hull->planes[i].normal, p) - a->hull->planes[i].offset - a->radius;
		n = above > height ? a->hull->planes[i].normal : n;
		height = max_d(height, above);
	}
	struct d3_vec_d normal = d3_ccd_turned_out(pose.q, n);
	if (middle_nears(query, obstacle, n, 1.0f))
		hit_note(query, obstacle, body, 0.0f, &normal, true,
			d3_length(d3_sub(query->shape->centroid, query->sweep.local_center)) <= query->target);
}

/* For a shape whose core overlaps, too. The contact pushes the body out, but the shape's middle must not pass through: in one
 * step it may approach by half of its distance, and to no less than a slop. Closer, a rounding error could put it behind a thin
 * obstacle, and the contact would push the body out there. */
static void sweep_middle(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body)
{
	const struct d3_vec *centroid = &query->shape->centroid;
	struct d3_proxy middle = {.type = D3_PROXY_POINTS, .count = 1, .points = centroid, .reach = d3_length(*centroid)};
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f), start = d3_sweep_pose(query->seen, 0.0f);
	struct d3_vec_d normal;
	double distance = d3_poses_separation(a, &pose, &middle, &start, &normal);
	if (distance <= 0.0) {
		sweep_sunk(query, a, obstacle, body);
		return;
	}
	bool bent = d3_ccd_middle_arc(query) > 0.25 * distance; /* then the middle may be nearer on its path than at its end */
	bool nears = middle_nears(query, obstacle, d3_ccd_turned_home(pose.q, normal), bent ? 1.0f / 16.0f : 1.0f);
	if (!nears && !bent)
		return; /* the middle moves away */
	struct d3_impact_result impact = {.state = AXES_IMPACT_HIT, .normal = normal};
	float stop = (float)distance;
	if (distance > (double)query->target || !nears) {
		float half = 0.5f * (float)distance;
		stop = nears ? max_f(query->target, min_f(4.0f * query->target, half)) : half;
		d3_time_of_impact(a, &middle, &query->motion, (double)stop, 0.25 * (double)stop, (double)query->t, &impact);
		impact.normal = d3_turn_d(&query->motion.frame, impact.normal);
	}
	query->lift = max_d(0.0, (double)(query->target - stop));
	if (impact.state != AXES_IMPACT_SEPARATED)
		hit_note(query, obstacle, body, (float)impact.t, &impact.normal, true,
			d3_length(d3_sub(*centroid, query->sweep.local_center)) <= query->target);
}

/* Shrinks a rounded shape, so that it may penetrate by a slop before it is stopped, as at rest: a separation to keep would hold
 * back sliding bodies, and pull at their joints. */
static void sink(struct d3_proxy *proxy, double depth)
{
	if (proxy->type == D3_PROXY_POINTS)
		proxy->radius -= min_d(proxy->radius, depth);
}

/* Makes a core: the shape scaled by `part` about its middle, by 14 support points. Round shapes, and those of many corners,
 * keep only some. */
static void make_core(const struct sweep_query *query, float part, double radius, struct core *core)
{
	core->proxy = (struct d3_proxy){.type = D3_PROXY_POINTS, .count = 14, .points = core->points, .radius = radius};
	for (int i = 0; i < 14; ++i) {
		struct d3_vec_d delta = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
		if (i >= 8)
			delta = (struct d3_vec_d){i / 2 == 4 ? delta.x : 0.0, i / 2 == 5 ? delta.x : 0.0, i / 2 == 6 ? delta.x : 0.0};
		struct d3_vec point = d3_narrow(d3_core_support(query->whole, delta));
		core->points[i] = d3_mul_add(query->shape->centroid, part, d3_sub(point, query->shape->centroid));
		core->proxy.reach = max_d(core->proxy.reach, (double)d3_length(core->points[i]));
	}
}

void d3_ccd_make_half(const struct sweep_query *query, struct core *core)
{
	float inner = query->shape->inner, part = inner > 0.0f ? clamp_f(1.0f - 2.5f * query->target / inner, 0.0f, 0.5f) : 0.0f;
	make_core(query, part, query->jointed && query->whole->type == D3_PROXY_POINTS ? 0.5 * query->whole->radius : 0.0, core);
}

void d3_ccd_sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body,
	const struct d3_proxy *b)
{
	struct d3_proxy sunk_a = *a, sunk_b = *b;
	sink(&sunk_b, 2.0 * (double)query->target);
	sink(&sunk_a, 2.0 * (double)query->target - (b->radius - sunk_b.radius));
	query->lift = 0.0;
	struct d3_impact_result impact;
	d3_time_of_impact(
		&sunk_a, &sunk_b, &query->motion, (double)query->target, (double)query->tolerance, (double)query->t, &impact);
	bool deep = impact.state == AXES_IMPACT_OVERLAPPING;
	if (deep) {
		struct core core;
		if (query->shared)
			bullet_ask(query->world, query->body, body);
		make_core(query, CORE, query->whole->type == D3_PROXY_POINTS ? (double)CORE * query->whole->radius : 0.0, &core);
		d3_time_of_impact(a, &core.proxy, &query->motion, 0.0, (double)query->tolerance, (double)query->t, &impact);
	}
	if (impact.state == AXES_IMPACT_OVERLAPPING) {
		sweep_middle(query, a, obstacle, body);
	} else if (impact.state != AXES_IMPACT_SEPARATED) { /* after a failed search, too, the path is free up to impact.t */
		struct d3_vec_d normal = d3_turn_d(&query->motion.frame, impact.normal);
		hit_note(query, obstacle, body, (float)impact.t, &normal, deep, false);
	}
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

/* How much lower a point of the shape may get between the start, middle and end of the path than there: since its centre's path
 * curves, and by rotation, w^2 r / 8 for each half of the path [length]. */
static float dip_between(const struct sweep_query *query, const struct d3_sweep *obstacle, const struct d3_shape *b)
{
	double far = d3_length_d(d3_sub_d(b->middle, d3_widen(query->seen->local_center))) + b->reach - (double)b->radius;
	double turn = (double)d3_length(d3_sub(query->seen->turn, obstacle->turn));
	return (float)(0.25 * query->arc + 0.03125 * turn * turn * far);
}

/* Whether the shape slides along a face of the obstacle, at most 1.5 slops below it: a slop, and half of one for resting on it.
 * Then the obstacle's other faces are seams to its neighbours. */
static bool slides_over(
	const struct sweep_query *query, const struct d3_shape *a, const struct d3_sweep *obstacle, const struct d3_shape *b)
{
	static const float times[3] = {0.0f, 1.0f, 0.5f};
	struct d3_transform places[3];
	struct d3_pose frame = d3_sweep_pose(obstacle, 0.0f);
	float depth =
		min_f(1.5f * query->target, 0.5f * b->inner) - max_f(0.0f, dip_between(query, obstacle, b) - 0.5f * query->target);
	for (uint32_t i = 0; i < 3; ++i) {
		float t = times[i] * query->t;
		if (i > 0 && d3_ccd_path_leads_on(obstacle))
			frame = d3_sweep_pose(obstacle, t);
		struct d3_pose pose = d3_ccd_seen_pose(query, t);
		places[i] = d3_pose_relative(&frame, &pose);
		if (i > 0 && !d3_stays_above(a, b, places, i + 1, depth))
			return false;
	}
	return true;
}

/* Whether proxy `other_id` can stop the body. */
static bool sweep_meets(const struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	const struct body *other = &world->bodies.data[body];
	return body != query->ignored && (other->type != BODY_DYNAMIC || (query->bullet && !query->crowded)) &&
		sweep_allowed(world, query->proxy, other_id);
}

/* Largest deviation of the path of the body's centre of mass from its chord, in the frame of a rotating obstacle: 1/8 of the
 * path's greatest second derivative, whose centrifugal and Coriolis parts are |w|^2 |p| + 2 |w| |v|. */
static double arc_of(const struct d3_sweep *delta, const struct d3_sweep *obstacle)
{
	double w = (double)d3_length(obstacle->turn);
	if (w == 0.0)
		return 0.0;
	struct d3_vec_d start = d3_sub_d(delta->from, obstacle->from), end = d3_sub_d(delta->to, obstacle->to);
	return 0.125 * (w * w * max_d(d3_length_d(start), d3_length_d(end)) + 2.0 * w * d3_length_d(d3_sub_d(end, start)));
}

/* Sets `seen` and `arc` for the obstacle `body`, and returns its motion in this part. The swept body's carrier is held still,
 * unless `bent`. */
static struct d3_sweep see(struct sweep_query *query, uint32_t body)
{
	struct d3_sweep delta = d3_ccd_obstacle_path(query->world, body);
	bool carries = body == query->carrier && !query->bent;
	query->seen = carries ? &query->relative : &query->sweep;
	struct d3_sweep part = path_part(&delta, query->from, carries ? query->from : query->until);
	query->arc = arc_of(query->seen, &part);
	return part;
}

double d3_ccd_turn_bound(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	if (world->bodies.data[body].set != SET_AWAKE)
		return 0.0;
	if (d3_ccd_turns_far(world, body))
		return (double)d3_length(d3_state(world, body)->turn);
	struct d3_quat a = row->q0, b = row->q;
	double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z), w = (double)(a.w - b.w);
	return SCALAR_PI * sqrt(x * x + y * y + z * z + w * w); /* the angle is 4 asin(d/2) */
}

/* The same for the current part of the swept body's path. */
static double own_turn_bound(const struct sweep_query *query)
{
	return query->posed ? (double)d3_length(query->sweep.turn) : d3_ccd_turn_bound(query->world, query->body);
}

/* *p, *v: position and displacement of the swept body relative to a dynamic `body`, in the part of the step up to `until`, from
 * here to there. */
static void paths_between(const struct sweep_query *query, uint32_t body, struct d3_vec_d here, struct d3_vec_d there,
	float until, struct d3_vec_d *p, struct d3_vec_d *v)
{
	const struct d3_body *row = d3_row(query->world, body);
	struct d3_vec_d last = {row->x, row->y, row->z}, first = last;
	if (query->world->bodies.data[body].set == SET_AWAKE)
		first = (struct d3_vec_d){row->x0, row->y0, row->z0};
	struct d3_vec_d whole = d3_sub_d(last, first);
	*p = d3_sub_d(here, d3_mul_add_d(first, (double)query->from, whole));
	*v = d3_sub_d(d3_sub_d(there, here), d3_scale_d((double)(until - query->from), whole));
}

/* Position of body `id` relative to body `other` when the step began. */
static struct d3_vec_d path_begin(const struct world *world, uint32_t id, uint32_t other)
{
	const struct d3_body *a = d3_row(world, other), *b = d3_row(world, id);
	bool awake = world->bodies.data[other].set == SET_AWAKE;
	return (struct d3_vec_d){b->x0 - (awake ? a->x0 : a->x), b->y0 - (awake ? a->y0 : a->y), b->z0 - (awake ? a->z0 : a->z)};
}

/* Whether the swept body, which moves by v from p relative to a dynamic one, has moved so little relative to it that they
 * cannot have passed through each other. */
static bool moves_little(const struct sweep_query *query, uint32_t body, struct d3_vec_d p, struct d3_vec_d v)
{
	const struct d3_body *row = d3_row(query->world, body);
	double most =
		free_path(query->world, query->body, (double)min_f(d3_row(query->world, query->body)->min_extent, row->min_extent));
	double square = d3_dot_d(v, v);
	double turn = d3_ccd_turn_bound(query->world, body) * (double)row->max_extent;
	if (square > most * most || sqrt(square) + own_turn_bound(query) * (double)query->extent + turn > most)
		return false;
	struct d3_vec_d begin = path_begin(query->world, query->body, body);
	struct d3_vec_d before = d3_sub_d(p, begin);
	struct d3_vec_d after = d3_sub_d(d3_add_d(p, v), begin);
	return d3_length_d(before) <= most && d3_length_d(after) <= most;
}

/* Whether the body cannot hit a dynamic one: bounding balls stay apart, both centres moving straight, or it moves little
 * relative to it; or cannot hit its carrier, relative to which it hardly moves. */
static bool balls_pass(const struct sweep_query *query, uint32_t body)
{
	if (body == query->carrier)
		return d3_length_d(d3_sub_d(query->relative.to, query->relative.from)) <= (double)(STAYS * query->target);
	if (query->world->bodies.data[body].type != BODY_DYNAMIC)
		return false;
	struct d3_vec_d p, v;
	paths_between(query, body, query->sweep.from, query->sweep.to, query->until, &p, &v);
	struct d3_vec_d nearest = d3_path_nearest(p, v);
	double reach = (double)(query->extent + d3_row(query->world, body)->max_extent + 2.0f * query->target);
	return d3_dot_d(nearest, nearest) > reach * reach || moves_little(query, body, p, v);
}

/* Whether bounds on the motions show that the shape misses shape a, of an obstacle dynamic or at rest. */
static bool passes(const struct sweep_query *query, uint32_t body, const struct d3_shape *a)
{
	const struct d3_body *row = d3_row(query->world, body);
	bool awake = query->world->bodies.data[body].set == SET_AWAKE;
	if (query->impacts > 0 || !d3_shape_convex(a) || a->type == D3_HALF_SPACE ||
		(awake && query->world->bodies.data[body].type != BODY_DYNAMIC))
		return false;
	struct d3_path of_a = {{row->x, row->y, row->z}, {row->x, row->y, row->z}, row->q, row->q, row->local_center, 0.0};
	struct d3_path of_b = {
		query->sweep.from, query->sweep.to, query->start.q, query->end.q, query->sweep.local_center, (double)query->bulge};
	if (awake) {
		of_a.from = (struct d3_vec_d){row->x0, row->y0, row->z0};
		of_a.q0 = row->q0;
		of_a.bulge = (double)d3_body_bulge(query->world, body);
	}
	return d3_sweeps_separated(a, &of_a, query->shape, &of_b, (double)(query->target + query->tolerance));
}

void d3_ccd_sweep_against(struct sweep_query *query, uint32_t other_id)
{
	struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id);
	if ((query->impacts > 0 && balls_pass(query, body)) || !sweep_meets(query, other_id) || passes(query, body, part_a))
		return;
	struct d3_proxy proxy_a, proxy_b;
	query->other = other_id;
	query->whole = &proxy_b;
	d3_make_proxy(query->shape, 0, &proxy_b);
	struct d3_sweep obstacle = see(query, body);
	query->behind = false;
	if (d3_shape_surface(part_a)) {
		d3_ccd_sweep_surface(query, part_a, &obstacle, body);
	} else if (!slides_over(query, part_a, &obstacle, query->shape)) {
		struct core core;
		d3_make_motion(&obstacle, query->seen, &query->motion);
		d3_make_proxy(part_a, 0, &proxy_a);
		if (query->jointed)
			d3_ccd_make_half(query, &core);
		d3_ccd_sweep_convex(query, &proxy_a, &obstacle, body, query->jointed ? &core.proxy : &proxy_b);
	}
}

void d3_ccd_near_against(struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	if (!sweep_meets(query, other_id))
		return;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id);
	struct d3_sweep obstacle = d3_ccd_obstacle_path(world, body);
	if (d3_ccd_path_leads_on(&obstacle))
		return;
	struct d3_proxy proxy_a, proxy_b;
	query->shape = d3_proxy_part(world, query->proxy);
	query->seen = &query->sweep;
	query->arc = 0.0;
	d3_make_proxy(query->shape, 0, &proxy_b);
	float distance;
	struct d3_vec_d normal;
	if (d3_shape_surface(part_a)) {
		struct surface_query of = {.query = query,
			.surface = part_a,
			.obstacle = &obstacle,
			.body = body,
			.moving = &proxy_b,
			.any = true,
			.near = INFINITY,
			.enough = -INFINITY,
			.far = INFINITY};
		d3_ccd_path_bounds(&of);
		d3_ccd_for_near_triangles(&of, d3_ccd_triangle_near);
		distance = of.near;
		normal = of.normal;
	} else {
		d3_make_proxy(part_a, 0, &proxy_a);
		struct d3_pose frame = d3_row_pose(d3_row(world, body));
		distance = (float)d3_poses_separation(&proxy_a, &frame, &proxy_b, &query->end, &normal);
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

static struct d3_pose pose_of(const struct d3_rot_d *rot, struct d3_quat q, struct d3_vec_d center, struct d3_vec local_center)
{
	struct d3_vec_d at = d3_sub_d(center, d3_turn_d(rot, d3_widen(local_center)));
	return (struct d3_pose){at.x, at.y, at.z, q};
}

void d3_ccd_query_pose(struct sweep_query *query)
{
	if (query->posed)
		return;
	struct d3_sweep *sweep = &query->sweep;
	struct d3_rot_d *turned = query->turned;
	struct d3_quat end = sweep->q0;
	query->posed = true;
	if (query->impacts == 0 && query->against == d3_ccd_sweep_against &&
		query->world->bodies.data[query->body].set == SET_AWAKE) {
		sweep->turn = body_turned(query->world, query->body);
		end = d3_row(query->world, query->body)->q;
		query->bulge = d3_body_bulge(query->world, query->body);
	} else {
		query->bulge = arc_bulge(query->extent, sweep->turn);
		if (sweep->turn.x != 0.0f || sweep->turn.y != 0.0f || sweep->turn.z != 0.0f)
			end = d3_sweep_pose(sweep, 1.0f).q;
	}
	query->stands = !d3_ccd_path_leads_on(sweep);
	turned[0] = turned[1] = d3_exact_rot(sweep->q0);
	if (!query->stands)
		turned[1] = d3_exact_rot(end);
	query->start = pose_of(&turned[0], sweep->q0, sweep->from, sweep->local_center);
	query->end = query->stands ? query->start : pose_of(&turned[1], end, sweep->to, sweep->local_center);
}

/* Prepares the motion of a proxy. If its shape moves by less than half its inner radius it passes through nothing, however far
 * the body's other shapes move: it is `slow`. */
static void proxy_look(struct sweep_query *query)
{
	const struct d3_shape *part = d3_proxy_part(query->world, query->proxy);
	d3_ccd_query_pose(query);
	const struct d3_pose *start = &query->start, *end = &query->end;
	struct d3_vec_d from = d3_turn_d(&query->turned[0], part->middle), to = d3_turn_d(&query->turned[1], part->middle);
	to = d3_add_d(to, (struct d3_vec_d){end->x - start->x, end->y - start->y, end->z - start->z});
	double moved = d3_length_d(d3_sub_d(to, from)) + (double)d3_length(query->sweep.turn) * part->reach;
	struct box_d box = {
		{start->x + min_d(from.x, to.x), start->y + min_d(from.y, to.y), start->z + min_d(from.z, to.z)},
		{start->x + max_d(from.x, to.x), start->y + max_d(from.y, to.y), start->z + max_d(from.z, to.z)},
	};
	query->shape = part;
	query->around = box_around_d(&box, part->reach + (double)(query->target + query->bulge), 3);
	query->boxed = false;
	query->slow = query->against != d3_ccd_near_against && !query->overtaken && query->impacts == 0 &&
		!(moved > 0.5 * (double)part->inner && moved > (double)(STIRS * query->target));
	query->looked = true;
}

/* Tight AABB of the proxy's path, computed on demand: most paths have nothing near them. */
static const struct box *path_box(struct sweep_query *query)
{
	if (query->boxed)
		return &query->box;
	struct d3_pose end = query->t < 1.0f ? d3_sweep_pose(&query->sweep, query->t) : query->end;
	float margin = query->target + query->bulge;
	query->box = d3_shape_box(query->shape, &query->start, margin);
	if (!query->stands) {
		struct box box_end = d3_shape_box(query->shape, &end, margin);
		query->box = box_union(&query->box, &box_end);
	}
	query->boxed = true;
	return &query->box;
}

static bool sweep_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	const struct box *box = &query->world->proxies.data[value].box;
	if (!query->looked)
		proxy_look(query);
	if (query->slow)
		return false;
	bool surface = d3_shape_surface(d3_proxy_part(query->world, value)); /* its triangles' boxes are tested instead */
	if (box_overlaps(&query->around, box) && (surface || box_overlaps(path_box(query), box)))
		query->against(query, value);
	return true;
}

/* For bullets: the boxes are known to overlap. */
static bool near_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	query->against(query, value);
	return true;
}

/* For proxies near a bullet's whole path; before proxy_look. */
static bool bullet_visit(void *context, uint32_t value)
{
	struct sweep_query *query = context;
	uint32_t body = query->world->colliders.data[query->world->proxies.data[value].collider].body;
	if (balls_pass(query, body) || (query->later && !bullet_stands_in(query->world, body, query->body, query->again)))
		return true;
	if (!query->looked)
		proxy_look(query);
	if (!query->slow)
		query->against(query, value);
	return true;
}

/* Asks the other bullet to test the pair: this one does not. */
static bool ask_visit(void *context, uint32_t value)
{
	const struct sweep_query *query = context;
	bullet_ask(query->world, query->body, query->world->colliders.data[query->world->proxies.data[value].collider].body);
	return true;
}

static void unbounded_visit(struct sweep_query *query, const struct box *around, uint32_t value)
{
	const struct world *world = query->world;
	if (!world->wing->proxy_overlaps_box(world, value, around))
		return;
	if (!query->looked)
		proxy_look(query);
	if (!query->slow && world->wing->proxy_overlaps_box(world, value, path_box(query)))
		query->against(query, value);
}

/* Tests the proxy against non-dynamic and sleeping bodies. */
static void sweep_standing(struct sweep_query *query, const struct box *around)
{
	const struct world *world = query->world;
	tree_query(&world->trees[0], around, sweep_visit, query);
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		unbounded_visit(query, around, world->unbounded.data[i]);
}

static void sweep_proxy(struct sweep_query *query, uint32_t proxy)
{
	/* the paths' boxes do not follow a linkage that was moved */
	bool whole = query->bullet && query->impacts == 0 && !query->jointed;
	query->proxy = proxy;
	query->looked = query->slow = false;
	if (!whole)
		proxy_look(query);
	if (query->slow)
		return;
	if (!whole || !query->again)
		sweep_standing(query, whole ? bullet_path(query->world, proxy) : &query->around);
	if (whole)
		bullet_pairs(query->world, proxy, query->shared, bullet_visit, query);
	else if (query->bullet)
		bullet_query(query->world, path_box(query), near_visit, query);
	if (query->shared && query->slow)
		bullet_pairs(query->world, proxy, true, ask_visit, query);
}

void d3_ccd_colliders_sweep(struct sweep_query *query, const struct body *body)
{
	const struct world *world = query->world;
	query->posed = false;
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		for (uint32_t p = collider->proxies; p != NONE && !collider->sensor; p = world->proxies.data[p].next)
			if (!world->proxies.data[p].unbounded && !d3_shape_surface(d3_proxy_part(world, p)))
				sweep_proxy(query, p);
			else if (query->shared)
				bullet_pairs(query->world, p, true, ask_visit, query);
	}
}

static bool arc_visit(void *context, uint32_t value)
{
	struct arc *arc = context;
	const struct world *world = arc->query->world;
	uint32_t body = world->colliders.data[world->proxies.data[value].collider].body;
	if (body == arc->query->body || body == arc->query->carrier)
		return true;
	struct d3_vec_d p, v;
	paths_between(arc->query, body, arc->here, arc->there, 1.0f, &p, &v);
	struct d3_vec_d nearest = d3_path_nearest(p, v);
	double reach = arc->reach + (double)d3_row(world, body)->max_extent;
	arc->clear = world->bodies.data[body].type == BODY_DYNAMIC && d3_dot_d(nearest, nearest) > reach * reach;
	return arc->clear;
}

bool d3_ccd_arc_clear(
	const struct sweep_query *query, struct d3_vec_d here, struct d3_vec_d there, double angle, double distance)
{
	struct world *world = query->world;
	double part = min_d(0.5 * (1.0 - (double)query->from) * abs_d(angle), SCALAR_PI);
	/* of the arc over its chord; of a full turn the diameter */
	double height = distance * (1.0 - (double)scalar_cos_sin(part).cosine);
	struct arc arc = {query, here, there, height + (double)(query->extent + 2.0f * query->target), true};
	struct box_d box = {
		{min_d(here.x, there.x), min_d(here.y, there.y), min_d(here.z, there.z)},
		{max_d(here.x, there.x), max_d(here.y, there.y), max_d(here.z, there.z)},
	};
	struct box around = box_around_d(&box, arc.reach, 3);
	tree_query(&world->trees[0], &around, arc_visit, &arc);
	for (uint32_t i = 0; i < world->unbounded.count && arc.clear; ++i)
		arc.clear = !world->wing->proxy_overlaps_box(world, world->unbounded.data[i], &around);
	if (arc.clear && query->bullet)
		bullet_query(world, &around, arc_visit, &arc);
	return arc.clear;
}
