/* gjk.h - the distance between two convex sets, or their penetration depth.
 * A set is a core (the hull of points, the inside of an ellipse's inner parallel curve, or a half-plane) widened by a radius.
 * Between separated cores the normal is well conditioned, even if the widened sets overlap slightly.
 * Arithmetic is double: the distance of close cores is a small difference of large numbers, and its direction is the contact
 * normal. Iterations are capped; at the cap the best result so far is returned.
 * Pure, any thread. */
#pragma once
#include "d2/shape/tiles.h"
#include "d2/shape/shape.h"

#include <assert.h>

enum d2_proxy_type { D2_PROXY_POINTS, D2_PROXY_ELLIPSE, D2_PROXY_HALF_PLANE };

struct d2_proxy {
	enum d2_proxy_type type;
	uint32_t count;
	const struct d2_vec *points; /* POINTS: 1..64 of them; ELLIPSE: its centre. The shape owns them and must stay alive */
	const struct d2_vec *normals; /* POINTS: of the edges, outward, or NULL. penetration.h needs them for more than 2 points */
	const struct d2_edge *edges; /* POINTS: the edges, in double, or NULL */
	struct d2_vec axes; /* ELLIPSE: half axes of the whole ellipse, about points[0]; HALF_PLANE: its normal */
	struct d2_rot_d rotation; /* ELLIPSE */
	float radius; /* around the core; ELLIPSE: distance of the core inside the ellipse */
	float offset; /* HALF_PLANE: the set is normal . p <= offset */
};

struct d2_gjk_result {
	float distance; /* between the surfaces; <= 0 when they touch or overlap */
	struct d2_vec normal; /* unit, from A to B, in A's frame */
	struct d2_vec point_a, point_b; /* on the surfaces, in A's frame */
};

/* The type that decides the method and the canonical order: an ellipse with equal axes is a circle. */
static inline enum d2_shape_type d2_type_measured(const struct d2_shape *shape)
{
	return shape->type == D2_ELLIPSE && shape->axes.x == shape->axes.y ? D2_CIRCLE : shape->type;
}

/* Sets only the members that a proxy of type POINTS needs. False: the shape needs another type, or is a chain. */
static inline bool d2_proxy_set_points(struct d2_proxy *proxy, const struct d2_shape *shape)
{
	proxy->type = D2_PROXY_POINTS;
	proxy->count = shape->count;
	proxy->points = shape->points;
	proxy->normals = shape->normals;
	proxy->edges = shape->edges;
	proxy->radius = shape->radius;
	return d2_type_measured(shape) < D2_ELLIPSE;
}

/* A convex proxy of one child of a shape. A chain's segment becomes two-sided. */
static inline struct d2_proxy d2_make_proxy(const struct d2_shape *shape, uint32_t child)
{
	assert(child < d2_shape_child_count(shape));
	struct d2_proxy proxy = {.offset = 0};
	d2_proxy_set_points(&proxy, shape);
	if (shape->type == D2_CHAIN && shape->stride > 2) {
		struct d2_shape area;
		d2_tiles_area(shape, child, &area);
		d2_proxy_set_points(&proxy, &area);
	} else if (shape->type == D2_CHAIN) {
		proxy.points = d2_segment(shape, child);
		proxy.count = 2;
		proxy.normals = NULL; /* a chain stores one normal per segment, for one side */
	} else if (d2_type_measured(shape) == D2_ELLIPSE) {
		proxy.type = D2_PROXY_ELLIPSE;
		proxy.axes = shape->axes;
		proxy.rotation = d2_exact_rot(shape->rotation);
	} else if (shape->type == D2_HALF_PLANE) {
		proxy.type = D2_PROXY_HALF_PLANE;
		proxy.axes = shape->normal;
		proxy.offset = shape->offset;
	}
	return proxy;
}

/* Computes the signed distance by GJK, or by EPA if the cores overlap; with a half-plane in closed form. b_in_a: transform from
 * B's frame to A's. Two half-planes overlap by 1e18 unless their normals are opposite. */
