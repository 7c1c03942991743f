/* joint.c - see joint.h. */
#include "core/joint.h"
#include "core/contact.h"
#include "core/filter.h"
#include "core/gear.h"
#include "core/kept.h"
#include "core/link.h"
#include "core/graph.h"
#include "core/island.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/touched.h"

#include <math.h>
#include <string.h>

bool joints_reserve(struct world *world, uint32_t more)
{
	struct memory *memory = world->memory;
	uint32_t end = world->joint_ids.end + more;
	return kept_room(world, more) && ids_reserve(memory, &world->joint_ids, end) &&
		array_reserve(memory, &world->joints, end) &&
		array_grow(memory, (void **)&world->joint_rows, &world->joint_row_capacity, world->wing->joint_size, end) &&
		array_reserve(memory, &world->linkage_members, 2 * (end + 1)) && bits_reserve(memory, &world->ended_joints, end) &&
		bits_reserve(memory, &world->watched_joints, end) && bits_reserve(memory, &world->touched[TOUCHED_JOINTS], end);
}

/* Whether the proxy's fat AABB may overlap one of the body's: true if the body has too many to compare. */
static bool proxy_nears(const struct world *world, const struct proxy *proxy, uint32_t body)
{
	uint32_t left = 16;
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			const struct proxy *other = &world->proxies.data[p];
			if (left-- == 0 || proxy_unbounded(proxy) || proxy_unbounded(other) || box_overlaps(&proxy->box, &other->box))
				return true;
		}
	return false;
}

/* Applies a change of whether a joint lets two bodies collide: destroys their contacts, or has the next pair search test those
 * of the first body's proxies that are near the second body. */
static void refilter(struct world *world, uint32_t body_a, uint32_t body_b)
{
	if (filter_joint(world, body_a, body_b) != NONE) {
		contacts_destroy_between(world, body_a, body_b);
		return;
	}
	for (uint32_t c = world->bodies.data[body_a].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next)
			if (proxy_nears(world, &world->proxies.data[p], body_b))
				proxy_moved(world, p);
}

void joints_release(struct world *world)
{
	const struct bits *ended = &world->ended_joints;
	for (uint32_t id = bits_next(ended, 0); id != NONE; id = bits_next(ended, id + 1))
		refilter(world, world->joints.data[id].link.bodies[0], world->joints.data[id].link.bodies[1]);
	bits_clear_all(&world->ended_joints);
}

/* Adds the joint, if it is active, to its bodies' island and the graph. Only islands that are both awake can be merged, so all
 * bodies of the joint that can be awake must be awake already. */
static void joint_tie(struct world *world, uint32_t id)
{
	if (!joint_active(world, id))
		return;
	island_link(world, LINK_JOINT, id);
	joint_refresh(world, id);
}

uint32_t joint_create(struct world *world, uint8_t type, uint32_t body_a, uint32_t body_b, bool collides)
{
	assert(!world->locked && body_a != body_b && type > 0 && type < SOLVERS);
	if (!joints_reserve(world, 1) ||
		!array_reserve(world->memory, &world->colours[OVERFLOW].links[type], world->joint_ids.end + 1))
		return NONE;
	uint32_t id = ids_take(&world->joint_ids);
	world->joints.count = world->joint_ids.end;
	bool ended = bits_has(&world->ended_joints, id);
	const uint32_t before[2] = {world->joints.data[id].link.bodies[0], world->joints.data[id].link.bodies[1]};
	bits_clear(&world->ended_joints, id);
	world->joints.data[id] = (struct joint){
		.link = link_make(body_a, body_b, type),
		.generation = ++world->serial,
		.collides = collides,
		.enabled = true,
		.hertz = NAN,
		.damping_ratio = NAN,
		.thresholds = {INFINITY, INFINITY},
	};
	record_touch(world, TOUCHED_JOINTS, id);
	world->idle_joints += !joint_active(world, id);
	memset(joint_row(world, id), 0, world->wing->joint_size);
	joint_wake(world, id);
	link_attach(world, LINK_JOINT, id);
	joint_tie(world, id);
	if (!collides)
		refilter(world, body_a, body_b);
	if (ended && (collides || before[0] != body_a || before[1] != body_b))
		refilter(world, before[0], before[1]);
	return id;
}

