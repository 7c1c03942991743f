/* wing_functions.h - declarations that are the same in both wings. Included by each wing's wing.h after the macro WING, which
 * makes the name of a function or type of this wing: WING(row) is d2_row or d3_row. core/wing.h describes the functions of
 * struct wing, core/path.h those of continuous collision. Functions that take ranges, and those of continuous collision, may
 * run on any thread. */
#pragma once
#include "core/link.h"

/* --- Records -------------------------------------------------------------------------------------------------------------- */

static inline struct WING(contact_row) * WING(contact_row)(const struct world *world, uint32_t contact)
{
	return (struct WING(contact_row) *)manifold_row(world, contact);
}

static inline const struct WING(shape) * WING(collider_shape)(const struct world *world, uint32_t collider)
{
	return (const struct WING(shape) *)world->colliders.data[collider].shape;
}

static inline struct WING(state) * WING(state)(const struct world *world, uint32_t body)
{
	return (struct WING(state) *)body_state(world, body);
}

/* The step records, by awake index. */
static inline struct WING(step_row) * WING(step_rows)(const struct world *world)
{
	return (struct WING(step_row) *)world->step_rows;
}

/* The pose of the proxy's body. */
static inline struct WING(pose) WING(proxy_pose)(const struct world *world, uint32_t proxy)
{
	return WING(row_pose)(WING(row)(world, proxy_body(world, proxy)));
}

/* The pose of the collider's body. */
static inline struct WING(pose) WING(collider_pose)(const struct world *world, uint32_t collider)
{
	return WING(row_pose)(WING(row)(world, world->colliders.data[collider].body));
}

/* --- The table ------------------------------------------------------------------------------------------------------------ */

/* Shapes are immutable except for their reference count, which is not part of their value. */
static inline void WING(wing_retain)(const void *shape)
{
	WING(shape_retain)((struct WING(shape) *)(uintptr_t)shape);
}

static inline void WING(wing_release)(const void *shape)
{
	WING(shape_release)((struct WING(shape) *)(uintptr_t)shape);
}

static inline void WING(wing_shape_pass)(struct archive *archive, const void **shape)
{
	struct WING(shape) *passed = (struct WING(shape) *)(uintptr_t)*shape;
	WING(shape_pass)(archive, &passed);
	*shape = passed;
}

static inline bool WING(wing_shape_editable)(const void *shape)
{
	return WING(shape_editable)((const struct WING(shape) *)shape);
}

static inline bool WING(wing_has_materials)(const void *shape)
{
	return WING(shape_has_materials)((const struct WING(shape) *)shape);
}

const struct material *WING(proxy_material)(const struct world *world, uint32_t proxy, uint32_t contact);

/* Bodies. */
void WING(body_mass)(struct world *world, uint32_t body);
void WING(joint_levers)(struct world *world, uint32_t joint);
void WING(body_extend)(struct world *world, uint32_t body, uint32_t collider);
void WING(state_load)(struct world *world, uint32_t body);
void WING(state_store)(struct world *world, uint32_t body);
extern const struct WING(mover) WING(mover_default);
void WING(body_stop)(struct world *world, uint32_t body);
void WING(body_burden)(struct world *world, uint32_t body, const float left[3], float left_turn);
void WING(body_stiffen)(struct world *world, uint32_t body, float left);

static inline bool WING(body_locked)(const struct world *world, uint32_t body)
{
	return WING(row)(world, body)->locks != 0;
}
bool WING(body_moves)(const struct world *world, uint32_t body);
void WING(body_numbers)(const struct world *world, uint32_t body, struct body_numbers *numbers);
void WING(body_pass)(struct archive *archive, void *row);
void WING(mover_pass)(struct archive *archive, void *row);
void WING(state_pass)(struct archive *archive, void *state);
void WING(contact_pass)(struct archive *archive, const struct world *world, uint32_t contact);
void WING(joint_pass)(struct archive *archive, void *row);

