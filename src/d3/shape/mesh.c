/* mesh.c - triangle meshes under a tree. See shape.h for threads. */
#include "d3/shape/shape_parts.h"

#include <assert.h>

enum { TESTED_TOGETHER = 4 }; /* maximum number of triangles in a leaf: four are tested at once */

static size_t block_count(const struct d3_mesh *mesh)
{
	return ((size_t)mesh->triangle_count + D3_MESH_BLOCK - 1) / D3_MESH_BLOCK;
}

void d3_mesh_free(struct memory *memory, struct d3_mesh *mesh)
{
	struct d3_mesh *owner = mesh->owner;
	size_t triangles = owner->triangle_count, blocks = block_count(owner);
	if (mesh != owner)
		memory_free(memory, mesh, sizeof *mesh);
	if (--owner->references > 0)
		return;
	memory_free(memory, owner->vertices, (owner->vertex_count + (size_t)1) * sizeof *owner->vertices);
	memory_free(memory, owner->records, triangles * sizeof *owner->records);
	memory_free(memory, owner->blocks, blocks * sizeof *owner->blocks);
	memory_free(memory, owner->lists, owner->list_count * sizeof *owner->lists);
	memory_free(memory, owner->others, owner->other_count * sizeof *owner->others);
	memory_free(memory, owner->nodes, owner->node_count * sizeof *owner->nodes);
	memory_free(memory, owner->numbers, owner->face_count * sizeof *owner->numbers);
	inverse_free(memory, &owner->child_indices);
	materials_free(memory, &owner->materials, triangles);
	memory_free(memory, owner, sizeof *owner);
}

size_t d3_mesh_bytes(const struct d3_mesh *mesh)
{
	size_t triangles = mesh->triangle_count;
	return sizeof *mesh + (mesh->vertex_count + (size_t)1) * sizeof *mesh->vertices + triangles * sizeof *mesh->records +
		block_count(mesh) * sizeof *mesh->blocks + mesh->list_count * sizeof *mesh->lists +
		mesh->other_count * sizeof *mesh->others + mesh->node_count * sizeof *mesh->nodes +
		mesh->face_count * sizeof *mesh->numbers + inverse_bytes(&mesh->child_indices) +
		materials_bytes(&mesh->materials, triangles);
}

