-- Queries on chains of many segments, against each of their segments alone: the tree must not miss a segment.
local lu, collide = require "luaunit", require "collide"
local toolbox, support = require "toolbox", require "support"
local d2 = collide.d2

local near, check = toolbox.near, toolbox.check

TestChains = {}

-- Points of a wave, of a ring, or random.
local function random_points(number, choice, count)
	local points, kind, size, height = {}, choice(3), number(1, 5), number(0, 2)
	for i = 1, count do
		local x, y = number(-size, size), number(-size, size)
		if kind == 1 then
			x, y = size * (2 * i / count - 1), height * number(-1, 1)
		elseif kind == 2 then
			local q, r = 2 * math.pi * i / count, size * number(0.8, 1)
			x, y = r * math.cos(q), r * math.sin(q)
		end
		points[2 * i - 1], points[2 * i] = x, y
	end
	return points
end

-- A chain and its segments.
local function random_chain(number, choice, count)
	local loop = count > 2 and number(0, 1) < 0.5
	local shape, parts = d2.chain(random_points(number, choice, count), { loop = loop }), {}
	local points = shape:getPoints()
	for i = 1, loop and count or count - 1 do
		local k = i % count + 1
		parts[i] = d2.segment(points[2 * i - 1], points[2 * i], points[2 * k - 1], points[2 * k])
	end
	return shape, parts
end

local others = {
	function(number) return d2.circle(number(0.1, 2)) end,
	function(number) return d2.capsule(number(-3, 0), 0, number(1, 3), 1, number(0.1, 1)) end,
	function(number) return d2.box(number(0.5, 4), number(0.5, 4)) end,
	function(number) return d2.ellipse(number(0.5, 3), number(0.5, 3)) end,
	function(number) return d2.halfPlane(number(-1, 1), 1, number(-3, 3)) end,
}

local function random_pose(number, far)
	return d2.pose(number(-far, far), number(-far, far), number(-math.pi, math.pi))
end

