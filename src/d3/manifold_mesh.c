/* manifold_mesh.c - convex shapes against meshes and height fields.
** Each triangle that comes near is a face of a surface that goes on beyond its edges, and takes only contacts that the whole surface would
** have. A normal that leans over an edge is
**   admitted  at an edge where the surface ends, or bends away up to the neighbour's normal: there the edge itself is hit;
**   skipped   beyond the neighbour's normal: the neighbour has this contact;
**   snapped   to the triangle's own normal at a flat or concave edge, which nothing can hit from outside.
** Thus nothing bumps into the inner edges of a floor. Of a one-sided surface only the front is felt, of a two-sided one the side on which the
** shape's middle is. What is found is gathered by normals as the triangles come, so that their number does not matter.
** Sources: Catto, "Ghost collisions", box2d.org, 2020, of which this is the counterpart in space; Terdiman, "Contact generation for meshes",
** 2015.
** Floor: d3. Pure, any thread. */
#include "d3/manifold_parts.h"
#include "d3/shape_parts.h"

#include "base/cache.h"
#include "base/four.h"

#include <assert.h>
#include <string.h>

/* Sine of the angle by which a normal may lean over an edge and not be said to. */
static const float lean_sine = 1e-3f;

/* A centre that is behind a one-sided surface by up to this part of the shape's inner extent, and by the speculative margin at most, is still
** pushed out in front. */
static const float behind_part = 0.25f;

/* Normals this near (8 degrees) share a manifold; of a flat floor they are the same to the bit. */
static const float gather_cosine = 0.99f;

enum { GROUPS = 16, GROUP_POINTS = 32, QUEUE_MAX = 64, RING = 2 * D3_NODE_STACK, PLANES = D3_HULL_MAX / 2, FOOT_STEPS = 32, LATER = 64 };

static const uint32_t NO_FACE = UINT32_MAX, NOT_GENTLE = UINT32_MAX;

/* Below this cosine between a face and a triangle's plane heights of the one over the other are noise. */
static const float facing_cosine = 0.01f;

/* A triangle whose inner points have not been looked at yet. */
struct later {
	struct d3_vec normal;
	float own; /* gap along it */
	uint32_t child;
};

/* A triangle seen from the side on which b is: counter-clockwise. */
struct tile {
	uint32_t child;
	struct d3_vec corners[3], ways[3], normal; /* ways: along edge k, from corner k */
	uint32_t points[3], neighbors[3];
	uint8_t edges[3]; /* enum d3_edge */
	uint32_t inner; /* a bit for each edge beyond which the surface goes on flat, or rises gently */
	bool back, gentle; /* gentle: the surface goes on all around, and bends little */
	float own; /* gap along the normal */
	bool behind; /* b's middle is behind a one-sided surface: only edges and corners can be touched, from in front */
};

/* Points whose normals agree. */
struct group {
	struct d3_vec normal; /* of the deepest */
	struct d3_vec sum, last; /* of the normals of the triangles that are about as deep as that, each but once in a row; the last one */
	float deepest;
	uint32_t triangle, count;
	struct d3_candidate_point points[GROUP_POINTS]; /* midway; height is the gap */
	float x[GROUP_POINTS], y[GROUP_POINTS], z[GROUP_POINTS]; /* the same, to be compared four at a time */
	int32_t ids[GROUP_POINTS];
	struct d3_candidate_point inner; /* the deepest of those where the surface goes on; height INFINITY: none */
};

struct gathering {
	const struct d3_shape *mesh, *b;
	struct d3_transform b_in_a;
	struct d3_place place, back; /* b in the mesh's frame, and the mesh in b's */
	struct d3_proxy proxy;
	struct d3_solid solid;
	struct d3_vec center;
	float radius, speculative;
	float apart; /* what is higher than this above a face of b's core does not touch it */
	float clear; /* b touches none of the triangles that it did not touch so far until it has moved by this */
	uint32_t group_count;
	struct group groups[GROUPS];
	struct facing {
		struct d3_vec normal; /* 0 at first */
		float lowest; /* see there */
		bool made; /* of no hull: the patch, from that normal */
		uint32_t face; /* of a hull, that of the patch; NO_FACE: none yet */
		struct d3_patch patch;
		struct d3_vec lower, upper; /* around the patch */
		struct d3_patch_lanes lanes; /* of a patch that is a face */
	} facing; /* what was asked last */
	struct d3_vec lower, upper; /* of b, with the margin */
	struct d3_vec axis; /* along which b was apart, or lay on the mesh, the last time */
	float axis_floor; /* what is below that along it is too far */
	struct d3_vec nearest; /* normal of the triangle that b is apart from by the least, and by how much */
	float nearest_gap;
	uint32_t plane_count, plane;
	struct d3_hull_plane_lanes planes[PLANES];
	uint32_t corner_count;
	struct d3_vec corners[D3_HULL_MAX]; /* of a hull, in the mesh's frame */
	struct group resort; /* one inner point, for when there is no group */
	uint32_t later_count;
	struct later later[LATER];
};

/* That for four nodes at once. */
struct reach_lanes {
	four lower[3], upper[3], axis[3];
};

/* The least n . p of b, whose unit normal is in the mesh's frame. */
static float lowest(const struct gathering *g, struct d3_vec n)
{
	struct d3_vec back = d3_neg(d3_turn(&g->back.q, n));
	float reach;
	if (g->proxy.hull) {
		d3_solid_support(&g->solid, back, &reach);
	} else {
		struct d3_vec_d d = d3_widen(back);
		reach = (float)d3_core_reach(&g->proxy, &d);
	}
	return d3_dot(n, g->place.p) - reach - g->radius;
}

/* --- Gathering ----------------------------------------------------------------------------------------------------------- */

/* NULL: there is none. */
static struct group *group_along(struct gathering *g, struct d3_vec normal)
{
	for (uint32_t i = 0; i < g->group_count; i++)
		if (d3_dot(normal, g->groups[i].normal) > gather_cosine)
			return &g->groups[i];
	return NULL;
}

static struct group *find_group(struct gathering *g, struct d3_vec normal, float gap)
{
	struct group *group = group_along(g, normal), *shallowest = &g->groups[0];
	if (group)
		return group;
	for (uint32_t i = 1; i < g->group_count; i++)
		if (g->groups[i].deepest > shallowest->deepest)
			shallowest = &g->groups[i];
	if (g->group_count == GROUPS && gap >= shallowest->deepest)
		return NULL;
	group = g->group_count < GROUPS ? &g->groups[g->group_count++] : shallowest;
	group->count = 0;
	group->deepest = group->inner.height = INFINITY;
	return group;
}

/* Where the surface goes on flat, so does the contact, and its corner is found beyond; but for what is so thin that it has sunk below the surface
** there. */
static void gather_inner(struct gathering *g, const struct tile *tile, const struct d3_candidate_point *point)
{
	struct group *group = find_group(g, tile->normal, point->height);
	if (group == NULL || !(point->height < group->inner.height))
		return;
	group->inner = *point;
	if (group->count == 0) {
		group->normal = group->sum = group->last = tile->normal;
		group->triangle = tile->child;
	}
}

