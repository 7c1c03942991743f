/* prismatic_joint.wide.c - solving prismatic joints, LANES at a time: see joint_kit.h.
 *   locks         gap y = 0, angle = 0
 *   coordinate    the translation gap x, along the axis x of a's frame */
#define JOINT_LOCKS 2
#define JOINT_LINEAR_LOCKS 1
#define JOINT_COORDINATES 1
#define JOINT_SPIN NONE
#define JOINT_DRIVES 0
#define OWN_PREPARE 0
#include "d2/dynamics/joint_kit.h"

INLINE void rows_set(struct record *record)
{
	rows_slide(record);
	record->locks[1] = row_turn();
	record->errors[1] = record->now.angle;
}

const struct link_solver NAME(d2_prismatic_solver) = {SOLVER_ENTRIES};
