/* impact.c - see impact.h. Floor: core. */
#include "core/impact.h"
#include "core/contact.h"

struct contact_material impact_material(const struct world *world, const uint32_t proxies[2])
{
	struct material materials[2];
	for (int i = 0; i < 2; ++i)
		materials[i] = world->colliders.data[world->proxies.data[proxies[i]].collider].material;
	return materials_mix(world, &materials[0], &materials[1]);
}

bool impact_awaits(const struct world *world, const struct contact *contact, const struct contact_material *material, int mover, const float normal[3], float radius)
{
	uint32_t body = contact->edge.bodies[mover], other = contact->edge.bodies[!mover];
	if (!world->settings.continuous || !(material->restitution > 0.0f) || material->tangent_speed != 0.0f || world->bodies.data[other].type == BODY_DYNAMIC ||
		world->bodies.data[body].edges[EDGE_JOINT] != NONE)
		return false;
	float v[3], u[3], towards = mover == 1 ? -1.0f : 1.0f;
	world->wing->body_velocity(world, body, v);
	world->wing->body_velocity(world, other, u);
	float speed = towards * dot(normal, v);
	return speed * world->step.dt > radius && speed - towards * dot(normal, u) > world->settings.restitution_threshold;
}

bool impact_repeats(const struct world *world, const struct impact *impacts, int count, int which)
{
	const struct proxy *proxies = world->proxies.data;
	for (int i = 0; i < count; ++i) {
		bool same = proxies[impacts[i].proxies[0]].collider == proxies[impacts[which].proxies[0]].collider &&
					proxies[impacts[i].proxies[1]].collider == proxies[impacts[which].proxies[1]].collider;
		if (same && (impacts[i].speed > impacts[which].speed || (impacts[i].speed == impacts[which].speed && i < which)))
			return true;
	}
	return false;
}

static bool colliders_touch(const struct world *world, uint32_t body, const uint32_t colliders[2])
{
	for (uint32_t key = world->bodies.data[body].edges[EDGE_CONTACT]; key != NONE; key = edge_next(world, EDGE_CONTACT, key)) {
		const struct contact *contact = &world->contacts.data[key / 2];
		if ((contact->edge.flags & CONTACT_TOUCHING) && ((contact->colliders[0] == colliders[0] && contact->colliders[1] == colliders[1]) ||
															(contact->colliders[0] == colliders[1] && contact->colliders[1] == colliders[0])))
			return true;
	}
	return false;
}

/* Contacts name the collider of the lower proxy first. */
void impact_tell(struct world *world, const struct impact *impact, bool apart)
{
	struct memory *memory = world->memory;
	struct events *events = &world->events;
	int first = impact->proxies[1] < impact->proxies[0];
	uint32_t colliders[2] = {world->proxies.data[impact->proxies[first]].collider, world->proxies.data[impact->proxies[!first]].collider};
	struct contact_event event = {collider_handle(world, colliders[0]), collider_handle(world, colliders[1]), {0.0}, impact->speed};
	for (int i = 0; i < PLACE_NUMBERS; ++i)
		event.place[i] = i >= world->wing->dimensions && first == 0 ? -impact->place[i] : impact->place[i];
	/* Contacts that touch keep their room for an end each. */
	uint32_t ends = events->ends.all.count + world->touching_count - world->overlap_count + 1;
	if (!array_reserve(memory, &events->hits, events->hits.count + 1) || !array_reserve(memory, &events->begins, events->begins.count + 1) ||
		!array_reserve(memory, &events->ends.all, ends)) {
		world->untold = true;
		return;
	}
	if (impact->speed > world->settings.hit_speed)
		array_push(&events->hits, event);
	if (!apart || colliders_touch(world, world->colliders.data[colliders[first]].body, colliders))
		return;
	event.speed = 0.0f;
	array_push(&events->begins, event);
	array_push(&events->ends.all, (struct end_event){event.a, event.b});
	events->ends.delivered = events->ends.all.count;
}
