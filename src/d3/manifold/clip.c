/* clip.c - clipping of two overlapping contact faces.
 * The incident face is clipped against the edges of the reference, both projected onto the reference's plane. Point ids name
 * features: a corner of one and a face of the other, or two edges that cross when seen along the normal. Ids do not depend on
 * which face is the reference, so a change of reference does no harm.
 * Source: Sutherland, Hodgman, "Reentrant polygon clipping", 1974.
 * Pure, any thread. */
#include "d3/manifold/manifold_parts.h"

#include "base/float4.h"

/* The clipped polygon. Its count is in the cache line of the first corners. */
struct corners { /* NOLINT(clang-analyzer-optin.performance.Padding) */
	uint32_t count;
	float4 p[D3_CANDIDATES_MAX]; /* x and y in the plane of struct view, and the height above the reference [length] */
	int16_t line[D3_CANDIDATES_MAX]; /* to the next corner: k >= 0 is an edge of the incident face, ~k of the reference */
	int16_t point[D3_CANDIDATES_MAX]; /* of the incident face, or -1 */
};

/* Separation of the surfaces, from the height of the incident core over the reference. */
static inline float separation_of(const struct d3_clip *clip, float height)
{
	return height - clip->radius_reference - clip->radius_incident;
}

/* Whether the incident face is nearly parallel to the reference. */
static bool is_parallel(const struct d3_clip *clip, struct d3_vec n)
{
	const struct d3_contact_face *incident = clip->incident;
	struct d3_vec delta = d3_sub(incident->p[1], incident->p[0]);
	float along = d3_dot(delta, n);
	return incident->count == 2 ? along * along <= D3_LINE_SINE * D3_LINE_SINE * d3_dot(delta, delta)
								: -d3_dot(incident->normal, n) >= D3_SAME_COSINE;
}

uint32_t d3_near_points(struct d3_candidate_point *points, uint32_t count, const float radii[2], float limit, bool parallel)
{
	uint32_t near = 0;
	for (uint32_t i = 0; i < count; ++i)
		near += points[i].height - radii[0] - radii[1] <= limit;
	if (near == count || (near > 0 && parallel))
		return count;
	near = 0;
	for (uint32_t i = 0; i < count; ++i)
		if (points[i].height - radii[0] - radii[1] <= limit)
			points[near++] = points[i];
	return near;
}

static uint32_t near_points(const struct d3_clip *clip, struct d3_vec n, struct d3_candidate_point *points, uint32_t count)
{
	return d3_near_points(points, count, (const float[2]){clip->radius_reference, clip->radius_incident}, clip->speculative,
		is_parallel(clip, n));
}

/* The id of a point from its features of the reference and of the incident face. */
static inline uint32_t point_id(const struct d3_clip *clip, uint32_t of_reference, uint32_t of_incident)
{
	return clip->flipped ? d3_feature_pair(of_incident, of_reference) : d3_feature_pair(of_reference, of_incident);
}

/* The reference's plane. Behind the last corner, the first one is repeated. */
struct view {
	struct d3_vec origin, u, v;
	float x[D3_CONTACT_FACE_LANES], y[D3_CONTACT_FACE_LANES]; /* of the reference's corners */
	/* outward normals in 2D of its sides, from each corner to the next; for groups of four, beyond the last side, too */
	float nx[D3_CONTACT_FACE_LANES], ny[D3_CONTACT_FACE_LANES];
};

static void set_view(const struct d3_contact_face *reference, struct view *view)
{
	struct d3_vec n = reference->normal, delta = d3_sub(reference->p[1], reference->p[0]);
	view->origin = reference->p[0];
	view->u = d3_normalize(d3_mul_add(delta, -d3_dot(delta, n), n));
	view->v = d3_cross(n, view->u);
	for (uint32_t i = 0; i < reference->count; ++i) {
		struct d3_vec p = d3_sub(reference->p[i], view->origin);
		view->x[i] = d3_dot(p, view->u);
		view->y[i] = d3_dot(p, view->v);
	}
	for (uint32_t i = 0; i < D3_CONTACT_FACE_SPARE; ++i) {
		view->x[reference->count + i] = view->x[0];
		view->y[reference->count + i] = view->y[0];
	}
	for (uint32_t i = 0; i < reference->count; i += 4) {
		float4 x = float4_read(view->x + i + 1) - float4_read(view->x + i);
		float4 y = float4_read(view->y + i + 1) - float4_read(view->y + i), length = float4_roots(x * x + y * y);
		float4 inverse = float4_choose(length > float4_of(1e-18f), 1 / length, float4_of(0));
		float4_write(view->nx + i, y * inverse);
		float4_write(view->ny + i, -x * inverse);
	}
}

