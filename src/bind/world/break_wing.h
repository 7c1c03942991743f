/* break_wing.h - the table d2_breaking or d3_breaking. The including file defines plane_of, part_count, part_at and push_hull,
 * see there. */
#pragma once
#include "bind/world/break.h"

static struct WING(pose) in_place(void)
{
	return (struct WING(pose)){.q = identity};
}

static void local_point(const struct world *world, uint32_t body, double *point)
{
	struct WING(pose) pose = WING(body_pose)(world, body);
	for (int i = 0; i < AXES; ++i)
		point[i] -= (&pose.x)[i];
	local_vector(pose.q, point);
}

static const struct material *part_material(const void *shape, uint32_t i)
{
	return WING(shape_material)(shape, i);
}

static const char *type_name(const void *shape)
{
	return WING(shape_type_name)(shape);
}

static double volume(const void *shape)
{
	struct WING(mass) mass;
	WING(shape_mass)(shape, 1, &mass);
	return mass.mass;
}

static bool touch(const void *a, const void *b, double distance)
{
	struct WING(pose) pose = in_place();
	struct WING(distance) found;
	struct WING(vec_d) between = WING(sub_d)(ball_center(a), ball_center(b));
	double most = ball_radius(a) + ball_radius(b) + distance;
	if (WING(dot_d)(between, between) > most * most)
		return false;
	WING(distance)(a, &pose, b, &pose, &found);
	return found.distance <= distance;
}

static enum cut_result cut(const void *from, const double plane[4], void *to)
{
	struct WING(vec_d) normal;
	for (int i = 0; i < AXES; ++i)
		(&normal.x)[i] = plane[i];
	return (enum cut_result)WING(cut_by)(from, normal, plane[3], to);
}

static void retain(const void *shape)
{
	WING(shape_retain)((struct WING(shape) *)(uintptr_t)shape);
}

static void release(const void *shape)
{
	WING(shape_release)((struct WING(shape) *)(uintptr_t)shape);
}

static const void *make_shape(lua_State *L, struct memory *memory, const void *polytope, const char *function)
{
	struct WING(shape) *shape = NULL;
	switch (polytope_shape(memory, polytope, &shape)) {
	case CONSTANT(HULL_OK): return shape;
	case CONSTANT(HULL_OUT_OF_MEMORY): raise_memory(L, function);
	case CONSTANT(HULL_TOO_FEW):
	case CONSTANT(HULL_DEGENERATE): return NULL;
	default: raise_error(L, "%s: a piece would have more than %d corners", function, CONSTANT(HULL_MAX));
	}
}

static double reach(const void *polytope, const double *point)
{
	const struct WING(cut) *cut = polytope;
	struct WING(vec_d) at;
	double most = 0;
	for (int i = 0; i < AXES; ++i)
		(&at.x)[i] = point[i];
	for (uint32_t i = 0; i < corner_count(cut); ++i) {
		struct WING(vec_d) between = WING(sub_d)(corners(cut)[i], at);
		most = max_d(most, WING(dot_d)(between, between));
	}
	return sqrt(most);
}

static uint32_t twin(struct world *world, uint32_t body)
{
	struct WING(pose) pose = WING(body_pose)(world, body);
	return WING(body_create)(world, world->bodies.data[body].type, &pose);
}

static void inherit(struct world *world, uint32_t piece, uint32_t body)
{
	const struct WING(body) *row = WING(row)(world, piece);
	struct WING(vec_d) center;
	for (int i = 0; i < AXES; ++i)
		(&center.x)[i] = (&row->x)[i];
	TURN w;
	(void)WING(body_velocity)(world, body, &w);
	struct WING(vec) v = WING(body_velocity_at)(world, body, center);
	if (WING(row)(world, body)->locks)
		WING(body_set_locks)(world, piece, WING(row)(world, body)->locks);
	WING(body_set_velocity)(world, piece, v, w);
}

const struct breaking WING(breaking) = {
	.polytope_size = sizeof(struct WING(cut)),
	.most_corners = CONSTANT(HULL_MAX),
	.plane_names = plane_names,
	.plane_numbers = LENGTH(plane_names),
	.plane = plane_of,
	.local_point = local_point,
	.part_count = part_count,
	.part = part_at,
	.part_material = part_material,
	.solid = solid,
	.type_name = type_name,
	.volume = volume,
	.touch = touch,
	.start = start,
	.cut = cut,
	.reach = reach,
	.make_shape = make_shape,
	.retain = retain,
	.release = release,
	.twin = twin,
	.inherit = inherit,
};
