/* snapshot_records.c - see snapshot_records.h. */
#include "core/snapshot_records.h"
#include "base/scalar.h"
#include "core/field.h"
#include "core/gear.h"
#include "core/joint.h"
#include "core/proxy.h"
#include "spatial/tree_archive.h"

static const char *const faulty = "an object contradicts others";

/* --- Parts of records ----------------------------------------------------------------------------------------------------- */

static uint32_t keys(uint32_t ids)
{
	return ids <= UINT32_MAX / 2 ? 2 * ids : 0;
}

/* Passes a number that is no NAN. */
static void pass_number(struct archive *archive, float *value)
{
	pass_f32(archive, value);
	if (!archive_check(archive, !isnan(*value), "a number is missing") && archive->reading)
		*value = 0.0f;
}

static void pass_vec3(struct archive *archive, struct vec3 *v)
{
	PASS_DOUBLES(archive, v);
}

static void member_pass(struct archive *archive, struct island_member *member, uint32_t islands, uint32_t neighbours)
{
	pass_index(archive, &member->id, islands);
	pass_index(archive, &member->previous, neighbours);
	pass_index(archive, &member->next, neighbours);
}

static void link_pass(struct archive *archive, struct world *world, struct link *link, uint32_t ids)
{
	for (int side = 0; side < 2; ++side) {
		pass_below(archive, &link->bodies[side], world->bodies.count);
		pass_index(archive, &link->next[side], keys(ids));
		pass_index(archive, &link->previous[side], keys(ids));
	}
	member_pass(archive, &link->island, world->islands.count, ids);
	pass_u8(archive, &link->flags);
	archive_check(archive, link->bodies[0] != link->bodies[1], faulty);
	if (archive->reading)
		link->colour = NO_COLOUR; /* until colours_pass */
}

