/* penetration.h - the exact signed distance of two convex polygons, with their closest features, mostly without building their
 * Minkowski difference. A polygon may have one or two points. A and B are the cores of D2_PROXY_POINTS: the distance of the
 * rounded shapes is less by both radii.
 * Pure, any thread. */
#pragma once
#include "d2/query/gjk.h"

struct d2_core_separation {
	double distance; /* signed [length] */
	struct d2_vec_d normal; /* unit, from A to B, in A's frame */
	/* Closest or deepest points: of A point a[0] if a[0] = a[1], else a point of the edge from a[0] to a[1]; likewise of B. */
	uint32_t a[2], b[2];
	double part; /* fraction of the edge at which the point lies, the same on A and on B; 0 at a point */
};

/* The point of a closest feature, given by its ends and the fraction, in the proxy's frame. */
static inline struct d2_vec_d d2_core_point(const struct d2_proxy *proxy, const uint32_t ends[2], double part)
{
	struct d2_vec_d p = d2_widen(proxy->points[ends[0]]);
	return d2_mul_add_d(p, part, d2_sub_d(d2_widen(proxy->points[ends[1]]), p));
}

/* Finds the signed distance of two cores and their closest features. b_in_a: transform from B's frame to A's. */
void d2_core_separation_find(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out);
/* As d2_core_separation_find, for separated cores whose closest features are probably still those in *out. The indices there
 * may be out of range. False: other features are closest, or rounding leaves it open; *out is undefined. */
bool d2_core_separation_again(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, struct d2_core_separation *out);
/* As d2_core_separation_find, unless a quick test shows that the distance is above `limit` >= 0. False: the test does, and *out
 * is undefined. True: the distance may be above the limit, too. deep: the cores seem to overlap; this changes only which method
 * is tried first. */
bool d2_core_separation_within(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	double limit, bool deep, struct d2_core_separation *out);

/* FOUND: the result is set; BEYOND: farther apart than the limit; UNSURE: only d2_core_separation_find can tell. */
enum d2_core_answer { D2_CORE_FOUND, D2_CORE_BEYOND, D2_CORE_UNSURE };

/* The quick part of d2_core_separation_within for a core B that is the single point b, in A's frame. */
enum d2_core_answer d2_core_separation_of_point(
	const struct d2_proxy *a, struct d2_vec_d b, double limit, struct d2_core_separation *out);

/* Whether the polygons, widened by their radii, overlap or touch. deep: as for d2_core_separation_within. */
bool d2_core_separation_overlaps(
	const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a, bool deep);

/* The path lengths at which A, moving along u, hits and leaves B. */
struct d2_core_path {
	double enter, leave; /* [length]; leave may be beyond the cast's length */
	struct d2_vec_d normal; /* unit, from A to B, in A's frame */
	uint32_t a[2], b[2]; /* features in contact, as in d2_core_separation */
	double part;
};

/* Casts A along the unit vector u, in A's frame. radius: the sum of both radii. BEYOND: no hit within the length; UNSURE:
 * undecided, or A and B may touch at the start. */
enum d2_core_answer d2_core_path_find(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	struct d2_vec_d u, double length, double radius, struct d2_core_path *out);
