/* core.h - the state of a world: everything that a physics engine keeps which is not geometry.
 * The geometry of one dimension lives behind `struct wing`, a table of functions called once per batch; the core sees its data
 * as rows of so many bytes. Ids are stable and index the arrays; rows of wing data stay put by id, and only lists of ids change
 * when a body falls asleep or a contact begins. The one dense array is the solver's state of the awake bodies. Memory: room for
 * whatever a step may have to do is reserved when bodies, colliders and contacts are made, and when contacts are about to
 * touch, so that waking, linking, colouring and falling asleep cannot fail half-way. */
#pragma once
#include "base/array.h"
#include "base/bits.h"
#include "base/ids.h"
#include "base/jobs.h"
#include "base/pairset.h"
#include "spatial/box.h"
#include "core/soft.h"
#include "spatial/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct world;
struct path_impact;

enum {
	LAYERS = 64, /* names a world can tell apart: bits of a uint64_t */
	COLOURS = 24, /* of the graph; what finds no colour goes to the overflow. Box2D's count, which its scenes use up to 22 of */
	/* the others are first offered to links to what does not move, which have them to themselves */
	MOVING_COLOURS = COLOURS - 4,
	PLACE_NUMBERS = 6, /* a point and a direction, in up to three dimensions */
	SOLVERS = 3, /* tables of the wing to solve links with: contacts, and each type of joints */
};

/* --- Edges ---------------------------------------------------------------------------------------------------------------- */

enum link_kind { LINK_CONTACT, LINK_JOINT, LINK_KINDS };

/* What ties two bodies, in the lists of both, in an island and in a colour of the graph: the first part of a contact or a
 * joint. */
struct link {
	uint32_t bodies[2];
	uint32_t next[2], previous[2]; /* in the lists of both bodies: id * 2 + side */
	uint32_t island; /* that it ties together, or NONE */
	uint32_t island_previous, island_next;
	uint32_t colour_index; /* in its colour's list when colour != NO_COLOUR */
	uint8_t colour; /* in the graph, COLOURS is the overflow, else NO_COLOUR */
	uint8_t solver; /* by which of the wing's tables it is solved: 0 of contacts, the type of a joint */
	uint8_t flags; /* enum contact_flag */
	bool valid; /* the id is in use */
};

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

enum body_type { BODY_STATIC, BODY_KINEMATIC, BODY_DYNAMIC };
enum body_set { SET_STATIC, SET_DISABLED, SET_ASLEEP, SET_AWAKE };

struct body {
	uint32_t generation; /* counts up when the body is destroyed */
	uint32_t row; /* index in world->awake when awake, else NONE */
	uint32_t colliders; /* head of the list of its colliders */
	uint32_t collider_count;
	uint32_t links[LINK_KINDS]; /* heads of the lists of its contacts and joints: id * 2 + side */
	uint32_t link_counts[LINK_KINDS];
	uint32_t island; /* of a dynamic body that is enabled, else NONE */
	uint32_t island_previous, island_next; /* in the island's list; a disabled body's in that of world->disabled */
	float sleep_threshold; /* moving slower than this is rest, of a dynamic body [length/s] */
	float rest_time; /* for how long it has been at rest [s] */
	float slack; /* no point of it can leave its boxes before it has moved so far; 0: unknown [length] */
	uint8_t type; /* enum body_type */
	uint8_t set; /* enum body_set */
	bool valid; /* the id is in use */
	bool sleeping_allowed;
	bool bullet; /* continuous collision against moving bodies, too */
	bool unweighed; /* in the world's list of these */
};

/* The mass that a light body under heavy ones counts with: see burden.h. By body id. */
struct burden {
	float times; /* its mass and inertia counted so many times in the last step; 1: as they are */
	float left[3]; /* of its inverse mass, per axis: across the load it keeps its own, or friction would not keep momentum */
	float mass; /* that it is to count with, as far as found in this step [mass] */
	float demand[3]; /* of an impulse a sub-step to be passed on to the ground, and where to [mass length/s] */
	uint32_t search; /* for the ground, the last that came by */
	/* What the last search found here, and for which direction: whether there is ground, which way that pushes, and how fast
	 * the contacts on the way there close [length/s]. */
	uint64_t found; /* in the step with this tick, counted from 1 */
	float towards[3], support[3], approach;
	bool ground, sticks; /* and whether a body at rest there would stay by friction */
	float lost; /* how long there has been no ground against its load [s] */
	float overlap, kept; /* of its deepest contact that pushes; what its contacts do not push out [length] */
	bool carries; /* what is heavier touches it */
	bool due; /* something beside it has changed since it was looked at in this step */
};

