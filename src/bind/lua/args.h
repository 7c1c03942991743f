/* args.h - checks of all values that come from scripts, with messages that name the path and the value.
 * Strings are not converted to numbers. NaN and infinity never pass. Every number has a range, chosen so that the products that
 * the engine forms of numbers stay within floats. */
#pragma once
#include "bind/lua/bind.h"

/* The path of a value, as in "newBody: shapes[2].position[1]". */
struct path {
	const char *function;
	const char *list; /* NULL: not in a list of tables */
	int entry; /* index in that list, from 1 */
	const char *name;
	int element; /* index within the value, from 1; 0: the value itself */
};

#define PATH(function, name) (&(struct path){function, NULL, 0, name, 0})

struct range {
	double low, high;
	/* "> 0" or ">= 0": a condition; for values that violate it the message names it instead of the range. ">= 0" also admits 0
	 * if it is below `low`. NULL: no condition. */
	const char *sign;
};

static const struct range range_any = {-1e300, 1e300, NULL}; /* any finite number */
/* in the world [length]: at 1e15 neighbouring doubles are 0.125 apart, and squares stay within floats */
static const struct range range_position = {-1e15, 1e15, NULL};
/* in a body's frame: in 2D, squares times area times density stay within floats */
static const struct range range_local = {-1e7, 1e7, NULL};
static const struct range range_length = {1e-6, 1e7, "> 0"}; /* of a nonzero extent */
static const struct range range_radius = {0, 1e7, ">= 0"}; /* of an extent that may be 0 or tiny */
static const struct range range_angle = {-1e15, 1e15, NULL};
static const struct range range_velocity = {-1e9, 1e9, NULL}; /* linear and angular */
static const struct range range_speed = {0, 1e9, ">= 0"};
static const struct range range_force = {-1e18, 1e18, NULL}; /* forces, impulses, torques */
static const struct range range_torque = {0, 1e18, ">= 0"};
static const struct range range_coefficient = {0, 1e6, ">= 0"}; /* dimensionless */
static const struct range range_rate = {1e-6, 1e9, "> 0"};
static const struct range range_signed = {-1e6, 1e6, NULL}; /* a factor of either sign */
static const struct range range_density = {0, 1e7, ">= 0"};
/* Any mass but 0, also that of the smallest shape, has an inverse within floats. */
static const struct range range_collider_density = {1e-9, 1e7, ">= 0"};
static const struct range range_mass = {1e-15, 1e25, ">= 0"};
/* The inverse squared stays within floats; shorter steps are taken for mistakes. */
static const struct range range_time_step = {1e-6, 60, ">= 0"};

static const struct range range_duration = {1e-6, 60, "> 0"}; /* of a step or motion that takes time [s] */

/* As luaL_error, but declared not to return. (`raise` is a function of C, which pthread.h of mingw declares.) */
_Noreturn void raise_error(lua_State *L, const char *format, ...);
_Noreturn void raise_memory(lua_State *L, const char *function);
/* Raises "<function>: expected <what>, got <value>; ..." for a method's first argument. */
_Noreturn void raise_self(lua_State *L, const char *function, const char *what);
/* Raises "<path> must <must>, got <value>" for the value at stack index `index`. */
_Noreturn void raise_value(lua_State *L, int index, const struct path *path, const char *must);
/* As raise_value, with a text instead of the value. */
_Noreturn void raise_got(lua_State *L, const struct path *path, const char *must, const char *got);
/* Raises "<path>: <what> '<name>', did you mean '<near>'?" for a name that is not among `known`; lists `known` if none is
 * near. */
_Noreturn void raise_unknown(lua_State *L, const char *function, const char *list, int entry, const char *what,
	const char *name, const char *const *known, uint32_t known_count);

/* A short text that describes the value for messages; stored in the buffer unless it is constant. */
enum { VALUE_TEXT = 64 };
const char *value_text(lua_State *L, int index, char buffer[VALUE_TEXT]);

double number_slow(lua_State *L, int index, const struct path *path, const struct range *range);

static inline double value_number(lua_State *L, int index, const struct path *path, const struct range *range)
{
	if (lua_type(L, index) == LUA_TNUMBER) {
		double value = lua_tonumber(L, index);
		if (value >= range->low && value <= range->high)
			return value;
	}
	return number_slow(L, index, path, range);
}

static inline double arg_number(lua_State *L, int index, const char *function, const char *name, const struct range *range)
{
	return value_number(L, index, PATH(function, name), range);
}

static inline float arg_float(lua_State *L, int index, const char *function, const char *name, const struct range *range)
{
	return (float)arg_number(L, index, function, name, range);
}

