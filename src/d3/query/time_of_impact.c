/* time_of_impact.c - see time_of_impact.h. Conservative advancement along the direction of the closest points.
 * With n that direction at some time, from A to B, the separation of the two sets along n is
 *   f(t) = least of n.b(t) over B - greatest of n.a(t) over A.
 * f is never more than the sets' distance: there is no contact while f > 0. n may be fixed, or turn with A or with B. Each pair
 * of points gives a smooth g(t) = n.(b - a) with |g''| <= K. f is the least of all g, so f - K t^2/2 is concave and lies above
 * its chords. Between two times that are h apart, with f1 and f2 at them, u after the first:
 *   f(u) >= f1 + (f2 - f1) u/h - K u (h - u)/2                                                                  [length]
 * Where this bound is positive there is no contact, and no query is needed. Steps are thus about sqrt(f/K) long where the sets
 * pass each other closely, and not f/(speed of the fastest point), which takes ever more steps. Towards a hit, steps are those
 * of Newton's method, with the second derivative of the least g.
 * The bound K, with w the rotation rates [rad/step], r distances from the rotation centres, p from A's centre to B's, and v the
 * rate of p:
 *   n is fixed:       K = sum of |n x w| |w| r over A and B, r from the axis, since n.(w x (w x r)) = (n x w).(w x r)
 *   n turns with w0:  K = sum of (|w - w0|^2 + |(w - w0) x w0|) r + |w0|^2 |p| + 2 |w0| |v|:
 *                     the centrifugal and Coriolis terms of the rotating frame
 * and, between edges, n = eA x eB, see head_across in time_of_impact_heading.c. n follows the closest features, and so remains
 * the direction of the closest points while these features do: it turns with the shape whose face or edge is near a corner of
 * the other, or stays perpendicular to both edges. Between corners, and for smooth surfaces, n is fixed or turns with the shape
 * that gives the least K. Where steps are slow, an n that goes on turning as before is tried, too, and then all choices. Of
 * 1,000,000 random pairs of all kinds 99 % take up to 8 distance queries, grazing ones up to 15. K counts the cores alone: a
 * rounded surface stays at the same distance from its core along n.
 * All is computed in A's frame, which rotates at a constant rate about an axis fixed in it.
 * Sources: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, for the advancement; Catto, "Continuous
 * Collision", GDC 2013, for the separation along a persistent axis. */
#include "d3/query/distance_parts.h"
#include "d3/query/time_of_impact_parts.h"

/* --- Motion --------------------------------------------------------------------------------------------------------------- */

static struct d3_quat_d conjugate(struct d3_quat_d q)
{
	return (struct d3_quat_d){-q.x, -q.y, -q.z, q.w};
}

/* Sets the rotation from one orientation to the other, with its axis in `frame`. Leaves *out as it is if there is none. */
static void make_turn(struct d3_quat from, struct d3_quat to, const struct d3_rot_d *frame, struct d3_turning *out)
{
	if (from.x == to.x && from.y == to.y && from.z == to.z && from.w == to.w)
		return;
	struct d3_quat_d turn = d3_mul_quat_d(d3_exact_quat(to), conjugate(d3_exact_quat(from)));
	if (turn.w < 0)
		turn = (struct d3_quat_d){-turn.x, -turn.y, -turn.z, -turn.w};
	struct d3_vec_d delta = {turn.x, turn.y, turn.z};
	double sine = d3_length_d(delta);
	/* Smaller values are rounding errors of the product. */
	if (!(sine > 1e-15))
		return;
	out->angle = 2 * scalar_atan2_d(sine, turn.w);
	out->axis = d3_inv_turn_d(frame, d3_scale_d(1 / sine, delta));
	out->w = d3_scale_d(out->angle, out->axis);
}

/* Sets p, v, own, far and first; all other members are set. between: from A's rotation centre to B's at the start; path_a,
 * path_b: their displacements; all in the world. */
static void set_paths(struct d3_vec_d between, struct d3_vec_d path_a, struct d3_vec_d path_b, struct d3_motion *out)
{
	out->p = d3_inv_turn_d(&out->frame, between);
	out->v = d3_inv_turn_d(&out->frame, d3_sub_d(path_b, path_a));
	out->own = d3_inv_turn_d(&out->frame, path_a);
	struct d3_vec_d last = d3_add_d(out->p, out->v);
	out->far = sqrt(max_d(d3_dot_d(out->p, out->p), d3_dot_d(last, last)));
	out->first.q = d3_quat_rot_d(out->start);
	out->first.p = d3_add_d(out->p, d3_sub_d(out->center_a, d3_turn_d(&out->first.q, out->center_b)));
}

