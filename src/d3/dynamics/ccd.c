/* ccd.c - continuous collision: a body that moved far in one step is taken back to its first impact. From there a moving
 * obstacle carries the body along; on an obstacle at rest it moves on along the surface. The body keeps its velocity, so that
 * the contact of the next step can stop or reflect it. Against static and kinematic bodies always, against dynamic ones for
 * bullets.
 * Source: Catto, "Continuous Collision", GDC 2013.
 * Any thread, except for bullets and worlds with a filter: these serially, in id order. */
#include "core/ccd.h"
#include "core/impact.h"
#include "core/pairs.h"
#include "core/travel.h"
#include "d3/query/time_of_impact.h"
#include "d3/manifold/manifold.h"
#include "d3/query/sweep_separation.h"
#include "d3/dynamics/rebound.h"
#include "d3/shape/shape_parts.h"
#include "d3/dynamics/wing.h"

#include <string.h>

/* Size of a shape's core relative to the shape. If the shape overlaps an obstacle already, only its core is swept. Box3D's
 * B3_CORE_FRACTION. */
#define CORE 0.25f

/* Impacts of a body in a step. After IMPACTS it moves only with its carrier, and dynamic bodies stop it no longer. After
 * LAST_IMPACT see way_end. */
enum { IMPACTS = 7, LAST_IMPACT = 8 };

/* Maximum parts into which way_end divides the rest of the path; an arc has 16. */
enum { PARTS = 24 };

/* A surface that the body has hit in this step, and must stay in front of. */
struct met {
	uint32_t body; /* the obstacle */
	uint32_t proxies[2]; /* of the body, and of the obstacle */
	/* in the obstacle's frame: its normal towards the body; the position of the body's centre of mass */
	struct d3_vec_d normal, place;
	bool bounced; /* the body has bounced off the obstacle */
};

struct sweep_query {
	struct world *world;
	uint32_t body; /* the swept body */
	uint32_t proxy; /* the tested proxy of the body */
	uint32_t other; /* proxy of the tested obstacle */
	const struct d3_shape *shape; /* of `proxy` */
	const struct d3_proxy *whole; /* convex stand-in of all of `shape` */
	bool bullet;
	bool jointed; /* on joints: only its core is stopped, see make_half */
	bool overtaken; /* a kinematic body may have passed through it: it is swept however slow it is */
	bool shared; /* see world->shared */
	bool later; /* the path has been examined before; bullets may have been moved since */
	bool again; /* only bullets moved since are tested */
	/* the body has had too many impacts, or is squeezed between a dynamic body and another: dynamic ones no longer stop it */
	bool crowded;
	struct d3_sweep sweep; /* the current part of the body's path */
	float from, until; /* times at which this part starts and ends: fractions of the step */
	struct d3_pose start, end; /* the body's poses at `from`, `until` */
	struct d3_rot_d turned[2]; /* their rotations */
	bool posed, stands; /* `start` and `end` are computed; they are equal */
	struct d3_vec turn_before; /* rotation in this step before this part [rad] */
	uint32_t carrier; /* the body that carries it along, or NONE */
	struct d3_sweep relative; /* the current part relative to the carrier, which is held at its pose at `from` */
	uint32_t ignored; /* an obstacle that no longer stops it, or NONE */
	bool bent; /* `relative` is wrong by more than a slop: the carrier is tested like any other obstacle */
	const struct d3_sweep *seen; /* `relative` against the carrier, else `sweep` */
	double arc; /* largest deviation of `seen` from its chord, in the obstacle's frame [length] */
	struct d3_motion motion; /* of the obstacle and `seen` */
	bool looked, slow; /* proxy_look has run for `proxy`; the proxy moves too little to pass through anything */
	struct box around, box; /* AABBs of the proxy's path: for any rotation; tight, see way_box */
	bool boxed; /* `box` is computed */
	float target, tolerance; /* separation to keep, and its tolerance [length] */
	/* largest distance of the body's points: from its centre of mass; from their straight paths, by rotation [length] */
	float extent, bulge;
	float t; /* time of the first impact as a fraction of the part; 1: none so far */
	struct met first; /* that impact */
	double lift; /* first.place is farther from the obstacle than the position where the body stops by this [length] */
	bool turns; /* the body's centre of mass hits, so that the body may turn on */
	bool deep; /* the core hits; the shape overlaps already */
	bool behind; /* the shape starts behind a one-sided triangle, which stops it only from the front */
	struct d3_vec_d front; /* normal of the triangle's front, in the obstacle's frame */
	struct met met[LAST_IMPACT];
	int impacts;
	struct impact bounces[LAST_IMPACT];
	int bounce_count;
	void (*against)(struct sweep_query *query, uint32_t other_id); /* called for each proxy near the path */
	/* results of near_against: the least distance from the obstacle that was hit, and from any obstacle at rest [length] */
	float near_obstacle, near;
	struct d3_vec_d obstacle_normal, normal; /* the normals at those distances, in the world */
};

/* A point of the body at time t of the sweep, in the given frame. */
static struct d3_vec_d place_in(const struct d3_pose *frame, const struct d3_sweep *sweep, float t, struct d3_vec point)
{
	struct d3_pose pose = d3_sweep_pose(sweep, t);
	struct d3_rot_d q = d3_exact_rot(pose.q), home = d3_exact_rot(frame->q);
	struct d3_vec_d at =
		d3_add_d((struct d3_vec_d){pose.x - frame->x, pose.y - frame->y, pose.z - frame->z}, d3_turn_d(&q, d3_widen(point)));
	return d3_inv_turn_d(&home, at);
}

static struct d3_vec_d sweep_center(const struct d3_sweep *delta, float t)
{
	return d3_mul_add_d(delta->from, (double)t, d3_sub_d(delta->to, delta->from));
}

/* Whether a body may have rotated by more than half a turn in this step. False for a moved linkage member, whose state does not
 * have the rotation. */
static bool turns_far(const struct world *world, uint32_t body)
{
	return !bits_has(&world->taken_bodies, body) && d3_length(d3_state(world, body)->turn) > 0.5f * SCALAR_PI_F;
}

/* Rotation vector of a body in this step, perhaps of more than half a turn [rad]. */
static struct d3_vec body_turned(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	struct d3_vec turn = d3_turn_between(row->q0, row->q);
	double angle = (double)d3_length(turn);
	if (!turns_far(world, body) || !(angle > 1e-3))
		return turn;
	double about = (double)d3_dot(d3_state(world, body)->turn, turn) / angle;
	double whole = angle + 2.0 * SCALAR_PI * floor((about - angle) / (2.0 * SCALAR_PI) + 0.5);
	return d3_scale((float)(whole / angle), turn);
}

/* Height of an arc over its chord: r (1 - cos(angle/2)), at most r. */
static float arc_bulge(float radius, struct d3_vec turn)
{
	float angle = d3_length(turn);
	return angle < SCALAR_PI_F ? radius * max_f(0.0f, 1.0f - scalar_cos_sin(0.5 * (double)angle).cosine) : radius;
}

float d3_body_bulge(const struct world *world, uint32_t id)
{
	const struct d3_body *row = d3_row(world, id);
	if (turns_far(world, id))
		return arc_bulge(row->max_extent, body_turned(world, id));
	/* of half the angle */
	float cosine = row->q0.x * row->q.x + row->q0.y * row->q.y + row->q0.z * row->q.z + row->q0.w * row->q.w;
	return row->max_extent * max_f(0.0f, 1.0f - abs_f(cosine));
}

static struct d3_sweep obstacle_way(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	if (world->bodies.data[body].set == SET_AWAKE)
		return (struct d3_sweep){
			row->local_center, {row->x0, row->y0, row->z0}, {row->x, row->y, row->z}, row->q0, body_turned(world, body)};
	struct d3_pose pose = d3_row_pose(row);
	return d3_sweep_fixed(&pose);
}

static bool way_leads_on(const struct d3_sweep *delta)
{
	return delta->from.x != delta->to.x || delta->from.y != delta->to.y || delta->from.z != delta->to.z ||
		delta->turn.x != 0.0f || delta->turn.y != 0.0f || delta->turn.z != 0.0f;
}

static struct d3_sweep way_part(const struct d3_sweep *delta, float from, float until)
{
	if (from <= 0.0f && until >= 1.0f)
		return *delta;
	return (struct d3_sweep){delta->local_center, sweep_center(delta, from), sweep_center(delta, until),
		d3_sweep_pose(delta, from).q, d3_scale(until - from, delta->turn)};
}

static struct d3_pose pose_at(const struct world *world, uint32_t body, float time)
{
	struct d3_sweep delta = obstacle_way(world, body);
	return d3_sweep_pose(&delta, time);
}

static struct d3_vec_d place_of(const struct d3_pose *pose)
{
	return (struct d3_vec_d){pose->x, pose->y, pose->z};
}

static struct d3_vec_d turned_home(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_inv_turn_d(&rot, v);
}

static struct d3_vec_d turned_out(struct d3_quat q, struct d3_vec_d v)
{
	struct d3_rot_d rot = d3_exact_rot(q);
	return d3_turn_d(&rot, v);
}

/* The body's pose at time t of `seen`. */
static struct d3_pose seen_pose(const struct sweep_query *query, float t)
{
	if (query->seen == &query->sweep && (t == 0.0f || t == 1.0f))
		return t == 0.0f ? query->start : query->end;
	return d3_sweep_pose(query->seen, t);
}

/* Whether the body does not approach the obstacle along this normal: neither of them turns, and the body moves along the
 * surface or away from it. */
static bool goes_along(const struct sweep_query *query, const struct d3_sweep *obstacle, const struct d3_vec_d *normal)
{
	const struct d3_sweep *delta = query->seen;
	struct d3_vec_d moves = d3_sub_d(d3_sub_d(delta->to, delta->from), d3_sub_d(obstacle->to, obstacle->from));
	return d3_length(delta->turn) == 0.0f && d3_length(obstacle->turn) == 0.0f &&
		d3_dot_d(moves, *normal) >= -PATH_ROUNDING * (double)query->target;
}

