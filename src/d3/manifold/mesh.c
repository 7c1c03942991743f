/* mesh.c - convex shapes against meshes and height fields.
 * Each triangle near the shape is a part of a surface that continues beyond its edges, and takes only contacts that the whole
 * surface would have. A contact normal that leans outwards over an edge of the triangle is
 *   admitted  at a boundary edge, or at a convex edge if it lies between the normals of the two triangles: a contact with the
 *             edge itself;
 *   skipped   at a convex edge if it leans beyond the neighbour's normal: the neighbour has this contact;
 *   snapped   to the triangle's own normal at a flat or concave edge, which nothing can hit from outside.
 * A normal that points to the triangle's back is snapped, too.
 * So nothing catches on the inner edges of a floor. A one-sided surface collides only at its front, a two-sided one on the side
 * of the shape's centre. Contact points are grouped by normal: see mesh_gather.c.
 * Sources: Catto, "Ghost collisions", box2d.org, 2020, of which this is the counterpart in 3D; Terdiman, "Contact generation
 * for meshes", 2015.
 * Pure, any thread. */
#include "d3/manifold/mesh.h"

#include "base/cache.h"

enum { QUEUE_MAX = 64, RING = 2 * D3_NODE_STACK };

/* The bounds and axis of struct gathering, for testing four nodes at once. */
struct reach_lanes {
	float4 lower[3], upper[3], axis[3];
};

float d3_mesh_lowest(const struct gathering *g, struct d3_vec n)
{
	struct d3_vec back = d3_neg(d3_turn(&g->back.q, n));
	float reach;
	if (g->proxy.hull) {
		d3_polytope_support(&g->solid, back, &reach);
	} else {
		struct d3_vec_d d = d3_widen(back);
		reach = (float)d3_core_reach(&g->proxy, &d);
	}
	return d3_dot(n, g->frame.p) - reach - g->radius;
}

/* --- Gathering ------------------------------------------------------------------------------------------------------------ */

void d3_group_keep_inner(struct group *group, uint32_t child, struct d3_vec normal, const struct d3_candidate_point *point)
{
	if (group == NULL || !(point->height < group->inner.height))
		return;
	group->inner = *point;
	if (group->count > 0)
		return;
	group->normal = group->sum = group->last = normal;
	group->triangle = child;
}

/* Keeps a point at an inner edge if it is the group's deepest such point. Where the surface continues flat, the contact area
 * does too, and its corners are found over neighbours. The point matters only if b is so thin that it has sunk below the
 * neighbour. */
static void gather_inner(struct gathering *g, const struct tile *tile, const struct d3_candidate_point *point)
{
	d3_group_keep_inner(d3_group_find(g, tile->normal, point->height), tile->child, tile->normal, point);
}

/* The point's id. A corner of b keeps its id wherever it slides. */
static uint32_t point_name(const struct tile *tile, uint32_t id)
{
	uint32_t of_a = id & 0xffff, of_b = id >> 16, k = of_a & 0x3fff, next = k < 2 ? k + 1 : 0;
	if ((of_a & (D3_OF_EDGE | D3_OF_POINT)) == 0)
		return of_b;
	return of_a & D3_OF_POINT ? d3_gather_name(tile->points[k], tile->points[k], 0)
							  : d3_gather_name(tile->points[k], tile->points[next], of_b);
}

/* Whether the point is on an edge whose bit is set in `edges`. */
static bool is_on(uint32_t edges, uint32_t of_a)
{
	uint32_t k = of_a & 0x3fff;
	if (of_a & D3_OF_POINT)
		return (edges >> k | edges >> (k > 0 ? k - 1 : 2)) & 1;
	return (of_a & D3_OF_EDGE) && (edges >> k & 1);
}

/* Whether the point is on an inner edge, or a corner between two. */
static bool goes_on(const struct tile *tile, uint32_t of_a)
{
	return (of_a & (D3_OF_EDGE | D3_OF_POINT)) != 0 && !is_on(~tile->inner, of_a);
}

