/* ray_round.c - rays against cylinders, cones, ellipsoids and tapered capsules. See ray_cast.c. */
#include "d3/query/ray_cast_parts.h"

#include <assert.h>

/* --- Round solids --------------------------------------------------------------------------------------------------------- */

/* The ray in shape->frame, restarted at its point closest to the frame's origin, where the original ray has s = `start`:
 * squares then keep their significant digits. */
struct near_ray {
	struct d3_vec_d o, u;
	double start;
};

static struct near_ray ray_near(const struct d3_ray *ray, const struct d3_transform_d *frame)
{
	struct d3_vec_d o = d3_inv_transform_point_d(frame, ray->o), u = d3_inv_turn_d(&frame->q, ray->u);
	double start = -d3_dot_d(o, u);
	return (struct near_ray){d3_mul_add_d(o, start, u), u, start};
}

/* Sets the ray's interval in which |y| <= half. False: it is empty. A ray perpendicular to the axis leaves *out as it is. */
static bool between_ends(const struct near_ray *ray, double half, struct crossing *out)
{
	if (ray->u.y == 0)
		return abs_d(ray->o.y) <= half;
	double low = (-half - ray->o.y) / ray->u.y, high = (half - ray->o.y) / ray->u.y;
	*out = (struct crossing){.enter = min_d(low, high), .leave = max_d(low, high)};
	return true;
}

static void take_turned(
	struct d3_ray *ray, const struct near_ray *near, double s, struct d3_vec_d normal, const struct d3_shape *shape)
{
	double size = max_d(shape->half.x, max_d(shape->half.y, shape->half.z));
	d3_ray_take_round(ray, near->start + s, d3_turn_d(&shape->frame.q, normal), size);
}

void d3_ray_cylinder(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	struct crossing ends = {.enter = -INFINITY, .leave = INFINITY};
	double radius = shape->half.x, enter = -INFINITY, leave = INFINITY;
	if (!between_ends(&near, shape->half.y, &ends))
		return;
	double square = near.u.x * near.u.x + near.u.z * near.u.z, pass = near.o.x * near.u.z - near.o.z * near.u.x;
	double under = square * radius * radius - pass * pass;
	if (square > 0) {
		if (!(under >= 0))
			return;
		double middle = -(near.o.x * near.u.x + near.o.z * near.u.z) / square, half = sqrt(under) / square;
		enter = middle - half;
		leave = middle + half;
	} else if (round_offset(near.o.x, near.o.z) > radius) {
		return;
	}
	if (!(max_d(enter, ends.enter) <= min_d(leave, ends.leave)))
		return;
	if (ends.enter >= enter) {
		take_turned(ray, &near, ends.enter, (struct d3_vec_d){0, near.u.y > 0 ? -1 : 1, 0}, shape);
		return;
	}
	struct d3_vec_d p = d3_mul_add_d(near.o, enter, near.u);
	double offset = round_offset(p.x, p.z);
	take_turned(ray, &near, enter, (struct d3_vec_d){p.x / offset, 0, p.z / offset}, shape);
}

/* Sets the line's interval inside the infinite cone x^2 + z^2 <= k^2 w^2, with w = half - y >= 0. False: it is empty. The
 * line's points in both halves of the double cone have
 *   a s^2 + 2 b s + c <= 0,  a = dx^2 + dz^2 - k^2 dw^2,  b = x dx + z dz - k^2 w dw,  c = x^2 + z^2 - k^2 w^2
 * A line steeper than the cone (a < 0) is inside one half before the smaller root and inside the other half beyond the larger
 * one. Other lines are inside one of the halves, between the roots. */
static bool inside_cone(const struct near_ray *ray, double half, double k, struct crossing *out)
{
	double w = half - ray->o.y, dw = -ray->u.y;
	double a = ray->u.x * ray->u.x + ray->u.z * ray->u.z - k * k * dw * dw;
	double b = ray->o.x * ray->u.x + ray->o.z * ray->u.z - k * k * w * dw;
	double c = ray->o.x * ray->o.x + ray->o.z * ray->o.z - k * k * w * w;
	double under = b * b - a * c;
	if (!(under >= 0)) {
		if (a >= 0)
			return false;
		under = 0; /* through the apex, to within rounding */
	}
	double q = -(b + (b < 0 ? -sqrt(under) : sqrt(under)));
	if (q == 0 && a == 0) {
		*out = (struct crossing){.enter = -INFINITY, .leave = INFINITY};
		return c <= 0 && w >= 0;
	}
	double first = q == 0 ? 0 : c / q, second = a == 0 ? first : q / a;
	double least = min_d(first, second), most = max_d(first, second);
	/* A ray parallel to a generator of the cone, a = 0, has one root: least = most. It bounds a half-line, as the two roots do
	 * for a < 0. */
	if (a <= 0) {
		*out = dw > 0 ? (struct crossing){.enter = most, .leave = INFINITY}
					  : (struct crossing){.enter = -INFINITY, .leave = least};
		return true;
	}
	*out = (struct crossing){.enter = least, .leave = most};
	return w + 0.5 * (least + most) * dw >= 0;
}

/* Within this fraction of the size from the apex the normal is that of the side facing the ray: a double root is accurate only
 * to the square root of the rounding error. */
