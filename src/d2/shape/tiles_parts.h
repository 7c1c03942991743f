/* tiles_parts.h - the record of tiles, for tiles.c, which changes it, and tiles_read.c. */
#pragma once
#include "base/array.h"
#include "base/ids.h"
#include "d2/shape/shape.h"
#include "d2/shape/tiles.h"

enum {
	D2_TILE_CHUNK = 8, /* cells along the side of a chunk, whose faces are in one list */
	D2_TILE_FACES = 2 * D2_TILE_POINTS /* of a cell at most: each side may be cut in two by its neighbour */
};

struct face {
	uint32_t cell, next; /* next: in the list of its chunk */
	uint32_t before, after;
	int16_t ends[2][2]; /* in the cell; of an area: its value, and zeros */
};

struct d2_tiles {
	uint32_t columns, rows, chunk_columns, chunk_rows;
	float cell_size;
	struct d2_vec corner;
	enum cell_group group;
	bool areas; /* of sensors */
	const struct d2_shape *joined[CELL_GROUPS]; /* edited together; not followed: they may be freed */
	uint32_t kind_count;
	struct d2_tile_kind *kinds;
	uint16_t *cells; /* row by row */
	uint32_t *heads; /* of the lists of the chunks' faces */
	ARRAY(struct face) faces;
	ARRAY(struct d2_vec) points; /* `stride` for each face */
	ARRAY(struct d2_vec) normals; /* as many for each as it has edges: 1; of areas, `stride` */
	ARRAY(struct d2_edge) edges; /* of areas: `stride` for each */
};

/* A face that follows from the cells. */
struct d2_tile_draft {
	int16_t ends[2][2];
};

/* The faces of a cell, after the edit, if any. Returns their number. */
uint32_t d2_tiles_drafts(const struct d2_tiles *tiles, const struct d2_tiles_edit *edit, int64_t i, int64_t j,
	struct d2_tile_draft out[D2_TILE_FACES]);
/* The draft that is the face's; `count`: there is none. */
uint32_t d2_tiles_draft_find(const struct d2_tile_draft *drafts, uint32_t count, const struct face *face);
/* Makes room for a number of faces. False: no memory. */
bool d2_tiles_reserve_faces(struct d2_shape *shape, uint64_t count);
/* Sets what follows from the cells, ends and lists of all faces. */
void d2_tiles_finish_faces(struct d2_shape *shape);
/* Sets the other outlines of a kind from the first one's count and points. */
void d2_tile_kind_turn(struct d2_tile_kind *kind);

static inline uint32_t *d2_tiles_head_of(const struct d2_tiles *tiles, uint32_t i, uint32_t j)
{
	return &tiles->heads[j / D2_TILE_CHUNK * tiles->chunk_columns + i / D2_TILE_CHUNK];
}

/* The cell's next face in its chunk's list, from `face` on. */
static inline uint32_t d2_tiles_face_in_cell(const struct d2_tiles *tiles, uint32_t face, uint32_t cell)
{
	while (face != NONE && tiles->faces.data[face].cell != cell)
		face = tiles->faces.data[face].next;
	return face;
}

static inline struct d2_vec d2_tiles_point_at(const struct d2_tiles *tiles, uint32_t cell, const int16_t p[2])
{
	double x = (double)(cell % tiles->columns) + p[0] / (double)D2_TILE_UNIT;
	double y = (double)(cell / tiles->columns) + p[1] / (double)D2_TILE_UNIT;
	return (struct d2_vec){(float)((double)tiles->corner.x + x * (double)tiles->cell_size),
		(float)((double)tiles->corner.y + y * (double)tiles->cell_size)};
}
