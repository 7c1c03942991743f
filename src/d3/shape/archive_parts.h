/* archive_parts.h - internals shared by the files that pass shapes to archives. */
#pragma once
#include "d3/shape/archive.h"
#include "d3/shape/shape_parts.h"

/* Points have numbers of 24 bits: see d3/query/distance.h. */
enum { D3_POINTS_MAXIMUM = (1 << 24) - 1 };

/* For d3_shape_pass: of one type. *shape: as there. */
void d3_mesh_pass(struct archive *archive, struct d3_shape **shape);
void d3_height_field_pass(struct archive *archive, struct d3_shape **shape);
void d3_voxels_pass(struct archive *archive, struct d3_shape **shape);
/* For d3_shapes_join: passes with which voxels of the table the shape is edited. */
void d3_voxels_join_pass(struct archive *archive, const struct d3_shape *shape, const void *const *shapes, uint32_t count);

static inline void d3_pass_vec(struct archive *archive, struct d3_vec *v)
{
	pass_range_f32(archive, &v->x, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
	pass_range_f32(archive, &v->y, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
	pass_range_f32(archive, &v->z, 1, -ARCHIVE_REACH, ARCHIVE_REACH);
}

/* Whether the triangle has an area, and normals that are no noise. */
static inline bool d3_has_area(const struct d3_vec corners[3])
{
	struct d3_vec_d a = d3_widen(corners[0]), ab = d3_sub_d(d3_widen(corners[1]), a), ac = d3_sub_d(d3_widen(corners[2]), a);
	double longest = max_d(d3_length_d(ab), max_d(d3_length_d(ac), d3_length_d(d3_sub_d(ac, ab))));
	return longest >= ARCHIVE_APART && d3_length_d(d3_cross_d(ab, ac)) > 0.5e-6 * longest * longest;
}
