/* mesh.c - convex shapes against meshes and height fields.
 * Each triangle near b is a part of a surface that goes on beyond its edges, and takes only contacts that the whole surface
 * would have. A normal that leans over an edge is
 *   admitted  at an edge where the surface ends, or bends away up to the neighbour's normal: a contact with the edge itself;
 *   skipped   beyond the neighbour's normal: the neighbour has this contact;
 *   snapped   to the triangle's own normal at a flat or concave edge, which nothing can hit from outside.
 * So nothing catches on the inner edges of a floor. A one-sided surface collides only at its front, a two-sided one on the side
 * of the shape's centre. Contact points are grouped by normal: see mesh_gather.c.
 * Sources: Catto, "Ghost collisions", box2d.org, 2020, of which this is the counterpart in 3D; Terdiman, "Contact generation
 * for meshes", 2015.
 * Pure, any thread. */
#include "d3/manifold/mesh.h"

#include "base/cache.h"
#include "base/float4.h"

#include <assert.h>
#include <string.h>

/* A normal that leans over an edge by less than this, a sine, counts as not leaning. */
static const float lean_sine = 1e-3f;

/* A centre behind a one-sided surface by up to this fraction of the shape's inner extent, and at most the speculative margin,
 * is still pushed out to the front. */
static const float behind_tolerance = 0.25f;

enum { QUEUE_MAX = 64, RING = 2 * D3_NODE_STACK, FOOT_STEPS = 32 };

/* A triangle seen from b's side: counter-clockwise. */
struct tile {
	uint32_t child;
	struct d3_vec corners[3], paths[3], normal; /* paths: along edge k, from corner k */
	uint32_t points[3], neighbors[3];
	uint8_t edges[3]; /* enum d3_edge */
	uint32_t inner; /* a bit for each edge beyond which the surface goes on flat, or rises gently */
	bool back, gentle; /* gentle: the surface goes on beyond all edges, and bends little */
	float own; /* separation along the normal */
	bool behind; /* b's centre is behind this side: only edges and corners can have contacts, from the front */
};

/* The bounds and axis of struct gathering, for testing four nodes at once. */
struct reach_lanes {
	float4 lower[3], upper[3], axis[3];
};

/* The least n . p of b, for a unit normal in the mesh's frame. */
static float lowest(const struct gathering *g, struct d3_vec n)
{
	struct d3_vec back = d3_neg(d3_turn(&g->back.q, n));
	float reach;
	if (g->proxy.hull) {
		d3_polytope_support(&g->solid, back, &reach);
	} else {
		struct d3_vec_d d = d3_widen(back);
		reach = (float)d3_core_reach(&g->proxy, &d);
	}
	return d3_dot(n, g->place.p) - reach - g->radius;
}

/* --- Gathering ------------------------------------------------------------------------------------------------------------ */

/* Keeps only the group's deepest point at inner edges. Where the surface goes on flat, so does the contact, whose corner is
 * found in a neighbour, unless b is so thin that it has sunk below the surface there. */
static void gather_inner(struct gathering *g, const struct tile *tile, const struct d3_candidate_point *point)
{
	struct group *group = d3_group_find(g, tile->normal, point->height);
	if (group == NULL || !(point->height < group->inner.height))
		return;
	group->inner = *point;
	if (group->count == 0) {
		group->normal = group->sum = group->last = tile->normal;
		group->triangle = tile->child;
	}
}

/* The point's id. A corner of b keeps its id wherever it slides. */
static uint32_t point_name(const struct tile *tile, uint32_t id)
{
	uint32_t of_a = id & 0xffff, of_b = id >> 16, k = of_a & 0x3fff, next = k < 2 ? k + 1 : 0;
	if ((of_a & (D3_OF_EDGE | D3_OF_POINT)) == 0)
		return of_b;
	return of_a & D3_OF_POINT ? d3_gather_name(tile->points[k], tile->points[k], 0)
							  : d3_gather_name(tile->points[k], tile->points[next], of_b);
}

/* Whether the point is on one of these edges, a bit for each. */
static bool is_on(uint32_t edges, uint32_t of_a)
{
	uint32_t k = of_a & 0x3fff;
	if (of_a & D3_OF_POINT)
		return (edges >> k | edges >> (k > 0 ? k - 1 : 2)) & 1;
	return (of_a & D3_OF_EDGE) && (edges >> k & 1);
}

/* Whether the point is only on inner edges, or on a corner between two. */
static bool goes_on(const struct tile *tile, uint32_t of_a)
{
	return (of_a & (D3_OF_EDGE | D3_OF_POINT)) != 0 && !is_on(~tile->inner, of_a);
}

static void tile_face(const struct tile *tile, struct d3_contact_face *out)
{
	out->count = 3;
	out->face = 0;
	out->normal = tile->normal;
	for (uint32_t k = 0; k < 3; ++k) {
		out->p[k] = tile->corners[k];
		out->points[k] = (uint16_t)(D3_OF_POINT | k);
		out->edges[k] = (uint16_t)(D3_OF_EDGE | k);
	}
}

/* Keeps a fallback point, for when no triangle has a contact: each part of a surface may push b out in a direction that leads
 * into another part. */
static void keep_resort(
	struct gathering *g, const struct tile *tile, struct d3_vec normal, const struct d3_candidate_point *point)
{
	if (!(point->height < g->resort.inner.height))
		return;
	g->resort.normal = g->resort.sum = normal;
	g->resort.deepest = INFINITY;
	g->resort.triangle = tile->child;
	g->resort.count = 0;
	g->resort.inner = *point;
}

/* Finds the patch of b turned against the normal. The last result is reused: all triangles of a floor have the same normal, and
 * most of hills the same face of b. */
static void find_facing(struct gathering *g, struct d3_vec normal)
{
	struct facing *facing = &g->facing;
	float alignment, reach;
	if (d3_same_vec(facing->normal, normal))
		return;
	facing->normal = normal;
	if (g->proxy.hull == NULL) {
		facing->lowest = lowest(g, normal);
		facing->made = false;
		return;
	}
	uint32_t face = d3_polytope_facing(&g->solid, d3_neg(d3_turn(&g->back.q, normal)), &alignment, &reach);
	facing->lowest = d3_dot(normal, g->place.p) - reach - g->radius;
	d3_set_face(g, face);
}

