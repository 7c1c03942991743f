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
	rows_slide(record, record->locks, record->errors);
	rows_rotation(record, record->locks + 2, record->errors + 2);
}

const struct link_solver NAME(d3_prismatic_solver) = {SOLVER_ENTRIES};
