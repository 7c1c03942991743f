-- The cost of trees, sweeps and grids: ns per insert, move, query, pair search (per item) and so on, by the number of items.
--
--   build/host scripts/bench/indexes.lua            1000 and 10000 items
--   build/host scripts/bench/indexes.lua 100000     other numbers of items
--   build/host scripts/bench/indexes.lua 10000 3    in three dimensions
--
-- Boxes of sizes 0.5 to 1.5 are spread evenly, one for each 4 square units (8 cubic units). Moves are up to 0.05 along each axis; all items move between two
-- queries, so that a sweep sorts once for a round. A query box is 4 wide, a ray 50 long. Times are medians of rounds; Lua's share of them is some 50 to 100
-- ns a call.
local collide = require "collide"

local sizes, dimensions = { 1000, 10000 }, 2
if arg and arg[1] then
	sizes, dimensions = { tonumber(arg[1]) }, tonumber(arg[2] or 2)
	assert(sizes[1] and (dimensions == 2 or dimensions == 3), "indexes.lua [items [dimensions]]")
end

local state = 1
local function number(low, high)
	state = (state * 16807) % 2147483647
	return low + (high - low) * state / 2147483647
end

local function median(list)
	table.sort(list)
	return list[math.floor(#list / 2) + 1]
end

-- The time of the median round [s].
local function timed(rounds, f)
	local times = {}
	for i = 1, rounds do
		local before = os.clock()
		f(i)
		times[i] = os.clock() - before
	end
	return median(times)
end

local function run(kind, count)
	state = 1
	local make = { tree = collide.newTree, sweep = collide.newSweep, grid = collide.newGrid }
	local options = { dimensions = dimensions }
	if kind == "grid" then options.cellSize = 2 end
	if kind == "tree" then options.margin = 0.1 end
	local index = make[kind](options)
	local space = dimensions == 2 and 2 * count ^ (1 / 2) or 2 * count ^ (1 / 3)
	local flat = dimensions == 2
	local xs, ys, zs, ws = {}, {}, {}, {}
	for i = 1, count do xs[i], ys[i], zs[i], ws[i] = number(0, space), number(0, space), number(0, space), number(0.5, 1.5) end
	local function call(method, i)
		local x, y, z, w = xs[i], ys[i], zs[i], ws[i]
		if flat then method(index, i, x, y, x + w, y + w) else method(index, i, x, y, z, x + w, y + w, z + w) end
	end
	local into, results = {}, {}
	local function each(name, rounds, divisor, f) results[name] = timed(rounds, f) / divisor * 1e9 end
	local insert, move = index.insert, index.move
	-- The median of three rounds: in two of them the memory is already allocated.
	each("insert", 3, count, function()
		index:clear()
		for i = 1, count do call(insert, i) end
	end)
	local function shake()
		for i = 1, count do
			xs[i], ys[i], zs[i] = xs[i] + number(-0.05, 0.05), ys[i] + number(-0.05, 0.05), zs[i] + number(-0.05, 0.05)
		end
	end
	local rounds = count > 20000 and 3 or 7
	local moves, pairs_times, found = {}, {}, 0
	for i = 1, rounds do
		shake()
		local before = os.clock()
		for k = 1, count do call(move, k) end
		local middle = os.clock()
		found = #index:pairs(into) / 2
		moves[i], pairs_times[i] = middle - before, os.clock() - middle
	end
	results.move, results.pairs = median(moves) / count * 1e9, median(pairs_times) / count * 1e9
	local queries = 1000
	each("box", rounds, queries, function()
		for _ = 1, queries do
			local x, y, z = number(0, space), number(0, space), number(0, space)
			if flat then index:queryBox(x, y, x + 4, y + 4, into) else index:queryBox(x, y, z, x + 4, y + 4, z + 4, into) end
		end
	end)
	each("point", rounds, queries, function()
		for _ = 1, queries do
			if flat then index:queryPoint(number(0, space), number(0, space), into)
			else index:queryPoint(number(0, space), number(0, space), number(0, space), into) end
		end
	end)
	each("ray", rounds, queries, function()
		for _ = 1, queries do
			local x, y, z, angle = number(0, space), number(0, space), number(0, space), number(0, 6.28)
			local dx, dy = 50 * collide.cos(angle), 50 * collide.sin(angle)
			if flat then index:queryRay(x, y, x + dx, y + dy, into) else index:queryRay(x, y, z, x + dx, y + dy, z + 5, into) end
		end
	end)
	each("nearest", rounds, queries, function()
		for _ = 1, queries do
			if flat then index:nearest(number(0, space), number(0, space), 8, into)
			else index:nearest(number(0, space), number(0, space), number(0, space), 8, into) end
		end
	end)
	each("remove", 1, count, function()
		for i = 1, count do index:remove(i) end
	end)
	return results, found
end

local columns = { "insert", "move", "pairs", "box", "point", "ray", "nearest", "remove" }
print(("ns per call; pairs: per item; %d dimensions"):format(dimensions))
print(("%8s %-6s" .. ("%9s"):rep(#columns) .. "   pairs found"):format("items", "", (table.unpack or unpack)(columns)))
for _, count in ipairs(sizes) do
	for _, kind in ipairs { "tree", "sweep", "grid" } do
		local results, found = run(kind, count)
		local row = {}
		for i, column in ipairs(columns) do row[i] = ("%9.0f"):format(results[column]) end
		print(("%8d %-6s%s   %d"):format(count, kind, table.concat(row), found))
	end
end
