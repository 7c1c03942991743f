/* burden.c - see burden.h.
 * The spring of a contact with the effective mass m gives way by P / (m omega^2 h) under an impulse P per sub-step of h. With
 *   P       the load on the body: its impulse, plus that which would stop the pressing body within a sub-step [mass length/s]
 *   slop    how far contacts may give way [length]
 * the mass needed is P / (omega^2 slop h): world->step.load_speed is the denominator [length/s]. The mass is at most that of
 * the heaviest body that presses on it.
 * Momentum is conserved only while the mass is constant: a body pushed along between others must never get a burden. So a
 * burden requires ground that opposes the load, through a chain of contacts, to a static or kinematic body, that all oppose it.
 * A body on ice that is pushed sideways, one in flight, and one in a row that is shot away have no such chain. In a load's
 * first step there are no impulses yet: then the load is estimated from the sum of the closing speeds along the chain. A lever
 * under a falling weight moves with the weight, so its chain does not close.
 * Stiffer contacts would eject the overlap that built up while they were soft, by 3 cm in a column of alternating masses of
 * 1000:1. So they keep the overlap that they have when the burden begins, and push out only the excess. The kept overlap
 * shrinks by a slop per second, plus, per second, half of its part beyond six slops. (When at most six slops were kept, 28
 * boxes of 2 m by 0.5 m that were put under 100:1 threw the load up by 8 m.) There is no burden where contacts give way by less
 * than six slops. A fluctuating load would make the mass fluctuate, and the mass the load: towers swayed for ever. So the mass
 * rises at once, falls slowly, and not below twice the mass needed.
 * Rejected: limiting the stiffness so that existing overlap is not ejected, which lets columns of alternating 10,000:1 sink by
 * 0.5 m; using the load alone, without the speeds of the chain, which lets them sink by 0.2 m.
 * Sources: Tournier, Nesme, Gilles, Faure, "Stable Constrained Dynamics", 2015, for inertia by load; Guendelman, Bridson,
 * Fedkiw, "Nonconvex Rigid Bodies with Stacking", 2003, for contacts in the order of their path to the ground. */
#include "core/burden.h"
#include "base/scalar.h"
#include "core/graph.h"
#include "core/link.h"
#include "core/touched.h"

#include <math.h>

#define BEGINS 6.0f /* a burden begins where contacts would give way by this many slops */
#define BAND 2.0f /* the mass falls to this multiple of the mass needed and no further */
#define EASE 0.25f /* time constant of the fall [s] */
#define LOST 0.05f /* a burden ends after this time without ground [s] */
#define GIVES_BACK 1.0f /* slops per second by which the kept overlap shrinks [1/s] */
#define SHRINKS 0.5f /* fraction per second by which the kept overlap beyond BEGINS slops shrinks [1/s] */
/* an axis is along a load if the squared cosine of their angle exceeds this; for ground that holds by friction see axes_set */
#define ALONG 0.1f
#define SAME_WAY 0.8f /* cosine of the angle within which directions count as equal */

enum {
	SWEEPS = 3, /* maximum passes over the loaded bodies, each in both orders */
	SEARCH = 256, /* maximum contacts examined in a ground search */
};

static bool touches(const struct world *world, uint32_t key)
{
	return (world->contacts.data[key / 2].link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) == CONTACT_TOUCHING;
}

/* Mass without burden; 0 for static and kinematic bodies. */
static float own_mass(const struct world *world, uint32_t id)
{
	return world->bodies.data[id].type == BODY_DYNAMIC ? body_weight(world, id) : 0.0f;
}

/* The mass with the burden of this step, as computed so far. */
static float mass_now(const struct world *world, uint32_t id)
{
	float own = own_mass(world, id);
	return bits_has(&world->loaded_bodies, id) ? max_f(own, burden_of(world, id)->mass) : own;
}