void d3_impact_make_motion(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a,
	const struct d3_shape *b, const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_motion *out)
{
	struct d3_vec_d first = {from_b->x - from_a->x, from_b->y - from_a->y, from_b->z - from_a->z};
	struct d3_vec_d path_a = {to_a->x - from_a->x, to_a->y - from_a->y, to_a->z - from_a->z};
	struct d3_vec_d path_b = {to_b->x - from_b->x, to_b->y - from_b->y, to_b->z - from_b->z};
	*out = (struct d3_motion){.frame = d3_exact_rot(from_a->q)};
	if (!d3_shape_centered(a))
		make_turn(from_a->q, to_a->q, &out->frame, &out->a);
	if (!d3_shape_centered(b))
		make_turn(from_b->q, to_b->q, &out->frame, &out->b);
	out->start = d3_mul_quat_d(conjugate(d3_exact_quat(from_a->q)), d3_exact_quat(from_b->q));
	set_paths(first, path_a, path_b, out);
}

static void turn_of(const struct d3_sweep *sweep, const struct d3_rot_d *frame, struct d3_turning *out)
{
	out->w = d3_inv_turn_d(frame, d3_widen(sweep->turn));
	out->angle = d3_length_d(out->w);
	if (out->angle > 0)
		out->axis = d3_scale_d(1 / out->angle, out->w);
}

void d3_make_motion(const struct d3_sweep *sweep_a, const struct d3_sweep *sweep_b, struct d3_motion *out)
{
	*out = (struct d3_motion){.frame = d3_exact_rot(sweep_a->q0)};
	out->center_a = d3_widen(sweep_a->local_center);
	out->center_b = d3_widen(sweep_b->local_center);
	turn_of(sweep_a, &out->frame, &out->a);
	turn_of(sweep_b, &out->frame, &out->b);
	out->start = d3_mul_quat_d(conjugate(d3_exact_quat(sweep_a->q0)), d3_exact_quat(sweep_b->q0));
	set_paths(d3_sub_d(sweep_b->from, sweep_a->from), d3_sub_d(sweep_a->to, sweep_a->from),
		d3_sub_d(sweep_b->to, sweep_b->from), out);
}

/* The rotation at t. Its quaternion needs the cosine and sine of half the angle. They follow from c and s, the cosine and sine
 * of a quarter of the angle, which is at most pi/4:
 *   cos = (c^2 - s^2) / (c^2 + s^2),  sin = 2 c s / (c^2 + s^2)
 * where c^2 + s^2 = 1 + e, and e^2 is negligible. */
static inline struct d3_quat_d turned_by(const struct d3_turning *turn, double t)
{
	double quarter = 0.25 * t * turn->angle;
	struct cos_sin_d part = quarter <= 0.25 * SCALAR_PI ? scalar_near_cos_sin_d(quarter) : scalar_cos_sin_d(quarter);
	double cc = part.cosine * part.cosine, ss = part.sine * part.sine, scale = 2 - (cc + ss);
	double sine = 2 * part.cosine * part.sine * scale;
	return (struct d3_quat_d){sine * turn->axis.x, sine * turn->axis.y, sine * turn->axis.z, (cc - ss) * scale};
}

void d3_impact_set_moment(const struct d3_motion *motion, double t, struct moment *out)
{
	static const struct d3_rot_d none = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	out->t = t;
	out->delta = d3_mul_add_d(motion->p, t, motion->v);
	out->v = motion->v;
	out->w = motion->b.w;
	out->home = none;
	struct d3_quat_d q = motion->start;
	if (motion->b.angle > 0)
		q = d3_mul_quat_d(turned_by(&motion->b, t), q);
	if (motion->a.angle > 0) {
		struct d3_quat_d home = turned_by(&motion->a, t);
		q = d3_mul_quat_d(conjugate(home), q);
		out->home = d3_quat_rot_d(home);
		out->delta = d3_inv_turn_d(&out->home, out->delta);
		out->v = d3_inv_turn_d(&out->home, out->v);
		out->w = d3_inv_turn_d(&out->home, out->w);
	}
	out->b_in_a.q = d3_quat_rot_d(q);
	out->b_in_a.p = d3_add_d(out->delta, d3_sub_d(motion->center_a, d3_turn_d(&out->b_in_a.q, motion->center_b)));
}

