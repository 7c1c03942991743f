-- 5,120 hulls of 32 random points on a sphere of radius 2, in a tower of 80 layers that collapses: bodies, masses, sizes and steps of
-- Box3D's benchmark of this name, with the same points. The argument is the number of layers.
local d3 = require("collide").d3

local scenario = { name = "convex_pile", duration = 500 / 60, brief = { duration = 0.5, args = { "3" } } }
local radius, side = 2, 8
local hulls

-- The lower 16 bits of state * 2147001325 + 715136305 modulo 2^32; they depend only on the lower 16 bits of the previous state.
local function new_random(state)
	return function()
		state = (state * (2147001325 % 65536) + 715136305 % 65536) % 65536
		return state / 65535 - 0.5
	end
end

local function points_on_sphere(count)
	local random, points = new_random(42), {}
	while #points < 3 * count do
		local x, y, z = random(), random(), random()
		local length = math.sqrt(x * x + y * y + z * z)
		if length <= 0.5 then
			for _, coordinate in ipairs { x, y, z } do points[#points + 1] = radius * coordinate / length end
		end
	end
	return points
end

function scenario.setup(args)
	local layers = tonumber(args and args[1]) or 80
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(500, 2, 500) }
	local hull = d3.hull(points_on_sphere(32))
	hulls = {}
	for layer = 0, layers - 1 do
		for z = 0, side - 1 do
			for x = 0, side - 1 do
				hulls[#hulls + 1] = world:newBody {
					x = (x - side / 2) * 2 * radius, y = radius + 2 * radius * layer, z = (z - side / 2) * 2 * radius, shape = hull, density = 1000,
				}
			end
		end
	end
	return world
end

-- Mean height of the hulls, the largest horizontal distance from the middle, and how many are under the floor.
function scenario.measure()
	local sum, farthest, below = 0, 0, 0
	for _, hull in ipairs(hulls) do
		local x, y, z = hull:getCenter()
		sum, farthest = sum + y, math.max(farthest, math.sqrt(x * x + z * z))
		if y < 0 then below = below + 1 end
	end
	return { meanHeight = sum / #hulls, farthest = farthest, below = below }
end

function scenario.check()
	local found = scenario.measure()
	print(("convex_pile: mean height %.2f m, farthest %.1f m, %d under the floor"):format(found.meanHeight, found.farthest, found.below))
	assert(found.below == 0, ("convex_pile: %d hulls have fallen through the floor"):format(found.below))
end

return scenario
