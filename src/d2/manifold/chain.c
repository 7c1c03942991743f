/* chain.c - shapes against one segment of a chain.
 * A chain is one-sided and smooth: the segment knows the directions of its neighbours (its ghosts) and takes only contacts that
 * the whole chain would have. A contact normal that leans over one end of the segment is
 *   admitted  at a convex joint (vertex), between the normals of the two segments: there the corner itself is hit;
 *   skipped   beyond the neighbour's normal: the neighbour has this contact;
 *   snapped   to the segment's own normal at a flat or concave joint, where nothing can hit the corner from outside.
 * Thus nothing hits the inner corners of a floor. The solid is on the left of the segments' direction; normals of a convex
 * joint turn counter-clockwise along the chain. A two-sided chain is seen from the side on which the shape is: from behind as
 * the same chain listed in the other order. Its ends are corners, at which it turns back on itself.
 * Source: Catto, "Ghost collisions", box2d.org, 2020.
 * Pure, any thread. */
#include "base/ids.h"
#include "d2/shape/chain.h"
#include "d2/shape/tiles.h"
#include "d2/query/gjk.h"
#include "d2/manifold/manifold_parts.h"

/* Sine of the angle below which a joint counts as flat, 0.6 degrees: above the rounding errors of a straight floor. */
static const float flat_sine = 0.01f;

/* How far a shape's centre may be behind the segment while the shape is still pushed out to the front: this fraction of its
 * inner extent, or half the speculative margin if that is more, but no more than the margin. With a larger limit, large shapes
 * beside a thin wall would be pulled through it. */
static const float behind_tolerance = 0.25f;

/* At the end of an open chain an overlap deeper than this fraction of the shape's inner extent, and deeper than the margin,
 * means that the shape is beside the end, not under the surface. */
static const float end_depth_tolerance = 0.5f;

struct link {
	/* in the chain's order: the segment goes from p1 to p2, its neighbours from p0 to p1 and from p2 to p3 */
	struct d2_vec p0, p1, p2, p3;
	struct d2_vec normal, before, after; /* outward: of this segment and its neighbours */
	struct d2_vec tangent; /* from p1 to p2 */
	float length;
	bool convex1, convex2, concave1, concave2; /* the joints at p1 and p2; neither: flat */
	bool end1, end2; /* a one-sided chain ends there: no neighbour */
};

/* Whether a joint of segments with these normals is convex. A hairpin, where the chain turns back on itself, counts as convex
 * although the cross product vanishes. */
static bool is_convex(struct d2_vec before, struct d2_vec after)
{
	float sine = d2_cross(before, after);
	return sine > flat_sine || (sine >= -flat_sine && d2_dot(before, after) < 0);
}

/* Sets what follows from the normals. */
static void link_find_joints(struct link *link)
{
	link->tangent = d2_left_perp(link->normal);
	link->convex1 = is_convex(link->before, link->normal);
	link->convex2 = is_convex(link->normal, link->after);
	link->concave1 = !link->convex1 && d2_cross(link->before, link->normal) < -flat_sine;
	link->concave2 = !link->convex2 && d2_cross(link->normal, link->after) < -flat_sine;
}

/* The normal on the right of the direction from a to b. */
static struct d2_vec edge_normal(struct d2_vec a, struct d2_vec b)
{
	struct d2_vec_d delta = d2_sub_d(d2_widen(b), d2_widen(a));
	double length = d2_length_d(delta);
	return (struct d2_vec){(float)(delta.y / length), (float)(-delta.x / length)};
}

