/* compound.c - compounds of convex shapes.
 * See shape.h for threads. */
#include "d3/shape/shape_parts.h"

#include <assert.h>

void d3_compound_free(struct memory *memory, struct d3_compound *compound)
{
	for (uint32_t i = 0; compound->children != NULL && i < compound->count; ++i)
		if (compound->children[i] != NULL)
			d3_shape_release(compound->children[i]);
	memory_free(memory, compound->children, compound->count * sizeof *compound->children);
	memory_free(memory, compound->numbers, compound->count * sizeof *compound->numbers);
	memory_free(memory, compound->places, compound->count * sizeof *compound->places);
	memory_free(memory, compound->first_points, compound->count * sizeof *compound->first_points);
	memory_free(memory, compound->first_faces, compound->count * sizeof *compound->first_faces);
	memory_free(memory, compound->nodes, compound->node_count * sizeof *compound->nodes);
	memory_free(memory, compound, sizeof *compound);
}

size_t d3_compound_bytes(const struct d3_compound *compound)
{
	size_t each = sizeof *compound->children + sizeof *compound->numbers + sizeof *compound->places +
		sizeof *compound->first_points + sizeof *compound->first_faces;
	size_t bytes = sizeof *compound + compound->count * each + compound->node_count * sizeof *compound->nodes;
	for (uint32_t i = 0; i < compound->count; ++i)
		bytes += d3_shape_bytes(compound->children[i]);
	return bytes;
}

static struct d3_compound *new_compound(struct memory *memory, uint32_t count)
{
	struct d3_compound *compound = memory_zeroed(memory, sizeof *compound);
	if (compound == NULL)
		return NULL;
	compound->count = count;
	compound->children = memory_zeroed(memory, count * sizeof *compound->children);
	compound->numbers = memory_resize(memory, NULL, 0, count * sizeof *compound->numbers);
	compound->places = memory_resize(memory, NULL, 0, count * sizeof *compound->places);
	compound->first_points = memory_resize(memory, NULL, 0, count * sizeof *compound->first_points);
	compound->first_faces = memory_resize(memory, NULL, 0, count * sizeof *compound->first_faces);
	if (compound->children && compound->numbers && compound->places && compound->first_points && compound->first_faces)
		return compound;
	d3_compound_free(memory, compound);
	return NULL;
}

/* Transforms the shapes by their poses, in the order given; compounds are replaced by their children. */
static enum d3_hull_result place_children(struct memory *memory, struct d3_compound *compound,
	const struct d3_shape *const *shapes, const struct d3_pose *poses, uint32_t count)
{
	uint32_t placed = 0;
	enum d3_hull_result result = D3_HULL_OK;
	for (uint32_t i = 0; i < count; ++i) {
		const struct d3_compound *nested = shapes[i]->compound;
		for (uint32_t k = 0; result == D3_HULL_OK && k < d3_shape_child_count(shapes[i]); ++k) {
			const struct d3_shape *child = nested ? nested->children[nested->places[k]] : shapes[i];
			result = d3_shape_moved(memory, child, &poses[i], &compound->children[placed++]);
		}
	}
	return result;
}

/* Builds the tree over the children and sorts them into its order. */
static bool plant(struct memory *memory, struct d3_compound *compound)
{
	size_t item_size = compound->count * sizeof(struct d3_mesh_item), child_size = compound->count * sizeof(struct d3_shape *);
	struct d3_mesh_item *items = memory_resize(memory, NULL, 0, item_size);
	struct d3_shape **children = memory_zeroed(memory, child_size);
	bool done = items != NULL && children != NULL;
	for (uint32_t i = 0; done && i < compound->count; ++i) {
		struct d3_node node;
		d3_shape_node(compound->children[i], 0, &node);
		items[i] = (struct d3_mesh_item){node.lower, node.upper, i};
	}
	done = done && d3_mesh_tree_build(memory, items, compound->count, 2, &compound->nodes, &compound->node_count);
	if (done) {
		for (uint32_t i = 0; i < compound->count; ++i) {
			children[i] = compound->children[items[i].number];
			compound->numbers[i] = items[i].number;
			compound->places[items[i].number] = i;
		}
		struct d3_shape **given = compound->children;
		compound->children = children;
		children = given;
	}
	memory_free(memory, items, item_size);
	memory_free(memory, children, child_size);
	return done;
}

static void count_features(struct d3_compound *compound)
{
	uint32_t points = 0, faces = 0;
	for (uint32_t i = 0; i < compound->count; ++i) {
		uint32_t place = compound->places[i];
		compound->first_points[place] = points;
		compound->first_faces[place] = faces;
		points += d3_shape_point_count(compound->children[place]);
		faces += d3_shape_face_count(compound->children[place]);
	}
}

/* Centroid of the volume, or the mean of the children's centroids if there is no volume. */
static void find_centroid(struct d3_shape *shape)
{
	const struct d3_compound *compound = shape->compound;
	struct d3_vec_d sum = {0, 0, 0};
	shape->inner = compound->children[0]->inner;
	for (uint32_t i = 0; i < compound->count; ++i) {
		sum = d3_add_d(sum, d3_widen(compound->children[i]->centroid));
		shape->inner = min_f(shape->inner, compound->children[i]->inner);
	}
	shape->centroid = d3_narrow(d3_scale_d(1.0 / compound->count, sum));
	struct d3_mass mass;
	d3_shape_mass(shape, 1, &mass);
	shape->centroid = mass.center;
}

enum d3_hull_result d3_compound_create(struct memory *memory, const struct d3_shape *const *shapes, const struct d3_pose *poses,
	uint32_t count, struct d3_shape **out)
{
	uint32_t children = 0;
	for (uint32_t i = 0; i < count; ++i) {
		assert((d3_shape_convex(shapes[i]) && shapes[i]->type != D3_HALF_SPACE) || shapes[i]->type == D3_COMPOUND);
		children += d3_shape_child_count(shapes[i]);
	}
	struct d3_shape *shape = d3_shape_new(memory, D3_COMPOUND);
	if (shape == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	struct d3_compound *compound = new_compound(memory, children);
	shape->compound = compound;
	enum d3_hull_result result = compound ? place_children(memory, compound, shapes, poses, count) : D3_HULL_OUT_OF_MEMORY;
	if (result == D3_HULL_OK && !plant(memory, compound))
		result = D3_HULL_OUT_OF_MEMORY;
	if (result != D3_HULL_OK) {
		d3_shape_release(shape);
		return result;
	}
	count_features(compound);
	find_centroid(shape);
	*out = shape;
	return D3_HULL_OK;
}

uint32_t d3_compound_find(const struct d3_compound *compound, const uint32_t *firsts, uint32_t *index)
{
	uint32_t low = 0, high = compound->count; /* the last child that starts at or before the index is in [low, high) */
	while (high - low > 1) {
		uint32_t half = low + (high - low) / 2;
		if (firsts[compound->places[half]] <= *index)
			low = half;
		else
			high = half;
	}
	uint32_t place = compound->places[low];
	*index -= firsts[place];
	return place;
}

uint32_t d3_compound_point_count(const struct d3_compound *compound)
{
	uint32_t last = compound->places[compound->count - 1];
	return compound->first_points[last] + d3_shape_point_count(compound->children[last]);
}

uint32_t d3_compound_face_count(const struct d3_compound *compound)
{
	uint32_t last = compound->places[compound->count - 1];
	return compound->first_faces[last] + d3_shape_face_count(compound->children[last]);
}