void mount_make(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	assert(body->type == BODY_STATIC && body->colliders == NONE && body->mover == 0);
	body->valid = false;
	body->mount = true;
	++world->mount_count;
}

void mount_destroy(struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	assert(body->mount && body->links[LINK_JOINT] == NONE);
	body->mount = false;
	--world->mount_count;
	ids_give(&world->body_ids, id);
}

static bool has_softness(const struct joint *joint)
{
	return !isnan(joint->hertz) || !isnan(joint->damping_ratio);
}

static void gears_break(struct world *world, uint32_t id);

/* Destroys the curve of a path joint. */
static void curve_release(struct world *world, uint32_t id)
{
	const struct path_settings *path = joint_path(joint_model(world, id), joint_row(world, id));
	if (path != NULL)
		curve_let_go(world, path->curve);
}

static void joint_remove(struct world *world, uint32_t id)
{
	struct joint *joint = &world->joints.data[id];
	world->soft_joints -= has_softness(joint);
	uint32_t body_a = joint->link.bodies[0];
	gears_break(world, id);
	gear_count(world, id, -1);
	joint_wake(world, id);
	world->idle_joints -= !joint_active(world, id);
	link_untie(world, LINK_JOINT, id);
	link_detach(world, LINK_JOINT, id);
	world->wing->joint_levers(world, id);
	curve_release(world, id);
	record_touch(world, TOUCHED_JOINTS, id);
	joint->link.valid = false;
	++world->ended;
	if (world->bodies.data[body_a].mount && joint->link.solver != JOINT_GEAR)
		mount_destroy(world, body_a);
	else if (!joint->collides)
		bits_set(&world->ended_joints, id);
	bits_clear(&world->watched_joints, id);
	if (!joint->named)
		ids_give(&world->joint_ids, id);
}

void joints_release_curves(struct world *world)
{
	for (uint32_t id = 0; id < world->joints.count; ++id)
		if (world->joints.data[id].link.valid)
			curve_release(world, id);
}

void joint_destroy(struct world *world, uint32_t id)
{
	assert(!world->locked);
	joint_remove(world, id);
}

/* A gear is destroyed with its joint on the body, which reports it. */
void joints_destroy_of_body(struct world *world, uint32_t body)
{
	while (world->bodies.data[body].links[LINK_JOINT] != NONE) {
		uint32_t id = world->bodies.data[body].links[LINK_JOINT] / 2;
		if (world->joints.data[id].link.solver == JOINT_GEAR) {
			const uint32_t *joints = joint_gear(world, id)->settings.joints, *ends = joint_bodies(world, joints[0]);
			id = joints[ends[0] != body && ends[1] != body];
		}
		joint_destroy(world, id);
	}
}

void joint_set_collides(struct world *world, uint32_t id, bool collides)
{
	struct joint *joint = &world->joints.data[id];
	if (joint->collides == collides)
		return;
	joint->collides = collides;
	refilter(world, joint->link.bodies[0], joint->link.bodies[1]);
	joint_wake(world, id);
}

/* Has a ratchet hold at the last tooth that its angle has reached. */
static void ratchet_engage(struct world *world, uint32_t id)
{
	const struct joint_model *model = joint_model(world, id);
	unsigned char *row = joint_row(world, id);
	if (model->ratchet != 0)
		ratchet_start(&joint_coordinate(model, row, 0)->settings, (const struct ratchet_settings *)(row + model->ratchet),
			joint_value(world, id, 0));
}

