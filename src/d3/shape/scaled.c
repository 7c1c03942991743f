/* scaled.c - scaled copies of shapes, and the memory of shapes. See shape.h for threads. */
#include "d3/shape/shape_parts.h"
#include "d3/shape/voxels.h"

#include <assert.h>

/* Tolerance for the cosine of a right angle, and relative tolerance for equal lengths: for rounding errors of float
 * rotations. */
static const double rounding = 1e-6;

static struct d3_vec_d times(struct d3_vec_d scale, struct d3_vec_d p)
{
	return (struct d3_vec_d){scale.x * p.x, scale.y * p.y, scale.z * p.z};
}

static struct d3_vec scaled_point(struct d3_vec_d scale, struct d3_vec p)
{
	return d3_narrow(times(scale, d3_widen(p)));
}

static bool is_even(struct d3_vec_d scale)
{
	return abs_d(scale.x) == abs_d(scale.y) && abs_d(scale.y) == abs_d(scale.z);
}

/* --- Shapes with frames --------------------------------------------------------------------------------------------------- */

/* Scales a frame: the normalised images of its axes are the new axes, and *lengths are the factors along them. False: the new
 * axes are not at right angles. If the scale mirrors, x is flipped to keep the frame right-handed; these shapes are symmetric
 * in x. */
static bool scale_frame(
	const struct d3_shape *shape, struct d3_vec_d scale, struct d3_transform_d *frame, struct d3_vec_d *lengths)
{
	struct d3_vec_d x = times(scale, shape->frame.q.x), y = times(scale, shape->frame.q.y), z = times(scale, shape->frame.q.z);
	*lengths = (struct d3_vec_d){d3_length_d(x), d3_length_d(y), d3_length_d(z)};
	frame->p = times(scale, shape->frame.p);
	frame->q.x = d3_scale_d((scale.x * scale.y * scale.z < 0 ? -1 : 1) / lengths->x, x);
	frame->q.y = d3_scale_d(1 / lengths->y, y);
	frame->q.z = d3_scale_d(1 / lengths->z, z);
	return abs_d(d3_dot_d(frame->q.x, frame->q.y)) <= rounding && abs_d(d3_dot_d(frame->q.y, frame->q.z)) <= rounding &&
		abs_d(d3_dot_d(frame->q.z, frame->q.x)) <= rounding;
}

static enum d3_scaled_result scaled_result(enum d3_hull_result result)
{
	return result == D3_HULL_OK ? D3_SCALED_OK : result == D3_HULL_OUT_OF_MEMORY ? D3_SCALED_OUT_OF_MEMORY : D3_SCALED_FLAT;
}

static enum d3_scaled_result scale_hull(
	struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale, struct d3_shape **out)
{
	struct d3_vec points[D3_HULL_MAX];
	for (uint32_t i = 0; i < shape->count; ++i)
		points[i] = scaled_point(scale, shape->points[i]);
	return scaled_result(d3_hull_create(memory, points, shape->count, (float)(shape->radius * abs_d(scale.x)), out));
}

static enum d3_scaled_result scale_framed(
	struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale, struct d3_shape **out)
{
	struct d3_transform_d frame;
	struct d3_vec_d lengths;
	bool straight = scale_frame(shape, scale, &frame, &lengths), round = abs_d(lengths.x - lengths.z) <= rounding * lengths.x;
	if (shape->type == D3_BOX && !straight)
		return scale_hull(memory, shape, scale, out);
	if (!straight || (shape->type != D3_BOX && shape->type != D3_ELLIPSOID && !round))
		return D3_SCALED_SHEARED;
	struct d3_vec half = d3_narrow(times(lengths, d3_widen(shape->half)));
	if (shape->type == D3_CYLINDER || shape->type == D3_CONE)
		half.z = half.x;
	*out = d3_framed_create(memory, shape->type, half, (float)(shape->radius * lengths.x), &frame);
	return *out ? D3_SCALED_OK : D3_SCALED_OUT_OF_MEMORY;
}

/* --- All others ----------------------------------------------------------------------------------------------------------- */

static struct d3_shape *scale_tapered(struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale)
{
	struct d3_vec_d ends[2];
	double radii[2], factor = abs_d(scale.x);
	d3_tapered_ends(shape, ends, radii);
	return d3_tapered_capsule_create(memory, d3_narrow(times(scale, ends[0])), (float)(factor * radii[0]),
		d3_narrow(times(scale, ends[1])), (float)(factor * radii[1]));
}

/* Scales a half-space: n . p <= offset is n/scale . (scale p) <= offset, by components. */
static struct d3_shape *scale_half_space(struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale)
{
	struct d3_vec_d n = {shape->normal.x / scale.x, shape->normal.y / scale.y, shape->normal.z / scale.z};
	double length = d3_length_d(n);
	return d3_half_space_create(memory, d3_narrow(d3_scale_d(1 / length, n)), (float)(shape->offset / length));
}

