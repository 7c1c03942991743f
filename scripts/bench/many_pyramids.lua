-- 400 pyramids of base 10 (22,000 boxes) on 20 floors, sleeping off: bodies, sizes and steps of Box2D's benchmark of the same name.
local d2 = require("collide").d2

local scenario = { name = "many_pyramids", duration = 200 / 60, brief = { duration = 1, args = { "1" } } }
local base, columns, rows = 10, 20, 20
local boxes

function scenario.setup(args)
	rows = tonumber(args and args[1]) or rows
	local world = d2.newWorld { gravity = { 0, -10 }, sleeping = false }
	local ground, width = world:newBody { type = "static" }, columns * (base + 1)
	local box = d2.box(1, 1)
	boxes = {}
	for row = 0, rows - 1 do
		local floor = row * (base + 1)
		ground:newCollider(d2.segment(-width / 2, floor, width / 2, floor))
		for column = 0, columns - 1 do
			local center = -width / 2 + column * (base + 1) + 1
			for i = 0, base - 1 do
				for j = i, base - 1 do
					boxes[#boxes + 1] = { (i + 1) / 2 + (j - i) + center - 0.5, floor + i + 0.5 }
					boxes[#boxes][3] = world:newBody { x = boxes[#boxes][1], y = boxes[#boxes][2], shape = box }
				end
			end
		end
	end
	return world
end

-- How many boxes are where they were built, within a tenth of their size.
local function in_place()
	local count = 0
	for _, box in ipairs(boxes) do
		local x, y = box[3]:getPosition()
		if math.abs(x - box[1]) < 0.1 and math.abs(y - box[2]) < 0.1 then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { boxes = #boxes, inPlace = in_place() }
end

function scenario.check()
	local moved = #boxes - in_place()
	assert(moved == 0, ("many_pyramids: %d boxes have left their places"):format(moved))
end

return scenario
