/* gap.c - see gap.h. What is looked for is the point of the boundary of M, the set of all differences b - a, that is nearest to
** the origin. M's vertices are differences of points of A and B that are both the farthest along one direction, and its edges are those
** of B and, turned round, of A, in the order of their directions; so one can walk along its boundary without having made it.
** From outside the way to the nearest point is short: it starts at the vertex that faces the origin as judged by the middles of A and B,
** and goes down along the edges until the distance grows. That ends at the nearest point, unless it ends at an edge that does not face the
** origin. Then, where the outlines overlap and wherever rounding makes the way unsure, all edges are looked at.
** Source: de Berg et al., "Computational geometry", 2008, 13.3 (the order of the edges).
** Floor: d2. Pure, any thread. */
#include "d2/gap.h"

/* Distances below this part of the coordinates are rounding: then the direction is that of an edge. */
static const double contact_part = 1e-14;
/* Those below this part of them are left to the walk that looks at all edges, which knows its coordinates' size. */
static const double unsure_part = 1e-12;
/* Square of the sine of the angle below which two edges are parallel: more than the rounding of a rotation, less than that of a
** pose. */
static const double parallel_square = 1e-26;

struct couple {
	const struct d2_proxy *a, *b;
	struct d2_transform_d place;
};

static struct d2_vec_d point_a(const struct couple *c, uint32_t i)
{
	return d2_widen(c->a->points[i]);
}

static struct d2_vec_d point_b(const struct couple *c, uint32_t k)
{
	return d2_transform_point_d(&c->place, d2_widen(c->b->points[k]));
}

static uint32_t after(uint32_t i, uint32_t count)
{
	return i + 1 < count ? i + 1 : 0;
}

static uint32_t before(uint32_t i, uint32_t count)
{
	return i > 0 ? i - 1 : count - 1;
}

static bool parallel(double cross, struct d2_vec_d e, struct d2_vec_d f)
{
	return cross * cross <= parallel_square * (d2_dot_d(e, e) * d2_dot_d(f, f));
}

/* A vertex of M, and the one that follows it on the way round. */
struct stride {
	uint32_t i, k; /* of the vertex */
	uint32_t next_i, next_k;
	struct d2_vec_d w, way;
};

static void take_vertex(const struct stride *s, struct d2_core_gap *out)
{
	out->distance = d2_length_d(s->w);
	out->normal = d2_scale_d(1 / out->distance, s->w);
	out->a[0] = out->a[1] = s->i;
	out->b[0] = out->b[1] = s->k;
	out->part = 0;
}

/* The origin is outside of the edge's line by -(w x way)/|way|. */
static void take_edge(const struct stride *s, double part, struct d2_core_gap *out)
{
	double inverse = 1 / d2_length_d(s->way);
	out->normal = (struct d2_vec_d){ -s->way.y * inverse, s->way.x * inverse };
	out->distance = -d2_cross_d(s->w, s->way) * inverse;
	out->a[0] = s->i;
	out->a[1] = s->next_i;
	out->b[0] = s->k;
	out->b[1] = s->next_k;
	out->part = part;
}

/* The same edge the other way round. */
static struct stride turned(const struct stride *s)
{
	return (struct stride){ s->next_i, s->next_k, s->i, s->k, d2_add_d(s->w, s->way), d2_neg_d(s->way) };
}

/* --- The short way ----------------------------------------------------------------------------------------------------- */

static uint32_t farthest(const struct d2_proxy *proxy, struct d2_vec_d d)
{
	uint32_t best = 0;
	double far = proxy->points[0].x * d.x + proxy->points[0].y * d.y;
	for (uint32_t i = 1; i < proxy->count; i++) {
		double along = proxy->points[i].x * d.x + proxy->points[i].y * d.y;
		if (along > far) {
			far = along;
			best = i;
		}
	}
	return best;
}

static struct d2_vec_d middle(const struct d2_proxy *proxy)
{
	struct d2_vec p = proxy->points[0], q = proxy->points[proxy->count / 2];
	return (struct d2_vec_d){ 0.5 * ((double)p.x + q.x), 0.5 * ((double)p.y + q.y) };
}

