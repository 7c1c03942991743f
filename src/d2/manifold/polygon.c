/* polygon.c - convex polygons with radii against each other: boxes, polygons, capsules and segments.
 * The normal comes from SAT with the normals of both; the points come from clipping the incident edge to the reference edge.
 * For overlapping polygons the best axis is that of least penetration. For separated polygons, the separation as a function of
 * direction has a single maximum, in the direction between the closest points; so the best edge normal is that of an edge with
 * a closest point. The closest points are then on the reference and the incident edge. If both are corners, the direction
 * between them replaces the axis. Box against box is the hot function of the engine and has its own search for the axis.
 * Sources: Gregorius, "The Separating Axis Test between convex polyhedra", GDC 2013; Gottschalk, Lin, Manocha, "OBBTree", 1996.
 * Pure, any thread. */
#include "d2/manifold/manifold_parts.h"

#include "base/float4.h"

#include <string.h>

/* Edges at less than steep_tangent to each other (6 degrees), with a direction between their closest corners at less than
 * flat_tangent to the face normal (1 degree), count as lying flat on each other, not as corner against corner. Otherwise a box
 * that falls on one of its size, tilted by mere rounding error, would land on a corner. */
static const float steep_tangent = 0.1f;
static const float flat_tangent = 0.02f;

/* Cosine of normals below which two faces count as lying flat on each other (opposite to within 6 degrees): see preference. */
static const float flat_cosine = -0.995f;

/* Of the reference's normal: A's points to B, B's to A. */
static const float normal_signs[2] = {1, -1};

/* Tangent of the angle up to which faces count as parallel (0.6 degrees): resting shapes lean a little. See at_border. */
static const float parallel_tangent = 0.01f;

/* The incident edge, from (x1, y1), near v1, to (x2, y2). x is along the reference edge, from v1; y is the height over it. */
struct profile {
	struct d2_vec tangent;
	float length; /* of the reference edge, which lies on y = 0 from x = 0 */
	float x1, y1, x2, y2;
};

static struct profile make_profile(const struct d2_edges *e)
{
	struct d2_vec t = d2_left_perp(e->normal);
	struct d2_vec p1 = d2_sub(e->u2, e->v1), p2 = d2_sub(e->u1, e->v1);
	return (struct profile){
		t, d2_dot(t, d2_sub(e->v2, e->v1)), d2_dot(t, p1), d2_dot(e->normal, p1), d2_dot(t, p2), d2_dot(e->normal, p2)};
}

/* The id of a point: the numbers of A's vertex, in the lowest 8 bits, and of B's, in the next 8. The two points of a manifold
 * differ in both. */
static uint32_t edges_id(const struct d2_edges *e, uint32_t iv, uint32_t iu)
{
	uint32_t shift = 8u * e->flipped;
	return iv << shift | iu << (8 - shift);
}

/* Adds the contact point at (x, y) of the incident core, its separation measured along the reference normal. */
static inline void add_point(const struct d2_edges *e, const struct profile *p, float x, float y, uint32_t iv, uint32_t iu,
	struct d2_local_manifold *out)
{
	float middle = 0.5f * (y + e->radius_v - e->radius_u), separation = y - e->radius_v - e->radius_u;
	struct d2_vec point = d2_mul_add(d2_mul_add(e->v1, x, p->tangent), middle, e->normal);
	out->points[out->count++] = (struct d2_manifold_point){point, separation, edges_id(e, iv, iu)};
}

/* The closest point of the incident edge to one end of the reference edge. */
struct nearest {
	float end; /* x of that end */
	float x, y; /* from the end to the closest point */
	float part; /* fraction from (x1, y1) to (x2, y2) */
};

static struct nearest nearest_to_end(const struct profile *p, float end)
{
	float wx = p->x2 - p->x1, wy = p->y2 - p->y1, from = p->x1 - end;
	float square = wx * wx + wy * wy;
	float part = square > 0 ? clamp_f(-(from * wx + p->y1 * wy) / square, 0, 1) : 0;
	return (struct nearest){end, from + part * wx, p->y1 + part * wy, part};
}

/* Returns the distance from the reference edge's end to the closest point, and sets its direction, in the profile's
 * coordinates. A closest point that is at least as far below the face as beside the end counts as inside the polygon, by no
 * more than d2_indifference. The direction to it would point inwards: the result is then the face normal, and the point's
 * height as distance. */
