/* joint.c - see joint.h. */
#include "d3/dynamics/joint.h"
#include "d3/dynamics/wing.h"
#include "d3/query/sweep.h"

#include <string.h>

/* The joint's frame on the body at one side, in the world. */
static struct d3_quat frame(const struct world *world, uint32_t id, int side)
{
	const struct d3_joint *joint = d3_joint(world, id);
	return d3_mul_quat(d3_row(world, joint_bodies(world, id)[side])->q, side == 0 ? joint->qa : joint->qb);
}

struct d3_quat d3_joint_rotation(const struct world *world, uint32_t id)
{
	return d3_inv_mul_quat(frame(world, id, 0), frame(world, id, 1));
}

/* The angle of a rotation about an axis [rad]. part: of the quaternion, along the axis. A quaternion and its negative are the
 * same rotation: w >= 0 gives the smaller angle. */
static double turn_about(float part, float w)
{
	return 2.0 * (double)(w < 0.0f ? scalar_atan2(-part, -w) : scalar_atan2(part, w));
}

/* The twist of frame B in frame A, next to its last value. */
static double twist(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_quat q = d3_joint_rotation(world, id);
	return angle_near(
		turn_about(q.z, q.w), (double)joint_coordinate(joint_model(world, id), joint_row(world, id), coordinate)->value);
}

float d3_joint_swing(const struct world *world, uint32_t id)
{
	struct d3_quat q = d3_joint_rotation(world, id);
	return 2.0f * scalar_atan2(sqrtf(q.x * q.x + q.y * q.y), sqrtf(q.z * q.z + q.w * q.w));
}

void d3_joint_axes(const struct world *world, uint32_t id, struct d3_vec axes[2])
{
	for (int side = 0; side < 2; ++side)
		axes[side] = d3_rotate(frame(world, id, side), (struct d3_vec){0.0f, 0.0f, 1.0f});
}

/* The angular velocity of b relative to a about a's axis. */
static float twist_rate(const struct world *world, uint32_t id, int coordinate)
{
	(void)coordinate;
	const uint32_t *bodies = joint_bodies(world, id);
	struct d3_vec a, b, axes[2];
	d3_body_velocity(world, bodies[0], &a);
	d3_body_velocity(world, bodies[1], &b);
	d3_joint_axes(world, id, axes);
	return d3_dot(d3_sub(b, a), axes[0]);
}

/* The origins of both frames in the world. */
static void origins(const struct world *world, uint32_t id, double points[2][3])
{
	const struct d3_joint *joint = d3_joint(world, id);
	for (int side = 0; side < 2; ++side) {
		struct d3_pose pose = d3_body_pose(world, joint_bodies(world, id)[side]);
		struct d3_vec r = d3_rotate(pose.q, side == 0 ? joint->point_a : joint->point_b);
		points[side][0] = pose.x + (double)r.x;
		points[side][1] = pose.y + (double)r.y;
		points[side][2] = pose.z + (double)r.z;
	}
}

/* The vector from a's anchor to b's; the rate of b's anchor as seen from a, which turns; the angular velocity of b relative to
 * a. */
static struct d3_vec_d gap_of(const struct world *world, uint32_t id, struct d3_vec_d *rate, struct d3_vec_d *turning)
{
	double points[2][3];
	struct d3_vec_d v[2], turn[2];
	origins(world, id, points);
	for (int side = 0; side < 2; ++side) {
		uint32_t body = joint_bodies(world, id)[side];
		const struct d3_body *row = d3_row(world, body);
		struct d3_vec w;
		v[side] = d3_widen(d3_body_velocity(world, body, &w));
		turn[side] = d3_widen(w);
		struct d3_vec_d r = {points[1][0] - row->x, points[1][1] - row->y, points[1][2] - row->z};
		v[side] = d3_add_d(v[side], d3_cross_d(turn[side], r));
	}
	*rate = d3_sub_d(v[1], v[0]);
	*turning = d3_sub_d(turn[1], turn[0]);
	return (struct d3_vec_d){points[1][0] - points[0][0], points[1][1] - points[0][1], points[1][2] - points[0][2]};
}

/* Angles about two axes: b's x axis u, and the z axis of a's frame. */
static double crossed_angle(struct d3_quat q, bool spin)
{
	struct d3_vec u = d3_rotate(q, (struct d3_vec){1.0f, 0.0f, 0.0f});
	float steering = scalar_atan2(u.y, u.x);
	if (!spin)
		return (double)steering;
	struct d3_quat back = d3_make_quat((struct d3_vec){0.0f, 0.0f, -steering});
	struct d3_quat left = d3_mul_quat(back, q);
	return turn_about(left.x, left.w);
}

