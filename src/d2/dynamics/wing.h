/* wing.h - shared by the files of the 2D wing: contact records, records of a step, the functions of the wing's table. */
#pragma once
#include "base/cache.h"
#include "d2/dynamics/d2.h"
#include "d2/manifold/manifold.h"
#include "d2/shape/archive.h"
#include "d2/shape/immersion.h"

static inline struct d2_pose d2_row_pose(const struct d2_body *row)
{
	struct d2_vec r = d2_rotate(row->q, row->local_center);
	return (struct d2_pose){row->x - (double)r.x, row->y - (double)r.y, row->q};
}

#define WING(name) d2_##name
#include "core/wing_functions.h"

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

/* A contact point: where it is on the surfaces of shapes a and b, each in its body's frame [length]. */
struct d2_row_point {
	struct d2_vec a, b;
};

/* A contact's record: its manifold in the frames of the bodies, so that it stays valid while they hardly move relative to each
 * other, and the impulses. Two cache lines, in four groups of eight numbers: the solver loads the first three as columns, the
 * narrow phase the last. */
struct d2_contact_row {
	struct contact_material material;
	struct d2_vec local_normal; /* from a to b, in the frame of a */
	float radius_a, radius_b; /* of the shapes' rounding [length] */

	struct d2_row_point points[2];

	float normal_impulse[2], tangent_impulse[2]; /* of the last sub-step, for warm starting [mass length/s] */
	float step_impulse[2]; /* normal, summed over the sub-steps of the last step [mass length/s] */
	float rolling_impulse; /* [mass length^2/s] */
	/* the least of the points' relative speeds along the normal before the last solve; < 0: approaching [length/s] */
	float speed;

	struct d2_transform b_in_a; /* pose of b's frame in a's when the shapes were last collided */
	union {
		float rolling_radius; /* lever arm of the rolling resistance [length] */
		/* without points: the shapes stay farther apart than the speculative margin until their relative motion reaches
		 * this [length] */
		float clearance;
	};
	uint32_t ids[2]; /* of the features in contact */
	bool collided; /* b_in_a is valid */
	bool face; /* the normal is that of a face of one of the shapes */
	uint8_t count;
};

/* The result of a contact that may be at a seam, collided alone. */
struct d2_border {
	struct d2_transform b_in_a;
	struct d2_local_manifold manifold; /* border: it may indeed be at a seam */
};

/* The rotations of two bodies in the world, and the vector between them. */
struct d2_body_pair {
	struct d2_rot qa, qb;
	struct d2_vec center_a, center_b; /* of mass, in the bodies' frames [length] */
	struct d2_vec between; /* from a's centre of mass to b's, in the world [length] */
};

/* A contact point at given poses of the bodies, in the world. */
struct d2_contact_anchors {
	struct d2_vec anchor_a, anchor_b; /* from each centre of mass to the midpoint between the surfaces [length] */
	float separation;
};

static inline struct d2_contact_anchors d2_contact_anchors(
	const struct d2_row_point *point, struct d2_vec normal, const struct d2_body_pair *bodies)
{
	struct d2_vec on_a = d2_rotate(bodies->qa, d2_sub(point->a, bodies->center_a));
	struct d2_vec on_b = d2_add(d2_rotate(bodies->qb, d2_sub(point->b, bodies->center_b)), bodies->between);
	struct d2_vec middle = d2_scale(0.5f, d2_add(on_a, on_b));
	return (struct d2_contact_anchors){middle, d2_sub(middle, bodies->between), d2_dot(d2_sub(on_b, on_a), normal)};
}

static inline struct d2_body_pair d2_body_pair_now(const struct d2_body *a, const struct d2_body *b)
{
	return (struct d2_body_pair){a->q, b->q, a->local_center, b->local_center, {(float)(b->x - a->x), (float)(b->y - a->y)}};
}

static inline void d2_body_prefetch(const struct world *world, uint32_t body)
{
	cache_prefetch(d2_row(world, body), CACHE_LINE);
}

/* Computes the manifold at the position where the shapes first overlap by more than a slop if both bodies move straight in this
 * step. b_in_a: their current transform. *out: that manifold with the current separation; count 0: they will not overlap so, or
 * another shape may be hit first. */
void d2_ahead_collide(
	const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a, struct d2_local_manifold *out);

/* --- Motion --------------------------------------------------------------------------------------------------------------- */

/* The change of a body's velocity in each sub-step, v' = (v + add) * scale. By awake index. */
struct d2_step_row {
	struct d2_vec add, scale; /* [length/s], [1]; scale is 0 on a locked axis */
	float add_w, scale_w; /* [rad/s], [1] */
	float max_speed, max_w; /* [length/s], [rad/s] */
	struct d2_vec v; /* velocity before contacts and joints changed it in this sub-step [length/s] */
	float w; /* [rad/s] */
	float none; /* padding: lanes load four numbers at once */
};
