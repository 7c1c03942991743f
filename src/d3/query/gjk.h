/* gjk.h - the signed distance of two convex sets: GJK between separated cores, EPA between overlapping ones.
 * A set is a core (points, a cylinder, a cone, the inner surface of an ellipsoid, the hull of a ball and a point, or a
 * half-space) expanded by a radius. While the cores are separated the normal is well conditioned, even if the expanded sets
 * overlap. Iterations are capped; at the cap the best result is returned.
 * Pure, any thread. */
#pragma once
#include "d3/shape/support.h"

/* point_b = point_a + distance * normal. */
struct d3_separation {
	double distance; /* signed, between the surfaces [length]; <= 0: contact or overlap */
	struct d3_vec_d normal; /* unit, from A to B, in A's frame */
	struct d3_vec_d point_a, point_b; /* on the surfaces, in A's frame */
	int iterations;
};

/* Sets the separation of two proxies whose cores' closest points are on_a and on_a + distance normal. */
static inline void d3_separation_set(const struct d3_proxy *a, const struct d3_proxy *b, struct d3_vec_d on_a, double distance,
	struct d3_vec_d normal, struct d3_separation *out)
{
	double apart = distance - a->radius - b->radius;
	struct d3_vec_d point_a = d3_mul_add_d(on_a, a->radius, normal);
	*out = (struct d3_separation){apart, normal, point_a, d3_mul_add_d(point_a, apart, normal), 0};
}

/* Sets the ends of the generator of a cylinder's, cone's or tapered capsule's core that is farthest along n, a unit vector; all
 * in proxy->frame. A tapered capsule's base is the point of its base ball farthest along n. */
static inline void d3_core_line(const struct d3_proxy *proxy, struct d3_vec_d n, struct d3_vec_d *top, struct d3_vec_d *base)
{
	double r = proxy->half.x, h = proxy->half.y, across = sqrt(n.x * n.x + n.z * n.z);
	*top = (struct d3_vec_d){0, h, 0};
	*base = (struct d3_vec_d){0, -h, 0};
	if (proxy->type == D3_PROXY_TAPERED)
		*base = d3_mul_add_d(d3_neg_d(*top), r, n);
	else if (across > 0)
		*base = (struct d3_vec_d){r * (n.x / across), -h, r * (n.z / across)};
	if (proxy->type == D3_PROXY_CYLINDER)
		*top = (struct d3_vec_d){base->x, h, base->z};
}

/* Whether the core is one point. */
static inline bool d3_proxy_is_ball(const struct d3_proxy *proxy)
{
	return proxy->type == D3_PROXY_POINTS && proxy->count == 1;
}

/* A point of the Minkowski difference, and the points of the cores that it comes from. */
struct d3_vertex {
	struct d3_vec_d a, b, w; /* points of the cores in A's frame, and w = b - a */
};

struct d3_simplex {
	struct d3_vertex v[4];
	int count;
	double weights[4]; /* barycentric weights of `nearest`, sum 1; of the origin if four vertices enclose it */
	struct d3_vec_d nearest; /* the simplex's point closest to the search's origin, minus that origin */
};

enum { D3_GJK_STEPS = 128, D3_EPA_POINTS = 512 };

/* GJK's simplex at each iteration. */
struct d3_gjk_trace {
	int count;
	struct d3_simplex steps[D3_GJK_STEPS + 1];
};

/* The polytope as EPA expands it: vertex k >= start_count was added in round k - start_count + 1. A triangle is part of the
 * polytope after round r if born <= r < died. */
struct d3_epa_trace {
	int start_count, count, face_count; /* vertices of the first polytope; all vertices; all faces */
	struct d3_vertex vertices[D3_EPA_POINTS];
	struct {
		uint16_t v[3]; /* counter-clockwise from outside */
		uint16_t born, died; /* rounds; the first polytope is round 0; died 65535: never */
	} faces[8 * D3_EPA_POINTS];
};

