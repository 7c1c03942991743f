/* toi.c - time of impact by conservative advancement.
** Along a fixed direction n of the world two sets that are d apart cannot come nearer than d - closing dt within dt, where
**   closing = (vA - vB).n + |wA| rA + |wB| rB
**   v   velocity of the centre of mass over the step [length/step];  w  turn [rad/step]
**   r   distance of the set's farthest point from the axis that it turns about, through the centre of mass [length]
** So t may advance by (d - target)/closing, with n the direction of the nearest points, again and again. Without rotation a few
** rounds suffice; the bound for rotation makes it linear but never wrong. A corner that swings down and only just clears the floor takes it
** more rounds than there are: after LINEAR_ROUNDS each corner p of B has a bound of its own, of second order,
**   d + n.(p - p_nearest) - closing_p dt - |wB| |wB x (p - cB)| dt^2 / 2,  closing_p = (vA - vB).n - n.(wB x (p - cB)) + |wA| rA
** Finding roots of the separation itself, as others do, needs fewer rounds but must be guarded against missing a first root.
** Source: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996.
** Floor: d3. Pure, any thread. */
#include "d3/toi.h"

enum { TOI_ITERATIONS = 40, LINEAR_ROUNDS = 4 };

struct d3_vec d3_turn_between(struct d3_quat from, struct d3_quat to)
{
	struct d3_quat turn = d3_mul_quat(to, (struct d3_quat){ -from.x, -from.y, -from.z, from.w });
	struct d3_vec axis = { turn.x, turn.y, turn.z };
	double sine = d3_length(axis), cosine = turn.w;
	if (!(sine > 1e-18))
		return (struct d3_vec){ 0, 0, 0 };
	double angle = 2 * scalar_atan2_d(cosine < 0 ? -sine : sine, abs_d(cosine));
	return d3_scale((float)(angle / sine), axis);
}

struct d3_quat d3_make_quat(struct d3_vec turn)
{
	double angle = d3_length(turn);
	struct cos_sin half = scalar_cos_sin(0.5 * angle);
	float scale = angle > 0 ? (float)(half.sine / angle) : 0;
	return (struct d3_quat){ scale * turn.x, scale * turn.y, scale * turn.z, half.cosine };
}

struct d3_pose d3_sweep_pose(const struct d3_sweep *sweep, float t)
{
	struct d3_quat q = sweep->q0;
	if (t != 0 && (sweep->turn.x != 0 || sweep->turn.y != 0 || sweep->turn.z != 0))
		q = d3_normalize_quat(d3_mul_quat(d3_make_quat(d3_scale(t, sweep->turn)), q));
	struct d3_rot_d rot = d3_exact_rot(q);
	struct d3_vec_d arm = d3_turn_d(&rot, d3_widen(sweep->local_center));
	struct d3_vec_d at = d3_sub_d(d3_mul_add_d(sweep->from, t, d3_sub_d(sweep->to, sweep->from)), arm);
	return (struct d3_pose){ at.x, at.y, at.z, q };
}

struct d3_sweep d3_sweep_fixed(const struct d3_pose *pose)
{
	struct d3_vec_d at = { pose->x, pose->y, pose->z };
	return (struct d3_sweep){ .from = at, .to = at, .q0 = pose->q };
}

/* The greatest |w x (p - c)| of all points p of the core, c the centre of mass. What is round about one turns in itself. */
static double fastest(const struct d3_proxy *proxy, struct d3_vec center, struct d3_vec turn)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	float most = 0;
	for (uint32_t i = 0; i < proxy->count; i++)
		most = max_f(most, d3_length(d3_cross(turn, d3_sub(points[i], center))));
	return (double)most;
}

/* |w| r: how far the set can move by the rotation alone [length/step]. A turning half-space has no such bound; it has no back either that
** something could be missed behind, and counts as not turning. What is round about an axis moves by what turns that axis, and by the turn
** about it only as far as the axis misses the centre of mass: the angle between both does not change. */
static double turning_speed(const struct d3_proxy *proxy, const struct d3_sweep *sweep)
{
	double angle = d3_length(sweep->turn);
	if (angle == 0 || proxy->type == D3_PROXY_HALF_SPACE)
		return 0;
	if (proxy->type == D3_PROXY_POINTS)
		return fastest(proxy, sweep->local_center, d3_inv_rotate(sweep->q0, sweep->turn));
	double far = d3_proxy_reach(proxy) + (double)d3_length(sweep->local_center);
	if (proxy->type == D3_PROXY_ELLIPSOID)
		return angle * far;
	struct d3_rot_d q = d3_exact_rot(sweep->q0);
	struct d3_vec_d axis = proxy->frame.q.y, from = d3_sub_d(d3_widen(sweep->local_center), proxy->frame.p);
	double about = d3_dot_d(d3_widen(sweep->turn), d3_turn_d(&q, axis)), across = sqrt(max_d(0, angle * angle - about * about));
	return across * far + abs_d(about) * d3_length_d(d3_cross_d(from, axis));
}

