/* geometry_d3.c - the project's own space, for bench-geometry. */
#include "geometry.h"

#include "d3/advance.h"
#include "d3/cast.h"
#include "d3/measure.h"
#include "d3/shape_cast.h"
#include "d3/touch.h"

#include <stdlib.h>

static void *allocate(void *context, void *block, size_t old_size, size_t new_size)
{
	(void)context;
	(void)old_size;
	if (new_size > 0)
		return realloc(block, new_size);
	free(block);
	return NULL;
}

static const void *shape(const struct outline *outline)
{
	static struct memory memory;
	if (memory.allocate == NULL)
		memory_init(&memory, allocate, NULL);
	const struct d3_vec center = { 0, 0, 0 };
	struct d3_vec points[OUTLINE_POINTS], left = { -outline->half[0], 0, 0 }, right = { outline->half[0], 0, 0 };
	struct d3_shape *hull = NULL;
	switch (outline->type) {
	case OUTLINE_BALL:
		return d3_sphere_create(&memory, center, outline->radius);
	case OUTLINE_CAPSULE:
		return d3_capsule_create(&memory, left, right, outline->radius);
	case OUTLINE_SEGMENT:
		return d3_segment_create(&memory, left, right);
	case OUTLINE_BOX:
		return d3_box_create(&memory, (struct d3_vec){ 2 * outline->half[0], 2 * outline->half[1], 2 * outline->half[2] }, center,
			(struct d3_quat){ 0, 0, 0, 1 }, 0);
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; i++)
			points[i] = (struct d3_vec){ outline->points[i][0], outline->points[i][1], outline->points[i][2] };
		d3_hull_create(&memory, points, (uint32_t)outline->count, outline->radius, &hull);
	}
	return hull;
}

static struct d3_pose pose(const struct place *place)
{
	return (struct d3_pose){ place->p[0], place->p[1], place->p[2], { place->q[0], place->q[1], place->q[2], place->q[3] } };
}

static double sum(struct d3_vec_d v)
{
	return v.x + v.y + v.z;
}

static struct answer ask(enum method method, const struct d3_shape *a, const struct d3_shape *b, const struct situation *s)
{
	struct d3_pose pose_a = pose(&s->a), pose_b = pose(&s->b), to_a, to_b;
	struct d3_vec_d way = { s->way[0], s->way[1], s->way[2] }, origin = { s->b.p[0], s->b.p[1], s->b.p[2] };
	struct d3_measure measure;
	struct d3_touch touch;
	struct d3_cast_result cast;
	struct d3_advance_result impact;
	struct d3_ray_hit_d ray;
	struct answer answer = { 0 };
	switch (method) {
	case METHOD_DISTANCE:
	case METHOD_WARM:
		d3_measure(a, &pose_a, b, &pose_b, &measure);
		return (struct answer){ measure.distance, sum(measure.normal) + sum(measure.a) + sum(measure.b), 0 };
	case METHOD_OVERLAP:
		return (struct answer){ d3_overlaps(a, &pose_a, b, &pose_b), 0, 0 };
	case METHOD_MANIFOLD:
		d3_touch(a, &pose_a, b, &pose_b, &touch);
		for (int i = 0; i < touch.count; i++) {
			answer.value = touch.points[i].separation < answer.value ? touch.points[i].separation : answer.value;
			answer.sum += sum(touch.points[i].p) + sum(touch.normal);
		}
		return answer;
	case METHOD_CAST:
		d3_cast(a, &pose_a, way, b, &pose_b, D3_CAST_EXACT, &cast);
		return (struct answer){ cast.t, cast.hit ? sum(cast.p) + sum(cast.normal) : 0, cast.iterations };
	case METHOD_IMPACT:
		to_a = pose(&s->to_a);
		to_b = pose(&s->to_b);
		d3_advance(a, &pose_a, &to_a, b, &pose_b, &to_b, &impact, NULL, NULL);
		return (struct answer){ impact.t, sum(impact.p) + sum(impact.normal), impact.iterations };
	case METHOD_RAY:
		if (!d3_shape_ray_d(a, &pose_a, origin, way, &ray))
			return (struct answer){ 1, 0, 0 };
		return (struct answer){ ray.fraction, sum(ray.p) + sum(ray.normal), 0 };
	case METHODS:
		break;
	}
	return answer;
}

static bool run(enum method method, const void *a, const void *b, const struct situation *situations, int count,
	struct answer *answers)
{
	for (int i = 0; i < count; i++)
		answers[i] = ask(method, a, b, &situations[i]);
	return true;
}

const struct library library_d3 = { "d3", shape, run };
