/* bind.h - declarations shared by the files of the binding: userdata, the Lua values of a world, and the keys of both.
 *
 * The handle of a body, collider, joint, field or mover is a userdata (struct reference) without pointers to engine data: it
 * has the slot and generation of its world, and its own id and generation. Each object has at most one, made when a script
 * first asks for it, which works as a table key and with `==`. Tables of weak values find it by id, so it is collected when
 * nothing needs it; a name, data and events of a destroyed object need it. Whatever its numbers are, a look-up finds a live
 * object or none.
 *
 * The Lua values of a world are in one table, its environment, attached to the world's userdata and to all its handles: a
 * script that holds a body keeps the body's world alive. Names and data are stored there by handle.
 *
 * Any Lua call that allocates may run a finalizer: arbitrary script code, which may destroy anything. So every function here
 * that changes a world first does all its allocations, then checks again that its objects are alive, then calls the engine,
 * then stores into table slots that exist, which cannot fail.
 * Of the module's sources only those of bind include lua.h. A world is used only by the thread of its Lua state. */
#pragma once
#include "bind/lua/compat.h"
#include "core/touched.h"
#include "d2/dynamics/d2.h"
#include "d3/dynamics/d3.h"

#include <stdatomic.h>
#include <string.h>

/* --- Userdata ------------------------------------------------------------------------------------------------------------- */

/* The class of a userdata. The first word of each object of this module points to its class. Type tests compare that pointer,
 * not metatables. */
struct class
{
	const char *name;
	int metatable; /* its key in the shared table */
	/* objects have a field `data`; while it is not nil, their metatable is that with the key metatable + SHARED_DATA */
	bool has_data;
	/* of bodies, colliders, joints, fields and movers: key of the table of their handles in a world's environment, the same in
	 * 2D and 3D, so it identifies the kind; else 0 */
	int handles;
	/* in the 2D classes of worlds, bodies, colliders, joints, fields and movers: the 3D class of the same name; else NULL */
	const struct class *space;
};

extern const struct class class_world, class_body, class_collider, class_joint, class_field, class_mover, class_d3_world,
	class_d3_body, class_d3_collider, class_d3_joint, class_d3_field, class_d3_mover, class_shape, class_pose, class_d3_shape,
	class_d3_pose, class_cursor, class_contact, class_d3_contact, class_index, class_heightmap, class_generator, class_history,
	class_fragments;

/* The handle of a body, a collider, a joint, a field or a mover. */
struct reference {
	const struct class *class;
	uint32_t slot, slot_generation; /* of its world */
	struct handle handle;
	/* also true before reference_commit; reliable even after the generation has wrapped around */
	bool destroyed;
	bool noted; /* its name, colour or data has been set at least once */
};

enum { CURSORS = 8 }; /* event loops that can run at once in a world without creating garbage */

/* maximum length of a row of contacts: normal, point, separation, impulse, tangent impulse; maximum number of points */
enum { CONTACT_ROW = 9, CONTACT_POINTS = 4 };

/* The contact whose rows a loop returns at the moment: see point_row in events.c. */
struct shown_contact {
	const struct cursor *cursor;
	uint32_t contact, count;
	double rows[CONTACT_POINTS][CONTACT_ROW];
};

/* The state of a loop over events. */
struct cursor {
	const struct class *class;
	uint32_t slot, slot_generation;
	uint32_t kind; /* enum event_kind, see events.c */
	uint32_t position, end; /* of the next event; end: of a loop over visitors, in object->visitors */
	uint32_t point; /* of the contact there */
	struct handle owner; /* the body or collider whose contacts are listed */
	uint64_t epoch; /* of the step whose events it lists */
	const void *last; /* the first value of the last iteration, which Lua passes back as the control variable */
	bool busy;
};

struct option_names;

/* State shared by all worlds of one Lua state. */
struct shared {
	lua_Alloc allocate;
	void *allocate_context;
	/* allocated for all worlds, shapes, indexes and results of algorithms; not counted by Lua's collector [bytes] */
	size_t bytes;
	size_t collect_at; /* `bytes` from which on shared_collect runs a garbage collection [bytes] */
	struct memory memory; /* for shapes, indexes and results of algorithms */
	const struct option_names *options; /* by enum option_set, see args.h; anchored in SHARED_OPTIONS */
};