static const double apex_tolerance = 1e-7;

/* The cone's normal where a ray along u enters its side, at p. */
static struct d3_vec_d cone_normal(struct d3_vec_d p, struct d3_vec_d u, double half, double k)
{
	double offset = round_offset(p.x, p.z), across = round_offset(u.x, u.z), slant = 1 / sqrt(1 + k * k);
	bool leaves = p.x * u.x + p.z * u.z + k * offset * u.y > 0;
	if (offset > 0 && !(leaves && offset <= apex_tolerance * half * (1 + k)))
		return (struct d3_vec_d){slant * p.x / offset, slant * k, slant * p.z / offset};
	if (!(across > 0))
		return (struct d3_vec_d){0, 1, 0};
	return (struct d3_vec_d){-slant * u.x / across, slant * k, -slant * u.z / across};
}

void d3_ray_cone(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	struct crossing ends = {.enter = -INFINITY, .leave = INFINITY}, side;
	double half = shape->half.y, k = shape->half.x / (2 * half);
	if (!between_ends(&near, half, &ends) || !inside_cone(&near, half, k, &side))
		return;
	if (!(max_d(side.enter, ends.enter) <= min_d(side.leave, ends.leave)))
		return;
	/* The end plane at the apex touches the cone only there: the side's normal is used. */
	if (ends.enter >= side.enter && near.u.y > 0) {
		take_turned(ray, &near, ends.enter, (struct d3_vec_d){0, -1, 0}, shape);
		return;
	}
	double s = max_d(side.enter, ends.enter);
	struct d3_vec_d p = d3_mul_add_d(near.o, s, near.u);
	take_turned(ray, &near, s, cone_normal(p, near.u, half, k), shape);
}

void d3_ray_ellipsoid(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	struct d3_vec_d half = d3_widen(shape->half);
	struct d3_vec_d m = {near.o.x / half.x, near.o.y / half.y, near.o.z / half.z};
	struct d3_vec_d d = {near.u.x / half.x, near.u.y / half.y, near.u.z / half.z}, cross = d3_cross_d(m, d);
	double square = d3_dot_d(d, d), under = square - d3_dot_d(cross, cross);
	if (!(under >= 0))
		return;
	double s = (-d3_dot_d(m, d) - sqrt(under)) / square;
	struct d3_vec_d n = d3_mul_add_d(m, s, d);
	n = (struct d3_vec_d){n.x / half.x, n.y / half.y, n.z / half.z};
	take_turned(ray, &near, s, d3_scale_d(1 / d3_length_d(n), n), shape);
}

/* Casts the ray against a tapered capsule's side, between the circles where it touches both balls. There
 *   F = c^2 (x^2 + z^2) - (R - s w)^2 = 0
 * with c and s the normal's components across and along the axis, R the radius of the larger ball, which is about y = -h, and w
 * = y + h. */
static void ray_mantle(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	double h = shape->half.y, r = shape->radius, big = r + shape->half.x;
	double s = shape->half.x / (2 * h), c = sqrt((1 - s) * (1 + s));
	double w = near.o.y + h, over = big - s * w, low = big * s, high = 2 * h + r * s;
	double xx = c * c * (near.u.x * near.u.x + near.u.z * near.u.z) - s * s * near.u.y * near.u.y;
	double xo = c * c * (near.o.x * near.u.x + near.o.z * near.u.z) + s * near.u.y * over;
	double oo = c * c * (near.o.x * near.o.x + near.o.z * near.o.z) - over * over;
	double under = xo * xo - xx * oo;
	if (!(under >= 0))
		return;
	double q = -(xo + (xo < 0 ? -sqrt(under) : sqrt(under))), roots[2] = {q / xx, oo / q};
	for (int i = 0; i < 2; ++i) {
		struct d3_vec_d p = d3_mul_add_d(near.o, roots[i], near.u);
		double offset = round_offset(p.x, p.z), height = p.y + h;
		struct d3_vec_d normal = {c * p.x / offset, s, c * p.z / offset};
		if (is_finite_d(roots[i]) && height >= low && height <= high && offset > 0 && d3_dot_d(normal, near.u) < 0)
			take_turned(ray, &near, roots[i], normal, shape);
	}
}

void d3_ray_tapered(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct d3_vec_d centers[2];
	double radii[2];
	d3_tapered_ends(shape, centers, radii);
	ray_mantle(ray, shape);
	d3_ray_ball(ray, centers[0], radii[0]);
	d3_ray_ball(ray, centers[1], radii[1]);
}

bool d3_ray_tapered_contains(const struct d3_shape *shape, struct d3_vec_d p)
{
	double h = shape->half.y, r = shape->radius, big = r + shape->half.x;
	double s = shape->half.x / (2 * h), c = sqrt((1 - s) * (1 + s));
	double across = round_offset(p.x, p.z), y = p.y + h, t = y * c - across * s; /* as in closest_on_tapered, penetration.c */
	if (t > 0 && t < 2 * h * c)
		return c * across + s * y <= big;
	double up = t > 0 ? y - 2 * h : y, radius = t > 0 ? r : big;
	return across * across + up * up <= radius * radius;
}