/* Returns the contact's load, which is constant until the sub-steps. The load is cached, as up to a hundred searches read it;
 * without memory for the cache it is computed in *room. */
static const struct contact_load *load_of(struct world *world, uint32_t contact, struct contact_load *room)
{
	if (contact >= world->loads.capacity || contact / 64 >= world->known_loads.word_count) {
		*room = world->wing->contact_load(world, contact);
		return room;
	}
	if (!bits_has(&world->known_loads, contact)) {
		world->loads.data[contact] = world->wing->contact_load(world, contact);
		bits_set(&world->known_loads, contact);
	}
	return &world->loads.data[contact];
}

/* The load of the contact `key` in a body's list, seen from that body: the direction is towards it, and speeds[1] is its own.
 * The impulse is scaled to this step. */
static struct contact_load load_on(struct world *world, uint32_t key)
{
	struct contact_load load, room;
	load = *load_of(world, key / 2, &room);
	load.push *= world->step.carry;
	if ((key & 1) != 0)
		return load;
	for (int i = 0; i < 3; ++i)
		load.direction[i] = -load.direction[i];
	return (struct contact_load){
		{load.direction[0], load.direction[1], load.direction[2]}, load.push, {-load.speeds[1], -load.speeds[0]}, load.overlap};
}

static bool grounded(struct world *world, uint32_t id, const float direction[3], int *left, float *approach);

/* As grounded, but searches once per body, step and direction: otherwise the searches in a heap of 1,000 bodies take 10 times
 * as long as its solve. False also for a body that the present search has reached already. */
static bool ground_found(struct world *world, uint32_t id, const float direction[3], int *left, float *approach)
{
	struct burden *burden = burden_of(world, id);
	if (burden->found != world->tick + 1 || dot(burden->towards, direction) < SAME_WAY) {
		if (burden->search == world->burden_search)
			return false;
		float delta = 0.0f;
		burden->ground = grounded(world, id, direction, left, &delta);
		burden->approach = delta;
		burden->found = world->tick + 1;
		for (int i = 0; i < 3; ++i)
			burden->towards[i] = direction[i];
	}
	*approach += burden->ground ? burden->approach : 0.0f;
	return burden->ground;
}

/* Whether friction would hold a body at rest on ground that pushes in the direction `support`. */
static bool ground_holds(const struct world *world, uint32_t contact, const float support[3])
{
	float friction = ((const struct contact_material *)manifold_row(world, contact))->friction;
	float into = -dot(world->gravity, support);
	float across = max_f(dot(world->gravity, world->gravity) - into * into, 0.0f);
	return into > 0.0f && across < friction * friction * into * into;
}

/* Whether the ground opposes a push on the body in this direction: through its contacts, and recursively those of the bodies
 * behind them. If so, sets the body's `support` and `sticks`, and adds the closing speeds of the contacts on the path to the
 * ground to *approach. Examines *left contacts at most, and lowers it. */
static bool grounded(struct world *world, uint32_t id, const float direction[3], int *left, float *approach)
{
	burden_of(world, id)->search = world->burden_search;
	const struct body *body = &world->bodies.data[id];
	for (uint32_t key = body->links[LINK_CONTACT]; key != NONE && *left > 0; key = link_next(world, LINK_CONTACT, key)) {
		--*left;
		if (!touches(world, key))
			continue;
		/* Reads the load in place: load_on would copy it, and most are excluded by their direction. */
		struct contact_load room;
		const struct contact_load *load = load_of(world, key / 2, &room);
		float along = dot(load->direction, direction);
		if (!(load->push * world->step.carry > 0.0f) || ((key & 1) != 0 ? along : -along) > -0.5f)
			continue;
		uint32_t other = link_other_body(world, LINK_CONTACT, key);
		float closes = load->speeds[0] - load->speeds[1];
		bool fixed = own_mass(world, other) == 0.0f;
		if (fixed || ground_found(world, other, direction, left, approach)) {
			struct burden *burden = burden_of(world, id);
			const struct burden *below = burden_of(world, other);
			for (int i = 0; i < 3; ++i)
				burden->support[i] = !fixed ? below->support[i] : (key & 1) != 0 ? load->direction[i] : -load->direction[i];
			burden->sticks = fixed ? ground_holds(world, key / 2, burden->support) : below->sticks;
			*approach += closes;
			return true;
		}
	}
	return false;
}

