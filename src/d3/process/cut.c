/* cut.c - see cut.h. */
#include "d3/process/cut.h"

#include <assert.h>
#include <string.h>

/* --- Polyhedra of shapes -------------------------------------------------------------------------------------------------- */

/* Of the directions in which points of round shapes are taken: a pole at either end of the axis y, and rings between them. */
enum { MERIDIANS = 16, RINGS = 7, DIRECTIONS = MERIDIANS * RINGS + 2, AROUND = 32 };
enum { SAMPLES = 1024 }; /* maximum number of points taken */

struct samples {
	uint32_t count;
	struct d3_vec points[SAMPLES];
};

static void take(struct samples *samples, struct d3_vec_d point)
{
	if (samples->count < SAMPLES)
		samples->points[samples->count++] = d3_narrow(point);
}

/* Direction i of the number of rings and meridians; the last two are the poles. */
static struct d3_vec_d direction(int i, int rings, int meridians)
{
	if (i >= rings * meridians)
		return (struct d3_vec_d){0, i == rings * meridians ? 1 : -1, 0};
	int ring = i / meridians + 1;
	struct cos_sin_d up = scalar_cos_sin_d(SCALAR_PI * ((double)ring / (rings + 1) - 0.5));
	struct cos_sin_d around = scalar_cos_sin_d(2 * SCALAR_PI * (i % meridians) / meridians);
	return (struct d3_vec_d){up.cosine * around.cosine, up.sine, up.cosine * around.sine};
}

static void take_ball(struct samples *samples, struct d3_vec_d center, double radius, const struct d3_rot_d *axes)
{
	for (int i = 0; i < DIRECTIONS; ++i)
		take(samples, d3_mul_add_d(center, radius, d3_turn_d(axes, direction(i, RINGS, MERIDIANS))));
}

/* The frame whose axis y is the unit vector. */
static struct d3_rot_d around_axis(struct d3_vec_d y)
{
	struct d3_vec_d x = d3_across_d(y);
	return (struct d3_rot_d){x, y, d3_cross_d(x, y)};
}

/* Takes the points of the widened core that are farthest along a direction. */
static void take_farthest(struct samples *samples, const struct d3_shape *shape, struct d3_vec_d along)
{
	double most = -INFINITY, size = 1e-6 * shape->reach;
	for (uint32_t i = 0; i < shape->count; ++i)
		most = max_d(most, d3_dot_d(along, d3_widen(shape->points[i])));
	for (uint32_t i = 0; i < shape->count; ++i)
		if (d3_dot_d(along, d3_widen(shape->points[i])) >= most - size)
			take(samples, d3_mul_add_d(d3_widen(shape->points[i]), shape->radius, along));
}

/* Box and hull: also along the normals of the faces, unless these are so many that too many corners could result. */
static void take_rounded(struct samples *samples, const struct d3_shape *shape)
{
	struct d3_rot_d axes = d3_exact_rot((struct d3_quat){0, 0, 0, 1});
	const struct d3_hull *hull = shape->hull;
	if (shape->type == D3_BOX)
		axes = shape->frame.q;
	for (int i = 0; i < DIRECTIONS; ++i)
		take_farthest(samples, shape, d3_turn_d(&axes, direction(i, RINGS, MERIDIANS)));
	for (uint32_t i = 0; hull->edge_count < D3_HULL_MAX - DIRECTIONS && i < hull->face_count; ++i)
		take_farthest(samples, shape, hull->planes[i].normal);
}

static struct d3_vec_d in_frame(const struct d3_shape *shape, double x, double y, double z)
{
	struct d3_vec_d p = {x * (double)shape->half.x, y * (double)shape->half.y, z * (double)shape->half.z};
	return d3_transform_point_d(&shape->frame, p);
}

