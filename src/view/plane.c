/* plane.c - shapes, lines and text in the plane of the picture. Edges fade over one pixel: the coverage is 0 half a pixel
 * outside of the edge, and 1 half a pixel inside.
 * A shape is a strip along its outline, around a fan. The strip's two sides are the outline moved outwards and inwards along
 * the corners' bisectors. Across the strip, the coverage and the change from the outline's colour to the fill's depend on the
 * distance from the edge. */
#include "view/view.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
/* Parts farther than this outside of the picture are clipped, as floats would lose precision there [pixels]. */
#define BEYOND 4096.0

struct outline {
	struct point2 points[OUTLINE];
	int count;
};

struct point2 plane_pixel(const struct canvas *canvas, struct point2 point)
{
	const struct camera *camera = &canvas->camera;
	return (struct point2){(point.x - camera->center.x) * camera->scale + canvas->width / 2.0,
		(point.y - camera->center.y) * camera->scale * -camera->up + canvas->height / 2.0};
}

/* A vertex with full coverage at a pixel. */
static struct vertex vertex_at(const struct canvas *canvas, double x, double y, double z, struct color color)
{
	return vertex_full(canvas, x * 2.0 / canvas->width - 1.0, 1.0 - y * 2.0 / canvas->height, z, 1.0, color);
}

/* A vertex at a pixel, with this coverage. */
static struct vertex vertex_covered(const struct canvas *canvas, double x, double y, double z, struct color color, double cover)
{
	struct vertex vertex = vertex_at(canvas, x, y, z, color);
	vertex.cover = (float)cover;
	return vertex;
}

static void quad(struct canvas *canvas, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	canvas_triangle(canvas, a, b, c);
	canvas_triangle(canvas, c, b, d);
}

/* --- Outlines ------------------------------------------------------------------------------------------------------------- */

static void outline_add(struct outline *outline, double x, double y)
{
	if (outline->count < OUTLINE)
		outline->points[outline->count++] = (struct point2){x, y};
}

/* Number of points of a full circle, from 8 to `most`, for an error of a tenth of a pixel: radius (1 - cos(pi/n)) = 0.1. */
static int circle_points(double radius, int most)
{
	double n = ceil(PI / acos(1.0 - 0.1 / fmax(radius, 0.2)));
	return (int)fmin(fmax(n, 8.0), most);
}

/* Twice the signed area; its sign is the winding. */
static double area(const struct point2 *points, int count)
{
	double sum = 0.0;
	for (int i = 1; i + 1 < count; ++i)
		sum += (points[i].x - points[0].x) * (points[i + 1].y - points[0].y) -
			(points[i].y - points[0].y) * (points[i + 1].x - points[0].x);
	return sum;
}

/* The angle of the direction from a to b [rad]. */
static double direction(struct point2 a, struct point2 b)
{
	return atan2(b.y - a.y, b.x - a.x);
}

/* Sets the outline to the points' hull, widened: around each corner an arc from the incoming edge's normal to the outgoing
 * edge's. */
static void outline_widen(struct outline *outline, const struct point2 *points, int count, double radius)
{
	outline->count = 0;
	double turn = area(points, count) < 0.0 ? -1.0 : 1.0;
	if (radius <= 0.0) {
		for (int i = 0; i < count; ++i)
			outline_add(outline, points[i].x, points[i].y);
		return;
	}
	int full = circle_points(radius, OUTLINE - 2 * count);
	for (int i = 0; i < count; ++i) {
		struct point2 p = points[i], before = points[(i + count - 1) % count], after = points[(i + 1) % count];
		double from = count == 1 ? 0.0 : direction(before, p) - turn * PI / 2.0;
		double angle = count == 1 ? 2.0 * PI : remainder(direction(p, after) - direction(before, p), 2.0 * PI);
		if (count == 2)
			angle = turn * PI;
		int steps = (int)fmax(1.0, ceil(fabs(angle) / (2.0 * PI) * full));
		for (int k = 0; k < steps + (count != 1); ++k) {
			double at = from + angle * k / steps;
			outline_add(outline, p.x + radius * cos(at), p.y + radius * sin(at));
		}
	}
}

