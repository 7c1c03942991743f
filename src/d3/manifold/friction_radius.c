/* friction_radius.c - the mean distance of a contact's area from its centre.
 * Friction brakes a body that spins flat over the whole contact area, not only at the contact points:
 *   R = integral |r| dA / A        2 a/3 of a disc of radius a, 0.3826 a of a square of side a
 * The mean over a triangle from the centre to an edge is two thirds of the mean over the edge, by similarity; Simpson's rule in
 * both halves of the edge finds that to within 1 %. The area is the polygon of the points; but if a face of more corners is in
 * contact as a whole, as of a disc or a prism, the area is that face. A line of length l, as of a log that lies flat, has even
 * pressure, R = l/4; but if a surface of triangles bends under it, as in a bowl, the pressure is at its ends, R = l/2. For four
 * points of shapes that have no faces of more corners, the solver computes R in lanes when it first takes the contact: see
 * contact_prepare_lanes.h.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

/* Twice the area, and twice the integral of the distance from the centre over it. */
struct friction_radius {
	float area, moment;
};

/* Adds the triangle of the centre (the origin) and two corners, in the plane perpendicular to n. */
static void add_triangle(struct friction_radius *friction_radius, struct d3_vec n, struct d3_vec from, struct d3_vec to)
{
	struct d3_vec middle = d3_scale(0.5f, d3_add(from, to));
	float area = abs_f(d3_dot(n, d3_cross(from, to)));
	float quarters = d3_length(d3_add(from, middle)) + d3_length(d3_add(middle, to));
	friction_radius->area += area;
	friction_radius->moment += area * (d3_length(from) + 2.0f * (quarters + d3_length(middle)) + d3_length(to)) / 18.0f;
}

static struct friction_radius friction_radius_around(
	struct d3_vec n, const struct d3_vec *corners, const uint8_t *order, uint32_t count)
{
	struct friction_radius friction_radius = {0, 0};
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t k = i + 1 < count ? i + 1 : 0;
		add_triangle(&friction_radius, n, corners[order ? order[i] : i], corners[order ? order[k] : k]);
	}
	return friction_radius;
}

/* Translates the corners so that their mean is the origin. */
static void center_corners(struct d3_vec *corners, uint32_t count)
{
	struct d3_vec middle = {0, 0, 0};
	for (uint32_t i = 0; i < count; ++i)
		middle = d3_add(middle, corners[i]);
	for (uint32_t i = 0; i < count; ++i)
		corners[i] = d3_mul_add(corners[i], -1.0f / (float)count, middle);
}

/* Integrates over the polygon of up to four points, in the order around the centre that spans the largest area. */
static struct friction_radius points_friction_radius(struct d3_vec n, const struct d3_vec *points, uint32_t count)
{
	static const uint8_t orders[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}};
	float most = -1;
	uint32_t best = 0;
	for (uint32_t i = 0; i < 3 && count == 4; ++i) {
		/* Twice the area, from the diagonals. */
		const uint8_t *order = orders[i];
		struct d3_vec one = d3_sub(points[order[2]], points[order[0]]), other = d3_sub(points[order[3]], points[order[1]]);
		float area = abs_f(d3_dot(n, d3_cross(one, other)));
		if (area > most) {
			most = area;
			best = i;
		}
	}
	return friction_radius_around(n, points, orders[best], count);
}

/* Whether a face of this shape may have more corners than a manifold has points. */
static bool has_large_faces(const struct d3_shape *shape)
{
	return shape->type == D3_CYLINDER || shape->type == D3_CONE || shape->type == D3_HULL;
}

/* If the points span more than this fraction of a face, all of the face counts as in contact: every convex area contains a
 * quadrangle of at least 2/pi of its size (Sas, 1939), and the four points span nearly the largest. */
#define WHOLE_FACE 0.6f

/* Sets *out for the shape's face towards n. False: it has at most four corners, or the points span too little of it. */
static bool whole_face(const struct d3_shape *shape, const struct d3_frame *frame, struct d3_vec n,
	const struct friction_radius *points, struct friction_radius *out)
{
	struct d3_proxy proxy;
	struct d3_contact_face patch;
	d3_make_proxy(shape, 0, &proxy);
	d3_proxy_face(&proxy, frame, n, &patch);
	if (patch.count <= D3_MANIFOLD_POINTS)
		return false;
	center_corners(patch.p, patch.count);
	*out = friction_radius_around(n, patch.p, NULL, patch.count);
	return points->area > WHOLE_FACE * out->area;
}

/* Whether one shape is a mesh or height field that bends between the points: then the contact normal is not that of its
 * triangle. */
static bool surface_bends(const struct d3_local_manifold *manifold, const struct d3_shape *a, const struct d3_shape *b,
	const struct d3_transform *b_in_a)
{
	struct d3_vec n = manifold->normal;
	if (d3_shape_must_be_static(a))
		return !d3_is_face(a, manifold->triangle, n);
	return d3_shape_must_be_static(b) && !d3_is_face(b, manifold->triangle, d3_neg(d3_inv_rotate(b_in_a->q, n)));
}

float d3_friction_radius(const struct d3_local_manifold *manifold, const struct d3_shape *a, const struct d3_shape *b,
	const struct d3_transform *b_in_a)
{
	struct d3_vec points[D3_MANIFOLD_POINTS], n = manifold->normal;
	uint32_t count = (uint32_t)manifold->count;
	if (count == D3_MANIFOLD_POINTS && !has_large_faces(a) && !has_large_faces(b))
		return D3_FRICTION_RADIUS_UNKNOWN;
	for (uint32_t i = 0; i < count; ++i)
		points[i] = manifold->points[i].point;
	center_corners(points, count);
	if (count < 3)
		return count < 2 ? 0.0f
						 : (surface_bends(manifold, a, b, b_in_a) ? 0.5f : 0.25f) * d3_length(d3_sub(points[1], points[0]));
	struct friction_radius friction_radius = points_friction_radius(n, points, count), face;
	struct d3_frame frame = d3_frame_of(b_in_a);
	if (count == D3_MANIFOLD_POINTS &&
		((has_large_faces(b) && whole_face(b, &frame, d3_neg(n), &friction_radius, &face)) ||
			(has_large_faces(a) && whole_face(a, &d3_frame_identity, n, &friction_radius, &face))))
		friction_radius = face;
	return friction_radius.area > 0.0f ? friction_radius.moment / friction_radius.area : 0.0f;
}
