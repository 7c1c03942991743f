/* time_of_impact_shapes.c - times of impact of any two shapes, and the bisection of a swept test. See time_of_impact.h.
 * Pure, any thread. */
#include "d2/query/time_of_impact_parts.h"

/* A distance of at most this fraction of the smaller set's half extent is a hit; steps aim at half of it. */
static const double hit_tolerance = 1e-6;

/* --- Children ------------------------------------------------------------------------------------------------------------- */

enum { SLICES = 16 };

/* A search for the pair of children that is hit first. */
struct search {
	const struct d2_pair *pair;
	struct course course;
	struct d2_proxy a, b;
	struct d2_impact_step *steps;
	struct d2_impact_result best;
	double limit; /* later hits do not count; below 0 when none can be earlier */
	int iterations, kept; /* kept: number of steps in `steps` */
	/* number of equal slices of the time, in each of which both rotate little, and the rotations at their ends */
	int slices;
	struct d2_rot_d rots_a[SLICES + 1], rots_b[SLICES + 1];
	double slack; /* for rounding errors [length] */
};

static void advance_pair(void *context, uint32_t child_a, uint32_t child_b)
{
	struct search *search = context;
	struct course *course = &search->course;
	search->a = d2_make_proxy(search->pair->a, child_a);
	search->b = d2_make_proxy(search->pair->b, child_b);
	course->a.proxy = &search->a;
	course->b.proxy = &search->b;
	d2_impact_set_turning(&course->a, &course->motion_a);
	d2_impact_set_turning(&course->b, &course->motion_b);
	double size = min_d(d2_proxy_size(&search->a), d2_proxy_size(&search->b));
	course->target = 0;
	course->tolerance = size < INFINITY ? hit_tolerance * size : hit_tolerance;
	struct d2_impact_result result;
	bool first = search->iterations == 0;
	/* After a hit, later pairs are searched only up to its time. Their steps would overwrite those that are kept. */
	course->steps = search->best.state == AXES_IMPACT_SEPARATED ? search->steps : NULL;
	d2_impact_advance(course, search->best.t, &result);
	search->iterations += result.iterations;
	if (axes_impact_before(result.state, result.t, search->best.state, search->best.t) || first) {
		if (course->steps == NULL && search->steps) {
			struct d2_impact_result again;
			course->steps = search->steps;
			d2_impact_advance(course, search->best.t, &again);
		}
		search->best = result;
		search->limit = result.state == AXES_IMPACT_OVERLAPPING ? -1 : result.t;
	}
	if (course->steps)
		search->kept = course->step_count;
}

/* Skips the first pair of children, which is tested before the traversal. */
static void visit_course(void *context, uint32_t child_a, uint32_t child_b)
{
	struct search *search = context;
	if ((child_a > 0 || child_b > 0) && search->limit >= 0)
		advance_pair(context, child_a, child_b);
}

/* The vector from circle centre a to circle centre b, each in its body's frame, at the time slice / slices. */
static struct d2_vec_d slice_path(const struct search *search, int slice, struct d2_vec_d a, struct d2_vec_d b)
{
	const struct d2_motion *motion_a = &search->course.motion_a, *motion_b = &search->course.motion_b;
	struct d2_vec_d p =
		d2_mul_add_d(d2_sub_d(motion_b->p, motion_a->p), (double)slice / search->slices, d2_sub_d(motion_b->v, motion_a->v));
	return d2_add_d(p, d2_sub_d(d2_turn_d(search->rots_b[slice], b), d2_turn_d(search->rots_a[slice], a)));
}

/* Lower bound of the time of impact of two boxes' contents. A point that rotates at a distance r by an angle q deviates from
 * the chord by at most r q^2/8. So in each slice the boxes' bounding circles, widened by that, move straight. Returns the time
 * at which these circles first touch. */
static double course_bound(void *context, const struct d2_node *a, const struct d2_node *b)
{
	const struct search *search = context;
	if (search->pair->a->type == D2_HALF_PLANE)
		return 0;
	struct d2_vec_d ca = a->box.middle, cb = b->box.middle;
	double qa = search->course.motion_a.angle / search->slices, qb = search->course.motion_b.angle / search->slices;
	double reach = d2_length_d(a->box.half) + d2_length_d(b->box.half);
	reach = reach * (1 + 4 * hit_tolerance) + 0.125 * (qa * qa * d2_length_d(ca) + qb * qb * d2_length_d(cb)) + search->slack;
	struct d2_vec_d from = slice_path(search, 0, ca, cb);
	for (int i = 0; i < search->slices; ++i) {
		struct d2_vec_d to = slice_path(search, i + 1, ca, cb), delta = d2_sub_d(to, from);
		double far = d2_length_d(from);
		double c = (far - reach) * (far + reach);
		double half = -d2_dot_d(from, delta);
		double cross = d2_cross_d(from, delta);
		double under = reach * reach * d2_dot_d(delta, delta) - cross * cross;
		if (c <= 0)
			return (double)i / search->slices;
		if (half > 0 && under >= 0) {
			double t = c / (half + sqrt(under));
			if (t <= 1)
				return (i + t * (1 - 1e-9)) / search->slices;
		}
		from = to;
	}
	return INFINITY;
}

