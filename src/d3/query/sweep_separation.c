/* sweep_separation.c - see sweep_separation.h. Along a direction n, the height of a body's point changes linearly over the
 * step, up to an error of the body's bulge. Two shapes separated along n by more than both bulges together, at start and end,
 * are therefore separated in between.
 * Pure, any thread. */
#include "d3/query/sweep_separation.h"

struct d3_vec_d d3_path_nearest(struct d3_vec_d p, struct d3_vec_d v)
{
	double square = d3_dot_d(v, v), along = -d3_dot_d(p, v), t = along <= 0.0 ? 0.0 : along < square ? along / square : 1.0;
	return d3_mul_add_d(p, t, v);
}

/* The orientation of a body at an end of its path. */
struct stand {
	struct d3_rot_d q;
	struct d3_vec_d middle; /* from the centre of mass to shape->middle */
};

static struct stand stand_of(const struct d3_shape *shape, const struct d3_path *going, struct d3_quat q)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return (struct stand){rot, d3_turn_d(&rot, d3_sub_d(shape->middle, d3_widen(going->local_center)))};
}

/* The extent of the shape along n from its middle. */
static double reach_along(
	const struct d3_proxy *proxy, const struct d3_shape *shape, const struct stand *stand, struct d3_vec_d n)
{
	struct d3_vec_d local = d3_inv_turn_d(&stand->q, n);
	return d3_core_reach(proxy, &local) - d3_dot_d(local, shape->middle) + proxy->radius;
}

static bool same_quat(struct d3_quat a, struct d3_quat b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

bool d3_sweeps_separated(
	const struct d3_shape *a, const struct d3_path *of_a, const struct d3_shape *b, const struct d3_path *of_b, double distance)
{
	struct stand a0 = stand_of(a, of_a, of_a->q0), b0 = stand_of(b, of_b, of_b->q0), a1 = a0, b1 = b0;
	if (!same_quat(of_a->q0, of_a->q1))
		a1 = stand_of(a, of_a, of_a->q1);
	if (!same_quat(of_b->q0, of_b->q1))
		b1 = stand_of(b, of_b, of_b->q1);
	struct d3_vec_d p = d3_add_d(d3_sub_d(of_b->from, of_a->from), d3_sub_d(b0.middle, a0.middle));
	struct d3_vec_d last = d3_add_d(d3_sub_d(of_b->to, of_a->to), d3_sub_d(b1.middle, a1.middle));
	struct d3_vec_d nearest = d3_path_nearest(p, d3_sub_d(last, p));
	double square = d3_dot_d(nearest, nearest), free = distance + of_a->bulge + of_b->bulge, reach = a->reach + b->reach + free;
	if (square > reach * reach)
		return true;
	if (!(square > 0.0))
		return false;
	struct d3_vec_d n = d3_scale_d(1.0 / sqrt(square), nearest), back = d3_neg_d(n);
	struct d3_proxy proxy_a, proxy_b;
	d3_make_proxy(a, 0, &proxy_a);
	d3_make_proxy(b, 0, &proxy_b);
	return d3_dot_d(n, p) - reach_along(&proxy_a, a, &a0, n) - reach_along(&proxy_b, b, &b0, back) > free &&
		d3_dot_d(n, last) - reach_along(&proxy_a, a, &a1, n) - reach_along(&proxy_b, b, &b1, back) > free;
}
