-- A hill of tiles is dug away under balls and boxes that roll and rest on it, cell by cell. The argument is the number of bodies. At the end the hill is gone, no
-- body was thrown, lost or has fallen through the floor, and all rest on it.
local d2 = require("collide").d2

local scenario = { name = "digging", duration = 25, timestep = 1 / 60, camera = { x = 20, y = 8, height = 24 } }
local columns, rows = 40, 20
local map, bodies, fastest, dug

local function height(i)
	local u = (i - 20) / 14
	return math.floor(3 + 9 * math.max(0, 1 - u * u) * math.max(0, 1 - u * u))
end

function scenario.setup(args)
	local world = d2.newWorld { gravity = { 0, -10 } }
	local up, down = d2.polygon { 0, 0, 1, 0, 1, 1 }, d2.polygon { 0, 0, 1, 0, 0, 1 }
	map = world:newBody { type = "static" }:newTiles {
		columns = columns, rows = rows, friction = 0.4,
		kinds = { { name = "rock" }, { name = "earth" }, { name = "rise", shape = up }, { name = "fall", shape = down } },
	}
	map:fillCells(1, 1, columns, 2, 1)
	map:fillCells(1, 1, 1, rows, 1)
	map:fillCells(columns, 1, columns, rows, 1)
	for i = 2, columns - 1 do
		map:fillCells(i, 3, i, height(i), 2)
		if height(i + 1) > height(i) then map:setCell(i, height(i) + 1, 3) end
		if height(i - 1) > height(i) then map:setCell(i, height(i) + 1, 4) end
	end
	local shapes = { d2.circle(0.35), d2.box(0.6, 0.6), d2.capsule(-0.2, 0, 0.2, 0, 0.25), d2.ellipse(0.4, 0.25) }
	bodies, fastest, dug = {}, 0, 0
	for i = 1, tonumber(args and args[1]) or 40 do
		bodies[i] = world:newBody { x = 3 + i * 7 % 35, y = 13 + i % 5, angle = i, shape = shapes[i % 4 + 1], friction = 0.4, rollingResistance = 0.05 }
	end
	return world
end

-- Takes the next cell away, from the top down, row by row, from both ends to the middle.
local function dig()
	for j = rows, 3, -1 do
		for k = 0, columns - 3 do
			local column = k % 2 == 0 and 2 + k / 2 or columns - 1 - (k - 1) / 2
			if map:getCell(column, j) > 1 then
				map:setCell(column, j, 0)
				return
			end
		end
	end
end

function scenario.update(world)
	while dug < (world:getTime() - 2) * 30 do
		dig()
		dug = dug + 1
	end
	for _, body in ipairs(bodies) do
		local vx, vy = body:getLinearVelocity()
		fastest = math.max(fastest, math.abs(vx), math.abs(vy))
	end
end

function scenario.check(world)
	assert(fastest < 18, "a body was thrown: from 17 m to 2 m gravity alone gives 17.3 m/s")
	for j = 3, rows do
		for i = 2, columns - 1 do assert(map:getCell(i, j) == 0, "the hill is still there") end
	end
	for _, body in ipairs(bodies) do
		local x, y = body:getPosition()
		assert(x > 1 and x < columns - 1 and y > 2.2 and y < 6, "a body is not on the floor")
		assert(body:getLinearVelocity() ^ 2 < 0.01, "a body is still moving")
	end
end

return scenario
