/* controller_push.c - see controller_push.h. */
#include "core/controller_push.h"
#include "base/scalar.h"
#include "core/contact.h"
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

/* Sum of the contact's normal impulses in the last step, and its view; 0 unless it touches and is solved. */
static double contact_impulse(const struct world *world, uint32_t id, struct contact_view *view)
{
	double impulse = 0.0;
	if ((world->contacts.data[id].link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) != CONTACT_TOUCHING)
		return 0.0;
	world->wing->contact_view(world, id, false, view);
	for (int i = 0; i < view->count; ++i)
		impulse += (double)view->impulses[i];
	return impulse;
}

/* The direction in which the contact pushes the body at its end `key`. */
static struct vec3 push_direction(const struct contact_view *view, uint32_t key)
{
	return vec3_scale((key & 1) == 0 ? -1.0 : 1.0, view->normal);
}

/* The momentum of the body along the direction before the contacts of the last step. */
static double momentum_before(const struct world *world, uint32_t body, const struct lever *lever, struct vec3 direction)
{
	double momentum = vec3_dot(point_velocity(world, body, lever), direction) / inverse_mass_along(lever, direction);
	for (uint32_t key = world->bodies.data[body].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		struct contact_view view;
		double impulse = contact_impulse(world, key / 2, &view);
		if (impulse > 0.0)
			momentum -= impulse * vec3_dot(push_direction(&view, key), direction);
	}
	return momentum;
}

/* A dynamic body that hit the controlled one in the last step stopped as at a wall, by an impulse J. Two free masses m and M
 * would now have the common speed (J - resistance) / (m + M): adds it to *sum, and the impulse that gives it to the dynamic
 * body to the shoves. J is at most the momentum that the body had: others, as a floor behind it, may have pressed, too. False:
 * no memory. */
static bool contact_shove(struct world *world, const struct controller *controller, uint32_t key, struct vec3 *sum)
{
	struct controllers *controllers = &world->controllers;
	uint32_t other = world->contacts.data[key / 2].link.bodies[1 - (key & 1)];
	struct contact_view view;
	if (body_fixed(world, other))
		return true;
	double impulse = contact_impulse(world, key / 2, &view) - controller->max_force * (double)world->last_dt;
	if (!(impulse > 0.0))
		return true;
	struct vec3 towards = push_direction(&view, key);
	struct lever lever = lever_at(world, other, view.points[0]);
	double inverse = inverse_mass_along(&lever, towards);
	if (!(inverse > 0.0))
		return true;
	impulse = min_d(impulse, momentum_before(world, other, &lever, towards));
	if (!(impulse > 0.0))
		return true;
	if (!array_reserve(world->memory, &controllers->shoves, controllers->shoves.count + 1))
		return false;
	double speed = impulse / (controller->mass + 1.0 / inverse);
	*sum = vec3_mul_add(*sum, speed, towards);
	array_push(&controllers->shoves, (struct shove){other, view.points[0], vec3_scale(speed / inverse, towards)});
	return true;
}

bool controller_shove(struct world *world, const struct controller *controller, double dt, struct vec3 *way)
{
	struct vec3 sum = {0.0, 0.0, 0.0};
	uint32_t first = world->bodies.data[controller->body].links[LINK_CONTACT];
	world->controllers.shoves.count = 0;
	*way = sum;
	if (controller->pushed == world->tick)
		return true;
	for (uint32_t key = first; key != NONE; key = link_next(world, LINK_CONTACT, key))
		if (!contact_shove(world, controller, key, &sum))
			return false;
	*way = vec3_scale(dt, sum);
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
	double missing = contact->approach + vec3_dot(velocity_after(world, body, &lever, dt), contact->normal);
	if (!(inverse > 0.0) || !(missing > 0.0))
		return;
	double force = min_d(missing / inverse / dt, controller->max_force);
	apply_at(world, body, contact->point, vec3_scale(-force, contact->normal), world->wing->body_press);
}

/* The force between two masses that move as one, of which the upper has only its weight: its acceleration would be that of the
 * lower one without this force, `free`, but for their ratio. `inverse`: of the lower mass. */
static double common_force(double mass, double inverse, double gravity, double free)
{
	return max_d((gravity + free) / (1.0 / mass + inverse), 0.0);
}

void controller_load(struct world *world, struct controller *controller)
{
	uint32_t body = controller->ground_body.index;
	double gravity = -vec3_dot(vec3_widen(world->gravity), controller->up), dt = (double)world->last_dt;
	if (controller->state != CONTROLLER_GROUND || body_fixed(world, body) || !(gravity > 0.0))
		return;
	struct lever lever = lever_at(world, body, controller->ground.point);
	double inverse = inverse_mass_along(&lever, controller->up), force = controller->mass * gravity;
	double speed = vec3_dot(point_velocity(world, body, &lever), controller->up);
	if (controller->loaded == world->tick && controller->loaded_body.index == body &&
		controller->loaded_body.generation == controller->ground_body.generation && dt > 0.0)
		force = common_force(
			controller->mass, inverse, gravity, (speed - controller->load_speed) / dt + controller->load * inverse);
	controller->load = force;
	controller->load_speed = speed;
	controller->loaded = world->tick + 1;
	controller->loaded_body = controller->ground_body;
	apply_at(world, body, controller->ground.point, vec3_scale(-force, controller->up), world->wing->body_press);
}
