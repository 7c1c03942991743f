/* touch_round.c - contacts in closed form: of spheres, capsules and segments among themselves, and of spheres with boxes and hulls.
** Whatever is so near to touching that the distance must decide, so near to concentric that there is no direction, or lies so flat that
** it touches in more than a point, is left to the others: what is told here is told the same there, but for rounding.
** Invariant: the two are put into an order that does not depend on which is called A, so that exchanging them changes the normal's sign only.
** Sources: Ericson, "Real-Time Collision Detection", 2005, 5.1.8 and 5.1.9.
** Floor: d3. Pure, any thread. */
#include "d3/touch_parts.h"

#include "d3/cast.h"
#include "d3/rods.h"

/* A point that is nearer to a corner or an edge than this part of the size is on it. */
static const double on_part = 1e-6;

/* --- Features ---------------------------------------------------------------------------------------------------------- */

static uint64_t point_feature(uint32_t i)
{
	return (uint64_t)i + 1;
}

static uint64_t edge_feature(uint32_t i, uint32_t k)
{
	uint32_t low = i < k ? i : k, high = i < k ? k : i;
	return (((uint64_t)high + 1) << 24) + low + 1;
}

/* Of a line, a point that is `part` of the way along it. */
static uint64_t line_feature(const struct d3_shape *shape, double part, double square)
{
	if (shape->count == 1)
		return point_feature(0);
	double end = min_d(part, 1 - part), near = on_part * shape->reach;
	return end <= 0 || end * end * square <= near * near ? point_feature(part > 0.5 ? 1 : 0) : edge_feature(0, 1);
}

/* The face that the point is farthest above. Two at a time: each comparison waits for the one before. */
static uint32_t highest_face(const struct d3_hull *hull, struct d3_vec_d p, double *height)
{
	const struct d3_hull_plane *planes = hull->planes;
	uint32_t best[2] = { 0, 0 };
	double most[2] = { -INFINITY, -INFINITY };
	for (uint32_t i = 0; i < hull->face_count; i += 2) {
		uint32_t k = i + 1 < hull->face_count ? i + 1 : i;
		double first = d3_dot_d(planes[i].normal, p) - planes[i].offset, second = d3_dot_d(planes[k].normal, p) - planes[k].offset;
		best[0] = first > most[0] ? i : best[0];
		most[0] = max_d(first, most[0]);
		best[1] = second > most[1] ? k : best[1];
		most[1] = max_d(second, most[1]);
	}
	uint32_t which = most[1] > most[0] || (most[1] == most[0] && best[1] < best[0]) ? 1 : 0;
	*height = most[which];
	return best[which];
}

/* On a face: its corner or edge where p is as near to it as `near`. */
static uint64_t face_feature(const struct d3_hull *hull, uint32_t face, struct d3_vec_d p, double near)
{
	uint32_t start = hull->face_edges[face], edge = start;
	double least = near * near, least_line = least;
	uint64_t feature = (uint64_t)-((int64_t)face + 1), line = feature;
	do {
		const struct d3_hull_edge *half = &hull->edges[edge], *next = &hull->edges[half->next];
		struct d3_vec_d from = d3_widen(hull->points[half->origin]), way = d3_sub_d(d3_widen(hull->points[next->origin]), from);
		struct d3_vec_d there = d3_sub_d(p, from), across = d3_cross_d(there, way);
		double square = d3_dot_d(there, there), length = d3_dot_d(way, way);
		if (square <= least) {
			least = square;
			feature = point_feature(half->origin);
		}
		if (d3_dot_d(across, across) <= least_line * length) {
			least_line = d3_dot_d(across, across) / length;
			line = edge_feature(half->origin, next->origin);
		}
		edge = half->next;
	} while (edge != start);
	return least < near * near ? feature : line;
}

uint64_t d3_touch_feature(const struct d3_shape *shape, const struct d3_proxy *proxy, const struct d3_transform_d *in_a, struct d3_vec_d point,
	struct d3_vec_d outward)
{
	if (proxy->type != D3_PROXY_POINTS)
		return 0;
	if (proxy->count == 1)
		return point_feature(0);
	if (!proxy->hull && proxy->count != 2)
		return (uint64_t)d3_feature_at(shape, 0, proxy, in_a, point, outward);
	struct d3_vec_d p = d3_inv_transform_point_d(in_a, d3_mul_add_d(point, -proxy->radius, outward));
	const struct d3_vec *points = d3_proxy_points(proxy);
	double height;
	if (proxy->hull)
		return face_feature(proxy->hull, highest_face(proxy->hull, p, &height), p, on_part * shape->reach);
	struct d3_vec_d start = d3_widen(points[0]), way = d3_sub_d(d3_widen(points[1]), start);
	double square = d3_dot_d(way, way);
	return line_feature(shape, d3_dot_d(d3_sub_d(p, start), way) / square, square);
}

