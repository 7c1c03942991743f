/* world.c - see world.h. */
#include "core/world.h"
#include "base/clock.h"
#include "base/lane_count.h"
#include "base/scalar.h"
#include "core/burden.h"
#include "core/ccd.h"
#include "core/collider.h"
#include "core/contact.h"
#include "core/controller.h"
#include "core/event.h"
#include "core/field.h"
#include "core/history.h"
#include "core/joint.h"
#include "core/misfit.h"
#include "core/body.h"
#include "core/pairs.h"
#include "core/partition.h"
#include "core/one_way.h"
#include "core/pre_solve.h"
#include "core/passage.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/speculative.h"
#include "core/stage.h"

#include <string.h>

enum {
	CONTACT_GRAIN = 4 /* words of 64 contacts */,
	FINISH_GRAIN = 16 /* bodies */,
	WORD_GRAIN = 1 /* words of 64 bodies */
}; /* some 1 to 20 us of work per block */

/* --- Life ----------------------------------------------------------------------------------------------------------------- */

/* Box2D's values, for bodies of 0.1 to 10 m, but for contacts of 40 Hz instead of 30, where the sub-steps can follow: see
 * contact_hertz. (In steps of 1/120 s with four sub-steps, contacts of 60 Hz make 27 more figures of random scenes in
 * scripts/zoo better than Box2D's, and 5 more worse.) */
struct settings settings_default(float length_scale)
{
	return (struct settings){
		.length_scale = length_scale,
		.contact_hertz = 40.0f,
		.contact_damping_ratio = 10.0f,
		.joint_hertz = 60.0f,
		.joint_damping_ratio = 2.0f,
		.contact_speed = 3.0f * length_scale,
		.restitution_threshold = 1.0f * length_scale,
		.hit_speed = 1.0f * length_scale,
		.maximum_speed = MAXIMUM_SPEED * length_scale,
		.maximum_turn_rate = 240.0f,
		.timestep = 1.0 / 60.0,
		.max_ticks = 5,
		.friction_mixing = MIX_GEOMETRIC,
		.restitution_mixing = MIX_MAXIMUM,
		.substeps = 4,
		.sleeping_allowed = true,
		.continuous = true,
	};
}

struct world *world_create(
	struct memory *memory, const struct wing *wing, const struct settings *settings, const float gravity[3], int workers)
{
	struct world *world = memory_zeroed(memory, sizeof *world);
	if (world == NULL)
		return NULL;
	world->wing = wing;
	world->lanes = lane_count() == 1 ? LANES_1 : lane_count() == 8 ? LANES_8 : LANES_4;
	world->memory = memory;
	world->settings = *settings;
	memcpy(world->gravity, gravity, sizeof world->gravity);
	world->gravity_doubted = true;
	world->alpha = 1.0;
	world->random = random_make(0);
	world->disabled = NONE;
	for (int i = 0; i < LAYERS; ++i)
		world->layer_masks[i] = UINT64_MAX;
	tree_room_init(&world->leaves, memory);
	tree_room_init(&world->fields.room, memory);
	tree_init(&world->fields.tree, &world->fields.room);
	for (int home = 0; home < TREES; ++home)
		tree_init(&world->trees[home], &world->leaves);
	if (!world_set_workers(world, workers)) {
		world_destroy(world);
		return NULL;
	}
	return world;
}

static void events_free(struct memory *memory, struct events *events)
{
	array_free(memory, &events->begins);
	array_free(memory, &events->hits);
	array_free(memory, &events->overlap_begins);
	array_free(memory, &events->ends.all);
	array_free(memory, &events->overlap_ends.all);
	array_free(memory, &events->moves);
	array_free(memory, &events->joints);
	bits_free(memory, &events->woke);
	bits_free(memory, &events->slept);
}

