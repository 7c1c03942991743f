/* time_of_impact.c - see time_of_impact.h. Conservative advancement with steps of second order.
 * At t the closest points of two sets that are d apart give the normal n, from A to B. Let n be fixed in a frame that rotates
 * at a rate W [rad per unit of t]. The separation of the sets along n is a lower bound of their distance at every later time t
 * + h. It is the minimum of
 *   f(h) = n.(r_b - r_a) - radius_a - radius_b
 * over all points of the two cores. r_a and r_b are relative to A's rotation centre; a and b are the same points, each relative
 * to its own body's rotation centre. With p and v the vector and the velocity between the rotation centres, wA and wB the
 * bodies' rates of rotation, and J the rotation by 90 degrees,
 *   f'(0) = n.v - W n.Jp + (wB - W) n.Jb - (wA - W) n.Ja            [length per unit of t]
 *   f'' >= -(W^2 |p| + 2 |W| |v| + (wB - W)^2 |b| + (wA - W)^2 |a|)   (centripetal, and Coriolis')
 * so by Taylor's theorem f(h) >= f(0) + f'(0) h - K h^2/2 with K the sum in brackets, |p| taken at its greatest until the end.
 * That is concave in h for each a and b, and so is its minimum over all of them. If it is above the target at 0 and at h, it is
 * so in between, and nothing can touch up to h. The step is the greatest such h, with W the rate of the body that owns n (0:
 * neither) or, after a few iterations, the best of 0, wA and wB. 0 is exact for bodies that do not rotate, wA and wB for those
 * that orbit A or B at a constant distance, or move with A or B. Some steps follow n with its owner, instead of searching for
 * closest points again. Near a contact the error of a step is of second order, so it converges as Newton's method does. Where
 * the two pass each other at a small distance, steps of first order, d over the closing speed, shrink with the distance and may
 * need millions; steps of second order shrink with its square root and grow again right after.
 * A miss is decided by the whole bound: the straight motion alone may recede while the rotation brings the two together.
 * Sources: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996 (the first order); Catto, "Continuous
 * collision", GDC 2013 (the separation along an axis instead of the distance).
 * Pure, any thread. */
#include "d2/query/time_of_impact_parts.h"

void d2_impact_set_motion(
	struct d2_motion *motion, const struct d2_pose *origin, const struct d2_pose *from, const struct d2_pose *to)
{
	struct d2_rot_d q = d2_exact_rot(from->q);
	*motion =
		(struct d2_motion){{0, 0}, {from->x - origin->x, from->y - origin->y}, {to->x - from->x, to->y - from->y}, q, q, 0};
	if (from->q.c == to->q.c && from->q.s == to->q.s)
		return;
	motion->end = d2_exact_rot(to->q);
	struct d2_rot_d turn = d2_inv_mul_rot_d(q, motion->end);
	motion->angle = scalar_atan2_d(turn.s, turn.c);
}

static struct d2_rot_d turned_by(struct d2_rot_d q, double angle)
{
	struct cos_sin_d turn = scalar_cos_sin_d(angle);
	return d2_mul_rot_d(q, (struct d2_rot_d){turn.cosine, turn.sine});
}

static struct d2_motion sweep_motion(const struct d2_sweep *origin, const struct d2_sweep *sweep)
{
	struct d2_rot_d q = d2_exact_rot(sweep->q0);
	double angle = (double)sweep->angle;
	return (struct d2_motion){d2_widen(sweep->local_center), {sweep->x0 - origin->x0, sweep->y0 - origin->y0},
		{sweep->x1 - sweep->x0, sweep->y1 - sweep->y0}, q, angle != 0 ? turned_by(q, angle) : q, angle};
}

void d2_make_motions(const struct d2_sweep *sweep_a, const struct d2_sweep *sweep_b, struct d2_motions *out)
{
	*out = (struct d2_motions){sweep_motion(sweep_a, sweep_a), sweep_motion(sweep_a, sweep_b)};
}

struct d2_rot_d d2_impact_motion_rot(const struct d2_motion *motion, double t)
{
	if (motion->angle == 0 || t == 0 || t == 1)
		return t == 1 ? motion->end : motion->q;
	return turned_by(motion->q, motion->angle * t);
}

