/* wing.h - shared declarations of the 3D wing: contact records by contact id, the bodies' records of one step, and the wing's
 * functions. */
#pragma once
#include "base/cache.h"
#include "d3/dynamics/d3.h"
#include "d3/manifold/manifold.h"
#include "d3/shape/archive.h"
#include "d3/shape/immersion.h"

static inline struct d3_pose d3_row_pose(const struct d3_body *row)
{
	struct d3_vec r = d3_rotate(row->q, row->local_center);
	return (struct d3_pose){row->x - (double)r.x, row->y - (double)r.y, row->z - (double)r.z, row->q};
}

#define WING(name) d3_##name
#include "core/wing_functions.h"

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

/* A contact point: midway between the two surfaces, in the frame of body a, at the pair's last narrow phase [length]. */
struct d3_row_point {
	struct d3_vec middle;
	float separation; /* D3_NO_POINT: unused */
};

#define D3_NO_POINT 1e30f

/* A contact with at least this many points is flat: a body cannot roll or tip on it without some points separating. */
enum { D3_FLAT = 3 };

/* A contact's manifold, and the relative pose that it was computed for. It stays valid while the bodies hardly move relative to
 * each other. Four cache lines of groups of four numbers, which the solver loads as columns. The solver reads the first three
 * lines and writes the third. It uses the fourth only for rolling contacts and hits. */
struct d3_contact_row {
	struct contact_material material;
	struct d3_vec local_normal; /* from a to b, in the frame of a; zero: no points */
	union {
		float radius_a; /* depth of the core that rolling leaves in place: see core_depth [length] */
		/* without points: the shapes stay farther apart than the speculative margin until their relative motion reaches this;
		 * negative: a mesh or height field whose follower contact has points [length] */
		float clearance;
	};
	struct d3_vec p; /* with q, pose of b's frame in a's at the last narrow phase; q zero: none yet */
	float radius_b;
	struct d3_quat q;

	struct d3_row_point points[D3_MANIFOLD_POINTS];

	float normal_impulse[4]; /* of the last sub-step, for warm starting [mass length/s] */
	float step_impulse[4]; /* normal, summed over the sub-steps of the last step [mass length/s] */
	/* Of friction at the centre of the points: along the two tangents of local_normal, and about local_normal [mass length/s],
	 * [mass length^2/s] */
	float friction_impulse[3];
	float friction_radius; /* see d3_friction_radius; < 0: unknown, the solver computes it [length] */
	/* rotation of a from which a flat contact takes its normal and tangents: see flat_frame; zero: not set */
	struct d3_quat frame;

	uint32_t ids[4]; /* of the points' feature pairs */
	struct d3_manifold_cache cache;
	float rolling_radius; /* lever arm of rolling resistance [length] */
	uint32_t triangle; /* of a mesh or height field: index of the triangle with the deepest point */
	struct d3_vec rolling_impulse; /* of rolling resistance, in the world [mass length^2/s] */
	uint8_t count;
	/* at the last hit event: least normal speed of a point before the solve; < 0: approaching [length/s] */
	float speed;
};

_Static_assert(sizeof(struct d3_contact_row) == 4 * CACHE_LINE, "four cache lines");

/* The result of a contact that may be at a seam, collided alone. */
struct d3_border {
	struct d3_transform b_in_a;
	struct d3_local_manifold manifold;
	bool border; /* it may indeed be at a seam */
};

static inline const struct d3_shape *d3_proxy_part(const struct world *world, uint32_t proxy)
{
	return d3_shape_part(d3_collider_shape(world, world->proxies.data[proxy].collider), world->proxies.data[proxy].child);
}

/* The part's AABB at the pose, with the margin, rounded outwards; of a half-space +-1e18 along each axis. */
struct box d3_shape_box(const struct d3_shape *part, const struct d3_pose *pose, float margin);

/* A unit vector perpendicular to the unit vector n, the same for the same n, to the bit.
 * Source: Duff et al., "Building an Orthonormal Basis, Revisited", 2017. */
