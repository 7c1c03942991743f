/* mesh_parts.h - internals shared by mesh.c and mesh_triangle.c.
 * Pure, any thread. */
#pragma once
#include "d3/manifold/mesh.h"
#include "base/cache.h"
#include "base/float4.h"

#include <assert.h>
#include <string.h>

/* A normal that leans over an edge by less than this, a sine, counts as not leaning. */
static const float lean_sine = 1e-3f;

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

/* Points over a triangle. */
struct clipped {
	uint32_t count;
	float least; /* separation */
	struct d3_candidate_point points[D3_CANDIDATES_MAX];
	struct d3_candidate_point inner; /* the deepest of those at inner edges, if wanted; height INFINITY: none */
};

enum verdict { ADMIT, SKIP, SNAP };

/* The least n . p of b, for a unit normal in the mesh's frame. */
float d3_mesh_lowest(const struct gathering *g, struct d3_vec n);

/* Keeps a fallback point, for when no triangle has a contact: each part of a surface may push b out in a direction that leads
 * into another part. */
void d3_mesh_keep_resort(
	struct gathering *g, const struct tile *tile, struct d3_vec normal, const struct d3_candidate_point *point);

/* Finds the patch of b turned against the normal. The last result is reused: all triangles of a floor have the same normal, and
 * most of hills the same face of b. */
void d3_mesh_find_facing(struct gathering *g, struct d3_vec normal);

/* Clips the facing patch against the triangle. `inner`: bits of edges at which no point is wanted, or only the deepest. */
void d3_mesh_clip_over(struct gathering *g, const struct tile *tile, uint32_t inner, bool deepest, struct clipped *out);

/* Gathers the points. Those at the edges in `without`, or at other edges and deeper than `deepest`, become fallback points. */
void d3_mesh_gather_face(
	struct gathering *g, const struct tile *tile, const struct clipped *clipped, uint32_t without, float deepest);

/* Gathers the points. Returns the least separation. */
float d3_mesh_touch_face(struct gathering *g, const struct tile *tile, uint32_t without, float deepest);

/* The normal of the neighbour beyond edge k, on the same side. */
bool d3_mesh_neighbor_normal(const struct gathering *g, const struct tile *tile, int k, struct d3_vec *out);

/* Judges a contact along n: see the head of this file. *leant: a bit for each flat or concave edge that n leans over. */
enum verdict d3_mesh_judge(const struct gathering *g, const struct tile *tile, struct d3_vec n, uint32_t *leant);

/* Gathers points along a normal other than the triangle's own. */
void d3_mesh_gather_manifold(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m);

/* Sets the triangle as seen from b's side: that of b's centre, or where b is on both sides of a two-sided triangle's plane,
 * that of the surface around. */
void d3_mesh_see_tile(struct gathering *g, uint32_t child, struct tile *tile);

/* Visits those of four triangles, from `first` on, whose bit is set in `there`. The tests that cost least and reject most come
 * first. */
void d3_mesh_visit_four(struct gathering *g, const struct d3_corner_lanes *corners, uint32_t first, uint32_t there);
