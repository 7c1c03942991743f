/* obstacles.c - pieces of colliders, and their distances, for bodies with controllers: see core/obstacle.h. Serial. */
#include "core/obstacle.h"
#include "core/proxy.h"
#include "core/touched.h"
#include "core/travel.h"
#include "d3/dynamics/wing.h"
#include "d3/query/distance.h"

#include <string.h>

static struct vec3 core_vec(struct d3_vec_d a)
{
	return (struct vec3){a.x, a.y, a.z};
}

/* --- Pieces --------------------------------------------------------------------------------------------------------------- */

/* The triangles of a mesh or height field that may overlap a box. */
struct triangles {
	const struct d3_shape *shape;
	struct d3_transform_d frame; /* of the shape, in the world */
	const struct box_d *box; /* in the world */
	struct box near; /* an AABB around it, in the shape's frame */
	piece_visit *visit;
	void *context;
};

static bool corners_near(const struct box *box, const struct d3_vec p[3])
{
	const float *low = box->lower, *high = box->upper;
	return min_f(p[0].x, min_f(p[1].x, p[2].x)) <= high[0] && max_f(p[0].x, max_f(p[1].x, p[2].x)) >= low[0] &&
		min_f(p[0].y, min_f(p[1].y, p[2].y)) <= high[1] && max_f(p[0].y, max_f(p[1].y, p[2].y)) >= low[1] &&
		min_f(p[0].z, min_f(p[1].z, p[2].z)) <= high[2] && max_f(p[0].z, max_f(p[1].z, p[2].z)) >= low[2];
}

static void triangle_visit(const struct triangles *triangles, uint32_t child)
{
	struct obstacle_piece piece = {.child = child, .bounded = true, .faced = true, .one_sided = triangles->shape->one_sided};
	struct d3_vec corners[3];
	struct d3_vec_d p[3];
	d3_shape_triangle(triangles->shape, child, corners);
	if (!corners_near(&triangles->near, corners))
		return;
	for (int i = 0; i < 3; ++i)
		p[i] = d3_transform_point_d(&triangles->frame, d3_widen(corners[i]));
	piece.box = (struct box_d){
		{min_d(p[0].x, min_d(p[1].x, p[2].x)), min_d(p[0].y, min_d(p[1].y, p[2].y)), min_d(p[0].z, min_d(p[1].z, p[2].z))},
		{max_d(p[0].x, max_d(p[1].x, p[2].x)), max_d(p[0].y, max_d(p[1].y, p[2].y)), max_d(p[0].z, max_d(p[1].z, p[2].z))}};
	if (!box_d_overlaps(&piece.box, triangles->box))
		return;
	struct d3_vec_d n = d3_cross_d(d3_sub_d(p[1], p[0]), d3_sub_d(p[2], p[0]));
	piece.normal = core_vec(d3_scale_d(1.0 / d3_length_d(n), n));
	piece.corner = core_vec(p[0]);
	triangles->visit(triangles->context, &piece);
}

static bool node_near(const struct box *box, const struct d3_node *node)
{
	const float *low = box->lower, *high = box->upper;
	return node->lower.x <= high[0] && node->upper.x >= low[0] && node->lower.y <= high[1] && node->upper.y >= low[1] &&
		node->lower.z <= high[2] && node->upper.z >= low[2];
}

static void triangles_visit(const struct triangles *triangles)
{
	uint32_t stack[D3_NODE_STACK], depth = 0;
	stack[depth++] = 0;
	while (depth > 0) {
		struct d3_node node;
		d3_shape_node(triangles->shape, stack[--depth], &node);
		if (!node_near(&triangles->near, &node))
			continue;
		for (uint32_t i = node.count; i-- > 0;) {
			if (node.leaf)
				triangle_visit(triangles, node.first + i);
			else
				stack[depth++] = node.first + i;
		}
	}
}

