/* validate.c - see validate.h. Floor: core. */
#include "core/validate.h"
#include "core/contact.h"
#include "core/pairs.h"

#define CHECK(condition)                                                                                                       \
	do {                                                                                                                       \
		if (!(condition))                                                                                                      \
			return #condition;                                                                                                 \
	} while (0)

static const char *validate_body(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	bool awake = body->set == SET_AWAKE;
	CHECK((body->type == BODY_STATIC) == (body->set == SET_STATIC) || body->set == SET_DISABLED);
	CHECK(body->type == BODY_DYNAMIC || body->set != SET_ASLEEP);
	CHECK(awake == (body->row != NONE));
	CHECK(!awake || (body->row < world->awake.count && world->awake.data[body->row] == id));
	CHECK((body->island != NONE) == (body->type == BODY_DYNAMIC && body->set != SET_DISABLED));
	CHECK(body->island == NONE || world->islands.data[body->island].awake == awake);
	uint32_t colliders = 0, contacts = 0, previous = NONE;
	for (uint32_t c = body->colliders; c != NONE; previous = c, c = world->colliders.data[c].next, ++colliders) {
		const struct collider *collider = &world->colliders.data[c];
		CHECK(collider->valid && collider->body == id && collider->previous == previous);
		CHECK(colliders < body->collider_count);
	}
	CHECK(colliders == body->collider_count);
	previous = NONE;
	for (uint32_t key = body->contacts; key != NONE; previous = key, key = edge_next(world, key), ++contacts) {
		const struct contact *contact = &world->contacts.data[key / 2];
		CHECK(contact->valid && contact->bodies[key & 1] == id && contact->previous[key & 1] == previous);
		CHECK(contacts < body->contact_count);
	}
	CHECK(contacts == body->contact_count);
	CHECK(body->set != SET_DISABLED || contacts == 0);
	return NULL;
}

static const char *validate_disabled(const struct world *world, uint32_t expected)
{
	uint32_t count = 0, previous = NONE;
	for (uint32_t id = world->disabled; id != NONE; previous = id, id = world->bodies.data[id].island_next) {
		const struct body *body = &world->bodies.data[id];
		CHECK(body->valid && body->set == SET_DISABLED && body->island_previous == previous);
		CHECK(++count <= expected);
	}
	CHECK(count == expected);
	return NULL;
}

static const char *validate_collider(const struct world *world, uint32_t id)
{
	const struct collider *collider = &world->colliders.data[id];
	const struct body *body = &world->bodies.data[collider->body];
	bool enabled = body->set != SET_DISABLED;
	CHECK(body->valid);
	CHECK(enabled == (collider->proxies != NONE));
	uint32_t count = 0;
	for (uint32_t p = collider->proxies; p != NONE; p = world->proxies.data[p].next, ++count) {
		const struct proxy *proxy = &world->proxies.data[p];
		CHECK(proxy->collider == id && proxy->child == count);
		CHECK(proxy->unbounded == (proxy->leaf == NONE));
		if (!proxy->unbounded) {
			const struct tree *tree = &world->trees[body->type != BODY_STATIC];
			CHECK(tree_value(tree, proxy->leaf) == p && box_equal(tree_box(tree, proxy->leaf), &proxy->box));
		}
		CHECK(proxy->moved_index == NONE || (proxy->moved_index < world->moved_proxies.count &&
												world->moved_proxies.data[proxy->moved_index] == p));
		struct box box;
		world->wing->proxy_box(world, p, 0.0f, &box);
		CHECK(proxy->unbounded || box_contains(&proxy->box, &box));
	}
	CHECK(!enabled || count == world->wing->shape_children(collider->shape));
	return NULL;
}

static const char *validate_contact(const struct world *world, uint32_t id)
{
	const struct contact *contact = &world->contacts.data[id];
	const struct body *a = &world->bodies.data[contact->bodies[0]], *b = &world->bodies.data[contact->bodies[1]];
	bool touching = (contact->flags & CONTACT_TOUCHING) != 0, sensor = (contact->flags & CONTACT_SENSOR) != 0;
	bool dynamic_awake = (a->set == SET_AWAKE && a->type == BODY_DYNAMIC) || (b->set == SET_AWAKE && b->type == BODY_DYNAMIC);
	bool any_awake = a->set == SET_AWAKE || b->set == SET_AWAKE;
	bool awake = (contact->flags & CONTACT_LOOK) || (sensor ? any_awake : dynamic_awake);
	for (int side = 0; side < 2; ++side)
		CHECK(world->proxies.data[contact->proxies[side]].collider == contact->colliders[side] &&
			  world->colliders.data[contact->colliders[side]].body == contact->bodies[side]);
	CHECK(pairset_has(&world->pairs, contact->proxies[0], contact->proxies[1]));
	CHECK(awake == (contact->awake_index != NONE));
	CHECK(!awake || (contact->awake_index < world->awake_contacts.count &&
						world->awake_contacts.data[contact->awake_index] == id));
	CHECK((contact->colour != NO_COLOUR) == (touching && awake && !sensor));
	if (contact->colour != NO_COLOUR) {
		const struct colour *colour = &world->colours[contact->colour];
		CHECK(contact->colour_index < colour->contacts.count && colour->contacts.data[contact->colour_index] == id);
		for (int side = 0; side < 2 && contact->colour != OVERFLOW; ++side)
			CHECK((world->bodies.data[contact->bodies[side]].type == BODY_DYNAMIC) ==
				  bits_has(&colour->bodies, contact->bodies[side]));
	}
	bool ties = touching && !sensor && a->island != NONE && b->island != NONE;
	CHECK(ties == (contact->island != NONE));
	CHECK(!ties || (a->island == contact->island && b->island == contact->island));
	return NULL;
}

