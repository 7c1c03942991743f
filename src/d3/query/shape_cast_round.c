/* shape_cast_round.c - casts of balls and capsules, in closed form. See shape_cast.c. */
#include "d3/query/shape_cast_parts.h"

#include <assert.h>

/* --- A moving ball -------------------------------------------------------------------------------------------------------- */

/* Casts the ball's centre as a ray in the other shape's frame, from the distance `from` along its path, backwards if sign <
 * 0. */
static bool ball_ray(const struct flight *f, double from, double sign, double reach, struct d3_ray *out)
{
	bool a = d3_proxy_is_ball(f->a);
	const struct d3_proxy *ball = a ? f->a : f->b, *other = a ? f->b : f->a;
	struct d3_vec_d center = d3_widen(d3_proxy_points(ball)[0]);
	struct d3_vec_d o = a ? d3_inv_transform_point_d(&f->b_in_a, center) : d3_transform_point_d(&f->b_in_a, center);
	struct d3_vec_d u = a ? d3_inv_turn_d(&f->b_in_a.q, f->u) : d3_neg_d(f->u);
	*out = (struct d3_ray){.o = d3_mul_add_d(o, from, u), .u = d3_scale_d(sign, u), .reach = reach};
	d3_ray_widened(out, d3_proxy_points(other), other->count, other->hull, f->a->radius + f->b->radius);
	return out->hit;
}

/* Corrects a hit on the plane of a face whose corners are off that plane by rounding to floats: Newton's steps on the distance
 * find the hit on the corners' hull. */
static void polish(
	const struct flight *f, const struct d3_ray *ray, double sign, double *s, struct d3_separation *near, int *iterations)
{
	const struct d3_hull *hull = f->a->hull ? f->a->hull : f->b->hull;
	if (ray->face == 0 || !d3_face_uneven(hull, ray->face - 1, f->tolerance))
		return;
	for (int i = 0; i < 3; ++i) {
		d3_cast_query(f, *s, near, iterations);
		double closing = sign * d3_dot_d(near->normal, f->u);
		if (!(closing > 0))
			return;
		*s += sign * near->distance / closing;
		if (abs_d(near->distance) <= 1e-6 * d3_proxy_size(d3_proxy_is_ball(f->a) ? f->b : f->a))
			return;
	}
}

static void set_ball_contact(const struct flight *f, double s, struct d3_vec_d normal, struct d3_separation *out)
{
	bool a = d3_proxy_is_ball(f->a);
	const struct d3_proxy *ball = a ? f->a : f->b;
	struct d3_vec_d center = d3_widen(d3_proxy_points(ball)[0]);
	out->distance = 0;
	if (a) {
		out->normal = d3_neg_d(d3_turn_d(&f->b_in_a.q, normal));
		out->point_a = d3_mul_add_d(center, ball->radius, out->normal);
		out->point_b = d3_mul_add_d(out->point_a, s, f->u);
	} else {
		out->normal = normal;
		out->point_b = d3_mul_add_d(d3_transform_point_d(&f->b_in_a, center), -ball->radius, out->normal);
		out->point_a = d3_mul_add_d(out->point_b, -s, f->u);
	}
}

/* Decides by a distance query whether shapes that touch at the start, to within rounding, hit: the ray may start inside, and
 * find no entry or a later crossing. A round surface contains a ball of its radius r that touches at the same point. With the
 * separation d and the speed c along the normal, and d <= c^2 r / 2, the ray enters that ball between d / c and 2 d / c: a
 * shorter path may end before the entry. */
static void start_touching(const struct flight *f, const struct d3_ray *ray, struct landing *out)
{
	d3_cast_query(f, 0, &out->near, &out->iterations);
	double distance = out->near.distance, closing = d3_dot_d(out->near.normal, f->u), radius = f->a->radius + f->b->radius;
	out->hit = distance <= 0;
	out->depth = max_d(-distance, 0);
	if (out->hit || !(closing > 0 && 2 * distance <= closing * closing * radius && 2 * distance <= f->length * closing))
		return;
	if (ray->hit && ray->reach * closing <= 2 * distance + f->tolerance)
		return;
	out->hit = true;
	out->enter = distance / closing;
}

void d3_cast_land_by_ray(struct flight *f, struct landing *out)
{
	struct d3_ray ray;
	bool arrives = ball_ray(f, 0, 1, f->length * (1 + 1e-15), &ray);
	out->iterations = 1;
	if (!ray.apart)
		start_touching(f, &ray, out);
	if (!out->hit && arrives) {
		out->hit = true;
		out->enter = ray.reach;
		set_ball_contact(f, out->enter, ray.normal, &out->near);
		polish(f, &ray, 1, &out->enter, &out->near, &out->iterations);
		out->enter = clamp_d(out->enter, 0, f->length);
	}
	if (!out->hit || f->method != D3_CAST_EXACT)
		return;
	struct d3_separation last;
	int iterations = 0;
	double end = d3_cast_flight_end(f);
	out->left = true;
	out->leave = out->enter;
	if (!(end > 0 && ball_ray(f, end, -1, INFINITY, &ray)))
		return;
	out->leave = end - ray.reach;
	set_ball_contact(f, out->leave, ray.normal, &last);
	polish(f, &ray, -1, &out->leave, &last, &iterations);
	out->leave = max_d(out->leave, out->enter);
}

