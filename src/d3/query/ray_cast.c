/* ray_cast.c - ray casts and point containment. See ray_cast.h.
 * The ray is transformed to the shape's frame and parametrized by its length, in double: it may be a million times longer than
 * the shape.
 * Pure, any thread. */
#include "d3/query/ray_cast.h"
#include "d3/query/ray_boxes.h"

#include <assert.h>

double d3_way_length(struct d3_vec_d delta)
{
	double most = max_d(max_d(abs_d(delta.x), abs_d(delta.y)), abs_d(delta.z));
	if (most > 1e-100 && most < 1e100)
		return d3_length_d(delta);
	if (!(most > 1e-150))
		return 0;
	return most * d3_length_d((struct d3_vec_d){delta.x / most, delta.y / most, delta.z / most});
}

static struct d3_vec_d ray_at(const struct d3_ray *ray, double s)
{
	return d3_mul_add_d(ray->o, s, ray->u);
}

static bool take(struct d3_ray *ray, double s, struct d3_vec_d normal)
{
	if (!(s >= 0 && (ray->hit ? s < ray->reach : s <= ray->reach)))
		return false;
	ray->reach = s;
	ray->normal = normal;
	ray->hit = true;
	return true;
}

/* As `take`, for a round surface of this size. The ray is known to start outside, so an entry behind its start by no more than
 * rounding counts as at the start. */
static bool take_round(struct d3_ray *ray, double s, struct d3_vec_d normal, double size)
{
	return take(ray, s < 0 && s > -1e-14 * size ? 0 : s, normal);
}

/* --- Balls, tubes and faces ----------------------------------------------------------------------------------------------- */

/* The ray's entry into a ball: with m = o - c,
 *   s = -m.u - sqrt(r^2 - |m x u|^2)
 * The cross product keeps its digits for a far origin, where the usual m.m - r^2 loses them. */
static void ray_ball(struct d3_ray *ray, struct d3_vec_d center, double radius)
{
	struct d3_vec_d m = d3_sub_d(ray->o, center), cross = d3_cross_d(m, ray->u);
	double under = radius * radius - d3_dot_d(cross, cross);
	if (!(under >= 0))
		return;
	double s = -d3_dot_d(m, ray->u) - sqrt(under);
	take_round(ray, s, d3_scale_d(1 / radius, d3_mul_add_d(m, s, ray->u)), radius);
}

/* The ray's entry into the round side of the tube around the segment from p to q. With the axis' unit vector a, the ray's speed
 * perpendicular to the axis is |u - (u.a) a|, and the ray passes the axis at the distance a.(m x u) over that speed, m = o - p.
 * The tube's ends are open: a ray that enters through an end hits the ball or other surface there. */
static void ray_tube(struct d3_ray *ray, struct d3_vec_d p, struct d3_vec_d q, double radius)
{
	struct d3_vec_d delta = d3_sub_d(q, p), m = d3_sub_d(ray->o, p);
	double length = d3_length_d(delta);
	struct d3_vec_d axis = d3_scale_d(1 / length, delta);
	struct d3_vec_d across = d3_mul_add_d(ray->u, -d3_dot_d(ray->u, axis), axis);
	double square = d3_dot_d(across, across), pass = d3_dot_d(axis, d3_cross_d(m, ray->u));
	double under = square * radius * radius - pass * pass;
	if (!(under >= 0 && square > 1e-24))
		return;
	double s = (-d3_dot_d(m, across) - sqrt(under)) / square;
	struct d3_vec_d from = d3_mul_add_d(m, s, ray->u);
	double along = d3_dot_d(from, axis);
	if (along >= 0 && along <= length)
		take_round(ray, s, d3_scale_d(1 / radius, d3_mul_add_d(from, -along, axis)), radius);
}

/* The edge of the face that x, projected onto its plane, is farthest outside of; NO_EDGE: x is over the face. */
enum { NO_EDGE = UINT32_MAX };

static uint32_t outer_edge(const struct d3_hull *hull, uint32_t face, struct d3_vec_d x)
{
	struct d3_vec_d n = hull->planes[face].normal;
	uint32_t first = hull->face_edges[face], e = first, found = NO_EDGE;
	double least = 0;
	struct d3_vec_d p = d3_widen(hull->points[hull->edges[e].origin]);
	for (uint32_t i = 0; i < hull->edge_count; ++i) {
		uint32_t next = hull->edges[e].next;
		struct d3_vec_d to = d3_widen(hull->points[hull->edges[next].origin]);
		double inside = d3_dot_d(n, d3_cross_d(d3_sub_d(to, p), d3_sub_d(x, p)));
		if (inside < least) {
			least = inside;
			found = e;
		}
		e = next;
		p = to;
		if (e == first)
			break;
	}
	return found;
}

static bool over_face(const struct d3_hull *hull, uint32_t face, struct d3_vec_d x)
{
	return outer_edge(hull, face, x) == NO_EDGE;
}

/* --- Solids with faces ---------------------------------------------------------------------------------------------------- */

struct crossing {
	double enter, leave;
	uint32_t face; /* through which the ray enters */
	bool outside; /* the ray starts outside */
	double height; /* greatest height of the ray's start above a plane; 0: above none */
};

/* Relative to the radius: a start higher above a widened plane, or farther from a round surface, is surely outside. */
static const double apart_tolerance = 1e-9;

/* The interval of the ray inside all planes, moved out by `radius`: from the last plane crossed inwards to the first crossed
 * outwards. Stops at the first plane that the ray starts outside of and does not cross within its reach. Quotients are compared
 * by their products. False: the ray misses.
 * Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping", 1978. */
