/* ccd.h - continuous collision of the bodies that went far in a step: which of them need a look at their shapes, and their
 * boxes. */
#pragma once
#include "core/core.h"

/* For the wing's finish, any thread, each body by one: its pose is new, and some point of it may have moved through
 * something. */
void body_went_far(struct world *world, uint32_t body);

/* A shape that moves by less than this part of a slop in a step passes through nothing, however thin it is: it rests. */
#define STIRS 0.01f

/* Whether a body may have passed through something thin in this step: its centre of mass by half the radius `inner` of what
 * fits into it, or any of its points, which are within `outer`. Those of one that is compact may go by three quarters, as they
 * turn: Jolt's LinearCast lets the centre (Rouwe, 2021). [length] */
static inline bool body_fast(
	const struct world *world, const struct body *body, float inner, float outer, float straight, float way)
{
	if (!world->settings.continuous || body->colliders == NONE || !(way > STIRS * LINEAR_SLOP * world->settings.length_scale))
		return false;
	bool compact = body->type == BODY_DYNAMIC && outer < 3.0f * inner;
	return straight > 0.5f * inner || way > (compact ? 0.75f : 0.5f) * inner;
}

/* Takes those back that would have passed through something, and gives all of them boxes that fit. Serial. */
void bodies_sweep(struct world *world);

/* For collide, any thread: the deepest of a contact's new points; how far its bodies may move against each other before it is
 * collided again; and how far the middles of its shapes are from their surfaces at least. A shape that has sunk by this part of
 * that into something that is not dynamic, and as far as that is thick to its middle, is swept however slow it is: what is left
 * is the farthest that it goes in one step without being fast. A shape so thin that more than that may go unseen is swept
 * sooner. */
#define SUNK 0.25f
static inline void contact_sinks(struct world *world, uint32_t id, float separation, float unseen, const float inner[2])
{
	const struct contact *contact = &world->contacts.data[id];
	bool moves[2] = {world->bodies.data[contact->edge.bodies[0]].type == BODY_DYNAMIC,
		world->bodies.data[contact->edge.bodies[1]].type == BODY_DYNAMIC};
	int mover = moves[0] ? 0 : 1;
	float own = inner[mover], other = inner[!mover], most = min_f(max_f(SUNK * own, other), 0.5f * own + other - unseen);
	if (moves[0] != moves[1] && -separation > most && !world->proxies.data[contact->proxies[!mover]].unbounded)
		bits_set_shared(&world->sunk_contacts, id);
	else
		bits_clear_shared(&world->sunk_contacts, id);
}

/* Who moves by less than this part of a slop, seen from the other one, meets nothing. */
#define STAYS 0.1f

/* The greatest height over a plane on a bent way, which is off the straight one between two heights by `arc` at most [length]:
 * that of the parabola over them. */
static inline double bent_peak(double from, double to, double arc)
{
	double rise = to - from;
	return abs_d(rise) < 4.0 * arc ? 0.5 * (from + to) + arc + rise * rise / (16.0 * arc) : max_d(from, to);
}

/* Whether who begins a bent way at a height over a one-sided surface, and ends it at another one, may go through it from its
 * front. */
static inline bool comes_through(double from, double to, double arc, double core)
{
	return from > -arc || (to <= core && bent_peak(from, to, arc) > max_d(0.0, to));
}

/* How far a body may move, seen from a dynamic one, and pass through nothing [length]: like one that is slow, by half the
 * radius `inner` of what fits into the smaller of both. One that has sunk in is held more closely. */
static inline double free_way(const struct world *world, uint32_t id, double inner)
{
	double least = (double)(STAYS * LINEAR_SLOP * world->settings.length_scale);
	return bits_has(&world->overtaken_bodies, id) ? least : max_d(least, 0.5 * inner);
}

/* A surface that a swept body has met: its way must lead by at least `ahead` along the normal. In the plane the third number is
 * 0. */
struct way_plane {
	double normal[3];
	double ahead; /* [length] */
};

/* The first impact of a body on its way. */
struct way_impact {
	float t; /* fraction of the step */
	uint32_t body; /* the obstacle */
	bool deep; /* the core of the body, or its middle: it had sunk in already */
	struct way_plane plane; /* in front of which it stays, ahead of where the step has brought it */
};

/* Rounding may bring a way behind a plane that it keeps to: by this part of a slop at most, or of the slack below. */
#define WAY_ROUNDING 1e-6

/* Changes the way as little as possible so that it keeps to all planes. False, and the way is between them, where they leave no
 * room: some of them want more than `slack` [length]. Source: Hildreth, "A quadratic programming procedure", 1957. */
bool way_keep(const struct way_plane *planes, int count, double slack, double way[3]);

/* When a body, carried along since then at a distance from the middle of what turns by so much in the whole step, has gone so
 * far that its arc is half a slop higher than its chord, which is what it is swept along. At most 1. */
float arc_end(float from, double angle, double distance, double slop);

/* When a part of the step has to end in which a way is bent too much: `left` is the part of its bend that may remain. A bend
 * grows with the square of the time. */
float part_end(float from, float until, double left);

/* Counts a part of the step in which a body does not move, since impacts have held it up. Any thread. */
static inline void way_lose(struct world *world, float part)
{
	atomic_fetch_add_explicit(&world->lost, (uint64_t)(LOST_UNIT * (double)part), memory_order_relaxed);
}

/* The smaller one of two bullets has not found out whether they meet, in a look that they share: the other one has to look,
 * too. Any thread. */
static inline void bullet_ask(struct world *world, uint32_t bullet, uint32_t other)
{
	if (other > bullet && bits_has(&world->fast_bullets, other))
		bits_set_shared(&world->asked_bullets, other);
}

/* Whether a body that was on another one's way has to be asked about once more, after bullets have been moved: not one that has
 * ended its way on that, with which it goes since; and where `again`, only such as have been moved. */
static inline bool bullet_stands_in(const struct world *world, uint32_t other, uint32_t body, bool again)
{
	const struct way_hit *hit = bits_has(&world->fast_bullets, other) ? &world->hits.data[world->bodies.data[other].row] : NULL;
	return hit != NULL && hit->moved ? hit->carrier != body : !again;
}

/* Whether the colliders of a swept proxy and of another one collide, by layers, joints and the filter. Any thread, but serial
 * where there is a filter. */
bool sweep_allowed(const struct world *world, uint32_t proxy, uint32_t other);