static struct link make_link(const struct d2_shape *chain, uint32_t child)
{
	uint32_t before = d2_chain_before(chain, child), after = d2_chain_after(chain, child);
	const struct d2_vec *ends = d2_segment(chain, child);
	struct link link = {.p1 = ends[0], .p2 = ends[1], .normal = chain->normals[child]};
	bool end1 = before == NONE, end2 = after == NONE;
	link.before = end1 ? link.normal : chain->normals[before];
	link.after = end2 ? link.normal : chain->normals[after];
	link.p0 = end1 ? link.p1 : d2_segment(chain, before)[0];
	link.p3 = end2 ? link.p2 : d2_segment(chain, after)[1];
	link.end1 = end1 && chain->one_sided;
	link.end2 = end2 && chain->one_sided;
	if (end1 && !chain->one_sided) {
		link.before = d2_neg(link.normal);
		link.p0 = link.p2;
	}
	if (end2 && !chain->one_sided) {
		link.after = d2_neg(link.normal);
		link.p3 = link.p1;
	}
	if (end1 && chain->has_ghosts[0]) {
		link.p0 = chain->ghosts[0];
		link.before = edge_normal(link.p0, link.p1);
		link.end1 = false;
	}
	if (end2 && chain->has_ghosts[1]) {
		link.p3 = chain->ghosts[1];
		link.after = edge_normal(link.p2, link.p3);
		link.end2 = false;
	}
	link.length = d2_length(d2_sub(link.p2, link.p1));
	link_find_joints(&link);
	return link;
}

/* The segment as seen from behind. */
static struct link turn_link(const struct link *link)
{
	struct link back = *link;
	back.p0 = link->p3;
	back.p1 = link->p2;
	back.p2 = link->p1;
	back.p3 = link->p0;
	back.normal = d2_neg(link->normal);
	back.before = d2_neg(link->after);
	back.after = d2_neg(link->before);
	link_find_joints(&back);
	return back;
}

/* The segment of a two-sided chain, moved towards the shape by as much as the shape's inner extent is less than two slops. The
 * centre of a thin shape then stays in front of the chain although contacts overlap by a slop: which side the shape is on is
 * seen from its centre. Two segments, of which the same is true, are kept apart likewise. */
static void lift_link(struct link *link, float inner, float speculative)
{
	struct d2_vec lift = d2_scale(max_f(0, 0.5f * speculative - inner), link->normal);
	link->p0 = d2_add(link->p0, lift);
	link->p1 = d2_add(link->p1, lift);
	link->p2 = d2_add(link->p2, lift);
	link->p3 = d2_add(link->p3, lift);
}

enum verdict { ADMIT, SKIP, SNAP };

static enum verdict judge(const struct link *link, struct d2_vec n)
{
	if (d2_dot(n, link->tangent) < 0)
		return !link->convex1 ? SNAP : d2_cross(link->before, n) >= -flat_sine ? ADMIT : SKIP;
	return !link->convex2 ? SNAP : d2_cross(n, link->after) >= -flat_sine ? ADMIT : SKIP;
}

/* Length by which the segment is extended at each end so that two neighbours leave no hole: neither at their joint, nor in the
 * fan between the normals of a joint that is a little convex and counts as flat. `size`: distance of the tested point (as a
 * circle's centre) from the shape's surface. */
static float joint_overlap(const struct link *link, float size, float speculative)
{
	return d2_indifference(speculative) + 1e-5f * link->length + 2 * flat_sine * size;
}

/* Adds the contact of the face with the shape's surface point `deepest`. A constant id lets rolling shapes keep their
 * impulses. */
static void add_face_point(
	const struct link *link, struct d2_vec deepest, float separation, float speculative, struct d2_local_manifold *out)
{
	if (separation > speculative)
		return;
	out->face = true;
	d2_manifold_set_point(out, link->normal, d2_mul_add(deepest, -0.5f * separation, link->normal), separation, 0);
}

/* Adds the contact at a concave joint inside the shape: the shape's lowest point on the line through the joint along the
 * normal, at height `separation` over the joint. The shape's points deepest below either segment may be inside the solid of the
 * other. */
static void add_valley_point(
	const struct link *link, struct d2_vec joint, float separation, float speculative, struct d2_local_manifold *out)
{
	add_face_point(link, d2_mul_add(joint, separation, link->normal), separation, speculative, out);
}

