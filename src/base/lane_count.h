/* lane_count.h - which of the *.wide.c objects this process uses.
 * Any thread. */
#pragma once

/* 8 if the processor has AVX2, else 4. The environment variable COLLIDE_LANES = 1 or 4 selects fewer. Results do not depend on
 * the number of lanes, as tests verify. */
int lane_count(void);
