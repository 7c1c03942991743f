-- Smallest circles and spheres, fitted boxes, and convexity of outlines and meshes: laws, beside brute force.

local lu, collide, support = require "luaunit", require "collide", require "support"
local d2, d3 = collide.d2, collide.d3

TestFits = {}

local nan, huge = 0 / 0, math.huge
local unpack = table.unpack or unpack
local number, choice = support.random_numbers(17)

-- n points with `axes` coordinates each; whole numbers of a few bits, so that many coincide or are collinear, if `coarse`.
local function random_points(n, axes, coarse)
	local points = {}
	for i = 1, n * axes do points[i] = coarse and math.floor(number(0, 4)) or number(-1, 1) end
	return points
end

local function moved(points, offset, scale)
	local result = {}
	for i, x in ipairs(points) do result[i] = offset + (scale or 1) * x end
	return result
end

local function point(points, axes, i) return { unpack(points, axes * (i - 1) + 1, axes * i) } end

local function distance(a, b)
	local sum = 0
	for i = 1, #a do sum = sum + (a[i] - b[i]) ^ 2 end
	return math.sqrt(sum)
end

local balls = { [2] = d2.smallestCircle, [3] = d3.smallestSphere }

-- The centre and the radius; the ball contains all points, and one is on it.
local function ball(points, axes)
	local result = { balls[axes](points) }
	lu.assertEquals(#result, axes + 1)
	local radius = table.remove(result)
	local farthest = 0
	for i = 1, #points / axes do farthest = math.max(farthest, distance(result, point(points, axes, i))) end
	lu.assertAlmostEquals(radius, farthest, 1e-15 * (1 + farthest))
	return radius, result
end

-- Gaussian elimination with pivots; nil if singular.
local function solve(a, b)
	local n = #b
	for k = 1, n do
		local pivot = k
		for i = k + 1, n do if math.abs(a[i][k]) > math.abs(a[pivot][k]) then pivot = i end end
		if math.abs(a[pivot][k]) < 1e-9 then return nil end
		a[k], a[pivot], b[k], b[pivot] = a[pivot], a[k], b[pivot], b[k]
		for i = k + 1, n do
			local f = a[i][k] / a[k][k]
			for j = k, n do a[i][j] = a[i][j] - f * a[k][j] end
			b[i] = b[i] - f * b[k]
		end
	end
	local x = {}
	for k = n, 1, -1 do
		x[k] = b[k]
		for j = k + 1, n do x[k] = x[k] - a[k][j] * x[j] end
		x[k] = x[k] / a[k][k]
	end
	return x
end

-- The least radius over the circumcentres of all sets of 2 to axes + 1 points.
local function least_radius(points, axes)
	local n = #points / axes
	local least = n == 1 and 0 or huge
	local function try(set)
		local gram, half = {}, {}
		for i = 2, #set do
			gram[i - 1] = {}
			for j = 2, #set do
				local sum = 0
				for k = 1, axes do sum = sum + (set[i][k] - set[1][k]) * (set[j][k] - set[1][k]) end
				gram[i - 1][j - 1] = sum
			end
			half[i - 1] = gram[i - 1][i - 1] / 2
		end
		local weights = solve(gram, half)
		if not weights then return end
		local centre, radius = { unpack(set[1]) }, 0
		for i = 2, #set do
			for k = 1, axes do centre[k] = centre[k] + weights[i - 1] * (set[i][k] - set[1][k]) end
		end
		for i = 1, n do radius = math.max(radius, distance(centre, point(points, axes, i))) end
		least = math.min(least, radius)
	end
	local function extend(set, from)
		if #set > 1 then try(set) end
		for i = from, #set <= axes and n or 0 do
			set[#set + 1] = point(points, axes, i)
			extend(set, i + 1)
			set[#set] = nil
		end
	end
	extend({}, 1)
	return least
end

function TestFits.test_smallest_balls_are_the_smallest()
	for axes = 2, 3 do
		for round = 1, 60 do
			local points = random_points(choice(9), axes, round % 2 == 0)
			local first, same = point(points, axes, 1), true
			for i = 2, #points / axes do same = same and distance(first, point(points, axes, i)) == 0 end
			lu.assertAlmostEquals(ball(points, axes), same and 0 or least_radius(points, axes), 1e-9)
		end
	end
end

function TestFits.test_smallest_balls_of_few_points()
	lu.assertEquals({ d2.smallestCircle { 3, 4 } }, { 3, 4, 0 })
	lu.assertEquals({ d2.smallestCircle { 3, 4, 3, 4, 3, 4 } }, { 3, 4, 0 })
	lu.assertEquals({ d2.smallestCircle { 0, 0, 2, 0, 6, 0, 1, 0 } }, { 3, 0, 3 })
	lu.assertEquals({ d2.smallestCircle { 0, 0, 4, 0, 2, 1 } }, { 2, 0, 2 }) -- obtuse: two points support it
	lu.assertEquals({ d3.smallestSphere { 1, 2, 3 } }, { 1, 2, 3, 0 })
	lu.assertEquals({ d3.smallestSphere { 0, 0, 0, 0, 4, 0, 0, 1, 0 } }, { 0, 2, 0, 2 })
	local radius, centre = ball({ 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1 }, 3)
	lu.assertAlmostEquals(radius, math.sqrt(3), 1e-14)
	lu.assertAlmostEquals(distance(centre, { 0, 0, 0 }), 0, 1e-14)
	-- of a shape: its points, and its radius
	radius = ball(d2.box(3, 4):getPoints(), 2)
	lu.assertAlmostEquals(radius, 2.5, 1e-12)
end

function TestFits.test_smallest_balls_of_many_points_on_one()
	local circle, sphere = {}, {}
	for i = 1, 5000 do
		local angle, z = i * 2.4, 2 * i / 5000 - 1
		local r = math.sqrt(1 - z * z)
		circle[2 * i - 1], circle[2 * i] = math.cos(angle), math.sin(angle)
		sphere[3 * i - 2], sphere[3 * i - 1], sphere[3 * i] = r * math.cos(angle), r * math.sin(angle), z
	end
	lu.assertAlmostEquals(ball(circle, 2), 1, 1e-9)
	lu.assertAlmostEquals(ball(sphere, 3), 1, 1e-5)
	for _, far in ipairs { 1e6, 1e12, 9e14 } do
		lu.assertAlmostEquals(ball(moved(circle, far), 2), 1, 1e-9 + far * 1e-15)
		lu.assertAlmostEquals(ball(moved(sphere, far), 3), 1, 1e-5 + far * 1e-15)
	end
	for _, scale in ipairs { 1e-100, 1e-6, 9e14 } do lu.assertAlmostEquals(ball(moved(circle, 0, scale), 2) / scale, 1, 1e-9) end
end

function TestFits.test_order_does_not_matter_to_the_radius()
	for axes = 2, 3 do
		local points = random_points(40, axes)
		local backwards = {}
		for i = 40, 1, -1 do for _, x in ipairs(point(points, axes, i)) do backwards[#backwards + 1] = x end end
		lu.assertAlmostEquals(ball(points, axes), ball(backwards, axes), 1e-11)
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Boxes

-- The box's sizes and pose. It contains all points, and each side touches one.
local function box(points, axes)
	local d = axes == 2 and d2 or d3
	local result = { d.fittedBox(points) }
	lu.assertEquals(#result, axes + 1)
	local pose = table.remove(result)
	local far, least, most = 0, {}, {}
	for i = 1, #points do far = math.max(far, math.abs(points[i])) end
	local margin = 1e-14 * far + 1e-14
	for i = 1, #points / axes do
		local p = point(points, axes, i)
		local arguments = { unpack(p) }
		for k = 1, axes do arguments[axes + k] = result[k] end
		arguments[2 * axes + 1] = pose
		lu.assertTrue(d.boxSignedDistance(unpack(arguments)) <= 16 * margin)
	end
	-- the sides, as the projections on the axes
	local q = axes == 2 and { 0, 0, math.sin(pose:getAngle() / 2), math.cos(pose:getAngle() / 2) } or { pose:getRotation() }
	local x, y, z, w = unpack(q)
	local frame = { { 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y) }, { 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x) },
		{ 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y) } }
	local first = point(points, axes, 1)
	for k = 1, axes do
		least[k], most[k] = huge, -huge
		for i = 1, #points / axes do
			local p, along = point(points, axes, i), 0
			for j = 1, axes do along = along + frame[k][j] * (p[j] - first[j]) end
			least[k], most[k] = math.min(least[k], along), math.max(most[k], along)
		end
		lu.assertAlmostEquals(result[k], most[k] - least[k], 1e-6 * (1 + result[k]))
	end
	return result, pose
end

-- The least area or volume over many rotations of the points.
local function least_by_trial(points, axes, trials)
	local least = huge
	for trial = 1, trials do
		local frame
		if axes == 2 then
			local angle = math.pi / 2 * trial / trials
			frame = { { math.cos(angle), math.sin(angle) }, { -math.sin(angle), math.cos(angle) } }
		else
			local x, y, z, w = number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)
			local s = 2 / (x * x + y * y + z * z + w * w)
			frame = { { 1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y) }, { s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x) },
				{ s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y) } }
		end
		local measure = 1
		for k = 1, axes do
			local low, high = huge, -huge
			for i = 0, #points / axes - 1 do
				local along = 0
				for j = 1, axes do along = along + frame[k][j] * points[axes * i + j] end
				low, high = math.min(low, along), math.max(high, along)
			end
			measure = measure * (high - low)
		end
		least = math.min(least, measure)
	end
	return least
