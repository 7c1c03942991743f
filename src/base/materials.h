/* materials.h - surface materials of colliders, and of a shape's parts: segments of a chain, triangles of a mesh, cells of a
 * height field, shapes of a compound. Pure, any thread. */
#pragma once
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct archive;

/* The properties that a part has of its own; the others are those of its collider. In the order of the keys that
 * bind/geometry/materials.c reads. */
enum {
	MATERIAL_FRICTION = 1,
	MATERIAL_RESTITUTION = 2,
	MATERIAL_ROLLING_RESISTANCE = 4,
	MATERIAL_TANGENT = 8,
	MATERIAL_NAME = 16,
	MATERIAL_FRICTION_MIXING = 32,
	MATERIAL_RESTITUTION_MIXING = 64,
	MATERIAL_ALL = 127
};

enum { MATERIAL_MIXINGS = 5 /* number of rules in core's enum mixing */ };

struct material {
	float friction; /* Coulomb's coefficient */
	float restitution; /* separation speed / approach speed */
	float rolling_resistance; /* lever arm of the resisting torque as a fraction of the radius */
	float tangent_speed; /* of the surface, as on a conveyor belt; in 3D the length of tangent_velocity [length/s] */
	float tangent_velocity[3]; /* of the surface in the body's or shape's frame, 3D only [length/s] */
	uint16_t name; /* number of its name; 0: none */
	uint8_t friction_mixing, restitution_mixing; /* 1 + a rule of core's enum mixing; 0: the world's rule */
	uint8_t has; /* of a part: MATERIAL_FRICTION and so on */
};

/* Materials of parts. `of` has one byte per part: 0 for the collider's material, i for list[i - 1], or MATERIALS_HOLE (cells
 * only). NULL stands for zeros. */
enum { MATERIALS_MAXIMUM = 254, MATERIALS_HOLE = 255 };

struct materials {
	uint32_t count; /* <= MATERIALS_MAXIMUM */
	struct material *list;
	uint8_t *of;
};

/* Copies the list and `parts` bytes of `of`; if that is NULL, *out is empty. False: no memory, and nothing is left to free. */
bool materials_copy(struct memory *memory, struct materials *out, const struct materials *given, size_t parts);
size_t materials_bytes(const struct materials *materials, size_t parts);
void materials_free(struct memory *memory, struct materials *materials, size_t parts);

/* Passes all members; names by pass_name. */
void material_pass(struct archive *archive, struct material *material);
/* The fewest bytes of a material in an archive. */
enum { MATERIAL_BYTES = 4 * 7 + 2 + 3 };
/* Passes the materials of the parts. holes: parts can be MATERIALS_HOLE. What is read must be freed, even after a fault. */
void materials_pass(struct archive *archive, struct materials *materials, uint32_t parts, bool holes);

/* Gives the material those properties that the other one has. */
void materials_override(struct material *material, const struct material *by);

/* The material of a part; NULL: the collider's. */
static inline const struct material *materials_find(const struct materials *materials, size_t part)
{
	uint8_t number = materials->of != NULL ? materials->of[part] : 0;
	return number > 0 && number <= materials->count ? &materials->list[number - 1] : NULL;
}
