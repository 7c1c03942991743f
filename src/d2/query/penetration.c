/* penetration.c - see penetration.h. The result is the point closest to the origin on the boundary of M, the Minkowski
 * difference: the set of all b - a. M's vertices are support points of B along d minus those of A along -d. Its edges are those
 * of B and, reversed, of A, sorted by direction. So its boundary can be walked without building it. If the origin is outside,
 * the walk is short: it starts at the support vertex against the vector between the middles of A and B, and follows the edges
 * while the distance decreases. All edges are examined if the walk ends at an edge that does not face the origin, if the
 * polygons overlap, or if rounding error leaves the result open.
 * Source: de Berg et al., "Computational geometry", 2008, 13.3 (the order of the edges).
 * Pure, any thread. */
#include "d2/query/penetration_parts.h"

#include <string.h>

/* Relative tolerance: shorter distances are left to the search of all edges, which knows the size of the coordinates. */
static const double unsure_tolerance = 1e-10;

/* Edges at an angle of a smaller squared sine are parallel: above the rounding error of doubles, below that of floats. */
static const double parallel_square = 1e-26;

static inline uint32_t before(uint32_t i, uint32_t count)
{
	return i > 0 ? i - 1 : count - 1;
}

static inline bool parallel(double cross, struct d2_vec_d e, struct d2_vec_d f)
{
	return cross * cross <= parallel_square * (d2_dot_d(e, e) * d2_dot_d(f, f));
}

static inline void take_vertex(const struct stride *s, struct d2_core_separation *out)
{
	double length = d2_length_d(s->w);
	*out = (struct d2_core_separation){length, d2_scale_d(1 / length, s->w), {s->i, s->i}, {s->k, s->k}, 0};
}

static inline void take_edge(const struct pair *c, const struct stride *s, struct d2_core_separation *out)
{
	struct d2_vec_d normal;
	double length = edge_normal(c, s, &normal), part = clamp_d(d2_cross_d(normal, s->w) / length, 0, 1);
	*out = (struct d2_core_separation){d2_dot_d(normal, s->w), normal, {s->i, s->next_i}, {s->k, s->next_k}, part};
}

/* --- Walk along the boundary ---------------------------------------------------------------------------------------------- */

static inline struct d2_vec_d middle(const struct d2_proxy *proxy)
{
	struct d2_vec p = proxy->points[0], q = proxy->points[proxy->count / 2];
	return (struct d2_vec_d){0.5 * ((double)p.x + q.x), 0.5 * ((double)p.y + q.y)};
}

/* Finds the edge of M that leaves the vertex counter-clockwise (left) or clockwise: of A's and B's next edges the first by
 * direction, or their sum if they are parallel. False: they are antiparallel, and their order is undecided. */
static inline bool find_edge(const struct pair *c, bool left, struct stride *s)
{
	uint32_t na = c->a->count, nb = c->b->count;
	uint32_t i = left ? after(s->i, na) : before(s->i, na), k = left ? after(s->k, nb) : before(s->k, nb);
	struct d2_vec_d a = d2_sub_d(point_a(c, s->i), point_a(c, i)), b = path_b(c, s->k, k);
	double cross = d2_cross_d(a, b);
	bool both = (na > 1) & (nb > 1) & parallel(cross, a, b), of_a = (nb == 1) | ((na > 1) & (left ? cross > 0 : cross < 0));
	const double x[2] = {b.x, a.x}, y[2] = {b.y, a.y};
	s->next_i = both || of_a ? i : s->i;
	s->next_k = both || !of_a ? k : s->k;
	s->delta = (struct d2_vec_d){x[of_a], y[of_a]};
	if (both)
		s->delta = d2_add_d(a, b);
	return !both || d2_dot_d(a, b) > 0;
}

/* Walks from the vertex *s along the boundary while the distance from the origin decreases. Sets *moved if it decreased.
 * *on_edge: the closest point is on the edge of *s, else it is the vertex. False: undecided. */