static void tile_face(const struct tile *tile, struct d3_contact_face *out)
{
	out->count = 3;
	out->face = 0;
	out->normal = tile->normal;
	for (uint32_t k = 0; k < 3; ++k) {
		out->p[k] = tile->corners[k];
		out->points[k] = (uint16_t)(D3_OF_POINT | k);
		out->edges[k] = (uint16_t)(D3_OF_EDGE | k);
	}
}

void d3_mesh_find_facing(struct gathering *g, struct d3_vec normal)
{
	struct facing *facing = &g->facing;
	float alignment, reach;
	if (d3_same_vec(facing->normal, normal))
		return;
	facing->normal = normal;
	if (g->proxy.hull == NULL) {
		facing->lowest = d3_mesh_lowest(g, normal);
		facing->made = false;
		return;
	}
	uint32_t face = d3_polytope_facing(&g->solid, d3_neg(d3_turn(&g->back.q, normal)), &alignment, &reach);
	facing->lowest = d3_dot(normal, g->frame.p) - reach - g->radius;
	d3_set_face(g, face);
}

/* Makes the contact face of a shape other than a hull, when it is first clipped: most triangles have no contact. */
static void make_face(struct gathering *g)
{
	struct facing *facing = &g->facing;
	if (g->proxy.hull || facing->made)
		return;
	d3_proxy_face(&g->proxy, &g->frame, d3_neg(facing->normal), &facing->patch);
	d3_bound_face(facing);
	facing->made = true;
}

/* Whether the AABBs of the contact face and the triangle are within the margin of each other. If not, the face has no point
 * over the triangle that counts. */
static bool is_face_near(const struct gathering *g, const struct tile *tile)
{
	const struct d3_vec *c = tile->corners;
	const struct facing *facing = &g->facing;
	float margin = max_f(g->speculative + g->radius, -tile->own) + d3_indifference(g->speculative);
	struct d3_vec low = d3_min(c[0], d3_min(c[1], c[2])), high = d3_max(c[0], d3_max(c[1], c[2]));
	return high.x >= facing->lower.x - margin && low.x <= facing->upper.x + margin && high.y >= facing->lower.y - margin &&
		low.y <= facing->upper.y + margin && high.z >= facing->lower.z - margin && low.z <= facing->upper.z + margin;
}

bool d3_mesh_clip_over(struct gathering *g, const struct tile *tile, uint32_t inner, bool deepest, struct clipped *out)
{
	out->count = 0;
	out->least = out->inner.height = INFINITY;
	d3_mesh_find_facing(g, tile->normal);
	make_face(g);
	if (!is_face_near(g, tile))
		return false;
	const struct d3_contact_face *patch = &g->facing.patch;
	if (patch->count > 2) {
		out->count = d3_clip_tile(tile->corners, tile->paths, tile->normal, patch, &g->facing.lanes, g->radius, g->speculative,
			inner, deepest ? &out->inner : NULL, out->points);
	} else {
		struct d3_contact_face face;
		const struct d3_clip clip = {&face, patch, 0, g->radius, false, g->speculative};
		tile_face(tile, &face);
		out->count = d3_clip_points(&clip, out->points);
	}
	for (uint32_t i = 0; i < out->count; ++i)
		out->least = min_f(out->least, out->points[i].height - g->radius);
	out->least = min_f(out->least, out->inner.height - g->radius);
	return true;
}

/* The point for d3_gather: midway between the surfaces. */
static struct d3_candidate_point middle_point(
	const struct gathering *g, const struct tile *tile, const struct d3_candidate_point *point)
{
	struct d3_vec middle = d3_mul_add(point->p, -0.5f * (point->height + g->radius), tile->normal);
	return (struct d3_candidate_point){middle, point->height - g->radius, point_name(tile, point->id)};
}

