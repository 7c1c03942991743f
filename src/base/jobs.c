/* jobs.c - the pool. One word, `state`, holds the number of the current loop, whether threads can still join it, and how many
 * have joined; the owner takes part without joining. Why it is correct: the owner writes the loop's parameters only while the
 * loop is closed and no thread is in it, and the threads read them only between joining and leaving. A thread that wakes too
 * late finds the loop closed and reads nothing. The owner closes the loop when no blocks are left, and returns when the last
 * thread has left, so all blocks are done then. Nobody waits for threads that never joined, which matters with more workers
 * than processors.
 * A thread without work spins for a while, because a step runs hundreds of loops in succession, then sleeps. Each thread starts
 * with its own share of the items, the same in every loop of that many items, so that its data of the last loop may still be in
 * its cache; then it helps the others. */
#define _POSIX_C_SOURCE 200809L
#include "base/jobs.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* How long to spin [ns]: twice the cost of sleeping and being woken. Threads then stay awake through the serial code between
 * two loops of a small world's step. With 50 us they fell asleep, which cost a tenth of a step of scene trees3d. */
#define SPIN_NANOSECONDS 100000
/* Pauses between two readings of the clock, each 10 to 140 cycles, about 0.5 to 7 us in total. */
#define SPIN_PAUSES 160

/* Layout of `state`: the number of the loop in the upper half; below, flags and the count of threads in the loop. */
#define LOOP_ONE ((uint64_t)1 << 32)
#define STATE_OPEN ((uint64_t)1 << 31) /* may be joined */
#define STATE_QUIT ((uint64_t)1 << 30) /* threads must end */
#define STATE_WAITED ((uint64_t)1 << 29) /* the owner sleeps until the last thread has left */
#define STATE_THREADS (STATE_WAITED - 1)

/* A worker with its share of the loop's items. Written often: the padding keeps each in a cache line of its own. */
struct worker {
	_Atomic uint64_t next; /* first item of the next block; 64 bits so that it cannot wrap */
	uint32_t end;
	int index;
	struct jobs *jobs;
	pthread_t thread;
	char padding[64];
};

struct jobs {
	struct memory *memory;
	int worker_count, thread_count; /* workers including the owner; threads started */
	/* The current loop: constant while a thread is in it. */
	jobs_task *task;
	void *context;
	uint32_t grain;
	pthread_mutex_t lock; /* only for sleeping and waking */
	pthread_cond_t work, done;
	/* Many threads write `state` and `sleepers` often. The padding keeps both out of the other members' cache lines, wherever
	 * the pool lies. */
	char padding_a[64];
	_Atomic uint64_t state;
	_Atomic uint32_t sleepers;
	char padding_b[64];
	struct worker workers[]; /* the owner first */
};

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/* Reads the pool's state into *state. True: its bits in `mask` are no longer `value`. */
static bool state_left(struct jobs *jobs, uint64_t mask, uint64_t value, uint64_t *state)
{
	*state = atomic_load_explicit(&jobs->state, memory_order_acquire);
	return (*state & mask) != value;
}

/* Spins until state_left is true. False: it was not within SPIN_NANOSECONDS, and the thread should sleep. Yields the processor
 * now and then, in case the awaited thread has none. */
static bool state_spin(struct jobs *jobs, uint64_t mask, uint64_t value, uint64_t *state)
{
	uint64_t start = clock_nanoseconds();
	do {
		for (int i = 0; i < SPIN_PAUSES; ++i) {
			if (state_left(jobs, mask, value, state))
				return true;
			pause_briefly();
		}
		sched_yield();
	} while (clock_nanoseconds() - start < SPIN_NANOSECONDS);
	return state_left(jobs, mask, value, state);
}

static void share_run(struct jobs *jobs, struct worker *share, int worker)
{
	uint32_t end = share->end, grain = jobs->grain;
	for (;;) {
		uint64_t begin = atomic_fetch_add_explicit(&share->next, grain, memory_order_relaxed);
		if (begin >= end)
			return;
		jobs->task(jobs->context, (uint32_t)begin, end - begin < grain ? end : (uint32_t)begin + grain, worker);
	}
}

static void shares_run(struct jobs *jobs, int worker)
{
	for (int i = 0; i < jobs->worker_count; ++i)
		share_run(jobs, &jobs->workers[(worker + i) % jobs->worker_count], worker);
}

/* Deals whole blocks evenly to the workers. */
static void shares_deal(struct jobs *jobs, uint32_t count)
{
	uint64_t blocks = ((uint64_t)count + jobs->grain - 1) / jobs->grain, begin = 0;
	for (int i = 0; i < jobs->worker_count; ++i) {
		uint64_t end = blocks * (uint64_t)(i + 1) / (uint64_t)jobs->worker_count * jobs->grain;
		atomic_store_explicit(&jobs->workers[i].next, begin, memory_order_relaxed);
		jobs->workers[i].end = end < count ? (uint32_t)end : count;
		begin = end;
	}
}

/* Waits until the number of the current loop is not `seen`. Returns the state. */
static uint64_t loop_await(struct jobs *jobs, uint32_t seen)
{
	uint64_t state;
	if (state_spin(jobs, ~(LOOP_ONE - 1), (uint64_t)seen * LOOP_ONE, &state))
		return state;
	/* Order matters: this thread counts itself asleep, then reads the state once more; the owner publishes, then reads the
	 * count of sleepers. With sequential consistency at least one of the two sees the other. */
	pthread_mutex_lock(&jobs->lock);
	atomic_fetch_add(&jobs->sleepers, 1);
	while (state = atomic_load(&jobs->state), (uint32_t)(state >> 32) == seen)
		pthread_cond_wait(&jobs->work, &jobs->lock);
	atomic_fetch_sub(&jobs->sleepers, 1);
	pthread_mutex_unlock(&jobs->lock);
	return state;
}

