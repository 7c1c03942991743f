/* check.h - for functions that test invariants: they return the first that does not hold, as text, or NULL. */
#pragma once

#define CHECK(condition)       \
	do {                       \
		if (!(condition))      \
			return #condition; \
	} while (0)
