-- Convex decomposition of polygons, and simplification of outlines. The polygons are stars, combs, spirals, and randomly grown outlines with integer
-- coordinates, so that areas and orientations are exact and many points are collinear.
local lu, collide, support = require "luaunit", require "collide", require "support"
local d2 = collide.d2

TestDecompose, TestSimplify = {}, {}

local function twice_area(points)
	local sum, n = 0, #points
	for i = 1, n, 2 do
		local x, y, nx, ny = points[i], points[i + 1], points[i % n + 2 > n and 1 or i + 2], points[i + 3] or points[2]
		sum = sum + x * ny - nx * y
	end
	return sum
end

-- Winding number of the outline about the point: 0 outside.
local function winding(points, x, y)
	local around, n = 0, #points
	local ax, ay = points[n - 1], points[n]
	for i = 1, n, 2 do
		local bx, by = points[i], points[i + 1]
		local side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
		if ay <= y and by > y and side > 0 then around = around + 1 end
		if ay > y and by <= y and side < 0 then around = around - 1 end
		ax, ay = bx, by
	end
	return around
end

local function turn(points, i)
	local n = #points / 2
	local function at(k) k = k % n return points[2 * k + 1], points[2 * k + 2] end
	local ax, ay = at(i - 1)
	local bx, by = at(i)
	local cx, cy = at(i + 1)
	return (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
end

local function reversed(points)
	local out = {}
	for i = #points - 1, 1, -2 do
		out[#out + 1], out[#out + 2] = points[i], points[i + 1]
	end
	return out
end

-- Pieces are convex, with at most 64 of the given points; their areas add up to the polygon's; random points of the polygon are in exactly one piece, others in
-- none. So the pieces' interiors are disjoint and their union is the polygon. Returns the number of pieces.
local function check(points, number, margin)
	local given, sum = {}, 0
	local function key(list, i) return ("%.17g %.17g"):format(list[i], list[i + 1]) end
	for i = 1, #points, 2 do given[key(points, i)] = true end
	local pieces = d2.decompose(points)
	local low_x, low_y, high_x, high_y = d2.buildAabb(points)
	for _, piece in ipairs(pieces) do
		lu.assertTrue(#piece >= 6 and #piece <= 128)
		for i = 1, #piece, 2 do
			lu.assertTrue(given[key(piece, i)])
			lu.assertTrue(turn(piece, (i - 1) / 2) > 0)
		end
		sum = sum + twice_area(piece)
	end
	lu.assertAlmostEquals(sum, math.abs(twice_area(points)), margin or 0)
	for _ = 1, 60 do
		local x, y, inside = number(low_x, high_x), number(low_y, high_y), 0
		for _, piece in ipairs(pieces) do inside = inside + winding(piece, x, y) end
		lu.assertEquals(inside, math.abs(winding(points, x, y)))
	end
	return #pieces
end

local function star(n, number)
	local points, margin = {}, 0
	for i = 1, n do
		local angle, r = 2 * math.pi * i / n, number(1, 10)
		points[2 * i - 1], points[2 * i] = r * math.cos(angle), r * math.sin(angle)
		margin = margin + 1e-13 * r * r
	end
	return points, margin
end

local function meet(ax, ay, bx, by, cx, cy, dx, dy)
	local function side(px, py, qx, qy, rx, ry)
		local s = (qx - px) * (ry - py) - (qy - py) * (rx - px)
		return s > 0 and 1 or s < 0 and -1 or 0
	end
	local function within(px, py, qx, qy, rx, ry)
		return math.min(px, qx) <= rx and rx <= math.max(px, qx) and math.min(py, qy) <= ry and ry <= math.max(py, qy)
	end
	local abc, abd, cda, cdb = side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy), side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)
	if abc * abd < 0 and cda * cdb < 0 then return true end
	return abc == 0 and within(ax, ay, bx, by, cx, cy) or abd == 0 and within(ax, ay, bx, by, dx, dy) or
		cda == 0 and within(cx, cy, dx, dy, ax, ay) or cdb == 0 and within(cx, cy, dx, dy, bx, by)
end

-- Whether an outline is simple, by brute force over all pairs of edges. Neighbours may share only their common point.
local function is_simple(points)
	local n = #points / 2
	local function at(k) k = k % n return points[2 * k + 1], points[2 * k + 2] end
	for i = 0, n - 1 do
		local ax, ay = at(i)
		local bx, by = at(i + 1)
		if ax == bx and ay == by then return false end
		for k = i + 1, n - 1 do
			local cx, cy = at(k)
			local dx, dy = at(k + 1)
			if k == i + 1 or (i == 0 and k == n - 1) then
				-- folded back on each other
				local px, py, qx, qy, rx, ry
				if k == i + 1 then px, py, qx, qy, rx, ry = ax, ay, bx, by, dx, dy else px, py, qx, qy, rx, ry = cx, cy, ax, ay, bx, by end
				local cross = (qx - px) * (ry - qy) - (qy - py) * (rx - qx)
				if cross == 0 and (qx - px) * (rx - qx) + (qy - py) * (ry - qy) < 0 then return false end
			elseif meet(ax, ay, bx, by, cx, cy, dx, dy) then
				return false
			end
		end
	end
	return true
end

-- A triangle into whose edges random points of a small grid are inserted as long as the outline stays simple.
local function grown(n, size, choice)
	local points
	repeat
		points = { choice(size), choice(size), choice(size), choice(size), choice(size), choice(size) }
	until is_simple(points) and twice_area(points) ~= 0
	for _ = 1, n do
		local at, candidate = choice(#points / 2), {}
		for i = 1, #points, 2 do
			candidate[#candidate + 1], candidate[#candidate + 2] = points[i], points[i + 1]
			if (i + 1) / 2 == at then candidate[#candidate + 1], candidate[#candidate + 2] = choice(size), choice(size) end
		end
		if is_simple(candidate) then points = candidate end
	end
	return points
end

function TestDecompose.test_d2_by_hand()
	lu.assertEquals(#d2.decompose { 0, 0, 0, 2, 2, 2, 2, 0 }, 1) -- clockwise
	local number = support.random_numbers(1)
	lu.assertEquals(check({ 0, 0, 2, 0, 1, 2 }, number), 1)
	local corner = { 0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4 }
	lu.assertEquals(check(corner, number), 2)
	lu.assertEquals(check(reversed(corner), number), 2)
	-- Repeated points and points on edges are skipped; the list may end with its first point.
	lu.assertEquals(#d2.decompose { 0, 0, 0, 0, 1, 0, 2, 0, 2, 0, 2, 2, 0, 2, 0, 1, 0, 0 }, 1)
	lu.assertEquals(#d2.decompose { 0, 0, 1, 0, 2, 0, 2, 2, 0, 2, 0, 1 }[1], 8)
end

function TestDecompose.test_d2_what_pieces_are_for()
	for _, piece in ipairs(d2.decompose { 0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4 }) do
		lu.assertEquals(d2.polygon(piece):getType(), "polygon")
	end
end

function TestDecompose.test_d2_stars()
	local number, choice = support.random_numbers(17)
	for case = 1, 250 do
		local points, margin = star(2 + choice(case % 10 == 0 and 300 or 30), number)
		if #points >= 6 then check(case % 2 == 0 and points or reversed(points), number, margin) end
	end
end

function TestDecompose.test_d2_outlines_of_whole_numbers_are_exact()
	local number, choice = support.random_numbers(23)
	for case = 1, 400 do
		local points = grown(choice(25), ({ 4, 8, 30, 1000 })[case % 4 + 1], choice)
		check(case % 2 == 0 and points or reversed(points), number)
	end
end

-- Hertel and Mehlhorn: at most four times as many pieces as an optimal partition, which has at least one for each two reflex corners.
function TestDecompose.test_d2_combs_and_spirals()
	local number = support.random_numbers(3)
	local comb = { 0, 0, 200, 0 }
	for i = 100, 1, -1 do
		for _, v in ipairs { 2 * i, 5, 2 * i - 1, 1 } do comb[#comb + 1] = v end
	end
	comb[#comb + 1], comb[#comb + 2] = 0, 5
	check(comb, number)
	local spiral, inner = {}, {}
	for i = 0, 600 do
		local angle, r = i / 20, 1 + i / 10
		spiral[#spiral + 1], spiral[#spiral + 2] = r * math.cos(angle), r * math.sin(angle)
		inner[#inner + 1], inner[#inner + 2] = (r - 0.5) * math.cos(angle), (r - 0.5) * math.sin(angle)
	end
	for _, v in ipairs(reversed(inner)) do spiral[#spiral + 1] = v end
	check(spiral, number, 1e-8)
	local l = { 0, 0 }
	for i = 1, 50 do -- a staircase: each step has one reflex corner
		for _, v in ipairs { i, i - 1, i, i } do l[#l + 1] = v end
	end
	l[#l + 1], l[#l + 2] = 0, 50
	lu.assertTrue(check(l, number) <= 99) -- 49 reflex corners, at most two diagonals for each
end

function TestDecompose.test_d2_no_piece_has_more_than_64_corners()
	local number = support.random_numbers(3)
	local circle = {}
	for i = 1, 1000 do circle[2 * i - 1], circle[2 * i] = math.cos(2 * math.pi * i / 1000), math.sin(2 * math.pi * i / 1000) end
	lu.assertTrue(check(circle, number, 1e-12) >= 16)
end

-- Coordinates a million away, very thin: where differences of products lose all digits, the sign is still exact.
function TestDecompose.test_d2_exact_where_doubles_are_not()
	local number, choice = support.random_numbers(29)
	for _ = 1, 200 do
		local points, x, y = {}, 1e6 + number(0, 1), -3e6 + number(0, 1)
		for i = 1, 20 do points[2 * i - 1], points[2 * i] = x + i * 0.1, y + i * 0.3 + choice(3) * 5e-10 end
		points[41], points[42] = x + 1, y + 20
		local ok, pieces = pcall(d2.decompose, points)
		lu.assertTrue(ok, pieces)
		for _, piece in ipairs(pieces) do lu.assertTrue(#piece >= 6) end
	end
	-- 0.1 (1, 2, 3) are not collinear in doubles; these points are exactly, or one unit in the last place off.
	lu.assertEquals(#d2.decompose { 0, 0, 0.5, 0.5, 1, 1, 0, 1 }[1], 6)
	lu.assertEquals(#d2.decompose { 0, 0, 0.5, 0.5 - 2 ^ -54, 1, 1, 0, 1 }[1], 8)
	-- The line from (-1/3, 1) to (9, 9) passes through (2, 3). As a double -1/3 is too large by 2^-54/3, which makes that corner reflex.
	lu.assertEquals(#d2.decompose { -1 / 3, 1, 2, 3, 9, 9, 0, 12 }, 2)
	lu.assertEquals(#d2.decompose { 1 / 3, 1, 0, 12, -9, 9, -2, 3 }, 2)
end

function TestDecompose.test_d2_outlines_that_are_not_simple_are_refused()
	local function refused(message, ...) lu.assertErrorMsgContains("decompose: " .. message, d2.decompose, ...) end
	refused("edges must not cross or touch, but those from points 1 and 3 do", { 0, 0, 2, 2, 2, 0, 0, 2 })
	refused("edges must not cross or touch", { 0, 0, 4, 0, 4, 4, 2, 0, 0, 4 }) -- a corner on an edge
	refused("edges must not cross or touch", { 0, 0, 4, 0, 2, 2, 4, 4, 0, 4, 2, 2 }) -- the same point twice
	refused("the outline must not go back on itself, as it does at point 3", { 0, 0, 4, 0, 6, 0, 4, 0, 4, 4 })
	refused("points must not lie on a line", { 0, 0, 1, 1, 3, 3, 2, 2 })
	-- products of such coordinates are 0 as doubles; once a piece of it had two corners
	refused("coordinates must be 0 or at least 1e-140 in size, but those of point 2 are not", { -1, 2, -1e-170, 1e-162, 2e-170, 5e-324, 1e-162, 1e-155 })
	refused("points must contain at least three different ones", { 0, 0, 1, 1, 0, 0 })
	refused("holes are not supported", { 0, 0, 9, 0, 9, 9, 0, 9 }, { { 1, 1, 2, 1, 2, 2 } })
	refused("there must be 3 to 16384 points, got 2", { 0, 0, 1, 1 })
	refused("points must be a flat list {x1, y1, x2, y2, ...}, got 7 numbers", { 0, 0, 1, 1, 2, 2, 3 })
	refused("points[2] must be a finite number, got nan", { 0, 0 / 0, 1, 1, 2, 2 })
	refused("points must be a list, got nil", nil)
	refused("holes must be a list, got 3", { 0, 0, 9, 0, 9, 9, 0, 9 }, 3)
	lu.assertEquals(#d2.decompose({ 0, 0, 9, 0, 9, 9, 0, 9 }, {}), 1) -- no holes
end

-- The largest polygons accepted, of forms with few ears, or ears that are found late. Each once took from 4 to 200 s.
function TestDecompose.test_d2_the_largest_in_time()
	local half = 8192
	local function spiral(step, pitch, width)
		local points, inner = {}, {}
		for i = 1, half do
			local angle = i * step
			local r, c, s = 1 + angle * pitch / (2 * math.pi), math.cos(angle), math.sin(angle)
			points[2 * i - 1], points[2 * i] = r * c, r * s
			inner[2 * i - 1], inner[2 * i] = (r - width) * c, (r - width) * s
		end
		for _, v in ipairs(reversed(inner)) do points[#points + 1] = v end
		return points
	end
	local snake, inner = {}, {}
	for i = 1, half do
		local y = 10 * math.sin(i * 0.05)
		snake[2 * i - 1], snake[2 * i], inner[2 * i - 1], inner[2 * i] = i, y, i + 0.5, y - 1
	end
	for _, v in ipairs(reversed(inner)) do snake[#snake + 1] = v end
	for _, points in ipairs { spiral(0.05, 0.63, 0.5), spiral(0.3, 1, 0.05), snake } do
		local start, sum = os.clock(), 0
		local pieces = d2.decompose(points)
		lu.assertTrue(os.clock() - start < 3, ("it took %g s"):format(os.clock() - start))
		for _, piece in ipairs(pieces) do sum = sum + twice_area(piece) end
		lu.assertAlmostEquals(sum / math.abs(twice_area(points)), 1, 1e-9)
	end
end

-- Exactly the self-crossing outlines are refused: random outlines, most of them not simple, are compared with brute force over all pairs of edges.
function TestDecompose.test_d2_simple_or_refused()
	local number, choice = support.random_numbers(31)
	local simple, not_simple = 0, 0
	for _ = 1, 20000 do
		local points = {}
		for i = 1, 2 * (2 + choice(4)) do points[i] = choice(6) end
		local n, doubled = #points, false
		for i = 1, n, 2 do
			local k = i + 2 > n and 1 or i + 2
			if points[i] == points[k] and points[i + 1] == points[k + 1] then doubled = true end
		end
		if not doubled then
			if is_simple(points) and twice_area(points) ~= 0 then
				simple = simple + 1
				check(points, number)
			else
				not_simple = not_simple + 1
				lu.assertFalse((pcall(d2.decompose, points)))
			end
		end
	end
	lu.assertTrue(simple > 1000 and not_simple > 5000)
end

-- The greatest distance of the points from the simplified line, each from the segment that replaces it. `of` are the indices of the kept points.
local function distance_to(points, i, a, b)
	local x, y = d2.closestPointOnSegment(points[2 * i - 1], points[2 * i], points[2 * a - 1], points[2 * a], points[2 * b - 1], points[2 * b])
	return math.sqrt((x - points[2 * i - 1]) ^ 2 + (y - points[2 * i]) ^ 2)
end
local function places(points, kept)
	local list, at = {}, 1
	for k = 1, #kept, 2 do
		while points[2 * at - 1] ~= kept[k] or points[2 * at] ~= kept[k + 1] do at = at + 1 end
		list[#list + 1], at = at, at + 1
	end
	return list
end
local function farthest(points, kept, loop)
	local of, most, n = places(points, kept), 0, #points / 2
	for k = 1, #of - (loop and 0 or 1) do
		local from, to = of[k], of[k + 1] or of[1] + n
		for i = from + 1, to - 1 do most = math.max(most, distance_to(points, (i - 1) % n + 1, from, (to - 1) % n + 1)) end
	end
	return most, of
end

function TestSimplify.test_d2_no_point_is_farther_than_the_tolerance()
	local number, choice = support.random_numbers(41)
	for case = 1, 1500 do
		local points, x, y = {}, 0, 0
		for i = 1, 2 + choice(120) do
			x, y = x + number(-1, 2), y + number(-1, 1)
			points[2 * i - 1], points[2 * i] = x, y
		end
		local tolerance = number(0, 3)
		local loop = case % 2 == 0
		local kept = d2.simplify(points, tolerance, loop)
		lu.assertTrue(#kept <= #points)
		local most, of = farthest(points, kept, loop)
		lu.assertTrue(most <= tolerance + 1e-12, most)
		if not loop then
			lu.assertEquals(of[1], 1)
			lu.assertEquals(of[#of], #points / 2)
		else
			lu.assertTrue(#of >= 3)
		end
	end
end

function TestSimplify.test_d2_by_hand()
	lu.assertEquals(d2.simplify({ 0, 0, 1, 0, 2, 0, 2, 1, 2, 2 }, 0), { 0, 0, 2, 0, 2, 2 })
	lu.assertEquals(d2.simplify({ 0, 0, 1, 0.1, 2, 0 }, 0.2), { 0, 0, 2, 0 })
	lu.assertEquals(d2.simplify({ 0, 0, 1, 0.1, 2, 0 }, 0.05), { 0, 0, 1, 0.1, 2, 0 })
	-- A hook turns back beyond its end: close to the line through the ends, but far from the segment.
	lu.assertEquals(d2.simplify({ 0, 0, 5, 0, 1, 0 }, 1), { 0, 0, 5, 0, 1, 0 })
	local square = { 0, 0, 1, 0, 2, 0, 2, 1, 2, 2, 1, 2, 0, 2, 0, 1 }
	lu.assertEquals(d2.simplify(square, 0, true), { 0, 0, 2, 0, 2, 2, 0, 2 })
	lu.assertEquals(#d2.simplify(square, 100, true), 6) -- a loop keeps three
	lu.assertEquals(#d2.simplify(square, 100), 4)
	lu.assertEquals(d2.simplify({ 1, 2, 3, 4 }, 1), { 1, 2, 3, 4 })
	lu.assertEquals(#d2.simplify({ 1, 1, 1, 1, 1, 1 }, 0, true), 4)
end

-- Lines that are always split near an end, so that the farthest points are found by hulls. No two points are equally far.
local function zigzag(n)
	local points = {}
	for i = 1, n do points[2 * i - 1], points[2 * i] = i + 0.1 * math.sin(i), (n - i) * (i % 2 * 2 - 1) end
	return points
end
local function spiral(n)
	local points = {}
	for i = 1, n do
		local angle, r = i * 1.46, n + 1 - i
		points[2 * i - 1], points[2 * i] = r * math.cos(angle), r * math.sin(angle)
	end
	return points
end

-- The same algorithm, written simply.
local function reference(points, tolerance)
	local keep, stack = { [1] = true, [#points / 2] = true }, { { 1, #points / 2 } }
	while #stack > 0 do
		local from, to = (table.unpack or unpack)(table.remove(stack))
		local most, at = tolerance, nil
		for i = from + 1, to - 1 do
			local d = distance_to(points, i, from, to)
			if d > most then most, at = d, i end
		end
		if at then
			keep[at] = true
			stack[#stack + 1] = { from, at }
			stack[#stack + 1] = { at, to }
		end
	end
	local kept = {}
	for i = 1, #points / 2 do
		if keep[i] then kept[#kept + 1], kept[#kept + 2] = points[2 * i - 1], points[2 * i] end
	end
	return kept
end

function TestSimplify.test_d2_hulls_find_the_same_points()
	for _, points in ipairs { zigzag(600), spiral(600) } do
		for _, tolerance in ipairs { 0, 0.7, 70.3 } do lu.assertEquals(d2.simplify(points, tolerance), reference(points, tolerance)) end
		local n = #points / 2 -- followed by a line that needs few points
		for i = 1, 400 do points[2 * (n + i) - 1], points[2 * (n + i)] = 0.9 * n + i, 300 * math.sin(i / 50) + 0.3 * math.sin(7 * i * i) end
		for _, tolerance in ipairs { 0.2, 3.1 } do lu.assertEquals(d2.simplify(points, tolerance), reference(points, tolerance)) end
	end
end

-- All points are about equally far from the first one, beyond the ends of segments back and forth: the worst case for hulls.
function TestSimplify.test_d2_worst_cases_are_fast()
	local n, rings = 100000, { 0, 0 }
	for i = 2, n do
		local r = 1e4 + (i < n / 2 and 0 or 1e-6 * i)
		local angle = i < n / 2 and 4 * math.pi * i / n or math.pi * (i % 2)
		rings[2 * i - 1], rings[2 * i] = r * math.cos(angle), r * math.sin(angle)
	end
	for k, points in ipairs { zigzag(n), spiral(n), rings } do
		local start, loop = os.clock(), k == 2
		local kept = d2.simplify(points, 0.1, loop)
		lu.assertTrue(os.clock() - start < 8, ("it took %g s"):format(os.clock() - start)) -- n^2 / 2 tests take 30 s and more
		if points == rings then lu.assertTrue((farthest(points, kept, loop)) <= 0.1 + 1e-12) end
	end
end

function TestSimplify.test_d2_a_fine_circle_needs_few_points()
	local circle = {}
	for i = 1, 2000 do circle[2 * i - 1], circle[2 * i] = math.cos(math.pi * i / 1000), math.sin(math.pi * i / 1000) end
	local kept = d2.simplify(circle, 0.01, true)
	lu.assertTrue(#kept / 2 >= 23 and #kept / 2 <= 46) -- a chord over the angle a has the error 1 - cos(a / 2)
end

function TestSimplify.test_d2_simplify_refuses_bad_input()
	local function refused(message, ...) lu.assertErrorMsgContains("simplify: " .. message, d2.simplify, ...) end
	refused("tolerance must be >= 0, got -1", { 0, 0, 1, 1 }, -1)
	refused("tolerance must be a finite number, got nothing", { 0, 0, 1, 1 })
	refused("loop must be true or false, got a table", { 0, 0, 1, 1 }, 1, {})
	refused("there must be 2 to", { 0, 0 }, 1)
	refused("there must be 3 to", { 0, 0, 1, 1 }, 1, true)
	refused("points[4] must be a finite number, got inf", { 0, 0, 1, math.huge }, 1)
end