/* --- Spheres ----------------------------------------------------------------------------------------------------------- */

static struct d3_vec_d turned_middle(const struct d3_shape *shape, const struct d3_pose *pose)
{
	struct d3_vec_d c = shape->middle;
	if (c.x == 0 && c.y == 0 && c.z == 0)
		return c;
	struct d3_rot_d q = d3_exact_rot(pose->q);
	return d3_turn_d(&q, c);
}

/* The one point of two that are round, their nearest points of the cores `between` apart.
** False: there is no direction, or they are so near to touching that the distance must decide. */
static bool touch_cores(struct d3_vec_d between, double radius_a, double radius_b, struct d3_touch *out)
{
	double distance = d3_length_d(between), separation = distance - (radius_a + radius_b);
	out->count = 0;
	if (abs_d(separation) <= 1e-9 * (radius_a + radius_b))
		return false;
	if (separation > 0)
		return true;
	if (!(distance > 1e-6 * (radius_a + radius_b)))
		return false;
	out->normal = d3_scale_d(1 / distance, between);
	out->points[0].separation = separation;
	out->count = 1;
	return true;
}

/* The same to the bit when they are exchanged. */
static bool touch_spheres(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out)
{
	struct d3_vec_d at_a = turned_middle(a, pose_a), at_b = turned_middle(b, pose_b);
	struct d3_vec_d between = { pose_b->x - pose_a->x + (at_b.x - at_a.x), pose_b->y - pose_a->y + (at_b.y - at_a.y),
		pose_b->z - pose_a->z + (at_b.z - at_a.z) };
	if (!touch_cores(between, a->radius, b->radius, out))
		return false;
	if (out->count == 0)
		return true;
	struct d3_vec_d on_a = d3_mul_add_d(at_a, a->radius, out->normal), on_b = d3_mul_add_d(at_b, -(double)b->radius, out->normal);
	out->points[0].p = (struct d3_vec_d){ 0.5 * (pose_a->x + pose_b->x) + 0.5 * (on_a.x + on_b.x),
		0.5 * (pose_a->y + pose_b->y) + 0.5 * (on_a.y + on_b.y), 0.5 * (pose_a->z + pose_b->z) + 0.5 * (on_a.z + on_b.z) };
	out->points[0].id = d3_couple_id(1, 1);
	return true;
}

/* A is a capsule, B a sphere. */
static bool touch_capsule(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out)
{
	struct d3_rot_d q = d3_exact_rot(pose_a->q);
	struct d3_vec_d c = turned_middle(b, pose_b), p = d3_widen(a->points[0]), axis = d3_sub_d(d3_widen(a->points[1]), p);
	c = d3_add_d((struct d3_vec_d){ pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z }, c);
	struct d3_vec_d start = d3_turn_d(&q, p), way = d3_turn_d(&q, axis), from = d3_sub_d(c, start);
	double square = d3_dot_d(way, way), part = clamp_d(d3_dot_d(from, way) / square, 0, 1);
	struct d3_vec_d between = d3_mul_add_d(from, -part, way);
	if (part > 0 && part < 1)
		between = d3_mul_add_d(between, -d3_dot_d(between, way) / square, way);
	if (!touch_cores(between, a->radius, b->radius, out))
		return false;
	if (out->count == 0)
		return true;
	double reach = a->radius + 0.5 * out->points[0].separation;
	struct d3_vec_d at = d3_mul_add_d(d3_mul_add_d(start, part, way), reach, out->normal);
	out->points[0].p = (struct d3_vec_d){ pose_a->x + at.x, pose_a->y + at.y, pose_a->z + at.z };
	out->points[0].id = d3_couple_id(line_feature(a, part, square), point_feature(0));
	return true;
}