struct hit {
	struct handle collider;
	uint32_t child; /* of the collider's shape */
	uint64_t part; /* the child as the script counts it, from 1; `kind` says of what, or is NULL: the shape has no parts */
	const char *kind;
	double point_normal[POINT_NORMAL_SIZE]; /* two numbers each in 2D, three in 3D */
	double fraction;
};

struct hook;
struct draw;
struct dimension;

struct world_object {
	const struct class *class;
	const struct dimension *dimension;
	struct world *world; /* NULL: destroyed, or not yet created */
	struct shared *shared;
	struct memory memory; /* the allocator of this world alone, so that getByteCount has its count */
	uint32_t slot, slot_generation;
	uint64_t epoch; /* number of steps begun */
	uint32_t queries; /* number of queries and draws under way */
	struct pre_solve *contact; /* that preSolve decides on at this moment, or NULL */
	struct hook *hook; /* the hook of the innermost step or query under way */
	struct draw *draw; /* the innermost draw under way */
	uint32_t shape_slots; /* size of the table of shapes in the environment */
	uint32_t layer_count;
	bool filtered, pre_solved; /* has a filter function, a preSolve function */
	bool colliders_made; /* some collider has or had a handle */
	bool colliders_noted; /* some collider has or had data */
	bool colored; /* some body has or had a colour */
	bool stepped, long_step_told; /* see misfits_tell */
	uint32_t graves; /* upper bound on the number of handles in ENV_GRAVES */
	bool snapshots; /* some snapshot may bring back destroyed objects: see state.c */
	bool told; /* loops list the last step's events; false since an advance began that has made no step yet */
	ARRAY(double) bulk; /* see bulk.c */
	ARRAY(uint32_t) bulk_ids;
	ARRAY(const void *) bulk_handles; /* those of the last list of bodies; never read, but prefetched */
	bool in_tick; /* a script's onTick is running */
	uint32_t handles_made; /* by push_handle_of, modulo 2^32 */
	uint32_t dead, dead_before; /* upper bounds on the numbers of handles in ENV_DEAD and ENV_DEAD_BEFORE */
	uint32_t dead_limit; /* `dead` above which ENV_DEAD is pruned: see DEAD_MANY */
	ARRAY(struct hit) hits; /* stack of the hits of the queries under way */
	ARRAY(struct query_ray) rays; /* stack of the rays of the calls of raycasts under way, with their hits */
	ARRAY(uint32_t) excluded; /* stack of the keys that the queries under way exclude */
	ARRAY(struct handle) visitors; /* colliders that the loops over overlaps list, see overlaps_begin */
	uint32_t visitor_loops; /* number of these loops that have begun in visitor_epoch and not ended */
	uint64_t visitor_epoch;
	ARRAY(uint32_t) drawn; /* stack of the ids that the draws under way iterate over */
	struct bits marked; /* while a draw gathers ids: the bodies, later the islands, gathered so far; else empty */
	struct cursor *cursors[CURSORS]; /* anchored in ENV_CURSORS */
	struct shown_contact shown;
};

