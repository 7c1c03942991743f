/* args.c - see args.h. */
#include "bind/lua/args.h"
#include "bind/lua/names.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- Messages ------------------------------------------------------------------------------------------------------------- */

_Noreturn void raise_error(lua_State *L, const char *format, ...)
{
	va_list arguments;
	luaL_where(L, 1);
	va_start(arguments, format);
	lua_pushvfstring(L, format, arguments);
	va_end(arguments);
	lua_concat(L, 2);
	lua_error(L);
	__builtin_unreachable();
}

_Noreturn void raise_memory(lua_State *L, const char *function)
{
	raise_error(L, "%s: not enough memory", function);
}

static const char *userdata_text(lua_State *L, int index)
{
	static const struct class *const classes[] = {&class_world, &class_body, &class_collider, &class_joint, &class_field,
		&class_mover, &class_d3_world, &class_d3_body, &class_d3_collider, &class_d3_joint, &class_d3_field, &class_d3_mover,
		&class_shape, &class_pose, &class_d3_shape, &class_d3_pose, &class_cursor, &class_contact, &class_d3_contact,
		&class_index, &class_heightmap, &class_generator, &class_history};
	static const char *const texts[] = {"a world", "a body", "a collider", "a joint", "a field", "a mover", "a 3D world",
		"a 3D body", "a 3D collider", "a 3D joint", "a 3D field", "a 3D mover", "a 2D shape", "a 2D pose", "a 3D shape",
		"a 3D pose", "a loop over events", "a contact", "a 3D contact", "an index", "a heightmap", "a generator", "a history"};
	const void *block = lua_touserdata(L, index);
	if (lua_type(L, index) == LUA_TUSERDATA && lua_rawlen(L, index) >= sizeof(struct class *))
		for (size_t i = 0; i < LENGTH(classes); ++i)
			if (memcmp(block, &classes[i], sizeof *classes) == 0)
				return texts[i];
	return "a userdata";
}

static const char *string_text(lua_State *L, int index, char buffer[VALUE_TEXT])
{
	enum { SHOWN = 40 };
	size_t length;
	const char *string = lua_tolstring(L, index, &length);
	size_t shown = length <= SHOWN ? length : SHOWN;
	char *out = buffer;
	*out++ = '"';
	for (size_t i = 0; i < shown; ++i)
		*out++ = iscntrl((unsigned char)string[i]) ? '?' : string[i];
	strcpy(out, length <= SHOWN ? "\"" : "...\"");
	return buffer;
}

const char *value_text(lua_State *L, int index, char buffer[VALUE_TEXT])
{
	switch (lua_type(L, index)) {
	case LUA_TNONE: return "nothing";
	case LUA_TNIL: return "nil";
	case LUA_TBOOLEAN: return lua_toboolean(L, index) ? "true" : "false";
	case LUA_TNUMBER: {
		double value = lua_tonumber(L, index);
		if (value != value)
			return "nan";
		snprintf(buffer, VALUE_TEXT, "%.14g", value);
		return buffer;
	}
	case LUA_TSTRING: return string_text(L, index, buffer);
	case LUA_TTABLE: return "a table";
	case LUA_TFUNCTION: return "a function";
	case LUA_TTHREAD: return "a coroutine";
	default: return userdata_text(L, index);
	}
}

_Noreturn void raise_self(lua_State *L, const char *function, const char *what)
{
	char text[VALUE_TEXT];
	raise_error(L, "%s: expected %s, got %s; methods are called with ':'", function, what, value_text(L, 1, text));
}

enum { PATH_TEXT = 128 };

static const char *path_text(const struct path *path, char buffer[PATH_TEXT])
{
	char entry[48] = "", element[16] = "";
	if (path->list)
		snprintf(entry, sizeof entry, path->name[0] ? "%s[%d]." : "%s[%d]", path->list, path->entry);
	if (path->element)
		snprintf(element, sizeof element, "[%d]", path->element);
	snprintf(buffer, PATH_TEXT, "%s: %s%s%s", path->function, entry, path->name, element);
	return buffer;
}

