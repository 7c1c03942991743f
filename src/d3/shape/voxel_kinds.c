/* voxel_kinds.c - the solids of kinds of voxels, in all orientations. Pure, any thread. */
#include "d3/shape/voxels.h"

#include <math.h>
#include <string.h>

const uint8_t d3_voxel_permutations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* The side on which all corners of the face are; 6: none. */
static uint8_t face_side(const struct d3_voxel_solid *solid, uint32_t face)
{
	for (uint8_t side = 0; side < 6; ++side) {
		bool on = true;
		for (uint32_t i = 0; i < solid->face_counts[face]; ++i)
			on &= solid->points[solid->faces[face][i]][side / 2] == (side & 1) * D3_VOXEL_UNIT;
		if (on)
			return side;
	}
	return 6;
}

/* Sets the sides of the faces, and the corners on each side. */
static void solid_sides(struct d3_voxel_solid *solid)
{
	memset(solid->side_counts, 0, sizeof solid->side_counts);
	for (uint8_t side = 0; side < 6; ++side)
		for (uint8_t i = 0; i < solid->point_count; ++i)
			if (solid->points[i][side / 2] == (side & 1) * D3_VOXEL_UNIT)
				solid->sides[side][solid->side_counts[side]++] = i;
	for (uint32_t f = 0; f < solid->face_count; ++f) {
		uint8_t side = face_side(solid, f), count = solid->face_counts[f];
		solid->face_sides[f] = side;
		for (uint32_t i = 0; side < 6 && i < count; ++i) /* seen from below, a lower side runs the other way */
			solid->sides[side][i] = solid->faces[f][side & 1 ? i : count - 1 - i];
	}
}

static struct d3_voxel_solid solid_turned(const struct d3_voxel_solid *from, uint32_t orientation)
{
	const uint8_t *axes = d3_voxel_permutations[orientation / 8];
	struct d3_voxel_solid to = *from;
	bool odd = axes[0] > axes[1];
	odd ^= axes[0] > axes[2];
	odd ^= axes[1] > axes[2];
	for (uint32_t a = 0; a < 3; ++a) {
		bool mirrored = orientation >> a & 1;
		odd ^= mirrored;
		for (uint32_t i = 0; i < from->point_count; ++i)
			to.points[i][a] = (int16_t)(mirrored ? D3_VOXEL_UNIT - from->points[i][axes[a]] : from->points[i][axes[a]]);
	}
	for (uint32_t f = 0; odd && f < from->face_count; ++f)
		for (uint32_t i = 0; i < from->face_counts[f]; ++i)
			to.faces[f][i] = from->faces[f][from->face_counts[f] - 1 - i];
	solid_sides(&to);
	return to;
}

/* Whether the corners still make the hull's faces after rounding: none is degenerate or turned over. */
static bool solid_valid(const struct d3_voxel_solid *solid, const struct d3_hull *hull)
{
	for (uint32_t f = 0; f < solid->face_count; ++f) {
		struct d3_vec_d sum = {0, 0, 0};
		const int16_t *a = solid->points[solid->faces[f][0]];
		for (uint32_t i = 1; i + 1 < solid->face_counts[f]; ++i) {
			const int16_t *b = solid->points[solid->faces[f][i]], *c = solid->points[solid->faces[f][i + 1]];
			sum = d3_add_d(sum,
				d3_cross_d((struct d3_vec_d){b[0] - a[0], b[1] - a[1], b[2] - a[2]},
					(struct d3_vec_d){c[0] - a[0], c[1] - a[1], c[2] - a[2]}));
		}
		if (!(d3_dot_d(sum, hull->planes[f].normal) > 0.5 * d3_length_d(sum)))
			return false;
	}
	for (uint32_t i = 0; i < solid->point_count; ++i)
		for (uint32_t k = 0; k < i; ++k)
			if (memcmp(solid->points[i], solid->points[k], sizeof solid->points[i]) == 0)
				return false;
	return true;
}

