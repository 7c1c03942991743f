/* archive.c - passes the records of bodies, contacts and joints to an archive, or from it: see core/snapshot.h. */
#include "base/archive.h"
#include "d3/dynamics/joint.h"
#include "d3/dynamics/wing.h"

static void rotation_pass(struct archive *archive, struct d3_quat *q)
{
	PASS_FLOATS(archive, q);
	archive_check(
		archive, abs_f(q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w - 1.0f) < 1e-3f, "a rotation is not of length 1");
}

void d3_body_pass(struct archive *archive, void *record)
{
	struct d3_body *body = record;
	PASS_DOUBLES(archive, &body->x);
	PASS_DOUBLES(archive, &body->y);
	PASS_DOUBLES(archive, &body->z);
	rotation_pass(archive, &body->q);
	PASS_FLOATS(archive, &body->local_center);
	PASS_INVERSES(archive, &body->inv_mass);
	PASS_INVERSES(archive, &body->inv_inertia);
	PASS_FLOATS(archive, &body->min_extent);
	PASS_FLOATS(archive, &body->max_extent);
	body->locks = (uint8_t)pass_kind(archive, body->locks, 2 * D3_LOCK_ROTATION_Z);
	body->unbounded = pass_kind(archive, body->unbounded, 2);
	body->tumbles = pass_kind(archive, body->tumbles, 2);
	body->slender = pass_kind(archive, body->slender, 2);
	pass_u16(archive, &body->girth);
	PASS_FLOATS(archive, &body->v);
	PASS_FLOATS(archive, &body->w);
	PASS_FLOATS(archive, &body->mass);
	archive_check(
		archive, body->min_extent >= 0.0f && body->max_extent >= 0.0f && body->mass >= 0.0f, "a size or a mass is negative");
}

void d3_mover_pass(struct archive *archive, void *record)
{
	struct d3_mover *mover = record;
	PASS_DOUBLES(archive, &mover->start.x);
	PASS_DOUBLES(archive, &mover->start.y);
	PASS_DOUBLES(archive, &mover->start.z);
	PASS_FLOATS(archive, &mover->start.q);
	PASS_FLOATS(archive, &mover->force);
	PASS_FLOATS(archive, &mover->torque);
	PASS_INERTIA(archive, &mover->inertia);
	PASS_FLOATS(archive, &mover->principal);
	PASS_INERTIA(archive, &mover->moments);
	PASS_FLOATS(archive, &mover->linear_damping);
	PASS_FLOATS(archive, &mover->angular_damping);
	PASS_FLOATS(archive, &mover->gravity_scale);
}

void d3_state_pass(struct archive *archive, void *state)
{
	PASS_FLOATS(archive, (struct d3_state *)state);
}

void d3_contact_pass(struct archive *archive, const struct world *world, uint32_t contact)
{
	struct d3_contact_row *row = d3_contact_row(world, contact);
	PASS_FLOATS(archive, &row->material);
	PASS_FLOATS(archive, &row->local_normal);
	pass_f32(archive, &row->clearance);
	PASS_FLOATS(archive, &row->p);
	PASS_FLOATS(archive, &row->radius_b);
	PASS_FLOATS(archive, &row->q);
	PASS_FLOATS(archive, &row->points);
	PASS_FLOATS(archive, &row->normal_impulse);
	PASS_FLOATS(archive, &row->step_impulse);
	PASS_FLOATS(archive, &row->friction_impulse);
	PASS_FLOATS(archive, &row->friction_radius);
	PASS_FLOATS(archive, &row->frame);
	for (int i = 0; i < 4; ++i)
		pass_u32(archive, &row->ids[i]);
	pass_bytes(archive, &row->cache, sizeof row->cache); /* anything is valid, as it may be of other shapes */
	PASS_FLOATS(archive, &row->rolling_radius);
	pass_u32(archive, &row->triangle);
	PASS_FLOATS(archive, &row->rolling_impulse);
	row->count = (uint8_t)pass_kind(archive, row->count, 5);
	pass_f32(archive, &row->speed);
	for (int side = 0; archive->reading && side < 2; ++side) {
		const struct d3_shape *shape = d3_collider_shape(world, world->contacts.data[contact].colliders[side]);
		archive_check(
			archive, !d3_shape_surface(shape) || row->triangle < d3_shape_child_count(shape), "a triangle is out of range");
	}
}

void d3_joint_pass(struct archive *archive, void *record)
{
	struct d3_joint *joint = record;
	PASS_FLOATS(archive, &joint->point_a);
	PASS_FLOATS(archive, &joint->point_b);
	rotation_pass(archive, &joint->qa);
	rotation_pass(archive, &joint->qb);
}
