/* advance.c - see advance.h. Conservative advancement along the direction of the nearest points.
** With n that direction at some time, from A to B, the two sets are apart along n by
**   f(t) = least of n.b(t) over B - greatest of n.a(t) over A,
** which is never more than their distance: while f > 0 they do not touch. n may stand still, or turn with A or with B. Each pair of points
** gives a smooth g(t) = n.(b - a) with |g''| <= K, f is the least of all g, and so f - K t^2/2 is concave: it lies above its chords.
** Between two times that are h apart, with f1 and f2 at them, u after the first:
**   f(u) >= f1 + (f2 - f1) u/h - K u (h - u)/2                                                                  [length]
** What is positive there is free, without a look in between. Steps are so about sqrt(f/K) long where the two pass each other
** closely, and not f/(speed of the fastest point), which takes ever more of them; towards a hit they are those of Newton's method.
** The bound K, v being the velocities of the rotation centres, w the turns [rad/step], r distances from the rotation centres:
**   n stands:         K = sum of |n x w| |w| r over A and B, r from the axis, since n.(w x (w x r)) = (n x w).(w x r)
**   n turns with w0:  K = sum of (|w - w0|^2 + |(w - w0) x w0|) r + |w0|^2 |p| + 2 |w0| |v|, p and v from A's centre to B's: what
**                     the frame that turns adds, centrifugal and Coriolis
** and, between edges, n = eA x eB, see below. One that stands is best far away, one that turns with a shape for what it carries along, one that turns
** as the nearest points did since the last step where edges or corners pass each other closely, and the edges' own where these are almost
** parallel. In 1,100,000 random pairs of all kinds the gap is looked for up to 10 times for 99 %, and 32 times at most.
** The sum counts the cores alone: what is rounded is as far from its core along n however it turns.
** Sources: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, for the advancement; Catto, "Continuous Collision",
** GDC 2013, for the separation along an axis that is kept.
** Floor: d3. Pure, any thread. */
#include "d3/advance.h"

#include "d3/gjk_parts.h"
#include "d3/shape_cast.h"

/* A gap of this part of the smaller size is a hit; half of it is kept. */
static const double gap_part = 1e-6;
/* Cores nearer than this part of the coordinates have their direction checked. */
static const double near_part = 1e-9;
/* A step after which more than this part of the gap is left is a slow one: where it is the curvature that matters, it squares the error. */
static const double slow_part = 0.05;

/* --- Motion ------------------------------------------------------------------------------------------------------------ */

/* From a pose to a pose, positions relative to where A starts: the turn by `angle` about the axis, a unit vector of the world. */
struct motion {
	struct d3_vec_d p, v;
	struct d3_quat_d start, end;
	struct d3_rot_d start_rot;
	struct d3_vec_d axis, w; /* w = angle * axis */
	double angle, half_sine; /* 0..pi [rad]; sin(angle/2) */
	double t; /* of the last gap, */
	struct d3_rot_d rot; /* and the rotation then */
};

static struct motion make_motion(const struct d3_pose *origin, const struct d3_pose *from, const struct d3_pose *to)
{
	struct motion motion = { .p = { from->x - origin->x, from->y - origin->y, from->z - origin->z },
		.v = { to->x - from->x, to->y - from->y, to->z - from->z }, .start = d3_exact_quat(from->q), .end = d3_exact_quat(to->q) };
	motion.start_rot = d3_quat_rot_d(motion.start);
	struct d3_quat_d back = { -motion.start.x, -motion.start.y, -motion.start.z, motion.start.w };
	struct d3_quat_d turn = d3_mul_quat_d(motion.end, back);
	if (turn.w < 0)
		turn = (struct d3_quat_d){ -turn.x, -turn.y, -turn.z, -turn.w };
	struct d3_vec_d way = { turn.x, turn.y, turn.z };
	double sine = d3_length_d(way);
	/* Below it there is nothing but the rounding of the product. */
	if (!(sine > 1e-15))
		return motion;
	motion.half_sine = min_d(sine, 1);
	motion.angle = 2 * scalar_atan2_d(sine, turn.w);
	motion.axis = d3_scale_d(1 / sine, way);
	motion.w = d3_scale_d(motion.angle, motion.axis);
	return motion;
}

static struct d3_rot_d motion_rot(const struct motion *motion, double t)
{
	if (motion->angle == 0 || t <= 0)
		return motion->start_rot;
	if (t >= 1)
		return d3_quat_rot_d(motion->end);
	struct cos_sin_d half = scalar_cos_sin_d(0.5 * t * motion->angle);
	double scale = 1 / sqrt(half.cosine * half.cosine + half.sine * half.sine), sine = scale * half.sine;
	struct d3_quat_d turn = { sine * motion->axis.x, sine * motion->axis.y, sine * motion->axis.z, scale * half.cosine };
	return d3_quat_rot_d(d3_mul_quat_d(turn, motion->start));
}

