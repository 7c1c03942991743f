/* world.c - the 3D wing: its table of functions, AABBs, and queries of one collider. Read-only, any thread. */
#include "core/world.h"
#include "core/query.h"
#include "d3/dynamics/joint.h"
#include "d3/query/box_overlap.h"
#include "d3/query/distance.h"
#include "d3/query/ray_cast.h"
#include "d3/query/shape_cast.h"
#include "d3/dynamics/wing.h"
#include "d3/shape/shape_parts.h"
#include "d3/shape/voxels.h"

static bool wing_shape_valid(const void *shape)
{
	const struct d3_shape *of = shape;
	return of->voxels ? d3_voxels_valid(of) : of->height_field == NULL || d3_height_field_valid(of->height_field);
}

/* Voxels without faces have no proxy. */
static uint32_t wing_shape_children(const void *shape)
{
	struct d3_vec lower, upper;
	if (((const struct d3_shape *)shape)->voxels)
		return d3_voxels_bounds((const struct d3_shape *)shape, &lower, &upper);
	return d3_shape_part_count((const struct d3_shape *)shape);
}

static bool wing_shape_unbounded(const void *shape)
{
	return ((const struct d3_shape *)shape)->type == D3_HALF_SPACE;
}

/* Sets the AABB of a box. Rotated by R, it extends sum |R_ik| h_k along axis i: its corners need not be rotated. */
static void box_bounds(const struct d3_shape *box, const struct d3_pose *pose, double bounds[6])
{
	struct d3_rot_d q = d3_exact_rot(pose->q), axes = d3_mul_rot_d(&q, &box->frame.q);
	struct d3_vec_d center = d3_turn_d(&q, box->frame.p);
	double x = box->half.x, y = box->half.y, z = box->half.z, r = box->radius;
	double reach[3] = {abs_d(axes.x.x) * x + abs_d(axes.y.x) * y + abs_d(axes.z.x) * z + r,
		abs_d(axes.x.y) * x + abs_d(axes.y.y) * y + abs_d(axes.z.y) * z + r,
		abs_d(axes.x.z) * x + abs_d(axes.y.z) * y + abs_d(axes.z.z) * z + r};
	double at[3] = {pose->x + center.x, pose->y + center.y, pose->z + center.z};
	for (int k = 0; k < 3; ++k) {
		bounds[k] = at[k] - reach[k];
		bounds[3 + k] = at[k] + reach[k];
	}
}

/* The AABB of a hull, computed in floats and enlarged by more than all rounding errors. */
static struct box hull_box(const struct d3_shape *hull, const struct d3_pose *pose, float margin)
{
	struct d3_rot q = d3_quat_rot(pose->q);
	struct d3_vec low, high;
	d3_hull_box(hull->hull, &q, &low, &high);
	const double at[3] = {pose->x, pose->y, pose->z}, lower[3] = {low.x, low.y, low.z}, upper[3] = {high.x, high.y, high.z};
	double more = (double)(hull->radius + margin) + 1e-6 * hull->extent;
	struct box box = {{0}, {0}};
	for (int k = 0; k < 3; ++k) {
		double widen = more + 1.5e-7 * abs_d(at[k]);
		box.lower[k] = (float)(at[k] + lower[k] - widen);
		box.upper[k] = (float)(at[k] + upper[k] + widen);
	}
	return box;
}

struct box d3_shape_box(const struct d3_shape *part, const struct d3_pose *pose, float margin)
{
	struct box box = {{0}, {0}};
	double bounds[6];
	if (part->type == D3_HULL)
		return hull_box(part, pose, margin);
	if (part->type == D3_BOX)
		box_bounds(part, pose, bounds);
	else
		d3_bounds(part, pose, bounds);
	for (int k = 0; k < 3; ++k) {
		box.lower[k] = round_down_f(bounds[k] - (double)margin);
		box.upper[k] = round_up_f(bounds[3 + k] + (double)margin);
	}
	return box;
}

