/* joint_entry.h - the functions of joints with rows that 2D and 3D share. Included by the wings' rows_joint.wide.c after struct
 * record, with PARTS among its members, drive_rows_set, rows_move and reaction_add. ROW_TYPE is the record of such a joint;
 * LINEAR_AXES and ANGULAR_AXES are the numbers of axes of the drives. Any thread. */

/* --- Records -------------------------------------------------------------------------------------------------------------- */

static const struct rows_type rows_types[JOINT_TYPES]; /* of the wing */

enum { DRIVE_AXES = LINEAR_AXES + ANGULAR_AXES };

/* Size of a record and of its parts [bytes]. */
#define PARTS_SIZE(locks, coordinates, drives)                                                               \
	(sizeof(struct record) + (size_t)(locks) * (sizeof(struct lane_row) + 4 * sizeof(lanes)) +               \
		(size_t)FACTOR_SIZE(locks) * sizeof(lanes) +                                                         \
		(size_t)(coordinates) * (sizeof(struct lane_row) + sizeof(lanes) + sizeof(struct lane_coordinate)) + \
		(size_t)(drives) * (DRIVE_AXES * (sizeof(struct lane_row) + sizeof(lanes)) + 2 * sizeof(struct lane_drive)))
#define WHOLE_LINES(size) (((size) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE)
#define RECORD_SIZE WHOLE_LINES(PARTS_SIZE(LOCKS_MOST, COORDINATES_MOST, 1))

static struct record *record_at(void *records, uint32_t index, const struct rows_type *type)
{
	return (struct record *)((char *)records + index * WHOLE_LINES(PARTS_SIZE(type->locks, type->coordinates, type->drives)));
}

#define RECORD_OF(world, records, links, index) record_at(records, index, type_of(world, links))

static const struct rows_type *type_of(const struct world *world, const struct batch_link *links)
{
	return &rows_types[world->joints.data[links->id].link.solver];
}

static void parts_place(struct record *record, const struct rows_type *type)
{
	char *at = (char *)(record + 1);
#define PLACE(member, count)     \
	record->member = (void *)at; \
	at += (size_t)(count) * sizeof *record->member
	record->type = type;
	PLACE(locks, type->locks);
	PLACE(locked, type->locks);
	PLACE(errors, type->locks);
	PLACE(speeds, type->locks);
	PLACE(impulses, type->locks);
	PLACE(factor, FACTOR_SIZE(type->locks));
	PLACE(axes, type->coordinates);
	PLACE(values, type->coordinates);
	PLACE(coordinates, type->coordinates);
	PLACE(drive_rows, type->drives * DRIVE_AXES);
	PLACE(drive_errors, type->drives * DRIVE_AXES);
	PLACE(drive, type->drives);
	PLACE(turn, type->drives);
#undef PLACE
}

/* --- Locks ---------------------------------------------------------------------------------------------------------------- */

INLINE void locks_factor(struct record *record, int count)
{
	rows_factor(&record->joint, record->locks, count, record->joint.give, record->locked, record->factor);
}

INLINE void locks_start(struct record *record, VELOCITY *a, VELOCITY *b, int count)
{
	lanes *impulses = record->impulses;
	for (int i = 0; i < count; ++i)
		impulses[i] = without_negligible(impulses[i], NEGLIGIBLE_IMPULSE);
	rows_apply(&record->joint, record->locks, count, impulses, a, b);
}

INLINE void locks_solve(struct record *record, VELOCITY *a, VELOCITY *b, const struct lane_soft *soft, int count)
{
	const struct lane_row *rows = record->locks;
	const lanes *errors = record->errors, *speeds = record->speeds;
	lanes change[LOCKS_MOST], *impulses = record->impulses;
	for (int i = 0; i < count; ++i) {
		change[i] = row_rate(&rows[i], a, b);
		if (soft != NULL) {
			lanes push = max_lanes(-speeds[i], min_lanes(soft->bias_rate * errors[i], speeds[i]));
			change[i] = soft->mass_scale * (change[i] + push);
		}
	}
	rows_solve(record->factor, count, change);
	for (int i = 0; i < count; ++i) {
		change[i] = -change[i];
		if (soft != NULL)
			change[i] -= soft->impulse_scale * impulses[i];
		impulses[i] += change[i];
	}
	rows_apply(&record->joint, rows, count, change, a, b);
}

