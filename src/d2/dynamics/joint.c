/* joint.c - see joint.h. */
#include "d2/dynamics/joint.h"
#include "d2/dynamics/wing.h"

#include <string.h>

/* The rotation of b's frame in a's. */
static struct d2_rot turn_of(const struct world *world, uint32_t id)
{
	const uint32_t *bodies = joint_bodies(world, id);
	return d2_inv_mul_rot(
		d2_joint(world, id)->reference, d2_inv_mul_rot(d2_row(world, bodies[0])->q, d2_row(world, bodies[1])->q));
}

/* The angle of frame B in frame A, next to its last value. */
static double angle(const struct world *world, uint32_t id, int coordinate)
{
	float last = joint_coordinate(joint_model(world, id), joint_row(world, id), coordinate)->value;
	return angle_near((double)d2_rot_angle(turn_of(world, id)), (double)last);
}

static float angle_rate(const struct world *world, uint32_t id, int coordinate)
{
	const uint32_t *bodies = joint_bodies(world, id);
	float a, b;
	(void)coordinate;
	d2_body_velocity(world, bodies[0], &a);
	d2_body_velocity(world, bodies[1], &b);
	return b - a;
}

/* The origins of both frames in the world. */
static void origins(const struct world *world, uint32_t id, double points[2][3])
{
	const struct d2_joint *joint = d2_joint(world, id);
	for (int side = 0; side < 2; ++side) {
		struct d2_pose pose = d2_body_pose(world, joint_bodies(world, id)[side]);
		struct d2_vec r = d2_rotate(pose.q, side == 0 ? joint->local_a : joint->local_b);
		points[side][0] = pose.x + (double)r.x;
		points[side][1] = pose.y + (double)r.y;
	}
}

/* The vector from a's anchor to b's, and the velocity of b's anchor as seen from a, which turns. */
static struct d2_vec_d gap_of(const struct world *world, uint32_t id, struct d2_vec_d *rate)
{
	double points[2][3];
	struct d2_vec_d v[2];
	origins(world, id, points);
	for (int side = 0; side < 2; ++side) {
		uint32_t body = joint_bodies(world, id)[side];
		const struct d2_body *row = d2_row(world, body);
		float w;
		v[side] = d2_widen(d2_body_velocity(world, body, &w));
		v[side].x -= (double)w * (points[1][1] - row->y);
		v[side].y += (double)w * (points[1][0] - row->x);
	}
	*rate = d2_sub_d(v[1], v[0]);
	return (struct d2_vec_d){points[1][0] - points[0][0], points[1][1] - points[0][1]};
}

/* The x axis of a's frame. */
static struct d2_vec_d axis_of(const struct world *world, uint32_t id)
{
	struct d2_rot q = d2_mul_rot(d2_row(world, joint_bodies(world, id)[0])->q, d2_rows(world, id)->frame);
	return (struct d2_vec_d){(double)q.c, (double)q.s};
}

/* The translation along the axis, or from coordinate 1 on the angle. */
static double slide(const struct world *world, uint32_t id, int coordinate)
{
	struct d2_vec_d rate;
	return coordinate > 0 ? angle(world, id, coordinate) : d2_dot_d(axis_of(world, id), gap_of(world, id, &rate));
}

static float slide_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d2_vec_d rate;
	gap_of(world, id, &rate);
	return coordinate > 0 ? angle_rate(world, id, coordinate) : (float)d2_dot_d(axis_of(world, id), rate);
}

static double length(const struct world *world, uint32_t id, int coordinate)
{
	struct d2_vec_d rate;
	(void)coordinate;
	return d2_length_d(gap_of(world, id, &rate));
}

static float length_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d2_vec_d rate, gap = gap_of(world, id, &rate);
	double now = d2_length_d(gap);
	(void)coordinate;
	return (float)(now > 0.0 ? d2_dot_d(gap, rate) / now : d2_dot_d(axis_of(world, id), rate));
}

/* The lengths of a pulley's rope, or their sum: see gear_value. *direction: of that rope, from the ground. */
static double rope_length(const struct world *world, uint32_t id, int side, struct d2_vec_d *direction)
{
	double points[2][3];
	const double *ground = joint_gear(world, id)->settings.grounds[side];
	d2_joint_anchors(world, id, points);
	struct d2_vec_d rope = {points[side][0] - ground[0], points[side][1] - ground[1]};
	double length = d2_length_d(rope);
	*direction = d2_scale_d(length > 0.0 ? 1.0 / length : 0.0, rope);
	return length;
}

static double rope(const struct world *world, uint32_t id, int coordinate)
{
	struct d2_vec_d direction;
	if (coordinate > 0)
		return rope_length(world, id, coordinate - 1, &direction);
	return rope(world, id, 1) + joint_gear(world, id)->settings.ratio * rope(world, id, 2);
}

