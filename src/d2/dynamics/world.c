/* world.c - the 2D wing: its table of functions, and the creation of its worlds.
 * Serial. */
#include "base/lane_count.h"
#include "core/world.h"
#include "d2/dynamics/joint.h"
#include "d2/dynamics/wing.h"

static uint32_t wing_shape_children(const void *shape)
{
	return d2_shape_child_count((const struct d2_shape *)shape);
}

/* Shapes are immutable except for their reference count, which is not part of their value. */
static void wing_shape_retain(const void *shape)
{
	d2_shape_retain((struct d2_shape *)(uintptr_t)shape);
}

static void wing_shape_release(const void *shape)
{
	d2_shape_release((struct d2_shape *)(uintptr_t)shape);
}

static bool wing_shape_unbounded(const void *shape)
{
	return d2_shape_unbounded((const struct d2_shape *)shape);
}

/* By how much fat AABBs exceed the shape: so that slow bodies need no pair search in each step, but do not pair with bodies
 * that only pass by, an eighth of the size, and 5 cm at most, as measured for Box2D's B2_MAX_AABB_MARGIN. At least the
 * separation that continuous collision keeps: a body that it stops must be paired, or it stays there without a contact. */
static float wing_shape_margin(const struct world *world, const void *shape)
{
	const struct d2_pose origin = {0.0, 0.0, {1.0f, 0.0f}};
	float largest = 0.05f * world->settings.length_scale, size = 0.0f;
	if (d2_shape_unbounded((const struct d2_shape *)shape))
		return largest;
	for (uint32_t i = 0; i < d2_shape_child_count((const struct d2_shape *)shape); ++i) {
		struct box box = d2_shape_box((const struct d2_shape *)shape, i, &origin, 0.0f);
		size = max_f(size, max_f(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1]));
	}
	return max_f(min_f(largest, 0.125f * size), 1.5f * LINEAR_SLOP * world->settings.length_scale);
}

static void wing_proxy_box(const struct world *world, uint32_t id, struct box *box)
{
	const struct proxy *proxy = &world->proxies.data[id];
	const struct collider *collider = &world->colliders.data[proxy->collider];
	struct d2_pose pose = d2_row_pose(d2_row(world, collider->body));
	*box = d2_shape_box((const struct d2_shape *)collider->shape, proxy->child, &pose, 0.0f);
}

static bool wing_proxy_overlaps_box(const struct world *world, uint32_t id, const struct box *box)
{
	const struct collider *collider = &world->colliders.data[world->proxies.data[id].collider];
	struct d2_pose pose = d2_row_pose(d2_row(world, collider->body));
	return d2_shape_box_overlap((const struct d2_shape *)collider->shape, &pose, box);
}

static const struct wing wing = {
	.dimensions = 2,
	.world_size = sizeof(struct d2_world),
	.body_size = sizeof(struct d2_body),
	.state_size = sizeof(struct d2_state),
	.step_size = sizeof(struct d2_step_row),
	.manifold_size = sizeof(struct d2_contact_row),
	.joint_size = sizeof(struct d2_revolute),
	.shape_children = wing_shape_children,
	.shape_retain = wing_shape_retain,
	.shape_release = wing_shape_release,
	.shape_unbounded = wing_shape_unbounded,
	.shape_margin = wing_shape_margin,
	.proxy_box = wing_proxy_box,
	.shape_box = d2_query_box,
	.proxy_ray = d2_query_ray,
	.proxy_overlaps = d2_query_overlaps,
	.proxy_overlaps_box = wing_proxy_overlaps_box,
	.body_mass = d2_body_mass,
	.body_extend = d2_body_extend,
	.state_load = d2_state_load,
	.state_store = d2_state_store,
	.body_stop = d2_body_stop,
	.body_weight = d2_body_weight,
	.body_burden = d2_body_burden,
	.body_moves = d2_body_moves,
	.collide_borders = d2_contacts_collide_borders,
	.contact_place = d2_contact_place,
	.contact_overlap = d2_contact_overlap,
	.proxy_reach = d2_collider_reach,
	.bodies_moved = d2_bodies_moved,
	.bodies_between = d2_bodies_between,
	.body_velocity = d2_body_velocity_of,
	.body_inverse_mass = d2_body_inverse_mass,
	.body_shift = d2_body_shift,
	.contact_load = d2_contact_load,
	.contact_ease = d2_contact_ease,
	.still_prepare = d2_still_prepare,
	.bodies_prepare = d2_bodies_prepare,
	.bodies_finish = d2_bodies_finish,
	.body_bulge = d2_body_bulge,
	.body_overtaken = d2_body_overtaken,
	.body_goes = d2_body_goes,
	.body_look = d2_body_look,
	.body_sweep = d2_body_sweep,
	.body_impact = d2_body_impact,
	.body_place = d2_body_place,
	.body_put = d2_body_put,
	.body_fell = d2_body_fell,
	.member_place = d2_member_place,
	.body_hash = d2_body_hash,
};

/* The overflow is solved with one lane, all other links with as many as the machine has. */
#define SOLVERS_OF(n)                                                                                             \
	to->collide = d2_contacts_collide_##n, to->motion = d2_motion_##n, to->solvers[0][1] = d2_contact_solver_##n, \
	to->solvers[D2_REVOLUTE][1] = d2_revolute_solver_##n

static void solvers_choose(struct wing *to)
{
	int lanes = lane_count();
	to->solvers[0][0] = d2_contact_solver_1;
	to->solvers[D2_REVOLUTE][0] = d2_revolute_solver_1;
	if (lanes == 1)
		SOLVERS_OF(1);
	else
		SOLVERS_OF(4);
#if defined(__x86_64__)
	if (lanes == 8)
		SOLVERS_OF(8);
#endif
}

static void gravity_tell(struct world *world, struct d2_vec gravity)
{
	const float all[3] = {gravity.x, gravity.y, 0.0f};
	memcpy(world->gravity, all, sizeof all);
}

struct d2_world *d2_world_create(struct memory *memory, const struct settings *settings, int workers, struct d2_vec gravity)
{
	struct d2_world *world = (struct d2_world *)world_create(memory, &wing, settings, workers);
	if (world == NULL)
		return NULL;
	world->wing = wing;
	solvers_choose(&world->wing);
	world->core.wing = &world->wing;
	world->gravity = gravity;
	gravity_tell(&world->core, gravity);
	return world;
}

void d2_world_set_gravity(struct d2_world *world, struct d2_vec gravity)
{
	if (gravity.x == world->gravity.x && gravity.y == world->gravity.y)
		return;
	world->gravity = gravity;
	gravity_tell(&world->core, gravity);
	world_wake_all(&world->core);
}
