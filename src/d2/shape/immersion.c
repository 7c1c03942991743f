/* immersion.c - see immersion.h.
 * Area and first moment of the part below a line are sums over its boundary: of each edge from p to q, the triangle with a
 * point O of the line; of each arc, that of its chord, and the circular segment between chord and arc. The line itself adds
 * nothing, as O is on it. */
#include "d2/shape/immersion.h"

static struct d2_vec_d flat(struct vec3 a)
{
	return (struct d2_vec_d){a.x, a.y};
}

static struct vec3 solid(struct d2_vec_d a)
{
	return (struct vec3){a.x, a.y, 0.0};
}

/* --- Extent --------------------------------------------------------------------------------------------------------------- */

/* The direction in an ellipse's frame, stretched by its half axes: its length is the ellipse's extent from the centre. */
static struct d2_vec_d ellipse_stretch(const struct d2_shape *ellipse, struct d2_vec_d direction)
{
	struct d2_vec_d local = d2_inv_rotate_d(ellipse->rotation, direction);
	return (struct d2_vec_d){(double)ellipse->axes.x * local.x, (double)ellipse->axes.y * local.y};
}

double d2_shape_top(const struct d2_shape *shape, struct vec3 direction)
{
	struct d2_vec_d n = flat(direction);
	double top = -INFINITY;
	if (shape->type == D2_HALF_PLANE)
		return d2_dot_d(d2_widen(shape->normal), n) >= 1.0 - 1e-12 ? (double)shape->offset : INFINITY;
	for (uint32_t i = 0; i < shape->count; ++i)
		top = max_d(top, d2_dot_d(d2_widen(shape->points[i]), n));
	return top + (shape->type == D2_ELLIPSE ? d2_length_d(ellipse_stretch(shape, n)) : (double)shape->radius);
}

double d2_shape_level(const struct d2_shape *shape, struct vec3 *up)
{
	if (shape->type != D2_HALF_PLANE)
		return d2_shape_top(shape, *up);
	*up = solid(d2_widen(shape->normal));
	return (double)shape->offset;
}

/* --- Area below a line ---------------------------------------------------------------------------------------------------- */

/* A half-plane up . p <= level, and the sums over the boundary of what is in it. */
struct cut {
	struct d2_vec_d up, origin; /* origin: the point O of the line */
	double level, area;
	struct d2_vec_d first; /* area times the centroid, relative to the origin */
};

static void triangle_add(struct cut *cut, struct d2_vec_d p, struct d2_vec_d q)
{
	struct d2_vec_d a = d2_sub_d(p, cut->origin), b = d2_sub_d(q, cut->origin);
	double area = 0.5 * d2_cross_d(a, b);
	cut->area += area;
	cut->first = d2_mul_add_d(cut->first, area / 3.0, d2_add_d(a, b));
}

static void edge_add(struct cut *cut, struct d2_vec_d p, struct d2_vec_d q)
{
	double above_p = d2_dot_d(cut->up, p) - cut->level, above_q = d2_dot_d(cut->up, q) - cut->level;
	if (above_p > 0.0 && above_q > 0.0)
		return;
	if (above_p > 0.0)
		p = d2_mul_add_d(p, above_p / (above_p - above_q), d2_sub_d(q, p));
	else if (above_q > 0.0)
		q = d2_mul_add_d(q, above_q / (above_q - above_p), d2_sub_d(p, q));
	triangle_add(cut, p, q);
}

/* The direction at an angle from `up`. */
static struct d2_vec_d direction_at(const struct cut *cut, double angle)
{
	struct cos_sin_d turn = scalar_cos_sin_d(angle);
	return (struct d2_vec_d){turn.cosine * cut->up.x - turn.sine * cut->up.y, turn.sine * cut->up.x + turn.cosine * cut->up.y};
}

/* Adds the arc of radius r about c between two angles from `up`, all below the line. With t the angle between them, the segment
 * has the area r^2/2 (t - sin t), and the first moment 2/3 r^3 sin^3(t/2) about c, towards the arc's middle. */
static void arc_below(struct cut *cut, struct d2_vec_d c, double r, double from, double to)
{
	if (!(to > from))
		return;
	struct cos_sin_d whole = scalar_cos_sin_d(to - from), half = scalar_cos_sin_d(0.5 * (to - from));
	double area = 0.5 * r * r * (to - from - whole.sine), s = half.sine;
	struct d2_vec_d middle = direction_at(cut, 0.5 * (from + to));
	triangle_add(cut, d2_mul_add_d(c, r, direction_at(cut, from)), d2_mul_add_d(c, r, direction_at(cut, to)));
	cut->area += area;
	cut->first = d2_mul_add_d(cut->first, area, d2_sub_d(c, cut->origin));
	cut->first = d2_mul_add_d(cut->first, 2.0 / 3.0 * r * r * r * s * s * s, middle);
}