void d2_impact_set_turning(struct turning *turning, const struct d2_motion *motion)
{
	const struct d2_proxy *proxy = turning->proxy;
	bool ellipse = proxy->type == D2_PROXY_ELLIPSE;
	turning->center = motion->center;
	turning->reach = 0;
	turning->count = 1;
	if (proxy->type == D2_PROXY_HALF_PLANE) {
		/* Its normal is rounded to floats and not quite a unit vector. */
		struct d2_vec_d n = d2_widen(proxy->axes);
		turning->arms[0] = d2_sub_d(d2_scale_d(proxy->offset / d2_dot_d(n, n), n), turning->center);
		return;
	}
	if (motion->angle == 0) {
		struct d2_vec_d lower, upper;
		d2_proxy_bounds(proxy, &lower, &upper);
		turning->center = d2_scale_d(0.5, d2_add_d(lower, upper));
	}
	double square = 0;
	turning->count = ellipse ? 0 : proxy->count;
	for (uint32_t i = 0; i < proxy->count; ++i) {
		struct d2_vec_d arm = d2_sub_d(d2_widen(proxy->points[i]), turning->center);
		turning->arms[i] = arm;
		square = max_d(square, d2_dot_d(arm, arm));
	}
	turning->reach = sqrt(square) + (ellipse ? d2_proxy_size(proxy) : 0);
}

/* The core's support point along d, in the proxy's frame, from its rotation centre. For a half-plane d is along its normal. */
static inline struct d2_vec_d farthest_arm(const struct turning *turning, struct d2_vec_d d)
{
	uint32_t best = 0;
	if (turning->count == 0)
		return d2_sub_d(d2_core_support(turning->proxy, d), turning->center);
	double far = d2_dot_d(turning->arms[0], d);
	for (uint32_t i = 1; i < turning->count; ++i) {
		double along = d2_dot_d(turning->arms[i], d);
		best = along > far ? i : best;
		far = max_d(along, far);
	}
	return turning->arms[best];
}

/* The feature that gives the separating direction: an edge of A or B, or the vector between two corners. FREE: none of
 * these. */
enum owner { OWNER_A, OWNER_B, OWNER_CORNERS, OWNER_FREE };

/* Both bodies at t, and a direction along which they are separated. */
struct moment {
	double t;
	enum owner owner;
	struct d2_vec_d edge; /* the normal of the owner's edge, in its frame */
	struct d2_vec_d corner_a, corner_b; /* in their frames */
	struct d2_rot_d qa, qb;
	struct d2_vec_d between; /* vector from A's origin to B's */
	struct d2_vec_d normal; /* from A to B, in the world */
	double distance; /* of the rounded sets along the normal; after find_closest their signed distance */
	struct d2_vec_d normal_a, normal_b; /* the normal and its opposite, in the frames of A and B */
	struct d2_vec_d arm_a, arm_b; /* the cores' support points along these, from the centres */
	struct d2_core_separation core; /* for polygons: the closest features that find_closest found last */
};

/* The vector from A's origin to B's, given `delta`, that between their rotation centres, and the rotations. */
static inline struct d2_vec_d between_origins(
	const struct course *course, struct d2_vec_d delta, struct d2_rot_d qa, struct d2_rot_d qb)
{
	return d2_add_d(delta, d2_sub_d(d2_turn_d(qa, course->motion_a.center), d2_turn_d(qb, course->motion_b.center)));
}

static void set_moment(const struct course *course, double t, struct moment *out)
{
	const struct d2_motion *a = &course->motion_a, *b = &course->motion_b;
	out->t = t;
	out->qa = d2_impact_motion_rot(a, t);
	out->qb = d2_impact_motion_rot(b, t);
	out->between = between_origins(course, d2_mul_add_d(d2_sub_d(b->p, a->p), t, d2_sub_d(b->v, a->v)), out->qa, out->qb);
}