/* Point i of the incident face in the plane of the view, as in struct corners. */
static float4 corner_at(
	const struct view *view, const struct d3_contact_face *reference, const struct d3_contact_face *incident, uint32_t i)
{
	struct d3_vec p = d3_sub(incident->p[i], view->origin);
	return (float4){d3_dot(p, view->u), d3_dot(p, view->v), d3_dot(p, reference->normal), 0};
}

/* How far a corner is beyond side i of the reference [length]. */
static inline float beyond(const struct view *view, uint32_t i, const float4 *corner)
{
	return view->nx[i] * ((*corner)[0] - view->x[i]) + view->ny[i] * ((*corner)[1] - view->y[i]);
}

/* Bit k: whether a corner is more than `slack` beyond side i + k. */
static uint32_t sides_passed(const struct view *view, uint32_t i, const struct corners *corners, float slack)
{
	float4 from_x = float4_read(view->x + i), from_y = float4_read(view->y + i);
	float4 nx = float4_read(view->nx + i), ny = float4_read(view->ny + i), most = float4_of(-INFINITY);
	for (uint32_t k = 0; k < corners->count; ++k)
		most = float4_most(nx * (corners->p[k][0] - from_x) + ny * (corners->p[k][1] - from_y), most);
	return float4_bits(most > float4_of(slack));
}

/* Cuts the polygon along side i. Corners at most `slack` beyond the side stay. A corner within the slack on either side of it
 * replaces the crossing next to the corner. Each corner and crossing is written, and replaced by the next one if it does not
 * stay: where positions are random, a branch costs more. */
static void cut(const struct view *view, uint32_t i, const struct corners *in, float slack, struct corners *out)
{
	int16_t side = (int16_t)~i;
	uint32_t count = in->count, made = 0;
	float first = beyond(view, i, &in->p[0]), here = first;
	for (uint32_t k = 0; k < count && made + 2 <= D3_CANDIDATES_MAX; ++k) {
		uint32_t next = k + 1 < count ? k + 1 : 0;
		float there = next > 0 ? beyond(view, i, &in->p[next]) : first;
		bool stays = here <= slack, leaves = stays & (there > slack), ends = leaves & (here > -slack);
		bool crosses = (leaves & !ends) | (!stays & (there < -slack));
		out->p[made] = in->p[k];
		out->line[made] = ends ? side : in->line[k];
		out->point[made] = in->point[k];
		made += stays;
		out->p[made] = in->p[k] + here / (here - there) * (in->p[next] - in->p[k]);
		out->line[made] = leaves ? side : in->line[k];
		out->point[made] = -1;
		made += crosses;
		here = there;
	}
	out->count = made;
}

/* The id of corner i of the polygon, behind its line `in`. */
static uint32_t corner_id(const struct d3_clip *clip, const struct corners *corners, uint32_t i, int in)
{
	const struct d3_contact_face *reference = clip->reference, *incident = clip->incident;
	int out = corners->line[i];
	uint32_t first = D3_OF_FACE | reference->face, second = D3_OF_FACE | incident->face;
	if (corners->point[i] >= 0) {
		second = incident->points[corners->point[i]];
	} else if (in < 0 && out < 0) {
		uint32_t k = (uint32_t)~out, after = k + 1 < reference->count ? k + 1 : 0;
		first = reference->points[after == (uint32_t)~in ? after : k];
	} else {
		first = in < 0 || out < 0 ? reference->edges[in < 0 ? ~in : ~out] : first;
		second = incident->edges[in < 0 ? out : in];
	}
	return point_id(clip, first, second);
}

static uint32_t clip_polygon(const struct d3_clip *clip, const struct view *view, float slack, struct d3_candidate_point *out)
{
	struct corners room[2], *from = &room[0], *to = &room[1];
	const struct d3_contact_face *reference = clip->reference, *incident = clip->incident;
	from->count = incident->count;
	for (uint32_t i = 0; i < from->count; ++i) {
		from->p[i] = corner_at(view, reference, incident, i);
		from->line[i] = from->point[i] = (int16_t)i;
	}
	for (uint32_t i = 0; i < reference->count; i += 4) {
		uint32_t passed = sides_passed(view, i, from, slack) & float4_lanes(reference->count - i);
		for (; passed != 0 && from->count > 0; passed &= passed - 1) {
			cut(view, i + (uint32_t)__builtin_ctz(passed), from, slack, to);
			struct corners *swap = from;
			from = to;
			to = swap;
		}
	}
	int in = from->count > 0 ? from->line[from->count - 1] : 0;
	for (uint32_t i = 0; i < from->count; ++i) {
		float4 c = from->p[i];
		struct d3_vec p = d3_mul_add(d3_mul_add(view->origin, c[0], view->u), c[1], view->v);
		out[i] = (struct d3_candidate_point){d3_mul_add(p, c[2], reference->normal), c[2], corner_id(clip, from, i, in)};
		in = from->line[i];
	}
	return near_points(clip, reference->normal, out, from->count);
}