/* --- Colliders ------------------------------------------------------------------------------------------------------------ */

struct material {
	float friction; /* Coulomb's coefficient */
	float restitution; /* speed after / speed before */
	float rolling_resistance; /* lever arm of the resisting torque as a fraction of the radius */
	float tangent_speed; /* of the surface, as on a conveyor belt; in space the length of tangent_velocity [length/s] */
	float density; /* [mass / length^dimensions] */
	float tangent_velocity[3]; /* of the surface in the body's frame, in space [length/s] */
};

/* A shape attached to a body. */
struct collider {
	uint32_t generation;
	uint32_t body;
	uint32_t previous, next; /* in the body's list */
	uint32_t proxies; /* head of the list of its proxies; NONE while the body is disabled */
	const void *shape; /* the wing's; holds one reference */
	struct material material;
	float margin; /* by which a box is larger than the shape [length] */
	int32_t group; /* same and > 0: always collide; same and < 0: never; else the layers decide */
	uint8_t layer;
	bool sensor;
	bool valid;
};

/* A convex part of a collider in the broad phase: one for most shapes, one per segment of a chain. */
struct proxy {
	struct box box; /* the shape's box enlarged by the margin; pairs are found and kept by this one */
	uint32_t collider;
	uint32_t child; /* which part of the shape */
	uint32_t next; /* in the collider's list */
	uint32_t leaf; /* in its tree, see world->trees; NONE when unbounded, and while it drifts until somebody asks */
	uint32_t moved_index; /* in world->moved_proxies, or NONE */
	bool unbounded; /* reaches to infinity: in world->unbounded instead of a tree */
	bool drifting; /* in world->trees[1] */
	/* its box in the last search for pairs: what met it there is known. Empty, when all is to be looked at anew */
	struct box searched;
};

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

enum contact_flag {
	CONTACT_TOUCHING = 1, /* as committed: in events, islands, the graph */
	CONTACT_SENSOR = 2, /* only overlap is of interest */
	CONTACT_TOUCHES = 4, /* as found by the last collide */
	CONTACT_APART = 8, /* the boxes no longer overlap */
	CONTACT_LOOK = 16, /* a sensor's, to be looked at in the next step whoever sleeps */
	CONTACT_FOLLOWS = 32, /* another one of the same two proxies came first: collide finds this one with it */
	CONTACT_BORDER = 64, /* other contacts decide what it is, so that it is found anew in each step */
	CONTACT_SETTLED = 128, /* parting its bodies has been tried: springs hold it, however deep, until it ends */
};

/* Two proxies whose boxes overlap: a cache line. Its manifold is the wing's row with the same id, which begins with a struct
 * contact_material. */
struct contact {
	struct link link;
	uint32_t proxies[2], colliders[2];
	uint32_t follower; /* the next contact of the same two proxies, or NONE: see wing.pair_contacts */
};

/* not an alignment: a few contacts lie wherever the allocator puts them */
_Static_assert(sizeof(struct contact) == 64, "a cache line");

/* Beside the contact, so that one that is skipped costs a quarter of a cache line: see travel.h. */
struct travel_limit {
	uint64_t most; /* that the travels of both bodies may sum up to */
	uint32_t bodies[2]; /* the contact's */
};

/* Mixed from both materials. */
struct contact_material {
	float friction, restitution, rolling_resistance, tangent_speed;
};

enum { OVERFLOW = COLOURS, NO_COLOUR = 0xff };

/* --- Joints --------------------------------------------------------------------------------------------------------------- */

/* Holds two bodies together. What it holds, and how, is the wing's row with the same id. Its type is link.solver. */
struct joint {
	struct link link;
	uint32_t generation; /* counts up when the joint is destroyed */
	bool collides; /* the two bodies may touch each other */
};

