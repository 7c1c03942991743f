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
 * The bound K, v being the velocities of the rotation centres, w the rotation rates [rad/step], r distances from the rotation
 * centres:
 *   n is fixed:       K = sum of |n x w| |w| r over A and B, r from the axis, since n.(w x (w x r)) = (n x w).(w x r)
 *   n turns with w0:  K = sum of (|w - w0|^2 + |(w - w0) x w0|) r + |w0|^2 |p| + 2 |w0| |v|, p and v from A's centre to B's:
 *                     the centrifugal and Coriolis terms of the rotating frame
 * and, between edges, n = eA x eB, see below. n follows the closest features, and so remains the direction of the closest
 * points while these features do: it turns with the shape whose face or edge is near a corner of the other, or stays
 * perpendicular to both edges. Between corners, and for smooth surfaces, n is fixed or turns with the shape that gives the
 * least K. Where steps are slow, all choices are tried, and an n that goes on turning as before. Of 1,000,000 random pairs of
 * all kinds 99 % take up to 8 distance queries, and 15 where they graze. K counts the cores alone: a rounded surface stays at
 * the same distance from its core along n.
 * All is computed in A's frame, which rotates at a constant rate about an axis fixed in it.
 * Sources: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, for the advancement; Catto, "Continuous
 * Collision", GDC 2013, for the separation along a persistent axis.
 * Pure, any thread. */
#include "d3/query/time_of_impact.h"

#include "d3/query/ray_cast.h"
#include "d3/query/gjk.h"
#include "d3/query/distance.h"
#include "d3/query/capsules.h"
#include "d3/query/shape_cast.h"

/* A separation of at most this fraction of the smaller size is a hit; half of it is kept. */
static const double gap_tolerance = 1e-6;
/* Cores nearer than this, relative to the coordinates, are left to d3_separation_find. */
static const double near_tolerance = 1e-9;
/* A step that leaves more than this fraction of the separation is slow: where the curvature matters, a step squares the
 * error. */
static const double slow_tolerance = 0.05;

/* --- Motion --------------------------------------------------------------------------------------------------------------- */

/* The state at t, in A's frame. */
struct moment {
	double t;
	struct d3_transform_d place; /* of B */
	struct d3_vec_d delta; /* from A's rotation centre to B's */
	struct d3_vec_d v, w; /* B's velocity minus A's; B's rotation rate */
	struct d3_rot_d home; /* A's rotation since the start */
};

static struct d3_quat_d conjugate(struct d3_quat_d q)
{
	return (struct d3_quat_d){-q.x, -q.y, -q.z, q.w};
}

/* The rotation between two orientations, in `frame`. */
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

/* A ball about its rotation centre, whose rotation has no effect. */
static bool is_centered(const struct d3_shape *shape)
{
	return shape->type == D3_SPHERE && shape->points[0].x == 0 && shape->points[0].y == 0 && shape->points[0].z == 0;
}

/* Sets the rest of the motion, after the rotations. */
static void set_ways(struct d3_vec_d between, struct d3_vec_d way_a, struct d3_vec_d way_b, struct d3_motion *out)
{
	out->p = d3_inv_turn_d(&out->frame, between);
	out->v = d3_inv_turn_d(&out->frame, d3_sub_d(way_b, way_a));
	out->own = d3_inv_turn_d(&out->frame, way_a);
	struct d3_vec_d last = d3_add_d(out->p, out->v);
	out->far = sqrt(max_d(d3_dot_d(out->p, out->p), d3_dot_d(last, last)));
	out->first.q = d3_quat_rot_d(out->start);
	out->first.p = d3_add_d(out->p, d3_sub_d(out->center_a, d3_turn_d(&out->first.q, out->center_b)));
}

static void make_motion(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a,
	const struct d3_shape *b, const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_motion *out)
{
	struct d3_vec_d first = {from_b->x - from_a->x, from_b->y - from_a->y, from_b->z - from_a->z};
	struct d3_vec_d way_a = {to_a->x - from_a->x, to_a->y - from_a->y, to_a->z - from_a->z};
	struct d3_vec_d way_b = {to_b->x - from_b->x, to_b->y - from_b->y, to_b->z - from_b->z};
	*out = (struct d3_motion){.frame = d3_exact_rot(from_a->q)};
	if (!is_centered(a))
		make_turn(from_a->q, to_a->q, &out->frame, &out->a);
	if (!is_centered(b))
		make_turn(from_b->q, to_b->q, &out->frame, &out->b);
	out->start = d3_mul_quat_d(conjugate(d3_exact_quat(from_a->q)), d3_exact_quat(from_b->q));
	set_ways(first, way_a, way_b, out);
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
	set_ways(d3_sub_d(sweep_b->from, sweep_a->from), d3_sub_d(sweep_a->to, sweep_a->from), d3_sub_d(sweep_b->to, sweep_b->from),
		out);
}

/* The rotation at t. Its quaternion needs the cosine and sine of half the angle. They follow from c and s, those of a quarter
 * of the angle, at most pi/4:
 *   cos = (c^2 - s^2) / (c^2 + s^2),  sin = 2 c s / (c^2 + s^2)
 * where c^2 + s^2 = 1 + e, and e^2 is negligible. */
static inline struct d3_quat_d turned_by(const struct d3_turning *turn, double t)
{
	double quarter = 0.25 * t * turn->angle;
	struct cos_sin_d part = quarter <= 0.25 * SCALAR_PI ? scalar_near_cos_sin_d(quarter) : scalar_cos_sin_d(quarter);
	double cc = part.cosine * part.cosine;
	double ss = part.sine * part.sine;
	double scale = 2 - (cc + ss);
	double sine = 2 * part.cosine * part.sine * scale;
	return (struct d3_quat_d){sine * turn->axis.x, sine * turn->axis.y, sine * turn->axis.z, (cc - ss) * scale};
}

static void set_moment(const struct d3_motion *motion, double t, struct moment *out)
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
	out->place.q = d3_quat_rot_d(q);
	out->place.p = d3_add_d(out->delta, d3_sub_d(motion->center_a, d3_turn_d(&out->place.q, motion->center_b)));
}

/* --- One pair ------------------------------------------------------------------------------------------------------------- */

/* The extents of a core. */
struct reach {
	double origin; /* from the rotation centre */
	double center; /* reach from `middle` */
	/* effective rotation centre, relative to the true one: 0 if the core rotates, else its middle */
	struct d3_vec_d middle;
	double axis; /* greatest distance from the axis of rotation */
	double wobble; /* of a solid of revolution, see find_wobble; else INFINITY */
};

/* The method of the distance query. */
enum look { LOOK_CAPSULES, LOOK_CORNERS, LOOK_CLOSED, LOOK_PAIR };

/* The features of the closest points, which n follows: a face or an edge that turns with its shape, two edges, or corners and
 * smooth surfaces. */
enum owner { OWNER_A, OWNER_B, OWNER_EDGES, OWNER_NONE };

/* GJK that continues from the last query. */
struct pursuit {
	struct d3_difference pair;
	struct d3_simplex simplex; /* of the last query */
	struct d3_transform_d last; /* B's transform then */
};