end

function TestFits.test_fitted_boxes_of_the_plane_have_the_least_area()
	for round = 1, 60 do
		local points = random_points(2 + choice(8), 2, round % 3 == 0)
		local size, pose = box(points, 2)
		lu.assertTrue(math.abs(pose:getAngle()) <= math.pi / 4 + 1e-6)
		lu.assertTrue(size[1] * size[2] <= least_by_trial(points, 2, 720) * (1 + 1e-6) + 1e-6)
	end
end

function TestFits.test_fitted_boxes_of_space_are_small()
	for round = 1, 25 do
		local points = random_points(3 + choice(12), 3, round % 3 == 0)
		local size = box(points, 3)
		lu.assertTrue(size[1] * size[2] * size[3] <= least_by_trial(points, 3, 400) * (1 + 1e-6) + 1e-6)
	end
	local many = random_points(3000, 3)
	for i = 1, #many, 3 do many[i] = 3 * many[i] + many[i + 1] end
	local size = box(many, 3)
	lu.assertTrue(size[1] * size[2] * size[3] <= least_by_trial(many, 3, 20))
end

-- Known ones: boxes, also with points within them and on them, and a regular tetrahedron, whose least box is a cube.
function TestFits.test_fitted_boxes_that_are_known()
	for _ = 1, 20 do
		local w, h, d = number(0.5, 4), number(0.5, 4), number(0.5, 4)
		local shape = d3.transform(d3.box(w, h, d), d3.pose(number(-9, 9), 2, 3, d3.euler(number(-3, 3), number(-3, 3), number(-3, 3))))
		local points = shape:getPoints()
		for i = 1, 63 do points[24 + i] = (points[(i - 1) % 24 + 1] + points[(i + 8) % 24 + 1]) / 2 end
		local size = box(points, 3)
		lu.assertAlmostEquals(size[1] * size[2] * size[3], w * h * d, 1e-5 * w * h * d)
		local flat = d2.transform(d2.box(w, h), d2.pose(number(-9, 9), 2, number(-3, 3))):getPoints()
		size = box(flat, 2)
		lu.assertAlmostEquals(size[1] * size[2], w * h, 1e-5 * w * h)
		lu.assertAlmostEquals(math.min(size[1], size[2]), math.min(w, h), 1e-5)
	end
	local size = box({ 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1 }, 3)
	for k = 1, 3 do lu.assertAlmostEquals(size[k], 2, 1e-6) end
