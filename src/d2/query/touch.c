/* touch.c - see distance.h. Which edge the other outline is farthest outside of, or least deep under, is found in floats, four
 * edges at a time; where only one can be it, all else is of that edge, exact, in the frame of its shape.
 * Invariant: the two are put into an order that does not depend on which is called A, so that exchanging them exchanges the
 * results, to the bit.
 * Sources: Ericson, "Real-time collision detection", 2005, 5.2.1 (directed faces); Gregorius, "The Separating Axis Test between
 * convex polyhedra", GDC 2013.
 * Pure, any thread. */
#include "d2/query/distance.h"

#include "d2/shape/four.h"

#include <string.h>

enum { POINTS_MAX = 16 };

/* Parts of the coordinates: more than the rounding of floats in two separations; of doubles, by far. */
static const double rough_part = 4e-6, doubt_part = 1e-12;
/* Edges nearer to lying across the normal than this, as a sine, are left to the others: so flat an edge may be the reference,
 * too. */
static const double flat_sine = 2e-5;

/* --- The edge to look at, in floats --------------------------------------------------------------------------------------- */

/* Points of one outline in the frame of the other. */
struct seen {
	uint32_t count;
	float x[POINTS_MAX], y[POINTS_MAX];
};

static inline void see_points(const struct d2_shape *shape, struct d2_rot q, struct d2_vec p, struct seen *out)
{
	out->count = shape->count;
	for (uint32_t i = 0; i < shape->count; i += 4) {
		uint32_t from = four_start(i, shape->count);
		struct four_vectors v = four_load(shape->points, from, shape->count);
		four x = q.c * v.x - q.s * v.y + p.x, y = q.s * v.x + q.c * v.y + p.y;
		memcpy(out->x + from, &x, sizeof x);
		memcpy(out->y + from, &y, sizeof y);
	}
}

/* The edge whose line all points seen are farthest outside of, and how far. */
struct best {
	float most;
	uint32_t edge; /* says nothing where another is as good */
};

/* How far all points seen are outside of four edges' lines at least. */
static inline four separate_seen(const struct d2_shape *shape, uint32_t from, const struct seen *seen)
{
	struct four_vectors n = four_load(shape->normals, from, shape->count), p = four_load(shape->points, from, shape->count);
	four least = n.x * seen->x[0] + n.y * seen->y[0];
	for (uint32_t k = 1; k < seen->count; ++k)
		least = four_least(least, n.x * seen->x[k] + n.y * seen->y[k]);
	return least - (n.x * p.x + n.y * p.y);
}

/* False: another edge is as good, but for `rough`. */
static inline bool find_best(const struct d2_shape *shape, const struct seen *seen, float rough, struct best *out)
{
	float separations[POINTS_MAX];
	four most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
	for (uint32_t i = 0; i < shape->count; i += 4) {
		uint32_t start = four_start(i, shape->count);
		four found = separate_seen(shape, start, seen);
		most = four_most(most, found);
		memcpy(separations + start, &found, sizeof found);
	}
	out->most = four_greatest(most);
	return four_only(separations, shape->count, out->most - rough, &out->edge);
}

/* The same of a box and a point, in closed form: its edges are in the order of d2_box_create. */
static inline bool find_best_of_box(const struct d2_shape *box, struct d2_vec p, float rough, struct best *out)
{
	struct d2_vec d = d2_inv_rotate(box->rotation, d2_sub(p, box->centroid));
	float x = abs_f(d.x) - box->half.x, y = abs_f(d.y) - box->half.y;
	uint32_t edge_x = 3 - 2u * (d.x > 0), edge_y = 2u * (d.y > 0);
	out->edge = x > y ? edge_x : edge_y;
	out->most = max_f(x, y);
	/* Along the other axis, or on the other side. */
	return out->most - rough > max_f(min_f(x, y), max_f(-abs_f(d.x) - box->half.x, -abs_f(d.y) - box->half.y));
}

/* The one point that is least far along n. False: another one is, too. */
static inline bool find_deepest(const struct seen *seen, struct d2_vec n, float rough, uint32_t *deepest)
{
	float least = INFINITY, second = INFINITY;
	uint32_t best = 0;
	for (uint32_t i = 0; i < seen->count; ++i) {
		float along = n.x * seen->x[i] + n.y * seen->y[i];
		second = min_f(second, max_f(along, least));
		best = along < least ? i : best;
		least = min_f(along, least);
	}
	*deepest = best;
	return second - least > rough;
}

