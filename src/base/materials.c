/* materials.c - see materials.h. */
#include "base/materials.h"

#include <string.h>

bool materials_copy(struct memory *memory, struct materials *out, const struct materials *given, size_t parts)
{
	*out = (struct materials){0};
	if (given->of == NULL)
		return true;
	*out = *given;
	out->list = given->count ? memory_resize(memory, NULL, 0, given->count * sizeof *out->list) : NULL;
	out->of = memory_resize(memory, NULL, 0, parts);
	if (out->of == NULL || (given->count && out->list == NULL)) {
		materials_free(memory, out, parts);
		return false;
	}
	if (given->count)
		memcpy(out->list, given->list, given->count * sizeof *out->list);
	memcpy(out->of, given->of, parts);
	return true;
}

size_t materials_bytes(const struct materials *materials, size_t parts)
{
	return materials->of != NULL ? materials->count * sizeof *materials->list + parts : 0;
}

void materials_free(struct memory *memory, struct materials *materials, size_t parts)
{
	memory_free(memory, materials->list, materials->count * sizeof *materials->list);
	memory_free(memory, materials->of, parts);
	*materials = (struct materials){0};
}

void materials_override(struct material *material, const struct material *by)
{
	material->has |= by->has;
	if (by->has & MATERIAL_FRICTION)
		material->friction = by->friction;
	if (by->has & MATERIAL_RESTITUTION)
		material->restitution = by->restitution;
	if (by->has & MATERIAL_ROLLING_RESISTANCE)
		material->rolling_resistance = by->rolling_resistance;
	if (by->has & MATERIAL_TANGENT) {
		material->tangent_speed = by->tangent_speed;
		memcpy(material->tangent_velocity, by->tangent_velocity, sizeof material->tangent_velocity);
	}
	if (by->has & MATERIAL_NAME)
		material->name = by->name;
	if (by->has & MATERIAL_FRICTION_MIXING)
		material->friction_mixing = by->friction_mixing;
	if (by->has & MATERIAL_RESTITUTION_MIXING)
		material->restitution_mixing = by->restitution_mixing;
}
