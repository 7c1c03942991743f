/* penetration_hulls.c - closed forms for overlapping cores: the penetration of a point, a segment or a small hull into a hull;
 * for a point and a box the distance, too. See penetration.c. */
#include "d3/query/penetration_parts.h"
#include "d3/query/ray_cast.h"
#include "d3/query/sat.h"

typedef double two __attribute__((vector_size(16)));

/* Tolerances relative to the coordinates. If the second best feature is within face_tolerance of the best, either may be the
 * best, since merging faces moves planes by less than that. Corners within deep_tolerance of the deepest count as equally
 * deep. */
static const double face_tolerance = 1e-5, deep_tolerance = 1e-9;

/* --- A point and a hull --------------------------------------------------------------------------------------------------- */

/* Closest point of the box's surface to p. Corners 0 and 7 have the least and the greatest coordinates. */
static void closest_on_box(const struct d3_proxy *box, struct d3_vec_d p, struct d3_round_closest *out)
{
	struct d3_vec_d low = d3_widen(d3_proxy_points(box)[0]), high = d3_widen(d3_proxy_points(box)[7]);
	struct d3_vec_d q = {clamp_d(p.x, low.x, high.x), clamp_d(p.y, low.y, high.y), clamp_d(p.z, low.z, high.z)};
	struct d3_vec_d delta = d3_sub_d(p, q);
	double most = max_d(fabs(delta.x), max_d(fabs(delta.y), fabs(delta.z)));
	out->point = q;
	if (most > 0) {
		delta = d3_scale_d(1 / most, delta);
		double length = d3_length_d(delta);
		out->distance = most * length;
		out->normal = d3_scale_d(1 / length, delta);
		return;
	}
	const double depths[6] = {p.x - low.x, high.x - p.x, p.y - low.y, high.y - p.y, p.z - low.z, high.z - p.z};
	int face = 0;
	for (int i = 1; i < 6; ++i)
		face = depths[i] < depths[face] ? i : face;
	double side = face & 1 ? 1 : -1;
	out->distance = -depths[face];
	out->normal = (struct d3_vec_d){face < 2 ? side : 0, face == 2 || face == 3 ? side : 0, face > 3 ? side : 0};
	out->point.x = face < 2 ? (face & 1 ? high.x : low.x) : p.x;
	out->point.y = face == 2 || face == 3 ? (face & 1 ? high.y : low.y) : p.y;
	out->point.z = face > 3 ? (face & 1 ? high.z : low.z) : p.z;
}

/* For p inside the hull: the point closest to p on the nearest face. False: p is outside, another face may be as near, or the
 * face's corners are off its plane. */
static bool closest_in_hull(const struct d3_proxy *proxy, struct d3_vec_d p, struct d3_round_closest *out)
{
	const struct d3_hull *hull = proxy->hull;
	double highest = -INFINITY, second = -INFINITY;
	uint32_t face = 0;
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		const struct d3_hull_plane *plane = &hull->planes[i];
		double height = plane->normal.x * p.x + plane->normal.y * p.y + plane->normal.z * p.z - plane->offset;
		second = max_d(second, min_d(height, highest));
		face = height > highest ? i : face;
		highest = max_d(highest, height);
	}
	if (!(highest < 0 && highest - second > face_tolerance * proxy->reach) ||
		d3_face_uneven(hull, face, flat_tolerance * proxy->reach))
		return false;
	struct d3_vec_d n = hull->planes[face].normal;
	*out = (struct d3_round_closest){highest, n, d3_mul_add_d(p, -highest, n)};
	return true;
}

bool d3_penetration_by_closest_point(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	bool inside, struct d3_separation *out)
{
	bool turned = d3_proxy_is_ball(a);
	const struct d3_proxy *solid = turned ? b : a;
	struct d3_vec_d center = d3_widen(d3_proxy_points(turned ? a : b)[0]);
	center = turned ? d3_inv_transform_point_d(b_in_a, center) : d3_transform_point_d(b_in_a, center);
	struct d3_round_closest closest;
	if (solid->straight)
		closest_on_box(solid, center, &closest);
	else if (!inside || !(solid->reach > 0) || !closest_in_hull(solid, center, &closest))
		return false;
	if (turned) {
		closest.normal = d3_neg_d(d3_turn_d(&b_in_a->q, closest.normal));
		closest.point = d3_widen(d3_proxy_points(a)[0]);
	}
	d3_separation_set(a, b, closest.point, closest.distance, closest.normal, out);
	return true;
}

/* --- A segment and a hull ------------------------------------------------------------------------------------------------- */

/* SAT of a hull and the segment from p to q, in the hull's frame. The axis of least overlap is a face normal of the hull, or
 * perpendicular to the segment and an edge. The latter counts if it lies between the normals of the edge's faces: from p to q
 * the height above one of the faces grows, and above the other it falls. */
