/* joint_tree_entry.h - the direct solver of trees of joints that 2D and 3D share; see joint_tree.h. Included by their
 * joint_tree.wide.c after VELOCITY, whose first DOFS numbers are a body's velocity, LOCKS_MOST, masses_mul, response_fill and
 * state_move. A record is of LANES trees of the same shape.
 *
 * Symbols: B a body's inverse mass as its subtree lets it move, v its velocity; W = B_p J_p^T, S = L D L^T, Z = W L^-T; q the
 * sum of the impulses on a body so far. From the leaves to the root, where B_p and v_p are those that the joints before have
 * left, and v_c is that of the whole subtree:
 *   rest = L^-1 (J_c v_c + J_p v_p + bias),  v_p -= Z D^-1 rest,  B_p -= Z D^-1 Z^T
 * From the root to the leaves, where q_c = 0 before the body's own joint:
 *   lambda = L^-T D^-1 (rest - Z^T q_p),  q_p += J_p^T lambda,  q_c = J_c^T lambda
 * Velocities change by -M^-1 q at last, so that momentum is conserved, and impulses by -lambda. The bias is 0: after positions
 * have moved, the same pass with v = 0 and the errors as bias moves them by -M^-1 q, which closes the locks. (With a bias of
 * the velocities, a chain under 1,000 times the weight of a link gained energy as it swung, and errors were 100 times as
 * large.)
 * Any thread: trees share no body that they write to.
 * Source of closing positions along the old rows, and velocities with them: Andersen, "RATTLE: a 'Velocity' Version of the
 * SHAKE Algorithm for Molecular Dynamics Calculations", 1983. */

struct lane_node {
	uint32_t states[LANES]; /* state indices, with READ_ONLY */
	bool fresh; /* no joint has changed `response` yet */
	VELOCITY velocity;
	lanes v[DOFS], q[DOFS];
	lanes masses[MASSES];
	lanes response[RESPONSE]; /* B, its lower triangle row by row */
	struct lane_state state, closed; /* for which the joints' rows are; where positions are closed */
};

struct record {
	const struct tree_joint *joints;
	uint32_t count; /* of joints */
	int rounds; /* see slides; if 1, moving a joint twice to the same poses changes no bit */
	size_t size;
	struct lane_node *nodes; /* count + 1 */
	struct lane_tie *ties;
} RECORD_ALIGNED;

enum { VELOCITY_SIZE = sizeof(VELOCITY) / sizeof(lanes) };

#define WHOLE_LINES(size) (((size) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE)

static const struct link_solver *solver_of(const struct wing *wing, uint8_t type)
{
	return wing->solvers[type][LANES == 1 ? LANES_1 : LANES == 4 ? LANES_4 : LANES_8];
}

static void *place(char **at, size_t size)
{
	void *here = *at;
	*at += WHOLE_LINES(size);
	return here;
}

/* Returns the size of the record of such a tree; sets its members if it is not NULL. */
static size_t layout(const struct wing *wing, const struct tree_joint *joints, uint32_t count, struct record *record)
{
	size_t size = WHOLE_LINES(sizeof *record) + WHOLE_LINES((count + 1) * sizeof *record->nodes) +
		WHOLE_LINES(count * sizeof *record->ties);
	char *at = NULL;
	if (record != NULL) {
		at = (char *)record + WHOLE_LINES(sizeof *record);
		record->nodes = place(&at, (count + 1) * sizeof *record->nodes);
		record->ties = place(&at, count * sizeof *record->ties);
	}
	for (uint32_t i = 0; i < count; ++i) {
		const struct link_solver *solver = solver_of(wing, joints[i].type);
		const struct part_size part = solver->parts->size(joints[i].type);
		size_t locks = (size_t)part.locks;
		const size_t sizes[] = {part.record, locks * sizeof(struct lane_lock), (size_t)FACTOR_SIZE(locks) * sizeof(lanes),
			locks * sizeof(lanes), locks * sizeof(lanes), locks * sizeof(lanes[DOFS])};
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
			size += WHOLE_LINES(sizes[k]);
		if (record == NULL)
			continue;
		struct lane_tie *tie = &record->ties[i];
		tie->solver = solver;
		tie->count = (int)locks;
		tie->point = part.point;
		tie->record = place(&at, sizes[0]);
		tie->locks = place(&at, sizes[1]);
		tie->factor = place(&at, sizes[2]);
		tie->rest = place(&at, sizes[3]);
		tie->alone = place(&at, sizes[4]);
		tie->pull = place(&at, sizes[5]);
	}
	return size;
}

