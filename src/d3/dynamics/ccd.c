/* ccd.c - sweeps, poses and contacts of bodies in continuous collision: the 3D side of core/sweep.h. */
#include "core/travel.h"
#include "d3/dynamics/ccd_parts.h"
#include "d3/manifold/manifold.h"

/* --- Motion over a step --------------------------------------------------------------------------------------------------- */

static struct d3_vec vec_of(const float a[3])
{
	return (struct d3_vec){a[0], a[1], a[2]};
}

static struct d3_quat quat_of(const float q[4])
{
	return (struct d3_quat){q[0], q[1], q[2], q[3]};
}

struct d3_sweep d3_ccd_sweep(const struct sweep *sweep)
{
	return (struct d3_sweep){vec_of(sweep->local_center), {sweep->from.x, sweep->from.y, sweep->from.z},
		{sweep->to.x, sweep->to.y, sweep->to.z}, quat_of(sweep->q0), vec_of(sweep->turn)};
}

/* Whether the integral of w over this step exceeds a quarter turn: the poses at its ends may not show the whole rotation. False
 * for a linkage member that was moved: its state lacks the rotation. */
static bool turns_far(const struct world *world, uint32_t body)
{
	return !bits_has(&world->taken_bodies, body) && d3_length(d3_state(world, body)->turn) > 0.5f * SCALAR_PI_F;
}

struct d3_vec d3_ccd_turned(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	struct d3_vec turn = d3_turn_between(d3_mover(world, body)->start.q, row->q);
	double angle = (double)d3_length(turn);
	if (!turns_far(world, body) || !(angle > 1e-3))
		return turn;
	double about = (double)d3_dot(d3_state(world, body)->turn, turn) / angle;
	double whole = angle + 2.0 * SCALAR_PI * floor((about - angle) / (2.0 * SCALAR_PI) + 0.5);
	return d3_scale((float)(whole / angle), turn);
}

static struct sweep make_sweep(struct d3_vec local_center, struct vec3 from, struct vec3 to, struct d3_quat q)
{
	return (struct sweep){{local_center.x, local_center.y, local_center.z}, from, to, {q.x, q.y, q.z, q.w}, {0.0f, 0.0f, 0.0f}};
}

static struct sweep sweep_begin(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_start start = {row->x, row->y, row->z, row->q};
	struct vec3 to = {row->x, row->y, row->z};
	if (world->bodies.data[id].set == SET_AWAKE)
		start = d3_mover(world, id)->start;
	return make_sweep(row->local_center, (struct vec3){start.x, start.y, start.z}, to, start.q);
}

static struct sweep sweep_still(const struct world *world, uint32_t id)
{
	struct d3_pose pose = d3_row_pose(d3_row(world, id));
	struct vec3 at = {pose.x, pose.y, pose.z};
	return make_sweep((struct d3_vec){0.0f, 0.0f, 0.0f}, at, at, pose.q);
}

static struct sweep sweep_path(const struct world *world, uint32_t id)
{
	if (world->bodies.data[id].set != SET_AWAKE)
		return sweep_still(world, id);
	struct sweep sweep = sweep_begin(world, id);
	struct d3_vec turn = d3_ccd_turned(world, id);
	sweep.turn[0] = turn.x;
	sweep.turn[1] = turn.y;
	sweep.turn[2] = turn.z;
	return sweep;
}

static struct d3_pose sweep_pose(const struct sweep *sweep, float t)
{
	struct d3_sweep own = d3_ccd_sweep(sweep);
	return d3_sweep_pose(&own, t);
}

static struct frame3 sweep_frame(const struct sweep *sweep, float t)
{
	struct d3_pose pose = sweep_pose(sweep, t);
	struct d3_rot_d q = d3_exact_rot(pose.q);
	return (struct frame3){{pose.x, pose.y, pose.z}, {d3_ccd_vec3(q.x), d3_ccd_vec3(q.y), d3_ccd_vec3(q.z)}};
}

static struct center_pose sweep_center_pose(const struct sweep *sweep, float t)
{
	struct d3_quat q = sweep_pose(sweep, t).q;
	struct vec3 center = t == 1.0f ? sweep->to : sweep_center(sweep, t);
	return (struct center_pose){{center.x, center.y, center.z}, {q.x, q.y, q.z, q.w}};
}

static void sweep_carry(const struct sweep *carrier, float from, float q[4], float turn[3])
{
	struct d3_quat start = sweep_pose(carrier, from).q, end = sweep_pose(carrier, 1.0f).q;
	struct d3_quat rotated = d3_normalize_quat(d3_mul_quat(end, d3_inv_mul_quat(start, quat_of(q))));
	q[0] = rotated.x;
	q[1] = rotated.y;
	q[2] = rotated.z;
	q[3] = rotated.w;
	for (int i = 0; i < 3; ++i)
		turn[i] = (1.0f - from) * carrier->turn[i];
}

