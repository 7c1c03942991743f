rockspec_format = "3.0"
package = "collide"
version = "scm-1"
-- From a checkout: luarocks make
source = { url = "git+file://." }
description = {
  summary = "A physics engine for Lua",
  detailed = "Rigid bodies, shapes, contacts and queries in the plane; deterministic; scripted from Lua 5.4 and LuaJIT.",
  license = "MIT",
}
supported_platforms = { "linux" }
dependencies = { "lua >= 5.1, < 5.5" }
test_dependencies = { "luaunit" }
build = {
  type = "make",
  build_target = "build/collide.so",
  build_variables = { CC = "$(CC)", LUA_CFLAGS = "-I$(LUA_INCDIR)" },
  install_pass = false,
  install = { lib = { collide = "build/collide.so" }, lua = { ["collide.annotations"] = "lua/collide/annotations.lua" } },
}