/* Sets the rows and all that follows from them. locks: not solved as a part of a tree. */
static void rows_update(struct record *record, bool locks)
{
	const struct rows_type *type = record->type;
	type->rows_set(record);
	if (locks)
		BY_LOCKS(type->locks, locks_factor, record);
	for (int i = 0; i < type->coordinates; ++i)
		if (record->acts[i]) {
			lanes response = row_response(&record->joint, &record->axes[i], &record->axes[i]);
			coordinate_respond(
				&record->coordinates[i], response, record->joint.give * row_freedom(&record->joint, &record->axes[i]));
		}
	if (record->drives | record->turns)
		drive_rows_set(record);
	if (record->drives)
		rows_factor(&record->joint, record->drive_rows, LINEAR_AXES, record->joint.give, NULL, record->drive->factor);
	if (record->turns)
		rows_factor(
			&record->joint, record->drive_rows + LINEAR_AXES, ANGULAR_AXES, record->joint.give, NULL, record->turn->factor);
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

/* The locks of a rod: there are neither a spring nor limits. */
static void distance_locked(struct record *record, const struct lane_rows *joints)
{
	for (int i = 0; i < LANES; ++i) {
		const ROW_TYPE *joint = joints->at[i];
		const struct coordinate_settings *length = &joint->coordinates[0].settings;
		record->locked[0][i] = -(int32_t) !(length->spring || length->limited);
		record->target[i] = length->target;
	}
}

/* The angular locks of a body that follows its path. */
static void path_locked(struct record *record, const struct lane_rows *joints)
{
	for (int lane = 0; lane < LANES; ++lane) {
		const struct path_settings *path = &((const ROW_TYPE *)joints->at[lane])->path.settings;
		record->curves[lane] = path->curve;
		for (int i = record->type->linear_locks; i < record->type->locks; ++i)
			record->locked[i][lane] = -(int32_t)path->follows;
	}
}

/* Prepares the parts. impulses: of the locks in the last sub-step. */
INLINE void parts_prepare(const struct world *world, struct record *record, const struct batch_link *links,
	const struct lane_rows *joints, const lanes *impulses)
{
	const struct rows_type *type = type_of(world, links);
	parts_place(record, type);
	for (int i = 0; i < type->locks; ++i) {
		record->impulses[i] = impulses[i];
		record->locked[i] = every_lane();
		record->speeds[i] = splat(i < type->linear_locks ? JOINT_SPEED * world->settings.length_scale : JOINT_SPEED);
	}
	for (int i = 0; i < type->coordinates; ++i) {
		record->values[i] = numbers_load(joints, COORDINATE_AT(ROW_TYPE, i));
		record->acts[i] = coordinate_prepare(world, &record->coordinates[i], links, joints, COORDINATE_AT(ROW_TYPE, i));
	}
	record->drives = type->drives && drive_prepare(world, record->drive, links, joints, DRIVE_AT(ROW_TYPE, 0));
	record->turns = type->drives && drive_prepare(world, record->turn, links, joints, DRIVE_AT(ROW_TYPE, 1));
	if (type->locked_set == NULL)
		return;
	type->locked_set(record, joints);
	for (int i = 0; i < type->locks; ++i)
		record->impulses[i] = choose(record->locked[i], impulses[i], (lanes){0});
}

static void ratchets_advance(struct world *world, const struct batch_link *joints, uint32_t count)
{
	for (uint32_t i = 0; i < LANES && i < count; ++i) {
		ROW_TYPE *row = (ROW_TYPE *)joint_row(world, joints[i].id);
		if (row->ratchet.settings.on)
			ratchet_advance(&row->ratchet.angle.settings, &row->ratchet.settings, (double)row->ratchet.angle.value);
	}
}

/* Stores the coordinates and the drives, and returns the reaction: the sum of all impulses. */
INLINE struct lane_reaction parts_store(
	struct world *world, const struct record *record, const struct batch_link *joints, uint32_t count)
{
	const struct rows_type *type = record->type;
	struct lane_reaction reaction = {0};
	lanes none = {0};
	for (int i = 0; i < type->locks; ++i)
		reaction_add(record, &record->locks[i], record->impulses[i], &reaction);
	for (int i = 0; i < type->coordinates; ++i) {
		const struct lane_coordinate *c = &record->coordinates[i];
		if (record->acts[i]) {
			reaction_add(record, &record->axes[i], choose(c->lanes, coordinate_sum(c), none), &reaction);
			impulses_store(world, COORDINATE_AT(ROW_TYPE, i), joints, count, record->values[i], c->impulse.spring,
				c->impulse.motor, c->impulse.lower - c->impulse.upper);
		} else
			impulses_store(world, COORDINATE_AT(ROW_TYPE, i), joints, count, record->values[i], none, none, none);
	}
	if (type->ratchet)
		ratchets_advance(world, joints, count);
	for (int i = 0; type->drives && i < LINEAR_AXES + ANGULAR_AXES; ++i) {
		const struct lane_drive *drive = i < LINEAR_AXES ? record->drive : record->turn;
		int axis = i % LINEAR_AXES;
		if (i < LINEAR_AXES ? record->drives : record->turns)
			reaction_add(record, &record->drive_rows[i], choose(drive->lanes, drive->spring[axis] + drive->motor[axis], none),
				&reaction);
	}
	if (type->drives) {
		drive_store(world, record->drives ? record->drive : NULL, DRIVE_AT(ROW_TYPE, 0), joints, count);
		drive_store(world, record->turns ? record->turn : NULL, DRIVE_AT(ROW_TYPE, 1), joints, count);
	}
	return reaction;
}

/* --- Solve, all lanes at once --------------------------------------------------------------------------------------------- */

static void NAME(warm_start)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	const struct rows_type *type = ((const struct record *)records)->type;
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = record_at(records, i, type);
		VELOCITY a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		BY_LOCKS(type->locks, locks_start, record, &a, &b);
		for (int k = 0; k < type->coordinates; ++k)
			if (record->acts[k]) {
				struct lane_coordinate *c = &record->coordinates[k];
				coordinate_apply(&record->joint, &record->axes[k], c, coordinate_sum(c), &a, &b);
			}
		if (record->drives)
			drive_start(&record->joint, record->drive_rows, LINEAR_AXES, record->drive, &a, &b);
		if (record->turns)
			drive_start(&record->joint, record->drive_rows + LINEAR_AXES, ANGULAR_AXES, record->turn, &a, &b);
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

/* Solves all but the locks. */
INLINE void drives_solve(struct world *world, struct record *record, VELOCITY *a, VELOCITY *b, const struct lane_soft *used)
{
	const struct rows_type *type = record->type;
	bool push = used != NULL;
	for (int k = 0; k < type->coordinates; ++k)
		if (record->acts[k])
			coordinate_row_solve(&record->joint, &record->axes[k], &record->coordinates[k], record->values[k], a, b, used,
				splat(world->step.inv_h));
	if (record->drives)
		drive_solve(&record->joint, record->drive_rows, record->drive_errors, LINEAR_AXES, record->drive, a, b, push);
	if (record->turns)
		drive_solve(&record->joint, record->drive_rows + LINEAR_AXES, record->drive_errors + LINEAR_AXES, ANGULAR_AXES,
			record->turn, a, b, push);
}

static void solve_all(struct world *world, void *records, uint32_t begin, uint32_t end, bool push)
{
	const struct rows_type *type = ((const struct record *)records)->type;
	struct lane_soft soft = common_soft(world);
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = record_at(records, i, type);
		if (push && world->soft_joints > 0)
			soft = record->joint.soft;
		if (!push) {
			struct lane_state moved_a = gather_all(world, record->joint.a), moved_b = gather_all(world, record->joint.b);
			rows_move(record, &moved_a, &moved_b);
			rows_update(record, true);
		}
		const struct lane_soft *used = push ? &soft : NULL;
		VELOCITY a = gather(world, record->joint.a), b = gather(world, record->joint.b);
		drives_solve(world, record, &a, &b, used);
		BY_LOCKS(type->locks, locks_solve, record, &a, &b, used);
		scatter(world, record->joint.a, &a);
		scatter(world, record->joint.b, &b);
	}
}

