/* gjk.c - the farthest points of a core, the nearest point of the set of differences, and GJK for yes or no.
 * Sources: Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex objects", 1988; van den
 * Bergen, "Collision detection in interactive 3D environments", 2003, for when to stop.
 * Pure, any thread. */
#include "d3/query/gjk_parts.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>
#include <string.h>

/* Nearer than this part of the size of M there is no direction: it would be rounding noise. */
static const double contact_part = 1e-14;
/* The search stops when a step could not shorten the squared distance by more than this part, */
static const double progress_part = 1e-14;
/* or the distance by more than this part of the coordinates. */
static const double rounding_part = 1e-15;
/* A tetrahedron is flat when its volume is less than this part of the coordinates times the square of its longest edge. */
static const double flat_part = 1e-15;

/* --- Proxies -------------------------------------------------------------------------------------------------------------- */

static double coordinate_sum(struct d3_vec p)
{
	return fabs((double)p.x) + fabs((double)p.y) + fabs((double)p.z);
}

/* Of a triangle whose corners it owns. */
static void set_triangle(struct d3_proxy *out)
{
	out->type = D3_PROXY_POINTS;
	out->count = 3;
	out->points = NULL;
	out->reach = max_d(coordinate_sum(out->own[0]), max_d(coordinate_sum(out->own[1]), coordinate_sum(out->own[2])));
}

static void make_framed(const struct d3_shape *shape, enum d3_proxy_type type, struct d3_proxy *out)
{
	out->type = type;
	out->frame = shape->frame;
	out->half = d3_widen(shape->half);
}

/* To the last bit: the columns of a rotation say so when none leans. */
static bool is_straight(const struct d3_rot_d *q)
{
	return q->x.x == 1 && q->y.y == 1 && q->x.y == 0 && q->x.z == 0 && q->y.z == 0;
}

void d3_make_proxy(const struct d3_shape *shape, uint32_t child, struct d3_proxy *out)
{
	assert(child < d3_shape_child_count(shape));
	if (shape->type == D3_COMPOUND) {
		shape = shape->compound->children[child];
		child = 0;
	}
	/* The rest is set where the type has it. */
	out->type = D3_PROXY_POINTS;
	out->count = shape->count;
	out->points = shape->points;
	out->hull = NULL;
	out->reach = shape->extent;
	out->straight = false;
	out->radius = shape->radius;
	switch (shape->type) {
	case D3_BOX:
		out->hull = shape->hull;
		out->straight = is_straight(&shape->frame.q);
		break;
	case D3_HULL: out->hull = shape->hull; break;
	case D3_CYLINDER: make_framed(shape, D3_PROXY_CYLINDER, out); break;
	case D3_CONE: make_framed(shape, D3_PROXY_CONE, out); break;
	case D3_ELLIPSOID: make_framed(shape, D3_PROXY_ELLIPSOID, out); break;
	case D3_TAPERED_CAPSULE: make_framed(shape, D3_PROXY_TAPERED, out); break;
	case D3_HALF_SPACE:
		out->type = D3_PROXY_HALF_SPACE;
		out->normal = shape->normal;
		out->offset = shape->offset;
		break;
	case D3_MESH:
		d3_mesh_triangle(shape->mesh, child, out->own);
		set_triangle(out);
		break;
	case D3_HEIGHT_FIELD:
		d3_terrain_corners(shape->terrain, child, out->own);
		set_triangle(out);
		break;
	default: break;
	}
}

void d3_make_point_proxy(struct d3_proxy *out)
{
	*out = (struct d3_proxy){.type = D3_PROXY_POINTS, .count = 1};
}

/* --- Farthest points ------------------------------------------------------------------------------------------------------ */

static inline uint32_t farthest_of_box(const struct d3_vec_d *d)
{
	return (uint32_t)(d->x > 0) | (uint32_t)(d->y > 0) << 1 | (uint32_t)(d->z > 0) << 2;
}

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_masks __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

/* Lanes stand where memory has them: not always on a border of vectors. */
static inline four load_four(const float lane[4])
{
	four v;
	memcpy(&v, lane, sizeof v);
	return v;
}

/* How far along they are. */
static inline four along_four(const struct d3_hull_lanes *lanes, four x, four y, four z)
{
	return load_four(lanes->x) * x + load_four(lanes->y) * y + load_four(lanes->z) * z;
}

static inline two greater(two a, two b)
{
	two_masks more = a > b;
	return (two)((more & (two_masks)a) | (~more & (two_masks)b));
}

static inline two low_half(four v)
{
	return __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1), two);
}

static inline two high_half(four v)
{
	return __builtin_convertvector(__builtin_shufflevector(v, v, 2, 3), two);
}

/* The greatest d . p, exactly. */
static inline double greatest_along(const struct d3_proxy *proxy, const struct d3_vec *points, const struct d3_vec_d *d)
{
	double x = d->x, y = d->y, z = d->z;
	if (!proxy->hull) {
		double far = points[0].x * x + points[0].y * y + points[0].z * z;
		for (uint32_t i = 1; i < proxy->count; ++i)
			far = max_d(far, points[i].x * x + points[i].y * y + points[i].z * z);
		return far;
	}
	two xs = {x, x}, ys = {y, y}, zs = {z, z}, low = {-INFINITY, -INFINITY}, high = low;
	for (uint32_t i = 0; 4 * i < proxy->count; ++i) {
		const struct d3_hull_lanes *lanes = &proxy->hull->lanes[i];
		four px = load_four(lanes->x), py = load_four(lanes->y), pz = load_four(lanes->z);
		low = greater(low_half(px) * xs + low_half(py) * ys + low_half(pz) * zs, low);
		high = greater(high_half(px) * xs + high_half(py) * ys + high_half(pz) * zs, high);
	}
	low = greater(low, high);
	return max_d(low[0], low[1]);
}

