/* space.c - shapes and lines in 3D, lit by the sky and by one light over the viewer's shoulder. Spheres and capsules are drawn
 * as rings of vertices, as many as their size in the picture needs. */
#include "view/view.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
/* Lines lie on the surfaces that they mark, so they are drawn closer to the eye by this fraction of the distance, or in
 * orthographic pictures of the picture's height. */
#define LINE_LIFT 0.002

/* --- Vectors -------------------------------------------------------------------------------------------------------------- */

static const struct point3 origin = {0.0, 0.0, 0.0};

static struct point3 add(struct point3 a, struct point3 b, double scale)
{
	return (struct point3){a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale};
}

static struct point3 sub(struct point3 a, struct point3 b)
{
	return add(a, b, -1.0);
}

static double dot(struct point3 a, struct point3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct point3 cross(struct point3 a, struct point3 b)
{
	return (struct point3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static struct point3 unit(struct point3 a)
{
	double length = sqrt(dot(a, a));
	return length > 0.0 ? (struct point3){a.x / length, a.y / length, a.z / length} : (struct point3){0.0, 1.0, 0.0};
}

void space_frame(struct point3 axis, struct point3 *u, struct point3 *v)
{
	struct point3 other = fabs(axis.x) < 0.7 ? (struct point3){1.0, 0.0, 0.0} : (struct point3){0.0, 1.0, 0.0};
	*u = unit(cross(axis, other));
	*v = cross(axis, *u);
}

/* Rotates v by the unit quaternion (q, w): v + 2 w (q x v) + 2 q x (q x v). */
static struct point3 rotate(const double q[4], struct point3 v)
{
	struct point3 axis = {q[0], q[1], q[2]}, t = cross(axis, v);
	return add(add(v, t, 2.0 * q[3]), cross(axis, t), 2.0);
}

/* --- The camera ----------------------------------------------------------------------------------------------------------- */

void space_look(struct camera *camera, struct point3 eye, struct point3 target, struct point3 up, double fov, double height)
{
	struct point3 back = sub(eye, target);
	double distance = sqrt(dot(back, back));
	camera->space = true;
	camera->eye = eye;
	camera->behind = unit(back);
	camera->sky = unit(up);
	struct point3 right = cross(camera->sky, camera->behind), other;
	if (dot(right, right) < 1e-12) /* looking straight up or down: any horizontal vector is to the right */
		space_frame(camera->behind, &right, &other);
	camera->right = unit(right);
	camera->above = cross(camera->behind, camera->right);
	camera->light = unit(add(add(camera->sky, camera->right, 0.4), camera->behind, 0.7));
	camera->perspective = fov > 0.0;
	camera->zoom = camera->perspective ? 1.0 / tan(fov / 2.0) : 2.0 / height;
	camera->near = 0.01 * distance;
	camera->far = 1000.0 * distance;
}

/* Converts a point to the eye's frame: right, up, and the distance along the view. */
static struct point3 to_eye(const struct camera *camera, struct point3 point)
{
	struct point3 d = sub(point, camera->eye);
	return (struct point3){dot(d, camera->right), dot(d, camera->above), -dot(d, camera->behind)};
}

/* Depth in clip coordinates, before the division by w. */
static double clip_depth(const struct camera *camera, double distance)
{
	double near = camera->near, far = camera->far;
	return camera->perspective ? (distance * (far + near) - 2.0 * far * near) / (far - near)
							   : (2.0 * distance - far - near) / (far - near);
}

static void vertex_add(struct canvas *canvas, struct point3 point, struct color color)
{
	const struct camera *camera = &canvas->camera;
	struct point3 p = to_eye(camera, point);
	double aspect = (double)canvas->height / canvas->width, w = camera->perspective ? p.z : 1.0;
	canvas_vertex(
		canvas, vertex_full(canvas, p.x * camera->zoom * aspect, p.y * camera->zoom, clip_depth(camera, p.z), w, color));
}

/* The pixel and clip depth of a point in the eye's frame, in front of the eye. */
static struct point2 eye_pixel(const struct canvas *canvas, struct point3 p, double *z)
{
	const struct camera *camera = &canvas->camera;
	double w = camera->perspective ? p.z : 1.0, scale = camera->zoom * canvas->height / 2.0 / w;
	*z = clip_depth(camera, p.z) / w;
	return (struct point2){canvas->width / 2.0 + p.x * scale, canvas->height / 2.0 - p.y * scale};
}

bool space_pixel(const struct canvas *canvas, struct point3 point, struct point2 *pixel, double *z)
{
	struct point3 p = to_eye(&canvas->camera, point);
	if (p.z <= canvas->camera.near)
		return false;
	*pixel = eye_pixel(canvas, p, z);
	return true;
}

/* --- Light ---------------------------------------------------------------------------------------------------------------- */

/* The colour of a surface with this unit normal: dimmed everywhere, brighter towards the sky, brightest towards the light. */
static struct color lit(const struct camera *camera, struct color color, struct point3 normal)
{
	double light = 0.38 + 0.11 * (1.0 + dot(normal, camera->sky)) + 0.45 * fmax(0.0, dot(normal, camera->light));
	return color_shade(color, fmin(light, 1.0));
}

/* --- Lines ---------------------------------------------------------------------------------------------------------------- */

void space_line(struct canvas *canvas, struct color color, struct point3 a, struct point3 b)
{
	const struct camera *camera = &canvas->camera;
	struct point3 p = to_eye(camera, a), q = to_eye(camera, b);
	/* The lift changes the depths, not the pixels. */
	double lift = camera->perspective ? 0.0 : LINE_LIFT * 2.0 / camera->zoom;
	double near = camera->perspective ? camera->near / (1.0 - LINE_LIFT) : camera->near + lift;
	if (p.z < near && q.z < near)
		return;
	if (p.z < near)
		p = add(p, sub(q, p), (near - p.z) / (q.z - p.z));
	else if (q.z < near)
		q = add(q, sub(p, q), (near - q.z) / (p.z - q.z));
	double zp, zq;
	struct point2 from = eye_pixel(canvas, p, &zp), to = eye_pixel(canvas, q, &zq);
	struct point3 ends[2] = {p, q};
	double depths[2];
	for (int i = 0; i < 2; ++i) {
		double z = camera->perspective ? ends[i].z * (1.0 - LINE_LIFT) : ends[i].z - lift;
		depths[i] = clip_depth(camera, z) / (camera->perspective ? z : 1.0);
	}
	plane_line(canvas, color, from, to, fmax(depths[0], -1.0), fmax(depths[1], -1.0), OUTLINE_WIDTH);
}

enum { RING = 48 };

/* Draws a circle. u, v: perpendicular unit vectors of its plane. */
static void ring(
	struct canvas *canvas, struct color color, struct point3 center, double radius, struct point3 u, struct point3 v)
{
	u = add(origin, u, radius);
	v = add(origin, v, radius);
	struct point3 last = add(center, u, 1.0);
	for (int i = 1; i <= RING; ++i) {
		double angle = 2.0 * PI * i / RING;
		struct point3 next = add(add(center, u, cos(angle)), v, sin(angle));
		space_line(canvas, color, last, next);
		last = next;
	}
}

void space_ring(struct canvas *canvas, struct color color, struct point3 center, double radius)
{
	ring(canvas, color, center, radius, canvas->camera.right, canvas->camera.above);
}

/* The triangles added since the batch had `from` indices cast shadows. */
static void cast_since(struct canvas *canvas, uint32_t from)
{
	struct shadows *shadows = &canvas->shadows;
	uint32_t count = canvas->index_count - from;
	memcpy(shadows->indices + shadows->count, canvas->indices + from, count * sizeof *canvas->indices);
	shadows->count += count;
}

/* --- Solids --------------------------------------------------------------------------------------------------------------- */

/* Pixels of a length at the point, or nearer to the eye by some length. */
static double length_pixels(const struct canvas *canvas, struct point3 point, double nearer, double length)
{
	const struct camera *camera = &canvas->camera;
	double distance = camera->perspective ? fmax(to_eye(camera, point).z - nearer, camera->near) : 1.0;
	return length * camera->zoom * canvas->height / 2.0 / distance;
}

/* How strong the outline of a face is, 0 to 1: faint where its edges would cover it, as on the facets of a thin cylinder. */
static double outline_strength(const struct canvas *canvas, const struct point3 *points, int count)
{
	double shortest = INFINITY;
	for (int i = 0; i < count; ++i) {
		struct point3 edge = sub(points[(i + 1) % count], points[i]);
		shortest = fmin(shortest, sqrt(dot(edge, edge)));
	}
	return fmin(fmax((length_pixels(canvas, points[0], 0.0, shortest) - 2.0) / 6.0, 0.0), 1.0);
}

void space_face(struct canvas *canvas, struct color color, enum paint paint, const struct point3 *points, int count)
{
	struct point3 normal = origin;
	for (int i = 1; i + 1 < count; ++i)
		normal = add(normal, cross(sub(points[i], points[0]), sub(points[i + 1], points[0])), 1.0);
	normal = unit(normal);
	if (dot(normal, canvas->camera.perspective ? sub(canvas->camera.eye, points[0]) : canvas->camera.behind) < 0.0)
		normal = (struct point3){-normal.x, -normal.y, -normal.z};
	if (paint != PAINT_OUTLINE) {
		struct color shade = lit(&canvas->camera, color, normal);
		uint32_t first = canvas_reserve(canvas, (uint32_t)count, 3 * (uint32_t)(count - 2), true);
		for (int i = 0; i < count; ++i)
			vertex_add(canvas, points[i], shade);
		canvas_fan(canvas, first, (uint32_t)count);
		cast_since(canvas, canvas->index_count - 3 * (uint32_t)(count - 2));
		double strength = paint == PAINT_FILL ? 0.0 : outline_strength(canvas, points, count);
		if (strength == 0.0)
			return;
		color = color_shade(shade, 1.0 + strength * (OUTLINE_SHADE - 1.0));
	}
	for (int i = 0; paint != PAINT_FILL && i < count; ++i)
		space_line(canvas, color, points[i], points[(i + 1) % count]);
}

/* Number of rings for a sphere of this radius, for an error of a fifth of a pixel: even, 8 to 48. */
static uint32_t ring_count(const struct canvas *canvas, struct point3 center, double radius)
{
	double rings = PI / acos(1.0 - 0.2 / fmax(length_pixels(canvas, center, radius, radius), 1.0));
	return 2 * (uint32_t)fmin(fmax(ceil(rings / 2.0), 4.0), 24.0);
}

/* Draws two hemispheres about a and b and the tube between them; a sphere if a = b. axis: the unit vector from a to b. The
 * polar angles of the rings, from the pole at b, are the multiples of pi/2 / half; both hemispheres have one at pi/2. */
static void round_add(
	struct canvas *canvas, struct color color, struct point3 a, struct point3 b, struct point3 axis, double radius)
{
	struct point3 u, v;
	space_frame(axis, &u, &v);
	uint32_t half = ring_count(canvas, a, radius) / 2, around = 4 * half, rings = 2 * half + 2, width = around + 1;
	uint32_t first = canvas_reserve(canvas, rings * width, 6 * (rings - 1) * around, true);
	for (uint32_t i = 0; i < rings; ++i) {
		bool upper = i <= half;
		double polar = PI / 2.0 * (upper ? i : i - 1) / half;
		for (uint32_t k = 0; k < width; ++k) {
			double angle = 2.0 * PI * k / around;
			struct point3 normal =
				add(add(add(origin, axis, cos(polar)), u, sin(polar) * cos(angle)), v, sin(polar) * sin(angle));
			vertex_add(canvas, add(upper ? b : a, normal, radius), lit(&canvas->camera, color, normal));
		}
	}
	for (uint32_t i = 0; i + 1 < rings; ++i)
		for (uint32_t k = 0; k < around; ++k) {
			uint32_t at = first + i * width + k;
			canvas_triangle(canvas, at, at + width, at + 1);
			canvas_triangle(canvas, at + 1, at + width, at + width + 1);
		}
	cast_since(canvas, canvas->index_count - 6 * (rings - 1) * around);
}

void space_sphere(struct canvas *canvas, struct color color, struct point3 center, double radius, const double *rotation)
{
	round_add(canvas, color, center, center, canvas->camera.sky, radius);
	if (!rotation)
		return;
	struct point3 x = rotate(rotation, (struct point3){1.0, 0.0, 0.0}), y = rotate(rotation, (struct point3){0.0, 1.0, 0.0});
	struct point3 z = rotate(rotation, (struct point3){0.0, 0.0, 1.0});
	struct color edge = color_shade(color, OUTLINE_SHADE);
	ring(canvas, edge, center, radius, x, y);
	ring(canvas, edge, center, radius, y, z);
}

void space_capsule(struct canvas *canvas, struct color color, struct point3 a, struct point3 b, double radius)
{
	round_add(canvas, color, a, b, unit(sub(b, a)), radius);
}
