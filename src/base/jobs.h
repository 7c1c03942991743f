/* jobs.h - a pool of worker threads for parallel loops.
 * Invariant: a loop is cut into blocks by its count and grain alone, never by the number of workers, so that what one block
 * computes does not depend on them.
 * One thread owns a pool: it creates it, runs the loops and destroys it, and is worker 0 in them. Tasks run on any worker and
 * may not call back into the pool. */
#pragma once
#include <stdint.h>

struct jobs;
struct memory;

/* A loop body: does the items begin .. end-1. worker is 0 .. jobs_worker_count-1 and no two blocks run under the same number at
 * the same time. */
typedef void jobs_task(void *context, uint32_t begin, uint32_t end, int worker);

/* A pool of `workers` workers (at least 1, at most JOBS_WORKERS_MAX), the calling thread included; 1 starts no thread. NULL
 * when memory or a thread cannot be had; nothing is left behind then. */
#define JOBS_WORKERS_MAX 256
struct jobs *jobs_create(struct memory *memory, int workers);

/* Ends the threads and frees the pool. NULL is fine. */
void jobs_destroy(struct jobs *jobs);

/* Workers of the pool, the owner included; 1 for NULL. */
int jobs_worker_count(const struct jobs *jobs);

/* Runs task over [0, count) in blocks of `grain` items (the last may be shorter; grain 0 counts as 1) on all workers and
 * returns when all blocks are done. What the tasks wrote is visible to the caller, what the caller wrote before is visible to
 * the tasks. With one worker, jobs NULL or a single block, all blocks run on the caller in order, one call of task for each. */
void jobs_for(struct jobs *jobs, uint32_t count, uint32_t grain, jobs_task *task, void *context);
