/* break.c - body:slice and body:shatter, for 2D and 3D: replace a body by pieces.
 * A piece is a new body in the frame of the old one, the parent. So a point of it is the same point of a piece, and joints keep
 * their frames. Each part (a shape, or a child of a compound) is cut into fragments, one for each cell: a side of the plane, or
 * the points nearer to one of the given points than to the others. Fragments of a cell that touch make a piece.
 * The order is that of create.c: the fragments are cut from shapes that are anchored on the stack, whatever finalizers do to
 * the world meanwhile; then all is allocated, checked again, and created, completely or not at all. */
#include "bind/world/break_parts.h"
#include "bind/geometry/toolbox.h"
#include "core/body.h"
#include "core/collider.h"
#include "core/event.h"
#include "core/joint.h"
#include "core/link.h"

#include <math.h>

enum { MOST_POINTS = 4096 };

/* --- Allocating ----------------------------------------------------------------------------------------------------------- */

/* Raises if a finalizer has changed the body. */
static void check_parent_again(lua_State *L, struct breakage *b)
{
	check_body_change(L, b->function, &b->body);
	const struct world *world = world_of(b);
	bool same = parts_count(b) == b->part_count;
	for (uint32_t i = 0; same && i < b->part_count; ++i) {
		const struct part *part = &b->parts[i];
		same = handle_valid_collider(world, part->collider) && world->colliders.data[part->collider.index].body == b->body &&
			world->colliders.data[part->collider.index].shape == part->source;
	}
	if (!same)
		raise_error(L, "%s: the body has changed meanwhile", b->function);
}

static void handles_create(lua_State *L, const struct breakage *b)
{
	struct world_object *object = b->object;
	lua_createtable(L, (int)b->piece_count, 0);
	lua_replace(L, AT_LIST);
	for (uint32_t i = 0; i < b->piece_count; ++i) {
		reference_create(L, object, object->dimension->body, AT_ENVIRONMENT);
		lua_rawseti(L, AT_LIST, (int)i + 1);
	}
	for (uint32_t i = 0; i < b->fragments->count; ++i) {
		lua_rawgeti(L, AT_PIECE_DATA, (int)b->fragments->data[i].part + 1);
		if (!lua_isnil(L, -1)) {
			if (lua_isnil(L, AT_COLLIDERS)) {
				lua_newtable(L);
				lua_replace(L, AT_COLLIDERS);
			}
			reference_create(L, object, object->dimension->collider, AT_ENVIRONMENT);
			lua_rawseti(L, AT_COLLIDERS, (int)i + 1);
		}
		lua_settop(L, AT_TOP - 1);
	}
}

static void piece_select(lua_State *L, uint32_t i)
{
	lua_rawgeti(L, AT_LIST, (int)i + 1);
	lua_replace(L, AT_HANDLE);
}

/* Pushes the handle of fragment i's collider. False: it has none, and nothing is pushed. */
static bool push_fragment_handle(lua_State *L, uint32_t i)
{
	if (lua_isnil(L, AT_COLLIDERS))
		return false;
	lua_rawgeti(L, AT_COLLIDERS, (int)i + 1);
	if (!lua_isnil(L, -1))
		return true;
	lua_pop(L, 1);
	return false;
}

static void slots_reserve(lua_State *L, struct breakage *b)
{
	check_world_again(L, b->object, b->function);
	shapes_reserve(L, b->object, AT_ENVIRONMENT, b->fragments->count + 1);
	for (uint32_t i = 0; i < b->piece_count; ++i) {
		piece_select(L, i);
		reference_reserve(L, b->object, AT_ENVIRONMENT, AT_HANDLE, i);
	}
	for (uint32_t i = 0; i < b->fragments->count; ++i)
		if (push_fragment_handle(L, i)) {
			reference_reserve(L, b->object, AT_ENVIRONMENT, AT_TOP, i);
			lua_pop(L, 1);
		}
}

/* Puts the parent's value in the table of the environment into the stack slot. */
static void value_read(lua_State *L, int key, int slot)
{
	lua_rawgeti(L, AT_ENVIRONMENT, key);
	lua_pushvalue(L, AT_SELF);
	lua_rawget(L, -2);
	lua_replace(L, slot);
	lua_pop(L, 1);
}

