-- 8,100 small boxes in a drum of 36 plates and 4 vanes, a kinematic body that turns at 25 degrees a second: bodies, sizes and steps of Box2D's benchmark of
-- the same name. The argument is the number of boxes a row.
local collide = require "collide"
local d2 = collide.d2
local drum_shapes = require("drum").shapes

local scenario = { name = "washer", duration = 500 / 60, brief = { duration = 2, args = { "20" } } }
local boxes, drum

local function new_plate(inner, outer, from, to)
	local points = {}
	for i, corner in ipairs { { inner, from }, { outer, from }, { outer, to }, { inner, to } } do
		local angle = corner[2] * math.pi / 18
		points[2 * i - 1], points[2 * i] = corner[1] * collide.cos(angle), corner[1] * collide.sin(angle)
	end
	return d2.polygon(points)
end

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 90
	local world = d2.newWorld { gravity = { 0, -10 } }
	drum = world:newBody { type = "kinematic", y = 10, shapes = drum_shapes(new_plate), linearVelocity = { 0.001, -0.002 }, angularVelocity = math.rad(25) }
	local box = d2.box(0.2, 0.2)
	boxes = {}
	for i = 0, count - 1 do
		for j = 0, count - 1 do
			boxes[#boxes + 1] = world:newBody { x = -0.11 * count + 0.21 * j, y = -0.11 * count + 10 + 0.21 * i, shape = box }
		end
	end
	return world
end

-- How many boxes are not within the drum.
local function escaped()
	local count = 0
	local cx, cy = drum:getPosition()
	for _, box in ipairs(boxes) do
		local x, y = box:getPosition()
		if not ((x - cx) ^ 2 + (y - cy) ^ 2 < 16 ^ 2) then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { escaped = escaped() }
end

function scenario.check()
	local count = escaped()
	assert(count == 0, ("washer: %d boxes have left the drum"):format(count))
end

return scenario
