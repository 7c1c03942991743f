/* simplex.h - the point of a simplex closest to the origin, for gjk.c and gjk_hulls.c.
 * Pure, any thread. */
#pragma once
#include "d3/query/gjk.h"

/* A tetrahedron is flat if six times its volume is at most this fraction of the coordinates times the square of its longest
 * edge at vertex 3. */
static const double flat_tolerance = 1e-15;

/* In gjk.c a distance counts as exact if it exceeds its lower bound by at most doubt_tolerance times the coordinates plus
 * doubt_relative times the distance; else a descent refines the direction. */
static const double doubt_tolerance = 1e-14, doubt_relative = 1e-12;

/* The sub-simplex closest to the origin so far, and its closest point. The keep_ functions replace it if they find a closer
 * one. */
struct nearest {
	int count, index[3];
	double weights[3], square;
	struct d3_vec_d point;
};

static inline void keep_point(const struct d3_vec_d *w, int i, struct nearest *best)
{
	double square = d3_dot_d(w[i], w[i]);
	if (square < best->square)
		*best = (struct nearest){1, {i}, {1}, square, w[i]};
}

static inline void keep_edge(const struct d3_vec_d *w, int i, int k, struct nearest *best)
{
	struct d3_vec_d delta = d3_sub_d(w[k], w[i]);
	double from = -d3_dot_d(w[i], delta), to = d3_dot_d(w[k], delta), sum = d3_dot_d(delta, delta);
	if (!(from > 0 && to > 0 && sum > 0)) {
		keep_point(w, from > 0 ? k : i, best);
		return;
	}
	struct d3_vec_d point = d3_mul_add_d(w[i], from / sum, delta);
	/* Removes the component along the edge, a rounding error that would tilt a short vector. */
	point = d3_mul_add_d(point, -d3_dot_d(point, delta) / sum, delta);
	double square = d3_dot_d(point, point), part = from / sum;
	if (square < best->square)
		*best = (struct nearest){2, {i, k}, {1 - part, part}, square, point};
}

/* Finds the triangle's point closest to the origin. The normal is the cross product of the two shorter edges: two long edges
 * that are nearly parallel would tilt it. The plane's distance from the origin is measured at the nearest corner, then at the
 * closest point, where a tilt has no effect. */
static inline void keep_triangle(const struct d3_vec_d *w, int i, int j, int k, struct nearest *best)
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
		if (square < best->square)
			*best = (struct nearest){3, {i, j, k}, {wi, wj, wk}, square, point};
		return;
	}
	/* The closest point is on an edge that the origin's projection is outside of. For a triangle without area, all edges are
	 * tested. */
	bool flat = !(sum > 0);
	if (flat || !(wi > 0))
		keep_edge(w, j, k, best);
	if (flat || !(wj > 0))
		keep_edge(w, k, i, best);
	if (flat || !(wk > 0))
		keep_edge(w, i, j, best);
}

/* Tests the faces of the tetrahedron that the origin is outside of; all faces, if the tetrahedron is so flat that rounding of
 * coordinates of magnitude `scale` could invert it. weights: barycentric, of the origin. False: the origin is inside. */
static inline bool keep_tetrahedron(const struct d3_vec_d *w, double scale, double weights[4], struct nearest *best)
{
	static const int faces[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {2, 0, 3, 1}, {0, 2, 1, 3}};
	struct d3_vec_d u = d3_sub_d(w[0], w[3]), v = d3_sub_d(w[1], w[3]), t = d3_sub_d(w[2], w[3]);
	double longest = max_d(d3_dot_d(u, u), max_d(d3_dot_d(v, v), d3_dot_d(t, t)));
	double volume = d3_dot_d(u, d3_cross_d(t, v));
	bool seen[4], any = false, flat = !(fabs(volume) > flat_tolerance * scale * longest);
	for (int i = 0; i < 4; ++i) {
		const int *f = faces[i];
		/* Six times the signed volume spanned by the origin and the face. The four add up to `volume`. */
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

/* Finds the part of a simplex of 1 to 4 vertices closest to the origin. `scale` and `weights` as in keep_tetrahedron. False:
 * the origin is inside. */
static inline bool find_nearest(const struct d3_vec_d *w, int count, double scale, double weights[4], struct nearest *best)
{
	best->count = 0;
	best->square = INFINITY;
	best->point = (struct d3_vec_d){0, 0, 0};
	if (count == 4)
		return keep_tetrahedron(w, scale, weights, best);
	if (count == 3)
		keep_triangle(w, 0, 1, 2, best);
	else if (count == 2)
		keep_edge(w, 0, 1, best);
	else
		keep_point(w, 0, best);
	return true;
}

/* Whether the tetrahedron w, which contains the origin, contains a ball of this radius about the origin. */
static inline bool d3_tetrahedron_holds(const struct d3_vec_d w[4], double radius)
{
	for (int i = 0; i < 4; ++i) {
		struct d3_vec_d p = w[i], n = d3_cross_d(d3_sub_d(w[(i + 1) & 3], p), d3_sub_d(w[(i + 2) & 3], p));
		if (!(fabs(d3_dot_d(n, p)) > radius * d3_length_d(n)))
			return false;
	}
	return true;
}
