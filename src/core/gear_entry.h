/* gear_entry.h - the solver of gears and pulleys, which 2D and 3D share. Included by their gear_joint.c, with LANES 1, after
 * struct part, a body's part of the row, with its member `state`, and
 *   part_of, part_clear    the part of a body; without a direction
 *   part_rate, part_apply, part_response, part_freedom   as the functions of rows in rows_joint.wide.c
 *   part_react             stores the impulse on the joint's second body as its reaction
 * and before side_set, which adds the row of one side, times a weight, to the parts, and returns the side's value.
 * Gears are in the overflow, which solves joints one by one, so a record is of one joint. Bodies may be on both sides, as a
 * frame that carries two wheels is: each has one part.
 *   C = a + ratio b - rest                  lambda' = lambda - m mass_scale (Cdot + bias_rate C) - impulse_scale lambda
 *   limits of a pulley, on a + ratio b      see limit_solve
 * Any thread: all bodies of a joint are in one block of the partition, or not dynamic. */

struct record {
	const struct gear *gear;
	const uint32_t *joints; /* of a gear; of a pulley itself, twice */
	uint32_t id;
	bool pulley;
	int count; /* of parts; 0: the joint does nothing in this step */
	int at[2][2]; /* the parts of both bodies of either joint */
	struct part parts[4];
	double values[2], total, rest;
	float h; /* the sub-step that has passed since the values were measured; 0 in the first [s] */
	float mass, response, speed; /* speed: the greatest at which the error is closed */
	float lower, upper; /* limits of a + ratio b */
	bool limited;
	lanes impulse, above; /* of the lock or the lower limit; of the upper limit */
} RECORD_ALIGNED;

static double side_set(const struct world *world, struct record *record, int side, float weight);

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

/* The part of the body, which is made unless the body has one. */
static int part_find(const struct world *world, struct record *record, uint32_t body)
{
	const struct body *at = &world->bodies.data[body];
	uint32_t state = at->set == SET_AWAKE ? (at->row + 1) | (at->type != BODY_DYNAMIC ? READ_ONLY : 0) : READ_ONLY;
	for (int i = 0; i < record->count; ++i)
		if (record->parts[i].body == WING(row)(world, body))
			return i;
	record->parts[record->count] = part_of(world, body, state);
	return record->count++;
}

/* Sets the parts, and all that follows from them, for the current poses. */
static void record_update(const struct world *world, struct record *record)
{
	float response = 0.0f, freedom = 0.0f, give = 0.0f;
	double ratio = record->gear->settings.ratio;
	for (int i = 0; i < record->count; ++i)
		part_clear(&record->parts[i]);
	for (int side = 0; side < 2; ++side)
		record->values[side] = side_set(world, record, side, side == 0 ? 1.0f : (float)ratio);
	record->total = record->values[0] + ratio * record->values[1];
	for (int i = 0; i < record->count; ++i) {
		response += part_response(&record->parts[i]);
		freedom += part_freedom(&record->parts[i]);
		give = record->parts[i].body->locks != 0 ? GIVE : give;
	}
	record->response = response;
	record->mass = response > LEAST_PIVOT * freedom ? invert(response + give * freedom) : 0.0f;
}

static void record_prepare(const struct world *world, struct record *record, uint32_t id)
{
	const struct WING(rows) *row = WING(rows)(world, id);
	struct gear *gear = joint_gear(world, id);
	const struct coordinate_settings *limits = &row->total.settings;
	*record = (struct record){.gear = gear, .id = id, .joints = gear->settings.joints};
	record->pulley = world->joints.data[id].link.solver == JOINT_PULLEY;
	if (!gear_acts(world, id)) {
		gear->engaged &= record->pulley;
		return;
	}
	for (int side = 0; side < 2; ++side)
		for (int end = 0; end < 2; ++end)
			record->at[side][end] = part_find(
				world, record, record->pulley ? joint_bodies(world, id)[side] : joint_bodies(world, record->joints[side])[end]);
	record->values[0] = gear->values[0];
	record->values[1] = gear->values[1];
	record_update(world, record);
	if (!gear->engaged)
		gear->rest = record->total;
	gear->engaged = true;
	record->rest = gear->rest;
	record->h = world->step.h;
	bool turns = !record->pulley && world->joints.data[record->joints[0]].link.solver != JOINT_PRISMATIC;
	record->speed = turns ? JOINT_SPEED : JOINT_SPEED * world->settings.length_scale;
	record->limited = limits->limited;
	record->lower = limits->lower;
	record->upper = limits->upper;
	record->impulse = splat(row->lock_impulses[0]);
	record->above = splat(row->lock_impulses[1]);
}

