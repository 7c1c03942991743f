/* advance.c - see advance.h. Conservative advancement with steps of second order.
** At t the nearest points of two sets that are d apart give the normal n, from A to B. Seen from a frame that turns at a rate W [rad
** per unit of t], in which n stands still, their separation along n is a lower bound of their distance at every later time, and it
** is the least of
**   f(h) = n.(r_b - r_a) - radius_a - radius_b
** over all points a, b of the two cores. In that frame, with r the points relative to A's rotation centre, p and v the way and the
** velocity between the rotation centres, and J the turn by 90 degrees,
**   f'(0) = n.v - W n.Jp + (wB - W) n.Jb - (wA - W) n.Ja            [length per unit of t]
**   f'' >= -(W^2 |p| + 2 |W| |v| + (wB - W)^2 |b| + (wA - W)^2 |a|)   (centripetal, and Coriolis')
** so by Taylor's theorem f(h) >= f(0) + f'(0) h - K h^2/2 with K the sum in brackets, |p| taken at its greatest until the end. That
** is concave in h for each a and b, and so is its least over all a and b: where it is above the target at h, it was so all the way
** from 0 to h, and nothing can touch up to there. The greatest such h is the step: of the rates 0, wA and wB the one that goes
** farthest. 0 is exact for what does not turn, wA and wB for what orbits at a constant distance or rides along.
** Near a contact the error of a step is of second order, so it converges as Newton's method does. Where the two pass each other at
** a small gap, steps of first order, d/closing, shrink with the gap and may need millions; these shrink with its square root and
** grow again right after.
** What decides about a miss is the whole bound: the straight motion alone may recede while the turning brings the two together.
** As in toi.c, which serves the stepping world in floats and stops short by a target; here t and the poses are double.
** Sources: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996 (the first order); Catto, "Continuous collision",
** GDC 2013 (the separation along an axis instead of the distance).
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

/* A core about the point that counts as its rotation centre. What does not turn may have it anywhere: in its middle it is nearest
** to all of its points. */
struct turning {
	const struct d2_proxy *proxy;
	struct d2_vec_d center; /* in the proxy's frame */
	double reach[D2_HULL_MAX]; /* of each point; of an ellipse, the greatest */
};

struct course {
	struct turning a, b;
	struct motion motion_a, motion_b;
	double tolerance;
	struct d2_advance_step *steps;
	int step_count;
};

static struct d2_vec_d core_middle(const struct d2_proxy *proxy)
{
	if (proxy->type == D2_PROXY_HALF_PLANE)
		return (struct d2_vec_d){ 0, 0 };
	struct d2_vec_d low = d2_widen(proxy->points[0]), high = low;
	for (uint32_t i = 1; i < proxy->count; i++) {
		low = (struct d2_vec_d){ min_d(low.x, proxy->points[i].x), min_d(low.y, proxy->points[i].y) };
		high = (struct d2_vec_d){ max_d(high.x, proxy->points[i].x), max_d(high.y, proxy->points[i].y) };
	}
	return d2_scale_d(0.5, d2_add_d(low, high));
}

static void set_turning(struct turning *turning, const struct motion *motion)
{
	const struct d2_proxy *proxy = turning->proxy;
	turning->center = motion->angle == 0 ? core_middle(proxy) : (struct d2_vec_d){ 0, 0 };
	turning->reach[0] = d2_proxy_reach(proxy);
	for (uint32_t i = 0; proxy->type == D2_PROXY_POINTS && i < proxy->count; i++)
		turning->reach[i] = d2_length_d(d2_sub_d(d2_widen(proxy->points[i]), turning->center));
}

/* The greatest d.r + bend |r| over the points r of the core, from its rotation centre; d in the proxy's frame. Of a half-plane
** only d along its normal is asked for, and bend 0. */
static double core_extent(const struct turning *turning, struct d2_vec_d d, double bend)
{
	const struct d2_proxy *proxy = turning->proxy;
	if (proxy->type == D2_PROXY_HALF_PLANE)
		return proxy->offset;
	if (proxy->type == D2_PROXY_ELLIPSE)
		return d2_dot_d(d, d2_sub_d(d2_core_support(proxy, d), turning->center)) + bend * turning->reach[0];
	double far = -INFINITY;
	for (uint32_t i = 0; i < proxy->count; i++)
		far = max_d(far, d2_dot_d(d, d2_widen(proxy->points[i])) + bend * turning->reach[i]);
	return far - d2_dot_d(d, turning->center);
}

