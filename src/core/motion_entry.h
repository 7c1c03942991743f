/* motion_entry.h - the functions of struct motion. Included by the integrate.wide.c of 2D and 3D after its velocities_change
 * and positions_change. */

static void velocities_integrate(struct world *world, uint32_t begin, uint32_t end)
{
	FOR_GROUPS(velocities_change(world, group, false))
}

static void velocities_continue(struct world *world, uint32_t begin, uint32_t end)
{
	FOR_GROUPS(velocities_change(world, group, true))
}

static void positions_integrate(struct world *world, uint32_t begin, uint32_t end)
{
	FOR_GROUPS(positions_change(world, group))
}

const struct motion NAME(WING(motion)) = {velocities_integrate, velocities_continue, positions_integrate};