struct frame3 WING(body_frame)(const struct world *world, uint32_t body);
void WING(body_kick)(struct world *world, uint32_t body, struct vec3 impulse, struct vec3 angular_impulse);
void WING(body_press)(struct world *world, uint32_t body, struct vec3 force, struct vec3 torque);
void WING(body_pressed)(const struct world *world, uint32_t body, struct vec3 *force, struct vec3 *torque);
void WING(step_push)(struct world *world, uint32_t row, const void *base, const struct field_push *push);

/* Contacts. */
void WING(contacts_collide_alone)(struct world *world, uint32_t begin, uint32_t end);
void WING(contacts_collide_borders)(struct world *world, uint32_t begin, uint32_t end);
void WING(contact_point_normal)(
	const struct world *world, uint32_t contact, double point_normal[POINT_NORMAL_SIZE], float *speed);
void WING(contact_view)(const struct world *world, uint32_t contact, bool now, struct contact_view *view);
float WING(contact_overlap)(const struct world *world, uint32_t contact, const uint32_t bodies[2], float normal[3]);
float WING(collider_reach)(const struct world *world, uint32_t proxy, const float delta[3]);
struct contact_load WING(contact_load)(const struct world *world, uint32_t contact);
void WING(contact_ease)(struct world *world, uint32_t contact, float part);
void WING(contact_forget)(struct world *world, uint32_t contact);

/* Motion. */
void WING(still_prepare)(struct world *world);
void WING(bodies_prepare)(struct world *world, uint32_t begin, uint32_t end);
void WING(bodies_finish)(struct world *world, uint32_t begin, uint32_t end);
float WING(bodies_moved)(const struct world *world, uint32_t a, uint32_t b);

/* Continuous collision. */
void WING(proxy_path)(const struct world *world, uint32_t proxy, struct box *box);
bool WING(colliders_pass)(const struct world *world, const uint32_t colliders[2]);
float WING(body_bulge)(const struct world *world, uint32_t body);
bool WING(body_overtaken)(const struct world *world, uint32_t body, uint32_t obstacle);
extern const struct sweep_wing WING(sweep_wing);
extern const struct obstacle_wing WING(obstacle_wing);
bool WING(ccd_proxy_swept)(const struct world *world, uint32_t proxy);
void WING(ccd_prepare)(struct sweep_query *query);
bool WING(ccd_near)(struct sweep_query *query, uint32_t other);
const struct box *WING(ccd_around)(struct sweep_query *query);
const struct box *WING(ccd_box)(struct sweep_query *query);
void WING(ccd_against)(struct sweep_query *query);
float WING(ccd_distance)(struct sweep_query *query, struct vec3 *normal);
void WING(body_center_pose)(const struct world *world, uint32_t body, struct center_pose *pose);
void WING(body_set_center_pose)(struct world *world, uint32_t body, const struct center_pose *pose);
struct center_pose WING(member_pose)(
	const struct world *world, const struct linkage_member *member, const struct linkage_member *parent, float t);

/* Defined by *.wide.c, once for each number of lanes. */
void WING(contacts_collide_1)(struct world *world, uint32_t begin, uint32_t end);
void WING(contacts_collide_4)(struct world *world, uint32_t begin, uint32_t end);
void WING(contacts_collide_8)(struct world *world, uint32_t begin, uint32_t end);
extern const struct motion WING(motion_1), WING(motion_4), WING(motion_8);
extern const struct link_solver WING(contact_solver_1), WING(contact_solver_4), WING(contact_solver_8);
extern const struct link_solver WING(revolute_solver_1), WING(revolute_solver_4), WING(revolute_solver_8);
extern const struct link_solver WING(gear_solver); /* has one lane */
extern const struct link_solver WING(tree_solver_1), WING(tree_solver_4), WING(tree_solver_8);
extern const struct link_solver WING(rows_solver_1), WING(rows_solver_4), WING(rows_solver_8);

#if defined(WITH_4_LANES)
#define OF_4_LANES(name) &WING(name##_4)
#else
#define OF_4_LANES(name) NULL
#endif
#if defined(WITH_8_LANES)
#define OF_8_LANES(name) &WING(name##_8)
#else
#define OF_8_LANES(name) NULL
#endif
#define BY_LANES(name) &WING(name##_1), OF_4_LANES(name), OF_8_LANES(name)

