/* clock.c - see clock.h. Any thread. */
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

uint64_t clock_nanoseconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
