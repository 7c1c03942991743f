/* wing.h - the core's interface to 2D or 3D: a table of functions, which take whole ranges where speed matters, and the records
 * that these functions exchange with the core. Included by core.h. */
#pragma once
#include "base/vec3.h"
#include "core/joint_settings.h"
#include "spatial/box.h"
#include "spatial/immersion.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive;
struct batch;
struct body_numbers;
struct lane_state;
struct lane_tie;
struct material;
struct obstacle_wing;
struct pre_solve;
struct query_hit;
struct query_path;
struct sweep_query;
struct sweep_wing;
struct tree_joint;
struct wing;
struct world;

enum {
	POINT_NORMAL_SIZE = 6, /* coordinates of a point, then of a normal; in 2D the first 4 are used */
	SOLVERS = JOINT_TYPES, /* solver tables of the wing: [0] contacts, [enum joint_type] joints */
};

/* The numbers of lanes for which *.wide.c are compiled: 1, 4 and 8. */
enum lane_choice { LANES_1, LANES_4, LANES_8, LANE_CHOICES };

/* Of a function that a *.wide.c file has for 4 and 8 lanes, and for one only where there are no 4: that with most lanes. */
#if defined(WITH_4_LANES)
#define FEW_LANES(name) name##_4
#else
#define FEW_LANES(name) name##_1
#endif
#if defined(WITH_8_LANES)
#define MOST_LANES(lanes, name) ((lanes) == LANES_8 ? name##_8 : FEW_LANES(name))
#else
#define MOST_LANES(lanes, name) ((void)(lanes), FEW_LANES(name))
#endif

/* --- Solvers -------------------------------------------------------------------------------------------------------------- */

/* Flag of a state index: the body is not dynamic. Links may only read its state, since other threads read it, too. */
#define READ_ONLY 0x80000000u

/* A joint of a tree, and the body that it hangs on its parent: see joint_tree.h. */
struct tree_joint {
	uint32_t parent; /* index of the body nearer to the root; the joint of index i hangs body i + 1, body 0 is the root */
	uint8_t type; /* enum joint_type */
	uint8_t side; /* of the hanging body: 0 body A, 1 body B */
	bool fixed; /* the hanging body is not dynamic */
};

/* A link of a batch, for its solver. */
struct batch_link {
	uint32_t id, bodies[2];
	uint32_t states[2]; /* indices in world->states, with READ_ONLY for non-dynamic bodies */
};

struct part_size {
	size_t record; /* [bytes] */
	int locks;
	bool point; /* the first locks are those of a point, along the axes of the world, and the others angular */
};

/* The parts of a joint solver that the direct solution of a tree calls, each for one record: see joint_tree.h. a, b: of the
 * joint's bodies. */
struct joint_parts {
	struct part_size (*size)(uint8_t type);
	/* moves the record to the bodies' poses, and sets the locks' errors: see lock_lanes.h */
	void (*move)(struct world *, struct lane_tie *tie, const struct lane_state *a, const struct lane_state *b);
	void (*locks)(struct world *, struct lane_tie *tie); /* sets all else of the locks, and the masses */
	/* solves all but the locks, with the push of soft constraints or without; a, b: velocities */
	void (*solve)(struct world *, void *record, void *a, void *b, bool push);
};

/* A solver for contacts, for joints of one type or for trees of joints, for `lanes` of these at a time. Records are opaque to
 * the core: a batch of `count` links takes count / lanes records, rounded up. Each function works on records [begin, end). */
struct link_solver {
	uint32_t lanes;
	size_t record_size; /* a multiple of 64; 0: see tree_size */
	const struct joint_parts *parts; /* NULL: no tree takes these joints */
	size_t (*tree_size)(const struct wing *, const struct tree_joint *, uint32_t count); /* of a tree's record [bytes] */
	void (*prepare)(struct world *, void *records, const struct batch *batch, uint32_t begin, uint32_t end);
	void (*warm_start)(struct world *, void *records, uint32_t begin, uint32_t end);
	void (*solve)(struct world *, void *records, uint32_t begin, uint32_t end); /* soft, with position bias */
	void (*relax)(struct world *, void *records, uint32_t begin, uint32_t end); /* rigid, without it */
	/* Makes contacts with a restitution above `least` bounce; NULL for joints. True: velocities have changed, so other contacts
	 * of the same bodies may need another pass. */
	bool (*restitution)(struct world *, void *records, uint32_t begin, uint32_t end, float least);
	void (*store)(struct world *, void *records, const struct batch *batch, uint32_t begin, uint32_t end);
};

