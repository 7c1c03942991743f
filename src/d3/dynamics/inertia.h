/* inertia.h - inertia tensors: their principal axes, and their inverses.
 * Pure, any thread. */
#pragma once
#include "d3/dynamics/d3.h"

/* A tensor's moments about its principal axes, ascending, and the right-handed frame of these axes. */
struct d3_principal {
	struct d3_vec_d moments;
	struct d3_quat frame;
};

struct d3_principal d3_principal(const struct d3_symmetric *tensor);

/* The tensor with these moments about the axes of the frame. */
struct d3_symmetric d3_tensor(struct d3_quat frame, struct d3_vec moments);

/* Inverse inertia of a body that may rotate only about the axes in `free` (bits 1 x, 2 y, 4 z): maps an angular impulse to the
 * change of angular velocity. It is the inverse of these axes' submatrix, zero elsewhere. */
struct d3_symmetric d3_tensor_inverse(const struct d3_symmetric *tensor, unsigned free);
