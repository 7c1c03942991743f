/* hull_hull.c - SAT for boxes, hulls and triangles: the axis of least penetration, and the contact points of its faces or
 * edges. The axes are the face normals of both, and the cross products of those pairs of edges that make a face of the
 * Minkowski difference (their arcs cross on the Gauss map). A witness, any point of the other polytope, rules out nearly all of
 * them. Along a face normal, the separation is at most the witness's height above the face's plane. If that is no greater than
 * the best separation, the face cannot be better. An edge is ruled out if one witness is at most min(0, best separation) above
 * both of its faces. Its axes are (a n1 + b n2) / l, with n1 and n2 the faces' normals, a + b = 1 and l = |a n1 + b n2| <= 1.
 * With the witness's heights d1 and d2, the separation along one is at most (a d1 + b d2) / l <= max(d1, d2), as that is <= 0.
 * This is exact: an axis that is ruled out could not have won.
 * Source: Gregorius, "The Separating Axis Test between Convex Polyhedra", GDC 2013.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

#include "base/float4.h"

enum { FACES_MAX = 2 * D3_HULL_MAX, EDGES_MAX = 3 * D3_HULL_MAX, WITNESSES = 8 };

/* Edges count as parallel if the square of the sine of their angle is below this: 3 mrad. Their axis would be noise, and the
 * adjacent faces give the same separation. */
static const float parallel_square = 1e-5f;

struct search {
	const struct d3_polytopes *solids;
	float limit; /* of the separation; above it there is no contact */
	struct d3_axis best;
	/* a corner of A and one of B, by whose heights the other polytope's faces and edges are ruled out: support points along one
	 * of the first axes tested */
	uint32_t witness_a, witness_b;
	float heights_a[FACES_MAX + 3], heights_b[FACES_MAX + 3]; /* heights of the other polytope's witness above all faces */
};

/* Replaces the best axis by one of greater separation. An axis nearly parallel to the best must exceed it by the indifference,
 * so that the first of two nearly equal ones stays. */
static void consider(struct search *s, const struct d3_axis *axis)
{
	float ahead = axis->separation - s->best.separation;
	if (!(ahead > 0))
		return;
	bool same = s->best.kind != D3_CACHED_NOTHING && d3_dot(axis->normal, s->best.normal) > D3_SAME_COSINE;
	if (!same || ahead > d3_indifference(s->solids->speculative))
		s->best = *axis;
}

/* --- Faces ---------------------------------------------------------------------------------------------------------------- */

/* The witness and its neighbours: eight points, repeated in a cycle if there are fewer. */
struct witnesses {
	float x[WITNESSES], y[WITNESSES], z[WITNESSES];
};

/* The polytope whose faces are tested, and the other one. */
struct faces {
	const struct d3_polytope *own, *other;
	const struct d3_frame *own_in_other, *other_in_own;
	float *heights;
	bool flipped; /* the faces are B's */
	struct witnesses witnesses; /* on the other polytope, in the frame of these faces */
};

static struct faces faces_of(struct search *s, bool of_b)
{
	const struct d3_polytopes *p = s->solids;
	return of_b ? (struct faces){p->b, p->a, &p->b_in_a, &p->a_in_b, s->heights_b, .flipped = true}
				: (struct faces){p->a, p->b, &p->a_in_b, &p->b_in_a, s->heights_a, .flipped = false};
}

/* The separation along the normal of a face. */
static struct d3_axis face_axis(const struct faces *faces, uint32_t face)
{
	struct d3_vec n = d3_polytope_normal(faces->own, face), turned = d3_turn(&faces->own_in_other->q, n);
	float reach;
	uint32_t deepest = d3_polytope_support(faces->other, d3_neg(turned), &reach);
	struct d3_axis axis = {.kind = faces->flipped ? D3_CACHED_FACE_B : D3_CACHED_FACE_A, .i = face, .j = deepest};
	axis.separation = -reach - d3_dot(turned, faces->own_in_other->p) - d3_polytope_offset(faces->own, face);
	axis.normal = faces->flipped ? d3_neg(turned) : n;
	return axis;
}