/* Records an impact at time t of `seen`, if none is earlier. */
static void hit_note(struct sweep_query *query, const struct d3_sweep *obstacle, uint32_t body, float t,
	const struct d3_vec_d *normal, bool deep, bool turns)
{
	if (t >= query->t || goes_along(query, obstacle, normal))
		return;
	struct d3_pose pose = d3_sweep_pose(obstacle, t);
	if (query->behind && d3_dot_d(*normal, turned_out(pose.q, query->front)) <= 0.0)
		return;
	query->t = t;
	query->first = (struct met){body, {query->proxy, query->other}, turned_home(pose.q, *normal),
		turned_home(pose.q, d3_mul_add_d(d3_sub_d(sweep_center(query->seen, t), place_of(&pose)), query->lift, *normal)),
		false};
	query->turns = turns;
	query->deep = deep;
}

/* Largest deviation of the path of the shape's middle from its chord: by rotation of the obstacle, and by rotation of the body
 * about its centre of mass [length]. */
static double middle_arc(const struct sweep_query *query)
{
	double turn = (double)d3_length(query->seen->turn);
	return query->arc + 0.125 * turn * turn * (double)d3_length(d3_sub(query->shape->centroid, query->seen->local_center));
}

/* Whether the shape's middle approaches along the normal, given in the obstacle's frame, from time 0 to t. */
static bool middle_nears(const struct sweep_query *query, const struct d3_sweep *obstacle, struct d3_vec_d normal, float t)
{
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f), then = d3_sweep_pose(obstacle, t);
	struct d3_vec middle = query->shape->centroid;
	return d3_dot_d(d3_sub_d(place_in(&then, query->seen, t, middle), place_in(&pose, query->seen, 0.0f, middle)), normal) <
		0.0;
}

/* A body thinner than the overlap of resting contacts rests with its middle inside the obstacle. With its middle less than a
 * slop below a plane face, it is stopped from going deeper. */
static void sweep_sunk(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body)
{
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f);
	struct d3_vec_d p = place_in(&pose, query->seen, 0.0f, query->shape->centroid), n = {0.0, 0.0, 0.0};
	double height = -(double)query->target;
	for (uint32_t i = 0; a->hull != NULL && i < a->hull->face_count; ++i) {
		double above = d3_dot_d(a->hull->planes[i].normal, p) - a->hull->planes[i].offset - a->radius;
		n = above > height ? a->hull->planes[i].normal : n;
		height = max_d(height, above);
	}
	struct d3_vec_d normal = turned_out(pose.q, n);
	if (middle_nears(query, obstacle, n, 1.0f))
		hit_note(query, obstacle, body, 0.0f, &normal, true,
			d3_length(d3_sub(query->shape->centroid, query->sweep.local_center)) <= query->target);
}

/* For a shape whose core overlaps, too. The contact pushes the body out, but the shape's middle must not pass through: in one
 * step it may approach by half of its distance, and to no less than a slop. Closer, a rounding error could put it behind a thin
 * obstacle, and the contact would push the body out there. */
static void sweep_middle(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body)
{
	const struct d3_vec *centroid = &query->shape->centroid;
	struct d3_proxy middle = {.type = D3_PROXY_POINTS, .count = 1, .points = centroid, .reach = d3_length(*centroid)};
	struct d3_pose pose = d3_sweep_pose(obstacle, 0.0f), start = d3_sweep_pose(query->seen, 0.0f);
	struct d3_vec_d normal;
	double distance = d3_poses_separation(a, &pose, &middle, &start, &normal);
	if (distance <= 0.0) {
		sweep_sunk(query, a, obstacle, body);
		return;
	}
	bool bent = middle_arc(query) > 0.25 * distance; /* then the middle may be nearer on its path than at its end */
	bool nears = middle_nears(query, obstacle, turned_home(pose.q, normal), bent ? 1.0f / 16.0f : 1.0f);
	if (!nears && !bent)
		return; /* the middle moves away */
	struct d3_impact_result impact = {.state = D3_IMPACT_HIT, .normal = normal};
	float stop = (float)distance;
	if (distance > (double)query->target || !nears) {
		float half = 0.5f * (float)distance;
		stop = nears ? max_f(query->target, min_f(4.0f * query->target, half)) : half;
		d3_time_of_impact(a, &middle, &query->motion, (double)stop, 0.25 * (double)stop, (double)query->t, &impact);
		impact.normal = d3_turn_d(&query->motion.frame, impact.normal);
	}
	query->lift = max_d(0.0, (double)(query->target - stop));
	if (impact.state != D3_IMPACT_SEPARATED)
		hit_note(query, obstacle, body, (float)impact.t, &impact.normal, true,
			d3_length(d3_sub(*centroid, query->sweep.local_center)) <= query->target);
}

/* Shrinks a rounded shape, so that it may penetrate by a slop before it is stopped, as at rest: a separation to keep would hold
 * back sliding bodies, and pull at their joints. */
static void sink(struct d3_proxy *proxy, double depth)
{
	if (proxy->type == D3_PROXY_POINTS)
		proxy->radius -= min_d(proxy->radius, depth);
}

struct core {
	struct d3_vec points[14];
	struct d3_proxy proxy;
};

/* Makes a core: the shape scaled by `part` about its middle, by 14 support points. Round shapes, and those of many corners,
 * keep only some. */