/* Keys of the shared table. Each Lua state has one such table, upvalue 1 of every function that needs it. */
enum shared_key {
	SHARED_STATE = 1, /* struct shared */
	SHARED_MODULE, /* the result of `require "collide"` */
	SHARED_WORLD,
	SHARED_BODY,
	SHARED_COLLIDER,
	SHARED_JOINT,
	SHARED_FIELD,
	SHARED_MOVER,
	SHARED_D3_WORLD,
	SHARED_D3_BODY,
	SHARED_D3_COLLIDER,
	SHARED_D3_JOINT,
	SHARED_D3_FIELD,
	SHARED_D3_MOVER,
	SHARED_SHAPE,
	SHARED_POSE,
	SHARED_D3_SHAPE,
	SHARED_D3_POSE,
	SHARED_CURSOR,
	SHARED_CONTACT,
	SHARED_D3_CONTACT,
	SHARED_INDEX,
	SHARED_HEIGHTMAP,
	SHARED_GENERATOR,
	SHARED_HISTORY,
	SHARED_FRAGMENTS, /* SHARED_WORLD to here: metatables */
	/* SHARED_WORLD_DATA to SHARED_D3_MOVER_DATA: metatables of objects with data, in the order from SHARED_WORLD on */
	SHARED_WORLD_DATA,
	SHARED_DATA = SHARED_WORLD_DATA - SHARED_WORLD,
	SHARED_D3_MOVER_DATA = SHARED_D3_MOVER + SHARED_DATA,
	/* functions created in advance, as pushing a C function allocates in 5.1; called under lua_pcall unless stated otherwise */
	SHARED_FILTER,
	SHARED_ACCEPT,
	SHARED_PRE_SOLVE,
	SHARED_LIST,
	SHARED_TRACEBACK, /* the message handler */
	SHARED_ITERATOR, /* of event loops, called by Lua */
	SHARED_DRAW,
	SHARED_INDEX_LIST,
	SHARED_MESH_LIST,
	SHARED_PREDICTION,
	SHARED_WEAK, /* the metatable of tables whose values are weak */
	SHARED_DRAW_STRINGS, /* list: the names of a draw target's functions, then those of the meanings, see draw.h */
	SHARED_OPTIONS, /* shared->options, with the names attached that it refers to */
	SHARED_MATERIALS, /* the names of materials: [number] = name, [name] = number */
	SHARED_RESPONSES, /* [name] = function: see responses.c */
	SHARED_COPY_LEND, /* functions on LuaJIT, else false: see copy.c */
	SHARED_COPY_STORE,
	SHARED_END = SHARED_COPY_STORE
};

/* Keys of a world's environment. */
enum environment_key {
	ENV_WORLD = 1, /* the userdata: handles keep their world alive */
	ENV_BODIES,
	ENV_COLLIDERS,
	ENV_JOINTS,
	ENV_FIELDS,
	ENV_MOVERS, /* ENV_BODIES to here: [id + 1] = handle; values are weak */
	ENV_SHAPES, /* [collider id + 1] = shape or false */
	ENV_DATA,
	ENV_NAMES,
	ENV_COLORS, /* ENV_DATA to here: [handle] = value */
	ENV_WORLD_DATA,
	ENV_FILTER, /* the filter function */
	ENV_PRE_SOLVE, /* the preSolve function */
	ENV_CONTACT, /* the contact object that it gets */
	ENV_LAYERS,
	ENV_LAYER_NAMES, /* ENV_LAYERS: [name] = layer + 1; ENV_LAYER_NAMES: [layer + 1] = name */
	ENV_DEAD,
	/* handles of objects destroyed since the last step began (ENV_DEAD), or between the beginnings of the last two steps
	 * (ENV_DEAD_BEFORE), that events may refer to or that have a name or data */
	ENV_DEAD_BEFORE,
	ENV_CURSORS,
	ENV_GHOSTS, /* [generation] = handle, weakly: see state.c */
	ENV_GRAVES, /* see history.c */
	ENV_END = ENV_GRAVES
};

#define UPVALUE_SHARED lua_upvalueindex(1)

/* Pushes the value at the key of the shared table. Raises if there is none, as the debug library can replace the upvalue. */
static inline void shared_push(lua_State *L, int key)
{
	if (!lua_istable(L, UPVALUE_SHARED) || element_push(L, UPVALUE_SHARED, key) == LUA_TNIL)
		luaL_error(L, "collide: a function has lost its upvalue");
}

/* Pushes a new object of the class. All of its bytes after the class pointer are 0. */
static inline void *object_create(lua_State *L, size_t size, const struct class *class)
{
	void *object = memset(userdata_create(L, size), 0, size);
	*(const struct class **)object = class;
	shared_push(L, class->metatable);
	lua_setmetatable(L, -2);
	return object;
}

/* The address in upvalue `number`. 2: the class that a method was registered for; 3: the table row that defines the method. */
static inline const void *upvalue_address(lua_State *L, int number)
{
	const void *address = lua_touserdata(L, lua_upvalueindex(number));
	if (address == NULL)
		luaL_error(L, "collide: a function has lost its upvalue");
	return address;
}

/* --- Worlds by slot (handle.c) -------------------------------------------------------------------------------------------- */

/* maximum number of live worlds in a process; a slot has 16 bytes, which take no memory until used */
enum { WORLD_SLOTS = 65536 };

struct slot {
	_Atomic(uint32_t) generation;
	_Atomic(struct world_object *) object;
};

