/* ray_cast.c - ray casts and point containment. See ray_cast.h.
 * The ray is transformed to the shape's frame and parametrized by length, in doubles: it may be a million times longer than the
 * shape. */
#include "base/cache.h"
#include "d3/query/ray_cast_parts.h"
#include "d3/shape/voxels.h"

#include <assert.h>

double d3_path_length(struct d3_vec_d delta)
{
	double most = max_d(max_d(abs_d(delta.x), abs_d(delta.y)), abs_d(delta.z));
	if (most > 1e-100 && most < 1e100)
		return d3_length_d(delta);
	if (!(most > 1e-150))
		return 0;
	return most * d3_length_d((struct d3_vec_d){delta.x / most, delta.y / most, delta.z / most});
}

struct d3_vec_d d3_ray_at(const struct d3_ray *ray, double s)
{
	return d3_mul_add_d(ray->o, s, ray->u);
}

bool d3_ray_take(struct d3_ray *ray, double s, struct d3_vec_d normal)
{
	if (!(s >= 0 && (ray->hit ? s < ray->reach : s <= ray->reach)))
		return false;
	ray->reach = s;
	ray->normal = normal;
	ray->hit = true;
	return true;
}

bool d3_ray_take_round(struct d3_ray *ray, double s, struct d3_vec_d normal, double size)
{
	return d3_ray_take(ray, s < 0 && s > -1e-14 * size ? 0 : s, normal);
}

/* --- Balls, tubes and faces ----------------------------------------------------------------------------------------------- */

void d3_ray_ball(struct d3_ray *ray, struct d3_vec_d center, double radius)
{
	struct d3_vec_d m = d3_sub_d(ray->o, center), cross = d3_cross_d(m, ray->u);
	double under = radius * radius - d3_dot_d(cross, cross);
	if (!(under >= 0))
		return;
	double s = -d3_dot_d(m, ray->u) - sqrt(under);
	d3_ray_take_round(ray, s, d3_scale_d(1 / radius, d3_mul_add_d(m, s, ray->u)), radius);
}

void d3_ray_tube(struct d3_ray *ray, struct d3_vec_d p, struct d3_vec_d q, double radius)
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
		d3_ray_take_round(ray, s, d3_scale_d(1 / radius, d3_mul_add_d(from, -along, axis)), radius);
}

uint32_t d3_ray_outer_edge(const struct d3_hull *hull, uint32_t face, struct d3_vec_d x)
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

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

/* A shear that maps the ray to the z axis from 0 on. Axis kz, that of the direction's greatest component, becomes z. */
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

/* Casts the ray against a triangle. No ray passes between triangles that share an edge or a corner: shared corners shear to the
 * same numbers, and a difference of two rounded products never has the wrong sign. Zero counts as inside. A triangle seen
 * edge-on is missed.
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
	if (d3_ray_take(ray, s, (struct d3_vec_d){0, 0, 0}))
		ray->child = child;
}

/* The triangle's normal, as long as twice its area. */
static struct d3_vec_d triangle_area_normal(const struct d3_vec p[3])
{
	return d3_cross_d(d3_sub_d(d3_widen(p[1]), d3_widen(p[0])), d3_sub_d(d3_widen(p[2]), d3_widen(p[0])));
}

bool d3_child_left(const struct d3_shape *shape, uint32_t child, struct d3_vec_d delta, double doubt)
{
	struct d3_vec p[3];
	if (!shape->one_sided || (delta.x == 0 && delta.y == 0 && delta.z == 0))
		return false;
	d3_shape_triangle(shape, child, p);
	struct d3_vec_d n = triangle_area_normal(p);
	return d3_dot_d(n, delta) >= (doubt > 0 ? doubt * d3_length_d(n) : 0);
}

/* Sets the normal to the hit triangle's, on the side that faces the ray. */
static void triangle_normal(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct d3_vec p[3];
	d3_shape_triangle(shape, ray->child, p);
	struct d3_vec_d n = triangle_area_normal(p);
	double length = d3_length_d(n);
	ray->normal = length > 0 ? d3_scale_d((d3_dot_d(n, ray->u) > 0 ? -1 : 1) / length, n) : d3_neg_d(ray->u);
}

