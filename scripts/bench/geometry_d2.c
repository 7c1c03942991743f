/* geometry_d2.c - the project's own plane, for bench-geometry. */
#include "geometry.h"

#include "d2/advance.h"
#include "d2/cast.h"
#include "d2/measure.h"

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
	struct d2_vec points[OUTLINE_POINTS], left = { -outline->half[0], 0 }, right = { outline->half[0], 0 };
	struct d2_shape *polygon = NULL;
	switch (outline->type) {
	case OUTLINE_BALL:
		return d2_circle_create(&memory, (struct d2_vec){ 0, 0 }, outline->radius);
	case OUTLINE_CAPSULE:
		return d2_capsule_create(&memory, left, right, outline->radius);
	case OUTLINE_SEGMENT:
		return d2_segment_create(&memory, left, right);
	case OUTLINE_BOX:
		return d2_box_create(&memory, 2 * outline->half[0], 2 * outline->half[1], (struct d2_vec){ 0, 0 }, (struct d2_rot){ 1, 0 }, 0);
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; i++)
			points[i] = (struct d2_vec){ outline->points[i][0], outline->points[i][1] };
		d2_polygon_create(&memory, points, (uint32_t)outline->count, outline->radius, &polygon);
	}
	return polygon;
}

static struct d2_pose pose(const struct place *place)
{
	return (struct d2_pose){ place->p[0], place->p[1], { place->q[0], place->q[1] } };
}

static double sum(struct d2_vec_d v)
{
	return v.x + v.y;
}

static struct answer ask(enum method method, const struct d2_shape *a, const struct d2_shape *b, const struct situation *s)
{
	struct d2_pose pose_a = pose(&s->a), pose_b = pose(&s->b), to_a, to_b;
	struct d2_vec_d way = { s->way[0], s->way[1] };
	struct d2_measure measure;
	struct d2_touch touch;
	struct d2_cast_result cast;
	struct d2_advance_result impact;
	struct d2_ray_hit_d ray;
	struct answer answer = { 0 };
	switch (method) {
	case METHOD_DISTANCE:
	case METHOD_WARM:
		d2_measure(a, &pose_a, b, &pose_b, &measure);
		return (struct answer){ measure.distance, sum(measure.normal) + sum(measure.a) + sum(measure.b), 0 };
	case METHOD_OVERLAP:
		return (struct answer){ d2_overlaps(a, &pose_a, b, &pose_b), 0, 0 };
	case METHOD_MANIFOLD:
		d2_touch(a, &pose_a, b, &pose_b, &touch);
		for (int i = 0; i < touch.count; i++) {
			answer.value = touch.points[i].separation < answer.value ? touch.points[i].separation : answer.value;
			answer.sum += touch.points[i].x + touch.points[i].y + sum(touch.normal);
		}
		return answer;
	case METHOD_CAST:
		d2_cast(a, &pose_a, way, b, &pose_b, D2_CAST_EXACT, &cast);
		return (struct answer){ cast.t, cast.hit ? cast.x + cast.y + sum(cast.normal) : 0, cast.iterations };
	case METHOD_IMPACT:
		to_a = pose(&s->to_a);
		to_b = pose(&s->to_b);
		d2_advance(a, &pose_a, &to_a, b, &pose_b, &to_b, &impact, NULL, NULL);
		return (struct answer){ impact.t, impact.x + impact.y + sum(impact.normal), impact.iterations };
	case METHOD_RAY:
		if (!d2_shape_ray_d(a, &pose_a, s->b.p[0], s->b.p[1], way.x, way.y, &ray))
			return (struct answer){ 1, 0, 0 };
		return (struct answer){ ray.fraction, ray.x + ray.y + sum(ray.normal), 0 };
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

const struct library library_d2 = { "d2", shape, run };
