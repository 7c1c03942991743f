/* weld_joint.wide.c - solving weld joints, LANES at a time: see joint_kit.h.
 *   locks    gap = 0 and the rotation vector of q = 0, unless softened: then a spring of the drives pulls there */
#define JOINT_LOCKS 6
#define JOINT_LINEAR_LOCKS 3
#define JOINT_COORDINATES 0
#define JOINT_DRIVES 1
#define OWN_PREPARE 1
#include "d3/dynamics/joint_kit.h"

INLINE void own_prepare(struct record *record, const struct lane_rows *joints)
{
	for (int lane = 0; lane < LANES; ++lane) {
		const struct d3_rows *joint = joints->at[lane];
		for (int i = 0; i < 6; ++i)
			record->locked[i][lane] = -(int32_t)!joint->drives[i / 3].settings.spring;
	}
}

INLINE void rows_set(struct record *record)
{
	rows_point(record, record->locks, record->errors);
	rows_rotation(record, record->locks + 3, record->errors + 3);
}

const struct link_solver NAME(d3_weld_solver) = {SOLVER_ENTRIES};
