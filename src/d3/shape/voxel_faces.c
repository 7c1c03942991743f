/* voxel_faces.c - the triangles of a cell that the cells around it leave free.
 * A face on a side of the cell is that polygon less the neighbour's polygon there. Its edges are divided where edges of other
 * cells begin or end on them, so that each edge of a triangle belongs to whole edges of its neighbours. All coordinates are
 * integers in the cell. A point where the edges of two polygons cross is rounded, in the same way for both.
 * Pure, any thread. */
#include "d3/shape/voxels_parts.h"

#include <math.h>
#include <string.h>

enum { UNIT = D3_VOXEL_UNIT, CORNERS = 96 /* of a polygon, with the points that divide its edges */, CUTS = 8 };

/* A point on a side, in the frame of the two axes after the side's own. */
struct flat {
	int32_t u, v;
};

struct flat_polygon {
	uint32_t count;
	struct flat p[D3_VOXEL_POINTS];
};

/* The part of a segment that is in a polygon, as fractions, and the edges at which it enters and leaves; NONE: its own ends. */
struct inside {
	bool any, touches; /* touches: the segment is on an edge, with the polygon on its right */
	bool along; /* the segment is on an edge */
	double t[2];
	uint32_t edges[2];
};

struct faces {
	const struct d3_voxel_solid *const *around;
	struct voxel_draft *out;
	uint32_t count;
};

/* --- Points on sides ------------------------------------------------------------------------------------------------------ */

