/* mesh_triangle.c - one triangle of a mesh or height field against a convex shape. See mesh.c.
 * Pure, any thread. */
#include "d3/manifold/mesh.h"

/* A shape whose centre is behind a one-sided surface by up to this fraction of its inner extent, and at most the speculative
 * margin, is still pushed out to the front. */
static const float behind_tolerance = 0.25f;

/* --- One triangle --------------------------------------------------------------------------------------------------------- */

/* Whether a neighbour beyond a convex edge has a greater separation, and so has the contact: a body that leans against the side
 * of a ledge, as high as its top, must not be pushed up. */
static bool neighbor_has_it(const struct gathering *g, const struct tile *tile, float separation)
{
	for (int k = 0; k < 3; ++k) {
		struct d3_vec n;
		if (!(tile->edges[D3_EDGE_CONVEX] >> k & 1) || !d3_mesh_neighbor_normal(g, tile, k, &n))
			continue;
		if (d3_mesh_lowest(g, n) - d3_dot(n, tile->corners[k]) > separation + d3_indifference(g->speculative))
			return true;
	}
	return false;
}

/* Returns a bit for each edge at which the surface bends away or ends. */
static uint32_t outer_edges(const struct tile *tile)
{
	return tile->edges[D3_EDGE_CONVEX] | tile->edges[D3_EDGE_BOUNDARY];
}

/* The point of the triangle closest to p. *beyond: a bit for each edge on whose outer side p lies; for the edges in
 * `slack_edges` only if p is farther out than `slack` [length]. *edge: the closest edge in *beyond. If there is none, *edge is
 * unchanged, and the result is p's projection onto the plane.
 * Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.5, for the regions. */
static struct d3_vec nearest_of_tile(
	const struct tile *tile, struct d3_vec p, uint32_t slack_edges, float slack, uint32_t *beyond, int *edge)
{
	struct d3_vec nearest = p;
	float least = INFINITY;
	*beyond = 0;
	for (int k = 0; k < 3; ++k) {
		struct d3_vec from = d3_sub(p, tile->corners[k]), delta = tile->paths[k];
		float square = d3_dot(delta, delta), margin = slack_edges >> k & 1 ? slack * sqrtf(square) : 0;
		if (!(d3_dot(from, d3_cross(delta, tile->normal)) > margin))
			continue;
		*beyond |= 1u << k;
		struct d3_vec on_edge = d3_mul_add(tile->corners[k], clamp_f(d3_dot(from, delta) / square, 0, 1), delta);
		struct d3_vec between = d3_sub(p, on_edge);
		if (d3_dot(between, between) < least) {
			least = d3_dot(between, between);
			nearest = on_edge;
			*edge = k;
		}
	}
	return *beyond ? nearest : d3_mul_add(p, -d3_dot(tile->normal, d3_sub(p, tile->corners[0])), tile->normal);
}

static void touch_sphere(struct gathering *g, const struct tile *tile)
{
	struct d3_vec center = d3_frame_point(&g->frame, d3_proxy_points(&g->proxy)[0]);
	float height = d3_dot(tile->normal, d3_sub(center, tile->corners[0]));
	uint32_t inner = 7 & ~outer_edges(tile), beyond, leant;
	int edge = 0;
	struct d3_vec nearest = nearest_of_tile(tile, center, inner, d3_indifference(g->speculative), &beyond, &edge);
	if (beyond == 0) {
		struct d3_candidate_point point = {
			d3_mul_add(center, -0.5f * (height + g->radius), tile->normal), height - g->radius, 0};
		if (!tile->behind)
			d3_gather(g, tile->child, tile->normal, &point);
		return;
	}
	if (beyond & inner)
		return;
	struct d3_local_manifold m = {.count = 0};
	d3_collide_points(nearest, 0, center, g->radius, tile->normal, g->speculative, &m);
	if (m.count == 0 || d3_mesh_judge(g, tile, m.normal, &leant) == SKIP)
		return;
	struct d3_candidate_point point = {
		m.points[0].point, m.points[0].separation, d3_gather_name(tile->points[edge], tile->points[edge], 0)};
	d3_gather(g, tile->child, m.normal, &point);
}

