/* gjk_hulls.c - GJK between two polytope cores, on corner indices. See gjk.h. */
#include "d3/query/gjk.h"
#include "d3/query/simplex.h"
#include "d3/shape/support_points.h"

#include <assert.h>
#include <math.h>

/* State of the search. Support corners are chosen in floats until floats show no more progress, then in doubles. Pairs that
 * rounding leaves UNSURE are left to gjk.c. */
struct corners {
	const struct d3_proxy *a, *b;
	const struct d3_vec *points_a, *points_b;
	const struct d3_transform_d *b_in_a; /* B's transform in A's frame */
	int count;
	uint32_t i[4], k[4]; /* corners of A and B, paired */
	struct d3_vec_d w[4];
	double weights[4], square;
	struct d3_vec_d v; /* the simplex's point closest to the origin; `square` is its squared length */
	struct alongs alongs_a, alongs_b; /* d . p of the corners, for the last direction in floats */
};

/* Directions with squared lengths outside this range are unsuitable for floats. */
static const double least_square = 1e-24, most_square = 1e24;
/* Relative to the coordinates: bound of the rounding error of floats, and the distance up to which a result is UNSURE. */
static const double rough_tolerance = 2e-6, short_tolerance = 1e-9;
/* d3_corners_verdict leaves overlaps shallower than this fraction of the coordinates UNSURE: the measured distance decides. */
static const double sure_tolerance = 1e-12;

enum { CORNER_STEPS = 32 };

/* Copies by coordinates: copying the struct would stall on the stores before it. */
static inline void copy_vector(struct d3_vec_d *to, const struct d3_vec_d *from)
{
	to->x = from->x;
	to->y = from->y;
	to->z = from->z;
}

/* -v in B's frame: the direction for B's support point. */
static inline struct d3_vec_d back_direction(const struct corners *c)
{
	const struct d3_rot_d *q = &c->b_in_a->q;
	return (struct d3_vec_d){-d3_dot_d(q->x, c->v), -d3_dot_d(q->y, c->v), -d3_dot_d(q->z, c->v)};
}

static inline uint32_t choose_of(
	const struct d3_proxy *proxy, const struct d3_vec *points, const struct d3_vec_d *d, struct alongs *alongs)
{
	if (proxy->straight)
		return farthest_of_box(d);
	return proxy->hull ? farthest_roughly(proxy->hull, d, alongs) : farthest_of_few(points, proxy->count, d);
}

static inline void choose_roughly(struct corners *c, uint32_t *i, uint32_t *k)
{
	struct d3_vec_d back = back_direction(c);
	*i = choose_of(c->a, c->points_a, &c->v, &c->alongs_a);
	*k = choose_of(c->b, c->points_b, &back, &c->alongs_b);
}

static inline void choose_exactly(const struct corners *c, uint32_t *i, uint32_t *k)
{
	*i = farthest_of_points(c->a, c->v);
	*k = farthest_of_points(c->b, back_direction(c));
}

static inline void corner_difference(const struct corners *c, uint32_t i, uint32_t k, struct d3_vec_d *w)
{
	const struct d3_vec *p = &c->points_a[i];
	struct d3_vec_d b = d3_transform_point_d(c->b_in_a, d3_widen(c->points_b[k]));
	w->x = b.x - p->x;
	w->y = b.y - p->y;
	w->z = b.z - p->z;
}

/* Magnitude of the coordinates of A's corner i and of B's corner, which is w from it. */
static inline double corner_scale(const struct corners *c, uint32_t i, const struct d3_vec_d *w)
{
	double x = c->points_a[i].x, y = c->points_a[i].y, z = c->points_a[i].z;
	return fabs(x) + fabs(y) + fabs(z) + fabs(x + w->x) + fabs(y + w->y) + fabs(z + w->z);
}

