/* module.c - the Lua module collide.view: canvases as tables of functions, which a world accepts as drawing targets. A canvas
 * is a userdata. Each of its functions has it and the table name -> colour as upvalues, so that scripts call
 * canvas.segment(...) without a self, as with any drawing target. */
#include "view/module_parts.h"

/* --- Arguments ------------------------------------------------------------------------------------------------------------ */

#define TYPE_NAME "collide.canvas"

#define UPVALUE_CANVAS lua_upvalueindex(1)
#define UPVALUE_COLORS lua_upvalueindex(2) /* [name] = 0xRRGGBBAA */
#define UPVALUE_NAME lua_upvalueindex(3) /* of the function, for messages */
#define UPVALUE_PAINT lua_upvalueindex(4) /* enum paint, of functions that draw shapes */

/* limit of coordinates [length]: their products stay finite in doubles, until they are clipped to the picture */
#define FARTHEST 1e18

static const char *function_name(lua_State *L)
{
	return lua_tostring(L, UPVALUE_NAME);
}

struct canvas *view_canvas_of(lua_State *L)
{
	struct canvas *canvas = lua_touserdata(L, UPVALUE_CANVAS);
	if (!canvas->context)
		luaL_error(L, "%s: the canvas is closed", function_name(L));
	if (!context_use(canvas->context))
		luaL_error(L, "%s: OpenGL's context is lost", function_name(L));
	return canvas;
}

/* The canvas. Raises unless it is between begin and finish. */
static struct canvas *drawing_canvas(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	if (!canvas->drawing)
		luaL_error(L, "%s: only between begin and finish", function_name(L));
	return canvas;
}

static struct canvas *finished_canvas(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	if (!canvas->finished)
		luaL_error(L, "%s: only after finish", function_name(L));
	return canvas;
}

static double number(lua_State *L, int index, const char *name, double low, double high)
{
	if (lua_type(L, index) == LUA_TNUMBER) {
		double value = lua_tonumber(L, index);
		if (value >= low && value <= high)
			return value;
		luaL_error(L, "%s: %s must be between %f and %f, got %f", function_name(L), name, low, high, value);
	}
	luaL_error(L, "%s: %s must be a number, got %s", function_name(L), name, luaL_typename(L, index));
	return 0.0;
}

static double coordinate(lua_State *L, int index, const char *name)
{
	if (lua_type(L, index) == LUA_TNUMBER) {
		double value = lua_tonumber(L, index);
		if (fabs(value) <= FARTHEST)
			return value;
		luaL_error(L, "%s: %s must be finite and at most 1e18, got %f", function_name(L), name, value);
	}
	return number(L, index, name, 0.0, 0.0); /* raises an error with the actual type */
}

static double length(lua_State *L, int index, const char *name)
{
	double value = coordinate(L, index, name);
	if (value < 0.0)
		luaL_error(L, "%s: %s must be >= 0, got %f", function_name(L), name, value);
	return value;
}

/* Parses "#rrggbb", which gets alpha ff, or "#rrggbbaa" to 0xRRGGBBAA. False: it is neither, and *value has no meaning. */
static bool color_parse(const char *text, size_t size, uint32_t *value)
{
	*value = 0;
	if ((size != 7 && size != 9) || text[0] != '#')
		return false;
	for (size_t i = 1; i < size; ++i) {
		const char *digits = "0123456789abcdef0123456789ABCDEF", *digit = strchr(digits, text[i]);
		if (!digit || !*digit)
			return false;
		*value = *value << 4 | (uint32_t)((digit - digits) % 16);
	}
	if (size == 7)
		*value = *value << 8 | 0xFF;
	return true;
}