void d3_mesh_gather_face(
	struct gathering *g, const struct tile *tile, const struct clipped *clipped, uint32_t without, float deepest)
{
	for (uint32_t i = 0; i < clipped->count; ++i) {
		struct d3_candidate_point point = middle_point(g, tile, &clipped->points[i]);
		uint32_t of_a = clipped->points[i].id & 0xffff;
		bool own_edge = (of_a & (D3_OF_EDGE | D3_OF_POINT)) != 0;
		if (is_on(without, of_a) || (own_edge && point.height < deepest))
			d3_group_keep_inner(&g->resort, tile->child, tile->normal, &point);
		else if (goes_on(tile, of_a))
			gather_inner(g, tile, &point);
		else
			d3_gather(g, tile->child, tile->normal, &point);
	}
	if (clipped->inner.height < INFINITY) {
		struct d3_candidate_point point = middle_point(g, tile, &clipped->inner);
		gather_inner(g, tile, &point);
	}
}

float d3_mesh_touch_face(struct gathering *g, const struct tile *tile, uint32_t without, float deepest)
{
	struct clipped clipped;
	if (d3_mesh_clip_over(g, tile, without == 0 && deepest == -INFINITY ? tile->inner : 0, true, &clipped))
		d3_mesh_gather_face(g, tile, &clipped, without, deepest);
	return clipped.least;
}

/* --- Edges ---------------------------------------------------------------------------------------------------------------- */

bool d3_mesh_neighbor_normal(const struct gathering *g, const struct tile *tile, int k, struct d3_vec *out)
{
	if (tile->neighbors[k] == D3_NO_TRIANGLE)
		return false;
	struct d3_vec corners[3];
	d3_shape_triangle(g->mesh, tile->neighbors[k], corners);
	int next = k < 2 ? k + 1 : 0;
	/* The neighbour's corner that is not on the edge: the farthest from it. */
	struct d3_vec far = {0, 0, 0};
	float most = 0;
	for (int i = 0; i < 3; ++i) {
		struct d3_vec delta = d3_sub(corners[i], tile->corners[k]), across = d3_cross(delta, tile->paths[k]);
		float square = d3_dot(across, across);
		bool shared = d3_length(delta) == 0 || d3_length(d3_sub(corners[i], tile->corners[next])) == 0;
		if (!shared && square > most) {
			most = square;
			far = across;
		}
	}
	*out = d3_normalize(far);
	return most > 0;
}

enum verdict d3_mesh_judge(const struct gathering *g, const struct tile *tile, struct d3_vec n, uint32_t *leant)
{
	enum verdict verdict = d3_dot(n, tile->normal) < -lean_sine ? SNAP : ADMIT;
	*leant = 0;
	for (int k = 0; k < 3; ++k) {
		float length = d3_length(tile->paths[k]);
		if (d3_dot(n, d3_cross(tile->paths[k], tile->normal)) <= lean_sine * length || (tile->edges[D3_EDGE_BOUNDARY] >> k & 1))
			continue;
		struct d3_vec beyond;
		if (!(tile->edges[D3_EDGE_CONVEX] >> k & 1)) {
			verdict = SNAP;
			*leant |= 1u << k;
		} else if (d3_mesh_neighbor_normal(g, tile, k, &beyond) &&
			d3_dot(tile->paths[k], d3_cross(beyond, n)) > lean_sine * length) {
			return SKIP;
		}
	}
	return verdict;
}

void d3_mesh_gather_manifold(struct gathering *g, const struct tile *tile, const struct d3_local_manifold *m)
{
	for (int i = 0; i < m->count; ++i) {
		uint32_t id = m->points[i].id != 0 ? point_name(tile, m->points[i].id) : d3_child_name(g, tile->child);
		struct d3_candidate_point point = {m->points[i].point, m->points[i].separation, id};
		d3_gather(g, tile->child, m->normal, &point);
	}
}