static void surface_visit(
	const struct d3_shape *shape, const struct d3_pose *pose, const struct box_d *box, piece_visit *visit, void *context)
{
	struct triangles triangles = {.shape = shape, .frame = d3_pose_frame(pose), .box = box, .visit = visit, .context = context};
	const double *low = box->lower, *high = box->upper;
	struct d3_vec_d middle = {
		0.5 * (low[0] + high[0]) - pose->x, 0.5 * (low[1] + high[1]) - pose->y, 0.5 * (low[2] + high[2]) - pose->z};
	struct d3_vec_d half = {0.5 * (high[0] - low[0]), 0.5 * (high[1] - low[1]), 0.5 * (high[2] - low[2])};
	const struct d3_rot_d *q = &triangles.frame.q;
	middle = d3_inv_turn_d(q, middle);
	half = (struct d3_vec_d){abs_d(q->x.x) * half.x + abs_d(q->x.y) * half.y + abs_d(q->x.z) * half.z,
		abs_d(q->y.x) * half.x + abs_d(q->y.y) * half.y + abs_d(q->y.z) * half.z,
		abs_d(q->z.x) * half.x + abs_d(q->z.y) * half.y + abs_d(q->z.z) * half.z};
	const struct box_d near = {
		{middle.x - half.x, middle.y - half.y, middle.z - half.z}, {middle.x + half.x, middle.y + half.y, middle.z + half.z}};
	triangles.near = box_around_d(&near, 0.0, 3);
	triangles_visit(&triangles);
}

static void pieces_visit(const struct world *world, uint32_t proxy, const struct box *bounds, const struct box_d *box,
	piece_visit *visit, void *context)
{
	const struct proxy *found = &world->proxies.data[proxy];
	const struct d3_shape *shape = d3_collider_shape(world, found->collider);
	struct obstacle_piece piece = {.child = found->child};
	if (d3_shape_surface(shape)) {
		struct d3_pose pose = d3_collider_pose(world, found->collider);
		surface_visit(shape, &pose, box, visit, context);
		return;
	}
	if (shape->type == D3_HALF_SPACE) {
		struct d3_pose pose = d3_collider_pose(world, found->collider);
		struct d3_rot_d q = d3_exact_rot(pose.q);
		piece.faced = true;
		piece.normal = core_vec(d3_turn_d(&q, shape->normal));
		piece.corner = core_vec(d3_pose_point(&pose, &q, d3_scale_d(shape->offset, shape->normal)));
	} else {
		piece.bounded = true;
		for (int k = 0; k < 3; ++k) {
			piece.box.lower[k] = (double)bounds->lower[k];
			piece.box.upper[k] = (double)bounds->upper[k];
		}
	}
	visit(context, &piece);
}

/* --- Distances ------------------------------------------------------------------------------------------------------------ */

static void shape_bounds(const void *shape, const void *pose, struct box_d *box)
{
	double bounds[6];
	d3_bounds(shape, pose, bounds);
	for (int k = 0; k < 3; ++k) {
		box->lower[k] = bounds[k];
		box->upper[k] = bounds[3 + k];
	}
}

/* Whether the unit normal (in the frame of a one-sided surface, towards a shape) points to the back of the triangle. At an edge
 * it may point there a little: the neighbour takes such a contact. */
static bool is_behind(const struct d3_shape *surface, uint32_t child, struct d3_vec_d normal)
{
	struct d3_vec p[3];
	d3_shape_triangle(surface, child, p);
	struct d3_vec_d a = d3_widen(p[0]);
	struct d3_vec_d n = d3_cross_d(d3_sub_d(d3_widen(p[1]), a), d3_sub_d(d3_widen(p[2]), a));
	return d3_dot_d(n, normal) < -1e-3 * d3_length_d(n);
}