/* Both bodies are awake when the joint is tied or untied, so that all joints of their islands are in the graph. */
void joint_set_enabled(struct world *world, uint32_t id, bool enabled)
{
	struct joint *joint = &world->joints.data[id];
	assert(!world->locked);
	if (joint->enabled == enabled)
		return;
	joint_wake(world, id);
	world->idle_joints -= !joint_active(world, id);
	joint->enabled = enabled;
	world->wing->joint_levers(world, id);
	world->idle_joints += !joint_active(world, id);
	if (enabled) {
		ratchet_engage(world, id);
		if (joint->link.solver == JOINT_GEAR) /* a pulley keeps its rope */
			gear_engage(world, id);
		joint_tie(world, id);
		return;
	}
	link_untie(world, LINK_JOINT, id);
	joint_settings_rest(joint_model(world, id), joint_row(world, id));
}

void joint_start(struct world *world, uint32_t id, const struct joint_settings *settings)
{
	const struct joint_model *model = joint_model(world, id);
	joint_settings_store(model, joint_row(world, id), settings);
	gear_count(world, id, 1);
	gear_begin(world, id);
	for (int i = 0; i < COORDINATES; ++i)
		if (model->coordinates[i] != 0)
			coordinate_start(joint_coordinate(model, joint_row(world, id), i), (float)joint_value(world, id, i));
	ratchet_engage(world, id);
}

/* Has the gears on the joint hold the sums that they find. */
static void gears_engage(struct world *world, uint32_t id)
{
	for (int side = 0; side < 2 && world->joints.data[id].gears > 0; ++side) {
		uint32_t key = world->bodies.data[joint_bodies(world, id)[side]].links[LINK_JOINT];
		for (; key != NONE; key = link_next(world, LINK_JOINT, key))
			if (gear_couples(world, key / 2, id)) {
				gear_engage(world, key / 2);
				joint_wake(world, key / 2);
			}
	}
}

void joint_refit(struct world *world, uint32_t id)
{
	const struct joint_model *model = joint_model(world, id);
	unsigned char *row = joint_row(world, id);
	joint_settings_rest(model, row);
	world->wing->joint_levers(world, id);
	for (int i = 0; i < COORDINATES; ++i)
		if (model->coordinates[i] != 0) {
			struct coordinate *coordinate = joint_coordinate(model, row, i);
			coordinate->value = 0.0f;
			coordinate->value = (float)joint_value(world, id, i);
		}
	ratchet_engage(world, id);
	gears_engage(world, id);
	joint_wake(world, id);
}

void joint_path_start(struct world *world, uint32_t id, const float q[3])
{
	unsigned char *row = joint_row(world, id);
	const struct curve *curve = joint_path(joint_model(world, id), row)->curve;
	struct coordinate *distance = joint_coordinate(joint_model(world, id), row, 0);
	distance->value = curve_nearest(curve, q);
	if (curve->loop || distance->settings.limited)
		return;
	distance->settings.limited = true;
	distance->settings.lower = 0.0f;
	distance->settings.upper = curve->length;
}

void joint_get(const struct world *world, uint32_t id, struct joint_settings *settings)
{
	joint_settings_load(joint_model(world, id), joint_row(world, id), settings);
}

void joint_set(struct world *world, uint32_t id, const struct joint_settings *settings)
{
	joint_settings_store(joint_model(world, id), joint_row(world, id), settings);
	ratchet_engage(world, id);
	joint_wake(world, id);
}

double joint_value(const struct world *world, uint32_t id, int coordinate)
{
	return joint_model(world, id)->value(world, id, coordinate);
}

float joint_rate(const struct world *world, uint32_t id, int coordinate)
{
	return joint_model(world, id)->rate(world, id, coordinate);
}

float joint_motor(const struct world *world, uint32_t id, int coordinate)
{
	return world->step.inv_h * joint_coordinate(joint_model(world, id), joint_row(world, id), coordinate)->motor_impulse;
}

