/* distance_joint.wide.c - solving distance joints, LANES at a time: see joint_kit.h.
 *   coordinate    the length of the gap
 *   lock          length = the spring's target, if there is neither a spring nor limits: a rod */
#define JOINT_LOCKS 1
#define JOINT_LINEAR_LOCKS 1
#define JOINT_COORDINATES 1
#define JOINT_DRIVES 0
#define OWN_PREPARE 1
#include "d3/dynamics/joint_kit.h"

INLINE void own_prepare(struct record *record, const struct lane_rows *joints)
{
	for (int i = 0; i < LANES; ++i) {
		const struct d3_rows *joint = joints->at[i];
		const struct coordinate_settings *length = &joint->coordinates[0].settings;
		record->locked[0][i] = -(int32_t) !(length->spring || length->limited);
		record->target[i] = length->target;
	}
}

/* Anchors at one point are pushed apart along the axis x of a's frame. */
INLINE void rows_set(struct record *record)
{
	struct lane_vec gap = record->joint.error;
	lanes length = lane_length(gap);
	masks some = length > splat(LEAST_LENGTH);
	lanes scale = splat(1.0f) / choose(some, length, splat(1.0f));
	arms_meet(record, gap);
	record->locks[0] = record->axes[0] = row_along(record, lane_choose(some, lane_scale(scale, gap), record->now.x));
	record->values[0] = length;
	record->errors[0] = length - record->target;
}

const struct link_solver NAME(d3_distance_solver) = {SOLVER_ENTRIES};
