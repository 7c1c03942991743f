/* kept.c - see kept.h. */
#include "core/kept.h"

bool kept_reserve(struct world *world, uint32_t more)
{
	uint32_t owners = ids_count(&world->collider_ids) + ids_count(&world->fields.ids) + ids_count(&world->joint_ids);
	return array_reserve(world->memory, &world->kept, world->kept.count + owners + more);
}

void shape_let_go(struct world *world, const void *shape)
{
	if (world->histories == NULL)
		world->wing->shape_release(shape);
	else
		array_push(&world->kept, (struct kept){.shape = shape, .tick = kept_until(world)});
}

void curve_let_go(struct world *world, struct curve *curve)
{
	if (world->histories == NULL)
		curve_destroy(world->memory, curve);
	else if (curve != NULL)
		array_push(&world->kept, (struct kept){.curve = curve, .tick = kept_until(world)});
}

void kept_prune(struct world *world, uint64_t first)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < world->kept.count; ++i) {
		struct kept kept = world->kept.data[i];
		if (kept.tick >= first)
			world->kept.data[left++] = kept;
		else if (kept.shape != NULL)
			world->wing->shape_release(kept.shape);
		else
			curve_destroy(world->memory, kept.curve);
	}
	world->kept.count = left;
}

/* An owner had one shape or curve, and gets another one again; NULL: none. */
static void shape_exchange(struct world *world, const void *had, const void *gets)
{
	if (had == gets)
		return;
	if (had != NULL)
		shape_let_go(world, had);
	if (gets != NULL)
		world->wing->shape_retain(gets);
}

static void curve_exchange(struct world *world, struct curve *had, struct curve *gets)
{
	if (had == gets)
		return;
	if (had != NULL)
		curve_let_go(world, had);
	for (uint32_t i = 0; gets != NULL && i < world->kept.count; ++i)
		if (world->kept.data[i].curve == gets) {
			array_swap_remove(&world->kept, i);
			return;
		}
}

static struct curve *curve_of(const struct world *world, const struct joint *joint, unsigned char *row)
{
	if (joint == NULL || !joint->link.valid)
		return NULL;
	const struct path_settings *path = joint_path(&world->wing->joint_models[joint->link.solver], row);
	return path != NULL ? path->curve : NULL;
}

void owners_exchange(struct world *world, const struct owner_counts *had, const struct owners *get)
{
	for (uint32_t id = 0; id < had->colliders || id < world->colliders.count; ++id) {
		const struct collider *now = id < had->colliders ? &world->colliders.data[id] : NULL;
		const struct collider *then = id < world->colliders.count ? &get->colliders[id] : NULL;
		shape_exchange(world, now && now->valid ? now->shape : NULL, then && then->valid ? then->shape : NULL);
	}
	for (uint32_t id = 0; id < had->fields || id < world->fields.all.count; ++id) {
		const struct field *now = id < had->fields ? &world->fields.all.data[id] : NULL;
		const struct field *then = id < world->fields.all.count ? &get->fields[id] : NULL;
		shape_exchange(world, now && now->valid ? now->shape : NULL, then && then->valid ? then->shape : NULL);
	}
	for (uint32_t id = 0; id < had->joints || id < world->joints.count; ++id) {
		size_t at = id * world->wing->joint_size;
		struct curve *curve = curve_of(world, id < had->joints ? &world->joints.data[id] : NULL, world->joint_rows + at);
		curve_exchange(world, curve, curve_of(world, id < world->joints.count ? &get->joints[id] : NULL, get->joint_rows + at));
	}
}