_Noreturn void raise_got(lua_State *L, const struct path *path, const char *must, const char *got)
{
	char where[PATH_TEXT];
	raise_error(L, "%s must %s, got %s", path_text(path, where), must, got);
}

_Noreturn void raise_value(lua_State *L, int index, const struct path *path, const char *must)
{
	char what[VALUE_TEXT];
	raise_got(L, path, must, value_text(L, index, what));
}

double number_slow(lua_State *L, int index, const struct path *path, const struct range *range)
{
	char must[96];
	if (lua_type(L, index) != LUA_TNUMBER || !is_finite_d(lua_tonumber(L, index)))
		raise_value(L, index, path, "be a finite number");
	double value = lua_tonumber(L, index);
	bool zero = range->sign && range->sign[1] == '=';
	if (zero && value == 0)
		return value;
	if (range->sign && value <= 0)
		snprintf(must, sizeof must, "be %s", range->sign);
	else if (zero && value < range->low)
		snprintf(must, sizeof must, "be 0 or at least %g", range->low);
	else
		snprintf(must, sizeof must, "be between %g and %g", zero ? 0 : range->low, range->high);
	raise_value(L, index, path, must);
}

/* --- Unknown names -------------------------------------------------------------------------------------------------------- */

static void push_known(lua_State *L, const char *const *known, uint32_t count)
{
	luaL_Buffer text;
	luaL_buffinit(L, &text);
	for (uint32_t i = 0; i < count; ++i) {
		if (i)
			luaL_addstring(&text, ", ");
		luaL_addstring(&text, known[i]);
	}
	luaL_pushresult(&text);
}

_Noreturn void raise_unknown(lua_State *L, const char *function, const char *list, int entry, const char *what,
	const char *name, const char *const *known, uint32_t known_count)
{
	const char *near = name_foreign(name, known, known_count);
	if (!near)
		near = name_near(name, known, known_count, true);
	if (!near)
		near = name_ending(name, known, known_count);
	char where[PATH_TEXT], shown[VALUE_TEXT];
	struct path path = {function, list, entry, "", 0};
	path_text(&path, where);
	snprintf(shown, sizeof shown, strlen(name) < 48 ? "%s" : "%.40s...", name);
	const char *space = list ? ": " : "";
	if (near)
		raise_error(L, "%s%s%s '%s', did you mean '%s'?", where, space, what, shown, near);
	push_known(L, known, known_count);
	raise_error(L, "%s%s%s '%s' (there are: %s)", where, space, what, shown, lua_tostring(L, -1));
}

/* --- Values --------------------------------------------------------------------------------------------------------------- */

int push_numbers(lua_State *L, int count, const double *numbers)
{
	for (int i = 0; i < count; ++i)
		lua_pushnumber(L, numbers[i]);
	return count;
}

void arg_numbers(
	lua_State *L, int index, const char *function, const char *const *names, int count, const struct range *range, double *out)
{
	for (int i = 0; i < count; ++i)
		out[i] = arg_number(L, index + i, function, names[i], range);
}

bool value_boolean(lua_State *L, int index, const struct path *path)
{
	if (lua_type(L, index) != LUA_TBOOLEAN)
		raise_value(L, index, path, "be true or false");
	return lua_toboolean(L, index);
}

int64_t value_integer(lua_State *L, int index, const struct path *path, int64_t low, int64_t high)
{
	if (lua_type(L, index) == LUA_TNUMBER) {
		double value = lua_tonumber(L, index);
		if (value >= (double)low && value <= (double)high && value == (double)(int64_t)value)
			return (int64_t)value;
	}
	char must[80];
	snprintf(must, sizeof must, "be a whole number between %lld and %lld", (long long)low, (long long)high);
	raise_value(L, index, path, must);
}

int value_choice(lua_State *L, int index, const struct path *path, const char *const *names, const char *must)
{
	if (lua_type(L, index) == LUA_TSTRING) {
		const char *value = lua_tostring(L, index);
		for (int i = 0; names[i]; ++i)
			if (strcmp(value, names[i]) == 0)
				return i;
	}
	raise_value(L, index, path, must);
}

