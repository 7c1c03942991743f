---@meta collide.d2
-- Tells editors what `require "collide.d2"` returns: the table d2 of `require "collide"`, which is annotated in annotations.lua.

return require("collide").d2
