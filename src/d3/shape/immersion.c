/* immersion.c - see immersion.h. */
#include "d3/shape/immersion.h"

static struct d3_vec_d wing_vec(struct vec3 a)
{
	return (struct d3_vec_d){a.x, a.y, a.z};
}

static struct vec3 core_vec(struct d3_vec_d a)
{
	return (struct vec3){a.x, a.y, a.z};
}

/* --- Extent --------------------------------------------------------------------------------------------------------------- */

static struct d3_vec_d stretched(const struct d3_shape *shape, struct d3_vec_d local)
{
	return (struct d3_vec_d){(double)shape->half.x * local.x, (double)shape->half.y * local.y, (double)shape->half.z * local.z};
}

/* Above the origin of the frame. */
static double frame_top(const struct d3_shape *shape, struct d3_vec_d n)
{
	struct d3_vec_d local = d3_inv_turn_d(&shape->frame.q, n);
	double across = (double)shape->half.x * sqrt(local.x * local.x + local.z * local.z), h = (double)shape->half.y;
	switch (shape->type) {
	case D3_CYLINDER: return h * abs_d(local.y) + across;
	case D3_CONE: return max_d(h * local.y, across - h * local.y);
	default: return d3_length_d(stretched(shape, local));
	}
}

static double convex_top(const struct d3_shape *shape, struct d3_vec_d n)
{
	double top = -INFINITY;
	struct d3_vec_d ends[2];
	double radii[2];
	switch (shape->type) {
	case D3_CYLINDER:
	case D3_CONE:
	case D3_ELLIPSOID: return d3_dot_d(shape->frame.p, n) + frame_top(shape, n);
	case D3_TAPERED_CAPSULE:
		d3_tapered_ends(shape, ends, radii);
		return max_d(d3_dot_d(ends[0], n) + radii[0], d3_dot_d(ends[1], n) + radii[1]);
	case D3_HALF_SPACE: return d3_dot_d(shape->normal, n) >= 1.0 - 1e-12 ? shape->offset : INFINITY;
	default: break;
	}
	for (uint32_t i = 0; i < shape->count; ++i)
		top = max_d(top, d3_dot_d(d3_widen(shape->points[i]), n));
	return top + (double)shape->radius;
}

double d3_shape_top(const struct d3_shape *shape, struct vec3 direction)
{
	double top = -INFINITY;
	if (d3_shape_surface(shape))
		return INFINITY;
	for (uint32_t i = 0; i < d3_shape_part_count(shape); ++i)
		top = max_d(top, convex_top(d3_shape_part(shape, i), wing_vec(direction)));
	return top;
}

double d3_shape_level(const struct d3_shape *shape, struct vec3 *up)
{
	if (shape->type != D3_HALF_SPACE)
		return d3_shape_top(shape, *up);
	*up = core_vec(shape->normal);
	return shape->offset;
}

/* --- Hulls ---------------------------------------------------------------------------------------------------------------- */

/* Volume and first moment of the part below a plane are sums over the triangles of the surface: each adds the tetrahedron with
 * a point O of the plane. The cut face adds nothing, as O is in its plane. `full` is the volume without the cut. */
struct cut {
	struct d3_vec_d up, origin; /* origin: O */
	double level, volume, full;
	struct d3_vec_d first; /* volume times the centroid, relative to the origin */
	double round, round_below; /* area of rounded edges and corners, and of what is below the plane */
};

/* Six times the volume of the tetrahedron of O and three corners relative to it. */
static double tetrahedron(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c)
{
	return d3_dot_d(a, d3_cross_d(b, c));
}

static void tetrahedron_add(struct cut *cut, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c)
{
	double volume = tetrahedron(a, b, c) / 6.0;
	cut->volume += volume;
	cut->first = d3_mul_add_d(cut->first, volume / 4.0, d3_add_d(d3_add_d(a, b), c));
}

