/* compound.c - compounds of convex shapes. See shape.h for threads. */
#include "d3/shape/shape_parts.h"

#include <assert.h>

void d3_compound_free(struct memory *memory, struct d3_compound *compound)
{
	for (uint32_t i = 0; compound->children != NULL && i < compound->count; ++i)
		if (compound->children[i].shape != NULL)
			d3_shape_release(compound->children[i].shape);
	memory_free(memory, compound->children, compound->count * sizeof *compound->children);
	memory_free(memory, compound->child_indices, compound->count * sizeof *compound->child_indices);
	memory_free(memory, compound->nodes, compound->node_count * sizeof *compound->nodes);
	memory_free(memory, compound, sizeof *compound);
}

size_t d3_compound_bytes(const struct d3_compound *compound)
{
	size_t bytes = sizeof *compound + compound->count * (sizeof *compound->children + sizeof *compound->child_indices) +
		compound->node_count * sizeof *compound->nodes;
	for (uint32_t i = 0; i < compound->count; ++i)
		bytes += d3_shape_bytes(compound->children[i].shape);
	return bytes;
}

/* The material of a child of a nested compound that is turned by the rotation: its own properties, others those given for the
 * compound. */
static struct material nested_material(const struct material *own, struct d3_quat rotation, const struct material *given)
{
	struct material material = *own, other = *given;
	struct d3_rot_d exact = d3_exact_rot(rotation);
	d3_material_turn(&material, &exact);
	other.has &= (uint8_t)~own->has;
	materials_override(&material, &other);
	return material;
}

/* Makes the compound's children, in the order given: copies of each shape, or of each child of a given compound, transformed by
 * the shape's pose. materials: of the shapes, or NULL. */
static enum d3_hull_result transform_children(struct memory *memory, struct d3_compound *compound,
	const struct d3_shape *const *shapes, const struct d3_pose *poses, const struct material *materials, uint32_t count)
{
	static const struct material none;
	uint32_t made = 0;
	for (uint32_t i = 0; i < count; ++i) {
		const struct d3_compound *nested = shapes[i]->compound;
		for (uint32_t k = 0; k < d3_shape_part_count(shapes[i]); ++k) {
			struct d3_compound_child *child = &compound->children[made];
			*child = (struct d3_compound_child){.number = made++,
				.first_point = compound->point_count,
				.first_face = compound->face_count,
				.material = materials ? materials[i] : none};
			const struct d3_shape *given = nested ? nested->children[nested->child_indices[k]].shape : shapes[i];
			if (nested)
				child->material =
					nested_material(&nested->children[nested->child_indices[k]].material, poses[i].q, &child->material);
			compound->has_materials |= child->material.has != 0;
			enum d3_hull_result result = d3_shape_moved(memory, given, &poses[i], &child->shape);
			if (result != D3_HULL_OK)
				return result;
			compound->point_count += d3_shape_point_count(child->shape);
			compound->face_count += d3_shape_face_count(child->shape);
		}
	}
	return D3_HULL_OK;
}

/* Builds the tree over the children and sorts them into the order of its leaves. False: no memory. */
static bool plant(struct memory *memory, struct d3_compound *compound)
{
	size_t item_size = compound->count * sizeof(struct d3_mesh_item);
	struct d3_mesh_item *items = memory_resize(memory, NULL, 0, item_size);
	struct d3_compound_child *given = compound->children;
	struct d3_compound_child *children = memory_resize(memory, NULL, 0, compound->count * sizeof *children);
	bool done = items != NULL && children != NULL;
	for (uint32_t i = 0; done && i < compound->count; ++i) {
		struct d3_node node;
		d3_shape_node(given[i].shape, 0, &node);
		items[i] = (struct d3_mesh_item){node.lower, node.upper, i};
	}
	done = done && d3_mesh_tree_build(memory, items, compound->count, 2, &compound->nodes, &compound->node_count);
	for (uint32_t i = 0; done && i < compound->count; ++i) {
		children[i] = given[items[i].number];
		compound->child_indices[items[i].number] = i;
	}
	compound->children = done ? children : given;
	memory_free(memory, items, item_size);
	memory_free(memory, done ? given : children, compound->count * sizeof *children);
	return done;
}

/* Sets the centroid: that of the volume; without volume, the mean of the children's. Sets `inner` to the least of the
 * children's. */
static void find_centroid(struct d3_shape *shape)
{
	const struct d3_compound *compound = shape->compound;
	struct d3_vec_d sum = {0, 0, 0};
	shape->inner = compound->children[0].shape->inner;
	for (uint32_t i = 0; i < compound->count; ++i) {
		sum = d3_add_d(sum, d3_widen(compound->children[i].shape->centroid));
		shape->inner = min_f(shape->inner, compound->children[i].shape->inner);
	}
	shape->centroid = d3_narrow(d3_scale_d(1.0 / compound->count, sum));
	struct d3_mass mass;
	d3_shape_mass(shape, 1, &mass);
	shape->centroid = mass.center;
}

enum d3_hull_result d3_compound_create(struct memory *memory, const struct d3_shape *const *shapes, const struct d3_pose *poses,
	const struct material *materials, uint32_t count, struct d3_shape **out)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_COMPOUND);
	if (shape == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	struct d3_compound *compound = memory_zeroed(memory, sizeof *compound);
	shape->compound = compound;
	for (uint32_t i = 0; compound != NULL && i < count; ++i) {
		assert((d3_shape_convex(shapes[i]) && shapes[i]->type != D3_HALF_SPACE) || shapes[i]->type == D3_COMPOUND);
		compound->count += d3_shape_part_count(shapes[i]);
	}
	enum d3_hull_result result = D3_HULL_OUT_OF_MEMORY;
	if (compound != NULL) {
		compound->children = memory_zeroed(memory, compound->count * sizeof *compound->children);
		compound->child_indices = memory_resize(memory, NULL, 0, compound->count * sizeof *compound->child_indices);
		if (compound->children != NULL && compound->child_indices != NULL)
			result = transform_children(memory, compound, shapes, poses, materials, count);
	}
	if (result == D3_HULL_OK && !plant(memory, compound))
		result = D3_HULL_OUT_OF_MEMORY;
	if (result != D3_HULL_OK) {
		d3_shape_release(shape);
		return result;
	}
	find_centroid(shape);
	*out = shape;
	return D3_HULL_OK;
}

const struct d3_compound_child *d3_compound_find(const struct d3_compound *compound, bool face, uint32_t *index)
{
	uint32_t low = 0, high = compound->count; /* the last child that starts at or before the index is in [low, high) */
	while (high - low > 1) {
		uint32_t half = low + (high - low) / 2;
		const struct d3_compound_child *child = &compound->children[compound->child_indices[half]];
		if ((face ? child->first_face : child->first_point) <= *index)
			low = half;
		else
			high = half;
	}
	const struct d3_compound_child *child = &compound->children[compound->child_indices[low]];
	*index -= face ? child->first_face : child->first_point;
	return child;
}
