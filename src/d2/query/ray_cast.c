/* ray_cast.c - see ray_cast.h. A ray is moved to the shape's frame and followed there in double: it may be a million times
 * longer than the shape.
 * Pure, any thread. */
#include "d2/query/ray_cast.h"

#include "d2/shape/chain.h"
#include "d2/shape/tiles.h"
#include "d2/query/distance.h"
#include "d2/query/gjk.h"
#include "d2/query/penetration.h"

#include <assert.h>

/* Fraction of its length by which an edge is extended at both ends, so that no ray slips through a joint: above the rounding
 * error of the edge's float normal, and so of the edge's line at its far end. */
static const double joint_tolerance = 0x1p-22;

/* A ray in the shape's frame: o + t d for 0 <= t <= reach. At a hit reach becomes its t, so that later hits do not count. */
struct ray {
	struct d2_vec_d o, d;
	double reach;
	struct d2_vec_d normal;
	uint32_t child; /* that was hit */
	bool hit;
};

static inline void take(struct ray *ray, double t, struct d2_vec_d normal)
{
	if (!(t >= 0 && t <= ray->reach))
		return;
	ray->reach = t;
	ray->normal = normal;
	ray->hit = true;
}

/* Records the hit of a ray that starts inside: at t = 0, with the normal opposite to the ray. */
static void take_inside(struct ray *ray)
{
	double length = d2_length_d(ray->d);
	take(ray, 0, length > 0 ? d2_scale_d(-1 / length, ray->d) : (struct d2_vec_d){0, 0});
}

/* Intersects a ray from outside with a circle: with m = o - c,
 *   t = (-m.d - sqrt(d.d r^2 - (m x d)^2))/d.d
 * The cross product keeps its digits for a far origin, where the usual m.m - r^2 loses them. Since the ray starts outside, t <
 * 0 is rounding error while it approaches the centre, and becomes 0. */
static inline void ray_circle(struct ray *ray, struct d2_vec_d center, double radius)
{
	struct d2_vec_d m = d2_sub_d(ray->o, center);
	double square = d2_dot_d(ray->d, ray->d), cross = d2_cross_d(m, ray->d);
	double under = square * radius * radius - cross * cross;
	if (!(under >= 0 && square > 0 && radius > 0))
		return;
	double closing = -d2_dot_d(m, ray->d), t = (closing - sqrt(under)) / square;
	if (closing > 0)
		t = max_d(t, 0);
	take(ray, t, d2_scale_d(1 / radius, d2_mul_add_d(m, t, ray->d)));
}

/* ray_circle for a circle that may contain the ray's start. */
static inline void ray_disc(struct ray *ray, struct d2_vec_d center, double radius)
{
	struct d2_vec_d m = d2_sub_d(ray->o, center);
	if (d2_dot_d(m, m) <= radius * radius)
		take_inside(ray);
	else
		ray_circle(ray, center, radius);
}

/* Whether a point on an edge's line is on the extended edge. along: the dot product of the edge and the vector from its start
 * to the point; square: the edge's squared length. */
static inline bool is_on_edge(double along, double square)
{
	return along >= -joint_tolerance * square && along <= (1 + joint_tolerance) * square;
}

static inline void ray_segment(struct ray *ray, const struct d2_shape *shape)
{
	struct d2_vec_d p = d2_widen(shape->points[0]), delta = d2_sub_d(d2_widen(shape->points[1]), p);
	struct d2_vec_d n = d2_widen(shape->normals[0]), from = d2_sub_d(ray->o, p);
	double height = d2_dot_d(n, from), speed = -d2_dot_d(n, ray->d);
	if (speed < 0) {
		n = d2_neg_d(n);
		height = -height;
		speed = -speed;
	}
	if (!(speed > 0 && height >= 0 && height <= speed * ray->reach))
		return;
	double t = height / speed;
	if (is_on_edge(d2_dot_d(delta, d2_mul_add_d(from, t, ray->d)), d2_dot_d(delta, delta)))
		take(ray, min_d(t, ray->reach), n);
}

