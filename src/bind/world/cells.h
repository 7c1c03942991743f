/* cells.h - what the bindings of tiles and voxels share: their kinds, and the words for orientations. */
#pragma once
#include "base/cells.h"
#include "bind/geometry/materials.h"
#include "bind/world/create.h"

/* The options of newTiles or newVoxels, as far as they are the same. A struct of all of them begins with it. */
struct cells_own {
	const char *function;
	int axes;
	double cell_size;
	float one_way[CELL_NORMALS][3]; /* the normals of the groups of one-way kinds */
	bool groups[CELL_GROUPS]; /* those of the kinds */
};

void cells_open(lua_State *L, void *own);

/* Reads entry i of the list `kinds` at AT_NAME. Anchors the names of its kinds in the table at the top of the stack. Leaves its
 * shape, or nil, at the stack index that it returns, for cells_kind_done. */
int cells_kind_read(lua_State *L, struct cells_own *own, uint32_t i, struct cell_kind *kind, struct path *path);

/* Sets the collider of a group, which is like the first but for what its kinds are. */
void cells_collider(const struct cells_own *own, int group, const void *shape, struct collider_input inputs[COLLIDERS_AT_ONCE]);

/* Reads the flags at the stack index, words with spaces between them, of `words`, and lets `turn` apply each to the
 * orientation. must: what the error says. */
void cells_flags(lua_State *L, int index, const char *function, const char *const *words, int count, const char *must,
	void (*turn)(void *orientation, int word), void *orientation);