static bool ray_planes(const struct d3_ray *ray, const struct d3_hull *hull, double radius, struct crossing *out)
{
	const struct d3_vec_d o = ray->o, u = ray->u;
	double enter = 0, leave = INFINITY, reach = ray->reach, highest = 0;
	uint32_t count = hull->face_count, face = 0;
	bool outside = false;
	for (uint32_t i = 0; i < count; ++i) {
		const struct d3_hull_plane *plane = &hull->planes[i];
		double height = plane->normal.x * o.x + plane->normal.y * o.y + plane->normal.z * o.z - plane->offset - radius;
		double speed = -(plane->normal.x * u.x + plane->normal.y * u.y + plane->normal.z * u.z);
		if (height > 0) {
			outside = true;
			highest = max_d(highest, height);
			if (!(speed > 0 && height <= reach * speed)) {
				out->height = highest;
				return false;
			}
			if (height > enter * speed) {
				enter = height / speed;
				face = i;
			}
		} else if (speed < 0 && height > leave * speed) {
			leave = height / speed;
		}
	}
	*out = (struct crossing){enter, leave, face, outside, highest};
	return enter <= leave;
}

/* --- Edges and corners of widened hulls ----------------------------------------------------------------------------------- */

/* The hull's closest feature to a point outside: a face, an edge (by one of its halves) or a corner, and the closest point on
 * it. */
struct spot {
	enum { ON_FACE, ON_EDGE, ON_CORNER } on;
	uint32_t i;
	struct d3_vec_d p;
};

/* Moves *spot from an edge to an end or adjacent face that is nearer to x. False: it stays, with p the edge's closest point. */
static bool leave_edge(const struct d3_hull *hull, struct d3_vec_d x, struct spot *spot)
{
	const struct d3_hull_edge *e = &hull->edges[spot->i], *twin = &hull->edges[e->twin];
	struct d3_vec_d p = d3_widen(hull->points[e->origin]);
	struct d3_vec_d delta = d3_sub_d(d3_widen(hull->points[twin->origin]), p);
	struct d3_vec_d from = d3_sub_d(x, p);
	double along = d3_dot_d(from, delta), square = d3_dot_d(delta, delta);
	if (along <= 0 || along >= square) {
		*spot = (struct spot){ON_CORNER, along <= 0 ? e->origin : twin->origin, along <= 0 ? p : d3_add_d(p, delta)};
		return true;
	}
	struct d3_vec_d across = d3_cross_d(delta, from);
	if (d3_dot_d(hull->planes[e->face].normal, across) > 0)
		*spot = (struct spot){ON_FACE, e->face, p};
	else if (d3_dot_d(hull->planes[twin->face].normal, across) < 0)
		*spot = (struct spot){ON_FACE, twin->face, p};
	else
		spot->p = d3_mul_add_d(p, along / square, delta);
	return spot->on != ON_EDGE;
}

/* Moves *spot from a corner to the edge that leads towards x the most. False: none does. */
static bool leave_corner(const struct d3_hull *hull, struct d3_vec_d x, struct spot *spot)
{
	struct d3_vec_d p = d3_widen(hull->points[spot->i]), from = d3_sub_d(x, p);
	uint32_t start = hull->point_edges[spot->i], e = start, found = NO_EDGE;
	double most = 0;
	do {
		uint32_t twin = hull->edges[e].twin;
		double along = d3_dot_d(from, d3_sub_d(d3_widen(hull->points[hull->edges[twin].origin]), p));
		if (along > most) {
			most = along;
			found = e;
		}
		e = hull->edges[twin].next;
	} while (e != start);
	spot->p = p;
	if (found == NO_EDGE)
		return false;
	*spot = (struct spot){ON_EDGE, found, p};
	return true;
}

static bool leave_face(const struct d3_hull *hull, struct d3_vec_d x, struct spot *spot)
{
	uint32_t e = outer_edge(hull, spot->i, x);
	if (e != NO_EDGE) {
		*spot = (struct spot){ON_EDGE, e, x};
		return true;
	}
	const struct d3_hull_plane *plane = &hull->planes[spot->i];
	spot->p = d3_mul_add_d(x, plane->offset - d3_dot_d(plane->normal, x), plane->normal);
	return false;
}

/* Walks to neighbouring features, each nearer to x than the one before. False: the walk does not end, as where faces are not
 * quite flat.
 * Source: Lin, Canny, "A fast algorithm for incremental distance calculation", 1991. */
static bool find_spot(const struct d3_hull *hull, struct d3_vec_d x, struct spot *spot)
{
	for (int i = 0; i < 64; ++i) {
		bool left = spot->on == ON_EDGE ? leave_edge(hull, x, spot)
			: spot->on == ON_CORNER     ? leave_corner(hull, x, spot)
										: leave_face(hull, x, spot);
		if (!left)
			return true;
	}
	return false;
}

bool d3_face_uneven(const struct d3_hull *hull, uint32_t face, double tolerance)
{
	const struct d3_hull_plane *plane = &hull->planes[face];
	uint32_t first = hull->face_edges[face], e = first;
	do {
		if (plane->offset - d3_dot_d(plane->normal, d3_widen(hull->points[hull->edges[e].origin])) > tolerance)
			return true;
		e = hull->edges[e].next;
	} while (e != first);
	return false;
}

/* The ray's entry into the tube or ball around the spot. True if the spot is the hull's closest feature to the entry: then the
 * ray hits nothing before. */
static bool ends_at_spot(const struct d3_ray *ray, const struct d3_hull *hull, const struct spot *spot, double radius,
	double *s, struct d3_vec_d *normal)
{
	struct d3_ray own = {.o = ray->o, .u = ray->u, .reach = INFINITY};
	struct spot there = *spot;
	if (spot->on == ON_EDGE) {
		const struct d3_hull_edge *e = &hull->edges[spot->i];
		ray_tube(&own, d3_widen(hull->points[e->origin]), d3_widen(hull->points[hull->edges[e->twin].origin]), radius);
	} else {
		ray_ball(&own, d3_widen(hull->points[spot->i]), radius);
	}
	if (!own.hit)
		return false;
	struct d3_vec_d x = ray_at(ray, own.reach);
	if (spot->on == ON_EDGE ? leave_edge(hull, x, &there) : leave_corner(hull, x, &there))
		return false;
	*s = own.reach;
	*normal = own.normal;
	return true;
}

enum arrival { MISSES, ARRIVES, UNSURE };

