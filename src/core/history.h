/* history.h - the last ticks of a world, to go back to one of them.
 * A history has a copy of the world's records as they were at its last tick, and for each tick before the words that have
 * changed since. So a tick takes memory for what changed in it, and what sleeps or never moves takes none. Going back puts the
 * words back, tick by tick, and then copies what differs into the world.
 * Shapes and curves of destroyed colliders, fields and joints live as long as a history may bring these back: see kept.h.
 * Edits of tiles change shapes in place, and so clear histories. Serial, and between steps. */
#pragma once
#include "core/kept.h"

struct history;

/* Makes an empty history of up to `ticks` > 0 ticks. NULL: no memory. The world destroys it with itself. */
struct history *history_create(struct world *world, uint32_t ticks);
void history_destroy(struct history *history); /* NULL: does nothing */

/* Adds the world's present state as that of world->tick, in place of that tick and later ones if they are there already. False:
 * no memory; the history has lost later ticks, and else is unchanged. */
bool history_push(struct history *history);
/* Whether the history has the tick. */
bool history_has(const struct history *history, uint64_t tick);
/* Takes the world back to a tick that the history has, which becomes its last one. There are no events then. False: no memory;
 * nothing has changed. */
bool history_rewind(struct history *history, uint64_t tick);
/* Whether objects have been created, destroyed or given other shapes since the tick, which the history has: if not, all handles
 * find the same objects as then. */
bool history_lives_differ(const struct history *history, uint64_t tick);
/* Forgets all ticks. */
void history_clear(struct history *history);
/* The first and the last tick. False: there are none. */
bool history_range(const struct history *history, uint64_t *first, uint64_t *last);
size_t history_bytes(const struct history *history);
struct history *history_next(const struct history *history); /* of the same world, or NULL */
/* Gives the histories of a world to one that takes its place: they are empty then. Room is reserved by kept_reserve. */
void histories_move(struct world *world, struct world *from);

/* Clears all histories. */
void histories_clear(struct world *world);
/* Destroys all histories, and what is kept. */
void histories_destroy(struct world *world);