static bool is_known(const struct corners *c, uint32_t i, uint32_t k)
{
	bool known = false;
	for (int n = 0; n < c->count; ++n)
		known |= c->i[n] == i && c->k[n] == k;
	return known;
}

/* The sub-simplex that a step keeps: its corners' indices, and its closest point. */
struct part {
	int count, index[3];
	double square;
	struct d3_vec_d point;
};

/* keep_side and keep_part replace *best if an edge or triangle at the last corner is nearer to the origin. That new corner is
 * beyond the rest of the simplex towards the origin, so parts without it are not tested. Fast, and accurate enough for
 * intermediate steps. e and f: from the last corner to the others. */
static inline void keep_side(const struct d3_vec_d *w, int i, int last, struct part *best)
{
	struct d3_vec_d p = w[last], e = d3_sub_d(w[i], p);
	double pe = -d3_dot_d(p, e), ee = d3_dot_d(e, e), u = pe > 0 ? min_d(pe, ee) / ee : 0;
	struct d3_vec_d point = d3_mul_add_d(p, u, e);
	double square = d3_dot_d(point, point);
	if (square < best->square)
		*best = (struct part){pe > 0 ? 2 : 1, {pe > 0 ? i : last, last}, square, point};
}

static inline void keep_part(const struct d3_vec_d *w, int i, int k, int last, struct part *best)
{
	struct d3_vec_d p = w[last], e = d3_sub_d(w[i], p), f = d3_sub_d(w[k], p);
	double pe = -d3_dot_d(p, e), pf = -d3_dot_d(p, f), ee = d3_dot_d(e, e), ff = d3_dot_d(f, f), ef = d3_dot_d(e, f);
	double u = pe * ff - pf * ef, v = pf * ee - pe * ef, whole = ee * ff - ef * ef;
	if (!(u > 0 && v > 0 && u + v < whole)) {
		bool of_e = pe > 0 && (!(pf > 0) || pe * pe * ff > pf * pf * ee);
		keep_side(w, of_e ? i : k, last, best);
		return;
	}
	struct d3_vec_d point = d3_mul_add_d(d3_mul_add_d(p, u / whole, e), v / whole, f);
	double square = d3_dot_d(point, point);
	if (square < best->square)
		*best = (struct part){3, {i, k, last}, square, point};
}

static inline void keep_corners(struct corners *c, const int *index, int count)
{
	uint32_t i[3], k[3];
	struct d3_vec_d w[3];
	for (int n = 0; n < count; ++n) {
		i[n] = c->i[index[n]];
		k[n] = c->k[index[n]];
		copy_vector(&w[n], &c->w[index[n]]);
	}
	for (int n = 0; n < count; ++n) {
		c->i[n] = i[n];
		c->k[n] = k[n];
		copy_vector(&c->w[n], &w[n]);
	}
}

enum reduced { REDUCED, ENCLOSED, NO_NEARER };

/* Reduces the simplex accurately to the corners that span its point closest to the origin, and sets their weights. If all
 * corners are kept, they keep their order. */
static enum reduced reduce_corners(struct corners *c)
{
	struct nearest best;
	double inside[4], scale = c->count == 4 ? corner_scale(c, c->i[3], &c->w[3]) : 0;
	if (!find_nearest(c->w, c->count, scale, inside, &best))
		return ENCLOSED;
	if (!(best.square < c->square))
		return NO_NEARER;
	for (int n = 0; n < best.count; ++n)
		c->weights[n] = best.weights[n];
	if (best.count < c->count)
		keep_corners(c, best.index, best.count);
	c->count = best.count;
	c->square = best.square;
	copy_vector(&c->v, &best.point);
	return REDUCED;
}

