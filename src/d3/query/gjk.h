/* gjk.h - the distance between two convex sets, or how deep they overlap.
 * A set is a core (points, a cylinder, a cone, the inner surface of an ellipsoid, the hull of a ball and a point, or a
 * half-space) widened by a radius. The distance between separated cores has a well conditioned normal even where the widened
 * sets overlap a little.
 * Iterations are capped; the best result so far is returned at the cap.
 * Pure, any thread. */
#pragma once
#include "d3/shape/support.h"

/* point_b = point_a + distance * normal. */
struct d3_separation {
	double distance; /* between the surfaces; <= 0 where they touch or overlap */
	struct d3_vec_d normal; /* unit, from A to B, in A's frame */
	struct d3_vec_d point_a, point_b; /* on the surfaces, in A's frame */
	int iterations;
};

/* A point of the set of differences, with where it comes from. */
struct d3_vertex {
	struct d3_vec_d a, b, w; /* points of the cores in A's frame, and w = b - a */
};

struct d3_simplex {
	struct d3_vertex v[4];
	int count;
	double weights[4]; /* of the nearest point, sum 1; of the origin itself, when it is inside four vertices */
	struct d3_vec_d nearest; /* to the origin */
};

enum { D3_GJK_STEPS = 128, D3_EPA_POINTS = 512 };

/* The simplex of each iteration. */
struct d3_gjk_trace {
	int count;
	struct d3_simplex steps[D3_GJK_STEPS + 1];
};

/* The polytope as EPA grows it: vertex k of `vertices` was added in round k - start_count + 1, and the triangles that live
 * after each round are those with born <= round < died. */
struct d3_epa_trace {
	int start_count, count, face_count; /* start_count: of the first polytope's vertices; count: of all */
	struct d3_vertex vertices[D3_EPA_POINTS];
	struct {
		uint16_t v[3]; /* counter-clockwise from outside */
		uint16_t born, died; /* rounds; the first polytope is round 0; died 65535: never */
	} faces[8 * D3_EPA_POINTS];
};

/* GJK, and where the cores overlap d3_epa. Neither is a half-space. simplex (of the cores) and trace may be NULL. Whether the
 * cores are apart. */
bool d3_gjk(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out,
	struct d3_simplex *simplex, struct d3_gjk_trace *trace);

/* EPA alone, on the cores, with the rest that smooth shapes leave polished away: for cores that are apart the polytope's signed
 * distance is a lower bound only. Neither is a half-space. trace may be NULL. */
void d3_epa(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out,
	struct d3_epa_trace *trace);

/* GJK for yes or no: stops as soon as a bound of the distance decides. A counts as swept by `sweep`, which may be zero: as the
 * hull of where it starts and where it ends. Neither is a half-space. */
bool d3_gjk_overlaps(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d sweep, int *iterations);