/* --- One couple -------------------------------------------------------------------------------------------------------- */

/* How far a core reaches. */
struct reach {
	double origin; /* from its pose's origin, about which it turns */
	double axis; /* from the axis of its turn */
	double center; /* from what counts as its rotation centre, */
	struct d3_vec_d middle; /* which is here, from the origin, in the world: what does not turn may have it anywhere, and has it in its middle */
	double wobble; /* of a solid of revolution: see below; else INFINITY */
};

struct course {
	struct motion motion_a, motion_b;
	const struct d3_proxy *a, *b;
	struct reach reach_a, reach_b;
	double tolerance;
	double skin; /* both radii and the gap that is to stay */
	bool closed; /* the gap has a closed form; else: */
	struct d3_pair pair;
	struct d3_simplex simplex; /* of the last gap, */
	struct d3_transform_d last; /* where B was then */
	struct d3_advance_step *steps;
	int step_count;
};

static struct d3_vec_d way_between(const struct course *course, double t)
{
	struct d3_vec_d p = d3_sub_d(course->motion_b.p, course->motion_a.p), v = d3_sub_d(course->motion_b.v, course->motion_a.v);
	return d3_mul_add_d(p, t, v);
}

static bool revolution_axis(const struct d3_proxy *proxy, struct d3_vec_d *axis)
{
	struct d3_vec_d h = proxy->half;
	*axis = proxy->frame.q.y;
	if (proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE)
		return true;
	if (proxy->type != D3_PROXY_ELLIPSOID)
		return false;
	if (h.x == h.y)
		*axis = proxy->frame.q.z;
	else if (h.y == h.z)
		*axis = proxy->frame.q.x;
	return h.x == h.y || h.y == h.z || h.x == h.z;
}

static struct d3_vec_d core_middle(const struct d3_proxy *proxy, double *reach)
{
	if (proxy->type != D3_PROXY_POINTS) {
		*reach = d3_length_d(proxy->half);
		return proxy->frame.p;
	}
	const struct d3_vec *points = d3_proxy_points(proxy);
	struct d3_vec_d sum = { 0, 0, 0 };
	for (uint32_t i = 0; i < proxy->count; i++)
		sum = d3_add_d(sum, d3_widen(points[i]));
	sum = d3_scale_d(1.0 / proxy->count, sum);
	double most = 0;
	for (uint32_t i = 0; i < proxy->count; i++) {
		struct d3_vec_d from = d3_sub_d(d3_widen(points[i]), sum);
		most = max_d(most, d3_dot_d(from, from));
	}
	*reach = sqrt(most);
	return sum;
}

/* A solid of revolution looks as if it turned only so that its axis, y, follows: at y x y', s = |y x w|/|w| of w, which itself turns with w.
** So K = |w|^2 (s + s^2) times its reach from its middle, and |w|^2 times how far that is from the axis of the turn. What spins about
** its own axis does not move. */
static struct reach make_reach(const struct d3_proxy *proxy, const struct motion *motion)
{
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return (struct reach){ .wobble = INFINITY };
	double origin = max_d(d3_proxy_reach(proxy) - proxy->radius, 0);
	struct reach reach = { .origin = origin, .center = origin, .wobble = INFINITY };
	if (motion->angle == 0) {
		struct d3_vec_d middle = core_middle(proxy, &reach.center);
		reach.middle = d3_turn_d(&motion->start_rot, middle);
		return reach;
	}
	struct d3_vec_d axis = d3_inv_turn_d(&motion->start_rot, motion->axis), own;
	if (proxy->type == D3_PROXY_POINTS) {
		const struct d3_vec *points = d3_proxy_points(proxy);
		double most = 0;
		for (uint32_t i = 0; i < proxy->count; i++) {
			struct d3_vec_d across = d3_cross_d(d3_widen(points[i]), axis);
			most = max_d(most, d3_dot_d(across, across));
		}
		reach.axis = sqrt(most);
		return reach;
	}
	reach.axis = origin;
	if (revolution_axis(proxy, &own)) {
		double s = d3_length_d(d3_cross_d(own, axis));
		reach.wobble = (s + s * s) * d3_length_d(proxy->half) + d3_length_d(d3_cross_d(proxy->frame.p, axis));
	}
	return reach;
}

