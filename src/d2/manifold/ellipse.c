/* ellipse.c - ellipses against convex shapes, without a search over simplices.
 * The separation along a direction n is s(n) = n.c - h_A(n) - h_B(-n), h being the support functions about the centres and c
 * the vector between these; the greatest s is the distance. With n = (cos q, sin q), t its perpendicular, x the support points
 * and r the radii of curvature there,
 *   ds/dq   = t.(x_B - x_A)
 *   d2s/dq2 = -(s + r_A + r_B)        since h + h'' = r
 * so that Newton's step is q += t.(x_B - x_A)/(s + r_A + r_B). It converges quadratically, in four to six rounds from the
 * gradient of the ellipse towards the other centre. A polygon touches with one face, in closed form, or with one corner, which
 * is treated as a circle of the polygon's radius. Pairs that do not converge, or overlap so deeply that a local maximum of s
 * need not be the global one, go to gjk.c, which takes some ten times longer. Source of h + h'' = r: Santalo, "Integral
 * geometry and geometric probability", 1976, I.1.2.
 * Pure, any thread. */
#include "d2/query/gjk.h"
#include "d2/manifold/manifold_parts.h"

enum { NEWTON_ROUNDS = 12 };

/* After a step below this [rad] the normal's error, about the step's square, is below the rounding error of floats. */
static const double last_step = 1e-5;
/* Longest step [rad, nearly]: keeps a bad start on the right side of the maximum. */
static const double longest_step = 0.6;
/* Overlaps deeper than this fraction of the sum of both inner extents go to GJK. */
static const double deep_tolerance = 0.2;

/* An ellipse, or with equal axes a circle, in the frame of A's axes. */
struct oval {
	struct d2_vec_d center;
	struct d2_rot q;
	double a, b;
};

/* The support point along the unit vector n, relative to the oval's centre: (a^2 nx, b^2 ny)/h with h = sqrt(a^2 nx^2 + b^2
 * ny^2), in its own axes; the radius of curvature there is a^2 b^2/h^3. */
static struct d2_vec_d oval_support(const struct oval *oval, struct d2_vec_d n, double *curvature_radius)
{
	if (oval->a == oval->b) {
		*curvature_radius = oval->a;
		return d2_scale_d(oval->a, n);
	}
	struct d2_vec_d m = d2_inv_rotate_d(oval->q, n);
	double x = oval->a * m.x, y = oval->b * m.y, inverse = 1 / sqrt(x * x + y * y), part = oval->a * oval->b * inverse;
	*curvature_radius = part * part * inverse;
	return d2_rotate_d(oval->q, (struct d2_vec_d){oval->a * x * inverse, oval->b * y * inverse});
}

static struct d2_vec_d unit_d(struct d2_vec_d v)
{
	double length = d2_length_d(v);
	return length > 0 ? d2_scale_d(1 / length, v) : (struct d2_vec_d){0, 1};
}

struct separation {
	struct d2_vec_d normal; /* from A to B */
	struct d2_vec_d middle;
	double separation;
	bool face, border; /* see struct d2_local_manifold */
};

/* The greatest separation of two ovals, A at the origin and not rotated. False: the iteration did not converge. */
static bool ovals_separation(const struct oval *a, const struct oval *b, struct separation *best)
{
	struct d2_vec_d n = unit_d((struct d2_vec_d){b->center.x / (a->a * a->a), b->center.y / (a->b * a->b)});
	for (int round = 0; round < NEWTON_ROUNDS; ++round) {
		double ra, rb;
		struct d2_vec_d xa = oval_support(a, n, &ra), xb = d2_sub_d(b->center, oval_support(b, n, &rb));
		struct d2_vec_d delta = d2_sub_d(xb, xa);
		double slope = d2_cross_d(n, delta), separation = d2_dot_d(n, delta), bend = separation + ra + rb;
		/* Where the curvature has the wrong sign the maximum is far: take the longest step, uphill. */
		double step = bend > 0 ? clamp_d(slope / bend, -longest_step, longest_step) : slope > 0 ? longest_step : -longest_step;
		if (bend > 0 && abs_d(step) < last_step) {
			/* One more step for n, without new support points: the separation would change only by the square of the step. */
			best->normal = unit_d((struct d2_vec_d){n.x - step * n.y, n.y + step * n.x});
			best->middle = d2_scale_d(0.5, d2_add_d(xa, xb));
			best->separation = separation;
			best->face = best->border = false;
			return true;
		}
		n = unit_d((struct d2_vec_d){n.x - step * n.y, n.y + step * n.x});
	}
	return false;
}

static void add_contact(
	const struct separation *best, struct d2_transform own, float speculative, struct d2_local_manifold *out)
{
	out->clearance = (float)best->separation - speculative;
	if (best->separation > speculative)
		return;
	out->face = best->face;
	out->border = best->border;
	d2_manifold_set_point(out, d2_rotate(own.q, d2_narrow(best->normal)), d2_transform_point(own, d2_narrow(best->middle)),
		(float)best->separation, 0);
}

/* The edge of b with the greatest separation from the ellipse A, and its normal in A's frame. */
struct face {
	uint32_t edge;
	struct d2_vec_d normal, deepest; /* outward of b; the ellipse's deepest point */
	double separation; /* from b's core */
};

