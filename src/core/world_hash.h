/* world_hash.h - hashes of a world's state, bit by bit, and the first difference of two worlds. Serial. */
#pragma once
#include "core/core.h"

/* Where a body is and how it moves. Numbers beyond the dimension's are 0. */
struct body_numbers {
	double position[3]; /* of its centre of mass [length] */
	float rotation[4]; /* cosine and sine, or a quaternion */
	float velocity[3], angular_velocity[3]; /* [length/s], [rad/s] */
	float linear_damping, angular_damping, gravity_scale; /* in no hash [1/s], [1/s], [1] */
};

/* Hash of all bodies, in id order, of movers, fields and random numbers. */
uint64_t world_hash(const struct world *world);

/* Hash of a body: all of it that world_hash sums. */
uint64_t world_hash_body(const struct world *world, uint32_t body);

/* A difference of two worlds. The values are `count` numbers; or, if it is 0, words. */
struct difference {
	uint32_t body; /* its id; NONE: it is not of a body */
	const char *field;
	int count;
	double numbers[2][4];
	const char *words[2]; /* NULL: nothing to show */
};

/* Finds the first body, by id, in which two worlds of one dimension differ, else what differs in the rest. False: nothing. */
bool worlds_differ(const struct world *a, const struct world *b, struct difference *difference);
