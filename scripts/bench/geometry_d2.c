/* geometry_d2.c - the project's own plane, for bench-geometry. */
#include "geometry.h"

#include "d2/query/time_of_impact.h"
#include "d2/query/ray_cast.h"
#include "d2/manifold/manifold.h"
#include "d2/manifold/world_manifold.h"
#include "d2/query/distance.h"

#define WING(name) d2_##name
#define CAST D2_CAST_EXACT
#define POINT_OF(result) ((struct d2_vec_d){(result).x, (result).y})
#define MANIFOLDS D2_WORLD_MANIFOLDS
#define CACHE char /* nothing is kept */
#define COLLIDE(a, b, b_in_a, cache, out) ((void)(cache), d2_collide(a, 0, b, 0, b_in_a, 0.02f, out))

static struct d2_pose pose(const struct place *place)
{
	return (struct d2_pose){place->p[0], place->p[1], {place->q[0], place->q[1]}};
}

static struct d2_vec_d vector(const double v[3])
{
	return (struct d2_vec_d){v[0], v[1]};
}

static double sum(struct d2_vec_d v)
{
	return v.x + v.y;
}

#include "geometry_wing.h"

static const void *shape(const struct outline *outline)
{
	struct memory *memory = shape_memory();
	struct d2_vec points[OUTLINE_POINTS], left = {-outline->half[0], 0}, right = {outline->half[0], 0};
	struct d2_shape *polygon = NULL;
	switch (outline->type) {
	case OUTLINE_BALL: return d2_circle_create(memory, (struct d2_vec){0, 0}, outline->radius);
	case OUTLINE_CAPSULE: return d2_capsule_create(memory, left, right, outline->radius);
	case OUTLINE_SEGMENT: return d2_segment_create(memory, left, right);
	case OUTLINE_BOX:
		return d2_box_create(
			memory, 2 * outline->half[0], 2 * outline->half[1], (struct d2_vec){0, 0}, (struct d2_rot){1, 0}, 0);
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; ++i)
			points[i] = (struct d2_vec){outline->points[i][0], outline->points[i][1]};
		d2_polygon_create(memory, points, (uint32_t)outline->count, outline->radius, &polygon);
	}
	return polygon;
}

static struct answer ray(const struct d2_shape *a, const struct prepared *s)
{
	struct d2_ray_hit_d out;
	if (!d2_shape_ray_d(a, &s->a, s->from.x, s->from.y, s->delta.x, s->delta.y, &out))
		return (struct answer){1, 0, 0};
	return (struct answer){out.fraction, out.x + out.y + sum(out.normal), 0};
}

#include "geometry_run.h"

const struct library library_d2 = {"d2", shape, prepare, ask_all};