/* --- All triangles -------------------------------------------------------------------------------------------------------- */

static void include_ball(struct gathering *g, struct d3_vec center, struct d3_vec half, bool first)
{
	struct d3_vec low = d3_sub(center, half), high = d3_add(center, half);
	g->lower = first ? low : d3_min(g->lower, low);
	g->upper = first ? high : d3_max(g->upper, high);
}

/* Half extents along the axes of a disc of radius 1 perpendicular to the unit vector n. */
static struct d3_vec disc_half(struct d3_vec n)
{
	return (struct d3_vec){sqrtf(max_f(0, 1 - n.x * n.x)), sqrtf(max_f(0, 1 - n.y * n.y)), sqrtf(max_f(0, 1 - n.z * n.z))};
}

/* Sets the bounds to the AABB of the core of a shape other than a hull. Cylinders, cones and tapered capsules span two ends,
 * each a disc, a ball or a point. */
static void round_box(struct gathering *g)
{
	const struct d3_proxy *proxy = &g->proxy;
	const struct d3_vec none = {0, 0, 0};
	if (proxy->type == D3_PROXY_POINTS) {
		for (uint32_t i = 0; i < proxy->count; ++i)
			include_ball(g, d3_frame_point(&g->frame, d3_proxy_points(proxy)[i]), none, i == 0);
		return;
	}
	struct d3_frame frame = d3_frame_narrow(&g->b->frame);
	struct d3_vec center = d3_frame_point(&g->frame, frame.p), h = g->b->half, axis = d3_turn(&g->frame.q, frame.q.y);
	if (proxy->type == D3_PROXY_ELLIPSOID) {
		struct d3_vec x = d3_scale(h.x, d3_turn(&g->frame.q, frame.q.x));
		struct d3_vec y = d3_scale(h.y, axis);
		struct d3_vec z = d3_scale(h.z, d3_turn(&g->frame.q, frame.q.z));
		struct d3_vec half = {sqrtf(x.x * x.x + y.x * y.x + z.x * z.x), sqrtf(x.y * x.y + y.y * y.y + z.y * z.y),
			sqrtf(x.z * x.z + y.z * y.z + z.z * z.z)};
		struct d3_vec radius = {g->radius, g->radius, g->radius};
		include_ball(g, center, d3_sub(half, radius), true);
		return;
	}
	bool cylinder = proxy->type == D3_PROXY_CYLINDER, ball = proxy->type == D3_PROXY_TAPERED;
	struct d3_vec end = d3_scale(h.x, ball ? (struct d3_vec){1, 1, 1} : disc_half(axis));
	include_ball(g, d3_mul_add(center, -h.y, axis), end, true);
	include_ball(g, d3_mul_add(center, h.y, axis), cylinder ? end : none, false);
}

/* Sets the bounds by which triangles are culled: b's AABB with the margin, and the lowest height along `axis`, the separating
 * axis or contact normal of the last step (a unit vector; 0: none), below which a triangle is too far. */
static void set_reach(struct gathering *g, struct d3_vec axis)
{
	/* Far from the origin, rounding error is more than the margin covers. */
	float size = abs_f(g->frame.p.x) + abs_f(g->frame.p.y) + abs_f(g->frame.p.z), s = g->speculative + 1e-6f * size;
	if (g->proxy.hull) {
		d3_hull_box(g->proxy.hull, &g->frame.q, &g->lower, &g->upper);
		g->lower = d3_add(g->lower, g->frame.p);
		g->upper = d3_add(g->upper, g->frame.p);
	} else {
		round_box(g);
	}
	s += g->radius;
	g->lower = d3_sub(g->lower, (struct d3_vec){s, s, s});
	g->upper = d3_add(g->upper, (struct d3_vec){s, s, s});
	g->axis = axis;
	g->axis_floor =
		axis.x == 0 && axis.y == 0 && axis.z == 0 ? -INFINITY : d3_mesh_lowest(g, axis) - g->speculative - 1e-6f * size;
}