struct course {
	const struct d3_motion *motion;
	const struct d3_proxy *a, *b;
	struct reach reach_a, reach_b;
	double bend_a, bend_b; /* K of an n that turns with A, with B; negative: unknown */
	double target; /* the separation to keep */
	double tolerance; /* excess over the target at a hit */
	double skin; /* both radii, the target and half of the tolerance */
	enum look look;
	struct d3_capsule_core capsule_a, capsule_b; /* LOOK_CAPSULES: in their own frames */
	struct d3_corner_simplex corners; /* LOOK_CORNERS: of the last query */
	enum owner owner; /* of the last query */
	bool rolls; /* between two corners, or a corner and an edge: n follows its owner only roughly */
	uint32_t edge_a[2], edge_b[2]; /* the ends of the edges, if any */
	struct pursuit *pursuit; /* LOOK_PAIR */
	struct d3_impact_step *steps;
	int step_count;
};

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

/* Spin of a solid of revolution about its own axis y has no effect. Only the rotation y x y' counts, of rate s |w| with s = |y
 * x w|/|w|, which turns with w. So K is |w|^2 (s + s^2) times the reach from the middle, plus |w|^2 times the distance of the
 * middle from the axis of rotation. Returns K / |w|^2. `axis`: of the rotation, in the shape's frame. */
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

static struct d3_vec_d corners_middle(const struct d3_proxy *proxy)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	struct d3_vec low = points[0], high = low;
	for (uint32_t i = 1; i < proxy->count; ++i) {
		low = (struct d3_vec){min_f(low.x, points[i].x), min_f(low.y, points[i].y), min_f(low.z, points[i].z)};
		high = (struct d3_vec){max_f(high.x, points[i].x), max_f(high.y, points[i].y), max_f(high.z, points[i].z)};
	}
	return d3_scale_d(0.5, d3_add_d(d3_widen(low), d3_widen(high)));
}

/* `rotation`: the rotation centre, `axis`: of the rotation, both in the shape's frame. */
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
		struct d3_vec_d middle = corners_middle(proxy);
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

/* Exact reaches `axis`, for a search that takes long. */
static void refine_reaches(struct course *course)
{
	const struct d3_motion *motion = course->motion;
	if (course->a->type == D3_PROXY_POINTS && motion->a.angle > 0)
		course->reach_a.axis = reach_from_axis(course->a, motion->center_a, motion->a.axis);
	if (course->b->type == D3_PROXY_POINTS && motion->b.angle > 0)
		course->reach_b.axis = reach_from_axis(course->b, motion->center_b, d3_inv_turn_d(&motion->first.q, motion->b.axis));
}

/* As d3_proxy_size, but faster for up to two corners. */
static double size_of(const struct d3_proxy *proxy)
{
	if (proxy->type != D3_PROXY_POINTS || proxy->count > 2)
		return d3_proxy_size(proxy);
	const struct d3_vec *points = d3_proxy_points(proxy);
	struct d3_vec_d delta = d3_sub_d(d3_widen(points[proxy->count - 1]), d3_widen(points[0]));
	return 0.5 * max_d(abs_d(delta.x), max_d(abs_d(delta.y), abs_d(delta.z))) + proxy->radius;
}

/* --- Distance queries ----------------------------------------------------------------------------------------------------- */

static void make_capsule_core(const struct d3_proxy *proxy, struct d3_capsule_core *out)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	out->p = d3_widen(points[0]);
	out->delta = proxy->count > 1 ? d3_sub_d(d3_widen(points[1]), out->p) : (struct d3_vec_d){0, 0, 0};
	out->square = d3_dot_d(out->delta, out->delta);
	out->radius = proxy->radius;
}

static void forget(struct course *course)
{
	course->corners.count = course->pursuit->simplex.count = 0;
	course->reach_a.axis = course->motion->a.angle > 0 ? course->reach_a.origin : 0;
	course->reach_b.axis = course->motion->b.angle > 0 ? course->reach_b.origin : 0;
}

static void choose_look(struct course *course)
{
	const struct d3_proxy *a = course->a, *b = course->b;
	forget(course);
	if (a->type != D3_PROXY_POINTS || b->type != D3_PROXY_POINTS) {
		course->look = d3_separation_closed(a, b) ? LOOK_CLOSED : LOOK_PAIR;
		if (course->look == LOOK_PAIR)
			d3_make_difference(a, b, &course->motion->first, &course->pursuit->pair);
		return;
	}
	course->look = a->count <= 2 && b->count <= 2 ? LOOK_CAPSULES : LOOK_CORNERS;
	if (course->look == LOOK_CAPSULES) {
		make_capsule_core(a, &course->capsule_a);
		make_capsule_core(b, &course->capsule_b);
	}
}

/* GJK continued from the last simplex, whose vertices are moved with B. False: the cores are too near for GJK. */
static bool pair_gap(struct course *course, const struct d3_transform_d *b_in_a, struct d3_separation *gap)
{
	struct pursuit *pursuit = course->pursuit;
	struct d3_simplex *s = &pursuit->simplex;
	for (int i = 0; i < s->count; ++i) {
		s->v[i].b = d3_transform_point_d(b_in_a, d3_inv_transform_point_d(&pursuit->last, s->v[i].b));
		s->v[i].w = d3_sub_d(s->v[i].b, s->v[i].a);
	}
	pursuit->last = *b_in_a;
	struct d3_difference *pair = &pursuit->pair;
	const struct d3_proxy *b = course->b;
	pair->b.place = *b_in_a;
	if (b->type != D3_PROXY_POINTS)
		pair->b.place =
			(struct d3_transform_d){d3_transform_point_d(b_in_a, b->frame.p), d3_mul_rot_d(&b_in_a->q, &b->frame.q)};
	gap->iterations = 0;
	if (!d3_difference_nearest(pair, (struct d3_vec_d){0, 0, 0}, s, &gap->iterations, NULL))
		return false;
	double core = d3_length_d(s->nearest);
	if (!(core > near_tolerance * pair->scale))
		return false;
	gap->normal = d3_scale_d(1 / core, s->nearest);
	gap->distance = core - course->a->radius - course->b->radius;
	d3_simplex_points(s, &gap->point_a, &gap->point_b);
	gap->point_a = d3_mul_add_d(gap->point_a, course->a->radius, gap->normal);
	gap->point_b = d3_mul_add_d(gap->point_b, -course->b->radius, gap->normal);
	return true;
}

/* Sets owner and rolls from the numbers of corners that carry the closest points. */
static void set_owner(struct course *course, int count_a, int count_b)
{
	course->rolls = count_a + count_b <= 3;
	if (count_b == 1)
		course->owner = count_a == 1 ? OWNER_NONE : OWNER_A;
	else if (count_a == 1)
		course->owner = OWNER_B;
	else
		course->owner = count_a == 3 ? OWNER_A : count_b == 3 ? OWNER_B : OWNER_EDGES;
}

