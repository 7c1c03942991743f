-- A ball falls on the ground and bounces, each time with 0.6 of its impact speed (0.36 of the height).
local collide = require "collide"
local d3 = collide.d3
local world = d3.newWorld { gravity = { 0, -10, 0 } }
world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
local ball = world:newBody { type = "dynamic", y = 8, shape = d3.sphere(0.5), restitution = 0.6 }
for tick = 1, 240 do
	world:step(1 / 60)
	local x, y, z = ball:getPosition()
	print(("%3d  %8.4f %8.4f %8.4f"):format(tick, x, y, z))
end
assert(not ball:isAwake() or select(2, ball:getLinearVelocity()) < 5)

return world -- for pictures: host --shot, host --view
