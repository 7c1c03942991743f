/* solver_entry.h - the entry points that the *.wide.c of contact and joint solvers share, in 2D and 3D. Included after struct
 * record, row_prefetch, record_prepare, impulses_prefetch, record_store, warm_start and solve_all of that file; RECORD_OF, the
 * record of that index, and RECORD_SIZE, if the records are not just an array. */

#if !defined(RECORD_SIZE)
#define RECORD_SIZE sizeof(struct record)
#define RECORD_OF(world, records, links, index) ((struct record *)(records) + (index))
#endif

static void NAME(prepare)(struct world *world, void *records, const struct batch *batch, uint32_t begin, uint32_t end)
{
	const struct batch_link *links = world->partition.links.data + batch->first;
	uint32_t count = batch->count;
	for (uint32_t i = begin; i < end; ++i) {
		for (uint32_t k = i * LANES; k < (i + 1) * LANES; ++k) {
			if (k + LINKS_AHEAD < count)
				row_prefetch(world, links[k + LINKS_AHEAD].id);
			for (int side = 0; side < 2 && k + BODIES_AHEAD < count; ++side)
				WING(body_prefetch)(world, links[k + BODIES_AHEAD].bodies[side]);
		}
		record_prepare(world, RECORD_OF(world, records, links, i), links + i * LANES, count - i * LANES);
	}
}

static void NAME(store)(struct world *world, void *records, const struct batch *batch, uint32_t begin, uint32_t end)
{
	const struct batch_link *links = world->partition.links.data + batch->first;
	uint32_t count = batch->count;
	for (uint32_t i = begin; i < end; ++i) {
		for (uint32_t k = i * LANES; k < (i + 1) * LANES && k + LINKS_AHEAD < count; ++k)
			impulses_prefetch(world, links[k + LINKS_AHEAD].id);
		record_store(world, RECORD_OF(world, records, links, i), links + i * LANES, count - i * LANES);
	}
}

static void NAME(solve)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	solve_all(world, records, begin, end, true);
}

static void NAME(relax)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	solve_all(world, records, begin, end, false);
}

/* Initializers of struct link_solver that all solvers share. */
#define SOLVER_ENTRIES                                                                                    \
	.lanes = LANES, .record_size = RECORD_SIZE, .prepare = NAME(prepare), .warm_start = NAME(warm_start), \
	.solve = NAME(solve), .relax = NAME(relax), .store = NAME(store)
