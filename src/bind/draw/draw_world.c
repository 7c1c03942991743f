/* draw_world.c - draws the shapes of a world, and the overlays but joints: AABBs, tree, contacts and so on. See draw.c. */
#include "bind/draw/draw.h"

/* --- Shapes --------------------------------------------------------------------------------------------------------------- */

static enum meaning meaning_of(const struct body *body, const struct collider *collider)
{
	if (body->set == SET_DISABLED)
		return MEANING_DISABLED;
	if (collider->sensor)
		return MEANING_SENSOR;
	if (body->type == BODY_STATIC)
		return MEANING_STATIC;
	if (body->type == BODY_KINEMATIC)
		return MEANING_KINEMATIC;
	if (body->set == SET_ASLEEP)
		return MEANING_SLEEPING;
	return body->bullet ? MEANING_BULLET : MEANING_AWAKE;
}

/* The colour of the body, which it moves to DRAW_AT_COLOR, instead of the meaning; the meaning if the body has none. */
static enum meaning color_or(lua_State *L, const struct draw *draw, uint32_t body, enum meaning meaning)
{
	if (!draw->object->colored)
		return meaning;
	push_made(L, DRAW_AT_ENVIRONMENT, &class_body, (struct handle){body, draw->object->world->bodies.data[body].generation});
	lua_rawget(L, DRAW_AT_COLORS);
	bool colored = lua_type(L, -1) == LUA_TSTRING;
	lua_replace(L, DRAW_AT_COLOR);
	return colored ? MEANING_OWN : meaning;
}

static void draw_part(lua_State *L, const struct draw *draw, uint32_t collider_id, const struct draw_part *part)
{
	const struct world *world = draw->object->world;
	const struct collider *collider = &world->colliders.data[collider_id];
	enum meaning meaning = color_or(L, draw, collider->body, meaning_of(&world->bodies.data[collider->body], collider));
	drawing_of(draw)->draw(L, draw, meaning, !collider->sensor, part);
}

void draw_disabled(lua_State *L, const struct draw *draw, uint32_t body)
{
	const struct world *world = draw->object->world;
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next) {
		struct draw_part part = draw_part_of(world, c, 0);
		for (; part.child < world->wing->shape_children(part.shape); ++part.child)
			if (draw_part_in_view(draw, &part))
				draw_part(L, draw, c, &part);
	}
}

void draw_shape(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct proxy *proxy = &draw->object->world->proxies.data[id];
	struct draw_part part = draw_part_of(draw->object->world, proxy->collider, proxy->child);
	draw_part(L, draw, proxy->collider, &part);
}

/* --- Overlays ------------------------------------------------------------------------------------------------------------- */

static void call_box(lua_State *L, const struct draw *draw, enum meaning meaning, const struct box *box)
{
	drawing_of(draw)->draw_box(L, draw, meaning, box);
}

void draw_box(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct proxy *proxy = &draw->object->world->proxies.data[id];
	if (!proxy_unbounded(proxy))
		call_box(L, draw, MEANING_BOX, &proxy->box);
}

/* Draws a node of any of the trees, which share their nodes. */
void draw_node(lua_State *L, const struct draw *draw, uint32_t node)
{
	struct box box = tree_node_box(&draw->object->world->trees[HOME_STATIC], node);
	call_box(L, draw, MEANING_TREE, &box);
}

void draw_island(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	struct box around = {{0}, {0}};
	bool empty = true;
	for (uint32_t body = world->islands.data[id].bodies.first; body != NONE; body = world->bodies.data[body].island.next)
		for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next)
			for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next)
				if (!proxy_unbounded(&world->proxies.data[p])) {
					around = empty ? world->proxies.data[p].box : box_union(&around, &world->proxies.data[p].box);
					empty = false;
				}
	if (!empty)
		call_box(L, draw, MEANING_ISLAND, &around);
}

void draw_contact(lua_State *L, const struct draw *draw, uint32_t id)
{
	double rows[CONTACT_POINTS][CONTACT_ROW], normal[3] = {0};
	int axes = draw_axes_of(draw);
	uint32_t count = draw->object->dimension->contact_rows(draw->object->world, id, 0, rows);
	for (uint32_t i = 0; i < count; ++i) {
		const double *row = rows[i], *point = row + axes, impulse = row[2 * axes + 1];
		if (!draw_point_in_view(draw, point))
			continue;
		for (int k = 0; k < axes; ++k)
			normal[k] = row[k] * (double)draw->object->world->settings.length_scale;
		draw_call_point(L, draw, MEANING_CONTACT, point);
		draw_call_arrow(L, draw, MEANING_NORMAL, point, normal, 0.2);
		if (impulse > 0)
			draw_call_arrow(L, draw, MEANING_IMPULSE, point, normal, impulse / (double)draw->largest_impulse);
	}
}

void draw_center(lua_State *L, const struct draw *draw, uint32_t id)
{
	double center[3] = {0};
	if (draw->object->world->bodies.data[id].type == BODY_STATIC)
		return;
	draw->object->dimension->body_center(draw->object->world, id, center);
	draw_call_point(L, draw, MEANING_CENTER, center);
}

void draw_velocity(lua_State *L, const struct draw *draw, uint32_t id)
{
	const struct world *world = draw->object->world;
	double center[3] = {0};
	float v[3] = {0};
	if (world->bodies.data[id].row == NONE)
		return; /* not awake, so at rest */
	body_linear_velocity(world, id, v);
	if (v[0] == 0 && v[1] == 0 && v[2] == 0)
		return;
	const double velocity[] = {(double)v[0], (double)v[1], (double)v[2]};
	draw->object->dimension->body_center(draw->object->world, id, center);
	draw_call_arrow(L, draw, MEANING_VELOCITY, center, velocity, 0.1);
}

void draw_name(lua_State *L, const struct draw *draw, uint32_t id)
{
	if (!call_begin(L, TEXT, MEANING_NAME))
		return;
	int numbers = draw->object->dimension->push_transform(L, draw->object->world, id);
	lua_pop(L, numbers - draw_axes_of(draw)); /* without the rotation */
	push_made(L, DRAW_AT_ENVIRONMENT, &class_body, (struct handle){id, draw->object->world->bodies.data[id].generation});
	lua_rawget(L, DRAW_AT_NAMES);
	if (lua_type(L, -1) == LUA_TSTRING)
		call_end(L);
	else
		lua_settop(L, DRAW_AT_END - 1);
}