/* --- Four boxes of a mesh's tree ------------------------------------------------------------------------------------------ */

/* A ray o + s u for conservative tests against four boxes in floats. With m a margin, and l and h the sides of a box along an
 * axis, the ray is between them for s from (l - m - o)/u to (h + m - o)/u, or in reverse where u < 0: the bounds are (l - (o +
 * m))/u and (h - (o - m))/u. o is where the ray enters the root, so all lengths are of the order of the mesh's size L. Rounding
 * moves a side by less than 5/2^23 L; the margin is at least L/2^20. A direction component below 1e-9 is replaced by 1e-9,
 * which displaces the ray by 4e-9 L within the mesh. */
struct ray_lanes {
	float4 below[3], above[3], inverse[3]; /* o + m, o - m, 1/u by axis */
};

/* start: parameter at which the ray enters the root; margin: as above, and at least the rounding error of o in doubles. */
static inline void make_lanes(struct ray_lanes *lanes, const struct d3_ray *ray, double start, double margin)
{
	struct d3_vec_d o = d3_ray_at(ray, start);
	const double from[3] = {o.x, o.y, o.z}, delta[3] = {ray->u.x, ray->u.y, ray->u.z};
	for (int axis = 0; axis < 3; ++axis) {
		double along = abs_d(delta[axis]) > 1e-9 ? delta[axis] : delta[axis] < 0 ? -1e-9 : 1e-9;
		lanes->below[axis] = float4_of((float)(from[axis] + margin));
		lanes->above[axis] = float4_of((float)(from[axis] - margin));
		lanes->inverse[axis] = float4_of((float)(1 / along));
	}
}

/* Returns a mask of those of the four nodes that the ray enters by `limit`; *enter: the parameters at which it does, at least
 * 0. Parameters count from the ray's entry into the root. */
static inline uint32_t enter_four(
	const struct d3_mesh *mesh, const struct d3_node4 *nodes, const struct ray_lanes *lanes, float limit, float4 *enter)
{
	float4 lower[3], upper[3], least[3], most[3];
	int4 links;
	d3_mesh_read_four(mesh, nodes, lower, upper);
	for (int axis = 0; axis < 3; ++axis) {
		float4 a = (lower[axis] - lanes->below[axis]) * lanes->inverse[axis];
		float4 b = (upper[axis] - lanes->above[axis]) * lanes->inverse[axis];
		least[axis] = float4_least(a, b);
		most[axis] = float4_most(a, b);
	}
	memcpy(&links, nodes->links, sizeof links);
	float4 leave = float4_least(float4_least(most[0], most[1]), most[2]);
	*enter = float4_most(float4_most(least[0], least[1]), float4_most(least[2], float4_of(0)));
	return float4_bits((*enter <= leave) & (*enter <= float4_of(limit)) & (links != 0));
}

/* --- Children ------------------------------------------------------------------------------------------------------------- */

/* Writes the interval in which the ray's line is inside the node's AABB, widened by margin. Returns whether the ray enters the
 * widened AABB within its reach; conservative if the margin is at least some 1e-15 of all coordinates. */
static bool ray_node(const struct d3_ray *ray, const struct d3_node *node, double margin, double interval[2])
{
	const double from[3] = {ray->o.x, ray->o.y, ray->o.z}, delta[3] = {ray->u.x, ray->u.y, ray->u.z};
	const double lower[3] = {node->lower.x, node->lower.y, node->lower.z};
	const double upper[3] = {node->upper.x, node->upper.y, node->upper.z};
	double enter = -INFINITY, leave = INFINITY;
	for (int i = 0; i < 3; ++i) {
		double below = lower[i] - margin - from[i], above = upper[i] + margin - from[i];
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
	return enter <= leave && leave >= 0 && enter <= ray->reach;
}

static void ray_convex(struct d3_ray *ray, const struct d3_shape *shape);

static void ray_compound_leaf(struct d3_ray *ray, const struct d3_shape *shape, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; ++i) {
		double before = ray->reach;
		bool was = ray->hit;
		ray_convex(ray, shape->compound->children[i].shape);
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
		if (!shape->one_sided || d3_dot_d(triangle_area_normal(points), ray->u) < 0)
			ray_triangle(ray, shear, points, i);
	}
}

