/* time_of_impact_shapes.c - times of impact of any two shapes, and the bisection of a swept test. See time_of_impact.h. */
#include "d3/query/time_of_impact_parts.h"

/* A separation of at most this fraction of the smaller size is a hit; steps leave about half of it. */
static const double distance_tolerance = 1e-6;

/* --- Any two shapes ------------------------------------------------------------------------------------------------------- */

struct search {
	const struct d3_pair *pair;
	const struct d3_motion *motion;
	struct d3_impact_step *steps;
	int kept, iterations;
	bool any;
	struct d3_impact_result best;
	double from, to, limit; /* the time slice searched; limit: the end, as a fraction of the slice */
};

/* Whether the whole other shape surely moves away from the front of a one-sided child; false if the child's own shape rotates.
 * Points of a rotating other shape may come nearer, by at most its angle times its extent. */
static bool child_left(const struct search *search, uint32_t child_a, uint32_t child_b)
{
	const struct d3_motion *motion = search->motion;
	const struct d3_shape *a = search->pair->a, *b = search->pair->b;
	double by_a = motion->a.angle > 0 ? motion->a.angle * a->extent : 0;
	double by_b = motion->b.angle > 0 ? motion->b.angle * b->extent : 0;
	if (a->one_sided && d3_child_left(a, child_a, motion->v, by_b + (motion->a.angle > 0 ? INFINITY : 0)))
		return true;
	return b->one_sided &&
		d3_child_left(
			b, child_b, d3_neg_d(d3_inv_turn_d(&motion->first.q, motion->v)), by_a + (motion->b.angle > 0 ? INFINITY : 0));
}

static void visit_pair(void *context, uint32_t child_a, uint32_t child_b)
{
	struct search *search = context;
	const struct d3_motion *motion = search->motion;
	if ((search->pair->a->one_sided || search->pair->b->one_sided) && child_left(search, child_a, child_b))
		return;
	struct pursuit pursuit;
	struct d3_proxy a, b;
	struct course course = {.motion = motion, .a = &a, .b = &b, .pursuit = &pursuit};
	d3_make_proxy(search->pair->a, child_a, &a);
	d3_make_proxy(search->pair->b, child_b, &b);
	double size = min_d(d3_proxy_size(&a), d3_proxy_size(&b));
	course.tolerance = size < INFINITY ? distance_tolerance * size : distance_tolerance;
	d3_impact_prepare(&course);
	struct d3_impact_result result;
	/* Once a pair is hit, other pairs are searched only up to the time of the hit, and do not overwrite its recorded steps. */
	course.steps = search->best.state == AXES_IMPACT_SEPARATED ? search->steps : NULL;
	double end = min_d(search->best.t, search->to);
	d3_impact_advance(&course, search->from, end, &result);
	search->iterations += result.iterations;
	if (axes_impact_before(result.state, result.t, search->best.state, search->best.t) || !search->any) {
		if (course.steps == NULL && search->steps) {
			course.steps = search->steps;
			d3_impact_forget(&course);
			d3_impact_advance(&course, search->from, end, &result);
		}
		search->best = result;
		if (result.state == AXES_IMPACT_SEPARATED)
			search->best.t = 1;
		else
			search->limit = result.state == AXES_IMPACT_OVERLAPPING
				? -1
				: max_d((result.t - search->from) / (search->to - search->from), 0);
	}
	search->any = true;
	if (course.steps)
		search->kept = course.step_count;
}

/* The distance of the farthest corner of the shape's root AABB from the shape's origin. */
static double box_reach(const struct d3_shape *shape)
{
	struct d3_node root;
	d3_shape_node(shape, 0, &root);
	double x = max_d(abs_d((double)root.lower.x), abs_d((double)root.upper.x));
	double y = max_d(abs_d((double)root.lower.y), abs_d((double)root.upper.y));
	return d3_length_d((struct d3_vec_d){x, y, max_d(abs_d((double)root.lower.z), abs_d((double)root.upper.z))});
}

