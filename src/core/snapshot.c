/* snapshot.c - see snapshot.h. The order is that of what refers to what: the numbers of all ids first. */
#include "core/snapshot.h"
#include "base/scalar.h"
#include "core/body.h"
#include "core/collider.h"
#include "core/contact.h"
#include "core/joint.h"
#include "core/link.h"
#include "core/proxy.h"
#include "core/sleep.h"
#include "core/snapshot_check.h"
#include "core/snapshot_records.h"
#include "core/world.h"
#include "core/world_hash.h"
#include "spatial/tree_archive.h"

static const char *const faulty = "an object contradicts others";

/* Notes a failed request for memory. */
static bool reserved(struct archive *archive, bool done)
{
	archive->no_memory |= !done;
	return archive_good(archive);
}

/* --- Settings and time ---------------------------------------------------------------------------------------------------- */

static void floats_pass(struct archive *archive, float *const numbers[], size_t count, float least, float most)
{
	for (size_t i = 0; i < count; ++i) {
		pass_f32(archive, numbers[i]);
		archive_check(archive, *numbers[i] >= least && *numbers[i] <= most, "a setting is out of range");
	}
}

static void settings_pass(struct archive *archive, struct settings *settings)
{
	float *scale[] = {&settings->length_scale};
	float *numbers[] = {&settings->contact_hertz, &settings->contact_damping_ratio, &settings->joint_hertz,
		&settings->joint_damping_ratio, &settings->contact_speed, &settings->restitution_threshold, &settings->hit_speed,
		&settings->maximum_speed, &settings->maximum_turn_rate};
	bool *flags[] = {&settings->sleeping_allowed, &settings->continuous, &settings->bullets_hit_bullets};
	floats_pass(archive, scale, 1, 1e-6f, 1e6f);
	floats_pass(archive, numbers, sizeof numbers / sizeof *numbers, 0.0f, INFINITY);
	settings->joint_solver = (enum joint_solver)pass_kind(archive, settings->joint_solver, JOINTS_DIRECT + 1);
	settings->friction_mixing = (enum mixing)pass_kind(archive, settings->friction_mixing, MIXINGS);
	settings->restitution_mixing = (enum mixing)pass_kind(archive, settings->restitution_mixing, MIXINGS);
	pass_f64(archive, &settings->timestep);
	archive_check(archive, settings->timestep > 0.0 && settings->timestep <= 1e15, "a setting is out of range");
	settings->substeps = (int)pass_kind(archive, (uint32_t)settings->substeps, MOST_SUBSTEPS + 1);
	archive_check(archive, settings->substeps > 0, "a setting is out of range");
	pass_i32(archive, &settings->max_ticks);
	archive_check(archive, settings->max_ticks > 0 && settings->max_ticks <= MOST_TICKS, "a setting is out of range");
	for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
		pass_bool(archive, flags[i]);
}

static void soft_pass(struct archive *archive, struct soft *soft)
{
	PASS_FLOATS(archive, soft);
}

/* The last step's parameters, by which forces follow from impulses. */
static void step_pass(struct archive *archive, struct step *step)
{
	float *numbers[] = {&step->dt, &step->h, &step->inv_dt, &step->inv_h, &step->carry, &step->turn_rate, &step->load_speed};
	floats_pass(archive, numbers, sizeof numbers / sizeof *numbers, 0.0f, INFINITY);
	step->substeps = (int)pass_kind(archive, (uint32_t)step->substeps, MOST_SUBSTEPS + 1);
	soft_pass(archive, &step->contact_soft);
	soft_pass(archive, &step->static_soft);
	soft_pass(archive, &step->joint_soft);
	pass_bool(archive, &step->burdened);
}

static void sum_pass(struct archive *archive, struct sum *sum)
{
	PASS_DOUBLES(archive, &sum->high);
	PASS_DOUBLES(archive, &sum->low);
}