end

function TestFits.test_fitted_boxes_of_few_points()
	local size, pose = box({ 3, 4 }, 2)
	lu.assertEquals({ size, { pose:getTransform() } }, { { 0, 0 }, { 3, 4, 0 } })
	size, pose = box({ 3, 4, 3, 4 }, 2)
	lu.assertEquals({ size, { pose:getTransform() } }, { { 0, 0 }, { 3, 4, 0 } })
	size, pose = box({ 0, 0, 4, 1, 2, 0.5 }, 2) -- on a line
	lu.assertAlmostEquals(size[1], math.sqrt(17), 1e-6)
	lu.assertAlmostEquals(size[2], 0, 1e-6)
	lu.assertAlmostEquals(pose:getAngle(), math.atan(0.25), 1e-6)
	size, pose = box({ 1, 2, 3, 1, 2, 3 }, 3)
	lu.assertEquals({ size, { pose:getTransform() } }, { { 0, 0, 0 }, { 1, 2, 3, 0, 0, 0, 1 } })
	size = box({ 0, 0, 0, 2, 2, 2, 1, 1, 1 }, 3) -- on a line
	table.sort(size)
	lu.assertAlmostEquals(size[3], math.sqrt(12), 1e-6)
	lu.assertAlmostEquals(size[2], 0, 1e-6)
	local points = {} -- in a plane: a rectangle of 3 by 1
	for _, p in ipairs { { 0, 0 }, { 3, 0 }, { 3, 1 }, { 0, 1 }, { 2, 0.5 } } do
		points[#points + 1], points[#points + 2], points[#points + 3] = p[1], p[2], p[1] + p[2]
	end
	size = box(points, 3)
	table.sort(size)
	lu.assertAlmostEquals(size[1], 0, 1e-6)
end

function TestFits.test_fitted_boxes_far_away_huge_and_tiny()
	for axes = 2, 3 do
		local points = random_points(12, axes)
		local near = box(points, axes)
		for _, far in ipairs { 1e6, 1e9 } do
			local size = box(moved(points, far), axes)
			for k = 1, axes do lu.assertAlmostEquals(size[k], near[k], 1e-5) end
		end
		for _, scale in ipairs { 1e-30, 1e-6, 1e6 } do
			local size = box(moved(points, 0, scale), axes)
			for k = 1, axes do lu.assertAlmostEquals(size[k] / scale, near[k], 1e-5) end
		end
	end
end

---------------------------------------------------------------------------------------------------------------------------------
-- Convexity

local function reversed(points, axes)
	local result = {}
	for i = #points / axes, 1, -1 do for _, x in ipairs(point(points, axes, i)) do result[#result + 1] = x end end
	return result
end

-- Whether the outline is its own hull: the same corners in the same order, in either direction, from any start. No three are collinear.
local function is_own_hull(points)
	local n = #points / 2
	local hull = d2.hull(points)
	if #hull ~= #points then return false end
	for _, list in ipairs { points, reversed(points, 2) } do
		for shift = 0, n - 1 do
			local equal = true
			for i = 0, n - 1 do
				local k = (i + shift) % n
				equal = equal and list[2 * k + 1] == hull[2 * i + 1] and list[2 * k + 2] == hull[2 * i + 2]
			end
			if equal then return true end
		end
	end
	return false
end

function TestFits.test_outlines_are_convex_that_are_their_own_hulls()
	local count = 0
	for _ = 1, 600 do
		local points = random_points(3 + choice(2), 2)
		local expected = is_own_hull(points)
		count = count + (expected and 1 or 0)
		lu.assertEquals(d2.isConvex(points), expected)
		lu.assertEquals(d2.isConvex(reversed(points, 2)), expected)
	end
	lu.assertTrue(count > 50)
	for _ = 1, 20 do
		local hull = d2.hull(random_points(30, 2))
		lu.assertTrue(d2.isConvex(hull))
		local at = 2 * choice(#hull / 2)
		local dented, x, y = { unpack(hull) }, 0, 0
		for i = 1, #hull, 2 do x, y = x + 2 * hull[i] / #hull, y + 2 * hull[i + 1] / #hull end
		dented[at - 1], dented[at] = x, y -- a corner drawn to the middle of at least five
		if #hull > 8 then lu.assertFalse(d2.isConvex(dented)) end
	end
end

function TestFits.test_outlines_that_are_special()
	local star, twice = {}, {}
	for k = 0, 4 do
		star[#star + 1], star[#star + 2] = math.cos(k * 0.8 * math.pi), math.sin(k * 0.8 * math.pi)
		twice[#twice + 1], twice[#twice + 2] = math.cos(k * 0.4 * math.pi), math.sin(k * 0.4 * math.pi)
	end
	lu.assertTrue(d2.isConvex(twice))
	for i = 1, 10 do twice[10 + i] = twice[i] end
	for _, case in ipairs {
		{ true, { 0, 0, 1, 0, 1, 1, 0, 1 } },
		{ true, { 0, 0, 1, 0, 2, 0, 2, 2, 0, 2, 0, 1 } }, -- straight angles
		{ true, { 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0 } }, -- repeated points
		{ true, { 5, 5 } }, { true, { 5, 5, 5, 5 } }, { true, { 0, 0, 1, 1 } }, { true, { 0, 0, 1, 1, 2, 2 } }, -- on a line, there and back
		{ false, { 0, 0, 2, 2, 1, 1, 3, 3 } }, -- on a line, to and fro
		{ false, star }, { false, twice },
		{ false, { 0, 0, 2, 0, 1, 0, 1, 1 } }, -- with a spike
		{ false, { 0, 0, 3, 0, 2, 0, 1, 1 } },
		{ false, { 0, 0, 2, 0, 2, 1, 1, 0.9999999999999998, 0, 1 } }, -- the least dent
		{ true, { 0, 0, 2, 0, 2, 1, 1, 1.0000000000000002, 0, 1 } },
		{ false, { 0, 0, 1, 1, 0, 1, 1, 0 } }, -- crosses itself
	} do
		lu.assertEquals(d2.isConvex(case[2]), case[1])
		lu.assertEquals(d2.isConvex(reversed(case[2], 2)), case[1])
	end
end

local function inside_out(indices)
	local result = {}
	for i = 1, #indices, 3 do result[i], result[i + 1], result[i + 2] = indices[i], indices[i + 2], indices[i + 1] end
	return result
end

-- A box as a mesh: coplanar triangles.
local function box_mesh(x, size)
	local vertices = {}
	for i = 0, 7 do
		vertices[#vertices + 1], vertices[#vertices + 2], vertices[#vertices + 3] = x + size * (i % 2), size * (math.floor(i / 2) % 2), size * math.floor(i / 4)
	end
	return vertices, { 1, 3, 2, 2, 3, 4, 5, 6, 7, 6, 8, 7, 1, 2, 5, 2, 6, 5, 3, 7, 4, 4, 7, 8, 1, 5, 3, 3, 5, 7, 2, 4, 6, 4, 8, 6 }
end

-- Two meshes as one.
local function joined(v1, i1, v2, i2)
	local vertices, indices = { unpack(v1) }, { unpack(i1) }
	for _, x in ipairs(v2) do vertices[#vertices + 1] = x end
	for _, i in ipairs(i2) do indices[#indices + 1] = i + #v1 / 3 end
	return vertices, indices
end

function TestFits.test_meshes_of_hulls_are_convex()
	for round = 1, 30 do
		local vertices, indices = d3.convexHull(random_points(10 + choice(60), 3, round % 3 == 0))
		-- Far away only whole numbers keep their place exactly, so that the surface stays convex.
		for _, offset in ipairs(round % 3 == 0 and { 0, 1000, 9e6 } or { 0 }) do
			local there = moved(vertices, offset)
			lu.assertTrue(d3.isConvex(there, indices))
			lu.assertTrue(d3.isConvex(there, inside_out(indices)))
		end
		-- A corner drawn to the middle of at least nine is a dent.
		local sum = { 0, 0, 0 }
		for i, x in ipairs(vertices) do sum[(i - 1) % 3 + 1] = sum[(i - 1) % 3 + 1] + x / (#vertices / 3) end
		local dented = { unpack(vertices) }
		dented[1], dented[2], dented[3] = sum[1], sum[2], sum[3]
		if #vertices > 24 then lu.assertFalse(d3.isConvex(dented, indices)) end
	end
end

function TestFits.test_meshes_that_are_special()
	local vertices, indices = box_mesh(0, 1)
	lu.assertTrue(d3.isConvex(vertices, indices))
	local open = { unpack(indices) }
	for _ = 1, 3 do open[#open] = nil end
	lu.assertFalse(d3.isConvex(vertices, open))
	local twisted = { unpack(indices) }
	twisted[1], twisted[2] = twisted[2], twisted[1]
	lu.assertFalse(d3.isConvex(vertices, twisted))
	local other, same = box_mesh(3, 1)
	lu.assertFalse(d3.isConvex(joined(vertices, indices, other, same))) -- beside each other
	other = moved(vertices, 0.25, 0.5)
	lu.assertFalse(d3.isConvex(joined(vertices, indices, other, same))) -- within each other
	lu.assertFalse(d3.isConvex(joined(vertices, indices, other, inside_out(same)))) -- a hollow box
	lu.assertFalse(d3.isConvex(joined(vertices, indices, vertices, indices))) -- the same twice
	lu.assertFalse(d3.isConvex({ 0, 0, 0, 1, 0, 0, 0, 1, 0 }, { 1, 2, 3, 1, 3, 2 })) -- flat, both sides
	-- Two pyramids over a five-pointed star: it bends outwards at each edge, but winds around twice.
	local star, fans = { 0, 0, 1, 0, 0, -1 }, {}
	for k = 0, 4 do
		for _, x in ipairs { math.cos(k * 0.8 * math.pi), math.sin(k * 0.8 * math.pi), 0 } do star[#star + 1] = x end
		local a, b = 3 + k, 3 + (k + 1) % 5
		for _, i in ipairs { 1, a, b, 2, b, a } do fans[#fans + 1] = i end
	end
	lu.assertFalse(d3.isConvex(star, fans))
	for k = 0, 4 do star[7 + 3 * k], star[8 + 3 * k] = math.cos(k * 0.4 * math.pi), math.sin(k * 0.4 * math.pi) end
	lu.assertTrue(d3.isConvex(star, fans)) -- over a pentagon
	-- Vertices given once for each triangle.
	local loose, order = {}, {}
	for i, index in ipairs(indices) do
		for _, x in ipairs(point(vertices, 3, index)) do loose[#loose + 1] = x end
		order[i] = i
	end
	lu.assertTrue(d3.isConvex(loose, order))
end

---------------------------------------------------------------------------------------------------------------------------------

-- Powers of their distances underflow.
function TestFits.test_points_closer_than_any_that_matter()
	for _, size in ipairs { 1e-60, 1e-100, 1e-150, 1e-200, 1e-300 } do
		for _, at in ipairs { 0, size } do
			local square = { at, at, at + size, at, at + size, at + size, at, at + size }
			local x, y, radius = d2.smallestCircle(square)
			lu.assertAlmostEquals((x - at) / size, 0.5, 1e-12)
			lu.assertAlmostEquals((y - at) / size, 0.5, 1e-12)
			lu.assertAlmostEquals(radius / size, math.sqrt(0.5), 1e-12)
			local width, height, pose = d2.fittedBox(square)
			lu.assertAlmostEquals(width / size, 1, 1e-6)
			lu.assertAlmostEquals(height / size, 1, 1e-6)
			lu.assertAlmostEquals(pose:getPosition() / size, at / size + 0.5, 1e-6)
			local cube = {}
			for i = 0, 7 do
				for k = 0, 2 do cube[#cube + 1] = at + (math.floor(i / 2 ^ k) % 2) * size end
			end
			lu.assertAlmostEquals(select(4, d3.smallestSphere(cube)) / size, math.sqrt(0.75), 1e-12)
			local sizes = { d3.fittedBox(cube) }
			for k = 1, 3 do lu.assertAlmostEquals(sizes[k] / size, 1, 1e-6) end
			lu.assertAlmostEquals(sizes[4]:getPosition() / size, at / size + 0.5, 1e-6)
		end
	end
end

function TestFits.test_errors()
	local cube, faces = box_mesh(0, 1)
	for name, axes in pairs { smallestCircle = 2, smallestSphere = 3 } do
		local f = balls[axes]
		lu.assertErrorMsgContains(name .. ": points must be a list, got nothing", f)
		lu.assertErrorMsgContains(name .. ": ", f, {})
		lu.assertErrorMsgContains(name .. ": ", f, { 1, 2, 3, 4, 5 })
		lu.assertErrorMsgContains(name .. ": points", f, { 1, nan, 3, 4, 5, 6 })
		lu.assertErrorMsgContains(name .. ": points", f, { 1, 1e16, 3, 4, 5, 6 })
		lu.assertErrorMsgContains(name .. ": points", f, { 1, "2", 3, 4, 5, 6 })
		lu.assertErrorMsgContains(name .. ": points", f, { 1, 2, nil, 4, 5, 6 })
	end
	for _, d in ipairs { d2, d3 } do
		lu.assertErrorMsgContains("fittedBox: points must be a list, got 1", d.fittedBox, 1)
		lu.assertErrorMsgContains("fittedBox: ", d.fittedBox, {})
		lu.assertErrorMsgContains("fittedBox: points", d.fittedBox, { 1, 2, 3, 4, 5, nan })
		lu.assertErrorMsgContains("fittedBox: points", d.fittedBox, { 1, 2, 3, 4, 5, huge })
	end
	lu.assertErrorMsgContains("isConvex: ", d2.isConvex, {})
	lu.assertErrorMsgContains("isConvex: points", d2.isConvex, { 0, 0, 1, nan })
	lu.assertErrorMsgContains("isConvex: ", d2.isConvex, { 0, 0, 1 })
	lu.assertErrorMsgContains("isConvex: vertices", d3.isConvex, { nan, 0, 0 }, { 1, 1, 1 })
	lu.assertErrorMsgContains("isConvex: indices", d3.isConvex, cube, { 1, 2, 9 })
	lu.assertErrorMsgContains("isConvex: indices must be three for each triangle", d3.isConvex, cube, { 1, 2 })
	lu.assertErrorMsgContains("isConvex: there must be 1 to", d3.isConvex, cube, {})
	faces[4], faces[5], faces[6] = 1, 2, 2
	lu.assertErrorMsgContains("isConvex: triangle 2 has no area", d3.isConvex, cube, faces)
end
