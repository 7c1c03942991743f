/* hull.c - hulls for shapes: the exact surface (quickhull.h), simplified until nothing changes.
 * The exact corners of the points, sorted by coordinates, go through rounds. A round rebuilds the surface without points that
 * stand out less than the tolerance, merges its triangles into faces, and drops corners that the faces make redundant: corners
 * where only two faces meet, corners that stand out too little from a face's boundary, and one end of each edge that is too
 * short. A surface that a round leaves unchanged is the hull, so the hull of a hull's corners is itself. The order of the
 * points affects only the order of the corners. */
#include "d3/shape/hull_parts.h"

#include <assert.h>
#include <stdlib.h>

/* bound on how far rounding to floats moves points off their plane, relative to the largest coordinate */
static const double noise = 0x1p-23;

/* --- Memory of a hull ----------------------------------------------------------------------------------------------------- */

static uint32_t lane_count(uint32_t points)
{
	return (points + 3) / 4;
}

/* Size of the one allocation: the struct, then its arrays, those of larger alignment first. */
static size_t hull_size(uint32_t points, uint32_t faces, uint32_t edges)
{
	return sizeof(struct d3_hull) + faces * (sizeof(struct d3_hull_plane) + sizeof(uint16_t)) +
		lane_count(faces) * sizeof(struct d3_hull_plane_lanes) + points * (sizeof(struct d3_vec) + sizeof(uint16_t)) +
		lane_count(points) * sizeof(struct d3_hull_lanes) + edges * sizeof(struct d3_hull_edge);
}

struct d3_hull *d3_hull_new(struct memory *memory, uint32_t points, uint32_t faces, uint32_t edges)
{
	struct d3_hull *hull = memory_zeroed(memory, hull_size(points, faces, edges));
	if (hull == NULL)
		return NULL;
	hull->point_count = points;
	hull->face_count = faces;
	hull->edge_count = edges;
	hull->planes = (struct d3_hull_plane *)(hull + 1);
	hull->plane_lanes = (struct d3_hull_plane_lanes *)(hull->planes + faces);
	hull->lanes = (struct d3_hull_lanes *)(hull->plane_lanes + lane_count(faces));
	hull->points = (struct d3_vec *)(hull->lanes + lane_count(points));
	hull->edges = (struct d3_hull_edge *)(hull->points + points);
	hull->face_edges = (uint16_t *)(hull->edges + edges);
	hull->point_edges = hull->face_edges + faces;
	return hull;
}

size_t d3_hull_bytes(const struct d3_hull *hull)
{
	return hull_size(hull->point_count, hull->face_count, hull->edge_count);
}

void d3_hull_free(struct memory *memory, struct d3_hull *hull)
{
	memory_free(memory, hull, d3_hull_bytes(hull));
}

/* Sets the plane's offset to the greatest normal . p of the float points, so that the plane bounds them. */
static void lay_plane(const struct d3_hull *hull, struct d3_hull_plane *plane)
{
	plane->offset = -INFINITY;
	for (uint32_t i = 0; i < hull->point_count; ++i)
		plane->offset = max_d(plane->offset, d3_dot_d(plane->normal, d3_widen(hull->points[i])));
}

/* Copies the points and planes to the lanes. */
static void lay_lanes(struct d3_hull *hull)
{
	uint32_t points = hull->point_count, faces = hull->face_count;
	for (uint32_t i = 0; i < 4 * lane_count(points); ++i) {
		struct d3_vec p = hull->points[i < points ? i : points - 1];
		hull->lanes[i / 4].x[i % 4] = p.x;
		hull->lanes[i / 4].y[i % 4] = p.y;
		hull->lanes[i / 4].z[i % 4] = p.z;
	}
	for (uint32_t i = 0; i < 4 * lane_count(faces); ++i) {
		const struct d3_hull_plane *plane = &hull->planes[i < faces ? i : faces - 1];
		struct d3_hull_plane_lanes *lanes = &hull->plane_lanes[i / 4];
		lanes->x[i % 4] = (float)plane->normal.x;
		lanes->y[i % 4] = (float)plane->normal.y;
		lanes->z[i % 4] = (float)plane->normal.z;
		lanes->offset[i % 4] = (float)plane->offset;
	}
}

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