static void time_pass(struct archive *archive, struct world *world)
{
	float *numbers[] = {&world->last_dt, &world->last_h, &world->mean_h};
	step_pass(archive, &world->step);
	floats_pass(archive, numbers, sizeof numbers / sizeof *numbers, 0.0f, 1e30f);
	PASS_FLOATS(archive, &world->gravity);
	uint64_t bits = 0;
	for (int i = 0; i < 4; ++i) {
		pass_u64(archive, &world->random.state[i]);
		bits |= world->random.state[i];
	}
	archive_check(archive, bits != 0, "the random numbers have no state");
	pass_u32(archive, &world->serial);
	pass_u64(archive, &world->tick);
	sum_pass(archive, &world->time);
	sum_pass(archive, &world->rest);
	PASS_DOUBLES(archive, &world->alpha);
	archive_check(archive, world->alpha >= 0.0 && world->alpha <= 1.0, "a setting is out of range");
	for (int layer = 0; layer < LAYERS; ++layer)
		pass_u64(archive, &world->layer_masks[layer]);
	for (uint32_t a = 0; a < LAYERS; ++a)
		for (uint32_t b = 0; b < a; ++b)
			archive_check(archive, world_layers_meet(world, a, b) == world_layers_meet(world, b, a), faulty);
	pass_bool(archive, &world->pre_solved);
	pass_bool(archive, &world->any_once);
	pass_u32(archive, &world->burden_search);
}

/* --- Ids ------------------------------------------------------------------------------------------------------------------ */

/* Sets the counts of the arrays of records to those of their ids, with all records 0. */
static void records_clear(struct world *world)
{
	world->bodies.count = world->body_ids.end;
	world->colliders.count = world->collider_ids.end;
	world->proxies.count = world->proxy_ids.end;
	world->contacts.count = world->contact_ids.end;
	world->joints.count = world->joint_ids.end;
	world->islands.count = world->island_ids.end;
	for (uint32_t id = 0; id < world->bodies.count; ++id) {
		world->bodies.data[id] =
			(struct body){.row = NONE, .colliders = NONE, .links = {NONE, NONE}, .island = {NONE, NONE, NONE}};
		world->travels.data[id] = (struct body_travel){0};
		memset(body_row(world, id), 0, world->wing->body_size);
	}
	for (uint32_t id = 0; id < world->mover_ids.end; ++id) {
		world->burdens.data[id] = (struct burden){0};
		memset(world->mover_rows + id * world->wing->mover_size, 0, world->wing->mover_size);
	}
	for (uint32_t id = 0; id < world->colliders.count; ++id)
		world->colliders.data[id] = (struct collider){.proxies = NONE};
	for (uint32_t id = 0; id < world->proxies.count; ++id)
		world->proxies.data[id] = (struct proxy){.collider = NONE};
	for (uint32_t id = 0; id < world->contacts.count; ++id) {
		world->contacts.data[id] = (struct contact){0};
		world->travel_limits.data[id] = (struct travel_limit){0};
		memset(manifold_row(world, id), 0, world->wing->manifold_size);
	}
	for (uint32_t id = 0; id < world->joints.count; ++id) {
		world->joints.data[id] = (struct joint){0};
		memset(joint_row(world, id), 0, world->wing->joint_size);
	}
	for (uint32_t id = 0; id < world->islands.count; ++id)
		world->islands.data[id] = (struct island){0};
}

/* Numbers of ids, as they are read, before the world has them. */
struct id_sets {
	struct ids bodies, movers, colliders, proxies, contacts, joints, islands, one_ways;
};

/* Reserves all that the ids need, in a new world. */
static bool world_reserve(struct world *world, const struct id_sets *ids, uint32_t movable)
{
	struct memory *memory = world->memory;
	return bodies_reserve(world, BODY_STATIC, ids->bodies.end) && bodies_reserve(world, BODY_DYNAMIC, movable) &&
		array_reserve(memory, &world->burdens, ids->movers.end) &&
		array_grow(memory, (void **)&world->mover_rows, &world->mover_row_capacity, world->wing->mover_size, ids->movers.end) &&
		array_reserve(memory, &world->islands, ids->islands.end) &&
		bits_reserve(memory, &world->restless_islands, ids->islands.end) &&
		bits_reserve(memory, &world->loosened_islands, ids->islands.end) &&
		bits_reserve(memory, &world->touched[TOUCHED_ISLANDS], ids->islands.end) &&
		bits_reserve(memory, &world->touched[TOUCHED_MOVERS], ids->movers.end) &&
		bits_reserve(memory, &world->awake_movers, ids->movers.end) && colliders_reserve(world, ids->colliders.end, 0) &&
		proxies_reserve(world, ids->proxies.end) && contacts_reserve(world, ids->contacts.end) &&
		joints_reserve(world, ids->joints.end) && array_reserve(memory, &world->one_way_normals, ids->one_ways.end);
}

static void ids_move(struct memory *memory, struct ids *to, struct ids *from)
{
	struct ids old = *to;
	*to = *from;
	*from = old;
	ids_free(memory, from);
}

