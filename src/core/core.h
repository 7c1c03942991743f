/* core.h - the state of a world, in 2D or 3D.
 * Geometry, the solvers of contacts and joints, and integration are functions in `struct wing`. The wing's records are opaque
 * to the core. Ids are stable and index arrays, among them the wing's records of bodies, contacts and joints: when a body
 * sleeps or wakes, or a contact begins or ends, only lists of ids change. Only the solver states and step records are dense,
 * with one for each awake body. Memory: waking, linking, colouring and going to sleep cannot fail half-way. Their memory is
 * reserved when bodies, colliders, joints and contacts are created, and before contacts begin to touch. */
#pragma once
#include "base/archive.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/ids.h"
#include "base/jobs.h"
#include "base/materials.h"
#include "base/pairset.h"
#include "base/random.h"
#include "base/sum.h"
#include "base/vec3.h"
#include "spatial/box.h"
#include "core/controllers.h"
#include "core/decision.h"
#include "core/events.h"
#include "core/fields.h"
#include "core/settings.h"
#include "core/soft.h"
#include "core/solve.h"
#include "core/wing.h"
#include "spatial/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYERS = 64 /* collision layers: bits of a uint64_t */ };

/* --- Links ---------------------------------------------------------------------------------------------------------------- */

/* The island of a body or link, or NONE, and its neighbours in the island's list. */
struct island_member {
	uint32_t id, previous, next;
};

/* A contact or joint between two bodies: first member of struct contact and struct joint. It is in the lists of both bodies,
 * and may be in an island and in a colour of the graph. */
struct link {
	uint32_t bodies[2];
	uint32_t next[2], previous[2]; /* neighbours in the list of bodies[i], as keys: id * 2 + side */
	struct island_member island;
	uint32_t colour_index; /* index in its colour's list when colour != NO_COLOUR */
	uint8_t colour; /* OVERFLOW: in the overflow; NO_COLOUR: not in the graph */
	uint8_t solver; /* index into the wing's solvers: 0 for contacts, else enum joint_type */
	uint8_t flags; /* enum contact_flag */
	bool valid; /* the id is in use */
};

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

enum body_type { BODY_STATIC, BODY_KINEMATIC, BODY_DYNAMIC };
enum body_set { SET_STATIC, SET_DISABLED, SET_ASLEEP, SET_AWAKE };

struct body {
	uint32_t generation; /* see world->serial */
	uint32_t row; /* index in world->awake when awake, else NONE */
	uint32_t colliders; /* head of the list of its colliders */
	uint32_t collider_count;
	uint32_t links[LINK_KINDS]; /* heads of the lists of its contacts and joints: id * 2 + side */
	uint32_t link_counts[LINK_KINDS];
	/* the island of an enabled dynamic body; of a disabled body, its neighbours in the list world->disabled */
	struct island_member island;
	float sleep_threshold; /* up to this speed a dynamic body counts as at rest [length/s] */
	uint32_t mover; /* index in world->burdens and mover_rows; 0: those that static bodies share */
	uint8_t type : 4; /* enum body_type */
	uint8_t set : 4; /* enum body_set */
	bool sleeping_allowed;
	bool bullet; /* continuous collision against dynamic bodies as well: see bullets_ignore */
	bool valid : 1; /* the id is in use, by a body of the user */
	bool mount : 1; /* the id is in use by a mount: see mount_make */
	bool mass_overridden : 1; /* the user has set the mass */
	bool unweighed : 1; /* listed in world->unweighed: its mass is out of date */
	bool controlled : 1; /* has a controller: see controller.h */
	uint32_t taken_colours[LINK_KINDS]; /* the colours of its links, one bit each; 0 unless it is dynamic */
};

_Static_assert(sizeof(struct body) == 64, "a cache line");

/* The part of a body's record that each step changes: histories record it alone. */
struct body_travel {
	uint64_t sum; /* see travel.h */
	float rest_time; /* time at rest so far [s] */
	/* each shape stays in its fat AABB until a point of the body has moved farther than this [length]; 0: unknown; < 0: the
	 * AABBs cover the path of a step */
	float slack;
};

