/* obstacles.c - pieces of colliders, and their distances, for bodies with controllers: see core/obstacle.h. Serial. */
#include "core/obstacle.h"
#include "core/proxy.h"
#include "core/touched.h"
#include "core/travel.h"
#include "d2/dynamics/wing.h"
#include "d2/query/distance.h"

#include <string.h>

/* The plane through a point of the shape, both in the body's frame. */
static void piece_face(struct obstacle_piece *piece, const struct d2_pose *pose, struct d2_vec normal, struct d2_vec_d corner)
{
	struct d2_rot_d q = d2_exact_rot(pose->q);
	struct d2_vec_d n = d2_turn_d(q, d2_widen(normal)), p = d2_pose_point(pose, q, corner);
	double length = d2_length_d(n);
	piece->faced = true;
	piece->normal = (struct vec3){n.x / length, n.y / length, 0.0};
	piece->corner = (struct vec3){p.x, p.y, 0.0};
}

static void pieces_visit(const struct world *world, uint32_t proxy, const struct box *bounds, const struct box_d *box,
	piece_visit *visit, void *context)
{
	const struct proxy *found = &world->proxies.data[proxy];
	const struct d2_shape *shape = d2_collider_shape(world, found->collider);
	struct obstacle_piece piece = {.child = found->child, .bounded = shape->type != D2_HALF_PLANE};
	(void)box;
	for (int k = 0; k < 2; ++k) {
		piece.box.lower[k] = (double)bounds->lower[k];
		piece.box.upper[k] = (double)bounds->upper[k];
	}
	if (shape->type == D2_HALF_PLANE) {
		struct d2_pose pose = d2_collider_pose(world, found->collider);
		piece_face(&piece, &pose, shape->normal, d2_scale_d((double)shape->offset, d2_widen(shape->normal)));
	} else if (shape->type == D2_CHAIN && shape->stride <= 2) {
		struct d2_pose pose = d2_collider_pose(world, found->collider);
		piece_face(&piece, &pose, shape->normals[found->child], d2_widen(d2_segment(shape, found->child)[0]));
		piece.one_sided = shape->one_sided;
	}
	visit(context, &piece);
}

static void shape_bounds(const void *shape, const void *pose, struct box_d *box)
{
	double bounds[4];
	d2_bounds(shape, pose, bounds);
	*box = (struct box_d){{bounds[0], bounds[1], 0.0}, {bounds[2], bounds[3], 0.0}};
}

static double piece_distance(const struct world *world, uint32_t collider, uint32_t child, const void *shape, const void *pose,
	struct vec3 *normal, struct vec3 *point)
{
	const struct d2_pose *own = pose;
	struct d2_pose other = d2_collider_pose(world, collider);
	struct d2_distance found;
	const struct d2_shape *piece = d2_collider_shape(world, collider);
	d2_child_distance(shape, own, piece, child, &other, &found);
	*normal = (struct vec3){-found.normal.x, -found.normal.y, 0.0};
	*point = (struct vec3){found.b.x - own->x, found.b.y - own->y, 0.0};
	/* At a joint the normal may point to the segment's back a little: the neighbour takes such a contact. */
	bool behind = piece->type == D2_CHAIN && piece->one_sided &&
		d2_dot_d(d2_rotate_d(other.q, d2_widen(piece->normals[child])), found.normal) > 1e-3;
	return behind ? OBSTACLE_BEHIND : found.distance;
}

static struct mat3 pose_axes(const void *pose)
{
	struct d2_rot_d q = d2_exact_rot(((const struct d2_pose *)pose)->q);
	return (struct mat3){{q.c, q.s, 0.0}, {-q.s, q.c, 0.0}, {0.0, 0.0, 1.0}};
}

static bool is_convex(const void *shape)
{
	enum d2_shape_type type = ((const struct d2_shape *)shape)->type;
	return type != D2_CHAIN && type != D2_HALF_PLANE;
}

static bool is_box(const void *shape, const void *pose)
{
	const struct d2_shape *box = shape;
	struct d2_rot q = ((const struct d2_pose *)pose)->q;
	return box->type == D2_BOX && box->radius == 0.0f && box->rotation.s == 0.0f && q.s == 0.0f;
}

static void body_put(struct world *world, uint32_t id, struct vec3 origin)
{
	struct d2_body *row = d2_row(world, id);
	struct d2_vec r = d2_rotate(row->q, row->local_center);
	row->x = origin.x + (double)r.x;
	row->y = origin.y + (double)r.y;
}

static void body_start(struct world *world, uint32_t id, struct vec3 origin)
{
	const struct d2_body *row = d2_row(world, id);
	struct d2_vec r = d2_rotate(row->q, row->local_center);
	d2_mover(world, id)->start = (struct d2_start){origin.x + (double)r.x, origin.y + (double)r.y, row->q};
}

static void body_set_velocity(struct world *world, uint32_t id, struct vec3 v)
{
	d2_body_set_velocity(world, id, (struct d2_vec){(float)v.x, (float)v.y}, 0.0f);
}

static void body_turn(struct world *world, uint32_t id, struct vec3 from, struct vec3 to)
{
	struct d2_pose pose = d2_body_pose(world, id);
	double c = from.x * to.x + from.y * to.y, s = from.x * to.y - from.y * to.x, length = sqrt(c * c + s * s);
	struct d2_rot_d q = d2_mul_rot_d((struct d2_rot_d){c / length, s / length}, d2_exact_rot(pose.q));
	pose.q = (struct d2_rot){(float)q.c, (float)q.s};
	d2_body_set_pose(world, id, &pose);
}

static struct vec3 material_velocity(
	const struct world *world, uint32_t body, const struct material *material, struct vec3 normal)
{
	(void)world, (void)body;
	return vec3_scale((double)material->tangent_speed, (struct vec3){normal.y, -normal.x, 0.0});
}

#include "core/obstacle_wing.h"
