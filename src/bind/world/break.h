/* break.h - the geometry of slice and shatter in 2D or 3D, and in body.c the end of the body that breaks. */
#pragma once
#include "bind/world/create.h"

enum cut_result { CUT_WHOLE, CUT_PART, CUT_NOTHING, CUT_TOO_MANY }; /* as d2_cut_result and d3_cut_result */

/* A polytope is a struct d2_cut or d3_cut; a part is a shape without children. Points and planes are in the body's frame. */
struct breaking {
	size_t polytope_size;
	int most_corners; /* of a piece's shape */
	const char *const *plane_names; /* slice's numbers, `plane_numbers` of them */
	int plane_numbers;

	/* Sets the unit normal and the offset of the plane that slice's numbers give in the world. False: it has no direction. */
	bool (*plane)(const struct world *world, uint32_t body, const double *numbers, double plane[4]);
	void (*local_point)(const struct world *world, uint32_t body, double *point); /* from the world */

	uint32_t (*part_count)(const void *shape);
	const void *(*part)(const void *shape, uint32_t i);
	const struct material *(*part_material)(const void *shape, uint32_t i); /* NULL: the collider's */
	bool (*solid)(const void *part); /* whether it can be cut */
	const char *(*type_name)(const void *shape);
	double (*volume)(const void *shape); /* in 2D the area */
	bool (*touch)(const void *a, const void *b, double distance); /* whether two parts are that near */

	bool (*start)(struct memory *memory, const void *part, void *polytope); /* false: no memory */
	enum cut_result (*cut)(const void *from, const double plane[4], void *to);
	double (*reach)(const void *polytope, const double *point); /* the greatest distance of a corner from the point */
	/* A new shape, of which the caller owns one reference. NULL: the polytope is too thin for a shape. */
	const void *(*make_shape)(lua_State *L, struct memory *memory, const void *polytope, const char *function);
	void (*retain)(const void *shape);
	void (*release)(const void *shape);

	/* Creates a body of the same type at the same pose, without colliders. NONE: no memory. */
	uint32_t (*twin)(struct world *world, uint32_t body);
	/* Gives a piece, whose mass is known, the body's locked axes, its angular velocity, and its velocity there. */
	void (*inherit)(struct world *world, uint32_t piece, uint32_t body);
};

/* Destroys the body at stack index 1 as `destroy` does, but does not keep handles that events name. Cannot fail. */
void body_remove(lua_State *L, struct world_object *object, int environment, struct reference *reference);