/* Both at t. */
struct moment {
	double t;
	struct d2_rot_d qa, qb;
	struct d2_vec_d between; /* the way from A's origin to B's */
	struct d2_vec_d normal; /* of the gap, in the world */
	struct d2_gap gap; /* in the frame of A */
};

static void find_moment(const struct course *course, double t, struct moment *out)
{
	const struct motion *a = &course->motion_a, *b = &course->motion_b;
	out->t = t;
	out->qa = motion_rot(a, t);
	out->qb = motion_rot(b, t);
	out->between = d2_mul_add_d(d2_sub_d(b->p, a->p), t, d2_sub_d(b->v, a->v));
	struct d2_transform_d b_in_a = { d2_inv_turn_d(out->qa, out->between), d2_inv_mul_rot_d(out->qa, out->qb) };
	d2_gap_find(course->a.proxy, course->b.proxy, &b_in_a, &out->gap);
	out->normal = d2_turn_d(out->qa, out->gap.normal);
}

/* The bound of the separation from t on, seen from a frame that turns at the rate W. */
struct outlook {
	const struct course *course;
	struct d2_vec_d normal_a, normal_b; /* n and -n in the frames of A and B */
	double turn_a, turn_b; /* wA - W, wB - W */
	double base, speed, bend; /* what does not depend on the points: f(0), f'(0) and K */
};

static double outlook_bound(const struct outlook *outlook, double h)
{
	const struct outlook *o = outlook;
	double bend = 0.5 * h * h, turn_a = h * o->turn_a, turn_b = h * o->turn_b;
	/* n.Ja = -(Jn).a */
	struct d2_vec_d along_a = { o->normal_a.x + turn_a * o->normal_a.y, o->normal_a.y - turn_a * o->normal_a.x };
	struct d2_vec_d along_b = { o->normal_b.x + turn_b * o->normal_b.y, o->normal_b.y - turn_b * o->normal_b.x };
	double far_a = core_extent(&o->course->a, along_a, bend * o->turn_a * o->turn_a);
	double far_b = core_extent(&o->course->b, along_b, bend * o->turn_b * o->turn_b);
	return o->base + h * o->speed - bend * o->bend - far_a - far_b;
}

static struct outlook make_outlook(const struct course *course, const struct moment *now, double rate)
{
	const struct motion *a = &course->motion_a, *b = &course->motion_b;
	struct outlook outlook = { course, .turn_a = a->angle - rate, .turn_b = b->angle - rate };
	struct d2_vec_d n = now->normal, v = d2_sub_d(b->v, a->v);
	outlook.normal_a = d2_inv_turn_d(now->qa, n);
	outlook.normal_b = d2_neg_d(d2_inv_turn_d(now->qb, n));
	outlook.speed = d2_dot_d(n, v);
	if (rate != 0) {
		struct d2_vec_d p = d2_add_d(now->between, d2_turn_d(now->qb, course->b.center));
		p = d2_sub_d(p, d2_turn_d(now->qa, course->a.center));
		double farthest = max_d(d2_length_d(p), d2_length_d(d2_mul_add_d(p, 1 - now->t, v)));
		outlook.speed -= rate * d2_cross_d(p, n); /* n.Jp = p x n */
		outlook.bend = rate * rate * farthest + 2 * abs_d(rate) * d2_length_d(v);
	}
	/* The bound at h = 0 is the distance, but for rounding. */
	outlook.base = now->gap.distance + core_extent(&course->a, outlook.normal_a, 0) + core_extent(&course->b, outlook.normal_b, 0);
	return outlook;
}

static void course_result(const struct course *course, enum d2_advance_state state, double t, const struct moment *last,
	int iterations, struct d2_advance_result *out)
{
	struct d2_vec_d middle = d2_scale_d(0.5, d2_add_d(last->gap.point_a, last->gap.point_b));
	struct d2_vec_d p = d2_mul_add_d(course->motion_a.p, t, course->motion_a.v);
	p = d2_add_d(p, d2_turn_d(motion_rot(&course->motion_a, t), middle));
	*out = (struct d2_advance_result){ state, t, last->normal, p.x, p.y, iterations };
}

/* Where the parabola through three points of a concave function, the first two of them above 0, comes down to 0 beyond the second. */
static double parabola_root(const double x[3], const double y[3])
{
	double first = (y[1] - y[0]) / (x[1] - x[0]), c = ((y[2] - y[1]) / (x[2] - x[1]) - first) / (x[2] - x[0]);
	double slope = first + c * (x[1] - x[0]), root = sqrt(max_d(slope * slope - 4 * c * y[1], 0));
	return x[1] + (slope <= 0 ? 2 * y[1] / (root - slope) : (slope + root) / (-2 * c));
}

