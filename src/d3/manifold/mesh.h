/* mesh.h - shared by the files of contacts with meshes and height fields: the state of one pair of shapes while its triangles
 * are visited.
 * Pure, any thread. Included by mesh*.c only. */
#pragma once
#include "d3/manifold/manifold_parts.h"
#include "d3/shape/shape_parts.h"
#include "d3/shape/voxels_parts.h"

#include <assert.h>
#include <string.h>

enum { GROUPS = 16, GROUP_POINTS = 32, PLANES = D3_HULL_MAX / 2, LATER = 64 };

static const uint32_t NO_FACE = UINT32_MAX;

/* A triangle whose points at inner edges are clipped later, if at all. */
struct later {
	struct d3_vec normal;
	float own; /* lower bound on the separation of these points [length] */
	uint32_t child;
};

/* Points with similar normals. */
struct group {
	struct d3_vec normal; /* of the deepest point */
	/* sum: of the normals of points about as deep as the deepest; of equal ones in a row the first only. last: the last in the
	 * sum */
	struct d3_vec sum, last;
	float deepest;
	uint32_t triangle, count;
	struct d3_candidate_point points[GROUP_POINTS]; /* p: midway between the surfaces; height: the separation */
	float x[GROUP_POINTS], y[GROUP_POINTS], z[GROUP_POINTS]; /* of the points, for comparing four at a time */
	int32_t ids[GROUP_POINTS];
	struct d3_candidate_point inner; /* the deepest point at an inner edge; height INFINITY: none */
};

/* Data of four triangles, each seen from its front, or of a two-sided surface from the side of b's centre. */
struct tile_lanes {
	float4 n[3]; /* unit normals, towards that side */
	int4 back; /* b is on the triangle's back */
	float4 winding; /* of the corners, seen from that side: 1 counter-clockwise, -1 clockwise */
	float4 least; /* n . p of the lowest point of b's core */
	float4 own; /* separation along the normal */
	int4 plain; /* the triangle is not degenerate, and b's centre is on a side that collides */
	int4 face; /* of b: the one turned most against the normal */
	float4 alignment; /* cosine between its normal and -n */
};

/* Triangles around which the surface bends little, from any leaf, collected until there are four. */
struct pending {
	uint32_t count, children[4];
	uint32_t outer[3]; /* by edge: lanes in which the surface bends away beyond the edge */
	struct d3_corner_lanes corners;
	struct tile_lanes t; /* only n, winding, own, face and alignment */
};

struct gathering {
	const struct d3_shape *mesh, *b;
	struct d3_transform b_in_a;
	struct d3_frame frame, back; /* b in the mesh's frame, and the mesh in b's */
	struct d3_proxy proxy;
	struct d3_polytope solid;
	struct d3_vec center;
	float radius, speculative;
	float apart; /* a triangle more than this above a face of b's core is not in contact */
	float clear; /* lower bound on the motion that b needs to make contact with any of the separated triangles */
	uint32_t group_count;
	struct group groups[GROUPS];
	struct facing {
		struct d3_vec normal; /* initially 0 */
		float lowest; /* least n . p of b */
		bool made; /* for shapes other than hulls: `patch` is made for `normal` */
		uint32_t face; /* for hulls: the face that `patch` is; NO_FACE: none yet */
		struct d3_contact_face patch;
		struct d3_vec lower, upper; /* AABB of the contact face */
		struct d3_contact_face_lanes lanes; /* if the contact face is a face */
	} facing; /* the contact face of b turned against `normal` */
	struct d3_vec lower, upper; /* AABB of b, with the margin */
	struct d3_vec axis; /* separating axis or contact normal of the last step */
	float axis_floor; /* a triangle entirely below this along the axis is too far [length] */
	struct d3_vec nearest; /* normal of the closest separated triangle, and its separation less the margin */
	float nearest_separation;
	uint32_t plane_count, plane;
	struct d3_hull_plane_lanes planes[PLANES];
	uint32_t corner_count;
	struct d3_vec corners[D3_HULL_MAX]; /* of a hull, in the mesh's frame */
	/* Fallback of one inner point, used if there is no group: all contacts of a deep b may have been rejected because their
	 * normals lead into other parts of the surface. */
	struct group resort;
	uint32_t later_count;
	struct later later[LATER];
	struct pending pending;
};

/* A normal does not count as leaning over an edge if the sine of the angle is below this. */
static const float lean_sine = 1e-3f;