static void collide_circle(
	const struct link *link, struct d2_vec center, float radius, float speculative, struct d2_local_manifold *out)
{
	struct d2_vec from1 = d2_sub(center, link->p1), from2 = d2_sub(center, link->p2);
	float height = d2_dot(link->normal, from1);
	float slack = joint_overlap(link, radius, speculative);
	float along1 = d2_dot(link->tangent, from1), along2 = d2_dot(link->tangent, from2);
	bool over1 = along1<0, over2 = along2> 0;
	bool convex = (over1 && link->convex1) || (over2 && link->convex2);
	if ((over1 || over2) && convex) {
		struct d2_vec from = over1 ? from1 : from2;
		float distance = d2_length(from);
		struct d2_vec n = distance > 1e-12f ? d2_scale(1 / distance, from) : link->normal;
		float separation = distance - radius;
		if (separation > speculative || judge(link, n) != ADMIT)
			return;
		d2_manifold_set_point(out, n, d2_mul_add(over1 ? link->p1 : link->p2, 0.5f * separation, n), separation, 0);
		return;
	}
	if (along1 < -slack || along2 > slack)
		return;
	add_face_point(link, d2_mul_add(center, -radius, link->normal), height - radius, speculative, out);
}

struct axis {
	float separation;
	uint32_t edge;
};

/* Separation of the segment along the normal of an edge of the polygon. At a convex joint the neighbour's other end counts,
 * too: otherwise a normal beyond the neighbour's could have the least overlap, although a push along it leads into the
 * neighbour. */
static float edge_separation(const struct link *link, struct d2_vec point, struct d2_vec normal)
{
	float separation = min_f(d2_dot(normal, d2_sub(link->p1, point)), d2_dot(normal, d2_sub(link->p2, point)));
	if (link->convex1)
		separation = min_f(separation, d2_dot(normal, d2_sub(link->p0, point)));
	if (link->convex2)
		separation = min_f(separation, d2_dot(normal, d2_sub(link->p3, point)));
	return separation;
}

/* The edge of the polygon, given in the chain's frame, along whose normal the segment's separation is greatest. */
static struct axis outline_axis(const struct link *link, const struct d2_outline *outline)
{
	struct axis best = {-INFINITY, 0};
	for (uint32_t i = 0; i < outline->count; ++i) {
		float separation = edge_separation(link, outline->points[i], outline->normals[i]);
		if (separation > best.separation)
			best = (struct axis){separation, i};
	}
	return best;
}

/* A polygon transformed to another frame. */
struct moved {
	struct d2_outline outline;
	struct d2_vec points[D2_HULL_MAX + 1], normals[D2_HULL_MAX];
};

static void move_outline(const struct d2_outline *from, const struct d2_transform *transform, struct moved *to)
{
	for (uint32_t i = 0; i < from->count; ++i) {
		to->points[i] = d2_transform_point(*transform, from->points[i]);
		to->normals[i] = d2_rotate(transform->q, from->normals[i]);
	}
	to->points[from->count] = to->points[0];
	to->outline = (struct d2_outline){to->points, to->normals, from->count, from->radius, from->inner};
}

/* Makes the segment the reference edge and edge j of b the incident edge. Vertex numbers of the segment are 0 and 1. */
static struct d2_edges edges_from_link(const struct link *link, const struct d2_outline *b, uint32_t j)
{
	uint32_t next = j + 1 < b->count ? j + 1 : 0;
	return (struct d2_edges){
		link->normal, link->p1, link->p2, b->points[j], b->points[j + 1], 0, 1, j, next, 0, b->radius, 0, false};
}

/* Makes edge j of b the reference edge. At a sharp joint this edge may face the segment's back; the segment is then
 * reversed. */
static struct d2_edges edges_from_outline(const struct link *link, const struct d2_outline *b, uint32_t j)
{
	uint32_t next = j + 1 < b->count ? j + 1 : 0;
	struct d2_vec n = b->normals[j];
	if (d2_dot(n, link->normal) > 0)
		return (struct d2_edges){n, b->points[j], b->points[j + 1], link->p2, link->p1, j, next, 1, 0, b->radius, 0, 0, true};
	return (struct d2_edges){n, b->points[j], b->points[j + 1], link->p1, link->p2, j, next, 0, 1, b->radius, 0, 0, true};
}

