/* windows.c - the window of a canvas: its events, keys, mouse and gamepads. */
#include "view/module_parts.h"

#include <math.h>

static int push_key(lua_State *L, const SDL_KeyboardEvent *event)
{
	char name[64];
	SDL_strlcpy(name, SDL_GetKeyName(event->keysym.sym), sizeof name);
	SDL_strlwr(name);
	lua_pushliteral(L, "key");
	lua_pushstring(L, name);
	lua_pushboolean(L, event->type == SDL_KEYDOWN);
	lua_pushboolean(L, event->repeat != 0);
	return 4;
}

static int push_at(lua_State *L, const char *event, int x, int y)
{
	lua_pushstring(L, event);
	lua_pushinteger(L, x);
	lua_pushinteger(L, y);
	return 3;
}

static int push_mouse(lua_State *L, const char *kind, int x, int y, int button)
{
	static const char *const names[] = {
		[SDL_BUTTON_LEFT] = "left", [SDL_BUTTON_MIDDLE] = "middle", [SDL_BUTTON_RIGHT] = "right"};
	lua_pushliteral(L, "mouse");
	push_at(L, kind, x, y);
	if (button >= SDL_BUTTON_LEFT && button <= SDL_BUTTON_RIGHT)
		lua_pushstring(L, names[button]);
	else
		lua_pushnil(L);
	return 5;
}

/* --- Gamepads ------------------------------------------------------------------------------------------------------------- */

/* An axis nearer to its middle than this is at rest, as fractions of its range. */
#define DEAD_ZONE 0.15

/* Pushes a change of a gamepad. control: of the game; NULL: unknown. */
static int push_pad(lua_State *L, SDL_JoystickID id, const char *control, double value)
{
	int player = SDL_GameControllerGetPlayerIndex(SDL_GameControllerFromInstanceID(id));
	if (control == NULL)
		return 0;
	lua_pushliteral(L, "pad");
	lua_pushstring(L, control);
	lua_pushnumber(L, value);
	lua_pushinteger(L, player < 0 ? 1 : player + 1);
	return 4;
}

/* SDL counts downwards, scripts upwards. */
static int push_axis(lua_State *L, const SDL_ControllerAxisEvent *event)
{
	double value = event->value / (event->value < 0 ? 32768.0 : 32767.0);
	bool vertical = event->axis == SDL_CONTROLLER_AXIS_LEFTY || event->axis == SDL_CONTROLLER_AXIS_RIGHTY;
	if (fabs(value) < DEAD_ZONE)
		value = 0.0;
	return push_pad(L, event->which, SDL_GameControllerGetStringForAxis((SDL_GameControllerAxis)event->axis),
		vertical && value != 0.0 ? -value : value);
}

static int push_button(lua_State *L, const SDL_ControllerButtonEvent *event)
{
	const char *name = SDL_GameControllerGetStringForButton((SDL_GameControllerButton)event->button);
	return push_pad(L, event->which, name, event->state == SDL_PRESSED ? 1.0 : 0.0);
}

/* --- Events --------------------------------------------------------------------------------------------------------------- */

/* Pushes the values of an event that scripts receive, and returns their number; 0 for other events. */
static int push_event(lua_State *L, const SDL_Event *event, SDL_Window *window)
{
	int x, y;
	switch (event->type) {
	case SDL_QUIT: lua_pushliteral(L, "quit"); return 1;
	case SDL_KEYDOWN:
	case SDL_KEYUP: return push_key(L, &event->key);
	case SDL_CONTROLLERDEVICEADDED: SDL_GameControllerOpen(event->cdevice.which); return 0;
	case SDL_CONTROLLERDEVICEREMOVED: /* after events that release all of its controls */
		SDL_GameControllerClose(SDL_GameControllerFromInstanceID(event->cdevice.which));
		return 0;
	case SDL_CONTROLLERBUTTONDOWN:
	case SDL_CONTROLLERBUTTONUP: return push_button(L, &event->cbutton);
	case SDL_CONTROLLERAXISMOTION: return push_axis(L, &event->caxis);
	case SDL_MOUSEMOTION: return push_mouse(L, "moved", event->motion.x, event->motion.y, 0);
	case SDL_MOUSEBUTTONDOWN:
	case SDL_MOUSEBUTTONUP:
		if (event->button.button > SDL_BUTTON_RIGHT)
			return 0;
		return push_mouse(L, event->type == SDL_MOUSEBUTTONDOWN ? "pressed" : "released", event->button.x, event->button.y,
			event->button.button);
	case SDL_MOUSEWHEEL:
		SDL_GetMouseState(&x, &y);
		push_at(L, "wheel", x, y);
		lua_pushinteger(L, event->wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? -event->wheel.y : event->wheel.y);
		return 4;
	case SDL_WINDOWEVENT:
		if (event->window.event == SDL_WINDOWEVENT_CLOSE) {
			lua_pushliteral(L, "quit");
			return 1;
		}
		if (event->window.event != SDL_WINDOWEVENT_SIZE_CHANGED)
			return 0;
		SDL_GL_GetDrawableSize(window, &x, &y);
		return push_at(L, "resized", x, y);
	default: return 0;
	}
}

int view_poll(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	SDL_Event event;
	while (SDL_PollEvent(&event)) {
		int count = push_event(L, &event, context_window(canvas->context));
		if (count > 0)
			return count;
	}
	lua_pushnil(L);
	return 1;
}

int view_set_title(lua_State *L)
{
	struct canvas *canvas = view_canvas_of(L);
	size_t size;
	SDL_SetWindowTitle(context_window(canvas->context), view_string_at(L, 1, &size));
	return 0;
}
