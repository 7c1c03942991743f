/* weld_joint.wide.c - solving weld joints, LANES at a time: see joint_kit.h.
 *   locks    gap x = 0, gap y = 0, angle = 0, unless softened: then a spring of the drives pulls there */
#define JOINT_LOCKS 3
#define JOINT_LINEAR_LOCKS 2
#define JOINT_COORDINATES 0
#define JOINT_SPIN NONE
#define JOINT_DRIVES 1
#define OWN_PREPARE 1
#include "d2/dynamics/joint_kit.h"

INLINE void own_prepare(struct record *record, const struct lane_rows *joints)
{
	for (int i = 0; i < LANES; ++i) {
		const struct d2_rows *joint = joints->at[i];
		record->locked[0][i] = record->locked[1][i] = -(int32_t)!joint->drives[0].settings.spring;
		record->locked[2][i] = -(int32_t)!joint->drives[1].settings.spring;
	}
}

INLINE void rows_set(struct record *record)
{
	struct lane_now *now = &record->now;
	arms_meet(record, (struct lane_vec){{0}, {0}});
	record->locks[0] = row_along(now, now->x);
	record->locks[1] = row_along(now, now->y);
	record->locks[2] = row_turn();
	record->errors[0] = lane_dot(now->gap, now->x);
	record->errors[1] = lane_dot(now->gap, now->y);
	record->errors[2] = now->angle;
}

const struct link_solver NAME(d2_weld_solver) = {SOLVER_ENTRIES};