static bool is_same(struct d3_vec a, struct d3_vec b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void add_normal(struct group *group, struct d3_vec normal, float height, float indifference)
{
	if (!(height >= group->deepest - indifference))
		group->sum = normal;
	else if (height <= group->deepest + indifference && !is_same(normal, group->last))
		group->sum = d3_add(group->sum, normal);
	else
		return;
	group->last = normal;
}

static void put_point(struct group *group, uint32_t i, const struct d3_candidate_point *point)
{
	group->points[i] = *point;
	group->x[i] = point->p.x;
	group->y[i] = point->p.y;
	group->z[i] = point->p.z;
	group->ids[i] = (int32_t)point->id;
}

/* The first of the group's points that is the same feature, or as near as that; the number of points: none. */
static uint32_t find_point(const struct group *group, const struct d3_candidate_point *point, float near)
{
	for (uint32_t i = 0; i < group->count; i += 4) {
		four x = four_read(&group->x[i]) - point->p.x, y = four_read(&group->y[i]) - point->p.y, z = four_read(&group->z[i]) - point->p.z;
		four_masks ids;
		memcpy(&ids, &group->ids[i], sizeof ids);
		uint32_t left = group->count - i, bits = four_bits((ids == (int32_t)point->id) | (x * x + y * y + z * z <= four_of(near * near)));
		bits &= left < 4 ? (1u << left) - 1 : 15;
		if (bits)
			return i + (uint32_t)__builtin_ctz(bits);
	}
	return group->count;
}

/* A point found twice, on both sides of an edge, counts once, where it is deeper. */
static void gather(struct gathering *g, uint32_t child, struct d3_vec normal, const struct d3_candidate_point *point)
{
	struct group *group = find_group(g, normal, point->height);
	if (group == NULL)
		return;
	float near = d3_indifference(g->speculative);
	add_normal(group, normal, point->height, near);
	if (point->height < group->deepest) {
		group->deepest = point->height;
		group->normal = normal;
		group->triangle = child;
	}
	uint32_t same = find_point(group, point, near);
	if (same < group->count) {
		if (point->height < group->points[same].height)
			put_point(group, same, point);
		return;
	}
	if (group->count == GROUP_POINTS) {
		group->count = d3_reduce_points(group->points, group->count, group->normal, near);
		for (uint32_t i = 0; i < group->count; i++)
			put_point(group, i, &group->points[i]);
	}
	put_point(group, group->count++, point);
}

/* Of what has no name among b's features: named by the triangle's, which two neighbours share. */
static uint32_t name(uint32_t first, uint32_t second, uint32_t of_b)
{
	uint32_t low = first < second ? first : second, high = first < second ? second : first;
	return scramble(((uint64_t)high << 32 | low) ^ (uint64_t)of_b << 16) | 1u << 31;
}

/* A corner of b keeps its name wherever it slides. */
static uint32_t point_name(const struct tile *tile, uint32_t id)
{
	uint32_t of_a = id & 0xffff, of_b = id >> 16, k = of_a & 0x3fff, next = k < 2 ? k + 1 : 0;
	if ((of_a & (D3_OF_EDGE | D3_OF_POINT)) == 0)
		return of_b;
	return of_a & D3_OF_POINT ? name(tile->points[k], tile->points[k], 0) : name(tile->points[k], tile->points[next], of_b);
}

/* Whether the point is on one of the edges of the set, a bit for each. */
static bool is_on(uint32_t edges, uint32_t of_a)
{
	uint32_t k = of_a & 0x3fff;
	if (of_a & D3_OF_POINT)
		return (edges >> k | edges >> (k > 0 ? k - 1 : 2)) & 1;
	return (of_a & D3_OF_EDGE) && (edges >> k & 1);
}

/* Whether the point is only where the triangle ends, on an inner edge or a corner between two. */
static bool goes_on(const struct tile *tile, uint32_t of_a)
{
	return (of_a & (D3_OF_EDGE | D3_OF_POINT)) != 0 && !is_on(~tile->inner, of_a);
}

static void tile_patch(const struct tile *tile, struct d3_patch *out)
{
	out->count = 3;
	out->face = 0;
	out->normal = tile->normal;
	for (uint32_t k = 0; k < 3; k++) {
		out->p[k] = tile->corners[k];
		out->points[k] = (uint16_t)(D3_OF_POINT | k);
		out->edges[k] = (uint16_t)(D3_OF_EDGE | k);
	}
}

/* A point that other triangles should have, for when none does: parts of a surface may all part from b along ways that lead into others. */
static void keep_resort(struct gathering *g, const struct tile *tile, struct d3_vec normal, const struct d3_candidate_point *point)
{
	if (!(point->height < g->resort.inner.height))
		return;
	g->resort.normal = g->resort.sum = normal;
	g->resort.deepest = INFINITY;
	g->resort.triangle = tile->child;
	g->resort.count = 0;
	g->resort.inner = *point;
}

static void bound_patch(struct facing *facing)
{
	struct d3_vec lower = facing->patch.p[0], upper = lower;
	for (uint32_t i = 1; i < facing->patch.count; i++) {
		struct d3_vec p = facing->patch.p[i];
		lower = (struct d3_vec){ min_f(lower.x, p.x), min_f(lower.y, p.y), min_f(lower.z, p.z) };
		upper = (struct d3_vec){ max_f(upper.x, p.x), max_f(upper.y, p.y), max_f(upper.z, p.z) };
	}
	facing->lower = lower;
	facing->upper = upper;
	if (facing->patch.count > 2)
		d3_patch_lanes_set(&facing->patch, &facing->lanes);
}

/* Makes a face of a hull the patch. */
static void set_face(struct gathering *g, uint32_t face)
{
	struct facing *facing = &g->facing;
	if (face == facing->face)
		return;
	d3_solid_patch(&g->solid, &g->place, face, &facing->patch);
	bound_patch(facing);
	facing->face = face;
}

/* What of b is turned against the normal. Of a floor all triangles have the same one, and of hills most meet the same face. */
static void find_facing(struct gathering *g, struct d3_vec normal)
{
	struct facing *facing = &g->facing;
	float alignment, reach;
	if (is_same(facing->normal, normal))
		return;
	facing->normal = normal;
	if (g->proxy.hull == NULL) {
		facing->lowest = lowest(g, normal);
		facing->made = false;
		return;
	}
	uint32_t face = d3_solid_facing(&g->solid, d3_neg(d3_turn(&g->back.q, normal)), &alignment, &reach);
	facing->lowest = d3_dot(normal, g->place.p) - reach - g->radius;
	set_face(g, face);
}

/* The patch of what is no hull is made when it is first clipped: most triangles are not touched. */
static void make_patch(struct gathering *g)
{
	struct facing *facing = &g->facing;
	if (g->proxy.hull || facing->made)
		return;
	d3_proxy_patch(&g->proxy, &g->place, d3_neg(facing->normal), &facing->patch);
	bound_patch(facing);
	facing->made = true;
}

/* Whether the patch may be over the triangle, at heights that count: its points are no farther from their feet there. */
static bool is_patch_near(const struct gathering *g, const struct tile *tile)
{
	const struct d3_vec *c = tile->corners;
	const struct facing *facing = &g->facing;
	float margin = max_f(g->speculative + g->radius, -tile->own) + d3_indifference(g->speculative);
	return max_f(c[0].x, max_f(c[1].x, c[2].x)) >= facing->lower.x - margin && min_f(c[0].x, min_f(c[1].x, c[2].x)) <= facing->upper.x + margin &&
		max_f(c[0].y, max_f(c[1].y, c[2].y)) >= facing->lower.y - margin && min_f(c[0].y, min_f(c[1].y, c[2].y)) <= facing->upper.y + margin &&
		max_f(c[0].z, max_f(c[1].z, c[2].z)) >= facing->lower.z - margin && min_f(c[0].z, min_f(c[1].z, c[2].z)) <= facing->upper.z + margin;
}

/* Points over a triangle. */
struct clipped {
	uint32_t count;
	float least; /* gap */
	struct d3_candidate_point points[D3_CANDIDATES_MAX];
	struct d3_candidate_point inner; /* the deepest of those at inner edges, where these are asked for; height INFINITY: none */
};

/* The points of the facing patch over the triangle. inner: edges of which only the deepest point is wanted, or none, a bit for each. */
static void clip_over(struct gathering *g, const struct tile *tile, uint32_t inner, bool deepest, struct clipped *out)
{
	out->count = 0;
	out->least = out->inner.height = INFINITY;
	find_facing(g, tile->normal);
	make_patch(g);
	if (!is_patch_near(g, tile))
		return;
	const struct d3_patch *patch = &g->facing.patch;
	if (patch->count > 2) {
		out->count = d3_clip_tile(tile->corners, tile->ways, tile->normal, patch, &g->facing.lanes, g->radius, g->speculative, inner,
			deepest ? &out->inner : NULL, out->points);
	} else {
		struct d3_patch face;
		const struct d3_meeting meeting = { &face, patch, 0, g->radius, false, g->speculative };
		tile_patch(tile, &face);
		out->count = d3_clip_points(&meeting, out->points);
	}
	for (uint32_t i = 0; i < out->count; i++)
		out->least = min_f(out->least, out->points[i].height - g->radius);
	out->least = min_f(out->least, out->inner.height - g->radius);
}

/* As gather wants it. */
static struct d3_candidate_point middle_point(const struct gathering *g, const struct tile *tile, const struct d3_candidate_point *point)
{
	struct d3_vec middle = d3_mul_add(point->p, -0.5f * (point->height + g->radius), tile->normal);
	return (struct d3_candidate_point){ middle, point->height - g->radius, point_name(tile, point->id) };
}

/* Takes the points, but not at the edges in `without`, nor at others deeper than `deepest`, unless nothing else holds b. */
static void gather_face(struct gathering *g, const struct tile *tile, const struct clipped *clipped, uint32_t without, float deepest)
{
	for (uint32_t i = 0; i < clipped->count; i++) {
		struct d3_candidate_point point = middle_point(g, tile, &clipped->points[i]);
		uint32_t of_a = clipped->points[i].id & 0xffff;
		bool own_edge = (of_a & (D3_OF_EDGE | D3_OF_POINT)) != 0;
		if (is_on(without, of_a) || (own_edge && point.height < deepest))
			keep_resort(g, tile, tile->normal, &point);
		else if (goes_on(tile, of_a))
			gather_inner(g, tile, &point);
		else
			gather(g, tile->child, tile->normal, &point);
	}
	if (clipped->inner.height < INFINITY) {
		struct d3_candidate_point point = middle_point(g, tile, &clipped->inner);
		gather_inner(g, tile, &point);
	}
}

/* Both. Returns the least gap. */
static float touch_face(struct gathering *g, const struct tile *tile, uint32_t without, float deepest)
{
	struct clipped clipped;
	clip_over(g, tile, without == 0 && deepest == -INFINITY ? tile->inner : 0, true, &clipped);
	gather_face(g, tile, &clipped, without, deepest);
	return clipped.least;
}

/* --- Edges ------------------------------------------------------------------------------------------------------------------ */

/* The normal of the neighbour beyond edge k, on the same side. False: there is none. */
static bool neighbor_normal(const struct gathering *g, const struct tile *tile, int k, struct d3_vec *out)
{
	if (tile->neighbors[k] == D3_NO_TRIANGLE)
		return false;
	struct d3_vec corners[3];
	d3_shape_triangle(g->mesh, tile->neighbors[k], corners);
	int next = k < 2 ? k + 1 : 0;
	/* Its corner that is not on the edge: the one that is farthest from it. */
	struct d3_vec far = { 0, 0, 0 };
	float most = 0;
	for (int i = 0; i < 3; i++) {
		struct d3_vec way = d3_sub(corners[i], tile->corners[k]), across = d3_cross(way, tile->ways[k]);
		float square = d3_dot(across, across);
		bool shared = d3_length(way) == 0 || d3_length(d3_sub(corners[i], tile->corners[next])) == 0;
		if (!shared && square > most) {
			most = square;
			far = across;
		}
	}
	*out = d3_normalize(far);
	return most > 0;
}

enum verdict { ADMIT, SKIP, SNAP };

/* *leant: the flat and concave edges that the normal leans over, a bit for each. */
static enum verdict judge(const struct gathering *g, const struct tile *tile, struct d3_vec n, uint32_t *leant)
{
	enum verdict verdict = d3_dot(n, tile->normal) < -lean_sine ? SNAP : ADMIT;
	*leant = 0;
	for (int k = 0; k < 3; k++) {
		float length = d3_length(tile->ways[k]);
		if (d3_dot(n, d3_cross(tile->ways[k], tile->normal)) <= lean_sine * length || tile->edges[k] == D3_EDGE_BOUNDARY)
			continue;
		struct d3_vec beyond;
		if (tile->edges[k] != D3_EDGE_CONVEX) {
			verdict = SNAP;
			*leant |= 1u << k;
		} else if (neighbor_normal(g, tile, k, &beyond) && d3_dot(tile->ways[k], d3_cross(beyond, n)) > lean_sine * length) {
			return SKIP;
		}
	}
	return verdict;
}

/* Points that are not along the triangle's normal. */
static void gather_manifold(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m)
{
	for (int i = 0; i < m->count; i++) {
		uint32_t id = m->points[i].id != 0 ? point_name(tile, m->points[i].id) : name(tile->child, tile->child, 0);
		struct d3_candidate_point point = { m->points[i].point, m->points[i].separation, id };
		gather(g, tile->child, m->normal, &point);
	}
}

/* --- One triangle ----------------------------------------------------------------------------------------------------------- */

/* Where a neighbour behind a convex edge separates b the most, it has the contact: what leans against the side of a ledge, as high as its
** top, must not be pushed up. */
static bool neighbor_has_it(const struct gathering *g, const struct tile *tile, float separation)
{
	for (int k = 0; k < 3; k++) {
		struct d3_vec n;
		if (tile->edges[k] != D3_EDGE_CONVEX || !neighbor_normal(g, tile, k, &n))
			continue;
		if (lowest(g, n) - d3_dot(n, tile->corners[k]) > separation + d3_indifference(g->speculative))
			return true;
	}
	return false;
}

/* Spheres, by the nearest point of the triangle. Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.5, for the regions. */
static void touch_sphere(struct gathering *g, const struct tile *tile)
{
	struct d3_vec center = d3_place_point(&g->place, d3_proxy_points(&g->proxy)[0]), nearest = center;
	float height = d3_dot(tile->normal, d3_sub(center, tile->corners[0])), slack = d3_indifference(g->speculative), least = INFINITY;
	bool over = true, beside_inner = false;
	int edge = 0;
	for (int k = 0; k < 3; k++) {
		struct d3_vec from = d3_sub(center, tile->corners[k]), way = tile->ways[k];
		float square = d3_dot(way, way), beyond = d3_dot(from, d3_cross(way, tile->normal)), margin = slack * sqrtf(square);
		bool inner = tile->edges[k] == D3_EDGE_FLAT || tile->edges[k] == D3_EDGE_CONCAVE;
		if (beyond <= (inner ? margin : 0))
			continue;
		over = false;
		beside_inner |= inner;
		struct d3_vec p = d3_mul_add(tile->corners[k], clamp_f(d3_dot(from, way) / square, 0, 1), way), between = d3_sub(center, p);
		if (d3_dot(between, between) < least) {
			least = d3_dot(between, between);
			nearest = p;
			edge = k;
		}
	}
	struct d3_local_manifold m = { .count = 0 };
	if (over && tile->behind)
		return;
	if (over) {
		float gap = height - g->radius;
		struct d3_candidate_point point = { d3_mul_add(center, -0.5f * (height + g->radius), tile->normal), gap, 0 };
		gather(g, tile->child, tile->normal, &point);
		return;
	}
	if (beside_inner)
		return;
	d3_collide_points(nearest, 0, center, g->radius, tile->normal, g->speculative, &m);
	uint32_t leant;
	if (m.count == 0 || judge(g, tile, m.normal, &leant) == SKIP)
		return;
	struct d3_candidate_point point = { m.points[0].point, m.points[0].separation, name(tile->points[edge], tile->points[edge], 0) };
	gather(g, tile->child, m.normal, &point);
}

static float least_gap(const struct d3_local_manifold *m)
{
	float least = m->points[0].separation;
	for (int i = 1; i < m->count; i++)
		least = min_f(least, m->points[i].separation);
	return least;
}

static void turn_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back);

