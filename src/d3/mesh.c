/* mesh.c - triangles under a tree, and that tree.
** Floor: d3. See shape.h for threads. */
#include "base/array.h"
#include "d3/shape_parts.h"

#include <assert.h>
#include <float.h>

static void give_back(struct memory *memory, void *block, size_t size)
{
	if (block != NULL)
		memory_resize(memory, block, size, 0);
}

/* --- The tree ------------------------------------------------------------------------------------------------------------ */

enum {
	LEAF_MAX = 16,
	BINS = 16,
	CHILD_COST = 1, /* to test a child, four at a time, by what it costs to test a node */
	STEEP = 48, /* below this depth nodes are halved by number: 32 levels more at most */
};

struct range3 {
	struct d3_vec lower, upper;
};

static const struct range3 nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static void include(struct range3 *range, struct d3_vec lower, struct d3_vec upper)
{
	range->lower = (struct d3_vec){ min_f(range->lower.x, lower.x), min_f(range->lower.y, lower.y), min_f(range->lower.z, lower.z) };
	range->upper = (struct d3_vec){ max_f(range->upper.x, upper.x), max_f(range->upper.y, upper.y), max_f(range->upper.z, upper.z) };
}

/* Half the surface: the chance that a line meets the box. */
static double surface(const struct range3 *range)
{
	double x = (double)range->upper.x - range->lower.x, y = (double)range->upper.y - range->lower.y, z = (double)range->upper.z - range->lower.z;
	return x * y + y * z + z * x;
}

static float part(struct d3_vec p, int axis)
{
	return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* Twice the middle of the item's box. */
static struct d3_vec middle(const struct d3_mesh_item *item)
{
	return (struct d3_vec){ item->lower.x + item->upper.x, item->lower.y + item->upper.y, item->lower.z + item->upper.z };
}

struct slicing {
	float from[3], scale[3]; /* the bin of a middle is (middle - from) scale; scale 0: no extent */
};

static int bin_of(const struct slicing *slicing, struct d3_vec at, int axis)
{
	int bin = (int)((part(at, axis) - slicing->from[axis]) * slicing->scale[axis]);
	return bin < BINS - 1 ? bin : BINS - 1;
}

struct bin {
	struct range3 range;
	uint32_t count;
};

struct split {
	int axis, bin; /* what is in bins up to this one goes first; bin -1: no split */
	double cost;
};

/* The cheapest place between two bins along the axis, by the surface area heuristic. */
static void try_axis(const struct bin bins[BINS], int axis, struct split *best)
{
	double costs[BINS];
	struct bin sum = { nothing, 0 };
	for (int i = BINS - 1; i > 0; i--) {
		include(&sum.range, bins[i].range.lower, bins[i].range.upper);
		sum.count += bins[i].count;
		costs[i] = sum.count ? sum.count * surface(&sum.range) : 0;
	}
	uint32_t total = sum.count + bins[0].count;
	sum = (struct bin){ nothing, 0 };
	for (int i = 0; i < BINS - 1; i++) {
		include(&sum.range, bins[i].range.lower, bins[i].range.upper);
		sum.count += bins[i].count;
		if (sum.count == 0 || sum.count == total)
			continue;
		double cost = sum.count * surface(&sum.range) + costs[i + 1];
		if (best->bin < 0 || cost < best->cost)
			*best = (struct split){ axis, i, cost };
	}
}

static struct split find_split(const struct d3_mesh_item *items, uint32_t count, const struct slicing *slicing)
{
	struct bin bins[3][BINS];
	struct split best = { 0, -1, 0 };
	for (int axis = 0; axis < 3; axis++)
		for (int i = 0; i < BINS; i++)
			bins[axis][i] = (struct bin){ nothing, 0 };
	for (uint32_t i = 0; i < count; i++) {
		struct d3_vec at = middle(&items[i]);
		for (int axis = 0; axis < 3; axis++) {
			struct bin *bin = &bins[axis][bin_of(slicing, at, axis)];
			include(&bin->range, items[i].lower, items[i].upper);
			bin->count++;
		}
	}
	for (int axis = 0; axis < 3; axis++)
		if (slicing->scale[axis] > 0)
			try_axis(bins[axis], axis, &best);
	return best;
}

static struct slicing slice(const struct d3_mesh_item *items, uint32_t count, struct range3 *range)
{
	struct range3 middles = nothing;
	*range = nothing;
	for (uint32_t i = 0; i < count; i++) {
		struct d3_vec at = middle(&items[i]);
		include(range, items[i].lower, items[i].upper);
		include(&middles, at, at);
	}
	struct slicing slicing;
	for (int axis = 0; axis < 3; axis++) {
		float scale = BINS / (part(middles.upper, axis) - part(middles.lower, axis));
		slicing.from[axis] = part(middles.lower, axis);
		slicing.scale[axis] = is_finite_f(scale) ? scale : 0;
	}
	return slicing;
}

/* Those of the first bins to the front; their number. */
static uint32_t partition(struct d3_mesh_item *items, uint32_t count, const struct slicing *slicing, const struct split *split)
{
	uint32_t front = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct d3_mesh_item item = items[i];
		if (bin_of(slicing, middle(&item), split->axis) > split->bin)
			continue;
		items[i] = items[front];
		items[front++] = item;
	}
	return front;
}

