/* dead.h - handles of destroyed objects, which events of the last step and of this one may name: ENV_DEAD and
 * ENV_DEAD_BEFORE. dead_keep and dead_age are in bind.h. */
#pragma once
#include "bind/lua/bind.h"

/* Whether events name objects of the class after their destruction: others are in ENV_DEAD under their handle itself. */
bool dead_named(const struct class *class);
/* Pushes the userdata of the handle if it is in the table at `key`, ENV_DEAD or ENV_DEAD_BEFORE; else pushes nothing and
 * returns false. */
bool push_dead(lua_State *L, int environment, int key, const struct class *class, struct handle handle);