/* A has faces, B is a sphere. */
static bool touch_solid(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out)
{
	struct d3_rot_d q = d3_exact_rot(pose_a->q);
	struct d3_vec_d between = { pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z };
	struct d3_vec_d c = d3_inv_turn_d(&q, d3_add_d(between, turned_middle(b, pose_b)));
	double radius = (double)a->radius + b->radius, doubt = d3_touch_part * (a->extent + b->extent + abs_d(c.x) + abs_d(c.y) + abs_d(c.z));
	struct d3_foot foot;
	uint32_t face = highest_face(a->hull, c, &foot.distance);
	out->count = 0;
	if (foot.distance > radius + doubt)
		return true;
	if (foot.distance > 0) {
		if (!d3_hull_foot(a->hull, c, radius + doubt, &foot))
			return false;
	} else {
		const struct d3_hull_plane *plane = &a->hull->planes[face];
		foot.normal = plane->normal;
		foot.p = d3_mul_add_d(c, -foot.distance, plane->normal);
		if (d3_face_uneven(a->hull, face, 1e-14 * (abs_d(plane->offset) + radius)))
			return false;
	}
	double separation = foot.distance - radius;
	if (!(abs_d(separation) > doubt))
		return false;
	if (separation > 0)
		return true;
	face = foot.distance > 0 ? highest_face(a->hull, foot.p, &radius) : face;
	struct d3_vec_d at = d3_turn_d(&q, d3_mul_add_d(foot.p, a->radius + 0.5 * separation, foot.normal));
	out->normal = d3_turn_d(&q, foot.normal);
	out->count = 1;
	out->points[0].p = (struct d3_vec_d){ pose_a->x + at.x, pose_a->y + at.y, pose_a->z + at.z };
	out->points[0].separation = separation;
	out->points[0].id = d3_couple_id(face_feature(a->hull, face, foot.p, on_part * a->reach), point_feature(0));
	return true;
}

/* --- Capsules and segments --------------------------------------------------------------------------------------------- */

/* Capsules and the like are told by their points; others by being equal in any order. */
bool d3_touch_equal(const struct d3_shape *a, const struct d3_shape *b, const struct d3_pose *pose)
{
	if (a == b)
		return true;
	if (a->type != b->type || a->count != b->count || a->radius != b->radius)
		return false;
	if (a->type > D3_TRIANGLE)
		return !d3_couple_order(a, pose, b, pose).swapped && !d3_couple_order(b, pose, a, pose).swapped;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->points[i].x != b->points[i].x || a->points[i].y != b->points[i].y || a->points[i].z != b->points[i].z)
			return false;
	return true;
}

/* Turned as in the world, from `origin`. */
static void make_rod(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d origin, struct d3_rod *out)
{
	struct d3_rot_d q = d3_exact_rot(pose->q);
	struct d3_vec_d start = d3_widen(shape->points[0]);
	out->p = d3_add_d(origin, d3_turn_d(&q, start));
	out->way = d3_turn_d(&q, d3_sub_d(d3_widen(shape->points[1]), start));
	out->square = d3_dot_d(out->way, out->way);
	out->radius = shape->radius;
}

/* What of two lines comes together. */
struct meeting {
	const struct d3_shape *a, *b;
	struct d3_rod rod_a, rod_b;
	double s, t;
	struct d3_gap gap;
};

static bool is_flat(const struct d3_rod *rod, struct d3_vec_d n)
{
	double up = d3_dot_d(rod->way, n);
	return up * up <= d3_flat_sine * d3_flat_sine * rod->square;
}

enum along { ALONE, ON_LINE, MORE };

/* An end of `own` over the inside of `other`, which lies across n; *own does not. ALONE: seen along n they share no more than that point. ON_LINE: they
** have a part of the way beside each other, of which only the end counts. MORE: the other end of that part may count, too. */
static enum along along_line(const struct meeting *m, const struct d3_rod *own, double own_part, const struct d3_rod *other, double other_part)
{
	struct d3_vec_d n = m->gap.normal, way = own_part > 0 ? d3_neg_d(own->way) : own->way;
	double length = sqrt(other->square), inverse = 1 / length, up = abs_d(d3_dot_d(way, n)), on = d3_dot_d(way, other->way) * inverse;
	double room = (on > 0 ? 1 - other_part : other_part) * length, shared = min_d(abs_d(on), room);
	if (!(shared > 2 * d3_slack_part * length))
		return shared < 0.5 * d3_slack_part * length ? ALONE : MORE;
	double part = shared / abs_d(on), sideways = part * part * max_d(own->square - up * up - on * on, 0);
	double beside = 2 * d3_beside_part * (own->radius + other->radius) + 2e-9 * length;
	return sideways <= beside * beside && m->gap.distance + part * up <= 1e-9 * length ? MORE : ON_LINE;
}