/* Sets the triangle as seen from the front or the back. From the back, the corners are 0, 2, 1 and the edges 2, 1, 0. */
static void set_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back)
{
	tile->back = back;
	tile->inner = 0;
	memset(tile->edges, 0, sizeof tile->edges);
	tile->gentle = d3_triangle_gentle(t, 0) && d3_triangle_gentle(t, 1) && d3_triangle_gentle(t, 2);
	for (int k = 0; k < 3; ++k) {
		int corner = back && k > 0 ? 3 - k : k, edge = back ? 2 - k : k;
		tile->corners[k] = t->corners[corner];
		tile->points[k] = t->points[corner];
		tile->neighbors[k] = t->neighbors[edge];
		enum d3_edge kind = d3_triangle_edge(t, edge, back);
		tile->edges[kind] |= 1u << k;
		bool on = kind == D3_EDGE_FLAT || (kind == D3_EDGE_CONCAVE && d3_triangle_gentle(t, edge));
		tile->inner |= (uint32_t)(on && tile->neighbors[k] != D3_NO_TRIANGLE) << k;
	}
	for (int k = 0; k < 3; ++k)
		tile->paths[k] = d3_sub(tile->corners[k < 2 ? k + 1 : 0], tile->corners[k]);
}

static void turn_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back)
{
	set_tile(tile, t, back);
	tile->normal = d3_normalize(d3_cross(tile->paths[0], tile->paths[1]));
}

/* Whether b touches the back of this triangle of a two-sided surface, by the contact normal n: n points to the back, and
 * d3_mesh_judge admits it there. For a shallow contact at a boundary or convex edge this is more reliable than the side of b's
 * centre. *other: the triangle as seen from the back. */
static bool is_other_side(const struct gathering *g, const struct tile *tile, struct d3_vec n, struct tile *other)
{
	struct d3_mesh_triangle t;
	uint32_t leant;
	if (g->mesh->one_sided || d3_dot(n, tile->normal) > -lean_sine || d3_dot(n, tile->normal) < -1 + lean_sine)
		return false;
	d3_shape_neighborhood(g->mesh, tile->child, &t);
	*other = *tile;
	turn_tile(other, &t, !tile->back);
	return d3_mesh_judge(g, other, n, &leant) == ADMIT;
}

/* Takes a contact that is not with the triangle's face. If is_other_side, the triangle is seen from there. By d3_mesh_judge the
 * contact is gathered (ADMIT), replaced by points of the face along the triangle's normal, unless b's centre is behind (SNAP),
 * or dropped (SKIP). An overlap that is dropped, or beside an edge at which the surface ends, is offered to g->resort. */
static void touch_edge(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m)
{
	float least = d3_manifold_separation(m);
	uint32_t leant;
	struct tile other;
	if (least > -g->speculative && is_other_side(g, tile, m->normal, &other))
		tile = &other;
	enum verdict verdict = d3_mesh_judge(g, tile, m->normal, &leant);
	/* A separated point behind the triangle, over a concave edge, belongs to another triangle. Over a flat edge it may not,
	 * since a thin shape may have sunk in there. */
	if (least >= 0 && d3_dot(m->normal, tile->normal) < -lean_sine && (tile->edges[D3_EDGE_CONCAVE] & leant))
		return;
	/* b may be deep beside an edge at which the surface ends, with no part over the triangle. */
	bool past_edge = verdict == SNAP && leant == 0 && !g->mesh->one_sided;
	if ((verdict == SKIP || past_edge) && least < 0) {
		/* A one-sided surface does not push b out of its back. */
		bool back = g->mesh->one_sided && d3_dot(m->normal, tile->normal) < 0;
		struct d3_candidate_point point = {m->points[0].point, back ? tile->own : m->points[0].separation,
			d3_gather_name(d3_child_number(g, tile->child), 0, 0)};
		d3_group_keep_inner(&g->resort, tile->child, back ? tile->normal : m->normal, &point);
	}
	if (verdict == SKIP || neighbor_has_it(g, tile, least))
		return;
	if (verdict == ADMIT)
		d3_mesh_gather_manifold(g, tile, m);
	else if (!tile->behind)
		d3_mesh_touch_face(g, tile, leant, leant ? least - 2 * d3_indifference(g->speculative) : -INFINITY);
}

