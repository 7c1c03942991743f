/* touch.h - the contact of two overlapping shapes: up to four points, by clipping the faces that lie on each other.
 * Pure, any thread. */
#pragma once
#include "d3/query/distance.h"

enum { D3_TOUCH_POINTS = 4 };

struct d3_touch_point {
	struct d3_vec_d p; /* midway between the surfaces, in the world */
	double separation; /* <= 0 [length] */
	uint64_t id; /* the same for the same couple of features, below 2^53 */
};

struct d3_touch {
	struct d3_vec_d normal; /* from A to B, in the world */
	int count; /* 0: they are apart, and the normal says nothing */
	/* those that hold the most: the deepest, and those that span the largest area */
	struct d3_touch_point points[D3_TOUCH_POINTS];
};

/* Of shapes with children: of the couple that overlaps most. */
void d3_touch(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out);

/* --- Parts ---------------------------------------------------------------------------------------------------------------- */

/* What is nearer to touching than this part of the coordinates is measured: whether it touches is decided by the distance
 * alone. */
static const double d3_touch_part = 1e-12;
/* Edges within 1.4e-5 rad of the plane across the normal lie in it: the sine of that angle. */
static const double d3_flat_sine = 1.4e-5;
/* Corners that lie outside by less than this part of the face's size are not cut off: two equal boxes on each other have the
 * corners of one of them, and not what rounding makes of the crossings of their edges. It is more than what the floats of a
 * pose lose. */
static const double d3_slack_part = 1e-6;
/* Of round edges that run along each other: how far they may lie beside each other, in radii. Their surfaces are off by half
 * the square of that. */
static const double d3_beside_part = 1e-3;

struct d3_candidate {
	struct d3_vec_d p; /* midway, in A's frame */
	double separation;
	uint64_t first, second; /* the features that meet */
};

enum d3_feature_kind { D3_FEATURE_FACE = 1, D3_FEATURE_EDGE, D3_FEATURE_POINT };

static inline uint64_t d3_clip_feature(uint32_t child, enum d3_feature_kind kind, uint32_t index)
{
	return ((uint64_t)child << 32) | ((uint64_t)kind << 24) | index;
}

/* Where nothing is clipped: as d3_feature has them. */
static inline uint64_t d3_point_feature(uint32_t i)
{
	return (uint64_t)i + 1;
}

static inline uint64_t d3_edge_feature(uint32_t i, uint32_t k)
{
	uint32_t low = i < k ? i : k, high = i < k ? k : i;
	return (((uint64_t)high + 1) << 24) + low + 1;
}

/* Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014: the finalizer of SplitMix64. */
static inline uint64_t d3_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* Below 2^53. */
static inline uint64_t d3_couple_id(uint64_t first, uint64_t second)
{
	return d3_mix(d3_mix(first + 0x9e3779b97f4a7c15u) + second) >> 11;
}

/* Of which shape the features come first: of equal ones, which are ordered by how they stand, what must not change with the
 * least motion goes by the side on which they touch, seen from a direction that is seldom across a normal. */
static inline bool d3_comes_first(struct d3_vec_d normal)
{
	return 0.36 * normal.x + 0.79 * normal.y + 0.5 * normal.z > 0;
}

/* Whether two shapes are the same but for where they stand. */
bool d3_touch_equal(const struct d3_shape *a, const struct d3_shape *b, const struct d3_pose *pose);

/* The feature at a point of the surface, as d3_feature_at tells it, of a shape without children. point and outward are in A's
 * frame. */
uint64_t d3_touch_feature(const struct d3_shape *shape, const struct d3_proxy *proxy, const struct d3_transform_d *in_a,
	struct d3_vec_d point, struct d3_vec_d outward);

/* Spheres, capsules and segments, and spheres in what has faces. False: nothing is told so easily. */
bool d3_touch_round(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_touch *out);