/* Raises if the table has a metatable: fields that an __index adds would be ignored silently, as tables are read raw. */
static void plain_table(lua_State *L, int index, const struct path *path)
{
	if (lua_getmetatable(L, index)) {
		char where[PATH_TEXT];
		raise_error(L, "%s must be a plain table, without a metatable", path_text(path, where));
	}
}

/* Whether a traversal from one of the list's last keys on meets those after it in order, up to `length`, and then ends. Lua
 * visits the array of a table before its hashed keys, and only LuaJIT has a key 0 in it: such a list has no other keys, unless
 * more of its elements than these are hashed. */
static bool list_ends_at(lua_State *L, int index, size_t length)
{
	enum { LAST = 64 };
	int top = lua_gettop(L);
	size_t key = length > LAST ? length - LAST : 0;
	bool zero = element_push(L, index, 0) != LUA_TNIL, hole = key > 0 && element_push(L, index, (int)key) == LUA_TNIL;
	lua_settop(L, top);
	if (zero || hole)
		return false;
	if (key > 0)
		lua_pushinteger(L, (lua_Integer)key);
	else
		lua_pushnil(L);
	while (lua_next(L, index)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) != LUA_TNUMBER || lua_tonumber(L, -1) != (lua_Number)++key) {
			lua_pop(L, 1);
			return false;
		}
	}
	return key == length;
}

uint32_t value_list(lua_State *L, int index, const struct path *path)
{
	if (lua_type(L, index) != LUA_TTABLE)
		raise_value(L, index, path, "be a list");
	plain_table(L, index, path);
	char where[PATH_TEXT];
	size_t length = lua_rawlen(L, index), keys = 0;
	if (length > INT32_MAX)
		raise_error(L, "%s is too long", path_text(path, where));
	if (list_ends_at(L, index, length))
		return (uint32_t)length;
	for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TNUMBER)
			raise_error(L, "%s must be a list, but has other keys", path_text(path, where));
		++keys;
	}
	/* The caller checks the elements within the length. Keys beyond the length lie behind a hole. */
	if (keys > length)
		raise_error(L, "%s must be a list without holes", path_text(path, where));
	return (uint32_t)length;
}

void check_into(lua_State *L, int index, const char *function)
{
	lua_settop(L, index);
	if (!lua_isnil(L, index) && lua_type(L, index) != LUA_TTABLE)
		raise_value(L, index, PATH(function, "into"), "be a table or nil");
	luaL_checkstack(L, 16, function);
}

int list_open(lua_State *L, int index, int length)
{
	if (lua_isnil(L, index)) {
		lua_createtable(L, length, 0);
		lua_replace(L, index);
	}
	return (int)lua_rawlen(L, index);
}

void list_cut(lua_State *L, int index, int count, int before)
{
	for (int i = before; i > count; --i) {
		lua_pushnil(L);
		lua_rawseti(L, index, i);
	}
	lua_settop(L, index);
}

/* Reads the table if it has exactly the keys 1 to `count`, with numbers within the range. False: the caller finds out what is
 * wrong. */
static bool vector_read(lua_State *L, int index, const struct range *range, int count, double *out)
{
	int found = 0;
	for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
		bool numbers = lua_type(L, -2) == LUA_TNUMBER && lua_type(L, -1) == LUA_TNUMBER;
		double key = numbers ? lua_tonumber(L, -2) : 0, value = numbers ? lua_tonumber(L, -1) : 0;
		if (!(key >= 1 && key <= count && key == (int)key && value >= range->low && value <= range->high)) {
			lua_pop(L, 2);
			return false;
		}
		out[(int)key - 1] = value;
		++found;
	}
	return found == count;
}

void value_vector(lua_State *L, int index, struct path path, const struct range *range, int count, double *out)
{
	static const char *const musts[] = {[2] = "be a list {x, y}",
		[3] = "be a list {x, y, z}",
		[4] = "be a list {qx, qy, qz, qw}",
		[6] = "be a list {xx, yy, zz, xy, xz, yz}"};
	if (lua_type(L, index) != LUA_TTABLE || lua_rawlen(L, index) != (size_t)count)
		raise_value(L, index, &path, musts[count]);
	plain_table(L, index, &path);
	if (vector_read(L, index, range, count, out))
		return;
	value_list(L, index, &path);
	for (int i = 0; i < count; ++i) {
		lua_rawgeti(L, index, i + 1);
		path.element = i + 1;
		out[i] = value_number(L, -1, &path, range);
		lua_pop(L, 1);
	}
}

