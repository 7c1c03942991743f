/* sweep.c - see sweep.h. Pure, any thread. */
#include "d2/query/sweep.h"

struct d2_pose d2_sweep_pose(const struct d2_sweep *sweep, float t)
{
	struct d2_rot q = sweep->q0;
	if (sweep->angle != 0 && t != 0)
		q = d2_normalize_rot(d2_mul_rot(q, d2_make_rot((double)sweep->angle * t)));
	struct d2_vec_d arm = d2_rotate_d(q, d2_widen(sweep->local_center));
	double x = sweep->x0 + t * (sweep->x1 - sweep->x0), y = sweep->y0 + t * (sweep->y1 - sweep->y0);
	return (struct d2_pose){x - arm.x, y - arm.y, q};
}

struct d2_sweep d2_sweep_fixed(const struct d2_pose *pose)
{
	return (struct d2_sweep){.x0 = pose->x, .y0 = pose->y, .x1 = pose->x, .y1 = pose->y, .q0 = pose->q};
}

/* --- Quick test of separation -------------------------------------------------------------------------------------------- */

struct d2_vec_d d2_path_nearest(struct d2_vec_d p, struct d2_vec_d v)
{
	double square = d2_dot_d(v, v), along = -d2_dot_d(p, v), t = along <= 0.0 ? 0.0 : along < square ? along / square : 1.0;
	return d2_mul_add_d(p, t, v);
}

/* The vector from the centre of mass to the shape's centroid, in the world. */
static struct d2_vec_d middle_of(const struct d2_shape *shape, const struct d2_path *going, struct d2_rot q)
{
	return d2_rotate_d(q, d2_sub_d(d2_widen(shape->centroid), d2_widen(going->local_center)));
}

/* The extent of the shape along n from its centroid; q: the shape's rotation. */
static double reach_along(const struct d2_proxy *proxy, const struct d2_shape *shape, struct d2_rot q, struct d2_vec_d n)
{
	struct d2_vec_d local = d2_inv_rotate_d(q, n);
	return d2_dot_d(local, d2_sub_d(d2_core_support(proxy, local), d2_widen(shape->centroid))) + (double)proxy->radius;
}

/* Along a direction n, the height n . p of each point p differs from linear interpolation between its first and last value by
 * at most the bulge. So two shapes separated along n by more than both bulges at both ends stay separated in between. */
bool d2_sweeps_separated(
	const struct d2_shape *a, const struct d2_path *of_a, const struct d2_shape *b, const struct d2_path *of_b, double distance)
{
	struct d2_vec_d p =
		d2_add_d(d2_sub_d(of_b->from, of_a->from), d2_sub_d(middle_of(b, of_b, of_b->q0), middle_of(a, of_a, of_a->q0)));
	struct d2_vec_d last =
		d2_add_d(d2_sub_d(of_b->to, of_a->to), d2_sub_d(middle_of(b, of_b, of_b->q1), middle_of(a, of_a, of_a->q1)));
	struct d2_vec_d nearest = d2_path_nearest(p, d2_sub_d(last, p));
	double square = d2_dot_d(nearest, nearest);
	double free = distance + of_a->bulge + of_b->bulge;
	double reach = (double)(a->outer + b->outer) + free;
	if (square > reach * reach)
		return true;
	if (!(square > 0.0))
		return false;
	struct d2_vec_d n = d2_scale_d(1.0 / sqrt(square), nearest), back = d2_neg_d(n);
	struct d2_proxy proxy_a = d2_make_proxy(a, 0), proxy_b = d2_make_proxy(b, 0);
	return d2_dot_d(n, p) - reach_along(&proxy_a, a, of_a->q0, n) - reach_along(&proxy_b, b, of_b->q0, back) > free &&
		d2_dot_d(n, last) - reach_along(&proxy_a, a, of_a->q1, n) - reach_along(&proxy_b, b, of_b->q1, back) > free;
}