static void take_round(struct samples *samples, const struct d3_shape *shape)
{
	bool cone = shape->type == D3_CONE;
	for (int i = 0; i < AROUND; ++i) {
		struct d3_vec_d d = direction(i, 1, AROUND);
		take(samples, in_frame(shape, d.x, -1, d.z));
		if (!cone || i == 0)
			take(samples, in_frame(shape, cone ? 0 : d.x, 1, cone ? 0 : d.z));
	}
}

static void take_ends(struct samples *samples, const struct d3_vec_d ends[2], const double radii[2])
{
	struct d3_vec_d along = d3_sub_d(ends[1], ends[0]);
	struct d3_rot_d axes = around_axis(d3_scale_d(1 / d3_length_d(along), along));
	for (int i = 0; i < 2; ++i)
		take_ball(samples, ends[i], radii[i], &axes);
}

static void sample(struct samples *samples, const struct d3_shape *shape)
{
	struct d3_vec_d ends[2];
	double radii[2] = {shape->radius, shape->radius};
	switch (shape->type) {
	case D3_SPHERE: take_ball(samples, d3_widen(shape->points[0]), shape->radius, &shape->frame.q); break;
	case D3_CAPSULE:
		ends[0] = d3_widen(shape->points[0]);
		ends[1] = d3_widen(shape->points[1]);
		take_ends(samples, ends, radii);
		break;
	case D3_TAPERED_CAPSULE:
		d3_tapered_ends(shape, ends, radii);
		take_ends(samples, ends, radii);
		break;
	case D3_ELLIPSOID:
		for (int i = 0; i < DIRECTIONS; ++i) {
			struct d3_vec_d d = direction(i, RINGS, MERIDIANS);
			take(samples, in_frame(shape, d.x, d.y, d.z));
		}
		break;
	case D3_CYLINDER:
	case D3_CONE: take_round(samples, shape); break;
	default: take_rounded(samples, shape);
	}
}

static void copy_hull(const struct d3_hull *hull, struct d3_cut *out)
{
	uint32_t face[D3_HULL_MAX], at = 0;
	out->point_count = hull->point_count;
	out->face_count = hull->face_count;
	for (uint32_t i = 0; i < hull->point_count; ++i)
		out->points[i] = d3_widen(hull->points[i]);
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		uint32_t count = d3_hull_face(hull, i, face);
		for (uint32_t k = 0; k < count; ++k)
			out->corners[at++] = (uint16_t)face[k];
		out->ends[i] = (uint16_t)at;
	}
}

/* Lower triangle of a matrix. */
struct triangle {
	double xx, yx, yy, zx, zy, zz;
};

/* The L of S = L L^T (Cholesky), where S are the mean products of the coordinates of points of the solid, about its centroid.
 * With the inertia I per mass these are (tr I)/2 - I. */
static struct triangle spread_root(const struct d3_mass *m)
{
	struct triangle l;
	double half = 0.5 * ((double)m->xx + (double)m->yy + (double)m->zz), per = 1 / (double)m->mass;
	l.xx = sqrt(per * (half - (double)m->xx));
	l.yx = -per * (double)m->xy / l.xx;
	l.zx = -per * (double)m->xz / l.xx;
	l.yy = sqrt(per * (half - (double)m->yy) - l.yx * l.yx);
	l.zy = (-per * (double)m->yz - l.zx * l.yx) / l.yy;
	l.zz = sqrt(per * (half - (double)m->zz) - l.zx * l.zx - l.zy * l.zy);
	return l;
}

/* Maps the points linearly so that their solid, which has the mass properties `own`, gets the centroid and the inertia per mass
 * of `wanted`: with S = L L^T for either, p becomes L_wanted L_own^-1 p. */
