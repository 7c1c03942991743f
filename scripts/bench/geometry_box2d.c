/* geometry_box2d.c - Box2D's functions, for bench-geometry. They work in the frame of A: what is given and wanted in the world
 * is carried there and back, as its user would. Shapes and proxies are made beforehand. */
#include "geometry.h"

#include <box2d/box2d.h>
#include <box2d/collision.h>

#include <stdlib.h>

struct kept_contact {
	char none; /* nothing is kept of contacts */
};

#define BOX(name) b2##name
#define VEC b2Vec2

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
	b2Vec2 points[B2_MAX_POLYGON_VERTICES] = {{-outline->half[0], 0}, {outline->half[0], 0}};
	b2Hull hull;
	out->type = outline->type;
	switch (outline->type) {
	case OUTLINE_BALL:
		out->circle = (b2Circle){{0, 0}, outline->radius};
		out->proxy = b2MakeProxy(&out->circle.center, 1, outline->radius);
		break;
	case OUTLINE_CAPSULE:
		out->capsule = (b2Capsule){points[0], points[1], outline->radius};
		out->proxy = b2MakeProxy(points, 2, outline->radius);
		break;
	case OUTLINE_SEGMENT:
		out->segment = (b2Segment){points[0], points[1]};
		out->proxy = b2MakeProxy(points, 2, 0);
		break;
	case OUTLINE_BOX:
		out->polygon = b2MakeBox(outline->half[0], outline->half[1]);
		out->proxy = b2MakeProxy(out->polygon.vertices, 4, 0);
		break;
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; ++i)
			points[i] = (b2Vec2){outline->points[i][0], outline->points[i][1]};
		hull = b2ComputeHull(points, outline->count);
		out->polygon = b2MakePolygon(&hull, outline->radius);
		out->proxy = b2MakeProxy(out->polygon.vertices, out->polygon.count, outline->radius);
		break;
	}
	return out;
}

static b2Vec2 vector(const double v[3])
{
	return (b2Vec2){(float)v[0], (float)v[1]};
}

static b2Transform transform(const struct place *place)
{
	return (b2Transform){vector(place->p), {place->q[0], place->q[1]}};
}

static b2Sweep sweep(const struct place *from, const struct place *to)
{
	return (b2Sweep){.c1 = vector(from->p), .c2 = vector(to->p), .q1 = {from->q[0], from->q[1]}, .q2 = {to->q[0], to->q[1]}};
}

static double sum(b2Vec2 v)
{
	return v.x + v.y;
}

#include "geometry_box.h"

/* The same shapes for all situations. */
static struct {
	const struct shape *a, *b;
	b2DistanceInput distance;
	b2ShapeCastPairInput cast;
	b2TOIInput impact;
} kept;

static void keep(const struct shape *a, const struct shape *b)
{
	if (kept.a == a && kept.b == b)
		return;
	kept.a = a;
	kept.b = b;
	kept.distance = (b2DistanceInput){.proxyA = a->proxy, .proxyB = b->proxy, .useRadii = true};
	kept.cast = (b2ShapeCastPairInput){.proxyA = a->proxy, .proxyB = b->proxy, .maxFraction = 1};
	kept.impact = (b2TOIInput){.proxyA = a->proxy, .proxyB = b->proxy, .maxFraction = 1};
}

static b2DistanceOutput measure(const struct shape *a, const struct shape *b, const struct prepared *s, b2SimplexCache *cache)
{
	keep(a, b);
	kept.distance.transform = b2InvMulTransforms(s->a, s->b);
	return b2ShapeDistance(&kept.distance, cache, NULL, 0);
}

static bool is_polygon(const struct shape *shape)
{
	return shape->type == OUTLINE_BOX || shape->type == OUTLINE_HULL;
}

static bool collide(
	const struct shape *a, const struct shape *b, b2Transform b_in_a, struct kept_contact *contact, b2LocalManifold *out)
{
	(void)contact;
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

/* B moves there, so that the way is turned round. */
static struct answer cast(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	keep(a, b);
	kept.cast.transform = b2InvMulTransforms(s->a, s->b);
	kept.cast.translationB = b2InvRotateVector(s->a.q, b2Neg(s->delta));
	b2CastOutput out = b2ShapeCast(&kept.cast);
	return hit_answer(s, &out, out.iterations);
}

static struct answer impact(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	keep(a, b);
	kept.impact.sweepA = s->sweep_a;
	kept.impact.sweepB = s->sweep_b;
	b2TOIOutput out = b2TimeOfImpact(&kept.impact);
	return (struct answer){out.fraction, sum(out.point) + sum(out.normal), 0};
}

static struct answer ray(const struct shape *a, const struct prepared *s)
{
	b2RayCastInput input = {b2InvTransformPoint(s->a, s->b.p), b2InvRotateVector(s->a.q, s->delta), 1};
	b2CastOutput out = a->type == OUTLINE_BALL ? b2RayCastCircle(&a->circle, &input)
		: a->type == OUTLINE_CAPSULE           ? b2RayCastCapsule(&a->capsule, &input)
		: a->type == OUTLINE_SEGMENT           ? b2RayCastSegment(&a->segment, &input, false)
											   : b2RayCastPolygon(&a->polygon, &input);
	return hit_answer(s, &out, 0);
}

#include "geometry_run.h"

const struct library library_box2d = {"Box2D", shape, prepare, ask_all};
