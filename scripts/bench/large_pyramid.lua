-- 5,050 boxes in a pyramid of base 100 on a floor, sleeping off: bodies, sizes and steps of Box2D's benchmark of the same name. The scene and its check are
-- those of scripts/pyramid.lua.
local pyramid = dofile((debug.getinfo(1, "S").source:match "^@(.*/)" or "") .. "../pyramid.lua")
pyramid.name = "large_pyramid"
return pyramid
