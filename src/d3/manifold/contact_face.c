/* contact_face.c - contact faces: the face, line or point of a core farthest along a direction.
 * The flat ends of cylinders and cones are polygons inscribed in the rim, with one more corner: the rim's lowest point, which
 * is the farthest along the direction. Their sides are lines.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

#include "base/float4.h"

uint32_t d3_polytope_support(const struct d3_polytope *solid, struct d3_vec n, float *reach)
{
	struct float4_best best = float4_best_none;
	for (uint32_t i = 0; i < solid->point_count; i += 4) {
		const struct d3_hull_lanes *p = &solid->lanes[i / 4];
		float4_best_add(&best, n.x * float4_read(p->x) + n.y * float4_read(p->y) + n.z * float4_read(p->z), (int32_t)i);
	}
	return float4_best_index(&best, reach);
}

uint32_t d3_polytope_highest(const struct d3_polytope *solid, struct d3_vec p, float *height)
{
	struct float4_best best = float4_best_none;
	for (uint32_t i = 0; i < solid->face_count; i += 4) {
		const struct d3_hull_plane_lanes *f = &solid->planes[i / 4];
		float4_best_add(&best,
			p.x * float4_read(f->x) + p.y * float4_read(f->y) + p.z * float4_read(f->z) - float4_read(f->offset), (int32_t)i);
	}
	return float4_best_index(&best, height);
}

/* The edge from a point to a neighbour that is closest to perpendicular to a direction. */
struct line_choice {
	float least; /* squared sine of its angle to the plane perpendicular to the direction */
	uint32_t to, edge;
};

static void consider_line(
	const struct d3_vec *points, uint32_t from, uint32_t to, uint32_t edge, struct d3_vec d, struct line_choice *best)
{
	struct d3_vec delta = d3_sub(points[to], points[from]);
	float along = d3_dot(delta, d), square = d3_dot(delta, delta);
	if (along * along < best->least * square)
		*best = (struct line_choice){along * along / square, to, edge};
}

/* Of the faces at a corner, the one whose normal is nearest to n. *alignment: the cosine between them. */
static uint32_t face_at(const struct d3_polytope *solid, uint32_t from, struct d3_vec n, float *alignment)
{
	uint32_t start = solid->point_edges[from], edge = start, best = 0, steps = 0;
	*alignment = -INFINITY;
	do {
		uint32_t face = solid->edges[edge].face;
		float along = d3_dot(d3_polytope_normal(solid, face), n);
		best = along > *alignment ? face : best;
		*alignment = max_f(along, *alignment);
		edge = solid->edges[solid->edges[edge].twin].next;
	} while (edge != start && ++steps < D3_HULL_MAX);
	return best;
}

/* Only faces at the support point count: a face elsewhere that is turned more towards n is not in contact. If none is nearly
 * perpendicular to n, but an edge there is, only the edge's two faces count: a wedge standing on its edge has a contact along
 * all of it, though its end face, which rises from one corner, may be turned more towards n. */
uint32_t d3_polytope_facing_at(const struct d3_polytope *solid, uint32_t from, struct d3_vec n, float *alignment)
{
	uint32_t best = face_at(solid, from, n, alignment), start = solid->point_edges[from], edge = start, steps = 0;
	struct line_choice line = {D3_LINE_SINE * D3_LINE_SINE, UINT32_MAX, 0};
	if (*alignment > D3_SAME_COSINE)
		return best;
	do {
		uint32_t twin = solid->edges[edge].twin;
		consider_line(solid->points, from, solid->edges[twin].origin, edge, n, &line);
		edge = solid->edges[twin].next;
	} while (edge != start && ++steps < D3_HULL_MAX);
	if (line.to == UINT32_MAX)
		return best;
	uint32_t one = solid->edges[line.edge].face, other = solid->edges[solid->edges[line.edge].twin].face;
	float along_one = d3_dot(d3_polytope_normal(solid, one), n), along_other = d3_dot(d3_polytope_normal(solid, other), n);
	*alignment = max_f(along_one, along_other);
	return along_one > along_other ? one : other;
}

