/* touch.c - see touch.h.
 * What is round is touched in closed form: see touch_round.c. Else the normal and depth are the gap's, or of two small hulls,
 * or a hull and a line, those of their separating axes. Where a face lies across the normal, it is the reference, and the face
 * of the other shape that is turned towards it the best is clipped against its sides. Edges that lie along each other are
 * clipped likewise; everything else touches in one point. A flat end of a cylinder or cone is a polygon of its rim, with the
 * lowest point of the rim among its corners; their sides are a line. All is of the cores, in A's frame.
 * Ids are those of features: of a corner of one over a face of the other, or of two edges that cross as the faces are seen
 * along the normal. They are the same whichever face is the reference, so that it does no harm where that changes.
 * Sources: Sutherland, Hodgman, "Reentrant polygon clipping", 1974; Moravanszky, Terdiman, "Fast contact reduction for dynamics
 * simulation", Game Programming Gems 4, 2004, for the choice of four points.
 * Pure, any thread. */
#include "d3/query/touch.h"

#include "d3/query/ray_cast.h"
#include "d3/query/gjk.h"
#include "d3/query/sat.h"

#include <assert.h>

enum {
	RIM = 32, /* corners of a rim: they leave out 0.5 % of its radius */
	PATCH_MAX = D3_HULL_MAX,
	CLIP_MAX = 2 * D3_HULL_MAX + 2 /* each side adds one corner at most */
};

/* A face or edge within 1.4e-5 rad of the plane across the normal lies in it. Of two such faces that with fewer corners is the
 * reference, else the first. */
static const double flat_bias = 1e-10; /* of the cosine */

/* What of a core lies farthest along a direction: a point (count 1), a line (2), or a face, counter-clockwise as seen from
 * outside. */
struct patch {
	uint32_t count;
	struct d3_vec_d normal; /* of a face, outward */
	double alignment; /* of the normal with the direction */
	uint32_t face;
	struct d3_vec_d p[PATCH_MAX];
	uint16_t points[PATCH_MAX]; /* their numbers, and those of the edges that start there, as features of the core */
	uint16_t edges[PATCH_MAX];
};

/* first: A or B, whichever is always taken first. */
struct contact {
	const struct d3_finding *found;
	bool a_first;
	double size; /* of the reference [length] */
	int count;
	struct d3_candidate points[CLIP_MAX];
};

static const struct d3_transform_d identity = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* An order of the points of one couple that goes by their features alone. */
static uint64_t couple_order(const struct d3_candidate *c)
{
	return (c->first << 32) | (c->second & 0xffffffffu);
}

/* --- Patches -------------------------------------------------------------------------------------------------------------- */

static uint32_t farthest_point(const struct d3_vec *points, uint32_t count, struct d3_vec_d d)
{
	uint32_t best = 0;
	double far = -INFINITY;
	for (uint32_t i = 0; i < count; ++i) {
		double along = d3_dot_d(d3_widen(points[i]), d);
		if (along > far) {
			far = along;
			best = i;
		}
	}
	return best;
}

static void add_point(struct patch *patch, struct d3_vec_d p, uint32_t point, uint32_t edge)
{
	patch->p[patch->count] = p;
	patch->points[patch->count] = (uint16_t)point;
	patch->edges[patch->count++] = (uint16_t)edge;
}

static void face_patch(const struct d3_hull *hull, const struct d3_transform_d *place, uint32_t face, struct patch *out)
{
	uint32_t start = hull->face_edges[face], edge = start;
	out->face = face;
	out->normal = d3_turn_d(&place->q, hull->planes[face].normal);
	do {
		uint32_t point = hull->edges[edge].origin;
		add_point(out, d3_transform_point_d(place, d3_widen(hull->points[point])), point, edge / 2);
		edge = hull->edges[edge].next;
	} while (edge != start && out->count < PATCH_MAX);
}

/* The face that is turned towards d the best of those at the farthest point along it. */
static void hull_patch(const struct d3_hull *hull, const struct d3_transform_d *place, struct d3_vec_d d, struct patch *out)
{
	uint32_t face = 0, start = hull->point_edges[farthest_point(hull->points, hull->point_count, d)], edge = start;
	out->alignment = -INFINITY;
	do {
		double alignment = d3_dot_d(hull->planes[hull->edges[edge].face].normal, d);
		if (alignment > out->alignment) {
			out->alignment = alignment;
			face = hull->edges[edge].face;
		}
		edge = hull->edges[hull->edges[edge].twin].next;
	} while (edge != start);
	face_patch(hull, place, face, out);
}

static void triangle_patch(
	const struct d3_vec *points, const struct d3_transform_d *place, struct d3_vec_d d, struct patch *out)
{
	struct d3_vec_d a = d3_widen(points[0]), n = d3_cross_d(d3_sub_d(d3_widen(points[1]), a), d3_sub_d(d3_widen(points[2]), a));
	double length = d3_length_d(n);
	bool back = d3_dot_d(n, d) < 0;
	n = d3_scale_d((back ? -1 : 1) / (length > 0 ? length : 1), n);
	out->alignment = d3_dot_d(n, d);
	out->normal = d3_turn_d(&place->q, n);
	out->face = 0;
	/* Edge i runs from point i to the next; seen from behind they follow each other the other way. */
	for (uint32_t i = 0; i < 3; ++i) {
		uint32_t k = back ? 2 - i : i;
		add_point(out, d3_transform_point_d(place, d3_widen(points[k])), k, back ? (k + 2) % 3 : k);
	}
}

/* Cosines of k pi / 16. */
static const double rim_cosine[RIM / 4 + 1] = {1, 0.98078528040323044913, 0.92387953251128675613, 0.83146961230254523708,
	0.70710678118654752440, 0.55557023301960222474, 0.38268343236508977173, 0.19509032201612826785, 0};

/* Features of cylinders and cones: the corners of the rim, then its lowest point, then the ends of the line on the side. */
enum { LOWEST = RIM, LINE_TOP, LINE_BOTTOM, SIDE_EDGE = RIM + 1 };