/* Of shapes, for fields. */
static inline double shape_top(const void *shape, struct vec3 direction)
{
	return WING(shape_top)(shape, direction);
}

static inline double shape_level(const void *shape, struct vec3 *up)
{
	return WING(shape_level)(shape, up);
}

static inline struct immersion shape_immersed(const void *shape, struct vec3 up, double level)
{
	return WING(shape_immersed)(shape, up, level);
}

static inline void shape_facets(const void *shape, struct fineness fineness, facet_visit *visit, void *context)
{
	WING(shape_facets)(shape, fineness, visit, context);
}

/* The bytes [begin, end) of a record of this type: see struct stepped. */
#define STEPPED(type, begin, end)                          \
	{                                                      \
		sizeof(type), begin, ((end) - (begin) + 7) / 8 * 8 \
	}

/* Initializers of struct wing that both wings share. `origin` and the functions named wing_* without a prefix are static in the
 * wing's world.c. */
#define WING_FUNCTIONS                                                                                                         \
	.body_size = sizeof(struct WING(body)), .mover_size = sizeof(struct WING(mover)),                                          \
	.state_size = sizeof(struct WING(state)), .mover_default = &WING(mover_default),                                           \
	.mover_stepped = STEPPED(struct WING(mover), 0, sizeof(struct WING(start))),                                               \
	.state_stepped = STEPPED(struct WING(state), 0, sizeof(struct WING(state))), .step_size = sizeof(struct WING(step_row)),   \
	.manifold_size = sizeof(struct WING(contact_row)), .body_mass_at = offsetof(struct WING(body), mass),                      \
	.body_extent_at = offsetof(struct WING(body), max_extent), .body_inv_mass_at = offsetof(struct WING(body), inv_mass),      \
	.state_dp_at = offsetof(struct WING(state), dp), .shape_children = wing_shape_children, .shape_retain = WING(wing_retain), \
	.shape_release = WING(wing_release), .shape_pass = WING(wing_shape_pass), .shapes_join = WING(shapes_join),                \
	.shape_editable = WING(wing_shape_editable), .shape_valid = wing_shape_valid,                                              \
	.shape_has_materials = WING(wing_has_materials), .proxy_material = WING(proxy_material),                                   \
	.shape_unbounded = wing_shape_unbounded, .shape_box = wing_shape_box, .origin = &origin, .proxy_box = wing_proxy_box,      \
	.part_ray = wing_part_ray, .part_cast = wing_part_cast, .part_nearest = wing_part_nearest, .proxy_path = WING(proxy_path), \
	.colliders_pass = WING(colliders_pass), .part_overlaps = wing_part_overlaps, .part_in_box = wing_part_in_box,              \
	.part_contains = wing_part_contains, .proxy_overlaps_box = wing_proxy_overlaps_box,                                        \
	.collide = {BY_LANES(contacts_collide)}, .motion = {BY_LANES(motion)}, .body_mass = WING(body_mass),                       \
	.joint_levers = WING(joint_levers), .body_extend = WING(body_extend), .state_load = WING(state_load),                      \
	.state_store = WING(state_store), .body_stop = WING(body_stop), .body_burden = WING(body_burden),                          \
	.body_stiffen = WING(body_stiffen), .body_locked = WING(body_locked), .body_moves = WING(body_moves),                      \
	.body_pass = WING(body_pass), .mover_pass = WING(mover_pass), .state_pass = WING(state_pass),                              \
	.contact_pass = WING(contact_pass), .joint_pass = WING(joint_pass), .body_numbers = WING(body_numbers),                    \
	.border_size = sizeof(struct WING(border)), .collide_alone = WING(contacts_collide_alone),                                 \
	.collide_borders = WING(contacts_collide_borders), .contact_point_normal = WING(contact_point_normal),                     \
	.contact_view = WING(contact_view), .contact_overlap = WING(contact_overlap), .proxy_reach = WING(collider_reach),         \
	.contact_load = WING(contact_load), .contact_ease = WING(contact_ease), .contact_forget = WING(contact_forget),            \
	.still_prepare = WING(still_prepare), .bodies_prepare = WING(bodies_prepare), .bodies_finish = WING(bodies_finish),        \
	.bodies_moved = WING(bodies_moved), .body_bulge = WING(body_bulge), .body_overtaken = WING(body_overtaken),                \
	.sweep = &WING(sweep_wing), .obstacles = &WING(obstacle_wing), .body_center_pose = WING(body_center_pose),                 \
	.body_set_center_pose = WING(body_set_center_pose), .member_pose = WING(member_pose), .shape_contains = shape_contains,    \
	.shape_top = shape_top, .shape_level = shape_level, .shape_immersed = shape_immersed, .shape_facets = shape_facets,        \
	.body_frame = WING(body_frame), .body_kick = WING(body_kick), .body_press = WING(body_press),                              \
	.body_pressed = WING(body_pressed), .step_push = WING(step_push)