static void make_core(const struct sweep_query *query, float part, double radius, struct core *core)
{
	core->proxy = (struct d3_proxy){.type = D3_PROXY_POINTS, .count = 14, .points = core->points, .radius = radius};
	for (int i = 0; i < 14; ++i) {
		struct d3_vec_d delta = {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
		if (i >= 8)
			delta = (struct d3_vec_d){i / 2 == 4 ? delta.x : 0.0, i / 2 == 5 ? delta.x : 0.0, i / 2 == 6 ? delta.x : 0.0};
		struct d3_vec point = d3_narrow(d3_core_support(query->whole, delta));
		core->points[i] = d3_mul_add(query->shape->centroid, part, d3_sub(point, query->shape->centroid));
		core->proxy.reach = max_d(core->proxy.reach, (double)d3_length(core->points[i]));
	}
}

/* Makes a core of half the shape's size, smaller if the shape is thin, so that the core is not near a surface on which the body
 * lies. Of a jointed body only this core is stopped, since the others are moved with it: the contact of the next step finds a
 * wheel deeper in the ground, and the solver stops the wheel together with its car. */
static void make_half(const struct sweep_query *query, struct core *core)
{
	float inner = query->shape->inner, part = inner > 0.0f ? clamp_f(1.0f - 2.5f * query->target / inner, 0.0f, 0.5f) : 0.0f;
	make_core(query, part, query->jointed && query->whole->type == D3_PROXY_POINTS ? 0.5 * query->whole->radius : 0.0, core);
}

/* Sweeps the shape if it is separated at the start; else its core, if that is; else its middle. */
static void sweep_convex(struct sweep_query *query, const struct d3_proxy *a, const struct d3_sweep *obstacle, uint32_t body,
	const struct d3_proxy *b)
{
	struct d3_proxy sunk_a = *a, sunk_b = *b;
	sink(&sunk_b, 2.0 * (double)query->target);
	sink(&sunk_a, 2.0 * (double)query->target - (b->radius - sunk_b.radius));
	query->lift = 0.0;
	struct d3_impact_result impact;
	d3_time_of_impact(
		&sunk_a, &sunk_b, &query->motion, (double)query->target, (double)query->tolerance, (double)query->t, &impact);
	bool deep = impact.state == D3_IMPACT_OVERLAPPING;
	if (deep) {
		struct core core;
		if (query->shared)
			bullet_ask(query->world, query->body, body);
		make_core(query, CORE, query->whole->type == D3_PROXY_POINTS ? (double)CORE * query->whole->radius : 0.0, &core);
		d3_time_of_impact(a, &core.proxy, &query->motion, 0.0, (double)query->tolerance, (double)query->t, &impact);
	}
	if (impact.state == D3_IMPACT_OVERLAPPING) {
		sweep_middle(query, a, obstacle, body);
	} else if (impact.state != D3_IMPACT_SEPARATED) { /* after a failed search, too, the path is free up to impact.t */
		struct d3_vec_d normal = d3_turn_d(&query->motion.frame, impact.normal);
		hit_note(query, obstacle, body, (float)impact.t, &normal, deep, false);
	}
}

/* --- Meshes and height fields --------------------------------------------------------------------------------------------- */

/* Triangles near a path that the first traversal keeps for the second; with more, the second searches the tree. */
enum { NEAR_TRIANGLES = 32 };

struct surface_query {
	struct sweep_query *query;
	const struct d3_shape *surface;
	const struct d3_sweep *obstacle;
	uint32_t body;
	const struct d3_proxy *moving;
	float lower[3], upper[3]; /* AABB of the path, in the surface's frame */
	struct d3_rot_d stands[2]; /* rotations and positions of the body at the start and the end, in the surface's frame */
	struct d3_vec_d places[2];
	bool straight; /* the path is straight in the surface's frame */
	struct d3_vec_d from, to; /* the middle of the shape at the start and the end, in the surface's frame */
	double arc; /* largest deviation of the middle's path from its chord [length] */
	double core; /* triangles are tested if the middle approaches them by this, or to within this [length] */
	double turned; /* largest displacement of a point of the core by rotation [length] */
	bool any; /* all triangles count, not only those that can stop the body */
	bool known; /* `triangles` has all of them: the second traversal needs no tree */
	uint32_t triangles[NEAR_TRIANGLES], triangle_count;
	float near; /* least distance of a tested triangle */
	float enough; /* at this distance the search for a nearer triangle ends */
	double far; /* triangles farther than this are ignored [length] */
	struct d3_vec_d normal; /* of the triangle at `near`, towards the body */
};

/* Normal of a triangle, as long as twice its area. */
static struct d3_vec_d triangle_normal(const struct d3_proxy *triangle)
{
	struct d3_vec_d a = d3_widen(triangle->own[0]), b = d3_widen(triangle->own[1]), c = d3_widen(triangle->own[2]);
	return d3_cross_d(d3_sub_d(b, a), d3_sub_d(c, a));
}

/* Whether the triangle can stop the shape. A shape that starts behind a one-sided triangle may come out through it. A shape
 * that slides along a triangle, or is pressed against it, is stopped by the contact.
 * Source: Catto's rule for chains, b2ContinuousQueryCallback in Box2D, 2025. */
static bool triangle_stops(const struct surface_query *query, const struct d3_proxy *triangle)
{
	struct d3_vec_d a = d3_widen(triangle->own[0]), normal = triangle_normal(triangle);
	double from = d3_dot_d(normal, d3_sub_d(query->from, a)), to = d3_dot_d(normal, d3_sub_d(query->to, a));
	double core = query->core * d3_length_d(normal), side = from < 0.0 ? -1.0 : 1.0;
	double arc = query->arc * d3_length_d(normal);
	if (query->surface->one_sided && !comes_through(from, to, arc, core))
		return false;
	return query->turned >= query->core || side * (from - to) >= core || side * to <= core ||
		(arc > 0.0 && min_d(side * from, side * to) - arc <= core);
}

typedef void triangle_visit(struct surface_query *query, const struct d3_proxy *triangle);

/* Visits a leaf's triangles that can stop the shape, or all if `any`. */
static void leaf_walk(struct surface_query *query, uint32_t first, uint32_t count, triangle_visit *visit)
{
	struct d3_proxy triangle;
	for (uint32_t i = first; i < first + count; ++i) {
		d3_make_proxy(query->surface, i, &triangle);
		if (!query->any && !triangle_stops(query, &triangle))
			continue;
		visit(query, &triangle);
		if (query->triangle_count < NEAR_TRIANGLES)
			query->triangles[query->triangle_count] = i;
		++query->triangle_count;
	}
}

/* Tests four nodes at a time. */
static void mesh_walk(struct surface_query *query, triangle_visit *visit)
{
	const struct d3_mesh *mesh = query->surface->mesh;
	uint32_t stack[D3_NODE_STACK], depth = 0;
	float4 lower[3], upper[3];
	stack[depth++] = 0;
	while (depth > 0) {
		const struct d3_node4 *nodes = &mesh->nodes[stack[--depth] / 4];
		int4 links, out;
		memcpy(&links, nodes->links, sizeof links);
		d3_mesh_read_four(mesh, nodes, lower, upper);
		out = links == 0;
		for (int k = 0; k < 3; ++k)
			out |= (lower[k] > float4_of(query->upper[k])) | (upper[k] < float4_of(query->lower[k]));
		for (uint32_t in = 15u & ~float4_bits(out); in; in &= in - 1) {
			uint32_t link = nodes->links[__builtin_ctz(in)];
			if (d3_link_is_leaf(link))
				leaf_walk(query, link >> 4, d3_link_count(link), visit);
			else
				stack[depth++] = link >> 4;
		}
	}
}

static bool node_near(const struct surface_query *query, const struct d3_node *node)
{
	return node->lower.x <= query->upper[0] && node->upper.x >= query->lower[0] && node->lower.y <= query->upper[1] &&
		node->upper.y >= query->lower[1] && node->lower.z <= query->upper[2] && node->upper.z >= query->lower[2];
}

static void field_walk(struct surface_query *query, triangle_visit *visit)
{
	uint32_t stack[D3_NODE_STACK], depth = 0;
	stack[depth++] = 0;
	while (depth > 0) {
		struct d3_node node;
		d3_shape_node(query->surface, stack[--depth], &node);
		if (!node_near(query, &node))
			continue;
		if (node.leaf)
			leaf_walk(query, node.first, node.count, visit);
		for (uint32_t i = node.leaf ? 0 : node.count; i-- > 0;)
			stack[depth++] = node.first + i;
	}
}

static void for_near_triangles(struct surface_query *query, triangle_visit *visit)
{
	struct d3_proxy triangle;
	for (uint32_t i = 0; query->known && i < query->triangle_count; ++i) {
		d3_make_proxy(query->surface, query->triangles[i], &triangle);
		visit(query, &triangle);
	}
	if (query->known)
		return;
	query->triangle_count = 0;
	if (query->surface->mesh != NULL)
		mesh_walk(query, visit);
	else
		field_walk(query, visit);
	query->known = query->triangle_count <= NEAR_TRIANGLES;
}

/* Distance of the shape from the triangle's plane along `normal`, at the start or the end: a lower bound on its distance from
 * the triangle. */
static double plane_gap(const struct surface_query *query, const struct d3_proxy *triangle, struct d3_vec_d normal, int end)
{
	const struct d3_rot_d *q = &query->stands[end];
	struct d3_vec_d down = d3_neg_d(d3_inv_turn_d(q, normal));
	double height = d3_dot_d(normal, d3_sub_d(query->places[end], d3_widen(triangle->own[0])));
	return height - d3_core_reach(query->moving, &down) - query->moving->radius;
}

/* Unit normal of the triangle, to the side on which the shape starts. */
static struct d3_vec_d plane_side(const struct surface_query *query, const struct d3_proxy *triangle)
{
	struct d3_vec_d normal = triangle_normal(triangle);
	double length = d3_length_d(normal);
	double side = d3_dot_d(normal, d3_sub_d(query->from, d3_widen(triangle->own[0]))) < 0.0 ? -1.0 : 1.0;
	return d3_scale_d(length > 0.0 ? side / length : 0.0, normal);
}

/* Whether the shape stays on one side of the triangle's plane, and off it. */
static bool triangle_passed(const struct surface_query *query, const struct d3_proxy *triangle)
{
	const struct sweep_query *sweep = query->query;
	struct d3_vec_d normal = plane_side(query, triangle);
	double free = (double)(sweep->target + sweep->tolerance + sweep->bulge);
	return query->straight && plane_gap(query, triangle, normal, 0) > free && plane_gap(query, triangle, normal, 1) > free;
}

static void triangle_near(struct surface_query *query, const struct d3_proxy *triangle)
{
	if (query->near <= query->enough ||
		plane_gap(query, triangle, plane_side(query, triangle), 0) > min_d((double)query->near, query->far))
		return;
	struct d3_pose pose = d3_sweep_pose(query->obstacle, 0.0f), start = d3_sweep_pose(query->query->seen, 0.0f);
	struct d3_vec_d normal;
	float distance = (float)d3_poses_separation(triangle, &pose, query->moving, &start, &normal);
	if (distance < query->near) {
		query->near = distance;
		query->normal = normal;
	}
}

static void triangle_sweep(struct surface_query *query, const struct d3_proxy *triangle)
{
	if (triangle_passed(query, triangle))
		return;
	query->query->front = triangle_normal(triangle);
	query->query->behind =
		query->surface->one_sided && d3_dot_d(query->query->front, d3_sub_d(query->from, d3_widen(triangle->own[0]))) <= 0.0;
	sweep_convex(query->query, triangle, query->obstacle, query->body, query->moving);
}

/* Computes the body's poses at both ends, and the path's AABB, in the surface's frame. */
static void way_bounds(struct surface_query *query)
{
	const struct sweep_query *sweep = query->query;
	const struct d3_shape *shape = sweep->shape;
	bool moves = way_leads_on(query->obstacle);
	struct d3_pose frame = d3_sweep_pose(query->obstacle, 0.0f);
	struct d3_rot_d home = d3_exact_rot(frame.q);
	for (int end = 0; end < 2; ++end) {
		float t = end ? sweep->t : 0.0f;
		if (end && moves) {
			frame = d3_sweep_pose(query->obstacle, t);
			home = d3_exact_rot(frame.q);
		}
		struct d3_pose pose = seen_pose(sweep, t);
		struct d3_vec_d p = d3_inv_turn_d(&home, d3_sub_d(place_of(&pose), place_of(&frame)));
		struct d3_pose relative = {p.x, p.y, p.z, d3_inv_mul_quat(frame.q, pose.q)};
		query->stands[end] = d3_exact_rot(relative.q);
		query->places[end] = p;
		struct box box = d3_shape_box(shape, &relative, 2.0f * sweep->target + sweep->bulge + (float)sweep->arc);
		*(end ? &query->to : &query->from) = d3_add_d(p, d3_turn_d(&query->stands[end], d3_widen(shape->centroid)));
		for (int k = 0; k < 3; ++k) {
			query->lower[k] = end ? min_f(query->lower[k], box.lower[k]) : box.lower[k];
			query->upper[k] = end ? max_f(query->upper[k], box.upper[k]) : box.upper[k];
		}
	}
	query->arc = middle_arc(sweep);
	query->straight = sweep->arc == 0.0 && d3_length(query->obstacle->turn) == 0.0f;
}

/* Sweeps against a mesh or height field. A shape in contact with some triangles slides over the others: only its core is
 * stopped. */
static void sweep_surface(
	struct sweep_query *query, const struct d3_shape *surface, const struct d3_sweep *obstacle, uint32_t body)
{
	struct surface_query of = {.query = query,
		.surface = surface,
		.obstacle = obstacle,
		.body = body,
		.moving = query->whole,
		.near = INFINITY,
		.enough = query->target,
		.far = (double)query->target,
		.core = (double)max_f(query->target, CORE * query->shape->inner)};
	struct core core;
	way_bounds(&of);
	if (!query->jointed)
		for_near_triangles(&of, triangle_near);
	if (of.known && of.triangle_count == 0)
		return;
	d3_make_motion(obstacle, query->seen, &query->motion);
	if (of.near <= query->target || query->jointed) {
		make_half(query, &core);
		of.moving = &core.proxy;
		of.turned = core.proxy.reach * (double)d3_length(query->seen->turn);
		of.known = of.known && of.turned < of.core;
	}
	for_near_triangles(&of, triangle_sweep);
}

/* --- Bodies --------------------------------------------------------------------------------------------------------------- */

/* How much lower a point of the shape may get between the start, middle and end of the path than there: since its centre's path
 * curves, and by rotation, w^2 r / 8 for each half of the path [length]. */
static float dip_between(const struct sweep_query *query, const struct d3_sweep *obstacle, const struct d3_shape *b)
{
	double far = d3_length_d(d3_sub_d(b->middle, d3_widen(query->seen->local_center))) + b->reach - (double)b->radius;
	double turn = (double)d3_length(d3_sub(query->seen->turn, obstacle->turn));
	return (float)(0.25 * query->arc + 0.03125 * turn * turn * far);
}

/* Whether the shape slides along a face of the obstacle, at most 1.5 slops below it: a slop, and half of one for resting on it.
 * Then the obstacle's other faces are seams to its neighbours. */
static bool slides_over(
	const struct sweep_query *query, const struct d3_shape *a, const struct d3_sweep *obstacle, const struct d3_shape *b)
{
	static const float times[3] = {0.0f, 1.0f, 0.5f};
	struct d3_transform places[3];
	struct d3_pose frame = d3_sweep_pose(obstacle, 0.0f);
	float depth =
		min_f(1.5f * query->target, 0.5f * b->inner) - max_f(0.0f, dip_between(query, obstacle, b) - 0.5f * query->target);
	for (uint32_t i = 0; i < 3; ++i) {
		float t = times[i] * query->t;
		if (i > 0 && way_leads_on(obstacle))
			frame = d3_sweep_pose(obstacle, t);
		struct d3_pose pose = seen_pose(query, t);
		places[i] = d3_pose_relative(&frame, &pose);
		if (i > 0 && !d3_stays_above(a, b, places, i + 1, depth))
			return false;
	}
	return true;
}

/* Whether proxy `other_id` can stop the body. */
static bool sweep_meets(const struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	const struct body *other = &world->bodies.data[body];
	return body != query->ignored && (other->type != BODY_DYNAMIC || (query->bullet && !query->crowded)) &&
		sweep_allowed(world, query->proxy, other_id);
}

/* Largest deviation of the path of the body's centre of mass from its chord, in the frame of a rotating obstacle: 1/8 of the
 * path's greatest second derivative, whose centrifugal and Coriolis parts are |w|^2 |p| + 2 |w| |v|. */
static double arc_of(const struct d3_sweep *delta, const struct d3_sweep *obstacle)
{
	double w = (double)d3_length(obstacle->turn);
	if (w == 0.0)
		return 0.0;
	struct d3_vec_d start = d3_sub_d(delta->from, obstacle->from), end = d3_sub_d(delta->to, obstacle->to);
	return 0.125 * (w * w * max_d(d3_length_d(start), d3_length_d(end)) + 2.0 * w * d3_length_d(d3_sub_d(end, start)));
}

/* Sets `seen` and `arc` for the obstacle `body`, and returns its motion in this part. The swept body's carrier is held still,
 * unless `bent`. */
static struct d3_sweep see(struct sweep_query *query, uint32_t body)
{
	struct d3_sweep delta = obstacle_way(query->world, body);
	bool carries = body == query->carrier && !query->bent;
	query->seen = carries ? &query->relative : &query->sweep;
	struct d3_sweep part = way_part(&delta, query->from, carries ? query->from : query->until);
	query->arc = arc_of(query->seen, &part);
	return part;
}

/* Upper bound on the rotation of the body in this step [rad]. */
static double turn_bound(const struct world *world, uint32_t body)
{
	const struct d3_body *row = d3_row(world, body);
	if (world->bodies.data[body].set != SET_AWAKE)
		return 0.0;
	if (turns_far(world, body))
		return (double)d3_length(d3_state(world, body)->turn);
	struct d3_quat a = row->q0, b = row->q;
	double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z), w = (double)(a.w - b.w);
	return SCALAR_PI * sqrt(x * x + y * y + z * z + w * w); /* the angle is 4 asin(d/2) */
}

