/* simplify_parts.h - internals shared by simplify.c and simplify_bounds.c. Pure, any thread. */
#pragma once
#include "d3/process/simplify.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, RING = 128, AROUND = 512 };

struct quadric {
	double a[10]; /* coefficients xx xy xz xw yy yz yw zz zw ww of sum weight (n . p + w)^2 */
};

/* An entry of the heap: a vertex and its least cost. An entry is outdated if its stamp is not the vertex's. */
struct entry {
	double cost;
	uint32_t vertex, stamp;
};

typedef ARRAY(uint32_t) list;

struct half {
	uint32_t corner; /* its start; NONE: the triangle is removed */
	uint32_t next; /* next half edge that starts at the same vertex */
};

struct vertex {
	uint32_t head; /* first half edge that starts here */
	uint32_t boundary; /* the next vertex along the given boundary; NONE: not on it */
	uint32_t stamp; /* that of its valid entry; in the end the vertex's number in the result */
	bool fixed;
	struct quadric quadric;
};

struct triangle {
	/* upper bound on the distance of its points from the given surface, and of the given triangles that rely on it from the
	 * current one */
	double moved;
	list relying; /* the given triangles shown to be near it */
	uint32_t mark; /* number of the last search that gathered the given triangle of this index */
};

struct work {
	struct memory *memory;
	const struct d3_surface *surface; /* the given surface */
	const struct d3_vec_d *p;
	uint32_t vertex_count, triangle_count;
	double limit, slack; /* allowed distance; rounding error [length] */
	bool lists; /* whether the limit is large enough for d3_simplify_measure, and `relying` is kept */
	struct half *halves; /* half edge h = 3 t + i starts at corner i of triangle t */
	struct vertex *vertices;
	struct triangle *triangles;
	uint32_t mark;
	list gathered;
	ARRAY(struct entry) heap;
};

/* A vertex to be moved onto `target`, its star (the triangles around it), and the fan that replaces them. */
struct star {
	uint32_t vertex, target;
	uint32_t count; /* number of triangles */
	bool closed;
	uint32_t ring[RING + 1]; /* triangle i has the corners vertex, ring[i], ring[i + 1]; if closed, ring[count] is ring[0] */
	uint32_t triangles[RING];
	uint32_t fan[RING], fan_count; /* the numbers i of the triangles that stay, with `target` in place of `vertex` */
	struct d3_vec_d normal, u, v; /* axes of the map's plane: see simplify.c */
	double moves; /* greatest distance that the map moves a point; infinite: no map */
	double bounds[RING]; /* by fan triangle: its new `moved`, as measured */
	uint32_t around[AROUND], around_count; /* triangles at the ring's vertices, outside the star */
};

#define EACH_HALF(w, vertex, h)                                                    \
	(uint32_t h = d3_simplify_first_of(w, &(w)->vertices[vertex].head); h != NONE; \
		h = d3_simplify_first_of(w, &(w)->halves[h].next))

enum verdict { NO, YES, NO_MEMORY };

/* The first half edge from *link on that is not removed, or NONE. Unlinks removed ones. */
uint32_t d3_simplify_first_of(struct work *w, uint32_t *link);

void d3_simplify_corners_of(const struct work *w, uint32_t t, struct d3_vec_d c[3]);

/* Corners of triangle i of the star's fan. */
void d3_simplify_fan_corners(const struct work *w, const struct star *star, uint32_t i, struct d3_vec_d c[3]);

struct d3_vec_d d3_simplify_area_normal(struct d3_vec_d a, struct d3_vec_d b, struct d3_vec_d c);

/* Whether all old and new triangles face along the mean normal of the old ones, none is degenerate, and each new triangle is
 * turned by less than 90 degrees from the old one that it replaces. Sets the star's normal, u and v. */
bool d3_simplify_faces_agree(const struct work *w, struct star *star);

/* Sets star->moves: see simplify.c. A border vertex has a map only where the border is straight. */
void d3_simplify_find_map(const struct work *w, struct star *star);

/* Whether the given boundary between the vertex's two border neighbours is within the limit of the new edge between them;
 * testing the boundary's vertices suffices. Then the new edge is within the limit of the boundary, too: the points of the edge
 * nearest to those of the boundary cover the edge. */
bool d3_simplify_keeps_boundary(const struct work *w, const struct star *star);

/* Adds `given` to the given triangles that rely on `triangle`, unless it is one of the last seven. False: no memory. */
bool d3_simplify_rely(struct work *w, uint32_t triangle, uint32_t given);

/* Whether triangle c, a part of the given triangle `given`, is shown to be within the limit of the fan and the triangles around
 * the star. With `note`, records the triangles that c is near, and bounds on the distances. level: subdivisions so far. */
enum verdict d3_simplify_certify(
	struct work *w, struct star *star, const struct d3_vec_d c[3], uint32_t given, int level, bool note);

/* Collects in w->gathered, once each, the given triangles that rely on the star's. False: no memory. */
bool d3_simplify_gather(struct work *w, const struct star *star);

void d3_simplify_given_corners(const struct work *w, uint32_t given, struct d3_vec_d c[3]);

/* Whether measured distances allow the collapse. Sets the star's bounds and around, and w->gathered. */
enum verdict d3_simplify_measure(struct work *w, struct star *star);