void joint_drive_motor(const struct world *world, uint32_t id, bool angular, float motor[3])
{
	const struct joint_model *model = joint_model(world, id);
	const struct drive_place *place = angular ? &model->angular : &model->linear;
	const float *impulse = (const float *)((const char *)joint_row(world, id) + place->motor_impulse);
	for (int i = 0; i < 3; ++i)
		motor[i] = i < place->axes ? world->step.inv_h * impulse[i] : 0.0f;
}

/* Wakes all bodies before the first joint is removed: waking a body adds all its joints to the graph, including those to this
 * body. */
void joints_detach(struct world *world, uint32_t body)
{
	uint32_t first = world->bodies.data[body].links[LINK_JOINT];
	for (uint32_t key = first; key != NONE; key = link_next(world, LINK_JOINT, key))
		body_wake(world, link_other_body(world, LINK_JOINT, key));
	for (uint32_t key = first; key != NONE; key = link_next(world, LINK_JOINT, key))
		link_untie(world, LINK_JOINT, key / 2);
}

void joints_attach(struct world *world, uint32_t body)
{
	for (uint32_t key = world->bodies.data[body].links[LINK_JOINT]; key != NONE; key = link_next(world, LINK_JOINT, key))
		body_wake(world, link_other_body(world, LINK_JOINT, key));
	for (uint32_t key = world->bodies.data[body].links[LINK_JOINT]; key != NONE; key = link_next(world, LINK_JOINT, key))
		joint_tie(world, key / 2);
}

/* Gives a joint other bodies. They are woken before, too, since only islands that are both awake can be merged. */
static void joint_move(struct world *world, uint32_t id, const uint32_t bodies[2])
{
	struct link *link = &world->joints.data[id].link;
	const uint32_t before[2] = {link->bodies[0], link->bodies[1]};
	joint_wake(world, id);
	link_untie(world, LINK_JOINT, id);
	link_detach(world, LINK_JOINT, id);
	memcpy(link->bodies, bodies, sizeof link->bodies);
	joint_wake(world, id);
	link_attach(world, LINK_JOINT, id);
	joint_tie(world, id);
	if (!world->joints.data[id].collides) {
		refilter(world, before[0], before[1]);
		refilter(world, bodies[0], bodies[1]);
	}
}

/* Gives the gear the bodies of its joints. */
static void gear_move(struct world *world, uint32_t id)
{
	uint32_t bodies[2];
	gear_bodies(world, joint_gear(world, id)->settings.joints, bodies);
	joint_move(world, id, bodies);
}

void gears_follow(struct world *world, uint32_t body)
{
	for (uint32_t id = gear_misplaced(world, body); id != NONE; id = gear_misplaced(world, body))
		gear_move(world, id);
}

/* Gears on the joint are in the list of its old body, of its new one, or of that on the other side. */
void joint_set_body(struct world *world, uint32_t id, int side, uint32_t body)
{
	uint32_t bodies[2], before = joint_bodies(world, id)[side];
	assert(!world->locked && joint_bodies(world, id)[!side] != body);
	memcpy(bodies, joint_bodies(world, id), sizeof bodies);
	bodies[side] = body;
	joint_move(world, id, bodies);
	world->wing->joint_levers(world, id);
	for (uint32_t key = world->bodies.data[before].links[LINK_JOINT], next; key != NONE; key = next) {
		next = link_next(world, LINK_JOINT, key);
		if (gear_couples(world, key / 2, id))
			gear_move(world, key / 2);
	}
	gears_follow(world, body);
}

void gear_set_ratio(struct world *world, uint32_t id, double ratio)
{
	joint_settings_rest(joint_model(world, id), joint_row(world, id));
	joint_gear(world, id)->settings.ratio = ratio;
	gear_engage(world, id);
	joint_wake(world, id);
}

void joint_wake(struct world *world, uint32_t id)
{
	const struct link *link = &world->joints.data[id].link;
	body_wake(world, link->bodies[0]);
	body_wake(world, link->bodies[1]);
}