/* The same for the current part of the swept body's path. */
static double own_turn_bound(const struct sweep_query *query)
{
	return query->posed ? (double)d3_length(query->sweep.turn) : turn_bound(query->world, query->body);
}

/* *p, *v: position and displacement of the swept body relative to a dynamic `body`, in the part of the step up to `until`, from
 * here to there. */
static void ways_between(const struct sweep_query *query, uint32_t body, struct d3_vec_d here, struct d3_vec_d there,
	float until, struct d3_vec_d *p, struct d3_vec_d *v)
{
	const struct d3_body *row = d3_row(query->world, body);
	struct d3_vec_d last = {row->x, row->y, row->z}, first = last;
	if (query->world->bodies.data[body].set == SET_AWAKE)
		first = (struct d3_vec_d){row->x0, row->y0, row->z0};
	struct d3_vec_d whole = d3_sub_d(last, first);
	*p = d3_sub_d(here, d3_mul_add_d(first, (double)query->from, whole));
	*v = d3_sub_d(d3_sub_d(there, here), d3_scale_d((double)(until - query->from), whole));
}

/* Position of body `id` relative to body `other` when the step began. */
static struct d3_vec_d way_begin(const struct world *world, uint32_t id, uint32_t other)
{
	const struct d3_body *a = d3_row(world, other), *b = d3_row(world, id);
	bool awake = world->bodies.data[other].set == SET_AWAKE;
	return (struct d3_vec_d){b->x0 - (awake ? a->x0 : a->x), b->y0 - (awake ? a->y0 : a->y), b->z0 - (awake ? a->z0 : a->z)};
}

/* Whether the swept body, which moves by v from p relative to a dynamic one, has moved so little relative to it that they
 * cannot have passed through each other. */
static bool moves_little(const struct sweep_query *query, uint32_t body, struct d3_vec_d p, struct d3_vec_d v)
{
	const struct d3_body *row = d3_row(query->world, body);
	double most =
		free_path(query->world, query->body, (double)min_f(d3_row(query->world, query->body)->min_extent, row->min_extent));
	double square = d3_dot_d(v, v);
	double turn = turn_bound(query->world, body) * (double)row->max_extent;
	if (square > most * most || sqrt(square) + own_turn_bound(query) * (double)query->extent + turn > most)
		return false;
	struct d3_vec_d begin = way_begin(query->world, query->body, body);
	struct d3_vec_d before = d3_sub_d(p, begin);
	struct d3_vec_d after = d3_sub_d(d3_add_d(p, v), begin);
	return d3_length_d(before) <= most && d3_length_d(after) <= most;
}

/* Whether the body cannot hit a dynamic one: bounding balls stay apart, both centres moving straight, or it moves little
 * relative to it; or cannot hit its carrier, relative to which it hardly moves. */
static bool balls_pass(const struct sweep_query *query, uint32_t body)
{
	if (body == query->carrier)
		return d3_length_d(d3_sub_d(query->relative.to, query->relative.from)) <= (double)(STAYS * query->target);
	if (query->world->bodies.data[body].type != BODY_DYNAMIC)
		return false;
	struct d3_vec_d p, v;
	ways_between(query, body, query->sweep.from, query->sweep.to, query->until, &p, &v);
	struct d3_vec_d nearest = d3_path_nearest(p, v);
	double reach = (double)(query->extent + d3_row(query->world, body)->max_extent + 2.0f * query->target);
	return d3_dot_d(nearest, nearest) > reach * reach || moves_little(query, body, p, v);
}

/* Whether bounds on the motions show that the shape misses shape a, of an obstacle dynamic or at rest. */
static bool passes(const struct sweep_query *query, uint32_t body, const struct d3_shape *a)
{
	const struct d3_body *row = d3_row(query->world, body);
	bool awake = query->world->bodies.data[body].set == SET_AWAKE;
	if (query->impacts > 0 || !d3_shape_convex(a) || a->type == D3_HALF_SPACE ||
		(awake && query->world->bodies.data[body].type != BODY_DYNAMIC))
		return false;
	struct d3_path of_a = {{row->x, row->y, row->z}, {row->x, row->y, row->z}, row->q, row->q, row->local_center, 0.0};
	struct d3_path of_b = {
		query->sweep.from, query->sweep.to, query->start.q, query->end.q, query->sweep.local_center, (double)query->bulge};
	if (awake) {
		of_a.from = (struct d3_vec_d){row->x0, row->y0, row->z0};
		of_a.q0 = row->q0;
		of_a.bulge = (double)d3_body_bulge(query->world, body);
	}
	return d3_sweeps_separated(a, &of_a, query->shape, &of_b, (double)(query->target + query->tolerance));
}

static void sweep_against(struct sweep_query *query, uint32_t other_id)
{
	struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id);
	if ((query->impacts > 0 && balls_pass(query, body)) || !sweep_meets(query, other_id) || passes(query, body, part_a))
		return;
	struct d3_proxy proxy_a, proxy_b;
	query->other = other_id;
	query->whole = &proxy_b;
	d3_make_proxy(query->shape, 0, &proxy_b);
	struct d3_sweep obstacle = see(query, body);
	query->behind = false;
	if (d3_shape_surface(part_a)) {
		sweep_surface(query, part_a, &obstacle, body);
	} else if (!slides_over(query, part_a, &obstacle, query->shape)) {
		struct core core;
		d3_make_motion(&obstacle, query->seen, &query->motion);
		d3_make_proxy(part_a, 0, &proxy_a);
		if (query->jointed)
			make_half(query, &core);
		sweep_convex(query, &proxy_a, &obstacle, body, query->jointed ? &core.proxy : &proxy_b);
	}
}

/* Updates the least distances of the shape at its current pose from obstacles at rest, and from the one hit. */
static void near_against(struct sweep_query *query, uint32_t other_id)
{
	const struct world *world = query->world;
	uint32_t body = world->colliders.data[world->proxies.data[other_id].collider].body;
	if (!sweep_meets(query, other_id))
		return;
	const struct d3_shape *part_a = d3_proxy_part(world, other_id);
	struct d3_sweep obstacle = obstacle_way(world, body);
	if (way_leads_on(&obstacle))
		return;
	struct d3_proxy proxy_a, proxy_b;
	query->shape = d3_proxy_part(world, query->proxy);
	query->seen = &query->sweep;
	query->arc = 0.0;
	d3_make_proxy(query->shape, 0, &proxy_b);
	float distance;
	struct d3_vec_d normal;
	if (d3_shape_surface(part_a)) {
		struct surface_query of = {.query = query,
			.surface = part_a,
			.obstacle = &obstacle,
			.body = body,
			.moving = &proxy_b,
			.any = true,
			.near = INFINITY,
			.enough = -INFINITY,
			.far = INFINITY};
		way_bounds(&of);
		for_near_triangles(&of, triangle_near);
		distance = of.near;
		normal = of.normal;
	} else {
		d3_make_proxy(part_a, 0, &proxy_a);
		struct d3_pose frame = d3_row_pose(d3_row(world, body));
		distance = (float)d3_poses_separation(&proxy_a, &frame, &proxy_b, &query->end, &normal);
	}
	if (body == query->first.body && distance < query->near_obstacle) {
		query->near_obstacle = distance;
		query->obstacle_normal = normal;
	}
	if (distance < query->near) {
		query->near = distance;
		query->normal = normal;
	}
}

