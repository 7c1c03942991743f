/* universal_joint.wide.c - solving universal joints, LANES at a time: see joint_kit.h. The x axis of b's frame is its second
 * axis. locks         gap = 0, b's x axis perpendicular to z coordinates   the angles about b's x axis and about z */
#define JOINT_LOCKS 4
#define JOINT_LINEAR_LOCKS 3
#define JOINT_COORDINATES 2
#define JOINT_DRIVES 0
#define OWN_PREPARE 0
#include "d3/dynamics/joint_kit.h"

INLINE void rows_set(struct record *record)
{
	rows_point(record, record->locks, record->errors);
	rows_cross(record, &record->locks[3], &record->errors[3], record->axes, record->values);
}

const struct link_solver NAME(d3_universal_solver) = {SOLVER_ENTRIES};
