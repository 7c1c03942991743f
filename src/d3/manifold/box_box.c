/* box_box.c - box against box, the hot function of most scenes.
 * Along an axis n the separation is the distance of the centres less the projections of both boxes:
 *   s(n) = |n . t| - sum h_i |n . a_i| - sum g_j |n . b_j|
 *   t          from the centre of A to that of B [length];  a_i, h_i  axes and half sizes of A;  b_j, g_j  those of B
 * With R_ij = a_i . b_j, and |a_i x b_j|^2 = 1 - R_ij^2, s along a_i, b_j and a_i x b_j / |a_i x b_j| takes only a few products
 * of the elements of R, three axes at a time. Contact points come from the faces or edges of the best axis, as in hull_hull.c.
 * Source: Gottschalk, Lin, Manocha, "OBBTree", 1996.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

#include "base/float4.h"

/* Edges count as parallel if the square of the sine of their angle is below this: 3 mrad. */
static const float parallel_square = 1e-5f;

/* Two boxes in the frame of A's axes; the fourth lane is not used. */
struct boxes {
	struct d3_frame frame_a, frame_b; /* in A's body frame */
	struct d3_vec t, half_a, half_b;
	float4 rows[3]; /* of R */
	float face_a[4], face_b[4], edges[3][4]; /* separations along a_i, b_j and a_i x b_j */
	float along_b[4]; /* t . b_j */
};

static bool is_straight(const struct d3_shape *box)
{
	return box->frame.q.x.x == 1 && box->frame.q.y.y == 1 && box->frame.q.z.z == 1;
}

static void set_boxes(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, struct boxes *out)
{
	struct d3_frame frame = d3_frame_of(b_in_a), own = d3_frame_narrow(&b->frame);
	out->frame_a = d3_frame_narrow(&a->frame);
	out->frame_b = (struct d3_frame){d3_frame_point(&frame, own.p), is_straight(b) ? frame.q : d3_mul_rot(&frame.q, &own.q)};
	struct d3_rot r = out->frame_b.q;
	out->t = d3_sub(out->frame_b.p, out->frame_a.p);
	if (!is_straight(a)) {
		r = d3_inv_mul_rot(&out->frame_a.q, &r);
		out->t = d3_inv_turn(&out->frame_a.q, out->t);
	}
	out->half_a = a->half;
	out->half_b = b->half;
	out->rows[0] = (float4){r.x.x, r.y.x, r.z.x, 0};
	out->rows[1] = (float4){r.x.y, r.y.y, r.z.y, 0};
	out->rows[2] = (float4){r.x.z, r.y.z, r.z.z, 0};
}

static inline float4 shift(float4 v)
{
	return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}

static inline float sum_of_three(float4 v)
{
	return v[0] + v[1] + v[2];
}

/* The face with the greatest separation: 2 k at the lower end of axis k, 2 k + 1 at the upper. */
static float best_face(const float separations[4], const float along[3], uint32_t *face)
{
	uint32_t k = separations[1] > separations[0];
	k = separations[2] > separations[k] ? 2 : k;
	*face = 2 * k + (along[k] > 0);
	return separations[k];
}

static void set_face_separations(struct boxes *s)
{
	float4 g = {s->half_b.x, s->half_b.y, s->half_b.z, 0};
	float4 r0 = float4_absolute(s->rows[0]), r1 = float4_absolute(s->rows[1]), r2 = float4_absolute(s->rows[2]);
	s->face_a[0] = abs_f(s->t.x) - s->half_a.x - sum_of_three(r0 * g);
	s->face_a[1] = abs_f(s->t.y) - s->half_a.y - sum_of_three(r1 * g);
	s->face_a[2] = abs_f(s->t.z) - s->half_a.z - sum_of_three(r2 * g);
	float4 along = s->t.x * s->rows[0] + s->t.y * s->rows[1] + s->t.z * s->rows[2];
	float4 separations = float4_absolute(along) - g - (s->half_a.x * r0 + s->half_a.y * r1 + s->half_a.z * r2);
	float4_write(s->face_b, separations);
	float4_write(s->along_b, along);
}

/* Sets *out to the separations along the cross products of axis i of A with the axes of B. Of A's axes, j and k are the next
 * two after i, cyclically. */