double d3_poses_gap(const struct d3_proxy *a, const struct d3_pose *pose_a, const struct d3_proxy *b, const struct d3_pose *pose_b,
	struct d3_vec_d *normal)
{
	struct d3_rot_d qa = d3_exact_rot(pose_a->q), qb = d3_exact_rot(pose_b->q);
	struct d3_vec_d between = { pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z };
	struct d3_transform_d b_in_a = { d3_inv_turn_d(&qa, between), d3_inv_mul_rot_d(&qa, &qb) };
	struct d3_gap near;
	d3_gap_find(a, b, &b_in_a, &near);
	*normal = d3_turn_d(&qa, near.normal);
	return near.distance;
}

/* How long no corner of a set that turns uses up its gap, `gap` of the nearest, along n in its body's frame [step]. */
static double corners_close(const struct d3_proxy *proxy, const struct d3_sweep *sweep, struct d3_vec_d n, double gap, double closing)
{
	const struct d3_vec *points = d3_proxy_points(proxy);
	struct d3_vec turn = d3_inv_rotate(sweep->q0, sweep->turn);
	double nearest = INFINITY, soonest = INFINITY, angle = (double)d3_length(turn);
	for (uint32_t i = 0; i < proxy->count; i++)
		nearest = min_d(nearest, d3_dot_d(n, d3_widen(points[i])));
	for (uint32_t i = 0; i < proxy->count; i++) {
		struct d3_vec_d speed = d3_widen(d3_cross(turn, d3_sub(points[i], sweep->local_center)));
		double above = d3_dot_d(n, d3_widen(points[i])) - nearest;
		soonest = min_d(soonest, time_to_close(gap + above, closing - d3_dot_d(n, speed), angle * d3_length_d(speed)));
	}
	return soonest;
}

struct d3_toi d3_time_of_impact(const struct d3_proxy *a, const struct d3_sweep *sweep_a, const struct d3_proxy *b,
	const struct d3_sweep *sweep_b, float target, float tolerance, float max_t)
{
	struct d3_vec_d velocity = d3_sub_d(d3_sub_d(sweep_a->to, sweep_a->from), d3_sub_d(sweep_b->to, sweep_b->from));
	double turning_a = turning_speed(a, sweep_a), turning_b = turning_speed(b, sweep_b), t = 0;
	struct d3_vec_d normal = { 0, 0, 0 };
	for (int i = 0; i < TOI_ITERATIONS; i++) {
		struct d3_pose pose_a = d3_sweep_pose(sweep_a, (float)t), pose_b = d3_sweep_pose(sweep_b, (float)t);
		double distance = d3_poses_gap(a, &pose_a, b, &pose_b, &normal);
		if (i == 0 && distance <= target)
			return (struct d3_toi){ D3_TOI_OVERLAPPED, 0, normal };
		/* What starts within the tolerance may slide along or leave: it is hit when it has come nearer by another one. */
		if (i == 0 && distance < target + tolerance)
			target = (float)distance - 2 * tolerance;
		if (distance < target + tolerance)
			return (struct d3_toi){ D3_TOI_HIT, (float)t, normal };
		double closing = d3_dot_d(normal, velocity) + turning_a;
		/* A little less than the whole gap, since t is rounded to float and the distance has rounding of its own. */
		double gap = distance - target - 0.25 * tolerance;
		double ahead = closing + turning_b > 0 ? gap / (closing + turning_b) : INFINITY;
		if (i >= LINEAR_ROUNDS && turning_b > 0 && b->type == D3_PROXY_POINTS) {
			struct d3_rot_d q = d3_exact_rot(pose_b.q);
			ahead = max_d(ahead, corners_close(b, sweep_b, d3_inv_turn_d(&q, normal), gap, closing));
		}
		if (!(ahead < max_t - t))
			return (struct d3_toi){ D3_TOI_SEPARATED, max_t, normal };
		t = (float)(t + ahead);
	}
	return (struct d3_toi){ D3_TOI_FAILED, (float)t, normal };
}