static bool capsules_separation(struct course *course, const struct d3_transform_d *b_in_a, struct d3_separation *gap)
{
	const struct d3_capsule_core *a = &course->capsule_a, *b = &course->capsule_b;
	struct d3_capsule_core there = {d3_transform_point_d(b_in_a, b->p), d3_turn_d(&b_in_a->q, b->delta), b->square, b->radius};
	double s, t;
	if (!d3_capsules_apart(a, &there, &s, &t, gap))
		return false;
	set_owner(course, s > 0 && s < 1 ? 2 : 1, t > 0 && t < 1 ? 2 : 1);
	course->edge_a[0] = course->edge_b[0] = 0;
	course->edge_a[1] = course->edge_b[1] = 1;
	return true;
}

/* The number of different corners; edge: the first two. */
static int different_corners(const uint32_t *corners, int count, uint32_t edge[2])
{
	int different = 1;
	edge[0] = edge[1] = corners[0];
	for (int i = 1; i < count; ++i) {
		if (corners[i] == edge[0] || corners[i] == edge[1])
			continue;
		if (++different == 2)
			edge[1] = corners[i];
	}
	return different;
}

static bool corners_gap(struct course *course, const struct d3_transform_d *b_in_a, struct d3_separation *gap)
{
	struct d3_corner_simplex *corners = &course->corners;
	if (d3_corners_follow(course->a, course->b, b_in_a, corners, gap) != D3_APART) {
		corners->count = 0;
		return false;
	}
	int count_a = different_corners(corners->a, corners->count, course->edge_a);
	set_owner(course, count_a, different_corners(corners->b, corners->count, course->edge_b));
	return true;
}

static void look(struct course *course, const struct moment *now, struct d3_separation *gap)
{
	course->owner = OWNER_NONE;
	course->rolls = false;
	bool found = false;
	if (course->look == LOOK_CAPSULES)
		found = capsules_separation(course, &now->place, gap);
	else if (course->look == LOOK_CORNERS)
		found = corners_gap(course, &now->place, gap);
	else if (course->look == LOOK_PAIR)
		found = pair_gap(course, &now->place, gap);
	if (!found)
		d3_separation_find(course->a, course->b, &now->place, gap);
}

/* --- Headings ------------------------------------------------------------------------------------------------------------- */

/* A point of each core, in A's frame, and their relative velocity, seen from a frame that does not rotate. */
struct points {
	/* from_a, from_b: from the rotation centres; between: from A's point to B's */
	struct d3_vec_d from_a, from_b, between, speed;
};

static inline struct d3_vec_d speed_of(const struct course *course, const struct moment *now, const struct points *p)
{
	return d3_add_d(now->v, d3_sub_d(d3_cross_d(now->w, p->from_b), d3_cross_d(course->motion->a.w, p->from_a)));
}

static inline void set_points(
	const struct course *course, const struct moment *now, struct d3_vec_d on_a, struct d3_vec_d on_b, struct points *out)
{
	out->from_a = d3_sub_d(on_a, course->motion->center_a);
	out->from_b = d3_turn_d(&now->place.q, d3_sub_d(on_b, course->motion->center_b));
	out->between = d3_sub_d(d3_add_d(now->delta, out->from_b), out->from_a);
	out->speed = speed_of(course, now, out);
}

/* The cores' points of this separation. */
static inline void gap_points(
	const struct course *course, const struct moment *now, const struct d3_separation *gap, struct points *out)
{
	struct d3_vec_d on_a = d3_mul_add_d(gap->point_a, -course->a->radius, gap->normal);
	out->from_a = d3_sub_d(on_a, course->motion->center_a);
	out->between = d3_scale_d(gap->distance + course->a->radius + course->b->radius, gap->normal);
	out->from_b = d3_sub_d(d3_add_d(out->from_a, out->between), now->delta);
	out->speed = speed_of(course, now, out);
}

/* How n moves: it is fixed, turns with A or with B or at a rate w [rad/step] of its own, or is eA x eB, perpendicular to two
 * edges. The length of eA x eB is the sine of the edges' angle, and f is scaled by it. */
enum heading_type { HEADING_STANDS, HEADING_WITH_A, HEADING_WITH_B, HEADING_TURNS, HEADING_EDGES };

struct heading {
	enum heading_type type;
	/* WITH_A: in A's frame; WITH_B: in B's; EDGES: A's edge, a unit vector in A's frame; else in the frame of the start */
	struct d3_vec_d n;
	struct d3_vec_d other; /* EDGES: B's edge in B's frame, with the sign for which n points from A to B */
	struct d3_vec_d held; /* WITH_A: A's point farthest along n; WITH_B: B's farthest against n; in its own frame */
	struct d3_vec_d w, axis; /* TURNS: in the frame of the start; axis: a unit vector */
	double turn; /* TURNS: the length of w */
	double t; /* TURNS: the time at which the direction is n */
	double bend; /* K [length/step^2] */
};

static double standing_bend(const struct reach *reach, const struct d3_turning *turn, struct d3_vec_d n)
{
	if (turn->angle == 0)
		return 0;
	double across = d3_length_d(d3_cross_d(n, turn->w)) * turn->angle * reach->axis;
	return reach->wobble < INFINITY ? min_d(across, turn->angle * turn->angle * reach->wobble) : across;
}

static double turning_bend(const struct reach *reach, const struct d3_turning *turn, struct d3_vec_d w)
{
	struct d3_vec_d relative = d3_sub_d(turn->w, w);
	return (d3_dot_d(relative, relative) + d3_length_d(d3_cross_d(relative, w))) * reach->center;
}

static double frame_bend(const struct course *course, struct d3_vec_d w)
{
	const struct d3_motion *motion = course->motion;
	double own = turning_bend(&course->reach_a, &motion->a, w) + turning_bend(&course->reach_b, &motion->b, w);
	double turn = d3_length_d(w);
	if (turn == 0)
		return own;
	/* A core that does not rotate is located by its middle. */
	struct d3_vec_d middles = d3_sub_d(d3_turn_d(&motion->first.q, course->reach_b.middle), course->reach_a.middle);
	struct d3_vec_d first = d3_add_d(motion->p, middles), last = d3_add_d(first, motion->v);
	double far = sqrt(max_d(d3_dot_d(first, first), d3_dot_d(last, last)));
	return own + turn * (turn * far + 2 * d3_length_d(motion->v));
}

static double bend_with_a(struct course *course)
{
	if (course->bend_a < 0)
		course->bend_a = frame_bend(course, course->motion->a.w);
	return course->bend_a;
}

static double bend_with_b(struct course *course)
{
	if (course->bend_b < 0)
		course->bend_b = frame_bend(course, course->motion->b.w);
	return course->bend_b;
}

/* The farthest corner. Two chains, because each comparison depends on the one before. */
static inline struct d3_vec_d farthest_corner(const struct d3_vec *points, uint32_t count, struct d3_vec_d d)
{
	uint32_t best = 0, other = 0;
	double far = points[0].x * d.x + points[0].y * d.y + points[0].z * d.z, far_other = far;
	for (uint32_t i = 1; i + 1 < count; i += 2) {
		double along = points[i].x * d.x + points[i].y * d.y + points[i].z * d.z;
		double along_other = points[i + 1].x * d.x + points[i + 1].y * d.y + points[i + 1].z * d.z;
		best = along > far ? i : best;
		far = max_d(along, far);
		other = along_other > far_other ? i + 1 : other;
		far_other = max_d(along_other, far_other);
	}
	if (count % 2 == 0) {
		double along = points[count - 1].x * d.x + points[count - 1].y * d.y + points[count - 1].z * d.z;
		best = along > far ? count - 1 : best;
		far = max_d(along, far);
	}
	return d3_widen(points[far_other > far ? other : best]);
}