/* The colour for a name of the palette, or for a text like "#ff8800". */
static struct color color_at(lua_State *L, int index)
{
	size_t size;
	if (lua_type(L, index) != LUA_TSTRING)
		luaL_error(L, "%s: color must be a string, got %s", function_name(L), luaL_typename(L, index));
	lua_pushvalue(L, index);
	lua_rawget(L, UPVALUE_COLORS);
	bool named = lua_type(L, -1) == LUA_TNUMBER;
	uint32_t value = named ? (uint32_t)lua_tonumber(L, -1) : 0;
	lua_pop(L, 1);
	const char *text = lua_tolstring(L, index, &size);
	if (!named && !color_parse(text, size, &value))
		luaL_error(L, "%s: color must be a name of the palette, '#rrggbb' or '#rrggbbaa', got '%s'", function_name(L), text);
	return (struct color){(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
}

static struct point2 plane_point(lua_State *L, const struct canvas *canvas, int index)
{
	return plane_pixel(canvas, (struct point2){coordinate(L, index, "x"), coordinate(L, index + 1, "y")});
}

static struct point3 space_point(lua_State *L, int index)
{
	return (struct point3){coordinate(L, index, "x"), coordinate(L, index + 1, "y"), coordinate(L, index + 2, "z")};
}

const char *view_string_at(lua_State *L, int index, size_t *size)
{
	if (lua_type(L, index) != LUA_TSTRING && lua_type(L, index) != LUA_TNUMBER)
		luaL_error(L, "%s: expected a string, got %s", function_name(L), luaL_typename(L, index));
	lua_pushvalue(L, index); /* converts a number in this copy, not in the caller's slot */
	return lua_tolstring(L, -1, size);
}

/* --- Shapes --------------------------------------------------------------------------------------------------------------- */

static enum paint paint_of(lua_State *L)
{
	return (enum paint)lua_tointeger(L, UPVALUE_PAINT);
}

/* (color, radius, x1, y1, ...), or in 3D (color, radius, x1, y1, z1, ...) */
static int draw_polygon(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	enum paint paint = paint_of(L);
	int numbers = canvas->camera.space ? 3 : 2, given = lua_gettop(L) - 2, count = given / numbers;
	if (given % numbers != 0 || count < 3 || count > FACE)
		return luaL_error(L, "%s: needs 3 to %d points of %d numbers, got %d numbers", function_name(L), FACE, numbers,
			given < 0 ? 0 : given);
	struct color color = color_at(L, 1);
	double radius = length(L, 2, "radius");
	if (canvas->camera.space) {
		struct point3 points[FACE];
		for (int i = 0; i < count; ++i)
			points[i] = space_point(L, 3 + 3 * i);
		space_face(canvas, color, paint, points, count);
	} else {
		struct point2 points[FACE];
		for (int i = 0; i < count; ++i)
			points[i] = plane_point(L, canvas, 3 + 2 * i);
		plane_shape(canvas, color, paint, points, count, radius * canvas->camera.scale);
	}
	return 0;
}

/* (color, x, y, z, radius [, qx, qy, qz, qw]) */
static void draw_ball(lua_State *L, struct canvas *canvas, enum paint paint)
{
	struct color color = color_at(L, 1);
	struct point3 center = space_point(L, 2);
	double radius = length(L, 5, "radius"), rotation[4];
	bool turned = !lua_isnoneornil(L, 6);
	for (int i = 0; turned && i < 4; ++i)
		rotation[i] = number(L, 6 + i, "the quaternion", -1.01, 1.01);
	if (paint == PAINT_SOLID)
		space_sphere(canvas, color, center, radius, turned ? rotation : NULL);
	else
		space_ring(canvas, color, center, radius);
}

/* (color, x, y, radius [, angle]) */
static int draw_circle(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	enum paint paint = paint_of(L);
	if (canvas->camera.space) {
		draw_ball(L, canvas, paint);
		return 0;
	}
	struct color color = color_at(L, 1);
	struct point2 center = plane_point(L, canvas, 2);
	double radius = length(L, 4, "radius") * canvas->camera.scale;
	plane_shape(canvas, color, paint, &center, 1, radius);
	if (!lua_isnoneornil(L, 5)) {
		double angle = coordinate(L, 5, "angle"), reach = fmax(radius - 1.0, 0.0);
		struct point2 rim = {center.x + reach * cos(angle), center.y - canvas->camera.up * reach * sin(angle)};
		plane_line(canvas, paint == PAINT_SOLID ? color_shade(color, OUTLINE_SHADE) : color, center, rim, 0.0, 0.0,
			fmin(OUTLINE_WIDTH, 0.25 * radius));
	}
	return 0;
}

/* (color, a, b, radius); a and b are points of two or three numbers */
static int draw_capsule(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	enum paint paint = paint_of(L);
	struct color color = color_at(L, 1);
	if (!canvas->camera.space) {
		struct point2 ends[2] = {plane_point(L, canvas, 2), plane_point(L, canvas, 4)};
		bool round = ends[0].x == ends[1].x && ends[0].y == ends[1].y;
		plane_shape(canvas, color, paint, ends, round ? 1 : 2, length(L, 6, "radius") * canvas->camera.scale);
		return 0;
	}
	struct point3 a = space_point(L, 2), b = space_point(L, 5);
	double radius = length(L, 8, "radius");
	if (paint == PAINT_SOLID) {
		space_capsule(canvas, color, a, b, radius);
	} else {
		space_ring(canvas, color, a, radius);
		space_ring(canvas, color, b, radius);
		space_line(canvas, color, a, b);
	}
	return 0;
}

/* (color, a, b) */
static int segment(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	struct color color = color_at(L, 1);
	if (canvas->camera.space)
		space_line(canvas, color, space_point(L, 2), space_point(L, 5));
	else
		plane_line(canvas, color, plane_point(L, canvas, 2), plane_point(L, canvas, 4), 0.0, 0.0, OUTLINE_WIDTH);
	return 0;
}

/* The pixel of the point at `index`, which moves past it. False: the point is not beyond the near plane. */
static bool pixel_at(lua_State *L, const struct canvas *canvas, int *index, struct point2 *pixel, double *z)
{
	int first = *index;
	*index += canvas->camera.space ? 3 : 2;
	*z = 0.0;
	if (canvas->camera.space)
		return space_pixel(canvas, space_point(L, first), pixel, z);
	*pixel = plane_point(L, canvas, first);
	return true;
}

/* (color, p, size) */
static int point(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	struct color color = color_at(L, 1);
	struct point2 pixel;
	double z;
	int index = 2;
	bool seen = pixel_at(L, canvas, &index, &pixel, &z);
	double size = number(L, index, "size", 0.0, CANVAS_SIDE);
	if (seen && pixel.x > -size && pixel.y > -size && pixel.x < canvas->width + size && pixel.y < canvas->height + size)
		plane_dot(canvas, color, pixel, size, z);
	return 0;
}

/* (color, p, string); drawn beside the point */
static int text(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	struct color color = color_at(L, 1);
	struct point2 pixel;
	double z;
	size_t size;
	int index = 2;
	bool seen = pixel_at(L, canvas, &index, &pixel, &z);
	const char *string = view_string_at(L, index, &size);
	if (seen && fabs(pixel.x) < 1e6 && fabs(pixel.y) < 1e6)
		plane_text(canvas, color, pixel.x + 4.0, pixel.y - canvas->glyphs.cell_height / 2.0, string, size);
	return 0;
}

/* (color, px, py, string) */
static int label(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	struct color color = color_at(L, 1);
	size_t size;
	double x = number(L, 2, "px", -1e6, 1e6), y = number(L, 3, "py", -1e6, 1e6);
	const char *string = view_string_at(L, 4, &size);
	plane_text(canvas, color, x, y, string, size);
	return 0;
}

/* (color, px, py, width, height) */
static int panel(lua_State *L)
{
	struct canvas *canvas = drawing_canvas(L);
	struct color color = color_at(L, 1);
	double x = number(L, 2, "px", -1e6, 1e6), y = number(L, 3, "py", -1e6, 1e6);
	plane_rectangle(canvas, color, x, y, number(L, 4, "width", 0.0, 1e6), number(L, 5, "height", 0.0, 1e6));
	return 0;
}

/* --- The picture ---------------------------------------------------------------------------------------------------------- */

static int begin(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	if (canvas->drawing)
		return luaL_error(L, "begin: the picture before is not finished");
	lua_pushliteral(L, "background");
	struct color background = color_at(L, -1);
	if (context_window(canvas->context)) {
		int width, height;
		char message[MESSAGE];
		SDL_GL_GetDrawableSize(context_window(canvas->context), &width, &height);
		if (!canvas_resize(canvas, SDL_max(width, 1), SDL_max(height, 1), message))
			return luaL_error(L, "begin: %s", message);
	}
	canvas_begin(canvas, background);
	return 0;
}

static int finish(lua_State *L)
{
	canvas_finish(drawing_canvas(L));
	return 0;
}

static const unsigned char *pixels_of(lua_State *L, struct canvas *canvas)
{
	const unsigned char *pixels = canvas_pixels(canvas);
	if (!pixels)
		luaL_error(L, "%s: not enough memory", function_name(L));
	return pixels;
}

static int save(lua_State *L)
{
	struct canvas *canvas = finished_canvas(L);
	if (lua_type(L, 1) != LUA_TSTRING)
		return luaL_error(L, "save: path must be a string, got %s", luaL_typename(L, 1));
	size_t size;
	const char *path = lua_tolstring(L, 1, &size);
	if (strlen(path) != size)
		return luaL_error(L, "save: path must have no zero byte in it");
	const char *problem = png_write(path, pixels_of(L, canvas), canvas->width, canvas->height);
	return problem ? luaL_error(L, "save: cannot write %s: %s", path, problem) : 0;
}

static int pixels(lua_State *L)
{
	struct canvas *canvas = finished_canvas(L);
	lua_pushlstring(L, (const char *)pixels_of(L, canvas), (size_t)canvas->width * (size_t)canvas->height * 3);
	return 1;
}

static int pixel(lua_State *L)
{
	struct canvas *canvas = finished_canvas(L);
	double px = number(L, 1, "px", 0.0, canvas->width - 1), py = number(L, 2, "py", 0.0, canvas->height - 1);
	if (px != floor(px) || py != floor(py))
		return luaL_error(L, "pixel: px and py must be whole numbers, got %f, %f", px, py);
	size_t x = (size_t)px, y = (size_t)py;
	const unsigned char *at = pixels_of(L, canvas) + (y * (size_t)canvas->width + x) * 3;
	for (int i = 0; i < 3; ++i)
		lua_pushinteger(L, at[i]);
	return 3;
}

static int get_size(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	lua_pushinteger(L, canvas->width);
	lua_pushinteger(L, canvas->height);
	return 2;
}

static int get_text_size(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	size_t size;
	int width, height;
	const char *string = view_string_at(L, 1, &size);
	plane_measure(canvas, string, size, &width, &height);
	lua_pushinteger(L, width);
	lua_pushinteger(L, height);
	return 2;
}

/* (x, y, scale [, up]) */
static int set_camera(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	struct camera camera = {
		.center = {coordinate(L, 1, "x"), coordinate(L, 2, "y")}, .scale = number(L, 3, "scale", 1e-15, 1e15), .up = 1.0};
	if (!lua_isnoneornil(L, 4))
		camera.up = number(L, 4, "up", -1.0, 1.0);
	if (fabs(camera.up) != 1.0)
		return luaL_error(L, "setCamera: up must be 1 or -1, got %f", camera.up);
	if (canvas->camera.space)
		canvas_flush(canvas);
	canvas->camera = camera;
	return 0;
}

/* (eyeX, eyeY, eyeZ, targetX, targetY, targetZ, upX, upY, upZ, fov, height) */
static int set_camera3(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	struct point3 eye = space_point(L, 1), target = space_point(L, 4), up = space_point(L, 7);
	double fov = number(L, 10, "fov", 0.0, 3.0), height = fov > 0.0 ? 1.0 : number(L, 11, "height", 1e-15, 1e15);
	if (eye.x == target.x && eye.y == target.y && eye.z == target.z)
		return luaL_error(L, "setCamera3: the eye must be apart from the target");
	canvas_flush(canvas);
	space_look(&canvas->camera, eye, target, up, fov, height);
	canvas->shadows.camera = canvas->camera;
	canvas->shadows.begun = false; /* shadows are those of the last camera */
	return 0;
}

static int set_palette(lua_State *L)
{
	view_canvas_of(L);
	if (!lua_istable(L, 1))
		return luaL_error(L, "%s: palette must be a table, got %s", function_name(L), luaL_typename(L, 1));
	lua_settop(L, 1);
	for (int pass = 0; pass < 2; ++pass) /* the first pass only checks */
		for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
			uint32_t value;
			size_t size;
			const char *code = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &size) : NULL;
			if (lua_type(L, -2) != LUA_TSTRING)
				return luaL_error(
					L, "%s: the palette's names must be strings, got a %s", function_name(L), luaL_typename(L, -2));
			if (!code || !color_parse(code, size, &value))
				return luaL_error(L, "%s: palette['%s'] must be '#rrggbb' or '#rrggbbaa', got %s", function_name(L),
					lua_tostring(L, -2), code ? code : luaL_typename(L, -1));
			if (pass == 1) {
				lua_pushvalue(L, -2);
				lua_pushnumber(L, (double)value);
				lua_rawset(L, UPVALUE_COLORS);
			}
		}
	return 0;
}

