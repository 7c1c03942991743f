/* check.h - CHECK(condition), for functions that test invariants: if the condition is false, the calling function returns the
 * condition's text. Such functions return NULL if all conditions hold. */
#pragma once

#define CHECK(condition)       \
	do {                       \
		if (!(condition))      \
			return #condition; \
	} while (0)