/* Without a branch: which one it is cannot be foretold. */
static inline uint32_t farthest_of_few(const struct d3_vec *points, uint32_t count, const struct d3_vec_d *d)
{
	uint32_t best = 0;
	double far = points[0].x * d->x + points[0].y * d->y + points[0].z * d->z;
	for (uint32_t i = 1; i < count; ++i) {
		double along = points[i].x * d->x + points[i].y * d->y + points[i].z * d->z;
		best = along > far ? i : best;
		far = max_d(along, far);
	}
	return best;
}

/* How far along all corners are, to the rounding of floats. */
struct alongs {
	four of[D3_HULL_MAX / 4]; /* as many as the hull has lanes */
};

static inline four greater_of_four(four a, four b)
{
#ifdef __SSE2__
	return __builtin_ia32_maxps(a, b);
#else
	four_masks more = a > b;
	return (four)((more & (four_masks)a) | (~more & (four_masks)b));
#endif
}

static inline uint32_t bits_of_four(four_masks masks)
{
#ifdef __SSE2__
	return (uint32_t)__builtin_ia32_movmskps((four)masks);
#else
	return (uint32_t)((masks[0] & 1) | (masks[1] & 2) | (masks[2] & 4) | (masks[3] & 8));
#endif
}

/* The corners from `first` on, 64 at most, that are at least as far along as this: bits. What only fills the lanes is left
 * out. */
static inline uint64_t corners_along(const struct alongs *alongs, uint32_t count, uint32_t first, float least)
{
	uint32_t left = count - first, lanes = left > 60 ? 16 : (left + 3) / 4;
	const four *from = &alongs->of[first / 4];
	four limit = {least, least, least, least};
	uint64_t bits = 0;
	for (uint32_t i = 0; i < lanes; ++i)
		bits |= (uint64_t)bits_of_four(from[i] >= limit) << 4 * i;
	return left < 64 ? bits & ((1ull << left) - 1) : bits;
}

/* Which one may be off by the rounding of floats. */
static inline uint32_t farthest_roughly(const struct d3_hull *hull, const struct d3_vec_d *d, struct alongs *alongs)
{
	float x = (float)d->x, y = (float)d->y, z = (float)d->z;
	uint32_t count = hull->point_count;
	four xs = {x, x, x, x}, ys = {y, y, y, y}, zs = {z, z, z, z}, far = along_four(hull->lanes, xs, ys, zs);
	alongs->of[0] = far;
	for (uint32_t i = 1; 4 * i < count; ++i) {
		four along = along_four(&hull->lanes[i], xs, ys, zs);
		alongs->of[i] = along;
		far = greater_of_four(far, along);
	}
	far = greater_of_four(far, __builtin_shufflevector(far, far, 2, 3, 0, 1));
	far = greater_of_four(far, __builtin_shufflevector(far, far, 1, 0, 3, 2));
	for (uint32_t first = 0; first < count; first += 64) {
		uint64_t bits = corners_along(alongs, count, first, far[0]);
		if (bits != 0)
			return first + (uint32_t)__builtin_ctzll(bits);
	}
	return 0;
}

/* What floats say of d . p is off by less than this part of the length of both: the rounding of d, of three products, of two
 * sums, and of what it is compared with. */
static const double float_part = 5 * 0x1p-24;

/* From so many corners on floats first is sooner. */
enum { MANY_CORNERS = 16 };

/* Exactly, the first of equals: among those that are the farthest to the rounding of floats. */
static uint32_t farthest_of_many(const struct d3_proxy *proxy, const struct d3_vec_d *d, double doubt)
{
	const struct d3_hull *hull = proxy->hull;
	struct alongs alongs;
	struct d3_vec_d p = d3_widen(hull->points[farthest_roughly(hull, d, &alongs)]);
	float least = (float)(d3_dot_d(p, *d) - doubt);
	uint32_t best = 0;
	double far = -INFINITY;
	for (uint32_t first = 0; first < hull->point_count; first += 64) {
		for (uint64_t bits = corners_along(&alongs, hull->point_count, first, least); bits != 0; bits &= bits - 1) {
			uint32_t i = first + (uint32_t)__builtin_ctzll(bits);
			double along = d3_dot_d(d3_widen(hull->points[i]), *d);
			best = along > far ? i : best;
			far = max_d(along, far);
		}
	}
	return best;
}

static inline uint32_t farthest_of_points(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	if (proxy->straight)
		return farthest_of_box(&d);
	if (proxy->hull && proxy->count >= MANY_CORNERS) {
		double doubt = 4 * float_part * proxy->reach * (fabs(d.x) + fabs(d.y) + fabs(d.z));
		if (doubt > 1e-30 && doubt < 1e30)
			return farthest_of_many(proxy, &d, doubt);
	}
	return farthest_of_few(d3_proxy_points(proxy), proxy->count, &d);
}

/* Along an axis of y: a rim, or where d points along the axis, the middle of an end. */
static struct d3_vec_d on_rim(double radius, double y, struct d3_vec_d d, double across)
{
	return across > 0 ? (struct d3_vec_d){radius * (d.x / across), y, radius * (d.z / across)} : (struct d3_vec_d){0, y, 0};
}

/* An ellipsoid with half axes h has the support point h^2 n / |h n| along the unit vector n; its parallel surface at distance r
 * inside has that minus r n, and is convex while r is below the least radius of curvature. */
static struct d3_vec_d farthest_of_ellipsoid(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	struct d3_vec_d h = proxy->half;
	double length = d3_length_d(d);
	if ((h.x == h.y && h.y == h.z) || !(length > 0))
		return (struct d3_vec_d){0, 0, 0};
	struct d3_vec_d n = d3_scale_d(1 / length, d), stretched = {h.x * n.x, h.y * n.y, h.z * n.z};
	double inverse = 1 / d3_length_d(stretched), r = proxy->radius;
	return (struct d3_vec_d){
		h.x * stretched.x * inverse - r * n.x, h.y * stretched.y * inverse - r * n.y, h.z * stretched.z * inverse - r * n.z};
}