/* Makes a scaled mesh or height field that shares the lists of the given one. */
static struct d3_shape *share(struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale)
{
	struct d3_shape *out = d3_shape_new(memory, shape->type);
	if (out == NULL)
		return NULL;
	out->one_sided = shape->one_sided;
	out->centroid = scaled_point(scale, shape->centroid);
	if (shape->mesh)
		out->mesh = d3_mesh_share(memory, shape->mesh, scaled_point(scale, shape->mesh->scale));
	else
		out->height_field = d3_height_field_share(memory, shape->height_field, scale);
	if (out->mesh || out->height_field)
		return out;
	d3_shape_release(out);
	return NULL;
}

/* Scales the children in the order given, into `made`; on failure it has those scaled so far. */
static enum d3_scaled_result scale_children(
	struct memory *memory, const struct d3_compound *compound, struct d3_vec_d scale, struct d3_shape **made)
{
	enum d3_scaled_result result = D3_SCALED_OK;
	for (uint32_t i = 0; result == D3_SCALED_OK && i < compound->count; ++i)
		result = d3_shape_scaled(memory, compound->children[compound->child_indices[i]].shape, scale, &made[i]);
	return result;
}

static enum d3_scaled_result scale_compound(
	struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale, struct d3_shape **out)
{
	uint32_t count = shape->compound->count;
	size_t list_size = count * sizeof(struct d3_shape *), pose_size = count * sizeof(struct d3_pose);
	size_t material_size = count * sizeof(struct material);
	struct d3_shape **made = memory_zeroed(memory, list_size);
	struct d3_pose *poses = memory_resize(memory, NULL, 0, pose_size);
	struct material *materials = memory_resize(memory, NULL, 0, material_size);
	enum d3_scaled_result result =
		made && poses && materials ? scale_children(memory, shape->compound, scale, made) : D3_SCALED_OUT_OF_MEMORY;
	if (result == D3_SCALED_OK) {
		for (uint32_t i = 0; i < count; ++i) {
			poses[i] = (struct d3_pose){.q = {0, 0, 0, 1}};
			materials[i] = shape->compound->children[shape->compound->child_indices[i]].material;
		}
		result = scaled_result(d3_compound_create(memory, (const struct d3_shape *const *)made, poses, materials, count, out));
	}
	for (uint32_t i = 0; made && i < count && made[i]; ++i)
		d3_shape_release(made[i]);
	memory_free(memory, made, list_size);
	memory_free(memory, poses, pose_size);
	memory_free(memory, materials, material_size);
	return result;
}

enum d3_scaled_result d3_shape_scaled(
	struct memory *memory, const struct d3_shape *shape, struct d3_vec_d scale, struct d3_shape **out)
{
	float radius = (float)(shape->radius * abs_d(scale.x));
	struct d3_vec points[3] = {{0, 0, 0}};
	struct d3_shape *scaled = NULL;
	if (shape->radius > 0 && shape->type != D3_ELLIPSOID && !is_even(scale))
		return D3_SCALED_UNEVEN;
	for (uint32_t i = 0; i < shape->count && i < 3; ++i)
		points[i] = scaled_point(scale, shape->points[i]);
	switch (shape->type) {
	case D3_SPHERE: scaled = d3_sphere_create(memory, points[0], radius); break;
	case D3_CAPSULE: scaled = d3_capsule_create(memory, points[0], points[1], radius); break;
	case D3_SEGMENT: scaled = d3_segment_create(memory, points[0], points[1]); break;
	case D3_TRIANGLE: scaled = d3_triangle_create(memory, points[0], points[1], points[2]); break;
	case D3_TAPERED_CAPSULE: scaled = scale_tapered(memory, shape, scale); break;
	case D3_HALF_SPACE: scaled = scale_half_space(memory, shape, scale); break;
	case D3_MESH:
	case D3_HEIGHT_FIELD: scaled = share(memory, shape, scale); break;
	case D3_BOX:
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID: return scale_framed(memory, shape, scale, out);
	case D3_HULL: return scale_hull(memory, shape, scale, out);
	case D3_COMPOUND: return scale_compound(memory, shape, scale, out);
	case D3_VOXELS: /* no script has one */
	case D3_SHAPE_TYPES: break;
	}
	if (scaled == NULL)
		return D3_SCALED_OUT_OF_MEMORY;
	*out = scaled;
	return D3_SCALED_OK;
}

/* --- Memory --------------------------------------------------------------------------------------------------------------- */

size_t d3_shape_bytes(const struct d3_shape *shape)
{
	return sizeof *shape + (shape->hull ? d3_hull_bytes(shape->hull) : 0) + (shape->mesh ? d3_mesh_bytes(shape->mesh) : 0) +
		(shape->height_field ? d3_height_field_bytes(shape->height_field) : 0) + (shape->voxels ? d3_voxels_bytes(shape) : 0) +
		(shape->compound ? d3_compound_bytes(shape->compound) : 0);
}
