/* epa.c - penetration depth of two cores, by expanding a polytope inside their Minkowski difference M. If that does not end at
 * a face of M, a descent follows.
 * For a unit vector n let h(n) be the greatest n . w over all points w of M. The depth is the least h over all n. Any h(n) is
 * an upper bound of it, and the distance of the nearest face of a polytope inside M a lower one. Between hulls the bounds meet,
 * at a face of M, after finitely many vertices. Between smooth cores they converge slowly, and hardly at all if many directions
 * are almost equally deep; there the polytope only provides starting directions for descents.
 * Source: van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001. */
#include "d3/query/gjk.h"

#include <assert.h>
#include <string.h>

enum {
	POINTS_SMOOTH = 64, /* vertex limit for smooth cores; descents follow */
	FACES = 2 * D3_EPA_POINTS + 64,
	STARTS = 12, /* greatest number of descents */
	DESCENT_STEPS = 48,
	DESCENT_STEPS_MORE = 32, /* step limit of each later descent */
	NONE = UINT16_MAX
};

/* Relative to the coordinates: M is flat if thinner than flat_tolerance; a face is final if M extends beyond it by no more than
 * depth_tolerance. */
static const double flat_tolerance = 1e-13, depth_tolerance = 1e-14;

/* Cosine of the least angle between starts of descents, about 6 degrees. */
#define START_APART 0.995

struct face {
	struct d3_vec_d normal; /* outward, unit */
	double distance; /* signed, from the origin to the face's plane */
	uint16_t v[3]; /* counter-clockwise from outside */
	uint16_t next[3]; /* the face across the edge from v[i] to v[i + 1] */
	uint16_t trace; /* its index in the trace's faces, or NONE */
	/* closed: not to be expanded again, as M extends beyond it by noise only, it has no area, or its expansion failed */
	bool live, seen, closed;
};

/* M, but each vertex's b is relative to B's origin: edges of a small B far from A's origin, or beside a huge A, then keep their
 * digits. w is unchanged. */
struct near_pair {
	struct d3_difference difference;
	struct d3_vec_d p; /* origin of B's frame in A's frame */
};

struct polytope {
	struct d3_difference *difference;
	struct near_pair near;
	double tolerance;
	int count, face_count, free_count; /* face_count includes dead faces */
	int round;
	struct d3_epa_trace *trace;
	struct d3_depth best; /* the least h so far; its points are not set */
	uint16_t free_faces[FACES];
	struct d3_vertex v[D3_EPA_POINTS];
	struct face faces[FACES];
};

static void make_near(const struct d3_difference *difference, struct near_pair *out)
{
	out->difference = *difference;
	out->p = difference->b.transform.p;
	out->difference.b.transform.p = (struct d3_vec_d){0, 0, 0};
}

static void near_support(struct near_pair *near, struct d3_vec_d d, struct d3_vertex *out)
{
	d3_difference_support(&near->difference, d, out);
	out->w = d3_add_d(d3_sub_d(near->p, out->a), out->b);
}

static struct d3_vec_d edge_between(const struct d3_vertex *u, const struct d3_vertex *v)
{
	return d3_sub_d(d3_sub_d(v->b, u->b), d3_sub_d(v->a, u->a));
}

/* The triangle's normal, not normalised: the cross product of the two shorter edges. Two long edges that are almost parallel
 * would tilt it. */
static struct d3_vec_d triangle_normal(const struct d3_vertex *u, const struct d3_vertex *v, const struct d3_vertex *w)
{
	struct d3_vec_d uv = edge_between(u, v), vw = edge_between(v, w), wu = edge_between(w, u);
	double first = d3_dot_d(uv, uv), second = d3_dot_d(vw, vw), third = d3_dot_d(wu, wu);
	if (second >= first && second >= third)
		return d3_cross_d(wu, uv);
	return third >= first ? d3_cross_d(uv, vw) : d3_cross_d(vw, wu);
}

/* --- The first tetrahedron ------------------------------------------------------------------------------------------------ */

/* Writes the support point along d or -d, whichever is farther from `from` in that direction, and returns its distance from
 * `from` along it. */
static double reach_out(struct near_pair *near, struct d3_vec_d d, struct d3_vec_d from, struct d3_vertex *out)
{
	struct d3_vertex back;
	near_support(near, d, out);
	near_support(near, d3_neg_d(d), &back);
	double there = d3_dot_d(d, d3_sub_d(out->w, from)), here = d3_dot_d(d, d3_sub_d(from, back.w));
	if (here > there) {
		*out = back;
		return here;
	}
	return there;
}