struct box d3_region_box(const struct d3_pose *pose, struct d3_vec_d low, struct d3_vec_d high, float margin)
{
	struct d3_vec_d middle = d3_scale_d(0.5, d3_add_d(low, high)), half = d3_scale_d(0.5, d3_sub_d(high, low));
	struct d3_shape box = {.frame = {.p = middle, .q = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .half = d3_narrow(half)};
	struct box out = {{0}, {0}};
	double bounds[6];
	box_bounds(&box, pose, bounds);
	for (int k = 0; k < 3; ++k) {
		out.lower[k] = round_down_f(bounds[k] - (double)margin);
		out.upper[k] = round_up_f(bounds[3 + k] + (double)margin);
	}
	return out;
}

/* Number of contacts of a pair of proxies: with a mesh or height field several, each with a normal of its own. */
static uint32_t wing_pair_contacts(const void *a, const void *b)
{
	return d3_shape_surface((const struct d3_shape *)a) || d3_shape_surface((const struct d3_shape *)b) ? D3_MANIFOLDS : 1;
}

static void wing_shape_box(const void *shape, uint32_t child, const void *pose, struct box *box)
{
	*box = d3_shape_box(d3_shape_part(shape, child), pose, 0.0f);
}

static void wing_proxy_box(const struct world *world, uint32_t id, struct box *box)
{
	struct d3_pose pose = d3_proxy_pose(world, id);
	*box = d3_shape_box(d3_proxy_part(world, id), &pose, 0.0f);
}

/* Whether the box overlaps the half-space: tests the corner deepest in it, n . corner <= offset. */
static bool wing_proxy_overlaps_box(const struct world *world, uint32_t id, const struct box *box)
{
	const struct d3_shape *shape = d3_proxy_part(world, id);
	struct d3_pose pose = d3_proxy_pose(world, id);
	struct d3_vec n = d3_rotate(pose.q, d3_narrow(shape->normal));
	double x = (n.x > 0.0f ? box->lower[0] : box->upper[0]) - pose.x;
	double y = (n.y > 0.0f ? box->lower[1] : box->upper[1]) - pose.y;
	double z = (n.z > 0.0f ? box->lower[2] : box->upper[2]) - pose.z;
	return (double)n.x * x + (double)n.y * y + (double)n.z * z <= shape->offset;
}

static const struct d3_shape *part_shape(const struct world *world, struct query_part part)
{
	const struct d3_shape *shape = d3_collider_shape(world, part.collider);
	return part.child == NONE ? shape : d3_shape_part(shape, part.child);
}

/* The child to report for one found in part_shape. */
static uint32_t part_child(const struct world *world, struct query_part part, uint32_t found)
{
	return d3_collider_shape(world, part.collider)->type == D3_COMPOUND && part.child != NONE ? part.child : found;
}

static bool wing_part_ray(const struct world *world, struct query_part part, const double from[3], const double translation[3],
	float max_fraction, struct query_hit *hit)
{
	struct d3_pose pose = d3_collider_pose(world, part.collider);
	struct d3_vec_d start = {from[0], from[1], from[2]}, delta = {translation[0], translation[1], translation[2]};
	struct d3_ray_hit_d found;
	if (!d3_shape_ray_d(part_shape(world, part), &pose, start, delta, &found) || !(found.fraction <= (double)max_fraction))
		return false;
	struct d3_vec n = d3_narrow(found.normal);
	*hit = (struct query_hit){.child = part_child(world, part, found.child),
		.p = {found.p.x, found.p.y, found.p.z},
		.normal = {n.x, n.y, n.z},
		.fraction = found.fraction};
	return true;
}

static bool wing_part_cast(const struct world *world, struct query_part part, const struct query_path *path, uint32_t child,
	bool late, float max_fraction, struct query_hit *hit)
{
	struct d3_pose pose = d3_collider_pose(world, part.collider);
	const double *t = path->translation;
	const struct d3_shape *own = child == NONE ? path->shape : d3_shape_part(path->shape, child);
	struct d3_cast_result found;
	d3_cast(own, path->pose, (struct d3_vec_d){t[0], t[1], t[2]}, part_shape(world, part), &pose,
		late ? D3_CAST_LATE : D3_CAST_ENTRY, &found);
	if (!found.hit || !(found.t <= (double)max_fraction))
		return false;
	struct d3_vec n = d3_sub((struct d3_vec){0.0f, 0.0f, 0.0f}, d3_narrow(found.normal));
	*hit = (struct query_hit){.child = part_child(world, part, found.child),
		.p = {found.p.x, found.p.y, found.p.z},
		.normal = {n.x, n.y, n.z},
		.fraction = found.t};
	return true;
}

static double wing_part_nearest(const struct world *world, struct query_part part, const double point[3], struct query_hit *hit)
{
	struct d3_pose pose = d3_collider_pose(world, part.collider);
	struct d3_distance found;
	uint32_t child =
		d3_distance_to_point(part_shape(world, part), &pose, (struct d3_vec_d){point[0], point[1], point[2]}, &found);
	struct d3_vec n = d3_narrow(found.normal);
	*hit = (struct query_hit){
		.child = part_child(world, part, child), .p = {found.a.x, found.a.y, found.a.z}, .normal = {n.x, n.y, n.z}};
	return found.distance;
}

static bool wing_part_overlaps(
	const struct world *world, struct query_part part, const void *shape, uint32_t child, const void *pose)
{
	struct d3_pose other = d3_collider_pose(world, part.collider);
	return d3_overlaps(
		child == NONE ? (const struct d3_shape *)shape : d3_shape_part(shape, child), pose, part_shape(world, part), &other);
}

static bool wing_part_in_box(const struct world *world, struct query_part part, const struct box_d *box)
{
	struct d3_pose pose = d3_collider_pose(world, part.collider);
	return d3_shape_overlaps_box(part_shape(world, part), &pose, box);
}

static bool wing_part_contains(const struct world *world, struct query_part part, const double point[3])
{
	struct d3_pose pose = d3_collider_pose(world, part.collider);
	return d3_shape_contains(part_shape(world, part), &pose, (struct d3_vec_d){point[0], point[1], point[2]});
}

static const struct d3_pose origin = {0.0, 0.0, 0.0, {0.0f, 0.0f, 0.0f, 1.0f}};

static bool shape_contains(const void *shape, struct vec3 point)
{
	return d3_shape_contains(shape, &origin, (struct d3_vec_d){point.x, point.y, point.z});
}

const struct wing d3_wing = {
	.dimensions = 3,
	.joint_size = sizeof(union d3_joint_row),
	.body_stepped = STEPPED(struct d3_body, 0, offsetof(struct d3_body, min_extent)),
	.manifold_stepped =
		STEPPED(struct d3_contact_row, offsetof(struct d3_contact_row, normal_impulse), offsetof(struct d3_contact_row, ids)),
	.pair_contacts = wing_pair_contacts,
	WING_FUNCTIONS,
	.solvers =
		{
			[0] = {BY_LANES(contact_solver)},
			[JOINT_REVOLUTE] = {BY_LANES(revolute_solver)},
			[JOINT_SPHERICAL] = {BY_LANES(spherical_solver)},
			[JOINT_DISTANCE] = {BY_LANES(rows_solver)},
			[JOINT_PRISMATIC] = {BY_LANES(rows_solver)},
			[JOINT_WELD] = {BY_LANES(rows_solver)},
			[JOINT_WHEEL] = {BY_LANES(rows_solver)},
			[JOINT_MOTOR] = {BY_LANES(rows_solver)},
			[JOINT_MOUSE] = {BY_LANES(rows_solver)},
			[JOINT_FRICTION] = {BY_LANES(rows_solver)},
			[JOINT_RATCHET] = {BY_LANES(rows_solver)},
			[JOINT_PATH] = {BY_LANES(rows_solver)},
			[JOINT_PARALLEL] = {BY_LANES(rows_solver)},
			[JOINT_GEAR] = {&d3_gear_solver, &d3_gear_solver, &d3_gear_solver},
			[JOINT_PULLEY] = {&d3_gear_solver, &d3_gear_solver, &d3_gear_solver},
			[JOINT_SIX_DOF] = {BY_LANES(rows_solver)},
			[JOINT_CYLINDRICAL] = {BY_LANES(rows_solver)},
			[JOINT_UNIVERSAL] = {BY_LANES(rows_solver)},
		},
	.tree_solvers = {BY_LANES(tree_solver)},
	.joint_models = d3_joint_models,
	.joint_reactions = d3_joint_reactions,
	.joint_pulls = d3_joint_pulls,
};