static int canvas_close(lua_State *L)
{
	canvas_destroy(lua_touserdata(L, UPVALUE_CANVAS));
	return 0;
}

static int canvas_collect(lua_State *L)
{
	canvas_destroy(lua_touserdata(L, 1));
	return 0;
}

/* --- Creation ------------------------------------------------------------------------------------------------------------- */

static const struct function {
	const char *name; /* NULL: the end */
	lua_CFunction function;
	enum paint paint;
} canvas_functions[] = {
	{"solidPolygon", draw_polygon, PAINT_SOLID},
	{"polygon", draw_polygon, PAINT_OUTLINE},
	{"fillPolygon", draw_polygon, PAINT_FILL},
	{"solidCircle", draw_circle, PAINT_SOLID},
	{"circle", draw_circle, PAINT_OUTLINE},
	{"solidCapsule", draw_capsule, PAINT_SOLID},
	{"capsule", draw_capsule, PAINT_OUTLINE},
	{"segment", segment, 0},
	{"point", point, 0},
	{"text", text, 0},
	{"label", label, 0},
	{"panel", panel, 0},
	{"begin", begin, 0},
	{"finish", finish, 0},
	{"save", save, 0},
	{"pixels", pixels, 0},
	{"pixel", pixel, 0},
	{"getSize", get_size, 0},
	{"getTextSize", get_text_size, 0},
	{"setCamera", set_camera, 0},
	{"setCamera3", set_camera3, 0},
	{"setPalette", set_palette, 0},
	{"close", canvas_close, 0},
	{NULL, NULL, 0},
};