/* Corner k of a rim of radius 1. */
static void rim_corner(uint32_t k, double *x, double *z)
{
	uint32_t quarter = k / (RIM / 4) % 4, rest = k % (RIM / 4);
	double c = rim_cosine[rest], s = rim_cosine[RIM / 4 - rest];
	*x = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
	*z = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* The rim about `center`, counter-clockwise from axis u to v. x and z: where it is lowest along them, a unit vector, or 0 where
 * it lies flat. */
static void rim_patch(struct d3_vec_d center, struct d3_vec_d u, struct d3_vec_d v, double x, double z, struct patch *out)
{
	double from_x, from_z, to_x = 1, to_z = 0;
	for (uint32_t k = 0; k < RIM; ++k) {
		from_x = to_x;
		from_z = to_z;
		rim_corner(k + 1, &to_x, &to_z);
		add_point(out, d3_mul_add_d(d3_mul_add_d(center, from_x, u), from_z, v), k, k);
		if (from_x * z - from_z * x > 1e-9 && x * to_z - z * to_x > 1e-9)
			add_point(out, d3_mul_add_d(d3_mul_add_d(center, x, u), z, v), LOWEST, k);
	}
}

/* Of cylinder and cone: the flat end, or the line on the side, whichever is turned towards d the more. */
static void round_patch(
	const struct d3_proxy *proxy, const struct d3_transform_d *place, struct d3_vec_d direction, bool side, struct patch *out)
{
	struct d3_transform_d frame = {d3_transform_point_d(place, proxy->frame.p), d3_mul_rot_d(&place->q, &proxy->frame.q)};
	struct d3_vec_d d = d3_inv_turn_d(&proxy->frame.q, direction);
	double across = sqrt(d.x * d.x + d.z * d.z), radius = proxy->half.x, half = proxy->half.y;
	bool cone = proxy->type == D3_PROXY_CONE, top = !cone && d.y > 0;
	double slant = sqrt(radius * radius + 4 * half * half);
	double of_end = top ? d.y : -d.y, of_side = cone ? (2 * half * across + radius * d.y) / slant : across;
	double x = across > 0 ? d.x / across : 1, z = across > 0 ? d.z / across : 0;
	if (side || of_side > of_end) {
		double apex = cone ? 0 : radius;
		add_point(out, d3_transform_point_d(&frame, (struct d3_vec_d){apex * x, half, apex * z}), LINE_TOP, SIDE_EDGE);
		add_point(out, d3_transform_point_d(&frame, (struct d3_vec_d){radius * x, -half, radius * z}), LINE_BOTTOM, SIDE_EDGE);
		return;
	}
	out->alignment = of_end;
	out->normal = top ? frame.q.y : d3_neg_d(frame.q.y);
	out->face = top ? 0 : 1;
	bool flat = !(across > d3_flat_sine);
	/* Counter-clockwise about +y is from z to x. */
	struct d3_vec_d u = d3_scale_d(radius, top ? frame.q.z : frame.q.x), v = d3_scale_d(radius, top ? frame.q.x : frame.q.z);
	struct d3_vec_d center = d3_mul_add_d(frame.p, top ? half : -half, frame.q.y);
	rim_patch(center, u, v, flat ? 0 : top ? z : x, flat ? 0 : top ? x : z, out);
}

/* Of a tapered capsule: the line on its core's mantle, where that lies across d, a unit vector. */
static void tapered_patch(
	const struct d3_proxy *proxy, const struct d3_transform_d *place, struct d3_vec_d direction, struct patch *out)
{
	struct d3_transform_d frame = {d3_transform_point_d(place, proxy->frame.p), d3_mul_rot_d(&place->q, &proxy->frame.q)};
	struct d3_vec_d d = d3_inv_turn_d(&proxy->frame.q, direction);
	double ball = proxy->half.x, half = proxy->half.y, length = sqrt((2 * half - ball) * (2 * half + ball));
	if (!(abs_d(2 * half * d.y - ball) <= 2 * d3_flat_sine * length))
		return;
	add_point(out, d3_transform_point_d(&frame, (struct d3_vec_d){0, half, 0}), LINE_TOP, SIDE_EDGE);
	add_point(out, d3_transform_point_d(&frame, (struct d3_vec_d){ball * d.x, ball * d.y - half, ball * d.z}), LINE_BOTTOM,
		SIDE_EDGE);
}

/* direction: in A's frame. */
static void facing_patch(
	const struct d3_proxy *proxy, const struct d3_transform_d *place, struct d3_vec_d direction, struct patch *out)
{
	struct d3_vec_d d = d3_inv_turn_d(&place->q, direction);
	const struct d3_vec *points = d3_proxy_points(proxy);
	out->count = 0;
	out->face = 0;
	out->alignment = 0;
	if (proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE)
		round_patch(proxy, place, d, false, out);
	else if (proxy->type == D3_PROXY_TAPERED)
		tapered_patch(proxy, place, d, out);
	else if (proxy->type != D3_PROXY_POINTS)
		return;
	else if (proxy->hull)
		hull_patch(proxy->hull, place, d, out);
	else if (proxy->count == 3)
		triangle_patch(points, place, d, out);
	else
		for (uint32_t i = 0; i < proxy->count; ++i)
			add_point(out, d3_transform_point_d(place, d3_widen(points[i])), i, 0);
}

static void edge_patch(const struct d3_vec *points, const struct d3_transform_d *place, uint32_t from, uint32_t to,
	uint32_t edge, struct patch *out)
{
	out->count = 0;
	add_point(out, d3_transform_point_d(place, d3_widen(points[from])), from, edge);
	add_point(out, d3_transform_point_d(place, d3_widen(points[to])), to, edge);
}

/* The sine of the angle between the edge and the plane across d. */
static double edge_slope(const struct d3_vec *points, uint32_t from, uint32_t to, struct d3_vec_d d)
{
	struct d3_vec_d way = d3_sub_d(d3_widen(points[to]), d3_widen(points[from]));
	double length = d3_length_d(way);
	return length > 0 ? abs_d(d3_dot_d(way, d)) / length : INFINITY;
}

/* The line at the farthest point along `direction` that lies across it best, if there is any. */
static void line_patch(
	const struct d3_proxy *proxy, const struct d3_transform_d *place, struct d3_vec_d direction, struct patch *out)
{
	struct d3_vec_d d = d3_inv_turn_d(&place->q, direction);
	const struct d3_vec *points = d3_proxy_points(proxy);
	out->count = 0;
	if (proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE) {
		round_patch(proxy, place, d, true, out);
		return;
	}
	if (proxy->type == D3_PROXY_TAPERED)
		tapered_patch(proxy, place, d, out);
	if (proxy->type != D3_PROXY_POINTS || proxy->count < 2)
		return;
	uint32_t from = farthest_point(points, proxy->count, d), best = from, best_edge = 0;
	double least = INFINITY;
	if (proxy->hull) {
		const struct d3_hull_edge *edges = proxy->hull->edges;
		uint32_t start = proxy->hull->point_edges[from], edge = start;
		do {
			uint32_t twin = edges[edge].twin, to = edges[twin].origin;
			double slope = edge_slope(points, from, to, d);
			if (slope < least) {
				least = slope;
				best = to;
				best_edge = edge / 2;
			}
			edge = edges[twin].next;
		} while (edge != start);
	} else {
		for (uint32_t to = 0; to < proxy->count; ++to) {
			double slope = to != from ? edge_slope(points, from, to, d) : INFINITY;
			if (slope < least) {
				least = slope;
				best = to;
				best_edge = proxy->count < 3 ? 0 : (from + 1) % 3 == to ? from : to;
			}
		}
	}
	if (best != from)
		edge_patch(points, place, from < best ? from : best, from < best ? best : from, best_edge, out);
}

/* --- Clipping ------------------------------------------------------------------------------------------------------------- */

/* What is clipped, seen from outside the reference face. Lines >= 0 are edges of the incident face, ~k is edge k of the
 * reference. */
struct corner {
	double x, y, height; /* above the reference [length] */
	int line; /* that leads to the next corner */
	int point; /* of the incident face, or -1 */
};

/* The plane of the reference, with its axes. */
struct view {
	const struct patch *reference, *incident;
	struct d3_vec_d origin, u, v;
	/* corners, and normals of the edges that start there, outward */
	double x[PATCH_MAX], y[PATCH_MAX], nx[PATCH_MAX], ny[PATCH_MAX];
	double middle_x, middle_y, reach; /* a circle around the incident face */
};

/* The line through edge `side` of the reference: how far to its right (x, y) lies. */
static double beyond(const struct view *view, uint32_t side, double x, double y)
{
	return view->nx[side] * (x - view->x[side]) + view->ny[side] * (y - view->y[side]);
}

static struct corner crossing(const struct corner *from, const struct corner *to, double part, int line)
{
	return (struct corner){from->x + part * (to->x - from->x), from->y + part * (to->y - from->y),
		from->height + part * (to->height - from->height), line, -1};
}

/* Cuts off what lies beyond edge `side` of the reference by more than slack. Returns the number of corners left. A corner on
 * the edge is kept in place of the crossing beside it. */
static uint32_t cut(
	const struct corner *in, uint32_t count, const struct view *view, uint32_t side, double slack, struct corner *out)
{
	uint32_t made = 0;
	double first = beyond(view, side, in[0].x, in[0].y), here = first;
	for (uint32_t i = 0; i < count && made + 2 <= CLIP_MAX; ++i) {
		const struct corner *c = &in[i], *next = &in[i + 1 < count ? i + 1 : 0];
		double there = i + 1 < count ? beyond(view, side, next->x, next->y) : first;
		if (here <= slack)
			out[made++] = *c;
		if (here <= slack && there > slack) {
			if (here > -slack)
				out[made - 1].line = ~(int)side;
			else
				out[made++] = crossing(c, next, here / (here - there), ~(int)side);
		} else if (here > slack && there < -slack) {
			out[made++] = crossing(c, next, here / (here - there), c->line);
		}
		here = there;
	}
	return made;
}

static void set_view(const struct patch *reference, const struct patch *incident, struct view *view, double *size)
{
	view->reference = reference;
	view->incident = incident;
	view->origin = reference->p[0];
	struct d3_vec_d n = reference->normal, way = d3_sub_d(reference->p[1], reference->p[0]);
	way = d3_mul_add_d(way, -d3_dot_d(way, n), n);
	double length = d3_length_d(way);
	view->u = d3_scale_d(1 / (length > 0 ? length : 1), way);
	view->v = d3_cross_d(n, view->u);
	*size = 0;
	for (uint32_t i = 0; i < reference->count; ++i) {
		struct d3_vec_d p = d3_sub_d(reference->p[i], view->origin);
		view->x[i] = d3_dot_d(p, view->u);
		view->y[i] = d3_dot_d(p, view->v);
		*size = max_d(*size, max_d(abs_d(view->x[i]), abs_d(view->y[i])));
	}
	for (uint32_t i = 0; i < reference->count; ++i) {
		uint32_t next = i + 1 < reference->count ? i + 1 : 0;
		double x = view->x[next] - view->x[i], y = view->y[next] - view->y[i], inverse = 1 / sqrt(x * x + y * y);
		view->nx[i] = inverse < INFINITY ? y * inverse : 0;
		view->ny[i] = inverse < INFINITY ? -x * inverse : 0;
	}
}

/* The incident face as the reference sees it. Returns the number of its corners. */
static uint32_t set_corners(struct view *view, struct corner *corners)
{
	const struct patch *incident = view->incident;
	double square = 0;
	assert(incident->count > 0);
	view->middle_x = view->middle_y = 0;
	for (uint32_t i = 0; i < incident->count; ++i) {
		struct d3_vec_d p = d3_sub_d(incident->p[i], view->origin);
		corners[i] = (struct corner){
			d3_dot_d(p, view->u), d3_dot_d(p, view->v), d3_dot_d(p, view->reference->normal), (int)i, incident->points[i]};
		view->middle_x += corners[i].x;
		view->middle_y += corners[i].y;
	}
	view->middle_x /= incident->count;
	view->middle_y /= incident->count;
	for (uint32_t i = 0; i < incident->count; ++i) {
		double x = corners[i].x - view->middle_x, y = corners[i].y - view->middle_y;
		square = max_d(square, x * x + y * y);
	}
	view->reach = sqrt(square);
	return incident->count;
}

/* The features that meet in a corner: lines `in` and `out`. [0] of the reference, [1] of the incident face. */
static void corner_features(const struct view *view, const struct corner *c, int in, uint32_t children[2], uint64_t features[2])
{
	const struct patch *reference = view->reference, *incident = view->incident;
	int out = c->line;
	features[0] = d3_clip_feature(children[0], D3_FEATURE_FACE, reference->face);
	features[1] = d3_clip_feature(children[1], D3_FEATURE_FACE, incident->face);
	if (c->point >= 0) {
		features[1] = d3_clip_feature(children[1], D3_FEATURE_POINT, (uint32_t)c->point);
	} else if (in < 0 && out < 0) {
		uint32_t i = (uint32_t)~in, k = (uint32_t)~out;
		uint32_t corner = (k + 1) % reference->count == i ? i : k;
		features[0] = d3_clip_feature(children[0], D3_FEATURE_POINT, reference->points[corner]);
	} else {
		if (in < 0 || out < 0)
			features[0] = d3_clip_feature(children[0], D3_FEATURE_EDGE, reference->edges[in < 0 ? ~in : ~out]);
		features[1] = d3_clip_feature(children[1], D3_FEATURE_EDGE, incident->edges[in < 0 ? out : in]);
	}
}

/* --- Two hulls ------------------------------------------------------------------------------------------------------------ */

/* Of hulls with so few edges, edges times edges and faces, all axes are tested sooner than a polytope grows. Rounded ones
 * mostly touch with their cores apart, where GJK is quicker still. */
enum { AXES_MAX = 4096 };

static bool is_small(const struct d3_shape *a, const struct d3_shape *b)
{
	if ((a->type != D3_BOX && a->type != D3_HULL) || (b->type != D3_BOX && b->type != D3_HULL))
		return false;
	if (a->radius > 0 || b->radius > 0)
		return false;
	assert(a->hull && b->hull);
	uint32_t edges_a = a->hull->edge_count / 2, edges_b = b->hull->edge_count / 2;
	return edges_a * (edges_b + b->hull->face_count) <= AXES_MAX;
}

enum way_found { FOUND_NOTHING, FOUND_NORMAL, FOUND_POINTS };

/* What was found on the way. */
struct hint {
	uint32_t face_a, face_b; /* whose normal is the contact's; UINT32_MAX: not known */
	bool alone; /* the nearest points are all */
	uint64_t feature_a, feature_b; /* where they are; 0: not known */
};

static const struct hint no_hint = {.face_a = UINT32_MAX, .face_b = UINT32_MAX};

/* A segment's one edge is 0, and 1 the other way. */
static struct d3_vec_d edge_start(const struct d3_proxy *proxy, uint32_t edge)
{
	return d3_widen(d3_proxy_points(proxy)[proxy->hull ? proxy->hull->edges[edge].origin : edge]);
}

/* Where two edges, p + s u / whole and q + t v / whole, come nearest. */
struct edge_crossing {
	struct d3_vec_d p, u;
	double uu, vv, s, t, whole; /* whole: the square of u x v */
};

static void find_crossing(struct d3_vec_d p, struct d3_vec_d u, struct d3_vec_d q, struct d3_vec_d v, struct edge_crossing *out)
{
	struct d3_vec_d n = d3_cross_d(u, v), way = d3_sub_d(q, p);
	*out = (struct edge_crossing){
		p, u, d3_dot_d(u, u), d3_dot_d(v, v), d3_dot_d(d3_cross_d(way, v), n), d3_dot_d(d3_cross_d(way, u), n), d3_dot_d(n, n)};
}

static bool crosses_within(const struct edge_crossing *c)
{
	return c->whole > 1e-4 * c->uu * c->vv && c->s >= 0 && c->s <= c->whole && c->t >= 0 && c->t <= c->whole;
}

/* Whether the edges touch in that one point only. Beside the crossing they part by the sine of their angle; near: what is as
 * near to an end is on it. */
static bool crosses_alone(const struct edge_crossing *c, double near, double radius)
{
	double s = min_d(c->s, c->whole - c->s), t = min_d(c->t, c->whole - c->t), least = min_d(s * s * c->uu, t * t * c->vv);
	double beside = 8 * d3_beside_part * d3_beside_part * radius * radius + 1e-12 * (c->uu + c->vv);
	return least > c->whole * c->uu * c->vv * beside && least > c->whole * c->whole * near * near;
}

/* No face beside half the edge lies across the normal, which is in the hull's frame, by any means. */
static bool is_edge_alone(const struct d3_hull *hull, uint32_t edge, struct d3_vec_d n)
{
	double flat = 1 - 4 * flat_bias;
	return d3_dot_d(n, hull->planes[hull->edges[edge].face].normal) < flat &&
		d3_dot_d(n, hull->planes[hull->edges[edge ^ 1].face].normal) < flat;
}

static uint64_t half_feature(const struct d3_hull *hull, uint32_t edge)
{
	return d3_edge_feature(hull->edges[edge].origin, hull->edges[edge ^ 1].origin);
}

/* Fills the points. */
static void cross_edges(
	const struct d3_couple *couple, struct d3_finding *found, const struct d3_sat_axis *axis, struct hint *hint)
{
	struct d3_gap *gap = &found->gap;
	struct d3_vec_d p = edge_start(&found->a, axis->index), u = d3_sub_d(edge_start(&found->a, axis->index ^ 1), p);
	struct d3_vec_d q = d3_transform_point_d(&found->b_in_a, edge_start(&found->b, axis->other));
	struct d3_vec_d v = d3_sub_d(d3_transform_point_d(&found->b_in_a, edge_start(&found->b, axis->other ^ 1)), q);
	struct edge_crossing crossing;
	find_crossing(p, u, q, v, &crossing);
	gap->point_a = d3_mul_add_d(d3_mul_add_d(p, clamp_d(crossing.s / crossing.whole, 0, 1), u), found->a.radius, gap->normal);
	gap->point_b = d3_mul_add_d(gap->point_a, gap->distance, gap->normal);
	const struct d3_hull *a = found->a.hull, *b = found->b.hull;
	if (!a || !b || !crosses_within(&crossing) || !(couple->a->reach < INFINITY && couple->b->reach < INFINITY))
		return;
	hint->alone =
		crosses_alone(&crossing, 1e-5 * max_d(couple->a->reach, couple->b->reach), found->a.radius + found->b.radius) &&
		is_edge_alone(a, axis->index, gap->normal) &&
		is_edge_alone(b, axis->other, d3_neg_d(d3_inv_turn_d(&found->b_in_a.q, gap->normal)));
	if (hint->alone) {
		hint->feature_a = half_feature(a, axis->index);
		hint->feature_b = half_feature(b, axis->other);
	}
}

/* How far from the origin of its frame the child reaches at most. */
static double reach_of(const struct d3_shape *shape, const struct d3_proxy *proxy)
{
	return shape->extent < INFINITY ? shape->extent : d3_proxy_reach(proxy);
}

static double coordinates(const struct d3_couple *couple, const struct d3_finding *found)
{
	struct d3_vec_d p = found->b_in_a.p;
	return reach_of(couple->a, &found->a) + reach_of(couple->b, &found->b) + abs_d(p.x) + abs_d(p.y) + abs_d(p.z);
}

/* By separating axes, where the cores overlap or the shapes are apart. Finds distance and normal, and of crossed edges also the
 * points. */
static enum way_found find_by_axes(const struct d3_couple *couple, struct d3_finding *found, struct hint *hint)
{
	struct d3_sat_result result;
	d3_sat(&found->a, &found->b, &found->b_in_a, NULL, &result);
	if (!(abs_d(result.separation) > d3_touch_part * coordinates(couple, found)))
		return FOUND_NOTHING;
	found->gap = (struct d3_gap){.distance = result.separation, .normal = result.normal};
	if (result.axis.owner == D3_SAT_FACE_A && found->a.hull)
		hint->face_a = result.axis.index;
	if (result.axis.owner == D3_SAT_FACE_B && found->b.hull)
		hint->face_b = result.axis.index;
	if (result.axis.owner != D3_SAT_EDGES)
		return FOUND_NORMAL;
	cross_edges(couple, found, &result.axis, hint);
	return FOUND_POINTS;
}

/* --- Points --------------------------------------------------------------------------------------------------------------- */

static bool is_near(struct d3_vec_d p, struct d3_vec_d q, double distance)
{
	struct d3_vec_d way = d3_sub_d(p, q);
	return d3_dot_d(way, way) <= distance * distance;
}

/* u: of the core of B, when of_b, else of A, `separation` from the surface of the other, the reference, along the normal. */
static void add_candidate(
	struct contact *contact, struct d3_vec_d u, bool of_b, double separation, uint64_t of_reference, uint64_t of_incident)
{
	const struct d3_finding *found = contact->found;
	double slack = 1e-12 * (contact->size + abs_d(found->gap.distance)), near = 1e-9 * contact->size;
	if (!(separation <= slack) || contact->count >= CLIP_MAX)
		return;
	double sign = of_b ? -1 : 1, radius = of_b ? found->b.radius : found->a.radius;
	struct d3_vec_d p = d3_mul_add_d(u, sign * (radius + 0.5 * separation), found->gap.normal);
	if (contact->count > 0 &&
		(is_near(p, contact->points[0].p, near) || is_near(p, contact->points[contact->count - 1].p, near)))
		return;
	bool reference_first = contact->a_first == of_b;
	contact->points[contact->count++] = (struct d3_candidate){
		p, min_d(separation, 0), reference_first ? of_reference : of_incident, reference_first ? of_incident : of_reference};
}

/* The corners of the incident face over the reference face, and where their sides cross, as far as they are below it. */
static void touch_faces(struct contact *contact, const struct patch *reference, const struct patch *incident, bool of_a)
{
	const struct d3_finding *found = contact->found;
	struct corner corners[2][CLIP_MAX];
	struct view view;
	set_view(reference, incident, &view, &contact->size);
	uint32_t count = set_corners(&view, corners[0]), from = 0;
	double slack = d3_slack_part * contact->size;
	for (uint32_t i = 0; i < reference->count && count > 0; ++i) {
		if (beyond(&view, i, view.middle_x, view.middle_y) + view.reach <= slack)
			continue;
		count = cut(corners[from], count, &view, i, slack, corners[from ^ 1]);
		from ^= 1;
	}
	uint32_t children[2] = {of_a ? found->child_a : found->child_b, of_a ? found->child_b : found->child_a};
	double radius = found->a.radius + found->b.radius;
	for (uint32_t i = 0; i < count; ++i) {
		const struct corner *c = &corners[from][i];
		uint64_t features[2];
		corner_features(&view, c, corners[from][i > 0 ? i - 1 : count - 1].line, children, features);
		struct d3_vec_d u = d3_mul_add_d(view.origin, c->x, view.u);
		u = d3_mul_add_d(d3_mul_add_d(u, c->y, view.v), c->height, reference->normal);
		add_candidate(contact, u, of_a, c->height * reference->alignment - radius, features[0], features[1]);
	}
}

/* The half-space is A. */
static void touch_half_space(struct contact *contact, const struct patch *b)
{
	const struct d3_finding *found = contact->found;
	contact->size = 0;
	for (uint32_t i = 1; i < b->count; ++i)
		contact->size = max_d(contact->size, d3_length_d(d3_sub_d(b->p[i], b->p[0])));
	for (uint32_t i = 0; i < b->count; ++i) {
		double separation = d3_dot_d(found->gap.normal, b->p[i]) - found->a.offset - found->b.radius;
		add_candidate(contact, b->p[i], true, separation, d3_clip_feature(found->child_a, D3_FEATURE_FACE, 0),
			d3_clip_feature(found->child_b, D3_FEATURE_POINT, b->points[i]));
	}
}

/* By how much the surface may curve away beside a line on it: the radius of its section. */
static double section_radius(const struct d3_proxy *proxy)
{
	return proxy->radius + (proxy->type == D3_PROXY_CYLINDER ? proxy->half.x : 0);
}

/* The ends of the part that two lines have beside each other. `reference` lies across the normal, the other may be inclined to
 * it. */
static void touch_lines(struct contact *contact, const struct patch *reference, const struct patch *incident, bool of_a)
{
	const struct d3_finding *found = contact->found;
	struct d3_vec_d n = found->gap.normal, way = d3_sub_d(reference->p[1], reference->p[0]);
	double length = d3_length_d(way), radius = found->a.radius + found->b.radius;
	struct d3_vec_d t = d3_scale_d(1 / length, way);
	contact->size = length;
	double round = section_radius(of_a ? &found->a : &found->b), other_round = section_radius(of_a ? &found->b : &found->a);
	double beside = d3_beside_part * (round + other_round) + 1e-9 * length;
	double x[2] = {
		d3_dot_d(t, d3_sub_d(incident->p[0], reference->p[0])), d3_dot_d(t, d3_sub_d(incident->p[1], reference->p[0]))};
	uint32_t low = x[0] <= x[1] ? 0 : 1;
	uint32_t child = of_a ? found->child_a : found->child_b;
	uint32_t other = of_a ? found->child_b : found->child_a;
	double ends[2] = {max_d(0, x[low]), min_d(length, x[!low])};
	if (!(ends[1] - ends[0] > d3_slack_part * length))
		return;
	for (uint32_t i = 0; i < 2; ++i) {
		bool own = ends[i] != x[i == 0 ? low : !low];
		uint64_t features[2] = {d3_clip_feature(child, D3_FEATURE_EDGE, reference->edges[0]),
			d3_clip_feature(other, D3_FEATURE_EDGE, incident->edges[0])};
		if (own)
			features[0] = d3_clip_feature(child, D3_FEATURE_POINT, reference->points[i]);
		else
			features[1] = d3_clip_feature(other, D3_FEATURE_POINT, incident->points[i == 0 ? low : !low]);
		double part = (ends[i] - x[0]) / (x[1] - x[0]);
		struct d3_vec_d u = d3_mul_add_d(incident->p[0], part, d3_sub_d(incident->p[1], incident->p[0]));
		struct d3_vec_d between = d3_sub_d(u, d3_mul_add_d(reference->p[0], ends[i], t));
		double along = d3_dot_d(between, n);
		struct d3_vec_d sideways = d3_mul_add_d(between, -along, n);
		if (!(d3_length_d(sideways) <= beside))
			continue;
		/* Over the sharper of both: the surface of the rounder is hardly lower beside its line. */
		if (round < other_round)
			u = d3_sub_d(u, sideways);
		add_candidate(contact, u, of_a, (of_a ? along : -along) - radius, features[0], features[1]);
	}
}

static bool lies_across(const struct patch *line, struct d3_vec_d n)
{
	if (line->count != 2)
		return false;
	struct d3_vec_d way = d3_sub_d(line->p[1], line->p[0]);
	double length = d3_length_d(way);
	return length > 0 && abs_d(d3_dot_d(way, n)) <= d3_flat_sine * length;
}

/* Its facing patch is its one line already. */
static bool is_line(const struct d3_proxy *proxy)
{
	return proxy->type == D3_PROXY_POINTS && proxy->count == 2;
}

/* As facing_patch has it. */
static void known_patch(const struct d3_proxy *proxy, const struct d3_transform_d *place, struct d3_vec_d direction,
	uint32_t face, struct patch *out)
{
	if (face == UINT32_MAX) {
		facing_patch(proxy, place, direction, out);
		return;
	}
	out->count = 0;
	out->alignment = 1;
	face_patch(proxy->hull, place, face, out);
}

static void touch_patches(struct contact *contact, const struct hint *hint)
{
	const struct d3_finding *found = contact->found;
	struct d3_vec_d n = found->gap.normal, back = d3_neg_d(n);
	struct patch a, b;
	known_patch(&found->b, &found->b_in_a, back, hint->face_b, &b);
	if (b.count < 2)
		return;
	if (found->a.type == D3_PROXY_HALF_SPACE) {
		touch_half_space(contact, &b);
		return;
	}
	known_patch(&found->a, &identity, n, hint->face_a, &a);
	if (a.count < 2)
		return;
	bool flat_a = a.count > 2 && a.alignment >= 1 - flat_bias, flat_b = b.count > 2 && b.alignment >= 1 - flat_bias;
	if (flat_a || flat_b) {
		bool of_a = flat_a && flat_b ? (a.count != b.count ? a.count < b.count : contact->a_first) : flat_a;
		touch_faces(contact, of_a ? &a : &b, of_a ? &b : &a, of_a);
		return;
	}
	if (!is_line(&found->a))
		line_patch(&found->a, &identity, n, &a);
	if (!is_line(&found->b))
		line_patch(&found->b, &found->b_in_a, back, &b);
	flat_a = lies_across(&a, n);
	flat_b = lies_across(&b, n);
	if ((flat_a || flat_b) && a.count == 2 && b.count == 2) {
		bool of_a = flat_a && (contact->a_first || !flat_b);
		touch_lines(contact, of_a ? &a : &b, of_a ? &b : &a, of_a);
	}
}

static double size_of(const struct d3_shape *shape, const struct d3_proxy *proxy)
{
	return shape->reach < INFINITY ? shape->reach : d3_proxy_size(proxy);
}

static uint64_t gap_feature(const struct d3_shape *shape, uint32_t child, const struct d3_proxy *proxy,
	const struct d3_transform_d *in_a, struct d3_vec_d point, struct d3_vec_d outward)
{
	if (shape->reach < INFINITY)
		return d3_touch_feature(shape, proxy, in_a, point, outward);
	return (uint64_t)d3_feature_at(shape, child, proxy, in_a, point, outward);
}

/* Where no face says more, and where what was clipped misses the deepest point, beside the corners of a rim. */
static void add_gap(struct contact *contact, const struct d3_couple *couple, struct d3_finding *found, enum way_found way,
	const struct hint *hint)
{
	double deepest = INFINITY;
	for (int i = 0; i < contact->count; ++i)
		deepest = min_d(deepest, contact->points[i].separation);
	if (deepest <= found->gap.distance || contact->count >= CLIP_MAX)
		return;
	if (contact->count > 0) {
		double size = min_d(contact->size, min_d(size_of(couple->a, &found->a), size_of(couple->b, &found->b)));
		if (deepest <= found->gap.distance + d3_slack_part * size)
			return;
	}
	if (way != FOUND_POINTS)
		d3_find_nearest(couple, found);
	const struct d3_gap *gap = &found->gap;
	uint64_t a = hint->feature_a, b = hint->feature_b;
	if (!a)
		a = gap_feature(couple->a, found->child_a, &found->a, &identity, gap->point_a, gap->normal);
	if (!b)
		b = gap_feature(couple->b, found->child_b, &found->b, &found->b_in_a, gap->point_b, d3_neg_d(gap->normal));
	contact->points[contact->count++] = (struct d3_candidate){d3_scale_d(0.5, d3_add_d(gap->point_a, gap->point_b)),
		gap->distance, contact->a_first ? a : b, contact->a_first ? b : a};
}

/* --- Four points ---------------------------------------------------------------------------------------------------------- */

struct choice {
	struct d3_vec_d n, p[3];
	double size; /* how far all points lie apart [length] */
	int count, taken[D3_TOUCH_POINTS]; /* in the order in which they stand */
};

/* Twice the area of the triangle as seen along n, counter-clockwise. */
static double area(struct d3_vec_d n, struct d3_vec_d p, struct d3_vec_d q, struct d3_vec_d r)
{
	return d3_dot_d(n, d3_cross_d(d3_sub_d(q, p), d3_sub_d(r, p)));
}

/* What a point is worth as the next one: depth, squared distance, or area that it adds. */
static double worth(const struct choice *choice, const struct d3_candidate *c)
{
	const struct d3_vec_d *p = choice->p;
	struct d3_vec_d n = choice->n;
	if (choice->count == 0)
		return -c->separation;
	if (choice->count == 1)
		return d3_dot_d(d3_sub_d(c->p, p[0]), d3_sub_d(c->p, p[0]));
	if (choice->count == 2)
		return abs_d(area(n, p[0], p[1], c->p));
	return -min_d(area(n, p[0], p[1], c->p), min_d(area(n, p[1], p[2], c->p), area(n, p[2], p[0], c->p)));
}

/* Those that are worth the same but for rounding are told apart by their features, not by rounding. -1: none adds anything. */
static int best_candidate(const struct contact *contact, const struct choice *choice)
{
	double unit = choice->count == 0 ? choice->size : choice->size * choice->size, best = -INFINITY, worths[CLIP_MAX];
	for (int i = 0, next = 0; i < contact->count; ++i) {
		bool taken = next < choice->count && choice->taken[next] == i;
		next += taken;
		worths[i] = taken ? -INFINITY : worth(choice, &contact->points[i]);
		best = max_d(best, worths[i]);
	}
	if (choice->count > 0 && !(best > 1e-12 * unit))
		return -1;
	int found = -1;
	for (int i = 0; i < contact->count; ++i)
		if (worths[i] >= best - d3_slack_part * unit &&
			(found < 0 || couple_order(&contact->points[i]) < couple_order(&contact->points[found])))
			found = i;
	return found;
}

/* Keeps at most four, in the order in which they stand. */
static void reduce(struct contact *contact)
{
	struct choice choice = {.n = contact->found->gap.normal};
	int *chosen = choice.taken, count = 0;
	if (contact->count <= D3_TOUCH_POINTS)
		return;
	for (int i = 1; i < contact->count; ++i)
		choice.size = max_d(choice.size, d3_length_d(d3_sub_d(contact->points[i].p, contact->points[0].p)));
	for (; count < D3_TOUCH_POINTS; ++count) {
		int i = best_candidate(contact, &choice), at = count;
		if (i < 0)
			break;
		struct d3_vec_d p = contact->points[i].p;
		for (; at > 0 && chosen[at - 1] > i; --at)
			chosen[at] = chosen[at - 1];
		chosen[at] = i;
		bool clockwise = count == 2 && area(choice.n, choice.p[0], choice.p[1], p) < 0;
		if (clockwise) {
			choice.p[2] = choice.p[1];
			choice.p[1] = p;
		} else if (count < 3) {
			choice.p[count] = p;
		}
		choice.count = count + 1;
	}
	for (int i = 0; i < count; ++i)
		contact->points[i] = contact->points[chosen[i]];
	contact->count = count;
}

/* Faces seen edge-on, and lines, are cut there and back: the same features meet twice in one place. */
static void drop_repeated(struct contact *contact)
{
	int count = 0;
	for (int i = 0; i < contact->count; ++i) {
		const struct d3_candidate *c = &contact->points[i];
		bool repeated = false;
		for (int k = 0; k < count; ++k)
			repeated |= contact->points[k].first == c->first && contact->points[k].second == c->second;
		if (!repeated)
			contact->points[count++] = *c;
	}
	contact->count = count;
}

/* --- Apart early ---------------------------------------------------------------------------------------------------------- */

/* Whether the balls around them are apart, by more than rounding. */
static bool balls_apart(struct d3_vec_d between, double radius)
{
	return d3_dot_d(between, between) > radius * radius * (1 + 1e-6);
}

/* Whether the plane across the way from one middle to the other parts them, by more than rounding. */
static bool parts_across(const struct d3_couple *couple, const struct d3_finding *found)
{
	struct d3_vec_d n = d3_sub_d(d3_transform_point_d(&found->b_in_a, couple->b->middle), couple->a->middle);
	double length = d3_length_d(n), radius = couple->a->reach + couple->b->reach;
	if (length > radius * (1 + 1e-6))
		return true;
	struct d3_vec_d back = d3_neg_d(d3_inv_turn_d(&found->b_in_a.q, n));
	struct d3_vec_d a = d3_core_support(&found->a, n);
	struct d3_vec_d b = d3_transform_point_d(&found->b_in_a, d3_core_support(&found->b, back));
	return d3_dot_d(n, d3_sub_d(b, a)) > (found->a.radius + found->b.radius + 1e-9 * radius) * length;
}

/* --- A line and what has faces -------------------------------------------------------------------------------------------- */

/* The axes of a hull and a line: the normals of the faces, and those across the line and an edge that is on the outline as seen
 * along it. */
struct line_axes {
	const struct d3_hull *hull;
	struct d3_vec_d p, way; /* the line, in the hull's frame */
	double middle[2 * D3_HULL_MAX]; /* how high that of the line is above each face */
	double rise[2 * D3_HULL_MAX]; /* from p to the other end */
	uint32_t face;
	double of_face; /* the greatest separation of a face */
	uint32_t edge; /* half an edge; UINT32_MAX where there is none */
	double of_edge; /* that of an edge; -INFINITY where none has so much as the face */
	struct d3_vec_d normal; /* of the edge's axis */
};

static void test_line_faces(struct line_axes *axes)
{
	const struct d3_hull *hull = axes->hull;
	struct d3_vec_d p = axes->p, way = axes->way;
	uint32_t best = 0;
	double most = -INFINITY;
	assert(hull->face_count > 0);
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		const struct d3_hull_plane *plane = &hull->planes[i];
		double height = plane->normal.x * p.x + plane->normal.y * p.y + plane->normal.z * p.z - plane->offset;
		double rise = plane->normal.x * way.x + plane->normal.y * way.y + plane->normal.z * way.z;
		double low = height + min_d(rise, 0);
		axes->rise[i] = rise;
		axes->middle[i] = height + 0.5 * rise;
		best = low > most ? i : best;
		most = max_d(low, most);
	}
	axes->face = best;
	axes->of_face = most;
}