/* --- One pair ------------------------------------------------------------------------------------------------------------- */

static bool revolution_axis(const struct d3_proxy *proxy, struct d3_vec_d *axis)
{
	struct d3_vec_d h = proxy->half;
	*axis = proxy->frame.q.y;
	if (proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE || proxy->type == D3_PROXY_TAPERED)
		return true;
	if (proxy->type != D3_PROXY_ELLIPSOID)
		return false;
	if (h.x == h.y)
		*axis = proxy->frame.q.z;
	else if (h.y == h.z)
		*axis = proxy->frame.q.x;
	return h.x == h.y || h.y == h.z || h.x == h.z;
}

/* Returns a bound K / |w|^2 of a solid of revolution, whose spin about its own axis y has no effect. Only the rotation y x y'
 * counts, of rate s |w| with s = |y x w|/|w|, which turns with w. So K is |w|^2 (s + s^2) times the reach from the middle, plus
 * |w|^2 times the distance of the middle from the axis of rotation. `axis`: of the rotation, in the shape's frame. */
static double find_wobble(const struct d3_proxy *proxy, struct d3_vec_d middle, struct d3_vec_d axis)
{
	struct d3_vec_d own;
	if (proxy->type == D3_PROXY_POINTS || !revolution_axis(proxy, &own))
		return INFINITY;
	double s = d3_length_d(d3_cross_d(own, axis));
	double reach = proxy->type == D3_PROXY_TAPERED ? proxy->half.y + proxy->half.x : d3_length_d(proxy->half);
	return (s + s * s) * reach + d3_length_d(d3_cross_d(middle, axis));
}

/* The greatest distance of the corners from `from`. */
static double corners_reach(const struct d3_proxy *proxy, struct d3_vec_d from)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	double most = 0;
	for (uint32_t i = 0; i < proxy->count; ++i) {
		struct d3_vec_d delta = d3_sub_d(d3_widen(points[i]), from);
		most = max_d(most, d3_dot_d(delta, delta));
	}
	return sqrt(most);
}

/* Sets the reaches of a core. `rotation`: the rotation centre, `axis`: of the rotation, both in the shape's frame. */
static void make_reach(
	const struct d3_proxy *proxy, struct d3_vec_d rotation, bool turns, struct d3_vec_d axis, struct reach *out)
{
	*out = (struct reach){.wobble = INFINITY};
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return;
	if (proxy->type == D3_PROXY_POINTS) {
		out->origin = out->center = corners_reach(proxy, rotation);
		if (turns)
			return;
		struct d3_vec_d middle = d3_points_bounds(d3_proxy_points(proxy), proxy->count).middle;
		out->middle = d3_sub_d(middle, rotation);
		out->center = corners_reach(proxy, middle);
		return;
	}
	struct d3_vec_d middle = d3_sub_d(proxy->frame.p, rotation);
	double reach = proxy->type == D3_PROXY_TAPERED ? proxy->half.y + proxy->half.x : d3_length_d(proxy->half);
	out->origin = out->center = d3_length_d(middle) + reach;
	if (turns) {
		out->wobble = find_wobble(proxy, middle, axis);
	} else {
		out->middle = middle;
		out->center = reach;
	}
}

static double reach_from_axis(const struct d3_proxy *proxy, struct d3_vec_d rotation, struct d3_vec_d axis)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	double most = 0;
	for (uint32_t i = 0; i < proxy->count; ++i) {
		struct d3_vec_d across = d3_cross_d(d3_sub_d(d3_widen(points[i]), rotation), axis);
		most = max_d(most, d3_dot_d(across, across));
	}
	return sqrt(most);
}

/* Computes the exact reach `axis` of polytope cores, for a search that takes long. */
static void refine_reaches(struct course *course)
{
	const struct d3_motion *motion = course->motion;
	if (course->a->type == D3_PROXY_POINTS && motion->a.angle > 0)
		course->reach_a.axis = reach_from_axis(course->a, motion->center_a, motion->a.axis);
	if (course->b->type == D3_PROXY_POINTS && motion->b.angle > 0)
		course->reach_b.axis = reach_from_axis(course->b, motion->center_b, d3_inv_turn_d(&motion->first.q, motion->b.axis));
}

/* --- Advancement ---------------------------------------------------------------------------------------------------------- */

