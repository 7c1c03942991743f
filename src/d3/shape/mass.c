/* mass.c - volume, centre of mass and inertia of shapes, by closed forms.
 * They come from moments of the solid, in doubles, about a point near it, so that a shape far from its body's origin loses no
 * precision.
 * Pure, any thread. */
#include "d3/shape/shape_parts.h"

#include <assert.h>

/* sum += s a a^T */
static void add_square(struct d3_spread *sum, double s, struct d3_vec_d a)
{
	sum->xx += s * a.x * a.x;
	sum->yy += s * a.y * a.y;
	sum->zz += s * a.z * a.z;
	sum->xy += s * a.x * a.y;
	sum->xz += s * a.x * a.z;
	sum->yz += s * a.y * a.z;
}

/* sum += s (a b^T + b a^T) */
static void add_product(struct d3_spread *sum, double s, struct d3_vec_d a, struct d3_vec_d b)
{
	sum->xx += 2 * s * a.x * b.x;
	sum->yy += 2 * s * a.y * b.y;
	sum->zz += 2 * s * a.z * b.z;
	sum->xy += s * (a.x * b.y + a.y * b.x);
	sum->xz += s * (a.x * b.z + a.z * b.x);
	sum->yz += s * (a.y * b.z + a.z * b.y);
}

static void add_spread(struct d3_spread *sum, double s, const struct d3_spread *a)
{
	*sum = (struct d3_spread){sum->xx + s * a->xx, sum->yy + s * a->yy, sum->zz + s * a->zz, sum->xy + s * a->xy,
		sum->xz + s * a->xz, sum->yz + s * a->yz};
}

/* --- Shapes with a frame -------------------------------------------------------------------------------------------------- */

/* Moments about its centre of a solid that is symmetric in each axis of q. squares: for each axis, the integral of the squared
 * coordinate along it. */
static struct d3_moments along_axes(struct d3_vec_d center, const struct d3_rot_d *q, double volume, struct d3_vec_d squares)
{
	struct d3_moments out = {.origin = center, .volume = volume};
	add_square(&out.second, squares.x, q->x);
	add_square(&out.second, squares.y, q->y);
	add_square(&out.second, squares.z, q->z);
	return out;
}

/* The integral of x^2 over a box whose core has the half sizes a, b, c, rounded by r: the sum over
 *   the core, and plates at +-x       8abc a^2/3, and 4bc (2/3)((a + r)^3 - a^3)
 *   plates at +-y and +-z             8 a (b + c) r a^2/3
 *   quarter cylinders along x         2 pi r^2 a a^2/3
 *   quarter cylinders along y and z   8 (b + c) R
 *   eight eighths of a ball           8 (pi r^3/6 a^2 + 2 a pi r^4/16 + pi r^5/30)
 * where R = pi r^2/4 a^2 + 2 a r^3/3 + pi r^4/16 is the integral of x^2 over a quarter of a disc, from x = a on. */
static double rounded_square(double a, double b, double c, double r)
{
	double core = 8 * a * b * c + 8 * a * (b + c) * r + 2 * SCALAR_PI * r * r * a;
	double plates = 8 * b * c / 3 * (r * (3 * a * a + 3 * a * r + r * r));
	double rods = 8 * (b + c) * (SCALAR_PI * r * r / 4 * a * a + 2 * a * r * r * r / 3 + SCALAR_PI * r * r * r * r / 16);
	double ball = 8 * SCALAR_PI * r * r * r * (a * a / 6 + a * r / 8 + r * r / 30);
	return core * a * a / 3 + plates + rods + ball;
}

/* Moments of a rounded box: V = 8abc + 8 (ab + bc + ca) r + 2 pi (a + b + c) r^2 + 4/3 pi r^3 (Steiner). */
static struct d3_moments box_moments(const struct d3_shape *shape)
{
	double a = shape->half.x, b = shape->half.y, c = shape->half.z, r = shape->radius;
	double volume =
		8 * a * b * c + 8 * (a * b + b * c + c * a) * r + 2 * SCALAR_PI * (a + b + c) * r * r + 4.0 / 3 * SCALAR_PI * r * r * r;
	struct d3_vec_d squares = {rounded_square(a, b, c, r), rounded_square(b, c, a, r), rounded_square(c, a, b, r)};
	return along_axes(shape->frame.p, &shape->frame.q, volume, squares);
}