/* An edge is on the outline where the line goes up from the one of its faces and down from the other. What separates along an
 * axis between two normals is at most what the middle of the line is high above either face, where that is not above 0: see
 * sat.c. */
static void test_line_edges(struct line_axes *axes)
{
	const struct d3_hull *hull = axes->hull;
	double best = axes->of_face;
	axes->of_edge = -INFINITY;
	axes->edge = UINT32_MAX;
	for (uint32_t i = 0; i < hull->edge_count; i += 2) {
		const struct d3_hull_edge *half = &hull->edges[i];
		double high = max_d(axes->middle[half[0].face], axes->middle[half[1].face]);
		if (!(axes->rise[half[0].face] * axes->rise[half[1].face] < 0) || (high <= 0 && high <= best))
			continue;
		struct d3_vec_d from = d3_widen(hull->points[half[0].origin]);
		struct d3_vec_d e = d3_sub_d(d3_widen(hull->points[half[1].origin]), from);
		/* Across the line and the edge, outward. */
		struct d3_vec_d n = d3_cross_d(e, axes->way);
		double square = d3_dot_d(n, n), between = d3_dot_d(n, d3_sub_d(axes->p, from));
		bool turned = d3_dot_d(n, hull->planes[half[0].face].normal) + d3_dot_d(n, hull->planes[half[1].face].normal) < 0;
		between = turned ? -between : between;
		/* between / |n| > best, without the root. */
		if (between * abs_d(between) <= best * abs_d(best) * square ||
			!(square > 1e-12 * d3_dot_d(e, e) * d3_dot_d(axes->way, axes->way)))
			continue;
		double inverse = 1 / sqrt(square);
		best = between * inverse;
		axes->of_edge = best;
		axes->edge = i;
		axes->normal = d3_scale_d(turned ? -inverse : inverse, n);
	}
}

