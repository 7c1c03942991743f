/* world_query.c - exact ray casts against colliders, and overlap tests of shapes with them.
 * Serial, between steps. */
#include "core/query.h"
#include "d3/query/distance.h"
#include "d3/query/ray_cast.h"
#include "d3/dynamics/wing.h"

static struct d3_pose proxy_pose(const struct world *world, uint32_t proxy)
{
	return d3_row_pose(d3_row(world, world->colliders.data[world->proxies.data[proxy].collider].body));
}

void d3_query_box(const void *shape, uint32_t child, const void *pose, struct box *box)
{
	*box = d3_shape_box(d3_shape_part(shape, child), pose, 0.0f);
}

bool d3_query_ray(const struct world *world, uint32_t proxy, const double from[3], const double translation[3],
	float max_fraction, struct query_hit *hit)
{
	struct d3_pose pose = proxy_pose(world, proxy);
	struct d3_vec_d origin = {from[0], from[1], from[2]}, delta = {translation[0], translation[1], translation[2]};
	struct d3_ray_hit_d found;
	if (!d3_shape_ray_d(d3_proxy_part(world, proxy), &pose, origin, delta, &found) || !(found.fraction <= (double)max_fraction))
		return false;
	struct d3_vec n = d3_narrow(found.normal);
	*hit = (struct query_hit){.p = {found.p.x, found.p.y, found.p.z}, .normal = {n.x, n.y, n.z}, .fraction = found.fraction};
	return true;
}

bool d3_query_overlaps(const struct world *world, uint32_t proxy, const void *shape, uint32_t child, const void *pose)
{
	struct d3_pose other = proxy_pose(world, proxy);
	return d3_overlaps(d3_shape_part(shape, child), pose, d3_proxy_part(world, proxy), &other);
}
