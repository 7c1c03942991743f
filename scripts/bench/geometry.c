/* geometry.c - what a call of a collision system costs from C, in ns, for each method and pair of shapes, beside Box2D's and
 * Box3D's own functions for the same shapes in the same places, where they were built in.
 *   make bench-geometry [BOX2D=folder] [BOX3D=folder] [ARGS='word ...']
 * where the peers' folders hold include and build; words choose the rows whose text has them all. Both libraries take turns,
 * round by round, so that they see the same machine; the median of the rounds counts. */
#include "geometry.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, DIMENSIONS = 2, HALVINGS = 26 };
static const double round_seconds = 0.0005;

/* --- Shapes --------------------------------------------------------------------------------------------------------------- */

static struct outline shapes[DIMENSIONS][8] = {
	{
		{.name = "circle", .type = OUTLINE_BALL, .half = {0.5f, 0.5f}, .radius = 0.5f},
		{.name = "capsule", .type = OUTLINE_CAPSULE, .half = {0.5f}, .radius = 0.25f},
		{.name = "segment", .type = OUTLINE_SEGMENT, .half = {1}},
		{.name = "box", .type = OUTLINE_BOX, .half = {0.5f, 0.3f}},
		{.name = "polygon 8", .type = OUTLINE_HULL, .count = 8},
	},
	{
		{.name = "sphere", .type = OUTLINE_BALL, .half = {0.5f, 0.5f, 0.5f}, .radius = 0.5f},
		{.name = "capsule", .type = OUTLINE_CAPSULE, .half = {0.5f}, .radius = 0.25f},
		{.name = "box", .type = OUTLINE_BOX, .half = {0.5f, 0.3f, 0.4f}},
		{.name = "hull 12", .type = OUTLINE_HULL, .count = 12},
		{.name = "hull 32", .type = OUTLINE_HULL, .count = 32},
	},
};

/* The order in which the peers' functions want them. */
static const char *const pairs[DIMENSIONS][16][2] = {
	{
		{"circle", "circle"},
		{"capsule", "circle"},
		{"box", "circle"},
		{"polygon 8", "circle"},
		{"capsule", "capsule"},
		{"box", "capsule"},
		{"polygon 8", "capsule"},
		{"segment", "polygon 8"},
		{"box", "box"},
		{"polygon 8", "polygon 8"},
	},
	{
		{"sphere", "sphere"},
		{"capsule", "sphere"},
		{"box", "sphere"},
		{"hull 32", "sphere"},
		{"capsule", "capsule"},
		{"box", "capsule"},
		{"hull 32", "capsule"},
		{"box", "box"},
		{"hull 12", "hull 12"},
		{"hull 32", "hull 32"},
	},
};

static const char *const method_names[METHODS] = {
	"distance", "overlap", "manifold", "contact", "contact, warm", "cast", "impact", "ray"};

static double number(double low, double high)
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

/* A direction, every one as likely. */
static void random_direction(int dimension, double v[3])
{
	double square;
	do {
		square = 0;
		for (int i = 0; i < 3; ++i) {
			v[i] = i < dimension ? number(-1, 1) : 0;
			square += v[i] * v[i];
		}
	} while (square > 1 || square < 0.01);
	for (int i = 0; i < 3; ++i)
		v[i] /= sqrt(square);
}

/* Points on an ellipse or ellipsoid, so that all are corners. */
static void make_points(int dimension, struct outline *outline)
{
	static const float axes[3] = {0.6f, 0.45f, 0.5f};
	for (int i = 0; i < outline->count; ++i) {
		double v[3], turn = 2 * 3.14159265358979 * (i + number(0, 0.6)) / outline->count;
		random_direction(3, v);
		if (dimension == 2) {
			v[0] = cos(turn);
			v[1] = sin(turn);
		}
		for (int k = 0; k < 3; ++k)
			outline->points[i][k] = axes[k] * (float)v[k];
	}
	memcpy(outline->half, axes, sizeof axes);
}

/* --- Situations ----------------------------------------------------------------------------------------------------------- */

/* Turned by an angle from a rotation; by any angle from none. */
static void turn(int dimension, const float from[4], double angle, float to[4])
{
	double axis[3], c = cos(angle), s = sin(angle);
	if (dimension == 2) {
		to[0] = (float)(c * from[0] - s * from[1]);
		to[1] = (float)(s * from[0] + c * from[1]);
		return;
	}
	random_direction(3, axis);
	double x = sin(angle / 2) * axis[0], y = sin(angle / 2) * axis[1], z = sin(angle / 2) * axis[2], w = cos(angle / 2);
	to[0] = (float)(w * from[0] + x * from[3] + y * from[2] - z * from[1]);
	to[1] = (float)(w * from[1] + y * from[3] + z * from[0] - x * from[2]);
	to[2] = (float)(w * from[2] + z * from[3] + x * from[1] - y * from[0]);
	to[3] = (float)(w * from[3] - x * from[0] - y * from[1] - z * from[2]);
}