/* Whether the end of the line that is lower above the face is over it, surely. */
static bool is_over_face(const struct line_axes *axes, struct d3_vec_d x)
{
	const struct d3_hull *hull = axes->hull;
	struct d3_vec_d n = hull->planes[axes->face].normal;
	uint32_t start = hull->face_edges[axes->face], edge = start;
	bool over = true;
	do {
		uint32_t next = hull->edges[edge].next;
		struct d3_vec_d p = d3_widen(hull->points[hull->edges[edge].origin]);
		struct d3_vec_d to = d3_widen(hull->points[hull->edges[next].origin]);
		over &= d3_dot_d(n, d3_cross_d(d3_sub_d(to, p), d3_sub_d(x, p))) > 0;
		edge = next;
	} while (edge != start);
	return over;
}

/* False: the nearest points are elsewhere, or the edge and the line are too nearly parallel to tell. */
static bool cross_line(const struct line_axes *axes, double near, struct d3_finding *found, struct hint *hint)
{
	assert(axes->edge != UINT32_MAX);
	const struct d3_hull_edge *half = &axes->hull->edges[axes->edge];
	struct d3_vec_d from = d3_widen(axes->hull->points[half[0].origin]);
	struct d3_vec_d e = d3_sub_d(d3_widen(axes->hull->points[half[1].origin]), from);
	struct edge_crossing crossing;
	find_crossing(from, e, axes->p, axes->way, &crossing);
	if (!crosses_within(&crossing))
		return false;
	hint->alone = crosses_alone(&crossing, near, found->a.radius + found->b.radius) &&
		is_edge_alone(axes->hull, axes->edge, axes->normal);
	if (hint->alone) {
		hint->feature_a = half_feature(axes->hull, axes->edge);
		hint->feature_b = d3_edge_feature(0, 1);
	}
	found->gap.normal = axes->normal;
	found->gap.distance = axes->of_edge - found->a.radius - found->b.radius;
	found->gap.point_a = d3_mul_add_d(d3_mul_add_d(from, crossing.s / crossing.whole, e), found->a.radius, axes->normal);
	found->gap.point_b = d3_mul_add_d(found->gap.point_a, found->gap.distance, axes->normal);
	return true;
}

