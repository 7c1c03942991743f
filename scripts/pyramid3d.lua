-- A flat pyramid of cubes stands in 3D, where it could also fall on its face. Its base is the argument, 100 by default: 5,050 cubes.
-- Exempt: 30 Hz with 2 sub-steps: with springs of 12 Hz, the stiffest that these can follow, cubes of the lowest row lean by 0.053 rad; Box3D's falls.
-- Exempt: 30 Hz with 4 sub-steps: with springs of 24 Hz it stands, but cubes go 0.16 m aside; Box3D's go 1.1 m.
-- Exempt: 60 Hz with 2 sub-steps: with springs of 17 Hz it stands, but a quarter of a cube aside, and does not sleep.
-- With eight sub-steps it is asleep after 3 s; with four it stands, too, and its top sways by some centimetres before it sleeps.
local collide = require "collide"
local d3 = collide.d3
local arguments, springs = require "collide.host.arguments", require "collide.host.springs"

local scenario = { name = "pyramid3d", duration = 500 / 60, timestep = 1 / 60, brief = { duration = 4, args = { "20" } } }

local base, rows

function scenario.setup(args)
	base = arguments.whole(args, 1, 100, 1, 140, "pyramid3d: the base")
	local world = d3.newWorld { gravity = { 0, -10, 0 }, substeps = 8 }
	world:newBody { type = "static", y = -1, shape = d3.box(math.max(200, 2 * base), 2, 200) }
	local cube = d3.box(1, 1, 1)
	rows = {}
	for i = 1, base do
		local row = {}
		for j = 1, base - i + 1 do
			row[j] = world:newBody { x = j - (base - i + 2) / 2, y = i - 0.5, shape = cube, density = 1 }
		end
		rows[i] = row
	end
	return world
end

-- Of all overlapping contact points: their number, mean and largest depth [m].
local function overlaps(world)
	local count, sum, most = 0, 0, 0
	for _, _, _, _, _, _, _, _, separation in world:contacts() do
		if separation < 0 then
			count, sum, most = count + 1, sum - separation, math.max(most, -separation)
		end
	end
	return count, count > 0 and sum / count or 0, most
end

-- Displacement of a cube from where it was built, sideways and above the two that carry it; sideways from the middle of these two; and the cosine between its up axis and the world's.
local function errors_of(i, j)
	local x, y, z = rows[i][j]:getPosition()
	local below, place = rows[i - 1], j - (base - i + 2) / 2
	local between, under, behind = place, 0, 0
	if below then
		local x1, y1, z1 = below[j]:getPosition()
		local x2, y2, z2 = below[j + 1]:getPosition()
		between, under, behind = (x1 + x2) / 2, (y1 + y2) / 2 + 0.5, (z1 + z2) / 2
	end
	local _, up = rows[i][j]:getWorldVector(0, 1, 0)
	return math.max(math.abs(x - place), math.abs(z)), y - under - 0.5, math.max(math.abs(x - between), math.abs(z - behind)), up
end

function scenario.measure()
	local count = 0
	for i, row in ipairs(rows) do
		for j in ipairs(row) do
			local aside, above = errors_of(i, j)
			if aside < 0.1 and math.abs(above) < 0.1 then count = count + 1 end
		end
	end
	local x, y, z = rows[base][1]:getPosition()
	return { cubes = base * (base + 1) / 2, inPlace = count, topAside = math.max(math.abs(x), math.abs(z)), topUnder = base - 0.5 - y }
end

-- Contacts are springs, so the overlap grows with the load, and the load with the base: the top sinks as the square of the base. The bounds are those of
-- scripts/pyramid.lua, as each row carries the same load on the same springs. As there, the lowest cubes go aside as the square of the base. A base of 140 is the
-- limit: one of 200 stands, its cubes at most 0.10 m aside, but sways for longer than the run, and so does not sleep.
function scenario.check(world)
	local share = math.max(base, 10) / 100
	local soft = math.max(1, 1.05 * (30 / springs.hertz(world, scenario.timestep)) ^ 2)
	for i, row in ipairs(rows) do
		for j in ipairs(row) do
			local aside, above, off, up = errors_of(i, j)
			local what = ("pyramid3d: cube %d of row %d "):format(j, i)
			-- It rests on half of each of two cubes: at a quarter both still carry it.
			local least = math.min(0.1 * soft, 0.25)
			assert(aside < least * math.max(1, share * share), what .. ("has gone %.3f m aside"):format(aside))
			assert(off < least, what .. ("has gone %.3f m aside on the two that carry it"):format(off))
			assert(math.abs(above) < 0.1 * soft, what .. ("is %.3f m above its row's height"):format(above))
			assert(up > collide.cos(0.05), what .. ("leans by %.3f rad"):format(math.acos(math.min(1, up))))
		end
	end
	assert(world:getAwakeCount() == 0, ("pyramid3d: %d cubes are awake"):format(world:getAwakeCount()))
	local found = scenario.measure()
	local count, mean, most = overlaps(world)
	print(("pyramid3d: base %d, top cube %.1f mm aside, %.1f mm under its place; overlap of %d points: mean %.2f mm, largest %.2f mm")
		:format(base, 1000 * found.topAside, 1000 * found.topUnder, count, 1000 * mean, 1000 * most))
	assert(found.topUnder > 0 and found.topUnder <= 0.73 * soft * share * share, ("pyramid3d: the top cube has sunk by %.3f m"):format(found.topUnder))
	assert(mean <= 0.0075 * soft * share, ("pyramid3d: the mean overlap is %.2f mm, more than %.2f"):format(1000 * mean, 7.5 * soft * share))
end

return scenario
