/* ccd_surface.c - bodies swept against meshes and height fields. See ccd.c. */
#include "d3/dynamics/ccd_parts.h"

#include <string.h>

/* Greatest number of triangles near a path that the first traversal keeps for the second. With more, the second one searches
 * the tree, too. */
enum { NEAR_TRIANGLES = 32 };

struct surface_query {
	struct sweep_query *query;
	const struct probe *probe;
	const struct d3_shape *surface;
	const struct d3_proxy *moving;
	float lower[3], upper[3]; /* AABB of the path, in the surface's frame */
	/* rotations and positions of the body at the start and the end of the path, in the surface's frame */
	struct d3_rot_d rotations[2];
	struct d3_vec_d positions[2];
	bool straight; /* the path is straight in the surface's frame */
	struct d3_vec_d from, to; /* the shape's centroid at the start and the end, in the surface's frame */
	double arc; /* largest deviation of the centroid's path from its chord [length] */
	double core; /* triangles are tested if the centroid approaches them by this, or to within this [length] */
	double turned; /* largest displacement of a point of the core by rotation [length] */
	bool any; /* all triangles near the path are visited, not only those that can stop the body */
	bool known; /* `triangles` is complete: the second traversal needs no tree */
	uint32_t triangles[NEAR_TRIANGLES], triangle_count;
	float near; /* least distance of a tested triangle [length] */
	float enough; /* the search for a nearer triangle ends at this distance [length] */
	/* the search for the nearest triangle at the start skips those farther than this; the sweep does not [length] */
	double far;
	struct d3_vec_d normal; /* of the triangle at `near`, towards the body */
};

typedef void triangle_visit(struct surface_query *query, const struct d3_proxy *triangle);

/* Normal of a triangle, as long as twice its area. */
static struct d3_vec_d triangle_normal(const struct d3_proxy *triangle)
{
	struct d3_vec_d a = d3_widen(triangle->own[0]), b = d3_widen(triangle->own[1]), c = d3_widen(triangle->own[2]);
	return d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a));
}

/* Whether the triangle can stop the shape. A one-sided triangle does not stop a shape that starts behind it and comes out. A
 * shape that slides along a triangle, or is pressed against it, is left to the contact solver.
 * Source: Catto's rule for chains, b2ContinuousQueryCallback in Box2D, 2025. */
static bool triangle_stops(const struct surface_query *query, const struct d3_proxy *triangle)
{
	struct d3_vec_d a = d3_widen(triangle->own[0]), normal = triangle_normal(triangle);
	double from = d3_dot_d(normal, d3_sub_d(query->from, a)), to = d3_dot_d(normal, d3_sub_d(query->to, a));
	double core = query->core * d3_length_d(normal), side = from < 0.0 ? -1.0 : 1.0;
	double arc = query->arc * d3_length_d(normal);
	if (query->surface->one_sided && !comes_through(from, to, arc, core))
		return false;
	return query->turned >= query->core || side * (from - to) >= core || side * to <= core ||
		(arc > 0.0 && min_d(side * from, side * to) - arc <= core);
}

/* Visits a leaf's triangles that can stop the shape, or all if `any`. */
static void leaf_walk(struct surface_query *query, uint32_t first, uint32_t count, triangle_visit *visit)
{
	struct d3_proxy triangle;
	for (uint32_t i = first; i < first + count; ++i) {
		d3_make_proxy(query->surface, i, &triangle);
		if (!query->any && !triangle_stops(query, &triangle))
			continue;
		visit(query, &triangle);
		if (query->triangle_count < NEAR_TRIANGLES)
			query->triangles[query->triangle_count] = i;
		++query->triangle_count;
	}
}

