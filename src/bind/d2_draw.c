/* d2_draw.c - what a world of the plane looks like, told to a target: a table of plain functions, the same for screens, files and
** tests.
** What is in view is gathered first, as ids in the world's own buffer, by engine code that calls nothing of Lua's. Then the target's
** functions are called under lua_pcall, in a trampoline that may raise. The world is locked meanwhile, so that the ids stay good,
** whatever the functions do; the buffer may move, since draws nest, and is looked up anew for each id.
** No call makes garbage: all strings are in one list, made once for each Lua state.
** Floor: bind. */
#include "bind/args.h"
#include "core/edge.h"
#include "core/pairs.h"
#include "d2/joint.h"

#include <string.h>

/* In the order of the strings in SHARED_DRAW_STRINGS. */
enum function { SOLID_POLYGON, POLYGON, SOLID_CIRCLE, CIRCLE, SOLID_CAPSULE, CAPSULE, SEGMENT, POINT, TEXT, FUNCTIONS };

enum meaning {
	MEANING_STATIC, MEANING_KINEMATIC, MEANING_AWAKE, MEANING_SLEEPING, MEANING_BULLET, MEANING_SENSOR, MEANING_DISABLED, MEANING_BOX,
	MEANING_TREE, MEANING_CONTACT, MEANING_NORMAL, MEANING_IMPULSE, MEANING_JOINT, MEANING_ISLAND, MEANING_CENTER, MEANING_VELOCITY, MEANING_NAME,
	MEANINGS
};

static const char *const function_names[FUNCTIONS] = { "solidPolygon", "polygon", "solidCircle", "circle", "solidCapsule", "capsule",
	"segment", "point", "text" };
static const char *const meaning_names[MEANINGS] = { "static", "kinematic", "awake", "sleeping", "bullet", "sensor", "disabled", "box",
	"tree", "contact", "normal", "impulse", "joint", "island", "center", "velocity", "name" };

/* What is gathered, one section after the other. Disabled bodies follow the others, so that both can be gone through as one. */
enum section { PROXIES, BODIES, DISABLED, CONTACTS, JOINTS, ISLANDS, STATIC_NODES, MOVABLE_NODES, SECTIONS };

struct rectangle {
	double x1, y1, x2, y2;
};

struct draw {
	struct world_object *object;
	struct draw *outer;
	bool on[DRAW_OPTIONS]; /* by option */
	struct rectangle view; /* where something must be to be drawn; all of the world without DRAW_VIEW */
	struct box box; /* the same, rounded outwards */
	struct rectangle area; /* of which half-planes cover a part: the view, or the bounds of everything else */
	uint32_t ends[SECTIONS + 1]; /* section s is [ends[s], ends[s + 1]) of object->drawn */
	float largest_impulse; /* in view [mass length/s] */
	bool out_of_memory;
};

/* Stack slots of the trampoline, from the bottom. */
enum {
	AT_WORLD = 1,
	AT_ENVIRONMENT,
	AT_FUNCTIONS,
	AT_MEANINGS = AT_FUNCTIONS + FUNCTIONS,
	AT_NAMES = AT_MEANINGS + MEANINGS, /* the table of names */
	AT_END
};

enum {
	ELLIPSE_POINTS = 32,
	CALL_SLOTS = 2 * D2_HULL_MAX + 8, /* that one call of a function takes at most */
	DOT = 5, /* diameter of a point [pixels] */
};

_Static_assert((int)D2_HULL_MAX >= (int)ELLIPSE_POINTS, "room for the points of an ellipse");

static const double everywhere = 1e30; /* where boxes end, too; its products with a normal are finite floats */