void value_name(lua_State *L, int index, const struct path *path)
{
	enum { NAME_MAXIMUM = 1 << 20 };
	if (lua_isnoneornil(L, index))
		return;
	if (lua_type(L, index) != LUA_TSTRING)
		raise_value(L, index, path, "be a string or nil");
	if (lua_rawlen(L, index) > NAME_MAXIMUM)
		raise_value(L, index, path, "have at most 1048576 bytes");
}

void value_color(lua_State *L, int index, const struct path *path)
{
	if (lua_isnoneornil(L, index))
		return;
	size_t size = 0;
	const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &size) : "";
	bool valid = (size == 7 || size == 9) && text[0] == '#' && strspn(text + 1, "0123456789abcdefABCDEF") == size - 1;
	if (!valid)
		raise_value(L, index, path, "be \"#rrggbb\", \"#rrggbbaa\" or nil");
}

/* --- Options as rows of a table ------------------------------------------------------------------------------------------- */

static void options_check(lua_State *L, int index, const struct path *path)
{
	if (lua_type(L, index) != LUA_TTABLE)
		raise_value(L, index, path, "be a table");
	plain_table(L, index, path);
}

/* The key below the top of the stack; raises unless it is a string. table: path of the table of options. */
static const char *check_key(lua_State *L, const struct path *table)
{
	char what[VALUE_TEXT], where[PATH_TEXT];
	struct path path = {table->function, table->list, table->entry, "", 0};
	if (lua_type(L, -2) != LUA_TSTRING)
		raise_error(L, "%s%sunknown key %s", path_text(&path, where), path.list ? ": " : "", value_text(L, -2, what));
	return lua_tostring(L, -2);
}

/* The index of the row whose option is the key below the top of the stack; raises if there is none. */
static uint32_t field_find(lua_State *L, const struct path *table, const struct option_member *fields, uint32_t count)
{
	enum { FIELDS = 32 };
	const char *names[FIELDS], *key = check_key(L, table);
	for (uint32_t i = 0; i < count && i < FIELDS; ++i) {
		names[i] = fields[i].name;
		if (strcmp(names[i], key) == 0 && lua_rawlen(L, -2) == strlen(key))
			return i;
	}
	raise_unknown(L, table->function, table->list, table->entry, "unknown key", key, names, count);
}

/* Stores the value on top of the stack in the member at `out`. */
static void field_read(lua_State *L, const struct option_member *field, const struct path *path, void *out)
{
	const struct range *range = field->range;
	switch (field->type) {
	case FIELD_NUMBER: *(double *)out = value_number(L, -1, path, range); break;
	case FIELD_FLOAT: *(float *)out = (float)value_number(L, -1, path, range); break;
	case FIELD_BOOLEAN: *(bool *)out = value_boolean(L, -1, path); break;
	case FIELD_INTEGER:
		*(uint32_t *)out = (uint32_t)value_integer(L, -1, path, (int64_t)range->low, (int64_t)range->high);
		break;
	case FIELD_VALUE: value_copy(L, lua_gettop(L), *(const int *)out); break;
	}
}

uint32_t fields_read(
	lua_State *L, int index, const struct path *path, const struct option_member *fields, size_t count, void *out)
{
	uint32_t given = 0;
	if (lua_isnoneornil(L, index))
		return 0;
	options_check(L, index, path);
	luaL_checkstack(L, 8, path->function);
	for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
		uint32_t i = field_find(L, path, fields, (uint32_t)count);
		struct path member = {path->function, path->list, path->entry, fields[i].name, 0};
		field_read(L, &fields[i], &member, (char *)out + fields[i].offset);
		given |= 1u << i;
	}
	return given;
}

/* --- Options of functions that are called often --------------------------------------------------------------------------- */

