/* wing.h - shared by the files of the 2D wing: the contact records, the solver's records of one step, the functions in the
 * wing's table. */
#pragma once
#include "base/cache.h"
#include "core/link.h"
#include "d2/dynamics/d2.h"
#include "d2/manifold/manifold.h"

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

/* A contact point: its position on the surface of each shape, in the bodies' frames [length]. */
struct d2_contact_places {
	struct d2_vec a, b;
};

/* A manifold in the frames of the bodies, so that it stays valid while they hardly move relative to each other. Two cache
 * lines: four groups of eight numbers, which the solver loads as columns. */
struct d2_contact_row {
	struct contact_material material;
	struct d2_vec local_normal; /* from a to b, in the frame of a */
	float radius_a, radius_b; /* of the shapes' rounding [length] */

	struct d2_contact_places places[2];

	float normal_impulse[2], tangent_impulse[2]; /* of the last sub-step, for warm starting [mass length/s] */
	float step_impulse[2]; /* normal, summed over the sub-steps of the last step [mass length/s] */
	float rolling_impulse; /* [mass length^2/s] */
	float speed; /* the points' least speed along the normal before the last solve; < 0: approaching [length/s] */

	struct d2_transform b_in_a; /* b's frame in a's when the shapes were last collided */
	float rolling_radius; /* lever arm of the rolling resistance [length] */
	uint32_t ids[2]; /* of the features in contact */
	bool collided; /* b_in_a is valid */
	bool face; /* the normal is that of a face of one of the shapes */
	uint8_t count;
};

/* The speculative margin: contacts exist below this separation, to stop an approach within the step. Box2D's 4 slops [m, times
 * length_scale]. */
#define D2_SPECULATIVE (4.0f * LINEAR_SLOP)

static inline struct d2_contact_row *d2_contact_row(const struct world *world, uint32_t contact)
{
	return (struct d2_contact_row *)manifold_row(world, contact);
}

static inline const struct d2_shape *d2_collider_shape(const struct world *world, uint32_t collider)
{
	return (const struct d2_shape *)world->colliders.data[collider].shape;
}

static inline struct d2_state *d2_state(const struct world *world, uint32_t body)
{
	return (struct d2_state *)body_state(world, body);
}

static inline struct d2_pose d2_row_pose(const struct d2_body *row)
{
	struct d2_vec r = d2_rotate(row->q, row->local_center);
	return (struct d2_pose){row->x - (double)r.x, row->y - (double)r.y, row->q};
}

/* The relative pose of two bodies. */
struct d2_pair {
	struct d2_rot qa, qb;
	struct d2_vec center_a, center_b; /* of mass, in the bodies' frames [length] */
	struct d2_vec between; /* from a's centre of mass to b's, in the world [length] */
};

/* A contact point at given poses of the bodies. */
struct d2_contact_anchors {
	struct d2_vec anchor_a, anchor_b; /* from each centre of mass to the midpoint between the surfaces [length] */
	float separation;
};

static inline struct d2_contact_anchors d2_contact_anchors(
	const struct d2_contact_places *places, struct d2_vec normal, const struct d2_pair *bodies)
{
	struct d2_vec on_a = d2_rotate(bodies->qa, d2_sub(places->a, bodies->center_a));
	struct d2_vec on_b = d2_add(d2_rotate(bodies->qb, d2_sub(places->b, bodies->center_b)), bodies->between);
	struct d2_vec middle = d2_scale(0.5f, d2_add(on_a, on_b));
	return (struct d2_contact_anchors){middle, d2_sub(middle, bodies->between), d2_dot(d2_sub(on_b, on_a), normal)};
}

static inline struct d2_pair d2_pair_now(const struct d2_body *a, const struct d2_body *b)
{
	return (struct d2_pair){a->q, b->q, a->local_center, b->local_center, {(float)(b->x - a->x), (float)(b->y - a->y)}};
}

static inline void d2_body_prefetch(const struct world *world, uint32_t body)
{
	cache_prefetch(d2_row(world, body), CACHE_LINE);
}

void d2_contact_collide(struct world *world, uint32_t contact);
/* Recomputes the manifold of a contact whose AABBs overlap. */
void d2_contact_renew(struct world *world, uint32_t contact);
/* Whether the shapes must be collided again even if they hardly moved: a contact made ahead is valid for its step only, and a
 * fast jointed body may need a new one. */