static void fit(struct d3_cut *cut, const struct d3_mass *own, const struct d3_mass *wanted)
{
	struct triangle from = spread_root(own), to = spread_root(wanted);
	for (uint32_t i = 0; i < cut->point_count; ++i) {
		struct d3_vec_d p = d3_sub_d(cut->points[i], d3_widen(own->center));
		p.x /= from.xx;
		p.y = (p.y - from.yx * p.x) / from.yy;
		p.z = (p.z - from.zx * p.x - from.zy * p.y) / from.zz;
		p = (struct d3_vec_d){to.xx * p.x, to.yx * p.x + to.yy * p.y, to.zx * p.x + to.zy * p.y + to.zz * p.z};
		cut->points[i] = d3_add_d(d3_widen(wanted->center), p);
	}
}

enum d3_hull_result d3_cut_start(struct memory *memory, const struct d3_shape *shape, struct d3_cut *out)
{
	out->tolerance = 1e-9 * shape->reach;
	if (shape->hull != NULL && !(shape->radius > 0)) {
		copy_hull(shape->hull, out);
		return D3_HULL_OK;
	}
	struct samples *samples = memory_zeroed(memory, sizeof *samples);
	struct d3_shape *hull = NULL;
	if (samples == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	sample(samples, shape);
	enum d3_hull_result result = d3_hull_create(memory, samples->points, samples->count, 0, &hull);
	memory_free(memory, samples, sizeof *samples);
	if (result != D3_HULL_OK)
		return result;
	struct d3_mass own, wanted;
	d3_shape_mass(hull, 1, &own);
	d3_shape_mass(shape, 1, &wanted);
	copy_hull(hull->hull, out);
	fit(out, &own, &wanted);
	d3_shape_release(hull);
	return D3_HULL_OK;
}

/* --- Cutting -------------------------------------------------------------------------------------------------------------- */

enum { UNMAPPED = UINT16_MAX };

/* A polyhedron that is being cut. */
struct cutting {
	const struct d3_cut *from;
	struct d3_cut *out;
	struct d3_vec_d normal;
	double heights[D3_CUT_POINTS]; /* above the plane [length] */
	uint16_t mapped[D3_CUT_POINTS]; /* the new index of each point, or UNMAPPED */
	/* the corners of the new face: points in the plane, and where edges cross it */
	uint32_t rim_count;
	struct rim {
		uint16_t point, a, b; /* a < b: the edge that crosses the plane there; a = b: a point in the plane */
		double angle; /* see turn_of */
	} rim[D3_CUT_POINTS];
	uint32_t corner_count;
	bool full;
};

static uint16_t add_point(struct cutting *c, struct d3_vec_d point)
{
	if (c->out->point_count == D3_CUT_POINTS) {
		c->full = true;
		return 0;
	}
	c->out->points[c->out->point_count] = point;
	return (uint16_t)c->out->point_count++;
}

static void add_rim(struct cutting *c, uint16_t point, uint16_t a, uint16_t b)
{
	if (c->rim_count < D3_CUT_POINTS)
		c->rim[c->rim_count++] = (struct rim){.point = point, .a = a, .b = b};
	else
		c->full = true;
}

static uint16_t keep_point(struct cutting *c, uint16_t i)
{
	if (c->mapped[i] == UNMAPPED) {
		c->mapped[i] = add_point(c, c->from->points[i]);
		if (c->heights[i] >= -c->from->tolerance)
			add_rim(c, c->mapped[i], i, i);
	}
	return c->mapped[i];
}

/* The point where the edge crosses the plane, the same for both faces of the edge. */
static uint16_t cross_edge(struct cutting *c, uint16_t i, uint16_t k)
{
	uint16_t a = i < k ? i : k, b = i < k ? k : i;
	for (uint32_t r = 0; r < c->rim_count; ++r)
		if (c->rim[r].a == a && c->rim[r].b == b)
			return c->rim[r].point;
	struct d3_vec_d p = c->from->points[a];
	double part = c->heights[a] / (c->heights[a] - c->heights[b]);
	uint16_t point = add_point(c, d3_mul_add_d(p, part, d3_sub_d(c->from->points[b], p)));
	add_rim(c, point, a, b);
	return point;
}

static void add_corner(struct cutting *c, uint16_t point)
{
	if (c->corner_count < D3_CUT_CORNERS)
		c->out->corners[c->corner_count++] = point;
	else
		c->full = true;
}

/* Ends a face of the corners added since `first`; drops those of a degenerate one. */
static void end_face(struct cutting *c, uint32_t first)
{
	if (c->corner_count - first < 3)
		c->corner_count = first;
	else if (c->out->face_count < D3_CUT_FACES)
		c->out->ends[c->out->face_count++] = (uint16_t)c->corner_count;
	else
		c->full = true;
}

static void cut_face(struct cutting *c, uint32_t begin, uint32_t end)
{
	const uint16_t *corners = c->from->corners;
	double tolerance = c->from->tolerance;
	uint32_t first = c->corner_count;
	for (uint32_t i = begin; i < end; ++i) {
		uint16_t a = corners[i], b = corners[i + 1 < end ? i + 1 : begin];
		double from = c->heights[a], to = c->heights[b];
		if (from <= tolerance)
			add_corner(c, keep_point(c, a));
		if (min_d(from, to) < -tolerance && max_d(from, to) > tolerance)
			add_corner(c, cross_edge(c, a, b));
	}
	end_face(c, first);
}

/* Rises with the angle of the vector from -pi to pi, from -2 to 2. */
static double turn_of(double x, double y)
{
	double part = y / (abs_d(x) + abs_d(y));
	return x >= 0 ? part : y < 0 ? -2 - part : 2 - part;
}

/* Closes the cut by a face whose corners are the rim's, by their angle about their mean. */
static void close_cut(struct cutting *c)
{
	uint32_t first = c->corner_count;
	struct d3_vec_d mean = {0, 0, 0}, x = d3_across_d(c->normal), y = d3_cross_d(c->normal, x);
	for (uint32_t i = 0; i < c->rim_count; ++i)
		mean = d3_mul_add_d(mean, 1.0 / c->rim_count, c->out->points[c->rim[i].point]);
	for (uint32_t i = 0; i < c->rim_count; ++i) {
		struct rim rim = c->rim[i];
		struct d3_vec_d p = d3_sub_d(c->out->points[rim.point], mean);
		rim.angle = turn_of(d3_dot_d(p, x), d3_dot_d(p, y));
		uint32_t at = i;
		for (; at > 0 && c->rim[at - 1].angle > rim.angle; --at)
			c->rim[at] = c->rim[at - 1];
		c->rim[at] = rim;
	}
	for (uint32_t i = 0; i < c->rim_count; ++i)
		add_corner(c, c->rim[i].point);
	end_face(c, first);
}

enum d3_cut_result d3_cut_by(const struct d3_cut *from, struct d3_vec_d normal, double offset, struct d3_cut *out)
{
	struct cutting c;
	double least = INFINITY, most = -INFINITY;
	for (uint32_t i = 0; i < from->point_count; ++i) {
		c.heights[i] = d3_dot_d(normal, from->points[i]) - offset;
		least = min_d(least, c.heights[i]);
		most = max_d(most, c.heights[i]);
	}
	if (most <= from->tolerance)
		return D3_CUT_WHOLE;
	if (least >= -from->tolerance)
		return D3_CUT_NOTHING;
	c.from = from;
	c.out = out;
	c.normal = normal;
	c.rim_count = c.corner_count = 0;
	c.full = false;
	memset(c.mapped, 0xff, from->point_count * sizeof *c.mapped);
	out->point_count = out->face_count = 0;
	out->tolerance = from->tolerance;
	for (uint32_t i = 0; i < from->face_count; ++i)
		cut_face(&c, i > 0 ? from->ends[i - 1] : 0, from->ends[i]);
	close_cut(&c);
	return c.full ? D3_CUT_TOO_MANY : D3_CUT_PART;
}
