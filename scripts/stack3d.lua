-- Twenty cubes on top of each other stand, and go to sleep. The law of columns in scripts/stack.lua holds here about two axes. For each of the four corners
-- of a unit cube's face 1 / m_point = 2 (1/m + (1/4) / (m/6) + (1/4) / (m/6)) = 8 / m, so a face gives way as one spring on m / 2, where a square's edge acts
-- as one on 2 m / 5. Contacts of sqrt(4/5) 60 Hz are as stiff as those of 60 Hz there, which four sub-steps can follow.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "stack3d", duration = 12 }

local gravity, count = 10, 20
local boxes

function scenario.setup()
	local world = d3.newWorld { gravity = { 0, -gravity, 0 }, contactHertz = math.sqrt(4 / 5) * 60 }
	world:newBody { type = "static", y = -1, shape = d3.box(40, 2, 40) }
	boxes = {}
	for i = 1, count do
		boxes[i] = world:newBody { y = i - 0.5, shape = d3.box(1, 1, 1) }
	end
	return world
end

function scenario.measure()
	local most = 0
	for i, box in ipairs(boxes) do
		local x, y, z = box:getPosition()
		most = math.max(most, math.abs(x), math.abs(z))
	end
	local _, y = boxes[count]:getPosition()
	return { aside = most, sunk = count - 0.5 - y }
end

function scenario.check(world)
	for i, box in ipairs(boxes) do
		local x, y, z = box:getPosition()
		local _, up = box:getWorldVector(0, 1, 0)
		-- It leans while it settles, and nothing pushes it back: a tenth of a cube is far from falling off.
		assert(math.abs(x) < 0.1 and math.abs(z) < 0.1, ("stack3d: cube %d has gone aside to %.1f, %.1f mm"):format(i, 1000 * x, 1000 * z))
		assert(up > collide.cos(math.rad(1)), ("stack3d: cube %d leans by %.2f degrees"):format(i, math.deg(math.acos(up))))
		assert(not box:isAwake(), ("stack3d: cube %d is awake after %g s"):format(i, scenario.duration))
	end
end

return scenario
