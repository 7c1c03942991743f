-- The cost of tiles, of 1,000 by 1,000 cells: creation [ms], memory [bytes a cell: of the tiles, of their faces in the broad phase], and edits [us]: a cell beside
-- others at random, a cell of flat ground, the same with 2,000 balls at rest on the ground, and a rectangle of 100 x 100 cells.
-- Then voxels, of 256 x 256 x 256 cells, the same numbers with a box of 20 x 20 x 20 cells; and height fields of three sizes: a crater of 9 x 9 heights [us].
--
--   build/host scripts/bench/tile_edits.lua
local d2, d3 = require("collide").d2, require("collide").d3

local clock, columns, rows = os.clock, 1000, 1000

local maps = {
	{ "flat ground", function(i, j) return j <= 500 end },
	{ "hills and caves", function(i, j) return j < 700 + 60 * math.sin(i * 0.03) and math.sin(i * 0.11) + math.sin(j * 0.13) + math.sin((i + j) * 0.07) < 1.6 end },
	{ "noise: every other cell", function(i, j) return (i * 7919 + j * 104729 + i * j * 31) % 2 == 0 end },
}

local function time_of(count, f)
	local start = clock()
	for k = 1, count do f(k) end
	return (clock() - start) / count * 1e6
end

print(("%-26s%12s%12s%12s%12s%12s%12s%12s"):format("", "creation ms", "bytes", "+ bytes", "random us", "ground us", "2,000 balls", "rectangle"))
for _, case in ipairs(maps) do
	local world, cells = d2.newWorld { gravity = { 0, -10 } }, {}
	for j = 1, rows do
		for i = 1, columns do cells[(j - 1) * columns + i] = case[2](i, j) and 1 or 0 end
	end
	local ground, empty, start = world:newBody { type = "static" }, world:getByteCount(), clock()
	local map = ground:newTiles { columns = columns, rows = rows, kinds = { { name = "earth" } }, cells = cells }
	local creation, bytes, more = (clock() - start) * 1e3, map:getByteCount() / #cells, (world:getByteCount() - empty) / #cells
	local random = time_of(20000, function(k) map:setCell(1 + k * 7919 % columns, 1 + k * 104729 % rows, k % 2) end)
	map:fillCells(1, 1, columns, 500, 1)
	map:fillCells(1, 501, columns, rows, 0)
	local flat = time_of(20000, function(k) map:setCell(2 + k * 37 % (columns - 2), 500, k % 2) end)
	map:fillCells(1, 1, columns, 500, 1)
	for i = 1, 2000 do world:newBody { x = i % 1000 + 0.25 + 0.5 * (i % 2), y = 500.2, shape = d2.circle(0.2) } end
	for _ = 1, 120 do world:step(1 / 60) end
	local busy = time_of(2000, function(k) map:setCell(2 + k * 37 % (columns - 2), 500, k % 2) end)
	local filled = time_of(50, function(k) map:fillCells(100 + k, 100, 199 + k, 199, k % 2) end)
	print(("%-26s%12.0f%12.2f%12.2f%12.2f%12.2f%12.2f%12.0f"):format(case[1], creation, bytes, more, random, flat, busy, filled))
	world:destroy()
end

print(("%-26s%12s%12s%12s%12s%12s%12s"):format("voxels", "creation ms", "bytes", "random us", "ground us", "2,000 balls", "box"))
local side = 256
for _, case in ipairs {
	{ "flat ground", function() return 128 end },
	{ "hills", function(i, k) return math.floor(128 + 20 * math.sin(i * 0.06) + 15 * math.sin(k * 0.05)) end },
	{ "noise on flat ground", function(i, k) return 128 + i * 7919 % 5 - k * 104729 % 3 end },
} do
	local world = d3.newWorld { gravity = { 0, -10, 0 } }
	local ground, start = world:newBody { type = "static" }, clock()
	local map = ground:newVoxels { kinds = { { name = "earth" } } }
	map:fillCells(0, 0, 0, side - 1, 127, side - 1, 1)
	for i = 0, side - 1 do
		for k = 0, side - 1 do
			local y = case[2](i, k)
			if y > 128 then map:fillCells(i, 128, k, i, y - 1, k, 1) elseif y < 128 then map:fillCells(i, y, k, i, 127, k, 0) end
		end
	end
	local creation, bytes = (clock() - start) * 1e3, map:getByteCount() / side ^ 3
	local random = time_of(20000, function(k) map:setCell(k * 7919 % side, 120 + k % 16, k * 104729 % side, k % 2) end)
	map:fillCells(0, 0, 0, side - 1, 127, side - 1, 1)
	map:fillCells(0, 128, 0, side - 1, side - 1, side - 1, 0)
	local flat = time_of(20000, function(k) map:setCell(2 + k * 37 % (side - 4), 127, 2 + k * 53 % (side - 4), k % 2) end)
	map:fillCells(0, 127, 0, side - 1, 127, side - 1, 1)
	for i = 1, 2000 do world:newBody { x = 20 + i % 50 * 4 + 0.5, y = 128.2, z = 20 + math.floor(i / 50) * 4 + 0.5, shape = d3.sphere(0.2) } end
	for _ = 1, 120 do world:step(1 / 60) end
	local busy = time_of(2000, function(k) map:setCell(2 + k * 37 % (side - 4), 127, 2 + k * 53 % (side - 4), k % 2) end)
	local filled = time_of(50, function(k) map:fillCells(100 + k, 100, 100, 119 + k, 119, 119, k % 2) end)
	print(("%-26s%12.0f%12.2f%12.2f%12.2f%12.2f%12.0f"):format(case[1], creation, bytes, random, flat, busy, filled))
	world:destroy()
end

print(("%-26s%12s%12s"):format("height field", "first us", "crater us"))
for _, size in ipairs { 100, 400, 1600 } do
	local heights, hole = {}, {}
	for n = 1, size * size do heights[n] = math.sin(n * 0.01) end
	for n = 1, 81 do hole[n] = -n % 9 end
	local world = d3.newWorld {}
	local field = world:newBody { type = "static" }:newCollider(d3.heightField { columns = size, rows = size, cellWidth = 1, cellDepth = 1, heights = heights })
	local first = time_of(1, function() field:setHeights(1, 1, 9, 9, hole) end)
	local crater = time_of(2000, function(k) field:setHeights(1 + k * 37 % (size - 9), 1 + k * 53 % (size - 9), 9, 9, hole) end)
	print(("%-26s%12.0f%12.2f"):format(size .. " x " .. size, first, crater))
end
