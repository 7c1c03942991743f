/* wing.h - what the files of the 3D wing share: contact rows by contact id, the solver's rows of one step, the table of
 * functions. */
#pragma once
#include "base/cache.h"
#include "core/link.h"
#include "d3/dynamics/d3.h"
#include "d3/manifold/manifold.h"

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

/* A place where two shapes meet: midway between their surfaces, in the frame of a, as they stood when they were last collided
 * [length]. */
struct d3_contact_place {
	struct d3_vec middle;
	float separation; /* D3_NO_PLACE: there is none */
};

#define D3_NO_PLACE 1e30f

/* From so many points on a contact is flat: no body can roll or turn over on it without leaving some of them. */
enum { D3_FLAT = 3 };

/* Says where the shapes meet, and how the bodies stood against each other then, so that it need not be written while these
 * hardly move against each other. Four cache lines, of groups of four numbers each, which the solver takes by columns: what it
 * reads are the first two and the third, and the third is what it writes; of what rolls also the fourth. */
struct d3_contact_row {
	struct contact_material material;
	struct d3_vec local_normal; /* from a to b, in the frame of a; zero: they do not touch */
	union {
		float radius_a; /* of the rounding of the shapes [length] */
		/* of shapes that do not touch: how far points of one can move against the other before any are nearer than contacts
		 * exist from; < 0, of a surface: a follower touches it [length] */
		float clearance;
	};
	struct d3_vec p; /* where the frame of b was in that of a, and with q, how it was turned; q zero: never collided */
	float radius_b;
	struct d3_quat q;

	struct d3_contact_place places[D3_MANIFOLD_POINTS];

	float normal_impulse[4]; /* of the last sub-step, to start from [mass length/s] */
	float step_impulse[4]; /* normal, summed over the sub-steps of the last step [mass length/s] */
	/* Of friction, along both tangents of the local normal, and about it, at the middle of the places [mass length/s], [mass
	 * length^2/s] */
	float friction_impulse[3];
	float friction_radius; /* see d3_friction_radius; the solver finds that which is unknown [length] */
	/* How a was turned in the world when its frame was last taken for that of a flat contact; zero: not yet. See flat_frame. */
	struct d3_quat frame;

	uint32_t ids[4]; /* of the features that meet */
	struct d3_manifold_cache cache;
	float rolling_radius; /* lever arm of what resists rolling [length] */
	uint32_t triangle; /* of a mesh or height field: the child that carries the deepest point */
	struct d3_vec rolling_impulse; /* in the world [mass length^2/s] */
	uint8_t count;
	/* when it last hit: along the normal before the solve, of the point where it was least; < 0: approaching [length/s] */
	float speed;
	float none_of_line;
};

_Static_assert(sizeof(struct d3_contact_row) == 4 * CACHE_LINE, "four cache lines");

/* A gap below which contacts exist already: they stop what comes closer within the step. Box2D's 4 slops [m, times
 * length_scale]. */
#define D3_SPECULATIVE (4.0f * LINEAR_SLOP)

static inline struct d3_contact_row *d3_contact_row(const struct world *world, uint32_t contact)
{
	return (struct d3_contact_row *)manifold_row(world, contact);
}

static inline const struct d3_shape *d3_collider_shape(const struct world *world, uint32_t collider)
{
	return (const struct d3_shape *)world->colliders.data[collider].shape;
}

static inline uint32_t d3_shape_part_count(const struct d3_shape *shape)
{
	return shape->type == D3_COMPOUND ? shape->compound->count : 1;
}

/* What a proxy of the shape stands for: a child of a compound; all of a mesh or height field. */
static inline const struct d3_shape *d3_shape_part(const struct d3_shape *shape, uint32_t child)
{
	return shape->type == D3_COMPOUND ? shape->compound->children[child] : shape;
}

static inline const struct d3_shape *d3_proxy_part(const struct world *world, uint32_t proxy)
{
	return d3_shape_part(d3_collider_shape(world, world->proxies.data[proxy].collider), world->proxies.data[proxy].child);
}