/* Corners of each face, counter-clockwise from outside. Bits of a corner's number: 1 at +x, 2 at +y, 4 at +z. */
static const uint8_t box_faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

/* Writes the half edges of a box. Of twins, 2 k is the one found first, 2 k + 1 the other. */
static void box_edges(struct d3_hull *hull)
{
	uint16_t half[8][8]; /* by start and end corner: edge number + 1 */
	memset(half, 0, sizeof half);
	uint16_t count = 0;
	for (uint16_t face = 0; face < 6; ++face) {
		for (int i = 0; i < 4; ++i) {
			uint8_t from = box_faces[face][i], to = box_faces[face][(i + 1) % 4];
			if (half[from][to] == 0) {
				half[from][to] = (uint16_t)(count + 1);
				half[to][from] = (uint16_t)(count + 2);
				count += 2;
			}
		}
		for (int i = 0; i < 4; ++i) {
			uint8_t from = box_faces[face][i], to = box_faces[face][(i + 1) % 4], after = box_faces[face][(i + 2) % 4];
			uint16_t edge = (uint16_t)(half[from][to] - 1), next = half[to][after];
			hull->edges[edge] =
				(struct d3_hull_edge){.next = (uint16_t)(next - 1), .twin = edge ^ 1, .origin = from, .face = face};
			hull->point_edges[from] = edge;
			hull->face_edges[face] = edge;
		}
	}
}

struct d3_hull *d3_hull_of_box(struct memory *memory, const struct d3_transform_d *frame, struct d3_vec half)
{
	struct d3_hull *hull = d3_hull_new(memory, 8, 6, 24);
	if (hull == NULL)
		return NULL;
	for (uint32_t i = 0; i < 8; ++i) {
		struct d3_vec_d corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
		hull->points[i] = d3_narrow(d3_transform_point_d(frame, corner));
	}
	struct d3_vec_d axes[3] = {frame->q.x, frame->q.y, frame->q.z};
	for (int face = 0; face < 6; ++face) {
		hull->planes[face].normal = face & 1 ? axes[face / 2] : d3_neg_d(axes[face / 2]);
		lay_plane(hull, &hull->planes[face]);
	}
	lay_lanes(hull);
	box_edges(hull);
	return hull;
}

/* --- Corners of points, exactly ------------------------------------------------------------------------------------------- */

/* A point projected along an axis, and its index. */
struct projection {
	double at[2];
	uint32_t index;
};

static int compare_projections(const void *a, const void *b)
{
	const struct projection *p = a, *q = b;
	for (int i = 0; i < 2; ++i)
		if (p->at[i] != q->at[i])
			return p->at[i] < q->at[i] ? -1 : 1;
	return (p->index > q->index) - (p->index < q->index);
}

/* The projection of point `index`, along the axis `without`. */
static struct projection shadow(struct d3_vec_d p, int without, uint32_t index)
{
	const double at[5] = {p.x, p.y, p.z, p.x, p.y};
	return (struct projection){{at[without + 1], at[without + 2]}, index};
}

/* The axis to project coplanar points along: the one nearest their plane's normal, or another one if their projection along it
 * has no area. */
static int best_shadow(const struct d3_quickhull *hull)
{
	struct d3_vec_d a = hull->points[hull->span[0]], b = hull->points[hull->span[1]], c = hull->points[hull->span[2]];
	struct d3_vec_d n = d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a));
	double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
	int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
	for (int i = 0; i < 2 && turn_exact(shadow(a, axis, 0).at, shadow(b, axis, 1).at, shadow(c, axis, 2).at) == 0; ++i)
		axis = (axis + 1) % 3;
	return axis;
}

/* Finds the convex polygon of the sorted points by Andrew's monotone chain. Writes the indices of its corners in `projections`,
 * the lower side first, and returns their number. `out` has room for count + 1. */
