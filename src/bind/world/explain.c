/* explain.c - world:explain and body:explain: why two bodies or colliders do not collide, and why a body does not move, sleep
 * or wake; as a text, a word and a table. They call the world's filter, and are not for every frame. */
#include "bind/world/dimension.h"
#include "core/contact.h"
#include "core/filter.h"
#include "core/graph.h"

/* --- Pairs ---------------------------------------------------------------------------------------------------------------- */

/* The reasons of a pair of colliders, from the least to the most of a contact. Of all pairs of two bodies the greatest one is
 * told. */
enum pair_reason {
	PAIR_BODY,
	PAIR_EMPTY,
	PAIR_DISABLED,
	PAIR_TYPES,
	PAIR_GROUP,
	PAIR_LAYERS,
	PAIR_JOINT,
	PAIR_FILTER,
	PAIR_APART,
	PAIR_ASLEEP,
	PAIR_PENDING,
	PAIR_BARRED,
	PAIR_OVERLAP,
	PAIR_TOUCH
};

static const struct {
	const char *word, *text;
} pair_reasons[] = {
	[PAIR_BODY] = {"body", "colliders of one body never collide"},
	[PAIR_EMPTY] = {"empty", "a body without colliders collides with nothing"},
	[PAIR_DISABLED] = {"disabled", "a disabled body collides with nothing: setEnabled(true)"},
	[PAIR_TYPES] = {"types", "neither body is dynamic, and no sensor moves"},
	[PAIR_GROUP] = {"group", "they share a group below 0"},
	[PAIR_LAYERS] = {"layers", "their layers, or the lists of collidesWith, do not collide"},
	[PAIR_JOINT] = {"joint", "a joint connects their bodies, and its collideConnected is false"},
	[PAIR_FILTER] = {"filter", "the world's filter refuses them"},
	[PAIR_APART] = {"apart", "they are apart"},
	[PAIR_ASLEEP] = {"asleep", "neither body is awake and moves, so steps do not test them"},
	[PAIR_PENDING] = {"pending",
		"no step has found a contact yet: the next one will, unless a one-sided shape is met from behind or another face "
		"continues the surface"},
	[PAIR_BARRED] = {"passes", "a one-way collider lets the other pass, or preSolve has disabled their contact"},
	[PAIR_OVERLAP] = {"overlap", "they overlap; a sensor stops nothing"},
	[PAIR_TOUCH] = {"touch", "they touch"},
};

struct pair_verdict {
	enum pair_reason reason;
	uint32_t colliders[2]; /* NONE: of a body without colliders */
	double distance; /* INFINITY: unknown */
};

/* Whether the world's filter, which has accepted pairs with a contact, accepts the two colliders. The environment is at stack
 * index 4. May run any script. */
static bool filter_accepts(lua_State *L, struct world_object *object, uint32_t a, uint32_t b)
{
	if (!object->filtered)
		return true;
	lua_rawgeti(L, 4, ENV_FILTER);
	push_live(L, object, 4, &class_collider, a);
	push_live(L, object, 4, &class_collider, b);
	lua_call(L, 2, 1);
	bool accepts = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return accepts;
}

/* Whether a step tests the pair: a body is awake and, unless one is a sensor, dynamic. */
static bool pair_tested(const struct world *world, const struct collider *a, const struct collider *b)
{
	const struct body *bodies[2] = {&world->bodies.data[a->body], &world->bodies.data[b->body]};
	for (int i = 0; i < 2; ++i)
		if (bodies[i]->set == SET_AWAKE && (a->sensor || b->sensor || bodies[i]->type == BODY_DYNAMIC))
			return true;
	return false;
}

static enum pair_reason verdict_reason(enum filter_verdict verdict)
{
	static const enum pair_reason reasons[] = {[FILTER_BODY] = PAIR_BODY,
		[FILTER_TYPES] = PAIR_TYPES,
		[FILTER_GROUP] = PAIR_GROUP,
		[FILTER_LAYERS] = PAIR_LAYERS,
		[FILTER_JOINT] = PAIR_JOINT};
	return reasons[verdict];
}

