/* ccd.c - the motions and contacts of bodies, for continuous collision: see core/sweep.h. */
#include "d2/dynamics/ccd_parts.h"
#include "d2/manifold/manifold.h"

/* --- Motion over a step --------------------------------------------------------------------------------------------------- */

struct d2_sweep d2_ccd_sweep(const struct sweep *sweep)
{
	return (struct d2_sweep){{sweep->local_center[0], sweep->local_center[1]}, sweep->from.x, sweep->from.y, sweep->to.x,
		sweep->to.y, {sweep->q0[0], sweep->q0[1]}, sweep->turn[2]};
}

/* Whether a body rotated by more than a quarter turn in this step, so that its poses may not tell the angle. False for bodies
 * of a linkage that was moved back: their state->turn is not valid. */
static bool turns_far(const struct world *world, uint32_t body)
{
	return !bits_has(&world->taken_bodies, body) && abs_f(d2_state(world, body)->turn) > 0.5f * SCALAR_PI_F;
}

float d2_ccd_turned(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	double angle = (double)d2_rot_angle(d2_inv_mul_rot(d2_mover(world, body)->start.q, row->q)),
		   about = (double)d2_state(world, body)->turn;
	if (!turns_far(world, body))
		return (float)angle;
	return (float)(angle + 2.0 * SCALAR_PI * floor((about - angle) / (2.0 * SCALAR_PI) + 0.5));
}

static struct sweep sweep_begin(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	struct sweep sweep = {
		{row->local_center.x, row->local_center.y}, {row->x, row->y, 0.0}, {row->x, row->y, 0.0}, {row->q.c, row->q.s}, {0.0f}};
	if (world->bodies.data[id].set == SET_AWAKE) {
		const struct d2_start *start = &d2_mover(world, id)->start;
		sweep.from = (struct vec3){start->x, start->y, 0.0};
		sweep.q0[0] = start->q.c;
		sweep.q0[1] = start->q.s;
	}
	return sweep;
}

static struct sweep sweep_still(const struct world *world, uint32_t id)
{
	struct d2_pose pose = d2_row_pose(d2_row(world, id));
	return (struct sweep){.from = {pose.x, pose.y, 0.0}, .to = {pose.x, pose.y, 0.0}, .q0 = {pose.q.c, pose.q.s}};
}

static struct sweep sweep_path(const struct world *world, uint32_t id)
{
	if (world->bodies.data[id].set != SET_AWAKE)
		return sweep_still(world, id);
	struct sweep sweep = sweep_begin(world, id);
	sweep.turn[2] = d2_ccd_turned(world, id);
	return sweep;
}

static struct d2_pose sweep_pose(const struct sweep *sweep, float t)
{
	struct d2_sweep own = d2_ccd_sweep(sweep);
	return d2_sweep_pose(&own, t);
}