/* The increased mass of a light body under heavy ones: see burden.h. Static bodies share the first, which never changes. */
struct burden {
	float times; /* factor on its mass and inertia in the last step; 1: unchanged */
	/* factors on its inverse mass, per axis: 1 / times on axes along the load; 1 on others, so that friction conserves
	 * momentum */
	float left[3];
	float mass; /* the mass that it needs in this step to bear the loads found so far; its own or more [mass] */
	float demand[3]; /* the impulse per sub-step, as a vector, that it must pass on to the ground [mass length/s] */
	uint32_t search; /* number of the last ground search that visited the body: see world->burden_search */
	/* Result of the last ground search from this body for a push along `towards`: whether there is ground, the direction in
	 * which it pushes back, and the sum of the closing speeds of the contacts on the path to it [length/s]. */
	uint64_t found; /* tick + 1 of the step of that search */
	float towards[3], support[3], approach;
	bool ground, sticks; /* sticks: friction on this ground would hold a body at rest */
	float lost; /* time since the ground last opposed its load [s] */
	float overlap, kept; /* overlap: of its deepest pushing contact; kept: overlap that its contacts do not push out [length] */
	bool carries; /* a touching body's mass, multiplied by that body's burden, exceeds this body's mass without burden */
	bool due; /* `mass` must be computed in this step, for the first time or because a neighbour's has changed */
};

/* --- Colliders ------------------------------------------------------------------------------------------------------------ */

/* A shape attached to a body. */
struct collider {
	uint32_t generation; /* see world->serial */
	uint32_t body;
	uint32_t previous, next; /* in the body's list */
	uint32_t proxies; /* head of the list of its proxies; NONE while the body is disabled */
	float margin; /* by which the fat AABB exceeds the shape [length] */
	const void *shape; /* a shape of the wing; the collider owns one reference to it */
	struct material material;
	float density; /* [mass / length^dimensions] */
	int32_t group; /* two colliders of one group collide if it is > 0, and do not if it is < 0; else their layers decide */
	uint64_t own_layers; /* the layers that it collides with, if has_own_layers: see layers_allow in filter.c */
	uint32_t one_way; /* index in world->one_way_normals; NONE: solid from all sides */
	uint8_t layer;
	bool sensor;
	bool pre_solve; /* the user's function decides on its contacts: see pre_solve.h */
	bool has_own_layers : 1;
	bool part_materials : 1; /* parts of its shape have materials of their own */
	bool valid : 1;
};

/* The tree of a proxy: that of static bodies, of kinematic and sleeping dynamic ones, or of awake dynamic ones. When a body
 * falls asleep or wakes, its proxies change trees only later: see lulled_bodies and roused_bodies. Proxies of infinite shapes
 * have no AABB: their home is the list world->unbounded. */
enum proxy_home { HOME_STATIC, HOME_RESTING, HOME_DRIFTING, TREES, HOME_UNBOUNDED = TREES };

/* How an edit of its shape concerns a proxy: its child is gone; or has other neighbours. */
enum proxy_edit { EDIT_NONE, EDIT_CHANGED, EDIT_REMOVED };

/* A child of a collider's shape in the broad phase: one for most shapes, one per segment of a chain or shape of a compound. */
struct proxy {
	struct box box; /* the child's fat AABB, with the collider's margin unless static; may also cover its path over a step */
	uint32_t collider;
	uint32_t child; /* index of the child in the shape */
	uint32_t next, previous; /* in the collider's list */
	uint32_t leaf; /* node in world->trees[home]; NONE if the proxy is unbounded, or drifting and not inserted yet */
	uint32_t moved_index; /* see proxy_has_moved */
	uint8_t home; /* enum proxy_home */
	uint8_t edit; /* enum proxy_edit, during an edit of the shape; else 0 */
	/* `box` at the last pair search. Two proxies whose `searched` overlap are a known pair, which sort and sweep skips. Empty:
	 * it skips no pair of this proxy */
	struct box searched;
};

static inline bool proxy_unbounded(const struct proxy *proxy)
{
	return proxy->home == HOME_UNBOUNDED;
}