/* Adds the arc's parts below the line, whose angles from `up` are between a and 2 pi - a, or any turns from there. */
static void arc_add(struct cut *cut, struct d2_vec_d c, double r, double from, double to)
{
	double k = (cut->level - d2_dot_d(cut->up, c)) / r;
	if (k <= -1.0)
		return;
	double a = k >= 1.0 ? 0.0 : scalar_atan2_d(sqrt((1.0 - k) * (1.0 + k)), k);
	for (int turns = -1; turns <= 1; ++turns) {
		double begin = 2.0 * SCALAR_PI * turns + a, end = 2.0 * SCALAR_PI * (turns + 1) - a;
		arc_below(cut, c, r, max_d(from, begin), min_d(to, end));
	}
}

/* Adds the arc about c, counter-clockwise from the direction n to m. */
static void corner_add(struct cut *cut, struct d2_vec_d c, double r, struct d2_vec_d n, struct d2_vec_d m)
{
	double from = scalar_atan2_d(d2_cross_d(cut->up, n), d2_dot_d(cut->up, n));
	arc_add(cut, c, r, from, from + max_d(scalar_atan2_d(d2_cross_d(n, m), d2_dot_d(n, m)), 0.0));
}

static void outline_add(struct cut *cut, const struct d2_shape *shape)
{
	double r = shape->radius;
	for (uint32_t i = 0; i < shape->count; ++i) {
		uint32_t next = i + 1 < shape->count ? i + 1 : 0;
		struct d2_vec_d p = d2_widen(shape->points[i]), q = d2_widen(shape->points[next]), n = shape->edges[i].normal;
		edge_add(cut, d2_mul_add_d(p, r, n), d2_mul_add_d(q, r, n));
		if (r > 0.0)
			corner_add(cut, q, r, n, shape->count == 2 ? d2_neg_d(n) : shape->edges[next].normal);
	}
}

/* A capsule's two ends are half turns, of which rounding must not lose one. */
static void capsule_add(struct cut *cut, const struct d2_shape *shape)
{
	double r = shape->radius;
	for (int i = 0; i < 2; ++i) {
		struct d2_vec_d p = d2_widen(shape->points[i]), q = d2_widen(shape->points[1 - i]), n = shape->edges[i].normal;
		double from = scalar_atan2_d(d2_cross_d(cut->up, n), d2_dot_d(cut->up, n));
		edge_add(cut, d2_mul_add_d(p, r, n), d2_mul_add_d(q, r, n));
		arc_add(cut, q, r, from, from + SCALAR_PI);
	}
}

/* The part of an ellipse is that of the unit circle that it is an image of. */
static struct immersion ellipse_immersed(const struct d2_shape *ellipse, struct d2_vec_d up, double level)
{
	struct d2_vec_d along = ellipse_stretch(ellipse, up), center = d2_widen(ellipse->points[0]);
	double length = d2_length_d(along), a = ellipse->axes.x, b = ellipse->axes.y;
	struct cut cut = {.up = d2_scale_d(1.0 / length, along), .level = (level - d2_dot_d(up, center)) / length};
	cut.origin = d2_scale_d(cut.level, cut.up);
	arc_add(&cut, (struct d2_vec_d){0.0, 0.0}, 1.0, -SCALAR_PI, SCALAR_PI);
	struct d2_vec_d unit = d2_mul_add_d(cut.origin, cut.area > 0.0 ? 1.0 / cut.area : 0.0, cut.first);
	struct d2_vec_d local = {a * unit.x, b * unit.y};
	return (struct immersion){a * b * cut.area, solid(d2_add_d(center, d2_rotate_d(ellipse->rotation, local)))};
}

static struct immersion whole(const struct d2_shape *shape)
{
	struct d2_mass mass;
	d2_shape_mass(shape, 1.0f, &mass);
	return (struct immersion){(double)mass.mass, solid(d2_widen(mass.center))};
}

struct immersion d2_shape_immersed(const struct d2_shape *shape, struct vec3 up, double level)
{
	if (shape->type == D2_SEGMENT || shape->type == D2_CHAIN || shape->type == D2_HALF_PLANE)
		return (struct immersion){0};
	if (level >= d2_shape_top(shape, up))
		return whole(shape);
	if (level <= -d2_shape_top(shape, vec3_scale(-1.0, up)))
		return (struct immersion){0};
	struct d2_vec_d first = d2_widen(shape->points[0]);
	struct cut cut = {.up = flat(up), .level = level};
	cut.origin = d2_mul_add_d(first, level - d2_dot_d(cut.up, first), cut.up);
	switch (shape->type) {
	case D2_ELLIPSE: return ellipse_immersed(shape, cut.up, level);
	case D2_CIRCLE: arc_add(&cut, first, (double)shape->radius, -SCALAR_PI, SCALAR_PI); break;
	case D2_CAPSULE: capsule_add(&cut, shape); break;
	default: outline_add(&cut, shape); break;
	}
	struct d2_vec_d center = d2_mul_add_d(cut.origin, cut.area > 0.0 ? 1.0 / cut.area : 0.0, cut.first);
	return (struct immersion){max_d(cut.area, 0.0), solid(center)};
}

