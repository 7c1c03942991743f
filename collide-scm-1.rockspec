rockspec_format = "3.0"
package = "collide"
version = "scm-1"
-- From a checkout: luarocks make
source = { url = "git+file://." }
description = {
  summary = "A physics engine for Lua, in two and three dimensions",
  detailed = "Rigid bodies, shapes, joints, contacts and queries in 2D and 3D, and geometry alone; deterministic; for Lua 5.4 and LuaJIT. "
    .. "The program collide runs scenarios.",
  license = "MIT",
}
supported_platforms = { "linux" }
dependencies = { "lua >= 5.1, < 5.5" }
build = {
  type = "make",
  variables = { LUA = "$(LUA_INCDIR)", OUT = "build/rock", LUA_CFLAGS = "-I$(LUA_INCDIR)", LUA_LIBS = "" },
  build_target = "rock",
  install_target = "install-rock",
  install_variables = { LIBDIR = "$(LIBDIR)", LUADIR = "$(LUADIR)", DOCDIR = "$(PREFIX)/doc" },
  install = { bin = { collide = "lua/collide/host/program.lua" } },
}
