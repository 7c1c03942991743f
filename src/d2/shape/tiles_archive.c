/* tiles_archive.c - tiles in archives. Saved are the kinds, the cells, and what the cells do not tell of the faces: their
 * numbers, and their order in the lists of the chunks. All else follows. See archive.h. */
#include "d2/shape/archive.h"
#include "d2/shape/tiles_parts.h"

#include <string.h>

enum { ENTRY_BYTES = 6, CHUNK_CELLS = D2_TILE_CHUNK * D2_TILE_CHUNK };

/* --- Kinds and cells ------------------------------------------------------------------------------------------------------ */

static void outline_pass(struct archive *archive, struct d2_tile_outline *outline)
{
	struct d2_vec points[D2_TILE_POINTS];
	outline->count = pass_kind(archive, outline->count, D2_TILE_POINTS + 1);
	pass_bytes(archive, outline->points, outline->count * sizeof outline->points[0]);
	if (!archive->reading)
		return;
	for (uint32_t i = 0; i < outline->count; ++i) {
		const int16_t *p = outline->points[i];
		points[i] = (struct d2_vec){p[0], p[1]};
		archive_check(archive, p[0] >= 0 && p[0] <= D2_TILE_UNIT && p[1] >= 0 && p[1] <= D2_TILE_UNIT,
			"a point of a kind of tiles is out of its cell");
	}
	archive_check(archive, d2_hull_is(points, outline->count), "the points of a kind of tiles are not those of a hull");
}

static void kind_pass(struct archive *archive, struct d2_tile_kind *kind)
{
	outline_pass(archive, &kind->outlines[0]);
	material_pass(archive, &kind->common.material);
	pass_name(archive, &kind->common.name);
	kind->common.group = (uint8_t)pass_kind(archive, kind->common.group, CELL_GROUPS);
	if (archive->reading && archive_good(archive))
		d2_tile_kind_turn(kind);
}