/* Gives the pieces the parent's name, colour and data, and the colliders theirs. */
static void values_keep(lua_State *L, const struct breakage *b)
{
	value_read(L, ENV_NAMES, AT_NAME);
	value_read(L, ENV_COLORS, AT_COLOR);
	value_read(L, ENV_DATA, AT_DATA);
	for (uint32_t i = 0; i < b->piece_count; ++i) {
		piece_select(L, i);
		value_keep(L, AT_ENVIRONMENT, ENV_NAMES, AT_HANDLE, AT_NAME);
		value_keep(L, AT_ENVIRONMENT, ENV_COLORS, AT_HANDLE, AT_COLOR);
		data_keep(L, AT_ENVIRONMENT, AT_HANDLE, AT_DATA);
	}
	for (uint32_t i = 0; i < b->fragments->count; ++i)
		if (push_fragment_handle(L, i)) {
			lua_rawgeti(L, AT_PIECE_DATA, (int)b->fragments->data[i].part + 1);
			data_keep(L, AT_ENVIRONMENT, AT_TOP, AT_TOP + 1);
			lua_settop(L, AT_TOP - 1);
		}
}

static void values_drop(lua_State *L, const struct breakage *b)
{
	for (uint32_t i = 0; i < b->piece_count; ++i) {
		piece_select(L, i);
		value_drop(L, AT_ENVIRONMENT, ENV_NAMES, AT_HANDLE);
		value_drop(L, AT_ENVIRONMENT, ENV_COLORS, AT_HANDLE);
		value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_HANDLE);
	}
	for (uint32_t i = 0; i < b->fragments->count; ++i)
		if (push_fragment_handle(L, i)) {
			value_drop(L, AT_ENVIRONMENT, ENV_DATA, AT_TOP);
			lua_settop(L, AT_TOP - 1);
		}
}

/* --- The engine ----------------------------------------------------------------------------------------------------------- */

/* Sets the factor on the densities of a body whose mass was set by hand. */
static void masses_read(struct breakage *b)
{
	const struct world *world = world_of(b);
	double mass = (double)body_weight(world, b->body), sum = 0, volume = 0;
	b->factor = 1;
	if (parent_of(b)->type != BODY_DYNAMIC || !parent_of(b)->mass_overridden)
		return;
	for (uint32_t i = 0; i < b->part_count; ++i) {
		sum += b->parts[i].volume * (double)world->colliders.data[b->parts[i].collider.index].density;
		volume += b->parts[i].volume;
	}
	if (sum > 0)
		b->factor = mass / sum;
	else
		b->density = mass / volume;
}

/* The volume that a part loses to slivers, and a round one to its corners, goes to its fragments' density. */
static float fragment_density(const struct breakage *b, const struct part *part, float density)
{
	double wanted = b->density > 0 ? b->density : b->factor * (double)density, factor = part->volume / part->left;
	return (float)(factor > 0 && fabs(factor - 1) > 0x1p-21 && factor < 2 ? wanted * factor : wanted);
}

static bool fragment_build(lua_State *L, const struct breakage *b, uint32_t body, uint32_t i)
{
	struct world *world = world_of(b);
	const struct fragment *fragment = &b->fragments->data[i];
	const struct part *part = &b->parts[fragment->part];
	const struct collider *from = &world->colliders.data[part->collider.index];
	const struct material *own = b->breaking->part_material(from->shape, part->child);
	struct collider_options options = {.material = from->material,
		.density = fragment_density(b, part, from->density),
		.layer = from->layer,
		.group = from->group,
		.own_layers = from->own_layers,
		.has_own_layers = from->has_own_layers,
		.sensor = from->sensor,
		.pre_solve = from->pre_solve,
		.one_way = from->one_way != NONE};
	if (own != NULL)
		materials_override(&options.material, own);
	if (options.one_way)
		memcpy(options.normal, world->one_way_normals.data[from->one_way].normal, sizeof options.normal);
	uint32_t id = collider_attach(world, body, fragment->shape, &options);
	if (id == NONE)
		return false;
	if (fragment->shape == part->source) {
		lua_rawgeti(L, AT_SOURCES, (int)fragment->part + 1);
		shape_keep(L, AT_TOP, id);
		lua_pop(L, 1);
	}
	if (push_fragment_handle(L, i)) {
		reference_commit(lua_touserdata(L, -1), b->object, id);
		lua_pop(L, 1);
	}
	return true;
}

static void piece_inherit(const struct breakage *b, uint32_t piece)
{
	const struct dimension *dimension = b->object->dimension;
	const size_t numbers[] = {dimension->linear_damping, dimension->angular_damping, dimension->gravity_scale};
	struct body *body = &world_of(b)->bodies.data[piece];
	for (size_t i = 0; body->mover != 0 && i < LENGTH(numbers); ++i)
		*mover_number(b->object, piece, numbers[i]) = *mover_number(b->object, b->body, numbers[i]);
	body->sleep_threshold = parent_of(b)->sleep_threshold;
	body->sleeping_allowed = parent_of(b)->sleeping_allowed;
	body->bullet = parent_of(b)->bullet;
	b->breaking->inherit(world_of(b), piece, b->body);
	events_forget_sleep(world_of(b), piece);
}