/* V = pi r^2 h. Mean squares: r^2/4 across, h^2/12 along. */
static struct d3_moments cylinder_moments(const struct d3_shape *shape)
{
	double r = shape->half.x, h = 2 * (double)shape->half.y, volume = SCALAR_PI * r * r * h;
	return along_axes(shape->frame.p, &shape->frame.q, volume,
		(struct d3_vec_d){volume * r * r / 4, volume * h * h / 12, volume * r * r / 4});
}

/* V = pi r^2 h/3. Mean squares: 3 r^2/20 across, 3 h^2/80 along, about the centre, which is h/4 above the base. */
static struct d3_moments cone_moments(const struct d3_shape *shape)
{
	double r = shape->half.x;
	double h = 2 * (double)shape->half.y;
	double volume = SCALAR_PI * r * r * h / 3;
	double across = 3 * volume * r * r / 20;
	struct d3_vec_d center = d3_mul_add_d(shape->frame.p, -h / 4, shape->frame.q.y);
	return along_axes(center, &shape->frame.q, volume, (struct d3_vec_d){across, 3 * volume * h * h / 80, across});
}

/* V = 4/3 pi abc. Mean square: a^2/5 along each axis. */
static struct d3_moments ellipsoid_moments(struct d3_vec_d center, const struct d3_rot_d *q, struct d3_vec_d half)
{
	double volume = 4.0 / 3 * SCALAR_PI * half.x * half.y * half.z;
	struct d3_vec_d squares = {volume * half.x * half.x / 5, volume * half.y * half.y / 5, volume * half.z * half.z / 5};
	return along_axes(center, q, volume, squares);
}

/* Adds a slice of a solid of revolution about the axis y of q through sum->origin, from y = a to b, where the square of its
 * radius r is c0 + c1 y + c2 y^2:
 *   V = pi int r^2 dy,  first = pi int r^2 y dy,  second along y = pi int r^2 y^2 dy, across = pi/4 int r^4 dy.
 * All integrands have a degree of at most 4; three-point Gauss quadrature is exact up to 5. */