/* The distance is convex along the ray, so Newton's steps from before the hit never pass the hit. Each step leads to the plane
 * through the spot, moved out by the radius. The hit itself is exact: the entry into a tube or ball. */
static enum arrival ray_corners(const struct d3_ray *ray, const struct d3_hull *hull, double radius, double s, struct spot spot,
	double *hit, struct d3_vec_d *normal)
{
	for (int i = 0; i < 32; ++i) {
		struct d3_vec_d x = ray_at(ray, s);
		if (!find_spot(hull, x, &spot) || spot.on == ON_FACE)
			return UNSURE;
		if (ends_at_spot(ray, hull, &spot, radius, hit, normal))
			return ARRIVES;
		struct d3_vec_d delta = d3_sub_d(x, spot.p);
		double distance = d3_length_d(delta), closing = -d3_dot_d(delta, ray->u) / distance, rest = distance - radius;
		if (rest <= 1e-13 * radius)
			return UNSURE;
		if (!(closing > 0) || !(rest <= (ray->reach - s) * closing))
			return MISSES;
		s += rest / closing;
	}
	return UNSURE;
}

/* Entry through the two faces of a widened triangle. */
static void ray_slab(struct d3_ray *ray, const struct d3_vec *points, double radius)
{
	struct d3_vec_d p[3] = {d3_widen(points[0]), d3_widen(points[1]), d3_widen(points[2])};
	struct d3_vec_d n = d3_cross_d(d3_sub_d(p[1], p[0]), d3_sub_d(p[2], p[0]));
	n = d3_scale_d(1 / d3_length_d(n), n);
	double speed = -d3_dot_d(n, ray->u);
	if (speed < 0) {
		n = d3_neg_d(n);
		speed = -speed;
	}
	double s = (d3_dot_d(n, d3_sub_d(ray->o, p[0])) - radius) / speed;
	if (!(speed > 0 && s >= 0 && s <= ray->reach))
		return;
	struct d3_vec_d x = ray_at(ray, s);
	double side[3];
	for (int i = 0; i < 3; ++i)
		side[i] = d3_dot_d(n, d3_cross_d(d3_sub_d(p[(i + 1) % 3], p[i]), d3_sub_d(x, p[i])));
	if ((side[0] >= 0 && side[1] >= 0 && side[2] >= 0) || (side[0] <= 0 && side[1] <= 0 && side[2] <= 0))
		take(ray, s, n);
}

/* The widened hull is bounded by its faces, moved out, by tubes around its edges and by balls around its corners. All other
 * crossings of these surfaces are inside, and so come after the entry. A point inside all moved planes but over no face is
 * closest to an edge or a corner. */
static void ray_widened_hull(struct d3_ray *ray, const struct d3_hull *hull, double radius)
{
	struct crossing crossing;
	bool crosses = ray_planes(ray, hull, radius, &crossing);
	ray->apart = crossing.height > apart_tolerance * radius;
	if (!crosses)
		return;
	struct spot spot = {.on = ON_EDGE, .i = hull->face_edges[crossing.face]};
	if (crossing.outside) {
		spot.i = outer_edge(hull, crossing.face, ray_at(ray, crossing.enter));
		if (spot.i == NO_EDGE) {
			if (take(ray, crossing.enter, hull->planes[crossing.face].normal))
				ray->face = crossing.face + 1;
			return;
		}
	}
	double s;
	struct d3_vec_d normal;
	enum arrival arrival = ray_corners(ray, hull, radius, crossing.enter, spot, &s, &normal);
	if (arrival == ARRIVES)
		take(ray, s, normal);
	if (arrival != UNSURE)
		return;
	for (uint32_t e = 0; e < hull->edge_count; e += 2)
		ray_tube(ray, d3_widen(hull->points[hull->edges[e].origin]), d3_widen(hull->points[hull->edges[e + 1].origin]), radius);
	for (uint32_t i = 0; i < hull->point_count; ++i)
		ray_ball(ray, d3_widen(hull->points[i]), radius);
}

/* A ray that misses the infinite tube misses the capsule. A ray that enters the tube beyond an end can hit only that end's
 * ball, unless it is nearly parallel to the tube. */
void d3_ray_capsule(struct d3_ray *ray, struct d3_vec_d p, struct d3_vec_d q, double radius)
{
	struct d3_vec_d delta = d3_sub_d(q, p), m = d3_sub_d(ray->o, p), cross = d3_cross_d(delta, ray->u);
	double square = d3_dot_d(cross, cross), pass = d3_dot_d(m, cross), ww = d3_dot_d(delta, delta), mm = d3_dot_d(m, m);
	double under = square * radius * radius - pass * pass, mw = d3_dot_d(m, delta);
	double most = radius * radius * (1 + apart_tolerance) + 1e-14 * mm, end = ww - 2 * mw + mm;
	ray->apart = mw <= 0 ? mm > most : mw >= ww ? end > most : mm * ww - mw * mw > most * ww;
	if (!(under >= -1e-12 * square * (radius * radius + mm)))
		return;
	if (square > 1e-6 * ww && under > 0) {
		double uw = d3_dot_d(ray->u, delta);
		double s = (mw * uw - ww * d3_dot_d(m, ray->u) - sqrt(ww * under)) / square;
		double along = mw + s * uw;
		double unsure = 1e-8 * (ww + mm);
		if (along > unsure && along < ww - unsure) {
			ray_tube(ray, p, q, radius);
			return;
		}
		if (along < -unsure || along > ww + unsure) {
			ray_ball(ray, along < 0 ? p : q, radius);
			return;
		}
	}
	ray_tube(ray, p, q, radius);
	ray_ball(ray, p, radius);
	ray_ball(ray, q, radius);
}

