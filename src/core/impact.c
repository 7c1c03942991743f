/* impact.c - see impact.h. */
#include "core/impact.h"
#include "core/contact.h"
#include "core/event.h"
#include "core/path.h"
#include "core/pre_solve.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Impulses have converged when a round changes them by no more than this fraction of the greatest normal impulse. A few percent
 * of the impacts with friction have not converged after ROUNDS. */
#define SETTLED 1e-3
/* Cosine of the largest angle between the normals of the sweep and of the contact: 26 degrees. Beyond it the impact is left to
 * the contact of the next step. */
#define SAME_NORMAL 0.9
enum { ROUNDS = 20 };

static void body_push(struct rebound *body, struct vec3 arm, struct vec3 axis, double impulse)
{
	body->v = vec3_mul_add(body->v, impulse * body->inv_mass, axis);
	body->w = vec3_mul_add(body->w, impulse, mat3_mul(&body->inv_inertia, vec3_cross(arm, axis)));
}

/* Inverse effective mass at the arm along the axis. */
static double mobility(const struct rebound *body, struct vec3 arm, struct vec3 axis)
{
	return body->inv_mass + turn_mobility(&body->inv_inertia, arm, axis);
}

static struct vec3 velocity_at(const struct rebound *body, const struct impact_point *point)
{
	return vec3_sub(vec3_add(body->v, vec3_cross(body->w, point->arm)), point->other);
}

/* Brings the point's normal velocity to `speed`, as far as its accumulated impulse stays >= 0. Returns the magnitude of the
 * impulse's change. */
static double normal_solve(struct rebound *body, struct impact_point *point, double speed)
{
	double missing = speed - vec3_dot(body->normal, velocity_at(body, point));
	double push = max_d(0.0, point->push + missing / mobility(body, point->arm, body->normal));
	double change = push - point->push;
	body_push(body, point->arm, body->normal, change);
	point->push = push;
	return abs_d(change);
}

static double friction_solve(struct rebound *body, struct impact_point *point)
{
	struct vec3 slip = velocity_at(body, point);
	slip = vec3_mul_add(slip, -vec3_dot(body->normal, slip), body->normal);
	double fast = vec3_length(slip), friction = (double)body->material.friction;
	if (!(fast > 0.0) || !(friction > 0.0))
		return 0.0;
	slip = (struct vec3){slip.x / fast, slip.y / fast, slip.z / fast};
	double stop = fast / mobility(body, point->arm, slip), most = friction * point->push;
	struct vec3 impulse = vec3_mul_add(point->friction, -stop, slip);
	double length = vec3_length(impulse);
	impulse = vec3_scale(length > most ? most / length : 1.0, impulse);
	struct vec3 change = vec3_sub(impulse, point->friction);
	point->friction = impulse;
	body_push(body, point->arm, change, 1.0);
	return vec3_length(change);
}

/* One round that stops the body at all points, with friction. False: the impulses have converged. */
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

static struct vec3 limited(struct vec3 v, double most)
{
	return vec3_scale(min_d(1.0, most / vec3_length(v)), v);
}

struct vec3 rebound_solve(struct world *world, struct rebound *rebound, float turn[3])
{
	double time = rebound->left + rebound->early;
	int rounds = 0;
	struct vec3 delta = vec3_scale(-rebound->early, rebound->v), turned = vec3_scale(-rebound->early, rebound->w);
	while (stop_round(rebound) && ++rounds < ROUNDS)
		;
	rounds = 0;
	while (restitution_round(rebound, (double)world->settings.restitution_threshold) && ++rounds < ROUNDS)
		;
	struct vec3 v = limited(rebound->v, (double)world->settings.maximum_speed);
	struct vec3 w = limited(rebound->w, (double)world->step.turn_rate);
	struct body_motion motion;
	world->wing->sweep->motion(world, rebound->body, &motion);
	vec3_narrow(vec3_mul_add(v, rebound->left, rebound->gravity), motion.v);
	vec3_narrow(w, motion.w);
	world->wing->sweep->motion_set(world, rebound->body, &motion);
	vec3_narrow(vec3_mul_add(turned, time, w), turn);
	return vec3_mul_add(delta, time, vec3_mul_add(v, 0.5 * time, rebound->gravity));
}

/* Mixed material of both colliders, or the one that the user has given to the pair. */
static struct contact_material impact_material(const struct world *world, const uint32_t proxies[2])
{
	struct material materials[2];
	const struct contact_material *given = pre_solve_asks(world) ? pre_solve_material(world, proxies) : NULL;
	if (given != NULL)
		return *given;
	for (int i = 0; i < 2; ++i)
		materials[i] = proxy_material(world, proxies[i], NONE);
	return materials_mix(world, &materials[0], &materials[1]);
}

