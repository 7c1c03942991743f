-- A ball is thrown at a flat pyramid of cubes, and again every four seconds. To watch it: build/host --view scripts/hello3d.lua
local d3 = require("collide").d3
local scenario = { name = "hello3d", duration = 8, camera = { x = 0, y = 2, z = 4, distance = 19, yaw = 0.9, pitch = 0.25 } }
local ball, top

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(80, 2, 80) }
	for row = 1, 6 do
		for i = 1, 7 - row do
			top = world:newBody { x = i - 4 + row / 2, y = row - 0.5, shape = d3.box(1, 1, 1) }
		end
	end
	ball = world:newBody { y = 0.7, z = 12, shape = d3.sphere(0.7), density = 3, restitution = 0.4 }
	return world
end

function scenario.update(world, tick)       -- before each step, 60 times a second
	if tick % 240 == 60 then
		ball:setPosition(0, 0.7, 12)
		ball:setLinearVelocity(0, 7, -14)
	end
end

function scenario.check()                   -- after the run
	local x, y, z = top:getPosition()
	assert(y < 5, "the pyramid still stands")
end

return scenario
