/* d3_draw.c - draws 3D shapes on a target: see draw.c. Round shapes for which targets have no function become flat faces. */
#include "bind/draw/draw.h"

#include <math.h>
#include <string.h>

/* Pose of a shape's frame: its point p is at origin + rotation p in the world. */
struct place {
	struct d3_vec_d origin;
	struct d3_rot_d rotation;
	struct d3_quat q;
};

static struct place place_of(const struct world *world, uint32_t body)
{
	struct d3_pose pose = d3_body_pose(world, body);
	return (struct place){{pose.x, pose.y, pose.z}, d3_exact_rot(pose.q), pose.q};
}

static struct d3_vec_d placed(const struct place *place, struct d3_vec_d p)
{
	return d3_add_d(place->origin, d3_turn_d(&place->rotation, p));
}

static void part_box(const struct world *world, const struct draw_part *part, struct box *box)
{
	double bounds[6];
	struct d3_pose pose = d3_body_pose(world, part->body);
	d3_bounds(d3_shape_part(part->shape, part->child), &pose, bounds);
	for (int i = 0; i < 3; ++i) {
		box->lower[i] = round_down_f(bounds[i]);
		box->upper[i] = round_up_f(bounds[3 + i]);
	}
}

/* --- Calls ---------------------------------------------------------------------------------------------------------------- */

static void push_point(lua_State *L, struct d3_vec_d p)
{
	lua_pushnumber(L, p.x);
	lua_pushnumber(L, p.y);
	lua_pushnumber(L, p.z);
}

static void push_quaternion(lua_State *L, const struct place *place)
{
	lua_pushnumber(L, (double)place->q.x);
	lua_pushnumber(L, (double)place->q.y);
	lua_pushnumber(L, (double)place->q.z);
	lua_pushnumber(L, (double)place->q.w);
}

/* Draws a flat, convex face, split if it has more points than a target takes at once. */
static void call_face(lua_State *L, enum meaning meaning, bool solid, const struct d3_vec_d *points, uint32_t count)
{
	for (uint32_t first = 1; first + 1 < count; first += DRAW_POINTS - 2) {
		uint32_t end = first + DRAW_POINTS - 1 < count ? first + DRAW_POINTS - 1 : count;
		if (!call_begin(L, solid ? SOLID_POLYGON : POLYGON, meaning))
			return;
		lua_pushinteger(L, 0);
		push_point(L, points[0]);
		for (uint32_t i = first; i < end; ++i)
			push_point(L, points[i]);
		call_end(L);
	}
}

static void call_capsule(lua_State *L, enum meaning meaning, bool solid, struct d3_vec_d a, struct d3_vec_d b, double radius)
{
	if (!call_begin(L, solid ? SOLID_CAPSULE : CAPSULE, meaning))
		return;
	push_point(L, a);
	push_point(L, b);
	lua_pushnumber(L, radius);
	call_end(L);
}

/* --- Half-spaces ---------------------------------------------------------------------------------------------------------- */

enum { CUT_POINTS = 10 }; /* of a square cut by six planes */

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