/* How many of the items go to the first of two nodes; 0: a leaf. */
static uint32_t divide(struct d3_mesh_item *items, uint32_t count, uint32_t depth, struct range3 *range)
{
	struct slicing slicing = slice(items, count, range);
	if (count <= 2)
		return 0;
	if (depth >= STEEP)
		return count <= LEAF_MAX ? 0 : count / 2;
	struct split split = find_split(items, count, &slicing);
	double whole = surface(range);
	if (count <= LEAF_MAX && (split.bin < 0 || whole + CHILD_COST * split.cost >= CHILD_COST * count * whole))
		return 0;
	return split.bin < 0 ? count / 2 : partition(items, count, &slicing, &split);
}

struct task {
	uint32_t node, begin, count, depth;
};

/* Halves the items, and each half again where it is no leaf. Returns the number of parts; 0: all of it is a leaf. */
static uint32_t quarter(struct d3_mesh_item *items, const struct task *task, struct range3 *range, struct task parts[4])
{
	uint32_t front = divide(items + task->begin, task->count, task->depth, range), made = 0;
	for (int half = 0; half < 2 && front > 0; half++) {
		struct range3 within;
		uint32_t begin = half ? task->begin + front : task->begin, number = half ? task->count - front : front;
		uint32_t first = divide(items + begin, number, task->depth + 1, &within);
		if (first > 0)
			parts[made++] = (struct task){ .begin = begin, .count = first, .depth = task->depth + 2 };
		parts[made++] = (struct task){ .begin = begin + first, .count = number - first, .depth = task->depth + (first > 0 ? 2 : 1) };
	}
	return made;
}

static void set_node(struct d3_node_lanes *lanes, uint32_t lane, const struct range3 *range, uint32_t first, uint32_t count)
{
	for (int axis = 0; axis < 3; axis++) {
		lanes->lower[axis][lane] = part(range->lower, axis);
		lanes->upper[axis][lane] = part(range->upper, axis);
	}
	lanes->first[lane] = first;
	lanes->count[lane] = count;
}

/* Nothing comes near what is not there; but 0 must not be multiplied by an infinity. */
static void add_lanes(struct d3_node_lanes *lanes)
{
	static const struct range3 nowhere = { { FLT_MAX, FLT_MAX, FLT_MAX }, { -FLT_MAX, -FLT_MAX, -FLT_MAX } };
	for (uint32_t lane = 0; lane < 4; lane++)
		set_node(lanes, lane, &nowhere, 0, 0);
}

