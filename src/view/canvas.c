/* canvas.c - the OpenGL objects of a canvas: a shader program, a batch of triangles, a framebuffer with the picture, and a
 * multisampled framebuffer with depths for drawing in 3D.
 * Used by the thread that created the context. */
#define GL_GLEXT_PROTOTYPES
#include "view/view.h"

#include <GL/glcorearb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4 };

/* --- Set-up --------------------------------------------------------------------------------------------------------------- */

static const char vertex_source[] =
	"#version 330 core\n"
	"layout(location = 0) in vec4 position;\n"
	"layout(location = 1) in vec4 color;\n"
	"layout(location = 2) in vec4 edge;\n"
	"layout(location = 3) in vec2 cell;\n"
	"layout(location = 4) in vec2 cover;\n"
	"uniform vec2 texture_size;\n"
	"out vec4 inner, outer;\n"
	"out vec2 at, near;\n"
	"void main() {\n"
	"	gl_Position = position; inner = color; outer = edge; at = cell / texture_size; near = cover;\n"
	"}\n";

static const char fragment_source[] = "#version 330 core\n"
									  "in vec4 inner, outer;\n"
									  "in vec2 at, near;\n"
									  "uniform sampler2D glyphs;\n"
									  "out vec4 pixel;\n"
									  "void main() {\n"
									  "	vec2 share = clamp(near, 0.0, 1.0);\n"
									  "	pixel = mix(outer, inner, share.y);\n"
									  "	pixel.a *= share.x * texture(glyphs, at).r;\n"
									  "}\n";

static bool shader_attach(GLuint program, GLenum type, const char *source)
{
	GLuint shader = glCreateShader(type);
	GLint compiled = 0;
	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
	glAttachShader(program, shader);
	glDeleteShader(shader); /* the program keeps it */
	return compiled;
}

unsigned program_link(const char *vertex, const char *fragment)
{
	GLint linked = 0;
	GLuint program = glCreateProgram();
	if (shader_attach(program, GL_VERTEX_SHADER, vertex) && shader_attach(program, GL_FRAGMENT_SHADER, fragment)) {
		glLinkProgram(program);
		glGetProgramiv(program, GL_LINK_STATUS, &linked);
	}
	if (linked)
		return program;
	glDeleteProgram(program);
	return 0;
}

static bool program_create(struct canvas *canvas)
{
	canvas->program = program_link(vertex_source, fragment_source);
	if (!canvas->program)
		return false;
	glUseProgram(canvas->program);
	glUniform2f(
		glGetUniformLocation(canvas->program, "texture_size"), (float)canvas->glyphs.width, (float)canvas->glyphs.height);
	return true;
}

static void texture_create(struct canvas *canvas)
{
	glGenTextures(1, &canvas->texture);
	glBindTexture(GL_TEXTURE_2D, canvas->texture);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, canvas->glyphs.width, canvas->glyphs.height, 0, GL_RED, GL_UNSIGNED_BYTE,
		canvas->glyphs.pixels);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void buffers_create(struct canvas *canvas)
{
	glGenVertexArrays(1, &canvas->vertex_array);
	glBindVertexArray(canvas->vertex_array);
	glGenBuffers(1, &canvas->vertex_buffer);
	glGenBuffers(1, &canvas->index_buffer);
	glBindBuffer(GL_ARRAY_BUFFER, canvas->vertex_buffer);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, canvas->index_buffer);
	glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(struct vertex), (const void *)offsetof(struct vertex, x));
	glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(struct vertex), (const void *)offsetof(struct vertex, color));
	glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(struct vertex), (const void *)offsetof(struct vertex, edge));
	glVertexAttribPointer(3, 2, GL_UNSIGNED_SHORT, GL_FALSE, sizeof(struct vertex), (const void *)offsetof(struct vertex, u));
	glVertexAttribPointer(4, 2, GL_FLOAT, GL_FALSE, sizeof(struct vertex), (const void *)offsetof(struct vertex, cover));
	for (GLuint i = 0; i < 5; ++i)
		glEnableVertexAttribArray(i);
	glEnable(GL_BLEND);
	glDepthFunc(GL_LEQUAL);
}

static unsigned renderbuffer_create(GLsizei samples, GLenum format, int width, int height)
{
	GLuint buffer;
	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
	return buffer;
}

