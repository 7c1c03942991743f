/* body_wing.h - functions of bodies whose source is the same in 2D and 3D. The wing's body.c includes it after
 *   spin                                  the type of an angular velocity
 *   start, resting                        the record of a new body, and the state of one at rest
 *   is_zero, turning                      whether velocities are 0; the velocity at an arm from the axis, w x r
 *   resting_velocity                      the record with the velocity of a body that is not awake
 *   row_hold, row_set_pose                discards the motion of the step; sets the pose
 *   mass_of_shapes, inertia_of            sets the mass from all shapes, 0 unless dynamic; an inertia as the record stores it
 *   inverses_update                       sets the inverse mass and inertia, 0 where locked
 *   lever_is_long                         whether a joint may raise the inertia of a body, by the key of the link: see LEVER
 *   extents_widen, extents_update         widens the extents by a collider; computes them from all
 *   locks_apply, moves_at                 zeroes velocities along locked axes; whether a step at velocities changes the pose
 * Serial. */

/* --- Called by the core --------------------------------------------------------------------------------------------------- */

/* A body that was disabled may have moved in the last step before. */
void WING(state_load)(struct world *world, uint32_t id)
{
	row_hold(world, id);
	struct WING(state) *state = WING(state)(world, id);
	*state = resting;
	state->v = resting_velocity(world, id)->v;
	state->w = resting_velocity(world, id)->w;
}

void WING(state_store)(struct world *world, uint32_t id)
{
	const struct WING(state) *state = WING(state)(world, id);
	resting_velocity(world, id)->v = state->v;
	resting_velocity(world, id)->w = state->w;
}

void WING(body_stop)(struct world *world, uint32_t id)
{
	struct WING(mover) *mover = WING(mover)(world, id);
	resting_velocity(world, id)->v = mover->force = resting.v;
	resting_velocity(world, id)->w = mover->torque = resting.w;
	row_hold(world, id);
	if (world->bodies.data[id].row != NONE)
		WING(state_load)(world, id);
}

bool WING(body_moves)(const struct world *world, uint32_t id)
{
	const struct WING(state) *state = WING(state)(world, id);
	return !is_zero(state->v, state->w);
}

/* The mass and centre of a non-dynamic body do not depend on its shapes. */
void WING(body_extend)(struct world *world, uint32_t id, uint32_t collider)
{
	extents_widen(world, collider, WING(row)(world, id));
}

/* --- Mass ----------------------------------------------------------------------------------------------------------------- */

/* Updates the body after its local_center has changed from `old_center`. Its origin's pose, `pose`, and the velocities of its
 * points stay the same. */
static void center_move(struct world *world, uint32_t id, const struct WING(pose) * pose, struct WING(vec) old_center)
{
	struct WING(body) *row = WING(row)(world, id);
	spin w;
	struct WING(vec) v = WING(body_velocity)(world, id, &w);
	row_set_pose(world, id, pose);
	resting_velocity(world, id)->v = WING(add)(v, turning(w, WING(rotate)(row->q, WING(sub)(row->local_center, old_center))));
	resting_velocity(world, id)->w = w;
	if (world->bodies.data[id].row != NONE)
		WING(state_load)(world, id);
	body_nudged(world, id);
}

void WING(body_mass)(struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	struct WING(body) *row = WING(row)(world, id);
	struct WING(pose) pose = WING(row_pose)(row);
	struct WING(vec) old_center = row->local_center;
	struct WING(mover) *mover = WING(mover)(world, id);
	record_touch(world, TOUCHED_BODIES, id);
	if (!body->mass_overridden && body->mover != 0)
		mass_of_shapes(world, body, row, mover);
	if (body->mover != 0)
		inverses_update(world, id);
	extents_update(world, body, row);
	if (!is_zero(WING(sub)(row->local_center, old_center), resting.w))
		center_move(world, id, &pose, old_center);
	body_doubt_measures(world, id);
}

void WING(body_set_mass)(struct world *world, uint32_t id, const struct WING(mass) * mass)
{
	struct WING(body) *row = WING(row)(world, id);
	struct WING(mover) *mover = WING(mover)(world, id);
	struct WING(pose) pose = WING(row_pose)(row);
	struct WING(vec) old_center = row->local_center;
	row->mass = mass->mass;
	mover->inertia = inertia_of(mass);
	row->local_center = mass->center;
	record_touch(world, TOUCHED_BODIES, id);
	world->bodies.data[id].mass_overridden = true;
	inverses_update(world, id);
	extents_update(world, &world->bodies.data[id], row);
	center_move(world, id, &pose, old_center);
	body_wake(world, id);
	body_doubt_measures(world, id);
}