static enum way_found stand_on_face(const struct line_axes *axes, double doubt, struct d3_finding *found, struct hint *hint)
{
	const struct d3_hull_plane *plane = &axes->hull->planes[axes->face];
	struct d3_vec_d end = axes->rise[axes->face] < 0 ? d3_add_d(axes->p, axes->way) : axes->p;
	if (d3_face_uneven(axes->hull, axes->face, 1e-2 * doubt))
		return FOUND_NOTHING;
	found->gap.normal = plane->normal;
	found->gap.distance = axes->of_face - found->a.radius - found->b.radius;
	found->gap.point_a = d3_mul_add_d(end, found->a.radius - axes->of_face, plane->normal);
	found->gap.point_b = d3_mul_add_d(found->gap.point_a, found->gap.distance, plane->normal);
	bool over = is_over_face(axes, end);
	if (!over && !(axes->of_face < 0))
		return FOUND_NOTHING;
	hint->face_a = axes->face;
	return over ? FOUND_POINTS : FOUND_NORMAL;
}

/* A has faces, B is a line. The greatest separation is the depth where the cores overlap, and the distance where points are
 * that far apart. */
static enum way_found find_by_line(const struct d3_couple *couple, struct d3_finding *found, struct hint *hint)
{
	struct line_axes axes;
	const struct d3_vec *points = d3_proxy_points(&found->b);
	double radius = found->a.radius + found->b.radius, doubt = d3_touch_part * coordinates(couple, found);
	axes.hull = found->a.hull;
	axes.p = d3_transform_point_d(&found->b_in_a, d3_widen(points[0]));
	axes.way = d3_turn_d(&found->b_in_a.q, d3_sub_d(d3_widen(points[1]), d3_widen(points[0])));
	test_line_faces(&axes);
	if (axes.of_face > radius + doubt)
		return FOUND_POINTS;
	enum way_found way = FOUND_NOTHING;
	if (axes.of_face > doubt)
		way = stand_on_face(&axes, doubt, found, hint);
	if (way == FOUND_NOTHING) {
		test_line_edges(&axes);
		double most = max_d(axes.of_edge, axes.of_face);
		found->gap.distance = INFINITY;
		if (most > radius + doubt)
			return FOUND_POINTS;
		if (abs_d(most) > doubt && axes.of_edge > axes.of_face)
			way = cross_line(&axes, 1e-5 * couple->a->reach, found, hint) ? FOUND_POINTS : FOUND_NOTHING;
		else if (most < -doubt)
			way = stand_on_face(&axes, doubt, found, hint);
	}
	if (way != FOUND_NOTHING && abs_d(found->gap.distance) > doubt)
		return way;
	*hint = no_hint;
	uint32_t corner_a, corner_b;
	enum d3_verdict verdict = d3_corners_gap(&found->a, &found->b, &found->b_in_a, &found->gap, &corner_a, &corner_b);
	if (verdict == D3_APART)
		return FOUND_POINTS;
	return verdict == D3_NEAR ? find_by_axes(couple, found, hint) : FOUND_NOTHING;
}

