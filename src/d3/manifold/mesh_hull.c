/* mesh_hull.c - four triangles of a mesh or height field at once against a hull.
 * Triangles around which the surface bends little take the contact points of the hull's face that is turned against them, as
 * d3_clip_tile finds them for one triangle. The clipping is done in lanes; the points are gathered one by one.
 * Pure, any thread. */
#include "d3/manifold/mesh.h"

static const uint32_t NOT_GENTLE = UINT32_MAX;

/* If the cosine between a face's normal and the reversed one of a triangle is below this, the height of one over the other is
 * noise. */
static const float facing_cosine = 0.01f;

void d3_bound_face(struct facing *facing)
{
	struct d3_vec lower = facing->patch.p[0], upper = lower;
	for (uint32_t i = 1; i < facing->patch.count; ++i) {
		lower = d3_min(lower, facing->patch.p[i]);
		upper = d3_max(upper, facing->patch.p[i]);
	}
	facing->lower = lower;
	facing->upper = upper;
	if (facing->patch.count > 2)
		d3_contact_face_lanes_set(&facing->patch, &facing->lanes);
}

void d3_set_face(struct gathering *g, uint32_t face)
{
	struct facing *facing = &g->facing;
	if (face == facing->face)
		return;
	d3_polytope_face(&g->solid, &g->frame, face, &facing->patch);
	d3_bound_face(facing);
	facing->face = face;
}

/* Computes the planes of b's faces in the mesh's frame. */
static void set_planes(struct gathering *g)
{
	const struct d3_hull *hull = g->proxy.hull;
	const struct d3_rot *q = &g->frame.q;
	g->plane_count = hull ? (hull->face_count + 3) / 4 : 0;
	for (uint32_t i = 0; i < g->plane_count; ++i) {
		const struct d3_hull_plane_lanes *f = &hull->plane_lanes[i];
		struct d3_hull_plane_lanes *out = &g->planes[i];
		float4 x = float4_read(f->x), y = float4_read(f->y), z = float4_read(f->z);
		float4 turned_x = q->x.x * x + q->y.x * y + q->z.x * z, turned_y = q->x.y * x + q->y.y * y + q->z.y * z;
		float4 turned_z = q->x.z * x + q->y.z * y + q->z.z * z;
		float4 offset = float4_read(f->offset) + g->frame.p.x * turned_x + g->frame.p.y * turned_y + g->frame.p.z * turned_z;
		float4_write(out->x, turned_x);
		float4_write(out->y, turned_y);
		float4_write(out->z, turned_z);
		float4_write(out->offset, offset);
	}
}

static inline float4 height_over(const struct gathering *g, uint32_t face, const struct d3_corner_lanes *c)
{
	const struct d3_hull_plane_lanes *f = &g->planes[face / 4];
	float x = f->x[face % 4], y = f->y[face % 4], z = f->z[face % 4];
	return float4_least(d3_height_of(c, 0, x, y, z), float4_least(d3_height_of(c, 1, x, y, z), d3_height_of(c, 2, x, y, z))) -
		f->offset[face % 4];
}

/* d3_height_above for a box: for each of four triangles, the greatest separation along any of the six face normals. Faces 2 k
 * and 2 k + 1 are opposite and share the dot products. */
static float4 height_above_box(const struct gathering *g, const struct d3_corner_lanes *c)
{
	float4 most = float4_of(-INFINITY);
	for (int k = 0; k < 3; ++k) {
		int lower = 2 * k, upper = lower + 1;
		const struct d3_hull_plane_lanes *u = &g->planes[upper / 4], *l = &g->planes[lower / 4];
		float x = u->x[upper % 4], y = u->y[upper % 4], z = u->z[upper % 4];
		float4 p = d3_height_of(c, 0, x, y, z), q = d3_height_of(c, 1, x, y, z), r = d3_height_of(c, 2, x, y, z);
		most = float4_most(float4_least(p, float4_least(q, r)) - u->offset[upper % 4], most);
		most = float4_most(-float4_most(p, float4_most(q, r)) - l->offset[lower % 4], most);
	}
	return most;
}