static struct d3_pose pose_of(const struct d3_rot_d *rot, struct d3_quat q, struct d3_vec_d center, struct d3_vec local_center)
{
	struct d3_vec_d at = d3_sub_d(center, d3_turn_d(rot, d3_widen(local_center)));
	return (struct d3_pose){at.x, at.y, at.z, q};
}

/* Computes the poses at both ends of the part. Most bullets do not need them: nothing is near them. */
static void query_pose(struct sweep_query *query)
{
	if (query->posed)
		return;
	struct d3_sweep *sweep = &query->sweep;
	struct d3_rot_d *turned = query->turned;
	struct d3_quat end = sweep->q0;
	query->posed = true;
	if (query->impacts == 0 && query->against == sweep_against && query->world->bodies.data[query->body].set == SET_AWAKE) {
		sweep->turn = body_turned(query->world, query->body);
		end = d3_row(query->world, query->body)->q;
		query->bulge = d3_body_bulge(query->world, query->body);
	} else {
		query->bulge = arc_bulge(query->extent, sweep->turn);
		if (sweep->turn.x != 0.0f || sweep->turn.y != 0.0f || sweep->turn.z != 0.0f)
			end = d3_sweep_pose(sweep, 1.0f).q;
	}
	query->stands = !way_leads_on(sweep);
	turned[0] = turned[1] = d3_exact_rot(sweep->q0);
	if (!query->stands)
		turned[1] = d3_exact_rot(end);
	query->start = pose_of(&turned[0], sweep->q0, sweep->from, sweep->local_center);
	query->end = query->stands ? query->start : pose_of(&turned[1], end, sweep->to, sweep->local_center);
}

/* Prepares the motion of a proxy. If its shape moves by less than half its inner radius it passes through nothing, however far
 * the body's other shapes move: it is `slow`. */
static void proxy_look(struct sweep_query *query)
{
	const struct d3_shape *part = d3_proxy_part(query->world, query->proxy);
	query_pose(query);
	const struct d3_pose *start = &query->start, *end = &query->end;
	struct d3_vec_d from = d3_turn_d(&query->turned[0], part->middle), to = d3_turn_d(&query->turned[1], part->middle);
	to = d3_add_d(to, (struct d3_vec_d){end->x - start->x, end->y - start->y, end->z - start->z});
	double moved = d3_length_d(d3_sub_d(to, from)) + (double)d3_length(query->sweep.turn) * part->reach;
	struct box_d box = {
		{start->x + min_d(from.x, to.x), start->y + min_d(from.y, to.y), start->z + min_d(from.z, to.z)},
		{start->x + max_d(from.x, to.x), start->y + max_d(from.y, to.y), start->z + max_d(from.z, to.z)},
	};
	query->shape = part;
	query->around = box_around_d(&box, part->reach + (double)(query->target + query->bulge), 3);
	query->boxed = false;
	query->slow = query->against != near_against && !query->overtaken && query->impacts == 0 &&
		!(moved > 0.5 * (double)part->inner && moved > (double)(STIRS * query->target));
	query->looked = true;
}

/* Tight AABB of the proxy's path, computed on demand: most paths have nothing near them. */
static const struct box *way_box(struct sweep_query *query)
{
	if (query->boxed)
		return &query->box;
	struct d3_pose end = query->t < 1.0f ? d3_sweep_pose(&query->sweep, query->t) : query->end;
	float margin = query->target + query->bulge;
	query->box = d3_shape_box(query->shape, &query->start, margin);
	if (!query->stands) {
		struct box box_end = d3_shape_box(query->shape, &end, margin);
		query->box = box_union(&query->box, &box_end);
	}
	query->boxed = true;
	return &query->box;
}

static bool sweep_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
	const struct box *box = &query->world->proxies.data[value].box;
	if (!query->looked)
		proxy_look(query);
	if (query->slow)
		return false;
	bool surface = d3_shape_surface(d3_proxy_part(query->world, value)); /* its triangles' boxes are tested instead */
	if (box_overlaps(&query->around, box) && (surface || box_overlaps(way_box(query), box)))
		query->against(query, value);
	return true;
}

/* For bullets: the boxes are known to overlap. */
static bool near_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
	query->against(query, value);
	return true;
}

/* For proxies near a bullet's whole path; before proxy_look. */
static bool bullet_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct sweep_query *query = context;
	uint32_t body = query->world->colliders.data[query->world->proxies.data[value].collider].body;
	if (balls_pass(query, body) || (query->later && !bullet_stands_in(query->world, body, query->body, query->again)))
		return true;
	if (!query->looked)
		proxy_look(query);
	if (!query->slow)
		query->against(query, value);
	return true;
}

/* Asks the other bullet to test the pair: this one does not. */
static bool ask_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	const struct sweep_query *query = context;
	bullet_ask(query->world, query->body, query->world->colliders.data[query->world->proxies.data[value].collider].body);
	return true;
}

static void unbounded_visit(struct sweep_query *query, const struct box *around, uint32_t value)
{
	const struct world *world = query->world;
	if (!world->wing->proxy_overlaps_box(world, value, around))
		return;
	if (!query->looked)
		proxy_look(query);
	if (!query->slow && world->wing->proxy_overlaps_box(world, value, way_box(query)))
		query->against(query, value);
}

/* Tests the proxy against non-dynamic and sleeping bodies. */
static void sweep_standing(struct sweep_query *query, const struct box *around)
{
	const struct world *world = query->world;
	tree_query(&world->trees[0], around, sweep_visit, query);
	for (uint32_t i = 0; i < world->unbounded.count; ++i)
		unbounded_visit(query, around, world->unbounded.data[i]);
}

static void sweep_proxy(struct sweep_query *query, uint32_t proxy)
{
	/* the paths' boxes do not follow a linkage that was moved */
	bool whole = query->bullet && query->impacts == 0 && !query->jointed;
	query->proxy = proxy;
	query->looked = query->slow = false;
	if (!whole)
		proxy_look(query);
	if (query->slow)
		return;
	if (!whole || !query->again)
		sweep_standing(query, whole ? bullet_path(query->world, proxy) : &query->around);
	if (whole)
		bullet_pairs(query->world, proxy, query->shared, bullet_visit, query);
	else if (query->bullet)
		bullet_query(query->world, way_box(query), near_visit, query);
	if (query->shared && query->slow)
		bullet_pairs(query->world, proxy, true, ask_visit, query);
}

static void colliders_sweep(struct sweep_query *query, const struct body *body)
{
	const struct world *world = query->world;
	query->posed = false;
	for (uint32_t c = body->colliders; c != NONE; c = world->colliders.data[c].next) {
		const struct collider *collider = &world->colliders.data[c];
		for (uint32_t p = collider->proxies; p != NONE && !collider->sensor; p = world->proxies.data[p].next)
			if (!world->proxies.data[p].unbounded && !d3_shape_surface(d3_proxy_part(world, p)))
				sweep_proxy(query, p);
			else if (query->shared)
				bullet_pairs(query->world, p, true, ask_visit, query);
	}
}

/* The rest of the path of a body that is carried along an arc. */
struct arc {
	const struct sweep_query *query;
	struct d3_vec_d here, there;
	double reach; /* obstacles farther than this from the chord are not in the way [length] */
	bool clear;
};

static bool arc_visit(void *context, uint32_t leaf, uint32_t value)
{
	(void)leaf;
	struct arc *arc = context;
	const struct world *world = arc->query->world;
	uint32_t body = world->colliders.data[world->proxies.data[value].collider].body;
	if (body == arc->query->body || body == arc->query->carrier)
		return true;
	struct d3_vec_d p, v;
	ways_between(arc->query, body, arc->here, arc->there, 1.0f, &p, &v);
	struct d3_vec_d nearest = d3_path_nearest(p, v);
	double reach = arc->reach + (double)d3_row(world, body)->max_extent;
	arc->clear = world->bodies.data[body].type == BODY_DYNAMIC && d3_dot_d(nearest, nearest) > reach * reach;
	return arc->clear;
}

/* Whether nothing else is near the rest of the path of a body that its carrier takes from here to there. `angle`: of the
 * carrier's whole rotation, `distance`: of the body from its centre. */
static bool arc_clear(
	const struct sweep_query *query, struct d3_vec_d here, struct d3_vec_d there, double angle, double distance)
{
	struct world *world = query->world;
	double part = min_d(0.5 * (1.0 - (double)query->from) * abs_d(angle), SCALAR_PI);
	/* of the arc over its chord; of a full turn the diameter */
	double height = distance * (1.0 - (double)scalar_cos_sin(part).cosine);
	struct arc arc = {query, here, there, height + (double)(query->extent + 2.0f * query->target), true};
	struct box_d box = {
		{min_d(here.x, there.x), min_d(here.y, there.y), min_d(here.z, there.z)},
		{max_d(here.x, there.x), max_d(here.y, there.y), max_d(here.z, there.z)},
	};
	struct box around = box_around_d(&box, arc.reach, 3);
	tree_query(&world->trees[0], &around, arc_visit, &arc);
	for (uint32_t i = 0; i < world->unbounded.count && arc.clear; ++i)
		arc.clear = !world->wing->proxy_overlaps_box(world, world->unbounded.data[i], &around);
	if (arc.clear && query->bullet)
		bullet_query(world, &around, arc_visit, &arc);
	return arc.clear;
}

/* Sets the pose. A body that is not round keeps its angular velocity in its own frame, and so its energy: a thin rod rotated
 * out of its spin axis would have a thousandfold of it. */
static void row_place(struct world *world, uint32_t id, const struct d3_pose *pose)
{
	struct d3_body *row = d3_row(world, id);
	if (row->tumbles) {
		struct d3_state *state = d3_state(world, id);
		state->w = d3_rotate(pose->q, d3_inv_rotate(row->q, state->w));
	}
	travel_leap(world, id);
	struct d3_vec r = d3_rotate(pose->q, row->local_center);
	row->x = pose->x + (double)r.x;
	row->y = pose->y + (double)r.y;
	row->z = pose->z + (double)r.z;
	row->q = pose->q;
	d3_row_turned(row);
}