/* The features that meet; false where more than a point may. */
static bool name_rods(const struct meeting *m, uint64_t *of_a, uint64_t *of_b)
{
	bool end_a = m->s <= 0 || m->s >= 1, end_b = m->t <= 0 || m->t >= 1;
	const struct d3_rod *a = &m->rod_a, *b = &m->rod_b;
	*of_a = line_feature(m->a, m->s, a->square);
	*of_b = line_feature(m->b, m->t, b->square);
	if (!end_a && !end_b) {
		/* Beside the crossing they part by the sine of their angle. */
		double both = d3_dot_d(a->way, b->way), sine = 1 - both * both / (a->square * b->square);
		double u = min_d(m->s, 1 - m->s), v = min_d(m->t, 1 - m->t), beside = d3_beside_part * (a->radius + b->radius);
		double least = min_d(u * u * a->square, v * v * b->square) * sine;
		return least > 4 * beside * beside && least > 1e-12 * (a->square + b->square);
	}
	if ((end_a && is_flat(a, m->gap.normal)) || (end_b && is_flat(b, m->gap.normal)))
		return false;
	if (end_a && end_b)
		return true;
	enum along along = end_a ? along_line(m, a, m->s, b, m->t) : along_line(m, b, m->t, a, m->s);
	if (along == ON_LINE) {
		*(end_a ? of_b : of_a) = d3_clip_feature(0, D3_FEATURE_EDGE, 0);
		*(end_a ? of_a : of_b) = d3_clip_feature(0, D3_FEATURE_POINT, (end_a ? m->s : m->t) > 0 ? 1 : 0);
	}
	return along != MORE;
}

static bool comes_second(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b)
{
	if (pose_a->x != pose_b->x)
		return pose_a->x > pose_b->x;
	if (pose_a->y != pose_b->y)
		return pose_a->y > pose_b->y;
	return pose_a->z != pose_b->z ? pose_a->z > pose_b->z : d3_couple_order(a, pose_a, b, pose_b).swapped;
}

/* Both are capsules or segments. */
static bool touch_rods(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out)
{
	bool swapped = comes_second(a, pose_a, b, pose_b);
	const struct d3_pose *pose = swapped ? pose_b : pose_a, *other = swapped ? pose_a : pose_b;
	struct meeting m = { .a = swapped ? b : a, .b = swapped ? a : b };
	struct d3_vec_d between = { other->x - pose->x, other->y - pose->y, other->z - pose->z };
	make_rod(m.a, pose, (struct d3_vec_d){ 0, 0, 0 }, &m.rod_a);
	make_rod(m.b, other, between, &m.rod_b);
	if (!d3_rods_apart(&m.rod_a, &m.rod_b, &m.s, &m.t, &m.gap))
		return false;
	out->count = 0;
	if (!(abs_d(m.gap.distance) > d3_touch_part * (a->extent + b->extent + abs_d(between.x) + abs_d(between.y) + abs_d(between.z))))
		return false;
	if (m.gap.distance > 0)
		return true;
	uint64_t of_a, of_b;
	if (!name_rods(&m, &of_a, &of_b))
		return false;
	bool first = d3_touch_equal(a, b, pose) ? d3_comes_first(m.gap.normal) : !d3_couple_order(m.a, pose, m.b, other).swapped;
	struct d3_vec_d p = d3_mul_add_d(m.gap.point_a, 0.5 * m.gap.distance, m.gap.normal);
	out->count = 1;
	out->normal = swapped ? d3_neg_d(m.gap.normal) : m.gap.normal;
	out->points[0].p = (struct d3_vec_d){ pose->x + p.x, pose->y + p.y, pose->z + p.z };
	out->points[0].separation = m.gap.distance;
	out->points[0].id = d3_couple_id(first ? of_a : of_b, first ? of_b : of_a);
	return true;
}

/* --- All --------------------------------------------------------------------------------------------------------------- */

bool d3_touch_round(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b,
	struct d3_touch *out)
{
	if (a->type == D3_SPHERE && b->type == D3_SPHERE)
		return touch_spheres(a, pose_a, b, pose_b, out);
	if (a->count == 2 && b->count == 2)
		return touch_rods(a, pose_a, b, pose_b, out);
	bool swapped = a->type == D3_SPHERE;
	const struct d3_shape *first = swapped ? b : a, *second = swapped ? a : b;
	const struct d3_pose *pose = swapped ? pose_b : pose_a, *other = swapped ? pose_a : pose_b;
	if (second->type != D3_SPHERE || (first->type != D3_CAPSULE && !first->hull))
		return false;
	if (!(first->hull ? touch_solid : touch_capsule)(first, pose, second, other, out))
		return false;
	if (swapped)
		out->normal = d3_neg_d(out->normal);
	return true;
}
