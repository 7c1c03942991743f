/* geometry_wing.h - those parts of the project's own libraries whose text is the same in both dimensions. geometry_d2.c and
 * geometry_d3.c include it, each after it has said what differs: the macros WING, CAST, POINT_OF, CACHE and COLLIDE, and
 * functions that make poses and vectors and sum up the coordinates of a vector. */
#pragma once
#include "geometry.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(void *context, void *block, size_t old_size, size_t new_size)
{
	(void)context;
	(void)old_size;
	if (new_size > 0)
		return realloc(block, new_size);
	free(block);
	return NULL;
}

static struct memory *shape_memory(void)
{
	static struct memory memory;
	if (memory.allocate == NULL)
		memory_init(&memory, allocate, NULL);
	return &memory;
}

static struct prepared {
	struct WING(pose) a, b, to_a, to_b;
	struct WING(vec_d) from, delta;
} prepared[SITUATIONS_MAX];

static void prepare(const struct situation *s, int count)
{
	for (int i = 0; i < count; ++i)
		prepared[i] = (struct prepared){
			pose(&s[i].a), pose(&s[i].b), pose(&s[i].to_a), pose(&s[i].to_b), vector(s[i].b.p), vector(s[i].delta)};
}

static struct answer distance(const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s)
{
	struct WING(distance) out;
	WING(distance)(a, &s->a, b, &s->b, &out);
	return (struct answer){out.distance, sum(out.normal) + sum(out.a) + sum(out.b), 0};
}

static struct answer overlap(const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s)
{
	return (struct answer){WING(overlaps)(a, &s->a, b, &s->b), 0, 0};
}

static bool manifold(
	const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s, struct answer *answer)
{
	struct WING(world_manifold) out[MANIFOLDS];
	*answer = (struct answer){0};
	int count = WING(world_manifolds)(a, &s->a, b, &s->b, out);
	for (int i = 0; count > 0 && i < out->count; ++i) {
		answer->value = out->points[i].separation < answer->value ? out->points[i].separation : answer->value;
		answer->sum += sum(out->points[i].p) + sum(out->normal);
	}
	return true;
}

/* The world's own: within 0.02 of each other, in the frame of A. */
static bool contact_from(
	const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s, CACHE *cache, struct answer *answer)
{
	struct WING(local_manifold) out;
	struct WING(transform) b_in_a = WING(pose_relative)(&s->a, &s->b);
	COLLIDE(a, b, &b_in_a, cache, &out);
	*answer = (struct answer){0};
	for (int i = 0; i < out.count; ++i) {
		answer->value = out.points[i].separation < answer->value ? out.points[i].separation : answer->value;
		answer->sum += sum(WING(widen)(out.points[i].point)) + sum(WING(widen)(out.normal));
	}
	return true;
}

static bool contact(const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s, struct answer *answer)
{
	CACHE fresh = {0};
	return contact_from(a, b, s, &fresh, answer);
}

static bool contact_warm(
	const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s, struct answer *answer)
{
	static const struct WING(shape) * cached_a, *cached_b;
	static CACHE caches[SITUATIONS_MAX];
	if (cached_a != a || cached_b != b)
		memset(caches, 0, sizeof caches);
	cached_a = a;
	cached_b = b;
	return contact_from(a, b, s, &caches[s - prepared], answer);
}

static struct answer cast(const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s)
{
	struct WING(cast_result) out;
	WING(cast)(a, &s->a, s->delta, b, &s->b, CAST, &out);
	return (struct answer){out.t, out.hit ? sum(POINT_OF(out)) + sum(out.normal) : 0, out.iterations};
}

static struct answer impact(const struct WING(shape) * a, const struct WING(shape) * b, const struct prepared *s)
{
	struct WING(impact_result) out;
	WING(shapes_time_of_impact)(a, &s->a, &s->to_a, b, &s->b, &s->to_b, &out, NULL, NULL);
	return (struct answer){out.t, sum(POINT_OF(out)) + sum(out.normal), out.iterations};
}
