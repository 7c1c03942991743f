/* gear.h - gears and pulleys: joints that hold a sum a + ratio b of two numbers. Those of a gear are coordinates of two other
 * joints: an angle, or the translation of a prismatic joint. Those of a pulley are the lengths of the rope's two parts.
 * A gear so acts on up to four bodies: those of its joints. As a link it has one body of either joint, which ties the islands
 * of all four, and it is always in the overflow. It dies with either joint. While it, one of its joints or one of their bodies
 * is disabled it does nothing; when it acts again, it holds the sum that it then finds. Serial, but for gear_acts. */
#pragma once
#include "core/core.h"

/* A part of the wings' joint records. */
struct gear {
	struct gear_settings settings;
	double values[2]; /* a and b at the end of the last step; angles count turns [rad or length] */
	double rest; /* the sum that is held */
	bool engaged; /* `rest` is valid */
};

/* The coordinate of a joint that gears couple, or -1: a joint of this type has none. */
int gear_coordinate(enum joint_type type);
/* The two different bodies that a gear over these joints has as a link: if possible dynamic ones. */
void gear_bodies(const struct world *world, const uint32_t joints[2], uint32_t bodies[2]);
/* Whether the gear, or pulley, acts: its joints, and their bodies, are enabled. Any thread. */
bool gear_acts(const struct world *world, uint32_t joint);
/* The sum, or the number of one side: coordinate 0, 1, 2. */
double gear_value(const struct world *world, uint32_t joint, int coordinate);
float gear_rate(const struct world *world, uint32_t joint, int coordinate);

/* Called for joints of any type. gear_begin: measures a new gear or pulley. gear_engage: has a gear or pulley hold the sum that
 * it finds in the next step. gear_count: adds `by` to the numbers of gears on the gear's joints. gear_on: the first gear on the
 * joint, or NONE. gear_valid: whether the joints of a gear exist, and its bodies are those of gear_bodies. */
void gear_begin(struct world *world, uint32_t joint);
void gear_engage(struct world *world, uint32_t joint);
void gear_count(struct world *world, uint32_t joint, int by);
uint32_t gear_on(const struct world *world, uint32_t joint);
bool gear_valid(const struct world *world, uint32_t joint);
/* Whether the joint `gear` is a gear on the joint. Gears are in the list of one body of each of their joints. */
bool gear_couples(const struct world *world, uint32_t gear, uint32_t joint);
/* The first gear on a joint of the body whose bodies are no longer those of gear_bodies, or NONE. */
uint32_t gear_misplaced(const struct world *world, uint32_t body);

/* The record of a gear or pulley. */
static inline struct gear *joint_gear(const struct world *world, uint32_t joint)
{
	return (struct gear *)((char *)joint_row(world, joint) + joint_model(world, joint)->gear);
}