static uint32_t flat_outline(const struct projection *projections, uint32_t count, uint32_t *out)
{
	uint32_t n = 0, floor = 1;
	for (uint32_t side = 0; side < 2; ++side) {
		for (uint32_t i = 0; i < count; ++i) {
			uint32_t k = side ? count - 1 - i : i;
			if (n > 0 && projections[out[n - 1]].at[0] == projections[k].at[0] &&
				projections[out[n - 1]].at[1] == projections[k].at[1]) {
				if (projections[k].index < projections[out[n - 1]].index)
					out[n - 1] = k;
				continue;
			}
			while (n > floor && turn_exact(projections[out[n - 2]].at, projections[out[n - 1]].at, projections[k].at) <= 0)
				--n;
			out[n++] = k;
		}
		floor = n;
	}
	return n - 1; /* the first point was added twice */
}

static bool flat_corners(const struct d3_quickhull *hull, struct d3_hull_lists *out)
{
	size_t size = hull->count * sizeof(struct projection);
	struct projection *projections = memory_resize(hull->memory, NULL, 0, size);
	if (projections == NULL || !array_reserve(hull->memory, &out->corners, hull->count + 1)) {
		memory_free(hull->memory, projections, size);
		return false;
	}
	int axis = best_shadow(hull);
	for (uint32_t i = 0; i < hull->count; ++i)
		projections[i] = shadow(hull->points[i], axis, i);
	qsort(projections, hull->count, sizeof *projections, compare_projections);
	out->corners.count = flat_outline(projections, hull->count, out->corners.data);
	for (uint32_t i = 0; i < out->corners.count; ++i)
		out->corners.data[i] = projections[out->corners.data[i]].index;
	memory_free(hull->memory, projections, size);
	return true;
}

/* Returns the number of the surface's corners, where at least three of its planes meet; requires d3_quickhull_mark_planes. Sets
 * `next` of each point to 1 for a corner, else 0. */
static uint32_t find_corners(struct d3_quickhull *hull)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < hull->count; ++i)
		hull->next[i] = D3_QUICKHULL_NONE;
	for (uint32_t i = 0; i < 4 * hull->faces.count; ++i) {
		if (!d3_quickhull_is_edge(hull, i))
			continue;
		uint32_t *mark = &hull->next[d3_quickhull_origin(hull, i)];
		if (*mark == D3_QUICKHULL_NONE) {
			*mark = d3_quickhull_is_corner(hull, i);
			count += *mark;
		}
	}
	for (uint32_t i = 0; i < hull->count; ++i)
		hull->next[i] = hull->next[i] == 1;
	return count;
}

/* Writes the triangles: a fan over the corners of each face. `next` of a point is 0 if it is not a corner of the hull, else its
 * index in `corners` plus 1. */
static void fan_out(struct d3_quickhull *hull, struct d3_hull_lists *out)
{
	for (uint32_t i = 0; i < hull->faces.count; ++i)
		hull->faces.data[i].mark = 0;
	for (uint32_t i = 0; i < 4 * hull->faces.count; ++i) {
		if (!d3_quickhull_is_edge(hull, i) || !d3_quickhull_outline(hull, i) ||
			d3_quickhull_owner(hull, i)->mark >> (i & 3) & 1)
			continue;
		uint32_t first = 0, before = 0;
		d3_quickhull_edge edge = i;
		do {
			uint32_t corner = hull->next[d3_quickhull_origin(hull, edge)];
			hull->faces.data[edge >> 2].mark |= 1u << (edge & 3);
			edge = d3_quickhull_follow(hull, edge);
			if (corner == 0)
				continue;
			if (before > 0) {
				array_push(&out->triangles, first - 1);
				array_push(&out->triangles, before - 1);
				array_push(&out->triangles, corner - 1);
			}
			if (first == 0)
				first = corner;
			else
				before = corner;
		} while (edge != i);
	}
}

/* Writes the corners and triangles of a solid. A closed surface of triangles with C corners has 2 C - 4 triangles. */
static bool solid_corners(struct d3_quickhull *hull, struct d3_hull_lists *out)
{
	if (!d3_quickhull_mark_planes(hull))
		return false;
	uint32_t count = find_corners(hull), faces = 2 * count - 4;
	if (!array_reserve(hull->memory, &out->corners, count) || !array_reserve(hull->memory, &out->triangles, 3 * faces))
		return false;
	for (uint32_t i = 0; i < hull->count; ++i) {
		if (hull->next[i] == 0)
			continue;
		array_push(&out->corners, i);
		hull->next[i] = out->corners.count;
	}
	fan_out(hull, out);
	assert(out->triangles.count == 3 * faces);
	return true;
}