static void loop_leave(struct jobs *jobs)
{
	uint64_t left = atomic_fetch_sub_explicit(&jobs->state, 1, memory_order_acq_rel) - 1;
	if ((left & (STATE_THREADS | STATE_WAITED)) == STATE_WAITED) {
		pthread_mutex_lock(&jobs->lock);
		pthread_cond_signal(&jobs->done);
		pthread_mutex_unlock(&jobs->lock);
	}
}

static void *thread_main(void *argument)
{
	struct worker *self = argument;
	struct jobs *jobs = self->jobs;
	uint32_t seen = 0;
	for (;;) {
		uint64_t state = loop_await(jobs, seen);
		while ((state & STATE_OPEN) &&
			!atomic_compare_exchange_weak_explicit(&jobs->state, &state, state + 1, memory_order_acquire, memory_order_acquire))
			;
		seen = (uint32_t)(state >> 32);
		if (state & STATE_QUIT)
			return NULL;
		if (state & STATE_OPEN) {
			shares_run(jobs, self->index);
			loop_leave(jobs);
		}
	}
}

/* Starts a new loop, or ends the threads when flag is STATE_QUIT. */
static void state_publish(struct jobs *jobs, uint64_t flag)
{
	uint64_t loop = (atomic_load_explicit(&jobs->state, memory_order_relaxed) & ~(LOOP_ONE - 1)) + LOOP_ONE;
	atomic_store(&jobs->state, loop | flag);
	if (atomic_load(&jobs->sleepers) > 0) {
		pthread_mutex_lock(&jobs->lock);
		pthread_cond_broadcast(&jobs->work);
		pthread_mutex_unlock(&jobs->lock);
	}
}

/* Closes the loop and waits until no thread is in it. */
static void loop_close(struct jobs *jobs)
{
	uint64_t state = atomic_fetch_and_explicit(&jobs->state, ~STATE_OPEN, memory_order_acq_rel);
	for (uint64_t threads = state & STATE_THREADS; threads != 0; threads = state & STATE_THREADS)
		if (!state_spin(jobs, STATE_THREADS, threads, &state))
			break;
	if ((state & STATE_THREADS) == 0)
		return;
	pthread_mutex_lock(&jobs->lock);
	state = atomic_fetch_or_explicit(&jobs->state, STATE_WAITED, memory_order_acq_rel);
	while ((state & STATE_THREADS) != 0) {
		pthread_cond_wait(&jobs->done, &jobs->lock);
		state = atomic_load_explicit(&jobs->state, memory_order_acquire);
	}
	pthread_mutex_unlock(&jobs->lock);
}

struct jobs *jobs_create(struct memory *memory, int workers)
{
	assert(workers >= 1 && workers <= JOBS_WORKERS_MAX);
	struct jobs *jobs = memory_zeroed(memory, sizeof *jobs + (size_t)workers * sizeof *jobs->workers);
	if (!jobs)
		return NULL;
	jobs->memory = memory;
	jobs->worker_count = workers;
	atomic_init(&jobs->state, 0);
	atomic_init(&jobs->sleepers, 0);
	pthread_mutex_init(&jobs->lock, NULL);
	pthread_cond_init(&jobs->work, NULL);
	pthread_cond_init(&jobs->done, NULL);
	for (int i = 0; i < workers; ++i) {
		struct worker *worker = &jobs->workers[i];
		atomic_init(&worker->next, 0);
		worker->jobs = jobs;
		worker->index = i;
		if (i > 0 && pthread_create(&worker->thread, NULL, thread_main, worker) != 0) {
			jobs_destroy(jobs);
			return NULL;
		}
		jobs->thread_count += i > 0;
	}
	return jobs;
}

void jobs_destroy(struct jobs *jobs)
{
	if (!jobs)
		return;
	state_publish(jobs, STATE_QUIT);
	for (int i = 0; i < jobs->thread_count; ++i)
		pthread_join(jobs->workers[i + 1].thread, NULL);
	pthread_cond_destroy(&jobs->done);
	pthread_cond_destroy(&jobs->work);
	pthread_mutex_destroy(&jobs->lock);
	memory_resize(jobs->memory, jobs, sizeof *jobs + (size_t)jobs->worker_count * sizeof *jobs->workers, 0);
}

int jobs_worker_count(const struct jobs *jobs)
{
	return jobs ? jobs->worker_count : 1;
}

void jobs_for(struct jobs *jobs, uint32_t count, uint32_t grain, jobs_task *task, void *context)
{
	if (grain == 0)
		grain = 1;
	if (!jobs || jobs->worker_count == 1 || count <= grain) {
		for (uint32_t begin = 0, end; begin < count; begin = end) {
			end = count - begin < grain ? count : begin + grain;
			task(context, begin, end, 0);
		}
		return;
	}
	jobs->task = task;
	jobs->context = context;
	jobs->grain = grain;
	shares_deal(jobs, count);
	state_publish(jobs, STATE_OPEN);
	shares_run(jobs, 0);
	loop_close(jobs);
}