/* Where b barely touches an edge at which the surface ends, or bends away, that tells on which side b is, surer than its middle. */
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
	for (int k = 0; k < 3; k++)
		hollow |= (edges >> k & 1) && tile->edges[k] == D3_EDGE_CONCAVE;
	return hollow;
}

/* What was found along a normal that is not the triangle's own. */
static void touch_edge(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m)
{
	float least = least_gap(m);
	uint32_t leant;
	struct tile other;
	if (least > -g->speculative && is_other_side(g, tile, m->normal, &other))
		tile = &other;
	enum verdict verdict = judge(g, tile, m->normal, &leant);
	/* Behind it in a hollow, apart: what is there is of another triangle. Behind it and beside a flat edge what is thin may have sunk in there. */
	if (least >= 0 && d3_dot(m->normal, tile->normal) < -lean_sine && is_hollow(tile, leant))
		return;
	/* Deep in beside an edge at which the surface ends, nothing of b may be over its face. */
	bool past_edge = verdict == SNAP && leant == 0 && !g->mesh->one_sided;
	if ((verdict == SKIP || past_edge) && least < 0) {
		/* Not out of the back of a one-sided surface. */
		bool back = g->mesh->one_sided && d3_dot(m->normal, tile->normal) < 0;
		struct d3_candidate_point point = { m->points[0].point, back ? tile->own : m->points[0].separation, name(tile->child, 0, 0) };
		keep_resort(g, tile, back ? tile->normal : m->normal, &point);
	}
	if (verdict == SKIP || neighbor_has_it(g, tile, least))
		return;
	if (verdict == ADMIT)
		gather_manifold(g, tile, m);
	else if (!tile->behind)
		touch_face(g, tile, leant, leant ? least - 2 * d3_indifference(g->speculative) : -INFINITY);
}

/* The point of the triangle that is nearest to p. Source: Ericson, "Real-Time Collision Detection", 2005, 5.1.5, for the regions. */
static struct d3_vec nearest_of_tile(const struct tile *tile, struct d3_vec p)
{
	struct d3_vec nearest = d3_mul_add(p, -d3_dot(tile->normal, d3_sub(p, tile->corners[0])), tile->normal);
	float least = INFINITY;
	for (int k = 0; k < 3; k++) {
		struct d3_vec from = d3_sub(p, tile->corners[k]), way = tile->ways[k];
		if (!(d3_dot(from, d3_cross(way, tile->normal)) > 0))
			continue;
		struct d3_vec on_edge = d3_mul_add(tile->corners[k], clamp_f(d3_dot(from, way) / d3_dot(way, way), 0, 1), way), between = d3_sub(p, on_edge);
		float square = d3_dot(between, between);
		if (square < least) {
			least = square;
			nearest = on_edge;
		}
	}
	return nearest;
}

/* b's point that reaches least along n. */
static struct d3_vec lowest_point(const struct gathering *g, struct d3_vec n)
{
	struct d3_vec back = d3_neg(d3_turn(&g->back.q, n));
	float reach;
	struct d3_vec p = g->proxy.hull ? g->solid.points[d3_solid_support(&g->solid, back, &reach)] : d3_narrow(d3_core_support(&g->proxy, d3_widen(back)));
	return d3_mul_add(d3_place_point(&g->place, p), -g->radius, n);
}

/* Whether one of two directions shows b farther away than contacts exist: from the triangle's nearest point to b's middle, then to the point that b reaches back
** to along that. Most triangles around the one that b touches are told so. */
static bool is_apart(const struct gathering *g, const struct tile *tile)
{
	struct d3_vec p = g->center;
	for (int i = 0; i < 2; i++) {
		struct d3_vec from = nearest_of_tile(tile, p), way = d3_sub(p, from);
		float length = d3_length(way);
		if (!(length > 0))
			return false;
		struct d3_vec n = d3_scale(1 / length, way);
		p = lowest_point(g, n);
		float most = max_f(d3_dot(n, tile->corners[0]), max_f(d3_dot(n, tile->corners[1]), d3_dot(n, tile->corners[2])));
		if (d3_dot(n, p) - most > g->speculative)
			return true;
	}
	return false;
}

/* By the nearest or deepest points of the two. */
static void touch_by_gap(struct gathering *g, const struct tile *tile)
{
	struct d3_proxy triangle = { .type = D3_PROXY_POINTS, .count = 3, .own = { tile->corners[0], tile->corners[1], tile->corners[2] } };
	struct d3_manifold_cache cache = { .features = 0 };
	struct d3_local_manifold m;
	d3_collide_by_gap(&triangle, &g->proxy, &g->b_in_a, g->speculative, &cache, &m);
	if (m.count == 0)
		return;
	/* Beside the face an edge or a corner may be as near as its plane. */
	float least = least_gap(&m), slack = d3_indifference(g->speculative);
	if (tile->own < least - slack || tile->behind || touch_face(g, tile, 0, -INFINITY) > least + slack)
		touch_edge(g, tile, &m);
}

/* A triangle as a solid without thickness: its front is face 0, its back face 1, and edge k is half edges 2 k and 2 k + 1. */
static const struct d3_hull_edge tile_edges[6] = { { 2, 1, 0, 0 }, { 5, 0, 1, 1 }, { 4, 3, 1, 0 }, { 1, 2, 2, 1 }, { 0, 5, 2, 0 },
	{ 3, 4, 0, 1 } };
static const uint16_t tile_face_edges[2] = { 0, 1 }, tile_point_edges[3] = { 0, 2, 4 };

static bool has_outer_edge(const struct tile *tile)
{
	bool outer = false;
	for (int k = 0; k < 3; k++)
		outer |= tile->edges[k] == D3_EDGE_CONVEX || tile->edges[k] == D3_EDGE_BOUNDARY;
	return outer;
}

static void touch_solid(struct gathering *g, const struct tile *tile)
{
	struct d3_vec n = tile->normal;
	float offset = d3_dot(n, tile->corners[0]);
	struct d3_hull_lanes lanes;
	struct d3_hull_plane_lanes planes = { { n.x, -n.x, -n.x, -n.x }, { n.y, -n.y, -n.y, -n.y }, { n.z, -n.z, -n.z, -n.z },
		{ offset, -offset, -offset, -offset } };
	for (int i = 0; i < 4; i++) {
		struct d3_vec p = tile->corners[i < 3 ? i : 2];
		lanes.x[i] = p.x;
		lanes.y[i] = p.y;
		lanes.z[i] = p.z;
	}
	struct d3_solid solid = { tile->corners, &lanes, &planes, tile_edges, tile_face_edges, tile_point_edges, 3, 2, 6, tile->corners[0] };
	struct d3_solids solids = { &solid, &g->solid, g->place, g->back, 0, g->radius, g->speculative };
	struct d3_manifold_cache cache = { n, D3_CACHED_FACE_A };
	struct d3_axis axis;
	struct d3_local_manifold m = { .count = 0 };
	if (!d3_solids_axis(&solids, &cache, &axis))
		return;
	if (axis.kind == D3_CACHED_FACE_A && axis.i == 0) {
		/* Beside the face an edge or a corner may be nearer than it is along the normal. */
		float least = neighbor_has_it(g, tile, axis.separation - g->radius) ? axis.separation : touch_face(g, tile, 0, -INFINITY);
		if (axis.separation > 0 && least > axis.separation - g->radius + d3_indifference(g->speculative) && has_outer_edge(tile))
			touch_by_gap(g, tile);
	} else if ((axis.kind == D3_CACHED_EDGES && d3_solids_lie(&solids, &axis, &cache, &m)) || d3_solids_touch(&solids, &axis, &m)) {
		if (m.count > 0)
			touch_edge(g, tile, &m);
	} else {
		touch_by_gap(g, tile);
	}
}

