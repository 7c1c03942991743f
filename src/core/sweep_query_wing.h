/* sweep_query_wing.h - the functions of a swept body's first impact that are the same in both wings. Included by each wing's
 * ccd_query.c, which then defines dip_between and stays_above. */

/* Upper bound on how far a point of the shape gets below the chords of its path from the start of the motion to its middle, and
 * from there to its end [length]. The path of the shape's centre is bent, and rotation by w in each half of the motion adds w^2
 * r / 8. */
static float dip_between(const struct sweep_query *query);
/* Whether one face of a, the obstacle's shape, has the whole swept shape at most `depth` below its plane at each of `poses`,
 * which are in a's frame. */
static bool stays_above(const struct sweep_query *query, const struct WING(shape) * a, const struct WING(transform) * poses,
	uint32_t count, float depth);

struct WING(pose) WING(ccd_seen_pose)(const struct probe *probe, float t)
{
	if (probe->seen == &probe->sweep && (t == 0.0f || t == 1.0f))
		return t == 0.0f ? probe->start : probe->end;
	return WING(sweep_pose)(probe->seen, t);
}

/* Sets the sweeps of the body and the obstacle that are tested against each other. */
static void probe_see(struct sweep_query *query)
{
	struct probe *probe = query->probe;
	sweep_see(query);
	probe->obstacle = WING(ccd_sweep)(&query->path);
	probe->seen = &probe->sweep;
	if (query->seen != &query->sweep) {
		probe->relative = WING(ccd_sweep)(query->seen);
		probe->seen = &probe->relative;
	}
}

/* Records a hit of the centroid. The body may rotate on if its centre of mass is there, to a slop. */
static void middle_hit(struct sweep_query *query, float t, struct WING(vec_d) normal)
{
	const struct probe *probe = query->probe;
	bool turns = WING(length)(WING(sub)(probe->shape->centroid, probe->sweep.local_center)) <= query->target;
	sweep_hit(query, t, WING(ccd_vec3)(normal), true, turns);
}

/* Whether the shape stays above one face of the obstacle along the path up to query->t: at its start, middle and end at most
 * 1.5 slops below the face's plane (a slop, and half as tolerance for resting contact), between these at most 2. Such a shape
 * slides on the face, and can hit other faces only at seams. */
static bool slides_over(const struct sweep_query *query, const struct WING(shape) * a)
{
	const struct probe *probe = query->probe;
	static const float times[3] = {0.0f, 1.0f, 0.5f};
	struct WING(transform) poses[3];
	struct WING(pose) frame = WING(sweep_pose)(&probe->obstacle, 0.0f);
	float slack = max_f(0.0f, dip_between(query) - 0.5f * query->target);
	float depth = min_f(1.5f * query->target, 0.5f * probe->shape->inner) - slack;
	for (uint32_t i = 0; i < 3; ++i) {
		float t = times[i] * query->t;
		if (i > 0 && query->path_moves)
			frame = WING(sweep_pose)(&probe->obstacle, t);
		struct WING(pose) pose = WING(ccd_seen_pose)(probe, t);
		poses[i] = WING(pose_relative)(&frame, &pose);
		if (i > 0 && !stays_above(query, a, poses, i + 1, depth))
			return false;
	}
	return true;
}
