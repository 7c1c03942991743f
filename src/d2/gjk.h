/* gjk.h - the distance between two convex sets, or how deep they overlap.
** A set is a core (points, the inner curve of an ellipse, or a half-plane) widened by a radius. The distance between separated
** cores has a well conditioned normal even where the widened sets overlap a little.
** Arithmetic is double: the distance of near cores is a small difference of large numbers, and its direction is the contact
** normal. Iterations are capped; the best result so far is returned at the cap.
** Floor: d2. Pure, any thread. */
#pragma once
#include "d2/shape.h"

enum d2_proxy_type { D2_PROXY_POINTS, D2_PROXY_ELLIPSE, D2_PROXY_HALF_PLANE };

struct d2_proxy {
	enum d2_proxy_type type;
	uint32_t count;
	const struct d2_vec *points; /* POINTS: 1..64; in the shape, which must stay alive */
	struct d2_vec axes; /* ELLIPSE: half axes of the whole ellipse; HALF_PLANE: its normal */
	float radius; /* around the core; ELLIPSE: what the core is smaller by */
	float offset; /* HALF_PLANE */
};

struct d2_distance_result {
	float distance; /* between the surfaces; <= 0 where they touch or overlap */
	struct d2_vec normal; /* unit, from A to B, in A's frame */
	struct d2_vec point_a, point_b; /* on the surfaces, in A's frame */
	int iterations;
};

/* A convex stand-in for one child of a shape. A chain's segment becomes two-sided. */
struct d2_proxy d2_make_proxy(const struct d2_shape *shape, uint32_t child);

/* b stands at b_in_a in a's frame. Two half-planes: they overlap unless their normals are opposite. */
void d2_distance(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform *b_in_a,
	struct d2_distance_result *out);
