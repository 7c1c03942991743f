/* archive.c - passes the records of bodies, contacts and joints to an archive, or from it: see core/snapshot.h. */
#include "base/archive.h"
#include "d2/dynamics/joint.h"
#include "d2/dynamics/wing.h"

static void rotation_pass(struct archive *archive, struct d2_rot *q)
{
	PASS_FLOATS(archive, q);
	archive_check(archive, abs_f(q->c * q->c + q->s * q->s - 1.0f) < 1e-3f, "a rotation is not of length 1");
}

void d2_body_pass(struct archive *archive, void *record)
{
	struct d2_body *body = record;
	PASS_DOUBLES(archive, &body->x);
	PASS_DOUBLES(archive, &body->y);
	rotation_pass(archive, &body->q);
	PASS_FLOATS(archive, &body->local_center);
	PASS_INVERSES(archive, &body->inv_mass);
	PASS_INVERSES(archive, &body->inv_inertia);
	PASS_FLOATS(archive, &body->min_extent);
	PASS_FLOATS(archive, &body->max_extent);
	body->locks = (uint8_t)pass_kind(archive, body->locks, 2 * D2_LOCK_ROTATION);
	pass_bool(archive, &body->unbounded);
	PASS_FLOATS(archive, &body->mass);
	archive_check(
		archive, body->min_extent >= 0.0f && body->max_extent >= 0.0f && body->mass >= 0.0f, "a size or a mass is negative");
}

void d2_mover_pass(struct archive *archive, void *record)
{
	struct d2_mover *mover = record;
	PASS_DOUBLES(archive, &mover->start.x);
	PASS_DOUBLES(archive, &mover->start.y);
	PASS_FLOATS(archive, &mover->start.q);
	PASS_FLOATS(archive, &mover->v);
	PASS_FLOATS(archive, &mover->w);
	PASS_FLOATS(archive, &mover->torque);
	PASS_FLOATS(archive, &mover->force);
	PASS_INERTIA(archive, &mover->inertia);
	PASS_FLOATS(archive, &mover->linear_damping);
	PASS_FLOATS(archive, &mover->angular_damping);
	PASS_FLOATS(archive, &mover->gravity_scale);
}

void d2_state_pass(struct archive *archive, void *state)
{
	PASS_FLOATS(archive, (struct d2_state *)state);
}

void d2_contact_pass(struct archive *archive, const struct world *world, uint32_t contact)
{
	struct d2_contact_row *row = d2_contact_row(world, contact);
	PASS_FLOATS(archive, &row->material);
	PASS_FLOATS(archive, &row->local_normal);
	PASS_FLOATS(archive, &row->radius_a);
	PASS_FLOATS(archive, &row->radius_b);
	PASS_FLOATS(archive, &row->points);
	PASS_FLOATS(archive, &row->normal_impulse);
	PASS_FLOATS(archive, &row->tangent_impulse);
	PASS_FLOATS(archive, &row->step_impulse);
	PASS_FLOATS(archive, &row->rolling_impulse);
	pass_f32(archive, &row->speed);
	PASS_FLOATS(archive, &row->b_in_a);
	pass_f32(archive, &row->clearance);
	for (int i = 0; i < 2; ++i)
		pass_u32(archive, &row->ids[i]);
	pass_bool(archive, &row->collided);
	pass_bool(archive, &row->face);
	row->count = (uint8_t)pass_kind(archive, row->count, 3);
}

void d2_joint_pass(struct archive *archive, void *record)
{
	struct d2_joint *joint = record;
	PASS_FLOATS(archive, &joint->local_a);
	PASS_FLOATS(archive, &joint->local_b);
	rotation_pass(archive, &joint->reference);
}
