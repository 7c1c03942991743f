/* advance.c - see advance.h. Conservative advancement: with n the direction of the nearest points, from A to B, two sets that are d
** apart come nearer by no more than closing dt within dt,
**   closing = (vA - vB).n + |wA| rA + |wB| rB
**   v   velocity of the rotation centre [length/step];  w  turn [rad/step]
**   r   distance of the set's farthest point from its rotation centre [length]
** so t may advance by d/closing. What decides about a miss is the whole sum: the first term alone may be negative, for what
** recedes, while the turning still brings the two together; and it must be negative then, not its magnitude, or what recedes
** would look as if it approached.
** As in toi.c, which serves the stepping world in floats and stops short by a target; here t and the poses are double.
** Source: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996.
** Floor: d2. Pure, any thread. */
#include "d2/advance.h"

#include "d2/gjk.h"

/* A gap of this part of the smaller size is a hit; half of it is kept. */
static const double gap_part = 1e-6;

/* From a pose to a pose, positions relative to where A starts. */
struct motion {
	struct d2_vec_d p, v;
	struct d2_rot_d q;
	double angle;
};

static struct motion make_motion(const struct d2_pose *origin, const struct d2_pose *from, const struct d2_pose *to)
{
	struct d2_rot_d q = d2_exact_rot(from->q), turn = d2_inv_mul_rot_d(q, d2_exact_rot(to->q));
	return (struct motion){ { from->x - origin->x, from->y - origin->y }, { to->x - from->x, to->y - from->y }, q,
		scalar_atan2_d(turn.s, turn.c) };
}

static struct d2_rot_d motion_rot(const struct motion *motion, double t)
{
	if (motion->angle == 0)
		return motion->q;
	struct cos_sin_d turn = scalar_cos_sin_d(motion->angle * t);
	return d2_mul_rot_d(motion->q, (struct d2_rot_d){ turn.cosine, turn.sine });
}

struct course {
	const struct d2_proxy *a, *b;
	struct motion motion_a, motion_b;
	double turning, tolerance;
	struct d2_advance_step *steps;
	int step_count;
};

static struct d2_vec_d way_between(const struct course *course, double t)
{
	struct d2_vec_d p = d2_sub_d(course->motion_b.p, course->motion_a.p), v = d2_sub_d(course->motion_b.v, course->motion_a.v);
	return d2_mul_add_d(p, t, v);
}

/* |w| r. A half-plane has no farthest point, but what meets it has: none of B's is farther from the half-plane's rotation centre
** than the centre of B ever is, at the start or the end, plus B's reach. */
static double turning_speed(const struct course *course)
{
	double reach_a = d2_proxy_reach(course->a), reach_b = d2_proxy_reach(course->b);
	if (course->a->type == D2_PROXY_HALF_PLANE)
		reach_a = max_d(d2_length_d(way_between(course, 0)), d2_length_d(way_between(course, 1))) + reach_b;
	if (course->b->type == D2_PROXY_HALF_PLANE)
		reach_b = reach_a;
	return abs_d(course->motion_a.angle) * reach_a + abs_d(course->motion_b.angle) * reach_b;
}

/* The gap at t, in the frame of A; its normal in the world. */
static struct d2_vec_d course_gap(const struct course *course, double t, struct d2_gap *gap)
{
	struct d2_rot_d qa = motion_rot(&course->motion_a, t), qb = motion_rot(&course->motion_b, t);
	struct d2_transform_d b_in_a = { d2_inv_turn_d(qa, way_between(course, t)), d2_inv_mul_rot_d(qa, qb) };
	d2_gap_find(course->a, course->b, &b_in_a, gap);
	return d2_turn_d(qa, gap->normal);
}

static void course_result(const struct course *course, enum d2_advance_state state, double t, const struct d2_gap *gap,
	struct d2_vec_d normal, int iterations, struct d2_advance_result *out)
{
	struct d2_vec_d middle = d2_scale_d(0.5, d2_add_d(gap->point_a, gap->point_b));
	struct d2_vec_d p = d2_mul_add_d(course->motion_a.p, t, course->motion_a.v);
	p = d2_add_d(p, d2_turn_d(motion_rot(&course->motion_a, t), middle));
	*out = (struct d2_advance_result){ state, t, normal, p.x, p.y, iterations };
}

static void advance(struct course *course, double max_t, struct d2_advance_result *out)
{
	struct d2_vec_d velocity = d2_sub_d(course->motion_a.v, course->motion_b.v);
	double t = 0, tolerance = course->tolerance;
	struct d2_gap gap = { 0 };
	struct d2_vec_d normal = { 0, 0 };
	course->step_count = 0;
	int i = 0;
	for (; i < D2_ADVANCE_ITERATIONS; i++) {
		normal = course_gap(course, t, &gap);
		if (course->steps)
			course->steps[course->step_count++] = (struct d2_advance_step){ t, gap.distance, normal };
		if (i == 0 && gap.distance <= 0) {
			course_result(course, D2_ADVANCE_OVERLAPPING, 0, &gap, normal, 1, out);
			return;
		}
		/* What starts within the tolerance may slide along or leave: it is hit when half of the gap is gone. */
		if (i == 0)
			tolerance = min_d(tolerance, 0.5 * gap.distance);
		if (gap.distance <= tolerance) {
			course_result(course, D2_ADVANCE_HIT, t, &gap, normal, i + 1, out);
			return;
		}
		double closing = d2_dot_d(normal, velocity) + course->turning;
		double next = t + (gap.distance - 0.5 * tolerance) / closing;
		if (!(closing > 0) || !(next <= max_t)) {
			course_result(course, D2_ADVANCE_SEPARATED, max_t, &gap, normal, i + 1, out);
			return;
		}
		if (next == t)
			break;
		t = next;
	}
	course_result(course, D2_ADVANCE_FAILED, t, &gap, normal, i, out);
}