struct d3_vec_d d3_core_farthest(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	switch (proxy->type) {
	case D3_PROXY_CYLINDER:
		return on_rim(proxy->half.x, d.y >= 0 ? proxy->half.y : -proxy->half.y, d, sqrt(d.x * d.x + d.z * d.z));
	case D3_PROXY_CONE: {
		double across = sqrt(d.x * d.x + d.z * d.z);
		if (2 * proxy->half.y * d.y >= proxy->half.x * across)
			return (struct d3_vec_d){0, proxy->half.y, 0};
		return on_rim(proxy->half.x, -proxy->half.y, d, across);
	}
	case D3_PROXY_ELLIPSOID: return farthest_of_ellipsoid(proxy, d);
	case D3_PROXY_TAPERED: {
		double length = d3_length_d(d), scale = length > 0 ? proxy->half.x / length : 0;
		if (2 * proxy->half.y * d.y >= proxy->half.x * length)
			return (struct d3_vec_d){0, proxy->half.y, 0};
		return (struct d3_vec_d){scale * d.x, scale * d.y - proxy->half.y, scale * d.z};
	}
	default: return d3_widen(d3_proxy_points(proxy)[farthest_of_points(proxy, d)]);
	}
}

struct d3_vec_d d3_core_support(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	assert(proxy->type != D3_PROXY_HALF_SPACE);
	/* Squares of very short or long directions must not leave the range of doubles. */
	double most = max_d(fabs(d.x), max_d(fabs(d.y), fabs(d.z)));
	if (most > 0 && (most < 1e-100 || most > 1e100))
		d = (struct d3_vec_d){d.x / most, d.y / most, d.z / most};
	if (proxy->type == D3_PROXY_POINTS)
		return d3_widen(d3_proxy_points(proxy)[farthest_of_points(proxy, d)]);
	return d3_transform_point_d(&proxy->frame, d3_core_farthest(proxy, d3_inv_turn_d(&proxy->frame.q, d)));
}

double d3_core_reach(const struct d3_proxy *proxy, const struct d3_vec_d *d)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	if (proxy->type != D3_PROXY_POINTS)
		return d3_dot_d(*d, d3_core_support(proxy, *d));
	if (proxy->straight)
		return d3_dot_d(*d, d3_widen(points[farthest_of_box(d)]));
	return greatest_along(proxy, points, d);
}

/* --- The set of differences ----------------------------------------------------------------------------------------------- */

static const struct d3_transform_d identity = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static double core_scale(const struct d3_core *core)
{
	const struct d3_proxy *proxy = core->proxy;
	const struct d3_vec *points = d3_proxy_points(proxy);
	bool corners = proxy->type == D3_PROXY_POINTS;
	double scale = corners ? 0 : max_d(proxy->half.x, max_d(proxy->half.y, proxy->half.z));
	for (uint32_t i = 0; corners && i < proxy->count; ++i)
		scale = max_d(scale, max_d(fabs((double)points[i].x), max_d(fabs((double)points[i].y), fabs((double)points[i].z))));
	return scale + max_d(fabs(core->place.p.x), max_d(fabs(core->place.p.y), fabs(core->place.p.z)));
}

void d3_make_pair(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_pair *out)
{
	out->swept = false;
	out->sure = -INFINITY;
	out->a = (struct d3_core){.proxy = a, .place = identity};
	if (a->type != D3_PROXY_POINTS) {
		out->a.place = a->frame;
		out->a.turned = true;
	}
	out->b = (struct d3_core){.proxy = b, .place = *b_in_a, .turned = true};
	if (b->type != D3_PROXY_POINTS) {
		out->b.place.p = d3_transform_point_d(b_in_a, b->frame.p);
		out->b.place.q = d3_mul_rot_d(&b_in_a->q, &b->frame.q);
	}
	out->scale = max_d(core_scale(&out->a), core_scale(&out->b));
}

/* Points are moved coordinate by coordinate: structs of three doubles are returned in memory, and wait there. */
static inline void core_farthest(const struct d3_core *core, struct d3_vec_d d, struct d3_vec_d *out)
{
	const struct d3_rot_d *q = &core->place.q;
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
	out->x = core->place.p.x + (q->x.x * p.x + q->y.x * p.y + q->z.x * p.z);
	out->y = core->place.p.y + (q->x.y * p.x + q->y.y * p.y + q->z.y * p.z);
	out->z = core->place.p.z + (q->x.z * p.x + q->y.z * p.y + q->z.z * p.z);
}

void d3_pair_support(const struct d3_pair *pair, struct d3_vec_d d, struct d3_vertex *out)
{
	struct d3_vec_d back = {-d.x, -d.y, -d.z};
	core_farthest(&pair->a, back, &out->a);
	core_farthest(&pair->b, d, &out->b);
	if (pair->swept && d3_dot_d(d, pair->sweep) > 0)
		out->b = d3_add_d(out->b, pair->sweep);
	out->w.x = out->b.x - out->a.x;
	out->w.y = out->b.y - out->a.y;
	out->w.z = out->b.z - out->a.z;
}

/* --- The nearest point of a simplex --------------------------------------------------------------------------------------- */

/* The nearest point of a part of a simplex. */
struct nearest {
	int count, index[3];
	double weights[3], square;
	struct d3_vec_d point;
};

static void keep_point(const struct d3_vec_d *w, int i, struct nearest *best)
{
	double square = d3_dot_d(w[i], w[i]);
	if (!(square < best->square))
		return;
	best->count = 1;
	best->index[0] = i;
	best->weights[0] = 1;
	best->square = square;
	best->point = w[i];
}