static void prepare(struct world *world, void *records, const struct batch *batch, uint32_t begin, uint32_t end)
{
	const struct batch_link *links = world->partition.links.data + batch->first;
	for (uint32_t i = begin; i < end; ++i)
		record_prepare(world, (struct record *)records + i, links[i].id);
}

static void store(struct world *world, void *records, const struct batch *batch, uint32_t begin, uint32_t end)
{
	const struct batch_link *links = world->partition.links.data + batch->first;
	for (uint32_t i = begin; i < end; ++i) {
		const struct record *record = (struct record *)records + i;
		struct WING(rows) *row = WING(rows)(world, links[i].id);
		row->lock_impulses[0] = finite_lanes(record->impulse)[0];
		row->lock_impulses[1] = finite_lanes(record->above)[0];
		part_react(world, record, row->lock_impulses[0] - row->lock_impulses[1]);
		if (record->count > 0) {
			joint_gear(world, links[i].id)->values[0] = record->values[0];
			joint_gear(world, links[i].id)->values[1] = record->values[1];
		}
	}
}

/* --- Solve ---------------------------------------------------------------------------------------------------------------- */

static void record_apply(struct world *world, struct record *record, float impulse)
{
	for (int i = 0; i < record->count; ++i)
		if ((record->parts[i].state & READ_ONLY) == 0)
			part_apply(world, &record->parts[i], impulse);
}

/* soft: NULL when relaxing. */
static void record_solve(struct world *world, struct record *record, const struct lane_soft *soft)
{
	float rate = 0.0f;
	for (int i = 0; i < record->count; ++i)
		rate += part_rate(world, &record->parts[i]);
	if (record->limited) {
		const lanes mass = splat(record->mass), inv_h = splat(world->step.inv_h);
		lanes above = splat((float)((double)record->upper - record->total));
		lanes below = splat((float)(record->total - (double)record->lower));
		lanes change = limit_solve(mass, below, splat(rate), &record->impulse, soft, inv_h);
		change -= limit_solve(mass, above, -(rate + record->response * change), &record->above, soft, inv_h);
		record_apply(world, record, change[0]);
		return;
	}
	float change = rate, before = record->impulse[0];
	if (soft != NULL) {
		float push = soft->bias_rate[0] * (float)(record->total - record->rest);
		change = soft->mass_scale[0] * (rate + max_f(-record->speed, min_f(push, record->speed)));
	}
	change = -record->mass * change - (soft != NULL ? soft->impulse_scale[0] * before : 0.0f);
	record->impulse = splat(before + change);
	record_apply(world, record, change);
}

static void warm_start(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		record->impulse = without_negligible(record->impulse, NEGLIGIBLE_IMPULSE);
		record->above = without_negligible(record->above, NEGLIGIBLE_IMPULSE);
		record_apply(world, record, (record->impulse - record->above)[0]);
	}
}

static void solve(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	struct lane_soft soft = common_soft(world);
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		softs_load(world, &(const struct batch_link){.id = record->id}, 1, &soft);
		record_solve(world, record, &soft);
	}
}

static void relax(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		if (record->count == 0)
			continue;
		record_update(world, record);
		record_solve(world, record, NULL);
	}
}

const struct link_solver WING(gear_solver) = {.lanes = LANES,
	.record_size = sizeof(struct record),
	.prepare = prepare,
	.warm_start = warm_start,
	.solve = solve,
	.relax = relax,
	.store = store};
