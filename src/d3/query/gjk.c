/* gjk.c - GJK: support points of cores, the point of the Minkowski difference closest to the origin, and the boolean test.
 * Sources: Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex objects", 1988; van den
 * Bergen, "Collision detection in interactive 3D environments", 2003, for the termination. */
#include "d3/query/gjk.h"
#include "d3/query/simplex.h"
#include "d3/shape/support_points.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>
#include <string.h>

/* At or below this distance, relative to the coordinates, the direction is rounding noise. */
static const double contact_tolerance = 1e-14;
/* The search stops if no step can reduce the squared distance by more than about this fraction. */
static const double progress_tolerance = 1e-14;
/* It also stops if no step can reduce the distance by more than this fraction of the coordinates. */
static const double rounding_tolerance = 1e-15;

/* --- The Minkowski difference --------------------------------------------------------------------------------------------- */

static const struct d3_transform_d identity = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static double core_scale(const struct d3_core *core)
{
	const struct d3_proxy *proxy = core->proxy;
	const struct d3_vec *points = d3_proxy_points(proxy);
	bool corners = proxy->type == D3_PROXY_POINTS;
	double scale = corners ? 0 : max_d(proxy->half.x, max_d(proxy->half.y, proxy->half.z));
	for (uint32_t i = 0; corners && i < proxy->count; ++i)
		scale = max_d(scale, max_d(fabs((double)points[i].x), max_d(fabs((double)points[i].y), fabs((double)points[i].z))));
	return scale + max_d(fabs(core->transform.p.x), max_d(fabs(core->transform.p.y), fabs(core->transform.p.z)));
}

void d3_make_difference(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_difference *out)
{
	out->swept = false;
	out->sure = -INFINITY;
	out->a = (struct d3_core){.proxy = a, .transform = identity};
	if (a->type != D3_PROXY_POINTS) {
		out->a.transform = a->frame;
		out->a.turned = true;
	}
	out->b = (struct d3_core){.proxy = b, .transform = *b_in_a, .turned = true};
	if (b->type != D3_PROXY_POINTS) {
		out->b.transform.p = d3_transform_point_d(b_in_a, b->frame.p);
		out->b.transform.q = d3_mul_rot_d(&b_in_a->q, &b->frame.q);
	}
	out->scale = max_d(core_scale(&out->a), core_scale(&out->b));
}

/* The core's point farthest along d, in A's frame. Works by coordinates: structs of three doubles are returned through memory,
 * which stalls. */
static inline void core_farthest(const struct d3_core *core, struct d3_vec_d d, struct d3_vec_d *out)
{
	const struct d3_rot_d *q = &core->transform.q;
	struct d3_vec_d local = d, p;
	if (core->turned) {
		local.x = q->x.x * d.x + q->x.y * d.y + q->x.z * d.z;
		local.y = q->y.x * d.x + q->y.y * d.y + q->y.z * d.z;
		local.z = q->z.x * d.x + q->z.y * d.y + q->z.z * d.z;
	}
	if (core->proxy->type == D3_PROXY_POINTS) {
		const struct d3_vec *point = &d3_proxy_points(core->proxy)[farthest_of_points(core->proxy, local)];
		p.x = point->x;
		p.y = point->y;
		p.z = point->z;
	} else {
		p = d3_core_farthest(core->proxy, local);
	}
	if (!core->turned) {
		*out = p;
		return;
	}
	out->x = core->transform.p.x + (q->x.x * p.x + q->y.x * p.y + q->z.x * p.z);
	out->y = core->transform.p.y + (q->x.y * p.x + q->y.y * p.y + q->z.y * p.z);
	out->z = core->transform.p.z + (q->x.z * p.x + q->y.z * p.y + q->z.z * p.z);
}

void d3_difference_support(const struct d3_difference *difference, struct d3_vec_d d, struct d3_vertex *out)
{
	struct d3_vec_d back = {-d.x, -d.y, -d.z};
	core_farthest(&difference->a, back, &out->a);
	core_farthest(&difference->b, d, &out->b);
	if (difference->swept && d3_dot_d(d, difference->sweep) > 0)
		out->b = d3_add_d(out->b, difference->sweep);
	out->w.x = out->b.x - out->a.x;
	out->w.y = out->b.y - out->a.y;
	out->w.z = out->b.z - out->a.z;
}