/* Each of these replaces *best when it finds something nearer. */
static void keep_edge(const struct d3_vec_d *w, int i, int k, struct nearest *best)
{
	struct d3_vec_d way = d3_sub_d(w[k], w[i]);
	double from = -d3_dot_d(w[i], way), to = d3_dot_d(w[k], way), sum = d3_dot_d(way, way);
	if (!(from > 0 && to > 0 && sum > 0)) {
		keep_point(w, from > 0 ? k : i, best);
		return;
	}
	struct d3_vec_d point = d3_mul_add_d(w[i], from / sum, way);
	/* What rounding has left of the way in a short distance would turn it. */
	point = d3_mul_add_d(point, -d3_dot_d(point, way) / sum, way);
	double square = d3_dot_d(point, point), part = from / sum;
	if (!(square < best->square))
		return;
	best->count = 2;
	best->index[0] = i;
	best->index[1] = k;
	best->weights[0] = 1 - part;
	best->weights[1] = part;
	best->square = square;
	best->point = point;
}

/* The normal is crossed from the two shorter edges: two long ones that are almost parallel would tilt it. The plane's distance
 * is taken at the nearest corner and then at the foot itself, where a tilt counts for nothing. */
static void keep_triangle(const struct d3_vec_d *w, int i, int j, int k, struct nearest *best)
{
	struct d3_vec_d ij = d3_sub_d(w[j], w[i]), jk = d3_sub_d(w[k], w[j]), ki = d3_sub_d(w[i], w[k]);
	double square_ij = d3_dot_d(ij, ij), square_jk = d3_dot_d(jk, jk), square_ki = d3_dot_d(ki, ki);
	bool not_jk = square_jk >= square_ij && square_jk >= square_ki, not_ki = square_ki >= square_ij;
	struct d3_vec_d n = not_jk ? d3_cross_d(ki, ij) : not_ki ? d3_cross_d(ij, jk) : d3_cross_d(jk, ki);
	double nn = d3_dot_d(n, n), from_i = d3_dot_d(w[i], w[i]), from_j = d3_dot_d(w[j], w[j]), from_k = d3_dot_d(w[k], w[k]);
	int corner = from_i <= from_j && from_i <= from_k ? i : from_j <= from_k ? j : k;
	double inverse = nn > 0 ? 1 / nn : 0;
	struct d3_vec_d point = d3_scale_d(d3_dot_d(n, w[corner]) * inverse, n);
	struct d3_vec_d pi = d3_sub_d(w[i], point), pj = d3_sub_d(w[j], point), pk = d3_sub_d(w[k], point);
	double wi = d3_dot_d(n, d3_cross_d(pj, pk)), wj = d3_dot_d(n, d3_cross_d(pk, pi)), wk = d3_dot_d(n, d3_cross_d(pi, pj));
	double sum = wi + wj + wk;
	if (wi > 0 && wj > 0 && wk > 0) {
		double part = 1 / sum;
		wi *= part;
		wj *= part;
		wk *= part;
		point = d3_scale_d(d3_dot_d(n, d3_mul_add_d(d3_mul_add_d(d3_scale_d(wi, w[i]), wj, w[j]), wk, w[k])) * inverse, n);
		double square = d3_dot_d(point, point);
		if (!(square < best->square))
			return;
		best->count = 3;
		best->index[0] = i;
		best->index[1] = j;
		best->index[2] = k;
		best->weights[0] = wi;
		best->weights[1] = wj;
		best->weights[2] = wk;
		best->square = square;
		best->point = point;
		return;
	}
	/* The nearest point is on an edge that is seen from the plane's point; a triangle without an area sees all. */
	bool flat = !(sum > 0);
	if (flat || !(wi > 0))
		keep_edge(w, j, k, best);
	if (flat || !(wj > 0))
		keep_edge(w, k, i, best);
	if (flat || !(wk > 0))
		keep_edge(w, i, j, best);
}

/* The faces of the tetrahedron that the origin sees; all of them where it is so flat that rounding of the coordinates, which
 * are about `scale`, could turn it inside out. False when the origin is inside. */
static bool keep_tetrahedron(const struct d3_vec_d *w, double scale, double weights[4], struct nearest *best)
{
	static const int faces[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {2, 0, 3, 1}, {0, 2, 1, 3}};
	struct d3_vec_d u = d3_sub_d(w[0], w[3]), v = d3_sub_d(w[1], w[3]), t = d3_sub_d(w[2], w[3]);
	double longest = max_d(d3_dot_d(u, u), max_d(d3_dot_d(v, v), d3_dot_d(t, t)));
	double volume = d3_dot_d(u, d3_cross_d(t, v));
	bool seen[4], any = false, flat = !(fabs(volume) > flat_part * scale * longest);
	for (int i = 0; i < 4; ++i) {
		const int *f = faces[i];
		/* What the origin and the face span; all four together are the volume, up to the sign. */
		double part = d3_dot_d(w[f[0]], d3_cross_d(d3_sub_d(w[f[1]], w[f[0]]), d3_sub_d(w[f[2]], w[f[0]])));
		weights[f[3]] = part / volume;
		seen[i] = !(weights[f[3]] >= 0);
		any = any || seen[i];
	}
	if (!any && !flat)
		return false;
	for (int i = 0; i < 4; ++i)
		if (flat || seen[i])
			keep_triangle(w, faces[i][0], faces[i][1], faces[i][2], best);
	return true;
}

