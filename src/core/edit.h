/* edit.h - proxies of a collider while its shape is edited: tiles, voxels, an editable height field.
 * A wing's function for an edit calls edit_begin, tells what becomes of the shape's children, and calls edit_end, which ends
 * the contacts of removed children, wakes what touched or may overlap the others, and has their contacts found anew. Serial. */
#pragma once
#include "base/cells.h"
#include "core/core.h"

/* Reserves memory for `touched` calls of the functions below; false: none, and nothing has changed. */
bool edit_reserve(struct world *world, uint32_t touched);
/* The proxy of the collider's child, whose AABB is `box`; NONE: the body is disabled. Only the functions below need it. */
uint32_t edit_proxy(const struct world *world, uint32_t collider, uint32_t child, const struct box *box);
/* The child disappears, and its proxy at edit_end. */
void edit_remove(struct world *world, uint32_t proxy);
/* The child gets another number. */
void edit_renumber(struct world *world, uint32_t proxy, uint32_t child);
/* The child has a different neighbourhood. */
void edit_change(struct world *world, uint32_t proxy);
/* A new child; capacity is reserved. */
void edit_add(struct world *world, uint32_t collider, uint32_t child);
void edit_end(struct world *world, uint32_t collider);
/* The faces of one of the collider's children within the box have changed: wakes the bodies that touch them or may overlap, and
 * has their contacts found anew. For shapes with one proxy for many faces; its AABB is renewed if it does not contain them. */
void edit_region(struct world *world, uint32_t collider, const struct box *box);

/* Writes the colliders of the same body that are edited together, itself first, and returns their number. joined: whether two
 * shapes are. */
int edit_group(
	const struct world *world, uint32_t collider, bool (*joined)(const void *, const void *), uint32_t out[CELL_GROUPS]);