static double greatest_side(const struct d3_node *node)
{
	struct d3_vec l = node->lower, u = node->upper;
	return max_f(max_f(max_f(abs_f(l.x), abs_f(l.y)), abs_f(l.z)), max_f(max_f(abs_f(u.x), abs_f(u.y)), abs_f(u.z)));
}

/* A node still to visit; on the stack near ones are on top. */
struct waiting {
	struct d3_node node;
	double enter;
};

/* The same for a mesh's node, by its link. */
struct waiting_link {
	uint32_t link;
	float enter;
};

/* Adds the links of the four nodes that are `inside` to the stack, the nearest last. */
static uint32_t push_links(const struct d3_mesh *mesh, const struct d3_node4 *four, uint32_t inside, float4 enter,
	struct waiting_link *stack, uint32_t count)
{
	uint32_t bottom = count;
	for (; inside; inside &= inside - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(inside), at = count++, link = four->links[lane];
		if (d3_link_is_leaf(link))
			cache_prefetch(&mesh->records[link >> 4], sizeof *mesh->records);
		else
			cache_prefetch(&mesh->nodes[(link >> 4) / 4], sizeof *mesh->nodes);
		for (; at > bottom && stack[at - 1].enter < enter[lane]; --at)
			stack[at] = stack[at - 1];
		stack[at] = (struct waiting_link){link, enter[lane]};
	}
	return count;
}

/* Casts the ray against a mesh, near nodes first; skips nodes that the ray enters beyond the nearest hit so far. The ray enters
 * the root at `start`. */
static void ray_mesh(struct d3_ray *ray, const struct d3_shape *shape, double start, double margin)
{
	const struct d3_node4 *nodes = shape->mesh->nodes;
	struct waiting_link stack[D3_NODE_STACK] = {{nodes[0].links[0], 0}};
	struct shear shear = make_shear(ray);
	struct ray_lanes lanes;
	make_lanes(&lanes, ray, start, margin);
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
		const struct d3_node4 *four = &nodes[(top.link >> 4) / 4];
		uint32_t inside = enter_four(shape->mesh, four, &lanes, limit, &enter);
		assert(count + 4 <= D3_NODE_STACK);
		count = push_links(shape->mesh, four, inside, enter, stack, count);
	}
}

