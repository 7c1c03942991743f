/* sweep.h - continuous collision of one body: the search for its first impact, and its motion from there.
 * Any thread, but body_sweep of bullets serially, in id order, and in a world with a filter all serially. */
#pragma once
#include "core/impact.h"
#include "core/path.h"

/* Limits on a body's impacts in a step. After IMPACTS the rest of its displacement is lost, and dynamic bodies no longer stop
 * it. After LAST_IMPACT path_end ends its path. */
enum { IMPACTS = 7, LAST_IMPACT = 8 };

/* Size of a shape's core relative to the shape. If a shape overlaps an obstacle already, only its core is swept against that.
 * Box2D's B2_CORE_FRACTION. */
#define CORE_FRACTION 0.25f

/* A displacement of at most this fraction of a slop, relative to a carrier or a dynamic body, cannot hit it. */
#define STAYS 0.1f

/* The sweep of a body, and the search for the first impact in the part of its path under test. */
struct sweep_query {
	struct world *world;
	const struct sweep_wing *wing; /* of the world */
	uint32_t id; /* the swept body */
	bool bullet;
	bool jointed; /* the body is on joints: only its core is stopped */
	bool overtaken; /* it is swept however slow it is: a kinematic body may have passed through it, or it has sunk in */
	bool shared; /* see world->shared */
	bool later; /* bullets may have been moved since body_first_hit tested this path */
	bool again; /* only those bullets are tested */
	bool crowded; /* too many impacts, or jammed by a dynamic body: dynamic bodies do not stop the body any more */
	bool measures; /* distances from obstacles are measured instead of impacts, see nearness_of */
	/* of the body: greatest distance of its points from the centre of mass; radius of the ball inside its smallest shape
	 * [length] */
	float extent, inner;
	float target, tolerance; /* separation to keep, and its tolerance [length] */

	struct sweep sweep; /* the part under test; its `turn` is valid when `posed` */
	bool posed;
	float from, until; /* start and end of the part under test, as fractions of the step */
	float turn_before[3]; /* rotation in the parts before [rad] */
	uint32_t carrier; /* the obstacle that carries the body along, or NONE */
	struct sweep relative; /* the same part, with the carrier fixed at its pose at `from` */
	bool bent; /* `sweep` deviates from `relative` by more than a slop: the carrier is tested like other obstacles */
	uint32_t ignored; /* an obstacle that does not stop the body, or NONE */

	void *probe; /* the wing's geometry of the body (struct probe), on the stack of wing->probe: see path.h */
	uint32_t proxy; /* the body's proxy under test */
	bool prepared, slow; /* wing->prepare has run for the proxy; the proxy moves too little to pass through an obstacle */
	uint32_t other, obstacle; /* the proxy that the body's proxy is tested against, and its body */
	struct sweep path; /* the obstacle's motion in the part; of the carrier, its pose at `from` */
	bool path_moves; /* the obstacle is not at rest */
	const struct sweep *seen; /* &sweep, or &relative against the carrier */
	double arc; /* greatest deviation of `seen` from a straight path in the obstacle's frame [length] */
	double lift; /* added along the normal to the position that a hit records [length] */
	bool behind; /* the body starts behind a one-sided obstacle, which stops it only from the front */
	struct vec3 front; /* the obstacle's front direction, in its frame */

	float t; /* free fraction of the part */
	struct surface_hit first; /* the impact at t */
	bool turns; /* the centre of mass hits, so that the body may go on rotating */
	bool deep; /* the core or the shape's centroid hits: the surface overlaps already */
	/* surfaces hit in this step; the body stays in front of those that hit_holds keeps */
	struct surface_hit hits[LAST_IMPACT];
	int hit_count;
	struct impact bounces[LAST_IMPACT]; /* the impacts where it bounced */
	int bounce_count;

	/* results of `measures`, for obstacles at rest. near_obstacle: distance from the obstacle that was hit; near: least
	 * distance from any, set if wing->slides_by_nearest [length]; INFINITY: none near. The normals there are in the world */
	float near_obstacle, near;
	struct vec3 obstacle_normal, near_normal;
};

/* Finds the first impact of a fast body over the whole step, given the current motions of all other bodies. hit->t is 1 without
 * an impact. */
void body_first_hit(const struct world *world, uint32_t body, struct path_hit *hit);
/* Sweeps the body: takes it back to its first impact, from where it slides on, bounces or is carried. False: there is no
 * impact; or no room to store a bounce, and the body is in world->bouncing_bodies. If world->bullets_paired, starts from the
 * impact that body_first_hit found, and tests only bullets that have been moved since; if the obstacle is one of these, tests
 * all obstacles again. */
bool body_sweep(struct world *world, uint32_t body);
/* Finds the first impact, as body_first_hit does, and converts it to a plane that the body must stay in front of. False: no
 * impact. */
bool body_impact(const struct world *world, uint32_t body, struct path_impact *impact);

/* --- For the wing --------------------------------------------------------------------------------------------------------- */

/* Marks `other`, if it is a bullet with a greater id, to test its pair with `bullet`, too. Of two bullets the one with the
 * smaller id tests the pair for both, but its test may not decide whether they hit. Any thread. */
static inline void bullet_ask(struct world *world, uint32_t bullet, uint32_t other)
{
	if (other > bullet && bits_has(&world->fast_bullets, other))
		bits_set_shared(&world->asked_bullets, other);
}

/* Whether `other` cannot stop `body`, since both are bullets. */
static inline bool bullets_ignore(const struct world *world, uint32_t body, uint32_t other)
{
	const struct body *a = &world->bodies.data[body], *b = &world->bodies.data[other];
	return a->bullet && b->bullet && b->type == BODY_DYNAMIC && !world->settings.bullets_hit_bullets;
}

/* Tests the paths of all colliders of the body, and lowers query->t to the first impact. */
void colliders_sweep(struct sweep_query *query);
/* Sets query->path, the obstacle's motion, and query->seen, the body's motion that is tested against it. */
void sweep_see(struct sweep_query *query);
/* Whether a hit at time t with this normal (in the world) stops the body. False for a body that starts behind a one-sided
 * obstacle, unless the hit is on the obstacle's front. */
bool sweep_from_front(const struct sweep_query *query, float t, struct vec3 normal);
/* Records a hit at time t of query->seen if it is earlier than query->t, sweep_from_front holds, and the body approaches.
 * `normal`: towards the body, in the world. */
void sweep_hit(struct sweep_query *query, float t, struct vec3 normal, bool deep, bool turns);

/* --- For the motion after an impact --------------------------------------------------------------------------------------- */

/* Whether no body but its carrier is near the rest of the path of a body that is carried from `here` to `there`. `angle`: the
 * carrier's rotation in the whole step; `distance`: of the body from the carrier's centre of mass. */
bool arc_clear(const struct sweep_query *query, struct vec3 here, struct vec3 there, double angle, double distance);