/* Keeps the part where x nx + y ny <= limit. Source: Sutherland and Hodgman, "Reentrant Polygon Clipping", CACM 1974. */
static void outline_cut(struct outline *outline, struct outline *scratch, double nx, double ny, double limit)
{
	scratch->count = 0;
	for (int i = 0; i < outline->count; ++i) {
		struct point2 a = outline->points[i], b = outline->points[(i + 1) % outline->count];
		double da = a.x * nx + a.y * ny - limit, db = b.x * nx + b.y * ny - limit;
		if (da <= 0.0)
			outline_add(scratch, a.x, a.y);
		if ((da <= 0.0) != (db <= 0.0)) {
			double t = da / (da - db);
			outline_add(scratch, a.x + t * (b.x - a.x), a.y + t * (b.y - a.y));
		}
	}
	memcpy(outline->points, scratch->points, (size_t)scratch->count * sizeof scratch->points[0]);
	outline->count = scratch->count;
}

static void outline_bounds(const struct outline *outline, struct point2 *low, struct point2 *high)
{
	*low = (struct point2){INFINITY, INFINITY};
	*high = (struct point2){-INFINITY, -INFINITY};
	for (int i = 0; i < outline->count; ++i) {
		low->x = fmin(low->x, outline->points[i].x);
		low->y = fmin(low->y, outline->points[i].y);
		high->x = fmax(high->x, outline->points[i].x);
		high->y = fmax(high->y, outline->points[i].y);
	}
}

/* Clips the outline to the picture widened by BEYOND. Empties it if all of it is more than a pixel outside of the picture; else
 * it keeps at least three points. */
static void outline_clip(const struct canvas *canvas, struct outline *outline)
{
	struct outline scratch;
	struct point2 low, high;
	outline_bounds(outline, &low, &high);
	if (low.x > canvas->width + 1.0 || high.x < -1.0 || low.y > canvas->height + 1.0 || high.y < -1.0)
		outline->count = 0;
	if (low.x < -BEYOND)
		outline_cut(outline, &scratch, -1.0, 0.0, BEYOND);
	if (high.x > canvas->width + BEYOND)
		outline_cut(outline, &scratch, 1.0, 0.0, canvas->width + BEYOND);
	if (low.y < -BEYOND)
		outline_cut(outline, &scratch, 0.0, -1.0, BEYOND);
	if (high.y > canvas->height + BEYOND)
		outline_cut(outline, &scratch, 0.0, 1.0, canvas->height + BEYOND);
}

/* Removes coincident points [within 1e-3 pixels]: there is no edge between them, and so no bisector. */
static void outline_thin(struct outline *outline)
{
	int kept = 0;
	for (int i = 0; i < outline->count; ++i) {
		struct point2 p = outline->points[i], last = outline->points[kept ? kept - 1 : outline->count - 1];
		if (fabs(p.x - last.x) + fabs(p.y - last.y) > 1e-3)
			outline->points[kept++] = p;
	}
	outline->count = kept;
}

/* --- Shapes --------------------------------------------------------------------------------------------------------------- */

/* limit on a bisector's length, reached at a corner of 57 degrees: where edges move by half a pixel, the corner moves by a
 * pixel */
#define SHARP 2.1

/* The inward bisector at corner i, scaled such that moving the corner by d times it moves both edges by d. */
static struct point2 bisector(const struct outline *outline, int i, double turn)
{
	int n = outline->count;
	struct point2 a = outline->points[(i + n - 1) % n], b = outline->points[i], c = outline->points[(i + 1) % n];
	double in = hypot(b.x - a.x, b.y - a.y), out = hypot(c.x - b.x, c.y - b.y);
	double ax = -(b.y - a.y) / in * turn, ay = (b.x - a.x) / in * turn;
	double bx = -(c.y - b.y) / out * turn, by = (c.x - b.x) / out * turn;
	double scale = 1.0 / fmax(1.0 + ax * bx + ay * by, 1e-9); /* |a + b|^2 = 2 (1 + a . b) */
	return (struct point2){(ax + bx) * scale, (ay + by) * scale};
}

