/* check.h - CHECK(condition) in a function that tests invariants: if the condition is false, the function returns its text.
 * Such functions return NULL if all conditions hold. */
#pragma once

#define CHECK(condition)       \
	do {                       \
		if (!(condition))      \
			return #condition; \
	} while (0)