bool d2_contact_looks_ahead(const struct world *world, uint32_t contact);
/* *out: the manifold where the shapes will touch if both move straight in this step, with their current separation. count 0:
 * they will not touch. */
void d2_ahead_collide(
	const struct world *world, const struct contact *contact, const struct d2_transform *b_in_a, struct d2_local_manifold *out);
void d2_contacts_collide_borders(struct world *world, uint32_t begin, uint32_t end);
struct contact_load d2_contact_load(const struct world *world, uint32_t contact);
void d2_contact_place(const struct world *world, uint32_t contact, double place[PLACE_NUMBERS], float *speed);
float d2_contact_overlap(const struct world *world, uint32_t contact, float normal[3]);
float d2_collider_reach(const struct world *world, uint32_t proxy, const float delta[3]);

/* --- Motion --------------------------------------------------------------------------------------------------------------- */

/* The change of a body's velocity in each sub-step, v' = (v + add) * scale. By awake index. */
struct d2_step_row {
	struct d2_vec add, scale; /* [length/s], [1]; scale is 0 on a locked axis */
	float add_w, scale_w; /* [rad/s], [1] */
	float max_speed, max_w; /* [length/s], [rad/s] */
	struct d2_vec v; /* before contacts and joints changed it in this sub-step [length/s] */
	float w; /* [rad/s] */
	float none; /* padding: lanes load four numbers at once */
};

static inline struct d2_step_row *d2_step_rows(const struct world *world)
{
	return (struct d2_step_row *)world->step_rows;
}

void d2_still_prepare(struct world *world);
void d2_bodies_prepare(struct world *world, uint32_t begin, uint32_t end);
void d2_bodies_finish(struct world *world, uint32_t begin, uint32_t end);
float d2_body_bulge(const struct world *world, uint32_t body);
bool d2_body_overtaken(const struct world *world, uint32_t body, uint32_t obstacle);
void d2_body_goes(const struct world *world, uint32_t body, struct bullet_path *delta);
void d2_body_look(const struct world *world, uint32_t body, struct path_hit *hit);
bool d2_body_sweep(struct world *world, uint32_t body);
bool d2_body_impact(const struct world *world, uint32_t body, struct path_impact *impact);
void d2_body_fell(struct world *world, uint32_t body, const struct body_place *end);
/* The next three: linkage.c */
void d2_body_place(const struct world *world, uint32_t body, struct body_place *place);
void d2_body_put(struct world *world, uint32_t body, const struct body_place *place);
struct body_place d2_member_place(
	const struct world *world, const struct linkage_member *member, const struct linkage_member *parent, float t);
float d2_bodies_moved(const struct world *world, uint32_t a, uint32_t b);
void d2_bodies_between(const struct world *world, uint32_t a, uint32_t b, float delta[3]);
void d2_body_velocity_of(const struct world *world, uint32_t body, float v[3]);
void d2_body_inverse_mass(const struct world *world, uint32_t body, float inv_mass[3]);
void d2_body_shift(struct world *world, uint32_t body, const float delta[3]);

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

void d2_body_mass(struct world *world, uint32_t body);
void d2_body_extend(struct world *world, uint32_t body, uint32_t collider);
void d2_state_load(struct world *world, uint32_t body);
void d2_state_store(struct world *world, uint32_t body);
void d2_body_stop(struct world *world, uint32_t body);
float d2_body_weight(const struct world *world, uint32_t body);
void d2_body_burden(struct world *world, uint32_t body, const float left[3], float left_turn);
void d2_contact_ease(struct world *world, uint32_t contact, float part);
bool d2_body_moves(const struct world *world, uint32_t body);
uint64_t d2_body_hash(const struct world *world, uint32_t body, uint64_t hash);

/* --- Sub-steps, in *.wide.c, one table per number of lanes ---------------------------------------------------------------- */

void d2_contacts_collide_1(struct world *world, uint32_t begin, uint32_t end);
void d2_contacts_collide_4(struct world *world, uint32_t begin, uint32_t end);
extern const struct motion d2_motion_1, d2_motion_4;
extern const struct link_solver d2_contact_solver_1, d2_contact_solver_4, d2_revolute_solver_1, d2_revolute_solver_4;
#if defined(__x86_64__)
void d2_contacts_collide_8(struct world *world, uint32_t begin, uint32_t end);
extern const struct motion d2_motion_8;
extern const struct link_solver d2_contact_solver_8, d2_revolute_solver_8;
#endif
