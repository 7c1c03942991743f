/* solve.h - what a step's solve works on: the graph of coloured links, its partition into blocks, and depenetration. All of it
 * is in struct world. */
#pragma once
#include "base/array.h"
#include "core/wing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum link_kind { LINK_CONTACT, LINK_JOINT, LINK_KINDS };

enum {
	/* colours of the constraint graph besides the overflow, which takes gears and links that fit in none; Box2D's scenes use up
	   to 22 */
	COLOURS = 24,
	/* the first colours take all links; the last 4 take only links to non-dynamic bodies, and these links try them first */
	MOVING_COLOURS = COLOURS - 4,
	OVERFLOW = COLOURS,
	NO_COLOUR = 0xff
};

/* --- The graph ------------------------------------------------------------------------------------------------------------ */

/* A link in its colour's list, with its bodies: so the partition need not look at the link. */
struct coloured_link {
	uint32_t id, bodies[2];
};

/* Contacts of one colour share no dynamic body, and joints of one colour share none, so they can be solved in parallel. Links
 * in the overflow are solved one by one, except contacts of hubs: see hub.h. */
struct colour {
	ARRAY(struct coloured_link) links[SOLVERS]; /* [0] contacts, [type] joints */
};

/* Links of one colour and type in a block of the partition, solved several at a time in the solver's lanes. */
struct batch {
	const struct link_solver *solver;
	uint32_t first, count; /* in partition.links */
	uint32_t grain; /* records that one worker solves in their order; all of them in the overflow, where links share bodies */
	/* of a hub's contacts: the hub's state, the number of its shares, and the state of the first, see hub.h; else 0 */
	uint32_t hub, shares, share;
	/* of trees, of which `count` is then the number: the joints of the first one, from index `tree` of partition.tree_joints on
	 */
	uint32_t tree, joints;
	size_t record_size; /* [bytes] */
	size_t records; /* offset of the solver's records among those of the block [bytes] */
};

/* A tree of joints: see joint_tree.h. */
struct joint_tree {
	uint32_t root; /* body */
	uint32_t first, count; /* in partition.tree_joints and partition.tree_ids */
	uint32_t shape; /* a hash of its joints */
	uint32_t block; /* of the partition */
};

/* A body while hubs are searched, see hub.h: the number of its contacts, the sum of the other bodies' masses [mass], and the
 * last pass that took one of its contacts. */
struct hub_tally {
	uint32_t contacts, pass;
	float load;
};

/* A group of whole islands: a range of the awake bodies, and the batches of their links in solving order. The last block also
 * has the kinematic bodies. */
struct block {
	uint32_t body_begin, body_end, batch_begin, batch_end;
	bool has_joints;
};

/* See partition.h. */
struct partition {
	bool valid; /* the graph and the awake bodies are unchanged since it was built */
	/* the last block holds large islands, kinematic bodies and the islands linked to these */
	ARRAY(struct block) blocks;
	ARRAY(struct batch) batches;
	ARRAY(struct batch_link) links;
	/* solver records of the last block, then space for those of one other block per worker; unused if they need no more than
	 * RECORDS_ROOM, see stages_run */
	unsigned char *records;
	size_t records_size, records_needed, last_records_size, block_records_size; /* [bytes] */
	ARRAY(uint32_t) island_blocks; /* by island id */
	ARRAY(uint32_t) link_blocks; /* block of each link, in the order of the graph's lists */
	/* by body id, during an update: the state index of an awake body, with READ_ONLY unless it is dynamic; READ_ONLY for a body
	 * that is not awake */
	ARRAY(uint32_t) body_states;
	ARRAY(uint32_t) counts; /* number of links, by block and list of the graph; later the index where the next link goes */
	/* by awake index, during an update: the bodies' islands, then their blocks; last each body's old index by its new one */
	ARRAY(uint32_t) order;
	ARRAY(struct hub_tally) hub_tallies; /* by body id */
	ARRAY(struct joint_tree) trees;
	ARRAY(struct tree_joint) tree_joints;
	ARRAY(uint32_t) tree_ids; /* the joints' ids */
	ARRAY(uint32_t) tree_order; /* indices of trees, by block and shape */
	ARRAY(uint64_t) tree_keys; /* to sort the trees */
	ARRAY(bool) reached; /* by body id: it is in a tree or in a component of too many loops */
	ARRAY(float) pulls; /* by body id: the sum of the pulls of its joints, see joint_trees_stiffen */
	/* Number of shares of the same hub, by share: see hub.h. Their states and step records follow those of the awake bodies. */
	ARRAY(float) shares;
};

enum overlap_role {
	OVERLAP_LIMIT, /* of a pair that is not separated: limits how far it may approach */
	OVERLAP_SEPARATED, /* of a pair that is separated */
	OVERLAP_REPLACED /* by the escape direction of its pair */
};

/* A contact of a body that depenetration moves after the sub-steps, or the escape direction that replaces all contacts of a
 * pair. */
struct overlap {
	uint32_t shifts[2]; /* indices of the two bodies in depenetration.shifts; [1] NONE: the second body is not moved */
	uint32_t other; /* the second body */
	uint32_t contact; /* NONE: the escape direction of a pair */
	bool deep; /* depenetration separates its bodies */
	uint8_t role; /* enum overlap_role */
	bool turned; /* the first body is the contact's second */
	bool opposed; /* another contact of the pair pushes against this one */
	float normal[3]; /* from the first body to the second */
	float separation; /* [length] */
	float parts[2], response; /* see overlap_prepare */
	float wanted; /* separating displacement wanted in this step; negative: how far the bodies may approach [length] */
};

/* A body that depenetration may move in this step. */
struct shift {
	uint32_t body;
	bool moved; /* by depenetration */
	float inv_mass[3]; /* per axis [1/mass] */
	float delta[3]; /* displacement in this step [length] */
};

/* A moved body's place in its group of bodies that are moved apart from each other. */
struct shift_group {
	uint32_t parent; /* union-find parent; the group's first body is its own */
	/* sums over the group, kept in its first body: mass per axis [mass], INFINITY if a member is locked there or overlaps a
	 * body that is not moved; mass times displacement [mass length] */
	double mass[3], shifted[3];
};

/* See depenetration.h. Empty without deep overlaps. */
struct depenetration {
	ARRAY(struct overlap) overlaps; /* of all bodies that are moved, by first body, then by second body; with space to sort */
	ARRAY(struct shift) shifts; /* in body id order */
	ARRAY(struct shift_group) groups; /* by index of the shift */
	ARRAY(uint32_t) shift_indices; /* by body id */
	ARRAY(uint64_t) keys; /* to sort the overlaps */
};