/* Where a body is: its centre of mass [length], and its rotation as its wing has it, cosine and sine or a quaternion. */
struct body_place {
	double center[3];
	float turn[4];
};

/* A body of a linkage, see linkage.h, and the joint by which it hangs on its parent. */
struct linkage_member {
	uint32_t body;
	uint32_t parent; /* in world->linkage_members; NONE: it is the first one, or hangs on what is not dynamic */
	uint32_t joint; /* or NONE */
	struct body_place end, place; /* where the step brought it, and where it is put */
};

/* --- The graph ------------------------------------------------------------------------------------------------------------ */

/* Contacts of one colour share no dynamic body, so they can be solved at once; joints likewise. The overflow is solved one by
 * one. */
struct colour {
	/* dynamic bodies that a contact, or joint, of this colour touches; unused by the overflow */
	struct bits bodies[LINK_KINDS];
	ARRAY(uint32_t) links[SOLVERS]; /* [0] contacts, [type] joints */
};

/* A state that an link reads and must not write: its body does not move by impulses, and other threads read it, too. */
#define READ_ONLY 0x80000000u

/* An link, as the solver sees it. */
struct batch_link {
	uint32_t id, bodies[2];
	uint32_t states[2]; /* of the bodies, with READ_ONLY */
};

/* Edges of one colour and type in a block of the partition: what the solver's lanes are filled with. */
struct batch {
	const struct link_solver *solver;
	uint32_t first, count; /* in partition.links */
	bool serial; /* bodies may share links: of the overflow */
	size_t records; /* where the solver's begin among those of its block [bytes] */
};

/* Whole islands: their bodies' rows among the awake, and their batches in the order of solving. */
struct block {
	uint32_t body_begin, body_end, batch_begin, batch_end;
	bool has_joints;
};

/* See partition.h. */
struct partition {
	bool valid; /* neither the graph nor the awake bodies have changed since */
	ARRAY(struct block) blocks; /* the last one is of large islands and kinematic bodies, and whatever hangs on these */
	ARRAY(struct batch) batches;
	ARRAY(struct batch_link) links;
	unsigned char *records; /* of the last block, and behind them room for one of the others for each worker */
	size_t records_size, last_records_size, block_records_size; /* [bytes] */
	ARRAY(uint32_t) island_blocks; /* by island id */
	ARRAY(uint32_t) link_blocks; /* by place in the lists of the graph */
	ARRAY(uint32_t) body_states; /* rows of states by body id, with READ_ONLY; state 0 for what is not awake */
	ARRAY(uint32_t) counts; /* of links by block, colour and type; of bodies by block */
	ARRAY(uint32_t) order; /* of the awake bodies: which rows they had */
};

/* A contact of what is moved apart after the sub-steps, or the way out that stands for all contacts of a pair. */
struct overlap {
	uint32_t shifts[2]; /* of the two bodies, in the list; NONE: the second is not moved */
	uint32_t contact; /* NONE: a way out */
	bool deep; /* it parts the bodies */
	bool opposed; /* another contact of the pair pushes the other way */
	float normal[3]; /* from the first to the second */
	float separation; /* [length] */
	float wanted; /* to be gone apart in this step [length] */
};

struct shift {
	uint32_t body;
	bool moved; /* apart from another one */
	float inv_mass[3]; /* per axis [1/mass] */
	float delta[3]; /* moved in this step [length] */
	uint32_t group; /* another one that it is moved apart from, directly or through others; itself of the group's first */
	/* of the first: the group's per axis [mass], INFINITY where something holds it; and that times its way [mass length] */
	double mass[3], shifted[3];
};

/* See depenetration.h. Empty where nothing overlaps deeply. */
struct depenetration {
	ARRAY(struct overlap) overlaps;
	ARRAY(struct shift) shifts; /* by body id */
	ARRAY(uint32_t) places; /* of the bodies to be moved in that list, by body id */
	/* of the contacts of a body: the other body, and the key in the body's list; and as much room to sort them */
	ARRAY(uint64_t) ends;
};

/* --- Islands -------------------------------------------------------------------------------------------------------------- */

