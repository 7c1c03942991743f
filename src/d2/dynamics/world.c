/* world.c - the 2D wing: its table of functions, among them queries of one collider.
 * Serial. */
#include "core/world.h"
#include "core/query.h"
#include "d2/dynamics/joint.h"
#include "d2/query/distance.h"
#include "d2/query/ray_cast.h"
#include "d2/dynamics/wing.h"
#include "d2/shape/tiles.h"

static bool wing_shape_valid(const void *shape)
{
	return ((const struct d2_shape *)shape)->tiles == NULL || d2_tiles_valid(shape);
}

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

static bool wing_part_ray(const struct world *world, struct query_part part, const double from[3], const double translation[3],
	float max_fraction, struct query_hit *hit)
{
	struct d2_pose pose = d2_collider_pose(world, part.collider);
	struct d2_ray_hit_d found;
	if (!d2_shape_ray_child(d2_collider_shape(world, part.collider), part.child, &pose, from[0], from[1], translation[0],
			translation[1], (double)max_fraction, &found))
		return false;
	struct d2_vec n = d2_narrow(found.normal);
	*hit = (struct query_hit){.child = found.child, .p = {found.x, found.y}, .normal = {n.x, n.y}, .fraction = found.fraction};
	return true;
}

static bool wing_part_cast(const struct world *world, struct query_part part, const struct query_path *path, uint32_t child,
	bool late, float max_fraction, struct query_hit *hit)
{
	struct d2_pose pose = d2_collider_pose(world, part.collider);
	struct d2_vec_d delta = {path->translation[0], path->translation[1]};
	struct d2_cast_result found;
	d2_cast_children(
		path->shape, child, path->pose, delta, d2_collider_shape(world, part.collider), part.child, &pose, late, &found);
	if (!found.hit || !(found.t <= (double)max_fraction))
		return false;
	struct d2_vec n = d2_sub((struct d2_vec){0.0f, 0.0f}, d2_narrow(found.normal));
	*hit = (struct query_hit){.child = found.child, .p = {found.x, found.y}, .normal = {n.x, n.y}, .fraction = found.t};
	return true;
}

static double wing_part_nearest(const struct world *world, struct query_part part, const double point[3], struct query_hit *hit)
{
	struct d2_pose pose = d2_collider_pose(world, part.collider);
	struct d2_distance found;
	uint32_t child =
		d2_child_distance_to_point(d2_collider_shape(world, part.collider), part.child, &pose, point[0], point[1], &found);
	struct d2_vec n = d2_narrow(found.normal);
	*hit = (struct query_hit){.child = child, .p = {found.a.x, found.a.y}, .normal = {n.x, n.y}};
	return found.distance;
}

static bool wing_part_overlaps(
	const struct world *world, struct query_part part, const void *shape, uint32_t child, const void *pose)
{
	struct d2_pose other = d2_collider_pose(world, part.collider);
	const struct d2_shape *own = d2_collider_shape(world, part.collider);
	return part.child == NONE ? d2_overlaps(shape, pose, own, &other)
							  : d2_shapes_overlap(shape, child, pose, own, part.child, &other);
}

static bool wing_part_in_box(const struct world *world, struct query_part part, const struct box_d *box)
{
	struct d2_pose pose = d2_collider_pose(world, part.collider);
	return d2_child_overlaps_box(d2_collider_shape(world, part.collider), part.child, &pose, box);
}

static bool wing_part_contains(const struct world *world, struct query_part part, const double point[3])
{
	struct d2_pose pose = d2_collider_pose(world, part.collider);
	return d2_shape_contains(d2_collider_shape(world, part.collider), &pose, point[0], point[1]);
}

static const struct d2_pose origin = {0.0, 0.0, {1.0f, 0.0f}};

static bool shape_contains(const void *shape, struct vec3 point)
{
	return d2_shape_contains(shape, &origin, point.x, point.y);
}

const struct wing d2_wing = {
	.dimensions = 2,
	.joint_size = sizeof(union d2_joint_row),
	.body_stepped = STEPPED(struct d2_body, 0, offsetof(struct d2_body, local_center)),
	.manifold_stepped = STEPPED(
		struct d2_contact_row, offsetof(struct d2_contact_row, normal_impulse), offsetof(struct d2_contact_row, b_in_a)),
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