/* The lowest point of b along n. */
static struct d3_vec lowest_point(const struct gathering *g, struct d3_vec n)
{
	struct d3_vec back = d3_neg(d3_turn(&g->back.q, n));
	float reach;
	struct d3_vec p = g->proxy.hull ? g->solid.points[d3_polytope_support(&g->solid, back, &reach)]
									: d3_narrow(d3_core_support(&g->proxy, d3_widen(back)));
	return d3_mul_add(d3_frame_point(&g->frame, p), -g->radius, n);
}

/* Whether one of two directions separates b by more than the speculative margin: from the triangle's closest point to b's
 * centre, or to b's lowest point along that direction. This rejects most triangles around the one in contact. */
static bool is_apart(const struct gathering *g, const struct tile *tile)
{
	struct d3_vec p = g->center;
	uint32_t beyond;
	int edge;
	for (int i = 0; i < 2; ++i) {
		struct d3_vec from = nearest_of_tile(tile, p, 0, 0, &beyond, &edge), delta = d3_sub(p, from);
		float length = d3_length(delta);
		if (!(length > 0))
			return false;
		struct d3_vec n = d3_scale(1 / length, delta);
		p = lowest_point(g, n);
		float most = max_f(d3_dot(n, tile->corners[0]), max_f(d3_dot(n, tile->corners[1]), d3_dot(n, tile->corners[2])));
		if (d3_dot(n, p) - most > g->speculative)
			return true;
	}
	return false;
}

/* Whether p is beyond an edge of the triangle, and only beyond concave edges which b's centre is not beyond: if such a p is
 * below the triangle, it is also below the neighbours there. */
static bool is_beyond_hollow(const struct gathering *g, const struct tile *tile, struct d3_vec p)
{
	bool beyond = false;
	for (int k = 0; k < 3; ++k) {
		struct d3_vec out = d3_cross(tile->paths[k], tile->normal);
		if (!(d3_dot(out, d3_sub(p, tile->corners[k])) > 0))
			continue;
		if (!(tile->edges[D3_EDGE_CONCAVE] >> k & 1) || d3_dot(out, d3_sub(g->center, tile->corners[k])) > 0)
			return false;
		beyond = true;
	}
	return beyond;
}

/* If b has sunk so deep into a concave corner of the surface that its lowest point is below all triangles there, but over none,
 * each triangle still gets a contact that pushes b out. */
static void gather_sunk(struct gathering *g, const struct tile *tile)
{
	struct d3_vec p = lowest_point(g, tile->normal);
	if (!is_beyond_hollow(g, tile, p))
		return;
	struct d3_candidate_point point = {
		d3_mul_add(p, -0.5f * tile->own, tile->normal), tile->own, d3_child_name(g, tile->child)};
	d3_gather(g, tile->child, tile->normal, &point);
}

