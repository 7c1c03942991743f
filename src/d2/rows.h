/* rows.h - the ends of a *_rows.wide.c that are the same for contacts and for joints. Included where struct record, EDGE, lane_prefetch,
** lane_prepare and solve_all of that file are known.
** Floor: d2. */

/* Calls for what edges ahead of the k-th will need. */
static void edges_prefetch(const struct world *world, const uint32_t *edges, uint32_t count, uint32_t k)
{
	if (k + EDGES_AHEAD < count)
		lane_prefetch(world, edges[k + EDGES_AHEAD]);
	if (k + BODIES_AHEAD < count) {
		const struct edge *edge = edge_at(world, EDGE, edges[k + BODIES_AHEAD]);
		d2_bodies_prefetch(world, edge);
		for (int side = 0; side < 2; ++side)
			cache_prefetch(&world->bodies.data[edge->bodies[side]], sizeof(struct body));
	}
}

static void NAME(prepare)(struct world *world, void *records, const uint32_t *edges, uint32_t count, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		memset(record, 0, sizeof *record);
		for (int lane = 0; lane < LANES; ++lane) {
			uint32_t k = i * LANES + (uint32_t)lane;
			edges_prefetch(world, edges, count, k);
			if (k < count)
				lane_prepare(world, record, lane, edges[k]);
			else
				record->a[lane] = record->b[lane] = READ_ONLY;
		}
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
