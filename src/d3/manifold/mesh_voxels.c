/* mesh_voxels.c - the triangles of voxels near a shape: see mesh.c. */
#include "d3/manifold/mesh.h"

#include "base/cache.h"

/* Visits the triangles of a cell of voxels. */
static void visit_voxel(struct gathering *g, const struct voxel_cell *cell)
{
	const struct voxel_triangle *triangles = g->mesh->voxels->triangles.data + cell->first;
	for (uint32_t i = 0; i < cell->count; i += 4) {
		struct d3_corner_lanes corners;
		uint32_t left = cell->count - i, count = left < 4 ? left : 4;
		for (int k = 0; k < 3; ++k) {
			float4 p[4]; /* each with the four bytes after the corner as lane 3 */
			for (uint32_t lane = 0; lane < 4; ++lane)
				memcpy(&p[lane], (const char *)&triangles[i + (lane < count ? lane : 0)] + (size_t)k * sizeof(struct d3_vec),
					sizeof p[lane]);
			float4_transpose(p);
			float4_write(corners.x[k], p[0]);
			float4_write(corners.y[k], p[1]);
			float4_write(corners.z[k], p[2]);
		}
		d3_mesh_visit_four(g, &corners, cell->first + i, (1u << count) - 1);
	}
	struct d3_vec c = g->center;
	if (c.x > cell->lower.x && c.x < cell->upper.x && c.y > cell->lower.y && c.y < cell->upper.y && c.z > cell->lower.z &&
		c.z < cell->upper.z)
		for (uint32_t i = 0; g->mesh->one_sided && i < cell->count; ++i)
			d3_mesh_push_out(g, cell->first + i);
}

/* By axis and half of a block: how far b's AABB is outside, and the greatest height along g->axis. */
struct halves {
	float outside[3][2], along[3][2];
};

static void set_halves(const struct gathering *g, const struct voxel_block *block, struct halves *out)
{
	float size = g->mesh->voxels->cell_size, half = size * (float)(1u << (block->level - 1));
	const float lower[3] = {g->lower.x, g->lower.y, g->lower.z}, upper[3] = {g->upper.x, g->upper.y, g->upper.z};
	const float axis[3] = {g->axis.x, g->axis.y, g->axis.z};
	for (int a = 0; a < 3; ++a)
		for (int h = 0; h < 2; ++h) {
			float low = size * (float)((int32_t)block->at[a] - D3_VOXEL_MOST) + (float)h * half, high = low + half;
			out->outside[a][h] = max_f(low - upper[a], lower[a] - high);
			out->along[a][h] = max_f(low * axis[a], high * axis[a]);
		}
}

static bool enter_block(struct gathering *g, const struct voxel_block *block)
{
	return block->lower.x <= block->upper.x && d3_mesh_enter_box(g, block->lower, block->upper);
}

/* Cells to visit. Their records are far apart, so they and then their triangles are prefetched before the first is visited. */
struct near_cells {
	uint32_t count, index[16];
};

static void visit_near_cells(struct gathering *g, struct near_cells *cells)
{
	const struct d3_voxels *voxels = g->mesh->voxels;
	for (uint32_t i = 0; i < cells->count; ++i) {
		const struct voxel_cell *cell = &voxels->cells.data[cells->index[i]];
		cache_prefetch(voxels->triangles.data + cell->first, cell->count * sizeof(struct voxel_triangle));
	}
	for (uint32_t i = 0; i < cells->count; ++i)
		visit_voxel(g, &voxels->cells.data[cells->index[i]]);
	cells->count = 0;
}

static void add_near_cell(struct gathering *g, uint32_t index, struct near_cells *cells)
{
	cache_prefetch(&g->mesh->voxels->cells.data[index], sizeof(struct voxel_cell));
	cells->index[cells->count++] = index;
	if (cells->count == sizeof cells->index / sizeof *cells->index)
		visit_near_cells(g, cells);
}

void d3_mesh_visit_voxels(struct gathering *g)
{
	const struct d3_voxels *voxels = g->mesh->voxels;
	struct near_cells cells = {.count = 0};
	uint32_t stack[D3_NODE_STACK], depth = 0;
	if ((voxels->root & VOXEL_TAG) == VOXEL_BLOCK)
		stack[depth++] = voxels->root & VOXEL_INDEX;
	while (depth > 0) {
		const struct voxel_block *block = &voxels->blocks.data[stack[--depth]];
		struct halves halves;
		if (!enter_block(g, block))
			continue;
		set_halves(g, block, &halves);
		for (uint32_t i = 0; i < 8; ++i) {
			voxel_link link = block->links[i];
			uint32_t tag = link & VOXEL_TAG, index = link & VOXEL_INDEX, x = i & 1, y = i >> 1 & 1, z = i >> 2;
			if (tag != VOXEL_BLOCK && tag != VOXEL_CELL)
				continue;
			float outside = max_f(halves.outside[0][x], max_f(halves.outside[1][y], halves.outside[2][z]));
			float apart = max_f(outside, g->axis_floor - (halves.along[0][x] + halves.along[1][y] + halves.along[2][z]));
			if (apart > 0) {
				g->clear = min_f(g->clear, apart);
			} else if (tag == VOXEL_CELL) {
				add_near_cell(g, index, &cells);
			} else {
				cache_prefetch(&voxels->blocks.data[index], sizeof *block);
				stack[depth++] = index;
			}
		}
	}
	visit_near_cells(g, &cells);
}
