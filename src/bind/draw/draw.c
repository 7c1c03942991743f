/* draw.c - draws a world by calling a target: a table of plain functions, the same for screens, files and tests. First, engine
 * code that calls no Lua function gathers the ids of visible objects in the buffer `drawn` of the world's userdata. Then the
 * target's functions are called under lua_pcall, in a trampoline that may raise. The world is locked meanwhile, so the ids stay
 * valid even if the functions call the engine. The buffer may move, since draws nest, so it is looked up anew for each id. No
 * call creates garbage: all strings are in one list, created once per Lua state. Shapes are drawn in d2_draw.c and
 * d3_draw.c. */
#include "bind/draw/draw.h"
#include "core/field.h"

#include <string.h>

static const char *const function_names[FUNCTIONS] = {
	"solidPolygon", "polygon", "solidCircle", "circle", "solidCapsule", "capsule", "segment", "point", "text"};

static const char *const meaning_names[MEANINGS] = {"static", "kinematic", "awake", "sleeping", "bullet", "sensor", "disabled",
	"box", "tree", "contact", "normal", "impulse", "joint", "limit", "spring", "island", "center", "velocity", "name", "field"};

enum {
	CALL_SLOTS = 3 * DRAW_POINTS + 16, /* maximum number of stack slots for one call */
	DOT = 5, /* diameter of a point [pixels] */
};

/* default limit of the view, and the largest coordinate of draw->box and of the engine's AABBs [length]; products with a unit
 * normal are finite floats */
static const double everywhere = 1e30;