/* Dynamic bodies tied together by touching contacts and joints: they sleep and wake together. */
struct island {
	uint32_t first_body, last_body, body_count;
	struct link_list {
		uint32_t first, last, count;
	} links[LINK_KINDS];
	uint32_t loosened; /* links that ended since the last split: > 0 means it may be more than one */
	struct headway {
		uint64_t parted; /* the last step in which overlaps were parted, counted from 1 */
		float overlap, least; /* their sum in that step, and the least one; INFINITY: none yet [length] */
		float stalled; /* for how long the sum has not become less [s] */
		uint32_t most; /* bodies that have been in the island together */
	} headway; /* of parting deep overlaps */
	bool valid;
	bool awake;
};

/* --- Events --------------------------------------------------------------------------------------------------------------- */

struct handle {
	uint32_t index, generation;
};

struct contact_event {
	struct handle a, b; /* colliders; in overlap events a is the sensor */
	double place[PLACE_NUMBERS]; /* the wing's: where, and in which direction from a to b */
	float speed; /* of approach [length/s], in hits */
};

struct end_event {
	struct handle a, b;
};

struct move_event {
	struct handle body;
	bool fell_asleep;
};

/* What ends between two steps is delivered after the second: until then it stands behind what has been delivered. There is
 * always room for one end of each contact that touches, since what is destroyed from outside must not fail. */
struct end_events {
	ARRAY(struct end_event) all;
	uint32_t delivered; /* so many of the first: those of the last step */
};

struct events {
	ARRAY(struct contact_event) begins, hits, overlap_begins;
	struct end_events ends, overlap_ends;
	ARRAY(struct move_event) moves;
};

/* --- The wing ------------------------------------------------------------------------------------------------------------- */

/* One way to solve contacts, or joints of a type: so many lanes at once. Records are opaque to the core; `count` links take
 * (count + lanes - 1) / lanes records. Each function works on records [begin, end). */
struct link_solver {
	uint32_t lanes;
	size_t record_size; /* a multiple of 64 */
	void (*prepare)(
		struct world *, void *records, const struct batch_link *links, uint32_t count, uint32_t begin, uint32_t end);
	void (*warm_start)(struct world *, void *records, uint32_t begin, uint32_t end);
	void (*solve)(struct world *, void *records, uint32_t begin, uint32_t end); /* soft, with position bias */
	void (*relax)(struct world *, void *records, uint32_t begin, uint32_t end); /* rigid, without */
	/* Contacts with a restitution above `least` bounce. NULL for joints. True: velocities have changed, so that contacts of the
	 * same bodies may be off. */
	bool (*restitution)(struct world *, void *records, uint32_t begin, uint32_t end, float least);
	void (*store)(struct world *, void *records, const struct batch_link *links, uint32_t count, uint32_t begin, uint32_t end);
};

/* How bodies move through a sub-step but for contacts and joints: awake ones in rows [begin, end). */
struct motion {
	void (*velocities_integrate)(struct world *, uint32_t begin, uint32_t end);
	/* and again what links gave since the last call */
	void (*velocities_continue)(struct world *, uint32_t begin, uint32_t end);
	void (*positions_integrate)(struct world *, uint32_t begin, uint32_t end);
};

/* How hard two bodies press each other. */
struct contact_load {
	float direction[3]; /* the normal, from a to b */
	float push; /* normal impulse of the last sub-step, of all points [mass length/s] */
	float speeds[2]; /* of a and b along that, in the mean of the points by their impulses [length/s] */
	float overlap; /* of the deepest point [length] */
};

/* An impact that the sweep has solved. */
struct impact {
	uint32_t body, proxies[2]; /* of the body, and of what it hit */
	int order; /* of this body's impacts in the step */
	double place[PLACE_NUMBERS]; /* where, and the normal, towards the body */
	float speed; /* of approach [length/s] */
	bool apart; /* at the end of the step */
};

/* The first impact on a body's whole way in a step. In the plane the third numbers are 0. */
struct path_hit {
	/* of the obstacle, towards the body; and where the body's centre of mass was: in the obstacle's frame */
	double normal[3], place[3];
	uint32_t body; /* the obstacle */
	uint32_t proxies[2]; /* of the body, and of the obstacle */
	float t; /* when: a fraction of the step; 1: it meets nothing */
	bool turns; /* with its centre of mass, so that it may turn on */
	bool deep; /* not with its surface, which overlaps already */
	bool stale; /* the obstacle has been moved since */
	bool touched; /* some other bullet near the way has been */
	bool moved; /* this one has been, */
	uint32_t carrier; /* and this body has carried it to its end, or NONE */
};

