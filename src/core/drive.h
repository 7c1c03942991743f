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

/* Offsets in a record of the type [bytes]: of its coordinate i, of its drive i, and of the parts of that drive, of `axes` axes.
 */
#define COORDINATE_AT(type, i) (offsetof(type, coordinates) + (size_t)(i) * sizeof(struct coordinate))
#define DRIVE_AT(type, i) (offsetof(type, drives) + (size_t)(i) * sizeof(struct drive))
#define DRIVE_PLACE(type, i, axes)                                                                                        \
	{                                                                                                                     \
		DRIVE_AT(type, i) + offsetof(struct drive, settings), DRIVE_AT(type, i) + offsetof(struct drive, spring_impulse), \
			DRIVE_AT(type, i) + offsetof(struct drive, motor_impulse), axes                                               \
	}