bool d3_hull_corners(struct memory *memory, const struct d3_vec_d *points, uint32_t count, struct d3_hull_lists *out)
{
	struct d3_quickhull hull;
	bool done = d3_quickhull_build(&hull, memory, &(struct d3_points){.wide = points, .count = count}, 0);
	out->corners.count = out->triangles.count = 0;
	if (done && hull.dimension == 3) {
		done = solid_corners(&hull, out);
	} else if (done && hull.dimension == 2) {
		done = flat_corners(&hull, out);
	} else if (done) {
		done = array_reserve(memory, &out->corners, 2);
		for (int i = 0; done && i <= hull.dimension; ++i)
			array_push(&out->corners, hull.span[i]);
	}
	d3_quickhull_free(&hull);
	return done;
}

void d3_hull_lists_free(struct memory *memory, struct d3_hull_lists *lists)
{
	array_free(memory, &lists->corners);
	array_free(memory, &lists->triangles);
}

/* --- The hull of a shape -------------------------------------------------------------------------------------------------- */

/* Distinguishes too few points from degenerate ones. Takes up to four points, each the farthest from those taken before; if one
 * is closer than the weld distance to them, there are too few. */
static enum d3_hull_result lacking(const struct d3_vec *points, uint32_t count)
{
	struct d3_vec_d low, high;
	double extent = d3_points_box(&(struct d3_points){.narrow = points, .count = count}, &low, &high);
	uint32_t taken[4] = {0};
	for (uint32_t n = 1; n < 4; ++n) {
		double farthest = -1;
		for (uint32_t i = 0; i < count; ++i) {
			double nearest = INFINITY;
			for (uint32_t k = 0; k < n; ++k)
				nearest = min_d(nearest, d3_length_d(d3_sub_d(d3_widen(points[i]), d3_widen(points[taken[k]]))));
			if (nearest > farthest) {
				farthest = nearest;
				taken[n] = i;
			}
		}
		if (!(farthest > 0 && farthest >= weld * extent))
			return D3_HULL_TOO_FEW;
	}
	return D3_HULL_DEGENERATE;
}

/* Lists the exact corners of the points in round->index, sorted by coordinates. */
static enum d3_hull_result list_corners(struct round *round, uint32_t count)
{
	struct d3_quickhull *hull = &round->hull;
	if (!d3_quickhull_build(hull, round->memory, &(struct d3_points){.narrow = round->points, .count = count}, 0))
		return D3_HULL_OUT_OF_MEMORY;
	if (hull->dimension < 3)
		return D3_HULL_DEGENERATE;
	if (!d3_quickhull_mark_planes(hull))
		return D3_HULL_OUT_OF_MEMORY;
	round->count = round->capacity = find_corners(hull);
	size_t size = round->count * sizeof(struct candidate);
	struct candidate *list = memory_resize(round->memory, NULL, 0, size);
	round->index = memory_resize(round->memory, NULL, 0, round->count * sizeof *round->index);
	bool done = list != NULL && round->index != NULL;
	for (uint32_t i = 0, n = 0; done && i < count; ++i)
		if (hull->next[i])
			list[n++] = (struct candidate){round->points[i], i};
	if (done)
		qsort(list, round->count, sizeof *list, d3_hull_compare_candidates);
	for (uint32_t i = 0; done && i < round->count; ++i)
		round->index[i] = list[i].index;
	memory_free(round->memory, list, size);
	return done ? D3_HULL_OK : D3_HULL_OUT_OF_MEMORY;
}

/* Makes every triangle a face, which always gives a closed convex surface. */
static void mark_triangles(struct d3_quickhull *hull)
{
	for (uint32_t i = 0; i < hull->faces.count; ++i)
		hull->faces.data[i].region = i;
}