/* GJK going on from the simplex of the last gap, whose vertices are moved to where B has gone. False: so near that it takes more. */
static bool gap_goes_on(struct course *course, const struct d3_transform_d *b_in_a, struct d3_gap *gap)
{
	struct d3_simplex *s = &course->simplex;
	for (int i = 0; i < s->count; i++) {
		s->v[i].b = d3_transform_point_d(b_in_a, d3_inv_transform_point_d(&course->last, s->v[i].b));
		s->v[i].w = d3_sub_d(s->v[i].b, s->v[i].a);
	}
	course->last = *b_in_a;
	struct d3_pair *pair = &course->pair;
	const struct d3_proxy *b = course->b;
	pair->b.place = *b_in_a;
	if (b->type != D3_PROXY_POINTS)
		pair->b.place = (struct d3_transform_d){ d3_transform_point_d(b_in_a, b->frame.p), d3_mul_rot_d(&b_in_a->q, &b->frame.q) };
	gap->iterations = 0;
	if (!d3_pair_nearest(pair, (struct d3_vec_d){ 0, 0, 0 }, s, &gap->iterations, NULL))
		return false;
	double core = d3_length_d(s->nearest);
	if (!(core > near_part * pair->scale))
		return false;
	gap->normal = d3_scale_d(1 / core, s->nearest);
	gap->distance = core - course->a->radius - course->b->radius;
	d3_simplex_points(s, &gap->point_a, &gap->point_b);
	gap->point_a = d3_mul_add_d(gap->point_a, course->a->radius, gap->normal);
	gap->point_b = d3_mul_add_d(gap->point_b, -course->b->radius, gap->normal);
	return true;
}

/* The gap at t, in the frame of A; its normal in the world. */
static struct d3_vec_d course_gap(struct course *course, double t, struct d3_gap *gap)
{
	course->motion_a.t = course->motion_b.t = t;
	struct d3_rot_d qa = course->motion_a.rot = motion_rot(&course->motion_a, t);
	struct d3_rot_d qb = course->motion_b.rot = motion_rot(&course->motion_b, t);
	struct d3_transform_d b_in_a = { d3_inv_turn_d(&qa, way_between(course, t)), d3_inv_mul_rot_d(&qa, &qb) };
	if (course->closed || !gap_goes_on(course, &b_in_a, gap))
		d3_gap_find(course->a, course->b, &b_in_a, gap);
	return d3_turn_d(&qa, gap->normal);
}

/* --- The separation along a direction ---------------------------------------------------------------------------------- */

/* n at any time: it is n at t and turns at w [rad/step], or it is across two edges, eA x eB. Then it is as long as the sine of the angle between
** them, and f is that many times as large. */
struct heading {
	bool edges;
	struct d3_vec_d n, w;
	struct d3_vec_d edge_a, edge_b; /* at t, unit vectors; edge_b points such that n goes from A to B */
	double t;
	double skin; /* what is taken from f for each unit of |n|: the radii and the gap that is to stay [length] */
	double bend; /* K [length/step^2] */
};

static double standing_bend(const struct reach *reach, const struct motion *motion, struct d3_vec_d n)
{
	double across = d3_length_d(d3_cross_d(n, motion->w)) * motion->angle * reach->axis;
	return reach->wobble < INFINITY ? min_d(across, motion->angle * motion->angle * reach->wobble) : across;
}

static double turning_bend(const struct reach *reach, const struct motion *motion, struct d3_vec_d w)
{
	struct d3_vec_d relative = d3_sub_d(motion->w, w);
	return (d3_dot_d(relative, relative) + d3_length_d(d3_cross_d(relative, w))) * reach->center;
}

static double frame_bend(const struct course *course, struct d3_vec_d w)
{
	struct d3_vec_d v = d3_sub_d(course->motion_b.v, course->motion_a.v);
	struct d3_vec_d middles = d3_sub_d(course->reach_b.middle, course->reach_a.middle);
	struct d3_vec_d first = d3_add_d(way_between(course, 0), middles), last = d3_add_d(way_between(course, 1), middles);
	double far = max_d(d3_length_d(first), d3_length_d(last)), turn = d3_length_d(w);
	return turning_bend(&course->reach_a, &course->motion_a, w) + turning_bend(&course->reach_b, &course->motion_b, w) +
		turn * (turn * far + 2 * d3_length_d(v));
}

/* It stands, or turns with A or B: whichever has the least K. That of a half-space turns with it, as the separation along any other
** direction is -INFINITY. */
static struct heading make_heading(const struct course *course, double t, struct d3_vec_d n)
{
	const struct motion *a = &course->motion_a, *b = &course->motion_b;
	bool half_a = course->a->type == D3_PROXY_HALF_SPACE, half_b = course->b->type == D3_PROXY_HALF_SPACE;
	struct heading best = { .n = n, .t = t, .skin = course->skin };
	best.bend = standing_bend(&course->reach_a, a, n) + standing_bend(&course->reach_b, b, n);
	if ((half_a && a->angle > 0) || (half_b && b->angle > 0))
		best.bend = INFINITY;
	bool turns[2] = { a->angle > 0 && (half_a || !half_b), b->angle > 0 && !half_a };
	for (int i = 0; i < 2; i++) {
		const struct motion *with = i == 0 ? a : b;
		double bend = turns[i] ? frame_bend(course, with->w) : INFINITY;
		if (bend < best.bend) {
			best.w = with->w;
			best.bend = bend;
		}
	}
	return best;
}