extern struct slot world_slots[WORLD_SLOTS];

/* slot_take gives the world a slot; false: all are taken. slot_give frees the slot, so that no handle finds the world any more.
 * Any thread. */
bool slot_take(struct world_object *object);
void slot_give(struct world_object *object);

/* The world that was given the slot with this generation; NULL if it has been destroyed, as slot_give changes the generation.
 * Only the thread of a world changes its slot, so relaxed loads are current. */
static inline struct world_object *slot_find(uint32_t slot, uint32_t generation)
{
	struct slot *s = &world_slots[slot % WORLD_SLOTS];
	if (atomic_load_explicit(&s->generation, memory_order_relaxed) != generation)
		return NULL;
	return atomic_load_explicit(&s->object, memory_order_relaxed);
}

/* --- Handles (handle.c) --------------------------------------------------------------------------------------------------- */

/* The userdata at `index` if it is of the class, else NULL. */
static inline void *object_test(lua_State *L, int index, const struct class *class, size_t size)
{
	void *block = lua_touserdata(L, index);
	if (block == NULL || lua_rawlen(L, index) != size || *(const struct class **)block != class)
		return NULL;
	return block;
}

/* As object_test, for a 2D class or its 3D twin. */
static inline void *object_test_any(lua_State *L, int index, const struct class *class, size_t size)
{
	void *block = lua_touserdata(L, index);
	if (block == NULL || lua_rawlen(L, index) != size)
		return NULL;
	const struct class *found = *(const struct class **)block;
	return found == class || found == class->space ? block : NULL;
}

/* Whether the value at `index` is a userdata of the class, of any size. */
static inline bool class_test(lua_State *L, int index, const struct class *class)
{
	return lua_type(L, index) == LUA_TUSERDATA && lua_rawlen(L, index) >= sizeof class &&
		*(const struct class **)lua_touserdata(L, index) == class;
}

/* Checks of a method's first argument: they return its world, store its id, and raise unless it is a live object of the kind,
 * in 2D or 3D. `function`: the method's name in messages. The *_change functions also raise while the world is locked. The
 * checks of worlds and bodies compute pending masses. */
struct world_object *check_world(lua_State *L, const char *function);
struct world_object *check_world_change(lua_State *L, const char *function);
struct world_object *check_body(lua_State *L, const char *function, uint32_t *body);
struct world_object *check_body_change(lua_State *L, const char *function, uint32_t *body);
/* The same for an object of the kind (body, collider, joint, field, mover) that the method was registered for; masses stay
 * pending. */
struct world_object *check_reference(lua_State *L, const char *function, uint32_t *id);
struct world_object *check_reference_change(lua_State *L, const char *function, uint32_t *id);

/* As above, for objects of one dimension only. */
struct world_object *check_world_of(lua_State *L, const char *function, const struct class *class);
struct world_object *check_reference_of(lua_State *L, const char *function, const struct class *class, uint32_t *id);
/* As above, for bodies, colliders, joints, fields or movers of the class that the method was registered for. */
struct world_object *check_own(lua_State *L, const char *function, uint32_t *id);

/* Raises the error that the world is locked: `function` was called by a callback of a step, query or draw under way. */
_Noreturn void raise_locked(lua_State *L, const struct world_object *object, const char *function);

static inline void check_unlocked(lua_State *L, const struct world_object *object, const char *function)
{
	if (object->world->locked || object->draw || object->queries)
		raise_locked(L, object, function);
}

/* Repeats the checks of check_world_change, after a call that may have run a finalizer. */
void check_world_again(lua_State *L, const struct world_object *object, const char *function);

/* The world of the reference's object; NULL if the object is destroyed. */
struct world_object *reference_find(const struct reference *reference);
/* Raises an error that states why the first argument is not a live object of the class. */
_Noreturn void raise_reference(lua_State *L, const char *function, const struct class *class);

static inline struct world_object *body_find(const struct reference *reference)
{
	struct world_object *object = slot_find(reference->slot, reference->slot_generation);
	return object && !reference->destroyed && handle_valid_body(object->world, reference->handle) ? object : NULL;
}

