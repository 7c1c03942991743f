-- Geometry without a world: distances and contacts, against brute force (see toolbox.lua), exact cases by hand, and laws that hold for every pair. Casts, times
-- of impact and methods are in test_toolbox_motion.lua and test_toolbox_methods.lua.
--
-- Shapes and rotations are floats: a corner at 1 has an error of up to 2^-24, a rotated one of 2 * 2^-24 more, and the angle returned by a pose is rounded, too
-- (2^-23 at 3 rad). PART = 1e-6 of the size covers the sum for two shapes.
local lu, collide = require "luaunit", require "collide"
local toolbox, support = require "toolbox", require "support"
local d2 = collide.d2

local PART = 1e-6
local each_pair, size_of, moved = toolbox.each_pair, toolbox.size_of, toolbox.moved

local near, check = toolbox.near, toolbox.check

TestDistance = {}

function TestDistance.test_is_the_greatest_separation_of_all_directions()
	each_pair(1, 1200, {}, function(a, pa, b, pb, what)
		near(d2.distance(a, pa, b, pb), toolbox.brute_distance(a, pa, b, pb), PART * (size_of(a) + size_of(b)), what)
	end)
end

-- Large against small, from 1e-3 to 1e3: the floats of the larger shape limit the precision.
function TestDistance.test_of_all_sizes()
	each_pair(2, 1000, { low = 1e-3, high = 1e3 }, function(a, pa, b, pb, what)
		local d = toolbox.brute_distance(a, pa, b, pb)
		near(d2.distance(a, pa, b, pb), d, math.max(1e-5 * math.max(math.abs(d), math.min(size_of(a), size_of(b))), PART * math.max(size_of(a), size_of(b))), what)
	end)
end

-- Without rotation the poses are exact, and points are those of getPoints: the result is exact to 1e-5 of the smaller shape. (The rotation of a placed ellipse
-- is a float that no getter returns; these are left out.)
function TestDistance.test_tiny_against_huge_is_exact()
	local number, pick = support.random_numbers(3)
	for round = 1, 800 do
		local huge, tiny = toolbox.new_shape(toolbox.kinds[pick(8)], 1000, number, pick), toolbox.new_shape(toolbox.kinds[pick(8)], 1e-3, number, pick)
		local q = number(0, 7)
		local _, nx, ny, ax, ay = d2.distance(huge, nil, tiny, d2.pose(2000 * math.cos(q), 2000 * math.sin(q)))
		local pose = d2.pose(ax + nx * number(-2e-3, 2e-3), ay + ny * number(-2e-3, 2e-3))
		local what = ("round %d: %s, %s"):format(round, huge:getType(), tiny:getType())
		near(d2.distance(huge, nil, tiny, pose), toolbox.brute_distance(huge, nil, tiny, pose), 1e-8, what)
	end
end

-- 1e6 away: with multiples of 2^-10 the difference of the positions stays exact, so only the last digits of the points change.
function TestDistance.test_distances_are_the_same_far_away()
	each_pair(4, 1000, {}, function(a, pa, b, pb, what)
		local bx, by, angle = pb:getTransform()
		bx, by = math.floor(bx * 1024) / 1024, math.floor(by * 1024) / 1024
		local _, _, turn = pa:getTransform()
		local d, nx, ny, ax, ay = d2.distance(a, d2.pose(0, 0, turn), b, d2.pose(bx, by, angle))
		local e, mx, my, cx, cy = d2.distance(a, d2.pose(1e6, -1e6, turn), b, d2.pose(1e6 + bx, -1e6 + by, angle))
		lu.assertEquals({ e, mx, my }, { d, nx, ny }, what)
		near(cx, ax + 1e6, 1e-9, what)
		near(cy, ay - 1e6, 1e-9, what)
	end)
end