/* Makes the contact along the segment's own normal, even if an edge of b separates more; none if b is so deep that it must be
 * beside an open end of the chain. */
static void collide_face(const struct link *link, const struct d2_outline *b, uint32_t facing, float separation, float inner,
	float speculative, struct d2_local_manifold *out)
{
	out->count = 0;
	if ((link->end1 || link->end2) && separation < -max_f(end_depth_tolerance * inner, speculative))
		return;
	struct d2_edges edges = edges_from_link(link, b, facing);
	d2_clip_edges(&edges, D2_CLIP_FACE, speculative, joint_overlap(link, b->radius, speculative), out);
	out->border = false;
}

/* The greatest separation of the polygon from a neighbour at a convex joint, along that neighbour's normal; -INFINITY without
 * one. If it exceeds those along all other axes, the neighbour has the contact: a box at the side of a ledge, level with the
 * ledge's top, must not be pushed up. */
static float neighbour_separation(const struct link *link, const struct d2_outline *b)
{
	float separation = -INFINITY;
	if (link->convex1)
		separation = d2_dot(link->before, d2_sub(b->points[d2_deepest_vertex(b, link->before)], link->p1));
	if (link->convex2)
		separation = max_f(separation, d2_dot(link->after, d2_sub(b->points[d2_deepest_vertex(b, link->after)], link->p2)));
	return separation;
}

/* The segment, extended at concave joints by twice the margin. The extension is below the neighbour's surface, where no shape
 * can touch it from outside. Without it, a corner that has sunk into such a joint would be beside each segment, inside the
 * other's solid. */
static struct link grown_link(const struct link *link, float speculative)
{
	struct link grown = *link;
	if (link->concave1)
		grown.p1 = d2_mul_add(link->p1, -2 * speculative, link->tangent);
	if (link->concave2)
		grown.p2 = d2_mul_add(link->p2, 2 * speculative, link->tangent);
	return grown;
}

/* The least s with p + s n in the polygon, radius included, if p is inside; else INFINITY. */
static float outline_below(const struct d2_outline *b, struct d2_vec p, struct d2_vec n)
{
	float least = -INFINITY;
	for (uint32_t i = 0; i < b->count; ++i) {
		float out = d2_dot(b->normals[i], d2_sub(p, b->points[i])) - b->radius, rise = d2_dot(b->normals[i], n);
		if (out > 0)
			return INFINITY;
		if (rise < 0)
			least = max_f(least, -out / rise);
	}
	return least;
}

/* Adds the contact point at a concave joint inside the polygon, if there is one. Capsules and segments, with two edges, need
 * none: their facing edge extends beyond the joint. */
static void collide_valley(
	const struct link *link, const struct d2_outline *b, float speculative, struct d2_local_manifold *out)
{
	if (b->count > 2 && link->concave1)
		add_valley_point(link, link->p1, outline_below(b, link->p1, link->normal), speculative, out);
	if (b->count > 2 && link->concave2 && out->count == 0)
		add_valley_point(link, link->p2, outline_below(b, link->p2, link->normal), speculative, out);
}

static void collide_outline(
	const struct link *link, const struct d2_outline *b, float inner, float speculative, struct d2_local_manifold *out)
{
	uint32_t deepest = d2_deepest_vertex(b, link->normal);
	float own = d2_dot(link->normal, d2_sub(b->points[deepest], link->p1)), limit = speculative + b->radius;
	struct axis other = outline_axis(link, b);
	if (own > limit || other.separation > limit)
		return;
	if (neighbour_separation(link, b) > max_f(own, other.separation) + d2_indifference(speculative))
		return;
	uint32_t facing = d2_facing_edge(b, deepest, link->normal);
	struct d2_edges edges = edges_from_link(link, b, facing);
	enum verdict verdict = ADMIT;
	if (other.separation > own + d2_indifference(speculative)) {
		edges = edges_from_outline(link, b, other.edge);
		verdict = judge(link, d2_neg(b->normals[other.edge]));
	}
	if (verdict == ADMIT) {
		d2_clip_edges(&edges, D2_CLIP_CLOSEST, speculative, d2_indifference(speculative), out);
		bool face = out->count == 0 || (!edges.flipped && out->normal.x == link->normal.x && out->normal.y == link->normal.y);
		verdict = face ? ADMIT : judge(link, out->normal);
	}
	out->border = false;
	if (verdict == SKIP)
		out->count = 0;
	if (verdict == SNAP)
		collide_face(link, b, facing, own, inner, speculative, out);
}