/* Creates the piece of the fragments from `first` on. NONE: no memory. */
static uint32_t piece_build(lua_State *L, const struct breakage *b, uint32_t first)
{
	struct world *world = world_of(b);
	uint32_t piece = b->breaking->twin(world, b->body);
	if (piece == NONE)
		return NONE;
	if (parent_of(b)->set == SET_DISABLED)
		body_set_enabled(world, piece, false);
	bool made = parent_of(b)->mover == 0 || body_own_mover(world, piece);
	for (uint32_t i = first; made && i < b->fragments->count && b->fragments->data[i].piece == b->fragments->data[first].piece;
		 ++i)
		made = fragment_build(L, b, piece, i);
	if (!made) {
		body_undo(L, b->object, piece);
		return NONE;
	}
	world->wing->body_mass(world, piece);
	piece_inherit(b, piece);
	return piece;
}

/* Creates the pieces, with their ids in object->bulk_ids. False: no memory, and none is left. */
static bool pieces_build(lua_State *L, const struct breakage *b)
{
	struct world *world = world_of(b);
	uint32_t *ids, first = 0;
	if (!array_reserve(&b->object->memory, &b->object->bulk_ids, b->piece_count) ||
		!bodies_reserve(world, parent_of(b)->type, b->piece_count) ||
		!colliders_reserve(world, b->fragments->count, parent_of(b)->set != SET_DISABLED ? b->fragments->count : 0))
		return false;
	ids = b->object->bulk_ids.data;
	for (uint32_t i = 0; i < b->piece_count; ++i) {
		ids[i] = piece_build(L, b, first);
		if (ids[i] == NONE) {
			while (i-- > 0)
				body_undo(L, b->object, ids[i]);
			return false;
		}
		while (first < b->fragments->count && b->fragments->data[first].piece == i)
			++first;
	}
	return true;
}

static double piece_distance(const struct world *world, uint32_t piece, const double point[3])
{
	double least = INFINITY;
	struct query_hit hit;
	for (uint32_t c = world->bodies.data[piece].colliders; c != NONE; c = world->colliders.data[c].next)
		least = fmin(least, world->wing->part_nearest(world, (struct query_part){c, NONE}, point, &hit));
	return least;
}

/* The parent's first joint that is no gear, as a key. */
static uint32_t first_joint(const struct breakage *b)
{
	const struct world *world = world_of(b);
	uint32_t key = parent_of(b)->links[LINK_JOINT];
	while (key != NONE && world->joints.data[key / 2].link.solver == JOINT_GEAR)
		key = link_next(world, LINK_JOINT, key);
	return key;
}

/* Moves the joints to the pieces nearest to their anchors; gears follow the joints that they couple. */
static void joints_pass(const struct breakage *b)
{
	struct world *world = world_of(b);
	const uint32_t *pieces = b->object->bulk_ids.data;
	for (uint32_t key = first_joint(b); key != NONE; key = first_joint(b)) {
		double anchors[2][3], least = INFINITY;
		uint32_t nearest = pieces[0];
		b->object->dimension->joint_anchors(world, key / 2, anchors);
		for (uint32_t i = 0; i < b->piece_count; ++i) {
			double distance = piece_distance(world, pieces[i], anchors[key % 2]);
			if (distance < least) {
				least = distance;
				nearest = pieces[i];
			}
		}
		joint_set_body(world, key / 2, key % 2, nearest);
	}
}

/* --- slice, shatter ------------------------------------------------------------------------------------------------------- */

/* Destroys the parent, if onPiece has not. */
static void parent_end(lua_State *L, const struct breakage *b)
{
	struct reference *reference = lua_touserdata(L, AT_SELF);
	lua_pushvalue(L, AT_DESTROY);
	lua_pushvalue(L, AT_SELF);
	if (lua_pcall(L, 1, 0, 0) != 0)
		lua_pop(L, 1); /* no memory to keep handles that events name */
	if (reference_find(reference) != NULL)
		body_remove(L, b->object, AT_ENVIRONMENT, reference);
}

/* Calls onPiece, then ends the parent, then raises onPiece's error, if any. */
static void pieces_tell(lua_State *L, const struct breakage *b)
{
	bool failed = false;
	for (uint32_t i = 0; !failed && !lua_isnil(L, AT_ON_PIECE) && i < b->piece_count; ++i) {
		lua_pushvalue(L, AT_ON_PIECE);
		lua_rawgeti(L, AT_LIST, (int)i + 1);
		if (reference_find(lua_touserdata(L, -1)) == NULL) {
			lua_settop(L, AT_TOP - 1); /* destroyed by onPiece */
			continue;
		}
		lua_pushvalue(L, AT_SELF);
		failed = lua_pcall(L, 2, 0, 0) != 0;
	}
	parent_end(L, b);
	if (failed)
		lua_error(L);
}