static float corner_direction(const struct nearest *near, struct d2_vec *direction)
{
	float distance = sqrtf(near->x * near->x + near->y * near->y);
	if (near->y <= -abs_f(near->x) || !(distance > 1e-12f)) {
		*direction = (struct d2_vec){0, 1};
		return near->y;
	}
	*direction = (struct d2_vec){near->x / distance, near->y / distance};
	return distance;
}

/* Gives the manifold one contact point, on the line between the closest points, if it is within the margin. */
static void add_corner_point(const struct d2_edges *e, const struct profile *p, const struct nearest *near, float speculative,
	struct d2_local_manifold *out)
{
	struct d2_vec c;
	float distance = corner_direction(near, &c);
	float separation = distance - e->radius_v - e->radius_u;
	if (separation > speculative)
		return;
	struct d2_vec n = d2_add(d2_scale(c.x, p->tangent), d2_scale(c.y, e->normal));
	uint32_t iv = near->end > 0 ? e->iv2 : e->iv1, iu = near->part < 0.5f ? e->iu2 : e->iu1;
	struct d2_vec end = d2_mul_add(e->v1, near->end, p->tangent);
	out->border = true;
	d2_manifold_set_point(out, d2_scale(normal_signs[e->flipped], n),
		d2_mul_add(end, 0.5f * (distance + e->radius_v - e->radius_u), n), separation, edges_id(e, iv, iu));
}

/* Whether the contact is at an end of the reference edge, rather than of the face: see D2_CLIP_CLOSEST. True sets *near. */
static bool is_corner_contact(const struct profile *p, float speculative, float sideways, struct nearest *near)
{
	bool apart = (p->x2 < 0) | (p->x1 > p->length);
	/* Which end is lower is as random as its sign: a table, not a branch. */
	float sides[2] = {p->length, 0}, ends[2] = {p->x2, p->x1}, low_x = ends[p->y1 <= p->y2], low_y = min_f(p->y1, p->y2);
	bool steep = abs_f(p->y2 - p->y1) > steep_tangent * abs_f(p->x2 - p->x1);
	bool over_face = (low_x >= -sideways) & (low_x <= p->length + sideways);
	if ((!apart) & (over_face | (low_y <= (steep ? 0 : d2_indifference(speculative)))))
		return false;
	bool first = apart ? p->x2 < 0 : low_x < 0;
	*near = nearest_to_end(p, sides[first]);
	return apart || ((near->part <= 0 || near->part >= 1) && (steep || abs_f(near->x) > flat_tangent * near->y));
}

/* Whether the edges overlap over at most e->border, from x1 to x2; or they are not parallel, and the reference edge is at most
 * about that deep behind the line of the incident edge. */
static bool at_border(const struct d2_edges *e, const struct profile *p, float x1, float x2)
{
	float dx = p->x2 - p->x1, dy = p->y2 - p->y1;
	float above1 = p->y1 * dx - p->x1 * dy, above2 = above1 + p->length * dy;
	bool parallel = abs_f(dy) <= parallel_tangent * dx;
	return (x2 - x1 <= e->border) | ((!parallel) & (min_f(above1, above2) >= -e->border * (dx + abs_f(dy))));
}

bool d2_clip_edges(
	const struct d2_edges *edges, enum d2_clip_mode mode, float speculative, float sideways, struct d2_local_manifold *out)
{
	struct profile p = make_profile(edges);
	struct nearest near;
	out->count = 0;
	out->face = out->border = false;
	if (mode == D2_CLIP_CLOSEST && is_corner_contact(&p, speculative, sideways, &near)) {
		add_corner_point(edges, &p, &near, speculative, out);
		return true;
	}
	float low = -sideways, high = p.length + sideways;
	if ((p.x2 < low) | (p.x1 > high))
		return false;
	/* Both ends at once, without branches. */
	float4 x = {p.x1, p.x2}, y = {p.y1, p.y2}, ends = {low, high}, dx = {p.x2 - p.x1, p.x1 - p.x2, 1, 1};
	float4 dy = {p.y2 - p.y1, p.y1 - p.y2}, clipped = y + (ends - x) / dx * dy;
	float4 less = {p.x1, high}, more = {low, p.x2};
	int4 beyond = less < more;
	x = float4_choose(beyond, ends, x);
	y = float4_choose(beyond, clipped, y);
	if (min_f(y[0], y[1]) > speculative + edges->radius_v + edges->radius_u)
		return false;
	out->normal = d2_scale(normal_signs[edges->flipped], edges->normal);
	out->face = true;
	out->border = at_border(edges, &p, x[0], x[1]);
	add_point(edges, &p, x[0], y[0], edges->iv1, edges->iu2, out);
	add_point(edges, &p, x[1], y[1], edges->iv2, edges->iu1, out);
	return false;
}