/* A body stopped on its way down to (x, y, z) loses the speed of the rest of the fall: otherwise a body that hits the ground
 * fast would gain height.
 *   v_g' = sqrt(v_g^2 - 2 g d), v_g along g, the acceleration by gravity and forces, d how much lower it would be [length] */
static void fall_forget(const struct world *world, uint32_t id, double x, double y, double z)
{
	const struct d3_body *row = d3_row(world, id);
	struct d3_state *state = d3_state(world, id);
	struct d3_vec gravity = d3_scale(world->step.inv_h, d3_step_rows(world)[world->bodies.data[id].row].add);
	struct d3_vec_d g = d3_widen(gravity), rest = {x - row->x, y - row->y, z - row->z};
	double work = d3_dot_d(g, rest), square = d3_dot_d(g, g), along = d3_dot_d(g, d3_widen(state->v));
	if (work > 0.0 && along > 0.0) {
		double left = sqrt(max_d(0.0, along * along - 2.0 * work * square));
		state->v = d3_mul_add(state->v, (float)((left - along) / square), gravity);
	}
}

/* A point given in the pose's frame, in the world. */
static struct d3_vec_d point_at(const struct d3_pose *pose, struct d3_vec_d local)
{
	return d3_add_d(place_of(pose), turned_out(pose->q, local));
}

static struct d3_vec_d carried(const struct d3_pose *from, const struct d3_pose *to, struct d3_vec_d point)
{
	return point_at(to, turned_home(from->q, d3_sub_d(point, place_of(from))));
}

static struct d3_vec_d row_center(const struct d3_body *row)
{
	return (struct d3_vec_d){row->x, row->y, row->z};
}

/* --- After an impact ------------------------------------------------------------------------------------------------------ */

static void center_place(struct world *world, uint32_t id, struct d3_vec_d center, struct d3_quat q)
{
	struct d3_body *row = d3_row(world, id);
	struct d3_pose pose = d3_row_pose(row);
	pose.q = q;
	row_place(world, id, &pose);
	row->x = center.x;
	row->y = center.y;
	row->z = center.z;
}

/* Whether the body must stay in front of this surface: of a surface off which it has not bounced; if `crowded`, of a
 * non-dynamic one. */
static bool still_met(const struct sweep_query *query, const struct met *met)
{
	return query->crowded ? query->world->bodies.data[met->body].type != BODY_DYNAMIC : !met->bounced;
}

/* Moves *place, a position of the centre of mass, as little as possible to be in front of all surfaces that the body has hit,
 * at that time. False: they leave no such position. */
static bool place_find(const struct sweep_query *query, float time, struct d3_vec_d *place)
{
	struct path_plane planes[LAST_IMPACT];
	int count = 0;
	for (int i = 0; i < query->impacts; ++i) {
		const struct met *met = &query->met[i];
		if (!still_met(query, met))
			continue;
		struct d3_pose pose = pose_at(query->world, met->body, time);
		struct d3_vec_d n = turned_out(pose.q, met->normal);
		planes[count++] = (struct path_plane){{n.x, n.y, n.z}, d3_dot_d(n, d3_sub_d(point_at(&pose, met->place), *place))};
	}
	double delta[3] = {0.0, 0.0, 0.0};
	bool found = path_keep(planes, count, 0.1 * (double)query->target, delta);
	*place = (struct d3_vec_d){place->x + delta[0], place->y + delta[1], place->z + delta[2]};
	return found;
}

/* Whether rotation moves the body's surface by a slop at most, and by no more than the size of its core. */
static bool is_round(const struct sweep_query *query)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	return row->max_extent <= row->min_extent + min_f(query->target, CORE * row->min_extent);
}

/* Whether the body stops at its position relative to its kinematic carrier, not on its straight path in the world. These differ
 * by half a slop; the middle of a body sunk into the carrier may be nearer to its surface. The body stops on the straight path
 * where that hits another non-dynamic obstacle, into which it may have sunk as well, or where it would get behind a static one:
 * see is_behind. */
static bool stops_as_seen(const struct sweep_query *query)
{
	const struct body *bodies = query->world->bodies.data;
	if (query->carrier == NONE || query->bent || bodies[query->carrier].type != BODY_KINEMATIC)
		return false;
	return query->t >= 1.0f || query->first.body == query->carrier || bodies[query->first.body].type == BODY_DYNAMIC;
}

/* Whether `place` is behind a static surface that the body has hit, and farther behind than `other`. */
static bool is_behind(const struct sweep_query *query, struct d3_vec_d place, struct d3_vec_d other)
{
	for (int i = 0; i < query->impacts; ++i) {
		const struct met *met = &query->met[i];
		if (query->world->bodies.data[met->body].type != BODY_STATIC)
			continue;
		struct d3_pose pose = pose_at(query->world, met->body, 0.0f);
		struct d3_vec_d n = turned_out(pose.q, met->normal);
		if (d3_dot_d(n, d3_sub_d(place, point_at(&pose, met->place))) < 0.0 && d3_dot_d(n, d3_sub_d(place, other)) < 0.0)
			return true;
	}
	return false;
}

/* Moves the body to the end of its free path. A round body makes the whole rotation of the part. */
static void stop_at(struct sweep_query *query)
{
	float part = is_round(query) ? 1.0f : query->t, time = query->from + (query->until - query->from) * query->t;
	struct d3_vec_d place = sweep_center(&query->sweep, query->t);
	if (stops_as_seen(query)) {
		struct d3_pose from = pose_at(query->world, query->carrier, query->from);
		struct d3_pose to = pose_at(query->world, query->carrier, time);
		struct d3_vec_d seen = carried(&from, &to, sweep_center(&query->relative, query->t));
		place = is_behind(query, seen, place) ? place : seen;
	}
	center_place(query->world, query->body, place, d3_sweep_pose(&query->sweep, part).q);
	query->turn_before = d3_mul_add(query->turn_before, part, query->sweep.turn);
	query->from = time;
}

/* The obstacle that carries the body along: the last moving one that it has hit and not bounced off, a kinematic one if there
 * is one. NONE: all are at rest. */
static uint32_t find_carrier(const struct sweep_query *query)
{
	uint32_t carrier = NONE;
	for (int i = 0; i < query->impacts; ++i) {
		uint32_t body = query->met[i].body;
		struct d3_sweep delta = obstacle_way(query->world, body);
		bool dynamic = query->world->bodies.data[body].type == BODY_DYNAMIC;
		if (way_leads_on(&delta) && still_met(query, &query->met[i]) && !query->met[i].bounced &&
			(carrier == NONE || !dynamic || query->world->bodies.data[carrier].type == BODY_DYNAMIC))
			carrier = body;
	}
	return carrier;
}

/* Sets the next part of the path, up to query->until: to the position `there`, or the nearest one in front of all surfaces.
 * `from`, `to`: the carrier's poses, if any. False: the surfaces leave no room. */
static bool way_set(
	struct sweep_query *query, struct d3_vec_d there, struct d3_vec turn, const struct d3_pose *from, const struct d3_pose *to)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_vec_d here = row_center(row), wanted = there, off = {0.0, 0.0, 0.0};
	bool found = place_find(query, query->until, &there);
	if (query->carrier != NONE)
		off = turned_out(from->q, turned_home(to->q, d3_sub_d(there, wanted)));
	query->sweep = (struct d3_sweep){row->local_center, here, there, row->q, turn};
	query->relative = (struct d3_sweep){row->local_center, here, d3_add_d(here, off), row->q, {0.0f, 0.0f, 0.0f}};
	return found;
}

/* The same for a body that moves as if fixed to its carrier. */
static bool way_carry(struct sweep_query *query, const struct d3_sweep *carrier)
{
	struct d3_pose from = d3_sweep_pose(carrier, query->from), to = d3_sweep_pose(carrier, query->until);
	struct d3_vec_d there = carried(&from, &to, row_center(d3_row(query->world, query->body)));
	return way_set(query, there, d3_scale(query->until - query->from, carrier->turn), &from, &to);
}

/* Deviation of the path's middle from its chord, in the frame of the rotating carrier along which the body moves by s: w s / 4,
 * by Coriolis force [length]. */
static double way_bend(const struct sweep_query *query, const struct d3_sweep *carrier)
{
	double turned = (double)((query->until - query->from) * d3_length(carrier->turn));
	return 0.25 * turned * d3_length_d(d3_sub_d(query->relative.to, query->relative.from));
}

/* Chooses the next part of the path: fixed to the carrier if there is one, else by `rest` along the surfaces that the body has
 * hit. Relative to a rotating carrier, the path of a body that another one pushes along it is curved: the part ends where it
 * would deviate by more than half a slop. False: the surfaces leave no room. */
static bool way_choose(struct sweep_query *query, struct d3_vec_d rest, struct d3_vec turn)
{
	struct d3_vec_d here = row_center(d3_row(query->world, query->body));
	query->carrier = find_carrier(query);
	query->until = 1.0f;
	query->bent = false;
	if (query->carrier == NONE)
		return way_set(query, d3_add_d(here, rest), turn, NULL, NULL);
	struct d3_sweep carrier = obstacle_way(query->world, query->carrier);
	/* along a straight path the body arrives at the same position on a dynamic carrier */
	if (query->world->bodies.data[query->carrier].type != BODY_DYNAMIC)
		query->until = arc_end(query->from, (double)d3_length(carrier.turn),
			d3_length_d(d3_sub_d(here, sweep_center(&carrier, query->from))), (double)query->target);
	bool found = way_carry(query, &carrier);
	double most = 0.5 * (double)query->target, bend = way_bend(query, &carrier);
	if (bend > most) {
		query->until = part_end(query->from, query->until, most / bend);
		found = way_carry(query, &carrier);
		query->bent = way_bend(query, &carrier) > (double)query->target;
	}
	return found;
}

/* A body sunk into an obstacle may spin so that its surface moves out while its centre goes on: then no contact stops it, and
 * each step would sweep it into the obstacle. It gets the obstacle's velocity along the normal. */
