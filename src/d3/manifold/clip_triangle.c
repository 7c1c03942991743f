/* clip_triangle.c - the contact points of a face over a triangle.
 * Finds the points of d3_clip_points with a triangle as the reference, from four edges of the face at a time. An edge enters
 * the prism over the triangle at most once and leaves it at most once. These crossings, the corners of the face over the
 * triangle and the corners of the triangle below the face are all the corners of the intersection.
 * Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping", 1978, for the edges.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

#include <assert.h>
#include <string.h>

/* If the cosine between a face's normal and the triangle's reversed one is below this, the face's height over a corner of the
 * triangle is noise. */
static const float facing_cosine = 0.01f;

/* Distances of the face's corners: of[0] to of[2] beyond the triangle's edges, of[3] above its plane. Laid out like struct
 * d3_contact_face_lanes. */
struct tile_distances {
	float of[4][D3_CONTACT_FACE_LANES];
};

struct tile_clip {
	const struct d3_vec *corners; /* of the triangle */
	struct d3_vec n;
	const struct d3_contact_face *face;
	const struct d3_contact_face_lanes *lanes;
	struct tile_distances distances;
	float slack;
	uint32_t inner_edges;
	struct d3_candidate_point *inner;
	uint32_t count;
	struct d3_candidate_point *points;
};

void d3_contact_face_lanes_set(const struct d3_contact_face *patch, struct d3_contact_face_lanes *out)
{
	for (uint32_t i = 0; i < patch->count + D3_CONTACT_FACE_SPARE; ++i) {
		struct d3_vec p = patch->p[i < patch->count ? i : 0];
		out->x[i] = p.x;
		out->y[i] = p.y;
		out->z[i] = p.z;
	}
}

/* Four unit vectors: the outward directions perpendicular to the triangle's edges, in its plane, and its normal. */
struct directions {
	/* offset: of the edge's line along its outward direction, measured from the triangle's first corner; 0 for the normal */
	float4 x, y, z, offset;
};

static inline struct directions make_directions(const struct d3_vec paths[3], struct d3_vec n)
{
	float4 wx = {paths[0].x, paths[1].x, paths[2].x, 0};
	float4 wy = {paths[0].y, paths[1].y, paths[2].y, 0};
	float4 wz = {paths[0].z, paths[1].z, paths[2].z, 0};
	float4 x = wy * n.z - wz * n.y, y = wz * n.x - wx * n.z, z = wx * n.y - wy * n.x, unit = {0, 0, 0, 1};
	float4 inverse = 1 / float4_roots(x * x + y * y + z * z + unit);
	x = x * inverse + unit * n.x;
	y = y * inverse + unit * n.y;
	z = z * inverse + unit * n.z;
	/* The corners relative to the first: 0, the first path, minus the last path. */
	const float4 second = {0, 1, 0, 0}, third = {0, 0, -1, 0};
	float4 cx = second * paths[0].x + third * paths[2].x;
	float4 cy = second * paths[0].y + third * paths[2].y;
	float4 cz = second * paths[0].z + third * paths[2].z;
	return (struct directions){x, y, z, x * cx + y * cy + z * cz};
}

static inline float4 distances_of(const struct directions *d, struct d3_vec p)
{
	return d->x * p.x + d->y * p.y + d->z * p.z - d->offset;
}

/* Sets the distances. *outside: a bit for each edge that some corner is beyond. False: all corners are beyond the same edge, or
 * all are higher than `reach`. */
static bool measure(struct tile_clip *clip, const struct d3_vec paths[3], float reach, uint32_t *outside)
{
	const struct directions directions = make_directions(paths, clip->n);
	const float4 bounds = {clip->slack, clip->slack, clip->slack, reach};
	uint32_t count = clip->face->count;
	assert(count > 2);
	float4 least = float4_of(INFINITY), most = float4_of(-INFINITY);
	for (uint32_t i = 0; i < count; i += 4) {
		float4 rows[4];
		for (uint32_t k = 0; k < 4; ++k) {
			rows[k] = distances_of(&directions, d3_sub(clip->face->p[i + k < count ? i + k : 0], clip->corners[0]));
			least = float4_least(least, rows[k]);
			most = float4_most(most, rows[k]);
		}
		float4_transpose(rows);
		for (int k = 0; k < 4; ++k)
			float4_write(&clip->distances.of[k][i], rows[k]);
	}
	for (int k = 0; k < 4; ++k)
		clip->distances.of[k][count] = clip->distances.of[k][0];
	*outside = 7 & float4_bits(most > bounds);
	return float4_bits(least > bounds) == 0;
}