/* tangent: the name of the surface velocity, a speed in 2D and a vector in 3D. */
#define COLLIDER_NAMES(tangent)                                                                                          \
	"shape", "density", "friction", "restitution", "rollingResistance", tangent, "layer", "group", "sensor", "preSolve", \
		"data", "material", "collidesWith", "oneWay"

/* BODY_NAMES: the last arguments are the names of the options that place one body, or many. */
#define ONE "x", "y", "position", NULL
#define MANY NULL, NULL, NULL, "positions"
#define BODY_NAMES(tangent, ...)                                                                                             \
	COLLIDER_NAMES(tangent), "type", __VA_ARGS__, "linearVelocity", "angularVelocity", "linearDamping", "angularDamping",    \
		"gravityScale", "sleepThreshold", "sleepingAllowed", "awake", "enabled", "bullet", "locks", "name", "color", "mass", \
		"inertia", "center", "shapes"

static const char *const collider_names[] = {COLLIDER_NAMES("tangentSpeed")};
static const char *const body_names[] = {BODY_NAMES("tangentSpeed", ONE), "angle"};
static const char *const bodies_names[] = {BODY_NAMES("tangentSpeed", MANY), "angle"};
/* Tiles and voxels have no mass, and sensors by kind. */
static const char *const tiles_names[] = {NULL, NULL, "friction", "restitution", "rollingResistance", "tangentSpeed", "layer",
	"group", NULL, "preSolve", "data", "material", "collidesWith", NULL, "columns", "rows", "cellSize", "x", "y", "cells",
	"kinds"};
static const char *const voxels_names[] = {NULL, NULL, "friction", "restitution", "rollingResistance", "tangentVelocity",
	"layer", "group", NULL, "preSolve", "data", "material", "collidesWith", NULL, "cellSize", "kinds"};
static const char *const d3_collider_names[] = {COLLIDER_NAMES("tangentVelocity")};
static const char *const d3_body_names[] = {
	BODY_NAMES("tangentVelocity", ONE), "z", "rotation", "qx", "qy", "qz", "qw", "axis", "angle"};
static const char *const d3_bodies_names[] = {
	BODY_NAMES("tangentVelocity", MANY), NULL, "rotation", "qx", "qy", "qz", "qw", "axis", "angle"};
static const char *const query_names[] = {"layers", "filter", "sensors", "exclude", "limit", "maxDistance", "startInside"};
static const char *const locks_names[] = {"x", "y", "rotation"};
static const char *const d3_locks_names[] = {"x", "y", "z", "rotationX", "rotationY", "rotationZ"};
static const char *const draw_names[] = {
	"view", "shapes", "boxes", "tree", "contacts", "joints", "islands", "centers", "velocities", "names", "fields"};
#define SET(names)           \
	{                        \
		names, LENGTH(names) \
	}

static const struct {
	const char *const *names;
	uint32_t count;
} sets[OPTIONS_JOINTS] = {
	[OPTIONS_COLLIDER] = SET(collider_names),
	[OPTIONS_D3_COLLIDER] = SET(d3_collider_names),
	[OPTIONS_TILES] = SET(tiles_names),
	[OPTIONS_VOXELS] = SET(voxels_names),
	[OPTIONS_BODY] = SET(body_names),
	[OPTIONS_D3_BODY] = SET(d3_body_names),
	[OPTIONS_BODIES] = SET(bodies_names),
	[OPTIONS_D3_BODIES] = SET(d3_bodies_names),
	[OPTIONS_QUERY] = SET(query_names),
	[OPTIONS_LOCKS] = SET(locks_names),
	[OPTIONS_D3_LOCKS] = SET(d3_locks_names),
	[OPTIONS_DRAW] = SET(draw_names),
};

_Static_assert(
	LENGTH(tiles_names) == TILES_KINDS && LENGTH(voxels_names) == VOXELS_KINDS, "a name for each option of tiles and voxels");
_Static_assert(LENGTH(body_names) == BODY_ANGLE && LENGTH(bodies_names) == BODY_ANGLE, "a place for each option of a body");
_Static_assert(LENGTH(d3_body_names) == BODY_AXIS_ANGLE && LENGTH(d3_bodies_names) == BODY_AXIS_ANGLE,
	"a place for each option of a 3D body");
