/* geometry_box2d.c - Box2D's functions, for bench-geometry. They work in the frame of A: what is given and wanted in the world is
** carried there and back, as its user would. Shapes and proxies are made beforehand. */
#include "geometry.h"

#include <box2d/box2d.h>
#include <box2d/collision.h>

#include <stdlib.h>

struct shape {
	enum outline_type type;
	b2ShapeProxy proxy;
	b2Circle circle;
	b2Capsule capsule;
	b2Segment segment;
	b2Polygon polygon;
};

static const void *shape(const struct outline *outline)
{
	struct shape *out = calloc(1, sizeof *out);
	b2Vec2 points[B2_MAX_POLYGON_VERTICES] = { { -outline->half[0], 0 }, { outline->half[0], 0 } };
	b2Hull hull;
	out->type = outline->type;
	switch (outline->type) {
	case OUTLINE_BALL:
		out->circle = (b2Circle){ { 0, 0 }, outline->radius };
		out->proxy = b2MakeProxy(&out->circle.center, 1, outline->radius);
		break;
	case OUTLINE_CAPSULE:
		out->capsule = (b2Capsule){ points[0], points[1], outline->radius };
		out->proxy = b2MakeProxy(points, 2, outline->radius);
		break;
	case OUTLINE_SEGMENT:
		out->segment = (b2Segment){ points[0], points[1] };
		out->proxy = b2MakeProxy(points, 2, 0);
		break;
	case OUTLINE_BOX:
		out->polygon = b2MakeBox(outline->half[0], outline->half[1]);
		out->proxy = b2MakeProxy(out->polygon.vertices, 4, 0);
		break;
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; i++)
			points[i] = (b2Vec2){ outline->points[i][0], outline->points[i][1] };
		hull = b2ComputeHull(points, outline->count);
		out->polygon = b2MakePolygon(&hull, outline->radius);
		out->proxy = b2MakeProxy(out->polygon.vertices, out->polygon.count, outline->radius);
		break;
	}
	return out;
}

static b2Transform transform(const struct place *place)
{
	return (b2Transform){ { (float)place->p[0], (float)place->p[1] }, { place->q[0], place->q[1] } };
}

static b2Sweep sweep(const struct place *from, const struct place *to)
{
	return (b2Sweep){ .c1 = { (float)from->p[0], (float)from->p[1] }, .c2 = { (float)to->p[0], (float)to->p[1] },
		.q1 = { from->q[0], from->q[1] }, .q2 = { to->q[0], to->q[1] } };
}

static struct prepared {
	b2Transform a, b;
	b2Sweep sweep_a, sweep_b;
	b2Vec2 way;
} prepared[SITUATIONS_MAX];

static void prepare(const struct situation *s, int count)
{
	for (int i = 0; i < count; i++)
		prepared[i] = (struct prepared){ transform(&s[i].a), transform(&s[i].b), sweep(&s[i].a, &s[i].to_a), sweep(&s[i].b, &s[i].to_b),
			{ (float)s[i].way[0], (float)s[i].way[1] } };
}

static double point_sum(b2Transform t, b2Vec2 p)
{
	b2Vec2 q = b2TransformPoint(t, p);
	return q.x + q.y;
}

static double turned_sum(b2Transform t, b2Vec2 v)
{
	b2Vec2 turned = b2RotateVector(t.q, v);
	return turned.x + turned.y;
}

/* The same shapes for all situations. */
static struct {
	const struct shape *a, *b;
	b2DistanceInput distance;
	b2ShapeCastPairInput cast;
	b2TOIInput impact;
	b2SimplexCache caches[SITUATIONS_MAX];
} kept;

static void keep(const struct shape *a, const struct shape *b)
{
	if (kept.a == a && kept.b == b)
		return;
	kept.a = a;
	kept.b = b;
	kept.distance = (b2DistanceInput){ .proxyA = a->proxy, .proxyB = b->proxy, .useRadii = true };
	kept.cast = (b2ShapeCastPairInput){ .proxyA = a->proxy, .proxyB = b->proxy, .maxFraction = 1 };
	kept.impact = (b2TOIInput){ .proxyA = a->proxy, .proxyB = b->proxy, .maxFraction = 1 };
	for (int i = 0; i < SITUATIONS_MAX; i++)
		kept.caches[i] = (b2SimplexCache){ 0 };
}

static struct answer distance(const struct prepared *s, b2SimplexCache *cache)
{
	kept.distance.transform = b2InvMulTransforms(s->a, s->b);
	b2DistanceOutput out = b2ShapeDistance(&kept.distance, cache, NULL, 0);
	return (struct answer){ out.distance, turned_sum(s->a, out.normal) + point_sum(s->a, out.pointA) + point_sum(s->a, out.pointB), out.iterations };
}