/* --- Facets --------------------------------------------------------------------------------------------------------------- */

static void facet_emit(struct d2_vec_d point, struct d2_vec_d normal, double length, facet_visit *visit, void *context)
{
	visit(context, &(struct facet){solid(point), solid(normal), length, false});
}

static void edge_facets(
	struct d2_vec_d p, struct d2_vec_d q, struct d2_vec_d normal, int count, facet_visit *visit, void *context)
{
	struct d2_vec_d delta = d2_sub_d(q, p);
	for (int i = 0; i < count; ++i)
		facet_emit(d2_mul_add_d(p, (i + 0.5) / count, delta), normal, d2_length_d(delta) / count, visit, context);
}

/* The arc about c of `turn` rad, counter-clockwise from n, with `count` facets for a quarter turn. */
static void arc_facets(
	struct d2_vec_d c, double r, struct d2_vec_d n, double turn, int count, facet_visit *visit, void *context)
{
	int parts = (int)(turn * count / (0.5 * SCALAR_PI) + 1.0);
	struct cos_sin_d half = scalar_cos_sin_d(0.5 * turn / parts), step = scalar_cos_sin_d(turn / parts);
	struct d2_vec_d normal = {half.cosine * n.x - half.sine * n.y, half.sine * n.x + half.cosine * n.y};
	for (int i = 0; i < parts; ++i) {
		facet_emit(d2_mul_add_d(c, r, normal), normal, r * turn / parts, visit, context);
		normal =
			(struct d2_vec_d){step.cosine * normal.x - step.sine * normal.y, step.sine * normal.x + step.cosine * normal.y};
	}
}

static void ellipse_facets(const struct d2_shape *ellipse, int count, facet_visit *visit, void *context)
{
	double a = ellipse->axes.x, b = ellipse->axes.y;
	for (int i = 0; i < 4 * count; ++i) {
		struct cos_sin_d at = scalar_cos_sin_d(0.5 * SCALAR_PI * (i + 0.5) / count);
		struct d2_vec_d across = {b * at.cosine, a * at.sine}; /* normal, as long as the tangent */
		double length = d2_length_d(across);
		struct d2_vec_d point = {a * at.cosine, b * at.sine};
		facet_emit(d2_add_d(d2_widen(ellipse->points[0]), d2_rotate_d(ellipse->rotation, point)),
			d2_rotate_d(ellipse->rotation, d2_scale_d(1.0 / length, across)), length * 0.5 * SCALAR_PI / count, visit, context);
	}
}

static void outline_facets(const struct d2_shape *shape, int count, int arc_count, facet_visit *visit, void *context)
{
	double r = shape->radius;
	for (uint32_t i = 0; i < shape->count; ++i) {
		uint32_t next = i + 1 < shape->count ? i + 1 : 0;
		struct d2_vec_d p = d2_widen(shape->points[i]), q = d2_widen(shape->points[next]), n = shape->edges[i].normal;
		struct d2_vec_d m = shape->edges[next].normal;
		edge_facets(d2_mul_add_d(p, r, n), d2_mul_add_d(q, r, n), n, count, visit, context);
		if (r > 0.0)
			arc_facets(q, r, n, shape->count == 2 ? SCALAR_PI : max_d(scalar_atan2_d(d2_cross_d(n, m), d2_dot_d(n, m)), 0.0),
				arc_count, visit, context);
	}
}

void d2_shape_facets(const struct d2_shape *shape, struct fineness fineness, facet_visit *visit, void *context)
{
	enum { COARSE = 4 };
	int edges = fineness.edge, arcs = fineness.arc > 0 ? fineness.arc : COARSE;
	struct d2_vec_d center = d2_widen(shape->centroid);
	switch (shape->type) {
	case D2_CIRCLE:
		if (fineness.arc == 0)
			visit(context, &(struct facet){solid(center), {0.0, 0.0, 0.0}, 2.0 * (double)shape->radius, true});
		else
			arc_facets(center, (double)shape->radius, (struct d2_vec_d){1.0, 0.0}, 2.0 * SCALAR_PI, arcs, visit, context);
		break;
	case D2_ELLIPSE: ellipse_facets(shape, arcs, visit, context); break;
	case D2_CHAIN:
	case D2_HALF_PLANE: break;
	default: outline_facets(shape, edges, arcs, visit, context); break;
	}
}
