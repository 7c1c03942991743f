/* rebound.c - see rebound.h. Floor: d3. Any thread, for another body each. */
#include "d3/rebound.h"

/* Cosine of the angle between the normals of the sweep and of the contact, at most: 25 degrees. What differs more is left to the contact of the next step. */
#define SAME_NORMAL 0.9

static uint32_t proxy_body(const struct world *world, uint32_t proxy)
{
	return world->colliders.data[world->proxies.data[proxy].collider].body;
}

static struct d3_vec_d turned_out(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_turn_d(&rot, v);
}

void d3_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time, float margin, struct d3_vec_d normal,
	struct d3_local_manifold *out)
{
	const struct d3_shape *a = d3_proxy_part(world, proxies[1]), *b = d3_proxy_part(world, proxies[0]);
	struct d3_pose frame = d3_sweep_pose(obstacle, time), pose = d3_row_pose(d3_row(world, proxy_body(world, proxies[0])));
	struct d3_transform b_in_a = d3_pose_relative(&frame, &pose);
	struct d3_manifold_cache cache = {.features = 0};
	out->count = 0;
	if (!d3_shape_surface(a)) {
		d3_collide(a, 0, b, 0, &b_in_a, margin, &cache, out);
		return;
	}
	struct d3_local_manifold manifolds[D3_MANIFOLDS];
	float clearance;
	double best = -INFINITY;
	int count = d3_collide_mesh(a, b, 0, &b_in_a, margin, &cache, &clearance, manifolds);
	for (int i = 0; i < count; ++i) {
		double same = d3_dot_d(turned_out(frame.q, d3_widen(manifolds[i].normal)), normal);
		if (same > best)
			*out = manifolds[i];
		best = max_d(best, same);
	}
}

struct d3_vec_d d3_obstacle_velocity(const struct world *world, uint32_t obstacle, struct d3_vec_d center, struct d3_vec_d point)
{
	if (world->bodies.data[obstacle].set != SET_AWAKE)
		return (struct d3_vec_d){0.0, 0.0, 0.0};
	const struct d3_state *state = d3_state(world, obstacle);
	return d3_add_d(d3_widen(state->v), d3_cross_d(d3_widen(state->w), d3_sub_d(point, center)));
}

static void point_add(const struct world *world, struct d3_rebound *rebound, struct d3_vec_d center, struct d3_vec_d place)
{
	const struct d3_body *row = d3_row(world, rebound->body);
	struct d3_vec_d arm = d3_sub_d(place, (struct d3_vec_d){row->x, row->y, row->z});
	struct d3_vec_d u = d3_obstacle_velocity(world, proxy_body(world, rebound->proxies[1]), center, place);
	const double *v = rebound->motion.v, *w = rebound->motion.w;
	struct d3_vec_d own = d3_add_d((struct d3_vec_d){v[0], v[1], v[2]}, d3_cross_d((struct d3_vec_d){w[0], w[1], w[2]}, arm));
	rebound->points[rebound->count++] = (struct impact_point){.arm = {arm.x, arm.y, arm.z}, .other = {u.x, u.y, u.z}, .speed = d3_dot_d(rebound->normal, d3_sub_d(own, u))};
}

static void motion_read(const struct world *world, float time, struct d3_rebound *out)
{
	const struct d3_body *row = d3_row(world, out->body);
	const struct d3_state *state = d3_state(world, out->body);
	const struct d3_symmetric *i = &row->inv_inertia;
	out->gravity = d3_scale_d((double)world->step.inv_h, d3_widen(d3_step_rows(world)[world->bodies.data[out->body].row].add));
	out->left = (1.0 - (double)time) * (double)world->step.dt;
	struct d3_vec_d v = d3_mul_add_d(d3_widen(state->v), -out->left, out->gravity), w = d3_widen(state->w);
	out->motion = (struct impact_body){.v = {v.x, v.y, v.z}, .w = {w.x, w.y, w.z}, .inv_mass = (double)row->inv_mass.x, .inv_inertia = {
		{(double)i->xx, (double)i->xy, (double)i->xz}, {(double)i->xy, (double)i->yy, (double)i->yz}, {(double)i->xz, (double)i->yz, (double)i->zz}}};
}