static bool framebuffer_create(struct canvas *canvas)
{
	glGenFramebuffers(1, &canvas->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
	canvas->colors = renderbuffer_create(0, GL_RGBA8, canvas->width, canvas->height);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->colors);
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* Creates the multisampled framebuffer, with depths. If the driver's maximum number of samples is 0, edges in 3D are not
 * smoothed. */
static void sampled_framebuffer_create(struct canvas *canvas)
{
	GLint most = 0;
	glGetIntegerv(GL_MAX_SAMPLES, &most);
	GLsizei samples = most < SAMPLES ? most : SAMPLES;
	glGenFramebuffers(1, &canvas->sampled_framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, canvas->sampled_framebuffer);
	canvas->sampled_colors = renderbuffer_create(samples, GL_RGBA8, canvas->width, canvas->height);
	canvas->sampled_depths = renderbuffer_create(samples, GL_DEPTH_COMPONENT32F, canvas->width, canvas->height);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->sampled_colors);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, canvas->sampled_depths);
	shadows_create(canvas);
}

static void framebuffers_destroy(struct canvas *canvas)
{
	const GLuint framebuffers[] = {canvas->framebuffer, canvas->sampled_framebuffer};
	const GLuint buffers[] = {canvas->colors, canvas->sampled_colors, canvas->sampled_depths};
	glDeleteFramebuffers(2, framebuffers); /* 0 is ignored */
	glDeleteRenderbuffers(3, buffers);
	shadows_destroy(canvas);
	canvas->framebuffer = canvas->sampled_framebuffer = 0;
	canvas->colors = canvas->sampled_colors = canvas->sampled_depths = 0;
	free(canvas->pixels);
	canvas->pixels = NULL;
	canvas->pixels_read = false;
}

static bool resources_create(struct canvas *canvas)
{
	canvas->glyphs = glyphs_create();
	canvas->vertices = malloc(VERTICES * sizeof *canvas->vertices);
	canvas->indices = malloc(INDICES * sizeof *canvas->indices);
	canvas->shadows.indices = malloc(INDICES * sizeof *canvas->shadows.indices);
	if (!canvas->glyphs.pixels || !canvas->vertices || !canvas->indices || !canvas->shadows.indices || !program_create(canvas))
		return false;
	texture_create(canvas);
	buffers_create(canvas);
	return framebuffer_create(canvas);
}

bool canvas_create(struct canvas *canvas, struct context *context, int width, int height, char message[MESSAGE])
{
	*canvas = (struct canvas){.context = context, .width = width, .height = height};
	canvas->camera = (struct camera){.center = {width / 2.0, height / 2.0}, .scale = 1.0, .up = -1.0};
	if (context_use(context) && resources_create(canvas))
		return true;
	snprintf(message, MESSAGE, "OpenGL cannot draw a picture of %d x %d, or there is no memory for it", width, height);
	canvas_destroy(canvas);
	return false;
}

bool canvas_resize(struct canvas *canvas, int width, int height, char message[MESSAGE])
{
	if (width == canvas->width && height == canvas->height)
		return true;
	canvas->width = width;
	canvas->height = height;
	framebuffers_destroy(canvas);
	if (framebuffer_create(canvas))
		return true;
	snprintf(message, MESSAGE, "OpenGL cannot draw a picture of %d x %d", width, height);
	return false;
}

void canvas_destroy(struct canvas *canvas)
{
	if (!canvas->context)
		return;
	if (context_use(canvas->context)) {
		framebuffers_destroy(canvas);
		glDeleteProgram(canvas->program);
		glDeleteProgram(canvas->shadows.caster); /* 0 is ignored */
		glDeleteProgram(canvas->shadows.receiver);
		glDeleteTextures(1, &canvas->texture);
		glDeleteBuffers(1, &canvas->vertex_buffer);
		glDeleteBuffers(1, &canvas->index_buffer);
		glDeleteVertexArrays(1, &canvas->vertex_array);
	}
	context_destroy(canvas->context);
	glyphs_free(&canvas->glyphs);
	free(canvas->vertices);
	free(canvas->indices);
	free(canvas->shadows.indices);
	free(canvas->pixels);
	*canvas = (struct canvas){.context = NULL};
}

/* --- Pictures ------------------------------------------------------------------------------------------------------------- */

/* Binds the framebuffer to draw into. For 3D it is the multisampled one, which canvas_finish resolves into the picture. */
static void framebuffer_choose(struct canvas *canvas)
{
	canvas->multisampled = canvas->camera.space;
	if (canvas->multisampled && !canvas->sampled_framebuffer)
		sampled_framebuffer_create(canvas);
	glBindFramebuffer(GL_FRAMEBUFFER, canvas->multisampled ? canvas->sampled_framebuffer : canvas->framebuffer);
}