struct skewer {
	const struct d3_hull *hull;
	struct d3_vec_d p, q;
	two heights[2 * D3_HULL_MAX]; /* of p and q above each face */
	uint8_t high[2 * D3_HULL_MAX]; /* bit 0 is set if p, bit 1 if q is higher than `second` above the face */
	double best, second; /* the two greatest separations */
	uint32_t face, edge; /* of the best; one of them is NOWHERE */
};

enum { NOWHERE = UINT32_MAX };

static void skewer_faces(struct skewer *s)
{
	const two x = {s->p.x, s->q.x}, y = {s->p.y, s->q.y}, z = {s->p.z, s->q.z};
	s->best = s->second = -INFINITY;
	s->face = s->edge = NOWHERE;
	for (uint32_t i = 0; i < s->hull->face_count; ++i) {
		const struct d3_hull_plane *plane = &s->hull->planes[i];
		two heights = plane->normal.x * x + plane->normal.y * y + plane->normal.z * z - plane->offset;
		double height = min_d(heights[0], heights[1]);
		s->heights[i] = heights;
		s->second = max_d(s->second, min_d(height, s->best));
		s->face = height > s->best ? i : s->face;
		s->best = max_d(height, s->best);
	}
}

/* Marks the faces above which p or q is higher than `second`, which is < 0. An edge's axis lies between its faces' normals. If
 * p is at most `second` high above both faces, its height along the axis is at most `second`, too; likewise q's. Such an edge
 * cannot be the best. */
static void mark_high_faces(struct skewer *s)
{
	for (uint32_t i = 0; i < s->hull->face_count; ++i)
		s->high[i] = (uint8_t)((s->heights[i][0] > s->second) | (s->heights[i][1] > s->second) << 1);
}

/* Tests the edges' axes. l and r are the changes of the height above the left and right face from p to q. If their signs
 * differ, |r| n_l + |l| n_r is perpendicular to edge and segment. False: an axis separates hull and segment. */
static bool skewer_edges(struct skewer *s)
{
	mark_high_faces(s);
	for (uint32_t i = 0; i < s->hull->edge_count; i += 2) {
		uint32_t f = s->hull->edges[i].face, g = s->hull->edges[i + 1].face;
		if ((s->high[f] | s->high[g]) != 3)
			continue;
		double l = s->heights[f][1] - s->heights[f][0], r = s->heights[g][1] - s->heights[g][0];
		if (!(l * r < 0))
			continue;
		l = fabs(l);
		r = fabs(r);
		double height = r * s->heights[f][0] + l * s->heights[g][0];
		double square = l * l + r * r + 2 * l * r * d3_dot_d(s->hull->planes[f].normal, s->hull->planes[g].normal);
		if (!(height < 0))
			return false;
		if (height * height >= s->second * s->second * square)
			continue;
		height /= sqrt(square);
		if (height > s->best) {
			s->second = s->best;
			s->best = height;
			s->edge = i;
			s->face = NOWHERE;
		} else {
			s->second = max_d(s->second, height);
		}
	}
	return true;
}

/* Finds the closest points p + s u and q + t v of two edges' lines, and n = u x v. False: the edges are nearly parallel, or one
 * of the points is off its edge. */
static bool find_crossing(
	struct d3_vec_d p, struct d3_vec_d u, struct d3_vec_d q, struct d3_vec_d v, struct d3_vec_d *n, double *s, double *t)
{
	struct d3_vec_d from = d3_sub_d(q, p);
	*n = d3_cross_d(u, v);
	double nn = d3_dot_d(*n, *n), along_u = d3_dot_d(d3_cross_d(from, v), *n), along_v = d3_dot_d(d3_cross_d(from, u), *n);
	*s = along_u / nn;
	*t = along_v / nn;
	return nn > 1e-4 * d3_dot_d(u, u) * d3_dot_d(v, v) && along_u >= 0 && along_u <= nn && along_v >= 0 && along_v <= nn;
}

/* Finds the witness on the hull's surface, and the witness on the segment as the fraction *part from p to q. False: they would
 * be inexact. */
