/* shape_table.c - see shape_table.h. */
#include "core/shape_table.h"
#include "base/scalar.h"

/* The slot of the shape, or the empty one at which the search for it ends. Addresses differ from run to run, but decide nothing
 * that is written. */
static uint32_t *slot_find(const struct shape_table *shapes, const void *shape)
{
	uint32_t mask = shapes->slots.count - 1, slot = scramble((uint64_t)(uintptr_t)shape) & mask;
	while (shapes->slots.data[slot] != NONE && shapes->all.data[shapes->slots.data[slot]] != shape)
		slot = (slot + 1) & mask;
	return &shapes->slots.data[slot];
}

static void shape_add(struct shape_table *shapes, const void *shape)
{
	uint32_t *slot = slot_find(shapes, shape);
	if (*slot != NONE)
		return;
	*slot = shapes->all.count;
	array_push(&shapes->all, shape);
}

/* Lists the world's shapes. False: no memory. */
static bool shapes_collect(struct world *world, struct shape_table *shapes)
{
	const struct fields *fields = &world->fields;
	uint32_t most = ids_count(&world->collider_ids) + ids_count(&fields->ids), size = 16;
	while (size / 2 < most)
		size *= 2;
	if (!array_reserve(world->memory, &shapes->all, most) || !array_reserve(world->memory, &shapes->slots, size))
		return false;
	for (shapes->slots.count = 0; shapes->slots.count < size;)
		array_push(&shapes->slots, NONE);
	for (uint32_t id = 0; id < world->colliders.count; ++id)
		if (world->colliders.data[id].valid)
			shape_add(shapes, world->colliders.data[id].shape);
	for (uint32_t id = 0; id < fields->all.count; ++id)
		if (fields->all.data[id].valid && fields->all.data[id].shape != NULL)
			shape_add(shapes, fields->all.data[id].shape);
	return true;
}

/* Reading, returns a reference. */
static void shape_pass(struct archive *archive, const struct world *world, const void **shape)
{
	struct memory *memory = archive->memory;
	if (archive->shapes_shared) {
		pass_bytes(archive, (void *)shape, sizeof *shape);
		if (archive->reading && *shape != NULL)
			world->wing->shape_retain(*shape);
		return;
	}
	archive->memory = archive->reading ? archive->shape_memory : memory;
	world->wing->shape_pass(archive, shape);
	archive->memory = memory;
}

void shapes_pass(struct archive *archive, struct world *world, struct shape_table *shapes)
{
	enum { SHAPE_LEAST = 8 };
	if (!archive->reading && !shapes_collect(world, shapes)) {
		archive->no_memory = true;
		return;
	}
	uint32_t count = pass_count(archive, shapes->all.count, SHAPE_LEAST);
	if (archive->reading &&
		(!array_reserve(world->memory, &shapes->all, count) || !array_reserve(world->memory, &shapes->slots, count))) {
		archive->no_memory = true;
		return;
	}
	for (uint32_t i = 0; i < count && archive_good(archive); ++i) {
		const void *shape = archive->reading ? NULL : shapes->all.data[i];
		shape_pass(archive, world, &shape);
		if (archive->reading && shape != NULL) {
			array_push(&shapes->all, shape);
			array_push(&shapes->slots, 0);
		}
	}
	if (archive_check(archive, shapes->all.count == count, "a shape is missing") && !archive->shapes_shared)
		world->wing->shapes_join(archive, shapes->all.data, count);
}

void shape_table_free(struct archive *archive, struct world *world, struct shape_table *shapes)
{
	for (uint32_t i = 0; archive->reading && i < shapes->all.count; ++i)
		world->wing->shape_release(shapes->all.data[i]);
	array_free(world->memory, &shapes->all);
	array_free(world->memory, &shapes->slots);
}

const void *shape_table_pass(struct archive *archive, const struct world *world, struct shape_table *shapes, const void *shape)
{
	uint32_t index = archive->reading || shape == NULL ? NONE : *slot_find(shapes, shape);
	pass_index(archive, &index, shapes->all.count);
	if (!archive_good(archive) || index == NONE)
		return NULL;
	if (archive->reading &&
		!archive_check(archive, ++shapes->slots.data[index] == 1 || !world->wing->shape_editable(shapes->all.data[index]),
			"a shape that is edited is of two colliders"))
		return NULL;
	return shapes->all.data[index];
}
