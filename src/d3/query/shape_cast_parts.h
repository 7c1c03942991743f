/* shape_cast_parts.h - internals shared by shape_cast.c and shape_cast_round.c. */
#pragma once
#include "d3/query/shape_cast.h"
#include "d3/query/ray_cast.h"
#include "d3/query/gjk.h"

#include <assert.h>

/* The cast of one pair, in A's frame at the start. A moves by at most `length` along u, a unit vector. */
struct flight {
	const struct d3_proxy *a, *b;
	struct d3_transform_d b_in_a;
	struct d3_vec_d u;
	double length;
	enum d3_cast_method method;
	bool closed; /* the separation has a closed form */
	double size; /* of the smaller shape [length] */
	double tolerance;
	double scale; /* of the coordinates [length] */
	struct d3_vec_d toward; /* from a point in A to a point in B at the start; 0: unknown */
	struct d3_difference pair; /* `pair` and the members below are unused if `closed` */
	struct d3_simplex simplex;
	struct d3_corner_simplex corners; /* of the last query */
	bool paired; /* the last query left its points in `simplex` */
	bool known; /* the last step ended on known features, whose contact points are opposite each other */
};

struct landing {
	bool hit, left;
	double enter, leave; /* displacement of A [length] */
	double depth; /* penetration at the start; 0: separated */
	struct d3_separation near; /* point_b in A's frame at the start */
	int iterations; /* separations computed */
};

/* The separation when A has moved by s; point_a is in A's moved frame, point_b in A's frame at the start. */
void d3_cast_query(const struct flight *f, double s, struct d3_separation *out, int *iterations);

/* A displacement of A from which on the shapes are surely separated, by at least 1e6 tolerances, so that the normal there is
 * well-conditioned. */
double d3_cast_flight_end(const struct flight *f);

void d3_cast_land_by_ray(struct flight *f, struct landing *out);

/* Casts two capsules by a ray against their Minkowski difference: moving A by s along u moves the origin by s u relative to it.
 * False: the segments are nearly parallel or have no radius. */
bool d3_cast_land_by_patch(struct flight *f, struct landing *out);
