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

static struct prepared {
	struct d3_pose a, b, to_a, to_b;
	struct d3_vec_d from, way;
} prepared[SITUATIONS_MAX];

static void prepare(const struct situation *s, int count)
{
	for (int i = 0; i < count; i++)
		prepared[i] = (struct prepared){ pose(&s[i].a), pose(&s[i].b), pose(&s[i].to_a), pose(&s[i].to_b),
			{ s[i].b.p[0], s[i].b.p[1], s[i].b.p[2] }, { s[i].way[0], s[i].way[1], s[i].way[2] } };
}

static double sum(struct d3_vec_d v)
{
	return v.x + v.y + v.z;
}

static struct answer distance(const struct d3_shape *a, const struct d3_shape *b, const struct prepared *s)
{
	struct d3_measure out;
	d3_measure(a, &s->a, b, &s->b, &out);
	return (struct answer){ out.distance, sum(out.normal) + sum(out.a) + sum(out.b), 0 };
}

static struct answer manifold(const struct d3_shape *a, const struct d3_shape *b, const struct prepared *s)
{
	struct d3_touch out;
	struct answer answer = { 0 };
	d3_touch(a, &s->a, b, &s->b, &out);
	for (int i = 0; i < out.count; i++) {
		answer.value = out.points[i].separation < answer.value ? out.points[i].separation : answer.value;
		answer.sum += sum(out.points[i].p) + sum(out.normal);
	}
	return answer;
}

static struct answer cast(const struct d3_shape *a, const struct d3_shape *b, const struct prepared *s)
{
	struct d3_cast_result out;
	d3_cast(a, &s->a, s->way, b, &s->b, D3_CAST_ENTRY, &out);
	return (struct answer){ out.t, out.hit ? sum(out.p) + sum(out.normal) : 0, out.iterations };
}

static struct answer impact(const struct d3_shape *a, const struct d3_shape *b, const struct prepared *s)
{
	struct d3_advance_result out;
	d3_advance(a, &s->a, &s->to_a, b, &s->b, &s->to_b, &out, NULL, NULL);
	return (struct answer){ out.t, sum(out.p) + sum(out.normal), out.iterations };
}

static struct answer ray(const struct d3_shape *a, const struct prepared *s)
{
	struct d3_ray_hit_d out;
	if (!d3_shape_ray_d(a, &s->a, s->from, s->way, &out))
		return (struct answer){ 1, 0, 0 };
	return (struct answer){ out.fraction, sum(out.p) + sum(out.normal), 0 };
}

static struct answer ask(enum method method, const struct d3_shape *a, const struct d3_shape *b, const struct prepared *s)
{
	switch (method) {
	case METHOD_DISTANCE:
	case METHOD_WARM:
		return distance(a, b, s);
	case METHOD_OVERLAP:
		return (struct answer){ d3_overlaps(a, &s->a, b, &s->b), 0, 0 };
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

const struct library library_d3 = { "d3", shape, prepare, run };