static struct face widest_face(const struct oval *a, const struct d2_shape *b, const struct d2_transform *b_in_a)
{
	struct face best = {.separation = -INFINITY};
	for (uint32_t i = 0; i < b->count; ++i) {
		struct d2_vec_d m = d2_rotate_d(b_in_a->q, d2_widen(b->normals[i]));
		double base = d2_dot_d(d2_widen(b->normals[i]), d2_widen(b->points[i])) + d2_dot_d(m, d2_widen(b_in_a->p));
		double x = a->a * m.x, y = a->b * m.y, h = sqrt(x * x + y * y), separation = -h - base;
		if (separation > best.separation)
			best = (struct face){i, m, {-a->a * x / h, -a->b * y / h}, separation};
	}
	return best;
}

static struct d2_vec_d corner_in_a(const struct d2_shape *b, uint32_t i, const struct d2_transform *b_in_a)
{
	return d2_add_d(d2_widen(b_in_a->p), d2_rotate_d(b_in_a->q, d2_widen(b->points[i])));
}

/* Whether corner i is b's support point along -n, to within rounding error. Else the line of closest points ends in an edge,
 * not in the corner. */
static bool corner_is_nearest(const struct d2_shape *b, uint32_t i, const struct d2_transform *b_in_a, struct d2_vec_d n)
{
	struct d2_vec_d m = d2_inv_rotate_d(b_in_a->q, n), corner = d2_widen(b->points[i]);
	struct d2_vec_d before = d2_widen(b->points[i > 0 ? i - 1 : b->count - 1]), after = d2_widen(b->points[i + 1]);
	double slack = 1e-6 * (abs_d(corner.x) + abs_d(corner.y));
	return d2_dot_d(m, d2_sub_d(before, corner)) >= -slack && d2_dot_d(m, d2_sub_d(after, corner)) >= -slack;
}

/* Separation of an ellipse from a rounded polygon, along its best face's normal or from a corner of that face. False: neither
 * is sure to be the greatest separation. */
static bool outline_separation(
	const struct oval *a, const struct d2_shape *b, const struct d2_transform *b_in_a, struct separation *best)
{
	struct face face = widest_face(a, b, b_in_a);
	struct d2_vec_d v1 = corner_in_a(b, face.edge, b_in_a), v2 = corner_in_a(b, face.edge + 1, b_in_a);
	struct d2_vec_d delta = d2_sub_d(v2, v1);
	double along = d2_dot_d(delta, d2_sub_d(face.deepest, v1)), square = d2_dot_d(delta, delta);
	if (along >= 0 && along <= square) {
		best->separation = face.separation - b->radius;
		best->face = true;
		best->border = false;
		best->normal = (struct d2_vec_d){-face.normal.x, -face.normal.y};
		best->middle = d2_mul_add_d(face.deepest, -0.5 * best->separation, face.normal);
		return true;
	}
	uint32_t corner = along < 0 ? face.edge : face.edge + 1 < b->count ? face.edge + 1 : 0;
	struct oval circle = {along < 0 ? v1 : v2, {1, 0}, b->radius, b->radius};
	bool found = ovals_separation(a, &circle, best);
	best->border = true;
	return found && corner_is_nearest(b, corner, b_in_a, best->normal);
}

static void collide_slowly(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	struct d2_proxy proxy_a = d2_make_proxy(a, 0), proxy_b = d2_make_proxy(b, 0);
	struct d2_gjk_result near;
	d2_gjk_distance(&proxy_a, &proxy_b, b_in_a, &near);
	out->clearance = near.distance - speculative;
	if (near.distance > speculative)
		return;
	out->border = b->count > 1;
	d2_manifold_set_point(out, near.normal, d2_scale(0.5f, d2_add(near.point_a, near.point_b)), near.distance, 0);
}

/* Whether the shape is a circle, or a capsule of length 0, which has no face either. */
static bool is_circle(const struct d2_shape *shape)
{
	return shape->type == D2_CIRCLE ||
		(shape->type == D2_CAPSULE && shape->points[0].x == shape->points[1].x && shape->points[0].y == shape->points[1].y);
}

void d2_collide_ellipse(const struct d2_shape *a, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	struct d2_transform own = d2_ellipse_frame(a);
	struct d2_transform b_in_own = {d2_inv_transform_point(own, b_in_a->p), d2_inv_mul_rot(own.q, b_in_a->q)};
	struct oval oval_a = {{0, 0}, {1, 0}, a->axes.x, a->axes.y};
	struct separation best;
	bool found;
	out->count = 0;
	if (is_circle(b) || b->type == D2_ELLIPSE) {
		struct oval oval_b = {d2_widen(d2_transform_point(b_in_own, b->points[0])), b_in_own.q, b->radius, b->radius};
		if (b->type == D2_ELLIPSE) {
			oval_b.q = d2_mul_rot(b_in_own.q, b->rotation);
			oval_b.a = b->axes.x;
			oval_b.b = b->axes.y;
		}
		found = ovals_separation(&oval_a, &oval_b, &best);
	} else {
		found = outline_separation(&oval_a, b, &b_in_own, &best);
	}
	if (found && best.separation > -deep_tolerance * ((double)a->inner + b->inner))
		add_contact(&best, own, speculative, out);
	else
		collide_slowly(a, b, b_in_a, speculative, out);
}
