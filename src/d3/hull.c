/* hull.c - see hull.h.
** Floor: d3. Pure, any thread. */
#include "d3/hull.h"

#include "d3/shape_parts.h"

#include <assert.h>

/* One block: the struct, then its arrays, those of larger alignment first. */
static size_t hull_size(uint32_t points, uint32_t faces, uint32_t edges)
{
	return sizeof(struct d3_hull) + faces * (sizeof(struct d3_hull_plane) + sizeof(uint16_t)) + points * (sizeof(struct d3_vec) + sizeof(uint16_t)) +
		edges * sizeof(struct d3_hull_edge);
}

/* A hull under construction: the same arrays, writable. */
struct draft {
	struct d3_hull *hull;
	struct d3_hull_plane *planes;
	struct d3_vec *points;
	struct d3_hull_edge *edges;
	uint16_t *face_edges, *point_edges;
};

static bool draft_new(struct memory *memory, uint32_t points, uint32_t faces, uint32_t edges, struct draft *out)
{
	struct d3_hull *hull = memory_zeroed(memory, hull_size(points, faces, edges));
	if (hull == NULL)
		return false;
	out->hull = hull;
	out->planes = (struct d3_hull_plane *)(hull + 1);
	out->points = (struct d3_vec *)(out->planes + faces);
	out->edges = (struct d3_hull_edge *)(out->points + points);
	out->face_edges = (uint16_t *)(out->edges + edges);
	out->point_edges = out->face_edges + faces;
	*hull = (struct d3_hull){ .point_count = points, .face_count = faces, .edge_count = edges, .points = out->points, .planes = out->planes,
		.face_edges = out->face_edges, .point_edges = out->point_edges, .edges = out->edges };
	return true;
}

void d3_hull_free(struct memory *memory, struct d3_hull *hull)
{
	memory_resize(memory, hull, hull_size(hull->point_count, hull->face_count, hull->edge_count), 0);
}

/* Rounding has moved the points a little: the plane is put where they reach, so that along its normal, too, the hull is that of its points. */
static void lay_plane(const struct d3_hull *hull, struct d3_hull_plane *plane)
{
	plane->offset = -INFINITY;
	for (uint32_t i = 0; i < hull->point_count; i++)
		plane->offset = max_d(plane->offset, d3_dot_d(plane->normal, d3_widen(hull->points[i])));
}

/* Corner bits: x 1, y 2, z 4; counter-clockwise from outside. */
static const uint8_t box_faces[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };

/* The half edges of a box from its faces: edge 2 k is met first, 2 k + 1 is its twin. */
static void box_edges(struct draft *draft)
{
	uint16_t half[8][8]; /* from corner to corner: its number + 1 */
	memset(half, 0, sizeof half);
	uint16_t count = 0;
	for (uint16_t face = 0; face < 6; face++) {
		for (int i = 0; i < 4; i++) {
			uint8_t from = box_faces[face][i], to = box_faces[face][(i + 1) % 4];
			if (half[from][to] == 0) {
				half[from][to] = (uint16_t)(count + 1);
				half[to][from] = (uint16_t)(count + 2);
				count += 2;
			}
		}
		for (int i = 0; i < 4; i++) {
			uint8_t from = box_faces[face][i], to = box_faces[face][(i + 1) % 4], after = box_faces[face][(i + 2) % 4];
			uint16_t edge = (uint16_t)(half[from][to] - 1), next = half[to][after];
			draft->edges[edge] = (struct d3_hull_edge){ .next = (uint16_t)(next - 1), .twin = edge ^ 1, .origin = from, .face = face };
			draft->point_edges[from] = edge;
			draft->face_edges[face] = edge;
		}
	}
}

struct d3_hull *d3_hull_of_box(struct memory *memory, const struct d3_transform_d *frame, struct d3_vec half)
{
	struct draft draft;
	if (!draft_new(memory, 8, 6, 24, &draft))
		return NULL;
	for (uint32_t i = 0; i < 8; i++) {
		struct d3_vec_d corner = { i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z };
		draft.points[i] = d3_narrow(d3_transform_point_d(frame, corner));
	}
	struct d3_vec_d axes[3] = { frame->q.x, frame->q.y, frame->q.z };
	for (int face = 0; face < 6; face++) {
		draft.planes[face].normal = face & 1 ? axes[face / 2] : d3_neg_d(axes[face / 2]);
		lay_plane(draft.hull, &draft.planes[face]);
	}
	box_edges(&draft);
	return draft.hull;
}
