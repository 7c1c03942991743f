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

static struct prepared {
	struct d2_pose a, b, to_a, to_b;
	struct d2_vec_d way;
} prepared[SITUATIONS_MAX];

static void prepare(const struct situation *s, int count)
{
	for (int i = 0; i < count; i++)
		prepared[i] = (struct prepared){ pose(&s[i].a), pose(&s[i].b), pose(&s[i].to_a), pose(&s[i].to_b), { s[i].way[0], s[i].way[1] } };
}

static double sum(struct d2_vec_d v)
{
	return v.x + v.y;
}

static struct answer distance(const struct d2_shape *a, const struct d2_shape *b, const struct prepared *s)
{
	struct d2_measure out;
	d2_measure(a, &s->a, b, &s->b, &out);
	return (struct answer){ out.distance, sum(out.normal) + sum(out.a) + sum(out.b), 0 };
}

static struct answer manifold(const struct d2_shape *a, const struct d2_shape *b, const struct prepared *s)
{
	struct d2_touch out;
	struct answer answer = { 0 };
	d2_touch(a, &s->a, b, &s->b, &out);
	for (int i = 0; i < out.count; i++) {
		answer.value = out.points[i].separation < answer.value ? out.points[i].separation : answer.value;
		answer.sum += out.points[i].x + out.points[i].y + sum(out.normal);
	}
	return answer;
}

static struct answer cast(const struct d2_shape *a, const struct d2_shape *b, const struct prepared *s)
{
	struct d2_cast_result out;
	d2_cast(a, &s->a, s->way, b, &s->b, D2_CAST_EXACT, &out);
	return (struct answer){ out.t, out.hit ? out.x + out.y + sum(out.normal) : 0, out.iterations };
}

static struct answer impact(const struct d2_shape *a, const struct d2_shape *b, const struct prepared *s)
{
	struct d2_advance_result out;
	d2_advance(a, &s->a, &s->to_a, b, &s->b, &s->to_b, &out, NULL, NULL);
	return (struct answer){ out.t, out.x + out.y + sum(out.normal), out.iterations };
}

static struct answer ray(const struct d2_shape *a, const struct prepared *s)
{
	struct d2_ray_hit_d out;
	if (!d2_shape_ray_d(a, &s->a, s->b.x, s->b.y, s->way.x, s->way.y, &out))
		return (struct answer){ 1, 0, 0 };
	return (struct answer){ out.fraction, out.x + out.y + sum(out.normal), 0 };
}

static struct answer ask(enum method method, const struct d2_shape *a, const struct d2_shape *b, const struct prepared *s)
{
	switch (method) {
	case METHOD_DISTANCE:
	case METHOD_WARM:
		return distance(a, b, s);
	case METHOD_OVERLAP:
		return (struct answer){ d2_overlaps(a, &s->a, b, &s->b), 0, 0 };
	case METHOD_MANIFOLD:
		return manifold(a, b, s);
	case METHOD_CAST:
		return cast(a, b, s);
	case METHOD_IMPACT:
		return impact(a, b, s);
	case METHOD_RAY:
		return ray(a, s);
	case METHODS:
		break;
	}
	return (struct answer){ 0 };
}

static bool run(enum method method, const void *a, const void *b, int count, struct answer *answers)
{
	for (int i = 0; i < count; i++)
		answers[i] = ask(method, a, b, &prepared[i]);
	return true;
}

const struct library library_d2 = { "d2", shape, prepare, run };
