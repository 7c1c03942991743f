/* slide.c - see slide.h. */
#include "core/slide.h"
#include "core/event.h"
#include "core/path.h"

/* Slower surfaces are at rest on each other [m/s, times length_scale]: a fifth of the speed below which bodies sleep. */
#define SLIDE_SPEED 0.01f

/* Velocities of a body. */
struct velocity {
	struct vec3 v, w; /* [length/s], [rad/s] */
};

/* Curvature of the surface on one side of the contact at its point i [1/length]; 0: flat. If no shape is round, a dynamic body
 * rolls like a ball whose radius is the height of its centre of mass over the point: a polygon is a wheel with few corners. */
static double curvature_of(
	const struct world *world, const struct contact *contact, const struct contact_view *view, int side, int i)
{
	double radius = (double)view->round[side];
	if (!(view->round[0] > 0.0f || view->round[1] > 0.0f) && !body_fixed(world, contact->link.bodies[side]))
		radius = (side == 0 ? 1.0 : -1.0) * vec3_dot(vec3_sub(view->points[i], view->centers[side]), view->normal);
	return radius > 0.0 ? 1.0 / radius : 0.0;
}

/* Adds a point, weighted by its impulse.
 *   U slip of b on a, along the tangents; W angular velocity of b relative to a; k_a, k_b curvatures of the surfaces
 *   velocities of the contact point along them:  p_a = (W x n + k_b U) / (k_a + k_b),  p_b = (W x n - k_a U) / (k_a + k_b)
 * p_a - p_b = U. A ball b that rolls on flat ground has U = 0 and |p_a| = |p_b| = v; one that slides without rotation p_b = 0.
 * Source: Montana, "The Kinematics of Contact and Grasp", 1988, for spheres. */
static void point_add(const struct world *world, const struct contact *contact, const struct contact_view *view,
	const struct velocity velocities[2], int i, struct slide *sums)
{
	struct vec3 at[2], n = view->normal, turn = vec3_cross(vec3_sub(velocities[1].w, velocities[0].w), n);
	double weight = (double)view->impulses[i], curvature[2];
	for (int side = 0; side < 2; ++side) {
		struct vec3 arm = vec3_sub(view->points[i], view->centers[side]);
		at[side] = vec3_add(velocities[side].v, vec3_cross(velocities[side].w, arm));
		curvature[side] = curvature_of(world, contact, view, side, i);
	}
	struct vec3 u = vec3_sub(at[1], at[0]);
	u = vec3_sub(vec3_mul_add(u, -vec3_dot(u, n), n), view->surface);
	double along_a = vec3_length(vec3_mul_add(turn, curvature[1], u)), sum = curvature[0] + curvature[1];
	double along_b = vec3_length(vec3_mul_add(turn, -curvature[0], u));
	sums->slip += weight * vec3_length(u);
	sums->roll += sum > 0.0 ? weight * min_d(along_a, along_b) / sum : 0.0;
	sums->point = vec3_mul_add(sums->point, weight, view->points[i]);
}

/* Adds a contact of the pair if it touches. Returns the sum of its impulses. */
static double contact_add(const struct world *world, uint32_t id, struct slide *sums)
{
	const struct contact *contact = &world->contacts.data[id];
	if ((contact->link.flags & (CONTACT_TOUCHING | CONTACT_SENSOR)) != CONTACT_TOUCHING)
		return 0.0;
	struct contact_view view;
	world->wing->contact_view(world, id, false, &view);
	struct velocity velocities[2];
	for (int side = 0; side < 2; ++side)
		velocities[side].v = body_velocity(world, contact->link.bodies[side], &velocities[side].w);
	double weight = 0.0, turned = contact->colliders[0] == sums->colliders[0] ? 1.0 : -1.0;
	for (int i = 0; i < view.count; ++i) {
		point_add(world, contact, &view, velocities, i, sums);
		weight += (double)view.impulses[i];
	}
	sums->normal = vec3_mul_add(sums->normal, turned * weight, view.normal);
	sums->force += weight > 0.0 ? (double)(view.friction / world->last_h) : 0.0;
	return weight;
}

/* Whether another awake contact of the contact's colliders has a smaller id: that one reports the pair. Followers of a contact
 * have no bit of their own. */
static bool pair_reported(const struct world *world, uint32_t id)
{
	for (uint32_t key = other_part_first(world, id); key != NONE; key = other_part_next(world, id, key))
		if (key / 2 < id && bits_has(&world->awake_contacts, key / 2))
			return true;
	return false;
}

static bool pair_slides(const struct world *world, uint32_t id, struct slide *slide)
{
	const uint32_t *colliders = world->contacts.data[id].colliders;
	*slide = (struct slide){.colliders = {colliders[0], colliders[1]}};
	double weight = contact_add(world, id, slide);
	for (uint32_t key = other_part_first(world, id); key != NONE; key = other_part_next(world, id, key))
		weight += contact_add(world, key / 2, slide);
	if (!(weight > 0.0))
		return false;
	slide->slip /= weight;
	slide->roll /= weight;
	slide->point = vec3_scale(1.0 / weight, slide->point);
	slide->normal = vec3_scale(1.0 / max_d(vec3_length(slide->normal), 1e-30), slide->normal);
	return max_d(slide->slip, slide->roll) > (double)(SLIDE_SPEED * world->settings.length_scale);
}

uint32_t slide_next(const struct world *world, uint32_t from, struct slide *slide)
{
	const struct bits *awake = &world->awake_contacts;
	uint32_t id = bits_next(awake, from);
	while (id != NONE && (pair_reported(world, id) || !pair_slides(world, id, slide)))
		id = bits_next(awake, id + 1);
	return id;
}
