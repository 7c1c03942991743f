/* math.h - vectors, rotations and rigid transforms in 2D.
 * Two kinds of frame: a `d2_pose` places a body or shape in the world, with a double position, so that a scene works the same
 * 1e7 units from the origin; a `d2_transform` relates two frames that are near each other and is float. Poses are subtracted in
 * double, then rounded to float.
 * Invariant: a rotation is a unit vector (c, s) = (cos, sin) to within rounding error.
 * Pure functions, any thread. */
#pragma once
#include "base/scalar.h"

#include <math.h>

#define REAL float
#define ROOT sqrtf
#define D2(name) d2_##name
#include "d2/vector.h"

/* Distances, rays and hulls are computed in double. */
#define REAL double
#define ROOT sqrt
#define D2(name) d2_##name##_d
#include "d2/vector.h"

/* Relates two frames in double, at any distance: for geometry without a world. */
struct d2_transform_d {
	struct d2_vec_d p;
	struct d2_rot_d q;
};

struct d2_transform {
	struct d2_vec p;
	struct d2_rot q;
};

struct d2_pose {
	double x, y;
	struct d2_rot q;
};

/* w x a: the velocity at point a of a body that turns with w [rad/s] about the origin. */
static inline struct d2_vec d2_cross_sv(float w, struct d2_vec a)
{
	return (struct d2_vec){-w * a.y, w * a.x};
}

/* a turned by -90 degrees. */
static inline struct d2_vec d2_right_perp(struct d2_vec a)
{
	return (struct d2_vec){a.y, -a.x};
}

/* a turned by +90 degrees. */
static inline struct d2_vec d2_left_perp(struct d2_vec a)
{
	return (struct d2_vec){-a.y, a.x};
}

/* The unit vector along a; the zero vector if |a| <= 1e-18, whose square is near the smallest normal float. */
static inline struct d2_vec d2_normalize(struct d2_vec a)
{
	float length = d2_length(a);
	return length > 1e-18f ? d2_scale(1 / length, a) : (struct d2_vec){0, 0};
}

static inline struct d2_vec d2_rotate(struct d2_rot q, struct d2_vec a)
{
	return (struct d2_vec){q.c * a.x - q.s * a.y, q.s * a.x + q.c * a.y};
}

static inline struct d2_vec d2_inv_rotate(struct d2_rot q, struct d2_vec a)
{
	return (struct d2_vec){q.c * a.x + q.s * a.y, q.c * a.y - q.s * a.x};
}

/* Restores the unit length, which products of rotations lose. Returns the identity if the length is at most 1e-18. */
static inline struct d2_rot d2_normalize_rot(struct d2_rot q)
{
	float length = sqrtf(q.c * q.c + q.s * q.s);
	if (!(length > 1e-18f))
		return (struct d2_rot){1, 0};
	float inverse = 1 / length;
	return (struct d2_rot){inverse * q.c, inverse * q.s};
}

static inline struct d2_vec d2_transform_point(struct d2_transform t, struct d2_vec a)
{
	return (struct d2_vec){(t.q.c * a.x - t.q.s * a.y) + t.p.x, (t.q.s * a.x + t.q.c * a.y) + t.p.y};
}

static inline struct d2_vec d2_inv_transform_point(struct d2_transform t, struct d2_vec a)
{
	return d2_inv_rotate(t.q, d2_sub(a, t.p));
}

static inline struct d2_transform d2_inv_transform(struct d2_transform t)
{
	return (struct d2_transform){d2_inv_rotate(t.q, d2_neg(t.p)), {t.q.c, -t.q.s}};
}

/* The composition of two transforms: applies b, then a. */
static inline struct d2_transform d2_mul_transform(struct d2_transform a, struct d2_transform b)
{
	return (struct d2_transform){d2_transform_point(a, b.p), d2_mul_rot(a.q, b.q)};
}

/* The transform of points from b's frame to a's. The origins are subtracted in double. */
static inline struct d2_transform d2_pose_relative(const struct d2_pose *a, const struct d2_pose *b)
{
	struct d2_vec between = {(float)(b->x - a->x), (float)(b->y - a->y)};
	return (struct d2_transform){d2_inv_rotate(a->q, between), d2_inv_mul_rot(a->q, b->q)};
}

/* The rotation by an angle [rad]. */
static inline struct d2_rot d2_make_rot(double angle)
{
	struct cos_sin turn = scalar_cos_sin(angle);
	return (struct d2_rot){turn.cosine, turn.sine};
}

/* The angle in [-pi, pi] [rad]. */
static inline float d2_rot_angle(struct d2_rot q)
{
	return scalar_atan2(q.s, q.c);
}

/* The part t, from 0 to 1, of the way from one rotation to the other by the smaller angle. */
static inline struct d2_rot d2_rotation_between(struct d2_rot from, struct d2_rot to, double t)
{
	struct d2_rot turn = d2_inv_mul_rot(from, to);
	return d2_normalize_rot(d2_mul_rot(from, d2_make_rot(t * scalar_atan2_d(turn.s, turn.c))));
}

static inline struct d2_vec_d d2_widen(struct d2_vec a)
{
	return (struct d2_vec_d){a.x, a.y};
}

static inline struct d2_vec d2_narrow(struct d2_vec_d a)
{
	return (struct d2_vec){(float)a.x, (float)a.y};
}

static inline struct d2_vec_d d2_rotate_d(struct d2_rot q, struct d2_vec_d a)
{
	return (struct d2_vec_d){q.c * a.x - q.s * a.y, q.s * a.x + q.c * a.y};
}

static inline struct d2_vec_d d2_inv_rotate_d(struct d2_rot q, struct d2_vec_d a)
{
	return (struct d2_vec_d){q.c * a.x + q.s * a.y, q.c * a.y - q.s * a.x};
}

static inline struct d2_rot_d d2_widen_rot(struct d2_rot q)
{
	return (struct d2_rot_d){q.c, q.s};
}

static inline struct d2_vec_d d2_turn_d(struct d2_rot_d q, struct d2_vec_d a)
{
	return (struct d2_vec_d){q.c * a.x - q.s * a.y, q.s * a.x + q.c * a.y};
}

static inline struct d2_vec_d d2_inv_turn_d(struct d2_rot_d q, struct d2_vec_d a)
{
	return (struct d2_vec_d){q.c * a.x + q.s * a.y, q.c * a.y - q.s * a.x};
}

static inline struct d2_vec_d d2_transform_point_d(const struct d2_transform_d *t, struct d2_vec_d a)
{
	return d2_add_d(t->p, d2_turn_d(t->q, a));
}

/* Returns the rotation, normalised in double to the last digit; the length of a pose's rotation is off by up to 1e-7. With q's
 * squared length 1 + e, 1/sqrt(1 + e) = 1 - e/2 + 3 e^2/8 - 5 e^3/16 + ...: the cubic term is below 1e-18 where |e| < 1e-6. */
static inline struct d2_rot_d d2_exact_rot(struct d2_rot q)
{
	double c = q.c, s = q.s, e = (c * c + s * s) - 1;
	double scale = abs_d(e) < 1e-6 ? 1 - e * (0.5 - 0.375 * e) : 1 / sqrt(1 + e);
	return (struct d2_rot_d){scale * c, scale * s};
}
