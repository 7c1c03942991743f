/* draw_joint.c - draws joints: lines from the bodies' centres to the anchors, and what the anchors do not show: axes, limits
 * and springs, by the coordinates and drives of the type. All is computed in 3D; in 2D the third numbers are 0. Limits of
 * angles are drawn about a hand, a direction that turns with body B: so they are where they stop it. */
#include "bind/draw/draw.h"
#include "bind/world/joint.h"
#include "core/curve.h"

#include <math.h>

/* The arguments of the functions below. */
struct sketch {
	lua_State *L;
	const struct draw *draw;
	const struct world *world;
	uint32_t id;
	enum joint_type type;
	double size; /* of arcs, cones and axes [length] */
	struct d3_vec_d anchors[2];
	struct d3_rot_d bases[2]; /* the axes of the joint's frames */
	struct joint_settings settings;
};

/* Limits farther away than this are none: see range_limit [rad or length]. */
static const double far_away = 1e14;

static struct d3_vec_d vector(const double v[3])
{
	return (struct d3_vec_d){v[0], v[1], v[2]};
}

/* --- Lines ---------------------------------------------------------------------------------------------------------------- */

static void line(const struct sketch *s, enum meaning meaning, struct d3_vec_d from, struct d3_vec_d to)
{
	call_segment(s->L, s->draw, meaning, (const double[]){from.x, from.y, from.z}, (const double[]){to.x, to.y, to.z});
}

/* A unit vector perpendicular to the axis; in 2D it is in the plane if the axis is. */
static struct d3_vec_d across_of(struct d3_vec_d axis)
{
	struct d3_vec_d other = fabs(axis.z) < 0.9 ? (struct d3_vec_d){0, 0, 1} : (struct d3_vec_d){1, 0, 0};
	struct d3_vec_d across = d3_cross_d(other, axis);
	return d3_scale_d(1 / d3_length_d(across), across);
}

/* A mark across an axis: in 3D a cross. */
static void tick(const struct sketch *s, enum meaning meaning, struct d3_vec_d at, struct d3_vec_d axis)
{
	struct d3_vec_d across = across_of(axis);
	double half = 0.4 * s->size;
	line(s, meaning, d3_mul_add_d(at, -half, across), d3_mul_add_d(at, half, across));
	if (draw_axes_of(s->draw) == 2)
		return;
	across = d3_cross_d(axis, across);
	line(s, meaning, d3_mul_add_d(at, -half, across), d3_mul_add_d(at, half, across));
}

/* A spring between two points. */
static void zigzag(const struct sketch *s, struct d3_vec_d from, struct d3_vec_d to)
{
	enum { WINDINGS = 8 };
	struct d3_vec_d along = d3_sub_d(to, from), last = from;
	double length = d3_length_d(along);
	if (!(length > 0))
		return;
	struct d3_vec_d across = across_of(d3_scale_d(1 / length, along));
	for (int i = 0; i < WINDINGS; ++i) {
		double side = (i % 2 == 0 ? 0.15 : -0.15) * min_d(s->size, length);
		struct d3_vec_d next = d3_mul_add_d(d3_mul_add_d(from, (i + 0.5) / WINDINGS, along), side, across);
		line(s, MEANING_SPRING, last, next);
		last = next;
	}
	line(s, MEANING_SPRING, last, to);
}

/* The unit vector, turned about a perpendicular axis. */
static struct d3_vec_d turned(struct d3_vec_d v, struct d3_vec_d axis, double angle)
{
	return d3_mul_add_d(d3_scale_d(cos(angle), v), sin(angle), d3_cross_d(axis, v));
}

/* An arc about the axis through the anchor on b, from the direction on, at most a turn. */
static void arc(
	const struct sketch *s, enum meaning meaning, double radius, struct d3_vec_d from, struct d3_vec_d axis, double angle)
{
	double turn = 2 * SCALAR_PI, span = clamp_d(angle, -turn, turn);
	int count = 1 + (int)(abs_d(span) / turn * (ROUND_POINTS - 1));
	for (int i = 0; i < count; ++i)
		line(s, meaning, d3_mul_add_d(s->anchors[1], radius, turned(from, axis, span * i / count)),
			d3_mul_add_d(s->anchors[1], radius, turned(from, axis, span * (i + 1) / count)));
}