static struct heading carried_heading(const struct course *course, double t, struct d3_vec_d n, struct d3_vec_d w)
{
	return (struct heading){ .n = n, .w = w, .t = t, .skin = course->skin, .bend = frame_bend(course, w) };
}

/* Where the nearest points are on edges that are almost parallel, or corners pass each other closely, n turns faster than either shape, and a
** separation along yesterday's n is soon used up: 2 % of the gap a step. So n goes on turning as it did since the step before. */
static struct heading turning_heading(const struct course *course, double t, struct d3_vec_d n, const struct d3_advance_step *last)
{
	return carried_heading(course, t, n, d3_scale_d(1 / (t - last->t), d3_cross_d(last->normal, n)));
}

/* An edge between two points of a simplex's, or of a core's own two; false when they are all one, or make more than an edge. */
static bool simplex_edge(const struct d3_vec_d *points, int count, double scale, struct d3_vec_d *edge)
{
	double most = 0;
	for (int i = 1; i < count; i++) {
		struct d3_vec_d way = d3_sub_d(points[i], points[0]);
		double length = d3_length_d(way);
		if (length > 1e-9 * scale && most > 0 && d3_length_d(d3_cross_d(d3_scale_d(1 / length, way), *edge)) > 1e-9)
			return false;
		if (length > most && length > 1e-9 * scale) {
			most = length;
			*edge = d3_scale_d(1 / length, way);
		}
	}
	return most > 0;
}

/* The edges that the nearest points are on, in the world: of two lines themselves, else of the simplex, which is in A's frame. */
static bool nearest_edges(const struct course *course, struct d3_vec_d *edge_a, struct d3_vec_d *edge_b)
{
	const struct d3_proxy *a = course->a, *b = course->b;
	if (a->type != D3_PROXY_POINTS || b->type != D3_PROXY_POINTS || a->count < 2 || b->count < 2)
		return false;
	struct d3_vec_d on_a[4], on_b[4];
	int count = course->closed ? 2 : course->simplex.count;
	for (int i = 0; i < count; i++) {
		on_a[i] = course->closed ? d3_widen(d3_proxy_points(a)[i]) : course->simplex.v[i].a;
		on_b[i] = course->closed ? d3_widen(d3_proxy_points(b)[i]) : course->simplex.v[i].b;
	}
	double scale = course->reach_a.center + course->reach_b.center;
	if (!simplex_edge(on_a, count, scale, edge_a) || !simplex_edge(on_b, count, scale, edge_b))
		return false;
	*edge_a = d3_turn_d(&course->motion_a.rot, *edge_a);
	*edge_b = d3_turn_d(course->closed ? &course->motion_b.rot : &course->motion_a.rot, *edge_b);
	return true;
}

/* Across the two edges that the nearest points are on. Unlike the unit normal it does not turn faster the more the edges are parallel: with
** y = b - a for any points and e' = w x e, (n.y)'' is at most
**   K = |n''| |y| + 2 |n'| |y'| + |n| |y''|,  |n'| <= |eA'| + |eB'|,  |n''| <= |wA| |eA'| + |wB| |eB'| + 2 |eA'| |eB'|
** and |n|, which the skin goes with, has a second derivative of at least -|n''|. */
static bool edge_heading(const struct course *course, double t, struct d3_vec_d n, struct heading *out)
{
	const struct motion *a = &course->motion_a, *b = &course->motion_b;
	struct d3_vec_d edge_a, edge_b;
	if (!nearest_edges(course, &edge_a, &edge_b))
		return false;
	if (d3_dot_d(d3_cross_d(edge_a, edge_b), n) < 0)
		edge_b = d3_neg_d(edge_b);
	double rate_a = d3_length_d(d3_cross_d(a->w, edge_a)), rate_b = d3_length_d(d3_cross_d(b->w, edge_b));
	double rate = rate_a + rate_b, second = a->angle * rate_a + b->angle * rate_b + 2 * rate_a * rate_b;
	struct d3_vec_d v = d3_sub_d(b->v, a->v);
	double far = max_d(d3_length_d(way_between(course, 0)), d3_length_d(way_between(course, 1))) + course->reach_a.origin + course->reach_b.origin;
	double speed = d3_length_d(v) + a->angle * course->reach_a.axis + b->angle * course->reach_b.axis;
	double swing = a->angle * a->angle * course->reach_a.axis + b->angle * b->angle * course->reach_b.axis;
	*out = (struct heading){ .edges = true, .edge_a = edge_a, .edge_b = edge_b, .t = t, .skin = course->skin };
	out->bend = second * (far + course->skin) + 2 * rate * speed + swing;
	return true;
}

