-- The cost of body:shatter, in ms: of breaking a box into pieces, and of the step that first has their contacts, by the number of pieces. Medians of 9 runs in a
-- world; before them it has grown to that number of bodies.
--
--   build/host scripts/bench/breaking.lua           10, 100 and 1,000 pieces
--   build/host scripts/bench/breaking.lua 100       another number
local collide = require "collide"

local counts = {}
for i, argument in ipairs { ... } do
	counts[i] = assert(tonumber(argument), "breaking: the arguments must be numbers of pieces")
end
if #counts == 0 then counts = { 10, 100, 1000 } end

local function timed(f)
	local start = os.clock()
	f()
	return (os.clock() - start) * 1e3
end

local function median(list)
	table.sort(list)
	return list[math.floor(#list / 2) + 1]
end

local function measure(dim, count)
	local d, axes, size = collide[dim], dim == "d2" and 2 or 3, 10
	local breaks, steps = {}, {}
	local seed = 7
	local world = d.newWorld { gravity = axes == 2 and { 0, -10 } or { 0, -10, 0 } }
	for run = 0, 9 do
		local body = world:newBody { shape = axes == 2 and d.box(size, size) or d.box(size, size, size) }
		local points = {}
		for i = 1, axes * count do
			seed = seed * 16807 % 2147483647
			points[i] = size * (seed / 2147483647 - 0.5)
		end
		local pieces
		collectgarbage()
		local breaking = timed(function() pieces = body:shatter(points) end)
		local step = timed(function() world:step(1 / 60) end)
		assert(#pieces == count and world:getBodyCount() == count)
		if run > 0 then breaks[run], steps[run] = breaking, step end
		for _, piece in ipairs(pieces) do piece:destroy() end
	end
	print(("%s %5d pieces: shatter %8.3f ms, step %8.3f ms"):format(dim, count, median(breaks), median(steps)))
end

for _, dim in ipairs { "d2", "d3" } do
	for _, count in ipairs(counts) do measure(dim, count) end
end
