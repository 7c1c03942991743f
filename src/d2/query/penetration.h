/* penetration.h - the distance of two convex outlines, or how deep they overlap, with the features that are nearest: exact, and
 * without making their Minkowski difference.
 * Outlines are cores of D2_PROXY_POINTS: widened outlines are nearer by both radii.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

struct d2_core_separation {
	double distance; /* signed [length] */
	struct d2_vec_d normal; /* unit, from A to B, in A's frame */
	/* Nearest or deepest: point a[0] of A if a[0] = a[1], else a point of the edge from a[0] to a[1]; likewise of B. */
	uint32_t a[2], b[2];
	double part; /* of the way along both edges */
};

void d2_core_separation_find(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out);
/* The same where what was nearest before still is, of cores that are apart: *out has those features, which may be any. False:
 * one has to search. */
bool d2_core_separation_again(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out);
/* The same as d2_core_separation_find, unless the distance is seen at once to be above `limit` >= 0. False: it is, and *out
 * says nothing. deep: they seem to overlap, which changes what is tried first, and nothing else. */
bool d2_core_separation_within(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	double limit, bool deep, struct d2_core_separation *out);

/* BEYOND: farther apart than the limit; UNSURE: it takes d2_core_separation_find to tell. */
enum d2_core_separation_answer { D2_CORE_SEPARATION_FOUND, D2_CORE_SEPARATION_BEYOND, D2_CORE_SEPARATION_UNSURE };

/* The same for a single point b, in A's frame, by what A's type allows. */
enum d2_core_separation_answer d2_core_separation_of_point(
	const struct d2_proxy *a, struct d2_vec_d b, double limit, struct d2_core_separation *out);

/* Whether the outlines, widened by both radii, touch or overlap: as d2_core_separation_find tells it. deep as above. */
bool d2_core_separation_overlaps(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, bool deep);

/* Where A, going along u, meets B and where it leaves it, both widened by `radius` together. */
struct d2_core_way {
	double enter, leave; /* [length]; leave is not cut off */
	struct d2_vec_d normal; /* unit, from A to B, in A's frame */
	uint32_t a[2], b[2]; /* where they touch, as in d2_core_separation */
	double part;
};

/* u is a unit vector in A's frame. BEYOND: they do not meet up to the length; UNSURE: not so easily, or they may touch at the
 * start. */
enum d2_core_separation_answer d2_core_way_find(const struct d2_proxy *a, const struct d2_proxy *b,
	const struct d2_transform_d *b_in_a, struct d2_vec_d u, double length, double radius, struct d2_core_way *out);