/* Whether some corner's bisector is longer than SHARP: the strip's inner side would cross itself there. */
static bool is_sharp(const struct outline *outline)
{
	for (int i = 0; i < outline->count; ++i) {
		struct point2 in = bisector(outline, i, 1.0);
		if (hypot(in.x, in.y) > SHARP)
			return true;
	}
	return false;
}

/* The distance by which the outline can move inwards: the smallest distance of an edge from the mean of the points. */
static double inner_radius(const struct outline *outline)
{
	struct point2 middle = {0.0, 0.0};
	double least = INFINITY;
	int n = outline->count;
	for (int i = 0; i < n; ++i) {
		middle.x += outline->points[i].x / n;
		middle.y += outline->points[i].y / n;
	}
	for (int i = 0; i < n; ++i) {
		struct point2 a = outline->points[i], b = outline->points[(i + 1) % n];
		double cross = (b.x - a.x) * (middle.y - a.y) - (b.y - a.y) * (middle.x - a.x);
		least = fmin(least, fabs(cross) / hypot(b.x - a.x, b.y - a.y));
	}
	return least;
}

/* Coverage and fill as functions of the distance inside of the edge [pixels]. */
struct profile {
	double outside; /* distance outside of the edge where the coverage is 0 */
	double inside; /* distance inside of the edge where the coverage is 1 */
	double width; /* of the outline */
	double reach; /* distance of the strip's inner side from the edge, where the fill's colour is reached */
	struct color color, edge;
};

static struct vertex strip_vertex(
	const struct canvas *canvas, struct point2 p, struct point2 in, double distance, const struct profile *profile)
{
	struct vertex vertex = vertex_at(canvas, p.x + in.x * distance, p.y + in.y * distance, 0.0, profile->color);
	vertex.edge = profile->edge;
	vertex.cover = (float)((distance + profile->outside) / (profile->inside + profile->outside));
	vertex.fill = (float)((distance - profile->width) / (2.0 * profile->inside) + 0.5);
	return vertex;
}

/* Adds the strip, and the fan inside of it unless the fill is transparent. */
static void strip_add(struct canvas *canvas, const struct outline *outline, const struct profile *profile)
{
	uint32_t n = (uint32_t)outline->count;
	double turn = area(outline->points, outline->count) < 0.0 ? -1.0 : 1.0;
	bool fan = profile->color.alpha > 0;
	uint32_t first = canvas_reserve(canvas, 2 * n, 6 * n + (fan ? 3 * (n - 2) : 0), false);
	for (uint32_t i = 0; i < n; ++i) {
		struct point2 p = outline->points[i], in = bisector(outline, (int)i, turn);
		canvas_vertex(canvas, strip_vertex(canvas, p, in, -profile->outside, profile));
		canvas_vertex(canvas, strip_vertex(canvas, p, in, profile->reach, profile));
	}
	for (uint32_t i = 0; i < n; ++i) {
		uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % n);
		quad(canvas, a, b, a + 1, b + 1);
		if (fan && i > 0 && i + 1 < n)
			canvas_triangle(canvas, first + 1, a + 1, b + 1);
	}
}

/* Adds a shape with sharp corners: a fan, and lines around it. */
static void sharp_add(struct canvas *canvas, const struct outline *outline, struct color color, enum paint paint, double width)
{
	uint32_t n = (uint32_t)outline->count;
	if (paint != PAINT_OUTLINE) {
		uint32_t first = canvas_reserve(canvas, n, 3 * (n - 2), false);
		for (uint32_t i = 0; i < n; ++i)
			canvas_vertex(canvas, vertex_at(canvas, outline->points[i].x, outline->points[i].y, 0.0, color));
		canvas_fan(canvas, first, n);
	}
	if (paint == PAINT_SOLID)
		color = color_shade(color, OUTLINE_SHADE);
	for (uint32_t i = 0; i < n; ++i)
		plane_line(canvas, color, outline->points[i], outline->points[(i + 1) % n], 0.0, 0.0, width);
}