void world_destroy(struct world *world)
{
	struct memory *memory = world->memory;
	const struct wing *wing = world->wing;
	assert(!world->locked);
	histories_destroy(world);
	for (uint32_t i = 0; i < world->colliders.count; ++i)
		if (world->colliders.data[i].valid)
			wing->shape_release(world->colliders.data[i].shape);
	joints_release_curves(world);
	events_free(memory, &world->events);
	fields_free(world);
	controllers_free(world);
	pair_search_destroy(world);
	jobs_destroy(world->jobs);
	for (int i = 0; i <= COLOURS; ++i)
		for (int rows = 0; rows < SOLVERS; ++rows)
			array_free(memory, &world->colours[i].links[rows]);
	struct bits *sets[] = {&world->awake_bodies, &world->awake_movers, &world->awake_contacts, &world->following_contacts,
		&world->changed_contacts, &world->hit_contacts, &world->loaded_bodies, &world->border_contacts, &world->deep_contacts,
		&world->plunged_contacts, &world->parted_contacts, &world->sunk_contacts, &world->shifted_bodies, &world->known_loads,
		&world->enlarged_proxies, &world->stirred_bodies, &world->ahead_bodies, &world->drifting, &world->stale,
		&world->enclosed_words, &world->lulled_bodies, &world->roused_bodies, &world->fast_bodies, &world->fast_bullets,
		&world->fast_obstacles, &world->overtaken_bodies, &world->bouncing_bodies, &world->caught_bodies, &world->asked_bullets,
		&world->ended_joints, &world->watched_joints, &world->linked_bodies, &world->taken_bodies, &world->restless_islands,
		&world->loosened_islands, &world->settled_bodies, &world->reached_bodies, &world->restless_bodies,
		&world->teleported_bodies, &world->asked_contacts, &world->barred_contacts, &world->mixed_contacts,
		&world->woken_bodies, &world->slept_bodies, &world->sensors, &world->passing_bodies, &world->near_bodies,
		&world->dropping_bodies, &world->unfinished_drops, &world->passing_contacts};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i)
		bits_free(memory, sets[i]);
	for (int kind = 0; kind < TOUCHED_KINDS; ++kind)
		bits_free(memory, &world->touched[kind]);
	struct ids *ids[] = {&world->body_ids, &world->collider_ids, &world->proxy_ids, &world->contact_ids, &world->joint_ids,
		&world->island_ids, &world->mover_ids, &world->one_way_ids};
	for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i)
		ids_free(memory, ids[i]);
	array_free(memory, &world->doubtful);
	array_free(memory, &world->surfaces);
	array_free(memory, &world->drops);
	array_free(memory, &world->one_way_normals);
	array_free(memory, &world->verdicts);
	array_free(memory, &world->verdict_firsts);
	array_free(memory, &world->passing);
	array_free(memory, &world->passages);
	array_free(memory, &world->bodies);
	array_free(memory, &world->travels);
	array_free(memory, &world->travel_limits);
	array_free(memory, &world->burdens);
	array_free(memory, &world->loads);
	array_free(memory, &world->colliders);
	array_free(memory, &world->proxies);
	array_free(memory, &world->contacts);
	array_free(memory, &world->joints);
	array_free(memory, &world->islands);
	array_free(memory, &world->reached);
	array_free(memory, &world->awake);
	array_free(memory, &world->unweighed);
	array_free(memory, &world->fast);
	array_free(memory, &world->linkage_members);
	array_free(memory, &world->hits);
	array_free(memory, &world->impacts);
	array_free(memory, &world->paths);
	array_free(memory, &world->unbounded);
	array_free(memory, &world->moved_proxies);
	array_free(memory, &world->moved_statics);
	array_free(memory, &world->edited);
	array_free(memory, &world->tree_entries);
	array_free(memory, &world->enclosures);
	pairset_free(memory, &world->pairs);
	tree_room_free(&world->leaves);
	memory_resize(memory, world->body_rows, world->body_row_capacity * wing->body_size, 0);
	memory_resize(memory, world->mover_rows, world->mover_row_capacity * wing->mover_size, 0);
	memory_resize(memory, world->states, world->state_capacity * wing->state_size, 0);
	memory_resize(memory, world->step_rows, world->step_row_capacity * wing->step_size, 0);
	memory_resize(memory, world->manifolds, world->manifold_capacity * wing->manifold_size, 0);
	memory_resize(memory, world->border_rows, world->border_row_capacity * wing->border_size, 0);
	array_free(memory, &world->border_firsts);
	memory_resize(memory, world->joint_rows, world->joint_row_capacity * wing->joint_size, 0);
	array_free(memory, &world->depenetration.overlaps);
	array_free(memory, &world->depenetration.shifts);
	array_free(memory, &world->depenetration.groups);
	array_free(memory, &world->depenetration.shift_indices);
	array_free(memory, &world->depenetration.keys);
	partition_free(world);
	memory_resize(memory, world, sizeof *world, 0);
}