/* Of a joint that has been created, destroyed, enabled or disabled. */
void WING(joint_levers)(struct world *world, uint32_t joint)
{
	for (uint32_t side = 0; side < 2; ++side) {
		uint32_t id = joint_bodies(world, joint)[side];
		const struct body *body = &world->bodies.data[id];
		if (body->type != BODY_DYNAMIC || !lever_is_long(world, 2 * joint + side))
			continue;
		record_touch(world, TOUCHED_BODIES, id);
		inverses_update(world, id);
	}
}

void WING(body_set_locks)(struct world *world, uint32_t id, uint8_t locks)
{
	struct WING(body) *row = WING(row)(world, id);
	row->locks = locks;
	world->partition.valid = false; /* no tree takes joints of bodies with locked axes */
	if (world->bodies.data[id].mover != 0)
		inverses_update(world, id);
	spin w;
	struct WING(vec) v = WING(body_velocity)(world, id, &w);
	WING(body_set_velocity)(world, id, v, w);
	body_wake(world, id);
}

/* --- Pose and velocity ---------------------------------------------------------------------------------------------------- */

uint32_t WING(body_create)(struct world *world, enum body_type type, const struct WING(pose) * pose)
{
	uint32_t id = body_create(world, type);
	if (id == NONE)
		return NONE;
	*WING(row)(world, id) = start;
	row_set_pose(world, id, pose);
	return id;
}

uint32_t WING(mount_create)(struct world *world, const struct WING(pose) * pose)
{
	uint32_t id = WING(body_create)(world, BODY_STATIC, pose);
	if (id != NONE)
		mount_make(world, id);
	return id;
}

struct WING(pose) WING(body_pose)(const struct world *world, uint32_t id)
{
	return WING(row_pose)(WING(row)(world, id));
}

/* Only awake bodies have moved in the last step; one that has been teleported since has no motion in it. */
struct WING(pose) WING(body_render_pose)(const struct world *world, uint32_t id)
{
	struct WING(body) row = *WING(row)(world, id);
	if (world->bodies.data[id].row != NONE && world->alpha < 1.0) {
		struct WING(start) from = WING(start)(world, id);
		row.q = world->alpha > 0.0 ? WING(rotation_between)(from.q, row.q, world->alpha) : from.q;
		for (int i = 0; i < world->wing->dimensions; ++i)
			(&row.x)[i] = (&from.x)[i] + world->alpha * ((&row.x)[i] - (&from.x)[i]);
	}
	return WING(row_pose)(&row);
}

struct WING(vec) WING(body_velocity)(const struct world *world, uint32_t id, spin *w)
{
	if (world->bodies.data[id].row == NONE) {
		*w = resting_velocity(world, id)->w;
		return resting_velocity(world, id)->v;
	}
	*w = WING(state)(world, id)->w;
	return WING(state)(world, id)->v;
}

void WING(body_set_velocity)(struct world *world, uint32_t id, struct WING(vec) v, spin w)
{
	const struct body *body = &world->bodies.data[id];
	struct WING(body) *row = WING(row)(world, id);
	if (body->type == BODY_STATIC)
		return;
	if (body->type == BODY_KINEMATIC && !moves_at(world, row, v, w)) {
		v = resting.v;
		w = resting.w;
	}
	bool moves = !is_zero(v, w);
	if (body->type == BODY_DYNAMIC)
		locks_apply(row, &v, &w);
	if (!body_velocity_changes(world, id, moves))
		return;
	record_touch(world, TOUCHED_BODIES, id);
	resting_velocity(world, id)->v = v;
	resting_velocity(world, id)->w = w;
	if (body->row != NONE) {
		WING(state)(world, id)->v = v;
		WING(state)(world, id)->w = w;
	}
}

struct WING(vec) WING(body_velocity_at)(const struct world *world, uint32_t id, struct WING(vec_d) point)
{
	spin w;
	struct WING(vec) v = WING(body_velocity)(world, id, &w);
	return WING(add)(v, turning(w, WING(body_arm)(world, id, point)));
}
