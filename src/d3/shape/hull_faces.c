/* hull_faces.c - the hull of a polyhedron whose faces are known: see hull.h. It costs a tenth of the search for the faces. */
#include "d3/shape/hull_parts.h"

/* A polyhedron that becomes a hull. Of the half edges 2 k and 2 k + 1, the twins, the one that is found first is the even one;
 * the other waits in the list of its start corner until its own face is read. */
struct assembly {
	const struct d3_faces *faces;
	struct d3_hull *hull;
	uint16_t waiting[D3_HULL_MAX]; /* by start corner: the first one that waits, or NOTHING */
	uint16_t after[D3_HULL_EDGES]; /* by half edge: the next one that waits at its corner */
	uint16_t edge_count, waiting_count;
	double extent, tolerance, weld; /* [length] */
};

enum { NOTHING = UINT16_MAX };

/* Returns the half edge between two corners. */
static uint16_t take_edge(struct assembly *assembly, uint16_t from, uint16_t to)
{
	struct d3_hull_edge *edges = assembly->hull->edges;
	for (uint16_t *link = &assembly->waiting[from]; *link != NOTHING; link = &assembly->after[*link]) {
		uint16_t edge = *link;
		if (edges[edge ^ 1].origin != to)
			continue;
		*link = assembly->after[edge];
		--assembly->waiting_count;
		return edge;
	}
	uint16_t edge = assembly->edge_count;
	if (edge + 2u > assembly->hull->edge_count)
		return NOTHING;
	assembly->edge_count += 2;
	++assembly->waiting_count;
	edges[edge].origin = from;
	edges[edge ^ 1].origin = to;
	assembly->after[edge ^ 1] = assembly->waiting[to];
	assembly->waiting[to] = edge ^ 1;
	return edge;
}

/* Writes the half edges of the face whose corners are in [begin, end). False: the surface is not closed. */
static bool add_face(struct assembly *assembly, uint16_t face, uint32_t begin, uint32_t end)
{
	struct d3_hull *hull = assembly->hull;
	const uint16_t *corners = assembly->faces->corners;
	uint16_t last = NOTHING;
	for (uint32_t i = begin; i < end; ++i) {
		uint16_t edge = take_edge(assembly, corners[i], corners[i + 1 < end ? i + 1 : begin]);
		if (edge == NOTHING)
			return false;
		hull->edges[edge].twin = edge ^ 1;
		hull->edges[edge].face = face;
		hull->point_edges[corners[i]] = edge;
		if (i == begin)
			hull->face_edges[face] = edge;
		else
			hull->edges[last].next = edge;
		last = edge;
	}
	hull->edges[last].next = hull->face_edges[face];
	return true;
}

/* Writes all half edges. False: they are not those of a closed convex surface on which at least three faces meet at each
 * corner, by Euler's formula. */
static bool add_faces(struct assembly *assembly)
{
	const struct d3_faces *faces = assembly->faces;
	uint16_t meeting[D3_HULL_MAX] = {0};
	memset(assembly->waiting, 0xff, sizeof assembly->waiting);
	for (uint32_t i = 0; i < faces->face_count; ++i)
		if (!add_face(assembly, (uint16_t)i, i > 0 ? faces->ends[i - 1] : 0, faces->ends[i]))
			return false;
	for (uint32_t i = 0; i < faces->ends[faces->face_count - 1]; ++i)
		++meeting[faces->corners[i]];
	for (uint32_t i = 0; i < faces->point_count; ++i)
		if (meeting[i] < 3)
			return false;
	return assembly->waiting_count == 0 && faces->point_count + faces->face_count == assembly->edge_count / 2u + 2;
}

/* Whether the boundary of the edge's face turns left at the end of the edge, by more than the tolerance, and the edge is not
 * too short. */
static bool stands_apart(const struct assembly *assembly, const struct d3_hull_edge *edge)
{
	const struct d3_hull *hull = assembly->hull;
	const struct d3_hull_edge *next = &hull->edges[edge->next];
	struct d3_vec_d a = d3_widen(hull->points[edge->origin]), b = d3_widen(hull->points[next->origin]);
	struct d3_vec_d c = d3_widen(hull->points[hull->edges[next->next].origin]), ab = d3_sub_d(b, a);
	return d3_dot_d(ab, ab) >= assembly->weld * assembly->weld &&
		d3_dot_d(hull->planes[edge->face].normal, d3_cross_d(ab, d3_sub_d(c, b))) > 0 &&
		d3_segment_distance_d(b, a, c) > assembly->tolerance;
}

/* Whether the corners of the face are in its plane within the tolerance, and all others are below it by more than that. */
static bool plane_divides(const struct assembly *assembly, uint32_t face)
{
	const struct d3_hull *hull = assembly->hull;
	const struct d3_hull_plane *plane = &hull->planes[face];
	uint32_t own = 0, count = 0, edge = hull->face_edges[face];
	for (uint32_t i = 0; i < hull->point_count; ++i)
		own += plane->offset - d3_dot_d(plane->normal, d3_widen(hull->points[i])) <= assembly->tolerance;
	do {
		struct d3_vec_d p = d3_widen(hull->points[hull->edges[edge].origin]);
		if (!(plane->offset - d3_dot_d(plane->normal, p) <= assembly->tolerance))
			return false;
		++count;
		edge = hull->edges[edge].next;
	} while (edge != hull->face_edges[face]);
	return own == count;
}

/* Whether d3_hull_compute would neither drop corners nor merge faces. */
static bool is_simple(const struct assembly *assembly)
{
	const struct d3_hull *hull = assembly->hull;
	for (uint32_t i = 0; i < hull->face_count; ++i)
		if (!plane_divides(assembly, i))
			return false;
	for (uint32_t i = 0; i < hull->edge_count; ++i)
		if (!stands_apart(assembly, &hull->edges[i]))
			return false;
	return true;
}

enum d3_hull_result d3_hull_of_faces(struct memory *memory, const struct d3_faces *faces, struct d3_hull **out)
{
	struct assembly assembly = {.faces = faces};
	struct d3_points points = {.narrow = faces->points, .count = faces->point_count};
	uint32_t edges = faces->face_count > 0 ? faces->ends[faces->face_count - 1] : 0;
	if (faces->point_count > D3_HULL_MAX || faces->face_count < 4 || edges > D3_HULL_EDGES)
		return d3_hull_compute(memory, faces->points, faces->point_count, out);
	d3_hull_measure(&points, &assembly.extent, &assembly.tolerance);
	assembly.weld = weld * assembly.extent;
	assembly.hull = d3_hull_new(memory, faces->point_count, faces->face_count, edges);
	if (assembly.hull == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	memcpy(assembly.hull->points, faces->points, faces->point_count * sizeof *faces->points);
	if (add_faces(&assembly) && d3_hull_lay_planes(assembly.hull, thinnest * assembly.extent) && is_simple(&assembly)) {
		assembly.hull->of_faces = true;
		*out = assembly.hull;
		return D3_HULL_OK;
	}
	d3_hull_free(memory, assembly.hull);
	return d3_hull_compute(memory, faces->points, faces->point_count, out);
}
