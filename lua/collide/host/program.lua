-- The program `collide` of the rock: the host, run by luarocks' Lua. Elsewhere src/host/main.c is the program.

local exit = os.exit -- tests replace it

exit(require "collide.host" (arg[0], "collide", require "collide.host.native", arg), true)