static bool closest_of_skewer(const struct skewer *s, double reach, struct d3_round_closest *out, double *part)
{
	if (s->face != NOWHERE) {
		double p = s->heights[s->face][0], q = s->heights[s->face][1];
		if (!(fabs(p - q) > deep_tolerance * reach) || d3_face_uneven(s->hull, s->face, flat_tolerance * reach))
			return false;
		struct d3_vec_d n = s->hull->planes[s->face].normal;
		*part = q < p ? 1 : 0;
		*out = (struct d3_round_closest){min_d(p, q), n, d3_mul_add_d(q < p ? s->q : s->p, -min_d(p, q), n)};
		return true;
	}
	const struct d3_hull_edge *edge = &s->hull->edges[s->edge];
	struct d3_vec_d from = d3_widen(s->hull->points[edge[0].origin]);
	struct d3_vec_d e = d3_sub_d(d3_widen(s->hull->points[edge[1].origin]), from);
	struct d3_vec_d outward = d3_add_d(s->hull->planes[edge[0].face].normal, s->hull->planes[edge[1].face].normal), n;
	double along;
	if (!find_crossing(from, e, s->p, d3_sub_d(s->q, s->p), &n, &along, part))
		return false;
	out->normal = d3_scale_d((d3_dot_d(n, outward) < 0 ? -1 : 1) / d3_length_d(n), n);
	out->distance = d3_dot_d(out->normal, d3_sub_d(s->p, from));
	out->point = d3_mul_add_d(from, along, e);
	return out->distance < 0;
}

/* Separation of a hull and a segment, in either order, whose cores overlap. False: EPA is needed. */
static bool overlap_by_skewer(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	bool turned = b->hull != NULL;
	const struct d3_proxy *solid = turned ? b : a;
	const struct d3_vec *ends = d3_proxy_points(turned ? a : b);
	struct d3_vec_d p = d3_widen(ends[0]), q = d3_widen(ends[1]);
	struct skewer s;
	struct d3_round_closest closest;
	double part;
	s.hull = solid->hull;
	s.p = turned ? d3_inv_transform_point_d(b_in_a, p) : d3_transform_point_d(b_in_a, p);
	s.q = turned ? d3_inv_transform_point_d(b_in_a, q) : d3_transform_point_d(b_in_a, q);
	skewer_faces(&s);
	if (!(s.best < 0 && solid->reach > 0) || !skewer_edges(&s))
		return false;
	if (!(s.best - s.second > face_tolerance * solid->reach) || !closest_of_skewer(&s, solid->reach, &closest, &part))
		return false;
	if (turned) {
		closest.normal = d3_neg_d(d3_turn_d(&b_in_a->q, closest.normal));
		closest.point = d3_mul_add_d(p, part, d3_sub_d(q, p));
	}
	d3_separation_set(a, b, closest.point, closest.distance, closest.normal, out);
	return true;
}

/* --- The depth of small hulls --------------------------------------------------------------------------------------------- */

/* Up to this many pairs of edges SAT takes no longer than EPA. */
enum { EDGE_PAIRS = 200 };

bool d3_penetration_has_flat_faces(const struct d3_proxy *proxy, double tolerance)
{
	const struct d3_hull *hull = proxy->hull;
	bool flat = true;
	if (!hull || proxy->straight || hull->edge_count == 3 * hull->face_count)
		return true;
	for (uint32_t i = 0; i < hull->edge_count; ++i) {
		const struct d3_hull_plane *plane = &hull->planes[hull->edges[i].face];
		flat &= d3_dot_d(plane->normal, d3_widen(hull->points[hull->edges[i].origin])) - plane->offset >= -tolerance;
	}
	return flat;
}

struct deepest {
	const struct d3_proxy *a, *b;
	const struct d3_transform_d *b_in_a; /* B's, in A's frame */
	const struct d3_sat_axis *axis;
	double distance, tolerance; /* distance: of the cores */
	struct d3_vec_d normal, on_a; /* on_a: A's deepest point */
};

/* The corner farthest along d; UINT32_MAX: it is not unique. */
static uint32_t only_farthest(const struct d3_proxy *proxy, struct d3_vec_d d, double tolerance)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	double far = -INFINITY, second = -INFINITY;
	uint32_t best = 0;
	for (uint32_t i = 0; i < proxy->count; ++i) {
		double along = points[i].x * d.x + points[i].y * d.y + points[i].z * d.z;
		second = max_d(second, min_d(along, far));
		best = along > far ? i : best;
		far = max_d(along, far);
	}
	return far - second > tolerance ? best : UINT32_MAX;
}

static struct d3_vec_d edge_point(const struct d3_hull *hull, uint32_t edge)
{
	return d3_widen(hull->points[hull->edges[edge].origin]);
}

/* Sets on_a to the point of A's edge line closest to B's edge line. False: the edges are nearly parallel, or the closest point
 * of either line is off its edge. */
