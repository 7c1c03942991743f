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
		lua_rawgeti(L, AT_ENVIRONMENT, ENV_SHAPES);
		lua_rawgeti(L, -1, (int)c + 1);
		lua_remove(L, -2);
		if (push_made(L, AT_ENVIRONMENT, &class_collider, handle) != NULL)
			replace_by_data(L);
		list_parts(L, b, c);
		lua_settop(L, AT_TOP - 1);
	}
}

/* --- Fragments ------------------------------------------------------------------------------------------------------------ */

/* Adds a fragment, whose shape is on top of the stack and is popped. */
static void fragment_add(lua_State *L, struct breakage *b, uint32_t cell, uint32_t part, const void *shape)
{
	if (b->fragment_count == b->capacity) {
		uint32_t capacity = 2 * b->capacity + 16;
		struct fragment *fragments = userdata_create(L, capacity * sizeof *fragments);
		if (b->fragment_count > 0)
			memcpy(fragments, b->fragments, b->fragment_count * sizeof *fragments);
		lua_replace(L, AT_FRAGMENTS);
		b->fragments = fragments;
		b->capacity = capacity;
	}
	uint32_t place = b->fragment_count;
	lua_rawseti(L, AT_SHAPES, (int)place + 1);
	b->fragments[place] = (struct fragment){.cell = cell, .part = part, .place = place, .root = place, .shape = shape};
	++b->fragment_count;
}

static void fragment_add_whole(lua_State *L, struct breakage *b, uint32_t cell, uint32_t i)
{
	const struct part *part = &b->parts[i];
	if (part->shape == part->source)
		lua_rawgeti(L, AT_SOURCES, (int)i + 1);
	else
		b->breaking->push_part(L, part->shape, b->function);
	fragment_add(L, b, cell, i, part->shape);
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

/* Sets the squared distances of all points from that of the cell. */
static void squares_measure(const struct breakage *b, uint32_t cell, double *squares)
{
	int axes = b->object->dimension->axes;
	const double *p = point_at(b, cell), *q = b->points;
	for (uint32_t i = 0; i < b->cells; ++i, q += axes) {
		double x = q[0] - p[0], y = q[1] - p[1], z = axes == 3 ? q[2] - p[2] : 0.0;
		squares[i] = x * x + y * y + z * z;
	}
}

/* Lists the points whose squared distance is in [low, high), as keys that rise with it, with the points in their lower halves.
 */
static uint32_t points_list(const struct breakage *b, const double *squares, double low, double high, uint64_t *keys)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < b->cells; ++i) {
		keys[count] = (uint64_t)scalar_bits_f((float)squares[i]) << 32 | i;
		count += (squares[i] >= low) & (squares[i] < high);
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

/* Up to this distance there are some 13 points in the plane and 34 in space, if they are spread over the part: most neighbours
 * of the cell. */
static double spacing(const struct breakage *b, double reach)
{
	int axes = b->object->dimension->axes;
	uint32_t side = 1;
	while ((axes == 2 ? side * side : side * side * side) < b->cells)
		++side;
	return 2.0 * reach / side;
}

/* Cuts the part of a polytope in the cell of a point from it. Planes farther than the part's farthest corner cut nothing, so
 * near points come first, sorted: then few of the others have to be looked at. Of points that coincide only the first has a
 * cell. */
static bool cut_cell(lua_State *L, const struct breakage *b, struct cutting *cutting, uint32_t cell)
{
	const double *point = point_at(b, cell);
	double *squares = polytope_at(L, b, POLYTOPES), reach = b->breaking->reach(cutting->now, point), near = spacing(b, reach);
	squares_measure(b, cell, squares);
	for (int far = 0; far < 2 && (far == 0 || near < 2 * reach); ++far) {
		uint64_t *keys = (uint64_t *)(squares + b->cells);
		uint32_t count = points_list(b, squares, far ? near * near : 0, far ? 4 * reach * reach : near * near, keys);
		keys = far ? keys : sort_keys(keys, keys + b->cells, count);
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
	part->first = b->fragment_count;
	if (!b->breaking->start(&b->object->memory, part->shape, polytope_at(L, b, 0)))
		raise_memory(L, b->function);
	for (uint32_t cell = 0; cell < b->cells; ++cell) {
		struct cutting cutting = {start, polytope_at(L, b, 1), polytope_at(L, b, 2)};
		if (!(b->points ? cut_cell(L, b, &cutting, cell) : cut_side(L, b, &cutting, cell)))
			continue;
		last = cell;
		if (cutting.now == start)
			break;
		const void *shape = b->breaking->push_shape(L, cutting.now, b->function);
		if (shape != NULL)
			fragment_add(L, b, cell, i, shape);
	}
	if (b->fragment_count > part->first + 1)
		return;
	last = b->fragment_count > part->first ? b->fragments[part->first].cell : last;
	b->fragment_count = part->first;
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
	struct fragment *fragments = b->fragments;
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
	if (b->fragment_count == 0)
		return false;
	qsort(b->fragments, b->fragment_count, sizeof *b->fragments, by_cell);
	if (b->fragments[0].cell == b->fragments[b->fragment_count - 1].cell)
		return false;
	for (uint32_t begin = 0, end; begin < b->fragment_count; begin = end) {
		for (end = begin; end < b->fragment_count && b->fragments[end].cell == b->fragments[begin].cell; ++end)
			b->parts[b->fragments[end].part].left += b->breaking->volume(b->fragments[end].shape);
		cell_join(b, begin, end);
	}
	qsort(b->fragments, b->fragment_count, sizeof *b->fragments, by_piece);
	return true;
}