/* By the formula of Rodrigues, about a unit axis. */
static struct d3_vec_d turned_about(struct d3_vec_d axis, struct cos_sin_d turn, struct d3_vec_d v)
{
	struct d3_vec_d sum = d3_mul_add_d(d3_scale_d(turn.cosine, v), turn.sine, d3_cross_d(axis, v));
	return d3_mul_add_d(sum, (1 - turn.cosine) * d3_dot_d(axis, v), axis);
}

static struct d3_vec_d edge_at(const struct motion *motion, struct d3_vec_d edge, double after)
{
	return motion->angle > 0 ? turned_about(motion->axis, scalar_cos_sin_d(after * motion->angle), edge) : edge;
}

/* n at t, and n'. */
static struct d3_vec_d heading_at(const struct course *course, const struct heading *heading, double t, struct d3_vec_d *rate)
{
	if (heading->edges) {
		struct d3_vec_d a = edge_at(&course->motion_a, heading->edge_a, t - heading->t);
		struct d3_vec_d b = edge_at(&course->motion_b, heading->edge_b, t - heading->t);
		*rate = d3_add_d(d3_cross_d(d3_cross_d(course->motion_a.w, a), b), d3_cross_d(a, d3_cross_d(course->motion_b.w, b)));
		return d3_cross_d(a, b);
	}
	double turn = d3_length_d(heading->w);
	struct d3_vec_d n = heading->n;
	if (turn > 0)
		n = turned_about(d3_scale_d(1 / turn, heading->w), scalar_cos_sin_d(turn * (t - heading->t)), n);
	*rate = d3_cross_d(heading->w, n);
	return n;
}

/* f, and how fast the farthest points move along n. */
struct separation {
	double f, rate;
};

/* How far the core reaches along d, +n or -n, from its rotation centre, and how fast that grows: d'.r + d.(w x r), r its farthest point. d and
** the sum of both are turned back to where the shape started, and so into its frame. */
static struct separation farthest(const struct d3_proxy *proxy, const struct reach *reach, const struct motion *motion, double t,
	struct d3_vec_d d, struct d3_vec_d d_rate)
{
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return (struct separation){ proxy->offset, 0 };
	if (reach->origin == 0)
		return (struct separation){ 0, 0 };
	struct d3_vec_d speed = d3_add_d(d_rate, d3_cross_d(d, motion->w));
	const struct d3_rot_d *q = t == motion->t ? &motion->rot : &motion->start_rot;
	if (motion->angle > 0 && t != motion->t) {
		struct cos_sin_d back = scalar_cos_sin_d(-t * motion->angle);
		d = turned_about(motion->axis, back, d);
		speed = turned_about(motion->axis, back, speed);
	}
	d = d3_inv_turn_d(q, d);
	struct d3_vec_d p = d3_core_support(proxy, d);
	return (struct separation){ d3_dot_d(p, d), d3_dot_d(p, d3_inv_turn_d(q, speed)) };
}

/* Less what is to stay: positive where the gap is wider than that. */
static struct separation separation_at(const struct course *course, const struct heading *heading, double t)
{
	struct d3_vec_d rate, n = heading_at(course, heading, t, &rate), p = way_between(course, t);
	struct d3_vec_d v = d3_sub_d(course->motion_b.v, course->motion_a.v);
	struct separation a = farthest(course->a, &course->reach_a, &course->motion_a, t, n, rate);
	struct separation b = farthest(course->b, &course->reach_b, &course->motion_b, t, d3_neg_d(n), d3_neg_d(rate));
	double length = heading->edges ? d3_length_d(n) : 1;
	struct separation sum = { d3_dot_d(n, p) - a.f - b.f - heading->skin * length, d3_dot_d(rate, p) + d3_dot_d(n, v) - a.rate - b.rate };
	if (heading->edges && length > 0)
		sum.rate -= heading->skin * d3_dot_d(n, rate) / length;
	return sum;
}

/* The step after which the bound above is just not positive any more, if the separation went on at its rate. The bound over a whole step h is
** positive as long as h sqrt(K/2) < sqrt f1 + sqrt f2. */
static double promising_step(struct separation now, double bend)
{
	double q = sqrt(0.5 * bend), root = sqrt(now.f);
	if (now.rate < -q * root)
		return now.f / -now.rate;
	return q > 0 ? (now.rate / q + 2 * root) / q : INFINITY;
}