/* As reduce_corners, but fast and without weights, for intermediate steps; the last corner is the new one. */
static enum reduced reduce_roughly(struct corners *c)
{
	struct part best = {.square = c->square};
	if (c->count == 2) {
		keep_side(c->w, 0, 1, &best);
	} else if (c->count == 3) {
		keep_part(c->w, 0, 1, 2, &best);
	} else {
		assert(c->count == 4);
		/* Tests those of the three new faces that have the origin and the opposite corner on different sides. */
		const struct d3_vec_d *w = c->w;
		struct d3_vec_d p = w[3], e = d3_sub_d(w[0], p), f = d3_sub_d(w[1], p), g = d3_sub_d(w[2], p);
		struct d3_vec_d ef = d3_cross_d(e, f), fg = d3_cross_d(f, g), ge = d3_cross_d(g, e);
		double volume = d3_dot_d(ef, g);
		if (d3_dot_d(ef, p) * volume > 0)
			keep_part(w, 0, 1, 3, &best);
		if (d3_dot_d(fg, p) * volume > 0)
			keep_part(w, 1, 2, 3, &best);
		if (d3_dot_d(ge, p) * volume > 0)
			keep_part(w, 2, 0, 3, &best);
		if (!(best.square < c->square))
			return reduce_corners(c);
	}
	if (!(best.square < c->square))
		return NO_NEARER;
	c->square = best.square;
	copy_vector(&c->v, &best.point);
	c->count = best.count;
	/* The indices must ascend for the copies below. Only the face 2 0 3 of a tetrahedron has its first two swapped. */
	if (best.count == 3 && best.index[0] > best.index[1]) {
		best.index[0] = 0;
		best.index[1] = 2;
	}
	for (int n = 0; n < best.count; ++n) {
		int from = best.index[n];
		c->i[n] = c->i[from];
		c->k[n] = c->k[from];
		copy_vector(&c->w[n], &c->w[from]);
	}
	return REDUCED;
}

static void set_corners(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct corners *c)
{
	c->a = a;
	c->b = b;
	c->points_a = d3_proxy_points(a);
	c->points_b = d3_proxy_points(b);
	c->b_in_a = b_in_a;
}

static void start_corners(struct corners *c)
{
	c->v = c->b_in_a->p;
	c->count = 1;
	c->weights[0] = 1;
	choose_roughly(c, &c->i[0], &c->k[0]);
	corner_difference(c, c->i[0], c->k[0], &c->w[0]);
	c->v = c->w[0];
	c->square = d3_dot_d(c->v, c->v);
}

/* Whether only the known corners have a d . p, as stored in `alongs`, of at least `least`. The caller has subtracted the
 * rounding error from `least`. */
static inline bool only_known(const struct alongs *alongs, uint32_t count, float least, const uint32_t *known, int known_count)
{
	for (uint32_t first = 0; first < count; first += 64) {
		uint64_t bits = corners_along(alongs, count, first, least);
		for (int n = 0; n < known_count; ++n)
			bits &= known[n] - first < 64 ? ~(1ull << (known[n] - first)) : ~0ull;
		if (bits != 0)
			return false;
	}
	return true;
}

/* The greatest d . p of the corners, in doubles; |d| is `length`. `alongs`, of the last choice in floats along d, usually shows
 * that a known corner is the farthest. */
static inline double greatest_reach(const struct d3_proxy *proxy, const struct d3_vec *points, const struct d3_vec_d *d,
	double length, const struct alongs *alongs, const uint32_t *known, int known_count)
{
	if (proxy->straight)
		return d3_dot_d(*d, d3_widen(points[farthest_of_box(d)]));
	double doubt = 2 * float_tolerance * proxy->reach * length;
	if (proxy->hull && doubt > 1e-30 && doubt < 1e30) {
		double far = d3_dot_d(*d, d3_widen(points[known[0]]));
		for (int n = 1; n < known_count; ++n)
			far = max_d(far, d3_dot_d(*d, d3_widen(points[known[n]])));
		if (only_known(alongs, proxy->count, (float)(far - doubt), known, known_count))
			return far;
	}
	return greatest_along(proxy, points, d);
}