/* The point at height 0 between p, at height a, and q, at height b. */
static struct d3_vec_d crossing(struct d3_vec_d p, double a, struct d3_vec_d q, double b)
{
	return d3_mul_add_d(p, a / (a - b), d3_sub_d(q, p));
}

static void triangle_cut(void *context, const struct d3_vec_d corners[3], bool round)
{
	struct cut *cut = context;
	struct d3_vec_d p[3];
	double height[3], area = 0.0;
	int below = 0, odd = 0;
	for (int i = 0; i < 3; ++i) {
		p[i] = d3_sub_d(corners[i], cut->origin);
		height[i] = d3_dot_d(cut->up, p[i]);
		below += height[i] <= 0.0;
	}
	cut->full += tetrahedron(p[0], p[1], p[2]) / 6.0;
	if (round)
		area = d3_length_d(d3_cross_d(d3_sub_d(p[1], p[0]), d3_sub_d(p[2], p[0])));
	cut->round += area;
	if (below == 0)
		return;
	if (below == 3) {
		cut->round_below += area;
		tetrahedron_add(cut, p[0], p[1], p[2]);
		return;
	}
	while (odd < 2 && (height[odd] <= 0.0) != (below == 1)) /* the corner that is alone on its side */
		++odd;
	int b = (odd + 1) % 3, c = (odd + 2) % 3;
	struct d3_vec_d ab = crossing(p[odd], height[odd], p[b], height[b]), ac = crossing(p[odd], height[odd], p[c], height[c]);
	double tip = height[odd] / (height[odd] - height[b]) * (height[odd] / (height[odd] - height[c]));
	cut->round_below += area * (below == 1 ? tip : 1.0 - tip);
	if (below == 1) {
		tetrahedron_add(cut, p[odd], ab, ac);
	} else {
		tetrahedron_add(cut, ab, p[b], p[c]);
		tetrahedron_add(cut, ab, p[c], ac);
	}
}

static struct immersion whole(const struct d3_shape *shape)
{
	struct d3_mass mass;
	d3_shape_mass(shape, 1.0f, &mass);
	return (struct immersion){(double)mass.mass, core_vec(d3_widen(mass.center))};
}

/* The triangles of a rounded hull leave out some volume, evenly over the area of its edges and corners. */
static struct immersion hull_immersed(const struct d3_shape *shape, struct d3_vec_d up, double level)
{
	struct d3_vec_d first = d3_widen(shape->points[0]);
	struct cut cut = {.up = up, .level = level, .origin = d3_mul_add_d(first, level - d3_dot_d(up, first), up)};
	d3_hull_triangles(shape, triangle_cut, &cut);
	if (!(cut.volume > 0.0))
		return (struct immersion){0};
	struct d3_vec_d center = d3_mul_add_d(cut.origin, 1.0 / cut.volume, cut.first);
	if (cut.round > 0.0)
		cut.volume += (whole(shape).volume - cut.full) * cut.round_below / cut.round;
	return (struct immersion){cut.volume, core_vec(center)};
}

/* --- Balls and ellipsoids ------------------------------------------------------------------------------------------------- */

/* The part of the unit ball below the height k, |k| < 1: with h = 1 + k, V = pi h^2 (3 - h)/3; its centroid is 3 (2 - h)^2 /
 * (4 (3 - h)) below the centre. An ellipsoid is the image of a ball. */
static struct immersion ellipsoid_immersed(const struct d3_shape *shape, struct d3_vec_d up, double level)
{
	struct d3_vec_d along = stretched(shape, d3_inv_turn_d(&shape->frame.q, up));
	double length = d3_length_d(along), h = 1.0 + (level - d3_dot_d(up, shape->frame.p)) / length;
	double size = (double)shape->half.x * (double)shape->half.y * (double)shape->half.z;
	double depth = 0.75 * (2.0 - h) * (2.0 - h) / (3.0 - h);
	struct d3_vec_d local = stretched(shape, d3_scale_d(-depth / length, along));
	return (struct immersion){
		size * SCALAR_PI * h * h * (3.0 - h) / 3.0, core_vec(d3_add_d(shape->frame.p, d3_turn_d(&shape->frame.q, local)))};
}