/* Sets the heights of the other polytope's witness above all faces. Returns the face with the greatest. */
static uint32_t fill_heights(const struct faces *faces, uint32_t witness)
{
	struct d3_vec p = d3_frame_point(faces->other_in_own, faces->other->points[witness]);
	struct float4_best best = float4_best_none;
	float most;
	for (uint32_t i = 0; i < faces->own->face_count; i += 4) {
		const struct d3_hull_plane_lanes *f = &faces->own->planes[i / 4];
		float4 height = p.x * float4_read(f->x) + p.y * float4_read(f->y) + p.z * float4_read(f->z) - float4_read(f->offset);
		float4_write(faces->heights + i, height);
		float4_best_add(&best, height, (int32_t)i);
	}
	return float4_best_index(&best, &most);
}

/* Bit k: whether the witness is higher than `enough` above face i + k. */
static uint32_t higher_faces(const struct faces *faces, uint32_t i, float enough)
{
	return float4_bits(float4_read(faces->heights + i) > float4_of(enough)) & float4_lanes(faces->own->face_count - i);
}

/* Sets the points to the witness and its neighbours, in a cycle. */
static void gather_witnesses(struct faces *faces, uint32_t witness)
{
	const struct d3_polytope *other = faces->other;
	struct witnesses *w = &faces->witnesses;
	uint32_t edge = other->point_edges[witness], corner = witness;
	for (int i = 0; i < WITNESSES; ++i) {
		struct d3_vec p = d3_frame_point(faces->other_in_own, other->points[corner]);
		uint32_t twin = other->edges[edge].twin;
		w->x[i] = p.x;
		w->y[i] = p.y;
		w->z[i] = p.z;
		corner = other->edges[twin].origin;
		edge = other->edges[twin].next;
	}
}

/* Bit k: whether witness k is at most `enough` above the face. */
static uint32_t low_witnesses(const struct faces *faces, uint32_t face, float enough)
{
	const struct witnesses *w = &faces->witnesses;
	struct d3_vec n = d3_polytope_normal(faces->own, face);
	float offset = d3_polytope_offset(faces->own, face) + enough;
	float4 first = n.x * float4_read(w->x) + n.y * float4_read(w->y) + n.z * float4_read(w->z);
	float4 second = n.x * float4_read(w->x + 4) + n.y * float4_read(w->y + 4) + n.z * float4_read(w->z + 4);
	return float4_bits(first <= float4_of(offset)) | float4_bits(second <= float4_of(offset)) << 4;
}

/* Searches the faces for a better axis. If no axis is known yet, first tests the face above which the witness is highest, and
 * makes the other polytope's corner deepest below it the witness. False: the separation along s->best is above the limit. */
static bool search_faces(struct search *s, struct faces *faces, uint32_t *witness, bool known)
{
	uint32_t first = fill_heights(faces, *witness);
	if (!known) {
		struct d3_axis axis = face_axis(faces, first);
		*witness = axis.j;
		consider(s, &axis);
		if (axis.separation > s->limit)
			return false;
		fill_heights(faces, *witness);
	}
	gather_witnesses(faces, *witness);
	for (uint32_t i = 0; i < faces->own->face_count; i += 4) {
		for (uint32_t bits = higher_faces(faces, i, s->best.separation); bits; bits &= bits - 1) {
			uint32_t face = i + (uint32_t)__builtin_ctz(bits);
			if (low_witnesses(faces, face, s->best.separation))
				continue;
			struct d3_axis axis = face_axis(faces, face);
			consider(s, &axis);
			if (axis.separation > s->limit) {
				s->best = axis;
				return false;
			}
		}
	}
	return true;
}

/* --- Edges ---------------------------------------------------------------------------------------------------------------- */

struct edge {
	struct d3_vec p, delta, n1, n2; /* starts at p; normals of its face and of its twin's */
	uint32_t number;
};

/* Edges not ruled out, in A's frame; those of B have negated normals. Four of B's are tested at a time against one of A's. */
struct edge_list {
	uint32_t count;
	float delta[3][EDGES_MAX], n1[3][EDGES_MAX], n2[3][EDGES_MAX]; /* of `edges`, coordinate by coordinate */
	struct edge edges[EDGES_MAX];
};