/* A ray that starts between the lines along the two sides, but outside the capsule, can only hit the cap at the end where it
 * starts. Any other ray from outside first crosses the line along the nearer side: on that side, or beyond an end, whose cap is
 * then all that it can hit. */
static inline void ray_capsule(struct ray *ray, const struct d2_shape *shape)
{
	struct d2_vec_d p = d2_widen(shape->points[0]), q = d2_widen(shape->points[1]);
	struct d2_vec_d delta = d2_sub_d(q, p), from = d2_sub_d(ray->o, p);
	double radius = shape->radius, square = d2_dot_d(delta, delta);
	double along = d2_dot_d(from, delta), height = d2_cross_d(delta, from);
	if (height * height > radius * radius * square) {
		double length = sqrt(square), side = height > 0 ? 1 / length : -1 / length;
		struct d2_vec_d n = {-delta.y * side, delta.x * side};
		double speed = -d2_dot_d(n, ray->d), above = side * height - radius;
		if (!(speed > 0 && above <= speed * ray->reach * (1 + 1e-15)))
			return;
		double t = max_d(above / speed, 0);
		along = d2_dot_d(delta, d2_mul_add_d(from, t, ray->d));
		if (is_on_edge(along, square)) {
			take(ray, t, n);
			return;
		}
	} else if (along >= 0 && along <= square) {
		take_inside(ray);
		return;
	}
	ray_disc(ray, along > 0 ? q : p, radius);
}

/* Tests a ray from outside against the edge from p to q, moved out by radius along its normal. Since the ray starts outside, a
 * start between the edge and the moved edge is due to rounding. */
static void ray_edge(struct ray *ray, struct d2_vec p, struct d2_vec q, struct d2_vec normal, double radius)
{
	struct d2_vec_d n = d2_widen(normal), from = d2_sub_d(ray->o, d2_widen(p)), delta = d2_sub_d(d2_widen(q), d2_widen(p));
	double speed = -d2_dot_d(n, ray->d);
	if (!(speed > 0))
		return;
	double above = d2_dot_d(n, from) - radius, t = above / speed;
	double square = d2_dot_d(delta, delta), along = d2_dot_d(delta, from);
	if (above < 0 && above > -radius && along >= 0 && along <= square)
		take(ray, 0, n);
	else if (is_on_edge(d2_dot_d(delta, d2_mul_add_d(from, t, ray->d)), square))
		take(ray, t, n);
}

/* The ray enters a sharp convex polygon at the last edge that it crosses inwards, unless it crosses one outwards before. A
 * start that is outside no edge is inside.
 * Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping", 1978. */
static inline void ray_outline(struct ray *ray, const struct d2_shape *shape)
{
	/* Quotients of heights and speeds, compared by cross-multiplication. */
	double enter = 0, enter_speed = 0, leave = -1, leave_speed = 0;
	uint32_t best = 0;
	for (uint32_t i = 0; i < shape->count; ++i) {
		struct d2_vec_d n = d2_widen(shape->normals[i]);
		double height = d2_dot_d(n, d2_sub_d(ray->o, d2_widen(shape->points[i]))), speed = -d2_dot_d(n, ray->d);
		if (height > 0) {
			/* The ray starts outside this edge and does not reach its line. */
			if (!(height <= speed * ray->reach))
				return;
			if (enter_speed == 0 || height * enter_speed > enter * speed) {
				enter = height;
				enter_speed = speed;
				best = i;
			}
		} else if (speed < 0 && height * leave_speed < leave * speed) {
			leave = height;
			leave_speed = speed;
		}
	}
	if (enter_speed == 0)
		take_inside(ray);
	else if (leave_speed == 0 || enter * leave_speed >= leave * enter_speed)
		take(ray, enter / enter_speed, d2_widen(shape->normals[best]));
}

/* The boundary of a rounded polygon consists of parts of its edges, moved out by the radius, and of circles around its corners.
 * The first of these that a ray from outside crosses is crossed on the boundary. */
static void ray_rounded(struct ray *ray, const struct d2_shape *shape)
{
	for (uint32_t i = 0; i < shape->count; ++i) {
		ray_edge(ray, shape->points[i], shape->points[i + 1], shape->normals[i], shape->radius);
		ray_circle(ray, d2_widen(shape->points[i]), shape->radius);
	}
}

