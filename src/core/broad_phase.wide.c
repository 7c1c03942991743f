/* broad_phase.wide.c - sweeps a strip, comparing LANES entries at a time: see broad_phase.h. For one lane it is empty if
 * there are four, which every machine has. Any thread. */
#include "core/broad_phase.h"
#include "base/lanes.h"

#if LANES > 1 || !defined(WITH_4_LANES)

INLINE lanes load(const float *column, uint32_t at)
{
	lanes loaded;
	memcpy(&loaded, column + at, sizeof loaded);
	return loaded;
}

/* Bit i of the result is set if lane i of the mask is. */
INLINE uint32_t mask_bits(masks mask)
{
#if LANES == 8
	return (uint32_t)__builtin_ia32_movmskps256((lanes)mask);
#elif LANES == 4 && defined(__SSE__)
	return (uint32_t)__builtin_ia32_movmskps((lanes)mask);
#else
	uint32_t bits = 0;
	for (uint32_t i = 0; i < LANES; ++i)
		bits |= ((uint32_t)mask[i] & 1) << i;
	return bits;
#endif
}

typedef uint64_t halves __attribute__((vector_size(16)));

/* box_overlaps on all axes at once. */
INLINE bool overlaps(const struct box *a, const struct box *b)
{
	float4 a_lower, a_upper, b_lower, b_upper;
	memcpy(&a_lower, a->lower, sizeof a_lower);
	memcpy(&a_upper, a->upper, sizeof a_upper);
	memcpy(&b_lower, b->lower, sizeof b_lower);
	memcpy(&b_upper, b->upper, sizeof b_upper);
	halves inside = (halves)((a_lower <= b_upper) & (b_lower <= a_upper));
	return (inside[0] & inside[1]) == UINT64_MAX;
}

/* Whether the overlapping entries i and j are a pair that is to be reported, in this strip: see broad_phase.h. */
INLINE bool reported(const struct strip *strip, uint32_t i, uint32_t j)
{
	static const uint8_t partners[] = {
		[DRIFTING_MOVED] = DRIFTING_MOVED | DRIFTING,
		[DRIFTING] = DRIFTING_MOVED | ANCHORED_MOVED,
		[ANCHORED_MOVED] = DRIFTING,
	};
	const uint32_t *marks = strip->marks.data, kinds = (1 << KIND_BITS) - 1;
	uint32_t upper = strip->lower[1].data[j] <= strip->lower[1].data[i] ? i : j;
	return ((marks[upper] >> KIND_BITS) % STRIPS_MAX == strip->number) &
		((partners[marks[i] & kinds] & marks[j] & kinds) != 0) & !overlaps(&strip->searched.data[i], &strip->searched.data[j]);
}

INLINE bool sweep(struct strip *strip, bool flat)
{
	const float *lower0 = strip->lower[0].data, *lower1 = strip->lower[1].data, *lower2 = strip->lower[2].data;
	const float *upper1 = strip->upper[1].data, *upper2 = strip->upper[2].data;
	const uint32_t *ids = strip->ids.data;
	uint32_t j = strip->j, hits = 0;
	for (uint32_t i = strip->i; i < strip->count; ++i, j = i + 1) {
		float end = strip->upper[0].data[i];
		lanes ends = splat(end), i_lower1 = splat(lower1[i]), i_upper1 = splat(upper1[i]);
		for (; lower0[j] <= end; j += LANES) {
			if (hits > BROAD_PHASE_HITS) {
				strip->i = i;
				strip->j = j;
				strip->hit_count = hits;
				return true;
			}
			masks hit = (load(lower0, j) <= ends) & (load(lower1, j) <= i_upper1) & (load(upper1, j) >= i_lower1);
			if (!flat)
				hit &= (load(lower2, j) <= splat(upper2[i])) & (load(upper2, j) >= splat(lower2[i]));
			for (uint32_t bits = mask_bits(hit); bits != 0; bits &= bits - 1) {
				uint32_t k = j + (uint32_t)__builtin_ctz(bits);
				strip->hits[hits] = (struct pair){ids[i], ids[k]};
				hits += reported(strip, i, k);
			}
		}
	}
	strip->i = strip->count;
	strip->hit_count = hits;
	return false;
}

bool NAME(strip_sweep)(struct strip *strip)
{
	return strip->flat ? sweep(strip, true) : sweep(strip, false);
}

#endif
