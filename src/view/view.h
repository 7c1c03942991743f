/* view.h - a canvas: pictures of shapes, lines and text by OpenGL, offscreen (EGL) or in a window (SDL2). Shapes, lines and
 * text all become triangles in clip coordinates, computed here in doubles, so that a scene a million lengths away is as sharp
 * as one at the origin. One shader program draws them all in order. Edges in 2D fade over one pixel, so they need no
 * multisampling; 3D, with its depth buffer, does.
 * Invariant: while a function draws on a canvas, the canvas's context is current.
 * Depends only on Lua's API, on these libraries and on cairo. Contexts belong to the thread that created them. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Contexts (context.c) ------------------------------------------------------------------------------------------------- */

struct context; /* an OpenGL 3.3 context, of a window or offscreen */

enum { MESSAGE = 256 }; /* size of an error message [bytes] */

/* Both return NULL on failure, and set `message` to the reason. */
struct context *context_create_offscreen(char message[MESSAGE]);
struct context *context_create_window(int width, int height, const char *title, char message[MESSAGE]);
void context_destroy(struct context *context);
bool context_use(struct context *context); /* makes the context current; false if the driver refuses */
void context_forget(void); /* makes no context current */
void context_show(struct context *context); /* shows what was drawn into the window's framebuffer */
struct SDL_Window *context_window(const struct context *context); /* NULL: offscreen */

/* --- Text (glyphs.c) ------------------------------------------------------------------------------------------------------ */

/* One texture holds a grid of cells, one for each code point below GLYPHS of a monospaced font. Cell CELL_MISSING stands for
 * all other code points. Cell CELL_FULL is fully covered, and used for everything but text. */
enum { GLYPHS = 1280, GLYPH_COLUMNS = 32, CELL_MISSING = 0, CELL_FULL = 1 };

struct glyphs {
	unsigned char *pixels; /* coverage, one byte per pixel; NULL: no memory */
	int width, height; /* of the texture [pixels] */
	int cell_width, cell_height;
};

struct glyphs glyphs_create(void);
void glyphs_free(struct glyphs *glyphs);
/* The cell of the code point at *text, which moves past it. A byte that is not UTF-8 and a control character give CELL_MISSING.
 * *text < end. */
int glyph_next(const char **text, const char *end);
/* Writes a PNG of width x height x 3 bytes, top row first. Returns NULL, or an error message. */
const char *png_write(const char *path, const unsigned char *pixels, int width, int height);

/* --- Canvas (canvas.c) ---------------------------------------------------------------------------------------------------- */

struct color {
	uint8_t red, green, blue, alpha;
};

/* cover and fill are linear in the distance from a shape's edge, so that their interpolation over a triangle is exact. */
struct vertex {
	float x, y, z, w; /* clip coordinates */
	struct color color, edge; /* colours of the fill and of the outline */
	uint16_t u, v; /* in the texture of glyphs [pixels] */
	float cover; /* coverage, clamped after interpolation: 0 outside of the edge, 1 inside */
	float fill; /* share of the fill's colour against the outline's, clamped after interpolation to 0 .. 1 */
};

struct point2 {
	double x, y;
};

struct point3 {
	double x, y, z;
};

struct camera {
	bool space; /* 3D */
	/* 2D: pixel = (point - center) scale + half the picture's size, with y multiplied by -up before the addition. */
	struct point2 center;
	double scale; /* pixels per length */
	double up; /* 1: y points up in the picture; -1: down */
	/* 3D. */
	/* the eye's position and an orthonormal frame; behind points from the target to the eye */
	struct point3 eye, right, above, behind;
	struct point3 sky, light; /* unit vectors: upwards in the world, towards the light */
	double zoom; /* perspective: 1 / tan(fov / 2); orthographic: 2 / height */
	double near, far; /* visible distances from the eye along the view */
	bool perspective;
};

/* Shadows in 3D (shadow.c). */
struct shadows {
	bool usable; /* the driver has compiled the programs */
	bool begun; /* the map has been cleared for this picture */
	struct camera camera; /* the last 3D camera */
	unsigned caster, receiver; /* programs */
	unsigned framebuffers[2], textures[3]; /* of the picture without shadows: colours, depths; of the map */
	uint32_t *indices; /* of the batch's triangles that cast shadows */
	uint32_t count;
};

enum {
	VERTICES = 1 << 16, /* per batch */
	INDICES = 1 << 18,
	/* maximum number of points of an outline: a circle with that many is off by a pixel at a radius of 850,000 pixels */
	OUTLINE = 2048,
	FACE = 64, /* maximum number of points of a polygon */
	CANVAS_SIDE = 8192, /* maximum [pixels] */
};

struct canvas {
	struct context *context; /* NULL: closed */
	struct camera camera;
	int width, height; /* [pixels] */
	bool drawing; /* between begin and finish */
	bool finished; /* there is a picture */
	bool multisampled; /* drawing goes to the framebuffer with samples */
	bool depth; /* the batch uses the depth test */
	struct glyphs glyphs;
	unsigned program, vertex_array, vertex_buffer, index_buffer, texture; /* OpenGL names */
	unsigned framebuffer, colors; /* the picture */
	unsigned sampled_framebuffer, sampled_colors, sampled_depths; /* created when 3D is first drawn */
	struct shadows shadows;
	struct vertex *vertices;
	uint32_t *indices;
	uint32_t vertex_count, index_count;
	unsigned char *pixels; /* the picture as read back, top row first; allocated on first use */
	bool pixels_read; /* since the last finish */
};