/* The patch of other shapes than hulls is made when first clipped: most triangles have no contact. */
static void make_face(struct gathering *g)
{
	struct facing *facing = &g->facing;
	if (g->proxy.hull || facing->made)
		return;
	d3_proxy_face(&g->proxy, &g->place, d3_neg(facing->normal), &facing->patch);
	d3_bound_face(facing);
	facing->made = true;
}

/* Whether the patch may have points over the triangle at heights that count: these are within `margin` of it. */
static bool is_face_near(const struct gathering *g, const struct tile *tile)
{
	const struct d3_vec *c = tile->corners;
	const struct facing *facing = &g->facing;
	float margin = max_f(g->speculative + g->radius, -tile->own) + d3_indifference(g->speculative);
	return max_f(c[0].x, max_f(c[1].x, c[2].x)) >= facing->lower.x - margin &&
		min_f(c[0].x, min_f(c[1].x, c[2].x)) <= facing->upper.x + margin &&
		max_f(c[0].y, max_f(c[1].y, c[2].y)) >= facing->lower.y - margin &&
		min_f(c[0].y, min_f(c[1].y, c[2].y)) <= facing->upper.y + margin &&
		max_f(c[0].z, max_f(c[1].z, c[2].z)) >= facing->lower.z - margin &&
		min_f(c[0].z, min_f(c[1].z, c[2].z)) <= facing->upper.z + margin;
}

/* Points over a triangle. */
struct clipped {
	uint32_t count;
	float least; /* separation */
	struct d3_candidate_point points[D3_CANDIDATES_MAX];
	struct d3_candidate_point inner; /* the deepest of those at inner edges, if wanted; height INFINITY: none */
};

/* Clips the facing patch against the triangle. `inner`: bits of edges at which no point is wanted, or only the deepest. */
static void clip_over(struct gathering *g, const struct tile *tile, uint32_t inner, bool deepest, struct clipped *out)
{
	out->count = 0;
	out->least = out->inner.height = INFINITY;
	find_facing(g, tile->normal);
	make_face(g);
	if (!is_face_near(g, tile))
		return;
	const struct d3_contact_face *patch = &g->facing.patch;
	if (patch->count > 2) {
		out->count = d3_clip_tile(tile->corners, tile->paths, tile->normal, patch, &g->facing.lanes, g->radius, g->speculative,
			inner, deepest ? &out->inner : NULL, out->points);
	} else {
		struct d3_contact_face face;
		const struct d3_meeting meeting = {&face, patch, 0, g->radius, false, g->speculative};
		tile_face(tile, &face);
		out->count = d3_clip_points(&meeting, out->points);
	}
	for (uint32_t i = 0; i < out->count; ++i)
		out->least = min_f(out->least, out->points[i].height - g->radius);
	out->least = min_f(out->least, out->inner.height - g->radius);
}

/* The point for d3_gather: midway between the surfaces. */
static struct d3_candidate_point middle_point(
	const struct gathering *g, const struct tile *tile, const struct d3_candidate_point *point)
{
	struct d3_vec middle = d3_mul_add(point->p, -0.5f * (point->height + g->radius), tile->normal);
	return (struct d3_candidate_point){middle, point->height - g->radius, point_name(tile, point->id)};
}

/* Gathers the points. Those at the edges in `without`, or at other edges and deeper than `deepest`, become fallback points. */
static void gather_face(
	struct gathering *g, const struct tile *tile, const struct clipped *clipped, uint32_t without, float deepest)
{
	for (uint32_t i = 0; i < clipped->count; ++i) {
		struct d3_candidate_point point = middle_point(g, tile, &clipped->points[i]);
		uint32_t of_a = clipped->points[i].id & 0xffff;
		bool own_edge = (of_a & (D3_OF_EDGE | D3_OF_POINT)) != 0;
		if (is_on(without, of_a) || (own_edge && point.height < deepest))
			keep_resort(g, tile, tile->normal, &point);
		else if (goes_on(tile, of_a))
			gather_inner(g, tile, &point);
		else
			d3_gather(g, tile->child, tile->normal, &point);
	}
	if (clipped->inner.height < INFINITY) {
		struct d3_candidate_point point = middle_point(g, tile, &clipped->inner);
		gather_inner(g, tile, &point);
	}
}

/* Gathers the points. Returns the least separation. */
static float touch_face(struct gathering *g, const struct tile *tile, uint32_t without, float deepest)
{
	struct clipped clipped;
	clip_over(g, tile, without == 0 && deepest == -INFINITY ? tile->inner : 0, true, &clipped);
	gather_face(g, tile, &clipped, without, deepest);
	return clipped.least;
}

/* --- Edges ---------------------------------------------------------------------------------------------------------------- */

/* The normal of the neighbour beyond edge k, on the same side. */
static bool neighbor_normal(const struct gathering *g, const struct tile *tile, int k, struct d3_vec *out)
{
	if (tile->neighbors[k] == D3_NO_TRIANGLE)
		return false;
	struct d3_vec corners[3];
	d3_shape_triangle(g->mesh, tile->neighbors[k], corners);
	int next = k < 2 ? k + 1 : 0;
	/* The neighbour's corner that is not on the edge: the farthest from it. */
	struct d3_vec far = {0, 0, 0};
	float most = 0;
	for (int i = 0; i < 3; ++i) {
		struct d3_vec delta = d3_sub(corners[i], tile->corners[k]), across = d3_cross(delta, tile->paths[k]);
		float square = d3_dot(across, across);
		bool shared = d3_length(delta) == 0 || d3_length(d3_sub(corners[i], tile->corners[next])) == 0;
		if (!shared && square > most) {
			most = square;
			far = across;
		}
	}
	*out = d3_normalize(far);
	return most > 0;
}

enum verdict { ADMIT, SKIP, SNAP };

/* Judges a contact along n: see the head of this file. *leant: a bit for each flat or concave edge that n leans over. */
static enum verdict judge(const struct gathering *g, const struct tile *tile, struct d3_vec n, uint32_t *leant)
{
	enum verdict verdict = d3_dot(n, tile->normal) < -lean_sine ? SNAP : ADMIT;
	*leant = 0;
	for (int k = 0; k < 3; ++k) {
		float length = d3_length(tile->paths[k]);
		if (d3_dot(n, d3_cross(tile->paths[k], tile->normal)) <= lean_sine * length || tile->edges[k] == D3_EDGE_BOUNDARY)
			continue;
		struct d3_vec beyond;
		if (tile->edges[k] != D3_EDGE_CONVEX) {
			verdict = SNAP;
			*leant |= 1u << k;
		} else if (neighbor_normal(g, tile, k, &beyond) && d3_dot(tile->paths[k], d3_cross(beyond, n)) > lean_sine * length) {
			return SKIP;
		}
	}
	return verdict;
}