static struct d3_mesh *new_mesh(struct memory *memory, uint32_t vertex_count, uint32_t face_count, uint32_t triangle_count)
{
	struct d3_mesh *mesh = memory_zeroed(memory, sizeof *mesh);
	if (mesh == NULL)
		return NULL;
	mesh->owner = mesh;
	mesh->references = 1;
	mesh->scale = (struct d3_vec){1, 1, 1};
	mesh->vertex_count = vertex_count;
	mesh->face_count = face_count;
	mesh->triangle_count = triangle_count;
	mesh->vertices = memory_resize(memory, NULL, 0, (vertex_count + (size_t)1) * sizeof *mesh->vertices);
	mesh->records = memory_resize(memory, NULL, 0, (size_t)triangle_count * sizeof *mesh->records);
	mesh->blocks = memory_resize(memory, NULL, 0, block_count(mesh) * sizeof *mesh->blocks);
	mesh->numbers = memory_resize(memory, NULL, 0, (size_t)face_count * sizeof *mesh->numbers);
	if (mesh->vertices && mesh->records && mesh->blocks && mesh->numbers)
		return mesh;
	d3_mesh_free(memory, mesh);
	return NULL;
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

static bool left_out(const uint32_t *corners)
{
	return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

/* Lists the triangles that are kept, with their AABBs. Faces that are left out go to the end of `numbers`. Sums with 0 make the
 * boxes of equal corners equal to the bit: -0 becomes 0. So the tree is the same for the indices of other, equal vertices. */
static void list_items(struct d3_mesh *mesh, const uint32_t *indices, struct d3_mesh_item *items)
{
	const struct d3_vec zero = {0, 0, 0};
	uint32_t left = mesh->triangle_count, kept = 0;
	for (uint32_t face = 0; face < mesh->face_count; ++face) {
		const uint32_t *corners = indices + 3 * (size_t)face;
		if (left_out(corners)) {
			mesh->numbers[left++] = face;
			continue;
		}
		struct d3_vec a = mesh->vertices[corners[0]], b = mesh->vertices[corners[1]], c = mesh->vertices[corners[2]];
		items[kept++] =
			(struct d3_mesh_item){d3_add(d3_min(a, d3_min(b, c)), zero), d3_add(d3_max(a, d3_max(b, c)), zero), face};
	}
}

/* Builds the tree over the triangles and writes their indices to the draft, in the order of the tree's leaves. False: no
 * memory. */
static bool plant(struct memory *memory, struct d3_mesh *mesh, const uint32_t *indices, struct d3_mesh_draft *draft)
{
	size_t size = mesh->triangle_count * sizeof(struct d3_mesh_item);
	struct d3_mesh_item *items = memory_resize(memory, NULL, 0, size);
	if (items == NULL)
		return false;
	list_items(mesh, indices, items);
	bool done = d3_mesh_tree_build(memory, items, mesh->triangle_count, TESTED_TOGETHER, &mesh->nodes, &mesh->node_count);
	for (uint32_t i = 0; done && i < mesh->triangle_count; ++i) {
		mesh->numbers[i] = items[i].number;
		memcpy(draft->indices + 3 * (size_t)i, indices + 3 * (size_t)items[i].number, 3 * sizeof *indices);
	}
	memory_free(memory, items, size);
	return done && inverse_make(memory, mesh->numbers, mesh->face_count, &mesh->child_indices);
}

/* Sets the records' corners, and replaces the draft's indices by each block's list of vertices, which are no more. Returns the
 * length of all lists. last: scratch, the latest place in the lists of each vertex. */
static uint32_t list_vertices(struct d3_mesh *mesh, struct d3_mesh_draft *draft, uint32_t *last)
{
	uint32_t used = 0, first = 0;
	memset(last, 0xff, draft->vertex_count * sizeof *last);
	for (uint32_t i = 0; i < draft->triangle_count; ++i) {
		if (i % D3_MESH_BLOCK == 0)
			mesh->blocks[i / D3_MESH_BLOCK].vertices = first = used;
		for (int k = 0; k < 3; ++k) {
			uint32_t vertex = draft->indices[3 * (size_t)i + (size_t)k];
			if (last[vertex] == UINT32_MAX || last[vertex] < first) {
				last[vertex] = used;
				draft->indices[used++] = vertex;
			}
			mesh->records[i].corners[k] = (uint8_t)(last[vertex] - first);
		}
	}
	return used;
}

/* Sets the records' neighbors and edges, and replaces the draft's neighbors by each block's list of others: neighbors in other
 * blocks, and D3_NO_TRIANGLE. Returns the length of all lists. */
static uint32_t list_others(struct d3_mesh *mesh, struct d3_mesh_draft *draft)
{
	uint32_t used = 0, first = 0;
	for (uint32_t i = 0; i < draft->triangle_count; ++i) {
		if (i % D3_MESH_BLOCK == 0)
			mesh->blocks[i / D3_MESH_BLOCK].others = first = used;
		for (int k = 0; k < 3; ++k) {
			uint32_t neighbor = draft->neighbors[3 * (size_t)i + (size_t)k];
			bool within = neighbor != D3_NO_TRIANGLE && neighbor / D3_MESH_BLOCK == i / D3_MESH_BLOCK;
			mesh->records[i].neighbors[k] = (uint8_t)(within ? neighbor % D3_MESH_BLOCK : D3_MESH_BLOCK + used - first);
			if (!within)
				draft->neighbors[used++] = neighbor;
		}
		mesh->records[i].edges = draft->edges[i];
	}
	return used;
}

/* Packs the draft, which is used up. False: no memory. */
static bool pack(struct memory *memory, struct d3_mesh *mesh, struct d3_mesh_draft *draft)
{
	size_t size = draft->vertex_count * sizeof(uint32_t);
	uint32_t *last = memory_resize(memory, NULL, 0, size);
	if (last == NULL)
		return false;
	mesh->list_count = list_vertices(mesh, draft, last);
	uint32_t others = list_others(mesh, draft);
	mesh->other_count = others + 1; /* one unused entry, so that the list is not empty */
	memory_free(memory, last, size);
	mesh->lists = memory_resize(memory, NULL, 0, mesh->list_count * sizeof *mesh->lists);
	mesh->others = memory_resize(memory, NULL, 0, mesh->other_count * sizeof *mesh->others);
	if (mesh->lists == NULL || mesh->others == NULL)
		return false;
	memcpy(mesh->lists, draft->indices, mesh->list_count * sizeof *mesh->lists);
	memcpy(mesh->others, draft->neighbors, others * sizeof *mesh->others);
	return true;
}

static bool spread_materials(struct memory *memory, struct d3_mesh *mesh, const struct materials *given)
{
	if (given == NULL || given->of == NULL)
		return true;
	if (!materials_copy(memory, &mesh->materials, given, mesh->triangle_count))
		return false;
	for (uint32_t i = 0; i < mesh->triangle_count; ++i)
		mesh->materials.of[i] = given->of[mesh->numbers[i]];
	return true;
}

/* Builds the tree, the adjacency and the packed triangles. False: no memory. */
static bool fill(struct memory *memory, struct d3_mesh *mesh, const uint32_t *indices, bool one_sided)
{
	size_t triangles = mesh->triangle_count;
	size_t list_size = 3 * triangles * sizeof(uint32_t);
	size_t edge_size = triangles * sizeof(uint16_t);
	struct d3_mesh_draft draft = {
		.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count, .vertices = mesh->vertices};
	draft.indices = memory_resize(memory, NULL, 0, list_size);
	struct d3_points points = {.narrow = mesh->vertices, .count = mesh->vertex_count};
	bool done = draft.indices != NULL && plant(memory, mesh, indices, &draft) &&
		d3_mesh_weld(memory, &points, 0, draft.indices, 3 * triangles);
	if (done) {
		draft.neighbors = memory_resize(memory, NULL, 0, list_size);
		draft.edges = memory_resize(memory, NULL, 0, edge_size);
		done = draft.neighbors != NULL && draft.edges != NULL && d3_mesh_join(memory, &draft, one_sided) &&
			pack(memory, mesh, &draft);
	}
	memory_free(memory, draft.indices, list_size);
	memory_free(memory, draft.neighbors, list_size);
	memory_free(memory, draft.edges, edge_size);
	return done;
}

struct d3_shape *d3_mesh_create(struct memory *memory, const struct d3_vec *vertices, uint32_t vertex_count,
	const uint32_t *indices, uint32_t triangle_count, bool one_sided, const struct materials *materials)
{
	struct d3_shape *shape = d3_shape_new(memory, D3_MESH);
	if (shape == NULL)
		return NULL;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < triangle_count; ++i)
		kept += !left_out(indices + 3 * (size_t)i);
	assert(kept > 0);
	struct d3_mesh *mesh = new_mesh(memory, vertex_count, triangle_count, kept);
	shape->mesh = mesh;
	shape->one_sided = one_sided;
	if (mesh != NULL) {
		struct d3_vec_d sum = {0, 0, 0};
		for (uint32_t i = 0; i < vertex_count; ++i) {
			mesh->vertices[i] = vertices[i];
			sum = d3_add_d(sum, d3_widen(vertices[i]));
		}
		mesh->vertices[vertex_count] = (struct d3_vec){0, 0, 0};
		shape->centroid = d3_narrow(d3_scale_d(1.0 / vertex_count, sum));
	}
	if (mesh != NULL && fill(memory, mesh, indices, one_sided) && spread_materials(memory, mesh, materials))
		return shape;
	d3_shape_release(shape);
	return NULL;
}

/* --- Derived meshes ------------------------------------------------------------------------------------------------------- */

struct d3_mesh *d3_mesh_share(struct memory *memory, const struct d3_mesh *mesh, struct d3_vec scale)
{
	struct d3_mesh *shared = memory_resize(memory, NULL, 0, sizeof *shared);
	if (shared == NULL)
		return NULL;
	*shared = *mesh;
	shared->scale = scale;
	shared->mirrored = (scale.x < 0) ^ (scale.y < 0) ^ (scale.z < 0);
	shared->uneven = abs_f(scale.x) != abs_f(scale.y) || abs_f(scale.y) != abs_f(scale.z);
	++shared->owner->references;
	return shared;
}

void d3_mesh_node(const struct d3_mesh *mesh, uint32_t node, struct d3_node *out)
{
	d3_stored_node(mesh->nodes, node, out);
	if (mesh->owner == mesh)
		return;
	struct d3_vec a = d3_scaled_point(mesh->scale, out->lower), b = d3_scaled_point(mesh->scale, out->upper);
	out->lower = d3_min(a, b);
	out->upper = d3_max(a, b);
}
