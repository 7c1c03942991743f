/* sweep.c - see sweep.h. */
#include "d3/query/sweep.h"

#include "d3/query/distance.h"

struct d3_vec d3_turn_between(struct d3_quat from, struct d3_quat to)
{
	struct d3_quat turn = d3_mul_quat(to, (struct d3_quat){-from.x, -from.y, -from.z, from.w});
	struct d3_vec axis = {turn.x, turn.y, turn.z};
	double sine = d3_length(axis), cosine = turn.w;
	if (!(sine > 1e-18))
		return (struct d3_vec){0, 0, 0};
	double angle = 2 * scalar_atan2_d(cosine < 0 ? -sine : sine, abs_d(cosine));
	return d3_scale((float)(angle / sine), axis);
}

struct d3_quat d3_make_quat(struct d3_vec turn)
{
	double angle = d3_length(turn);
	struct cos_sin half = scalar_cos_sin(0.5 * angle);
	float scale = angle > 0 ? (float)(half.sine / angle) : 0;
	return (struct d3_quat){scale * turn.x, scale * turn.y, scale * turn.z, half.cosine};
}

struct d3_pose d3_sweep_pose(const struct d3_sweep *sweep, float t)
{
	struct d3_quat q = sweep->q0;
	if (t != 0 && (sweep->turn.x != 0 || sweep->turn.y != 0 || sweep->turn.z != 0))
		q = d3_normalize_quat(d3_mul_quat(d3_make_quat(d3_scale(t, sweep->turn)), q));
	struct d3_rot_d rot = d3_exact_rot(q);
	struct d3_vec_d arm = d3_turn_d(&rot, d3_widen(sweep->local_center));
	struct d3_vec_d at = d3_sub_d(d3_mul_add_d(sweep->from, t, d3_sub_d(sweep->to, sweep->from)), arm);
	return (struct d3_pose){at.x, at.y, at.z, q};
}

struct d3_sweep d3_sweep_fixed(const struct d3_pose *pose)
{
	struct d3_vec_d at = {pose->x, pose->y, pose->z};
	return (struct d3_sweep){.from = at, .to = at, .q0 = pose->q};
}

double d3_poses_separation(const struct d3_proxy *a, const struct d3_pose *pose_a, const struct d3_proxy *b,
	const struct d3_pose *pose_b, struct d3_vec_d *normal)
{
	struct d3_rot_d qa = d3_exact_rot(pose_a->q);
	struct d3_transform_d b_in_a = d3_relative_transform(pose_a, &qa, pose_b);
	struct d3_separation near;
	d3_separation_find(a, b, &b_in_a, &near);
	*normal = d3_turn_d(&qa, near.normal);
	return near.distance;
}

/* --- Passing ------------------------------------------------------------------------------------------------------------- */

struct d3_vec_d d3_path_nearest(struct d3_vec_d p, struct d3_vec_d v)
{
	double square = d3_dot_d(v, v), along = -d3_dot_d(p, v), t = along <= 0.0 ? 0.0 : along < square ? along / square : 1.0;
	return d3_mul_add_d(p, t, v);
}

/* A body's rotation at an end of its path. */
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

/* Along a fixed direction n, the height of a body's point changes linearly over the step, up to an error of the body's bulge.
 * Two shapes separated along n by more than `distance` and both bulges, at start and end, are therefore separated by more than
 * `distance` in between. */
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
