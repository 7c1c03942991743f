/* voxels_archive.c - voxels in archives. Saved are the kinds, the cells, and what the cells do not tell of the triangles: their
 * numbers, and the free ones. All else follows. See archive.h. */
#include "d3/shape/archive_parts.h"
#include "d3/shape/voxels_parts.h"

enum {
	PLACES = 2 * D3_VOXEL_MOST,
	CUBE_BYTES = 3 * 4 + 2 + 1 + 4,
	LEVEL_MOST = 16,
	TRIANGLES_A_BYTE = 8 /* of the archive, at most: so that memory is proportional to it */
};

/* --- Kinds ---------------------------------------------------------------------------------------------------------------- */

static void solid_pass(struct archive *archive, struct d3_voxel_solid *solid)
{
	pass_bool(archive, &solid->full);
	solid->point_count = (uint8_t)pass_kind(archive, solid->point_count, D3_VOXEL_POINTS + 1);
	solid->face_count = (uint8_t)pass_kind(archive, solid->face_count, D3_VOXEL_FACES + 1);
	for (uint32_t i = 0; i < solid->point_count; ++i)
		for (int k = 0; k < 3; ++k) {
			uint32_t at = (uint32_t)solid->points[i][k];
			pass_below(archive, &at, D3_VOXEL_UNIT + 1);
			solid->points[i][k] = (int16_t)at;
		}
	for (uint32_t f = 0; f < solid->face_count; ++f) {
		solid->face_counts[f] = (uint8_t)pass_kind(archive, solid->face_counts[f], D3_VOXEL_POINTS + 1);
		archive_check(archive, solid->face_counts[f] >= 3, "a face of a kind of voxels has too few corners");
		for (uint32_t i = 0; i < solid->face_counts[f]; ++i)
			solid->faces[f][i] = (uint8_t)pass_kind(archive, solid->faces[f][i], solid->point_count);
	}
}

static void kind_pass(struct archive *archive, struct d3_voxel_kind *kind)
{
	solid_pass(archive, &kind->solids[0]);
	material_pass(archive, &kind->common.material);
	pass_name(archive, &kind->common.name);
	kind->common.group = (uint8_t)pass_kind(archive, kind->common.group, CELL_GROUPS);
	if (archive->reading && archive_good(archive))
		archive_check(archive, d3_voxel_kind_turn(kind), "the faces of a kind of voxels are not closed");
}

/* Passes all but the cells and triangles. Reading: makes a shape with empty cells. */
static void kinds_pass(struct archive *archive, struct d3_shape **shape)
{
	struct d3_voxels_input input = {0};
	ARRAY(struct d3_voxel_kind) kinds = {NULL, 0, 0};
	if (!archive->reading) {
		const struct d3_voxels *voxels = (*shape)->voxels;
		input.cell_size = voxels->cell_size;
		input.group = voxels->group;
		kinds.data = voxels->kinds;
		kinds.count = voxels->kind_count;
	}
	pass_range_f32(archive, &input.cell_size, 1, (float)ARCHIVE_APART, ARCHIVE_REACH / (float)D3_VOXEL_MOST);
	input.group = (enum cell_group)pass_kind(archive, input.group, CELL_GROUPS);
	pass_array(archive, &kinds, 1 + MATERIAL_BYTES + 3);
	archive_check(archive, kinds.count <= D3_VOXEL_KINDS, "there are too many kinds of voxels");
	for (uint32_t i = 0; i < kinds.count; ++i)
		kind_pass(archive, &kinds.data[i]);
	if (!archive->reading)
		return;
	input.kinds = kinds.data;
	input.kind_count = kinds.count;
	if (archive_good(archive)) {
		*shape = d3_voxels_create(archive->memory, &input);
		archive->no_memory |= *shape == NULL;
	}
	array_free(archive->memory, &kinds);
}

/* --- Cells ---------------------------------------------------------------------------------------------------------------- */

/* A cube of cells of one value; or a cell with triangles from `first` on. */
struct cube {
	uint32_t at[3], level, first;
	uint16_t value;
};