struct vec3 obstacle_velocity(const struct world *world, uint32_t obstacle, float time, struct vec3 point)
{
	struct body_motion motion;
	if (world->bodies.data[obstacle].set != SET_AWAKE)
		return (struct vec3){0.0, 0.0, 0.0};
	struct sweep path = world->wing->sweep->path(world, obstacle);
	struct vec3 arm = vec3_sub(point, sweep_center(&path, time));
	world->wing->sweep->motion(world, obstacle, &motion);
	return vec3_add(vec3_widen(motion.v), vec3_cross(vec3_widen(motion.w), arm));
}

bool body_held(const struct world *world, uint32_t body)
{
	float inv_mass[3];
	body_inverse_mass(world, body, inv_mass);
	return inv_mass[0] == 0.0f || inv_mass[1] == 0.0f || (world->wing->dimensions == 3 && inv_mass[2] == 0.0f);
}

/* v_g' = sqrt(v_g^2 - 2 g d): g is the acceleration by gravity and forces, v_g the velocity along it, d the drop along it to
 * `end` */
void body_fell(struct world *world, uint32_t id, struct vec3 end)
{
	struct body_motion motion;
	float gravity[3];
	world->wing->sweep->motion(world, id, &motion);
	for (int i = 0; i < 3; ++i)
		gravity[i] = world->step.inv_h * motion.gain[i];
	struct vec3 g = vec3_widen(gravity);
	double work = vec3_dot(g, vec3_sub(end, body_center(world, id)));
	double square = vec3_dot(g, g), along = vec3_dot(g, vec3_widen(motion.v));
	if (!(work > 0.0) || !(along > 0.0))
		return;
	double left = sqrt(max_d(0.0, along * along - 2.0 * work * square));
	for (int i = 0; i < 3; ++i)
		motion.v[i] += (float)((left - along) / square) * gravity[i];
	world->wing->sweep->motion_set(world, id, &motion);
}

/* Sets the body's inverse mass and inertia, its acceleration, and its velocities at the impact. */
static void rebound_begin(const struct world *world, struct rebound *rebound)
{
	struct body_motion motion;
	float inv_mass[3];
	world->wing->sweep->motion(world, rebound->body, &motion);
	body_inverse_mass(world, rebound->body, inv_mass);
	rebound->gravity = vec3_scale((double)world->step.inv_h, vec3_widen(motion.gain));
	rebound->v = vec3_mul_add(vec3_widen(motion.v), -rebound->left, rebound->gravity);
	rebound->w = vec3_widen(motion.w);
	rebound->inv_mass = (double)inv_mass[0];
	rebound->inv_inertia = world->wing->sweep->inverse_inertia(world, rebound->body);
}

static void rebound_point_add(struct rebound *rebound, struct vec3 arm, struct vec3 other)
{
	struct impact_point *point = &rebound->points[rebound->count++];
	*point = (struct impact_point){.arm = arm, .other = other};
	point->speed = vec3_dot(rebound->normal, velocity_at(rebound, point));
	if (-point->speed > rebound->approach) {
		rebound->approach = -point->speed;
		rebound->fastest = arm;
	}
}

/* Adds the manifold's deepest point, and those at most a slop less deep. Returns the separation of the deepest one. */
static float rebound_points_add(
	const struct world *world, const struct impact_manifold *manifold, uint32_t obstacle, float time, struct rebound *rebound)
{
	struct vec3 own = body_center(world, rebound->body);
	float deepest = INFINITY, slop = LINEAR_SLOP * world->settings.length_scale;
	rebound->normal = manifold->normal;
	for (int i = 0; i < manifold->count; ++i)
		deepest = min_f(deepest, manifold->separations[i]);
	for (int i = 0; i < manifold->count; ++i) {
		if (manifold->separations[i] > deepest + slop)
			continue;
		struct vec3 on_body = vec3_mul_add(manifold->points[i], 0.5 * (double)manifold->separations[i], manifold->normal);
		rebound_point_add(rebound, vec3_sub(on_body, own), obstacle_velocity(world, obstacle, time, on_body));
	}
	return deepest;
}

/* The obstacle does not move. */
static double rebound_energy(const struct rebound *rebound)
{
	struct vec3 arms = {0.0, 0.0, 0.0};
	for (const struct impact_point *point = rebound->points; point < rebound->points + rebound->count; ++point)
		arms = vec3_add(arms, point->arm);
	struct vec3 arm = vec3_scale(1.0 / (double)rebound->count, arms);
	return (double)hit_energy(mobility(rebound, arm, rebound->normal), rebound->approach);
}