static size_t tree_size(const struct wing *wing, const struct tree_joint *joints, uint32_t count)
{
	return layout(wing, joints, count, NULL);
}

static struct record *record_at(void *records, uint32_t index)
{
	return (struct record *)((char *)records + index * ((const struct record *)records)->size);
}

/* --- Factors -------------------------------------------------------------------------------------------------------------- */

/* The numbers of row i that may not be 0, of all rows or of those of a point and a hinge, see struct part_size: how many, and
 * which is the k-th. */
INLINE int row_terms(bool point, int i)
{
	return !point ? DOFS : i < AXES ? AXES : DOFS - AXES;
}

INLINE int row_term(bool point, int i, int k)
{
	return !point ? k : i >= AXES ? AXES + k : k == 0 ? i : AXES == 2 ? AXES : AXES + (i + k) % AXES;
}

INLINE lanes product(const lanes row[DOFS], const lanes v[DOFS], bool point, int i)
{
	int first = row_term(point, i, 0);
	lanes sum = row[first] * v[first];
	UNROLL
	for (int k = 1; k < row_terms(point, i); ++k)
		sum += row[row_term(point, i, k)] * v[row_term(point, i, k)];
	return sum;
}

/* to += by row */
INLINE void row_add(lanes to[DOFS], const lanes row[DOFS], lanes by, bool point, int i)
{
	UNROLL
	for (int k = 0; k < row_terms(point, i); ++k)
		to[row_term(point, i, k)] += row[row_term(point, i, k)] * by;
}

/* to = B row */
INLINE void response_mul(const struct lane_node *node, const lanes row[DOFS], lanes to[DOFS], bool point, int i)
{
	const lanes *b = node->response;
	if (node->fresh) {
		masses_mul(node->masses, row, to);
		return;
	}
	UNROLL
	for (int n = 0; n < DOFS; ++n) {
		UNROLL
		for (int k = 0; k < row_terms(point, i); ++k) {
			int m = row_term(point, i, k);
			lanes part = b[m <= n ? n * (n + 1) / 2 + m : m * (m + 1) / 2 + n] * row[m];
			to[n] = k == 0 ? part : to[n] + part;
		}
	}
}

/* row B row */
INLINE lanes response_along(const struct lane_node *node, const lanes row[DOFS], bool point, int i)
{
	lanes sum = {0};
	UNROLL
	for (int k = 0; k < row_terms(point, i); ++k) {
		int n = row_term(point, i, k);
		sum += node->response[n * (n + 1) / 2 + n] * row[n] * row[n];
		UNROLL
		for (int l = 0; l < k; ++l) {
			int m = row_term(point, i, l);
			sum += splat(2.0f) * node->response[m <= n ? n * (n + 1) / 2 + m : m * (m + 1) / 2 + n] * row[m] * row[n];
		}
	}
	return sum;
}

/* Sets the response of each lock to itself, before any joint has changed the responses of its bodies. */
INLINE void tie_alone(
	struct lane_tie *tie, const struct lane_node *parent, const struct lane_node *child, int side, bool point, int count)
{
	UNROLL
	for (int i = 0; i < count; ++i)
		tie->alone[i] = response_along(parent, tie->locks[i].rows[1 - side], point, i) +
			response_along(child, tie->locks[i].rows[side], point, i);
}

INLINE void tie_factor(
	struct lane_tie *tie, struct lane_node *parent, const struct lane_node *child, int side, bool point, int count)
{
	lanes moved[LOCKS_MOST][DOFS], column[LOCKS_MOST], *factor = tie->factor, zero = {0};
	const struct lane_lock *locks = tie->locks;
	lanes(*pull)[DOFS] = tie->pull;
	UNROLL
	for (int i = 0; i < count; ++i) {
		response_mul(parent, locks[i].rows[1 - side], pull[i], point, i);
		response_mul(child, locks[i].rows[side], moved[i], point, i);
	}
	UNROLL
	for (int i = 0; i < count; ++i) {
		UNROLL
		for (int j = 0; j <= i; ++j) {
			column[j] = product(locks[i].rows[1 - side], pull[j], point, i) + product(locks[i].rows[side], moved[j], point, i);
			if (!point)
				column[j] = choose(locks[i].used & locks[j].used, column[j], zero);
		}
		factor_row(factor, count, i, column, tie->alone[i]);
	}
	/* pull: from W to Z */
	UNROLL
	for (int i = 1; i < count; ++i)
		UNROLL
	for (int k = 0; k < i; ++k)
		row_add(pull[i], pull[k], -BELOW(factor, count, i, k), false, 0);
	UNROLL
	for (int i = 0; i < count; ++i)
		UNROLL
	for (int n = 0; n < DOFS; ++n) {
		lanes scaled = factor[i] * pull[i][n];
		UNROLL
		for (int k = 0; k <= n; ++k)
			parent->response[n * (n + 1) / 2 + k] -= scaled * pull[i][k];
	}
	parent->fresh = false;
}

