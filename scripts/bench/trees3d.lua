-- 50 trees, each of 22 hexagonal prisms of falling width, topple on a mesh of waves, 150 by 200 in size: bodies, masses, sizes and steps of Box3D's
-- benchmarks "trees100", "trees50" and "trees25". The argument is the width of the mesh's cells in hundredths: 100, 50 or 25, the latter with 960,000
-- triangles.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "trees3d", duration = 500 / 60, brief = { duration = 1, args = { "100" } } }
local trees

-- Heights on a regular grid, two triangles a cell.
local function new_waves(cell)
	local columns, rows = math.floor(150 / cell + 0.5), math.floor(200 / cell + 0.5)
	local points, indices = {}, {}
	for i = 0, columns do
		local along = 0.4 * collide.sin(2 * math.pi * 0.1 * cell * i)
		for k = 0, rows do
			local n = #points
			points[n + 1], points[n + 2], points[n + 3] = -75 + cell * i, along * collide.sin(2 * math.pi * 0.05 * cell * k), -100 + cell * k
		end
	end
	for i = 0, columns - 1 do
		for k = 1, rows do
			local a, n = (rows + 1) * i + k, #indices
			local b = a + rows + 1
			indices[n + 1], indices[n + 2], indices[n + 3] = a, a + 1, b + 1
			indices[n + 4], indices[n + 5], indices[n + 6] = b + 1, b, a
		end
	end
	return d3.mesh(points, indices, { oneSided = true })
end

local function new_prism(radius, low, high)
	local points = {}
	for i = 0, 5 do
		local x, z = radius * collide.cos(i * math.pi / 3), radius * collide.sin(i * math.pi / 3)
		for _, coordinate in ipairs { x, low, z, x, high, z } do points[#points + 1] = coordinate end
	end
	return d3.hull(points)
end

-- The prisms of a trunk overlap: each is longer than their spacing.
local function new_trunk()
	local parts, y, radius = {}, 1, 0.75
	for i = 1, 22 do
		parts[i] = { shape = new_prism(radius, y - radius, y + 1.5 + radius), density = 1, friction = 0.9, rollingResistance = 0.05 }
		y = y + 1.5 + 2 * radius
		radius = 0.95 * radius
	end
	return parts
end

function scenario.setup(args)
	local cell = (tonumber(args and args[1]) or 100) / 100
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", shape = new_waves(cell) }
	local trunk = new_trunk()
	trees = {}
	for i = 0, 49 do
		local tree = world:newBody { y = 1, z = -70 + 3 * i, shapes = trunk, sleepThreshold = 0.2 }
		-- Each rotates about its base, neighbours in opposite directions.
		local turn = (0.5 + 0.5 * i / 50) * (i % 2 == 0 and -0.5 or 0.5)
		local cx, cy = tree:getLocalCenter()
		tree:setAngularVelocity(0, 0, turn)
		tree:setLinearVelocity(-turn * cy, turn * cx, 0)
		trees[i + 1] = tree
	end
	return world
end

-- How many lie, with their axes level to within 0.2 rad; the lowest centre; and how many have left the mesh.
function scenario.measure()
	local lying, lowest, gone = 0, math.huge, 0
	for _, tree in ipairs(trees) do
		local x, y, z = tree:getCenter()
		lowest = math.min(lowest, y)
		if math.abs(x) > 75 or math.abs(z) > 100 or y < -0.4 then gone = gone + 1 end
		local _, up = tree:getWorldVector(0, 1, 0)
		if math.abs(up) < 0.2 then lying = lying + 1 end
	end
	return { lying = lying, lowest = lowest, gone = gone }
end

function scenario.check()
	local found = scenario.measure()
	print(("trees3d: %d lie, the lowest centre at %.3f m, %d gone"):format(found.lying, found.lowest, found.gone))
	assert(found.gone == 0, ("trees3d: %d trees have gone through the mesh"):format(found.gone))
end

return scenario