/* Reduces the simplex to what carries its nearest point, and returns the square of that. Negative: it contains the origin. */
static double reduce(struct d3_simplex *s, struct d3_vec_d origin, double scale)
{
	struct d3_vec_d w[4] = {d3_sub_d(s->v[0].w, origin)};
	for (int i = 1; i < s->count; ++i)
		w[i] = d3_sub_d(s->v[i].w, origin);
	struct nearest best;
	best.count = 0;
	best.square = INFINITY;
	best.point = (struct d3_vec_d){0, 0, 0};
	if (s->count == 4) {
		if (!keep_tetrahedron(w, scale, s->weights, &best)) {
			s->nearest = (struct d3_vec_d){0, 0, 0};
			return -1;
		}
	} else if (s->count == 3) {
		keep_triangle(w, 0, 1, 2, &best);
	} else if (s->count == 2) {
		keep_edge(w, 0, 1, &best);
	} else {
		keep_point(w, 0, &best);
	}
	if (best.count == s->count) {
		/* All of them, though in another order. */
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

static void look_on(struct d3_gjk_trace *trace, const struct d3_simplex *s)
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

/* Only what is there. */
static void copy_simplex(struct d3_simplex *to, const struct d3_simplex *from)
{
	to->count = from->count;
	to->nearest = from->nearest;
	for (int i = 0; i < from->count; ++i) {
		to->v[i] = from->v[i];
		to->weights[i] = from->weights[i];
	}
}

static void start(const struct d3_pair *pair, struct d3_vec_d origin, struct d3_simplex *s)
{
	struct d3_vec_d way = d3_sub_d(origin, d3_sub_d(pair->b.place.p, pair->a.place.p));
	if (!(d3_dot_d(way, way) > 0))
		way = (struct d3_vec_d){1, 0, 0};
	d3_pair_support(pair, way, &s->v[0]);
	s->count = 1;
}

static double simplex_size(const struct d3_simplex *s, double size)
{
	for (int i = 0; i < s->count; ++i)
		size = max_d(size, d3_dot_d(s->v[i].w, s->v[i].w));
	return size;
}

/* Where steps no longer shorten the distance, for rounding, they may still turn its direction to where it belongs: that of an
 * edge to that of the face beside it, which are almost one. The steps that are allowed for that: */
enum { TURNS = 4 };

struct search {
	double size, square, sure; /* size: the greatest square of a vertex */
	int turns;
	struct d3_simplex before; /* once it only turns: the best so far, with its bound */
	double before_sure, before_square;
};

/* What the farthest point says: whether there is nothing to gain. The gap between the squared distance and the bound that it
 * gives, v . v - v . w, is what there is. */
static bool is_settled(
	const struct d3_pair *pair, const struct d3_simplex *s, const struct search *search, struct d3_vec_d fresh, double gap)
{
	return !(gap > progress_part * search->square) ||
		gap * gap <= rounding_part * rounding_part * pair->scale * pair->scale * search->square || is_repeated(s, fresh);
}

/* Whether to go on after a step that did not shorten the distance. */
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

static bool finish_search(struct d3_pair *pair, struct d3_simplex *s, struct search *search)
{
	pair->sure = search->sure;
	if (search->turns > 0 && !(search->sure > search->before_sure && search->square <= search->before_square * (1 + 1e-12))) {
		copy_simplex(s, &search->before);
		pair->sure = search->before_sure;
	}
	return true;
}

bool d3_pair_nearest(
	struct d3_pair *pair, struct d3_vec_d origin, struct d3_simplex *s, int *iterations, struct d3_gjk_trace *trace)
{
	struct search search;
	search.sure = -INFINITY;
	search.turns = search.before.count = 0;
	search.before_sure = search.before_square = 0;
	if (s->count == 0)
		start(pair, origin, s);
	search.size = simplex_size(s, 0);
	search.square = reduce(s, origin, pair->scale);
	if (search.square < 0)
		return false;
	for (int i = 0; i < D3_GJK_STEPS; ++i) {
		++*iterations;
		look_on(trace, s);
		if (search.square <= contact_part * contact_part * search.size)
			return false;
		struct d3_vec_d v = s->nearest;
		struct d3_vertex fresh;
		d3_pair_support(pair, d3_neg_d(v), &fresh);
		double gap = search.square - d3_dot_d(v, d3_sub_d(fresh.w, origin));
		search.sure = (search.square - gap) / sqrt(search.square);
		if (is_settled(pair, s, &search, fresh.w, gap))
			return finish_search(pair, s, &search);
		struct d3_simplex before;
		copy_simplex(&before, s);
		s->v[s->count++] = fresh;
		search.size = max_d(search.size, d3_dot_d(fresh.w, fresh.w));
		double now = reduce(s, origin, pair->scale);
		if (now < 0) {
			look_on(trace, s);
			return false;
		}
		if (now < search.square)
			search.square = now;
		else if (!turn(&before, &search, now))
			return finish_search(pair, s, &search);
	}
	return finish_search(pair, s, &search);
}

/* A direction that leaves more than this part of the coordinates in doubt is improved, unless it is that part of the
 * distance. */
static const double doubt_part = 1e-14, doubt_relative = 1e-12;

/* --- Corners -------------------------------------------------------------------------------------------------------------- */

/* The search between two cores of corners, which are called by their numbers: farthest corners are chosen in floats until they
 * say that there is no more to gain, then exactly. What is found is sure, or the slower search must find it. */
struct corners {
	const struct d3_proxy *a, *b;
	const struct d3_vec *points_a, *points_b;
	const struct d3_transform_d *place; /* of B */
	int count;
	uint32_t i[4], k[4]; /* of A and B */
	struct d3_vec_d w[4];
	double weights[4], square;
	struct d3_vec_d v; /* the nearest point, with its square */
	struct alongs alongs_a, alongs_b; /* what was chosen from last */
};

/* Directions whose squares are not between these are not for floats. */
static const double least_square = 1e-24, most_square = 1e24;
/* The rounding of floats, and a distance that is not told from nothing by all that it is made of, as parts of the
 * coordinates. */
static const double rough_part = 2e-6, short_part = 1e-9;
/* What is nearer to touching than this part is measured, so that measures and verdicts say the same. */
static const double sure_part = 1e-12;

enum { CORNER_STEPS = 32 };

/* What of B is farthest along the way to the origin, in its frame. */
static inline struct d3_vec_d way_back(const struct corners *c)
{
	const struct d3_rot_d *q = &c->place->q;
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
	struct d3_vec_d back = way_back(c);
	*i = choose_of(c->a, c->points_a, &c->v, &c->alongs_a);
	*k = choose_of(c->b, c->points_b, &back, &c->alongs_b);
}

static inline void choose_exactly(const struct corners *c, uint32_t *i, uint32_t *k)
{
	*i = farthest_of_points(c->a, c->v);
	*k = farthest_of_points(c->b, way_back(c));
}

static inline void corner_difference(const struct corners *c, uint32_t i, uint32_t k, struct d3_vec_d *w)
{
	const struct d3_vec *p = &c->points_a[i];
	struct d3_vec_d b = d3_transform_point_d(c->place, d3_widen(c->points_b[k]));
	w->x = b.x - p->x;
	w->y = b.y - p->y;
	w->z = b.z - p->z;
}

/* Of the coordinates that go into w, a difference with A's corner i. */
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

/* The part of a simplex that a step leaves: of its corners, by their places in it, and the nearest point. */
struct part {
	int count, index[3];
	double square;
	struct d3_vec_d point;
};

static inline bool is_nearer(struct d3_vec_d point, struct part *best)
{
	double square = d3_dot_d(point, point);
	if (!(square < best->square))
		return false;
	best->square = square;
	best->point.x = point.x;
	best->point.y = point.y;
	best->point.z = point.z;
	return true;
}

/* The nearest point of an edge or a triangle that has the last corner, and is nearer to the origin than that of the rest: so
 * what is without that corner need not be looked at. Quick, and as exact as it must be on the way. e and f: from the last
 * corner to the others. */
static inline void keep_side(const struct d3_vec_d *w, int i, int last, struct part *best)
{
	struct d3_vec_d p = w[last], e = d3_sub_d(w[i], p);
	double pe = -d3_dot_d(p, e), ee = d3_dot_d(e, e), u = pe > 0 ? min_d(pe, ee) / ee : 0;
	if (!is_nearer((struct d3_vec_d){p.x + u * e.x, p.y + u * e.y, p.z + u * e.z}, best))
		return;
	best->count = pe > 0 ? 2 : 1;
	best->index[0] = pe > 0 ? i : last;
	best->index[1] = last;
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
	u /= whole;
	v /= whole;
	if (!is_nearer((struct d3_vec_d){p.x + u * e.x + v * f.x, p.y + u * e.y + v * f.y, p.z + u * e.z + v * f.z}, best))
		return;
	best->count = 3;
	best->index[0] = i;
	best->index[1] = k;
	best->index[2] = last;
}

/* Of the simplex those with these places in it. */
static inline void keep_corners(struct corners *c, const int *index, int count)
{
	uint32_t i[3], k[3];
	struct d3_vec_d w[3];
	for (int n = 0; n < count; ++n) {
		i[n] = c->i[index[n]];
		k[n] = c->k[index[n]];
		w[n].x = c->w[index[n]].x;
		w[n].y = c->w[index[n]].y;
		w[n].z = c->w[index[n]].z;
	}
	for (int n = 0; n < count; ++n) {
		c->i[n] = i[n];
		c->k[n] = k[n];
		c->w[n].x = w[n].x;
		c->w[n].y = w[n].y;
		c->w[n].z = w[n].z;
	}
}

enum reduced { REDUCED, ENCLOSED, NO_NEARER };

/* Those that are kept all are in the same order. */
static enum reduced reduce_corners(struct corners *c)
{
	struct nearest best;
	double inside[4];
	best.count = 0;
	best.square = INFINITY;
	best.point = (struct d3_vec_d){0, 0, 0};
	if (c->count == 4) {
		if (!keep_tetrahedron(c->w, corner_scale(c, c->i[3], &c->w[3]), inside, &best))
			return ENCLOSED;
	} else if (c->count == 3) {
		keep_triangle(c->w, 0, 1, 2, &best);
	} else if (c->count == 2) {
		keep_edge(c->w, 0, 1, &best);
	} else {
		keep_point(c->w, 0, &best);
	}
	if (!(best.square < c->square))
		return NO_NEARER;
	for (int n = 0; n < best.count; ++n)
		c->weights[n] = best.weights[n];
	if (best.count < c->count)
		keep_corners(c, best.index, best.count);
	c->count = best.count;
	c->square = best.square;
	c->v.x = best.point.x;
	c->v.y = best.point.y;
	c->v.z = best.point.z;
	return REDUCED;
}

/* The same on the way, with the last corner the fresh one. */
static enum reduced reduce_roughly(struct corners *c)
{
	struct part best = {.square = c->square};
	if (c->count == 2) {
		keep_side(c->w, 0, 1, &best);
	} else if (c->count == 3) {
		keep_part(c->w, 0, 1, 2, &best);
	} else {
		assert(c->count == 4);
		/* Of the three fresh faces those that the origin sees: it is on the other side than the corner across. */
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
	c->v.x = best.point.x;
	c->v.y = best.point.y;
	c->v.z = best.point.z;
	c->count = best.count;
	/* In rising order but for the last faces of a tetrahedron, whose first corner is then taken last. */
	if (best.count == 3 && best.index[0] > best.index[1]) {
		best.index[0] = 0;
		best.index[1] = 2;
	}
	for (int n = 0; n < best.count; ++n) {
		int from = best.index[n];
		c->i[n] = c->i[from];
		c->k[n] = c->k[from];
		c->w[n].x = c->w[from].x;
		c->w[n].y = c->w[from].y;
		c->w[n].z = c->w[from].z;
	}
	return REDUCED;
}

/* Whether the tetrahedron holds a ball of this radius about the origin, which it contains. */
static bool holds_ball(const struct d3_vec_d w[4], double radius)
{
	for (int i = 0; i < 4; ++i) {
		struct d3_vec_d p = w[i], n = d3_cross_d(d3_sub_d(w[(i + 1) & 3], p), d3_sub_d(w[(i + 2) & 3], p));
		if (!(fabs(d3_dot_d(n, p)) > radius * d3_length_d(n)))
			return false;
	}
	return true;
}

static void set_corners(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct corners *c)
{
	c->a = a;
	c->b = b;
	c->points_a = d3_proxy_points(a);
	c->points_b = d3_proxy_points(b);
	c->place = b_in_a;
}

static void start_corners(struct corners *c)
{
	c->v = c->place->p;
	c->count = 1;
	c->weights[0] = 1;
	choose_roughly(c, &c->i[0], &c->k[0]);
	corner_difference(c, c->i[0], c->k[0], &c->w[0]);
	c->v = c->w[0];
	c->square = d3_dot_d(c->v, c->v);
}

/* Whether no others are as far along, for sure. */
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

/* The greatest d . p, exactly, |d| being `length`. Mostly what was chosen from along d tells that it is one of those that are
 * known. */
static inline double greatest_reach(const struct d3_proxy *proxy, const struct d3_vec *points, const struct d3_vec_d *d,
	double length, const struct alongs *alongs, const uint32_t *known, int known_count)
{
	if (proxy->straight)
		return d3_dot_d(*d, d3_widen(points[farthest_of_box(d)]));
	double doubt = 2 * float_part * proxy->reach * length;
	if (proxy->hull && doubt > 1e-30 && doubt < 1e30) {
		double far = d3_dot_d(*d, d3_widen(points[known[0]]));
		for (int n = 1; n < known_count; ++n)
			far = max_d(far, d3_dot_d(*d, d3_widen(points[known[n]])));
		if (only_known(alongs, proxy->count, (float)(far - doubt), known, known_count))
			return far;
	}
	return greatest_along(proxy, points, d);
}

/* The least v . w of M, |v| being `length`, after a choice along v. */
static inline double least_along(const struct corners *c, double length)
{
	struct d3_vec_d back = way_back(c);
	return d3_dot_d(c->v, c->place->p) - greatest_reach(c->b, c->points_b, &back, length, &c->alongs_b, c->k, c->count) -
		greatest_reach(c->a, c->points_a, &c->v, length, &c->alongs_a, c->i, c->count);
}

/* APART: no point of M is nearer than c->v, to the doubt that is allowed. NEAR: some may be. */
static inline enum d3_verdict settle(const struct corners *c, double least)
{
	double length = sqrt(c->square), scale = corner_scale(c, c->i[0], &c->w[0]);
	if (!(length > short_part * scale))
		return D3_UNSURE;
	return c->square - least <= (1.6e-15 * scale + doubt_relative * length) * length ? D3_APART : D3_NEAR;
}

/* The nearest point exactly, from one that is all but that, along which the last choice was. What is known of M along the
 * former says enough along the latter, M being in a ball around the origin: there is no need to wait for it. */
static inline enum d3_verdict settle_exactly(struct corners *c)
{
	struct d3_vec_d v = c->v, p = c->place->p;
	double ball = c->a->reach + c->b->reach + fabs(p.x) + fabs(p.y) + fabs(p.z), least = least_along(c, sqrt(c->square));
	c->square = INFINITY;
	reduce_corners(c);
	double turned = fabs(c->v.x - v.x) + fabs(c->v.y - v.y) + fabs(c->v.z - v.z), doubt = doubt_relative * c->square;
	if (c->a->reach > 0 && c->b->reach > 0 && c->square - least + turned * ball <= doubt && c->square > 1e-12 * ball * ball)
		return D3_APART;
	struct d3_vec_d back = way_back(c);
	least = d3_dot_d(c->v, p) - greatest_along(c->b, c->points_b, &back) - greatest_along(c->a, c->points_a, &c->v);
	return settle(c, least);
}

static inline void add_corners(struct corners *c, uint32_t i, uint32_t k, const struct d3_vec_d *w)
{
	c->i[c->count] = i;
	c->k[c->count] = k;
	c->w[c->count].x = w->x;
	c->w[c->count].y = w->y;
	c->w[c->count++].z = w->z;
}

/* APART: c->v is the nearest point. NEAR: the cores overlap. */
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
			/* Exactly, from here on. */
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

/* From what carried the nearest points before, which mostly does so still. False: the search starts where it says now. */
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
	struct d3_corner_simplex *simplex, struct d3_gap *out)
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
	out->distance = distance - a->radius - b->radius;
	out->normal = d3_scale_d(1 / distance, c.v);
	out->point_a = d3_mul_add_d(on_a, a->radius, out->normal);
	out->point_b = d3_mul_add_d(out->point_a, out->distance, out->normal);
	out->iterations = 0;
	return D3_APART;
}

static uint32_t same_corner(const uint32_t *corners, int count)
{
	for (int n = 1; n < count; ++n)
		if (corners[n] != corners[0])
			return UINT32_MAX;
	return corners[0];
}

enum d3_verdict d3_corners_gap(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_gap *out, uint32_t *corner_a, uint32_t *corner_b)
{
	struct d3_corner_simplex simplex;
	simplex.count = 0;
	enum d3_verdict verdict = d3_corners_follow(a, b, b_in_a, &simplex, out);
	if (verdict == D3_APART) {
		*corner_a = same_corner(simplex.a, simplex.count);
		*corner_b = same_corner(simplex.b, simplex.count);
	}
	return verdict;
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

/* Any point of M is an upper bound of the distance; what floats choose as the farthest, less their rounding, is a lower one. */
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
		double beyond = d3_dot_d(c.v, w);
		double out = reach + rough_part * scale;
		double in = reach - sure_part * scale;
		if (beyond > 0 && beyond * beyond > out * out * c.square)
			return D3_APART;
		if (in > 0 && c.square < in * in)
			return D3_NEAR;
		if (is_known(&c, i, k))
			return D3_UNSURE;
		add_corners(&c, i, k, &w);
		enum reduced reduced = reduce_roughly(&c);
		if (reduced != REDUCED)
			/* only just enclosed is no more than rounding */
			return reduced == ENCLOSED && (in > 0 || holds_ball(c.w, sure_part * scale)) ? D3_NEAR : D3_UNSURE;
	}
	return D3_UNSURE;
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

/* Points that are farther from standing across from each other than this part of the smaller size are looked for once more. */
static const double off_part = 1e-8;

static void finish(const struct d3_pair *pair, struct d3_depth *core, struct d3_gap *out)
{
	const struct d3_proxy *a = pair->a.proxy, *b = pair->b.proxy;
	double off = d3_length_d(d3_sub_d(d3_sub_d(core->b, core->a), d3_scale_d(core->distance, core->normal)));
	if (off > 1e-13 * pair->scale && off > off_part * min_d(d3_proxy_size(a), d3_proxy_size(b)))
		d3_pair_witness(pair, core->distance, core->normal, &core->a, &core->b);
	out->distance = core->distance - a->radius - b->radius;
	out->normal = core->normal;
	out->point_a = d3_mul_add_d(core->a, a->radius, core->normal);
	out->point_b = d3_mul_add_d(out->point_a, out->distance, out->normal);
	out->iterations = core->iterations;
}

bool d3_gjk(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out,
	struct d3_simplex *simplex, struct d3_gjk_trace *trace)
{
	assert(a->type != D3_PROXY_HALF_SPACE && b->type != D3_PROXY_HALF_SPACE);
	struct d3_pair pair;
	d3_make_pair(a, b, b_in_a, &pair);
	struct d3_simplex own, *s = simplex ? simplex : &own;
	struct d3_depth core = {.iterations = 0};
	s->count = 0;
	bool apart = d3_pair_nearest(&pair, (struct d3_vec_d){0, 0, 0}, s, &core.iterations, trace);
	if (apart) {
		core.distance = d3_length_d(s->nearest);
		core.normal = d3_scale_d(1 / core.distance, s->nearest);
		d3_simplex_points(s, &core.a, &core.b);
	}
	/* Any direction bounds the distance from below by how far M stays away along it: the best bound is the truth. The direction
	 * of a short distance suffers from rounding, which is a part of the coordinates. */
	if (apart && !(core.distance - pair.sure <= doubt_part * pair.scale + doubt_relative * core.distance))
		d3_pair_polish(&pair, &core);
	if (!apart || !(core.distance > contact_part * pair.scale)) {
		struct d3_depth depth;
		d3_pair_depth(&pair, &depth, NULL);
		depth.iterations += core.iterations;
		if (!apart || depth.distance > core.distance)
			core = depth;
	}
	finish(&pair, &core, out);
	return apart;
}

void d3_epa(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out,
	struct d3_epa_trace *trace)
{
	assert(a->type != D3_PROXY_HALF_SPACE && b->type != D3_PROXY_HALF_SPACE);
	struct d3_pair pair;
	struct d3_depth depth;
	d3_make_pair(a, b, b_in_a, &pair);
	d3_pair_depth(&pair, &depth, trace);
	finish(&pair, &depth, out);
}

/* The simplex is inside M, so that its distance from the origin is an upper bound, and no point of M is beyond the last support
 * point, which gives a lower one. Where it only just contains the origin that is no more than rounding. */
enum d3_verdict d3_pair_verdict(struct d3_pair *pair, double reach, double slack, double *square, int *iterations)
{
	static const struct d3_vec_d origin = {0, 0, 0};
	double least = reach + slack, most = reach - slack, apart = least * least, near = most > 0 ? most * most : 0;
	struct d3_simplex s;
	start(pair, origin, &s);
	*square = reduce(&s, origin, pair->scale);
	for (*iterations = 1; *iterations < D3_GJK_STEPS; ++*iterations) {
		if (*square <= near)
			return most > 0 ? D3_NEAR : D3_UNSURE;
		struct d3_vertex fresh;
		d3_pair_support(pair, d3_neg_d(s.nearest), &fresh);
		double beyond = d3_dot_d(s.nearest, fresh.w), gap = *square - beyond;
		bool out = beyond > 0 && beyond * beyond > apart * *square;
		bool settled = !(gap > progress_part * *square) || is_repeated(&s, fresh.w);
		if (settled || out)
			return out ? D3_APART : D3_UNSURE;
		s.v[s.count++] = fresh;
		double now = reduce(&s, origin, pair->scale);
		if (now < 0) {
			*square = 0;
			const struct d3_vec_d w[4] = {s.v[0].w, s.v[1].w, s.v[2].w, s.v[3].w};
			return most > 0 || holds_ball(w, slack) ? D3_NEAR : D3_UNSURE;
		}
		if (now >= *square)
			return D3_UNSURE;
		*square = now;
	}
	return D3_UNSURE;
}

/* What is as near as rounding touches. */
bool d3_gjk_overlaps(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d sweep, int *iterations)
{
	assert(a->type != D3_PROXY_HALF_SPACE && b->type != D3_PROXY_HALF_SPACE);
	struct d3_pair pair;
	d3_make_pair(a, b, b_in_a, &pair);
	pair.swept = true;
	pair.sweep = d3_neg_d(sweep);
	double reach = (double)a->radius + b->radius, slack = contact_part * pair.scale, square;
	enum d3_verdict verdict = d3_pair_verdict(&pair, reach, slack, &square, iterations);
	return verdict == D3_NEAR || (verdict == D3_UNSURE && square <= (reach + slack) * (reach + slack));
}
