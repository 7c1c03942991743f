/* narrow_phase_results.c - results of contacts for the core and the binding. See core/wing.h and d3.h. */
#include "core/pre_solve.h"
#include "d3/dynamics/narrow_phase_parts.h"

/* --- Results -------------------------------------------------------------------------------------------------------------- */

const struct material *d3_proxy_material(const struct world *world, uint32_t proxy, uint32_t contact)
{
	const struct d3_shape *shape = d3_collider_shape(world, world->proxies.data[proxy].collider);
	if (!d3_shape_surface(shape))
		return d3_shape_material(shape, world->proxies.data[proxy].child);
	return contact != NONE ? d3_shape_material(shape, d3_contact_row(world, contact)->triangle) : NULL;
}

uint32_t d3_contact_part(const struct world *world, uint32_t id, int side)
{
	const struct contact *contact = &world->contacts.data[id];
	bool surface = d3_shape_surface(d3_collider_shape(world, contact->colliders[side]));
	return surface ? d3_contact_row(world, id)->triangle : world->proxies.data[contact->proxies[side]].child;
}

/* Surface velocity by the material on one side of the contact, in the world [length/s]. */
static struct d3_vec surface_velocity(const struct world *world, uint32_t id, int side)
{
	const struct material material = contact_material(world, id, side);
	const float *v = material.tangent_velocity;
	return d3_rotate(d3_row(world, world->contacts.data[id].link.bodies[side])->q, (struct d3_vec){v[0], v[1], v[2]});
}

struct d3_vec d3_contact_surface_velocity(const struct world *world, uint32_t id)
{
	const float *given = pre_solve_surface(world, id);
	if (given != NULL)
		return (struct d3_vec){given[0], given[1], given[2]};
	return d3_sub(surface_velocity(world, id, 0), surface_velocity(world, id, 1));
}

/* Motion of b relative to a from the last narrow phase to the start of the last step; the identity if they moved too far, as by
 * a teleport. */
