/* stage.c - see stage.h.
 * One worker takes a small block of the partition through all sub-steps. All workers take the last, large one phase by phase:
 * over its bodies, or batch by batch over records. Within a colour no two links of a kind share a dynamic body, so the order in
 * which workers take them does not matter. The overflow is solved by one worker, in list order, but for the contacts of
 * hubs. */
#include "core/stage.h"
#include "base/cache.h"
#include "core/depenetration.h"
#include "core/field_force.h"
#include "core/hub.h"
#include "core/joint_tree.h"
#include "core/partition.h"

#include <math.h>
#include <stdatomic.h>

enum {
	BODY_GRAIN = 512, /* bodies per block */
	FIELD_GRAIN = 64,
	RESTITUTION_PASSES = 16, /* at most, over all contacts: see block_solve */
};

/* --- Phases --------------------------------------------------------------------------------------------------------------- */

enum link_phase { PREPARE, WARM_START, SOLVE, RELAX, RESTITUTION, STORE };

/* How a phase is run over bodies [begin, end) and over a batch: on this worker, or on all. */
struct manner {
	void (*bodies)(struct world *world, uint32_t begin, uint32_t end, range_function *run);
	/* returns false, except for RESTITUTION: see link_solver */
	bool (*batch)(struct world *world, const struct batch *batch, unsigned char *records, enum link_phase phase, float least);
};

static bool batch_run(struct world *world, const struct batch *batch, void *records, enum link_phase phase, float least,
	uint32_t begin, uint32_t end)
{
	const struct link_solver *solver = batch->solver;
	switch (phase) {
	case PREPARE: solver->prepare(world, records, batch, begin, end); break;
	case WARM_START: solver->warm_start(world, records, begin, end); break;
	case SOLVE: solver->solve(world, records, begin, end); break;
	case RELAX: solver->relax(world, records, begin, end); break;
	case RESTITUTION: return solver->restitution != NULL && solver->restitution(world, records, begin, end, least);
	case STORE: solver->store(world, records, batch, begin, end); break;
	}
	return false;
}

/* Runs the phase on all batches of the block, in order. Result and `least`: see link_solver.restitution. */
static bool for_batches(struct world *world, const struct block *block, unsigned char *records, const struct manner *manner,
	enum link_phase phase, float least)
{
	bool again = false;
	for (uint32_t i = block->batch_begin; i < block->batch_end; ++i) {
		const struct batch *batch = &world->partition.batches.data[i];
		if (batch->shares > 0 && phase != STORE)
			hub_spread(world, batch);
		again |= manner->batch(world, batch, records + batch->records, phase, least);
		if (batch->shares > 0 && phase != PREPARE && phase != STORE)
			hub_collect(world, batch);
	}
	return again;
}

/* Takes the block through the whole step.
 * A sub-step is warm started with the impulses of the last one. As contact anchors are fixed for the step, these change the
 * velocities as they did in the last sub-step, but for rounding error. So without joints that change is added again, without a
 * pass over the contacts. Restitution passes over the contacts are repeated, up to 16 times, until no speed is off by more than
 * a thousandth of the impact speed. After k passes two contacts with normals at an angle t may still gain sin^2 t cos^2k t of
 * the energy that bounces, at most exp(-1)/k: 2 % after 16. A restitution of e returns e^2 of the energy, and needs 16 e^2
 * passes for as much. After one pass bodies that hit two tiles or a corner gained up to 44 % of their energy (e = 1), and 25
 * boxes in a room lost up to 28 % in 5 s. The repetition costs 0.5 % of the instructions of the bench scene `mixed`. */
static void block_solve(struct world *world, const struct block *block, unsigned char *records, const struct manner *manner)
{
	const struct wing *wing = world->wing;
	const struct motion *motion = wing->motion[world->lanes];
	uint32_t begin = block->body_begin, end = block->body_end;
	manner->bodies(world, begin, end, wing->bodies_prepare);
	if (world->fields.active)
		manner->bodies(world, begin, end, field_begin);
	for_batches(world, block, records, manner, PREPARE, 0.0f);
	for (int i = 0; i < world->step.substeps; ++i) {
		bool again = i > 0 && !block->has_joints;
		if (world->fields.active)
			manner->bodies(world, begin, end, field_apply);
		manner->bodies(world, begin, end, again ? motion->velocities_continue : motion->velocities_integrate);
		if (!again)
			for_batches(world, block, records, manner, WARM_START, 0.0f);
		for_batches(world, block, records, manner, SOLVE, 0.0f);
		manner->bodies(world, begin, end, motion->positions_integrate);
		for_batches(world, block, records, manner, RELAX, 0.0f);
	}
	for (int i = 0; i < RESTITUTION_PASSES &&
		 for_batches(world, block, records, manner, RESTITUTION, sqrtf((float)i / RESTITUTION_PASSES));
		 ++i)
		continue;
	for_batches(world, block, records, manner, STORE, 0.0f);
}