void canvas_begin(struct canvas *canvas, struct color background)
{
	framebuffer_choose(canvas);
	glViewport(0, 0, canvas->width, canvas->height);
	glDepthMask(GL_TRUE);
	glClearColor((float)background.red / 255.0f, (float)background.green / 255.0f, (float)background.blue / 255.0f,
		canvas->multisampled ? 0.0f : 1.0f);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	canvas->vertex_count = canvas->index_count = canvas->shadows.count = 0;
	canvas->shadows.begun = false;
	canvas->drawing = true;
	canvas->finished = false;
}

static void picture_copy(struct canvas *canvas, unsigned from, unsigned to)
{
	glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
	glBlitFramebuffer(
		0, 0, canvas->width, canvas->height, 0, 0, canvas->width, canvas->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void canvas_finish(struct canvas *canvas)
{
	canvas_flush(canvas);
	if (canvas->multisampled)
		shadows_finish(canvas);
	if (context_window(canvas->context)) {
		picture_copy(canvas, canvas->framebuffer, 0);
		context_show(canvas->context);
	}
	canvas->drawing = false;
	canvas->finished = true;
	canvas->pixels_read = false;
}

/* Reverses the order of the rows: OpenGL's first row is the lowest. */
static void rows_reverse(unsigned char *pixels, size_t row, int height)
{
	unsigned char held[256];
	for (int low = 0, high = height - 1; low < high; ++low, --high)
		for (size_t at = 0; at < row; at += sizeof held) {
			size_t length = row - at < sizeof held ? row - at : sizeof held;
			unsigned char *a = pixels + (size_t)low * row + at, *b = pixels + (size_t)high * row + at;
			memcpy(held, a, length);
			memcpy(a, b, length);
			memcpy(b, held, length);
		}
}

const unsigned char *canvas_pixels(struct canvas *canvas)
{
	size_t row = (size_t)canvas->width * 3;
	if (!canvas->pixels)
		canvas->pixels = malloc(row * (size_t)canvas->height);
	if (!canvas->pixels || canvas->pixels_read)
		return canvas->pixels;
	glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->framebuffer);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	glReadPixels(0, 0, canvas->width, canvas->height, GL_RGB, GL_UNSIGNED_BYTE, canvas->pixels);
	rows_reverse(canvas->pixels, row, canvas->height);
	canvas->pixels_read = true;
	return canvas->pixels;
}

/* --- The batch ------------------------------------------------------------------------------------------------------------ */

void canvas_flush(struct canvas *canvas)
{
	if (canvas->index_count == 0)
		return;
	if (canvas->depth)
		glEnable(GL_DEPTH_TEST);
	else
		glDisable(GL_DEPTH_TEST);
	/* In 3D, the picture's alpha is the share that receives shadows: of text and panels, nothing. */
	glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, canvas->depth || !canvas->multisampled ? GL_ONE : GL_ZERO,
		GL_ONE_MINUS_SRC_ALPHA);
	glBufferData(
		GL_ARRAY_BUFFER, (GLsizeiptr)(canvas->vertex_count * sizeof *canvas->vertices), canvas->vertices, GL_STREAM_DRAW);
	glBufferData(
		GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(canvas->index_count * sizeof *canvas->indices), canvas->indices, GL_STREAM_DRAW);
	glDrawElements(GL_TRIANGLES, (GLsizei)canvas->index_count, GL_UNSIGNED_INT, NULL);
	shadows_cast(canvas);
	canvas->vertex_count = canvas->index_count = 0;
}

uint32_t canvas_reserve(struct canvas *canvas, uint32_t vertices, uint32_t indices, bool depth)
{
	if (canvas->camera.space != canvas->multisampled && canvas->camera.space) {
		/* The camera was set to 3D between begin and finish: the drawing so far becomes the background. */
		canvas_flush(canvas);
		framebuffer_choose(canvas);
		picture_copy(canvas, canvas->framebuffer, canvas->sampled_framebuffer);
		glBindFramebuffer(GL_FRAMEBUFFER, canvas->sampled_framebuffer);
		glClear(GL_DEPTH_BUFFER_BIT);
	}
	if (depth != canvas->depth || canvas->vertex_count + vertices > VERTICES || canvas->index_count + indices > INDICES)
		canvas_flush(canvas);
	canvas->depth = depth;
	return canvas->vertex_count;
}