/* As it stands at the pose, rounded outwards; of a half-space +-1e18 each way. */
struct box d3_shape_box(const struct d3_shape *part, const struct d3_pose *pose, float margin);

static inline struct d3_body *d3_row(const struct world *world, uint32_t body)
{
	return (struct d3_body *)body_row(world, body);
}

static inline struct d3_state *d3_state(const struct world *world, uint32_t body)
{
	return (struct d3_state *)body_state(world, body);
}

static inline struct d3_pose d3_row_pose(const struct d3_body *row)
{
	struct d3_vec r = d3_rotate(row->q, row->local_center);
	return (struct d3_pose){row->x - (double)r.x, row->y - (double)r.y, row->z - (double)r.z, row->q};
}

/* A direction across the unit vector n, the same for each n, to the bit.
 * Source: Duff et al., "Building an Orthonormal Basis, Revisited", 2017. */
static inline struct d3_vec d3_tangent(struct d3_vec n)
{
	float sign = n.z < 0.0f ? -1.0f : 1.0f, a = -1.0f / (sign + n.z);
	return (struct d3_vec){1.0f + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}

/* a m */
static inline struct d3_vec d3_symmetric_mul(const struct d3_symmetric *m, struct d3_vec a)
{
	return (struct d3_vec){m->xx * a.x + m->xy * a.y + m->xz * a.z, m->xy * a.x + m->yy * a.y + m->yz * a.z,
		m->xz * a.x + m->yz * a.y + m->zz * a.z};
}

/* Where a contact is with the bodies where they are, in the frame of a. */
struct d3_contact_anchor {
	struct d3_vec middle; /* [length] */
	float separation;
};

/* `moved`: from where b stood against a when they were collided to where it stands now. */
static inline struct d3_contact_anchor d3_contact_anchor(
	const struct d3_contact_place *place, struct d3_vec normal, struct d3_transform moved)
{
	float half = 0.5f * place->separation;
	struct d3_vec on_a = d3_mul_add(place->middle, -half, normal);
	struct d3_vec on_b = d3_transform_point(moved, d3_mul_add(place->middle, half, normal));
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

/* The contact, and what follows it. */
void d3_contact_collide(struct world *world, uint32_t contact);
/* The same of a contact of two convex shapes that does not hold, whose boxes meet. */
void d3_contact_renew(struct world *world, uint32_t contact);
/* Whether its shapes are to be collided anew however little they have moved: what was made ahead holds for its step only, and
 * what goes far may touch. */
bool d3_contact_looks_ahead(const struct world *world, uint32_t contact);
void d3_contacts_collide_borders(struct world *world, uint32_t begin, uint32_t end);
void d3_contact_material(const struct world *world, uint32_t contact, int side, struct material *material);
struct contact_load d3_contact_load(const struct world *world, uint32_t contact);
void d3_contact_place(const struct world *world, uint32_t contact, double place[PLACE_NUMBERS], float *speed);
float d3_contact_overlap(const struct world *world, uint32_t contact, float normal[3]);
float d3_collider_reach(const struct world *world, uint32_t proxy, const float delta[3]);

/* --- Motion --------------------------------------------------------------------------------------------------------------- */

/* What a sub-step does to a body's velocity, v' = (v + add) * scale, the same in each: dense, by awake row, two cache lines of
 * groups of four numbers. What tumbles also turns its velocity by itself: see integrate.wide.c. */
struct d3_step_row {
	struct d3_vec add; /* [length/s] */
	float max_speed; /* [length/s] */
	struct d3_vec scale; /* [1]; 0 on a locked axis */
	float max_w; /* [rad/s] */
	/* [rad/s]; of what tumbles: the torque's impulse, which its inertia as it stands turns into that [mass length^2/s] */
	struct d3_vec add_w;
	float none_add;
	struct d3_vec scale_w; /* [1] */
	float none_scale;
	struct d3_vec v, w; /* before contacts and joints changed them in this sub-step [length/s], [rad/s] */
	float none[2];
	struct d3_quat principal; /* the frame of the principal axes in the world when the step began */
	/* Of the moments about them, ascending: the middle one, and the others over it; zero: it does not tumble [1], [mass
	 * length^2] */
	float first, middle, third;
	float none_moments;
};

/* By awake row. */
static inline struct d3_step_row *d3_step_rows(const struct world *world)
{
	return (struct d3_step_row *)world->step_rows;
}

/* What has less than this part of its middle moment about its longest axis is slender. */
#define D3_SLENDER 0.25f

void d3_still_prepare(struct world *world);
void d3_bodies_prepare(struct world *world, uint32_t begin, uint32_t end);
void d3_bodies_finish(struct world *world, uint32_t begin, uint32_t end);
float d3_body_bulge(const struct world *world, uint32_t body);
bool d3_body_overtaken(const struct world *world, uint32_t body, uint32_t obstacle);
void d3_body_goes(const struct world *world, uint32_t body, struct bullet_path *delta);
void d3_body_look(const struct world *world, uint32_t body, struct path_hit *hit);
bool d3_body_sweep(struct world *world, uint32_t body);
bool d3_body_impact(const struct world *world, uint32_t body, struct path_impact *impact);
void d3_body_fell(struct world *world, uint32_t body, const struct body_place *end);
void d3_body_put(struct world *world, uint32_t body, const struct body_place *place);
/* linkage.c */
void d3_body_place(const struct world *world, uint32_t body, struct body_place *place);
struct body_place d3_member_place(
	const struct world *world, const struct linkage_member *member, const struct linkage_member *parent, float t);
float d3_bodies_moved(const struct world *world, uint32_t a, uint32_t b);
void d3_bodies_between(const struct world *world, uint32_t a, uint32_t b, float delta[3]);
void d3_body_velocity_of(const struct world *world, uint32_t body, float v[3]);
void d3_body_inverse_mass(const struct world *world, uint32_t body, float inv_mass[3]);
void d3_body_shift(struct world *world, uint32_t body, const float delta[3]);

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

void d3_body_mass(struct world *world, uint32_t body);
void d3_body_extend(struct world *world, uint32_t body, uint32_t collider);
void d3_state_load(struct world *world, uint32_t body);
void d3_state_store(struct world *world, uint32_t body);
void d3_body_stop(struct world *world, uint32_t body);
float d3_body_weight(const struct world *world, uint32_t body);
void d3_body_burden(struct world *world, uint32_t body, const float left[3], float left_turn);
void d3_contact_ease(struct world *world, uint32_t contact, float part);
bool d3_body_moves(const struct world *world, uint32_t body);
uint64_t d3_body_hash(const struct world *world, uint32_t body, uint64_t hash);

/* At most the greatest speed at which the spin w moves a point about the centre of mass:
 *   |w x r| <= |w across the axis of the least moment| max_extent + |w along it| girth
 * What is long and thin and rolls is slow. */
float d3_row_turning(const struct d3_body *row, struct d3_vec w);
/* Of all points, where that decides whether it exceeds `enough`; else a bound on it. */
float d3_row_speed(const struct d3_body *row, struct d3_vec v, struct d3_vec w, float enough);

/* For its rotation, which has changed, of what is dynamic: the inverse of its inertia in the world. */
void d3_row_turned(struct d3_body *row);

/* --- Sub-steps, in *.wide.c, one table per number of lanes ---------------------------------------------------------------- */

void d3_contacts_collide_1(struct world *world, uint32_t begin, uint32_t end);
void d3_contacts_collide_4(struct world *world, uint32_t begin, uint32_t end);
extern const struct motion d3_motion_1, d3_motion_4;
extern const struct link_solver d3_contact_solver_1, d3_contact_solver_4, d3_revolute_solver_1, d3_revolute_solver_4,
	d3_spherical_solver_1, d3_spherical_solver_4;
#if defined(__x86_64__)
void d3_contacts_collide_8(struct world *world, uint32_t begin, uint32_t end);
extern const struct motion d3_motion_8;
extern const struct link_solver d3_contact_solver_8, d3_revolute_solver_8, d3_spherical_solver_8;
#endif
