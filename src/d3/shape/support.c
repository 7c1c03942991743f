/* support.c - see support.h. */
#include "d3/shape/support.h"
#include "d3/shape/shape_parts.h"
#include "d3/shape/support_points.h"

#include <assert.h>

static double coordinate_sum(struct d3_vec p)
{
	return fabs((double)p.x) + fabs((double)p.y) + fabs((double)p.z);
}

/* Completes the proxy of a triangle whose corners are in `own`. */
static void set_triangle(struct d3_proxy *out)
{
	out->type = D3_PROXY_POINTS;
	out->count = 3;
	out->points = NULL;
	out->reach = max_d(coordinate_sum(out->own[0]), max_d(coordinate_sum(out->own[1]), coordinate_sum(out->own[2])));
}

static void make_framed(const struct d3_shape *shape, enum d3_proxy_type type, struct d3_proxy *out)
{
	out->type = type;
	out->frame = shape->frame;
	out->half = d3_widen(shape->half);
}

/* Whether the rotation is exactly the identity: no other rotation has these entries. */
static bool is_straight(const struct d3_rot_d *q)
{
	return q->x.x == 1 && q->y.y == 1 && q->x.y == 0 && q->x.z == 0 && q->y.z == 0;
}

void d3_make_proxy(const struct d3_shape *shape, uint32_t child, struct d3_proxy *out)
{
	assert(child < d3_shape_child_count(shape));
	shape = d3_shape_part(shape, child);
	/* The switch sets the fields that only some types have. */
	out->type = D3_PROXY_POINTS;
	out->count = shape->count;
	out->points = shape->points;
	out->hull = NULL;
	out->reach = shape->extent;
	out->straight = false;
	out->radius = shape->radius;
	switch (shape->type) {
	case D3_BOX:
		out->hull = shape->hull;
		out->straight = is_straight(&shape->frame.q);
		break;
	case D3_HULL: out->hull = shape->hull; break;
	case D3_CYLINDER: make_framed(shape, D3_PROXY_CYLINDER, out); break;
	case D3_CONE: make_framed(shape, D3_PROXY_CONE, out); break;
	case D3_ELLIPSOID: make_framed(shape, D3_PROXY_ELLIPSOID, out); break;
	case D3_TAPERED_CAPSULE: make_framed(shape, D3_PROXY_TAPERED, out); break;
	case D3_HALF_SPACE:
		out->type = D3_PROXY_HALF_SPACE;
		out->normal = shape->normal;
		out->offset = shape->offset;
		break;
	case D3_MESH:
		d3_mesh_triangle(shape->mesh, child, out->own);
		set_triangle(out);
		break;
	case D3_HEIGHT_FIELD:
	case D3_VOXELS:
		d3_shape_triangle(shape, child, out->own);
		set_triangle(out);
		break;
	default: break;
	}
}

/* The longest side of the points' AABB. Four points at a time are read as twelve floats, in three vectors; floats i and i + 3
 * are the same coordinate. */
static double greatest_extent(const struct d3_vec *points, uint32_t count)
{
	float low[3][4], high[3][4];
	if (count < 4) {
		for (int i = 0; i < 3; ++i)
			for (int k = 0; k < 4; ++k)
				low[i][k] = high[i][k] = ((const float *)points)[(4 * i + k) % 3];
		for (uint32_t i = 1; i < count; ++i) {
			for (int k = 0; k < 3; ++k) {
				low[0][k] = min_f(low[0][k], ((const float *)&points[i])[k]);
				high[0][k] = max_f(high[0][k], ((const float *)&points[i])[k]);
			}
		}
	} else {
		float4 least[3], most[3]; /* `most` holds the least of the negated floats */
		for (uint32_t i = 0; i < count; i += 4) {
			const struct d3_vec *from = points + (i + 4 <= count ? i : count - 4);
			for (int k = 0; k < 3; ++k) {
				float4 v;
				memcpy(&v, (const float *)from + 4 * k, sizeof v);
				least[k] = i > 0 ? float4_least(least[k], v) : v;
				most[k] = i > 0 ? float4_least(most[k], -v) : -v;
			}
		}
		for (int k = 0; k < 3; ++k) {
			most[k] = -most[k];
			memcpy(low[k], &least[k], sizeof low[k]);
			memcpy(high[k], &most[k], sizeof high[k]);
		}
	}
	double extent = 0;
	for (int k = 0; k < 3; ++k) {
		float least_k = low[0][k], most_k = high[0][k];
		for (int i = k; i < 12; i += 3) {
			least_k = min_f(least_k, low[i / 4][i % 4]);
			most_k = max_f(most_k, high[i / 4][i % 4]);
		}
		extent = max_d(extent, (double)most_k - least_k);
	}
	return extent;
}

