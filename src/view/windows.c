/* windows.c - the window of a canvas: its events, keys and mouse. */
#include "view/module_parts.h"

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

/* Pushes the values of an event that scripts receive, and returns their number; 0 for other events. */
static int push_event(lua_State *L, const SDL_Event *event, SDL_Window *window)
{
	int x, y;
	switch (event->type) {
	case SDL_QUIT: lua_pushliteral(L, "quit"); return 1;
	case SDL_KEYDOWN:
	case SDL_KEYUP: return push_key(L, &event->key);
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
