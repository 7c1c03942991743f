/* joint_tree.h - trees of joints, whose locks are solved together, exactly, in time linear in their number.
 * The dynamic bodies that joints connect form a tree unless joints close loops: then one joint of each loop stays iterative, as
 * do joints with a softness of their own, gears, pulleys, and all limits, springs and motors. Non-dynamic bodies divide trees:
 * each joint to one ends there. Trees of the same shape are solved side by side in the lanes. With the inverse mass B_i of body
 * i as its subtree lets it move, in the order from the leaves to the root, for the joint between child c and parent p, with the
 * rows J_c and J_p: S = J_c B_c J_c^T + J_p B_p J_p^T,  B_p -= B_p J_p^T S^-1 J_p B_p Source: Baraff, "Linear-Time Dynamics
 * using Lagrange Multipliers", 1996, here with inverse masses in place of masses, as in Featherstone, "Rigid Body Dynamics
 * Algorithms", 2008: neither light nor locked bodies need an inverse. */
#pragma once
#include "core/core.h"

/* Reserves memory for the trees of the joints in the graph. False: no memory. */
bool joint_trees_reserve(struct world *world, uint32_t joints);
/* Finds the trees of the awake bodies, if the world's joints are solved directly. */
void joint_trees_find(struct world *world);
/* Sorts the trees by their `block`, in each by shape. */
void joint_trees_sort(struct world *world);
/* Before the sub-steps: increases the inertia of the trees' bodies by the pull of their joints, see inertia_left. All
 * constraints must see the same inertia: else contacts and trees, solved in turn, gain energy. joint_trees_ease takes the
 * increase back. */
void joint_trees_stiffen(struct world *world);
void joint_trees_ease(struct world *world);
/* Makes batches of the trees of the block, which begin with tree `next`. Their links follow from index *first of
 * partition.links on. Returns the next block's first tree. */
uint32_t joint_trees_batch(struct world *world, uint32_t block, uint32_t next, uint32_t *first);
