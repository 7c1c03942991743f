/* geometry_box3d.c - Box3D's functions, for bench-geometry. They work in the frame of A: what is given and wanted in the world
 * is carried there and back, as its user would. Shapes and proxies are made beforehand. */
#include "geometry.h"

#include <box3d/box3d.h>
#include <box3d/collision.h>

#include <stdlib.h>

struct kept_contact {
	b3SimplexCache simplex;
	b3SATCache axis;
};

#define BOX(name) b3##name
#define VEC b3Vec3

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
	out->axis[0] = (b3Vec3){-outline->half[0], 0, 0};
	out->axis[1] = (b3Vec3){outline->half[0], 0, 0};
	switch (outline->type) {
	case OUTLINE_BALL:
		out->sphere = (b3Sphere){{0, 0, 0}, outline->radius};
		out->proxy = (b3ShapeProxy){&out->sphere.center, 1, outline->radius};
		break;
	case OUTLINE_CAPSULE:
	case OUTLINE_SEGMENT:
		out->capsule = (b3Capsule){out->axis[0], out->axis[1], outline->radius};
		out->proxy = (b3ShapeProxy){out->axis, 2, outline->radius};
		break;
	case OUTLINE_BOX:
		box = malloc(sizeof *box);
		*box = b3MakeBoxHull(outline->half[0], outline->half[1], outline->half[2]);
		out->hull = &box->base;
		out->proxy = (b3ShapeProxy){b3GetHullPoints(out->hull), 8, 0};
		break;
	case OUTLINE_HULL:
		for (int i = 0; i < outline->count; ++i)
			points[i] = (b3Vec3){outline->points[i][0], outline->points[i][1], outline->points[i][2]};
		out->hull = b3CreateHull(points, outline->count, outline->count);
		out->proxy = (b3ShapeProxy){b3GetHullPoints(out->hull), out->hull->vertexCount, 0};
		break;
	}
	return out;
}

static b3Quat rotation(const struct place *place)
{
	return (b3Quat){{place->q[0], place->q[1], place->q[2]}, place->q[3]};
}

static b3Vec3 vector(const double v[3])
{
	return (b3Vec3){(float)v[0], (float)v[1], (float)v[2]};
}

static b3Transform transform(const struct place *place)
{
	return (b3Transform){vector(place->p), rotation(place)};
}

static b3Sweep sweep(const struct place *from, const struct place *to)
{
	return (b3Sweep){.c1 = vector(from->p), .c2 = vector(to->p), .q1 = rotation(from), .q2 = rotation(to)};
}

static double sum(b3Vec3 v)
{
	return v.x + v.y + v.z;
}

#include "geometry_box.h"

static b3DistanceOutput measure(const struct shape *a, const struct shape *b, const struct prepared *s, b3SimplexCache *cache)
{
	b3DistanceInput input = {a->proxy, b->proxy, b3InvMulTransforms(s->a, s->b), true};
	return b3ShapeDistance(&input, cache, NULL, 0);
}

enum { MANIFOLD_POINTS = 32 };

static bool collide(
	const struct shape *a, const struct shape *b, b3Transform b_in_a, struct kept_contact *contact, b3LocalManifold *out)
{
	static b3LocalManifoldPoint points[MANIFOLD_POINTS];
	out->points = points;
	out->pointCount = 0;
	if (a->type == OUTLINE_BALL && b->type == OUTLINE_BALL)
		b3CollideSpheres(out, MANIFOLD_POINTS, &a->sphere, &b->sphere, b_in_a);
	else if (a->type == OUTLINE_CAPSULE && b->type == OUTLINE_BALL)
		b3CollideCapsuleAndSphere(out, MANIFOLD_POINTS, &a->capsule, &b->sphere, b_in_a);
	else if (a->type == OUTLINE_CAPSULE && b->type == OUTLINE_CAPSULE)
		b3CollideCapsules(out, MANIFOLD_POINTS, &a->capsule, &b->capsule, b_in_a);
	else if (a->hull && b->type == OUTLINE_BALL)
		b3CollideHullAndSphere(out, MANIFOLD_POINTS, a->hull, &b->sphere, b_in_a, &contact->simplex);
	else if (a->hull && b->type == OUTLINE_CAPSULE)
		b3CollideHullAndCapsule(out, MANIFOLD_POINTS, a->hull, &b->capsule, b_in_a, &contact->simplex);
	else if (a->hull && b->hull)
		b3CollideHulls(out, MANIFOLD_POINTS, a->hull, b->hull, b_in_a, &contact->axis);
	else
		return false;
	return true;
}

/* B moves there, so that the way is turned round. */
static struct answer cast(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	b3ShapeCastPairInput input = {
		a->proxy, b->proxy, b3InvMulTransforms(s->a, s->b), b3InvRotateVector(s->a.q, b3Neg(s->delta)), 1, false};
	b3CastOutput out = b3ShapeCast(&input);
	return hit_answer(s, &out, out.iterations);
}

static struct answer impact(const struct shape *a, const struct shape *b, const struct prepared *s)
{
	b3TOIInput input = {a->proxy, b->proxy, s->sweep_a, s->sweep_b, 1};
	b3TOIOutput out = b3TimeOfImpact(&input);
	return (struct answer){out.fraction, sum(out.point) + sum(out.normal), out.distanceIterations};
}

static struct answer ray(const struct shape *a, const struct prepared *s)
{
	b3RayCastInput input = {b3InvTransformPoint(s->a, s->b.p), b3InvRotateVector(s->a.q, s->delta), 1};
	b3CastOutput out = a->type == OUTLINE_BALL ? b3RayCastSphere(&a->sphere, &input)
		: a->hull                              ? b3RayCastHull(a->hull, &input)
											   : b3RayCastCapsule(&a->capsule, &input);
	return hit_answer(s, &out, 0);
}

#include "geometry_run.h"

const struct library library_box3d = {"Box3D", shape, prepare, ask_all};