/* The farthest point; for a half-space, the point of its plane along the normal. */
static inline struct d3_vec_d core_farthest(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	if (proxy->type == D3_PROXY_POINTS)
		return farthest_corner(d3_proxy_points(proxy), proxy->count, d);
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return d3_scale_d(proxy->offset, proxy->normal);
	return d3_core_support(proxy, d);
}

static void head_with_a(struct course *course, const struct d3_separation *gap, struct heading *out)
{
	out->type = HEADING_WITH_A;
	out->n = gap->normal;
	out->held = course->owner == OWNER_A ? d3_mul_add_d(gap->point_a, -course->a->radius, gap->normal)
										 : core_farthest(course->a, gap->normal);
	out->bend = bend_with_a(course);
}

static void head_with_b(struct course *course, const struct moment *now, const struct d3_separation *gap, struct heading *out)
{
	out->type = HEADING_WITH_B;
	out->n = d3_inv_turn_d(&now->place.q, gap->normal);
	out->held = core_farthest(course->b, d3_neg_d(out->n));
	out->bend = bend_with_b(course);
}

static void head_as_it_stands(const struct course *course, const struct moment *now, struct d3_vec_d n, struct heading *out)
{
	struct d3_vec_d there = d3_turn_d(&now->home, n);
	out->type = HEADING_STANDS;
	out->n = there;
	out->bend =
		standing_bend(&course->reach_a, &course->motion->a, there) + standing_bend(&course->reach_b, &course->motion->b, there);
}

/* The edge's direction, in its own frame. */
static struct d3_vec_d edge_of(const struct d3_proxy *proxy, const uint32_t ends[2])
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	struct d3_vec_d delta = d3_sub_d(d3_widen(points[ends[1]]), d3_widen(points[ends[0]]));
	return d3_scale_d(1 / d3_length_d(delta), delta);
}

/* Between nearly parallel edges, or corners that pass each other closely, n turns faster than either shape, and the separation
 * along the last n is soon 0: a step gains 2 % of the distance. So n goes on turning at its mean rate since the step `before`,
 * in the frame of the start. */
static void head_on_turning(const struct course *course, const struct moment *now, struct d3_vec_d n,
	const struct d3_impact_step *before, struct heading *out)
{
	struct d3_vec_d there = d3_turn_d(&now->home, n);
	out->type = HEADING_TURNS;
	out->n = there;
	out->t = now->t;
	out->w = d3_scale_d(1 / (now->t - before->t), d3_cross_d(before->normal, there));
	out->turn = d3_length_d(out->w);
	out->axis = out->turn > 0 ? d3_scale_d(1 / out->turn, out->w) : out->w;
	out->bend = frame_bend(course, out->w);
}

/* n = eA x eB, with the edges that the closest points are on. Unlike the unit normal, this n does not turn faster as the edges
 * become parallel. With y = b - a for any points and e' = w x e, (n.y)'' is at most
 *   K = |n''| |y| + 2 |n'| |y'| + |n| |y''|,  |n'| <= |eA'| + |eB'|,  |n''| <= |wA| |eA'| + |wB| |eB'| + 2 |eA'| |eB'|
 * and |n|, which scales the skin, has a second derivative of at least -|n''|. */
static void head_across(const struct course *course, const struct moment *now, struct d3_vec_d n, struct heading *out)
{
	const struct d3_turning *a = &course->motion->a, *b = &course->motion->b;
	struct d3_vec_d edge_a = edge_of(course->a, course->edge_a), edge_b = edge_of(course->b, course->edge_b);
	struct d3_vec_d there = d3_turn_d(&now->place.q, edge_b);
	out->type = HEADING_EDGES;
	out->n = edge_a;
	out->other = d3_dot_d(d3_cross_d(edge_a, there), n) < 0 ? d3_neg_d(edge_b) : edge_b;
	double rate_a = d3_length_d(d3_cross_d(a->w, edge_a)), rate_b = d3_length_d(d3_cross_d(now->w, there));
	double rate = rate_a + rate_b, second = a->angle * rate_a + b->angle * rate_b + 2 * rate_a * rate_b;
	const struct reach *reach_a = &course->reach_a, *reach_b = &course->reach_b;
	double speed = d3_length_d(now->v) + a->angle * reach_a->axis + b->angle * reach_b->axis;
	double swing = a->angle * a->angle * reach_a->axis + b->angle * b->angle * reach_b->axis;
	out->bend = second * (course->motion->far + reach_a->origin + reach_b->origin + course->skin) + 2 * rate * speed + swing;
}

/* Below this sine of the edges' angle the direction perpendicular to both is uncertain. */
static const double parallel_sine = 0.05;

/* Chooses n by the closest features. n turns with a half-space, as the separation along any other direction is -INFINITY. */
static void head_by_owner(
	struct course *course, const struct moment *now, const struct d3_separation *gap, bool slow, struct heading *out)
{
	if (course->a->type == D3_PROXY_HALF_SPACE || course->owner == OWNER_A) {
		head_with_a(course, gap, out);
		return;
	}
	if (course->b->type == D3_PROXY_HALF_SPACE || course->owner == OWNER_B) {
		head_with_b(course, now, gap, out);
		return;
	}
	if (course->owner == OWNER_EDGES) {
		head_across(course, now, gap->normal, out);
		struct d3_vec_d across = d3_cross_d(out->n, d3_turn_d(&now->place.q, out->other));
		if (d3_dot_d(across, across) > parallel_sine * parallel_sine)
			return;
	}
	head_as_it_stands(course, now, gap->normal, out);
	if (!slow && course->owner == OWNER_NONE)
		return;
	if (course->motion->a.angle > 0 && bend_with_a(course) < out->bend)
		head_with_a(course, gap, out);
	if (course->motion->b.angle > 0 && bend_with_b(course) < out->bend)
		head_with_b(course, now, gap, out);
}

/* Rodrigues' formula, about a unit axis. */
static struct d3_vec_d turned_about(struct d3_vec_d axis, struct cos_sin_d turn, struct d3_vec_d v)
{
	struct d3_vec_d sum = d3_mul_add_d(d3_scale_d(turn.cosine, v), turn.sine, d3_cross_d(axis, v));
	return d3_mul_add_d(sum, (1 - turn.cosine) * d3_dot_d(axis, v), axis);
}

/* --- The separation along a heading --------------------------------------------------------------------------------------- */

/* f minus the skin, positive where the separation exceeds the target; rate, second: derivatives of the least g. */
struct separation {
	double f, rate, second;
	double length; /* of n */
};

