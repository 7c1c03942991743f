/* d2_draw.c - draws 2D shapes on a target: see draw.c. */
#include "bind/draw/draw.h"
#include "d2/shape/tiles.h"

static struct d2_pose pose_of(const struct world *world, const struct draw_part *part)
{
	const struct frame3 *frame = part->frame;
	if (frame == NULL)
		return d2_body_pose(world, part->body);
	return (struct d2_pose){frame->origin.x, frame->origin.y, {(float)frame->axes.x.x, (float)frame->axes.x.y}};
}

static void part_box(const struct world *world, const struct draw_part *part, struct box *box)
{
	struct d2_pose pose = pose_of(world, part);
	*box = d2_shape_box(part->shape, part->child, &pose, 0);
}

/* --- Half-planes ---------------------------------------------------------------------------------------------------------- */

/* Clips the area to the half-plane at the pose; the result is counter-clockwise. Returns its number of points, 0 if the
 * half-plane covers none of the area. */
static int half_plane_clip(
	const struct draw *draw, const struct d2_shape *shape, const struct d2_pose *pose, struct d2_vec_d out[5])
{
	const double x1 = draw->area.lower[0], y1 = draw->area.lower[1], x2 = draw->area.upper[0], y2 = draw->area.upper[1];
	const struct d2_vec_d corners[4] = {{x1, y1}, {x2, y1}, {x2, y2}, {x1, y2}};
	struct d2_vec_d n = d2_rotate_d(pose->q, d2_widen(shape->normal));
	double distances[4];
	int count = 0;
	if (!(x1 < x2 && y1 < y2))
		return 0;
	for (int i = 0; i < 4; ++i)
		distances[i] = n.x * (corners[i].x - pose->x) + n.y * (corners[i].y - pose->y) - (double)shape->offset;
	for (int i = 0; i < 4; ++i) {
		const struct d2_vec_d *a = &corners[i], *b = &corners[(i + 1) % 4];
		double from = distances[i], to = distances[(i + 1) % 4];
		if (from <= 0)
			out[count++] = *a;
		if ((from < 0 && to > 0) || (from > 0 && to < 0)) {
			double t = from / (from - to);
			out[count++] = (struct d2_vec_d){a->x + t * (b->x - a->x), a->y + t * (b->y - a->y)};
		}
	}
	return count >= 3 ? count : 0;
}

static bool half_plane_in_view(const struct draw *draw, const struct draw_part *part)
{
	struct d2_pose pose = pose_of(draw->object->world, part);
	struct d2_vec_d points[5];
	return half_plane_clip(draw, part->shape, &pose, points) > 0;
}

static void half_plane_edge(const struct world *world, const struct draw_part *part, double point[3])
{
	const struct d2_shape *shape = part->shape;
	struct d2_pose pose = pose_of(world, part);
	struct d2_vec_d edge = d2_scale_d((double)shape->offset, d2_rotate_d(pose.q, d2_widen(shape->normal)));
	point[0] = pose.x + edge.x;
	point[1] = pose.y + edge.y;
}

/* --- Shapes --------------------------------------------------------------------------------------------------------------- */

static void push_two(lua_State *L, double x, double y)
{
	lua_pushnumber(L, x);
	lua_pushnumber(L, y);
}

/* Pushes a point of the body's frame, transformed to the world in doubles, to be as exact as the body's position. */
static void push_world_point(lua_State *L, const struct d2_pose *pose, double x, double y)
{
	double c = (double)pose->q.c, s = (double)pose->q.s;
	push_two(L, pose->x + (c * x - s * y), pose->y + (s * x + c * y));
}

static void push_world_points(lua_State *L, const struct d2_pose *pose, const struct d2_vec *points, uint32_t count)
{
	for (uint32_t i = 0; i < count; ++i)
		push_world_point(L, pose, (double)points[i].x, (double)points[i].y);
}

