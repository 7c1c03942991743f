/* scaled.c - scaled and moved copies of shapes.
 * See shape.h for threads. */
#include "d2/shape/shape.h"

/* Returns the image of p under the map whose parameters `map` points to. */
typedef struct d2_vec map_point(const void *map, struct d2_vec p);

/* The number of the segment that becomes segment i when the points are reversed. */
static uint32_t reversed_segment(const struct d2_shape *chain, uint32_t i)
{
	return i + 1 < chain->count ? chain->count - 2 - i : i;
}

/* reversed: the points of a chain, which has its segments reversed, too. */
static enum d2_hull_result create_alike(struct memory *memory, const struct d2_shape *shape, const struct d2_vec *points,
	bool reversed, float radius, struct d2_shape **out)
{
	switch (shape->type) {
	case D2_CIRCLE: *out = d2_circle_create(memory, points[0], radius); break;
	case D2_CAPSULE: *out = d2_capsule_create(memory, points[0], points[1], radius); break;
	case D2_SEGMENT: *out = d2_segment_create(memory, points[0], points[1]); break;
	case D2_CHAIN:
		*out = d2_chain_create(memory, points, shape->count, shape->loop, shape->one_sided, &shape->materials);
		for (uint32_t i = 0; *out && reversed && shape->materials.of && i < d2_shape_child_count(shape); ++i)
			(*out)->materials.of[i] = shape->materials.of[reversed_segment(shape, i)];
		break;
	default: return d2_polygon_create(memory, points, shape->count, radius, out);
	}
	return *out ? D2_HULL_OK : D2_HULL_OUT_OF_MEMORY;
}

/* Creates a shape of the same type from the images of its points; a box becomes a polygon. Not for ellipses and half-planes. */
static enum d2_hull_result create_image(struct memory *memory, const struct d2_shape *shape, map_point *image, const void *map,
	bool reversed, float radius, struct d2_shape **out)
{
	size_t size = shape->count * sizeof(struct d2_vec);
	struct d2_vec few[D2_HULL_MAX] = {{0, 0}};
	struct d2_vec *points = shape->count <= D2_HULL_MAX ? few : memory_resize(memory, NULL, 0, size);
	if (points == NULL)
		return D2_HULL_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < shape->count; ++i)
		points[reversed ? shape->count - 1 - i : i] = image(map, shape->points[i]);
	enum d2_hull_result result = create_alike(memory, shape, points, reversed, radius, out);
	for (int end = 0; end < 2 && result == D2_HULL_OK; ++end)
		if (shape->has_ghosts[end])
			d2_chain_set_ghost(*out, reversed ? !end : end, image(map, shape->ghosts[end]));
	if (points != few)
		memory_resize(memory, points, size, 0);
	return result;
}

/* --- Moved ---------------------------------------------------------------------------------------------------------------- */

static struct d2_vec moved_point(const void *map, struct d2_vec p)
{
	const struct d2_pose *pose = map;
	struct d2_vec_d turned = d2_turn_d(d2_exact_rot(pose->q), d2_widen(p));
	return (struct d2_vec){(float)(pose->x + turned.x), (float)(pose->y + turned.y)};
}

/* Moves a half-plane. The offset grows by the component of the pose's position along the rotated normal. */
static struct d2_shape *half_plane_moved(struct memory *memory, const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct d2_vec_d n = d2_turn_d(d2_exact_rot(pose->q), d2_widen(shape->normal));
	return d2_half_plane_create(memory, d2_narrow(n), (float)(shape->offset + n.x * pose->x + n.y * pose->y));
}