/* Makes edge e, in A's frame. frame: transform of B into A's frame; NULL: the edge is A's. */
static struct edge make_edge(const struct d3_polytope *solid, const struct d3_frame *frame, uint32_t e)
{
	const struct d3_hull_edge *edge = &solid->edges[e], *twin = &solid->edges[edge->twin];
	struct d3_vec from = solid->points[edge->origin], delta = d3_sub(solid->points[twin->origin], from);
	struct d3_vec n1 = d3_polytope_normal(solid, edge->face), n2 = d3_polytope_normal(solid, twin->face);
	if (frame == NULL)
		return (struct edge){from, delta, n1, n2, e};
	return (struct edge){d3_frame_point(frame, from), d3_turn(&frame->q, delta), d3_neg(d3_turn(&frame->q, n1)),
		d3_neg(d3_turn(&frame->q, n2)), e};
}

static void add_column(float rows[3][EDGES_MAX], uint32_t i, struct d3_vec v)
{
	rows[0][i] = v.x;
	rows[1][i] = v.y;
	rows[2][i] = v.z;
}

static void add_edge(struct edge_list *list, const struct edge *edge)
{
	uint32_t i = list->count++;
	list->edges[i] = *edge;
	add_column(list->delta, i, edge->delta);
	add_column(list->n1, i, edge->n1);
	add_column(list->n2, i, edge->n2);
}

static void list_edges(const struct faces *faces, const struct d3_frame *frame, float enough, struct edge_list *out)
{
	const struct d3_polytope *solid = faces->own;
	out->count = 0;
	for (uint32_t i = 0; i < solid->face_count; i += 4) {
		for (uint32_t bits = higher_faces(faces, i, enough); bits; bits &= bits - 1) {
			uint32_t face = i + (uint32_t)__builtin_ctz(bits), low = low_witnesses(faces, face, enough);
			uint32_t start = solid->face_edges[face], e = start;
			do {
				uint32_t twin = solid->edges[e].twin, beyond = solid->edges[twin].face;
				bool once = e < twin || !(faces->heights[beyond] > enough);
				if (once && !(low && (low & low_witnesses(faces, beyond, enough))) && out->count < EDGES_MAX - 4) {
					struct edge edge = make_edge(solid, frame, e);
					add_edge(out, &edge);
				}
				e = solid->edges[e].next;
			} while (e != start);
		}
	}
}

/* Whether the arcs of the two edges cross on the Gauss map, so that the edges make a face of the Minkowski difference. *n: its
 * normal, outward from A, not normalized. Source: Gregorius, 2013. */
static bool edges_face(const struct edge *a, const struct edge *b, struct d3_vec *n)
{
	float c = d3_dot(b->n1, a->delta), d = d3_dot(b->n2, a->delta), e = d3_dot(a->n1, b->delta), f = d3_dot(a->n2, b->delta);
	if (!(c * d < 0 && e * f < 0 && c * f > 0))
		return false;
	*n = d3_cross(a->delta, b->delta);
	/* Each edge's two normals, weighted so that the sum points to where the arcs cross. For a triangle, whose normals are
	 * opposite, it is 0: then the other polytope's edge alone gives the sign. Two triangles are never passed. */
	struct d3_vec of_a = d3_add(d3_scale(abs_f(f), a->n1), d3_scale(abs_f(e), a->n2));
	struct d3_vec of_b = d3_add(d3_scale(abs_f(d), b->n1), d3_scale(abs_f(c), b->n2));
	if (d3_dot(*n, d3_add(of_a, of_b)) < 0)
		*n = d3_neg(*n);
	return true;
}

static inline float4 dot_four(float rows[3][EDGES_MAX], uint32_t i, struct d3_vec v)
{
	return v.x * float4_read(rows[0] + i) + v.y * float4_read(rows[1] + i) + v.z * float4_read(rows[2] + i);
}

