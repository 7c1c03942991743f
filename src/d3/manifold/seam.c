/* seam.c - surfaces that consist of several shapes: tiles, stairs of bricks, planks.
 * A shape that slides from one tile to the next hits the side and edge of the next, which a single shape for both would not
 * have. Two shapes alone cannot tell such a seam from a free edge. But if the shape is in contact with a face of one tile, and
 * the next tile has a face that continues it, only that face may push it.
 * Sources: Catto, "Ghost collisions", box2d.org, 2020; Rouwe, "Enhanced internal edge removal", Jolt Physics, 2024.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

#include "base/float4.h"

/* Least cosine of the angle between the normals of faces that continue each other: 11 degrees. */
static const float continued_cosine = 0.98f;

/* Least cosine of the angle between a normal and that of a face to count as the same: 0.8 degrees. */
static const float face_cosine = 0.9999f;

/* A contact is on a face if the squared difference of their normals is below this: for flat contacts 14 mrad; for round ones
 * 0.1 mrad, since their normal turns slowly past the end of the face. */
static const float flat_square = 2e-4f, round_square = 1e-8f;

/* Height of the lowest point of x above a plane, in the frame of y. */
static float height_over(const struct d3_proxy *x, const struct d3_transform *x_in_y, struct d3_vec n, float offset)
{
	struct d3_vec_d down = d3_widen(d3_neg(d3_inv_rotate(x_in_y->q, n)));
	return d3_dot(n, x_in_y->p) - (float)(d3_core_reach(x, &down) + x->radius) - offset;
}

/* Bit k: whether the inscribed ball about x's centroid, at the first transform, is at most `depth` below face i + k of y. If
 * the ball is deeper, so is x. */
static uint32_t faces_below(
	const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, uint32_t i, float depth)
{
	const struct d3_hull_plane_lanes *f = &y->hull->plane_lanes[i / 4];
	struct d3_vec c = d3_transform_point(*x_in_y, x->centroid);
	float4 heights = c.x * float4_read(f->x) + c.y * float4_read(f->y) + c.z * float4_read(f->z) - float4_read(f->offset);
	return float4_bits(heights >= float4_of(y->radius + x->inner - depth)) & float4_lanes(y->hull->face_count - i);
}

static bool has_faces(const struct d3_shape *shape)
{
	return shape->type == D3_BOX || shape->type == D3_HULL;
}

/* Whether, at each of the transforms, x is above the plane of one face of y, always the same, or at most `depth` below it.
 * Faces whose normal differs from n by less than the square root of `off` do not count. */
static bool is_above(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, uint32_t count,
	struct d3_vec n, float off, float depth)
{
	if (!has_faces(y) || d3_shape_must_be_static(x))
		return false;
	struct d3_polytope solid = d3_polytope_of_hull(y->hull, y->centroid);
	struct d3_proxy proxy;
	bool made = false;
	for (uint32_t i = 0; i < solid.face_count; i += 4) {
		for (uint32_t bits = faces_below(y, x, x_in_y, i, depth); bits; bits &= bits - 1) {
			uint32_t face = i + (uint32_t)__builtin_ctz(bits), above = 0;
			struct d3_vec other = d3_polytope_normal(&solid, face), between = d3_sub(other, n);
			if (d3_dot(between, between) < off)
				continue;
			if (!made)
				d3_make_proxy(x, 0, &proxy);
			made = true;
			float offset = d3_polytope_offset(&solid, face) + y->radius;
			while (above < count && height_over(&proxy, &x_in_y[above], other, offset) >= -depth)
				++above;
			if (above == count)
				return true;
		}
	}
	return false;
}

bool d3_at_border(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, struct d3_vec n,
	bool flat, float speculative)
{
	float depth = max_f(speculative, 0.75f * min_f(y->inner, x->inner));
	return is_above(y, x, x_in_y, 1, n, flat ? flat_square : round_square, depth);
}