static void random_turn(int dimension, float q[4])
{
	static const float none[DIMENSIONS][4] = {{1, 0}, {0, 0, 0, 1}};
	turn(dimension, none[dimension - 2], number(-3.14159, 3.14159), q);
}

static void place_along(struct situation *s, const double direction[3], double far)
{
	for (int i = 0; i < 3; ++i)
		s->b.p[i] = s->a.p[i] + far * direction[i];
}

enum set { APART, OVERLAPPING, SETS };

/* B stands in a random direction, as far as leaves the gap, found by bisection: apart by 1 to 20 % or, every other one, by 1 to
 * 5 of the size; overlapping by up to 2 % or up to 60 % of the way from touching to concentric. */
static void make_situation(const struct library *library, int dimension, const struct outline *outlines[2],
	const void *const made[2], enum set set, bool extreme, struct situation *s)
{
	double direction[3], aim[3], size = outlines[0]->half[0] + outlines[0]->radius + outlines[1]->half[0] + outlines[1]->radius;
	*s = (struct situation){0};
	for (int i = 0; i < dimension; ++i)
		s->a.p[i] = number(-10, 10);
	random_turn(dimension, s->a.q);
	random_turn(dimension, s->b.q);
	random_direction(dimension, direction);
	double gap = set == OVERLAPPING ? -number(0.001, 0.02) : extreme ? number(1, 5) : number(0.01, 0.2);
	double low = 0;
	double high = 8 * size;
	for (int i = 0; i < HALVINGS; ++i) {
		struct answer answer;
		place_along(s, direction, 0.5 * (low + high));
		library->prepare(s, 1);
		library->run(METHOD_DISTANCE, made[0], made[1], 1, &answer);
		*(answer.value < gap * size ? &low : &high) = 0.5 * (low + high);
	}
	place_along(s, direction, set == OVERLAPPING && extreme ? low * number(0.4, 0.98) : low);
	/* Towards B, aside by up to its size: about half of the casts hit. */
	random_direction(dimension, aim);
	double far = sqrt(pow(s->b.p[0] - s->a.p[0], 2) + pow(s->b.p[1] - s->a.p[1], 2) + pow(s->b.p[2] - s->a.p[2], 2));
	for (int i = 0; i < dimension; ++i)
		s->delta[i] = 1.2 * far * direction[i] + number(0, 1.2) * size * aim[i];
	for (int i = 0; i < 3; ++i) {
		s->to_a.p[i] = s->a.p[i] + 0.5 * s->delta[i];
		s->to_b.p[i] = s->b.p[i] - 0.5 * s->delta[i];
	}
	turn(dimension, s->a.q, number(-0.5, 0.5), s->to_a.q);
	turn(dimension, s->b.q, number(-0.5, 0.5), s->to_b.q);
}

/* --- Times ---------------------------------------------------------------------------------------------------------------- */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct contender {
	const struct library *library;
	const void *a, *b;
	int repeats;
	double times[ROUNDS];
	struct answer answers[SITUATIONS_MAX];
};

