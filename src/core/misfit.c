/* misfit.c - see misfit.h. */
#include "core/misfit.h"

/* The maximum speed that lengths and gravity are compared with: a lower one than the default says nothing about scale. */
static float top_speed(const struct world *world)
{
	return max_f(world->settings.maximum_speed, MAXIMUM_SPEED * world->settings.length_scale);
}

/* Whether some shape of the body is a sensor, which may be of any size. */
static bool has_sensor(const struct world *world, const struct body *body)
{
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next)
		if (world->colliders.data[c].sensor)
			return true;
	return false;
}

/* Whether the mass or the size of the body does not fit. */
static bool measures_misfit(const struct world *world, uint32_t id, struct misfit *out)
{
	const struct body *body = &world->bodies.data[id];
	float extent = body_extent(world, id), size = 2.0f * extent;
	float margin = SPECULATIVE * world->settings.length_scale, longest = MISFIT_CROSSING * top_speed(world);
	if (!body->valid || body->type != BODY_DYNAMIC)
		return false;
	if (body_weight(world, id) == 0.0f && !world->mass_told) {
		*out = (struct misfit){MISFIT_MASS, id, 0.0f, 0.0f};
		return true;
	}
	if (world->scale_told || !(size > 0.0f) || (size >= margin && size <= longest) || has_sensor(world, body))
		return false;
	*out = size < margin ? (struct misfit){MISFIT_SMALL, id, size, margin} : (struct misfit){MISFIT_LARGE, id, size, longest};
	return true;
}

void gravity_doubt(struct world *world)
{
	world->gravity_doubted = !world->scale_told;
}

void body_doubt(struct world *world, uint32_t body)
{
	bool told = world->mass_told && world->scale_told;
	if (!told && array_reserve(world->memory, &world->doubtful, world->doubtful.count + 1))
		array_push(&world->doubtful, body);
}

void body_doubt_measures(struct world *world, uint32_t body)
{
	struct misfit misfit;
	if (measures_misfit(world, body, &misfit))
		body_doubt(world, body);
}

/* Whether the gravity or the speed of some body does not fit. */
static bool scale_misfit(struct world *world, struct misfit *out)
{
	const float *g = world->gravity, least = top_speed(world) / MISFIT_FALL;
	float gravity = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), speed = world->settings.maximum_speed;
	bool heavy = world->gravity_doubted && gravity > least, given = speed != MAXIMUM_SPEED * world->settings.length_scale;
	bool fast = atomic_load_explicit(&world->speed_doubted, memory_order_relaxed) && !given;
	world->gravity_doubted = false;
	atomic_store_explicit(&world->speed_doubted, false, memory_order_relaxed);
	if (world->scale_told || (!heavy && !fast))
		return false;
	*out = heavy ? (struct misfit){MISFIT_GRAVITY, NONE, gravity, least} : (struct misfit){MISFIT_SPEED, NONE, speed, speed};
	return true;
}

bool world_misfit(struct world *world, struct misfit *out)
{
	bool found = scale_misfit(world, out);
	for (uint32_t i = 0; i < world->doubtful.count && !found; ++i)
		found = world->bodies.data[world->doubtful.data[i]].set != SET_DISABLED &&
			measures_misfit(world, world->doubtful.data[i], out);
	if (!found) {
		world->doubtful.count = 0;
		return false;
	}
	if (out->kind == MISFIT_MASS)
		world->mass_told = true;
	else
		world->scale_told = true;
	return true;
}