/* The edge of M from the vertex to the left or to the right: of A's and B's next edges the first in direction; both, where they are
** parallel. False: they are opposite, so that one cannot tell. */
static bool find_edge(const struct couple *c, bool left, struct stride *s)
{
	uint32_t na = c->a->count, nb = c->b->count;
	uint32_t i = left ? after(s->i, na) : before(s->i, na), k = left ? after(s->k, nb) : before(s->k, nb);
	struct d2_vec_d a = d2_sub_d(point_a(c, s->i), point_a(c, i)), b = d2_sub_d(point_b(c, k), point_b(c, s->k));
	double cross = d2_cross_d(a, b);
	bool both = na > 1 && nb > 1 && parallel(cross, a, b), of_a = nb == 1 || (na > 1 && (left ? cross > 0 : cross < 0));
	s->next_i = both || of_a ? i : s->i;
	s->next_k = both || !of_a ? k : s->k;
	s->way = both ? d2_add_d(a, b) : of_a ? a : b;
	return !both || d2_dot_d(a, b) > 0;
}

/* Down from the vertex as far as it goes. *moved: whether that was anywhere. *part: of the last edge, where its foot is on it; else 1. False:
** one cannot tell. */
static bool walk_down(const struct couple *c, bool left, struct stride *s, double *part, bool *moved)
{
	for (uint32_t steps = c->a->count + c->b->count; steps > 0; steps--) {
		if (!find_edge(c, left, s))
			return false;
		double down = -d2_dot_d(s->w, s->way), square = d2_dot_d(s->way, s->way);
		*part = 1;
		/* A vertex that is nearest is outside of its edges' lines. */
		if (!(down > 0))
			return left ? d2_cross_d(s->w, s->way) <= 0 : d2_cross_d(s->w, s->way) >= 0;
		*moved = true;
		if (down < square) {
			*part = down / square;
			return true;
		}
		s->i = s->next_i;
		s->k = s->next_k;
		s->w = d2_sub_d(point_b(c, s->k), point_a(c, s->i));
	}
	return false;
}

/* True: *out is the nearest point, outside of M. */
static bool find_outside(const struct couple *c, struct d2_core_gap *out)
{
	struct d2_vec_d d = d2_sub_d(d2_transform_point_d(&c->place, middle(c->b)), middle(c->a));
	struct stride s = { .i = farthest(c->a, d), .k = farthest(c->b, d2_neg_d(d2_inv_turn_d(c->place.q, d))) };
	struct d2_vec_d a = point_a(c, s.i), b = point_b(c, s.k);
	s.w = d2_sub_d(b, a);
	double part, size = abs_d(a.x) + abs_d(a.y) + abs_d(b.x) + abs_d(b.y) + abs_d(c->place.p.x) + abs_d(c->place.p.y);
	bool left = true, moved = false, sure = walk_down(c, left, &s, &part, &moved);
	if (sure && !moved) {
		left = false;
		sure = walk_down(c, left, &s, &part, &moved);
	}
	if (!sure)
		return false;
	if (part == 1) {
		take_vertex(&s, out);
	} else {
		if (!left) {
			s = turned(&s);
			part = 1 - part;
		}
		take_edge(&s, part, out);
	}
	return out->distance > unsure_part * size;
}

/* --- All the way round ------------------------------------------------------------------------------------------------- */

/* An outline on its way round. */
struct walk {
	const struct d2_vec_d *p;
	uint32_t count, at, left; /* edges still to go; a single point has none */
	struct d2_vec_d way; /* of the edge at hand */
	double square;
};

static void walk_face(struct walk *walk)
{
	walk->way = d2_sub_d(walk->p[after(walk->at, walk->count)], walk->p[walk->at]);
	walk->square = d2_dot_d(walk->way, walk->way);
}