/* n at present and its rotation rate *w, both in A's frame. Not for EDGES. */
static inline void heading_now(const struct course *course, const struct heading *heading, const struct moment *now,
	struct d3_vec_d *n, struct d3_vec_d *w)
{
	*w = (struct d3_vec_d){0, 0, 0};
	if (heading->type == HEADING_WITH_A) {
		*n = heading->n;
		*w = course->motion->a.w;
	} else if (heading->type == HEADING_WITH_B) {
		*n = d3_turn_d(&now->place.q, heading->n);
		*w = now->w;
	} else {
		*n = heading->n;
		if (heading->type == HEADING_TURNS) {
			*n = turned_about(heading->axis, scalar_cos_sin_d(heading->turn * (now->t - heading->t)), *n);
			*w = d3_inv_turn_d(&now->home, heading->w);
		}
		*n = d3_inv_turn_d(&now->home, *n);
	}
}

/* n . w x (w x r) */
static inline double centripetal(struct d3_vec_d n, struct d3_vec_d w, struct d3_vec_d r)
{
	return d3_dot_d(w, n) * d3_dot_d(w, r) - d3_dot_d(w, w) * d3_dot_d(n, r);
}

/* With e' = w x e, the derivatives of n = eA x eB and of |n| follow from the product rule. */
static void separation_of_edges(
	const struct course *course, const struct heading *heading, const struct moment *now, struct separation *out)
{
	struct d3_vec_d wa = course->motion->a.w;
	struct d3_vec_d a = heading->n;
	struct d3_vec_d b = d3_turn_d(&now->place.q, heading->other);
	struct d3_vec_d n = d3_cross_d(a, b);
	struct d3_vec_d a1 = d3_cross_d(wa, a), b1 = d3_cross_d(now->w, b), a2 = d3_cross_d(wa, a1), b2 = d3_cross_d(now->w, b1);
	struct d3_vec_d n1 = d3_add_d(d3_cross_d(a1, b), d3_cross_d(a, b1));
	struct d3_vec_d n2 = d3_mul_add_d(d3_add_d(d3_cross_d(a2, b), d3_cross_d(a, b2)), 2, d3_cross_d(a1, b1));
	struct points p;
	set_points(
		course, now, core_farthest(course->a, n), core_farthest(course->b, d3_neg_d(d3_inv_turn_d(&now->place.q, n))), &p);
	double length = d3_length_d(n), along = length > 0 ? d3_dot_d(n, n1) / length : 0;
	double bend = length > 0 ? (d3_dot_d(n1, n1) + d3_dot_d(n, n2) - along * along) / length : 0;
	out->length = length;
	out->f = d3_dot_d(n, p.between) - course->skin * length;
	out->rate = d3_dot_d(n1, p.between) + d3_dot_d(n, p.speed) - course->skin * along;
	out->second = d3_dot_d(n2, p.between) + 2 * d3_dot_d(n1, p.speed) + centripetal(n, now->w, p.from_b) -
		centripetal(n, wa, p.from_a) - course->skin * bend;
}

/* The derivatives for an n that turns at the rate w; p: the points farthest along n. */
static inline void set_rates(const struct course *course, const struct moment *now, struct d3_vec_d n, struct d3_vec_d w,
	const struct points *p, struct separation *out)
{
	struct d3_vec_d rate = d3_cross_d(w, n);
	out->length = 1;
	out->rate = d3_dot_d(rate, p->between) + d3_dot_d(n, p->speed);
	out->second = centripetal(p->between, w, n) + 2 * d3_dot_d(rate, p->speed) + centripetal(n, now->w, p->from_b) -
		centripetal(n, course->motion->a.w, p->from_a);
}

static void separation_at(
	const struct course *course, const struct heading *heading, const struct moment *now, struct separation *out)
{
	if (heading->type == HEADING_EDGES) {
		separation_of_edges(course, heading, now, out);
		return;
	}
	struct d3_vec_d n, w;
	heading_now(course, heading, now, &n, &w);
	struct d3_vec_d on_a = heading->held, on_b = heading->held;
	if (heading->type != HEADING_WITH_A)
		on_a = core_farthest(course->a, n);
	if (heading->type != HEADING_WITH_B)
		on_b = core_farthest(course->b, d3_neg_d(d3_inv_turn_d(&now->place.q, n)));
	struct points p;
	set_points(course, now, on_a, on_b, &p);
	out->f = d3_dot_d(n, p.between) - course->skin;
	set_rates(course, now, n, w, &p, out);
}

/* f at the query, whose points are the farthest along its normal. For edges, and where GJK may have stopped early, f is
 * computed anew. */
static void first_separation(const struct course *course, const struct heading *heading, const struct moment *now,
	const struct d3_separation *gap, struct separation *out)
{
	if (heading->type == HEADING_EDGES || course->look == LOOK_PAIR) {
		separation_at(course, heading, now, out);
		return;
	}
	struct d3_vec_d n = gap->normal, w = {0, 0, 0};
	if (heading->type == HEADING_WITH_A)
		w = course->motion->a.w;
	else if (heading->type == HEADING_WITH_B)
		w = now->w;
	else if (heading->type == HEADING_TURNS)
		w = d3_inv_turn_d(&now->home, heading->w);
	struct points p;
	gap_points(course, now, gap, &p);
	out->f = gap->distance + course->a->radius + course->b->radius - course->skin;
	set_rates(course, now, n, w, &p, out);
}

/* The time at which c + rate t + second t^2/2 falls to 0; INFINITY: never. */
static double likely_root(double c, double rate, double second)
{
	double under = rate * rate - 2 * second * c;
	if (!(under >= 0) || (rate >= 0 && !(second < 0)))
		return INFINITY;
	return rate < 0 ? 2 * c / (sqrt(under) - rate) : (rate + sqrt(under)) / -second;
}

/* The longest step over which the bound in the file's head stays positive, if f follows its derivatives. The bound is positive
 * over a whole step h while h sqrt(K/2) < sqrt f1 + sqrt f2. */
static double promising_step(const struct separation *now, double bend, double aim)
{
	double step = likely_root(max_d(now->f - aim * now->length, 0), now->rate, now->second);
	if (0.5 * bend * step * step <= now->f)
		return step;
	double q = sqrt(0.5 * bend), root = sqrt(now->f);
	return q > 0 ? min_d(max_d(now->rate / q + 2 * root, root) / q, step) : step;
}

/* The time, after the first of two that are h apart, at which the bound falls to 0; h if it does not. */
static double free_step(double first, double second, double h, double bend)
{
	if (second >= 0 && 0.5 * bend * h * h <= first)
		return h;
	double b = (first - second) / h + 0.5 * bend * h, under = b * b - 2 * bend * first;
	if (second >= 0 && (b <= 0 || under < 0))
		return h;
	return min_d(2 * first / (b + sqrt(max_d(under, 0))), h);
}

/* The time up to which f surely stays positive, by a few steps; *reached: where the last step led. Ends with the first step
 * that is cut short, as a distance query tells more than another step along the same n, or when f is within the tolerance. If
 * course->rolls, n soon changes: then also when f is below slow_tolerance times the first f. */
