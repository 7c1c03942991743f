/* ccd_parts.h - internals shared by ccd.c, ccd_query.c and ccd_surface.c. */
#pragma once
#include "core/sweep.h"
#include "d3/query/time_of_impact.h"
#include "d3/shape/shape_parts.h"
#include "d3/dynamics/wing.h"

/* The geometry of a swept body's path. */
struct probe {
	struct d3_sweep sweep; /* query->sweep */
	struct d3_pose start, end; /* its poses */
	struct d3_rot_d turned[2]; /* their rotations */
	bool stands; /* they are equal */
	float bulge; /* greatest distance of the body's points from straight paths, by rotation [length] */
	const struct d3_shape *shape; /* of query->proxy */
	const struct d3_proxy *whole; /* convex stand-in of all of `shape` */
	struct box around, box; /* AABBs of the proxy's path: for any rotation; tight, see d3_ccd_box */
	bool boxed; /* `box` is valid */
	/* query->seen, which may be &sweep, and query->path; both */
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

/* Rotation vector of a body in this step, perhaps of more than half a turn [rad]. */
struct d3_vec d3_ccd_turned(const struct world *world, uint32_t body);

/* The body's pose at time t of the path that is seen. */
struct d3_pose d3_ccd_seen_pose(const struct probe *probe, float t);

/* Largest deviation of the path of the shape's middle from its chord: by rotation of the obstacle, and by rotation of the body
 * about its centre of mass [length]. */
double d3_ccd_middle_arc(const struct sweep_query *query);

/* Makes a core of half the shape's size, smaller if the shape is thin, so that the core is not near a surface on which the body
 * lies. Of a jointed body only this core is stopped, since the others are moved with it: the contact of the next step finds a
 * wheel deeper in the ground, and the solver stops the wheel together with its car. */
void d3_ccd_make_half(const struct sweep_query *query, struct core *core);

/* Sweeps the shape if it is separated at the start; else its core, if that is; else its middle. */
void d3_ccd_sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_proxy *b);

/* Sweeps against a mesh or height field. A shape in contact with some triangles slides over the others: only its core is
 * stopped. */
void d3_ccd_sweep_surface(struct sweep_query *query, const struct d3_shape *surface);
/* Least distance from the triangles near the shape at its pose, and the normal there. */
float d3_ccd_surface_distance(struct sweep_query *query, const struct d3_shape *surface, struct d3_vec_d *normal);