static void advance_children(struct search *search)
{
	const struct d2_pair *pair = search->pair;
	const struct d2_motion *a = &search->course.motion_a, *b = &search->course.motion_b;
	double turn = max_d(abs_d(a->angle), abs_d(b->angle));
	search->slices = turn > 0 ? (int)min_d(1 + 6 * turn, SLICES) : 1;
	for (int i = 0; i <= search->slices; ++i) {
		search->rots_a[i] = d2_impact_motion_rot(a, (double)i / search->slices);
		search->rots_b[i] = d2_impact_motion_rot(b, (double)i / search->slices);
	}
	search->slack = 1e-13 *
		(d2_box_reach(pair->a) + d2_box_reach(pair->b) + abs_d(b->p.x) + abs_d(b->p.y) + abs_d(a->v.x) + abs_d(a->v.y) +
			abs_d(b->v.x) + abs_d(b->v.y));
	struct d2_pair_walk walk = {pair->a, pair->b, course_bound, visit_course, search, &search->limit};
	if (d2_shape_child_count(pair->a) == 0 || d2_shape_child_count(pair->b) == 0) /* tiles without a face */
		return;
	advance_pair(search, 0, 0);
	d2_pair_walk(&walk);
}

void d2_shapes_time_of_impact(const struct d2_shape *a, const struct d2_pose *from_a, const struct d2_pose *to_a,
	const struct d2_shape *b, const struct d2_pose *from_b, const struct d2_pose *to_b, struct d2_impact_result *out,
	struct d2_impact_step *steps, int *step_count)
{
	struct d2_pair pair = d2_pair_order(a, from_a, b, from_b);
	const struct d2_pose *origin = pair.pose_a;
	struct search search;
	search.pair = &pair;
	search.steps = steps;
	search.best = (struct d2_impact_result){.state = AXES_IMPACT_SEPARATED, .t = 1};
	search.iterations = search.kept = 0;
	d2_impact_set_motion(&search.course.motion_a, origin, origin, pair.swapped ? to_b : to_a);
	d2_impact_set_motion(&search.course.motion_b, origin, pair.pose_b, pair.swapped ? to_a : to_b);
	if (d2_pair_has_chain(&pair))
		advance_children(&search);
	else
		advance_pair(&search, 0, 0);
	if (step_count)
		*step_count = search.kept;
	*out = search.best;
	out->iterations = search.iterations;
	out->x += origin->x;
	out->y += origin->y;
	static const double signs[2] = {1, -1};
	out->normal = d2_scale_d(signs[pair.swapped], out->normal);
	for (int i = 0; i < search.kept; ++i)
		steps[i].normal = d2_scale_d(signs[pair.swapped], steps[i].normal);
}

/* --- Bisection ------------------------------------------------------------------------------------------------------------ */

struct swept {
	const struct d2_pair *pair;
	struct d2_transform_d b_in_a;
	struct d2_vec_d whole, delta; /* A's displacement in its frame, and the first part of it, which is tested */
	double slack; /* for rounding errors [length] */
	double limit; /* of the walk, as a fraction of `delta`; below 0 after a hit */
};

static void visit_swept(void *context, uint32_t child_a, uint32_t child_b)
{
	struct swept *swept = context;
	struct d2_proxy a = d2_make_proxy(swept->pair->a, child_a), b = d2_make_proxy(swept->pair->b, child_b);
	int iterations;
	if (d2_gjk_overlaps(&a, &b, &swept->b_in_a, swept->delta, &iterations))
		swept->limit = -1;
}

static double swept_bound(void *context, const struct d2_node *a, const struct d2_node *b)
{
	const struct swept *swept = context;
	struct d2_bounds box = d2_bounds_turned(&b->box, &swept->b_in_a);
	return d2_bounds_overlap(&a->box, &box, swept->delta, swept->slack);
}

static bool sweep_overlaps(void *context, double t)
{
	struct swept *swept = context;
	const struct d2_pair *pair = swept->pair;
	struct d2_pair_walk walk = {pair->a, pair->b, swept_bound, visit_swept, swept, &swept->limit};
	swept->delta = d2_scale_d(t, swept->whole);
	swept->limit = 1 + 1e-9;
	if (d2_pair_has_chain(pair))
		d2_pair_walk(&walk);
	else
		visit_swept(swept, 0, 0);
	return swept->limit < 0;
}

void d2_bisect(const struct d2_shape *a, const struct d2_pose *pose_a, struct d2_vec_d delta, const struct d2_shape *b,
	const struct d2_pose *pose_b, double tolerance, struct axes_bisection *out)
{
	struct d2_pair pair = d2_pair_order(a, pose_a, b, pose_b);
	struct swept swept = {.pair = &pair, .b_in_a = d2_pair_relative(pair.pose_a, pair.pose_b)};
	struct d2_vec_d u = d2_inv_turn_d(d2_exact_rot(pair.pose_a->q), pair.swapped ? d2_neg_d(delta) : delta);
	swept.slack = 1e-13 *
		(d2_box_reach(a) + d2_box_reach(b) + abs_d(swept.b_in_a.p.x) + abs_d(swept.b_in_a.p.y) + abs_d(u.x) + abs_d(u.y));
	swept.whole = u;
	*out = axes_bisect(d2_length_d(delta), tolerance, sweep_overlaps, &swept);
}