static struct answer overlap(const struct prepared *s)
{
	b2SimplexCache cache = { 0 };
	kept.distance.transform = b2InvMulTransforms(s->a, s->b);
	b2DistanceOutput out = b2ShapeDistance(&kept.distance, &cache, NULL, 0);
	return (struct answer){ out.distance <= 0, 0, out.iterations };
}

static bool is_polygon(const struct shape *shape)
{
	return shape->type == OUTLINE_BOX || shape->type == OUTLINE_HULL;
}

static bool collide(const struct shape *a, const struct shape *b, b2Transform b_in_a, b2LocalManifold *out)
{
	if (a->type == OUTLINE_BALL && b->type == OUTLINE_BALL)
		*out = b2CollideCircles(&a->circle, &b->circle, b_in_a);
	else if (a->type == OUTLINE_CAPSULE && b->type == OUTLINE_BALL)
		*out = b2CollideCapsuleAndCircle(&a->capsule, &b->circle, b_in_a);
	else if (a->type == OUTLINE_CAPSULE && b->type == OUTLINE_CAPSULE)
		*out = b2CollideCapsules(&a->capsule, &b->capsule, b_in_a);
	else if (a->type == OUTLINE_SEGMENT && is_polygon(b))
		*out = b2CollideSegmentAndPolygon(&a->segment, &b->polygon, b_in_a);
	else if (is_polygon(a) && b->type == OUTLINE_BALL)
		*out = b2CollidePolygonAndCircle(&a->polygon, &b->circle, b_in_a);
	else if (is_polygon(a) && b->type == OUTLINE_CAPSULE)
		*out = b2CollidePolygonAndCapsule(&a->polygon, &b->capsule, b_in_a);
	else if (is_polygon(a) && is_polygon(b))
		*out = b2CollidePolygons(&a->polygon, &b->polygon, b_in_a);
	else
		return false;
	return true;
}

static bool manifold(const struct shape *a, const struct shape *b, const struct prepared *s, struct answer *answer)
{
	b2LocalManifold out;
	if (!collide(a, b, b2InvMulTransforms(s->a, s->b), &out))
		return false;
	*answer = (struct answer){ 0 };
	for (int i = 0; i < out.pointCount; i++) {
		answer->value = out.points[i].separation < answer->value ? out.points[i].separation : answer->value;
		answer->sum += point_sum(s->a, out.points[i].point) + turned_sum(s->a, out.normal);
	}
	return true;
}

/* B moves there, so that the way is turned round. */
static struct answer cast(const struct prepared *s)
{
	kept.cast.transform = b2InvMulTransforms(s->a, s->b);
	kept.cast.translationB = b2InvRotateVector(s->a.q, b2Neg(s->way));
	b2CastOutput out = b2ShapeCast(&kept.cast);
	return (struct answer){ out.hit ? out.fraction : 1, out.hit ? point_sum(s->a, out.point) + turned_sum(s->a, out.normal) : 0, out.iterations };
}

static struct answer impact(const struct prepared *s)
{
	kept.impact.sweepA = s->sweep_a;
	kept.impact.sweepB = s->sweep_b;
	b2TOIOutput out = b2TimeOfImpact(&kept.impact);
	return (struct answer){ out.fraction, out.point.x + out.point.y + out.normal.x + out.normal.y, 0 };
}

static struct answer ray(const struct shape *a, const struct prepared *s)
{
	b2RayCastInput input = { b2InvTransformPoint(s->a, s->b.p),
		b2InvRotateVector(s->a.q, s->way), 1 };
	b2CastOutput out = a->type == OUTLINE_BALL ? b2RayCastCircle(&a->circle, &input)
		: a->type == OUTLINE_CAPSULE		   ? b2RayCastCapsule(&a->capsule, &input)
		: a->type == OUTLINE_SEGMENT		   ? b2RayCastSegment(&a->segment, &input, false)
											   : b2RayCastPolygon(&a->polygon, &input);
	return (struct answer){ out.hit ? out.fraction : 1, out.hit ? point_sum(s->a, out.point) + turned_sum(s->a, out.normal) : 0, 0 };
}

static bool ask(enum method method, const struct shape *a, const struct shape *b, const struct prepared *s, int i,
	struct answer *answer)
{
	b2SimplexCache fresh = { 0 };
	switch (method) {
	case METHOD_DISTANCE:
		*answer = distance(s, &fresh);
		return true;
	case METHOD_WARM:
		*answer = distance(s, &kept.caches[i]);
		return true;
	case METHOD_OVERLAP:
		*answer = overlap(s);
		return true;
	case METHOD_MANIFOLD:
		return manifold(a, b, s, answer);
	case METHOD_CAST:
		*answer = cast(s);
		return true;
	case METHOD_IMPACT:
		*answer = impact(s);
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

const struct library library_box2d = { "Box2D", shape, prepare, run };