/* --- Contacts ------------------------------------------------------------------------------------------------------------- */

enum contact_flag {
	CONTACT_TOUCHING = 1, /* touches, as known to events, islands and the graph */
	CONTACT_SENSOR = 2, /* a collider is a sensor: only overlap is tested, nothing is solved */
	CONTACT_TOUCHES = 4, /* touches by the last narrow phase; CONTACT_TOUCHING follows in contacts_commit */
	CONTACT_APART = 8, /* the fat AABBs no longer overlap: to be destroyed */
	CONTACT_ONCE = 16, /* of a sensor: collide it in the next step even if both bodies sleep */
	CONTACT_FOLLOWS = 32, /* not the first contact of its two proxies: collided together with the first */
	CONTACT_BORDER = 64, /* its manifold depended on other contacts in the last step, so it is not kept */
	CONTACT_SETTLED = 128, /* depenetration separates it only while it is in plunged_contacts; else its spring pushes */
};

/* A contact of two proxies whose fat AABBs overlap. Its manifold is the wing's record with the same id, which begins with a
 * struct contact_material. */
struct contact {
	struct link link;
	uint32_t proxies[2], colliders[2];
	uint32_t follower; /* the next contact of the same two proxies, or NONE: see wing.pair_contacts */
};

/* not declared as aligned: an array of few contacts may begin within a cache line, see memory.h */
_Static_assert(sizeof(struct contact) == 64, "a cache line");

/* Limit on the motion of a contact's bodies before it is collided again: see travel.h. It is not in struct contact, so that
 * skipping a contact reads only a quarter of a cache line. */
struct travel_limit {
	uint64_t most; /* the contact is skipped while the sum of both bodies' travels is less */
	uint32_t bodies[2]; /* the contact's */
};

/* --- Joints --------------------------------------------------------------------------------------------------------------- */

/* A joint between two bodies. Its data is the wing's record with the same id; its type is link.solver. */
struct joint {
	struct link link;
	uint32_t generation; /* see world->serial */
	uint32_t gears; /* number of gears on it */
	bool collides; /* the two bodies may collide with each other */
	bool enabled;
	bool breakable; /* destroyed when its reaction exceeds a threshold */
	bool named; /* an event of the last step names it: its id stays in use as long */
	bool in_tree; /* of partition.trees, if there are any */
	float hertz, damping_ratio; /* of its locks and limits [1/s], [1]; NAN: the world's */
	float thresholds[2]; /* of the reaction force and torque, above which events report the joint; INFINITY: none */
};

/* --- Islands -------------------------------------------------------------------------------------------------------------- */

/* Dynamic bodies connected by touching contacts and joints: they sleep and wake together. */
struct island {
	struct island_list {
		uint32_t first, last, count;
	} bodies, links[LINK_KINDS];
	uint32_t loosened; /* links that ended since the last split: if > 0 the island may have come apart */
	struct headway {
		uint64_t parted; /* tick + 1 of the last step with overlaps to separate */
		/* overlap: sum of the deep overlaps in that step, -INFINITY once it has been compared with `least`; least: the least
		 * sum so far, lowered only by more than a slop, INFINITY before the first [length] */
		float overlap, least;
		float stalled; /* time since the least sum last fell [s] */
		uint32_t most; /* the largest body count that the island has had */
	} headway; /* progress in separating deep overlaps */
	bool valid;
	bool awake;
	bool grounded; /* see grounds_mark in burden.c */
};

/* See touched.h. */
enum touched_kind {
	TOUCHED_BODIES,
	TOUCHED_COLLIDERS,
	TOUCHED_PROXIES,
	TOUCHED_CONTACTS,
	TOUCHED_LIMITS, /* of travels, by the id of their contact, as are manifolds */
	TOUCHED_MANIFOLDS,
	TOUCHED_JOINTS,
	TOUCHED_ISLANDS,
	TOUCHED_MOVERS, /* by the id of a mover record */
	TOUCHED_KINDS
};

/* A shape or curve that its owner no longer has, but that a history may bring back: see history.h. */
struct kept {
	const void *shape; /* with one reference; or NULL */
	struct curve *curve;
	uint64_t tick; /* see kept_until */
};

