/* geometry_box3d.c - Box3D's functions, for bench-geometry. They work in the frame of A: what is given and wanted in the world is
** carried there and back, as its user would. Shapes and proxies are made beforehand. */
#include "geometry.h"

#include <box3d/box3d.h>
#include <box3d/collision.h>

#include <stdlib.h>

struct shape {
	enum outline_type type;
	b3ShapeProxy proxy;
	b3Sphere sphere;
	b3Capsule capsule;
	b3Vec3 axis[2];
	const b3HullData *hull;
};

static const void *shape(const struct outline *outline)
{
	struct shape *out = calloc(1, sizeof *out);
	b3Vec3 points[OUTLINE_POINTS];
	b3BoxHull *box;
	out->type = outline->type;
	out->axis[0] = (b3Vec3){ -outline->half[0], 0, 0 };
	out->axis[1] = (b3Vec3){ outline->half[0], 0, 0 };
	switch (outline->type) {
	case OUTLINE_BALL:
		out->sphere = (b3Sphere){ { 0, 0, 0 }, outline->radius };
		out->proxy = (b3ShapeProxy){ &out->sphere.center, 1, outline->radius };
		break;
	case OUTLINE_CAPSULE:
	case OUTLINE_SEGMENT:
		out->capsule = (b3Capsule){ out->axis[0], out->axis[1], outline->radius };
		out->proxy = (b3ShapeProxy){ out->axis, 2, outline->radius };
		break;
	case OUTLINE_BOX:
		box = malloc(sizeof *box);
		*box = b3MakeBoxHull(outline->half[0], outline->half[1], outline->half[2]);
		out->hull = &box->base;
		out->proxy = (b3ShapeProxy){ b3GetHullPoints(out->hull), 8, 0 };
		break;
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; i++)
			points[i] = (b3Vec3){ outline->points[i][0], outline->points[i][1], outline->points[i][2] };
		out->hull = b3CreateHull(points, outline->count, outline->count);
		out->proxy = (b3ShapeProxy){ b3GetHullPoints(out->hull), out->hull->vertexCount, 0 };
		break;
	}
	return out;
}

static b3Quat rotation(const struct place *place)
{
	return (b3Quat){ { place->q[0], place->q[1], place->q[2] }, place->q[3] };
}

static b3Vec3 position(const struct place *place)
{
	return (b3Vec3){ (float)place->p[0], (float)place->p[1], (float)place->p[2] };
}

static b3Transform transform(const struct place *place)
{
	return (b3Transform){ position(place), rotation(place) };
}

static b3Sweep sweep(const struct place *from, const struct place *to)
{
	return (b3Sweep){ .c1 = position(from), .c2 = position(to), .q1 = rotation(from), .q2 = rotation(to) };
}

static struct prepared {
	b3Transform a, b;
	b3Sweep sweep_a, sweep_b;
	b3Vec3 way;
} prepared[SITUATIONS_MAX];

static void prepare(const struct situation *s, int count)
{
	for (int i = 0; i < count; i++)
		prepared[i] = (struct prepared){ transform(&s[i].a), transform(&s[i].b), sweep(&s[i].a, &s[i].to_a), sweep(&s[i].b, &s[i].to_b),
			{ (float)s[i].way[0], (float)s[i].way[1], (float)s[i].way[2] } };
}

static double point_sum(b3Transform t, b3Vec3 p)
{
	b3Vec3 q = b3TransformPoint(t, p);
	return q.x + q.y + q.z;
}

static double turned_sum(b3Transform t, b3Vec3 v)
{
	b3Vec3 turned = b3RotateVector(t.q, v);
	return turned.x + turned.y + turned.z;
}

/* The same shapes for all situations. */
static struct {
	const struct shape *a, *b;
	b3SimplexCache caches[SITUATIONS_MAX];
} kept;

static void keep(const struct shape *a, const struct shape *b)
{
	if (kept.a == a && kept.b == b)
		return;
	kept.a = a;
	kept.b = b;
	for (int i = 0; i < SITUATIONS_MAX; i++)
		kept.caches[i] = (b3SimplexCache){ 0 };
}

static b3DistanceInput distance_input(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	return (b3DistanceInput){ a->proxy, b->proxy, b3InvMulTransforms(s->a, s->b), true };
}

static struct answer distance(const struct shape *a, const struct shape *b, const struct prepared *s, b3SimplexCache *cache)
{
	b3DistanceInput input = distance_input(a, b, s);
	b3DistanceOutput out = b3ShapeDistance(&input, cache, NULL, 0);
	return (struct answer){ out.distance, turned_sum(s->a, out.normal) + point_sum(s->a, out.pointA) + point_sum(s->a, out.pointB),
		out.iterations };
}

static struct answer overlap(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	b3SimplexCache cache = { 0 };
	b3DistanceInput input = distance_input(a, b, s);
	b3DistanceOutput out = b3ShapeDistance(&input, &cache, NULL, 0);
	return (struct answer){ out.distance <= 0, 0, out.iterations };
}