enum d2_hull_result d2_shape_moved(
	struct memory *memory, const struct d2_shape *shape, const struct d2_pose *pose, struct d2_shape **out)
{
	struct d2_vec center = moved_point(pose, shape->centroid);
	struct d2_rot rotation = d2_mul_rot(pose->q, shape->rotation);
	float full = 2 * shape->radius;
	switch (shape->type) {
	case D2_BOX:
		*out = d2_box_create(memory, 2 * shape->half.x + full, 2 * shape->half.y + full, center, rotation, shape->radius);
		break;
	case D2_ELLIPSE: *out = d2_ellipse_create(memory, shape->axes.x, shape->axes.y, center, rotation); break;
	case D2_HALF_PLANE: *out = half_plane_moved(memory, shape, pose); break;
	default: return create_image(memory, shape, moved_point, pose, false, shape->radius, out);
	}
	return *out ? D2_HULL_OK : D2_HULL_OUT_OF_MEMORY;
}

/* --- Scaled --------------------------------------------------------------------------------------------------------------- */

/* Directions whose angle's cosine is at most this count as perpendicular: the rounding error of float rotations. */
static const double rounding = 1e-6;

static struct d2_vec_d times(struct d2_vec_d scale, struct d2_vec_d p)
{
	return (struct d2_vec_d){scale.x * p.x, scale.y * p.y};
}

static struct d2_vec scaled_point(const void *map, struct d2_vec p)
{
	return d2_narrow(times(*(const struct d2_vec_d *)map, d2_widen(p)));
}

/* Scales the points of a shape. If the factors mirror, the points of a chain are reversed. */
static enum d2_scaled_result scale_points(
	struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale, struct d2_shape **out)
{
	bool reversed = shape->type == D2_CHAIN && scale.x * scale.y < 0;
	float radius = (float)(shape->radius * abs_d(scale.x));
	enum d2_hull_result result = create_image(memory, shape, scaled_point, &scale, reversed, radius, out);
	return result == D2_HULL_OK ? D2_SCALED_OK : result == D2_HULL_OUT_OF_MEMORY ? D2_SCALED_OUT_OF_MEMORY : D2_SCALED_FLAT;
}

/* Scales a box or ellipse. The images of its axes are the new axes if they are perpendicular; otherwise a box becomes a
 * polygon, and the result for an ellipse is D2_SCALED_SHEARED. A mirror image along the axes is the shape itself. */
static enum d2_scaled_result scale_framed(
	struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale, struct d2_shape **out)
{
	struct d2_rot q = shape->rotation;
	struct d2_vec_d x = times(scale, (struct d2_vec_d){q.c, q.s}), y = times(scale, (struct d2_vec_d){-q.s, q.c});
	double length_x = d2_length_d(x), length_y = d2_length_d(y);
	if (abs_d(d2_dot_d(x, y)) > rounding * length_x * length_y)
		return shape->type == D2_BOX ? scale_points(memory, shape, scale, out) : D2_SCALED_SHEARED;
	struct d2_rot rotation = {.c = (float)(x.x / length_x), .s = (float)(x.y / length_x)};
	struct d2_vec center = scaled_point(&scale, shape->centroid);
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

/* Scales a half-plane: n . p <= offset means n/scale . (scale p) <= offset. */
static struct d2_shape *scale_half_plane(struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale)
{
	struct d2_vec_d n = {shape->normal.x / scale.x, shape->normal.y / scale.y};
	double length = d2_length_d(n);
	return d2_half_plane_create(memory, d2_narrow(d2_scale_d(1 / length, n)), (float)(shape->offset / length));
}

enum d2_scaled_result d2_shape_scaled(
	struct memory *memory, const struct d2_shape *shape, struct d2_vec_d scale, struct d2_shape **out)
{
	if (shape->radius > 0 && shape->type != D2_ELLIPSE && abs_d(scale.x) != abs_d(scale.y))
		return D2_SCALED_UNEVEN;
	if (shape->type == D2_BOX || shape->type == D2_ELLIPSE)
		return scale_framed(memory, shape, scale, out);
	if (shape->type != D2_HALF_PLANE)
		return scale_points(memory, shape, scale, out);
	*out = scale_half_plane(memory, shape, scale);
	return *out ? D2_SCALED_OK : D2_SCALED_OUT_OF_MEMORY;
}
