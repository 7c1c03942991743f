/* meeting.c - see meeting.h. */
#include "core/meeting.h"
#include "core/obstacle.h"

#include <string.h>

/* The search for the first meeting of one of the body's colliders. */
struct encounter {
	struct world *world;
	struct obstacle_search search; /* from the start of the way */
	struct vec3 way;
	uint32_t own;
	struct box_d own_box, other_box; /* AABBs, relative to the body's origin at the start */
	bool (*admits)(void *context, uint32_t own, uint32_t other);
	void *context;
	struct meeting *first;
};

static int dimensions_of(const struct encounter *encounter)
{
	return encounter->world->wing->dimensions;
}

static double axis_of(const struct vec3 *a, int k)
{
	return (&a->x)[k];
}

/* --- Boxes ---------------------------------------------------------------------------------------------------------------- */

/* The displacements at which the own box overlaps the other one: the sides of a box, along axis k. */
static double low_side(const struct encounter *encounter, int k)
{
	return encounter->other_box.lower[k] - encounter->own_box.upper[k];
}

static double high_side(const struct encounter *encounter, int k)
{
	return encounter->other_box.upper[k] - encounter->own_box.lower[k];
}

/* The side nearer to the start. */
static double near_side(const struct encounter *encounter, int k)
{
	double low = low_side(encounter, k), high = high_side(encounter, k);
	return abs_d(low) < abs_d(high) ? low : high;
}

static bool boxes_overlap(const struct encounter *encounter)
{
	for (int k = 0; k < dimensions_of(encounter); ++k)
		if (!(low_side(encounter, k) < -MEETING_DELTA && high_side(encounter, k) > MEETING_DELTA))
			return false;
	return true;
}

/* Minus the area or volume of the boxes' overlap. */
static double overlap_size(const struct encounter *encounter)
{
	double size = -1.0;
	for (int k = 0; k < dimensions_of(encounter); ++k)
		size *= min_d(encounter->own_box.upper[k] - encounter->own_box.lower[k], abs_d(near_side(encounter, k)));
	return size;
}

/* The times at which a line is inside a box, and the normal of the side through which it enters. */
struct span {
	double enter, leave;
	struct vec3 normal;
};

/* Cuts the span by the box's sides: Liang and Barsky, 1984. False: nothing is left. */
static bool boxes_cut(const struct encounter *encounter, struct span *span)
{
	for (int k = 0; k < dimensions_of(encounter); ++k) {
		double low = low_side(encounter, k), high = high_side(encounter, k), step = axis_of(&encounter->way, k);
		if (step == 0.0) {
			if (low >= 0.0 || high <= 0.0)
				return false;
			continue;
		}
		double enter = (step > 0.0 ? low : high) / step, leave = (step > 0.0 ? high : low) / step;
		if (enter > span->leave || leave < span->enter)
			return false;
		if (enter > span->enter) {
			span->enter = enter;
			span->normal = (struct vec3){0.0, 0.0, 0.0};
			(&span->normal.x)[k] = step > 0.0 ? -1.0 : 1.0;
		}
		span->leave = min_d(span->leave, leave);
	}
	return true;
}

/* The least displacement along an axis that separates two boxes; of equal ones that along the last axis. */
static void boxes_part(const struct encounter *encounter, struct meeting *meeting)
{
	int axis = 0;
	for (int k = 1; k < dimensions_of(encounter); ++k)
		if (abs_d(near_side(encounter, k)) <= abs_d(near_side(encounter, axis)))
			axis = k;
	double side = near_side(encounter, axis);
	(&meeting->touch.x)[axis] += side;
	(&meeting->normal.x)[axis] = side < 0.0 ? -1.0 : 1.0;
}

static bool boxes_meet(const struct encounter *encounter, struct meeting *meeting)
{
	struct span span = {-INFINITY, INFINITY, {0.0, 0.0, 0.0}};
	struct vec3 way = encounter->way;
	if (boxes_overlap(encounter)) {
		meeting->overlaps = true;
		meeting->fraction = overlap_size(encounter);
		if (vec3_dot(way, way) == 0.0) {
			boxes_part(encounter, meeting);
			return true;
		}
		span.leave = 1.0;
		if (!boxes_cut(encounter, &span))
			return false;
	} else {
		if (!boxes_cut(encounter, &span) || !(span.enter < 1.0) || span.leave - span.enter < MEETING_DELTA ||
			!(span.enter > -MEETING_DELTA))
			return false;
		meeting->fraction = span.enter;
	}
	meeting->normal = span.normal;
	meeting->touch = vec3_mul_add(meeting->touch, span.enter, way);
	return true;
}

/* --- Other shapes --------------------------------------------------------------------------------------------------------- */

/* Tolerances of distances, relative to the size of the own AABB. */
static const double touch_tolerance = 1e-9;

static double size_of(const struct encounter *encounter)
{
	double size = 0.0;
	for (int k = 0; k < dimensions_of(encounter); ++k)
		size += encounter->own_box.upper[k] - encounter->own_box.lower[k];
	return size;
}

/* Goes back along the way until the shape leaves the obstacle that it overlaps. False: it never does. */
static bool shape_goes_back(struct encounter *encounter, struct obstacle *obstacle, struct meeting *meeting)
{
	double length = vec3_length(encounter->way), far = size_of(encounter), tolerance = touch_tolerance * far;
	for (int k = 0; k < dimensions_of(encounter); ++k)
		far += encounter->other_box.upper[k] - encounter->other_box.lower[k];
	struct vec3 start = vec3_scale(-far / length, encounter->way), none = {0.0, 0.0, 0.0};
	double part = obstacle_way(&encounter->search, obstacle, start, none, 0.0, tolerance);
	if (!(part < 1.0))
		return false;
	meeting->touch = vec3_mul_add(meeting->touch, (part - 1.0) * far / length, encounter->way);
	meeting->normal = obstacle->normal;
	return true;
}