/* The part of the half-space's boundary plane inside the area; returns its number of points, 0 if there is none. */
static uint32_t half_space_cut(
	const struct draw *draw, const struct d3_shape *shape, const struct place *place, struct d3_vec_d out[CUT_POINTS])
{
	const double *lower = draw->area.lower, *upper = draw->area.upper;
	double points[CUT_POINTS][3];
	struct d3_vec_d n = d3_turn_d(&place->rotation, shape->normal);
	struct d3_vec_d other = fabs(n.x) < 0.6 ? (struct d3_vec_d){1, 0, 0} : (struct d3_vec_d){0, 1, 0};
	struct d3_vec_d u = d3_cross_d(other, n);
	u = d3_scale_d(1 / d3_length_d(u), u);
	struct d3_vec_d v = d3_cross_d(n, u);
	struct d3_vec_d middle = {(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, (lower[2] + upper[2]) / 2};
	double reach = (upper[0] - lower[0]) + (upper[1] - lower[1]) + (upper[2] - lower[2]);
	struct d3_vec_d foot = d3_mul_add_d(middle, shape->offset - d3_dot_d(n, d3_sub_d(middle, place->origin)), n);
	uint32_t count = 4;
	for (uint32_t i = 0; i < count; ++i) {
		double along = i == 0 || i == 3 ? -reach : reach, across = i < 2 ? -reach : reach;
		struct d3_vec_d p = d3_mul_add_d(d3_mul_add_d(foot, along, u), across, v);
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
	struct place place = place_of(draw->object->world, part->body);
	struct d3_vec_d points[CUT_POINTS];
	return half_space_cut(draw, part->shape, &place, points) > 0;
}

static void half_space_edge(const struct world *world, const struct draw_part *part, double point[3])
{
	const struct d3_shape *shape = part->shape;
	struct place place = place_of(world, part->body);
	struct d3_vec_d edge = placed(&place, d3_scale_d(shape->offset, shape->normal));
	point[0] = edge.x;
	point[1] = edge.y;
	point[2] = edge.z;
}

/* Walls and ceilings are only outlined: filled, they would hide everything behind them. */
static void shape_half_space(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid,
	const struct d3_shape *shape, const struct place *place)
{
	struct d3_vec_d points[CUT_POINTS], n = d3_turn_d(&place->rotation, shape->normal);
	const float *g = draw->object->world->gravity;
	struct d3_vec gravity = {g[0], g[1], g[2]};
	uint32_t count = half_space_cut(draw, shape, place, points);
	bool wall = d3_length(gravity) > 0 && d3_dot_d(n, d3_widen(gravity)) > -0.1 * (double)d3_length(gravity);
	call_face(L, meaning, solid && !wall, points, count);
}

/* --- Shapes with points --------------------------------------------------------------------------------------------------- */

static struct d3_vec_d point_of(const struct d3_shape *shape, const struct place *place, uint32_t point)
{
	return placed(place, d3_widen(d3_shape_point(shape, point)));
}

static void shape_sphere(
	lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place)
{
	if (!call_begin(L, solid ? SOLID_CIRCLE : CIRCLE, meaning))
		return;
	push_point(L, point_of(shape, place, 0));
	lua_pushnumber(L, (double)shape->radius);
	push_quaternion(L, place);
	call_end(L);
}

static void shape_segment(lua_State *L, enum meaning meaning, const struct d3_shape *shape, const struct place *place)
{
	if (!call_begin(L, SEGMENT, meaning))
		return;
	push_point(L, point_of(shape, place, 0));
	push_point(L, point_of(shape, place, 1));
	call_end(L);
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

/* Draws each edge of a rounded hull once: from the face on which its point numbers ascend. */
static void draw_edges(lua_State *L, enum meaning meaning, const struct d3_shape *shape, const struct place *place,
	const uint32_t *points, uint32_t count)
{
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t a = points[i], b = points[(i + 1) % count];
		if (a < b)
			call_capsule(L, meaning, true, point_of(shape, place, a), point_of(shape, place, b), (double)shape->radius);
	}
}

/* For box, hull, triangle and mesh. A rounded shape's faces are moved outwards by its radius and connected by round edges. */
static void shape_faces(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct d3_shape *shape,
	const struct place *place)
{
	uint32_t points[D3_HULL_MAX];
	struct d3_vec_d corners[D3_HULL_MAX];
	bool rounded = shape->hull && shape->radius > 0;
	for (uint32_t face = 0; face < d3_shape_face_count(shape); ++face) {
		uint32_t count = d3_shape_face(shape, face, points);
		struct d3_vec_d out = {0, 0, 0};
		if (rounded)
			out = d3_scale_d((double)shape->radius, d3_turn_d(&place->rotation, shape->hull->planes[face].normal));
		for (uint32_t i = 0; i < count; ++i)
			corners[i] = d3_add_d(point_of(shape, place, points[i]), out);
		if (!draw->on[DRAW_VIEW] || face_in_view(draw, corners, count))
			call_face(L, meaning, solid, corners, count);
		if (rounded && solid)
			draw_edges(L, meaning, shape, place, points, count);
	}
}

static void shape_triangle(
	lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place)
{
	struct d3_vec_d corners[3];
	for (uint32_t i = 0; i < 3; ++i)
		corners[i] = point_of(shape, place, i);
	call_face(L, meaning, solid, corners, 3);
}

/* --- Round shapes --------------------------------------------------------------------------------------------------------- */

enum { RINGS = ROUND_POINTS / 2 }; /* of an ellipsoid, from pole to pole */

/* Converts a point from the frame of a cylinder, cone or ellipsoid to the world. */
static struct d3_vec_d round_point(const struct d3_shape *shape, const struct place *place, double x, double y, double z)
{
	return placed(place,
		d3_transform_point_d(
			&shape->frame, (struct d3_vec_d){x * (double)shape->half.x, y * (double)shape->half.y, z * (double)shape->half.z}));
}

/* Point i of a ring around y, counted from z towards x. */
static struct d3_vec_d ring_point(const struct d3_shape *shape, const struct place *place, uint32_t i, double radius, double y)
{
	return round_point(shape, place, radius * round_cosine(i + ROUND_POINTS * 3 / 4), y, radius * round_cosine(i));
}

static void draw_cap(
	lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place, double y)
{
	struct d3_vec_d points[ROUND_POINTS];
	for (uint32_t i = 0; i < ROUND_POINTS; ++i)
		points[i] = ring_point(shape, place, y > 0 ? i : ROUND_POINTS - i, 1, y);
	call_face(L, meaning, solid, points, ROUND_POINTS);
}

/* The faces between two rings, one of which may be a point. */
static void draw_band(lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place,
	double low, double low_radius, double high, double high_radius)
{
	for (uint32_t i = 0; i < ROUND_POINTS; ++i) {
		struct d3_vec_d points[4];
		uint32_t count = 0;
		points[count++] = ring_point(shape, place, i, low_radius, low);
		if (low_radius > 0)
			points[count++] = ring_point(shape, place, i + 1, low_radius, low);
		points[count++] = ring_point(shape, place, i + 1, high_radius, high);
		if (high_radius > 0)
			points[count++] = ring_point(shape, place, i, high_radius, high);
		call_face(L, meaning, solid, points, count);
	}
}

static void shape_ellipsoid(
	lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place)
{
	for (uint32_t ring = 0; ring < RINGS; ++ring) {
		double low = -round_cosine(ring), high = -round_cosine(ring + 1);
		double low_radius = ring == 0 ? 0 : round_cosine(ring + ROUND_POINTS * 3 / 4);
		double high_radius = ring + 1 == RINGS ? 0 : round_cosine(ring + 1 + ROUND_POINTS * 3 / 4);
		draw_band(L, meaning, solid, shape, place, low, low_radius, high, high_radius);
	}
}

static void shape_cylinder(
	lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place)
{
	draw_band(L, meaning, solid, shape, place, -1, 1, 1, 1);
	draw_cap(L, meaning, solid, shape, place, -1);
	draw_cap(L, meaning, solid, shape, place, 1);
}

static void shape_cone(lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place)
{
	draw_band(L, meaning, solid, shape, place, -1, 1, 1, 0);
	draw_cap(L, meaning, solid, shape, place, -1);
}

/* Draws a sphere at (0, y, 0) in the shape's frame. */
static void draw_end(lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place,
	double y, double radius)
{
	if (!call_begin(L, solid ? SOLID_CIRCLE : CIRCLE, meaning))
		return;
	push_point(L, placed(place, d3_transform_point_d(&shape->frame, (struct d3_vec_d){0, y, 0})));
	lua_pushnumber(L, radius);
	push_quaternion(L, place);
	call_end(L);
}

/* Both end spheres, and the cone tangent to them: the axial component of its unit normal is the radii's difference over the
 * length. */
static void shape_tapered_capsule(
	lua_State *L, enum meaning meaning, bool solid, const struct d3_shape *shape, const struct place *place)
{
	double small = (double)shape->radius, large = small + (double)shape->half.x, half = (double)shape->half.y;
	double sine = (large - small) / (2 * half), cosine = sqrt(max_d(1 - sine * sine, 0));
	struct d3_shape cone = {.frame = shape->frame, .half = {1, 1, 1}};
	draw_end(L, meaning, solid, shape, place, -half, large);
	draw_end(L, meaning, solid, shape, place, half, small);
	draw_band(L, meaning, solid, &cone, place, large * sine - half, large * cosine, small * sine + half, small * cosine);
}

/* --- Height fields -------------------------------------------------------------------------------------------------------- */

enum { HEIGHT_FIELD_CELLS = 128 }; /* per side, at most: heights of a finer field are skipped */

static struct d3_vec_d terrain_point(
	const struct d3_height_field *terrain, const struct place *place, uint32_t column, uint32_t row)
{
	struct d3_vec_d p = {terrain->x + column * terrain->cell_width,
		(double)terrain->heights[(size_t)row * terrain->columns + column] * terrain->rise,
		terrain->z + row * terrain->cell_depth};
	return placed(place, p);
}

static uint32_t terrain_next(uint32_t at, uint32_t count, uint32_t stride)
{
	return at + stride < count - 1 ? at + stride : count - 1;
}

static void shape_height_field(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid,
	const struct d3_shape *shape, const struct place *place)
{
	const struct d3_height_field *terrain = shape->height_field;
	uint32_t points[D3_HULL_MAX];
	uint32_t most = (terrain->columns > terrain->rows ? terrain->columns : terrain->rows) - 1;
	uint32_t stride = (most + HEIGHT_FIELD_CELLS - 1) / HEIGHT_FIELD_CELLS;
	for (uint32_t row = 0; row < terrain->rows - 1; row += stride)
		for (uint32_t column = 0; column < terrain->columns - 1; column += stride) {
			if (d3_shape_face(shape, 2 * (row * (terrain->columns - 1) + column), points) == 0)
				continue; /* a hole */
			uint32_t right = terrain_next(column, terrain->columns, stride), back = terrain_next(row, terrain->rows, stride);
			struct d3_vec_d a = terrain_point(terrain, place, column, row), b = terrain_point(terrain, place, right, row);
			struct d3_vec_d c = terrain_point(terrain, place, right, back), d = terrain_point(terrain, place, column, back);
			const struct d3_vec_d triangles[2][3] = {{a, terrain->mirrored ? b : c, terrain->mirrored ? c : b},
				{a, terrain->mirrored ? c : d, terrain->mirrored ? d : c}};
			for (int i = 0; i < 2; ++i)
				if (!draw->on[DRAW_VIEW] || face_in_view(draw, triangles[i], 3))
					call_face(L, meaning, solid, triangles[i], 3);
		}
}

/* --- All shapes ----------------------------------------------------------------------------------------------------------- */

static void draw_part(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct draw_part *part)
{
	const struct d3_shape *shape = d3_shape_part(part->shape, part->child);
	struct place place = place_of(draw->object->world, part->body);
	switch (shape->type) {
	case D3_SPHERE: shape_sphere(L, meaning, solid, shape, &place); break;
	case D3_CAPSULE:
		call_capsule(L, meaning, solid, point_of(shape, &place, 0), point_of(shape, &place, 1), (double)shape->radius);
		break;
	case D3_SEGMENT: shape_segment(L, meaning, shape, &place); break;
	case D3_TRIANGLE: shape_triangle(L, meaning, solid, shape, &place); break;
	case D3_BOX:
	case D3_HULL:
	case D3_MESH: shape_faces(L, draw, meaning, solid, shape, &place); break;
	case D3_CYLINDER: shape_cylinder(L, meaning, solid, shape, &place); break;
	case D3_CONE: shape_cone(L, meaning, solid, shape, &place); break;
	case D3_TAPERED_CAPSULE: shape_tapered_capsule(L, meaning, solid, shape, &place); break;
	case D3_ELLIPSOID: shape_ellipsoid(L, meaning, solid, shape, &place); break;
	case D3_HALF_SPACE: shape_half_space(L, draw, meaning, solid, shape, &place); break;
	case D3_HEIGHT_FIELD: shape_height_field(L, draw, meaning, solid, shape, &place); break;
	case D3_COMPOUND:
	case D3_SHAPE_TYPES: break; /* compounds are drawn child by child */
	}
}

/* Draws the twelve edges: corner i has the upper coordinate on each axis whose bit is set in i. */
static void draw_box(lua_State *L, const struct draw *draw, enum meaning meaning, const struct box *box)
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
	.draw_box = draw_box,
};
