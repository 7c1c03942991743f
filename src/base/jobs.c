/* jobs.c - the pool. One word, `state`, says which loop is on, whether it can still be joined, and how many threads are in it.
** Why it cannot go wrong: the loop's parameters are written only while it is closed and nobody is in it, and read only between
** joining and leaving. A thread that wakes too late finds the loop closed and reads nothing. The owner closes the loop when no
** blocks are left and returns when the last thread has left, so all blocks are done then. Nobody waits for threads that never
** came, which matters when there are more workers than processors.
** A thread without work spins for a while, because hundreds of loops follow one another within a step, then sleeps.
** Floor: base. */
#define _POSIX_C_SOURCE 200809L
#include "base/jobs.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* How long to spin [ns]: about what it costs to sleep and be woken again, which bounds the loss at twice the best choice. */
#define SPIN_NANOSECONDS 50000
/* Pauses between two looks at the clock, each 10 to 140 cycles, that is some 0.2 to 2 us. */
#define SPIN_PAUSES 48

/* Parts of `state`: the number of the loop in the upper half; below, flags and the count of threads in the loop. */
#define LOOP_ONE ((uint64_t)1 << 32)
#define STATE_OPEN ((uint64_t)1 << 31)   /* may be joined */
#define STATE_QUIT ((uint64_t)1 << 30)   /* threads shall end */
#define STATE_WAITED ((uint64_t)1 << 29) /* the owner sleeps until the last thread has left */
#define STATE_THREADS (STATE_WAITED - 1)

struct worker {
	struct jobs *jobs;
	pthread_t thread;
	int index;
};

struct jobs {
	struct memory *memory;
	int worker_count, thread_count; /* the owner included; threads started */
	/* The loop: constant while a thread is in it. */
	jobs_task *task;
	void *context;
	uint32_t count, grain;
	pthread_mutex_t lock; /* for going to sleep and for waking only */
	pthread_cond_t work, done;
	/* Written often by many; the padding keeps each in a cache line of its own wherever the pool lies. */
	char padding_a[64];
	_Atomic uint64_t state;
	_Atomic uint32_t sleepers;
	char padding_b[64];
	_Atomic uint64_t next; /* item to begin the next block at; 64 bits so that it cannot wrap */
	char padding_c[64];
	struct worker workers[]; /* without the owner: worker i at i - 1 */
};

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("isb" ::: "memory");
#endif
}

/* One turn of waiting. Gives the processor away, too, for the case that whom we wait for has none. False: time to sleep. */
static bool spin(uint64_t start)
{
	for (int i = 0; i < SPIN_PAUSES; i++)
		pause_briefly();
	sched_yield();
	return clock_nanoseconds() - start < SPIN_NANOSECONDS;
}

static void blocks_run(struct jobs *jobs, int worker)
{
	uint32_t count = jobs->count, grain = jobs->grain;
	for (;;) {
		uint64_t begin = atomic_fetch_add_explicit(&jobs->next, grain, memory_order_relaxed);
		if (begin >= count)
			return;
		uint32_t end = count - begin < grain ? count : (uint32_t)begin + grain;
		jobs->task(jobs->context, (uint32_t)begin, end, worker);
	}
}

/* Returns the state once it is of a loop other than `seen`. */
static uint64_t loop_await(struct jobs *jobs, uint32_t seen)
{
	uint64_t start = clock_nanoseconds(), state;
	do {
		state = atomic_load_explicit(&jobs->state, memory_order_acquire);
		if ((uint32_t)(state >> 32) != seen)
			return state;
	} while (spin(start));
	/* Order matters: we count ourselves asleep, then look once more; the owner publishes, then counts the sleepers. With
	** sequential consistency at least one of us sees the other. */
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
		while ((state & STATE_OPEN) && !atomic_compare_exchange_weak_explicit(
										   &jobs->state, &state, state + 1, memory_order_acquire, memory_order_acquire))
			;
		seen = (uint32_t)(state >> 32);
		if (state & STATE_QUIT)
			return NULL;
		if (state & STATE_OPEN) {
			blocks_run(jobs, self->index);
			loop_leave(jobs);
		}
	}
}

/* Starts a new loop, or the end when flag is STATE_QUIT. */
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

/* Closes the loop and waits until nobody is in it. */
static void loop_close(struct jobs *jobs)
{
	uint64_t state = atomic_fetch_and_explicit(&jobs->state, ~STATE_OPEN, memory_order_acq_rel);
	if ((state & STATE_THREADS) == 0)
		return;
	uint64_t start = clock_nanoseconds();
	do {
		if ((atomic_load_explicit(&jobs->state, memory_order_acquire) & STATE_THREADS) == 0)
			return;
	} while (spin(start));
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
	struct jobs *jobs = memory_zeroed(memory, sizeof *jobs + (size_t)(workers - 1) * sizeof *jobs->workers);
	if (!jobs)
		return NULL;
	jobs->memory = memory;
	jobs->worker_count = workers;
	atomic_init(&jobs->state, 0);
	atomic_init(&jobs->sleepers, 0);
	atomic_init(&jobs->next, 0);
	pthread_mutex_init(&jobs->lock, NULL);
	pthread_cond_init(&jobs->work, NULL);
	pthread_cond_init(&jobs->done, NULL);
	for (int i = 0; i < workers - 1; i++) {
		struct worker *worker = &jobs->workers[i];
		*worker = (struct worker){ .jobs = jobs, .index = i + 1 };
		if (pthread_create(&worker->thread, NULL, thread_main, worker) != 0) {
			jobs_destroy(jobs);
			return NULL;
		}
		jobs->thread_count++;
	}
	return jobs;
}

void jobs_destroy(struct jobs *jobs)
{
	if (!jobs)
		return;
	state_publish(jobs, STATE_QUIT);
	for (int i = 0; i < jobs->thread_count; i++)
		pthread_join(jobs->workers[i].thread, NULL);
	pthread_cond_destroy(&jobs->done);
	pthread_cond_destroy(&jobs->work);
	pthread_mutex_destroy(&jobs->lock);
	memory_resize(jobs->memory, jobs, sizeof *jobs + (size_t)(jobs->worker_count - 1) * sizeof *jobs->workers, 0);
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
	jobs->count = count;
	jobs->grain = grain;
	atomic_store_explicit(&jobs->next, 0, memory_order_relaxed);
	state_publish(jobs, STATE_OPEN);
	blocks_run(jobs, 0);
	loop_close(jobs);
}
