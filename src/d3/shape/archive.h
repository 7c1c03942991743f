/* archive.h - shapes in archives. A shape that is read equals the saved one in all bits that have an influence: it is created
 * anew from the members that determine the others, and only if these could be those of a shape made by a script.
 * Not thread-safe. */
#pragma once
#include "base/archive.h"
#include "d3/shape/shape.h"

/* Passes a shape. Reading: *shape becomes a new one with one reference, of archive->memory; NULL: see archive_good. A scaled
 * mesh or height field that is read shares its lists with no other. */
void d3_shape_pass(struct archive *archive, struct d3_shape **shape);
/* After all shapes of a table, which they are pointers to: passes which are edited together. */
void d3_shapes_join(struct archive *archive, const void *const *shapes, uint32_t count);
/* Whether edits of its collider change the shape: no other collider may have it. */
bool d3_shape_editable(const struct d3_shape *shape);