/* Finds vertices that span M and returns their number, the dimension of M plus one. *normal is perpendicular to their line or
 * plane if there are two or three. */
static int find_span(struct near_pair *near, struct d3_vertex v[4], struct d3_vec_d *normal)
{
	static const struct d3_vec_d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	double tolerance = flat_tolerance * near->difference.scale, longest = 0;
	for (int i = 0; i < 3; ++i) {
		struct d3_vertex low, high;
		near_support(near, axes[i], &high);
		near_support(near, d3_neg_d(axes[i]), &low);
		double length = d3_length_d(edge_between(&low, &high));
		if (i == 0 || length > longest) {
			longest = length;
			v[0] = low;
			v[1] = high;
		}
	}
	if (!(longest > tolerance))
		return 1;
	struct d3_vec_d along = d3_scale_d(1 / longest, edge_between(&v[0], &v[1])), u = d3_across_d(along);
	struct d3_vertex other;
	double far = reach_out(near, u, v[0].w, &v[2]), far2 = reach_out(near, d3_cross_d(along, u), v[0].w, &other);
	if (far2 > far)
		v[2] = other;
	*normal = u;
	struct d3_vec_d n = triangle_normal(&v[0], &v[1], &v[2]);
	if (!(max_d(far, far2) > tolerance) || !(d3_length_d(n) > tolerance * longest))
		return 2;
	n = d3_scale_d(1 / d3_length_d(n), n);
	*normal = n;
	return reach_out(near, n, v[0].w, &v[3]) > tolerance ? 4 : 3;
}

/* --- The polytope --------------------------------------------------------------------------------------------------------- */

static struct d3_vec_d nearest_of(const struct d3_vertex *u, const struct d3_vertex *v, const struct d3_vertex *w)
{
	double first = d3_dot_d(u->w, u->w), second = d3_dot_d(v->w, v->w), third = d3_dot_d(w->w, w->w);
	return first <= second && first <= third ? u->w : second <= third ? v->w : w->w;
}

static uint16_t add_face(struct polytope *hull, uint16_t a, uint16_t b, uint16_t c)
{
	uint16_t f = hull->free_count > 0 ? hull->free_faces[--hull->free_count] : (uint16_t)hull->face_count++;
	struct d3_vec_d n = triangle_normal(&hull->v[a], &hull->v[b], &hull->v[c]);
	double length = d3_length_d(n);
	struct face *face = &hull->faces[f];
	*face = (struct face){.v = {a, b, c}, .next = {NONE, NONE, NONE}, .live = true};
	/* A face without an area has no normal, and cannot be the nearest one. */
	face->closed = !(length > 0);
	if (length > 0)
		face->normal = d3_scale_d(1 / length, n);
	face->distance = length > 0 ? d3_dot_d(face->normal, nearest_of(&hull->v[a], &hull->v[b], &hull->v[c])) : INFINITY;
	struct d3_epa_trace *trace = hull->trace;
	if (trace && trace->face_count < 8 * D3_EPA_POINTS) {
		face->trace = (uint16_t)trace->face_count++;
		memcpy(trace->faces[face->trace].v, face->v, sizeof face->v);
		trace->faces[face->trace].born = (uint16_t)hull->round;
		trace->faces[face->trace].died = UINT16_MAX;
	} else {
		face->trace = NONE;
	}
	return f;
}

static void drop_face(struct polytope *hull, uint16_t f)
{
	if (hull->trace && hull->faces[f].trace != NONE)
		hull->trace->faces[hull->faces[f].trace].died = (uint16_t)hull->round;
	hull->faces[f].live = false;
	hull->free_faces[hull->free_count++] = f;
}

static void add_vertex(struct polytope *hull, const struct d3_vertex *v)
{
	if (hull->trace) {
		struct d3_vertex *seen = &hull->trace->vertices[hull->trace->count++];
		*seen = *v;
		seen->b = d3_add_d(v->b, hull->near.p);
	}
	hull->v[hull->count++] = *v;
}

