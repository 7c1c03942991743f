-- A post that goes round ploughs through 10,584 rocks of 10 corners between four walls: bodies, masses, sizes and steps of Box3D's benchmark "junkyard". The
-- argument is the number of layers.
local collide = require "collide"
local d3 = collide.d3

local scenario = { name = "junkyard3d", duration = 500 / 60, brief = { duration = 2, args = { "1" } } }
local timestep, track = 1 / 60, 35 -- the track's radius
local rocks, post

-- Ten points of a sphere, at even heights, each a golden section of a full turn after the last.
local function new_rock(radius)
	local points, turn = {}, 4 * math.pi / (1 + math.sqrt(5))
	for i = 0, 9 do
		local z = 1 - (2 * i + 1) / 10
		local across = math.sqrt(1 - z * z)
		for _, coordinate in ipairs { across * collide.cos(turn * i), across * collide.sin(turn * i), z } do points[#points + 1] = radius * coordinate end
	end
	return d3.hull(points)
end

-- A prism of 16 sides.
local function new_post(radius, height)
	local points = {}
	for i = 0, 15 do
		local x, z = radius * collide.cos(i * math.pi / 8), radius * collide.sin(i * math.pi / 8)
		for _, coordinate in ipairs { x, 0, z, x, height, z } do points[#points + 1] = coordinate end
	end
	return d3.hull(points)
end

function scenario.setup(args)
	local layers = tonumber(args and args[1]) or 24
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local walls = { { shape = d3.box(240, 2, 240) } }
	for _, side in ipairs { -50, 50 } do walls[#walls + 1] = { shape = d3.box(2, 16, 100, { x = side, y = 8 }) } end
	for _, side in ipairs { -50, 50 } do walls[#walls + 1] = { shape = d3.box(100, 16, 2, { y = 8, z = side }) } end
	world:newBody { type = "static", y = -1, shapes = walls }
	local rock = new_rock(1.5)
	rocks = {}
	for layer = 0, layers - 1 do
		for i = -10, 10 do
			for k = -10, 10 do rocks[#rocks + 1] = world:newBody { x = 4 * i, y = 25 + 4 * layer, z = 4 * k, shape = rock, density = 1000 } end
		end
	end
	post = world:newBody { type = "kinematic", x = track, shape = new_post(4, 24) }
	return world
end

-- It turns by 6 degrees a second.
function scenario.update(_, tick)
	local angle = math.rad(-6 * timestep * tick)
	post:moveTo(track * collide.cos(angle), 0, track * collide.sin(angle), 0, 0, 0, 1, timestep)
end

-- Mean height of the rocks, how many have come over the walls, and how many are under the floor.
function scenario.measure()
	local sum, outside, below = 0, 0, 0
	for _, rock in ipairs(rocks) do
		local x, y, z = rock:getCenter()
		sum = sum + y
		if math.max(math.abs(x), math.abs(z)) > 50 then outside = outside + 1 end
		if y < 0 then below = below + 1 end
	end
	return { meanHeight = sum / #rocks, outside = outside, below = below }
end

function scenario.check()
	local found = scenario.measure()
	print(("junkyard3d: mean height %.2f m, %d outside the walls"):format(found.meanHeight, found.outside))
	assert(found.below == 0, ("junkyard3d: %d rocks have fallen through the floor"):format(found.below))
end

return scenario