/* Gathers points along a normal other than the triangle's own. */
static void gather_manifold(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m)
{
	for (int i = 0; i < m->count; ++i) {
		uint32_t id = m->points[i].id != 0 ? point_name(tile, m->points[i].id) : d3_gather_name(tile->child, tile->child, 0);
		struct d3_candidate_point point = {m->points[i].point, m->points[i].separation, id};
		d3_gather(g, tile->child, m->normal, &point);
	}
}

/* --- One triangle --------------------------------------------------------------------------------------------------------- */

/* Whether the neighbour behind a convex edge has a greater separation, and so the contact: a body that leans against the side
 * of a ledge, as high as its top, must not be pushed up. */
static bool neighbor_has_it(const struct gathering *g, const struct tile *tile, float separation)
{
	for (int k = 0; k < 3; ++k) {
		struct d3_vec n;
		if (tile->edges[k] != D3_EDGE_CONVEX || !neighbor_normal(g, tile, k, &n))
			continue;
		if (lowest(g, n) - d3_dot(n, tile->corners[k]) > separation + d3_indifference(g->speculative))
			return true;
	}
	return false;
}

/* Spheres, by the closest point of the triangle. Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.5, for the
 * regions. */
static void touch_sphere(struct gathering *g, const struct tile *tile)
{
	struct d3_vec center = d3_place_point(&g->place, d3_proxy_points(&g->proxy)[0]), nearest = center;
	float height = d3_dot(tile->normal, d3_sub(center, tile->corners[0]));
	float slack = d3_indifference(g->speculative);
	float least = INFINITY;
	bool over = true, beside_inner = false;
	int edge = 0;
	for (int k = 0; k < 3; ++k) {
		struct d3_vec from = d3_sub(center, tile->corners[k]), delta = tile->paths[k];
		float square = d3_dot(delta, delta);
		float beyond = d3_dot(from, d3_cross(delta, tile->normal));
		float margin = slack * sqrtf(square);
		bool inner = tile->edges[k] == D3_EDGE_FLAT || tile->edges[k] == D3_EDGE_CONCAVE;
		if (beyond <= (inner ? margin : 0))
			continue;
		over = false;
		beside_inner |= inner;
		struct d3_vec p = d3_mul_add(tile->corners[k], clamp_f(d3_dot(from, delta) / square, 0, 1), delta);
		struct d3_vec between = d3_sub(center, p);
		if (d3_dot(between, between) < least) {
			least = d3_dot(between, between);
			nearest = p;
			edge = k;
		}
	}
	struct d3_local_manifold m = {.count = 0};
	if (over && tile->behind)
		return;
	if (over) {
		float gap = height - g->radius;
		struct d3_candidate_point point = {d3_mul_add(center, -0.5f * (height + g->radius), tile->normal), gap, 0};
		d3_gather(g, tile->child, tile->normal, &point);
		return;
	}
	if (beside_inner)
		return;
	d3_collide_points(nearest, 0, center, g->radius, tile->normal, g->speculative, &m);
	uint32_t leant;
	if (m.count == 0 || judge(g, tile, m.normal, &leant) == SKIP)
		return;
	struct d3_candidate_point point = {
		m.points[0].point, m.points[0].separation, d3_gather_name(tile->points[edge], tile->points[edge], 0)};
	d3_gather(g, tile->child, m.normal, &point);
}

static float least_gap(const struct d3_local_manifold *m)
{
	float least = m->points[0].separation;
	for (int i = 1; i < m->count; ++i)
		least = min_f(least, m->points[i].separation);
	return least;
}

static void turn_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back);

/* Whether the normal n where b barely overlaps an edge at which the surface ends or bends away shows b on the other side: more
 * reliably than b's centre does. *other: the triangle from there. */
static bool is_other_side(const struct gathering *g, const struct tile *tile, struct d3_vec n, struct tile *other)
{
	struct d3_mesh_triangle t;
	uint32_t leant;
	if (g->mesh->one_sided || d3_dot(n, tile->normal) > -lean_sine || d3_dot(n, tile->normal) < -1 + lean_sine)
		return false;
	d3_shape_neighborhood(g->mesh, tile->child, &t);
	*other = *tile;
	turn_tile(other, &t, !tile->back);
	return judge(g, other, n, &leant) == ADMIT;
}

static bool is_hollow(const struct tile *tile, uint32_t edges)
{
	bool hollow = false;
	for (int k = 0; k < 3; ++k)
		hollow |= (edges >> k & 1) && tile->edges[k] == D3_EDGE_CONCAVE;
	return hollow;
}

/* A contact along a normal that is not the triangle's own. */
static void touch_edge(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m)
{
	float least = least_gap(m);
	uint32_t leant;
	struct tile other;
	if (least > -g->speculative && is_other_side(g, tile, m->normal, &other))
		tile = &other;
	enum verdict verdict = judge(g, tile, m->normal, &leant);
	/* A separated point behind the triangle, over a concave edge, belongs to another triangle. Over a flat edge it may not: a
	 * thin shape may have sunk in there. */
	if (least >= 0 && d3_dot(m->normal, tile->normal) < -lean_sine && is_hollow(tile, leant))
		return;
	/* Deep beside an edge at which the surface ends, no part of b may be over the triangle. */
	bool past_edge = verdict == SNAP && leant == 0 && !g->mesh->one_sided;
	if ((verdict == SKIP || past_edge) && least < 0) {
		/* A one-sided surface does not push b out of its back. */
		bool back = g->mesh->one_sided && d3_dot(m->normal, tile->normal) < 0;
		struct d3_candidate_point point = {
			m->points[0].point, back ? tile->own : m->points[0].separation, d3_gather_name(tile->child, 0, 0)};
		keep_resort(g, tile, back ? tile->normal : m->normal, &point);
	}
	if (verdict == SKIP || neighbor_has_it(g, tile, least))
		return;
	if (verdict == ADMIT)
		gather_manifold(g, tile, m);
	else if (!tile->behind)
		touch_face(g, tile, leant, leant ? least - 2 * d3_indifference(g->speculative) : -INFINITY);
}