/* How a proxy of a fast bullet goes in a step. */
struct bullet_path {
	struct box box; /* around it all the way */
	double from[3], delta[3]; /* of its body's centre of mass: where that starts, and how far it goes, straight [length] */
	double reach; /* of the body from there at most [length] */
	uint32_t body; /* NONE: the proxy drifts, and is of no fast bullet */
};

/* What the core asks of a dimension. Functions that take [begin, end) may run on several threads with disjoint ranges. */
struct wing {
	int dimensions;
	bool counts_travel; /* bodies_finish counts how far bodies move, and collide skips pairs by it: see travel.h */
	size_t world_size; /* a wing's world begins with struct world */
	/* of the rows in world->body_rows, states, step_rows, manifolds, joint_rows */
	size_t body_size, state_size, step_size, manifold_size, joint_size;

	/* Shapes. */
	uint32_t (*shape_children)(const void *shape);
	void (*shape_retain)(const void *shape);
	void (*shape_release)(const void *shape);
	bool (*shape_unbounded)(const void *shape);
	/* How many contacts two proxies of these shapes may have at once, of which the first is collided and finds the others;
	 * NULL: one. */
	uint32_t (*pair_contacts)(const void *a, const void *b);
	/* Of a side of a contact, where that is not the collider's, as far as the shape says; NULL: it is. */
	void (*contact_material)(const struct world *, uint32_t contact, int side, struct material *material);
	float (*shape_margin)(const struct world *, const void *shape);
	void (*proxy_box)(const struct world *, uint32_t proxy, struct box *box); /* without a margin */
	bool (*proxy_overlaps_box)(const struct world *, uint32_t proxy, const struct box *box); /* of an unbounded proxy */

	/* Bodies. */
	void (*body_mass)(struct world *, uint32_t body); /* from its colliders, unless overridden */
	/* all that body_mass would do for a new one, unless dynamic */
	void (*body_extend)(struct world *, uint32_t body, uint32_t collider);
	void (*state_load)(struct world *, uint32_t body); /* fills its row of states from its body row */
	void (*state_store)(struct world *, uint32_t body); /* the reverse: it is about to leave the awake set */
	/* velocities and pending forces to zero; the step's motion ends with it */
	void (*body_stop)(struct world *, uint32_t body);
	float (*body_weight)(const struct world *, uint32_t body); /* its mass */
	/* of inverse mass, per axis, and inertia, for the solver; <= 1 */
	void (*body_burden)(struct world *, uint32_t body, const float left[3], float left_turn);
	void (*contact_ease)(struct world *, uint32_t contact, float part); /* of the impulses that it starts with */
	bool (*body_moves)(const struct world *, uint32_t body); /* an awake one has a velocity, however small */