/* Casts the ray against a shape with children, near nodes first. */
static void ray_children(struct d3_ray *ray, const struct d3_shape *shape)
{
	struct waiting stack[D3_NODE_STACK];
	uint32_t count = 1;
	double interval[2];
	d3_shape_node(shape, 0, &stack[0].node);
	/* The margin exceeds the rounding errors of ray and shape, so that no AABB that contains a hit is missed. */
	double side = greatest_side(&stack[0].node);
	double margin = max_d(max_d(max_d(abs_d(ray->o.x), abs_d(ray->o.y)), abs_d(ray->o.z)), side) * 0x1p-46;
	if (!ray_node(ray, &stack[0].node, margin, interval))
		return;
	if (shape->mesh) {
		ray_mesh(ray, shape, max_d(interval[0], 0), max_d(side * 0x1p-20, margin));
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
			if (!ray_node(ray, &next.node, margin, interval))
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

/* Casts the ray against a convex shape. A ray that starts inside hits at s = 0. */
static void ray_convex(struct d3_ray *ray, const struct d3_shape *shape)
{
	if (shape->type == D3_BOX || shape->type == D3_HULL) {
		d3_ray_hull(ray, shape);
		return;
	}
	if (d3_ray_contains(shape, ray->o)) {
		d3_ray_take(ray, 0, d3_neg_d(ray->u));
		return;
	}
	switch (shape->type) {
	case D3_SPHERE:
	case D3_CAPSULE: d3_ray_widened(ray, shape->points, shape->count, NULL, shape->radius); break;
	case D3_CYLINDER: d3_ray_cylinder(ray, shape); break;
	case D3_CONE: d3_ray_cone(ray, shape); break;
	case D3_ELLIPSOID: d3_ray_ellipsoid(ray, shape); break;
	case D3_TAPERED_CAPSULE: d3_ray_tapered(ray, shape); break;
	case D3_HALF_SPACE: d3_ray_half_space(ray, shape); break;
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
	case D3_VOXELS:
	case D3_COMPOUND:
	case D3_SHAPE_TYPES: break;
	}
}

/* Casts the ray against a sphere about its body's origin. A rotation has no effect, so all is done along the world's axes. m:
 * the ray's start relative to the centre. */
static bool ray_sphere(const struct d3_shape *shape, struct d3_vec_d m, struct d3_vec_d origin, struct d3_vec_d translation,
	double length, struct d3_ray_hit_d *out)
{
	struct d3_ray ray = {
		.o = m, .u = {translation.x / length, translation.y / length, translation.z / length}, .reach = length};
	double radius = shape->radius;
	if (d3_dot_d(m, m) <= radius * radius)
		d3_ray_take(&ray, 0, d3_neg_d(ray.u));
	else
		d3_ray_ball(&ray, (struct d3_vec_d){0, 0, 0}, radius);
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
	double length = d3_path_length(translation);
	if (centred && shape->type == D3_SPHERE && length > 0)
		return ray_sphere(shape, from, origin, translation, length, out);
	struct d3_rot_d q = d3_exact_rot(pose->q);
	if (!centred && shape->reach < INFINITY &&
		d3_ball_missed(d3_sub_d(from, d3_turn_d(&q, shape->middle)), translation, shape->reach))
		return false;
	struct d3_ray ray = {.o = d3_inv_turn_d(&q, from), .reach = length};
	if (length == 0) {
		if (!d3_ray_contains(shape, ray.o))
			return false;
		*out = (struct d3_ray_hit_d){.p = origin};
		while (shape->compound && !d3_ray_contains(shape->compound->children[out->child].shape, ray.o))
			++out->child;
		return true;
	}
	struct d3_vec_d u = {translation.x / length, translation.y / length, translation.z / length};
	ray.u = d3_inv_turn_d(&q, u);
	if (d3_shape_convex(shape)) {
		ray_convex(&ray, shape);
	} else if (shape->voxels && d3_ray_contains(shape, ray.o)) {
		d3_ray_take(&ray, 0, d3_neg_d(ray.u));
		ray.child = D3_NO_TRIANGLE;
	} else {
		ray_children(&ray, shape);
	}
	if (!ray.hit)
		return false;
	if (shape->type == D3_TRIANGLE || (d3_shape_surface(shape) && ray.child != D3_NO_TRIANGLE))
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

/* Whether x is inside the hull, or no farther than the radius from a face that it projects into or from an edge. */
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
		if (d3_dot_d(hull->planes[i].normal, x) > hull->planes[i].offset && d3_ray_outer_edge(hull, i, x) == NO_EDGE)
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
			else if (d3_ray_contains(shape->compound->children[i].shape, x))
				return true;
		}
	}
	return false;
}

bool d3_ray_contains(const struct d3_shape *shape, struct d3_vec_d x)
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
	case D3_TAPERED_CAPSULE: return d3_ray_tapered_contains(shape, p);
	case D3_HALF_SPACE: return d3_dot_d(shape->normal, x) <= shape->offset;
	case D3_VOXELS: return !shape->one_sided && d3_voxels_contain(shape, x); /* sensors are solid */
	case D3_COMPOUND: return compound_contains(shape, x);
	default: return false;
	}
}

bool d3_shape_contains(const struct d3_shape *shape, const struct d3_pose *pose, struct d3_vec_d point)
{
	struct d3_rot_d q = d3_exact_rot(pose->q);
	struct d3_vec_d from = {point.x - pose->x, point.y - pose->y, point.z - pose->z};
	return d3_ray_contains(shape, d3_inv_turn_d(&q, from));
}
