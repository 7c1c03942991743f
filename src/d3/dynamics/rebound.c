/* rebound.c - see rebound.h. */
#include "d3/dynamics/rebound.h"

#include <string.h>

static uint32_t proxy_body(const struct world *world, uint32_t proxy)
{
	return world->colliders.data[world->proxies.data[proxy].collider].body;
}

static struct d3_vec_d turned_out(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_turn_d(&rot, v);
}

void d3_rebound_touch(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time,
	float margin, struct d3_vec_d normal, struct d3_local_manifold *out)
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

struct d3_vec_d d3_obstacle_velocity(
	const struct world *world, uint32_t obstacle, struct d3_vec_d center, struct d3_vec_d point)
{
	if (world->bodies.data[obstacle].set != SET_AWAKE)
		return (struct d3_vec_d){0.0, 0.0, 0.0};
	const struct d3_state *state = d3_state(world, obstacle);
	return d3_add_d(d3_widen(state->v), d3_cross_d(d3_widen(state->w), d3_sub_d(point, center)));
}

static void motion_read(const struct world *world, struct rebound *out)
{
	const struct d3_state *state = d3_state(world, out->body);
	const struct d3_symmetric *i = &d3_row(world, out->body)->inv_inertia;
	struct d3_vec_d gravity =
		d3_scale_d((double)world->step.inv_h, d3_widen(d3_step_rows(world)[world->bodies.data[out->body].row].add));
	struct d3_vec_d v = d3_mul_add_d(d3_widen(state->v), -out->left, gravity), w = d3_widen(state->w);
	const double inertia[3][3] = {{(double)i->xx, (double)i->xy, (double)i->xz}, {(double)i->xy, (double)i->yy, (double)i->yz},
		{(double)i->xz, (double)i->yz, (double)i->zz}};
	memcpy(out->gravity, (const double[3]){gravity.x, gravity.y, gravity.z}, sizeof out->gravity);
	memcpy(out->v, (const double[3]){v.x, v.y, v.z}, sizeof out->v);
	memcpy(out->w, (const double[3]){w.x, w.y, w.z}, sizeof out->w);
	memcpy(out->inv_inertia, inertia, sizeof out->inv_inertia);
	out->inv_mass = (double)d3_row(world, out->body)->inv_mass.x;
}

bool d3_rebound_find(const struct world *world, const uint32_t proxies[2], const struct d3_sweep *obstacle, float time,
	struct d3_vec_d normal, struct rebound *out)
{
	struct d3_local_manifold manifold;
	if (!rebound_make(world, proxies, time, out))
		return false;
	const struct d3_body *row = d3_row(world, out->body);
	if (row->inv_mass.x == 0.0f || row->inv_mass.y == 0.0f || row->inv_mass.z == 0.0f ||
		d3_shape_surface(d3_proxy_part(world, proxies[0])) || d3_shape_has_materials(d3_proxy_part(world, proxies[1])))
		return false;
	d3_rebound_touch(world, proxies, obstacle, time, speculative_margin(world), normal, &manifold);
	if (manifold.count == 0)
		return false;
	struct d3_pose frame = d3_sweep_pose(obstacle, time);
	struct d3_vec_d n = turned_out(frame.q, d3_widen(manifold.normal));
	struct d3_vec_d center = d3_mul_add_d(obstacle->from, (double)time, d3_sub_d(obstacle->to, obstacle->from));
	float deepest = d3_manifold_separation(&manifold), slop = LINEAR_SLOP * world->settings.length_scale;
	memcpy(out->normal, (const double[3]){n.x, n.y, n.z}, sizeof out->normal);
	motion_read(world, out);
	for (int i = 0; i < manifold.count; ++i) {
		if (manifold.points[i].separation > deepest + slop)
			continue;
		struct d3_vec_d middle =
			d3_add_d((struct d3_vec_d){frame.x, frame.y, frame.z}, turned_out(frame.q, d3_widen(manifold.points[i].point)));
		struct d3_vec_d place = d3_mul_add_d(middle, 0.5 * (double)manifold.points[i].separation, n); /* on the body */
		struct d3_vec_d u = d3_obstacle_velocity(world, proxy_body(world, proxies[1]), center, place);
		rebound_point_add(
			out, (const double[3]){place.x - row->x, place.y - row->y, place.z - row->z}, (const double[3]){u.x, u.y, u.z});
	}
	return rebound_ready(world, out, (double)deepest, (const double[3]){normal.x, normal.y, normal.z});
}

struct d3_vec_d d3_rebound(struct world *world, struct rebound *rebound, struct d3_vec *turn)
{
	struct d3_state *state = d3_state(world, rebound->body);
	double delta[3], turned[3];
	rebound_solve(world, rebound, delta, turned);
	state->v = d3_narrow((struct d3_vec_d){rebound->v[0], rebound->v[1], rebound->v[2]});
	state->w = d3_narrow((struct d3_vec_d){rebound->w[0], rebound->w[1], rebound->w[2]});
	*turn = d3_narrow((struct d3_vec_d){turned[0], turned[1], turned[2]});
	return (struct d3_vec_d){delta[0], delta[1], delta[2]};
}
