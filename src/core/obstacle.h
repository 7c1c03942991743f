/* obstacle.h - the pieces of colliders near a convex shape that moves without rotating, and how far it can move among them.
 * The signed distance of two convex sets is a convex function of their relative displacement. So its tangent at any
 * displacement bounds it from below at all others: one measurement rules out collisions far around it, and a piece is measured
 * again only where its bound fails. Where the bound comes from an AABB or the plane of a triangle, it costs no measurement at
 * all. Serial, and between steps. */
#pragma once
#include "core/core.h"

/* A piece of a collider, for the wing to report. */
struct obstacle_piece {
	uint32_t child;
	bool bounded; /* has an AABB */
	struct box_d box; /* in the world */
	/* The piece is below the plane through `corner` (in the world) with this unit normal; on the plane, if it is bounded. */
	bool faced;
	bool one_sided; /* it stops what comes from above the plane */
	struct vec3 normal, corner;
};

/* Distance of a shape that is behind a one-sided piece or one-way collider, which lets it pass [length]. */
#define OBSTACLE_BEHIND 1e30

typedef void piece_visit(void *context, const struct obstacle_piece *piece);

/* The wing's functions for obstacles. A `pose` is of the wing's type. */
struct obstacle_wing {
	/* Writes the body's pose, with the given position of its origin. */
	void (*pose)(const struct world *, uint32_t body, struct vec3 origin, void *pose);
	struct mat3 (*axes)(const void *pose);
	bool (*is_convex)(const void *shape); /* and bounded */
	bool (*is_box)(const void *shape, const void *pose); /* whether it is a box along the world's axes, with sharp corners */
	/* Visits the pieces of the proxy, whose shape has the AABB `bounds`, that may overlap the box (in the world). */
	void (*pieces)(const struct world *, uint32_t proxy, const struct box *bounds, const struct box_d *box, piece_visit *visit,
		void *context);
	void (*bounds)(const void *shape, const void *pose, struct box_d *box);
	/* Returns the signed distance of a convex shape from a piece, or OBSTACLE_BEHIND [length]. *normal: unit, towards the
	 * shape; *point: the closest point of the piece, relative to the position of the pose. */
	double (*distance)(const struct world *, uint32_t collider, uint32_t child, const void *shape, const void *pose,
		struct vec3 *normal, struct vec3 *point);
	/* Velocity of a surface of the collider with the normal, relative to the body, by the material there [length/s]. */
	struct vec3 (*surface)(const struct world *, uint32_t collider, uint32_t child, struct vec3 normal);
	/* Returns the sum of the contact's normal impulses in the last step; *normal: when that began, from a to b. */
	double (*contact_impulse)(const struct world *, uint32_t contact, struct vec3 *normal);
	/* Moves the body's origin, as part of its motion from `from` since the last step ended. */
	void (*place)(struct world *, uint32_t body, struct vec3 origin, struct vec3 from);
	/* Sets the position of the body's origin at which its motion in this step began. */
	void (*start)(struct world *, uint32_t body, struct vec3 origin);
	void (*set_velocity)(struct world *, uint32_t body, struct vec3 v); /* and stops its rotation */
	/* Rotates the body about its origin, by the smallest rotation that takes the direction `from` to `to`. */
	void (*turn)(struct world *, uint32_t body, struct vec3 from, struct vec3 to);
};

/* Room for a pose of either wing. */
union wing_pose {
	double numbers[3]; /* it begins with the position */
	unsigned char bytes[48];
};

struct obstacle_search {
	struct world *world;
	uint32_t collider; /* that moves; NONE: one-way colliders are solid from all sides */
	const void *shape; /* convex and bounded */
	union wing_pose pose;
	struct vec3 origin; /* position of the pose; displacements are from here */
	struct mat3 axes; /* of the pose */
	struct box_d box; /* AABB of the shape, relative to the origin */
	struct box_d room; /* displacements for which all obstacles are known */
	double margin; /* pieces up to this far from the shape are obstacles [length] */
	/* Whether the shape came through one-sided surfaces from their back before the search, so that they let it pass on; whether
	 * it does in the search. */
	bool passing, passes;
	/* Whether the collider may be an obstacle. */
	bool (*admits)(void *context, uint32_t collider);
	void *context;
	bool out_of_memory;
};

/* Whether one of the two colliders is solid from one side only. */
bool obstacle_one_way(const struct obstacle_search *search, uint32_t collider);
/* Sets the search's origin, axes and box. shape and pose are set. */
void obstacles_begin(struct obstacle_search *search);
/* Finds the obstacles for the displacements in search->room: world->controllers.obstacles. False: no memory. */
bool obstacles_find(struct obstacle_search *search);
/* Measures the distance at a displacement, unless it is known. Returns it [length]. */
double obstacle_measure(struct obstacle_search *search, struct obstacle *obstacle, struct vec3 at);

static inline double obstacle_bound(const struct obstacle *obstacle, struct vec3 at)
{
	return vec3_dot(obstacle->normal, at) + obstacle->offset;
}

/* Returns the part of the straight way from one displacement to another that one obstacle leaves free, as obstacles_travel. */
double obstacle_way(struct obstacle_search *search, struct obstacle *obstacle, struct vec3 from, struct vec3 to, double least,
	double tolerance);
/* Returns the part of the straight way from one displacement to another that the shape can move without coming nearer to an
 * obstacle than `least`, to within `tolerance`. An obstacle that is nearer at the start must not come nearer. *blocker: the
 * index of the obstacle that ends the way, measured there; NONE: none does. Also ends at the border of the search's room. */
double obstacles_travel(
	struct obstacle_search *search, struct vec3 from, struct vec3 to, double least, double tolerance, uint32_t *blocker);

/* Whether a contact at an edge or corner is within the surface of another obstacle: its point is on that one's plane, within
 * the tolerance, it is not nearer, and its normal leans off that one's, but less than a wall's. Both are measured. */
bool obstacle_seam(const struct obstacle *surface, const struct obstacle *edge, double tolerance);

/* For scripts: keeps of the search's obstacles those at most `most` away from the shape where it is, measured, from the nearest
 * on. Leaves out edges and corners inside a surface: those on the plane of a nearer obstacle that faces much the same way. */
void obstacles_touched(struct obstacle_search *search, double most);

/* Distance from the origin of the pose to the farthest point of the shape along the unit vector [length]. */
double obstacle_reach(const struct obstacle_search *search, struct vec3 direction);