/* Starts at the lowest point, of these the leftmost: edge directions then go from 0 to a full turn. */
static void walk_start(struct walk *walk, double *size)
{
	walk->at = 0;
	walk->left = walk->count > 1 ? walk->count : 0;
	for (uint32_t i = 0; i < walk->count; i++) {
		struct d2_vec_d p = walk->p[i], low = walk->p[walk->at];
		*size = max_d(*size, max_d(abs_d(p.x), abs_d(p.y)));
		if (p.y < low.y || (p.y == low.y && p.x < low.x))
			walk->at = i;
	}
	walk_face(walk);
}

static void walk_on(struct walk *walk)
{
	walk->at = after(walk->at, walk->count);
	walk->left--;
	walk_face(walk);
}

static bool points_down(struct d2_vec_d e)
{
	return e.y < 0 || (e.y == 0 && e.x < 0);
}

/* Whether A's edge comes before B's in direction: -1, 0 for parallel, 1. */
static int compare_edges(const struct walk *a, const struct walk *b)
{
	if (a->left == 0 || b->left == 0)
		return a->left == 0 ? 1 : -1;
	double cross = d2_cross_d(a->way, b->way);
	if (cross * cross <= parallel_square * (a->square * b->square) && d2_dot_d(a->way, b->way) > 0)
		return 0;
	bool down = points_down(a->way);
	if (down != points_down(b->way))
		return down ? 1 : -1;
	return cross > 0 ? -1 : 1;
}

/* The edge of M that the origin is farthest outside of; the number of its edges. */
struct search {
	struct stride best;
	double outside, square; /* times the length of the edge; of its length. 0: none yet */
	uint32_t count;
};

/* The heights h/l are compared as h |h|/l^2, which takes neither root nor division. */
static void search_edge(struct search *s, const struct stride *edge)
{
	double outside = -d2_cross_d(edge->w, edge->way), square = d2_dot_d(edge->way, edge->way);
	s->count++;
	if (!(square > 0))
		return;
	if (s->square == 0 || outside * abs_d(outside) * s->square > s->outside * abs_d(s->outside) * square) {
		s->best = *edge;
		s->outside = outside;
		s->square = square;
	}
}

/* points: of -A and of B in A's frame. *size: of the coordinates. */
static void search_round(struct walk *a, struct walk *b, double *size, struct search *s)
{
	walk_start(a, size);
	walk_start(b, size);
	*s = (struct search){ .best.w = d2_add_d(a->p[0], b->p[0]) };
	for (uint32_t most = a->left + b->left; a->left + b->left > 0 && s->count < most;) {
		int order = compare_edges(a, b);
		struct stride edge = { a->at, b->at, a->at, b->at, d2_add_d(a->p[a->at], b->p[b->at]), order <= 0 ? a->way : b->way };
		if (order == 0)
			edge.way = d2_add_d(a->way, b->way);
		if (order <= 0) {
			walk_on(a);
			edge.next_i = a->at;
		}
		if (order >= 0) {
			walk_on(b);
			edge.next_k = b->at;
		}
		search_edge(s, &edge);
	}
}

/* Outside of a convex outline, the edge that one is farthest outside of carries the nearest point: beyond its end, its normal and the
** next one's enclose the way there, since the next edge's line is no farther. */
static void find_anywhere(const struct couple *c, struct d2_core_gap *out)
{
	struct d2_vec_d of_a[D2_HULL_MAX], of_b[D2_HULL_MAX];
	struct walk a = { .p = of_a, .count = c->a->count }, b = { .p = of_b, .count = c->b->count };
	for (uint32_t i = 0; i < a.count; i++)
		of_a[i] = d2_neg_d(point_a(c, i));
	for (uint32_t k = 0; k < b.count; k++)
		of_b[k] = point_b(c, k);
	struct search s;
	double size = 0;
	search_round(&a, &b, &size, &s);
	double part = s.square > 0 ? clamp_d(-d2_dot_d(s.best.w, s.best.way) / s.square, 0, 1) : 0, contact = contact_part * size;
	bool corner = part <= 0 || part >= 1;
	struct stride end = part >= 1 ? turned(&s.best) : s.best;
	/* A line has no inside. */
	if (corner && (s.outside > 0 || s.count <= 2) && d2_length_d(end.w) > contact) {
		take_vertex(&end, out);
	} else if (s.square > 0) {
		take_edge(&s.best, part, out);
		if (corner) {
			out->a[0] = out->a[1] = end.i;
			out->b[0] = out->b[1] = end.k;
			out->part = 0;
		}
	} else {
		/* A point. In one place any direction serves, up is as good as the next. */
		*out = (struct d2_core_gap){ .normal = { 0, 1 } };
	}
}

