/* joint_entry.h - the functions of joints that are lists of parts which 2D and 3D share: see the wings' joint_kit.h. Included
 * by these after struct record, with PARTS among its members, rows_set, drive_rows_set, rows_move and reaction_add. ROW_TYPE is
 * the record of such a joint; LINEAR_AXES and ANGULAR_AXES are the numbers of axes of the drives. Any thread. */

/* Sets the rows and all that follows from them. Not inlined, as solve_all: there are many types, and their code is large. */
static __attribute__((noinline)) void rows_update(struct record *record)
{
	rows_set(record);
	rows_factor(&record->joint, record->locks, JOINT_LOCKS, record->joint.give, record->locked, record->factor);
	for (int i = 0; i < JOINT_COORDINATES; ++i)
		if (record->acts[i]) {
			lanes response = row_response(&record->joint, &record->axes[i], &record->axes[i]);
			coordinate_respond(
				&record->coordinates[i], response, record->joint.give * row_freedom(&record->joint, &record->axes[i]));
		}
#if JOINT_DRIVES
	drive_rows_set(record);
	if (record->drives)
		rows_factor(&record->joint, record->drive_rows, LINEAR_AXES, record->joint.give, NULL, record->drive.factor);
	if (record->turns)
		rows_factor(
			&record->joint, record->drive_rows + LINEAR_AXES, ANGULAR_AXES, record->joint.give, NULL, record->turn.factor);
#endif
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

#if OWN_PREPARE
INLINE void own_prepare(struct record *record, const struct lane_rows *joints);
#endif

/* Prepares the parts. impulses: of the locks in the last sub-step. */
INLINE void parts_prepare(const struct world *world, struct record *record, const struct batch_link *links,
	const struct lane_rows *joints, const lanes *impulses)
{
	for (int i = 0; i < JOINT_LOCKS; ++i) {
		record->impulses[i] = impulses[i];
		record->locked[i] = (masks){0} == (masks){0};
		record->speeds[i] = splat(i < JOINT_LINEAR_LOCKS ? JOINT_SPEED * world->settings.length_scale : JOINT_SPEED);
	}
	for (int i = 0; i < JOINT_COORDINATES; ++i) {
		record->values[i] = numbers_load(joints, COORDINATE_AT(ROW_TYPE, i));
		record->acts[i] = coordinate_prepare(world, &record->coordinates[i], links, joints, COORDINATE_AT(ROW_TYPE, i));
	}
#if JOINT_DRIVES
	record->drives = drive_prepare(world, &record->drive, links, joints, DRIVE_AT(ROW_TYPE, 0));
	record->turns = drive_prepare(world, &record->turn, links, joints, DRIVE_AT(ROW_TYPE, 1));
#endif
#if OWN_PREPARE
	own_prepare(record, joints);
#endif
}

/* Stores the coordinates and the drives, and returns the reaction: the sum of all impulses. */
INLINE struct lane_reaction parts_store(
	struct world *world, const struct record *record, const struct batch_link *joints, uint32_t count)
{
	struct lane_reaction reaction = {0};
	lanes none = {0};
	for (int i = 0; i < JOINT_LOCKS; ++i)
		reaction_add(record, &record->locks[i], record->impulses[i], &reaction);
	for (int i = 0; i < JOINT_COORDINATES; ++i) {
		const struct lane_coordinate *c = &record->coordinates[i];
		if (record->acts[i]) {
			reaction_add(record, &record->axes[i], choose(c->lanes, coordinate_sum(c), none), &reaction);
			impulses_store(world, COORDINATE_AT(ROW_TYPE, i), joints, count, record->values[i], c->impulse.spring,
				c->impulse.motor, c->impulse.lower - c->impulse.upper);
		} else
			impulses_store(world, COORDINATE_AT(ROW_TYPE, i), joints, count, record->values[i], none, none, none);
	}
#if JOINT_DRIVES
	for (int i = 0; i < LINEAR_AXES + ANGULAR_AXES; ++i) {
		const struct lane_drive *drive = i < LINEAR_AXES ? &record->drive : &record->turn;
		int axis = i % LINEAR_AXES;
		if (i < LINEAR_AXES ? record->drives : record->turns)
			reaction_add(record, &record->drive_rows[i], choose(drive->lanes, drive->spring[axis] + drive->motor[axis], none),
				&reaction);
	}
	drive_store(world, record->drives ? &record->drive : NULL, DRIVE_AT(ROW_TYPE, 0), joints, count);
	drive_store(world, record->turns ? &record->turn : NULL, DRIVE_AT(ROW_TYPE, 1), joints, count);
#endif
	return reaction;
}

/* --- Solve, all lanes at once --------------------------------------------------------------------------------------------- */

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		VELOCITY a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		for (int k = 0; k < JOINT_LOCKS; ++k)
			record->impulses[k] = without_negligible(record->impulses[k], NEGLIGIBLE_IMPULSE);
		rows_apply(&record->joint, record->locks, JOINT_LOCKS, record->impulses, &a, &b);
		for (int k = 0; k < JOINT_COORDINATES; ++k)
			if (record->acts[k]) {
				struct lane_coordinate *c = &record->coordinates[k];
				coordinate_apply(&record->joint, &record->axes[k], c, coordinate_sum(c), &a, &b);
			}
#if JOINT_DRIVES
		if (record->drives)
			drive_start(&record->joint, record->drive_rows, LINEAR_AXES, &record->drive, &a, &b);
		if (record->turns)
			drive_start(&record->joint, record->drive_rows + LINEAR_AXES, ANGULAR_AXES, &record->turn, &a, &b);
#endif
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

static __attribute__((noinline)) void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	const struct lane_soft soft = joint_soft(world), *used = push ? &soft : NULL;
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		if (!push) {
			rows_move(world, record);
			rows_update(record);
		}
		VELOCITY a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		for (int k = 0; k < JOINT_COORDINATES; ++k)
			if (record->acts[k])
				coordinate_row_solve(&record->joint, &record->axes[k], &record->coordinates[k], record->values[k], &a, &b, used,
					splat(world->step.inv_h));
#if JOINT_DRIVES
		if (record->drives)
			drive_solve(&record->joint, record->drive_rows, record->drive_errors, LINEAR_AXES, &record->drive, &a, &b, push);
		if (record->turns)
			drive_solve(&record->joint, record->drive_rows + LINEAR_AXES, record->drive_errors + LINEAR_AXES, ANGULAR_AXES,
				&record->turn, &a, &b, push);
#endif
		locks_solve(&record->joint, record->locks, record->errors, record->speeds, record->factor, record->impulses,
			JOINT_LOCKS, &a, &b, used);
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}