/* The greatest h in [from, end] found where the bound is still at or above the target; `from` itself when it is not so there. The
** bound is concave: a chord runs below it, so that where the chord comes down to the target the way is free; and it is made of
** pieces of parabolas. It goes for a little more than the target, half of slack, so that rounding does not take it below, and is
** content with all of it. distance: the bound at 0. */
static double outlook_reach(const struct outlook *outlook, double distance, double from, double end, double target, double slack)
{
	enum { ROUNDS = 8 };
	double aim = target + 0.5 * slack, x[3] = { from, from, end };
	double y[3] = { (from > 0 ? outlook_bound(outlook, from) : distance) - aim };
	if (y[0] <= 0.5 * slack)
		return from;
	y[2] = outlook_bound(outlook, end) - aim;
	if (y[2] >= -0.5 * slack)
		return end;
	for (int i = 0; i < ROUNDS && y[0] > 0.5 * slack; i++) {
		x[1] = x[0] + (x[2] - x[0]) * (y[0] / (y[0] - y[2]));
		y[1] = outlook_bound(outlook, x[1]) - aim;
		if (!(x[1] > x[0] && x[1] < x[2] && y[1] >= -0.5 * slack))
			break;
		double root = parabola_root(x, y), value = -1;
		bool inside = root > x[1] && root < x[2];
		if (inside)
			value = outlook_bound(outlook, root) - aim;
		int end_of_root = value >= -0.5 * slack ? 0 : 2;
		x[0] = x[1];
		y[0] = y[1];
		if (inside) {
			x[end_of_root] = root;
			y[end_of_root] = value;
		}
	}
	return x[0];
}

/* How far the way is free from now on: the longest step that is certified. What is over after a few steps needs only the frame of the
** world. */
static double free_step(const struct course *course, const struct moment *now, double max_t, double tolerance, bool all)
{
	double turn_a = course->motion_a.angle, turn_b = course->motion_b.angle, end = max_t - now->t, step = 0;
	double rates[3] = { 0, turn_a, turn_b };
	bool seen[3] = { true, all && turn_a != 0, all && turn_b != turn_a && turn_b != 0 };
	/* A half-plane ends only along its normal, which must stand still. Two that turn differently meet at once, far out. */
	if (course->a.proxy->type == D2_PROXY_HALF_PLANE) {
		rates[0] = turn_a;
		seen[1] = seen[2] = false;
	}
	if (course->b.proxy->type == D2_PROXY_HALF_PLANE && turn_a != turn_b)
		return 0;
	for (int i = 0; i < 3 && step < end; i++) {
		if (!seen[i])
			continue;
		struct outlook outlook = make_outlook(course, now, rates[i]);
		step = outlook_reach(&outlook, now->gap.distance, step, end, 0.5 * tolerance, 0.25 * tolerance);
	}
	return step;
}

static void advance(struct course *course, double max_t, struct d2_advance_result *out)
{
	enum { FEW = 3 };
	double t = 0, tolerance = course->tolerance;
	struct moment now;
	course->step_count = 0;
	int i = 0;
	for (; i < D2_ADVANCE_ITERATIONS; i++) {
		find_moment(course, t, &now);
		if (course->steps)
			course->steps[course->step_count++] = (struct d2_advance_step){ t, now.gap.distance, now.normal };
		if (i == 0 && now.gap.distance <= 0) {
			course_result(course, D2_ADVANCE_OVERLAPPING, 0, &now, 1, out);
			return;
		}
		if (i == 0) {
			/* What starts within the tolerance may slide along or leave: it is hit when half of the gap is gone. */
			tolerance = min_d(tolerance, 0.5 * now.gap.distance);
			set_turning(&course->a, &course->motion_a);
			set_turning(&course->b, &course->motion_b);
		}
		double step = now.gap.distance > tolerance ? free_step(course, &now, max_t, tolerance, i >= FEW) : 0;
		/* t cannot tell any more where the step ends: the gap is as near to the tolerance as it gets. */
		if (t + step == t && t < max_t) {
			course_result(course, D2_ADVANCE_HIT, t, &now, i + 1, out);
			return;
		}
		if (!(step < max_t - t)) {
			course_result(course, D2_ADVANCE_SEPARATED, max_t, &now, i + 1, out);
			return;
		}
		t += step;
	}
	course_result(course, D2_ADVANCE_FAILED, t, &now, i, out);
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
		course.a.proxy = &proxy_a;
		course.b.proxy = &proxy_b;
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