void d3_ray_widened(struct d3_ray *ray, const struct d3_vec *points, uint32_t count, const struct d3_hull *hull, double radius)
{
	assert(radius > 0 && (hull || count <= 3));
	if (hull) {
		ray_widened_hull(ray, hull, radius);
		return;
	}
	struct d3_vec_d p = d3_widen(points[0]), m = d3_sub_d(ray->o, p);
	ray->apart = count == 1 && d3_dot_d(m, m) > radius * radius * (1 + apart_tolerance);
	if (count == 1)
		ray_ball(ray, p, radius);
	if (count == 2)
		d3_ray_capsule(ray, p, d3_widen(points[1]), radius);
	if (count < 3)
		return;
	ray_slab(ray, points, radius);
	for (uint32_t i = 0; i < 3; ++i)
		ray_tube(ray, d3_widen(points[i]), d3_widen(points[(i + 1) % 3]), radius);
	for (uint32_t i = 0; i < 3; ++i)
		ray_ball(ray, d3_widen(points[i]), radius);
}

static bool contains_local(const struct d3_shape *shape, struct d3_vec_d x);

static void ray_hull(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct crossing crossing;
	if (shape->radius > 0) {
		if (contains_local(shape, ray->o))
			take(ray, 0, d3_neg_d(ray->u));
		else
			ray_widened_hull(ray, shape->hull, shape->radius);
	} else if (ray_planes(ray, shape->hull, 0, &crossing)) {
		take(ray, crossing.enter, crossing.outside ? shape->hull->planes[crossing.face].normal : d3_neg_d(ray->u));
	}
}

static void ray_half_space(struct d3_ray *ray, const struct d3_shape *shape)
{
	double height = d3_dot_d(shape->normal, ray->o) - shape->offset, speed = -d3_dot_d(shape->normal, ray->u);
	if (speed > 0)
		take(ray, height / speed, shape->normal);
}

/* --- Round solids --------------------------------------------------------------------------------------------------------- */

/* The ray in shape->frame, from its point closest to the frame's origin, which is `start` along the original ray: squares keep
 * their significant digits. */
struct near_ray {
	struct d3_vec_d o, u;
	double start;
};

static struct near_ray ray_near(const struct d3_ray *ray, const struct d3_transform_d *frame)
{
	struct d3_vec_d o = d3_inv_transform_point_d(frame, ray->o), u = d3_inv_turn_d(&frame->q, ray->u);
	double start = -d3_dot_d(o, u);
	return (struct near_ray){d3_mul_add_d(o, start, u), u, start};
}

static double round_offset(double x, double z)
{
	return sqrt(x * x + z * z);
}

/* The ray's interval in which |y| <= half. False: it is empty. */
static bool between_ends(const struct near_ray *ray, double half, struct crossing *out)
{
	if (ray->u.y == 0)
		return abs_d(ray->o.y) <= half;
	double low = (-half - ray->o.y) / ray->u.y, high = (half - ray->o.y) / ray->u.y;
	*out = (struct crossing){.enter = min_d(low, high), .leave = max_d(low, high)};
	return true;
}

static void take_turned(
	struct d3_ray *ray, const struct near_ray *near, double s, struct d3_vec_d normal, const struct d3_shape *shape)
{
	double size = max_d(shape->half.x, max_d(shape->half.y, shape->half.z));
	take_round(ray, near->start + s, d3_turn_d(&shape->frame.q, normal), size);
}

/* The ray is inside where it is both between the ends and in the tube. */
static void ray_cylinder(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	struct crossing ends = {.enter = -INFINITY, .leave = INFINITY};
	double radius = shape->half.x, enter = -INFINITY, leave = INFINITY;
	if (!between_ends(&near, shape->half.y, &ends))
		return;
	double square = near.u.x * near.u.x + near.u.z * near.u.z, pass = near.o.x * near.u.z - near.o.z * near.u.x;
	double under = square * radius * radius - pass * pass;
	if (square > 0) {
		if (!(under >= 0))
			return;
		double middle = -(near.o.x * near.u.x + near.o.z * near.u.z) / square, half = sqrt(under) / square;
		enter = middle - half;
		leave = middle + half;
	} else if (round_offset(near.o.x, near.o.z) > radius) {
		return;
	}
	if (!(max_d(enter, ends.enter) <= min_d(leave, ends.leave)))
		return;
	if (ends.enter >= enter) {
		take_turned(ray, &near, ends.enter, (struct d3_vec_d){0, near.u.y > 0 ? -1 : 1, 0}, shape);
		return;
	}
	struct d3_vec_d p = d3_mul_add_d(near.o, enter, near.u);
	double offset = round_offset(p.x, p.z);
	take_turned(ray, &near, enter, (struct d3_vec_d){p.x / offset, 0, p.z / offset}, shape);
}

/* The interval of the line inside the infinite cone, w = half - y, x^2 + z^2 <= k^2 w^2, w >= 0:
 *   a s^2 + 2 b s + c <= 0,  a = dx^2 + dz^2 - k^2 dw^2,  b = x dx + z dz - k^2 w dw,  c = x^2 + z^2 - k^2 w^2
 * A line steeper than the cone (a < 0) is inside one half of the double cone before the smaller root and inside the other half
 * beyond the larger one. Other lines are inside one of the halves, between the roots. */
static bool inside_cone(const struct near_ray *ray, double half, double k, struct crossing *out)
{
	double w = half - ray->o.y, dw = -ray->u.y;
	double a = ray->u.x * ray->u.x + ray->u.z * ray->u.z - k * k * dw * dw;
	double b = ray->o.x * ray->u.x + ray->o.z * ray->u.z - k * k * w * dw;
	double c = ray->o.x * ray->o.x + ray->o.z * ray->o.z - k * k * w * w;
	double under = b * b - a * c;
	if (!(under >= 0)) {
		if (a >= 0)
			return false;
		under = 0; /* through the apex, to within rounding */
	}
	double q = -(b + (b < 0 ? -sqrt(under) : sqrt(under)));
	if (q == 0 && a == 0) {
		*out = (struct crossing){.enter = -INFINITY, .leave = INFINITY};
		return c <= 0 && w >= 0;
	}
	double first = q == 0 ? 0 : c / q, second = a == 0 ? first : q / a;
	double least = min_d(first, second), most = max_d(first, second);
	if (a < 0) {
		*out = dw > 0 ? (struct crossing){.enter = most, .leave = INFINITY}
					  : (struct crossing){.enter = -INFINITY, .leave = least};
		return true;
	}
	if (a == 0) {
		/* Parallel to the mantle: one root, and inside where w grows. */
		*out = dw > 0 ? (struct crossing){.enter = first, .leave = INFINITY}
					  : (struct crossing){.enter = -INFINITY, .leave = first};
		return true;
	}
	*out = (struct crossing){.enter = least, .leave = most};
	return w + 0.5 * (least + most) * dw >= 0;
}