/* Computes pending body masses, on which functions of worlds and bodies rely. Returns the argument. */
static inline struct world_object *object_weighed(struct world_object *object)
{
	if (object->world->unweighed.count > 0)
		bodies_weigh(object->world);
	return object;
}

/* Address of a float (damping and the like) in the wing's mover record of the body. */
static inline float *mover_number(const struct world_object *object, uint32_t body, size_t offset)
{
	void *at = (char *)mover_row(object->world, body) + offset;
	return at;
}

/* As check_body for one dimension. Inline, as it is called most. */
static inline struct world_object *check_body_of(lua_State *L, const char *function, const struct class *class, uint32_t *body)
{
	const struct reference *reference = object_test(L, 1, class, sizeof *reference);
	struct world_object *object = reference ? body_find(reference) : NULL;
	if (object == NULL)
		raise_reference(L, function, class);
	*body = reference->handle.index;
	record_touch(object->world, TOUCHED_BODIES, *body);
	return object_weighed(object);
}

/* Pushes a new handle, marked destroyed until reference_commit. environment: a stack index. */
struct reference *reference_create(lua_State *L, struct world_object *object, const struct class *class, int environment);
/* Stores the handle at stack index `handle` in the table, for its object, which will be created after `ahead` others of its
 * kind. It stays there while nothing else is created and the handle is on the stack. */
void reference_reserve(lua_State *L, const struct world_object *object, int environment, int handle, uint32_t ahead);
/* Binds the handle, which reference_reserve has stored in the table, to the id. */
void reference_commit(struct reference *reference, const struct world_object *object, uint32_t id);
/* Pushes the shape of the collider, with two values below it; makes its object if it has none yet. */
void shape_push(lua_State *L, const struct world_object *object, int environment, uint32_t collider, const char *function);
/* Reserves table slots in the environment for the shapes of `count` further colliders. */
void shapes_reserve(lua_State *L, struct world_object *object, int environment, uint32_t count);
/* Empties the table slots of the shapes of the colliders in a body's list, from `first` on. Cannot fail. */
void shapes_empty(lua_State *L, const struct world_object *object, int environment, uint32_t first);
/* Marks the handle of the object, if it has one, destroyed. Cannot fail. Call before the engine destroys the object. */
void reference_retire(lua_State *L, const struct world_object *object, int environment, const struct class *class, uint32_t id);

/* Pushes the userdata of the handle if there is one, else nil, and returns it. Finds none of destroyed objects. Allocates
 * nothing. */
struct reference *push_made(lua_State *L, int environment, const struct class *class, struct handle handle);
/* Pushes the userdata of the handle of an object that may be destroyed: the one there is, else a new one. class: the 2D class
 * or that of the world's dimension. May run a finalizer, which may destroy anything. */
void push_handle(lua_State *L, struct world_object *object, int environment, const struct class *class, struct handle handle);
/* For several handles of one kind: handles_open pushes one value, which must stay on the stack; push_handle_of does the same as
 * push_handle. */
struct handle_source {
	const struct class *class; /* of the world's dimension */
	int environment, handles; /* stack indices; handles: of the kind's table in the environment; 0: the world is destroyed */
};
struct handle_source handles_open(lua_State *L, const struct world_object *object, int environment, const struct class *class);
void push_handle_of(lua_State *L, struct world_object *object, const struct handle_source *source, struct handle handle);
/* As push_handle, for the object with the id. Pushes nil and returns false if none has it. */
bool push_live(lua_State *L, struct world_object *object, int environment, const struct class *class, uint32_t id);

/* Keeps the handle that is on top of the stack: in ENV_DEAD, and from the next step on in ENV_DEAD_BEFORE, until the step after
 * that begins. Its name and data stay as long. */
void dead_keep(lua_State *L, struct world_object *object, int environment, const struct reference *reference);
/* Called when a step begins: drops the handles, names and data of objects destroyed before the last step began. */
void dead_age(lua_State *L, struct world_object *object, int environment);

/* While the world has a history: keeps the handle of a destroyed object, at a stack index, with its name and data, in
 * ENV_GRAVES. False: it has none. */
bool grave_dig(lua_State *L, struct world_object *object, int environment, int handle);
/* Drops the handles, names and data in ENV_GRAVES that no history can bring back. */
void graves_prune(lua_State *L, struct world_object *object, int environment);