bool world_set_workers(struct world *world, int workers)
{
	struct jobs *old_jobs = world->jobs, *jobs = NULL;
	struct pair_search *old_search = world->pair_search;
	if (workers > 1 && (jobs = jobs_create(world->memory, workers)) == NULL)
		return false;
	world->jobs = jobs;
	if (!pair_search_create(world)) {
		world->jobs = old_jobs;
		jobs_destroy(jobs);
		return false;
	}
	struct pair_search *search = world->pair_search;
	world->pair_search = old_search;
	pair_search_destroy(world);
	world->pair_search = search;
	world->partition.valid = false; /* it has memory for each worker */
	jobs_destroy(old_jobs);
	return true;
}

void world_take_workers(struct world *world, struct world *from)
{
	struct jobs *jobs = world->jobs;
	struct pair_search *search = world->pair_search;
	world->jobs = from->jobs;
	world->pair_search = from->pair_search;
	from->jobs = jobs;
	from->pair_search = search;
	world->partition.valid = from->partition.valid = false;
}

int world_get_workers(const struct world *world)
{
	return jobs_worker_count(world->jobs);
}

/* --- Step ----------------------------------------------------------------------------------------------------------------- */

static void profile_begin(struct world *world)
{
	for (int i = 0; i < PHASES; ++i)
		world->profile[i] = 0;
	world->lost = 0;
	world->clock = clock_nanoseconds();
}

/* Adds to the phase the time since the last call. The phases' sum is the step's time. */
static void phase_end(struct world *world, enum phase phase)
{
	uint64_t now = clock_nanoseconds();
	world->profile[phase] += now - world->clock;
	world->clock = now;
}

/* Greatest rotation of a dynamic body in a sub-step, whatever maximum_turn_rate is [rad]. (The default of maximum_turn_rate is
 * just that at 60 Hz and 4 sub-steps.) If it rotated faster, its corners could pass through obstacles between two sub-steps. */
#define MAXIMUM_TURN 1.0f

/* Number of sub-steps of a step: as set, and proportionally more in a step longer than 1/60 s. Soft contacts, solved once per
 * sub-step, need short sub-steps: at 30 Hz houses of cards, arches and piles of pipes that stand and sleep with 1/240 s fell or
 * crept with 1/120 s. Such a step costs less than two of half its length, since shapes collide once. */
static int substeps_of(const struct settings *settings, float dt)
{
	float count = (float)settings->substeps * max_f(1.0f, 60.0f * dt);
	return count < MOST_SUBSTEPS ? (int)(count + 0.5f) : MOST_SUBSTEPS;
}

/* Returns the frequency of contact springs [1/s]: as set, but at most a seventh of the sub-step rate. With that limit, towers
 * of posts and slabs of up to 15 storeys come to rest at 30, 60 and 120 Hz; with a sixth, those of ten sway for ever. The
 * additional sub-steps of a long step raise the limit only by the square root of their ratio, since points and normals are
 * fixed for the whole step. (At 30 Hz and 1/240 s, springs of 34, 24 and 20 Hz do worse than Box2D in 13, 6 and 9 figures of
 * random scenes.) With variable steps the stiffness, and so the depth at which bodies rest, would change. So the limit follows
 * a running mean of the sub-steps, which a hitch hardly changes, but is at most a fifth of the present sub-step's rate.
 * Source: Catto, "Solver2D", 2024, uses an eighth of the sub-step's rate. */
