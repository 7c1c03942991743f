/* rows_lanes.h - the rows of joints in 2D and 3D, LANES at a time: locks, coordinates and drives.
 * A row is a direction of the bodies' relative motion, with an error C and its rate Cdot. The wing defines struct lane_row;
 * row_rate, row_apply, row_response, row_freedom and velocity_choose; struct lane_joint, with the bodies'
 * inverse masses; and VELOCITY, a body's velocity. K = J M^-1 J^T of several rows, solved by its factors L D L^T.
 *   lock    lambda' = lambda - K^-1 mass_scale (Cdot + bias_rate C) - impulse_scale lambda
 *   spring  lambda' = lambda - K^-1 (drag Cdot + pull C) - (1 - drag) lambda, before positions move only: see soft.h
 *   motor   lambda' = lambda - K^-1 (Cdot - velocity)
 * |bias_rate C| is at most a row's speed; impulses of springs and motors are shortened to their greatest. Relaxing leaves out
 * the push: bias 0, mass_scale 1, impulse_scale 0.
 * Any thread.
 * Source: Catto, "Soft Constraints", GDC 2011; "Solver2D", 2024. */
#pragma once
#include "core/coordinate_lanes.h"
#include "core/curve.h"
#include "core/drive.h"
#include "core/lock_lanes.h"

/* Shorter gaps have no direction [length]. */
#define LEAST_LENGTH 1e-9f

/* --- Blocks of rows ------------------------------------------------------------------------------------------------------- */

/* Factors K of the rows. give: see GIVE. used: lanes of each row that take part; NULL: all do. */
INLINE void rows_factor(
	const struct lane_joint *masses, const struct lane_row *rows, int count, lanes give, const masks *used, lanes *factor)
{
	lanes column[6], zero = {0};
	for (int i = 0; i < count; ++i) {
		for (int j = 0; j <= i; ++j)
			column[j] = row_response(masses, &rows[i], &rows[j]);
		column[i] += give * row_freedom(masses, &rows[i]);
		for (int j = 0; j <= i && used != NULL; ++j)
			column[j] = choose(used[i] & used[j], column[j], zero);
		factor_row(factor, count, i, column, column[i]);
	}
}

/* x = K^-1 x */
INLINE void rows_solve(const lanes *factor, int count, lanes *x)
{
	factor_solve_lower(factor, count, x);
	for (int i = 0; i < count; ++i)
		x[i] *= factor[i];
	factor_solve_upper(factor, count, x);
}

INLINE void rows_apply(
	const struct lane_joint *masses, const struct lane_row *rows, int count, const lanes *impulses, VELOCITY *a, VELOCITY *b)
{
	for (int i = 0; i < count; ++i)
		row_apply(masses, &rows[i], impulses[i], a, b);
}

/* --- Coordinates ---------------------------------------------------------------------------------------------------------- */

/* Lanes whose coordinate has no spring, limits or motor keep their velocities, down to the sign of 0. */
INLINE void coordinate_apply(const struct lane_joint *masses, const struct lane_row *row, const struct lane_coordinate *c,
	lanes impulse, VELOCITY *a, VELOCITY *b)
{
	const VELOCITY before_a = *a, before_b = *b;
	row_apply(masses, row, impulse, a, b);
	velocity_choose(c->lanes, a, &before_a);
	velocity_choose(c->lanes, b, &before_b);
}

static void coordinate_row_solve(const struct lane_joint *masses, const struct lane_row *row, struct lane_coordinate *c,
	lanes value, VELOCITY *a, VELOCITY *b, const struct lane_soft *soft, lanes inv_h)
{
	lanes change = coordinate_solve(c, value, row_rate(row, a, b), soft, inv_h);
	coordinate_apply(masses, row, c, change, a, b);
}

/* --- Drives --------------------------------------------------------------------------------------------------------------- */

struct lane_drive {
	masks lanes; /* lanes whose drive has a spring or a motor */
	lanes drag, pull; /* of the spring; 0: none */
	lanes spring_limit, motor_limit; /* greatest impulses of a sub-step */
	lanes target[3], velocity[3];
	lanes spring[3], motor[3]; /* impulses */
	lanes factor[FACTOR_SIZE(3)];
};