/* --- The closest point of a simplex --------------------------------------------------------------------------------------- */

/* Reduces the simplex to the vertices that span its point closest to `origin`. Returns the squared distance of that point;
 * negative: the simplex contains `origin`. */
static double reduce(struct d3_simplex *s, struct d3_vec_d origin, double scale)
{
	struct d3_vec_d w[4] = {d3_sub_d(s->v[0].w, origin)};
	for (int i = 1; i < s->count; ++i)
		w[i] = d3_sub_d(s->v[i].w, origin);
	struct nearest best;
	if (!find_nearest(w, s->count, scale, s->weights, &best)) {
		s->nearest = (struct d3_vec_d){0, 0, 0};
		return -1;
	}
	if (best.count == s->count) {
		/* All vertices are kept: only the weights change. */
		for (int i = 0; i < best.count; ++i)
			s->weights[best.index[i]] = best.weights[i];
	} else {
		struct d3_vertex kept[3];
		for (int i = 0; i < best.count; ++i)
			kept[i] = s->v[best.index[i]];
		for (int i = 0; i < best.count; ++i) {
			s->v[i] = kept[i];
			s->weights[i] = best.weights[i];
		}
		s->count = best.count;
	}
	s->nearest = best.point;
	return best.square;
}

void d3_simplex_points(const struct d3_simplex *s, struct d3_vec_d *a, struct d3_vec_d *b)
{
	*a = *b = (struct d3_vec_d){0, 0, 0};
	for (int i = 0; i < s->count; ++i) {
		*a = d3_mul_add_d(*a, s->weights[i], s->v[i].a);
		*b = d3_mul_add_d(*b, s->weights[i], s->v[i].b);
	}
}

/* --- The search ----------------------------------------------------------------------------------------------------------- */

static void record_step(struct d3_gjk_trace *trace, const struct d3_simplex *s)
{
	if (trace && trace->count <= D3_GJK_STEPS)
		trace->steps[trace->count++] = *s;
}

static bool is_repeated(const struct d3_simplex *s, struct d3_vec_d w)
{
	bool repeated = false;
	for (int i = 0; i < s->count; ++i)
		repeated |= s->v[i].w.x == w.x && s->v[i].w.y == w.y && s->v[i].w.z == w.z;
	return repeated;
}

/* Copies only the vertices in use. */
static void copy_simplex(struct d3_simplex *to, const struct d3_simplex *from)
{
	to->count = from->count;
	to->nearest = from->nearest;
	for (int i = 0; i < from->count; ++i) {
		to->v[i] = from->v[i];
		to->weights[i] = from->weights[i];
	}
}

static void start(const struct d3_difference *difference, struct d3_vec_d origin, struct d3_simplex *s)
{
	struct d3_vec_d delta = d3_sub_d(origin, d3_sub_d(difference->b.transform.p, difference->a.transform.p));
	if (!(d3_dot_d(delta, delta) > 0))
		delta = (struct d3_vec_d){1, 0, 0};
	d3_difference_support(difference, delta, &s->v[0]);
	s->count = 1;
}

static double simplex_size(const struct d3_simplex *s, double size)
{
	for (int i = 0; i < s->count; ++i)
		size = max_d(size, d3_dot_d(s->v[i].w, s->v[i].w));
	return size;
}

/* Number of steps allowed once rounding errors keep the distance from shrinking. Such steps can still turn the direction from
 * an edge's normal to that of the almost coplanar face beside it. */
enum { TURNS = 4 };

struct search {
	double size, square, sure; /* greatest squared length of a vertex; squared distance found; lower bound of the distance */
	int turns;
	struct d3_simplex before; /* best simplex since the distance stopped shrinking, with its bound */
	double before_sure, before_square;
};

/* Whether the new support point cannot reduce the distance. progress = v . v - v . w, with v the closest point and w the
 * support point, both relative to the search's origin. */
