/* clock.h - time for measuring; never an input of the simulation.
 * Any thread. */
#pragma once
#include <stdint.h>

/* The time of a monotonic clock [ns], since an arbitrary start. */
uint64_t clock_nanoseconds(void);
