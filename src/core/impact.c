/* impact.c - see impact.h. */
#include "core/impact.h"
#include "core/contact.h"
#include "core/core.h"
#include "core/event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Impulses have converged when a round changes them by less than this relative tolerance. A few percent of impacts with
 * friction take more than ROUNDS. */
#define SETTLED 1e-3
/* Cosine of the largest angle between the normals of the sweep and of the contact: 25 degrees. Beyond it the impact is left to
 * the contact of the next step. */
#define SAME_NORMAL 0.9
enum { ROUNDS = 20 };

static double dot_d(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross_d(const double a[3], const double b[3], double out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static void body_push(struct rebound *body, const double arm[3], const double axis[3], double impulse)
{
	double lever[3];
	cross_d(arm, axis, lever);
	for (int i = 0; i < 3; ++i) {
		body->v[i] += impulse * body->inv_mass * axis[i];
		body->w[i] += impulse * dot_d(body->inv_inertia[i], lever);
	}
}

/* Inverse effective mass at the arm along the axis. */
static double mobility(const struct rebound *body, const double arm[3], const double axis[3])
{
	double lever[3], turned[3];
	cross_d(arm, axis, lever);
	for (int i = 0; i < 3; ++i)
		turned[i] = dot_d(body->inv_inertia[i], lever);
	return body->inv_mass + dot_d(lever, turned);
}

static void velocity_at(const struct rebound *body, const struct impact_point *point, double v[3])
{
	double turn[3];
	cross_d(body->w, point->arm, turn);
	for (int i = 0; i < 3; ++i)
		v[i] = body->v[i] + turn[i] - point->other[i];
}

/* Brings the normal velocity to `speed` by a push, never a pull. Returns the change of the impulse. */
static double normal_solve(struct rebound *body, struct impact_point *point, double speed)
{
	double v[3];
	velocity_at(body, point, v);
	double push = max_d(0.0, point->push + (speed - dot_d(body->normal, v)) / mobility(body, point->arm, body->normal));
	double change = push - point->push;
	body_push(body, point->arm, body->normal, change);
	point->push = push;
	return abs_d(change);
}

static double friction_solve(struct rebound *body, struct impact_point *point)
{
	double slip[3], impulse[3], change[3];
	velocity_at(body, point, slip);
	double speed = dot_d(body->normal, slip), friction = (double)body->material.friction;
	for (int i = 0; i < 3; ++i)
		slip[i] -= speed * body->normal[i];
	double fast = sqrt(dot_d(slip, slip));
	if (!(fast > 0.0) || !(friction > 0.0))
		return 0.0;
	for (int i = 0; i < 3; ++i)
		slip[i] /= fast;
	double stop = fast / mobility(body, point->arm, slip), most = friction * point->push;
	for (int i = 0; i < 3; ++i)
		impulse[i] = point->friction[i] - stop * slip[i];
	double length = sqrt(dot_d(impulse, impulse)), share = length > most ? most / length : 1.0;
	for (int i = 0; i < 3; ++i) {
		change[i] = share * impulse[i] - point->friction[i];
		point->friction[i] = share * impulse[i];
	}
	body_push(body, point->arm, change, 1.0);
	return sqrt(dot_d(change, change));
}

/* One round over all points. False: the impulses have converged. */
static bool stop_round(struct rebound *body)
{
	double change = 0.0, whole = 0.0;
	for (struct impact_point *point = body->points; point < body->points + body->count; ++point) {
		change = max_d(change, friction_solve(body, point));
		change = max_d(change, normal_solve(body, point, 0.0));
		whole = max_d(whole, point->push);
	}
	return change > SETTLED * whole;
}

static bool restitution_round(struct rebound *body, double threshold)
{
	double change = 0.0, whole = 0.0;
	for (struct impact_point *point = body->points; point < body->points + body->count; ++point) {
		if (point->push > 0.0 && point->speed < -threshold)
			change = max_d(change, normal_solve(body, point, -(double)body->material.restitution * point->speed));
		whole = max_d(whole, point->push);
	}
	return change > SETTLED * whole;
}

static void limit(double v[3], double most)
{
	double share = min_d(1.0, most / sqrt(dot_d(v, v)));
	for (int i = 0; i < 3; ++i)
		v[i] *= share;
}

void rebound_solve(const struct world *world, struct rebound *rebound, double delta[3], double turn[3])
{
	double time = rebound->left + rebound->early;
	int rounds = 0;
	for (int i = 0; i < 3; ++i) {
		delta[i] = -rebound->early * rebound->v[i];
		turn[i] = -rebound->early * rebound->w[i];
	}
	while (stop_round(rebound) && ++rounds < ROUNDS)
		;
	rounds = 0;
	while (restitution_round(rebound, (double)world->settings.restitution_threshold) && ++rounds < ROUNDS)
		;
	limit(rebound->v, (double)world->settings.maximum_speed);
	limit(rebound->w, (double)world->step.turn_rate);
	for (int i = 0; i < 3; ++i) {
		delta[i] += time * (rebound->v[i] + 0.5 * time * rebound->gravity[i]);
		turn[i] += time * rebound->w[i];
		rebound->v[i] += rebound->left * rebound->gravity[i];
	}
}

/* Mixed material of both colliders. */
static struct contact_material impact_material(const struct world *world, const uint32_t proxies[2])
{
	struct material materials[2];
	for (int i = 0; i < 2; ++i)
		materials[i] = world->colliders.data[world->proxies.data[proxies[i]].collider].material;
	return materials_mix(world, &materials[0], &materials[1]);
}

bool rebound_make(const struct world *world, const uint32_t proxies[2], float time, struct rebound *out)
{
	uint32_t body = world->colliders.data[world->proxies.data[proxies[0]].collider].body;
	*out = (struct rebound){.body = body,
		.proxies = {proxies[0], proxies[1]},
		.material = impact_material(world, proxies),
		.left = (1.0 - (double)time) * (double)world->step.dt};
	return out->material.restitution > 0.0f && out->material.tangent_speed == 0.0f;
}

void rebound_point_add(struct rebound *rebound, const double arm[3], const double other[3])
{
	struct impact_point *point = &rebound->points[rebound->count++];
	*point = (struct impact_point){.arm = {arm[0], arm[1], arm[2]}, .other = {other[0], other[1], other[2]}};
	double v[3];
	velocity_at(rebound, point, v);
	point->speed = dot_d(rebound->normal, v);
	if (-point->speed > rebound->approach) {
		rebound->approach = -point->speed;
		memcpy(rebound->place, arm, sizeof rebound->place);
	}
}

bool rebound_ready(const struct world *world, struct rebound *rebound, double separation, const double met[3])
{
	rebound->early = -separation / rebound->approach;
	return rebound->approach > (double)world->settings.restitution_threshold && rebound->early > -rebound->left &&
		dot_d(rebound->normal, met) >= SAME_NORMAL;
}

bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover,
	const float normal[3], float extent)
{
	uint32_t body = contact->link.bodies[mover], other = contact->link.bodies[!mover];
	if (!world->settings.continuous || !(material->restitution > 0.0f) || material->tangent_speed != 0.0f ||
		world->bodies.data[other].type == BODY_DYNAMIC || world->bodies.data[body].links[LINK_JOINT] != NONE)
		return false;
	float v[3], u[3], towards = mover == 1 ? -1.0f : 1.0f;
	world->wing->body_velocity(world, body, v);
	world->wing->body_velocity(world, other, u);
	float speed = towards * dot(normal, v);
	return speed * world->step.dt > extent && speed - towards * dot(normal, u) > world->settings.restitution_threshold;
}

bool impacts_keep(struct world *world, const struct impact *impacts, int count)
{
	uint32_t taken = atomic_load_explicit(&world->impact_count, memory_order_relaxed);
	if (world->alone && !array_reserve(world->memory, &world->impacts, taken + (uint32_t)count)) {
		world->untold = true;
		return true;
	}
	do
		if (taken + (uint32_t)count > world->impacts.capacity)
			return false;
	while (!atomic_compare_exchange_weak_explicit(
		&world->impact_count, &taken, taken + (uint32_t)count, memory_order_relaxed, memory_order_relaxed));
	memcpy(world->impacts.data + taken, impacts, (size_t)count * sizeof *impacts);
	return true;
}

/* Whether another impact of the body on the same collider was faster, or as fast and earlier. */
static bool repeats(const struct world *world, const struct impact *impacts, uint32_t count, uint32_t which)
{
	const struct proxy *proxies = world->proxies.data;
	const struct impact *one = &impacts[which];
	for (uint32_t i = 0; i < count; ++i) {
		bool same = proxies[impacts[i].proxies[0]].collider == proxies[one->proxies[0]].collider &&
			proxies[impacts[i].proxies[1]].collider == proxies[one->proxies[1]].collider;
		if (same && (impacts[i].speed > one->speed || (impacts[i].speed == one->speed && i < which)))
			return true;
	}
	return false;
}

static bool colliders_touch(const struct world *world, uint32_t body, const uint32_t colliders[2])
{
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		const struct contact *contact = &world->contacts.data[key / 2];
		if ((contact->link.flags & CONTACT_TOUCHING) &&
			((contact->colliders[0] == colliders[0] && contact->colliders[1] == colliders[1]) ||
				(contact->colliders[0] == colliders[1] && contact->colliders[1] == colliders[0])))
			return true;
	}
	return false;
}

