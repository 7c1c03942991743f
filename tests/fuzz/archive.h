/* archive.h - shared by the files of the program archive: random numbers, and results as a number. */
#pragma once
#include "base/materials.h"
#include "base/scalar.h"
#include "spatial/immersion.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive;

extern struct memory memory;
extern uint64_t state; /* of the random numbers */

double number(double low, double high);
uint32_t below(uint32_t end);
float real(double low, double high);

struct digest {
	uint64_t hash;
	bool sane; /* all that must be finite was */
};

void add(struct digest *digest, const void *bytes, size_t size);
void add_numbers(struct digest *digest, int count, ...);
void add_material(struct digest *digest, const struct material *m);

struct material random_material(void);
/* Materials of up to 4096 parts, valid until the next call. */
void random_materials(struct materials *materials, uint32_t parts, bool holes);

/* What can be passed to archives, in some kinds. */
struct family {
	const char *const *names;
	int count;
	void *(*make)(int kind);
	struct digest (*probe)(void *given);
	void (*pass)(struct archive *archive, void **given);
	void (*release)(void *given);
	void (*edit)(void *given);
};

extern const struct family d2_family, d3_family;

void edit_none(void *given);
