/* controller_push.c - see controller_push.h. */
#include "core/controller_push.h"
#include "base/scalar.h"
#include "core/contact.h"
#include "core/obstacle.h"
#include "core/path.h"

/* A point of a body, and what the body opposes to a push there. */
struct lever {
	struct vec3 arm; /* from the centre of mass */
	struct mat3 inverse_inertia; /* in the world's frame */
	float inverse_mass[3];
};

static struct lever lever_at(const struct world *world, uint32_t body, struct vec3 point)
{
	struct lever lever = {vec3_sub(point, body_center(world, body)), world->wing->sweep->inverse_inertia(world, body), {0.0f}};
	body_inverse_mass(world, body, lever.inverse_mass);
	return lever;
}

/* Inverse of the body's effective mass for an impulse along the unit vector n [1/mass]. */
static double inverse_mass_along(const struct lever *lever, struct vec3 n)
{
	struct vec3 turn = vec3_cross(lever->arm, n);
	double sum = vec3_dot(turn, mat3_mul(&lever->inverse_inertia, turn));
	for (int k = 0; k < 3; ++k)
		sum += (double)lever->inverse_mass[k] * (&n.x)[k] * (&n.x)[k];
	return sum;
}

/* Velocity of the point after `dt`, with the forces on the body but gravity. */
static struct vec3 velocity_after(const struct world *world, uint32_t body, const struct lever *lever, double dt)
{
	struct vec3 force, torque, w, v = body_velocity(world, body, &w);
	world->wing->body_pressed(world, body, &force, &torque);
	for (int k = 0; k < 3; ++k)
		(&v.x)[k] += dt * (double)lever->inverse_mass[k] * (&force.x)[k];
	w = vec3_mul_add(w, dt, mat3_mul(&lever->inverse_inertia, torque));
	return vec3_add(v, vec3_cross(w, lever->arm));
}

/* Applies an impulse (wing.body_kick), or a force over the next step (wing.body_press), which friction can hold. */
static void apply_at(struct world *world, uint32_t body, struct vec3 point, struct vec3 amount,
	void (*apply)(struct world *, uint32_t body, struct vec3 amount, struct vec3 turn))
{
	apply(world, body, amount, vec3_cross(vec3_sub(point, body_center(world, body)), amount));
}

static struct vec3 point_velocity(const struct world *world, uint32_t body, const struct lever *lever)
{
	struct vec3 w, v = body_velocity(world, body, &w);
	return vec3_add(v, vec3_cross(w, lever->arm));
}

/* Sum of the contact's normal impulses in the last step; 0 unless it touches and is solved. *towards: the direction in which
 * it pushes the body at its end `key`. */
static double contact_push(const struct world *world, uint32_t key, struct vec3 *towards)
{
	if ((world->contacts.data[key / 2].link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) != CONTACT_TOUCHING)
		return 0.0;
	double impulse = world->wing->obstacles->contact_impulse(world, key / 2, towards);
	*towards = vec3_scale((key & 1) == 0 ? -1.0 : 1.0, *towards);
	return impulse;
}

/* Where the contact's impulses, of the sum, act. */
static struct vec3 center_of_impulses(const struct world *world, uint32_t id, double sum)
{
	struct contact_view view;
	struct vec3 center = {0.0, 0.0, 0.0};
	world->wing->contact_view(world, id, false, &view);
	for (int i = 0; i < view.count; ++i)
		center = vec3_mul_add(center, (double)view.impulses[i] / sum, view.points[i]);
	return center;
}

/* A move of a controlled body that bodies have hit in the last step. */
struct shoving {
	struct controller *controller;
	struct vec3 wanted, before; /* the wanted velocity; that of the push in the move before */
	struct handle pusher; /* of that push */
	struct vec3 push; /* the velocity that the bodies found so far add to the wanted one */
};

/* A body that pushes: where, in which direction, and what it opposes there. */
struct pusher {
	uint32_t body;
	struct vec3 point, towards;
	struct lever lever;
	double inverse; /* of its effective mass along `towards` [1/mass] */
};

static struct pusher pusher_at(const struct world *world, uint32_t body, struct vec3 point, struct vec3 towards)
{
	struct lever lever = lever_at(world, body, point);
	return (struct pusher){body, point, towards, lever, inverse_mass_along(&lever, towards)};
}

