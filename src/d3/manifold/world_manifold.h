/* world_manifold.h - the contact manifolds of two shapes that overlap, in world coordinates, without a world. They are those of
 * the narrow phase without the speculative points. Contacts that a world leaves out are found, too: between surfaces or
 * half-spaces, and with the back of a one-sided surface.
 * Pure, any thread. */
#pragma once
#include "d3/manifold/manifold.h"

struct d3_world_point {
	struct d3_vec_d p; /* midway between the surfaces, in the world */
	double separation; /* <= 0 [length] */
	uint32_t id; /* of the feature pair: unchanged while this pair touches, unique within a contact */
};

struct d3_world_manifold {
	struct d3_vec_d normal; /* from A to B, in the world */
	int count;
	struct d3_world_point points[D3_MANIFOLD_POINTS];
};

/* Returns the number of contacts, 0 if the shapes are separated. Of a compound, only the child in the deepest pair of children
 * counts. Between a mesh or height field and a convex shape there is one contact for each normal, at most D3_MANIFOLDS; between
 * other shapes one. Exchanging A and B negates the normals and changes nothing else, to the bit. */
int d3_world_manifolds(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_world_manifold out[D3_MANIFOLDS]);