static void sunk_stop(const struct sweep_query *query, struct d3_vec_d normal)
{
	const struct body *obstacle = &query->world->bodies.data[query->first.body];
	if (!query->deep || query->jointed || obstacle->type == BODY_DYNAMIC)
		return;
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_state *state = d3_state(query->world, query->body);
	if (row->inv_mass.x == 0.0f || row->inv_mass.y == 0.0f || row->inv_mass.z == 0.0f)
		return;
	struct d3_sweep delta = obstacle_way(query->world, query->first.body);
	struct d3_vec n = d3_narrow(normal);
	struct d3_vec u =
		d3_narrow(d3_obstacle_velocity(query->world, query->first.body, sweep_center(&delta, query->from), row_center(row)));
	state->v = d3_mul_add(state->v, max_f(0.0f, d3_dot(n, d3_sub(u, state->v))), n);
}

/* Whether the body bounces where it was stopped. If not, the contact of the next step acts on it. */
static bool rebound_find(const struct sweep_query *query, struct d3_vec_d normal, struct rebound *rebound)
{
	if (query->deep || query->turns || query->jointed || query->world->bodies.data[query->first.body].type == BODY_DYNAMIC)
		return false;
	struct d3_sweep obstacle = obstacle_way(query->world, query->first.body);
	return d3_rebound_find(query->world, query->first.proxies, &obstacle, query->from, normal, rebound);
}

/* Bounces the body. *rest, *turn: its new motion in the rest of the step. */
static void bounce(struct sweep_query *query, struct rebound *rebound, struct d3_vec_d *rest, struct d3_vec *turn)
{
	*rest = d3_rebound(query->world, rebound, turn);
	query->first.bounced = true;
	const struct d3_body *row = d3_row(query->world, query->body);
	struct impact *impact = &query->bounces[query->bounce_count];
	*impact = (struct impact){query->body, {query->first.proxies[0], query->first.proxies[1]}, query->bounce_count++,
		{row->x + rebound->place[0], row->y + rebound->place[1], row->z + rebound->place[2], rebound->normal[0],
			rebound->normal[1], rebound->normal[2]},
		(float)rebound->approach, false};
}

/* Stores all bounces for hit events, with the body at the end of its sweep. False: there is no room for them now. */
static bool bounces_keep(struct sweep_query *query)
{
	struct world *world = query->world;
	const struct d3_body *row = d3_row(world, query->body);
	float margin = 2.0f * D3_SPECULATIVE * world->settings.length_scale;
	for (int i = 0; i < query->bounce_count; ++i) {
		struct impact *impact = &query->bounces[i];
		struct d3_sweep obstacle =
			obstacle_way(world, world->colliders.data[world->proxies.data[impact->proxies[1]].collider].body);
		struct d3_vec_d off = {row->x - impact->place[0], row->y - impact->place[1], row->z - impact->place[2]};
		struct d3_vec_d normal = {impact->place[3], impact->place[4], impact->place[5]};
		struct d3_local_manifold near = {.count = 0};
		if (d3_dot_d(off, normal) < (double)(row->max_extent + margin))
			d3_rebound_touch(world, impact->proxies, &obstacle, 1.0f, margin, normal, &near);
		impact->apart = near.count == 0;
	}
	return query->bounce_count == 0 || impacts_keep(world, query->bounces, query->bounce_count);
}

/* Chooses the rest of the path. A bullet squeezed between a dynamic body and another obstacle stays where it is. */
static void way_go_on(struct sweep_query *query, struct d3_vec_d rest, struct d3_vec turn)
{
	struct d3_vec_d none = {0.0, 0.0, 0.0};
	bool before = query->crowded;
	query->crowded = before || query->impacts >= IMPACTS;
	if (!way_choose(query, query->crowded ? none : rest, turn) && query->bullet) {
		query->crowded = true;
		way_choose(query, none, turn);
	}
	if (query->crowded && !before)
		path_lose(query->world, 1.0f - query->from);
}

/* Drops the oldest of the surfaces that the body has hit, and appends the last. */
static void met_replace(struct sweep_query *query)
{
	memmove(query->met, query->met + 1, (LAST_IMPACT - 1) * sizeof *query->met);
	query->met[LAST_IMPACT - 1] = query->first;
}

/* Leaves the body at rest until a kinematic obstacle hits it, which becomes its carrier. */
static void way_wait(struct sweep_query *query, const struct body *body)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	query->carrier = NONE;
	query->sweep = (struct d3_sweep){row->local_center, row_center(row), row_center(row), row->q, {0.0f, 0.0f, 0.0f}};
	query->until = query->t = 1.0f;
	colliders_sweep(query, body);
	if (query->t >= 1.0f)
		return;
	stop_at(query);
	query->carrier = query->first.body;
	met_replace(query);
}

static bool carrier_kinematic(const struct sweep_query *query)
{
	return query->carrier != NONE && query->world->bodies.data[query->carrier].type == BODY_KINEMATIC;
}

/* Whether one of the surfaces that the body has hit is static. */
static bool met_static(const struct sweep_query *query)
{
	bool any = false;
	for (int i = 0; i < query->impacts; ++i)
		any = any || query->world->bodies.data[query->met[i].body].type == BODY_STATIC;
	return any;
}

/* Moves the body with its carrier to the end of the step, through all else. */
static void way_yield(struct sweep_query *query)
{
	const struct d3_body *row = d3_row(query->world, query->body);
	struct d3_sweep carrier = obstacle_way(query->world, query->carrier);
	struct d3_pose from = d3_sweep_pose(&carrier, query->from), to = d3_sweep_pose(&carrier, 1.0f);
	struct d3_quat q = d3_normalize_quat(d3_mul_quat(to.q, d3_inv_mul_quat(from.q, row->q)));
	center_place(query->world, query->body, carried(&from, &to, row_center(row)), q);
	query->turn_before = d3_mul_add(query->turn_before, 1.0f - query->from, carrier.turn);
}

/* Sweeps the next part of the path of a body with too many impacts. */
static void end_sweep(struct sweep_query *query, const struct body *body, uint32_t ignored)
{
	query->ignored = ignored;
	query->t = 1.0f;
	colliders_sweep(query, body);
}

/* After too many impacts the rest of the body's path is lost. The body stays where it is, or moves with a kinematic carrier
 * along the last surfaces that it has hit. Where these leave no room, the carrier passes through the body if one of the
 * surfaces is static, and else takes the body through the others. */
static void way_end(struct sweep_query *query, const struct body *body)
{
	struct d3_vec_d none = {0.0, 0.0, 0.0};
	if (!carrier_kinematic(query))
		way_wait(query, body);
	for (int part = 0; part < PARTS && carrier_kinematic(query) && query->from < 1.0f; ++part) {
		way_choose(query, none, (struct d3_vec){0.0f, 0.0f, 0.0f});
		end_sweep(query, body, NONE);
		if (query->t <= 0.0f && query->first.body == query->carrier) /* the body has sunk into the carrier */
			end_sweep(query, body, query->carrier);
		stop_at(query);
		if (query->t < 1.0f)
			met_replace(query);
	}
	if (carrier_kinematic(query) && query->from < 1.0f && !met_static(query))
		way_yield(query);
}

/* Whether a dynamic carrier takes the body to the end of the step with nothing else near its path. If so, sets this path, which
 * is neither divided into almost straight parts nor swept. */
static bool carried_free(struct sweep_query *query)
{
	if (query->carrier == NONE || query->world->bodies.data[query->carrier].type != BODY_DYNAMIC ||
		d3_length_d(d3_sub_d(query->relative.to, query->relative.from)) > (double)(STAYS * query->target))
		return false;
	struct d3_sweep carrier = obstacle_way(query->world, query->carrier);
	struct d3_pose from = d3_sweep_pose(&carrier, query->from), to = d3_sweep_pose(&carrier, 1.0f);
	struct d3_vec_d here = query->sweep.from, there = carried(&from, &to, here), place = there;
	if (!place_find(query, 1.0f, &place) || d3_length_d(d3_sub_d(place, there)) > (double)(STAYS * query->target) ||
		!arc_clear(query, here, there, (double)d3_length(carrier.turn),
			d3_length_d(d3_sub_d(here, sweep_center(&carrier, query->from)))))
		return false;
	query->sweep.to = there;
	query->sweep.turn = d3_scale(1.0f - query->from, carrier.turn);
	query->until = 1.0f;
	query->posed = false;
	query_pose(query);
	return true;
}

/* Sweeps the next part of the path. */
static void part_sweep(struct sweep_query *query, const struct body *body)
{
	query->t = 1.0f;
	if (!carried_free(query))
		colliders_sweep(query, body);
}

/* Moves the body on from an impact until the rest of the path is free. `first`: the bounce there; NULL: unknown. */
static void sweep_on(struct sweep_query *query, struct rebound *first)
{
	struct rebound rebound;
	const struct body *body = &query->world->bodies.data[query->body];
	while (query->t < 1.0f || query->until < 1.0f) {
		float left = 1.0f - query->t;
		struct d3_vec_d rest = d3_scale_d((double)left, d3_sub_d(query->sweep.to, query->sweep.from));
		struct d3_vec turn = d3_scale(left, query->sweep.turn);
		stop_at(query);
		if (query->t < 1.0f) {
			struct d3_vec_d n = turned_out(pose_at(query->world, query->first.body, query->from).q, query->first.normal);
			struct rebound *found = first != NULL ? first : rebound_find(query, n, &rebound) ? &rebound : NULL;
			first = NULL;
			if (found != NULL) {
				bounce(query, found, &rest, &turn);
			} else {
				sunk_stop(query, n);
				turn = query->turns ? turn : (struct d3_vec){0.0f, 0.0f, 0.0f};
				/* the centre moves away by rotation only, which has ended */
				rest = query->turns ? rest : d3_mul_add_d(rest, -d3_dot_d(n, rest), n);
			}
			query->met[query->impacts++] = query->first;
		}
		way_go_on(query, rest, turn);
		if (query->impacts == LAST_IMPACT) {
			way_end(query, body);
			return;
		}
		part_sweep(query, body);
	}
	center_place(query->world, query->body, query->sweep.to, query->end.q);
	query->turn_before = d3_add(query->turn_before, query->sweep.turn);
}

/* Distances of the body at its current pose from obstacles at rest, near enough for contacts in the next step. */
static struct sweep_query nearness(const struct sweep_query *query)
{
	struct d3_pose pose = d3_row_pose(d3_row(query->world, query->body));
	struct sweep_query near = *query;
	near.sweep = d3_sweep_fixed(&pose);
	near.t = 1.0f;
	near.target = 2.0f * query->target;
	near.near = near.near_obstacle = INFINITY;
	near.normal = near.obstacle_normal = (struct d3_vec_d){0.0, 0.0, 0.0};
	near.against = near_against;
	near.bullet = false;
	colliders_sweep(&near, &query->world->bodies.data[query->body]);
	return near;
}

