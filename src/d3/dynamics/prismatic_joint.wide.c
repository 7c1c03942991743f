/* prismatic_joint.wide.c - solving prismatic joints, LANES at a time: see joint_kit.h.
 *   locks         gap x = 0, gap y = 0, the rotation vector of q = 0
 *   coordinate    the translation gap z */
#define JOINT_LOCKS 5
#define JOINT_LINEAR_LOCKS 2
#define JOINT_COORDINATES 1
#define JOINT_DRIVES 0
#define OWN_PREPARE 0
#include "d3/dynamics/joint_kit.h"

INLINE void rows_set(struct record *record)
{
	const struct lane_now *now = &record->now;
	struct lane_vec gap = record->joint.error;
	lanes translation = lane_dot(gap, now->z);
	arms_meet(record, lane_scale(translation, now->z));
	record->locks[0] = row_along(record, now->x);
	record->locks[1] = row_along(record, now->y);
	record->errors[0] = lane_dot(gap, now->x);
	record->errors[1] = lane_dot(gap, now->y);
	rows_rotation(record, record->locks + 2, record->errors + 2);
	record->axes[0] = row_along(record, now->z);
	record->values[0] = translation;
}

const struct link_solver NAME(d3_prismatic_solver) = {SOLVER_ENTRIES};