/* Collides b with the triangle by their exact signed distance: see convex.c. */
static void touch_convex(struct gathering *g, const struct tile *tile)
{
	struct d3_proxy triangle = {
		.type = D3_PROXY_POINTS, .count = 3, .own = {tile->corners[0], tile->corners[1], tile->corners[2]}};
	struct d3_manifold_cache cache = {.features = 0};
	struct d3_local_manifold m;
	d3_collide_convex(&triangle, &g->proxy, &g->b_in_a, g->speculative, &cache, &m);
	if (m.count == 0)
		return;
	/* The contact is with the face if its distance is the separation along the normal and a point over the triangle has it;
	 * otherwise it is with an edge or a corner. */
	float least = d3_manifold_separation(&m), slack = d3_indifference(g->speculative);
	if (tile->own < least - slack || tile->behind || d3_mesh_touch_face(g, tile, 0, -INFINITY) > least + slack)
		touch_edge(g, tile, &m);
	if (tile->own < -g->speculative && !tile->behind)
		gather_sunk(g, tile);
}

/* The arrays of a triangle as a polytope of no thickness: its front is face 0, its back face 1, and edge k is half-edges 2 k
 * and 2 k + 1. */
static const struct d3_hull_edge tile_edges[6] = {
	{2, 1, 0, 0}, {5, 0, 1, 1}, {4, 3, 1, 0}, {1, 2, 2, 1}, {0, 5, 2, 0}, {3, 4, 0, 1}};

static const uint16_t tile_face_edges[2] = {0, 1}, tile_point_edges[3] = {0, 2, 4};

static void touch_solid(struct gathering *g, const struct tile *tile)
{
	struct d3_vec n = tile->normal;
	float offset = d3_dot(n, tile->corners[0]);
	struct d3_hull_lanes lanes;
	struct d3_hull_plane_lanes planes = {
		{n.x, -n.x, -n.x, -n.x}, {n.y, -n.y, -n.y, -n.y}, {n.z, -n.z, -n.z, -n.z}, {offset, -offset, -offset, -offset}};
	for (int i = 0; i < 4; ++i) {
		struct d3_vec p = tile->corners[i < 3 ? i : 2];
		lanes.x[i] = p.x;
		lanes.y[i] = p.y;
		lanes.z[i] = p.z;
	}
	struct d3_polytope solid = {
		tile->corners, &lanes, &planes, tile_edges, tile_face_edges, tile_point_edges, 3, 2, 6, tile->corners[0]};
	struct d3_polytopes solids = {&solid, &g->solid, g->frame, g->back, 0, g->radius, g->speculative};
	struct d3_manifold_cache cache = {n, D3_CACHED_FACE_A, INFINITY};
	struct d3_axis axis;
	struct d3_local_manifold m = {.count = 0};
	if (!d3_polytopes_axis(&solids, &cache, &axis))
		return;
	if (axis.kind == D3_CACHED_FACE_A && axis.i == 0) {
		/* If the points over the face are higher than that separation, b's lowest point is beside the triangle, and an edge or
		 * a corner may be closer than these points. */
		float least =
			neighbor_has_it(g, tile, axis.separation - g->radius) ? axis.separation : d3_mesh_touch_face(g, tile, 0, -INFINITY);
		if (axis.separation > 0 && least > axis.separation - g->radius + d3_indifference(g->speculative) && outer_edges(tile))
			touch_convex(g, tile);
	} else if ((axis.kind == D3_CACHED_EDGES && d3_polytopes_lie(&solids, &axis, &m)) ||
		d3_polytopes_touch(&solids, &axis, &m)) {
		if (m.count > 0)
			touch_edge(g, tile, &m);
	} else {
		touch_convex(g, tile);
	}
}

static inline float4 range_outside(const float c[3][4], float lower, float upper)
{
	float4 p = float4_read(c[0]), q = float4_read(c[1]), r = float4_read(c[2]);
	return float4_most(float4_least(p, float4_least(q, r)) - upper, lower - float4_most(p, float4_most(q, r)));
}

