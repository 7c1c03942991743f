/* archive.h - shapes in archives. A shape that is read equals the saved one in all bits that have an influence: it is created
 * anew from the members that determine the others, and only if these could be those of a shape made by a script.
 * Not thread-safe. */
#pragma once
#include "base/archive.h"
#include "d2/shape/shape.h"

/* Passes a shape. Reading: *shape becomes a new one with one reference, of archive->memory; NULL: see archive_good. */
void d2_shape_pass(struct archive *archive, struct d2_shape **shape);
/* After all shapes of a table, which they are pointers to: passes which tiles are edited together. */
void d2_shapes_join(struct archive *archive, const void *const *shapes, uint32_t count);
/* Whether edits of its collider change the shape: no other collider may have it. */
bool d2_shape_editable(const struct d2_shape *shape);

/* For d2_shape_pass: of the type D2_CHAIN with tiles. *shape: as there. */
void d2_tiles_pass(struct archive *archive, struct d2_shape **shape);
