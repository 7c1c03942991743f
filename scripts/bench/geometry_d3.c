/* geometry_d3.c - the project's own space, for bench-geometry. */
#include "geometry.h"

#include "d3/query/time_of_impact.h"
#include "d3/query/ray_cast.h"
#include "d3/manifold/manifold.h"
#include "d3/query/distance.h"
#include "d3/query/shape_cast.h"
#include "d3/manifold/world_manifold.h"

#define WING(name) d3_##name
#define CAST D3_CAST_ENTRY
#define POINT_OF(result) ((result).p)
#define MANIFOLDS D3_MANIFOLDS
#define CACHE struct d3_manifold_cache
#define COLLIDE(a, b, b_in_a, cache, out) d3_collide(a, 0, b, 0, b_in_a, 0.02f, cache, out)

static struct d3_pose pose(const struct place *place)
{
	return (struct d3_pose){place->p[0], place->p[1], place->p[2], {place->q[0], place->q[1], place->q[2], place->q[3]}};
}

static struct d3_vec_d vector(const double v[3])
{
	return (struct d3_vec_d){v[0], v[1], v[2]};
}

static double sum(struct d3_vec_d v)
{
	return v.x + v.y + v.z;
}

#include "geometry_wing.h"

static const void *shape(const struct outline *outline)
{
	struct memory *memory = shape_memory();
	const struct d3_vec center = {0, 0, 0};
	struct d3_vec points[OUTLINE_POINTS], left = {-outline->half[0], 0, 0}, right = {outline->half[0], 0, 0};
	struct d3_shape *hull = NULL;
	switch (outline->type) {
	case OUTLINE_BALL: return d3_sphere_create(memory, center, outline->radius);
	case OUTLINE_CAPSULE: return d3_capsule_create(memory, left, right, outline->radius);
	case OUTLINE_SEGMENT: return d3_segment_create(memory, left, right);
	case OUTLINE_BOX:
		return d3_box_create(memory, (struct d3_vec){2 * outline->half[0], 2 * outline->half[1], 2 * outline->half[2]}, center,
			(struct d3_quat){0, 0, 0, 1}, 0);
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; ++i)
			points[i] = (struct d3_vec){outline->points[i][0], outline->points[i][1], outline->points[i][2]};
		d3_hull_create(memory, points, (uint32_t)outline->count, outline->radius, &hull);
	}
	return hull;
}

static struct answer ray(const struct d3_shape *a, const struct prepared *s)
{
	struct d3_ray_hit_d out;
	if (!d3_shape_ray_d(a, &s->a, s->from, s->delta, &out))
		return (struct answer){1, 0, 0};
	return (struct answer){out.fraction, sum(out.p) + sum(out.normal), 0};
}

#include "geometry_run.h"

const struct library library_d3 = {"d3", shape, prepare, ask_all};
