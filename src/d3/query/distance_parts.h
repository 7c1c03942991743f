/* distance_parts.h - internals shared by distance.c and pairs.c. */
#pragma once
#include "d3/query/distance.h"
#include "d3/query/gjk.h"
#include "d3/query/capsules.h"
#include "d3/query/sat.h"
#include "d3/shape/shape_parts.h"

#include <assert.h>
#include <string.h>

/* An AABB in A's frame. */
struct bounds {
	struct d3_vec_d middle, half;
};

typedef void visit_pair(void *context, const struct d3_proxy *a, uint32_t child_a, const struct d3_proxy *b, uint32_t child_b);

static inline struct bounds d3_bounds_between(struct d3_vec_d lower, struct d3_vec_d upper)
{
	return (struct bounds){d3_scale_d(0.5, d3_add_d(lower, upper)), d3_scale_d(0.5, d3_sub_d(upper, lower))};
}

static inline double d3_bounds_extent(const struct bounds *box)
{
	return box->half.x + box->half.y + box->half.z;
}

void d3_distance_walk_shapes(const struct d3_shape *a, const struct d3_shape *b, const struct d3_transform_d *b_in_a,
	double *limit, visit_pair *visit, void *context);
