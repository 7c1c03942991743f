/* tiles.c - see tiles.h. */
#include "d2/shape/tiles_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum side { BOTTOM, RIGHT, TOP, LEFT };

/* --- Kinds ---------------------------------------------------------------------------------------------------------------- */

/* The side on which both points are, or -1. */
static int side_of(const int16_t a[2], const int16_t b[2])
{
	return a[1] == 0 && b[1] == 0                      ? BOTTOM
		: a[0] == D2_TILE_UNIT && b[0] == D2_TILE_UNIT ? RIGHT
		: a[1] == D2_TILE_UNIT && b[1] == D2_TILE_UNIT ? TOP
		: a[0] == 0 && b[0] == 0                       ? LEFT
													   : -1;
}

static int16_t lesser(int16_t a, int16_t b)
{
	return a < b ? a : b;
}

static int16_t greater(int16_t a, int16_t b)
{
	return a > b ? a : b;
}

static void outline_cover(struct d2_tile_outline *outline)
{
	memset(outline->cover, 0, sizeof outline->cover);
	for (uint32_t i = 0; i < outline->count; ++i) {
		const int16_t *a = outline->points[i], *b = outline->points[(i + 1) % outline->count];
		int side = side_of(a, b), axis = side == LEFT || side == RIGHT;
		if (side < 0)
			continue;
		outline->cover[side][0] = lesser(a[axis], b[axis]);
		outline->cover[side][1] = greater(a[axis], b[axis]);
	}
}

/* The outline mirrored, if `orientation` is 4 or more, and then turned by orientation % 4 quarter turns. */
static struct d2_tile_outline outline_turned(const struct d2_tile_outline *from, uint32_t orientation)
{
	struct d2_tile_outline to = {.count = from->count};
	bool mirrored = orientation >= 4;
	for (uint32_t i = 0; i < from->count; ++i) {
		const int16_t *p = from->points[mirrored ? from->count - 1 - i : i];
		int16_t x = mirrored ? (int16_t)(D2_TILE_UNIT - p[0]) : p[0], y = p[1];
		for (uint32_t turn = orientation % 4; turn > 0; --turn) {
			int16_t old = x;
			x = (int16_t)(D2_TILE_UNIT - y);
			y = old;
		}
		to.points[i][0] = x;
		to.points[i][1] = y;
	}
	outline_cover(&to);
	return to;
}

void d2_tile_kind_turn(struct d2_tile_kind *kind)
{
	for (uint32_t i = 8; i-- > 0;)
		kind->outlines[i] = outline_turned(&kind->outlines[0], i);
}