static void drive_lane_set(const struct world *world, struct lane_drive *drive, int lane, const struct batch_link *link,
	const struct drive_settings *settings)
{
	drive->lanes[lane] = -1;
	if (settings->spring) {
		struct spring spring = spring_between(world, link, settings->hertz, settings->damping_ratio);
		drive->drag[lane] = spring.drag;
		drive->pull[lane] = spring.pull;
		drive->spring_limit[lane] = settings->max_spring > 0.0f ? world->step.h * settings->max_spring : FLT_MAX;
		for (int i = 0; i < 3; ++i)
			drive->target[i][lane] = settings->target[i];
	}
	if (settings->motor) {
		for (int i = 0; i < 3; ++i)
			drive->velocity[i][lane] = settings->velocity[i];
		drive->motor_limit[lane] = world->step.h * settings->max_motor;
	}
}

/* Fills all of *drive but the factor, from the struct drive at byte `offset` of the joints' records. False, with nothing
 * filled: no lane has a spring or a motor. */
static bool drive_prepare(const struct world *world, struct lane_drive *drive, const struct batch_link *links,
	const struct lane_rows *joints, size_t offset)
{
#define DRIVE(i) (const struct drive *)((const char *)joints->at[i] + offset)
	const struct drive *const rows[LANES] = {EACH_LANE(DRIVE)};
#undef DRIVE
	lanes columns[8];
	bool acts = false;
	for (int i = 0; i < LANES; ++i)
		acts |= drive_acts(&rows[i]->settings);
	if (!acts)
		return false;
	memset(drive, 0, sizeof *drive);
	for (int i = 0; i < LANES; ++i)
		if (drive_acts(&rows[i]->settings))
			drive_lane_set(world, drive, i, &links[i], &rows[i]->settings);
	columns_load_at(joints->at, offset, columns);
	memcpy(drive->spring, columns, sizeof drive->spring);
	memcpy(drive->motor, columns + 3, sizeof drive->motor);
	return true;
}

/* Stores the impulses; of no lanes if drive is NULL. */
INLINE void drive_store(
	struct world *world, const struct lane_drive *drive, size_t offset, const struct batch_link *links, uint32_t count)
{
	static const struct lane_drive still;
	const struct lane_drive *d = drive != NULL ? drive : &still;
	impulses_store(world, offset, links, count, d->spring[0], d->spring[1], d->spring[2], d->motor[0]);
	impulses_store(world, offset + 4 * sizeof(float), links, count, d->motor[1], d->motor[2], (lanes){0}, (lanes){0});
}

/* Shortens the vector of `count` numbers to the limit. */
INLINE void rows_shorten(lanes *x, int count, lanes limit)
{
	lanes square = {0}, zero = {0};
	for (int i = 0; i < count; ++i)
		square += x[i] * x[i];
	lanes scale = shortening(square, limit);
	for (int i = 0; i < count; ++i)
		x[i] = choose(limit > zero, scale * x[i], zero);
}

INLINE void drive_apply(const struct lane_joint *masses, const struct lane_row *rows, int count, const struct lane_drive *drive,
	const lanes *impulses, VELOCITY *a, VELOCITY *b)
{
	const VELOCITY before_a = *a, before_b = *b;
	rows_apply(masses, rows, count, impulses, a, b);
	velocity_choose(drive->lanes, a, &before_a);
	velocity_choose(drive->lanes, b, &before_b);
}

/* A drive of `count` rows. errors: of the spring. */
static void drive_solve(const struct lane_joint *masses, const struct lane_row *rows, const lanes *errors, int count,
	struct lane_drive *drive, VELOCITY *a, VELOCITY *b, bool push)
{
	lanes change[3];
	if (push) {
		for (int i = 0; i < count; ++i)
			change[i] = drive->drag * row_rate(&rows[i], a, b) + drive->pull * (errors[i] - drive->target[i]);
		rows_solve(drive->factor, count, change);
		for (int i = 0; i < count; ++i)
			change[i] = drive->drag * drive->spring[i] - change[i];
		rows_shorten(change, count, drive->spring_limit);
		for (int i = 0; i < count; ++i) {
			lanes before = drive->spring[i];
			drive->spring[i] = change[i];
			change[i] -= before;
		}
		drive_apply(masses, rows, count, drive, change, a, b);
	}
	for (int i = 0; i < count; ++i)
		change[i] = row_rate(&rows[i], a, b) - drive->velocity[i];
	rows_solve(drive->factor, count, change);
	for (int i = 0; i < count; ++i)
		change[i] = drive->motor[i] - change[i];
	rows_shorten(change, count, drive->motor_limit);
	for (int i = 0; i < count; ++i) {
		lanes before = drive->motor[i];
		drive->motor[i] = change[i];
		change[i] -= before;
	}
	drive_apply(masses, rows, count, drive, change, a, b);
}

