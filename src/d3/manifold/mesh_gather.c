/* mesh_gather.c - groups contact points with a surface by normal while its triangles are visited, so that any number of
 * triangles gives a few manifolds.
 * Pure, any thread. */
#include "d3/manifold/mesh.h"

/* Normals within this angle (8 degrees) share a manifold; those of a flat floor are the same to the bit. */
static const float gather_cosine = 0.99f;

struct group *d3_group_along(struct gathering *g, struct d3_vec normal)
{
	for (uint32_t i = 0; i < g->group_count; ++i)
		if (d3_dot(normal, g->groups[i].normal) > gather_cosine)
			return &g->groups[i];
	return NULL;
}

struct group *d3_group_find(struct gathering *g, struct d3_vec normal, float separation)
{
	struct group *group = d3_group_along(g, normal), *shallowest = &g->groups[0];
	if (group)
		return group;
	for (uint32_t i = 1; i < g->group_count; ++i)
		if (g->groups[i].deepest > shallowest->deepest)
			shallowest = &g->groups[i];
	if (g->group_count == GROUPS && separation >= shallowest->deepest)
		return NULL;
	group = g->group_count < GROUPS ? &g->groups[g->group_count++] : shallowest;
	group->count = 0;
	group->deepest = group->inner.height = INFINITY;
	return group;
}

static void add_normal(struct group *group, struct d3_vec normal, float height, float indifference)
{
	if (!(height >= group->deepest - indifference))
		group->sum = normal;
	else if (height <= group->deepest + indifference && !d3_same_vec(normal, group->last))
		group->sum = d3_add(group->sum, normal);
	else
		return;
	group->last = normal;
}

static void put_point(struct group *group, uint32_t i, const struct d3_candidate_point *point)
{
	group->points[i] = *point;
	group->x[i] = point->p.x;
	group->y[i] = point->p.y;
	group->z[i] = point->p.z;
	group->ids[i] = (int32_t)point->id;
}

/* Index of the group's first point that has the same id or is at most `near` away; group->count: there is none. */
static uint32_t find_point(const struct group *group, const struct d3_candidate_point *point, float near)
{
	for (uint32_t i = 0; i < group->count; i += 4) {
		float4 x = float4_read(&group->x[i]) - point->p.x;
		float4 y = float4_read(&group->y[i]) - point->p.y;
		float4 z = float4_read(&group->z[i]) - point->p.z;
		int4 ids;
		memcpy(&ids, &group->ids[i], sizeof ids);
		uint32_t bits = float4_bits((ids == (int32_t)point->id) | (x * x + y * y + z * z <= float4_of(near * near)));
		bits &= float4_lanes(group->count - i);
		if (bits)
			return i + (uint32_t)__builtin_ctz(bits);
	}
	return group->count;
}

void d3_gather(struct gathering *g, uint32_t child, struct d3_vec normal, const struct d3_candidate_point *point)
{
	struct group *group = d3_group_find(g, normal, point->height);
	if (group == NULL)
		return;
	float near = d3_indifference(g->speculative);
	add_normal(group, normal, point->height, near);
	if (point->height < group->deepest) {
		group->deepest = point->height;
		group->normal = normal;
		group->triangle = child;
	}
	uint32_t same = find_point(group, point, near);
	if (same < group->count) {
		if (point->height < group->points[same].height)
			put_point(group, same, point);
		return;
	}
	if (group->count == GROUP_POINTS) {
		group->count = d3_reduce_points(group->points, group->count, group->normal, near);
		for (uint32_t i = 0; i < group->count; ++i)
			put_point(group, i, &group->points[i]);
	}
	put_point(group, group->count++, point);
}

static void add_inner(struct group *group, float indifference)
{
	if (!(group->inner.height < group->deepest - indifference))
		return;
	if (group->count == GROUP_POINTS)
		group->count = d3_reduce_points(group->points, group->count, group->normal, indifference);
	group->points[group->count++] = group->inner;
	group->deepest = group->inner.height;
}

/* Sort key of a normal: its component along a direction that is seldom perpendicular to one. The order changes only when
 * normals turn. */
static float order_of(struct d3_vec normal)
{
	return 0.36f * normal.x + 0.79f * normal.y + 0.5f * normal.z;
}

/* The deepest groups, at most D3_MANIFOLDS, in the order of their normals. */
static uint32_t choose_groups(struct gathering *g, const struct group *chosen[D3_MANIFOLDS])
{
	uint32_t count = 0;
	bool taken[GROUPS] = {false};
	for (; count < D3_MANIFOLDS && count < g->group_count; ++count) {
		uint32_t best = GROUPS;
		for (uint32_t i = 0; i < g->group_count; ++i)
			if (!taken[i] && (best == GROUPS || g->groups[i].deepest < g->groups[best].deepest))
				best = i;
		assert(best < GROUPS);
		taken[best] = true;
		uint32_t at = count;
		for (; at > 0 && order_of(chosen[at - 1]->normal) < order_of(g->groups[best].normal); --at)
			chosen[at] = chosen[at - 1];
		chosen[at] = &g->groups[best];
	}
	return count;
}

const struct group *d3_group_deepest(const struct gathering *g)
{
	const struct group *deepest = &g->groups[0];
	for (uint32_t i = 1; i < g->group_count; ++i)
		if (g->groups[i].deepest < deepest->deepest)
			deepest = &g->groups[i];
	return deepest;
}

int d3_gather_end(struct gathering *g, struct d3_local_manifold out[D3_MANIFOLDS])
{
	float slack = d3_indifference(g->speculative);
	for (uint32_t i = 0; i < g->group_count; ++i)
		add_inner(&g->groups[i], slack);
	const struct group *chosen[D3_MANIFOLDS];
	uint32_t count = choose_groups(g, chosen);
	for (uint32_t i = 0; i < count; ++i) {
		struct d3_candidate_point points[GROUP_POINTS];
		memcpy(points, chosen[i]->points, chosen[i]->count * sizeof *points);
		out[i].count = (int)d3_reduce_points(points, chosen[i]->count, chosen[i]->normal, slack);
		/* Takes the mean normal: on a gentle ridge no triangle has the right one, and the deepest triangle alternates. */
		out[i].normal = d3_same_vec(chosen[i]->sum, chosen[i]->normal) ? chosen[i]->normal : d3_normalize(chosen[i]->sum);
		out[i].triangle = chosen[i]->triangle;
		for (int k = 0; k < out[i].count; ++k)
			out[i].points[k] = (struct d3_manifold_point){points[k].p, points[k].height, points[k].id};
	}
	return (int)count;
}