static double separation_advance(const struct course *course, const struct heading *heading, double t,
	const struct separation *first, double limit, double tolerance, struct moment *reached)
{
	enum { STEPS = 64 };
	struct separation now = *first, then;
	double enough = max_d(0.5 * tolerance * now.length, course->rolls ? slow_tolerance * now.f : 0);
	for (int i = 0; i < STEPS && now.f > enough && t < limit; ++i) {
		double next = min_d(t + promising_step(&now, heading->bend, 0.25 * tolerance), limit), h = next - t;
		if (!(h > 0))
			break;
		set_moment(course->motion, next, reached);
		separation_at(course, heading, reached, &then);
		double step = free_step(now.f, then.f, h, heading->bend);
		if (step < h)
			return t + step;
		t = next;
		now = then;
	}
	return t;
}

/* --- Advancement ---------------------------------------------------------------------------------------------------------- */

/* In A's frame at the start, relative to A's rotation centre there. */
static void course_result(const struct course *course, enum d3_impact_state state, double t, const struct moment *now,
	const struct d3_separation *gap, int iterations, struct d3_impact_result *out)
{
	out->state = state;
	out->t = t;
	out->normal = d3_turn_d(&now->home, gap->normal);
	struct d3_vec_d middle = d3_sub_d(d3_scale_d(0.5, d3_add_d(gap->point_a, gap->point_b)), course->motion->center_a);
	out->p = d3_mul_add_d(d3_turn_d(&now->home, middle), now->t, course->motion->own);
	out->iterations = iterations;
}

static bool has_half_space(const struct course *course)
{
	return course->a->type == D3_PROXY_HALF_SPACE || course->b->type == D3_PROXY_HALF_SPACE;
}

/* Two half-spaces with different rotation rates are in contact at once, somewhere far away. */
static bool meets_far_away(const struct course *course)
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

/* The rounding error of a distance, and of t for long displacements. */
static double rounding_of(const struct course *course)
{
	return 1e-15 * (course->motion->far + course->reach_a.origin + course->reach_b.origin);
}

/* The time up to which there is no contact, with n chosen by the closest features; after repeated slow steps also with an n
 * that goes on turning, and finally with all. slow: number of slow steps; before->normal is in the frame of the start. */
static double free_until(struct course *course, const struct moment *now, const struct d3_separation *gap, double limit,
	const struct d3_impact_step *before, double tolerance, int slow, struct moment *reached)
{
	struct heading heading;
	struct separation first;
	head_by_owner(course, now, gap, slow > 0, &heading);
	first_separation(course, &heading, now, gap, &first);
	double best = separation_advance(course, &heading, now->t, &first, limit, tolerance, reached);
	if (!(best < limit) || slow < 2 || has_half_space(course))
		return best;
	for (int i = 0; i < (slow > 3 ? 5 : 1) && best < limit; ++i) {
		struct moment other;
		if (i == 0)
			head_on_turning(course, now, gap->normal, before, &heading);
		else if (i == 1)
			head_as_it_stands(course, now, gap->normal, &heading);
		else if (i == 2)
			head_with_a(course, gap, &heading);
		else if (i == 3)
			head_with_b(course, now, gap, &heading);
		else if (course->owner == OWNER_EDGES)
			head_across(course, now, gap->normal, &heading);
		else
			continue;
		first_separation(course, &heading, now, gap, &first);
		double next = separation_advance(course, &heading, now->t, &first, limit, tolerance, &other);
		if (next > best) {
			best = next;
			*reached = other;
		}
	}
	return best;
}

/* Widened balls around both cores, about the rotation centres, on straight paths. *t: when their distance has shrunk to the
 * target and 3/4 of the tolerance, or 0 if it starts within a few tolerances of that. False: it stays greater, and *out is the
 * miss of the balls. */
static bool balls_meet(const struct course *course, double max_t, double *t, struct d3_impact_result *out)
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
	*out = (struct d3_impact_result){.state = D3_IMPACT_SEPARATED, .t = max_t, .normal = normal, .iterations = 1};
	out->p = d3_mul_add_d(course->reach_a.middle, 0.5 * (sqrt(square) + reach_a - reach_b), normal);
	return false;
}

static void look_on(struct course *course, const struct moment *now, const struct d3_separation *gap)
{
	if (course->steps)
		course->steps[course->step_count++] =
			(struct d3_impact_step){now->t, gap->distance, d3_turn_d(&now->home, gap->normal)};
}

/* The time of the first query, not before `from`: when the balls meet, or `from` if steps are recorded and the balls miss.
 * *apart: the pair starts more than a few tolerances from the target. False: *out is the result. */
static bool find_start(struct course *course, double from, double max_t, double *t, bool *apart, struct d3_impact_result *out)
{
	*t = 0;
	*apart = false;
	course->step_count = 0;
	bool meet = has_half_space(course) || balls_meet(course, max_t, t, out);
	if (!meet && !course->steps)
		return false;
	*apart = *t > 0;
	/* The recorded steps begin with the shapes' own distance. */
	if (meet && *t > from && course->steps) {
		struct moment now;
		struct d3_separation gap;
		set_moment(course->motion, from, &now);
		look(course, &now, &gap);
		look_on(course, &now, &gap);
		forget(course);
	}
	*t = meet ? max_d(*t, from) : from;
	return true;
}

/* Adapts the target, and returns the tolerance, for a pair that starts within two tolerances of the target and may slide along
 * or separate. gap: at t. */
static double start_within(struct course *course, double t, double gap)
{
	double tolerance = course->tolerance;
	if (t > 0 && gap < course->target + 2 * tolerance) {
		struct moment start;
		struct d3_separation first;
		set_moment(course->motion, 0, &start);
		d3_separation_find(course->a, course->b, &start.place, &first);
		gap = first.distance;
	}
	if (!(course->target > 0))
		return min_d(tolerance, 0.5 * gap);
	course->target = min_d(course->target, gap - 2 * tolerance);
	return tolerance;
}

/* Searches from `from`, up to which there is no contact, to max_t. */
static void advance(struct course *course, double from, double max_t, struct d3_impact_result *out)
{
	double t, tolerance = course->tolerance, rounding = rounding_of(course);
	struct moment moments[2], *now = &moments[0], *reached = &moments[1];
	struct d3_impact_step before = {.distance = INFINITY};
	struct d3_separation gap;
	bool apart;
	if (!find_start(course, from, max_t, &t, &apart, out))
		return;
	int i = t == from ? 0 : 1, slow = 0; /* the balls count as a query */
	bool first = true;
	set_moment(course->motion, t, now);
	*reached = *now;
	for (; i < D3_IMPACT_ITERATIONS; ++i) {
		look(course, now, &gap);
		look_on(course, now, &gap);
		if (t == 0 && gap.distance <= course->target + rounding) {
			course_result(course, D3_IMPACT_OVERLAPPING, 0, now, &gap, 1, out);
			return;
		}
		if (first && !apart)
			tolerance = start_within(course, t, gap.distance);
		tolerance = max_d(tolerance, 4 * rounding);
		first = false;
		course->skin = course->a->radius + course->b->radius + course->target + 0.5 * tolerance;
		if (gap.distance <= course->target + tolerance || meets_far_away(course)) {
			course_result(course, D3_IMPACT_HIT, t, now, &gap, i + 1, out);
			return;
		}
		slow = gap.distance - course->target > slow_tolerance * (before.distance - course->target) ? slow + 1 : 0;
		if (slow == 2)
			refine_reaches(course);
		double next = free_until(course, now, &gap, max_t, &before, tolerance, slow, reached);
		if (next == t) {
			double closing = closing_speed(course, now, gap.normal);
			next = closing > 0 ? t + (gap.distance - course->target - 0.5 * tolerance) / closing : max_t;
		}
		if (!(next < max_t)) {
			course_result(course, D3_IMPACT_SEPARATED, max_t, now, &gap, i + 1, out);
			return;
		}
		if (!(next > t))
			break;
		before = (struct d3_impact_step){t, gap.distance, d3_turn_d(&now->home, gap.normal)};
		t = next;
		struct moment *other = now;
		now = reached;
		reached = other;
		if (now->t != t)
			set_moment(course->motion, t, now);
	}
	/* No step advances t: the pair touches from the start, and its tolerance, half of the separation, is as good as 0. */
	look(course, now, &gap);
	course_result(
		course, gap.distance <= course->target + course->tolerance ? D3_IMPACT_HIT : D3_IMPACT_FAILED, t, now, &gap, i, out);
}

