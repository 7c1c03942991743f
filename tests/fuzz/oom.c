/* oom.c - fails every allocation of a script, one run for each: oom MODULES SCRIPT [STRIDE].
 * MODULES is the folder of collide.so or .dll. The n-th allocation fails, alone or with all after it, for n = 1, 1 + STRIDE,
 * ... until the script gets through. After each run memory is at hand again, the script's function `check` must pass in the
 * same state, and closing it must give back every byte. A program of its own, linked with Lua: a Lua state with this allocator
 * cannot be had from within Lua. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct failing {
	long bytes; /* handed out */
	long count; /* requests that grow, while armed */
	long fail_at;
	bool armed;
	bool all_after;
	bool failed;
};

static bool must_fail(struct failing *failing)
{
	if (!failing->armed)
		return false;
	++failing->count;
	bool fails = failing->all_after ? failing->count >= failing->fail_at : failing->count == failing->fail_at;
	failing->failed |= fails;
	return fails;
}

/* Each block begins with its size: LuaJIT gives some blocks back under another size than it asked for, after a failure. */
enum { HEADER = 16 };

static void *failing_allocate(void *context, void *block, size_t old_size, size_t new_size)
{
	struct failing *failing = context;
	unsigned char *base = block ? (unsigned char *)block - HEADER : NULL;
	old_size = 0;
	if (base)
		memcpy(&old_size, base, sizeof old_size);
	if (new_size == 0) {
		free(base);
		failing->bytes -= (long)old_size;
		return NULL;
	}
	/* Lua takes it for granted that shrinking succeeds. */
	if (new_size > old_size && must_fail(failing))
		return NULL;
	base = realloc(base, HEADER + new_size);
	if (base == NULL) {
		fprintf(stderr, "oom: really out of memory\n");
		exit(1);
	}
	memcpy(base, &new_size, sizeof new_size);
	failing->bytes += (long)new_size - (long)old_size;
	return base + HEADER;
}

static _Noreturn void fail(const struct failing *failing, const char *what, const char *message)
{
	fprintf(stderr, "oom: allocation %ld%s: %s: %s\n", failing->fail_at, failing->all_after ? " and all after" : "", what,
		message ? message : "(no message)");
	exit(1);
}

static void set_path(lua_State *L, const char *modules)
{
	lua_getglobal(L, "package");
	lua_pushfstring(L, "%s/?.so;%s/?.dll", modules, modules);
	lua_setfield(L, -2, "cpath");
	lua_pop(L, 1);
}

static bool memory_message(const char *message)
{
	return message && (strstr(message, "memory") || strstr(message, "error in error handling"));
}

/* One run. Returns whether an allocation has failed in it. */
static bool run(const char *modules, const char *script, struct failing *failing)
{
	lua_State *L = lua_newstate(failing_allocate, failing);
	if (L == NULL) {
		printf("oom: skipped: this Lua takes no allocator of ours\n");
		exit(0);
	}
	luaL_openlibs(L);
	set_path(L, modules);
	/* the module loads LuaJIT's ffi, which loses a block if memory runs out meanwhile */
	(void)luaL_dostring(L, "if jit then require 'ffi' end");
	if (luaL_loadfile(L, script) != 0)
		fail(failing, "loading", lua_tostring(L, -1));
	/* Lua calls a finalizer once. One that finds no memory for its call is lost, and with it what it would have given back. */
	if (failing->all_after)
		lua_gc(L, LUA_GCSTOP, 0);
	failing->armed = true;
	int status = lua_pcall(L, 0, 0, 0);
	failing->armed = false;
	lua_gc(L, LUA_GCRESTART, 0);
	if (status != 0 && !memory_message(lua_tostring(L, -1)))
		fail(failing, "script", lua_tostring(L, -1));
	lua_settop(L, 0);
	lua_getglobal(L, "check");
	/* The script may not have come so far as to define it. */
	if (lua_isfunction(L, -1) && lua_pcall(L, 0, 0, 0) != 0)
		fail(failing, "check", lua_tostring(L, -1));
	lua_close(L);
	if (failing->bytes != 0) {
		char text[32];
		snprintf(text, sizeof text, "%ld bytes", failing->bytes);
		fail(failing, "leak", text);
	}
	return failing->failed;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: oom MODULES SCRIPT [STRIDE]\n");
		return 2;
	}
	long stride = argc > 3 ? atol(argv[3]) : 1, runs = 0, end = 0;
	for (int all_after = 0; all_after < 2; ++all_after)
		for (long n = 1;; n += stride < 1 ? 1 : stride) {
			struct failing failing = {.fail_at = n, .all_after = all_after};
			++runs;
			if (!run(argv[1], argv[2], &failing))
				break;
			end = n;
		}
	printf("oom: %ld runs, up to allocation %ld: every world whole, every byte returned\n", runs, end);
	return 0;
}
