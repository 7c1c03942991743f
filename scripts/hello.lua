-- A ball is thrown at a pyramid of boxes, and again every four seconds. To watch it: build/host --view scripts/hello.lua
local d2 = require("collide").d2
local scenario = { name = "hello", duration = 8, camera = { x = 0, y = 4, height = 14 } }
local ball, top

function scenario.setup()
	local world = d2.newWorld { gravity = { 0, -10 } }
	world:newBody { type = "static", y = -1, shape = d2.box(400, 2) }
	for row = 1, 6 do
		for i = 1, 7 - row do
			top = world:newBody { x = i - 4 + row / 2, y = row - 0.5, shape = d2.box(1, 1) }
		end
	end
	ball = world:newBody { x = -10, y = 0.7, shape = d2.circle(0.7), density = 3, restitution = 0.4 }
	return world
end

function scenario.update(world, tick)       -- before each step, 60 times a second
	if tick % 240 == 60 then
		ball:setPosition(-10, 0.7)
		ball:setLinearVelocity(17, 7)
	end
end

function scenario.check()                   -- after the run
	local x, y = top:getPosition()
	assert(y < 5, "the pyramid still stands")
end

return scenario
