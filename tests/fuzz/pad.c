/* pad.c - a gamepad for tests. Loaded before SDL (LD_PRELOAD), it replaces SDL_PollEvent: at the first calls it connects a
 * virtual gamepad, uses its controls one after the other, one for every few calls, and takes it away. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

enum { PAD_TYPE = 1, AXES = 6, BUTTONS = 15, WAIT = 12 /* calls between two changes */ };
enum { BUTTON_A = 0, BUTTON_LEFT = 13, LEFT_X = 0, LEFT_Y = 1, RIGHT_TRIGGER = 5 };

/* The function of SDL, which is loaded later than this library. */
static void *sdl(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	void *library = found ? NULL : dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_NOLOAD);
	found = found ? found : library ? dlsym(library, name) : NULL;
	if (!found)
		abort();
	return found;
}

static void *pad;
static int device;

static void button(int number, int pressed)
{
	((int (*)(void *, int, uint8_t))sdl("SDL_JoystickSetVirtualButton"))(pad, number, (uint8_t)pressed);
}

static void axis(int number, int value)
{
	((int (*)(void *, int, int16_t))sdl("SDL_JoystickSetVirtualAxis"))(pad, number, (int16_t)value);
}

static void act(int number)
{
	switch (number) {
	case 1:
		device = ((int (*)(int, int, int, int))sdl("SDL_JoystickAttachVirtual"))(PAD_TYPE, AXES, BUTTONS, 0);
		pad = ((void *(*)(int))sdl("SDL_JoystickOpen"))(device);
		break;
	case 2: axis(RIGHT_TRIGGER, -32768); break; /* at rest; a new axis is in its middle */
	case 3: button(BUTTON_A, 1); break;
	case 4: button(BUTTON_A, 0); break;
	case 5: axis(LEFT_X, 16384); break;
	case 6: axis(LEFT_Y, -32768); break;
	case 7: axis(LEFT_Y, 1000); break;
	case 8: axis(RIGHT_TRIGGER, 32767); break;
	case 9: button(BUTTON_LEFT, 1); break;
	case 10: ((int (*)(int))sdl("SDL_JoystickDetachVirtual"))(device); break;
	}
}

int SDL_PollEvent(void *event)
{
	static int calls;
	if (++calls % WAIT == 0)
		act(calls / WAIT);
	return ((int (*)(void *))sdl("SDL_PollEvent"))(event);
}