void plane_shape(
	struct canvas *canvas, struct color color, enum paint paint, const struct point2 *pixels, int count, double radius)
{
	struct outline outline;
	outline_widen(&outline, pixels, count, radius);
	outline_clip(canvas, &outline);
	if (outline.count == 0)
		return;
	outline_thin(&outline);
	if (outline.count < 3) { /* too small for an outline, but kept visible */
		plane_dot(canvas, color, outline.points[0], 1.0, 0.0);
		return;
	}
	double inner = inner_radius(&outline);
	struct profile profile = {
		.outside = fmax(0.5, 1.0 - inner), /* wide enough to contain the centre of some pixel */
		.inside = fmin(0.5, 0.25 * inner),
		.width = fmin(OUTLINE_WIDTH, 0.25 * inner),
		.color = color,
		.edge = paint == PAINT_SOLID ? color_shade(color, OUTLINE_SHADE) : color,
	};
	if (is_sharp(&outline)) {
		sharp_add(canvas, &outline, color, paint, fmin(fmax(profile.width, 0.5), 1.0));
		return;
	}
	if (paint == PAINT_OUTLINE) {
		profile.width = fmin(OUTLINE_WIDTH, fmax(inner, 0.5));
		profile.color.alpha = 0;
	}
	profile.reach = profile.width + profile.inside;
	strip_add(canvas, &outline, &profile);
}

void plane_dot(struct canvas *canvas, struct color color, struct point2 pixel, double diameter, double z)
{
	enum { CORNERS = 16 };
	/* in 3D, multisampling smooths the rim; fading parts would hide objects behind them, as they write depths */
	double fade = canvas->camera.space ? 0.0 : 0.5;
	double radius = fmax(diameter / 2.0, 0.75) + fade, rim = fade > 0.0 ? 0.0 : 1.0;
	uint32_t first = canvas_reserve(canvas, CORNERS + 1, 3 * CORNERS, canvas->camera.space);
	canvas_vertex(canvas, vertex_covered(canvas, pixel.x, pixel.y, z, color, rim + radius));
	for (uint32_t i = 0; i < CORNERS; ++i) {
		double c = cos(2.0 * PI * i / CORNERS), s = sin(2.0 * PI * i / CORNERS);
		canvas_vertex(canvas, vertex_covered(canvas, pixel.x + radius * c, pixel.y + radius * s, z, color, rim));
		canvas_triangle(canvas, first, first + 1 + i, first + 1 + (i + 1) % CORNERS);
	}
}

/* Clips the line from a to b to low <= x <= high; for y, the caller exchanges the coordinates. False: nothing is left. */
static bool line_cut(double *ax, double *ay, double *bx, double *by, double *az, double *bz, double low, double high)
{
	if ((*ax < low && *bx < low) || (*ax > high && *bx > high))
		return false;
	double x = *ax, y = *ay, z = *az, dx = *bx - x, dy = *by - y, dz = *bz - z;
	double start = fmin(fmax(x, low), high), end = fmin(fmax(*bx, low), high);
	if (start != x) {
		*ax = start;
		*ay = y + (start - x) / dx * dy;
		*az = z + (start - x) / dx * dz;
	}
	if (end != *bx) {
		*bx = end;
		*by = y + (end - x) / dx * dy;
		*bz = z + (end - x) / dx * dz;
	}
	return true;
}