static void push_ellipse(lua_State *L, const struct d2_shape *shape, const struct d2_pose *pose)
{
	for (uint32_t i = 0; i < ROUND_POINTS; ++i) {
		struct d2_vec_d p = {
			(double)shape->axes.x * round_cosine(i), (double)shape->axes.y * round_cosine(i + ROUND_POINTS * 3 / 4)};
		p = d2_add_d(d2_widen(shape->points[0]), d2_rotate_d(shape->rotation, p));
		push_world_point(L, pose, p.x, p.y);
	}
}

static void shape_circle(
	lua_State *L, enum meaning meaning, bool solid, const struct d2_shape *shape, const struct d2_pose *pose)
{
	if (!call_begin(L, solid ? SOLID_CIRCLE : CIRCLE, meaning))
		return;
	push_world_points(L, pose, shape->points, 1);
	push_two(L, (double)shape->radius, (double)scalar_atan2(pose->q.s, pose->q.c));
	call_end(L);
}

static void shape_capsule(
	lua_State *L, enum meaning meaning, bool solid, const struct d2_shape *shape, const struct d2_pose *pose)
{
	if (!call_begin(L, solid ? SOLID_CAPSULE : CAPSULE, meaning))
		return;
	push_world_points(L, pose, shape->points, 2);
	lua_pushnumber(L, (double)shape->radius);
	call_end(L);
}

static void shape_segment(lua_State *L, enum meaning meaning, const struct d2_vec *ends, const struct d2_pose *pose)
{
	if (!call_begin(L, SEGMENT, meaning))
		return;
	push_world_points(L, pose, ends, 2);
	call_end(L);
}

/* Cuts the range t[0] .. t[1] of positions on a line, p + t d, to those within the view. False: none is. */
static bool range_cut(const struct draw *draw, struct d2_vec_d p, struct d2_vec_d d, double t[2])
{
	const double from[2] = {p.x, p.y}, along[2] = {d.x, d.y};
	for (int k = 0; k < 2; ++k) {
		double low = draw->view.lower[k] - from[k], high = draw->view.upper[k] - from[k];
		if (along[k] == 0 && (low > 0 || high < 0))
			return false;
		if (along[k] != 0) {
			t[0] = max_d(t[0], min_d(low / along[k], high / along[k]));
			t[1] = min_d(t[1], max_d(low / along[k], high / along[k]));
		}
	}
	return t[0] <= t[1];
}

/* The most strokes of one segment. */
enum { STROKES = 256 };

/* Marks the solid side of a segment of a one-sided chain by short strokes, as ground is drawn in engineering: a 60th of the
 * view's height apart and long, 0.2 lengthScale without a view, or as much more as STROKES demands. */
static void chain_hatch(
	lua_State *L, const struct draw *draw, enum meaning meaning, const struct draw_part *part, const struct d2_pose *pose)
{
	const struct d2_shape *chain = part->shape;
	const struct d2_vec *ends = d2_segment(chain, part->child);
	struct d2_vec_d a = d2_rotate_d(pose->q, d2_widen(ends[0])), b = d2_rotate_d(pose->q, d2_widen(ends[1]));
	struct d2_vec_d p = {pose->x + a.x, pose->y + a.y}, along = d2_sub_d(b, a);
	double length = d2_length_d(along), t[2] = {0, length};
	double size = draw->on[DRAW_VIEW] ? (draw->view.upper[1] - draw->view.lower[1]) / 60
									  : 0.2 * (double)draw->object->world->settings.length_scale;
	if (!(length > 0))
		return;
	along = d2_scale_d(1 / length, along);
	if (!range_cut(draw, p, along, t))
		return;
	size = max_d(size, (t[1] - t[0]) / STROKES);
	if (!(size > 0 && size < 1e30))
		return;
	/* As if all segments were as long as this one, so that short ones share strokes. */
	double first = t[0] + size - fmod(part->child * length + t[0], size);
	struct d2_vec_d stroke = d2_scale_d(0.7 * size, (struct d2_vec_d){-along.y - along.x, along.x - along.y});
	for (int i = 0; i < STROKES && first + i * size <= t[1]; ++i) {
		if (!call_begin(L, SEGMENT, meaning))
			return;
		struct d2_vec_d from = d2_mul_add_d(p, first + i * size, along);
		push_two(L, from.x, from.y);
		push_two(L, from.x + stroke.x, from.y + stroke.y);
		call_end(L);
	}
}