void draw_strings_register(lua_State *L, int shared)
{
	lua_createtable(L, FUNCTIONS + MEANINGS, 0);
	for (int i = 0; i < FUNCTIONS + MEANINGS; ++i) {
		lua_pushstring(L, i < FUNCTIONS ? function_names[i] : meaning_names[i - FUNCTIONS]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_rawseti(L, shared, SHARED_DRAW_STRINGS);
}

/* --- Options ----------------------------------------------------------------------------------------------------------- */

static struct rectangle option_view(lua_State *L, struct path path)
{
	double corners[4];
	int list = lua_gettop(L);
	if (lua_type(L, list) != LUA_TTABLE || lua_rawlen(L, list) != 4)
		raise_value(L, list, &path, "be a list {x1, y1, x2, y2}");
	value_list(L, list, &path);
	for (int i = 0; i < 4; ++i) {
		lua_rawgeti(L, list, i + 1);
		path.element = i + 1;
		corners[i] = value_number(L, -1, &path, &range_any);
		if (i >= 2 && corners[i] < corners[i - 2])
			raise_value(L, -1, &path, i == 2 ? "be at least x1" : "be at least y1");
		lua_pop(L, 1);
	}
	return (struct rectangle){ corners[0], corners[1], corners[2], corners[3] };
}

static void options_read(lua_State *L, struct draw *draw, int index)
{
	draw->on[DRAW_SHAPES] = true;
	draw->view = (struct rectangle){ -everywhere, -everywhere, everywhere, everywhere };
	if (lua_isnil(L, index))
		return;
	struct options options = { .function = "draw", .set = OPTIONS_DRAW };
	options_begin(L, &options, index, "options");
	for (int option; (option = options_next(L, &options)) != 0;) {
		struct path path = options_path(&options);
		if (option == DRAW_VIEW)
			draw->view = option_view(L, path);
		draw->on[option] = option == DRAW_VIEW || value_boolean(L, -1, &path);
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

/* Pushes the target's functions, nil for those that it has not. Its __index may be any code of the script. */
static void push_functions(lua_State *L, int target)
{
	lua_rawgeti(L, UPVALUE_SHARED, SHARED_DRAW_STRINGS);
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

/* --- What is in view: engine code, nothing here raises ----------------------------------------------------------------- */

static bool box_in_view(const struct draw *draw, const struct box *box)
{
	const struct rectangle *view = &draw->view;
	return (double)box->lower[0] <= view->x2 && (double)box->upper[0] >= view->x1 && (double)box->lower[1] <= view->y2 &&
		   (double)box->upper[1] >= view->y1;
}

static bool point_in_view(const struct draw *draw, double x, double y)
{
	const struct rectangle *view = &draw->view;
	return x >= view->x1 && x <= view->x2 && y >= view->y1 && y <= view->y2;
}

static const struct d2_shape *shape_of(const struct draw *draw, uint32_t collider)
{
	return draw->object->world->colliders.data[collider].shape;
}

/* The part of the area that the half-plane at the pose covers, counter-clockwise: cuts the corners off that are outside. Returns the
** number of points, 0 when it covers none. */
static int half_plane_clip(const struct draw *draw, const struct d2_shape *shape, const struct d2_pose *pose, struct d2_vec_d out[5])
{
	const struct rectangle *area = &draw->area;
	const struct d2_vec_d corners[4] = { { area->x1, area->y1 }, { area->x2, area->y1 }, { area->x2, area->y2 }, { area->x1, area->y2 } };
	struct d2_vec_d n = d2_rotate_d(pose->q, d2_widen(shape->normal));
	double distances[4];
	int count = 0;
	if (!(area->x1 < area->x2 && area->y1 < area->y2))
		return 0;
	for (int i = 0; i < 4; ++i)
		distances[i] = n.x * (corners[i].x - pose->x) + n.y * (corners[i].y - pose->y) - (double)shape->offset;
	for (int i = 0; i < 4; ++i) {
		const struct d2_vec_d *a = &corners[i], *b = &corners[(i + 1) % 4];
		double from = distances[i], to = distances[(i + 1) % 4];
		if (from <= 0)
			out[count++] = *a;
		if ((from < 0 && to > 0) || (from > 0 && to < 0)) {
			double t = from / (from - to);
			out[count++] = (struct d2_vec_d){ a->x + t * (b->x - a->x), a->y + t * (b->y - a->y) };
		}
	}
	return count >= 3 ? count : 0;
}

static bool part_in_view(const struct draw *draw, const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose)
{
	struct d2_vec_d points[5];
	if (d2_shape_unbounded(shape))
		return !draw->on[DRAW_VIEW] || half_plane_clip(draw, shape, pose, points) > 0;
	struct box box = d2_shape_box(shape, child, pose, 0);
	return box_in_view(draw, &box);
}

static void rectangle_add(struct rectangle *area, bool *empty, double x1, double y1, double x2, double y2)
{
	bool first = *empty;
	*empty = false;
	area->x1 = first ? x1 : min_d(area->x1, x1);
	area->y1 = first ? y1 : min_d(area->y1, y1);
	area->x2 = first ? x2 : max_d(area->x2, x2);
	area->y2 = first ? y2 : max_d(area->y2, y2);
}

static void rectangle_add_box(struct rectangle *area, bool *empty, const struct box *box)
{
	rectangle_add(area, empty, (double)box->lower[0], (double)box->lower[1], (double)box->upper[0], (double)box->upper[1]);
}

static void rectangle_add_disabled(const struct draw *draw, struct rectangle *area, bool *empty)
{
	const struct world *world = draw->object->world;
	for (uint32_t id = world->disabled; id != NONE; id = world->bodies.data[id].island_next) {
		struct d2_pose pose = d2_body_pose(d2_of(draw->object), id);
		for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next) {
			const struct d2_shape *shape = shape_of(draw, c);
			for (uint32_t i = 0; !d2_shape_unbounded(shape) && i < d2_shape_child_count(shape); ++i) {
				struct box box = d2_shape_box(shape, i, &pose, 0);
				rectangle_add_box(area, empty, &box);
			}
		}
	}
}

/* A world of half-planes alone is seen where their edges come nearest to their bodies. */
static void rectangle_add_edges(const struct draw *draw, struct rectangle *area, bool *empty)
{
	const struct world *world = draw->object->world;
	for (uint32_t id = 0; id < world->colliders.count; ++id) {
		const struct collider *collider = &world->colliders.data[id];
		if (!collider->valid || !d2_shape_unbounded(collider->shape))
			continue;
		struct d2_pose pose = d2_body_pose(d2_of(draw->object), collider->body);
		const struct d2_shape *shape = collider->shape;
		struct d2_vec_d edge = d2_scale_d((double)shape->offset, d2_rotate_d(pose.q, d2_widen(shape->normal)));
		rectangle_add(area, empty, pose.x + edge.x, pose.y + edge.y, pose.x + edge.x, pose.y + edge.y);
	}
}

static struct rectangle area_find(const struct draw *draw)
{
	const struct world *world = draw->object->world;
	double rim = 10.0 * (double)world->settings.length_scale;
	struct rectangle area = { 0 };
	bool empty = true;
	if (draw->on[DRAW_VIEW])
		return draw->view;
	for (int i = 0; i < 2; ++i) {
		struct box box;
		if (tree_bounds(&world->trees[i], &box))
			rectangle_add_box(&area, &empty, &box);
	}
	rectangle_add_disabled(draw, &area, &empty);
	if (empty)
		rectangle_add_edges(draw, &area, &empty);
	return (struct rectangle){ area.x1 - rim, area.y1 - rim, area.x2 + rim, area.y2 + rim };
}

/* --- Gathering: engine code, nothing here raises ----------------------------------------------------------------------- */

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
	return proxy->unbounded || !box_in_view(draw, &proxy->box) || gather_id(draw, id);
}

/* By the same numbers as they are drawn: far away from its body, where a half-plane ends is not as exact for the engine. */
static void gather_unbounded(struct draw *draw)
{
	const struct world *world = draw->object->world;
	for (uint32_t i = 0; i < world->unbounded.count; ++i) {
		uint32_t id = world->unbounded.data[i], collider = world->proxies.data[id].collider;
		struct d2_pose pose = d2_body_pose(d2_of(draw->object), world->colliders.data[collider].body);
		if (part_in_view(draw, shape_of(draw, collider), 0, &pose) && !gather_id(draw, id))
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

/* Each id that is not marked yet. */
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
		if (!gather_once(draw, world->colliders.data[world->proxies.data[object->drawn.data[i]].collider].body))
			return;
}

static bool body_in_view(const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	struct d2_pose pose = d2_body_pose(d2_of(draw->object), id);
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t i = 0; i < d2_shape_child_count(shape_of(draw, c)); ++i)
			if (part_in_view(draw, shape_of(draw, c), i, &pose))
				return true;
	return false;
}

static void gather_disabled(struct draw *draw)
{
	const struct world *world = draw->object->world;
	for (uint32_t id = world->disabled; id != NONE; id = world->bodies.data[id].island_next)
		if (body_in_view(draw, id) && !gather_id(draw, id))
			return;
}

/* Those with a point in view; finds the largest impulse, too. */
static bool gather_contact(struct draw *draw, uint32_t id)
{
	struct d2_contact_point points[2];
	struct d2_vec normal;
	bool in_view = false;
	if ((draw->object->world->contacts.data[id].edge.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) != CONTACT_TOUCHING)
		return true;
	int count = d2_contact_points(d2_of(draw->object), id, &normal, points);
	for (int i = 0; i < count; ++i)
		if (point_in_view(draw, points[i].x, points[i].y)) {
			in_view = true;
			draw->largest_impulse = max_f(draw->largest_impulse, points[i].impulse);
		}
	return !in_view || gather_id(draw, id);
}

/* Every edge that does something has a dynamic body, and its points are next to it. So what a floor carries elsewhere is not looked at. Two
** dynamic bodies in view have it from the first one. */
static void gather_edges(struct draw *draw, enum edge_kind kind)
{
	const struct world_object *object = draw->object;
	const struct world *world = object->world;
	for (uint32_t i = draw->ends[BODIES]; i < draw->ends[DISABLED]; ++i) {
		const struct body *body = &world->bodies.data[object->drawn.data[i]];
		if (body->type != BODY_DYNAMIC)
			continue;
		for (uint32_t key = body->edges[kind]; key != NONE; key = edge_next(world, kind, key)) {
			uint32_t a = edge_at(world, kind, key / 2)->bodies[0];
			bool first = (key & 1) == 0 || world->bodies.data[a].type != BODY_DYNAMIC || !bits_has(&object->marked, a);
			if (first && !(kind == EDGE_CONTACT ? gather_contact(draw, key / 2) : gather_id(draw, key / 2)))
				return;
		}
	}
}

static void gather_islands(struct draw *draw)
{
	const struct world_object *object = draw->object;
	for (uint32_t i = draw->ends[BODIES]; i < draw->ends[DISABLED]; ++i) {
		uint32_t island = object->world->bodies.data[object->drawn.data[i]].island;
		if (island != NONE && !gather_once(draw, island))
			return;
	}
}

static bool wants_bodies(const struct draw *draw)
{
	const bool *on = draw->on;
	return on[DRAW_CONTACTS] || on[DRAW_JOINTS] || on[DRAW_ISLANDS] || on[DRAW_CENTERS] || on[DRAW_VELOCITIES] || on[DRAW_NAMES];
}

/* What the section needs is in the buffer when its turn comes. */
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
			gather_edges(draw, EDGE_CONTACT);
		break;
	case JOINTS:
		if (on[DRAW_JOINTS])
			gather_edges(draw, EDGE_JOINT);
		break;
	case ISLANDS:
		if (on[DRAW_ISLANDS])
			gather_islands(draw);
		break;
	case STATIC_NODES:
	case MOVABLE_NODES:
		if (on[DRAW_TREE])
			tree_query_nodes(&world->trees[section == MOVABLE_NODES], &draw->box, gather_node, draw);
		break;
	case SECTIONS: break;
	}
}

/* False: no memory, nothing gathered. Bodies are marked while edges are gathered, then islands. */
static bool gather(struct draw *draw)
{
	struct world_object *object = draw->object;
	const struct world *world = object->world;
	uint32_t end = world->bodies.count > world->islands.count ? world->bodies.count : world->islands.count;
	draw->area = area_find(draw);
	draw->box = (struct box){ .lower = { round_down_f(clamp_d(draw->view.x1, -everywhere, everywhere)),
								  round_down_f(clamp_d(draw->view.y1, -everywhere, everywhere)) },
		.upper = { round_up_f(clamp_d(draw->view.x2, -everywhere, everywhere)),
			round_up_f(clamp_d(draw->view.y2, -everywhere, everywhere)) } };
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

/* --- Calls of the target's functions, in the trampoline ---------------------------------------------------------------- */

/* False: the target has no such function. Else its arguments follow, and call_end. */
static bool call_begin(lua_State *L, enum function function, enum meaning meaning)
{
	if (lua_isnil(L, AT_FUNCTIONS + (int)function))
		return false;
	lua_pushvalue(L, AT_FUNCTIONS + (int)function);
	lua_pushvalue(L, AT_MEANINGS + (int)meaning);
	return true;
}

static void call_end(lua_State *L)
{
	lua_call(L, lua_gettop(L) - AT_END, 0);
}

static void push_two(lua_State *L, double x, double y)
{
	lua_pushnumber(L, x);
	lua_pushnumber(L, y);
}

/* A point of the body's frame, in the world; in doubles, so that it is as exact as its place. */
static void push_place(lua_State *L, const struct d2_pose *pose, double x, double y)
{
	double c = (double)pose->q.c, s = (double)pose->q.s;
	push_two(L, pose->x + (c * x - s * y), pose->y + (s * x + c * y));
}

static void push_places(lua_State *L, const struct d2_pose *pose, const struct d2_vec *points, uint32_t count)
{
	for (uint32_t i = 0; i < count; ++i)
		push_place(L, pose, (double)points[i].x, (double)points[i].y);
}

static void call_segment(lua_State *L, enum meaning meaning, double x1, double y1, double x2, double y2)
{
	if (!call_begin(L, SEGMENT, meaning))
		return;
	push_two(L, x1, y1);
	push_two(L, x2, y2);
	call_end(L);
}

static void call_point(lua_State *L, enum meaning meaning, double x, double y)
{
	if (!call_begin(L, POINT, meaning))
		return;
	push_two(L, x, y);
	lua_pushinteger(L, DOT);
	call_end(L);
}

static void call_box(lua_State *L, enum meaning meaning, const struct box *box)
{
	double x1 = (double)box->lower[0], y1 = (double)box->lower[1], x2 = (double)box->upper[0], y2 = (double)box->upper[1];
	if (!call_begin(L, POLYGON, meaning))
		return;
	lua_pushinteger(L, 0);
	push_two(L, x1, y1);
	push_two(L, x2, y1);
	push_two(L, x2, y2);
	push_two(L, x1, y2);
	call_end(L);
}

/* --- Shapes ------------------------------------------------------------------------------------------------------------ */

/* cos(2 pi i / 32), and with it all sines and cosines of an ellipse's points. */
static double ellipse_cosine(uint32_t i)
{
	static const double quarter[9] = { 1, 0.98078528040323044913, 0.92387953251128675613, 0.83146961230254523708,
		0.70710678118654752440, 0.55557023301960222474, 0.38268343236508977173, 0.19509032201612826785, 0 };
	i %= ELLIPSE_POINTS;
	if (i > ELLIPSE_POINTS / 2)
		i = ELLIPSE_POINTS - i;
	return i <= ELLIPSE_POINTS / 4 ? quarter[i] : -quarter[ELLIPSE_POINTS / 2 - i];
}

static void push_ellipse(lua_State *L, const struct d2_shape *shape, const struct d2_pose *pose)
{
	for (uint32_t i = 0; i < ELLIPSE_POINTS; ++i) {
		struct d2_vec_d p = { (double)shape->axes.x * ellipse_cosine(i),
			(double)shape->axes.y * ellipse_cosine(i + ELLIPSE_POINTS * 3 / 4) };
		p = d2_add_d(d2_widen(shape->points[0]), d2_rotate_d(shape->rotation, p));
		push_place(L, pose, p.x, p.y);
	}
}

static void shape_circle(lua_State *L, enum meaning meaning, bool solid, const struct d2_shape *shape, const struct d2_pose *pose)
{
	if (!call_begin(L, solid ? SOLID_CIRCLE : CIRCLE, meaning))
		return;
	push_places(L, pose, shape->points, 1);
	push_two(L, (double)shape->radius, (double)scalar_atan2(pose->q.s, pose->q.c));
	call_end(L);
}

static void shape_capsule(lua_State *L, enum meaning meaning, bool solid, const struct d2_shape *shape, const struct d2_pose *pose)
{
	if (!call_begin(L, solid ? SOLID_CAPSULE : CAPSULE, meaning))
		return;
	push_places(L, pose, shape->points, 2);
	lua_pushnumber(L, (double)shape->radius);
	call_end(L);
}

static void shape_segment(lua_State *L, enum meaning meaning, const struct d2_vec *ends, const struct d2_pose *pose)
{
	if (!call_begin(L, SEGMENT, meaning))
		return;
	push_places(L, pose, ends, 2);
	call_end(L);
}

static void shape_polygon(lua_State *L, enum meaning meaning, bool solid, const struct d2_shape *shape, const struct d2_pose *pose)
{
	bool ellipse = shape->type == D2_ELLIPSE;
	if (!call_begin(L, solid ? SOLID_POLYGON : POLYGON, meaning))
		return;
	lua_pushnumber(L, ellipse ? 0 : (double)shape->radius); /* an ellipse's is not one of its outline */
	if (ellipse)
		push_ellipse(L, shape, pose);
	else
		push_places(L, pose, shape->points, shape->count);
	call_end(L);
}

static void shape_half_plane(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct d2_shape *shape,
	const struct d2_pose *pose)
{
	struct d2_vec_d points[5];
	int count = half_plane_clip(draw, shape, pose, points);
	if (count == 0 || !call_begin(L, solid ? SOLID_POLYGON : POLYGON, meaning))
		return;
	lua_pushinteger(L, 0);
	for (int i = 0; i < count; ++i)
		push_two(L, points[i].x, points[i].y);
	call_end(L);
}

static enum meaning meaning_of(const struct body *body, const struct collider *collider)
{
	if (body->set == SET_DISABLED)
		return MEANING_DISABLED;
	if (collider->sensor)
		return MEANING_SENSOR;
	if (body->type == BODY_STATIC)
		return MEANING_STATIC;
	if (body->type == BODY_KINEMATIC)
		return MEANING_KINEMATIC;
	if (body->set == SET_ASLEEP)
		return MEANING_SLEEPING;
	return body->bullet ? MEANING_BULLET : MEANING_AWAKE;
}

static void draw_part(lua_State *L, const struct draw *draw, uint32_t collider_id, uint32_t child)
{
	const struct world *world = draw->object->world;
	const struct collider *collider = &world->colliders.data[collider_id];
	const struct d2_shape *shape = collider->shape;
	enum meaning meaning = meaning_of(&world->bodies.data[collider->body], collider);
	struct d2_pose pose = d2_body_pose(d2_of(draw->object), collider->body);
	bool solid = !collider->sensor;
	switch (shape->type) {
	case D2_CIRCLE: shape_circle(L, meaning, solid, shape, &pose); break;
	case D2_CAPSULE: shape_capsule(L, meaning, solid, shape, &pose); break;
	case D2_SEGMENT:
	case D2_CHAIN: shape_segment(L, meaning, shape->points + child, &pose); break;
	case D2_BOX:
	case D2_POLYGON:
	case D2_ELLIPSE: shape_polygon(L, meaning, solid, shape, &pose); break;
	case D2_HALF_PLANE: shape_half_plane(L, draw, meaning, solid, shape, &pose); break;
	case D2_SHAPE_TYPES: break;
	}
}

static void draw_disabled(lua_State *L, const struct draw *draw, uint32_t body)
{
	const struct world *world = draw->object->world;
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t i = 0; i < d2_shape_child_count(shape_of(draw, c)); ++i) {
			struct d2_pose pose = d2_body_pose(d2_of(draw->object), body);
			if (part_in_view(draw, shape_of(draw, c), i, &pose))
				draw_part(L, draw, c, i);
		}
}

static void draw_shape(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct proxy *proxy = &draw->object->world->proxies.data[id];
	draw_part(L, draw, proxy->collider, proxy->child);
}

/* --- Overlays ---------------------------------------------------------------------------------------------------------- */

static void draw_box(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct proxy *proxy = &draw->object->world->proxies.data[id];
	if (!proxy->unbounded)
		call_box(L, MEANING_BOX, &proxy->box);
}

static void draw_static_node(lua_State *L, const struct draw *draw, uint32_t node)
{
	struct box box = tree_node_box(&draw->object->world->trees[0], node);
	call_box(L, MEANING_TREE, &box);
}

static void draw_movable_node(lua_State *L, const struct draw *draw, uint32_t node)
{
	struct box box = tree_node_box(&draw->object->world->trees[1], node);
	call_box(L, MEANING_TREE, &box);
}

static void draw_island(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	struct box around = { { 0 }, { 0 } };
	bool empty = true;
	for (uint32_t body = world->islands.data[id].first_body; body != NONE; body = world->bodies.data[body].island_next)
		for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next)
			for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next)
				if (!world->proxies.data[p].unbounded) {
					around = empty ? world->proxies.data[p].box : box_union(&around, &world->proxies.data[p].box);
					empty = false;
				}
	if (!empty)
		call_box(L, MEANING_ISLAND, &around);
}