/* Integration of the awake bodies [begin, end) over a sub-step. */
struct motion {
	void (*velocities_integrate)(struct world *, uint32_t begin, uint32_t end);
	/* as velocities_integrate, then repeats the velocity change of the contacts in the last sub-step, as a warm start */
	void (*velocities_continue)(struct world *, uint32_t begin, uint32_t end);
	void (*positions_integrate)(struct world *, uint32_t begin, uint32_t end);
};

/* --- Data of the functions ------------------------------------------------------------------------------------------------ */

/* A body's centre of mass [length], and its rotation as the wing stores it (cosine and sine, or a quaternion). */
struct center_pose {
	double center[3];
	float turn[4];
};

/* A body of a linkage, see linkage.h, and the joint to its parent. */
struct linkage_member {
	uint32_t body;
	uint32_t parent; /* index in world->linkage_members; NONE: it is the first, or is jointed to a non-dynamic body */
	uint32_t joint; /* to the parent or to the non-dynamic body; NONE: it is the first */
	struct center_pose end, pose; /* its pose at the end of the step, and the pose to which it is taken back */
};

/* The load between two bodies in contact. */
struct contact_load {
	float direction[3]; /* the normal, from a to b */
	float push; /* sum of the points' normal impulses in the last sub-step [mass length/s] */
	float speeds[2]; /* velocities of a and b along `direction`: means over the points, weighted by impulse [length/s] */
	float overlap; /* of the deepest point [length] */
};

/* A contact's points, normal, impulses and surfaces, for the user. */
struct contact_view {
	int count;
	struct vec3 points[4], centers[2]; /* centers: of mass [length] */
	float separations[4]; /* of the points; < 0: overlap [length] */
	struct vec3 normal; /* from a to b */
	struct vec3 surface; /* surface velocity of a minus that of b, by their materials [length/s] */
	float impulses[4]; /* normal, of the step [mass length/s] */
	float friction; /* in the last sub-step, about the normal as well [mass length/s] */
	float round[2]; /* radius by which each shape rolls; 0: not round [length] */
};

/* An impact solved by continuous collision. */
struct impact {
	uint32_t body, proxies[2]; /* proxies: of the body, and of the obstacle */
	int order; /* index among the body's impacts in this step */
	struct vec3 point, normal; /* the normal points towards the body */
	float speed, energy; /* of the approach [length/s], see hit_energy [mass length^2/s^2] */
	bool apart; /* the body and the obstacle are separated again at the end of the step */
};

/* A surface that a swept body hits. */
struct surface_hit {
	uint32_t body; /* the obstacle */
	uint32_t proxies[2]; /* of the body, and of the obstacle */
	/* in the obstacle's frame, at the impact: the surface's normal, towards the body, and the body's centre of mass */
	struct vec3 normal, center;
	bool bounced; /* the body bounced off it within the sweep */
};

/* The first impact of a body over a whole step. */
struct path_hit {
	struct surface_hit surface;
	float t; /* time of impact as a fraction of the step; 1: no impact */
	bool turns; /* the body's centre of mass hits, not its surface: it may go on rotating */
	bool deep; /* the body's core or a shape's centroid hits: the surfaces overlapped already */
	bool stale; /* the obstacle has been moved since this impact was found */
	bool touched; /* another bullet near this one's path has been moved */
	bool moved; /* this bullet has been moved */
	uint32_t carrier; /* the obstacle that carries the body along until the end of the step, or NONE */
};

/* The straight path of a body's centre of mass over a step, with radii of the body. */
struct body_line {
	struct vec3 from, delta; /* start and displacement of the centre of mass [length] */
	/* outer: greatest distance of the body's points from its centre of mass; inner: least distance of a shape's centroid from
	 * that shape's boundary [length] */
	float outer, inner;
};

/* The path of a proxy of a fast bullet over a step. */
struct bullet_path {
	struct box box; /* AABB of the proxy along the whole path */
	struct body_line line;
	uint32_t body; /* NONE: the drifting proxy is not of a fast bullet */
};