static void shape_polygon(
	lua_State *L, enum meaning meaning, bool solid, const struct d2_shape *shape, const struct d2_pose *pose)
{
	bool ellipse = shape->type == D2_ELLIPSE;
	if (!call_begin(L, solid ? SOLID_POLYGON : POLYGON, meaning))
		return;
	lua_pushnumber(L, ellipse ? 0 : (double)shape->radius); /* an ellipse's radius does not round its outline */
	if (ellipse)
		push_ellipse(L, shape, pose);
	else
		push_world_points(L, pose, shape->points, shape->count);
	call_end(L);
}

static void shape_half_plane(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid,
	const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct d2_vec_d points[5];
	int count = half_plane_clip(draw, shape, pose, points);
	if (count == 0 || !call_begin(L, solid ? SOLID_POLYGON : POLYGON, meaning))
		return;
	lua_pushinteger(L, 0);
	for (int i = 0; i < count; ++i)
		push_two(L, points[i].x, points[i].y);
	call_end(L);
}

/* A segment, hatched on its solid side; or a cell of a sensor. */
static void chain_part(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct draw_part *part,
	const struct d2_pose *pose)
{
	const struct d2_shape *chain = part->shape;
	struct d2_shape area;
	if (chain->stride > 2) {
		d2_tiles_area(chain, part->child, &area);
		shape_polygon(L, meaning, solid, &area, pose);
		return;
	}
	shape_segment(L, meaning, d2_segment(chain, part->child), pose);
	if (chain->one_sided && solid)
		chain_hatch(L, draw, meaning, part, pose);
}

static void draw_part(lua_State *L, const struct draw *draw, enum meaning meaning, bool solid, const struct draw_part *part)
{
	const struct d2_shape *shape = part->shape;
	struct d2_pose pose = pose_of(draw->object->world, part);
	switch (shape->type) {
	case D2_CIRCLE: shape_circle(L, meaning, solid, shape, &pose); break;
	case D2_CAPSULE: shape_capsule(L, meaning, solid, shape, &pose); break;
	case D2_SEGMENT: shape_segment(L, meaning, shape->points, &pose); break;
	case D2_CHAIN: chain_part(L, draw, meaning, solid, part, &pose); break;
	case D2_BOX:
	case D2_POLYGON:
	case D2_ELLIPSE: shape_polygon(L, meaning, solid, shape, &pose); break;
	case D2_HALF_PLANE: shape_half_plane(L, draw, meaning, solid, shape, &pose); break;
	case D2_SHAPE_TYPES: break;
	}
}

static void box_outline(lua_State *L, const struct draw *draw, enum meaning meaning, const struct box *box)
{
	double x1 = (double)box->lower[0], y1 = (double)box->lower[1], x2 = (double)box->upper[0], y2 = (double)box->upper[1];
	(void)draw;
	if (!call_begin(L, POLYGON, meaning))
		return;
	lua_pushinteger(L, 0);
	push_two(L, x1, y1);
	push_two(L, x2, y1);
	push_two(L, x2, y2);
	push_two(L, x1, y2);
	call_end(L);
}

const struct drawing d2_drawing = {
	.part_box = part_box,
	.unbounded_in_view = half_plane_in_view,
	.unbounded_edge = half_plane_edge,
	.draw = draw_part,
	.draw_box = box_outline,
};
