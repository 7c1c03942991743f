/* touch_round.c - contacts in closed form: of spheres, capsules and segments among themselves, and of spheres with boxes and
 * hulls. Whatever is so near to touching that the distance must decide, so near to concentric that there is no direction, or
 * lies so flat that it touches in more than a point, is left to the others: what is told here is told the same there, but for
 * rounding. Invariant: the two are put into an order that does not depend on which is called A, so that exchanging them changes
 * the normal's sign only.
 * Sources: Ericson, "Real-Time Collision Detection", 2005, 5.1.8 and 5.1.9.
 * Pure, any thread. */
#include "d3/query/touch.h"

#include "d3/query/ray_cast.h"

/* A point that is nearer to a corner or an edge than this part of the size is on it. */
static const double on_part = 1e-6;

/* --- Features ------------------------------------------------------------------------------------------------------------- */

/* Of a line, a point that is `part` of the way along it. */
static uint64_t line_feature(const struct d3_shape *shape, double part, double square)
{
	if (shape->count == 1)
		return d3_point_feature(0);
	double end = min_d(part, 1 - part), near = on_part * shape->reach;
	return end * end * square <= near * near ? d3_point_feature(part > 0.5 ? 1 : 0) : d3_edge_feature(0, 1);
}

/* The face that the point is farthest above. Two at a time: each comparison waits for the one before. */
static uint32_t highest_face(const struct d3_hull *hull, struct d3_vec_d p, double *height)
{
	const struct d3_hull_plane *planes = hull->planes;
	uint32_t best[2] = {0, 0};
	double most[2] = {-INFINITY, -INFINITY};
	for (uint32_t i = 0; i < hull->face_count; i += 2) {
		uint32_t k = i + 1 < hull->face_count ? i + 1 : i;
		double first = d3_dot_d(planes[i].normal, p) - planes[i].offset;
		double second = d3_dot_d(planes[k].normal, p) - planes[k].offset;
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
	uint64_t feature = (uint64_t) - ((int64_t)face + 1), line = feature;
	do {
		const struct d3_hull_edge *half = &hull->edges[edge], *next = &hull->edges[half->next];
		struct d3_vec_d from = d3_widen(hull->points[half->origin]), way = d3_sub_d(d3_widen(hull->points[next->origin]), from);
		struct d3_vec_d there = d3_sub_d(p, from), across = d3_cross_d(there, way);
		double square = d3_dot_d(there, there), length = d3_dot_d(way, way);
		if (square <= least) {
			least = square;
			feature = d3_point_feature(half->origin);
		}
		if (d3_dot_d(across, across) <= least_line * length) {
			least_line = d3_dot_d(across, across) / length;
			line = d3_edge_feature(half->origin, next->origin);
		}
		edge = half->next;
	} while (edge != start);
	return least < near * near ? feature : line;
}

uint64_t d3_touch_feature(const struct d3_shape *shape, const struct d3_proxy *proxy, const struct d3_transform_d *in_a,
	struct d3_vec_d point, struct d3_vec_d outward)
{
	if (proxy->type != D3_PROXY_POINTS)
		return 0;
	if (proxy->count == 1)
		return d3_point_feature(0);
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

/* --- Spheres -------------------------------------------------------------------------------------------------------------- */

static struct d3_vec_d turned_middle(const struct d3_shape *shape, const struct d3_pose *pose)
{
	struct d3_vec_d c = shape->middle;
	if (c.x == 0 && c.y == 0 && c.z == 0)
		return c;
	struct d3_rot_d q = d3_exact_rot(pose->q);
	return d3_turn_d(&q, c);
}

/* The one point of two that are round, their nearest points of the cores `between` apart.
 * False: there is no direction, or they are so near to touching that the distance must decide. */
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
static bool touch_spheres(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_touch *out)
{
	struct d3_vec_d at_a = turned_middle(a, pose_a), at_b = turned_middle(b, pose_b);
	struct d3_vec_d between = {pose_b->x - pose_a->x + (at_b.x - at_a.x), pose_b->y - pose_a->y + (at_b.y - at_a.y),
		pose_b->z - pose_a->z + (at_b.z - at_a.z)};
	if (!touch_cores(between, a->radius, b->radius, out))
		return false;
	if (out->count == 0)
		return true;
	struct d3_vec_d on_a = d3_mul_add_d(at_a, a->radius, out->normal);
	struct d3_vec_d on_b = d3_mul_add_d(at_b, -(double)b->radius, out->normal);
	out->points[0].p = (struct d3_vec_d){0.5 * (pose_a->x + pose_b->x) + 0.5 * (on_a.x + on_b.x),
		0.5 * (pose_a->y + pose_b->y) + 0.5 * (on_a.y + on_b.y), 0.5 * (pose_a->z + pose_b->z) + 0.5 * (on_a.z + on_b.z)};
	out->points[0].id = d3_couple_id(1, 1);
	return true;
}

/* A is a capsule, B a sphere. */
static bool touch_capsule(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_touch *out)
{
	struct d3_rot_d q = d3_exact_rot(pose_a->q);
	struct d3_vec_d c = turned_middle(b, pose_b), p = d3_widen(a->points[0]), axis = d3_sub_d(d3_widen(a->points[1]), p);
	c = d3_add_d((struct d3_vec_d){pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z}, c);
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
	out->points[0].p = (struct d3_vec_d){pose_a->x + at.x, pose_a->y + at.y, pose_a->z + at.z};
	out->points[0].id = d3_couple_id(line_feature(a, part, square), d3_point_feature(0));
	return true;
}

/* A has faces, B is a sphere. */
static bool touch_solid(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_touch *out)
{
	struct d3_rot_d q = d3_exact_rot(pose_a->q);
	struct d3_vec_d between = {pose_b->x - pose_a->x, pose_b->y - pose_a->y, pose_b->z - pose_a->z};
	struct d3_vec_d c = d3_inv_turn_d(&q, d3_add_d(between, turned_middle(b, pose_b)));
	double radius = (double)a->radius + b->radius;
	double doubt = d3_touch_part * (a->extent + b->extent + abs_d(c.x) + abs_d(c.y) + abs_d(c.z));
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
	out->points[0].p = (struct d3_vec_d){pose_a->x + at.x, pose_a->y + at.y, pose_a->z + at.z};
	out->points[0].separation = separation;
	out->points[0].id = d3_couple_id(face_feature(a->hull, face, foot.p, on_part * a->reach), d3_point_feature(0));
	return true;
}

/* --- Capsules and segments ------------------------------------------------------------------------------------------------ */

/* Capsules and the like are told by their points; others by being equal in any order. */
bool d3_touch_equal(const struct d3_shape *a, const struct d3_shape *b, const struct d3_pose *pose)
{
	if (a == b)
		return true;
	if (a->type != b->type || a->count != b->count || a->radius != b->radius)
		return false;
	if (a->type > D3_TRIANGLE)
		return !d3_couple_order(a, pose, b, pose).swapped && !d3_couple_order(b, pose, a, pose).swapped;
	for (uint32_t i = 0; i < a->count; ++i)
		if (a->points[i].x != b->points[i].x || a->points[i].y != b->points[i].y || a->points[i].z != b->points[i].z)
			return false;
	return true;
}

/* The square of the sine of an angle below which lines are left to the others, and the part of the coordinates below which a
 * distance is. */
static const double parallel_square = 1e-4, short_part = 1e-4;

/* The line from p along `way`, turned as in the world. */
struct rod {
	struct d3_vec_d p, way;
	double square, inverse; /* of way, and 1 over it */
};

/* Always inlined: the call takes longer than the rod. */
__attribute__((always_inline)) static inline void make_rod(
	const struct d3_shape *shape, const struct d3_pose *pose, struct rod *out)
{
	struct d3_rot_d q = d3_exact_rot(pose->q);
	const struct d3_vec *points = shape->points;
	double x = points[0].x, y = points[0].y, z = points[0].z, dx = points[1].x - x, dy = points[1].y - y, dz = points[1].z - z;
	out->p.x = q.x.x * x + q.y.x * y + q.z.x * z;
	out->p.y = q.x.y * x + q.y.y * y + q.z.y * z;
	out->p.z = q.x.z * x + q.y.z * y + q.z.z * z;
	out->way.x = q.x.x * dx + q.y.x * dy + q.z.x * dz;
	out->way.y = q.x.y * dx + q.y.y * dy + q.z.y * dz;
	out->way.z = q.x.z * dx + q.y.z * dy + q.z.z * dz;
	out->square = dx * dx + dy * dy + dz * dz;
	out->inverse = 1 / out->square;
}

/* What of two lines comes together: points that are parts s and t of the way along them. */
struct meeting {
	const struct d3_shape *a, *b;
	struct rod rod_a, rod_b;
	double s, t, both; /* both: way . way */
	double distance, radius, doubt; /* of the surfaces; of both; what of the distance may be rounding [length] */
	struct d3_vec_d normal;
};

enum told { TOLD_APART, TOLD_NEAR, TOLD_NOTHING };

/* The nearest points of two segments that are not all but parallel. Where the one of the lines is outside of the other segment,
 * its end is nearer. */
static inline enum told find_nearest(struct meeting *m, struct d3_vec_d from)
{
	const struct rod *a = &m->rod_a, *b = &m->rod_b;
	double along_a = d3_dot_d(a->way, from), along_b = d3_dot_d(b->way, from), both = d3_dot_d(a->way, b->way);
	double sine = a->square * b->square - both * both;
	if (!(sine > parallel_square * a->square * b->square))
		return TOLD_NOTHING;
	double s = clamp_d((along_a * b->square - along_b * both) / sine, 0, 1), t = (s * both - along_b) * b->inverse;
	if (!(t >= 0 && t <= 1)) {
		t = t > 1 ? 1 : 0;
		s = clamp_d((along_a + t * both) * a->inverse, 0, 1);
	}
	struct d3_vec_d between = d3_sub_d(d3_mul_add_d(from, t, b->way), d3_scale_d(s, a->way));
	double square = d3_dot_d(between, between);
	double enough = m->radius * (1 + 1e-9) + 2 * m->doubt;
	if (square > enough * enough)
		return TOLD_APART;
	double length = sqrt(square), inverse = 1 / length;
	m->s = s;
	m->t = t;
	m->both = both;
	m->distance = length - m->radius;
	m->normal = d3_scale_d(inverse, between);
	bool is_long = length * length > short_part * short_part * (a->square + b->square + d3_dot_d(from, from));
	return is_long && length > 1e-100 && m->distance < -m->doubt ? TOLD_NEAR : TOLD_NOTHING;
}

static inline bool is_flat(const struct rod *rod, struct d3_vec_d n)
{
	double up = d3_dot_d(rod->way, n);
	return up * up <= d3_flat_sine * d3_flat_sine * rod->square;
}

enum along { ALONE, ON_LINE, MORE };

/* An end of `own` over the inside of `other`, which lies across n; `own` does not. ALONE: seen along n they share no more than
 * that point. ON_LINE: they have a part of the way beside each other, of which only the end counts. MORE: the other end of that
 * part may count, too. */
static inline enum along along_line(
	const struct meeting *m, const struct rod *own, double own_part, const struct rod *other, double other_part)
{
	double up = d3_dot_d(own->way, m->normal), on = (own_part > 0 ? -m->both : m->both) * other->inverse;
	double room = on > 0 ? 1 - other_part : other_part, far = abs_d(on);
	if (!(min_d(far, room) > 2 * d3_slack_part))
		return min_d(far, room) < 0.5 * d3_slack_part ? ALONE : MORE;
	double part = far > room ? room / far : 1, sideways = part * part * (own->square - up * up - on * on * other->square);
	bool beside = sideways <= 8 * d3_beside_part * d3_beside_part * m->radius * m->radius + 1e-17 * other->square;
	return beside && m->distance + part * abs_d(up) <= 1e-6 * m->radius + 4 * m->doubt ? MORE : ON_LINE;
}

/* The features that meet; false where more than a point may. */
static inline bool name_rods(const struct meeting *m, uint64_t *of_a, uint64_t *of_b)
{
	bool end_a = !(m->s > 0 && m->s < 1), end_b = !(m->t > 0 && m->t < 1);
	const struct rod *a = &m->rod_a, *b = &m->rod_b;
	*of_a = line_feature(m->a, m->s, a->square);
	*of_b = line_feature(m->b, m->t, b->square);
	if (!end_a && !end_b) {
		/* Beside the crossing they part by the sine of their angle. */
		double u = min_d(m->s, 1 - m->s), v = min_d(m->t, 1 - m->t), whole = a->square * b->square;
		double least = min_d(u * u * a->square, v * v * b->square) * (whole - m->both * m->both);
		return least > whole * (8 * d3_beside_part * d3_beside_part * m->radius * m->radius + 1e-12 * (a->square + b->square));
	}
	if ((end_a && is_flat(a, m->normal)) || (end_b && is_flat(b, m->normal)))
		return false;
	if (end_a && end_b)
		return true;
	const struct rod *rods[2] = {a, b};
	const double parts[2] = {m->s, m->t};
	enum along along = along_line(m, rods[end_b], parts[end_b], rods[end_a], parts[end_a]);
	if (along == ON_LINE) {
		uint64_t edge = d3_clip_feature(0, D3_FEATURE_EDGE, 0);
		uint64_t point = d3_clip_feature(0, D3_FEATURE_POINT, parts[end_b] > 0 ? 1 : 0);
		*of_a = end_a ? point : edge;
		*of_b = end_a ? edge : point;
	}
	return along != MORE;
}

static inline bool comes_second(
	const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b, const struct d3_pose *pose_b)
{
	if (pose_a->x != pose_b->x)
		return pose_a->x > pose_b->x;
	if (pose_a->y != pose_b->y)
		return pose_a->y > pose_b->y;
	return pose_a->z != pose_b->z ? pose_a->z > pose_b->z : d3_couple_order(a, pose_a, b, pose_b).swapped;
}

/* Both are capsules or segments. */
static bool touch_rods(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_touch *out)
{
	/* Without a branch: which one comes first cannot be foretold. */
	const struct d3_shape *shapes[2] = {a, b};
	const struct d3_pose *poses[2] = {pose_a, pose_b};
	unsigned swapped = comes_second(a, pose_a, b, pose_b);
	const struct d3_pose *pose = poses[swapped], *other = poses[swapped ^ 1];
	struct meeting m;
	m.a = shapes[swapped];
	m.b = shapes[swapped ^ 1];
	struct d3_vec_d between = {other->x - pose->x, other->y - pose->y, other->z - pose->z};
	m.radius = (double)a->radius + b->radius;
	m.doubt = d3_touch_part * (a->extent + b->extent + abs_d(between.x) + abs_d(between.y) + abs_d(between.z));
	make_rod(m.a, pose, &m.rod_a);
	make_rod(m.b, other, &m.rod_b);
	enum told told = find_nearest(&m, d3_add_d(between, d3_sub_d(m.rod_b.p, m.rod_a.p)));
	out->count = 0;
	if (told != TOLD_NEAR)
		return told == TOLD_APART;
	uint64_t of_a, of_b;
	if (!name_rods(&m, &of_a, &of_b))
		return false;
	bool first = d3_touch_equal(a, b, pose) ? d3_comes_first(m.normal) : !d3_couple_order(m.a, pose, m.b, other).swapped;
	double sign = swapped ? -1 : 1, reach = m.a->radius + 0.5 * m.distance;
	out->count = 1;
	out->normal = d3_scale_d(sign, m.normal);
	out->points[0].p.x = pose->x + (m.rod_a.p.x + m.s * m.rod_a.way.x + reach * m.normal.x);
	out->points[0].p.y = pose->y + (m.rod_a.p.y + m.s * m.rod_a.way.y + reach * m.normal.y);
	out->points[0].p.z = pose->z + (m.rod_a.p.z + m.s * m.rod_a.way.z + reach * m.normal.z);
	out->points[0].separation = m.distance;
	out->points[0].id = d3_couple_id(first ? of_a : of_b, first ? of_b : of_a);
	return true;
}

/* --- All ------------------------------------------------------------------------------------------------------------------ */

bool d3_touch_round(const struct d3_shape *a, const struct d3_pose *pose_a, const struct d3_shape *b,
	const struct d3_pose *pose_b, struct d3_touch *out)
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
