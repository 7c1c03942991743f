/* controller_push.c - see controller_push.h. */
#include "core/controller_push.h"
#include "base/scalar.h"
#include "core/contact.h"
#include "core/path.h"

/* Inverse of the body's effective mass for an impulse along the unit vector n at the point [1/mass]. */
static double inverse_mass_at(const struct world *world, uint32_t body, struct vec3 point, struct vec3 n)
{
	float inverse[3];
	body_inverse_mass(world, body, inverse);
	struct mat3 inertia = world->wing->sweep->inverse_inertia(world, body);
	struct vec3 turn = vec3_cross(vec3_sub(point, body_center(world, body)), n);
	double sum = vec3_dot(turn, mat3_mul(&inertia, turn));
	for (int k = 0; k < 3; ++k)
		sum += (double)inverse[k] * (&n.x)[k] * (&n.x)[k];
	return sum;
}

/* Applies a force over the next step: unlike an impulse before it, friction can hold it. */
static void press(struct world *world, uint32_t body, struct vec3 point, struct vec3 force)
{
	struct vec3 arm = vec3_sub(point, body_center(world, body));
	world->wing->body_press(world, body, force, vec3_cross(arm, force));
}

/* Velocity of the point of the body after `dt`, with the forces on it but gravity. */
static struct vec3 velocity_after(const struct world *world, uint32_t body, struct vec3 point, double dt)
{
	float inverse[3];
	struct mat3 inertia = world->wing->sweep->inverse_inertia(world, body);
	struct vec3 force, torque, w, v = body_velocity(world, body, &w);
	body_inverse_mass(world, body, inverse);
	world->wing->body_pressed(world, body, &force, &torque);
	for (int k = 0; k < 3; ++k)
		(&v.x)[k] += dt * (double)inverse[k] * (&force.x)[k];
	w = vec3_mul_add(w, dt, mat3_mul(&inertia, torque));
	return vec3_add(v, vec3_cross(w, vec3_sub(point, body_center(world, body))));
}

static void kick(struct world *world, uint32_t body, struct vec3 point, struct vec3 impulse)
{
	struct vec3 arm = vec3_sub(point, body_center(world, body));
	world->wing->body_kick(world, body, impulse, vec3_cross(arm, impulse));
}

/* A dynamic body that hit the controlled one in the last step stopped as at a wall, by an impulse J. Two free masses m and M
 * would now have the common speed (J - resistance) / (m + M): adds it to *sum, and the impulse that gives it to the dynamic
 * body to the shoves. False: no memory. */
static bool contact_shove(struct world *world, const struct controller *controller, uint32_t key, struct vec3 *sum)
{
	const struct contact *contact = &world->contacts.data[key / 2];
	struct controllers *controllers = &world->controllers;
	uint32_t other = contact->link.bodies[1 - (key & 1)];
	struct contact_view view;
	double impulse = 0.0;
	if ((contact->link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) != CONTACT_TOUCHING || body_fixed(world, other))
		return true;
	world->wing->contact_view(world, key / 2, false, &view);
	for (int i = 0; i < view.count; ++i)
		impulse += (double)view.impulses[i];
	impulse -= controller->max_force * (double)world->last_dt;
	if (view.count == 0 || !(impulse > 0.0))
		return true;
	struct vec3 towards = vec3_scale((key & 1) == 0 ? -1.0 : 1.0, view.normal);
	double inverse = inverse_mass_at(world, other, view.points[0], towards);
	if (!(inverse > 0.0))
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
		kick(world, shove->body, shove->point, vec3_scale(part, shove->impulse));
	}
}

void controller_push(
	struct world *world, const struct controller *controller, const struct controller_contact *contact, double dt)
{
	uint32_t body = world->colliders.data[contact->collider.index].body;
	if (body_fixed(world, body) || !(contact->approach > 0.0))
		return;
	double inverse = inverse_mass_at(world, body, contact->point, contact->normal);
	double missing = contact->approach + vec3_dot(velocity_after(world, body, contact->point, dt), contact->normal);
	if (!(inverse > 0.0) || !(missing > 0.0))
		return;
	double force = min_d(missing / inverse / dt, controller->max_force);
	press(world, body, contact->point, vec3_scale(-force, contact->normal));
}

void controller_load(struct world *world, const struct controller *controller)
{
	double weight = -controller->mass * vec3_dot(vec3_widen(world->gravity), controller->up);
	if (controller->state == CONTROLLER_GROUND && !body_fixed(world, controller->ground_body.index) && weight > 0.0)
		press(world, controller->ground_body.index, controller->ground.point, vec3_scale(-weight, controller->up));
}