/* A leaf of a mesh, its triangles in SIMD lanes. */
struct leaf {
	uint32_t first, count;
	uint32_t vertices[3][4];
};

/* Leaves to visit, in this order. A large mesh is not in the cache, so memory is prefetched: the records of a leaf when it is
 * queued, the vertices of all leaves before the first one is visited. */
struct queue {
	uint32_t count;
	struct leaf leaves[QUEUE_MAX];
};

/* Finds the vertices of the leaf's triangles and prefetches them. Unused lanes repeat the first triangle. */
static inline void find_vertices(const struct d3_mesh *mesh, struct leaf *leaf)
{
	const struct d3_mesh_record *records = mesh->records + leaf->first;
	const struct d3_mesh_block *block = &mesh->blocks[leaf->first / D3_MESH_BLOCK];
	const struct d3_mesh_block *last = &mesh->blocks[(leaf->first + leaf->count - 1) / D3_MESH_BLOCK];
	const uint32_t *lists[2] = {mesh->lists + block->vertices, mesh->lists + last->vertices};
	for (uint32_t lane = 0; lane < 4; ++lane) {
		uint32_t at = lane < leaf->count ? lane : 0;
		const uint32_t *list = lists[(leaf->first % D3_MESH_BLOCK + at) / D3_MESH_BLOCK];
		for (int k = 0; k < 3; ++k) {
			leaf->vertices[k][lane] = list[records[at].corners[k]];
			cache_prefetch_line(&mesh->vertices[leaf->vertices[k][lane]]);
		}
	}
}

/* Corner k of four triangles: their vertices, transposed into lanes. */
static inline void read_corners(const struct d3_mesh *mesh, const uint32_t vertices[4], int k, struct d3_corner_lanes *out)
{
	float4 p[4];
	for (int lane = 0; lane < 4; ++lane)
		memcpy(&p[lane], &mesh->vertices[vertices[lane]], sizeof p[lane]);
	float4_transpose(p);
	float4_write(out->x[k], mesh->scale.x * p[0]);
	float4_write(out->y[k], mesh->scale.y * p[1]);
	float4_write(out->z[k], mesh->scale.z * p[2]);
}

static void visit_queue(struct gathering *g, struct queue *queue)
{
	const struct d3_mesh *mesh = g->mesh->mesh;
	for (uint32_t i = 0; i < queue->count; ++i)
		find_vertices(mesh, &queue->leaves[i]);
	for (uint32_t i = 0; i < queue->count; ++i) {
		const struct leaf *leaf = &queue->leaves[i];
		struct d3_corner_lanes corners;
		for (int k = 0; k < 3; ++k)
			read_corners(mesh, leaf->vertices[k], k, &corners);
		d3_mesh_visit_four(g, &corners, leaf->first, (1u << leaf->count) - 1);
	}
	queue->count = 0;
}

static void queue_leaf(struct gathering *g, struct queue *queue, uint32_t first, uint32_t count)
{
	const struct d3_mesh *mesh = g->mesh->mesh;
	assert(count <= 4);
	if (queue->count == QUEUE_MAX)
		visit_queue(g, queue);
	cache_prefetch(&mesh->records[first], count * sizeof *mesh->records);
	cache_prefetch_line(&mesh->blocks[first / D3_MESH_BLOCK]);
	queue->leaves[queue->count].first = first;
	queue->leaves[queue->count++].count = count;
}

/* Like d3_mesh_enter_box, for four nodes. Returns a bit for each node to enter. Lowers *clear to the separations of the others.
 */