/* Bit k: whether edge i + k of the list makes an axis with the edge of A. */
static uint32_t crossing_edges(const struct edge *a, struct edge_list *of_b, uint32_t i)
{
	float4 c = dot_four(of_b->n1, i, a->delta), d = dot_four(of_b->n2, i, a->delta);
	float4 e = dot_four(of_b->delta, i, a->n1), f = dot_four(of_b->delta, i, a->n2);
	return float4_bits((c * d < 0) & (e * f < 0) & (c * f > 0)) & float4_lanes(of_b->count - i);
}

static bool edge_axis(const struct edge *a, const struct edge *b, struct d3_axis *out)
{
	struct d3_vec n;
	if (!edges_face(a, b, &n))
		return false;
	float square = d3_dot(n, n);
	if (!(square > parallel_square * d3_dot(a->delta, a->delta) * d3_dot(b->delta, b->delta)))
		return false;
	n = d3_scale(1 / sqrtf(square), n);
	*out = (struct d3_axis){d3_dot(n, d3_sub(b->p, a->p)), n, D3_CACHED_EDGES, a->number, b->number};
	return true;
}

static bool search_edges(struct search *s, const struct faces *faces_a, const struct faces *faces_b)
{
	struct edge_list of_a, of_b;
	float enough = min_f(0, s->best.separation);
	list_edges(faces_a, NULL, enough, &of_a);
	list_edges(faces_b, &s->solids->b_in_a, enough, &of_b);
	/* The four lanes behind the last edge are read, but not used. */
	for (int k = 0; k < 4; ++k) {
		add_column(of_b.delta, of_b.count + k, (struct d3_vec){0, 0, 0});
		add_column(of_b.n1, of_b.count + k, (struct d3_vec){0, 0, 0});
		add_column(of_b.n2, of_b.count + k, (struct d3_vec){0, 0, 0});
	}
	for (uint32_t i = 0; i < of_a.count; ++i) {
		for (uint32_t k = 0; k < of_b.count; k += 4) {
			for (uint32_t bits = crossing_edges(&of_a.edges[i], &of_b, k); bits; bits &= bits - 1) {
				struct d3_axis axis;
				if (!edge_axis(&of_a.edges[i], &of_b.edges[k + (uint32_t)__builtin_ctz(bits)], &axis))
					continue;
				consider(s, &axis);
				if (axis.separation > s->limit) {
					s->best = axis;
					return false;
				}
			}
		}
	}
	return true;
}

/* --- The search ----------------------------------------------------------------------------------------------------------- */

/* Starts at the axis of the cached features; its support points become the witnesses. False: there are no such features, or
 * edges that no longer make an axis. */
static bool recall_axis(struct search *s, const struct d3_manifold_cache *cache)
{
	const struct d3_polytope *a = s->solids->a, *b = s->solids->b;
	uint32_t i = cache->features >> 3 & 0x3fff, j = cache->features >> 17;
	enum d3_cached kind = d3_cache_kind(cache);
	s->best = (struct d3_axis){.separation = -INFINITY};
	if (kind == D3_CACHED_FACE_A && i < a->face_count) {
		struct faces of_a = faces_of(s, false);
		s->best = face_axis(&of_a, i);
		s->witness_a = a->edges[a->face_edges[i]].origin;
		s->witness_b = s->best.j;
	} else if (kind == D3_CACHED_FACE_B && i < b->face_count) {
		struct faces of_b = faces_of(s, true);
		s->best = face_axis(&of_b, i);
		s->witness_a = s->best.j;
		s->witness_b = b->edges[b->face_edges[i]].origin;
	} else if (kind == D3_CACHED_EDGES && i < a->edge_count && j < b->edge_count) {
		struct edge edge_a = make_edge(a, NULL, i), edge_b = make_edge(b, &s->solids->b_in_a, j);
		edge_axis(&edge_a, &edge_b, &s->best);
		s->witness_a = a->edges[i].origin;
		s->witness_b = b->edges[j].origin;
	}
	return s->best.kind != D3_CACHED_NOTHING;
}

/* Starts at the axis that separated the polytopes last, or at that between their centroids; its support points become the
 * witnesses. *n: that axis. Returns the separation along it. */
