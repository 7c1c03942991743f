/* motor_joint.wide.c - solving motor, mouse and friction joints, LANES at a time: see joint_kit.h. They have drives only. */
#define JOINT_LOCKS 0
#define JOINT_LINEAR_LOCKS 0
#define JOINT_COORDINATES 0
#define JOINT_SPIN NONE
#define JOINT_DRIVES 1
#define OWN_PREPARE 0
#include "d2/dynamics/joint_kit.h"

INLINE void rows_set(struct record *record)
{
	arms_meet(record, (struct lane_vec){{0}, {0}});
}

const struct link_solver NAME(d2_motor_solver) = {SOLVER_ENTRIES};
