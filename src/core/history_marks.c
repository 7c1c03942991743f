/* history_marks.c - see history_marks.h. */
#include "core/history_marks.h"

/* The world's marks that a scan gets. */
static const struct bits *world_marks(const struct world *world, int scan)
{
	switch (scan) {
	case SCAN_MARKED_BODIES: return &world->touched[TOUCHED_BODIES];
	case SCAN_TREES: return &world->leaves.touched;
	case SCAN_FIELD_TREE: return &world->fields.room.touched;
	default: return &world->touched[scan];
	}
}

bool marks_reserve(struct marks *marks, const struct world *world)
{
	for (int scan = 0; scan < SCAN_KINDS; ++scan)
		if (!bits_reserve(world->memory, &marks->ids[scan], 64 * world_marks(world, scan)->word_count))
			return false;
	return bits_reserve(world->memory, &marks->solved, 64 * world->touched[TOUCHED_MANIFOLDS].word_count);
}

void marks_add(struct marks *marks, const struct world *world)
{
	for (int scan = 0; scan < SCAN_KINDS; ++scan)
		bits_add_all(&marks->ids[scan], world_marks(world, scan));
}

void world_marks_clear(struct world *world)
{
	for (int kind = 0; kind < TOUCHED_KINDS; ++kind)
		bits_clear_all(&world->touched[kind]);
	bits_clear_all(&world->leaves.touched);
	bits_clear_all(&world->fields.room.touched);
}

/* Adds the links of the solver. */
static void links_add(struct bits *ids, const struct world *world, int solver)
{
	for (uint32_t colours = world->used_colours[solver]; colours != 0; colours &= colours - 1) {
		const struct colour *colour = &world->colours[__builtin_ctz(colours)];
		for (uint32_t i = 0; i < colour->links[solver].count; ++i)
			bits_set(ids, colour->links[solver].data[i].id);
	}
}

/* Adds the contacts that are solved. If these are most of the awake and following ones, it adds all of those: in heaps,
 * recording the rest takes less time than listing the solved ones. */
static void solved_add(struct bits *solved, const struct world *world)
{
	uint32_t count = 0;
	for (uint32_t colours = world->used_colours[0]; colours != 0; colours &= colours - 1)
		count += world->colours[__builtin_ctz(colours)].links[0].count;
	if (2 * count < bits_count(&world->awake_contacts) + bits_count(&world->following_contacts)) {
		links_add(solved, world, 0);
		return;
	}
	bits_add_all(solved, &world->awake_contacts);
	bits_add_all(solved, &world->following_contacts);
}

void marks_complete(struct marks *marks, const struct world *world)
{
	struct bits *ids = marks->ids;
	bits_add_all(&ids[TOUCHED_LIMITS], &ids[TOUCHED_CONTACTS]);
	bits_add_all(&ids[TOUCHED_MANIFOLDS], &ids[TOUCHED_CONTACTS]);
	solved_add(&marks->solved, world);
	for (int solver = 1; solver < SOLVERS; ++solver)
		links_add(&ids[TOUCHED_JOINTS], world, solver);
	for (uint32_t id = bits_next(&ids[TOUCHED_BODIES], 0); id < world->bodies.count;
		 id = bits_next(&ids[TOUCHED_BODIES], id + 1))
		bits_set(&ids[TOUCHED_MOVERS], world->bodies.data[id].mover);
}

const struct bits *marks_stepped(const struct marks *marks, const struct world *world, uint32_t scan)
{
	switch (scan) {
	case TOUCHED_BODIES: return &world->awake_bodies;
	case TOUCHED_MOVERS: return &world->awake_movers;
	case TOUCHED_MANIFOLDS: return &marks->solved;
	default: return NULL;
	}
}

void marks_clear(struct marks *marks)
{
	for (int scan = 0; scan < SCAN_KINDS; ++scan)
		bits_clear_all(&marks->ids[scan]);
	bits_clear_all(&marks->solved);
}

void marks_free(struct memory *memory, struct marks *marks)
{
	for (int scan = 0; scan < SCAN_KINDS; ++scan)
		bits_free(memory, &marks->ids[scan]);
	bits_free(memory, &marks->solved);
}