/* Sets table[key] = nil for the key on top of the stack, which is popped. Never adds a slot. */
void table_clear(lua_State *L, int table);

/* --- Classes (class.c) ---------------------------------------------------------------------------------------------------- */

/* One of several methods that share a function; upvalue 3 of the function points to it. */
struct method {
	const char *name; /* NULL: the end of a list */
	lua_CFunction function;
	int number; /* tells the function which of the methods was called */
};

/* The methods, properties and metamethods of a class. Both arrays of lists end with NULL. */
struct class_content {
	const luaL_Reg *functions[10]; /* NULL ends the list, as that of methods */
	const struct method *methods[5];
	const struct property *properties; /* see property.h; or NULL */
	const luaL_Reg *metamethods;
};

/* Creates the class's metatables, and stores them in the shared table. shared: a stack index. */
void class_create(lua_State *L, int shared, const struct class *class, const struct class_content *content);
/* Registers a method in the table on top of the stack. Its upvalues: the shared table; the class; the row, unless NULL. */
void method_register(
	lua_State *L, int shared, const struct class *class, const void *row, lua_CFunction function, const char *name);
/* Gives the object at stack index `index` the metatable for objects with or without data. Cannot fail. Needs the shared table
 * as upvalue 1. */
void class_set_data(lua_State *L, int index, const struct class *class, bool data);
/* Registers functions, each with the shared table as upvalue 1, in the table on top of the stack. */
void functions_register(lua_State *L, int shared, const luaL_Reg *functions);

/* --- Other declarations --------------------------------------------------------------------------------------------------- */

struct collider_input {
	struct collider_options options;
	struct material material; /* the option `material` */
	uint8_t loose; /* properties of it that are given as options of their own: MATERIAL_FRICTION and so on */
	bool names_known; /* the names of materials are stored already: reading the options allocates nothing */
	const void *shape; /* the wing's shape; NULL: not given */
	bool given; /* a key other than the shape was given */
};

struct shared *shared_state(lua_State *L); /* needs the shared table as upvalue 1 */
/* Runs a full garbage collection if shared->bytes is at least 32 MiB and has doubled since the last one, unless the script has
 * stopped the collector. */
void shared_collect(lua_State *L, struct shared *shared);
/* Initializes a memory that counts towards shared->bytes. */
void shared_memory(struct shared *shared, struct memory *memory);

struct path;
const struct d2_shape *d2_value_shape(lua_State *L, int index, const struct path *path);
const struct d3_shape *d3_value_shape(lua_State *L, int index, const struct path *path);
const struct d2_shape *d2_check_shape(lua_State *L, int index, const char *function, const char *name);
const struct d3_shape *d3_check_shape(lua_State *L, int index, const char *function, const char *name);
const char *d2_shape_type_name(const struct d2_shape *shape);
const char *d3_shape_type_name(const struct d3_shape *shape);
/* Read a pose; nil and none give the identity. */
struct d2_pose d2_value_pose(lua_State *L, int index, const struct path *path);
struct d3_pose d3_value_pose(lua_State *L, int index, const struct path *path);
struct d2_pose d2_check_pose(lua_State *L, int index, const char *function, const char *name);
struct d3_pose d3_check_pose(lua_State *L, int index, const char *function, const char *name);
struct d2_rot rotation_from(double angle); /* [rad] */
/* Normalizes the quaternion (x, y, z, w). False: it is zero. */
bool quaternion_read(const double numbers[4], struct d3_quat *q);
/* As quaternion_read, but raises. */
struct d3_quat quaternion_from(lua_State *L, const char *function, const double numbers[4]);

/* A 3D rotation among the options of a table: `rotation`, or `qx`, `qy`, `qz` and `qw`, or `axis` and `angle`. */
enum rotation_part {
	ROTATION_LIST,
	ROTATION_QX,
	ROTATION_QY,
	ROTATION_QZ,
	ROTATION_QW,
	ROTATION_AXIS,
	ROTATION_ANGLE,
	ROTATION_PARTS
};

struct rotation_input {
	uint32_t given; /* bit i: part i was given */
	double numbers[4], angle;
	struct d3_vec_d axis; /* a unit vector */
};

/* Reads the part at stack index `index`. */
void d3_rotation_option(
	lua_State *L, int index, const struct path *path, enum rotation_part part, struct rotation_input *input);
