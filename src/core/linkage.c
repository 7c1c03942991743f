/* linkage.c - see linkage.h. */
#include "core/linkage.h"
#include "core/link.h"
#include "core/proxy.h"
#include "core/sweep.h"

enum { PLANES = 8, ROUNDS = 8, CUTS = 4 };

/* Cosine of the largest angle between normals that count as equal. */
#define SAME_NORMAL 0.999999

/* The bodies that are moved together: world->linkage_members from `first` on. Each comes after its parent. */
struct linkage {
	struct world *world;
	uint32_t first;
	bool anchored; /* a member is jointed to an enabled static or kinematic body */
};

static void link_push(struct world *world, uint32_t body, uint32_t parent, uint32_t joint)
{
	struct linkage_member member = {.body = body, .parent = parent, .joint = joint};
	world->wing->body_center_pose(world, body, &member.end);
	bits_set(&world->linked_bodies, body);
	array_push(&world->linkage_members, member);
}

/* The body's first joint to an enabled static or kinematic body, or NONE. */
static uint32_t find_anchor(const struct world *world, uint32_t body)
{
	for (uint32_t key = joints_first(world, body); key != NONE; key = joints_next(world, key)) {
		const struct body *other = &world->bodies.data[link_other_body(world, LINK_JOINT, key)];
		if (other->type != BODY_DYNAMIC && other->set != SET_DISABLED)
			return key / 2;
	}
	return NONE;
}

/* Adds, breadth-first, all awake dynamic bodies that joints connect with the members from index `first` on. */
static void links_follow(struct world *world, uint32_t first)
{
	for (uint32_t i = first; i < world->linkage_members.count; ++i)
		for (uint32_t key = joints_first(world, world->linkage_members.data[i].body); key != NONE;
			 key = joints_next(world, key)) {
			uint32_t other = link_other_body(world, LINK_JOINT, key);
			if (world->bodies.data[other].type == BODY_DYNAMIC && world->bodies.data[other].set == SET_AWAKE &&
				!bits_has(&world->linked_bodies, other))
				link_push(world, other, i, key / 2);
		}
}

/* Lists the members of the body's linkage. If some are jointed to non-dynamic bodies, lists all once more, from `first` on,
 * with these as the roots. Sets world->linked_bodies. */
static struct linkage linkage_gather(struct world *world, uint32_t body)
{
	struct linkage linkage = {.world = world};
	world->linkage_members.count = 0;
	link_push(world, body, NONE, NONE);
	links_follow(world, 0);
	uint32_t count = world->linkage_members.count;
	for (uint32_t i = 0; i < count; ++i)
		bits_clear(&world->linked_bodies, world->linkage_members.data[i].body);
	for (uint32_t i = 0; i < count; ++i) {
		uint32_t anchor = find_anchor(world, world->linkage_members.data[i].body);
		if (anchor != NONE)
			link_push(world, world->linkage_members.data[i].body, NONE, anchor);
	}
	linkage.anchored = world->linkage_members.count > count;
	linkage.first = linkage.anchored ? count : 0;
	if (linkage.anchored)
		links_follow(world, count);
	for (uint32_t i = 0; i < count; ++i)
		bits_set(&world->linked_bodies, world->linkage_members.data[i].body);
	return linkage;
}

/* Sets all members to their poses at the end of the step, translated by `shift`. */
static void linkage_shift(const struct linkage *linkage, struct vec3 shift)
{
	struct world *world = linkage->world;
	for (uint32_t i = linkage->first; i < world->linkage_members.count; ++i) {
		struct linkage_member *member = &world->linkage_members.data[i];
		struct center_pose pose = member->end;
		center_pose_move(&pose, vec3_add(vec3_of(pose.center), shift));
		world->wing->body_set_center_pose(world, member->body, &pose);
	}
}

/* Adds the plane, with half a slop more `ahead`. If there is one with the same normal, raises that to the greater `ahead` of
 * both plus half a slop. False: too many planes. */
static bool planes_add(struct path_plane *planes, int *count, const struct path_plane *plane, double slop)
{
	int i = 0;
	while (i < *count && vec3_dot(plane->normal, planes[i].normal) < SAME_NORMAL)
		++i;
	if (i == PLANES)
		return false;
	if (i == *count)
		planes[(*count)++] = *plane;
	planes[i].ahead = max_d(planes[i].ahead, plane->ahead) + 0.5 * slop;
	return true;
}

enum clearing {
	CLEARED,
	CRUSHED /* no room */,
	TANGLED /* a body of the linkage is an obstacle, or too many planes or rounds */
};

/* Translates all members by one common vector: the least that takes them out of the obstacles that they hit, along these
 * obstacles' normals. A common translation does not strain joints. */