float4 d3_height_above(struct gathering *g, const struct d3_corner_lanes *c, uint32_t near)
{
	uint32_t count = g->proxy.hull ? g->proxy.hull->face_count : 0, first = g->plane;
	float enough = g->apart + 2 * g->speculative;
	if (count == 0)
		return float4_of(-INFINITY);
	if (g->plane_count == 0)
		set_planes(g);
	if (g->b->type == D3_BOX)
		return height_above_box(g, c);
	float4 most = height_over(g, first, c);
	for (uint32_t i = 0; i < count && (near & ~float4_bits(most > float4_of(enough))); ++i) {
		float4 height = height_over(g, i, c);
		g->plane = float4_bits(height > most) & near ? i : g->plane;
		most = float4_most(height, most);
	}
	return most;
}

static inline float4 dot_lanes(const float4 a[3], const float4 b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross_lanes(const float4 a[3], const float4 b[3], float4 out[3])
{
	out[0] = a[1] * b[2] - a[2] * b[1];
	out[1] = a[2] * b[0] - a[0] * b[2];
	out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline float4 dot_vec(const float4 a[3], struct d3_vec b)
{
	return a[0] * b.x + a[1] * b.y + a[2] * b.z;
}

static inline void read_corner(const struct d3_corner_lanes *c, int k, float4 out[3])
{
	out[0] = float4_read(c->x[k]);
	out[1] = float4_read(c->y[k]);
	out[2] = float4_read(c->z[k]);
}

static inline void path_between(const struct d3_corner_lanes *c, int from, int to, float4 out[3])
{
	float4 a[3], b[3];
	read_corner(c, from, a);
	read_corner(c, to, b);
	for (int axis = 0; axis < 3; ++axis)
		out[axis] = b[axis] - a[axis];
}

/* The corners of b, in the mesh's frame. */
static void set_corners(struct gathering *g)
{
	g->corner_count = g->proxy.count;
	for (uint32_t i = 0; i < g->corner_count; ++i)
		g->corners[i] = d3_frame_point(&g->frame, g->proxy.points[i]);
}

static inline int4 choose_face(int4 condition, int32_t face, int4 other)
{
	return ((int4){face, face, face, face} & condition) | (other & ~condition);
}

/* Sets face, alignment and least of four triangles. */
static void face_hull(struct gathering *g, struct tile_lanes *out)
{
	float4 least = float4_of(INFINITY), most = float4_of(-INFINITY);
	if (g->corner_count == 0)
		set_corners(g);
	for (uint32_t i = 0; i < g->corner_count; ++i)
		least = float4_least(least, dot_vec(out->n, g->corners[i]));
	out->least = least;
	out->face = (int4){0};
	for (uint32_t i = 0; i < g->proxy.hull->face_count; ++i) {
		const struct d3_hull_plane_lanes *f = &g->planes[i / 4];
		float4 along = -dot_vec(out->n, (struct d3_vec){f->x[i % 4], f->y[i % 4], f->z[i % 4]});
		out->face = choose_face(along > most, (int32_t)i, out->face);
		most = float4_most(along, most);
	}
	out->alignment = most;
}

/* face_hull for a box. Each axis adds the extent of one of its two opposite faces, 2 k and 2 k + 1: the one turned against the
 * normal. */
static void face_box(const struct gathering *g, struct tile_lanes *out)
{
	float4 least = float4_of(0), most = float4_of(-1);
	out->face = (int4){0};
	for (int32_t k = 0; k < 3; ++k) {
		int upper = 2 * k + 1;
		const struct d3_hull_plane_lanes *u = &g->planes[upper / 4], *l = &g->planes[(upper - 1) / 4];
		float4 along = dot_vec(out->n, (struct d3_vec){u->x[upper % 4], u->y[upper % 4], u->z[upper % 4]});
		float4 size = float4_absolute(along);
		int4 down = along<float4_of(0), better = size> most;
		/* The offset is that of the face turned towards -n. */
		least -= size * float4_choose(down, float4_of(u->offset[upper % 4]), float4_of(l->offset[(upper - 1) % 4]));
		out->face = choose_face(better & down, upper, choose_face(better & ~down, upper - 1, out->face));
		most = float4_most(size, most);
	}
	out->least = least;
	out->alignment = most;
}

/* Sets *out for four triangles. Degenerate ones are not plain, and their other fields are not valid. */
static void see_lanes(struct gathering *g, const struct d3_corner_lanes *corners, struct tile_lanes *out)
{
	bool mirrored = g->mesh->mesh && g->mesh->mesh->mirrored;
	float4 first[3], delta[3], other[3], n[3];
	read_corner(corners, 0, first);
	path_between(corners, 0, 1, delta);
	path_between(corners, 0, 2, other);
	cross_lanes(delta, other, n);
	float4 length = float4_roots(dot_lanes(n, n)), inverse = (mirrored ? -1.0f : 1.0f) / length;
	float4 height = (dot_vec(n, g->center) - dot_lanes(n, first)) * inverse;
	int4 below = height < float4_of(0);
	out->back = below & (g->mesh->one_sided ? 0 : -1);
	float4 turned = float4_choose(out->back, float4_of(-1), float4_of(1));
	for (int axis = 0; axis < 3; ++axis)
		out->n[axis] = n[axis] * inverse * turned;
	out->winding = mirrored ? -turned : turned;
	if (g->plane_count == 0)
		set_planes(g);
	out->plain = (length > float4_of(0)) & ~(below & (g->mesh->one_sided ? -1 : 0));
	if (g->b->type == D3_BOX)
		face_box(g, out);
	else
		face_hull(g, out);
	out->own = out->least - dot_lanes(out->n, first) - g->radius;
}

/* Returns those of `lanes` whose face has b's lowest corner, to within the indifference: on a hull, a face less turned against
 * the normal may have it. */
static uint32_t lowest_faces(const struct gathering *g, const struct tile_lanes *t, uint32_t lanes)
{
	const struct d3_hull_edge *edges = g->solid.edges;
	for (uint32_t bits = lanes; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits), start = g->solid.face_edges[t->face[lane]], edge = start;
		struct d3_vec n = d3_lane_of(t->n, lane);
		float least = INFINITY;
		do {
			least = min_f(least, d3_dot(n, g->corners[edges[edge].origin]));
			edge = edges[edge].next;
		} while (edge != start);
		if (least > t->least[lane] + d3_indifference(g->speculative))
			lanes &= ~(1u << lane);
	}
	return lanes;
}

/* A bit for each edge beyond which the surface bends away, seen from the front or the back. NOT_GENTLE: the surface ends at an
 * edge, or bends more than a little. */
static uint32_t gentle_edges(const struct gathering *g, uint32_t child, bool back)
{
	uint32_t edges = d3_mesh_edges(g, child).edges, kinds = back ? edges >> 6 : edges;
	return (edges >> 12 & 7) == 7 ? (kinds >> 1 & 1) | (kinds >> 2 & 2) | (kinds >> 3 & 4) : NOT_GENTLE;
}

/* Four triangles clipped against the face of b that is turned against their normals. A point is identified by its corner or
 * edge of the triangle and its lane. */
struct over_lanes {
	const struct tile_lanes *t;
	const uint32_t *children;
	uint32_t lanes; /* lanes in use */
	const uint32_t *outer; /* by edge: lanes in which the surface bends away beyond it */
	float4 corners[3][3]; /* by corner and axis */
	float4 paths[3][3]; /* along edge k, from corner k */
	float4 heights[3]; /* of the face over the corners, along the normals */
	float4 part[2][3]; /* by edge: fractions at which it enters the face, and leaves it */
	int4 line[2][3]; /* the face's edge at that crossing */
	uint32_t there[2][3]; /* lanes that have that crossing */
	uint32_t below[3]; /* lanes in which the corner, seen along the normal, is within the face */
	uint32_t faces; /* lanes in which the face is not seen edge-on */
	uint32_t near; /* lanes in which a point is within the margin */
};

/* Sets the heights of the plane of b's face over the triangles' corners, and `faces`. Of the lanes in `faces`, drops those in
 * which all three heights exceed the margin plus b's radius: no point of b's core over the triangle is lower than the least of
 * them. */
static void set_heights(const struct gathering *g, struct over_lanes *o)
{
	const struct d3_contact_face *patch = &g->facing.patch;
	struct d3_vec f = patch->normal, p = patch->p[0];
	float4 cosine = -dot_vec(o->t->n, f), least = float4_of(INFINITY);
	o->faces = float4_bits(cosine > float4_of(facing_cosine));
	for (int k = 0; k < 3; ++k) {
		const float4 *c = o->corners[k];
		o->heights[k] = ((c[0] - p.x) * f.x + (c[1] - p.y) * f.y + (c[2] - p.z) * f.z) / cosine;
		least = float4_least(least, o->heights[k]);
	}
	o->lanes &= ~(o->faces & float4_bits(least > float4_of(g->speculative + g->radius)));
}

/* For each corner of b's face, finds the lanes in which it is over the triangle, and its heights. Returns the lanes in which
 * the corners are not all beyond the same edge, and not all too high. */
static uint32_t corners_over(
	struct gathering *g, struct over_lanes *o, uint32_t over[D3_CONTACT_FACE_MAX], float4 heights[D3_CONTACT_FACE_MAX])
{
	const struct d3_contact_face *patch = &g->facing.patch;
	const struct tile_lanes *t = o->t;
	float slack = d3_indifference(g->speculative);
	float4 out[3][3], squares[3], reach = float4_of(g->speculative + g->radius);
	uint32_t inside[4] = {0, 0, 0, 0};
	for (int k = 0; k < 3; ++k) {
		cross_lanes(o->paths[k], t->n, out[k]);
		for (int axis = 0; axis < 3; ++axis)
			out[k][axis] *= t->winding;
		squares[k] = slack * slack * dot_lanes(o->paths[k], o->paths[k]);
	}
	for (uint32_t i = 0; i < patch->count; ++i) {
		struct d3_vec p = patch->p[i];
		over[i] = o->lanes;
		for (int k = 0; k < 3; ++k) {
			const float4 *c = o->corners[k];
			float4 beyond = (p.x - c[0]) * out[k][0] + (p.y - c[1]) * out[k][1] + (p.z - c[2]) * out[k][2];
			uint32_t here = float4_bits((beyond <= float4_of(0)) | (beyond * beyond <= squares[k]));
			inside[k] |= here;
			over[i] &= here;
		}
		const float4 *c = o->corners[0];
		heights[i] = (p.x - c[0]) * t->n[0] + (p.y - c[1]) * t->n[1] + (p.z - c[2]) * t->n[2];
		uint32_t low = float4_bits(heights[i] <= reach);
		inside[3] |= low;
		o->near |= over[i] & low;
	}
	return o->lanes & inside[0] & inside[1] & inside[2] & inside[3];
}

/* Distances of the triangles' corners beyond an edge of the face, times the edge's length seen along the normals. near: within
 * the slack, which counts as inside; out: farther beyond. */
struct beyond_lanes {
	float4 distance;
	int4 near, out;
};

/* Clips edge k of the triangles with edge i of the face. An end within the slack replaces the crossing beside it. */
static inline void clip_edge(
	struct over_lanes *o, int k, int32_t i, const struct beyond_lanes *here, const struct beyond_lanes *there)
{
	float4 part = here->distance / (here->distance - there->distance), zero = float4_of(0), one = float4_of(1);
	float4 enters = float4_choose(here->out, float4_choose(there->near, one, part), zero);
	float4 leaves = float4_choose(there->out, float4_choose(here->near, zero, part), one);
	int4 later = enters > o->part[0][k], earlier = leaves < o->part[1][k];
	o->part[0][k] = float4_most(enters, o->part[0][k]);
	/* If both ends are beyond the edge, nothing is left. */
	o->part[1][k] = float4_choose(here->out & there->out, -one, float4_least(leaves, o->part[1][k]));
	o->line[0][k] = choose_face(later, i, o->line[0][k]);
	o->line[1][k] = choose_face(earlier, i, o->line[1][k]);
}

/* Finds the corners and the parts of edges of the triangles that, seen along the normals, are within the face. */
static void clip_edges(struct gathering *g, struct over_lanes *o)
{
	const struct d3_contact_face *patch = &g->facing.patch;
	const float4 *n = o->t->n;
	float slack = d3_indifference(g->speculative);
	for (int k = 0; k < 3; ++k) {
		o->part[0][k] = float4_of(0);
		o->part[1][k] = float4_of(1);
		o->below[k] = o->lanes & o->faces;
	}
	for (uint32_t i = 0; i < patch->count; ++i) {
		struct d3_vec p = patch->p[i], delta = d3_sub(patch->p[i + 1 < patch->count ? i + 1 : 0], p);
		const float4 out[3] = {
			n[1] * delta.z - n[2] * delta.y, n[2] * delta.x - n[0] * delta.z, n[0] * delta.y - n[1] * delta.x};
		float4 squares = slack * slack * dot_lanes(out, out);
		struct beyond_lanes beyond[3];
		uint32_t out_of[3]; /* lanes */
		for (int k = 0; k < 3; ++k) {
			const float4 *c = o->corners[k];
			float4 distance = out[0] * (c[0] - p.x) + out[1] * (c[1] - p.y) + out[2] * (c[2] - p.z);
			beyond[k].distance = distance;
			beyond[k].near = distance * distance <= squares;
			beyond[k].out = (distance > float4_of(0)) & ~beyond[k].near;
			out_of[k] = o->lanes & float4_bits(beyond[k].out);
			o->below[k] &= ~out_of[k];
		}
		/* An edge with neither end beyond the face's edge stays whole: most edges of the face are far from the triangles. */
		for (int k = 0; k < 3; ++k) {
			int next = k < 2 ? k + 1 : 0;
			if (out_of[k] | out_of[next])
				clip_edge(o, k, (int32_t)i, &beyond[k], &beyond[next]);
		}
	}
	for (int k = 0; k < 3; ++k) {
		uint32_t seen = o->lanes & o->faces & float4_bits(o->part[0][k] < o->part[1][k]);
		o->there[0][k] = seen & float4_bits(o->part[0][k] > float4_of(0));
		o->there[1][k] = seen & float4_bits(o->part[1][k] < float4_of(1));
	}
}

static inline float4 height_at(const struct over_lanes *o, int end, int k)
{
	return o->heights[k] + o->part[end][k] * (o->heights[k < 2 ? k + 1 : 0] - o->heights[k]);
}

/* Lanes in which the corner is between two edges beyond which the surface does not bend away. */
static inline uint32_t inner_corner(const struct over_lanes *o, int k)
{
	return ~(o->outer[k] | o->outer[k > 0 ? k - 1 : 2]);
}

/* A mask of the lanes whose bit is set. */
static inline int4 lanes_of(uint32_t bits)
{
	int32_t all = (int32_t)bits;
	return ((int4){all, all, all, all} & (int4){1, 2, 4, 8}) != 0;
}

/* Adds to o->near the lanes with a point within the margin at an edge beyond which the surface bends away. Puts into g->later
 * those with such a point at another edge. */
static void note_paths(struct gathering *g, struct over_lanes *o)
{
	float4 reach = float4_of(g->speculative + g->radius), inner = float4_of(INFINITY);
	for (int k = 0; k < 3; ++k) {
		uint32_t within = o->below[k] & inner_corner(o, k);
		o->near |= o->below[k] & ~within & float4_bits(o->heights[k] <= reach);
		inner = float4_choose(lanes_of(within), float4_least(inner, o->heights[k]), inner);
		for (int end = 0; end < 2; ++end) {
			float4 height = height_at(o, end, k);
			within = o->there[end][k] & ~o->outer[k];
			o->near |= o->there[end][k] & o->outer[k] & float4_bits(height <= reach);
			inner = float4_choose(lanes_of(within), float4_least(inner, height), inner);
		}
	}
	for (uint32_t bits = o->lanes & float4_bits(inner <= reach); bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->later[g->later_count++] = (struct later){d3_lane_of(o->t->n, lane), inner[lane] - g->radius, o->children[lane]};
	}
}

/* The vertex number of the triangle's corner k, in the order of struct d3_corner_lanes. */
static uint32_t point_of(const struct gathering *g, uint32_t child, int k)
{
	const struct d3_mesh *mesh = g->mesh->mesh;
	uint32_t corners[3];
	if (g->mesh->voxels)
		return d3_voxels_point(g->mesh, child, k);
	if (mesh == NULL) {
		d3_height_field_triangle(g->mesh->height_field, child, corners);
		return corners[k];
	}
	return mesh->lists[mesh->blocks[child / D3_MESH_BLOCK].vertices + mesh->records[child].corners[k]];
}

/* Gathers a point; q is its projection onto the triangle. */
static void gather_over(
	struct gathering *g, const struct over_lanes *o, uint32_t lane, struct d3_vec q, float height, uint32_t id)
{
	struct d3_vec n = d3_lane_of(o->t->n, lane);
	struct d3_candidate_point point = {d3_mul_add(q, 0.5f * (height - g->radius), n), height - g->radius, id};
	d3_gather(g, o->children[lane], n, &point);
}

/* Gathers the triangles' corners, and the crossings of their edges, at edges beyond which the surface bends away. far: lanes
 * whose points beyond the margin are wanted, too. */
static void gather_paths(struct gathering *g, const struct over_lanes *o, uint32_t far)
{
	float4 reach = float4_of(g->speculative + g->radius);
	for (int k = 0; k < 3; ++k) {
		int next = k < 2 ? k + 1 : 0;
		for (uint32_t bits = o->below[k] & ~inner_corner(o, k) & (far | float4_bits(o->heights[k] <= reach)); bits;
			 bits &= bits - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(bits), point = point_of(g, o->children[lane], k);
			gather_over(g, o, lane, d3_lane_of(o->corners[k], lane), o->heights[k][lane], d3_gather_name(point, point, 0));
		}
		for (int end = 0; end < 2; ++end) {
			float4 height = height_at(o, end, k);
			for (uint32_t bits = o->there[end][k] & o->outer[k] & (far | float4_bits(height <= reach)); bits;
				 bits &= bits - 1) {
				uint32_t lane = (uint32_t)__builtin_ctz(bits), child = o->children[lane];
				struct d3_vec q =
					d3_mul_add(d3_lane_of(o->corners[k], lane), o->part[end][k][lane], d3_lane_of(o->paths[k], lane));
				uint32_t of_b = g->facing.patch.edges[o->line[end][k][lane]];
				gather_over(g, o, lane, q, height[lane], d3_gather_name(point_of(g, child, k), point_of(g, child, next), of_b));
			}
		}
	}
}

/* Gathers the points of b's face `face` over the triangles in o->lanes. */
static void gather_lanes(struct gathering *g, const struct d3_corner_lanes *corners, struct over_lanes *o, uint32_t face)
{
	const struct d3_contact_face *patch = &g->facing.patch;
	uint32_t over[D3_CONTACT_FACE_MAX];
	float4 heights[D3_CONTACT_FACE_MAX];
	g->facing.normal = (struct d3_vec){0, 0, 0};
	d3_set_face(g, face);
	o->near = 0;
	for (int k = 0; k < 3; ++k) {
		read_corner(corners, k, o->corners[k]);
		path_between(corners, k, k < 2 ? k + 1 : 0, o->paths[k]);
	}
	set_heights(g, o);
	if (o->lanes == 0)
		return;
	uint32_t all = o->lanes, outer = all & (o->outer[0] | o->outer[1] | o->outer[2]);
	for (uint32_t bits = all & ~outer; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->later[g->later_count++] = (struct later){d3_lane_of(o->t->n, lane), o->t->own[lane], o->children[lane]};
	}
	outer &= corners_over(g, o, over, heights);
	if (outer) {
		o->lanes = outer;
		clip_edges(g, o);
		note_paths(g, o);
	}
	uint32_t far = o->near & float4_bits(o->t->alignment >= float4_of(D3_SAME_COSINE));
	for (uint32_t i = 0; i < patch->count; ++i) {
		uint32_t bits = over[i] ? over[i] & (far | float4_bits(heights[i] <= float4_of(g->speculative + g->radius))) : 0;
		for (; bits; bits &= bits - 1) {
			uint32_t lane = (uint32_t)__builtin_ctz(bits);
			gather_over(g, o, lane, d3_mul_add(patch->p[i], -heights[i][lane], d3_lane_of(o->t->n, lane)), heights[i][lane],
				patch->points[i]);
		}
	}
	if (outer)
		gather_paths(g, o, far);
}

/* Adds a triangle to the pending ones. outer: a bit for each of its edges beyond which the surface bends away. */
static void push_lane(struct pending *pending, const struct d3_corner_lanes *corners, const struct tile_lanes *t,
	uint32_t child, uint32_t lane, uint32_t outer)
{
	uint32_t at = pending->count++;
	pending->children[at] = child;
	for (int k = 0; k < 3; ++k) {
		pending->outer[k] |= (outer >> k & 1) << at;
		pending->corners.x[k][at] = corners->x[k][lane];
		pending->corners.y[k][at] = corners->y[k][lane];
		pending->corners.z[k][at] = corners->z[k][lane];
		pending->t.n[k][at] = t->n[k][lane];
	}
	pending->t.winding[at] = t->winding[lane];
	pending->t.own[at] = t->own[lane];
	pending->t.face[at] = t->face[lane];
	pending->t.alignment[at] = t->alignment[lane];
}

void d3_visit_pending(struct gathering *g)
{
	struct pending *pending = &g->pending;
	struct over_lanes o;
	uint32_t lanes = (1u << pending->count) - 1;
	if (lanes == 0)
		return;
	assert(g->later_count + pending->count <= LATER);
	/* Unused lanes repeat the first triangle. */
	while (pending->count < 4)
		push_lane(pending, &pending->corners, &pending->t, pending->children[0], 0, 0);
	o.t = &pending->t;
	o.children = pending->children;
	o.outer = pending->outer;
	for (uint32_t left = lanes; left;) {
		int32_t face = pending->t.face[__builtin_ctz(left)];
		o.lanes = left & float4_bits(pending->t.face == face);
		left &= ~o.lanes;
		gather_lanes(g, &pending->corners, &o, (uint32_t)face);
	}
	pending->count = pending->outer[0] = pending->outer[1] = pending->outer[2] = 0;
}

/* Queues the triangles around which the surface bends little, and gathers their points four at a time. Returns their lanes. */
static uint32_t visit_gentle(
	struct gathering *g, const struct d3_corner_lanes *corners, const struct tile_lanes *t, uint32_t first, uint32_t lanes)
{
	uint32_t gentle = 0, back = float4_bits(t->back);
	/* Each pending triangle may need an entry in g->later. */
	for (uint32_t bits = g->later_count + g->pending.count + 4 <= LATER ? lanes : 0; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits), outer = gentle_edges(g, first + lane, back >> lane & 1);
		if (outer == NOT_GENTLE || (outer && g->radius > 0))
			continue;
		gentle |= 1u << lane;
		push_lane(&g->pending, corners, t, first + lane, lane, outer);
		if (g->pending.count == 4)
			d3_visit_pending(g);
	}
	return gentle;
}

