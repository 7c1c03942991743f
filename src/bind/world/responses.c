/* responses.c - body:moveAndCollide and collide.response: moves with responses to what a body meets, in 2D and 3D.
 * A move is a sequence of ways. The first collider met on each gets a response, which says where the next way leads. No
 * collider is met twice. Between two searches scripts run, which may change anything. */
#include "bind/world/dimension.h"
#include "core/filter.h"
#include "core/meeting.h"
#include "core/obstacle.h"
#include "core/planes.h"

#include <assert.h>

/* Stack slots of moveAndCollide, from the bottom. */
struct slots {
	int filter, into, environment, met; /* met: anchors move.met */
};

enum { FEW = 64, SLIDES = 16 };

/* A move under way. */
struct move {
	const struct dimension *dimension;
	struct world_object *object;
	uint32_t body;
	struct slots at;
	struct vec3 start, from, goal; /* start: of the whole move; from, goal: of the next way */
	uint32_t count; /* responses so far */
	bool goes_on;
	uint32_t slide_count;
	struct half_space slides[SLIDES]; /* that the move has slid along */
	/* colliders met, or refused by the filter: `few`, or in a userdata */
	uint32_t *met, met_count, met_room, few[FEW];
};

/* --- Meetings ------------------------------------------------------------------------------------------------------------- */

static bool admits(void *context, uint32_t own, uint32_t other)
{
	const struct move *move = context;
	const struct world *world = move->object->world;
	const struct collider *a = &world->colliders.data[own], *b = &world->colliders.data[other];
	for (uint32_t i = 0; i < move->met_count; ++i)
		if (move->met[i] == other)
			return false;
	return a->body != b->body && filter_meets(world, a, b);
}

static void check_shapes(lua_State *L, const struct move *move)
{
	const struct world *world = move->object->world;
	for (uint32_t c = world->bodies.data[move->body].colliders; c != NONE; c = world->colliders.data[c].next)
		if (!world->colliders.data[c].sensor && !world->wing->obstacles->is_convex(world->colliders.data[c].shape))
			raise_error(L, "moveAndCollide: the shapes of the body must be convex and have an end");
}

/* Checks the body again after script code ran. */
static void check_again(lua_State *L, struct move *move)
{
	uint32_t body;
	check_body_change(L, "moveAndCollide", &body);
	check_shapes(L, move);
}

/* Adds a collider to those met. */
static void met_add(lua_State *L, struct move *move, uint32_t collider)
{
	if (move->met_count == move->met_room) {
		uint32_t *more = userdata_create(L, 2 * move->met_room * sizeof *more);
		memcpy(more, move->met, move->met_count * sizeof *more);
		lua_replace(L, move->at.met);
		move->met = more;
		move->met_room *= 2;
	}
	move->met[move->met_count++] = collider;
}

/* Finds the first collider met on the next way, and excludes it from then on. False: there is none. */
static bool meet(lua_State *L, struct move *move, struct meeting *meeting)
{
	if (!meeting_find(move->object->world, move->body, move->from, move->goal, admits, move, meeting))
		raise_memory(L, "moveAndCollide");
	if (meeting->other == NONE)
		return false;
	met_add(L, move, meeting->other);
	check_again(L, move);
	return true;
}

/* --- Responses ------------------------------------------------------------------------------------------------------------ */

static const char *const response_names[] = {"slide", "touch", "cross", "bounce", NULL};
enum response { SLIDE, TOUCH, CROSS, BOUNCE, OWN };

/* Pushes the response's name: what the filter returns, or the default. False: the collider is no obstacle. */
static bool push_name(lua_State *L, struct move *move, uint32_t other)
{
	bool sensor = move->object->world->colliders.data[other].sensor;
	if (lua_isnil(L, move->at.filter)) {
		lua_pushstring(L, sensor ? "cross" : "slide");
		return true;
	}
	lua_pushvalue(L, move->at.filter);
	push_live(L, move->object, move->at.environment, &class_collider, other);
	lua_call(L, 1, 1);
	check_again(L, move);
	if (!lua_toboolean(L, -1)) {
		lua_settop(L, move->at.met);
		return false;
	}
	if (lua_type(L, -1) != LUA_TSTRING)
		raise_value(L, -1, PATH("moveAndCollide", "filter"), "return the name of a response, false or nil");
	return true;
}

/* The response whose name is on top of the stack. An own one's function replaces the name. */
static enum response response_of(lua_State *L)
{
	const char *name = lua_tostring(L, -1);
	for (int i = 0; response_names[i]; ++i)
		if (strcmp(name, response_names[i]) == 0)
			return (enum response)i;
	shared_push(L, SHARED_RESPONSES);
	lua_pushvalue(L, -2);
	lua_rawget(L, -2);
	if (lua_isnil(L, -1))
		raise_error(L, "moveAndCollide: there is no response '%s': see collide.response", name);
	return OWN;
}

