/* module_parts.h - internals shared by module.c and windows.c. */
#pragma once
#include "view/view.h"

#include <SDL.h>
#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <string.h>

struct canvas *view_canvas_of(lua_State *L);
const char *view_string_at(lua_State *L, int index, size_t *size);
int view_poll(lua_State *L);
int view_set_title(lua_State *L);
