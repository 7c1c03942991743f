/* drive.h - the drives of joints in records: see struct drive_settings. Pure, any thread. */
#pragma once
#include "core/joint_settings.h"

/* A part of the wings' joint records. */
struct drive {
	float spring_impulse[3], motor_impulse[3]; /* on b in the last sub-step, in a's frame [mass length/s, mass length^2/s] */
	float none[2]; /* padding: lanes store four numbers at once */
	struct drive_settings settings;
};

static inline bool drive_acts(const struct drive_settings *settings)
{
	return settings->spring || settings->motor;
}
