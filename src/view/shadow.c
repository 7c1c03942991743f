/* shadow.c - shadows in 3D, straight below things, which show how high they are. A map of heights is drawn along with the
 * picture: for each place, seen from above, the height of the highest surface that faces down. A point of the picture is in
 * shadow if a surface in the map is above it. Surfaces that face up are not in the map, so nothing shades itself.
 * Source: Williams, "Casting Curved Shadows on Curved Surfaces", 1978; Wang and Molnar, "Second-Depth Shadow Mapping", 1994.
 * Coordinates in the map: two across and the height, from the camera's target, in units of the map's reach. */
#define GL_GLEXT_PROTOTYPES
#include "view/view.h"

#include <GL/glcorearb.h>
#include <math.h>
#include <stdlib.h>

enum { MAP = 2048 }; /* [texels] */

#define REACH 1.5 /* half the side of the map, in heights of the picture at the target */

/* --- Programs ------------------------------------------------------------------------------------------------------------- */

/* lens: eye x = x w lens.x, eye y = y w lens.y for a point at x, y in the picture; in parallel projection the distance along
 * the view is z lens.z + lens.w, in perspective lens.w is 0. */
#define COMMON                                                       \
	"#version 330 core\n"                                            \
	"uniform vec4 across, along, height, lens;\n"                    \
	"vec3 place(vec2 at, float distance) {\n"                        \
	"	vec4 p = vec4(at, distance, 1.0);\n"                           \
	"	return vec3(dot(across, p), dot(along, p), dot(height, p));\n" \
	"}\n"

static const char caster_vertex[] = COMMON "layout(location = 0) in vec4 position;\n"
										   "void main() {\n"
										   "	float distance = lens.w > 0.0 ? position.z * lens.z + lens.w : position.w;\n"
										   "	vec3 p = place(position.xy * lens.xy, distance);\n"
										   "	gl_Position = vec4(p.xy, -p.z / 8.0, 1.0);\n"
										   "}\n";

static const char caster_fragment[] = "#version 330 core\n"
									  "void main() {}\n";

static const char receiver_vertex[] =
	"#version 330 core\n"
	"void main() { gl_Position = vec4(gl_VertexID % 2 * 4 - 1, gl_VertexID / 2 * 4 - 1, 0.0, 1.0); }\n";

/* The normal comes from the nearer of the two neighbours along each axis of the picture. The point is moved along it, away from
 * surfaces that end in the same place as its own, such as the bricks of a wall. */
static const char receiver_fragment[] =
	COMMON "uniform vec2 range, size;\n" /* near and far; of the picture [pixels] */
		   "uniform sampler2D colors, depths;\n"
		   "uniform sampler2DShadow map;\n"
		   "out vec4 pixel;\n"
		   "vec3 at(ivec2 texel) {\n"
		   "	float z = texelFetch(depths, clamp(texel, ivec2(0), ivec2(size) - 1), 0).r * 2.0 - 1.0;\n"
		   "	float near = range.x, far = range.y;\n"
		   "	float distance = lens.w > 0.0 ? z * lens.z + lens.w : 2.0 * far * near / (far + near - z * (far - near));\n"
		   "	vec2 picture = (vec2(texel) + 0.5) / size * 2.0 - 1.0;\n"
		   "	return place(picture * lens.xy * (lens.w > 0.0 ? 1.0 : distance), distance);\n"
		   "}\n"
		   "vec3 nearer(vec3 a, vec3 b) { return dot(a, a) < dot(b, b) ? a : b; }\n"
		   "float lit(vec3 p, vec2 beside) {\n"
		   "	return texture(map, vec3(p.xy * 0.5 + 0.5 + beside / float(textureSize(map, 0).x), 0.5 - p.z / 16.0));\n"
		   "}\n"
		   "float shade(ivec2 texel) {\n"
		   "	vec3 p = at(texel);\n"
		   "	float rim = 1.0 - smoothstep(0.85, 1.0, max(abs(p.x), abs(p.y)));\n" /* of the map */
		   "	if (rim == 0.0 || lit(p, vec2(0.0)) == 1.0) return 0.0;\n"
		   "	vec3 dx = nearer(at(texel + ivec2(1, 0)) - p, p - at(texel - ivec2(1, 0)));\n"
		   "	vec3 dy = nearer(at(texel + ivec2(0, 1)) - p, p - at(texel - ivec2(0, 1)));\n"
		   "	vec3 view = lens.w > 0.0 ? -vec3(across.z, along.z, height.z) : vec3(across.w, along.w, height.w) - p;\n"
		   "	vec3 normal = cross(dx, dy);\n"
		   "	normal *= sign(dot(normal, view)) / max(length(normal), 1e-20);\n"
		   "	if (max(dot(dx, dx), dot(dy, dy)) > 0.01) normal = vec3(0.0, 0.0, 1.0);\n" /* a thin line: of the ground */
		   "	p += 0.002 * normal;\n"
		   "	float dark = 0.0;\n"
		   "	for (int i = 0; i < 4; ++i) dark += 0.25 - 0.25 * lit(p, vec2(i % 2, i / 2) * 1.5 - 0.75);\n"
		   "	return dark * rim * clamp(1.0 + 8.0 * normal.z, 0.0, 1.0);\n" /* what faces down is not lit anyway */
		   "}\n"
		   "void main() {\n"
		   "	ivec2 texel = ivec2(gl_FragCoord.xy);\n"
		   "	vec4 color = texelFetch(colors, texel, 0);\n" /* alpha: the share of the pixel that receives shadows */
		   "	float shadow = color.a > 0.0 ? 0.42 * color.a * shade(texel) : 0.0;\n"
		   "	pixel = vec4(color.rgb * (1.0 - shadow), 1.0);\n"
		   "}\n";