static void input_pass(struct archive *archive, struct d2_tiles_input *input)
{
	pass_u32(archive, &input->columns);
	pass_u32(archive, &input->rows);
	pass_range_f32(archive, &input->cell_size, 1, (float)ARCHIVE_APART, ARCHIVE_REACH);
	pass_range_f32(archive, &input->corner.x, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
	pass_range_f32(archive, &input->corner.y, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
	input->group = (enum cell_group)pass_kind(archive, input->group, CELL_GROUPS);
	archive_check(archive,
		input->columns > 0 && input->rows > 0 && input->columns <= D2_TILE_SIDE && input->rows <= D2_TILE_SIDE &&
			(uint64_t)input->columns * input->rows <= D2_TILE_CELLS,
		"there are too few or too many tiles");
	if (archive->reading && archive_good(archive))
		archive_left(archive, (uint64_t)input->columns * input->rows, sizeof(uint16_t));
}

/* Passes all but the cells and faces. Reading: makes a shape with empty cells. */
static void grid_pass(struct archive *archive, struct d2_shape **shape)
{
	struct d2_tiles_input input = {0};
	ARRAY(struct d2_tile_kind) kinds = {NULL, 0, 0};
	if (!archive->reading) {
		const struct d2_tiles *tiles = (*shape)->tiles;
		input = (struct d2_tiles_input){.columns = tiles->columns,
			.rows = tiles->rows,
			.cell_size = tiles->cell_size,
			.corner = tiles->corner,
			.group = tiles->group};
		kinds.data = tiles->kinds;
		kinds.count = tiles->kind_count;
	}
	input_pass(archive, &input);
	pass_array(archive, &kinds, 1 + MATERIAL_BYTES + 3);
	archive_check(archive, kinds.count <= D2_TILE_KINDS, "there are too many kinds of tiles");
	for (uint32_t i = 0; i < kinds.count; ++i)
		kind_pass(archive, &kinds.data[i]);
	if (!archive->reading)
		return;
	input.kinds = kinds.data;
	input.kind_count = kinds.count;
	if (archive_good(archive)) {
		*shape = d2_tiles_create(archive->memory, &input);
		archive->no_memory |= *shape == NULL;
	}
	array_free(archive->memory, &kinds);
}

static void cells_pass(struct archive *archive, struct d2_tiles *tiles)
{
	size_t count = (size_t)tiles->columns * tiles->rows;
	pass_bytes(archive, tiles->cells, count * sizeof *tiles->cells);
	for (size_t i = 0; archive->reading && i < count; ++i) {
		uint32_t kind = d2_tile_kind(tiles->cells[i]);
		archive_check(archive, kind <= tiles->kind_count && (kind > 0 || tiles->cells[i] == 0), "a tile is of no kind");
	}
}

/* --- Faces ---------------------------------------------------------------------------------------------------------------- */

/* A chunk, and its faces seen so far: for each cell one bit for each face. */
struct chunk {
	uint32_t i, j; /* of its first cell */
	uint16_t seen[CHUNK_CELLS];
};

static bool cell_of(const struct d2_tiles *tiles, const struct chunk *chunk, uint32_t place, uint32_t *i, uint32_t *j)
{
	*i = chunk->i + place % D2_TILE_CHUNK;
	*j = chunk->j + place / D2_TILE_CHUNK;
	return *i < tiles->columns && *j < tiles->rows;
}

/* Where a face is: its cell within the chunk, and its number among the faces of the cell. */
static uint16_t place_of(const struct d2_tiles *tiles, const struct face *face)
{
	struct d2_tile_draft drafts[D2_TILE_FACES];
	uint32_t i = face->cell % tiles->columns, j = face->cell / tiles->columns;
	uint32_t count = d2_tiles_drafts(tiles, NULL, i, j, drafts);
	uint32_t cell = j % D2_TILE_CHUNK * D2_TILE_CHUNK + i % D2_TILE_CHUNK;
	return (uint16_t)(cell * D2_TILE_FACES + d2_tiles_draft_find(drafts, count, face));
}

static void face_read(
	struct archive *archive, const struct d2_tiles *tiles, struct chunk *chunk, uint32_t place, struct face *face)
{
	struct d2_tile_draft drafts[D2_TILE_FACES];
	uint32_t i = 0, j = 0, cell = place / D2_TILE_FACES, number = place % D2_TILE_FACES;
	if (!archive_check(archive, cell < CHUNK_CELLS && cell_of(tiles, chunk, cell, &i, &j), "a face of tiles is out of range"))
		return;
	uint32_t count = d2_tiles_drafts(tiles, NULL, i, j, drafts);
	if (!archive_check(archive, number < count, "a face of tiles is out of range") ||
		!archive_check(archive, !(chunk->seen[cell] >> number & 1) && face->cell == NONE, "a face of tiles is there twice"))
		return;
	chunk->seen[cell] |= (uint16_t)(1u << number);
	*face = (struct face){.cell = j * tiles->columns + i, .next = NONE, .before = NONE, .after = NONE};
	memcpy(face->ends, drafts[number].ends, sizeof face->ends);
}

/* Passes the list of a chunk's faces. Returns their number. */
static uint32_t chunk_pass(struct archive *archive, struct d2_tiles *tiles, uint32_t i0, uint32_t j0)
{
	struct chunk chunk = {i0, j0, {0}};
	struct d2_tile_draft drafts[D2_TILE_FACES];
	uint32_t *head = d2_tiles_head_of(tiles, i0, j0), *link = head, count = 0, expected = 0, i, j;
	for (uint32_t k = *head; !archive->reading && k != NONE; k = tiles->faces.data[k].next)
		++count;
	count = pass_count(archive, count, ENTRY_BYTES);
	for (uint32_t k = 0; k < count && archive_good(archive); ++k) {
		uint32_t id = *link;
		uint16_t place = archive->reading ? 0 : place_of(tiles, &tiles->faces.data[id]);
		pass_below(archive, &id, tiles->faces.count);
		pass_u16(archive, &place);
		if (!archive_good(archive))
			break;
		if (archive->reading)
			face_read(archive, tiles, &chunk, place, &tiles->faces.data[id]);
		*link = id;
		link = &tiles->faces.data[id].next;
	}
	for (uint32_t cell = 0; archive->reading && cell < CHUNK_CELLS; ++cell)
		if (cell_of(tiles, &chunk, cell, &i, &j))
			expected += d2_tiles_drafts(tiles, NULL, i, j, drafts);
	archive_check(archive, count == expected, "faces of tiles are missing");
	return count;
}

static void faces_pass(struct archive *archive, struct d2_shape *shape)
{
	struct d2_tiles *tiles = shape->tiles;
	uint32_t count = pass_count(archive, tiles->faces.count, ENTRY_BYTES), passed = 0;
	archive_check(archive, count < UINT32_MAX / 2 / shape->stride, "there are too many faces of tiles");
	if (archive->reading) {
		if (!archive_good(archive))
			return;
		if (!d2_tiles_reserve_faces(shape, count)) {
			archive->no_memory = true;
			return;
		}
		tiles->faces.count = count;
		for (uint32_t i = 0; i < count; ++i)
			tiles->faces.data[i] = (struct face){.cell = NONE, .next = NONE};
	}
	for (uint32_t j = 0; j < tiles->rows; j += D2_TILE_CHUNK)
		for (uint32_t i = 0; i < tiles->columns && archive_good(archive); i += D2_TILE_CHUNK)
			passed += chunk_pass(archive, tiles, i, j);
	archive_check(archive, passed == count, "faces of tiles are missing");
}

void d2_tiles_pass(struct archive *archive, struct d2_shape **shape)
{
	grid_pass(archive, shape);
	if (!archive_good(archive))
		return;
	cells_pass(archive, (*shape)->tiles);
	if (archive_good(archive))
		faces_pass(archive, *shape);
	if (!archive->reading)
		return;
	if (archive_good(archive)) {
		d2_tiles_finish_faces(*shape);
		return;
	}
	d2_shape_release(*shape);
	*shape = NULL;
}

/* --- Tiles that are edited together --------------------------------------------------------------------------------------- */

static bool alike(const struct d2_tiles *a, const struct d2_tiles *b)
{
	return a->columns == b->columns && a->rows == b->rows && a->kind_count == b->kind_count;
}

/* The place in the table of the shape that `shape` is edited with, or NONE. The others that it names may be freed. */
static uint32_t joined_find(const struct d2_shape *shape, int group, const void *const *shapes, uint32_t count)
{
	const struct d2_shape *other = shape->tiles->joined[group];
	for (uint32_t i = 0; other && i < count; ++i)
		if (shapes[i] == other)
			return d2_tiles_joined(shape, other) && other->tiles->group == (enum cell_group)group ? i : NONE;
	return NONE;
}

static void joined_pass(
	struct archive *archive, const struct d2_shape *shape, int group, const void *const *shapes, uint32_t count)
{
	uint32_t other = archive->reading ? NONE : joined_find(shape, group, shapes, count);
	pass_index(archive, &other, count);
	if (!archive->reading || !archive_good(archive) || other == NONE)
		return;
	const struct d2_shape *found = shapes[other];
	const struct d2_tiles *tiles = found->tiles;
	if (archive_check(archive, tiles && tiles->group == (enum cell_group)group && alike(tiles, shape->tiles),
			"tiles are edited together with others that differ"))
		shape->tiles->joined[group] = found;
}

void d2_shapes_join(struct archive *archive, const void *const *shapes, uint32_t count)
{
	for (uint32_t i = 0; i < count; ++i) {
		const struct d2_shape *shape = shapes[i];
		for (int group = 0; shape->tiles && group < CELL_GROUPS; ++group)
			joined_pass(archive, shape, group, shapes, count);
	}
}