static double turn_bound(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	if (world->bodies.data[body].set != SET_AWAKE)
		return 0.0;
	if (turns_far(world, body))
		return (double)d3_length(d3_state(world, body)->turn);
	struct d3_quat a = d3_mover(world, body)->start.q, b = row->q;
	double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z), w = (double)(a.w - b.w);
	/* upper bound on the angle 4 asin(d/2), with d the distance of the quaternions */
	return SCALAR_PI * sqrt(x * x + y * y + z * z + w * w);
}

float d3_body_bulge(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	if (turns_far(world, id))
		return arc_bulge(row->max_extent, d3_length(d3_ccd_turned(world, id)));
	/* cosine of half the angle */
	struct d3_quat q0 = d3_mover(world, id)->start.q;
	float cosine = q0.x * row->q.x + q0.y * row->q.y + q0.z * row->q.z + q0.w * row->q.w;
	return row->max_extent * max_f(0.0f, 1.0f - abs_f(cosine));
}

/* Compares the motion of the body's points in the obstacle's frame with half of the body's min_extent, much as body_fast does.
 * `arc` bounds the deviation of its centre's path there. */
bool d3_body_overtaken(const struct world *world, uint32_t id, uint32_t obstacle)
{
	const double rounding = 1e-6; /* displacement at a distance of 1 by the error of a float rotation */
	const struct d3_body *row = d3_row(world, id), *other = d3_row(world, obstacle);
	const struct d3_start start = d3_start(world, obstacle), *own = &d3_mover(world, id)->start;
	struct d3_vec_d last = {row->x, row->y, row->z}, first = last;
	if (world->bodies.data[id].set == SET_AWAKE)
		first = (struct d3_vec_d){own->x, own->y, own->z};
	struct d3_vec_d before = d3_sub_d(first, (struct d3_vec_d){start.x, start.y, start.z});
	struct d3_vec_d after = d3_sub_d(last, (struct d3_vec_d){other->x, other->y, other->z});
	double distance = sqrt(max_d(d3_dot_d(before, before), d3_dot_d(after, after)));
	struct d3_quat turn = d3_mul_quat(other->q, (struct d3_quat){-start.q.x, -start.q.y, -start.q.z, start.q.w});
	struct d3_vec_d axis = {(double)turn.x, (double)turn.y, (double)turn.z};
	struct d3_vec_d rides =
		d3_mul_add_d(before, 2.0, d3_cross_d(axis, d3_mul_add_d(d3_cross_d(axis, before), (double)turn.w, before)));
	double arc = distance * (max_d(0.0, 1.0 - (double)abs_f(turn.w)) + rounding);
	double moved = d3_length_d(d3_sub_d(after, rides)) + arc;
	double turned = turn_bound(world, obstacle) + turn_bound(world, id);
	return turns_far(world, obstacle) || moved + turned * (double)row->max_extent > 0.5 * (double)row->min_extent;
}

/* --- Poses, velocities and contacts --------------------------------------------------------------------------------------- */

/* A tumbling body keeps its angular velocity in its own frame, and so its energy. If it kept its angular velocity in the world,
 * a thin rod rotated out of its spin axis would have a thousand times its energy. */
void d3_body_set_center_pose(struct world *world, uint32_t id, const struct center_pose *pose)
{
	struct d3_body *row = d3_row(world, id);
	struct d3_quat q = quat_of(pose->turn);
	if (row->tumbles) {
		struct d3_state *state = d3_state(world, id);
		state->w = d3_rotate(q, d3_inv_rotate(row->q, state->w));
	}
	travel_leap(world, id);
	row->x = pose->center[0];
	row->y = pose->center[1];
	row->z = pose->center[2];
	row->q = q;
	d3_row_turned(row, d3_mover(world, id));
}

static void motion_get(const struct world *world, uint32_t id, struct body_motion *motion)
{
	const struct d3_state *state = d3_state(world, id);
	struct d3_vec v = state->v, w = state->w, turn = state->turn, gain = d3_step_rows(world)[world->bodies.data[id].row].add;
	*motion = (struct body_motion){{v.x, v.y, v.z}, {w.x, w.y, w.z}, {turn.x, turn.y, turn.z}, {gain.x, gain.y, gain.z}};
}

static void motion_set(struct world *world, uint32_t id, const struct body_motion *motion)
{
	struct d3_state *state = d3_state(world, id);
	state->v = vec_of(motion->v);
	state->w = vec_of(motion->w);
	state->turn = vec_of(motion->turn);
}