static double run_seconds(struct contender *c, enum method method)
{
	double start = now();
	for (int i = 0; i < c->repeats; ++i)
		c->library->run(method, c->a, c->b, SITUATIONS_MAX, c->answers);
	return now() - start;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(struct contender *c)
{
	qsort(c->times, ROUNDS, sizeof *c->times, compare);
	return c->times[ROUNDS / 2] / c->repeats / SITUATIONS_MAX * 1e9;
}

/* Whether there is anything to time. */
static bool warm_up(struct contender *c, enum method method, const struct situation *situations)
{
	if (c->library == NULL)
		return false;
	c->library->prepare(situations, SITUATIONS_MAX);
	if (!c->library->run(method, c->a, c->b, SITUATIONS_MAX, c->answers))
		return false;
	for (c->repeats = 1; run_seconds(c, method) < round_seconds; c->repeats *= 2)
		;
	return true;
}

static void print_count(const struct contender *c, bool there)
{
	double sum = 0;
	for (int i = 0; i < SITUATIONS_MAX; ++i)
		sum += c->answers[i].iterations;
	if (there && sum > 0)
		printf(" %6.1f", sum / SITUATIONS_MAX);
	else
		printf(" %6s", "");
}

/* The part of the situations in which both say the same, to 0.02: theirs are floats, and casts stop 0.005 away or inside, which
 * is farther along the way where it grazes. */
static double agreement(const struct contender *a, const struct contender *b)
{
	int same = 0;
	for (int i = 0; i < SITUATIONS_MAX; ++i)
		same += fabs(a->answers[i].value - b->answers[i].value) <= 0.02;
	return 100.0 * same / SITUATIONS_MAX;
}

static void time_row(
	struct contender *ours, struct contender *theirs, const char *row, enum method method, const struct situation *situations)
{
	warm_up(ours, method, situations);
	bool beside = warm_up(theirs, method, situations);
	for (int i = 0; i < ROUNDS; ++i) {
		ours->times[i] = run_seconds(ours, method);
		if (beside)
			theirs->times[i] = run_seconds(theirs, method);
	}
	double own = median(ours);
	printf("%-50s %8.1f", row, own);
	print_count(ours, true);
	if (beside) {
		double other = median(theirs);
		printf(" %8.1f", other);
		print_count(theirs, true);
		printf(" %7.2f %6.1f", own / other, agreement(ours, theirs));
	}
	printf("\n");
	fflush(stdout);
}

static bool wanted(const char *row, int count, char **words)
{
	for (int i = 0; i < count; ++i)
		if (strstr(row, words[i]) == NULL)
			return false;
	return true;
}

static const struct outline *find_shape(int dimension, const char *name)
{
	const struct outline *outline = shapes[dimension - 2];
	while (strcmp(outline->name, name) != 0)
		++outline;
	return outline;
}

static void time_pair(int dimension, const struct library *ours, const struct library *theirs, const char *const names[2],
	enum method first, enum method last, int word_count, char **words)
{
	static const char *const set_names[SETS] = {"apart", "overlapping"};
	static struct situation situations[SITUATIONS_MAX];
	const struct outline *outlines[2] = {find_shape(dimension, names[0]), find_shape(dimension, names[1])};
	struct contender own = {.library = ours, .a = ours->shape(outlines[0]), .b = ours->shape(outlines[1])};
	struct contender other = {.library = theirs};
	if (theirs) {
		other.a = theirs->shape(outlines[0]);
		other.b = theirs->shape(outlines[1]);
	}
	for (enum set set = APART; set < SETS; ++set) {
		bool made = false;
		for (enum method method = first; method <= last; ++method) {
			char row[120];
			if (set == OVERLAPPING && method >= METHOD_CAST)
				continue; /* theirs call it a miss */
			snprintf(row, sizeof row, "%s  %-9s %-9s %-14s %s", ours->name, names[0], method == METHOD_RAY ? "" : names[1],
				method_names[method], set_names[set]);
			if (!wanted(row, word_count, words))
				continue;
			for (int i = 0; !made && i < SITUATIONS_MAX; ++i)
				make_situation(
					ours, dimension, outlines, (const void *[]){own.a, own.b}, set, number(0, 1) < 0.5, &situations[i]);
			made = true;
			time_row(&own, &other, row, method, situations);
		}
	}
}

static void time_dimension(
	int dimension, const struct library *ours, const struct library *theirs, int word_count, char **words)
{
	struct outline *outlines = shapes[dimension - 2];
	for (int i = 0; outlines[i].name; ++i)
		if (outlines[i].type == OUTLINE_HULL)
			make_points(dimension, &outlines[i]);
	for (int i = 0; pairs[dimension - 2][i][0]; ++i)
		time_pair(dimension, ours, theirs, pairs[dimension - 2][i], METHOD_DISTANCE, METHOD_IMPACT, word_count, words);
	for (int i = 0; outlines[i].name; ++i)
		time_pair(dimension, ours, theirs, (const char *[]){outlines[i].name, outlines[i].name}, METHOD_RAY, METHOD_RAY,
			word_count, words);
}

int main(int argc, char **argv)
{
	const struct library *peers[DIMENSIONS] = {NULL, NULL};
#ifdef BOX2D
	peers[0] = &library_box2d;
#endif
#ifdef BOX3D
	peers[1] = &library_box3d;
#endif
	printf("%-50s %8s %6s %8s %6s %7s %6s\n", "ns a call, mean iterations", "ours", "", "theirs", "", "ratio", "same %");
	time_dimension(2, &library_d2, peers[0], argc - 1, argv + 1);
	time_dimension(3, &library_d3, peers[1], argc - 1, argv + 1);
	return 0;
}
