/* events.h - the records of events: what struct world keeps of them. Functions: event.h. Included by core.h. */
#pragma once
#include "base/array.h"
#include "base/bits.h"
#include "core/wing.h"

#include <stdbool.h>
#include <stdint.h>

struct handle {
	uint32_t index, generation;
};

struct contact_event {
	struct handle a, b; /* colliders; in overlap events a is the sensor. Two sensors get two events */
	double point_normal[POINT_NORMAL_SIZE]; /* point, and normal from a to b */
	/* for hits only: approach speed [length/s], and energy, see hit_energy [mass length^2/s^2] */
	float speed, energy;
	uint16_t materials[2]; /* names, for hits only: see base/materials.h */
};

struct end_event {
	struct handle a, b;
};

struct move_event {
	struct handle body;
	bool fell_asleep;
};

struct joint_event {
	struct handle joint;
	double force, torque; /* sizes of the reaction in the last sub-step [mass length/s^2], [mass length^2/s^2] */
	bool broken;
};

/* Events of contacts that end between two steps are delivered after the second step; until then they are queued behind those of
 * the first. There is always capacity for one event per touching contact, for two per overlap, so that destruction by the user
 * cannot fail. */
struct end_events {
	ARRAY(struct end_event) all;
	uint32_t delivered; /* count of the leading events that belong to the last step */
};

/* Of the last step, or of several: see world_step. */
struct events {
	ARRAY(struct contact_event) begins, hits, overlap_begins;
	struct end_events ends, overlap_ends;
	ARRAY(struct move_event) moves; /* a body is listed once, for the last of the steps in which it was awake */
	ARRAY(struct joint_event) joints;
	uint32_t moves_begin, joints_begin; /* of the last step's */
	struct bits woke, slept; /* bodies that are awake, or asleep, and were not when the last step before these ended */
};