static void tree_factor(struct record *record)
{
	for (uint32_t i = 0; i <= record->count; ++i) {
		response_fill(record->nodes[i].masses, record->nodes[i].response);
		record->nodes[i].fresh = true;
	}
	for (uint32_t i = 0; i < record->count; ++i) {
		const struct tree_joint *joint = &record->joints[i];
		struct lane_tie *tie = &record->ties[i];
		BY_TIE(tie, tie_alone, tie, &record->nodes[joint->parent], &record->nodes[i + 1], joint->side);
	}
	for (uint32_t i = record->count; i-- > 0;) {
		const struct tree_joint *joint = &record->joints[i];
		struct lane_tie *tie = &record->ties[i];
		BY_TIE(tie, tie_factor, tie, &record->nodes[joint->parent], &record->nodes[i + 1], joint->side);
	}
}

/* Sets the locks and all that follows from them, for the poses to which the joints have moved. */
static void tree_update(struct world *world, struct record *record)
{
	for (uint32_t i = 0; i < record->count; ++i) {
		const struct tree_joint *joint = &record->joints[i];
		struct lane_tie *tie = &record->ties[i];
		tie->solver->parts->locks(world, tie);
		lanes_copy(record->nodes[i + 1].masses, tie->masses[joint->side], MASSES);
		if (i == 0)
			lanes_copy(record->nodes[0].masses, tie->masses[1 - joint->side], MASSES);
	}
	tree_factor(record);
}

/* --- Solve ---------------------------------------------------------------------------------------------------------------- */

/* h: of positions; NULL: of velocities */
INLINE void tie_gather(struct lane_tie *tie, struct lane_node *parent, const struct lane_node *child, int side, const lanes *h,
	bool point, int count)
{
	lanes *rest = tie->rest;
	UNROLL
	for (int i = 0; i < count; ++i) {
		const struct lane_lock *lock = &tie->locks[i];
		rest[i] = product(lock->rows[1 - side], parent->v, point, i) + product(lock->rows[side], child->v, point, i);
		if (h != NULL) {
			lanes most = *h * lock->speed;
			rest[i] += max_lanes(-most, min_lanes(lock->error, most));
		}
		rest[i] = without_negligible(rest[i], NEGLIGIBLE_SPEED);
	}
	factor_solve_lower(tie->factor, count, rest);
	UNROLL
	for (int i = 0; i < count; ++i)
		row_add(parent->v, tie->pull[i], -(tie->factor[i] * rest[i]), false, 0);
}

INLINE void tie_spread(
	struct lane_tie *tie, struct lane_node *parent, struct lane_node *child, int side, bool impulses, bool point, int count)
{
	lanes *rest = tie->rest;
	UNROLL
	for (int i = 0; i < count; ++i)
		rest[i] = tie->factor[i] * (rest[i] - product(tie->pull[i], parent->q, false, 0));
	factor_solve_upper(tie->factor, count, rest);
	UNROLL
	for (int n = 0; n < DOFS; ++n)
		child->q[n] = (lanes){0};
	UNROLL
	for (int i = 0; i < count; ++i) {
		const struct lane_lock *lock = &tie->locks[i];
		if (impulses)
			*lock->impulse -= rest[i];
		row_add(parent->q, lock->rows[1 - side], rest[i], point, i);
		row_add(child->q, lock->rows[side], rest[i], point, i);
	}
}

