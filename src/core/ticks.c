/* ticks.c - see ticks.h. */
#include "core/ticks.h"
#include "base/scalar.h"

static bool sum_reaches(const struct sum *sum, double x)
{
	return sum->high > x || (sum->high == x && sum->low >= 0.0);
}

/* Leaves the remainder of a division by the timestep. */
static void rest_cut(struct sum *rest, double timestep)
{
	rest->high = fmod(rest->high, timestep); /* exact; `low` may now outweigh it */
	sum_add(rest, 0.0);
	if (rest->high < 0.0)
		sum_add(rest, timestep);
	if (sum_reaches(rest, timestep))
		sum_add(rest, -timestep);
}

int ticks_take(struct world *world, double dt)
{
	struct sum *rest = &world->rest;
	double timestep = world->settings.timestep;
	int ticks = 0;
	sum_add(rest, dt);
	for (; ticks < world->settings.max_ticks && sum_reaches(rest, timestep); ++ticks)
		sum_add(rest, -timestep);
	if (sum_reaches(rest, timestep))
		rest_cut(rest, timestep);
	world->alpha = min_d(rest->high / timestep, 1.0 - 0x1p-53); /* the quotient may round to 1 */
	return ticks;
}

void ticks_set_timestep(struct world *world, double timestep)
{
	world->rest = (struct sum){world->rest.high / world->settings.timestep * timestep, 0.0};
	world->settings.timestep = timestep;
	if (sum_reaches(&world->rest, timestep))
		rest_cut(&world->rest, timestep);
}