bool d3_mesh_tree_build(struct memory *memory, struct d3_mesh_item *items, uint32_t count, struct d3_node_lanes **nodes, uint32_t *node_count)
{
	struct d3_node_lanes *made = NULL;
	struct task stack[D3_NODE_STACK] = { { 0, 0, count, 0 } }, parts[4];
	uint32_t pending = 1, used = 1, capacity = 0;
	bool room = array_grow(memory, (void **)&made, &capacity, sizeof *made, used);
	if (room)
		add_lanes(&made[0]);
	while (room && pending > 0) {
		struct task task = stack[--pending];
		struct range3 range;
		uint32_t part_count = quarter(items, &task, &range, parts), first = 4 * used;
		struct d3_node_lanes *lanes = &made[task.node / 4];
		if (part_count == 0) {
			set_node(lanes, task.node % 4, &range, task.begin, task.count);
			continue;
		}
		set_node(lanes, task.node % 4, &range, first, D3_INNER | part_count);
		room = array_grow(memory, (void **)&made, &capacity, sizeof *made, ++used);
		if (room)
			add_lanes(&made[used - 1]);
		assert(pending + part_count <= D3_NODE_STACK);
		/* Depth first, the last one first: as a walk with a stack that pushes all goes through memory. */
		for (uint32_t i = 0; i < part_count; i++) {
			parts[i].node = first + i;
			stack[pending++] = parts[i];
		}
	}
	*node_count = used;
	*nodes = room ? memory_resize(memory, made, capacity * sizeof *made, used * sizeof *made) : NULL;
	if (*nodes == NULL)
		give_back(memory, made, capacity * sizeof *made);
	return *nodes != NULL;
}

void d3_stored_node(const struct d3_node_lanes *nodes, uint32_t node, struct d3_node *out)
{
	const struct d3_node_lanes *at = &nodes[node / 4];
	uint32_t k = node % 4;
	*out = (struct d3_node){ { at->lower[0][k], at->lower[1][k], at->lower[2][k] }, { at->upper[0][k], at->upper[1][k], at->upper[2][k] },
		at->first[k], (uint8_t)at->count[k], !(at->count[k] & D3_INNER) };
}

/* --- Meshes -------------------------------------------------------------------------------------------------------------- */

bool d3_materials_copy(struct memory *memory, struct d3_materials *out, const struct d3_materials *given, size_t count)
{
	*out = (struct d3_materials){ 0 };
	if (given->of == NULL)
		return true;
	*out = *given;
	out->list = given->count ? memory_resize(memory, NULL, 0, given->count * sizeof *out->list) : NULL;
	out->of = memory_resize(memory, NULL, 0, count);
	if (out->of == NULL || (given->count && out->list == NULL)) {
		d3_materials_free(memory, out, count);
		return false;
	}
	if (given->count)
		memcpy(out->list, given->list, given->count * sizeof *out->list);
	memcpy(out->of, given->of, count);
	return true;
}

void d3_materials_turn(struct d3_materials *materials, const struct d3_rot_d *q)
{
	for (uint32_t i = 0; i < materials->count; i++) {
		struct d3_vec *v = &materials->list[i].tangent_velocity;
		*v = d3_narrow(d3_turn_d(q, d3_widen(*v)));
	}
}

void d3_materials_free(struct memory *memory, struct d3_materials *materials, size_t count)
{
	give_back(memory, materials->list, materials->count * sizeof *materials->list);
	give_back(memory, materials->of, count);
	*materials = (struct d3_materials){ 0 };
}

