-- A hill of voxels is dug away, from the top down, under balls and boxes that roll and rest on it. Beside it bombs dig craters into a height field with boulders. The
-- argument is the number of bodies on the hill. At the end the hill is gone, no body was thrown, lost or has fallen through a floor, and boulders lie in the craters.
local d3 = require("collide").d3

local scenario = { name = "digging3d", duration = 18, timestep = 1 / 60, camera = { x = 11, y = 2, z = 0, distance = 42, yaw = 0.15, pitch = 0.8 } }
local half, tall = 9, 14
local map, field, bodies, boulders, fastest, dug, craters, cells

local function height(i, k) return math.floor(2 + 8 * math.exp(-((i + 0.5) ^ 2 + (k + 0.5) ^ 2) / 22)) end

local function hill(map)
	map:fillCells(-half, -1, -half, half - 1, 0, half - 1, 1)
	for _, wall in ipairs { { -half, -half, -half, half - 1 }, { half - 1, -half, half - 1, half - 1 }, { -half, -half, half - 1, -half }, { -half, half - 1, half - 1, half - 1 } } do
		map:fillCells(wall[1], 1, wall[2], wall[3], 5, wall[4], 1)
	end
	for i = 1 - half, half - 2 do
		for k = 1 - half, half - 2 do
			local y = height(i, k)
			if y > 1 then map:fillCells(i, 1, k, i, y - 1, k, 2) end
			if height(i + 1, k) == y + 1 then map:setCell(i, y, k, 3) elseif height(i - 1, k) == y + 1 then map:setCell(i, y, k, 3, "flipX") end
		end
	end
end

-- The cells of the hill, from the top down.
local function cells_to_dig()
	local list = {}
	for j = tall, 1, -1 do
		for i = 1 - half, half - 2 do
			for k = 1 - half, half - 2 do
				local kind = map:getCell(i, j, k)
				if kind > 1 then list[#list + 1] = { i, j, k } end
			end
		end
	end
	return list
end

function scenario.setup(args)
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local ground = world:newBody { type = "static", color = "#8a7a5c" }
	local rise = d3.hull { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1 }
	map = ground:newVoxels { friction = 0.4, kinds = { { name = "rock" }, { name = "earth" }, { name = "slope", shape = rise } } }
	hill(map)
	local heights = {}
	for n = 1, 41 * 41 do heights[n] = 1 end
	field = world:newBody { type = "static", x = 20, color = "#6f8a5c" }:newCollider(d3.heightField { columns = 41, rows = 41, x = -10, z = -10, cellWidth = 0.5, cellDepth = 0.5, heights = heights }, { friction = 0.5 })
	local shapes = { d3.sphere(0.35), d3.box(0.6, 0.6, 0.6), d3.capsule(-0.2, 0, 0, 0.2, 0, 0, 0.25), d3.cylinder(0.3, 0.5) }
	bodies, boulders, fastest, dug, craters = {}, {}, 0, 0, 0
	for i = 1, tonumber(args and args[1]) or 60 do
		bodies[i] = world:newBody { x = i * 7 % 13 - 6, y = 12 + i % 5, z = i * 5 % 11 - 5, shape = shapes[i % 4 + 1], friction = 0.4, rollingResistance = 0.1 }
	end
	for i = 1, 25 do boulders[i] = world:newBody { x = 12.5 + (i - 1) % 5 * 3.75, y = 1.6, z = math.floor((i - 1) / 5) * 3.75 - 7.5, shape = d3.sphere(0.6), friction = 0.5, rollingResistance = 0.1 } end
	cells = cells_to_dig()
	return world
end

-- Lowers the field in a bowl around column and row.
local function crater(column, row)
	local heights = {}
	for k = -4, 4 do
		for i = -4, 4 do heights[#heights + 1] = math.min(field:getHeight(column + i, row + k), 1 - 1.6 * math.max(0, 1 - (i * i + k * k) / 18)) end
	end
	field:setHeights(column - 4, row - 4, 9, 9, heights)
end

function scenario.update(world)
	while dug < #cells and dug < (world:getTime() - 2) * 80 do
		dug = dug + 1
		local cell = cells[dug]
		map:setCell(cell[1], cell[2], cell[3], 0)
	end
	while craters < 9 and craters < world:getTime() - 2 do
		crater(11 + craters % 3 * 10, 11 + math.floor(craters / 3) * 10)
		craters = craters + 1
	end
	for _, body in ipairs(bodies) do
		local vx, vy, vz = body:getLinearVelocity()
		fastest = math.max(fastest, math.abs(vx), math.abs(vy), math.abs(vz))
	end
end

function scenario.check(world)
	assert(fastest < 19, "a body was thrown: from 17 m to the floor gravity alone gives 18 m/s")
	assert(dug == #cells and dug > 200, "the hill is still there")
	for _, body in ipairs(bodies) do
		local x, y, z = body:getPosition()
		assert(math.abs(x) < half - 1 and math.abs(z) < half - 1 and y > 1.2 and y < 4, "a body is not on the floor")
		local vx, vy, vz = body:getLinearVelocity()
		assert(vx ^ 2 + vy ^ 2 + vz ^ 2 < 0.01, "a body is still moving")
	end
	local sunk = 0
	for _, boulder in ipairs(boulders) do
		local x, y, z = boulder:getPosition()
		assert(x > 10 and x < 30 and math.abs(z) < 10 and y > -0.2 and y < 1.7, "a boulder is not on the field")
		if y < 1 then sunk = sunk + 1 end
	end
	assert(sunk >= 9, "the boulders above the craters have sunk in")
end

return scenario
