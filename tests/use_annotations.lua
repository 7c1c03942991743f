-- Faults that a language server must find: each is named at the end of its line. See test_annotations.lua; this never runs.

local collide = require "collide"
local plane, space = require "collide.d2", require "collide.d3"
local world = space.newWorld { gravity = { 0, -10, 0 } }
local x, y, z = world:newBody { shape = space.sphere(1) }:getPosition()
world:newBoddy {} -- undefined-field
print(x.a, y, z) -- undefined-field
collide.d3.newWorlds() -- undefined-field
local flat = plane.newWorld()
flat:newBody { shape = plane.circle(1):scaled(2) }:setRotation(1) -- undefined-field
space.box(1, 1) -- missing-parameter
space.boxPlane(1, 1, 1, nil, 0, 1, 0, -3)
local fraction, hx, hy, nx, ny = plane.raycast(plane.circle(1), nil, -5, 0, 5, 0)
print(fraction, hx, hy, nx, ny.a) -- undefined-field
for a, b, cx, cy, cz in world:beginContacts() do print(a:getBody().data, b:getBodi(), cx, cy, cz) end -- undefined-field

---@type collide.Scenario
local scenario = { name = "use", camera = { x = 1, yaw = 2 } }
function scenario.setup() return world end
function scenario.draw(canvas, w)
	canvas.circle("awake", 0, 0, 1)
	canvas.circel("awake", 0, 0, 1) -- undefined-field
	print(w:getTick(), w:getTicks()) -- undefined-field
end
local canvas = require("collide.svg").newCanvas { width = 8, height = 8 }
canvas.pixel(1, 1) -- undefined-field
return scenario