/* Sets the separating direction and the support points along it. normal_a: the normal in A's frame. */
static inline void set_normal(const struct course *course, struct d2_vec_d normal_a, struct d2_vec_d normal, struct moment *out)
{
	out->normal = normal;
	out->normal_a = normal_a;
	out->normal_b = d2_neg_d(d2_inv_turn_d(out->qb, normal));
	out->arm_a = farthest_arm(&course->a, out->normal_a);
	out->arm_b = farthest_arm(&course->b, out->normal_b);
}

/* Finds the closest points, and sets the direction to theirs. *middle: midway between them, in A's frame. again: tries the
 * previous closest features first. */
static void find_closest(const struct course *course, bool again, struct moment *now, struct d2_vec_d *middle)
{
	const struct d2_proxy *a = course->a.proxy, *b = course->b.proxy;
	struct d2_transform_d b_in_a = {d2_inv_turn_d(now->qa, now->between), d2_inv_mul_rot_d(now->qa, now->qb)};
	if (a->type != D2_PROXY_POINTS || b->type != D2_PROXY_POINTS) {
		struct d2_separation separation;
		d2_separation_find(a, b, &b_in_a, &separation);
		*middle = d2_scale_d(0.5, d2_add_d(separation.point_a, separation.point_b));
		now->distance = separation.distance;
		now->owner = a->type == D2_PROXY_HALF_PLANE ? OWNER_A : OWNER_FREE;
		now->edge = separation.normal;
		set_normal(course, separation.normal, d2_turn_d(now->qa, separation.normal), now);
		return;
	}
	struct d2_core_separation *core = &now->core;
	/* For points and segments a full search is as fast. */
	if (!again || a->count < 3 || b->count < 2 || !d2_core_separation_again(a, b, &b_in_a, core))
		d2_core_separation_find(a, b, &b_in_a, core);
	now->corner_a = d2_core_point(a, core->a, core->part);
	now->distance = core->distance - ((double)a->radius + b->radius);
	*middle = d2_mul_add_d(now->corner_a, a->radius + 0.5 * now->distance, core->normal);
	set_normal(course, core->normal, d2_turn_d(now->qa, core->normal), now);
	static const enum owner owners[2][2] = {{OWNER_CORNERS, OWNER_B}, {OWNER_A, OWNER_A}};
	bool of_a = core->a[0] != core->a[1]; /* either is as likely: tables, not branches */
	const double x[2] = {-now->normal_b.x, now->normal_a.x}, y[2] = {-now->normal_b.y, now->normal_a.y};
	now->owner = owners[of_a][core->b[0] != core->b[1]];
	now->edge = (struct d2_vec_d){x[of_a], y[of_a]};
	now->corner_b = d2_widen(b->points[core->b[0]]);
}

/* Sets *now to the time t, its direction rotated with the owner. The direction may no longer be that of the closest points. */
static void follow_direction(const struct course *course, double t, struct moment *now)
{
	set_moment(course, t, now);
	bool of_a = now->owner == OWNER_A, of_b = now->owner == OWNER_B; /* either is as likely: tables, not branches */
	const double c[2] = {now->qa.c, now->qb.c}, sine[2] = {now->qa.s, now->qb.s};
	struct d2_vec_d normal = d2_turn_d((struct d2_rot_d){c[of_b], sine[of_b]}, now->edge);
	if (!(of_a | of_b))
		normal = now->normal;
	if (now->owner == OWNER_CORNERS) {
		struct d2_vec_d delta =
			d2_sub_d(d2_add_d(now->between, d2_turn_d(now->qb, now->corner_b)), d2_turn_d(now->qa, now->corner_a));
		double length = d2_length_d(delta);
		normal = length > 0 ? d2_scale_d(1 / length, delta) : normal;
	}
	struct d2_vec_d back = d2_inv_turn_d(now->qa, normal);
	const double x[2] = {back.x, now->edge.x}, y[2] = {back.y, now->edge.y};
	set_normal(course, (struct d2_vec_d){x[of_a], y[of_a]}, normal, now);
	struct d2_vec_d far_a = d2_add_d(course->a.center, now->arm_a), far_b = d2_add_d(course->b.center, now->arm_b);
	now->distance = d2_dot_d(now->normal, now->between) - d2_dot_d(now->normal_a, far_a) - d2_dot_d(now->normal_b, far_b);
	now->distance -= (double)course->a.proxy->radius + course->b.proxy->radius;
}