void joint_set_soft(struct world *world, uint32_t id, float hertz, float damping_ratio)
{
	struct joint *joint = &world->joints.data[id];
	world->soft_joints -= has_softness(joint);
	joint->hertz = hertz;
	joint->damping_ratio = damping_ratio;
	world->soft_joints += has_softness(joint);
	world->partition.valid = false; /* joints with a softness of their own are in no tree */
	joint_wake(world, id);
}

/* --- Events --------------------------------------------------------------------------------------------------------------- */

bool joint_events_reserve(struct world *world)
{
	return array_reserve(world->memory, &world->events.joints, world->events.joints.count + world->joint_ids.end + 1);
}

void joint_watch(struct world *world, uint32_t id, const float thresholds[2], bool breakable)
{
	struct joint *joint = &world->joints.data[id];
	memcpy(joint->thresholds, thresholds, sizeof joint->thresholds);
	joint->breakable = breakable;
	if (thresholds[0] < INFINITY || thresholds[1] < INFINITY)
		bits_set(&world->watched_joints, id);
	else
		bits_clear(&world->watched_joints, id);
	joint_wake(world, id);
}

static double size_of(struct vec3 v)
{
	return sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
}

/* Destroys the joint. A step must not put its bodies to sleep. */
static void joint_break(struct world *world, uint32_t id)
{
	for (int side = 0; side < 2 && world->locked; ++side) {
		uint32_t island = world->bodies.data[joint_bodies(world, id)[side]].island.id;
		if (island != NONE)
			bits_set(&world->restless_islands, island);
	}
	joint_remove(world, id);
}

/* Reports the joint as broken without a reaction, or changes its event of the last step, if there is one. Room for it is
 * reserved. */
static void joint_report_broken(struct world *world, uint32_t id)
{
	struct joint *joint = &world->joints.data[id];
	record_touch(world, TOUCHED_JOINTS, id);
	if (!joint->named)
		array_push(&world->events.joints, (struct joint_event){{id, joint->generation}, 0.0, 0.0, true});
	for (uint32_t i = world->events.joints_begin; i < world->events.joints.count; ++i)
		if (world->events.joints.data[i].joint.index == id)
			world->events.joints.data[i].broken = true;
	joint->named = true;
}

/* Destroys and reports the gears on a joint. */
static void gears_break(struct world *world, uint32_t id)
{
	while (world->joints.data[id].gears > 0) {
		uint32_t gear = gear_on(world, id);
		joint_report_broken(world, gear);
		joint_break(world, gear);
	}
}

void joints_report(struct world *world)
{
	const struct bits *watched = &world->watched_joints;
	for (uint32_t id = bits_next(watched, 0); id != NONE; id = bits_next(watched, id + 1)) {
		struct joint *joint = &world->joints.data[id];
		struct vec3 reactions[2];
		if (joint->link.colour == NO_COLOUR)
			continue;
		world->wing->joint_reactions(world, id, reactions);
		double force = size_of(reactions[0]), torque = size_of(reactions[1]);
		if (!(force > (double)joint->thresholds[0] || torque > (double)joint->thresholds[1]))
			continue;
		struct joint_event event = {{id, joint->generation}, force, torque, joint->breakable};
		array_push(&world->events.joints, event);
		joint->named = true;
		if (joint->breakable)
			joint_break(world, id);
	}
}

void joint_events_begin(struct world *world, bool keep)
{
	struct events *events = &world->events;
	for (uint32_t i = events->joints_begin; i < events->joints.count; ++i) {
		uint32_t id = world->events.joints.data[i].joint.index;
		struct joint *joint = &world->joints.data[id];
		record_touch(world, TOUCHED_JOINTS, id);
		joint->named = false;
		if (!joint->link.valid)
			ids_give(&world->joint_ids, id);
	}
	events->joints.count = keep ? events->joints.count : 0;
	events->joints_begin = events->joints.count;
}