static inline void add(struct tile_clip *clip, struct d3_vec p, float height, uint32_t of_triangle, uint32_t of_face)
{
	if (clip->count < D3_CANDIDATES_MAX)
		clip->points[clip->count++] = (struct d3_candidate_point){p, height, d3_feature_pair(of_triangle, of_face)};
}

/* Adds a point at an edge or corner of the triangle. `inner`: the surface continues there; of these points only the deepest is
 * kept, in *clip->inner if that is wanted. */
static inline void add_at_edge(
	struct tile_clip *clip, bool inner, struct d3_vec p, float height, uint32_t of_triangle, uint32_t of_face)
{
	if (!inner)
		add(clip, p, height, of_triangle, of_face);
	else if (clip->inner && height < clip->inner->height)
		*clip->inner = (struct d3_candidate_point){p, height, d3_feature_pair(of_triangle, of_face)};
}

/* The crossings of four edges of the face with edges of the triangle. */
struct crossings {
	float4 part[2]; /* fraction of the edge where it enters, and where it leaves */
	int4 line[2]; /* the triangle's edge at the crossing */
	uint32_t there[2]; /* a bit for each edge that has this crossing */
	uint32_t inside; /* a bit for each edge whose first corner is inside */
};

/* Clips four edges of the face by the triangle. A corner of the face within the slack of a triangle's edge counts as inside,
 * and replaces the crossing next to it. */
static inline struct crossings cross_four(const struct tile_clip *clip, uint32_t first)
{
	struct crossings c = {{float4_of(0), float4_of(1)}, {{0}, {0}}, {0, 0}, 0};
	float4 slack = float4_of(clip->slack);
	int4 dead = {0}, out = {0};
	for (int32_t k = 0; k < 3; ++k) {
		float4 here = float4_read(&clip->distances.of[k][first]), there = float4_read(&clip->distances.of[k][first + 1]);
		int4 from = here > slack, to = there > slack, line = {k, k, k, k};
		float4 part = here / (here - there);
		float4 enters = float4_choose(from, float4_choose(there > -slack, float4_of(1), part), float4_of(0));
		float4 leaves = float4_choose(to, float4_choose(here > -slack, float4_of(0), part), float4_of(1));
		int4 later = enters > c.part[0], earlier = leaves < c.part[1];
		c.part[0] = float4_choose(later, enters, c.part[0]);
		c.part[1] = float4_choose(earlier, leaves, c.part[1]);
		c.line[0] = (line & later) | (c.line[0] & ~later);
		c.line[1] = (line & earlier) | (c.line[1] & ~earlier);
		dead |= from & to;
		out |= from;
	}
	uint32_t lanes = float4_lanes(clip->face->count - first);
	uint32_t seen = lanes & float4_bits((c.part[0] < c.part[1]) & ~dead);
	c.there[0] = seen & float4_bits(c.part[0] > float4_of(0));
	c.there[1] = seen & float4_bits(c.part[1] < float4_of(1));
	c.inside = lanes & ~float4_bits(out);
	return c;
}

/* Adds the corners of the face, of the four from `first` on, that are over the triangle, to within the slack. */
static void add_inside(struct tile_clip *clip, uint32_t first)
{
	const struct d3_contact_face *face = clip->face;
	const float(*of)[D3_CONTACT_FACE_LANES] = clip->distances.of;
	float4 most = float4_most(float4_read(&of[0][first]), float4_most(float4_read(&of[1][first]), float4_read(&of[2][first])));
	uint32_t lanes = float4_lanes(face->count - first);
	for (uint32_t bits = lanes & float4_bits(most <= float4_of(clip->slack)); bits; bits &= bits - 1) {
		uint32_t i = first + (uint32_t)__builtin_ctz(bits);
		add(clip, face->p[i], of[3][i], D3_OF_FACE, face->points[i]);
	}
}

/* Adds the crossings of four edges of the face, from `first` on, and their first corners that are inside, in order around
 * it. */
