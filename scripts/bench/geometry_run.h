/* geometry_run.h - a library's methods, run over all that it has prepared: included at the end by each of them, so that a call
 * costs what the method costs and no call through a pointer beside. Before it stand `prepared`, manifold, which is false where
 * the library has none for these shapes, and one function that returns its answer for each other method. */
#pragma once
#include "geometry.h"

static bool ask(enum method method, const void *a, const void *b, const struct prepared *s, struct answer *answer)
{
	switch (method) {
	case METHOD_DISTANCE: *answer = distance(a, b, s); return true;
	case METHOD_OVERLAP: *answer = overlap(a, b, s); return true;
	case METHOD_MANIFOLD: return manifold(a, b, s, answer);
	case METHOD_CONTACT: return contact(a, b, s, answer);
	case METHOD_CONTACT_WARM: return contact_warm(a, b, s, answer);
	case METHOD_CAST: *answer = cast(a, b, s); return true;
	case METHOD_IMPACT: *answer = impact(a, b, s); return true;
	case METHOD_RAY: *answer = ray(a, s); return true;
	case METHODS: break;
	}
	return false;
}

static bool ask_all(enum method method, const void *a, const void *b, int count, struct answer *answers)
{
	for (int i = 0; i < count; ++i)
		if (!ask(method, a, b, &prepared[i], &answers[i]))
			return false;
	return true;
}