/* --- The contact ---------------------------------------------------------------------------------------------------------- */

/* Both convex. */
static enum way_found find_convex(const struct d3_couple *couple, struct d3_finding *found, struct hint *hint)
{
	const struct d3_shape *a = couple->a, *b = couple->b;
	enum way_found way = FOUND_NOTHING;
	found->child_a = found->child_b = 0;
	found->b_in_a = d3_couple_relative(couple->pose_a, couple->pose_b);
	d3_make_proxy(a, 0, &found->a);
	d3_make_proxy(b, 0, &found->b);
	found->gap.distance = INFINITY;
	if (a->hull && is_line(&found->b))
		way = find_by_line(couple, found, hint);
	else if (!(is_line(&found->a) && is_line(&found->b)) && a->reach < INFINITY && b->reach < INFINITY &&
		parts_across(couple, found))
		way = FOUND_POINTS;
	else if (is_small(a, b))
		way = find_by_axes(couple, found, hint);
	if (way != FOUND_NOTHING)
		return way;
	d3_gap_find(&found->a, &found->b, &found->b_in_a, &found->gap);
	return FOUND_POINTS;
}

/* Apart from d3_touch, which has no need of so large a frame of the stack. */
static __attribute__((noinline)) void touch_any(const struct d3_shape *a, const struct d3_pose *pose_a,
	const struct d3_shape *b, const struct d3_pose *pose_b, struct d3_touch *out)
{
	struct d3_couple couple = d3_couple_order(a, pose_a, b, pose_b);
	struct d3_finding found;
	struct hint hint = no_hint;
	enum way_found way = FOUND_POINTS;
	if (d3_shape_convex(couple.a) && d3_shape_convex(couple.b))
		way = find_convex(&couple, &found, &hint);
	else
		d3_find_nearest(&couple, &found);
	if (abs_d(found.gap.distance) <= d3_touch_part * coordinates(&couple, &found)) {
		struct d3_measure measure;
		d3_measure(a, pose_a, b, pose_b, &measure);
		found.gap.distance = measure.distance;
	}
	out->count = 0;
	if (!(found.gap.distance <= 0))
		return;
	struct d3_rot_d q = d3_exact_rot(couple.pose_a->q);
	struct d3_vec_d normal = d3_turn_d(&q, found.gap.normal);
	out->normal = couple.swapped ? d3_neg_d(normal) : normal;
	struct contact contact;
	contact.found = &found;
	contact.a_first = !d3_touch_equal(couple.a, couple.b, couple.pose_a) || d3_comes_first(normal);
	contact.size = 0;
	contact.count = 0;
	if (!hint.alone)
		touch_patches(&contact, &hint);
	add_gap(&contact, &couple, &found, way, &hint);
	reduce(&contact);
	drop_repeated(&contact);
	out->count = contact.count;
	for (int i = 0; i < contact.count; ++i) {
		struct d3_vec_d p = d3_turn_d(&q, contact.points[i].p);
		out->points[i] = (struct d3_touch_point){{couple.pose_a->x + p.x, couple.pose_a->y + p.y, couple.pose_a->z + p.z},
			contact.points[i].separation, d3_couple_id(contact.points[i].first, contact.points[i].second)};
	}
}

void d3_touch(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out)
{
	struct d3_vec_d between = {pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z};
	out->count = 0;
	if (!balls_apart(between, a->extent + b->extent) && !d3_touch_round(a, pose_a, b, pose_b, out))
		touch_any(a, pose_a, b, pose_b, out);
}