bool rebound_find(const struct world *world, const uint32_t proxies[2], float time, struct vec3 normal, struct rebound *rebound)
{
	*rebound = (struct rebound){.body = proxy_body(world, proxies[0]),
		.proxies = {proxies[0], proxies[1]},
		.material = impact_material(world, proxies),
		.left = (1.0 - (double)time) * (double)world->step.dt};
	if (!(rebound->material.restitution > 0.0f) || rebound->material.tangent_speed != 0.0f || body_held(world, rebound->body))
		return false;
	struct impact_manifold manifold;
	world->wing->sweep->touch(world, proxies, time, speculative_margin(world), normal, &manifold);
	if (manifold.count == 0)
		return false;
	rebound_begin(world, rebound);
	float deepest = rebound_points_add(world, &manifold, proxy_body(world, proxies[1]), time, rebound);
	rebound->early = -(double)deepest / rebound->approach;
	rebound->energy = rebound_energy(rebound);
	return rebound->approach > (double)world->settings.restitution_threshold && rebound->early > -rebound->left &&
		vec3_dot(rebound->normal, normal) >= SAME_NORMAL;
}

bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover,
	const float normal[3], float extent)
{
	uint32_t body = contact->link.bodies[mover], other = contact->link.bodies[!mover];
	if (!world->settings.continuous || !(material->restitution > 0.0f) || material->tangent_speed != 0.0f ||
		world->bodies.data[other].type == BODY_DYNAMIC || body_jointed(world, body))
		return false;
	float v[3], u[3], towards = mover == 1 ? -1.0f : 1.0f;
	body_linear_velocity(world, body, v);
	body_linear_velocity(world, other, u);
	float speed = towards * dot(normal, v);
	return speed * world->step.dt > extent && speed - towards * dot(normal, u) > world->settings.restitution_threshold;
}

bool impacts_keep(struct world *world, const struct impact *impacts, int count)
{
	uint32_t taken = atomic_load_explicit(&world->impact_count, memory_order_relaxed);
	if (world->alone && !array_reserve(world->memory, &world->impacts, taken + (uint32_t)count)) {
		world->events_lost = true;
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

/* Whether another of a body's impacts, with the same two colliders, was faster, or as fast and earlier. */
static bool repeats(const struct world *world, const struct impact *impacts, uint32_t count, uint32_t which)
{
	const struct proxy *proxies = world->proxies.data;
	const struct impact *one = &impacts[which];
	for (uint32_t i = 0; i < count; ++i) {
		bool same = proxies[impacts[i].proxies[0]].collider == proxies[one->proxies[0]].collider &&
			proxies[impacts[i].proxies[1]].collider == proxies[one->proxies[1]].collider;
		if (same && (impacts[i].speed > one->speed || (i < which && impacts[i].speed == one->speed)))
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

/* Reports a hit if the impact was faster than hit_speed, and a begin and an end if the bodies are apart again. These events
 * name first the collider whose proxy has the smaller id. */
static void impact_report(struct world *world, const struct impact *impact)
{
	struct memory *memory = world->memory;
	struct events *events = &world->events;
	int first = impact->proxies[1] < impact->proxies[0];
	uint32_t colliders[2] = {
		world->proxies.data[impact->proxies[first]].collider, world->proxies.data[impact->proxies[!first]].collider};
	struct contact_event event = {collider_handle(world, colliders[0]), collider_handle(world, colliders[1]), {0.0},
		impact->speed, impact->energy,
		{proxy_material(world, impact->proxies[first], NONE).name, proxy_material(world, impact->proxies[!first], NONE).name}};
	int dimensions = world->wing->dimensions;
	const double point[3] = {impact->point.x, impact->point.y, impact->point.z};
	const double normal[3] = {impact->normal.x, impact->normal.y, impact->normal.z};
	assert(dimensions == 2 || dimensions == 3);
	for (int i = 0; i < dimensions; ++i) {
		event.point_normal[i] = point[i];
		event.point_normal[dimensions + i] = first == 0 ? -normal[i] : normal[i];
	}
	/* capacity for the end event of each touching contact stays reserved */
	uint32_t ends = events->ends.all.count + world->touching_count - world->overlap_count + 1;
	if (!array_reserve(memory, &events->hits, events->hits.count + 1) ||
		!array_reserve(memory, &events->begins, events->begins.count + 1) || !array_reserve(memory, &events->ends.all, ends)) {
		world->events_lost = true;
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

void impacts_report(struct world *world)
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
				impact_report(world, &impacts[i]);
	}
	atomic_store_explicit(&world->impact_count, 0, memory_order_relaxed);
}