/* Takes the part along the normal from the goal, or reflects it, beyond the touch. A normal along an axis changes that
 * coordinate alone, exactly. */
static void goal_turn(struct move *move, const struct meeting *meeting, double times)
{
	struct vec3 n = meeting->normal, beyond = vec3_sub(move->goal, meeting->touch);
	double into = vec3_dot(beyond, n);
	for (int k = 0; k < move->dimension->axes; ++k) {
		double along = (&n.x)[k];
		if (abs_d(along) == 1.0)
			(&move->goal.x)[k] = (&meeting->touch.x)[k] + (1.0 - times) * (&beyond.x)[k];
		else if (along != 0.0)
			(&move->goal.x)[k] -= times * into * along;
	}
}

/* Adds the plane of a slide. If the new goal is behind an earlier one, as in an acute corner, takes the nearest point in front
 * of all of them, or the touch. */
static void slide_add(struct move *move, const struct meeting *meeting)
{
	struct vec3 n = meeting->normal, wanted = move->goal;
	double tolerance = 1e-12 * (1.0 + vec3_length(wanted) + vec3_length(meeting->touch));
	bool behind = false;
	for (uint32_t i = 0; i < move->slide_count; ++i)
		behind |= vec3_dot(move->slides[i].normal, wanted) < move->slides[i].offset - tolerance;
	if (move->slide_count < SLIDES && vec3_dot(n, n) > 0.0)
		move->slides[move->slide_count++] = (struct half_space){n, vec3_dot(n, meeting->touch)};
	if (behind && !planes_nearest(move->slides, move->slide_count, move->dimension->axes, wanted, tolerance, &move->goal))
		move->goal = meeting->touch;
}

/* Applies one of the module's responses. */
static void response_apply(struct move *move, enum response response, const struct meeting *meeting)
{
	bool moves = move->goal.x != move->from.x || move->goal.y != move->from.y || move->goal.z != move->from.z;
	switch (response) {
	case SLIDE:
		if (moves) {
			goal_turn(move, meeting, 1.0);
			slide_add(move, meeting);
		}
		move->from = meeting->touch;
		break;
	case BOUNCE:
		if (moves)
			goal_turn(move, meeting, 2.0);
		else
			move->goal = meeting->touch;
		move->from = meeting->touch;
		break;
	case CROSS: move->from = move->start; break;
	case TOUCH:
	case OWN: move->goal = meeting->touch; move->goes_on = false;
	}
}

static void set_number(lua_State *L, int table, const char *key, double value)
{
	lua_pushstring(L, key);
	lua_pushnumber(L, value);
	lua_rawset(L, table);
}

static const char *const goal_names[] = {"goalX", "goalY", "goalZ"};

static void set_vec(lua_State *L, const struct move *move, int table, const char *const names[3], struct vec3 a)
{
	int axes = move->dimension->axes;
	assert(axes <= 3);
	for (int k = 0; k < axes; ++k)
		set_number(L, table, names[k], (&a.x)[k]);
}

/* Pushes the row of the meeting, the next of the list `into` if there is one: its table is used again. `name`: stack index of
 * the response's name. */
static int push_row(lua_State *L, struct move *move, const struct meeting *meeting, int name)
{
	static const char *const touch_names[] = {"x", "y", "z"}, *const normal_names[] = {"nx", "ny", "nz"};
	if (!lua_isnil(L, move->at.into))
		lua_rawgeti(L, move->at.into, (int)move->count);
	if (lua_isnil(L, move->at.into) || !lua_istable(L, -1))
		lua_createtable(L, 0, 14);
	int row = lua_gettop(L);
	lua_pushliteral(L, "collider");
	push_live(L, move->object, move->at.environment, &class_collider, meeting->other);
	lua_rawset(L, row);
	lua_pushliteral(L, "type");
	lua_pushvalue(L, name);
	lua_rawset(L, row);
	lua_pushliteral(L, "overlaps");
	lua_pushboolean(L, meeting->overlaps);
	lua_rawset(L, row);
	set_number(L, row, "fraction", meeting->fraction);
	set_vec(L, move, row, touch_names, meeting->touch);
	set_vec(L, move, row, normal_names, meeting->normal);
	set_vec(L, move, row, goal_names, move->goal);
	if (!lua_isnil(L, move->at.into)) {
		lua_pushvalue(L, row);
		lua_rawseti(L, move->at.into, (int)move->count);
	}
	return row;
}