/* --- A point against an outline ---------------------------------------------------------------------------------------- */

/* Below it one is not told from the coordinates' rounding, by far. */
static double unsure(struct d2_vec_d a, struct d2_vec_d b)
{
	return unsure_part * (abs_d(a.x) + abs_d(a.y) + abs_d(b.x) + abs_d(b.y));
}

/* The edge of A from point i to point k. */
static bool take_point_edge(struct d2_vec_d p, struct d2_vec_d q, uint32_t i, uint32_t k, struct d2_vec_d b, double part, struct d2_core_gap *out)
{
	struct stride s = { i, 0, k, 0, d2_sub_d(b, p), d2_sub_d(p, q) };
	take_edge(&s, part, out);
	return abs_d(out->distance) > unsure(p, b);
}

static bool take_point_vertex(struct d2_vec_d p, uint32_t i, struct d2_vec_d b, struct d2_core_gap *out)
{
	struct stride s = { .i = i, .w = d2_sub_d(b, p) };
	take_vertex(&s, out);
	return out->distance > unsure(p, b);
}

static bool point_and_line(const struct couple *c, struct d2_vec_d b, struct d2_core_gap *out)
{
	struct d2_vec_d p = point_a(c, 0), q = point_a(c, 1), e = d2_sub_d(q, p), w = d2_sub_d(b, p);
	double along = d2_dot_d(w, e), square = d2_dot_d(e, e);
	if (along <= 0)
		return take_point_vertex(p, 0, b, out);
	if (along >= square)
		return take_point_vertex(q, 1, b, out);
	/* The side on which b stands. */
	return d2_cross_d(w, e) > 0 ? take_point_edge(p, q, 0, 1, b, along / square, out)
								: take_point_edge(q, p, 1, 0, b, 1 - along / square, out);
}

static bool point_and_polygon(const struct couple *c, struct d2_vec_d b, struct d2_core_gap *out)
{
	uint32_t best = 0, last = c->a->count - 1;
	double most = 0, most_square = 0;
	struct d2_vec_d p = point_a(c, last);
	for (uint32_t i = 0, k = last; i <= last; k = i++) {
		struct d2_vec_d q = point_a(c, i), e = d2_sub_d(q, p);
		double outside = d2_cross_d(d2_sub_d(b, p), e), square = d2_dot_d(e, e);
		p = q;
		if (square > 0 && (most_square == 0 || outside * abs_d(outside) * most_square > most * abs_d(most) * square)) {
			best = k;
			most = outside;
			most_square = square;
		}
	}
	uint32_t next = after(best, last + 1);
	p = point_a(c, best);
	struct d2_vec_d q = point_a(c, next);
	double along = d2_dot_d(d2_sub_d(b, p), d2_sub_d(q, p));
	if (most > 0 && along <= 0)
		return take_point_vertex(p, best, b, out);
	if (most > 0 && along >= most_square)
		return take_point_vertex(q, next, b, out);
	return along > 0 && along < most_square && take_point_edge(p, q, best, next, b, along / most_square, out);
}

/* Whether it is sure. */
static bool point_and_outline(const struct couple *c, struct d2_core_gap *out)
{
	struct d2_vec_d b = point_b(c, 0);
	return c->a->count == 1 ? take_point_vertex(point_a(c, 0), 0, b, out)
		: c->a->count == 2	? point_and_line(c, b, out)
							: point_and_polygon(c, b, out);
}

void d2_core_gap_find(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_core_gap *out)
{
	struct couple c = { a, b, *b_in_a };
	if (!(b->count == 1 ? point_and_outline(&c, out) : find_outside(&c, out)))
		find_anywhere(&c, out);
}
