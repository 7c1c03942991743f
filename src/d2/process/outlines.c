/* outlines.c - see outlines.h. A square has the centres of four neighbouring samples as corners: square (i, k) the samples i -
 * 1 and i of the rows k - 1 and k. Its corners and edges are counted counter-clockwise from the lower left corner and the lower
 * edge. An outline enters a square where its border goes from a solid to an empty corner, and leaves it where it goes from an
 * empty to a solid one. */
#include "d2/process/outlines.h"
#include "base/scalar.h"

/* Points keep at least this part of a side from the samples, so that no two of an outline coincide. */
#define LEAST_PART 1e-3

struct square {
	uint32_t i, k;
};

static bool inside(const struct d2_samples *samples, struct square at)
{
	return at.i < samples->columns && at.k < samples->rows;
}

/* The sample at a corner of a square. Beyond the grid its coordinates wrap around, and are outside as well. */
static struct square corner_of(struct square at, int corner)
{
	bool right = corner == 1 || corner == 2, upper = corner >= 2;
	return (struct square){at.i - !right, at.k - !upper};
}

static double value_at(const struct d2_samples *samples, struct square sample)
{
	return samples->values[(size_t)sample.k * samples->columns + sample.i];
}

static bool solid(const struct d2_samples *samples, struct square sample)
{
	return inside(samples, sample) && value_at(samples, sample) >= samples->threshold;
}

/* Bit k: corner k is solid. */
static unsigned corners_of(const struct d2_samples *samples, struct square at)
{
	unsigned corners = 0;
	for (int k = 0; k < 4; ++k)
		corners |= (unsigned)solid(samples, corner_of(at, k)) << k;
	return corners;
}

/* Bit k: an outline enters by edge k. */
static unsigned entries_of(unsigned corners)
{
	return corners & ~(corners >> 1 | corners << 3) & 15;
}

/* The edge by which the outline that has entered by an edge leaves the square. */
static int exit_of(const struct d2_samples *samples, struct square at, unsigned corners, int entry)
{
	unsigned exits = entries_of(~corners & 15);
	if (corners == 5 || corners == 10) {
		double sum = 0.0;
		for (int k = 0; k < 4; ++k)
			sum += value_at(samples, corner_of(at, k));
		return (entry + (0.25 * sum >= samples->threshold ? 1 : 3)) % 4;
	}
	return __builtin_ctz(exits);
}

static struct d2_vec_d center_of(const struct d2_samples *samples, struct square sample)
{
	return (struct d2_vec_d){samples->x + ((double)(int32_t)sample.i + 0.5) * samples->size,
		samples->y + ((double)(int32_t)sample.k + 0.5) * samples->size};
}

/* The point of the outline on the edge by which it enters. */
static struct d2_vec_d point_on(const struct d2_samples *samples, struct square at, int entry)
{
	struct square full = corner_of(at, entry), empty = corner_of(at, (entry + 1) % 4);
	double part = 0.5;
	if (inside(samples, empty)) {
		double above = value_at(samples, full) - samples->threshold, below = samples->threshold - value_at(samples, empty);
		part = above / (above + below);
		part = min_d(max_d(part, LEAST_PART), 1.0 - LEAST_PART);
	}
	struct d2_vec_d from = center_of(samples, full);
	return d2_add_d(from, d2_scale_d(part, d2_sub_d(center_of(samples, empty), from)));
}

uint32_t d2_outline_points(const struct d2_samples *samples)
{
	uint32_t count = 0;
	for (uint32_t k = 0; k <= samples->rows; ++k)
		for (uint32_t i = 0; i <= samples->columns; ++i)
			count += (uint32_t)__builtin_popcount(entries_of(corners_of(samples, (struct square){i, k})));
	return count;
}

/* Follows the outline that enters the square by an edge, until it is back there. */
static uint32_t outline_follow(struct d2_outlines *outlines, struct square at, int entry, struct d2_vec_d *out)
{
	const struct d2_samples *samples = &outlines->samples;
	uint32_t count = 0;
	for (;;) {
		uint8_t *mark = &outlines->marks[(size_t)at.k * (samples->columns + 1) + at.i];
		if (*mark >> entry & 1)
			return count;
		*mark |= (uint8_t)(1u << entry);
		out[count++] = point_on(samples, at, entry);
		int left = exit_of(samples, at, corners_of(samples, at), entry);
		at.i += (uint32_t)(left == 1) - (uint32_t)(left == 3);
		at.k += (uint32_t)(left == 2) - (uint32_t)(left == 0);
		entry = (left + 2) % 4;
	}
}

uint32_t d2_outline_next(struct d2_outlines *outlines, struct d2_vec_d *out)
{
	const struct d2_samples *samples = &outlines->samples;
	uint64_t width = (uint64_t)samples->columns + 1, end = width * ((uint64_t)samples->rows + 1);
	for (; outlines->next < end; ++outlines->next) {
		struct square at = {(uint32_t)(outlines->next % width), (uint32_t)(outlines->next / width)};
		unsigned left = entries_of(corners_of(samples, at)) & ~(unsigned)outlines->marks[outlines->next];
		if (left != 0)
			return outline_follow(outlines, at, __builtin_ctz(left), out);
	}
	return 0;
}