uint32_t d3_visit_together(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t near,
	struct tile_lanes *t, float4 *above, uint32_t *known)
{
	bool one_sided = g->mesh->one_sided;
	see_lanes(g, corners, t);
	float4 beyond = t->own - g->speculative;
	uint32_t plain = near & float4_bits(t->plain), apart = plain & float4_bits(beyond > float4_of(0));
	/* Deep on a two-sided surface, b may be on the other side: see d3_mesh_see_tile. */
	uint32_t sunk = float4_bits(t->own < float4_of(one_sided ? -g->speculative : -4 * d3_indifference(g->speculative)));
	for (uint32_t bits = apart; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->clear = min_f(g->clear, beyond[lane]);
		d3_note_nearest(g, d3_lane_of(t->n, lane), beyond[lane]);
	}
	uint32_t left = near & ~apart, seen = left & plain;
	*known = 0;
	if (left == 0)
		return 0;
	/* Triangles that a face normal of b separates from it are rejected before any is clipped: a third of those in the AABB of a
	 * rotated b. */
	*above = d3_height_above(g, corners, left) - g->apart;
	uint32_t beside = left & ~sunk & float4_bits(*above > float4_of(0));
	for (uint32_t bits = beside; bits; bits &= bits - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(bits);
		g->clear = min_f(g->clear, one_sided ? min_f((*above)[lane], t->own[lane] + g->speculative) : 0);
	}
	left &= ~beside;
	seen &= left;
	if (g->b->type != D3_BOX)
		seen = lowest_faces(g, t, seen & float4_bits(t->alignment >= float4_of(D3_SAME_COSINE)));
	uint32_t gentle = visit_gentle(g, corners, t, first, seen & ~sunk);
	if (gentle)
		g->clear = 0;
	left &= ~gentle;
	*known = seen & left & (one_sided ? 15 : ~sunk);
	return left;
}