static void ids_pass(struct archive *archive, struct world *world)
{
	struct ids *own[] = {&world->body_ids, &world->mover_ids, &world->collider_ids, &world->proxy_ids, &world->contact_ids,
		&world->joint_ids, &world->island_ids, &world->one_way_ids};
	const size_t least[] = {BODY_LEAST, world->wing->mover_size / 2, COLLIDER_LEAST, PROXY_LEAST, CONTACT_LEAST, JOINT_LEAST,
		ISLAND_LEAST, sizeof(struct one_way)};
	struct id_sets sets = {0};
	struct ids *read[] = {&sets.bodies, &sets.movers, &sets.colliders, &sets.proxies, &sets.contacts, &sets.joints,
		&sets.islands, &sets.one_ways};
	enum { KINDS = sizeof own / sizeof *own };
	for (int i = 0; i < KINDS; ++i)
		pass_ids(archive, archive->reading ? read[i] : own[i], least[i]);
	pass_below(archive, &world->movable_count, (archive->reading ? sets.bodies.end : world->body_ids.end) + 1);
	pass_below(archive, &world->mount_count, (archive->reading ? sets.bodies.end : world->body_ids.end) + 1);
	if (!archive->reading)
		return;
	uint32_t movable = world->movable_count;
	world->movable_count = 0;
	archive_check(archive, sets.movers.end > 0 || sets.bodies.end == 0, faulty);
	if (archive_good(archive) && reserved(archive, world_reserve(world, &sets, movable)) &&
		reserved(archive, ids_reserve(world->memory, &sets.islands, movable + 1))) {
		world->movable_count = movable;
		for (int i = 0; i < KINDS; ++i)
			ids_move(world->memory, own[i], read[i]);
		records_clear(world);
	}
	for (int i = 0; i < KINDS; ++i)
		ids_free(world->memory, read[i]);
}

/* --- Lists ---------------------------------------------------------------------------------------------------------------- */

/* Passes a list of at most `most` ids below `end`, for which capacity is reserved. */
static void list_pass(struct archive *archive, uint32_t *ids, uint32_t *count, uint32_t most, uint32_t end)
{
	*count = pass_count(archive, *count, sizeof *ids);
	if (!archive_check(archive, *count <= most, faulty) && archive->reading)
		*count = 0;
	for (uint32_t i = 0; i < *count; ++i)
		pass_below(archive, &ids[i], end);
}

static void awake_pass(struct archive *archive, struct world *world)
{
	list_pass(archive, world->awake.data, &world->awake.count, world->movable_count, world->bodies.count);
	for (uint32_t row = 0; row < world->awake.count; ++row) {
		struct body *body = &world->bodies.data[world->awake.data[row]];
		if (archive->reading && archive_check(archive, body->row == NONE, faulty)) {
			body->row = row;
			memset(world->step_rows + row * world->wing->step_size, 0, world->wing->step_size);
		}
		world->wing->state_pass(archive, world->states + (row + 1) * world->wing->state_size);
	}
	if (archive->reading && archive_good(archive))
		awake_sets_find(world);
}

static void moved_pass(struct archive *archive, struct world *world)
{
	list_pass(archive, world->moved_proxies.data, &world->moved_proxies.count, world->proxies.count, world->proxies.count);
	list_pass(archive, world->moved_statics.data, &world->moved_statics.count, world->proxies.count, world->proxies.count);
	list_pass(archive, world->unbounded.data, &world->unbounded.count, world->proxies.count, world->proxies.count);
	if (!archive->reading || !archive_good(archive))
		return;
	for (int fixed = 0; fixed < 2; ++fixed) {
		const uint32_t *list = fixed ? world->moved_statics.data : world->moved_proxies.data;
		uint32_t count = fixed ? world->moved_statics.count : world->moved_proxies.count;
		for (uint32_t i = 0; i < count; ++i) {
			struct proxy *proxy = &world->proxies.data[list[i]];
			bool right = proxy->collider != NONE && proxy->moved_index == NONE && (proxy->home == HOME_STATIC) == (fixed == 1);
			if (archive_check(archive, right, faulty))
				proxy->moved_index = i;
		}
	}
	for (uint32_t id = 0; id < world->proxies.count; ++id)
		if (world->proxies.data[id].collider != NONE && world->proxies.data[id].home == HOME_DRIFTING)
			bits_set(&world->drifting, id);
}

struct placing {
	struct world *world;
	enum proxy_home home;
};

