/* restitution_lanes.h - restitution in the contact solvers of 2D and 3D. Included after struct record and POINTS of the
 * contact_solver.wide.c, which then defines record_bounce. */

/* Maximum number of passes over a contact's points. If two points of a round shape are close, each pass leaves 0.8 of the
 * error. A contact is done when a pass changes no point's speed by more than BOUNCED times the point's approach speed. If not
 * even the first pass would, the contact is left unchanged. */
enum { RESTITUTION_SWEEPS = 64 };
#define BOUNCED 1e-3f

/* Gives the points where `bounces` is set the speeds of bounce_speed. False: all have these already, and nothing changed. */
static bool record_bounce(struct world *world, struct record *record, const masks bounces[POINTS]);

/* Applies Newton's law of impact, by bounce_speed, to points that approached faster than the threshold and got an impulse, in
 * contacts with a restitution above `least`. True: velocities have changed. A point's impulse over the whole step must not
 * become negative: a point that stopped first and is lifted by another gives back the impulse that stopped it. If only the last
 * sub-step's impulse were bounded, an impact with e = 1 would gain up to 29 % of the energy. Bouncing points do not warm start
 * the next step, since the bodies separate. With warm starting, a light ball between a wall and a ball of 20 times its mass
 * threw the heavy ball back with 3.6 times the energy. */
static bool NAME(restitution)(struct world *world, void *records, uint32_t begin, uint32_t end, float least)
{
	lanes threshold = splat(-world->settings.restitution_threshold), zero = {0};
	bool again = false;
	for (uint32_t i = begin; i < end; ++i) {
		struct record *record = (struct record *)records + i;
		if (!record->bounces)
			continue;
		masks bounces[POINTS], some = (masks)zero;
		for (int k = 0; k < POINTS; ++k) {
			bounces[k] =
				(record->speed[k] < threshold) & (record->points[k].step_impulse > zero) & (record->restitution > splat(least));
			some |= bounces[k];
		}
		if (any(some) && record_bounce(world, record, bounces))
			again = true;
	}
	return again;
}