/* This near the apex the normal is that of the side facing the ray: a double root is accurate only to the square root of the
 * rounding error. */
static const double apex_tolerance = 1e-7;

/* The normal of the side where a ray along u enters at p. */
static struct d3_vec_d cone_normal(struct d3_vec_d p, struct d3_vec_d u, double half, double k)
{
	double offset = round_offset(p.x, p.z), across = round_offset(u.x, u.z), slant = 1 / sqrt(1 + k * k);
	bool leaves = p.x * u.x + p.z * u.z + k * offset * u.y > 0;
	if (offset > 0 && !(leaves && offset <= apex_tolerance * half * (1 + k)))
		return (struct d3_vec_d){slant * p.x / offset, slant * k, slant * p.z / offset};
	if (!(across > 0))
		return (struct d3_vec_d){0, 1, 0};
	return (struct d3_vec_d){-slant * u.x / across, slant * k, -slant * u.z / across};
}

static void ray_cone(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	struct crossing ends = {.enter = -INFINITY, .leave = INFINITY}, side;
	double half = shape->half.y, k = shape->half.x / (2 * half);
	if (!between_ends(&near, half, &ends) || !inside_cone(&near, half, k, &side))
		return;
	if (!(max_d(side.enter, ends.enter) <= min_d(side.leave, ends.leave)))
		return;
	/* The plane through the apex touches the cone only there, and the side's normal is used. */
	if (ends.enter >= side.enter && near.u.y > 0) {
		take_turned(ray, &near, ends.enter, (struct d3_vec_d){0, -1, 0}, shape);
		return;
	}
	double s = max_d(side.enter, ends.enter);
	struct d3_vec_d p = d3_mul_add_d(near.o, s, near.u);
	take_turned(ray, &near, s, cone_normal(p, near.u, half, k), shape);
}

/* An ellipsoid is a unit ball in coordinates scaled by 1/a, 1/b and 1/c; its normal is along (x/a^2, y/b^2, z/c^2). */
static void ray_ellipsoid(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	struct d3_vec_d half = d3_widen(shape->half);
	struct d3_vec_d m = {near.o.x / half.x, near.o.y / half.y, near.o.z / half.z};
	struct d3_vec_d d = {near.u.x / half.x, near.u.y / half.y, near.u.z / half.z}, cross = d3_cross_d(m, d);
	double square = d3_dot_d(d, d), under = square - d3_dot_d(cross, cross);
	if (!(under >= 0))
		return;
	double s = (-d3_dot_d(m, d) - sqrt(under)) / square;
	struct d3_vec_d n = d3_mul_add_d(m, s, d);
	n = (struct d3_vec_d){n.x / half.x, n.y / half.y, n.z / half.z};
	take_turned(ray, &near, s, d3_scale_d(1 / d3_length_d(n), n), shape);
}

/* The mantle, between the circles where it touches both balls. With c and s the normal's components across and along the axis,
 * R the larger ball's radius, about y = -h, and w the height above its centre:
 *   F = c^2 (x^2 + z^2) - (R - s w)^2 = 0 */
static void ray_mantle(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct near_ray near = ray_near(ray, &shape->frame);
	double h = shape->half.y;
	double r = shape->radius;
	double big = r + shape->half.x;
	double s = shape->half.x / (2 * h);
	double c = sqrt((1 - s) * (1 + s));
	double w = near.o.y + h, over = big - s * w, low = big * s, high = 2 * h + r * s;
	double xx = c * c * (near.u.x * near.u.x + near.u.z * near.u.z) - s * s * near.u.y * near.u.y;
	double xo = c * c * (near.o.x * near.u.x + near.o.z * near.u.z) + s * near.u.y * over;
	double oo = c * c * (near.o.x * near.o.x + near.o.z * near.o.z) - over * over;
	double under = xo * xo - xx * oo;
	if (!(under >= 0))
		return;
	double q = -(xo + (xo < 0 ? -sqrt(under) : sqrt(under))), roots[2] = {q / xx, oo / q};
	for (int i = 0; i < 2; ++i) {
		struct d3_vec_d p = d3_mul_add_d(near.o, roots[i], near.u);
		double offset = round_offset(p.x, p.z), height = p.y + h;
		struct d3_vec_d normal = {c * p.x / offset, s, c * p.z / offset};
		if (is_finite_d(roots[i]) && height >= low && height <= high && offset > 0 && d3_dot_d(normal, near.u) < 0)
			take_turned(ray, &near, roots[i], normal, shape);
	}
}

static void ray_tapered(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct d3_vec_d centers[2];
	double radii[2];
	d3_tapered_ends(shape, centers, radii);
	ray_mantle(ray, shape);
	ray_ball(ray, centers[0], radii[0]);
	ray_ball(ray, centers[1], radii[1]);
}

