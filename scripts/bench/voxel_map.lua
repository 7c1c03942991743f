-- 2,000 balls and boxes that roll over hills of voxels, 256 by 256 cells, as one collider. Arguments: `voxels`; or `mesh`, the same outline with two triangles for each
-- face of a cell. And the number of bodies; the cells a side; and `dig`: a cell goes and comes back in each step.
local d3 = require("collide").d3

local scenario = { name = "voxel_map", duration = 10, camera = { x = 128, y = 20, z = 128, distance = 260, pitch = 0.4 }, brief = { duration = 1, args = { "voxels", "200", "96" } } }
local side
local lowest = 8 -- one below the least height
local movers, map, tick_of_dig

-- The height of the ground in cells.
local function height(i, k)
	if i == 0 or k == 0 or i == side - 1 or k == side - 1 then return 40 end
	return math.floor(20 + 5 * math.sin(i * 0.06) + 4 * math.sin(k * 0.05 + i * 0.02) + 1.5 * math.sin(i * 0.31) * math.sin(k * 0.27))
end

local function top(i, k) return (i >= 0 and k >= 0 and i < side and k < side) and height(i, k) or 0 end

-- The faces of the cells that no other cell covers, as a mesh.
local function outline()
	local vertices, indices, numbers = {}, {}, {}
	local function vertex(x, y, z)
		local at = (x * 1024 + y) * 1024 + z
		if not numbers[at] then
			numbers[at] = #vertices / 3 + 1
			vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = x, y, z
		end
		return numbers[at]
	end
	local function quad(a, b, c, d)
		for _, v in ipairs { a, b, c, a, c, d } do indices[#indices + 1] = v end
	end
	for i = 0, side - 1 do
		for k = 0, side - 1 do
			local y = height(i, k)
			quad(vertex(i, y, k), vertex(i, y, k + 1), vertex(i + 1, y, k + 1), vertex(i + 1, y, k))
			for j = 0, y - 1 do
				if top(i - 1, k) <= j then quad(vertex(i, j, k), vertex(i, j, k + 1), vertex(i, j + 1, k + 1), vertex(i, j + 1, k)) end
				if top(i + 1, k) <= j then quad(vertex(i + 1, j, k), vertex(i + 1, j + 1, k), vertex(i + 1, j + 1, k + 1), vertex(i + 1, j, k + 1)) end
				if top(i, k - 1) <= j then quad(vertex(i, j, k), vertex(i, j + 1, k), vertex(i + 1, j + 1, k), vertex(i + 1, j, k)) end
				if top(i, k + 1) <= j then quad(vertex(i, j, k + 1), vertex(i + 1, j, k + 1), vertex(i + 1, j + 1, k + 1), vertex(i, j + 1, k + 1)) end
			end
		end
	end
	return d3.mesh(vertices, indices)
end

function scenario.setup(args)
	local kind, count = args and args[1] or "voxels", tonumber(args and args[2]) or 2000
	side = tonumber(args and args[3]) or 256
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local ground = world:newBody { type = "static" }
	map, tick_of_dig = nil, args and args[4] == "dig" and 0 or nil
	if kind == "voxels" then
		map = ground:newVoxels { friction = 0.3, kinds = { { name = "earth" } } }
		map:fillCells(0, 0, 0, side - 1, lowest - 1, side - 1, 1)
		for i = 0, side - 1 do
			for k = 0, side - 1 do map:fillCells(i, lowest, k, i, height(i, k) - 1, k, 1) end
		end
	else
		ground:newCollider(outline(), { friction = 0.3 })
	end
	local shapes = { d3.sphere(0.4), d3.box(0.7, 0.7, 0.7), d3.capsule(0, -0.3, 0, 0, 0.3, 0, 0.3) }
	movers = {}
	for i = 1, count do
		local angle = i * 2.4
		movers[i] = world:newBody { x = 4 + i * 97 % (side - 8), y = 34 + i % 9, z = 4 + i * 61 % (side - 8), shape = shapes[i % 3 + 1], friction = 0.3, sleepingAllowed = false, linearVelocity = { 5 * math.cos(angle), 0, 5 * math.sin(angle) } }
	end
	return world
end

function scenario.update(world, tick)
	for i, body in ipairs(movers) do
		if (tick + i) % 60 == 0 then
			local vx, vy = body:getLinearVelocity()
			local angle = i * 2.4 + math.floor((tick + i) / 240)
			body:setLinearVelocity(5 * math.cos(angle), vy + 3, 5 * math.sin(angle))
		end
	end
	if map and tick_of_dig then
		local i, k = 2 + tick * 37 % (side - 4), 2 + tick * 53 % (side - 4)
		map:setCell(i, height(i, k) - 1, k, tick % 2)
	end
end

function scenario.check()
	for _, body in ipairs(movers) do
		local x, y, z = body:getPosition()
		assert(x > 0 and x < side and z > 0 and z < side and y > 0, "a body is lost")
	end
end

return scenario