static inline bool walk_down(const struct pair *c, bool left, struct stride *s, bool *on_edge, bool *moved)
{
	for (uint32_t steps = c->a->count + c->b->count; steps > 0; --steps) {
		if (!find_edge(c, left, s))
			return false;
		double down = -d2_dot_d(s->w, s->delta), square = d2_dot_d(s->delta, s->delta);
		*on_edge = false;
		/* The vertex is closest only if the origin is outside the edge's line. */
		if (!(down > 0))
			return left ? d2_cross_d(s->w, s->delta) <= 0 : d2_cross_d(s->w, s->delta) >= 0;
		*moved = true;
		*on_edge = down < square;
		if (*on_edge)
			return true;
		s->i = s->next_i;
		s->k = s->next_k;
		s->w = d2_sub_d(point_b(c, s->k), point_a(c, s->i));
	}
	return false;
}

/* Finds the closest point if the origin is outside M. Starts at M's support vertex against the vector between the middles. */
static enum d2_core_answer find_outside(const struct pair *c, struct d2_core_separation *out)
{
	struct d2_vec_d d = d2_sub_d(d2_transform_point_d(c->b_in_a, middle(c->b)), middle(c->a));
	struct stride s = {.i = d2_proxy_farthest(c->a, d), .k = d2_proxy_farthest(c->b, d2_neg_d(d2_inv_turn_d(c->b_in_a->q, d)))};
	struct d2_vec_d a = point_a(c, s.i), b = point_b(c, s.k);
	s.w = d2_sub_d(b, a);
	double size = abs_d(a.x) + abs_d(a.y) + abs_d(b.x) + abs_d(b.y) + abs_d(c->b_in_a->p.x) + abs_d(c->b_in_a->p.y);
	double separation = d2_dot_d(s.w, d) - unsure_tolerance * size * (abs_d(d.x) + abs_d(d.y));
	if (!(separation > 0))
		return D2_CORE_UNSURE;
	if (separation * separation > c->limit * c->limit * d2_dot_d(d, d))
		return D2_CORE_BEYOND;
	bool left = true, moved = false, on_edge, sure = walk_down(c, left, &s, &on_edge, &moved);
	if (sure && !moved) {
		left = false;
		sure = walk_down(c, left, &s, &on_edge, &moved);
	}
	if (!sure)
		return D2_CORE_UNSURE;
	if (on_edge) {
		if (!left)
			s = turned(c, &s);
		take_edge(c, &s, out);
	} else {
		take_vertex(&s, out);
	}
	return out->distance > unsure_tolerance * size ? D2_CORE_FOUND : D2_CORE_UNSURE;
}

/* --- Previous closest features -------------------------------------------------------------------------------------------- */

/* Whether point i alone is the support point along -n, by more than rounding: its neighbours must be farther along n. */
static inline bool is_deepest(const struct d2_proxy *proxy, uint32_t i, struct d2_vec_d n)
{
	uint32_t ends[2] = {before(i, proxy->count), after(i, proxy->count)};
	for (int k = 0; proxy->count > 1 && k < 2; ++k) {
		struct d2_vec_d delta = d2_sub_d(d2_widen(proxy->points[ends[k]]), d2_widen(proxy->points[i]));
		double up = d2_dot_d(delta, n);
		if (!(up > 0 && up * up > parallel_square * d2_dot_d(delta, delta)))
			return false;
	}
	return true;
}

static inline bool has_feature(const struct d2_proxy *proxy, const uint32_t ends[2])
{
	bool edge = (proxy->edges != NULL) & (ends[1] == after(ends[0], proxy->count));
	return (ends[0] < proxy->count) & ((ends[1] == ends[0]) | edge);
}

/* The features are closest if neither polygon extends past the line through its own feature, perpendicular to the normal. */
bool d2_core_separation_again(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out)
{
	struct pair c = {.a = a, .b = b, .b_in_a = b_in_a};
	bool of_a = out->a[0] != out->a[1], of_b = out->b[0] != out->b[1];
	if (!has_feature(a, out->a) || !has_feature(b, out->b) || (of_a && of_b))
		return false;
	struct stride s = {.i = out->a[0], .next_i = out->a[1], .k = out->b[0], .next_k = out->b[1]};
	struct d2_vec_d pa = point_a(&c, s.i), pb = point_b(&c, s.k);
	s.w = d2_sub_d(pb, pa);
	if (of_a || of_b)
		take_edge(&c, &s, out);
	else
		take_vertex(&s, out);
	double size = abs_d(pa.x) + abs_d(pa.y) + abs_d(pb.x) + abs_d(pb.y) + abs_d(b_in_a->p.x) + abs_d(b_in_a->p.y);
	if (!(out->distance > unsure_tolerance * size) || ((of_a || of_b) && !(out->part > 0 && out->part < 1)))
		return false;
	return (of_a || is_deepest(a, s.i, d2_neg_d(out->normal))) &&
		(of_b || is_deepest(b, s.k, d2_inv_turn_d(b_in_a->q, out->normal)));
}