bool d3_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time, struct d3_vec_d normal, struct d3_rebound *out)
{
	float slop = LINEAR_SLOP * world->settings.length_scale;
	struct d3_local_manifold manifold;
	*out = (struct d3_rebound){.body = proxy_body(world, proxies[0]), .proxies = {proxies[0], proxies[1]}, .material = impact_material(world, proxies)};
	struct d3_vec inv_mass = d3_row(world, out->body)->inv_mass;
	if (!(out->material.restitution > 0.0f) || out->material.tangent_speed != 0.0f || inv_mass.x == 0.0f || inv_mass.y == 0.0f || inv_mass.z == 0.0f ||
		d3_shape_surface(d3_proxy_part(world, proxies[0])) || d3_shape_has_materials(d3_proxy_part(world, proxies[1])))
		return false;
	d3_rebound_touch(world, proxies, obstacle, time, D3_SPECULATIVE * world->settings.length_scale, normal, &manifold);
	struct d3_pose frame = d3_sweep_pose(obstacle, time);
	out->normal = turned_out(frame.q, d3_widen(manifold.normal));
	if (manifold.count == 0 || d3_dot_d(out->normal, normal) < SAME_NORMAL)
		return false;
	motion_read(world, time, out);
	struct d3_vec_d center = d3_mul_add_d(obstacle->from, (double)time, d3_sub_d(obstacle->to, obstacle->from));
	float deepest = d3_manifold_separation(&manifold);
	for (int i = 0; i < manifold.count; ++i) {
		if (manifold.points[i].separation > deepest + slop)
			continue;
		struct d3_vec_d middle = d3_add_d((struct d3_vec_d){frame.x, frame.y, frame.z}, turned_out(frame.q, d3_widen(manifold.points[i].point)));
		struct d3_vec_d place = d3_mul_add_d(middle, 0.5 * (double)manifold.points[i].separation, out->normal); /* on the body */
		point_add(world, out, center, place);
		if (-out->points[out->count - 1].speed > out->approach) {
			out->approach = -out->points[out->count - 1].speed;
			out->place = place;
		}
	}
	out->early = -(double)deepest / out->approach;
	return out->approach > (double)world->settings.restitution_threshold && out->early > -out->left;
}

struct d3_vec_d d3_rebound(struct world *world, struct d3_rebound *rebound, struct d3_vec *turn)
{
	struct d3_state *state = d3_state(world, rebound->body);
	struct impact_body *motion = &rebound->motion;
	double time = rebound->left + rebound->early;
	struct d3_vec_d before = {motion->v[0], motion->v[1], motion->v[2]}, spun = {motion->w[0], motion->w[1], motion->w[2]};
	impact_solve(motion, rebound->points, rebound->count, (const double[3]){rebound->normal.x, rebound->normal.y, rebound->normal.z}, &rebound->material,
		(double)world->settings.restitution_threshold);
	struct d3_vec_d v = {motion->v[0], motion->v[1], motion->v[2]}, w = {motion->w[0], motion->w[1], motion->w[2]};
	v = d3_scale_d(min_d(1.0, (double)world->settings.maximum_speed / d3_length_d(v)), v);
	w = d3_scale_d(min_d(1.0, (double)world->step.turn_rate / d3_length_d(w)), w);
	state->v = d3_narrow(d3_mul_add_d(v, rebound->left, rebound->gravity));
	state->w = d3_narrow(w);
	*turn = d3_narrow(d3_mul_add_d(d3_scale_d(time, w), -rebound->early, spun));
	return d3_mul_add_d(d3_scale_d(time, d3_mul_add_d(v, 0.5 * time, rebound->gravity)), -rebound->early, before);
}
