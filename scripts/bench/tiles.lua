-- A level of 20,000 static tiles, each a body of its own, in 20 storeys of uneven floors, and 500 balls, boxes and capsules that run back and forth on them.
-- The argument is the number of storeys.
local d2 = require("collide").d2

local scenario = { name = "tiles", duration = 8, brief = { duration = 1, args = { "2" } } }
local width, thickness, height, movers_per_storey = 500, 2, 8, 25 -- [tiles], [tiles], [m], [1]
local movers

-- The top of a floor at a column: steps of half a tile, each seven tiles long.
local function top(column)
	return math.floor(column / 7) % 3 * 0.5
end

function scenario.setup(args)
	local storeys = tonumber(args and args[1]) or 20
	local world = d2.newWorld { gravity = { 0, -10 } }
	local tile, wall = d2.box(1, 1), d2.box(1, storeys * height + 4)
	for storey = 0, storeys - 1 do
		for column = 0, width - 1 do
			for layer = 0, thickness - 1 do
				world:newBody { type = "static", x = column + 0.5, y = storey * height + top(column) - layer - 0.5, shape = tile, friction = 0.3 }
			end
		end
	end
	for _, x in ipairs { -0.5, width + 0.5 } do
		world:newBody { type = "static", x = x, y = storeys * height / 2 - 2, shape = wall }
	end
	local shapes = { d2.circle(0.4), d2.box(0.7, 0.7), d2.capsule(0, -0.3, 0, 0.3, 0.3) }
	movers = {}
	for storey = 0, storeys - 1 do
		for i = 0, movers_per_storey - 1 do
			local column = math.floor((i + 0.5) * width / movers_per_storey)
			movers[#movers + 1] = world:newBody {
				x = column + 0.5, y = storey * height + top(column) + 1, shape = shapes[#movers % #shapes + 1], friction = 0.3,
				locks = { rotation = #movers % 3 == 2 }, sleepingAllowed = false,
			}
		end
	end
	return world
end

-- Each mover runs, jumps now and then, and turns back after a while, with a phase of its own.
function scenario.update(_, tick)
	for i, body in ipairs(movers) do
		local turn = tick + 7 * i
		local _, vy = body:getLinearVelocity()
		if turn % 80 == 0 then vy = 6 end
		if turn % 10 == 0 then body:setLinearVelocity(turn % 240 < 120 and 5 or -5, vy) end
	end
end

-- How many are not between their floor and the next, or are stuck in their floor.
local function lost()
	local count = 0
	for i, body in ipairs(movers) do
		local storey = math.floor((i - 1) / movers_per_storey)
		local x, y = body:getPosition()
		local floor = storey * height + top(math.max(0, math.min(width - 1, math.floor(x))))
		if not (x > 0 and x < width and y > floor + 0.1 and y < (storey + 1) * height) then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { lost = lost() }
end

function scenario.check()
	local count = lost()
	assert(count == 0, ("tiles: %d of %d movers are not on their floor"):format(count, #movers))
end

return scenario
