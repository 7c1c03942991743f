/* world_manifold.h - the contact of two shapes without a world: the one that a world solves.
 * Pure, any thread. */
#pragma once
#include "d2/manifold/manifold.h"

struct d2_world_point {
	struct d2_vec_d p; /* midway between the surfaces, in the world */
	double separation; /* <= 0 [length] */
	uint32_t id; /* of the features that meet: the same while they do, different within a contact */
};

struct d2_world_manifold {
	struct d2_vec_d normal; /* from A to B, in the world */
	int count;
	struct d2_world_point points[2];
};

enum { D2_WORLD_MANIFOLDS = 1 };

/* Returns how many there are, 0 when the shapes are apart. Of chains: of the segment that is overlapped deepest, the first of
 * equals, from either side. Exchanging A and B negates the normal and changes nothing else, to the bit. */
int d2_world_manifolds(const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b,
	const struct d2_pose *pose_b, struct d2_world_manifold out[D2_WORLD_MANIFOLDS]);