static float guess_axis(struct search *s, const struct d3_manifold_cache *cache, struct d3_vec *n)
{
	const struct d3_polytopes *p = s->solids;
	enum d3_cached kind = d3_cache_kind(cache);
	float reach_a, reach_b;
	*n = d3_normalize(d3_sub(d3_frame_point(&p->b_in_a, p->b->centroid), p->a->centroid));
	if (kind == D3_CACHED_APART || kind == D3_CACHED_EDGES)
		*n = cache->axis;
	if (n->x == 0 && n->y == 0 && n->z == 0)
		*n = (struct d3_vec){0, 1, 0};
	s->witness_a = d3_polytope_support(p->a, *n, &reach_a);
	s->witness_b = d3_polytope_support(p->b, d3_neg(d3_turn(&p->a_in_b.q, *n)), &reach_b);
	return d3_dot(*n, p->b_in_a.p) - reach_a - reach_b;
}

static void write_cache(const struct d3_axis *axis, float most, struct d3_manifold_cache *cache)
{
	*cache = (struct d3_manifold_cache){axis->normal, axis->kind | axis->i << 3 | axis->j << 17, most};
}

static bool find_axis(struct search *s, struct d3_manifold_cache *cache)
{
	bool known = recall_axis(s, cache);
	struct d3_vec n = s->best.normal;
	float separation = known ? s->best.separation : guess_axis(s, cache, &n);
	if (separation > s->limit) {
		d3_cache_apart(cache, n);
		s->best.separation = separation;
		return false;
	}
	/* Nearly the best still, without a search: while the cores overlap, the greatest separation of all directions is along one
	 * of the axes, and it changes by no more than their motion. */
	if (known && separation < 0 && separation + d3_indifference(s->solids->speculative) >= cache->most)
		return true;
	struct faces of_a = faces_of(s, false), of_b = faces_of(s, true);
	if (!search_faces(s, &of_a, &s->witness_b, known) || !search_faces(s, &of_b, &s->witness_a, known) ||
		!search_edges(s, &of_a, &of_b)) {
		d3_cache_apart(cache, s->best.normal);
		return false;
	}
	write_cache(&s->best, s->best.separation < 0 ? s->best.separation : INFINITY, cache);
	return true;
}

bool d3_polytopes_axis(const struct d3_polytopes *solids, struct d3_manifold_cache *cache, struct d3_axis *out)
{
	struct search s;
	s.solids = solids;
	s.limit = solids->speculative + solids->radius_a + solids->radius_b;
	bool near = find_axis(&s, cache);
	*out = s.best;
	return near;
}

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

/* The contact at the closest points of the two edges. False: a closest point is beyond an end of its edge. */
static bool touch_edges(const struct d3_polytopes *s, const struct d3_axis *axis, struct d3_local_manifold *out)
{
	const struct d3_hull_edge *a = &s->a->edges[axis->i], *b = &s->b->edges[axis->j];
	struct d3_vec p = s->a->points[a->origin], u = d3_sub(s->a->points[s->a->edges[a->twin].origin], p);
	struct d3_vec q = d3_frame_point(&s->b_in_a, s->b->points[b->origin]);
	struct d3_vec v = d3_sub(d3_frame_point(&s->b_in_a, s->b->points[s->b->edges[b->twin].origin]), q);
	struct d3_vec from = d3_sub(q, p);
	float uu = d3_dot(u, u), vv = d3_dot(v, v), uv = d3_dot(u, v), whole = uu * vv - uv * uv;
	float along_a = d3_dot(u, from), along_b = d3_dot(v, from);
	float part_a = (along_a * vv - along_b * uv) / whole, part_b = (along_a * uv - along_b * uu) / whole;
	const float slack = 1e-3f;
	if (!(part_a > -slack && part_a < 1 + slack && part_b > -slack && part_b < 1 + slack))
		return false;
	struct d3_vec middle = d3_scale(0.5f, d3_add(d3_mul_add(p, part_a, u), d3_mul_add(q, part_b, v)));
	d3_single_point(axis->normal, d3_mul_add(middle, 0.5f * (s->radius_a - s->radius_b), axis->normal),
		axis->separation - s->radius_a - s->radius_b, s->speculative, out);
	return true;
}

/* The contact of these two faces; the separation of the cores along the reference's normal is given. of_b: B's face is the
 * reference. */
