/* controller_slide.h - moving a controlled body straight, along what is in the way: the part of controller_move.c that serves
 * each of a move's stages. Internal to both. Serial. */
#pragma once
#include "base/scalar.h"
#include "core/controller.h"
#include "core/obstacle.h"

/* Fractions of a skin: the distance at which obstacles stop the body, the tolerance of that, and the distance up to which they
 * count as touched. */
#define LEAST_PART 0.75
#define TOLERANCE_PART (1.0 / 32.0)
#define TOUCH_PART 1.25

#define NORMAL_ROUNDING 1e-6 /* rounding error of a normal's components */

enum { MOST_ACTIVE = 16 };

/* A move under way. */
struct move {
	struct world *world;
	struct controller *controller;
	struct obstacle_search search;
	struct vec3 at; /* the displacement so far */
	struct vec3 start; /* the part of it by the motion of the ground */
	struct vec3 wanted; /* by the user [length] */
	double dt;
	double least, tolerance; /* [length] */
	bool airborne; /* the body touched no ground before */
	bool grounded; /* the body stood on the ground before, and does not jump off */
	bool loaded; /* its ground bears its weight in the next step, by an earlier move */
	double floor; /* height of the ground from which the body climbs, along `up`; INFINITY: it does not climb [length] */
	bool blocked; /* by something that is not ground, in the last slide */
	uint32_t active_count, active[MOST_ACTIVE]; /* obstacles that limit the next way */
};

static inline struct obstacle *obstacle_at(const struct move *move, uint32_t index)
{
	return &move->world->controllers.obstacles.data[index];
}

static inline struct vec3 lateral(const struct move *move, struct vec3 a)
{
	return vec3_mul_add(a, -vec3_dot(a, move->controller->up), move->controller->up);
}

static inline bool is_ground(const struct move *move, struct vec3 normal)
{
	double rise = vec3_dot(normal, move->controller->up);
	return rise > 0.0 && rise >= move->controller->slope_cosine - NORMAL_ROUNDING;
}

/* Finds the end of the next way: the displacement nearest to the target that is a skin in front of all active obstacles. Where
 * there is none, the softest do not push the body off, and only let it come no nearer. Dynamic bodies never push it off: their
 * contacts and shove do. False: rounding errors leave no room. */
bool move_solve(const struct move *move, struct vec3 target, struct vec3 *out);
void move_add_active(struct move *move, uint32_t obstacle);
/* Moves towards the target, along what is in the way, and notes contacts. After each stop, the body first goes back to one skin
 * from what has stopped it. */
void move_slide(struct move *move, struct vec3 target);
/* Ends all slides: takes the body back to one skin from what it has come nearer to. */
void move_settle(struct move *move);
struct controller_contact move_contact(const struct move *move, const struct obstacle *obstacle);