void plane_line(struct canvas *canvas, struct color color, struct point2 a, struct point2 b, double za, double zb, double width)
{
	double margin = width + 2.0;
	if (!line_cut(&a.x, &a.y, &b.x, &b.y, &za, &zb, -margin, canvas->width + margin) ||
		!line_cut(&a.y, &a.x, &b.y, &b.x, &za, &zb, -margin, canvas->height + margin))
		return;
	double length = hypot(b.x - a.x, b.y - a.y);
	if (length < 1e-3) {
		plane_dot(canvas, color, a, width, za);
		return;
	}
	/* the ends extend by half the width, so that corners of chains close */
	double dx = (b.x - a.x) / length, dy = (b.y - a.y) / length;
	double fade = canvas->camera.space ? 0.0 : 0.5, rim = fade > 0.0 ? 0.0 : 1.0; /* as in plane_dot */
	double half = width / 2.0 + fade, end = width / 2.0 - 0.5;
	uint32_t first = canvas_reserve(canvas, 6, 12, canvas->camera.space);
	for (int side = -1; side <= 1; ++side) {
		double x = -dy * half * side, y = dx * half * side, cover = side == 0 ? rim + half : rim;
		canvas_vertex(canvas, vertex_covered(canvas, a.x + x - dx * end, a.y + y - dy * end, za, color, cover));
		canvas_vertex(canvas, vertex_covered(canvas, b.x + x + dx * end, b.y + y + dy * end, zb, color, cover));
	}
	for (uint32_t i = 0; i < 2; ++i)
		quad(canvas, first + 2 * i, first + 2 * i + 1, first + 2 * i + 2, first + 2 * i + 3);
}

/* --- Rectangles and text -------------------------------------------------------------------------------------------------- */

void plane_rectangle(struct canvas *canvas, struct color color, double x, double y, double width, double height)
{
	uint32_t first = canvas_reserve(canvas, 4, 6, false);
	for (int i = 0; i < 4; ++i)
		canvas_vertex(canvas, vertex_at(canvas, i % 2 ? x + width : x, i < 2 ? y : y + height, 0.0, color));
	quad(canvas, first, first + 1, first + 2, first + 3);
}

static void glyph_add(struct canvas *canvas, struct color color, double x, double y, int cell)
{
	const struct glyphs *glyphs = &canvas->glyphs;
	int u = cell % GLYPH_COLUMNS * glyphs->cell_width, v = cell / GLYPH_COLUMNS * glyphs->cell_height;
	uint32_t first = canvas_reserve(canvas, 4, 6, false);
	for (int i = 0; i < 4; ++i) {
		int right = i % 2 * glyphs->cell_width, down = i / 2 * glyphs->cell_height;
		struct vertex vertex = vertex_at(canvas, x + right, y + down, 0.0, color);
		vertex.u = (uint16_t)(u + right);
		vertex.v = (uint16_t)(v + down);
		canvas_vertex(canvas, vertex);
	}
	quad(canvas, first, first + 1, first + 2, first + 3);
}

void plane_text(struct canvas *canvas, struct color color, double x, double y, const char *text, size_t length)
{
	const struct glyphs *glyphs = &canvas->glyphs;
	const char *end = text + length;
	double at = floor(x), line = floor(y); /* whole pixels: letters stay sharp */
	while (text < end) {
		if (*text == '\n') {
			++text;
			at = floor(x);
			line += glyphs->cell_height;
			continue;
		}
		int cell = glyph_next(&text, end);
		if (cell != ' ' && at > -glyphs->cell_width && at < canvas->width && line > -glyphs->cell_height &&
			line < canvas->height)
			glyph_add(canvas, color, at, line, cell);
		at += glyphs->cell_width;
	}
}

void plane_measure(const struct canvas *canvas, const char *text, size_t length, int *width, int *height)
{
	const char *end = text + length;
	int column = 0, columns = 0, lines = 1;
	while (text < end) {
		if (*text == '\n') {
			++text;
			++lines;
			column = 0;
			continue;
		}
		glyph_next(&text, end);
		if (++column > columns)
			columns = column;
	}
	*width = columns * canvas->glyphs.cell_width;
	*height = lines * canvas->glyphs.cell_height;
}
