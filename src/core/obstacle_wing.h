/* obstacle_wing.h - the functions for obstacles that both wings share, and their table. Included at the end of each wing's
 * obstacles.c, which defines pose_axes, is_convex, is_box, piece_distance, shape_bounds, pieces_visit, body_put, body_start,
 * body_turn and material_velocity: see struct obstacle_wing. */

static void body_pose_at(const struct world *world, uint32_t body, struct vec3 origin, void *out)
{
	struct WING(pose) pose = WING(row_pose)(WING(row)(world, body));
	memcpy(&pose.x, &origin, (size_t)world->wing->dimensions * sizeof pose.x);
	memcpy(out, &pose, sizeof pose);
}

static struct vec3 surface_velocity(const struct world *world, uint32_t id, uint32_t child, struct vec3 normal)
{
	const struct collider *collider = &world->colliders.data[id];
	struct material material = collider->material;
	const struct material *own = collider->part_materials ? WING(shape_material)(collider->shape, child) : NULL;
	if (own != NULL)
		materials_override(&material, own);
	return material_velocity(world, collider->body, &material, normal);
}

static double contact_impulse(const struct world *world, uint32_t id, struct vec3 *normal)
{
	const struct WING(contact_row) *row = WING(contact_row)(world, id);
	struct WING(vec) n = WING(rotate)(WING(start)(world, world->contacts.data[id].link.bodies[0]).q, row->local_normal);
	float numbers[3] = {0.0f};
	double sum = 0.0;
	memcpy(numbers, &n, sizeof n);
	*normal = vec3_widen(numbers);
	for (int i = 0; i < row->count; ++i)
		sum += (double)row->step_impulse[i];
	return sum;
}

/* The AABBs of a body that moves on cover some of the moves to come, too, but grow by no more than their length: most moves
 * then change no tree. Chosen by measuring. */
#define MOVES_AHEAD 4.0f

static struct box box_ahead(const struct box *box, const float back[3], int dimensions)
{
	float ahead[3], most = 0.0f, longest = 0.0f;
	for (int k = 0; k < dimensions; ++k) {
		most = max_f(most, abs_f(back[k]));
		longest = max_f(longest, box->upper[k] - box->lower[k]);
	}
	float scale = most * MOVES_AHEAD > longest ? longest / most : MOVES_AHEAD;
	for (int k = 0; k < 3; ++k)
		ahead[k] = -scale * back[k];
	return box_along(box, ahead, dimensions);
}

/* Does nothing for a body that is there. Keeps the start of the motion, which the last step began with. The fat AABBs contain
 * the body at both places: it will go back and forth between them. */
static void body_place(struct world *world, uint32_t id, struct vec3 origin, struct vec3 from)
{
	float back[3];
	struct vec3 before = world->wing->body_frame(world, id).origin;
	if (vec3_equal(before, origin))
		return;
	vec3_narrow(vec3_sub(from, origin), back);
	body_put(world, id, origin);
	record_touch(world, TOUCHED_BODIES, id);
	travel_add(world, id, (float)vec3_length(vec3_sub(origin, before)));
	world->travels.data[id].slack = 0.0f;
	for (uint32_t c = world->bodies.data[id].colliders; c != NONE; c = world->colliders.data[c].next)
		for (uint32_t p = world->colliders.data[c].proxies; p != NONE; p = world->proxies.data[p].next) {
			struct box box;
			world->wing->proxy_box(world, p, &box);
			box = box_along(&box, back, world->wing->dimensions);
			if (proxy_unbounded(&world->proxies.data[p]) || box_contains(&world->proxies.data[p].box, &box))
				continue;
			box = box_ahead(&box, back, world->wing->dimensions);
			proxy_cover(world, p, &box);
		}
}

_Static_assert(sizeof(struct WING(pose)) <= sizeof(union wing_pose), "room for a pose");

const struct obstacle_wing WING(obstacle_wing) = {
	.pose = body_pose_at,
	.axes = pose_axes,
	.is_convex = is_convex,
	.is_box = is_box,
	.pieces = pieces_visit,
	.bounds = shape_bounds,
	.distance = piece_distance,
	.surface = surface_velocity,
	.contact_impulse = contact_impulse,
	.place = body_place,
	.start = body_start,
	.set_velocity = body_set_velocity,
	.turn = body_turn,
};