/* How far four triangles are outside b's AABB, or below the axis floor, whichever is more; <= 0: the triangle may be near. */
static float4 corners_outside(const struct gathering *g, const struct d3_corner_lanes *c)
{
	float x = g->axis.x, y = g->axis.y, z = g->axis.z;
	float4 below = g->axis_floor -
		float4_most(d3_height_of(c, 0, x, y, z), float4_most(d3_height_of(c, 1, x, y, z), d3_height_of(c, 2, x, y, z)));
	float4 beside = float4_most(range_outside(c->x, g->lower.x, g->upper.x), range_outside(c->y, g->lower.y, g->upper.y));
	return float4_most(below, float4_most(beside, range_outside(c->z, g->lower.z, g->upper.z)));
}

/* Whether the front of the triangle, or its back if the mesh is two-sided, has only flat and concave edges. */
static bool has_inner_side(const struct gathering *g, uint32_t child)
{
	struct d3_mesh_triangle t = d3_mesh_edges(g, child);
	bool outer[2] = {false, g->mesh->one_sided};
	for (int k = 0; k < 6; ++k)
		outer[k / 3] |= d3_triangle_edge(&t, k % 3, k > 2) >= D3_EDGE_CONVEX;
	return !outer[0] || !outer[1];
}

/* The edge that p is farthest beyond, seen along the triangle's normal; -1: p is over the triangle. */
static int edge_towards(const struct d3_mesh_triangle *t, struct d3_vec n, struct d3_vec p)
{
	float most = 0;
	int edge = -1;
	for (int k = 0; k < 3; ++k) {
		struct d3_vec delta = d3_sub(t->corners[k < 2 ? k + 1 : 0], t->corners[k]), out = d3_cross(delta, n);
		float beyond = d3_dot(d3_sub(p, t->corners[k]), out) / sqrtf(d3_dot(delta, delta));
		if (beyond > most) {
			most = beyond;
			edge = k;
		}
	}
	return edge;
}

/* Whether the fronts of both triangles are on the same side: then their common edge runs in opposite directions in the two. */
static bool same_front(const struct d3_mesh_triangle *t, int k, const struct d3_mesh_triangle *next)
{
	for (int i = 0; i < 3; ++i)
		if (next->points[i] == t->points[k])
			return next->points[i > 0 ? i - 1 : 2] == t->points[k < 2 ? k + 1 : 0];
	return true;
}

enum { WALK_MAX = 32 }; /* triangles */

/* Whether b's centre is behind the surface around the triangle. Walks from triangle to triangle until the centre is over one,
 * or beside an edge between two. The triangle's own plane is not enough: beside a ridge, the centre is behind the plane of the
 * ridge's other side. */
static bool middle_is_behind(const struct gathering *g, uint32_t child, const struct d3_mesh_triangle *first)
{
	struct d3_mesh_triangle t = *first, next;
	struct d3_vec before = {0, 0, 0}, n = before, from = before;
	uint32_t came = D3_NO_TRIANGLE;
	bool turned = false;
	for (int steps = 0; steps < WALK_MAX; ++steps) {
		n = d3_normalize(d3_cross(d3_sub(t.corners[1], t.corners[0]), d3_sub(t.corners[2], t.corners[0])));
		int edge = edge_towards(&t, n, g->center);
		n = turned ? d3_neg(n) : n;
		from = d3_sub(g->center, t.corners[edge > 0 ? edge : 0]);
		if (edge < 0 || t.neighbors[edge] == D3_NO_TRIANGLE)
			break;
		if (t.neighbors[edge] == came)
			return d3_dot(d3_add(n, before), from) < 0;
		came = child;
		child = t.neighbors[edge];
		before = n;
		d3_shape_neighborhood(g->mesh, child, &next);
		turned = turned == same_front(&t, edge, &next);
		t = next;
	}
	return d3_dot(n, from) < 0;
}

static float own_separation(struct gathering *g, const struct tile *tile)
{
	if (g->b->type == D3_SPHERE)
		return d3_dot(tile->normal, d3_sub(g->center, tile->corners[0])) - g->radius;
	d3_mesh_find_facing(g, tile->normal);
	return g->facing.lowest - d3_dot(tile->normal, tile->corners[0]);
}