static double pusher_speed(const struct world *world, const struct pusher *pusher)
{
	return vec3_dot(point_velocity(world, pusher->body, &pusher->lever), pusher->towards);
}

/* The momentum of the body along its direction before the contacts of the last step. */
static double momentum_before(const struct world *world, const struct pusher *pusher)
{
	double momentum = pusher_speed(world, pusher) / pusher->inverse;
	uint32_t first = world->bodies.data[pusher->body].links[LINK_CONTACT];
	for (uint32_t key = first; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		struct vec3 towards;
		double impulse = contact_push(world, key, &towards);
		if (impulse > 0.0)
			momentum -= impulse * vec3_dot(towards, pusher->towards);
	}
	return momentum;
}

/* The wanted speed along the direction, if it leads there. */
static double own_speed(const struct shoving *shoving, struct vec3 towards)
{
	return max_d(vec3_dot(shoving->wanted, towards), 0.0);
}

/* The speed that a body of mass M and speed V, which hit the controlled one of mass m in the last step, adds to the wanted one:
 * two free masses would now have a common speed. The wanted motion brings no momentum, the push of the move before does; the
 * controlled body's force brakes both. It is never faster than the body that pushes it. */
static double shove_speed(const struct world *world, const struct shoving *shoving, const struct pusher *pusher, double speed)
{
	const struct controller *controller = shoving->controller;
	double mass = 1.0 / pusher->inverse, most = speed - own_speed(shoving, pusher->towards);
	double before = clamp_d(vec3_dot(shoving->before, pusher->towards), 0.0, max_d(most, 0.0));
	double braked = controller->max_force * (double)world->last_dt;
	return (mass * most + controller->mass * before - braked) / (mass + controller->mass);
}

/* Adds the push by the body, and to the shoves the impulse that gives it the common speed, if it is slower now. Several that
 * push in one direction push as the strongest. There is room for the shove. */
static void body_shove(struct world *world, struct shoving *shoving, const struct pusher *pusher, double speed)
{
	struct vec3 towards = pusher->towards;
	if (!(speed > 0.0))
		return;
	double missing = speed - vec3_dot(shoving->push, towards);
	double slower = speed + own_speed(shoving, towards) - pusher_speed(world, pusher);
	if (missing > 0.0) {
		shoving->push = vec3_mul_add(shoving->push, missing, towards);
		shoving->controller->pusher = (struct handle){pusher->body, world->bodies.data[pusher->body].generation};
	}
	if (slower > 0.0)
		array_push(&world->controllers.shoves,
			(struct shove){pusher->body, pusher->point, vec3_scale(slower / pusher->inverse, towards)});
}

/* The body that pushed it in the move before follows it: the push goes on, no harder. */
static void follower_shove(struct world *world, struct shoving *shoving)
{
	uint32_t body = shoving->pusher.index;
	double before = vec3_length(shoving->before);
	if (!(before > 0.0) || !handle_valid_body(world, shoving->pusher) || body_fixed(world, body))
		return;
	struct pusher pusher = pusher_at(world, body, body_center(world, body), vec3_scale(1.0 / before, shoving->before));
	double speed = pusher_speed(world, &pusher);
	if (pusher.inverse > 0.0 && speed > 0.0)
		body_shove(world, shoving, &pusher, min_d(shove_speed(world, shoving, &pusher, speed), before));
}

/* By a body that hit it in the last step. The momentum is that before the contacts of the step, as a floor behind the body may
 * have pressed, too. */
static void contact_shove(struct world *world, struct shoving *shoving, uint32_t body, struct vec3 point, struct vec3 towards)
{
	struct pusher pusher = pusher_at(world, body, point, towards);
	double momentum = momentum_before(world, &pusher);
	if (pusher.inverse > 0.0 && momentum > 0.0)
		body_shove(world, shoving, &pusher, shove_speed(world, shoving, &pusher, momentum * pusher.inverse));
}