/* The least v . w over M, with v = c->v and |v| = `length`. The last choice in floats must have been along this v. */
static inline double least_along(const struct corners *c, double length)
{
	struct d3_vec_d back = back_direction(c);
	return d3_dot_d(c->v, c->b_in_a->p) - greatest_reach(c->b, c->points_b, &back, length, &c->alongs_b, c->k, c->count) -
		greatest_reach(c->a, c->points_a, &c->v, length, &c->alongs_a, c->i, c->count);
}

/* Judges c->v by `least`, the least v . w over M. APART: no point of M is nearer to the origin than c->v, within the tolerance.
 * NEAR: one may be. UNSURE: c->v is too short. */
static inline enum d3_verdict settle(const struct corners *c, double least)
{
	double length = sqrt(c->square), scale = corner_scale(c, c->i[0], &c->w[0]);
	if (!(length > short_tolerance * scale))
		return D3_UNSURE;
	return c->square - least <= (1.6e-15 * scale + doubt_relative * length) * length ? D3_APART : D3_NEAR;
}

/* Recomputes c->v exactly and returns as `settle`. The last choice in floats was along the old v. M is inside a ball of the
 * radius `ball` about the origin, so the least v . w changes by at most `ball` times the change of v: the bound along the old v
 * usually suffices for the new one, without another choice. */
static inline enum d3_verdict settle_exactly(struct corners *c)
{
	struct d3_vec_d v = c->v, p = c->b_in_a->p;
	double ball = c->a->reach + c->b->reach + fabs(p.x) + fabs(p.y) + fabs(p.z), least = least_along(c, sqrt(c->square));
	c->square = INFINITY;
	reduce_corners(c);
	double turned = fabs(c->v.x - v.x) + fabs(c->v.y - v.y) + fabs(c->v.z - v.z), doubt = doubt_relative * c->square;
	if (c->a->reach > 0 && c->b->reach > 0 && c->square - least + turned * ball <= doubt && c->square > 1e-12 * ball * ball)
		return D3_APART;
	struct d3_vec_d back = back_direction(c);
	least = d3_dot_d(c->v, p) - greatest_along(c->b, c->points_b, &back) - greatest_along(c->a, c->points_a, &c->v);
	return settle(c, least);
}

static inline void add_corners(struct corners *c, uint32_t i, uint32_t k, const struct d3_vec_d *w)
{
	c->i[c->count] = i;
	c->k[c->count] = k;
	copy_vector(&c->w[c->count++], w);
}

/* Runs GJK from the simplex in *c. APART: c->v is the point of M closest to the origin. NEAR: the cores overlap. */
static enum d3_verdict search_corners(struct corners *c)
{
	bool rough = true;
	for (int step = 0; step < CORNER_STEPS; ++step) {
		if (!(c->square > least_square && c->square < most_square))
			return D3_UNSURE;
		uint32_t i, k;
		struct d3_vec_d w;
		if (rough) {
			choose_roughly(c, &i, &k);
			corner_difference(c, i, k, &w);
			rough = !is_known(c, i, k) && c->square - d3_dot_d(c->v, w) > 1e-12 * c->square;
		}
		if (!rough) {
			/* All further steps choose in doubles. */
			enum d3_verdict verdict = settle_exactly(c);
			if (verdict != D3_NEAR)
				return verdict;
			choose_exactly(c, &i, &k);
			if (is_known(c, i, k))
				return D3_UNSURE;
			corner_difference(c, i, k, &w);
		}
		add_corners(c, i, k, &w);
		enum reduced reduced = rough ? reduce_roughly(c) : reduce_corners(c);
		if (reduced != REDUCED)
			return reduced == ENCLOSED ? D3_NEAR : D3_UNSURE;
	}
	return D3_UNSURE;
}

/* Starts from the corners of the last result. True: these still span the closest points, as usual. False: search_corners
 * continues from them. */