/* Clips the incident line by the sides of the reference, each moved outwards by `slack`. The fractions parts[0] and parts[1] of
 * the line are the ends of the part kept. */
static uint32_t clip_line(const struct d3_clip *clip, const struct view *view, float slack, struct d3_candidate_point *out)
{
	const struct d3_contact_face *reference = clip->reference, *incident = clip->incident;
	float4 ends[2] = {corner_at(view, reference, incident, 0), corner_at(view, reference, incident, 1)};
	float parts[2] = {0, 1};
	int lines[2] = {-1, -1}; /* the sides that cut the ends off */
	for (uint32_t i = 0; i < reference->count; ++i) {
		float first = beyond(view, i, &ends[0]), second = beyond(view, i, &ends[1]);
		if (first > slack && second > slack)
			return 0;
		if (first <= slack && second <= slack)
			continue;
		int end = second > slack;
		float part = clamp_f((slack - first) / (second - first), 0, 1);
		if (end ? part < parts[1] : part > parts[0]) {
			parts[end] = part;
			lines[end] = (int)i;
		}
	}
	uint32_t made = 0;
	for (int end = 0; end < 2 && parts[0] <= parts[1]; ++end) {
		float height = ends[0][2] + parts[end] * (ends[1][2] - ends[0][2]);
		uint32_t first = lines[end] >= 0 ? reference->edges[lines[end]] : D3_OF_FACE | reference->face;
		uint32_t second = lines[end] >= 0 ? incident->edges[0] : incident->points[end];
		struct d3_vec delta = d3_sub(incident->p[1], incident->p[0]);
		out[made++] =
			(struct d3_candidate_point){d3_mul_add(incident->p[0], parts[end], delta), height, point_id(clip, first, second)};
	}
	return near_points(clip, reference->normal, out, made);
}

static uint32_t clip_point(const struct d3_clip *clip, const struct view *view, float slack, struct d3_candidate_point *out)
{
	const struct d3_contact_face *reference = clip->reference;
	float4 c = corner_at(view, reference, clip->incident, 0);
	for (uint32_t i = 0; i < reference->count; ++i)
		if (beyond(view, i, &c) > slack)
			return 0;
	out[0] = (struct d3_candidate_point){clip->incident->p[0], c[2], 0};
	return separation_of(clip, c[2]) <= clip->speculative;
}

/* Converts points of the incident core to the manifold's points. */
static void write_points(const struct d3_clip *clip, struct d3_vec n, struct d3_candidate_point *points, uint32_t count,
	struct d3_local_manifold *out)
{
	for (uint32_t i = 0; i < count; ++i)
		points[i].height = separation_of(clip, points[i].height);
	count = d3_reduce_points(points, count, n, d3_indifference(clip->speculative));
	out->normal = clip->flipped ? d3_neg(n) : n;
	out->count = (int)count;
	for (uint32_t i = 0; i < count; ++i) {
		float back = 0.5f * points[i].height + clip->radius_incident;
		out->points[i].point = d3_mul_add(points[i].p, -back, n);
		out->points[i].separation = points[i].height;
		out->points[i].id = points[i].id;
	}
}

uint32_t d3_clip_points(const struct d3_clip *clip, struct d3_candidate_point *points)
{
	struct view view;
	float slack = d3_indifference(clip->speculative);
	uint32_t incident = clip->incident->count;
	set_view(clip->reference, &view);
	return incident > 2 ? clip_polygon(clip, &view, slack, points)
		: incident == 2 ? clip_line(clip, &view, slack, points)
						: clip_point(clip, &view, slack, points);
}

void d3_clip_face(const struct d3_clip *clip, struct d3_local_manifold *out)
{
	struct d3_candidate_point points[D3_CANDIDATES_MAX];
	uint32_t count = d3_clip_points(clip, points);
	write_points(clip, clip->reference->normal, points, count, out);
}

bool d3_clip_at(const struct d3_clip *clip, float separation, struct d3_local_manifold *out)
{
	d3_clip_face(clip, out);
	return abs_f(d3_manifold_separation(out) - separation) <= d3_indifference(clip->speculative);
}

