/* d2_break.c - the 2D part of slice and shatter: see break.h. */
#define AXES 2
#include "bind/geometry/wing.h"
#include "d2/process/cut.h"
#include "d2/query/distance.h"

#define TURN float

static const char *const plane_names[] = {"x1", "y1", "x2", "y2"};
static const struct d2_rot identity = {1, 0};

static void local_vector(struct d2_rot q, double *v)
{
	struct d2_vec_d turned = d2_inv_turn_d(d2_exact_rot(q), (struct d2_vec_d){v[0], v[1]});
	v[0] = turned.x;
	v[1] = turned.y;
}

/* The line through two points, with the normal on its right. */
static bool plane_of(const struct world *world, uint32_t body, const double *numbers, double plane[4])
{
	struct d2_pose pose = d2_body_pose(world, body);
	struct d2_vec_d along = {numbers[2] - numbers[0], numbers[3] - numbers[1]};
	double length = d2_length_d(along), x = numbers[0] - pose.x, y = numbers[1] - pose.y;
	if (!(length > 0))
		return false;
	plane[0] = along.y / length;
	plane[1] = -along.x / length;
	plane[3] = plane[0] * x + plane[1] * y;
	local_vector(pose.q, plane);
	return true;
}

static uint32_t part_count(const void *shape)
{
	(void)shape;
	return 1;
}

static const void *part_at(const void *shape, uint32_t i)
{
	(void)i;
	return shape;
}

static bool solid(const void *part)
{
	enum d2_shape_type type = ((const struct d2_shape *)part)->type;
	return type == D2_CIRCLE || type == D2_CAPSULE || type == D2_BOX || type == D2_POLYGON || type == D2_ELLIPSE;
}

static struct d2_vec_d ball_center(const void *shape)
{
	return d2_widen(((const struct d2_shape *)shape)->centroid);
}

static double ball_radius(const void *shape)
{
	return ((const struct d2_shape *)shape)->outer;
}

static bool start(struct memory *memory, const void *part, void *polytope)
{
	(void)memory;
	d2_cut_start(part, polytope);
	return true;
}

static uint32_t corner_count(const struct d2_cut *cut)
{
	return cut->count;
}

static const struct d2_vec_d *corners(const struct d2_cut *cut)
{
	return cut->corners;
}

/* The number after D2_HULL_DEGENERATE: too many corners. */
static int polytope_shape(struct memory *memory, const struct d2_cut *polytope, struct d2_shape **shape)
{
	struct d2_vec points[D2_HULL_MAX];
	if (polytope->count > D2_HULL_MAX)
		return D2_HULL_DEGENERATE + 1;
	for (uint32_t i = 0; i < polytope->count; ++i)
		points[i] = d2_narrow(polytope->corners[i]);
	return (int)d2_polygon_create(memory, points, polytope->count, 0, shape);
}

#include "bind/world/break_wing.h"
