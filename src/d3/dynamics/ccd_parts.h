/* ccd_parts.h - internals shared by ccd.c, ccd_query.c and ccd_surface.c. */
#pragma once
#include "core/sweep.h"
#include "d3/query/time_of_impact.h"
#include "d3/shape/shape_parts.h"
#include "d3/dynamics/wing.h"

/* The geometry of a swept body's path. */
struct probe {
	struct d3_sweep sweep; /* query->sweep */
	struct d3_pose start, end; /* poses at the start and the end of `sweep` */
	struct d3_rot_d turned[2]; /* rotations of `start` and `end` */
	bool stands; /* the body does not move: `end` equals `start` */
	float bulge; /* greatest deviation of the body's points from straight paths, by rotation [length] */
	const struct d3_shape *shape; /* of query->proxy */
	const struct d3_proxy *whole; /* convex proxy of `shape`, not of its core */
	/* AABBs of the proxy's path: a loose one, from the shape's bounding ball, and a tight one, see d3_ccd_box */
	struct box around, box;
	bool boxed; /* `box` is valid */
	/* relative: query->seen, if the body moves with a carrier; obstacle: query->path; seen: &sweep or &relative; motion: of
	 * `seen` relative to `obstacle` */
	struct d3_sweep relative, obstacle;
	const struct d3_sweep *seen;
	struct d3_motion motion;
};

struct core {
	struct d3_vec points[14];
	struct d3_proxy proxy;
};

static inline struct vec3 d3_ccd_vec3(struct d3_vec_d a)
{
	return (struct vec3){a.x, a.y, a.z};
}

static inline struct d3_vec_d d3_ccd_turned_home(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_inv_turn_d(&rot, v);
}

static inline struct d3_vec_d d3_ccd_turned_out(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_turn_d(&rot, v);
}

struct d3_sweep d3_ccd_sweep(const struct sweep *sweep);

/* Rotation vector of the body in this step, which may exceed half a turn [rad]. */
struct d3_vec d3_ccd_turned(const struct world *world, uint32_t body);

/* The body's pose at time t of probe->seen. */
struct d3_pose d3_ccd_seen_pose(const struct probe *probe, float t);

/* Upper bound on the deviation of the path of the shape's centroid from its chord, by rotation of the obstacle and by rotation
 * of the body about its centre of mass [length]. */
double d3_ccd_middle_arc(const struct sweep_query *query);

/* Makes a core: support points of the shape, scaled about its centroid by one half, or less if the shape is thin, so that the
 * core does not touch a surface on which the body rests. Of a body on joints only this core is swept, since a hit takes back
 * the bodies jointed to it, too. The next step's contact finds a wheel deeper in the ground, and the solver stops the wheel
 * together with its car. */
void d3_ccd_make_half(const struct sweep_query *query, struct core *core);

/* Sweeps b, the shape or its core, against the convex obstacle a. If b starts closer to a than it may come, sweeps a smaller
 * core of the shape; if that overlaps a, the shape's centroid. */
void d3_ccd_sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_proxy *b);

/* Sweeps the shape against a mesh or height field. If it touches a triangle at the start, or the body has joints, sweeps only
 * its core, so that the shape slides over the other triangles. */
void d3_ccd_sweep_surface(struct sweep_query *query, const struct d3_shape *surface);
/* Returns the distance of the shape, at the start of its path, from the triangles near the path; INFINITY: none is near.
 * *normal: the normal there, in the world. */
float d3_ccd_surface_distance(struct sweep_query *query, const struct d3_shape *surface, struct d3_vec_d *normal);