/* Computes the separation by GJK, and by EPA if the cores overlap or rounding hides their distance. Takes no half-spaces.
 * *simplex receives GJK's last simplex, of the cores; simplex and trace may be NULL. Returns whether GJK found the cores
 * apart. */
bool d3_gjk(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out,
	struct d3_simplex *simplex, struct d3_gjk_trace *trace);

/* Computes the separation by EPA, without GJK. Where EPA does not end at a face, as for smooth cores, descents refine the
 * result. If the cores are apart, the distance may be only a lower bound. Takes no half-spaces. trace may be NULL. */
void d3_epa(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out,
	struct d3_epa_trace *trace);

/* Whether the expanded sets overlap or touch, A swept along `sweep` (in A's frame, may be 0). GJK stops as soon as a bound of
 * the distance decides. Takes no half-spaces. */
bool d3_gjk_overlaps(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d sweep, int *iterations);

/* Separation by the pair's most exact method: a closed form, GJK or EPA. Either proxy may be a half-space. */
void d3_separation_find(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* --- Building blocks ------------------------------------------------------------------------------------------------------ */

/* M is the Minkowski difference: all b - a for points of B's core and A's core, in A's frame. The cores are as far apart as M
 * is from the origin. They overlap if M contains the origin; then the point of M's boundary closest to the origin is the least
 * translation of A that separates them. */

/* A core in A's frame. */
struct d3_core {
	const struct d3_proxy *proxy;
	struct d3_transform_d transform; /* to A's frame, from the frame of the points or, for other types, from proxy->frame */
	bool turned; /* false: `transform` is the identity */
};

/* The Minkowski difference M. */
struct d3_difference {
	struct d3_core a, b;
	double scale; /* magnitude of the coordinates, to which rounding errors are relative [length] */
	double sure; /* lower bound of the distance, which d3_difference_nearest sets from a support point */
	bool swept;
	struct d3_vec_d sweep; /* if `swept`: M is swept along this vector */
};

void d3_make_difference(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_difference *out);

/* The vertex of M farthest along d. */
void d3_difference_support(const struct d3_difference *difference, struct d3_vec_d d, struct d3_vertex *out);

/* Support value of M: the greatest n . w. */
static inline double d3_difference_width(const struct d3_difference *difference, struct d3_vec_d n)
{
	struct d3_vertex v;
	d3_difference_support(difference, n, &v);
	return d3_dot_d(n, v.w);
}

/* Finds the point of M closest to `origin`, s->nearest. False: M contains `origin`, or is so near that the direction would be
 * noise. *s is the final simplex in either case. If s->count > 0, the search starts from *s, whose vertices must be of this M.
 * Adds the number of steps to *iterations. trace may be NULL. */
bool d3_difference_nearest(struct d3_difference *difference, struct d3_vec_d origin, struct d3_simplex *s, int *iterations,
	struct d3_gjk_trace *trace);

/* Result of a test whether two sets are APART or NEAR; each test says what these mean. UNSURE: undecided within the
 * tolerance. */
enum d3_verdict { D3_UNSURE, D3_APART, D3_NEAR };

/* The count of a d3_corner_simplex whose cores overlap. */
enum { D3_CORES_OVERLAP = -1 };

/* Corner pairs of A and B whose weighted sums are the closest points of two polytope cores. count: 1..3; 0: unknown; or
 * D3_CORES_OVERLAP. */
struct d3_corner_simplex {
	int count;
	uint32_t a[3], b[3];
	double weights[3]; /* sum 1 */
};

/* Computes the separation of two proxies with polytope cores. APART: *out is set, exact to rounding. NEAR: the cores overlap.
 * UNSURE: they may overlap, or rounding hides the distance. The search starts from *simplex, the corners of the last result
 * (count <= 0: none), and updates it if APART. */
enum d3_verdict d3_corners_follow(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_corner_simplex *simplex, struct d3_separation *out);
/* Whether two proxies with polytope cores are APART or overlap (NEAR), radii included. */
enum d3_verdict d3_corners_verdict(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a);

/* As d3_corners_follow, but writes M's simplex closest to the origin. False: the cores are not clearly apart. */
bool d3_corners_nearest(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_corner_simplex *corners, struct d3_simplex *out);

/* Closest point of a surface, its outward normal, and the signed distance of the query point, > 0 outside. */
struct d3_round_closest {
	double distance;
	struct d3_vec_d normal, point;
};

/* Closest point to p on the surface, radius included, of a round solid (cylinder, cone, ellipsoid, tapered capsule), all in
 * solid->frame. False: another type. */
bool d3_round_closest_find(const struct d3_proxy *solid, struct d3_vec_d p, struct d3_round_closest *out);

/* Separation of a round solid and a polytope, in either order; a distance above `enough` may be a lower bound along
 * out->normal. False: an iterative search is needed. */
bool d3_round_separation(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, double enough,
	struct d3_separation *out);

/* Separation of a sphere, capsule or segment and a triangle without rounding, in this order. False: other types, or an
 * ill-conditioned pair: cores that cross, or are almost in contact or almost parallel to an edge. */
bool d3_capsule_triangle_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* Separation of two tapered capsules, or of a tapered capsule and a capsule or segment. False: other types, or an
 * ill-conditioned pair: axes nearly but not quite parallel, or an axis end close to the other axis. */
bool d3_tapered_separation(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_separation *out);

/* As d3_separation_find, but starts from *simplex as d3_corners_follow. simplex->count <= 0 afterwards: the corners of the
 * closest points are unknown. A distance above `enough` may be a lower bound along out->normal. */
void d3_separation_and_corners(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	double enough, struct d3_corner_simplex *simplex, struct d3_separation *out);

/* Sets *a and *b to the weighted sums of the vertices' points on the two cores, in A's frame. b - a is the simplex's point
 * closest to the search's origin. If that origin is 0 and the cores are apart, they are the cores' closest points. */
void d3_simplex_points(const struct d3_simplex *s, struct d3_vec_d *a, struct d3_vec_d *b);

/* Signed distance of two cores along `normal` [length]; a and b: their closest or deepest points. */
struct d3_depth {
	double distance;
	struct d3_vec_d normal, a, b;
	double off; /* distance of b from a + distance normal */
	int iterations;
};

/* Keeps the support value h along the unit vector n, as the distance -h along -n, if it is the least so far. */
static inline void d3_depth_keep(struct d3_depth *best, double h, struct d3_vec_d n)
{
	if (-h > best->distance) {
		best->distance = -h;
		best->normal = d3_neg_d(n);
	}
}

void d3_difference_depth(struct d3_difference *difference, struct d3_depth *out, struct d3_epa_trace *trace);

/* Turns out->normal towards a local maximum of the cores' signed distance along it, by descent (epa.c). Sets the distance, a, b
 * and off, and adds to out->iterations. */
void d3_difference_polish(struct d3_difference *difference, struct d3_depth *out);

/* Circle of unit normals n, n . axis = along, for which a core's support set is a line: see creases.c. */
struct d3_crease {
	struct d3_vec_d axis;
	double along;
};

struct d3_creases {
	int count;
	struct d3_crease of[2];
};

void d3_find_creases(const struct d3_difference *difference, struct d3_creases *out);
/* Evaluates M's support value at its minima on the creases, in both directions of their axes, and in the directions between
 * points or ball centres of the two cores. The least one sets best's distance and normal if it is less than best's. */
void d3_creases_lowest(const struct d3_difference *difference, const struct d3_creases *creases, struct d3_depth *best);
/* True: a descent from n finds only minima that d3_creases_lowest has evaluated. */
bool d3_creases_cover(const struct d3_difference *difference, const struct d3_creases *creases, struct d3_vec_d n);

/* Computes the cores' witness points for a known distance and normal, b = a + distance normal. The smaller core's is exact, the
 * larger core's has the error of the normal. */
void d3_difference_witness(
	const struct d3_difference *difference, double distance, struct d3_vec_d normal, struct d3_vec_d *a, struct d3_vec_d *b);