/* The tree traversal treats one shape as moving straight, seen from the other, with the rotation that it has at the middle of a
 * time slice of length h. Its points at a distance r from its origin are off by at most half of the slice's rotation times r.
 * Its path is off a straight line by h^2/8 times its second derivative, in a rotating frame at most |w|^2 |p| + 2 |w| |v|. */
struct slices {
	bool by_b; /* A, the smaller shape, moves, seen from B; else B moves, seen from A */
	double reach, turn, bend; /* of the moving shape; relative rotation of both; bound of the path's second derivative */
	double start, end; /* the balls around both shapes are separated before and after */
	int count;
};

enum { SLICES = 64 };

/* Boxes are widened by at most this fraction of the smaller shape's reach, unless SLICES limits the number of slices. */
static const double slice_tolerance = 1.0 / 16;

/* False: the balls around both shapes never overlap. */
static bool make_slices(const struct search *search, struct slices *out)
{
	const struct d3_motion *motion = search->motion;
	double reach_a = box_reach(search->pair->a), reach_b = box_reach(search->pair->b);
	double reach = (reach_a + reach_b) * (1 + 1e-12), c = d3_dot_d(motion->p, motion->p) - reach * reach;
	double along = d3_dot_d(motion->p, motion->v), vv = d3_dot_d(motion->v, motion->v), under = along * along - vv * c;
	out->start = 0;
	out->end = 1;
	if (c > 0 && !(along < 0 && under >= 0))
		return false;
	if (under >= 0 && vv > 0) {
		double root = sqrt(under);
		out->start = c > 0 ? max_d(c / (root - along) * (1 - 1e-12), 0) : 0;
		out->end = min_d((root - along) / vv * (1 + 1e-12), 1);
	}
	out->by_b = reach_a < reach_b;
	out->reach = out->by_b ? reach_a : reach_b;
	out->turn = d3_length_d(d3_sub_d(motion->a.w, motion->b.w));
	double w = out->by_b ? motion->b.angle : motion->a.angle, most = slice_tolerance * out->reach, span = out->end - out->start;
	out->bend = w * w * motion->far + 2 * w * sqrt(vv);
	double count = max_d(span * out->turn * out->reach / most, span * sqrt(out->bend / (4 * most)));
	out->count = count < SLICES ? 1 + (int)count : SLICES;
	return out->start < out->end;
}

static void visit_turned_round(void *context, uint32_t child_b, uint32_t child_a)
{
	visit_pair(context, child_a, child_b);
}

static void sweep_slice(struct search *search, const struct slices *slices)
{
	struct moment first, middle, last;
	double h = search->to - search->from;
	d3_impact_set_moment(search->motion, search->from, &first);
	d3_impact_set_moment(search->motion, 0.5 * (search->from + search->to), &middle);
	d3_impact_set_moment(search->motion, search->to, &last);
	double margin = 0.5 * h * slices->turn * slices->reach + 0.125 * h * h * slices->bend;
	margin = margin > 0 ? margin * (1 + 1e-12) + 1e-12 * (slices->reach + search->motion->far) : 0;
	struct d3_transform_d transform = {first.b_in_a.p, middle.b_in_a.q};
	struct d3_vec_d to = last.b_in_a.p;
	const struct d3_shape *a = search->pair->a, *b = search->pair->b;
	if (slices->by_b) {
		transform.p = d3_neg_d(d3_inv_turn_d(&first.b_in_a.q, first.b_in_a.p));
		to = d3_neg_d(d3_inv_turn_d(&last.b_in_a.q, last.b_in_a.p));
		transform.q = d3_inv_rot_d(&middle.b_in_a.q);
		d3_pair_sweep(b, a, &transform, d3_sub_d(transform.p, to), margin, &search->limit, visit_turned_round, search);
	} else {
		d3_pair_sweep(a, b, &transform, d3_sub_d(transform.p, to), margin, &search->limit, visit_pair, search);
	}
}