bool value_boolean(lua_State *L, int index, const struct path *path);
int64_t value_integer(lua_State *L, int index, const struct path *path, int64_t low, int64_t high);
uint64_t value_seed(lua_State *L, int index, const struct path *path); /* of random numbers */
/* The index of the string among `names` (NULL at the end); must: the choices, as the message lists them. */
int value_choice(lua_State *L, int index, const struct path *path, const char *const *names, const char *must);
/* Reads {x, y}, {x, y, z}, {qx, qy, qz, qw} or {xx, yy, zz, xy, xz, yz}, by count. */
void value_vector(lua_State *L, int index, struct path path, const struct range *range, int count, double *out);
/* Checks for a string of at most 1 MiB, or nil. */
void value_name(lua_State *L, int index, const struct path *path);
/* Checks for a string like "#ff8800" or "#ff880080", or nil. */
void value_color(lua_State *L, int index, const struct path *path);

/* Pushes `count` numbers, and returns the count. */
int push_numbers(lua_State *L, int count, const double *numbers);
/* Reads `count` arguments from `index` on. */
void arg_numbers(
	lua_State *L, int index, const char *function, const char *const *names, int count, const struct range *range, double *out);

static inline bool arg_boolean(lua_State *L, int index, const char *function, const char *name)
{
	return value_boolean(L, index, PATH(function, name));
}

/* Checks that there is a plain list at `index`, without holes or other keys, and returns its length. Does not check the
 * elements. */
uint32_t value_list(lua_State *L, int index, const struct path *path);

/* Checks the last argument, at stack index `index`: a table to fill, or nil for a new list. */
void check_into(lua_State *L, int index, const char *function);
/* Puts a new list for `length` elements at stack index `index` if there is nil. Returns the number of elements in the list. */
int list_open(lua_State *L, int index, int length);
/* Removes the elements after the first `count`, of `before`, and all values above the list from the stack. */
void list_cut(lua_State *L, int index, int count, int before);

/* Creates the functions of copy.c, where LuaJIT runs the script. */
void copy_register(lua_State *L, int shared);
/* Pushes an array for `count` numbers and returns its address, or a value of no use and NULL if the API is to store them: on
 * other Luas, while the compiler is off, or for a few numbers. May run finalizers. */
double *copy_lend(lua_State *L, int count);
/* Stores the first `count` numbers of the array at stack index `array` as the first elements of the list at `index`. The array
 * goes back to its lender. */
void copy_store(lua_State *L, int index, int array, int count);

/* --- Options as rows of a table ------------------------------------------------------------------------------------------- */

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* An option, and the member of a struct that takes its value. */
struct option_member {
	const char *name;
	/* The member is a double, a float, a bool or a uint32_t. That of a FIELD_VALUE is an int, the stack index to which the
	 * value is copied. */
	enum { FIELD_NUMBER, FIELD_FLOAT, FIELD_BOOLEAN, FIELD_INTEGER, FIELD_VALUE } type;
	size_t offset;
	const struct range *range;
};

/* Reads the options at stack index `index`, a table or nil, into the struct `out`. path: of the table. Returns a mask: bit i is
 * set if fields[i] was given. Allocates nothing. */
uint32_t fields_read(
	lua_State *L, int index, const struct path *path, const struct option_member *fields, size_t count, void *out);

/* --- Options of functions that are called often --------------------------------------------------------------------------- */

enum option_set {
	OPTIONS_COLLIDER,
	OPTIONS_D3_COLLIDER,
	OPTIONS_TILES,
	OPTIONS_VOXELS,
	OPTIONS_BODY,
	OPTIONS_D3_BODY,
	OPTIONS_BODIES,
	OPTIONS_D3_BODIES,
	OPTIONS_QUERY,
	OPTIONS_LOCKS,
	OPTIONS_D3_LOCKS,
	OPTIONS_DRAW,
	OPTIONS_JOINTS, /* from here on: joints, see joint_option_name */
	OPTIONS_REVOLUTE = OPTIONS_JOINTS,
	OPTIONS_D3_REVOLUTE,
	OPTIONS_SPHERICAL,
	OPTIONS_DISTANCE,
	OPTIONS_D3_DISTANCE,
	OPTIONS_PRISMATIC,
	OPTIONS_D3_PRISMATIC,
	OPTIONS_WELD,
	OPTIONS_D3_WELD,
	OPTIONS_WHEEL,
	OPTIONS_D3_WHEEL,
	OPTIONS_MOTOR,
	OPTIONS_D3_MOTOR,
	OPTIONS_MOUSE,
	OPTIONS_D3_MOUSE,
	OPTIONS_FRICTION,
	OPTIONS_D3_FRICTION,
	OPTIONS_FILTER,
	OPTIONS_D3_FILTER,
	OPTIONS_CYLINDRICAL,
	OPTIONS_UNIVERSAL,
	OPTIONS_RATCHET,
	OPTIONS_D3_RATCHET,
	OPTIONS_PATH,
	OPTIONS_D3_PATH,
	OPTIONS_PARALLEL,
	OPTIONS_GEAR,
	OPTIONS_D3_GEAR,
	OPTIONS_PULLEY,
	OPTIONS_D3_PULLEY,
	OPTIONS_SIX_DOF,
	OPTIONS_FRAMES, /* of joints of any type */
	OPTIONS_FREEDOM, /* the axes of a six-DOF joint; one that slides; one that turns */
	OPTIONS_FREE_SLIDE,
	OPTIONS_FREE_TURN,
	OPTION_SETS
};

