/* speculative.c - see speculative.h. */
#include "core/speculative.h"
#include "core/link.h"

/* Greatest angle by which a body that looks ahead may move about the other body of a joint in a step [rad]: displacement over
 * distance. On an arc of that angle the body deviates from its straight path by at most half the angle times the path's length.
 * Beyond it, contacts ahead would stop bodies at obstacles never reached. */
#define STRAIGHT 0.2f

bool body_goes_straight(const struct world *world, uint32_t id)
{
	float v[3], square = world->step.dt * world->step.dt;
	body_linear_velocity(world, id, v);
	for (uint32_t key = joints_first(world, id); key != NONE; key = joints_next(world, key)) {
		float other[3], between[3];
		body_linear_velocity(world, link_other_body(world, LINK_JOINT, key), other);
		bodies_between(world, id, link_other_body(world, LINK_JOINT, key), between);
		for (int i = 0; i < 3; ++i)
			other[i] -= v[i];
		if (dot(other, other) * square > STRAIGHT * STRAIGHT * dot(between, between))
			return false;
	}
	return true;
}

/* Whether the body is jointed to another dynamic one. */
static bool body_pulls(const struct world *world, uint32_t id)
{
	for (uint32_t key = joints_first(world, id); key != NONE; key = joints_next(world, key))
		if (world->bodies.data[link_other_body(world, LINK_JOINT, key)].type == BODY_DYNAMIC)
			return true;
	return false;
}

void contact_path_ahead(const struct world *world, const struct contact *contact, float delta[3])
{
	float a[3];
	body_linear_velocity(world, contact->link.bodies[0], a);
	body_linear_velocity(world, contact->link.bodies[1], delta);
	for (int i = 0; i < 3; ++i)
		delta[i] = world->step.dt * delta[i] - world->step.dt * a[i];
}

/* Bouncing contacts of a body jointed to other dynamic bodies are left to sweeps: a contact made ahead may stop the body late
 * in the step, so that it bounces before its joints have passed on the push of the bodies behind it. */
bool contact_goes_ahead(const struct world *world, const struct contact *contact)
{
	const struct contact_material *material = manifold_row(world, (uint32_t)(contact - world->contacts.data));
	float delta[3], least = AHEAD * world->settings.length_scale;
	contact_path_ahead(world, contact, delta);
	return dot(delta, delta) > least * least &&
		!(material->restitution > 0.0f &&
			(body_pulls(world, contact->link.bodies[0]) || body_pulls(world, contact->link.bodies[1])));
}

bool body_path_ahead(const struct world *world, uint32_t id, float delta[3])
{
	if (!body_looks_ahead(world, id))
		return false;
	body_linear_velocity(world, id, delta);
	for (int i = 0; i < 3; ++i)
		delta[i] *= world->step.dt;
	return true;
}
