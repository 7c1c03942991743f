-- Casts and times of impact without a world, against dense sampling of the distance, which test_toolbox.lua tests against brute force, and against cases by
-- hand.
local lu, collide = require "luaunit", require "collide"
local toolbox, support = require "toolbox", require "support"
local d2 = collide.d2

local each_pair, size_of, moved = toolbox.each_pair, toolbox.size_of, toolbox.moved

local near, check = toolbox.near, toolbox.check

TestCast = {}

-- Shapes in contact at the start hit immediately, whatever the displacement: also along the face, at whose end the rounded corner is only grazed.
function TestCast.test_shapes_in_contact_hit_immediately()
	local tile = d2.polygon({ 540, -460, 1460, -460, 1460, 460, 540, 460 }, 40)
	local couples = {
		{ d2.box(1, 1), d2.pose(0, 0, math.pi / 2), d2.polygon({ -0.4386, -0.75972, 0.8773, 0, -0.4386, 0.75972 }, 0.08773), nil },
		{ tile, d2.pose(0, 0, math.pi / 2), tile, d2.pose(-1.628681947099107e-14, 1000, math.pi / 2) },
	}
	local random, count = support.random_numbers(71), 0
	for i = 1, 300 do
		local couple = couples[i % 3] or couples[1]
		local a, pa, b, pb = couple[1], couple[2], couple[3], couple[4]
		if not pb then
			pb = d2.pose(random(-0.5, 0.5), 1.5, math.pi / 2 * math.floor(random(0, 4)))
			local d, nx, ny = d2.distance(a, pa, b, pb)
			local x, y = pb:getPosition()
			pb = d2.pose(x - d * nx, y - d * ny, pb:getAngle())
		end
		if d2.distance(a, pa, b, pb) <= 0 then
			count = count + 1
			for _, way in ipairs { { 0, 0 }, { 1e-9, 0 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
				local hit, t, nx, ny = d2.cast(a, pa, way[1], way[2], b, pb)
				lu.assertEquals({ hit, t }, { true, 0 })
				lu.assertEquals({ select(3, d2.cast(b, pb, -way[1], -way[2], a, pa)) }, { -nx, -ny, select(5, d2.cast(b, pb, -way[1], -way[2], a, pa)) })
			end
		end
	end
	check(count > 100, count)
end

-- Separated shapes that slide past or recede would have hit the other's lines in the past: no hit, and never t < 0.
function TestCast.test_receding_shapes_are_not_hit()
	local th, box = 4.0289752567947321, d2.box(1, 1)
	local c, n, x, y, dy = math.cos(th), math.sin(th), 0.23588871741866091, 1.0000121621200773, 0.00143422
	local pose = d2.pose(c * x - n * y, n * x + c * y, th)
	lu.assertEquals({ d2.cast(box, pose, c - n * dy, n + c * dy, box, d2.pose(0, 0, th)) }, { false, 1 })
	local slab, crumb = d2.polygon { -100, -100, 120, -80, 90, 130, -70, 90 }, d2.box(.001, .001)
	local _, t = d2.cast(slab, nil, 63.8247598435, -495.909669225, crumb, d2.pose(111.097433641, -17.6660899782, -0.689133226871))
	check(t >= 0 and t <= 1, t)
end

-- Along a straight path the distance is convex: if it is positive before t there is no earlier contact. At t it is 0. For grazing motions the distance is flat
-- at its minimum and t uncertain, so the distance is compared instead of t.
function TestCast.test_the_first_contact_is_at_distance_0_and_nothing_before()
	local hits, misses = 0, 0
	each_pair(31, 2500, {}, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local dx, dy = number(-3, 3) * size, number(-3, 3) * size
		local hit, t, nx, ny, px, py, last = d2.cast(a, pa, dx, dy, b, pb)
		local function at(s) return (d2.distance(a, moved(pa, s * dx, s * dy), b, pb)) end
		if at(0) <= 0 then
			local _, mx, my = d2.distance(a, pa, b, pb)
			check(hit and t == 0 and nx == mx and ny == my, what)
		elseif hit then
			hits = hits + 1
			near(at(t), 0, 2e-7 * size, what)
			for i = 1, 9 do check(at(t * i / 10) > 0, what) end
			near(nx * nx + ny * ny, 1, 1e-13, what)
			check(nx * dx + ny * dy > -1e-6 * size, what)
			near(select(3, d2.closestPoint(b, pb, px, py)), 0, 2e-7 * size, what)
			near(select(3, d2.closestPoint(a, moved(pa, t * dx, t * dy), px, py)), 0, 2e-7 * size, what)
		else
			misses = misses + 1
			lu.assertEquals({ t, nx }, { 1 }, what)
			for i = 0, 50 do check(at(i / 50) > -1e-9 * size, what) end
		end
		if hit then
			-- The last contact: the shapes are separated after it, but not before.
			near(at(last), 0, 3e-7 * size, what)
			check(last >= t, what)
			check(at(last + 0.01) > 0, what)
			near(math.max(0, at((t + last) / 2)), 0, 1e-7 * size, what)
		end
	end)
	check(hits > 300 and misses > 300, hits .. " hits, " .. misses .. " misses")
end

function TestCast.test_is_symmetric()
	each_pair(32, 2000, { far = 1e6 }, function(a, pa, b, pb, what, number)
		local dx, dy = number(-9, 9), number(-9, 9)
		local hit, t, nx, ny, _, _, last = d2.cast(a, pa, dx, dy, b, pb)
		local hit2, t2, mx, my, _, _, last2 = d2.cast(b, pb, -dx, -dy, a, pa)
		check(hit == hit2 and t == t2 and last == last2 and (not hit or (nx == -mx and ny == -my)), what)
	end)
end

-- Three methods: the explicit difference, Newton iterations on GJK's distance, and bisection of the swept test.
function TestCast.test_methods_agree()
	each_pair(33, 2000, {}, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local dx, dy = number(-3, 3) * size, number(-3, 3) * size
		local length = math.sqrt(dx * dx + dy * dy)
		local hit, t, nx, ny = d2.cast(a, pa, dx, dy, b, pb)
		local hit2, t2, _, _, _, _, iterations = d2.gjkCast(a, pa, dx, dy, b, pb)
		local hit3, t3, halvings = d2.bisection(a, pa, dx, dy, b, pb, 1e-6 * size)
		check(iterations >= 1 and iterations <= 129, what)
		-- For grazing motions one method may hit where another just misses, and t has the square root of the precision.
		local grazes = hit and t > 0 and (nx * dx + ny * dy) / length < 1e-2
		if grazes or hit ~= hit2 or hit ~= hit3 then
			local least = math.huge
			for i = 0, 400 do least = math.min(least, (d2.distance(a, moved(pa, i / 400 * dx, i / 400 * dy), b, pb))) end
			check(grazes or least > -1e-2 * size, what)
			return
		end
		near(t2, t, 1e-7, what)
		near(t3, t, 2e-6 * size / length + 1e-7, what)
		check(halvings <= 2 + math.ceil(math.log(length / (1e-6 * size)) / math.log(2)), what)
	end)
end

-- A ray cast is the cast of a point, except if it starts inside; here of a circle of 1e-6.
function TestCast.test_a_ray_is_the_cast_of_a_point()
	each_pair(34, 1500, {}, function(a, pa, _, pb, what, number)
		local x, y = pb:getPosition()
		local dx, dy = number(-9, 9), number(-9, 9)
		local dot = d2.circle(1e-6)
		if d2.overlaps(dot, pb, a, pa) then return end
		local hit, t, nx, ny = d2.cast(dot, pb, dx, dy, a, pa)
		local fraction, px, py, mx, my = d2.raycast(a, pa, x, y, x + dx, y + dy)
		if hit and math.abs(nx * dx + ny * dy) < 0.1 then return end
		check(hit == (fraction ~= nil), what)
		if not hit then return end
		near(fraction, t, 1e-5, what)
		near(px, x + fraction * dx, 1e-12, what)
		near(py, y + fraction * dy, 1e-12, what)
		check(mx * dx + my * dy < 0, what)
	end)
end

function TestCast.test_rays_by_hand()
	lu.assertEquals({ d2.raycast(d2.box(2, 2), nil, -3, 0, 5, 0) }, { 0.25, -1, 0, -1, 0 })
	lu.assertEquals({ d2.raycast(d2.box(2, 2), nil, -3, 5, 5, 5) }, {})
	lu.assertEquals({ d2.raycast(d2.circle(1), d2.pose(0, 10), 0, 10, 4, 10) }, { 0, 0, 10, -1, 0 })
	-- A chain is hit only from its right, a segment from both sides.
	lu.assertEquals((d2.raycast(d2.chain { 1, 0, -1, 0 }, nil, 0, 1, 0, -1)), 0.5)
	lu.assertNil((d2.raycast(d2.chain { -1, 0, 1, 0 }, nil, 0, 1, 0, -1)))
	lu.assertEquals((d2.raycast(d2.segment(-1, 0, 1, 0), nil, 0, 1, 0, -1)), 0.5)
end

-- Almost on the surface, entering: the root may be negative by rounding.
function TestCast.test_rays_from_just_outside()
	local number = support.random_numbers(15)
	local disc, pose = d2.circle(200), d2.pose(200, -148.89631019158384)
	near(d2.raycast(disc, pose, 87.281552423215089, 16.314317722844237, -140.66031737914042, -302.5226487704486), 0, 1e-9, "disc")
	for _, shape in ipairs { d2.circle(2), d2.capsule(-1, 0, 1, 0.5, 0.7), d2.ellipse(2, 1), d2.polygon({ -1, -1, 1.3, -0.8, 0.9, 1.1 }, 0.3) } do
		for _ = 1, 500 do
			local q, way, gap = number(-3, 3), number(-1.3, 1.3), 10 ^ number(-16, -14)
			local x, y, _, nx, ny = d2.closestPoint(shape, nil, 5 * math.cos(q), 5 * math.sin(q))
			local c, s = 9 * math.cos(way), 9 * math.sin(way)
			x, y = x + gap * nx, y + gap * ny
			near(d2.raycast(shape, nil, x, y, x - c * nx + s * ny, y - c * ny - s * nx) or 1, 0, 1e-6, "fraction")
		end
	end
end

-- Parallel segments: their difference is a line, crossed at one point.
function TestCast.test_parallel_segments()
	local number = support.random_numbers(14)
	local s = d2.segment(0, 0, 1, 0)
	for _ = 1, 500 do
		local q, gap, along = number(-3, 3), number(1, 9), number(-0.9, 0.9)
		local c, sn = math.cos(q), math.sin(q)
		local pose = d2.pose(0, 0, q)
		local other = d2.pose(c * along - sn * gap, sn * along + c * gap, q)
		local hit, t, nx, ny = d2.cast(s, pose, -sn * 10, c * 10, s, other)
		check(hit, "it comes")
		near(t, gap / 10, 1e-6, "when it comes")
		near(nx, -sn, 1e-6, "the normal")
		near(ny, c, 1e-6, "the normal")
		check(not d2.cast(s, pose, sn * 10, -c * 10, s, other), "it goes")
		near(select(2, d2.gjkCast(s, pose, -sn * 10, c * 10, s, other)), gap / 10, 1e-6, "by GJK")
	end
end


function TestCast.test_half_planes_and_chains()
	local ground, circle = d2.halfPlane(0, 1, 0), d2.circle(1)
	lu.assertEquals({ d2.cast(circle, d2.pose(3, 5), 0, -8, ground, nil) }, { true, 0.5, 0, -1, 3, 0 })
	lu.assertEquals({ d2.cast(ground, nil, 0, 8, circle, d2.pose(3, 5)) }, { true, 0.5, 0, 1, 3, 4 })
	-- A shape that starts inside leaves at 1.5 / 2.
	lu.assertEquals(select(7, d2.cast(circle, d2.pose(0, -0.5), 0, 2, ground, nil)), 0.75)
	lu.assertEquals((select(7, d2.cast(circle, d2.pose(0, -0.5), 0, -2, ground, nil))), nil)
	local chain = d2.chain { 0, 0, 4, 0, 4, 4 }
	lu.assertEquals({ d2.cast(circle, d2.pose(1, 3), 8, 0, chain, nil) }, { true, 0.25, 1, 0, 4, 3 })
	lu.assertEquals({ d2.cast(circle, d2.pose(1, -3), 0, 8, chain, nil) }, { true, 0.25, 0, 1, 1, 0 })
	lu.assertEquals((d2.cast(circle, d2.pose(-3, 3), 0, -8, chain, nil)), false)
end

-- The corrections to the published descriptions that concern motion.
TestMotionCorrections = {}

-- A separated axis without approach rejects; so does a contact after the end.
function TestMotionCorrections.test_E1_aligned_boxes()
	local box = d2.box(2, 2)
	lu.assertFalse((d2.cast(box, nil, 10, 0, box, d2.pose(5, 98))))
	lu.assertFalse((d2.cast(box, nil, -10, 0, box, d2.pose(5, 0))))
	lu.assertFalse((d2.cast(box, nil, 0, 0, box, d2.pose(5, 0))))
	lu.assertFalse((d2.cast(box, nil, 2, 0, box, d2.pose(4.86, 0))))
	-- The slab method, with integers.
	local number = support.random_numbers(41)
	local function integer(low, high) return math.floor(number(low, high + 1)) end
	for _ = 1, 20000 do
		local w, h, v, g = integer(1, 4) * 2, integer(1, 4) * 2, integer(1, 4) * 2, integer(1, 4) * 2
		local x, y, dx, dy = integer(-12, 12), integer(-12, 12), integer(-12, 12), integer(-12, 12)
		local t0, t1, free = -math.huge, math.huge, false
		for _, axis in ipairs { { x, dx, (w + v) / 2 }, { y, dy, (h + g) / 2 } } do
			local p, d, e = axis[1], axis[2], axis[3]
			if d == 0 then
				free = free or math.abs(p) > e
			else
				local s0, s1 = (p - e) / d, (p + e) / d
				t0, t1 = math.max(t0, math.min(s0, s1)), math.min(t1, math.max(s0, s1))
			end
		end
		local expected = not free and t0 <= t1 and t1 >= 0 and t0 <= 1
		local hit, t, _, _, _, _, last = d2.cast(d2.box(w, h), nil, dx, dy, d2.box(v, g), d2.pose(x, y))
		local what = table.concat({ w, h, v, g, x, y, dx, dy }, " ")
		lu.assertEquals(hit, expected, what)
		if hit then
			near(t, math.max(t0, 0), 1e-12, what)
			if dx ~= 0 or dy ~= 0 then near(last, t1, 1e-12, what) end
		end
	end
end

-- Roots of the quadratic outside [0, 1], no root, and a double one.
function TestMotionCorrections.test_E2_E32_circles()
	local circle = d2.circle(1)
	local function cast(x, y, dx, dy) return d2.cast(circle, nil, dx, dy, circle, d2.pose(x, y)) end
	local hit, t, _, _, _, _, last = cast(10, 0, 10, 0)
	lu.assertEquals({ hit, last }, { true, 1.2 })
	near(t, 0.8, 1e-15, "t")
	lu.assertFalse((cast(10, 0, 1, 0)))
	lu.assertFalse((cast(10, 0, -10, 0)))
	lu.assertFalse((cast(10, 0, 0, 0)))
	lu.assertFalse((cast(10, 3, 20, 0)))
	-- Grazing counts as a hit.
	hit, t = cast(10, 2, 20, 0)
	lu.assertEquals({ hit, t }, { true, 0.5 })
	-- Initial overlap.
	hit, t, _, _, _, _, last = cast(1, 0, 10, 0)
	lu.assertEquals({ hit, t }, { true, 0 })
	near(last, 0.3, 1e-15, "last")
	-- From far away the roots keep their precision.
	hit, t = cast(1e6, 1, 2e6, 0)
	near(t * 2e6, 1e6 - math.sqrt(3), 1e-9, "far")
	lu.assertTrue(hit)
end

-- Against a half-plane: behind it is inside; contact at the end is a hit.
function TestMotionCorrections.test_E3_half_plane()
	local ground, circle = d2.halfPlane(0, 1, 0), d2.circle(1)
	lu.assertEquals({ (d2.cast(circle, d2.pose(0, 3), 0, -2, ground)) }, { true })
	lu.assertEquals({ select(2, d2.cast(circle, d2.pose(0, 3), 0, -2, ground)) }, { 1, 0, -1, 0, 0 })
	lu.assertEquals((select(2, d2.cast(circle, d2.pose(0, -30), 0, 2, ground))), 0)
end

-- With an initial overlap the first contact is 0, and the last one still exact.
function TestMotionCorrections.test_E7_the_true_exit_of_an_initial_overlap()
	local _, t, _, _, _, _, last = d2.cast(d2.box(2, 2), nil, 20, 0, d2.box(2, 2), d2.pose(0, 0.5))
	lu.assertEquals({ t, last }, { 0, 0.1 })
end

-- A receding shape misses; an approaching one hits, at the exact time; one that recedes and rotates may still hit.
function TestMotionCorrections.test_E15_the_sum_decides()
	local box = d2.box(2, 2)
	local state, t, nx = d2.timeOfImpact(box, nil, d2.pose(8, 0), box, d2.pose(6, 0), d2.pose(6, 0))
	lu.assertEquals({ state, nx }, { "hit", 1 })
	near(t, 0.5, 1e-6, "t")
	local iterations
	state, t, _, _, _, _, iterations = d2.conservativeAdvancement(box, nil, d2.pose(-8, 0), box, d2.pose(6, 0), d2.pose(6, 0))
	lu.assertEquals({ state, t, iterations }, { "separated", 1, 1 })
	-- The centre of the rod recedes by 1; its end swings around and hits.
	local rod = d2.box(8, 0.2)
	state, t = d2.timeOfImpact(rod, d2.pose(0, 0, math.pi / 2), d2.pose(-1, 0, 0), d2.circle(0.5), d2.pose(2, 0), d2.pose(2, 0))
	lu.assertEquals(state, "hit")
	lu.assertTrue(t > 0 and t < 1)
end

function TestMotionCorrections.test_E16_ends_and_says_when_it_starts_overlapping()
	local box = d2.box(2, 2)
	lu.assertEquals({ d2.timeOfImpact(box, nil, nil, box, d2.pose(1, 0), d2.pose(9, 0)) }, { "overlapping", 0, 1, 0, 0.5, 0 })
	-- Nothing moves: the sum is 0.
	lu.assertEquals({ (d2.timeOfImpact(box, nil, nil, box, d2.pose(5, 0), d2.pose(5, 0))) }, { "separated" })
	-- Sliding along at almost no distance is no hit; nor is separating from it.
	lu.assertEquals((d2.timeOfImpact(box, nil, d2.pose(0, 5), box, d2.pose(2 + 1e-9, 0), d2.pose(2 + 1e-9, 0))), "separated")
	lu.assertEquals((d2.timeOfImpact(box, nil, d2.pose(-5, 0), box, d2.pose(2 + 1e-9, 0), d2.pose(2 + 1e-9, 0))), "separated")
	lu.assertEquals((d2.timeOfImpact(box, nil, d2.pose(5, 0), box, d2.pose(2 + 1e-9, 0), d2.pose(2 + 1e-9, 0))), "hit")
	-- The tolerance scales with the size.
	for _, scale in ipairs { 1e-3, 1, 1e3 } do
		local small = d2.box(2 * scale, 2 * scale)
		local state, t = d2.timeOfImpact(small, nil, d2.pose(8 * scale, 0), small, d2.pose(6 * scale, 0), d2.pose(6 * scale, 0))
		lu.assertEquals(state, "hit")
		near(t, 0.5, 1e-6, "t")
	end
	-- About the centre of rotation: a long arm sweeps far.
	local arm = d2.circle(0.5, 10, 0)
	local state = d2.timeOfImpact(arm, d2.pose(0, 0, -0.2), d2.pose(0, 0, 0.2), d2.circle(0.5), d2.pose(10.5, 0), d2.pose(10.5, 0))
	lu.assertEquals(state, "hit")
end

-- A moves by d: the difference is entered along d, not against it. Overlap takes precedence.
function TestMotionCorrections.test_E17_the_way_of_the_cast()
	local hit, t, nx, ny, px, py = d2.cast(d2.box(2, 2), nil, 10, 0, d2.polygon { 0, 0, 1, 0, 0.5, 1 }, d2.pose(8, 0))
	lu.assertEquals({ hit, nx, ny, px, py }, { true, 1, 0, 8, 0 })
	near(t, 0.7, 1e-15, "t")
	lu.assertFalse((d2.cast(d2.box(2, 2), nil, -10, 0, d2.box(1, 1), d2.pose(8, 0))))
	lu.assertEquals({ d2.cast(d2.box(2, 2), nil, -10, 0, d2.box(2, 2), d2.pose(1.5, 0)) }, { true, 0, 1, 0, 0.5, 0, 0.05 })
end

-- The earliest possible time of a contact follows from the farthest point's arc and the closing speed: it is never overshot.
function TestMotionCorrections.test_E18_E33_what_spins_does_not_tunnel()
	-- A rod that rotates by 170 degrees about its middle, past a peg, without translation.
	local rod, peg = d2.box(10, 0.01), d2.circle(0.01)
	local state, t = d2.timeOfImpact(rod, nil, d2.pose(0, 0, 170 / 180 * math.pi), peg, d2.pose(0, 4), d2.pose(0, 4))
	lu.assertEquals(state, "hit")
	-- asin((0.005 + 0.01) / 4) before the vertical
	near(t, (90 - math.deg(math.asin(0.015 / 4))) / 170, 1e-6, "t")
	-- The translation alone does not hit.
	lu.assertFalse((d2.cast(rod, nil, 0.5, 0, peg, d2.pose(0, 4))))
end

-- Testing single poses would miss a thin wall; the swept test is monotone. Starting inside: 0.
function TestMotionCorrections.test_E41_bisection_by_the_sweep()
	local ball, wall = d2.circle(0.1), d2.segment(0, -1, 0, 1)
	local hit, t, iterations = d2.bisection(ball, d2.pose(-3, 0), 100, 0, wall, nil, 1e-6)
	lu.assertTrue(hit)
	near(t * 100, 2.9, 1.1e-6, "t")
	lu.assertTrue(t * 100 <= 2.9 + 1e-8)
	lu.assertEquals(iterations, 2 + math.ceil(math.log(100 / 1e-6) / math.log(2)))
	lu.assertEquals({ d2.bisection(ball, d2.pose(-3, 0), 2, 0, wall) }, { false, 1, 2 })
	lu.assertEquals({ d2.bisection(ball, nil, 2, 0, wall) }, { true, 0, 1 })
end

-- d . m = 0: either pose has the support point; a path across the face must not be lost.
function TestMotionCorrections.test_E42_the_sweep_across_a_face()
	local box = d2.box(2, 2)
	lu.assertTrue((d2.bisection(box, nil, 10, 0, box, d2.pose(5, 2))))
	lu.assertTrue((d2.cast(box, nil, 10, 0, box, d2.pose(5, 2))))
	lu.assertFalse((d2.bisection(box, nil, 10, 0, box, d2.pose(5, 2.001))))
end

-- Two half-planes are separated only if they face each other.
function TestCast.test_two_half_planes()
	local ground, sky = d2.halfPlane(0, 1, 0), d2.halfPlane(0, -1, -2)
	lu.assertEquals({ d2.distance(ground, nil, sky, nil) }, { 2, 0, 1, 0, 0, 0, 2, 0, 0 })
	lu.assertEquals({ d2.cast(ground, nil, 7, 4, sky, nil) }, { true, 0.5, 0, 1, 0, 2 })
	lu.assertEquals({ d2.cast(sky, nil, 7, -4, ground, nil) }, { true, 0.5, 0, -1, 3.5, 0 })
	lu.assertFalse((d2.cast(ground, nil, 7, -4, sky, nil)))
	lu.assertFalse((d2.cast(ground, nil, 7, 1, sky, nil)))
	-- Overlapping by 1, and separated after 1 of 4.
	lu.assertEquals({ d2.cast(ground, d2.pose(0, 3), 0, -4, sky, nil) }, { true, 0, 0, 1, 0, 2, 0.25 })
	lu.assertEquals((d2.distance(ground, nil, d2.halfPlane(0, 1, -5))), -1e18)
	local hit, t, _, _, _, _, last = d2.cast(ground, nil, 0, -4, d2.halfPlane(1, -1, 0), nil)
	lu.assertEquals({ hit, t, last }, { true, 0 })
end

-- Any pair of kinds, including the half-plane: moving by the distance along the normal ends in a hit, by the cast, the GJK cast and the time of impact;
-- overlapping shapes are separated by the depth along the normal.
function TestCast.test_any_pair_has_a_distance_a_depth_a_cast_and_a_time_of_impact()
	local apart, deep, kinds = 0, 0, {}
	each_pair(35, 3000, {}, function(a, pa, b, pb, what, number, pick)
		if pick(6) == 1 then a = d2.halfPlane(number(-1, 1), number(-1, 1), number(-6, 0)) end
		if a:getType() ~= "halfPlane" and pick(6) == 1 then b = d2.halfPlane(number(-1, 1), number(-1, 1), number(-6, 0)) end
		kinds[a:getType() .. b:getType()] = true
		local size = a:getType() == "halfPlane" and size_of(b) or b:getType() == "halfPlane" and size_of(a) or size_of(a) + size_of(b)
		local slack = 1e-6 * size + 1e-6
		local d, nx, ny = d2.distance(a, pa, b, pb)
		if d <= 0 then
			deep = deep + 1
			near(d2.distance(a, moved(pa, d * nx, d * ny), b, pb), 0, slack, what)
			return
		end
		apart = apart + 1
		for _, cast in ipairs { d2.cast, d2.gjkCast } do
			local hit, t = cast(a, pa, 2 * d * nx, 2 * d * ny, b, pb)
			check(hit, what)
			near(t * d, d / 2, slack, what)
			check(not cast(a, pa, -2 * d * nx, -2 * d * ny, b, pb), what)
		end
		local turn = a:getType() == "halfPlane" and 0 or 1e-9
		local state, t = d2.timeOfImpact(a, pa, toolbox.turned(pa, 2 * d * nx, 2 * d * ny, turn), b, pb, pb)
		check(state == "hit", what)
		near(t * d, d / 2, 2 * slack, what)
		lu.assertEquals((d2.timeOfImpact(a, pa, moved(pa, -2 * d * nx, -2 * d * ny), b, pb, pb)), "separated", what)
	end)
	local count = 0
	for _ in pairs(kinds) do count = count + 1 end
	check(apart > 500 and deep > 500 and count == 6 * 6 + 2 * 6, count .. " kinds")
end

TestTimeOfImpact = {}

local function pose_at(from, to, t)
	local x, y, angle = from:getTransform()
	local x1, y1, angle1 = to:getTransform()
	local turn = (angle1 - angle + math.pi) % (2 * math.pi) - math.pi
	return d2.pose(x + t * (x1 - x), y + t * (y1 - y), angle + t * turn)
end

local turned_pose = toolbox.turned

local plane = { d = d2, axes = 2, size_of = size_of, moved = moved, pose_at = pose_at, slack = 4e-7 }

-- Float errors of poses and shapes add to the tolerance.
function TestTimeOfImpact.test_leaves_a_gap_and_nothing_touches_before()
	local tally = toolbox.new_tally()
	each_pair(51, 1500, {}, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local pa1 = turned_pose(pa, number(-2, 2) * size, number(-2, 2) * size, number(-3, 3))
		local pb1 = turned_pose(pb, number(-2, 2) * size, number(-2, 2) * size, number(-3, 3))
		toolbox.check_impact(plane, tally, a, pa, pa1, b, pb, pb1, what)
	end)
	toolbox.check_tally(tally, 200, 100, 100)
end

-- The least distance of the whole motion is one of the tolerances' order, at random.
function TestTimeOfImpact.test_grazing()
	local gaps, tally = toolbox.grazes, toolbox.new_tally()
	each_pair(53, 1500, { low = 0.1, high = 10 }, function(a, pa, b, pb, what, number, pick)
		local size = size_of(a) + size_of(b)
		local pa1 = turned_pose(pa, number(-2, 2) * size, number(-2, 2) * size, number(-3, 3))
		local pb1 = turned_pose(pb, number(-2, 2) * size, number(-2, 2) * size, pick(3) == 1 and 0 or number(-3, 3))
		toolbox.check_graze(plane, tally, a, pa, pa1, b, pb, pb1, gaps[pick(#gaps)], what)
	end)
	toolbox.check_tally(tally, 200, 200, 100)
end

-- Shapes that orbit at a constant distance, or ride on a common carousel, are treated in the frame in which they rest, after the first few steps. First-order
-- steps would all be as small as the separation.
function TestTimeOfImpact.test_at_a_constant_distance()
	local hub, turned = d2.circle(1), d2.pose(0, 0, 3)
	for _, gap in ipairs { 2e-6, 1e-5 } do
		local function end_of(...)
			local state, _, _, _, _, _, iterations = d2.conservativeAdvancement(...)
			lu.assertEquals({ state, iterations <= 4 }, { "separated", true })
		end
		end_of(d2.box(2, 2, { x = 5 }), nil, turned, d2.box(2, 2, { x = 7 + gap }), nil, turned)
		end_of(d2.circle(0.25, 1.25 + 2 * gap, 0), nil, turned, hub)
		end_of(d2.circle(0.25, 5, 0), d2.pose(0, 5, 1), d2.pose(0, 5, 4), d2.circle(4.75 - gap, 3, 4), d2.pose(-3, 1), d2.pose(-3, 1))
	end
end

function TestTimeOfImpact.test_half_planes()
	local ground, sky = d2.halfPlane(0, 1, 0), d2.halfPlane(0, -1, -2)
	local function state(...) return (d2.timeOfImpact(ground, nil, nil, sky, ...)) end
	lu.assertEquals(state(nil, d2.pose(50, -1)), "separated")
	local hit, t, nx, ny, _, py = d2.timeOfImpact(ground, nil, nil, sky, nil, d2.pose(50, -4))
	lu.assertEquals({ hit, nx, ny }, { "hit", 0, 1 })
	near(t, 0.5, 1e-6, "t")
	near(py, 0, 1e-6, "py")
	lu.assertEquals({ d2.timeOfImpact(ground, nil, nil, sky, nil, d2.pose(0, 0, 0.1)) }, { "hit", 0, 0, 1, 0, 1 })
	lu.assertEquals(state(d2.pose(0, -2), d2.pose(0, 9)), "overlapping")
end

function TestTimeOfImpact.test_is_never_before_the_start()
	local egg, ground = d2.ellipse(2, 1.5), d2.halfPlane(0.5, 0, -0.16038789816668286)
	local from, to = d2.pose(1.5542362449597333, 0, -2.7399933621538297), d2.pose(2.5739883403236998, -3, 0)
	local _, t = d2.timeOfImpact(egg, from, to, ground, d2.pose(-0.21737159344472168, -2, 0), d2.pose(1.7502972738485667, 0, 1e-7))
	check(t >= 0 and t <= 1, t)
end

-- Without rotation it is the cast.
function TestTimeOfImpact.test_without_rotation_it_is_the_cast()
	each_pair(52, 1000, { far = 1e6 }, function(a, pa, b, pb, what, number)
		local size = size_of(a) + size_of(b)
		local dx, dy = number(-2, 2) * size, number(-2, 2) * size
		local hit, t, nx, ny = d2.cast(a, pa, dx, dy, b, pb)
		local state, t2 = d2.timeOfImpact(a, pa, turned_pose(pa, dx, dy, 0), b, pb, pb)
		local cosine = hit and (nx * dx + ny * dy) / math.sqrt(dx * dx + dy * dy) or 1
		if cosine < 1e-2 then return end
		lu.assertEquals(state == "hit" or state == "overlapping", hit, what)
		if hit then near(t2, t, 1e-6 * size / (cosine * math.sqrt(dx * dx + dy * dy)) + 1e-9, what) end
	end)
end

-- By hand: a rod of length 2 makes a quarter turn about its end onto a wall of height 1, which it hits at the angle asin(1/2): 30 of 90 degrees.
function TestTimeOfImpact.test_a_turning_rod_by_hand()
	local rod, wall = d2.segment(0, 0, 2, 0), d2.halfPlane(0, -1, -1)
	local state, t, nx, ny = d2.timeOfImpact(rod, nil, d2.pose(0, 0, math.pi / 2), wall, nil, nil)
	lu.assertEquals({ state, nx, ny }, { "hit", 0, 1 })
	near(t, 1 / 3, 1e-6, "t")
	-- The wall rotates instead.
	state, t = d2.timeOfImpact(d2.halfPlane(0, 1, 0), nil, d2.pose(0, 0, math.pi / 4), d2.circle(1), d2.pose(10, 6), d2.pose(10, 6))
	lu.assertEquals(state, "hit")
	-- 6 cos q - 10 sin q = 1
	local q = math.acos(1 / math.sqrt(136)) - (math.atan2 or math.atan)(10, 6)
	near(t, q / (math.pi / 4), 1e-6, "t")
end

function TestTimeOfImpact.test_chains()
	local chain, ball = d2.chain { 0, 0, 4, 0, 4, 4 }, d2.circle(0.5)
	local state, t, nx, ny = d2.timeOfImpact(ball, d2.pose(1, 2), d2.pose(9, 2), chain, nil, nil)
	lu.assertEquals({ state, nx, ny }, { "hit", 1, 0 })
	near(t, 2.5 / 8, 1e-6, "t")
	lu.assertEquals((d2.timeOfImpact(ball, d2.pose(1, 2), d2.pose(3, 2), chain, nil, nil)), "separated")
	lu.assertEquals((d2.timeOfImpact(ball, d2.pose(1, 0.2), d2.pose(3, 2), chain, nil, nil)), "overlapping")
end

-- A corner almost at a segment's end: whatever the rounding of its position, the direction separates the shapes, and the first step is not too long.
function TestTimeOfImpact.test_a_corner_at_an_end()
	local box, rod = d2.box(1, 1), d2.segment(-1.180740117, 0, 1.180740117, 0)
	local x, y = 161133.60776431329, -891737.57974561176
	local from, to = d2.pose(x, y, math.pi / 4), d2.pose(x - 1.4142135623502372, y - 2.3614802361043923, math.pi / 4)
	for i = -20, 20 do
		local p = d2.pose(161132.9006575321 + i * 2 ^ -35, -891738.76048572978 + i % 5 * 2 ^ -33, math.pi / 2)
		local q = d2.pose(161132.9006575321, -891738.76048572978, math.pi / 2 - 3)
		local d, nx, ny = d2.distance(box, from, rod, p)
		local ax, ay = d2.support(box, from, nx, ny)
		local bx, by = d2.support(rod, p, -nx, -ny)
		near((bx - ax) * nx + (by - ay) * ny, d, 3e-6, "parted")
		local state, t = d2.timeOfImpact(box, from, to, rod, p, q)
		check(state == "overlapping" or d2.distance(box, pose_at(from, to, t), rod, pose_at(p, q, t)) > -1e-6, i)
	end
end

-- A motion that starts in contact, to rounding, ends before the iterations run out.
function TestTimeOfImpact.test_touching_but_for_rounding()
	local a, b = d2.segment(-0x1.efb226p-11, 0, 0x1.efb226p-11, 0), d2.capsule(-0x1.0ab896p-10, 0, 0x1.0ab896p-10, 0, 0.0001017460017465055)
	local x, y, random = 1.7293358498972624e-07, 0.00010174601954859364, support.random_numbers(91)
	for i = 1, 300 do
		local way, turn = i % 4 * 1e-3, i % 3 == 0 and 20 or random(-3, 3)
		local to = d2.pose(random(-way, way), random(-way, way), 1e-4 + turn)
		local state, t = d2.timeOfImpact(a, d2.pose(0, 0, 1e-4), to, b, d2.pose(x, y, 1e-4), d2.pose(x, y, 1e-4 + i % 2 * random(-3, 3)))
		check(state ~= "failed", state)
		check(state ~= "hit" or t < 1e-3 or way > 0, t)
	end
end

-- The iterations on request: t grows, and each distance is the one at t.
function TestTimeOfImpact.test_steps()
	local a, b = d2.box(2, 2), d2.box(1, 3)
	local pa, pa1, pb = d2.pose(0, 0), d2.pose(8, 0, 2), d2.pose(6, 0)
	local state, t, nx, ny, _, _, iterations, steps = d2.conservativeAdvancement(a, pa, pa1, b, pb, pb, { steps = true })
	lu.assertEquals({ state, #steps }, { "hit", iterations })
	lu.assertEquals({ steps[1].t, steps[#steps].t, steps[#steps].nx, steps[#steps].ny }, { 0, t, nx, ny })
	for i, step in ipairs(steps) do
		near(d2.distance(a, pose_at(pa, pa1, step.t), b, pb), step.distance, 1e-6, "step " .. i)
		if i > 1 then check(step.t > steps[i - 1].t, "t grows") end
	end
end