/* Where, after the first of two times that are h apart, the bound comes down to 0; h when it does not. */
static double free_step(double first, double second, double h, double bend)
{
	double b = (first - second) / h + 0.5 * bend * h, under = b * b - 2 * bend * first;
	if (second >= 0 && (b <= 0 || under < 0))
		return h;
	return min_d(2 * first / (b + sqrt(max_d(under, 0))), h);
}

/* The time up to which f is sure to stay positive, as far as a few steps tell. The first step that is cut short ends it: the next gap tells more
** than another look along the same n. */
static double separation_advance(const struct course *course, const struct heading *heading, double t, double limit, double enough)
{
	enum { STEPS = 64 };
	struct separation now = separation_at(course, heading, t);
	for (int i = 0; i < STEPS && now.f > enough && t < limit; i++) {
		double next = min_d(t + promising_step(now, heading->bend), limit), h = next - t;
		if (!(h > 0))
			break;
		struct separation then = separation_at(course, heading, next);
		double step = free_step(now.f, then.f, h, heading->bend);
		if (step < h)
			return t + step;
		t = next;
		now = then;
	}
	return t;
}

/* --- Advancement ------------------------------------------------------------------------------------------------------- */

static void course_result(const struct course *course, enum d3_advance_state state, double t, const struct d3_gap *gap,
	struct d3_vec_d normal, int iterations, struct d3_advance_result *out)
{
	struct d3_vec_d middle = d3_scale_d(0.5, d3_add_d(gap->point_a, gap->point_b));
	struct d3_vec_d p = d3_mul_add_d(course->motion_a.p, t, course->motion_a.v);
	struct d3_rot_d q = motion_rot(&course->motion_a, t);
	*out = (struct d3_advance_result){ state, t, normal, d3_add_d(p, d3_turn_d(&q, middle)), iterations };
}

static bool has_half_space(const struct course *course)
{
	return course->a->type == D3_PROXY_HALF_SPACE || course->b->type == D3_PROXY_HALF_SPACE;
}

/* Two half-spaces that do not turn alike meet at once, somewhere far away. */
static bool meets_far_away(const struct course *course)
{
	struct d3_vec_d w = d3_sub_d(course->motion_a.w, course->motion_b.w);
	return course->a->type == D3_PROXY_HALF_SPACE && course->b->type == D3_PROXY_HALF_SPACE && d3_length_d(w) > 0;
}

/* The plain bound of the speed at which the two come nearer along n, for when the separation along it is lost in rounding. */
static double closing_speed(const struct course *course, struct d3_vec_d n)
{
	const struct motion *a = &course->motion_a, *b = &course->motion_b;
	double reach_a = course->reach_a.origin, reach_b = course->reach_b.origin;
	double far = max_d(d3_length_d(way_between(course, 0)), d3_length_d(way_between(course, 1)));
	if (course->a->type == D3_PROXY_HALF_SPACE)
		reach_a = far + reach_b;
	if (course->b->type == D3_PROXY_HALF_SPACE)
		reach_b = far + reach_a;
	return d3_dot_d(n, d3_sub_d(a->v, b->v)) + a->angle * reach_a + b->angle * reach_b;
}

/* What rounding leaves unsure of a distance, of t, too: of long ways it cannot tell the last bits. */
static double rounding_of(const struct course *course)
{
	double far = max_d(d3_length_d(way_between(course, 0)), d3_length_d(way_between(course, 1)));
	return 1e-15 * (far + course->reach_a.origin + course->reach_b.origin);
}

/* How far the way is free from t on, where the gap is: along a normal that goes on turning as it did; at first, and where that was slow again and
** again, along one that stands or turns with A or B; and at last along all that are known. slow counts the slow steps. */
static double free_until(const struct course *course, double t, double limit, const struct d3_advance_step *now,
	const struct d3_advance_step *last, double tolerance, int slow)
{
	double enough = 0.25 * tolerance;
	struct heading headings[4];
	double next = t;
	bool half_space = has_half_space(course);
	if (slow == 0 || slow > 3 || half_space) {
		headings[0] = make_heading(course, t, now->normal);
		next = separation_advance(course, &headings[0], t, limit, enough);
	}
	if (!(next < limit) || slow == 0 || half_space)
		return next;
	headings[0] = turning_heading(course, t, now->normal, last);
	int count = 1;
	if (slow > 3) {
		headings[1] = carried_heading(course, t, now->normal, course->motion_a.w);
		headings[2] = carried_heading(course, t, now->normal, course->motion_b.w);
		count = 3 + edge_heading(course, t, now->normal, &headings[3]);
	}
	for (int i = 0; i < count && next < limit; i++)
		next = max_d(next, separation_advance(course, &headings[i], t, limit, i < 3 ? enough : 0));
	return next;
}

