/* rows.h - the ends of a *_rows.wide.c that are the same for contacts and for joints. Included where struct record, lane_prepare and solve_all of
** that file are known.
** Floor: d2. */

static void NAME(prepare)(struct world *world, void *records, const uint32_t *edges, uint32_t count, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		memset(record, 0, sizeof *record);
		for (int lane = 0; lane < LANES; ++lane) {
			uint32_t k = i * LANES + (uint32_t)lane;
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