/* A triangle seen from b's side: counter-clockwise. */
struct tile {
	uint32_t child;
	struct d3_vec corners[3], paths[3], normal; /* paths: along edge k, from corner k */
	uint32_t points[3], neighbors[3];
	uint32_t edges[4]; /* by enum d3_edge: a bit for each edge of that kind */
	uint32_t inner; /* a bit for each edge beyond which the surface continues flat or rises gently */
	bool back, gentle; /* gentle: the surface continues beyond all edges, and bends little */
	float own; /* separation along the normal */
	bool behind; /* b's centre is behind this side: only contacts with edges and corners, from the front, are taken */
};

/* Points over a triangle. */
struct clipped {
	uint32_t count;
	float least; /* separation */
	struct d3_candidate_point points[D3_CANDIDATES_MAX];
	struct d3_candidate_point inner; /* the deepest of those at inner edges, if wanted; height INFINITY: none */
};

enum verdict { ADMIT, SKIP, SNAP };

/* --- Gathering: mesh_gather.c --------------------------------------------------------------------------------------------- */

/* Returns the group with a similar normal. NULL: there is none. */
struct group *d3_group_along(struct gathering *g, struct d3_vec normal);
/* Returns the group with a similar normal, or else a new one, which may replace the shallowest. NULL: all groups are in use,
 * and none is shallower than `separation`. */
struct group *d3_group_find(struct gathering *g, struct d3_vec normal, float separation);
/* Adds a point. A point found in both triangles of an edge is kept once, the deeper one. */
void d3_gather(struct gathering *g, uint32_t child, struct d3_vec normal, const struct d3_candidate_point *point);
/* Writes the manifolds of the deepest groups. Returns their number. */
int d3_gather_end(struct gathering *g, struct d3_local_manifold out[D3_MANIFOLDS]);
const struct group *d3_group_deepest(const struct gathering *g);

/* A point id from the triangle's vertices, which neighbours share, and a feature of b (0: none). */
static inline uint32_t d3_gather_name(uint32_t first, uint32_t second, uint32_t of_b)
{
	uint32_t low = first < second ? first : second, high = first < second ? second : first;
	return scramble(((uint64_t)high << 32 | low) ^ (uint64_t)of_b << 16) | 1u << 31;
}

/* A number of the triangle for names; of voxels one that does not depend on edits before. */
static inline uint32_t d3_child_number(const struct gathering *g, uint32_t child)
{
	if (!g->mesh->voxels)
		return child;
	return d3_voxels_point(g->mesh, child, 0) + 3 * d3_voxels_point(g->mesh, child, 1) + 7 * d3_voxels_point(g->mesh, child, 2);
}

static inline uint32_t d3_child_name(const struct gathering *g, uint32_t child)
{
	return d3_gather_name(d3_child_number(g, child), d3_child_number(g, child), 0);
}

/* --- Faces of b: mesh_hull.c ---------------------------------------------------------------------------------------------- */

/* Makes this face of a hull the contact face. */
void d3_set_face(struct gathering *g, uint32_t face);
/* Sets the bounds and lanes of a new contact face. */
void d3_bound_face(struct facing *facing);
/* Separation of each of four triangles along the best of b's face normals, or a lower bound that already rejects all lanes in
 * `near`. -INFINITY: b has no faces. The face that was best for the last four is tested first. */
float4 d3_height_above(struct gathering *g, const struct d3_corner_lanes *c, uint32_t near);
/* Tests four triangles against b, a hull: rejects those that are separated, and queues or gathers those around which the
 * surface bends little. Returns the lanes left, to be visited one by one. *above: separations along b's best face less
 * g->apart; *known: those of the lanes left for which *t is valid. */
uint32_t d3_visit_together(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t near,
	struct tile_lanes *t, float4 *above, uint32_t *known);
void d3_visit_pending(struct gathering *g);