/* Events name the collider of the lower proxy first, like contacts. */
static void impact_tell(struct world *world, const struct impact *impact)
{
	struct memory *memory = world->memory;
	struct events *events = &world->events;
	int first = impact->proxies[1] < impact->proxies[0];
	uint32_t colliders[2] = {
		world->proxies.data[impact->proxies[first]].collider, world->proxies.data[impact->proxies[!first]].collider};
	struct contact_event event = {
		collider_handle(world, colliders[0]), collider_handle(world, colliders[1]), {0.0}, impact->speed};
	for (int i = 0; i < PLACE_NUMBERS; ++i)
		event.place[i] = i >= world->wing->dimensions && first == 0 ? -impact->place[i] : impact->place[i];
	/* Each touching contact keeps its room for an end event. */
	uint32_t ends = events->ends.all.count + world->touching_count - world->overlap_count + 1;
	if (!array_reserve(memory, &events->hits, events->hits.count + 1) ||
		!array_reserve(memory, &events->begins, events->begins.count + 1) || !array_reserve(memory, &events->ends.all, ends)) {
		world->untold = true;
		return;
	}
	if (impact->speed > world->settings.hit_speed)
		array_push(&events->hits, event);
	if (!impact->apart || colliders_touch(world, world->colliders.data[colliders[first]].body, colliders))
		return;
	event.speed = 0.0f;
	array_push(&events->begins, event);
	array_push(&events->ends.all, (struct end_event){event.a, event.b});
	events->ends.delivered = events->ends.all.count;
}

static int bodies_compare(const void *a, const void *b)
{
	const struct impact *x = a, *y = b;
	if (x->body != y->body)
		return x->body < y->body ? -1 : 1;
	return x->order - y->order;
}

void impacts_tell(struct world *world)
{
	struct impact *impacts = world->impacts.data;
	uint32_t count = atomic_load_explicit(&world->impact_count, memory_order_relaxed), end;
	if (count > 1)
		qsort(impacts, count, sizeof *impacts, bodies_compare);
	for (uint32_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count && impacts[end].body == impacts[begin].body;)
			++end;
		for (uint32_t i = begin; i < end; ++i)
			if (!repeats(world, impacts + begin, end - begin, i - begin))
				impact_tell(world, &impacts[i]);
	}
	atomic_store_explicit(&world->impact_count, 0, memory_order_relaxed);
}