static void prepare(struct course *course)
{
	const struct d3_motion *motion = course->motion;
	struct d3_vec_d axis_b = d3_inv_turn_d(&motion->first.q, motion->b.axis);
	make_reach(course->a, motion->center_a, motion->a.angle > 0, motion->a.axis, &course->reach_a);
	make_reach(course->b, motion->center_b, motion->b.angle > 0, axis_b, &course->reach_b);
	choose_look(course);
}

void d3_time_of_impact(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_motion *motion, double target,
	double tolerance, double max_t, struct d3_impact_result *out)
{
	struct pursuit pursuit;
	struct course course = {.motion = motion,
		.a = a,
		.b = b,
		.bend_a = -1,
		.bend_b = -1,
		.target = target,
		.tolerance = tolerance,
		.pursuit = &pursuit};
	prepare(&course);
	advance(&course, 0, max_t, out);
}

/* --- Any two shapes ------------------------------------------------------------------------------------------------------- */

/* A result replaces that of earlier pairs of children if its time is earlier or its state more definite. */
static bool comes_before(const struct d3_impact_result *a, const struct d3_impact_result *b)
{
	if (a->state == D3_IMPACT_OVERLAPPING)
		return b->state != D3_IMPACT_OVERLAPPING;
	return a->state != D3_IMPACT_SEPARATED && (b->state == D3_IMPACT_SEPARATED || a->t < b->t);
}

struct search {
	const struct d3_pair *pair;
	const struct d3_motion *motion;
	struct d3_impact_step *steps;
	int kept, iterations;
	bool any;
	struct d3_impact_result best;
	double from, to, limit; /* the time slice searched; limit: the end, as a fraction of the slice */
};

/* Whether all of the other shape moves away from the front of a one-sided child. Points of a rotating shape may still come
 * nearer, by the shape's angle times its extent. */
static bool child_left(const struct search *search, uint32_t child_a, uint32_t child_b)
{
	const struct d3_motion *motion = search->motion;
	const struct d3_shape *a = search->pair->a, *b = search->pair->b;
	double by_a = motion->a.angle > 0 ? motion->a.angle * a->extent : 0;
	double by_b = motion->b.angle > 0 ? motion->b.angle * b->extent : 0;
	if (a->one_sided && d3_child_left(a, child_a, motion->v, by_b + (motion->a.angle > 0 ? INFINITY : 0)))
		return true;
	return b->one_sided &&
		d3_child_left(
			b, child_b, d3_neg_d(d3_inv_turn_d(&motion->first.q, motion->v)), by_a + (motion->b.angle > 0 ? INFINITY : 0));
}

static void visit_pair(void *context, uint32_t child_a, uint32_t child_b)
{
	struct search *search = context;
	const struct d3_motion *motion = search->motion;
	if ((search->pair->a->one_sided || search->pair->b->one_sided) && child_left(search, child_a, child_b))
		return;
	struct pursuit pursuit;
	struct d3_proxy a, b;
	struct course course = {.motion = motion, .a = &a, .b = &b, .bend_a = -1, .bend_b = -1, .pursuit = &pursuit};
	d3_make_proxy(search->pair->a, child_a, &a);
	d3_make_proxy(search->pair->b, child_b, &b);
	double size = min_d(size_of(&a), size_of(&b));
	course.tolerance = size < INFINITY ? gap_tolerance * size : gap_tolerance;
	prepare(&course);
	struct d3_impact_result result;
	/* The first hit is kept, and other pairs are searched only up to its time. Their steps would overwrite those of the hit. */
	course.steps = search->best.state == D3_IMPACT_SEPARATED ? search->steps : NULL;
	double end = min_d(search->best.t, search->to);
	advance(&course, search->from, end, &result);
	search->iterations += result.iterations;
	if (comes_before(&result, &search->best) || !search->any) {
		if (course.steps == NULL && search->steps) {
			course.steps = search->steps;
			forget(&course);
			advance(&course, search->from, end, &result);
		}
		search->best = result;
		if (result.state == D3_IMPACT_SEPARATED)
			search->best.t = 1;
		else
			search->limit =
				result.state == D3_IMPACT_OVERLAPPING ? -1 : max_d((result.t - search->from) / (search->to - search->from), 0);
	}
	search->any = true;
	if (course.steps)
		search->kept = course.step_count;
}

/* The distance of the farthest corner of the shape's root AABB from the shape's origin. */
static double box_reach(const struct d3_shape *shape)
{
	struct d3_node root;
	d3_shape_node(shape, 0, &root);
	double x = max_d(abs_d((double)root.lower.x), abs_d((double)root.upper.x));
	double y = max_d(abs_d((double)root.lower.y), abs_d((double)root.upper.y));
	return d3_length_d((struct d3_vec_d){x, y, max_d(abs_d((double)root.lower.z), abs_d((double)root.upper.z))});
}

/* The tree traversal treats one shape as moving straight, seen from the other, with its rotation at the middle of a time slice
 * of length h. Its points at a distance r from its origin are off by at most half of the slice's rotation times r. Its path is
 * off a straight line by h^2/8 times its second derivative, in a rotating frame: |w|^2 |p| + 2 |w| |v|. */
struct slices {
	bool by_b; /* A moves, seen from B: A is the smaller shape */
	double reach, turn, bend; /* of the moving shape; relative rotation of both; second derivative of the path */
	double start, end; /* the balls around both shapes are separated before and after */
	int count;
};

enum { SLICES = 64 };
/* Boxes are widened by at most this fraction of the smaller shape, unless SLICES limits the number of slices. */
static const double slice_tolerance = 1.0 / 16;