/* --- All edges ------------------------------------------------------------------------------------------------------------ */

/* A search for the edge of M that the origin is farthest outside of. */
struct search {
	struct stride best;
	/* of `best`: its line's distance from the origin times its length; its squared length, 0: none yet */
	double outside, square;
	uint32_t count; /* of edges with a length */
};

/* Takes the edge if it is the best so far. The distances d = outside/length are compared as d |d|, which takes neither root nor
 * division. */
static void search_edge(struct search *s, const struct stride *edge)
{
	double outside = -d2_cross_d(edge->w, edge->delta), square = d2_dot_d(edge->delta, edge->delta);
	if (!(square > 0))
		return;
	++s->count;
	if (s->square == 0 || outside * abs_d(outside) * s->square > s->outside * abs_d(s->outside) * square) {
		s->best = *edge;
		s->outside = outside;
		s->square = square;
	}
}

/* Computes the result from the edge with the greatest signed distance from the origin. If the origin is outside M, the closest
 * point is on this edge, or is its end if the origin projects beyond that. (The vector between the origin and the end then lies
 * between the normals of this edge and the next: otherwise the next edge's line would be farther from the origin.) contact:
 * lengths up to this may be rounding error. hollow: M is a segment. */
static inline void finish(
	const struct pair *c, const struct stride *best, bool hollow, double contact, struct d2_core_separation *out)
{
	take_edge(c, best, out);
	if (out->part > 0 && out->part < 1)
		return;
	struct stride end = out->part >= 1 ? turned(c, best) : *best;
	/* Near contact, if the end is as far as the edge's line to within rounding error, the direction to it may be noise. The
	 * edge's normal then separates as far. */
	double length = d2_length_d(end.w), near_by = 1e4 * contact, rounding = 0.1 * contact;
	if ((hollow || out->distance > 0) && length > contact && (length > near_by || length - out->distance > rounding)) {
		take_vertex(&end, out);
		return;
	}
	out->a[0] = out->a[1] = end.i;
	out->b[0] = out->b[1] = end.k;
	out->part = 0;
}

/* Computes the result from all edges of the explicit difference. */
static void find_anywhere(const struct pair *c, struct d2_core_separation *out)
{
	struct d2_minkowski m;
	d2_minkowski_difference(c->a, c->b, c->b_in_a, &m);
	struct search s = {.best.w = m.v[0].w};
	for (uint32_t i = 0; i < m.count; ++i) {
		const struct d2_minkowski_vertex *v = &m.v[i], *next = &m.v[after(i, m.count)];
		struct stride edge = {v->a, v->b, next->a, next->b, v->w, d2_sub_d(next->w, v->w)};
		search_edge(&s, &edge);
	}
	if (s.square > 0)
		finish(c, &s.best, s.count <= 2, contact_tolerance * m.size, out);
	else if (d2_length_d(s.best.w) > contact_tolerance * m.size)
		take_vertex(&s.best, out);
	else /* M is a point at the origin: any normal will do, say up. */
		*out = (struct d2_core_separation){.normal = {0, 1}};
}

/* --- Point against polygon ------------------------------------------------------------------------------------------------ */

/* The length below which the distance between two points is unsure: far above the coordinates' rounding error. */
static double unsure_distance(struct d2_vec_d a, struct d2_vec_d b)
{
	return unsure_tolerance * (abs_d(a.x) + abs_d(a.y) + abs_d(b.x) + abs_d(b.y));
}

/* Computes the separation of b from A's edge from p, its point i, to q, its point k. */
static enum d2_core_answer take_point_edge(const struct pair *c, struct d2_vec_d p, struct d2_vec_d q, uint32_t i, uint32_t k,
	struct d2_vec_d b, struct d2_core_separation *out)
{
	struct d2_vec_d w = d2_sub_d(b, p), delta = d2_sub_d(p, q), normal = {-delta.y, delta.x};
	double length;
	if (c->a->edges) {
		normal = c->a->edges[i].normal;
		length = c->a->edges[i].length;
	} else {
		length = d2_length_d(delta);
		normal = d2_scale_d(1 / length, normal);
	}
	double part = clamp_d(d2_cross_d(normal, w) / length, 0, 1);
	*out = (struct d2_core_separation){d2_dot_d(normal, w), normal, {i, k}, {0, 0}, part};
	return abs_d(out->distance) > unsure_distance(p, b) ? D2_CORE_FOUND : D2_CORE_UNSURE;
}

