/* gear.c - see gear.h. */
#include "core/gear.h"
#include "core/link.h"
#include "core/touched.h"

int gear_coordinate(enum joint_type type)
{
	switch (type) {
	case JOINT_REVOLUTE:
	case JOINT_PRISMATIC: return 0;
	case JOINT_WHEEL:
	case JOINT_CYLINDRICAL: return 1;
	default: return -1;
	}
}

static enum joint_type type_of(const struct world *world, uint32_t joint)
{
	return (enum joint_type)world->joints.data[joint].link.solver;
}

static bool is_gear(const struct world *world, uint32_t joint)
{
	return type_of(world, joint) == JOINT_GEAR;
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

/* How well a body serves as one of the gear's: only dynamic ones are in islands, and a mount belongs to its joint. */
static int worth(const struct world *world, uint32_t body)
{
	const struct body *at = &world->bodies.data[body];
	return at->mount ? 0 : at->type == BODY_STATIC ? 1 : at->type == BODY_KINEMATIC ? 2 : 4;
}

/* Tries the joints' bodies B first; a mount, which must not be the second body, only as the first. */
void gear_bodies(const struct world *world, const uint32_t joints[2], uint32_t bodies[2])
{
	int best = -1;
	for (int i = 0; i < 4; ++i) {
		uint32_t a = joint_bodies(world, joints[0])[~i & 1], b = joint_bodies(world, joints[1])[~i >> 1 & 1];
		int worths = worth(world, a) + worth(world, b);
		if (a == b || world->bodies.data[b].mount || worths <= best)
			continue;
		best = worths;
		bodies[0] = a;
		bodies[1] = b;
	}
}

bool gear_valid(const struct world *world, uint32_t id)
{
	uint32_t bodies[2];
	if (!is_gear(world, id))
		return true;
	const uint32_t *joints = joint_gear(world, id)->settings.joints;
	for (int side = 0; side < 2; ++side)
		if (!world->joints.data[joints[side]].link.valid || world->joints.data[joints[side]].gears == 0)
			return false;
	gear_bodies(world, joints, bodies);
	return bodies[0] == joint_bodies(world, id)[0] && bodies[1] == joint_bodies(world, id)[1];
}

bool gear_acts(const struct world *world, uint32_t id)
{
	const struct joint *joint = &world->joints.data[id];
	if (!joint->enabled || world->bodies.data[joint->link.bodies[0]].set == SET_DISABLED ||
		world->bodies.data[joint->link.bodies[1]].set == SET_DISABLED)
		return false;
	return !is_gear(world, id) ||
		(gear_acts(world, joint_gear(world, id)->settings.joints[0]) &&
			gear_acts(world, joint_gear(world, id)->settings.joints[1]));
}

/* --- Values --------------------------------------------------------------------------------------------------------------- */

static double value_of(const struct world *world, uint32_t joint, int coordinate)
{
	return joint_model(world, joint)->value(world, joint, coordinate);
}

static double side_value(const struct world *world, uint32_t id, int side)
{
	const struct gear *gear = joint_gear(world, id);
	uint32_t joint = gear->settings.joints[side];
	enum joint_type type = type_of(world, joint);
	double value = value_of(world, joint, gear_coordinate(type));
	return type == JOINT_PRISMATIC ? value : angle_near(value, gear->values[side]);
}

double gear_value(const struct world *world, uint32_t id, int coordinate)
{
	if (coordinate > 0)
		return side_value(world, id, coordinate - 1);
	return side_value(world, id, 0) + joint_gear(world, id)->settings.ratio * side_value(world, id, 1);
}

float gear_rate(const struct world *world, uint32_t id, int coordinate)
{
	const struct gear_settings *gear = &joint_gear(world, id)->settings;
	float rates[2];
	for (int side = 0; side < 2; ++side) {
		uint32_t joint = gear->joints[side];
		rates[side] = joint_model(world, joint)->rate(world, joint, gear_coordinate(type_of(world, joint)));
	}
	return coordinate > 0 ? rates[coordinate - 1] : rates[0] + (float)gear->ratio * rates[1];
}

void gear_begin(struct world *world, uint32_t id)
{
	if (joint_model(world, id)->gear == 0)
		return;
	struct gear *gear = joint_gear(world, id);
	for (int side = 0; side < 2; ++side) {
		const uint32_t joint = gear->settings.joints[side];
		gear->values[side] =
			is_gear(world, id) ? value_of(world, joint, gear_coordinate(type_of(world, joint))) : value_of(world, id, 1 + side);
	}
	gear->rest = gear->values[0] + gear->settings.ratio * gear->values[1];
	gear->engaged = true;
}

void gear_engage(struct world *world, uint32_t id)
{
	if (joint_model(world, id)->gear == 0)
		return;
	record_touch(world, TOUCHED_JOINTS, id);
	joint_gear(world, id)->engaged = false;
}

/* --- Gears of joints ------------------------------------------------------------------------------------------------------ */

void gear_count(struct world *world, uint32_t id, int by)
{
	for (int side = 0; side < 2 && is_gear(world, id); ++side) {
		uint32_t joint = joint_gear(world, id)->settings.joints[side];
		record_touch(world, TOUCHED_JOINTS, joint);
		world->joints.data[joint].gears += (uint32_t)by;
	}
}

bool gear_couples(const struct world *world, uint32_t gear, uint32_t joint)
{
	if (!is_gear(world, gear))
		return false;
	const uint32_t *joints = joint_gear(world, gear)->settings.joints;
	return joints[0] == joint || joints[1] == joint;
}

/* The first gear on the joint, if `misplaced` the first whose bodies are no longer those of gear_bodies, or NONE. */
static uint32_t gear_find(const struct world *world, uint32_t joint, bool misplaced)
{
	for (int side = 0; side < 2 && world->joints.data[joint].gears > 0; ++side) {
		uint32_t key = world->bodies.data[joint_bodies(world, joint)[side]].links[LINK_JOINT];
		for (; key != NONE; key = link_next(world, LINK_JOINT, key))
			if (gear_couples(world, key / 2, joint) && !(misplaced && gear_valid(world, key / 2)))
				return key / 2;
	}
	return NONE;
}

uint32_t gear_on(const struct world *world, uint32_t joint)
{
	return gear_find(world, joint, false);
}

uint32_t gear_misplaced(const struct world *world, uint32_t body)
{
	uint32_t gear = NONE;
	for (uint32_t key = world->bodies.data[body].links[LINK_JOINT]; key != NONE && gear == NONE;
		 key = link_next(world, LINK_JOINT, key))
		gear = gear_find(world, key / 2, true);
	return gear;
}
