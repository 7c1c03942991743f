/* break_cut.c - cuts the parts of a body into fragments, and groups these into pieces: see break.c. The parts' shapes are
 * anchored on the stack, so that it does not matter here if a finalizer destroys the body. */
#include "base/scalar.h"
#include "base/sort.h"
#include "bind/world/break_parts.h"

#include <math.h>
#include <stdlib.h>

static void *polytope_at(lua_State *L, const struct breakage *b, size_t i)
{
	return (char *)lua_touserdata(L, AT_POLYTOPES) + i * b->breaking->polytope_size;
}

/* --- Parts ---------------------------------------------------------------------------------------------------------------- */

uint32_t parts_count(const struct breakage *b)
{
	const struct world *world = world_of(b);
	uint32_t count = 0;
	for (uint32_t c = parent_of(b)->colliders; c != NONE; c = world->colliders.data[c].next)
		count += b->breaking->part_count(world->colliders.data[c].shape);
	return count;
}

static void check_solid_part(lua_State *L, const struct breakage *b, const struct part *part)
{
	if (!b->breaking->solid(part->shape))
		raise_error(L, "%s: the body must have only solid convex shapes and compounds of them, but it has a %s", b->function,
			b->breaking->type_name(part->shape));
}

/* Lists the parts of the collider. Its shape and data are on the stack, in this order. */
static void list_parts(lua_State *L, struct breakage *b, uint32_t collider)
{
	const struct collider *c = &world_of(b)->colliders.data[collider];
	for (uint32_t i = 0; i < b->breaking->part_count(c->shape); ++i) {
		struct part *part = &b->parts[b->part_count++];
		*part = (struct part){
			.collider = {collider, c->generation}, .child = i, .shape = b->breaking->part(c->shape, i), .source = c->shape};
		check_solid_part(L, b, part);
		part->volume = b->breaking->volume(part->shape);
		lua_pushvalue(L, -2);
		lua_rawseti(L, AT_SOURCES, (int)b->part_count);
		lua_pushvalue(L, -1);
		lua_rawseti(L, AT_PIECE_DATA, (int)b->part_count);
	}
}

/* Pushes the data of the handle on top of the stack, which it replaces. */
static void replace_by_data(lua_State *L)
{
	lua_rawgeti(L, AT_ENVIRONMENT, ENV_DATA);
	lua_insert(L, -2);
	lua_rawget(L, -2);
	lua_remove(L, -2);
}

/* A body lists its colliders from the youngest on. */
void parts_read(lua_State *L, struct breakage *b)
{
	struct world_object *object = b->object;
	uint32_t room = parts_count(b);
	b->parts = userdata_create(L, (room + 1) * sizeof *b->parts);
	lua_replace(L, AT_PARTS);
	lua_createtable(L, (int)room, 0);
	lua_replace(L, AT_SOURCES);
	lua_createtable(L, (int)room, 0);
	lua_replace(L, AT_PIECE_DATA);
	check_body_change(L, b->function, &b->body);
	if (parts_count(b) != room)
		raise_error(L, "%s: the body has changed meanwhile", b->function);
	uint32_t last = parent_of(b)->colliders;
	while (last != NONE && object->world->colliders.data[last].next != NONE)
		last = object->world->colliders.data[last].next;
	for (uint32_t c = last; c != NONE; c = object->world->colliders.data[c].previous) {
		struct handle handle = {c, object->world->colliders.data[c].generation};
		shape_push(L, object, AT_ENVIRONMENT, c, b->function);
		lua_replace(L, AT_TOP);
		lua_settop(L, AT_TOP);
		check_body_change(L, b->function, &b->body);
		if (!handle_valid_collider(object->world, handle) || object->world->colliders.data[c].body != b->body ||
			b->part_count + b->breaking->part_count(object->world->colliders.data[c].shape) > room)
			raise_error(L, "%s: the body has changed meanwhile", b->function);
		if (push_made(L, AT_ENVIRONMENT, &class_collider, handle) != NULL)
			replace_by_data(L);
		list_parts(L, b, c);
		lua_settop(L, AT_TOP - 1);
	}
}

/* --- Fragments ------------------------------------------------------------------------------------------------------------ */

const struct class class_fragments = {"fragments", SHARED_FRAGMENTS, false, 0, NULL};

static int fragments_collect(lua_State *L)
{
	if (class_test(L, 1, &class_fragments))
		fragments_drop(lua_touserdata(L, 1), 0);
	return 0;
}

const luaL_Reg fragments_metamethods[] = {
	{"__gc", fragments_collect},
	{NULL, NULL},
};