/* A lower bound of the separation at t + h, less the target, in a frame that rotates at the rate W: the minimum over all points
 * a, b of the cores of
 *   c + g h - K h^2/2
 * with c and g of each a and b, and one K for all; see the head. */
struct bound {
	const struct course *course;
	const struct moment *now;
	double turn_a, turn_b; /* wA - W, wB - W */
	double speed, bend; /* f'(0) without the points' terms, and K */
	double base; /* c of the support points along the normal, the least */
};

static void make_bound(const struct course *course, const struct moment *now, double rate, double target, struct bound *out)
{
	const struct d2_motion *a = &course->motion_a, *b = &course->motion_b;
	struct d2_vec_d n = now->normal, v = d2_sub_d(b->v, a->v);
	out->course = course;
	out->now = now;
	out->turn_a = a->angle - rate;
	out->turn_b = b->angle - rate;
	out->base = now->distance - target;
	out->speed = d2_dot_d(n, v);
	out->bend = out->turn_a * out->turn_a * course->a.reach + out->turn_b * out->turn_b * course->b.reach;
	if (rate != 0) {
		struct d2_vec_d p = d2_add_d(now->between, d2_turn_d(now->qb, course->b.center));
		p = d2_sub_d(p, d2_turn_d(now->qa, course->a.center));
		double farthest = max_d(d2_length_d(p), d2_length_d(d2_mul_add_d(p, 1 - now->t, v)));
		out->speed -= rate * d2_cross_d(p, n); /* n.Jp = p x n */
		out->bend += rate * rate * farthest + 2 * abs_d(rate) * d2_length_d(v);
	}
}

/* The h at which c + g h - K h^2/2 falls to 0; c > 0, K >= 0. */
static double parabola_root(double c, double g, double bend)
{
	double root = sqrt(g * g + 2 * bend * c);
	return g < 0 ? 2 * c / (root - g) : bend > 0 ? (g + root) / bend : INFINITY;
}

/* Returns an h <= end, close to the greatest, at which the bound is at least 0: it aims at a bound of slack / 2. The parabola
 * of any a and b is nowhere below the bound, so its root is no earlier than the bound's. Each round takes the parabola that is
 * least at the previous root, so the roots approach the bound's. The bound is concave, so a chord runs below it: the chord's
 * root ends a search that takes too long. */
static double bound_reach(const struct bound *o, double end, double slack)
{
	enum { ROUNDS = 6 };
	const struct moment *now = o->now;
	struct d2_vec_d na = now->normal_a, nb = now->normal_b, arm_a = now->arm_a, arm_b = now->arm_b;
	double c = o->base - 0.5 * slack, h = end, value = 0;
	if (!(c > 0))
		return 0;
	for (int i = 0; i < ROUNDS; ++i) {
		/* The points' c, and g with n.Ja = -(Jn).a. No c is below the first but for rounding. */
		struct d2_vec_d off_a = d2_sub_d(now->arm_a, arm_a), off_b = d2_sub_d(now->arm_b, arm_b);
		double own = c + max_d(d2_dot_d(na, off_a) + d2_dot_d(nb, off_b), 0);
		double g = o->speed - o->turn_a * d2_cross_d(arm_a, na) - o->turn_b * d2_cross_d(arm_b, nb);
		h = min_d(h, parabola_root(own, g, o->bend));
		/* The bound at h. */
		double turn_a = h * o->turn_a, turn_b = h * o->turn_b;
		struct d2_vec_d along_a = {na.x + turn_a * na.y, na.y - turn_a * na.x};
		struct d2_vec_d along_b = {nb.x + turn_b * nb.y, nb.y - turn_b * nb.x};
		arm_a = farthest_arm(&o->course->a, along_a);
		arm_b = farthest_arm(&o->course->b, along_b);
		double away =
			d2_dot_d(along_a, arm_a) - d2_dot_d(na, now->arm_a) + (d2_dot_d(along_b, arm_b) - d2_dot_d(nb, now->arm_b));
		value = c + h * o->speed - 0.5 * o->bend * h * h - away;
		if (value >= -0.5 * slack)
			return h;
	}
	return h * (c / (c - value));
}

