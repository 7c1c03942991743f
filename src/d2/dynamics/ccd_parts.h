/* ccd_parts.h - internals shared by ccd.c and ccd_query.c. */
#pragma once
#include "core/sweep.h"
#include "d2/query/time_of_impact.h"
#include "d2/dynamics/wing.h"

/* The geometry of a swept body's path. */
struct probe {
	struct d2_sweep sweep; /* query->sweep */
	struct d2_pose start, end; /* its poses */
	float bulge; /* greatest distance of the body's points from straight paths [length] */
	struct box box; /* AABB of the proxy's path */
	bool boxed; /* `box` is valid */
	/* query->seen, which may be &sweep, and query->path; both */
	struct d2_sweep relative, obstacle;
	const struct d2_sweep *seen;
	struct d2_motions motions;
};

static inline struct vec3 d2_ccd_vec3(struct d2_vec_d a)
{
	return (struct vec3){a.x, a.y, 0.0};
}

struct d2_sweep d2_ccd_sweep(const struct sweep *sweep);

/* The angle by which a body rotated in this step, which may exceed half a turn. */
float d2_ccd_turned(const struct world *world, uint32_t body);

/* See struct sweep_wing. */
void d2_ccd_probe_run(struct sweep_query *query);
bool d2_ccd_proxy_swept(const struct world *world, uint32_t proxy);
void d2_ccd_look(struct sweep_query *query);
bool d2_ccd_near(struct sweep_query *query, uint32_t other);
const struct box *d2_ccd_box(struct sweep_query *query);
void d2_ccd_against(struct sweep_query *query);
float d2_ccd_distance(struct sweep_query *query, struct vec3 *normal);