/* An ellipse is a unit circle in coordinates scaled by 1/a and 1/b; its normal is along (x/a^2, y/b^2). */
static struct d2_vec_d to_unit_circle(const struct d2_shape *shape, struct d2_vec_d v)
{
	v = d2_inv_rotate_d(shape->rotation, v);
	return (struct d2_vec_d){v.x / shape->axes.x, v.y / shape->axes.y};
}

static void ray_ellipse(struct ray *ray, const struct d2_shape *shape)
{
	struct d2_vec_d o = to_unit_circle(shape, d2_sub_d(ray->o, d2_widen(shape->points[0])));
	struct ray stretched = {o, to_unit_circle(shape, ray->d), ray->reach, {0, 0}, 0, false};
	ray_circle(&stretched, (struct d2_vec_d){0, 0}, 1);
	if (!stretched.hit)
		return;
	struct d2_vec_d n = {stretched.normal.x / shape->axes.x, stretched.normal.y / shape->axes.y};
	take(ray, stretched.reach, d2_rotate_d(shape->rotation, d2_scale_d(1 / d2_length_d(n), n)));
}

static void ray_half_plane(struct ray *ray, const struct d2_shape *shape)
{
	struct d2_vec_d n = d2_widen(shape->normal);
	double height = d2_dot_d(n, ray->o) - shape->offset, speed = -d2_dot_d(n, ray->d);
	if (speed > 0)
		take(ray, height / speed, n);
}

static double square_to_edge(struct d2_vec_d x, struct d2_vec p, struct d2_vec q)
{
	struct d2_vec_d from = d2_sub_d(x, d2_widen(p)), delta = d2_sub_d(d2_widen(q), d2_widen(p));
	double square = d2_dot_d(delta, delta), part = square > 0 ? clamp_d(d2_dot_d(from, delta) / square, 0, 1) : 0;
	from = d2_mul_add_d(from, -part, delta);
	return d2_dot_d(from, from);
}

/* Whether x is at most the radius from the hull of the points. */
static bool outline_contains(const struct d2_shape *shape, struct d2_vec_d x)
{
	double outside = shape->count >= 3 ? -INFINITY : INFINITY, radius = shape->radius;
	for (uint32_t i = 0; shape->count >= 3 && i < shape->count; ++i)
		outside = max_d(outside, d2_dot_d(d2_widen(shape->normals[i]), d2_sub_d(x, d2_widen(shape->points[i]))));
	if (outside <= 0 || (outside > radius && outside < INFINITY))
		return outside <= 0;
	for (uint32_t i = 0; i < (shape->count >= 3 ? shape->count : 1); ++i)
		if (square_to_edge(x, shape->points[i], shape->points[i + 1]) <= radius * radius)
			return true;
	return false;
}

static bool area_contains(const struct d2_shape *shape, struct d2_vec_d x)
{
	struct d2_shape area;
	uint32_t child = d2_tiles_area_at(shape, x);
	if (child == UINT32_MAX)
		return false;
	d2_tiles_area(shape, child, &area);
	return outline_contains(&area, x);
}

static bool contains_local(const struct d2_shape *shape, struct d2_vec_d x)
{
	switch (shape->type) {
	case D2_CIRCLE:
	case D2_CAPSULE:
	case D2_BOX:
	case D2_POLYGON: return outline_contains(shape, x);
	case D2_ELLIPSE: x = to_unit_circle(shape, d2_sub_d(x, d2_widen(shape->points[0]))); return d2_dot_d(x, x) <= 1;
	case D2_HALF_PLANE: return d2_dot_d(d2_widen(shape->normal), x) <= shape->offset;
	case D2_CHAIN: return shape->stride > 2 && area_contains(shape, x);
	default: return false;
	}
}

