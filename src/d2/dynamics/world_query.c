/* world_query.c - exact ray casts against colliders, and overlaps with them.
 * Serial, between steps. */
#include "core/query.h"
#include "d2/query/ray_cast.h"
#include "d2/dynamics/wing.h"

static struct d2_pose proxy_pose(const struct world *world, const struct proxy *proxy)
{
	return d2_row_pose(d2_row(world, world->colliders.data[proxy->collider].body));
}

void d2_query_box(const void *shape, uint32_t child, const void *pose, struct box *box)
{
	*box = d2_shape_box(shape, child, pose, 0.0f);
}

bool d2_query_ray(const struct world *world, uint32_t proxy_id, const double from[3], const double translation[3],
	float max_fraction, struct query_hit *hit)
{
	const struct proxy *proxy = &world->proxies.data[proxy_id];
	struct d2_pose pose = proxy_pose(world, proxy);
	struct d2_ray_hit_d found;
	if (!d2_shape_ray_child(d2_collider_shape(world, proxy->collider), proxy->child, &pose, from[0], from[1], translation[0],
			translation[1], (double)max_fraction, &found))
		return false;
	struct d2_vec n = d2_narrow(found.normal);
	*hit = (struct query_hit){.p = {found.x, found.y}, .normal = {n.x, n.y}, .fraction = (double)(float)found.fraction};
	return true;
}

bool d2_query_overlaps(const struct world *world, uint32_t proxy_id, const void *shape, uint32_t child, const void *pose)
{
	const struct proxy *proxy = &world->proxies.data[proxy_id];
	struct d2_pose other = proxy_pose(world, proxy);
	return d2_shapes_overlap(shape, child, pose, d2_collider_shape(world, proxy->collider), proxy->child, &other);
}
