/* joint.h - the life of joints: each exists until it, or one of its bodies, is destroyed.
 * Between enabled bodies a joint is solved if one of them is dynamic and awake, and links their islands if both are dynamic. A
 * disabled body keeps its joints, but they are not solved. Serial. */
#pragma once
#include "core/coordinate.h"
#include "core/core.h"

/* Creates a joint of the type (1 .. SOLVERS - 1) between two different bodies, with a zeroed record of the wing. Wakes both
 * bodies. Unless `collides`, destroys the contacts between them. NONE: no memory, nothing changed. */
uint32_t joint_create(struct world *world, uint8_t type, uint32_t body_a, uint32_t body_b, bool collides);
void joint_destroy(struct world *world, uint32_t joint); /* wakes both bodies, and destroys a mount */

/* A mount is the body A of one joint that holds body B to the world: static, without colliders, at the joint's anchor, so that
 * the joint is as exact far from the origin. It is not valid, so that users never meet it: it is not counted, listed or hashed.
 * mount_make makes a new static body a mount. */
void mount_make(struct world *world, uint32_t body);
void mount_destroy(struct world *world, uint32_t body); /* of a mount without a joint */
/* Before a pair search: has it test the proxies that destroyed joints let collide again. */
void joints_release(struct world *world);
void joint_set_collides(struct world *world, uint32_t joint, bool collides);
/* joints_detach removes the joints of a body from islands and the graph, before the body leaves its set and island;
 * joints_attach adds them when it is back. Both wake the bodies at the other ends. */
void joints_detach(struct world *world, uint32_t body);
void joints_attach(struct world *world, uint32_t body);
void joint_wake(struct world *world, uint32_t joint); /* wakes both bodies */

static inline const uint32_t *joint_bodies(const struct world *world, uint32_t joint)
{
	return world->joints.data[joint].link.bodies;
}
