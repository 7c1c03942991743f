/* obstacle.c - see obstacle.h. */
#include "core/obstacle.h"
#include "core/one_way.h"
#include "core/proxy.h"
#include "core/query.h"

#include <string.h>

/* --- Finding -------------------------------------------------------------------------------------------------------------- */

static void pose_move(struct obstacle_search *search, struct vec3 displacement)
{
	search->pose.numbers[0] = search->origin.x + displacement.x;
	search->pose.numbers[1] = search->origin.y + displacement.y;
	if (search->world->wing->dimensions == 3)
		search->pose.numbers[2] = search->origin.z + displacement.z;
}

double obstacle_reach(const struct obstacle_search *search, struct vec3 direction)
{
	return search->world->wing->shape_top(search->shape, mat3_mul(&search->axes, direction));
}

void obstacles_begin(struct obstacle_search *search)
{
	const struct wing *wing = search->world->wing;
	search->origin = (struct vec3){0.0, 0.0, 0.0};
	memcpy(&search->origin, search->pose.numbers, (size_t)wing->dimensions * sizeof(double));
	search->axes = wing->obstacles->axes(&search->pose);
	wing->obstacles->bounds(search->shape, &search->pose, &search->box);
	for (int k = 0; k < wing->dimensions; ++k) {
		search->box.lower[k] -= (&search->origin.x)[k];
		search->box.upper[k] -= (&search->origin.x)[k];
	}
}

/* The box of all places of the shape within the room, widened by the margin, in the world. */
static struct box_d room_box(const struct obstacle_search *search)
{
	struct box_d box = {{0}, {0}};
	for (int k = 0; k < search->world->wing->dimensions; ++k) {
		double origin = (&search->origin.x)[k];
		box.lower[k] = origin + (search->box.lower[k] + search->room.lower[k] - search->margin);
		box.upper[k] = origin + (search->box.upper[k] + search->room.upper[k] + search->margin);
	}
	return box;
}

/* A proxy whose pieces are added. */
struct finding {
	struct obstacle_search *search;
	struct box_d box;
	struct box around; /* the box, rounded outwards */
	uint32_t collider;
	uint8_t rank;
};

static void bound_raise(struct obstacle *obstacle, struct vec3 normal, double offset)
{
	if (!(offset > obstacle->offset))
		return;
	obstacle->normal = normal;
	obstacle->offset = offset;
}

/* Bounds the distance by the axis along which the AABBs are farthest apart. */
static void bound_by_box(const struct obstacle_search *search, const struct obstacle_piece *piece, struct obstacle *obstacle)
{
	double most = -INFINITY, direction = 1.0;
	int axis = 0;
	for (int k = 0; k < search->world->wing->dimensions; ++k) {
		double origin = (&search->origin.x)[k];
		double below = piece->box.lower[k] - origin - search->box.upper[k];
		double above = search->box.lower[k] - (piece->box.upper[k] - origin), bound = max_d(below, above);
		if (!(bound > most))
			continue;
		most = bound;
		axis = k;
		direction = above > below ? 1.0 : -1.0;
	}
	struct vec3 normal = {0.0, 0.0, 0.0};
	(&normal.x)[axis] = direction;
	bound_raise(obstacle, normal, most);
}

/* Bounds the distance by the piece's plane, on the side of the shape's middle. */
static void bound_by_face(const struct obstacle_search *search, const struct obstacle_piece *piece, struct obstacle *obstacle)
{
	double height = vec3_dot(piece->normal, vec3_sub(search->origin, piece->corner));
	double below = obstacle_reach(search, vec3_scale(-1.0, piece->normal)), above = 0.0;
	bool either = piece->bounded && !piece->one_sided && height < below;
	if (either)
		above = obstacle_reach(search, piece->normal);
	if (either && height + 0.5 * (above - below) < 0.0)
		bound_raise(obstacle, vec3_scale(-1.0, piece->normal), -height - above);
	else
		bound_raise(obstacle, piece->normal, height - below);
}

bool obstacle_one_way(const struct obstacle_search *search, uint32_t collider)
{
	const struct collider *colliders = search->world->colliders.data;
	return search->collider != NONE && (colliders[collider].one_way != NONE || colliders[search->collider].one_way != NONE);
}

/* Whether the middle of the shape is in front of the one-sided piece. */
static bool is_before(const struct obstacle_search *search, const struct obstacle_piece *piece)
{
	struct vec3 middle = search->origin;
	for (int k = 0; k < search->world->wing->dimensions; ++k)
		(&middle.x)[k] += 0.5 * (search->box.lower[k] + search->box.upper[k]);
	return vec3_dot(piece->normal, vec3_sub(middle, piece->corner)) > 0.0;
}

/* Whether the AABBs of the shape and the piece overlap. */
static bool boxes_overlap(const struct obstacle_search *search, const struct obstacle_piece *piece)
{
	struct box_d own = search->box;
	for (int k = 0; k < search->world->wing->dimensions; ++k) {
		own.lower[k] += (&search->origin.x)[k];
		own.upper[k] += (&search->origin.x)[k];
	}
	return box_d_overlaps(&own, &piece->box);
}