static enum d2_core_answer take_point_vertex(
	const struct pair *c, struct d2_vec_d p, uint32_t i, struct d2_vec_d b, struct d2_core_separation *out)
{
	struct stride s = {.i = i, .w = d2_sub_d(b, p)};
	double enough = c->limit + unsure_distance(p, b);
	if (d2_dot_d(s.w, s.w) > enough * enough)
		return D2_CORE_BEYOND;
	take_vertex(&s, out);
	return out->distance > unsure_distance(p, b) ? D2_CORE_FOUND : D2_CORE_UNSURE;
}

static enum d2_core_answer point_and_line(const struct pair *c, struct d2_vec_d b, struct d2_core_separation *out)
{
	struct d2_vec_d p = point_a(c, 0), q = point_a(c, 1), e = d2_sub_d(q, p), w = d2_sub_d(b, p);
	double along = d2_dot_d(w, e), square = d2_dot_d(e, e);
	if (along <= 0)
		return take_point_vertex(c, p, 0, b, out);
	if (along >= square)
		return take_point_vertex(c, q, 1, b, out);
	double side = d2_cross_d(w, e), enough = c->limit + unsure_distance(p, b);
	if (side * side > enough * enough * square)
		return D2_CORE_BEYOND;
	return side > 0 ? take_point_edge(c, p, q, 0, 1, b, out) : take_point_edge(c, q, p, 1, 0, b, out);
}

/* --- Segment against segment ---------------------------------------------------------------------------------------------- */

/* Segments at an angle of a smaller squared sine count as parallel: the result is UNSURE. */
static const double along_square = 1e-16;

/* The edge of M of a segment, of A or else of B, and an end of the other. start, stop: from A to B at both ends of the segment;
 * line: from the first of them to the second. */
static inline struct stride line_and_end(
	struct d2_vec_d start, struct d2_vec_d stop, struct d2_vec_d line, bool of_a, uint32_t end)
{
	static const double signs[2] = {-1, 1};
	bool left = signs[of_a] * d2_cross_d(start, line) > 0; /* either is as likely: tables, not branches */
	const double x[2] = {stop.x, start.x}, y[2] = {stop.y, start.y};
	const uint32_t first[2] = {end, !left}, last[2] = {end, left};
	return (struct stride){
		first[of_a], first[!of_a], last[of_a], last[!of_a], {x[left], y[left]}, d2_scale_d(signs[left != of_a], line)};
}

/* Computes the separation of two segments. Unless they cross (UNSURE), an end of one is closest.
 * Source: Ericson, "Real-time collision detection", 2005, 5.1.9. */
static enum d2_core_answer lines(const struct pair *c, struct d2_core_separation *out)
{
	struct d2_vec_d p = point_a(c, 0), q = point_a(c, 1), u = point_b(c, 0), v = point_b(c, 1);
	struct d2_vec_d e = d2_sub_d(q, p), f = d2_sub_d(v, u), w = d2_sub_d(u, p);
	double ee = d2_dot_d(e, e), ff = d2_dot_d(f, f), cross = d2_cross_d(e, f), ew = d2_dot_d(e, w), fw = d2_dot_d(f, w);
	if (!(cross * cross > along_square * (ee * ff)))
		return D2_CORE_UNSURE;
	/* Fractions of both segments at the closest points. */
	double s = clamp_d(d2_cross_d(w, f) / cross, 0, 1), t = (s * d2_dot_d(e, f) - fw) / ff;
	bool end_of_b = !((t > 0) & (t < 1));
	t = clamp_d(t, 0, 1);
	const double parts[2] = {s, (ew + t * d2_dot_d(e, f)) / ee};
	s = parts[end_of_b];
	bool end_of_a = !((s > 0) & (s < 1));
	if (!end_of_a && !end_of_b)
		return D2_CORE_UNSURE;
	uint32_t i = s > 0, k = t > 0;
	const double ax[2] = {p.x, q.x}, ay[2] = {p.y, q.y}, bx[2] = {u.x, v.x}, by[2] = {u.y, v.y};
	struct d2_vec_d a = {ax[i], ay[i]}, b = {bx[k], by[k]};
	if (end_of_a && end_of_b) {
		struct stride vertex = {.i = i, .k = k, .w = d2_sub_d(b, a)};
		take_vertex(&vertex, out);
	} else {
		struct stride edge = end_of_b ? line_and_end(d2_sub_d(b, p), d2_sub_d(b, q), e, true, k)
									  : line_and_end(d2_sub_d(u, a), d2_sub_d(v, a), f, false, i);
		take_edge(c, &edge, out);
	}
	double doubt = unsure_distance(a, b) + unsure_tolerance * (abs_d(c->b_in_a->p.x) + abs_d(c->b_in_a->p.y));
	return out->distance > c->limit + doubt ? D2_CORE_BEYOND : out->distance > doubt ? D2_CORE_FOUND : D2_CORE_UNSURE;
}