/* Visits the triangles of a mesh near the path. Tests four nodes at a time. */
static void mesh_walk(struct surface_query *query, triangle_visit *visit)
{
	const struct d3_mesh *mesh = query->surface->mesh;
	uint32_t stack[D3_NODE_STACK], depth = 0;
	float4 lower[3], upper[3];
	stack[depth++] = 0;
	while (depth > 0) {
		const struct d3_node4 *nodes = &mesh->nodes[stack[--depth] / 4];
		int4 links, out;
		memcpy(&links, nodes->links, sizeof links);
		d3_mesh_read_four(mesh, nodes, lower, upper);
		out = links == 0;
		for (int k = 0; k < 3; ++k)
			out |= (lower[k] > float4_of(query->upper[k])) | (upper[k] < float4_of(query->lower[k]));
		for (uint32_t in = 15u & ~float4_bits(out); in; in &= in - 1) {
			uint32_t link = nodes->links[__builtin_ctz(in)];
			if (d3_link_is_leaf(link))
				leaf_walk(query, link >> 4, d3_link_count(link), visit);
			else
				stack[depth++] = link >> 4;
		}
	}
}

static bool node_near(const struct surface_query *query, const struct d3_node *node)
{
	return node->lower.x <= query->upper[0] && node->upper.x >= query->lower[0] && node->lower.y <= query->upper[1] &&
		node->upper.y >= query->lower[1] && node->lower.z <= query->upper[2] && node->upper.z >= query->lower[2];
}

static void field_walk(struct surface_query *query, triangle_visit *visit)
{
	uint32_t stack[D3_NODE_STACK], depth = 0;
	stack[depth++] = 0;
	while (depth > 0) {
		struct d3_node node;
		d3_shape_node(query->surface, stack[--depth], &node);
		if (!node_near(query, &node))
			continue;
		if (node.leaf)
			leaf_walk(query, node.first, node.count, visit);
		for (uint32_t i = node.leaf ? 0 : node.count; i-- > 0;)
			stack[depth++] = node.first + i;
	}
}

static void triangles_walk(struct surface_query *query, triangle_visit *visit)
{
	struct d3_proxy triangle;
	for (uint32_t i = 0; query->known && i < query->triangle_count; ++i) {
		d3_make_proxy(query->surface, query->triangles[i], &triangle);
		visit(query, &triangle);
	}
	if (query->known)
		return;
	query->triangle_count = 0;
	if (query->surface->mesh != NULL)
		mesh_walk(query, visit);
	else
		field_walk(query, visit);
	query->known = query->triangle_count <= NEAR_TRIANGLES;
}

/* Distance of the shape from the triangle's plane along `normal`, at the start or the end: a lower bound on its distance from
 * the triangle. */
static double plane_separation(
	const struct surface_query *query, const struct d3_proxy *triangle, struct d3_vec_d normal, int end)
{
	const struct d3_rot_d *q = &query->rotations[end];
	struct d3_vec_d down = d3_neg_d(d3_inv_turn_d(q, normal));
	double height = d3_dot_d(normal, d3_sub_d(query->positions[end], d3_widen(triangle->own[0])));
	return height - d3_core_reach(query->moving, &down) - query->moving->radius;
}

/* Unit normal of the triangle, to the side on which the shape starts. */
static struct d3_vec_d plane_side(const struct surface_query *query, const struct d3_proxy *triangle)
{
	struct d3_vec_d normal = triangle_normal(triangle);
	double length = d3_length_d(normal);
	double side = d3_dot_d(normal, d3_sub_d(query->from, d3_widen(triangle->own[0]))) < 0.0 ? -1.0 : 1.0;
	return d3_scale_d(length > 0.0 ? side / length : 0.0, normal);
}

/* Whether the shape, on a straight path, stays on its side of the triangle's plane and farther from it than the separation to
 * keep. Always false for a bent path. */
static bool triangle_passed(const struct surface_query *query, const struct d3_proxy *triangle)
{
	const struct sweep_query *sweep = query->query;
	struct d3_vec_d normal = plane_side(query, triangle);
	double free = (double)(sweep->target + sweep->tolerance + query->probe->bulge);
	return query->straight && plane_separation(query, triangle, normal, 0) > free &&
		plane_separation(query, triangle, normal, 1) > free;
}

static void triangle_near(struct surface_query *query, const struct d3_proxy *triangle)
{
	if (query->near <= query->enough ||
		plane_separation(query, triangle, plane_side(query, triangle), 0) > min_d((double)query->near, query->far))
		return;
	struct d3_pose pose = d3_sweep_pose(&query->probe->obstacle, 0.0f), start = d3_sweep_pose(query->probe->seen, 0.0f);
	struct d3_vec_d normal;
	float distance = (float)d3_poses_separation(triangle, &pose, query->moving, &start, &normal);
	if (distance < query->near) {
		query->near = distance;
		query->normal = normal;
	}
}

