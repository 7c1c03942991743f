/* draw.h - shared by the drawing of 2D and 3D worlds: calls of the functions of a target (see draw.c), and tests for
 * visibility. */
#pragma once
#include "bind/world/dimension.h"
#include "core/link.h"
#include "core/proxy.h"

/* Functions of a target (see draw.c), and meanings, the first argument of each call; in the order of the strings in
 * SHARED_DRAW_STRINGS. */
enum function { SOLID_POLYGON, POLYGON, SOLID_CIRCLE, CIRCLE, SOLID_CAPSULE, CAPSULE, SEGMENT, POINT, TEXT, FUNCTIONS };

enum meaning {
	MEANING_STATIC,
	MEANING_KINEMATIC,
	MEANING_AWAKE,
	MEANING_SLEEPING,
	MEANING_BULLET,
	MEANING_SENSOR,
	MEANING_DISABLED,
	MEANING_BOX,
	MEANING_TREE,
	MEANING_CONTACT,
	MEANING_NORMAL,
	MEANING_IMPULSE,
	MEANING_JOINT,
	MEANING_LIMIT,
	MEANING_SPRING,
	MEANING_ISLAND,
	MEANING_CENTER,
	MEANING_VELOCITY,
	MEANING_NAME,
	MEANING_FIELD,
	MEANINGS,
	MEANING_OWN = MEANINGS /* the colour of a body, see draw_world.c */
};

/* Sections of the buffer of ids, in the order of gathering. DISABLED follows BODIES, so that both can be traversed as one
 * range. */
enum section {
	PROXIES,
	BODIES,
	DISABLED,
	CONTACTS,
	JOINTS,
	FIELDS,
	ISLANDS,
	STATIC_NODES,
	RESTING_NODES,
	DRIFTING_NODES,
	SECTIONS
};

/* An AABB in doubles. In 2D the third numbers are 0. */
struct bounds {
	double lower[3], upper[3];
};

struct draw {
	struct world_object *object;
	struct draw *outer;
	bool on[DRAW_OPTIONS]; /* indexed by enum draw_option */
	struct bounds view; /* objects outside are not drawn; unlimited without DRAW_VIEW */
	struct box box; /* the view, rounded outwards */
	/* the box to which half-planes and half-spaces are clipped: the view or, without one, the bounds of all other shapes
	 * widened by 10 lengthScale */
	struct bounds area;
	uint32_t ends[SECTIONS + 1]; /* section s is [ends[s], ends[s + 1]) of object->drawn */
	float largest_impulse; /* of contact points in view [mass length/s] */
	bool out_of_memory;
};

/* Stack slots of draw_run, from the bottom. */
enum {
	DRAW_AT_WORLD = 1,
	DRAW_AT_ENVIRONMENT,
	DRAW_AT_FUNCTIONS,
	DRAW_AT_MEANINGS = DRAW_AT_FUNCTIONS + FUNCTIONS,
	DRAW_AT_COLOR = DRAW_AT_MEANINGS + MEANING_OWN,
	DRAW_AT_NAMES, /* the tables of names and of colours */
	DRAW_AT_COLORS,
	DRAW_AT_END
};

/* Maximum number of points of a polygon passed to a target. */
enum { DRAW_POINTS = 64 };

/* --- Calls of the target's functions, in the trampoline ------------------------------------------------------------------- */

/* Begins a call: pushes the function and the meaning. The caller pushes the other arguments, and then calls call_end. False:
 * the target has no such function. */
static inline bool call_begin(lua_State *L, enum function function, enum meaning meaning)
{
	if (lua_isnil(L, DRAW_AT_FUNCTIONS + (int)function))
		return false;
	lua_pushvalue(L, DRAW_AT_FUNCTIONS + (int)function);
	lua_pushvalue(L, DRAW_AT_MEANINGS + (int)meaning);
	return true;
}

static inline void call_end(lua_State *L)
{
	lua_call(L, lua_gettop(L) - DRAW_AT_END, 0);
}

/* Calls the target's `segment` with two points, each of two or three numbers: as many as there are axes. */
void call_segment(lua_State *L, const struct draw *draw, enum meaning meaning, const double from[3], const double to[3]);

/* Whether the box overlaps the view. */
bool box_in_view(const struct draw *draw, const struct box *box);

/* round_cosine(i) is cos(2 pi i / ROUND_POINTS); round_cosine(i + ROUND_POINTS * 3 / 4) is the sine of that angle. */
enum { ROUND_POINTS = 32 };
double round_cosine(uint32_t i);

/* --- Differences between 2D and 3D ---------------------------------------------------------------------------------------- */

/* One child of the shape of a collider or field. */
struct draw_part {
	const void *shape; /* the wing's shape */
	uint32_t child, body; /* in the body's frame */
	const struct frame3 *frame; /* of a field's shape, instead of the body's; NULL for colliders */
};

struct drawing {
	void (*part_box)(const struct world *world, const struct draw_part *part, struct box *box); /* AABB of a bounded shape */
	/* whether some of the half-plane, or of the half-space's boundary plane, is in the area */
	bool (*unbounded_in_view)(const struct draw *draw, const struct draw_part *part);
	/* the point on the boundary of an unbounded shape (a half-plane's line, a half-space's plane) closest to the body's
	 * origin */
	void (*unbounded_edge)(const struct world *world, const struct draw_part *part, double point[3]);
	void (*draw)(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct draw_part *part);
	/* draws the edges of an AABB */
	void (*draw_box)(lua_State *L, const struct draw *draw, enum meaning meaning, const struct box *box);
};

/* --- Between the files of drawing ----------------------------------------------------------------------------------------- */

const struct drawing *drawing_of(const struct draw *draw);
int draw_axes_of(const struct draw *draw);
bool draw_point_in_view(const struct draw *draw, const double point[3]);
struct draw_part draw_part_of(const struct world *world, uint32_t collider, uint32_t child);
bool draw_part_in_view(const struct draw *draw, const struct draw_part *part);
bool draw_field_in_view(const struct draw *draw, uint32_t field);
void draw_call_point(lua_State *L, const struct draw *draw, enum meaning meaning, const double point[3]);
/* Draws a segment from `from` to from + share vector. */
void draw_call_arrow(
	lua_State *L, const struct draw *draw, enum meaning meaning, const double from[3], const double vector[3], double share);

/* Draw one object by its id. */
void draw_shape(lua_State *L, const struct draw *draw, uint32_t proxy);
void draw_disabled(lua_State *L, const struct draw *draw, uint32_t body);
void draw_box(lua_State *L, const struct draw *draw, uint32_t proxy);
void draw_node(lua_State *L, const struct draw *draw, uint32_t node);
void draw_island(lua_State *L, const struct draw *draw, uint32_t island);
void draw_contact(lua_State *L, const struct draw *draw, uint32_t contact);
void draw_joint(lua_State *L, const struct draw *draw, uint32_t joint);
void draw_center(lua_State *L, const struct draw *draw, uint32_t body);
void draw_velocity(lua_State *L, const struct draw *draw, uint32_t body);
void draw_name(lua_State *L, const struct draw *draw, uint32_t body);
void draw_field(lua_State *L, const struct draw *draw, uint32_t field);
