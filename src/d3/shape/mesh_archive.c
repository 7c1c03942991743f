/* mesh_archive.c - meshes in archives: the vertices and the faces as given. The tree and the adjacency of a mesh that is read
 * are built anew, and are the same: list_items of mesh.c explains how this holds for equal vertices. See archive.h. */
#include "d3/shape/archive_parts.h"

#include <assert.h>

enum { FACES_MAXIMUM = 1 << 24 };

/* What determines an unscaled mesh. */
struct draft {
	bool one_sided;
	ARRAY(struct d3_vec) vertices;
	ARRAY(uint32_t) indices; /* three for each face, all 0 for those left out */
	struct materials materials; /* of the faces */
};

/* --- The mesh at scale 1 -------------------------------------------------------------------------------------------------- */

static uint32_t faces_of(const struct draft *draft)
{
	return draft->indices.count / 3;
}

static bool left_out(const uint32_t corners[3])
{
	return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

/* Lists the faces of a mesh that is to be written. False: no memory. */
static bool list_faces(struct archive *archive, const struct d3_mesh *mesh, struct draft *draft)
{
	if (!array_reserve(archive->memory, &draft->indices, 3 * mesh->face_count))
		return false;
	assert(draft->indices.data != NULL);
	draft->indices.count = 3 * mesh->face_count;
	memset(draft->indices.data, 0, draft->indices.count * sizeof *draft->indices.data);
	draft->materials = mesh->materials;
	if (mesh->materials.of != NULL) {
		draft->materials.of = memory_zeroed(archive->memory, mesh->face_count);
		if (draft->materials.of == NULL)
			return false;
	}
	for (uint32_t child = 0; child < mesh->triangle_count; ++child) {
		uint32_t face = mesh->numbers[child];
		d3_mesh_corners(mesh, child, draft->indices.data + 3 * (size_t)face);
		if (draft->materials.of != NULL)
			draft->materials.of[face] = mesh->materials.of[child];
	}
	return true;
}

static void draft_pass(struct archive *archive, struct draft *draft)
{
	pass_bool(archive, &draft->one_sided);
	pass_array(archive, &draft->vertices, sizeof(struct d3_vec));
	archive_check(archive, draft->vertices.count <= D3_POINTS_MAXIMUM, "a mesh has too many vertices");
	for (uint32_t i = 0; i < draft->vertices.count; ++i)
		d3_pass_vec(archive, &draft->vertices.data[i]);
	pass_array(archive, &draft->indices, sizeof(uint32_t));
	archive_check(archive, draft->indices.count % 3 == 0 && faces_of(draft) <= FACES_MAXIMUM, "a mesh has too many faces");
	for (uint32_t i = 0; i < draft->indices.count; ++i)
		pass_below(archive, &draft->indices.data[i], draft->vertices.count);
	if (archive_good(archive))
		materials_pass(archive, &draft->materials, faces_of(draft), false);
}

static bool faces_good(struct archive *archive, const struct draft *draft)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < faces_of(draft) && archive_good(archive); ++i) {
		const uint32_t *corners = draft->indices.data + 3 * (size_t)i;
		if (left_out(corners))
			continue;
		const struct d3_vec *p = draft->vertices.data;
		archive_check(archive, d3_has_area((struct d3_vec[]){p[corners[0]], p[corners[1]], p[corners[2]]}),
			"a triangle of a mesh has no area");
		++kept;
	}
	return archive_check(archive, kept > 0, "a mesh has no triangles");
}

static struct d3_shape *draft_read(struct archive *archive)
{
	struct draft draft = {.one_sided = false};
	struct d3_shape *shape = NULL;
	draft_pass(archive, &draft);
	if (archive_good(archive) && faces_good(archive, &draft)) {
		shape = d3_mesh_create(archive->memory, draft.vertices.data, draft.vertices.count, draft.indices.data, faces_of(&draft),
			draft.one_sided, &draft.materials);
		archive->no_memory |= shape == NULL;
	}
	materials_free(archive->memory, &draft.materials, faces_of(&draft));
	array_free(archive->memory, &draft.vertices);
	array_free(archive->memory, &draft.indices);
	return shape;
}

static void draft_write(struct archive *archive, const struct d3_mesh *mesh, bool one_sided)
{
	struct draft draft = {.one_sided = one_sided};
	if (list_faces(archive, mesh, &draft)) {
		draft.vertices.data = mesh->vertices;
		draft.vertices.count = mesh->vertex_count;
		draft_pass(archive, &draft);
	} else {
		archive->no_memory = true;
	}
	memory_free(archive->memory, draft.materials.of, mesh->face_count);
	array_free(archive->memory, &draft.indices);
}

/* --- Scaled meshes -------------------------------------------------------------------------------------------------------- */

static void scale_check(struct archive *archive, const struct d3_shape *shape)
{
	const struct d3_mesh *mesh = shape->mesh;
	for (uint32_t i = 0; i < mesh->triangle_count && archive_good(archive); ++i) {
		struct d3_vec corners[3];
		d3_mesh_triangle(mesh, i, corners);
		archive_check(archive, d3_has_area(corners), "a triangle of a mesh has no area");
		for (int k = 0; k < 3; ++k)
			archive_check(archive, max_f(abs_f(corners[k].x), max_f(abs_f(corners[k].y), abs_f(corners[k].z))) <= ARCHIVE_REACH,
				"a number is out of range");
	}
}

/* Replaces the mesh, just read, by one that shares its lists. */
static void scale_apply(struct archive *archive, struct d3_shape **shape, struct d3_vec scale, struct d3_vec centroid)
{
	struct d3_shape *owner = *shape, *scaled = d3_shape_new(archive->memory, D3_MESH);
	*shape = NULL;
	if (scaled != NULL) {
		scaled->one_sided = owner->one_sided;
		scaled->centroid = centroid;
		scaled->mesh = d3_mesh_share(archive->memory, owner->mesh, scale);
	}
	d3_shape_release(owner);
	archive->no_memory |= scaled == NULL || scaled->mesh == NULL;
	if (archive_good(archive))
		scale_check(archive, scaled);
	if (archive_good(archive))
		*shape = scaled;
	else if (scaled != NULL)
		d3_shape_release(scaled);
}

static void pass_scale(struct archive *archive, struct d3_vec *scale)
{
	const float most = 1e20f;
	pass_range_f32(archive, &scale->x, 3, -most, most);
	archive_check(archive, scale->x != 0 && scale->y != 0 && scale->z != 0, "a scale is 0");
}

void d3_mesh_pass(struct archive *archive, struct d3_shape **shape)
{
	bool scaled = false;
	struct d3_vec scale = {1, 1, 1}, centroid = {0, 0, 0};
	if (archive->reading) {
		*shape = draft_read(archive);
		if (*shape == NULL)
			return;
	} else {
		const struct d3_mesh *mesh = (*shape)->mesh;
		scaled = mesh->owner != mesh;
		scale = mesh->scale;
		centroid = (*shape)->centroid;
		draft_write(archive, mesh->owner, (*shape)->one_sided);
	}
	pass_bool(archive, &scaled);
	if (scaled) {
		pass_scale(archive, &scale);
		d3_pass_vec(archive, &centroid);
	}
	if (!archive->reading)
		return;
	if (archive_good(archive) && scaled) {
		scale_apply(archive, shape, scale, centroid);
	} else if (!archive_good(archive)) {
		d3_shape_release(*shape);
		*shape = NULL;
	}
}
