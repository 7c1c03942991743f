/* math.h - vectors, rotations and rigid transforms in 3D.
 * Two kinds of frame, as in 2D: a `d3_pose` places an object in the world; its position is double. A transform between two
 * objects near each other is float, or double (`_d`) where geometry must not lose digits. Positions of poses are subtracted in
 * double, then rounded. Invariant: quaternions have unit length to within rounding; the columns of a `d3_rot_d` are
 * orthonormal.
 * Pure functions, any thread. */
#pragma once
#include "base/scalar.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct d3_vec {
	float x, y, z;
};

/* The rotation by 2 acos(w) about (x, y, z). */
struct d3_quat {
	float x, y, z, w;
};

struct d3_vec_d {
	double x, y, z;
};

struct d3_quat_d {
	double x, y, z, w;
};

/* A rotation matrix by its columns, the images of the axes. */
struct d3_rot_d {
	struct d3_vec_d x, y, z;
};

struct d3_transform_d {
	struct d3_vec_d p;
	struct d3_rot_d q;
};

struct d3_transform {
	struct d3_vec p;
	struct d3_quat q;
};

/* As d3_rot_d. */
struct d3_rot {
	struct d3_vec x, y, z;
};

struct d3_pose {
	double x, y, z;
	struct d3_quat q;
};

