/* explosion.c - see explosion.h. */
#include "core/explosion.h"
#include "base/scalar.h"
#include "core/path.h"
#include "core/query.h"

struct blast {
	struct world *world;
	const struct explosion *explosion;
	uint32_t body;
	struct frame3 frame; /* of the body */
	struct vec3 center; /* of its mass */
	struct vec3 impulse, angular;
	bool hit, hidden;
};

/* --- Occlusion ------------------------------------------------------------------------------------------------------------ */

static float hides(void *context, const struct query_hit *hit)
{
	struct blast *blast = context;
	if (blast->world->colliders.data[hit->collider].body == blast->body)
		return 1.0f;
	blast->hidden = true;
	return 0.0f;
}

/* Whether another body is between the center and the point, at `distance`. A body that touches the point does not count. */
static bool point_hidden(struct blast *blast, struct vec3 point, double distance)
{
	static const struct query_filter all = {.layers = UINT64_MAX};
	const struct vec3 center = blast->explosion->center, path = vec3_sub(point, center);
	double slop = (double)(LINEAR_SLOP * blast->world->settings.length_scale);
	const struct vec3 end = vec3_mul_add(center, 1.0 - min_d(slop / distance, 1.0), path);
	const struct vec3 delta = vec3_sub(end, center);
	const struct query_path ray = {.from = {center.x, center.y, center.z}, .translation = {delta.x, delta.y, delta.z}};
	blast->hidden = false;
	query_cast(blast->world, &ray, &all, hides, blast);
	return blast->hidden;
}

/* --- Impulses ------------------------------------------------------------------------------------------------------------- */

/* The impulse of a distance. */
static double strength_at(const struct explosion *explosion, double distance)
{
	return half_powers_times(explosion->impulse, 1.0 - distance / explosion->radius, explosion->half_powers);
}

static void impulse_add(struct blast *blast, struct vec3 point, struct vec3 impulse)
{
	blast->impulse = vec3_add(blast->impulse, impulse);
	blast->angular = vec3_add(blast->angular, vec3_cross(vec3_sub(point, blast->center), impulse));
	blast->hit = true;
}

/* Adds the impulse on a ball of radius r, at the distance D from the center, that is all within reach. Across the line of the
 * centers its parts cancel. With a the angle of a ray to that line, (-n . e) dA is d^2 dW, with the solid angle W, in 2D d da:
 *   p = integral of J(d) d^2 2 pi sin a cos a da, or of 2 J(d) d cos a da, up to sin a = q = r/D
 * The ray meets the ball at d = D (1 - q^2 s^2)^(1/2) - r c, with sin a = q s and c = (1 - s^2)^(1/2):
 *   p = 2 pi q^2 integral of J(d) d^2 c dc, or 2 q integral of J(d) d ds,  s = 2 t/(1 + t^2),  c and t from 0 to 1
 * These are smooth. Gauss and Legendre's five points. */
static void ball_blast(struct blast *blast, const struct facet *ball)
{
	static const double at[] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
	static const double weights[] = {
		0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683, 0.118463442528095};
	bool plane = blast->world->wing->dimensions == 2;
	struct vec3 point = frame3_point(&blast->frame, ball->point), away = vec3_sub(point, blast->explosion->center);
	double r = plane ? 0.5 * ball->area : sqrt(ball->area / SCALAR_PI), distance = vec3_length(away), q = r / distance,
		   sum = 0.0;
	for (int i = 0; i < 5; ++i) {
		double t = at[i], share = 1.0 / (1.0 + t * t), c = plane ? (1.0 - t * t) * share : t;
		double d = distance * sqrt(1.0 - q * q * (1.0 - c * c)) - r * c, j = weights[i] * strength_at(blast->explosion, d) * d;
		sum += plane ? 4.0 * q * j * c * share : 2.0 * SCALAR_PI * q * q * j * d * c;
	}
	impulse_add(blast, point, vec3_scale(sum / distance, away));
}

static void facet_blast(void *context, const struct facet *facet)
{
	struct blast *blast = context;
	const struct explosion *explosion = blast->explosion;
	if (facet->round) {
		ball_blast(blast, facet);
		return;
	}
	struct vec3 point = frame3_point(&blast->frame, facet->point), away = vec3_sub(point, explosion->center);
	double facing = -vec3_dot(frame3_out(&blast->frame, facet->normal), away);
	if (!(facing > 0.0))
		return;
	double distance = vec3_length(away);
	if (distance >= explosion->radius || (explosion->occluded && point_hidden(blast, point, distance)))
		return;
	double size = strength_at(explosion, distance) * facing * facet->area / (distance * distance);
	impulse_add(blast, point, vec3_scale(size, away));
}

/* More facets for near bodies: the impulse is within 1 % of the integral, also on a box from a point half its size away. Balls
 * are one facet if all of the body is within reach, and not so near that the center may be inside. Rays are few. */
static struct fineness blast_fineness(const struct blast *blast)
{
	enum { FAR_ARC = 4, EDGE_RISE = 10 };
	const struct explosion *explosion = blast->explosion;
	bool plane = blast->world->wing->dimensions == 2;
	double extent = (double)body_extent(blast->world, blast->body), most = plane ? 24.0 : 8.0;
	double distance = vec3_length(vec3_sub(blast->center, explosion->center)), gap = distance - extent;
	int edge = EDGE_RISE * extent < most * gap ? 1 + (int)(EDGE_RISE * extent / gap) : (int)most;
	if (explosion->occluded)
		return plane ? (struct fineness){6, 6} : (struct fineness){2, 2};
	if (gap > extent && distance + extent < explosion->radius)
		return (struct fineness){edge, 0};
	return (struct fineness){edge, edge > FAR_ARC ? edge : FAR_ARC};
}

static bool body_blast(struct world *world, const struct explosion *explosion, uint32_t id)
{
	struct blast blast = {.world = world, .explosion = explosion, .body = id, .frame = world->wing->body_frame(world, id)};
	blast.center = body_center(world, id);
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		if (!collider->sensor && (explosion->layers >> collider->layer & 1) != 0)
			world->wing->shape_facets(collider->shape, blast_fineness(&blast), facet_blast, &blast);
	}
	if (blast.hit)
		world->wing->body_kick(world, id, blast.impulse, blast.angular);
	return blast.hit;
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

static bool body_mark(void *context, uint32_t proxy)
{
	struct world *world = context;
	uint32_t body = proxy_body(world, proxy);
	if (world->bodies.data[body].type == BODY_DYNAMIC)
		bits_set(&world->near_bodies, body);
	return true;
}

uint32_t explosion_run(struct world *world, const struct explosion *explosion)
{
	const double center[] = {explosion->center.x, explosion->center.y, explosion->center.z};
	struct box box = {{0}, {0}};
	uint32_t hit = 0;
	assert(!world->locked);
	if (!bits_reserve(world->memory, &world->near_bodies, world->bodies.count))
		return NONE;
	for (int k = 0; k < world->wing->dimensions; ++k) {
		box.lower[k] = round_down_f(center[k] - explosion->radius);
		box.upper[k] = round_up_f(center[k] + explosion->radius);
	}
	bits_clear_all(&world->near_bodies);
	query_box(world, &box, body_mark, world);
	for (uint32_t id = bits_next(&world->near_bodies, 0); id != NONE; id = bits_next(&world->near_bodies, id + 1))
		hit += body_blast(world, explosion, id);
	return hit;
}