/* --- Small blocks: on this worker ----------------------------------------------------------------------------------------- */

static void bodies_alone(struct world *world, uint32_t begin, uint32_t end, range_function *run)
{
	run(world, begin, end);
}

static bool batch_alone(
	struct world *world, const struct batch *batch, unsigned char *records, enum link_phase phase, float least)
{
	return batch_run(world, batch, records, phase, least, 0, batch_records(batch));
}

struct blocks_task {
	struct world *world;
	unsigned char *records; /* of all blocks */
};

static void small_blocks_task(void *context, uint32_t begin, uint32_t end, int worker)
{
	static const struct manner alone = {bodies_alone, batch_alone};
	const struct blocks_task *task = context;
	const struct partition *partition = &task->world->partition;
	unsigned char *records = task->records + partition->last_records_size + (size_t)worker * partition->block_records_size;
	for (uint32_t i = begin; i < end; ++i)
		block_solve(task->world, &partition->blocks.data[i], records, &alone);
}

/* --- The large block: on all workers -------------------------------------------------------------------------------------- */

struct range_task {
	struct world *world;
	range_function *run;
	uint32_t begin;
};

static void range_task(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct range_task *task = context;
	task->run(task->world, task->begin + begin, task->begin + end);
}

void world_for(struct world *world, uint32_t begin, uint32_t end, uint32_t grain, range_function *run)
{
	if (jobs_worker_count(world->jobs) == 1)
		run(world, begin, end);
	else
		jobs_for(world->jobs, end - begin, grain, range_task, &(struct range_task){world, run, begin});
}

static void bodies_together(struct world *world, uint32_t begin, uint32_t end, range_function *run)
{
	world_for(world, begin, end, BODY_GRAIN, run);
}

struct batch_task {
	struct world *world;
	const struct batch *batch;
	unsigned char *records;
	enum link_phase phase;
	float least;
	atomic_bool *again;
};

static void batch_task(void *context, uint32_t begin, uint32_t end, int worker)
{
	(void)worker;
	const struct batch_task *task = context;
	if (batch_run(task->world, task->batch, task->records, task->phase, task->least, begin, end))
		atomic_store_explicit(task->again, true, memory_order_relaxed);
}

static bool batch_together(
	struct world *world, const struct batch *batch, unsigned char *records, enum link_phase phase, float least)
{
	uint32_t count = batch_records(batch);
	atomic_bool again = false;
	jobs_for(world->jobs, count, batch->grain, batch_task, &(struct batch_task){world, batch, records, phase, least, &again});
	return atomic_load_explicit(&again, memory_order_relaxed);
}

/* Solves all blocks, with their records. */
static void blocks_solve(struct world *world, unsigned char *records)
{
	static const struct manner together = {bodies_together, batch_together};
	const struct partition *partition = &world->partition;
	const struct block *last = &partition->blocks.data[partition->blocks.count - 1];
	jobs_for(world->jobs, partition->blocks.count - 1, 1, small_blocks_task, &(struct blocks_task){world, records});
	if (last->body_begin < last->body_end)
		block_solve(world, last, records, &together);
}

/* Finds the fields that act on each awake body. False: no memory. */
static bool fields_find(struct world *world)
{
	uint32_t count = world->awake.count;
	if (!field_open(world))
		return false;
	if (!world->fields.active)
		return true;
	world_for(world, 0, count, FIELD_GRAIN, field_count);
	if (!field_number(world))
		return false;
	if (world->fields.active)
		world_for(world, 0, count, FIELD_GRAIN, field_fill);
	return true;
}

bool stages_run(struct world *world)
{
	_Alignas(CACHE_LINE) unsigned char room[RECORDS_ROOM];
	if (world->awake.count == 0)
		return true;
	if (!partition_update(world))
		return false;
	world->wing->still_prepare(world); /* the partition used state 0 to move rows */
	if (!fields_find(world) || !depenetration_prepare(world))
		return false;
	joint_trees_stiffen(world);
	blocks_solve(world, world->partition.records_needed > RECORDS_ROOM ? world->partition.records : room);
	joint_trees_ease(world);
	depenetration_run(world);
	return true;
}