static void set_edge_separations(const struct boxes *s, int i, const float t[3], const float h[3], float out[4])
{
	int j = i < 2 ? i + 1 : 0, k = i > 0 ? i - 1 : 2;
	float4 g = {s->half_b.x, s->half_b.y, s->half_b.z, 0}, g1 = shift(g), g2 = shift(g1);
	float4 own = float4_absolute(s->rows[i]), own1 = shift(own), own2 = shift(own1);
	float4 shadow = h[j] * float4_absolute(s->rows[k]) + h[k] * float4_absolute(s->rows[j]) + (g1 * own2 + g2 * own1);
	float4 depth = float4_absolute(t[k] * s->rows[j] - t[j] * s->rows[k]) - shadow, square = 1 - s->rows[i] * s->rows[i];
	for (int lane = 0; lane < 3; ++lane)
		out[lane] = square[lane] > parallel_square ? depth[lane] / sqrtf(square[lane]) : -INFINITY;
}

static float best_edges(struct boxes *s, uint32_t *i, uint32_t *j)
{
	const float t[3] = {s->t.x, s->t.y, s->t.z}, h[3] = {s->half_a.x, s->half_a.y, s->half_a.z};
	float best = -INFINITY;
	*i = *j = 0;
	for (uint32_t k = 0; k < 3; ++k) {
		set_edge_separations(s, (int)k, t, h, s->edges[k]);
		for (uint32_t l = 0; l < 3; ++l) {
			if (s->edges[k][l] > best) {
				best = s->edges[k][l];
				*i = k;
				*j = l;
			}
		}
	}
	return best;
}

static struct d3_vec axis_of(const struct d3_rot *q, uint32_t k)
{
	return k == 0 ? q->x : k == 1 ? q->y : q->z;
}

static struct d3_vec face_normal(const struct d3_rot *q, uint32_t face)
{
	struct d3_vec n = axis_of(q, face / 2);
	return face & 1 ? n : d3_neg(n);
}

/* The unit normal of the edges along axes i and j, from A to B, in A's body frame. */
static struct d3_vec edge_normal(const struct boxes *s, uint32_t i, uint32_t j)
{
	struct d3_vec n = d3_normalize(d3_cross(axis_of(&s->frame_a.q, i), axis_of(&s->frame_b.q, j)));
	return d3_dot(n, d3_sub(s->frame_b.p, s->frame_a.p)) < 0 ? d3_neg(n) : n;
}

/* The middle of the edge that is farthest along n, of the box's four edges along axis k. */
static struct d3_vec edge_middle(const struct d3_frame *frame, struct d3_vec half, uint32_t k, struct d3_vec n)
{
	struct d3_vec p = frame->p;
	const float h[3] = {half.x, half.y, half.z};
	for (uint32_t i = 0; i < 3; ++i) {
		struct d3_vec axis = axis_of(&frame->q, i);
		if (i != k)
			p = d3_mul_add(p, d3_dot(axis, n) < 0 ? -h[i] : h[i], axis);
	}
	return p;
}

/* The contact of two crossing edges. False: a closest point is beyond an end of its edge. */
static bool touch_edges(const struct boxes *s, uint32_t i, uint32_t j, struct d3_vec n, float separation, float radius_a,
	float radius_b, float speculative, struct d3_local_manifold *out)
{
	const float h[3] = {s->half_a.x, s->half_a.y, s->half_a.z}, g[3] = {s->half_b.x, s->half_b.y, s->half_b.z};
	struct d3_vec u = axis_of(&s->frame_a.q, i), v = axis_of(&s->frame_b.q, j);
	struct d3_vec p = edge_middle(&s->frame_a, s->half_a, i, n);
	struct d3_vec q = edge_middle(&s->frame_b, s->half_b, j, d3_neg(n));
	struct d3_vec from = d3_sub(q, p);
	float uv = d3_dot(u, v), whole = 1 - uv * uv, along_a = d3_dot(u, from), along_b = d3_dot(v, from);
	float part_a = (along_a - along_b * uv) / whole, part_b = (along_a * uv - along_b) / whole;
	const float slack = 1.001f;
	if (!(abs_f(part_a) <= slack * h[i] && abs_f(part_b) <= slack * g[j]))
		return false;
	struct d3_vec middle = d3_scale(0.5f, d3_add(d3_mul_add(p, part_a, u), d3_mul_add(q, part_b, v)));
	d3_single_point(n, d3_mul_add(middle, 0.5f * (radius_a - radius_b), n), separation - radius_a - radius_b, speculative, out);
	return true;
}

/* The face of a box with the axes q that is turned most towards n. */
static uint32_t facing_face(const struct d3_rot *q, struct d3_vec n)
{
	float x = d3_dot(q->x, n), y = d3_dot(q->y, n), z = d3_dot(q->z, n);
	uint32_t k = abs_f(y) > abs_f(x);
	k = abs_f(z) > max_f(abs_f(x), abs_f(y)) ? 2 : k;
	return 2 * k + ((k == 0 ? x : k == 1 ? y : z) > 0);
}

