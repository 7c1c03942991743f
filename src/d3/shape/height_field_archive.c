/* height_field_archive.c - height fields in archives. See archive.h. */
#include "d3/shape/archive_parts.h"

/* What determines an unscaled field. */
struct draft {
	bool one_sided;
	struct d3_height_field field;
	ARRAY(float) heights;
};

/* --- The field at scale 1 ------------------------------------------------------------------------------------------------- */

static uint32_t height_count(const struct d3_height_field *field)
{
	return field->columns * field->rows;
}

static uint32_t cell_count(const struct d3_height_field *field)
{
	return (field->columns - 1) * (field->rows - 1);
}

/* Passes one axis of the grid: its start and the size of its cells, which are larger than rounding errors of coordinates. */
static void axis_pass(struct archive *archive, double *from, double *cell, uint32_t count)
{
	double most = (double)ARCHIVE_REACH;
	pass_range_f64(archive, from, 1, -most, most);
	pass_range_f64(archive, cell, 1, -most, most);
	if (!archive->reading || !archive_good(archive))
		return;
	double reach = max_d(abs_d(*from), abs_d(*from + *cell * (count - 1)));
	archive_check(archive, reach <= most && abs_d(*cell) >= ARCHIVE_APART && abs_d(*cell) >= 0.5e-6 * reach,
		"the cells of a height field are too small or too large");
}

static void grid_pass(struct archive *archive, struct d3_height_field *field)
{
	axis_pass(archive, &field->x, &field->cell_width, field->columns);
	axis_pass(archive, &field->z, &field->cell_depth, field->rows);
}

static bool has_cells(const struct d3_height_field *field)
{
	uint32_t holes = 0;
	for (uint32_t i = 0; field->materials.of && i < cell_count(field); ++i)
		holes += field->materials.of[i] == MATERIALS_HOLE;
	return holes < cell_count(field);
}

static void draft_pass(struct archive *archive, struct draft *draft)
{
	struct d3_height_field *field = &draft->field;
	pass_bool(archive, &draft->one_sided);
	pass_u32(archive, &field->columns);
	pass_u32(archive, &field->rows);
	if (!archive_check(archive,
			field->columns >= 2 && field->rows >= 2 && (uint64_t)field->columns * field->rows <= D3_POINTS_MAXIMUM,
			"a height field has too few or too many heights"))
		return;
	grid_pass(archive, field);
	archive_check(archive, field->cell_width > 0 && field->cell_depth > 0, "the cells of a height field are turned over");
	pass_array(archive, &draft->heights, sizeof(float));
	archive_check(archive, draft->heights.count == height_count(field), "a height field has too few or too many heights");
	pass_range_f32(archive, draft->heights.data, draft->heights.count, -ARCHIVE_REACH, ARCHIVE_REACH);
	if (!archive_good(archive))
		return;
	materials_pass(archive, &field->materials, cell_count(field), true);
	if (archive->reading && archive_good(archive))
		archive_check(archive, has_cells(field), "a height field has only holes");
}

static void draft_write(struct archive *archive, const struct d3_height_field *owner, bool one_sided)
{
	struct draft draft = {one_sided, *owner, {owner->heights, height_count(owner), 0}};
	draft_pass(archive, &draft);
}

static struct d3_shape *draft_read(struct archive *archive)
{
	struct draft draft = {.one_sided = false};
	struct d3_shape *shape = NULL;
	draft_pass(archive, &draft);
	draft.field.heights = draft.heights.data;
	if (archive_good(archive)) {
		shape = d3_height_field_create(archive->memory, &draft.field, draft.one_sided);
		archive->no_memory |= shape == NULL;
	}
	if (draft.field.materials.of != NULL)
		materials_free(archive->memory, &draft.field.materials, cell_count(&draft.field));
	array_free(archive->memory, &draft.heights);
	return shape;
}

/* --- Scaled fields -------------------------------------------------------------------------------------------------------- */

static void scale_check(struct archive *archive, const struct d3_height_field *field)
{
	struct d3_vec lower, upper;
	d3_height_field_box(field, &(struct d3_height_field_block){0, 0, field->levels}, &lower, &upper);
	archive_check(archive,
		field->rise != 0 && abs_f(field->rise) <= 1e20f && lower.y >= -ARCHIVE_REACH && upper.y <= ARCHIVE_REACH,
		"a number is out of range");
}

/* Replaces the field, just read, by one that shares its lists. */
static void scale_apply(
	struct archive *archive, struct d3_shape **shape, const struct d3_height_field *grid, struct d3_vec centroid)
{
	struct d3_shape *owner = *shape, *scaled = d3_shape_new(archive->memory, D3_HEIGHT_FIELD);
	struct d3_height_field *field =
		scaled ? d3_height_field_share(archive->memory, owner->height_field, (struct d3_vec_d){1, 1, 1}) : NULL;
	*shape = NULL;
	archive->no_memory |= field == NULL;
	if (field != NULL) {
		field->x = grid->x;
		field->z = grid->z;
		field->cell_width = grid->cell_width;
		field->cell_depth = grid->cell_depth;
		field->rise = grid->rise;
		field->mirrored = (grid->cell_width < 0) ^ (grid->cell_depth < 0) ^ (grid->rise < 0);
		scaled->height_field = field;
		scaled->one_sided = owner->one_sided;
		scaled->centroid = centroid;
		scale_check(archive, field);
	}
	d3_shape_release(owner);
	if (archive_good(archive))
		*shape = scaled;
	else if (scaled != NULL)
		d3_shape_release(scaled);
}

void d3_height_field_pass(struct archive *archive, struct d3_shape **shape)
{
	bool scaled = false, own = false;
	struct d3_height_field grid;
	struct d3_vec centroid = {0, 0, 0};
	if (archive->reading) {
		*shape = draft_read(archive);
		if (*shape == NULL)
			return;
		grid = *(*shape)->height_field;
	} else {
		grid = *(*shape)->height_field;
		scaled = grid.owner != (*shape)->height_field;
		own = grid.own;
		centroid = (*shape)->centroid;
		draft_write(archive, grid.owner, (*shape)->one_sided);
	}
	pass_bool(archive, &scaled);
	pass_bool(archive, &own);
	if (scaled) {
		grid_pass(archive, &grid);
		pass_f32(archive, &grid.rise);
	}
	if (scaled || own)
		d3_pass_vec(archive, &centroid);
	if (!archive->reading)
		return;
	if (archive_good(archive) && scaled) {
		scale_apply(archive, shape, &grid, centroid);
	} else if (!archive_good(archive)) {
		d3_shape_release(*shape);
		*shape = NULL;
	}
	if (*shape != NULL && own) {
		((struct d3_height_field *)(uintptr_t)(*shape)->height_field)->own = true;
		(*shape)->centroid = centroid;
	}
}