/* The least s with p + s n in the ellipse, INFINITY if there is none:
 *   |q + s d| = 1, with q and d the images of p and n where the ellipse is a circle of radius 1 */
static float ellipse_below(const struct d2_shape *b, const struct d2_transform *own_in_a, struct d2_vec p, struct d2_vec n)
{
	struct d2_vec q = d2_inv_transform_point(*own_in_a, p), d = d2_inv_rotate(own_in_a->q, n);
	q = (struct d2_vec){q.x / b->axes.x, q.y / b->axes.y};
	d = (struct d2_vec){d.x / b->axes.x, d.y / b->axes.y};
	float square = d2_dot(d, d), half = d2_dot(q, d), root = half * half - square * (d2_dot(q, q) - 1);
	return root >= 0 ? (-half - sqrtf(root)) / square : INFINITY;
}

/* Whether the centre of a shape that overlaps the face deeply is in front of the neighbour at each convex joint. The shape then
 * stands on the joint, and this segment must push it: else each of the two segments would leave the contact to the other. */
static bool stands_on(const struct link *link, struct d2_vec middle)
{
	bool before = !link->convex1 || d2_dot(link->before, d2_sub(middle, link->p1)) > 0;
	return before && (!link->convex2 || d2_dot(link->after, d2_sub(middle, link->p2)) > 0);
}

/* If the ellipse's deepest point is over the face, the contact is there, in closed form; but if the overlap is deep and a joint
 * is convex, GJK decides whether it is at the joint. If the deepest point is beyond a convex joint, the contact is between the
 * closest points, if judge admits their normal; beyond a concave one, see add_valley_point; beyond a flat one there is none. */
static void collide_ellipse(const struct link *link, const struct d2_shape *chain, uint32_t child, const struct d2_shape *b,
	const struct d2_transform *b_in_a, float speculative, struct d2_local_manifold *out)
{
	struct d2_transform own_in_a = d2_mul_transform(*b_in_a, d2_ellipse_frame(b));
	struct d2_vec n = d2_inv_rotate(own_in_a.q, link->normal);
	struct d2_vec stretched = {b->axes.x * n.x, b->axes.y * n.y};
	float height = d2_length(stretched);
	struct d2_vec deepest =
		d2_transform_point(own_in_a, (struct d2_vec){-b->axes.x * stretched.x / height, -b->axes.y * stretched.y / height});
	float along1 = d2_dot(link->tangent, d2_sub(deepest, link->p1)), along2 = d2_dot(link->tangent, d2_sub(deepest, link->p2));
	float slack = joint_overlap(link, max_f(b->axes.x, b->axes.y), speculative);
	float separation = d2_dot(link->normal, d2_sub(own_in_a.p, link->p1)) - height;
	bool over_face = along1 >= -slack && along2 <= slack;
	if (separation > speculative)
		return;
	/* Where the overlap along the segment's normal is deep, the least overlap may be at a convex joint instead, as for a tilted
	 * ellipse that hangs over it. GJK decides that below. */
	if (over_face && (separation > -speculative || !(link->convex1 || link->convex2))) {
		add_face_point(link, deepest, separation, speculative, out);
		return;
	}
	struct d2_vec joint = along1 < 0 ? link->p1 : link->p2;
	if (!over_face && (along1 < 0 ? link->concave1 : link->concave2))
		add_valley_point(link, joint, ellipse_below(b, &own_in_a, joint, link->normal), speculative, out);
	if (!over_face && !(along1 < 0 ? link->convex1 : link->convex2))
		return;
	struct d2_proxy proxy_a = d2_make_proxy(chain, child), proxy_b = d2_make_proxy(b, 0);
	struct d2_gjk_result near;
	d2_gjk_distance(&proxy_a, &proxy_b, b_in_a, &near);
	bool on_face = over_face && near.distance <= separation + d2_indifference(speculative);
	if (!on_face && near.distance <= speculative && judge(link, near.normal) == ADMIT)
		d2_manifold_set_point(out, near.normal, d2_scale(0.5f, d2_add(near.point_a, near.point_b)), near.distance, 0);
	else if (on_face || (over_face && near.distance < -speculative && stands_on(link, own_in_a.p)))
		add_face_point(link, deepest, separation, speculative, out);
}

