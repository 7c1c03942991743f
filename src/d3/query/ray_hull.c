/* ray_hull.c - rays against boxes, hulls and half-spaces, and against points, segments, triangles and hulls widened by a
 * radius. See ray_cast.c. */
#include "d3/query/ray_cast_parts.h"

#include <assert.h>

/* --- Solids with faces ---------------------------------------------------------------------------------------------------- */

/* A start higher above a widened plane, or farther outside a round surface, than about this fraction of the radius is surely
 * outside. */
static const double apart_tolerance = 1e-9;

/* Clips the ray to the planes of the hull, moved out by `radius`: from the last plane crossed inwards to the first one crossed
 * outwards. Stops at the first plane that the ray starts above and does not cross within its reach; then sets only out->height.
 * Compares quotients by cross-multiplication. False: the ray misses.
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

/* The hull's closest feature to a point outside: a face, an edge (by one of its half edges) or a corner, and the closest point
 * on it. */
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
	uint32_t e = d3_ray_outer_edge(hull, spot->i, x);
	if (e != NO_EDGE) {
		*spot = (struct spot){ON_EDGE, e, x};
		return true;
	}
	const struct d3_hull_plane *plane = &hull->planes[spot->i];
	spot->p = d3_mul_add_d(x, plane->offset - d3_dot_d(plane->normal, x), plane->normal);
	return false;
}

/* Walks from *spot over neighbouring features, each nearer to x than the one before, to the closest. False: the walk does not
 * end in 64 steps, as may happen where faces are not quite flat.
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

/* Finds the ray's entry into the tube or ball around the spot. True if the spot is the hull's closest feature to the entry:
 * then the ray hits nothing before. */
static bool ends_at_spot(const struct d3_ray *ray, const struct d3_hull *hull, const struct spot *spot, double radius,
	double *s, struct d3_vec_d *normal)
{
	struct d3_ray own = {.o = ray->o, .u = ray->u, .reach = INFINITY};
	struct spot there = *spot;
	if (spot->on == ON_EDGE) {
		const struct d3_hull_edge *e = &hull->edges[spot->i];
		d3_ray_tube(&own, d3_widen(hull->points[e->origin]), d3_widen(hull->points[hull->edges[e->twin].origin]), radius);
	} else {
		d3_ray_ball(&own, d3_widen(hull->points[spot->i]), radius);
	}
	if (!own.hit)
		return false;
	struct d3_vec_d x = d3_ray_at(ray, own.reach);
	if (spot->on == ON_EDGE ? leave_edge(hull, x, &there) : leave_corner(hull, x, &there))
		return false;
	*s = own.reach;
	*normal = own.normal;
	return true;
}

enum arrival { MISSES, ARRIVES, UNSURE };

/* Casts the ray against the tubes and balls around edges and corners, from s on. The distance is convex along the ray, so
 * Newton's steps from before the hit never pass the hit. Each step leads to a plane perpendicular to the shortest vector from
 * the hull: the one through the spot's point, moved out by the radius. The hit itself is exact: the entry into a tube or
 * ball. */
static enum arrival ray_corners(const struct d3_ray *ray, const struct d3_hull *hull, double radius, double s, struct spot spot,
	double *hit, struct d3_vec_d *normal)
{
	for (int i = 0; i < 32; ++i) {
		struct d3_vec_d x = d3_ray_at(ray, s);
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

/* Casts the ray against the faces of a widened triangle: only the one on the ray's side can be entered. */
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
	struct d3_vec_d x = d3_ray_at(ray, s);
	double side[3];
	for (int i = 0; i < 3; ++i)
		side[i] = d3_dot_d(n, d3_cross_d(d3_sub_d(p[(i + 1) % 3], p[i]), d3_sub_d(x, p[i])));
	if ((side[0] >= 0 && side[1] >= 0 && side[2] >= 0) || (side[0] <= 0 && side[1] <= 0 && side[2] <= 0))
		d3_ray_take(ray, s, n);
}

/* The widened hull is bounded by its faces, moved out, by tubes around its edges and by balls around its corners. The other
 * parts of these surfaces are inside it, so the ray crosses them only after its entry. A point inside all moved planes but over
 * no face is closest to an edge or a corner. */
static void ray_widened_hull(struct d3_ray *ray, const struct d3_hull *hull, double radius)
{
	struct crossing crossing;
	bool crosses = ray_planes(ray, hull, radius, &crossing);
	ray->apart = crossing.height > apart_tolerance * radius;
	if (!crosses)
		return;
	struct spot spot = {.on = ON_EDGE, .i = hull->face_edges[crossing.face]};
	if (crossing.outside) {
		spot.i = d3_ray_outer_edge(hull, crossing.face, d3_ray_at(ray, crossing.enter));
		if (spot.i == NO_EDGE) {
			if (d3_ray_take(ray, crossing.enter, hull->planes[crossing.face].normal))
				ray->face = crossing.face + 1;
			return;
		}
	}
	double s;
	struct d3_vec_d normal;
	enum arrival arrival = ray_corners(ray, hull, radius, crossing.enter, spot, &s, &normal);
	if (arrival == ARRIVES)
		d3_ray_take(ray, s, normal);
	if (arrival != UNSURE)
		return;
	for (uint32_t e = 0; e < hull->edge_count; e += 2)
		d3_ray_tube(
			ray, d3_widen(hull->points[hull->edges[e].origin]), d3_widen(hull->points[hull->edges[e + 1].origin]), radius);
	for (uint32_t i = 0; i < hull->point_count; ++i)
		d3_ray_ball(ray, d3_widen(hull->points[i]), radius);
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
			d3_ray_tube(ray, p, q, radius);
			return;
		}
		if (along < -unsure || along > ww + unsure) {
			d3_ray_ball(ray, along < 0 ? p : q, radius);
			return;
		}
	}
	d3_ray_tube(ray, p, q, radius);
	d3_ray_ball(ray, p, radius);
	d3_ray_ball(ray, q, radius);
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
		d3_ray_ball(ray, p, radius);
	if (count == 2)
		d3_ray_capsule(ray, p, d3_widen(points[1]), radius);
	if (count < 3)
		return;
	ray_slab(ray, points, radius);
	for (uint32_t i = 0; i < 3; ++i)
		d3_ray_tube(ray, d3_widen(points[i]), d3_widen(points[(i + 1) % 3]), radius);
	for (uint32_t i = 0; i < 3; ++i)
		d3_ray_ball(ray, d3_widen(points[i]), radius);
}

void d3_ray_hull(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct crossing crossing;
	if (shape->radius > 0) {
		if (d3_ray_contains(shape, ray->o))
			d3_ray_take(ray, 0, d3_neg_d(ray->u));
		else
			ray_widened_hull(ray, shape->hull, shape->radius);
	} else if (ray_planes(ray, shape->hull, 0, &crossing)) {
		d3_ray_take(ray, crossing.enter, crossing.outside ? shape->hull->planes[crossing.face].normal : d3_neg_d(ray->u));
	}
}

void d3_ray_half_space(struct d3_ray *ray, const struct d3_shape *shape)
{
	double height = d3_dot_d(shape->normal, ray->o) - shape->offset, speed = -d3_dot_d(shape->normal, ray->u);
	if (speed > 0)
		d3_ray_take(ray, height / speed, shape->normal);
}