/* Searches slice by slice, until the first hit. */
static void search_trees(struct search *search)
{
	struct slices slices;
	if (!make_slices(search, &slices))
		return;
	double h = (slices.end - slices.start) / slices.count;
	for (int i = 0; i < slices.count && search->best.state == AXES_IMPACT_SEPARATED; ++i) {
		search->from = slices.start + i * h;
		search->to = i + 1 < slices.count ? slices.start + (i + 1) * h : slices.end;
		search->limit = 1;
		sweep_slice(search, &slices);
	}
}

void d3_shapes_time_of_impact(const struct d3_shape *a, const struct d3_pose *from_a, const struct d3_pose *to_a,
	const struct d3_shape *b, const struct d3_pose *from_b, const struct d3_pose *to_b, struct d3_impact_result *out,
	struct d3_impact_step *steps, int *step_count)
{
	struct d3_pair pair = d3_pair_order(a, from_a, b, from_b);
	const struct d3_pose *last_a = pair.swapped ? to_b : to_a, *last_b = pair.swapped ? to_a : to_b;
	struct search search = {.pair = &pair, .steps = steps, .best = {.state = AXES_IMPACT_SEPARATED, .t = 1}, .to = 1};
	struct d3_motion motion;
	d3_impact_make_motion(pair.a, pair.pose_a, last_a, pair.b, pair.pose_b, last_b, &motion);
	search.motion = &motion;
	if (d3_shape_convex(a) && d3_shape_convex(b))
		visit_pair(&search, 0, 0);
	else
		search_trees(&search);
	if (step_count)
		*step_count = search.kept;
	*out = search.best;
	out->iterations = search.iterations;
	out->p = d3_pose_point(pair.pose_a, &motion.frame, out->p);
	double sign = pair.swapped ? -1 : 1;
	out->normal = d3_scale_d(sign, d3_turn_d(&motion.frame, out->normal));
	for (int i = 0; i < search.kept; ++i)
		steps[i].normal = d3_scale_d(sign, d3_turn_d(&motion.frame, steps[i].normal));
}

/* --- Bisection ------------------------------------------------------------------------------------------------------------ */

struct sweep {
	const struct d3_pair *pair;
	struct d3_transform_d b_in_a;
	struct d3_vec_d delta;
	struct d3_vec_d whole; /* the whole displacement */
	bool overlaps;
	double limit;
};

static void visit_swept(void *context, uint32_t child_a, uint32_t child_b)
{
	struct sweep *sweep = context;
	struct d3_proxy a, b;
	int own;
	if (d3_children_left(sweep->pair->a, child_a, sweep->pair->b, child_b, &sweep->b_in_a, sweep->whole))
		return;
	d3_make_proxy(sweep->pair->a, child_a, &a);
	d3_make_proxy(sweep->pair->b, child_b, &b);
	if (!d3_gjk_overlaps(&a, &b, &sweep->b_in_a, sweep->delta, &own))
		return;
	sweep->overlaps = true;
	sweep->limit = -1;
}

static bool sweep_overlaps(void *context, double t)
{
	struct sweep *sweep = context;
	sweep->delta = d3_scale_d(t, sweep->whole);
	sweep->overlaps = false;
	sweep->limit = 1;
	d3_pair_sweep(sweep->pair->a, sweep->pair->b, &sweep->b_in_a, sweep->delta, 0, &sweep->limit, visit_swept, sweep);
	return sweep->overlaps;
}

void d3_bisect(const struct d3_shape *a, const struct d3_pose *pose_a, struct d3_vec_d delta, const struct d3_shape *b,
	const struct d3_pose *pose_b, double tolerance, struct axes_bisection *out)
{
	struct d3_pair pair = d3_pair_order(a, pose_a, b, pose_b);
	struct d3_rot_d q = d3_exact_rot(pair.pose_a->q);
	struct sweep sweep = {.pair = &pair, .b_in_a = d3_relative_transform(pair.pose_a, &q, pair.pose_b)};
	struct d3_vec_d u = d3_inv_turn_d(&q, pair.swapped ? d3_neg_d(delta) : delta);
	sweep.whole = u;
	*out = axes_bisect(d3_length_d(delta), tolerance, sweep_overlaps, &sweep);
}