static bool carry_on(struct corners *c, const struct d3_corner_simplex *simplex)
{
	c->count = simplex->count;
	for (int n = 0; n < simplex->count; ++n) {
		c->i[n] = simplex->a[n];
		c->k[n] = simplex->b[n];
		corner_difference(c, c->i[n], c->k[n], &c->w[n]);
	}
	c->square = INFINITY;
	reduce_corners(c);
	if (!(c->square > least_square && c->square < most_square))
		return false;
	uint32_t i, k;
	choose_roughly(c, &i, &k);
	return settle(c, least_along(c, sqrt(c->square))) == D3_APART;
}

static enum d3_verdict find_corners(struct corners *c, struct d3_corner_simplex *simplex)
{
	enum d3_verdict verdict = D3_APART;
	if (simplex->count <= 0) {
		start_corners(c);
		verdict = search_corners(c);
	} else if (!carry_on(c, simplex)) {
		verdict = search_corners(c);
	}
	if (verdict != D3_APART)
		return verdict;
	simplex->count = c->count;
	for (int n = 0; n < c->count; ++n) {
		simplex->a[n] = c->i[n];
		simplex->b[n] = c->k[n];
		simplex->weights[n] = c->weights[n];
	}
	return verdict;
}

enum d3_verdict d3_corners_follow(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_corner_simplex *simplex, struct d3_separation *out)
{
	struct corners c;
	set_corners(a, b, b_in_a, &c);
	enum d3_verdict verdict = find_corners(&c, simplex);
	if (verdict != D3_APART)
		return verdict;
	double distance = sqrt(c.square);
	struct d3_vec_d on_a = {0, 0, 0};
	for (int n = 0; n < c.count; ++n)
		on_a = d3_mul_add_d(on_a, c.weights[n], d3_widen(c.points_a[c.i[n]]));
	d3_separation_set(a, b, on_a, distance, d3_scale_d(1 / distance, c.v), out);
	return D3_APART;
}

bool d3_corners_nearest(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_corner_simplex *corners, struct d3_simplex *out)
{
	struct corners c;
	set_corners(a, b, b_in_a, &c);
	if (find_corners(&c, corners) != D3_APART)
		return false;
	out->count = c.count;
	out->nearest = c.v;
	for (int n = 0; n < c.count; ++n) {
		out->weights[n] = c.weights[n];
		out->v[n].a = d3_widen(c.points_a[c.i[n]]);
		out->v[n].b = d3_transform_point_d(b_in_a, d3_widen(c.points_b[c.k[n]]));
		out->v[n].w = c.w[n];
	}
	return true;
}

/* Any point of M gives an upper bound of the distance; the support point in floats, less the rounding error of floats, gives a
 * lower one. */
enum d3_verdict d3_corners_verdict(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a)
{
	struct corners c;
	double reach = a->radius + b->radius;
	set_corners(a, b, b_in_a, &c);
	start_corners(&c);
	for (int step = 0; step < CORNER_STEPS && c.square > least_square && c.square < most_square; ++step) {
		uint32_t i, k;
		struct d3_vec_d w;
		choose_roughly(&c, &i, &k);
		corner_difference(&c, i, k, &w);
		double scale = corner_scale(&c, i, &w);
		double beyond = d3_dot_d(c.v, w), out = reach + rough_tolerance * scale, in = reach - sure_tolerance * scale;
		if (beyond > 0 && beyond * beyond > out * out * c.square)
			return D3_APART;
		if (in > 0 && c.square < in * in)
			return D3_NEAR;
		if (is_known(&c, i, k))
			return D3_UNSURE;
		add_corners(&c, i, k, &w);
		enum reduced reduced = reduce_roughly(&c);
		if (reduced != REDUCED)
			/* A barely enclosed origin may be a rounding error. */
			return reduced == ENCLOSED && (in > 0 || d3_tetrahedron_holds(c.w, sure_tolerance * scale)) ? D3_NEAR : D3_UNSURE;
	}
	return D3_UNSURE;
}