/* A part of a collider that queries test: a child of its shape, or all of them. */
struct query_part {
	uint32_t collider;
	uint32_t child; /* NONE: the whole shape */
};

/* What fields do to a body in a sub-step. */
struct field_push {
	bool weightless; /* the world's gravity does not act */
	struct vec3 gravity; /* to be multiplied by the body's gravity scale [length/s^2] */
	struct vec3 acceleration; /* [length/s^2] */
	struct vec3 force, torque; /* [mass length/s^2], [mass length^2/s^2] */
	/* A drag force `carried` - `drag` v', v' being the velocity at the end of the sub-step [mass/s], [mass length/s^2] */
	double drag;
	struct vec3 carried;
	double turn_drag; /* the angular velocity falls at this rate [1/s] */
	/* Changes of the angular velocity are divided by 1 + h turn_hold, with turn_stiffness / inertia added to turn_hold: so
	 * torques that fall steeply with the rotation do not overshoot [1/s], [mass length^2/s] */
	double turn_hold, turn_stiffness;
};

/* The bytes of a record that a step changes without a mark, in a row: see touched.h. */
struct stepped {
	size_t record; /* the size of a record [bytes] */
	size_t at, size; /* where they begin in it, and how many they are, a multiple of 8 [bytes] */
};

/* --- The functions -------------------------------------------------------------------------------------------------------- */

/* The functions of 2D or 3D that the core calls. Those that take [begin, end) may run on several threads with disjoint
 * ranges. */
struct wing {
	int dimensions;
	/* sizes of the records in world->body_rows, mover_rows, states, step_rows, manifolds, joint_rows [bytes] */
	size_t body_size, mover_size, state_size, step_size, manifold_size, border_size, joint_size;
	const void *mover_default; /* the record that static bodies share */
	struct stepped body_stepped, mover_stepped, state_stepped, manifold_stepped;
	/* Offsets of members [bytes]: in a body's record, of its mass, of its greatest extent and of the inverse mass per axis; in
	 * a state, of the displacement in this step. Records of bodies begin with the centre of mass, in double, and states with
	 * the velocity and the angular velocity. */
	size_t body_mass_at, body_extent_at, body_inv_mass_at, state_dp_at;

	/* Shapes. */
	uint32_t (*shape_children)(const void *shape);
	bool (*shape_valid)(const void *shape); /* the invariants of a shape that is edited; for world_validate */
	void (*shape_retain)(const void *shape);
	void (*shape_release)(const void *shape);
	bool (*shape_unbounded)(const void *shape);
	/* See d2/shape/archive.h: passes a shape; after all shapes of a table, passes which of them are edited together; whether
	 * edits of the collider change the shape, so that no other collider may have it. */
	void (*shape_pass)(struct archive *archive, const void **shape);
	void (*shapes_join)(struct archive *archive, const void *const *shapes, uint32_t count);
	bool (*shape_editable)(const void *shape);
	/* Number of contacts that two proxies of these shapes get. Colliding the first one computes the others. NULL: one. */
	uint32_t (*pair_contacts)(const void *a, const void *b);
	bool (*shape_has_materials)(const void *shape); /* of its own, for some of its parts */
	/* The material of the part of such a shape at the proxy; NULL: the collider's. Of a mesh or height field, that of the
	 * triangle where the contact touches; contact NONE: the collider's. */
	const struct material *(*proxy_material)(const struct world *, uint32_t proxy, uint32_t contact);
	void (*shape_box)(const void *shape, uint32_t child, const void *pose, struct box *box); /* `pose`: as the wing stores it */
	const void *origin; /* the identity pose */
	void (*proxy_box)(const struct world *, uint32_t proxy, struct box *box); /* without margin */
	bool (*proxy_overlaps_box)(const struct world *, uint32_t proxy, const struct box *box); /* for unbounded proxies only */
	/* After bodies have moved: AABB of the proxy at the start and at the end of the step; whether two colliders that do not
	 * overlap at either time do so in between, on straight paths, and rotating by the smaller angle. */
	void (*proxy_path)(const struct world *, uint32_t proxy, struct box *box);
	bool (*colliders_pass)(const struct world *, const uint32_t colliders[2]);