/* Applies the impulses of the last sub-step. */
INLINE void drive_start(const struct lane_joint *masses, const struct lane_row *rows, int count, const struct lane_drive *drive,
	VELOCITY *a, VELOCITY *b)
{
	lanes impulses[3];
	for (int i = 0; i < count; ++i)
		impulses[i] = drive->spring[i] + drive->motor[i];
	drive_apply(masses, rows, count, drive, impulses, a, b);
}

/* --- Curves --------------------------------------------------------------------------------------------------------------- */

/* Places along curves, see struct curve_place. */
struct lane_place {
	lanes p[3], t[3], n[3], turn[3];
};

/* Moves the arc lengths to the places nearest to q, in the curves' frames. Lanes without a curve stay on the x axis. */
static void curves_place(const struct curve *const curves[LANES], const lanes q[3], lanes *lengths, struct lane_place *place)
{
	*place = (struct lane_place){.t[0] = splat(1.0f), .n[1] = splat(1.0f)};
	for (int lane = 0; lane < LANES; ++lane) {
		if (curves[lane] == NULL)
			continue;
		const float at[3] = {q[0][lane], q[1][lane], q[2][lane]};
		struct curve_place one;
		(*lengths)[lane] = curve_project(curves[lane], at, (*lengths)[lane]);
		curve_at(curves[lane], (*lengths)[lane], &one);
		for (int i = 0; i < 3; ++i) {
			place->p[i][lane] = one.p[i];
			place->t[i][lane] = one.t[i];
			place->n[i][lane] = one.n[i];
			place->turn[i][lane] = one.turn[i];
		}
	}
}

/* --- Records -------------------------------------------------------------------------------------------------------------- */

/* A type of joints. The records of a solver's call are of one type. */
struct rows_type {
	int locks, linear_locks, coordinates; /* numbers of locks, of which the linear ones come first, and of coordinates */
	int angle; /* 2D: 1 + the number of the coordinate that is the angle; 0: none */
	bool ratchet; /* coordinate 0 is that of a ratchet */
	bool drives; /* it has a linear and an angular drive */
	bool swings; /* 3D: the angular drive acts on the swing alone */
	void (*rows_set)(struct record *record); /* sets the rows, errors and values for the bodies' current poses */
	/* sets the lanes that are locked, if some may not be */
	void (*locked_set)(struct record *record, const struct lane_rows *joints);
};

/* Members of the records of joints with rows. The parts lie behind the record, as many as its type has: records of many types
 * would have large gaps otherwise. LOCKS_MOST, COORDINATES_MOST: greatest numbers of a type. */
#define PARTS                                                                                 \
	const struct rows_type *type;                                                             \
	bool acts[COORDINATES_MOST]; /* some lane has a spring, limits or a motor */              \
	bool drives, turns; /* some lane has a linear, or an angular drive */                     \
	struct lane_row *locks;                                                                   \
	masks *locked; /* lanes whose joint has the lock */                                       \
	lanes *errors, *speeds; /* speeds: greatest ones at which the locks close their errors */ \
	lanes *impulses, *factor;                                                                 \
	struct lane_row *axes;                                                                    \
	lanes *values;                                                                            \
	struct lane_coordinate *coordinates;                                                      \
	struct lane_row *drive_rows; /* along the axes, about them */                             \
	lanes *drive_errors;                                                                      \
	struct lane_drive *drive, *turn;                                                          \
	const struct curve *curves[LANES]; /* of paths; NULL in lanes without a joint */          \
	lanes target; /* of a rod, its length */