void d3_mesh_see_tile(struct gathering *g, uint32_t child, struct tile *tile)
{
	struct d3_mesh_triangle t;
	d3_shape_neighborhood(g->mesh, child, &t);
	struct d3_vec n = d3_cross(d3_sub(t.corners[1], t.corners[0]), d3_sub(t.corners[2], t.corners[0]));
	float height = d3_dot(n, d3_sub(g->center, t.corners[0])), depth = min_f(behind_tolerance * g->b->inner, g->speculative);
	bool below = height < 0, back = below && !g->mesh->one_sided;
	tile->child = child;
	turn_tile(tile, &t, back);
	tile->own = own_separation(g, tile);
	if (!g->mesh->one_sided && tile->own < -4 * d3_indifference(g->speculative) && middle_is_behind(g, child, &t) != back) {
		back = !back;
		turn_tile(tile, &t, back);
		tile->own = own_separation(g, tile);
	}
	tile->behind = below != back && abs_f(height) > depth * d3_length(n);
}

/* Sets *tile for a triangle that may be in contact. above: separation of the triangle along b's best face, less g->apart.
 * False: no contact; g->clear is a lower bound on the motion needed for one. */
static bool make_tile(struct gathering *g, uint32_t child, float above, struct tile *tile)
{
	/* A side of the triangle with only inner edges pushes b out even if b has sunk in beside the triangle. */
	if (above > 0 && !has_inner_side(g, child)) {
		g->clear = min_f(g->clear, above);
		return false;
	}
	d3_mesh_see_tile(g, child, tile);
	float beyond = tile->own - g->speculative, sunk = tile->own + g->speculative;
	if (beyond > 0) {
		g->clear = min_f(g->clear, beyond);
		d3_note_nearest(g, tile->normal, beyond);
	} else {
		g->clear = above > 0 && sunk > 0 && g->mesh->one_sided ? min_f(g->clear, min_f(above, sunk)) : 0;
	}
	return !(beyond > 0) && !(above > 0 && sunk >= 0);
}

/* Whether a corner of b that is as deep as b's lowest point, to within the indifference, is over the triangle. */
static bool is_deepest_over(const struct gathering *g, const struct tile *tile, const struct clipped *clipped)
{
	bool over = false;
	float enough = tile->own + g->radius + d3_indifference(g->speculative);
	for (uint32_t i = 0; i < clipped->count; ++i)
		over |= clipped->points[i].height <= enough && (clipped->points[i].id & (D3_OF_EDGE | D3_OF_POINT)) == 0;
	return over;
}

/* Takes the contact along the triangle's own normal, if that suffices. It does in three cases. The surface continues flat or
 * rises beyond all edges. Or it bends away gently, and a sharp hull is as deep along the normals on both sides of an edge as
 * along the normals between them. Or b is no deeper than the margin, its lowest corner is over the triangle, and no neighbour's
 * normal is a shorter way out. False: other normals must be tested. */
static bool touch_plainly(struct gathering *g, const struct tile *tile)
{
	struct clipped clipped;
	bool inner = !outer_edges(tile), barely = tile->own >= -g->speculative;
	bool plain = inner || (tile->gentle && g->proxy.hull && g->radius == 0);
	if (tile->behind)
		return inner;
	/* Deep in a concave part of a two-sided surface, b may be on its other side. */
	if (!barely && (!plain || (!g->mesh->one_sided && (!inner || tile->edges[D3_EDGE_CONCAVE]))))
		return false;
	bool later = tile->inner == 7 && g->later_count + g->pending.count < LATER;
	d3_mesh_clip_over(g, tile, tile->inner, !later, &clipped);
	if (!plain && !is_deepest_over(g, tile, &clipped))
		return false;
	if (plain || !neighbor_has_it(g, tile, tile->own)) {
		d3_mesh_gather_face(g, tile, &clipped, 0, -INFINITY);
		if (!barely && clipped.count == 0 && clipped.inner.height == INFINITY)
			gather_sunk(g, tile);
		if (later)
			g->later[g->later_count++] = (struct later){tile->normal, tile->own, tile->child};
	}
	return true;
}

