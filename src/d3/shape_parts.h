/* shape_parts.h - what the files that make shapes share.
** Floor: d3. See shape.h for threads. */
#pragma once
#include "d3/shape.h"

/* One reference, type and memory set, the rest zero; NULL: no memory. */
struct d3_shape *d3_shape_new(struct memory *memory, enum d3_shape_type type);

static inline struct d3_transform_d d3_pose_frame(const struct d3_pose *pose)
{
	return (struct d3_transform_d){ { pose->x, pose->y, pose->z }, d3_exact_rot(pose->q) };
}

static inline struct d3_vec d3_moved_point(const struct d3_transform_d *place, struct d3_vec point)
{
	return d3_narrow(d3_transform_point_d(place, d3_widen(point)));
}

/* The hull of a box: point i stands at the upper end of axis k of the frame where bit k of i is set. Faces: lower and upper along x, y, z.
** NULL: no memory. */
struct d3_hull *d3_hull_of_box(struct memory *memory, const struct d3_transform_d *frame, struct d3_vec half);

/* --- Corners of triangles ------------------------------------------------------------------------------------------------ */

static inline void d3_lanes_set_corner(struct d3_corner_lanes *lanes, size_t lane, int k, struct d3_vec p)
{
	lanes->x[k][lane] = p.x;
	lanes->y[k][lane] = p.y;
	lanes->z[k][lane] = p.z;
}

static inline struct d3_vec d3_lanes_corner(const struct d3_corner_lanes *lanes, size_t lane, int k)
{
	return (struct d3_vec){ lanes->x[k][lane], lanes->y[k][lane], lanes->z[k][lane] };
}

static inline struct d3_vec d3_mesh_corner(const struct d3_mesh *mesh, uint32_t child, int k)
{
	return d3_lanes_corner(&mesh->corner_lanes[child / 4], child % 4, k);
}

/* --- Trees over children that stay as they are --------------------------------------------------------------------------- */

/* Four nodes, which are looked at together: node n is in lane n % 4 of number n / 4. The root has a number for itself. Lanes that are not used stand
** behind the others and hold nothing. */
struct d3_node_lanes {
	float lower[3][4], upper[3][4]; /* by axis; in the shape's frame [length] */
	uint32_t first[4]; /* of its children, or of its nodes */
	uint32_t count[4]; /* of its children, 1..16, or with D3_INNER of its nodes, 2..4 */
};

#define D3_INNER (1u << 31)

struct d3_mesh_item {
	struct d3_vec lower, upper;
	uint32_t number;
};

/* Sorts the items (count >= 1) into the order of the leaves and makes the tree over them: *nodes, one block of exactly *node_count fours. No
** branch is longer than 41. False: no memory. */
bool d3_mesh_tree_build(struct memory *memory, struct d3_mesh_item *items, uint32_t count, struct d3_node_lanes **nodes, uint32_t *node_count);
void d3_stored_node(const struct d3_node_lanes *nodes, uint32_t node, struct d3_node *out);

/* --- Shapes with children ----------------------------------------------------------------------------------------------- */

/* `count` bytes of `of`. False: no memory, and nothing is left to free. */
bool d3_materials_copy(struct memory *memory, struct d3_materials *out, const struct d3_materials *given, size_t count);
/* The surfaces go where the shape is turned to. */
void d3_materials_turn(struct d3_materials *materials, const struct d3_rot_d *q);
void d3_materials_free(struct memory *memory, struct d3_materials *materials, size_t count);

/* Finds the neighbors and edges of a mesh whose vertices and indices are known; both lists have room. False: no memory. */
bool d3_mesh_join(struct memory *memory, struct d3_mesh *mesh, bool one_sided);
void d3_mesh_free(struct memory *memory, struct d3_mesh *mesh);
struct d3_shape *d3_mesh_moved(struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *place);

void d3_terrain_free(struct memory *memory, struct d3_terrain *terrain);
struct d3_shape *d3_terrain_moved(struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *place);
bool d3_terrain_hole(const struct d3_terrain *terrain, uint32_t child);
void d3_terrain_join(const struct d3_terrain *terrain, uint32_t child, struct d3_mesh_triangle *out);
void d3_terrain_node(const struct d3_terrain *terrain, uint32_t node, struct d3_node *out);
uint32_t d3_terrain_child_count(const struct d3_terrain *terrain);
/* Its corners, counter-clockwise from above, as numbers of points. */
void d3_terrain_triangle(const struct d3_terrain *terrain, uint32_t child, uint32_t corners[3]);
struct d3_vec d3_terrain_point(const struct d3_terrain *terrain, uint32_t point);

void d3_compound_free(struct memory *memory, struct d3_compound *compound);
/* The child that the point (face) is one of, by first_points (first_faces); *index becomes its number there. */
uint32_t d3_compound_find(const struct d3_compound *compound, const uint32_t *firsts, uint32_t *index);
uint32_t d3_compound_point_count(const struct d3_compound *compound);
uint32_t d3_compound_face_count(const struct d3_compound *compound);