static double reach_at_rate(const struct course *course, const struct moment *now, double end, double tolerance, double rate)
{
	struct bound bound;
	make_bound(course, now, rate, course->target + 0.5 * tolerance, &bound);
	return bound_reach(&bound, end, 0.25 * tolerance);
}

/* The longest step certified to stay above the target, by a frame at the rate of the direction's owner; all: by the best of the
 * three. */
static double free_step(const struct course *course, const struct moment *now, double end, double tolerance, bool all)
{
	double turn_a = course->motion_a.angle, turn_b = course->motion_b.angle;
	const double owners[] = {[OWNER_A] = turn_a, [OWNER_B] = turn_b, [OWNER_CORNERS] = 0, [OWNER_FREE] = 0};
	double own = owners[now->owner];
	/* A half-plane is bounded only along its own normal, so the frame must rotate with it. Two that rotate differently touch at
	 * once, far out. */
	if (course->b.proxy->type == D2_PROXY_HALF_PLANE && turn_a != turn_b)
		return 0;
	double step = reach_at_rate(course, now, end, tolerance, own), rates[3] = {0, turn_a, turn_b};
	if (!all || course->a.proxy->type == D2_PROXY_HALF_PLANE)
		return step;
	for (int i = 0; i < 3 && step < end; ++i)
		if (rates[i] != own)
			step = max_d(step, reach_at_rate(course, now, end, tolerance, rates[i]));
	return step;
}

/* Takes up to 8 steps without a search for closest points, while the direction separates by more than target + tolerance.
 * Returns the new t. */
static double step_on(const struct course *course, struct moment *now, double t, double max_t, double tolerance)
{
	enum { STEPS = 8 };
	for (int i = 0; i < STEPS && t < max_t; ++i) {
		follow_direction(course, t, now);
		if (!(now->distance > course->target + tolerance))
			break;
		double next = t + free_step(course, now, max_t - t, tolerance, false);
		if (next == t)
			break;
		t = next;
	}
	return t;
}

/* Fills *out. q: A's rotation at t; middle: in A's frame. */
static void course_result(const struct course *course, enum axes_impact state, double t, struct d2_rot_d q,
	struct d2_vec_d normal, struct d2_vec_d middle, int iterations, struct d2_impact_result *out)
{
	struct d2_vec_d p = d2_mul_add_d(course->motion_a.p, t, course->motion_a.v);
	p = d2_add_d(p, d2_turn_d(q, d2_sub_d(middle, course->motion_a.center)));
	*out = (struct d2_impact_result){state, t, normal, p.x, p.y, iterations};
}

/* Tests bounding circles about the centres in struct turning, which move straight. True: they stay apart, by more than target +
 * tolerance, until max_t, and *out is that miss. Else *start is a time until which they do; 0: none is known. */