static bool leaf_place(void *context, uint32_t value, uint32_t leaf)
{
	const struct placing *placing = context;
	struct proxy *proxies = placing->world->proxies.data;
	if (value >= placing->world->proxies.count || proxies[value].collider == NONE || proxies[value].leaf != NONE ||
		proxies[value].home != placing->home)
		return false;
	proxies[value].leaf = leaf;
	return true;
}

static void sets_pass(struct archive *archive, struct world *world)
{
	struct bits *of_contacts[] = {&world->awake_contacts, &world->deep_contacts, &world->plunged_contacts,
		&world->sunk_contacts, &world->asked_contacts, &world->barred_contacts, &world->mixed_contacts,
		&world->passing_contacts};
	struct bits *of_bodies[] = {&world->loaded_bodies, &world->teleported_bodies, &world->stirred_bodies, &world->lulled_bodies,
		&world->roused_bodies, &world->settled_bodies, &world->unfinished_drops, &world->woken_bodies, &world->slept_bodies};
	struct bits *of_proxies[] = {&world->enlarged_proxies, &world->stale};
	struct bits *of_joints[] = {&world->ended_joints, &world->watched_joints};
	for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; ++i)
		pass_bits(archive, of_contacts[i], world->contacts.count);
	for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; ++i)
		pass_bits(archive, of_bodies[i], world->bodies.count);
	for (size_t i = 0; i < sizeof of_proxies / sizeof *of_proxies; ++i)
		pass_bits(archive, of_proxies[i], world->proxies.count);
	for (size_t i = 0; i < sizeof of_joints / sizeof *of_joints; ++i)
		pass_bits(archive, of_joints[i], world->joints.count);
	pass_bits(archive, &world->loosened_islands, world->islands.count);
}

/* --- The graph ------------------------------------------------------------------------------------------------------------ */

static void colour_enter(struct archive *archive, struct world *world, uint32_t colour, uint32_t solver, uint32_t id)
{
	enum link_kind kind = solver == 0 ? LINK_CONTACT : LINK_JOINT;
	struct link *link = link_at(world, kind, id);
	if (!archive_check(archive, link->valid && link->solver == solver && link->colour == NO_COLOUR, faulty))
		return;
	struct colour *to = &world->colours[colour];
	link->colour = (uint8_t)colour;
	link->colour_index = to->links[solver].count;
	array_push(&to->links[solver], (struct coloured_link){id, {link->bodies[0], link->bodies[1]}});
	world->used_colours[solver] |= UINT32_C(1) << colour;
	for (int side = 0; side < 2 && colour != OVERFLOW; ++side)
		if (!body_fixed(world, link->bodies[side]))
			world->bodies.data[link->bodies[side]].taken_colours[kind] |= UINT32_C(1) << colour;
}

static void colours_pass(struct archive *archive, struct world *world)
{
	for (uint32_t colour = 0; colour <= OVERFLOW; ++colour)
		for (uint32_t solver = 0; solver < SOLVERS; ++solver) {
			uint32_t end = solver == 0 ? world->contacts.count : world->joints.count;
			uint32_t count = pass_count(archive, world->colours[colour].links[solver].count, sizeof(uint32_t));
			archive_check(archive, count <= end, faulty);
			if (archive->reading &&
				!reserved(archive, array_reserve(world->memory, &world->colours[colour].links[solver], count)))
				return;
			for (uint32_t i = 0; i < count; ++i) {
				uint32_t id = archive->reading ? 0 : world->colours[colour].links[solver].data[i].id;
				pass_below(archive, &id, end);
				if (archive->reading && archive_good(archive))
					colour_enter(archive, world, colour, solver, id);
			}
		}
}

/* --- Decisions, drops, overlaps, events ----------------------------------------------------------------------------------- */

static void decisions_pass(struct archive *archive, struct world *world)
{
	for (uint32_t i = 0; i < world->one_way_ids.end; ++i)
		PASS_FLOATS(archive, &world->one_way_normals.data[i].normal);
	pass_array(archive, &world->surfaces, sizeof(struct contact_surface));
	for (uint32_t i = 0; i < world->surfaces.count; ++i) {
		pass_below(archive, &world->surfaces.data[i].contact, world->contacts.count);
		PASS_FLOATS(archive, &world->surfaces.data[i].velocity);
	}
	pass_array(archive, &world->drops, 20);
	for (uint32_t i = 0; i < world->drops.count; ++i) {
		struct drop *drop = &world->drops.data[i];
		pass_below(archive, &drop->body, world->bodies.count);
		pass_u32(archive, &drop->generation);
		pass_u32(archive, &drop->ticks);
		PASS_FLOATS(archive, &drop->time);
		pass_f32(archive, &drop->depth);
		if (archive->reading && archive_check(archive, !bits_has(&world->dropping_bodies, drop->body), faulty))
			bits_set(&world->dropping_bodies, drop->body);
	}
}

