/* gjk.h - the distance between two convex sets, or how deep they overlap.
 * A set is a core (points, a cylinder, a cone, the inner surface of an ellipsoid, the hull of a ball and a point, or a
 * half-space) widened by a radius. The distance between separated cores has a well conditioned normal even where the widened
 * sets overlap a little.
 * Iterations are capped; the best result so far is returned at the cap.
 * Pure, any thread. */
#pragma once
#include "d3/shape/shape.h"

enum d3_proxy_type {
	D3_PROXY_POINTS,
	D3_PROXY_CYLINDER,
	D3_PROXY_CONE,
	D3_PROXY_ELLIPSOID,
	D3_PROXY_TAPERED,
	D3_PROXY_HALF_SPACE
};

struct d3_proxy {
	enum d3_proxy_type type;
	uint32_t count; /* POINTS: 1..256 */
	const struct d3_vec *points; /* in the shape, which must stay alive; NULL: `own` */
	struct d3_vec own[3]; /* of a mesh's or height field's triangle, so that a proxy can be copied */
	const struct d3_hull *hull; /* box and hull, else NULL */
	double reach; /* POINTS: all of them are within it of the origin; 0: not known */
	/* the corners of a box along the axes, of which the bits of a corner's number tell the side: x 1, y 2, z 4 */
	bool straight;
	struct d3_transform_d frame; /* CYLINDER, CONE, ELLIPSOID, TAPERED: of its axes in the shape's frame; see shape.h */
	struct d3_vec_d half;
	struct d3_vec_d normal; /* HALF_SPACE */
	double offset;
	double radius; /* around the core; ELLIPSOID: what the core is smaller by */
};

static inline const struct d3_vec *d3_proxy_points(const struct d3_proxy *proxy)
{
	return proxy->points ? proxy->points : proxy->own;
}

/* A convex stand-in for one child of a shape. Triangles become two-sided. */
void d3_make_proxy(const struct d3_shape *shape, uint32_t child, struct d3_proxy *out);
/* The stand-in for the origin of its frame. */
void d3_make_point_proxy(struct d3_proxy *out);

/* point_b = point_a + distance * normal. */
struct d3_gap {
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

/* The farthest point of the core along d, which need not be a unit vector but must not be 0, in the proxy's own frame. Not for
 * half-spaces. */
struct d3_vec_d d3_core_support(const struct d3_proxy *proxy, struct d3_vec_d d);
/* The same along the core's own axes, that of `frame`. */
struct d3_vec_d d3_core_farthest(const struct d3_proxy *proxy, struct d3_vec_d d);
/* How far along that is: d . p. d must be about a unit vector. */
double d3_core_reach(const struct d3_proxy *proxy, const struct d3_vec_d *d);

/* GJK, and where the cores overlap d3_epa. Neither is a half-space. simplex (of the cores) and trace may be NULL. Whether the
 * cores are apart. */
bool d3_gjk(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out,
	struct d3_simplex *simplex, struct d3_gjk_trace *trace);

/* EPA alone, on the cores, with the rest that smooth shapes leave polished away: for cores that are apart the polytope's signed
 * distance is a lower bound only. Neither is a half-space. trace may be NULL. */
void d3_epa(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out,
	struct d3_epa_trace *trace);

/* GJK for yes or no: stops as soon as a bound of the distance decides. A counts as swept by `sweep`, which may be zero: as the
 * hull of where it starts and where it ends. Neither is a half-space. */
bool d3_gjk_overlaps(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_vec_d sweep, int *iterations);

/* A half-space (a) against anything but a half-space, in closed form. */
void d3_half_space_gap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out);
/* Two half-spaces: they overlap by 1e18 unless their normals are opposite. */
void d3_half_spaces_gap(
	const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out);

/* Whatever is best for the two, exact; either may be a half-space. Its normal is what d3_measure reports. */
void d3_gap_find(const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a, struct d3_gap *out);

/* The farthest that the set reaches from the origin of its frame, of an ellipsoid at most; 0 for half-spaces. */
double d3_proxy_reach(const struct d3_proxy *proxy);
/* Its greatest half extent; INFINITY for half-spaces. */
double d3_proxy_size(const struct d3_proxy *proxy);
