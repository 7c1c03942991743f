/* d3_draw.c - draws 3D shapes on a target: see draw.c. Round shapes for which targets have no function become flat faces. */
#include "bind/draw/draw.h"
#include "d3/shape/voxels.h"

#include <math.h>
#include <string.h>

/* Pose of a shape's frame: its point p is at origin + rotation p in the world. */
struct exact_pose {
	struct d3_vec_d origin;
	struct d3_rot_d rotation;
	struct d3_quat q;
};

static struct d3_pose pose_of(const struct world *world, const struct draw_part *part)
{
	if (part->frame == NULL)
		return d3_body_pose(world, part->body);
	const struct mat3 *axes = &part->frame->axes;
	const struct d3_rot_d rotation = {
		{axes->x.x, axes->x.y, axes->x.z}, {axes->y.x, axes->y.y, axes->y.z}, {axes->z.x, axes->z.y, axes->z.z}};
	struct d3_quat_d q = d3_rot_quat_d(&rotation);
	return (struct d3_pose){
		part->frame->origin.x, part->frame->origin.y, part->frame->origin.z, {(float)q.x, (float)q.y, (float)q.z, (float)q.w}};
}

static struct exact_pose exact_pose_of(const struct world *world, const struct draw_part *part)
{
	struct d3_pose pose = pose_of(world, part);
	return (struct exact_pose){{pose.x, pose.y, pose.z}, d3_exact_rot(pose.q), pose.q};
}

static struct d3_vec_d world_point(const struct exact_pose *pose, struct d3_vec_d p)
{
	return d3_add_d(pose->origin, d3_turn_d(&pose->rotation, p));
}

static void part_box(const struct world *world, const struct draw_part *part, struct box *box)
{
	double bounds[6];
	struct d3_pose pose = pose_of(world, part);
	d3_bounds(d3_shape_part(part->shape, part->child), &pose, bounds);
	for (int i = 0; i < 3; ++i) {
		box->lower[i] = round_down_f(bounds[i]);
		box->upper[i] = round_up_f(bounds[3 + i]);
	}
}

/* --- Calls ---------------------------------------------------------------------------------------------------------------- */

/* The arguments of the functions below: how to draw, the shape, and its pose. */
struct pen {
	lua_State *L;
	const struct draw *draw;
	enum meaning meaning;
	bool solid;
	const struct d3_shape *shape;
	struct exact_pose pose;
};

static void push_point(lua_State *L, struct d3_vec_d p)
{
	lua_pushnumber(L, p.x);
	lua_pushnumber(L, p.y);
	lua_pushnumber(L, p.z);
}

/* Draws a flat, convex face, split if it has more points than a target takes at once. */
static void call_face(const struct pen *pen, const struct d3_vec_d *points, uint32_t count)
{
	for (uint32_t first = 1; first + 1 < count; first += DRAW_POINTS - 2) {
		uint32_t end = first + DRAW_POINTS - 1 < count ? first + DRAW_POINTS - 1 : count;
		if (!call_begin(pen->L, pen->solid ? SOLID_POLYGON : POLYGON, pen->meaning))
			return;
		lua_pushinteger(pen->L, 0);
		push_point(pen->L, points[0]);
		for (uint32_t i = first; i < end; ++i)
			push_point(pen->L, points[i]);
		call_end(pen->L);
	}
}

static void call_ball(const struct pen *pen, struct d3_vec_d center, double radius)
{
	const struct d3_quat q = pen->pose.q;
	if (!call_begin(pen->L, pen->solid ? SOLID_CIRCLE : CIRCLE, pen->meaning))
		return;
	push_point(pen->L, center);
	push_numbers(pen->L, 5, (const double[]){radius, (double)q.x, (double)q.y, (double)q.z, (double)q.w});
	call_end(pen->L);
}

static void call_capsule(const struct pen *pen, struct d3_vec_d a, struct d3_vec_d b, double radius)
{
	if (!call_begin(pen->L, pen->solid ? SOLID_CAPSULE : CAPSULE, pen->meaning))
		return;
	push_point(pen->L, a);
	push_point(pen->L, b);
	lua_pushnumber(pen->L, radius);
	call_end(pen->L);
}