-- Symmetric in A and B, to the bit.
function TestDistance.test_is_symmetric()
	local function compare(a, pa, b, pb, what)
		local d, nx, ny, ax, ay, bx, by, fa, fb = d2.distance(a, pa, b, pb)
		local e, mx, my, cx, cy, ex, ey, fc, fe = d2.distance(b, pb, a, pa)
		check(d == e and nx == -mx and ny == -my and ax == ex and ay == ey and bx == cx and by == cy and fa == fe and fb == fc, what)
		lu.assertEquals(d2.overlaps(a, pa, b, pb), d <= 0)
		lu.assertEquals(d2.overlaps(b, pb, a, pa), d <= 0)
		local m, n = d2.manifold(a, pa, b, pb), d2.manifold(b, pb, a, pa)
		lu.assertEquals(m == nil, d > 0, what)
		lu.assertEquals(n == nil, d > 0, what)
		if m then
			check(m.nx == -n.nx and m.ny == -n.ny and #m == #n, what)
			for i = 1, #m do check(m[i].x == n[i].x and m[i].y == n[i].y and m[i].separation == n[i].separation, what) end
		end
	end
	each_pair(5, 4000, {}, compare)
	each_pair(6, 2000, { low = 1e-3, high = 1e3, far = 1e6 }, compare)
end

-- A common rigid motion changes only the frame.
function TestDistance.test_is_invariant_under_rigid_motion()
	each_pair(7, 2000, {}, function(a, pa, b, pb, what, number)
		local turn, x, y = number(-3, 3), number(-5, 5), number(-5, 5)
		local c, s = math.cos(turn), math.sin(turn)
		local function place(pose)
			local px, py, angle = pose:getTransform()
			return d2.pose(x + c * px - s * py, y + s * px + c * py, angle + turn)
		end
		local d = d2.distance(a, pa, b, pb)
		near(d2.distance(a, place(pa), b, place(pb)), d, PART * (size_of(a) + size_of(b)), what)
	end)
end

-- The normal is a unit vector, along which the shapes have that separation: by the extents of both, and by moving B.
function TestDistance.test_along_the_normal_it_separates()
	each_pair(8, 3000, {}, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local d, nx, ny, ax, ay, bx, by = d2.distance(a, pa, b, pb)
		near(nx * nx + ny * ny, 1, 1e-14, what)
		near(toolbox.separation(toolbox.set_of(a, pa), toolbox.set_of(b, pb), nx, ny), d, PART * size, what)
		near(bx, ax + d * nx, 1e-12 * size, what)
		near(by, ay + d * ny, 1e-12 * size, what)
		-- The points are on both surfaces.
		near(select(3, d2.closestPoint(a, pa, ax, ay)), 0, 1e-7 * size, what)
		near(select(3, d2.closestPoint(b, pb, bx, by)), 0, 1e-7 * size, what)
		local gap = 1e-3 * size
		near(d2.distance(a, pa, b, moved(pb, (gap - d) * nx, (gap - d) * ny)), gap, 1e-6 * size, what)
	end)
end

-- The features contain the points: a vertex is the point without the rounding, an edge has the point between its ends.
function TestDistance.test_features_are_where_the_points_are()
	local function holds(shape, pose, feature, x, y, nx, ny, size, what)
		if feature == 0 then
			lu.assertEquals(shape:getType(), "ellipse", what)
			return
		end
		local set = toolbox.set_of(shape, pose)
		x, y = x - set.radius * nx, y - set.radius * ny
		local p = set[math.abs(feature)]
		if feature > 0 then
			near(p[1], x, PART * size, what)
			near(p[2], y, PART * size, what)
		else
			local q = set[-feature % #set + 1]
			local ex, ey = q[1] - p[1], q[2] - p[2]
			near((ex * (y - p[2]) - ey * (x - p[1])) / math.sqrt(ex * ex + ey * ey), 0, PART * size, what)
			local t = (ex * (x - p[1]) + ey * (y - p[2])) / (ex * ex + ey * ey)
			check(t > -1e-4 and t < 1 + 1e-4, what)
		end
	end
	each_pair(9, 2000, {}, function(a, pa, b, pb, what)
		local size = size_of(a) + size_of(b)
		local _, nx, ny, ax, ay, bx, by, fa, fb = d2.distance(a, pa, b, pb)
		holds(a, pa, fa, ax, ay, nx, ny, size, what)
		holds(b, pb, fb, bx, by, -nx, -ny, size, what)
	end)
end

-- Degenerate: in contact, concentric, parallel, flat, deep inside, coincident. No NaN, no wrong sign, a unit normal.
function TestDistance.test_degenerate_pairs_have_sound_results()
	local needle = d2.polygon { 0, 0, 10, 0, 5, 2e-4 }
	local shapes = {
		d2.circle(1), d2.circle(1e-6), d2.circle(1e6), d2.capsule(0, 0, 0, 0, 1), d2.capsule(-1, 0, 1, 0, 1), d2.capsule(-1, 0, 1, 0, 1e-6),
		d2.segment(-1, 0, 1, 0), d2.segment(0, 0, 1e-6, 0), d2.segment(-1e6, 0, 1e6, 0), d2.box(2, 2), d2.box(2, 1e-6), d2.box(1e6, 1e-3),
		d2.box(2, 2, { radius = 0.99 }), needle, d2.polygon({ 0, 0, 1, 0, 0, 1 }, 0.5), d2.ellipse(1, 1), d2.ellipse(1, 1e-3), d2.ellipse(1e-3, 1),
		d2.ellipse(1, 0.5, { x = 1 }), d2.ellipse(1e-3, 1, { x = -10, y = 1e6, angle = 1 }),
		d2.halfPlane(0, 1, 0), d2.halfPlane(1, 1, -1), d2.chain { 0, 0, 1, 0, 1, 1 }, d2.chain({ 0, 0, 1, 0, 1, 1 }, { loop = true }),
	}
	local function finite(...)
		for i = 1, select("#", ...) do
			local x = select(i, ...)
			if type(x) == "number" and (x ~= x or x == math.huge or x == -math.huge) then return false end
		end
		return true
	end
	for i, a in ipairs(shapes) do
		for k, b in ipairs(shapes) do
			for _, place in ipairs { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 2, 0 }, { 1, 1, 0 }, { 0, 0, math.pi / 2 }, { 1e-12, 0, 0 }, { 2, 0, 1e-7 }, { 1e6, 0, 1 } } do
				local what = i .. a:getType() .. " " .. k .. b:getType() .. " " .. table.concat(place, ",")
				local pose = d2.pose(place[1], place[2], place[3])
				local d, nx, ny, ax, ay, bx, by = d2.distance(a, nil, b, pose)
				check(finite(d, nx, ny, ax, ay, bx, by), what)
				near(nx * nx + ny * ny, 1, 2e-7, what)
				local m = d2.manifold(a, nil, b, pose)
				check((m ~= nil) == (d <= 0), what)
				if m then
					check(finite(m.nx, m.ny, m[1].x, m[1].y, m[1].separation) and m[1].separation <= 0, what)
				end
				check(finite(select(2, d2.cast(a, nil, 1, 0, b, pose))), what)
				check(finite(select(2, d2.cast(a, nil, 0, 0, b, pose))), what)
				check(finite(select(2, d2.gjkCast(a, nil, 1, -1, b, pose))), what)
				local state, t = d2.timeOfImpact(a, nil, d2.pose(1, 0, 1), b, pose, pose)
				check(finite(t) and t >= 0 and t <= 1 and (state == "overlapping") == (d <= 0), what)
				local e, mx, my = d2.distance(b, pose, a, nil)
				check(d == e and (a == b and place[1] == 0 and place[2] == 0 and place[3] == 0 or nx == -mx and ny == -my), what)
			end
		end
	end
end

-- A box across a joint: the contact is that of the segment with the deepest overlap.
function TestDistance.test_the_manifold_of_a_chain_is_that_of_one_segment()
	local box, chain = d2.box(4, 2), d2.chain { 5, 0, 1, 0, -5, 0.25 }
	local pose = d2.pose(0, 0.75)
	local m = d2.manifold(box, pose, chain, nil)
	local best = d2.manifold(box, pose, d2.segment(1, 0, -5, 0.25), nil)
	local other = d2.manifold(box, pose, d2.segment(5, 0, 1, 0), nil)
	lu.assertEquals({ m.nx, m.ny, #m }, { best.nx, best.ny, #best })
	for i, point in ipairs(m) do near(point.separation, best[i].separation, 1e-5 * 6, "separation") end
	check(other[1].separation > math.min(m[1].separation, m[#m].separation), "the other is not as deep")
end

-- Collinear shapes are separated by the distance of their ends, for any direction of the line.
function TestDistance.test_collinear_shapes()
	for _, angle in ipairs { 0, 1, math.pi / 2, 2.5 } do
		local c, s = math.cos(angle), math.sin(angle)
		local function at(x) return d2.pose(7 + x * c, -3 + x * s, angle) end
		local rod, segment, ball = d2.capsule(-0.5, 0, 0.5, 0, 0.25), d2.segment(-1, 0, 1, 0), d2.circle(0.5)
		for _, case in ipairs { { rod, ball, 3, 1.75 }, { rod, rod, 4, 2.5 }, { segment, segment, 3, 1 }, { segment, rod, 3, 1.25 }, { segment, ball, -3, 1.5 } } do
			local a, b, x, expected = case[1], case[2], case[3], case[4]
			for _, order in ipairs { 1, -1 } do
				local d, nx, ny, _, _, _, _, fa = d2.distance(order == 1 and a or b, order == 1 and at(0) or at(x), order == 1 and b or a, order == 1 and at(x) or at(0))
				local side = order * (x > 0 and 1 or -1)
				near(d, expected, 1e-6)
				near(nx, side * c, 1e-6)
				near(ny, side * s, 1e-6)
				check(fa > 0, "a point")
				lu.assertFalse(d2.overlaps(a, at(0), b, at(x)))
			end
		end
	end
end

-- Chains: segment by segment, from both sides.
function TestDistance.test_a_chain_is_its_nearest_segment()
	local number, pick = support.random_numbers(11)
	for round = 1, 300 do
		local points = {}
		for i = 0, 9 do points[2 * i + 1], points[2 * i + 2] = i + number(-0.3, 0.3), number(-1, 1) end
		local loop = pick(2) == 1
		local chain = d2.chain(points, { loop = loop })
		local shape = toolbox.new_shape(toolbox.kinds[pick(#toolbox.kinds)], number(0.1, 2), number, pick)
		local pose = d2.pose(number(-1, 11), number(-3, 3), number(-3, 3))
		local least, points32 = math.huge, chain:getPoints()
		for i = 0, loop and 9 or 8 do
			local k = (i + 1) % 10
			local segment = d2.segment(points32[2 * i + 1], points32[2 * i + 2], points32[2 * k + 1], points32[2 * k + 2])
			least = math.min(least, (d2.distance(segment, nil, shape, pose)))
		end
		near(d2.distance(chain, nil, shape, pose), least, 1e-12, "round " .. round)
		local d = d2.distance(shape, pose, chain, nil)
		near(d, least, 1e-12, "round " .. round)
		lu.assertEquals(d2.overlaps(chain, nil, shape, pose), least <= 0)
	end
end

function TestDistance.test_half_planes_by_hand()
	local ground = d2.halfPlane(0, 2, 1)
	local d, nx, ny, ax, ay, bx, by, fa, fb = d2.distance(ground, nil, d2.circle(1), d2.pose(3, 4))
	lu.assertEquals({ d, nx, ny, ax, ay, bx, by, fa, fb }, { 2, 0, 1, 3, 1, 3, 3, 0, 1 })
	d, nx, ny = d2.distance(d2.box(2, 2), d2.pose(0, 1), ground, nil)
	lu.assertEquals({ d, nx, ny }, { -1, 0, -1 })
	lu.assertEquals((d2.distance(ground, nil, d2.ellipse(2, 1), d2.pose(0, 5, math.pi / 2))), 2)
	-- Two half-planes are separated if they face each other at a distance, else they overlap infinitely.
	lu.assertEquals((d2.distance(ground, nil, d2.halfPlane(0, -1, -3), nil)), 2)
	lu.assertEquals((d2.distance(ground, nil, d2.halfPlane(1, 0, 0), nil)), -1e18)
	local m = d2.manifold(ground, nil, d2.box(2, 2), d2.pose(0, 1.5))
	lu.assertEquals({ m.nx, m.ny, #m, m[1].separation, m[2].separation }, { 0, 1, 2, -0.5, -0.5 })
	lu.assertEquals({ m[1].y, m[2].y, math.abs(m[1].x - m[2].x) }, { 0.75, 0.75, 2 })
end

TestManifold = {}

-- The deepest point is as deep as the distance; each point is midway between points of both shapes. Contacts are those of a world, in floats.
function TestManifold.test_points_lie_between_both_shapes()
	local two = 0
	each_pair(12, 3000, {}, function(a, pa, b, pb, what)
		local d, nx, ny = d2.distance(a, pa, b, pb)
		local m = d2.manifold(a, pa, b, pb)
		lu.assertEquals(m ~= nil, d <= 0)
		if not m then return end
		local size, deepest = size_of(a) + size_of(b), 0
		near(m.nx * m.nx + m.ny * m.ny, 1, 1e-12, what)
		nx, ny = m.nx, m.ny
		for _, p in ipairs(m) do
			deepest = math.min(deepest, p.separation)
			local half = p.separation / 2
			check(select(3, d2.closestPoint(a, pa, p.x - half * nx, p.y - half * ny)) < 1e-5 * size, what)
			check(select(3, d2.closestPoint(b, pb, p.x + half * nx, p.y + half * ny)) < 1e-5 * size, what)
		end
		near(deepest, d, 1e-5 * size, what)
		if #m == 2 then
			two = two + 1
			check(m[1].id ~= m[2].id, what)
		end
	end)
	check(two > 300, "two points: " .. two)
end
-- A corner near the frame's origin, of a triangle that extends far: the circle's own coordinates do not bound the rounding error.
function TestDistance.test_a_corner_of_a_large_triangle_at_the_origin()
	local number = support.random_numbers(12)
	for _, size in ipairs { 10, 1e3, 1e6 } do
		for _, r in ipairs { 1e-6, 1e-3, 1 } do
			for _ = 1, 300 do
				local t = d2.polygon { number(-size, size), number(-size, size), number(-size, size), number(-size, size), number(-1e-3, 1e-3), number(-1e-3, 1e-3) }
				local c, p = d2.circle(r), d2.pose(number(-2, 2) * r, number(-2, 2) * r)
				local d = d2.distance(t, nil, c, p)
				near(d, toolbox.brute_distance(t, nil, c, p), 1e-15 * size, "a triangle of " .. size)
				check(d2.overlaps(t, nil, c, p) == (d <= 0) and (d2.manifold(t, nil, c, p) ~= nil) == (d <= 0), "touching a triangle of " .. size)
			end
		end
	end
	near(d2.distance(d2.polygon { -970000, -696000, -961000, -703000, 0, 0 }, nil, d2.circle(0.01), d2.pose(0.09, 0.09)), 0.09 * math.sqrt(2) - 0.01, 1e-9, "a far triangle")
end

-- A capsule of length 0 is a circle, to an ellipse, too.
function TestManifold.test_a_capsule_of_length_0_touches_an_ellipse_like_a_circle()
	local number = support.random_numbers(91)
	for _ = 1, 300 do
		local x, y, radius = number(-1, 1), number(-1, 1), number(0.1, 2)
		local ellipse, pose = d2.ellipse(number(0.5, 2), number(0.5, 2)), d2.pose(number(-2, 2), number(-2, 2), number(-3, 3))
		local m, expected = d2.manifold(ellipse, pose, d2.capsule(x, y, x, y, radius)), d2.manifold(ellipse, pose, d2.circle(radius, x, y))
		check((m == nil) == (expected == nil), "one of both touches")
		if m then
			near(m.nx, expected.nx, 1e-12, "the normal")
			near(m.ny, expected.ny, 1e-12, "the normal")
			near(m[1].x, expected[1].x, 1e-12, "the point")
			near(m[1].separation, expected[1].separation, 1e-12, "the point")
		end
	end
end

-- A chain has contacts only where its distance is 0 or negative, however near a shape is.
function TestManifold.test_chains_have_contacts_only_where_they_overlap()
	local number = support.random_numbers(92)
	local zigzag = d2.chain { 3, 0, 1, 0.5, 0, 0, -1, 0.25, -3, 0 }
	for _ = 1, 200 do
		local gap = 10 ^ number(-9, -4)
		local x = number(-2, 2)
		local floor = d2.chain { 3, 0, -3, 0 }
		for _, pair in ipairs { { floor, d2.chain { x - 1, 1, x, gap, x + 1, 1 } }, { floor, d2.box(1, 1, { x = x, y = 0.5 + gap }) },
			{ zigzag, d2.transform(zigzag, d2.pose(0, gap)) }, { floor, d2.segment(x, gap, x, 1) } } do
			local distance = d2.distance(pair[1], nil, pair[2], nil)
			check((d2.manifold(pair[1], nil, pair[2], nil) ~= nil) == (distance <= 0), "a contact at distance " .. distance)
		end
	end
end

-- A capsule perpendicular to an edge, to rounding, has its lowest end as a contact point.
function TestManifold.test_a_capsule_perpendicular_to_an_edge()
	local number = support.random_numbers(13)
	local box = d2.box(2, 2, { radius = 0.1 })
	for _ = 1, 2000 do
		local capsule, pose = d2.capsule(0, number(-0.5, 0), 0, number(0, 0.5), 0.3), d2.pose(number(-0.5, 0.5), number(-1, 1), math.pi)
		local m, d, least = d2.manifold(box, nil, capsule, pose), d2.distance(box, nil, capsule, pose), 0
		for _, point in ipairs(m) do least = math.min(least, point.separation) end
		near(least, d, 1e-5, "the depth")
	end
end


TestPoint = {}

function TestPoint.test_closest_point_is_the_distance_to_a_point()
	each_pair(13, 2000, {}, function(a, pa, _, pb, what)
		local x, y = pb:getPosition()
		local px, py, d, nx, ny = d2.closestPoint(a, pa, x, y)
		local dot, size = { { x, y }, radius = 0 }, size_of(a)
		local A = toolbox.set_of(a, pa)
		near(toolbox.separation(A, dot, nx, ny), d, PART * size, what)
		near(px + d * nx, x, 1e-12 * (size + 10), what)
		near(py + d * ny, y, 1e-12 * (size + 10), what)
		if math.abs(d) > PART * size and a:getType() ~= "segment" then lu.assertEquals(d2.containsPoint(a, pa, x, y), d < 0, what) end
	end)
end

function TestPoint.test_support_is_the_farthest_point()
	each_pair(14, 1500, {}, function(a, pa, _, _, what, number)
		local q, length = number(0, 7), 10 ^ number(-30, 30)
		local nx, ny = math.cos(q), math.sin(q)
		local x, y = d2.support(a, pa, length * nx, length * ny)
		near(nx * x + ny * y, toolbox.extent(toolbox.set_of(a, pa), nx, ny), PART * size_of(a) + 4e-7, what)
		near(select(3, d2.closestPoint(a, pa, x, y)), 0, 1e-7 * size_of(a), what)
	end)
end

function TestPoint.test_support_vertices_are_two_where_an_edge_lies_across()
	local box = d2.box(2, 4)
	lu.assertEquals({ d2.supportVertices(box, nil, 5, 0) }, { 1, -2, 1, 2 })
	lu.assertEquals(select("#", d2.supportVertices(box, nil, 5, 0.01)), 2)
	lu.assertEquals({ d2.supportVertices(d2.capsule(-1, 0, 1, 0, 0.5), nil, 0, 1) }, { 1, 0.5, -1, 0.5 })
	lu.assertEquals({ d2.supportVertices(d2.circle(2), nil, 0, 3) }, { 0, 2 })
	lu.assertEquals({ d2.supportVertices(d2.chain { 0, 0, 1, 1, 2, 1 }, nil, 0, 1) }, { 2, 1, 1, 1 })
	lu.assertEquals({ d2.supportVertices(d2.chain { 2, 1, 1, 1, 0, 0 }, nil, 0, 1) }, { 2, 1, 1, 1 })
	-- An open chain has no edge from its end to its start.
	lu.assertEquals(select("#", d2.supportVertices(d2.chain { 0, 0, 1, -1, 2, 0 }, nil, 0, 1)), 2)
	lu.assertEquals(select("#", d2.supportVertices(d2.chain({ 0, 0, 1, -1, 2, 0 }, { loop = true }), nil, 0, 1)), 4)
end

function TestPoint.test_aabb_is_the_extents()
	each_pair(15, 1000, { far = 1e6 }, function(a, pa, _, _, what)
		local A = toolbox.set_of(a, pa)
		local x1, y1, x2, y2 = d2.aabb(a, pa)
		local tolerance = PART * size_of(a) + 1e-9
		near(x2, toolbox.extent(A, 1, 0), tolerance, what)
		near(y2, toolbox.extent(A, 0, 1), tolerance, what)
		near(x1, -toolbox.extent(A, -1, 0), tolerance, what)
		near(y1, -toolbox.extent(A, 0, -1), tolerance, what)
	end)
	lu.assertEquals({ d2.aabb(d2.chain { 0, 0, 1, 2, 3, 1 }, d2.pose(1, 0)) }, { 1, 0, 4, 2 })
	lu.assertEquals({ d2.aabb(d2.halfPlane(0, 1, 0)) }, { -1e18, -1e18, 1e18, 1e18 })
end

function TestPoint.test_mass_is_the_shapes_own()
	local shape = d2.polygon({ 0, 0, 2, 0, 1, 1.5 }, 0.1)
	lu.assertEquals({ d2.mass(shape, 2.5) }, { shape:getMass(2.5) })
end

function TestPoint.test_transform_moves_the_shape()
	each_pair(16, 1500, {}, function(a, pa, b, pb, what)
		near(d2.distance(d2.transform(a, pa), nil, b, pb), d2.distance(a, pa, b, pb), 3e-6 * (size_of(a) + size_of(b)), what)
		lu.assertEquals(d2.transform(a, pa):getType(), a:getType())
		near((d2.mass(d2.transform(a, pa), 1)), (d2.mass(a, 1)), 1e-5 * size_of(a) ^ 2, what)
	end)
	local plane = d2.transform(d2.halfPlane(0, 1, 1), d2.pose(3, 4, math.pi / 2))
	near(select(3, d2.closestPoint(plane, nil, 2, 77)), 0, 1e-6, "half-plane")
	near(select(3, d2.closestPoint(plane, nil, 5, 7)), -3, 1e-6, "half-plane")
	lu.assertEquals(d2.transform(d2.chain { 0, 0, 1, 2, 3, 1 }, d2.pose(1, 0)):getPoints(), { 1, 0, 2, 2, 4, 1 })
	lu.assertEquals({ d2.aabb(d2.transform(d2.ellipse(2, 1, { y = 1 }), d2.pose(5, 0, math.pi / 2))) }, { 3, -2, 5, 2 })
end

TestHullFunction = {}

-- By definition: each point is left of or on every edge, each corner is one of the points, and no three corners are collinear.
function TestHullFunction.test_E37_the_hull_of_any_points()
	local number, pick = support.random_numbers(17)
	for round = 1, 300 do
		local points, n = {}, pick(120)
		local grid = pick(3) == 1
		for i = 1, 2 * n do points[i] = grid and math.floor(number(0, 5)) or number(-1, 1) end
		local hull = d2.hull(points)
		local m = #hull / 2
		for i = 0, m - 1 do
			local k = (i + 1) % m
			local x, y, ex, ey = hull[2 * i + 1], hull[2 * i + 2], hull[2 * k + 1] - hull[2 * i + 1], hull[2 * k + 2] - hull[2 * i + 2]
			local found = false
			for j = 1, 2 * n, 2 do
				found = found or (points[j] == x and points[j + 1] == y)
				check(ex * (points[j + 1] - y) - ey * (points[j] - x) >= -1e-15, "round " .. round)
			end
			check(found, "round " .. round)
			if m >= 3 then
				local l = (i + 2) % m
				check(ex * (hull[2 * l + 2] - y) - ey * (hull[2 * l + 1] - x) > 0, "round " .. round)
			end
		end
	end
end

function TestHullFunction.test_E37_points_on_a_line_and_in_one_place()
	lu.assertEquals(d2.hull { 3, 3, 1, 1, 2, 2, 1, 1 }, { 1, 1, 3, 3 })
	lu.assertEquals(d2.hull { 1, 2, 1, 2, 1, 2 }, { 1, 2 })
	lu.assertEquals(d2.hull { 1, 2 }, { 1, 2 })
	lu.assertEquals(d2.hull { 0, 0, 2, 0, 2, 2, 0, 2, 1, 0, 1, 1 }, { 0, 0, 2, 0, 2, 2, 0, 2 })
end

TestMinkowski = {}

local function inside_hull(hull, x, y)
	local m = #hull / 2
	local outside = -math.huge
	for i = 0, m - 1 do
		local k = (i + 1) % m
		local px, py, ex, ey = hull[2 * i + 1], hull[2 * i + 2], hull[2 * k + 1] - hull[2 * i + 1], hull[2 * k + 2] - hull[2 * i + 2]
		local length = math.sqrt(ex * ex + ey * ey)
		if length > 0 then outside = math.max(outside, (ey * (x - px) - ex * (y - py)) / length) end
	end
	return outside
end

-- The difference contains every b - a and its corners are such; it contains the origin if the shapes overlap, and the origin's distance is theirs.
function TestMinkowski.test_difference_and_sum_hold_all_pairs_of_points()
	each_pair(18, 1500, { kinds = { "circle", "capsule", "segment", "box", "rounded box", "polygon", "rounded polygon" } }, function(a, pa, b, pb, what)
		local A, B = toolbox.set_of(a, pa), toolbox.set_of(b, pb)
		local size = size_of(a) + size_of(b) + 10
		for sign, combine in pairs { [-1] = d2.minkowskiDifference, [1] = d2.minkowskiSum } do
			local hull, radius = combine(a, pa, b, pb)
			near(radius, A.radius + B.radius, 1e-6, what)
			local area = 0
			for i = 1, #hull, 2 do
				local nearest = math.huge
				for _, p in ipairs(A) do
					for _, q in ipairs(B) do nearest = math.min(nearest, math.abs(q[1] + sign * p[1] - hull[i]) + math.abs(q[2] + sign * p[2] - hull[i + 1])) end
				end
				check(nearest < PART * size, what)
				local k = i + 2 > #hull and 1 or i + 2
				area = area + hull[i] * hull[k + 1] - hull[i + 1] * hull[k]
			end
			check(area > -1e-9 * size ^ 2, what)
			for _, p in ipairs(A) do
				for _, q in ipairs(B) do check(inside_hull(hull, q[1] + sign * p[1], q[2] + sign * p[2]) < PART * size, what) end
			end
			check(#hull / 2 <= #A + #B, what)
		end
		-- E29: B - A, so that the point closest to the origin is the normal times the distance, from A to B.
		local hull, radius = d2.minkowskiDifference(a, pa, b, pb)
		local d, nx, ny = d2.distance(a, pa, b, pb)
		if #hull > 4 and d < -radius - 1e-6 then near(inside_hull(hull, 0, 0), d + radius, 1e-9 * size, what) end
		local least = math.huge
		for i = 1, #hull, 2 do least = math.min(least, nx * hull[i] + ny * hull[i + 1]) end
		near(least, d + radius, 1e-9 * size, what)
	end)
end

function TestMinkowski.test_by_hand()
	lu.assertEquals(d2.minkowskiDifference(d2.box(2, 2), nil, d2.box(2, 2), d2.pose(3, 0)), { 1, -2, 5, -2, 5, 2, 1, 2 })
	lu.assertEquals({ d2.minkowskiSum(d2.circle(1), d2.pose(1, 1), d2.circle(2), d2.pose(2, 3)) }, { { 3, 4 }, 3 })
	lu.assertEquals(d2.minkowskiSum(d2.segment(0, 0, 1, 0), nil, d2.segment(0, 0, 0, 1), nil), { 0, 0, 1, 0, 1, 1, 0, 1 })
end

-- The corrections to the published descriptions that concern distances and contacts.
TestCorrections = {}

-- Contact is distance 0 with the edge's normal; aligned edges are recognized as such at every offset.
function TestCorrections.test_E10_touching_and_aligned_boxes()
	local box = d2.box(2, 2)
	local d, nx, ny, _, _, _, _, fa, fb = d2.distance(box, nil, box, d2.pose(2, 0.5))
	lu.assertEquals({ d, nx, ny, fa < 0, fb < 0 }, { 0, 1, 0, true, true })
	lu.assertTrue(d2.overlaps(box, nil, box, d2.pose(2, 0.5)))
	local number = support.random_numbers(20)
	for _ = 1, 3000 do
		local w, h, v, g = number(0.1, 4), number(0.1, 4), number(0.1, 4), number(0.1, 4)
		local x, y = number(-4, 4), number(-4, 4)
		local px, py = math.abs(x) - (w + v) / 2, math.abs(y) - (h + g) / 2
		local expected = math.sqrt(math.max(px, 0) ^ 2 + math.max(py, 0) ^ 2) + math.min(math.max(px, py), 0)
		near(d2.distance(d2.box(w, h), nil, d2.box(v, g), d2.pose(x, y)), expected, 1e-6, "aligned")
	end
end

-- Beside a corner the line of an edge is closer than the edge.
function TestCorrections.test_E11_beside_a_corner_the_distance_is_to_the_corner()
	local d, nx, ny = d2.distance(d2.box(2, 2), nil, d2.box(2, 2), d2.pose(5, 6))
	near(d, 5, 1e-15, "3-4-5")
	near(nx, 0.6, 1e-15, "nx")
	near(ny, 0.8, 1e-15, "ny")
end

function TestCorrections.test_E12_a_centre_inside_a_box_leaves_by_the_nearest_face()
	local d, nx, ny, ax, ay = d2.distance(d2.box(4, 2), nil, d2.circle(0.5), d2.pose(1.5, 0.2))
	lu.assertEquals({ d, nx, ny }, { -1, 1, 0 })
	near(ax, 2, 1e-15, "ax")
	near(ay, 0.2, 1e-15, "ay")
	-- Exactly in the middle: a fixed face.
	d, nx, ny = d2.distance(d2.box(2, 2), nil, d2.circle(0.5), nil)
	near(d, -1.5, 1e-15, "d")
	near(math.abs(nx) + math.abs(ny), 1, 1e-15, "n")
end

function TestCorrections.test_E13_the_normal_times_the_depth_moves_B_out()
	local a, b, pose = d2.circle(1), d2.circle(2), d2.pose(1.5, 0)
	local d, nx, ny = d2.distance(a, nil, b, pose)
	lu.assertEquals({ d, nx, ny }, { -1.5, 1, 0 })
	lu.assertEquals((d2.distance(a, nil, b, moved(pose, -d * nx, -d * ny))), 0)
end

function TestCorrections.test_E14_coincident_centres_have_a_fixed_normal()
	for _, pose in ipairs { d2.pose(0, 0), d2.pose(1e6, 3) } do
		local d, nx, ny = d2.distance(d2.circle(1), pose, d2.circle(2), pose)
		lu.assertEquals({ d, math.abs(nx), math.abs(ny) }, { -3, 0, 1 })
		local m = d2.manifold(d2.circle(1), pose, d2.circle(2), pose)
		lu.assertEquals({ #m, m[1].separation }, { 1, -3 })
	end
end

-- The length of the edges must not matter: 10 times as large, the distance is 10 times as great.
function TestCorrections.test_E20_normals_are_unit_vectors()
	for _, scale in ipairs { 0.01, 1, 100 } do
		local d, nx, ny = d2.distance(d2.box(6 * scale, 2 * scale), nil, d2.box(scale, scale), d2.pose(0, 2 * scale))
		near(d, 0.5 * scale, 1e-6 * scale, "d")
		lu.assertEquals({ nx, ny }, { 0, 1 })
	end
end

function TestCorrections.test_E22_the_point_on_A_is_on_its_face()
	local _, _, _, ax, _, bx = d2.distance(d2.box(2, 2), nil, d2.box(2, 2), d2.pose(1.75, 0))
	lu.assertEquals({ ax, bx }, { 1, 0.75 })
end

function TestCorrections.test_E23_E24_at_a_corner_the_normal_goes_to_the_centre_whoever_is_A()
	local box, circle, pose = d2.box(2, 2), d2.circle(1), d2.pose(1.6, 1.8)
	local d, nx, ny, ax, ay = d2.distance(box, nil, circle, pose)
	lu.assertEquals({ ax, ay }, { 1, 1 })
	for i, expected in ipairs { 0, 0.6, 0.8 } do near(({ d, nx, ny })[i], expected, 1e-7, "corner") end
	local e, mx, my, _, _, bx, by = d2.distance(circle, pose, box, nil)
	lu.assertEquals({ e, mx, my, bx, by }, { d, -nx, -ny, 1, 1 })
end

function TestCorrections.test_E25_two_points_with_ids_for_faces_and_no_flicker()
	local box = d2.box(2, 1)
	local first
	for i = -20, 20 do
		local m = d2.manifold(box, nil, box, d2.pose(0.3, 0.98, i * 1e-8))
		lu.assertEquals(#m, 2)
		first = first or m
		lu.assertEquals({ m[1].id, m[2].id }, { first[1].id, first[2].id })
		near(m.ny, 1, 1e-9, "normal")
	end
	local m = d2.manifold(box, nil, box, d2.pose(0.5, 0.75))
	local low, high = math.min(m[1].x, m[2].x), math.max(m[1].x, m[2].x)
	for i, expected in ipairs { -0.5, 1, -0.25, -0.25, 0.375 } do near(({ low, high, m[1].separation, m[2].separation, m[1].y })[i], expected, 1e-5, "number " .. i) end
end

-- Containment: the least translation is not the overlap of the intervals.
function TestCorrections.test_E26_a_small_box_deep_inside_a_large_one()
	local d, nx = d2.distance(d2.box(10, 10), nil, d2.box(1, 1), d2.pose(3, 0))
	lu.assertEquals({ d, nx }, { -2.5, 1 })
end

function TestCorrections.test_E27_touching_counts_as_overlap()
	local box, circle = d2.box(2, 2), d2.circle(1)
	for _, pair in ipairs { { box, box }, { box, circle }, { circle, circle }, { circle, box }, { d2.ellipse(1, 2), circle }, { d2.capsule(-1, 0, 0, 0, 1), box } } do
		lu.assertTrue(d2.overlaps(pair[1], nil, pair[2], d2.pose(2, 0)), pair[1]:getType() .. pair[2]:getType())
		lu.assertFalse(d2.overlaps(pair[1], nil, pair[2], d2.pose(2.0001, 0)))
		lu.assertNotNil(d2.manifold(pair[1], nil, pair[2], d2.pose(2, 0)))
	end
	lu.assertTrue(d2.containsPoint(box, nil, 1, 0.5))
	lu.assertTrue(d2.overlaps(d2.segment(0, 0, 1, 0), nil, d2.segment(1, 0, 2, 0), nil))
	lu.assertTrue(d2.overlaps(d2.halfPlane(0, 1, 0), nil, circle, d2.pose(0, 1)))
end

-- The direction of a support need not be a unit vector, but must not be 0.
function TestCorrections.test_E30_supports_of_raw_directions()
	lu.assertEquals({ d2.support(d2.circle(2), nil, 1e-300, 0) }, { 2, 0 })
	lu.assertEquals({ d2.support(d2.circle(2), nil, 0, -1e300) }, { 0, -2 })
	lu.assertEquals({ d2.support(d2.ellipse(3, 1), d2.pose(1, 1), 1e200, 0) }, { 4, 1 })
end

-- The segment of a capsule is inside the other shape: the result is not distance 0 without a normal, but the least translation that separates both.
function TestCorrections.test_E39_a_capsule_whose_segment_is_inside()
	local capsule = d2.capsule(-0.5, 0, 0.5, 0, 0.25)
	local d, nx, ny = d2.distance(d2.box(4, 2), nil, capsule, d2.pose(0, 0.5))
	lu.assertEquals({ d, nx, ny }, { -0.75, 0, 1 })
	d = d2.distance(capsule, nil, capsule, nil)
	lu.assertEquals(d, -0.5)
	d = d2.distance(capsule, nil, capsule, d2.pose(0, 0, math.pi / 2))
	near(d, -1, 1e-7, "crossing")
end

-- As the distance goes to 0 the normal stays that of the face, also for slivers.
function TestCorrections.test_E43_normals_of_the_smallest_distances()
	local sliver = d2.polygon { -1, 0, 1, 0, 0, 1e-4 }
	for exponent = -1, -15, -1 do
		for _, sign in ipairs { 1, -1 } do
			local d, nx, ny = d2.distance(sliver, nil, d2.box(1, 1), d2.pose(0.1, -0.5 - sign * 10 ^ exponent))
			near(ny, -1, 1e-12, "ny at 1e" .. exponent)
			near(nx, 0, 1e-12, "nx at 1e" .. exponent)
			if sign == 1 then near(d, 10 ^ exponent, 1e-15, "d at 1e" .. exponent) end
		end
	end
end

-- The origin is on the boundary of the difference, where a naive GJK never ends.
function TestCorrections.test_E45_touching_ends()
	for i = 0, 100 do
		local pose = d2.pose(2, i / 50)
		lu.assertEquals((d2.distance(d2.box(2, 2), nil, d2.box(2, 2), pose)), 0)
		lu.assertTrue((d2.gjkOverlaps(d2.box(2, 2), nil, d2.box(2, 2), pose)))
		near(d2.gjk(d2.box(2, 2), nil, d2.box(2, 2), pose).distance, 0, 1e-12, "gjk")
	end
end

TestToolboxGarbage = {}

function TestToolboxGarbage.test_functions_that_return_numbers_make_none()
	local a, b, p, q = d2.box(2, 2), d2.polygon { 0, 0, 1, 0, 0.5, 1 }, d2.pose(1, 2, 3), d2.pose(1.5, 3, 1)
	local e, chain = d2.ellipse(2, 1), d2.chain { 0, 0, 1, 0, 2, 1 }
	lu.assertEquals(support.bytes_of(500, function()
		d2.overlaps(a, p, b, q) d2.distance(a, p, b, q) d2.distance(e, p, b, q) d2.distance(chain, nil, a, q)
		d2.raycast(a, p, 0, 0, 5, 5) d2.cast(a, nil, 10, 0, b, q) d2.gjkCast(a, nil, 10, 0, b, q) d2.timeOfImpact(a, nil, p, b, q, q)
		d2.conservativeAdvancement(a, nil, p, b, q, q) d2.bisection(a, nil, 10, 0, b, q) d2.gjkOverlaps(a, p, b, q)
		d2.support(a, p, 1, 1) d2.supportVertices(a, p, 1, 1) d2.closestPoint(a, p, 1, 1) d2.containsPoint(a, p, 1, 1)
		d2.mass(a, 1) d2.aabb(a, p)
	end), 0)
end

TestToolboxErrors = {}

local box, plane, chain, egg = d2.box(1, 1), d2.halfPlane(0, 1, 0), d2.chain { 0, 0, 1, 0 }, d2.ellipse(2, 1)
local errors = {
	{ "distance: a must be a shape, got nil", d2.distance },
	{ "distance: poseA must be a pose or nil, got 3", d2.distance, box, 3 },
	{ "distance: b must be a shape, got a 2D pose", d2.distance, box, nil, d2.pose(0, 0) },
	{ "distance: poseB must be a pose or nil, got a 2D shape", d2.distance, box, nil, box, box },
	{ "overlaps: a must be a shape, got nil", d2.overlaps },
	{ "manifold: b must be a shape, got a table", d2.manifold, box, nil, {} },
	{ "raycast: shape must be a shape, got 1", d2.raycast, 1 },
	{ "raycast: pose must be a pose or nil, got true", d2.raycast, box, true },
	{ "raycast: x2 must be a finite number, got inf", d2.raycast, box, nil, 0, 0, math.huge, 0 },
	{ "raycast: y1 must be a finite number, got nil", d2.raycast, box, nil, 0 },
	{ "cast: dx must be a finite number, got nan", d2.cast, box, nil, 0 / 0, 0, box },
	{ "cast: dy must be between -1e+15 and 1e+15, got 1e+16", d2.cast, box, nil, 0, 1e16, box },
	{ "cast: b must be a shape, got nil", d2.cast, box, nil, 0, 1 },
	{ "gjkCast: dx must be a finite number, got \"1\"", d2.gjkCast, box, nil, "1", 0, box },
	{ "timeOfImpact: poseA1 must be a pose or nil, got 1", d2.timeOfImpact, box, nil, 1, box },
	{ "timeOfImpact: b must be a shape, got nil", d2.timeOfImpact, box, nil, nil },
	{ "timeOfImpact: poseB0 must be a pose or nil, got 1", d2.timeOfImpact, box, nil, nil, box, 1 },
	{ "conservativeAdvancement: a must be a shape, got nil", d2.conservativeAdvancement },
	{ "conservativeAdvancement: unknown key 'step', did you mean 'steps'?", d2.conservativeAdvancement, box, nil, nil, box, nil, nil, { step = true } },
	{ "conservativeAdvancement: steps must be true or false, got 1", d2.conservativeAdvancement, box, nil, nil, box, nil, nil, { steps = 1 } },
	{ "bisection: a must be a shape with an end, not a half-plane, got a 2D shape", d2.bisection, plane, nil, 1, 0, box },
	{ "bisection: b must be a shape with an end, not a half-plane, got a 2D shape", d2.bisection, box, nil, 1, 0, plane },
	{ "bisection: tolerance must be > 0, got 0", d2.bisection, box, nil, 1, 0, box, nil, 0 },
	{ "minkowskiDifference: a must be convex, not a chain, got a 2D shape", d2.minkowskiDifference, chain, nil, box },
	{ "minkowskiDifference: b must be a shape with an end, not a half-plane, got a 2D shape", d2.minkowskiDifference, box, nil, plane },
	{ "minkowskiSum: b must have points, not be an ellipse, got a 2D shape", d2.minkowskiSum, box, nil, egg },
	{ "support: shape must be a shape with an end, not a half-plane, got a 2D shape", d2.support, plane, nil, 1, 0 },
	{ "support: the direction dx, dy must not be 0", d2.support, box, nil, 0, 0 },
	{ "supportVertices: dy must be a finite number, got nil", d2.supportVertices, box, nil, 0 },
	{ "closestPoint: x must be a finite number, got nil", d2.closestPoint, box },
	{ "containsPoint: y must be a finite number, got nil", d2.containsPoint, box, nil, 1 },
	{ "hull: points must be a list, got nil", d2.hull },
	{ "hull: points must be a flat list {x1, y1, x2, y2, ...}, got 3 numbers", d2.hull, { 1, 2, 3 } },
	{ "hull: there must be 1 to 16777216 points, got 0", d2.hull, {} },
	{ "hull: points[2] must be a finite number, got \"b\"", d2.hull, { 1, "b" } },
	{ "mass: shape must be a shape, got nil", d2.mass },
	{ "mass: density must be >= 0, got -1", d2.mass, box, -1 },
	{ "aabb: shape must be a shape, got nil", d2.aabb },
	{ "transform: shape must be a shape, got nil", d2.transform },
	{ "transform: the shape must stay within 10000000", d2.transform, box, d2.pose(1e8, 0) },
	{ "transform: the points are so far out that they lie on a line", d2.transform, d2.polygon { 0, 0, 1e-3, 0, 0, 1e-3 }, d2.pose(9e6, 9e6) },
	{ "transform: neighbours must be at least 1e-06 apart, but points 1 and 2 are not", d2.transform, d2.segment(0, 0, 1e-3, 0), d2.pose(9e6, 0) },
	{ "gjk: a must be convex, not a chain, got a 2D shape", d2.gjk, chain, nil, box },
	{ "gjk: b must be a shape with an end, not a half-plane, got a 2D shape", d2.gjk, box, nil, plane },
	{ "gjk: options must be a table, got 1", d2.gjk, box, nil, box, nil, 1 },
	{ "gjkOverlaps: a must be convex, not a chain, got a 2D shape", d2.gjkOverlaps, chain, nil, box },
	{ "epa: b must be convex, not a chain, got a 2D shape", d2.epa, box, nil, chain },
	{ "sat: a must have points, not be an ellipse, got a 2D shape", d2.sat, egg, nil, box },
	{ "sat: cache must be an earlier result of sat, or nil, got 1", d2.sat, box, nil, box, nil, 1 },
	{ "sat: cache.owner must be \"a\", \"b\" or \"corners\", got nil", d2.sat, box, nil, box, nil, {} },
	{ "sat: cache.index must be a whole number between 1 and 64, got 0", d2.sat, box, nil, box, nil, { owner = "a", index = 0 } },
	{ "sat: cache.other must be a whole number between 1 and 64, got nil", d2.sat, box, nil, box, nil, { owner = "corners", index = 1 } },
}

for i, entry in ipairs(errors) do
	TestToolboxErrors[("test_%02d_%s"):format(i, entry[1]:match "^%w+")] = function()
		local unpack = table.unpack or unpack
		local ok, message = pcall(entry[2], unpack(entry, 3, 9))
		lu.assertFalse(ok)
		lu.assertStrContains(message, entry[1])
	end
end
