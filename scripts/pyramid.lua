-- A pyramid of boxes stands. Its base is the argument, 100 by default: 5,050 boxes. It has been measured up to 300, which is the limit: 45,150 boxes.
-- Exempt: 30 Hz with 2 sub-steps: with springs of 12 Hz, the stiffest that these can follow, it stands, but boxes near the ground are turned by 0.053 rad.
-- Exempt: 30 Hz with 4 sub-steps: it stands, with its top 0.12 m aside instead of 0.05; Box2D's boxes go 0.18 m aside with four sub-steps.
-- Sizes, density, ground and sleeping (off) are those of Box2D's benchmark "large_pyramid", so that both can be measured side by side.
local d2 = require("collide").d2
local arguments, springs = require "collide.host.arguments", require "collide.host.springs"

local scenario = { name = "pyramid", duration = 500 / 60, timestep = 1 / 60, brief = { duration = 4, args = { "20" } } }

local base, rows

function scenario.setup(args)
	base = arguments.whole(args, 1, 100, 1, 300, "pyramid: the base")
	local world = d2.newWorld { gravity = { 0, -10 }, sleeping = false }
	world:newBody { type = "static", y = -1, shape = d2.box(math.max(200, 2 * base), 2) }
	local box = d2.box(1, 1)
	rows = {}
	for i = 1, base do
		local row = {}
		for j = 1, base - i + 1 do
			row[j] = world:newBody { x = j - (base - i + 2) / 2, y = i - 0.5, shape = box, density = 1 }
		end
		rows[i] = row
	end
	return world
end

-- Of all overlapping contact points: their number, mean and largest depth [m].
local function overlaps(world)
	local count, sum, most = 0, 0, 0
	for _, _, _, _, _, _, separation in world:contacts() do
		if separation < 0 then
			count, sum, most = count + 1, sum - separation, math.max(most, -separation)
		end
	end
	return count, count > 0 and sum / count or 0, most
end

-- How many boxes are in place, sideways and over the two that carry them, within a tenth of their size; and the top box's displacement.
function scenario.measure()
	local count = 0
	for i, row in ipairs(rows) do
		for j, box in ipairs(row) do
			local x, y = box:getPosition()
			local below = rows[i - 1]
			local under = below and (select(2, below[j]:getPosition()) + select(2, below[j + 1]:getPosition())) / 2 + 0.5 or 0
			if math.abs(x - (j - (base - i + 2) / 2)) < 0.1 and math.abs(y - under - 0.5) < 0.1 then count = count + 1 end
		end
	end
	local x, y = rows[base][1]:getPosition()
	return { boxes = base * (base + 1) / 2, inPlace = count, topAside = x, topUnder = base - 0.5 - y }
end

-- How much more the springs give way than the peer's springs of 30 Hz: as the square of their period. A twentieth is added for nonlinearity.
local function softer(world)
	local hertz = springs.hertz(world, scenario.timestep)
	return math.max(1, 1.05 * (30 / hertz) ^ 2)
end

-- Contacts are springs, so the overlap grows with the load, and the load with the base. Box2D leaves a mean overlap of 7.5 mm at a base of 100, and its top
-- box 0.73 m (100 rows of 7.3 mm) below its initial height. So the mean may be 7.5 mm (base / 100), and the top may sink by 0.73 m (base / 100)^2. Bases
-- under 10 count as 10, since other errors than the load's matter there.
-- The load also pushes each row apart, in proportion to it, and rows rest on rows: so the lowest boxes, too, go aside as the square of the base. They end 54 mm
-- aside at a base of 100, 105 mm at 140, 215 mm at 200 and 0.5 m at 300 (Box2D's with four sub-steps 0.18 m, 0.37 m and 0.8 m at 100, 140 and 200), while none
-- turns by more than 0.03 rad. The pyramid sways while it sinks, and friction keeps some of that: the top box ends at most 5 cm aside, with springs of more than
-- 35 Hz up to 7 cm (Box2D 3). That grows as the cube of the base: 2 cm at 100, 24 cm at 200.
function scenario.check(world)
	local share, soft = math.max(base, 10) / 100, softer(world)
	local least = math.min(0.1 * soft, 0.25) -- it rests on half of each of two boxes: at a quarter both still carry it
	local aside = least * math.max(1, share * share)
	for i, row in ipairs(rows) do
		for j, box in ipairs(row) do
			local x, y = box:getPosition()
			local place = j - (base - i + 2) / 2
			local between, under = place, 0
			if i > 1 then
				local x1, y1 = rows[i - 1][j]:getPosition()
				local x2, y2 = rows[i - 1][j + 1]:getPosition()
				between, under = (x1 + x2) / 2, (y1 + y2) / 2 + 0.5
			end
			local what = ("pyramid: box %d of row %d "):format(j, i)
			assert(math.abs(x - place) < aside, what .. ("has gone %.3f m aside"):format(x - place))
			assert(math.abs(x - between) < least, what .. ("has gone %.3f m aside on the two that carry it"):format(x - between))
			assert(math.abs(y - under - 0.5) < 0.1 * soft, what .. ("is %.3f m above its row's height"):format(y - under - 0.5))
			assert(math.abs(box:getAngle()) < 0.05, what .. ("is turned by %.3f rad"):format(box:getAngle()))
		end
	end
	local x, y = rows[base][1]:getPosition()
	local count, mean, deepest = overlaps(world)
	print(("pyramid: base %d, top box %.1f mm aside, %.1f mm under its place; overlap of %d points: mean %.2f mm, largest %.2f mm")
		:format(base, 1000 * x, 1000 * (base - 0.5 - y), count, 1000 * mean, 1000 * deepest))
	local lowest = base - 0.5 - 0.73 * soft * share * share
	assert(y >= lowest and y < base, ("pyramid: the top box is at a height of %.3f m, not %.3f or more"):format(y, lowest))
	local most = math.min(aside, (springs.hertz(world, scenario.timestep) <= 35 and 0.05 or 0.08) * math.max(1, share) ^ 3)
	assert(math.abs(x) <= most, ("pyramid: the top box is %.3f m aside, more than %.3f"):format(x, most))
	assert(mean <= 0.0075 * soft * share, ("pyramid: the mean overlap is %.2f mm, more than %.2f"):format(1000 * mean, 7.5 * soft * share))
end

return scenario