struct d3_vec_d d3_joint_axis(
	enum joint_type type, int coordinate, struct d3_quat a, struct d3_quat b, struct d3_vec_d gap, double *value)
{
	struct d3_vec_d z = d3_widen(d3_rotate(a, (struct d3_vec){0.0f, 0.0f, 1.0f}));
	struct d3_vec_d u = d3_widen(d3_rotate(b, (struct d3_vec){1.0f, 0.0f, 0.0f}));
	struct d3_quat q = d3_inv_mul_quat(a, b);
	switch (type) {
	case JOINT_REVOLUTE: *value = turn_about(q.z, q.w); return z;
	case JOINT_DISTANCE: *value = d3_length_d(gap); return *value > 0.0 ? d3_scale_d(1.0 / *value, gap) : z;
	case JOINT_UNIVERSAL: *value = crossed_angle(q, coordinate == 0); return coordinate == 0 ? u : z;
	case JOINT_WHEEL:
		if (coordinate > 0) {
			*value = crossed_angle(q, coordinate == 1);
			return coordinate == 1 ? u : z;
		}
		break;
	case JOINT_CYLINDRICAL:
		if (coordinate > 0) {
			*value = turn_about(q.z, q.w);
			return z;
		}
		break;
	default: break;
	}
	*value = d3_dot_d(gap, z);
	return z;
}

static struct d3_vec_d axis_of(const struct world *world, uint32_t id, int coordinate, struct d3_vec_d gap, double *value)
{
	enum joint_type type = (enum joint_type)world->joints.data[id].link.solver;
	return d3_joint_axis(type, coordinate, frame(world, id, 0), frame(world, id, 1), gap, value);
}

static bool is_angle(const struct world *world, uint32_t id, int coordinate)
{
	return coordinate > 0 || world->joints.data[id].link.solver == JOINT_UNIVERSAL;
}

/* A coordinate of a joint with rows. */
static double measure(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_vec_d rate, turning, gap = gap_of(world, id, &rate, &turning);
	double value;
	axis_of(world, id, coordinate, gap, &value);
	if (!is_angle(world, id, coordinate))
		return value;
	return angle_near(value, (double)d3_rows(world, id)->coordinates[coordinate].value);
}

static float measure_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_vec_d rate, turning, gap = gap_of(world, id, &rate, &turning);
	double value;
	struct d3_vec_d axis = axis_of(world, id, coordinate, gap, &value);
	return (float)d3_dot_d(axis, is_angle(world, id, coordinate) ? turning : rate);
}

/* The lengths of a pulley's rope, or their sum: see gear_value. *direction: of that rope, from the ground. */
static double rope_length(const struct world *world, uint32_t id, int side, struct d3_vec_d *direction)
{
	double points[2][3];
	const double *ground = joint_gear(world, id)->settings.grounds[side];
	d3_joint_anchors(world, id, points);
	struct d3_vec_d rope = {points[side][0] - ground[0], points[side][1] - ground[1], points[side][2] - ground[2]};
	double length = d3_length_d(rope);
	*direction = d3_scale_d(length > 0.0 ? 1.0 / length : 0.0, rope);
	return length;
}

static double rope(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_vec_d direction;
	if (coordinate > 0)
		return rope_length(world, id, coordinate - 1, &direction);
	return rope(world, id, 1) + joint_gear(world, id)->settings.ratio * rope(world, id, 2);
}

static float rope_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_vec_d direction;
	double points[2][3];
	if (coordinate == 0)
		return rope_rate(world, id, 1) + (float)joint_gear(world, id)->settings.ratio * rope_rate(world, id, 2);
	int side = coordinate - 1;
	rope_length(world, id, side, &direction);
	d3_joint_anchors(world, id, points);
	struct d3_vec_d point = {points[side][0], points[side][1], points[side][2]};
	return (float)d3_dot_d(direction, d3_widen(d3_body_velocity_at(world, joint_bodies(world, id)[side], point)));
}

/* The axis about which a six-DOF joint turns, if it has locked the rotations about both others; else -1. */
static int hinge_of(const struct world *world, uint32_t id)
{
	const struct coordinate *rotations = d3_rows(world, id)->coordinates + 3;
	int hinge = -1, locked = 0;
	for (int i = 0; i < 3; ++i)
		if (coordinate_locked(&rotations[i].settings))
			++locked;
		else
			hinge = i;
	return locked == 2 ? hinge : -1;
}