static bool tapered_contains(const struct d3_shape *shape, struct d3_vec_d p)
{
	double h = shape->half.y;
	double r = shape->radius;
	double big = r + shape->half.x;
	double s = shape->half.x / (2 * h);
	double c = sqrt((1 - s) * (1 + s));
	double across = round_offset(p.x, p.z), y = p.y + h, t = y * c - across * s; /* as in foot_on_tapered */
	if (t > 0 && t < 2 * h * c)
		return c * across + s * y <= big;
	double up = t > 0 ? y - 2 * h : y, radius = t > 0 ? r : big;
	return across * across + up * up <= radius * radius;
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

/* Coordinates along the ray: the greatest component of its direction becomes z, and a shear makes the others 0. */
struct shear {
	struct d3_vec_d o;
	int kx, ky, kz;
	double sx, sy, sz;
};

static double component(struct d3_vec_d v, int i)
{
	return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static struct shear make_shear(const struct d3_ray *ray)
{
	double x = abs_d(ray->u.x), y = abs_d(ray->u.y), z = abs_d(ray->u.z);
	struct shear s = {.o = ray->o, .kz = z >= x && z >= y ? 2 : y >= x ? 1 : 0};
	s.kx = (s.kz + 1) % 3;
	s.ky = (s.kz + 2) % 3;
	double along = component(ray->u, s.kz);
	s.sx = component(ray->u, s.kx) / along;
	s.sy = component(ray->u, s.ky) / along;
	s.sz = 1 / along;
	return s;
}

static struct d3_vec_d sheared(const struct shear *shear, struct d3_vec p)
{
	struct d3_vec_d v = d3_sub_d(d3_widen(p), shear->o);
	double z = component(v, shear->kz);
	return (struct d3_vec_d){component(v, shear->kx) - shear->sx * z, component(v, shear->ky) - shear->sy * z, shear->sz * z};
}

/* No ray passes between triangles that share an edge or a corner: shared corners shear to the same numbers, and a difference of
 * two rounded products never has the wrong sign. Zero counts as inside. A triangle seen edge-on is missed.
 * Source: Woop, Benthin, Wald, "Watertight Ray/Triangle Intersection", 2013. */
static void ray_triangle(struct d3_ray *ray, const struct shear *shear, const struct d3_vec points[3], uint32_t child)
{
	struct d3_vec_d a = sheared(shear, points[0]), b = sheared(shear, points[1]), c = sheared(shear, points[2]);
	double u = c.x * b.y - c.y * b.x, v = a.x * c.y - a.y * c.x, w = b.x * a.y - b.y * a.x;
	if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
		return;
	double sum = u + v + w;
	if (sum == 0)
		return;
	double s = (u * a.z + v * b.z + w * c.z) / sum;
	struct d3_vec_d n = {0, 0, 0};
	if (take(ray, s, n))
		ray->child = child;
}

/* The triangle's normal, as long as twice its area. */
static struct d3_vec_d triangle_way(const struct d3_vec p[3])
{
	return d3_cross_d(d3_sub_d(d3_widen(p[1]), d3_widen(p[0])), d3_sub_d(d3_widen(p[2]), d3_widen(p[0])));
}

bool d3_child_left(const struct d3_shape *shape, uint32_t child, struct d3_vec_d delta, double doubt)
{
	struct d3_vec p[3];
	if (!shape->one_sided || (delta.x == 0 && delta.y == 0 && delta.z == 0))
		return false;
	d3_shape_triangle(shape, child, p);
	struct d3_vec_d n = triangle_way(p);
	return d3_dot_d(n, delta) >= (doubt > 0 ? doubt * d3_length_d(n) : 0);
}

/* The hit triangle's normal on the side that faces the ray. */
static void triangle_normal(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct d3_vec p[3];
	d3_shape_triangle(shape, ray->child, p);
	struct d3_vec_d n = triangle_way(p);
	double length = d3_length_d(n);
	ray->normal = length > 0 ? d3_scale_d((d3_dot_d(n, ray->u) > 0 ? -1 : 1) / length, n) : d3_neg_d(ray->u);
}

/* --- Children ------------------------------------------------------------------------------------------------------------- */

/* The interval, in lengths of u, in which the line through o along u, of any length, is inside a box (lower x, y, z, upper x,
 * y, z) widened by margin. Returns whether the interval overlaps [0, limit]; conservative if the margin is at least some 1e-15
 * of all coordinates. */
static bool d3_ray_box(
	struct d3_vec_d o, struct d3_vec_d u, const double box[6], double margin, double limit, double interval[2])
{
	const double from[3] = {o.x, o.y, o.z}, delta[3] = {u.x, u.y, u.z};
	double enter = -INFINITY, leave = INFINITY;
	for (int i = 0; i < 3; ++i) {
		double below = box[i] - margin - from[i], above = box[3 + i] + margin - from[i];
		if (abs_d(delta[i]) < 1e-300) {
			if (below > 0 || above < 0)
				return false;
			continue;
		}
		double inverse = 1 / delta[i], p = below * inverse, q = above * inverse;
		enter = max_d(enter, min_d(p, q));
		leave = min_d(leave, max_d(p, q));
	}
	interval[0] = enter;
	interval[1] = leave;
	return enter <= leave && leave >= 0 && enter <= limit;
}

static void ray_convex(struct d3_ray *ray, const struct d3_shape *shape);

static void ray_compound_leaf(struct d3_ray *ray, const struct d3_shape *shape, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; ++i) {
		double before = ray->reach;
		bool was = ray->hit;
		ray_convex(ray, shape->compound->children[i]);
		if (ray->hit && (!was || ray->reach < before))
			ray->child = i;
	}
}

static void ray_leaf(
	struct d3_ray *ray, const struct shear *shear, const struct d3_shape *shape, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; ++i) {
		struct d3_vec points[3];
		d3_shape_triangle(shape, i, points);
		if (!shape->one_sided || d3_dot_d(triangle_way(points), ray->u) < 0)
			ray_triangle(ray, shear, points, i);
	}
}

static const double *node_box(const struct d3_node *node, double box[6])
{
	const double sides[6] = {node->lower.x, node->lower.y, node->lower.z, node->upper.x, node->upper.y, node->upper.z};
	for (int i = 0; i < 6; ++i)
		box[i] = sides[i];
	return box;
}

static double greatest_side(const double box[6])
{
	double most = 0;
	for (int i = 0; i < 6; ++i)
		most = max_d(most, abs_d(box[i]));
	return most;
}

/* A margin for the rounding errors of the ray and the shape, so that no box that contains a hit is missed. */
static double rounding_margin(const struct d3_ray *ray, const struct d3_node *root)
{
	double box[6], most = max_d(abs_d(ray->o.x), max_d(abs_d(ray->o.y), abs_d(ray->o.z)));
	return max_d(most, greatest_side(node_box(root, box))) * 0x1p-46;
}