static struct d3_transform moved_then(const struct world *world, const struct contact *contact,
	const struct d3_contact_row *row, const struct d3_body *a, const struct d3_body *b)
{
	const struct d3_start at_a = d3_start(world, contact->link.bodies[0]), at_b = d3_start(world, contact->link.bodies[1]);
	struct d3_vec ra = d3_rotate(at_a.q, a->local_center), rb = d3_rotate(at_b.q, b->local_center);
	struct d3_pose pose_a = {at_a.x - (double)ra.x, at_a.y - (double)ra.y, at_a.z - (double)ra.z, at_a.q};
	struct d3_pose pose_b = {at_b.x - (double)rb.x, at_b.y - (double)rb.y, at_b.z - (double)rb.z, at_b.q};
	struct d3_transform b_in_a = d3_pose_relative(&pose_a, &pose_b);
	if (d3_narrow_row_holds(world, contact, row, &b_in_a, a, b))
		return d3_contact_moved(row, b_in_a);
	return (struct d3_transform){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
}

/* The contact's points and normal with its first body a at the pose at_a. `moved`: motion of b relative to a since the last
 * narrow phase. */
static int points_at(const struct world *world, const struct d3_contact_row *row, const struct d3_body *a, struct d3_start at_a,
	struct d3_transform moved, struct d3_vec *normal, struct d3_contact_point points[4])
{
	*normal = d3_rotate(at_a.q, row->local_normal);
	/* friction acts at the centre of the points: each gets its share of the load */
	float push = 0.0f, friction = last_substeps(world) * hypotf(row->friction_impulse[0], row->friction_impulse[1]);
	for (int i = 0; i < row->count; ++i)
		push += row->normal_impulse[i];
	for (int i = 0; i < row->count; ++i) {
		struct d3_contact_anchor anchor = d3_contact_anchor(&row->points[i], row->local_normal, moved);
		struct d3_vec r = d3_rotate(at_a.q, d3_sub(anchor.middle, a->local_center));
		points[i] = (struct d3_contact_point){
			.x = at_a.x + (double)r.x,
			.y = at_a.y + (double)r.y,
			.z = at_a.z + (double)r.z,
			.separation = anchor.separation,
			.impulse = row->step_impulse[i],
			.tangent_impulse = push > 0.0f ? row->normal_impulse[i] / push * friction : 0.0f,
		};
	}
	return row->count;
}

int d3_contact_points(const struct world *world, uint32_t id, struct d3_vec *normal, struct d3_contact_point points[4])
{
	const struct d3_contact_row *row = d3_contact_row(world, id);
	const struct contact *contact = &world->contacts.data[id];
	const struct d3_body *a = d3_row(world, contact->link.bodies[0]), *b = d3_row(world, contact->link.bodies[1]);
	return points_at(
		world, row, a, d3_start(world, contact->link.bodies[0]), moved_then(world, contact, row, a, b), normal, points);
}

/* As d3_contact_points, at the bodies' present poses. */
static int points_now(const struct world *world, uint32_t id, struct d3_vec *normal, struct d3_contact_point points[4])
{
	const struct d3_contact_row *row = d3_contact_row(world, id);
	const struct contact *contact = &world->contacts.data[id];
	const struct d3_body *a = d3_row(world, contact->link.bodies[0]);
	struct d3_transform moved = d3_contact_moved(row, d3_contact_b_in_a(world, contact));
	return points_at(world, row, a, (struct d3_start){a->x, a->y, a->z, a->q}, moved, normal, points);
}

/* Writes the centre of the points and the normal, in the world, and the highest approach speed of a point at the last hit. */
void d3_contact_point_normal(const struct world *world, uint32_t id, double point_normal[POINT_NORMAL_SIZE], float *speed)
{
	const struct d3_contact_row *row = d3_contact_row(world, id);
	const struct link *link = &world->contacts.data[id].link;
	const struct d3_body *a = d3_row(world, link->bodies[0]), *b = d3_row(world, link->bodies[1]);
	struct d3_pose pose_a = d3_row_pose(a), pose_b = d3_row_pose(b);
	struct d3_transform moved = d3_contact_moved(row, d3_pose_relative(&pose_a, &pose_b));
	struct d3_vec sum = {0.0f, 0.0f, 0.0f};
	*speed = max_f(0.0f, -row->speed);
	for (int i = 0; i < row->count; ++i)
		sum = d3_add(sum, d3_sub(d3_contact_anchor(&row->points[i], row->local_normal, moved).middle, a->local_center));
	struct d3_vec r = d3_rotate(a->q, d3_scale(row->count > 0 ? 1.0f / (float)row->count : 0.0f, sum));
	struct d3_vec normal = d3_rotate(a->q, row->local_normal);
	point_normal[0] = a->x + (double)r.x;
	point_normal[1] = a->y + (double)r.y;
	point_normal[2] = a->z + (double)r.z;
	point_normal[3] = (double)normal.x;
	point_normal[4] = (double)normal.y;
	point_normal[5] = (double)normal.z;
}

/* Radius of a ball that rolls like the shape; 0: not round. */
static float round_radius(const struct d3_shape *shape)
{
	switch (shape->type) {
	case D3_SPHERE:
	case D3_CAPSULE:
	case D3_TAPERED_CAPSULE: return shape->radius;
	case D3_ELLIPSOID: return shape->inner;
	case D3_CYLINDER:
	case D3_CONE: return shape->half.x;
	default: return 0.0f;
	}
}

/* Friction about the normal, of which the impulse at the contact's edge is the torque over the friction radius, counts if it is
 * the greater. */
void d3_contact_view(const struct world *world, uint32_t id, bool now, struct contact_view *view)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct d3_contact_row *row = d3_contact_row(world, id);
	struct d3_contact_point points[4];
	struct d3_vec n;
	*view = (struct contact_view){.count = now ? points_now(world, id, &n, points) : d3_contact_points(world, id, &n, points)};
	view->normal = (struct vec3){(double)n.x, (double)n.y, (double)n.z};
	float twist = row->friction_radius > 0.0f ? abs_f(row->friction_impulse[2]) / row->friction_radius : 0.0f;
	view->friction = max_f(hypotf(row->friction_impulse[0], row->friction_impulse[1]), twist);
	for (int i = 0; i < view->count; ++i) {
		view->points[i] = (struct vec3){points[i].x, points[i].y, points[i].z};
		view->separations[i] = points[i].separation;
		view->impulses[i] = points[i].impulse;
	}
	struct d3_vec v = d3_contact_surface_velocity(world, id);
	view->surface = (struct vec3){(double)v.x, (double)v.y, (double)v.z};
	for (int side = 0; side < 2; ++side) {
		const struct d3_body *body = d3_row(world, contact->link.bodies[side]);
		struct d3_start start = d3_start(world, contact->link.bodies[side]);
		view->centers[side] = now ? (struct vec3){body->x, body->y, body->z} : (struct vec3){start.x, start.y, start.z};
		view->round[side] = round_radius(d3_proxy_part(world, contact->proxies[side]));
	}
}

/* --- Deep overlaps -------------------------------------------------------------------------------------------------------- */

