/* geometry_box.h - those parts of the peers' files whose text is the same in both. geometry_box2d.c and geometry_box3d.c
 * include it, each after it has said what differs: the macros BOX and VEC, and functions that make transforms, sweeps and
 * vectors and sum up the coordinates of a vector. */
#pragma once
#include "geometry.h"

#include <string.h>

static struct prepared {
	BOX(Transform) a, b;
	BOX(Sweep) sweep_a, sweep_b;
	VEC delta;
} prepared[SITUATIONS_MAX];

static BOX(DistanceOutput)
	measure(const struct shape *a, const struct shape *b, const struct prepared *s, BOX(SimplexCache) * cache);
/* False: the library has no such function. */
static bool collide(const struct shape *a, const struct shape *b, BOX(Transform) b_in_a, struct kept_contact *contact,
	BOX(LocalManifold) * out);

static void prepare(const struct situation *s, int count)
{
	for (int i = 0; i < count; ++i)
		prepared[i] = (struct prepared){
			transform(&s[i].a), transform(&s[i].b), sweep(&s[i].a, &s[i].to_a), sweep(&s[i].b, &s[i].to_b), vector(s[i].delta)};
}

static double point_sum(BOX(Transform) t, VEC p)
{
	return sum(BOX(TransformPoint)(t, p));
}

static double turned_sum(BOX(Transform) t, VEC v)
{
	return sum(BOX(RotateVector)(t.q, v));
}

static struct answer distance_from(
	const struct shape *a, const struct shape *b, const struct prepared *s, BOX(SimplexCache) * cache)
{
	BOX(DistanceOutput) out = measure(a, b, s, cache);
	return (struct answer){
		out.distance, turned_sum(s->a, out.normal) + point_sum(s->a, out.pointA) + point_sum(s->a, out.pointB), out.iterations};
}

static struct answer distance(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	BOX(SimplexCache) fresh = {0};
	return distance_from(a, b, s, &fresh);
}

static struct answer overlap(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	BOX(SimplexCache) fresh = {0};
	BOX(DistanceOutput) out = measure(a, b, s, &fresh);
	return (struct answer){out.distance <= 0, 0, out.iterations};
}

static bool manifold_from(
	const struct shape *a, const struct shape *b, const struct prepared *s, struct kept_contact *contact, struct answer *answer)
{
	BOX(LocalManifold) out;
	if (!collide(a, b, BOX(InvMulTransforms)(s->a, s->b), contact, &out))
		return false;
	*answer = (struct answer){0};
	for (int i = 0; i < out.pointCount; ++i) {
		answer->value = out.points[i].separation < answer->value ? out.points[i].separation : answer->value;
		answer->sum += point_sum(s->a, out.points[i].point) + turned_sum(s->a, out.normal);
	}
	return true;
}

static bool manifold(const struct shape *a, const struct shape *b, const struct prepared *s, struct answer *answer)
{
	struct kept_contact fresh = {0};
	return manifold_from(a, b, s, &fresh, answer);
}

static bool contact(const struct shape *a, const struct shape *b, const struct prepared *s, struct answer *answer)
{
	return manifold(a, b, s, answer);
}

static bool contact_warm(const struct shape *a, const struct shape *b, const struct prepared *s, struct answer *answer)
{
	static const struct shape *cached_a, *cached_b;
	static struct kept_contact contacts[SITUATIONS_MAX];
	if (cached_a != a || cached_b != b)
		memset(contacts, 0, sizeof contacts);
	cached_a = a;
	cached_b = b;
	return manifold_from(a, b, s, &contacts[s - prepared], answer);
}

static struct answer hit_answer(const struct prepared *s, const BOX(CastOutput) * out, int iterations)
{
	if (!out->hit)
		return (struct answer){1, 0, iterations};
	return (struct answer){out->fraction, point_sum(s->a, out->point) + turned_sum(s->a, out->normal), iterations};
}