	/* One step, in this order. */
	/* what the words [begin, end) of world->awake_contacts name */
	void (*collide)(struct world *, uint32_t begin, uint32_t end);
	/* the same of world->border_contacts, which collide sets */
	void (*collide_borders)(struct world *, uint32_t begin, uint32_t end);
	void (*contact_place)(const struct world *, uint32_t contact, double place[PLACE_NUMBERS], float *speed);
	/* The least separation of its points with what its bodies have moved in the step, and its normal. */
	float (*contact_overlap)(const struct world *, uint32_t contact, float normal[3]);
	/* How far the shape reaches along the unit vector from the body's centre of mass; INFINITY: of what is endless or
	 * hollow. */
	float (*proxy_reach)(const struct world *, uint32_t proxy, const float delta[3]);
	/* in the last step, at most, a point of one against one of the other [length] */
	float (*bodies_moved)(const struct world *, uint32_t a, uint32_t b);
	/* from centre of mass to centre of mass */
	void (*bodies_between)(const struct world *, uint32_t a, uint32_t b, float delta[3]);
	void (*body_velocity)(const struct world *, uint32_t body, float v[3]); /* of its centre of mass */
	void (*body_inverse_mass)(const struct world *, uint32_t body, float inv_mass[3]); /* per axis */
	void (*body_shift)(struct world *, uint32_t body, const float delta[3]); /* adds to what it moved in the step */
	struct contact_load (*contact_load)(const struct world *, uint32_t contact);
	void (*still_prepare)(struct world *); /* state 0, of what does not move */
	void (*bodies_prepare)(struct world *, uint32_t begin, uint32_t end); /* of world->awake */
	struct motion motion; /* as wide as the machine has it */
	void (*bodies_finish)(struct world *, uint32_t begin, uint32_t end);
	/* In this step no point of it was farther from the straight way between where it was and where it is [length]: what turns
	 * goes along an arc. */
	float (*body_bulge)(const struct world *, uint32_t body);
	/* Whether an obstacle that is kinematic may have passed through a dynamic body in this step, seen from there. Any
	 * thread. */
	bool (*body_overtaken)(const struct world *, uint32_t body, uint32_t obstacle);
	void (*body_goes)(const struct world *, uint32_t body, struct bullet_path *delta); /* all but the box */
	/* Continuous collision of one fast body. Finds the first impact on its whole way, as all others go now, any thread: see
	 * struct path_hit. */
	void (*body_look)(const struct world *, uint32_t body, struct path_hit *hit);
	/* Takes it back where it meets something: whether it did. Whoever has been looked at is not looked at again, but for what
	 * has been moved since. */
	bool (*body_sweep)(struct world *, uint32_t body);
	/* the same as a plane that it is to stay in front of; false: it meets nothing */
	bool (*body_impact)(const struct world *, uint32_t body, struct path_impact *impact);
	void (*body_place)(const struct world *, uint32_t body, struct body_place *place);
	void (*body_put)(struct world *, uint32_t body, const struct body_place *place);
	/* takes the speed that it has by falling farther, to there, than it is */
	void (*body_fell)(struct world *, uint32_t body, const struct body_place *end);
	/* Where a body is at a time of the step, on the joint's way from where it was to link->end, if its parent is at
	 * parent->place then. */
	struct body_place (*member_place)(
		const struct world *, const struct linkage_member *link, const struct linkage_member *parent, float t);
	struct link_solver solvers[SOLVERS][2]; /* one lane (the overflow), and as wide as the machine has it */

	uint64_t (*body_hash)(const struct world *, uint32_t body, uint64_t hash);
};

/* --- The world ------------------------------------------------------------------------------------------------------------ */

enum mixing { MIX_GEOMETRIC, MIX_AVERAGE, MIX_MINIMUM, MIX_MAXIMUM, MIX_MULTIPLY, MIXINGS };

/* As settings, and of any step. */
#define MOST_SUBSTEPS 64

struct settings {
	float length_scale; /* lengths of a metre; scales the tolerances */
	float contact_hertz, contact_damping_ratio; /* stiffness of contacts [1/s], at most a seventh of the sub-steps' rate; [1] */
	float contact_speed; /* at which overlap is pushed out at most [length/s] */
	float restitution_threshold; /* slower approaches do not bounce [length/s] */
	float hit_speed; /* faster approaches are reported as hits [length/s] */
	float maximum_speed, maximum_turn_rate; /* of a dynamic body [length/s], [rad/s] */
	enum mixing friction_mixing, restitution_mixing;
	int substeps; /* of a step of 1/60 s: see substeps_of */
	bool sleeping_allowed;
	bool continuous;
};

/* Numbers of the step under way. */
struct step {
	float dt, h; /* of the step, of a sub-step [s] */
	float inv_dt, inv_h; /* 0 when dt is 0 */
	int substeps;
	/* what contact impulses of the last step are worth in this one, to start from: forces last as long as the sub-step; at most
	 * 2 */
	float carry;
	struct soft contact_soft; /* between moving bodies */
	struct soft static_soft; /* against what does not move: stiffer */
	float turn_rate; /* of a dynamic body, at most [rad/s] */
	bool burdened; /* some body counts for more than its mass: see burden.c */
	/* impulse a sub-step over mass under which contacts give way by a slop: see burden.c [length/s] */
	float load_speed;
};