/* --- A circle ------------------------------------------------------------------------------------------------------------- */

/* From the origin of its frame, turned as in the world. */
static inline struct d2_vec_d center_of(const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct d2_vec_d p = d2_widen(shape->points[0]);
	return p.x == 0 && p.y == 0 ? p : d2_turn_d(d2_exact_rot(pose->q), p);
}

static bool touch_circles(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, struct d2_touch *out)
{
	struct d2_vec_d from = center_of(a, pose_a), to = center_of(b, pose_b);
	struct d2_vec_d way = {(pose_b->x - pose_a->x) + (to.x - from.x), (pose_b->y - pose_a->y) + (to.y - from.y)};
	double radius = (double)a->radius + b->radius, square = d2_dot_d(way, way);
	out->count = 0;
	if (square > radius * radius * (1 + 1e-9))
		return true;
	double length = sqrt(square), separation = length - radius;
	if (!(length > 1e-6 * radius && separation < -1e-9 * radius))
		return false;
	struct d2_vec_d n = d2_scale_d(1 / length, way);
	double middle = 0.5 * ((double)a->radius - b->radius);
	out->normal = n;
	out->count = 1;
	out->points[0] = (struct d2_touch_point){0.5 * (pose_a->x + pose_b->x) + (0.5 * (from.x + to.x) + middle * n.x),
		0.5 * (pose_a->y + pose_b->y) + (0.5 * (from.y + to.y) + middle * n.y), separation, 0, 0};
	return true;
}

enum told { TOLD_APART, TOLD_NEAR, TOLD_NOTHING };

/* What of a core is nearest to a point, or least deep over it, in the core's frame. */
struct foot {
	double distance;
	struct d2_vec_d normal;
	uint32_t feature; /* a point, or the first one of an edge */
};

static inline enum told take_corner(struct d2_vec_d w, uint32_t i, double limit, double doubt, struct foot *out)
{
	double square = d2_dot_d(w, w), enough = limit + doubt;
	if (square > enough * enough)
		return TOLD_APART;
	out->distance = sqrt(square);
	out->normal = d2_scale_d(1 / out->distance, w);
	out->feature = i;
	return out->distance > doubt ? TOLD_NEAR : TOLD_NOTHING;
}

static inline enum told foot_on_line(
	const struct d2_shape *shape, struct d2_vec_d c, double limit, double doubt, struct foot *out)
{
	struct d2_vec_d w = d2_sub_d(c, d2_widen(shape->points[0])), n = shape->edges[0].normal;
	double x = d2_cross_d(n, w), height = d2_dot_d(n, w);
	if (!(x > 0))
		return take_corner(w, 0, limit, doubt, out);
	if (!(x < shape->edges[0].length))
		return take_corner(d2_sub_d(c, d2_widen(shape->points[1])), 1, limit, doubt, out);
	/* Edge 0 has that normal, edge 1 the opposite one. */
	out->feature = height < 0;
	out->normal = shape->edges[out->feature].normal;
	out->distance = abs_d(height);
	return out->distance > limit + doubt ? TOLD_APART : TOLD_NEAR;
}

static inline bool find_best_of_point(const struct d2_shape *shape, struct d2_vec at, float rough, struct best *out)
{
	float separations[POINTS_MAX], size;
	out->most = four_outside(shape->points, shape->normals, shape->count, at, separations, &size);
	return four_only(separations, shape->count, out->most - rough, &out->edge);
}

static inline enum told foot_on_outline(
	const struct d2_shape *shape, struct d2_vec_d c, double limit, double doubt, float rough, struct foot *out)
{
	struct best found;
	struct d2_vec near_c = d2_narrow(c);
	bool only = shape->type == D2_BOX ? find_best_of_box(shape, near_c, rough, &found)
									  : find_best_of_point(shape, near_c, rough, &found);
	if (found.most - rough > limit)
		return TOLD_APART;
	if (!only)
		return TOLD_NOTHING;
	const struct d2_edge *edge = &shape->edges[found.edge];
	struct d2_vec_d w = d2_sub_d(c, d2_widen(shape->points[found.edge])), n = edge->normal;
	double x = d2_cross_d(n, w);
	if (x > 0 && x < edge->length) {
		*out = (struct foot){d2_dot_d(n, w), n, found.edge};
		return TOLD_NEAR;
	}
	/* Beyond an end it is the corner, if the point is surely outside. */
	if (!(found.most > rough))
		return TOLD_NOTHING;
	if (!(x > 0))
		return take_corner(w, found.edge, limit, doubt, out);
	uint32_t next = found.edge + 1;
	return take_corner(d2_sub_d(c, d2_widen(shape->points[next])), next < shape->count ? next : 0, limit, doubt, out);
}