/* Whether the point is behind the segment of a two-sided chain: by the side of the segment that it is over, from this one on
 * towards it. A plank that lies on a round hill is above the far slope, although its centre is below the line through that. */
static bool is_behind(const struct d2_shape *chain, uint32_t child, struct d2_vec point)
{
	uint32_t links = d2_shape_child_count(chain);
	const struct d2_vec *points = chain->points, *normals = chain->normals;
	bool down = d2_dot(d2_left_perp(normals[child]), d2_sub(point, points[child])) < 0;
	for (uint32_t i = 0; i < links; ++i) {
		struct d2_vec tangent = d2_left_perp(normals[child]), end = points[down ? child : child + 1];
		float beyond = d2_dot(tangent, d2_sub(point, end));
		bool last = !chain->loop && (down ? child == 0 : child + 1 == links);
		if (last || (down ? beyond >= 0 : beyond <= 0))
			break;
		child = down ? (child > 0 ? child : links) - 1 : child + 1 < links ? child + 1 : 0;
	}
	return d2_dot(normals[child], d2_sub(point, points[child])) < 0;
}

/* Pushes a shape that is inside a cell out along the face's normal. */
static void push_out(const struct link *link, const struct d2_shape *b, const struct d2_transform *b_in_a, float speculative,
	struct d2_local_manifold *out)
{
	struct d2_vec n = d2_inv_rotate(b_in_a->q, link->normal), deepest;
	if (b->type == D2_ELLIPSE) {
		struct d2_transform own = d2_ellipse_frame(b);
		deepest = d2_transform_point(own, d2_ellipse_lowest(b, d2_inv_rotate(own.q, n)));
	} else {
		struct d2_outline outline = d2_outline_of(b);
		uint32_t i = b->type == D2_CIRCLE ? 0 : d2_deepest_vertex(&outline, n);
		deepest = d2_mul_add(b->points[i], -b->radius, n);
	}
	deepest = d2_transform_point(*b_in_a, deepest);
	add_face_point(link, deepest, d2_dot(link->normal, d2_sub(deepest, link->p1)), speculative, out);
}

void d2_collide_chain(const struct d2_shape *chain, uint32_t child, const struct d2_shape *b, const struct d2_transform *b_in_a,
	float speculative, struct d2_local_manifold *out)
{
	out->count = 0;
	struct link link = make_link(chain, child);
	struct d2_vec center = d2_transform_point(*b_in_a, b->centroid);
	if (!chain->one_sided) {
		if (is_behind(chain, child, center))
			link = turn_link(&link);
		lift_link(&link, b->inner, speculative);
	}
	if (d2_dot(link.normal, d2_sub(center, link.p1)) <
		-min_f(max_f(behind_tolerance * b->inner, 0.5f * speculative), speculative)) {
		if (chain->tiles && d2_tiles_pushes(chain, child, center))
			push_out(&link, b, b_in_a, speculative, out);
		return;
	}
	if (b->type == D2_CIRCLE) {
		collide_circle(&link, center, b->radius, speculative, out);
	} else if (b->type == D2_ELLIPSE) {
		collide_ellipse(&link, chain, child, b, b_in_a, speculative, out);
	} else {
		struct d2_outline outline = d2_outline_of(b);
		struct moved moved;
		struct link grown = grown_link(&link, speculative);
		move_outline(&outline, b_in_a, &moved);
		collide_outline(&grown, &moved.outline, b->inner, speculative, out);
		if (out->count == 0)
			collide_valley(&link, &moved.outline, speculative, out);
	}
}
