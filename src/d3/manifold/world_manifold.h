/* world_manifold.h - the contacts of two shapes without a world, as a world would solve them.
 * Pure, any thread. */
#pragma once
#include "d3/manifold/manifold.h"

struct d3_world_point {
	struct d3_vec_d p; /* midway between the surfaces, in the world */
	double separation; /* <= 0 [length] */
	uint32_t id; /* of the feature pair: unchanged while this touches, unique within a contact */
};

struct d3_world_manifold {
	struct d3_vec_d normal; /* from A to B, in the world */
	int count;
	struct d3_world_point points[D3_MANIFOLD_POINTS];
};

/* Returns the number of contacts, 0 if the shapes are separated. Of shapes with children: those of the pair of children that
 * overlaps most. Meshes and height fields have one contact for each normal of their contact with a convex shape, at most one
 * with other shapes. Exchanging A and B negates the normals and changes nothing else, to the bit. */
int d3_world_manifolds(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_world_manifold out[D3_MANIFOLDS]);