static struct flat flat_of(const int16_t p[3], uint32_t side)
{
	uint32_t axis = side / 2;
	return (struct flat){p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

static void lift(struct flat p, uint32_t side, int16_t out[3])
{
	uint32_t axis = side / 2;
	out[axis] = (int16_t)((side & 1) * UNIT);
	out[(axis + 1) % 3] = (int16_t)p.u;
	out[(axis + 2) % 3] = (int16_t)p.v;
}

/* The polygon that a solid has on its side; of the neighbour across `side`, that is side ^ 1, in the same frame. */
static void side_polygon(const struct d3_voxel_solid *solid, uint32_t side, struct flat_polygon *out)
{
	out->count = solid ? solid->side_counts[side] : 0;
	for (uint32_t i = 0; i < out->count; ++i)
		out->p[i] = flat_of(solid->points[solid->sides[side][i]], side);
}

static int offset_of(uint32_t side)
{
	static const int steps[3] = {1, 3, 9};
	return side & 1 ? steps[side / 2] : -steps[side / 2];
}

uint32_t d3_voxel_edge_sides(const int16_t a[3], const int16_t b[3])
{
	uint32_t bits = 0;
	for (uint32_t axis = 0; axis < 3; ++axis)
		if (a[axis] == b[axis] && (a[axis] == 0 || a[axis] == UNIT))
			bits |= 1u << (2 * axis + (a[axis] == UNIT));
	return bits;
}

/* > 0: p is on the left of the line from a to b. */
static int64_t turn(struct flat a, struct flat b, struct flat p)
{
	return (int64_t)(b.u - a.u) * (p.v - a.v) - (int64_t)(b.v - a.v) * (p.u - a.u);
}

static bool before(struct flat a, struct flat b)
{
	return a.u != b.u ? a.u < b.u : a.v < b.v;
}

static int32_t rounded(double x)
{
	return (int32_t)floor(x + 0.5 + 1e-7); /* halves go up in spite of rounding errors */
}

/* Where the lines through ab and cd cross. The result does not depend on the order of the two, or of their ends. */
static struct flat crossing(struct flat a, struct flat b, struct flat c, struct flat d)
{
	struct flat ends[2][2] = {{before(a, b) ? a : b, before(a, b) ? b : a}, {before(c, d) ? c : d, before(c, d) ? d : c}};
	bool swapped = before(ends[1][0], ends[0][0]) || (!before(ends[0][0], ends[1][0]) && before(ends[1][1], ends[0][1]));
	const struct flat *first = ends[swapped], *other = ends[!swapped];
	double ru = first[1].u - first[0].u, rv = first[1].v - first[0].v;
	double su = other[1].u - other[0].u, sv = other[1].v - other[0].v;
	double t = ((other[0].u - first[0].u) * sv - (other[0].v - first[0].v) * su) / (ru * sv - rv * su);
	return (struct flat){rounded(first[0].u + t * ru), rounded(first[0].v + t * rv)};
}

/* The part of the segment from a to b in the polygon, counter-clockwise, with three corners or more; its border counts. */
static struct inside segment_inside(const struct flat_polygon *polygon, struct flat a, struct flat b)
{
	struct inside in = {.any = true, .t = {0, 1}, .edges = {NONE, NONE}};
	for (uint32_t i = 0; i < polygon->count; ++i) {
		struct flat c = polygon->p[i], d = polygon->p[i + 1 < polygon->count ? i + 1 : 0];
		int64_t from = turn(c, d, a), to = turn(c, d, b);
		if (from == 0 && to == 0) {
			in.along = true;
			in.touches |= (int64_t)(d.u - c.u) * (b.u - a.u) + (int64_t)(d.v - c.v) * (b.v - a.v) < 0;
			continue;
		}
		if ((from < 0 && to < 0) || (from == to && from < 0))
			return (struct inside){.any = false};
		double t = from == to ? 0 : (double)from / (double)(from - to);
		if (from < 0 && t > in.t[0]) {
			in.t[0] = t;
			in.edges[0] = i;
		}
		if (to < 0 && t < in.t[1]) {
			in.t[1] = t;
			in.edges[1] = i;
		}
	}
	in.any = in.t[0] <= in.t[1];
	return in;
}

/* The end of the part. */
static struct flat inside_end(
	const struct flat_polygon *polygon, const struct inside *in, int end, struct flat a, struct flat b)
{
	uint32_t i = in->edges[end];
	if (i == NONE)
		return end ? b : a;
	return crossing(a, b, polygon->p[i], polygon->p[i + 1 < polygon->count ? i + 1 : 0]);
}

/* --- Points that divide an edge ------------------------------------------------------------------------------------------- */

struct cuts {
	uint32_t count;
	int16_t p[CUTS][3];
};

static int64_t along(const int16_t a[3], const int16_t b[3], const int16_t p[3])
{
	int64_t sum = 0;
	for (int k = 0; k < 3; ++k)
		sum += (int64_t)(b[k] - a[k]) * (p[k] - a[k]);
	return sum;
}

/* Adds a point between a and b, in order. */
static void cut_add(struct cuts *cuts, const int16_t a[3], const int16_t b[3], const int16_t p[3])
{
	int64_t at = along(a, b, p);
	uint32_t i = cuts->count;
	if (at <= 0 || at >= along(a, b, b) || cuts->count == CUTS)
		return;
	while (i > 0 && along(a, b, cuts->p[i - 1]) > at)
		--i;
	if (i > 0 && along(a, b, cuts->p[i - 1]) == at)
		return;
	for (uint32_t n = cuts->count; n > i; --n)
		memcpy(cuts->p[n], cuts->p[n - 1], sizeof *cuts->p);
	for (int k = 0; k < 3; ++k)
		cuts->p[i][k] = p[k];
	++cuts->count;
}

/* Adds the points where the neighbour's polygon on the side begins and ends on the edge. */
static void cuts_by_side(
	struct cuts *cuts, const struct d3_voxel_solid *neighbor, uint32_t side, const int16_t a[3], const int16_t b[3])
{
	struct flat_polygon polygon;
	struct flat p = flat_of(a, side), q = flat_of(b, side);
	int16_t point[3];
	side_polygon(neighbor, side ^ 1, &polygon);
	if (polygon.count < 3) { /* an edge or a corner, if it is on this edge */
		for (uint32_t i = 0; i < polygon.count; ++i)
			if (turn(p, q, polygon.p[i]) == 0) {
				lift(polygon.p[i], side, point);
				cut_add(cuts, a, b, point);
			}
		return;
	}
	struct inside in = segment_inside(&polygon, p, q);
	for (int end = 0; in.any && end < 2; ++end) {
		lift(inside_end(&polygon, &in, end, p, q), side, point);
		cut_add(cuts, a, b, point);
	}
}

/* Adds the corners on the edge of the cell across both sides. */
static void cuts_across(
	struct cuts *cuts, const struct d3_voxel_solid *other, uint32_t sides, const int16_t a[3], const int16_t b[3])
{
	for (uint32_t i = 0; other && i < other->point_count; ++i) {
		int16_t p[3];
		bool on = true;
		for (uint32_t axis = 0; axis < 3; ++axis) {
			uint32_t here = sides >> 2 * axis & 3;
			p[axis] = other->points[i][axis];
			if (here == 0)
				continue;
			on &= p[axis] == (here == 2 ? 0 : UNIT);
			p[axis] = a[axis];
		}
		if (on)
			cut_add(cuts, a, b, p);
	}
}

/* Finds the points at which other cells divide the edge from a to b of this cell, in this order. */
static void edge_cuts(const struct faces *faces, const int16_t a[3], const int16_t b[3], struct cuts *cuts)
{
	uint32_t sides = d3_voxel_edge_sides(a, b);
	bool turned = memcmp(a, b, 3 * sizeof *a) > 0; /* the same points for both directions */
	const int16_t *low = turned ? b : a, *high = turned ? a : b;
	int offset = 13;
	cuts->count = 0;
	for (uint32_t side = 0; side < 6; ++side)
		if (sides >> side & 1) {
			cuts_by_side(cuts, faces->around[13 + offset_of(side)], side, low, high);
			offset += offset_of(side);
		}
	if (sides & (sides - 1))
		cuts_across(cuts, faces->around[offset], sides, low, high);
	for (uint32_t i = 0; turned && i < cuts->count / 2; ++i) {
		int16_t p[3];
		memcpy(p, cuts->p[i], sizeof p);
		memcpy(cuts->p[i], cuts->p[cuts->count - 1 - i], sizeof p);
		memcpy(cuts->p[cuts->count - 1 - i], p, sizeof p);
	}
}

/* --- Triangles of a polygon ----------------------------------------------------------------------------------------------- */

/* A polygon in a plane, with its corners in space. It may have corners on straight edges, and pass a point twice. */
struct ring {
	uint32_t count;
	struct flat p[CORNERS];
	int16_t corners[CORNERS][3];
};

static void ring_add(struct ring *ring, struct flat p, const int16_t corner[3])
{
	if (ring->count == CORNERS)
		return;
	ring->p[ring->count] = p;
	memcpy(ring->corners[ring->count++], corner, 3 * sizeof *corner);
}

static bool same(struct flat a, struct flat b)
{
	return a.u == b.u && a.v == b.v;
}

/* Whether no other corner is in the triangle of corner i and those beside it. */
static bool is_ear(const struct ring *ring, uint32_t i)
{
	uint32_t n = ring->count;
	struct flat a = ring->p[(i + n - 1) % n], b = ring->p[i], c = ring->p[(i + 1) % n];
	for (uint32_t k = 0; k < n; ++k) {
		struct flat p = ring->p[k];
		if (!same(p, a) && !same(p, b) && !same(p, c) && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0)
			return false;
	}
	return true;
}

static double squared(struct flat a, struct flat b)
{
	double u = b.u - a.u, v = b.v - a.v;
	return u * u + v * v;
}

/* The corner to cut off: of the ears that with the best triangle; if there is none, any corner that is not reflex. */
static uint32_t best_ear(const struct ring *ring)
{
	uint32_t n = ring->count, best = 0, any = NONE;
	double most = 0;
	for (uint32_t i = 0; i < n; ++i) {
		struct flat a = ring->p[(i + n - 1) % n], b = ring->p[i], c = ring->p[(i + 1) % n];
		int64_t area = turn(a, b, c);
		if (area >= 0 && any == NONE)
			any = i;
		double quality = (double)area / (squared(a, b) + squared(b, c) + squared(c, a));
		if (area > 0 && quality > most && is_ear(ring, i)) {
			most = quality;
			best = i;
		}
	}
	return most > 0 ? best : any != NONE ? any : 0;
}

static void ring_remove(struct ring *ring, uint32_t i)
{
	--ring->count;
	memmove(&ring->p[i], &ring->p[i + 1], (ring->count - i) * sizeof *ring->p);
	memmove(ring->corners[i], ring->corners[i + 1], (ring->count - i) * sizeof *ring->corners);
}

/* Adds the triangles of the ring, which is used up. flip: seen from outside, the ring runs clockwise. */
static void triangles_add(struct faces *faces, struct ring *ring, bool flip)
{
	while (ring->count >= 3) {
		uint32_t n = ring->count, b = n > 3 ? best_ear(ring) : 1, a = (b + n - 1) % n, c = (b + 1) % n;
		if (turn(ring->p[a], ring->p[b], ring->p[c]) > 0 && faces->count < VOXEL_DRAFTS) {
			struct voxel_draft *out = &faces->out[faces->count++];
			memcpy(out->p[0], ring->corners[a], sizeof out->p[0]);
			memcpy(out->p[flip ? 2 : 1], ring->corners[b], sizeof out->p[0]);
			memcpy(out->p[flip ? 1 : 2], ring->corners[c], sizeof out->p[0]);
		}
		ring_remove(ring, b);
	}
}

/* --- Faces ---------------------------------------------------------------------------------------------------------------- */

/* A face inside the cell, which no other cell covers. */
static void inner_face(struct faces *faces, const struct d3_voxel_solid *own, uint32_t face)
{
	struct ring ring;
	double n[3] = {0, 0, 0};
	uint32_t count = own->face_counts[face], axis = 0;
	const int16_t *a = own->points[own->faces[face][0]];
	for (uint32_t i = 1; i + 1 < count; ++i) {
		const int16_t *b = own->points[own->faces[face][i]], *c = own->points[own->faces[face][i + 1]];
		for (uint32_t k = 0; k < 3; ++k) {
			uint32_t l = (k + 1) % 3, m = (k + 2) % 3;
			n[k] += (double)(b[l] - a[l]) * (c[m] - a[m]) - (double)(b[m] - a[m]) * (c[l] - a[l]);
		}
	}
	for (uint32_t k = 1; k < 3; ++k)
		axis = fabs(n[k]) > fabs(n[axis]) ? k : axis;
	ring.count = 0;
	bool down = n[axis] < 0;
	for (uint32_t i = 0; i < count; ++i) {
		const int16_t *p = own->points[own->faces[face][i]], *q = own->points[own->faces[face][i + 1 < count ? i + 1 : 0]];
		struct cuts cuts;
		edge_cuts(faces, p, q, &cuts);
		for (uint32_t k = 0; k <= cuts.count; ++k) {
			const int16_t *at = k == 0 ? p : cuts.p[k - 1];
			struct flat plane = flat_of(at, 2 * axis);
			ring_add(&ring, down ? (struct flat){plane.v, plane.u} : plane, at);
		}
	}
	triangles_add(faces, &ring, false);
}

/* Directed pieces of the border of a part of a side, which is on their left. */
struct pieces {
	uint32_t count;
	struct flat ends[CORNERS][2];
};

static void piece_add(struct pieces *pieces, struct flat a, struct flat b)
{
	if (same(a, b) || pieces->count == CORNERS)
		return;
	pieces->ends[pieces->count][0] = a;
	pieces->ends[pieces->count++][1] = b;
}

/* Adds the parts of the edges of `own` outside `next`, divided as edge_cuts says. */
static void own_pieces(const struct faces *faces, const struct flat_polygon *own, const struct flat_polygon *next,
	uint32_t side, struct pieces *pieces)
{
	for (uint32_t i = 0; i < own->count; ++i) {
		struct flat a = own->p[i], b = own->p[i + 1 < own->count ? i + 1 : 0], from = a;
		struct inside in = next->count >= 3 ? segment_inside(next, a, b) : (struct inside){.any = false};
		int16_t p[3], q[3];
		struct cuts cuts;
		lift(a, side, p);
		lift(b, side, q);
		edge_cuts(faces, p, q, &cuts);
		for (uint32_t k = 0; k <= cuts.count; ++k) {
			struct flat to = k < cuts.count ? flat_of(cuts.p[k], side) : b;
			double u = 0.5 * (from.u + to.u) - a.u, v = 0.5 * (from.v + to.v) - a.v;
			double t = (u * (b.u - a.u) + v * (b.v - a.v)) / squared(a, b);
			if (!in.any || in.touches || !(t > in.t[0] && t < in.t[1]))
				piece_add(pieces, from, to);
			from = to;
		}
	}
}

/* Adds the parts of the edges of `next` inside `own`, turned round. */
static void next_pieces(const struct flat_polygon *own, const struct flat_polygon *next, struct pieces *pieces)
{
	for (uint32_t i = 0; next->count >= 3 && i < next->count; ++i) {
		struct flat a = next->p[i], b = next->p[i + 1 < next->count ? i + 1 : 0];
		struct inside in = segment_inside(own, a, b);
		if (in.any && !in.along && in.t[0] < in.t[1])
			piece_add(pieces, inside_end(own, &in, 1, a, b), inside_end(own, &in, 0, a, b));
	}
}

/* The angle by which a path turns to the left at b. */
static double turn_angle(struct flat a, struct flat b, struct flat c)
{
	double ru = b.u - a.u, rv = b.v - a.v, su = c.u - b.u, sv = c.v - b.v;
	return scalar_atan2_d(ru * sv - rv * su, ru * su + rv * sv);
}

/* Takes the pieces from the first one on, end to end, turning as far to the left as possible: the border of one part. */
static void ring_take(struct pieces *pieces, uint32_t side, struct ring *ring)
{
	uint32_t at = 0;
	struct flat start = pieces->ends[0][0];
	int16_t corner[3];
	ring->count = 0;
	while (at != NONE) {
		struct flat a = pieces->ends[at][0], b = pieces->ends[at][1];
		pieces->ends[at][0] = pieces->ends[pieces->count - 1][0];
		pieces->ends[at][1] = pieces->ends[pieces->count - 1][1];
		--pieces->count;
		lift(a, side, corner);
		ring_add(ring, a, corner);
		at = NONE;
		double most = -INFINITY;
		for (uint32_t i = 0; !same(b, start) && i < pieces->count; ++i)
			if (same(pieces->ends[i][0], b)) {
				double angle = turn_angle(a, b, pieces->ends[i][1]);
				at = angle > most ? i : at;
				most = angle > most ? angle : most;
			}
	}
}

static bool is_hole(const struct ring *ring)
{
	int64_t sum = 0;
	for (uint32_t i = 1; i + 1 < ring->count; ++i)
		sum += turn(ring->p[0], ring->p[i], ring->p[i + 1]);
	return sum < 0;
}

static uint32_t ring_last(const struct ring *ring)
{
	uint32_t last = 0;
	for (uint32_t i = 1; i < ring->count; ++i)
		last = before(ring->p[last], ring->p[i]) ? i : last;
	return last;
}

/* Joins the hole to the ring around it by an edge between their last corners along the first axis: both being convex, nothing
 * is in between. */
static void ring_join(struct ring *ring, const struct ring *hole)
{
	struct ring joined = {.count = 0};
	uint32_t a = ring_last(ring), b = ring_last(hole);
	for (uint32_t i = 0; i <= ring->count; ++i)
		ring_add(&joined, ring->p[(a + i) % ring->count], ring->corners[(a + i) % ring->count]);
	for (uint32_t i = 0; i <= hole->count; ++i)
		ring_add(&joined, hole->p[(b + i) % hole->count], hole->corners[(b + i) % hole->count]);
	*ring = joined;
}

/* A face on a side of the cell, less the neighbour's polygon there. */
static void side_face(struct faces *faces, const struct d3_voxel_solid *own, uint32_t side)
{
	const struct d3_voxel_solid *neighbor = faces->around[13 + offset_of(side)];
	struct flat_polygon polygon, next;
	struct pieces pieces;
	struct ring ring, other;
	pieces.count = 0;
	side_polygon(own, side, &polygon);
	side_polygon(neighbor, side ^ 1, &next);
	own_pieces(faces, &polygon, &next, side, &pieces);
	next_pieces(&polygon, &next, &pieces);
	bool flip = (side & 1) == 0, held = false;
	while (pieces.count > 0) {
		ring_take(&pieces, side, &other);
		if (held && is_hole(&other)) {
			ring_join(&ring, &other);
			continue;
		}
		if (held)
			triangles_add(faces, &ring, flip);
		ring = other;
		held = true;
	}
	if (held)
		triangles_add(faces, &ring, flip);
}

/* Triangles of a whole cell among whole and empty ones. */
static uint32_t whole_faces(const struct faces *faces, const struct d3_voxel_solid *own)
{
	uint32_t count = 0;
	for (uint32_t f = 0; f < own->face_count; ++f) {
		if (faces->around[13 + offset_of(own->face_sides[f])])
			continue;
		for (uint32_t i = 0; i < 2; ++i, ++count)
			for (uint32_t k = 0; k < 3; ++k)
				memcpy(faces->out[count].p[k], own->points[own->faces[f][k == 0 ? 0 : i + k]], sizeof faces->out->p[0]);
	}
	return count;
}

uint32_t d3_voxel_faces(const struct d3_voxel_solid *const around[27], struct voxel_draft out[VOXEL_DRAFTS])
{
	const struct d3_voxel_solid *own = around[13];
	struct faces faces = {around, out, 0};
	bool whole = true;
	if (own == NULL)
		return 0;
	for (int i = 0; i < 27; ++i)
		whole &= around[i] == NULL || around[i]->full;
	if (whole)
		return whole_faces(&faces, own);
	for (uint32_t f = 0; f < own->face_count; ++f) {
		if (own->face_sides[f] == 6)
			inner_face(&faces, own, f);
		else
			side_face(&faces, own, own->face_sides[f]);
	}
	return faces.count;
}
