/* joint_settings.c - see joint_settings.h. */
#include "core/joint_settings.h"

#include <string.h>

static void *at(void *row, size_t offset)
{
	return (char *)row + offset;
}

static const void *read_at(const void *row, size_t offset)
{
	return (const char *)row + offset;
}

static void drive_load(const struct drive_place *place, const void *row, struct drive_settings *settings)
{
	if (place->settings != 0)
		*settings = *(const struct drive_settings *)read_at(row, place->settings);
}

void joint_settings_load(const struct joint_model *model, const void *row, struct joint_settings *settings)
{
	*settings = (struct joint_settings){0};
	for (int i = 0; i < COORDINATES; ++i)
		if (model->coordinates[i] != 0)
			settings->coordinates[i] = ((const struct coordinate *)read_at(row, model->coordinates[i]))->settings;
	drive_load(&model->linear, row, &settings->linear);
	drive_load(&model->angular, row, &settings->angular);
	if (model->cone != 0)
		settings->cone = *(const struct cone_settings *)read_at(row, model->cone);
	if (model->path != 0)
		settings->path = *(const struct path_settings *)read_at(row, model->path);
	if (model->ratchet != 0)
		settings->ratchet = *(const struct ratchet_settings *)read_at(row, model->ratchet);
	if (model->gear != 0)
		settings->gear = *(const struct gear_settings *)read_at(row, model->gear);
}

static void impulse_clear(void *row, size_t offset, int count)
{
	if (offset != 0)
		memset(at(row, offset), 0, (size_t)count * sizeof(float));
}

/* Whether the drive does anything. */
static bool drive_store(const struct drive_place *place, void *row, const struct drive_settings *settings)
{
	if (place->settings == 0)
		return false;
	*(struct drive_settings *)at(row, place->settings) = *settings;
	if (!settings->spring)
		impulse_clear(row, place->spring_impulse, place->axes);
	if (!settings->motor)
		impulse_clear(row, place->motor_impulse, place->axes);
	return settings->spring || settings->motor;
}

static bool cone_store(const struct joint_model *model, void *row, const struct cone_settings *settings)
{
	if (model->cone == 0)
		return false;
	*(struct cone_settings *)at(row, model->cone) = *settings;
	if (!settings->limited)
		impulse_clear(row, model->cone_impulse, 1);
	return settings->limited;
}

void joint_settings_store(const struct joint_model *model, void *row, const struct joint_settings *settings)
{
	bool linear = drive_store(&model->linear, row, &settings->linear);
	bool angular = drive_store(&model->angular, row, &settings->angular);
	bool acts = cone_store(model, row, &settings->cone) || linear || angular;
	if (model->gear != 0)
		*(struct gear_settings *)at(row, model->gear) = settings->gear;
	for (int i = 0; i < COORDINATES; ++i)
		if (model->coordinates[i] != 0) {
			coordinate_set(joint_coordinate(model, row, i), &settings->coordinates[i]);
			acts |= coordinate_acts(&settings->coordinates[i]);
		}
	if (model->path != 0)
		*joint_path(model, row) = settings->path;
	if (model->ratchet != 0)
		*(struct ratchet_settings *)at(row, model->ratchet) = settings->ratchet;
	if (model->acts != 0)
		*(uint32_t *)at(row, model->acts) = acts;
}

void joint_settings_rest(const struct joint_model *model, void *row)
{
	static const struct joint_settings off;
	struct joint_settings settings;
	joint_settings_load(model, row, &settings);
	joint_settings_store(model, row, &off);
	joint_settings_store(model, row, &settings);
	for (int i = 0; i < (int)(sizeof model->impulses / sizeof *model->impulses); ++i)
		impulse_clear(row, model->impulses[i].at, model->impulses[i].count);
}