void d2_gjk_distance(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform *b_in_a, struct d2_gjk_result *out);

/* --- In doubles, without a world, with traces ----------------------------------------------------------------------------- */

/* As struct d2_gjk_result, in doubles. point_b = point_a + distance * normal, except for two half-planes that overlap by
 * 1e18. */
struct d2_separation {
	double distance;
	struct d2_vec_d normal, point_a, point_b;
	int iterations; /* of GJK and EPA together */
};

/* A point of the Minkowski difference, and the points it comes from. */
struct d2_vertex {
	struct d2_vec_d a, b, w; /* points of the cores in A's frame, and w = b - a */
};

struct d2_simplex {
	struct d2_vertex v[3];
	int count;
	double part; /* of two vertices: the fraction of the segment from v[0] to v[1] at which `nearest` lies */
	struct d2_vec_d nearest; /* the simplex's point closest to the origin; of three vertices the origin, which they enclose */
};

enum { D2_GJK_STEPS = 64, D2_EPA_STEPS = 256 };

/* The simplex of each iteration. The caller sets count to 0; d2_gjk appends. */
struct d2_gjk_trace {
	int count;
	struct d2_simplex steps[D2_GJK_STEPS + 1];
};

/* The polygon that EPA starts from, and the vertices that it inserts. */
struct d2_epa_trace {
	int start_count, count;
	struct d2_vertex start[4];
	struct {
		int after; /* index in the polygon so far of the vertex that `fresh` follows */
		struct d2_vertex fresh;
	} steps[D2_EPA_STEPS];
};

/* Computes the AABB of the points, without the radius, in the proxy's frame. */
static inline void d2_proxy_bounds(const struct d2_proxy *proxy, struct d2_vec_d *lower, struct d2_vec_d *upper)
{
	*lower = *upper = d2_widen(proxy->points[0]);
	for (uint32_t i = 1; i < proxy->count; ++i) {
		struct d2_vec_d p = d2_widen(proxy->points[i]);
		*lower = (struct d2_vec_d){min_d(lower->x, p.x), min_d(lower->y, p.y)};
		*upper = (struct d2_vec_d){max_d(upper->x, p.x), max_d(upper->y, p.y)};
	}
}

/* The set's greatest half extent: half the longer side of the points' AABB, plus the radius; an ellipse's greater half axis;
 * INFINITY for a half-plane. */
double d2_proxy_size(const struct d2_proxy *proxy);

/* The index of the point farthest along d, which need not be a unit vector, in the proxy's frame. */
static inline uint32_t d2_proxy_farthest(const struct d2_proxy *proxy, struct d2_vec_d d)
{
	uint32_t best = 0;
	double far = proxy->points[0].x * d.x + proxy->points[0].y * d.y;
	for (uint32_t i = 1; i < proxy->count; ++i) {
		double along = proxy->points[i].x * d.x + proxy->points[i].y * d.y;
		best = along > far ? i : best;
		far = max_d(along, far);
	}
	return best;
}

/* The support point of the core along d, which need not be a unit vector, in the proxy's frame. Not for half-planes. */
struct d2_vec_d d2_core_support(const struct d2_proxy *proxy, struct d2_vec_d d);

/* Computes the separation by GJK. False: the cores overlap or touch, and EPA has computed it. No half-planes. *simplex: the
 * last one. simplex and trace may be NULL. */
bool d2_gjk(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out,
	struct d2_simplex *simplex, struct d2_gjk_trace *trace);

/* Computes the separation by EPA alone. For separated cores its distance is only a lower bound. No half-planes. trace may be
 * NULL. */
void d2_epa(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out,
	struct d2_epa_trace *trace);

/* Whether A, swept by `sweep` (in A's frame) without rotation, overlaps or touches B, by GJK with an early exit. No
 * half-planes. */
bool d2_gjk_overlaps(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_vec_d sweep, int *iterations);

/* Computes the separation: by d2_gjk or, if A is a half-plane, in closed form. B may be a half-plane only if A is one. Two
 * half-planes overlap by 1e18 unless their normals are opposite. */
void d2_separation_find(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_separation *out);