uint32_t d3_polytope_facing(const struct d3_polytope *solid, struct d3_vec n, float *alignment, float *reach)
{
	return d3_polytope_facing_at(solid, d3_polytope_support(solid, n, reach), n, alignment);
}

static void add_point(struct d3_contact_face *patch, struct d3_vec p, uint32_t point, uint32_t edge)
{
	patch->p[patch->count] = p;
	patch->points[patch->count] = (uint16_t)(D3_OF_POINT | point);
	patch->edges[patch->count++] = (uint16_t)(D3_OF_EDGE | edge);
}

void d3_polytope_face(const struct d3_polytope *solid, const struct d3_frame *frame, uint32_t face, struct d3_contact_face *out)
{
	uint32_t start = solid->face_edges[face], edge = start;
	struct d3_vec n = d3_polytope_normal(solid, face);
	out->count = 0;
	out->face = face;
	out->normal = frame ? d3_turn(&frame->q, n) : n;
	do {
		uint32_t point = solid->edges[edge].origin;
		add_point(out, frame ? d3_frame_point(frame, solid->points[point]) : solid->points[point], point, edge / 2);
		edge = solid->edges[edge].next;
	} while (edge != start && out->count < D3_CONTACT_FACE_MAX);
}

static float triangle_contact_face(
	const struct d3_vec *points, const struct d3_frame *frame, struct d3_vec d, struct d3_contact_face *out)
{
	struct d3_vec n = d3_normalize(d3_cross(d3_sub(points[1], points[0]), d3_sub(points[2], points[0])));
	bool back = d3_dot(n, d) < 0;
	n = back ? d3_neg(n) : n;
	out->normal = d3_turn(&frame->q, n);
	out->face = back;
	/* Edge i runs from point i to the next; seen from the back, the order is reversed. */
	for (uint32_t i = 0; i < 3; ++i) {
		uint32_t k = back ? 2 - i : i;
		add_point(out, d3_frame_point(frame, points[k]), k, back ? (k + 2) % 3 : k);
	}
	return d3_dot(n, d);
}

/* --- Cylinders and cones -------------------------------------------------------------------------------------------------- */

enum { RIM = 16 }; /* corners of a rim; their polygon is inside the rim by up to 2 % of the radius */

/* Feature numbers of cylinders and cones, separate for points and edges. Points: 0..RIM - 1 the rim's corners, LOWEST its
 * deepest point, LINE_TOP and LINE_BOTTOM the ends of the line on the side. Edges: k from corner k on, LOWEST_EDGE from the
 * deepest point on, SIDE_EDGE the line on the side. Tapered capsules use those of the line. */
enum { LOWEST = RIM, LINE_TOP, LINE_BOTTOM, LOWEST_EDGE = RIM, SIDE_EDGE };

/* Cosines of k pi / 8. */
static const float rim_cosine[RIM / 4 + 1] = {1, 0.92387953f, 0.70710678f, 0.38268343f, 0};

/* A flat end is level, without a lowest point, if the sine of the angle between its normal and the direction is at most
 * this. */
static const float flat_sine = 1e-4f;

/* Corner k of a rim of radius 1. */
static void rim_corner(uint32_t k, float *x, float *y)
{
	uint32_t quarter = k / (RIM / 4) % 4, rest = k % (RIM / 4);
	float c = rim_cosine[rest], s = rim_cosine[RIM / 4 - rest];
	*x = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
	*y = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}

/* Adds the corners of the rim about `center`, counter-clockwise from axis u to v, whose lengths are its radius. x and y: the
 * unit vector along u and v to its lowest point, or 0 if it is level. The lowest point is added between the two corners beside
 * it. */
static void rim_face(struct d3_vec center, struct d3_vec u, struct d3_vec v, float x, float y, struct d3_contact_face *out)
{
	for (uint32_t k = 0; k < RIM; ++k) {
		float from_x, from_y, to_x, to_y;
		rim_corner(k, &from_x, &from_y);
		rim_corner(k + 1, &to_x, &to_y);
		bool lowest = from_x * y - from_y * x >= 0 && x * to_y - y * to_x > 0;
		add_point(out, d3_mul_add(d3_mul_add(center, from_x, u), from_y, v), k, k);
		if (lowest)
			add_point(out, d3_mul_add(d3_mul_add(center, x, u), y, v), LOWEST, LOWEST_EDGE);
	}
}

