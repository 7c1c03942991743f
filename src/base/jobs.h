/* jobs.h - a pool of worker threads for parallel loops.
 * Invariant: a loop is cut into blocks by its count and grain alone, never by the number of workers, so that results do not
 * depend on that number. One thread owns a pool: it creates the pool, runs its loops as worker 0, and destroys it. Tasks run on
 * any worker and may not call back into the pool. */
#pragma once
#include <stdint.h>

struct jobs;
struct memory;

/* A loop body: processes the items begin .. end-1. worker is 0 .. jobs_worker_count-1; no two blocks run under the same number
 * at the same time. */
typedef void jobs_task(void *context, uint32_t begin, uint32_t end, int worker);

/* A pool of `workers` workers (1 to JOBS_WORKERS_MAX) including the calling thread; 1 starts no thread. NULL: no memory or no
 * thread, and nothing is left behind. */
#define JOBS_WORKERS_MAX 256
struct jobs *jobs_create(struct memory *memory, int workers);

/* Ends the threads and frees the pool. NULL is fine. */
void jobs_destroy(struct jobs *jobs);

/* Workers of the pool including the owner; 1 for NULL. */
int jobs_worker_count(const struct jobs *jobs);

/* Runs task over [0, count) in blocks of `grain` items (the last may be shorter; grain 0 counts as 1) on all workers and
 * returns when all blocks are done. The tasks see the caller's earlier writes, and the caller sees theirs. With one worker,
 * jobs NULL or a single block, all blocks run on the caller in order, one call of task for each. */
void jobs_for(struct jobs *jobs, uint32_t count, uint32_t grain, jobs_task *task, void *context);