static void draw_contact(lua_State *L, const struct draw *draw, uint32_t id)
{
	struct d2_contact_point points[2];
	struct d2_vec normal;
	double scale = (double)draw->object->world->settings.length_scale;
	int count = d2_contact_points(d2_of(draw->object), id, &normal, points);
	for (int i = 0; i < count; ++i) {
		double x = points[i].x, y = points[i].y, nx = (double)normal.x * scale, ny = (double)normal.y * scale;
		if (!point_in_view(draw, x, y))
			continue;
		call_point(L, MEANING_CONTACT, x, y);
		call_segment(L, MEANING_NORMAL, x, y, x + 0.2 * nx, y + 0.2 * ny);
		if (points[i].impulse > 0) {
			double share = (double)points[i].impulse / (double)draw->largest_impulse;
			call_segment(L, MEANING_IMPULSE, x, y, x + share * nx, y + share * ny);
		}
	}
}

static void draw_joint(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct d2_world *world = d2_of(draw->object);
	double points[2][2];
	d2_joint_anchors(world, id, points[0], points[1]);
	for (int side = 0; side < 2; ++side) {
		double x, y;
		d2_body_center(world, world->core.joints.data[id].edge.bodies[side], &x, &y);
		call_segment(L, MEANING_JOINT, x, y, points[side][0], points[side][1]);
		call_point(L, MEANING_JOINT, points[side][0], points[side][1]);
	}
}

