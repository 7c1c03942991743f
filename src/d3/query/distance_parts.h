/* distance_parts.h - internals shared by distance.c, child_pairs.c and time_of_impact.c. */
#pragma once
#include "d3/query/distance.h"
#include "d3/query/gjk.h"
#include "d3/query/capsules.h"
#include "d3/query/sat.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>
#include <string.h>

/* AABB by its centre and half extents. */
struct bounds {
	struct d3_vec_d middle, half;
};

typedef void visit_pair(void *context, const struct d3_proxy *a, uint32_t child_a, const struct d3_proxy *b, uint32_t child_b);

static inline struct bounds d3_bounds_between(struct d3_vec_d lower, struct d3_vec_d upper)
{
	return (struct bounds){d3_scale_d(0.5, d3_add_d(lower, upper)), d3_scale_d(0.5, d3_sub_d(upper, lower))};
}

static inline struct bounds d3_points_bounds(const struct d3_vec *points, uint32_t count)
{
	struct d3_vec low = points[0], high = points[0];
	for (uint32_t i = 1; i < count; ++i) {
		low = (struct d3_vec){min_f(low.x, points[i].x), min_f(low.y, points[i].y), min_f(low.z, points[i].z)};
		high = (struct d3_vec){max_f(high.x, points[i].x), max_f(high.y, points[i].y), max_f(high.z, points[i].z)};
	}
	return d3_bounds_between(d3_widen(low), d3_widen(high));
}

static inline double d3_bounds_extent(const struct bounds *box)
{
	return box->half.x + box->half.y + box->half.z;
}

void d3_distance_walk_shapes(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform_d *b_in_a,
	double *limit, visit_pair *visit, void *context);
