/* rows.h - the ends of a *_rows.wide.c that are the same for contacts and for joints. Included where struct record and solve_all of that
** file are known.
** Floor: d2. */

static void NAME(solve)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	solve_all(world, records, begin, end, true);
}

static void NAME(relax)(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	solve_all(world, records, begin, end, false);
}