static enum clearing linkage_clear(const struct linkage *linkage)
{
	struct world *world = linkage->world;
	struct path_plane planes[PLANES];
	double slop = (double)(LINEAR_SLOP * world->settings.length_scale);
	struct vec3 shift = {0.0, 0.0, 0.0};
	int count = 0;
	for (int round = 0; round < ROUNDS; ++round) {
		bool clear = true;
		for (uint32_t i = linkage->first; i < world->linkage_members.count; ++i) {
			struct path_impact impact;
			if (!body_impact(world, world->linkage_members.data[i].body, &impact))
				continue;
			impact.plane.ahead += vec3_dot(impact.plane.normal, shift);
			if (bits_has(&world->linked_bodies, impact.body) || !planes_add(planes, &count, &impact.plane, slop))
				return TANGLED;
			clear = false;
		}
		if (clear)
			return CLEARED;
		shift = (struct vec3){0.0, 0.0, 0.0};
		if (!path_keep(planes, count, 0.1 * slop, &shift))
			return CRUSHED;
		linkage_shift(linkage, shift);
	}
	return TANGLED;
}

/* Takes all members back to the fraction `t` of the step. */
static void linkage_take_back(const struct linkage *linkage, float t)
{
	struct world *world = linkage->world;
	for (uint32_t i = linkage->first; i < world->linkage_members.count; ++i) {
		struct linkage_member *member = &world->linkage_members.data[i];
		member->pose = world->wing->member_pose(
			world, member, member->parent != NONE ? &world->linkage_members.data[member->parent] : NULL, t);
	}
	for (uint32_t i = linkage->first; i < world->linkage_members.count; ++i) {
		world->wing->body_set_center_pose(world, world->linkage_members.data[i].body, &world->linkage_members.data[i].pose);
		bits_set(&world->taken_bodies, world->linkage_members.data[i].body);
		bits_clear(&world->fast_bullets, world->linkage_members.data[i].body);
	}
}

/* Returns the time of the members' first impact, as a fraction of their paths; 1: none. Ignores members that had sunk into
 * their obstacle already. *body: the obstacle. */
static float linkage_impact(const struct linkage *linkage, uint32_t *body)
{
	struct world *world = linkage->world;
	float t = 1.0f;
	for (uint32_t i = linkage->first; i < world->linkage_members.count; ++i) {
		struct path_impact impact;
		if (body_impact(world, world->linkage_members.data[i].body, &impact) && !impact.deep && impact.t < t) {
			t = impact.t;
			*body = impact.body;
		}
	}
	return t;
}

/* Takes all members back to their first impact. Members that rotate about a joint move along arcs, so their shortened paths may
 * have an earlier impact: then takes all back to half of that time, at most CUTS times, and at last to the start of the
 * step. */
static void linkage_cut(const struct linkage *linkage)
{
	struct world *world = linkage->world;
	uint32_t body = NONE, again = NONE;
	float t = linkage_impact(linkage, &body);
	for (int cut = 0; t < 1.0f; ++cut) {
		t = cut < CUTS ? t : 0.0f;
		linkage_take_back(linkage, t);
		float part = cut < CUTS ? linkage_impact(linkage, &again) : 1.0f;
		if (part >= 1.0f)
			break;
		t *= 0.5f * part;
	}
	path_lose(world, (1.0f - t) * (float)(world->linkage_members.count - linkage->first));
	const struct body *obstacle = body != NONE ? &world->bodies.data[body] : NULL;
	if (obstacle != NULL && obstacle->type == BODY_DYNAMIC && obstacle->set == SET_AWAKE && !obstacle->bullet &&
		!body_linked(world, body)) {
		body_cover_path(world, body);
		bits_set(&world->fast_bullets, body);
	}
}

/* Sweeps the bodies one by one, which may open their joints: crushed or sunk ones are stopped, the others move on. */
static void members_stop(const struct linkage *linkage)
{
	for (uint32_t i = linkage->first; i < linkage->world->linkage_members.count; ++i)
		body_sweep(linkage->world, linkage->world->linkage_members.data[i].body);
}

static void linkage_stop(const struct linkage *linkage)
{
	struct world *world = linkage->world;
	enum clearing clearing = linkage->anchored ? TANGLED : linkage_clear(linkage);
	if (clearing != CLEARED) {
		linkage_shift(linkage, (struct vec3){0.0, 0.0, 0.0});
		if (clearing == TANGLED)
			linkage_cut(linkage);
	}
	for (uint32_t i = linkage->first; i < world->linkage_members.count; ++i)
		body_fell(world, world->linkage_members.data[i].body, vec3_of(world->linkage_members.data[i].end.center));
	if (clearing != CLEARED)
		members_stop(linkage);
	for (uint32_t i = linkage->first; i < world->linkage_members.count; ++i) {
		const struct linkage_member *member = &world->linkage_members.data[i];
		bits_set(&world->taken_bodies, member->body);
		bits_clear(&world->linked_bodies, member->body);
		bits_clear(&world->caught_bodies, member->body);
	}
}

void linkages_sweep(struct world *world)
{
	const struct bits *caught = &world->caught_bodies;
	for (uint32_t id = bits_next(caught, 0); id != NONE; id = bits_next(caught, id + 1)) {
		struct linkage linkage = linkage_gather(world, id);
		linkage_stop(&linkage);
	}
}
