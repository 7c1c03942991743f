/* rebound.c - see rebound.h. Floor: d2. Any thread, for another body each. */
#include "d2/rebound.h"

/* Cosine of the angle between the normals of the sweep and of the contact, at most: 25 degrees. What differs more is left to the contact of the next step. */
#define SAME_NORMAL 0.9

static uint32_t proxy_body(const struct world *world, uint32_t proxy)
{
	return world->colliders.data[world->proxies.data[proxy].collider].body;
}

void d2_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time, float margin, struct d2_local_manifold *out)
{
	const struct proxy *a = &world->proxies.data[proxies[1]], *b = &world->proxies.data[proxies[0]];
	struct d2_pose frame = d2_sweep_pose(obstacle, time), pose = d2_row_pose(d2_row(world, proxy_body(world, proxies[0])));
	struct d2_transform b_in_a = d2_pose_relative(&frame, &pose);
	d2_collide(d2_collider_shape(world, a->collider), a->child, d2_collider_shape(world, b->collider), b->child, &b_in_a, margin, out);
}

struct d2_vec_d d2_obstacle_velocity(const struct world *world, uint32_t obstacle, struct d2_vec_d center, struct d2_vec_d point)
{
	if (world->bodies.data[obstacle].set != SET_AWAKE)
		return (struct d2_vec_d){0.0, 0.0};
	const struct d2_state *state = d2_state(world, obstacle);
	struct d2_vec_d arm = d2_sub_d(point, center);
	return d2_mul_add_d(d2_widen(state->v), (double)state->w, (struct d2_vec_d){-arm.y, arm.x});
}

static void point_add(const struct world *world, struct d2_rebound *rebound, struct d2_vec_d center, struct d2_vec_d place)
{
	const struct d2_body *row = d2_row(world, rebound->body);
	struct d2_vec_d arm = d2_sub_d(place, (struct d2_vec_d){row->x, row->y}), u = d2_obstacle_velocity(world, proxy_body(world, rebound->proxies[1]), center, place);
	const double *v = rebound->motion.v, w = rebound->motion.w[2];
	double speed = rebound->normal.x * (v[0] - w * arm.y - u.x) + rebound->normal.y * (v[1] + w * arm.x - u.y);
	rebound->points[rebound->count++] = (struct impact_point){.arm = {arm.x, arm.y}, .other = {u.x, u.y}, .speed = speed};
}

static void motion_read(const struct world *world, float time, struct d2_rebound *out)
{
	const struct d2_body *row = d2_row(world, out->body);
	const struct d2_state *state = d2_state(world, out->body);
	out->gravity = d2_scale_d((double)world->step.inv_h, d2_widen(d2_step_rows(world)[world->bodies.data[out->body].row].add));
	out->left = (1.0 - (double)time) * (double)world->step.dt;
	struct d2_vec_d v = d2_mul_add_d(d2_widen(state->v), -out->left, out->gravity);
	out->motion = (struct impact_body){.v = {v.x, v.y}, .w = {0.0, 0.0, (double)state->w}, .inv_mass = (double)row->inv_mass.x};
	out->motion.inv_inertia[2][2] = (double)row->inv_inertia;
}

bool d2_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time, struct d2_vec_d normal, struct d2_rebound *out)
{
	float slop = LINEAR_SLOP * world->settings.length_scale;
	struct d2_local_manifold manifold;
	*out = (struct d2_rebound){.body = proxy_body(world, proxies[0]), .proxies = {proxies[0], proxies[1]}, .material = impact_material(world, proxies)};
	const struct d2_body *row = d2_row(world, out->body);
	if (!(out->material.restitution > 0.0f) || out->material.tangent_speed != 0.0f || row->inv_mass.x == 0.0f || row->inv_mass.y == 0.0f)
		return false;
	d2_rebound_touch(world, proxies, obstacle, time, D2_SPECULATIVE * world->settings.length_scale, &manifold);
	struct d2_pose frame = d2_sweep_pose(obstacle, time);
	out->normal = d2_rotate_d(frame.q, d2_widen(manifold.normal));
	if (manifold.count == 0 || d2_dot_d(out->normal, normal) < SAME_NORMAL)
		return false;
	motion_read(world, time, out);
	struct d2_vec_d center = {obstacle->x0 + (double)time * (obstacle->x1 - obstacle->x0), obstacle->y0 + (double)time * (obstacle->y1 - obstacle->y0)};
	double deepest = (double)d2_manifold_separation(&manifold);
	for (int i = 0; i < manifold.count; ++i) {
		if (manifold.points[i].separation > (float)deepest + slop)
			continue;
		struct d2_vec_d middle = d2_add_d((struct d2_vec_d){frame.x, frame.y}, d2_rotate_d(frame.q, d2_widen(manifold.points[i].point)));
		struct d2_vec_d place = d2_mul_add_d(middle, 0.5 * (double)manifold.points[i].separation, out->normal); /* on the body */
		point_add(world, out, center, place);
		if (-out->points[out->count - 1].speed > out->approach) {
			out->approach = -out->points[out->count - 1].speed;
			out->place = place;
		}
	}
	out->early = -deepest / out->approach;
	return out->approach > (double)world->settings.restitution_threshold && out->early > -out->left;
}

struct d2_vec_d d2_rebound(struct world *world, struct d2_rebound *rebound, float *turn)
{
	struct d2_state *state = d2_state(world, rebound->body);
	struct impact_body *motion = &rebound->motion;
	double time = rebound->left + rebound->early, spun = motion->w[2];
	struct d2_vec_d before = {motion->v[0], motion->v[1]};
	impact_solve(motion, rebound->points, rebound->count, (const double[3]){rebound->normal.x, rebound->normal.y}, &rebound->material,
		(double)world->settings.restitution_threshold);
	struct d2_vec_d v = {motion->v[0], motion->v[1]};
	v = d2_scale_d(min_d(1.0, (double)world->settings.maximum_speed / d2_length_d(v)), v);
	state->v = d2_narrow(d2_mul_add_d(v, rebound->left, rebound->gravity));
	motion->w[2] = clamp_d(motion->w[2], -(double)world->step.turn_rate, (double)world->step.turn_rate);
	state->w = (float)motion->w[2];
	*turn = (float)(motion->w[2] * time - spun * rebound->early);
	return d2_mul_add_d(d2_scale_d(time, d2_mul_add_d(v, 0.5 * time, rebound->gravity)), -rebound->early, before);
}