static void ray_chain_edge(struct ray *ray, const struct d2_shape *chain, uint32_t child)
{
	struct d2_vec n = chain->normals[child];
	bool behind = !chain->one_sided && d2_dot_d(d2_widen(n), ray->d) > 0;
	const struct d2_vec *ends = d2_segment(chain, child);
	if (chain->stride > 2) {
		struct d2_shape area;
		d2_tiles_area(chain, child, &area);
		ray_outline(ray, &area);
		return;
	}
	ray_edge(ray, ends[0], ends[1], behind ? d2_neg(n) : n, 0);
}

/* Tests a segment; of two that are hit at their joint, the one with the lower number counts. */
static void ray_chain_segment(struct ray *ray, const struct d2_shape *chain, uint32_t child)
{
	struct ray before = *ray;
	ray->hit = false;
	ray_chain_edge(ray, chain, child);
	if (!ray->hit || (before.hit && ray->reach == before.reach && before.child < child))
		*ray = before;
	else
		ray->child = child;
}

static void ray_chain(struct ray *ray, const struct d2_shape *chain)
{
	enum { STACK = 64 };
	const struct d2_bounds start = {ray->o, {0, 0}};
	double slack = 2 * joint_tolerance * (d2_box_reach(chain) + abs_d(ray->o.x) + abs_d(ray->o.y));
	uint32_t stack[STACK] = {0}, depth = 1;
	while (depth > 0) {
		struct d2_node node;
		d2_shape_node(chain, stack[--depth], &node);
		if (d2_bounds_overlap(&start, &node.box, ray->d, slack) > ray->reach)
			continue;
		for (uint32_t i = node.count; !node.leaf && i-- > 0;) {
			assert(depth < STACK);
			stack[depth++] = node.first + i;
		}
		for (uint32_t i = 0, child = node.first; node.leaf && i < node.count; ++i, child = d2_leaf_next(chain, child))
			ray_chain_segment(ray, chain, child);
	}
}

/* Tests a ray in the shape's frame. child: a child, or D2_ALL. Not for circles. */
static inline void ray_shape(struct ray *ray, const struct d2_shape *shape, uint32_t child)
{
	if ((shape->type == D2_BOX || shape->type == D2_POLYGON) && shape->radius == 0)
		ray_outline(ray, shape);
	else if (shape->type == D2_CAPSULE)
		ray_capsule(ray, shape);
	else if (shape->type == D2_SEGMENT)
		ray_segment(ray, shape);
	else if (shape->type == D2_CHAIN && child == D2_ALL)
		ray_chain(ray, shape);
	else if (shape->type == D2_CHAIN)
		ray_chain_edge(ray, shape, child);
	else if (contains_local(shape, ray->o))
		take_inside(ray);
	else if (shape->type == D2_ELLIPSE)
		ray_ellipse(ray, shape);
	else if (shape->type == D2_HALF_PLANE)
		ray_half_plane(ray, shape);
	else
		ray_rounded(ray, shape);
}

/* Casts a ray of the world against a child, or D2_ALL. For a circle only its centre is rotated. */
static inline bool cast_ray(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, double ox, double oy,
	double tx, double ty, double max_fraction, struct d2_ray_hit_d *out)
{
	struct ray ray = {{ox - pose->x, oy - pose->y}, {tx, ty}, max_fraction, {0, 0}, child == D2_ALL ? 0 : child, false};
	bool turned = shape->type != D2_CIRCLE;
	if (turned) {
		ray.o = d2_inv_rotate_d(pose->q, ray.o);
		ray.d = d2_inv_rotate_d(pose->q, ray.d);
		ray_shape(&ray, shape, child);
	} else {
		ray_disc(&ray, d2_rotate_d(pose->q, d2_widen(shape->points[0])), shape->radius);
	}
	if (!ray.hit)
		return false;
	struct d2_vec_d normal = turned ? d2_rotate_d(pose->q, ray.normal) : ray.normal;
	*out = (struct d2_ray_hit_d){ray.reach, normal, ox + ray.reach * tx, oy + ray.reach * ty, ray.child};
	return true;
}

bool d2_shape_ray_d(const struct d2_shape *shape, const struct d2_pose *pose, double ox, double oy, double tx, double ty,
	struct d2_ray_hit_d *out)
{
	return cast_ray(shape, D2_ALL, pose, ox, oy, tx, ty, 1, out);
}