/* --- Half-spaces ---------------------------------------------------------------------------------------------------------- */

enum { CUT_POINTS = 10 }; /* maximum number of points of a square cut by six planes */

/* Keeps the part of the polygon on one side of a plane perpendicular to an axis: sign p[axis] <= sign limit. Returns the number
 * of points. Source: Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974. */
static uint32_t polygon_cut(double points[CUT_POINTS][3], uint32_t count, int axis, double sign, double limit)
{
	double out[CUT_POINTS][3];
	uint32_t kept = 0;
	for (uint32_t i = 0; i < count; ++i) {
		const double *a = points[i], *b = points[(i + 1) % count];
		double from = sign * (a[axis] - limit), to = sign * (b[axis] - limit);
		if (from <= 0 && kept < CUT_POINTS)
			memcpy(out[kept++], a, sizeof *out);
		if (((from < 0 && to > 0) || (from > 0 && to < 0)) && kept < CUT_POINTS) {
			for (int k = 0; k < 3; ++k)
				out[kept][k] = a[k] + from / (from - to) * (b[k] - a[k]);
			out[kept++][axis] = limit;
		}
	}
	memcpy(points, out, kept * sizeof *out);
	return kept;
}

/* Computes the part of the half-space's boundary plane inside the area; returns its number of points, 0 if there is none. */
static uint32_t half_space_cut(
	const struct draw *draw, const struct d3_shape *shape, const struct exact_pose *pose, struct d3_vec_d out[CUT_POINTS])
{
	const double *lower = draw->area.lower, *upper = draw->area.upper;
	double points[CUT_POINTS][3];
	struct d3_vec_d n = d3_turn_d(&pose->rotation, shape->normal);
	struct d3_vec_d other = fabs(n.x) < 0.6 ? (struct d3_vec_d){1, 0, 0} : (struct d3_vec_d){0, 1, 0};
	struct d3_vec_d u = d3_cross_d(other, n);
	u = d3_scale_d(1 / d3_length_d(u), u);
	struct d3_vec_d v = d3_cross_d(n, u);
	struct d3_vec_d middle = {(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, (lower[2] + upper[2]) / 2};
	double reach = (upper[0] - lower[0]) + (upper[1] - lower[1]) + (upper[2] - lower[2]);
	struct d3_vec_d closest = d3_mul_add_d(middle, shape->offset - d3_dot_d(n, d3_sub_d(middle, pose->origin)), n);
	uint32_t count = 4;
	for (uint32_t i = 0; i < count; ++i) {
		double along = i == 0 || i == 3 ? -reach : reach, across = i < 2 ? -reach : reach;
		struct d3_vec_d p = d3_mul_add_d(d3_mul_add_d(closest, along, u), across, v);
		points[i][0] = p.x;
		points[i][1] = p.y;
		points[i][2] = p.z;
	}
	for (int axis = 0; axis < 3; ++axis) {
		count = polygon_cut(points, count, axis, 1, upper[axis]);
		count = polygon_cut(points, count, axis, -1, lower[axis]);
	}
	for (uint32_t i = 0; i < count; ++i)
		out[i] = (struct d3_vec_d){points[i][0], points[i][1], points[i][2]};
	return count >= 3 ? count : 0;
}

static bool half_space_in_view(const struct draw *draw, const struct draw_part *part)
{
	struct exact_pose pose = exact_pose_of(draw->object->world, part);
	struct d3_vec_d points[CUT_POINTS];
	return half_space_cut(draw, part->shape, &pose, points) > 0;
}

static void half_space_edge(const struct world *world, const struct draw_part *part, double point[3])
{
	const struct d3_shape *shape = part->shape;
	struct exact_pose pose = exact_pose_of(world, part);
	struct d3_vec_d edge = world_point(&pose, d3_scale_d(shape->offset, shape->normal));
	point[0] = edge.x;
	point[1] = edge.y;
	point[2] = edge.z;
}

/* In a world with gravity, walls and ceilings are only outlined: filled, they would hide everything behind them. */
static void shape_half_space(const struct pen *pen)
{
	struct d3_vec_d points[CUT_POINTS], n = d3_turn_d(&pen->pose.rotation, pen->shape->normal);
	const float *g = pen->draw->object->world->gravity;
	struct d3_vec gravity = {g[0], g[1], g[2]};
	uint32_t count = half_space_cut(pen->draw, pen->shape, &pen->pose, points);
	bool wall = d3_length(gravity) > 0 && d3_dot_d(n, d3_widen(gravity)) > -0.1 * (double)d3_length(gravity);
	struct pen face = *pen;
	face.solid &= !wall;
	call_face(&face, points, count);
}

/* --- Shapes with points --------------------------------------------------------------------------------------------------- */

static struct d3_vec_d point_of(const struct pen *pen, uint32_t point)
{
	return world_point(&pen->pose, d3_widen(d3_shape_point(pen->shape, point)));
}

static void shape_sphere(const struct pen *pen)
{
	call_ball(pen, point_of(pen, 0), (double)pen->shape->radius);
}

static void shape_capsule(const struct pen *pen)
{
	call_capsule(pen, point_of(pen, 0), point_of(pen, 1), (double)pen->shape->radius);
}

static void shape_segment(const struct pen *pen)
{
	if (!call_begin(pen->L, SEGMENT, pen->meaning))
		return;
	push_point(pen->L, point_of(pen, 0));
	push_point(pen->L, point_of(pen, 1));
	call_end(pen->L);
}

static bool face_in_view(const struct draw *draw, const struct d3_vec_d *points, uint32_t count)
{
	struct box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	for (uint32_t i = 0; i < count; ++i) {
		const double p[3] = {points[i].x, points[i].y, points[i].z};
		for (int k = 0; k < 3; ++k) {
			box.lower[k] = min_f(box.lower[k], round_down_f(p[k]));
			box.upper[k] = max_f(box.upper[k], round_up_f(p[k]));
		}
	}
	return box_in_view(draw, &box);
}

/* Draws each edge of a rounded hull as a capsule, once: from the face on which its point numbers ascend. */
static void draw_edges(const struct pen *pen, const uint32_t *points, uint32_t count)
{
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t a = points[i], b = points[(i + 1) % count];
		if (a < b)
			call_capsule(pen, point_of(pen, a), point_of(pen, b), (double)pen->shape->radius);
	}
}