void draw_strings_register(lua_State *L, int shared)
{
	lua_createtable(L, FUNCTIONS + MEANINGS, 0);
	for (int i = 0; i < FUNCTIONS + MEANINGS; ++i) {
		lua_pushstring(L, i < FUNCTIONS ? function_names[i] : meaning_names[i - FUNCTIONS]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_rawseti(L, shared, SHARED_DRAW_STRINGS);
}

const struct drawing *drawing_of(const struct draw *draw)
{
	return draw->object->dimension->drawing;
}

int draw_axes_of(const struct draw *draw)
{
	return draw->object->dimension->axes;
}

/* --- Options -------------------------------------------------------------------------------------------------------------- */

static struct bounds option_view(lua_State *L, int axes, struct path path)
{
	static const char *const musts[] = {[2] = "be a list {x1, y1, x2, y2}", [3] = "be a list {x1, y1, z1, x2, y2, z2}"};
	static const char *const ordered[] = {"be at least x1", "be at least y1", "be at least z1"};
	struct bounds view = {{0}, {0}};
	int list = lua_gettop(L);
	if (lua_type(L, list) != LUA_TTABLE || lua_rawlen(L, list) != (size_t)(2 * axes))
		raise_value(L, list, &path, musts[axes]);
	value_list(L, list, &path);
	for (int i = 0; i < 2 * axes; ++i) {
		lua_rawgeti(L, list, i + 1);
		path.element = i + 1;
		double number = value_number(L, -1, &path, &range_any);
		if (i >= axes && number < view.lower[i - axes])
			raise_value(L, -1, &path, ordered[i - axes]);
		*(i < axes ? &view.lower[i] : &view.upper[i - axes]) = number;
		lua_pop(L, 1);
	}
	return view;
}

static void options_read(lua_State *L, struct draw *draw, int index)
{
	draw->on[DRAW_SHAPES] = true;
	for (int i = 0; i < draw_axes_of(draw); ++i) {
		draw->view.lower[i] = -everywhere;
		draw->view.upper[i] = everywhere;
	}
	if (lua_isnil(L, index))
		return;
	struct options options = {.path = {"draw", NULL, 0, "options", 0}, .set = OPTIONS_DRAW};
	options_begin(L, draw->object->shared, &options, index);
	for (int option; (option = options_next(L, &options)) != 0;) {
		if (option == DRAW_VIEW)
			draw->view = option_view(L, draw_axes_of(draw), options.path);
		draw->on[option] = option == DRAW_VIEW || value_boolean(L, -1, &options.path);
	}
	lua_settop(L, index);
}

static void check_target(lua_State *L, int index)
{
	int type = lua_type(L, index);
	if (type == LUA_TTABLE)
		return;
	if (type == LUA_TSTRING || !luaL_getmetafield(L, index, "__index"))
		raise_value(L, index, PATH("draw", "target"), "be a table of functions");
	lua_pop(L, 1);
}

/* Pushes the target's functions, nil for those that it lacks. The target's __index may run any script code. */
static void push_functions(lua_State *L, int target)
{
	shared_push(L, SHARED_DRAW_STRINGS);
	int strings = lua_gettop(L);
	for (int i = 0; i < FUNCTIONS; ++i) {
		lua_rawgeti(L, strings, i + 1);
		lua_gettable(L, target);
		if (!lua_isnil(L, -1) && !lua_isfunction(L, -1)) {
			char name[32] = "target.";
			raise_value(L, -1, PATH("draw", strcat(name, function_names[i])), "be a function or nil");
		}
	}
	lua_remove(L, strings);
}

/* --- Visibility: engine code, nothing here raises ------------------------------------------------------------------------- */

bool box_in_view(const struct draw *draw, const struct box *box)
{
	for (int i = 0; i < draw_axes_of(draw); ++i)
		if ((double)box->lower[i] > draw->view.upper[i] || (double)box->upper[i] < draw->view.lower[i])
			return false;
	return true;
}

bool draw_point_in_view(const struct draw *draw, const double point[3])
{
	for (int i = 0; i < draw_axes_of(draw); ++i)
		if (!(point[i] >= draw->view.lower[i] && point[i] <= draw->view.upper[i]))
			return false;
	return true;
}

struct draw_part draw_part_of(const struct world *world, uint32_t collider, uint32_t child)
{
	return (struct draw_part){world->colliders.data[collider].shape, child, world->colliders.data[collider].body, NULL};
}

bool draw_part_in_view(const struct draw *draw, const struct draw_part *part)
{
	const struct world *world = draw->object->world;
	struct box box;
	if (world->wing->shape_unbounded(part->shape))
		return !draw->on[DRAW_VIEW] || drawing_of(draw)->unbounded_in_view(draw, part);
	drawing_of(draw)->part_box(world, part, &box);
	return box_in_view(draw, &box);
}

static void bounds_add(struct bounds *bounds, bool *empty, const double lower[3], const double upper[3])
{
	bool first = *empty;
	*empty = false;
	for (int i = 0; i < 3; ++i) {
		bounds->lower[i] = first ? lower[i] : min_d(bounds->lower[i], lower[i]);
		bounds->upper[i] = first ? upper[i] : max_d(bounds->upper[i], upper[i]);
	}
}

static void bounds_add_box(struct bounds *bounds, bool *empty, const struct box *box)
{
	double lower[3], upper[3];
	for (int i = 0; i < 3; ++i) {
		lower[i] = (double)box->lower[i];
		upper[i] = (double)box->upper[i];
	}
	bounds_add(bounds, empty, lower, upper);
}

static void bounds_add_disabled(const struct draw *draw, struct bounds *bounds, bool *empty)
{
	const struct world *world = draw->object->world;
	for (uint32_t id = world->disabled; id != NONE; id = world->bodies.data[id].island.next)
		for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next) {
			struct draw_part part = draw_part_of(world, c, 0);
			uint32_t count = world->wing->shape_unbounded(part.shape) ? 0 : world->wing->shape_children(part.shape);
			for (; part.child < count; ++part.child) {
				struct box box;
				drawing_of(draw)->part_box(world, &part, &box);
				bounds_add_box(bounds, empty, &box);
			}
		}
}

/* For a world with only unbounded shapes: adds one point of each shape's boundary, the closest to the origin of the shape's
 * body. */
static void bounds_add_edges(const struct draw *draw, struct bounds *bounds, bool *empty)
{
	const struct world *world = draw->object->world;
	for (uint32_t id = 0; id < world->colliders.count; ++id) {
		double point[3] = {0};
		if (!world->colliders.data[id].valid || !world->wing->shape_unbounded(world->colliders.data[id].shape))
			continue;
		struct draw_part part = draw_part_of(world, id, 0);
		drawing_of(draw)->unbounded_edge(world, &part, point);
		bounds_add(bounds, empty, point, point);
	}
}

static struct bounds area_find(const struct draw *draw)
{
	const struct world *world = draw->object->world;
	double rim = 10.0 * (double)world->settings.length_scale;
	struct bounds area = {{0}, {0}};
	bool empty = true;
	if (draw->on[DRAW_VIEW])
		return draw->view;
	for (int home = 0; home < TREES; ++home) {
		struct box box;
		if (tree_bounds(&world->trees[home], &box))
			bounds_add_box(&area, &empty, &box);
	}
	bounds_add_disabled(draw, &area, &empty);
	if (empty)
		bounds_add_edges(draw, &area, &empty);
	for (int i = 0; i < draw_axes_of(draw); ++i) {
		area.lower[i] -= rim;
		area.upper[i] += rim;
	}
	return area;
}

/* --- Gathering: engine code, nothing here raises -------------------------------------------------------------------------- */

static bool gather_id(struct draw *draw, uint32_t id)
{
	struct world_object *object = draw->object;
	if (!array_reserve(&object->memory, &object->drawn, object->drawn.count + 1)) {
		draw->out_of_memory = true;
		return false;
	}
	array_push(&object->drawn, id);
	return true;
}

static bool gather_proxy(void *context, uint32_t id)
{
	struct draw *draw = context;
	const struct proxy *proxy = &draw->object->world->proxies.data[id];
	return proxy_unbounded(proxy) || !box_in_view(draw, &proxy->box) || gather_id(draw, id);
}

/* Gathers the unbounded shapes in view. Tests them in doubles, as they are drawn: an engine query is less exact far from the
 * shape's body. */
static void gather_unbounded(struct draw *draw)
{
	const struct world *world = draw->object->world;
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		uint32_t id = world->unbounded.data[i];
		struct draw_part part = draw_part_of(world, world->proxies.data[id].collider, 0);
		if (draw_part_in_view(draw, &part) && !gather_id(draw, id))
			return;
	}
}