double d3_proxy_size(const struct d3_proxy *proxy)
{
	if (proxy->type == D3_PROXY_HALF_SPACE)
		return INFINITY;
	if (proxy->type == D3_PROXY_TAPERED)
		return proxy->half.y + 0.5 * proxy->half.x + proxy->radius;
	if (proxy->type != D3_PROXY_POINTS)
		return max_d(proxy->half.x, max_d(proxy->half.y, proxy->half.z));
	const struct d3_vec *points = d3_proxy_points(proxy);
	if (proxy->count <= 2) {
		struct d3_vec_d delta = d3_sub_d(d3_widen(points[proxy->count - 1]), d3_widen(points[0]));
		return 0.5 * max_d(fabs(delta.x), max_d(fabs(delta.y), fabs(delta.z))) + proxy->radius;
	}
	return 0.5 * greatest_extent(points, proxy->count) + proxy->radius;
}

/* --- Farthest points ------------------------------------------------------------------------------------------------------ */

/* Farthest point along d of the circle of this radius about the y axis at height y; its centre if d is along the axis. across:
 * sqrt(d.x^2 + d.z^2). */
static struct d3_vec_d on_rim(double radius, double y, struct d3_vec_d d, double across)
{
	return across > 0 ? (struct d3_vec_d){radius * (d.x / across), y, radius * (d.z / across)} : (struct d3_vec_d){0, y, 0};
}

/* Support point of an ellipsoid's core. With half axes h and the unit vector n along d, that of the ellipsoid is h^2 n / |h n|,
 * and that of its parallel surface at distance r inside is r n less. That surface is convex while r is at most the least radius
 * of curvature. */
static struct d3_vec_d farthest_of_ellipsoid(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	struct d3_vec_d h = proxy->half;
	double length = d3_length_d(d);
	if ((h.x == h.y && h.y == h.z) || !(length > 0))
		return (struct d3_vec_d){0, 0, 0};
	struct d3_vec_d n = d3_scale_d(1 / length, d), stretched = {h.x * n.x, h.y * n.y, h.z * n.z};
	double inverse = 1 / d3_length_d(stretched), r = proxy->radius;
	return (struct d3_vec_d){
		h.x * stretched.x * inverse - r * n.x, h.y * stretched.y * inverse - r * n.y, h.z * stretched.z * inverse - r * n.z};
}

struct d3_vec_d d3_core_farthest(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	switch (proxy->type) {
	case D3_PROXY_CYLINDER:
		return on_rim(proxy->half.x, d.y >= 0 ? proxy->half.y : -proxy->half.y, d, sqrt(d.x * d.x + d.z * d.z));
	case D3_PROXY_CONE: {
		double across = sqrt(d.x * d.x + d.z * d.z);
		if (2 * proxy->half.y * d.y >= proxy->half.x * across)
			return (struct d3_vec_d){0, proxy->half.y, 0};
		return on_rim(proxy->half.x, -proxy->half.y, d, across);
	}
	case D3_PROXY_ELLIPSOID: return farthest_of_ellipsoid(proxy, d);
	case D3_PROXY_TAPERED: {
		double length = d3_length_d(d), scale = length > 0 ? proxy->half.x / length : 0;
		if (2 * proxy->half.y * d.y >= proxy->half.x * length)
			return (struct d3_vec_d){0, proxy->half.y, 0};
		return (struct d3_vec_d){scale * d.x, scale * d.y - proxy->half.y, scale * d.z};
	}
	default: return d3_widen(d3_proxy_points(proxy)[farthest_of_points(proxy, d)]);
	}
}

struct d3_vec_d d3_core_support(const struct d3_proxy *proxy, struct d3_vec_d d)
{
	assert(proxy->type != D3_PROXY_HALF_SPACE);
	/* Squares of very short or long directions would under- or overflow. */
	double most = max_d(fabs(d.x), max_d(fabs(d.y), fabs(d.z)));
	if (most > 0 && (most < 1e-100 || most > 1e100))
		d = (struct d3_vec_d){d.x / most, d.y / most, d.z / most};
	if (proxy->type == D3_PROXY_POINTS)
		return d3_widen(d3_proxy_points(proxy)[farthest_of_points(proxy, d)]);
	return d3_transform_point_d(&proxy->frame, d3_core_farthest(proxy, d3_inv_turn_d(&proxy->frame.q, d)));
}

double d3_core_reach(const struct d3_proxy *proxy, const struct d3_vec_d *d)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	if (proxy->type != D3_PROXY_POINTS)
		return d3_dot_d(*d, d3_core_support(proxy, *d));
	if (proxy->straight)
		return d3_dot_d(*d, d3_widen(points[farthest_of_box(d)]));
	return greatest_along(proxy, points, d);
}
