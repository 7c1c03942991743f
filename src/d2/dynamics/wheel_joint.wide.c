/* wheel_joint.wide.c - solving wheel joints, LANES at a time: see joint_kit.h.
 *   lock          gap y = 0
 *   coordinates   the suspension gap x, along the axis x of a's frame; the spin, which is the angle */
#define JOINT_LOCKS 1
#define JOINT_LINEAR_LOCKS 1
#define JOINT_COORDINATES 2
#define JOINT_SPIN 1
#define JOINT_DRIVES 0
#define OWN_PREPARE 0
#include "d2/dynamics/joint_kit.h"

INLINE void rows_set(struct record *record)
{
	rows_slide(record);
	record->axes[1] = row_turn();
	record->values[1] = record->now.angle;
}

const struct link_solver NAME(d2_wheel_solver) = {SOLVER_ENTRIES};