/* A is no circle, B one. */
static bool touch_circle(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, bool swapped, double size, struct d2_touch *out)
{
	struct d2_rot_d q = d2_exact_rot(pose_a->q);
	struct d2_vec_d center = center_of(b, pose_b);
	struct d2_vec_d between = {pose_b->x - pose_a->x + center.x, pose_b->y - pose_a->y + center.y};
	struct d2_vec_d c = d2_inv_turn_d(q, between);
	double radius = (double)a->radius + b->radius, doubt = doubt_part * size;
	struct foot foot;
	enum told told = a->count == 2 ? foot_on_line(a, c, radius, doubt, &foot)
								   : foot_on_outline(a, c, radius, doubt, (float)(rough_part * size), &foot);
	out->count = 0;
	if (told != TOLD_NEAR)
		return told == TOLD_APART;
	double separation = foot.distance - radius;
	if (!(abs_d(separation) > doubt && abs_d(foot.distance) > doubt))
		return false;
	if (separation > 0)
		return true;
	struct d2_vec_d n = d2_turn_d(q, foot.normal);
	double back = b->radius + 0.5 * separation;
	out->count = 1;
	out->normal = swapped ? d2_neg_d(n) : n;
	out->points[0].x = pose_b->x + (center.x - back * n.x);
	out->points[0].y = pose_b->y + (center.y - back * n.y);
	out->points[0].separation = separation;
	out->points[0].feature_a = swapped ? 0 : foot.feature;
	out->points[0].feature_b = swapped ? foot.feature : 0;
	return true;
}

/* --- The contact of an edge ----------------------------------------------------------------------------------------------- */

/* The reference edge of a shape and the corner of the other that is deepest under it or nearest, in the frame of the first. */
struct contact {
	const struct d2_shape *own, *other;
	uint32_t edge, corner;
	struct d2_transform_d place; /* of the other */
	struct d2_vec_d p, t, n; /* where the edge starts; along it; outward */
	double length, radius, doubt;
	struct d2_vec_d before, u, after; /* the corner, and those beside it */
	struct d2_vec_d normal; /* of the contact */
	int count;
	struct point {
		struct d2_vec_d p;
		double separation;
		uint32_t own, other;
	} points[2];
};

static inline uint32_t next_of(uint32_t i, uint32_t count)
{
	return i + 1 < count ? i + 1 : 0;
}

static inline uint32_t last_of(uint32_t i, uint32_t count)
{
	return i > 0 ? i - 1 : count - 1;
}

static inline bool lies_flat(struct d2_vec_d way, struct d2_vec_d n)
{
	double up = d2_dot_d(way, n);
	return up * up <= flat_sine * flat_sine * d2_dot_d(way, way);
}

/* At v of the other core, on top of which the own surface is `separation` away. */
static inline void add_point(struct contact *c, struct d2_vec_d v, double separation, uint32_t own, uint32_t other)
{
	double back = c->other->radius + 0.5 * separation;
	c->points[c->count++] = (struct point){d2_mul_add_d(v, -back, c->normal), separation, own, other};
}

/* Beyond an end of the edge, outside: corner against corner. False: an edge lies across the way between them, all but. */
static bool meet_corners(struct contact *c, double x)
{
	uint32_t count = c->own->count, end = x > 0 ? next_of(c->edge, count) : c->edge;
	struct d2_vec_d v = d2_widen(c->own->points[end]), w = d2_sub_d(c->u, v);
	double distance = d2_length_d(w);
	if (!(distance > 1e3 * c->doubt))
		return false;
	c->normal = d2_scale_d(1 / distance, w);
	uint32_t beside = x > 0 ? next_of(end, count) : last_of(end, count);
	double separation = distance - c->radius;
	if (!(abs_d(separation) > c->doubt) || lies_flat(c->t, c->normal) ||
		lies_flat(d2_sub_d(d2_widen(c->own->points[beside]), v), c->normal) ||
		lies_flat(d2_sub_d(c->u, c->before), c->normal) || lies_flat(d2_sub_d(c->u, c->after), c->normal))
		return false;
	if (separation < 0)
		add_point(c, c->u, separation, end, c->corner);
	return true;
}