static struct mat3 inverse_inertia(const struct world *world, uint32_t id)
{
	const struct d3_symmetric *i = &d3_row(world, id)->inv_inertia;
	double xx = (double)i->xx, yy = (double)i->yy, zz = (double)i->zz;
	double xy = (double)i->xy, xz = (double)i->xz, yz = (double)i->yz;
	return (struct mat3){{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
}

/* Collides b with the mesh or height field a, which is rotated by `frame`. *out: of the manifolds, the one whose normal is
 * closest to `normal` (in the world); unchanged if there is none. */
static void surface_touch(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float margin,
	struct d3_quat frame, struct d3_vec_d normal, struct d3_local_manifold *out)
{
	struct d3_local_manifold manifolds[D3_MANIFOLDS];
	struct d3_manifold_cache cache = {.features = 0};
	float clearance;
	double best = -INFINITY;
	int count = d3_collide_mesh(a, b, 0, b_in_a, margin, &cache, &clearance, manifolds);
	for (int i = 0; i < count; ++i) {
		double same = d3_dot_d(d3_ccd_turned_out(frame, d3_widen(manifolds[i].normal)), normal);
		if (same > best)
			*out = manifolds[i];
		best = max_d(best, same);
	}
}

/* Sets *out to the contact of the swept shape, at its body's current pose, with the obstacle at its pose at `time`, for a
 * bounce within the step. No points if the swept shape is a mesh or height field, or the obstacle is one whose triangles have
 * materials. */
static void touch(const struct world *world, const uint32_t proxies[2], float time, float margin, struct vec3 normal,
	struct impact_manifold *out)
{
	const struct d3_shape *a = d3_proxy_part(world, proxies[1]), *b = d3_proxy_part(world, proxies[0]);
	struct sweep obstacle = sweep_path(world, proxy_body(world, proxies[1]));
	struct d3_pose frame = sweep_pose(&obstacle, time), pose = d3_row_pose(d3_row(world, proxy_body(world, proxies[0])));
	struct d3_transform b_in_a = d3_pose_relative(&frame, &pose);
	struct d3_manifold_cache cache = {.features = 0};
	struct d3_local_manifold manifold = {.count = 0};
	if (d3_shape_surface(a) && !d3_shape_surface(b) && !d3_shape_has_materials(a))
		surface_touch(a, b, &b_in_a, margin, frame.q, (struct d3_vec_d){normal.x, normal.y, normal.z}, &manifold);
	else if (!d3_shape_surface(a) && !d3_shape_surface(b))
		d3_collide(a, 0, b, 0, &b_in_a, margin, &cache, &manifold);
	out->count = manifold.count;
	out->normal = d3_ccd_vec3(d3_ccd_turned_out(frame.q, d3_widen(manifold.normal)));
	for (int i = 0; i < manifold.count; ++i) {
		struct d3_vec_d turned = d3_ccd_turned_out(frame.q, d3_widen(manifold.points[i].point));
		out->points[i] = (struct vec3){frame.x + turned.x, frame.y + turned.y, frame.z + turned.z};
		out->separations[i] = manifold.points[i].separation;
	}
}

/* After an impact the body slides along the nearest obstacle: the impact itself may be on the edge of the tile beside it. */
#define SLIDES_BY_NEAREST true
#include "core/sweep_wing.h"

/* --- Sensors on the way --------------------------------------------------------------------------------------------------- */

/* The body's poses at the start and the end of the step. */
static void poses_of(const struct world *world, uint32_t body, struct d3_pose poses[2])
{
	struct sweep sweep = sweep_begin(world, body);
	poses[0] = sweep_pose(&sweep, 0.0f);
	poses[1] = d3_row_pose(d3_row(world, body));
}

void d3_proxy_path(const struct world *world, uint32_t proxy, struct box *box)
{
	struct d3_pose poses[2];
	poses_of(world, proxy_body(world, proxy), poses);
	struct box start = d3_shape_box(d3_proxy_part(world, proxy), &poses[0], 0.0f),
			   end = d3_shape_box(d3_proxy_part(world, proxy), &poses[1], 0.0f);
	*box = box_union(&start, &end);
}

/* The shape, hit from both sides. */
static struct d3_shape two_sided(const struct d3_shape *shape)
{
	struct d3_shape copy = *shape;
	copy.one_sided = false;
	return copy;
}

bool d3_colliders_pass(const struct world *world, const uint32_t colliders[2])
{
	struct d3_pose a[2], b[2];
	struct d3_impact_result way, end;
	const struct d3_shape one = two_sided(d3_collider_shape(world, colliders[0]));
	const struct d3_shape two = two_sided(d3_collider_shape(world, colliders[1]));
	poses_of(world, world->colliders.data[colliders[0]].body, a);
	poses_of(world, world->colliders.data[colliders[1]].body, b);
	d3_shapes_time_of_impact(&one, &a[0], &a[1], &two, &b[0], &b[1], &way, NULL, NULL);
	if (way.state != AXES_IMPACT_HIT)
		return false;
	d3_shapes_time_of_impact(&one, &a[1], &a[1], &two, &b[1], &b[1], &end, NULL, NULL);
	return end.state != AXES_IMPACT_OVERLAPPING;
}