uint32_t d2_facing_edge(const struct d2_outline *outline, uint32_t deepest, struct d2_vec n)
{
	uint32_t edges[2] = {deepest, deepest + (deepest == 0) * outline->count - 1};
	return edges[d2_dot(n, outline->normals[edges[1]]) < d2_dot(n, outline->normals[deepest])];
}

/* Four points or vectors by coordinate. */
struct four {
	float4 x, y;
};

/* Reads points i to i + 3 of an outline, or normals; the last lanes are arbitrary where it has fewer. */
static inline struct four read_four(const struct d2_vec *from)
{
	float4 a, b;
	memcpy(&a, from, sizeof a);
	memcpy(&b, from + 2, sizeof b);
	return (struct four){__builtin_shufflevector(a, b, 0, 2, 4, 6), __builtin_shufflevector(a, b, 1, 3, 5, 7)};
}

/* `values` in the first `left` lanes, -INFINITY in the others. */
static inline float4 first_lanes(float4 values, uint32_t left)
{
	const int4 numbers = {0, 1, 2, 3};
	int32_t last = (int32_t)left;
	return float4_choose(numbers < (int4){last, last, last, last}, values, float4_of(-INFINITY));
}

uint32_t d2_deepest_vertex(const struct d2_outline *outline, struct d2_vec n)
{
	struct float4_best best = float4_best_none;
	float most;
	if (outline->count == 2)
		return -d2_dot(n, outline->points[1]) > -d2_dot(n, outline->points[0]);
	for (uint32_t i = 0; i < outline->count; i += 4) {
		struct four p = read_four(outline->points + i);
		float4_best_add(&best, first_lanes(-n.x * p.x - n.y * p.y, outline->count - i), (int32_t)i);
	}
	return float4_best_index(&best, &most);
}

struct axis {
	float separation; /* of the cores along it [length] */
	uint32_t edge; /* of the reference polygon */
};

/* The edge of `a` whose normal separates b most: four edges at a time against all vertices of b, without branches that depend
 * on the shapes' positions. Vertices are compared in b's own frame, where rounding is smallest. */
static struct axis find_axis(const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a)
{
	struct float4_best best = float4_best_none;
	struct axis axis;
	float c = b_in_a->q.c, s = b_in_a->q.s;
	for (uint32_t i = 0; i < a->count; i += 4) {
		struct four n = read_four(a->normals + i), p = read_four(a->points + i);
		float4 x = c * n.x + s * n.y, y = c * n.y - s * n.x, depth = x * b->points[0].x + y * b->points[0].y;
		for (uint32_t j = 1; j < b->count; ++j)
			depth = float4_least(x * b->points[j].x + y * b->points[j].y, depth);
		float4 separation = depth + (n.x * (b_in_a->p.x - p.x) + n.y * (b_in_a->p.y - p.y));
		float4_best_add(&best, first_lanes(separation, a->count - i), (int32_t)i);
	}
	axis.edge = float4_best_index(&best, &axis.separation);
	return axis;
}

/* find_axis for two outlines of two points, whose normals are opposite: the same result, to the bit. */
static inline struct axis find_line_axis(
	const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a)
{
	float c = b_in_a->q.c, s = b_in_a->q.s;
	struct d2_vec n = a->normals[0], along = {c * n.x + s * n.y, c * n.y - s * n.x};
	float depth1 = along.x * b->points[0].x + along.y * b->points[0].y;
	float depth2 = along.x * b->points[1].x + along.y * b->points[1].y;
	struct d2_vec from1 = d2_sub(b_in_a->p, a->points[0]), from2 = d2_sub(b_in_a->p, a->points[1]);
	float separations[2] = {
		min_f(depth1, depth2) + (n.x * from1.x + n.y * from1.y), min_f(-depth1, -depth2) + (-n.x * from2.x - n.y * from2.y)};
	uint32_t edge = separations[1] > separations[0];
	return (struct axis){separations[edge], edge};
}