/* Takes back the impulses of the warm start. */
static void locks_reset(struct record *record)
{
	lanes moved[DOFS];
	for (uint32_t i = 0; i < record->count; ++i) {
		const struct tree_joint *joint = &record->joints[i];
		struct lane_tie *tie = &record->ties[i];
		for (int side = 0; side < 2; ++side) {
			struct lane_node *node = &record->nodes[side == joint->side ? i + 1 : joint->parent];
			lanes sum[DOFS] = {{0}};
			for (int k = 0; k < tie->count; ++k)
				for (int n = 0; n < DOFS; ++n)
					sum[n] += tie->locks[k].rows[side][n] * *tie->locks[k].impulse;
			masses_mul(node->masses, sum, moved);
			for (int n = 0; n < DOFS; ++n)
				((lanes *)&node->velocity)[n] -= moved[n];
		}
		for (int k = 0; k < tie->count; ++k)
			*tie->locks[k].impulse = (lanes){0};
	}
}

/* Solves for the bodies' impulses q. Of positions, if h is not NULL, that close the errors; else of velocities. */
static void tree_pass(struct record *record, const lanes *h)
{
	UNROLL
	for (int n = 0; n < DOFS; ++n)
		record->nodes[0].q[n] = (lanes){0};
	for (uint32_t i = record->count; i-- > 0;) {
		const struct tree_joint *joint = &record->joints[i];
		struct lane_tie *tie = &record->ties[i];
		BY_TIE(tie, tie_gather, tie, &record->nodes[joint->parent], &record->nodes[i + 1], joint->side, h);
	}
	for (uint32_t i = 0; i < record->count; ++i) {
		const struct tree_joint *joint = &record->joints[i];
		struct lane_tie *tie = &record->ties[i];
		BY_TIE(tie, tie_spread, tie, &record->nodes[joint->parent], &record->nodes[i + 1], joint->side, h == NULL);
	}
}

#define SMALL 0.1f /* part of the greatest speed */
#define AMPLIFIED 20.0f
#define MOST_TURN 0.1f /* [rad] */
#define WANTED_TURN 0.03f /* of a body that would turn by more than MOST_TURN [rad] */

/* Lanes whose errors are small, and which the rows of the sub-step's start can close. A load far heavier than the bodies that
 * carry it amplifies these rows' errors of direction: impulses are then far greater than each lock alone would need. Errors of
 * lengths and angles are compared in units of their greatest speeds. */
static masks gentle(const struct world *world, const struct record *record)
{
	lanes most = {0}, peak = {0};
	for (uint32_t i = 0; i < record->count; ++i)
		for (int k = 0; k < record->ties[i].count; ++k) {
			const struct lane_tie *tie = &record->ties[i];
			const struct lane_lock *lock = &tie->locks[k];
			most = max_lanes(most, choose(lock->used, abs_lanes(lock->error) / lock->speed, (lanes){0}));
			peak = max_lanes(peak, abs_lanes(tie->rest[k]) * tie->alone[k] / lock->speed);
		}
	return (most <= splat(SMALL * world->step.h)) & (peak <= splat(AMPLIFIED) * most);
}

/* Sets v to M^-1 q, and returns the squared angle by which that turns the body. */
INLINE lanes node_turn(struct lane_node *node)
{
	lanes square = {0};
	masses_mul(node->masses, node->q, node->v);
	for (int n = AXES; n < DOFS; ++n)
		square += node->v[n] * node->v[n];
	return square;
}

/* Moves the bodies of these lanes, and leaves the others, by -M^-1 q, of which as large a part as turns none by more than
 * MOST_TURN, since rows are those of small rotations, and moves none farther than all joints in a row may close: locks that
 * contradict each other, or locked axes, could throw it anywhere. kick: and changes their velocities so that they would have
 * moved there. */
static void nodes_move(const struct world *world, struct record *record, masks some, bool kick)
{
	lanes inv_h = splat(world->step.inv_h), most = {0}, farthest = {0};
	for (uint32_t i = 0; i <= record->count; ++i) {
		struct lane_node *node = &record->nodes[i];
		most = max_lanes(most, node_turn(node));
		farthest = max_lanes(farthest, product(node->v, node->v, false, 0) - node_turn(node));
	}
	float reach = (float)record->count * JOINT_SPEED * world->settings.length_scale * world->step.h;
	lanes part = -min_lanes(shortening(most, splat(MOST_TURN)), shortening(farthest, splat(reach)));
	for (uint32_t i = 0; i <= record->count; ++i) {
		struct lane_node *node = &record->nodes[i];
		struct lane_state moved = node->state;
		lanes *from = (lanes *)&moved, *to = (lanes *)&node->closed;
		const lanes *others = (const lanes *)(kick ? &node->state : &node->closed);
		for (int n = 0; n < DOFS; ++n) {
			node->v[n] *= part;
			from[n] += kick ? inv_h * node->v[n] : (lanes){0};
		}
		state_move(&moved, node->v);
		for (size_t n = 0; n < sizeof moved / sizeof *to; ++n)
			to[n] = choose(some, from[n], others[n]);
	}
}

