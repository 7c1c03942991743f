/* stage.c - see stage.h. Floor: core.
** Each phase runs over all bodies, or colour by colour over the records of contacts; within a colour no two contacts share a
** body, so the order in which workers take them does not matter. The overflow is solved first, by one worker, in list order. */
#include "core/stage.h"

enum {
	BODY_GRAIN = 512, /* bodies a block */
	RECORD_GRAIN = 64, /* records a block */
	RECORD_ALIGNMENT = 64, /* cache line, and the widest vector */
};

/* --- Bodies ------------------------------------------------------------------------------------------------------------ */

struct body_phase {
	struct world *world;
	void (*run)(struct world *, uint32_t begin, uint32_t end);
};

static void body_task(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct body_phase *phase = context;
	phase->run(phase->world, begin, end);
}

static void for_bodies(struct world *world, void (*run)(struct world *, uint32_t begin, uint32_t end))
{
	jobs_for(world->jobs, world->awake.count, BODY_GRAIN, body_task, &(struct body_phase){world, run});
}

/* --- Contacts ---------------------------------------------------------------------------------------------------------- */

enum contact_phase { PREPARE, WARM_START, SOLVE, RELAX, RESTITUTION, STORE };

struct contact_task {
	struct world *world;
	const struct contact_rows *rows;
	const struct colour *colour;
	enum contact_phase phase;
};

static void contact_task(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct contact_task *task = context;
	const struct contact_rows *rows = task->rows;
	const struct colour *colour = task->colour;
	struct world *world = task->world;
	switch (task->phase) {
	case PREPARE:
		rows->prepare(world, colour->records, colour->contacts.data, colour->contacts.count, begin, end);
		break;
	case WARM_START:
		rows->warm_start(world, colour->records, begin, end);
		break;
	case SOLVE:
		rows->solve(world, colour->records, begin, end);
		break;
	case RELAX:
		rows->relax(world, colour->records, begin, end);
		break;
	case RESTITUTION:
		rows->restitution(world, colour->records, begin, end);
		break;
	case STORE:
		rows->store(world, colour->records, colour->contacts.data, colour->contacts.count, begin, end);
		break;
	}
}

static const struct contact_rows *colour_rows(const struct world *world, int colour)
{
	return &world->wing->rows[colour != OVERFLOW];
}

static uint32_t record_count(const struct world *world, int colour)
{
	uint32_t lanes = colour_rows(world, colour)->lanes;
	return (world->colours[colour].contacts.count + lanes - 1) / lanes;
}

static void for_contacts(struct world *world, enum contact_phase phase)
{
	for (int i = 0; i <= COLOURS; ++i) {
		int colour = i == 0 ? OVERFLOW : i - 1;
		uint32_t count = record_count(world, colour);
		if (count == 0)
			continue;
		struct contact_task task = {world, colour_rows(world, colour), &world->colours[colour], phase};
		/* Bodies may share contacts in the overflow: one block. */
		jobs_for(world->jobs, count, colour == OVERFLOW ? count : RECORD_GRAIN, contact_task, &task);
	}
}

/* Cuts this step's records for all colours from one block of memory, aligned for the widest lanes. */
static bool records_reserve(struct world *world)
{
	size_t size = RECORD_ALIGNMENT;
	for (int i = 0; i <= COLOURS; ++i)
		size += record_count(world, i) * colour_rows(world, i)->record_size;
	if (size > world->record_block_size) {
		size_t grown = size + size / 2;
		unsigned char *block = memory_resize(world->memory, NULL, 0, grown);
		if (block == NULL)
			return false;
		memory_resize(world->memory, world->record_block, world->record_block_size, 0);
		world->record_block = block;
		world->record_block_size = grown;
	}
	unsigned char *next = world->record_block + (RECORD_ALIGNMENT - (uintptr_t)world->record_block % RECORD_ALIGNMENT);
	for (int i = 0; i <= COLOURS; ++i) {
		world->colours[i].records = next;
		next += record_count(world, i) * colour_rows(world, i)->record_size;
	}
	return true;
}

bool stages_run(struct world *world)
{
	const struct wing *wing = world->wing;
	if (!records_reserve(world))
		return false;
	for_bodies(world, wing->bodies_prepare);
	for_contacts(world, PREPARE);
	for (int i = 0; i < world->settings.substeps; ++i) {
		for_bodies(world, wing->velocities_integrate);
		for_contacts(world, WARM_START);
		for_contacts(world, SOLVE);
		for_bodies(world, wing->positions_integrate);
		for_contacts(world, RELAX);
	}
	for_contacts(world, RESTITUTION);
	for_contacts(world, STORE);
	return true;
}
