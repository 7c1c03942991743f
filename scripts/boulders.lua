-- Boulders, hulls of random corners, tumble down a hill that is a rough mesh, and come to rest in a basin. The argument is their number.
local d3 = require("collide").d3
local arguments = require "collide.host.arguments"

local scenario = { name = "boulders", duration = 25, brief = { duration = 22, args = { "25" } } }
scenario.camera = { x = 31, y = 9, z = 0, distance = 74, yaw = 0.85, pitch = 0.5 }

local gravity, cell, columns, rows = 10, 1, 70, 30 -- the mesh's cells [m], and their numbers along and across the slope
local boulders, energy, field

-- A slope of 30 degrees that flattens into a basin with a rising far side. The walls on both sides lean outwards.
local function slope(x)
	if x < 40 then return 0.58 * (40 - x) end
	return 0.02 * (x - 40) * (x - 40)
end

local function new_hill(world)
	local heights, points, indices = {}, {}, {}
	for k = 0, rows do
		for i = 0, columns do
			local x, z = i * cell, (k - rows / 2) * cell
			local edge = math.max(0, math.abs(z) - 10)
			local y = slope(x) + 0.8 * edge + 0.5 * (world:random() - 0.5) + (x < 1 and 5 or 0)
			local n = #points
			heights[#heights + 1] = y
			points[n + 1], points[n + 2], points[n + 3] = x, y, z
		end
	end
	for k = 0, rows - 1 do
		for i = 1, columns do
			local a, n = k * (columns + 1) + i, #indices
			local b = a + columns + 1
			-- The two triangles share the diagonal from the first corner to the opposite one, as in a heightmap.
			indices[n + 1], indices[n + 2], indices[n + 3], indices[n + 4], indices[n + 5], indices[n + 6] = a, b + 1, a + 1, a, b, b + 1
		end
	end
	field = d3.heightmap { heights = heights, columns = columns + 1, rows = rows + 1, cellWidth = cell, cellDepth = cell, z = -rows / 2 * cell }
	return d3.mesh(points, indices)
end

local function new_boulder(world, size)
	local points = {}
	for _ = 1, 24 do
		local x, y, z, squares
		repeat
			x, y, z = 2 * world:random() - 1, 2 * world:random() - 1, 2 * world:random() - 1
			squares = x * x + y * y + z * z
		until squares <= 1 and squares > 0.01
		local n, length = #points, math.sqrt(squares)
		points[n + 1], points[n + 2], points[n + 3] = size * x / length, 0.8 * size * y / length, 0.9 * size * z / length
	end
	return d3.hull(points)
end

local function energy_of(body)
	local _, y = body:getCenter()
	return body:getKineticEnergy() + body:getMass() * gravity * y
end

function scenario.setup(args)
	local count = arguments.whole(args, 1, 150, 1, 500, "boulders: their number")
	local world = d3.newWorld { gravity = { 0, -gravity, 0 }, seed = 11 }
	world:newBody { type = "static", shape = new_hill(world), friction = 0.7 }
	local shapes = {}
	for i = 1, 8 do shapes[i] = new_boulder(world, 0.4 + 0.7 * world:random()) end
	boulders, energy = {}, 0
	for i = 0, count - 1 do
		local row, place = math.floor(i / 7), i % 7
		local x, z = 2.5 + 2.5 * (row % 5), 2.6 * (place - 3)
		boulders[i + 1] = world:newBody {
			x = x, y = slope(x) + 2 + 2.6 * math.floor(row / 5), z = z, shape = shapes[i % #shapes + 1], density = 2.5, friction = 0.7, restitution = 0.1,
			rotation = { world:random() - 0.5, world:random() - 0.5, world:random() - 0.5, world:random() - 0.5 }, linearVelocity = { 3, 0, 0 }, rollingResistance = 0.05,
		}
		energy = energy + energy_of(boulders[i + 1])
	end
	return world
end

function scenario.measure()
	local mass, kinetic, way = 0, 0, 0
	for _, body in ipairs(boulders) do
		mass, kinetic, way = mass + body:getMass(), kinetic + body:getKineticEnergy(), way + body:getPosition()
	end
	return { speed = math.sqrt(2 * kinetic / mass), way = way / #boulders }
end

function scenario.check()
	local left = 0
	for i, boulder in ipairs(boulders) do
		local x, y, z = boulder:getCenter()
		assert(x > 0 and x < columns * cell and math.abs(z) < rows * cell / 2, ("boulders: number %d has left the hill: %.2f, %.2f"):format(i, x, z))
		local ground = field:heightAt(x, z)
		assert(y > ground, ("boulders: number %d has fallen through: its middle is %.3f m under the ground"):format(i, ground - y))
		left = left + energy_of(boulder)
	end
	local found = scenario.measure()
	print(("boulders: mean speed %.3f m/s; mean place %.1f m along the slope"):format(found.speed, found.way))
	-- On a slope of 30 degrees friction and rolling resistance cannot stop a rolling boulder. The middle of the basin is at 40.
	assert(found.way > 20, ("boulders: on average they have come to %.1f m only"):format(found.way))
	assert(found.speed < 0.05, ("boulders: they still move, at a mean of %.3f m/s"):format(found.speed))
	assert(left < energy, ("boulders: they have %.1f J, and started with %.1f"):format(left, energy))
end

return scenario