enum { MANIFOLD_POINTS = 32 };

static bool collide(const struct shape *a, const struct shape *b, b3Transform b_in_a, b3LocalManifold *out)
{
	b3SimplexCache cache = { 0 };
	b3SATCache sat_cache = { 0 };
	if (a->type == OUTLINE_BALL && b->type == OUTLINE_BALL)
		b3CollideSpheres(out, MANIFOLD_POINTS, &a->sphere, &b->sphere, b_in_a);
	else if (a->type == OUTLINE_CAPSULE && b->type == OUTLINE_BALL)
		b3CollideCapsuleAndSphere(out, MANIFOLD_POINTS, &a->capsule, &b->sphere, b_in_a);
	else if (a->type == OUTLINE_CAPSULE && b->type == OUTLINE_CAPSULE)
		b3CollideCapsules(out, MANIFOLD_POINTS, &a->capsule, &b->capsule, b_in_a);
	else if (a->hull && b->type == OUTLINE_BALL)
		b3CollideHullAndSphere(out, MANIFOLD_POINTS, a->hull, &b->sphere, b_in_a, &cache);
	else if (a->hull && b->type == OUTLINE_CAPSULE)
		b3CollideHullAndCapsule(out, MANIFOLD_POINTS, a->hull, &b->capsule, b_in_a, &cache);
	else if (a->hull && b->hull)
		b3CollideHulls(out, MANIFOLD_POINTS, a->hull, b->hull, b_in_a, &sat_cache);
	else
		return false;
	return true;
}

static bool manifold(const struct shape *a, const struct shape *b, const struct prepared *s, struct answer *answer)
{
	b3LocalManifoldPoint points[MANIFOLD_POINTS];
	b3LocalManifold out;
	out.points = points;
	out.pointCount = 0;
	if (!collide(a, b, b3InvMulTransforms(s->a, s->b), &out))
		return false;
	*answer = (struct answer){ 0 };
	for (int i = 0; i < out.pointCount; i++) {
		answer->value = points[i].separation < answer->value ? points[i].separation : answer->value;
		answer->sum += point_sum(s->a, points[i].point) + turned_sum(s->a, out.normal);
	}
	return true;
}

/* B moves there, so that the way is turned round. */
static struct answer cast(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	b3ShapeCastPairInput input = { a->proxy, b->proxy, b3InvMulTransforms(s->a, s->b),
		b3InvRotateVector(s->a.q, b3Neg(s->way)), 1, false };
	b3CastOutput out = b3ShapeCast(&input);
	return (struct answer){ out.hit ? out.fraction : 1, out.hit ? point_sum(s->a, out.point) + turned_sum(s->a, out.normal) : 0,
		out.iterations };
}

static struct answer impact(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	b3TOIInput input = { a->proxy, b->proxy, s->sweep_a, s->sweep_b, 1 };
	b3TOIOutput out = b3TimeOfImpact(&input);
	return (struct answer){ out.fraction, out.point.x + out.point.y + out.point.z + out.normal.x + out.normal.y + out.normal.z,
		out.distanceIterations };
}

static struct answer ray(const struct shape *a, const struct prepared *s)
{
	b3RayCastInput input = { b3InvTransformPoint(s->a, s->b.p), b3InvRotateVector(s->a.q, s->way), 1 };
	b3CastOutput out = a->type == OUTLINE_BALL ? b3RayCastSphere(&a->sphere, &input)
		: a->hull							   ? b3RayCastHull(a->hull, &input)
											   : b3RayCastCapsule(&a->capsule, &input);
	return (struct answer){ out.hit ? out.fraction : 1, out.hit ? point_sum(s->a, out.point) + turned_sum(s->a, out.normal) : 0, 0 };
}

static bool ask(enum method method, const struct shape *a, const struct shape *b, const struct prepared *s, int i,
	struct answer *answer)
{
	b3SimplexCache fresh = { 0 };
	switch (method) {
	case METHOD_DISTANCE:
		*answer = distance(a, b, s, &fresh);
		return true;
	case METHOD_WARM:
		*answer = distance(a, b, s, &kept.caches[i]);
		return true;
	case METHOD_OVERLAP:
		*answer = overlap(a, b, s);
		return true;
	case METHOD_MANIFOLD:
		return manifold(a, b, s, answer);
	case METHOD_CAST:
		*answer = cast(a, b, s);
		return true;
	case METHOD_IMPACT:
		*answer = impact(a, b, s);
		return true;
	case METHOD_RAY:
		*answer = ray(a, s);
		return true;
	case METHODS:
		break;
	}
	return false;
}

static bool run(enum method method, const void *a, const void *b, int count, struct answer *answers)
{
	keep(a, b);
	for (int i = 0; i < count; i++)
		if (!ask(method, a, b, &prepared[i], i, &answers[i]))
			return false;
	return true;
}

const struct library library_box3d = { "Box3D", shape, prepare, run };
