/* ccd_parts.h - internals shared by ccd.c and ccd_query.c. */
#pragma once
#include "core/sweep.h"
#include "d2/query/time_of_impact.h"
#include "d2/dynamics/wing.h"

/* The geometry of a swept body's path. */
struct probe {
	struct d2_sweep sweep; /* query->sweep, converted */
	struct d2_pose start, end; /* the body's poses at both ends of `sweep` */
	float bulge; /* upper bound of the distance of the body's points from the chords of their paths [length] */
	const struct d2_shape *shape; /* of query->proxy */
	struct box box; /* conservative AABB of the proxy's path */
	bool boxed; /* `box` is valid */
	/* The two sweeps that are tested against each other: `seen`, of the body, points to `sweep` or `relative` (query->seen,
	 * converted); `obstacle` is query->path, converted. `motions` has both. */
	struct d2_sweep relative, obstacle;
	const struct d2_sweep *seen;
	struct d2_motions motions;
};

static inline struct vec3 d2_ccd_vec3(struct d2_vec_d a)
{
	return (struct vec3){a.x, a.y, 0.0};
}

struct d2_sweep d2_ccd_sweep(const struct sweep *sweep);

/* The angle by which a body rotated in this step, which may exceed half a turn [rad]. */
float d2_ccd_turned(const struct world *world, uint32_t body);

/* The body's pose at time t of probe->seen. */
struct d2_pose d2_ccd_seen_pose(const struct probe *probe, float t);