	/* For fields; vectors and points are in the shape's frame. */
	bool (*shape_contains)(const void *shape, struct vec3 point);
	/* the greatest coordinate of a point of the shape along the unit vector; INFINITY: there is none */
	double (*shape_top)(const void *shape, struct vec3 direction);
	/* As shape_top: the level of a fluid in the shape. Of a half-plane or half-space that of its boundary, whose normal becomes
	 * *up */
	double (*shape_level)(const void *shape, struct vec3 *up);
	/* the part where up . p <= level; INFINITY: all of it */
	struct immersion (*shape_immersed)(const void *shape, struct vec3 up, double level);
	/* visits facets that cover the surface */
	void (*shape_facets)(const void *shape, struct fineness fineness, facet_visit *visit, void *context);

	/* Queries of a part of a collider: of a child of its shape, as that of a proxy, or of the whole shape (NONE). hit->collider
	 * is the caller's.
	 * ray, cast: whether the segment, or a child of path->shape on its way (NONE: all), hits the part up to max_fraction, and
	 * where. The cast ignores children that overlap at the start if `late`. nearest: returns the signed distance of the point;
	 * p and normal are those of the closest point of the surface. overlaps: whether a child of `shape`, at `pose`, overlaps the
	 * part; in_box: whether the box does; contains: whether the part has the point inside or on it. */
	bool (*part_ray)(const struct world *, struct query_part part, const double from[3], const double translation[3],
		float max_fraction, struct query_hit *hit);
	bool (*part_cast)(const struct world *, struct query_part part, const struct query_path *path, uint32_t child, bool late,
		float max_fraction, struct query_hit *hit);
	double (*part_nearest)(const struct world *, struct query_part part, const double point[3], struct query_hit *hit);
	bool (*part_overlaps)(const struct world *, struct query_part part, const void *shape, uint32_t child, const void *pose);
	bool (*part_in_box)(const struct world *, struct query_part part, const struct box_d *box);
	bool (*part_contains)(const struct world *, struct query_part part, const double point[3]);

	/* Bodies. */
	/* computes the body's mass, unless the user has set it, and its extents, both from its colliders */
	void (*body_mass)(struct world *, uint32_t body);
	void (*joint_levers)(struct world *, uint32_t joint); /* updates the inertia of both bodies: see LEVER */
	/* updates the extents of a non-dynamic body for one added collider */
	void (*body_extend)(struct world *, uint32_t body, uint32_t collider);
	void (*state_load)(struct world *, uint32_t body); /* fills the body's solver state from its record */
	/* copies the velocities from the body's solver state to its record, before it leaves the awake set */
	void (*state_store)(struct world *, uint32_t body);
	/* zeroes the body's velocities, pending forces and motion in the step */
	void (*body_stop)(struct world *, uint32_t body);
	/* sets the factors (<= 1) of a burden on the body's inverse mass, per axis, and on its inverse inertia, for the solver */
	void (*body_burden)(struct world *, uint32_t body, const float left[3], float left_turn);
	/* its manifold is out of date, however little its bodies have moved */
	void (*contact_forget)(struct world *, uint32_t contact);
	void (*contact_ease)(struct world *, uint32_t contact, float part); /* multiplies the warm-starting impulses by `part` */
	bool (*body_locked)(const struct world *, uint32_t body); /* whether it has locked axes */
	/* multiplies the body's inverse inertia by `left` in this step; body_burden restores it */
	void (*body_stiffen)(struct world *, uint32_t body, float left);
	bool (*body_moves)(const struct world *, uint32_t body); /* whether the velocity of an awake body is not exactly 0 */

	struct frame3 (*body_frame)(const struct world *, uint32_t body); /* with its motion in the step under way */
	void (*body_kick)(struct world *, uint32_t body, struct vec3 impulse, struct vec3 angular_impulse); /* as apply_impulse */
	void (*body_press)(struct world *, uint32_t body, struct vec3 force, struct vec3 torque); /* as apply_force */
	/* the forces applied since the last step, for the next one */
	void (*body_pressed)(const struct world *, uint32_t body, struct vec3 *force, struct vec3 *torque);

