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
