/* stage.c - see stage.h. Floor: core.
** Each phase runs over all bodies, or colour by colour over the records of edges; within a colour no two edges of a kind share a
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

/* --- Edges ------------------------------------------------------------------------------------------------------------- */

enum edge_phase { PREPARE, WARM_START, SOLVE, RELAX, RESTITUTION, STORE };

struct edge_task {
	struct world *world;
	const struct edge_rows *rows;
	const struct batch *batch;
	enum edge_phase phase;
};

static void edge_task(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct edge_task *task = context;
	const struct edge_rows *rows = task->rows;
	const struct batch *batch = task->batch;
	struct world *world = task->world;
	switch (task->phase) {
	case PREPARE:
		rows->prepare(world, batch->records, batch->edges.data, batch->edges.count, begin, end);
		break;
	case WARM_START:
		rows->warm_start(world, batch->records, begin, end);
		break;
	case SOLVE:
		rows->solve(world, batch->records, begin, end);
		break;
	case RELAX:
		rows->relax(world, batch->records, begin, end);
		break;
	case RESTITUTION:
		rows->restitution(world, batch->records, begin, end);
		break;
	case STORE:
		rows->store(world, batch->records, batch->edges.data, batch->edges.count, begin, end);
		break;
	}
}

static const struct edge_rows *batch_rows(const struct world *world, int rows, int colour)
{
	return &world->wing->rows[rows][colour != OVERFLOW];
}

static uint32_t record_count(const struct world *world, int rows, int colour)
{
	uint32_t lanes = batch_rows(world, rows, colour)->lanes;
	return (world->colours[colour].batches[rows].edges.count + lanes - 1) / lanes;
}

static void for_batch(struct world *world, int rows, int colour, enum edge_phase phase)
{
	uint32_t count = record_count(world, rows, colour);
	if (count == 0)
		return;
	struct edge_task task = {world, batch_rows(world, rows, colour), &world->colours[colour].batches[rows], phase};
	/* Bodies may share edges in the overflow: one block. */
	jobs_for(world->jobs, count, colour == OVERFLOW ? count : RECORD_GRAIN, edge_task, &task);
}

static void for_contacts(struct world *world, enum edge_phase phase)
{
	for_batch(world, 0, OVERFLOW, phase);
	for (int colour = 0; colour < COLOURS; ++colour)
		for_batch(world, 0, colour, phase);
}

static void for_joints(struct world *world, enum edge_phase phase)
{
	for (int i = 0; i <= COLOURS; ++i)
		for (int type = 1; type < ROWS; ++type)
			for_batch(world, type, i == 0 ? OVERFLOW : i - 1, phase);
}

/* Joints first: what they pull out of place, contacts have the last word on. */
static void for_edges(struct world *world, enum edge_phase phase)
{
	for_joints(world, phase);
	for_contacts(world, phase);
}

/* Cuts this step's records for all colours from one block of memory, aligned for the widest lanes. */
static bool records_reserve(struct world *world)
{
	size_t size = RECORD_ALIGNMENT;
	for (int i = 0; i <= COLOURS; ++i)
		for (int rows = 0; rows < ROWS; ++rows)
			size += record_count(world, rows, i) * batch_rows(world, rows, i)->record_size;
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
	for (int rows = 0; rows < ROWS; ++rows)
		for (int i = 0; i <= COLOURS; ++i) {
			world->colours[i].batches[rows].records = next;
			next += record_count(world, rows, i) * batch_rows(world, rows, i)->record_size;
		}
	return true;
}

bool stages_run(struct world *world)
{
	const struct wing *wing = world->wing;
	if (!records_reserve(world))
		return false;
	for_bodies(world, wing->bodies_prepare);
	for_edges(world, PREPARE);
	for (int i = 0; i < world->settings.substeps; ++i) {
		for_bodies(world, wing->velocities_integrate);
		for_edges(world, WARM_START);
		for_edges(world, SOLVE);
		for_bodies(world, wing->positions_integrate);
		for_edges(world, RELAX);
	}
	for_contacts(world, RESTITUTION);
	for_edges(world, STORE);
	return true;
}