/* --- The world ------------------------------------------------------------------------------------------------------------ */

/* Parameters of the current step. */
struct step {
	float dt, h; /* of the step, of a sub-step [s] */
	float inv_dt, inv_h; /* 0 when dt is 0 */
	int substeps;
	/* factor on the last step's contact impulses for warm starting: h / last h, since forces persist; at most 2 */
	float carry;
	struct soft contact_soft; /* between dynamic bodies */
	struct soft static_soft; /* against non-dynamic bodies: stiffer */
	struct soft joint_soft; /* of joints without a softness of their own */
	float turn_rate; /* maximum angular speed of a dynamic body [rad/s] */
	bool burdened; /* some body has a burden: see burden.c */
	/* impulse per sub-step, divided by mass, under which a contact gives way by one slop: see burden.c [length/s] */
	float load_speed;
};

/* Phases of a step for profiling, in the order of execution, except that the last part of PHASE_FINISH follows PHASE_SWEEP. */
enum phase {
	PHASE_PAIRS, /* preparation of the step; broad phase: new pairs, calls the filter */
	PHASE_COLLIDE, /* narrow phase */
	PHASE_CONTACTS, /* begins and ends of contacts: events, islands, colours */
	PHASE_SOLVE,
	PHASE_FINISH, /* new poses and boxes, hits, move events, sleep */
	PHASE_SWEEP, /* continuous collision */
	PHASES
};

/* The user's final decision on whether two colliders may collide. Called during a step, by one thread at a time; must not
 * change the world. */
typedef bool filter_function(void *context, uint32_t collider_a, uint32_t collider_b);

/* The user's decision on a contact before it is solved. Called as the filter is. */
typedef void pre_solve_function(void *context, struct pre_solve *contact);
struct passing_body; /* see passage.h */
struct history;

struct world {
	const struct wing *wing;
	enum lane_choice lanes; /* SIMD lanes of the wide functions: as many as the machine has */
	struct memory *memory;
	struct settings settings;
	struct step step;
	float last_dt, last_h; /* of the last step with dt > 0, or 0 [s] */
	float gravity[3]; /* [length/s^2] */
	/* running mean, over about 32 steps, of the effective sub-step, which limits the frequency of contact springs; 0 before the
	 * first step: see contact_hertz [s] */
	float mean_h;
	struct jobs *jobs; /* NULL: one worker */
	filter_function *filter; /* may be NULL */
	void *filter_context;
	pre_solve_function *pre_solve; /* may be NULL */
	void *pre_solve_context;
	uint32_t pre_solve_colliders; /* number of colliders with `pre_solve` */
	bool pre_solved; /* the last step had decisions on contacts */
	uint64_t layer_masks[LAYERS]; /* the layers that each layer collides with: symmetric */
	struct random random; /* of the user: no step draws from it */
	/* Of the object created last. Each gets a generation of its own, which no other object ever has, also after the world has
	 * been restored: so a handle of an object created after a snapshot finds nothing once that is restored. Decides nothing */
	uint32_t serial;
	uint32_t ended; /* number of objects destroyed, of shapes replaced, and of rewinds that changed either, modulo 2^32 */
	struct history *histories; /* the head of a list */
	struct bits touched[TOUCHED_KINDS]; /* ids: see touched.h */
	uint64_t last_tick; /* of all histories, or a later one; 0: they are empty */
	ARRAY(struct kept) kept;
	uint64_t identity; /* the world's own number: a snapshot with another one is of another world */
	uint64_t tick; /* steps completed */
	struct sum time; /* their sum [s] */
	struct sum rest; /* time passed for which no step has been made: see ticks_take [s] */
	double alpha; /* of the last step, the part that has passed at the time to be shown, see body_render_pose; 1: all of it */
	uint64_t profile[PHASES]; /* of the last step [ns]; measured only, never read by a step */
	_Atomic uint64_t lost; /* times that bodies lost to impacts in the last step, summed [step / LOST_UNIT]; measured only */
	uint64_t clock; /* end of the last phase [ns] */
	bool locked; /* a step is running */
	/* for world_misfit: what is still to be looked at, and what has been told */
	ARRAY(uint32_t) doubtful; /* bodies */
	bool gravity_doubted, mass_told, scale_told;
	_Atomic bool speed_doubted;
	bool any_once; /* some contacts have CONTACT_ONCE */