/* Cosine of the largest change of the impact's normal while the body goes on along the surface, 8 degrees. */
#define SAME_WAY 0.99

/* Moves on from an impact on an obstacle at rest, without the component of the path along the normal, which is left to the
 * contact. The normal is that of the nearest surface: the first impact may be on the edge of a tile beside it, whose normal
 * leans by sqrt(2 slop/r), and a long path along that leads as far into the wall (a ball of 0.19 m at 65 m/s by 10 cm, where
 * the contacts gave it a quarter more energy). The body stays at the impact if the path leads to where there is no contact, off
 * the edge of a platform or past a peg, since the impact would be lost; or deeper; or to where the obstacle has another normal,
 * which would turn the impact. */
static void slide_along(struct sweep_query *query)
{
	struct d3_body *row = d3_row(query->world, query->body);
	struct sweep_query at = *query;
	stop_at(&at);
	struct rebound rebound;
	if (rebound_find(&at, turned_out(pose_at(query->world, query->first.body, 0.0f).q, query->first.normal), &rebound)) {
		sweep_on(query, &rebound);
		return;
	}
	struct d3_vec_d start = row_center(row);
	struct d3_quat q = row->q;
	struct sweep_query before = nearness(&at);
	bool deep = before.near < -2.0f * query->target; /* so deep that distances from triangles do not measure it */
	if (!deep)
		query->first.normal = turned_home(pose_at(query->world, query->first.body, 0.0f).q, before.normal);
	at.first = query->first;
	at.met[at.impacts++] = at.first;
	sweep_on(query, NULL);
	if (query->carrier != NONE || query->bounce_count > 0)
		return;
	struct sweep_query after = nearness(&at);
	bool turned = !deep && d3_dot_d(before.obstacle_normal, after.obstacle_normal) < SAME_WAY;
	if (!turned && after.near_obstacle <= 2.0f * query->target &&
		(deep || after.near >= min_f(before.near, 0.0f) - 2.0f * query->target))
		return;
	center_place(query->world, query->body, start, q);
	at.sweep = (struct d3_sweep){row->local_center, start, start, q, {0.0f, 0.0f, 0.0f}};
	at.t = 1.0f;
	path_lose(query->world, 1.0f - at.from);
	colliders_sweep(&at, &query->world->bodies.data[query->body]);
	sweep_on(&at, NULL);
	*query = at;
}

/* Starts with the whole path of the body. Its rotation is computed on demand, see query_pose. */
static void query_init(const struct world *world, uint32_t id, struct sweep_query *query)
{
	const struct d3_body *row = d3_row(world, id);
	const struct body *body = &world->bodies.data[id];
	float slop = LINEAR_SLOP * world->settings.length_scale;
	query->world = (struct world *)world;
	query->body = id;
	query->bullet = bits_has(&world->fast_bullets, id);
	/* a wall overtakes a linkage that it carried, once the linkage is taken back */
	query->overtaken = bits_has(&world->overtaken_bodies, id) || bits_has(&world->taken_bodies, id);
	query->jointed = body->links[LINK_JOINT] != NONE;
	query->shared = query->bullet && world->shared;
	query->later = query->again = query->crowded = query->turns = query->deep = query->posed = false;
	query->against = sweep_against;
	query->carrier = query->ignored = NONE;
	query->bent = false;
	query->extent = row->max_extent;
	query->sweep = (struct d3_sweep){row->local_center, row_center(row), row_center(row), row->q, {0.0f, 0.0f, 0.0f}};
	if (body->set == SET_AWAKE) {
		query->sweep.from = (struct d3_vec_d){row->x0, row->y0, row->z0};
		query->sweep.q0 = row->q0;
	}
	query->from = 0.0f;
	query->turn_before = (struct d3_vec){0.0f, 0.0f, 0.0f};
	query->until = query->t = 1.0f;
	query->target = slop;
	query->tolerance = 0.25f * slop;
	query->impacts = query->bounce_count = 0;
}

/* The same test as in body_fast, for the body's motion in the obstacle's frame: there its centre moves at most `arc` off the
 * chord. */
bool d3_body_overtaken(const struct world *world, uint32_t id, uint32_t obstacle)
{
	const double rounding = 1e-6; /* error of a rotation in floats, at a distance of 1 */
	const struct d3_body *row = d3_row(world, id), *other = d3_row(world, obstacle);
	struct d3_vec_d last = row_center(row), first = last;
	if (world->bodies.data[id].set == SET_AWAKE)
		first = (struct d3_vec_d){row->x0, row->y0, row->z0};
	struct d3_vec_d before = d3_sub_d(first, (struct d3_vec_d){other->x0, other->y0, other->z0});
	struct d3_vec_d after = d3_sub_d(last, row_center(other));
	double distance = sqrt(max_d(d3_dot_d(before, before), d3_dot_d(after, after)));
	struct d3_quat turn = d3_mul_quat(other->q, (struct d3_quat){-other->q0.x, -other->q0.y, -other->q0.z, other->q0.w});
	struct d3_vec_d axis = {(double)turn.x, (double)turn.y, (double)turn.z};
	struct d3_vec_d rides =
		d3_mul_add_d(before, 2.0, d3_cross_d(axis, d3_mul_add_d(d3_cross_d(axis, before), (double)turn.w, before)));
	double arc = distance * (max_d(0.0, 1.0 - (double)abs_f(turn.w)) + rounding);
	double moved = d3_length_d(d3_sub_d(after, rides)) + arc;
	double turned = turn_bound(world, obstacle) + turn_bound(world, id);
	return turns_far(world, obstacle) || moved + turned * (double)row->max_extent > 0.5 * (double)row->min_extent;
}

void d3_body_goes(const struct world *world, uint32_t id, struct bullet_path *delta)
{
	const struct d3_body *row = d3_row(world, id);
	*delta = (struct bullet_path){.from = {row->x0, row->y0, row->z0},
		.delta = {row->x - row->x0, row->y - row->y0, row->z - row->z0},
		.reach = (double)row->max_extent,
		.body = id};
}

void d3_body_look(const struct world *world, uint32_t id, struct path_hit *hit)
{
	struct sweep_query query;
	query_init(world, id, &query);
	colliders_sweep(&query, &world->bodies.data[id]);
	*hit = (struct path_hit){.t = query.t, .carrier = NONE};
	if (query.t >= 1.0f)
		return;
	const struct met *first = &query.first;
	*hit =
		(struct path_hit){{first->normal.x, first->normal.y, first->normal.z}, {first->place.x, first->place.y, first->place.z},
			first->body, {first->proxies[0], first->proxies[1]}, query.t, query.turns, query.deep, .carrier = NONE};
}

/* Takes over the known impact of a bullet, and tests the bullets that have been moved since. */
static void look_again(struct sweep_query *query)
{
	const struct path_hit *hit = &query->world->hits.data[query->world->bodies.data[query->body].row];
	const double *n = hit->normal, *p = hit->place;
	query->later = true;
	query->again = !hit->stale;
	if (query->again) {
		query->first =
			(struct met){hit->body, {hit->proxies[0], hit->proxies[1]}, {n[0], n[1], n[2]}, {p[0], p[1], p[2]}, false};
		query->t = hit->t;
		query->turns = hit->turns;
		query->deep = hit->deep;
	}
	if (hit->touched)
		colliders_sweep(query, &query->world->bodies.data[query->body]);
	query_pose(query);
}

/* Records the body's carrier at the end of its path. */
static void ride_note(const struct sweep_query *query)
{
	query->world->hits.data[query->world->bodies.data[query->body].row].carrier =
		query->impacts < LAST_IMPACT && !query->crowded ? query->carrier : NONE;
}

bool d3_body_sweep(struct world *world, uint32_t id)
{
	struct d3_body *row = d3_row(world, id);
	struct sweep_query query;
	query_init(world, id, &query);
	if (world->looked)
		look_again(&query);
	else
		colliders_sweep(&query, &world->bodies.data[id]);
	if (query.t >= 1.0f)
		return false;
	struct d3_body whole = *row;
	struct d3_state motion = *d3_state(world, id);
	struct d3_sweep obstacle = obstacle_way(world, query.first.body);
	bool middle = query.turns, moves = way_leads_on(&obstacle) || world->bodies.data[query.first.body].type == BODY_DYNAMIC;
	if (!moves && !middle)
		slide_along(&query);
	else
		sweep_on(&query, NULL);
	if (!bounces_keep(&query)) {
		*row = whole;
		*d3_state(world, id) = motion;
		bits_set_shared(&world->bouncing_bodies, id);
		return false;
	}
	if (world->looked)
		ride_note(&query);
	d3_state(world, id)->turn = query.turn_before;
	if (!middle && query.bounce_count == 0)
		fall_forget(world, id, whole.x, whole.y, whole.z);
	return true;
}

bool d3_body_impact(const struct world *world, uint32_t id, struct path_impact *impact)
{
	struct path_hit hit;
	d3_body_look(world, id, &hit);
	if (hit.t >= 1.0f)
		return false;
	struct d3_pose pose = pose_at(world, hit.body, 1.0f);
	struct d3_vec_d n = turned_out(pose.q, (struct d3_vec_d){hit.normal[0], hit.normal[1], hit.normal[2]});
	struct d3_vec_d place = point_at(&pose, (struct d3_vec_d){hit.place[0], hit.place[1], hit.place[2]});
	*impact = (struct path_impact){
		hit.t, hit.body, hit.deep, {{n.x, n.y, n.z}, d3_dot_d(n, d3_sub_d(place, row_center(d3_row(world, id))))}};
	return true;
}

void d3_body_fell(struct world *world, uint32_t id, const struct body_place *end)
{
	fall_forget(world, id, end->center[0], end->center[1], end->center[2]);
}

void d3_body_put(struct world *world, uint32_t id, const struct body_place *place)
{
	const float *q = place->turn;
	center_place(world, id, (struct d3_vec_d){place->center[0], place->center[1], place->center[2]},
		(struct d3_quat){q[0], q[1], q[2], q[3]});
}
