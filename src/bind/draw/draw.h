/* draw.h - what the drawing of worlds of the plane and of space have in common: what is told to a target, and what of the world
 * is in view. */
#pragma once
#include "bind/world/dimension.h"

/* In the order of the strings in SHARED_DRAW_STRINGS. */
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
	MEANING_ISLAND,
	MEANING_CENTER,
	MEANING_VELOCITY,
	MEANING_NAME,
	MEANINGS
};

/* What is gathered, one section after the other. Disabled bodies follow the others, so that both can be gone through as one. */
enum section { PROXIES, BODIES, DISABLED, CONTACTS, JOINTS, ISLANDS, STATIC_NODES, MOVABLE_NODES, SECTIONS };

/* By axes; in the plane the third number is 0. */
struct bounds {
	double lower[3], upper[3];
};

struct draw {
	struct world_object *object;
	struct draw *outer;
	bool on[DRAW_OPTIONS]; /* by option */
	struct bounds view; /* where something must be to be drawn; all of the world without DRAW_VIEW */
	struct box box; /* the same, rounded outwards */
	struct bounds area; /* of which half-planes and half-spaces cover a part: the view, or the bounds of everything else */
	uint32_t ends[SECTIONS + 1]; /* section s is [ends[s], ends[s + 1]) of object->drawn */
	float largest_impulse; /* in view [mass length/s] */
	bool out_of_memory;
};

/* Stack slots of the trampoline, from the bottom. */
enum {
	DRAW_AT_WORLD = 1,
	DRAW_AT_ENVIRONMENT,
	DRAW_AT_FUNCTIONS,
	DRAW_AT_MEANINGS = DRAW_AT_FUNCTIONS + FUNCTIONS,
	DRAW_AT_NAMES = DRAW_AT_MEANINGS + MEANINGS, /* the table of names */
	DRAW_AT_END
};

/* Points that a target takes in one polygon, at most. */
enum { DRAW_POINTS = 64 };

/* --- Calls of the target's functions, in the trampoline ------------------------------------------------------------------- */

/* False: the target has no such function. Else its arguments follow, and call_end. */
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

/* Between points of the dimension. */
void call_segment(lua_State *L, const struct draw *draw, enum meaning meaning, const double from[3], const double to[3]);

/* Whether the box reaches into the view. */
bool box_in_view(const struct draw *draw, const struct box *box);

/* cos(2 pi i / 32), and with it all sines and cosines of the points of something round. */
enum { ROUND_POINTS = 32 };
double round_cosine(uint32_t i);

/* --- What differs between the dimensions ---------------------------------------------------------------------------------- */

/* A part of a collider, as it has proxies. */
struct draw_part {
	const void *shape; /* the wing's */
	uint32_t child, body;
};

struct drawing {
	void (*part_box)(const struct world *world, const struct draw_part *part, struct box *box); /* of what is not unbounded */
	bool (*unbounded_in_view)(const struct draw *draw, const struct draw_part *part); /* covers some of the area */
	/* where it comes nearest to its body */
	void (*unbounded_edge)(const struct world *world, const struct draw_part *part, double point[3]);
	void (*draw)(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct draw_part *part);
	void (*draw_box)(lua_State *L, const struct draw *draw, enum meaning meaning, const struct box *box); /* its outline */
	void (*body_origin)(const struct world *world, uint32_t body, double point[3]);
	void (*body_center)(const struct world *world, uint32_t body, double point[3]);
	void (*body_velocity)(const struct world *world, uint32_t body, double velocity[3]);
	void (*joint_anchors)(const struct world *world, uint32_t joint, double points[2][3]);
};