void fragments_drop(struct fragments *fragments, uint32_t from)
{
	while (fragments->count > from)
		fragments->breaking->release(fragments->data[--fragments->count].shape);
}

/* Replaces the object by one with room for `capacity` fragments. */
static void fragments_grow(lua_State *L, struct breakage *b, uint32_t capacity)
{
	struct fragments *before = b->fragments;
	struct fragments *fragments = object_create(L, sizeof *fragments + capacity * sizeof *fragments->data, &class_fragments);
	fragments->breaking = b->breaking;
	fragments->capacity = capacity;
	if (before != NULL) {
		memcpy(fragments->data, before->data, before->count * sizeof *before->data);
		fragments->count = before->count;
		before->count = 0;
	}
	lua_replace(L, AT_FRAGMENTS);
	b->fragments = fragments;
}

/* Makes room for one more. */
static void fragments_reserve(lua_State *L, struct breakage *b)
{
	if (b->fragments->count == b->fragments->capacity)
		fragments_grow(L, b, 2 * b->fragments->capacity);
}

/* Adds a fragment with its reference to the shape. There is room. */
static void fragment_add(const struct breakage *b, uint32_t cell, uint32_t part, const void *shape)
{
	uint32_t place = b->fragments->count++;
	b->fragments->data[place] = (struct fragment){.cell = cell, .part = part, .place = place, .root = place, .shape = shape};
}

static void fragment_add_whole(lua_State *L, struct breakage *b, uint32_t cell, uint32_t i)
{
	fragments_reserve(L, b);
	b->breaking->retain(b->parts[i].shape);
	fragment_add(b, cell, i, b->parts[i].shape);
}

/* A polytope that is cut again and again, in turns in two places. */
struct cutting {
	const void *now;
	void *next, *other;
};

/* Cuts by the plane. False: nothing is left. */
static bool cut_by(lua_State *L, const struct breakage *b, struct cutting *cutting, const double plane[4])
{
	void *made = cutting->next;
	switch (b->breaking->cut(cutting->now, plane, made)) {
	case CUT_WHOLE: return true;
	case CUT_NOTHING: return false;
	case CUT_TOO_MANY: raise_error(L, "%s: a piece would have more than %d corners", b->function, b->breaking->most_corners);
	case CUT_PART: break;
	}
	cutting->now = made;
	cutting->next = cutting->other;
	cutting->other = made;
	return true;
}

static const double *point_at(const struct breakage *b, uint32_t cell)
{
	return b->points + (size_t)cell * (size_t)b->object->dimension->axes;
}

static double square_between(const struct breakage *b, const double *p, uint32_t i)
{
	const double *q = point_at(b, i);
	double x = q[0] - p[0], y = q[1] - p[1], z = b->object->dimension->axes == 3 ? q[2] - p[2] : 0.0;
	return x * x + y * y + z * z;
}

/* The place along the axis of the cell of the grid that is nearest to the position. */
static uint32_t grid_place(const struct point_grid *grid, int axis, double position)
{
	double place = (position - grid->low[axis]) * grid->scale[axis];
	return !(place > 0) ? 0 : place < grid->side ? (uint32_t)place : grid->side - 1;
}

static uint32_t grid_cell(const struct breakage *b, const double *p)
{
	uint32_t cell = 0;
	for (int axis = b->object->dimension->axes; axis-- > 0;)
		cell = cell * b->grid.side + grid_place(&b->grid, axis, p[axis]);
	return cell;
}

/* Lists the points at least `low` and less than `high` away from p, as keys that rise with the squared distance, with the
 * points in their lower halves. Sets their squared distances. */
static uint32_t points_list(const struct breakage *b, const double *p, double low, double high, double *squares, uint64_t *keys)
{
	const struct point_grid *grid = &b->grid;
	uint32_t first[3] = {0}, last[3] = {0}, count = 0;
	for (int axis = 0; axis < b->object->dimension->axes; ++axis) {
		first[axis] = grid_place(grid, axis, p[axis] - high);
		last[axis] = grid_place(grid, axis, p[axis] + high);
	}
	for (uint32_t z = first[2]; z <= last[2]; ++z)
		for (uint32_t y = first[1]; y <= last[1]; ++y) {
			uint32_t row = (z * grid->side + y) * grid->side, end = grid->begins[row + last[0] + 1];
			for (uint32_t k = grid->begins[row + first[0]]; k < end; ++k) {
				uint32_t i = grid->order[k];
				squares[i] = square_between(b, p, i);
				keys[count] = (uint64_t)scalar_bits_f((float)squares[i]) << 32 | i;
				count += (squares[i] >= low * low) & (squares[i] < high * high);
			}
		}
	return count;
}