static void triangle_sweep(struct surface_query *query, const struct d3_proxy *triangle)
{
	if (triangle_passed(query, triangle))
		return;
	struct d3_vec_d front = triangle_normal(triangle), from = d3_sub_d(query->from, d3_widen(triangle->own[0]));
	query->query->front = d3_ccd_vec3(front);
	query->query->behind = query->surface->one_sided && d3_dot_d(front, from) <= 0.0;
	d3_ccd_sweep_convex(query->query, triangle, query->moving);
}

/* Computes the body's poses at both ends, and the path's AABB, in the surface's frame. */
static void path_bounds(struct surface_query *query)
{
	const struct sweep_query *sweep = query->query;
	const struct probe *probe = query->probe;
	const struct d3_shape *shape = probe->shape;
	struct d3_pose frame = d3_sweep_pose(&probe->obstacle, 0.0f);
	struct d3_rot_d home = d3_exact_rot(frame.q);
	for (int end = 0; end < 2; ++end) {
		float t = end ? sweep->t : 0.0f;
		if (end && sweep->path_moves) {
			frame = d3_sweep_pose(&probe->obstacle, t);
			home = d3_exact_rot(frame.q);
		}
		struct d3_pose pose = d3_ccd_seen_pose(probe, t);
		struct d3_vec_d p = d3_inv_turn_d(&home, (struct d3_vec_d){pose.x - frame.x, pose.y - frame.y, pose.z - frame.z});
		struct d3_pose relative = {p.x, p.y, p.z, d3_inv_mul_quat(frame.q, pose.q)};
		query->rotations[end] = d3_exact_rot(relative.q);
		query->positions[end] = p;
		struct box box = d3_shape_box(shape, &relative, 2.0f * sweep->target + probe->bulge + (float)sweep->arc);
		*(end ? &query->to : &query->from) = d3_add_d(p, d3_turn_d(&query->rotations[end], d3_widen(shape->centroid)));
		for (int k = 0; k < 3; ++k) {
			query->lower[k] = end ? min_f(query->lower[k], box.lower[k]) : box.lower[k];
			query->upper[k] = end ? max_f(query->upper[k], box.upper[k]) : box.upper[k];
		}
	}
	query->arc = d3_ccd_middle_arc(sweep);
	query->straight = sweep->arc == 0.0 && d3_length(probe->obstacle.turn) == 0.0f;
}

static struct surface_query make_query(struct sweep_query *query, const struct d3_shape *surface)
{
	const struct probe *probe = query->probe;
	return (struct surface_query){.query = query, .probe = probe, .surface = surface, .moving = probe->whole, .near = INFINITY};
}

void d3_ccd_sweep_surface(struct sweep_query *query, const struct d3_shape *surface)
{
	struct probe *probe = query->probe;
	struct surface_query of = make_query(query, surface);
	of.enough = query->target;
	of.far = (double)query->target;
	of.core = (double)max_f(query->target, CORE_FRACTION * probe->shape->inner);
	struct core core;
	path_bounds(&of);
	if (!query->jointed)
		triangles_walk(&of, triangle_near);
	if (of.known && of.triangle_count == 0)
		return;
	d3_make_motion(&probe->obstacle, probe->seen, &probe->motion);
	if (of.near <= query->target || query->jointed) {
		d3_ccd_make_half(query, &core);
		of.moving = &core.proxy;
		of.turned = core.proxy.reach * (double)d3_length(probe->seen->turn);
		of.known = of.known && of.turned < of.core;
	}
	triangles_walk(&of, triangle_sweep);
}

float d3_ccd_surface_distance(struct sweep_query *query, const struct d3_shape *surface, struct d3_vec_d *normal)
{
	struct surface_query of = make_query(query, surface);
	of.any = true;
	of.enough = -INFINITY;
	of.far = INFINITY;
	path_bounds(&of);
	triangles_walk(&of, triangle_near);
	*normal = of.normal;
	return of.near;
}