/* --- A moving capsule ----------------------------------------------------------------------------------------------------- */

/* The Minkowski difference of two segments: a parallelogram from `corner` along `a` and `b`, widened by the radius. */
struct patch {
	struct d3_vec_d corner, a, b, normal; /* normal: of length `area` */
	double area, radius;
};

static bool make_face(const struct flight *f, struct patch *out)
{
	const struct d3_vec *a = d3_proxy_points(f->a), *b = d3_proxy_points(f->b);
	struct d3_vec_d p = d3_widen(a[0]), q = d3_widen(b[0]);
	out->corner = d3_sub_d(d3_transform_point_d(&f->b_in_a, q), p);
	out->a = d3_sub_d(p, d3_widen(a[1]));
	out->b = d3_turn_d(&f->b_in_a.q, d3_sub_d(d3_widen(b[1]), q));
	out->normal = d3_cross_d(out->a, out->b);
	out->area = d3_length_d(out->normal);
	out->radius = f->a->radius + f->b->radius;
	return out->radius > 0 && out->area > 1e-6 * d3_length_d(out->a) * d3_length_d(out->b);
}

/* Writes the fractions along a and b of a point in the parallelogram's plane. */
static void face_parts(const struct patch *patch, struct d3_vec_d p, double parts[2])
{
	struct d3_vec_d delta = d3_sub_d(p, patch->corner);
	double square = patch->area * patch->area;
	parts[0] = d3_dot_d(patch->normal, d3_cross_d(delta, patch->b)) / square;
	parts[1] = d3_dot_d(patch->normal, d3_cross_d(patch->a, delta)) / square;
}

/* Casts the ray against a parallelogram widened by its radius: the offset face on the ray's side, then the capsules about the
 * four edges. */
static void ray_patch(struct d3_ray *ray, const struct patch *patch)
{
	struct d3_vec_d n = d3_scale_d(1 / patch->area, patch->normal);
	double height = d3_dot_d(n, d3_sub_d(ray->o, patch->corner)), speed = -d3_dot_d(n, ray->u), parts[2];
	if (height < 0) {
		n = d3_neg_d(n);
		height = -height;
		speed = -speed;
	}
	double rest = height - patch->radius;
	ray->apart = rest > 1e-9 * patch->radius;
	if (rest > 0) {
		if (!(speed > 0 && rest <= ray->reach * speed))
			return;
		face_parts(patch, d3_mul_add_d(ray->o, rest / speed, ray->u), parts);
		if (parts[0] >= 0 && parts[0] <= 1 && parts[1] >= 0 && parts[1] <= 1) {
			ray->hit = true;
			ray->reach = rest / speed;
			ray->normal = n;
			return;
		}
	}
	bool apart = ray->apart;
	struct d3_vec_d p = patch->corner, q = d3_add_d(p, patch->a), r = d3_add_d(q, patch->b), t = d3_add_d(p, patch->b);
	d3_ray_capsule(ray, p, q, patch->radius);
	d3_ray_capsule(ray, q, r, patch->radius);
	d3_ray_capsule(ray, r, t, patch->radius);
	d3_ray_capsule(ray, t, p, patch->radius);
	ray->apart = apart;
}

static void set_patch_contact(
	const struct flight *f, const struct patch *patch, const struct d3_ray *ray, double s, struct d3_separation *out)
{
	const struct d3_vec *a = d3_proxy_points(f->a);
	double parts[2];
	out->distance = 0;
	out->normal = d3_neg_d(ray->normal);
	face_parts(patch, d3_mul_add_d(d3_scale_d(s, f->u), patch->radius, out->normal), parts);
	struct d3_vec_d from = d3_widen(a[0]), on_b = d3_add_d(from, patch->corner);
	out->point_a = d3_mul_add_d(d3_mul_add_d(from, -clamp_d(parts[0], 0, 1), patch->a), f->a->radius, out->normal);
	out->point_b = d3_mul_add_d(d3_mul_add_d(on_b, clamp_d(parts[1], 0, 1), patch->b), -f->b->radius, out->normal);
}

bool d3_cast_land_by_patch(struct flight *f, struct landing *out)
{
	struct patch patch;
	if (!make_face(f, &patch))
		return false;
	struct d3_ray ray = {.u = f->u, .reach = f->length * (1 + 1e-15)};
	ray_patch(&ray, &patch);
	out->iterations = 1;
	if (!ray.apart)
		start_touching(f, &ray, out);
	if (!out->hit && ray.hit) {
		out->hit = true;
		out->enter = clamp_d(ray.reach, 0, f->length);
		set_patch_contact(f, &patch, &ray, out->enter, &out->near);
	}
	if (!out->hit || f->method != D3_CAST_EXACT)
		return true;
	double end = d3_cast_flight_end(f);
	struct d3_ray back = {.o = d3_scale_d(end, f->u), .u = d3_neg_d(f->u), .reach = INFINITY};
	ray_patch(&back, &patch);
	out->left = end > 0 && back.hit;
	out->leave = out->left ? max_d(end - back.reach, out->enter) : 0;
	return true;
}
