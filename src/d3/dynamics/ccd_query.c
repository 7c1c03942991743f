/* ccd_query.c - the first impact of a swept body on its path. See ccd.c. */
#include "d3/dynamics/ccd_parts.h"
#include "core/sweep_query_wing.h"

/* The shape's centroid at time t, in the frame of the obstacle. */
static struct d3_vec_d middle_at(const struct probe *probe, float t)
{
	struct d3_pose frame = d3_sweep_pose(&probe->obstacle, t), pose = d3_sweep_pose(probe->seen, t);
	struct d3_vec_d between = {pose.x - frame.x, pose.y - frame.y, pose.z - frame.z};
	struct d3_vec_d middle = d3_ccd_turned_out(pose.q, d3_widen(probe->shape->centroid));
	return d3_ccd_turned_home(frame.q, d3_add_d(between, middle));
}

double d3_ccd_middle_arc(const struct sweep_query *query)
{
	const struct probe *probe = query->probe;
	double turn = (double)d3_length(probe->seen->turn);
	return query->arc + 0.125 * turn * turn * (double)d3_length(d3_sub(probe->shape->centroid, probe->seen->local_center));
}

/* Whether the centroid is displaced against the normal from time 0 to t, in the obstacle's frame. */
static bool middle_nears(const struct probe *probe, struct d3_vec_d normal, float t)
{
	return d3_dot_d(d3_sub_d(middle_at(probe, t), middle_at(probe, 0.0f)), normal) < 0.0;
}

/* Stops a body whose centroid is inside the obstacle from going deeper, if the centroid is less than a slop below a face of a
 * hull. Such a body may be at rest, thinner than the overlap of resting contacts. */
static void sweep_sunk(struct sweep_query *query, const struct d3_proxy *a)
{
	const struct probe *probe = query->probe;
	struct d3_vec_d p = middle_at(probe, 0.0f), n = {0.0, 0.0, 0.0};
	double height = -(double)query->target;
	for (uint32_t i = 0; a->hull != NULL && i < a->hull->face_count; ++i) {
		double above = d3_dot_d(a->hull->planes[i].normal, p) - a->hull->planes[i].offset - a->radius;
		n = above > height ? a->hull->planes[i].normal : n;
		height = max_d(height, above);
	}
	if (middle_nears(probe, n, 1.0f))
		middle_hit(query, 0.0f, d3_ccd_turned_out(probe->obstacle.q0, n));
}

/* Sweeps the centroid of a shape when not only its surface but also its core overlaps the obstacle at the start. The contact
 * will push the body out; until then the centroid must not pass through the obstacle. In one step its distance may fall to
 * half, or to four slops if half is more, but never below one slop: closer than that, a rounding error could put it behind a
 * thin obstacle, and the contact would push the body out on the far side. */
static void sweep_middle(struct sweep_query *query, const struct d3_proxy *a)
{
	const struct probe *probe = query->probe;
	const struct d3_vec *centroid = &probe->shape->centroid;
	struct d3_proxy middle = {.type = D3_PROXY_POINTS, .count = 1, .points = centroid, .reach = d3_length(*centroid)};
	struct d3_pose pose = d3_sweep_pose(&probe->obstacle, 0.0f), start = d3_sweep_pose(probe->seen, 0.0f);
	struct d3_vec_d normal;
	double distance = d3_poses_separation(a, &pose, &middle, &start, &normal);
	if (distance <= 0.0) {
		sweep_sunk(query, a);
		return;
	}
	bool bent = d3_ccd_middle_arc(query) > 0.25 * distance; /* the centroid may be nearer on its path than at its end */
	bool nears = middle_nears(probe, d3_ccd_turned_home(pose.q, normal), bent ? 1.0f / 16.0f : 1.0f);
	if (!nears && !bent)
		return; /* the centroid moves away */
	struct d3_impact_result impact = {.state = AXES_IMPACT_HIT, .normal = normal};
	float stop = (float)distance;
	if (distance > (double)query->target || !nears) {
		float half = 0.5f * (float)distance;
		stop = nears ? max_f(query->target, min_f(4.0f * query->target, half)) : half;
		d3_time_of_impact(a, &middle, &probe->motion, (double)stop, 0.25 * (double)stop, (double)query->t, &impact);
		impact.normal = d3_turn_d(&probe->motion.frame, impact.normal);
	}
	query->lift = max_d(0.0, (double)(query->target - stop));
	if (impact.state != AXES_IMPACT_SEPARATED)
		middle_hit(query, (float)impact.t, impact.normal);
}