static void advance(struct course *course, double max_t, struct d3_advance_result *out)
{
	double t = 0, tolerance = course->tolerance, rounding = rounding_of(course);
	struct d3_gap gap = { 0 };
	struct d3_advance_step now = { 0 }, last = { .distance = INFINITY };
	course->step_count = 0;
	course->simplex.count = 0;
	int i = 0, slow = 0;
	for (; i < D3_ADVANCE_ITERATIONS; i++) {
		now = (struct d3_advance_step){ t, 0, course_gap(course, t, &gap) };
		now.distance = gap.distance;
		if (course->steps)
			course->steps[course->step_count++] = now;
		if (i == 0 && gap.distance <= rounding) {
			course_result(course, D3_ADVANCE_OVERLAPPING, 0, &gap, now.normal, 1, out);
			return;
		}
		/* What starts within the tolerance may slide along or leave: it is hit when half of the gap is gone. */
		if (i == 0)
			tolerance = max_d(min_d(tolerance, 0.5 * gap.distance), 4 * rounding);
		course->skin = course->a->radius + course->b->radius + 0.5 * tolerance;
		if (gap.distance <= tolerance || meets_far_away(course)) {
			course_result(course, D3_ADVANCE_HIT, t, &gap, now.normal, i + 1, out);
			return;
		}
		slow = gap.distance > slow_part * last.distance ? slow + 1 : 0;
		double next = free_until(course, t, max_t, &now, &last, tolerance, slow);
		if (next == t) {
			double closing = closing_speed(course, now.normal);
			next = closing > 0 ? t + (gap.distance - 0.5 * tolerance) / closing : max_t;
		}
		if (!(next < max_t)) {
			course_result(course, D3_ADVANCE_SEPARATED, max_t, &gap, now.normal, i + 1, out);
			return;
		}
		if (!(next > t))
			break;
		last = now;
		t = next;
	}
	course_result(course, D3_ADVANCE_FAILED, t, &gap, now.normal, i, out);
}

/* --- Any two shapes ---------------------------------------------------------------------------------------------------- */

/* What is said about a couple of children replaces what is said about those before it when it is earlier, or says more. */
static bool comes_before(const struct d3_advance_result *a, const struct d3_advance_result *b)
{
	return a->state != D3_ADVANCE_SEPARATED && (b->state == D3_ADVANCE_SEPARATED || a->t < b->t);
}

struct search {
	const struct d3_couple *couple;
	struct d3_transform_d b_in_a; /* at the start */
	struct course course;
	struct d3_advance_step *steps;
	int kept, iterations;
	bool any;
	struct d3_advance_result best;
	double limit;
};

static void visit_couple(void *context, uint32_t child_a, uint32_t child_b)
{
	struct search *search = context;
	struct course *course = &search->course;
	struct d3_proxy a, b;
	d3_make_proxy(search->couple->a, child_a, &a);
	d3_make_proxy(search->couple->b, child_b, &b);
	course->a = &a;
	course->b = &b;
	course->reach_a = make_reach(&a, &course->motion_a);
	course->reach_b = make_reach(&b, &course->motion_b);
	course->closed = d3_gap_closed(&a, &b);
	if (!course->closed)
		d3_make_pair(&a, &b, &search->b_in_a, &course->pair);
	double size = min_d(d3_proxy_size(&a), d3_proxy_size(&b));
	course->tolerance = size < INFINITY ? gap_part * size : gap_part;
	struct d3_advance_result result;
	/* Whoever is hit first stays: others look no further. Their steps would overwrite those that are kept. */
	course->steps = search->best.state == D3_ADVANCE_SEPARATED ? search->steps : NULL;
	advance(course, search->best.t, &result);
	search->iterations += result.iterations;
	if (comes_before(&result, &search->best) || !search->any) {
		if (course->steps == NULL && search->steps) {
			course->steps = search->steps;
			advance(course, search->best.t, &result);
		}
		search->best = result;
		search->limit = result.t > 0 ? result.t : -1;
	}
	search->any = true;
	if (course->steps)
		search->kept = course->step_count;
}

/* How far the farthest corner of the shape's box is from its frame's origin. */
static double box_reach(const struct d3_shape *shape)
{
	struct d3_node root;
	d3_shape_node(shape, 0, &root);
	double x = max_d(abs_d((double)root.lower.x), abs_d((double)root.upper.x)), y = max_d(abs_d((double)root.lower.y), abs_d((double)root.upper.y));
	return d3_length_d((struct d3_vec_d){ x, y, max_d(abs_d((double)root.lower.z), abs_d((double)root.upper.z)) });
}