_Static_assert(LENGTH(draw_names) == DRAW_FIELDS, "a name for each option of draw");

enum { NAME_SLOTS = 128, NAMES = NAME_SLOTS / 2 };

/* The names of a set, and a hash table from their addresses in Lua to option numbers: Lua interns short strings, so an address
 * identifies a name. */
struct option_names {
	const char *names[NAMES]; /* by option number - 1; NULL: no option has that number */
	uint32_t count;
	struct {
		const void *name; /* NULL: free */
		int option;
	} slots[NAME_SLOTS];
};

_Static_assert(LENGTH(d3_body_names) <= NAMES, "a set leaves half of the slots free");

static uint32_t name_slot(const void *name)
{
	uintptr_t address = (uintptr_t)name;
	return (uint32_t)(address >> 4 ^ address >> 10) % NAME_SLOTS;
}

/* The number of the option whose name has the address, or 0. */
static int option_at(const struct option_names *names, const void *name)
{
	uint32_t slot = name_slot(name);
	while (names->slots[slot].name != NULL && names->slots[slot].name != name)
		slot = (slot + 1) % NAME_SLOTS;
	return names->slots[slot].name ? names->slots[slot].option : 0;
}

/* Sets *name to the name of option i, counted from 0, of the set, or NULL. False: i is past the last. */
static bool option_name(int set, uint32_t i, const char **name)
{
	if (set >= OPTIONS_JOINTS)
		return joint_option_name((enum option_set)set, i, name);
	if (i >= sets[set].count)
		return false;
	*name = sets[set].names[i];
	return true;
}

void options_register(lua_State *L, struct shared *shared, int table)
{
	struct option_names *all = userdata_create(L, OPTION_SETS * sizeof *all);
	memset(all, 0, OPTION_SETS * sizeof *all);
	lua_newtable(L);
	for (int set = 0; set < OPTION_SETS; ++set) {
		struct option_names *names = &all[set];
		for (const char *name; option_name(set, names->count, &name); ++names->count) {
			assert(names->count < NAMES);
			names->names[names->count] = name;
			if (name == NULL)
				continue;
			lua_pushstring(L, name);
			const void *address = lua_topointer(L, -1);
			lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
			uint32_t slot = name_slot(address);
			while (names->slots[slot].name)
				slot = (slot + 1) % NAME_SLOTS;
			names->slots[slot].name = address; /* NULL before Lua 5.4, except in LuaJIT: then option_find compares the names */
			names->slots[slot].option = (int)names->count + 1;
		}
	}
	attached_set(L, -2);
	lua_rawseti(L, table, SHARED_OPTIONS);
	shared->options = all;
}

/* The number of the option named by the key below the top of the stack, of which option_at does not know the address; raises if
 * there is none. table: path of the table of options. */
static __attribute__((noinline)) int option_find(lua_State *L, const struct option_names *names, const struct path *table)
{
	const char *key = check_key(L, table), *known[NAMES];
	uint32_t count = 0;
	for (uint32_t i = 0; i < names->count; ++i) {
		if (names->names[i] == NULL)
			continue;
		if (strcmp(names->names[i], key) == 0 && lua_rawlen(L, -2) == strlen(key))
			return (int)i + 1;
		known[count++] = names->names[i];
	}
	raise_unknown(L, table->function, table->list, table->entry, "unknown key", key, known, count);
}

void options_begin(lua_State *L, const struct shared *shared, struct options *options, int table)
{
	options_check(L, table, &options->path);
	options->table = table;
	options->names = &shared->options[options->set];
	lua_pushnil(L);
}

int options_next(lua_State *L, struct options *options)
{
	if (options->begun)
		lua_pop(L, 1);
	options->begun = true;
	if (!lua_next(L, options->table))
		return 0;
	int option = option_at(options->names, lua_topointer(L, -2));
	if (!option)
		option = option_find(L, options->names, &options->path);
	options->path.name = options->names->names[option - 1];
	return option;
}