static double piece_distance(const struct world *world, uint32_t collider, uint32_t child, const void *shape, const void *pose,
	struct vec3 *normal, struct vec3 *point)
{
	const struct d3_pose *own = pose;
	struct d3_pose other = d3_collider_pose(world, collider);
	struct d3_rot_d q = d3_exact_rot(own->q);
	struct d3_transform_d b_in_a = d3_relative_transform(own, &q, &other);
	struct d3_proxy a, b;
	struct d3_separation found;
	const struct d3_shape *piece = d3_collider_shape(world, collider);
	d3_make_proxy(shape, 0, &a);
	d3_make_proxy(piece, child, &b);
	if (!d3_capsule_triangle_separation(&a, &b, &b_in_a, &found))
		d3_separation_find(&a, &b, &b_in_a, &found);
	*normal = core_vec(d3_neg_d(d3_turn_d(&q, found.normal)));
	*point = core_vec(d3_turn_d(&q, d3_mul_add_d(found.point_a, found.distance, found.normal)));
	bool behind = piece->one_sided && is_behind(piece, child, d3_neg_d(d3_inv_turn_d(&b_in_a.q, found.normal)));
	return behind ? OBSTACLE_BEHIND : found.distance;
}

static struct mat3 pose_axes(const void *pose)
{
	struct d3_rot_d q = d3_exact_rot(((const struct d3_pose *)pose)->q);
	return (struct mat3){core_vec(q.x), core_vec(q.y), core_vec(q.z)};
}

static bool is_convex(const void *shape)
{
	return d3_shape_convex(shape) && ((const struct d3_shape *)shape)->type != D3_HALF_SPACE;
}

static bool is_box(const void *shape, const void *pose)
{
	const struct d3_shape *box = shape;
	struct d3_quat q = ((const struct d3_pose *)pose)->q;
	const struct d3_rot_d *frame = &box->frame.q;
	return box->type == D3_BOX && box->radius == 0.0f && q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && frame->x.x == 1.0 &&
		frame->y.y == 1.0 && frame->z.z == 1.0;
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

static void body_put(struct world *world, uint32_t id, struct vec3 origin)
{
	struct d3_body *row = d3_row(world, id);
	struct d3_vec r = d3_rotate(row->q, row->local_center);
	row->x = origin.x + (double)r.x;
	row->y = origin.y + (double)r.y;
	row->z = origin.z + (double)r.z;
}

static void body_start(struct world *world, uint32_t id, struct vec3 origin)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_vec r = d3_rotate(row->q, row->local_center);
	d3_mover(world, id)->start =
		(struct d3_start){origin.x + (double)r.x, origin.y + (double)r.y, origin.z + (double)r.z, row->q};
}

static void body_set_velocity(struct world *world, uint32_t id, struct vec3 v)
{
	struct d3_vec w = {0.0f, 0.0f, 0.0f};
	d3_body_set_velocity(world, id, (struct d3_vec){(float)v.x, (float)v.y, (float)v.z}, w);
}

static void body_turn(struct world *world, uint32_t id, struct vec3 from, struct vec3 to)
{
	struct d3_pose pose = d3_body_pose(world, id);
	struct d3_vec_d a = {from.x, from.y, from.z}, b = {to.x, to.y, to.z}, axis = d3_cross_d(a, b);
	double w = 1.0 + d3_dot_d(a, b);
	if (w < 1e-12) { /* opposite: half a turn about any axis across */
		axis = d3_across_d(a);
		w = 0.0;
	}
	double length = sqrt(d3_dot_d(axis, axis) + w * w);
	struct d3_quat turn = {(float)(axis.x / length), (float)(axis.y / length), (float)(axis.z / length), (float)(w / length)};
	pose.q = d3_normalize_quat(d3_mul_quat(turn, pose.q));
	d3_body_set_pose(world, id, &pose);
}

static struct vec3 material_velocity(
	const struct world *world, uint32_t body, const struct material *material, struct vec3 normal)
{
	const float *own = material->tangent_velocity;
	struct d3_vec turned = d3_rotate(d3_row(world, body)->q, (struct d3_vec){own[0], own[1], own[2]});
	struct vec3 v = {(double)turned.x, (double)turned.y, (double)turned.z};
	return vec3_mul_add(v, -vec3_dot(v, normal), normal);
}

#include "core/obstacle_wing.h"