bool controller_shove(struct world *world, struct controller *controller, struct vec3 wanted, struct vec3 *push)
{
	static const struct vec3 none = {0.0, 0.0, 0.0};
	const struct body *body = &world->bodies.data[controller->body];
	bool goes_on = controller->pushed + 1 == world->tick;
	struct shoving shoving = {controller, wanted, goes_on ? controller->push : none, controller->pusher, none};
	struct controllers *controllers = &world->controllers;
	controllers->shoves.count = 0;
	*push = none;
	if (controller->pushed == world->tick)
		return true;
	if (!array_reserve(world->memory, &controllers->shoves, body->link_counts[LINK_CONTACT]))
		return false;
	for (uint32_t key = body->links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		uint32_t other = world->contacts.data[key / 2].link.bodies[1 - (key & 1)];
		struct vec3 towards;
		if (body_fixed(world, other))
			continue;
		double impulse = contact_push(world, key, &towards);
		if (impulse > 0.0)
			contact_shove(world, &shoving, other, center_of_impulses(world, key / 2, impulse), towards);
		else if (other == shoving.pusher.index)
			follower_shove(world, &shoving);
	}
	*push = shoving.push;
	return true;
}

void controller_shove_back(struct world *world, double part)
{
	for (uint32_t i = 0; part > 0.0 && i < world->controllers.shoves.count; ++i) {
		const struct shove *shove = &world->controllers.shoves.data[i];
		apply_at(world, shove->body, shove->point, vec3_scale(part, shove->impulse), world->wing->body_kick);
	}
}

void controller_push(
	struct world *world, const struct controller *controller, const struct controller_contact *contact, double dt)
{
	uint32_t body = world->colliders.data[contact->collider.index].body;
	if (body_fixed(world, body) || !(contact->approach > 0.0))
		return;
	struct lever lever = lever_at(world, body, contact->point);
	double inverse = inverse_mass_along(&lever, contact->normal);
	double step = max_d(dt, (double)world->last_dt); /* the force acts in all of it; the move may be one of several */
	double missing = contact->approach + vec3_dot(velocity_after(world, body, &lever, step), contact->normal);
	if (!(inverse > 0.0) || !(missing > 0.0))
		return;
	double force = min_d(missing / inverse / step, controller->max_force);
	apply_at(world, body, contact->point, vec3_scale(-force, contact->normal), world->wing->body_press);
}

/* The force between two masses that move as one, of which the upper has only its weight: its acceleration would be that of the
 * lower one without this force, `free`, but for their ratio. `inverse`: of the lower mass. */
static double common_force(double mass, double inverse, double gravity, double free)
{
	return max_d((gravity + free) / (1.0 / mass + inverse), 0.0);
}

/* Whether a joint or a contact from below held the body in the last step. */
static bool is_held(const struct world *world, uint32_t body, struct vec3 up)
{
	if (world->bodies.data[body].link_counts[LINK_JOINT] > 0)
		return true;
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		struct vec3 towards;
		if (contact_push(world, key, &towards) > 0.0 && vec3_dot(towards, up) > 0.0)
			return true;
	}
	return false;
}

void controller_load(struct world *world, struct controller *controller)
{
	uint32_t body = controller->ground_body.index;
	double gravity = -vec3_dot(vec3_widen(world->gravity), controller->up), dt = (double)world->last_dt;
	if (controller->state != CONTROLLER_GROUND || body_fixed(world, body) || !(gravity > 0.0))
		return;
	struct lever lever = lever_at(world, body, controller->ground.point);
	double inverse = inverse_mass_along(&lever, controller->up);
	double speed = vec3_dot(point_velocity(world, body, &lever), controller->up);
	bool known = controller->loaded == world->tick && controller->loaded_body.index == body &&
		controller->loaded_body.generation == controller->ground_body.generation && dt > 0.0;
	double force = 0.0;
	if (known)
		force = common_force(
			controller->mass, inverse, gravity, (speed - controller->load_speed) / dt + controller->load * inverse);
	else if (is_held(world, body, controller->up))
		force = controller->mass * gravity;
	controller->load = force;
	controller->load_speed = speed;
	controller->loaded = world->tick + 1;
	controller->loaded_body = controller->ground_body;
	apply_at(world, body, controller->ground.point, vec3_scale(-force, controller->up), world->wing->body_press);
}