static void spoke(const struct sketch *s, enum meaning meaning, double radius, struct d3_vec_d direction)
{
	line(s, meaning, s->anchors[1], d3_mul_add_d(s->anchors[1], radius, direction));
}

/* --- Coordinates ---------------------------------------------------------------------------------------------------------- */

/* A unit vector perpendicular to the axis that turns with b: to its centre of mass or, where that is on the axis, along an axis
 * of b's frame. */
static struct d3_vec_d hand_of(const struct sketch *s, struct d3_vec_d axis)
{
	double center[3] = {0};
	s->draw->object->dimension->body_center(s->world, s->world->joints.data[s->id].link.bodies[1], center);
	struct d3_vec_d arm = d3_sub_d(vector(center), s->anchors[1]);
	struct d3_vec_d hand = d3_mul_add_d(arm, -d3_dot_d(arm, axis), axis);
	if (d3_length_d(hand) < 0.1 * s->size) {
		struct d3_vec_d x = s->bases[1].x, side = abs_d(d3_dot_d(x, axis)) < 0.7 ? x : s->bases[1].y;
		hand = d3_mul_add_d(side, -d3_dot_d(side, axis), axis);
	}
	return d3_scale_d(1 / d3_length_d(hand), hand);
}

static void draw_turn(const struct sketch *s, struct d3_vec_d axis, double value, const struct coordinate_settings *c)
{
	if (draw_axes_of(s->draw) == 3)
		line(s, MEANING_JOINT, d3_mul_add_d(s->anchors[1], -s->size, axis), d3_mul_add_d(s->anchors[1], s->size, axis));
	if (!c->limited && !c->spring)
		return;
	struct d3_vec_d hand = hand_of(s, axis);
	const double ends[2] = {(double)c->lower - value, (double)c->upper - value};
	spoke(s, MEANING_JOINT, s->size, hand);
	for (int i = 0; i < 2 && c->limited; ++i)
		if (abs_d(ends[i]) < far_away)
			spoke(s, MEANING_LIMIT, s->size, turned(hand, axis, ends[i]));
	if (c->limited && max_d(-ends[0], ends[1]) < far_away)
		arc(s, MEANING_LIMIT, s->size, turned(hand, axis, ends[0]), axis, ends[1] - ends[0]);
	if (!c->spring)
		return;
	double away = (double)c->target - value;
	spoke(s, MEANING_SPRING, 0.7 * s->size, turned(hand, axis, away));
	arc(s, MEANING_SPRING, 0.7 * s->size, hand, axis, away);
}

static void draw_slide(const struct sketch *s, struct d3_vec_d axis, double value, const struct coordinate_settings *c)
{
	struct d3_vec_d origin = d3_mul_add_d(s->anchors[1], -value, axis);
	double ends[2] = {min_d(0, value) - s->size, max_d(0, value) + s->size};
	const double limits[2] = {(double)c->lower, (double)c->upper};
	for (int i = 0; i < 2 && c->limited; ++i)
		if (abs_d(limits[i]) < far_away) {
			ends[i] = limits[i];
			tick(s, MEANING_LIMIT, d3_mul_add_d(origin, limits[i], axis), axis);
		}
	line(s, MEANING_JOINT, d3_mul_add_d(origin, ends[0], axis), d3_mul_add_d(origin, ends[1], axis));
	if (!c->spring)
		return;
	struct d3_vec_d target = d3_mul_add_d(origin, (double)c->target, axis);
	tick(s, MEANING_SPRING, target, axis);
	zigzag(s, target, s->anchors[1]);
}