bool d2_shape_ray_child(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, double ox, double oy,
	double tx, double ty, double max_fraction, struct d2_ray_hit_d *out)
{
	assert(child == D2_ALL || child < d2_shape_child_count(shape));
	return cast_ray(shape, child, pose, ox, oy, tx, ty, max_fraction, out);
}

bool d2_shape_contains(const struct d2_shape *shape, const struct d2_pose *pose, double x, double y)
{
	return contains_local(shape, d2_inv_rotate_d(pose->q, (struct d2_vec_d){x - pose->x, y - pose->y}));
}

/* --- Overlaps ------------------------------------------------------------------------------------------------------------- */

/* The radius of a disc about the centroid that is within the shape in spite of rounding [length]; < 0: none. */
static inline double disc_within(const struct d2_shape *shape)
{
	return shape->type <= D2_ELLIPSE ? (double)shape->inner - 1e-6 * shape->reach : -1;
}

/* Whether discs within the shapes overlap: true of most shapes that do. */
static inline bool discs_overlap(
	const struct d2_shape *a, const struct d2_pose *pose_a, const struct d2_shape *b, const struct d2_pose *pose_b)
{
	double radius_a = disc_within(a), radius_b = disc_within(b), radius = radius_a + radius_b;
	struct d2_vec_d p = d2_rotate_d(pose_a->q, d2_widen(a->centroid)), q = d2_rotate_d(pose_b->q, d2_widen(b->centroid));
	double x = pose_b->x - pose_a->x + (q.x - p.x), y = pose_b->y - pose_a->y + (q.y - p.y);
	return radius_a >= 0 && radius_b >= 0 && x * x + y * y < radius * radius;
}

bool d2_shapes_overlap(const struct d2_shape *a, uint32_t child_a, const struct d2_pose *pose_a, const struct d2_shape *b,
	uint32_t child_b, const struct d2_pose *pose_b)
{
	if (discs_overlap(a, pose_a, b, pose_b))
		return true;
	struct d2_proxy proxy_a = d2_make_proxy(a, child_a), proxy_b = d2_make_proxy(b, child_b);
	bool deep = proxy_a.radius + proxy_b.radius == 0.0f;
	if (proxy_a.type == D2_PROXY_POINTS && proxy_b.type == D2_PROXY_POINTS) {
		/* the core with fewer points comes second, which is faster for circles */
		bool swap = proxy_a.count < proxy_b.count;
		struct d2_transform_d second_in_first = d2_pair_relative(swap ? pose_b : pose_a, swap ? pose_a : pose_b);
		return d2_core_separation_overlaps(swap ? &proxy_b : &proxy_a, swap ? &proxy_a : &proxy_b, &second_in_first, deep);
	}
	struct d2_transform b_in_a = d2_pose_relative(pose_a, pose_b);
	struct d2_gjk_result result;
	d2_gjk_distance(&proxy_a, &proxy_b, &b_in_a, &result);
	return result.distance <= 0;
}

/* Whether the box's corner deepest in the half-plane is in it: n . (corner - p) <= offset, with p the position of the pose. */
static bool half_plane_overlaps(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box)
{
	struct d2_vec_d n = d2_rotate_d(pose->q, d2_widen(shape->normal));
	double x = (n.x > 0 ? box->lower[0] : box->upper[0]) - pose->x;
	double y = (n.y > 0 ? box->lower[1] : box->upper[1]) - pose->y;
	return n.x * x + n.y * y <= (double)shape->offset;
}

/* Whether a disc within the shape overlaps the box: true of most shapes that do. */
static inline bool disc_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box)
{
	struct d2_vec_d c = d2_rotate_d(pose->q, d2_widen(shape->centroid));
	double x = max_d(box->lower[0] - pose->x - c.x, c.x - (box->upper[0] - pose->x));
	double y = max_d(box->lower[1] - pose->y - c.y, c.y - (box->upper[1] - pose->y)), radius = disc_within(shape);
	x = max_d(x, 0);
	y = max_d(y, 0);
	return radius > 0 && x * x + y * y < radius * radius;
}