/* Cuts by the plane halfway between p, which stays, and q, at a distance of `length`. */
static bool cut_between(
	lua_State *L, const struct breakage *b, struct cutting *cutting, const double *p, const double *q, double length)
{
	double plane[4] = {0};
	for (int i = 0; i < b->object->dimension->axes; ++i) {
		plane[i] = (q[i] - p[i]) / length;
		plane[3] += plane[i] * (0.5 * (p[i] + q[i]));
	}
	return cut_by(L, b, cutting, plane);
}

/* The least number of cells along each axis of a grid with a cell for each point. */
static uint32_t grid_side(const struct breakage *b)
{
	uint32_t side = 1;
	while ((b->object->dimension->axes == 2 ? side * side : side * side * side) < b->cells)
		++side;
	return side;
}

static void grid_build(const struct breakage *b, struct point_grid *grid, uint32_t cells)
{
	int axes = b->object->dimension->axes;
	for (int axis = 0; axis < axes; ++axis) {
		double high = b->points[axis];
		grid->low[axis] = b->points[axis];
		for (uint32_t i = 1; i < b->cells; ++i) {
			grid->low[axis] = min_d(grid->low[axis], point_at(b, i)[axis]);
			high = max_d(high, point_at(b, i)[axis]);
		}
		grid->scale[axis] = high > grid->low[axis] ? grid->side / (high - grid->low[axis]) : 0.0;
		grid->size = max_d(grid->size, (high - grid->low[axis]) / grid->side);
	}
	memset(grid->begins, 0, (cells + 1) * sizeof *grid->begins);
	for (uint32_t i = 0; i < b->cells; ++i)
		++grid->begins[grid_cell(b, point_at(b, i)) + 1];
	for (uint32_t cell = 0; cell < cells; ++cell)
		grid->begins[cell + 1] += grid->begins[cell];
	for (uint32_t i = b->cells; i-- > 0;)
		grid->order[--grid->begins[grid_cell(b, point_at(b, i)) + 1]] = i;
	memmove(grid->begins, grid->begins + 1, cells * sizeof *grid->begins);
	grid->begins[cells] = b->cells;
}

void cutting_prepare(lua_State *L, struct breakage *b)
{
	struct point_grid *grid = &b->grid;
	grid->side = grid_side(b);
	uint32_t cells = grid->side * grid->side * (b->object->dimension->axes == 3 ? grid->side : 1);
	size_t numbers = NUMBERS * b->cells * sizeof(double), lists = (cells + 1 + b->cells) * sizeof *grid->begins;
	(void)userdata_create(L, POLYTOPES * b->breaking->polytope_size + numbers + lists);
	lua_replace(L, AT_POLYTOPES);
	fragments_grow(L, b, 16);
	grid->begins = (uint32_t *)(void *)((char *)polytope_at(L, b, POLYTOPES) + numbers);
	grid->order = grid->begins + cells + 1;
	if (b->points != NULL)
		grid_build(b, grid, cells);
}

/* Cuts the part of a polytope in the cell of a point from it. Planes farther than the part's farthest corner cut nothing, so
 * near points come first, sorted, ring by ring: then few of the others are looked at. Of points that coincide only the first
 * has a cell. */
static bool cut_cell(lua_State *L, const struct breakage *b, struct cutting *cutting, uint32_t cell)
{
	const double *point = point_at(b, cell);
	double *squares = polytope_at(L, b, POLYTOPES), reach = b->breaking->reach(cutting->now, point);
	uint64_t *lists = (uint64_t *)(squares + b->cells);
	double low = 0, high = max_d(1.5 * b->grid.size, 1e-3 * reach);
	while (low < 2 * reach) {
		uint32_t count = points_list(b, point, low, min_d(high, 2 * reach), squares, lists);
		const uint64_t *keys = sort_keys(lists, lists + b->cells, count);
		for (uint32_t i = 0; i < count; ++i) {
			uint32_t other = (uint32_t)keys[i];
			if (other < cell && squares[other] == 0)
				return false;
			if (squares[other] == 0 || squares[other] >= 4 * reach * reach)
				continue;
			const void *before = cutting->now;
			if (!cut_between(L, b, cutting, point, point_at(b, other), sqrt(squares[other])))
				return false;
			if (cutting->now != before)
				reach = b->breaking->reach(cutting->now, point);
		}
		low = high;
		high *= 1.5;
	}
	return true;
}

