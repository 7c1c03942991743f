/* materials.c - see materials.h. */
#include "base/materials.h"
#include "base/archive.h"

#include <assert.h>
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

/* --- Archives ------------------------------------------------------------------------------------------------------------- */

void material_pass(struct archive *archive, struct material *material)
{
	const float most = 4e6f, fastest = 4e9f; /* a little more than arguments may be */
	pass_range_f32(archive, &material->friction, 1, 0.0f, most);
	pass_range_f32(archive, &material->restitution, 1, 0.0f, most);
	pass_range_f32(archive, &material->rolling_resistance, 1, 0.0f, most);
	pass_range_f32(archive, &material->tangent_speed, 1, -fastest, fastest);
	pass_range_f32(archive, material->tangent_velocity, 3, -fastest, fastest);
	pass_name(archive, &material->name);
	material->friction_mixing = (uint8_t)pass_kind(archive, material->friction_mixing, MATERIAL_MIXINGS + 1);
	material->restitution_mixing = (uint8_t)pass_kind(archive, material->restitution_mixing, MATERIAL_MIXINGS + 1);
	material->has = (uint8_t)pass_kind(archive, material->has, MATERIAL_ALL + 1);
}

static bool materials_make_room(struct archive *archive, struct materials *materials, uint32_t count, uint32_t parts)
{
	if (!archive_left(archive, parts, 1) || !archive_check(archive, count <= MATERIALS_MAXIMUM, "there are too many materials"))
		return false;
	materials->of = archive_zeroed(archive, parts);
	if (count > 0)
		materials->list = archive_zeroed(archive, count * sizeof *materials->list);
	materials->count = materials->list != NULL ? count : 0;
	return archive_good(archive);
}

void materials_pass(struct archive *archive, struct materials *materials, uint32_t parts, bool holes)
{
	bool any = materials->of != NULL;
	pass_bool(archive, &any);
	if (!any)
		return;
	uint32_t count = pass_count(archive, materials->count, MATERIAL_BYTES);
	if (archive->reading && !materials_make_room(archive, materials, count, parts))
		return;
	for (uint32_t i = 0; i < count; ++i)
		material_pass(archive, &materials->list[i]);
	assert(materials->of != NULL || parts == 0);
	pass_bytes(archive, materials->of, parts);
	for (uint32_t i = 0; archive->reading && i < parts; ++i) {
		uint8_t of = materials->of[i];
		archive_check(archive, of <= count || (holes && of == MATERIALS_HOLE), "a material is out of range");
	}
}