/* The point of the triangle closest to p. Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.5, for the regions. */
static struct d3_vec nearest_of_tile(const struct tile *tile, struct d3_vec p)
{
	struct d3_vec nearest = d3_mul_add(p, -d3_dot(tile->normal, d3_sub(p, tile->corners[0])), tile->normal);
	float least = INFINITY;
	for (int k = 0; k < 3; ++k) {
		struct d3_vec from = d3_sub(p, tile->corners[k]), delta = tile->paths[k];
		if (!(d3_dot(from, d3_cross(delta, tile->normal)) > 0))
			continue;
		struct d3_vec on_edge = d3_mul_add(tile->corners[k], clamp_f(d3_dot(from, delta) / d3_dot(delta, delta), 0, 1), delta);
		struct d3_vec between = d3_sub(p, on_edge);
		float square = d3_dot(between, between);
		if (square < least) {
			least = square;
			nearest = on_edge;
		}
	}
	return nearest;
}

/* The lowest point of b along n. */
static struct d3_vec lowest_point(const struct gathering *g, struct d3_vec n)
{
	struct d3_vec back = d3_neg(d3_turn(&g->back.q, n));
	float reach;
	struct d3_vec p = g->proxy.hull ? g->solid.points[d3_polytope_support(&g->solid, back, &reach)]
									: d3_narrow(d3_core_support(&g->proxy, d3_widen(back)));
	return d3_mul_add(d3_place_point(&g->place, p), -g->radius, n);
}

/* Whether one of two directions separates b by more than the speculative margin: from the triangle's closest point to b's
 * centre, then to b's lowest point along that. This rejects most triangles around the one in contact. */
static bool is_apart(const struct gathering *g, const struct tile *tile)
{
	struct d3_vec p = g->center;
	for (int i = 0; i < 2; ++i) {
		struct d3_vec from = nearest_of_tile(tile, p), delta = d3_sub(p, from);
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

/* Whether p is beyond an edge of the triangle, and only beyond concave edges which b's centre is not beyond: if it is below the
 * face, it is also below the neighbour there. */
static bool is_beyond_hollow(const struct gathering *g, const struct tile *tile, struct d3_vec p)
{
	bool beyond = false;
	for (int k = 0; k < 3; ++k) {
		struct d3_vec out = d3_cross(tile->paths[k], tile->normal);
		if (!(d3_dot(out, d3_sub(p, tile->corners[k])) > 0))
			continue;
		if (tile->edges[k] != D3_EDGE_CONCAVE || d3_dot(out, d3_sub(g->center, tile->corners[k])) > 0)
			return false;
		beyond = true;
	}
	return beyond;
}

/* If b has sunk so deep into a concave corner of the surface that its lowest point is below all triangles there, but over none,
 * each triangle still pushes b out. */
static void gather_sunk(struct gathering *g, const struct tile *tile)
{
	struct d3_vec p = lowest_point(g, tile->normal);
	if (!is_beyond_hollow(g, tile, p))
		return;
	struct d3_candidate_point point = {
		d3_mul_add(p, -0.5f * tile->own, tile->normal), tile->own, d3_gather_name(tile->child, tile->child, 0)};
	d3_gather(g, tile->child, tile->normal, &point);
}

/* A contact from the closest or deepest points of the two. */
static void touch_by_gap(struct gathering *g, const struct tile *tile)
{
	struct d3_proxy triangle = {
		.type = D3_PROXY_POINTS, .count = 3, .own = {tile->corners[0], tile->corners[1], tile->corners[2]}};
	struct d3_manifold_cache cache = {.features = 0};
	struct d3_local_manifold m;
	d3_collide_convex(&triangle, &g->proxy, &g->b_in_a, g->speculative, &cache, &m);
	if (m.count == 0)
		return;
	/* Beside the face, an edge or a corner may be as close as its plane. */
	float least = least_gap(&m), slack = d3_indifference(g->speculative);
	if (tile->own < least - slack || tile->behind || touch_face(g, tile, 0, -INFINITY) > least + slack)
		touch_edge(g, tile, &m);
	if (tile->own < -g->speculative && !tile->behind)
		gather_sunk(g, tile);
}

/* A triangle as a polytope of no thickness: its front is face 0, its back face 1, and edge k is half-edges 2 k and 2 k + 1. */
static const struct d3_hull_edge tile_edges[6] = {
	{2, 1, 0, 0}, {5, 0, 1, 1}, {4, 3, 1, 0}, {1, 2, 2, 1}, {0, 5, 2, 0}, {3, 4, 0, 1}};
static const uint16_t tile_face_edges[2] = {0, 1}, tile_point_edges[3] = {0, 2, 4};

static bool has_outer_edge(const struct tile *tile)
{
	bool outer = false;
	for (int k = 0; k < 3; ++k)
		outer |= tile->edges[k] == D3_EDGE_CONVEX || tile->edges[k] == D3_EDGE_BOUNDARY;
	return outer;
}

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
	struct d3_polytopes solids = {&solid, &g->solid, g->place, g->back, 0, g->radius, g->speculative};
	struct d3_manifold_cache cache = {n, D3_CACHED_FACE_A};
	struct d3_axis axis;
	struct d3_local_manifold m = {.count = 0};
	if (!d3_polytopes_axis(&solids, &cache, &axis))
		return;
	if (axis.kind == D3_CACHED_FACE_A && axis.i == 0) {
		/* Beside the face, an edge or a corner may be closer than the separation along the normal. */
		float least =
			neighbor_has_it(g, tile, axis.separation - g->radius) ? axis.separation : touch_face(g, tile, 0, -INFINITY);
		if (axis.separation > 0 && least > axis.separation - g->radius + d3_indifference(g->speculative) &&
			has_outer_edge(tile))
			touch_by_gap(g, tile);
	} else if ((axis.kind == D3_CACHED_EDGES && d3_polytopes_lie(&solids, &axis, &cache, &m)) ||
		d3_polytopes_touch(&solids, &axis, &m)) {
		if (m.count > 0)
			touch_edge(g, tile, &m);
	} else {
		touch_by_gap(g, tile);
	}
}

/* Sets the triangle as seen from the front or the back. From the back, the corners are 0, 2, 1 and the edges 2, 1, 0. */
static void set_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back)
{
	tile->back = back;
	tile->inner = 0;
	tile->gentle = d3_triangle_gentle(t, 0) && d3_triangle_gentle(t, 1) && d3_triangle_gentle(t, 2);
	for (int k = 0; k < 3; ++k) {
		int corner = back && k > 0 ? 3 - k : k, edge = back ? 2 - k : k;
		tile->corners[k] = t->corners[corner];
		tile->points[k] = t->points[corner];
		tile->neighbors[k] = t->neighbors[edge];
		tile->edges[k] = (uint8_t)d3_triangle_edge(t, edge, back);
		bool rises = tile->edges[k] == D3_EDGE_CONCAVE && d3_triangle_gentle(t, edge);
		bool on = tile->neighbors[k] != D3_NO_TRIANGLE;
		tile->inner |= (uint32_t)(on && (tile->edges[k] == D3_EDGE_FLAT || rises)) << k;
	}
	for (int k = 0; k < 3; ++k)
		tile->paths[k] = d3_sub(tile->corners[k < 2 ? k + 1 : 0], tile->corners[k]);
}

