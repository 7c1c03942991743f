/* lane_count.c - see lane_count.h. Any thread. */
#include "base/lane_count.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int lane_count(void)
{
	const char *wanted = getenv("COLLIDE_LANES");
	if (wanted != NULL && strcmp(wanted, "1") == 0)
		return 1;
#if defined(WITH_8_LANES)
	if (__builtin_cpu_supports("avx2") && (wanted == NULL || strcmp(wanted, "4") != 0))
		return 8;
#endif
#if defined(WITH_4_LANES)
	return 4;
#else
	return 1;
#endif
}
