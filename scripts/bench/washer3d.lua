-- 8,000 cubes in an open drum of 36 plates and 4 vanes over a floor, a kinematic body that turns at 25 degrees a second: bodies, masses, sizes and steps of
-- Box3D's benchmark "washer". The argument is the number of cubes a row.
local collide = require "collide"
local d3 = collide.d3
local drum_shapes = require("drum").shapes

local scenario = { name = "washer3d", duration = 1000 / 60, brief = { duration = 2, args = { "7" } } }
local size, length, height = 0.4, 20, 21 -- of a cube, of the drum, of the drum's axis
local cubes, drum

local function new_plate(inner, outer, from, to)
	local points = {}
	for _, z in ipairs { -length / 2, length / 2 } do
		for _, radius in ipairs { inner, outer } do
			for _, step in ipairs { from, to } do
				local angle = step * math.pi / 18
				for _, coordinate in ipairs { radius * collide.cos(angle), radius * collide.sin(angle), z } do points[#points + 1] = coordinate end
			end
		end
	end
	return d3.hull(points)
end

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 20
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(120, 2, 120) }
	drum = world:newBody {
		type = "kinematic", y = height, shapes = drum_shapes(new_plate), linearVelocity = { 0.001, -0.002, 0 }, angularVelocity = { 0, 0, math.rad(25) },
	}
	local cube = d3.box(size, size, size)
	cubes = {}
	for i = 0, count - 1 do
		for j = 0, count - 1 do
			for k = 0, count - 1 do
				cubes[#cubes + 1] = world:newBody {
					x = size * (2 * i - count), y = height + size * (2 * j - count), z = size * (2 * k - count), shape = cube, density = 1000,
				}
			end
		end
	end
	return world
end

-- How many cubes are within the drum, how many in its plates, and how many under the floor.
function scenario.measure()
	local inside, stuck, below = 0, 0, 0
	local cx, cy = drum:getPosition()
	for _, cube in ipairs(cubes) do
		local x, y, z = cube:getPosition()
		local radius = math.sqrt((x - cx) ^ 2 + (y - cy) ^ 2)
		if math.abs(z) < length / 2 then
			if radius < 16 then inside = inside + 1 end
			if radius >= 16 and radius < 18 then stuck = stuck + 1 end
		end
		if y < 0 then below = below + 1 end
	end
	return { inside = inside, stuck = stuck, below = below }
end

function scenario.check()
	local found = scenario.measure()
	print(("washer3d: %d of %d cubes are in the drum"):format(found.inside, #cubes))
	assert(found.stuck == 0, ("washer3d: %d cubes are in the drum's plates"):format(found.stuck))
	assert(found.below == 0, ("washer3d: %d cubes have fallen through the floor"):format(found.below))
end

return scenario