static const struct function window_functions[] = {
	{"poll", view_poll, 0},
	{"setTitle", view_set_title, 0},
	{NULL, NULL, 0},
};

/* Adds functions to the table on top of the stack; the canvas and the colours are at stack indices 2 and 3. */
static void functions_add(lua_State *L, const struct function *functions)
{
	for (; functions->name; ++functions) {
		lua_pushvalue(L, 2);
		lua_pushvalue(L, 3);
		lua_pushstring(L, functions->name);
		lua_pushinteger(L, functions->paint);
		lua_pushcclosure(L, functions->function, 4);
		lua_setfield(L, -2, functions->name);
	}
}

static int side(lua_State *L, const char *function, const char *name)
{
	lua_getfield(L, 1, name);
	double value = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0.0;
	if (!(value >= 1.0 && value <= CANVAS_SIDE && value == floor(value)))
		luaL_error(L, "%s: %s must be a whole number of pixels between 1 and %d", function, name, CANVAS_SIDE);
	lua_pop(L, 1);
	return (int)value;
}

static void check_keys(lua_State *L, const char *function, bool window)
{
	for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
		const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : luaL_typename(L, -2);
		if (strcmp(key, "width") != 0 && strcmp(key, "height") != 0 && strcmp(key, "palette") != 0 &&
			!(window && strcmp(key, "title") == 0))
			luaL_error(L, "%s: unknown key '%s': there are width, height, palette%s", function, key, window ? ", title" : "");
	}
}