/* Whether the ground opposes a push on the body in this direction; if so, adds to *approach as grounded does. */
static bool ground_opposes(struct world *world, uint32_t id, const float direction[3], float *approach)
{
	int left = SEARCH;
	if (!world->islands.data[world->bodies.data[id].island.id].grounded)
		return false;
	++world->burden_search;
	return ground_found(world, id, direction, &left, approach);
}

/* The load on a body, summed over its contacts. */
struct press {
	float sum, total[3]; /* sums of the impulses' magnitudes, and of the impulses as vectors [mass length/s] */
	float demand[3]; /* sum of the impulses, as vectors, that the ground opposes [mass length/s] */
	float heaviest; /* mass of the heaviest body that presses on it [mass] */
	float overlap; /* overlap of the deepest contact [length] */
	bool begins; /* contacts would give way too far without a burden */
};

static void press_add(struct world *world, uint32_t id, uint32_t key, float mass, struct press *press)
{
	uint32_t other = link_other_body(world, LINK_CONTACT, key);
	struct contact_load load = load_on(world, key);
	if (!(load.push > 0.0f))
		return;
	press->overlap = max_f(press->overlap, load.overlap);
	press->sum += load.push;
	for (int i = 0; i < 3; ++i)
		press->total[i] += load.push * load.direction[i];
	float least = world->step.load_speed * mass, own = own_mass(world, other), others = mass_now(world, other);
	bool heavier = others > LOAD_RATIO * mass || (others > own && others > mass);
	float passed = bits_has(&world->loaded_bodies, other) ? dot(load.direction, burden_of(world, other)->demand) : 0.0f;
	/* No search is needed if no burden has begun, and neither the contact's impulse nor that which would stop the pressing body
	 * can begin one. part: 1 / sub-steps, since the stopping impulse is spread over the step. */
	float part = world->step.h * world->step.inv_dt;
	bool least_likely = !press->begins && !(max_f(load.push, part * others * abs_f(load.speeds[0])) > BEGINS * least);
	if (own == 0.0f || !(passed > least || (heavier && !least_likely)))
		return;
	float approach = load.speeds[0] - load.speeds[1];
	if (!ground_opposes(world, id, load.direction, &approach))
		return;
	float stop = others * abs_f(approach), push = heavier ? max_f(load.push + stop, passed) : passed;
	press->heaviest = heavier ? max_f(press->heaviest, others) : press->heaviest;
	/* A larger mass would add energy to a struck body that moves along with the pressing one. */
	bool rests = abs_f(load.speeds[1]) < world->settings.restitution_threshold;
	press->begins |= passed > 0.0f || (rests && max_f(load.push, part * stop) > BEGINS * least);
	/* The ground opposes only the component of the load along its normal. */
	const float *support = burden_of(world, id)->support;
	float along = push * dot(load.direction, support);
	for (int i = 0; i < 3; ++i)
		press->demand[i] += along * support[i];
}

