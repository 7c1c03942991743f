/* archive.c - convex shapes and compounds in archives. See archive.h. */
#include "d3/shape/archive.h"
#include "d3/shape/archive_parts.h"

#include <assert.h>

enum { FACES_MAXIMUM = D3_HULL_EDGES / 3 };
enum { CHILDREN_MAXIMUM = 1 << 20, CHILD_BYTES = 1 + 16 + MATERIAL_BYTES /* of a sphere, the shortest one */ };

/* --- Convex shapes -------------------------------------------------------------------------------------------------------- */

/* What determines a convex shape. */
struct draft {
	enum d3_shape_type type;
	uint32_t count; /* of points: not of a box */
	struct d3_vec points[D3_HULL_MAX];
	/* of a hull made of its faces; face_count 0: of its points. See struct d3_faces */
	uint32_t face_count;
	uint16_t ends[FACES_MAXIMUM], corners[D3_HULL_EDGES];
	float radius;
	struct d3_transform_d frame;
	struct d3_vec half;
	struct d3_vec_d normal;
	double offset;
};

/* Number of the points that determine a shape of this type. */
static uint32_t points_of(enum d3_shape_type type)
{
	return type == D3_SPHERE ? 1 : type == D3_CAPSULE || type == D3_SEGMENT ? 2 : type == D3_TRIANGLE ? 3 : 0;
}

static void draft_set_faces(struct draft *draft, const struct d3_hull *hull)
{
	uint32_t face[D3_HULL_MAX], end = 0;
	draft->face_count = hull->face_count;
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		uint32_t count = d3_hull_face(hull, i, face);
		for (uint32_t k = 0; k < count; ++k)
			draft->corners[end++] = (uint16_t)face[k];
		draft->ends[i] = (uint16_t)end;
	}
}

static void draft_set(struct draft *draft, const struct d3_shape *shape)
{
	draft->face_count = 0;
	draft->type = shape->type;
	draft->count = shape->type == D3_HULL ? shape->count : points_of(shape->type);
	draft->radius = shape->radius;
	draft->frame = shape->frame;
	draft->half = shape->half;
	draft->normal = shape->normal;
	draft->offset = shape->offset;
	for (uint32_t i = 0; i < draft->count; ++i)
		draft->points[i] = shape->points[i];
	if (shape->type == D3_HULL && shape->hull->of_faces)
		draft_set_faces(draft, shape->hull);
}

static void pass_vec_d(struct archive *archive, struct d3_vec_d *v, double most)
{
	pass_range_f64(archive, &v->x, 1, -most, most);
	pass_range_f64(archive, &v->y, 1, -most, most);
	pass_range_f64(archive, &v->z, 1, -most, most);
}

static bool is_unit(struct d3_vec_d v)
{
	return abs_d(d3_dot_d(v, v) - 1) < 1e-5;
}

/* Axes of a scaled frame are at right angles only to within a tolerance: see scaled.c. */
static void frame_pass(struct archive *archive, struct d3_transform_d *frame)
{
	struct d3_rot_d *q = &frame->q;
	pass_vec_d(archive, &frame->p, (double)ARCHIVE_REACH);
	pass_vec_d(archive, &q->x, 2);
	pass_vec_d(archive, &q->y, 2);
	pass_vec_d(archive, &q->z, 2);
	archive_check(archive, is_unit(q->x) && is_unit(q->y) && is_unit(q->z) && d3_dot_d(d3_cross_d(q->x, q->y), q->z) > 1 - 1e-5,
		"axes are not at right angles");
}

static void half_pass(struct archive *archive, enum d3_shape_type type, struct d3_vec *half)
{
	pass_range_f32(archive, &half->x, 1, ARCHIVE_LEAST, ARCHIVE_REACH);
	pass_range_f32(archive, &half->y, 1, ARCHIVE_LEAST, ARCHIVE_REACH);
	pass_range_f32(archive, &half->z, 1, ARCHIVE_LEAST, ARCHIVE_REACH);
	archive_check(archive, type == D3_BOX || type == D3_ELLIPSOID || half->x == half->z, "a round shape is not round");
	archive_check(archive, type != D3_TAPERED_CAPSULE || 2 * half->y > half->x, "a tapered capsule is a sphere");
}