/* From the front, or the back. The edges of corners 0, 2, 1 are 2, 1 and 0, the other way round. */
static void set_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back)
{
	tile->back = back;
	tile->inner = 0;
	tile->gentle = d3_triangle_gentle(t, 0) && d3_triangle_gentle(t, 1) && d3_triangle_gentle(t, 2);
	for (int k = 0; k < 3; k++) {
		int corner = back && k > 0 ? 3 - k : k, edge = back ? 2 - k : k;
		tile->corners[k] = t->corners[corner];
		tile->points[k] = t->points[corner];
		tile->neighbors[k] = t->neighbors[edge];
		tile->edges[k] = (uint8_t)d3_triangle_edge(t, edge, back);
		bool rises = tile->edges[k] == D3_EDGE_CONCAVE && d3_triangle_gentle(t, edge), on = tile->neighbors[k] != D3_NO_TRIANGLE;
		tile->inner |= (uint32_t)(on && (tile->edges[k] == D3_EDGE_FLAT || rises)) << k;
	}
	for (int k = 0; k < 3; k++)
		tile->ways[k] = d3_sub(tile->corners[k < 2 ? k + 1 : 0], tile->corners[k]);
}

static void turn_tile(struct tile *tile, const struct d3_mesh_triangle *t, bool back)
{
	set_tile(tile, t, back);
	tile->normal = d3_normalize(d3_cross(tile->ways[0], tile->ways[1]));
}

static inline four range_gap(const float c[3][4], float lower, float upper)
{
	four p = four_read(c[0]), q = four_read(c[1]), r = four_read(c[2]);
	return four_most(four_least(p, four_least(q, r)) - upper, lower - four_most(p, four_most(q, r)));
}

static inline four corners_box_gap(const struct gathering *g, const struct d3_corner_lanes *c)
{
	return four_most(four_most(range_gap(c->x, g->lower.x, g->upper.x), range_gap(c->y, g->lower.y, g->upper.y)),
		range_gap(c->z, g->lower.z, g->upper.z));
}

static inline four height_of(const struct d3_corner_lanes *c, int k, float x, float y, float z)
{
	return four_read(c->x[k]) * x + four_read(c->y[k]) * y + four_read(c->z[k]) * z;
}

/* How far four triangles are from b's box, or below the floor, whichever is more; <= 0: they may be near. */
static four corners_gap(const struct gathering *g, const struct d3_corner_lanes *c)
{
	float x = g->axis.x, y = g->axis.y, z = g->axis.z;
	four below = g->axis_floor - four_most(height_of(c, 0, x, y, z), four_most(height_of(c, 1, x, y, z), height_of(c, 2, x, y, z)));
	return four_most(below, corners_box_gap(g, c));
}

/* The planes of b's faces, in the mesh's frame. */
static void set_planes(struct gathering *g)
{
	const struct d3_hull *hull = g->proxy.hull;
	const struct d3_rot *q = &g->place.q;
	g->plane_count = hull ? (hull->face_count + 3) / 4 : 0;
	for (uint32_t i = 0; i < g->plane_count; i++) {
		const struct d3_hull_plane_lanes *f = &hull->plane_lanes[i];
		struct d3_hull_plane_lanes *out = &g->planes[i];
		four x = four_read(f->x), y = four_read(f->y), z = four_read(f->z);
		four turned_x = q->x.x * x + q->y.x * y + q->z.x * z, turned_y = q->x.y * x + q->y.y * y + q->z.y * z;
		four turned_z = q->x.z * x + q->y.z * y + q->z.z * z;
		four offset = four_read(f->offset) + g->place.p.x * turned_x + g->place.p.y * turned_y + g->place.p.z * turned_z;
		memcpy(out->x, &turned_x, sizeof turned_x);
		memcpy(out->y, &turned_y, sizeof turned_y);
		memcpy(out->z, &turned_z, sizeof turned_z);
		memcpy(out->offset, &offset, sizeof offset);
	}
}

static inline four height_over(const struct gathering *g, uint32_t face, const struct d3_corner_lanes *c)
{
	const struct d3_hull_plane_lanes *f = &g->planes[face / 4];
	float x = f->x[face % 4], y = f->y[face % 4], z = f->z[face % 4];
	return four_least(height_of(c, 0, x, y, z), four_least(height_of(c, 1, x, y, z), height_of(c, 2, x, y, z))) - f->offset[face % 4];
}

/* How far each of four triangles is above that plane of b's faces which it is farthest above, or at least as far as spares all further looks at it.
** -INFINITY: b has no faces. The plane that told the most of the last four comes first. */
static four height_above(struct gathering *g, const struct d3_corner_lanes *c, uint32_t near)
{
	uint32_t count = g->proxy.hull ? g->proxy.hull->face_count : 0, first = g->plane;
	float enough = g->apart + 2 * g->speculative;
	if (count == 0)
		return four_of(-INFINITY);
	if (g->plane_count == 0)
		set_planes(g);
	four most = height_over(g, first, c);
	for (uint32_t i = 0; i < count && (near & ~four_bits(most > four_of(enough))); i++) {
		four height = height_over(g, i, c);
		g->plane = four_bits(height > most) & near ? i : g->plane;
		most = four_most(height, most);
	}
	return most;
}

/* Whether a side of the triangle has none but flat and concave edges. */
static bool has_inner_side(const struct gathering *g, uint32_t child)
{
	struct d3_mesh_triangle t;
	const struct d3_mesh *mesh = g->mesh->mesh;
	if (mesh != NULL && !mesh->uneven)
		t.edges = mesh->records[child].edges;
	else
		d3_shape_neighborhood(g->mesh, child, &t);
	bool outer[2] = { false, g->mesh->one_sided };
	for (int k = 0; k < 6; k++)
		outer[k / 3] |= d3_triangle_edge(&t, k % 3, k > 2) >= D3_EDGE_CONVEX;
	return !outer[0] || !outer[1];
}

/* The edge beyond which p is the farthest, seen along the triangle's normal; -1: p is over the triangle. */
static int edge_towards(const struct d3_mesh_triangle *t, struct d3_vec n, struct d3_vec p)
{
	float most = 0;
	int edge = -1;
	for (int k = 0; k < 3; k++) {
		struct d3_vec way = d3_sub(t->corners[k < 2 ? k + 1 : 0], t->corners[k]), out = d3_cross(way, n);
		float beyond = d3_dot(d3_sub(p, t->corners[k]), out) / sqrtf(d3_dot(way, way));
		if (beyond > most) {
			most = beyond;
			edge = k;
		}
	}
	return edge;
}

/* Whether the surface runs through both triangles with the same side in front: then their common edge runs the one way in one, the other in the
** other. */
static bool same_front(const struct d3_mesh_triangle *t, int k, const struct d3_mesh_triangle *next)
{
	for (int i = 0; i < 3; i++)
		if (next->points[i] == t->points[k])
			return next->points[i > 0 ? i - 1 : 2] == t->points[k < 2 ? k + 1 : 0];
	return true;
}

