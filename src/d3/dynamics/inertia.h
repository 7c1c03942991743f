/* inertia.h - tensors of inertia: about which axes they are diagonal, and their inverses.
 * Pure, any thread. */
#pragma once
#include "d3/dynamics/d3.h"

/* A tensor by its principal axes: its moments about them, ascending, and the frame that these axes make, right-handed. */
struct d3_principal {
	struct d3_vec_d moments;
	struct d3_quat frame;
};

struct d3_principal d3_principal(const struct d3_symmetric *tensor);

/* The tensor with these moments about the axes of the frame. */
struct d3_symmetric d3_tensor(struct d3_quat frame, struct d3_vec moments);

/* What takes an angular impulse to the velocity that it gives a body which may only turn about the axes in `free` (bits 1 x, 2
 * y, 4 z): the inverse of the part of the tensor that these axes have, zero elsewhere. */
struct d3_symmetric d3_tensor_inverse(const struct d3_symmetric *tensor, unsigned free);