static void turn_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back)
{
	set_tile(tile, t, back);
	tile->normal = d3_normalize(d3_cross(tile->paths[0], tile->paths[1]));
}

static inline float4 range_gap(const float c[3][4], float lower, float upper)
{
	float4 p = float4_read(c[0]), q = float4_read(c[1]), r = float4_read(c[2]);
	return float4_most(float4_least(p, float4_least(q, r)) - upper, lower - float4_most(p, float4_most(q, r)));
}

static inline float4 corners_box_gap(const struct gathering *g, const struct d3_corner_lanes *c)
{
	return float4_most(float4_most(range_gap(c->x, g->lower.x, g->upper.x), range_gap(c->y, g->lower.y, g->upper.y)),
		range_gap(c->z, g->lower.z, g->upper.z));
}

/* How far four triangles are outside b's AABB, or below the axis floor, whichever is more; <= 0: they may be near. */
static float4 corners_gap(const struct gathering *g, const struct d3_corner_lanes *c)
{
	float x = g->axis.x, y = g->axis.y, z = g->axis.z;
	float4 below = g->axis_floor -
		float4_most(d3_height_of(c, 0, x, y, z), float4_most(d3_height_of(c, 1, x, y, z), d3_height_of(c, 2, x, y, z)));
	return float4_most(below, corners_box_gap(g, c));
}

