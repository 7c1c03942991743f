/* polygon.c - convex polygons with radii against each other: boxes, polygons, capsules and segments.
 * The normal comes from SAT with the normals of both; the points come from clipping the incident edge to the reference edge.
 * For overlapping polygons the best axis is that of least penetration. For separated polygons, the separation as a function of
 * direction has a single maximum, in the direction between the closest points; so the best edge normal is that of an edge with
 * a closest point. The closest points are then on the reference and the incident edge. If both are corners, the direction
 * between them replaces the axis. Box against box is the hot function of the engine and has its own search for the axis.
 * Sources: Gregorius, "The Separating Axis Test between convex polyhedra", GDC 2013; Gottschalk, Lin, Manocha, "OBBTree", 1996.
 * Pure, any thread. */
#include "d2/manifold/manifold_parts.h"

/* Edges at less than steep_tangent to each other (6 degrees), with a direction between their closest corners at less than
 * flat_tangent to the face normal (1 degree), count as lying flat on each other, not as corner against corner. Otherwise a box
 * that falls on one of its size, tilted by mere rounding error, would land on a corner. */
static const float steep_tangent = 0.1f;
static const float flat_tangent = 0.02f;

/* Cosine of normals below which two faces count as lying flat on each other (opposite to within 6 degrees): see preference. */
static const float flat_cosine = -0.995f;

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
	return e->flipped ? iu | iv << 8 : iv | iu << 8;
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
	d2_manifold_set_point(out, e->flipped ? d2_neg(n) : n, d2_mul_add(end, 0.5f * (distance + e->radius_v - e->radius_u), n),
		separation, edges_id(e, iv, iu));
}

/* Whether the contact is at an end of the reference edge, rather than of the face: see D2_CLIP_CLOSEST. True sets *near. */
static bool is_corner_contact(const struct profile *p, float speculative, float sideways, struct nearest *near)
{
	bool apart = p->x2 < 0 || p->x1 > p->length, low_first = p->y1 <= p->y2;
	float low_x = low_first ? p->x1 : p->x2, low_y = low_first ? p->y1 : p->y2;
	bool steep = abs_f(p->y2 - p->y1) > steep_tangent * abs_f(p->x2 - p->x1);
	bool over_face = low_x >= -sideways && low_x <= p->length + sideways;
	if (!apart && (over_face || low_y <= (steep ? 0 : d2_indifference(speculative))))
		return false;
	*near = nearest_to_end(p, apart ? (p->x2 < 0 ? 0 : p->length) : (low_x < 0 ? 0 : p->length));
	return apart || ((near->part <= 0 || near->part >= 1) && (steep || abs_f(near->x) > flat_tangent * near->y));
}

/* Whether the edges overlap over at most e->border, from x1 to x2; or they are not parallel, and the reference edge is at most
 * about that deep behind the line of the incident edge. */
static bool at_border(const struct d2_edges *e, const struct profile *p, float x1, float x2)
{
	float dx = p->x2 - p->x1, dy = p->y2 - p->y1;
	if (x2 - x1 <= e->border)
		return true;
	if (abs_f(dy) <= parallel_tangent * dx)
		return false;
	float above1 = p->y1 * dx - p->x1 * dy, above2 = above1 + p->length * dy;
	return min_f(above1, above2) >= -e->border * (dx + abs_f(dy));
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
	if (p.x2 < low || p.x1 > high)
		return false;
	float x1 = p.x1, y1 = p.y1, x2 = p.x2, y2 = p.y2;
	if (x1 < low) {
		y1 += (low - x1) / (p.x2 - x1) * (p.y2 - y1);
		x1 = low;
	}
	if (x2 > high) {
		y2 += (high - x2) / (p.x1 - x2) * (p.y1 - y2);
		x2 = high;
	}
	if (min_f(y1, y2) > speculative + edges->radius_v + edges->radius_u)
		return false;
	out->normal = edges->flipped ? d2_neg(edges->normal) : edges->normal;
	out->face = true;
	out->border = at_border(edges, &p, x1, x2);
	add_point(edges, &p, x1, y1, edges->iv1, edges->iu2, out);
	add_point(edges, &p, x2, y2, edges->iv2, edges->iu1, out);
	return false;
}

uint32_t d2_facing_edge(const struct d2_outline *outline, uint32_t deepest, struct d2_vec n)
{
	uint32_t before = deepest > 0 ? deepest - 1 : outline->count - 1;
	return d2_dot(n, outline->normals[before]) < d2_dot(n, outline->normals[deepest]) ? before : deepest;
}

uint32_t d2_deepest_vertex(const struct d2_outline *outline, struct d2_vec n)
{
	uint32_t best = 0;
	float least = d2_dot(n, outline->points[0]);
	for (uint32_t i = 1; i < outline->count; ++i) {
		float along = d2_dot(n, outline->points[i]);
		if (along < least) {
			least = along;
			best = i;
		}
	}
	return best;
}

struct axis {
	float separation; /* of the cores along it [length] */
	uint32_t edge; /* of the reference polygon */
	uint32_t deepest; /* vertex of the other polygon */
};

/* The edge of `a` whose normal separates b most. As the normal turns counter-clockwise the deepest vertex of b goes round in
 * the same direction: all edges take O(n + m). Vertices are compared in b's own frame, where rounding is smallest. */