/* The part of the other's edge at the corner that is over the reference: up to two points. The facing edge runs the other
 * way. */
static bool clip_edges(struct contact *c, double height, double x)
{
	struct d2_vec_d e = d2_sub_d(c->u, c->before), f = d2_sub_d(c->after, c->u);
	/* The one that is turned towards the reference the most: cosines, compared as y |y| times the other's square. */
	double y = d2_dot_d(e, c->t), z = d2_dot_d(f, c->t), ee = d2_dot_d(e, e), ff = d2_dot_d(f, f);
	bool is_before = y * abs_d(y) * ff < z * abs_d(z) * ee;
	if (lies_flat(e, c->n) || lies_flat(f, c->n))
		return false;
	uint32_t count = c->other->count;
	uint32_t ip = is_before ? last_of(c->corner, count) : c->corner;
	uint32_t iq = is_before ? c->corner : next_of(c->corner, count);
	struct d2_vec_d far = is_before ? c->before : c->after, from = d2_sub_d(far, c->p);
	double far_x = d2_dot_d(from, c->t), far_height = d2_dot_d(from, c->n), square = is_before ? ee : ff;
	/* The corner is q of the edge before, p of that after. */
	double x1 = is_before ? x : far_x;
	double x2 = is_before ? far_x : x;
	double h1 = is_before ? height : far_height;
	double h2 = is_before ? far_height : height;
	double low = max_d(0, x1), high = min_d(c->length, x2), wide = x2 - x1;
	c->normal = c->n;
	if (wide > 0 && wide * wide > 1e-18 * square && high >= low) {
		double rise = (h2 - h1) / wide, ends[2] = {low, high};
		uint32_t own[2] = {c->edge, next_of(c->edge, c->own->count)}, other[2] = {iq, ip};
		for (int i = 0; i < 2; ++i) {
			double h = h1 + (ends[i] - x1) * rise, separation = h - c->radius;
			if (separation > 0 || (c->count == 1 && !(high - low > c->doubt)))
				continue;
			add_point(c, d2_mul_add_d(d2_mul_add_d(c->p, ends[i], c->t), h, c->n), separation, own[i], other[i]);
		}
	}
	if (c->count == 0)
		add_point(c, c->u, height - c->radius, x >= c->length ? next_of(c->edge, c->own->count) : c->edge, c->corner);
	return true;
}

static inline void set_corner(struct contact *c)
{
	const struct d2_vec *points = c->other->points;
	uint32_t count = c->other->count;
	c->u = d2_transform_point_d(&c->place, d2_widen(points[c->corner]));
	c->before = d2_transform_point_d(&c->place, d2_widen(points[last_of(c->corner, count)]));
	c->after = d2_transform_point_d(&c->place, d2_widen(points[c->corner + 1]));
}

/* False: not so easily. count 0: they are apart. */
static bool touch_edge(struct contact *c)
{
	set_corner(c);
	struct d2_vec_d from = d2_sub_d(c->u, c->p);
	double x = d2_dot_d(from, c->t), height = d2_dot_d(from, c->n), separation = height - c->radius;
	if (!(abs_d(height) > c->doubt && abs_d(separation) > c->doubt))
		return false;
	if (separation > 0)
		return true;
	if (height > 0 && !(x > 0 && x < c->length))
		return meet_corners(c, x);
	return clip_edges(c, height, x);
}

/* --- Two outlines --------------------------------------------------------------------------------------------------------- */

static inline bool comes_second(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	if (a->type != b->type)
		return a->type < b->type;
	if (pose_a->x != pose_b->x)
		return pose_a->x > pose_b->x;
	return pose_a->y != pose_b->y ? pose_a->y > pose_b->y : d2_couple_order(a, pose_a, b, pose_b).swapped;
}

/* The edge of `own` is the reference. False: it has no length. */
static inline bool set_reference(struct contact *c, uint32_t edge)
{
	c->edge = edge;
	c->p = d2_widen(c->own->points[edge]);
	c->n = c->own->edges[edge].normal;
	c->t = (struct d2_vec_d){-c->n.y, c->n.x};
	c->length = c->own->edges[edge].length;
	return c->length > 0;
}