static inline uint32_t enter_four(
	struct gathering *g, const struct reach_lanes *reach, const struct d3_node4 *nodes, float4 *clear)
{
	float4 lower[3], upper[3], along[3], apart[3];
	d3_mesh_read_four(g->mesh->mesh, nodes, lower, upper);
	for (int axis = 0; axis < 3; ++axis) {
		apart[axis] = float4_most(lower[axis] - reach->upper[axis], reach->lower[axis] - upper[axis]);
		along[axis] = float4_most(lower[axis] * reach->axis[axis], upper[axis] * reach->axis[axis]);
	}
	float4 below = g->axis_floor - (along[0] + along[1] + along[2]);
	float4 most = float4_most(float4_most(apart[0], apart[1]), float4_most(apart[2], below));
	int4 out = most > float4_of(0), links;
	*clear = float4_choose(out, float4_least(*clear, most), *clear);
	memcpy(&links, nodes->links, sizeof links);
	return 15u & ~float4_bits(out | (links == 0));
}

static void visit_mesh(struct gathering *g)
{
	const struct d3_node4 *nodes = g->mesh->mesh->nodes;
	const struct reach_lanes reach = {
		{float4_of(g->lower.x), float4_of(g->lower.y), float4_of(g->lower.z)},
		{float4_of(g->upper.x), float4_of(g->upper.y), float4_of(g->upper.z)},
		{float4_of(g->axis.x), float4_of(g->axis.y), float4_of(g->axis.z)},
	};
	struct queue queue;
	uint32_t ring[RING], first = 0, end = 1;
	float4 clear = float4_of(INFINITY);
	queue.count = 0;
	/* The root is not tested: the AABBs of the shapes overlap. */
	ring[0] = d3_link_is_leaf(nodes[0].links[0]) ? 0 : nodes[0].links[0] >> 4;
	while (first != end) {
		const struct d3_node4 *four =
			&nodes[(end - first > RING - D3_NODE_STACK ? ring[--end % RING] : ring[first++ % RING]) / 4];
		for (uint32_t inside = enter_four(g, &reach, four, &clear); inside; inside &= inside - 1) {
			uint32_t link = four->links[__builtin_ctz(inside)], next = link >> 4;
			if (d3_link_is_leaf(link)) {
				queue_leaf(g, &queue, next, d3_link_count(link));
			} else {
				cache_prefetch(&nodes[next / 4], sizeof *nodes);
				ring[end++ % RING] = next;
			}
		}
	}
	g->clear = min_f(g->clear, -float4_greatest(-clear));
	visit_queue(g, &queue);
}

/* Visits one or two consecutive cells of a row, whose children are consecutive, too. */
static void visit_cells(struct gathering *g, uint32_t column, uint32_t row, uint32_t count)
{
	const struct d3_height_field *field = g->mesh->height_field;
	uint32_t first = 2 * (row * (field->columns - 1) + column), there = 0;
	struct d3_corner_lanes corners;
	for (uint32_t cell = 0; cell < 2; ++cell) {
		uint32_t i = column + (cell < count ? cell : 0), across = field->mirrored ? 2 : 1, beside = 3 - across;
		struct d3_vec near = d3_height_field_at(field, i, row), far = d3_height_field_at(field, i + 1, row + 1);
		struct d3_vec right = d3_height_field_at(field, i + 1, row), down = d3_height_field_at(field, i, row + 1);
		const struct d3_vec even[3] = {near, far, right}, odd[3] = {near, down, far};
		for (int k = 0; k < 3; ++k) {
			d3_lanes_set_corner(&corners, 2 * cell, k, even[k == 0 ? 0 : k == 1 ? across : beside]);
			d3_lanes_set_corner(&corners, 2 * cell + 1, k, odd[k == 0 ? 0 : k == 1 ? across : beside]);
		}
		there |= cell < count && !d3_height_field_hole(field, first + 2 * cell) ? 3u << 2 * cell : 0;
	}
	d3_mesh_visit_four(g, &corners, first, there);
}

