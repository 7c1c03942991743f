/* world_manifold.h - the contact manifold of two shapes that overlap, in world coordinates, without a world. It is as the
 * narrow phase finds it, but without speculative points, and with contacts that a world leaves out (of two chains, from behind
 * a chain, of two half-planes).
 * Pure, any thread. */
#pragma once
#include "d2/manifold/manifold.h"

struct d2_world_point {
	struct d2_vec_d p; /* midway between the surfaces, in the world */
	double separation; /* <= 0 [length] */
	uint32_t id; /* of the features in contact: the same while they touch, unique in a manifold */
};

struct d2_world_manifold {
	struct d2_vec_d normal; /* from A to B, in the world */
	int count;
	struct d2_world_point points[2];
};

enum { D2_WORLD_MANIFOLDS = 1 };

/* Writes the manifold of two shapes; returns 1, or 0 when they are apart. For chains: that of the segment overlapped deepest
 * (of equals the first), from either side. Exchanging A and B negates the normal and changes nothing else, to the bit. */
int d2_world_manifolds(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, struct d2_world_manifold out[D2_WORLD_MANIFOLDS]);
