/* time_of_impact_heading.c - distance queries of a pair, the motions of n that follow its closest features, and the separation
 * along n. See time_of_impact.c. */
#include "d3/query/time_of_impact_parts.h"

/* Cores nearer than this, relative to the coordinates, are left to d3_separation_find. */
static const double near_tolerance = 1e-9;

/* --- Distance queries ----------------------------------------------------------------------------------------------------- */

void d3_impact_forget(struct course *course)
{
	course->corners.count = course->pursuit->simplex.count = 0;
	course->reach_a.axis = course->motion->a.angle > 0 ? course->reach_a.origin : 0;
	course->reach_b.axis = course->motion->b.angle > 0 ? course->reach_b.origin : 0;
}

void d3_impact_choose_method(struct course *course)
{
	const struct d3_proxy *a = course->a, *b = course->b;
	d3_impact_forget(course);
	if (a->type != D3_PROXY_POINTS || b->type != D3_PROXY_POINTS) {
		course->method = d3_separation_closed(a, b) ? QUERY_CLOSED : QUERY_GJK;
		if (course->method == QUERY_GJK)
			d3_make_difference(a, b, &course->motion->first, &course->pursuit->pair);
		return;
	}
	course->method = a->count <= 2 && b->count <= 2 ? QUERY_CAPSULES : QUERY_CORNERS;
	if (course->method == QUERY_CAPSULES) {
		course->capsule_a = d3_capsule_core_make(d3_proxy_points(a), a->count, a->radius);
		course->capsule_b = d3_capsule_core_make(d3_proxy_points(b), b->count, b->radius);
	}
}

/* Continues GJK from the last simplex, with its vertices of B at their new positions. False: the cores overlap or are too near
 * for GJK. */
static bool query_by_gjk(struct course *course, const struct d3_transform_d *b_in_a, struct d3_separation *near)
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
	pair->b.transform = *b_in_a;
	if (b->type != D3_PROXY_POINTS)
		pair->b.transform =
			(struct d3_transform_d){d3_transform_point_d(b_in_a, b->frame.p), d3_mul_rot_d(&b_in_a->q, &b->frame.q)};
	near->iterations = 0;
	if (!d3_difference_nearest(pair, (struct d3_vec_d){0, 0, 0}, s, &near->iterations, NULL))
		return false;
	double core = d3_length_d(s->nearest);
	if (!(core > near_tolerance * pair->scale))
		return false;
	near->normal = d3_scale_d(1 / core, s->nearest);
	near->distance = core - course->a->radius - course->b->radius;
	d3_simplex_points(s, &near->point_a, &near->point_b);
	near->point_a = d3_mul_add_d(near->point_a, course->a->radius, near->normal);
	near->point_b = d3_mul_add_d(near->point_b, -course->b->radius, near->normal);
	return true;
}

/* Sets owner and rolls from the numbers of corners of A and B that span the closest points. */
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