/* Two shapes in order, and how the second stands to the first, and the other way round. */
struct couple {
	const struct d2_shape *shapes[2];
	const struct d2_pose *poses[2];
	struct d2_rot_d turns[2];
	struct d2_transform_d places[2]; /* of the other in the frame of each */
	struct d2_transform rough[2]; /* the same in floats, which need not wait for the rotations to be made exact */
	unsigned first; /* which of them is B */
	double size; /* of all coordinates */
};

static inline void set_couple(struct couple *couple, const struct d2_shape *a, const struct d2_pose *pose_a,
	const struct d2_shape *b, const struct d2_pose *pose_b, double size)
{
	const struct d2_shape *shapes[2] = {a, b};
	const struct d2_pose *poses[2] = {pose_a, pose_b};
	unsigned first = comes_second(a, pose_a, b, pose_b);
	for (unsigned i = 0; i < 2; ++i) {
		couple->shapes[i] = shapes[first ^ i];
		couple->poses[i] = poses[first ^ i];
		couple->turns[i] = d2_exact_rot(couple->poses[i]->q);
	}
	couple->first = first;
	struct d2_vec_d between = {couple->poses[1]->x - couple->poses[0]->x, couple->poses[1]->y - couple->poses[0]->y};
	struct d2_rot_d q = d2_inv_mul_rot_d(couple->turns[0], couple->turns[1]);
	couple->places[0] = (struct d2_transform_d){d2_inv_turn_d(couple->turns[0], between), q};
	couple->places[1] = (struct d2_transform_d){d2_neg_d(d2_inv_turn_d(couple->turns[1], between)), {q.c, -q.s}};
	couple->rough[0] = (struct d2_transform){
		d2_inv_rotate(couple->poses[0]->q, d2_narrow(between)), d2_inv_mul_rot(couple->poses[0]->q, couple->poses[1]->q)};
	couple->rough[1] = (struct d2_transform){
		d2_neg(d2_inv_rotate(couple->poses[1]->q, d2_narrow(between))), {couple->rough[0].q.c, -couple->rough[0].q.s}};
	couple->size = size;
}

/* The reference is an edge of the couple's first shape, or of its second. */
static inline bool start_contact(const struct couple *couple, unsigned of, uint32_t edge, struct contact *c)
{
	c->own = couple->shapes[of];
	c->other = couple->shapes[of ^ 1];
	c->place = couple->places[of];
	c->radius = (double)c->own->radius + c->other->radius;
	c->doubt = doubt_part * couple->size;
	c->count = 0;
	return set_reference(c, edge);
}

static inline void put_contact(const struct couple *couple, unsigned of, const struct contact *c, struct d2_touch *out)
{
	struct d2_rot_d q = couple->turns[of];
	const struct d2_pose *pose = couple->poses[of];
	struct d2_vec_d n = d2_turn_d(q, c->normal);
	bool of_b = couple->first ^ of;
	out->normal = of_b ? d2_neg_d(n) : n;
	out->count = c->count;
	for (int i = 0; i < c->count; ++i) {
		struct d2_vec_d p = d2_turn_d(q, c->points[i].p);
		uint32_t own = c->points[i].own, other = c->points[i].other;
		out->points[i].x = pose->x + p.x;
		out->points[i].y = pose->y + p.y;
		out->points[i].separation = c->points[i].separation;
		out->points[i].feature_a = of_b ? other : own;
		out->points[i].feature_b = of_b ? own : other;
	}
}

/* What the search in floats found. */
struct choice {
	bool apart;
	unsigned of; /* which shape has the reference edge */
	uint32_t edge, corner;
};

/* Of two boxes in closed form: along an axis of one the gap is the distance of the middles less the half size of the one and
 * the shadow of the other. False: another edge or corner is as good.
 * Source: Gottschalk, Lin, Manocha, "OBBTree", 1996. */