/* Whether the shape is halfway through a one-sided piece or one-way collider, or stands behind it in contact: it is let pass.
 * A one-sided piece does not let it pass if it was put there, with its middle in front. */
static bool piece_passed(struct obstacle_search *search, const struct obstacle_piece *piece, struct obstacle *obstacle)
{
	static const struct vec3 start = {0.0, 0.0, 0.0};
	bool one_way = obstacle_one_way(search, obstacle->collider);
	if (!(piece->one_sided || one_way) || obstacle->offset > -search->margin)
		return false;
	double distance = obstacle_measure(search, obstacle, start);
	if (distance >= -search->margin && distance < OBSTACLE_BEHIND)
		return false;
	if (one_way)
		return true;
	if (distance < OBSTACLE_BEHIND && !search->passing && is_before(search, piece))
		return false;
	search->passes |= boxes_overlap(search, piece);
	return true;
}

static void piece_add(void *context, const struct obstacle_piece *piece)
{
	struct finding *finding = context;
	struct obstacle_search *search = finding->search;
	struct world *world = search->world;
	struct obstacle obstacle = {.collider = finding->collider, .child = piece->child, .rank = finding->rank};
	obstacle.offset = -INFINITY;
	if (piece->bounded)
		bound_by_box(search, piece, &obstacle);
	if (piece->faced)
		bound_by_face(search, piece, &obstacle);
	if (piece_passed(search, piece, &obstacle))
		return;
	if (!array_reserve(world->memory, &world->controllers.obstacles, world->controllers.obstacles.count + 1)) {
		search->out_of_memory = true;
		return;
	}
	array_push(&world->controllers.obstacles, obstacle);
}

static uint8_t rank_of(const struct world *world, uint32_t id)
{
	const struct body *body = &world->bodies.data[id];
	if (body->type == BODY_STATIC)
		return OBSTACLE_STATIC;
	return body->type == BODY_DYNAMIC ? OBSTACLE_DYNAMIC : body->controlled ? OBSTACLE_CONTROLLED : OBSTACLE_KINEMATIC;
}

/* Of a body that may move, the broad phase has a wider AABB than its shape. */
static bool proxy_visit(void *context, uint32_t id)
{
	struct finding *finding = context;
	struct obstacle_search *search = finding->search;
	const struct world *world = search->world;
	const struct proxy *proxy = &world->proxies.data[id];
	struct box bounds = proxy->box;
	finding->collider = proxy->collider;
	if (!search->admits(search->context, finding->collider))
		return true;
	finding->rank = rank_of(world, world->colliders.data[finding->collider].body);
	if (finding->rank != OBSTACLE_STATIC && !proxy_unbounded(proxy))
		world->wing->proxy_box(world, id, &bounds);
	if (!box_overlaps(&bounds, &finding->around))
		return true;
	world->wing->obstacles->pieces(world, id, &bounds, &finding->box, piece_add, finding);
	return !search->out_of_memory;
}

bool obstacles_find(struct obstacle_search *search)
{
	struct world *world = search->world;
	struct finding finding = {.search = search, .box = room_box(search)};
	finding.around = box_around_d(&finding.box, 0.0, world->wing->dimensions);
	world->controllers.obstacles.count = 0;
	search->out_of_memory = search->passes = false;
	query_box(world, &finding.around, proxy_visit, &finding);
	return !search->out_of_memory;
}

/* --- Distances ------------------------------------------------------------------------------------------------------------ */

/* Whether the one-way collider lets the shape pass. A body that drops through it goes on with that until it is halfway
 * through. */
static bool one_way_opens(struct obstacle_search *search, const struct obstacle *obstacle)
{
	struct world *world = search->world;
	uint32_t body = world->colliders.data[search->collider].body;
	if (!one_way_lets_pass(world, (const uint32_t[]){obstacle->collider, search->collider}, obstacle->normal))
		return false;
	if (bits_has(&world->dropping_bodies, body) && abs_d(obstacle->distance) < search->margin)
		drop_continue(world, body, (float)-obstacle->distance);
	return true;
}

double obstacle_measure(struct obstacle_search *search, struct obstacle *obstacle, struct vec3 at)
{
	struct vec3 point;
	if (obstacle->measured && vec3_equal(obstacle->at, at))
		return obstacle->distance;
	pose_move(search, at);
	obstacle->distance = search->world->wing->obstacles->distance(
		search->world, obstacle->collider, obstacle->child, search->shape, &search->pose, &obstacle->normal, &point);
	if (obstacle_one_way(search, obstacle->collider) && one_way_opens(search, obstacle))
		obstacle->distance = OBSTACLE_BEHIND;
	obstacle->offset = obstacle->distance - vec3_dot(obstacle->normal, at);
	obstacle->point = vec3_add(at, point);
	obstacle->at = at;
	obstacle->measured = true;
	return obstacle->distance;
}

