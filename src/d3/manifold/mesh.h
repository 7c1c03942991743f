/* mesh.h - what the files of contacts with meshes and height fields share: one pair of shapes, as its triangles are gone
 * through.
 * Pure, any thread. Included by manifold_mesh*.c only. */
#pragma once
#include "d3/manifold/manifold_parts.h"
#include "d3/shape/shape_parts.h"

enum { GROUPS = 16, GROUP_POINTS = 32, PLANES = D3_HULL_MAX / 2, LATER = 64 };

static const uint32_t NO_FACE = UINT32_MAX;

/* A triangle whose inner points have not been looked at yet. */
struct later {
	struct d3_vec normal;
	float own; /* gap along it */
	uint32_t child;
};

/* Points whose normals agree. */
struct group {
	struct d3_vec normal; /* of the deepest */
	/* of the normals of the triangles that are about as deep as that, each but once in a row; the last one */
	struct d3_vec sum, last;
	float deepest;
	uint32_t triangle, count;
	struct d3_candidate_point points[GROUP_POINTS]; /* midway; height is the gap */
	float x[GROUP_POINTS], y[GROUP_POINTS], z[GROUP_POINTS]; /* the same, to be compared four at a time */
	int32_t ids[GROUP_POINTS];
	struct d3_candidate_point inner; /* the deepest of those where the surface goes on; height INFINITY: none */
};

/* Four triangles at once, seen from b. */
struct tile_lanes {
	float4 n[3]; /* unit normals, towards b */
	int4 back; /* where that is from the back */
	float4 winding; /* seen from there the corners run counter-clockwise: 1, or clockwise: -1 */
	float4 least; /* n . p of b's core */
	float4 own; /* gap along the normal */
	int4 plain; /* b's middle is on the side that is felt */
	int4 face; /* of b's, that is turned against the normal most */
	float4 alignment; /* the cosine between them */
};

/* Triangles around which the surface bends little, from wherever they come, until they are four. */
struct pending {
	uint32_t count, children[4];
	uint32_t outer[3]; /* by edge, lanes: whether the surface bends away beyond it */
	struct d3_corner_lanes corners;
	struct tile_lanes t; /* all but what is used before */
};

struct gathering {
	const struct d3_shape *mesh, *b;
	struct d3_transform b_in_a;
	struct d3_place place, back; /* b in the mesh's frame, and the mesh in b's */
	struct d3_proxy proxy;
	struct d3_polytope solid;
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
		struct d3_contact_face patch;
		struct d3_vec lower, upper; /* around the patch */
		struct d3_contact_face_lanes lanes; /* of a patch that is a face */
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
	struct pending pending;
};

/* --- Gathering: mesh_gather.c ------------------------------------------------------------------------------------ */

/* The group of that normal. NULL: there is none. */
struct group *d3_group_along(struct gathering *g, struct d3_vec normal);
/* The same, or a new one. NULL: there is no room for what is no deeper than the gap. */
struct group *d3_group_find(struct gathering *g, struct d3_vec normal, float gap);
/* Takes a point. One that is found twice, on both sides of an edge, counts once, where it is deeper. */
void d3_gather(struct gathering *g, uint32_t child, struct d3_vec normal, const struct d3_candidate_point *point);
/* The manifolds of the groups that press most. Returns how many there are. */
int d3_gather_end(struct gathering *g, struct d3_local_manifold out[D3_MANIFOLDS]);
const struct group *d3_group_deepest(const struct gathering *g);

/* Of what has no name among b's features: named by the triangle's, which two neighbours share. */
static inline uint32_t d3_gather_name(uint32_t first, uint32_t second, uint32_t of_b)
{
	uint32_t low = first < second ? first : second, high = first < second ? second : first;
	return scramble(((uint64_t)high << 32 | low) ^ (uint64_t)of_b << 16) | 1u << 31;
}

/* --- Faces of b: mesh_hull.c ------------------------------------------------------------------------------------ */

/* Makes a face of a hull the patch. */
void d3_set_face(struct gathering *g, uint32_t face);
/* The patch has been made: what is reckoned of it. */
void d3_bound_face(struct facing *facing);
/* How far each of four triangles is above that plane of b's faces which it is farthest above, or at least as far as spares all
 * further looks at it. -INFINITY: b has no faces. The plane that told the most of the last four comes first. */
float4 d3_height_above(struct gathering *g, const struct d3_corner_lanes *c, uint32_t near);
/* What four triangles tell together: those that b is too far from, and those whose points are found in lanes. Returns those
 * that are left, how high they are above a face of b's, and which of them are seen as they stand in *t. */
uint32_t d3_visit_together(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t near,
	struct tile_lanes *t, float4 *above, uint32_t *known);
/* Gathers the points of those whose turn has not come. */
void d3_visit_pending(struct gathering *g);

static inline bool d3_same_vec(struct d3_vec a, struct d3_vec b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline float4 d3_height_of(const struct d3_corner_lanes *c, int k, float x, float y, float z)
{
	return float4_read(c->x[k]) * x + float4_read(c->y[k]) * y + float4_read(c->z[k]) * z;
}

static inline void d3_note_nearest(struct gathering *g, struct d3_vec normal, float gap)
{
	if (gap < g->nearest_gap) {
		g->nearest = normal;
		g->nearest_gap = gap;
	}
}

static inline struct d3_vec d3_lane_of(const float4 a[3], uint32_t lane)
{
	return (struct d3_vec){a[0][lane], a[1][lane], a[2][lane]};
}