/* Computes the separation of the point b from a polygon. Finds in floats the edge that b is farthest outside of. UNSURE:
 * another edge is as far to within rounding, or b is too close to the boundary. */
static enum d2_core_answer point_and_polygon(const struct pair *c, struct d2_vec_d b, struct d2_core_separation *out)
{
	float separations[D2_HULL_MAX], size;
	uint32_t best;
	double most = float4_outside(c->a->points, c->a->normals, c->a->count, d2_narrow(b), separations, &size);
	double slack = lane_tolerance * (size + abs_d(b.x) + abs_d(b.y));
	if (most - slack > c->limit)
		return D2_CORE_BEYOND;
	if (!float4_only(separations, c->a->count, (float)(most - slack), &best))
		return D2_CORE_UNSURE;
	uint32_t next = after(best, c->a->count);
	struct d2_vec_d p = point_a(c, best), q = point_a(c, next), e = d2_sub_d(q, p);
	double along = d2_dot_d(d2_sub_d(b, p), e), square = d2_dot_d(e, e);
	/* Beyond an end, the corner is closest if b is surely outside. */
	if (!(along > 0 && along < square))
		return most > slack ? (along > 0 ? take_point_vertex(c, q, next, b, out) : take_point_vertex(c, p, best, b, out))
							: D2_CORE_UNSURE;
	return take_point_edge(c, p, q, best, next, b, out);
}

/* --- Four edges at a time ------------------------------------------------------------------------------------------------- */

/* Writes to `out` the separation of the other polygon, `seen`, along each of the proxy's edge normals. Returns per lane the
 * greatest of these and `most`. */
static inline float4 separate(const struct d2_proxy *proxy, const struct d2_vec *normals, uint32_t edges,
	const struct seen *seen, uint32_t seen_count, float4 most, float *out)
{
	for (uint32_t i = 0; i < edges; i += 4) {
		uint32_t start = float4_start(i, edges);
		float4 found = separate_four(proxy->points, float4_load(normals, start, edges), start, edges, seen, seen_count);
		most = float4_most(most, found);
		memcpy(out + start, &found, sizeof found);
	}
	return most;
}

/* Separations along A's edges, and from index FEW_POINTS on along B's. Returns the greatest. */
static inline float separate_all(const struct pair *c, const struct views *v, float separations[2 * FEW_POINTS])
{
	float4 most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
	most = separate(c->a, v->normals_a, v->edges_a, &v->b, c->b->count, most, separations);
	most = separate(c->b, v->normals_b, v->edges_b, &v->a, c->a->count, most, separations + FEW_POINTS);
	return float4_greatest(most);
}

void d2_penetration_join_parallel(const struct pair *c, struct stride *s)
{
	bool of_a = s->i != s->next_i;
	uint32_t count = of_a ? c->b->count : c->a->count, at = of_a ? s->k : s->i, ends[2] = {before(at, count), after(at, count)};
	for (int end = 0; count > 1 && end < 2; ++end) {
		struct d2_vec_d p = of_a ? point_b(c, at) : d2_neg_d(point_a(c, at));
		struct d2_vec_d q = of_a ? point_b(c, ends[end]) : d2_neg_d(point_a(c, ends[end]));
		struct d2_vec_d delta = end == 0 ? d2_sub_d(p, q) : d2_sub_d(q, p);
		if (!parallel(d2_cross_d(delta, s->delta), delta, s->delta) || !(d2_dot_d(delta, s->delta) > 0))
			continue;
		*(of_a ? (end == 0 ? &s->k : &s->next_k) : (end == 0 ? &s->i : &s->next_i)) = ends[end];
		s->w = d2_sub_d(point_b(c, s->k), point_a(c, s->i));
		s->delta = d2_add_d(s->delta, delta);
		return;
	}
}