static float contact_hertz(struct world *world, float dt, float h)
{
	float followed = sqrtf(h * (dt / (float)world->settings.substeps)), *mean = &world->mean_h;
	*mean = *mean > 0.0f ? *mean + (min_f(followed, 2.0f * *mean) - *mean) / 32.0f : followed;
	return min_f(world->settings.contact_hertz, min_f(1.0f / (7.0f * *mean), 1.0f / (5.0f * h)));
}

/* Sets world->step. Contacts with non-dynamic bodies have twice the frequency, since they accelerate only one mass, and half
 * the damping ratio, so that their impulses fade as fast as the others'. Source: Catto, "Solver2D", 2024; the half is Box3D's
 * (Catto, 2025). */
static void step_prepare(struct world *world, float dt)
{
	const struct settings *settings = &world->settings;
	struct step *step = &world->step;
	int substeps = substeps_of(settings, dt);
	*step = (struct step){.dt = dt, .h = dt / (float)substeps, .substeps = substeps, .carry = 1.0f};
	if (dt > 0.0f) {
		step->carry = world->last_h > 0.0f ? min_f(step->h / world->last_h, 2.0f) : 1.0f;
		world->last_dt = dt;
		world->last_h = step->h;
		step->inv_dt = 1.0f / dt;
		step->inv_h = (float)substeps / dt;
		float hertz = contact_hertz(world, dt, step->h), omega = 6.28318530718f * hertz;
		step->load_speed = hertz > 0.0f ? omega * omega * step->h * LINEAR_SLOP * settings->length_scale : INFINITY;
		step->contact_soft = soft_make(hertz, settings->contact_damping_ratio, step->h);
		step->static_soft = soft_make(2.0f * hertz, 0.5f * settings->contact_damping_ratio, step->h);
	}
	step->joint_soft = lock_soft(world, settings->joint_hertz, settings->joint_damping_ratio);
	step->turn_rate = min_f(settings->maximum_turn_rate, MAXIMUM_TURN * step->inv_h);
	if (world->awake.count > 0)
		world->wing->still_prepare(world); /* bodies that look ahead read state 0 of fixed bodies on their joints */
}

/* Marks bodies that have contacts and look ahead, for collide. */
static void ahead_mark(struct world *world, uint32_t begin, uint32_t end)
{
	for (uint32_t row = begin; row < end; ++row) {
		uint32_t id = world->awake.data[row];
		if (world->bodies.data[id].link_counts[LINK_CONTACT] > 0 && body_looks_ahead(world, id))
			bits_set_shared(&world->ahead_bodies, id);
	}
}

/* Keeps the bodies awake that touch a moving kinematic body or are jointed to it, and wakes sleeping ones whose AABBs overlap
 * its AABBs. */
static void kinematic_stirs(struct world *world, const struct body *body)
{
	for (uint32_t key = body->links[LINK_CONTACT]; key != NONE; key = link_next(world, LINK_CONTACT, key)) {
		uint32_t id = link_other_body(world, LINK_CONTACT, key);
		const struct contact *contact = &world->contacts.data[key / 2];
		if ((contact->link.flags & CONTACT_SENSOR) || world->bodies.data[id].island.id == NONE ||
			!contact_boxes_overlap(world, contact))
			continue;
		if ((contact->link.flags & CONTACT_TOUCHING) || world->bodies.data[id].set == SET_ASLEEP) {
			body_wake(world, id);
			bits_set(&world->restless_islands, world->bodies.data[id].island.id);
		}
	}
	for (uint32_t key = joints_skip_idle(world, body->links[LINK_JOINT]); key != NONE; key = joints_next(world, key)) {
		uint32_t id = link_other_body(world, LINK_JOINT, key);
		if (world->bodies.data[id].island.id != NONE) {
			body_wake(world, id);
			bits_set(&world->restless_islands, world->bodies.data[id].island.id);
		}
	}
}

/* Removes the move events of earlier steps whose bodies are awake, and so are listed again, or destroyed. */
static void moves_keep(struct world *world)
{
	struct events *events = &world->events;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < events->moves.count; ++i) {
		struct move_event move = events->moves.data[i];
		if (!handle_valid_body(world, move.body) || world->bodies.data[move.body.index].row != NONE)
			continue;
		move.fell_asleep = world->bodies.data[move.body.index].set == SET_ASLEEP;
		events->moves.data[kept++] = move;
	}
	events->moves.count = events->moves_begin = kept;
}