/* False: the balls around both shapes never overlap. */
static bool make_slices(const struct search *search, struct slices *out)
{
	const struct d3_motion *motion = search->motion;
	double reach_a = box_reach(search->pair->a);
	double reach_b = box_reach(search->pair->b);
	double reach = (reach_a + reach_b) * (1 + 1e-12);
	double along = d3_dot_d(motion->p, motion->v);
	double vv = d3_dot_d(motion->v, motion->v);
	double c = d3_dot_d(motion->p, motion->p) - reach * reach;
	double under = along * along - vv * c;
	out->start = 0;
	out->end = 1;
	if (c > 0 && !(along < 0 && under >= 0))
		return false;
	if (under >= 0 && vv > 0) {
		double root = sqrt(under);
		out->start = c > 0 ? max_d(c / (root - along) * (1 - 1e-12), 0) : 0;
		out->end = min_d((root - along) / vv * (1 + 1e-12), 1);
	}
	out->by_b = reach_a < reach_b;
	out->reach = out->by_b ? reach_a : reach_b;
	out->turn = d3_length_d(d3_sub_d(motion->a.w, motion->b.w));
	double w = out->by_b ? motion->b.angle : motion->a.angle, most = slice_tolerance * out->reach, span = out->end - out->start;
	out->bend = w * w * motion->far + 2 * w * sqrt(vv);
	double count = max_d(span * out->turn * out->reach / most, span * sqrt(out->bend / (4 * most)));
	out->count = count < SLICES ? 1 + (int)count : SLICES;
	return out->start < out->end;
}

static void visit_turned_round(void *context, uint32_t child_b, uint32_t child_a)
{
	visit_pair(context, child_a, child_b);
}

static void sweep_slice(struct search *search, const struct slices *slices)
{
	struct moment first, middle, last;
	double h = search->to - search->from;
	set_moment(search->motion, search->from, &first);
	set_moment(search->motion, 0.5 * (search->from + search->to), &middle);
	set_moment(search->motion, search->to, &last);
	double margin = 0.5 * h * slices->turn * slices->reach + 0.125 * h * h * slices->bend;
	margin = margin > 0 ? margin * (1 + 1e-12) + 1e-12 * (slices->reach + search->motion->far) : 0;
	struct d3_transform_d place = {first.place.p, middle.place.q};
	struct d3_vec_d to = last.place.p;
	const struct d3_shape *a = search->pair->a, *b = search->pair->b;
	if (slices->by_b) {
		const struct d3_rot_d q = middle.place.q;
		place.p = d3_neg_d(d3_inv_turn_d(&first.place.q, first.place.p));
		to = d3_neg_d(d3_inv_turn_d(&last.place.q, last.place.p));
		place.q = (struct d3_rot_d){{q.x.x, q.y.x, q.z.x}, {q.x.y, q.y.y, q.z.y}, {q.x.z, q.y.z, q.z.z}};
		d3_pair_sweep(b, a, &place, d3_sub_d(place.p, to), 0, margin, &search->limit, visit_turned_round, search);
	} else {
		d3_pair_sweep(a, b, &place, d3_sub_d(place.p, to), 0, margin, &search->limit, visit_pair, search);
	}
}

/* Slice by slice, until the first hit. */
static void search_trees(struct search *search)
{
	struct slices slices;
	if (!make_slices(search, &slices))
		return;
	double h = (slices.end - slices.start) / slices.count;
	for (int i = 0; i < slices.count && search->best.state == D3_IMPACT_SEPARATED; ++i) {
		search->from = slices.start + i * h;
		search->to = i + 1 < slices.count ? slices.start + (i + 1) * h : slices.end;
		search->limit = 1;
		sweep_slice(search, &slices);
	}
}

void d3_shapes_time_of_impact(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a,
	const struct d3_shape *b, const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_impact_result *out,
	struct d3_impact_step *steps, int *step_count)
{
	struct d3_pair pair = d3_pair_order(a, from_a, b, from_b);
	const struct d3_pose *last_a = pair.swapped ? to_b : to_a, *last_b = pair.swapped ? to_a : to_b;
	struct search search = {.pair = &pair, .steps = steps, .best = {.state = D3_IMPACT_SEPARATED, .t = 1}, .to = 1};
	struct d3_motion motion;
	make_motion(pair.a, pair.pose_a, last_a, pair.b, pair.pose_b, last_b, &motion);
	search.motion = &motion;
	if (d3_shape_convex(a) && d3_shape_convex(b))
		visit_pair(&search, 0, 0);
	else
		search_trees(&search);
	if (step_count)
		*step_count = search.kept;
	*out = search.best;
	out->iterations = search.iterations;
	out->p = d3_add_d(d3_turn_d(&motion.frame, out->p), (struct d3_vec_d){pair.pose_a->x, pair.pose_a->y, pair.pose_a->z});
	double sign = pair.swapped ? -1 : 1;
	out->normal = d3_scale_d(sign, d3_turn_d(&motion.frame, out->normal));
	for (int i = 0; i < search.kept; ++i)
		steps[i].normal = d3_scale_d(sign, d3_turn_d(&motion.frame, steps[i].normal));
}

/* --- Bisection ------------------------------------------------------------------------------------------------------------ */

struct sweep {
	const struct d3_pair *pair;
	struct d3_transform_d b_in_a;
	struct d3_vec_d delta;
	struct d3_vec_d whole; /* the whole displacement */
	bool overlaps;
	double limit;
};

static void visit_swept(void *context, uint32_t child_a, uint32_t child_b)
{
	struct sweep *sweep = context;
	struct d3_proxy a, b;
	int own;
	if (d3_children_left(sweep->pair->a, child_a, sweep->pair->b, child_b, &sweep->b_in_a, sweep->whole))
		return;
	d3_make_proxy(sweep->pair->a, child_a, &a);
	d3_make_proxy(sweep->pair->b, child_b, &b);
	if (!d3_gjk_overlaps(&a, &b, &sweep->b_in_a, sweep->delta, &own))
		return;
	sweep->overlaps = true;
	sweep->limit = -1;
}

static bool sweep_overlaps(struct sweep *sweep, struct d3_vec_d delta)
{
	sweep->delta = delta;
	sweep->overlaps = false;
	sweep->limit = 1;
	d3_pair_sweep(sweep->pair->a, sweep->pair->b, &sweep->b_in_a, delta, 0, 0, &sweep->limit, visit_swept, sweep);
	return sweep->overlaps;
}

void d3_bisect(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta, const struct d3_shape *b,
	const struct d3_pose *pose_b, double tolerance, struct d3_bisection_result *out)
{
	struct d3_pair pair = d3_pair_order(a, pose_a, b, pose_b);
	struct sweep sweep = {.pair = &pair, .b_in_a = d3_pair_relative(pair.pose_a, pair.pose_b)};
	struct d3_rot_d q = d3_exact_rot(pair.pose_a->q);
	struct d3_vec_d u = d3_inv_turn_d(&q, pair.swapped ? d3_neg_d(delta) : delta);
	*out = (struct d3_bisection_result){.hit = true, .t = 0, .iterations = 1};
	sweep.whole = u;
	if (sweep_overlaps(&sweep, (struct d3_vec_d){0, 0, 0}))
		return;
	++out->iterations;
	if (!sweep_overlaps(&sweep, u)) {
		out->hit = false;
		out->t = 1;
		return;
	}
	double free = 0, hit = 1, length = d3_length_d(delta);
	while ((hit - free) * length > tolerance) {
		double middle = 0.5 * (free + hit);
		if (middle <= free || middle >= hit)
			break;
		++out->iterations;
		if (sweep_overlaps(&sweep, d3_scale_d(middle, u)))
			hit = middle;
		else
			free = middle;
	}
	out->t = free;
}
