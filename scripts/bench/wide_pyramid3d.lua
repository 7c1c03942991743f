-- 1,240 cubes in a square pyramid of 15 layers, half a metre above each other, fall together: bodies, masses and sizes of Box3D's sample "Wide Pyramid".
-- The argument is the number of layers.
local d3 = require("collide").d3

local scenario = { name = "wide_pyramid3d", duration = 500 / 60, brief = { duration = 3, args = { "4" } } }
local pitch, gap, size = 2, 0.5, 1.95
local layers

function scenario.setup(args)
	local count = tonumber(args and args[1]) or 15
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	world:newBody { type = "static", y = -1, shape = d3.box(200, 2, 200) }
	local cube = d3.box(size, size, size)
	layers = {}
	for i = 0, count - 1 do
		local layer, first = {}, i * pitch / 2 - count
		for j = 0, count - i - 1 do
			for k = 0, count - i - 1 do
				layer[#layer + 1] = world:newBody {
					x = first + pitch * j, y = 1 + (pitch + gap) * i, z = first + pitch * k, shape = cube, density = 1000,
				}
			end
		end
		layers[i + 1] = layer
	end
	return world
end

-- How many cubes lie at their layer's height, within a tenth of their size; and how far the top one is from it.
function scenario.measure()
	local lying, total = 0, 0
	local function under(i, cube)
		local _, y = cube:getPosition()
		return size * (i - 0.5) - y
	end
	for i, layer in ipairs(layers) do
		total = total + #layer
		for _, cube in ipairs(layer) do
			if math.abs(under(i, cube)) < 0.1 * size then lying = lying + 1 end
		end
	end
	return { cubes = total, lying = lying, topUnder = under(#layers, layers[#layers][1]) }
end

function scenario.check()
	local found = scenario.measure()
	print(("wide_pyramid3d: %d of %d cubes are in their layer, the top one %.1f mm under its place"):format(
		found.lying, found.cubes, 1000 * found.topUnder))
	assert(found.lying == found.cubes, ("wide_pyramid3d: %d cubes have left their layer"):format(found.cubes - found.lying))
end

return scenario
