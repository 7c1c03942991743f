/* wheel_joint.wide.c - solving wheel joints, LANES at a time: see joint_kit.h. The x axis of b's frame is the wheel's.
 *   locks         gap x = 0, gap y = 0, b's x axis perpendicular to z; without steering, no turn about z
 *   coordinates   the suspension gap z; the spin about b's x axis; the steering, of b's x axis about z */
#define JOINT_LOCKS 4
#define JOINT_LINEAR_LOCKS 2
#define JOINT_COORDINATES 3
#define JOINT_DRIVES 0
#define OWN_PREPARE 1
#include "d3/dynamics/joint_kit.h"

INLINE void own_prepare(struct record *record, const struct lane_rows *joints)
{
	for (int i = 0; i < LANES; ++i)
		record->locked[3][i] = -(int32_t)!coordinate_acts(&((const struct d3_rows *)joints->at[i])->coordinates[2].settings);
}

INLINE void rows_set(struct record *record)
{
	rows_slide(record, record->locks, record->errors);
	rows_cross(record, &record->locks[2], &record->errors[2], record->axes + 1, record->values + 1);
	record->locks[3] = record->axes[2];
	record->errors[3] = record->values[2];
}

const struct link_solver NAME(d3_wheel_solver) = {SOLVER_ENTRIES};