static void cube_pass(struct archive *archive, struct cube *cube)
{
	for (int a = 0; a < 3; ++a)
		pass_below(archive, &cube->at[a], PLACES);
	cube->level = pass_kind(archive, cube->level, LEVEL_MOST + 1);
	pass_u16(archive, &cube->value);
	pass_index(archive, &cube->first, NONE - 1);
}

typedef void cube_visit(void *context, const struct cube *cube);

/* Visits all that is in the link, in a fixed order. */
static void link_walk(
	const struct d3_voxels *voxels, voxel_link link, const uint32_t at[3], uint32_t level, cube_visit *visit, void *context)
{
	uint32_t tag = link & VOXEL_TAG, index = link & VOXEL_INDEX;
	struct cube cube = {{at[0], at[1], at[2]}, level, NONE, 0};
	if (tag == VOXEL_BLOCK) {
		const struct voxel_block *block = &voxels->blocks.data[index];
		uint32_t half = block->level - 1;
		for (uint32_t i = 0; i < 8; ++i) {
			const uint32_t corner[3] = {
				block->at[0] + ((i & 1) << half), block->at[1] + ((i >> 1 & 1) << half), block->at[2] + ((i >> 2 & 1) << half)};
			link_walk(voxels, block->links[i], corner, half, visit, context);
		}
	} else if (tag == VOXEL_CELL) {
		cube.first = voxels->cells.data[index].first;
		cube.value = voxels->cells.data[index].value;
		visit(context, &cube);
	} else if (tag == VOXEL_VALUE) {
		cube.value = (uint16_t)index;
		visit(context, &cube);
	}
}

static void cube_count(void *context, const struct cube *cube)
{
	(void)cube;
	++*(uint32_t *)context;
}

static void cube_write(void *context, const struct cube *cube)
{
	struct cube copy = *cube;
	cube_pass(context, &copy);
}

static void cells_write(struct archive *archive, const struct d3_voxels *voxels)
{
	static const uint32_t origin[3] = {0, 0, 0};
	uint32_t count = 0;
	link_walk(voxels, voxels->root, origin, LEVEL_MOST + 1, cube_count, &count);
	pass_count(archive, count, CUBE_BYTES);
	link_walk(voxels, voxels->root, origin, LEVEL_MOST + 1, cube_write, archive);
}

static void cube_check(struct archive *archive, const struct d3_voxels *voxels, const struct cube *cube)
{
	bool aligned = true;
	for (int a = 0; a < 3; ++a)
		aligned &= cube->at[a] == cube->at[a] >> cube->level << cube->level;
	uint32_t kind = d3_voxel_kind(cube->value);
	archive_check(archive, aligned && (cube->first == NONE || cube->level == 0), "a cube of voxels is out of place");
	archive_check(archive, kind > 0 && kind <= voxels->kind_count && cube->value >> D3_VOXEL_TURN_SHIFT < D3_VOXEL_TURNS,
		"a voxel is of no kind");
}

/* Sets all cells, then makes the faces of those that have some. */
static void cells_read(struct archive *archive, struct d3_shape *shape)
{
	ARRAY(struct cube) cubes = {NULL, 0, 0};
	pass_array(archive, &cubes, CUBE_BYTES);
	for (uint32_t i = 0; i < cubes.count && archive_good(archive); ++i) {
		cube_pass(archive, &cubes.data[i]);
		cube_check(archive, shape->voxels, &cubes.data[i]);
		if (archive_good(archive))
			archive->no_memory |= !d3_voxels_place(shape, cubes.data[i].at, cubes.data[i].level, cubes.data[i].value);
	}
	for (uint32_t i = 0; i < cubes.count && archive_good(archive); ++i) {
		bool fits = true;
		if (cubes.data[i].first == NONE)
			continue;
		archive->no_memory |= !d3_voxels_face(shape, cubes.data[i].at, cubes.data[i].first, &fits);
		archive_check(archive, fits, "the faces of a voxel are out of range");
	}
	array_free(archive->memory, &cubes);
}

/* --- Free triangles ------------------------------------------------------------------------------------------------------- */

