/* vec3.h - vectors and frames of doubles, for code that serves both dimensions: in 2D the third numbers are 0.
 * Pure functions; any thread. */
#pragma once
#include <math.h>
#include <stdbool.h>

struct vec3 {
	double x, y, z;
};

static inline struct vec3 vec3_of(const double a[3])
{
	return (struct vec3){a[0], a[1], a[2]};
}

static inline struct vec3 vec3_widen(const float a[3])
{
	return (struct vec3){(double)a[0], (double)a[1], (double)a[2]};
}

static inline void vec3_narrow(struct vec3 a, float out[3])
{
	out[0] = (float)a.x;
	out[1] = (float)a.y;
	out[2] = (float)a.z;
}

static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
	return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
	return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vec3 vec3_scale(double s, struct vec3 a)
{
	return (struct vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline struct vec3 vec3_mul_add(struct vec3 a, double s, struct vec3 b)
{
	return (struct vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline bool vec3_equal(struct vec3 a, struct vec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline double vec3_dot(struct vec3 a, struct vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
	return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_length(struct vec3 a)
{
	return sqrt(vec3_dot(a, a));
}

/* The point closest to the origin on the segment from p to p + v. */
static inline struct vec3 vec3_nearest(struct vec3 p, struct vec3 v)
{
	double square = vec3_dot(v, v), along = -vec3_dot(p, v), t = along <= 0.0 ? 0.0 : along < square ? along / square : 1.0;
	return vec3_mul_add(p, t, v);
}

/* A matrix by its rows. The rows of a rotation are the rotated axes: the matrix is the transpose of the usual one. */
struct mat3 {
	struct vec3 x, y, z;
};

/* The product m a. For a rotation: the coordinates of `a` along the rotated axes. */
static inline struct vec3 mat3_mul(const struct mat3 *m, struct vec3 a)
{
	return (struct vec3){vec3_dot(m->x, a), vec3_dot(m->y, a), vec3_dot(m->z, a)};
}

/* A frame, by its origin and axes in the world. */
struct frame3 {
	struct vec3 origin;
	struct mat3 axes;
};

/* frame3_out rotates a vector (not a point) from the frame to the world, frame3_in from the world to the frame. */
static inline struct vec3 frame3_out(const struct frame3 *frame, struct vec3 a)
{
	const struct mat3 *q = &frame->axes;
	return (struct vec3){q->x.x * a.x + q->y.x * a.y + q->z.x * a.z, q->x.y * a.x + q->y.y * a.y + q->z.y * a.z,
		q->x.z * a.x + q->y.z * a.y + q->z.z * a.z};
}

static inline struct vec3 frame3_in(const struct frame3 *frame, struct vec3 a)
{
	return mat3_mul(&frame->axes, a);
}

/* Transforms a point from the frame to the world. */
static inline struct vec3 frame3_point(const struct frame3 *frame, struct vec3 point)
{
	return vec3_add(frame->origin, frame3_out(frame, point));
}