/* Collides b with one triangle. is_apart rejects a separated triangle at less cost than the distance. For a cylinder, cone,
 * ellipsoid or tapered capsule that has not sunk below the triangle it comes first, as it costs less than the contact face,
 * too. A sharp hull needs no such test: its face planes have rejected these triangles. */
static void touch(struct gathering *g, const struct tile *tile)
{
	if (g->b->type == D3_SPHERE) {
		touch_sphere(g, tile);
		return;
	}
	bool first = g->proxy.type != D3_PROXY_POINTS && tile->own >= -g->speculative && outer_edges(tile);
	bool sharp = g->proxy.hull && g->radius == 0;
	if ((first && is_apart(g, tile)) || touch_plainly(g, tile) || (!first && !sharp && is_apart(g, tile)))
		return;
	if (g->proxy.hull)
		touch_solid(g, tile);
	else
		touch_convex(g, tile);
}

static void visit(struct gathering *g, uint32_t child, float above)
{
	struct tile tile;
	if (make_tile(g, child, above, &tile))
		touch(g, &tile);
}

/* Visits one of four triangles, for which *t is valid. */
static void visit_seen(struct gathering *g, const struct tile_lanes *t, uint32_t first, uint32_t lane)
{
	struct d3_mesh_triangle triangle;
	struct tile tile;
	struct facing *facing = &g->facing;
	d3_shape_neighborhood(g->mesh, first + lane, &triangle);
	set_tile(&tile, &triangle, t->back[lane] != 0);
	tile.child = first + lane;
	tile.normal = (struct d3_vec){t->n[0][lane], t->n[1][lane], t->n[2][lane]};
	tile.own = t->own[lane];
	tile.behind = false;
	facing->normal = tile.normal;
	facing->lowest = tile.own + d3_dot(tile.normal, tile.corners[0]);
	d3_set_face(g, (uint32_t)t->face[lane]);
	touch(g, &tile);
}

/* Hulls with more faces than this take triangles one by one: few triangles are parallel to a face, and the search for it costs
 * more than it saves (with 28 faces, on hills, a sixth of the contact's cost). */
enum { FACES_FEW = 12 };

void d3_mesh_visit_four(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t there)
{
	float4 outside = corners_outside(g, corners), above;
	uint32_t near = there & ~float4_bits(outside > float4_of(0));
	for (uint32_t bits = there & ~near; bits; bits &= bits - 1)
		g->clear = min_f(g->clear, outside[__builtin_ctz(bits)]);
	if (near == 0)
		return;
	if (g->proxy.hull && g->proxy.hull->face_count <= FACES_FEW && !(g->mesh->mesh && g->mesh->mesh->uneven)) {
		struct tile_lanes t;
		uint32_t known;
		near = d3_visit_together(g, corners, first, near, &t, &above, &known);
		if (known)
			g->clear = 0;
		near &= ~known;
		for (; known; known &= known - 1)
			visit_seen(g, &t, first, (uint32_t)__builtin_ctz(known));
	} else {
		above = d3_height_above(g, corners, near) - g->apart;
	}
	for (; near; near &= near - 1)
		visit(g, first + (uint32_t)__builtin_ctz(near), above[__builtin_ctz(near)]);
}

void d3_mesh_push_out(struct gathering *g, uint32_t child)
{
	struct tile tile;
	if (!d3_voxels_push(g->mesh, child, g->center))
		return;
	d3_mesh_see_tile(g, child, &tile);
	if (!tile.behind)
		return;
	struct d3_candidate_point point = {g->center, tile.own, d3_child_name(g, child)};
	d3_gather(g, child, tile.normal, &point);
	g->clear = 0;
}
