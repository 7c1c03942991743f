/* shape_table.h - the shapes of a world in an archive, each once. Serial. */
#pragma once
#include "base/archive.h"
#include "core/core.h"

/* When reading, the table holds a reference to each shape. */
struct shape_table {
	ARRAY(const void *) all;
	/* when writing: a hash table of indices in `all`, by address, NONE: empty; when reading, by index: how often it was passed
	 */
	ARRAY(uint32_t) slots;
};

/* Passes all shapes of the world's colliders and fields. */
void shapes_pass(struct archive *archive, struct world *world, struct shape_table *shapes);
void shape_table_free(struct archive *archive, struct world *world, struct shape_table *shapes);
/* Passes which shape of the table it is, or NULL. Reading, returns it, without a reference of its own. A shape that is edited
 * can be passed once. */
const void *shape_table_pass(struct archive *archive, const struct world *world, struct shape_table *shapes, const void *shape);