/* What a step spends its time on, in the order of its code but for the end of PHASE_FINISH, which follows PHASE_SWEEP. */
enum phase {
	PHASE_PAIRS, /* whose boxes meet; the filter is asked */
	PHASE_COLLIDE, /* where they touch */
	PHASE_CONTACTS, /* what began and ended to touch: events, islands, colours */
	PHASE_SOLVE,
	PHASE_FINISH, /* new poses and boxes, hits, who moved, sleep */
	PHASE_SWEEP, /* continuous collision */
	PHASES
};

/* The last word on whether two colliders meet. Called in serial phases of the step; must not change the world. */
typedef bool filter_function(void *context, uint32_t collider_a, uint32_t collider_b);

struct world {
	const struct wing *wing;
	struct memory *memory;
	struct settings settings;
	struct step step;
	float last_dt, last_h; /* of the last step that took any time, or 0 [s] */
	float gravity[3]; /* [length/s^2] */
	float mean_h; /* of the last some 32 steps, or 0: see contact_hertz [s] */
	struct jobs *jobs; /* NULL: one worker */
	filter_function *filter; /* may be NULL */
	void *filter_context;
	uint64_t layer_masks[LAYERS]; /* whom each layer meets: symmetric */
	uint64_t tick; /* steps done */
	uint64_t profile[PHASES]; /* of the last step [ns]; measured, never read by a step */
	_Atomic uint64_t lost; /* of the last step, by all bodies that impacts have held up [step / LOST_UNIT]; likewise */
	uint64_t clock; /* when the last phase ended [ns] */
	bool locked; /* a step is under way */
	bool looks; /* some contacts have CONTACT_LOOK */

	struct ids body_ids, collider_ids, proxy_ids, contact_ids, joint_ids, island_ids;
	ARRAY(struct body) bodies;
	ARRAY(struct collider) colliders;
	ARRAY(struct proxy) proxies;
	ARRAY(struct contact) contacts;
	ARRAY(struct joint) joints;
	ARRAY(struct island) islands;

	/* Rows of the wing: by body id, by awake row + 1 (state 0 stands for all that does not move), by contact id, by joint
	 * id. */
	unsigned char *body_rows, *states, *step_rows, *manifolds, *joint_rows;
	uint32_t body_row_capacity, state_capacity, step_row_capacity, manifold_capacity, joint_row_capacity;

	ARRAY(uint32_t) awake; /* bodies */
	ARRAY(uint64_t) travels; /* by body id: see travel.h */
	ARRAY(struct travel_limit) travel_limits; /* by contact id; none where the wing counts no travel */
	ARRAY(struct burden) burdens; /* by body id */
	uint32_t burden_search;
	/* by contact id: of those in known_loads, in this step; room for none when there was no memory */
	ARRAY(struct contact_load) loads;
	struct bits known_loads;
	ARRAY(uint32_t) unweighed; /* dynamic bodies that have got colliders since their mass was made: see bodies_weigh */
	struct bits awake_contacts; /* but for those that follow; gone through in the order of their ids, which is that of memory */
	uint32_t touching_count; /* contacts with CONTACT_TOUCHING, asleep or not */
	uint32_t overlap_count; /* those of them with CONTACT_SENSOR */
	uint32_t movable_count; /* bodies that may be awake: enabled or not, all but the static ones */
	uint32_t disabled; /* head of the list of disabled bodies, the last one first: no tree has them */
	struct colour colours[COLOURS + 1];
	struct partition partition;
	struct depenetration depenetration;

	/* [0] of what stays where it is or goes its own way: static, asleep, kinematic; always up to date. [1] of dynamic bodies
	 * that are awake: boxes of world->stale are behind, until somebody asks, see proxies_settle. The search for pairs does
	 * without it. */
	struct tree trees[2];
	struct tree_room leaves; /* of both */
	struct bits drifting; /* proxies of dynamic bodies that are awake, unbounded ones left out */
	struct bits stale; /* those of them whose leaf has an old box, or that have none yet */
	ARRAY(uint32_t) unbounded; /* proxies */
	ARRAY(uint32_t) moved_proxies; /* whose boxes are new since the last search for pairs */
	struct pairset pairs; /* of proxies that have a contact */
	struct pair_search *pair_search; /* buffers of the search, one per worker */