static struct pair_verdict pair_judge(lua_State *L, struct world_object *object, uint32_t one, uint32_t two)
{
	const struct world *world = object->world;
	const struct collider *a = &world->colliders.data[one], *b = &world->colliders.data[two];
	bool sensor = a->sensor || b->sensor;
	struct pair_verdict verdict = {PAIR_BODY, {one, two}, INFINITY};
	enum filter_verdict filter = filter_judge(world, a, b);
	if (filter == FILTER_BODY)
		return verdict;
	verdict.distance = object->dimension->colliders_distance(world, one, two);
	if (world->bodies.data[a->body].set == SET_DISABLED || world->bodies.data[b->body].set == SET_DISABLED) {
		verdict.reason = PAIR_DISABLED;
		return verdict;
	}
	uint32_t contact = contact_between(world, verdict.colliders);
	bool tested = pair_tested(world, a, b), near = verdict.distance <= (sensor ? 0.0 : (double)speculative_margin(world));
	if (filter != FILTER_ALLOWS)
		verdict.reason = verdict_reason(filter);
	else if (contact != NONE && (world->contacts.data[contact].link.flags & CONTACT_TOUCHING))
		verdict.reason = sensor ? PAIR_OVERLAP : PAIR_TOUCH;
	else if (contact != NONE && bits_has(&world->barred_contacts, contact))
		verdict.reason = PAIR_BARRED;
	else if (contact == NONE && !filter_accepts(L, object, one, two))
		verdict.reason = PAIR_FILTER;
	else
		verdict.reason = !near ? PAIR_APART : tested ? PAIR_PENDING : PAIR_ASLEEP;
	return verdict;
}

/* Reads a body or collider of the world at `index`. Sets the body, and the collider, NONE for a body. */
static void explain_object(
	lua_State *L, const struct world_object *object, int index, const char *name, uint32_t *body, uint32_t *collider)
{
	const struct class *classes[2] = {object->dimension->body, object->dimension->collider};
	for (int i = 0; i < 2; ++i) {
		const struct reference *reference = object_test(L, index, classes[i], sizeof *reference);
		if (reference == NULL)
			continue;
		const struct world_object *found = reference_find(reference);
		if (found == NULL)
			raise_error(L, "explain: %s is a destroyed %s", name, classes[i]->name);
		if (found != object)
			raise_error(L, "explain: %s must be of this world", name);
		*collider = i == 1 ? reference->handle.index : NONE;
		*body = i == 1 ? object->world->colliders.data[*collider].body : reference->handle.index;
		return;
	}
	raise_value(L, index, PATH("explain", name), "be a body or a collider");
}

/* Sets the field `name` of the table on top of the stack to the collider. */
static void set_collider(lua_State *L, struct world_object *object, const char *name, uint32_t collider)
{
	if (collider != NONE && push_live(L, object, 4, &class_collider, collider))
		lua_setfield(L, -2, name);
	else if (collider != NONE)
		lua_pop(L, 1);
}

/* Pushes the text, the reason and the details, and returns their number. */
static int push_verdict(lua_State *L, struct world_object *object, const struct pair_verdict *verdict, const uint32_t bodies[2])
{
	lua_settop(L, 4);
	lua_pushstring(L, pair_reasons[verdict->reason].text);
	lua_pushstring(L, pair_reasons[verdict->reason].word);
	lua_newtable(L);
	set_collider(L, object, "a", verdict->colliders[0]);
	set_collider(L, object, "b", verdict->colliders[1]);
	if (verdict->distance < (double)INFINITY) {
		lua_pushnumber(L, verdict->distance);
		lua_setfield(L, -2, "distance");
	}
	if (verdict->reason == PAIR_JOINT && object->world) {
		uint32_t joint = filter_joint(object->world, bodies[0], bodies[1]);
		if (joint != NONE) {
			push_live(L, object, 4, &class_joint, joint);
			lua_setfield(L, -2, "joint");
		}
	}
	return 3;
}