/* Computes the mass that the body needs, and its demand. Returns whether these changed, the demand by more than 1 %. */
static bool body_weigh(struct world *world, uint32_t id)
{
	struct burden *burden = burden_of(world, id);
	struct press press = {.begins = burden->times > 1.0f};
	float mass = own_mass(world, id), before = burden->mass, demand = sqrtf(dot(burden->demand, burden->demand));
	burden->carries = burden->due = false;
	for (uint32_t key = world->bodies.data[id].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		if (!touches(world, key))
			continue;
		uint32_t other = link_other_body(world, LINK_CONTACT, key);
		burden->carries |= own_mass(world, other) * burden_of(world, other)->times > mass;
		press_add(world, id, key, mass, &press);
	}
	float through = 0.5f * (press.sum - sqrtf(dot(press.total, press.total)));
	float balance = through > 0.0f && press.begins ? through / (press.sum - through) : 0.0f;
	for (int i = 0; i < 3; ++i)
		burden->demand[i] = balance * press.demand[i];
	float now = sqrtf(dot(burden->demand, burden->demand));
	burden->overlap = press.overlap;
	burden->mass = max_f(mass, min_f(now / world->step.load_speed, press.heaviest));
	return burden->mass != before || abs_f(now - demand) > 0.01f * now;
}

static bool body_may_carry(const struct world *world, uint32_t id)
{
	return world->bodies.data[id].set == SET_AWAKE && own_mass(world, id) > 0.0f;
}

static void body_list(struct world *world, uint32_t id)
{
	struct burden *burden = burden_of(world, id);
	bits_set(&world->loaded_bodies, id);
	burden->mass = own_mass(world, id);
	burden->demand[0] = burden->demand[1] = burden->demand[2] = 0.0f;
	burden->due = true;
}

/* Marks the loaded neighbours of a burdened body as due, and adds its lighter neighbours to the loaded bodies: those under it
 * bear its load as well. */
static void neighbours_call(struct world *world, uint32_t id)
{
	for (uint32_t key = world->bodies.data[id].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		uint32_t other = link_other_body(world, LINK_CONTACT, key);
		if (!touches(world, key) || !body_may_carry(world, other))
			continue;
		if (bits_has(&world->loaded_bodies, other))
			burden_of(world, other)->due = true;
		else if (own_mass(world, other) < burden_of(world, id)->mass)
			body_list(world, other);
	}
}

static bool load_pass(struct world *world, uint32_t id)
{
	if (!burden_of(world, id)->due || !body_may_carry(world, id) || !body_weigh(world, id))
		return false;
	neighbours_call(world, id);
	return true;
}

/* Computes the masses of the due bodies in descending order of id, then, if one has changed, in ascending order: in towers
 * built from the ground, loads propagate to lower ids. False: nothing changed. */
static bool loads_pass(struct world *world)
{
	const struct bits *loaded = &world->loaded_bodies;
	bool changed = false;
	for (uint32_t id = bits_previous(loaded, world->bodies.count); id != NONE; id = bits_previous(loaded, id))
		changed |= load_pass(world, id);
	for (uint32_t id = bits_next(loaded, 0); changed && id != NONE; id = bits_next(loaded, id + 1))
		changed |= load_pass(world, id);
	return changed;
}

/* Sets the factors per axis. A burden acts on the axes along its load: see ALONG. On a slope that holds the body it also acts
 * on axes with a smaller component of the load, down to a squared cosine of 1 / times: an unburdened axis at the angle t to the
 * slope's normal would bound the mass along the normal to 1 / cos^2 t of the body's own. */
static void axes_set(struct burden *burden)
{
	float square = dot(burden->demand, burden->demand), least = burden->sticks ? min_f(1.0f / burden->times, ALONG) : ALONG;
	for (int i = 0; i < 3; ++i) {
		bool along = square > 0.0f ? burden->demand[i] * burden->demand[i] > least * square : burden->left[i] < 1.0f;
		burden->left[i] = along ? 1.0f / burden->times : 1.0f;
	}
}

/* Multiplies the warm-starting impulses of the body's contacts by part < 1, after its burden has ended or fallen below half in
 * one step: impulses of the larger mass would lift it. */
static void impulses_ease(struct world *world, uint32_t id, float part)
{
	for (uint32_t key = world->bodies.data[id].links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key))
		if (touches(world, key)) {
			record_touch(world, TOUCHED_MANIFOLDS, key / 2);
			world->wing->contact_ease(world, key / 2, part);
		}
}