/* --- Parts of trees ------------------------------------------------------------------------------------------------------- */

static struct part_size parts_size(uint8_t joint)
{
	const struct rows_type *type = &rows_types[joint];
	return (struct part_size){WHOLE_LINES(PARTS_SIZE(type->locks, type->coordinates, type->drives)), type->locks, false};
}

static void parts_move(struct world *world, struct lane_tie *tie, const struct lane_state *a, const struct lane_state *b)
{
	struct record *record = tie->record;
	(void)world;
	rows_move(record, a, b);
	rows_update(record, false);
	for (int i = 0; i < tie->count; ++i)
		tie->locks[i].error = record->errors[i];
}

static void parts_solve(struct world *world, void *record, void *a, void *b, bool push)
{
	struct lane_soft soft = common_soft(world);
	drives_solve(world, record, a, b, push ? &soft : NULL);
}

static void parts_locks(struct world *world, struct lane_tie *tie)
{
	struct record *record = tie->record;
	(void)world;
	tie_masses(&record->joint, tie);
	for (int i = 0; i < tie->count; ++i) {
		struct lane_lock *lock = &tie->locks[i];
		row_unroll(&record->locks[i], lock->rows);
		lock->speed = record->speeds[i];
		lock->used = record->locked[i];
		lock->impulse = &record->impulses[i];
	}
}

static const struct joint_parts parts = {parts_size, parts_move, parts_locks, parts_solve};