static struct immersion ball_immersed(const struct d3_shape *shape, struct d3_vec_d up, double level)
{
	double r = shape->radius, h = r + level - d3_dot_d(up, d3_widen(shape->points[0]));
	double depth = 0.75 * (2.0 * r - h) * (2.0 * r - h) / (3.0 * r - h);
	return (struct immersion){
		SCALAR_PI * h * h * (3.0 * r - h) / 3.0, core_vec(d3_mul_add_d(d3_widen(shape->points[0]), -depth, up))};
}

/* --- Solids of revolution ------------------------------------------------------------------------------------------------- */

/* A solid about an axis, cut by the plane n_y y + n_x x = level: y along the axis, x across it, towards `up`. */
struct slices {
	double n_x, n_y, level;
	double volume, along, across; /* volume, and first moments */
};

/* Adds the slice at y of thickness `weight` and radius r: the part of a disc up to s = (level - n_y y)/n_x. With k = s/r, its
 * area is r^2 (pi - acos k + k sqrt(1 - k^2)), and its first moment -2/3 r^3 (1 - k^2)^(3/2). */
static void slice_add(struct slices *sum, double y, double weight, double r)
{
	double s = sum->level - sum->n_y * y, limit = sum->n_x * r;
	if (s <= -limit)
		return;
	double area = SCALAR_PI * r * r, first = 0.0;
	if (s < limit) {
		double k = s / limit, root = sqrt((1.0 - k) * (1.0 + k));
		area = r * r * (SCALAR_PI - scalar_atan2_d(root, k) + k * root);
		first = -2.0 / 3.0 * r * r * r * root * root * root;
	}
	sum->volume += weight * area;
	sum->along += weight * area * y;
	sum->across += weight * first;
}

/* Adds the slices from y = a to b, where the squared radius is c0 + c1 y + c2 y^2, by Gauss quadrature. */
static void range_add(struct slices *sum, double a, double b, double c0, double c1, double c2)
{
	static const double nodes[] = {
		0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959, 0.96028985649753623168};
	static const double weights[] = {
		0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054, 0.10122853629037625915};
	double half = 0.5 * (b - a);
	for (int i = 0; half > 0.0 && i < 8; ++i) {
		double y = 0.5 * (a + b) + (i < 4 ? half : -half) * nodes[i % 4];
		slice_add(sum, y, half * weights[i % 4], sqrt(max_d(c0 + y * (c1 + y * c2), 0.0)));
	}
}

/* The same, divided where the plane begins or ceases to cut the discs: the roots of (level - n_y y)^2 = n_x^2 r^2. */
static void piece_add(struct slices *sum, double a, double b, double c0, double c1, double c2)
{
	double n = sum->n_x * sum->n_x, p = sum->n_y * sum->n_y - n * c2, q = sum->n_y * sum->level + 0.5 * n * c1;
	double square = q * q - p * (sum->level * sum->level - n * c0), ends[4] = {a, a, a, b};
	if (abs_d(p) > 1e-12) {
		double root = sqrt(max_d(square, 0.0)), first = (q - root) / p, second = (q + root) / p;
		ends[1] = clamp_d(min_d(first, second), a, b);
		ends[2] = clamp_d(max_d(first, second), a, b);
	} else if (abs_d(q) > 1e-12) {
		ends[1] = ends[2] = clamp_d((sum->level * sum->level - n * c0) / (2.0 * q), a, b);
	}
	for (int i = 0; i < 3; ++i)
		range_add(sum, ends[i], ends[i + 1], c0, c1, c2);
}

/* A ball's part from y = a to b, about y = c. */
static void cap_add(struct slices *sum, double a, double b, double c, double r)
{
	piece_add(sum, a, b, r * r - c * c, 2.0 * c, -1.0);
}