/* Writes a result in A's frame at the start, relative to A's rotation centre there. */
static void course_result(const struct course *course, enum axes_impact state, double t, const struct moment *now,
	const struct d3_separation *near, int iterations, struct d3_impact_result *out)
{
	out->state = state;
	out->t = t;
	out->normal = d3_turn_d(&now->home, near->normal);
	struct d3_vec_d middle = d3_sub_d(d3_scale_d(0.5, d3_add_d(near->point_a, near->point_b)), course->motion->center_a);
	out->p = d3_mul_add_d(d3_turn_d(&now->home, middle), now->t, course->motion->own);
	out->iterations = iterations;
}

/* Whether both are half-spaces with different rotation rates: these are in contact at once, somewhere far away. */
static bool touches_far_away(const struct course *course)
{
	if (course->a->type != D3_PROXY_HALF_SPACE || course->b->type != D3_PROXY_HALF_SPACE)
		return false;
	struct d3_vec_d w = d3_sub_d(course->motion->a.w, course->motion->b.w);
	return d3_length_d(w) > 0;
}

/* An upper bound of the closing speed along n, for a separation that is lost in rounding errors. */
static double closing_speed(const struct course *course, const struct moment *now, struct d3_vec_d n)
{
	const struct d3_turning *a = &course->motion->a, *b = &course->motion->b;
	double reach_a = course->reach_a.origin, reach_b = course->reach_b.origin;
	if (course->a->type == D3_PROXY_HALF_SPACE)
		reach_a = course->motion->far + reach_b;
	if (course->b->type == D3_PROXY_HALF_SPACE)
		reach_b = course->motion->far + reach_a;
	return a->angle * reach_a + b->angle * reach_b - d3_dot_d(n, now->v);
}

/* Bound of the rounding error of a distance, including that of t on long displacements [length]. */
static double rounding_of(const struct course *course)
{
	return 1e-15 * (course->motion->far + course->reach_a.origin + course->reach_b.origin);
}

/* Sweeps balls around both proxies on straight paths, about the rotation centres or, without rotation, the cores' middles. *t:
 * the time at which the balls' distance is the target plus 3/4 of the tolerance, or 0 if it starts within a few tolerances of
 * that. False: the distance stays greater up to max_t, and *out is the miss of the balls. */
static bool balls_touch(const struct course *course, double max_t, double *t, struct d3_impact_result *out)
{
	const struct d3_motion *motion = course->motion;
	double reach_a = course->reach_a.center + course->a->radius, reach_b = course->reach_b.center + course->b->radius;
	double near = (reach_a + reach_b) * (1 + 1e-12) + course->target + 0.75 * course->tolerance;
	double start = near + 4 * course->tolerance;
	struct d3_vec_d p =
		d3_sub_d(d3_add_d(motion->p, d3_turn_d(&motion->first.q, course->reach_b.middle)), course->reach_a.middle);
	struct d3_vec_d v = motion->v;
	double square = d3_dot_d(p, p), along = -d3_dot_d(p, v), c = square - near * near;
	*t = 0;
	if (!(square > start * start))
		return true;
	double under = along * along - d3_dot_d(v, v) * c;
	if (along > 0 && under >= 0)
		*t = c / (along + sqrt(under)) * (1 - 1e-14);
	if (along > 0 && under >= 0 && *t < max_t)
		return true;
	struct d3_vec_d normal = d3_scale_d(1 / sqrt(square), p);
	*out = (struct d3_impact_result){.state = AXES_IMPACT_SEPARATED, .t = max_t, .normal = normal, .iterations = 1};
	out->p = d3_mul_add_d(course->reach_a.middle, 0.5 * (sqrt(square) + reach_a - reach_b), normal);
	return false;
}

static void record_step(struct course *course, const struct moment *now, const struct d3_separation *near)
{
	if (course->steps)
		course->steps[course->step_count++] =
			(struct d3_impact_step){now->t, near->distance, d3_turn_d(&now->home, near->normal)};
}

/* Finds the time of the first query, >= from: the time at which the balls touch, or `from` if steps are recorded and the balls
 * miss. *apart: the pair starts more than a few tolerances from the target. False: *out is the result. */
static bool find_start(struct course *course, double from, double max_t, double *t, bool *apart, struct d3_impact_result *out)
{
	*t = 0;
	*apart = false;
	course->step_count = 0;
	bool touch = has_half_space(course) || balls_touch(course, max_t, t, out);
	if (!touch && !course->steps)
		return false;
	*apart = *t > 0;
	/* The recorded steps begin with the shapes' own distance. */
	if (touch && *t > from && course->steps) {
		struct moment now;
		struct d3_separation near;
		d3_impact_set_moment(course->motion, from, &now);
		d3_impact_query(course, &now, &near);
		record_step(course, &now, &near);
		d3_impact_forget(course);
	}
	*t = touch ? max_d(*t, from) : from;
	return true;
}

