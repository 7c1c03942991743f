-- A floor of 1,000,000 static boxes, on which a ball is dropped every 5 steps: bodies, masses, sizes and steps of Box3D's benchmark "large_world". The argument
-- is the number of boxes a row.
local d3 = require("collide").d3

local scenario = { name = "large_world3d", duration = 500 / 60, brief = { duration = 2, args = { "40" } } }
local cell, most, side = 10, 100, 10 -- balls, and balls a row
local span, balls

local ball = d3.sphere(0.5)

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 1000
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local box = d3.box(cell, 0.5, cell)
	span, balls = cell * count, {}
	for i = 0, count - 1 do
		for k = 0, count - 1 do world:newBody { type = "static", x = (i + 0.5) * cell - span / 2, z = (k + 0.5) * cell - span / 2, shape = box } end
	end
	return world
end

-- The balls are spread over the inner four fifths of the floor.
function scenario.update(world, tick)
	local i = #balls
	if i == most or tick == 1 or (tick - 1) % 5 ~= 0 then return end
	local function place(k) return 0.8 * span * ((k + 0.5) / side - 0.5) end
	balls[i + 1] = world:newBody { x = place(i % side), y = 1.5, z = place(math.floor(i / side)), shape = ball, density = 1000 }
end

-- How many balls are there, and how many lie under the floor's surface by more than a tenth of their radius.
function scenario.measure()
	local sunk = 0
	for _, body in ipairs(balls) do
		local _, y = body:getPosition()
		if y < 0.25 + 0.5 - 0.05 then sunk = sunk + 1 end
	end
	return { balls = #balls, sunk = sunk }
end

function scenario.check()
	local found = scenario.measure()
	assert(found.sunk == 0, ("large_world3d: %d of %d balls have sunk into the floor"):format(found.sunk, found.balls))
end

return scenario