/* Reduces the radius of a rounded shape by up to `depth`, so that the shape may penetrate by a slop before it is stopped, as in
 * resting contact. Stopping it above the surface would hold back sliding bodies and pull at their joints. */
static void sink(struct d3_proxy *proxy, double depth)
{
	if (proxy->type == D3_PROXY_POINTS)
		proxy->radius -= min_d(proxy->radius, depth);
}

/* Makes a core: 14 support points of the shape, scaled by `part` about its centroid, rounded by `radius`. Their hull is smaller
 * than the scaled shape if that is round or has many corners. */
static void make_core(const struct probe *probe, float part, double radius, struct core *core)
{
	core->proxy = (struct d3_proxy){.type = D3_PROXY_POINTS, .count = 14, .points = core->points, .radius = radius};
	for (int i = 0; i < 14; ++i) {
		struct d3_vec_d delta = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
		if (i >= 8)
			delta = (struct d3_vec_d){i / 2 == 4 ? delta.x : 0.0, i / 2 == 5 ? delta.x : 0.0, i / 2 == 6 ? delta.x : 0.0};
		struct d3_vec point = d3_narrow(d3_core_support(probe->whole, delta));
		core->points[i] = d3_mul_add(probe->shape->centroid, part, d3_sub(point, probe->shape->centroid));
		core->proxy.reach = max_d(core->proxy.reach, (double)d3_length(core->points[i]));
	}
}

void d3_ccd_make_half(const struct sweep_query *query, struct core *core)
{
	const struct probe *probe = query->probe;
	float inner = probe->shape->inner, part = inner > 0.0f ? clamp_f(1.0f - 2.5f * query->target / inner, 0.0f, 0.5f) : 0.0f;
	make_core(probe, part, query->jointed && probe->whole->type == D3_PROXY_POINTS ? 0.5 * probe->whole->radius : 0.0, core);
}

