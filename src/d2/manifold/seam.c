/* seam.c - internal edges of surfaces that several shapes form: tiles, stairs of bricks, planks.
 * A shape that slides from one tile to the next hits the next tile's side and corner, which the tiles as one body would not
 * have. From two shapes alone, such a seam cannot be distinguished from a free corner. But where the shape is in contact with a
 * face of one tile, and the next tile has a face that continues that face, only the next tile's face may push the shape.
 * Sources: Catto, "Ghost collisions", box2d.org, 2020; Rouwe, "Enhanced internal edge removal", Jolt Physics, 2024.
 * Pure, any thread. */
#include "d2/manifold/manifold_parts.h"

/* Cosine of the largest angle at which faces continue each other: 11 degrees. */
static const float continued_cosine = 0.98f;

/* An edge of a shape or a segment of a chain, with its outward normal; solid where n . p <= offset. */
struct face {
	struct d2_vec normal;
	float offset;
	uint32_t edge;
};

static struct face face_of(const struct d2_shape *shape, uint32_t edge)
{
	struct d2_vec n = shape->normals[edge];
	struct d2_vec p = shape->type == D2_CHAIN ? d2_segment(shape, edge)[0] : shape->points[edge];
	return (struct face){n, d2_dot(n, p) + shape->radius, edge};
}

/* Finds the shape's face with the normal nearest to n; of a chain, that of the child. False: the shape is round. */
static bool face_towards(const struct d2_shape *shape, uint32_t child, struct d2_vec n, struct face *out)
{
	if (shape->type == D2_CIRCLE || shape->type == D2_ELLIPSE)
		return false;
	uint32_t best = shape->type == D2_CHAIN ? child : 0;
	for (uint32_t i = 1; shape->type != D2_CHAIN && i < shape->count; ++i)
		if (d2_dot(n, shape->normals[i]) > d2_dot(n, shape->normals[best]))
			best = i;
	*out = face_of(shape, best);
	return true;
}

/* The shape's support point along -n, in its own frame. */
static struct d2_vec lowest_point(const struct d2_shape *shape, struct d2_vec n)
{
	if (shape->type == D2_ELLIPSE) {
		struct d2_transform own = d2_ellipse_frame(shape);
		return d2_transform_point(own, d2_ellipse_lowest(shape, d2_inv_rotate(own.q, n)));
	}
	struct d2_outline outline = d2_outline_of(shape);
	return d2_mul_add(shape->points[d2_deepest_vertex(&outline, n)], -shape->radius, n);
}

static float height_over(const struct d2_shape *x, const struct d2_transform *x_in_y, struct d2_vec n, float offset)
{
	struct d2_vec own = d2_inv_rotate(x_in_y->q, n);
	return d2_dot(own, lowest_point(x, own)) + d2_dot(n, x_in_y->p) - offset;
}

/* Collides x with the face of y alone. */
static void collide_face(const struct d2_shape *y, const struct face *face, const struct d2_shape *x,
	const struct d2_transform *x_in_y, float speculative, struct d2_local_manifold *out)
{
	out->count = 0;
	out->face = true;
	out->border = false;
	out->clearance = 0;
	out->normal = face->normal;
	const struct d2_vec *ends = y->type == D2_CHAIN ? d2_segment(y, face->edge) : y->points + face->edge;
	struct d2_vec own = d2_inv_rotate(x_in_y->q, face->normal), v1 = ends[0], v2 = ends[1];
	if (x->type == D2_CIRCLE || x->type == D2_ELLIPSE) {
		struct d2_vec p = d2_transform_point(*x_in_y, lowest_point(x, own)), t = d2_left_perp(face->normal);
		float separation = d2_dot(face->normal, p) - face->offset;
		if (separation > speculative || d2_dot(t, d2_sub(p, v1)) < 0 || d2_dot(t, d2_sub(p, v2)) > 0)
			return;
		d2_manifold_set_point(out, face->normal, d2_mul_add(p, -0.5f * separation, face->normal), separation, 0);
		return;
	}
	struct d2_outline outline = d2_outline_of(x);
	uint32_t j = d2_facing_edge(&outline, d2_deepest_vertex(&outline, own), own), after = j + 1 < x->count ? j + 1 : 0;
	struct d2_vec u1 = d2_transform_point(*x_in_y, x->points[j]), u2 = d2_transform_point(*x_in_y, x->points[j + 1]);
	uint32_t next = y->type == D2_CHAIN ? face->edge + 1 : face->edge + 1 < y->count ? face->edge + 1 : 0;
	struct d2_edges edges = {face->normal, v1, v2, u1, u2, face->edge, next, j, after, y->radius, x->radius, 0, false};
	d2_clip_edges(&edges, D2_CLIP_FACE, speculative, d2_indifference(speculative), out);
}

/* Whether d2_collide would put x's vertex first in ids: a polygon of more than two edges comes before one of two; otherwise A
 * comes first. */
static bool comes_first(const struct d2_shape *x, const struct d2_shape *y, bool x_is_first)
{
	bool thin_x = x->count == 2, thin_y = y->count == 2;
	return thin_x == thin_y ? x_is_first : thin_y;
}

bool d2_collide_seam(const struct d2_shape *y, uint32_t child, const struct d2_shape *x, const struct d2_transform *x_in_y,
	const struct d2_plane *plane, float step, bool x_is_first, float speculative, struct d2_local_manifold *out)
{
	struct face face;
	if (y->type == D2_HALF_PLANE || x->type == D2_HALF_PLANE || x->type == D2_CHAIN)
		return false;
	if (!face_towards(y, child, plane->normal, &face) || d2_dot(plane->normal, face.normal) < continued_cosine)
		return false;
	float over_plane = height_over(x, x_in_y, plane->normal, plane->offset);
	if (over_plane < -plane->depth || height_over(x, x_in_y, face.normal, face.offset) < over_plane - step)
		return false;
	collide_face(y, &face, x, x_in_y, speculative, out);
	for (int i = 0; i < out->count && comes_first(x, y, x_is_first); ++i)
		out->points[i].id = out->points[i].id >> 8 | (out->points[i].id & 0xff) << 8;
	return true;
}

bool d2_stays_above(const struct d2_shape *y, uint32_t child, const struct d2_shape *x, const struct d2_transform *transforms,
	uint32_t count, float depth)
{
	if (y->count < 2 || x->type == D2_CHAIN || x->type == D2_HALF_PLANE)
		return false;
	uint32_t begin = y->type == D2_CHAIN ? child : 0, end = y->type == D2_CHAIN ? child + 1 : y->count;
	uint32_t sides = y->type == D2_CHAIN && !y->one_sided ? 2 : 1;
	for (uint32_t i = begin * sides; i < end * sides; ++i) {
		struct face face = face_of(y, i / sides);
		if (i % sides == 1)
			face = (struct face){d2_neg(face.normal), -face.offset, face.edge};
		uint32_t above = 0;
		while (above < count && height_over(x, &transforms[above], face.normal, face.offset) >= -depth)
			++above;
		if (above == count)
			return true;
	}
	return false;
}