/* The rotation, or none if no part was given; raises unless the parts given make one rotation. */
struct d3_quat d3_rotation_of(lua_State *L, const char *function, struct rotation_input *input);
/* Reads a rotation that is one value: { qx, qy, qz, qw } of any length, or { axis = { x, y, z }, angle = }. */
void d3_value_rotation(lua_State *L, int index, const struct path *path, double numbers[4]);
/* Reads a direction { x, y } or { x, y, z } of any length but 0; returns a unit vector. */
struct d3_vec_d value_axis(lua_State *L, int index, const struct path *path, int axes);
/* Pushes an empty shape object, so that nothing needs to be allocated after the shape is created. Returns the allocator for the
 * shape. */
struct memory *d2_push_shape(lua_State *L);
struct memory *d3_push_shape(lua_State *L);
/* Stores the shape in the object on top of the stack, and returns 1. Raises "not enough memory" if the shape is NULL. */
int d2_give_shape(lua_State *L, struct d2_shape *shape, const char *function);
int d3_give_shape(lua_State *L, struct d3_shape *shape, const char *function);
/* Push the mass for the density at stack index 2: mass, cx, cy, inertia; in 3D mass, cx, cy, cz, ixx, iyy, izz, ixy, ixz,
 * iyz. */
int d2_push_shape_mass(lua_State *L, const struct d2_shape *shape, const char *function);
int d3_push_shape_mass(lua_State *L, const struct d3_shape *shape, const char *function);
/* Push the AABB of the whole shape at the pose: x1, y1, (z1,) x2, y2 (, z2). */
int d2_push_shape_box(lua_State *L, const struct d2_shape *shape, const struct d2_pose *pose);
int d3_push_shape_box(lua_State *L, const struct d3_shape *shape, const struct d3_pose *pose);
/* Push a pose, and return 1. */
int d2_push_pose(lua_State *L, struct d2_pose pose);
int d3_push_pose(lua_State *L, struct d3_pose pose);
int d2_make_pose(lua_State *L);
int d3_make_pose(lua_State *L);
int make_heightmap(lua_State *L);

/* Registers the functions on plain numbers, for `axes` dimensions, in the table on top of the stack. */
void sweeps_register(lua_State *L, int shared, int axes);
void push_layer(lua_State *L, int environment, uint32_t layer);
/* The number of the layer named at stack index `index`; raises if there is none. path: for the message. */
uint32_t check_layer(lua_State *L, int index, int environment, const struct world_object *object, const struct path *path);
/* Reads a list of names of layers at stack index `index`; the result has a bit for each. Allocates nothing. */
uint64_t check_layers(lua_State *L, int index, int environment, const struct world_object *object, const struct path *path);

/* Call before a collider is destroyed: keeps its handle if events may refer to it, or if it has a name or data. */
void collider_keep(lua_State *L, struct world_object *object, int environment, uint32_t collider);

enum body_type check_body_type(lua_State *L, int index, const struct path *path);

/* Records that the object has or had a name or data. Call before either is set. */
void reference_note(struct reference *reference);
/* value_keep: sets environment[key][handle] = value, unless nil; environment, handle and value are stack indices. value_drop:
 * removes the entry; allocates nothing. */
void value_keep(lua_State *L, int environment, int key, int handle, int value);
void value_drop(lua_State *L, int environment, int key, int handle);
/* As value_keep, for the data of an object; also gives it the metatable of objects with data. */
void data_keep(lua_State *L, int environment, int handle, int value);
/* Methods of bodies, colliders, joints, fields and movers. reference_doom is the beginning of destroy: it raises while the
 * world is locked, and returns NULL if the object is already destroyed. environment_open makes the stack the first argument and
 * its environment. */
void environment_open(lua_State *L);
struct world_object *reference_doom(lua_State *L, const struct class *class, struct reference **reference);
/* reference_get_text pushes the name or colour of the first argument, which has been checked; reference_set_text sets it to the
 * second. key: ENV_NAMES or ENV_COLORS. Both end methods. */
int reference_get_text(lua_State *L, int key);
int reference_set_text(lua_State *L, int key);
/* Methods getName, setName, isValid and getWorld of objects with a reference. */
int reference_get_name(lua_State *L);
int reference_set_name(lua_State *L);
int reference_is_valid(lua_State *L);
int reference_get_world(lua_State *L);