static void add_slice(struct d3_moments *sum, const struct d3_rot_d *q, double a, double b, double c0, double c1, double c2)
{
	static const double nodes[] = {-0.77459666924148337704, 0, 0.77459666924148337704};
	static const double weights[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
	double squares = 0, along = 0, across = 0, first = 0;
	for (int i = 0; i < 3; ++i) {
		double y = 0.5 * (a + b) + 0.5 * (b - a) * nodes[i];
		double square = c0 + y * (c1 + y * c2);
		double part = 0.5 * (b - a) * weights[i] * SCALAR_PI;
		squares += part * square;
		first += part * square * y;
		along += part * square * y * y;
		across += part * square * square / 4;
	}
	sum->volume += squares;
	sum->first = d3_mul_add_d(sum->first, first, q->y);
	add_square(&sum->second, along, q->y);
	add_square(&sum->second, across, q->x);
	add_square(&sum->second, across, q->z);
}

/* The centres of the balls, of radii R and r, are at y = -h and h. The lateral surface touches them at y = -h + R s and h + r
 * s; s = (R - r)/(2 h) is the sine of half its opening angle. The solid is a cap of each ball with a frustum between them. */
static struct d3_moments tapered_moments(const struct d3_shape *shape)
{
	double r = shape->radius;
	double big = r + shape->half.x;
	double h = shape->half.y;
	double s = shape->half.x / (2 * h);
	double square = (1 - s) * (1 + s);
	double low = -h + big * s, high = h + r * s, slope = -s / sqrt(square), at = big * sqrt(square) - slope * low;
	struct d3_moments out = {.origin = shape->frame.p};
	add_slice(&out, &shape->frame.q, -h - big, low, big * big - h * h, -2 * h, -1);
	add_slice(&out, &shape->frame.q, low, high, at * at, 2 * at * slope, slope * slope);
	add_slice(&out, &shape->frame.q, high, h + r, r * r - h * h, 2 * h, -1);
	return out;
}

/* A cylinder of length L and two half balls, whose centroids are 3 r/8 beyond its ends. */
static struct d3_moments capsule_moments(const struct d3_shape *shape)
{
	struct d3_vec_d a = d3_widen(shape->points[0]), b = d3_widen(shape->points[1]), delta = d3_sub_d(b, a);
	double r = shape->radius;
	double length = d3_length_d(delta);
	double rod = SCALAR_PI * r * r * length;
	double ball = 4.0 / 3 * SCALAR_PI * r * r * r;
	double across = rod * r * r / 4 + ball * r * r / 5;
	double along = rod * length * length / 12 + ball * (r * r / 5 + length * length / 4 + 3 * r * length / 8);
	struct d3_moments out = {
		.origin = d3_scale_d(0.5, d3_add_d(a, b)), .volume = rod + ball, .second = {across, across, across, 0, 0, 0}};
	add_square(&out.second, (along - across) / (length * length), delta);
	return out;
}

/* --- Rounded hulls -------------------------------------------------------------------------------------------------------- */

/* The layer that rounding by r adds around a convex body P is swept by the surface of P moving outwards by t = 0..r: a surface
 * point p with unit normal n goes to p + t n. On a face n is constant; on an edge n covers an arc, and the area grows as t; at
 * a corner n covers a spherical polygon, and the area grows as t^2. So a face, edge or corner adds, with w = 1, t or t^2 and
 * <f> the integral of f over p and n,
 *   volume  <1> int w dt,   first  <p> int w dt + <n> int w t dt,
 *   second  <p p^T> int w dt + <p n^T + n p^T> int w t dt + <n n^T> int w t^2 dt.
 * Source: Steiner's formula, 1840, with moments. */
struct layer {
	double size; /* <1> */
	struct d3_vec_d p, n; /* means: <p>/<1>, <n>/<1>; as p and n are independent, <p n^T> = <1> p n^T with these */
	struct d3_spread pp, nn; /* <p p^T>, <n n^T> */
};

static void add_layer(struct d3_moments *sum, const struct layer *layer, int power, double r)
{
	double whole = r / (power + 1), once = r * r / (power + 2), twice = r * r * r / (power + 3);
	for (int i = 0; i < power; ++i) {
		whole *= r;
		once *= r;
		twice *= r;
	}
	sum->volume += whole * layer->size;
	sum->first = d3_mul_add_d(sum->first, whole * layer->size, layer->p);
	sum->first = d3_mul_add_d(sum->first, once * layer->size, layer->n);
	add_spread(&sum->second, whole, &layer->pp);
	add_product(&sum->second, once * layer->size, layer->p, layer->n);
	add_spread(&sum->second, twice, &layer->nn);
}

/* Adds the tetrahedron from a triangle of a face to the origin, and the layer over the triangle. Second moments: V/20 (a a^T +
 * b b^T + c c^T + s s^T), s = a + b + c, for the tetrahedron of volume V; area/12 instead of V/20 for the triangle. */
static void add_triangle(
	struct d3_moments *sum, struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c, struct d3_vec_d normal, double r)
{
	struct d3_vec_d s = d3_add_d(d3_add_d(a, b), c), across = d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a));
	struct d3_spread squares = {0};
	add_square(&squares, 1, a);
	add_square(&squares, 1, b);
	add_square(&squares, 1, c);
	add_square(&squares, 1, s);
	double volume = d3_dot_d(a, d3_cross_d(b, c)) / 6, area = d3_dot_d(normal, across) / 2;
	sum->volume += volume;
	sum->first = d3_mul_add_d(sum->first, volume / 4, s);
	add_spread(&sum->second, volume / 20, &squares);
	struct layer layer = {.size = area, .p = d3_scale_d(1.0 / 3, s), .n = normal};
	add_spread(&layer.pp, area / 12, &squares);
	add_square(&layer.nn, area, normal);
	add_layer(sum, &layer, 0, r);
}

/* The arc of unit vectors n from a to b: theta is its angle, m the unit vector to its middle, t its unit tangent there.
 *   <1> = theta,  <n> = 2 sin(theta/2) m,  <n n^T> = (theta + sin theta)/2 m m^T + (theta - sin theta)/2 t t^T */