static void handle_pass(struct archive *archive, struct handle *handle)
{
	pass_u32(archive, &handle->index);
	pass_u32(archive, &handle->generation);
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

static void body_links_pass(struct archive *archive, const struct world *world, struct body *body)
{
	const uint32_t ids[LINK_KINDS] = {world->contacts.count, world->joints.count};
	for (int kind = 0; kind < LINK_KINDS; ++kind) {
		pass_index(archive, &body->links[kind], keys(ids[kind]));
		pass_u32(archive, &body->link_counts[kind]);
		archive_check(archive, body->link_counts[kind] <= ids[kind], faulty);
	}
}

void body_pass(struct archive *archive, struct world *world, uint32_t id)
{
	struct body *body = &world->bodies.data[id];
	uint32_t use = pass_kind(archive, body->valid ? 1 : body->mount ? 2 : 0, 3);
	body->valid = use == 1;
	body->mount = use == 2;
	if (archive->reading)
		body->row = NONE;
	if (use == 0)
		return;
	pass_u32(archive, &body->generation);
	pass_index(archive, &body->colliders, world->colliders.count);
	pass_u32(archive, &body->collider_count);
	archive_check(archive, body->collider_count <= world->colliders.count, faulty);
	body_links_pass(archive, world, body);
	member_pass(archive, &body->island, world->islands.count, world->bodies.count);
	pass_number(archive, &body->sleep_threshold);
	pass_number(archive, &world->travels.data[id].rest_time);
	pass_number(archive, &world->travels.data[id].slack);
	pass_below(archive, &body->mover, world->mover_ids.end);
	body->type = pass_kind(archive, body->type, BODY_DYNAMIC + 1);
	body->set = pass_kind(archive, body->set, SET_AWAKE + 1);
	pass_bool(archive, &body->sleeping_allowed);
	pass_bool(archive, &body->bullet);
	body->mass_overridden = pass_kind(archive, body->mass_overridden, 2);
	body->controlled = pass_kind(archive, body->controlled, 2);
	pass_u64(archive, &world->travels.data[id].sum);
	world->wing->body_pass(archive, body_row(world, id));
}

void burden_pass(struct archive *archive, struct burden *burden)
{
	pass_number(archive, &burden->times);
	for (int k = 0; k < 3; ++k) {
		pass_number(archive, &burden->left[k]);
		pass_number(archive, &burden->demand[k]);
		pass_number(archive, &burden->towards[k]);
		pass_number(archive, &burden->support[k]);
	}
	pass_number(archive, &burden->mass);
	pass_u32(archive, &burden->search);
	pass_u64(archive, &burden->found);
	pass_number(archive, &burden->approach);
	pass_bool(archive, &burden->ground);
	pass_bool(archive, &burden->sticks);
	pass_number(archive, &burden->lost);
	pass_number(archive, &burden->overlap);
	pass_number(archive, &burden->kept);
	pass_bool(archive, &burden->carries);
	pass_bool(archive, &burden->due);
}

/* --- Colliders ------------------------------------------------------------------------------------------------------------ */

static void box_pass(struct archive *archive, struct box *box)
{
	pass_range_f32(archive, box->lower, 3, -1e30f, 1e30f);
	pass_range_f32(archive, box->upper, 3, -1e30f, 1e30f);
	for (int k = 0; k < 3; ++k)
		archive_check(archive, box->lower[k] <= box->upper[k], faulty);
}

static void proxy_pass(struct archive *archive, struct proxy *proxy)
{
	bool searched = proxy->searched.lower[0] <= proxy->searched.upper[0];
	proxy->home = (uint8_t)pass_kind(archive, proxy->home, HOME_UNBOUNDED + 1);
	box_pass(archive, &proxy->box);
	pass_u32(archive, &proxy->child);
	pass_bool(archive, &searched);
	if (searched)
		box_pass(archive, &proxy->searched);
	else
		proxy->searched = nowhere;
}

/* The collider's proxies, in the order of its list. */
static void proxies_pass(struct archive *archive, struct world *world, uint32_t collider)
{
	uint32_t count = 0, *to = &world->colliders.data[collider].proxies, previous = NONE;
	for (uint32_t p = *to; !archive->reading && p != NONE; p = world->proxies.data[p].next)
		++count;
	count = pass_count(archive, count, PROXY_LEAST);
	for (uint32_t i = 0; i < count && archive_good(archive); ++i) {
		uint32_t id = archive->reading ? 0 : *to;
		pass_below(archive, &id, world->proxies.count);
		if (!archive_good(archive) || !archive_check(archive, world->proxies.data[id].collider == NONE, faulty))
			break;
		struct proxy *proxy = &world->proxies.data[id];
		*to = id;
		to = &proxy->next;
		if (archive->reading) {
			proxy->collider = collider;
			proxy->previous = previous;
			proxy->next = proxy->leaf = proxy->moved_index = NONE;
		}
		previous = id;
		proxy_pass(archive, proxy);
	}
}

/* For a collider that has been read, but for its proxies. */
static void collider_begin(struct world *world, uint32_t id)
{
	struct collider *collider = &world->colliders.data[id];
	world->wing->shape_retain(collider->shape);
	collider->proxies = NONE;
	collider->part_materials = world->wing->shape_has_materials(collider->shape);
	world->pre_solve_colliders += collider->pre_solve;
	world->sensor_count += collider->sensor;
	if (collider->sensor)
		bits_set(&world->sensors, id);
}

void collider_pass(struct archive *archive, struct world *world, uint32_t id, struct shape_table *shapes)
{
	struct collider *collider = &world->colliders.data[id];
	collider->valid = pass_kind(archive, collider->valid, 2);
	if (!collider->valid)
		return;
	pass_u32(archive, &collider->generation);
	pass_below(archive, &collider->body, world->bodies.count);
	pass_index(archive, &collider->previous, world->colliders.count);
	pass_index(archive, &collider->next, world->colliders.count);
	PASS_FLOATS(archive, &collider->margin);
	collider->shape = shape_table_pass(archive, world, shapes, collider->shape);
	collider->valid = archive_check(archive, collider->shape != NULL, faulty);
	if (!collider->valid)
		return;
	material_pass(archive, &collider->material);
	PASS_FLOATS(archive, &collider->density);
	pass_i32(archive, &collider->group);
	pass_u64(archive, &collider->own_layers);
	pass_index(archive, &collider->one_way, world->one_way_ids.end);
	collider->layer = (uint8_t)pass_kind(archive, collider->layer, LAYERS);
	pass_bool(archive, &collider->sensor);
	pass_bool(archive, &collider->pre_solve);
	collider->has_own_layers = pass_kind(archive, collider->has_own_layers, 2);
	if (archive->reading)
		collider_begin(world, id);
	proxies_pass(archive, world, id);
}

/* --- Contacts and joints -------------------------------------------------------------------------------------------------- */

void contact_pass(struct archive *archive, struct world *world, uint32_t id)
{
	struct contact *contact = &world->contacts.data[id];
	struct travel_limit *limit = &world->travel_limits.data[id];
	pass_bool(archive, &contact->link.valid);
	if (!contact->link.valid)
		return;
	link_pass(archive, world, &contact->link, world->contacts.count);
	for (int side = 0; side < 2; ++side)
		pass_below(archive, &contact->proxies[side], world->proxies.count);
	pass_index(archive, &contact->follower, world->contacts.count);
	pass_u64(archive, &limit->most);
	for (int side = 0; archive->reading && archive_good(archive) && side < 2; ++side) {
		uint32_t collider = world->proxies.data[contact->proxies[side]].collider;
		archive_check(archive, collider != NONE && world->colliders.data[collider].body == contact->link.bodies[side], faulty);
		contact->colliders[side] = collider != NONE ? collider : 0;
		limit->bodies[side] = contact->link.bodies[side];
	}
	if (archive_good(archive))
		world->wing->contact_pass(archive, world, id);
}

static void coordinate_pass(struct archive *archive, struct coordinate *coordinate)
{
	struct coordinate_settings *settings = &coordinate->settings;
	bool *flags[] = {&settings->spring, &settings->limited, &settings->motor, &settings->aimed};
	float *numbers[] = {&coordinate->value, &coordinate->spring_impulse, &coordinate->motor_impulse, &coordinate->limit_impulse,
		&settings->hertz, &settings->damping_ratio, &settings->target, &settings->least_spring, &settings->most_spring,
		&settings->lower, &settings->upper, &settings->motor_speed, &settings->max_motor, &settings->motor_target};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
		pass_bool(archive, flags[i]);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
		pass_number(archive, numbers[i]);
	archive_check(archive, !settings->limited || settings->lower <= settings->upper, faulty);
}

/* Passes `count` floats at the offset `at` of a record. */
static void floats_pass(struct archive *archive, unsigned char *row, size_t at, int count)
{
	pass_range_f32(archive, (float *)(void *)(row + at), (uint32_t)count, -1e30f, 1e30f);
}

static void drive_pass(struct archive *archive, const struct drive_place *place, unsigned char *row)
{
	struct drive_settings *settings = (struct drive_settings *)(row + place->settings);
	floats_pass(archive, row, place->spring_impulse, place->axes);
	floats_pass(archive, row, place->motor_impulse, place->axes);
	pass_bool(archive, &settings->spring);
	pass_bool(archive, &settings->motor);
	pass_number(archive, &settings->hertz);
	pass_number(archive, &settings->damping_ratio);
	pass_number(archive, &settings->max_spring);
	PASS_FLOATS(archive, &settings->target);
	PASS_FLOATS(archive, &settings->velocity);
	pass_number(archive, &settings->max_motor);
}

static void gear_pass(struct archive *archive, struct world *world, uint32_t id, struct gear *gear)
{
	PASS_DOUBLES(archive, &gear->settings.ratio);
	for (int i = 0; i < 2; ++i) {
		pass_u32(archive, &gear->settings.joints[i]);
		PASS_DOUBLES(archive, &gear->settings.grounds[i]);
		PASS_DOUBLES(archive, &gear->values[i]);
	}
	PASS_DOUBLES(archive, &gear->rest);
	pass_bool(archive, &gear->engaged);
	if (world->joints.data[id].link.solver == JOINT_GEAR)
		archive_check(
			archive, gear->settings.joints[0] < world->joints.count && gear->settings.joints[1] < world->joints.count, faulty);
}

/* The joint's record; the wing passes what all types have, and impulses. */
static void joint_row_pass(struct archive *archive, struct world *world, uint32_t id)
{
	const struct joint_model *model = joint_model(world, id);
	unsigned char *row = joint_row(world, id);
	world->wing->joint_pass(archive, row);
	for (int i = 0; i < COORDINATES; ++i)
		if (model->coordinates[i] != 0)
			coordinate_pass(archive, joint_coordinate(model, row, i));
	const struct drive_place *drives[] = {&model->linear, &model->angular};
	for (int i = 0; i < 2; ++i)
		if (drives[i]->settings != 0)
			drive_pass(archive, drives[i], row);
	if (model->gear != 0)
		gear_pass(archive, world, id, joint_gear(world, id));
	if (model->cone != 0) {
		struct cone_settings *cone = (struct cone_settings *)(row + model->cone);
		floats_pass(archive, row, model->cone_impulse, 1);
		pass_bool(archive, &cone->limited);
		PASS_FLOATS(archive, &cone->angles);
	}
	if (model->ratchet != 0) {
		struct ratchet_settings *ratchet = (struct ratchet_settings *)(row + model->ratchet);
		pass_bool(archive, &ratchet->on);
		PASS_FLOATS(archive, &ratchet->tooth);
		PASS_FLOATS(archive, &ratchet->phase);
		archive_check(archive, !ratchet->on || ratchet->tooth != 0.0f, faulty);
	}
	if (model->acts != 0)
		pass_u32(archive, (uint32_t *)(row + model->acts));
	for (int i = 0; i < 3; ++i)
		floats_pass(archive, row, model->impulses[i].at, model->impulses[i].count);
	if (model->frame != 0)
		floats_pass(archive, row, model->frame, 2);
	struct path_settings *path = joint_path(model, row);
	if (path != NULL) {
		curve_pass(archive, &path->curve);
		pass_bool(archive, &path->follows);
	}
}

void joint_pass(struct archive *archive, struct world *world, uint32_t id)
{
	struct joint *joint = &world->joints.data[id];
	uint32_t solver = pass_kind(archive, joint->link.valid ? joint->link.solver : 0, SOLVERS);
	if (solver == 0) {
		for (int side = 0; side < 2; ++side) /* for joints_release */
			pass_below(archive, &joint->link.bodies[side], world->bodies.count);
		return;
	}
	joint->link.solver = (uint8_t)solver;
	pass_u32(archive, &joint->generation);
	link_pass(archive, world, &joint->link, world->joints.count);
	pass_u32(archive, &joint->gears);
	pass_bool(archive, &joint->collides);
	pass_bool(archive, &joint->enabled);
	pass_bool(archive, &joint->breakable);
	pass_f32(archive, &joint->hertz);
	pass_f32(archive, &joint->damping_ratio);
	for (int i = 0; i < 2; ++i)
		pass_number(archive, &joint->thresholds[i]);
	if (!archive_good(archive))
		return;
	joint->link.valid = true;
	joint_row_pass(archive, world, id);
}

void island_pass(struct archive *archive, struct world *world, uint32_t id)
{
	struct island *island = &world->islands.data[id];
	const uint32_t ends[] = {world->bodies.count, world->contacts.count, world->joints.count};
	struct island_list *lists[] = {&island->bodies, &island->links[LINK_CONTACT], &island->links[LINK_JOINT]};
	pass_bool(archive, &island->valid);
	if (!island->valid)
		return;
	for (int i = 0; i < 3; ++i) {
		pass_index(archive, &lists[i]->first, ends[i]);
		pass_index(archive, &lists[i]->last, ends[i]);
		pass_u32(archive, &lists[i]->count);
		archive_check(archive, lists[i]->count <= ends[i], faulty);
	}
	pass_u32(archive, &island->loosened);
	pass_u64(archive, &island->headway.parted);
	pass_number(archive, &island->headway.overlap);
	pass_number(archive, &island->headway.least);
	pass_number(archive, &island->headway.stalled);
	pass_u32(archive, &island->headway.most);
	pass_bool(archive, &island->awake);
	pass_bool(archive, &island->grounded);
}

/* --- Fields --------------------------------------------------------------------------------------------------------------- */

static void pull_pass(struct archive *archive, struct field_pull *pull)
{
	PASS_DOUBLES(archive, &pull->strength);
	PASS_DOUBLES(archive, &pull->minimum_distance);
	pass_i32(archive, &pull->half_powers);
	archive_check(archive, pull->half_powers >= 0 && pull->half_powers <= 16, faulty);
}

static void settings_pass(struct archive *archive, struct field_settings *settings)
{
	pass_below(archive, &settings->effects, 2 * FIELD_FLUID);
	pass_vec3(archive, &settings->gravity);
	pull_pass(archive, &settings->attraction);
	pull_pass(archive, &settings->vortex);
	pass_vec3(archive, &settings->axis);
	pass_vec3(archive, &settings->wind);
	PASS_DOUBLES(archive, &settings->wind_drag);
	PASS_DOUBLES(archive, &settings->wind_lift);
	pass_vec3(archive, &settings->current);
	PASS_DOUBLES(archive, &settings->fluid_density);
	PASS_DOUBLES(archive, &settings->linear_drag);
	PASS_DOUBLES(archive, &settings->angular_drag);
}

static void field_pass(struct archive *archive, struct world *world, uint32_t id, struct shape_table *shapes)
{
	struct field *field = &world->fields.all.data[id];
	pass_bool(archive, &field->valid);
	if (!field->valid)
		return;
	pass_u32(archive, &field->generation);
	pass_bool(archive, &field->enabled);
	pass_bool(archive, &field->replaces);
	pass_i32(archive, &field->priority);
	pass_u64(archive, &field->layers);
	field->shape = shape_table_pass(archive, world, shapes, field->shape);
	if (archive->reading && field->shape != NULL)
		world->wing->shape_retain(field->shape);
	pass_index(archive, &field->body, world->bodies.count);
	PASS_DOUBLES(archive, &field->local);
	PASS_DOUBLES(archive, &field->frame);
	pass_vec3(archive, &field->velocity);
	settings_pass(archive, &field->settings);
	archive_check(archive, field->body == NONE || world->bodies.data[field->body].valid, faulty);
	if (archive->reading)
		field->leaf = NONE;
}

static bool field_place(void *context, uint32_t id, uint32_t leaf)
{
	struct fields *fields = context;
	if (id >= fields->all.count || !fields->all.data[id].valid || fields->all.data[id].leaf != NONE)
		return false;
	fields->all.data[id].leaf = leaf;
	return true;
}

void fields_pass(struct archive *archive, struct world *world, struct shape_table *shapes)
{
	struct fields *fields = &world->fields;
	enum { FIELD_LEAST = 100 };
	pass_ids(archive, &fields->ids, FIELD_LEAST);
	if (archive->reading && archive_good(archive) && fields->ids.end > 0) {
		archive->no_memory = !fields_reserve(world, fields->ids.end);
		fields->all.count = fields->ranks.count = archive->no_memory ? 0 : fields->ids.end;
		for (uint32_t id = 0; id < fields->all.count; ++id)
			fields->all.data[id] = (struct field){0};
	}
	if (!archive_good(archive) || fields->all.count == 0)
		return;
	for (uint32_t id = 0; id < fields->all.count; ++id) {
		field_pass(archive, world, id, shapes);
		fields->attached += archive->reading && fields->all.data[id].valid && fields->all.data[id].body != NONE;
	}
	tree_pass(archive, &fields->tree, field_place, fields);
}

/* --- Controllers ---------------------------------------------------------------------------------------------------------- */

static void controller_contact_pass(struct archive *archive, struct controller_contact *contact)
{
	handle_pass(archive, &contact->collider);
	pass_vec3(archive, &contact->point);
	pass_vec3(archive, &contact->normal);
	PASS_DOUBLES(archive, &contact->fraction);
	PASS_DOUBLES(archive, &contact->approach);
}

static void controller_pass(struct archive *archive, struct world *world, struct controller *controller)
{
	pass_bool(archive, &controller->valid);
	if (!controller->valid)
		return;
	pass_u32(archive, &controller->generation);
	pass_bool(archive, &controller->crushed);
	pass_bool(archive, &controller->passing);
	controller->state = (uint8_t)pass_kind(archive, controller->state, CONTROLLER_AIR + 1);
	pass_below(archive, &controller->body, world->bodies.count);
	pass_below(archive, &controller->collider, world->colliders.count);
	pass_vec3(archive, &controller->up);
	double *numbers[] = {&controller->slope_angle, &controller->slope_cosine, &controller->step_height,
		&controller->snap_distance, &controller->skin, &controller->mass, &controller->max_force};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
		PASS_DOUBLES(archive, numbers[i]);
	pass_vec3(archive, &controller->from);
	pass_vec3(archive, &controller->to);
	pass_vec3(archive, &controller->carried);
	pass_vec3(archive, &controller->shown);
	pass_vec3(archive, &controller->velocity);
	pass_u64(archive, &controller->pushed);
	pass_vec3(archive, &controller->push);
	handle_pass(archive, &controller->pusher);
	PASS_DOUBLES(archive, &controller->load);
	PASS_DOUBLES(archive, &controller->load_speed);
	pass_u64(archive, &controller->loaded);
	handle_pass(archive, &controller->loaded_body);
	controller_contact_pass(archive, &controller->ground);
	handle_pass(archive, &controller->ground_body);
	pass_vec3(archive, &controller->surface);
	pass_vec3(archive, &controller->foot);
	pass_vec3(archive, &controller->anchor);
	pass_vec3(archive, &controller->turned_up);
	pass_vec3(archive, &controller->anchor_up);
	pass_below(archive, &controller->contact_count, CONTROLLER_CONTACTS + 1);
	for (uint32_t i = 0; i < controller->contact_count; ++i)
		controller_contact_pass(archive, &controller->contacts[i]);
	if (!archive_good(archive))
		return;
	const struct body *body = &world->bodies.data[controller->body];
	const struct collider *collider = &world->colliders.data[controller->collider];
	archive_check(archive, body->valid && body->controlled && collider->valid && collider->body == controller->body, faulty);
}

void controllers_pass(struct archive *archive, struct world *world)
{
	struct controllers *controllers = &world->controllers;
	enum { CONTROLLER_LEAST = 352 };
	pass_ids(archive, &controllers->ids, CONTROLLER_LEAST);
	if (archive->reading && archive_good(archive)) {
		archive->no_memory = !array_reserve(world->memory, &controllers->all, controllers->ids.end);
		controllers->all.count = archive->no_memory ? 0 : controllers->ids.end;
		if (controllers->all.count > 0)
			memset(controllers->all.data, 0, controllers->all.count * sizeof *controllers->all.data);
	}
	for (uint32_t id = 0; id < controllers->all.count; ++id)
		controller_pass(archive, world, &controllers->all.data[id]);
}
