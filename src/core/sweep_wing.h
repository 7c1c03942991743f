/* sweep_wing.h - the functions and the table for continuous collision that both wings share. Included at the end of each wing's
 * ccd.c; for the table see struct sweep_wing. */

/* Runs the sweep with the wing's record of the body's geometry on the stack. */
static void probe_run(struct sweep_query *query)
{
	struct probe probe;
	query->probe = &probe;
	colliders_sweep(query);
	query->probe = NULL;
}

static struct body_line body_line(const struct world *world, uint32_t id)
{
	const struct WING(body) *row = WING(row)(world, id);
	struct sweep sweep = sweep_begin(world, id);
	return (struct body_line){sweep.from, vec3_sub(sweep.to, sweep.from), row->max_extent, row->min_extent};
}

const struct sweep_wing WING(sweep_wing) = {
	.slides_by_nearest = SLIDES_BY_NEAREST,
	.begin = sweep_begin,
	.path = sweep_path,
	.still = sweep_still,
	.frame = sweep_frame,
	.center_pose = sweep_center_pose,
	.carry = sweep_carry,
	.line = body_line,
	.turn_bound = turn_bound,
	.motion = motion_get,
	.motion_set = motion_set,
	.inverse_inertia = inverse_inertia,
	.touch = touch,
	.probe = probe_run,
	.proxy_swept = WING(ccd_proxy_swept),
	.prepare = WING(ccd_prepare),
	.near = WING(ccd_near),
	.around = WING(ccd_around),
	.box = WING(ccd_box),
	.against = WING(ccd_against),
	.distance = WING(ccd_distance),
};
