/* archive.c - see archive.h. */
#include "d2/shape/archive.h"
#include "d2/shape/shape_parts.h"

enum { CHAIN_POINTS = 1 << 24 }; /* at most */

static void pass_vec(struct archive *archive, struct d2_vec *v)
{
	pass_range_f32(archive, &v->x, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
	pass_range_f32(archive, &v->y, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
}

/* Sizes > 0. */
static void pass_sizes(struct archive *archive, struct d2_vec *sizes)
{
	pass_range_f32(archive, &sizes->x, 1, ARCHIVE_LEAST, ARCHIVE_REACH);
	pass_range_f32(archive, &sizes->y, 1, ARCHIVE_LEAST, ARCHIVE_REACH);
}

/* A unit vector, to within float rounding. */
static void pass_unit(struct archive *archive, float *x, float *y)
{
	pass_range_f32(archive, x, 1, -2, 2);
	pass_range_f32(archive, y, 1, -2, 2);
	archive_check(archive, abs_f(*x * *x + *y * *y - 1) < 1e-5f, "a direction has not the length 1");
}

static bool apart(struct d2_vec a, struct d2_vec b)
{
	return d2_length_d(d2_sub_d(d2_widen(b), d2_widen(a))) >= ARCHIVE_APART;
}

/* --- Convex shapes -------------------------------------------------------------------------------------------------------- */

/* What determines a convex shape. */
struct draft {
	enum d2_shape_type type;
	uint32_t count;
	struct d2_vec points[D2_HULL_MAX]; /* of a box, its centre */
	float radius;
	struct d2_vec size, normal; /* see d2_shape: half or axes; normal */
	struct d2_rot rotation;
	float offset;
};

static struct draft draft_of(const struct d2_shape *shape)
{
	struct draft draft = {.type = shape->type,
		.count = shape->type == D2_BOX ? 1 : shape->count,
		.radius = shape->radius,
		.size = shape->type == D2_BOX ? shape->half : shape->axes,
		.normal = shape->normal,
		.rotation = shape->rotation,
		.offset = shape->offset};
	for (uint32_t i = 0; i < draft.count; ++i)
		draft.points[i] = shape->type == D2_BOX ? shape->centroid : shape->points[i];
	return draft;
}

static void polygon_pass(struct archive *archive, struct draft *draft)
{
	draft->count = pass_kind(archive, draft->count, D2_HULL_MAX + 1);
	for (uint32_t i = 0; i < draft->count; ++i)
		pass_vec(archive, &draft->points[i]);
	if (archive->reading)
		archive_check(archive, d2_hull_is(draft->points, draft->count), "the points of a polygon are not those of a hull");
}

static void draft_pass(struct archive *archive, struct draft *draft)
{
	static const uint8_t counts[D2_SHAPE_TYPES] = {
		[D2_CIRCLE] = 1, [D2_CAPSULE] = 2, [D2_SEGMENT] = 2, [D2_BOX] = 1, [D2_ELLIPSE] = 1};
	for (uint32_t i = 0; i < counts[draft->type]; ++i)
		pass_vec(archive, &draft->points[i]);
	switch (draft->type) {
	case D2_CIRCLE:
	case D2_CAPSULE: pass_range_f32(archive, &draft->radius, 1, ARCHIVE_LEAST, ARCHIVE_REACH); break;
	case D2_SEGMENT:
		archive_check(archive, apart(draft->points[0], draft->points[1]), "the ends of a segment are too close");
		break;
	case D2_BOX:
		pass_range_f32(archive, &draft->radius, 1, 0, ARCHIVE_REACH);
		pass_sizes(archive, &draft->size);
		pass_unit(archive, &draft->rotation.c, &draft->rotation.s);
		break;
	case D2_POLYGON:
		polygon_pass(archive, draft);
		pass_range_f32(archive, &draft->radius, 1, 0, ARCHIVE_REACH);
		break;
	case D2_ELLIPSE:
		pass_sizes(archive, &draft->size);
		pass_unit(archive, &draft->rotation.c, &draft->rotation.s);
		break;
	default:
		pass_unit(archive, &draft->normal.x, &draft->normal.y);
		pass_range_f32(archive, &draft->offset, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
		break;
	}
}

static struct d2_shape *draft_create(struct memory *memory, const struct draft *draft)
{
	const struct d2_vec *points = draft->points;
	switch (draft->type) {
	case D2_CIRCLE: return d2_circle_create(memory, points[0], draft->radius);
	case D2_CAPSULE: return d2_capsule_create(memory, points[0], points[1], draft->radius);
	case D2_SEGMENT: return d2_segment_create(memory, points[0], points[1]);
	case D2_BOX: return d2_box_make(memory, draft->size, points[0], draft->rotation, draft->radius);
	case D2_POLYGON: return d2_polygon_make(memory, points, draft->count, draft->radius);
	case D2_ELLIPSE: return d2_ellipse_make(memory, draft->size, points[0], draft->rotation);
	default: return d2_half_plane_make(memory, draft->normal, draft->offset);
	}
}

/* --- Chains --------------------------------------------------------------------------------------------------------------- */

static void ghosts_pass(struct archive *archive, struct d2_shape *header, const struct d2_vec *points)
{
	for (int end = 0; end < 2 && !header->loop && header->one_sided; ++end) {
		pass_bool(archive, &header->has_ghosts[end]);
		if (!header->has_ghosts[end])
			continue;
		pass_vec(archive, &header->ghosts[end]);
		if (archive->reading && archive_good(archive))
			archive_check(archive, apart(header->ghosts[end], points[end == 0 ? 0 : header->count - 1]),
				"the ghost of a chain is too close");
	}
}

static void chain_create(
	struct archive *archive, const struct d2_shape *header, const struct d2_vec *points, struct d2_shape **shape)
{
	*shape = d2_chain_create(archive->memory, points, header->count, header->loop, header->one_sided, &header->materials);
	archive->no_memory |= *shape == NULL;
	for (int end = 0; end < 2 && *shape; ++end)
		if (header->has_ghosts[end])
			d2_chain_set_ghost(*shape, end, header->ghosts[end]);
}

static void points_check(struct archive *archive, const struct d2_vec *points, uint32_t count, bool loop)
{
	archive_check(archive, count >= (loop ? 3u : 2u) && count <= CHAIN_POINTS, "a chain has too few or too many points");
	for (uint32_t i = 0; archive_good(archive) && i + !loop < count; ++i)
		archive_check(archive, apart(points[i], points[i + 1 < count ? i + 1 : 0]), "two points of a chain are too close");
}

static void chain_pass(struct archive *archive, struct d2_shape **shape)
{
	struct d2_shape header = {.type = D2_CHAIN};
	if (!archive->reading)
		header = **shape;
	ARRAY(struct d2_vec) points = {NULL, 0, 0};
	if (!archive->reading) {
		points.data = (struct d2_vec *)(uintptr_t)header.points;
		points.count = header.count;
	}
	pass_bool(archive, &header.loop);
	pass_bool(archive, &header.one_sided);
	pass_array(archive, &points, sizeof *points.data);
	for (uint32_t i = 0; i < points.count; ++i)
		pass_vec(archive, &points.data[i]);
	header.count = points.count;
	if (archive->reading)
		points_check(archive, points.data, points.count, header.loop);
	if (archive_good(archive)) {
		uint32_t segments = points.count - !header.loop;
		materials_pass(archive, &header.materials, segments, false);
		ghosts_pass(archive, &header, points.data);
		if (archive->reading && archive_good(archive))
			chain_create(archive, &header, points.data, shape);
		if (archive->reading)
			materials_free(archive->memory, &header.materials, segments);
	}
	if (archive->reading)
		array_free(archive->memory, &points);
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

bool d2_shape_editable(const struct d2_shape *shape)
{
	return shape->tiles != NULL;
}

void d2_shape_pass(struct archive *archive, struct d2_shape **shape)
{
	enum { TILES = D2_SHAPE_TYPES, KINDS }; /* the types, and D2_CHAIN with tiles */
	uint32_t kind = archive->reading ? 0 : (*shape)->tiles ? (uint32_t)TILES : (uint32_t)(*shape)->type;
	if (archive->reading)
		*shape = NULL;
	kind = pass_kind(archive, kind, KINDS);
	if (!archive_good(archive))
		return;
	if (kind == TILES || kind == D2_CHAIN) {
		if (kind == TILES)
			d2_tiles_pass(archive, shape);
		else
			chain_pass(archive, shape);
		return;
	}
	struct draft draft = {.type = (enum d2_shape_type)kind};
	if (!archive->reading)
		draft = draft_of(*shape);
	draft_pass(archive, &draft);
	if (!archive->reading || !archive_good(archive))
		return;
	*shape = draft_create(archive->memory, &draft);
	archive->no_memory |= *shape == NULL;
}
