/* tiles.c - edits of tiles that are a collider's.
 * Serial. */
#include "d2/dynamics/tiles.h"
#include "core/edit.h"
#include "d2/dynamics/wing.h"

/* An edit of the tiles that are a collider's, on an enabled body. */
struct watch {
	struct world *world;
	uint32_t collider;
	const struct d2_shape *shape;
	struct d2_pose pose;
};

static uint32_t proxy_of(const struct watch *watch, uint32_t face)
{
	struct box box = d2_shape_box(watch->shape, face, &watch->pose, 0.0f);
	return edit_proxy(watch->world, watch->collider, face, &box);
}

static void removing(void *context, uint32_t face)
{
	struct watch *watch = context;
	edit_remove(watch->world, proxy_of(watch, face));
}

static void moving(void *context, uint32_t from, uint32_t to)
{
	struct watch *watch = context;
	edit_renumber(watch->world, proxy_of(watch, from), to);
}

static void added(void *context, uint32_t face)
{
	struct watch *watch = context;
	edit_add(watch->world, watch->collider, face);
}

/* A new face has no proxy yet. */
static void changed(void *context, uint32_t face)
{
	struct watch *watch = context;
	uint32_t proxy = proxy_of(watch, face);
	if (proxy != NONE)
		edit_change(watch->world, proxy);
}

static bool are_joined(const void *a, const void *b)
{
	return d2_tiles_joined(a, b);
}

/* The shape, which is the collider's alone. */
static struct d2_shape *own_shape(const struct world *world, uint32_t collider)
{
	return (struct d2_shape *)(uintptr_t)d2_collider_shape(world, collider);
}

bool d2_collider_edit_tiles(struct world *world, uint32_t collider, const struct d2_tiles_edit *edit)
{
	uint32_t colliders[CELL_GROUPS];
	int count = edit_group(world, collider, are_joined, colliders);
	bool enabled = world->bodies.data[world->colliders.data[collider].body].set != SET_DISABLED;
	uint32_t total = 0, touched;
	for (int i = 0; i < count; ++i) {
		if (!d2_tiles_reserve(own_shape(world, colliders[i]), edit, &touched))
			return false;
		total += touched;
	}
	if (!edit_reserve(world, enabled ? total : 0))
		return false;
	for (int i = 0; i < count; ++i) {
		struct d2_shape *shape = own_shape(world, colliders[i]);
		struct watch watch = {world, colliders[i], shape, d2_collider_pose(world, colliders[i])};
		const struct d2_tiles_watch calls = {removing, moving, added, changed, &watch};
		d2_tiles_apply(shape, edit, enabled ? &calls : NULL);
		edit_end(world, colliders[i]);
	}
	return true;
}