static bool programs_create(struct shadows *shadows)
{
	shadows->caster = program_link(caster_vertex, caster_fragment);
	shadows->receiver = program_link(receiver_vertex, receiver_fragment);
	if (!shadows->caster || !shadows->receiver)
		return false;
	static const char *const samplers[] = {"colors", "depths", "map"};
	glUseProgram(shadows->receiver);
	for (int i = 0; i < 3; ++i)
		glUniform1i(glGetUniformLocation(shadows->receiver, samplers[i]), i + 1); /* unit 0 has the glyphs */
	return true;
}

/* --- Framebuffers --------------------------------------------------------------------------------------------------------- */

/* Creates a texture and attaches it to the bound framebuffer. */
static unsigned texture_attach(GLenum attachment, GLint format, GLenum channels, int width, int height)
{
	GLuint texture;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, channels, channels == GL_RGBA ? GL_UNSIGNED_BYTE : GL_FLOAT, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, 0);
	return texture;
}

void shadows_create(struct canvas *canvas)
{
	struct shadows *shadows = &canvas->shadows;
	glActiveTexture(GL_TEXTURE1);
	glGenFramebuffers(2, shadows->framebuffers);
	glBindFramebuffer(GL_FRAMEBUFFER, shadows->framebuffers[0]);
	shadows->textures[0] = texture_attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, GL_RGBA, canvas->width, canvas->height);
	shadows->textures[1] =
		texture_attach(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, canvas->width, canvas->height);
	glBindFramebuffer(GL_FRAMEBUFFER, shadows->framebuffers[1]);
	shadows->textures[2] = texture_attach(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, MAP, MAP);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
	glDrawBuffer(GL_NONE);
	glReadBuffer(GL_NONE);
	glActiveTexture(GL_TEXTURE0);
	shadows->usable = shadows->receiver || programs_create(shadows);
	glUseProgram(canvas->program);
}

void shadows_destroy(struct canvas *canvas)
{
	glDeleteFramebuffers(2, canvas->shadows.framebuffers);
	glDeleteTextures(3, canvas->shadows.textures);
	for (int i = 0; i < 3; ++i)
		canvas->shadows.framebuffers[i % 2] = canvas->shadows.textures[i] = 0;
}

/* --- The map -------------------------------------------------------------------------------------------------------------- */