static inline bool choose_of_boxes(const struct couple *couple, float rough, double radius, struct choice *out)
{
	const struct d2_shape *a = couple->shapes[0], *b = couple->shapes[1];
	struct d2_transform place = couple->rough[0];
	struct d2_vec d = d2_inv_rotate(a->rotation, d2_sub(d2_transform_point(place, b->centroid), a->centroid));
	struct d2_vec h = a->half;
	struct d2_vec g = b->half;
	struct d2_rot q = d2_inv_mul_rot(a->rotation, d2_mul_rot(place.q, b->rotation));
	struct d2_vec e = d2_neg(d2_inv_rotate(q, d));
	float c = abs_f(q.c), s = abs_f(q.s);
	float ax = abs_f(d.x) - h.x - (c * g.x + s * g.y), ay = abs_f(d.y) - h.y - (s * g.x + c * g.y);
	float bx = abs_f(e.x) - g.x - (c * h.x + s * h.y), by = abs_f(e.y) - g.y - (s * h.x + c * h.y);
	float best_a = max_f(ax, ay), best_b = max_f(bx, by), best = max_f(best_a, best_b);
	bool of_b = best_b > best_a, of_x = of_b ? bx > by : ax > ay;
	float second = max_f(min_f(best_a, best_b), of_b ? min_f(bx, by) : min_f(ax, ay));
	struct d2_vec way = of_b ? e : d, far = of_b ? h : g;
	float along = of_x ? way.x : way.y, sine = of_b ? q.s : -q.s;
	/* The normal of the edge, in the other's frame. */
	struct d2_vec n = of_x ? (struct d2_vec){q.c, sine} : (struct d2_vec){-sine, q.c};
	if (along < 0)
		n = d2_neg(n);
	out->apart = best - rough > radius;
	out->of = of_b;
	out->edge = of_x ? (along > 0 ? 1 : 3) : (along > 0 ? 2 : 0);
	out->corner = n.y > 0 ? (n.x > 0 ? 0 : 1) : (n.x > 0 ? 3 : 2);
	return best - second > rough && abs_f(along) > rough && min_f(abs_f(n.x) * far.x, abs_f(n.y) * far.y) > rough;
}

/* Of any two. */
static inline bool choose_of_outlines(const struct couple *couple, float rough, double radius, struct choice *out)
{
	struct seen seen[2];
	struct best best[2];
	bool only[2];
	for (unsigned i = 0; i < 2; ++i) {
		see_points(couple->shapes[i ^ 1], couple->rough[i].q, couple->rough[i].p, &seen[i]);
		only[i] = find_best(couple->shapes[i], &seen[i], rough, &best[i]);
		out->apart = best[i].most - rough > radius;
		if (out->apart)
			return true;
	}
	unsigned of = best[1].most > best[0].most;
	out->of = of;
	out->edge = best[of].edge;
	return only[of] && best[of].most - best[of ^ 1].most > rough &&
		find_deepest(&seen[of], couple->shapes[of]->normals[out->edge], rough, &out->corner);
}

/* Of an outline and a line. A line's edges have the same points under and over them, seen along the one normal. */
static inline bool choose_of_line(const struct couple *couple, float rough, double radius, struct choice *out)
{
	const struct d2_shape *outline = couple->shapes[0], *line = couple->shapes[1];
	struct d2_vec p = d2_transform_point(couple->rough[0], line->points[0]);
	struct d2_vec q = d2_transform_point(couple->rough[0], line->points[1]);
	struct d2_vec m = d2_rotate(couple->rough[0].q, line->normals[0]);
	struct seen ends = {.count = 2};
	struct best best;
	ends.x[0] = p.x;
	ends.y[0] = p.y;
	ends.x[1] = q.x;
	ends.y[1] = q.y;
	bool only = find_best(outline, &ends, rough, &best);
	out->apart = best.most - rough > radius;
	if (out->apart)
		return true;
	float along[2][POINTS_MAX];
	four most_up = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, most_down = most_up;
	for (uint32_t i = 0; i < outline->count; i += 4) {
		uint32_t start = four_start(i, outline->count);
		struct four_vectors v = four_load(outline->points, start, outline->count);
		four up = m.x * v.x + m.y * v.y, down = -up;
		most_up = four_most(most_up, up);
		most_down = four_most(most_down, down);
		memcpy(along[1] + start, &up, sizeof up);
		memcpy(along[0] + start, &down, sizeof down);
	}
	/* Edge 0 has the normal m, edge 1 the opposite one. */
	float base = d2_dot(m, p);
	float high = four_greatest(most_up);
	float low = four_greatest(most_down);
	float first = -low - base;
	float second = base - high;
	bool back = second > first;
	float most = max_f(first, second);
	out->of = most > best.most;
	out->apart = most - rough > radius;
	if (out->apart)
		return true;
	if (!out->of) {
		if (!only)
			return false;
		struct d2_vec n = outline->normals[best.edge];
		float rise = d2_dot(n, d2_sub(q, p));
		out->edge = best.edge;
		out->corner = rise < 0;
		return best.most - most > rough && abs_f(rise) > rough;
	}
	out->edge = back;
	bool alone = four_only(along[back], outline->count, (back ? high : low) - rough, &out->corner);
	return alone && most - best.most > rough && abs_f(first - second) > rough;
}