/* A cylinder or cone in A's frame; its axis is the y axis of `frame`. */
struct round_core {
	struct d3_frame frame;
	float radius, half;
	bool cone;
	struct d3_vec d; /* the direction, in the frame of the core */
	float across, x, z; /* length of d's part perpendicular to the axis, and the unit vector along that part */
};

static struct round_core make_round(const struct d3_proxy *proxy, const struct d3_frame *frame, struct d3_vec n)
{
	struct round_core core = {
		.radius = (float)proxy->half.x, .half = (float)proxy->half.y, .cone = proxy->type == D3_PROXY_CONE};
	struct d3_frame own = d3_frame_narrow(&proxy->frame);
	core.frame = d3_frame_mul(frame, &own);
	core.d = d3_inv_turn(&core.frame.q, n);
	core.across = sqrtf(core.d.x * core.d.x + core.d.z * core.d.z);
	bool tilted = core.across > 1e-12f;
	core.x = tilted ? core.d.x / core.across : 1;
	core.z = tilted ? core.d.z / core.across : 0;
	return core;
}

static void round_line(const struct round_core *core, struct d3_contact_face *out)
{
	float apex = core->cone ? 0 : core->radius;
	out->count = 0;
	out->bend[0] = apex;
	out->bend[1] = core->radius;
	add_point(
		out, d3_frame_point(&core->frame, (struct d3_vec){apex * core->x, core->half, apex * core->z}), LINE_TOP, SIDE_EDGE);
	add_point(out, d3_frame_point(&core->frame, (struct d3_vec){core->radius * core->x, -core->half, core->radius * core->z}),
		LINE_BOTTOM, SIDE_EDGE);
}

/* Sine of the angle between the line on the side and the plane perpendicular to the direction; > 0: the top is farther
 * along. */
static float round_slope(const struct round_core *core)
{
	if (!core->cone)
		return core->d.y;
	float slant = sqrtf(core->radius * core->radius + 4 * core->half * core->half);
	return (2 * core->half * core->d.y - core->radius * core->across) / slant;
}

/* Sets *out to the line on the side, if it is within 45 degrees of perpendicular to the direction and the flat end's normal is
 * more than about 45 degrees off the direction, or else to the flat end. A cone gets the line for all directions to the side of
 * its apex. Returns the cosine between the direction and the end's normal; 0 for the line. */
static float round_face(const struct round_core *core, struct d3_contact_face *out)
{
	bool top = !core->cone && core->d.y > 0;
	float of_end = top ? core->d.y : -core->d.y, slope = round_slope(core);
	bool side = slope * slope < 0.5f || (core->cone && core->d.y > 0);
	if (side && of_end < 0.7f) {
		round_line(core, out);
		return 0;
	}
	out->normal = top ? core->frame.q.y : d3_neg(core->frame.q.y);
	out->face = top ? 0 : 1;
	bool flat = !(core->across > flat_sine);
	/* Counter-clockwise about +y is from z to x. */
	struct d3_vec u = d3_scale(core->radius, top ? core->frame.q.z : core->frame.q.x);
	struct d3_vec v = d3_scale(core->radius, top ? core->frame.q.x : core->frame.q.z);
	struct d3_vec center = d3_mul_add(core->frame.p, top ? core->half : -core->half, core->frame.q.y);
	rim_face(center, u, v, flat ? 0 : top ? core->z : core->x, flat ? 0 : top ? core->x : core->z, out);
	return of_end;
}

/* Sets *out to the line on the side of a tapered capsule's core towards d (in the shape's frame), if the line is nearly
 * perpendicular to d, or else to the support point. */