/* The option numbers within each set, from 1. */
enum collider_option {
	COLLIDER_SHAPE = 1,
	COLLIDER_DENSITY,
	COLLIDER_FRICTION,
	COLLIDER_RESTITUTION,
	COLLIDER_ROLLING_RESISTANCE,
	COLLIDER_TANGENT,
	COLLIDER_LAYER,
	COLLIDER_GROUP,
	COLLIDER_SENSOR,
	COLLIDER_PRE_SOLVE,
	COLLIDER_DATA,
	COLLIDER_MATERIAL,
	COLLIDER_COLLIDES_WITH,
	COLLIDER_ONE_WAY,
	COLLIDER_END
};

/* Tiles and voxels also take options of a collider. */
enum tiles_option { TILES_COLUMNS = COLLIDER_END, TILES_ROWS, TILES_CELL_SIZE, TILES_X, TILES_Y, TILES_CELLS, TILES_KINDS };
enum voxels_option { VOXELS_CELL_SIZE = COLLIDER_END, VOXELS_KINDS };

/* A body also takes the options of a collider. From BODY_ANGLE on, the options are those of 2D or of 3D only. */
enum body_option {
	BODY_TYPE = COLLIDER_END,
	BODY_X,
	BODY_Y,
	BODY_POSITION,
	BODY_POSITIONS, /* of newBodies, instead of the three before it and BODY_Z */
	BODY_LINEAR_VELOCITY,
	BODY_ANGULAR_VELOCITY,
	BODY_LINEAR_DAMPING,
	BODY_ANGULAR_DAMPING,
	BODY_GRAVITY_SCALE,
	BODY_SLEEP_THRESHOLD,
	BODY_SLEEPING_ALLOWED,
	BODY_AWAKE,
	BODY_ENABLED,
	BODY_BULLET,
	BODY_LOCKS,
	BODY_NAME,
	BODY_COLOR,
	BODY_MASS,
	BODY_INERTIA,
	BODY_CENTER,
	BODY_SHAPES,
	BODY_ANGLE,
	BODY_Z = BODY_ANGLE,
	BODY_ROTATION,
	BODY_QX,
	BODY_QY,
	BODY_QZ,
	BODY_QW,
	BODY_AXIS,
	BODY_AXIS_ANGLE
};

enum query_option {
	QUERY_LAYERS = 1,
	QUERY_FILTER,
	QUERY_SENSORS,
	QUERY_EXCLUDE,
	QUERY_LIMIT,
	QUERY_MAX_DISTANCE,
	QUERY_START_INSIDE
};

/* The 2D locks. The 3D locks are in the order of enum d3_lock, from 1. */
enum locks_option { LOCKS_X = 1, LOCKS_Y, LOCKS_ROTATION };

enum draw_option {
	DRAW_VIEW = 1,
	DRAW_SHAPES,
	DRAW_BOXES,
	DRAW_TREE,
	DRAW_CONTACTS,
	DRAW_JOINTS,
	DRAW_ISLANDS,
	DRAW_CENTERS,
	DRAW_VELOCITIES,
	DRAW_NAMES,
	DRAW_FIELDS,
	DRAW_OPTIONS
};

/* Sets *name to the name of option i, counted from 0, of a type of joints; NULL: there is none at this place. False: i is past
 * the last. */
bool joint_option_name(enum option_set set, uint32_t i, const char **name);

/* An iterator over the keys of an options table. Allocates nothing. */
struct options {
	struct path path; /* of the current option; before the first, of the table, whose name messages need */
	enum option_set set;
	int table; /* stack index */
	const struct option_names *names;
	bool begun;
};

/* Raises unless there is a table at `table`. Needs eight stack slots; occupies one until options_next returns 0. */
void options_begin(lua_State *L, const struct shared *shared, struct options *options, int table);
/* The number of the next option, with its value on top of the stack until the next call; 0 at the end. */
int options_next(lua_State *L, struct options *options);

/* Stores the names of all sets in struct shared, and anchors them in the shared table, at stack index `table`. */
void options_register(lua_State *L, struct shared *shared, int table);
