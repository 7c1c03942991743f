/* settings.h - the settings of a world, that scripts may change. */
#pragma once
#include "base/materials.h"

enum joint_solver { JOINTS_ITERATIVE, JOINTS_DIRECT };
/* Of two rules the later one decides: see materials_mix. */
enum mixing { MIX_GEOMETRIC, MIX_AVERAGE, MIX_MINIMUM, MIX_MULTIPLY, MIX_MAXIMUM, MIXINGS };
_Static_assert((int)MIXINGS == (int)MATERIAL_MIXINGS, "see struct material");

/* Limit on the sub-steps, in the settings and in any step. */
#define MOST_SUBSTEPS 64
/* Limit on settings.max_ticks. */
#define MOST_TICKS 10000

struct settings {
	float length_scale; /* length units per metre; scales the tolerances */
	/* of contacts: frequency [1/s], limited by the sub-step rate, see contact_hertz; damping ratio [1] */
	float contact_hertz, contact_damping_ratio;
	float joint_hertz, joint_damping_ratio; /* of the locks and limits of joints [1/s], [1]: see lock_soft */
	enum joint_solver joint_solver; /* JOINTS_DIRECT: the locks of trees of joints are solved together, see joint_tree.h */
	float contact_speed; /* maximum speed at which overlap is pushed out [length/s] */
	float restitution_threshold; /* slower approaches do not bounce [length/s] */
	float hit_speed; /* faster approaches are reported as hits [length/s] */
	float maximum_speed, maximum_turn_rate; /* of a dynamic body [length/s], [rad/s] */
	enum mixing friction_mixing, restitution_mixing;
	double timestep; /* of the steps that ticks_take counts [s] */
	int max_ticks; /* that ticks_take returns at most */
	int substeps; /* of a step of up to 1/60 s: see substeps_of */
	bool sleeping_allowed;
	bool continuous;
	bool bullets_hit_bullets; /* two bullets are swept against each other, too */
};