/* Nodes still to visit, near ones on top. */
struct waiting {
	struct d3_node node;
	double enter;
};

/* As `waiting`, for a mesh, by links. */
struct waiting_link {
	uint32_t link;
	float enter;
};

static uint32_t push_links(
	const struct d3_node4 *nodes, uint32_t inside, float4 enter, struct waiting_link *stack, uint32_t count)
{
	uint32_t bottom = count;
	for (; inside; inside &= inside - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(inside), at = count++;
		for (; at > bottom && stack[at - 1].enter < enter[lane]; --at)
			stack[at] = stack[at - 1];
		stack[at] = (struct waiting_link){nodes->links[lane], enter[lane]};
	}
	return count;
}

/* Traverses a mesh's tree, near nodes first, without nodes that the ray enters beyond the nearest hit so far. The ray enters
 * the root at `start`. */
static void ray_mesh(struct d3_ray *ray, const struct d3_shape *shape, double start, double margin)
{
	const struct d3_node4 *nodes = shape->mesh->nodes;
	struct waiting_link stack[D3_NODE_STACK] = {{nodes[0].links[0], 0}};
	struct shear shear = make_shear(ray);
	struct d3_ray_lanes lanes;
	d3_ray_lanes_make(&lanes, ray->o, ray->u, start, margin);
	float limit = round_up_f(ray->reach - start);
	uint32_t count = 1;
	while (count > 0) {
		struct waiting_link top = stack[--count];
		float4 enter;
		if (top.enter > limit)
			continue;
		if (d3_link_is_leaf(top.link)) {
			ray_leaf(ray, &shear, shape, top.link >> 4, d3_link_count(top.link));
			limit = round_up_f(ray->reach - start);
			continue;
		}
		const struct d3_node4 *float4_nodes = &nodes[(top.link >> 4) / 4];
		uint32_t inside = d3_ray_enter_four(shape->mesh, float4_nodes, &lanes, limit, &enter);
		assert(count + 4 <= D3_NODE_STACK);
		count = push_links(float4_nodes, inside, enter, stack, count);
	}
}

/* Traverses any tree, near nodes first. */
static void ray_children(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct waiting stack[D3_NODE_STACK];
	uint32_t count = 1;
	double interval[2], box[6];
	d3_shape_node(shape, 0, &stack[0].node);
	double margin = rounding_margin(ray, &stack[0].node);
	if (!d3_ray_box(ray->o, ray->u, node_box(&stack[0].node, box), margin, ray->reach, interval))
		return;
	if (shape->mesh) {
		ray_mesh(ray, shape, max_d(interval[0], 0), max_d(greatest_side(box) * 0x1p-20, margin));
		return;
	}
	struct shear shear = make_shear(ray);
	stack[0].enter = interval[0];
	while (count > 0) {
		struct waiting top = stack[--count];
		if (top.enter > ray->reach)
			continue;
		if (top.node.leaf) {
			if (shape->compound)
				ray_compound_leaf(ray, shape, top.node.first, top.node.count);
			else
				ray_leaf(ray, &shear, shape, top.node.first, top.node.count);
			continue;
		}
		uint32_t bottom = count;
		for (uint32_t i = 0; i < top.node.count; ++i) {
			struct waiting next;
			d3_shape_node(shape, top.node.first + i, &next.node);
			if (!d3_ray_box(ray->o, ray->u, node_box(&next.node, box), margin, ray->reach, interval))
				continue;
			next.enter = interval[0];
			assert(count < D3_NODE_STACK);
			uint32_t at = count++;
			for (; at > bottom && stack[at - 1].enter < next.enter; --at)
				stack[at] = stack[at - 1];
			stack[at] = next;
		}
	}
}

/* --- Any shape ------------------------------------------------------------------------------------------------------------ */

/* A ray that starts inside hits at once. */
static void ray_convex(struct d3_ray *ray, const struct d3_shape *shape)
{
	if (shape->type == D3_BOX || shape->type == D3_HULL) {
		ray_hull(ray, shape);
		return;
	}
	if (contains_local(shape, ray->o)) {
		take(ray, 0, d3_neg_d(ray->u));
		return;
	}
	switch (shape->type) {
	case D3_SPHERE:
	case D3_CAPSULE: d3_ray_widened(ray, shape->points, shape->count, NULL, shape->radius); break;
	case D3_CYLINDER: ray_cylinder(ray, shape); break;
	case D3_CONE: ray_cone(ray, shape); break;
	case D3_ELLIPSOID: ray_ellipsoid(ray, shape); break;
	case D3_TAPERED_CAPSULE: ray_tapered(ray, shape); break;
	case D3_HALF_SPACE: ray_half_space(ray, shape); break;
	case D3_TRIANGLE: {
		struct shear shear = make_shear(ray);
		ray_triangle(ray, &shear, shape->points, 0);
		break;
	}
	case D3_BOX:
	case D3_HULL:
	case D3_SEGMENT:
	case D3_MESH:
	case D3_HEIGHT_FIELD:
	case D3_COMPOUND:
	case D3_SHAPE_TYPES: break;
	}
}

static struct d3_vec_d to_local(const struct d3_pose *pose, const struct d3_rot_d *q, struct d3_vec_d p)
{
	return d3_inv_turn_d(q, (struct d3_vec_d){p.x - pose->x, p.y - pose->y, p.z - pose->z});
}

/* A sphere needs no rotation. m: the ray's start relative to the centre. */
static bool ray_sphere(const struct d3_shape *shape, struct d3_vec_d m, struct d3_vec_d origin, struct d3_vec_d translation,
	double length, struct d3_ray_hit_d *out)
{
	struct d3_ray ray = {
		.o = m, .u = {translation.x / length, translation.y / length, translation.z / length}, .reach = length};
	double radius = shape->radius;
	if (d3_dot_d(m, m) <= radius * radius)
		take(&ray, 0, d3_neg_d(ray.u));
	else
		ray_ball(&ray, (struct d3_vec_d){0, 0, 0}, radius);
	if (!ray.hit)
		return false;
	*out = (struct d3_ray_hit_d){ray.reach / length, ray.normal, d3_mul_add_d(origin, ray.reach, ray.u), 0};
	return true;
}