/* In A's frame at the start, what the turns displace: what is r from its centre goes r angle t, and 2 r sin(angle/2) at most. Seen from A,
** B goes round A's centre. */
static void turning_margin(const struct search *search, double *growth, double *most)
{
	const struct course *course = &search->course;
	const struct motion *a = &course->motion_a, *b = &course->motion_b;
	double reach = box_reach(search->couple->b);
	double far = max_d(d3_length_d(way_between(course, 0)), d3_length_d(way_between(course, 1))) + reach;
	*growth = (b->angle * reach + a->angle * far) * (1 + 1e-12);
	*most = 2 * (b->half_sine * reach + a->half_sine * far) * (1 + 1e-12);
}

void d3_advance(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a, const struct d3_shape *b,
	const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_advance_result *out, struct d3_advance_step *steps,
	int *step_count)
{
	struct d3_couple couple = d3_couple_order(a, from_a, b, from_b);
	const struct d3_pose *origin = couple.pose_a;
	struct search search = { .couple = &couple, .steps = steps, .best = { .state = D3_ADVANCE_SEPARATED, .t = 1 }, .limit = 1 };
	struct course *course = &search.course;
	course->motion_a = make_motion(origin, origin, couple.swapped ? to_b : to_a);
	course->motion_b = make_motion(origin, couple.pose_b, couple.swapped ? to_a : to_b);
	search.b_in_a = d3_couple_relative(couple.pose_a, couple.pose_b);
	struct d3_vec_d way = d3_inv_turn_d(&course->motion_a.start_rot, d3_sub_d(course->motion_a.v, course->motion_b.v));
	double growth = 0, most = 0;
	if (!d3_shape_convex(a) || !d3_shape_convex(b))
		turning_margin(&search, &growth, &most);
	d3_couple_sweep(couple.a, couple.b, &search.b_in_a, way, growth, most, &search.limit, visit_couple, &search);
	if (step_count)
		*step_count = search.kept;
	*out = search.best;
	out->iterations = search.iterations;
	out->p = d3_add_d(out->p, (struct d3_vec_d){ origin->x, origin->y, origin->z });
	if (!couple.swapped)
		return;
	out->normal = d3_neg_d(out->normal);
	for (int i = 0; i < search.kept; i++)
		steps[i].normal = d3_neg_d(steps[i].normal);
}

/* --- Bisection --------------------------------------------------------------------------------------------------------- */

struct sweep {
	const struct d3_couple *couple;
	struct d3_transform_d b_in_a;
	struct d3_vec_d way;
	bool overlaps;
	double limit;
};

static void visit_swept(void *context, uint32_t child_a, uint32_t child_b)
{
	struct sweep *sweep = context;
	struct d3_proxy a, b;
	int own;
	d3_make_proxy(sweep->couple->a, child_a, &a);
	d3_make_proxy(sweep->couple->b, child_b, &b);
	if (!d3_gjk_overlaps(&a, &b, &sweep->b_in_a, sweep->way, &own))
		return;
	sweep->overlaps = true;
	sweep->limit = -1;
}

static bool sweep_overlaps(struct sweep *sweep, struct d3_vec_d way)
{
	sweep->way = way;
	sweep->overlaps = false;
	sweep->limit = 1;
	d3_couple_sweep(sweep->couple->a, sweep->couple->b, &sweep->b_in_a, way, 0, 0, &sweep->limit, visit_swept, sweep);
	return sweep->overlaps;
}

void d3_bisect(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d way, const struct d3_shape *b,
	const struct d3_pose *pose_b, double tolerance, struct d3_bisection_result *out)
{
	struct d3_couple couple = d3_couple_order(a, pose_a, b, pose_b);
	struct sweep sweep = { .couple = &couple, .b_in_a = d3_couple_relative(couple.pose_a, couple.pose_b) };
	struct d3_rot_d q = d3_exact_rot(couple.pose_a->q);
	struct d3_vec_d u = d3_inv_turn_d(&q, couple.swapped ? d3_neg_d(way) : way);
	*out = (struct d3_bisection_result){ .hit = true, .t = 0, .iterations = 1 };
	if (sweep_overlaps(&sweep, (struct d3_vec_d){ 0, 0, 0 }))
		return;
	out->iterations++;
	if (!sweep_overlaps(&sweep, u)) {
		out->hit = false;
		out->t = 1;
		return;
	}
	double free = 0, hit = 1, length = d3_length_d(way);
	while ((hit - free) * length > tolerance) {
		double middle = 0.5 * (free + hit);
		if (middle <= free || middle >= hit)
			break;
		out->iterations++;
		if (sweep_overlaps(&sweep, d3_scale_d(middle, u)))
			hit = middle;
		else
			free = middle;
	}
	out->t = free;
}