static void gather_proxies(struct draw *draw)
{
	gather_unbounded(draw);
	if (!draw->out_of_memory)
		query_box(draw->object->world, &draw->box, gather_proxy, draw);
}

static bool gather_node(void *context, uint32_t node)
{
	return gather_id(context, node);
}

/* Gathers and marks an id unless it is marked already. False: no memory. */
static bool gather_once(struct draw *draw, uint32_t id)
{
	if (bits_has(&draw->object->marked, id))
		return true;
	if (!gather_id(draw, id))
		return false;
	bits_set(&draw->object->marked, id);
	return true;
}

static void unmark(struct draw *draw, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i)
		bits_clear(&draw->object->marked, draw->object->drawn.data[i]);
}

static void gather_bodies(struct draw *draw)
{
	const struct world_object *object = draw->object;
	const struct world *world = object->world;
	for (uint32_t i = draw->ends[PROXIES]; i < draw->ends[BODIES]; ++i)
		if (!gather_once(draw, proxy_body(world, object->drawn.data[i])))
			return;
}

static bool body_in_view(const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next) {
		struct draw_part part = draw_part_of(world, c, 0);
		for (; part.child < world->wing->shape_children(part.shape); ++part.child)
			if (draw_part_in_view(draw, &part))
				return true;
	}
	return false;
}

static void gather_disabled(struct draw *draw)
{
	const struct world *world = draw->object->world;
	for (uint32_t id = world->disabled; id != NONE; id = world->bodies.data[id].island.next)
		if (body_in_view(draw, id) && !gather_id(draw, id))
			return;
}

/* Gathers a touching contact that has a point in view, and updates the largest impulse. False: no memory. */
static bool gather_contact(struct draw *draw, uint32_t id)
{
	double rows[CONTACT_POINTS][CONTACT_ROW];
	bool in_view = false;
	const struct dimension *dimension = draw->object->dimension;
	int axes = dimension->axes;
	if ((draw->object->world->contacts.data[id].link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) != CONTACT_TOUCHING)
		return true;
	uint32_t count = dimension->contact_rows(draw->object->world, id, 0, rows);
	for (uint32_t i = 0; i < count; ++i)
		if (draw_point_in_view(draw, rows[i] + axes)) {
			in_view = true;
			draw->largest_impulse = max_f(draw->largest_impulse, (float)rows[i][2 * axes + 1]);
		}
	return !in_view || gather_id(draw, id);
}

/* Gathers the contacts or joints of the bodies in view. Every active link has a dynamic body, and its points are near that
 * body: so only links of dynamic bodies are examined, not all links of a floor. A link of two dynamic bodies in view is
 * gathered once, for its body A. */
static void gather_links(struct draw *draw, enum link_kind kind)
{
	const struct world_object *object = draw->object;
	const struct world *world = object->world;
	for (uint32_t i = draw->ends[BODIES]; i < draw->ends[DISABLED]; ++i) {
		const struct body *body = &world->bodies.data[object->drawn.data[i]];
		if (body->type != BODY_DYNAMIC)
			continue;
		for (uint32_t key = body->links[kind]; key != NONE; key = link_next(world, kind, key)) {
			uint32_t a = link_at(world, kind, key / 2)->bodies[0];
			bool first = (key & 1) == 0 || world->bodies.data[a].type != BODY_DYNAMIC || !bits_has(&object->marked, a);
			if (first && !(kind == LINK_CONTACT ? gather_contact(draw, key / 2) : gather_id(draw, key / 2)))
				return;
		}
	}
}