	/* Written by parallel phases, read in order by serial ones. */
	struct bits changed_contacts; /* began or ended to touch, or came apart */
	struct bits hit_contacts;
	struct bits loaded_bodies; /* heavier ones press on them; those with a burden stay in it while they sleep */
	struct bits border_contacts; /* what they are depends on what else their bodies touch */
	/* overlap deeply; and were put there. Kept from step to step, see depenetration.h */
	struct bits deep_contacts, plunged_contacts;
	struct bits sunk_contacts; /* of a shape that has sunk into something that is not dynamic, see contact_sinks */
	struct bits parted_contacts; /* whose bodies are moved apart in this step */
	struct bits shifted_bodies; /* those of deep contacts, which may be moved in this step */
	struct bits enlarged_proxies; /* left their boxes */
	struct bits stirred_bodies; /* whose velocity may have been set since the last step */
	struct bits ahead_bodies; /* with contacts, that look ahead in this step: see body_looks_ahead */
	struct bits fast_bodies, fast_bullets; /* need continuous collision */
	struct bits fast_obstacles; /* kinematic bodies that went far in this step */
	struct bits overtaken_bodies; /* dynamic bodies on the way of such a one, or sunk: they need it however slow they are */
	ARRAY(uint32_t) fast; /* the former as a list, while they are swept: at most twice, where a linkage makes a body a bullet */
	ARRAY(struct impact) impacts; /* that the sweep has solved in this step, `impact_count` of them */
	_Atomic uint32_t impact_count;
	struct bits bouncing_bodies; /* for whose impacts there was no room there, while others are swept, too */
	bool alone; /* no other body is swept at the same time */
	bool untold; /* there was no memory for an event of this step's impacts */
	struct bits caught_bodies; /* on joints, that would pass through something in this step */
	struct bits linked_bodies; /* those of a linkage, while it is swept: */
	ARRAY(struct linkage_member) linkage_members; /* as a list */
	struct bits taken_bodies; /* of linkages that were moved: their velocities do not say how far they turned */
	/* of fast bullets, by their rows: found by all threads, before the first of them is moved; while that is known, */
	ARRAY(struct path_hit) hits;
	ARRAY(struct bullet_path) paths; /* and how they go, by proxy, */
	bool looked;
	/* while they are looked at: of two bullets only the one with the smaller id looks at the other, and if that is not enough,
	 * it notes */
	bool shared;
	struct bits asked_bullets; /* that the other one has to look, too */
	struct bits restless_islands; /* have a body that is not at rest long enough */

	struct events events;
};

#define LOST_UNIT 1048576.0

/* How long a body must rest before it may sleep [s]: Box2D's b2_timeToSleep, long enough for a slow rocking to turn. */
#define REST_TIME 0.5f
/* Penetration that counts as touching, and the unit of the other tolerances [m, times length_scale]. */
#define LINEAR_SLOP 0.005f
/* Lighter loads are none, see burden.h: at 30 Hz with four sub-steps a body under one of 34 times its mass gives way by six
 * slops, and towers of slabs on posts of a twentieth of their mass stand better without. */
#define LOAD_RATIO 32.0f

/* Of vectors as the wing gives them: in the plane the third number is 0. */
static inline float dot(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void *body_row(const struct world *world, uint32_t body)
{
	return world->body_rows + body * world->wing->body_size;
}

static inline void *manifold_row(const struct world *world, uint32_t contact)
{
	return world->manifolds + contact * world->wing->manifold_size;
}

static inline void *joint_row(const struct world *world, uint32_t joint)
{
	return world->joint_rows + joint * world->wing->joint_size;
}

static inline bool handle_valid_body(const struct world *world, struct handle handle)
{
	return handle.index < world->bodies.count && world->bodies.data[handle.index].valid &&
		world->bodies.data[handle.index].generation == handle.generation;
}

static inline bool handle_valid_joint(const struct world *world, struct handle handle)
{
	return handle.index < world->joints.count && world->joints.data[handle.index].link.valid &&
		world->joints.data[handle.index].generation == handle.generation;
}

static inline bool handle_valid_collider(const struct world *world, struct handle handle)
{
	return handle.index < world->colliders.count && world->colliders.data[handle.index].valid &&
		world->colliders.data[handle.index].generation == handle.generation;
}