/* The displacements of the last depenetration, which the next narrow phase reads. */
static void shifts_pass(struct archive *archive, struct world *world)
{
	struct depenetration *depenetration = &world->depenetration;
	pass_array(archive, &depenetration->shifts, 4 + 1 + 6 * sizeof(float));
	if (archive->reading && depenetration->shifts.count > 0 &&
		!reserved(archive,
			array_reserve(world->memory, &depenetration->shift_indices, world->bodies.count) &&
				array_reserve(world->memory, &depenetration->groups, depenetration->shifts.count)))
		return;
	for (uint32_t i = 0; i < depenetration->shifts.count && archive_good(archive); ++i) {
		struct shift *shift = &depenetration->shifts.data[i];
		pass_below(archive, &shift->body, world->bodies.count);
		pass_bool(archive, &shift->moved);
		PASS_FLOATS(archive, &shift->inv_mass);
		PASS_FLOATS(archive, &shift->delta);
		if (!archive->reading || !archive_check(archive, !bits_has(&world->shifted_bodies, shift->body), faulty))
			continue;
		bits_set(&world->shifted_bodies, shift->body);
		depenetration->shift_indices.data[shift->body] = i;
	}
}

/* The destroyed joints whose ids the next step gives back: see joint_events_begin. */
static void held_joints_pass(struct archive *archive, struct world *world)
{
	struct events *events = &world->events;
	uint32_t held = 0;
	for (uint32_t i = events->joints_begin; !archive->reading && i < events->joints.count; ++i)
		held += joint_held(world, events->joints.data[i].joint.index);
	held = pass_count(archive, held, sizeof(uint32_t));
	if (archive->reading && !reserved(archive, array_reserve(world->memory, &events->joints, held)))
		return;
	for (uint32_t i = events->joints_begin, passed = 0; passed < held && archive_good(archive); ++i) {
		uint32_t id = archive->reading ? 0 : events->joints.data[i].joint.index;
		if (!archive->reading && !joint_held(world, id))
			continue;
		++passed;
		pass_below(archive, &id, world->joints.count);
		if (archive->reading && archive_good(archive) &&
			archive_check(archive, !world->joints.data[id].link.valid && !world->joints.data[id].named, faulty)) {
			world->joints.data[id].named = true;
			array_push(&events->joints, (struct joint_event){{id, world->joints.data[id].generation}, 0.0, 0.0, true});
		}
	}
}

/* --- All of it ------------------------------------------------------------------------------------------------------------ */

static void objects_pass(struct archive *archive, struct world *world, struct shape_table *shapes)
{
	shapes_pass(archive, world, shapes);
	for (uint32_t id = 0; id < world->bodies.count && archive_good(archive); ++id)
		body_pass(archive, world, id);
	for (uint32_t id = 0; id < world->mover_ids.end && archive_good(archive); ++id) {
		burden_pass(archive, &world->burdens.data[id]);
		world->wing->mover_pass(archive, world->mover_rows + id * world->wing->mover_size);
	}
	for (uint32_t id = 0; id < world->colliders.count && archive_good(archive); ++id)
		collider_pass(archive, world, id, shapes);
	for (uint32_t id = 0; id < world->contacts.count && archive_good(archive); ++id)
		contact_pass(archive, world, id);
	for (uint32_t id = 0; id < world->joints.count && archive_good(archive); ++id)
		joint_pass(archive, world, id);
	for (uint32_t id = 0; id < world->islands.count && archive_good(archive); ++id)
		island_pass(archive, world, id);
}

static void relations_pass(struct archive *archive, struct world *world, struct shape_table *shapes)
{
	awake_pass(archive, world);
	pass_index(archive, &world->disabled, world->bodies.count);
	moved_pass(archive, world);
	for (int home = 0; home < TREES && archive_good(archive); ++home)
		tree_pass(archive, &world->trees[home], leaf_place, &(struct placing){world, (enum proxy_home)home});
	sets_pass(archive, world);
	if (!archive_good(archive))
		return;
	colours_pass(archive, world);
	decisions_pass(archive, world);
	shifts_pass(archive, world);
	held_joints_pass(archive, world);
	fields_pass(archive, world, shapes);
	controllers_pass(archive, world);
}