static struct axis find_axis(const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a)
{
	struct axis best = {-INFINITY, 0, 0};
	struct d2_vec n = d2_inv_rotate(b_in_a->q, a->normals[0]);
	uint32_t j = d2_deepest_vertex(b, n);
	for (uint32_t i = 0; i < a->count; ++i) {
		n = d2_inv_rotate(b_in_a->q, a->normals[i]);
		float depth = d2_dot(n, b->points[j]);
		for (uint32_t steps = 0; steps < b->count; ++steps) {
			float next = d2_dot(n, b->points[j + 1]);
			if (next > depth)
				break;
			depth = next;
			j = j + 1 < b->count ? j + 1 : 0;
		}
		float separation = depth + d2_dot(a->normals[i], d2_sub(b_in_a->p, a->points[i]));
		if (separation > best.separation)
			best = (struct axis){separation, i, j};
	}
	return best;
}

static inline uint32_t next_vertex(const struct d2_outline *outline, uint32_t i)
{
	return i + 1 < outline->count ? i + 1 : 0;
}

/* Reference edge i of a and incident edge j of b, in a's frame. */
static inline struct d2_edges edges_from_a(const struct d2_outline *a, uint32_t i, const struct d2_outline *b, uint32_t j,
	const struct d2_transform *b_in_a, float speculative)
{
	struct d2_vec u1 = d2_transform_point(*b_in_a, b->points[j]), u2 = d2_transform_point(*b_in_a, b->points[j + 1]);
	return (struct d2_edges){a->normals[i], a->points[i], a->points[i + 1], u1, u2, i, next_vertex(a, i), j, next_vertex(b, j),
		a->radius, b->radius, d2_border(a->inner, b->inner, speculative), false};
}

/* Reference edge j of b and incident edge i of a, in a's frame. */
static inline struct d2_edges edges_from_b(const struct d2_outline *a, uint32_t i, const struct d2_outline *b, uint32_t j,
	const struct d2_transform *b_in_a, float speculative)
{
	struct d2_vec v1 = d2_transform_point(*b_in_a, b->points[j]), v2 = d2_transform_point(*b_in_a, b->points[j + 1]);
	return (struct d2_edges){d2_rotate(b_in_a->q, b->normals[j]), v1, v2, a->points[i], a->points[i + 1], j, next_vertex(b, j),
		i, next_vertex(a, i), b->radius, a->radius, d2_border(a->inner, b->inner, speculative), true};
}

/* How much more B's best edge must separate than A's to become the reference [length]. Of faces that lie flat on each other A's
 * is preferred, so that the reference does not alternate while they rest. Between other faces, and wherever corners touch, the
 * better axis must win: only that one is sure to lead to the closest corners. */
static inline float preference(struct d2_vec normal_a, struct d2_vec normal_b, float speculative)
{
	return d2_dot(normal_a, normal_b) < flat_cosine ? d2_indifference(speculative) : 0;
}

void d2_collide_outlines(const struct d2_outline *a, const struct d2_outline *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	out->count = 0;
	float limit = speculative + a->radius + b->radius;
	struct axis axis_a = find_axis(a, b, b_in_a);
	if (axis_a.separation > limit)
		return;
	struct d2_transform a_in_b = d2_inv_transform(*b_in_a);
	struct axis axis_b = find_axis(b, a, &a_in_b);
	if (axis_b.separation > limit)
		return;
	struct d2_vec na = a->normals[axis_a.edge], nb = d2_rotate(b_in_a->q, b->normals[axis_b.edge]);
	if (axis_b.separation <= axis_a.separation + preference(na, nb, speculative)) {
		uint32_t j = d2_facing_edge(b, axis_a.deepest, d2_inv_rotate(b_in_a->q, na));
		struct d2_edges edges = edges_from_a(a, axis_a.edge, b, j, b_in_a, speculative);
		bool corners = d2_clip_edges(&edges, D2_CLIP_CLOSEST, speculative, d2_indifference(speculative), out);
		if (!corners || axis_b.separation <= axis_a.separation)
			return;
	}
	struct d2_edges edges = edges_from_b(a, d2_facing_edge(a, axis_b.deepest, nb), b, axis_b.edge, b_in_a, speculative);
	d2_clip_edges(&edges, D2_CLIP_CLOSEST, speculative, d2_indifference(speculative), out);
}

/* The edge of a box, in the order of d2_box_create, whose outward normal is nearest to (x, y) in the box's axes. */
static inline uint32_t box_edge(float x, float y)
{
	return abs_f(x) > abs_f(y) ? (x > 0 ? 1 : 3) : (y > 0 ? 2 : 0);
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
	if (max_f(best_a, best_b) > speculative + a->radius + b->radius)
		return;
	uint32_t i = ax > ay ? (d.x > 0 ? 1 : 3) : (d.y > 0 ? 2 : 0), j = bx > by ? (e.x < 0 ? 1 : 3) : (e.y < 0 ? 2 : 0);
	struct d2_vec na = a->normals[i], nb = d2_rotate(b_in_a->q, b->normals[j]);
	struct d2_outline oa = d2_outline_of(a), ob = d2_outline_of(b);
	if (best_b <= best_a + preference(na, nb, speculative)) {
		struct d2_vec n = d2_inv_rotate(b->rotation, d2_inv_rotate(b_in_a->q, na));
		struct d2_edges edges = edges_from_a(&oa, i, &ob, box_edge(-n.x, -n.y), b_in_a, speculative);
		bool corners = d2_clip_edges(&edges, D2_CLIP_CLOSEST, speculative, d2_indifference(speculative), out);
		if (!corners || best_b <= best_a)
			return;
	}
	struct d2_vec n = d2_inv_rotate(a->rotation, nb);
	struct d2_edges edges = edges_from_b(&oa, box_edge(-n.x, -n.y), &ob, j, b_in_a, speculative);
	d2_clip_edges(&edges, D2_CLIP_CLOSEST, speculative, d2_indifference(speculative), out);
}