void d3_mesh_free(struct memory *memory, struct d3_mesh *mesh)
{
	size_t triangles = mesh->triangle_count;
	give_back(memory, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
	give_back(memory, mesh->indices, 3 * triangles * sizeof *mesh->indices);
	give_back(memory, mesh->corner_lanes, (triangles + 3) / 4 * sizeof *mesh->corner_lanes);
	give_back(memory, mesh->numbers, triangles * sizeof *mesh->numbers);
	give_back(memory, mesh->places, mesh->face_count * sizeof *mesh->places);
	give_back(memory, mesh->neighbors, 3 * triangles * sizeof *mesh->neighbors);
	give_back(memory, mesh->edges, triangles * sizeof *mesh->edges);
	d3_materials_free(memory, &mesh->materials, triangles);
	give_back(memory, mesh->nodes, mesh->node_count * sizeof *mesh->nodes);
	memory_resize(memory, mesh, sizeof *mesh, 0);
}

static struct d3_mesh *new_mesh(struct memory *memory, uint32_t vertex_count, uint32_t face_count, uint32_t triangle_count)
{
	struct d3_mesh *mesh = memory_zeroed(memory, sizeof *mesh);
	if (mesh == NULL)
		return NULL;
	size_t triangles = triangle_count;
	mesh->vertex_count = vertex_count;
	mesh->face_count = face_count;
	mesh->triangle_count = triangle_count;
	mesh->vertices = memory_resize(memory, NULL, 0, vertex_count * sizeof *mesh->vertices);
	mesh->indices = memory_resize(memory, NULL, 0, 3 * triangles * sizeof *mesh->indices);
	mesh->corner_lanes = memory_resize(memory, NULL, 0, (triangles + 3) / 4 * sizeof *mesh->corner_lanes);
	mesh->numbers = memory_resize(memory, NULL, 0, triangles * sizeof *mesh->numbers);
	mesh->places = memory_resize(memory, NULL, 0, face_count * sizeof *mesh->places);
	mesh->neighbors = memory_resize(memory, NULL, 0, 3 * triangles * sizeof *mesh->neighbors);
	mesh->edges = memory_resize(memory, NULL, 0, triangles * sizeof *mesh->edges);
	if (mesh->vertices && mesh->indices && mesh->corner_lanes && mesh->numbers && mesh->places && mesh->neighbors && mesh->edges)
		return mesh;
	d3_mesh_free(memory, mesh);
	return NULL;
}

static bool left_out(const uint32_t *corners)
{
	return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

/* Puts the triangles, which are in the order given, under a tree and into its order. */
static bool plant(struct memory *memory, struct d3_mesh *mesh, const uint32_t *indices)
{
	size_t size = mesh->triangle_count * sizeof(struct d3_mesh_item);
	struct d3_mesh_item *items = memory_resize(memory, NULL, 0, size);
	if (items == NULL)
		return false;
	for (uint32_t face = 0, i = 0; face < mesh->face_count; face++) {
		const uint32_t *corners = indices + 3 * (size_t)face;
		struct range3 range = nothing;
		mesh->places[face] = D3_NO_TRIANGLE;
		if (left_out(corners))
			continue;
		for (int k = 0; k < 3; k++)
			include(&range, mesh->vertices[corners[k]], mesh->vertices[corners[k]]);
		items[i++] = (struct d3_mesh_item){ range.lower, range.upper, face };
	}
	bool done = d3_mesh_tree_build(memory, items, mesh->triangle_count, &mesh->nodes, &mesh->node_count);
	for (uint32_t i = 0; done && i < mesh->triangle_count; i++) {
		mesh->numbers[i] = items[i].number;
		mesh->places[items[i].number] = i;
		memcpy(mesh->indices + 3 * (size_t)i, indices + 3 * (size_t)items[i].number, 3 * sizeof *indices);
	}
	memory_resize(memory, items, size, 0);
	for (size_t i = 0; done && i < (mesh->triangle_count + (size_t)3) / 4 * 4; i++) {
		const uint32_t *corners = mesh->indices + 3 * (i < mesh->triangle_count ? i : mesh->triangle_count - 1);
		for (int k = 0; k < 3; k++)
			d3_lanes_set_corner(&mesh->corner_lanes[i / 4], i % 4, k, mesh->vertices[corners[k]]);
	}
	return done;
}

static bool weld_exactly(struct memory *memory, struct d3_mesh *mesh)
{
	size_t size = mesh->vertex_count * sizeof(uint32_t);
	uint32_t *firsts = memory_resize(memory, NULL, 0, size);
	if (firsts == NULL)
		return false;
	bool done = d3_mesh_weld(memory, mesh->vertices, mesh->vertex_count, 0, firsts);
	for (size_t i = 0; done && i < 3 * (size_t)mesh->triangle_count; i++)
		mesh->indices[i] = firsts[mesh->indices[i]];
	memory_resize(memory, firsts, size, 0);
	return done;
}

static bool spread_materials(struct memory *memory, struct d3_mesh *mesh, const struct d3_materials *given)
{
	if (given == NULL || given->of == NULL)
		return true;
	if (!d3_materials_copy(memory, &mesh->materials, given, mesh->triangle_count))
		return false;
	for (uint32_t i = 0; i < mesh->triangle_count; i++)
		mesh->materials.of[i] = given->of[mesh->numbers[i]];
	return true;
}

struct d3_shape *d3_mesh_create(struct memory *memory, const struct d3_vec *vertices, uint32_t vertex_count, const uint32_t *indices,
	uint32_t triangle_count, bool one_sided, const struct d3_materials *materials)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_MESH);
	if (shape == NULL)
		return NULL;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < triangle_count; i++)
		kept += !left_out(indices + 3 * (size_t)i);
	assert(kept > 0);
	struct d3_mesh *mesh = new_mesh(memory, vertex_count, triangle_count, kept);
	shape->mesh = mesh;
	shape->one_sided = one_sided;
	if (mesh != NULL) {
		struct d3_vec_d sum = { 0, 0, 0 };
		for (uint32_t i = 0; i < vertex_count; i++) {
			mesh->vertices[i] = vertices[i];
			sum = d3_add_d(sum, d3_widen(vertices[i]));
		}
		shape->centroid = d3_narrow(d3_scale_d(1.0 / vertex_count, sum));
	}
	if (mesh != NULL && plant(memory, mesh, indices) && weld_exactly(memory, mesh) && spread_materials(memory, mesh, materials) &&
		d3_mesh_join(memory, mesh, one_sided))
		return shape;
	d3_shape_release(shape);
	return NULL;
}