/* A part of the incident line, as fractions of its length. */
struct line_part {
	float at[2];
	bool cut[2]; /* cut by an end of the reference line */
	bool bent[2]; /* cut where the surfaces have bent apart by a slop */
	bool low[2]; /* cut by the reference's first end */
};

/* Keeps the part of the incident line that projects onto the reference line. False: nothing is left. */
static bool part_beside(
	const struct d3_contact_face *a, const struct d3_contact_face *b, struct d3_vec along, struct line_part *part)
{
	float square = d3_dot(along, along);
	float first = d3_dot(along, d3_sub(b->p[0], a->p[0]));
	float last = d3_dot(along, d3_sub(b->p[1], a->p[0]));
	*part = (struct line_part){.at = {0, 1}};
	if (!(abs_f(last - first) > 1e-18f) || max_f(first, last) <= 0 || min_f(first, last) >= square)
		return false;
	for (int end = 0; end < 2; ++end) {
		float along_a = end ? last : first;
		part->low[end] = along_a < 0;
		part->cut[end] = along_a < 0 || along_a > square;
		if (part->cut[end])
			part->at[end] = ((part->low[end] ? 0 : square) - first) / (last - first);
	}
	return true;
}

/* Cuts off all parts farther than `wide` beside the reference line; the offset at fraction t is beside + t drift. False: none
 * is left. */
static bool part_near(struct line_part *part, float beside, float drift, float wide)
{
	float first = beside + part->at[0] * drift, last = beside + part->at[1] * drift;
	if (min_f(first, last) > wide || max_f(first, last) < -wide)
		return false;
	for (int end = 0; end < 2; ++end) {
		float off = end ? last : first;
		if (abs_f(off) <= wide)
			continue;
		part->at[end] = ((off < 0 ? -wide : wide) - beside) / drift;
		part->bent[end] = true;
	}
	return true;
}

static inline float bend_at(const struct d3_contact_face *line, float part)
{
	return line->bend[0] + part * (line->bend[1] - line->bend[0]);
}

/* Parallel cylinders of radii r and s, offset sideways by x, are farther apart by sqrt((r + s)^2 + x^2) - (r + s), at most x^2
 * / (2 (r + s)). The points are where that bound is at most about a slop; their separations ignore x. */
void d3_clip_lines(const struct d3_clip *clip, struct d3_vec n, struct d3_local_manifold *out)
{
	const struct d3_contact_face *a = clip->reference, *b = clip->incident;
	struct d3_vec along = d3_sub(a->p[1], a->p[0]), delta = d3_sub(b->p[1], b->p[0]), side = d3_normalize(d3_cross(n, along));
	float slack = d3_indifference(clip->speculative), square = d3_dot(along, along), radii[2], own[2];
	struct line_part part;
	struct d3_candidate_point points[2];
	struct d3_vec sine = d3_cross(along, delta);
	out->count = 0;
	if (d3_dot(sine, sine) > D3_LINE_SINE * D3_LINE_SINE * square * d3_dot(delta, delta) || !part_beside(a, b, along, &part))
		return;
	for (int end = 0; end < 2; ++end) {
		float along_a = d3_dot(along, d3_sub(d3_mul_add(b->p[0], part.at[end], delta), a->p[0])) / square;
		own[end] = clip->radius_incident + bend_at(b, part.at[end]);
		radii[end] = own[end] + clip->radius_reference + bend_at(a, clamp_f(along_a, 0, 1));
	}
	float wide = sqrtf(slack * slack + 2 * min_f(radii[0], radii[1]) * d3_slop(clip->speculative));
	float beside = d3_dot(side, d3_sub(b->p[0], a->p[0])), drift = d3_dot(side, delta);
	if (!part_near(&part, beside, drift, wide))
		return;
	for (int end = 0; end < 2; ++end) {
		struct d3_vec p = d3_mul_add(b->p[0], part.at[end], delta);
		uint32_t of_a = part.cut[end] && !part.bent[end] ? a->points[part.low[end] ? 0 : 1] : a->edges[0];
		uint32_t of_b = part.bent[end] ? D3_OF_FACE | (uint32_t)end : part.cut[end] ? b->edges[0] : b->points[end];
		struct d3_vec from = d3_sub(p, a->p[0]);
		points[end].height = d3_dot(n, d3_mul_add(from, -d3_dot(along, from) / square, along));
		/* The point is midway between the surfaces sideways, too. */
		float share = radii[end] > 0 ? own[end] / radii[end] : 0;
		points[end].p = d3_mul_add(p, -share * (beside + part.at[end] * drift), side);
		points[end].id = point_id(clip, of_a, of_b);
	}
	write_points(clip, n, points, near_points(clip, n, points, 2), out);
}