static inline uint32_t next_vertex(const struct d2_outline *outline, uint32_t i)
{
	return (i + 1) * (i + 1 < outline->count);
}

/* Two points by one vector: the ends of an edge. */
static inline float4 read_edge(const struct d2_vec *from)
{
	float4 to;
	memcpy(&to, from, sizeof to);
	return to;
}

static inline float4 transform_edge(const struct d2_transform *t, float4 p)
{
	const float4 signs = {-1, 1, -1, 1};
	float4 crossed = __builtin_shufflevector(p, p, 1, 0, 3, 2) * signs;
	return (t->q.c * p + t->q.s * crossed) + (float4){t->p.x, t->p.y, t->p.x, t->p.y};
}

/* Edge i of a and edge j of b, in a's frame, of which the reference is a's, or b's if flipped. Random contacts are as often one
 * as the other, so it branches nowhere. normal: the reference's, in a's frame. */
static inline struct d2_edges edges_of(const struct d2_outline *a, uint32_t i, const struct d2_outline *b, uint32_t j,
	const struct d2_transform *b_in_a, bool flipped, struct d2_vec normal, float speculative)
{
	int32_t bits = -(int32_t)flipped;
	int4 swap = {bits, bits, bits, bits};
	float4 of_a = read_edge(a->points + i), of_b = transform_edge(b_in_a, read_edge(b->points + j));
	float4 v = float4_choose(swap, of_b, of_a), u = float4_choose(swap, of_a, of_b);
	const struct d2_outline *outlines[2] = {a, b}, *reference = outlines[flipped], *incident = outlines[!flipped];
	uint32_t numbers[2] = {i, j}, iv = numbers[flipped], iu = numbers[!flipped];
	return (struct d2_edges){normal, {v[0], v[1]}, {v[2], v[3]}, {u[0], u[1]}, {u[2], u[3]}, iv, next_vertex(reference, iv), iu,
		next_vertex(incident, iu), reference->radius, incident->radius, d2_border(a->inner, b->inner, speculative), flipped};
}

/* How much more B's best edge must separate than A's to become the reference [length]. Of faces that lie flat on each other A's
 * is preferred, so that the reference does not alternate while they rest. Between other faces, and wherever corners touch, the
 * better axis must win: only that one is sure to lead to the closest corners. */
static inline float preference(struct d2_vec normal_a, struct d2_vec normal_b, float speculative)
{
	return d2_dot(normal_a, normal_b) < flat_cosine ? d2_indifference(speculative) : 0;
}

/* Clips the edge of the other outline that faces edge `edge` of a, or of b. normal: of that edge, in a's frame. Returns what
 * d2_clip_edges does. */
static bool clip_outlines(const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a, bool of_b,
	uint32_t edge, struct d2_vec normal, float speculative, struct d2_local_manifold *out)
{
	const struct d2_outline *others[2] = {b, a}, *other = others[of_b];
	struct d2_vec directions[2] = {d2_inv_rotate(b_in_a->q, normal), normal}, n = directions[of_b];
	uint32_t facing = d2_facing_edge(other, d2_deepest_vertex(other, n), n), numbers[3] = {edge, facing, edge};
	struct d2_edges edges = edges_of(a, numbers[of_b], b, numbers[1 + of_b], b_in_a, of_b, normal, speculative);
	return d2_clip_edges(&edges, D2_CLIP_CLOSEST, speculative, d2_indifference(speculative), out);
}

