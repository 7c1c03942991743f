/* edit.h - proxies of a collider while its shape is edited: tiles, voxels, an editable height field.
 * A wing's function for an edit calls edit_begin, tells what becomes of the shape's children, and calls edit_end, which ends
 * the contacts of removed children, wakes what touched or may overlap the others, and has their contacts found anew. Serial. */
#pragma once
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