void d3_ccd_sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_proxy *b)
{
	const struct probe *probe = query->probe;
	struct d3_proxy sunk_a = *a, sunk_b = *b;
	sink(&sunk_b, 2.0 * (double)query->target);
	sink(&sunk_a, 2.0 * (double)query->target - (b->radius - sunk_b.radius));
	query->lift = 0.0;
	struct d3_impact_result impact;
	d3_time_of_impact(
		&sunk_a, &sunk_b, &probe->motion, (double)query->target, (double)query->tolerance, (double)query->t, &impact);
	bool deep = impact.state == AXES_IMPACT_OVERLAPPING;
	if (deep) {
		struct core core;
		if (query->shared)
			bullet_ask(query->world, query->id, query->obstacle);
		bool points = probe->whole->type == D3_PROXY_POINTS;
		make_core(probe, CORE_FRACTION, points ? (double)CORE_FRACTION * probe->whole->radius : 0.0, &core);
		d3_time_of_impact(a, &core.proxy, &probe->motion, 0.0, (double)query->tolerance, (double)query->t, &impact);
	}
	if (impact.state == AXES_IMPACT_OVERLAPPING)
		sweep_middle(query, a);
	else if (impact.state != AXES_IMPACT_SEPARATED) /* after a failed search, too, the path is free up to impact.t */
		sweep_hit(query, (float)impact.t, d3_ccd_vec3(d3_turn_d(&probe->motion.frame, impact.normal)), deep, false);
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

static float dip_between(const struct sweep_query *query)
{
	const struct probe *probe = query->probe;
	const struct d3_shape *b = probe->shape;
	double far = d3_length_d(d3_sub_d(b->middle, d3_widen(probe->seen->local_center))) + b->reach - (double)b->radius;
	double turn = (double)d3_length(d3_sub(probe->seen->turn, probe->obstacle.turn));
	return (float)(0.25 * query->arc + 0.03125 * turn * turn * far);
}

static bool stays_above(
	const struct sweep_query *query, const struct d3_shape *a, const struct d3_transform *poses, uint32_t count, float depth)
{
	const struct probe *probe = query->probe;
	return d3_stays_above(a, probe->shape, poses, count, depth);
}

/* Whether bounds on both motions prove that the shape misses the convex shape a. Always false for half-spaces, for awake
 * obstacles that are not dynamic, and after an impact. */
static bool passes(const struct sweep_query *query, const struct d3_shape *a)
{
	const struct probe *probe = query->probe;
	const struct d3_body *row = d3_row(query->world, query->obstacle);
	const struct body *body = &query->world->bodies.data[query->obstacle];
	if (query->hit_count > 0 || !d3_shape_convex(a) || a->type == D3_HALF_SPACE ||
		(body->set == SET_AWAKE && body->type != BODY_DYNAMIC))
		return false;
	const struct d3_sweep *own = &probe->sweep;
	struct d3_path of_a = {{row->x, row->y, row->z}, {row->x, row->y, row->z}, row->q, row->q, row->local_center, 0.0};
	struct d3_path of_b = {own->from, own->to, probe->start.q, probe->end.q, own->local_center, (double)probe->bulge};
	if (body->set == SET_AWAKE) {
		const struct d3_start *start = &d3_mover(query->world, query->obstacle)->start;
		of_a.from = (struct d3_vec_d){start->x, start->y, start->z};
		of_a.q0 = start->q;
		of_a.bulge = (double)d3_body_bulge(query->world, query->obstacle);
	}
	return d3_sweeps_separated(a, &of_a, probe->shape, &of_b, (double)(query->target + query->tolerance));
}

void d3_ccd_against(struct sweep_query *query)
{
	const struct d3_shape *part_a = d3_proxy_part(query->world, query->other);
	struct probe *probe = query->probe;
	struct d3_proxy proxy_a, proxy_b;
	if (passes(query, part_a))
		return;
	probe_see(query);
	probe->whole = &proxy_b;
	d3_make_proxy(probe->shape, 0, &proxy_b);
	if (d3_shape_surface(part_a)) {
		d3_ccd_sweep_surface(query, part_a);
	} else if (!slides_over(query, part_a)) {
		struct core core;
		d3_make_motion(&probe->obstacle, probe->seen, &probe->motion);
		d3_make_proxy(part_a, 0, &proxy_a);
		if (query->jointed)
			d3_ccd_make_half(query, &core);
		d3_ccd_sweep_convex(query, &proxy_a, query->jointed ? &core.proxy : &proxy_b);
	}
}

float d3_ccd_distance(struct sweep_query *query, struct vec3 *normal)
{
	struct probe *probe = query->probe;
	const struct d3_shape *part_a = d3_proxy_part(query->world, query->other);
	struct d3_pose frame = d3_row_pose(d3_row(query->world, query->obstacle));
	struct d3_proxy proxy_a, proxy_b;
	struct d3_vec_d n = {0.0, 0.0, 0.0};
	float distance;
	probe->obstacle = d3_ccd_sweep(&query->path);
	probe->seen = &probe->sweep;
	probe->whole = &proxy_b;
	d3_make_proxy(probe->shape, 0, &proxy_b);
	if (d3_shape_surface(part_a)) {
		distance = d3_ccd_surface_distance(query, part_a, &n);
	} else {
		d3_make_proxy(part_a, 0, &proxy_a);
		distance = (float)d3_poses_separation(&proxy_a, &frame, &proxy_b, &probe->end, &n);
	}
	*normal = d3_ccd_vec3(n);
	return distance;
}

/* --- The body's path ------------------------------------------------------------------------------------------------------ */

/* A moving mesh or height field is not swept: its impacts are not found. */
bool d3_ccd_proxy_swept(const struct world *world, uint32_t proxy)
{
	return !d3_shape_surface(d3_proxy_part(world, proxy));
}

static struct d3_pose pose_of(const struct d3_rot_d *rot, struct d3_quat q, struct d3_vec_d center, struct d3_vec local_center)
{
	struct d3_vec_d at = d3_sub_d(center, d3_turn_d(rot, d3_widen(local_center)));
	return (struct d3_pose){at.x, at.y, at.z, q};
}

/* Computes the body's poses at both ends of its path, on demand: most bullets have nothing near them. */
static void pose_find(struct sweep_query *query)
{
	struct probe *probe = query->probe;
	struct d3_sweep *sweep = &probe->sweep;
	struct d3_rot_d *turned = probe->turned;
	*sweep = d3_ccd_sweep(&query->sweep);
	struct d3_quat end = sweep->q0;
	query->posed = true;
	if (query->hit_count == 0 && !query->measures && query->world->bodies.data[query->id].set == SET_AWAKE) {
		sweep->turn = d3_ccd_turned(query->world, query->id);
		query->sweep.turn[0] = sweep->turn.x;
		query->sweep.turn[1] = sweep->turn.y;
		query->sweep.turn[2] = sweep->turn.z;
		end = d3_row(query->world, query->id)->q;
		probe->bulge = d3_body_bulge(query->world, query->id);
	} else {
		probe->bulge = arc_bulge(query->extent, d3_length(sweep->turn));
		if (sweep->turn.x != 0.0f || sweep->turn.y != 0.0f || sweep->turn.z != 0.0f)
			end = d3_sweep_pose(sweep, 1.0f).q;
	}
	probe->stands = !sweep_moves(&query->sweep);
	turned[0] = turned[1] = d3_exact_rot(sweep->q0);
	if (!probe->stands)
		turned[1] = d3_exact_rot(end);
	probe->start = pose_of(&turned[0], sweep->q0, sweep->from, sweep->local_center);
	probe->end = probe->stands ? probe->start : pose_of(&turned[1], end, sweep->to, sweep->local_center);
}

/* Prepares the sweep of one shape. The shape is slow if its points move by no more than half its `inner`, or by no more than
 * STIRS slops: it passes through nothing, however far the body's other shapes move. */
void d3_ccd_prepare(struct sweep_query *query)
{
	struct probe *probe = query->probe;
	const struct d3_shape *part = d3_proxy_part(query->world, query->proxy);
	if (!query->posed)
		pose_find(query);
	const struct d3_pose *start = &probe->start, *end = &probe->end;
	struct d3_vec_d from = d3_turn_d(&probe->turned[0], part->middle), to = d3_turn_d(&probe->turned[1], part->middle);
	to = d3_add_d(to, (struct d3_vec_d){end->x - start->x, end->y - start->y, end->z - start->z});
	double moved = d3_length_d(d3_sub_d(to, from)) + (double)d3_length(probe->sweep.turn) * part->reach;
	query->slow = !query->measures && !query->overtaken && query->hit_count == 0 &&
		!(moved > 0.5 * (double)part->inner && moved > (double)(STIRS * query->target));
	if (query->slow)
		return;
	struct box_d box = {
		{start->x + min_d(from.x, to.x), start->y + min_d(from.y, to.y), start->z + min_d(from.z, to.z)},
		{start->x + max_d(from.x, to.x), start->y + max_d(from.y, to.y), start->z + max_d(from.z, to.z)},
	};
	probe->shape = part;
	probe->around = box_around_d(&box, part->reach + (double)(query->target + probe->bulge), 3);
	probe->boxed = false;
}

const struct box *d3_ccd_around(struct sweep_query *query)
{
	return &((struct probe *)query->probe)->around;
}

/* Computes the tight AABB on demand: most paths have nothing near them. */
const struct box *d3_ccd_box(struct sweep_query *query)
{
	struct probe *probe = query->probe;
	if (probe->boxed)
		return &probe->box;
	struct d3_pose end = query->t < 1.0f ? d3_sweep_pose(&probe->sweep, query->t) : probe->end;
	float margin = query->target + probe->bulge;
	probe->box = d3_shape_box(probe->shape, &probe->start, margin);
	if (!probe->stands) {
		struct box box_end = d3_shape_box(probe->shape, &end, margin);
		probe->box = box_union(&probe->box, &box_end);
	}
	probe->boxed = true;
	return &probe->box;
}

bool d3_ccd_near(struct sweep_query *query, uint32_t other)
{
	const struct box *box = &query->world->proxies.data[other].box;
	if (!box_overlaps(d3_ccd_around(query), box))
		return false;
	/* for a surface, the AABBs of its triangles are tested instead */
	return d3_shape_surface(d3_proxy_part(query->world, other)) || box_overlaps(d3_ccd_box(query), box);
}