void d2_collide_outlines(const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	out->count = 0;
	float limit = speculative + a->radius + b->radius;
	bool lines = a->count == 2 && b->count == 2;
	struct axis axis_a = lines ? find_line_axis(a, b, b_in_a) : find_axis(a, b, b_in_a);
	out->clearance = axis_a.separation - limit;
	if (axis_a.separation > limit)
		return;
	struct d2_transform a_in_b = d2_inv_transform(*b_in_a);
	struct axis axis_b = lines ? find_line_axis(b, a, &a_in_b) : find_axis(b, a, &a_in_b);
	out->clearance = axis_b.separation - limit;
	if (axis_b.separation > limit)
		return;
	uint32_t best[2] = {axis_a.edge, axis_b.edge};
	struct d2_vec normals[2] = {a->normals[axis_a.edge], d2_rotate(b_in_a->q, b->normals[axis_b.edge])};
	bool of_b = axis_b.separation > axis_a.separation + preference(normals[0], normals[1], speculative);
	bool corners = clip_outlines(a, b, b_in_a, of_b, best[of_b], normals[of_b], speculative, out);
	if (corners & !of_b & (axis_b.separation > axis_a.separation)) /* together rare, singly as often as not */
		clip_outlines(a, b, b_in_a, true, axis_b.edge, normals[1], speculative, out);
}

/* The edge of a box, in the order of d2_box_create, whose outward normal is nearest to (x, y) in the box's axes. */
static inline uint32_t box_edge(float x, float y)
{
	uint32_t numbers[2] = {2u * (y > 0), 3u - 2u * (x > 0)};
	return numbers[abs_f(x) > abs_f(y)];
}

/* clip_outlines for two boxes. */
static bool clip_boxes(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a, bool of_b,
	uint32_t edge, struct d2_vec normal, float speculative, struct d2_local_manifold *out)
{
	struct d2_outline outline_a = d2_outline_of(a), outline_b = d2_outline_of(b);
	struct d2_vec directions[2] = {
		d2_inv_rotate(b->rotation, d2_inv_rotate(b_in_a->q, normal)), d2_inv_rotate(a->rotation, normal)};
	uint32_t facing = box_edge(-directions[of_b].x, -directions[of_b].y), numbers[3] = {edge, facing, edge};
	struct d2_edges edges =
		edges_of(&outline_a, numbers[of_b], &outline_b, numbers[1 + of_b], b_in_a, of_b, normal, speculative);
	return d2_clip_edges(&edges, D2_CLIP_CLOSEST, speculative, d2_indifference(speculative), out);
}

/* Computes four separations without a branch or a division, and transforms only the two edges of the best axis. Along an axis
 * of one box, the separation is the distance of the centres less this box's half size and the other box's projection:
 *   s_x = |d_x| - h_x - (|c| g_x + |s| g_y)
 *   d       centre of the other box in the frame of this one [length];  c, s  its rotation there
 *   h, g    half sizes of this box and the other [length] */
void d2_collide_boxes(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a, float speculative,
	struct d2_local_manifold *out)
{
	out->count = 0;
	struct d2_vec d = d2_inv_rotate(a->rotation, d2_sub(d2_transform_point(*b_in_a, b->centroid), a->centroid));
	struct d2_rot q = d2_inv_mul_rot(a->rotation, d2_mul_rot(b_in_a->q, b->rotation));
	struct d2_vec e = d2_inv_rotate(q, d);
	struct d2_vec h = a->half, g = b->half;
	float c = abs_f(q.c), s = abs_f(q.s);
	float ax = abs_f(d.x) - h.x - (c * g.x + s * g.y), ay = abs_f(d.y) - h.y - (s * g.x + c * g.y);
	float bx = abs_f(e.x) - g.x - (c * h.x + s * h.y), by = abs_f(e.y) - g.y - (s * h.x + c * h.y);
	float best_a = max_f(ax, ay), best_b = max_f(bx, by);
	out->clearance = max_f(best_a, best_b) - (speculative + a->radius + b->radius);
	if (max_f(best_a, best_b) > speculative + a->radius + b->radius)
		return;
	uint32_t numbers_a[2] = {2u * (d.y > 0), 3u - 2u * (d.x > 0)}, numbers_b[2] = {2u * (e.y < 0), 3u - 2u * (e.x < 0)};
	uint32_t best[2] = {numbers_a[ax > ay], numbers_b[bx > by]};
	struct d2_vec normals[2] = {a->normals[best[0]], d2_rotate(b_in_a->q, b->normals[best[1]])};
	bool of_b = best_b > best_a + preference(normals[0], normals[1], speculative);
	bool corners = clip_boxes(a, b, b_in_a, of_b, best[of_b], normals[of_b], speculative, out);
	if (corners & !of_b & (best_b > best_a)) /* together rare, singly as often as not */
		clip_boxes(a, b, b_in_a, true, best[1], normals[1], speculative, out);
}
