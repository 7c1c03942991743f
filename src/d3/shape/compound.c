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

void d3_compound_add(struct d3_shape *compound, uint32_t number, struct d3_shape *shape, const struct material *material)
{
	struct d3_compound *own = (struct d3_compound *)compound->compound;
	own->children[number] = (struct d3_compound_child){.shape = shape,
		.number = number,
		.first_point = own->point_count,
		.first_face = own->face_count,
		.material = *material};
	own->has_materials |= material->has != 0;
	own->point_count += d3_shape_point_count(shape);
	own->face_count += d3_shape_face_count(shape);
}

/* Adds copies of each shape, or of each child of a given compound, transformed by the shape's pose. materials: of the shapes,
 * or NULL. */
static enum d3_hull_result transform_children(struct memory *memory, struct d3_shape *compound,
	const struct d3_shape *const *shapes, const struct d3_pose *poses, const struct material *materials, uint32_t count)
{
	static const struct material none;
	uint32_t made = 0;
	for (uint32_t i = 0; i < count; ++i) {
		const struct d3_compound *nested = shapes[i]->compound;
		for (uint32_t k = 0; k < d3_shape_part_count(shapes[i]); ++k) {
			const struct d3_shape *given = nested ? nested->children[nested->child_indices[k]].shape : shapes[i];
			struct material material = materials ? materials[i] : none;
			struct d3_shape *shape;
			if (nested)
				material = nested_material(&nested->children[nested->child_indices[k]].material, poses[i].q, &material);
			enum d3_hull_result result = d3_shape_moved(memory, given, &poses[i], &shape);
			if (result != D3_HULL_OK)
				return result;
			d3_compound_add(compound, made++, shape, &material);
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

struct d3_shape *d3_compound_new(struct memory *memory, uint32_t count)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_COMPOUND);
	struct d3_compound *compound = shape ? memory_zeroed(memory, sizeof *compound) : NULL;
	if (compound != NULL) {
		shape->compound = compound;
		compound->count = count;
		compound->children = memory_zeroed(memory, count * sizeof *compound->children);
		compound->child_indices = memory_resize(memory, NULL, 0, count * sizeof *compound->child_indices);
		if (compound->children != NULL && compound->child_indices != NULL)
			return shape;
	}
	if (shape != NULL)
		d3_shape_release(shape);
	return NULL;
}

bool d3_compound_finish(struct d3_shape *compound)
{
	if (!plant(compound->memory, (struct d3_compound *)compound->compound))
		return false;
	find_centroid(compound);
	return true;
}

enum d3_hull_result d3_compound_create(struct memory *memory, const struct d3_shape *const *shapes, const struct d3_pose *poses,
	const struct material *materials, uint32_t count, struct d3_shape **out)
{
	uint32_t parts = 0;
	for (uint32_t i = 0; i < count; ++i) {
		assert((d3_shape_convex(shapes[i]) && shapes[i]->type != D3_HALF_SPACE) || shapes[i]->type == D3_COMPOUND);
		parts += d3_shape_part_count(shapes[i]);
	}
	struct d3_shape *shape = d3_compound_new(memory, parts);
	if (shape == NULL)
		return D3_HULL_OUT_OF_MEMORY;
	enum d3_hull_result result = transform_children(memory, shape, shapes, poses, materials, count);
	if (result == D3_HULL_OK && !d3_compound_finish(shape))
		result = D3_HULL_OUT_OF_MEMORY;
	if (result != D3_HULL_OK) {
		d3_shape_release(shape);
		return result;
	}
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
