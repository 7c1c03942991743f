/* draw_parts.h - internals shared by draw.c and draw_world.c. See draw.h. */
#pragma once
#include "bind/draw/draw.h"
#include "core/link.h"
#include "core/proxy.h"

#include <string.h>

const struct drawing *drawing_of(const struct draw *draw);

int draw_axes_of(const struct draw *draw);

bool draw_point_in_view(const struct draw *draw, const double point[3]);

struct draw_part draw_part_of(const struct world *world, uint32_t collider, uint32_t child);

bool draw_part_in_view(const struct draw *draw, const struct draw_part *part);

void draw_call_point(lua_State *L, const struct draw *draw, enum meaning meaning, const double point[3]);

/* A segment from a point along `share` times a vector. */
void draw_call_arrow(
	lua_State *L, const struct draw *draw, enum meaning meaning, const double from[3], const double vector[3], double share);

void draw_part(lua_State *L, const struct draw *draw, uint32_t collider_id, const struct draw_part *part);

void draw_disabled(lua_State *L, const struct draw *draw, uint32_t body);

void draw_shape(lua_State *L, const struct draw *draw, uint32_t id);

void draw_box(lua_State *L, const struct draw *draw, uint32_t id);

void draw_static_node(lua_State *L, const struct draw *draw, uint32_t node);

void draw_movable_node(lua_State *L, const struct draw *draw, uint32_t node);

void draw_island(lua_State *L, const struct draw *draw, uint32_t id);

void draw_contact(lua_State *L, const struct draw *draw, uint32_t id);

void draw_joint(lua_State *L, const struct draw *draw, uint32_t id);

void draw_center(lua_State *L, const struct draw *draw, uint32_t id);

void draw_velocity(lua_State *L, const struct draw *draw, uint32_t id);

void draw_name(lua_State *L, const struct draw *draw, uint32_t id);
