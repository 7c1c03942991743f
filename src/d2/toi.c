/* toi.c - time of impact by conservative advancement.
** Along a fixed direction n of the world two sets that are d apart cannot come nearer than d - closing dt within dt, where
**   closing = (vA - vB).n + |wA| rA + |wB| rB
**   v   velocity of the centre of mass over the step [length/step];  w  turn [rad/step]
**   r   distance of the set's farthest point from the centre of mass [length]
** So t may advance by (d - target)/closing, with n the direction of the nearest points, again and again. Without rotation a few
** rounds suffice; the bound for rotation makes it linear but never wrong. A corner that swings down and only just clears the floor takes it
** more rounds than there are: after LINEAR_ROUNDS each corner p of B has a bound of its own, of second order,
**   d + n.(p - p_nearest) - closing_p dt - |wB|^2 |p - cB| dt^2 / 2,  closing_p = (vA - vB).n - n.(wB x (p - cB)) + |wA| rA
** Finding roots of the separation itself, as others do, needs fewer rounds but must be guarded against missing a first root.
** Source: Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996.
** Floor: d2. Pure, any thread. */
#include "d2/toi.h"

enum { TOI_ITERATIONS = 40, LINEAR_ROUNDS = 4 };

struct d2_pose d2_sweep_pose(const struct d2_sweep *sweep, float t)
{
	struct d2_rot q = sweep->q0;
	if (sweep->angle != 0)
		q = d2_normalize_rot(d2_mul_rot(q, d2_make_rot((double)sweep->angle * t)));
	struct d2_vec_d arm = d2_rotate_d(q, d2_widen(sweep->local_center));
	double x = sweep->x0 + t * (sweep->x1 - sweep->x0), y = sweep->y0 + t * (sweep->y1 - sweep->y0);
	return (struct d2_pose){ x - arm.x, y - arm.y, q };
}

struct d2_sweep d2_sweep_fixed(const struct d2_pose *pose)
{
	return (struct d2_sweep){ .x0 = pose->x, .y0 = pose->y, .x1 = pose->x, .y1 = pose->y, .q0 = pose->q };
}

/* |w| r: how far a point of the set can move by the rotation alone [length/step]. Only the core's count: what is round about one turns in itself. A turning half-plane has no such bound; it
** has no back either that something could be missed behind, and counts as not turning. */
static double turning_speed(const struct d2_proxy *proxy, const struct d2_sweep *sweep)
{
	if (sweep->angle == 0 || proxy->type == D2_PROXY_HALF_PLANE)
		return 0;
	float far = 0;
	for (uint32_t i = 0; i < proxy->count; i++)
		far = max_f(far, d2_length(d2_sub(proxy->points[i], sweep->local_center)));
	if (proxy->type == D2_PROXY_ELLIPSE)
		far += max_f(proxy->axes.x, proxy->axes.y);
	return (double)abs_f(sweep->angle) * far;
}

/* How long no corner of a set that turns by `angle` uses up its gap, `gap` of the nearest, along n in its body's frame [step]. */
static double corners_close(const struct d2_proxy *proxy, const struct d2_sweep *sweep, struct d2_vec n, double gap, double closing)
{
	double nearest = INFINITY, soonest = INFINITY, angle = (double)sweep->angle;
	for (uint32_t i = 0; i < proxy->count; i++)
		nearest = min_d(nearest, d2_dot_d(d2_widen(n), d2_widen(proxy->points[i])));
	for (uint32_t i = 0; i < proxy->count; i++) {
		struct d2_vec r = d2_sub(proxy->points[i], sweep->local_center);
		double above = d2_dot_d(d2_widen(n), d2_widen(proxy->points[i])) - nearest;
		soonest = min_d(soonest, time_to_close(gap + above, closing - angle * (double)d2_cross(r, n), angle * angle * (double)d2_length(r)));
	}
	return soonest;
}

struct d2_toi d2_time_of_impact(const struct d2_proxy *a, const struct d2_sweep *sweep_a, const struct d2_proxy *b,
	const struct d2_sweep *sweep_b, float target, float tolerance, float max_t)
{
	struct d2_vec_d velocity = { (sweep_a->x1 - sweep_a->x0) - (sweep_b->x1 - sweep_b->x0),
		(sweep_a->y1 - sweep_a->y0) - (sweep_b->y1 - sweep_b->y0) };
	double turning_a = turning_speed(a, sweep_a), turning_b = turning_speed(b, sweep_b), t = 0;
	struct d2_distance_result near = { .distance = 0 };
	for (int i = 0; i < TOI_ITERATIONS; i++) {
		struct d2_pose pose_a = d2_sweep_pose(sweep_a, (float)t), pose_b = d2_sweep_pose(sweep_b, (float)t);
		struct d2_transform b_in_a = d2_pose_relative(&pose_a, &pose_b);
		d2_distance(a, b, &b_in_a, &near);
		if (i == 0 && near.distance <= target)
			return (struct d2_toi){ D2_TOI_OVERLAPPED, 0, near.normal };
		/* What starts within the tolerance may slide along or leave: it is hit when it has come nearer by another one. */
		if (i == 0 && near.distance < target + tolerance)
			target = near.distance - 2 * tolerance;
		if (near.distance < target + tolerance)
			return (struct d2_toi){ D2_TOI_HIT, (float)t, near.normal };
		double closing = d2_dot_d(d2_rotate_d(pose_a.q, d2_widen(near.normal)), velocity) + turning_a;
		/* A little less than the whole gap, since t is rounded to float and the distance has rounding of its own. */
		double gap = near.distance - target - 0.25 * tolerance;
		double ahead = closing + turning_b > 0 ? gap / (closing + turning_b) : INFINITY;
		if (i >= LINEAR_ROUNDS && turning_b > 0 && b->type == D2_PROXY_POINTS)
			ahead = max_d(ahead, corners_close(b, sweep_b, d2_inv_rotate(b_in_a.q, near.normal), gap, closing));
		if (!(ahead < max_t - t))
			return (struct d2_toi){ D2_TOI_SEPARATED, max_t, near.normal };
		t = (float)(t + ahead);
	}
	return (struct d2_toi){ D2_TOI_FAILED, (float)t, near.normal };
}