static bool points_differ(const struct draft *draft)
{
	const struct d3_vec *p = draft->points;
	switch (draft->type) {
	case D3_CAPSULE: return p[0].x != p[1].x || p[0].y != p[1].y || p[0].z != p[1].z;
	case D3_SEGMENT: return d3_length_d(d3_sub_d(d3_widen(p[0]), d3_widen(p[1]))) >= ARCHIVE_APART;
	case D3_TRIANGLE: return d3_has_area(p);
	default: return true;
	}
}

static void faces_pass(struct archive *archive, struct draft *draft)
{
	enum { FACE_BYTES = 4 * 4 /* of a triangle */ };
	uint32_t count = pass_count(archive, draft->face_count, FACE_BYTES), end = 0;
	if (!archive_check(archive, count <= FACES_MAXIMUM, "a hull has too many faces"))
		count = archive->reading ? 0 : count;
	draft->face_count = count;
	for (uint32_t i = 0; i < count && archive_good(archive); ++i) {
		uint32_t corners = archive->reading ? 0 : draft->ends[i] - end;
		pass_below(archive, &corners, D3_HULL_EDGES + 1);
		if (!archive_check(archive, corners >= 3 && end + corners <= D3_HULL_EDGES, "a face has too few or too many corners"))
			return;
		for (uint32_t k = 0; k < corners; ++k, ++end) {
			uint32_t corner = archive->reading ? 0 : draft->corners[end];
			pass_below(archive, &corner, draft->count);
			draft->corners[end] = (uint16_t)corner;
		}
		draft->ends[i] = (uint16_t)end;
	}
}

static void draft_pass(struct archive *archive, struct draft *draft)
{
	if (draft->type == D3_HULL) {
		draft->count = pass_count(archive, draft->count, sizeof draft->points[0]);
		if (!archive_check(archive, draft->count >= 4 && draft->count <= D3_HULL_MAX, "a hull has too few or too many points"))
			draft->count = archive->reading ? 0 : draft->count;
	}
	for (uint32_t i = 0; i < draft->count; ++i)
		d3_pass_vec(archive, &draft->points[i]);
	archive_check(archive, !archive->reading || points_differ(draft), "points of a shape coincide");
	switch (draft->type) {
	case D3_SEGMENT:
	case D3_TRIANGLE: break;
	case D3_SPHERE:
	case D3_CAPSULE: pass_range_f32(archive, &draft->radius, 1, ARCHIVE_LEAST, ARCHIVE_REACH); break;
	case D3_HALF_SPACE:
		pass_vec_d(archive, &draft->normal, 2);
		pass_range_f64(archive, &draft->offset, 1, -(double)ARCHIVE_REACH, (double)ARCHIVE_REACH);
		archive_check(archive, is_unit(draft->normal), "a direction has not the length 1");
		break;
	case D3_BOX:
	case D3_HULL:
	case D3_TAPERED_CAPSULE:
		pass_range_f32(archive, &draft->radius, 1, draft->type == D3_TAPERED_CAPSULE ? ARCHIVE_LEAST : 0.0f, ARCHIVE_REACH);
		if (draft->type == D3_HULL) {
			faces_pass(archive, draft);
			break;
		}
		/* fall through */
	default: frame_pass(archive, &draft->frame); half_pass(archive, draft->type, &draft->half);
	}
}

/* The hull of a hull's points is the same hull, or if it was made of its faces, that of its faces. */
static struct d3_shape *hull_create(struct archive *archive, const struct draft *draft)
{
	struct d3_shape *shape = NULL;
	const struct d3_faces faces = {draft->points, draft->count, draft->face_count, draft->ends, draft->corners};
	enum d3_hull_result result = draft->face_count > 0
		? d3_hull_create_of_faces(archive->memory, &faces, &shape)
		: d3_hull_create(archive->memory, draft->points, draft->count, draft->radius, &shape);
	archive->no_memory |= result == D3_HULL_OUT_OF_MEMORY;
	if (archive_check(
			archive, result == D3_HULL_OK && shape->count == draft->count, "the points of a hull are not its corners") &&
		archive_check(archive, draft->face_count == 0 || (shape->hull->of_faces && draft->radius == 0.0f),
			"the faces of a hull are not its own"))
		return shape;
	if (shape != NULL)
		d3_shape_release(shape);
	return NULL;
}