/* The axis of a rotation of a six-DOF joint, and its value without whole turns: see rotation_axes and hinge_axes in
 * rows_joint.wide.c. */
static struct d3_vec_d six_dof_turn(const struct world *world, uint32_t id, int i, double *value)
{
	struct d3_quat a = frame(world, id, 0), q = d3_joint_rotation(world, id);
	int hinge = hinge_of(world, id);
	const float parts[3] = {q.x, q.y, q.z};
	struct d3_vec_d unit = {i == 0, i == 1, i == 2}, axis = unit;
	if (hinge == i) {
		*value = turn_about(parts[i], q.w);
	} else if (hinge >= 0) {
		double z = (double)parts[hinge], w = (double)q.w, scale = 2.0 / sqrt(z * z + w * w);
		int other = 3 - hinge - i;
		*value = scale * ((double)parts[i] * w + (i == (hinge + 1) % 3 ? -z : z) * (double)parts[other]);
	} else {
		struct d3_vec_d v = d3_widen(d3_turn_between((struct d3_quat){0, 0, 0, 1}, q));
		double square = d3_dot_d(v, v), half = 0.5 * sqrt(square);
		double c = square > 1e-4 ? (1.0 - half * cos(half) / sin(half)) / square : 1.0 / 12.0;
		struct d3_vec_d across = d3_cross_d(unit, v);
		axis = d3_mul_add_d(d3_mul_add_d(unit, -0.5, across), c, d3_cross_d(across, v));
		*value = i == 0 ? v.x : i == 1 ? v.y : v.z;
	}
	struct d3_rot_d rot = d3_exact_rot(a);
	return d3_turn_d(&rot, axis);
}

static double six_dof(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_vec_d rate, turning, gap = gap_of(world, id, &rate, &turning);
	struct d3_rot_d rot = d3_exact_rot(frame(world, id, 0));
	double value;
	if (coordinate < 3) {
		gap = d3_inv_turn_d(&rot, gap);
		return coordinate == 0 ? gap.x : coordinate == 1 ? gap.y : gap.z;
	}
	six_dof_turn(world, id, coordinate - 3, &value);
	if (hinge_of(world, id) != coordinate - 3)
		return value;
	return angle_near(value, (double)d3_rows(world, id)->coordinates[coordinate].value);
}

static float six_dof_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_vec_d rate, turning;
	struct d3_rot_d rot = d3_exact_rot(frame(world, id, 0));
	double value;
	gap_of(world, id, &rate, &turning);
	if (coordinate >= 3)
		return (float)d3_dot_d(six_dof_turn(world, id, coordinate - 3, &value), turning);
	rate = d3_inv_turn_d(&rot, rate);
	return (float)(coordinate == 0 ? rate.x : coordinate == 1 ? rate.y : rate.z);
}

/* Where b's anchor is in a's frame, which is that of the curve. */
static void path_place(const struct world *world, uint32_t id, float q[3])
{
	struct d3_vec_d rate, turning, gap = gap_of(world, id, &rate, &turning);
	struct d3_rot_d a = d3_exact_rot(frame(world, id, 0));
	struct d3_vec local = d3_narrow(d3_inv_turn_d(&a, gap));
	memcpy(q, &local, sizeof local);
}

static double path_distance(const struct world *world, uint32_t id, int coordinate)
{
	const struct d3_rows *rows = d3_rows(world, id);
	float q[3];
	path_place(world, id, q);
	return (double)curve_project(rows->path.settings.curve, q, rows->coordinates[coordinate].value);
}

/* The curve's frame at the joint's place, in the world: the tangent is its x axis. */
static struct d3_rot_d path_frame(const struct world *world, uint32_t id)
{
	struct curve_place place;
	struct d3_rot_d a = d3_exact_rot(frame(world, id, 0));
	curve_at(d3_rows(world, id)->path.settings.curve, (float)path_distance(world, id, 0), &place);
	struct d3_vec_d t = d3_turn_d(&a, (struct d3_vec_d){(double)place.t[0], (double)place.t[1], (double)place.t[2]});
	struct d3_vec_d n = d3_turn_d(&a, (struct d3_vec_d){(double)place.n[0], (double)place.n[1], (double)place.n[2]});
	return (struct d3_rot_d){t, n, d3_cross_d(t, n)};
}

static float path_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d3_vec_d rate, turning;
	(void)coordinate;
	gap_of(world, id, &rate, &turning);
	return (float)d3_dot_d(path_frame(world, id).x, rate);
}

