-- Pyramids on square bases, six layers high, whose cubes rest on four others each: 5 by 5 pyramids. The argument is the number of pyramids a side.
-- Each is an island of its own, goes to sleep, and stays in place.
local d3 = require("collide").d3
local arguments, springs = require "collide.host.arguments", require "collide.host.springs"

local scenario = { name = "square_pyramids", duration = 5, timestep = 1 / 60, brief = { duration = 5, args = { "1" } } }

local base, pitch = 6, 9
local side, cubes

function scenario.camera() return { x = 0, y = 1, z = 0, distance = 12 * side + 16, yaw = 0.5, pitch = 0.55 } end

function scenario.setup(args)
	side = arguments.whole(args, 1, 5, 1, 20, "square_pyramids: the number on a side")
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(pitch * side + 10, 2, pitch * side + 10) }
	local cube = d3.box(1, 1, 1)
	cubes = {}
	local function pyramid(x0, z0)
		for layer = 1, base do
			local count = base - layer + 1
			for i = 1, count do
				for k = 1, count do
					-- Spaced by a tenth, so that neighbours never touch and only the four cubes below carry each cube.
					local x, y, z = x0 + 1.1 * (i - (count + 1) / 2), layer - 0.5, z0 + 1.1 * (k - (count + 1) / 2)
					cubes[#cubes + 1] = { x = x, y = y, z = z, layer = layer, body = world:newBody { x = x, y = y, z = z, shape = cube } }
				end
			end
		end
	end
	for i = 1, side do
		for k = 1, side do pyramid(pitch * (i - (side + 1) / 2), pitch * (k - (side + 1) / 2)) end
	end
	return world
end

-- The highest cube's load of 1 is spread over four cubes, and so on down: no cube carries more than its share of the cubes above it, 91 cubes on 36 at the
-- most. A contact of 30 Hz gives way by less than g / w^2, 0.3 mm, for each cube's weight that it bears. The bound is that load times this for each layer.
function scenario.check(world)
	local hertz = springs.hertz(world, scenario.timestep)
	local give = 10 / (2 * math.pi * hertz) ^ 2
	local deepest = 0
	for i, cube in ipairs(cubes) do
		local x, y, z = cube.body:getPosition()
		local what = ("square_pyramids: cube %d "):format(i)
		local aside, sunk = math.max(math.abs(x - cube.x), math.abs(z - cube.z)), cube.y - y
		assert(aside < 0.01, what .. ("has gone %.3f m aside"):format(aside))
		deepest = math.max(deepest, sunk / cube.layer)
		assert(sunk > -0.001 and sunk < cube.layer * base * give, what .. ("has sunk by %.4f m"):format(sunk))
		assert(not cube.body:isAwake(), what .. "is awake")
	end
	print(("square_pyramids: %d cubes in place, sunk by %.2f mm a layer at most"):format(#cubes, 1000 * deepest))
	assert(world:getIslandCount() <= side * side, "square_pyramids: pyramids that do not touch are one island")
end

return scenario