/* What is said about a couple of children replaces what is said about those before it when it is earlier, or says more. */
static bool comes_before(const struct d2_advance_result *a, const struct d2_advance_result *b)
{
	return a->state != D2_ADVANCE_SEPARATED && (b->state == D2_ADVANCE_SEPARATED || a->t < b->t);
}

void d2_advance(const struct d2_shape *a, const struct d2_pose *from_a, const struct d2_pose *to_a, const struct d2_shape *b,
	const struct d2_pose *from_b, const struct d2_pose *to_b, struct d2_advance_result *out, struct d2_advance_step *steps,
	int *step_count)
{
	struct d2_couple couple = d2_couple_order(a, from_a, b, from_b);
	const struct d2_pose *origin = couple.pose_a;
	struct course course = { .steps = steps };
	course.motion_a = make_motion(origin, origin, couple.swapped ? to_b : to_a);
	course.motion_b = make_motion(origin, couple.pose_b, couple.swapped ? to_a : to_b);
	uint32_t count_a = d2_shape_child_count(couple.a), count_b = d2_shape_child_count(couple.b);
	int iterations = 0, kept = 0;
	struct d2_advance_result best = { .state = D2_ADVANCE_SEPARATED, .t = 1 };
	for (uint32_t i = 0; i < count_a * count_b && best.t > 0; i++) {
		struct d2_proxy proxy_a = d2_make_proxy(couple.a, i / count_b), proxy_b = d2_make_proxy(couple.b, i % count_b);
		course.a = &proxy_a;
		course.b = &proxy_b;
		course.turning = turning_speed(&course);
		double size = min_d(d2_proxy_size(&proxy_a), d2_proxy_size(&proxy_b));
		course.tolerance = size < INFINITY ? gap_part * size : gap_part;
		struct d2_advance_result result;
		/* Whoever is hit first stays: others look no further. Their steps would overwrite those that are kept. */
		course.steps = best.state == D2_ADVANCE_SEPARATED ? steps : NULL;
		advance(&course, best.t, &result);
		iterations += result.iterations;
		if (comes_before(&result, &best) || i == 0) {
			if (course.steps == NULL && steps) {
				course.steps = steps;
				advance(&course, best.t, &result);
			}
			best = result;
		}
		if (course.steps)
			kept = course.step_count;
	}
	if (step_count)
		*step_count = kept;
	*out = best;
	out->iterations = iterations;
	out->x += origin->x;
	out->y += origin->y;
	if (!couple.swapped)
		return;
	out->normal = d2_neg_d(out->normal);
	for (int i = 0; i < kept; i++)
		steps[i].normal = d2_neg_d(steps[i].normal);
}

/* --- Bisection --------------------------------------------------------------------------------------------------------- */

static bool sweep_overlaps(const struct d2_couple *couple, const struct d2_transform_d *b_in_a, struct d2_vec_d way, int *iterations)
{
	uint32_t count_a = d2_shape_child_count(couple->a), count_b = d2_shape_child_count(couple->b);
	for (uint32_t i = 0; i < count_a * count_b; i++) {
		struct d2_proxy a = d2_make_proxy(couple->a, i / count_b), b = d2_make_proxy(couple->b, i % count_b);
		int own;
		if (d2_gjk_overlaps(&a, &b, b_in_a, way, &own))
			return true;
		*iterations += own;
	}
	return false;
}

void d2_bisect(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d way, const struct d2_shape *b,
	const struct d2_pose *pose_b, double tolerance, struct d2_bisection_result *out)
{
	struct d2_couple couple = d2_couple_order(a, pose_a, b, pose_b);
	struct d2_transform_d b_in_a = d2_couple_relative(couple.pose_a, couple.pose_b);
	struct d2_vec_d u = d2_inv_turn_d(d2_exact_rot(couple.pose_a->q), couple.swapped ? d2_neg_d(way) : way);
	int inner = 0;
	*out = (struct d2_bisection_result){ .hit = true, .t = 0, .iterations = 1 };
	if (sweep_overlaps(&couple, &b_in_a, (struct d2_vec_d){ 0, 0 }, &inner))
		return;
	out->iterations++;
	if (!sweep_overlaps(&couple, &b_in_a, u, &inner)) {
		out->hit = false;
		out->t = 1;
		return;
	}
	double free = 0, hit = 1, length = d2_length_d(way);
	while ((hit - free) * length > tolerance) {
		double middle = 0.5 * (free + hit);
		if (middle <= free || middle >= hit)
			break;
		out->iterations++;
		if (sweep_overlaps(&couple, &b_in_a, d2_scale_d(middle, u), &inner))
			hit = middle;
		else
			free = middle;
	}
	out->t = free;
}