/* Whether a child and the box overlap or touch. Tests only the part of the box within the child's AABB, so that its coordinates
 * round no more coarsely than the child's. */
static bool child_overlaps(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, const struct box_d *box)
{
	const struct d2_pose here = {0, 0, pose->q};
	struct box bounds = d2_shape_box(shape, child, &here, 0);
	const double from[2] = {pose->x, pose->y};
	float lower[2], upper[2];
	for (int i = 0; i < 2; ++i) {
		double low = max_d(box->lower[i] - from[i], (double)bounds.lower[i]);
		double high = min_d(box->upper[i] - from[i], (double)bounds.upper[i]);
		if (low > high)
			return false;
		lower[i] = (float)low;
		upper[i] = (float)high;
	}
	/* Coincident corners are merged. */
	struct d2_vec corners[4] = {{lower[0], lower[1]}};
	struct d2_proxy rest = {.type = D2_PROXY_POINTS, .points = corners, .count = 1};
	if (lower[0] < upper[0])
		corners[rest.count++] = (struct d2_vec){upper[0], lower[1]};
	if (lower[1] < upper[1]) {
		corners[rest.count++] = (struct d2_vec){upper[0], upper[1]};
		if (lower[0] < upper[0])
			corners[rest.count++] = (struct d2_vec){lower[0], upper[1]};
	}
	struct d2_proxy own = d2_make_proxy(shape, child);
	if (own.type == D2_PROXY_POINTS) {
		static const struct d2_vec normals[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
		bool swap = own.count < rest.count;
		struct d2_rot_d turn = {pose->q.c, swap ? pose->q.s : -pose->q.s};
		struct d2_transform_d second_in_first = {{0, 0}, turn};
		rest.normals = rest.count > 2 ? normals : NULL;
		return d2_core_separation_overlaps(swap ? &rest : &own, swap ? &own : &rest, &second_in_first, own.radius == 0.0f);
	}
	struct d2_transform box_in_shape = {{0, 0}, {pose->q.c, -pose->q.s}};
	struct d2_gjk_result result;
	d2_gjk_distance(&own, &rest, &box_in_shape, &result);
	return result.distance <= 0;
}

bool d2_child_overlaps_box(const struct d2_shape *shape, uint32_t child, const struct d2_pose *pose, const struct box_d *box)
{
	if (d2_shape_unbounded(shape))
		return half_plane_overlaps(shape, pose, box);
	return disc_overlaps_box(shape, pose, box) || child_overlaps(shape, child, pose, box);
}

bool d2_shape_overlaps_box(const struct d2_shape *shape, const struct d2_pose *pose, const struct box_d *box)
{
	for (uint32_t child = 0; child < d2_shape_child_count(shape); ++child)
		if (d2_child_overlaps_box(shape, child, pose, box))
			return true;
	return false;
}

/* The AABB of the grid. */
static struct box_d tiles_reach(const struct d2_shape *shape, const struct d2_pose *pose)
{
	struct d2_vec corners[4];
	struct box_d box = {{INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, 0}};
	d2_tiles_corners(shape, corners);
	for (int i = 0; i < 4; ++i) {
		struct d2_vec_d p = d2_rotate_d(pose->q, d2_widen(corners[i]));
		box.lower[0] = min_d(box.lower[0], pose->x + p.x);
		box.lower[1] = min_d(box.lower[1], pose->y + p.y);
		box.upper[0] = max_d(box.upper[0], pose->x + p.x);
		box.upper[1] = max_d(box.upper[1], pose->y + p.y);
	}
	return box;
}

struct box_d d2_shape_reach(const struct d2_shape *shape, const struct d2_pose *pose)
{
	if (shape->tiles)
		return tiles_reach(shape, pose);
	struct box box = d2_shape_box(shape, 0, pose, 0);
	for (uint32_t child = 1; child < d2_shape_child_count(shape); ++child) {
		struct box next = d2_shape_box(shape, child, pose, 0);
		box = box_union(&box, &next);
	}
	return (struct box_d){{box.lower[0], box.lower[1], 0}, {box.upper[0], box.upper[1], 0}};
}
