/* snapshot_records.h - the records of a snapshot. Each function passes one record, with all that it refers to being numbers.
 * Serial. */
#pragma once
#include "core/shape_table.h"

/* Lower bounds on the sizes of records of ids in use [bytes]. */
enum { BODY_LEAST = 100, COLLIDER_LEAST = 60, PROXY_LEAST = 38, CONTACT_LEAST = 100, JOINT_LEAST = 100, ISLAND_LEAST = 60 };

void body_pass(struct archive *archive, struct world *world, uint32_t id);
/* The collider with its proxies. */
void collider_pass(struct archive *archive, struct world *world, uint32_t id, struct shape_table *shapes);
void contact_pass(struct archive *archive, struct world *world, uint32_t id);
void joint_pass(struct archive *archive, struct world *world, uint32_t id);
void island_pass(struct archive *archive, struct world *world, uint32_t id);
void burden_pass(struct archive *archive, struct burden *burden);
/* All fields, or all controllers, with their ids. */
void fields_pass(struct archive *archive, struct world *world, struct shape_table *shapes);
void controllers_pass(struct archive *archive, struct world *world);
