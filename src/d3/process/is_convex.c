/* is_convex.c - see is_convex.h. A closed surface that bends outwards at no edge, and whose faces all have some point behind
 * them, covers the directions from that point a whole number of times; it is convex exactly if it does so once.
 * Source: Mehlhorn, Naeher, Seel, Seidel, Schilz, Schirra, Uhrig, "Checking Geometric Programs or Verification of Geometric
 * Structures", 1996. */
#include "d3/process/is_convex.h"
#include "d3/shape/predicates.h"

struct solid {
	const struct d3_surface *surface;
	const struct d3_vec_d *vertices; /* scaled as predicates.h requires */
};

static struct d3_vec_d corner(const struct solid *solid, uint32_t triangle, uint32_t k)
{
	return solid->vertices[solid->surface->indices[3 * triangle + k]];
}

/* The side of the triangle's plane on which p lies: 1 in front. */
static int side_of(const struct solid *solid, uint32_t triangle, struct d3_vec_d p)
{
	return d3_orient(corner(solid, triangle, 0), corner(solid, triangle, 1), corner(solid, triangle, 2), p);
}

/* -1: at each edge the other triangle is behind the triangle or in its plane; 1: in front of it; 0: neither, or the surface is
 * not closed, or flat. */
static int bend(const struct solid *solid)
{
	int side = 0;
	for (uint32_t half = 0; half < 3 * solid->surface->triangle_count; ++half) {
		uint32_t twin = solid->surface->twins[half];
		if (twin == D3_SURFACE_NONE)
			return 0;
		int found = side_of(solid, half / 3, corner(solid, twin / 3, (twin % 3 + 2) % 3));
		if (found * side < 0)
			return 0;
		side = found != 0 ? found : side;
	}
	return side;
}

/* A coordinate as predicates.h requires: those given are at most 1e7, 2^-24 of which is below 1. */
static double keep(double x)
{
	double kept = x * 0x1p-24;
	return abs_d(kept) < 0x1p-247 ? 0 : kept;
}

static struct d3_vec_d keep_point(struct d3_vec_d p)
{
	return (struct d3_vec_d){keep(p.x), keep(p.y), keep(p.z)};
}

/* The mean of the triangles' corners, scaled. */
static struct d3_vec_d middle_of(const struct solid *solid)
{
	uint32_t count = solid->surface->triangle_count;
	struct d3_vec_d first = corner(solid, 0, 0), sum = {0, 0, 0};
	for (uint32_t half = 0; half < 3 * count; ++half)
		sum = d3_add_d(sum, d3_sub_d(corner(solid, half / 3, half % 3), first));
	struct d3_vec_d middle = d3_mul_add_d(first, 1.0 / (3.0 * count), sum);
	return keep_point(d3_scale_d(0x1p24, middle));
}

/* The solid angle of the triangle from o, positive if o is behind it [sr]. Source: Van Oosterom, Strackee, "The Solid Angle of
 * a Plane Triangle", 1983. */
static double solid_angle(const struct solid *solid, uint32_t triangle, struct d3_vec_d o)
{
	struct d3_vec_d to[3];
	for (uint32_t k = 0; k < 3; ++k) {
		to[k] = d3_sub_d(corner(solid, triangle, k), o);
		to[k] = d3_scale_d(1 / d3_length_d(to[k]), to[k]);
	}
	double volume = d3_dot_d(to[0], d3_cross_d(to[1], to[2]));
	return 2 * scalar_atan2_d(volume, 1 + d3_dot_d(to[0], to[1]) + d3_dot_d(to[1], to[2]) + d3_dot_d(to[2], to[0]));
}

static bool bounds_convex(const struct solid *solid)
{
	int side = bend(solid);
	double angle = 0;
	if (side == 0)
		return false;
	struct d3_vec_d middle = middle_of(solid);
	for (uint32_t i = 0; i < solid->surface->triangle_count; ++i) {
		if (side_of(solid, i, middle) != side)
			return false;
		angle += abs_d(solid_angle(solid, i, middle));
	}
	return angle < 19; /* 4 pi, not 8 pi or more */
}

enum d3_surface_result d3_is_convex(struct memory *memory, const struct d3_vec_d *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, bool *convex, uint32_t where[3])
{
	struct d3_surface surface;
	size_t bytes = vertex_count * sizeof *vertices;
	struct d3_vec_d *scaled = memory_resize(memory, NULL, 0, bytes);
	if (scaled == NULL)
		return D3_SURFACE_OUT_OF_MEMORY;
	for (uint32_t i = 0; i < vertex_count; ++i)
		scaled[i] = keep_point(vertices[i]);
	enum d3_surface_result result =
		d3_surface_create(memory, vertices, vertex_count, indices, triangle_count, D3_SURFACE_WELD, &surface, where);
	if (result == D3_SURFACE_OK) {
		*convex = bounds_convex(&(struct solid){&surface, scaled});
		d3_surface_free(&surface);
	}
	memory_free(memory, scaled, bytes);
	return result;
}