static void errors_solve(const struct world *world, struct record *record)
{
	lanes h = splat(world->step.h);
	for (uint32_t i = 0; i <= record->count; ++i)
		for (int n = 0; n < DOFS; ++n)
			record->nodes[i].v[n] = (lanes){0};
	tree_pass(record, &h);
}

/* Where the errors would turn a body by more than MOST_TURN, increases the inertia of the tree's bodies: a chain that is nearly
 * straight closes its errors by turning its links far, unless that costs more than to lift the load. False: nowhere. */
static bool turns_resist(struct record *record)
{
	const lanes one = splat(1.0f);
	masks some = {0};
	for (uint32_t i = 0; i <= record->count; ++i)
		some |= node_turn(&record->nodes[i]) > splat(MOST_TURN * MOST_TURN);
	for (uint32_t i = 0; i <= record->count && any(some); ++i) {
		struct lane_node *node = &record->nodes[i];
		masses_scale(node->masses, choose(some, shortening(node_turn(node), splat(WANTED_TURN)), one));
	}
	return any(some);
}

static void parts_move(struct world *world, struct record *record)
{
	for (uint32_t i = 0; i < record->count; ++i) {
		struct lane_tie *tie = &record->ties[i];
		int side = record->joints[i].side;
		const struct lane_state *child = &record->nodes[i + 1].state, *parent = &record->nodes[record->joints[i].parent].state;
		tie->solver->parts->move(world, tie, side == 0 ? child : parent, side == 0 ? parent : child);
	}
}

/* Closes the errors. The velocities follow the positions where the errors are those of a sub-step's motion: else a pendulum
 * would lose a tenth of its energy in a second. The joints then move to where their bodies are closed, but not where the errors
 * were small: with the rows of before, the velocities of chains that are nearly straight between two walls grew without end. */
static void tree_close(struct world *world, struct record *record)
{
	parts_move(world, record);
	errors_solve(world, record);
	masks some = gentle(world, record), stay = record->rounds == 1 ? some : (masks){0};
	nodes_move(world, record, some, true);
	if (any(~some)) {
		tree_update(world, record);
		errors_solve(world, record);
		for (int i = 0; i < 2 && turns_resist(record); ++i) {
			tree_factor(record);
			errors_solve(world, record);
		}
		nodes_move(world, record, ~some, false);
	}
	if (any(~stay)) {
		for (uint32_t i = 0; i <= record->count; ++i) {
			lanes *to = (lanes *)&record->nodes[i].state;
			const lanes *from = (const lanes *)&record->nodes[i].closed;
			for (size_t n = 0; n < sizeof record->nodes[i].state / sizeof *to; ++n)
				to[n] = choose(stay, to[n], from[n]);
		}
		parts_move(world, record);
	}
	tree_update(world, record);
}

/* reset: the warm start is taken back first. It has shown the bodies' loads to limits and motors, but does not change what the
 * locks need, except by rounding: after a jolt the last impulses may be a thousand times as large. */
static void tree_solve(struct record *record, bool reset)
{
	lanes moved[DOFS];
	if (reset)
		locks_reset(record);
	for (uint32_t i = 0; i <= record->count; ++i)
		lanes_copy(record->nodes[i].v, (const lanes *)&record->nodes[i].velocity, DOFS);
	tree_pass(record, NULL);
	for (uint32_t i = 0; i <= record->count; ++i) {
		struct lane_node *node = &record->nodes[i];
		masses_mul(node->masses, node->q, moved);
		for (int n = 0; n < DOFS; ++n)
			((lanes *)&node->velocity)[n] -= moved[n];
	}
}

/* Solves limits, springs and motors, then the locks. */
static void rounds_solve(struct world *world, struct record *record, bool push)
{
	for (int round = 0; round < record->rounds; ++round) {
		for (uint32_t i = 0; i < record->count; ++i) {
			const struct lane_tie *tie = &record->ties[i];
			int side = record->joints[i].side;
			VELOCITY *child = &record->nodes[i + 1].velocity, *parent = &record->nodes[record->joints[i].parent].velocity;
			tie->solver->parts->solve(world, tie->record, side == 0 ? child : parent, side == 0 ? parent : child, push);
		}
		tree_solve(record, push && round == 0);
	}
}

