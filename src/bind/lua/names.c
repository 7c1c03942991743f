/* names.c - the known name that was meant by an unknown one. */
#include "bind/lua/names.h"

#include <ctype.h>
#include <string.h>

enum { NAME_LENGTH = 48 };

static int letter(const char *name, size_t i)
{
	return tolower((unsigned char)name[i]);
}

/* The edit distance: the least number of letters to insert, drop, change or swap with their neighbour to turn a into b. Ignores
 * case.
 * Source: Damerau, "A technique for computer detection and correction of spelling errors", 1964 (restricted form). */
static int name_distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
	int rows[3][NAME_LENGTH + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];
	for (size_t j = 0; j <= length_b; ++j)
		last[j] = (int)j;
	for (size_t i = 1; i <= length_a; ++i) {
		row[0] = (int)i;
		for (size_t j = 1; j <= length_b; ++j) {
			int best = last[j - 1] + (letter(a, i - 1) != letter(b, j - 1));
			best = last[j] + 1 < best ? last[j] + 1 : best;
			best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
			if (i > 1 && j > 1 && letter(a, i - 1) == letter(b, j - 2) && letter(a, i - 2) == letter(b, j - 1) &&
				before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			row[j] = best;
		}
		int *oldest = before;
		before = last;
		last = row;
		row = oldest;
	}
	return last[length_b];
}

static int common_prefix(const char *a, size_t length_a, const char *b, size_t length_b)
{
	size_t i = 0;
	while (i < length_a && i < length_b && letter(a, i) == letter(b, i))
		++i;
	return (int)i;
}

const char *name_near(const char *name, const char *const *known, uint32_t count, bool prefixes)
{
	const char *best = NULL;
	int best_score = NAME_LENGTH;
	size_t length = strlen(name) < NAME_LENGTH ? strlen(name) : NAME_LENGTH;
	for (uint32_t i = 0; i < count; ++i) {
		size_t known_length = strlen(known[i]) < NAME_LENGTH ? strlen(known[i]) : NAME_LENGTH;
		int distance = name_distance(name, length, known[i], known_length);
		int prefix = common_prefix(name, length, known[i], known_length);
		int allowed = length < 5 ? 1 : length < 9 ? 2 : (int)length / 3;
		if ((distance <= allowed && distance < (int)known_length) || (prefixes && prefix >= 2))
			if (distance - prefix < best_score) {
				best_score = distance - prefix;
				best = known[i];
			}
	}
	return best;
}

const char *name_ending(const char *name, const char *const *known, uint32_t count)
{
	size_t length = strlen(name);
	for (uint32_t i = 0; i < count && length >= 4; ++i) {
		size_t more = strlen(known[i]);
		if (more > length && name[0] == (known[i][more - length] | 32) && strcmp(name + 1, known[i] + more - length + 1) == 0)
			return known[i];
	}
	return NULL;
}

bool name_listed(const char *list, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = list; length > 0 && (at = strstr(at, name)) != NULL; at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

/* Option keys of other libraries, and ours. */
static const struct option_words {
	const char *names, *word;
} foreign_options[] = {
	{"fixedRotation motionLocks fixed", "locks"},
	{"userData user_data", "data"},
	{"category categoryBits mask maskBits filter filterData tag", "layer"},
	{"groupIndex", "group"},
	{"rotation orientation", "angle"},
	{"position pos", "x"},
	{"bodyType kind static dynamic kinematic", "type"},
	{"width height radius size fixture fixtures", "shape"},
	{"isSensor trigger", "sensor"},
	{"isBullet continuous", "bullet"},
	{"bounce bounciness elasticity", "restitution"},
	{"drag damping", "linearDamping"},
	{"enableMotor", "maxMotorTorque"},
	{"enableLimit lowerLimit minAngle", "lowerAngle"},
	{"enableSpring frequency frequencyHertz", "hertz"},
	{"meter meters pixelsPerMeter pixelsPerMetre ppm", "lengthScale"},
	{"twoSided", "oneSided"},
};

const char *name_foreign(const char *name, const char *const *known, uint32_t count)
{
	for (size_t i = 0; i < sizeof foreign_options / sizeof *foreign_options; ++i)
		for (uint32_t k = 0; name_listed(foreign_options[i].names, name) && k < count; ++k)
			if (strcmp(known[k], foreign_options[i].word) == 0)
				return known[k];
	return NULL;
}