struct arc {
	double angle, half_sine, half_cosine;
	struct d3_vec_d middle, along;
};

static bool make_arc(struct d3_vec_d a, struct d3_vec_d b, struct arc *out)
{
	struct d3_vec_d sum = d3_add_d(a, b), difference = d3_sub_d(b, a);
	double length = d3_length_d(sum), width = d3_length_d(difference);
	if (!(length > 0 && width > 0))
		return false;
	*out = (struct arc){2 * scalar_atan2_d(width, length), width / 2, length / 2, d3_scale_d(1 / length, sum),
		d3_scale_d(1 / width, difference)};
	return true;
}

static void add_edge(struct d3_moments *sum, struct d3_vec_d a, struct d3_vec_d b, const struct arc *arc, double r)
{
	double length = d3_length_d(d3_sub_d(b, a)), size = length * arc->angle, sine = 2 * arc->half_sine * arc->half_cosine;
	struct d3_vec_d s = d3_add_d(a, b);
	struct layer layer = {.size = size, .p = d3_scale_d(0.5, s), .n = d3_scale_d(2 * arc->half_sine / arc->angle, arc->middle)};
	add_square(&layer.pp, size / 6, a);
	add_square(&layer.pp, size / 6, b);
	add_square(&layer.pp, size / 6, s);
	add_square(&layer.nn, length * (arc->angle + sine) / 2, arc->middle);
	add_square(&layer.nn, length * (arc->angle - sine) / 2, arc->along);
	add_layer(sum, &layer, 1, r);
}

/* The solid angle A of the spherical triangle of three unit vectors: tan(A/2) = a . b x c / (1 + a.b + b.c + c.a). Source: van
 * Oosterom and Strackee, 1983. */
static double solid_angle(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c)
{
	return 2 * scalar_atan2_d(d3_dot_d(a, d3_cross_d(b, c)), 1 + d3_dot_d(a, b) + d3_dot_d(b, c) + d3_dot_d(c, a));
}

/* Adds the layer at a corner: its n cover the spherical polygon of the normals of the faces around it. <1> is the polygon's
 * area and, by the divergence theorem on the sphere, <n> = 1/2 sum theta k over the arcs of its boundary; k = a x b/|a x b| is
 * the inward unit normal of the plane of an arc from a to b. The <n n^T> of all corners sum to the sphere's, 4/3 pi times the
 * identity, as their polygons cover the sphere: d3_hull_moments adds that once. */
static void add_corner(struct d3_moments *sum, const struct d3_hull *hull, uint32_t corner, double r)
{
	uint32_t first = hull->point_edges[corner], edge = first;
	struct d3_vec_d base = hull->planes[hull->edges[first].face].normal, toward = {0, 0, 0};
	struct d3_vec_d p = d3_sub_d(d3_widen(hull->points[corner]), sum->origin);
	double area = 0;
	do {
		uint32_t next = hull->edges[hull->edges[edge].twin].next; /* clockwise from outside */
		struct d3_vec_d a = hull->planes[hull->edges[next].face].normal, b = hull->planes[hull->edges[edge].face].normal;
		struct arc arc;
		if (make_arc(a, b, &arc)) {
			area += solid_angle(base, a, b);
			toward = d3_mul_add_d(toward, arc.angle / 2, d3_cross_d(arc.middle, arc.along));
		}
		edge = next;
	} while (edge != first);
	if (!(area > 0))
		return;
	struct layer layer = {.size = area, .p = p, .n = d3_scale_d(1 / area, toward)};
	add_square(&layer.pp, area, p);
	add_layer(sum, &layer, 2, r);
}

static struct d3_vec_d mean_point(const struct d3_shape *shape)
{
	struct d3_vec_d sum = {0, 0, 0};
	for (uint32_t i = 0; i < shape->count; ++i)
		sum = d3_add_d(sum, d3_widen(shape->points[i]));
	return d3_scale_d(1.0 / shape->count, sum);
}