/* Draws a box, hull or mesh. The faces of a rounded one are moved outwards by its radius and, if solid, connected by capsules
 * along the edges. */
static void shape_faces(const struct pen *pen)
{
	uint32_t points[D3_HULL_MAX];
	struct d3_vec_d corners[D3_HULL_MAX];
	bool rounded = pen->shape->hull && pen->shape->radius > 0;
	for (uint32_t face = 0; face < d3_shape_face_count(pen->shape); ++face) {
		uint32_t count = d3_shape_face(pen->shape, face, points);
		struct d3_vec_d out = {0, 0, 0};
		if (rounded)
			out = d3_scale_d((double)pen->shape->radius, d3_turn_d(&pen->pose.rotation, pen->shape->hull->planes[face].normal));
		for (uint32_t i = 0; i < count; ++i)
			corners[i] = d3_add_d(point_of(pen, points[i]), out);
		if (!pen->draw->on[DRAW_VIEW] || face_in_view(pen->draw, corners, count))
			call_face(pen, corners, count);
		if (rounded && pen->solid)
			draw_edges(pen, points, count);
	}
}

static void shape_triangle(const struct pen *pen)
{
	struct d3_vec_d corners[3];
	for (uint32_t i = 0; i < 3; ++i)
		corners[i] = point_of(pen, i);
	call_face(pen, corners, 3);
}

static void shape_voxels(const struct pen *pen)
{
	struct d3_voxel cell;
	for (uint32_t child = 0; child < d3_shape_child_count(pen->shape); ++child) {
		struct d3_vec points[3];
		struct d3_vec_d corners[3];
		if (!d3_voxels_cell_of(pen->shape, child, &cell))
			continue;
		d3_shape_triangle(pen->shape, child, points);
		for (int i = 0; i < 3; ++i)
			corners[i] = world_point(&pen->pose, d3_widen(points[i]));
		if (!pen->draw->on[DRAW_VIEW] || face_in_view(pen->draw, corners, 3))
			call_face(pen, corners, 3);
	}
}

