/* controllers.h - the records of controllers: what struct world keeps of them. Functions: controller.h, obstacle.h. Included by
 * core.h. A kinematic body with a controller is what scripts call a mover. ("mover" in the core: the part of a body's record
 * that static bodies share.) */
#pragma once
#include "base/array.h"
#include "base/ids.h"
#include "base/vec3.h"
#include "core/events.h"

#include <stdbool.h>
#include <stdint.h>

/* How hard an obstacle is: where there is no room between several, the softer ones give way. */
enum obstacle_rank { OBSTACLE_DYNAMIC, OBSTACLE_CONTROLLED, OBSTACLE_KINEMATIC, OBSTACLE_STATIC };

/* A convex piece of a collider: a segment of a chain, a triangle of a mesh or height field, a child of a compound, or the
 * whole. Positions are relative to the origin of the search, see struct obstacle_search. At any displacement x of the shape
 * that the search is for, the piece is at least normal . x + offset away. */
struct obstacle {
	uint32_t collider, child;
	uint8_t rank; /* enum obstacle_rank */
	bool ignored;
	bool measured; /* the members from `at` on are valid, and the bound is the distance itself at `at` */
	struct vec3 normal; /* unit, towards the shape */
	double offset; /* [length] */
	struct vec3 at; /* displacement at which the distance was measured last */
	struct vec3 point; /* of the piece, the closest one there */
	double distance; /* signed [length] */
};

/* An obstacle that a controlled body has met in its last move, or the ground on which it stands. */
struct controller_contact {
	struct handle collider;
	struct vec3 point, normal; /* in the world; the normal points towards the body */
	double fraction; /* of the wanted displacement */
	double approach; /* wanted speed against the normal [length/s] */
};

enum controller_state { CONTROLLER_GROUND, CONTROLLER_STEEP, CONTROLLER_AIR };

enum { CONTROLLER_CONTACTS = 16 };

struct controller {
	uint32_t generation; /* see world->serial */
	bool valid; /* the id is in use */
	bool crushed; /* the last move ended inside a static or kinematic obstacle */
	bool passing; /* it was halfway through a one-sided surface, from its back, in the last move */
	uint8_t state; /* enum controller_state, after the last move */
	uint32_t body, collider; /* the body, and the collider whose shape is moved */
	struct vec3 up; /* unit; 0: nothing is ground, all else are walls */
	double slope_angle, slope_cosine; /* of the steepest slope that is ground [rad], [1] */
	double step_height, snap_distance, skin; /* [length] */
	double mass, max_force; /* [mass], [mass length/s^2] */
	/* Origin of the body when the last step ended, and after the last move. The next step reports its motion from one to the
	 * other. */
	struct vec3 from, to;
	struct vec3 carried; /* velocity with which the ground has carried it: that of contacts in the next step [length/s] */
	struct vec3 shown; /* origin of the body after the last step, which has carried it with its ground */
	struct vec3 velocity; /* achieved in the last move, without the motion of the ground [length/s] */
	uint64_t pushed; /* tick of the last step whose impulses have pushed it */
	struct vec3 push; /* velocity with which bodies that hit it have pushed it in the move after that step [length/s] */
	struct handle pusher; /* the body that has pushed it hardest; valid unless `push` is 0 */
	uint64_t carried_in; /* tick at the end of the last step that has carried it, in controllers_end_step */
	/* Of the dynamic body that it loaded in the last step, if that was `loaded`: the force against `up`, and the speed along it
	 * before [mass length/s^2], [length/s] */
	double load, load_speed;
	uint64_t loaded; /* tick at the end of that step */
	struct handle loaded_body;
	struct controller_contact ground; /* valid unless `state` is CONTROLLER_AIR */
	struct handle ground_body; /* valid unless `state` is CONTROLLER_AIR */
	struct vec3 surface; /* velocity of its surface there by its material, as of a belt; valid likewise [length/s] */
	/* The point at the height of the ground below or above the body's origin, after the last move: in the world, and in the
	 * frame of ground_body */
	struct vec3 foot, anchor;
	/* `up` as the ground has turned it since it was set: a unit vector, in the world and in the frame of ground_body */
	struct vec3 turned_up, anchor_up;
	uint32_t contact_count;
	struct controller_contact contacts[CONTROLLER_CONTACTS];
};

/* An impulse on a body that has hit a controlled one. */
struct shove {
	uint32_t body;
	struct vec3 point, impulse;
};

struct controllers {
	struct ids ids;
	ARRAY(struct controller) all; /* by id */
	ARRAY(struct obstacle) obstacles; /* of the search under way */
	ARRAY(struct shove) shoves; /* of the move under way */
};