struct d3_moments d3_hull_moments(const struct d3_shape *shape)
{
	const struct d3_hull *hull = shape->hull;
	struct d3_moments sum = {.origin = mean_point(shape)};
	double r = shape->radius;
	for (uint32_t i = 0; i < hull->edge_count; ++i) {
		const struct d3_hull_edge *edge = &hull->edges[i], *next = &hull->edges[edge->next];
		struct d3_vec_d a = d3_sub_d(d3_widen(hull->points[edge->origin]), sum.origin);
		struct d3_vec_d b = d3_sub_d(d3_widen(hull->points[next->origin]), sum.origin);
		uint32_t anchor = hull->edges[hull->face_edges[edge->face]].origin;
		struct arc arc;
		if (anchor != edge->origin && anchor != next->origin)
			add_triangle(&sum, d3_sub_d(d3_widen(hull->points[anchor]), sum.origin), a, b, hull->planes[edge->face].normal, r);
		if (r > 0 && i < edge->twin &&
			make_arc(hull->planes[edge->face].normal, hull->planes[hull->edges[edge->twin].face].normal, &arc))
			add_edge(&sum, a, b, &arc, r);
	}
	for (uint32_t i = 0; r > 0 && i < hull->point_count; ++i)
		add_corner(&sum, hull, i, r);
	double ball = 4.0 / 15 * SCALAR_PI * r * r * r * r * r;
	add_spread(&sum.second, ball, &(struct d3_spread){1, 1, 1, 0, 0, 0});
	return sum;
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

static struct d3_moments convex_moments(const struct d3_shape *shape)
{
	double r = shape->radius;
	switch (shape->type) {
	case D3_SPHERE: return ellipsoid_moments(d3_widen(shape->points[0]), &shape->frame.q, (struct d3_vec_d){r, r, r});
	case D3_CAPSULE: return capsule_moments(shape);
	case D3_BOX: return box_moments(shape);
	case D3_HULL: return shape->moments;
	case D3_CYLINDER: return cylinder_moments(shape);
	case D3_CONE: return cone_moments(shape);
	case D3_TAPERED_CAPSULE: return tapered_moments(shape);
	case D3_ELLIPSOID: return ellipsoid_moments(shape->frame.p, &shape->frame.q, d3_widen(shape->half));
	default: return (struct d3_moments){.origin = d3_widen(shape->centroid)};
	}
}

/* Sums the children's moments, about the first child's centroid. A child has them about its own origin, at d from that: with p
 * = q + d, the integral of p p^T is that of q q^T + d q^T + q d^T + V d d^T. */
static struct d3_moments compound_moments(const struct d3_compound *compound)
{
	struct d3_moments sum = {.origin = d3_widen(compound->children[0].shape->centroid)};
	for (uint32_t i = 0; i < compound->count; ++i) {
		struct d3_moments child = convex_moments(compound->children[i].shape);
		struct d3_vec_d delta = d3_sub_d(child.origin, sum.origin);
		sum.volume += child.volume;
		sum.first = d3_add_d(sum.first, d3_mul_add_d(child.first, child.volume, delta));
		add_spread(&sum.second, 1, &child.second);
		add_product(&sum.second, 1, delta, child.first);
		add_square(&sum.second, child.volume, delta);
	}
	return sum;
}

void d3_shape_mass(const struct d3_shape *shape, float density, struct d3_mass *out)
{
	struct d3_moments m = shape->type == D3_COMPOUND ? compound_moments(shape->compound) : convex_moments(shape);
	*out = (struct d3_mass){.center = shape->centroid};
	if (!(m.volume > 0))
		return;
	struct d3_vec_d center = d3_scale_d(1 / m.volume, m.first);
	add_square(&m.second, -m.volume, center);
	out->mass = (float)(density * m.volume);
	out->center = d3_narrow(d3_add_d(m.origin, center));
	out->xx = (float)(density * (m.second.yy + m.second.zz));
	out->yy = (float)(density * (m.second.xx + m.second.zz));
	out->zz = (float)(density * (m.second.xx + m.second.yy));
	out->xy = (float)(0 - density * m.second.xy);
	out->xz = (float)(0 - density * m.second.xz);
	out->yz = (float)(0 - density * m.second.yz);
}