	struct ids body_ids, collider_ids, proxy_ids, contact_ids, joint_ids, island_ids, mover_ids;
	uint32_t mount_count; /* bodies that are mounts */
	uint32_t soft_joints; /* number of joints with a softness of their own */
	uint32_t idle_joints; /* number of joints that are not active: see joint_active */
	ARRAY(struct body) bodies;
	ARRAY(struct collider) colliders;
	ARRAY(struct proxy) proxies;
	ARRAY(struct contact) contacts;
	ARRAY(struct joint) joints;
	ARRAY(struct island) islands;

	/* The wing's records: body_rows by body id, mover_rows by body.mover, states by awake index + 1 (all bodies that are not
	 * awake share state 0), step_rows by awake index, manifolds by contact id, joint_rows by joint id. */
	unsigned char *body_rows, *mover_rows, *states, *step_rows, *manifolds, *joint_rows;
	uint32_t body_row_capacity, mover_row_capacity, state_capacity, step_row_capacity, manifold_capacity, joint_row_capacity;

	ARRAY(uint32_t) awake; /* bodies */
	struct bits awake_bodies, awake_movers; /* the same, as sets: bodies, and their body.mover */
	ARRAY(struct body_travel) travels; /* by body id */
	ARRAY(struct travel_limit) travel_limits; /* by contact id: see travel.h */
	ARRAY(struct burden) burdens; /* by body.mover */
	uint32_t burden_search; /* number of the last ground search */
	uint32_t burden_changes; /* counts the steps, and the new bodies, that wrote burdens, for histories */
	/* cache of contact loads, by contact id, valid in this step for those in known_loads; shorter if memory is short: see
	 * load_of */
	ARRAY(struct contact_load) loads;
	struct bits known_loads;
	ARRAY(uint32_t) unweighed; /* dynamic bodies that got colliders since their mass was computed: see bodies_weigh */
	/* awake contacts, see contact.h, except those with CONTACT_FOLLOWS; processed in id order, which is memory order */
	struct bits awake_contacts;
	struct bits following_contacts; /* those with CONTACT_FOLLOWS */
	uint32_t touching_count; /* contacts with CONTACT_TOUCHING, asleep or not */
	uint32_t overlap_count; /* touching contacts with CONTACT_SENSOR */
	uint32_t movable_count; /* bodies that may ever be awake: all but static ones, enabled or not */
	uint32_t disabled; /* head of the list of disabled bodies, the latest first: they are in no tree */
	struct colour colours[COLOURS + 1];
	uint32_t used_colours[SOLVERS]; /* by solver: the colours that have links of it, one bit each, the overflow included */
	struct partition partition;
	struct depenetration depenetration;
	struct fields fields;
	struct controllers controllers;
	struct bits near_bodies; /* scratch of explosions */

	/* Trees by enum proxy_home. Drifting proxies in world->stale have an outdated leaf, or none, until a query: see
	 * proxies_settle. The pair search does not use the drifting tree. */
	struct tree trees[TREES];
	struct tree_room leaves; /* of all trees */
	ARRAY(struct tree_entry) tree_entries; /* scratch memory for building the drifting tree */
	struct bits drifting; /* drifting proxies, those of lulled bodies included */
	struct bits stale; /* drifting proxies whose leaf is outdated or missing */
	/* By word of `drifting`: a box around the AABBs of its proxies, so that the pair search can leave them out together. Known
	 * for the words in enclosed_words, until one of their proxies moves. */
	ARRAY(struct box) enclosures;
	struct bits enclosed_words;
	/* lulled: sleeping bodies of which some proxies may still drift; a few of these move to the resting tree in each step.
	 * roused: awake bodies of which some proxies may still rest; these begin to drift when their AABB changes or their body is
	 * swept. So no step moves thousands of leaves, and an island that soon wakes moves none. */
	struct bits lulled_bodies, roused_bodies;
	ARRAY(uint32_t) unbounded; /* proxies */
	/* Proxies that the next pair search tests: new, refitted or refiltered. Those of static bodies, which may be nearly all of
	 * the world's, have a list of their own, which is emptied without a visit to each. */
	ARRAY(uint32_t) moved_proxies, moved_statics;
	ARRAY(uint32_t) edited; /* proxies that the edit under way concerns: see edit.h */
	struct pairset pairs; /* pairs of proxies that have a contact */
	struct pair_search *pair_search; /* buffers of the pair search, one per worker */

