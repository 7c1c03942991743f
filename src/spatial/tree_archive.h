/* tree_archive.h - a tree as bytes: its structure and the boxes of its leaves. Leaves and nodes get other numbers when they are
 * read, which no query shows. */
#pragma once
#include "base/archive.h"
#include "spatial/tree.h"

/* Called for each leaf that is read, with its user value and its id. False: the value must not have a leaf. */
typedef bool tree_place(void *context, uint32_t value, uint32_t leaf);

/* Passes the tree. When reading, it must be empty, and its room must have no free leaves or nodes. */
void tree_pass(struct archive *archive, struct tree *tree, tree_place *place, void *context);