static void tapered_face(
	const struct d3_proxy *proxy, const struct d3_frame *frame, struct d3_vec d, struct d3_contact_face *out)
{
	struct d3_frame core = d3_frame_narrow(&proxy->frame);
	float ball = (float)proxy->half.x, half = (float)proxy->half.y;
	struct d3_vec own = d3_inv_turn(&core.q, d), tip = {0, half, 0};
	float slope = 2 * half * own.y - ball;
	struct d3_vec base = {ball * own.x, ball * own.y - half, ball * own.z};
	bool flat = abs_f(slope) < D3_LINE_SINE * 2 * half;
	out->bend[0] = 0;
	out->bend[1] = ball;
	if (flat || slope > 0)
		add_point(out, d3_frame_point(frame, d3_frame_point(&core, tip)), LINE_TOP, SIDE_EDGE);
	if (flat || slope <= 0)
		add_point(out, d3_frame_point(frame, d3_frame_point(&core, base)), LINE_BOTTOM, SIDE_EDGE);
}

/* --- Any core ------------------------------------------------------------------------------------------------------------- */

float d3_proxy_face(const struct d3_proxy *proxy, const struct d3_frame *frame, struct d3_vec n, struct d3_contact_face *out)
{
	struct d3_vec d = d3_inv_turn(&frame->q, n);
	const struct d3_vec *points = d3_proxy_points(proxy);
	out->count = 0;
	out->face = 0;
	if (proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE) {
		struct round_core core = make_round(proxy, frame, n);
		return round_face(&core, out);
	}
	if (proxy->type == D3_PROXY_TAPERED) {
		tapered_face(proxy, frame, d, out);
		return 0;
	}
	if (proxy->type == D3_PROXY_ELLIPSOID) {
		struct d3_vec_d tip = d3_core_support(proxy, d3_widen(d));
		add_point(out, d3_frame_point(frame, d3_narrow(tip)), 0, 0);
		return 0;
	}
	if (proxy->hull) {
		float alignment, reach;
		struct d3_polytope solid = d3_polytope_of_hull(proxy->hull, d);
		d3_polytope_face(&solid, frame, d3_polytope_facing(&solid, d, &alignment, &reach), out);
		return alignment;
	}
	if (proxy->count == 3)
		return triangle_contact_face(points, frame, d, out);
	out->bend[0] = out->bend[1] = 0;
	for (uint32_t i = 0; i < proxy->count; ++i)
		add_point(out, d3_frame_point(frame, points[i]), i, 0);
	return 0;
}

bool d3_proxy_line(const struct d3_proxy *proxy, const struct d3_frame *frame, struct d3_vec n, struct d3_contact_face *out)
{
	struct d3_vec d = d3_inv_turn(&frame->q, n);
	const struct d3_vec *points = d3_proxy_points(proxy);
	out->count = 0;
	out->face = 0;
	if (proxy->type == D3_PROXY_CYLINDER || proxy->type == D3_PROXY_CONE) {
		struct round_core core = make_round(proxy, frame, n);
		round_line(&core, out);
		return abs_f(round_slope(&core)) < D3_LINE_SINE;
	}
	if (proxy->type == D3_PROXY_TAPERED) {
		tapered_face(proxy, frame, d, out);
		return out->count == 2;
	}
	if (proxy->type != D3_PROXY_POINTS || proxy->count < 2)
		return false;
	struct line_choice best = {D3_LINE_SINE * D3_LINE_SINE, UINT32_MAX, 0};
	uint32_t from = 0;
	for (uint32_t i = 1; i < proxy->count; ++i)
		from = d3_dot(points[i], d) > d3_dot(points[from], d) ? i : from;
	if (proxy->hull) {
		const struct d3_hull_edge *edges = proxy->hull->edges;
		uint32_t start = proxy->hull->point_edges[from], edge = start;
		do {
			uint32_t twin = edges[edge].twin;
			consider_line(points, from, edges[twin].origin, edge / 2, d, &best);
			edge = edges[twin].next;
		} while (edge != start);
	} else {
		for (uint32_t to = 0; to < proxy->count; ++to)
			if (to != from)
				consider_line(points, from, to, proxy->count < 3 ? 0 : (from + 1) % 3 == to ? from : to, d, &best);
	}
	if (best.to == UINT32_MAX)
		return false;
	uint32_t first = from < best.to ? from : best.to, second = from < best.to ? best.to : from;
	out->bend[0] = out->bend[1] = 0;
	add_point(out, d3_frame_point(frame, points[first]), first, best.edge);
	add_point(out, d3_frame_point(frame, points[second]), second, best.edge);
	return true;
}
