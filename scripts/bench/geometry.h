/* geometry.h - what bench-geometry asks of each library: the same methods for the same shapes in the same places. */
#pragma once
#include <stdbool.h>

enum { OUTLINE_POINTS = 32 };

enum outline_type { OUTLINE_BALL, OUTLINE_CAPSULE, OUTLINE_SEGMENT, OUTLINE_BOX, OUTLINE_HULL };

/* A circle or sphere, capsule or segment (along x), box, or the hull of its points. In the plane z is not used. */
struct outline {
	const char *name;
	enum outline_type type;
	float half[3]; /* half sizes; of a capsule or segment that of its axis comes first [length] */
	float radius;
	int count;
	float points[OUTLINE_POINTS][3];
};

struct place {
	double p[3];
	float q[4]; /* in the plane cosine and sine, in space a quaternion x, y, z, w */
};

struct situation {
	struct place a, b; /* at the start */
	struct place to_a, to_b; /* at the end, for METHOD_IMPACT */
	double delta[3]; /* of A, for METHOD_CAST; of a ray that starts at B, for METHOD_RAY */
};

enum method {
	METHOD_DISTANCE,
	METHOD_OVERLAP,
	METHOD_MANIFOLD,
	METHOD_CONTACT, /* the manifold of a world's step, with what is near but apart */
	METHOD_CONTACT_WARM, /* once more in the same place */
	METHOD_CAST,
	METHOD_IMPACT,
	METHOD_RAY, /* against A alone */
	METHODS
};

/* In the world: who is asked in the world's coordinates answers in them. */
struct answer {
	double value; /* distance, depth, fraction; whether they overlap */
	double sum; /* of all coordinates of normal and points, so that they cannot be left out */
	int iterations; /* 0 where the library does not tell */
};

struct library {
	const char *name;
	/* Lives until the process ends. */
	const void *(*shape)(const struct outline *outline);
	/* Notes them down in the library's own terms. */
	void (*prepare)(const struct situation *situations, int count);
	/* One call for each of the first `count` situations. False: the library has no such method for these shapes. */
	bool (*run)(enum method method, const void *a, const void *b, int count, struct answer *answers);
};

enum { SITUATIONS_MAX = 20000 };

extern const struct library library_d2, library_d3, library_box2d, library_box3d;