static void gather_fields(struct draw *draw)
{
	const struct world *world = draw->object->world;
	for (uint32_t id = 0; id < world->fields.all.count; ++id)
		if (field_at(world, id)->valid && field_acts(world, field_at(world, id)) && draw_field_in_view(draw, id) &&
			!gather_id(draw, id))
			return;
}

static void gather_islands(struct draw *draw)
{
	const struct world_object *object = draw->object;
	for (uint32_t i = draw->ends[BODIES]; i < draw->ends[DISABLED]; ++i) {
		uint32_t island = object->world->bodies.data[object->drawn.data[i]].island.id;
		if (island != NONE && !gather_once(draw, island))
			return;
	}
}

static bool wants_bodies(const struct draw *draw)
{
	const bool *on = draw->on;
	return on[DRAW_CONTACTS] || on[DRAW_JOINTS] || on[DRAW_ISLANDS] || on[DRAW_CENTERS] || on[DRAW_VELOCITIES] ||
		on[DRAW_NAMES];
}

/* Gathers one section. It may read the ids of sections that come before it. */
static void gather_section(struct draw *draw, enum section section)
{
	const struct world *world = draw->object->world;
	const bool *on = draw->on, bodies = wants_bodies(draw);
	switch (section) {
	case PROXIES:
		if (on[DRAW_SHAPES] || on[DRAW_BOXES] || bodies)
			gather_proxies(draw);
		break;
	case BODIES:
		if (bodies)
			gather_bodies(draw);
		break;
	case DISABLED:
		if (on[DRAW_SHAPES] || bodies)
			gather_disabled(draw);
		break;
	case CONTACTS:
		if (on[DRAW_CONTACTS])
			gather_links(draw, LINK_CONTACT);
		break;
	case JOINTS:
		if (on[DRAW_JOINTS])
			gather_links(draw, LINK_JOINT);
		break;
	case FIELDS:
		if (on[DRAW_FIELDS])
			gather_fields(draw);
		break;
	case ISLANDS:
		if (on[DRAW_ISLANDS])
			gather_islands(draw);
		break;
	case STATIC_NODES:
	case RESTING_NODES:
	case DRIFTING_NODES:
		if (on[DRAW_TREE])
			tree_query_nodes(&world->trees[HOME_STATIC + section - STATIC_NODES], &draw->box, gather_node, draw);
		break;
	case SECTIONS: break;
	}
}

/* Gathers all sections. The marks are of bodies until the links are gathered, then of islands. False: no memory, nothing
 * gathered. */
static bool gather(struct draw *draw)
{
	struct world_object *object = draw->object;
	const struct world *world = object->world;
	uint32_t end = world->bodies.count > world->islands.count ? world->bodies.count : world->islands.count;
	draw->area = area_find(draw);
	draw->box = (struct box){{0}, {0}};
	for (int i = 0; i < draw_axes_of(draw); ++i) {
		draw->box.lower[i] = round_down_f(clamp_d(draw->view.lower[i], -everywhere, everywhere));
		draw->box.upper[i] = round_up_f(clamp_d(draw->view.upper[i], -everywhere, everywhere));
	}
	uint32_t start = draw->ends[0] = object->drawn.count;
	draw->out_of_memory = !bits_reserve(&object->memory, &object->marked, end);
	for (int section = 0; section < SECTIONS; ++section) {
		if (!draw->out_of_memory)
			gather_section(draw, section);
		draw->ends[section + 1] = object->drawn.count;
		if (section == JOINTS)
			unmark(draw, draw->ends[BODIES], draw->ends[DISABLED]);
		if (section == ISLANDS)
			unmark(draw, draw->ends[ISLANDS], draw->ends[ISLANDS + 1]);
	}
	if (draw->out_of_memory)
		object->drawn.count = start;
	return !draw->out_of_memory;
}

/* --- Calls of the target's functions, in the trampoline ------------------------------------------------------------------- */

void call_segment(lua_State *L, const struct draw *draw, enum meaning meaning, const double from[3], const double to[3])
{
	if (!call_begin(L, SEGMENT, meaning))
		return;
	push_numbers(L, draw_axes_of(draw), from);
	push_numbers(L, draw_axes_of(draw), to);
	call_end(L);
}

void draw_call_point(lua_State *L, const struct draw *draw, enum meaning meaning, const double point[3])
{
	if (!call_begin(L, POINT, meaning))
		return;
	push_numbers(L, draw_axes_of(draw), point);
	lua_pushinteger(L, DOT);
	call_end(L);
}