static bool touch_faces(const struct d3_polytopes *s, uint32_t number_a, uint32_t number_b, bool of_b, float separation,
	struct d3_local_manifold *out)
{
	struct d3_contact_face face_a, face_b;
	d3_polytope_face(s->a, NULL, number_a, &face_a);
	d3_polytope_face(s->b, &s->b_in_a, number_b, &face_b);
	struct d3_clip clip = d3_clip_of(&face_a, &face_b, s->radius_a, s->radius_b, of_b, s->speculative);
	return d3_clip_at(&clip, separation - s->radius_a - s->radius_b, out);
}

/* The contact of the axis's face and the other polytope's face turned most towards it. */
static bool touch_face(const struct d3_polytopes *s, const struct d3_axis *axis, struct d3_local_manifold *out)
{
	float alignment;
	if (axis->kind == D3_CACHED_FACE_B) {
		uint32_t facing = d3_polytope_facing_at(s->a, axis->j, axis->normal, &alignment);
		return touch_faces(s, facing, axis->i, true, axis->separation, out);
	}
	struct d3_vec back = d3_neg(d3_turn(&s->a_in_b.q, axis->normal));
	return touch_faces(s, axis->i, d3_polytope_facing_at(s->b, axis->j, back, &alignment), false, axis->separation, out);
}

/* Of the two faces at an edge, the one whose normal is nearest to n. *alignment: the cosine between them. */
static uint32_t face_beside(const struct d3_polytope *solid, uint32_t e, struct d3_vec n, float *alignment)
{
	uint32_t one = solid->edges[e].face, other = solid->edges[solid->edges[e].twin].face;
	float along_one = d3_dot(d3_polytope_normal(solid, one), n), along_other = d3_dot(d3_polytope_normal(solid, other), n);
	*alignment = max_f(along_one, along_other);
	return along_one > along_other ? one : other;
}

bool d3_polytopes_lie(const struct d3_polytopes *s, const struct d3_axis *edges, struct d3_local_manifold *out)
{
	struct d3_vec n = edges->normal, back = d3_neg(d3_turn(&s->a_in_b.q, n));
	float along_a, along_b;
	uint32_t face_a = face_beside(s->a, edges->i, n, &along_a), face_b = face_beside(s->b, edges->j, back, &along_b);
	if (!(max_f(along_a, along_b) > D3_SAME_COSINE))
		return false;
	bool of_b = !(along_a > along_b);
	if (of_b)
		face_a = d3_polytope_facing_at(s->a, s->a->edges[edges->i].origin, n, &along_a);
	else
		face_b = d3_polytope_facing_at(s->b, s->b->edges[edges->j].origin, back, &along_b);
	if (touch_faces(s, face_a, face_b, of_b, edges->separation, out) && out->count > 1)
		return true;
	out->count = 0;
	return false;
}

bool d3_polytopes_touch(const struct d3_polytopes *solids, const struct d3_axis *axis, struct d3_local_manifold *out)
{
	if (axis->kind == D3_CACHED_EDGES ? touch_edges(solids, axis, out) : touch_face(solids, axis, out))
		return true;
	out->count = 0;
	return false;
}

bool d3_collide_hulls(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform *b_in_a, float speculative,
	struct d3_manifold_cache *cache, struct d3_local_manifold *out)
{
	struct d3_polytope solid_a = d3_polytope_of_hull(a->hull, a->centroid), solid_b = d3_polytope_of_hull(b->hull, b->centroid);
	struct d3_transform a_in_b = d3_inv_transform(*b_in_a);
	struct d3_polytopes solids = {
		&solid_a, &solid_b, d3_frame_of(b_in_a), d3_frame_of(&a_in_b), a->radius, b->radius, speculative};
	struct d3_axis axis;
	if (!d3_polytopes_axis(&solids, cache, &axis)) {
		out->clearance = axis.separation - a->radius - b->radius - speculative;
		return true;
	}
	return (axis.kind == D3_CACHED_EDGES && d3_polytopes_lie(&solids, &axis, out)) || d3_polytopes_touch(&solids, &axis, out);
}
