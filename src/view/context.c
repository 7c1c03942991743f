/* context.c - OpenGL 3.3 contexts: of a window by SDL, or offscreen by EGL, which Mesa provides even without a graphics card. A
 * context is used only by the thread that created it. */
#include "view/view.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <SDL.h>
#include <stdlib.h>
#include <string.h>

struct context {
	SDL_Window *window; /* NULL: offscreen */
	SDL_GLContext window_context;
	EGLDisplay display;
	EGLContext offscreen_context;
};

static _Thread_local struct context *current;
static int windows; /* number of open windows; SDL is initialized while there are any */

/* --- Offscreen ------------------------------------------------------------------------------------------------------------ */

static bool has_extension(const char *extensions, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = extensions; at && (at = strstr(at, name)); at += length)
		if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

/* Opens a display that needs no window system if the driver has one, else the default display. */
static EGLDisplay display_open(void)
{
	const char *extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
	EGLDisplay display = EGL_NO_DISPLAY;
	if (has_extension(extensions, "EGL_MESA_platform_surfaceless"))
		display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL))
		return display;
	display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
	if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL))
		return display;
	return EGL_NO_DISPLAY;
}

static EGLContext offscreen_create(EGLDisplay display)
{
	static const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
	static const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
		EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
	EGLConfig config;
	EGLint count = 0;
	if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, config_attributes, &config, 1, &count) || count == 0)
		return EGL_NO_CONTEXT;
	return eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
}

struct context *context_create_offscreen(char message[MESSAGE])
{
	struct context *context = calloc(1, sizeof *context);
	if (!context) {
		SDL_strlcpy(message, "not enough memory", MESSAGE);
		return NULL;
	}
	context->display = display_open();
	if (context->display != EGL_NO_DISPLAY)
		context->offscreen_context = offscreen_create(context->display);
	if (context->offscreen_context == EGL_NO_CONTEXT) {
		SDL_snprintf(message, MESSAGE,
			"no OpenGL 3.3 (EGL error 0x%x): apt-get install libgl1-mesa-dri has a driver for every machine",
			(unsigned)eglGetError());
		free(context);
		return NULL;
	}
	return context;
}

/* --- Windows -------------------------------------------------------------------------------------------------------------- */

static void windows_release(void)
{
	if (--windows > 0)
		return;
	SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
	SDL_QuitSubSystem(SDL_INIT_VIDEO);
}

/* Makes SDL try no other driver than X where only X is available: Wayland's library would complain on stderr. */
static void driver_hint(void)
{
	if (getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
		SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
}

static bool windows_retain(char message[MESSAGE])
{
	driver_hint();
	SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); /* the program handles Ctrl-C */
	SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
	if (windows == 0 && SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
		SDL_snprintf(message, MESSAGE, "no display: %s", SDL_GetError());
		return false;
	}
	if (windows++ == 0)
		SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); /* without it there are no gamepads */
	const char *driver = SDL_GetCurrentVideoDriver();
	if (driver && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0)
		return true;
	/* SDL's fallback drivers, which show nothing. */
	SDL_snprintf(message, MESSAGE, "no display: none that can be reached");
	windows_release();
	return false;
}

struct context *context_create_window(int width, int height, const char *title, char message[MESSAGE])
{
	struct context *context = calloc(1, sizeof *context);
	if (!context) {
		SDL_strlcpy(message, "not enough memory", MESSAGE);
		return NULL;
	}
	if (!windows_retain(message)) {
		free(context);
		return NULL;
	}
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
	SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
	context_forget();
	context->window = SDL_CreateWindow(
		title, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED, width, height, SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
	if (context->window)
		context->window_context = SDL_GL_CreateContext(context->window);
	if (!context->window_context) {
		SDL_snprintf(message, MESSAGE, "no display with OpenGL 3.3: %s", SDL_GetError());
		context_destroy(context);
		return NULL;
	}
	current = context;
	SDL_GL_SetSwapInterval(1);
	return context;
}

struct SDL_Window *context_window(const struct context *context)
{
	return context->window;
}

/* --- Both ----------------------------------------------------------------------------------------------------------------- */

void context_forget(void)
{
	if (current && current->window)
		SDL_GL_MakeCurrent(current->window, NULL);
	else if (current)
		eglMakeCurrent(current->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	current = NULL;
}

bool context_use(struct context *context)
{
	if (context == current)
		return true;
	context_forget(); /* a window's context may be GLX's, which is independent of EGL's */
	bool done = context->window ? SDL_GL_MakeCurrent(context->window, context->window_context) == 0
								: eglBindAPI(EGL_OPENGL_API) &&
			eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->offscreen_context);
	if (done)
		current = context;
	return done;
}

void context_show(struct context *context)
{
	if (context->window)
		SDL_GL_SwapWindow(context->window);
}

void context_destroy(struct context *context)
{
	if (context == current)
		context_forget();
	if (context->window_context)
		SDL_GL_DeleteContext(context->window_context);
	if (context->window)
		SDL_DestroyWindow(context->window);
	if (context->display == EGL_NO_DISPLAY)
		windows_release();
	else /* the display stays open: the whole process shares it */
		eglDestroyContext(context->display, context->offscreen_context);
	free(context);
}