/* Finds the place on the curve that is nearest to b's anchor; b keeps its rotation relative to the curve's frame there. */
static void path_start(struct world *world, uint32_t id)
{
	struct d3_rows *rows = d3_rows(world, id);
	float q[3];
	path_place(world, id, q);
	joint_path_start(world, id, q);
	struct d3_rot_d at = path_frame(world, id);
	struct d3_quat_d curve = d3_rot_quat_d(&at);
	rows->joint.qb = d3_inv_mul_quat(d3_row(world, joint_bodies(world, id)[1])->q,
		(struct d3_quat){(float)curve.x, (float)curve.y, (float)curve.z, (float)curve.w});
}

#define ROWS                                                                                            \
	.impulses = {{offsetof(struct d3_joint, impulse), 3}, {offsetof(struct d3_joint, turn_impulse), 3}, \
		{offsetof(struct d3_rows, lock_impulses), 8}}
#define MEASURED ROWS, .value = measure, .rate = measure_rate
#define COORDINATE(i) COORDINATE_AT(struct d3_rows, i)
#define DRIVES                                                                                          \
	{                                                                                                   \
		ROWS, .linear = DRIVE_PLACE(struct d3_rows, 0, 3), .angular = DRIVE_PLACE(struct d3_rows, 1, 3) \
	}

const struct joint_model d3_joint_models[JOINT_TYPES] =
	{
		[JOINT_DISTANCE] = {MEASURED, .coordinates = {COORDINATE(0)}},
		[JOINT_PRISMATIC] = {MEASURED, .coordinates = {COORDINATE(0)}},
		[JOINT_WHEEL] = {MEASURED, .coordinates = {COORDINATE(0), COORDINATE(1), COORDINATE(2)}},
		[JOINT_CYLINDRICAL] = {MEASURED, .coordinates = {COORDINATE(0), COORDINATE(1)}},
		[JOINT_UNIVERSAL] = {MEASURED, .coordinates = {COORDINATE(0), COORDINATE(1)}},
		[JOINT_PATH] = {ROWS, .coordinates = {COORDINATE(0)}, .path = offsetof(struct d3_rows, path.settings),
			.value = path_distance, .rate = path_rate},
		[JOINT_RATCHET] = {ROWS, .coordinates = {COORDINATE(0)}, .ratchet = offsetof(struct d3_rows, ratchet.settings),
			.value = twist, .rate = twist_rate},
		[JOINT_SIX_DOF] = {ROWS,
			.coordinates = {COORDINATE(0), COORDINATE(1), COORDINATE(2), COORDINATE(3), COORDINATE(4), COORDINATE(5)},
			.value = six_dof, .rate = six_dof_rate},
		[JOINT_WELD] = DRIVES,
		[JOINT_MOTOR] = DRIVES,
		[JOINT_MOUSE] = DRIVES,
		[JOINT_FRICTION] = DRIVES,
		[JOINT_PARALLEL] = DRIVES,
		[JOINT_GEAR] = {ROWS, .gear = offsetof(struct d3_rows, gear), .value = gear_value, .rate = gear_rate},
		[JOINT_PULLEY] =
			{
				ROWS,
				.gear = offsetof(struct d3_rows, gear),
				.coordinates = {COORDINATE(0)},
				.value = rope,
				.rate = rope_rate,
			},
		[JOINT_REVOLUTE] =
			{
				.coordinates = {offsetof(struct d3_revolute, angle)},
				.impulses = {{offsetof(struct d3_joint, impulse), 3}, {offsetof(struct d3_joint, turn_impulse), 3},
					{offsetof(struct d3_revolute, bend_impulse), 2}},
				.value = twist,
				.rate = twist_rate,
			},
		[JOINT_SPHERICAL] =
			{
				.coordinates = {offsetof(struct d3_spherical, twist)},
				.angular = {offsetof(struct d3_spherical, drive), offsetof(struct d3_spherical, spring_impulse),
					offsetof(struct d3_spherical, motor_impulse), 3},
				.cone = offsetof(struct d3_spherical, cone),
				.cone_impulse = offsetof(struct d3_spherical, cone_impulse),
				.acts = offsetof(struct d3_joint, acts),
				.impulses = {{offsetof(struct d3_joint, impulse), 3}, {offsetof(struct d3_joint, turn_impulse), 3}},
				.value = twist,
				.rate = twist_rate,
			},
};

void d3_joint_store_frames(struct world *world, uint32_t id, const struct d3_joint_frame frames[2])
{
	struct d3_joint *joint = d3_joint(world, id);
	joint->point_a = frames[0].point;
	joint->point_b = frames[1].point;
	joint->qa = frames[0].q;
	joint->qb = frames[1].q;
}