/* The canvas takes over the context. False, with a message: the context is destroyed. */
bool canvas_create(struct canvas *canvas, struct context *context, int width, int height, char message[MESSAGE]);
void canvas_destroy(struct canvas *canvas); /* may be called twice */
bool canvas_resize(struct canvas *canvas, int width, int height, char message[MESSAGE]); /* not between begin and finish */
void canvas_begin(struct canvas *canvas, struct color background);
void canvas_finish(struct canvas *canvas);
/* The last finished picture: width x height x 3 bytes, top row first. NULL: no memory. */
const unsigned char *canvas_pixels(struct canvas *canvas);
/* Reserves space in one batch; flushes first if the batch is full, or has the other setting of the depth test. Returns the
 * number of the first vertex. vertices <= VERTICES, indices <= INDICES. */
uint32_t canvas_reserve(struct canvas *canvas, uint32_t vertices, uint32_t indices, bool depth);
void canvas_flush(struct canvas *canvas);
unsigned program_link(const char *vertex_source, const char *fragment_source); /* 0: the driver refuses */

/* --- Shadows (shadow.c) --------------------------------------------------------------------------------------------------- */

/* Create and destroy the framebuffers, of the picture's size; the programs stay. */
void shadows_create(struct canvas *canvas);
void shadows_destroy(struct canvas *canvas);
void shadows_cast(struct canvas *canvas); /* draws the batch's casters into the map; the batch's vertices are in the buffer */
void shadows_finish(struct canvas *canvas); /* copies the sampled picture, with shadows */

static inline void canvas_triangle(struct canvas *canvas, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t *at = canvas->indices + canvas->index_count;
	at[0] = a;
	at[1] = b;
	at[2] = c;
	canvas->index_count += 3;
}

/* Adds the triangles of a convex polygon, whose vertices are numbered from `first` on. */
static inline void canvas_fan(struct canvas *canvas, uint32_t first, uint32_t vertices)
{
	for (uint32_t i = 1; i + 1 < vertices; ++i)
		canvas_triangle(canvas, first, first + i, first + i + 1);
}

/* A vertex with full coverage at the point in clip coordinates. */
static inline struct vertex vertex_full(const struct canvas *canvas, double x, double y, double z, double w, struct color color)
{
	const struct glyphs *glyphs = &canvas->glyphs;
	return (struct vertex){(float)x, (float)y, (float)z, (float)w, color, color,
		(uint16_t)(CELL_FULL * glyphs->cell_width + glyphs->cell_width / 2), (uint16_t)(glyphs->cell_height / 2), 1.0f, 1.0f};
}

/* Adds a vertex in the space that canvas_reserve has reserved. */
static inline void canvas_vertex(struct canvas *canvas, struct vertex vertex)
{
	canvas->vertices[canvas->vertex_count++] = vertex;
}

static inline struct color color_shade(struct color color, double light)
{
	return (struct color){
		(uint8_t)(color.red * light), (uint8_t)(color.green * light), (uint8_t)(color.blue * light), color.alpha};
}

#define OUTLINE_SHADE 0.65 /* of the fill's brightness; svg.lua has it, too */
#define OUTLINE_WIDTH 1.5 /* [pixels] */

/* --- 2D, in pixels (plane.c) ---------------------------------------------------------------------------------------------- */

/* The pixel of a point: y down, from the upper left corner. */
struct point2 plane_pixel(const struct canvas *canvas, struct point2 point);

enum paint { PAINT_SOLID, PAINT_OUTLINE, PAINT_FILL }; /* fill and outline; outline; fill */

/* Draws the hull of `count` points (convex, in order, of either winding), widened by the radius. count 1: a circle; 2: a
 * capsule. */
void plane_shape(
	struct canvas *canvas, struct color color, enum paint paint, const struct point2 *pixels, int count, double radius);
/* z: depths in clip coordinates, used if the camera is 3D. */
void plane_dot(struct canvas *canvas, struct color color, struct point2 pixel, double diameter, double z);
void plane_line(
	struct canvas *canvas, struct color color, struct point2 a, struct point2 b, double za, double zb, double width);
void plane_rectangle(struct canvas *canvas, struct color color, double x, double y, double width, double height);
/* x, y: upper left corner of the text; lines end with \n. */
void plane_text(struct canvas *canvas, struct color color, double x, double y, const char *text, size_t length);
void plane_measure(const struct canvas *canvas, const char *text, size_t length, int *width, int *height);

/* --- 3D (space.c) --------------------------------------------------------------------------------------------------------- */

/* Sets a 3D camera that looks from the eye at the target; they must differ. fov: the picture's vertical field of view [rad]; 0:
 * orthographic, with a picture `height` high [length]. */
void space_look(struct camera *camera, struct point3 eye, struct point3 target, struct point3 up, double fov, double height);
/* Two unit vectors perpendicular to the axis and to each other. */
void space_frame(struct point3 axis, struct point3 *u, struct point3 *v);
/* Computes the pixel of a point, and its depth in clip coordinates. False: the point is not beyond the near plane. */
bool space_pixel(const struct canvas *canvas, struct point3 point, struct point2 *pixel, double *z);
void space_face(struct canvas *canvas, struct color color, enum paint paint, const struct point3 *points, int count);
/* Draws a sphere. rotation: NULL, or a quaternion (x, y, z, w), shown by two great circles. */
void space_sphere(struct canvas *canvas, struct color color, struct point3 center, double radius, const double *rotation);
void space_capsule(struct canvas *canvas, struct color color, struct point3 a, struct point3 b, double radius);
void space_ring(struct canvas *canvas, struct color color, struct point3 center, double radius); /* parallel to the picture */
void space_line(struct canvas *canvas, struct color color, struct point3 a, struct point3 b);