static int16_t rounded(float x, float cell_size)
{
	return (int16_t)floor((double)x / (double)cell_size * D3_VOXEL_UNIT + 0.5);
}

static bool solid_of_hull(struct d3_voxel_solid *solid, const struct d3_hull *hull, float cell_size)
{
	uint32_t corners[D3_HULL_MAX];
	if (hull->point_count > D3_VOXEL_POINTS || hull->face_count > D3_VOXEL_FACES)
		return false;
	solid->point_count = (uint8_t)hull->point_count;
	solid->face_count = (uint8_t)hull->face_count;
	for (uint32_t i = 0; i < hull->point_count; ++i) {
		struct d3_vec p = hull->points[i];
		solid->points[i][0] = rounded(p.x, cell_size);
		solid->points[i][1] = rounded(p.y, cell_size);
		solid->points[i][2] = rounded(p.z, cell_size);
	}
	for (uint32_t f = 0; f < hull->face_count; ++f) {
		solid->face_counts[f] = (uint8_t)d3_hull_face(hull, f, corners);
		for (uint32_t i = 0; i < solid->face_counts[f]; ++i)
			solid->faces[f][i] = (uint8_t)corners[i];
	}
	solid_sides(solid);
	solid->full = true;
	for (int side = 0; side < 6; ++side) {
		solid->full &= solid->side_counts[side] == 4;
		for (uint32_t i = 0; i < solid->point_count; ++i)
			solid->full &= solid->points[i][side / 2] == 0 || solid->points[i][side / 2] == D3_VOXEL_UNIT;
	}
	return solid_valid(solid, hull);
}

/* The whole cell: corner i is at the upper end of the axes whose bits are set in i. */
static void solid_whole(struct d3_voxel_solid *solid)
{
	static const uint8_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
	*solid = (struct d3_voxel_solid){.full = true, .point_count = 8, .face_count = 6};
	for (int i = 0; i < 8; ++i)
		for (int a = 0; a < 3; ++a)
			solid->points[i][a] = (int16_t)((i >> a & 1) * D3_VOXEL_UNIT);
	for (int f = 0; f < 6; ++f) {
		solid->face_counts[f] = 4;
		memcpy(solid->faces[f], faces[f], sizeof faces[f]);
	}
	solid_sides(solid);
}

/* Whether each edge of a face is, turned round, one of another. */
static bool solid_closed(const struct d3_voxel_solid *solid)
{
	bool edges[D3_VOXEL_POINTS][D3_VOXEL_POINTS] = {{false}};
	for (uint32_t f = 0; f < solid->face_count; ++f)
		for (uint32_t i = 0, n = solid->face_counts[f]; i < n; ++i) {
			bool *edge = &edges[solid->faces[f][i]][solid->faces[f][(i + 1) % n]];
			if (*edge)
				return false;
			*edge = true;
		}
	for (int a = 0; a < D3_VOXEL_POINTS; ++a)
		for (int b = 0; b < D3_VOXEL_POINTS; ++b)
			if (edges[a][b] != edges[b][a] || (a == b && edges[a][b]))
				return false;
	return true;
}

bool d3_voxel_kind_turn(struct d3_voxel_kind *kind)
{
	struct d3_voxel_solid solid = kind->solids[0];
	if (!solid_closed(&solid))
		return false;
	for (uint32_t i = 0; i < D3_VOXEL_TURNS; ++i)
		kind->solids[i] = solid_turned(&solid, i);
	return true;
}

bool d3_voxel_kind_set(struct d3_voxel_kind *kind, const struct d3_hull *hull, float cell_size)
{
	struct d3_voxel_solid solid = {.full = false};
	if (hull == NULL)
		solid_whole(&solid);
	else if (!solid_of_hull(&solid, hull, cell_size))
		return false;
	kind->solids[0] = solid;
	return d3_voxel_kind_turn(kind);
}