void draw_call_arrow(
	lua_State *L, const struct draw *draw, enum meaning meaning, const double from[3], const double vector[3], double share)
{
	double to[3] = {0};
	for (int i = 0; i < draw_axes_of(draw); ++i)
		to[i] = from[i] + share * vector[i];
	call_segment(L, draw, meaning, from, to);
}

double round_cosine(uint32_t i)
{
	static const double quarter[9] = {1, 0.98078528040323044913, 0.92387953251128675613, 0.83146961230254523708,
		0.70710678118654752440, 0.55557023301960222474, 0.38268343236508977173, 0.19509032201612826785, 0};
	i %= ROUND_POINTS;
	if (i > ROUND_POINTS / 2)
		i = ROUND_POINTS - i;
	return i <= ROUND_POINTS / 4 ? quarter[i] : -quarter[ROUND_POINTS / 2 - i];
}

/* --- Drawing -------------------------------------------------------------------------------------------------------------- */

/* The layers in the order of drawing: the option that shows each, the range of sections that it draws, and the function that
 * draws one id. */
static const struct layer {
	enum draw_option option;
	enum section first, last;
	void (*each)(lua_State *L, const struct draw *draw, uint32_t id);
} layers[] = {
	{DRAW_SHAPES, PROXIES, PROXIES, draw_shape},
	{DRAW_SHAPES, DISABLED, DISABLED, draw_disabled},
	{DRAW_FIELDS, FIELDS, FIELDS, draw_field},
	{DRAW_TREE, STATIC_NODES, DRIFTING_NODES, draw_node},
	{DRAW_BOXES, PROXIES, PROXIES, draw_box},
	{DRAW_ISLANDS, ISLANDS, ISLANDS, draw_island},
	{DRAW_CONTACTS, CONTACTS, CONTACTS, draw_contact},
	{DRAW_JOINTS, JOINTS, JOINTS, draw_joint},
	{DRAW_CENTERS, BODIES, DISABLED, draw_center},
	{DRAW_VELOCITIES, BODIES, BODIES, draw_velocity},
	{DRAW_NAMES, BODIES, DISABLED, draw_name},
};

static void draw_layer(lua_State *L, const struct draw *draw, const struct layer *layer)
{
	for (uint32_t i = draw->ends[layer->first]; i < draw->ends[layer->last + 1]; ++i)
		layer->each(L, draw, draw->object->drawn.data[i]);
}

/* The trampoline. Called with the world, its environment and the target's functions. */
int draw_run(lua_State *L)
{
	const struct world_object *object = object_test_any(L, 1, &class_world, sizeof *object);
	if (object == NULL || object->draw == NULL)
		return 0;
	const struct draw *draw = object->draw;
	luaL_checkstack(L, DRAW_AT_END + CALL_SLOTS, "draw");
	lua_settop(L, DRAW_AT_END - 1);
	shared_push(L, SHARED_DRAW_STRINGS);
	for (int i = 0; i < MEANINGS; ++i) {
		lua_rawgeti(L, DRAW_AT_END, FUNCTIONS + i + 1);
		lua_replace(L, DRAW_AT_MEANINGS + i);
	}
	lua_pop(L, 1);
	lua_rawgeti(L, DRAW_AT_ENVIRONMENT, ENV_NAMES);
	lua_replace(L, DRAW_AT_NAMES);
	lua_rawgeti(L, DRAW_AT_ENVIRONMENT, ENV_COLORS);
	lua_replace(L, DRAW_AT_COLORS);
	for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
		if (draw->on[layers[i].option])
			draw_layer(L, draw, &layers[i]);
	return 0;
}

static int world_draw(lua_State *L)
{
	struct draw draw = {.object = check_world(L, "draw")};
	struct world_object *object = draw.object;
	lua_settop(L, 3);
	luaL_checkstack(L, DRAW_AT_END + 8, "draw");
	check_target(L, 2);
	options_read(L, &draw, 3);
	shared_push(L, SHARED_DRAW);
	lua_pushvalue(L, 1);
	attached_get(L, 1);
	push_functions(L, 2);
	check_world(L, "draw");
	proxies_settle(object->world);
	if (!gather(&draw))
		raise_memory(L, "draw");
	draw.outer = object->draw;
	object->draw = &draw;
	++object->queries;
	int failed = lua_pcall(L, DRAW_AT_MEANINGS - DRAW_AT_WORLD, 0, 0);
	--object->queries;
	object->draw = draw.outer;
	object->drawn.count = draw.ends[0];
	if (failed)
		lua_error(L);
	return 0;
}

const luaL_Reg draw_methods[] = {
	{"draw", world_draw},
	{NULL, NULL},
};