/* Whatever is best for the two, exact; either may be a half-space. Its normal is what d3_distance reports. */
void d3_separation_find(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* --- Parts of it ---------------------------------------------------------------------------------------------------------- */

/* M is the set of all differences b - a of a point of B's core and a point of A's core, in A's frame. The cores are as far
 * apart as M is from the origin; they overlap when M contains it, and then the nearest point of M's boundary is the shortest
 * way out. */

/* A core as it stands in A's frame. */
struct d3_core {
	const struct d3_proxy *proxy;
	struct d3_transform_d place; /* of the points, or of the axes that `half` is along */
	bool turned; /* place is not the identity */
};

/* M. */
struct d3_difference {
	struct d3_core a, b;
	double scale; /* of the coordinates: their rounding is a part of it [length] */
	double sure; /* what d3_difference_nearest found to be less than the distance, from the last direction */
	bool swept;
	struct d3_vec_d sweep; /* of M, when swept */
};

void d3_make_difference(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_difference *out);

/* The vertex of M farthest along d. */
void d3_difference_support(const struct d3_difference *difference, struct d3_vec_d d, struct d3_vertex *out);

/* The greatest n . w of M. */
static inline double d3_difference_width(const struct d3_difference *difference, struct d3_vec_d n)
{
	struct d3_vertex v;
	d3_difference_support(difference, n, &v);
	return d3_dot_d(n, v.w);
}

/* The point of M nearest to `origin`. False where M contains it, or is so near that the way there would be noise; *s is the
 * simplex of the last step either way. With count > 0 the search starts from *s, whose vertices must be of this pair. trace may
 * be NULL. */
bool d3_difference_nearest(struct d3_difference *difference, struct d3_vec_d origin, struct d3_simplex *s, int *iterations,
	struct d3_gjk_trace *trace);

/* Whether M comes as near to the origin as `reach`, by `slack` at least. *square: of the shortest distance that was found. */
enum d3_verdict { D3_UNSURE, D3_APART, D3_NEAR };

/* The corners that carry the nearest points of two cores of corners, of A and of B in couples: 1..3 of them, or 0 where they
 * are not known; D3_CORES_OVERLAP where there are none. */
enum { D3_CORES_OVERLAP = -1 };

struct d3_corner_simplex {
	int count;
	uint32_t a[3], b[3];
	double weights[3]; /* sum 1 */
};

/* Two cores of corners. APART: *out is their gap, exact. NEAR: they overlap; UNSURE: they may, or their distance is not told
 * from rounding. The search goes on from *simplex, the corners of the last gap, count 0 when there was none, and where it is
 * APART leaves those of this one. */
enum d3_verdict d3_corners_follow(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_corner_simplex *simplex, struct d3_separation *out);
/* Whether the cores, widened, are apart. */
enum d3_verdict d3_corners_verdict(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a);

/* As d3_corners_follow, but for the gap the simplex that is nearest to the origin. Whether they are plainly apart. */
bool d3_corners_nearest(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_corner_simplex *corners, struct d3_simplex *out);

/* The nearest point of a surface, the normal there, and how far outside the point is. */
struct d3_round_closest {
	double distance;
	struct d3_vec_d normal, point;
};

/* Of a round solid's surface, from the point; all in the solid's own axes. False: the proxy is none. */
bool d3_round_closest_find(const struct d3_proxy *solid, struct d3_vec_d p, struct d3_round_closest *out);

/* The gap of a round solid and one with corners, whichever is A; more than `enough` is a lower bound of the distance along its
 * normal. False: it must be searched for. */
bool d3_round_separation(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, double enough,
	struct d3_separation *out);

/* The gap of two tapered capsules, or of one and a capsule or segment. False: they are others, or an axis ends on the other
 * one. */
bool d3_tapered_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* d3_separation_find, going on from *simplex as above; its count is 0 or less afterwards where no corners are known to carry
 * the nearest points. A distance of more than `enough` may be a lower bound, along its normal. */
void d3_separation_and_corners(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	double enough, struct d3_corner_simplex *simplex, struct d3_separation *out);

/* The points of the cores that the simplex stands for. */
void d3_simplex_points(const struct d3_simplex *s, struct d3_vec_d *a, struct d3_vec_d *b);

/* What EPA found: the cores part by `distance` (<= 0 but for rounding) along normal; a and b are the deepest points of the
 * cores. */
struct d3_depth {
	double distance;
	struct d3_vec_d normal, a, b;
	double off; /* how far b is from a + distance normal */
	int iterations;
};

void d3_difference_depth(struct d3_difference *difference, struct d3_depth *out, struct d3_epa_trace *trace);

/* From out->normal on to a direction along which the cores part at least as much, and locally the most, overlapping or not:
 * fills *out but adds to its iterations. */
void d3_difference_polish(struct d3_difference *difference, struct d3_depth *out);

/* The circles of normals along which a core is met along a line, n . axis = along: see creases.c. */
struct d3_crease {
	struct d3_vec_d axis;
	double along;
};

struct d3_creases {
	int count;
	struct d3_crease of[2];
};

/* A direction that far from a crease is on it. */
#define D3_CREASE_WIDTH 1e-9

void d3_find_creases(const struct d3_difference *difference, struct d3_creases *out);
/* Keeps the directions of the least widths on the creases, along the axes and where both cores are round, if they are better
 * than *best: its distance and normal. */
void d3_creases_lowest(const struct d3_difference *difference, const struct d3_creases *creases, struct d3_depth *best);
/* Whether d3_creases_lowest has found what a descent from n would. */
bool d3_creases_cover(const struct d3_difference *difference, const struct d3_creases *creases, struct d3_vec_d n);

/* The points of the cores that belong to a distance along a normal, b = a + distance normal: on the smaller core, and on the
 * larger one but for what the normal is off. */
void d3_difference_witness(
	const struct d3_difference *difference, double distance, struct d3_vec_d normal, struct d3_vec_d *a, struct d3_vec_d *b);

/* A unit vector across n, which is one: always the same for the same n. */
/* Whether the tetrahedron holds a ball of this radius about the origin, which it contains. */
static inline bool d3_tetrahedron_holds(const struct d3_vec_d w[4], double radius)
{
	for (int i = 0; i < 4; ++i) {
		struct d3_vec_d p = w[i], n = d3_cross_d(d3_sub_d(w[(i + 1) & 3], p), d3_sub_d(w[(i + 2) & 3], p));
		if (!(fabs(d3_dot_d(n, p)) > radius * d3_length_d(n)))
			return false;
	}
	return true;
}