/* --- Within the wing ------------------------------------------------------------------------------------------------------ */

/* Collides the contact and its followers, unless their results still hold. */
void WING(contact_collide)(struct world *world, uint32_t contact);
/* Collides a contact, whether its manifold still holds or not. The contact must touch, or its fat AABBs overlap; it has no
 * followers and no sensor. */
void WING(contact_renew)(struct world *world, uint32_t contact);
/* Whether the contact must be collided again even if its bodies hardly moved: a contact made ahead is valid for its step only,
 * and a fast jointed body may need a new one. */
bool WING(contact_looks_ahead)(const struct world *world, uint32_t contact);

/* The pose of the contact's second body in the frame of the first. */
static inline struct WING(transform) WING(contact_b_in_a)(const struct world *world, const struct contact *contact)
{
	struct WING(pose) a = WING(row_pose)(WING(row)(world, contact->link.bodies[0]));
	struct WING(pose) b = WING(row_pose)(WING(row)(world, contact->link.bodies[1]));
	return WING(pose_relative)(&a, &b);
}

/* Converts a manifold that was computed with b displaced by `delta` to b's current position: moves its points and changes their
 * separations. */
static inline void WING(manifold_take_back)(struct WING(local_manifold) * manifold, struct WING(vec) delta)
{
	float apart = -WING(dot)(delta, manifold->normal);
	for (int i = 0; i < manifold->count; ++i) {
		struct WING(manifold_point) *point = &manifold->points[i];
		struct WING(vec) on_b = WING(sub)(WING(mul_add)(point->point, 0.5f * point->separation, manifold->normal), delta);
		point->separation += apart;
		point->point = WING(mul_add)(on_b, -0.5f * point->separation, manifold->normal);
	}
}

/* The greatest height difference of two adjacent faces that form a seam for a shape x that crosses from one to the other
 * [length]: one slop, and half a slop since x may rest deeper on one of them; at most half of x's `inner`. */
static inline float WING(seam_step)(const struct world *world, const struct WING(shape) * x)
{
	float most = 1.5f * LINEAR_SLOP * world->settings.length_scale;
	return x->inner > 0.0f ? min_f(most, 0.5f * x->inner) : most;
}

/* Adds a point to a seam manifold without points, as that of a shape beside the face. `alone`: the manifold of the two shapes
 * without regard to the seam. The point is the deepest one of `alone`, if it is deeper than `step` [length]: a contact for a
 * smaller overlap would hold back a body that rolls on the neighbouring face. */
static inline void WING(overlap_keep)(const struct WING(local_manifold) * alone, float step, struct WING(local_manifold) * seam)
{
	int deepest = 0;
	for (int i = 1; i < alone->count; ++i)
		deepest = alone->points[i].separation < alone->points[deepest].separation ? i : deepest;
	if (alone->count > 0 && alone->points[deepest].separation < -step) {
		seam->points[0] = alone->points[deepest];
		seam->count = 1;
	}
}