/* Lists the bodies that were awake in this step as move events, and lets the moving kinematic ones keep others awake. */
static void moves_commit(struct world *world)
{
	bool kinematic = false;
	moves_keep(world);
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		uint32_t id = world->awake.data[row];
		const struct body *body = &world->bodies.data[id];
		array_push(&world->events.moves, (struct move_event){{id, body->generation}, false});
		kinematic |= body->type == BODY_KINEMATIC;
	}
	for (uint32_t i = world->events.moves_begin; kinematic && i < world->events.moves.count; ++i) {
		uint32_t id = world->events.moves.data[i].body.index;
		if (world->bodies.data[id].type == BODY_KINEMATIC && world->wing->body_moves(world, id))
			kinematic_stirs(world, &world->bodies.data[id]);
	}
}

/* Refits the AABBs of bodies that may look ahead. */
static void stirred_look_ahead(struct world *world)
{
	if (bits_next(&world->stirred_bodies, 0) == NONE)
		return;
	world_for(world, 0, world->stirred_bodies.word_count, WORD_GRAIN, bodies_look_ahead);
	bits_clear_all(&world->stirred_bodies);
}

/* Called when a step begins that keeps the events of earlier ones: reserves room for its own of moves and joints. */
static bool events_reserve(struct world *world)
{
	struct events *events = &world->events;
	return array_reserve(world->memory, &events->moves, events->moves.count + world->movable_count) &&
		joint_events_reserve(world);
}

/* False: no memory. */
static bool step_begin(struct world *world, float dt, bool keep)
{
	bodies_weigh(world);
	world->locked = true;
	profile_begin(world);
	events_begin(world, keep);
	joint_events_begin(world, keep);
	step_prepare(world, dt);
	pre_solve_forget(world);
	one_way_begin(world, dt);
	fields_follow(world);
	proxies_rest(world, false);
	if (dt > 0.0f)
		stirred_look_ahead(world);
	proxies_refit(world);
	return !keep || events_reserve(world);
}

static void step_collide(struct world *world)
{
	bits_clear_all(&world->ahead_bodies);
	if (ids_count(&world->joint_ids) > 0 && ids_count(&world->contact_ids) > 0)
		world_for(world, 0, world->awake.count, FINISH_GRAIN, ahead_mark);
	world_for(world, 0, world->awake_contacts.word_count, CONTACT_GRAIN, world->wing->collide[world->lanes]);
}

/* Reserves the rows of border contacts, and numbers them. */
static bool borders_reserve(struct world *world)
{
	const struct bits *borders = &world->border_contacts;
	uint32_t count = 0;
	if (!array_reserve(world->memory, &world->border_firsts, borders->word_count))
		return false;
	for (uint32_t word = 0; word < borders->word_count; ++word) {
		world->border_firsts.data[word] = count;
		count += (uint32_t)__builtin_popcountll(bits_word(borders, word));
	}
	return array_grow(
		world->memory, (void **)&world->border_rows, &world->border_row_capacity, world->wing->border_size, count);
}

/* False: no memory. */
static bool step_collide_borders(struct world *world)
{
	struct bits *borders = &world->border_contacts;
	if (bits_next(borders, 0) == NONE)
		return true;
	bool reserved = borders_reserve(world);
	if (reserved) {
		world_for(world, 0, borders->word_count, CONTACT_GRAIN, world->wing->collide_alone);
		world_for(world, 0, borders->word_count, CONTACT_GRAIN, world->wing->collide_borders);
	} else {
		bits_clear_all(&world->changed_contacts); /* as in contacts_commit */
	}
	bits_clear_all(borders);
	return reserved;
}

/* Decides on contacts. False: no memory. */
static bool step_pre_solve(struct world *world)
{
	bool done = !pre_solve_decides(world) || pre_solve_contacts(world);
	phase_end(world, PHASE_COLLIDE);
	return done;
}