bool d3_stays_above(
	const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, uint32_t count, float depth)
{
	return is_above(y, x, x_in_y, count, (struct d3_vec){0, 0, 0}, 0, depth);
}

/* Whether n is the normal of this triangle of a mesh or height field, on either side. */
static bool is_triangle(const struct d3_shape *shape, uint32_t child, struct d3_vec n)
{
	struct d3_proxy triangle;
	d3_make_proxy(shape, child, &triangle);
	const struct d3_vec *p = triangle.own;
	return abs_f(d3_dot(n, d3_normalize(d3_cross(d3_sub(p[1], p[0]), d3_sub(p[2], p[0]))))) > face_cosine;
}

bool d3_is_face(const struct d3_shape *shape, uint32_t child, struct d3_vec n)
{
	float alignment, reach;
	if (d3_shape_must_be_static(shape))
		return shape->type == D3_HALF_SPACE || is_triangle(shape, child, n);
	if (!has_faces(shape))
		return false;
	struct d3_polytope solid = d3_polytope_of_hull(shape->hull, shape->centroid);
	d3_polytope_facing(&solid, n, &alignment, &reach);
	return alignment > face_cosine;
}

/* Sets *out to the contact of x with this face of y alone. */
static void touch_one_face(const struct d3_shape *y, const struct d3_polytope *solid, uint32_t face, const struct d3_proxy *x,
	const struct d3_transform *x_in_y, float speculative, struct d3_local_manifold *out)
{
	struct d3_contact_face of_y, of_x;
	struct d3_frame frame = d3_frame_of(x_in_y);
	d3_polytope_face(solid, NULL, face, &of_y);
	d3_proxy_face(x, &frame, d3_neg(d3_polytope_normal(solid, face)), &of_x);
	struct d3_clip clip = {&of_y, &of_x, y->radius, (float)x->radius, false, speculative};
	d3_clip_face(&clip, out);
	out->triangle = 0;
}

bool d3_face_touched(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y, struct d3_vec n,
	float step, float speculative, struct d3_vec *normal)
{
	if (!has_faces(y) || d3_shape_must_be_static(x))
		return false;
	struct d3_polytope solid = d3_polytope_of_hull(y->hull, y->centroid);
	struct d3_proxy proxy;
	float most = 0;
	d3_make_proxy(x, 0, &proxy);
	for (uint32_t face = 0; face < solid.face_count; ++face) {
		struct d3_vec other = d3_polytope_normal(&solid, face);
		struct d3_local_manifold contact = {.count = 0};
		float along = d3_dot(other, n);
		if (!(along > most && abs_f(height_over(&proxy, x_in_y, other, d3_polytope_offset(&solid, face) + y->radius)) <= step))
			continue;
		touch_one_face(y, &solid, face, &proxy, x_in_y, speculative, &contact);
		if (contact.count > 0) {
			most = along;
			*normal = other;
		}
	}
	return most > 0;
}

bool d3_collide_seam(const struct d3_shape *y, const struct d3_shape *x, const struct d3_transform *x_in_y,
	const struct d3_plane *plane, float step, float speculative, struct d3_local_manifold *out)
{
	float alignment, reach;
	if (!has_faces(y) || d3_shape_must_be_static(x))
		return false;
	struct d3_polytope solid = d3_polytope_of_hull(y->hull, y->centroid);
	uint32_t face = d3_polytope_facing(&solid, plane->normal, &alignment, &reach);
	if (alignment < continued_cosine)
		return false;
	struct d3_proxy proxy;
	d3_make_proxy(x, 0, &proxy);
	struct d3_vec n = d3_polytope_normal(&solid, face);
	float over_plane = height_over(&proxy, x_in_y, plane->normal, plane->offset);
	if (over_plane < -plane->depth ||
		height_over(&proxy, x_in_y, n, d3_polytope_offset(&solid, face) + y->radius) < over_plane - step)
		return false;
	out->triangle = 0;
	out->clearance = 0.0f;
	touch_one_face(y, &solid, face, &proxy, x_in_y, speculative, out);
	return true;
}