static bool query_capsules(struct course *course, const struct d3_transform_d *b_in_a, struct d3_separation *near)
{
	const struct d3_capsule_core *a = &course->capsule_a, *b = &course->capsule_b;
	struct d3_capsule_core there = {d3_transform_point_d(b_in_a, b->p), d3_turn_d(&b_in_a->q, b->delta), b->square, b->radius};
	double s, t;
	if (!d3_capsules_apart(a, &there, &s, &t, near))
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

static bool query_corners(struct course *course, const struct d3_transform_d *b_in_a, struct d3_separation *near)
{
	struct d3_corner_simplex *corners = &course->corners;
	if (d3_corners_follow(course->a, course->b, b_in_a, corners, near) != D3_APART) {
		corners->count = 0;
		return false;
	}
	int count_a = different_corners(corners->a, corners->count, course->edge_a);
	set_owner(course, count_a, different_corners(corners->b, corners->count, course->edge_b));
	return true;
}

void d3_impact_query(struct course *course, const struct moment *now, struct d3_separation *near)
{
	course->owner = OWNER_NONE;
	course->rolls = false;
	bool found = false;
	if (course->method == QUERY_CAPSULES)
		found = query_capsules(course, &now->b_in_a, near);
	else if (course->method == QUERY_CORNERS)
		found = query_corners(course, &now->b_in_a, near);
	else if (course->method == QUERY_GJK)
		found = query_by_gjk(course, &now->b_in_a, near);
	if (!found)
		d3_separation_find(course->a, course->b, &now->b_in_a, near);
}

/* --- Headings ------------------------------------------------------------------------------------------------------------- */

/* A point of each core, in A's frame, and their relative velocity, seen from a frame that does not rotate. */
struct points {
	/* from_a, from_b: from the rotation centres; between: from A's point to B's */
	struct d3_vec_d from_a, from_b, between, speed;
};

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

/* f minus the skin: positive where the separation exceeds the target by more than half of the tolerance. rate, second:
 * derivatives of the least g. */
struct separation {
	double f, rate, second;
	double length; /* of n */
};

static inline struct d3_vec_d speed_of(const struct course *course, const struct moment *now, const struct points *p)
{
	return d3_add_d(now->v, d3_sub_d(d3_cross_d(now->w, p->from_b), d3_cross_d(course->motion->a.w, p->from_a)));
}

static inline void set_points(
	const struct course *course, const struct moment *now, struct d3_vec_d on_a, struct d3_vec_d on_b, struct points *out)
{
	out->from_a = d3_sub_d(on_a, course->motion->center_a);
	out->from_b = d3_turn_d(&now->b_in_a.q, d3_sub_d(on_b, course->motion->center_b));
	out->between = d3_sub_d(d3_add_d(now->delta, out->from_b), out->from_a);
	out->speed = speed_of(course, now, out);
}

/* Sets the points to the cores' closest points of this separation. */
static inline void closest_points(
	const struct course *course, const struct moment *now, const struct d3_separation *near, struct points *out)
{
	struct d3_vec_d on_a = d3_mul_add_d(near->point_a, -course->a->radius, near->normal);
	out->from_a = d3_sub_d(on_a, course->motion->center_a);
	out->between = d3_scale_d(near->distance + course->a->radius + course->b->radius, near->normal);
	out->from_b = d3_sub_d(d3_add_d(out->from_a, out->between), now->delta);
	out->speed = speed_of(course, now, out);
}

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

/* The farthest corner along d. Two independent chains of comparisons run in parallel. */
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

/* The core's farthest point along d; for a half-space, the point of its plane closest to the origin. */
static inline struct d3_vec_d core_farthest(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	if (proxy->type == D3_PROXY_POINTS)
		return farthest_corner(d3_proxy_points(proxy), proxy->count, d);
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return d3_scale_d(proxy->offset, proxy->normal);
	return d3_core_support(proxy, d);
}

static void head_with_a(struct course *course, const struct d3_separation *near, struct heading *out)
{
	out->type = HEADING_WITH_A;
	out->n = near->normal;
	out->held = course->owner == OWNER_A ? d3_mul_add_d(near->point_a, -course->a->radius, near->normal)
										 : core_farthest(course->a, near->normal);
	out->bend = bend_with_a(course);
}

static void head_with_b(struct course *course, const struct moment *now, const struct d3_separation *near, struct heading *out)
{
	out->type = HEADING_WITH_B;
	out->n = d3_inv_turn_d(&now->b_in_a.q, near->normal);
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

/* Unit vector along the edge, in its shape's frame. */
static struct d3_vec_d edge_of(const struct d3_proxy *proxy, const uint32_t ends[2])
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	struct d3_vec_d delta = d3_sub_d(d3_widen(points[ends[1]]), d3_widen(points[ends[0]]));
	return d3_scale_d(1 / d3_length_d(delta), delta);
}

/* Makes n go on turning at its mean rate since the step `before`, in the frame of the start. Between nearly parallel edges, or
 * corners that pass each other closely, n turns faster than either shape, and the separation along the last n is soon 0: a step
 * then gains only some 2 % of the distance. */
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

/* Sets n = eA x eB, with the edges that the closest points are on. Unlike the unit normal, this n does not turn faster as the
 * edges become parallel. With y = b - a for any points and e' = w x e, (n.y)'' is at most
 *   K = |n''| |y| + 2 |n'| |y'| + |n| |y''|,  |n'| <= |eA'| + |eB'|,  |n''| <= |wA| |eA'| + |wB| |eB'| + 2 |eA'| |eB'|
 * and |n|, which scales the skin, has a second derivative of at least -|n''|. */
static void head_across(const struct course *course, const struct moment *now, struct d3_vec_d n, struct heading *out)
{
	const struct d3_turning *a = &course->motion->a, *b = &course->motion->b;
	struct d3_vec_d edge_a = edge_of(course->a, course->edge_a), edge_b = edge_of(course->b, course->edge_b);
	struct d3_vec_d there = d3_turn_d(&now->b_in_a.q, edge_b);
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
	struct course *course, const struct moment *now, const struct d3_separation *near, bool slow, struct heading *out)
{
	if (course->a->type == D3_PROXY_HALF_SPACE || course->owner == OWNER_A) {
		head_with_a(course, near, out);
		return;
	}
	if (course->b->type == D3_PROXY_HALF_SPACE || course->owner == OWNER_B) {
		head_with_b(course, now, near, out);
		return;
	}
	if (course->owner == OWNER_EDGES) {
		head_across(course, now, near->normal, out);
		struct d3_vec_d across = d3_cross_d(out->n, d3_turn_d(&now->b_in_a.q, out->other));
		if (d3_dot_d(across, across) > parallel_sine * parallel_sine)
			return;
	}
	head_as_it_stands(course, now, near->normal, out);
	if (!slow && course->owner == OWNER_NONE)
		return;
	if (course->motion->a.angle > 0 && bend_with_a(course) < out->bend)
		head_with_a(course, near, out);
	if (course->motion->b.angle > 0 && bend_with_b(course) < out->bend)
		head_with_b(course, now, near, out);
}

/* v rotated about a unit axis, by Rodrigues' formula. */
static struct d3_vec_d turned_about(struct d3_vec_d axis, struct cos_sin_d turn, struct d3_vec_d v)
{
	struct d3_vec_d sum = d3_mul_add_d(d3_scale_d(turn.cosine, v), turn.sine, d3_cross_d(axis, v));
	return d3_mul_add_d(sum, (1 - turn.cosine) * d3_dot_d(axis, v), axis);
}

/* --- The separation along a heading --------------------------------------------------------------------------------------- */

/* n at this moment and its rotation rate *w, both in A's frame. Not for EDGES. */
static inline void heading_now(const struct course *course, const struct heading *heading, const struct moment *now,
	struct d3_vec_d *n, struct d3_vec_d *w)
{
	*w = (struct d3_vec_d){0, 0, 0};
	if (heading->type == HEADING_WITH_A) {
		*n = heading->n;
		*w = course->motion->a.w;
	} else if (heading->type == HEADING_WITH_B) {
		*n = d3_turn_d(&now->b_in_a.q, heading->n);
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

/* n . (w x (w x r)) */
static inline double centripetal(struct d3_vec_d n, struct d3_vec_d w, struct d3_vec_d r)
{
	return d3_dot_d(w, n) * d3_dot_d(w, r) - d3_dot_d(w, w) * d3_dot_d(n, r);
}

/* f and its derivatives for n = eA x eB. With e' = w x e, those of n and |n| follow from the product rule. */
static void separation_of_edges(
	const struct course *course, const struct heading *heading, const struct moment *now, struct separation *out)
{
	struct d3_vec_d wa = course->motion->a.w;
	struct d3_vec_d a = heading->n;
	struct d3_vec_d b = d3_turn_d(&now->b_in_a.q, heading->other);
	struct d3_vec_d n = d3_cross_d(a, b);
	struct d3_vec_d a1 = d3_cross_d(wa, a), b1 = d3_cross_d(now->w, b), a2 = d3_cross_d(wa, a1), b2 = d3_cross_d(now->w, b1);
	struct d3_vec_d n1 = d3_add_d(d3_cross_d(a1, b), d3_cross_d(a, b1));
	struct d3_vec_d n2 = d3_mul_add_d(d3_add_d(d3_cross_d(a2, b), d3_cross_d(a, b2)), 2, d3_cross_d(a1, b1));
	struct points p;
	set_points(
		course, now, core_farthest(course->a, n), core_farthest(course->b, d3_neg_d(d3_inv_turn_d(&now->b_in_a.q, n))), &p);
	double length = d3_length_d(n), along = length > 0 ? d3_dot_d(n, n1) / length : 0;
	double bend = length > 0 ? (d3_dot_d(n1, n1) + d3_dot_d(n, n2) - along * along) / length : 0;
	out->length = length;
	out->f = d3_dot_d(n, p.between) - course->skin * length;
	out->rate = d3_dot_d(n1, p.between) + d3_dot_d(n, p.speed) - course->skin * along;
	out->second = d3_dot_d(n2, p.between) + 2 * d3_dot_d(n1, p.speed) + centripetal(n, now->w, p.from_b) -
		centripetal(n, wa, p.from_a) - course->skin * bend;
}

/* Sets the derivatives of f for an n that turns at the rate w; p: the cores' points farthest along n. */
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
		on_b = core_farthest(course->b, d3_neg_d(d3_inv_turn_d(&now->b_in_a.q, n)));
	struct points p;
	set_points(course, now, on_a, on_b, &p);
	out->f = d3_dot_d(n, p.between) - course->skin;
	set_rates(course, now, n, w, &p, out);
}

/* Sets f and its derivatives at the time of the query. The query's closest points are the cores' farthest ones along n, so f
 * follows from its distance. For edges, and where GJK may have stopped early, f is computed anew. */
static void first_separation(const struct course *course, const struct heading *heading, const struct moment *now,
	const struct d3_separation *near, struct separation *out)
{
	if (heading->type == HEADING_EDGES || course->method == QUERY_GJK) {
		separation_at(course, heading, now, out);
		return;
	}
	struct d3_vec_d n = near->normal, w = {0, 0, 0};
	if (heading->type == HEADING_WITH_A)
		w = course->motion->a.w;
	else if (heading->type == HEADING_WITH_B)
		w = now->w;
	else if (heading->type == HEADING_TURNS)
		w = d3_inv_turn_d(&now->home, heading->w);
	struct points p;
	closest_points(course, now, near, &p);
	out->f = near->distance + course->a->radius + course->b->radius - course->skin;
	set_rates(course, now, n, w, &p, out);
}

/* The first time t >= 0 at which c + rate t + second t^2/2, with c >= 0, falls to 0; INFINITY: never. With c = 0 and rate > 0
 * the start does not count, as it rises there. */
static double likely_root(double c, double rate, double second)
{
	double under = rate * rate - 2 * second * c;
	if (!(under >= 0) || (rate >= 0 && !(second < 0)))
		return INFINITY;
	return rate < 0 ? 2 * c / (sqrt(under) - rate) : (rate + sqrt(under)) / -second;
}

/* Returns a step over which the bound in the head of time_of_impact.c should stay positive. It leads at most to where f,
 * extrapolated by its derivatives, falls to `aim` [length]. The bound is positive over a whole step h while h sqrt(K/2) < sqrt
 * f1 + sqrt f2. */
static double promising_step(const struct separation *now, double bend, double aim)
{
	double step = likely_root(max_d(now->f - aim * now->length, 0), now->rate, now->second);
	if (0.5 * bend * step * step <= now->f)
		return step;
	double q = sqrt(0.5 * bend), root = sqrt(now->f);
	return q > 0 ? min_d(max_d(now->rate / q + 2 * root, root) / q, step) : step;
}

/* The time from the first of two moments h apart, with f = first and second, until the bound falls to 0; h if it does not. */
static double free_step(double first, double second, double h, double bend)
{
	if (second >= 0 && 0.5 * bend * h * h <= first)
		return h;
	double b = (first - second) / h + 0.5 * bend * h, under = b * b - 2 * bend * first;
	if (second >= 0 && (b <= 0 || under < 0))
		return h;
	return min_d(2 * first / (b + sqrt(max_d(under, 0))), h);
}

/* Returns a time up to which f surely stays positive, found by a few steps; *reached: the moment that the last step led to.
 * Ends with the first step that is cut short, as a distance query tells more than another step along the same n, or when f is
 * within the tolerance. If course->rolls, n soon changes: then also when f is below slow_tolerance times the first f. */
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
		d3_impact_set_moment(course->motion, next, reached);
		separation_at(course, heading, reached, &then);
		double step = free_step(now.f, then.f, h, heading->bend);
		if (step < h)
			return t + step;
		t = next;
		now = then;
	}
	return t;
}

