/* cylindrical_joint.wide.c - solving cylindrical joints, LANES at a time: see joint_kit.h.
 *   locks         gap x = 0, gap y = 0, b's z axis on a's
 *   coordinates   the translation gap z; the angle, which is the twist about z */
#define JOINT_LOCKS 4
#define JOINT_LINEAR_LOCKS 2
#define JOINT_COORDINATES 2
#define JOINT_DRIVES 0
#define OWN_PREPARE 0
#include "d3/dynamics/joint_kit.h"

INLINE void rows_set(struct record *record)
{
	rows_slide(record, record->locks, record->errors);
	rows_bend(record, record->locks + 2, record->errors + 2);
	record->axes[1] = row_about(record, record->now.z);
	record->values[1] = angles_near(twist_of(record->now.q), record->values[1]);
}

const struct link_solver NAME(d3_cylindrical_solver) = {SOLVER_ENTRIES};