/* Whether Euler's formula holds for the marked faces. False: a face has a hole or is in two pieces. Counts faces and half
 * edges. */
static bool is_closed(struct d3_quickhull *hull, uint32_t *faces, uint32_t *edges)
{
	*faces = *edges = 0;
	for (uint32_t i = 0; i < 4 * hull->faces.count; ++i) {
		if (!d3_quickhull_is_edge(hull, i))
			continue;
		*faces += (i & 3) == 0 && d3_quickhull_owner(hull, i)->region == i >> 2;
		*edges += d3_quickhull_outline(hull, i);
	}
	return hull->count + *faces == *edges / 2 + 2;
}

/* Twice the area of the face, as a vector along its normal (Newell). */
static struct d3_vec_d face_area(const struct d3_hull *hull, uint32_t first)
{
	struct d3_vec_d sum = {0, 0, 0}, base = d3_widen(hull->points[hull->edges[first].origin]);
	uint32_t edge = first;
	do {
		uint32_t next = hull->edges[edge].next;
		struct d3_vec_d a = d3_sub_d(d3_widen(hull->points[hull->edges[edge].origin]), base);
		struct d3_vec_d b = d3_sub_d(d3_widen(hull->points[hull->edges[next].origin]), base);
		sum = d3_add_d(sum, d3_cross_d(a, b));
		edge = next;
	} while (edge != first);
	return sum;
}

bool d3_hull_lay_planes(struct d3_hull *hull, double thickness)
{
	for (uint32_t i = 0; i < hull->face_count; ++i) {
		struct d3_vec_d area = face_area(hull, hull->face_edges[i]);
		double length = d3_length_d(area), deepest = 0;
		if (!(length > 0))
			return false;
		hull->planes[i].normal = (struct d3_vec_d){area.x / length, area.y / length, area.z / length};
		lay_plane(hull, &hull->planes[i]);
		for (uint32_t k = 0; k < hull->point_count; ++k)
			deepest = max_d(deepest, hull->planes[i].offset - d3_dot_d(hull->planes[i].normal, d3_widen(hull->points[k])));
		if (!(deepest >= thickness))
			return false;
	}
	lay_lanes(hull);
	return true;
}

/* Writes the half edges of the marked faces. Sets `mark` of each face's seed triangle to the face number, and number[edge] of
 * each edge on a face's boundary to its half edge. */
static void write_edges(struct round *round, struct d3_hull *out, const uint16_t *order, uint16_t *number)
{
	struct d3_quickhull *hull = &round->hull;
	uint16_t faces = 0, edges = 0;
	for (uint32_t i = 0; i < hull->faces.count; ++i)
		if (hull->faces.data[i].live && hull->faces.data[i].region == i)
			hull->faces.data[i].mark = faces++;
	for (uint32_t i = 0; i < 4 * hull->faces.count; ++i) {
		if (!d3_quickhull_is_edge(hull, i) || !d3_quickhull_outline(hull, i) || d3_quickhull_twin(hull, i) < i)
			continue;
		number[i] = edges++;
		number[d3_quickhull_twin(hull, i)] = edges++;
	}
	for (uint32_t i = 0; i < 4 * hull->faces.count; ++i) {
		if (!d3_quickhull_is_edge(hull, i) || !d3_quickhull_outline(hull, i))
			continue;
		uint16_t face = (uint16_t)hull->faces.data[d3_quickhull_owner(hull, i)->region].mark;
		uint16_t origin = order[d3_quickhull_origin(hull, i)];
		out->edges[number[i]] = (struct d3_hull_edge){
			.next = number[d3_quickhull_follow(hull, i)], .twin = number[i] ^ 1, .origin = origin, .face = face};
		out->face_edges[face] = out->point_edges[origin] = number[i];
	}
}

/* Sets order[i] to the number of corners that precede corner i in the points given. */
static void rank(const struct round *round, uint16_t *order)
{
	for (uint32_t i = 0; i < round->count; ++i) {
		order[i] = 0;
		for (uint32_t k = 0; k < round->count; ++k)
			order[i] += round->index[k] < round->index[i];
	}
}