/* --- The search ----------------------------------------------------------------------------------------------------------- */

double d3_impact_free_until(struct course *course, const struct moment *now, const struct d3_separation *near, double limit,
	const struct d3_impact_step *before, double tolerance, int slow, struct moment *reached)
{
	struct heading heading;
	struct separation first;
	head_by_owner(course, now, near, slow > 0, &heading);
	first_separation(course, &heading, now, near, &first);
	double best = separation_advance(course, &heading, now->t, &first, limit, tolerance, reached);
	if (!(best < limit) || slow < 2 || has_half_space(course))
		return best;
	for (int i = 0; i < (slow > 3 ? 5 : 1) && best < limit; ++i) {
		struct moment other;
		if (i == 0)
			head_on_turning(course, now, near->normal, before, &heading);
		else if (i == 1)
			head_as_it_stands(course, now, near->normal, &heading);
		else if (i == 2)
			head_with_a(course, near, &heading);
		else if (i == 3)
			head_with_b(course, now, near, &heading);
		else if (course->owner == OWNER_EDGES)
			head_across(course, now, near->normal, &heading);
		else
			continue;
		first_separation(course, &heading, now, near, &first);
		double next = separation_advance(course, &heading, now->t, &first, limit, tolerance, &other);
		if (next > best) {
			best = next;
			*reached = other;
		}
	}
	return best;
}