static bool deepest_of_edges(struct deepest *d)
{
	struct d3_vec_d p = edge_point(d->a->hull, d->axis->index), u = d3_sub_d(edge_point(d->a->hull, d->axis->index ^ 1), p);
	struct d3_vec_d q = d3_transform_point_d(d->b_in_a, edge_point(d->b->hull, d->axis->other));
	struct d3_vec_d v = d3_sub_d(d3_transform_point_d(d->b_in_a, edge_point(d->b->hull, d->axis->other ^ 1)), q);
	struct d3_vec_d n;
	double s, t;
	if (!find_crossing(p, u, q, v, &n, &s, &t))
		return false;
	d->on_a = d3_mul_add_d(p, s, u);
	return true;
}

static bool find_deepest(struct deepest *d)
{
	if (d->axis->owner == D3_SAT_EDGES)
		return deepest_of_edges(d);
	if (d->axis->owner == D3_SAT_FACE_A) {
		uint32_t k = only_farthest(d->b, d3_neg_d(d3_inv_turn_d(&d->b_in_a->q, d->normal)), d->tolerance);
		if (k == UINT32_MAX)
			return false;
		d->on_a = d3_mul_add_d(d3_transform_point_d(d->b_in_a, d3_widen(d3_proxy_points(d->b)[k])), -d->distance, d->normal);
		return true;
	}
	uint32_t i = d->axis->owner == D3_SAT_FACE_B ? only_farthest(d->a, d->normal, d->tolerance) : UINT32_MAX;
	if (i != UINT32_MAX)
		d->on_a = d3_widen(d3_proxy_points(d->a)[i]);
	return i != UINT32_MAX;
}

static bool is_within(const struct d3_hull *hull, struct d3_vec_d p, double tolerance)
{
	bool within = true;
	for (uint32_t i = 0; i < hull->face_count; ++i)
		within &= d3_dot_d(hull->planes[i].normal, p) - hull->planes[i].offset <= tolerance;
	return within;
}

/* Magnitude of the coordinates: of one corner of each hull, and of B's origin in A's frame. */
static double hulls_scale(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a)
{
	struct d3_vec_d p = d3_widen(a->hull->points[0]), q = d3_widen(b->hull->points[0]), r = b_in_a->p;
	return fabs(p.x) + fabs(p.y) + fabs(p.z) + fabs(q.x) + fabs(q.y) + fabs(q.z) + fabs(r.x) + fabs(r.y) + fabs(r.z);
}

/* Separation of overlapping hulls along the SAT axis of least overlap. False: EPA is needed. */
static bool overlap_by_axis(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	const struct d3_sat_result *sat, struct d3_separation *out)
{
	double tolerance = deep_tolerance * hulls_scale(a, b, b_in_a);
	struct deepest d = {a, b, b_in_a, &sat->axis, sat->separation + (a->radius + b->radius), tolerance, sat->normal, {0, 0, 0}};
	if (!(d.distance < -tolerance) || !find_deepest(&d))
		return false;
	struct d3_vec_d on_b = d3_inv_transform_point_d(b_in_a, d3_mul_add_d(d.on_a, d.distance, d.normal));
	if (!is_within(a->hull, d.on_a, tolerance) || !is_within(b->hull, on_b, tolerance))
		return false;
	d3_separation_set(a, b, d.on_a, d.distance, d.normal, out);
	out->distance = sat->separation;
	return true;
}

/* overlap_by_axis with the axis of SAT, for small hulls with flat faces. */
static bool overlap_of_small_hulls(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	if (!a->hull || !b->hull || (a->hull->edge_count / 2) * (b->hull->edge_count / 2) > EDGE_PAIRS)
		return false;
	double tolerance = flat_tolerance * hulls_scale(a, b, b_in_a);
	if (!d3_penetration_has_flat_faces(a, tolerance) || !d3_penetration_has_flat_faces(b, tolerance))
		return false;
	struct d3_sat_result sat;
	d3_sat(a, b, b_in_a, NULL, &sat);
	return overlap_by_axis(a, b, b_in_a, &sat, out);
}

bool d3_penetration_boxes_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	struct d3_sat_result sat;
	return a->straight && b->straight && d3_sat_boxes(a, b, b_in_a, &sat) && sat.separation < 0 &&
		overlap_by_axis(a, b, b_in_a, &sat, out);
}

bool d3_penetration_overlap_of_hulls(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	if ((a->hull && d3_proxy_is_ball(b)) || (b->hull && d3_proxy_is_ball(a)))
		return d3_penetration_by_closest_point(a, b, b_in_a, true, out);
	if ((a->hull && b->count == 2) || (b->hull && a->count == 2))
		return overlap_by_skewer(a, b, b_in_a, out);
	return overlap_of_small_hulls(a, b, b_in_a, out);
}

bool d3_penetration_still_overlap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out)
{
	return a->reach > 0 && b->reach > 0 && d3_penetration_overlap_of_hulls(a, b, b_in_a, out) &&
		out->distance + a->radius + b->radius < -deep_tolerance * (a->reach + b->reach);
}