static enum d3_hull_result write_hull(struct round *round, double extent, struct d3_hull **out)
{
	struct d3_quickhull *hull = &round->hull;
	if (round->count > D3_HULL_MAX)
		return D3_HULL_TOO_MANY;
	uint32_t faces, edges;
	if (!is_closed(hull, &faces, &edges) || round->broken) {
		mark_triangles(hull);
		is_closed(hull, &faces, &edges);
	}
	uint16_t order[D3_HULL_MAX];
	rank(round, order);
	size_t size = 4 * (size_t)hull->faces.count * sizeof(uint16_t);
	uint16_t *number = memory_resize(round->memory, NULL, 0, size);
	if (number == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	struct d3_hull *made = d3_hull_new(round->memory, round->count, faces, edges);
	if (made != NULL) {
		for (uint32_t i = 0; i < round->count; ++i)
			made->points[order[i]] = round->points[round->index[i]];
		write_edges(round, made, order, number);
	}
	memory_free(round->memory, number, size);
	if (made == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	if (!d3_hull_lay_planes(made, thinnest * extent)) {
		d3_hull_free(round->memory, made);
		return D3_HULL_DEGENERATE;
	}
	*out = made;
	return D3_HULL_OK;
}

void d3_hull_measure(const struct d3_points *points, double *extent, double *tolerance)
{
	struct d3_vec_d low, high;
	*extent = d3_points_box(points, &low, &high);
	double most = max_d(max_d(max_d(high.x, high.y), high.z), -min_d(min_d(low.x, low.y), low.z));
	*tolerance = max_d(flatness * *extent, noise * most);
}

/* Runs rounds until one changes nothing. This terminates, as each round before that drops at least one corner. */
static enum d3_hull_result run_rounds(struct round *round, struct d3_hull **out)
{
	for (;;) {
		struct d3_points left = {.narrow = round->points, .index = round->index, .count = round->count};
		double extent, tolerance;
		bool changed;
		d3_quickhull_free(&round->hull);
		d3_hull_measure(&left, &extent, &tolerance);
		enum d3_hull_result result = d3_hull_clean(round, extent, tolerance, &changed);
		if (result != D3_HULL_OK)
			return result;
		if (!changed)
			return write_hull(round, extent, out);
		if (round->count < 4)
			return D3_HULL_DEGENERATE;
	}
}

enum d3_hull_result d3_hull_compute(struct memory *memory, const struct d3_vec *points, uint32_t count, struct d3_hull **out)
{
	struct round round = {.memory = memory, .points = points};
	enum d3_hull_result result = list_corners(&round, count);
	if (result == D3_HULL_OK)
		result = run_rounds(&round, out);
	d3_quickhull_free(&round.hull);
	memory_free(memory, round.index, round.capacity * sizeof *round.index);
	return result == D3_HULL_DEGENERATE ? lacking(points, count) : result;
}

/* --- Bounds --------------------------------------------------------------------------------------------------------------- */

void d3_hull_box(const struct d3_hull *hull, const struct d3_rot *q, struct d3_vec *lower, struct d3_vec *upper)
{
	float4 least_x = float4_of(INFINITY), least_y = least_x, least_z = least_x, most_x = -least_x, most_y = most_x,
		   most_z = most_x;
	for (uint32_t i = 0; i < hull->point_count; i += 4) {
		const struct d3_hull_lanes *p = &hull->lanes[i / 4];
		float4 x = float4_read(p->x), y = float4_read(p->y), z = float4_read(p->z), at;
		at = q->x.x * x + q->y.x * y + q->z.x * z;
		least_x = float4_least(at, least_x), most_x = float4_most(at, most_x);
		at = q->x.y * x + q->y.y * y + q->z.y * z;
		least_y = float4_least(at, least_y), most_y = float4_most(at, most_y);
		at = q->x.z * x + q->y.z * y + q->z.z * z;
		least_z = float4_least(at, least_z), most_z = float4_most(at, most_z);
	}
	*lower = (struct d3_vec){-float4_greatest(-least_x), -float4_greatest(-least_y), -float4_greatest(-least_z)};
	*upper = (struct d3_vec){float4_greatest(most_x), float4_greatest(most_y), float4_greatest(most_z)};
}