/* --- Round shapes --------------------------------------------------------------------------------------------------------- */

enum { RINGS = ROUND_POINTS / 2 }; /* bands of an ellipsoid, from pole to pole */

/* Converts a point of the unit cylinder, cone or sphere to the world: scales it by the shape's half sizes, then transforms
 * it. */
static struct d3_vec_d round_point(const struct pen *pen, double x, double y, double z)
{
	return world_point(&pen->pose,
		d3_transform_point_d(&pen->shape->frame,
			(struct d3_vec_d){x * (double)pen->shape->half.x, y * (double)pen->shape->half.y, z * (double)pen->shape->half.z}));
}

/* Point i of a circle about the y axis, counted from z towards x. */
static struct d3_vec_d ring_point(const struct pen *pen, uint32_t i, double radius, double y)
{
	return round_point(pen, radius * round_cosine(i + ROUND_POINTS * 3 / 4), y, radius * round_cosine(i));
}

static void draw_cap(const struct pen *pen, double y)
{
	struct d3_vec_d points[ROUND_POINTS];
	for (uint32_t i = 0; i < ROUND_POINTS; ++i)
		points[i] = ring_point(pen, y > 0 ? i : ROUND_POINTS - i, 1, y);
	call_face(pen, points, ROUND_POINTS);
}

/* Draws the faces between two circles about the y axis, one of which may have radius 0. */
static void draw_band(const struct pen *pen, double low, double low_radius, double high, double high_radius)
{
	for (uint32_t i = 0; i < ROUND_POINTS; ++i) {
		struct d3_vec_d points[4];
		uint32_t count = 0;
		points[count++] = ring_point(pen, i, low_radius, low);
		if (low_radius > 0)
			points[count++] = ring_point(pen, i + 1, low_radius, low);
		points[count++] = ring_point(pen, i + 1, high_radius, high);
		if (high_radius > 0)
			points[count++] = ring_point(pen, i, high_radius, high);
		call_face(pen, points, count);
	}
}

static void shape_ellipsoid(const struct pen *pen)
{
	for (uint32_t ring = 0; ring < RINGS; ++ring) {
		double low = -round_cosine(ring), high = -round_cosine(ring + 1);
		double low_radius = ring == 0 ? 0 : round_cosine(ring + ROUND_POINTS * 3 / 4);
		double high_radius = ring + 1 == RINGS ? 0 : round_cosine(ring + 1 + ROUND_POINTS * 3 / 4);
		draw_band(pen, low, low_radius, high, high_radius);
	}
}

static void shape_cylinder(const struct pen *pen)
{
	draw_band(pen, -1, 1, 1, 1);
	draw_cap(pen, -1);
	draw_cap(pen, 1);
}

static void shape_cone(const struct pen *pen)
{
	draw_band(pen, -1, 1, 1, 0);
	draw_cap(pen, -1);
}

/* Draws a sphere at (0, y, 0) in the shape's frame. */
static void draw_end(const struct pen *pen, double y, double radius)
{
	call_ball(pen, world_point(&pen->pose, d3_transform_point_d(&pen->shape->frame, (struct d3_vec_d){0, y, 0})), radius);
}

/* Draws both end spheres, and the cone tangent to them. The axial component of the cone's unit normal is the difference of the
 * radii over the distance of the centres. */
static void shape_tapered_capsule(const struct pen *pen)
{
	double small = (double)pen->shape->radius, large = small + (double)pen->shape->half.x, half = (double)pen->shape->half.y;
	double sine = (large - small) / (2 * half), cosine = sqrt(max_d(1 - sine * sine, 0));
	struct d3_shape cone = {.frame = pen->shape->frame, .half = {1, 1, 1}};
	draw_end(pen, -half, large);
	draw_end(pen, half, small);
	struct pen between = *pen;
	between.shape = &cone;
	draw_band(&between, large * sine - half, large * cosine, small * sine + half, small * cosine);
}

/* --- Height fields -------------------------------------------------------------------------------------------------------- */

