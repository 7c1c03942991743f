-- The cost of histories beside that of the step of the same world: pushes, rewinds of one and eight ticks, bytes of 120 ticks. Worlds of piled boxes that stay
-- awake, also beside 100,000 that sleep.
--
--   host scripts/bench/histories.lua [d2 | d3] [runs]
local collide = require "collide"

local function pile(d, count, asleep)
	local space = d == collide.d3
	local world = d.newWorld { gravity = space and { 0, -10, 0 } or { 0, -10 }, sleeping = asleep > 0 }
	local box, column = space and d.box(1, 1, 1) or d.box(1, 1), 10
	world:newBody { type = "static", y = -1, shape = space and d.box(4000, 2, 4000) or d.box(400000, 2), friction = 0.6 }
	local side = math.ceil(math.sqrt(count / column))
	for i = 0, count - 1 do
		local place, height = math.floor(i / column), i % column
		world:newBody { x = 1.4 * (space and place % side or place), y = 0.5 + height, z = space and 1.4 * math.floor(place / side) or nil, shape = box, sleepingAllowed = false }
	end
	local far = space and math.ceil(math.sqrt(asleep)) or 0
	for i = 0, asleep - 1 do
		world:newBody { x = -10 - 1.1 * (space and i % far or i), y = 0.5, z = space and 1.1 * math.floor(i / far) or nil, shape = box, awake = false }
	end
	return world
end

local function median(list)
	table.sort(list)
	return list[math.ceil(#list / 2)]
end

local function time(action)
	local began = os.clock()
	action()
	return os.clock() - began
end

local function measure(name, d, count, asleep, runs)
	local world = pile(d, count, asleep)
	local history = world:newHistory { ticks = 120 }
	for _ = 1, 130 do
		history:push()
		world:step(1 / 60)
	end
	local bytes = history:getByteCount()
	local steps, pushes, rewinds, eights = {}, {}, {}, {}
	for run = 1, runs do
		for i = 1, 10 do
			pushes[#pushes + 1] = time(function() history:push() end)
			steps[#steps + 1] = time(function() world:step(1 / 60) end)
		end
		local _, last = history:getRange()
		rewinds[#rewinds + 1] = time(function() history:rewind(last) end)
		world:step(1 / 60)
		eights[#eights + 1] = time(function() history:rewind(last - 7) end)
		for _ = 1, 8 do
			history:push()
			world:step(1 / 60)
		end
	end
	local step = median(steps)
	print(("%-22s step %8.3f ms  push %.2f  rewind %.2f  of 8 ticks %.2f of a step;  %.1f MB for 120 ticks"):format(name, 1e3 * step, median(pushes) / step,
		median(rewinds) / step, median(eights) / step, bytes / 1e6))
	world:destroy()
end

local wanted, runs = arg and arg[1], tonumber(arg and arg[2]) or 10
for _, dim in ipairs { "d2", "d3" } do
	if not wanted or wanted == dim then
		for _, case in ipairs { { 100, 0 }, { 1000, 0 }, { 10000, 0 }, { 100, 100000 }, { 1000, 100000 } } do
			measure(("%s %d awake, %d asleep"):format(dim, case[1], case[2]), collide[dim], case[1], case[2], runs)
		end
	end
end
