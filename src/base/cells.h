/* cells.h - what tiles and voxels share: the properties of a kind of cells, by which a collider of cells is divided into
 * groups. */
#pragma once
#include "base/materials.h"

/* The kinds of each group make a shape of their own. One-way kinds with the same normal are a group, from CELLS_ONE_WAY on. */
enum cell_group { CELLS_SOLID, CELLS_SENSORS, CELLS_ONE_WAY, CELL_NORMALS = 6, CELL_GROUPS = CELLS_ONE_WAY + CELL_NORMALS };

struct cell_kind {
	struct material material; /* what `has` says; else the collider's */
	uint16_t name; /* as of a material */
	uint8_t group; /* enum cell_group */
};