	/* See pre_solve.h. asked: contacts to be decided on; barred, mixed: those that are disabled, or have got another material,
	 * in this step. surfaces: in id order. verdicts: of this step's sweeps; verdict_firsts: index of a
	 * body's first one, by body id. */
	struct bits asked_contacts, barred_contacts, mixed_contacts;
	struct bits passing_contacts; /* they overlap, and pass a one-way collider: see one_way.h */
	struct ids one_way_ids; /* of one_way_normals: see one_way.h */
	ARRAY(struct one_way) one_way_normals;
	ARRAY(struct drop) drops;
	struct bits dropping_bodies, unfinished_drops; /* bodies in `drops`; those of them that a platform still touches */
	ARRAY(struct contact_surface) surfaces;
	ARRAY(struct verdict) verdicts;
	ARRAY(uint32_t) verdict_firsts;

	/* Most of the following sets are written by parallel phases, and read in id order by serial ones. */
	struct bits changed_contacts; /* they began or ceased to touch, or their fat AABBs separated */
	struct bits hit_contacts;
	struct bits loaded_bodies; /* heavier bodies press on them; burdened ones stay in the set while they sleep */
	struct bits border_contacts; /* their manifolds depend on the bodies' other contacts in this step */
	unsigned char *border_rows; /* the wing's results of border_contacts, each collided alone, in id order */
	uint32_t border_row_capacity;
	ARRAY(uint32_t) border_firsts; /* index of the first row of each word of border_contacts */
	/* deep: depenetration separates these if another contact of the pair opposes them; plunged: deep ones that it separates in
	 * any case. Kept from step to step, see depenetration.h */
	struct bits deep_contacts, plunged_contacts;
	struct bits sunk_contacts; /* contacts of dynamic shapes sunk into static or kinematic ones, see contact_sinks */
	struct bits parted_contacts; /* contacts whose bodies depenetration moves apart in this step */
	struct bits shifted_bodies; /* bodies of deep contacts, which depenetration may move in this step */
	struct bits enlarged_proxies; /* their AABBs have been refitted, but not their leaves */
	struct bits teleported_bodies; /* awake dynamic bodies whose pose the user has set since the last contacts_commit */
	struct bits stirred_bodies; /* bodies that bodies_look_ahead will test: passed to body_wake, or moving fast on joints */
	struct bits ahead_bodies; /* bodies that have contacts and look ahead in this step: see body_looks_ahead */
	struct bits fast_bodies, fast_bullets; /* need continuous collision */
	struct bits fast_obstacles; /* fast kinematic bodies of this step */
	struct bits sensors; /* colliders that are sensors */
	uint32_t sensor_count;
	struct bits passing_bodies; /* fast bodies of this step, if there are sensors: see passage.h */
	ARRAY(struct passing_body) passing;
	ARRAY(uint64_t) passages; /* pairs of colliders to test */
	/* dynamic bodies on the path of a fast kinematic body, or in sunk contacts: swept however slow they are */
	struct bits overtaken_bodies;
	/* fast bodies and bullets as a list during the sweep; a body is in it twice if a linkage has made it a bullet */
	ARRAY(uint32_t) fast;
	ARRAY(struct impact) impacts; /* solved by the sweep in this step, `impact_count` of them */
	_Atomic uint32_t impact_count;
	struct bits bouncing_bodies; /* bodies whose impacts found no room in `impacts` during the parallel sweep */
	bool alone; /* no other body is being swept at the same time */
	bool events_lost; /* out of memory for an event of this step's impacts */
	struct bits caught_bodies; /* jointed bodies that would tunnel in this step */
	/* joints destroyed since the last pair search that forbade contacts of their bodies; an id in use again has left the set */
	struct bits ended_joints;
	struct bits watched_joints; /* joints with a threshold */
	struct bits linked_bodies; /* members of the linkage being swept */
	ARRAY(struct linkage_member) linkage_members; /* the same members as a list, parents first: see struct linkage */
	/* bodies of swept linkages: they may have been moved, so the rotations in their solver states are no longer valid */
	struct bits taken_bodies;
	/* first impacts of fast bullets by awake index, found in parallel before the first bullet is moved */
	ARRAY(struct path_hit) hits;
	ARRAY(struct bullet_path) paths; /* paths of fast bullets, by proxy */
	bool bullets_meet; /* bullets are swept one by one, as some of them may hit each other: their AABBs cover their paths */
	bool bullets_paired; /* `paths` is set, and their pairs are known */
	/* The first of two parallel searches for the bullets' first impacts is running: of two bullets only the one with the
	 * smaller id tests the pair. False in the second, of asked_bullets, which test all their pairs. */
	bool shared;
	struct bits asked_bullets; /* bullets that must test their pairs, too, since the other bullet of a pair could not decide */
	struct bits restless_islands; /* islands that stay awake, mostly because a body has not rested long enough to sleep */
	struct bits loosened_islands; /* islands with links that ended since the last split */
	/* bodies that have just rested long enough to sleep, and those that have lost a link of their island: their component may
	 * be at rest as a whole */
	struct bits settled_bodies;
	struct bits woken_bodies, slept_bodies; /* since the last step ended: see event_slept */
	ARRAY(uint32_t) reached; /* bodies visited by islands_part in this step, or those of an island that is being split */
	/* as sets; restless_bodies: those of completed searches, connected to a body that has not rested long enough */
	struct bits reached_bodies, restless_bodies;