/* Judges the next pair of colliders of the two bodies that is given by the collider or, for a body, each of its own. */
static int world_explain(lua_State *L)
{
	struct world_object *object = check_world_change(L, "explain");
	uint32_t bodies[2], colliders[2];
	struct pair_verdict best = {PAIR_BODY, {NONE, NONE}, INFINITY};
	lua_settop(L, 3);
	luaL_checkstack(L, 20, "explain");
	attached_get(L, 1);
	explain_object(L, object, 2, "a", &bodies[0], &colliders[0]);
	explain_object(L, object, 3, "b", &bodies[1], &colliders[1]);
	uint32_t first[2];
	for (int i = 0; i < 2; ++i)
		first[i] = colliders[i] != NONE ? colliders[i] : object->world->bodies.data[bodies[i]].colliders;
	if (bodies[0] != bodies[1])
		best.reason = PAIR_EMPTY;
	for (uint32_t a = first[0]; a != NONE; a = colliders[0] != NONE ? NONE : object->world->colliders.data[a].next)
		for (uint32_t b = first[1]; b != NONE; b = colliders[1] != NONE ? NONE : object->world->colliders.data[b].next) {
			const struct handle handles[2] = {
				{a, object->world->colliders.data[a].generation}, {b, object->world->colliders.data[b].generation}};
			struct pair_verdict verdict = pair_judge(L, object, a, b);
			check_world_again(L, object, "explain");
			if (!handle_valid_collider(object->world, handles[0]) || !handle_valid_collider(object->world, handles[1]))
				raise_error(L, "explain: the filter has changed the world");
			if (best.colliders[0] == NONE || verdict.reason > best.reason ||
				(verdict.reason == best.reason && verdict.distance < best.distance))
				best = verdict;
		}
	return push_verdict(L, object, &best, bodies);
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

/* A body that has not rested long enough, in the island of an awake dynamic body; NONE: there is none. */
static uint32_t restless_member(const struct world *world, uint32_t id)
{
	const struct island *island = &world->islands.data[world->bodies.data[id].island.id];
	for (uint32_t body = island->bodies.first; body != NONE; body = world->bodies.data[body].island.next)
		if (body != id && world->travels.data[body].rest_time < REST_TIME)
			return body;
	return NONE;
}

struct body_verdict {
	const char *word, *text;
	uint32_t other; /* a body that is the reason, or NONE */
};

static struct body_verdict dynamic_judge(const struct world_object *object, uint32_t id)
{
	const struct world *world = object->world;
	const struct body *body = &world->bodies.data[id];
	float inv_mass[3];
	body_inverse_mass(world, id, inv_mass);
	if (inv_mass[0] == 0.0f && inv_mass[1] == 0.0f && inv_mass[2] == 0.0f && !world->wing->body_moves(world, id))
		return (struct body_verdict){"immovable", "it has no mass, or locks on all axes: no force moves it", NONE};
	if (!world->settings.sleeping_allowed)
		return (struct body_verdict){"awake", "it is awake, and the world lets no body sleep", NONE};
	if (!body->sleeping_allowed)
		return (struct body_verdict){"awake", "it is awake, and its sleepingAllowed is false", NONE};
	if (world->travels.data[id].rest_time == 0.0f)
		return (struct body_verdict){"moving", "it is awake, and moves faster than its sleep threshold", NONE};
	if (world->travels.data[id].rest_time < REST_TIME)
		return (struct body_verdict){"resting", "it is awake, and has not rested for half a second yet", NONE};
	uint32_t other = restless_member(world, id);
	if (other != NONE)
		return (struct body_verdict){
			"connected", "it is awake, since a body that it touches or is jointed to, directly or not, does not rest", other};
	return (struct body_verdict){"resting", "it is awake, has rested long enough, and may sleep with the next step", NONE};
}

static struct body_verdict body_judge(const struct world_object *object, uint32_t id)
{
	const struct world *world = object->world;
	const struct body *body = &world->bodies.data[id];
	if (body->set == SET_DISABLED)
		return (struct body_verdict){"disabled", "it is disabled: setEnabled(true)", NONE};
	if (body->type == BODY_STATIC)
		return (struct body_verdict){"static", "a static body never moves", NONE};
	if (body->set == SET_ASLEEP)
		return (struct body_verdict){"asleep",
			"it sleeps, as it came to rest or was told to: a touch by a moving body, an impulse, a force or setAwake(true) "
			"wakes it",
			NONE};
	if (body->type == BODY_KINEMATIC && world->wing->body_moves(world, id))
		return (struct body_verdict){
			"kinematic", "a kinematic body moves at the velocity that it is given; no force changes it", NONE};
	if (body->type == BODY_KINEMATIC)
		return (struct body_verdict){
			"kinematic", "a kinematic body moves only at a velocity that it is given, and has none", NONE};
	return dynamic_judge(object, id);
}

static int body_explain(lua_State *L)
{
	uint32_t id;
	struct world_object *object = check_body(L, "explain", &id);
	struct body_verdict verdict = body_judge(object, id);
	float rest_time = object->world->travels.data[id].rest_time;
	lua_settop(L, 1);
	luaL_checkstack(L, 12, "explain");
	attached_get(L, 1);
	lua_pushstring(L, verdict.text);
	lua_pushstring(L, verdict.word);
	lua_newtable(L);
	lua_pushnumber(L, rest_time);
	lua_setfield(L, -2, "restTime");
	if (verdict.other != NONE && push_live(L, object, 2, &class_body, verdict.other))
		lua_setfield(L, 5, "body");
	lua_settop(L, 5);
	return 3;
}

const luaL_Reg world_explain_methods[] = {
	{"explain", world_explain},
	{NULL, NULL},
};

const luaL_Reg body_explain_methods[] = {
	{"explain", body_explain},
	{NULL, NULL},
};
