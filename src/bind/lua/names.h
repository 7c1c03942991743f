/* names.h - the known name that was meant by an unknown one. Functions return NULL if there is none. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* The known name that was most likely meant: at a small edit distance or, if `prefixes`, with a common prefix of two letters or
 * more. NULL: none. */
const char *name_near(const char *name, const char *const *known, uint32_t count, bool prefixes);
/* The first known name that ends in this one, whatever the case: linearVelocity for velocity. */
const char *name_ending(const char *name, const char *const *known, uint32_t count);
/* The known option key that means what the name means in LÖVE, LÖVR or Box2D. */
const char *name_foreign(const char *name, const char *const *known, uint32_t count);
/* Whether the list of names, separated by spaces, has the name. */
bool name_listed(const char *list, const char *name);