void world_pass(struct archive *archive, struct world *world)
{
	struct shape_table shapes = {{NULL, 0, 0}, {NULL, 0, 0}};
	uint64_t hash = archive->reading ? 0 : world_hash(world), read;
	assert(!world->locked && world->unweighed.count == 0);
	settings_pass(archive, &world->settings);
	time_pass(archive, world);
	if (archive_good(archive))
		ids_pass(archive, world);
	if (archive_good(archive))
		objects_pass(archive, world, &shapes);
	if (archive_good(archive))
		relations_pass(archive, world, &shapes);
	shape_table_free(archive, world, &shapes);
	read = hash;
	pass_u64(archive, &read);
	if (archive->reading && archive_good(archive)) {
		world_complete(archive, world);
		archive_check(archive, !archive_good(archive) || world_hash(world) == read, "its hash is that of another world");
	}
}

/* --- Generations ---------------------------------------------------------------------------------------------------------- */

static void handle_renumber(const struct world *world, struct handle *handle, bool collider)
{
	if (handle->generation != 0)
		handle->generation =
			collider ? world->colliders.data[handle->index].generation : world->bodies.data[handle->index].generation;
}

enum { CONTROLLER_BODIES = 3 };

static void controller_bodies(struct controller *controller, struct handle *bodies[CONTROLLER_BODIES])
{
	bodies[0] = &controller->ground_body;
	bodies[1] = &controller->loaded_body;
	bodies[2] = &controller->pusher;
}

/* Handles that find nothing get the generation 0, which no object has, before any generation changes. */
static void controllers_detach(struct world *world)
{
	for (uint32_t id = 0; id < world->controllers.all.count; ++id) {
		struct controller *controller = &world->controllers.all.data[id];
		if (!controller->valid)
			continue;
		for (uint32_t i = 0; i < controller->contact_count; ++i)
			if (!handle_valid_collider(world, controller->contacts[i].collider))
				controller->contacts[i].collider.generation = 0;
		if (!handle_valid_collider(world, controller->ground.collider))
			controller->ground.collider.generation = 0;
		struct handle *bodies[CONTROLLER_BODIES];
		controller_bodies(controller, bodies);
		for (int i = 0; i < CONTROLLER_BODIES; ++i)
			if (!handle_valid_body(world, *bodies[i]))
				bodies[i]->generation = 0;
	}
}

static void controllers_attach(struct world *world)
{
	for (uint32_t id = 0; id < world->controllers.all.count; ++id) {
		struct controller *controller = &world->controllers.all.data[id];
		if (!controller->valid)
			continue;
		for (uint32_t i = 0; i < controller->contact_count; ++i)
			handle_renumber(world, &controller->contacts[i].collider, true);
		handle_renumber(world, &controller->ground.collider, true);
		struct handle *bodies[CONTROLLER_BODIES];
		controller_bodies(controller, bodies);
		for (int i = 0; i < CONTROLLER_BODIES; ++i)
			handle_renumber(world, bodies[i], false);
	}
}

void world_renumber(struct world *world, uint32_t serial)
{
	controllers_detach(world);
	for (uint32_t i = 0; i < world->drops.count; ++i) {
		struct drop *drop = &world->drops.data[i];
		const struct body *body = &world->bodies.data[drop->body];
		drop->generation = body->valid && body->generation == drop->generation ? 1 : 0;
	}
	for (uint32_t id = 0; id < world->bodies.count; ++id)
		world->bodies.data[id].generation = ++serial;
	for (uint32_t id = 0; id < world->colliders.count; ++id)
		world->colliders.data[id].generation = ++serial;
	for (uint32_t id = 0; id < world->joints.count; ++id)
		world->joints.data[id].generation = ++serial;
	for (uint32_t id = 0; id < world->fields.all.count; ++id)
		world->fields.all.data[id].generation = ++serial;
	for (uint32_t id = 0; id < world->controllers.all.count; ++id)
		world->controllers.all.data[id].generation = ++serial;
	for (uint32_t i = 0; i < world->drops.count; ++i)
		if (world->drops.data[i].generation == 1)
			world->drops.data[i].generation = world->bodies.data[world->drops.data[i].body].generation;
	controllers_attach(world);
	world->serial = serial;
}
