-- Outlines of bitmaps: they separate the solid samples from the empty ones, with the area of marching squares.
local lu, support = require "luaunit", require "support"
local collide = require "collide"
local d2, random_numbers = collide.d2, support.random_numbers

TestOutlines = {}

-- How often the loops go around the point.
local function winding(loops, x, y)
	local count = 0
	for _, loop in ipairs(loops) do
		for i = 1, #loop, 2 do
			local k = i + 2 > #loop and 1 or i + 2
			local x1, y1, x2, y2 = loop[i], loop[i + 1], loop[k], loop[k + 1]
			if (y1 > y) ~= (y2 > y) and (x2 - x1) * (y - y1) / (y2 - y1) + x1 > x then count = count + (y2 > y1 and 1 or -1) end
		end
	end
	return count
end

local function area_of(loops)
	local area = 0
	for _, loop in ipairs(loops) do area = area + d2.signedArea(loop) end
	return area
end

-- Of a bitmap, from the number of solid corners of each square.
local function area_of_squares(values, columns, rows)
	local function at(i, k) return i >= 1 and i <= columns and k >= 1 and k <= rows and values[(k - 1) * columns + i] and 1 or 0 end
	local parts, area = { [0] = 0, 1 / 8, 1 / 2, 7 / 8, 1 }, 0
	for k = 0, rows do
		for i = 0, columns do
			local a, b, c, d = at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)
			local saddle = a + c == 2 and b + d == 0 or a + c == 0 and b + d == 2
			area = area + (saddle and 6 / 8 or parts[a + b + c + d])
		end
	end
	return area
end

function TestOutlines.test_random_bitmaps()
	local random, pick = random_numbers(3)
	for round = 1, 60 do
		local columns, rows, values, share = pick(20), pick(20), {}, random(0, 1)
		for i = 1, columns * rows do values[i] = random(0, 1) < share end
		local loops = d2.outlines(values, columns)
		for k = 1, rows do
			for i = 1, columns do
				lu.assertEquals(winding(loops, i - 0.5, k - 0.5), values[(k - 1) * columns + i] and 1 or 0, ("round %d: %d, %d"):format(round, i, k))
			end
		end
		lu.assertAlmostEquals(area_of(loops), area_of_squares(values, columns, rows), 1e-9)
		for _, loop in ipairs(loops) do d2.chain(loop, { loop = true }) end -- which takes no equal neighbours
	end
end

-- The outline of values that fall evenly from a centre is the circle on which they reach the threshold, and that of a slope is straight.
function TestOutlines.test_numbers_are_interpolated()
	local columns, values, radius, size = 40, {}, 13.3, 0.5
	for k = 1, columns do
		for i = 1, columns do values[#values + 1] = -math.sqrt((i - 20.5) ^ 2 + (k - 20.5) ^ 2) end
	end
	local loops = d2.outlines(values, columns, { threshold = -radius, cellSize = size, x = -10, y = -10 })
	lu.assertEquals(#loops, 1)
	for i = 1, #loops[1], 2 do
		local r = math.sqrt(loops[1][i] ^ 2 + loops[1][i + 1] ^ 2) / size
		lu.assertAlmostEquals(r, radius, 1 / (8 * radius) + 1e-3) -- the sagitta of a side
	end
	values = {}
	for k = 1, 30 do
		for i = 1, 30 do values[#values + 1] = 20 - k - 0.25 * i end
	end
	local slope = d2.outlines(values, 30, { threshold = 0.1, tolerance = 1e-9 })[1]
	lu.assertTrue(#slope / 2 < 12)
end

function TestOutlines.test_holes_islands_and_tolerance()
	local rows = { "#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######" }
	local values = {}
	for k = #rows, 1, -1 do
		for i = 1, 7 do values[#values + 1] = rows[k]:sub(i, i) == "#" end
	end
	local loops = d2.outlines(values, 7, { x = 10, y = 20, cellSize = 2 })
	local areas = {}
	for i, loop in ipairs(loops) do areas[i] = d2.signedArea(loop) / 4 end
	table.sort(areas)
	lu.assertEquals(areas, { -24.5, -0.5, 8.5, 48.5 })
	-- A simplified outline keeps within the tolerance of the samples' borders: a staircase becomes a slope.
	values = {}
	for k = 1, 64 do
		for i = 1, 64 do values[#values + 1] = i <= k end
	end
	local stairs, slope = d2.outlines(values, 64), d2.outlines(values, 64, { tolerance = 0.75 })
	lu.assertEquals(#slope[1] / 2, 3)
	lu.assertTrue(math.abs(area_of(stairs) - area_of(slope)) < 0.75 * 64 * 4)
	lu.assertEquals(d2.outlines({}, 3), {})
	lu.assertEquals(d2.outlines({ 0, 0 }, 1), {})
end

-- Balls that fall on the outline of a bitmap stay on its solid side.
function TestOutlines.test_chains_of_outlines_hold_bodies()
	local values, columns = {}, 60
	for k = 1, 20 do
		for i = 1, columns do values[#values + 1] = k < 8 + 4 * math.sin(i / 5) or i == 1 or i == columns end
	end
	local world = d2.newWorld { gravity = { 0, -10 } }
	local ground = world:newBody { type = "static" }
	for _, points in ipairs(d2.outlines(values, columns, { tolerance = 0.2 })) do ground:newCollider(d2.chain(points, { loop = true })) end
	local balls = {}
	for i = 3, columns - 3 do balls[#balls + 1] = world:newBody { x = i, y = 15 + i % 3, shape = d2.circle(0.4) } end
	for _ = 1, 600 do world:step(1 / 60) end
	for _, ball in ipairs(balls) do lu.assertTrue(select(2, ball:getPosition()) > 3) end
end

function TestOutlines.test_bad_input()
	local function raises(text, ...) lu.assertErrorMsgContains("outlines: " .. text, d2.outlines, ...) end
	raises("values must be a list, got 3", 3, 1)
	raises("columns must", { 1 }, 0)
	raises("columns must", { 1 }, "x")
	raises("there must be columns values for each row", { 1, 2, 3 }, 2)
	raises("values[2] must be", { 1, "x" }, 2)
	raises("values[2] must be", { 1, 0 / 0 }, 2)
	raises("cellSize must", { 1 }, 1, { cellSize = 0 })
	raises("tolerance must", { 1 }, 1, { tolerance = -1 })
	raises("threshold must", { 1 }, 1, { threshold = 0 / 0 })
	raises("unknown key 'size'", { 1 }, 1, { size = 1 })
end