static void start_tetrahedron(struct polytope *hull, struct d3_vertex v[4])
{
	if (d3_dot_d(triangle_normal(&v[0], &v[1], &v[2]), edge_between(&v[0], &v[3])) > 0) {
		struct d3_vertex other = v[1];
		v[1] = v[2];
		v[2] = other;
	}
	for (int i = 0; i < 4; ++i)
		add_vertex(hull, &v[i]);
	/* Vertex 3 is behind face 0 1 2, whose edges are reversed in the other faces. */
	add_face(hull, 0, 1, 2);
	add_face(hull, 0, 3, 1);
	add_face(hull, 1, 3, 2);
	add_face(hull, 2, 3, 0);
	static const uint16_t next[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
	for (int i = 0; i < 4; ++i)
		memcpy(hull->faces[i].next, next[i], sizeof next[i]);
}

/* Marks and lists face `first` and the faces connected to it that the point is in front of, and returns their number. Faces
 * coplanar with the point within the tolerance count, too: otherwise slivers without a normal would remain. */
static int find_seen(struct polytope *hull, uint16_t first, struct d3_vec_d point, uint16_t seen[FACES])
{
	int count = 1;
	seen[0] = first;
	hull->faces[first].seen = true;
	for (int i = 0; i < count; ++i) {
		for (int k = 0; k < 3; ++k) {
			uint16_t other = hull->faces[seen[i]].next[k];
			struct face *face = &hull->faces[other];
			if (face->seen)
				continue;
			if (face->distance < INFINITY && d3_dot_d(face->normal, point) - face->distance < -hull->tolerance)
				continue;
			face->seen = true;
			seen[count++] = other;
		}
	}
	return count;
}

struct rim_edge {
	uint16_t from, to, face; /* horizon edge, and the face across it */
};

/* Writes the horizon's edges in order. Returns their number, or 0 if rounding errors keep them from being one closed loop. */
static int find_rim(const struct polytope *hull, const uint16_t *seen, int seen_count, struct rim_edge rim[FACES])
{
	uint16_t at[D3_EPA_POINTS];
	struct rim_edge edges[FACES];
	int count = 0;
	memset(at, 0xff, (size_t)hull->count * sizeof *at);
	for (int i = 0; i < seen_count; ++i) {
		const struct face *face = &hull->faces[seen[i]];
		for (int k = 0; k < 3; ++k) {
			if (hull->faces[face->next[k]].seen)
				continue;
			if (at[face->v[k]] != NONE)
				return 0;
			at[face->v[k]] = (uint16_t)count;
			edges[count++] = (struct rim_edge){face->v[k], face->v[(k + 1) % 3], face->next[k]};
		}
	}
	int length = 0;
	for (uint16_t e = 0; length < count; e = at[edges[e].to]) {
		rim[length++] = edges[e];
		if (at[edges[e].to] == NONE || (at[edges[e].to] == 0) != (length == count))
			return 0;
	}
	return count >= 3 ? count : 0;
}

/* Adds the vertex to the polytope, beyond face `first`. False, and no change: no closed horizon, or too many faces. */
static bool expand(struct polytope *hull, uint16_t first, const struct d3_vertex *fresh)
{
	uint16_t seen[FACES];
	struct rim_edge rim[FACES];
	int seen_count = find_seen(hull, first, fresh->w, seen), count = find_rim(hull, seen, seen_count, rim);
	for (int i = 0; i < seen_count; ++i)
		hull->faces[seen[i]].seen = false;
	if (count == 0 || hull->face_count - hull->free_count - seen_count + count > FACES)
		return false;
	++hull->round;
	for (int i = 0; i < seen_count; ++i)
		drop_face(hull, seen[i]);
	uint16_t apex = (uint16_t)hull->count, before = 0, start = 0;
	add_vertex(hull, fresh);
	for (int i = 0; i < count; ++i) {
		uint16_t f = add_face(hull, rim[i].from, rim[i].to, apex);
		struct face *beyond = &hull->faces[rim[i].face];
		hull->faces[f].next[0] = rim[i].face;
		for (int k = 0; k < 3; ++k)
			if (beyond->v[k] == rim[i].to && beyond->v[(k + 1) % 3] == rim[i].from)
				beyond->next[k] = f;
		if (i > 0) {
			hull->faces[f].next[2] = before;
			hull->faces[before].next[1] = f;
		} else {
			start = f;
		}
		before = f;
	}
	hull->faces[start].next[2] = before;
	hull->faces[before].next[1] = start;
	return true;
}

/* The live face nearest to the origin that is not closed; NONE: all are closed. */
static uint16_t nearest_face(const struct polytope *hull)
{
	uint16_t best = NONE;
	double least = INFINITY;
	for (int f = 0; f < hull->face_count; ++f) {
		const struct face *face = &hull->faces[f];
		if (face->live && !face->closed && face->distance < least) {
			least = face->distance;
			best = (uint16_t)f;
		}
	}
	return best;
}

/* --- Descent -------------------------------------------------------------------------------------------------------------- */

struct descent {
	struct d3_vec_d n, next; /* a direction, and the one after a step */
	double h; /* h of `next` */
};

/* Makes one step of the descent, from step->n to step->next. The point p = (h(n) + out) n is at the distance out > 0 beyond M's
 * support plane along n. With x the point of M closest to p, the new direction is m = (p - x) / |p - x|. M is behind the
 * support plane, so |p - x| >= out and, where h(n) + out >= 0,
 *   h(m) = x . m = p . m - |p - x| <= h(n) + out - out.
 * So h does not increase. It stays the same only if m = n, at a local minimum. h: h(n). The search for x starts from *s, and
 * ends with its simplex in *s. False: that search failed. */
static bool descend(struct d3_difference *difference, struct descent *step, double h, struct d3_simplex *s, int *iterations)
{
	double out = max_d(0.25 * fabs(h), 1e-5 * difference->scale);
	struct d3_vec_d p = d3_scale_d(h + out, step->n);
	if (!d3_difference_nearest(difference, p, s, iterations, NULL))
		return false;
	step->next = d3_scale_d(-1 / d3_length_d(s->nearest), s->nearest);
	step->h = d3_difference_width(difference, step->next);
	return true;
}

/* Returns the next direction by Anderson acceleration, for steps that shrink by a steady factor: combines the last steps, at
 * most three, so that the residual next - n is least. Returns the last step's direction if the combination is far from a unit
 * vector.
 * Source: Anderson, "Iterative procedures for nonlinear integral equations", 1965. */
static struct d3_vec_d extrapolate(const struct descent last[3], int count)
{
	struct d3_vec_d f = d3_sub_d(last[0].next, last[0].n), result = last[0].next;
	struct d3_vec_d df[2] = {{0, 0, 0}, {0, 0, 0}};
	for (int i = 1; i < count && i < 3; ++i)
		df[i - 1] = d3_sub_d(f, d3_sub_d(last[i].next, last[i].n));
	double a = d3_dot_d(df[0], df[0]), b = d3_dot_d(df[0], df[1]), c = d3_dot_d(df[1], df[1]), det = a * c - b * b;
	double u = d3_dot_d(df[0], f), v = d3_dot_d(df[1], f), part[2] = {a > 0 ? u / a : 0, 0};
	if (det > 1e-6 * a * c) {
		part[0] = (u * c - v * b) / det;
		part[1] = (a * v - b * u) / det;
	}
	for (int i = 1; i < count && i < 3; ++i)
		result = d3_mul_add_d(result, -part[i - 1], d3_sub_d(last[0].next, last[i].next));
	double length = d3_length_d(result);
	return length > 0.5 && length < 2 ? d3_scale_d(1 / length, result) : last[0].next;
}

/* Keeps a step's result if its h is less, or if `first`. Of two results equal up to rounding error, the one whose points match
 * the normal better is kept: such points mark a descent that has converged. */
static void keep_step(const struct d3_difference *difference, const struct descent *step, const struct d3_simplex *s,
	bool first, struct d3_depth *best)
{
	struct d3_depth found = {.distance = -step->h, .normal = d3_neg_d(step->next), .iterations = best->iterations};
	double rounding = 1e-14 * difference->scale;
	if (!first && !(found.distance >= best->distance - rounding))
		return;
	d3_simplex_points(s, &found.a, &found.b);
	found.off = d3_length_d(d3_sub_d(d3_sub_d(found.b, found.a), d3_scale_d(found.distance, found.normal)));
	if (first || found.distance > best->distance + rounding || found.off < best->off)
		*best = found;
}

static struct d3_vec_d moved_on(struct d3_vec_d n, struct d3_vec_d delta)
{
	struct d3_vec_d moved = d3_add_d(n, delta);
	return d3_scale_d(1 / d3_length_d(moved), moved);
}

/* Descends from direction n to a local minimum of h and keeps the minimum in *best if it is better. first: *best has no points
 * yet. An extrapolated direction is judged by the h after one step from it, as it may leave a crease of M that the step finds
 * again. Where h is almost constant, along a crease or everywhere, steps are short and extrapolation overshoots, so that h
 * grows. From then on the descent moves by momentum from the best direction: the stride is doubled while h does not grow, else
 * cut to an eighth. */
static void polish(
	struct d3_difference *difference, struct d3_vec_d n, bool first, const struct d3_creases *creases, struct d3_depth *best)
{
	struct descent last[3] = {0};
	struct d3_simplex s = {.count = 0};
	int steps = first ? DESCENT_STEPS : DESCENT_STEPS_MORE, count = 0;
	struct d3_vec_d lowest = n, run = {0, 0, 0};
	double least = d3_difference_width(difference, n);
	bool runs = false;
	if (first)
		best->distance = -least;
	for (int i = 0; i < steps; ++i) {
		memmove(&last[1], &last[0], 2 * sizeof last[0]);
		last[0].n = n;
		if (!descend(difference, &last[0], i > 0 ? d3_difference_width(difference, n) : least, &s, &best->iterations))
			return;
		keep_step(difference, &last[0], &s, first && i == 0, best);
		if (!first && d3_creases_cover(difference, creases, last[0].next))
			return;
		struct d3_vec_d move = d3_sub_d(last[0].next, n);
		if (last[0].h > least) {
			run = d3_scale_d(runs ? 0.125 : 2, run);
			runs = true;
			count = 0;
		} else {
			run = d3_scale_d(2, d3_sub_d(last[0].next, lowest));
			least = last[0].h;
			lowest = last[0].next;
			++count;
			if (d3_dot_d(move, move) < 1e-22 || d3_dot_d(run, run) < 1e-22)
				return;
		}
		n = runs ? moved_on(lowest, run) : count > 1 ? extrapolate(last, count) : lowest;
	}
}

void d3_difference_polish(struct d3_difference *difference, struct d3_depth *out)
{
	polish(difference, d3_neg_d(out->normal), true, NULL, out);
}

/* --- The depth ------------------------------------------------------------------------------------------------------------ */

/* Finds the depth of an M that is a point, a segment or flat: the least support value along its normals. span: number of
 * vertices that span M; normal: as set by find_span. */
static void find_flat(
	struct d3_difference *difference, const struct d3_vertex *v, int span, struct d3_vec_d normal, struct d3_depth *out)
{
	double length = d3_length_d(v[0].w);
	if (span == 1) { /* M is one point; at the origin any normal is valid, +y is taken */
		out->normal = length > flat_tolerance * difference->scale ? d3_scale_d(1 / length, v[0].w) : (struct d3_vec_d){0, 1, 0};
		out->distance = d3_dot_d(out->normal, v[0].w);
		out->a = v[0].a;
		out->b = v[0].b;
		return;
	}
	double up = d3_difference_width(difference, normal), down = d3_difference_width(difference, d3_neg_d(normal));
	struct d3_vec_d outward = up <= down ? normal : d3_neg_d(normal);
	struct d3_simplex s = {.count = 0};
	struct d3_vec_d p = d3_scale_d(difference->scale, outward);
	d3_difference_nearest(difference, p, &s, &out->iterations, NULL);
	d3_simplex_points(&s, &out->a, &out->b);
	out->normal = d3_neg_d(outward);
	out->distance = -min_d(up, down);
}

/* Sets out->a and out->b from a face of the polytope that lies in M's support plane along the best direction and contains the
 * origin's projection onto that plane. False: no face does. */
static bool find_closest(const struct polytope *hull, struct d3_depth *out)
{
	struct d3_vec_d outward = d3_neg_d(out->normal), projection = d3_scale_d(-out->distance, outward);
	double best = -1e-7;
	for (int f = 0; f < hull->face_count; ++f) {
		const struct face *face = &hull->faces[f];
		if (!face->live || !(fabs(face->distance + out->distance) <= 4 * hull->tolerance) ||
			d3_dot_d(face->normal, outward) < 0.999)
			continue;
		const struct d3_vertex *v[3] = {&hull->v[face->v[0]], &hull->v[face->v[1]], &hull->v[face->v[2]]};
		double weights[3], least = INFINITY, sum = 0;
		for (int i = 0; i < 3; ++i) {
			struct d3_vec_d p = d3_sub_d(v[(i + 1) % 3]->w, projection), q = d3_sub_d(v[(i + 2) % 3]->w, projection);
			weights[i] = d3_dot_d(face->normal, d3_cross_d(p, q));
			sum += weights[i];
		}
		for (int i = 0; i < 3; ++i)
			least = min_d(least, weights[i] /= sum);
		if (!(least > best))
			continue;
		best = least;
		out->a = out->b = (struct d3_vec_d){0, 0, 0};
		for (int i = 0; i < 3; ++i) {
			out->a = d3_mul_add_d(out->a, weights[i], v[i]->a);
			out->b = d3_mul_add_d(out->b, weights[i], v[i]->b);
		}
		out->b = d3_add_d(out->b, hull->near.p);
	}
	return best > -1e-7;
}

/* Returns the face from whose normal to start the next descent; NONE: there is none. Of the faces nearer to the origin than the
 * best depth, with normals at least 6 degrees (START_APART) from all `starts`, it is the one with the least h. h: by face, M's
 * support value along its normal. starts: the directions of earlier descents' starts and results. */
static uint16_t next_start(const struct polytope *hull, const double *h, const struct d3_vec_d *starts, int count)
{
	uint16_t next = NONE;
	double least = INFINITY;
	for (int f = 0; f < hull->face_count; ++f) {
		const struct face *face = &hull->faces[f];
		bool fresh = face->live && face->distance < -hull->best.distance - hull->tolerance && h[f] < least;
		for (int i = 0; fresh && i < count; ++i)
			fresh = d3_dot_d(face->normal, starts[i]) < START_APART;
		if (fresh) {
			least = h[f];
			next = (uint16_t)f;
		}
	}
	return next;
}

static void polish_all(struct polytope *hull)
{
	struct d3_vec_d starts[2 * STARTS];
	double h[FACES];
	int count = 0;
	struct d3_creases creases;
	d3_find_creases(hull->difference, &creases);
	d3_creases_lowest(hull->difference, &creases, &hull->best);
	starts[count++] = d3_neg_d(hull->best.normal);
	polish(hull->difference, starts[0], true, &creases, &hull->best);
	for (int f = 0; f < hull->face_count; ++f) {
		const struct face *face = &hull->faces[f];
		h[f] = face->live && face->distance < -hull->best.distance - hull->tolerance
			? d3_difference_width(hull->difference, face->normal)
			: INFINITY;
	}
	for (int i = 1; i < STARTS; ++i) {
		starts[count++] = d3_neg_d(hull->best.normal);
		uint16_t next = next_start(hull, h, starts, count);
		if (next == NONE)
			return;
		starts[count++] = hull->faces[next].normal;
		polish(hull->difference, hull->faces[next].normal, false, &creases, &hull->best);
	}
}

static bool is_smooth(const struct d3_proxy *proxy)
{
	return proxy->type != D3_PROXY_POINTS;
}

/* Expands the polytope until no face is nearer than the least h or the vertex limit is reached. True: the nearest face is a
 * face of M, within the tolerance. */
static bool grow(struct polytope *hull)
{
	bool troubled = false;
	int most = is_smooth(hull->difference->a.proxy) || is_smooth(hull->difference->b.proxy) ? POINTS_SMOOTH : D3_EPA_POINTS;
	while (hull->count < most) {
		uint16_t f = nearest_face(hull);
		if (f == NONE)
			return false;
		struct face *face = &hull->faces[f];
		if (face->distance >= -hull->best.distance - hull->tolerance)
			return !troubled;
		struct d3_vertex fresh;
		near_support(&hull->near, face->normal, &fresh);
		++hull->best.iterations;
		double h = d3_dot_d(face->normal, fresh.w);
		d3_depth_keep(&hull->best, h, face->normal);
		if (h - face->distance > hull->tolerance && expand(hull, f, &fresh))
			continue;
		face->closed = true;
		troubled = troubled || h - face->distance > hull->tolerance;
	}
	return false;
}

void d3_difference_depth(struct d3_difference *difference, struct d3_depth *out, struct d3_epa_trace *trace)
{
	struct d3_vertex v[4];
	struct d3_vec_d normal = {0, 1, 0};
	struct polytope hull;
	*out = (struct d3_depth){.distance = -INFINITY, .normal = {0, 1, 0}};
	make_near(difference, &hull.near);
	if (trace)
		trace->start_count = trace->count = trace->face_count = 0;
	int span = find_span(&hull.near, v, &normal);
	hull.difference = difference;
	hull.tolerance = depth_tolerance * difference->scale;
	hull.count = hull.face_count = hull.free_count = hull.round = 0;
	hull.trace = trace;
	hull.best = *out;
	if (trace)
		trace->start_count = span;
	if (span < 4) {
		for (int i = 0; i < span; ++i)
			add_vertex(&hull, &v[i]);
		find_flat(difference, v, span, normal, out);
		if (span == 1)
			out->b = d3_add_d(out->b, hull.near.p);
		return;
	}
	start_tetrahedron(&hull, v);
	if (!grow(&hull) || !find_closest(&hull, &hull.best))
		polish_all(&hull);
	*out = hull.best;
}