/* ({ width =, height =, palette = [, title =] }) -> canvas */
static int make_canvas(lua_State *L, const char *function, bool window)
{
	char message[MESSAGE];
	if (!lua_istable(L, 1))
		return luaL_error(L, "%s: expected a table of options, got %s", function, luaL_typename(L, 1));
	lua_settop(L, 1);
	check_keys(L, function, window);
	int width = side(L, function, "width"), height = side(L, function, "height");
	struct canvas *canvas = lua_newuserdata(L, sizeof *canvas); /* stack index 2 */
	canvas->context = NULL;
	luaL_getmetatable(L, TYPE_NAME);
	lua_setmetatable(L, 2);
	lua_newtable(L); /* 3: colours */
	lua_newtable(L); /* 4: the canvas' functions */
	functions_add(L, canvas_functions);
	if (window)
		functions_add(L, window_functions);
	lua_getfield(L, 1, "title"); /* 5 */
	const char *title = lua_type(L, 5) == LUA_TSTRING ? lua_tostring(L, 5) : "collide";
	struct context *context = window ? context_create_window(width, height, title, message) : context_create_offscreen(message);
	if (!context || !canvas_create(canvas, context, width, height, message))
		return luaL_error(L, "%s", message);
	lua_getfield(L, 4, "setPalette");
	lua_getfield(L, 1, "palette");
	lua_call(L, 1, 0);
	lua_getfield(L, 3, "background");
	if (lua_isnil(L, -1))
		return luaL_error(L, "%s: the palette has no color 'background'", function);
	lua_pushvalue(L, 4);
	return 1;
}

static int new_canvas(lua_State *L)
{
	return make_canvas(L, "newCanvas", false);
}

static int new_window(lua_State *L)
{
	return make_canvas(L, "newWindow", true);
}

__attribute__((visibility("default"))) int luaopen_collide_view(lua_State *L);

int luaopen_collide_view(lua_State *L)
{
	luaL_newmetatable(L, TYPE_NAME);
	lua_pushcfunction(L, canvas_collect);
	lua_setfield(L, -2, "__gc");
	lua_newtable(L);
	lua_pushcfunction(L, new_canvas);
	lua_setfield(L, -2, "newCanvas");
	lua_pushcfunction(L, new_window);
	lua_setfield(L, -2, "newWindow");
	return 1;
}