static float rope_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d2_vec_d direction;
	double points[2][3];
	if (coordinate == 0)
		return rope_rate(world, id, 1) + (float)joint_gear(world, id)->settings.ratio * rope_rate(world, id, 2);
	int side = coordinate - 1;
	rope_length(world, id, side, &direction);
	d2_joint_anchors(world, id, points);
	struct d2_vec_d point = {points[side][0], points[side][1]};
	return (float)d2_dot_d(direction, d2_widen(d2_body_velocity_at(world, joint_bodies(world, id)[side], point)));
}

/* Where b's anchor is in a's frame, which is that of the curve. */
static void path_place(const struct world *world, uint32_t id, float q[3])
{
	struct d2_vec_d rate, x = axis_of(world, id), gap = gap_of(world, id, &rate);
	q[0] = (float)d2_dot_d(gap, x);
	q[1] = (float)d2_cross_d(x, gap);
	q[2] = 0.0f;
}

static double path_distance(const struct world *world, uint32_t id, int coordinate)
{
	const struct d2_rows *rows = d2_rows(world, id);
	float q[3];
	path_place(world, id, q);
	return (double)curve_project(rows->path.settings.curve, q, rows->coordinates[coordinate].value);
}

/* The tangent at the joint's place, in the world. */
static struct d2_vec_d path_tangent(const struct world *world, uint32_t id)
{
	struct curve_place place;
	struct d2_vec_d x = axis_of(world, id);
	curve_at(d2_rows(world, id)->path.settings.curve, (float)path_distance(world, id, 0), &place);
	double c = (double)place.t[0], s = (double)place.t[1];
	return (struct d2_vec_d){c * x.x - s * x.y, c * x.y + s * x.x};
}

static float path_rate(const struct world *world, uint32_t id, int coordinate)
{
	struct d2_vec_d rate;
	(void)coordinate;
	gap_of(world, id, &rate);
	return (float)d2_dot_d(path_tangent(world, id), rate);
}

/* Finds the place on the curve that is nearest to b's anchor; b keeps its angle to the tangent there. */
static void path_start(struct world *world, uint32_t id)
{
	struct d2_rows *rows = d2_rows(world, id);
	float q[3];
	path_place(world, id, q);
	joint_path_start(world, id, q);
	struct d2_vec_d t = path_tangent(world, id);
	struct d2_rot tangent =
		d2_inv_mul_rot(d2_row(world, joint_bodies(world, id)[0])->q, (struct d2_rot){(float)t.x, (float)t.y});
	const uint32_t *bodies = joint_bodies(world, id);
	struct d2_rot now = d2_inv_mul_rot(d2_row(world, bodies[0])->q, d2_row(world, bodies[1])->q);
	rows->joint.reference = d2_inv_mul_rot(tangent, now);
}

#define ROWS                                                                                             \
	.impulses = {{offsetof(struct d2_joint, impulse), 2}, {offsetof(struct d2_rows, lock_impulses), 4}}, \
	.frame = offsetof(struct d2_rows, frame)
#define COORDINATE(i) COORDINATE_AT(struct d2_rows, i)
#define DRIVES                                                                                          \
	{                                                                                                   \
		ROWS, .linear = DRIVE_PLACE(struct d2_rows, 0, 2), .angular = DRIVE_PLACE(struct d2_rows, 1, 1) \
	}

const struct joint_model d2_joint_models[JOINT_TYPES] = {
	[JOINT_DISTANCE] = {ROWS, .coordinates = {COORDINATE(0)}, .value = length, .rate = length_rate},
	[JOINT_PRISMATIC] = {ROWS, .coordinates = {COORDINATE(0)}, .value = slide, .rate = slide_rate},
	[JOINT_WHEEL] = {ROWS, .coordinates = {COORDINATE(0), COORDINATE(1)}, .value = slide, .rate = slide_rate},
	[JOINT_PATH] = {ROWS, .coordinates = {COORDINATE(0)}, .path = offsetof(struct d2_rows, path.settings),
		.value = path_distance, .rate = path_rate},
	[JOINT_RATCHET] = {ROWS, .coordinates = {COORDINATE(0)}, .ratchet = offsetof(struct d2_rows, ratchet.settings),
		.value = angle, .rate = angle_rate},
	[JOINT_WELD] = DRIVES,
	[JOINT_MOTOR] = DRIVES,
	[JOINT_MOUSE] = DRIVES,
	[JOINT_FRICTION] = DRIVES,
	[JOINT_GEAR] = {ROWS, .gear = offsetof(struct d2_rows, gear), .value = gear_value, .rate = gear_rate},
	[JOINT_PULLEY] =
		{
			ROWS,
			.gear = offsetof(struct d2_rows, gear),
			.coordinates = {COORDINATE(0)},
			.value = rope,
			.rate = rope_rate,
		},
	[JOINT_REVOLUTE] =
		{
			.coordinates = {offsetof(struct d2_revolute, angle)},
			.impulses = {{offsetof(struct d2_joint, impulse), 2}},
			.value = angle,
			.rate = angle_rate,
		},
};