static const char *validate_island(const struct world *world, uint32_t id)
{
	const struct island *island = &world->islands.data[id];
	uint32_t bodies = 0, contacts = 0, previous = NONE;
	for (uint32_t body = island->first_body; body != NONE; previous = body, body = world->bodies.data[body].island_next) {
		CHECK(world->bodies.data[body].island == id && world->bodies.data[body].island_previous == previous);
		CHECK(++bodies <= island->body_count);
	}
	CHECK(bodies == island->body_count && bodies > 0 && previous == island->last_body);
	previous = NONE;
	for (uint32_t c = island->first_contact; c != NONE; previous = c, c = world->contacts.data[c].island_next) {
		CHECK(world->contacts.data[c].island == id && world->contacts.data[c].island_previous == previous);
		CHECK(++contacts <= island->contact_count);
	}
	CHECK(contacts == island->contact_count && previous == island->last_contact);
	CHECK(contacts + island->loosened + 1 >= bodies); /* else it cannot hang together */
	return NULL;
}

/* Contacts of one colour share no dynamic body: as many members in its set as its contacts have dynamic ends. */
static const char *validate_colour(const struct world *world, const struct colour *colour)
{
	uint32_t ends = 0;
	for (uint32_t i = 0; i < colour->contacts.count; ++i)
		for (int side = 0; side < 2; ++side)
			ends += world->bodies.data[world->contacts.data[colour->contacts.data[i]].bodies[side]].type == BODY_DYNAMIC;
	CHECK(bits_count(&colour->bodies) == ends);
	return NULL;
}

const char *world_validate(const struct world *world)
{
	const char *why = NULL;
	uint32_t bodies = 0, colliders = 0, contacts = 0, islands = 0, touching = 0, movable = 0, awake = 0, disabled = 0;
	CHECK(!world->locked);
	for (uint32_t id = 0; id < world->bodies.count; ++id) {
		const struct body *body = &world->bodies.data[id];
		if (!body->valid)
			continue;
		++bodies;
		movable += body->type != BODY_STATIC;
		awake += body->set == SET_AWAKE;
		disabled += body->set == SET_DISABLED;
		if ((why = validate_body(world, id)) != NULL)
			return why;
	}
	if ((why = validate_disabled(world, disabled)) != NULL)
		return why;
	for (uint32_t id = 0; id < world->colliders.count; ++id) {
		colliders += world->colliders.data[id].valid;
		if (world->colliders.data[id].valid && (why = validate_collider(world, id)) != NULL)
			return why;
	}
	for (uint32_t id = 0; id < world->contacts.count; ++id) {
		const struct contact *contact = &world->contacts.data[id];
		contacts += contact->valid;
		touching += contact->valid && (contact->flags & CONTACT_TOUCHING);
		if (contact->valid && (why = validate_contact(world, id)) != NULL)
			return why;
	}
	for (uint32_t id = 0; id < world->islands.count; ++id) {
		islands += world->islands.data[id].valid;
		if (world->islands.data[id].valid && (why = validate_island(world, id)) != NULL)
			return why;
	}
	for (int i = 0; i < COLOURS; ++i)
		if ((why = validate_colour(world, &world->colours[i])) != NULL)
			return why;
	CHECK(bodies == ids_count(&world->body_ids) && colliders == ids_count(&world->collider_ids));
	CHECK(contacts == ids_count(&world->contact_ids) && islands == ids_count(&world->island_ids));
	CHECK(contacts == world->pairs.count && touching == world->touching_count);
	CHECK(movable == world->movable_count && awake == world->awake.count);
	for (int i = 0; i < 2; ++i)
		if (!tree_validate(&world->trees[i], &why))
			return why;
	return NULL;
}