static inline struct d3_vec d3_add(struct d3_vec a, struct d3_vec b)
{
	return (struct d3_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct d3_vec d3_sub(struct d3_vec a, struct d3_vec b)
{
	return (struct d3_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct d3_vec d3_neg(struct d3_vec a)
{
	return (struct d3_vec){-a.x, -a.y, -a.z};
}

/* The coordinate along axis 0, 1 or 2. */
static inline float d3_coordinate(struct d3_vec a, int axis)
{
	return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* Lesser and greater of each coordinate. */
static inline struct d3_vec d3_min(struct d3_vec a, struct d3_vec b)
{
	return (struct d3_vec){min_f(a.x, b.x), min_f(a.y, b.y), min_f(a.z, b.z)};
}

static inline struct d3_vec d3_max(struct d3_vec a, struct d3_vec b)
{
	return (struct d3_vec){max_f(a.x, b.x), max_f(a.y, b.y), max_f(a.z, b.z)};
}

static inline struct d3_vec d3_scale(float s, struct d3_vec a)
{
	return (struct d3_vec){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline struct d3_vec d3_mul_add(struct d3_vec a, float s, struct d3_vec b)
{
	return (struct d3_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline float d3_dot(struct d3_vec a, struct d3_vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct d3_vec d3_cross(struct d3_vec a, struct d3_vec b)
{
	return (struct d3_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline float d3_length(struct d3_vec a)
{
	return sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}

/* The unit vector along a, or the zero vector where a is too short (below 1e-18) for its square to be a normal float. */
static inline struct d3_vec d3_normalize(struct d3_vec a)
{
	float length = d3_length(a);
	if (!(length > 1e-18f))
		return (struct d3_vec){0, 0, 0};
	float inverse = 1 / length;
	return (struct d3_vec){inverse * a.x, inverse * a.y, inverse * a.z};
}

/* a + 2 u x (u x a + w a), where u is the vector part of q. */
static inline struct d3_vec d3_rotate(struct d3_quat q, struct d3_vec a)
{
	struct d3_vec u = {q.x, q.y, q.z}, t = d3_cross(u, a);
	t = d3_mul_add(t, q.w, a);
	return d3_mul_add(a, 2, d3_cross(u, t));
}

static inline struct d3_vec d3_inv_rotate(struct d3_quat q, struct d3_vec a)
{
	return d3_rotate((struct d3_quat){-q.x, -q.y, -q.z, q.w}, a);
}

/* First b, then a. */
static inline struct d3_quat d3_mul_quat(struct d3_quat a, struct d3_quat b)
{
	return (struct d3_quat){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

/* The rotation of b seen in the frame of a. */
static inline struct d3_quat d3_inv_mul_quat(struct d3_quat a, struct d3_quat b)
{
	return d3_mul_quat((struct d3_quat){-a.x, -a.y, -a.z, a.w}, b);
}

/* Restores unit length, which products lose; the identity if q is shorter than 1e-18. */
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

/* First b, then a. */
static inline struct d3_transform d3_mul_transform(struct d3_transform a, struct d3_transform b)
{
	return (struct d3_transform){d3_transform_point(a, b.p), d3_mul_quat(a.q, b.q)};
}

/* The frame of b seen in the frame of a. The difference of the origins is formed in double. */
static inline struct d3_transform d3_pose_relative(const struct d3_pose *a, const struct d3_pose *b)
{
	struct d3_vec between = {(float)(b->x - a->x), (float)(b->y - a->y), (float)(b->z - a->z)};
	return (struct d3_transform){d3_inv_rotate(a->q, between), d3_inv_mul_quat(a->q, b->q)};
}

/* The rotation of a unit quaternion. */
static inline struct d3_rot d3_quat_rot(struct d3_quat q)
{
	float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	return (struct d3_rot){
		{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
		{2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
		{2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)},
	};
}

static inline struct d3_vec d3_turn(const struct d3_rot *q, struct d3_vec a)
{
	return (struct d3_vec){q->x.x * a.x + q->y.x * a.y + q->z.x * a.z, q->x.y * a.x + q->y.y * a.y + q->z.y * a.z,
		q->x.z * a.x + q->y.z * a.y + q->z.z * a.z};
}

static inline struct d3_vec d3_inv_turn(const struct d3_rot *q, struct d3_vec a)
{
	return (struct d3_vec){d3_dot(q->x, a), d3_dot(q->y, a), d3_dot(q->z, a)};
}

static inline struct d3_vec_d d3_widen(struct d3_vec a)
{
	return (struct d3_vec_d){a.x, a.y, a.z};
}

static inline struct d3_vec d3_narrow(struct d3_vec_d a)
{
	return (struct d3_vec){(float)a.x, (float)a.y, (float)a.z};
}

static inline struct d3_vec_d d3_add_d(struct d3_vec_d a, struct d3_vec_d b)
{
	return (struct d3_vec_d){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct d3_vec_d d3_sub_d(struct d3_vec_d a, struct d3_vec_d b)
{
	return (struct d3_vec_d){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct d3_vec_d d3_neg_d(struct d3_vec_d a)
{
	return (struct d3_vec_d){-a.x, -a.y, -a.z};
}

static inline double d3_coordinate_d(struct d3_vec_d a, int axis)
{
	return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static inline struct d3_vec_d d3_min_d(struct d3_vec_d a, struct d3_vec_d b)
{
	return (struct d3_vec_d){min_d(a.x, b.x), min_d(a.y, b.y), min_d(a.z, b.z)};
}

static inline struct d3_vec_d d3_max_d(struct d3_vec_d a, struct d3_vec_d b)
{
	return (struct d3_vec_d){max_d(a.x, b.x), max_d(a.y, b.y), max_d(a.z, b.z)};
}

static inline struct d3_vec_d d3_scale_d(double s, struct d3_vec_d a)
{
	return (struct d3_vec_d){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline struct d3_vec_d d3_mul_add_d(struct d3_vec_d a, double s, struct d3_vec_d b)
{
	return (struct d3_vec_d){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double d3_dot_d(struct d3_vec_d a, struct d3_vec_d b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct d3_vec_d d3_cross_d(struct d3_vec_d a, struct d3_vec_d b)
{
	return (struct d3_vec_d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double d3_length_d(struct d3_vec_d a)
{
	return sqrt(d3_dot_d(a, a));
}

/* A list of points, as floats or as doubles; `index`, if not NULL, selects some of them. */
struct d3_points {
	const struct d3_vec *narrow;
	const struct d3_vec_d *wide;
	const uint32_t *index;
	uint32_t count;
};

static inline struct d3_vec_d d3_points_at(const struct d3_points *points, uint32_t i)
{
	uint32_t k = points->index ? points->index[i] : i;
	return points->narrow ? d3_widen(points->narrow[k]) : points->wide[k];
}

/* The distance of p from the segment from a to b. */
static inline double d3_segment_distance_d(struct d3_vec_d p, struct d3_vec_d a, struct d3_vec_d b)
{
	struct d3_vec_d ab = d3_sub_d(b, a), ap = d3_sub_d(p, a);
	double square = d3_dot_d(ab, ab), t = square > 0 ? clamp_d(d3_dot_d(ap, ab) / square, 0, 1) : 0;
	return d3_length_d(d3_mul_add_d(ap, -t, ab));
}

static inline struct d3_vec_d d3_turn_d(const struct d3_rot_d *q, struct d3_vec_d a)
{
	return (struct d3_vec_d){q->x.x * a.x + q->y.x * a.y + q->z.x * a.z, q->x.y * a.x + q->y.y * a.y + q->z.y * a.z,
		q->x.z * a.x + q->y.z * a.y + q->z.z * a.z};
}

static inline struct d3_vec_d d3_inv_turn_d(const struct d3_rot_d *q, struct d3_vec_d a)
{
	return (struct d3_vec_d){d3_dot_d(q->x, a), d3_dot_d(q->y, a), d3_dot_d(q->z, a)};
}

static inline struct d3_vec_d d3_transform_point_d(const struct d3_transform_d *t, struct d3_vec_d a)
{
	return d3_add_d(t->p, d3_turn_d(&t->q, a));
}

static inline struct d3_vec_d d3_inv_transform_point_d(const struct d3_transform_d *t, struct d3_vec_d a)
{
	return d3_inv_turn_d(&t->q, d3_sub_d(a, t->p));
}

/* First b, then a. */
static inline struct d3_rot_d d3_mul_rot_d(const struct d3_rot_d *a, const struct d3_rot_d *b)
{
	return (struct d3_rot_d){d3_turn_d(a, b->x), d3_turn_d(a, b->y), d3_turn_d(a, b->z)};
}

/* The rotation of b seen in the frame of a. */
static inline struct d3_rot_d d3_inv_mul_rot_d(const struct d3_rot_d *a, const struct d3_rot_d *b)
{
	return (struct d3_rot_d){d3_inv_turn_d(a, b->x), d3_inv_turn_d(a, b->y), d3_inv_turn_d(a, b->z)};
}

static inline struct d3_rot_d d3_inv_rot_d(const struct d3_rot_d *q)
{
	return (struct d3_rot_d){{q->x.x, q->y.x, q->z.x}, {q->x.y, q->y.y, q->z.y}, {q->x.z, q->y.z, q->z.z}};
}

/* First b, then a. */
static inline struct d3_quat_d d3_mul_quat_d(struct d3_quat_d a, struct d3_quat_d b)
{
	return (struct d3_quat_d){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

/* The rotation of a unit quaternion. */
static inline struct d3_rot_d d3_quat_rot_d(struct d3_quat_d q)
{
	double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	return (struct d3_rot_d){
		{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
		{2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
		{2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)},
	};
}

/* A float quaternion, whose length is off 1 by up to 1e-7, normalised to double precision. */
static inline struct d3_quat_d d3_exact_quat(struct d3_quat q)
{
	double x = q.x, y = q.y, z = q.z, w = q.w, e = (x * x + y * y + z * z + w * w) - 1;
	/* 1/sqrt(1 + e) = 1 - e/2 + 3 e^2/8 - 5 e^3/16 + ...: the terms from e^3 on, which are left out, are below 1e-18 where |e|
	 * < 1e-6. */
	double scale = fabs(e) < 1e-6 ? 1 - e * (0.5 - 0.375 * e) : 1 / sqrt(1 + e);
	return (struct d3_quat_d){scale * x, scale * y, scale * z, scale * w};
}

static inline struct d3_rot_d d3_exact_rot(struct d3_quat q)
{
	return d3_quat_rot_d(d3_exact_quat(q));
}

/* A unit vector perpendicular to n. */
static inline struct d3_vec_d d3_across(struct d3_vec_d n)
{
	double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
	struct d3_vec_d axis = x <= y && x <= z ? (struct d3_vec_d){1, 0, 0}
		: y <= z                            ? (struct d3_vec_d){0, 1, 0}
											: (struct d3_vec_d){0, 0, 1};
	struct d3_vec_d c = d3_cross_d(n, axis);
	return d3_scale_d(1 / d3_length_d(c), c);
}

static inline struct d3_transform_d d3_pose_frame(const struct d3_pose *pose)
{
	return (struct d3_transform_d){{pose->x, pose->y, pose->z}, d3_exact_rot(pose->q)};
}

static inline struct d3_vec d3_moved_point(const struct d3_transform_d *place, struct d3_vec point)
{
	return d3_narrow(d3_transform_point_d(place, d3_widen(point)));
}
