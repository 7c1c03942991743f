/* lane_count.h - which of the *.wide.c objects this process uses.
 * Any thread. */
#pragma once

/* 8 if the processor has AVX2, else 4. The environment variable COLLIDE_LANES selects fewer: 1, 4 or 8. Results do not depend
 * on it, as tests verify. */
int lane_count(void);