/* Finds in double the edge, of the candidates in `bits`, that the origin is farthest outside of. False: more than FEW_EDGES
 * have a length, or none. */
static bool choose_stride(const struct pair *c, const struct views *v, uint32_t bits, struct stride *out)
{
	struct search s = {.count = 0};
	for (; bits != 0; bits &= bits - 1) {
		struct stride edge;
		make_stride(c, v, (uint32_t)__builtin_ctz(bits), &edge);
		search_edge(&s, &edge);
	}
	if (s.count == 0 || s.count > FEW_EDGES)
		return false;
	/* A parallel edge is equally far outside. */
	if (s.count > 1)
		d2_penetration_join_parallel(c, &s.best);
	*out = s.best;
	return true;
}

/* Tests all edge normals in floats, and the best in double. With c->rough the depth of a sure overlap is only that of the
 * floats. UNSURE: too many edges are equally good, or the distance is hardly above rounding error. */
static enum d2_core_answer find_by_lanes(const struct pair *c, struct d2_core_separation *out)
{
	struct views v;
	struct stride best;
	float separations[2 * FEW_POINTS];
	make_views(c, &v);
	float most = separate_all(c, &v, separations), slack = (float)lane_tolerance * v.scale, enough = most - slack;
	if (enough > c->limit)
		return D2_CORE_BEYOND;
	if (c->rough && most + slack < 0) {
		out->distance = most;
		return D2_CORE_FOUND;
	}
	if (!choose_stride(c, &v, edges_of_both(&v, separations, enough), &best))
		return D2_CORE_UNSURE;
	finish(c, &best, v.edges_a + v.edges_b <= 2, contact_tolerance * v.scale, out);
	return abs_d(out->distance) > unsure_tolerance * v.scale ? D2_CORE_FOUND : D2_CORE_UNSURE;
}

/* --- Choice of method ----------------------------------------------------------------------------------------------------- */

static inline enum d2_core_answer find_of_point(const struct pair *c, struct d2_vec_d b, struct d2_core_separation *out)
{
	uint32_t count = c->a->count;
	return count == 1 ? take_point_vertex(c, point_a(c, 0), 0, b, out)
		: count == 2  ? point_and_line(c, b, out)
					  : point_and_polygon(c, b, out);
}

enum d2_core_answer d2_core_separation_of_point(
	const struct d2_proxy *a, struct d2_vec_d b, double limit, struct d2_core_separation *out)
{
	struct pair c = {.a = a, .limit = limit};
	return find_of_point(&c, b, out);
}

/* d2_core_separation_within for a pair. */
static bool find_within(const struct pair *c, struct d2_core_separation *out)
{
	enum d2_core_answer answer = D2_CORE_UNSURE;
	bool point = c->b->count == 1, few = are_few(c);
	if (point)
		answer = find_of_point(c, point_b(c, 0), out);
	else if (c->a->count == 2 && c->b->count == 2)
		answer = lines(c, out);
	bool search = !point || c->a->count > 2;
	if (search && answer == D2_CORE_UNSURE && !(few && c->deep))
		answer = find_outside(c, out);
	if (search && answer == D2_CORE_UNSURE && few)
		answer = find_by_lanes(c, out);
	if (answer == D2_CORE_UNSURE)
		find_anywhere(c, out);
	return answer != D2_CORE_BEYOND;
}

bool d2_core_separation_within(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	double limit, bool deep, struct d2_core_separation *out)
{
	return find_within(&(struct pair){a, b, b_in_a, limit, deep, false}, out);
}

bool d2_core_separation_overlaps(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, bool deep)
{
	struct d2_core_separation core;
	struct pair c = {a, b, b_in_a, (double)a->radius + b->radius, deep, true};
	return find_within(&c, &core) && core.distance - a->radius - b->radius <= 0;
}

void d2_core_separation_find(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out)
{
	d2_core_separation_within(a, b, b_in_a, INFINITY, false, out);
}