/* Whether the ground opposes the body's last load. */
static bool is_grounded(struct world *world, uint32_t id)
{
	float approach = 0.0f;
	return ground_opposes(world, id, burden_of(world, id)->towards, &approach);
}

static void burden_set(struct world *world, uint32_t id)
{
	struct burden *burden = burden_of(world, id);
	float mass = own_mass(world, id);
	float wanted = burden->mass / mass;
	float before = burden->times;
	float eased = burden->times * EASE / (EASE + world->step.dt);
	/* Without ground the burden ends, since a burdened body falls too slowly. But a shaking tower loses the ground for a step
	 * or two, shorter than LOST. */
	burden->lost = wanted > 1.0f || (burden->carries && is_grounded(world, id)) ? 0.0f : burden->lost + world->step.dt;
	if (wanted > 1.0f)
		burden->times = max_f(wanted, min_f(burden->times, max_f(eased, BAND * wanted)));
	else
		burden->times = burden->carries && burden->lost < LOST ? max_f(eased, 1.0f) : 1.0f;
	axes_set(burden);
	if (burden->times < 0.5f * before)
		impulses_ease(world, id, burden->times / before);
	float slop = LINEAR_SLOP * world->settings.length_scale;
	float most = before > 1.0f
		? burden->kept - (GIVES_BACK * slop + SHRINKS * max_f(burden->kept - BEGINS * slop, 0.0f)) * world->step.dt
		: INFINITY;
	burden->kept = max_f(0.0f, min_f(most, burden->overlap));
	world->step.burdened |= burden->times > 1.0f;
	if (burden->times > 1.0f)
		world->wing->body_burden(world, id, burden->left, 1.0f / burden->times);
	else
		bits_clear(&world->loaded_bodies, id);
}

/* Marks the awake islands in which a ground search may succeed: those with a solved contact with a static or kinematic body, or
 * with a dynamic body of infinite mass. */
static void ground_mark(struct world *world, uint32_t island, bool grounded)
{
	if (world->islands.data[island].grounded == grounded)
		return;
	record_touch(world, TOUCHED_ISLANDS, island);
	world->islands.data[island].grounded = grounded;
}

static void grounds_mark(struct world *world)
{
	for (uint32_t i = 0; i < world->islands.count; ++i)
		ground_mark(world, i, false);
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		uint32_t id = world->awake.data[row], island = world->bodies.data[id].island.id;
		if (island != NONE && (body_touches_fixed(world, id) || own_mass(world, id) == 0.0f))
			ground_mark(world, island, true);
	}
}

void burdens_take(struct world *world)
{
	struct bits *loaded = &world->loaded_bodies;
	if (bits_next(loaded, 0) == NONE)
		return;
	++world->burden_changes;
	grounds_mark(world);
	bits_clear_all(&world->known_loads);
	if (bits_reserve(world->memory, &world->known_loads, world->contacts.count))
		(void)array_reserve(world->memory, &world->loads, world->contacts.count);
	for (uint32_t id = bits_next(loaded, 0); id != NONE; id = bits_next(loaded, id + 1))
		if (body_may_carry(world, id))
			body_list(world, id);
	for (int i = 0; i < SWEEPS && loads_pass(world); ++i)
		;
	for (uint32_t id = bits_next(loaded, 0); id != NONE; id = bits_next(loaded, id + 1))
		if (body_may_carry(world, id))
			burden_set(world, id);
}

void burdens_leave(struct world *world)
{
	static const float whole[3] = {1.0f, 1.0f, 1.0f};
	for (uint32_t id = bits_next(&world->loaded_bodies, 0); id != NONE; id = bits_next(&world->loaded_bodies, id + 1))
		if (burden_of(world, id)->times > 1.0f && body_may_carry(world, id))
			world->wing->body_burden(world, id, whole, 1.0f);
}
