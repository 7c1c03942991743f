/* math.h - vectors, rotations and rigid transforms in 3D.
 * A `d3_pose` places an object in the world, as in 2D; its position is in doubles. A `d3_transform` maps between the frames of
 * two objects near each other and is in floats; a `d3_transform_d` is in doubles, where the geometry must not lose digits.
 * Positions of poses are subtracted in doubles, and the difference is rounded to floats. Invariant, to within rounding:
 * quaternions have unit length, and the columns of rotation matrices are orthonormal.
 * Pure, any thread. */
#pragma once
#include "base/scalar.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define REAL float
#define ROOT sqrtf
#define D3(name) d3_##name
#include "d3/vector.h"

#define REAL double
#define ROOT sqrt
#define D3(name) d3_##name##_d
#include "d3/vector.h"

struct d3_transform_d {
	struct d3_vec_d p;
	struct d3_rot_d q;
};

struct d3_transform {
	struct d3_vec p;
	struct d3_quat q;
};

struct d3_pose {
	double x, y, z;
	struct d3_quat q;
};

/* The unit vector along a; the zero vector if a is shorter than 1e-18, whose square is near the least normal float. */
static inline struct d3_vec d3_normalize(struct d3_vec a)
{
	float length = d3_length(a);
	return length > 1e-18f ? d3_scale(1 / length, a) : (struct d3_vec){0, 0, 0};
}

/* Rotates a by the unit quaternion q: a + 2 u x (u x a + w a), where u is the vector part of q. */
static inline struct d3_vec d3_rotate(struct d3_quat q, struct d3_vec a)
{
	struct d3_vec u = {q.x, q.y, q.z}, t = d3_mul_add(d3_cross(u, a), q.w, a);
	return d3_mul_add(a, 2, d3_cross(u, t));
}

static inline struct d3_vec d3_inv_rotate(struct d3_quat q, struct d3_vec a)
{
	return d3_rotate((struct d3_quat){-q.x, -q.y, -q.z, q.w}, a);
}

/* The rotation of b relative to a: a^-1 b. */
static inline struct d3_quat d3_inv_mul_quat(struct d3_quat a, struct d3_quat b)
{
	return d3_mul_quat((struct d3_quat){-a.x, -a.y, -a.z, a.w}, b);
}

/* Scales q to unit length, from which products drift by rounding. Returns the identity if q is shorter than 1e-18. */
static inline struct d3_quat d3_normalize_quat(struct d3_quat q)
{
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	if (!(length > 1e-18f))
		return (struct d3_quat){0, 0, 0, 1};
	float inverse = 1 / length;
	return (struct d3_quat){inverse * q.x, inverse * q.y, inverse * q.z, inverse * q.w};
}

static inline struct d3_vec d3_transform_point(struct d3_transform t, struct d3_vec a)
{
	return d3_add(d3_rotate(t.q, a), t.p);
}

static inline struct d3_vec d3_inv_transform_point(struct d3_transform t, struct d3_vec a)
{
	return d3_inv_rotate(t.q, d3_sub(a, t.p));
}

/* The inverse of t. */
static inline struct d3_transform d3_inv_transform(struct d3_transform t)
{
	return (struct d3_transform){d3_inv_rotate(t.q, d3_neg(t.p)), {-t.q.x, -t.q.y, -t.q.z, t.q.w}};
}

/* The composition a b: b is applied first. */
static inline struct d3_transform d3_mul_transform(struct d3_transform a, struct d3_transform b)
{
	return (struct d3_transform){d3_transform_point(a, b.p), d3_mul_quat(a.q, b.q)};
}

/* The transform from the frame of b to that of a. The difference of the origins is computed in double. */
static inline struct d3_transform d3_pose_relative(const struct d3_pose *a, const struct d3_pose *b)
{
	struct d3_vec between = {(float)(b->x - a->x), (float)(b->y - a->y), (float)(b->z - a->z)};
	return (struct d3_transform){d3_inv_rotate(a->q, between), d3_inv_mul_quat(a->q, b->q)};
}

static inline struct d3_vec_d d3_widen(struct d3_vec a)
{
	return (struct d3_vec_d){a.x, a.y, a.z};
}

static inline struct d3_vec d3_narrow(struct d3_vec_d a)
{
	return (struct d3_vec){(float)a.x, (float)a.y, (float)a.z};
}

/* A list of `count` points in floats (`narrow`) or, if that is NULL, in doubles (`wide`). Point i is entry index[i] of them;
 * entry i if `index` is NULL. */