/* Whether a side of the triangle that can have contacts has only flat and concave edges. */
static bool has_inner_side(const struct gathering *g, uint32_t child)
{
	struct d3_mesh_triangle t;
	const struct d3_mesh *mesh = g->mesh->mesh;
	if (mesh != NULL && !mesh->uneven)
		t.edges = mesh->records[child].edges;
	else
		d3_shape_neighborhood(g->mesh, child, &t);
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

/* Whether the fronts of both triangles are on the same side: then their common edge has opposite directions in them. */
static bool same_front(const struct d3_mesh_triangle *t, int k, const struct d3_mesh_triangle *next)
{
	for (int i = 0; i < 3; ++i)
		if (next->points[i] == t->points[k])
			return next->points[i > 0 ? i - 1 : 2] == t->points[k < 2 ? k + 1 : 0];
	return true;
}

/* Whether b's centre is behind the surface around the triangle: walks from triangle to triangle until the centre is over one,
 * or beside an edge between two. The triangle's plane is not enough: beside a ridge, the centre is behind the plane of the
 * ridge's other side. */
static bool middle_is_behind(const struct gathering *g, uint32_t child, const struct d3_mesh_triangle *first)
{
	struct d3_mesh_triangle t = *first, next;
	struct d3_vec before = {0, 0, 0}, n = before, from = before;
	uint32_t came = D3_NO_TRIANGLE;
	bool turned = false;
	for (int steps = 0; steps < FOOT_STEPS; ++steps) {
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

static float own_gap(struct gathering *g, const struct tile *tile)
{
	if (g->b->type == D3_SPHERE)
		return d3_dot(tile->normal, d3_sub(g->center, tile->corners[0])) - g->radius;
	find_facing(g, tile->normal);
	return g->facing.lowest - d3_dot(tile->normal, tile->corners[0]);
}

/* Sets the triangle as seen from b's side: that of b's centre, or where b is on both sides of a two-sided triangle's plane,
 * that of the surface around. */
static void see_tile(struct gathering *g, uint32_t child, struct tile *tile)
{
	struct d3_mesh_triangle t;
	d3_shape_neighborhood(g->mesh, child, &t);
	struct d3_vec n = d3_cross(d3_sub(t.corners[1], t.corners[0]), d3_sub(t.corners[2], t.corners[0]));
	float height = d3_dot(n, d3_sub(g->center, t.corners[0])), depth = min_f(behind_tolerance * g->b->inner, g->speculative);
	bool below = height < 0, back = below && !g->mesh->one_sided;
	tile->child = child;
	turn_tile(tile, &t, back);
	tile->own = own_gap(g, tile);
	if (!g->mesh->one_sided && tile->own < -4 * d3_indifference(g->speculative) && middle_is_behind(g, child, &t) != back) {
		back = !back;
		turn_tile(tile, &t, back);
		tile->own = own_gap(g, tile);
	}
	tile->behind = below != back && abs_f(height) > depth * d3_length(n);
}

/* above: separation of the triangle along b's best face, less g->apart. False: no contact; g->clear is a lower bound on the
 * motion needed for one. */
static bool make_tile(struct gathering *g, uint32_t child, float above, struct tile *tile)
{
	/* A side with only inner edges pushes b out even if b has sunk in beside the triangle. */
	if (above > 0 && !has_inner_side(g, child)) {
		g->clear = min_f(g->clear, above);
		return false;
	}
	see_tile(g, child, tile);
	float beyond = tile->own - g->speculative, sunk = tile->own + g->speculative;
	if (beyond > 0) {
		g->clear = min_f(g->clear, beyond);
		d3_note_nearest(g, tile->normal, beyond);
	} else {
		g->clear = above > 0 && sunk > 0 && g->mesh->one_sided ? min_f(g->clear, min_f(above, sunk)) : 0;
	}
	return !(beyond > 0) && !(above > 0 && sunk >= 0);
}

/* Whether a corner of b that is as deep as b's lowest point is over the triangle. */
static bool is_deepest_over(const struct gathering *g, const struct tile *tile, const struct clipped *clipped)
{
	bool over = false;
	float enough = tile->own + g->radius + d3_indifference(g->speculative);
	for (uint32_t i = 0; i < clipped->count; ++i)
		over |= clipped->points[i].height <= enough && (clipped->points[i].id & (D3_OF_EDGE | D3_OF_POINT)) == 0;
	return over;
}

/* The contact along the triangle's own normal. True: no other normal need be tested, as the surface goes on flat or rises on
 * all sides; or it bends away gently, and a sharp hull is as deep along the normals beside an edge as along the edge's own,
 * between them; or b barely overlaps, with a corner over the triangle, and no other direction out is shorter. */
static bool touch_plainly(struct gathering *g, const struct tile *tile)
{
	struct clipped clipped;
	bool inner = !has_outer_edge(tile), barely = tile->own >= -g->speculative;
	bool plain = inner || (tile->gentle && g->proxy.hull && g->radius == 0);
	if (tile->behind)
		return inner;
	/* Deep in a hollow of a two-sided surface, b may be on its other side. */
	if (!barely && (!plain || (!g->mesh->one_sided && (!inner || is_hollow(tile, 7)))))
		return false;
	bool later = tile->inner == 7 && g->later_count + g->pending.count < LATER;
	clip_over(g, tile, tile->inner, !later, &clipped);
	if (!plain && !is_deepest_over(g, tile, &clipped))
		return false;
	if (plain || !neighbor_has_it(g, tile, tile->own)) {
		gather_face(g, tile, &clipped, 0, -INFINITY);
		if (!barely && clipped.count == 0 && clipped.inner.height == INFINITY)
			gather_sunk(g, tile);
		if (later)
			g->later[g->later_count++] = (struct later){tile->normal, tile->own, tile->child};
	}
	return true;
}

/* is_apart rejects a separated triangle at less cost than the distance. For a round b is_apart comes before the patch, which
 * costs more, too: a b that is separated and has not sunk below the triangle has no point over it at a height that counts. For
 * a sharp hull, its face planes have already done so. */
static void touch(struct gathering *g, const struct tile *tile)
{
	if (g->b->type == D3_SPHERE) {
		touch_sphere(g, tile);
		return;
	}
	bool first = g->proxy.type != D3_PROXY_POINTS && tile->own >= -g->speculative && has_outer_edge(tile);
	bool sharp = g->proxy.hull && g->radius == 0;
	if ((first && is_apart(g, tile)) || touch_plainly(g, tile) || (!first && !sharp && is_apart(g, tile)))
		return;
	if (g->proxy.hull)
		touch_solid(g, tile);
	else
		touch_by_gap(g, tile);
}

static void visit(struct gathering *g, uint32_t child, float above)
{
	struct tile tile;
	if (make_tile(g, child, above, &tile))
		touch(g, &tile);
}

/* Visits one of four triangles for which *t is valid. */
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

/* If a hull has more faces than this, few triangles are parallel to one, and the search for it costs more than it saves: with
 * 28 faces, on hills, a sixth of the contact's cost. */
enum { FACES_FEW = 12 };

/* Visits those of four triangles, from `first` on, whose bit is set in `there`. The tests that cost least and reject most come
 * first. */
static void visit_four(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t there)
{
	float4 gap = corners_gap(g, corners), above;
	uint32_t near = there & ~float4_bits(gap > float4_of(0));
	for (uint32_t bits = there & ~near; bits; bits &= bits - 1)
		g->clear = min_f(g->clear, gap[__builtin_ctz(bits)]);
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

/* --- All triangles -------------------------------------------------------------------------------------------------------- */

static void include_ball(struct gathering *g, struct d3_vec center, struct d3_vec half, bool first)
{
	struct d3_vec low = d3_sub(center, half), high = d3_add(center, half), l = g->lower, u = g->upper;
	g->lower = first ? low : (struct d3_vec){min_f(l.x, low.x), min_f(l.y, low.y), min_f(l.z, low.z)};
	g->upper = first ? high : (struct d3_vec){max_f(u.x, high.x), max_f(u.y, high.y), max_f(u.z, high.z)};
}

/* Half extents along the axes of a disc of radius 1 across the unit vector n. */
static struct d3_vec disc_half(struct d3_vec n)
{
	return (struct d3_vec){sqrtf(max_f(0, 1 - n.x * n.x)), sqrtf(max_f(0, 1 - n.y * n.y)), sqrtf(max_f(0, 1 - n.z * n.z))};
}

/* The AABB of the core of a shape that is not a hull: of its points; of an ellipsoid; else of its two ends, each a disc, a ball
 * or a point. */
static void round_box(struct gathering *g)
{
	const struct d3_proxy *proxy = &g->proxy;
	const struct d3_vec none = {0, 0, 0};
	if (proxy->type == D3_PROXY_POINTS) {
		for (uint32_t i = 0; i < proxy->count; ++i)
			include_ball(g, d3_place_point(&g->place, d3_proxy_points(proxy)[i]), none, i == 0);
		return;
	}
	struct d3_place frame = d3_box_frame(g->b);
	struct d3_vec center = d3_place_point(&g->place, frame.p), h = g->b->half, axis = d3_turn(&g->place.q, frame.q.y);
	if (proxy->type == D3_PROXY_ELLIPSOID) {
		struct d3_vec x = d3_scale(h.x, d3_turn(&g->place.q, frame.q.x));
		struct d3_vec y = d3_scale(h.y, axis);
		struct d3_vec z = d3_scale(h.z, d3_turn(&g->place.q, frame.q.z));
		struct d3_vec half = {sqrtf(x.x * x.x + y.x * y.x + z.x * z.x), sqrtf(x.y * x.y + y.y * y.y + z.y * z.y),
			sqrtf(x.z * x.z + y.z * y.z + z.z * z.z)};
		struct d3_vec radius = {g->radius, g->radius, g->radius};
		include_ball(g, center, d3_sub(half, radius), true);
		return;
	}
	bool cylinder = proxy->type == D3_PROXY_CYLINDER, ball = proxy->type == D3_PROXY_TAPERED;
	struct d3_vec end = d3_scale(h.x, ball ? (struct d3_vec){1, 1, 1} : disc_half(axis));
	include_ball(g, d3_mul_add(center, -h.y, axis), end, true);
	include_ball(g, d3_mul_add(center, h.y, axis), cylinder ? end : none, false);
}

/* axis: a unit vector, or 0. */
static void set_reach(struct gathering *g, struct d3_vec axis)
{
	/* Far from the origin, rounding error is more than the margin covers. */
	float size = abs_f(g->place.p.x) + abs_f(g->place.p.y) + abs_f(g->place.p.z), s = g->speculative + 1e-6f * size;
	if (g->proxy.hull) {
		d3_hull_box(g->proxy.hull, &g->place.q, &g->lower, &g->upper);
		g->lower = d3_add(g->lower, g->place.p);
		g->upper = d3_add(g->upper, g->place.p);
		s += g->radius;
	} else {
		round_box(g);
		s += g->radius;
	}
	g->lower = d3_sub(g->lower, (struct d3_vec){s, s, s});
	g->upper = d3_add(g->upper, (struct d3_vec){s, s, s});
	g->axis = axis;
	g->axis_floor = axis.x == 0 && axis.y == 0 && axis.z == 0 ? -INFINITY : lowest(g, axis) - g->speculative - 1e-6f * size;
}

/* A leaf of a mesh, its triangles in SIMD lanes. */
struct leaf {
	uint32_t first, count;
	uint32_t vertices[3][4];
};

/* Leaves to visit, in this order. A large mesh is not in the cache, so memory is prefetched: the records when a leaf is queued,
 * the vertices of all leaves before the first one is visited. */
struct queue {
	uint32_t count;
	struct leaf leaves[QUEUE_MAX];
};

/* Unused lanes repeat the first one. */
static inline void find_vertices(const struct d3_mesh *mesh, struct leaf *leaf)
{
	const struct d3_mesh_record *records = mesh->records + leaf->first;
	const struct d3_mesh_block *block = &mesh->blocks[leaf->first / D3_MESH_BLOCK];
	const struct d3_mesh_block *last = &mesh->blocks[(leaf->first + leaf->count - 1) / D3_MESH_BLOCK];
	const uint32_t *lists[2] = {mesh->lists + block->vertices, mesh->lists + last->vertices};
	for (uint32_t lane = 0; lane < 4; ++lane) {
		uint32_t at = lane < leaf->count ? lane : 0;
		const uint32_t *list = lists[(leaf->first % D3_MESH_BLOCK + at) / D3_MESH_BLOCK];
		for (int k = 0; k < 3; ++k) {
			leaf->vertices[k][lane] = list[records[at].corners[k]];
			__builtin_prefetch(&mesh->vertices[leaf->vertices[k][lane]]);
		}
	}
}

/* Corner k of four triangles: their vertices, transposed into lanes. */
static inline void read_corners(const struct d3_mesh *mesh, const uint32_t vertices[4], int k, struct d3_corner_lanes *out)
{
	float4 p[4];
	for (int lane = 0; lane < 4; ++lane)
		memcpy(&p[lane], &mesh->vertices[vertices[lane]], sizeof p[lane]);
	float4 xy = __builtin_shufflevector(p[0], p[1], 0, 4, 1, 5), more_xy = __builtin_shufflevector(p[2], p[3], 0, 4, 1, 5);
	float4 z = __builtin_shufflevector(p[0], p[1], 2, 6, 3, 7), more_z = __builtin_shufflevector(p[2], p[3], 2, 6, 3, 7);
	float4 x = mesh->scale.x * __builtin_shufflevector(xy, more_xy, 0, 1, 4, 5);
	float4 y = mesh->scale.y * __builtin_shufflevector(xy, more_xy, 2, 3, 6, 7);
	z = mesh->scale.z * __builtin_shufflevector(z, more_z, 0, 1, 4, 5);
	memcpy(out->x[k], &x, sizeof x);
	memcpy(out->y[k], &y, sizeof y);
	memcpy(out->z[k], &z, sizeof z);
}

static void visit_queue(struct gathering *g, struct queue *queue)
{
	const struct d3_mesh *mesh = g->mesh->mesh;
	for (uint32_t i = 0; i < queue->count; ++i)
		find_vertices(mesh, &queue->leaves[i]);
	for (uint32_t i = 0; i < queue->count; ++i) {
		const struct leaf *leaf = &queue->leaves[i];
		struct d3_corner_lanes corners;
		for (int k = 0; k < 3; ++k)
			read_corners(mesh, leaf->vertices[k], k, &corners);
		visit_four(g, &corners, leaf->first, (1u << leaf->count) - 1);
	}
	queue->count = 0;
}

static void queue_leaf(struct gathering *g, struct queue *queue, uint32_t first, uint32_t count)
{
	const struct d3_mesh *mesh = g->mesh->mesh;
	assert(count <= 4);
	if (queue->count == QUEUE_MAX)
		visit_queue(g, queue);
	cache_prefetch(&mesh->records[first], count * sizeof *mesh->records);
	__builtin_prefetch(&mesh->blocks[first / D3_MESH_BLOCK]);
	queue->leaves[queue->count].first = first;
	queue->leaves[queue->count++].count = count;
}

/* Whether b's AABB overlaps the box, and the box is not entirely below the axis floor. False: g->clear is at most their
 * separation. */
static bool enter_box(struct gathering *g, struct d3_vec low, struct d3_vec high)
{
	struct d3_vec axis = g->axis, under = d3_sub(low, g->upper), over = d3_sub(g->lower, high);
	float along = max_f(low.x * axis.x, high.x * axis.x) + max_f(low.y * axis.y, high.y * axis.y) +
		max_f(low.z * axis.z, high.z * axis.z);
	float gap = max_f(max_f(max_f(under.x, over.x), max_f(under.y, over.y)), max_f(under.z, over.z));
	float apart = max_f(gap, g->axis_floor - along);
	if (!(apart > 0))
		return true;
	g->clear = min_f(g->clear, apart);
	return false;
}

/* Like enter_box, for four nodes. Returns a bit for each that b overlaps. */
static inline uint32_t enter_four(
	struct gathering *g, const struct reach_lanes *reach, const struct d3_node4 *nodes, float4 *clear)
{
	float4 lower[3], upper[3], along[3], apart[3];
	d3_mesh_read_four(g->mesh->mesh, nodes, lower, upper);
	for (int axis = 0; axis < 3; ++axis) {
		apart[axis] = float4_most(lower[axis] - reach->upper[axis], reach->lower[axis] - upper[axis]);
		along[axis] = float4_most(lower[axis] * reach->axis[axis], upper[axis] * reach->axis[axis]);
	}
	float4 below = g->axis_floor - (along[0] + along[1] + along[2]);
	float4 most = float4_most(float4_most(apart[0], apart[1]), float4_most(apart[2], below));
	int4 out = most > float4_of(0), links;
	*clear = float4_choose(out, float4_least(*clear, most), *clear);
	memcpy(&links, nodes->links, sizeof links);
	return 15u & ~float4_bits(out | (links == 0));
}

static void visit_mesh(struct gathering *g)
{
	const struct d3_node4 *nodes = g->mesh->mesh->nodes;
	const struct reach_lanes reach = {
		{float4_of(g->lower.x), float4_of(g->lower.y), float4_of(g->lower.z)},
		{float4_of(g->upper.x), float4_of(g->upper.y), float4_of(g->upper.z)},
		{float4_of(g->axis.x), float4_of(g->axis.y), float4_of(g->axis.z)},
	};
	struct queue queue;
	uint32_t ring[RING], first = 0, end = 1;
	float4 clear = float4_of(INFINITY);
	queue.count = 0;
	/* The root is not tested: the AABBs of the shapes overlap. */
	ring[0] = d3_link_is_leaf(nodes[0].links[0]) ? 0 : nodes[0].links[0] >> 4;
	while (first != end) {
		const struct d3_node4 *float4_nodes =
			&nodes[(end - first > RING - D3_NODE_STACK ? ring[--end % RING] : ring[first++ % RING]) / 4];
		for (uint32_t inside = enter_four(g, &reach, float4_nodes, &clear); inside; inside &= inside - 1) {
			uint32_t link = float4_nodes->links[__builtin_ctz(inside)], next = link >> 4;
			if (d3_link_is_leaf(link)) {
				queue_leaf(g, &queue, next, d3_link_count(link));
			} else {
				cache_prefetch(&nodes[next / 4], sizeof *nodes);
				ring[end++ % RING] = next;
			}
		}
	}
	g->clear = min_f(g->clear, -float4_greatest(-clear));
	visit_queue(g, &queue);
}

/* One or two consecutive cells of a row: their children are consecutive, too. */
static void visit_cells(struct gathering *g, uint32_t column, uint32_t row, uint32_t count)
{
	const struct d3_height_field *terrain = g->mesh->height_field;
	uint32_t first = 2 * (row * (terrain->columns - 1) + column), there = 0;
	struct d3_corner_lanes corners;
	for (uint32_t cell = 0; cell < 2; ++cell) {
		uint32_t i = column + (cell < count ? cell : 0), across = terrain->mirrored ? 2 : 1, beside = 3 - across;
		struct d3_vec near = d3_height_field_at(terrain, i, row), far = d3_height_field_at(terrain, i + 1, row + 1);
		struct d3_vec right = d3_height_field_at(terrain, i + 1, row), down = d3_height_field_at(terrain, i, row + 1);
		const struct d3_vec even[3] = {near, far, right}, odd[3] = {near, down, far};
		for (int k = 0; k < 3; ++k) {
			d3_lanes_set_corner(&corners, 2 * cell, k, even[k == 0 ? 0 : k == 1 ? across : beside]);
			d3_lanes_set_corner(&corners, 2 * cell + 1, k, odd[k == 0 ? 0 : k == 1 ? across : beside]);
		}
		there |= cell < count && !d3_height_field_hole(terrain, first + 2 * cell) ? 3u << 2 * cell : 0;
	}
	visit_four(g, &corners, first, there);
}

static void visit_height_field(struct gathering *g)
{
	const struct d3_height_field *terrain = g->mesh->height_field;
	struct d3_height_field_block stack[D3_NODE_STACK];
	uint32_t depth = 1, last = terrain->column_bits[terrain->levels > 0 ? 1 : 0];
	stack[0] = (struct d3_height_field_block){0, 0, terrain->levels};
	while (depth > 0) {
		const struct d3_height_field_block block = stack[--depth];
		struct d3_height_field_block halves[2];
		struct d3_vec lower, upper;
		if (block.level <= last) {
			visit_cells(g, block.column, block.row, block.level > 0 && block.column + 2 < terrain->columns ? 2 : 1);
			continue;
		}
		if (!d3_height_field_box(terrain, &block, &lower, &upper) || !enter_box(g, lower, upper))
			continue;
		for (uint32_t i = 0, count = d3_height_field_halves(terrain, &block, halves); i < count; ++i)
			stack[depth++] = halves[i];
	}
}

static void visit_all(struct gathering *g)
{
	if (g->mesh->mesh)
		visit_mesh(g);
	else
		visit_height_field(g);
}

/* Clips the triangles of g->later for points at inner edges, unless b's lowest point is no deeper below the plane than the
 * points found along the normal. */
static void gather_later(struct gathering *g)
{
	float slack = d3_indifference(g->speculative);
	for (uint32_t i = 0; i < g->later_count; ++i) {
		const struct later *later = &g->later[i];
		const struct group *group = d3_group_along(g, later->normal);
		struct clipped clipped;
		struct tile tile;
		if (group && (later->own >= group->deepest - slack || later->own >= group->inner.height))
			continue;
		see_tile(g, later->child, &tile);
		clip_over(g, &tile, tile.inner, true, &clipped);
		clipped.count = 0;
		gather_face(g, &tile, &clipped, 0, -INFINITY);
	}
}

int d3_collide_mesh(const struct d3_shape *mesh, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_mesh, float speculative, struct d3_manifold_cache *cache, float *clearance,
	struct d3_local_manifold out[D3_MANIFOLDS])
{
	struct gathering g;
	struct d3_transform back = d3_inv_transform(*b_in_mesh);
	b = b->type == D3_COMPOUND ? b->compound->children[child_b] : b;
	g.mesh = mesh;
	g.b = b;
	g.b_in_a = *b_in_mesh;
	g.place = d3_place_of(b_in_mesh);
	g.back = d3_place_of(&back);
	d3_make_proxy(b, 0, &g.proxy);
	if (g.proxy.hull)
		g.solid = d3_polytope_of_hull(g.proxy.hull, b->centroid);
	g.center = d3_place_point(&g.place, b->centroid);
	g.radius = (float)g.proxy.radius;
	g.speculative = speculative;
	g.apart = speculative + g.radius + d3_indifference(speculative);
	g.clear = g.nearest_gap = INFINITY;
	g.group_count = g.plane_count = g.plane = g.later_count = g.corner_count = 0;
	g.pending.count = g.pending.outer[0] = g.pending.outer[1] = g.pending.outer[2] = 0;
	g.resort.inner.height = INFINITY;
	g.facing.normal = (struct d3_vec){0, 0, 0};
	g.facing.face = NO_FACE;
	set_reach(&g, cache->axis);
	visit_all(&g);
	d3_visit_pending(&g);
	gather_later(&g);
	*clearance = max_f(g.clear - d3_indifference(speculative), 0);
	if (g.group_count > 0)
		cache->axis = d3_group_deepest(&g)->normal;
	else if (g.nearest_gap < INFINITY)
		cache->axis = g.nearest;
	if (g.group_count == 0 && g.resort.inner.height < INFINITY)
		g.groups[g.group_count++] = g.resort;
	return d3_gather_end(&g, out);
}
