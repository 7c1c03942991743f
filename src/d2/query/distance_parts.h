/* distance_parts.h - internals shared by distance.c and shape_cast.c.
 * Pure, any thread. */
#pragma once
#include "d2/query/distance.h"
#include "d2/shape/chain.h"
#include "d2/query/penetration.h"
#include "d2/query/minkowski.h"

static const double endless = 1e18;

/* Bound of a distance's rounding error, relative to the size of the coordinates. */
static const double bound_tolerance = 1e-13;

/* The separation of A, the rounded hull of points, from the circle B. Vectors have the orientation of the world. */
struct round_separation {
	double distance;
	struct d2_vec_d normal;
	struct d2_vec_d center; /* of the circle, from B's origin */
	/* of A's core from the circle's centre, in A's frame. If A is a circle, too, only core.a is set */
	struct d2_core_separation core;
};

/* The length of delta, without overflow; 0 if no |component| is above 1e-150. */
double d2_distance_path_length(struct d2_vec_d delta);

/* The vector from A's centroid to B's, in the world. *reach: sum of the radii of the bounding circles about the centroids,
 * enlarged by more than the rounding error of float rotations. */
static inline struct d2_vec_d between_middles(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, double *reach)
{
	struct d2_vec_d ca = d2_rotate_d(pose_a->q, d2_widen(a->centroid)), cb = d2_rotate_d(pose_b->q, d2_widen(b->centroid));
	*reach = ((double)a->outer + b->outer) * (1 + 1e-12) + 1e-5 * (abs_d(ca.x) + abs_d(ca.y) + abs_d(cb.x) + abs_d(cb.y));
	return (struct d2_vec_d){(pose_b->x - pose_a->x) + (cb.x - ca.x), (pose_b->y - pose_a->y) + (cb.y - ca.y)};
}

/* Whether the bounding circles stay disjoint by more than rounding errors while A moves by `length` along the unit vector u. */
static inline bool surely_missed(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d u, double length,
	const struct d2_shape *b, const struct d2_pose *pose_b)
{
	double reach;
	struct d2_vec_d delta = between_middles(a, pose_a, b, pose_b, &reach);
	double along = d2_dot_d(delta, u);
	double past = along < 0 ? along : max_d(along - length * (1 + 1e-12), 0);
	double across = d2_cross_d(delta, u);
	reach += 1e-12 * length;
	return past * past + across * across > reach * reach;
}

/* A guess whether the cores overlap: true if their centroids are closer than the sum of the cores' mean radii. */
static inline bool seem_to_overlap(const struct d2_pair *pair, const struct d2_transform_d *b_in_a)
{
	const struct d2_shape *a = pair->a, *b = pair->b;
	struct d2_vec_d delta = d2_sub_d(d2_transform_point_d(b_in_a, d2_widen(b->centroid)), d2_widen(a->centroid));
	double reach = 0.5 * ((double)a->inner + a->outer + b->inner + b->outer) - a->radius - b->radius;
	return d2_dot_d(delta, delta) < reach * abs_d(reach);
}

static inline bool ends_in_circle(const struct d2_pair *pair)
{
	return d2_type_measured(pair->b) == D2_CIRCLE && d2_type_measured(pair->a) < D2_ELLIPSE;
}

/* The circle's centre from the origin of its frame, in world orientation. */
static inline struct d2_vec_d center_of(const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct d2_vec_d p = d2_widen(shape->points[0]);
	return p.x == 0 && p.y == 0 ? p : d2_turn_d(d2_exact_rot(pose->q), p);
}

static inline enum d2_core_answer find_round(const struct d2_pair *pair, double limit, struct round_separation *out)
{
	const struct d2_shape *a = pair->a, *b = pair->b;
	struct d2_vec_d between = {pair->pose_b->x - pair->pose_a->x, pair->pose_b->y - pair->pose_a->y};
	double radius = (double)a->radius + b->radius;
	out->center = center_of(b, pair->pose_b);
	if (d2_type_measured(a) == D2_CIRCLE) {
		struct d2_vec_d from = center_of(a, pair->pose_a), delta = d2_add_d(between, d2_sub_d(out->center, from));
		double length = d2_length_d(delta);
		/* Concentric but for rounding: any direction is a normal. */
		if (!(length > 1e-12 * (abs_d(between.x) + abs_d(between.y) + abs_d(from.x) + abs_d(from.y))) || !(length > 1e-150))
			return D2_CORE_UNSURE;
		out->distance = length - radius;
		out->normal = d2_scale_d(1 / length, delta);
		out->core.a[0] = out->core.a[1] = 0;
		return out->distance > limit ? D2_CORE_BEYOND : D2_CORE_FOUND;
	}
	struct d2_rot_d q = d2_exact_rot(pair->pose_a->q);
	struct d2_proxy proxy;
	d2_proxy_set_points(&proxy, a);
	enum d2_core_answer answer =
		d2_core_separation_of_point(&proxy, d2_inv_turn_d(q, d2_add_d(between, out->center)), limit + radius, &out->core);
	if (answer == D2_CORE_FOUND) {
		out->distance = out->core.distance - radius;
		out->normal = d2_turn_d(q, out->core.normal);
	}
	return answer;
}

/* The world point at the distance `far` from the circle's centre, against the normal. */
static inline struct d2_vec_d round_point(const struct d2_pair *pair, const struct round_separation *separation, double far)
{
	struct d2_vec_d p = d2_mul_add_d(separation->center, -far, separation->normal);
	return (struct d2_vec_d){pair->pose_b->x + p.x, pair->pose_b->y + p.y};
}