static void row_set(unsigned program, const char *name, const struct camera *camera, struct point3 axis, double reach)
{
	const struct point3 *columns[] = {&camera->right, &camera->above, &camera->behind};
	float row[4];
	for (int i = 0; i < 3; ++i)
		row[i] = (float)((axis.x * columns[i]->x + axis.y * columns[i]->y + axis.z * columns[i]->z) / reach);
	row[3] = row[2] * (float)(100.0 * camera->near); /* the eye, from the target */
	row[2] = -row[2];
	glUniform4fv(glGetUniformLocation(program, name), 1, row);
}

/* Sets how the program finds the place of a point of the picture in the map. */
static void program_aim(const struct canvas *canvas, unsigned program)
{
	const struct camera *camera = &canvas->shadows.camera;
	double distance = 100.0 * camera->near, span = camera->far - camera->near;
	double reach = REACH * 2.0 / camera->zoom * (camera->perspective ? distance : 1.0);
	struct point3 u, v;
	space_frame(camera->sky, &u, &v);
	glUseProgram(program);
	row_set(program, "across", camera, u, reach);
	row_set(program, "along", camera, v, reach);
	row_set(program, "height", camera, camera->sky, reach);
	double flat = camera->perspective ? 0.0 : 1.0;
	glUniform4f(glGetUniformLocation(program, "lens"), (float)(canvas->width / (camera->zoom * canvas->height)),
		(float)(1.0 / camera->zoom), (float)(flat * span / 2.0), (float)(flat * (span / 2.0 + camera->near)));
}

/* Begins the map of a picture unless it has been begun. */
static void map_begin(struct canvas *canvas)
{
	if (canvas->shadows.begun)
		return;
	canvas->shadows.begun = true;
	glBindFramebuffer(GL_FRAMEBUFFER, canvas->shadows.framebuffers[1]);
	glClear(GL_DEPTH_BUFFER_BIT);
}

void shadows_cast(struct canvas *canvas)
{
	struct shadows *shadows = &canvas->shadows;
	if (shadows->count == 0 || !shadows->usable)
		return;
	map_begin(canvas);
	program_aim(canvas, shadows->caster);
	glBindFramebuffer(GL_FRAMEBUFFER, shadows->framebuffers[1]);
	glViewport(0, 0, MAP, MAP);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_DEPTH_CLAMP);
	glEnable(GL_CULL_FACE);
	glCullFace(GL_FRONT); /* seen from above */
	glBufferData(
		GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(shadows->count * sizeof *shadows->indices), shadows->indices, GL_STREAM_DRAW);
	glDrawElements(GL_TRIANGLES, (GLsizei)shadows->count, GL_UNSIGNED_INT, NULL);
	glDisable(GL_CULL_FACE);
	glDisable(GL_DEPTH_CLAMP);
	glViewport(0, 0, canvas->width, canvas->height);
	glBindFramebuffer(GL_FRAMEBUFFER, canvas->sampled_framebuffer);
	glUseProgram(canvas->program);
	shadows->count = 0;
}

/* --- The picture ---------------------------------------------------------------------------------------------------------- */

void shadows_finish(struct canvas *canvas)
{
	struct shadows *shadows = &canvas->shadows;
	map_begin(canvas);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->sampled_framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, shadows->usable ? shadows->framebuffers[0] : canvas->framebuffer);
	glBlitFramebuffer(0, 0, canvas->width, canvas->height, 0, 0, canvas->width, canvas->height,
		GL_COLOR_BUFFER_BIT | (shadows->usable ? GL_DEPTH_BUFFER_BIT : 0), GL_NEAREST);
	if (!shadows->usable)
		return;
	program_aim(canvas, shadows->receiver);
	glUniform2f(glGetUniformLocation(shadows->receiver, "range"), (float)shadows->camera.near, (float)shadows->camera.far);
	glUniform2f(glGetUniformLocation(shadows->receiver, "size"), (float)canvas->width, (float)canvas->height);
	for (unsigned i = 0; i < 3; ++i) {
		glActiveTexture(GL_TEXTURE1 + i);
		glBindTexture(GL_TEXTURE_2D, shadows->textures[i]);
	}
	glActiveTexture(GL_TEXTURE0);
	glBindFramebuffer(GL_FRAMEBUFFER, canvas->framebuffer);
	glDisable(GL_DEPTH_TEST);
	glDisable(GL_BLEND);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glEnable(GL_BLEND);
	glUseProgram(canvas->program);
}