static bool touch_outlines(const struct couple *couple, struct d2_touch *out)
{
	float rough = (float)(rough_part * couple->size);
	double radius = (double)couple->shapes[0]->radius + couple->shapes[1]->radius;
	bool boxes = couple->shapes[0]->type == D2_BOX && couple->shapes[1]->type == D2_BOX;
	struct choice choice = {0};
	struct contact c;
	bool clear = boxes                                                  ? choose_of_boxes(couple, rough, radius, &choice)
		: couple->shapes[1]->count == 2 && couple->shapes[0]->count > 2 ? choose_of_line(couple, rough, radius, &choice)
																		: choose_of_outlines(couple, rough, radius, &choice);
	if (choice.apart || !clear)
		return choice.apart;
	c.corner = choice.corner;
	if (!start_contact(couple, choice.of, choice.edge, &c) || !touch_edge(&c))
		return false;
	put_contact(couple, choice.of, &c, out);
	return true;
}

/* --- Two lines ------------------------------------------------------------------------------------------------------------ */

/* From p along t, a unit vector, turned as in the world, from the origin of the first shape. */
struct line {
	const struct d2_shape *shape;
	struct d2_vec_d p, t;
	double length;
};

static inline void make_line(const struct d2_shape *shape, const struct d2_pose *pose, struct d2_vec_d origin, struct line *out)
{
	struct d2_rot_d q = d2_exact_rot(pose->q);
	struct d2_vec_d n = d2_turn_d(q, shape->edges[0].normal);
	out->shape = shape;
	out->p = d2_add_d(origin, d2_turn_d(q, d2_widen(shape->points[0])));
	out->t = (struct d2_vec_d){-n.y, n.x};
	out->length = shape->edges[0].length;
}

/* End k of `other` beside `own`, `corner` from where that starts, exactly as clip_edges has it. False: not so easily. */
static inline bool touch_end(
	const struct line *own, const struct line *other, struct d2_vec_d corner, uint32_t k, struct contact *c)
{
	/* Edge 0 goes there, with its normal to the right, edge 1 back. */
	struct d2_vec_d t = own->t, n = {t.y, -t.x}, way = d2_scale_d(k > 0 ? -other->length : other->length, other->t);
	double right = d2_dot_d(corner, n), height = abs_d(right);
	bool left = right < 0;
	n = d2_scale_d(left ? -1 : 1, n);
	double x = d2_dot_d(corner, t);
	double dx = d2_dot_d(way, t);
	double end = clamp_d(x + dx, 0, own->length);
	double separation = height - c->radius;
	if (!(abs_d(separation) > c->doubt && height > 1e3 * c->doubt) || lies_flat(way, n))
		return false;
	c->normal = n;
	if (separation > 0)
		return true;
	struct d2_vec_d at = d2_add_d(own->p, corner);
	uint32_t start = left ? 1 : 0;
	if (!(abs_d(dx) > 1e-9 * other->length)) {
		add_point(c, at, separation, start, k);
		return true;
	}
	double part = (end - x) / dx, there = separation + part * d2_dot_d(way, n);
	bool is_low = left ? dx < 0 : dx > 0, two = there <= 0 && abs_d(end - x) > c->doubt;
	if (two && !is_low)
		add_point(c, d2_mul_add_d(at, part, way), there, start, 1 - k);
	add_point(c, at, separation, is_low ? start : 1 - start, k);
	if (two && is_low)
		add_point(c, d2_mul_add_d(at, part, way), there, 1 - start, 1 - k);
	return true;
}

/* An end of the one is nearest, where they do not cross; they are not all but parallel.
 * Source: Ericson, "Real-time collision detection", 2005, 5.1.9. */