static struct frame3 sweep_frame(const struct sweep *sweep, float t)
{
	struct d2_pose pose = sweep_pose(sweep, t);
	double c = (double)pose.q.c, s = (double)pose.q.s;
	return (struct frame3){{pose.x, pose.y, 0.0}, {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

static struct center_pose sweep_center_pose(const struct sweep *sweep, float t)
{
	struct d2_pose pose = sweep_pose(sweep, t);
	struct d2_vec r = d2_rotate(pose.q, (struct d2_vec){sweep->local_center[0], sweep->local_center[1]});
	return (struct center_pose){{pose.x + (double)r.x, pose.y + (double)r.y, 0.0}, {pose.q.c, pose.q.s}};
}

static void sweep_carry(const struct sweep *carrier, float from, float q[4], float turn[3])
{
	struct d2_rot by = d2_inv_mul_rot(sweep_pose(carrier, from).q, sweep_pose(carrier, 1.0f).q);
	struct d2_rot rotated = d2_normalize_rot(d2_mul_rot(by, (struct d2_rot){q[0], q[1]}));
	q[0] = rotated.c;
	q[1] = rotated.s;
	turn[2] = d2_rot_angle(by);
}

static double turn_bound(const struct world *world, uint32_t body)
{
	const struct d2_body *row = d2_row(world, body);
	if (world->bodies.data[body].set != SET_AWAKE)
		return 0.0;
	if (turns_far(world, body))
		return (double)abs_f(d2_state(world, body)->turn);
	struct d2_rot q0 = d2_mover(world, body)->start.q;
	double c = (double)(q0.c - row->q.c), s = (double)(q0.s - row->q.s);
	return 0.5 * SCALAR_PI * sqrt(c * c + s * s); /* >= 2 asin(d/2) */
}

float d2_body_bulge(const struct world *world, uint32_t id)
{
	const struct d2_body *row = d2_row(world, id);
	if (turns_far(world, id))
		return arc_bulge(row->max_extent, d2_ccd_turned(world, id));
	struct d2_rot q0 = d2_mover(world, id)->start.q;
	float cosine = q0.c * row->q.c + q0.s * row->q.s;
	return row->max_extent * max_f(0.0f, 1.0f - sqrtf(max_f(0.0f, 0.5f + 0.5f * cosine)));
}

/* As body_fast, for the motion in the obstacle's frame. There the centre of mass is at most `arc` off a straight path. */
bool d2_body_overtaken(const struct world *world, uint32_t id, uint32_t obstacle)
{
	const struct d2_body *row = d2_row(world, id), *other = d2_row(world, obstacle);
	const struct d2_start start = d2_start(world, obstacle);
	struct d2_vec_d last = {row->x, row->y}, first = last;
	if (world->bodies.data[id].set == SET_AWAKE)
		first = (struct d2_vec_d){d2_mover(world, id)->start.x, d2_mover(world, id)->start.y};
	struct d2_vec_d before = d2_sub_d(first, (struct d2_vec_d){start.x, start.y});
	struct d2_vec_d after = d2_sub_d(last, (struct d2_vec_d){other->x, other->y});
	float cosine = start.q.c * other->q.c + start.q.s * other->q.s;
	double distance = max_d(d2_length_d(before), d2_length_d(after));
	double arc = distance * (1.0 - sqrt(max_d(0.0, 0.5 + 0.5 * (double)cosine)));
	double moved = d2_length_d(d2_sub_d(d2_inv_rotate_d(other->q, after), d2_inv_rotate_d(start.q, before))) + arc;
	double turned = turn_bound(world, obstacle) + turn_bound(world, id);
	return turns_far(world, obstacle) || moved + turned * (double)row->max_extent > 0.5 * (double)row->min_extent;
}

/* --- Velocities and contacts ---------------------------------------------------------------------------------------------- */

static void motion_get(const struct world *world, uint32_t id, struct body_motion *motion)
{
	const struct d2_state *state = d2_state(world, id);
	struct d2_vec gain = d2_step_rows(world)[world->bodies.data[id].row].add;
	*motion =
		(struct body_motion){{state->v.x, state->v.y}, {0.0f, 0.0f, state->w}, {0.0f, 0.0f, state->turn}, {gain.x, gain.y}};
}

static void motion_set(struct world *world, uint32_t id, const struct body_motion *motion)
{
	struct d2_state *state = d2_state(world, id);
	state->v = (struct d2_vec){motion->v[0], motion->v[1]};
	state->w = motion->w[2];
	state->turn = motion->turn[2];
}

static struct mat3 inverse_inertia(const struct world *world, uint32_t id)
{
	return (struct mat3){.z = {0.0, 0.0, (double)d2_row(world, id)->inv_inertia}};
}

static void touch(const struct world *world, const uint32_t proxies[2], float time, float margin, struct vec3 normal,
	struct impact_manifold *out)
{
	(void)normal;
	const struct proxy *a = &world->proxies.data[proxies[1]], *b = &world->proxies.data[proxies[0]];
	struct sweep obstacle = sweep_path(world, proxy_body(world, proxies[1]));
	struct d2_pose frame = sweep_pose(&obstacle, time), pose = d2_row_pose(d2_row(world, proxy_body(world, proxies[0])));
	struct d2_transform b_in_a = d2_pose_relative(&frame, &pose);
	struct d2_local_manifold manifold = {.count = 0};
	d2_collide(d2_collider_shape(world, a->collider), a->child, d2_collider_shape(world, b->collider), b->child, &b_in_a,
		margin, &manifold);
	out->count = manifold.count;
	out->normal = d2_ccd_vec3(d2_rotate_d(frame.q, d2_widen(manifold.normal)));
	for (int i = 0; i < manifold.count; ++i) {
		struct d2_vec_d turned = d2_rotate_d(frame.q, d2_widen(manifold.points[i].point));
		out->points[i] = (struct vec3){frame.x + turned.x, frame.y + turned.y, 0.0};
		out->separations[i] = manifold.points[i].separation;
	}
}

#define SLIDES_BY_NEAREST false
#include "core/sweep_wing.h"

/* --- Sensors on the way --------------------------------------------------------------------------------------------------- */

/* The body's poses at the start and the end of the step. */
static void poses_of(const struct world *world, uint32_t body, struct d2_pose poses[2])
{
	struct sweep sweep = sweep_begin(world, body);
	poses[0] = sweep_pose(&sweep, 0.0f);
	poses[1] = d2_row_pose(d2_row(world, body));
}

void d2_proxy_path(const struct world *world, uint32_t proxy, struct box *box)
{
	struct d2_pose poses[2];
	poses_of(world, proxy_body(world, proxy), poses);
	struct box start = d2_shape_box(d2_collider_shape(world, world->proxies.data[proxy].collider),
				   world->proxies.data[proxy].child, &poses[0], 0.0f),
			   end = d2_shape_box(d2_collider_shape(world, world->proxies.data[proxy].collider),
				   world->proxies.data[proxy].child, &poses[1], 0.0f);
	*box = box_union(&start, &end);
}

/* The shape, hit from both sides. */
static struct d2_shape two_sided(const struct d2_shape *shape)
{
	struct d2_shape copy = *shape;
	copy.one_sided = false;
	return copy;
}

bool d2_colliders_pass(const struct world *world, const uint32_t colliders[2])
{
	struct d2_pose a[2], b[2];
	struct d2_impact_result way, end;
	const struct d2_shape one = two_sided(d2_collider_shape(world, colliders[0]));
	const struct d2_shape two = two_sided(d2_collider_shape(world, colliders[1]));
	poses_of(world, world->colliders.data[colliders[0]].body, a);
	poses_of(world, world->colliders.data[colliders[1]].body, b);
	d2_shapes_time_of_impact(&one, &a[0], &a[1], &two, &b[0], &b[1], &way, NULL, NULL);
	if (way.state != AXES_IMPACT_HIT)
		return false;
	d2_shapes_time_of_impact(&one, &a[1], &a[1], &two, &b[1], &b[1], &end, NULL, NULL);
	return end.state != AXES_IMPACT_OVERLAPPING;
}