/* In the order given again, so that numbers stay what they are. */
static void restore_order(const struct d3_mesh *mesh, uint32_t *indices, uint8_t *materials)
{
	memset(indices, 0, 3 * (size_t)mesh->face_count * sizeof *indices);
	memset(materials, 0, mesh->face_count);
	for (uint32_t i = 0; i < mesh->triangle_count; i++) {
		memcpy(indices + 3 * (size_t)mesh->numbers[i], mesh->indices + 3 * (size_t)i, 3 * sizeof *indices);
		materials[mesh->numbers[i]] = mesh->materials.of ? mesh->materials.of[i] : 0;
	}
}

struct d3_shape *d3_mesh_moved(struct memory *memory, const struct d3_shape *shape, const struct d3_transform_d *place)
{
	const struct d3_mesh *mesh = shape->mesh;
	size_t vertex_size = mesh->vertex_count * sizeof(struct d3_vec), index_size = 3 * (size_t)mesh->face_count * sizeof(uint32_t);
	struct d3_vec *vertices = memory_resize(memory, NULL, 0, vertex_size);
	uint32_t *indices = memory_resize(memory, NULL, 0, index_size);
	struct d3_materials materials = mesh->materials;
	uint8_t *of = memory_resize(memory, NULL, 0, mesh->face_count);
	struct d3_shape *moved = NULL;
	if (vertices != NULL && indices != NULL && of != NULL) {
		for (uint32_t i = 0; i < mesh->vertex_count; i++)
			vertices[i] = d3_moved_point(place, mesh->vertices[i]);
		restore_order(mesh, indices, of);
		materials.of = mesh->materials.of ? of : NULL;
		moved = d3_mesh_create(memory, vertices, mesh->vertex_count, indices, mesh->face_count, shape->one_sided, &materials);
	}
	if (moved != NULL)
		d3_materials_turn(&((struct d3_mesh *)moved->mesh)->materials, &place->q);
	give_back(memory, vertices, vertex_size);
	give_back(memory, indices, index_size);
	give_back(memory, of, mesh->face_count);
	return moved;
}