static void visit_height_field(struct gathering *g)
{
	const struct d3_height_field *field = g->mesh->height_field;
	struct d3_height_field_block stack[D3_NODE_STACK];
	uint32_t depth = 1, last = field->column_bits[field->levels > 0 ? 1 : 0];
	stack[0] = (struct d3_height_field_block){0, 0, field->levels};
	while (depth > 0) {
		const struct d3_height_field_block block = stack[--depth];
		struct d3_height_field_block halves[2];
		struct d3_vec lower, upper;
		if (block.level <= last) {
			visit_cells(g, block.column, block.row, block.level > 0 && block.column + 2 < field->columns ? 2 : 1);
			continue;
		}
		if (!d3_height_field_box(field, &block, &lower, &upper) || !d3_mesh_enter_box(g, lower, upper))
			continue;
		for (uint32_t i = 0, count = d3_height_field_halves(field, &block, halves); i < count; ++i)
			stack[depth++] = halves[i];
	}
}

/* Clips the triangles of g->later for points at inner edges, unless these cannot be deeper than points already found along that
 * normal. */
static void gather_later(struct gathering *g)
{
	float slack = d3_indifference(g->speculative);
	for (uint32_t i = 0; i < g->later_count; ++i) {
		const struct later *later = &g->later[i];
		const struct group *group = d3_group_along(g, later->normal);
		struct clipped clipped;
		struct tile tile;
		if (group && (later->own >= group->deepest - slack || later->own >= group->inner.height))
			continue;
		d3_mesh_see_tile(g, later->child, &tile);
		if (!d3_mesh_clip_over(g, &tile, tile.inner, true, &clipped))
			continue;
		clipped.count = 0;
		d3_mesh_gather_face(g, &tile, &clipped, 0, -INFINITY);
	}
}

int d3_collide_mesh(const struct d3_shape *mesh, const struct d3_shape *b, uint32_t child_b,
	const struct d3_transform *b_in_mesh, float speculative, struct d3_manifold_cache *cache, float *clearance,
	struct d3_local_manifold out[D3_MANIFOLDS])
{
	struct gathering g;
	struct d3_transform back = d3_inv_transform(*b_in_mesh);
	b = d3_shape_part(b, child_b);
	g.mesh = mesh;
	g.b = b;
	g.b_in_a = *b_in_mesh;
	g.frame = d3_frame_of(b_in_mesh);
	g.back = d3_frame_of(&back);
	d3_make_proxy(b, 0, &g.proxy);
	if (g.proxy.hull)
		g.solid = d3_polytope_of_hull(g.proxy.hull, b->centroid);
	g.center = d3_frame_point(&g.frame, b->centroid);
	g.radius = (float)g.proxy.radius;
	g.speculative = speculative;
	g.apart = speculative + g.radius + d3_indifference(speculative);
	g.clear = g.nearest_separation = INFINITY;
	g.group_count = g.plane_count = g.plane = g.later_count = g.corner_count = 0;
	g.pending.count = g.pending.outer[0] = g.pending.outer[1] = g.pending.outer[2] = 0;
	g.resort.inner.height = g.resort.deepest = INFINITY;
	g.resort.count = 0;
	g.facing.normal = (struct d3_vec){0, 0, 0};
	g.facing.face = NO_FACE;
	set_reach(&g, cache->axis);
	if (mesh->mesh)
		visit_mesh(&g);
	else if (mesh->voxels)
		d3_mesh_visit_voxels(&g);
	else
		visit_height_field(&g);
	d3_visit_pending(&g);
	gather_later(&g);
	*clearance = max_f(g.clear - d3_indifference(speculative), 0);
	if (g.group_count > 0)
		cache->axis = d3_group_deepest(&g)->normal;
	else if (g.nearest_separation < INFINITY)
		cache->axis = g.nearest;
	if (g.group_count == 0 && g.resort.inner.height < INFINITY)
		g.groups[g.group_count++] = g.resort;
	return d3_gather_end(&g, out);
}