/* maximum number of cells drawn per side: a finer field is drawn with larger cells, which skip heights */
enum { HEIGHT_FIELD_CELLS = 128 };

static struct d3_vec_d field_point(const struct pen *pen, uint32_t column, uint32_t row)
{
	const struct d3_height_field *field = pen->shape->height_field;
	struct d3_vec_d p = {field->x + column * field->cell_width,
		(double)field->heights[(size_t)row * field->columns + column] * field->rise, field->z + row * field->cell_depth};
	return world_point(&pen->pose, p);
}

static uint32_t field_next(uint32_t at, uint32_t count, uint32_t stride)
{
	return at + stride < count - 1 ? at + stride : count - 1;
}

static void shape_height_field(const struct pen *pen)
{
	const struct d3_height_field *field = pen->shape->height_field;
	uint32_t points[D3_HULL_MAX];
	uint32_t most = (field->columns > field->rows ? field->columns : field->rows) - 1;
	uint32_t stride = (most + HEIGHT_FIELD_CELLS - 1) / HEIGHT_FIELD_CELLS;
	for (uint32_t row = 0; row < field->rows - 1; row += stride)
		for (uint32_t column = 0; column < field->columns - 1; column += stride) {
			if (d3_shape_face(pen->shape, 2 * (row * (field->columns - 1) + column), points) == 0)
				continue; /* a hole */
			uint32_t right = field_next(column, field->columns, stride), back = field_next(row, field->rows, stride);
			struct d3_vec_d a = field_point(pen, column, row), b = field_point(pen, right, row);
			struct d3_vec_d c = field_point(pen, right, back), d = field_point(pen, column, back);
			const struct d3_vec_d triangles[2][3] = {
				{a, field->mirrored ? b : c, field->mirrored ? c : b}, {a, field->mirrored ? c : d, field->mirrored ? d : c}};
			for (int i = 0; i < 2; ++i)
				if (!pen->draw->on[DRAW_VIEW] || face_in_view(pen->draw, triangles[i], 3))
					call_face(pen, triangles[i], 3);
		}
}

/* --- All shapes ----------------------------------------------------------------------------------------------------------- */

static void draw_part(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct draw_part *part)
{
	static void (*const draws[D3_SHAPE_TYPES])(const struct pen *pen) = {
		[D3_SPHERE] = shape_sphere,
		[D3_CAPSULE] = shape_capsule,
		[D3_SEGMENT] = shape_segment,
		[D3_TRIANGLE] = shape_triangle,
		[D3_BOX] = shape_faces,
		[D3_HULL] = shape_faces,
		[D3_MESH] = shape_faces,
		[D3_CYLINDER] = shape_cylinder,
		[D3_CONE] = shape_cone,
		[D3_TAPERED_CAPSULE] = shape_tapered_capsule,
		[D3_ELLIPSOID] = shape_ellipsoid,
		[D3_HALF_SPACE] = shape_half_space,
		[D3_HEIGHT_FIELD] = shape_height_field,
		[D3_VOXELS] = shape_voxels,
	};
	const struct d3_shape *shape = d3_shape_part(part->shape, part->child);
	struct pen pen = {L, draw, meaning, solid, shape, exact_pose_of(draw->object->world, part)};
	draws[shape->type](&pen); /* compounds are drawn child by child */
}

/* Draws the twelve edges: corner i has the upper coordinate on each axis whose bit is set in i. */
static void box_outline(lua_State *L, const struct draw *draw, enum meaning meaning, const struct box *box)
{
	for (int i = 0; i < 8; ++i)
		for (int axis = 0; axis < 3; ++axis) {
			double from[3], to[3];
			if (i >> axis & 1)
				continue;
			for (int k = 0; k < 3; ++k)
				from[k] = to[k] = (double)(i >> k & 1 ? box->upper[k] : box->lower[k]);
			to[axis] = (double)box->upper[axis];
			call_segment(L, draw, meaning, from, to);
		}
}

const struct drawing d3_drawing = {
	.part_box = part_box,
	.unbounded_in_view = half_space_in_view,
	.unbounded_edge = half_space_edge,
	.draw = draw_part,
	.draw_box = box_outline,
};