static bool touch_lines(const struct d2_shape *shapes[2], const struct d2_pose *poses[2], double size, struct d2_touch *out)
{
	unsigned first = comes_second(shapes[0], poses[0], shapes[1], poses[1]);
	const struct d2_pose *pose = poses[first], *pose_b = poses[first ^ 1];
	struct d2_vec_d between = {pose_b->x - pose->x, pose_b->y - pose->y};
	struct line lines[2];
	make_line(shapes[first], pose, (struct d2_vec_d){0, 0}, &lines[0]);
	make_line(shapes[first ^ 1], pose_b, between, &lines[1]);
	struct d2_vec_d e = lines[0].t, f = lines[1].t, w = d2_sub_d(lines[1].p, lines[0].p);
	double ef = d2_dot_d(e, f), cross = d2_cross_d(e, f);
	if (!(abs_d(cross) > 1e-3))
		return false;
	/* How far along both. */
	double s = clamp_d(d2_cross_d(w, f) / cross, 0, lines[0].length), t = s * ef - d2_dot_d(f, w);
	bool end_b = !(t > 0 && t < lines[1].length);
	if (end_b) {
		t = clamp_d(t, 0, lines[1].length);
		s = clamp_d(d2_dot_d(e, w) + t * ef, 0, lines[0].length);
	}
	bool end_a = !(s > 0 && s < lines[0].length);
	if (!end_a && !end_b) {
		struct couple couple;
		set_couple(&couple, shapes[0], poses[0], shapes[1], poses[1], size);
		return touch_outlines(&couple, out);
	}
	struct contact c = {.radius = (double)shapes[0]->radius + shapes[1]->radius};
	c.doubt = doubt_part * size;
	unsigned of = !end_b;
	c.other = lines[of ^ 1].shape;
	struct d2_vec_d corner = d2_mul_add_d(w, t, f);
	if (end_a && end_b) {
		struct d2_vec_d way = d2_mul_add_d(corner, -s, e);
		double square = d2_dot_d(way, way), enough = c.radius + c.doubt;
		if (square > enough * enough)
			return true;
		double distance = sqrt(square), separation = distance - c.radius;
		c.normal = d2_scale_d(1 / distance, way);
		if (!(distance > 1e3 * c.doubt && separation < -c.doubt) || lies_flat(e, c.normal) || lies_flat(f, c.normal))
			return false;
		add_point(&c, d2_add_d(lines[0].p, corner), separation, s > 0, t > 0);
	} else {
		corner = of ? d2_sub_d(d2_scale_d(s, e), w) : corner;
		if (!touch_end(&lines[of], &lines[of ^ 1], corner, (of ? s : t) > 0, &c))
			return false;
	}
	bool of_b = first ^ of;
	out->normal = of_b ? d2_neg_d(c.normal) : c.normal;
	out->count = c.count;
	for (int i = 0; i < c.count; ++i) {
		const struct point *p = &c.points[i];
		out->points[i] = (struct d2_touch_point){
			pose->x + p->p.x, pose->y + p->p.y, p->separation, of_b ? p->other : p->own, of_b ? p->own : p->other};
	}
	return true;
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

bool d2_touch_plain(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, struct d2_touch *out)
{
	if (a->type > D2_POLYGON || b->type > D2_POLYGON || a->count > POINTS_MAX || b->count > POINTS_MAX)
		return false;
	struct d2_vec_d between = {pose_b->x - pose_a->x, pose_b->y - pose_a->y};
	double reach = a->reach + b->reach;
	out->count = 0;
	if (d2_dot_d(between, between) > reach * reach * (1 + 1e-5))
		return true;
	/* No coordinate is larger, from either origin. */
	double size = 3 * reach;
	if (a->count == 2 && b->count == 2)
		return touch_lines((const struct d2_shape *[]){a, b}, (const struct d2_pose *[]){pose_a, pose_b}, size, out);
	if (a->count > 1 && b->count > 1) {
		struct couple couple;
		set_couple(&couple, a, pose_a, b, pose_b, size);
		return touch_outlines(&couple, out);
	}
	if (a->count > 1)
		return touch_circle(a, pose_a, b, pose_b, false, size, out);
	if (b->count > 1)
		return touch_circle(b, pose_b, a, pose_a, true, size, out);
	return touch_circles(a, pose_a, b, pose_b, out);
}