static void triangles_read(struct archive *archive, struct d3_voxels *voxels, uint32_t count)
{
	if (!archive_check(archive, count <= archive->size * (size_t)TRIANGLES_A_BYTE && count < VOXEL_INDEX,
			"there are too many faces of voxels"))
		return;
	if (!array_reserve(archive->memory, &voxels->triangles, count)) {
		archive->no_memory = true;
		return;
	}
	voxels->triangles.count = count;
	for (uint32_t i = 0; i < count; ++i)
		voxels->triangles.data[i] = (struct voxel_triangle){.cell = NONE};
}

/* Passes the list of free runs of a size. */
static void runs_pass(struct archive *archive, struct d3_voxels *voxels, uint32_t class)
{
	uint32_t *link = &voxels->free_runs[class], count = 0, size = d3_voxel_run_size(class);
	for (uint32_t k = *link; !archive->reading && k != NONE; k = voxels->triangles.data[k].neighbors[0])
		++count;
	count = pass_count(archive, count, 4);
	for (uint32_t n = 0; n < count && archive_good(archive); ++n) {
		uint32_t first = *link;
		pass_below(archive, &first, voxels->triangles.count);
		bool fits = archive_good(archive) && first + (uint64_t)size <= voxels->triangles.count;
		for (uint32_t i = 0; archive->reading && fits && i < size; ++i) {
			fits &= voxels->triangles.data[first + i].edges == 0;
			voxels->triangles.data[first + i].edges = 1; /* marks used ones: see d3_voxels_face */
		}
		if (!archive_check(archive, fits, "free faces of voxels are out of range"))
			return;
		*link = first;
		link = &voxels->triangles.data[first].neighbors[0];
	}
	if (archive->reading && archive_good(archive))
		*link = NONE;
}

static void shape_read(struct archive *archive, struct d3_shape *shape, uint32_t triangles)
{
	struct d3_voxels *voxels = shape->voxels;
	triangles_read(archive, voxels, triangles);
	if (!archive_good(archive))
		return;
	cells_read(archive, shape);
	for (uint32_t class = 0; class < VOXEL_RUNS && archive_good(archive); ++class)
		runs_pass(archive, voxels, class);
	for (uint32_t i = 0; archive_good(archive) && i < triangles; ++i)
		archive_check(archive, voxels->triangles.data[i].edges == 1, "faces of voxels are missing");
	if (archive_good(archive)) {
		d3_voxels_finish(shape);
		archive_check(archive, d3_voxels_valid(shape), "the faces of voxels do not fit together");
	}
}

void d3_voxels_pass(struct archive *archive, struct d3_shape **shape)
{
	kinds_pass(archive, shape);
	if (!archive_good(archive))
		return;
	uint32_t triangles = archive->reading ? 0 : (*shape)->voxels->triangles.count;
	pass_u32(archive, &triangles);
	if (!archive->reading) {
		cells_write(archive, (*shape)->voxels);
		for (uint32_t class = 0; class < VOXEL_RUNS; ++class)
			runs_pass(archive, (*shape)->voxels, class);
		return;
	}
	shape_read(archive, *shape, triangles);
	if (archive_good(archive))
		return;
	d3_shape_release(*shape);
	*shape = NULL;
}

/* --- Voxels that are edited together -------------------------------------------------------------------------------------- */

void d3_voxels_join_pass(struct archive *archive, const struct d3_shape *shape, const void *const *shapes, uint32_t count)
{
	struct d3_voxels *voxels = shape->voxels;
	for (int group = 0; group < CELL_GROUPS; ++group) {
		uint32_t other = NONE;
		for (uint32_t i = 0; !archive->reading && i < count; ++i)
			if (shapes[i] == voxels->joined[group] && d3_voxels_joined(shape, shapes[i]))
				other = i;
		pass_index(archive, &other, count);
		if (!archive->reading || !archive_good(archive) || other == NONE)
			continue;
		const struct d3_shape *found = shapes[other];
		if (archive_check(archive,
				found->voxels && found->voxels->group == (enum cell_group)group &&
					found->voxels->kind_count == voxels->kind_count,
				"voxels are edited together with others that differ"))
			voxels->joined[group] = found;
	}
}
