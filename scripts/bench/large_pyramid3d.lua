-- 5,050 cubes in a flat pyramid of base 100 on a floor, sleeping off: bodies, masses, sizes and steps of Box3D's benchmark "large_pyramid".
-- The base may be given as an argument.
local d3 = require("collide").d3

local scenario = { name = "large_pyramid3d", duration = 200 / 60, brief = { duration = 2, args = { "15" } } }
local base, rows

function scenario.setup(args)
	base = math.floor(tonumber(args and args[1] or 100) or 0)
	assert(base >= 1, "large_pyramid3d: the base must be a number of at least 1")
	local world = d3.newWorld { gravity = { 0, -10, 0 }, sleeping = false }
	world:newBody { type = "static", y = -1, shape = d3.box(800, 2, 800) }
	local cube = d3.box(1, 1, 1)
	rows = {}
	for i = 1, base do
		local row = {}
		for j = 1, base - i + 1 do
			row[j] = world:newBody { x = j - (base - i) / 2 - 1, y = i - 0.5, shape = cube, density = 100 }
		end
		rows[i] = row
	end
	return world
end

-- How many cubes are in place, sideways and over the two that carry them, within a tenth of their size; and the top cube's displacement.
function scenario.measure()
	local count = 0
	for i, row in ipairs(rows) do
		for j, cube in ipairs(row) do
			local x, y, z = cube:getPosition()
			local below = rows[i - 1]
			local under = below and (select(2, below[j]:getPosition()) + select(2, below[j + 1]:getPosition())) / 2 + 0.5 or 0
			local aside = math.max(math.abs(x - (j - (base - i) / 2 - 1)), math.abs(z))
			if aside < 0.1 and math.abs(y - under - 0.5) < 0.1 then count = count + 1 end
		end
	end
	local x, y, z = rows[base][1]:getPosition()
	return { cubes = base * (base + 1) / 2, inPlace = count, topAside = math.max(math.abs(x), math.abs(z)), topUnder = base - 0.5 - y }
end

-- The top cube of Box3D's pyramid sinks by 0.69 m. As contacts are springs, that grows with the square of the base.
function scenario.check()
	local found, share = scenario.measure(), math.max(base, 10) / 100
	print(("large_pyramid3d: %d of %d cubes in place, the top one %.1f mm under its place"):format(found.inPlace, found.cubes, 1000 * found.topUnder))
	assert(found.inPlace == found.cubes, ("large_pyramid3d: %d cubes have left their places"):format(found.cubes - found.inPlace))
	assert(found.topUnder < 0.73 * share * share, ("large_pyramid3d: the top has sunk by %.3f m"):format(found.topUnder))
end

return scenario