/* The body's rotation, including its motion in the current step. */
static struct d3_quat turn_moved(const struct world *world, uint32_t body)
{
	return d3_mul_quat(d3_state(world, body)->dq, d3_row(world, body)->q);
}

float d3_contact_overlap(const struct world *world, uint32_t id, const uint32_t bodies[2], float normal[3])
{
	const struct d3_contact_row *row = d3_contact_row(world, id);
	const struct d3_body *a = d3_row(world, bodies[0]), *b = d3_row(world, bodies[1]);
	struct d3_quat qa = turn_moved(world, bodies[0]), qb = turn_moved(world, bodies[1]);
	float between[3], least = INFINITY;
	bodies_between(world, bodies[0], bodies[1], between);
	struct d3_vec centers = {between[0], between[1], between[2]};
	struct d3_vec origins = d3_add(d3_sub(centers, d3_rotate(qb, b->local_center)), d3_rotate(qa, a->local_center));
	struct d3_transform b_in_a = {d3_inv_rotate(qa, origins), d3_inv_mul_quat(qa, qb)}, moved = d3_contact_moved(row, b_in_a);
	for (int i = 0; i < row->count; ++i)
		least = min_f(least, d3_contact_anchor(&row->points[i], row->local_normal, moved).separation);
	struct d3_vec n = d3_rotate(qa, row->local_normal);
	normal[0] = n.x;
	normal[1] = n.y;
	normal[2] = n.z;
	return least;
}

float d3_collider_reach(const struct world *world, uint32_t id, const float delta[3])
{
	const struct d3_shape *part = d3_proxy_part(world, id);
	uint32_t body = proxy_body(world, id);
	if (part->type == D3_HALF_SPACE || d3_shape_surface(part))
		return INFINITY;
	struct d3_proxy proxy;
	d3_make_proxy(part, 0, &proxy);
	struct d3_vec_d local = d3_widen(d3_inv_rotate(turn_moved(world, body), (struct d3_vec){delta[0], delta[1], delta[2]}));
	return (float)(d3_core_reach(&proxy, &local) - d3_dot_d(local, d3_widen(d3_row(world, body)->local_center)) + proxy.radius);
}

/* --- Loads ---------------------------------------------------------------------------------------------------------------- */

struct contact_load d3_contact_load(const struct world *world, uint32_t id)
{
	const struct d3_contact_row *row = d3_contact_row(world, id);
	const struct link *link = &world->contacts.data[id].link;
	const struct d3_body *a = d3_row(world, link->bodies[0]), *b = d3_row(world, link->bodies[1]);
	struct d3_pose pose_a = d3_row_pose(a), pose_b = d3_row_pose(b);
	struct d3_transform moved = d3_contact_moved(row, d3_pose_relative(&pose_a, &pose_b));
	struct d3_vec normal = d3_rotate(a->q, row->local_normal);
	struct d3_vec between = {(float)(b->x - a->x), (float)(b->y - a->y), (float)(b->z - a->z)};
	struct d3_vec wa;
	struct d3_vec wb;
	struct d3_vec va = d3_body_velocity(world, link->bodies[0], &wa);
	struct d3_vec vb = d3_body_velocity(world, link->bodies[1], &wb);
	struct contact_load load = {.direction = {normal.x, normal.y, normal.z}};
	for (int i = 0; i < row->count; ++i) {
		struct d3_contact_anchor at = d3_contact_anchor(&row->points[i], row->local_normal, moved);
		struct d3_vec ra = d3_rotate(a->q, d3_sub(at.middle, a->local_center)), rb = d3_sub(ra, between);
		load.overlap = max_f(load.overlap, -at.separation);
		load.push += row->normal_impulse[i];
		load.speeds[0] += row->normal_impulse[i] * d3_dot(d3_add(va, d3_cross(wa, ra)), normal);
		load.speeds[1] += row->normal_impulse[i] * d3_dot(d3_add(vb, d3_cross(wb, rb)), normal);
	}
	for (int side = 0; side < 2 && load.push > 0.0f; ++side)
		load.speeds[side] /= load.push;
	return load;
}

void d3_contact_forget(struct world *world, uint32_t id)
{
	d3_contact_row(world, id)->q = (struct d3_quat){0.0f, 0.0f, 0.0f, 0.0f};
}

void d3_contact_ease(struct world *world, uint32_t id, float part)
{
	struct d3_contact_row *row = d3_contact_row(world, id);
	for (int i = 0; i < 4; ++i)
		row->normal_impulse[i] *= part;
	for (int i = 0; i < 3; ++i)
		row->friction_impulse[i] *= part;
	row->rolling_impulse = d3_scale(part, row->rolling_impulse);
}
