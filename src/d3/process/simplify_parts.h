/* simplify_parts.h - internals shared by simplify.c and simplify_bounds.c.
 * Pure, any thread. */
#pragma once
#include "d3/process/simplify.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, RING = 128, AROUND = 512 };

struct quadric {
	double a[10]; /* xx xy xz xw yy yz yw zz zw ww, of sum weight (n . p + w)^2 */
};

/* A removable vertex and its cost. Outdated entries have an old stamp. */
struct entry {
	double cost;
	uint32_t vertex, stamp;
};

typedef ARRAY(uint32_t) list;

struct work {
	struct memory *memory;
	const struct d3_surface *surface; /* as given */
	const struct d3_vec_d *p;
	uint32_t vertex_count, triangle_count;
	double limit, slack; /* allowed distance; rounding error [length] */
	bool lists; /* the error is large enough to d3_simplify_measure by */
	uint32_t *corners; /* of half edge h = 3 t + i: the vertex; NONE if the triangle is removed */
	uint32_t *heads, *nexts; /* the half edges that start at each vertex */
	uint32_t *boundary; /* the next vertex along the given boundary */
	uint32_t *stamps;
	bool *fixed;
	struct quadric *quadrics;
	double *moved; /* of each triangle: a bound of how far its points, and all that relies on it, are from the other surface */
	list *relying; /* of each triangle: the given ones that d3_simplify_rely on it */
	uint32_t *marks; /* of given triangles */
	uint32_t mark;
	list gathered;
	ARRAY(struct entry) heap;
};

/* A vertex to be removed, and the triangles around it. */
struct star {
	uint32_t vertex, target;
	uint32_t count; /* of triangles */
	bool closed;
	uint32_t ring[RING + 1]; /* triangle i is vertex, ring[i], ring[i + 1] (closed: the last one's is ring[0] again) */
	uint32_t triangles[RING];
	uint32_t fan[RING], fan_count; /* those of them that stay, with `target` in place of `vertex` */
	struct d3_vec_d normal, u, v; /* of the plane of the map */
	double moves; /* of the map; infinite if there is none */
	double bounds[RING]; /* for each of the fan, when measured */
	uint32_t around[AROUND], around_count; /* neighbouring triangles */
};

#define EACH_HALF(w, vertex, h) \
	(uint32_t h = d3_simplify_first_of(w, &(w)->heads[vertex]); h != NONE; h = d3_simplify_first_of(w, &(w)->nexts[h]))

enum verdict { NO, YES, NO_MEMORY };

/* Skips removed half edges, and unlinks them. */
uint32_t d3_simplify_first_of(struct work *w, uint32_t *link);

void d3_simplify_corners_of(const struct work *w, uint32_t t, struct d3_vec_d c[3]);

struct d3_vec_d d3_simplify_area_normal(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c);

/* Old and new triangles all face the mean normal, and each new one faces as the one that it comes from. */
bool d3_simplify_faces_one_way(const struct work *w, struct star *star);

/* A border vertex has a map only where the border is straight. */
void d3_simplify_find_map(const struct work *w, struct star *star);

/* The given boundary between the two border neighbours is as near to its new edge as its vertices are. The new edge is as near
 * to the boundary, because a path between the ends of a segment passes all of its points. */
bool d3_simplify_keeps_boundary(const struct work *w, const struct star *star);

/* Records, once, that given triangle `given` relies on this one. */
bool d3_simplify_rely(struct work *w, uint32_t triangle, uint32_t given);

/* Whether a part of given triangle `given` is near the new triangles or those around. With `note`, records to which ones, and
 * how near. */
enum verdict d3_simplify_certify(
	struct work *w, struct star *star, const struct d3_vec_d c[3], uint32_t given, int level, bool note);

/* All given triangles that d3_simplify_rely on those of the star, each once. */
bool d3_simplify_gather(struct work *w, const struct star *star);

void d3_simplify_given_corners(const struct work *w, uint32_t given, struct d3_vec_d c[3]);

enum verdict d3_simplify_measure(struct work *w, struct star *star);