-- Chains of every small number of segments, thus with every form of tree, against chains and other shapes. `of` gets the two shapes, their segments, and poses.
local function each_couple(seed, rounds, of)
	local number, choice = support.random_numbers(seed)
	for round = 1, rounds do
		local a, parts_a = random_chain(number, choice, 2 + round % 23)
		local b, parts_b = random_chain(number, choice, 1 + choice(23))
		if round % 3 == 0 then
			b = others[choice(#others)](number)
			parts_b = { b }
		end
		local far = number(0, 12)
		of(a, random_pose(number, far), parts_a, b, random_pose(number, far), parts_b, number, "round " .. round)
	end
end

-- The least result of f over all pairs of segments.
local function least(parts_a, parts_b, f)
	local best = math.huge
	for _, a in ipairs(parts_a) do
		for _, b in ipairs(parts_b) do best = math.min(best, f(a, b)) end
	end
	return best
end

function TestChains.test_distance_is_that_of_the_nearest_segments()
	local apart = 0
	each_couple(51, 1200, function(a, pa, parts_a, b, pb, parts_b, _, what)
		local d, nx, ny = d2.distance(a, pa, b, pb)
		near(d, least(parts_a, parts_b, function(p, q) return (d2.distance(p, pa, q, pb)) end), 1e-12, what)
		check(d2.overlaps(a, pa, b, pb) == (d <= 0), what)
		local m = d2.manifold(a, pa, b, pb)
		check((m ~= nil) == (d <= 0), what)
		if m then
			local deepest = math.huge
			for _, point in ipairs(m.points or m) do deepest = math.min(deepest, point.separation) end
			check(deepest <= d + 1e-4, what) -- 1e-5 of the size. A chain continues beyond a segment's ends, so it may be deeper.
		end
		local other, mx, my = d2.distance(b, pb, a, pa)
		check(d == other and nx == -mx and ny == -my, what)
		apart = apart + (d > 0 and 1 or 0)
	end)
	check(apart > 250 and apart < 1000, apart .. " are apart")
end

function TestChains.test_closest_point_is_that_of_the_nearest_segment()
	each_couple(52, 300, function(a, pa, parts, _, _, _, number, what)
		local x, y = number(-9, 9), number(-9, 9)
		local function distance(shape) return (select(3, d2.closestPoint(shape, pa, x, y))) end
		near(distance(a), least(parts, { 0 }, distance), 1e-12, what)
	end)
end

local function cast_time(hit, t)
	return hit and t or 2
end

function TestChains.test_casts_hit_the_first_segment()
	local hits = 0
	each_couple(53, 1200, function(a, pa, parts_a, b, pb, parts_b, number, what)
		local dx, dy = number(-20, 20), number(-20, 20)
		local t = cast_time(d2.cast(a, pa, dx, dy, b, pb))
		near(t, least(parts_a, parts_b, function(p, q) return cast_time(d2.cast(p, pa, dx, dy, q, pb)) end), 1e-12, what)
		check(t == cast_time(d2.cast(b, pb, -dx, -dy, a, pa)), what)
		hits = hits + (t > 0 and t < 2 and 1 or 0)
	end)
	check(hits > 200, hits .. " hits")
end

-- The tolerance is the separation that a hit leaves, a millionth of the size, divided by the speed. A pass within that separation may count as a hit or not.
function TestChains.test_times_of_impact_are_those_of_the_first_segments()
	local hits = 0
	each_couple(54, 600, function(a, pa, parts_a, b, pb, parts_b, number, what)
		local function moved(pose)
			local x, y, angle = pose:getTransform()
			return d2.pose(x + number(-9, 9), y + number(-9, 9), angle + number(-3, 3))
		end
		local qa, qb = moved(pa), moved(pb)
		local function time(p, q)
			local state, t = d2.timeOfImpact(p, pa, qa, q, pb, qb)
			check(state ~= "failed", what)
			return state == "separated" and 2 or t
		end
		local t = time(a, b)
		near(t, least(parts_a, parts_b, time), 1e-4, what)
		hits = hits + (t > 0 and t < 2 and 1 or 0)
		local state, again = d2.timeOfImpact(b, pb, qb, a, pa, qa)
		check(t == (state == "separated" and 2 or again), what)
	end)
	check(hits > 60, hits .. " hits")
end

-- Chains are one-sided.
function TestChains.test_rays_hit_the_first_segment()
	local hits = 0
	local number, choice = support.random_numbers(55)
	for round = 1, 1500 do
		local a, parts = random_chain(number, choice, 2 + round % 23)
		for i, part in ipairs(parts) do parts[i] = d2.chain(part:getPoints()) end
		local pose, x, y, dx, dy = random_pose(number, 12), number(-15, 15), number(-15, 15), number(-30, 30), number(-30, 30)
		local t, _, _, nx, ny = d2.raycast(a, pose, x, y, dx, dy)
		local first, mx, my
		for _, part in ipairs(parts) do
			local s, _, _, px, py = d2.raycast(part, pose, x, y, dx, dy)
			if s and (not first or s <= first) then first, mx, my = s, px, py end
		end
		check(t == first and nx == mx and ny == my, "round " .. round)
		hits = hits + (t and 1 or 0)
	end
	check(hits > 100, hits .. " hits")
end

function TestChains.test_bisection_of_the_swept_chain_agrees_with_the_cast()
	each_couple(56, 300, function(a, pa, _, b, pb, _, number, what)
		if b:getType() == "halfPlane" then return end
		local dx, dy = number(-20, 20), number(-20, 20)
		local hit, t, nx, ny = d2.cast(a, pa, dx, dy, b, pb)
		local met, s = d2.bisection(a, pa, dx, dy, b, pb, 1e-7)
		local length = math.sqrt(dx * dx + dy * dy)
		if hit and t > 0 and (nx * dx + ny * dy) / length < 1e-2 then return end -- it grazes
		check(hit == met, what)
		if hit then near(s, t, 2e-7 / length + 1e-7, what) end
	end)
end

-- Small motions far from the centre of rotation follow a wide arc.
function TestChains.test_times_of_impact_on_an_arc()
	local number = support.random_numbers(57)
	local a, b = d2.chain { 100, 0, 100.01, 0, 100.02, 0 }, d2.chain { 99, 0, 100.01, 0, 101, 0 }
	for _ = 1, 200 do
		local q, turn = number(0.1, 2.5), 3
		local still = d2.pose(0, 0, q)
		local state, t = d2.timeOfImpact(a, nil, d2.pose(0, 0, turn), b, still, still)
		lu.assertEquals(state, "hit")
		near(t, q / turn, 1e-6, "at " .. q)
	end
end

-- Two ridges far from the middle of two waves, one above the other. Testing all pairs of segments would take seconds.
function TestChains.test_many_segments_against_many()
	local function ground(count, ridge, height, foot)
		local points = {}
		for i = 0, count do
			points[2 * i + 1] = i
			points[2 * i + 2] = i == ridge and height or foot + 0.1 * (i % 2)
		end
		return d2.chain(points)
	end
	local a, b = ground(8000, 6001, 2, 0), ground(8000, 6001, 3, 5)
	local start = os.clock()
	for i = 0, 20 do
		local x = 1e5 * i
		local pa, pb = d2.pose(x, 0), d2.pose(x, 0)
		local d, nx, ny, ax, ay = d2.distance(a, pa, b, pb)
		lu.assertEquals({ d, nx, ny, ax, ay }, { 1, 0, 1, x + 6001, 2 })
		lu.assertFalse(d2.overlaps(a, pa, b, pb))
		lu.assertTrue(d2.overlaps(a, d2.pose(x, 1.25), b, pb))
		lu.assertNil(d2.manifold(a, pa, b, pb))
		local hit, u, _, _, px, py = d2.cast(a, pa, 0, 4, b, pb)
		lu.assertEquals({ hit, u, px, py }, { true, 0.25, x + 6001, 3 })
		local state, t = d2.timeOfImpact(a, pa, d2.pose(x, 4), b, pb, pb)
		lu.assertEquals(state, "hit")
		lu.assertAlmostEquals(t, 0.25, 1e-6)
		lu.assertEquals((d2.timeOfImpact(a, pa, d2.pose(x, 0.99), b, pb, pb)), "separated")
	end
	lu.assertTrue(os.clock() - start < 20)
end