/* After the world's first step, a long step or one with doubts, of the world at stack index 1: tells the script what does not
 * fit, see core/misfit.h. */
void misfits_tell(lua_State *L, float dt);

#define LONG_STEP 5.0f /* from here on, dt was probably meant in ms, or is a rate [s] */

int warn_default(lua_State *L);
/* Pushes the module's `warn`, which is the default if a script has set it to nil. Returns 1. */
int warn_push(lua_State *L);
int world_new_body(lua_State *L);
int world_new_bodies(lua_State *L);
/* Creates the object that preSolve gets, in ENV_CONTACT, unless it is there. environment: a stack index. */
void contact_object_create(lua_State *L, const struct world_object *object, int environment);
/* Creates a joint of the type that is the method's number. */
int joint_new(lua_State *L);
int field_new(lua_State *L);
int mover_new(lua_State *L);
int world_contact_planes(lua_State *L);
int world_explode(lua_State *L);
int world_random(lua_State *L);
int world_body_hashes(lua_State *L);
int world_predict(lua_State *L);
int prediction_run(lua_State *L);
int body_get_joints(lua_State *L);
int body_slice(lua_State *L);
int body_shatter(lua_State *L);
/* Returns a list of joints or colliders of the body at stack index 1. gather: returns their number, and stores their handles in
 * the order of the list unless `handles` is NULL. */
int body_list(lua_State *L, const char *function, const struct class *class,
	uint32_t (*gather)(const struct world *world, uint32_t body, struct handle *handles));
int body_new_collider(lua_State *L);
int cursor_next(lua_State *L);
int list_build(lua_State *L);
int world_new(lua_State *L, const struct dimension *dimension);
/* Pushes the environment and the userdata of a world that is not yet created. */
struct world_object *world_object_push(lua_State *L, const struct dimension *dimension);
/* Gives the world a slot, or raises. */
void world_slot_take(lua_State *L, struct world_object *object, const char *function);
int index_list_build(lua_State *L);
int mesh_list_build(lua_State *L);
int draw_run(lua_State *L);
void draw_strings_register(lua_State *L, int shared);

extern const luaL_Reg world_methods[], d2_world_functions[], d3_world_functions[], d3_body_methods[], d3_spin_methods[],
	d3_surface_methods[], d3_collider_methods[], d3_joint_methods[], query_methods[], body_query_methods[],
	collider_query_methods[], body_methods[], d2_body_methods[], collider_methods[], d2_collider_methods[], joint_methods[],
	d2_shape_methods[], d2_pose_methods[], d2_shape_functions[], step_methods[], bulk_functions[], draw_methods[],
	index_methods[], index_functions[], d2_toolbox_functions[], polygon_functions[], heightmap_methods[], d3_shape_methods[],
	d3_pose_methods[], d3_shape_functions[], d3_toolbox_functions[], d3_rotation_functions[], mesh_functions[], field_methods[],
	d2_field_methods[], d3_field_methods[], mover_methods[], d2_plane_functions[], d3_plane_functions[], response_functions[],
	move_methods[], overlap_methods[], world_explain_methods[], body_explain_methods[], d2_tiles_methods[],
	d3_heights_methods[], d3_voxels_methods[], d3_voxels_body_methods[], d2_tiles_body_methods[], number_functions[],
	generator_methods[], compare_functions[], state_methods[], state_functions[], history_functions[], history_methods[];
extern const luaL_Reg contact_object_methods[], d2_contact_methods[], d3_contact_methods[], contact_metamethods[];
extern const struct method bulk_methods[], cast_methods[], own_cast_methods[], event_methods[], contact_methods[],
	joint_getters[], joint_settings[], d3_joint_settings[], d2_joint_constructors[], d3_joint_constructors[], field_effects[],
	mover_getters[], mover_loops[];
extern const luaL_Reg world_metamethods[], reference_metamethods[], d2_shape_metamethods[], d2_pose_metamethods[],
	cursor_metamethods[], index_metamethods[], heightmap_metamethods[], d3_shape_metamethods[], d3_pose_metamethods[],
	generator_metamethods[], history_metamethods[], fragments_metamethods[];