/* Whether b's middle is behind the surface that the triangle is of: from triangle to triangle to where the middle is over one, or beside an edge between
** two. The triangle's own plane does not tell: of what lies beside a ridge the middle is behind that of the ridge's other side. */
static bool middle_is_behind(const struct gathering *g, uint32_t child, const struct d3_mesh_triangle *first)
{
	struct d3_mesh_triangle t = *first, next;
	struct d3_vec before = { 0, 0, 0 }, n = before, from = before;
	uint32_t came = D3_NO_TRIANGLE;
	bool turned = false;
	for (int steps = 0; steps < FOOT_STEPS; steps++) {
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

/* Sees a triangle from the side on which b is: that of its middle, or where b is on both sides of the plane, that of the surface around. */
static void see_tile(struct gathering *g, uint32_t child, struct tile *tile)
{
	struct d3_mesh_triangle t;
	d3_shape_neighborhood(g->mesh, child, &t);
	struct d3_vec n = d3_cross(d3_sub(t.corners[1], t.corners[0]), d3_sub(t.corners[2], t.corners[0]));
	float height = d3_dot(n, d3_sub(g->center, t.corners[0])), depth = min_f(behind_part * g->b->inner, g->speculative);
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

static void note_nearest(struct gathering *g, struct d3_vec normal, float gap)
{
	if (gap < g->nearest_gap) {
		g->nearest = normal;
		g->nearest_gap = gap;
	}
}

/* Of what is that high above a face of b's. False: b does not touch the triangle, and does not until it has moved, by g->clear. */
static bool make_tile(struct gathering *g, uint32_t child, float above, struct tile *tile)
{
	/* From an inner side b is felt, too, where it has sunk in beside the triangle. */
	if (above > 0 && !has_inner_side(g, child)) {
		g->clear = min_f(g->clear, above);
		return false;
	}
	see_tile(g, child, tile);
	float beyond = tile->own - g->speculative, sunk = tile->own + g->speculative;
	if (beyond > 0) {
		g->clear = min_f(g->clear, beyond);
		note_nearest(g, tile->normal, beyond);
	} else {
		g->clear = above > 0 && sunk > 0 && g->mesh->one_sided ? min_f(g->clear, min_f(above, sunk)) : 0;
	}
	return !(beyond > 0) && !(above > 0 && sunk >= 0);
}

/* Whether a corner of b that is as deep as b goes is over the triangle, not only its edge or face. */
static bool is_deepest_over(const struct gathering *g, const struct tile *tile, const struct clipped *clipped)
{
	bool over = false;
	float enough = tile->own + g->radius + d3_indifference(g->speculative);
	for (uint32_t i = 0; i < clipped->count; i++)
		over |= clipped->points[i].height <= enough && (clipped->points[i].id & (D3_OF_EDGE | D3_OF_POINT)) == 0;
	return over;
}

/* Told by the triangle's own normal alone: nothing but that can be touched where the surface goes on flat, or rises all around; where it bends
** away gently, what has corners touches it as deep along the normals beside the edge as along its own, which lies between them; and where b
** barely touches, with a corner that is over the triangle, no way out is shorter. */
static bool touch_plainly(struct gathering *g, const struct tile *tile)
{
	struct clipped clipped;
	bool inner = !has_outer_edge(tile), barely = tile->own >= -g->speculative;
	bool plain = inner || (tile->gentle && g->proxy.hull && g->radius == 0);
	if (tile->behind)
		return inner;
	/* In a hollow of a two-sided surface, deep: perhaps on its other side. */
	if (!barely && (!plain || (!g->mesh->one_sided && (!inner || is_hollow(tile, 7)))))
		return false;
	bool later = tile->inner == 7 && g->later_count < LATER;
	clip_over(g, tile, tile->inner, !later, &clipped);
	if (!plain && !is_deepest_over(g, tile, &clipped))
		return false;
	if (plain || !neighbor_has_it(g, tile, tile->own)) {
		gather_face(g, tile, &clipped, 0, -INFINITY);
		if (later)
			g->later[g->later_count++] = (struct later){ tile->normal, tile->own, tile->child };
	}
	return true;
}

/* A triangle that b is apart from is told so by is_apart, for less than the distance costs; before the patch is made, where b is round, as that costs more, too:
** what is apart from the triangle and has not sunk below it has no point over it at a height that counts. The planes of a sharp hull have told already. */
static void touch(struct gathering *g, const struct tile *tile)
{
	if (g->b->type == D3_SPHERE) {
		touch_sphere(g, tile);
		return;
	}
	bool first = g->proxy.type != D3_PROXY_POINTS && tile->own >= -g->speculative && has_outer_edge(tile), sharp = g->proxy.hull && g->radius == 0;
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

/* Four triangles at once. */
struct tile_lanes {
	four n[3]; /* unit normals, towards b */
	four_masks back; /* where that is from the back */
	four winding; /* seen from there the corners run counter-clockwise: 1, or clockwise: -1 */
	four own; /* gap along the normal */
	four_masks plain; /* b's middle is on the side that is felt */
	four_masks face; /* of b's, that is turned against the normal most */
	four alignment; /* the cosine between them */
};

static inline four dot_lanes(const four a[3], const four b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross_lanes(const four a[3], const four b[3], four out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline four dot_vec(const four a[3], struct d3_vec b)
{
	return a[0] * b.x + a[1] * b.y + a[2] * b.z;
}

static inline void read_corner(const struct d3_corner_lanes *c, int k, four out[3])
{
	out[0] = four_read(c->x[k]);
	out[1] = four_read(c->y[k]);
	out[2] = four_read(c->z[k]);
}

static inline void way_between(const struct d3_corner_lanes *c, int from, int to, four out[3])
{
	four a[3], b[3];
	read_corner(c, from, a);
	read_corner(c, to, b);
	for (int axis = 0; axis < 3; axis++)
		out[axis] = b[axis] - a[axis];
}

static inline four roots(four x)
{
	return (four){ sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3]) };
}

/* The corners of b, in the mesh's frame. */
static void set_corners(struct gathering *g)
{
	g->corner_count = g->proxy.count;
	for (uint32_t i = 0; i < g->corner_count; i++)
		g->corners[i] = d3_place_point(&g->place, g->proxy.points[i]);
}

static inline four_masks choose_face(four_masks condition, int32_t face, four_masks other)
{
	return ((four_masks){ face, face, face, face } & condition) | (other & ~condition);
}

/* Sets face and alignment, and `own` to the least n . p of b's core. */
static void face_hull(struct gathering *g, struct tile_lanes *out)
{
	four least = four_of(INFINITY), most = four_of(-INFINITY);
	if (g->corner_count == 0)
		set_corners(g);
	for (uint32_t i = 0; i < g->corner_count; i++)
		least = four_least(least, dot_vec(out->n, g->corners[i]));
	out->own = least;
	out->face = (four_masks){ 0 };
	for (uint32_t i = 0; i < g->proxy.hull->face_count; i++) {
		const struct d3_hull_plane_lanes *f = &g->planes[i / 4];
		four along = -dot_vec(out->n, (struct d3_vec){ f->x[i % 4], f->y[i % 4], f->z[i % 4] });
		out->face = choose_face(along > most, (int32_t)i, out->face);
		most = four_most(along, most);
	}
	out->alignment = most;
}

/* The same of a box: each of its axes reaches back by its half size, and of its two faces, 2 k and 2 k + 1, the one that is turned against the normal stands
** out. */
static void face_box(const struct gathering *g, struct tile_lanes *out)
{
	four least = four_of(0), most = four_of(-1);
	for (int32_t k = 0; k < 3; k++) {
		int upper = 2 * k + 1;
		const struct d3_hull_plane_lanes *u = &g->planes[upper / 4], *l = &g->planes[(upper - 1) / 4];
		four along = dot_vec(out->n, (struct d3_vec){ u->x[upper % 4], u->y[upper % 4], u->z[upper % 4] }), size = four_absolute(along);
		four_masks down = along < four_of(0), better = size > most;
		/* The plane of the face that stands out towards -n, at its offset along its normal. */
		least -= size * four_choose(down, four_of(u->offset[upper % 4]), four_of(l->offset[(upper - 1) % 4]));
		out->face = choose_face(better & down, upper, choose_face(better & ~down, upper - 1, out->face));
		most = four_most(size, most);
	}
	out->own = least;
	out->alignment = most;
}

static void see_lanes(struct gathering *g, const struct d3_corner_lanes *corners, struct tile_lanes *out)
{
	bool mirrored = g->mesh->mesh && g->mesh->mesh->mirrored;
	four first[3], way[3], other[3], n[3];
	read_corner(corners, 0, first);
	way_between(corners, 0, 1, way);
	way_between(corners, 0, 2, other);
	cross_lanes(way, other, n);
	four length = roots(dot_lanes(n, n)), inverse = (mirrored ? -1.0f : 1.0f) / length;
	four height = (dot_vec(n, g->center) - dot_lanes(n, first)) * inverse;
	four_masks below = height < four_of(0);
	out->back = below & (g->mesh->one_sided ? 0 : -1);
	four turned = four_choose(out->back, four_of(-1), four_of(1));
	for (int axis = 0; axis < 3; axis++)
		out->n[axis] = n[axis] * inverse * turned;
	out->winding = mirrored ? -turned : turned;
	if (g->plane_count == 0)
		set_planes(g);
	out->plain = (length > four_of(0)) & ~(below & (g->mesh->one_sided ? -1 : 0));
	if (g->b->type == D3_BOX)
		face_box(g, out);
	else
		face_hull(g, out);
	out->own -= dot_lanes(out->n, first) + g->radius;
}

/* Where the surface goes on beyond all edges of a triangle and bends little there: the edges beyond which it bends away from that side, a bit for each.
** NOT_GENTLE: elsewhere. */
static uint32_t gentle_edges(const struct gathering *g, uint32_t child, bool back)
{
	struct d3_mesh_triangle t;
	if (g->mesh->mesh)
		t.edges = g->mesh->mesh->records[child].edges;
	else
		d3_shape_neighborhood(g->mesh, child, &t);
	uint32_t edges = t.edges, kinds = back ? edges >> 6 : edges;
	return (edges >> 12 & 7) == 7 ? (kinds >> 1 & 1) | (kinds >> 2 & 2) | (kinds >> 3 & 4) : NOT_GENTLE;
}

/* Four triangles under b's face that is turned against their normals. Points are told apart by their places, the corner or edge of the face and the lane. */
struct over_lanes {
	const struct tile_lanes *t;
	uint32_t first, lanes; /* which of the four */
	uint32_t outer[3]; /* by edge: the lanes where the surface bends away beyond it */
	four corners[3][3]; /* by corner and axis */
	four ways[3][3]; /* along edge k, from corner k */
	four heights[3]; /* of the face over the corners, along the normals */
	four part[2][3]; /* by edge: where its way comes below the face, and where it leaves that */
	four_masks line[2][3]; /* beyond which edge of the face that is */
	uint32_t there[2][3]; /* lanes: whether it does */
	uint32_t below[3]; /* lanes: whether the corner is below the face */
	uint32_t faces; /* lanes: whether the face is not seen from its edge */
	uint32_t near; /* lanes: whether a point is near */
};

/* Sets the heights of the face's plane over the triangles' corners, and leaves the lanes in which one of them is near: no point over the triangle is lower. */
static void set_heights(const struct gathering *g, struct over_lanes *o)
{
	const struct d3_patch *patch = &g->facing.patch;
	struct d3_vec f = patch->normal, p = patch->p[0];
	four cosine = -dot_vec(o->t->n, f), least = four_of(INFINITY);
	o->faces = four_bits(cosine > four_of(facing_cosine));
	for (int k = 0; k < 3; k++) {
		const four *c = o->corners[k];
		o->heights[k] = ((c[0] - p.x) * f.x + (c[1] - p.y) * f.y + (c[2] - p.z) * f.z) / cosine;
		least = four_least(least, o->heights[k]);
	}
	o->lanes &= ~(o->faces & four_bits(least > four_of(g->speculative + g->radius)));
}

/* The corners of b's face that are over the triangles: lanes, and heights. Returns the lanes in which they are not all beyond the same edge, or too high. */
static uint32_t corners_over(struct gathering *g, struct over_lanes *o, uint32_t over[D3_PATCH_MAX], four heights[D3_PATCH_MAX])
{
	const struct d3_patch *patch = &g->facing.patch;
	const struct tile_lanes *t = o->t;
	float slack = d3_indifference(g->speculative);
	four out[3][3], squares[3], reach = four_of(g->speculative + g->radius);
	uint32_t inside[4] = { 0, 0, 0, 0 };
	for (int k = 0; k < 3; k++) {
		cross_lanes(o->ways[k], t->n, out[k]);
		for (int axis = 0; axis < 3; axis++)
			out[k][axis] *= t->winding;
		squares[k] = slack * slack * dot_lanes(o->ways[k], o->ways[k]);
	}
	for (uint32_t i = 0; i < patch->count; i++) {
		struct d3_vec p = patch->p[i];
		over[i] = o->lanes;
		for (int k = 0; k < 3; k++) {
			const four *c = o->corners[k];
			four beyond = (p.x - c[0]) * out[k][0] + (p.y - c[1]) * out[k][1] + (p.z - c[2]) * out[k][2];
			uint32_t here = four_bits((beyond <= four_of(0)) | (beyond * beyond <= squares[k]));
			inside[k] |= here;
			over[i] &= here;
		}
		const four *c = o->corners[0];
		heights[i] = (p.x - c[0]) * t->n[0] + (p.y - c[1]) * t->n[1] + (p.z - c[2]) * t->n[2];
		uint32_t low = four_bits(heights[i] <= reach);
		inside[3] |= low;
		o->near |= over[i] & low;
	}
	return o->lanes & inside[0] & inside[1] & inside[2] & inside[3];
}

/* How far corners of the triangles are beyond an edge of the face, in any unit. Within the slack they count as inside. */
struct beyond_lanes {
	four distance;
	four_masks near, out;
};

/* Cuts the way of edge k with edge i of the face. An end within the slack stands for the crossing beside it. */
static inline void cut_way(struct over_lanes *o, int k, int32_t i, const struct beyond_lanes *here, const struct beyond_lanes *there)
{
	four part = here->distance / (here->distance - there->distance), zero = four_of(0), one = four_of(1);
	four enters = four_choose(here->out, four_choose(there->near, one, part), zero);
	four leaves = four_choose(there->out, four_choose(here->near, zero, part), one);
	four_masks later = enters > o->part[0][k], earlier = leaves < o->part[1][k];
	o->part[0][k] = four_most(enters, o->part[0][k]);
	/* Both ends are beyond the edge: nothing is left. */
	o->part[1][k] = four_choose(here->out & there->out, -one, four_least(leaves, o->part[1][k]));
	o->line[0][k] = choose_face(later, i, o->line[0][k]);
	o->line[1][k] = choose_face(earlier, i, o->line[1][k]);
}

/* Which corners and ways of the triangles are below the face. */
static void cut_ways(struct gathering *g, struct over_lanes *o)
{
	const struct d3_patch *patch = &g->facing.patch;
	const four *n = o->t->n;
	float slack = d3_indifference(g->speculative);
	for (int k = 0; k < 3; k++) {
		o->part[0][k] = four_of(0);
		o->part[1][k] = four_of(1);
		o->below[k] = o->lanes & o->faces;
	}
	for (uint32_t i = 0; i < patch->count; i++) {
		struct d3_vec p = patch->p[i], way = d3_sub(patch->p[i + 1 < patch->count ? i + 1 : 0], p);
		const four out[3] = { n[1] * way.z - n[2] * way.y, n[2] * way.x - n[0] * way.z, n[0] * way.y - n[1] * way.x };
		four squares = slack * slack * dot_lanes(out, out);
		struct beyond_lanes beyond[3];
		for (int k = 0; k < 3; k++) {
			const four *c = o->corners[k];
			four distance = out[0] * (c[0] - p.x) + out[1] * (c[1] - p.y) + out[2] * (c[2] - p.z);
			beyond[k].distance = distance;
			beyond[k].near = distance * distance <= squares;
			beyond[k].out = (distance > four_of(0)) & ~beyond[k].near;
			o->below[k] &= ~four_bits(beyond[k].out);
		}
		for (int k = 0; k < 3; k++)
			cut_way(o, k, (int32_t)i, &beyond[k], &beyond[k < 2 ? k + 1 : 0]);
	}
	for (int k = 0; k < 3; k++) {
		uint32_t seen = o->lanes & o->faces & four_bits(o->part[0][k] < o->part[1][k]);
		o->there[0][k] = seen & four_bits(o->part[0][k] > four_of(0));
		o->there[1][k] = seen & four_bits(o->part[1][k] < four_of(1));
	}
}

static inline struct d3_vec lane_of(const four a[3], uint32_t lane)
{
	return (struct d3_vec){ a[0][lane], a[1][lane], a[2][lane] };
}

static inline four height_at(const struct over_lanes *o, int end, int k)
{
	return o->heights[k] + o->part[end][k] * (o->heights[k < 2 ? k + 1 : 0] - o->heights[k]);
}

/* Lanes in which the corner is between two edges beyond which the surface goes on. */
static inline uint32_t inner_corner(const struct over_lanes *o, int k)
{
	return ~(o->outer[k] | o->outer[k > 0 ? k - 1 : 2]);
}

/* Sets `near`, and looks for the deepest inner point later. */
static void note_ways(struct gathering *g, struct over_lanes *o)
{
	four reach = four_of(g->speculative + g->radius), inner = four_of(INFINITY);
	const four_masks bit = { 1, 2, 4, 8 };
	for (int k = 0; k < 3; k++) {
		uint32_t within = o->below[k] & inner_corner(o, k);
		o->near |= o->below[k] & ~within & four_bits(o->heights[k] <= reach);
		four_masks is = ((four_masks){ (int32_t)within, (int32_t)within, (int32_t)within, (int32_t)within } & bit) != 0;
		inner = four_choose(is, four_least(inner, o->heights[k]), inner);
		for (int end = 0; end < 2; end++) {
			four height = height_at(o, end, k);
			within = o->there[end][k] & ~o->outer[k];
			o->near |= o->there[end][k] & o->outer[k] & four_bits(height <= reach);
			is = ((four_masks){ (int32_t)within, (int32_t)within, (int32_t)within, (int32_t)within } & bit) != 0;
			inner = four_choose(is, four_least(inner, height), inner);
		}
	}
	for (uint32_t bits = o->lanes & four_bits(inner <= reach); bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->later[g->later_count++] = (struct later){ lane_of(o->t->n, lane), inner[lane] - g->radius, o->first + lane };
	}
}

/* The triangle's number of its corner k, as it stands in the lanes. */
static uint32_t point_of(const struct gathering *g, uint32_t child, int k)
{
	const struct d3_mesh *mesh = g->mesh->mesh;
	uint32_t corners[3];
	if (mesh == NULL) {
		d3_terrain_triangle(g->mesh->terrain, child, corners);
		return corners[k];
	}
	return mesh->lists[mesh->blocks[child / D3_MESH_BLOCK].vertices + mesh->records[child].corners[k]];
}

/* q is on the triangle. */
static void gather_over(struct gathering *g, const struct over_lanes *o, uint32_t lane, struct d3_vec q, float height, uint32_t id)
{
	struct d3_vec n = lane_of(o->t->n, lane);
	struct d3_candidate_point point = { d3_mul_add(q, 0.5f * (height - g->radius), n), height - g->radius, id };
	gather(g, o->first + lane, n, &point);
}

/* Gathers the triangles' corners and the crossings of their edges, where the surface bends away. */
static void gather_ways(struct gathering *g, const struct over_lanes *o, uint32_t far)
{
	four reach = four_of(g->speculative + g->radius);
	for (int k = 0; k < 3; k++) {
		int next = k < 2 ? k + 1 : 0;
		for (uint32_t bits = o->below[k] & ~inner_corner(o, k) & (far | four_bits(o->heights[k] <= reach)); bits; bits &= bits - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(bits), point = point_of(g, o->first + lane, k);
			gather_over(g, o, lane, lane_of(o->corners[k], lane), o->heights[k][lane], name(point, point, 0));
		}
		for (int end = 0; end < 2; end++) {
			four height = height_at(o, end, k);
			for (uint32_t bits = o->there[end][k] & o->outer[k] & (far | four_bits(height <= reach)); bits; bits &= bits - 1) {
				uint32_t lane = (uint32_t)__builtin_ctz(bits), child = o->first + lane;
				struct d3_vec q = d3_mul_add(lane_of(o->corners[k], lane), o->part[end][k][lane], lane_of(o->ways[k], lane));
				uint32_t of_b = g->facing.patch.edges[o->line[end][k][lane]];
				gather_over(g, o, lane, q, height[lane], name(point_of(g, child, k), point_of(g, child, next), of_b));
			}
		}
	}
}

/* Gathers the points of b's face `face` over those of four triangles for which a bit stands in o->lanes. */
static void gather_lanes(struct gathering *g, const struct d3_corner_lanes *corners, struct over_lanes *o, uint32_t face)
{
	const struct d3_patch *patch = &g->facing.patch;
	uint32_t over[D3_PATCH_MAX];
	four heights[D3_PATCH_MAX];
	g->facing.normal = (struct d3_vec){ 0, 0, 0 };
	set_face(g, face);
	o->near = 0;
	for (int k = 0; k < 3; k++) {
		read_corner(corners, k, o->corners[k]);
		way_between(corners, k, k < 2 ? k + 1 : 0, o->ways[k]);
	}
	set_heights(g, o);
	if (o->lanes == 0)
		return;
	uint32_t all = o->lanes, outer = all & (o->outer[0] | o->outer[1] | o->outer[2]);
	for (uint32_t bits = all & ~outer; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->later[g->later_count++] = (struct later){ lane_of(o->t->n, lane), o->t->own[lane], o->first + lane };
	}
	outer &= corners_over(g, o, over, heights);
	if (outer) {
		o->lanes = outer;
		cut_ways(g, o);
		note_ways(g, o);
	}
	uint32_t far = o->near & four_bits(o->t->alignment >= four_of(D3_SAME_COSINE));
	for (uint32_t i = 0; i < patch->count; i++) {
		uint32_t bits = over[i] ? over[i] & (far | four_bits(heights[i] <= four_of(g->speculative + g->radius))) : 0;
		for (; bits; bits &= bits - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(bits);
			gather_over(g, o, lane, d3_mul_add(patch->p[i], -heights[i][lane], lane_of(o->t->n, lane)), heights[i][lane], patch->points[i]);
		}
	}
	if (outer)
		gather_ways(g, o, far);
}

/* One of four triangles that have been seen, of which the face is known. */
static void visit_seen(struct gathering *g, const struct tile_lanes *t, uint32_t first, uint32_t lane)
{
	struct d3_mesh_triangle triangle;
	struct tile tile;
	struct facing *facing = &g->facing;
	d3_shape_neighborhood(g->mesh, first + lane, &triangle);
	set_tile(&tile, &triangle, t->back[lane] != 0);
	tile.child = first + lane;
	tile.normal = (struct d3_vec){ t->n[0][lane], t->n[1][lane], t->n[2][lane] };
	tile.own = t->own[lane];
	tile.behind = false;
	facing->normal = tile.normal;
	facing->lowest = tile.own + d3_dot(tile.normal, tile.corners[0]);
	set_face(g, (uint32_t)t->face[lane]);
	touch(g, &tile);
}

/* Of the triangles, a bit for each, those around which the surface bends little: their points are gathered here. Returns them. */
static uint32_t visit_gentle(struct gathering *g, const struct d3_corner_lanes *corners, const struct tile_lanes *t, uint32_t first, uint32_t lanes)
{
	struct over_lanes o;
	uint32_t gentle = 0, back = four_bits(t->back);
	o.t = t;
	o.first = first;
	o.outer[0] = o.outer[1] = o.outer[2] = 0;
	for (uint32_t bits = g->later_count + 4 <= LATER ? lanes : 0; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits), outer = gentle_edges(g, first + lane, back >> lane & 1);
		if (outer == NOT_GENTLE || (outer && g->radius > 0))
			continue;
		gentle |= 1u << lane;
		for (int k = 0; k < 3; k++)
			o.outer[k] |= (outer >> k & 1) << lane;
	}
	for (uint32_t left = gentle; left;) {
		int32_t face = t->face[__builtin_ctz(left)];
		o.lanes = left & four_bits(t->face == face);
		left &= ~o.lanes;
		gather_lanes(g, corners, &o, (uint32_t)face);
	}
	return gentle;
}

/* What four triangles tell together: those that b is too far from, and those whose points are found in lanes. Returns those that are left, and how high they
** are above a face of b's. */
static uint32_t visit_together(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t near, four *above)
{
	struct tile_lanes t;
	bool one_sided = g->mesh->one_sided;
	see_lanes(g, corners, &t);
	four beyond = t.own - g->speculative;
	uint32_t plain = near & four_bits(t.plain), apart = plain & four_bits(beyond > four_of(0));
	/* Where b is deep on a surface with two sides, it may be on the other one: see see_tile. */
	uint32_t sunk = four_bits(t.own < four_of(one_sided ? -g->speculative : -4 * d3_indifference(g->speculative)));
	for (uint32_t bits = apart; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->clear = min_f(g->clear, beyond[lane]);
		note_nearest(g, lane_of(t.n, lane), beyond[lane]);
	}
	uint32_t left = near & ~apart, known = left & plain;
	if (g->b->type != D3_BOX)
		known &= four_bits(t.alignment >= four_of(D3_SAME_COSINE));
	left &= ~visit_gentle(g, corners, &t, first, known & ~sunk);
	if (left != (near & ~apart))
		g->clear = 0;
	if (left == 0)
		return 0;
	*above = height_above(g, corners, left) - g->apart;
	uint32_t over = left & ~sunk & four_bits(*above > four_of(0));
	for (uint32_t bits = over; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->clear = min_f(g->clear, one_sided ? min_f((*above)[lane], t.own[lane] + g->speculative) : 0);
	}
	left &= ~over;
	known &= left & (one_sided ? 15 : ~sunk);
	if (known)
		g->clear = 0;
	for (uint32_t bits = known; bits; bits &= bits - 1)
		visit_seen(g, &t, first, (uint32_t)__builtin_ctz(bits));
	return left & ~known;
}

/* Those of four triangles, the first of which is `first`, for which a bit stands in `there`. What is asked first costs least, and tells most. */
static void visit_four(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t there)
{
	four gap = corners_gap(g, corners), above;
	uint32_t near = there & ~four_bits(gap > four_of(0));
	for (uint32_t bits = there & ~near; bits; bits &= bits - 1)
		g->clear = min_f(g->clear, gap[__builtin_ctz(bits)]);
	if (near == 0)
		return;
	if (g->proxy.hull && !(g->mesh->mesh && g->mesh->mesh->uneven))
		near = visit_together(g, corners, first, near, &above);
	else
		above = height_above(g, corners, near) - g->apart;
	for (; near; near &= near - 1)
		visit(g, first + (uint32_t)__builtin_ctz(near), above[__builtin_ctz(near)]);
}

/* --- All of them ------------------------------------------------------------------------------------------------------------ */

static void include_ball(struct gathering *g, struct d3_vec center, struct d3_vec half, bool first)
{
	struct d3_vec low = d3_sub(center, half), high = d3_add(center, half), l = g->lower, u = g->upper;
	g->lower = first ? low : (struct d3_vec){ min_f(l.x, low.x), min_f(l.y, low.y), min_f(l.z, low.z) };
	g->upper = first ? high : (struct d3_vec){ max_f(u.x, high.x), max_f(u.y, high.y), max_f(u.z, high.z) };
}

/* Half of what a disc of radius 1 across the unit vector n takes along each axis. */
static struct d3_vec disc_half(struct d3_vec n)
{
	return (struct d3_vec){ sqrtf(max_f(0, 1 - n.x * n.x)), sqrtf(max_f(0, 1 - n.y * n.y)), sqrtf(max_f(0, 1 - n.z * n.z)) };
}

/* The box of the core of what is no hull: of its points; of an ellipsoid; else of its ends, which are discs or a ball and a point. */
static void round_box(struct gathering *g)
{
	const struct d3_proxy *proxy = &g->proxy;
	const struct d3_vec none = { 0, 0, 0 };
	if (proxy->type == D3_PROXY_POINTS) {
		for (uint32_t i = 0; i < proxy->count; i++)
			include_ball(g, d3_place_point(&g->place, d3_proxy_points(proxy)[i]), none, i == 0);
		return;
	}
	struct d3_place frame = d3_box_frame(g->b);
	struct d3_vec center = d3_place_point(&g->place, frame.p), h = g->b->half, axis = d3_turn(&g->place.q, frame.q.y);
	if (proxy->type == D3_PROXY_ELLIPSOID) {
		struct d3_vec x = d3_scale(h.x, d3_turn(&g->place.q, frame.q.x)), y = d3_scale(h.y, axis), z = d3_scale(h.z, d3_turn(&g->place.q, frame.q.z));
		struct d3_vec half = { sqrtf(x.x * x.x + y.x * y.x + z.x * z.x), sqrtf(x.y * x.y + y.y * y.y + z.y * z.y), sqrtf(x.z * x.z + y.z * y.z + z.z * z.z) };
		struct d3_vec radius = { g->radius, g->radius, g->radius };
		include_ball(g, center, d3_sub(half, radius), true);
		return;
	}
	bool cylinder = proxy->type == D3_PROXY_CYLINDER, ball = proxy->type == D3_PROXY_TAPERED;
	struct d3_vec end = d3_scale(h.x, ball ? (struct d3_vec){ 1, 1, 1 } : disc_half(axis));
	include_ball(g, d3_mul_add(center, -h.y, axis), end, true);
	include_ball(g, d3_mul_add(center, h.y, axis), cylinder ? end : none, false);
}

/* axis: a unit vector, or 0. */
static void set_reach(struct gathering *g, struct d3_vec axis)
{
	/* Rounding of what is far from the origin is more than the margin may hide. */
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
	g->lower = d3_sub(g->lower, (struct d3_vec){ s, s, s });
	g->upper = d3_add(g->upper, (struct d3_vec){ s, s, s });
	g->axis = axis;
	g->axis_floor = axis.x == 0 && axis.y == 0 && axis.z == 0 ? -INFINITY : lowest(g, axis) - g->speculative - 1e-6f * size;
}

/* A leaf of a mesh, its triangles in lanes. */
struct leaf {
	uint32_t first, count;
	uint32_t vertices[3][4];
};

/* Leaves to be visited, in this order. Memory is called for on the way, that of a large mesh is not at hand: the records when a leaf is queued, and the
** vertices of all leaves before the first one is visited. */
struct queue {
	uint32_t count;
	struct leaf leaves[QUEUE_MAX];
};

/* Unused lanes repeat the first one. */
static inline void find_vertices(const struct d3_mesh *mesh, struct leaf *leaf)
{
	const struct d3_mesh_record *records = mesh->records + leaf->first;
	const struct d3_mesh_block *block = &mesh->blocks[leaf->first / D3_MESH_BLOCK], *last = &mesh->blocks[(leaf->first + leaf->count - 1) / D3_MESH_BLOCK];
	const uint32_t *lists[2] = { mesh->lists + block->vertices, mesh->lists + last->vertices };
	for (uint32_t lane = 0; lane < 4; lane++) {
		uint32_t at = lane < leaf->count ? lane : 0;
		const uint32_t *list = lists[(leaf->first % D3_MESH_BLOCK + at) / D3_MESH_BLOCK];
		for (int k = 0; k < 3; k++) {
			leaf->vertices[k][lane] = list[records[at].corners[k]];
			__builtin_prefetch(&mesh->vertices[leaf->vertices[k][lane]]);
		}
	}
}

/* Corner k of four triangles: their vertices, turned into lanes. */
static inline void read_corners(const struct d3_mesh *mesh, const uint32_t vertices[4], int k, struct d3_corner_lanes *out)
{
	four p[4];
	for (int lane = 0; lane < 4; lane++)
		memcpy(&p[lane], &mesh->vertices[vertices[lane]], sizeof p[lane]);
	four xy = __builtin_shufflevector(p[0], p[1], 0, 4, 1, 5), more_xy = __builtin_shufflevector(p[2], p[3], 0, 4, 1, 5);
	four z = __builtin_shufflevector(p[0], p[1], 2, 6, 3, 7), more_z = __builtin_shufflevector(p[2], p[3], 2, 6, 3, 7);
	four x = mesh->scale.x * __builtin_shufflevector(xy, more_xy, 0, 1, 4, 5);
	four y = mesh->scale.y * __builtin_shufflevector(xy, more_xy, 2, 3, 6, 7);
	z = mesh->scale.z * __builtin_shufflevector(z, more_z, 0, 1, 4, 5);
	memcpy(out->x[k], &x, sizeof x);
	memcpy(out->y[k], &y, sizeof y);
	memcpy(out->z[k], &z, sizeof z);
}

static void visit_queue(struct gathering *g, struct queue *queue)
{
	const struct d3_mesh *mesh = g->mesh->mesh;
	for (uint32_t i = 0; i < queue->count; i++)
		find_vertices(mesh, &queue->leaves[i]);
	for (uint32_t i = 0; i < queue->count; i++) {
		const struct leaf *leaf = &queue->leaves[i];
		struct d3_corner_lanes corners;
		for (int k = 0; k < 3; k++)
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

/* Whether b's box meets that, and some of it is not beyond the plane that kept b apart; else g->clear is no more than what is between them. */
static bool enter_box(struct gathering *g, struct d3_vec low, struct d3_vec high)
{
	struct d3_vec axis = g->axis, under = d3_sub(low, g->upper), over = d3_sub(g->lower, high);
	float along = max_f(low.x * axis.x, high.x * axis.x) + max_f(low.y * axis.y, high.y * axis.y) + max_f(low.z * axis.z, high.z * axis.z);
	float gap = max_f(max_f(max_f(under.x, over.x), max_f(under.y, over.y)), max_f(under.z, over.z)), apart = max_f(gap, g->axis_floor - along);
	if (!(apart > 0))
		return true;
	g->clear = min_f(g->clear, apart);
	return false;
}

/* Like enter_box, of four nodes: a bit for each that b meets. */
static inline uint32_t enter_four(struct gathering *g, const struct reach_lanes *reach, const struct d3_node_four *nodes, four *clear)
{
	four lower[3], upper[3], along[3], apart[3];
	d3_mesh_read_four(g->mesh->mesh, nodes, lower, upper);
	for (int axis = 0; axis < 3; axis++) {
		apart[axis] = four_most(lower[axis] - reach->upper[axis], reach->lower[axis] - upper[axis]);
		along[axis] = four_most(lower[axis] * reach->axis[axis], upper[axis] * reach->axis[axis]);
	}
	four below = g->axis_floor - (along[0] + along[1] + along[2]);
	four most = four_most(four_most(apart[0], apart[1]), four_most(apart[2], below));
	four_masks out = most > four_of(0), links;
	*clear = four_choose(out, four_least(*clear, most), *clear);
	memcpy(&links, nodes->links, sizeof links);
	return 15u & ~four_bits(out | (links == 0));
}

static void visit_mesh(struct gathering *g)
{
	const struct d3_node_four *nodes = g->mesh->mesh->nodes;
	const struct reach_lanes reach = {
		{ four_of(g->lower.x), four_of(g->lower.y), four_of(g->lower.z) },
		{ four_of(g->upper.x), four_of(g->upper.y), four_of(g->upper.z) },
		{ four_of(g->axis.x), four_of(g->axis.y), four_of(g->axis.z) },
	};
	struct queue queue;
	uint32_t ring[RING], first = 0, end = 1;
	four clear = four_of(INFINITY);
	queue.count = 0;
	/* Whose boxes meet, meets the root. */
	ring[0] = d3_link_is_leaf(nodes[0].links[0]) ? 0 : nodes[0].links[0] >> 4;
	while (first != end) {
		const struct d3_node_four *four_nodes = &nodes[(end - first > RING - D3_NODE_STACK ? ring[--end % RING] : ring[first++ % RING]) / 4];
		for (uint32_t inside = enter_four(g, &reach, four_nodes, &clear); inside; inside &= inside - 1) {
			uint32_t link = four_nodes->links[__builtin_ctz(inside)], next = link >> 4;
			if (d3_link_is_leaf(link)) {
				queue_leaf(g, &queue, next, d3_link_count(link));
			} else {
				cache_prefetch(&nodes[next / 4], sizeof *nodes);
				ring[end++ % RING] = next;
			}
		}
	}
	g->clear = min_f(g->clear, -four_greatest(-clear));
	visit_queue(g, &queue);
}

/* Two cells that follow each other along a row, or one: their children do, too. */
static void visit_cells(struct gathering *g, uint32_t column, uint32_t row, uint32_t count)
{
	const struct d3_terrain *terrain = g->mesh->terrain;
	uint32_t first = 2 * (row * (terrain->columns - 1) + column), there = 0;
	struct d3_corner_lanes corners;
	for (uint32_t cell = 0; cell < 2; cell++) {
		uint32_t i = column + (cell < count ? cell : 0), across = terrain->mirrored ? 2 : 1, beside = 3 - across;
		struct d3_vec near = d3_terrain_at(terrain, i, row), far = d3_terrain_at(terrain, i + 1, row + 1);
		struct d3_vec right = d3_terrain_at(terrain, i + 1, row), down = d3_terrain_at(terrain, i, row + 1);
		const struct d3_vec even[3] = { near, far, right }, odd[3] = { near, down, far };
		for (int k = 0; k < 3; k++) {
			d3_lanes_set_corner(&corners, 2 * cell, k, even[k == 0 ? 0 : k == 1 ? across : beside]);
			d3_lanes_set_corner(&corners, 2 * cell + 1, k, odd[k == 0 ? 0 : k == 1 ? across : beside]);
		}
		there |= cell < count && !d3_terrain_hole(terrain, first + 2 * cell) ? 3u << 2 * cell : 0;
	}
	visit_four(g, &corners, first, there);
}

static void visit_terrain(struct gathering *g)
{
	const struct d3_terrain *terrain = g->mesh->terrain;
	struct d3_terrain_block stack[D3_NODE_STACK];
	uint32_t depth = 1, last = terrain->column_bits[terrain->levels > 0 ? 1 : 0];
	stack[0] = (struct d3_terrain_block){ 0, 0, terrain->levels };
	while (depth > 0) {
		const struct d3_terrain_block block = stack[--depth];
		struct d3_terrain_block halves[2];
		struct d3_vec lower, upper;
		if (block.level <= last) {
			visit_cells(g, block.column, block.row, block.level > 0 && block.column + 2 < terrain->columns ? 2 : 1);
			continue;
		}
		if (!d3_terrain_box(terrain, &block, &lower, &upper) || !enter_box(g, lower, upper))
			continue;
		for (uint32_t i = 0, count = d3_terrain_halves(terrain, &block, halves); i < count; i++)
			stack[depth++] = halves[i];
	}
}

static void visit_all(struct gathering *g)
{
	if (g->mesh->mesh)
		visit_mesh(g);
	else
		visit_terrain(g);
}

/* The inner points of a triangle can tell of something deeper only if b as a whole is deeper below its plane than what was found along its normal. */
static void gather_later(struct gathering *g)
{
	float slack = d3_indifference(g->speculative);
	for (uint32_t i = 0; i < g->later_count; i++) {
		const struct later *later = &g->later[i];
		const struct group *group = group_along(g, later->normal);
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

static void add_inner(struct group *group, float indifference)
{
	if (!(group->inner.height < group->deepest - indifference))
		return;
	if (group->count == GROUP_POINTS)
		group->count = d3_reduce_points(group->points, group->count, group->normal, indifference);
	group->points[group->count++] = group->inner;
	group->deepest = group->inner.height;
}

/* From a direction that is seldom across a normal: an order that changes only where normals turn. */
static float place_of(struct d3_vec normal)
{
	return 0.36f * normal.x + 0.79f * normal.y + 0.5f * normal.z;
}

/* The groups that press most to the front, at most D3_MANIFOLDS; they then stand in the order of their normals. */
static uint32_t choose_groups(struct gathering *g, const struct group *chosen[D3_MANIFOLDS])
{
	uint32_t count = 0;
	bool taken[GROUPS] = { false };
	for (; count < D3_MANIFOLDS && count < g->group_count; count++) {
		uint32_t best = GROUPS;
		for (uint32_t i = 0; i < g->group_count; i++)
			if (!taken[i] && (best == GROUPS || g->groups[i].deepest < g->groups[best].deepest))
				best = i;
		assert(best < GROUPS);
		taken[best] = true;
		uint32_t at = count;
		for (; at > 0 && place_of(chosen[at - 1]->normal) < place_of(g->groups[best].normal); at--)
			chosen[at] = chosen[at - 1];
		chosen[at] = &g->groups[best];
	}
	return count;
}

static const struct group *deepest_group(const struct gathering *g)
{
	const struct group *deepest = &g->groups[0];
	for (uint32_t i = 1; i < g->group_count; i++)
		if (g->groups[i].deepest < deepest->deepest)
			deepest = &g->groups[i];
	return deepest;
}

int d3_collide_mesh(const struct d3_shape *mesh, const struct d3_shape *b, uint32_t child_b, const struct d3_transform *b_in_mesh,
	float speculative, struct d3_manifold_cache *cache, float *clearance, struct d3_local_manifold out[D3_MANIFOLDS])
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
		g.solid = d3_solid_of_hull(g.proxy.hull, b->centroid);
	g.center = d3_place_point(&g.place, b->centroid);
	g.radius = (float)g.proxy.radius;
	g.speculative = speculative;
	g.apart = speculative + g.radius + d3_indifference(speculative);
	g.clear = g.nearest_gap = INFINITY;
	g.group_count = g.plane_count = g.plane = g.later_count = g.corner_count = 0;
	g.resort.inner.height = INFINITY;
	g.facing.normal = (struct d3_vec){ 0, 0, 0 };
	g.facing.face = NO_FACE;
	set_reach(&g, cache->axis);
	visit_all(&g);
	gather_later(&g);
	*clearance = max_f(g.clear - d3_indifference(speculative), 0);
	if (g.group_count > 0)
		cache->axis = deepest_group(&g)->normal;
	else if (g.nearest_gap < INFINITY)
		cache->axis = g.nearest;
	if (g.group_count == 0 && g.resort.inner.height < INFINITY)
		g.groups[g.group_count++] = g.resort;
	for (uint32_t i = 0; i < g.group_count; i++)
		add_inner(&g.groups[i], d3_indifference(speculative));
	const struct group *chosen[D3_MANIFOLDS];
	uint32_t count = choose_groups(&g, chosen);
	for (uint32_t i = 0; i < count; i++) {
		struct d3_candidate_point points[GROUP_POINTS];
		memcpy(points, chosen[i]->points, chosen[i]->count * sizeof *points);
		out[i].count = (int)d3_reduce_points(points, chosen[i]->count, chosen[i]->normal, d3_indifference(speculative));
		/* On a gentle ridge no triangle alone tells the normal, and which of them is a hair deeper changes. */
		out[i].normal = is_same(chosen[i]->sum, chosen[i]->normal) ? chosen[i]->normal : d3_normalize(chosen[i]->sum);
		out[i].triangle = chosen[i]->triangle;
		for (int k = 0; k < out[i].count; k++)
			out[i].points[k] = (struct d3_manifold_point){ points[k].p, points[k].height, points[k].id };
	}
	return (int)count;
}