static bool is_settled(const struct d3_difference *difference, const struct d3_simplex *s, const struct search *search,
	struct d3_vec_d fresh, double progress)
{
	return !(progress > progress_tolerance * search->square) ||
		progress * progress <=
		rounding_tolerance * rounding_tolerance * difference->scale * difference->scale * search->square ||
		is_repeated(s, fresh);
}

/* Records a step that did not reduce the distance. Returns whether to continue. */
static bool turn(const struct d3_simplex *before, struct search *search, double now)
{
	if (search->turns > 0 && search->sure <= search->before_sure) {
		if (search->turns >= TURNS)
			return false;
	} else {
		copy_simplex(&search->before, before);
		search->before_sure = search->sure;
		search->before_square = search->square;
	}
	search->square = now;
	return search->turns++ < TURNS;
}

static bool finish_search(struct d3_difference *difference, struct d3_simplex *s, struct search *search)
{
	difference->sure = search->sure;
	if (search->turns > 0 && !(search->sure > search->before_sure && search->square <= search->before_square * (1 + 1e-12))) {
		copy_simplex(s, &search->before);
		difference->sure = search->before_sure;
	}
	return true;
}

bool d3_difference_nearest(
	struct d3_difference *difference, struct d3_vec_d origin, struct d3_simplex *s, int *iterations, struct d3_gjk_trace *trace)
{
	struct search search;
	search.sure = -INFINITY;
	search.turns = search.before.count = 0;
	search.before_sure = search.before_square = 0;
	if (s->count == 0)
		start(difference, origin, s);
	search.size = simplex_size(s, 0);
	search.square = reduce(s, origin, difference->scale);
	if (search.square < 0)
		return false;
	for (int i = 0; i < D3_GJK_STEPS; ++i) {
		++*iterations;
		record_step(trace, s);
		if (search.square <= contact_tolerance * contact_tolerance * search.size)
			return false;
		struct d3_vec_d v = s->nearest;
		struct d3_vertex fresh;
		d3_difference_support(difference, d3_neg_d(v), &fresh);
		double progress = search.square - d3_dot_d(v, d3_sub_d(fresh.w, origin));
		search.sure = (search.square - progress) / sqrt(search.square);
		if (is_settled(difference, s, &search, fresh.w, progress))
			return finish_search(difference, s, &search);
		struct d3_simplex before;
		copy_simplex(&before, s);
		s->v[s->count++] = fresh;
		search.size = max_d(search.size, d3_dot_d(fresh.w, fresh.w));
		double now = reduce(s, origin, difference->scale);
		if (now < 0) {
			record_step(trace, s);
			return false;
		}
		if (now < search.square)
			search.square = now;
		else if (!turn(&before, &search, now))
			return finish_search(difference, s, &search);
	}
	return finish_search(difference, s, &search);
}

/* --- Distance, depth and overlap ------------------------------------------------------------------------------------------ */

/* Witness points that miss b = a + distance normal by more than this fraction of the smaller proxy's size are recomputed. */
static const double off_tolerance = 1e-8;

static void finish(const struct d3_difference *difference, struct d3_depth *core, struct d3_separation *out)
{
	const struct d3_proxy *a = difference->a.proxy, *b = difference->b.proxy;
	double off = d3_length_d(d3_sub_d(d3_sub_d(core->b, core->a), d3_scale_d(core->distance, core->normal)));
	if (off > 1e-13 * difference->scale && off > off_tolerance * min_d(d3_proxy_size(a), d3_proxy_size(b)))
		d3_difference_witness(difference, core->distance, core->normal, &core->a, &core->b);
	d3_separation_set(a, b, core->a, core->distance, core->normal, out);
	out->iterations = core->iterations;
}

