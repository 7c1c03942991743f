/* world.c - the 2D wing: its table of functions, and the creation of its worlds.
 * Serial. */
#include "base/lane_count.h"
#include "core/world.h"
#include "d2/dynamics/joint.h"
#include "d2/query/ray_cast.h"
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

static void wing_shape_box(const void *shape, uint32_t child, const void *pose, struct box *box)
{
	*box = d2_shape_box(shape, child, pose, 0.0f);
}

/* The pose of the proxy's body. */
static struct d2_pose proxy_pose(const struct world *world, uint32_t proxy)
{
	return d2_row_pose(d2_row(world, world->colliders.data[world->proxies.data[proxy].collider].body));
}

static const struct d2_shape *proxy_shape(const struct world *world, uint32_t proxy)
{
	return d2_collider_shape(world, world->proxies.data[proxy].collider);
}

static void wing_proxy_box(const struct world *world, uint32_t id, struct box *box)
{
	struct d2_pose pose = proxy_pose(world, id);
	*box = d2_shape_box(proxy_shape(world, id), world->proxies.data[id].child, &pose, 0.0f);
}

static bool wing_proxy_overlaps_box(const struct world *world, uint32_t id, const struct box *box)
{
	struct d2_pose pose = proxy_pose(world, id);
	return d2_shape_box_overlap(proxy_shape(world, id), &pose, box);
}

static bool wing_proxy_ray(const struct world *world, uint32_t id, const double from[3], const double translation[3],
	float max_fraction, struct query_hit *hit)
{
	struct d2_pose pose = proxy_pose(world, id);
	struct d2_ray_hit_d found;
	if (!d2_shape_ray_child(proxy_shape(world, id), world->proxies.data[id].child, &pose, from[0], from[1], translation[0],
			translation[1], (double)max_fraction, &found))
		return false;
	struct d2_vec n = d2_narrow(found.normal);
	*hit = (struct query_hit){.p = {found.x, found.y}, .normal = {n.x, n.y}, .fraction = (double)(float)found.fraction};
	return true;
}

static bool wing_proxy_overlaps(const struct world *world, uint32_t id, const void *shape, uint32_t child, const void *pose)
{
	struct d2_pose other = proxy_pose(world, id);
	return d2_shapes_overlap(shape, child, pose, proxy_shape(world, id), world->proxies.data[id].child, &other);
}

static const struct d2_pose origin = {0.0, 0.0, {1.0f, 0.0f}};

static const struct wing wing = {
	.dimensions = 2,
	.body_size = sizeof(struct d2_body),
	.state_size = sizeof(struct d2_state),
	.step_size = sizeof(struct d2_step_row),
	.manifold_size = sizeof(struct d2_contact_row),
	.joint_size = sizeof(struct d2_revolute),
	.shape_children = wing_shape_children,
	.shape_retain = wing_shape_retain,
	.shape_release = wing_shape_release,
	.shape_unbounded = wing_shape_unbounded,
	.origin = &origin,
	.proxy_box = wing_proxy_box,
	.shape_box = wing_shape_box,
	.proxy_ray = wing_proxy_ray,
	.proxy_overlaps = wing_proxy_overlaps,
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

struct world *d2_world_create(struct memory *memory, const struct settings *settings, const float gravity[3], int workers)
{
	struct wing chosen = wing;
	solvers_choose(&chosen);
	return world_create(memory, &chosen, settings, gravity, workers);
}