static void draw_center(lua_State *L, const struct draw *draw, uint32_t id)
{
	double x, y;
	if (draw->object->world->bodies.data[id].type == BODY_STATIC)
		return;
	d2_body_center(d2_of(draw->object), id, &x, &y);
	call_point(L, MEANING_CENTER, x, y);
}

static void draw_velocity(lua_State *L, const struct draw *draw, uint32_t id)
{
	float w;
	double x, y;
	struct d2_vec v = d2_body_velocity(d2_of(draw->object), id, &w);
	if (v.x == 0 && v.y == 0)
		return;
	d2_body_center(d2_of(draw->object), id, &x, &y);
	call_segment(L, MEANING_VELOCITY, x, y, x + 0.1 * (double)v.x, y + 0.1 * (double)v.y);
}

static void draw_name(lua_State *L, const struct draw *draw, uint32_t id)
{
	struct d2_pose pose = d2_body_pose(d2_of(draw->object), id);
	if (!call_begin(L, TEXT, MEANING_NAME))
		return;
	push_two(L, pose.x, pose.y);
	push_live(L, AT_ENVIRONMENT, &class_body, id);
	lua_rawget(L, AT_NAMES);
	if (lua_type(L, -1) == LUA_TSTRING)
		call_end(L);
	else
		lua_settop(L, AT_END - 1);
}

