-- 196 flat pyramids of base 10 (10,780 cubes) side by side on a floor, sleeping off: bodies, masses, sizes and steps of Box3D's benchmark
-- "many_pyramids". The argument is the number of rows, 14 by default.
local d3 = require("collide").d3

local scenario = { name = "many_pyramids3d", duration = 100 / 60, brief = { duration = 1, args = { "1" } } }
local base, columns, extent = 10, 14, 77 -- the floor's half width: 14 pyramids that are 11 apart
local cubes

function scenario.setup(args)
	local rows = tonumber(args and args[1]) or 14
	local world = d3.newWorld { gravity = { 0, -10, 0 }, sleeping = false }
	world:newBody { type = "static", y = -1, shape = d3.box(2 * extent, 2, 2 * extent) }
	local cube = d3.box(1, 1, 1)
	cubes = {}
	for row = 0, rows - 1 do
		local z = -extent + 1 + row * 2 * (extent - 1) / 13
		for column = 0, columns - 1 do
			local center = -extent + column * (base + 1) + 1
			for i = 0, base - 1 do
				for j = i, base - 1 do
					local place = { (i + 1) / 2 + (j - i) + center - 0.5, i + 0.5, z }
					place.body = world:newBody { position = { place[1], place[2], z }, shape = cube, density = 100 }
					cubes[#cubes + 1] = place
				end
			end
		end
	end
	return world
end

-- How many cubes are where they were built, within a tenth of their size.
local function in_place()
	local count = 0
	for _, cube in ipairs(cubes) do
		local x, y, z = cube.body:getPosition()
		if math.abs(x - cube[1]) < 0.1 and math.abs(y - cube[2]) < 0.1 and math.abs(z - cube[3]) < 0.1 then count = count + 1 end
	end
	return count
end

function scenario.measure()
	return { cubes = #cubes, inPlace = in_place() }
end

function scenario.check()
	local moved = #cubes - in_place()
	assert(moved == 0, ("many_pyramids3d: %d cubes have left their places"):format(moved))
end

return scenario