static bool shapes_meet(struct encounter *encounter, struct obstacle *obstacle, struct meeting *meeting)
{
	static const struct vec3 start = {0.0, 0.0, 0.0};
	struct vec3 way = encounter->way;
	bool still = vec3_dot(way, way) == 0.0;
	double tolerance = touch_tolerance * size_of(encounter);
	if (obstacle_bound(obstacle, start) < -tolerance && obstacle_measure(&encounter->search, obstacle, start) < -tolerance) {
		meeting->overlaps = true;
		meeting->fraction = overlap_size(encounter);
		if (!still)
			return shape_goes_back(encounter, obstacle, meeting);
		meeting->normal = obstacle->normal;
		meeting->touch = vec3_mul_add(meeting->touch, -obstacle->distance, obstacle->normal);
		return true;
	}
	if (still)
		return false;
	meeting->fraction = obstacle_way(&encounter->search, obstacle, start, way, 0.0, tolerance);
	if (!(meeting->fraction < 1.0))
		return false;
	meeting->normal = obstacle->normal;
	meeting->touch = vec3_mul_add(meeting->touch, meeting->fraction, way);
	return true;
}

/* --- The first one -------------------------------------------------------------------------------------------------------- */

static bool meeting_before(const struct meeting *a, const struct meeting *b)
{
	if (a->fraction != b->fraction)
		return a->fraction < b->fraction;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->other < b->other;
}

static void box_shift(struct box_d *box, struct vec3 by, int dimensions)
{
	for (int k = 0; k < dimensions; ++k) {
		box->lower[k] -= axis_of(&by, k);
		box->upper[k] -= axis_of(&by, k);
	}
}

/* Square of the distance of the boxes' middles. */
static double middles_square(const struct encounter *encounter)
{
	double square = 0.0;
	for (int k = 0; k < dimensions_of(encounter); ++k) {
		double delta = 0.5 *
			(encounter->other_box.lower[k] + encounter->other_box.upper[k] - encounter->own_box.lower[k] -
				encounter->own_box.upper[k]);
		square += delta * delta;
	}
	return square;
}

static void obstacle_meet(struct encounter *encounter, struct obstacle *obstacle)
{
	struct world *world = encounter->world;
	const struct obstacle_wing *wing = world->wing->obstacles;
	const struct collider *own = &world->colliders.data[encounter->own], *other = &world->colliders.data[obstacle->collider];
	union wing_pose pose;
	struct frame3 frame = world->wing->body_frame(world, other->body);
	wing->pose(world, other->body, frame.origin, &pose);
	wing->bounds(other->shape, &pose, &encounter->other_box);
	box_shift(&encounter->other_box, encounter->search.origin, world->wing->dimensions);
	struct meeting meeting = {.own = encounter->own,
		.other = obstacle->collider,
		.distance = middles_square(encounter),
		.touch = encounter->search.origin};
	bool boxes = wing->is_box(own->shape, &encounter->search.pose) && wing->is_box(other->shape, &pose);
	bool met = boxes ? boxes_meet(encounter, &meeting) : shapes_meet(encounter, obstacle, &meeting);
	if (met && (encounter->first->other == NONE || meeting_before(&meeting, encounter->first)))
		*encounter->first = meeting;
}

static bool encounter_admits(void *context, uint32_t other)
{
	struct encounter *encounter = context;
	return encounter->admits(encounter->context, encounter->own, other);
}

/* Finds what one collider of the body meets. */
static bool collider_meet(struct encounter *encounter, uint32_t body, struct vec3 from)
{
	struct world *world = encounter->world;
	struct obstacle_search *search = &encounter->search;
	*search = (struct obstacle_search){.world = world,
		.collider = NONE,
		.shape = world->colliders.data[encounter->own].shape,
		.admits = encounter_admits,
		.context = encounter};
	world->wing->obstacles->pose(world, body, from, &search->pose);
	obstacles_begin(search);
	encounter->own_box = search->box;
	search->margin = touch_tolerance * size_of(encounter);
	for (int k = 0; k < world->wing->dimensions; ++k) {
		search->room.lower[k] = min_d(0.0, axis_of(&encounter->way, k));
		search->room.upper[k] = max_d(0.0, axis_of(&encounter->way, k));
	}
	if (!obstacles_find(search))
		return false;
	for (uint32_t i = 0; i < world->controllers.obstacles.count; ++i)
		obstacle_meet(encounter, &world->controllers.obstacles.data[i]);
	return true;
}

bool meeting_find(struct world *world, uint32_t body, struct vec3 from, struct vec3 to,
	bool (*admits)(void *context, uint32_t own, uint32_t other), void *context, struct meeting *first)
{
	struct encounter encounter = {
		.world = world, .way = vec3_sub(to, from), .admits = admits, .context = context, .first = first};
	*first = (struct meeting){.other = NONE};
	for (uint32_t c = world->bodies.data[body].colliders; c != NONE; c = world->colliders.data[c].next) {
		encounter.own = c;
		if (!world->colliders.data[c].sensor && !collider_meet(&encounter, body, from))
			return false;
	}
	return true;
}