/* --- All of it --------------------------------------------------------------------------------------------------------- */

/* What each option shows, in the order in which it is drawn: what was gathered from one section to another. */
static const struct layer {
	enum draw_option option;
	enum section first, last;
	void (*each)(lua_State *L, const struct draw *draw, uint32_t id);
} layers[] = {
	{ DRAW_SHAPES, PROXIES, PROXIES, draw_shape },
	{ DRAW_SHAPES, DISABLED, DISABLED, draw_disabled },
	{ DRAW_TREE, STATIC_NODES, STATIC_NODES, draw_static_node },
	{ DRAW_TREE, MOVABLE_NODES, MOVABLE_NODES, draw_movable_node },
	{ DRAW_BOXES, PROXIES, PROXIES, draw_box },
	{ DRAW_ISLANDS, ISLANDS, ISLANDS, draw_island },
	{ DRAW_CONTACTS, CONTACTS, CONTACTS, draw_contact },
	{ DRAW_JOINTS, JOINTS, JOINTS, draw_joint },
	{ DRAW_CENTERS, BODIES, DISABLED, draw_center },
	{ DRAW_VELOCITIES, BODIES, BODIES, draw_velocity },
	{ DRAW_NAMES, BODIES, DISABLED, draw_name },
};

static void draw_layer(lua_State *L, const struct draw *draw, const struct layer *layer)
{
	for (uint32_t i = draw->ends[layer->first]; i < draw->ends[layer->last + 1]; ++i)
		layer->each(L, draw, draw->object->drawn.data[i]);
}