void d3_joint_get_frames(const struct world *world, uint32_t id, struct d3_joint_frame frames[2])
{
	const struct d3_joint *joint = d3_joint(world, id);
	frames[0] = (struct d3_joint_frame){joint->point_a, joint->qa};
	frames[1] = (struct d3_joint_frame){joint->point_b, joint->qb};
}

uint32_t d3_joint_create(struct world *world, enum joint_type type, uint32_t body_a, uint32_t body_b,
	const struct d3_joint_frame frames[2], bool collides, const struct joint_settings *settings)
{
	uint32_t id = joint_create(world, (uint8_t)type, body_a, body_b, collides);
	if (id == NONE)
		return NONE;
	d3_joint_store_frames(world, id, frames);
	d3_joint_levers(world, id);
	joint_start(world, id, settings);
	if (type == JOINT_PATH)
		path_start(world, id);
	return id;
}

void d3_joint_anchors(const struct world *world, uint32_t id, double points[2][3])
{
	if (world->joints.data[id].link.solver == JOINT_GEAR) {
		double ends[2][3];
		for (int side = 0; side < 2; ++side) {
			d3_joint_anchors(world, joint_gear(world, id)->settings.joints[side], ends);
			memcpy(points[side], ends[1], 3 * sizeof(double));
		}
		return;
	}
	struct curve_place place;
	origins(world, id, points);
	if (world->joints.data[id].link.solver != JOINT_PATH)
		return;
	struct d3_rot_d a = d3_exact_rot(frame(world, id, 0));
	curve_at(d3_rows(world, id)->path.settings.curve, (float)path_distance(world, id, 0), &place);
	struct d3_vec_d p = d3_turn_d(&a, (struct d3_vec_d){(double)place.p[0], (double)place.p[1], (double)place.p[2]});
	points[0][0] += p.x;
	points[0][1] += p.y;
	points[0][2] += p.z;
}

void d3_joint_basis(const struct world *world, uint32_t id, int side, double axes[3][3])
{
	struct d3_rot_d rot = d3_exact_rot(frame(world, id, side));
	memcpy(axes, &rot, sizeof rot);
}

bool d3_coordinate_axis(const struct world *world, uint32_t id, int coordinate, double axis[3])
{
	enum joint_type type = (enum joint_type)world->joints.data[id].link.solver;
	bool twists = type == JOINT_REVOLUTE || type == JOINT_SPHERICAL || type == JOINT_RATCHET;
	struct d3_vec_d rate, turning, gap = gap_of(world, id, &rate, &turning), along;
	struct d3_rot_d a = d3_exact_rot(frame(world, id, 0));
	double value;
	if (type == JOINT_SPHERICAL)
		along = d3_exact_rot(frame(world, id, 1)).z;
	else if (type != JOINT_SIX_DOF)
		along = axis_of(world, id, coordinate, gap, &value);
	else if (coordinate >= 3)
		along = six_dof_turn(world, id, coordinate - 3, &value);
	else
		along = coordinate == 0 ? a.x : coordinate == 1 ? a.y : a.z;
	memcpy(axis, &along, sizeof along);
	return type == JOINT_SIX_DOF ? coordinate >= 3 : twists || is_angle(world, id, coordinate);
}

void d3_joint_reactions(const struct world *world, uint32_t id, struct vec3 reactions[2])
{
	const struct d3_joint *joint = d3_joint(world, id);
	float inv_h = world->step.inv_h;
	struct d3_vec force = d3_scale(inv_h, joint->impulse), torque = d3_scale(inv_h, joint->turn_impulse);
	reactions[0] = (struct vec3){force.x, force.y, force.z};
	reactions[1] = (struct vec3){torque.x, torque.y, torque.z};
}

void d3_joint_pulls(const struct world *world, uint32_t id, bool exact, float pulls[2])
{
	const struct d3_joint *joint = d3_joint(world, id);
	const struct d3_vec points[2] = {joint->point_a, joint->point_b};
	for (int side = 0; side < 2; ++side) {
		const struct d3_body *body = d3_row(world, joint_bodies(world, id)[side]);
		const struct d3_symmetric *i = &body->inv_inertia;
		struct d3_vec r = d3_sub(points[side], body->local_center);
		float square = d3_dot(r, r), across = square * (i->xx + i->yy + i->zz);
		if (exact) {
			r = d3_rotate(body->q, r);
			across -= d3_dot(r, d3_symmetric_mul(i, r));
		}
		pulls[side] = square > 0.0f ? 0.5f * d3_length(joint->impulse) * across / sqrtf(square) : 0.0f;
	}
}