struct d3_points {
	const struct d3_vec *narrow;
	const struct d3_vec_d *wide;
	const uint32_t *index;
	uint32_t count;
};

static inline struct d3_vec_d d3_points_at(const struct d3_points *points, uint32_t i)
{
	uint32_t k = points->index ? points->index[i] : i;
	assert(points->narrow || points->wide);
	return points->narrow ? d3_widen(points->narrow[k]) : points->wide[k];
}

/* Writes the AABB of the points and returns its longest side. */
static inline double d3_points_box(const struct d3_points *points, struct d3_vec_d *lower, struct d3_vec_d *upper)
{
	*lower = (struct d3_vec_d){INFINITY, INFINITY, INFINITY};
	*upper = d3_neg_d(*lower);
	for (uint32_t i = 0; i < points->count; ++i) {
		struct d3_vec_d p = d3_points_at(points, i);
		*lower = d3_min_d(*lower, p);
		*upper = d3_max_d(*upper, p);
	}
	return max_d(max_d(upper->x - lower->x, upper->y - lower->y), upper->z - lower->z);
}

/* The distance of p from the segment from a to b. */
static inline double d3_segment_distance_d(struct d3_vec_d p, struct d3_vec_d a, struct d3_vec_d b)
{
	struct d3_vec_d ab = d3_sub_d(b, a), ap = d3_sub_d(p, a);
	double square = d3_dot_d(ab, ab), t = square > 0 ? clamp_d(d3_dot_d(ap, ab) / square, 0, 1) : 0;
	return d3_length_d(d3_mul_add_d(ap, -t, ab));
}

static inline struct d3_vec_d d3_transform_point_d(const struct d3_transform_d *t, struct d3_vec_d a)
{
	return d3_add_d(t->p, d3_turn_d(&t->q, a));
}

static inline struct d3_vec_d d3_inv_transform_point_d(const struct d3_transform_d *t, struct d3_vec_d a)
{
	return d3_inv_turn_d(&t->q, d3_sub_d(a, t->p));
}

/* Normalises a float quaternion, whose length is off 1 by some 1e-7, to double precision. */
static inline struct d3_quat_d d3_exact_quat(struct d3_quat q)
{
	double x = q.x, y = q.y, z = q.z, w = q.w, e = (x * x + y * y + z * z + w * w) - 1;
	/* 1/sqrt(1 + e) = 1 - e/2 + 3 e^2/8 - 5 e^3/16 + ...: for |e| < 1e-6 the terms left out, from e^3 on, are below 1e-18. */
	double scale = fabs(e) < 1e-6 ? 1 - e * (0.5 - 0.375 * e) : 1 / sqrt(1 + e);
	return (struct d3_quat_d){scale * x, scale * y, scale * z, scale * w};
}

static inline struct d3_rot_d d3_exact_rot(struct d3_quat q)
{
	return d3_quat_rot_d(d3_exact_quat(q));
}

/* The part t, from 0 to 1, of the way from one rotation to the other by the smaller angle (slerp). Source: Shoemake, "Animating
 * Rotation with Quaternion Curves", 1985. */
static inline struct d3_quat d3_rotation_between(struct d3_quat from, struct d3_quat to, double t)
{
	struct d3_quat_d a = d3_exact_quat(from), b = d3_exact_quat(to);
	struct d3_quat_d turn = d3_mul_quat_d((struct d3_quat_d){-a.x, -a.y, -a.z, a.w}, b);
	double sign = turn.w < 0 ? -1 : 1, sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
	if (!(sine > 0))
		return from;
	struct cos_sin_d part = scalar_cos_sin_d(t * scalar_atan2_d(sine, sign * turn.w));
	double share = sign * part.sine / sine;
	struct d3_quat_d q = d3_mul_quat_d(a, (struct d3_quat_d){share * turn.x, share * turn.y, share * turn.z, part.cosine});
	return (struct d3_quat){(float)q.x, (float)q.y, (float)q.z, (float)q.w};
}

static inline struct d3_transform_d d3_pose_frame(const struct d3_pose *pose)
{
	return (struct d3_transform_d){{pose->x, pose->y, pose->z}, d3_exact_rot(pose->q)};
}

static inline struct d3_vec d3_moved_point(const struct d3_transform_d *t, struct d3_vec a)
{
	return d3_narrow(d3_transform_point_d(t, d3_widen(a)));
}