static inline bool d3_same_vec(struct d3_vec a, struct d3_vec b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline float4 d3_height_of(const struct d3_corner_lanes *c, int k, float x, float y, float z)
{
	return float4_read(c->x[k]) * x + float4_read(c->y[k]) * y + float4_read(c->z[k]) * z;
}

static inline void d3_note_nearest(struct gathering *g, struct d3_vec normal, float separation)
{
	if (separation < g->nearest_separation) {
		g->nearest = normal;
		g->nearest_separation = separation;
	}
}

static inline struct d3_vec d3_lane_of(const float4 a[3], uint32_t lane)
{
	return (struct d3_vec){a[0][lane], a[1][lane], a[2][lane]};
}

/* The kinds of the triangle's edges, for d3_triangle_edge and d3_triangle_gentle only: other members may be unset. */
static inline struct d3_mesh_triangle d3_mesh_edges(const struct gathering *g, uint32_t child)
{
	struct d3_mesh_triangle t;
	const struct d3_mesh *mesh = g->mesh->mesh;
	if (mesh != NULL && !mesh->uneven)
		t.edges = mesh->records[child].edges;
	else if (g->mesh->voxels)
		t.edges = d3_voxels_edges(g->mesh, child);
	else
		d3_shape_neighborhood(g->mesh, child, &t);
	return t;
}

/* --- One triangle: mesh.c and mesh_triangle.c ----------------------------------------------------------------------------- */

/* The least n . p of b, for a unit normal in the mesh's frame. */
float d3_mesh_lowest(const struct gathering *g, struct d3_vec n);

/* Replaces the group's inner point by a deeper one. Does nothing if the group is NULL. */
void d3_group_keep_inner(struct group *group, uint32_t child, struct d3_vec normal, const struct d3_candidate_point *point);

/* Finds the contact face of b turned against the normal. The last result is reused: all triangles of a floor have the same
 * normal, and most of hills the same face of b. */
void d3_mesh_find_facing(struct gathering *g, struct d3_vec normal);

/* Pushes b out at the triangle if it has sunk into its cell: see d3_voxels_push. */
void d3_mesh_push_out(struct gathering *g, uint32_t child);

/* Clips b's contact face against the triangle. If the contact face has three corners or more, omits points at the triangle's
 * edges in `inner`; with `deepest`, the deepest of these goes to out->inner. False: the face is not near, so there are no
 * points. */
bool d3_mesh_clip_over(struct gathering *g, const struct tile *tile, uint32_t inner, bool deepest, struct clipped *out);

/* Gathers the points. Those at the edges in `without`, and those at other edges of the triangle that are deeper than `deepest`
 * (a separation), are only offered to g->resort. */
void d3_mesh_gather_face(
	struct gathering *g, const struct tile *tile, const struct clipped *clipped, uint32_t without, float deepest);

/* Clips b's contact face against the triangle and gathers the points as d3_mesh_gather_face does. Returns the least separation;
 * INFINITY: no points. */
float d3_mesh_touch_face(struct gathering *g, const struct tile *tile, uint32_t without, float deepest);

/* Sets *out to the normal of the neighbour beyond edge k, on the same side. False: there is none. */
bool d3_mesh_neighbor_normal(const struct gathering *g, const struct tile *tile, int k, struct d3_vec *out);

/* Judges a contact along n: see the head of mesh.c. *leant: a bit for each flat or concave edge that n leans over. */
enum verdict d3_mesh_judge(const struct gathering *g, const struct tile *tile, struct d3_vec n, uint32_t *leant);

/* Gathers the points of a manifold along a normal other than the triangle's own. */
void d3_mesh_gather_manifold(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m);

/* Sets the triangle as seen from b's side: of a one-sided surface the front, of a two-sided one the side of the triangle on
 * which b's centre is. Where b is deep below that side, takes instead the side of the surrounding surface on which b's centre
 * is. */
void d3_mesh_see_tile(struct gathering *g, uint32_t child, struct tile *tile);

/* Visits those of four triangles, from `first` on, whose bit is set in `there`. The tests that cost least and reject most come
 * first. */
void d3_mesh_visit_four(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t there);
/* Visits the triangles of the voxels' cells near the shape. */
void d3_mesh_visit_voxels(struct gathering *g);

/* Whether b's AABB overlaps the box, and the box is not entirely below the axis floor. If not, lowers g->clear to the
 * separation. */
static inline bool d3_mesh_enter_box(struct gathering *g, struct d3_vec low, struct d3_vec high)
{
	struct d3_vec axis = g->axis, under = d3_sub(low, g->upper), over = d3_sub(g->lower, high);
	float along = max_f(low.x * axis.x, high.x * axis.x) + max_f(low.y * axis.y, high.y * axis.y) +
		max_f(low.z * axis.z, high.z * axis.z);
	float outside = max_f(max_f(max_f(under.x, over.x), max_f(under.y, over.y)), max_f(under.z, over.z));
	float apart = max_f(outside, g->axis_floor - along);
	if (!(apart > 0))
		return true;
	g->clear = min_f(g->clear, apart);
	return false;
}