bool d3_shape_ray_d(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d origin,
	struct d3_vec_d translation, struct d3_ray_hit_d *out)
{
	struct d3_vec_d from = {origin.x - pose->x, origin.y - pose->y, origin.z - pose->z};
	if (d3_ball_missed(from, translation, shape->extent))
		return false;
	bool centred = shape->middle.x == 0 && shape->middle.y == 0 && shape->middle.z == 0;
	double length = d3_way_length(translation);
	if (centred && shape->type == D3_SPHERE && length > 0)
		return ray_sphere(shape, from, origin, translation, length, out);
	struct d3_rot_d q = d3_exact_rot(pose->q);
	if (!centred && shape->reach < INFINITY &&
		d3_ball_missed(d3_sub_d(from, d3_turn_d(&q, shape->middle)), translation, shape->reach))
		return false;
	struct d3_ray ray = {.o = d3_inv_turn_d(&q, from), .reach = length};
	if (length == 0) {
		if (!contains_local(shape, ray.o))
			return false;
		*out = (struct d3_ray_hit_d){.p = origin};
		return true;
	}
	struct d3_vec_d u = {translation.x / length, translation.y / length, translation.z / length};
	ray.u = d3_inv_turn_d(&q, u);
	if (d3_shape_convex(shape))
		ray_convex(&ray, shape);
	else
		ray_children(&ray, shape);
	if (!ray.hit)
		return false;
	if (shape->type == D3_TRIANGLE || shape->type == D3_MESH || shape->type == D3_HEIGHT_FIELD)
		triangle_normal(&ray, shape);
	out->fraction = ray.reach / length;
	out->normal = d3_turn_d(&q, ray.normal);
	out->p = d3_mul_add_d(origin, ray.reach, u);
	out->child = ray.child;
	return true;
}

/* --- Points --------------------------------------------------------------------------------------------------------------- */

static double square_to_edge(struct d3_vec_d x, struct d3_vec p, struct d3_vec q)
{
	struct d3_vec_d from = d3_sub_d(x, d3_widen(p)), delta = d3_sub_d(d3_widen(q), d3_widen(p));
	double square = d3_dot_d(delta, delta), part = square > 0 ? clamp_d(d3_dot_d(from, delta) / square, 0, 1) : 0;
	struct d3_vec_d rest = d3_mul_add_d(from, -part, delta);
	return d3_dot_d(rest, rest);
}

/* Whether x is inside the hull, or within the radius of a face that it is over or of an edge. */
static bool hull_contains(const struct d3_shape *shape, struct d3_vec_d x)
{
	const struct d3_hull *hull = shape->hull;
	double highest = -INFINITY, radius = shape->radius;
	for (uint32_t i = 0; i < hull->face_count; ++i)
		highest = max_d(highest, d3_dot_d(hull->planes[i].normal, x) - hull->planes[i].offset);
	if (highest <= 0)
		return true;
	if (!(highest <= radius) || radius == 0)
		return false;
	for (uint32_t i = 0; i < hull->face_count; ++i)
		if (d3_dot_d(hull->planes[i].normal, x) > hull->planes[i].offset && over_face(hull, i, x))
			return true;
	for (uint32_t e = 0; e < hull->edge_count; e += 2)
		if (square_to_edge(x, shape->points[hull->edges[e].origin], shape->points[hull->edges[e + 1].origin]) <=
			radius * radius)
			return true;
	return false;
}

static bool compound_contains(const struct d3_shape *shape, struct d3_vec_d x)
{
	uint32_t stack[D3_NODE_STACK], count = 1;
	stack[0] = 0;
	while (count > 0) {
		struct d3_node node;
		d3_shape_node(shape, stack[--count], &node);
		if (!(x.x >= node.lower.x && x.x <= node.upper.x && x.y >= node.lower.y && x.y <= node.upper.y && x.z >= node.lower.z &&
				x.z <= node.upper.z))
			continue;
		for (uint32_t i = node.first; i < node.first + node.count; ++i) {
			if (!node.leaf)
				stack[count++] = i;
			else if (contains_local(shape->compound->children[i], x))
				return true;
		}
	}
	return false;
}

static bool contains_local(const struct d3_shape *shape, struct d3_vec_d x)
{
	struct d3_vec_d p = x, half = d3_widen(shape->half);
	if (shape->type == D3_CYLINDER || shape->type == D3_CONE || shape->type == D3_ELLIPSOID ||
		shape->type == D3_TAPERED_CAPSULE)
		p = d3_inv_transform_point_d(&shape->frame, x);
	switch (shape->type) {
	case D3_SPHERE:
	case D3_CAPSULE:
		return square_to_edge(x, shape->points[0], shape->points[shape->count - 1]) <= (double)shape->radius * shape->radius;
	case D3_BOX:
	case D3_HULL: return hull_contains(shape, x);
	case D3_CYLINDER: return abs_d(p.y) <= half.y && p.x * p.x + p.z * p.z <= half.x * half.x;
	case D3_CONE: return abs_d(p.y) <= half.y && round_offset(p.x, p.z) * 2 * half.y <= half.x * (half.y - p.y);
	case D3_ELLIPSOID: p = (struct d3_vec_d){p.x / half.x, p.y / half.y, p.z / half.z}; return d3_dot_d(p, p) <= 1;
	case D3_TAPERED_CAPSULE: return tapered_contains(shape, p);
	case D3_HALF_SPACE: return d3_dot_d(shape->normal, x) <= shape->offset;
	case D3_COMPOUND: return compound_contains(shape, x);
	case D3_SEGMENT:
	case D3_TRIANGLE:
	case D3_MESH:
	case D3_HEIGHT_FIELD:
	case D3_SHAPE_TYPES: break;
	}
	return false;
}

bool d3_shape_contains(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d point)
{
	struct d3_rot_d q = d3_exact_rot(pose->q);
	return contains_local(shape, to_local(pose, &q, point));
}