/* A rod, a rope or a spring. */
static void draw_distance(const struct sketch *s, struct d3_vec_d axis, const struct coordinate_settings *c)
{
	const double limits[2] = {(double)c->lower, (double)c->upper};
	for (int i = 0; i < 2 && c->limited; ++i)
		if (limits[i] > 0 && limits[i] < far_away)
			tick(s, MEANING_LIMIT, d3_mul_add_d(s->anchors[0], limits[i], axis), axis);
	if (c->spring) {
		tick(s, MEANING_SPRING, d3_mul_add_d(s->anchors[0], (double)c->target, axis), axis);
		zigzag(s, s->anchors[0], s->anchors[1]);
	} else {
		line(s, MEANING_JOINT, s->anchors[0], s->anchors[1]);
	}
}

/* A place in the frame of a path, in the world. */
static struct d3_vec_d path_point(const struct sketch *s, struct d3_vec_d origin, const float p[3])
{
	struct d3_vec_d local = {(double)p[0], (double)p[1], (double)p[2]};
	return d3_add_d(origin, d3_turn_d(&s->bases[0], local));
}

static void draw_path(const struct sketch *s)
{
	const struct curve *curve = s->settings.path.curve;
	const struct coordinate_settings *c = &s->settings.coordinates[0];
	const float places[3] = {c->lower, c->upper, c->target};
	struct d3_vec_d none = {0, 0, 0};
	struct curve_place place;
	curve_at(curve, (float)joint_value(s->world, s->id, 0), &place);
	struct d3_vec_d origin = d3_sub_d(s->anchors[0], path_point(s, none, place.p));
	for (uint32_t i = 0; i + 1 < curve->count; ++i)
		line(s, MEANING_JOINT, path_point(s, origin, curve->knots[i].p), path_point(s, origin, curve->knots[i + 1].p));
	for (int i = 0; i < 3; ++i) {
		if (!(i < 2 ? c->limited : c->spring) || !(abs_d((double)places[i]) < far_away))
			continue;
		curve_at(curve, places[i], &place);
		tick(s, i < 2 ? MEANING_LIMIT : MEANING_SPRING, path_point(s, origin, place.p), path_point(s, none, place.t));
	}
}

static void draw_coordinate(const struct sketch *s, int i)
{
	const struct coordinate_settings *c = &s->settings.coordinates[i];
	double axis[3] = {0};
	if (joint_model(s->world, s->id)->coordinates[i] == 0 || (s->type == JOINT_SIX_DOF && coordinate_locked(c)))
		return;
	bool angle = s->draw->object->dimension->coordinate_axis(s->world, s->id, i, axis);
	double value = joint_value(s->world, s->id, i);
	if (angle)
		draw_turn(s, vector(axis), value, c);
	else if (s->type == JOINT_DISTANCE)
		draw_distance(s, vector(axis), c);
	else
		draw_slide(s, vector(axis), value, c);
}

/* --- Drives and cones ----------------------------------------------------------------------------------------------------- */

/* The direction that shows the rotation of a frame: its x axis in 2D, and in 3D z, the joint's axis. */
static struct d3_vec_d pointer(const struct sketch *s, int side)
{
	return draw_axes_of(s->draw) == 2 ? s->bases[side].x : s->bases[side].z;
}

/* The direction that b's pointer has at the target of the spring. */
static struct d3_vec_d target_of(const struct sketch *s, const float target[4])
{
	if (draw_axes_of(s->draw) == 2)
		return turned(pointer(s, 0), s->bases[0].z, (double)target[0]);
	double x = (double)target[0], y = (double)target[1], z = (double)target[2], w = (double)target[3];
	if (x == 0 && y == 0 && z == 0)
		return pointer(s, 0);
	return d3_turn_d(&s->bases[0], (struct d3_vec_d){2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)});
}