static struct d3_shape *draft_create(struct archive *archive, const struct draft *draft)
{
	struct memory *memory = archive->memory;
	struct d3_shape *shape;
	switch (draft->type) {
	case D3_HULL: return hull_create(archive, draft);
	case D3_HALF_SPACE: shape = d3_half_space_make(memory, draft->normal, draft->offset); break;
	case D3_SPHERE:
	case D3_CAPSULE:
	case D3_SEGMENT:
	case D3_TRIANGLE: shape = d3_points_make(memory, draft->type, draft->points, draft->count, draft->radius); break;
	default: shape = d3_framed_create(memory, draft->type, draft->half, draft->radius, &draft->frame);
	}
	archive->no_memory |= shape == NULL;
	return shape;
}

static void convex_pass(struct archive *archive, enum d3_shape_type type, struct d3_shape **shape)
{
	struct draft draft;
	if (archive->reading)
		draft = (struct draft){.type = type, .count = points_of(type)};
	else
		draft_set(&draft, *shape);
	draft_pass(archive, &draft);
	if (archive->reading && archive_good(archive))
		*shape = draft_create(archive, &draft);
}

/* --- Compounds ------------------------------------------------------------------------------------------------------------ */

/* Children are convex: compounds have no compounds as children. */
static void child_pass(struct archive *archive, struct d3_shape **child, struct material *material)
{
	enum d3_shape_type type = *child == NULL ? D3_SPHERE : (*child)->type;
	type = (enum d3_shape_type)pass_kind(archive, type, D3_HALF_SPACE);
	if (archive_good(archive))
		convex_pass(archive, type, child);
	material_pass(archive, material);
}

static bool children_read(struct archive *archive, struct d3_shape *compound)
{
	for (uint32_t i = 0; i < compound->compound->count; ++i) {
		struct d3_shape *child = NULL;
		struct material material = {0};
		child_pass(archive, &child, &material);
		if (child != NULL)
			d3_compound_add(compound, i, child, &material);
		if (!archive_good(archive) ||
			!archive_check(archive, compound->compound->point_count <= D3_POINTS_MAXIMUM, "a compound has too many points"))
			return false;
	}
	archive->no_memory |= !d3_compound_finish(compound);
	return archive_good(archive);
}

static void compound_pass(struct archive *archive, struct d3_shape **shape)
{
	assert(archive->reading || *shape != NULL);
	const struct d3_compound *saved = archive->reading ? NULL : (*shape)->compound;
	uint32_t count = pass_count(archive, saved ? saved->count : 0, CHILD_BYTES);
	for (uint32_t i = 0; saved && i < count; ++i) {
		struct d3_compound_child child = saved->children[saved->child_indices[i]];
		child_pass(archive, &child.shape, &child.material);
	}
	if (saved || !archive_check(archive, count > 0 && count <= CHILDREN_MAXIMUM, "a compound has too few or too many shapes"))
		return;
	struct d3_shape *compound = d3_compound_new(archive->memory, count);
	archive->no_memory |= compound == NULL;
	if (compound != NULL && !children_read(archive, compound)) {
		d3_shape_release(compound);
		compound = NULL;
	}
	*shape = compound;
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

bool d3_shape_editable(const struct d3_shape *shape)
{
	return shape->voxels != NULL || (shape->height_field != NULL && shape->height_field->own);
}

void d3_shapes_join(struct archive *archive, const void *const *shapes, uint32_t count)
{
	for (uint32_t i = 0; i < count; ++i)
		if (((const struct d3_shape *)shapes[i])->voxels)
			d3_voxels_join_pass(archive, shapes[i], shapes, count);
}

void d3_shape_pass(struct archive *archive, struct d3_shape **shape)
{
	enum d3_shape_type type = archive->reading ? D3_SPHERE : (*shape)->type;
	if (archive->reading)
		*shape = NULL;
	type = (enum d3_shape_type)pass_kind(archive, type, D3_SHAPE_TYPES);
	if (!archive_good(archive))
		return;
	switch (type) {
	case D3_MESH: d3_mesh_pass(archive, shape); break;
	case D3_HEIGHT_FIELD: d3_height_field_pass(archive, shape); break;
	case D3_COMPOUND: compound_pass(archive, shape); break;
	case D3_VOXELS: d3_voxels_pass(archive, shape); break;
	default: convex_pass(archive, type, shape);
	}
}