static bool cut_side(lua_State *L, const struct breakage *b, struct cutting *cutting, uint32_t cell)
{
	double plane[4];
	for (int i = 0; i < 4; ++i)
		plane[i] = cell == 0 ? b->plane[i] : -b->plane[i];
	return cut_by(L, b, cutting, plane);
}

/* Cuts a part. If all of it but slivers is in one cell, it stays as it is. */
static void part_cut(lua_State *L, struct breakage *b, uint32_t i)
{
	struct part *part = &b->parts[i];
	const void *start = polytope_at(L, b, 0);
	uint32_t last = 0;
	part->first = b->fragments->count;
	if (!b->breaking->start(&b->object->memory, part->shape, polytope_at(L, b, 0)))
		raise_memory(L, b->function);
	for (uint32_t cell = 0; cell < b->cells; ++cell) {
		struct cutting cutting = {start, polytope_at(L, b, 1), polytope_at(L, b, 2)};
		if (!(b->points ? cut_cell(L, b, &cutting, cell) : cut_side(L, b, &cutting, cell)))
			continue;
		last = cell;
		if (cutting.now == start)
			break;
		fragments_reserve(L, b);
		const void *shape = b->breaking->make_shape(L, &shared_state(L)->memory, cutting.now, b->function);
		if (shape != NULL)
			fragment_add(b, cell, i, shape);
	}
	if (b->fragments->count > part->first + 1)
		return;
	if (b->fragments->count > part->first) {
		last = b->fragments->data[part->first].cell;
		fragments_drop(b->fragments, part->first);
	}
	fragment_add_whole(L, b, last, i);
}

void parts_cut(lua_State *L, struct breakage *b)
{
	for (uint32_t i = 0; i < b->part_count; ++i)
		part_cut(L, b, i);
}

/* --- Pieces --------------------------------------------------------------------------------------------------------------- */

static int by_cell(const void *a, const void *b)
{
	const struct fragment *x = a, *y = b;
	return x->cell != y->cell ? (x->cell > y->cell) - (x->cell < y->cell) : (x->place > y->place) - (x->place < y->place);
}

static int by_piece(const void *a, const void *b)
{
	const struct fragment *x = a, *y = b;
	return x->piece != y->piece ? (x->piece > y->piece) - (x->piece < y->piece) : (x->place > y->place) - (x->place < y->place);
}

/* Those of a body of one part are in order already. */
static void fragments_sort(struct fragments *fragments, int (*compare)(const void *, const void *))
{
	uint32_t ordered = 1;
	while (ordered < fragments->count && compare(&fragments->data[ordered - 1], &fragments->data[ordered]) <= 0)
		++ordered;
	if (ordered < fragments->count)
		qsort(fragments->data, fragments->count, sizeof *fragments->data, compare);
}

/* The first fragment, by index, of the piece that fragment i belongs to. */
static uint32_t root_of(struct fragment *fragments, uint32_t i)
{
	while (fragments[i].root != i) {
		fragments[i].root = fragments[fragments[i].root].root;
		i = fragments[i].root;
	}
	return i;
}

/* Joins the fragments [begin, end) of a cell that touch, and numbers the pieces. */
static void cell_join(struct breakage *b, uint32_t begin, uint32_t end)
{
	struct fragment *fragments = b->fragments->data;
	double near = 2.0 * (double)(LINEAR_SLOP * world_of(b)->settings.length_scale);
	for (uint32_t i = begin; i < end; ++i)
		fragments[i].root = i;
	for (uint32_t i = begin; i < end; ++i)
		for (uint32_t k = begin; k < i; ++k) {
			uint32_t one = root_of(fragments, i), two = root_of(fragments, k);
			if (one != two && b->breaking->touch(fragments[i].shape, fragments[k].shape, near))
				fragments[one > two ? one : two].root = one > two ? two : one;
		}
	for (uint32_t i = begin; i < end; ++i) {
		uint32_t root = root_of(fragments, i);
		fragments[i].piece = root == i ? b->piece_count++ : fragments[root].piece;
	}
}

bool pieces_find(struct breakage *b)
{
	if (b->fragments->count == 0)
		return false;
	fragments_sort(b->fragments, by_cell);
	if (b->fragments->data[0].cell == b->fragments->data[b->fragments->count - 1].cell)
		return false;
	for (uint32_t begin = 0, end; begin < b->fragments->count; begin = end) {
		for (end = begin; end < b->fragments->count && b->fragments->data[end].cell == b->fragments->data[begin].cell; ++end)
			b->parts[b->fragments->data[end].part].left += b->breaking->volume(b->fragments->data[end].shape);
		cell_join(b, begin, end);
	}
	fragments_sort(b->fragments, by_piece);
	return true;
}
