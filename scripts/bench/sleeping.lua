-- 100,000 boxes sleep on 100 shelves, and on each shelf a ball bounces between them: sleeping bodies should cost nothing. The argument is the number of
-- boxes, in hundreds.
local d2 = require("collide").d2

local scenario = { name = "sleeping", duration = 5, brief = { duration = 1, args = { "10" } } }
local shelves, shelf_height, spacing, gap = 100, 4, 0.8, 1.2 -- [1], [m]
local boxes, balls

function scenario.setup(args)
	local row = tonumber(args and args[1]) or 1000 -- boxes on a shelf
	local world = d2.newWorld { gravity = { 0, -10 } }
	local box, ball, shelf = d2.box(0.5, 0.5), d2.circle(0.25), d2.box(row * spacing + 2 * gap + 2, 0.2)
	boxes, balls = {}, {}
	for i = 0, shelves - 1 do
		local floor = i * shelf_height
		world:newBody { type = "static", y = floor - 0.1, shape = shelf }
		for j = 1, row do
			local side = j % 2 == 0 and 1 or -1
			local x = side * (gap + math.floor((j - 1) / 2) * spacing)
			boxes[#boxes + 1] = { world:newBody { x = x, y = floor + 0.25, shape = box, awake = false }, x, floor + 0.25 }
		end
		balls[i + 1] = world:newBody { y = floor + 1 + i % 10 * 0.2, shape = ball, restitution = 1, sleepingAllowed = false }
	end
	return world
end

-- How many balls still bounce: their energy corresponds to a height of at least 0.3 m.
local function bouncing()
	local count = 0
	for i, ball in ipairs(balls) do
		local _, y = ball:getPosition()
		local _, vy = ball:getLinearVelocity()
		local height = y - (i - 1) * shelf_height - 0.25 + vy * vy / 20
		if height > 0.3 and height < shelf_height then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { bouncing = bouncing() }
end

function scenario.check(world)
	for _, entry in ipairs(boxes) do
		local x, y = entry[1]:getPosition()
		assert(not entry[1]:isAwake() and math.abs(x - entry[2]) < 1e-4 and math.abs(y - entry[3]) < 1e-4, "sleeping: a box has been woken")
	end
	assert(world:getAwakeCount() == shelves, ("sleeping: %d bodies are awake, not %d"):format(world:getAwakeCount(), shelves))
	assert(bouncing() == shelves, ("sleeping: only %d of %d balls bounce"):format(bouncing(), shelves))
end

return scenario