/* --- Ways ----------------------------------------------------------------------------------------------------------------- */

/* Measurements of one obstacle along one way. Newton's method from below needs some five, and at a seam, which the shape
 * grazes, twice as many. */
enum { MEASUREMENTS = 48 };

struct way {
	struct vec3 from, delta;
	double least, tolerance;
	double limit; /* free part so far */
};

/* An approach of less than this part of the tolerance is rounding error: the shape moves along the obstacle. */
static const double grazing = 0.01;

/* Reduces way->limit to the part that the obstacle leaves free. Returns whether it does. By Newton's method: the bound's zero
 * is never beyond that of the distance, which is convex. */
static bool way_blocked(struct obstacle_search *search, struct obstacle *obstacle, struct way *way)
{
	double t = 0.0, slope = vec3_dot(obstacle->normal, way->delta), distance = obstacle_bound(obstacle, way->from);
	bool exact = obstacle->measured && vec3_equal(obstacle->at, way->from);
	for (int i = 0; i < MEASUREMENTS; ++i) {
		double loss = slope < 0.0 ? -slope * (way->limit - t) : 0.0;
		if (distance - loss >= way->least || (exact && slope >= 0.0))
			return false;
		if (exact && distance <= way->least + way->tolerance) {
			if (loss <= grazing * way->tolerance)
				return false;
			break;
		}
		if (distance > way->least)
			t += (distance - way->least) / -slope;
		distance = obstacle_measure(search, obstacle, vec3_mul_add(way->from, t, way->delta));
		slope = vec3_dot(obstacle->normal, way->delta);
		exact = true;
		if (t > 0.0 && distance < -search->margin) { /* from behind, through a one-sided piece */
			obstacle->ignored = search->passes = true;
			return false;
		}
	}
	way->limit = t;
	return true;
}

double obstacle_way(
	struct obstacle_search *search, struct obstacle *obstacle, struct vec3 from, struct vec3 to, double least, double tolerance)
{
	struct way way = {from, vec3_sub(to, from), least, tolerance, 1.0};
	way_blocked(search, obstacle, &way);
	return way.limit;
}

/* The part of the way within the room. */
static double room_limit(const struct obstacle_search *search, struct vec3 from, struct vec3 delta)
{
	double limit = 1.0;
	for (int k = 0; k < search->world->wing->dimensions; ++k) {
		double start = (&from.x)[k], step = (&delta.x)[k];
		if (start + step > search->room.upper[k])
			limit = min_d(limit, max_d(0.0, (search->room.upper[k] - start) / step));
		else if (start + step < search->room.lower[k])
			limit = min_d(limit, max_d(0.0, (search->room.lower[k] - start) / step));
	}
	return limit;
}

double obstacles_travel(
	struct obstacle_search *search, struct vec3 from, struct vec3 to, double least, double tolerance, uint32_t *blocker)
{
	struct controllers *controllers = &search->world->controllers;
	struct way way = {from, vec3_sub(to, from), least, tolerance, 1.0};
	way.limit = room_limit(search, from, way.delta);
	*blocker = NONE;
	for (uint32_t i = 0; i < controllers->obstacles.count; ++i) {
		struct obstacle *obstacle = &controllers->obstacles.data[i];
		if (!obstacle->ignored && way_blocked(search, obstacle, &way))
			*blocker = i;
	}
	return way.limit;
}

/* --- Planes for scripts --------------------------------------------------------------------------------------------------- */

static bool obstacle_before(const struct obstacle *a, const struct obstacle *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->collider != b->collider ? a->collider < b->collider : a->child < b->child;
}

bool obstacle_seam(const struct obstacle *surface, const struct obstacle *edge, double tolerance)
{
	double together = vec3_dot(surface->normal, edge->normal);
	return surface->distance <= edge->distance && together > 0.02 &&
		abs_d(vec3_dot(surface->normal, vec3_sub(edge->point, surface->point))) <= tolerance;
}

void obstacles_touched(struct obstacle_search *search, double most)
{
	static const struct vec3 start = {0.0, 0.0, 0.0};
	struct obstacle *all = search->world->controllers.obstacles.data;
	uint32_t count = search->world->controllers.obstacles.count, near = 0, kept = 0;
	for (uint32_t i = 0; i < count; ++i) {
		struct obstacle obstacle = all[i];
		if (obstacle_bound(&obstacle, start) > most || obstacle_measure(search, &obstacle, start) > most)
			continue;
		uint32_t k = near++;
		for (; k > 0 && obstacle_before(&obstacle, &all[k - 1]); --k)
			all[k] = all[k - 1];
		all[k] = obstacle;
	}
	for (uint32_t i = 0; i < near; ++i) {
		bool seam = false;
		for (uint32_t k = 0; k < kept && !seam; ++k)
			seam = obstacle_seam(&all[k], &all[i], 0.02 * most);
		if (!seam)
			all[kept++] = all[i];
	}
	search->world->controllers.obstacles.count = kept;
}