static bool circles_miss(struct course *course, double max_t, double *start, struct d2_impact_result *out)
{
	const struct turning *a = &course->a, *b = &course->b;
	*start = 0;
	if (course->steps || a->proxy->type == D2_PROXY_HALF_PLANE || b->proxy->type == D2_PROXY_HALF_PLANE)
		return false; /* a trace needs the shapes' own distances */
	struct d2_vec_d p = d2_sub_d(course->motion_b.p, course->motion_a.p), v = d2_sub_d(course->motion_b.v, course->motion_a.v);
	p = between_origins(course, p, course->motion_a.q, course->motion_b.q);
	p = d2_add_d(p, d2_sub_d(d2_turn_d(course->motion_b.q, b->center), d2_turn_d(course->motion_a.q, a->center)));
	double reach_a = a->reach + a->proxy->radius;
	double reach = (reach_a + b->reach + b->proxy->radius) * (1 + 1e-12) + course->target + course->tolerance;
	double square = d2_dot_d(v, v), along = -d2_dot_d(p, v);
	double part = along <= 0 ? 0 : along < square ? along / square : 1;
	struct d2_vec_d nearest = d2_mul_add_d(p, part, v);
	if (!(d2_dot_d(nearest, nearest) > reach * reach)) {
		/* Circles whose centres are `far` apart leave the sets more than two tolerances beyond the target. */
		double far = reach + 2 * course->tolerance, c = d2_dot_d(p, p) - far * far, cross = d2_cross_d(p, v);
		/* The start is used only if the tolerance is above rounding error. */
		if (c > 0 && along > 0 && course->tolerance > 1e-12 * (d2_length_d(p) + sqrt(square)))
			*start = c / (along + sqrt(max_d(far * far * square - cross * cross, 0))) * (1 - 1e-9);
		return false;
	}
	double length = d2_length_d(p), distance = length - reach;
	struct d2_vec_d normal = d2_scale_d(1 / length, p), normal_a = d2_inv_turn_d(course->motion_a.q, normal);
	course->step_count = 0;
	course_result(course, AXES_IMPACT_SEPARATED, max_t, d2_impact_motion_rot(&course->motion_a, max_t), normal,
		d2_mul_add_d(a->center, reach_a + 0.5 * distance, normal_a), 1, out);
	return true;
}

void d2_impact_advance(struct course *course, double max_t, struct d2_impact_result *out)
{
	enum { FEW = 3 };
	double t;
	if (circles_miss(course, max_t, &t, out))
		return;
	double tolerance = course->tolerance;
	struct moment now;
	struct d2_vec_d middle = {0, 0};
	bool seen = false;
	course->step_count = 0;
	int i = 0;
	for (; i < D2_IMPACT_ITERATIONS; ++i) {
		if (!seen)
			set_moment(course, t, &now);
		find_closest(course, i > 0, &now, &middle);
		struct d2_vec_d normal = now.normal;
		if (course->steps)
			course->steps[course->step_count++] = (struct d2_impact_step){t, now.distance, normal};
		if (i == 0 && now.distance <= course->target) {
			course_result(course, AXES_IMPACT_OVERLAPPING, 0, now.qa, normal, middle, 1, out);
			return;
		}
		/* A pair that starts within two tolerances of the target may slide or separate: it is hit only once it is closer. */
		if (i == 0 && course->target > 0)
			course->target = min_d(course->target, now.distance - 2 * tolerance);
		else if (i == 0)
			tolerance = min_d(tolerance, 0.5 * now.distance);
		double step = now.distance > course->target + tolerance ? free_step(course, &now, max_t - t, tolerance, i >= FEW) : 0;
		/* The step is 0, or t can no longer resolve it: the distance is within the tolerance, or as near to it as it gets. */
		if (t + step == t && t < max_t) {
			course_result(course, AXES_IMPACT_HIT, t, now.qa, normal, middle, i + 1, out);
			return;
		}
		bool over = !(step < max_t - t);
		if (!over) {
			t = step_on(course, &now, t + step, max_t, tolerance);
			over = !(t < max_t);
			seen = now.t == t;
		}
		if (over) {
			course_result(course, AXES_IMPACT_SEPARATED, max_t, d2_impact_motion_rot(&course->motion_a, max_t), normal, middle,
				i + 1, out);
			return;
		}
	}
	/* Only pairs that start as close as rounding error, and stay so, get here: a distance within tolerance is a hit. */
	set_moment(course, t, &now);
	find_closest(course, true, &now, &middle);
	course_result(course, now.distance <= course->target + course->tolerance ? AXES_IMPACT_HIT : AXES_IMPACT_FAILED, t, now.qa,
		now.normal, middle, i, out);
}

void d2_time_of_impact(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_motions *motions, double target,
	double tolerance, double max_t, struct d2_impact_result *out)
{
	struct course course;
	course.a.proxy = a;
	course.b.proxy = b;
	course.motion_a = motions->a;
	course.motion_b = motions->b;
	course.target = target;
	course.tolerance = tolerance;
	course.steps = NULL;
	d2_impact_set_turning(&course.a, &motions->a);
	d2_impact_set_turning(&course.b, &motions->b);
	d2_impact_advance(&course, max_t, out);
}