/* False: no memory, no contact has begun or ended. */
static bool step_commit(struct world *world)
{
	if (bits_next(&world->changed_contacts, 0) == NONE && !world->any_once)
		return true;
	bool done = contacts_commit(world);
	phase_end(world, PHASE_CONTACTS);
	return done;
}

/* False: no memory, nothing moved. */
static bool step_solve(struct world *world)
{
	bits_clear_all(&world->restless_islands);
	burdens_take(world);
	bool solved = stages_run(world);
	burdens_leave(world);
	return solved;
}

/* False: some events are lost. */
static bool step_report_hits(struct world *world)
{
	bool reported = events_report_hits(world);
	bits_clear_all(&world->hit_contacts);
	return reported;
}

static void step_finish(struct world *world)
{
	world_for(world, 0, world->awake.count, FINISH_GRAIN, world->wing->bodies_finish);
	stirred_look_ahead(world);
	proxies_refit(world);
}

static void step_sweep(struct world *world)
{
	bool any = bodies_to_sweep(world);
	world->events_lost = false;
	if (any) {
		phase_end(world, PHASE_FINISH);
		bodies_sweep(world);
		proxies_refit(world);
	}
	controllers_end_sweep(world);
	passages_report(world);
	if (any)
		phase_end(world, PHASE_SWEEP);
}

static void step_sleep(struct world *world)
{
	moves_commit(world);
	islands_sleep(world);
	phase_end(world, PHASE_FINISH);
}

/* Whether nothing moves and no contact is awake, after pairs_update: then the rest of the step has no work. */
static bool world_rests(const struct world *world)
{
	return world->awake.count == 0 && bits_next(&world->awake_contacts, 0) == NONE &&
		bits_next(&world->settled_bodies, 0) == NONE;
}

bool world_step(struct world *world, double seconds, bool keep)
{
	float dt = (float)seconds;
	assert(!world->locked && dt >= 0.0f && is_finite_f(dt));
	controllers_begin_step(world, seconds);
	bool done = step_begin(world, dt, keep) && pairs_update(world), rests = world_rests(world);
	phase_end(world, PHASE_PAIRS);
	if (done && !rests) {
		step_collide(world);
		done = step_collide_borders(world) && step_pre_solve(world);
		done = done && step_commit(world);
	}
	if (done && !rests && dt > 0.0f) {
		done = step_solve(world); /* with depenetration at its end */
		phase_end(world, PHASE_SOLVE);
		if (done) {
			done = step_report_hits(world);
			step_finish(world);
			step_sweep(world);
			joints_report(world);
			step_sleep(world);
			done = done && !world->events_lost;
		}
	}
	events_report_sleep(world);
	++world->tick;
	sum_add(&world->time, seconds);
	controllers_end_step(world, seconds);
	world->locked = false;
	return done;
}

/* --- All of it ------------------------------------------------------------------------------------------------------------ */

void world_set_layers_meet(struct world *world, uint32_t a, uint32_t b, bool meet)
{
	if (world_layers_meet(world, a, b) == meet)
		return;
	world->layer_masks[a] ^= UINT64_C(1) << b;
	if (a != b)
		world->layer_masks[b] ^= UINT64_C(1) << a;
	for (uint32_t id = 0; id < world->colliders.count; ++id) {
		const struct collider *collider = &world->colliders.data[id];
		if (collider->valid && (collider->layer == a || collider->layer == b))
			collider_refilter(world, id);
	}
}

bool world_layers_meet(const struct world *world, uint32_t a, uint32_t b)
{
	return (world->layer_masks[a] >> b & 1) != 0;
}

void world_wake_all(struct world *world)
{
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		if (world->bodies.data[id].valid)
			body_wake(world, id);
}

void world_set_gravity(struct world *world, const float gravity[3])
{
	if (world->gravity[0] == gravity[0] && world->gravity[1] == gravity[1] && world->gravity[2] == gravity[2])
		return;
	memcpy(world->gravity, gravity, sizeof world->gravity);
	gravity_doubt(world);
	world_wake_all(world);
}
