/* minkowski.c - see minkowski.h. Floor: d3. Any thread, each with its own memory. */
#include "d3/minkowski.h"

/* All sums b + sign a. */
static struct d3_vec_d *all_sums(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, double sign)
{
	const struct d3_vec *of_a = d3_proxy_points(a), *of_b = d3_proxy_points(b);
	struct d3_vec_d *sums = memory_resize(memory, NULL, 0, (size_t)a->count * b->count * sizeof *sums);
	for (uint32_t k = 0; sums && k < b->count; k++) {
		struct d3_vec_d p = d3_transform_point_d(b_in_a, d3_widen(of_b[k]));
		for (uint32_t i = 0; i < a->count; i++)
			sums[(size_t)k * a->count + i] = d3_mul_add_d(p, sign, d3_widen(of_a[i]));
	}
	return sums;
}

/* The corners, which are the vertices, in the order in which the hull gives them. numbers: room for one for each of all sums. */
static bool take_hull(struct memory *memory, const struct d3_vec_d *sums, const uint32_t *corners, const uint32_t *triangles,
	uint32_t *numbers, struct d3_minkowski *out)
{
	out->vertices = memory_resize(memory, NULL, 0, out->vertex_count * sizeof *out->vertices);
	out->triangles = memory_resize(memory, NULL, 0, 3 * (size_t)out->triangle_count * sizeof *out->triangles);
	if (!out->vertices || (!out->triangles && out->triangle_count > 0))
		return false;
	for (uint32_t i = 0; i < out->vertex_count; i++) {
		out->vertices[i] = sums[corners[i]];
		numbers[corners[i]] = i;
	}
	for (uint32_t i = 0; i < 3 * out->triangle_count; i++)
		out->triangles[i] = numbers[triangles[i]];
	return true;
}

static bool combine(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	double sign, struct d3_minkowski *out)
{
	uint32_t count = a->count * b->count, *corners = NULL, *triangles = NULL;
	uint32_t *numbers = memory_resize(memory, NULL, 0, count * sizeof *numbers);
	struct d3_vec_d *sums = all_sums(memory, a, b, b_in_a, sign);
	struct d3_minkowski made = { .vertices = NULL, .triangles = NULL };
	bool done = false;
	if (numbers && sums && d3_hull_corners(memory, sums, count, &corners, &made.vertex_count, &triangles, &made.triangle_count)) {
		done = take_hull(memory, sums, corners, triangles, numbers, &made);
		memory_resize(memory, corners, made.vertex_count * sizeof *corners, 0);
		memory_resize(memory, triangles, 3 * (size_t)made.triangle_count * sizeof *triangles, 0);
	}
	if (sums)
		memory_resize(memory, sums, count * sizeof *sums, 0);
	if (numbers)
		memory_resize(memory, numbers, count * sizeof *numbers, 0);
	if (done)
		*out = made;
	else
		d3_minkowski_free(memory, &made);
	return done;
}

bool d3_minkowski_difference(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b,
	const struct d3_transform_d *b_in_a, struct d3_minkowski *out)
{
	return combine(memory, a, b, b_in_a, -1, out);
}

bool d3_minkowski_sum(struct memory *memory, const struct d3_proxy *a, const struct d3_proxy *b, const struct d3_transform_d *b_in_a,
	struct d3_minkowski *out)
{
	return combine(memory, a, b, b_in_a, 1, out);
}

void d3_minkowski_free(struct memory *memory, struct d3_minkowski *minkowski)
{
	if (minkowski->vertices)
		memory_resize(memory, minkowski->vertices, minkowski->vertex_count * sizeof *minkowski->vertices, 0);
	if (minkowski->triangles)
		memory_resize(memory, minkowski->triangles, 3 * (size_t)minkowski->triangle_count * sizeof *minkowski->triangles, 0);
	*minkowski = (struct d3_minkowski){ .vertices = NULL, .triangles = NULL };
}
