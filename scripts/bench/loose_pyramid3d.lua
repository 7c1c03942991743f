-- 1,240 cubes of 2 m in a square pyramid of 15 layers, half a metre above each other, fall together: sizes, positions and friction of Jolt's scene "Pyramid".
-- No cube may sleep. The first argument is the motion quality, discrete, statics or bullets; the second the number of layers.
local d3 = require("collide").d3
local twins = require "twins"

local scenario = { name = "loose_pyramid3d", duration = 500 / 60, brief = { duration = 5, args = { "statics", "4" } } }
local size, gap = 2, 0.5 -- [m]
local layers

function scenario.setup(args)
	local quality, count = twins.quality(args), tonumber(args and args[2]) or 15
	local world = twins.newWorld(quality)
	world:newBody { type = "static", y = -1, shape = d3.box(100, 2, 100), friction = twins.friction }
	local cube = d3.box(size, size, size)
	layers = {}
	for i = 0, count - 1 do
		local layer, first = {}, size / 2 * i - count
		for j = 0, count - i - 1 do
			for k = 0, count - i - 1 do
				layer[#layer + 1] = world:newBody {
					x = first + size * j, y = size / 2 + (size + gap) * i, z = first + size * k, shape = cube, density = twins.density,
					friction = twins.friction, linearDamping = twins.damping, angularDamping = twins.damping, bullet = quality.bullet, sleepingAllowed = false,
				}
			end
		end
		layers[i + 1] = layer
	end
	return world
end

-- How many cubes are within half their size of the height of their layer, how many are under the floor, and the height of the top one.
function scenario.measure()
	local standing, escaped = 0, 0
	for i, layer in ipairs(layers) do
		for _, cube in ipairs(layer) do
			local _, y = cube:getPosition()
			if math.abs(y - size * (i - 0.5)) < size / 2 then standing = standing + 1 end
			if y < 0 then escaped = escaped + 1 end
		end
	end
	local _, top = layers[#layers][1]:getPosition()
	return { standing = standing, escaped = escaped, top = top }
end

function scenario.check()
	local found = scenario.measure()
	print(("loose_pyramid3d: %d cubes are at their layer's height, the top one at %.3f m"):format(found.standing, found.top))
	assert(found.escaped == 0, ("loose_pyramid3d: %d cubes have fallen through the floor"):format(found.escaped))
end

return scenario
