/* support.h - convex stand-ins for shapes and their children, called proxies, and their support points.
 * A proxy is a core expanded by a radius. The core is points (their hull), a cylinder, a cone, the inner surface of an
 * ellipsoid, the hull of a ball and a point, or a half-space.
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
	uint32_t count; /* POINTS: number of points, 1..256 */
	const struct d3_vec *points; /* owned by the shape, which must stay alive; NULL: the points are in `own` */
	struct d3_vec own[3]; /* corners of a mesh's or height field's triangle, so that a proxy can be copied */
	const struct d3_hull *hull; /* box and hull, else NULL */
	double reach; /* POINTS: upper bound on their distance from the body's origin [length]; 0: unknown */
	/* the points are those of a box along the body's axes: bit k of a point's number tells its side along axis k */
	bool straight;
	struct d3_transform_d frame; /* CYLINDER, CONE, ELLIPSOID, TAPERED: as in struct d3_shape */
	struct d3_vec_d half;
	struct d3_vec_d normal; /* HALF_SPACE: solid where normal . p <= offset */
	double offset;
	double radius; /* rounding around the core; ELLIPSOID: the core is the surface offset inwards by this radius */
};

static inline const struct d3_vec *d3_proxy_points(const struct d3_proxy *proxy)
{
	return proxy->points ? proxy->points : proxy->own;
}

/* Makes the proxy of one child of a shape. Triangles of one-sided surfaces become two-sided. */
void d3_make_proxy(const struct d3_shape *shape, uint32_t child, struct d3_proxy *out);

/* The support point: the farthest point of the core along d, both in the body's frame. d need not be a unit vector, but must
 * not be zero. Not for half-spaces. */
struct d3_vec_d d3_core_support(const struct d3_proxy *proxy, struct d3_vec_d d);

/* The same with d and the point in `proxy->frame`; for POINTS, which have none, in the body's frame. */
struct d3_vec_d d3_core_farthest(const struct d3_proxy *proxy, struct d3_vec_d d);

/* The support value of the core: the greatest d . p. The length of d must be about 1. */
double d3_core_reach(const struct d3_proxy *proxy, const struct d3_vec_d *d);

/* The size of the proxy: its greatest half extent, with the radius, along the axes of its frame or, for POINTS, of the body's;
 * INFINITY for half-spaces. */
double d3_proxy_size(const struct d3_proxy *proxy);