/* Balls of radii R and r about y = -h and h, with the frustum between them: see tapered_moments in mass.c. */
static void capsule_add(struct slices *sum, double big, double r, double h)
{
	double s = (big - r) / (2.0 * h), square = (1.0 - s) * (1.0 + s), low = -h + big * s, high = h + r * s;
	double slope = -s / sqrt(square), at = big * sqrt(square) - slope * low;
	cap_add(sum, -h - big, low, -h, big);
	piece_add(sum, low, high, at * at, 2.0 * at * slope, slope * slope);
	cap_add(sum, high, h + r, h, r);
}

static void solid_add(struct slices *sum, const struct d3_shape *shape, double half_length)
{
	double r = shape->half.x, h = shape->half.y, slope = -r / (2.0 * h);
	switch (shape->type) {
	case D3_CYLINDER: piece_add(sum, -h, h, r * r, 0.0, 0.0); break;
	case D3_CONE: piece_add(sum, -h, h, 0.25 * r * r, r * slope, slope * slope); break;
	case D3_CAPSULE: capsule_add(sum, (double)shape->radius, (double)shape->radius, half_length); break;
	default: capsule_add(sum, (double)shape->radius + r, (double)shape->radius, h); break;
	}
}

static struct immersion revolved_immersed(const struct d3_shape *shape, struct d3_vec_d up, double level)
{
	struct d3_vec_d origin = shape->frame.p, axis = shape->frame.q.y;
	double half_length = 0.0;
	if (shape->type == D3_CAPSULE) {
		struct d3_vec_d a = d3_widen(shape->points[0]), b = d3_widen(shape->points[1]), delta = d3_sub_d(b, a);
		origin = d3_scale_d(0.5, d3_add_d(a, b));
		half_length = 0.5 * d3_length_d(delta);
		axis = d3_scale_d(0.5 / half_length, delta);
	}
	struct slices sum = {.n_y = d3_dot_d(up, axis), .level = level - d3_dot_d(up, origin)};
	struct d3_vec_d across = d3_mul_add_d(up, -sum.n_y, axis);
	sum.n_x = max_d(d3_length_d(across), 1e-9);
	solid_add(&sum, shape, half_length);
	if (!(sum.volume > 0.0))
		return (struct immersion){0};
	struct d3_vec_d center = d3_mul_add_d(origin, sum.along / sum.volume, axis);
	return (struct immersion){sum.volume, core_vec(d3_mul_add_d(center, sum.across / sum.volume / sum.n_x, across))};
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

static struct immersion convex_immersed(const struct d3_shape *shape, struct d3_vec_d up, double level)
{
	if (shape->type == D3_SEGMENT || shape->type == D3_TRIANGLE || shape->type == D3_HALF_SPACE)
		return (struct immersion){0};
	if (level >= convex_top(shape, up))
		return whole(shape);
	if (level <= -convex_top(shape, d3_neg_d(up)))
		return (struct immersion){0};
	switch (shape->type) {
	case D3_SPHERE: return ball_immersed(shape, up, level);
	case D3_ELLIPSOID: return ellipsoid_immersed(shape, up, level);
	case D3_BOX:
	case D3_HULL: return hull_immersed(shape, up, level);
	default: return revolved_immersed(shape, up, level);
	}
}

struct immersion d3_shape_immersed(const struct d3_shape *shape, struct vec3 up, double level)
{
	struct immersion sum = {0};
	if (d3_shape_surface(shape))
		return sum;
	for (uint32_t i = 0; i < d3_shape_part_count(shape); ++i) {
		struct immersion part = convex_immersed(d3_shape_part(shape, i), wing_vec(up), level);
		sum.volume += part.volume;
		sum.center = vec3_mul_add(sum.center, part.volume, part.center);
	}
	if (sum.volume > 0.0)
		sum.center = vec3_scale(1.0 / sum.volume, sum.center);
	return sum;
}