static void draw_drives(const struct sketch *s)
{
	const struct drive_settings *linear = &s->settings.linear, *angular = &s->settings.angular;
	bool pointed = s->type == JOINT_SPHERICAL || s->type == JOINT_PARALLEL;
	if (linear->spring) {
		struct d3_vec_d offset = {(double)linear->target[0], (double)linear->target[1], (double)linear->target[2]};
		zigzag(s, d3_add_d(s->anchors[0], offset), s->anchors[1]);
	}
	if (pointed)
		spoke(s, MEANING_JOINT, s->size, pointer(s, 0));
	if (pointed || angular->spring)
		spoke(s, MEANING_JOINT, s->size, pointer(s, 1));
	if (!angular->spring)
		return;
	struct d3_vec_d target = d3_mul_add_d(s->anchors[1], s->size, target_of(s, angular->target));
	line(s, MEANING_SPRING, s->anchors[1], target);
	line(s, MEANING_SPRING, target, d3_mul_add_d(s->anchors[1], s->size, pointer(s, 1)));
}

/* The directions of b's axis at its greatest swing: see spherical_joint.wide.c. */
static void draw_cone(const struct sketch *s)
{
	const float *angles = s->settings.cone.angles;
	struct d3_vec_d last = {0, 0, 0};
	for (uint32_t i = 0; i <= ROUND_POINTS; ++i) {
		double x = (double)angles[0] * round_cosine(i), y = (double)angles[1] * round_cosine(i + ROUND_POINTS * 3 / 4);
		double swing = sqrt(x * x + y * y), sine = swing > 0 ? sin(swing) / swing : 1;
		struct d3_vec_d direction = d3_turn_d(&s->bases[0], (struct d3_vec_d){sine * y, -sine * x, cos(swing)});
		struct d3_vec_d next = d3_mul_add_d(s->anchors[1], s->size, direction);
		if (i > 0)
			line(s, MEANING_LIMIT, last, next);
		if (i % (ROUND_POINTS / 4) == 0 && i > 0)
			line(s, MEANING_LIMIT, s->anchors[1], next);
		last = next;
	}
}

/* --- Joints --------------------------------------------------------------------------------------------------------------- */

static void draw_ends(const struct sketch *s)
{
	for (int side = 0; side < 2; ++side) {
		uint32_t body = s->world->joints.data[s->id].link.bodies[side];
		double center[3] = {0};
		s->draw->object->dimension->body_center(s->world, body, center);
		if (!s->world->bodies.data[body].mount)
			line(s, MEANING_JOINT, vector(center), s->anchors[side]);
		draw_call_point(
			s->L, s->draw, MEANING_JOINT, (const double[]){s->anchors[side].x, s->anchors[side].y, s->anchors[side].z});
	}
}

static void draw_rope(const struct sketch *s)
{
	const double(*grounds)[3] = s->settings.gear.grounds;
	line(s, MEANING_JOINT, s->anchors[0], vector(grounds[0]));
	line(s, MEANING_JOINT, vector(grounds[0]), vector(grounds[1]));
	line(s, MEANING_JOINT, vector(grounds[1]), s->anchors[1]);
}

void draw_joint(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	const struct dimension *dimension = draw->object->dimension;
	struct sketch s = {.L = L, .draw = draw, .world = world, .id = id, .size = 0.25 * (double)world->settings.length_scale};
	double anchors[2][3] = {{0}};
	s.type = (enum joint_type)world->joints.data[id].link.solver;
	dimension->joint_anchors(world, id, anchors);
	joint_get(world, id, &s.settings);
	for (int side = 0; side < 2; ++side) {
		double axes[3][3] = {{0}};
		dimension->joint_basis(world, id, side, axes);
		s.anchors[side] = vector(anchors[side]);
		s.bases[side] = (struct d3_rot_d){vector(axes[0]), vector(axes[1]), vector(axes[2])};
	}
	draw_ends(&s);
	switch (s.type) {
	case JOINT_GEAR: line(&s, MEANING_JOINT, s.anchors[0], s.anchors[1]); return;
	case JOINT_PULLEY: draw_rope(&s); return;
	case JOINT_PATH: draw_path(&s); return;
	default: break;
	}
	for (int i = 0; i < COORDINATES; ++i)
		draw_coordinate(&s, i);
	draw_drives(&s);
	if (s.settings.cone.limited)
		draw_cone(&s);
}