	/* Called in a step. */
	/* narrow phase of the contacts in the words [begin, end), of 64 ids each, of world->awake_contacts */
	void (*collide[LANE_CHOICES])(struct world *, uint32_t begin, uint32_t end);
	/* Narrow phase of the contacts in the words [begin, end) of world->border_contacts, which collide sets: first each alone,
	 * to its border_row, then, as all of these are known, at seams. */
	void (*collide_alone)(struct world *, uint32_t begin, uint32_t end);
	void (*collide_borders)(struct world *, uint32_t begin, uint32_t end);
	/* for events: the mean of the contact's points, its normal, and the highest approach speed of a point */
	void (*contact_point_normal)(const struct world *, uint32_t contact, double point_normal[POINT_NORMAL_SIZE], float *speed);
	/* now: at the bodies' present poses; else at those with which the last step began */
	void (*contact_view)(const struct world *, uint32_t contact, bool now, struct contact_view *);
	/* Returns the least separation of the contact's points at the poses after its bodies' motion in this step [length]. normal:
	 * the contact's normal at these poses, from a to b. */
	float (*contact_overlap)(const struct world *, uint32_t contact, const uint32_t bodies[2], float normal[3]);
	/* Extent of the proxy's child along the unit vector `delta` from the body's centre of mass, with the body's rotation in
	 * this step [length]; INFINITY if the shape is infinite or hollow. */
	float (*proxy_reach)(const struct world *, uint32_t proxy, const float delta[3]);
	/* upper bound on how far a point of b moved relative to a point of a in the last step [length] */
	float (*bodies_moved)(const struct world *, uint32_t a, uint32_t b);
	struct contact_load (*contact_load)(const struct world *, uint32_t contact);
	/* writes force and torque on b in the last sub-step; the numbers that the wing does not use are 0 */
	void (*joint_reactions)(const struct world *, uint32_t joint, struct vec3 reactions[2]);
	void (*still_prepare)(struct world *); /* fills state 0, which all bodies that are not awake share */
	void (*bodies_prepare)(struct world *, uint32_t begin, uint32_t end); /* of world->awake, before the sub-steps */
	/* sets the step record of the awake index to `base`, its record without fields, with the push added */
	void (*step_push)(struct world *, uint32_t row, const void *base, const struct field_push *push);
	const struct motion *motion[LANE_CHOICES];
	void (*bodies_finish)(struct world *, uint32_t begin, uint32_t end); /* after the sub-steps: new poses, AABBs, rest times */
	/* Upper bound on the deviation of the body's points from straight paths in this step, due to its rotation [length]. */
	float (*body_bulge)(const struct world *, uint32_t body);
	/* Whether a kinematic obstacle may have passed through a dynamic body in this step. Any thread. */
	bool (*body_overtaken)(const struct world *, uint32_t body, uint32_t obstacle);
	const struct sweep_wing *sweep; /* continuous collision: see path.h */
	const struct obstacle_wing *obstacles; /* for bodies with controllers: see obstacle.h */
	void (*body_center_pose)(const struct world *, uint32_t body, struct center_pose *pose);
	void (*body_set_center_pose)(struct world *, uint32_t body, const struct center_pose *pose);
	/* Pose of a linkage member at time t of the step, between its pose at the start and link->end. Its rotation and the offset
	 * between the anchors of its joint are interpolated; its position follows from these and parent->pose. So a closed joint
	 * stays closed. parent NULL: the joint, if any, is to a non-dynamic body. */
	struct center_pose (*member_pose)(
		const struct world *, const struct linkage_member *link, const struct linkage_member *parent, float t);
	/* The overflow uses those with one lane. NULL: the wing has no such joints, or they only let their bodies not collide. */
	const struct link_solver *solvers[SOLVERS][LANE_CHOICES];
	const struct link_solver *tree_solvers[LANE_CHOICES];
	const struct joint_model *joint_models; /* by type */
	/* for both bodies, h |r| |F| / I, see inertia_left, per h, of the force in the last sub-step; not `exact`: at least that
	 * [1/s] */
	void (*joint_pulls)(const struct world *, uint32_t joint, bool exact, float pulls[2]);

	void (*body_numbers)(const struct world *, uint32_t body, struct body_numbers *numbers);

	/* Pass records to an archive, or from it: see snapshot.h. Of a joint, what joints of all types have, but for impulses. */
	void (*body_pass)(struct archive *, void *row);
	void (*mover_pass)(struct archive *, void *row);
	void (*state_pass)(struct archive *, void *state);
	void (*contact_pass)(struct archive *, const struct world *, uint32_t contact);
	void (*joint_pass)(struct archive *, void *row);
};
