/* sweep.c - see sweep.h. Pure, any thread. */
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