static void add_edges(struct tile_clip *clip, uint32_t first)
{
	const struct d3_contact_face *face = clip->face;
	const float *heights = clip->distances.of[3];
	struct crossings c = cross_four(clip, first);
	for (uint32_t bits = c.inside | c.there[0] | c.there[1]; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits), i = first + lane, next = i + 1 < face->count ? i + 1 : 0;
		if (c.inside >> lane & 1)
			add(clip, face->p[i], heights[i], D3_OF_FACE, face->points[i]);
		for (int end = 0; end < 2; ++end) {
			if ((c.there[end] >> lane & 1) == 0)
				continue;
			float part = c.part[end][lane];
			struct d3_vec p = d3_mul_add(face->p[i], part, d3_sub(face->p[next], face->p[i]));
			uint32_t k = (uint32_t)c.line[end][lane];
			float height = heights[i] + part * (heights[i + 1] - heights[i]);
			add_at_edge(clip, clip->inner_edges >> k & 1, p, height, D3_OF_EDGE | k, face->edges[i]);
		}
	}
}

/* A bit for each corner of the triangle that, seen along its normal, is within the face or beyond it by at most the slack. */
static uint32_t corners_below(const struct tile_clip *clip)
{
	const struct d3_contact_face_lanes *p = clip->lanes;
	struct d3_vec n = clip->n;
	uint32_t below = 7;
	for (uint32_t i = 0; i < clip->face->count && below; i += 4) {
		float4 x = float4_read(&p->x[i]), y = float4_read(&p->y[i]), z = float4_read(&p->z[i]);
		float4 wx = float4_read(&p->x[i + 1]) - x, wy = float4_read(&p->y[i + 1]) - y, wz = float4_read(&p->z[i + 1]) - z;
		float4 ox = n.y * wz - n.z * wy, oy = n.z * wx - n.x * wz, oz = n.x * wy - n.y * wx;
		float4 square = clip->slack * clip->slack * (ox * ox + oy * oy + oz * oz);
		for (int k = 0; k < 3; ++k) {
			struct d3_vec c = clip->corners[k];
			float4 beyond = ox * (c.x - x) + oy * (c.y - y) + oz * (c.z - z);
			below &= ~((uint32_t)(float4_bits((beyond > float4_of(0)) & (beyond * beyond > square)) != 0) << k);
		}
	}
	return below;
}

static void add_corners(struct tile_clip *clip)
{
	const struct d3_contact_face *face = clip->face;
	float cosine = -d3_dot(face->normal, clip->n);
	if (!(cosine > facing_cosine))
		return;
	for (uint32_t below = corners_below(clip); below; below &= below - 1) {
		uint32_t k = (uint32_t)__builtin_ctz(below);
		struct d3_vec c = clip->corners[k];
		float height = d3_dot(face->normal, d3_sub(c, face->p[0])) / cosine;
		bool inner = clip->inner_edges >> k & clip->inner_edges >> (k > 0 ? k - 1 : 2) & 1;
		add_at_edge(clip, inner, d3_mul_add(c, height, clip->n), height, D3_OF_POINT | k, D3_OF_FACE | face->face);
	}
}

uint32_t d3_clip_tile(const struct d3_vec corners[3], const struct d3_vec paths[3], struct d3_vec n,
	const struct d3_contact_face *face, const struct d3_contact_face_lanes *lanes, float radius, float speculative,
	uint32_t inner_edges, struct d3_candidate_point *inner, struct d3_candidate_point *points)
{
	struct tile_clip clip;
	uint32_t outside;
	clip.corners = corners;
	clip.n = n;
	clip.face = face;
	clip.lanes = lanes;
	clip.slack = d3_indifference(speculative);
	clip.inner_edges = inner_edges;
	clip.inner = inner;
	clip.count = 0;
	clip.points = points;
	if (!measure(&clip, paths, speculative + radius, &outside))
		return 0;
	bool corners_only = inner_edges == 7 && inner == NULL;
	for (uint32_t i = 0; i < face->count; i += 4)
		if (outside == 0 || corners_only)
			add_inside(&clip, i);
		else
			add_edges(&clip, i);
	if (outside != 0 && !corners_only)
		add_corners(&clip);
	if (inner && inner->height > speculative + radius)
		inner->height = INFINITY;
	bool parallel = -d3_dot(face->normal, n) >= D3_SAME_COSINE;
	return d3_near_points(points, clip.count, (const float[2]){0, 0}, speculative + radius, parallel);
}