enum d2_hull_result d2_tile_kind_set(struct d2_tile_kind *kind, const struct d2_vec *points, uint32_t count)
{
	static const struct d2_vec square[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
	struct d2_vec rounded[D2_HULL_MAX], hull[D2_HULL_MAX];
	struct d2_tile_outline outline = {0};
	points = count == 0 ? square : points;
	count = count == 0 ? 4 : count;
	for (uint32_t i = 0; i < count; ++i)
		rounded[i] = (struct d2_vec){floorf(points[i].x * D2_TILE_UNIT + 0.5f), floorf(points[i].y * D2_TILE_UNIT + 0.5f)};
	enum d2_hull_result result = d2_hull_compute(rounded, count, hull, &outline.count);
	if (result != D2_HULL_OK || outline.count > D2_TILE_POINTS)
		return result != D2_HULL_OK ? result : D2_HULL_TOO_FEW;
	for (uint32_t i = 0; i < outline.count; ++i) {
		outline.points[i][0] = (int16_t)hull[i].x;
		outline.points[i][1] = (int16_t)hull[i].y;
	}
	kind->outlines[0] = outline;
	d2_tile_kind_turn(kind);
	return D2_HULL_OK;
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

static uint32_t chunk_count(const struct d2_tiles *tiles)
{
	return tiles->chunk_columns * tiles->chunk_rows;
}

static size_t cell_count(const struct d2_tiles *tiles)
{
	return (size_t)tiles->columns * tiles->rows;
}

/* Number of normals of a face. */
static uint32_t sides(const struct d2_shape *shape)
{
	return shape->tiles->areas ? shape->stride : 1;
}

/* After the number of faces has changed. The chain's arrays are those of the tiles, which may have moved. */
static void shape_refresh(struct d2_shape *shape)
{
	struct d2_tiles *tiles = shape->tiles;
	tiles->points.count = tiles->faces.count * shape->stride;
	tiles->normals.count = tiles->faces.count * sides(shape);
	tiles->edges.count = tiles->areas ? tiles->points.count : 0;
	shape->points = tiles->points.data;
	shape->normals = tiles->normals.data;
	shape->count = tiles->faces.count;
}

static void set_size(struct d2_shape *shape)
{
	const struct d2_tiles *tiles = shape->tiles;
	double width = (double)tiles->columns * tiles->cell_size, height = (double)tiles->rows * tiles->cell_size;
	double x = (double)tiles->corner.x + 0.5 * width, y = (double)tiles->corner.y + 0.5 * height;
	shape->centroid = (struct d2_vec){(float)x, (float)y};
	shape->outer = round_up_f(0.5 * sqrt(width * width + height * height) * (1 + 1e-6));
	shape->reach = fabs(x) + fabs(y) + (double)shape->outer;
}

struct d2_shape *d2_tiles_create(struct memory *memory, const struct d2_tiles_input *input)
{
	struct d2_shape *shape = memory_zeroed(memory, sizeof *shape);
	struct d2_tiles *tiles = shape ? memory_zeroed(memory, sizeof *tiles) : NULL;
	if (tiles == NULL) {
		memory_free(memory, shape, sizeof *shape);
		return NULL;
	}
	*tiles = (struct d2_tiles){.columns = input->columns,
		.rows = input->rows,
		.chunk_columns = (input->columns + D2_TILE_CHUNK - 1) / D2_TILE_CHUNK,
		.chunk_rows = (input->rows + D2_TILE_CHUNK - 1) / D2_TILE_CHUNK,
		.cell_size = input->cell_size,
		.corner = input->corner,
		.group = input->group,
		.areas = input->group == CELLS_SENSORS,
		.kind_count = input->kind_count};
	*shape = (struct d2_shape){
		.memory = memory, .references = 1, .type = D2_CHAIN, .one_sided = input->group != CELLS_SENSORS, .tiles = tiles};
	shape->stride = tiles->areas ? D2_TILE_POINTS + 1 : 2;
	tiles->kinds = memory_resize(memory, NULL, 0, (input->kind_count + (size_t)1) * sizeof *tiles->kinds);
	tiles->cells = memory_zeroed(memory, cell_count(tiles) * sizeof *tiles->cells);
	tiles->heads = memory_resize(memory, NULL, 0, chunk_count(tiles) * sizeof *tiles->heads);
	if (tiles->kinds == NULL || tiles->cells == NULL || tiles->heads == NULL) {
		d2_shape_release(shape);
		return NULL;
	}
	for (uint32_t i = 0; i < input->kind_count; ++i)
		tiles->kinds[i] = input->kinds[i];
	for (uint32_t i = 0; i < chunk_count(tiles); ++i)
		tiles->heads[i] = NONE;
	set_size(shape);
	return shape;
}

void d2_tiles_join(struct d2_shape *const shapes[CELL_GROUPS])
{
	for (int i = 0; i < CELL_GROUPS; ++i)
		for (int k = 0; k < CELL_GROUPS; ++k)
			if (shapes[i])
				shapes[i]->tiles->joined[k] = shapes[k];
}

bool d2_tiles_joined(const struct d2_shape *a, const struct d2_shape *b)
{
	const struct d2_tiles *one = a->tiles, *two = b->tiles;
	return one && two && one->joined[one->group] == a && one->joined[two->group] == b && two->joined[one->group] == a &&
		two->joined[two->group] == b;
}

size_t d2_tiles_bytes(const struct d2_shape *shape)
{
	const struct d2_tiles *tiles = shape->tiles;
	return sizeof *tiles + (tiles->kind_count + (size_t)1) * sizeof *tiles->kinds + cell_count(tiles) * sizeof *tiles->cells +
		chunk_count(tiles) * sizeof *tiles->heads + tiles->faces.capacity * sizeof *tiles->faces.data +
		((size_t)tiles->points.capacity + tiles->normals.capacity) * sizeof(struct d2_vec) +
		tiles->edges.capacity * sizeof *tiles->edges.data;
}

void d2_tiles_free(struct d2_shape *shape)
{
	struct d2_tiles *tiles = shape->tiles;
	struct memory *memory = shape->memory;
	array_free(memory, &tiles->faces);
	array_free(memory, &tiles->points);
	array_free(memory, &tiles->normals);
	array_free(memory, &tiles->edges);
	memory_free(memory, tiles->kinds, (tiles->kind_count + (size_t)1) * sizeof *tiles->kinds);
	memory_free(memory, tiles->cells, cell_count(tiles) * sizeof *tiles->cells);
	memory_free(memory, tiles->heads, chunk_count(tiles) * sizeof *tiles->heads);
	memory_free(memory, tiles, sizeof *tiles);
}

/* --- Faces that follow from the cells ------------------------------------------------------------------------------------- */

/* The value of a cell after the edit (NULL: as it is); 0 outside the grid. */
static uint16_t value_after(const struct d2_tiles *tiles, const struct d2_tiles_edit *edit, int64_t i, int64_t j)
{
	if (i < 0 || j < 0 || i >= tiles->columns || j >= tiles->rows)
		return 0;
	if (edit != NULL && i >= edit->cells.i1 && i <= edit->cells.i2 && j >= edit->cells.j1 && j <= edit->cells.j2) {
		size_t width = (size_t)(edit->cells.i2 - edit->cells.i1) + 1;
		return edit->values == NULL ? edit->value
									: edit->values[(size_t)(j - edit->cells.j1) * width + (size_t)(i - edit->cells.i1)];
	}
	return tiles->cells[(size_t)j * tiles->columns + (size_t)i];
}

/* The outline that a value has in this shape, which has the kinds of one group; NULL: none. */
static const struct d2_tile_outline *outline_of(const struct d2_tiles *tiles, uint16_t value)
{
	uint32_t kind = d2_tile_kind(value);
	if (kind == 0 || tiles->kinds[kind - 1].common.group != tiles->group)
		return NULL;
	return &tiles->kinds[kind - 1].outlines[value >> D2_TILE_TURN_SHIFT];
}

static uint32_t draft_add(struct d2_tile_draft *out, uint32_t count, const int16_t a[2], const int16_t b[2])
{
	out[count] = (struct d2_tile_draft){{{a[0], a[1]}, {b[0], b[1]}}};
	return count + 1;
}

/* Adds the parts of the side from a to b that the neighbour leaves free. */
static uint32_t side_drafts(const int16_t a[2], const int16_t b[2], enum side side, const struct d2_tile_outline *next,
	struct d2_tile_draft *out, uint32_t count)
{
	int axis = side == LEFT || side == RIGHT;
	bool forward = b[axis] > a[axis];
	int16_t low = lesser(a[axis], b[axis]), high = greater(a[axis], b[axis]);
	const int16_t *cover = next->cover[(side + 2) % 4];
	int16_t parts[2][2] = {{low, lesser(cover[0], high)}, {greater(cover[1], low), high}};
	if (cover[0] >= cover[1] || cover[1] <= low || cover[0] >= high)
		return draft_add(out, count, a, b);
	for (int i = 0; i < 2; ++i) {
		int16_t p[2] = {a[0], a[1]}, q[2] = {a[0], a[1]};
		p[axis] = parts[i][!forward];
		q[axis] = parts[i][forward];
		if (parts[i][0] < parts[i][1])
			count = draft_add(out, count, p, q);
	}
	return count;
}

uint32_t d2_tiles_drafts(const struct d2_tiles *tiles, const struct d2_tiles_edit *edit, int64_t i, int64_t j,
	struct d2_tile_draft out[D2_TILE_FACES])
{
	static const int steps[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
	uint16_t value = value_after(tiles, edit, i, j);
	const struct d2_tile_outline *own = outline_of(tiles, value);
	uint32_t count = 0;
	if (own == NULL)
		return 0;
	if (tiles->areas) {
		out[0] = (struct d2_tile_draft){{{(int16_t)d2_tile_kind(value), (int16_t)(value >> D2_TILE_TURN_SHIFT)}, {0, 0}}};
		return 1;
	}
	for (uint32_t k = 0; k < own->count; ++k) {
		const int16_t *a = own->points[k], *b = own->points[k + 1 < own->count ? k + 1 : 0];
		int side = side_of(a, b);
		const struct d2_tile_outline *next =
			side < 0 ? NULL : outline_of(tiles, value_after(tiles, edit, i + steps[side][0], j + steps[side][1]));
		count = next == NULL ? draft_add(out, count, a, b) : side_drafts(a, b, (enum side)side, next, out, count);
	}
	return count;
}

/* --- The faces that there are --------------------------------------------------------------------------------------------- */

static uint32_t *head_of_cell(const struct d2_tiles *tiles, uint32_t cell)
{
	return d2_tiles_head_of(tiles, cell % tiles->columns, cell / tiles->columns);
}

static const struct d2_tile_outline *area_outline(const struct d2_tiles *tiles, uint32_t id)
{
	const struct face *face = &tiles->faces.data[id];
	return &tiles->kinds[face->ends[0][0] - 1].outlines[face->ends[0][1]];
}

static void area_set_points(struct d2_shape *shape, uint32_t id)
{
	struct d2_tiles *tiles = shape->tiles;
	size_t first = (size_t)shape->stride * id;
	const struct d2_tile_outline *outline = area_outline(tiles, id);
	struct d2_vec *points = tiles->points.data + first;
	for (uint32_t i = 0; i < shape->stride; ++i)
		points[i] = d2_tiles_point_at(tiles, tiles->faces.data[id].cell, outline->points[i < outline->count ? i : 0]);
	for (uint32_t i = 0; i < outline->count; ++i) {
		struct d2_vec_d delta = d2_sub_d(d2_widen(points[i + 1]), d2_widen(points[i]));
		double length = d2_length_d(delta);
		tiles->edges.data[first + i] = (struct d2_edge){{delta.y / length, -delta.x / length}, length};
		tiles->normals.data[first + i] = d2_narrow(tiles->edges.data[first + i].normal);
	}
}

void d2_tiles_area(const struct d2_shape *shape, uint32_t child, struct d2_shape *out)
{
	const struct d2_tiles *tiles = shape->tiles;
	size_t first = (size_t)shape->stride * child;
	*out = (struct d2_shape){.type = D2_POLYGON, .count = area_outline(tiles, child)->count};
	out->points = shape->points + first;
	out->normals = shape->normals + first;
	out->edges = tiles->edges.data + first;
}

static void face_set_points(struct d2_shape *shape, uint32_t id)
{
	struct d2_tiles *tiles = shape->tiles;
	const struct face *face = &tiles->faces.data[id];
	struct d2_vec *points = tiles->points.data + (size_t)shape->stride * id;
	if (tiles->areas) {
		area_set_points(shape, id);
		return;
	}
	double dx = face->ends[1][0] - face->ends[0][0], dy = face->ends[1][1] - face->ends[0][1];
	double length = sqrt(dx * dx + dy * dy);
	points[0] = d2_tiles_point_at(tiles, face->cell, face->ends[0]);
	points[1] = d2_tiles_point_at(tiles, face->cell, face->ends[1]);
	tiles->normals.data[id] = (struct d2_vec){(float)(dy / length), (float)(-dx / length)};
}

static uint32_t face_add(struct d2_shape *shape, uint32_t cell, const struct d2_tile_draft *draft)
{
	struct d2_tiles *tiles = shape->tiles;
	uint32_t id = tiles->faces.count, *head = head_of_cell(tiles, cell);
	struct face face = {.cell = cell, .next = *head, .before = NONE, .after = NONE};
	memcpy(face.ends, draft->ends, sizeof face.ends);
	array_push(&tiles->faces, face);
	*head = id;
	face_set_points(shape, id);
	shape_refresh(shape);
	return id;
}

/* The link to the face in the list of its chunk. */
static uint32_t *link_to(struct d2_tiles *tiles, uint32_t id)
{
	uint32_t *link = head_of_cell(tiles, tiles->faces.data[id].cell);
	while (*link != id)
		link = &tiles->faces.data[*link].next;
	return link;
}

/* Lets the neighbours of face `id` name `now` instead. */
static void neighbours_rename(struct d2_tiles *tiles, uint32_t id, uint32_t now)
{
	const struct face *face = &tiles->faces.data[id];
	if (face->before != NONE && tiles->faces.data[face->before].after == id)
		tiles->faces.data[face->before].after = now;
	if (face->after != NONE && tiles->faces.data[face->after].before == id)
		tiles->faces.data[face->after].before = now;
}

static void face_remove(struct d2_shape *shape, uint32_t id, const struct d2_tiles_watch *watch)
{
	struct d2_tiles *tiles = shape->tiles;
	uint32_t last = tiles->faces.count - 1;
	if (watch)
		watch->removing(watch->context, id);
	*link_to(tiles, id) = tiles->faces.data[id].next;
	neighbours_rename(tiles, id, NONE);
	if (id != last) {
		if (watch)
			watch->moving(watch->context, last, id);
		*link_to(tiles, last) = id;
		neighbours_rename(tiles, last, id);
		tiles->faces.data[id] = tiles->faces.data[last];
		face_set_points(shape, id);
	}
	--tiles->faces.count;
	shape_refresh(shape);
}

/* --- Neighbours ----------------------------------------------------------------------------------------------------------- */

/* A vertex of the outline in units of D2_TILE_UNIT to a cell, from the grid's corner. */
struct vertex {
	int64_t x, y;
};

static struct vertex vertex_of(const struct d2_tiles *tiles, const struct face *face, int end)
{
	return (struct vertex){(int64_t)(face->cell % tiles->columns) * D2_TILE_UNIT + face->ends[end][0],
		(int64_t)(face->cell / tiles->columns) * D2_TILE_UNIT + face->ends[end][1]};
}

/* The angle by which the outline turns to the left from face a to face b, in (-pi, pi]. */
static double turn_to(const struct face *a, const struct face *b)
{
	double ax = a->ends[1][0] - a->ends[0][0], ay = a->ends[1][1] - a->ends[0][1];
	double bx = b->ends[1][0] - b->ends[0][0], by = b->ends[1][1] - b->ends[0][1];
	return scalar_atan2_d(ax * by - ay * bx, ax * bx + ay * by);
}

/* The face that begins where this one ends and bounds the same free space: where solids meet in a point there are two, and it
 * is the one that turns most to the right. */
static uint32_t face_find_after(const struct d2_tiles *tiles, uint32_t id)
{
	const struct face *face = &tiles->faces.data[id];
	struct vertex v = vertex_of(tiles, face, 1);
	uint32_t best = NONE;
	double least = INFINITY;
	int64_t i2 = v.x / D2_TILE_UNIT, j2 = v.y / D2_TILE_UNIT;
	for (int64_t j = v.y % D2_TILE_UNIT == 0 ? j2 - 1 : j2; j <= j2; ++j)
		for (int64_t i = v.x % D2_TILE_UNIT == 0 ? i2 - 1 : i2; i <= i2; ++i) {
			if (i < 0 || j < 0 || i >= tiles->columns || j >= tiles->rows)
				continue;
			uint32_t cell = (uint32_t)j * tiles->columns + (uint32_t)i;
			for (uint32_t k = d2_tiles_face_in_cell(tiles, *head_of_cell(tiles, cell), cell); k != NONE;
				 k = d2_tiles_face_in_cell(tiles, tiles->faces.data[k].next, cell)) {
				struct vertex start = vertex_of(tiles, &tiles->faces.data[k], 0);
				double turn = start.x == v.x && start.y == v.y ? turn_to(face, &tiles->faces.data[k]) : INFINITY;
				if (turn < least) {
					least = turn;
					best = k;
				}
			}
		}
	assert(best != NONE); /* outlines are closed */
	return best;
}

static void face_relink(struct d2_tiles *tiles, uint32_t id, const struct d2_tiles_watch *watch)
{
	struct face *faces = tiles->faces.data;
	uint32_t after = face_find_after(tiles, id), before = faces[id].after;
	if (before == after && faces[after].before == id)
		return;
	faces[id].after = after;
	faces[after].before = id;
	if (watch) {
		watch->changed(watch->context, id);
		watch->changed(watch->context, after);
	}
}

/* --- Edits ---------------------------------------------------------------------------------------------------------------- */

/* The rectangle, widened by some cells. */
static struct d2_cells cells_around(const struct d2_tiles *tiles, const struct d2_cells *cells, uint32_t by)
{
	return (struct d2_cells){cells->i1 > by ? cells->i1 - by : 0, cells->j1 > by ? cells->j1 - by : 0,
		cells->i2 + by < tiles->columns ? cells->i2 + by : tiles->columns - 1,
		cells->j2 + by < tiles->rows ? cells->j2 + by : tiles->rows - 1};
}

#define EACH_CELL(cells, i, j)                          \
	for (uint32_t j = (cells).j1; j <= (cells).j2; ++j) \
		for (uint32_t i = (cells).i1; i <= (cells).i2; ++i)

bool d2_tiles_reserve_faces(struct d2_shape *shape, uint64_t count)
{
	struct d2_tiles *tiles = shape->tiles;
	bool done = count * shape->stride < UINT32_MAX / 2 && array_reserve(shape->memory, &tiles->faces, (uint32_t)count) &&
		array_reserve(shape->memory, &tiles->normals, (uint32_t)count * sides(shape)) &&
		array_reserve(shape->memory, &tiles->edges, tiles->areas ? (uint32_t)count * shape->stride : 0) &&
		array_reserve(shape->memory, &tiles->points, (uint32_t)count * shape->stride);
	shape_refresh(shape); /* the arrays may have moved */
	return done;
}

bool d2_tiles_reserve(struct d2_shape *shape, const struct d2_tiles_edit *edit, uint32_t *touched)
{
	struct d2_tiles *tiles = shape->tiles;
	const struct d2_cells around = cells_around(tiles, &edit->cells, 1), far = cells_around(tiles, &edit->cells, 2);
	struct d2_tile_draft drafts[D2_TILE_FACES];
	uint64_t added = 0, there = 0;
	EACH_CELL(around, i, j) added += d2_tiles_drafts(tiles, edit, i, j, drafts);
	EACH_CELL(far, i, j)
	{
		uint32_t cell = j * tiles->columns + i;
		for (uint32_t k = d2_tiles_face_in_cell(tiles, *d2_tiles_head_of(tiles, i, j), cell); k != NONE;
			 k = d2_tiles_face_in_cell(tiles, tiles->faces.data[k].next, cell))
			++there;
	}
	uint64_t total = tiles->faces.count + added;
	*touched = (uint32_t)(added + 3 * there);
	return d2_tiles_reserve_faces(shape, total);
}

uint32_t d2_tiles_draft_find(const struct d2_tile_draft *drafts, uint32_t count, const struct face *face)
{
	uint32_t i = 0;
	while (i < count && memcmp(drafts[i].ends, face->ends, sizeof face->ends) != 0)
		++i;
	return i;
}

static void cell_remove_faces(struct d2_shape *shape, uint32_t i, uint32_t j, const struct d2_tiles_watch *watch)
{
	struct d2_tiles *tiles = shape->tiles;
	struct d2_tile_draft drafts[D2_TILE_FACES];
	uint32_t cell = j * tiles->columns + i, count = d2_tiles_drafts(tiles, NULL, i, j, drafts),
			 *head = d2_tiles_head_of(tiles, i, j);
	for (uint32_t k = d2_tiles_face_in_cell(tiles, *head, cell); k != NONE;) {
		if (d2_tiles_draft_find(drafts, count, &tiles->faces.data[k]) < count) {
			k = d2_tiles_face_in_cell(tiles, tiles->faces.data[k].next, cell);
			continue;
		}
		face_remove(shape, k, watch);
		k = d2_tiles_face_in_cell(tiles, *head, cell); /* the faces have other numbers now */
	}
}

/* Removes all faces of a cell: one of another kind may have the same, but another material. */
static void cell_clear(struct d2_shape *shape, uint32_t i, uint32_t j, const struct d2_tiles_watch *watch)
{
	const struct d2_tiles *tiles = shape->tiles;
	uint32_t cell = j * tiles->columns + i;
	for (uint32_t k; (k = d2_tiles_face_in_cell(tiles, *d2_tiles_head_of(tiles, i, j), cell)) != NONE;)
		face_remove(shape, k, watch);
}

static void cell_add_faces(struct d2_shape *shape, uint32_t i, uint32_t j)
{
	struct d2_tiles *tiles = shape->tiles;
	struct d2_tile_draft drafts[D2_TILE_FACES];
	uint32_t cell = j * tiles->columns + i, count = d2_tiles_drafts(tiles, NULL, i, j, drafts),
			 head = *d2_tiles_head_of(tiles, i, j);
	for (uint32_t d = 0; d < count; ++d) {
		bool there = false;
		for (uint32_t k = d2_tiles_face_in_cell(tiles, head, cell); k != NONE && !there;
			 k = d2_tiles_face_in_cell(tiles, tiles->faces.data[k].next, cell))
			there = memcmp(drafts[d].ends, tiles->faces.data[k].ends, sizeof drafts[d].ends) == 0;
		if (!there)
			face_add(shape, cell, &drafts[d]);
	}
}

void d2_tiles_apply(struct d2_shape *shape, const struct d2_tiles_edit *edit, const struct d2_tiles_watch *watch)
{
	struct d2_tiles *tiles = shape->tiles;
	const struct d2_cells around = cells_around(tiles, &edit->cells, 1), far = cells_around(tiles, &edit->cells, 2);
	EACH_CELL(edit->cells, i, j)
	{
		uint16_t *value = &tiles->cells[(size_t)j * tiles->columns + i], now = value_after(tiles, edit, i, j);
		if (*value != now)
			cell_clear(shape, i, j, watch);
		*value = now;
	}
	EACH_CELL(around, i, j) cell_remove_faces(shape, i, j, watch);
	uint32_t first = tiles->faces.count;
	EACH_CELL(around, i, j) cell_add_faces(shape, i, j);
	EACH_CELL(far, i, j)
	{
		uint32_t cell = j * tiles->columns + i;
		for (uint32_t k = tiles->areas ? NONE : d2_tiles_face_in_cell(tiles, *d2_tiles_head_of(tiles, i, j), cell); k != NONE;
			 k = d2_tiles_face_in_cell(tiles, tiles->faces.data[k].next, cell))
			face_relink(tiles, k, watch);
	}
	for (uint32_t k = first; watch && k < tiles->faces.count; ++k)
		watch->added(watch->context, k);
}

void d2_tiles_finish_faces(struct d2_shape *shape)
{
	struct d2_tiles *tiles = shape->tiles;
	shape_refresh(shape);
	for (uint32_t k = 0; k < tiles->faces.count; ++k)
		face_set_points(shape, k);
	for (uint32_t k = 0; k < tiles->faces.count && !tiles->areas; ++k)
		face_relink(tiles, k, NULL);
}
