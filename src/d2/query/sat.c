/* sat.c - see sat.h.
 * Sources: Gottschalk, Lin, Manocha, "OBBTree", 1996; Ericson, "Real-time collision detection", 2005, 5.2.1 (directed faces,
 * and the cached axis).
 * Pure, any thread. */
#include "d2/query/sat.h"

struct test {
	const struct d2_proxy *a, *b;
	struct d2_transform_d b_in_a;
	double radius;
	struct d2_sat_result *out;
};

/* The least n . p of the core's points p. */
static double least_along(const struct d2_proxy *proxy, struct d2_vec_d n)
{
	return d2_dot_d(d2_widen(proxy->points[d2_proxy_farthest(proxy, d2_neg_d(n))]), n);
}

/* Records the axis if it has the greatest separation so far. True: it separates. */
static bool take(struct test *test, double separation, struct d2_vec_d normal, struct d2_sat_axis axis)
{
	separation -= test->radius;
	++test->out->checks;
	if (separation > test->out->separation) {
		test->out->separation = separation;
		test->out->normal = normal;
		test->out->axis = axis;
	}
	return separation > 0;
}

static bool edge_normal(const struct d2_proxy *proxy, uint32_t i, struct d2_vec_d *normal)
{
	struct d2_vec_d delta = d2_sub_d(d2_widen(proxy->points[i + 1 < proxy->count ? i + 1 : 0]), d2_widen(proxy->points[i]));
	double length = d2_length_d(delta);
	if (!(length > 0))
		return false;
	*normal = (struct d2_vec_d){delta.y / length, -delta.x / length};
	return true;
}

static bool test_edge(struct test *test, enum d2_sat_owner owner, uint32_t i)
{
	const struct d2_transform_d *b_in_a = &test->b_in_a;
	const struct d2_proxy *own = owner == D2_SAT_EDGE_A ? test->a : test->b;
	struct d2_vec_d n;
	if (!edge_normal(own, i, &n))
		return false;
	double base = d2_dot_d(d2_widen(own->points[i]), n);
	if (owner == D2_SAT_EDGE_A) {
		double other = d2_dot_d(b_in_a->p, n) + least_along(test->b, d2_inv_turn_d(b_in_a->q, n));
		return take(test, other - base, n, (struct d2_sat_axis){owner, i, 0});
	}
	struct d2_vec_d turned = d2_turn_d(b_in_a->q, n);
	double other = least_along(test->a, turned) - d2_dot_d(b_in_a->p, turned);
	return take(test, other - base, d2_neg_d(turned), (struct d2_sat_axis){owner, i, 0});
}

static bool test_corners(struct test *test, uint32_t i, uint32_t k)
{
	struct d2_vec_d delta =
		d2_sub_d(d2_transform_point_d(&test->b_in_a, d2_widen(test->b->points[k])), d2_widen(test->a->points[i]));
	double length = d2_length_d(delta);
	struct d2_vec_d n = length > 0 ? d2_scale_d(1 / length, delta) : (struct d2_vec_d){0, 1};
	double b = d2_dot_d(test->b_in_a.p, n) + least_along(test->b, d2_inv_turn_d(test->b_in_a.q, n));
	return take(test, b + least_along(test->a, d2_neg_d(n)), n, (struct d2_sat_axis){D2_SAT_CORNERS, i, k});
}

static bool test_nearest_corners(struct test *test)
{
	double nearest = INFINITY;
	uint32_t a = 0, b = 0;
	for (uint32_t k = 0; k < test->b->count; ++k) {
		struct d2_vec_d p = d2_transform_point_d(&test->b_in_a, d2_widen(test->b->points[k]));
		for (uint32_t i = 0; i < test->a->count; ++i) {
			struct d2_vec_d delta = d2_sub_d(p, d2_widen(test->a->points[i]));
			double square = d2_dot_d(delta, delta);
			if (square < nearest) {
				nearest = square;
				a = i;
				b = k;
			}
		}
	}
	return test_corners(test, a, b);
}

/* Tests all edges of the owner: `first`, then its neighbours on both sides in turn. True: one separates. */
static bool test_edges(struct test *test, enum d2_sat_owner owner, uint32_t first)
{
	uint32_t count = (owner == D2_SAT_EDGE_A ? test->a : test->b)->count;
	for (uint32_t k = 0; count > 1 && k < count; ++k) {
		uint32_t step = (k + 1) / 2, i = (k % 2 == 1 ? first + step : first + count - step) % count;
		if (test_edge(test, owner, i))
			return true;
	}
	return false;
}

void d2_sat(const struct d2_proxy *a, const struct d2_proxy *b, const struct d2_transform_d *b_in_a,
	const struct d2_sat_axis *cached, struct d2_sat_result *out)
{
	struct test test = {a, b, *b_in_a, (double)a->radius + b->radius, out};
	struct d2_sat_axis first = cached ? *cached : (struct d2_sat_axis){D2_SAT_EDGE_A, 0, 0};
	*out = (struct d2_sat_result){.separation = -INFINITY};
	uint32_t start_a = first.owner == D2_SAT_EDGE_B ? 0 : first.index % a->count;
	uint32_t start_b = first.owner == D2_SAT_EDGE_A ? 0 : (first.owner == D2_SAT_EDGE_B ? first.index : first.other) % b->count;
	if (first.owner == D2_SAT_CORNERS && test_corners(&test, start_a, start_b))
		return;
	enum d2_sat_owner then = first.owner == D2_SAT_EDGE_B ? D2_SAT_EDGE_A : D2_SAT_EDGE_B;
	if (test_edges(&test, then == D2_SAT_EDGE_A ? D2_SAT_EDGE_B : D2_SAT_EDGE_A, then == D2_SAT_EDGE_A ? start_b : start_a))
		return;
	if (!test_edges(&test, then, then == D2_SAT_EDGE_A ? start_a : start_b))
		test_nearest_corners(&test);
}