/* Returns the tolerance, and lowers the target, for a pair that may start less than two tolerances beyond the target: so it may
 * slide along or separate without a hit. distance: at t. */
static double start_within(struct course *course, double t, double distance)
{
	double tolerance = course->tolerance;
	if (t > 0 && distance < course->target + 2 * tolerance) {
		struct moment start;
		struct d3_separation first;
		d3_impact_set_moment(course->motion, 0, &start);
		d3_separation_find(course->a, course->b, &start.b_in_a, &first);
		distance = first.distance;
	}
	if (!(course->target > 0))
		return min_d(tolerance, 0.5 * distance);
	course->target = min_d(course->target, distance - 2 * tolerance);
	return tolerance;
}

void d3_impact_advance(struct course *course, double from, double max_t, struct d3_impact_result *out)
{
	double t, tolerance = course->tolerance, rounding = rounding_of(course);
	struct moment moments[2], *now = &moments[0], *reached = &moments[1];
	struct d3_impact_step before = {.distance = INFINITY};
	struct d3_separation near;
	bool apart;
	if (!find_start(course, from, max_t, &t, &apart, out))
		return;
	int i = t == from ? 0 : 1, slow = 0; /* the balls count as a query */
	bool first = true;
	d3_impact_set_moment(course->motion, t, now);
	*reached = *now;
	for (; i < D3_IMPACT_ITERATIONS; ++i) {
		d3_impact_query(course, now, &near);
		record_step(course, now, &near);
		if (t == 0 && near.distance <= course->target + rounding) {
			course_result(course, AXES_IMPACT_OVERLAPPING, 0, now, &near, 1, out);
			return;
		}
		if (first && !apart)
			tolerance = start_within(course, t, near.distance);
		tolerance = max_d(tolerance, 4 * rounding);
		first = false;
		course->skin = course->a->radius + course->b->radius + course->target + 0.5 * tolerance;
		if (near.distance <= course->target + tolerance || touches_far_away(course)) {
			course_result(course, AXES_IMPACT_HIT, t, now, &near, i + 1, out);
			return;
		}
		slow = near.distance - course->target > slow_tolerance * (before.distance - course->target) ? slow + 1 : 0;
		if (slow == 2)
			refine_reaches(course);
		double next = d3_impact_free_until(course, now, &near, max_t, &before, tolerance, slow, reached);
		if (next == t) {
			double closing = closing_speed(course, now, near.normal);
			next = closing > 0 ? t + (near.distance - course->target - 0.5 * tolerance) / closing : max_t;
		}
		if (!(next < max_t)) {
			course_result(course, AXES_IMPACT_SEPARATED, max_t, now, &near, i + 1, out);
			return;
		}
		if (!(next > t))
			break;
		before = (struct d3_impact_step){t, near.distance, d3_turn_d(&now->home, near.normal)};
		t = next;
		struct moment *other = now;
		now = reached;
		reached = other;
		if (now->t != t)
			d3_impact_set_moment(course->motion, t, now);
	}
	/* No step advances t, or the steps are used up. A pair within the caller's tolerance is hit: start_within may have reduced
	 * the tolerance to nearly 0. */
	d3_impact_query(course, now, &near);
	course_result(course, near.distance <= course->target + course->tolerance ? AXES_IMPACT_HIT : AXES_IMPACT_FAILED, t, now,
		&near, i, out);
}

void d3_impact_prepare(struct course *course)
{
	const struct d3_motion *motion = course->motion;
	struct d3_vec_d axis_b = d3_inv_turn_d(&motion->first.q, motion->b.axis);
	make_reach(course->a, motion->center_a, motion->a.angle > 0, motion->a.axis, &course->reach_a);
	make_reach(course->b, motion->center_b, motion->b.angle > 0, axis_b, &course->reach_b);
	course->bend_a = course->bend_b = -1;
	d3_impact_choose_method(course);
}

void d3_time_of_impact(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_motion *motion, double target,
	double tolerance, double max_t, struct d3_impact_result *out)
{
	struct pursuit pursuit;
	struct course course = {.motion = motion, .a = a, .b = b, .pursuit = &pursuit, .target = target, .tolerance = tolerance};
	d3_impact_prepare(&course);
	d3_impact_advance(&course, 0, max_t, out);
}
