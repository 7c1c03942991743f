/* draw_field.c - draws force fields: the outline of the shape, the origin, the surface of a fluid, and arrows. See draw.c. */
#include "bind/draw/draw.h"
#include "core/field.h"

/* Part `child` of the field's shape, which has one, at the frame. */
static struct draw_part part_of(const struct field *field, uint32_t child, const struct frame3 *frame)
{
	return (struct draw_part){field->shape, child, NONE, frame};
}

static uint32_t part_count(const struct world *world, const struct field *field)
{
	return field->shape == NULL ? 0 : world->wing->shape_children(field->shape);
}

/* A field everywhere is in view if its origin is: only that, and its arrows, are drawn. */
bool draw_field_in_view(const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	const struct field *field = field_at(world, id);
	const struct frame3 frame = field_frame(world, field);
	for (uint32_t child = 0; child < part_count(world, field); ++child) {
		struct draw_part part = part_of(field, child, &frame);
		if (draw_part_in_view(draw, &part))
			return true;
	}
	const struct vec3 origin = frame.origin;
	return field->shape == NULL && draw_point_in_view(draw, (const double[]){origin.x, origin.y, origin.z});
}

/* Draws the segment between two points of the field's frame. */
static void draw_edge(lua_State *L, const struct draw *draw, const struct frame3 *frame, struct vec3 a, struct vec3 b)
{
	const struct vec3 from = frame3_point(frame, a), to = frame3_point(frame, b);
	call_segment(L, draw, MEANING_FIELD, (const double[]){from.x, from.y, from.z}, (const double[]){to.x, to.y, to.z});
}

/* Draws the arrow of a vector of the field's frame, from its origin. */
static void draw_arrow(lua_State *L, const struct draw *draw, const struct frame3 *frame, struct vec3 vector)
{
	if (vec3_dot(vector, vector) > 0.0)
		draw_edge(L, draw, frame, (struct vec3){0.0, 0.0, 0.0}, vec3_scale(0.1, vector));
}

/* Draws the surface of a fluid in a bounded shape, perpendicular to the world's gravity, or to the field's y axis without it,
 * as wide as the shape: a segment, or the edges of a rectangle in 3D. */
static void draw_surface(lua_State *L, const struct draw *draw, const struct field *field, const struct frame3 *frame)
{
	const struct world *world = draw->object->world;
	const struct vec3 gravity = vec3_widen(world->gravity);
	double g = vec3_length(gravity);
	struct vec3 up = g > 0.0 ? frame3_in(frame, vec3_scale(-1.0 / g, gravity)) : (struct vec3){0.0, 1.0, 0.0};
	struct vec3 across[2], lower[2], upper[2], level = vec3_scale(world->wing->shape_level(field->shape, &up), up);
	across[1] = (struct vec3){0.0, 0.0, 1.0};
	if (world->wing->dimensions == 3) {
		across[1] = vec3_cross(up, up.x * up.x < 0.5 ? (struct vec3){1.0, 0.0, 0.0} : (struct vec3){0.0, 1.0, 0.0});
		across[1] = vec3_scale(1.0 / vec3_length(across[1]), across[1]);
	}
	across[0] = vec3_cross(up, across[1]);
	for (int k = 0; k < world->wing->dimensions - 1; ++k) {
		struct vec3 back = vec3_scale(-1.0, across[k]);
		lower[k] = vec3_scale(world->wing->shape_level(field->shape, &back), back);
		upper[k] = vec3_scale(world->wing->shape_level(field->shape, &across[k]), across[k]);
	}
	if (world->wing->dimensions == 2) {
		draw_edge(L, draw, frame, vec3_add(level, lower[0]), vec3_add(level, upper[0]));
		return;
	}
	const struct vec3 corners[4] = {
		vec3_add(lower[0], lower[1]), vec3_add(upper[0], lower[1]), vec3_add(upper[0], upper[1]), vec3_add(lower[0], upper[1])};
	for (int i = 0; i < 4; ++i)
		draw_edge(L, draw, frame, vec3_add(level, corners[i]), vec3_add(level, corners[(i + 1) % 4]));
}

void draw_field(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	const struct field *field = field_at(world, id);
	const struct field_settings *settings = &field->settings;
	const struct frame3 frame = field_frame(world, field);
	for (uint32_t child = 0; child < part_count(world, field); ++child) {
		struct draw_part part = part_of(field, child, &frame);
		drawing_of(draw)->draw(L, draw, MEANING_FIELD, false, &part);
	}
	draw_call_point(L, draw, MEANING_FIELD, (const double[]){frame.origin.x, frame.origin.y, frame.origin.z});
	if (settings->effects & FIELD_GRAVITY)
		draw_arrow(L, draw, &frame, settings->gravity);
	if (settings->effects & FIELD_WIND)
		draw_arrow(L, draw, &frame, settings->wind);
	if ((settings->effects & FIELD_FLUID) == 0)
		return;
	draw_arrow(L, draw, &frame, settings->current);
	if (field->shape != NULL && !world->wing->shape_unbounded(field->shape))
		draw_surface(L, draw, field, &frame);
}