bool d3_gjk(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out,
	struct d3_simplex *simplex, struct d3_gjk_trace *trace)
{
	assert(a->type != D3_PROXY_HALF_SPACE && b->type != D3_PROXY_HALF_SPACE);
	struct d3_difference difference;
	d3_make_difference(a, b, b_in_a, &difference);
	struct d3_simplex own, *s = simplex ? simplex : &own;
	struct d3_depth core = {.iterations = 0};
	s->count = 0;
	bool apart = d3_difference_nearest(&difference, (struct d3_vec_d){0, 0, 0}, s, &core.iterations, trace);
	if (apart) {
		core.distance = d3_length_d(s->nearest);
		core.normal = d3_scale_d(1 / core.distance, s->nearest);
		d3_simplex_points(s, &core.a, &core.b);
	}
	/* The cores' separation along any direction is a lower bound of their distance, and along the best direction equals it.
	 * Where the bound difference.sure is clearly less than the distance found, a descent improves the direction. The direction
	 * of a short distance suffers from rounding errors, which are relative to the coordinates. */
	if (apart && !(core.distance - difference.sure <= doubt_tolerance * difference.scale + doubt_relative * core.distance))
		d3_difference_polish(&difference, &core);
	if (!apart || !(core.distance > contact_tolerance * difference.scale)) {
		struct d3_depth depth;
		d3_difference_depth(&difference, &depth, NULL);
		depth.iterations += core.iterations;
		if (!apart || depth.distance > core.distance)
			core = depth;
	}
	finish(&difference, &core, out);
	return apart;
}

void d3_epa(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out,
	struct d3_epa_trace *trace)
{
	assert(a->type != D3_PROXY_HALF_SPACE && b->type != D3_PROXY_HALF_SPACE);
	struct d3_difference difference;
	struct d3_depth depth;
	d3_make_difference(a, b, b_in_a, &difference);
	d3_difference_depth(&difference, &depth, trace);
	finish(&difference, &depth, out);
}

/* Compares M's distance from the origin with `reach`. NEAR: at most reach - slack; for reach <= slack, M contains a ball of
 * radius slack about the origin. APART: more than reach + slack. *square: square of the least distance found. A simplex is
 * inside M, so its distance is an upper bound; the last support point gives a lower bound. For reach <= slack, a simplex that
 * barely contains the origin may do so by rounding: UNSURE. */
static enum d3_verdict d3_difference_verdict(
	struct d3_difference *difference, double reach, double slack, double *square, int *iterations)
{
	static const struct d3_vec_d origin = {0, 0, 0};
	double least = reach + slack, most = reach - slack, apart = least * least, near = most > 0 ? most * most : 0;
	struct d3_simplex s;
	start(difference, origin, &s);
	*square = reduce(&s, origin, difference->scale);
	for (*iterations = 1; *iterations < D3_GJK_STEPS; ++*iterations) {
		if (*square <= near)
			return most > 0 ? D3_NEAR : D3_UNSURE;
		struct d3_vertex fresh;
		d3_difference_support(difference, d3_neg_d(s.nearest), &fresh);
		double beyond = d3_dot_d(s.nearest, fresh.w), progress = *square - beyond;
		bool out = beyond > 0 && beyond * beyond > apart * *square;
		bool settled = !(progress > progress_tolerance * *square) || is_repeated(&s, fresh.w);
		if (settled || out)
			return out ? D3_APART : D3_UNSURE;
		s.v[s.count++] = fresh;
		double now = reduce(&s, origin, difference->scale);
		if (now < 0) {
			*square = 0;
			const struct d3_vec_d w[4] = {s.v[0].w, s.v[1].w, s.v[2].w, s.v[3].w};
			return most > 0 || d3_tetrahedron_holds(w, slack) ? D3_NEAR : D3_UNSURE;
		}
		if (now >= *square)
			return D3_UNSURE;
		*square = now;
	}
	return D3_UNSURE;
}

/* Distances within the rounding error count as contact. */
bool d3_gjk_overlaps(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d sweep, int *iterations)
{
	assert(a->type != D3_PROXY_HALF_SPACE && b->type != D3_PROXY_HALF_SPACE);
	struct d3_difference difference;
	d3_make_difference(a, b, b_in_a, &difference);
	difference.swept = true;
	difference.sweep = d3_neg_d(sweep);
	double reach = (double)a->radius + b->radius, slack = contact_tolerance * difference.scale, square;
	enum d3_verdict verdict = d3_difference_verdict(&difference, reach, slack, &square, iterations);
	return verdict == D3_NEAR || (verdict == D3_UNSURE && square <= (reach + slack) * (reach + slack));
}