static void solve(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = record_at(records, i);
		for (uint32_t k = 0; k <= record->count; ++k)
			record->nodes[k].velocity = gather(world, record->nodes[k].states);
		rounds_solve(world, record, true);
		for (uint32_t k = 0; k <= record->count; ++k)
			scatter(world, record->nodes[k].states, &record->nodes[k].velocity);
	}
}

static void relax(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = record_at(records, i);
		for (uint32_t k = 0; k <= record->count; ++k)
			record->nodes[k].state = gather_all(world, record->nodes[k].states);
		tree_close(world, record);
		for (uint32_t k = 0; k <= record->count; ++k)
			lanes_copy((lanes *)&record->nodes[k].velocity, (const lanes *)&record->nodes[k].closed, VELOCITY_SIZE);
		rounds_solve(world, record, false);
		for (uint32_t k = 0; k <= record->count; ++k) {
			lanes_copy((lanes *)&record->nodes[k].closed, (const lanes *)&record->nodes[k].velocity, VELOCITY_SIZE);
			scatter_all(world, record->nodes[k].states, &record->nodes[k].closed);
		}
	}
}

/* --- Prepare and store ---------------------------------------------------------------------------------------------------- */

/* The links of joint k of the record's trees. */
static struct batch joint_batch(const struct batch *batch, uint32_t index, uint32_t k)
{
	uint32_t left = batch->count - index * LANES, count = left < LANES ? left : LANES;
	return (struct batch){.first = batch->first + index * LANES * batch->joints + k * count, .count = count};
}

static void node_prepare(struct lane_node *node, const struct batch_link *links, uint32_t count, int side)
{
	for (uint32_t lane = 0; lane < LANES; ++lane)
		node->states[lane] = lane < count ? links[lane].states[side] : READ_ONLY;
}

/* Whether the joint has a coordinate that is a length. Its limits act on arms, so that the locks counter most of their
 * impulses: in one round each sub-step, four bodies on sliders in a row gained energy without end. */
static bool slides(uint8_t type)
{
	return type == JOINT_PRISMATIC || type == JOINT_WHEEL || type == JOINT_CYLINDRICAL || type == JOINT_SIX_DOF ||
		type == JOINT_PATH;
}

static void prepare(struct world *world, void *records, const struct batch *batch, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)((char *)records + i * batch->record_size);
		record->joints = world->partition.tree_joints.data + batch->tree;
		record->count = batch->joints;
		record->size = batch->record_size;
		record->rounds = 1;
		layout(world->wing, record->joints, record->count, record);
		for (uint32_t k = 0; k < record->count; ++k) {
			const struct batch of_joint = joint_batch(batch, i, k);
			const struct batch_link *links = world->partition.links.data + of_joint.first;
			int side = record->joints[k].side;
			record->rounds = slides(record->joints[k].type) ? 2 : record->rounds;
			node_prepare(&record->nodes[k + 1], links, of_joint.count, side);
			if (k == 0)
				node_prepare(&record->nodes[0], links, of_joint.count, 1 - side);
			record->ties[k].solver->prepare(world, record->ties[k].record, &of_joint, 0, 1);
		}
		for (uint32_t k = 0; k <= record->count; ++k)
			record->nodes[k].state = gather_all(world, record->nodes[k].states);
		parts_move(world, record);
		tree_update(world, record);
	}
}

static void warm_start(struct world *world, void *records, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = record_at(records, i);
		for (uint32_t k = 0; k < record->count; ++k)
			record->ties[k].solver->warm_start(world, record->ties[k].record, 0, 1);
	}
}

static void store(struct world *world, void *records, const struct batch *batch, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = record_at(records, i);
		for (uint32_t k = 0; k < record->count; ++k) {
			const struct batch of_joint = joint_batch(batch, i, k);
			record->ties[k].solver->store(world, record->ties[k].record, &of_joint, 0, 1);
		}
	}
}

#define TREE_SOLVER                                                                                                           \
	{                                                                                                                         \
		.lanes = LANES, .tree_size = tree_size, .prepare = prepare, .warm_start = warm_start, .solve = solve, .relax = relax, \
		.store = store                                                                                                        \
	}