/* Calls the script's response, on top of the stack, with the body, the row and the goal. It returns the next goal, and the way
 * goes on from the touch; without results the move ends there. */
static void response_call(lua_State *L, struct move *move, const struct meeting *meeting, int row)
{
	static const struct path path = {"moveAndCollide", NULL, 0, "the response", 0};
	int axes = move->dimension->axes, top = lua_gettop(L);
	lua_pushvalue(L, 1);
	lua_pushvalue(L, row);
	push_numbers(L, axes, &move->goal.x);
	lua_call(L, 2 + axes, axes);
	check_again(L, move);
	if (lua_isnil(L, top)) {
		response_apply(move, TOUCH, meeting);
		return;
	}
	for (int k = 0; k < axes; ++k)
		(&move->goal.x)[k] = value_number(L, top + k, &path, &range_position);
	move->from = meeting->touch;
}

/* Responds to the meeting. */
static void respond(lua_State *L, struct move *move, const struct meeting *meeting)
{
	if (!push_name(L, move, meeting->other))
		return;
	int name = lua_gettop(L);
	enum response response = response_of(L);
	int function = lua_gettop(L);
	++move->count;
	if (response == OWN) {
		int row = push_row(L, move, meeting, name);
		lua_pushvalue(L, function);
		response_call(L, move, meeting, row);
		set_vec(L, move, row, goal_names, move->goal);
	} else {
		response_apply(move, response, meeting);
		if (!lua_isnil(L, move->at.into))
			push_row(L, move, meeting, name);
	}
	lua_settop(L, move->at.met);
}

/* --- Functions ------------------------------------------------------------------------------------------------------------ */

/* Runs the whole move. Arguments: those of moveAndCollide. */
static void move_run(lua_State *L, struct move *move)
{
	struct meeting meeting;
	move->goes_on = true;
	while (move->goes_on && meet(L, move, &meeting))
		respond(L, move, &meeting);
	if (!lua_isnil(L, move->at.into)) {
		int before = (int)lua_rawlen(L, move->at.into);
		list_cut(L, move->at.into, (int)move->count, before);
	}
}

static int body_move_and_collide(lua_State *L)
{
	static const char *const names[] = {"x", "y", "z"};
	struct move move = {.count = 0};
	move.object = check_body_change(L, "moveAndCollide", &move.body);
	move.dimension = move.object->dimension;
	int axes = move.dimension->axes;
	arg_numbers(L, 2, "moveAndCollide", names, axes, &range_position, &move.goal.x);
	move.at = (struct slots){2 + axes, 3 + axes, 4 + axes, 5 + axes};
	move.met = move.few;
	move.met_room = FEW;
	lua_settop(L, move.at.into);
	if (!lua_isnil(L, move.at.filter) && !lua_isfunction(L, move.at.filter))
		raise_value(L, move.at.filter, PATH("moveAndCollide", "filter"), "be a function or nil");
	check_into(L, move.at.into, "moveAndCollide");
	luaL_checkstack(L, 30, "moveAndCollide");
	attached_get(L, 1);
	lua_settop(L, move.at.met);
	check_shapes(L, &move);
	move.start = move.from = move.object->world->wing->body_frame(move.object->world, move.body).origin;
	move_run(L, &move);
	move.dimension->body_put(move.object->world, move.body, &move.goal.x);
	push_numbers(L, axes, &move.goal.x);
	lua_pushinteger(L, (lua_Integer)move.count);
	return axes + 1;
}

/* collide.response(name, f): f(body, row, goalX, goalY) is the response of that name in all worlds; nil removes it. */
static int response(lua_State *L)
{
	const struct path *path = PATH("response", "name");
	lua_settop(L, 2);
	if (lua_type(L, 1) != LUA_TSTRING)
		raise_value(L, 1, path, "be a string");
	for (int i = 0; response_names[i]; ++i)
		if (strcmp(lua_tostring(L, 1), response_names[i]) == 0)
			raise_value(L, 1, path, "not be the name of one of the module's responses");
	if (!lua_isnil(L, 2) && !lua_isfunction(L, 2))
		raise_value(L, 2, PATH("response", "f"), "be a function or nil");
	shared_push(L, SHARED_RESPONSES);
	lua_insert(L, 1);
	lua_rawset(L, 1);
	return 0;
}

const luaL_Reg response_functions[] = {
	{"response", response},
	{NULL, NULL},
};

const luaL_Reg move_methods[] = {
	{"moveAndCollide", body_move_and_collide},
	{NULL, NULL},
};
