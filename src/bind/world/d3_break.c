/* d3_break.c - the 3D part of slice and shatter: see break.h. */
#define AXES 3
#include "bind/geometry/wing.h"
#include "d3/process/cut.h"
#include "d3/query/distance.h"

#define TURN struct d3_vec

static const char *const plane_names[] = {"nx", "ny", "nz", "offset"};
static const struct d3_quat identity = {0, 0, 0, 1};

static void local_vector(struct d3_quat q, double *v)
{
	struct d3_rot_d exact = d3_exact_rot(q);
	struct d3_vec_d turned = d3_inv_turn_d(&exact, (struct d3_vec_d){v[0], v[1], v[2]});
	v[0] = turned.x;
	v[1] = turned.y;
	v[2] = turned.z;
}

static bool plane_of(const struct world *world, uint32_t body, const double *numbers, double plane[4])
{
	struct d3_pose pose = d3_body_pose(world, body);
	double length = d3_length_d((struct d3_vec_d){numbers[0], numbers[1], numbers[2]});
	if (!(length > 1e-150 && length < 1e150))
		return false;
	for (int i = 0; i < 3; ++i)
		plane[i] = numbers[i] / length;
	plane[3] = numbers[3] - (plane[0] * pose.x + plane[1] * pose.y + plane[2] * pose.z);
	local_vector(pose.q, plane);
	return true;
}

static uint32_t part_count(const void *shape)
{
	return d3_shape_part_count(shape);
}

static const void *part_at(const void *shape, uint32_t i)
{
	return d3_shape_part(shape, i);
}

static bool solid(const void *part)
{
	enum d3_shape_type type = ((const struct d3_shape *)part)->type;
	return d3_shape_convex(part) && type != D3_SEGMENT && type != D3_TRIANGLE && type != D3_HALF_SPACE;
}

static struct d3_vec_d ball_center(const void *shape)
{
	return ((const struct d3_shape *)shape)->middle;
}

static double ball_radius(const void *shape)
{
	return ((const struct d3_shape *)shape)->reach;
}

static bool start(struct memory *memory, const void *part, void *polytope)
{
	return d3_cut_start(memory, part, polytope) == D3_HULL_OK;
}

static uint32_t corner_count(const struct d3_cut *cut)
{
	return cut->point_count;
}

static const struct d3_vec_d *corners(const struct d3_cut *cut)
{
	return cut->points;
}

static enum d3_hull_result polytope_shape(struct memory *memory, const struct d3_cut *polytope, struct d3_shape **shape)
{
	struct d3_vec points[D3_CUT_POINTS];
	for (uint32_t i = 0; i < polytope->point_count; ++i)
		points[i] = d3_narrow(polytope->points[i]);
	const struct d3_faces faces = {points, polytope->point_count, polytope->face_count, polytope->ends, polytope->corners};
	return d3_hull_create_of_faces(memory, &faces, shape);
}

#include "bind/world/break_wing.h"