/* Replaces the body by its pieces, whose list it returns. The parent is disabled while onPiece runs, so that it never meets
 * them. */
static int parent_break(lua_State *L, struct breakage *b)
{
	handles_create(L, b);
	lua_getfield(L, AT_SELF, "destroy");
	lua_replace(L, AT_DESTROY);
	slots_reserve(L, b);
	values_keep(L, b);
	slots_reserve(L, b);
	check_parent_again(L, b);
	masses_read(b);
	if (!pieces_build(L, b)) {
		values_drop(L, b);
		raise_memory(L, b->function);
	}
	for (uint32_t i = 0; i < b->piece_count; ++i) {
		piece_select(L, i);
		reference_commit(lua_touserdata(L, AT_HANDLE), b->object, b->object->bulk_ids.data[i]);
	}
	joints_pass(b);
	body_set_enabled(world_of(b), b->body, false);
	fragments_drop(b->fragments, 0);
	pieces_tell(L, b);
	lua_pushvalue(L, AT_LIST);
	return 1;
}

static void options_read(lua_State *L, const char *function)
{
	int on_piece = AT_ON_PIECE;
	const struct option_member keys[] = {{"onPiece", FIELD_VALUE, 0, NULL}};
	fields_read(L, AT_OPTIONS, PATH(function, "options"), keys, LENGTH(keys), &on_piece);
	if (!lua_isnil(L, AT_ON_PIECE) && !lua_isfunction(L, AT_ON_PIECE))
		raise_value(L, AT_ON_PIECE, PATH(function, "onPiece"), "be a function");
}

/* Has read the cells; the options are at AT_OPTIONS, and the points, if any, after them. */
static int body_break(lua_State *L, struct breakage *b)
{
	lua_settop(L, AT_MORE);
	luaL_checkstack(L, 60, b->function);
	attached_get(L, AT_SELF);
	lua_settop(L, AT_TOP - 1);
	lua_pushvalue(L, AT_MORE);
	lua_replace(L, AT_POSITIONS);
	options_read(L, b->function);
	lua_newtable(L);
	lua_replace(L, AT_LIST);
	cutting_prepare(L, b);
	shared_collect(L, shared_state(L));
	check_body_change(L, b->function, &b->body);
	parts_read(L, b);
	parts_cut(L, b);
	check_parent_again(L, b);
	if (pieces_find(b))
		return parent_break(L, b);
	lua_pushvalue(L, AT_LIST);
	return 1;
}

static struct breakage breakage_open(lua_State *L, const char *function)
{
	struct breakage b = {.function = function};
	b.object = check_body_change(L, function, &b.body);
	b.breaking = b.object->dimension->breaking;
	return b;
}

int body_slice(lua_State *L)
{
	struct breakage b = breakage_open(L, "slice");
	double numbers[4];
	int count = b.breaking->plane_numbers;
	lua_settop(L, 2 + count);
	arg_numbers(L, 2, "slice", b.breaking->plane_names, count, &range_position, numbers);
	if (!b.breaking->plane(b.object->world, b.body, numbers, b.plane))
		raise_error(L,
			b.object->dimension->axes == 2 ? "slice: the points x1, y1 and x2, y2 must differ"
										   : "slice: nx, ny, nz must not be (0, 0, 0)");
	b.cells = 2;
	lua_replace(L, AT_OPTIONS);
	lua_settop(L, AT_OPTIONS);
	return body_break(L, &b);
}

int body_shatter(lua_State *L)
{
	struct breakage b = breakage_open(L, "shatter");
	uint32_t axes = (uint32_t)b.object->dimension->axes;
	lua_settop(L, 3);
	b.cells = points_count(L, 2, "shatter", "points", (int)axes, 1, MOST_POINTS);
	double *points = userdata_create(L, (size_t)b.cells * axes * sizeof *points);
	points_read(L, 2, "shatter", "points", &range_position, b.cells * axes, points);
	check_body_change(L, "shatter", &b.body);
	for (uint32_t i = 0; i < b.cells; ++i)
		b.breaking->local_point(b.object->world, b.body, points + (size_t)i * axes);
	b.points = points;
	lua_pushvalue(L, 3);
	lua_replace(L, AT_OPTIONS);
	lua_replace(L, AT_MORE);
	return body_break(L, &b);
}