/* Sets *out to a face of the box. Corner i of a box is at the upper end of axis k if bit k of i is set; faces list their
 * corners counter-clockwise, see hull.c. */
static void box_face(const struct d3_shape *box, const struct d3_frame *frame, uint32_t face, struct d3_contact_face *out)
{
	uint32_t start = box->hull->face_edges[face], edge = start;
	struct d3_vec x = d3_scale(box->half.x, frame->q.x);
	struct d3_vec y = d3_scale(box->half.y, frame->q.y);
	struct d3_vec z = d3_scale(box->half.z, frame->q.z);
	out->face = face;
	out->normal = face_normal(&frame->q, face);
	for (out->count = 0; out->count < 4; ++out->count) {
		uint32_t corner = box->hull->edges[edge].origin;
		struct d3_vec p = d3_mul_add(frame->p, corner & 1 ? 1.0f : -1.0f, x);
		p = d3_mul_add(p, corner & 2 ? 1.0f : -1.0f, y);
		out->p[out->count] = d3_mul_add(p, corner & 4 ? 1.0f : -1.0f, z);
		out->points[out->count] = (uint16_t)(D3_OF_POINT | corner);
		out->edges[out->count] = (uint16_t)(D3_OF_EDGE | edge / 2);
		edge = box->hull->edges[edge].next;
	}
}

static bool touch_faces(const struct boxes *s, const struct d3_shape *a, const struct d3_shape *b, enum d3_cached kind,
	uint32_t face, float separation, float speculative, struct d3_local_manifold *out)
{
	struct d3_contact_face face_a, face_b;
	bool of_b = kind == D3_CACHED_FACE_B;
	if (of_b) {
		box_face(b, &s->frame_b, face, &face_b);
		box_face(a, &s->frame_a, facing_face(&s->frame_a.q, d3_neg(face_b.normal)), &face_a);
	} else {
		box_face(a, &s->frame_a, face, &face_a);
		box_face(b, &s->frame_b, facing_face(&s->frame_b.q, d3_neg(face_a.normal)), &face_b);
	}
	struct d3_clip clip = d3_clip_of(&face_a, &face_b, a->radius, b->radius, of_b, speculative);
	return d3_clip_at(&clip, separation - a->radius - b->radius, out);
}

bool d3_collide_boxes(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	struct boxes s;
	uint32_t face_a, face_b, i, j;
	float limit = speculative + a->radius + b->radius, slack = d3_indifference(speculative);
	set_boxes(a, b, b_in_a, &s);
	set_face_separations(&s);
	float apart_a = best_face(s.face_a, (const float[3]){s.t.x, s.t.y, s.t.z}, &face_a);
	float apart_b = best_face(s.face_b, (const float[3]){-s.along_b[0], -s.along_b[1], -s.along_b[2]}, &face_b);
	if (max_f(apart_a, apart_b) > limit) {
		out->clearance = max_f(apart_a, apart_b) - limit;
		return true;
	}
	float apart_edges = best_edges(&s, &i, &j);
	if (apart_edges > limit) {
		out->clearance = apart_edges - limit;
		return true;
	}
	enum d3_cached before = d3_cache_kind(cache), kind = D3_CACHED_FACE_A;
	struct d3_vec n = face_normal(&s.frame_a.q, face_a), nb = d3_neg(face_normal(&s.frame_b.q, face_b)), ne = n;
	float best = apart_a, bias = before == D3_CACHED_FACE_B ? -slack : slack;
	uint32_t face = face_a;
	if (apart_b > apart_a + (d3_dot(n, nb) > D3_SAME_COSINE ? bias : 0)) {
		kind = D3_CACHED_FACE_B;
		face = face_b;
		best = apart_b;
		n = nb;
	}
	bool edges = false, flat = false;
	if (apart_edges > best) {
		ne = edge_normal(&s, i, j);
		bool same = d3_dot(n, ne) > D3_SAME_COSINE;
		edges = apart_edges > best + (same && before != D3_CACHED_EDGES ? slack : 0);
		/* If the faces are nearly parallel where the edges cross, they give the same separation with several points. */
		flat = edges && same && touch_faces(&s, a, b, kind, face, apart_edges, speculative, out) && out->count > 1;
	}
	bool found = flat ||
		(edges ? touch_edges(&s, i, j, ne, apart_edges, a->radius, b->radius, speculative, out)
			   : touch_faces(&s, a, b, kind, face, best, speculative, out));
	kind = edges && !flat ? D3_CACHED_EDGES : kind;
	if (found)
		*cache = (struct d3_manifold_cache){.features = kind};
	else
		out->count = 0;
	return found;
}
