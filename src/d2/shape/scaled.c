/* scaled.c - scaled copies of shapes.
 * See shape.h for threads. */
#include "d2/shape/shape.h"

/* Directions count as perpendicular up to this cosine of their angle: the rounding error of float rotations. */
static const double rounding = 1e-6;

static struct d2_vec_d times(struct d2_vec_d scale, struct d2_vec_d p)
{
	return (struct d2_vec_d){scale.x * p.x, scale.y * p.y};
}

static struct d2_vec scaled_point(struct d2_vec_d scale, struct d2_vec p)
{
	return d2_narrow(times(scale, d2_widen(p)));
}

static enum d2_scaled_result scale_polygon(
	struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale, struct d2_shape **out)
{
	struct d2_vec points[D2_HULL_MAX];
	for (uint32_t i = 0; i < shape->count; ++i)
		points[i] = scaled_point(scale, shape->points[i]);
	enum d2_hull_result result = d2_polygon_create(memory, points, shape->count, (float)(shape->radius * abs_d(scale.x)), out);
	return result == D2_HULL_OK ? D2_SCALED_OK : result == D2_HULL_OUT_OF_MEMORY ? D2_SCALED_OUT_OF_MEMORY : D2_SCALED_FLAT;
}

/* Scales a box or ellipse: the images of its axes are the new axes if they are perpendicular. Otherwise a box becomes a
 * polygon. Mirroring a shape along its own axes does not change it. */
static enum d2_scaled_result scale_framed(
	struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale, struct d2_shape **out)
{
	struct d2_rot q = shape->rotation;
	struct d2_vec_d x = times(scale, (struct d2_vec_d){q.c, q.s}), y = times(scale, (struct d2_vec_d){-q.s, q.c});
	double length_x = d2_length_d(x), length_y = d2_length_d(y);
	if (abs_d(d2_dot_d(x, y)) > rounding * length_x * length_y)
		return shape->type == D2_BOX ? scale_polygon(memory, shape, scale, out) : D2_SCALED_SHEARED;
	struct d2_rot rotation = {.c = (float)(x.x / length_x), .s = (float)(x.y / length_x)};
	struct d2_vec center = scaled_point(scale, shape->centroid);
	double radius = shape->radius * length_x;
	double width = 2 * (shape->half.x * length_x + radius);
	double height = 2 * (shape->half.y * length_y + radius);
	if (shape->type == D2_BOX)
		*out = d2_box_create(memory, (float)width, (float)height, center, rotation, (float)radius);
	else
		*out =
			d2_ellipse_create(memory, (float)(shape->axes.x * length_x), (float)(shape->axes.y * length_y), center, rotation);
	return *out ? D2_SCALED_OK : D2_SCALED_OUT_OF_MEMORY;
}

static struct d2_shape *scale_chain(struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale)
{
	size_t size = shape->count * sizeof(struct d2_vec);
	struct d2_vec *points = memory_resize(memory, NULL, 0, size);
	if (points == NULL)
		return NULL;
	bool mirrored = scale.x * scale.y < 0;
	for (uint32_t i = 0; i < shape->count; ++i)
		points[mirrored ? shape->count - 1 - i : i] = scaled_point(scale, shape->points[i]);
	struct d2_shape *out = d2_chain_create(memory, points, shape->count, shape->loop);
	memory_resize(memory, points, size, 0);
	return out;
}

/* n . p <= offset means n/scale . (scale p) <= offset. */
static struct d2_shape *scale_half_plane(struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale)
{
	struct d2_vec_d n = {shape->normal.x / scale.x, shape->normal.y / scale.y};
	double length = d2_length_d(n);
	return d2_half_plane_create(memory, d2_narrow(d2_scale_d(1 / length, n)), (float)(shape->offset / length));
}

enum d2_scaled_result d2_shape_scaled(
	struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale, struct d2_shape **out)
{
	float radius = (float)(shape->radius * abs_d(scale.x));
	struct d2_vec points[2];
	struct d2_shape *scaled = NULL;
	if (shape->radius > 0 && shape->type != D2_ELLIPSE && abs_d(scale.x) != abs_d(scale.y))
		return D2_SCALED_UNEVEN;
	for (uint32_t i = 0; i < shape->count && i < 2; ++i)
		points[i] = scaled_point(scale, shape->points[i]);
	switch (shape->type) {
	case D2_CIRCLE: scaled = d2_circle_create(memory, points[0], radius); break;
	case D2_CAPSULE: scaled = d2_capsule_create(memory, points[0], points[1], radius); break;
	case D2_SEGMENT: scaled = d2_segment_create(memory, points[0], points[1]); break;
	case D2_BOX:
	case D2_ELLIPSE: return scale_framed(memory, shape, scale, out);
	case D2_POLYGON: return scale_polygon(memory, shape, scale, out);
	case D2_CHAIN: scaled = scale_chain(memory, shape, scale); break;
	case D2_HALF_PLANE: scaled = scale_half_plane(memory, shape, scale); break;
	case D2_SHAPE_TYPES: break;
	}
	if (scaled == NULL)
		return D2_SCALED_OUT_OF_MEMORY;
	*out = scaled;
	return D2_SCALED_OK;
}
