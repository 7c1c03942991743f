/* controller.h - moving a kinematic body among obstacles: along walls, slopes and ceilings, up steps, and with the ground.
 * Serial, and between steps. */
#pragma once
#include "core/core.h"

struct controller_input {
	uint32_t body, collider; /* a kinematic body, and its collider with a convex, bounded shape */
	struct vec3 up;
	double slope_angle, step_height, snap_distance, skin, mass, max_force;
};

/* NONE: no memory. */
uint32_t controller_create(struct world *world, const struct controller_input *input);
void controller_destroy(struct world *world, uint32_t controller);
void controllers_destroy_of_body(struct world *world, uint32_t body);
void controllers_destroy_of_collider(struct world *world, uint32_t collider);
void controllers_free(struct world *world);

/* Moves the body by up to `delta`, in a time of dt > 0 [s], see controller_move.c. False: no memory, nothing has moved. */
bool controller_move(struct world *world, uint32_t controller, struct vec3 delta, double dt);
/* Moves the body, which has not been moved since the step of dt > 0 [s], by the motion of its ground in that step. Out of
 * memory, the next move does it. */
void controller_carry(struct world *world, uint32_t controller, double dt);
/* Sets *fits to whether the body, with the shape and its origin at the position, overlaps no obstacle. False: no memory. */
bool controller_fits(struct world *world, uint32_t controller, const void *shape, struct vec3 position, bool *fits);
void controller_set_slope(struct world *world, uint32_t controller, double angle); /* [rad] */
/* Sets the direction, a unit vector, and rotates the body with it. */
void controller_set_up(struct world *world, uint32_t controller, struct vec3 up);

/* The body's origin, in the world. */
struct vec3 controller_position(const struct world *world, uint32_t controller);
/* Takes note of where the user has put the body since its last move: it then stands on nothing. */
void controller_find(struct world *world, uint32_t controller);
/* The motion of the ground, at the body's foot, since the last move [length]. */
struct vec3 controller_ground_motion(const struct world *world, uint32_t controller);
/* Turns controller.turned_up with the ground. */
void controller_turn(struct world *world, uint32_t controller);
/* Remembers the place of the body's foot on moving ground. */
void controller_stand(struct world *world, uint32_t controller);
/* Velocity of the ground at the point where the body stands [length/s]. */
struct vec3 controller_ground_velocity(const struct world *world, uint32_t controller);

/* Called when a step of dt [s] begins, after its sweeps, and when it has ended. Contacts and sweeps see bodies that are where
 * their moves since the last step have led and move with their ground; sensors and render poses see them make these moves. At
 * the end of the step bodies are carried with ground that has moved in it; contacts of the next step see them go on so. */
void controllers_begin_step(struct world *world, double dt);
void controllers_end_sweep(struct world *world);
void controllers_end_step(struct world *world, double dt);

static inline struct controller *controller_at(const struct world *world, uint32_t controller)
{
	return &world->controllers.all.data[controller];
}

static inline bool handle_valid_controller(const struct world *world, struct handle handle)
{
	return handle.index < world->controllers.all.count && controller_at(world, handle.index)->valid &&
		controller_at(world, handle.index)->generation == handle.generation;
}