void d2_joint_store_frames(struct world *world, uint32_t id, const struct d2_joint_frame frames[2])
{
	struct d2_joint *joint = d2_joint(world, id);
	joint->local_a = frames[0].point;
	joint->local_b = frames[1].point;
	joint->reference = d2_mul_rot(frames[0].q, (struct d2_rot){frames[1].q.c, -frames[1].q.s});
	if (joint_model(world, id)->frame != 0)
		*(struct d2_rot *)((char *)joint_row(world, id) + joint_model(world, id)->frame) = frames[0].q;
}

void d2_joint_get_frames(const struct world *world, uint32_t id, struct d2_joint_frame frames[2])
{
	const struct d2_joint *joint = (const struct d2_joint *)joint_row(world, id);
	frames[0].point = joint->local_a;
	frames[1].point = joint->local_b;
	frames[0].q = joint_model(world, id)->frame != 0 ? d2_rows(world, id)->frame : (struct d2_rot){1.0f, 0.0f};
	frames[1].q = d2_inv_mul_rot(joint->reference, frames[0].q);
}

uint32_t d2_joint_create(struct world *world, enum joint_type type, uint32_t body_a, uint32_t body_b,
	const struct d2_joint_frame frames[2], bool collides, const struct joint_settings *settings)
{
	uint32_t id = joint_create(world, (uint8_t)type, body_a, body_b, collides);
	if (id == NONE)
		return NONE;
	d2_joint_store_frames(world, id, frames);
	d2_joint_levers(world, id);
	joint_start(world, id, settings);
	if (type == JOINT_PATH)
		path_start(world, id);
	return id;
}

void d2_joint_anchors(const struct world *world, uint32_t id, double points[2][3])
{
	if (world->joints.data[id].link.solver == JOINT_GEAR) {
		double ends[2][3];
		for (int side = 0; side < 2; ++side) {
			d2_joint_anchors(world, joint_gear(world, id)->settings.joints[side], ends);
			memcpy(points[side], ends[1], 2 * sizeof(double));
		}
		return;
	}
	struct curve_place place;
	origins(world, id, points);
	if (world->joints.data[id].link.solver != JOINT_PATH)
		return;
	struct d2_vec_d x = axis_of(world, id);
	curve_at(d2_rows(world, id)->path.settings.curve, (float)path_distance(world, id, 0), &place);
	points[0][0] += (double)place.p[0] * x.x - (double)place.p[1] * x.y;
	points[0][1] += (double)place.p[0] * x.y + (double)place.p[1] * x.x;
}

void d2_joint_basis(const struct world *world, uint32_t id, int side, double axes[3][3])
{
	const struct d2_body *a = d2_row(world, joint_bodies(world, id)[0]);
	struct d2_rot q = joint_model(world, id)->frame != 0 ? d2_mul_rot(a->q, d2_rows(world, id)->frame) : a->q;
	if (side == 1)
		q = d2_mul_rot(q, turn_of(world, id));
	axes[0][0] = axes[1][1] = (double)q.c;
	axes[0][1] = (double)q.s;
	axes[1][0] = -axes[0][1];
	axes[2][2] = 1.0;
	axes[0][2] = axes[1][2] = axes[2][0] = axes[2][1] = 0.0;
}

bool d2_coordinate_axis(const struct world *world, uint32_t id, int coordinate, double axis[3])
{
	enum joint_type type = (enum joint_type)world->joints.data[id].link.solver;
	bool turns = coordinate > 0 || type == JOINT_REVOLUTE || type == JOINT_RATCHET;
	struct d2_vec_d rate, along = {0.0, 0.0};
	if (type == JOINT_DISTANCE)
		along = gap_of(world, id, &rate);
	double length = d2_length_d(along);
	along = length > 0.0 ? d2_scale_d(1.0 / length, along) : turns ? along : axis_of(world, id);
	axis[0] = along.x;
	axis[1] = along.y;
	axis[2] = turns ? 1.0 : 0.0;
	return turns;
}

void d2_joint_reactions(const struct world *world, uint32_t id, struct vec3 reactions[2])
{
	bool revolute = world->joints.data[id].link.solver == JOINT_REVOLUTE;
	float turn = revolute ? coordinate_impulse(&d2_revolute(world, id)->angle) : d2_rows(world, id)->turn_impulse;
	float inv_h = world->step.inv_h, torque = inv_h * turn;
	struct d2_vec force = d2_scale(inv_h, d2_joint(world, id)->impulse);
	reactions[0] = (struct vec3){force.x, force.y, 0};
	reactions[1] = (struct vec3){torque, 0, 0};
}

void d2_joint_pulls(const struct world *world, uint32_t id, bool exact, float pulls[2])
{
	(void)exact;
	const struct d2_joint *joint = (const struct d2_joint *)joint_row(world, id);
	const struct d2_vec points[2] = {joint->local_a, joint->local_b};
	for (int side = 0; side < 2; ++side) {
		const struct d2_body *body = d2_row(world, joint_bodies(world, id)[side]);
		pulls[side] = d2_length(joint->impulse) * d2_length(d2_sub(points[side], body->local_center)) * body->inv_inertia;
	}
}