	struct events events;
};

#define LOST_UNIT 1048576.0

/* How long a body must rest before it may sleep [s]: Box2D's B2_TIME_TO_SLEEP, long enough for a slow rocking to reverse. */
#define REST_TIME 0.5f
/* Overlap that resting contacts keep, and the unit of the other tolerances [m, times length_scale]. */
#define LINEAR_SLOP 0.005f
#define MAXIMUM_SPEED 400.0f /* of a dynamic body, unless the user sets it, times length_scale [length/s] */
/* The speculative margin: contacts exist below this separation, to stop an approach within the step. Box2D's 4 slops [m, times
 * length_scale]. */
#define SPECULATIVE (4.0f * LINEAR_SLOP)
/* Mass ratio above which a heavier body may cause a burden, see burden.h. In sub-steps of 1/120 s the contacts of a body under
 * 34 times its mass give way by six slops, where burdens begin. Towers of slabs on posts of a twentieth of their mass stand
 * better without burdens. */
#define LOAD_RATIO 32.0f

/* Dot product of two vectors of the wing: in 2D their third numbers are 0. */
static inline float dot(const float a[3], const float b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Whether the body is static or kinematic, so that impulses do not move it. */
static inline bool body_fixed(const struct world *world, uint32_t body)
{
	return world->bodies.data[body].type != BODY_DYNAMIC;
}

static inline struct burden *burden_of(const struct world *world, uint32_t body)
{
	return &world->burdens.data[world->bodies.data[body].mover];
}

static inline float speculative_margin(const struct world *world)
{
	return SPECULATIVE * world->settings.length_scale;
}

static inline uint32_t proxy_body(const struct world *world, uint32_t proxy)
{
	return world->colliders.data[world->proxies.data[proxy].collider].body;
}

static inline void *body_row(const struct world *world, uint32_t body)
{
	return world->body_rows + body * world->wing->body_size;
}

/* The greatest distance of a point of the body from its centre of mass [length]. */
static inline float body_extent(const struct world *world, uint32_t body)
{
	return *(const float *)((const char *)body_row(world, body) + world->wing->body_extent_at);
}

/* The part of the wing's record that static bodies share, unless body_own_mover has given them their own. */
static inline void *mover_row(const struct world *world, uint32_t body)
{
	return world->mover_rows + world->bodies.data[body].mover * world->wing->mover_size;
}

/* The body's solver state; state 0 unless it is awake, as NONE + 1 is 0. */
static inline void *body_state(const struct world *world, uint32_t body)
{
	return world->states + (world->bodies.data[body].row + 1) * world->wing->state_size;
}

/* An awake body's displacement in this step, `dimensions` numbers [length]. */
static inline float *body_displacement(const struct world *world, uint32_t body)
{
	return (float *)((char *)body_state(world, body) + world->wing->state_dp_at);
}

/* Sets v to the body's linear velocity [length/s]; 0 on an unused axis, and unless the body is awake. */
static inline void body_linear_velocity(const struct world *world, uint32_t body, float v[3])
{
	const float *velocity = body_state(world, body);
	for (int k = 0; k < 3; ++k)
		v[k] = k < world->wing->dimensions ? velocity[k] : 0.0f;
}

static inline void body_inverse_mass(const struct world *world, uint32_t body, float inv_mass[3])
{
	const float *inverse = (const float *)((char *)body_row(world, body) + world->wing->body_inv_mass_at);
	for (int k = 0; k < 3; ++k)
		inv_mass[k] = k < world->wing->dimensions ? inverse[k] : 0.0f;
}

static inline float body_weight(const struct world *world, uint32_t body)
{
	return *(const float *)((char *)body_row(world, body) + world->wing->body_mass_at);
}

/* Adds to an awake body's displacement in this step [length]. */
static inline void body_shift(struct world *world, uint32_t body, const float delta[3])
{
	for (int k = 0; k < world->wing->dimensions; ++k)
		body_displacement(world, body)[k] += delta[k];
}

/* The vector from a's centre of mass to b's, displacements in this step included [length]. */
static inline void bodies_between(const struct world *world, uint32_t a, uint32_t b, float delta[3])
{
	const double *from = body_row(world, a), *to = body_row(world, b);
	const float *moved_a = body_displacement(world, a), *moved_b = body_displacement(world, b);
	for (int k = 0; k < 3; ++k)
		delta[k] = k < world->wing->dimensions ? (float)(to[k] - from[k]) + (moved_b[k] - moved_a[k]) : 0.0f;
}

static inline void *manifold_row(const struct world *world, uint32_t contact)
{
	return world->manifolds + contact * world->wing->manifold_size;
}

/* Whether the joint is destroyed, while an event keeps its id from further use. */
static inline bool joint_held(const struct world *world, uint32_t joint)
{
	return !world->joints.data[joint].link.valid && world->joints.data[joint].named;
}

static inline void *joint_row(const struct world *world, uint32_t joint)
{
	return world->joint_rows + joint * world->wing->joint_size;
}

static inline const struct joint_model *joint_model(const struct world *world, uint32_t joint)
{
	return &world->wing->joint_models[world->joints.data[joint].link.solver];
}

static inline const uint32_t *joint_bodies(const struct world *world, uint32_t joint)
{
	return world->joints.data[joint].link.bodies;
}

/* Whether the joint is enabled, and of a type that is solved. Others tie nothing, but may keep their bodies from colliding. */
static inline bool joint_active(const struct world *world, uint32_t id)
{
	const struct joint *joint = &world->joints.data[id];
	return joint->enabled && world->wing->solvers[joint->link.solver][LANES_1] != NULL;
}

/* Number of bodies, without mounts. */
static inline uint32_t world_body_count(const struct world *world)
{
	return ids_count(&world->body_ids) - world->mount_count;
}

/* Number of joints. The ids of destroyed ones stay in use while the last step's events name them. */
static inline uint32_t world_joint_count(const struct world *world)
{
	uint32_t count = ids_count(&world->joint_ids);
	for (uint32_t i = world->events.joints_begin; i < world->events.joints.count; ++i)
		count -= !world->joints.data[world->events.joints.data[i].joint.index].link.valid;
	return count;
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
