/* world.c - the 2D wing: its table of functions, among them tests of one proxy against a ray, box or shape.
 * Serial. */
#include "core/world.h"
#include "d2/dynamics/joint.h"
#include "d2/query/ray_cast.h"
#include "d2/dynamics/wing.h"

static uint32_t wing_shape_children(const void *shape)
{
	return d2_shape_child_count((const struct d2_shape *)shape);
}

static bool wing_shape_unbounded(const void *shape)
{
	return d2_shape_unbounded((const struct d2_shape *)shape);
}

static void wing_shape_box(const void *shape, uint32_t child, const void *pose, struct box *box)
{
	*box = d2_shape_box(shape, child, pose, 0.0f);
}

static const struct d2_shape *proxy_shape(const struct world *world, uint32_t proxy)
{
	return d2_collider_shape(world, world->proxies.data[proxy].collider);
}

static void wing_proxy_box(const struct world *world, uint32_t id, struct box *box)
{
	struct d2_pose pose = d2_proxy_pose(world, id);
	*box = d2_shape_box(proxy_shape(world, id), world->proxies.data[id].child, &pose, 0.0f);
}

static bool wing_proxy_overlaps_box(const struct world *world, uint32_t id, const struct box *box)
{
	struct d2_pose pose = d2_proxy_pose(world, id);
	return d2_shape_box_overlap(proxy_shape(world, id), &pose, box);
}

static bool wing_proxy_ray(const struct world *world, uint32_t id, const double from[3], const double translation[3],
	float max_fraction, struct query_hit *hit)
{
	struct d2_pose pose = d2_proxy_pose(world, id);
	struct d2_ray_hit_d found;
	if (!d2_shape_ray_child(proxy_shape(world, id), world->proxies.data[id].child, &pose, from[0], from[1], translation[0],
			translation[1], (double)max_fraction, &found))
		return false;
	struct d2_vec n = d2_narrow(found.normal);
	*hit = (struct query_hit){.p = {found.x, found.y}, .normal = {n.x, n.y}, .fraction = found.fraction};
	return true;
}

static bool wing_proxy_overlaps(const struct world *world, uint32_t id, const void *shape, uint32_t child, const void *pose)
{
	struct d2_pose other = d2_proxy_pose(world, id);
	return d2_shapes_overlap(shape, child, pose, proxy_shape(world, id), world->proxies.data[id].child, &other);
}

static bool wing_proxy_in_box(const struct world *world, uint32_t id, const struct box_d *box)
{
	struct d2_pose pose = d2_proxy_pose(world, id);
	return d2_child_overlaps_box(proxy_shape(world, id), world->proxies.data[id].child, &pose, box);
}

static const struct d2_pose origin = {0.0, 0.0, {1.0f, 0.0f}};

const struct wing d2_wing = {
	.dimensions = 2,
	.joint_size = sizeof(union d2_joint_row),
	WING_FUNCTIONS,
	.solvers =
		{
			[0] = {BY_LANES(contact_solver)},
			[JOINT_REVOLUTE] = {BY_LANES(revolute_solver)},
			[JOINT_DISTANCE] = {BY_LANES(rows_solver)},
			[JOINT_PRISMATIC] = {BY_LANES(rows_solver)},
			[JOINT_WELD] = {BY_LANES(rows_solver)},
			[JOINT_WHEEL] = {BY_LANES(rows_solver)},
			[JOINT_MOTOR] = {BY_LANES(rows_solver)},
			[JOINT_MOUSE] = {BY_LANES(rows_solver)},
			[JOINT_FRICTION] = {BY_LANES(rows_solver)},
			[JOINT_RATCHET] = {BY_LANES(rows_solver)},
			[JOINT_GEAR] = {&d2_gear_solver, &d2_gear_solver, &d2_gear_solver},
			[JOINT_PULLEY] = {&d2_gear_solver, &d2_gear_solver, &d2_gear_solver},
			[JOINT_PATH] = {BY_LANES(rows_solver)},
		},
	.tree_solvers = {BY_LANES(tree_solver)},
	.joint_models = d2_joint_models,
	.joint_reactions = d2_joint_reactions,
	.joint_pulls = d2_joint_pulls,
};