/* Called with the world, its environment and the target's functions. */
int draw_run(lua_State *L)
{
	const struct world_object *object = object_test(L, 1, &class_world, sizeof *object);
	if (object == NULL || object->draw == NULL)
		return 0;
	const struct draw *draw = object->draw;
	luaL_checkstack(L, AT_END + CALL_SLOTS, "draw");
	lua_settop(L, AT_END - 1);
	lua_rawgeti(L, UPVALUE_SHARED, SHARED_DRAW_STRINGS);
	for (int i = 0; i < MEANINGS; ++i) {
		lua_rawgeti(L, AT_END, FUNCTIONS + i + 1);
		lua_replace(L, AT_MEANINGS + i);
	}
	lua_pop(L, 1);
	lua_rawgeti(L, AT_ENVIRONMENT, ENV_NAMES);
	lua_replace(L, AT_NAMES);
	for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
		if (draw->on[layers[i].option])
			draw_layer(L, draw, &layers[i]);
	return 0;
}

static int world_draw(lua_State *L)
{
	struct draw draw = { .object = check_world_of(L, "draw", &class_world) };
	struct world_object *object = draw.object;
	lua_settop(L, 3);
	luaL_checkstack(L, AT_END + 8, "draw");
	check_target(L, 2);
	options_read(L, &draw, 3);
	lua_rawgeti(L, UPVALUE_SHARED, SHARED_DRAW);
	lua_pushvalue(L, 1);
	attached_get(L, 1);
	push_functions(L, 2);
	check_world(L, "draw");
	trees_settle(object->world);
	if (!gather(&draw))
		raise_memory(L, "draw");
	draw.outer = object->draw;
	object->draw = &draw;
	++object->queries;
	int failed = lua_pcall(L, AT_MEANINGS - AT_WORLD, 0, 0);
	--object->queries;
	object->draw = draw.outer;
	object->drawn.count = draw.ends[0];
	if (failed)
		lua_error(L);
	return 0;
}

const luaL_Reg draw_methods[] = {
	{ "draw", world_draw },
	{ NULL, NULL },
};