static inline struct d3_vec d3_tangent(struct d3_vec n)
{
	float sign = n.z < 0.0f ? -1.0f : 1.0f, a = -1.0f / (sign + n.z);
	return (struct d3_vec){1.0f + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}

/* m a */
static inline struct d3_vec d3_symmetric_mul(const struct d3_symmetric *m, struct d3_vec a)
{
	return (struct d3_vec){m->xx * a.x + m->xy * a.y + m->xz * a.z, m->xy * a.x + m->yy * a.y + m->yz * a.z,
		m->xz * a.x + m->yz * a.y + m->zz * a.z};
}

/* A contact point at the bodies' current poses, in the frame of a. */
struct d3_contact_anchor {
	struct d3_vec middle; /* [length] */
	float separation;
};

/* The contact point at the current poses. `moved`: motion of b since the last narrow phase, in the frame of a. */
static inline struct d3_contact_anchor d3_contact_anchor(
	const struct d3_row_point *point, struct d3_vec normal, struct d3_transform moved)
{
	float half = 0.5f * point->separation;
	struct d3_vec on_a = d3_mul_add(point->middle, -half, normal);
	struct d3_vec on_b = d3_transform_point(moved, d3_mul_add(point->middle, half, normal));
	return (struct d3_contact_anchor){d3_scale(0.5f, d3_add(on_a, on_b)), d3_dot(d3_sub(on_b, on_a), normal)};
}

static inline struct d3_transform d3_contact_moved(const struct d3_contact_row *row, struct d3_transform b_in_a)
{
	return d3_mul_transform(b_in_a, d3_inv_transform((struct d3_transform){row->p, row->q}));
}

static inline void d3_body_prefetch(const struct world *world, uint32_t body)
{
	cache_prefetch(d3_row(world, body), 2 * CACHE_LINE);
}

/* Surface velocity of a minus that of b, by their materials or as the user has set it, in the world [length/s]. */
/* The AABB in the world of a box in the body's frame, widened by the margin. */
struct box d3_region_box(const struct d3_pose *pose, struct d3_vec_d low, struct d3_vec_d high, float margin);
struct d3_vec d3_contact_surface_velocity(const struct world *world, uint32_t contact);

/* --- Motion --------------------------------------------------------------------------------------------------------------- */

/* Change of a body's velocity by forces and damping, v' = (v + add) * scale, the same in each sub-step. Dense, by awake index;
 * two cache lines of groups of four numbers. A tumbling body also changes its w without a torque: see integrate.wide.c. */
struct d3_step_row {
	struct d3_vec add; /* [length/s] */
	float max_speed; /* [length/s] */
	struct d3_vec scale; /* [1]; 0 on a locked axis */
	float max_w; /* [rad/s] */
	/* [rad/s]; of a tumbling body instead the angular impulse, which each sub-step multiplies by the current inverse inertia
	 * [mass length^2/s] */
	struct d3_vec add_w;
	float none_add;
	struct d3_vec scale_w; /* [1] */
	float none_scale;
	struct d3_vec v, w; /* before contacts and joints changed them in this sub-step [length/s], [rad/s] */
	float none[2];
	struct d3_quat principal; /* the frame of the principal axes in the world when the step began */
	/* Principal moments, ascending: the middle one [mass length^2], and the others divided by it [1]; zero: does not tumble */
	float first, middle, third;
	float none_moments;
};

/* A tumbling body is slender if its least moment is less than this fraction of its middle moment. */
#define D3_SLENDER 0.25f

/* Upper bound on the speed of the body's points about its centre of mass at the angular velocity w, with girth as a length:
 *   |w x r| <= |w perpendicular to the axis of least moment| max_extent + |w along it| girth
 * The bound is much closer than |w| max_extent for a long thin body that rolls. */
float d3_row_turning(const struct d3_body *row, const struct d3_mover *mover, struct d3_vec w);
/* The larger of |v| and a bound on the points' speed about the centre of mass: |w| max_extent, or the closer d3_row_turning if
 * that may bring the result below `enough`. */
float d3_row_speed(const struct d3_body *row, const struct d3_mover *mover, struct d3_vec v, struct d3_vec w, float enough);

/* Updates inv_inertia of a dynamic body after a rotation. */
void d3_row_turned(struct d3_body *row, const struct d3_mover *mover);

extern const struct link_solver d3_spherical_solver_1, d3_spherical_solver_4, d3_spherical_solver_8;
