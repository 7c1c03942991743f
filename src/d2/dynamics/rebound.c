/* rebound.c - see rebound.h. */
#include "d2/dynamics/rebound.h"

#include <string.h>

static uint32_t proxy_body(const struct world *world, uint32_t proxy)
{
	return world->colliders.data[world->proxies.data[proxy].collider].body;
}

void d2_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time,
	float margin, struct d2_local_manifold *out)
{
	const struct proxy *a = &world->proxies.data[proxies[1]], *b = &world->proxies.data[proxies[0]];
	struct d2_pose frame = d2_sweep_pose(obstacle, time), pose = d2_row_pose(d2_row(world, proxy_body(world, proxies[0])));
	struct d2_transform b_in_a = d2_pose_relative(&frame, &pose);
	d2_collide(
		d2_collider_shape(world, a->collider), a->child, d2_collider_shape(world, b->collider), b->child, &b_in_a, margin, out);
}

struct d2_vec_d d2_obstacle_velocity(
	const struct world *world, uint32_t obstacle, struct d2_vec_d center, struct d2_vec_d point)
{
	if (world->bodies.data[obstacle].set != SET_AWAKE)
		return (struct d2_vec_d){0.0, 0.0};
	const struct d2_state *state = d2_state(world, obstacle);
	struct d2_vec_d arm = d2_sub_d(point, center);
	return d2_mul_add_d(d2_widen(state->v), (double)state->w, (struct d2_vec_d){-arm.y, arm.x});
}

static void motion_read(const struct world *world, struct rebound *out)
{
	const struct d2_body *row = d2_row(world, out->body);
	const struct d2_state *state = d2_state(world, out->body);
	struct d2_vec_d gravity =
		d2_scale_d((double)world->step.inv_h, d2_widen(d2_step_rows(world)[world->bodies.data[out->body].row].add));
	out->gravity[0] = gravity.x;
	out->gravity[1] = gravity.y;
	out->v[0] = (double)state->v.x - out->left * gravity.x;
	out->v[1] = (double)state->v.y - out->left * gravity.y;
	out->w[2] = (double)state->w;
	out->inv_mass = (double)row->inv_mass.x;
	out->inv_inertia[2][2] = (double)row->inv_inertia;
}

bool d2_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d2_sweep *obstacle, float time,
	struct d2_vec_d normal, struct rebound *out)
{
	struct d2_local_manifold manifold;
	if (!rebound_make(world, proxies, time, out))
		return false;
	const struct d2_body *row = d2_row(world, out->body);
	if (row->inv_mass.x == 0.0f || row->inv_mass.y == 0.0f)
		return false;
	d2_rebound_touch(world, proxies, obstacle, time, speculative_margin(world), &manifold);
	if (manifold.count == 0)
		return false;
	struct d2_pose frame = d2_sweep_pose(obstacle, time);
	struct d2_vec_d n = d2_rotate_d(frame.q, d2_widen(manifold.normal));
	struct d2_vec_d center = {obstacle->x0 + (double)time * (obstacle->x1 - obstacle->x0),
		obstacle->y0 + (double)time * (obstacle->y1 - obstacle->y0)};
	float deepest = d2_manifold_separation(&manifold), slop = LINEAR_SLOP * world->settings.length_scale;
	memcpy(out->normal, (const double[3]){n.x, n.y}, sizeof out->normal);
	motion_read(world, out);
	for (int i = 0; i < manifold.count; ++i) {
		if (manifold.points[i].separation > deepest + slop)
			continue;
		struct d2_vec_d middle =
			d2_add_d((struct d2_vec_d){frame.x, frame.y}, d2_rotate_d(frame.q, d2_widen(manifold.points[i].point)));
		struct d2_vec_d place = d2_mul_add_d(middle, 0.5 * (double)manifold.points[i].separation, n);
		struct d2_vec_d u = d2_obstacle_velocity(world, proxy_body(world, proxies[1]), center, place);
		rebound_point_add(out, (const double[3]){place.x - row->x, place.y - row->y}, (const double[3]){u.x, u.y});
	}
	return rebound_ready(world, out, (double)deepest, (const double[3]){normal.x, normal.y});
}

struct d2_vec_d d2_rebound(struct world *world, struct rebound *rebound, float *turn)
{
	struct d2_state *state = d2_state(world, rebound->body);
	double delta[3], turned[3];
	rebound_solve(world, rebound, delta, turned);
	state->v = d2_narrow((struct d2_vec_d){rebound->v[0], rebound->v[1]});
	state->w = (float)rebound->w[2];
	*turn = (float)turned[2];
	return (struct d2_vec_d){delta[0], delta[1]};
}
